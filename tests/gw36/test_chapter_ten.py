"""The numbers that chapter 10 works with, and the examples of 9.22: Rome and the KMT."""

import pytest

from sandtable.games.gw36.model import News
from sandtable.games.gw36.rules.capture import possess, taker
from sandtable.games.gw36.rules.consequences import settle
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.rail import Rail
from sandtable.games.gw36.rules.strategic_naval import StrategicMove
from sandtable.games.gw36.rules.transports import Airlift, Load, Sail
from tests.gw36.procedures import run
from tests.gw36.table import Table, state, table

WAR = [("germany", "great_britain")]


def loaded(*cargo: str) -> dict[str, object]:
    return {"naval_transport": [{"cargo": list(cargo)}]}


def british(units: dict[str, object], **fields: object) -> Table:
    """A British turn with harbours on both sides of the Irish Sea."""
    ports = {"scotland": ["minor_port sz_024"], "southern_england": ["minor_port sz_025"]}
    return table(
        "great_britain",
        "noncombat_move",
        options={"strategic_naval": True},
        units=units,
        facilities=ports,
        wars=WAR,
        **fields,
    )


@pytest.mark.rule("gw36:10.6a", "gw36:10.6b")
def test_a_transport_with_two_units_on_it_is_three_of_the_four_british_moves():
    ships = {"naval_transport": [{"cargo": ["infantry", "artillery"]}, {"cargo": ["marine"]}]}
    t = british({"sz_024": {"great_britain": ships}})
    t.do(StrategicMove(("sz_024", "sz_025"), cargo={"infantry": 1, "artillery": 1}))
    assert t.s.done["naval_moves:great_britain"] == 3
    t.refused(StrategicMove(("sz_024", "sz_025"), cargo={"marine": 1}), "10.6b")  # 3 + 2 > 4


@pytest.mark.rule("gw36:10.6a", "gw36:10.6b")
def test_the_two_french_moves_are_a_transport_with_one_unit():
    def french(*cargo: str) -> Table:
        return table(
            "france",
            "noncombat_move",
            options={"strategic_naval": True},
            units={"sz_025": {"france": loaded(*cargo)}},
            facilities={"normandy": ["minor_port sz_025"], "picardy": ["minor_port sz_026"]},
            wars=[("germany", "france")],
        )

    french("infantry", "infantry").refused(StrategicMove(("sz_025", "sz_026")), "10.6b")
    french("infantry").do(StrategicMove(("sz_025", "sz_026")))


@pytest.mark.rule("gw36:10.6d")
def test_strategic_moves_avoid_submarines_and_patrols():
    ships = {"sz_024": {"great_britain": loaded("infantry")}}
    go = StrategicMove(("sz_024", "sz_025"))
    british(ships).do(go)
    british({**ships, "sz_025": {"germany": "submarine"}}).refused(go, "10.6d")
    patrol = {"germany": {"fighter": [{"duty": "patrol"}]}}
    british({**ships, "sz_025": patrol}, possession={"normandy": "germany"}).refused(go, "10.6d")
    british({**ships, "sz_025": {"germany": "naval_transport"}}).do(go)  # no warship


@pytest.mark.rule("gw36:10.4e", "gw36:10.4f")
def test_who_crosses_a_rail_boundary_uses_the_capacity_of_both_regions():
    t = table(phase="noncombat_move")
    facts = t.s.facts
    # The first railway that leads from Europe into the USSR.
    edge = next(
        (here, there)
        for here, there in sorted(t.s.railways)
        if {facts.zones[here].region, facts.zones[there].region} == {"europe", "ussr"}
        for here, there in [
            (here, there) if facts.zones[here].region == "europe" else (there, here)
        ]
    )
    zones = dict.fromkeys(edge, "germany")
    t = table(
        units={edge[0]: {"germany": "6 infantry"}},
        phase="noncombat_move",
        possession=zones,
        start_possession=zones,
        wars=[("germany", "ussr")],
    )
    t.refused(Rail({"infantry": 3}, edge), "10.4f")  # the USSR's railways carry 2
    t.do(Rail({"infantry": 2}, edge))
    assert t.s.done["rail:europe:germany"] == t.s.done["rail:ussr:germany"] == 2
    t.refused(Rail({"infantry": 1}, edge), "10.4f")


@pytest.mark.rule("gw36:10.1b", "gw36:10.2a", "gw36:10.2b", "gw36:10.3b")
@pytest.mark.parametrize(
    ("type_", "base", "lands"),
    [
        ("fighter", "air_base", True),
        ("fighter", "minor_port sz_026", False),
        ("seaplane", "minor_port sz_026", True),
        ("seaplane", "seaplane_base", True),
        ("seaplane", "air_base", False),
    ],
)
def test_aircraft_land_at_captured_bases_of_their_kind(type_: str, base: str, lands: bool):
    def flight(option: bool) -> Table:
        return table(
            "great_britain",
            "noncombat_move",
            options={"captured_bases": option},
            units={"london": {"great_britain": type_}},
            possession={"picardy": "great_britain"},
            start_possession={"picardy": "germany"},
            captured=["picardy"],
            facilities={"picardy": [base]},
            wars=WAR,
        )

    go = Move({type_: 1}, ("london", "sz_026", "picardy"))
    if lands:
        flight(True).do(go)
    else:
        flight(True).refused(go)
    flight(False).refused(go)
    # They may fly over it all the same.
    over = flight(False)
    assert "belgium" in over.s.facts.neighbours["picardy"]


@pytest.mark.rule("gw36:10.1b", "gw36:10.2a")
def test_nothing_else_moves_into_what_was_captured_this_turn():
    t = table(
        "great_britain",
        "noncombat_move",
        options={"captured_bases": True},
        units={
            "belgium": {"great_britain": "infantry"},
            "london": {"great_britain": "air_transport, infantry"},
            "sz_026": {"great_britain": loaded("infantry")},
        },
        possession={"picardy": "great_britain", "belgium": "great_britain"},
        start_possession={"picardy": "germany"},
        captured=["picardy"],
        facilities={"picardy": ["minor_port sz_026"]},
        wars=WAR,
    )
    t.refused(Move({"infantry": 1}, ("belgium", "picardy")), "10.1b")
    t.refused(Sail(("sz_026",), offload="picardy"), "10.1b")  # a Minor Port is not enough
    lift = Airlift(("london", "sz_026", "picardy"), Load("london", {"infantry": 1}))
    t.refused(lift, "10.3b")


# --- the examples of 9.22 -------------------------------------------------------------------------


@pytest.mark.rule("gw36:9.22b")
def test_rome_is_taken_by_the_allies_and_recaptured_by_the_axis():
    wars = [("great_britain", "italy"), ("germany", "great_britain")]
    s = state(
        "italy",
        "place_units",
        "1943-01",
        units={"sicily": {"italy": "infantry"}},
        wars=wars,
        treasury={"italy": 7},
    )
    run(s, lambda g: possess(g, "rome", *taker(s, "rome", "great_britain")))
    assert s.treasury["italy"] == 0 and "italy" not in s.surrendered  # its turn is not over
    s.tell(News("phase", "italy", how="end of place_units"))
    run(s, settle)
    assert "italy" in s.surrendered and not s.presence.get("italy")
    assert taker(s, "rome", "germany") == ("italy", "recaptured")
    run(s, lambda g: possess(g, "rome", *taker(s, "rome", "germany")))
    assert "italy" not in s.surrendered and s.possession["rome"] == "italy"


@pytest.mark.rule("gw36:9.22b", "gw36:9.22e", "gw36:9.20a")
def test_an_ally_that_takes_a_zone_of_the_kmt_gives_it_back_and_the_kmt_is_in_the_war_again():
    s = state("usa", "combat", "1942-01", wars=[("japan", "kmt"), ("japan", "usa")])
    for zone in [zone for zone, owner in s.possession.items() if owner == "kmt"]:
        run(s, lambda g, zone=zone: possess(g, zone, "japan", "captured"))
    assert "kmt" in s.surrendered
    assert taker(s, "nanking", "usa") == ("kmt", "recaptured")
    run(s, lambda g: possess(g, "nanking", *taker(s, "nanking", "usa")))
    assert "kmt" not in s.surrendered and s.possession["nanking"] == "kmt"
    assert s.income["kmt"] == s.facts.zones["nanking"].ipp
