"""Where aircraft land: the proof before battle and the duty after it (p.12, p.21, p.26-28).

Most tests are set in the Pacific around sz50. A fighter from Hawaii is there after three spaces
and then has one left; the islands near by are Japanese, so it needs a carrier in or next to sz50.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.aa1942.table import (
    Casualties,
    Done,
    Engage,
    Fight,
    Place,
    Press,
    Retreat,
    Table,
    move,
    sail,
    table,
)

SHORT = "hawaiian_islands > sz53 > sz52 > sz50"
LONG = "hawaiian_islands > sz53 > sz44 > sz49 > sz50"


def pacific(fighters: int = 1, prey: str = "transport", **units: Any) -> Table:
    """American fighters on Hawaii, Japanese ships in sz50, and what a test adds."""
    board: dict[str, Mapping[str, Any]] = {
        "hawaiian_islands": {"united_states": f"{fighters} fighter"},
        "sz50": {"japan": prey},
    }
    position = {key: units.pop(key) for key in ("bought", "cargo", "control") if key in units}
    return table("united_states", units={**board, **units}, **position)


def us(text: str) -> dict[str, str]:
    return {"united_states": text}


def after_combat(where: str, *used: int, **units: Any) -> Table:
    """Noncombat movement with American fighters in `where` that have used up so much range."""
    position = {
        key: units.pop(key)
        for key in ("bought", "cargo", "control", "control_at_start", "damage")
        if key in units
    }
    fighters = [{"used": n, "duty": "fought"} for n in used]
    board = {where: {"united_states": {"fighter": fighters}}}
    return table("united_states", "noncombat_move", {**board, **units}, **position)


# --- the proof: carriers on the board -----------------------------------------------------------


@pytest.mark.rule(
    "aa1942:unit.air.landing-proof", "aa1942:combat-move.air.reserve", "aa1942:carrier.landing-zone"
)
def test_a_fighter_needs_a_carrier_within_its_last_point() -> None:
    pacific().refused(move("fighter", SHORT), "unit.air.landing-proof")
    pacific(sz52=us("aircraft_carrier")).do(move("fighter", SHORT))
    pacific(sz44=us("aircraft_carrier")).do(move("fighter", SHORT))


@pytest.mark.rule("aa1942:unit.air.landing-proof")
def test_a_carrier_may_come_two_zones_but_not_three() -> None:
    pacific(sz56=us("aircraft_carrier")).do(move("fighter", SHORT))  # sz56 > sz53 > sz52
    pacific(sz55=us("aircraft_carrier")).refused(move("fighter", SHORT), "unit.air.landing-proof")


@pytest.mark.rule("aa1942:combat-move.air.fighter-full-range")
def test_with_no_point_left_the_carrier_comes_to_the_battle_itself() -> None:
    pacific(sz52=us("aircraft_carrier")).do(move("fighter", LONG))
    pacific(sz56=us("aircraft_carrier")).refused(move("fighter", LONG), "unit.air.landing-proof")
    pacific().refused(move("fighter", LONG), "unit.air.landing-proof")


@pytest.mark.rule("aa1942:noncombat.air.carrier", "aa1942:unit.air.landing-proof")
def test_a_bomber_never_relies_on_a_carrier() -> None:
    """Wake and back are six spaces; one space of detour is one too many."""
    t = table(
        "united_states",
        units={
            "hawaiian_islands": us("2 bomber"),
            "wake_island": {"japan": "infantry"},
            "sz52": us("2 aircraft_carrier"),
        },
    )
    t.refused(
        move("bomber", "hawaiian_islands > sz53 > sz57 > sz52 > wake_island"),
        "unit.air.landing-proof",
    )
    t.do(move("bomber", "hawaiian_islands > sz53 > sz52 > wake_island"))


@pytest.mark.rule("aa1942:unit.air.landing-proof", "aa1942:unit.carrier.capacity")
def test_several_fighters_compete_for_one_deck() -> None:
    t = pacific(3, sz52=us("aircraft_carrier"))
    t.refused(move("3 fighter", SHORT), "unit.air.landing-proof")
    t.do(move("fighter", SHORT), move("fighter", LONG))
    t.refused(move("fighter", SHORT), "unit.air.landing-proof")
    pacific(4, sz52=us("2 aircraft_carrier")).do(move("4 fighter", SHORT))


@pytest.mark.rule("aa1942:unit.air.landing-proof", "aa1942:unit.carrier.capacity")
def test_guests_take_room_but_own_fighters_can_make_it() -> None:
    """An own fighter aboard has range enough to land elsewhere; an ally's cannot leave now."""
    pacific(2, sz52=us("aircraft_carrier, 2 fighter")).do(move("2 fighter", SHORT))
    guests = {"united_states": "aircraft_carrier", "united_kingdom": "2 fighter"}
    pacific(sz52=guests).refused(move("fighter", SHORT), "unit.air.landing-proof")
    guest = {"united_states": "aircraft_carrier", "united_kingdom": "fighter"}
    t = pacific(2, sz52=guest)
    t.refused(move("2 fighter", SHORT), "unit.air.landing-proof")
    t.do(move("fighter", SHORT))


@pytest.mark.rule("aa1942:unit.air.landing-proof")
def test_own_fighters_aboard_that_attack_too_need_their_deck() -> None:
    t = pacific(2, sz52=us("aircraft_carrier, fighter"))
    t.do(move("fighter", "sz52 > sz50"))  # it has three points left: Australia or Hawaii
    t.do(move("2 fighter", SHORT))
    t = pacific(
        2,
        sz52=us("aircraft_carrier, fighter"),
        control={"eastern_australia": "japan", "western_australia": "japan", "midway": "japan"},
    )
    t.do(move("fighter", "sz52 > sz59 > sz51 > sz50"))  # one point left
    t.do(move("fighter", SHORT))
    t.refused(move("fighter", SHORT), "unit.air.landing-proof")


@pytest.mark.rule("aa1942:unit.air.landing-proof")
def test_one_carrier_cannot_be_in_two_places() -> None:
    """Each flight alone is allowed; together only if one place serves both."""

    def board(carriers: str, far: str) -> Table:
        return pacific(
            1,
            sz52=us(carriers),
            midway=us("fighter"),
            **{far: {"japan": "transport"}},  # type: ignore[arg-type]
        )

    north = move("fighter", "midway > sz57 > sz64 > sz63 > sz58")  # only sz58 will do
    board("aircraft_carrier", "sz58").do(north)
    t = board("aircraft_carrier", "sz58").do(move("fighter", SHORT))
    t.refused(north, "unit.air.landing-proof")
    board("2 aircraft_carrier", "sz58").do(move("fighter", SHORT), north)
    # From sz60 and from sz50 alike, sz51 is one space.
    t = board("aircraft_carrier", "sz60").do(move("fighter", SHORT))
    t.do(move("fighter", "midway > sz57 > sz58 > sz60"))


@pytest.mark.rule("aa1942:unit.air.landing-proof.carrier-still")
def test_a_carrier_on_which_a_fighter_relies_does_not_make_a_combat_move() -> None:
    board: dict[str, Any] = {
        "sz52": us("aircraft_carrier, destroyer"),
        "sz53": {"japan": "submarine"},
    }
    t = pacific(**board).do(move("fighter", LONG))
    t.refused(move("aircraft_carrier", "sz52 > sz53"), "unit.air.landing-proof")
    t.do(move("destroyer", "sz52 > sz53"))
    t.do(move("aircraft_carrier", "sz52 > sz50"))  # to the very place where it is needed
    t = pacific(**board).do(move("aircraft_carrier", "sz52 > sz53"))
    t.refused(move("fighter", LONG), "unit.air.landing-proof")
    t.refused(move("fighter", SHORT), "unit.air.landing-proof")


@pytest.mark.rule("aa1942:unit.air.landing-proof.carrier-still", "aa1942:carrier.landing-zone")
def test_a_carrier_that_has_moved_counts_only_where_it_is() -> None:
    t = pacific(sz52=us("aircraft_carrier"), sz44={"japan": "submarine"})
    t.do(move("aircraft_carrier", "sz52 > sz44"))
    t.refused(move("fighter", LONG), "unit.air.landing-proof")  # it cannot come on to sz50
    t.do(move("fighter", SHORT))  # sz50 > sz44


@pytest.mark.rule(
    "aa1942:unit.air.landing-proof.carrier-still",
    "aa1942:combat-move.start-hostile.no-noncombat",
)
def test_a_carrier_in_a_hostile_zone_is_promised_nowhere_else() -> None:
    """It stays and fights, or it leaves now."""
    zone = {"united_states": "aircraft_carrier", "japan": "cruiser"}
    t = pacific(sz52=zone)
    t.refused(move("fighter", LONG), "unit.air.landing-proof")
    t.do(move("fighter", SHORT))  # back to sz52, if the battle there is won
    t.refused(move("aircraft_carrier", "sz52 > sz53"), "unit.air.landing-proof")
    t.do(move("aircraft_carrier", "sz52 > sz50"))
    t = pacific(sz52=zone).do(move("aircraft_carrier", "sz52 > sz50"))
    t.do(move("fighter", LONG))


@pytest.mark.rule("aa1942:unit.air.landing-proof.assume")
def test_an_attack_may_open_the_way_for_a_carrier() -> None:
    """From sz57 the carrier can only come by sz52, where a destroyer stands."""
    board: dict[str, Any] = {
        "sz57": us("aircraft_carrier"),
        "sz52": {"japan": "destroyer"},
        "sz53": {"united_states": "submarine", "japan": "transport"},
        "sz51": {"japan": "battleship"},
        "sz44": {"japan": "battleship"},
    }
    flight = move("fighter", "hawaiian_islands > sz53 > sz44 > sz50")
    t = pacific(**board)
    t.refused(flight, "unit.air.landing-proof")
    t.do(move("submarine", "sz53 > sz52"), flight)
    # A ship that cannot fight opens nothing.
    t = pacific(**{**board, "sz53": us("transport")})
    t.refused(move("transport", "sz53 > sz52"))
    t.refused(flight, "unit.air.landing-proof")


@pytest.mark.rule("aa1942:unit.air.landing-proof.assume")
def test_an_attack_that_the_proof_needs_cannot_be_called_off() -> None:
    """The submarine that began beside the destroyer may not slip away any more."""
    t = pacific(
        sz57=us("aircraft_carrier"),
        sz52={"japan": "destroyer", "united_states": "submarine"},
        sz51={"japan": "battleship"},
        sz44={"japan": "battleship"},
        sz53={"japan": "transport"},
    )
    t.do(move("fighter", "hawaiian_islands > sz53 > sz44 > sz50"))
    t.refused(move("submarine", "sz52 > sz53"), "unit.air.landing-proof")


@pytest.mark.rule("aa1942:unit.air.landing-proof.no-retreat")
def test_the_proof_does_not_count_on_a_retreat() -> None:
    """The fighter could land if the carrier came back from sz59 to sz57; that does not count."""
    board: dict[str, Any] = {
        "sz57": {"united_states": "aircraft_carrier", "japan": "submarine"},
        "sz59": {"japan": "destroyer"},
    }
    flight = move("fighter", "hawaiian_islands > sz53 > sz54 > sz56 > sz57")
    pacific(**board).do(flight)
    t = pacific(**board).do(move("aircraft_carrier", "sz57 > sz59"))
    t.refused(flight, "unit.air.landing-proof")


@pytest.mark.rule("aa1942:unit.air.landing-proof", "aa1942:multi.fighter-ally-carrier")
def test_an_allys_carrier_counts_where_it_is() -> None:
    ally = {"united_kingdom": "aircraft_carrier"}
    t = pacific(3, sz52=ally)
    t.refused(move("fighter", LONG), "unit.air.landing-proof")  # it does not move in our turn
    t.do(move("2 fighter", SHORT))
    t.refused(move("fighter", SHORT), "unit.air.landing-proof")
    t = pacific(2, sz52={"united_kingdom": "aircraft_carrier, fighter"})
    t.do(move("fighter", SHORT))
    t.refused(move("fighter", SHORT), "unit.air.landing-proof")


@pytest.mark.rule("aa1942:unit.air.landing-proof")
def test_a_closed_canal_keeps_a_carrier_away() -> None:
    """A fighter over sz17 with no point left; the carrier would have to come through Suez."""

    def board(holder: str) -> Table:
        return table(
            "united_kingdom",
            units={
                "persia": {"united_kingdom": "fighter"},
                "sz34": {"united_kingdom": "aircraft_carrier"},
                "sz17": {"germany": "transport"},
            },
            control={"egypt": holder},
        )

    flight = move("fighter", "persia > trans_jordan > sz34 > egypt > sz17")
    board("united_kingdom").do(flight)
    board("germany").refused(flight, "unit.air.landing-proof")


# --- the proof: carriers bought this turn -------------------------------------------------------

ALASKA = "alaska > sz65 > sz57 > sz53 > sz56"


def west_coast(fighters: int, damage: int = 0, **bought: int) -> Table:
    """Fighters in Alaska that can reach sz56 only with their last point."""
    return table(
        "united_states",
        units={"alaska": us(f"{fighters} fighter"), "sz56": {"japan": "transport"}},
        bought=bought,
        damage={"western_united_states": damage},
    )


@pytest.mark.rule("aa1942:noncombat.air.new-carrier", "aa1942:combat-move.air.fighter-full-range")
def test_a_bought_carrier_may_be_part_of_the_proof() -> None:
    west_coast(1).refused(move("fighter", ALASKA), "unit.air.landing-proof")
    west_coast(1, battleship=1).refused(move("fighter", ALASKA), "unit.air.landing-proof")
    t = west_coast(3, aircraft_carrier=1)
    t.refused(move("3 fighter", ALASKA), "unit.air.landing-proof")
    t.do(move("2 fighter", ALASKA))
    west_coast(4, aircraft_carrier=2).do(move("4 fighter", ALASKA))


@pytest.mark.rule("aa1942:noncombat.air.new-carrier")
def test_a_damaged_complex_brings_in_fewer_carriers() -> None:
    """Western United States is worth 10."""
    west_coast(1, damage=10, aircraft_carrier=1).refused(
        move("fighter", ALASKA), "unit.air.landing-proof"
    )
    t = west_coast(3, damage=9, aircraft_carrier=2)
    t.refused(move("3 fighter", ALASKA), "unit.air.landing-proof")
    t.do(move("2 fighter", ALASKA))
    west_coast(3, damage=8, aircraft_carrier=2).do(move("3 fighter", ALASKA))


@pytest.mark.rule("aa1942:noncombat.air.new-carrier")
def test_only_an_own_complex_held_since_the_turn_began_serves() -> None:
    flight = move("fighter", "eastern_canada > sz1 > sz10 > sz9 > sz7")

    def board(turn: str) -> Table:
        return table(
            turn,
            units={"eastern_canada": {turn: "fighter"}, "sz7": {"germany": "transport"}},
            bought={"aircraft_carrier": 1},
        )

    board("united_kingdom").do(flight)
    board("united_states").refused(flight, "unit.air.landing-proof")
    for held, legal in (("germany", True), ("soviet_union", False)):
        t = table(
            "germany",
            "noncombat_move",
            {"sz3": {"germany": {"fighter": [{"used": 3, "duty": "fought"}]}}},
            control={"karelia_ssr": "germany", "norway": "united_kingdom", "finland": "germany"},
            control_at_start={
                "karelia_ssr": held, "norway": "united_kingdom", "finland": "soviet_union"
            },
            bought={"aircraft_carrier": 1},
        )  # fmt: skip
        if legal:
            t.do(move("fighter", "sz3 > sz4"), Done(), Place("sz4", {"aircraft_carrier": 1}))
            assert t.units("sz4", "germany") == {"aircraft_carrier": 1, "fighter": 1}
        else:
            t.do(Done())
            assert t.units("sz3", "germany") == {}


@pytest.mark.rule("aa1942:noncombat.air.new-carrier", "aa1942:noncombat.air.carrier-required")
def test_no_fighter_ends_at_sea_where_no_carrier_will_be() -> None:
    t = table(
        "germany",
        "noncombat_move",
        {"germany": {"germany": "fighter"}},
        bought={"aircraft_carrier": 1},
    )
    t.refused(move("fighter", "germany > sz5 > sz6"), "noncombat.air.carrier-required")
    t.do(move("fighter", "germany > sz5"))
    table("germany", "noncombat_move", {"germany": {"germany": "fighter"}}).refused(
        move("fighter", "germany > sz5"), "noncombat.air.carrier-required"
    )


@pytest.mark.rule("aa1942:unit.air.landing-proof.commit-new")
def test_the_new_carrier_goes_where_the_fighters_wait_before_anything_else() -> None:
    """Nothing may take its place in the complex, and no new fighter its deck."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {"united_kingdom": {"united_kingdom": "fighter"}},
        bought={"aircraft_carrier": 1, "fighter": 2, "infantry": 1},
        damage={"united_kingdom": 6},
    )
    t.do(move("fighter", "united_kingdom > sz8"), Done())
    # Two units come in at London; one has to be the carrier in sz8.
    t.refused(Place("sz7", {"aircraft_carrier": 1}), "unit.air.landing-proof.commit-new")
    t.refused(Place("united_kingdom", {"fighter": 2}), "unit.air.landing-proof.commit-new")
    t.refused(Place("sz8", {"aircraft_carrier": 1, "fighter": 2}), "mobilize.fighter")
    t.do(Place("united_kingdom", {"infantry": 1}))
    t.refused(Place("united_kingdom", {"fighter": 1}), "unit.air.landing-proof.commit-new")
    t.do(Place("sz8", {"aircraft_carrier": 1}), Place("india", {"fighter": 2}))
    assert t.units("sz8", "united_kingdom") == {"aircraft_carrier": 1, "fighter": 1}


@pytest.mark.rule("aa1942:unit.air.landing-proof.commit-new")
def test_a_new_carrier_is_free_once_the_fighter_has_landed_elsewhere() -> None:
    t = table(
        "united_states",
        "noncombat_move",
        {"sz56": {"united_states": {"fighter": [{"used": 3, "duty": "fought"}]}}},
        bought={"aircraft_carrier": 1},
    )
    t.do(move("fighter", "sz56 > western_united_states"), Done())
    t.do(Place("sz11", {"aircraft_carrier": 1}))
    assert t.units("sz11", "united_states") == {"aircraft_carrier": 1}


# --- the duty -----------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:unit.air.landing-duty", "aa1942:noncombat.carrier.must-move")
def test_the_phase_does_not_end_while_a_fighter_can_be_saved() -> None:
    t = after_combat("sz50", 4, sz52=us("aircraft_carrier"))
    t.refused(Done(), "unit.air.landing-duty")
    t.refused(move("aircraft_carrier", "sz52 > sz53"), "noncombat.air.carrier-required")
    t.refused(move("aircraft_carrier", "sz52 > sz44"), "noncombat.air.carrier-required")
    t.do(move("aircraft_carrier", "sz52 > sz50"))
    t.refused(move("aircraft_carrier", "sz50 > sz52"), "noncombat.eligible")
    t.do(Done())
    assert t.units("sz50", "united_states") == {"aircraft_carrier": 1, "fighter": 1}


@pytest.mark.rule("aa1942:noncombat.carrier.must-move", "aa1942:noncombat.air.carrier-required")
def test_a_carrier_stays_where_it_is_the_only_deck() -> None:
    t = table(
        "united_states",
        "noncombat_move",
        {"sz52": {"united_states": {"aircraft_carrier": 1, "fighter": [{"used": 4}]}}},
    )
    t.refused(move("aircraft_carrier", "sz52 > sz53"), "noncombat.air.carrier-required")
    t.do(Done())
    assert t.units("sz52", "united_states") == {"aircraft_carrier": 1, "fighter": 1}


@pytest.mark.rule("aa1942:unit.air.landing-duty", "aa1942:noncombat.air.crash")
def test_as_many_as_possible_land_and_the_rest_is_lost() -> None:
    """Three fighters, a carrier with room for two."""
    t = after_combat("sz50", 3, 3, 3, sz52=us("aircraft_carrier"))
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("fighter", "sz50 > sz52"))
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("fighter", "sz50 > sz52"))
    t.refused(move("fighter", "sz50 > sz52"), "noncombat.air.carrier-required")
    t.do(Done())
    assert t.units("sz52", "united_states") == {"aircraft_carrier": 1, "fighter": 2}
    assert t.units("sz50", "united_states") == {}
    assert t.s.lost["united_states", "fighter"] == 1


@pytest.mark.rule("aa1942:unit.air.landing-proof.assume", "aa1942:unit.air.landing-duty")
@pytest.mark.parametrize("wait", ["sz50", "sz48"])
def test_only_before_combat_are_battles_taken_as_won(wait: str) -> None:
    """An own submarine is beside the enemy destroyer in sz50. After combat that opens the zone to
    no carrier, neither to end in nor to pass through to sz48."""
    units: dict[str, dict[str, Any]] = {
        "sz52": {"united_states": {"aircraft_carrier": 1}},
        "sz50": {"united_states": {"submarine": 1}, "japan": "destroyer"},
        "sz51": {"japan": "destroyer"},
        "sz48": {"united_states": {}},
    }
    units[wait]["united_states"]["fighter"] = [{"used": 4, "duty": "fought"}]
    t = table("united_states", "noncombat_move", units)
    path = "sz52 > sz50" if wait == "sz50" else "sz52 > sz50 > sz48"
    t.refused(move("aircraft_carrier", path), "noncombat.sea")
    t.do(Done())  # nothing can be done for the fighter
    assert t.s.lost["united_states", "fighter"] == 1
    del units["sz50"]["japan"]  # the battle was won
    t = table("united_states", "noncombat_move", units)
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("aircraft_carrier", path), Done())
    assert t.units(wait, "united_states")["fighter"] == 1


@pytest.mark.rule("aa1942:unit.air.landing-duty")
def test_one_carrier_goes_where_it_saves_the_most() -> None:
    """One fighter waits in sz50, two in sz57: the carrier between them serves the two."""
    spent = {"fighter": [{"used": 4, "duty": "fought"}]}
    two = {"fighter": [{"count": 2, "used": 4, "duty": "fought"}]}
    t = table(
        "united_states",
        "noncombat_move",
        {
            "sz52": us("aircraft_carrier"),
            "sz50": {"united_states": spent},
            "sz57": {"united_states": two},
        },
    )
    t.refused(move("aircraft_carrier", "sz52 > sz50"), "noncombat.air.carrier-required")
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("aircraft_carrier", "sz52 > sz57"), Done())
    assert t.units("sz57", "united_states") == {"aircraft_carrier": 1, "fighter": 2}
    assert t.units("sz50", "united_states") == {}


def two_groups(phase: str, first: int, second: int, **bought: int) -> Table:
    """Japanese fighters without range in both zones of Japan's coast, and what was bought."""
    flown = {"used": 4, "duty": "fought"}
    return table(
        "japan",
        phase,
        {
            zone: {"japan": {"fighter": [{"count": number, **flown}]}}
            for zone, number in (("sz60", first), ("sz62", second))
        },
        bought=bought,
    )


@pytest.mark.rule("aa1942:unit.air.landing-proof.commit-new", "aa1942:noncombat.air.crash")
@pytest.mark.parametrize(("chosen", "other"), [("sz60", "sz62"), ("sz62", "sz60")])
@pytest.mark.parametrize("phase", ["noncombat_move", "mobilize"])
def test_the_owner_chooses_which_group_a_new_carrier_saves(
    phase: str, chosen: str, other: str
) -> None:
    t = two_groups(phase, 2, 2, aircraft_carrier=1, infantry=1)
    if phase == "noncombat_move":
        t.do(Done())
    assert t.asked == "japan mobilize"
    assert t.units("sz60", "japan") == t.units("sz62", "japan") == {"fighter": 2}
    t.do(Place(chosen, {"aircraft_carrier": 1}))
    assert t.units(other, "japan") == {"fighter": 2}
    t.do(Place("japan", {"infantry": 1}))
    assert t.units(chosen, "japan") == {"aircraft_carrier": 1, "fighter": 2}
    assert t.units(other, "japan") == {}
    assert t.events("crashed") == [{"space": other, "losses": {"japan": {"fighter": 2}}}]


@pytest.mark.rule("aa1942:unit.air.landing-duty", "aa1942:noncombat.air.crash")
def test_the_smaller_group_is_no_choice_and_an_odd_fighter_none_either() -> None:
    t = two_groups("noncombat_move", 1, 2, aircraft_carrier=1)
    t.do(Done())
    assert t.units("sz60", "japan") == {}
    t.refused(Place("sz60", {"aircraft_carrier": 1}), "unit.air.landing-proof.commit-new")
    t = two_groups("noncombat_move", 3, 3, aircraft_carrier=1)
    t.do(Done())
    assert t.units("sz60", "japan") == t.units("sz62", "japan") == {"fighter": 2}
    t = two_groups("noncombat_move", 3, 3, aircraft_carrier=2)
    t.do(Done(), Place("sz60", {"aircraft_carrier": 1}))
    t.do(Place("sz62", {"aircraft_carrier": 1}))
    assert t.units("sz60", "japan") == t.units("sz62", "japan")
    assert t.s.lost["japan", "fighter"] == 2
    t = two_groups("noncombat_move", 1, 2)
    t.do(Done())
    assert t.s.lost["japan", "fighter"] == 3


@pytest.mark.rule("aa1942:unit.air.landing-duty")
def test_a_fighter_with_range_leaves_the_deck_to_the_one_without() -> None:
    """Of two fighters in sz50, one can reach Australia; the deck in sz44 is for the other."""
    guests = {"united_kingdom": "fighter", "united_states": {"aircraft_carrier": [{"used": 2}]}}
    t = after_combat("sz50", 3, 1, sz44=guests)
    t.do(move("fighter", "sz50 > sz44"))
    (left,) = (u for u in t.s.stack("sz50") if u.power == "united_states")
    assert left.used == 1  # the one that can fly on has stayed
    t.refused(Done(), "unit.air.landing-duty")
    t.refused(move("fighter", "sz50 > sz44"), "noncombat.air.carrier-required")
    t.do(move("fighter", "sz50 > sz44 > sz45 > eastern_australia"), Done())
    assert t.units("eastern_australia", "united_states") == {"fighter": 1}
    t = after_combat("sz50", 3, 1, sz44=guests)
    t.do(move("fighter", "sz50 > sz44 > sz45 > eastern_australia"))
    t.do(move("fighter", "sz50 > sz44"), Done())
    assert t.units("sz44", "united_states") == {"aircraft_carrier": 1, "fighter": 1}


@pytest.mark.rule("aa1942:unit.air.landing-duty", "aa1942:unit.carrier.capacity")
def test_a_fighter_with_other_places_may_not_take_the_last_ones_deck() -> None:
    guests = {"united_kingdom": "fighter", "united_states": {"aircraft_carrier": [{"used": 2}]}}
    t = after_combat("sz50", 3, sz44=guests, eastern_australia=us("fighter"))
    t.refused(move("fighter", "eastern_australia > sz45 > sz44"), "noncombat.air.carrier-required")
    t.do(move("fighter", "sz50 > sz44"))


@pytest.mark.rule("aa1942:noncombat.air.carrier-required")
def test_no_aircraft_is_thrown_away() -> None:
    """A fighter that could land does not fly to a place where it cannot."""
    t = after_combat("sz53", 2, sz52=us("aircraft_carrier"))
    t.refused(move("fighter", "sz53 > sz54 > sz55"), "noncombat.air.carrier-required")
    t.refused(move("fighter", "sz53 > sz44 > solomon_islands"), "noncombat.air.no-captured")
    t.do(move("fighter", "sz53 > sz52"), Done())


@pytest.mark.rule("aa1942:noncombat.air.same-zone")
def test_fighter_and_carrier_end_in_the_same_zone() -> None:
    t = after_combat("sz50", 3, sz52=us("aircraft_carrier"))
    t.do(move("fighter", "sz50 > sz52"))
    t.refused(move("aircraft_carrier", "sz52 > sz53"), "noncombat.air.carrier-required")
    t = after_combat("sz50", 3, sz52=us("aircraft_carrier"))
    t.do(move("aircraft_carrier", "sz52 > sz51"))
    t.refused(move("fighter", "sz50 > sz52"), "noncombat.air.carrier-required")
    t.do(move("fighter", "sz50 > sz51"), Done())
    assert t.units("sz51", "united_states") == {"aircraft_carrier": 1, "fighter": 1}


@pytest.mark.rule("aa1942:unit.air.landing-proof.commit-move")
def test_a_carrier_is_free_once_the_fighter_has_landed_or_been_lost() -> None:
    t = after_combat("sz53", 2, sz52=us("aircraft_carrier"))
    t.do(move("fighter", "sz53 > hawaiian_islands"), move("aircraft_carrier", "sz52 > sz51"))
    t = pacific(1, "cruiser", sz52=us("aircraft_carrier"))
    t.do(move("fighter", LONG), Done()).dice(6).dice(3)
    assert t.asked == "united_states noncombat_move"
    t.do(move("aircraft_carrier", "sz52 > sz53"), Done())


@pytest.mark.rule("aa1942:unit.air.landing-proof.commit-move", "aa1942:noncombat.air.crash")
def test_when_the_way_was_not_cleared_the_promise_is_void() -> None:
    """The submarine fails against the destroyer in sz52, so the carrier cannot come."""
    t = pacific(
        sz57=us("aircraft_carrier"),
        sz52={"japan": "destroyer"},
        sz53={"united_states": "submarine"},
        sz51={"japan": "battleship"},
        sz44={"japan": "battleship"},
    )
    t.do(move("submarine", "sz53 > sz52"))
    t.do(move("fighter", "hawaiian_islands > sz53 > sz44 > sz50"), Done())
    t.do(Fight("sz50"))
    t.dice(6).dice(1)
    assert t.asked == "united_states noncombat_move"
    t.refused(move("aircraft_carrier", "sz57 > sz52 > sz50"), "noncombat.sea")
    t.do(move("aircraft_carrier", "sz57 > sz56"), Done())
    assert t.s.lost["united_states", "fighter"] == 1


@pytest.mark.rule("aa1942:unit.air.landing-proof.no-guarantee", "aa1942:noncombat.air.crash")
def test_a_carrier_may_retreat_and_leave_its_fighters() -> None:
    t = pacific(2, "2 cruiser", sz52=us("aircraft_carrier"))
    t.do(move("aircraft_carrier", "sz52 > sz50"), move("fighter", LONG), move("fighter", SHORT))
    t.do(Done()).dice(6, 6, 6).dice(6, 6)
    t.do(Retreat("sz52"))
    assert t.asked == "united_states noncombat_move"
    # One of the two has a point left and must use it; the other is lost.
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("fighter", "sz50 > sz52"), Done())
    assert t.units("sz52", "united_states") == {"aircraft_carrier": 1, "fighter": 1}
    assert t.s.lost["united_states", "fighter"] == 1


@pytest.mark.rule("aa1942:unit.air.landing-proof.no-guarantee")
def test_a_carrier_may_be_chosen_as_a_casualty() -> None:
    t = pacific(1, "cruiser", sz52=us("aircraft_carrier"))
    t.do(move("aircraft_carrier", "sz52 > sz50"), move("fighter", SHORT), Done())
    t.dice(6, 6).dice(3).do(Casualties({"united_states": {"aircraft_carrier": 1}}), Press())
    t.dice(3).dice(6).do(Done())
    assert t.s.lost["united_states", "fighter"] == 1


@pytest.mark.rule(
    "aa1942:unit.air.landing-proof.commit-move", "aa1942:unit.air.landing-proof.carrier-still"
)
def test_a_promised_carrier_does_not_pick_a_fight_of_its_own() -> None:
    """A submarine shares its zone; attacking it would keep the carrier there."""
    t = pacific(
        sz52={"united_states": "aircraft_carrier, destroyer", "japan": "submarine"},
        sz56={"united_states": "destroyer", "japan": "submarine"},
    )
    t.do(move("fighter", LONG), Done(), Fight("sz50"))
    t.refused(Fight("sz52"), "unit.air.landing-proof.commit-move")
    t.do(Fight("sz56")).dice(1).dice(6)
    t.do(Done(), move("aircraft_carrier", "sz52 > sz50"), Done())
    assert t.units("sz50", "united_states") == {"aircraft_carrier": 1, "fighter": 1}


@pytest.mark.rule("aa1942:unit.air.landing-proof.commit-move")
def test_a_promised_carrier_beside_an_assault_lets_submarines_be() -> None:
    t = pacific(
        sz52={"united_states": "aircraft_carrier, transport", "japan": "submarine"},
        cargo={
            "sz52": {
                "united_states": [{"ship": "transport", "load": {"united_states": {"infantry": 1}}}]
            }
        },
    )
    t.do(move("fighter", LONG), sail("sz52", offload="wake_island"), Done())
    assert t.asked == "united_states engage_or_ignore"
    t.refused(Engage(True), "unit.air.landing-proof.commit-move")
    assert list(t.game.legal(t.request)) == [Engage(False)]
    t.do(Engage(False))
    assert t.s.control["wake_island"] == "united_states"
    t.do(move("aircraft_carrier", "sz52 > sz50"), Done())
    assert t.units("sz50", "united_states") == {"aircraft_carrier": 1, "fighter": 1}


# --- where to land ------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:noncombat.air.landing-territory", "aa1942:noncombat.air.no-captured")
def test_land_has_to_have_been_friendly_when_the_turn_began() -> None:
    """A liberated territory is no landing place either; an ally's old one is."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "karelia_ssr": {"united_kingdom": "fighter, bomber"},
            "archangel": {"united_kingdom": {"infantry": [{"used": 1, "duty": "fought"}]}},
        },
        control_at_start={"archangel": "germany"},
    )
    for plane in ("fighter", "bomber"):
        t.refused(move(plane, "karelia_ssr > archangel"), "noncombat.air.no-captured")
        t.refused(move(plane, "karelia_ssr > baltic_states"), "noncombat.air.no-captured")
    t.do(move("fighter, bomber", "karelia_ssr > archangel > russia"))


@pytest.mark.rule("aa1942:noncombat.air.landing-territory")
def test_aircraft_end_on_land_that_they_may_not_keep_by_staying() -> None:
    t = table(
        "united_kingdom",
        "noncombat_move",
        {"archangel": {"united_kingdom": {"bomber": [{"used": 2, "duty": "fought"}]}}},
        control_at_start={"archangel": "germany"},
    )
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("bomber", "archangel > russia"), Done())


@pytest.mark.rule("aa1942:noncombat.air-remaining")
def test_aircraft_fly_on_with_what_is_left_and_only_once() -> None:
    t = after_combat("sz53", 2, sz56=us("cruiser"))
    t.refused(
        move("fighter", "sz53 > sz56 > western_united_states > western_canada"),
        "noncombat.air-remaining",
    )
    t.do(move("fighter", "sz53 > hawaiian_islands"))
    t.refused(move("fighter", "hawaiian_islands > sz53"), "noncombat.air-remaining")


@pytest.mark.rule("aa1942:noncombat.air.crash")
@pytest.mark.parametrize("plane", ["fighter", "bomber"])
def test_what_cannot_land_is_destroyed(plane: str) -> None:
    spent = {"fighter": 4, "bomber": 6}[plane]
    t = table(
        "united_states",
        "noncombat_move",
        {"sz50": {"united_states": {plane: [{"used": spent, "duty": "fought"}]}}},
    )
    t.do(Done())
    assert t.units("sz50", "united_states") == {}
    assert t.s.lost["united_states", plane] == 1
