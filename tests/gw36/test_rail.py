"""Strategic rail movement (10.4, 10.5) and strategic naval movement (10.6)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw36.model import Facility, State, Unit
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.noncombat_move import phase
from sandtable.games.gw36.rules.rail import Rail, journeys
from sandtable.games.gw36.rules.strategic_naval import StrategicMove, allowance
from sandtable.games.gw36.rules.transports import Load
from tests.gw36 import table
from tests.gw36.hand import Hand, allowed, facts, of, refused, state, way

HOME = "noncombat_move"
LONG = "bavaria > western_germany > berlin > eastern_germany"


def rail(path: str, count: int = 1, type_: str = "infantry", **fields: str) -> Rail:
    return Rail({type_: count}, way(path), **fields)  # type: ignore[arg-type]


def station(nation: str = "germany", zone: str = "bavaria", **fields: Any) -> State:
    types = fields.pop("types", ("infantry", "fighter", "medium_armor", "militia"))
    units = {zone: [of(nation, type_, 9) for type_ in types]}
    units |= fields.pop("others", {})
    return state(nation, HOME, units=units, **fields)


@pytest.mark.rule("gw36:10.4a")
@pytest.mark.rule("gw36:1.14a")
def test_land_and_air_units_go_any_distance_by_rail() -> None:
    s = station()
    allowed(s, rail(LONG))
    allowed(s, rail(LONG, type_="fighter"))
    refused(s, rail("bavaria > berlin"), "10.4a")
    refused(s, rail("bavaria > western_germany > bavaria"), "10.4a")
    Hand(s).run(phase, rail(LONG, 2), Done())
    assert s.stack("eastern_germany") == {Unit("germany", "infantry", used=1, duty="moved"): 2}


@pytest.mark.rule("gw36:10.4a")
def test_damaged_and_missing_railways_carry_nobody() -> None:
    s = station()
    s.rail_damage[("bavaria", "western_germany")] = 1
    refused(s, rail("bavaria > western_germany"), "10.4a")
    s = station()
    del s.railways[("bavaria", "western_germany")]
    refused(s, rail("bavaria > western_germany"), "10.4a")


@pytest.mark.rule("gw36:10.4c")
def test_zones_have_to_be_possessed_since_the_turn_began() -> None:
    s = station(owners={"austria": "germany"})
    allowed(s, rail("bavaria > austria"))
    s.start_possession = {**s.start_possession, "austria": "austria"}
    refused(s, rail("bavaria > austria"), "10.4c")
    refused(station(), rail("bavaria > switzerland"), "10.4c")


@pytest.mark.rule("gw36:10.4d")
def test_partners_at_war_use_each_others_railways_unless_refused() -> None:
    wars = [("germany", "ussr"), ("italy", "ussr")]
    owners = {"austria": "italy"}
    allowed(station(owners=owners, wars=wars), rail("bavaria > austria"))
    refused(station(owners=owners), rail("bavaria > austria"), "10.4c")
    no = frozenset({("rail", "italy", "germany")})
    refused(station(owners=owners, wars=wars, refused=no), rail("bavaria > austria"), "10.4c")


@pytest.mark.rule("gw36:10.4e")
@pytest.mark.rule("gw36:10.4f")
@pytest.mark.rule("gw36:10.4g")
def test_capacity_is_per_region_and_turn() -> None:
    s = station()
    allowed(s, rail(LONG, 4))
    refused(s, rail(LONG, 5), "10.4f")
    Hand(s).run(phase, rail(LONG, 3), rail("bavaria > western_germany", 1), Done())
    refused(s, rail(LONG), "10.4f")
    both = station(
        "germany", "east_poland", owners={"east_poland": "germany", "western_ukraine": "germany"}
    )
    assert facts().zones["western_ukraine"].region == "ussr"
    refused(both, rail("east_poland > western_ukraine", 3), "10.4f")
    Hand(both).run(phase, rail("east_poland > western_ukraine", 2), Done())
    assert both.done["rail:ussr:germany"] == both.done["rail:europe:germany"] == 2


@pytest.mark.rule("gw36:2.3e")
def test_the_commonwealth_shares_its_capacity() -> None:
    s = station("anzac", "london", types=("infantry",))
    s.done["rail:europe:great_britain"] = 4
    refused(s, rail("london > southern_england"), "10.4f")


@pytest.mark.rule("gw36:10.5a")
def test_a_change_of_gauge_ends_the_journey_with_the_option() -> None:
    owners = dict.fromkeys(
        ("lubelskie", "northern_belorussia", "southern_belorussia", "warsaw"), "germany"
    )
    beyond = next(
        z
        for z in facts().land_next["southern_belorussia"]
        if facts().railways.get(tuple(sorted(("southern_belorussia", z)))) == "broad"  # type: ignore[call-overload]
    )
    owners[beyond] = "germany"
    path = f"warsaw > lubelskie > southern_belorussia > {beyond}"
    allowed(station(zone="warsaw", owners=owners), rail(path))
    s = station(zone="warsaw", owners=owners, switches={"rail_gauge": True})
    refused(s, rail(path), "10.5a")
    allowed(s, rail("warsaw > lubelskie > southern_belorussia"))
    s = station(zone="southern_belorussia", owners=owners, switches={"rail_gauge": True})
    allowed(s, rail(f"southern_belorussia > {beyond}"))


@pytest.mark.rule("gw36:1.12e")
@pytest.mark.rule("gw36:1.12f")
@pytest.mark.rule("gw36:1.12g")
def test_rivers_carry_units_like_railways_where_their_rules_are_used() -> None:
    one, other = next(
        ends
        for ends in sorted(facts().rivers)
        if ends not in facts().railways
        and ends[1] in facts().land_next[ends[0]]
        and not any(facts().zones[z].impassable for z in ends)
    )
    owners = {one: "germany", other: "germany"}
    refused(station(zone=one, owners=owners), rail(f"{one} > {other}"), "10.4a")
    s = station(zone=one, owners=owners, switches={"rivers": True})
    Hand(s).run(phase, rail(f"{one} > {other}"), Done())
    assert any(key.startswith("rail:") for key in s.done)
    s = station(zone=one, owners={one: "germany", other: "poland"}, switches={"rivers": True})
    refused(s, rail(f"{one} > {other}"), "10.4c")


@pytest.mark.rule("gw36:1.20e")
def test_trains_do_not_cross_narrows() -> None:
    s = station("italy", "southern_italy", types=("infantry",))
    refused(s, rail("southern_italy > sicily"), "10.4a")


@pytest.mark.rule("gw36:1.17c")
@pytest.mark.rule("gw36:appB-10a")
def test_one_unit_a_turn_takes_the_burma_road_to_yunnan() -> None:
    wars = [("japan", "great_britain"), ("japan", "kmt")]
    held = {"yunnan": "kmt", "burma": "fec"}
    s = station(
        "fec",
        "burma",
        types=("infantry",),
        wars=wars,
        owners=held,
        burma_road=True,
        evolved=frozenset({"kmt"}),
    )
    refused(s, rail("burma > yunnan", 2))
    Hand(s).run(phase, rail("burma > yunnan"), Done())
    assert [u.nation for u in s.stack("yunnan")] == ["fec"]
    s.done.pop("rail:asia:great_britain")
    refused(s, rail("burma > yunnan"), "1.17c")
    closed = station(
        "fec", "burma", types=("infantry",), wars=wars, owners=held, evolved=frozenset({"kmt"})
    )
    refused(closed, rail("burma > yunnan"), "10.4a")
    back = station(
        "kmt",
        "yunnan",
        types=("infantry",),
        wars=wars,
        owners=held,
        burma_road=True,
        evolved=frozenset({"kmt"}),
    )
    refused(back, rail("yunnan > burma"), "10.4a")


@pytest.mark.rule("gw36:10.4b")
def test_a_coastal_submarine_goes_by_rail_from_yard_to_yard() -> None:
    yards = {
        "western_germany": [Facility("submarine_base", "sz_014"), Facility("major_port", "sz_027")]
    }
    units = {"sz_014": [of("germany", "coastal_submarine"), of("germany", "submarine")]}
    go = Rail({"coastal_submarine": 1}, ("sz_014", "western_germany", "sz_027"))
    s = state("germany", HOME, units=units, facilities=yards)
    refused(s, Rail({"submarine": 1}, go.path), "10.4b")
    Hand(s).run(phase, go, Done())
    assert [u.type for u in s.stack("sz_027")] == ["coastal_submarine"]
    assert s.done["rail:europe:germany"] == 1
    minor = {
        "western_germany": [Facility("submarine_base", "sz_014"), Facility("minor_port", "sz_027")]
    }
    refused(state("germany", HOME, units=units, facilities=minor), go, "10.4b")


@pytest.mark.rule("gw36:12.2.militia-b")
def test_militia_travels_inside_its_home_country_only() -> None:
    s = station(owners={"austria": "germany"})
    allowed(s, rail(LONG, type_="militia"))
    refused(s, rail("bavaria > austria", type_="militia"), "12.2.militia-b")


@pytest.mark.rule("gw36:1.15k")
@pytest.mark.rule("gw36:1.15l")
def test_some_canals_serve_as_rivers() -> None:
    s = station("ussr", "leningrad", types=("infantry",))
    del s.railways[("karelia", "leningrad")]
    allowed(s, rail("leningrad > karelia"))
    refused(s, rail("leningrad > estonia"), "10.4c")
    lakes = [z for z in facts().coast["sz_034"] if facts().scenarios["1939"].owners[z] == "usa"]
    one, other = next(
        (a, b) for a in lakes for b in lakes if a != b and b not in facts().land_next[a]
    )
    s = station("usa", one, types=("infantry",))
    allowed(s, rail(f"{one} > {other}"))
    canal = state("germany", HOME, units={"western_germany": [of("germany", "infantry")]})
    canal.railways.clear()
    refused(canal, rail("western_germany > denmark"), "10.4c")


# --- strategic naval movement


def convoy(nation: str = "great_britain", **fields: Any) -> State:
    """A loaded transport at a British port, and a port in Nova Scotia."""
    facilities = fields.pop(
        "facilities",
        {
            "southern_england": [Facility("minor_port", "sz_025")],
            "nova_scotia": [Facility("minor_port", "sz_022")],
        },
    )
    cargo = fields.pop("cargo", (Unit(nation, "infantry"), Unit(nation, "fighter")))
    others = fields.pop("others", {})
    units = {
        "sz_025": [of(nation, "naval_transport", 2, cargo=cargo)],
        "southern_england": [of(nation, "infantry", 2)],
    }
    fields.setdefault("switches", {"strategic_naval": True})
    return state(
        nation,
        HOME,
        units=units | others,
        facilities=facilities,
        wars=[("germany", "great_britain")],
        **fields,
    )


OVER = way("sz_025 > sz_024 > sz_023 > sz_022")


@pytest.mark.rule("gw36:10.6b")
@pytest.mark.rule("gw36:10.6c")
@pytest.mark.rule("gw36:10.6e")
def test_a_loaded_transport_moves_from_harbour_to_harbour() -> None:
    s = convoy()
    Hand(s).run(phase, StrategicMove(OVER), Done())
    (ship,) = s.stack("sz_022")
    assert (ship.duty, len(ship.cargo)) == ("moved", 2)
    s.mover = "great_britain"
    refused(s, StrategicMove(OVER), "10.6b")  # three of four moves are used
    refused(convoy(cargo=()), StrategicMove(OVER), "10.6c")
    refused(convoy(), StrategicMove(way("sz_025 > sz_024 > sz_023")), "10.6e")
    damaged = {
        "southern_england": [Facility("minor_port", "sz_025", damage=1)],
        "nova_scotia": [Facility("minor_port", "sz_022")],
    }
    refused(convoy(facilities=damaged), StrategicMove(OVER), "10.6e")
    refused(convoy(switches={"strategic_naval": False}), StrategicMove(OVER), "10.6a")
    refused(convoy(), StrategicMove(OVER, ship="destroyer"), "10.6c")


@pytest.mark.rule("gw36:10.6d")
def test_the_way_is_at_most_five_zones_long_and_free_of_enemies() -> None:
    refused(convoy(), StrategicMove((*OVER, "sz_035", "sz_036", "sz_022")), "10.6d")
    for piece, blocks in (
        (of("germany", "destroyer"), True),
        (of("germany", "submarine"), True),
        (of("germany", "fighter", duty="patrol"), True),
        (of("germany", "naval_transport"), False),
        (of("usa", "destroyer"), False),
    ):
        s = convoy(others={"sz_023": [piece]})
        if blocks:
            refused(s, StrategicMove(OVER), "10.6d")
        else:
            allowed(s, StrategicMove(OVER))


@pytest.mark.rule("gw36:10.6f")
def test_units_come_aboard_at_harbours_on_the_way() -> None:
    s = convoy(cargo=())
    go = StrategicMove(OVER, (Load("southern_england", {"infantry": 2}),), "nova_scotia")
    Hand(s).run(phase, go, Done())
    assert s.stack("nova_scotia") == {Unit("great_britain", "infantry", used=1, duty="moved"): 2}
    far = convoy(cargo=(), others={"newfoundland": [of("great_britain", "infantry")]})
    refused(
        far, StrategicMove(OVER, (Load("northern_ireland", {"infantry": 1}, "sz_024"),)), "10.6f"
    )


@pytest.mark.rule("gw36:10.6a")
@pytest.mark.rule("gw36:13.3.1e")
@pytest.mark.rule("gw36:13.3.2e")
@pytest.mark.rule("gw36:2.3e")
def test_who_has_how_many_strategic_moves() -> None:
    s = state()
    moves = {nation: allowance(s, nation)[1] for nation in facts().powers}
    assert moves == {
        "great_britain": 4,
        "fec": 4,
        "anzac": 4,
        "usa": 4,
        "japan": 4,
        "germany": 2,
        "italy": 2,
        "france": 2,
        "free_france": 2,
        "ussr": 2,
        "kmt": 0,
        "ccp": 0,
    }
    assert allowance(s, "anzac")[0] == "great_britain"
    s.evolved = frozenset({"kmt", "ccp"})
    assert allowance(s, "kmt") == ("kmt", 1)
    assert allowance(s, "ccp") == ("ccp", 1)


@pytest.mark.rule("gw36:1.13a")
def test_trains_do_not_run_into_tundra() -> None:
    for tundra in (True, False):
        s = table.state(
            "ussr",
            "noncombat_move",
            units={"perm": {"ussr": "cavalry"}},
            railways=[{"between": ["perm", "yamal"], "gauge": "broad"}],
            options={"tundra": tundra},
        )
        ends = {path[-1] for path in journeys(s, "ussr", "perm")}
        assert ("yamal" in ends) is not tundra
