"""Taking control: priorities, overrun units, Factories, looting (6.6, 8, 9.9)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitz.rules.conquest import GiveBack
from sandtable.games.blitz.rules.consequences import take_control
from sandtable.games.blitz.rules.control import Loot, LootFactory, TakePoints, claimant
from sandtable.games.blitz.rules.displaced import Place, PlaceUnit, berths, displace
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table
from tests.blitz.table import position, run

ALLIED = "allied_activities"


def at(phase: str = "axis_activities", scenario: str = "campaign", **given: Any) -> Any:
    return position(scenario, phase=phase, step="E", **given)


def first_request(s: Any, procedure: Any) -> Any:
    """What a procedure asks first."""
    table = Table(s, lambda *_: None, lambda _: None, lambda _: None)
    return next(procedure(table)).requests[0]


def take(s: Any, area: str, power: str, **given: Any) -> list[Any]:
    return run(s, lambda g: take_control(g, area, power), **given)


# --- priorities -------------------------------------------------------------------------------


def claim(s: Any, claims: Any, moves: Any = None, dice: Any = ()) -> str:
    winners: list[str] = []

    def procedure(g: Any) -> Procedure[None]:
        winners.append((yield from claimant(g, "rome", claims, moves)))

    run(s, procedure, dice=dice)
    return winners[0]


@pytest.mark.rule("blitz:6.6.prio-a")
def test_priorities_between_powers_that_move_in() -> None:
    s = at(
        wars=[("germany", "afa"), ("germany", "usa"), ("germany", "ussr")],
        units={
            "afa_bef": {"at": "london", "size": 1},
            "afa_2nd_army": {"at": "london", "size": 1},
            "usa_marines": {"at": "atlantic_seaboard", "size": 1},
        },
    )
    one = {"afa": ("afa_bef",), "usa": ("usa_marines",)}
    assert claim(s, one, {"afa": (2, 0), "usa": (1, 0)}) == "usa", "fewest areas"
    assert claim(s, one, {"afa": (1, 0), "usa": (2, 3)}) == "afa", "before unused movement"
    s.change("afa_bef", size=2)
    assert s.profile("afa_bef").land > s.profile("usa_marines").land
    assert claim(s, one, {"afa": (1, 0), "usa": (1, 1)}) == "usa", "most unused movement"
    s.change("afa_bef", size=1)
    two = {"afa": ("afa_bef", "afa_2nd_army"), "usa": ("usa_marines",)}
    assert (
        s.profile("afa_bef").land + s.profile("afa_2nd_army").land > s.profile("usa_marines").land
    )
    assert claim(s, two, {"afa": (1, 1), "usa": (1, 1)}) == "afa", "most Land Factors"


@pytest.mark.rule("blitz:6.6.prio-a")
@pytest.mark.rule("blitz:6.6.prio-b")
def test_after_a_ground_attack_factors_decide_then_the_strongest_unit_then_a_coin() -> None:
    s = at(
        wars=[("germany", "afa"), ("germany", "usa")],
        units={
            "afa_bef": {"at": "london", "size": 2},
            "afa_2nd_army": {"at": "london", "size": 1},
            "usa_marines": {"at": "west_coast", "size": 1},
            "usa_1st_us_army": {"at": "west_coast", "size": 1},
        },
    )
    land = {id: s.profile(id).land for id in s.units}
    assert land == {"afa_bef": 3, "afa_2nd_army": 1, "usa_marines": 1, "usa_1st_us_army": 2}
    assert claim(s, {"usa": ("usa_1st_us_army",), "afa": ("afa_bef",)}) == "afa"
    even = {"usa": ("usa_marines",), "afa": ("afa_2nd_army",)}
    assert claim(s, even, dice=[1]) == "usa"
    assert claim(s, even, dice=[2]) == "afa"
    s.change("afa_bef", size=1)
    strong = {"afa": ("afa_bef", "afa_2nd_army"), "usa": ("usa_1st_us_army",)}
    assert claim(s, strong) == "usa", "two against one and one: the strongest single unit"


# --- overrun units ----------------------------------------------------------------------------


@pytest.mark.rule("blitz:6.6.overrun-a")
def test_overrun_air_units_go_to_the_closest_place_of_the_takers_choice() -> None:
    s = at(units={"afa_royal_air_force": "paris"}, control={"belgium_netherlands": "afa"})
    run_ = take(s, "paris", "germany", answers=[("germany", Place("london"))])
    assert s.units["afa_royal_air_force"].at == "london"
    (moved,) = [event.data for event in run_ if event.kind == "displaced"]
    assert moved == {"unit": "afa_royal_air_force", "path": ("paris", "london"), "port": ""}


@pytest.mark.rule("blitz:6.6.overrun-a")
def test_only_the_closest_places_are_offered() -> None:
    s = at(units={"afa_royal_air_force": "algeria"}, flags=["france_fell"])
    # Morocco touches Algeria; Gibraltar and Malta are over the sea.
    take(s, "algeria", "germany")
    assert s.units["afa_royal_air_force"].at == "morocco"


@pytest.mark.rule("blitz:6.6.overrun-a")
def test_overrun_ships_sail_to_the_closest_port_whatever_bars_the_way() -> None:
    s = at(
        units={
            "afa_toulon_fleet": {"at": "algeria", "port": "mediterranean_sea"},
            "ger_regia_marina": "mediterranean_sea",
        },
        control={"malta": "germany", "egypt": "germany", "vichy_france": "germany"},
        flags=["france_fell"],
    )
    take(s, "algeria", "germany")
    assert s.units["afa_toulon_fleet"].at == "gibraltar"


FALLEN: dict[str, Any] = {"flags": ["france_fell"], "conquered": {"france": "axis"}}


@pytest.mark.rule("blitz:6.6.overrun-a")
def test_a_place_needs_supply_and_room() -> None:
    # Morocco, the closest, is cut off from the sea; of the next, Gibraltar is full.
    s = at(
        units={
            "afa_royal_air_force": "algeria",
            "ger_bb_fleet": "western_approaches",
            "ger_u_boat_i": "cape_verde_basin",
            "afa_spitfires": {"at": "gibraltar", "size": 2},
        },
        convoy_damage={"cape_verde_basin": 1},
        control={"paris": "germany", "french_west_africa": "germany"},
        **FALLEN,
    )
    s.set_control("algeria", "germany")
    request = first_request(s, lambda g: displace(g, "afa_royal_air_force", "germany"))
    assert isinstance(request, PlaceUnit)
    assert {at for at, _ in request.places} == {"egypt", "malta"}
    for wrong in (Place("morocco"), Place("gibraltar"), Place("malta", "x"), Place("nowhere")):
        with pytest.raises(IllegalDecision):
            request.check(s, wrong)


@pytest.mark.rule("blitz:6.6.overrun-b")
def test_three_times_the_movement_is_just_enough() -> None:
    s = at(units={"afa_royal_air_force": "poland"})
    assert s.facts.kinds["afa_royal_air_force"].move == 1
    take(s, "poland", "germany", answers=[("germany", Place("paris"))])
    assert s.units["afa_royal_air_force"].at == "paris"


@pytest.mark.rule("blitz:6.6.overrun-b")
def test_without_a_place_within_three_times_its_movement_a_unit_is_destroyed() -> None:
    # London is four moves away: three to Paris, and the air route.
    s = at(
        units={"afa_royal_air_force": "poland"},
        control={"paris": "germany", "vichy_france": "germany"},
        **FALLEN,
    )
    take(s, "poland", "germany")
    assert "afa_royal_air_force" not in s.units
    assert "afa_royal_air_force" in s.pool["afa"]


@pytest.mark.rule("blitz:6.6.overrun-b")
def test_ships_in_a_closed_sea_are_lost() -> None:
    s = at(
        units={"sov_baltic_sea_fleet": {"at": "leningrad", "port": "baltic_sea"}},
        wars=[("germany", "afa"), ("germany", "ussr")],
        control={"poland": "germany"},
    )
    take(s, "leningrad", "germany")
    assert "sov_baltic_sea_fleet" not in s.units


@pytest.mark.rule("blitz:6.6.overrun-b")
def test_a_ship_goes_three_times_its_movement_and_no_further() -> None:
    # Of all ports only one stays friendly: Capetown is near enough to Ceylon, London is not.
    for port, found in (("capetown", True), ("london", False)):
        s = at(units={"afa_far_east_fleet": {"at": "ceylon"}})
        assert port in s.facts.ports
        for area, power in list(s.control.items()):
            if power == "afa" and area not in (port, "ceylon") and s.facts.ports[area]:
                s.set_control(area, "japan")
        s.set_control("ceylon", "japan")
        run(s, lambda g: displace(g, "afa_far_east_fleet", "japan"))
        assert ("afa_far_east_fleet" in s.units) == found


def test_displacing_asks_whoever_it_is_for_to_choose() -> None:
    s = at(units={"afa_royal_air_force": "paris"}, control={"belgium_netherlands": "afa"})
    run(
        s,
        lambda g: displace(g, "afa_royal_air_force", "afa"),
        answers=[("afa", Place("vichy_france"))],
    )
    assert s.units["afa_royal_air_force"].at == "vichy_france"


# --- Factories --------------------------------------------------------------------------------


@pytest.mark.rule("blitz:8.industry-a")
def test_a_taken_factory_scores_its_factor_and_costs_it_when_lost() -> None:
    s = at(ALLIED, wars=[("germany", "ussr")], entry={"usa": 5})
    take(s, "berlin", "ussr")
    assert s.vp["ussr"] == 2 and s.vp["germany"] == 0
    s.phase = "axis_activities"
    take(s, "berlin", "germany")
    assert s.vp["ussr"] == 0
    assert s.vp["germany"] == 0, "it had it at the start"


@pytest.mark.rule("blitz:8.industry-a")
def test_an_area_without_a_factory_scores_nothing() -> None:
    s = at()
    take(s, "poland", "germany")
    assert not any(s.vp.values())


@pytest.mark.rule("blitz:8.industry-a")
def test_a_factory_given_back_scores_for_nobody() -> None:
    s = at(
        ALLIED,
        wars=[("germany", "afa"), ("germany", "usa")],
        control={"hyderabad": "germany"},
    )
    take(s, "hyderabad", "usa", answers=[("usa", GiveBack(True))])
    assert s.control["hyderabad"] == "afa"
    assert s.vp["usa"] == s.vp["afa"] == 0
    s = at(
        ALLIED,
        wars=[("germany", "afa"), ("germany", "usa")],
        control={"hyderabad": "germany"},
    )
    take(s, "hyderabad", "usa", answers=[("usa", GiveBack(False))])
    assert s.vp["usa"] == 1


@pytest.mark.rule("blitz:9.9a")
@pytest.mark.parametrize(
    ("answer", "vp", "oil", "resources"),
    [(TakePoints(), 2, 0, 0), (Loot(0), 0, 0, 4), (Loot(1), 0, 1, 2), (Loot(2), 0, 2, 0)],
)
def test_looting(answer: Any, vp: int, oil: int, resources: int) -> None:
    s = at(ALLIED, options={"looting": True}, wars=[("germany", "ussr")])
    take(s, "berlin", "ussr", answers=[("ussr", answer)])
    assert (s.vp["ussr"], s.oil["ussr"], s.resources["ussr"]) == (vp, oil, resources)


@pytest.mark.rule("blitz:9.9a")
def test_no_more_can_be_looted_than_the_points() -> None:
    request = LootFactory("ussr", "berlin", 2)
    for oil in (-1, 3):
        with pytest.raises(IllegalDecision) as refusal:
            request.check(at(), Loot(oil))
        assert refusal.value.rule == "9.9a"
    for decision in request.decisions(at()):
        request.check(at(), decision)


@pytest.mark.rule("blitz:9.9b")
def test_a_looted_factory_costs_points_when_lost_even_below_zero() -> None:
    s = at(ALLIED, options={"looting": True}, wars=[("germany", "ussr")])
    take(s, "berlin", "ussr", answers=[("ussr", Loot(0))])
    s.phase = "axis_activities"
    take(s, "berlin", "germany")
    assert s.vp["ussr"] == -2


@pytest.mark.rule("blitz:9.9a")
@pytest.mark.rule("blitz:D.win-b")
def test_who_cannot_gain_the_points_cannot_loot() -> None:
    s = at(ALLIED, scenario="D", options={"looting": True}, turn=9)
    take(s, "western_germany", "western_allies")
    assert (s.vp["western_allies"], s.oil["western_allies"]) == (0, 0)
    assert s.factory_points == {}


@pytest.mark.rule("blitz:6.6.overrun-a")
def test_an_overrun_unit_drives_no_ally_out() -> None:
    fleet = {"sov_black_sea_fleet": {"at": "algeria", "port": "mediterranean_sea"}}
    wars = [("germany", "afa"), ("germany", "ussr")]
    s = at(units=fleet, wars=wars)
    assert berths(s, "sov_black_sea_fleet", "ceylon")
    for other in ("afa_far_east_fleet", "afa_raaf"):
        s = at(units={**fleet, other: "ceylon"}, wars=wars)
        assert berths(s, "sov_black_sea_fleet", "ceylon") == []


# --- the whole ---------------------------------------------------------------------------------


def test_a_commander_without_a_unit_returns_when_his_area_falls() -> None:
    s = at(options={"commanders": True})
    name = next(n for n, c in sorted(s.facts.commanders.items()) if c.power == "afa")
    s.commanders[name] = ("poland", "")
    take(s, "poland", "germany")
    assert name not in s.commanders


def test_a_displaced_unit_takes_its_commander_along() -> None:
    s = at(units={"afa_royal_air_force": "algeria"})
    s.commanders["somebody"] = ("algeria", "afa_royal_air_force")
    run(s, lambda g: displace(g, "afa_royal_air_force", "germany"))
    assert s.units["afa_royal_air_force"].at == "morocco"
    assert s.commanders["somebody"] == ("morocco", "afa_royal_air_force")
