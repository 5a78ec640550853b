"""Air units, bombing and the atomic bomb (chapter 17)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75.model import Mission, Unit
from sandtable.games.gw75.rules.air import FlyTo, Raid, reach_of
from sandtable.games.gw75.rules.consequences import settle
from sandtable.games.gw75.rules.naval_zones import flies
from sandtable.games.gw75.rules.terms import enters
from sandtable.kernel.kits import Numbers
from tests.gw75.table import Done, Table, state, table

WAR = [("commonwealth", "germany"), ("germany", "usa"), ("france", "germany")]
CUT_OFF = [("commonwealth", "germany")]
"""With France at peace nothing leads from Brest to Germany."""
LONDON, SCOTLAND, RUHR, BERLIN, BOHEMIA = "W3118", "W3217", "W3120", "W3121", "W3021"


def air(phase: str = "allies_air_movement", turn: int | None = None, **fields: Any) -> Table:
    fields.setdefault("wars", WAR)
    return table(phase, turn, **fields)


def raid(number: int, defense: int, bombs: int = 0, **fields: Any) -> Table:
    """Bombers from London on their way to the Ruhr."""
    units = {LONDON: {"commonwealth": f"{number} lrb"}}
    units[RUHR] = {"germany": f"{defense} ad, inf"} if defense else {"germany": "inf"}
    t = air(turn=10, units=units, bombs={LONDON: bombs} if bombs else {}, **fields)
    t.do(Raid("commonwealth", LONDON, RUHR, number, bomb=bool(bombs)))
    return t


@pytest.mark.rule("gw75:18.10d", "gw75:17.42a", "gw75:17.11")
@pytest.mark.parametrize(
    ("mark", "rule", "transfers"),
    [
        ({"idle": True}, "18.10d", False),
        ({"duty": "flown"}, "17.11", False),
        ({"supply": "defense"}, "17.42a", True),
    ],
)
def test_why_bombers_stay_on_the_ground(mark: dict[str, Any], rule: str, transfers: bool):
    units = {LONDON: {"commonwealth": {"lrb": [mark]}}, SCOTLAND: {"commonwealth": "lrb"}}
    t = air("allies_air_movement", 10, units=units)
    if "supply" in mark:  # judged as the phase begins
        t.s.change(LONDON, next(iter(t.s.stack(LONDON))), 1, supply="defense")
    t.refused(Raid("commonwealth", LONDON, RUHR), rule)
    move = FlyTo("commonwealth", "lrb", LONDON, SCOTLAND)
    if transfers:
        t.do(move)
    else:
        t.refused(move, rule)


@pytest.mark.rule("gw75:17.0", "gw75:17.11", "gw75:17.13", "gw75:17.16")
def test_bombers_fly_within_the_range_of_the_turn():
    units = {LONDON: {"commonwealth": "2 lrb"}, SCOTLAND: {"commonwealth": "lrb"}}
    t = air(turn=1, units=units)
    assert reach_of(t.s, "commonwealth") == 2 == t.s.facts.distance(LONDON, RUHR)
    t.refused(Raid("commonwealth", LONDON, RUHR), "17.16")  # the Low Countries are neutral
    t = air(turn=10, units=units)
    assert reach_of(t.s, "commonwealth") == 3
    t.refused(Raid("commonwealth", SCOTLAND, BERLIN), "17.13")
    t.refused(Raid("commonwealth", LONDON, RUHR, 3), "17.11")
    t.refused(Raid("commonwealth", LONDON, "W3219"), "17.3")
    t.refused(Raid("commonwealth", LONDON, SCOTLAND), "17.3")
    t.do(Raid("commonwealth", LONDON, RUHR, 1))
    assert t.s.missions == (Mission("commonwealth", LONDON, RUHR, 1),)
    assert t.units(LONDON, "commonwealth") == {"lrb": 2}  # they come back to their base
    t.refused(Raid("commonwealth", LONDON, RUHR, 2), "17.11")


@pytest.mark.rule("gw75:17.13", "gw75:17.14", "gw75:17.17b", "gw75:17.21", "gw75:17.51")
def test_bombers_transfer_three_times_as_far_to_supplied_friendly_bases():
    units = {
        LONDON: {"commonwealth": "20 lrb"},
        "W2920": {"france": "inf"},
        "W3018": {"germany": "ss"},
    }
    t = air(turn=1, units=units)
    far = t.s.facts.numbers.lrb_transfer * reach_of(t.s, "commonwealth")
    assert far == 6
    t.refused(FlyTo("commonwealth", "lrb", LONDON, RUHR), "17.14")
    t.refused(FlyTo("commonwealth", "lrb", LONDON, "W3218"), "17.14")
    t.refused(FlyTo("commonwealth", "lrb", LONDON, "W2617"), "17.14")  # Gibraltar is cut off
    t.do(FlyTo("commonwealth", "lrb", LONDON, SCOTLAND, 20))
    assert t.units(SCOTLAND, "commonwealth") == {"lrb": 20}
    t.refused(FlyTo("commonwealth", "lrb", SCOTLAND, LONDON), "17.11")
    t.refused(Raid("commonwealth", SCOTLAND, RUHR), "17.11")


@pytest.mark.rule("gw75:17.16", "gw75:17.15")
def test_flights_avoid_neutral_countries_but_not_enemies():
    s = state(wars=[("france", "germany")], units={RUHR: {"germany": "lrb"}})
    assert flies(s, "germany", RUHR, "W3019", 2)
    assert not flies(s, "germany", RUHR, LONDON, 9)  # at peace: it is neutral itself
    s = state(wars=WAR, units={"W3019": {"france": "5 ad"}})
    assert flies(s, "germany", "W3020", "W3018", 2)  # over Enemy Air Defense
    assert s.facts.distance("W3320", "W3422") == 3
    assert not flies(s, "germany", "W3320", "W3422", 3)  # Norway and Sweden are neutral


@pytest.mark.rule("gw75:17.12", "gw75:17.22", "gw75:17.41")
def test_air_defense_units_move_between_linked_industrial_hexes_ten_at_most():
    units = {RUHR: {"germany": "8 ad, 3 lrb"}, BERLIN: {"germany": "5 ad"}}
    t = air("axis_air_movement", 1, units=units)
    t.refused(FlyTo("germany", "ad", RUHR, "W3020"), "17.12")
    t.refused(FlyTo("germany", "ad", RUHR, LONDON), "17.12")
    t.refused(FlyTo("germany", "ad", RUHR, BERLIN, 6), "17.22")
    t.refused(FlyTo("germany", "inf", RUHR, BERLIN), "17.0")
    t.do(FlyTo("germany", "ad", RUHR, BERLIN, 5))
    assert t.units(BERLIN, "germany") == {"ad": 10}
    t.do(FlyTo("germany", "ad", RUHR, BOHEMIA, 3))
    assert all(unit.supply == "" for unit in t.s.stack(BOHEMIA))


@pytest.mark.rule("gw75:17.12")
def test_air_defense_units_do_not_move_to_industry_that_is_cut_off():
    t = air(
        "axis_air_movement",
        1,
        units={RUHR: {"germany": "ad"}, "W2905": {"germany": "inf"}},
        held={"W2905": "germany"},
    )
    t.refused(FlyTo("germany", "ad", RUHR, "W2905"), "17.12")


@pytest.mark.rule("gw75:17.33", "gw75:17.31b", "gw75:17.17a")
def test_without_air_defense_all_bomb_and_none_is_lost():
    t = raid(3, 0)
    t.do(Done())
    t.dice(6, kind="bombing")
    assert t.s.bombed == {RUHR: 4}
    assert t.units(LONDON, "commonwealth") == {"lrb": 3}
    assert t.s.missions == ()
    assert all(unit.duty == "" for unit in t.s.stack(LONDON))


@pytest.mark.rule("gw75:17.31a", "gw75:17.31b")
def test_air_defense_attacks_first_and_the_rest_bombs():
    t = raid(3, 3)
    t.do(Done())
    t.dice(4, kind="air_defense")  # column 0: one bomber destroyed, one aborted
    assert t.units(LONDON, "commonwealth") == {"lrb": 2}
    t.dice(6, kind="bombing")  # one bomber
    assert t.s.bombed == {RUHR: 2}
    assert t.s.dead["commonwealth", "lrb"] == 1
    t = raid(3, 3)
    t.do(Done())
    t.dice(1)  # one Air Defense unit destroyed, one bomber aborted
    assert t.units(RUHR, "germany")["ad"] == 2
    assert t.units(LONDON, "commonwealth") == {"lrb": 3}
    t.dice(3)
    assert t.s.bombed == {RUHR: 1}


@pytest.mark.rule("gw75:17.31a")
def test_bombers_on_a_mission_that_a_position_names_are_shot_down_too():
    mission = {"nation": "commonwealth", "base": LONDON, "target": RUHR, "number": 2}
    units = {LONDON: {"commonwealth": "3 lrb"}, RUHR: {"germany": "5 ad, inf"}}
    t = air("allies_air_combat", 10, units=units, missions=[mission])
    t.dice(6)
    assert t.units(LONDON, "commonwealth") == {"lrb": 1}
    assert t.s.dead == {("commonwealth", "lrb"): 2}


@pytest.mark.rule("gw75:17.31a")
def test_if_no_bomber_gets_through_nothing_is_bombed():
    t = raid(1, 6)
    t.do(Done()).dice(1, kind="air_defense")  # column 5: two destroyed
    assert t.s.bombed == {} and t.units(LONDON, "commonwealth") == {}


@pytest.mark.rule("gw75:17.31a", "gw75:17.15")
def test_bombers_of_several_bases_attack_together_and_their_player_chooses_losses():
    units = {
        LONDON: {"commonwealth": "2 lrb"},
        SCOTLAND: {"commonwealth": "2 lrb"},
        RUHR: {"germany": "4 ad"},
        "W3219": {"germany": "ss"},
    }
    t = air(turn=14, units=units)
    t.do(Raid("commonwealth", LONDON, RUHR, 2), Raid("commonwealth", SCOTLAND, RUHR, 2), Done())
    t.dice(6, kind="air_defense")  # column 0: two destroyed
    assert t.asked == "commonwealth bomber_losses"
    t.refused(Numbers({f"commonwealth {LONDON}": 3}), "17.31a")
    t.do(Numbers({f"commonwealth {LONDON}": 1, f"commonwealth {SCOTLAND}": 1}))
    t.dice(1, kind="bombing")
    assert t.units(LONDON, "commonwealth") == {"lrb": 1}
    assert t.units(SCOTLAND, "commonwealth") == {"lrb": 1}


@pytest.mark.rule("gw75:17.3", "gw75:17.53", "gw75:17.51")
def test_bombing_leaves_land_and_naval_units_and_ports_alone():
    t = air(
        turn=10,
        units={LONDON: {"commonwealth": "5 lrb"}, RUHR: {"germany": "inf, ss, fort"}},
    )
    t.do(Raid("commonwealth", LONDON, RUHR, 5), Done()).dice(6)
    assert t.units(RUHR, "germany") == {"inf": 1, "ss": 1, "fort": 1}


@pytest.mark.rule("gw75:17.42a", "gw75:17.43")
def test_bombers_attack_only_in_attack_supply():
    t = air(
        "axis_air_movement",
        1,
        units={"W2523": {"italy": "lrb"}, "W3018": {"germany": "lrb, inf"}},
        held={"W3018": "germany"},
        wars=[("commonwealth", "germany"), ("commonwealth", "italy")],
    )
    supply = {unit.nation: unit.supply for _, unit, _ in t.s.units() if unit.type == "lrb"}
    assert supply == {"italy": "defense", "germany": "none"}
    t.refused(Raid("germany", "W3018", LONDON), "17.42a")
    t.do(FlyTo("germany", "lrb", "W3018", BERLIN))  # it may still move


@pytest.mark.rule("gw75:17.42b")
def test_bombers_without_supply_are_eliminated_unless_they_fly_to_a_supplied_base():
    def cut_off() -> Table:
        return air(
            "axis_air_movement",
            1,
            units={"W3018": {"germany": "lrb, inf"}},
            held={"W3018": "germany"},
            wars=CUT_OFF,
        )

    t = cut_off()
    t.do(Done())
    assert "lrb" not in t.units("W3018", "germany")
    t = cut_off()
    t.do(FlyTo("germany", "lrb", "W3018", BERLIN), Done())
    assert t.units(BERLIN, "germany") == {"lrb": 1}


# --- the atomic bomb ------------------------------------------------------------------------------


@pytest.mark.rule("gw75:17.62", "gw75:17.61a")
def test_an_atomic_bomb_destroys_the_hex_without_a_die_and_spares_the_units():
    t = raid(1, 0, bombs=1)
    assert t.s.bombs == {}
    t.do(Done())
    assert t.s.destroyed == frozenset({RUHR})
    assert t.units(RUHR, "germany") == {"inf": 1}
    assert t.events("atomic_bomb")


@pytest.mark.rule("gw75:17.61a")
def test_the_bomb_is_lost_only_if_all_bombers_are_destroyed():
    t = raid(2, 2, bombs=1)
    t.do(Done()).dice(6)  # column 0: two destroyed
    assert t.s.destroyed == frozenset() and t.s.bombs == {}
    t = raid(2, 2, bombs=1)
    t.do(Done()).dice(2)  # one destroyed
    assert t.s.destroyed == frozenset({RUHR})
    t = raid(1, 1, bombs=1)
    t.do(Done()).dice(3)  # one aborted
    assert t.s.destroyed == frozenset() and t.s.bombs == {LONDON: 1}


@pytest.mark.rule("gw75:17.62")
def test_supply_centers_are_targets_of_atomic_bombs_only():
    brussels = "W3119"
    t = air(
        "axis_air_movement",
        10,
        units={RUHR: {"germany": "lrb"}},
        wars=[("germany", "low_countries")],
        joined={"low_countries": "allies"},
        bombs={RUHR: 1},
    )
    assert t.s.facts.hexes[brussels].center and not t.s.facts.hexes[brussels].industry
    t.refused(Raid("germany", RUHR, brussels), "17.3")
    t.refused(Raid("germany", RUHR, "W3020", bomb=True), "17.62")
    t.do(Raid("germany", RUHR, brussels, bomb=True), Done())
    assert t.s.destroyed == frozenset({brussels})


@pytest.mark.rule("gw75:17.63b", "gw75:17.61b")
def test_bombers_take_bombs_up_only_where_they_begin_and_carry_any_number():
    t = air(turn=10, units={LONDON: {"commonwealth": "2 lrb"}}, bombs={LONDON: 2, SCOTLAND: 1})
    t.refused(FlyTo("commonwealth", "lrb", LONDON, SCOTLAND, 1, bombs=3), "17.63b")
    assert FlyTo("commonwealth", "lrb", LONDON, SCOTLAND, 2, bombs=2) in list(
        t.game.legal(t.request)
    )
    t.do(FlyTo("commonwealth", "lrb", LONDON, SCOTLAND, 1, bombs=2))
    assert t.s.bombs == {SCOTLAND: 3}
    t.refused(Raid("commonwealth", LONDON, RUHR, bomb=True), "17.63b")
    t.refused(Raid("commonwealth", SCOTLAND, RUHR, bomb=True), "17.11")


@pytest.mark.rule("gw75:17.63b")
def test_a_bomb_that_was_flown_in_is_taken_up_by_no_other_bomber_in_the_phase():
    t = air(
        turn=10,
        units={LONDON: {"commonwealth": "lrb"}, SCOTLAND: {"commonwealth": "lrb"}},
        bombs={SCOTLAND: 1},
    )
    t.do(FlyTo("commonwealth", "lrb", SCOTLAND, LONDON, 1, bombs=1))
    t.refused(Raid("commonwealth", LONDON, RUHR, bomb=True), "17.63b")
    t.refused(FlyTo("commonwealth", "lrb", LONDON, SCOTLAND, 1, bombs=1), "17.63b")
    t.do(Raid("commonwealth", LONDON, RUHR))
    here = {"units": {LONDON: {"commonwealth": "lrb"}}, "bombs": {LONDON: 2}}
    t = air(turn=10, **here, done={f"bombs:{LONDON}": 2})
    t.refused(Raid("commonwealth", LONDON, RUHR, bomb=True), "17.63b")
    t = air(turn=10, **here, done={f"bombs:{LONDON}": 1})
    t.do(Raid("commonwealth", LONDON, RUHR, bomb=True))


@pytest.mark.rule("gw75:17.12")
def test_air_defense_goes_to_no_home_country_that_is_cut_off():
    """Not from Japan to Manchukuo, nor from Britain to India; to Italy's only industry always."""
    japan = [("china", "japan"), ("japan", "usa")]
    cut_off = FlyTo("japan", "ad", "E2610", "E2808")
    units = {"E2610": {"japan": "2 ad"}}
    t = air("axis_air_movement", 10, wars=japan, units=units)
    t.refused(cut_off, "17.12")
    t.do(FlyTo("japan", "ad", "E2610", "E2611"))
    t = air("axis_air_movement", 10, wars=japan, units={**units, "E2709": {"japan": "ms"}})
    t.do(cut_off)
    t = air(turn=10, units={LONDON: {"commonwealth": "ad"}})
    t.refused(FlyTo("commonwealth", "ad", LONDON, "E2302"), "17.12")
    genoa = "W2921"
    war = [("commonwealth", "italy"), ("commonwealth", "germany")]
    t = air("axis_air_movement", 10, wars=war, units={RUHR: {"italy": "ad"}})
    t.do(FlyTo("italy", "ad", RUHR, genoa))


@pytest.mark.rule("gw75:17.22")
def test_air_defense_units_of_allies_count_together():
    war = [("commonwealth", "italy"), ("commonwealth", "germany")]
    units = {RUHR: {"germany": "6 ad", "italy": "3 ad"}, BERLIN: {"germany": "3 ad"}}
    t = air("axis_air_movement", 8, wars=war, units=units)
    t.refused(FlyTo("germany", "ad", BERLIN, RUHR, 2), "17.22")
    t.do(FlyTo("germany", "ad", BERLIN, RUHR))


@pytest.mark.rule("gw75:17.42a")
def test_of_two_bombers_only_the_one_in_attack_supply_bombs():
    units = {LONDON: {"commonwealth": "2 lrb"}}
    t = air(turn=10, units=units)
    t.s.change(LONDON, next(iter(t.s.stack(LONDON))), 1, supply="defense")
    t.refused(Raid("commonwealth", LONDON, RUHR, 2), "17.42a")
    t.do(Raid("commonwealth", LONDON, RUHR), FlyTo("commonwealth", "lrb", LONDON, SCOTLAND))


@pytest.mark.rule("gw75:17.62")
def test_a_destroyed_hex_is_no_industrial_hex():
    t = air(
        turn=10,
        units={LONDON: {"commonwealth": "lrb"}, BERLIN: {"germany": "ad"}},
        destroyed=[RUHR],
    )
    t.refused(Raid("commonwealth", LONDON, RUHR), "17.3")


@pytest.mark.rule("gw75:17.52")
def test_air_units_are_destroyed_when_enemy_land_units_enter():
    s = state(wars=WAR, units={RUHR: {"germany": "2 ad, lrb"}, BERLIN: {"germany": "ad"}})
    enters(s, RUHR, "commonwealth")
    for _ in settle(Bare(s)):
        raise AssertionError("nothing is asked")
    assert s.stack(RUHR) == {}
    assert s.dead["germany", "ad"] == 2 and s.dead["germany", "lrb"] == 1
    assert len(s.stack(BERLIN)) == 1


@pytest.mark.rule("gw75:17.63a", "gw75:17.52")
@pytest.mark.parametrize("nation", ["germany", "commonwealth"])
def test_atomic_bombs_are_destroyed_when_enemy_land_units_enter(nation: str):
    s = state(wars=WAR, bombs={LONDON: 2})
    s.put(LONDON, Unit(nation, "inf"))
    enters(s, LONDON, nation)
    for _ in settle(Bare(s)):
        raise AssertionError("nothing is asked")
    assert s.bombs == ({} if nation == "germany" else {LONDON: 2})


class Bare:
    """A table without a game."""

    def __init__(self, s: Any) -> None:
        self.state = s

    def emit(self, kind: str, **data: Any) -> None:
        pass

    def checkpoint(self, *, strict: bool = False) -> None:
        pass
