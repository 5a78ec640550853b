"""Second clauses, exceptions and mixed groups, each written from the text of the book."""

import pytest

from sandtable.games.gw36.model import Unit
from sandtable.games.gw36.rules.alignment import _threatened as threatened
from sandtable.games.gw36.rules.blitz import Blitz, Halt
from sandtable.games.gw36.rules.bombing import Intercept
from sandtable.games.gw36.rules.capture import possess
from sandtable.games.gw36.rules.lend_lease import check_receiver
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.strategic_naval import StrategicMove
from sandtable.games.gw36.rules.transports import Load, Sail
from sandtable.kernel.errors import IllegalDecision
from tests.gw36.fights import Fight, place, position
from tests.gw36.procedures import run
from tests.gw36.table import Done, counts, state, table

MISS = 12


def move(units: str, path: str, duty: str = "", **fields: str) -> Move:
    return Move(counts(units), tuple(path.split(" > ")), duty, **fields)


# --- blitz ----------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:table-9-3d", "gw36:8.1a")
def test_armor_blitzes_on_into_a_neutral_and_so_declares_war_on_it():
    t = table(
        units={
            "western_germany": {"germany": "2 medium_armor"},
            "netherlands": {"netherlands": "infantry"},
        },
        wars=[("germany", "netherlands")],
        date="1939-07",
    )
    t.do(move("2 medium_armor", "western_germany > netherlands"), Done())
    t.dice(1, MISS).dice(MISS)
    assert t.asked == "germany may_blitz" and t.request.zones == ("belgium",)
    assert ("belgium", "germany") not in t.s.wars
    t.do(Blitz({"germany:medium_armor": 1}, "belgium"))
    assert ("belgium", "germany") in t.s.wars


@pytest.mark.rule("gw36:table-9-3d", "gw36:8.1a")
def test_no_blitz_into_whom_one_may_not_attack():
    wars = [("great_britain", "germany"), ("france", "germany")]
    t = table(
        "france",
        units={"belgium": {"france": "2 medium_armor"}, "western_germany": {"germany": "infantry"}},
        possession={"belgium": "france"},
        wars=wars,
        treasury={"france": 3},
    )
    t.do(move("2 medium_armor", "belgium > western_germany"), Done())
    t.dice(1, MISS).dice(MISS)
    assert t.asked == "france may_blitz"
    # The Netherlands and Denmark would cost 10 IPP; Luxembourg and others are not next to it.
    assert all(t.s.possession[zone] == "germany" for zone in t.request.zones)
    t.do(Halt())


# --- casualties -----------------------------------------------------------------------------------


@pytest.mark.rule("gw36:table-9-1c", "gw36:12.2.air-transport-c")
def test_air_superiority_reaches_air_transports_after_other_aircraft_and_before_infantry():
    s = position()
    place(s, "belgium", "germany", {"fighter": 3}, duty="attack", origin="western_germany")
    s.possession["belgium"] = "france"
    place(s, "belgium", "france", {"air_transport": 1, "tactical_bomber": 1, "infantry": 2})
    s.planned = (("belgium", "land"),)
    fight = Fight(s, [1, 1, MISS, MISS, MISS, MISS, MISS], until="retreat_or_press")
    assert fight.units("belgium", "france") == {"infantry": 2}


@pytest.mark.rule("gw36:12.2.air-transport-c")
def test_other_hits_fall_on_air_transports_last():
    s = position()
    place(s, "belgium", "germany", {"infantry": 2}, duty="attack", origin="western_germany")
    s.possession["belgium"] = "france"
    place(s, "belgium", "france", {"air_transport": 1, "infantry": 1, "artillery": 1})
    s.planned = (("belgium", "land"),)
    fight = Fight(s, [MISS, 1, 1, MISS], until="retreat_or_press")
    assert fight.units("belgium", "france") == {"air_transport": 1}


@pytest.mark.rule("gw36:12.7b")
def test_a_fortification_without_a_unit_does_not_fire():
    t = table(
        units={"western_germany": {"germany": "infantry"}},
        possession={"belgium": "france"},
        facilities={"belgium": ["fortification western_germany"]},
        wars=[("germany", "france")],
    )
    t.do(move("infantry", "western_germany > belgium"), Done())
    assert t.s.possession["belgium"] == "germany" and t.s.facilities.get("belgium", ()) == ()


# --- raids ----------------------------------------------------------------------------------------


def air_raid(type_: str, dice: list[int], answers: list[Intercept], patrols: dict[str, int]):
    s = position(wars=[("germany", "great_britain")], on=["raiding_aircraft"])
    s.treasury["great_britain"] = 20
    place(s, "sz_023", "germany", {type_: 1}, duty="raid")
    place(s, "sz_023", "great_britain", patrols, duty="patrol")
    s.planned = (("sz_023", "raid"),)
    return Fight(s, dice, answers)


@pytest.mark.rule("gw36:9.14c", "gw36:9.16b", "gw36:12.2.medium-bomber-a")
def test_interception_of_raiding_aircraft_is_fought_by_both_sides():
    every = Intercept({"great_britain:fighter": 1})
    fight = air_raid("medium_bomber", [1, 6, 1, 3], [every], {"fighter": 1})
    assert fight.values("attack") == {"medium_bomber": [(1, 1)]}
    assert fight.values("defense") == {"fighter": [(1, 3)]}
    assert fight.units("sz_023", "germany") == fight.units("sz_023", "great_britain") == {}


@pytest.mark.rule("gw36:9.14c")
def test_patrols_may_leave_raiding_aircraft_alone():
    fight = air_raid("medium_bomber", [1, 6], [Intercept()], {"fighter": 1})
    assert fight.units("sz_023", "germany") == {"medium_bomber": 1}
    # A Tactical Bomber has no value in interception: nobody has to be asked.
    fight = air_raid("tactical_bomber", [1, 6, 3], [], {"fighter": 1})
    assert fight.units("sz_023", "germany") == {}


@pytest.mark.rule("gw36:9.14c", "gw36:7.8.radar-c")
def test_radar_helps_in_the_interception_of_raiders_too():
    s = position(wars=[("germany", "great_britain")], on=["raiding_aircraft"])
    s.tech["great_britain", "radar"] = len(s.facts.technologies["radar"].stages)
    place(s, "sz_023", "germany", {"tactical_bomber": 1}, duty="raid")
    place(s, "sz_023", "great_britain", {"fighter": 1}, duty="patrol")
    s.planned = (("sz_023", "raid"),)
    assert Fight(s, [1, 6, MISS]).values("defense") == {"fighter": [(1, 4)]}


@pytest.mark.rule("gw36:table-4-4e")
def test_a_raid_on_the_line_to_rio_counts_though_nothing_was_lost():
    s = position(turn="germany", wars=[("germany", "usa")])
    place(s, "sz_061", "germany", {"submarine": 1}, duty="raid")
    s.planned = (("sz_061", "raid"),)
    assert threatened(s, "usa", "mexico") == 0
    Fight(s, [1, 6])
    assert not s.raided and threatened(s, "usa", "mexico") == 1
    s.wars = frozenset()
    assert threatened(s, "usa", "mexico") == 0  # no Enemy any more


# --- transports past guns and through straits -----------------------------------------------------


def past_gibraltar(**fields):
    fields = {"wars": [("germany", "great_britain")]} | fields
    return table(
        units={"sz_064": {"germany": {"naval_transport": [{"cargo": ["infantry"]}]}}},
        options={"forcing_straits": True},
        possession={"northern_algeria": "great_britain", "western_algeria": "great_britain"},
        **fields,
    )


@pytest.mark.rule("gw36:15.6a", "gw36:8.4e")
@pytest.mark.parametrize(("face", "through"), [(3, False), (4, True)])
def test_a_transport_on_its_way_to_a_landing_forces_a_strait(face: int, through: bool):
    t = past_gibraltar()
    shore = next(z for z in t.s.facts.coast["sz_065"] if t.s.possession[z] == "great_britain")
    t.do(Sail(("sz_064", "sz_065"), offload=shore))
    assert t.rolling == "forcing: 1 naval_transport at 3"
    t.dice(face)
    assert bool(t.units("sz_065", "germany")) is through
    assert t.units("sz_064", "germany") == {}
    assert t.s.lost.get(("germany", "infantry"), 0) == (0 if through else 1)


@pytest.mark.rule("gw36:12.9d", "gw36:8.4b")
@pytest.mark.parametrize("face", [3, 4])
def test_guns_at_a_crossing_fire_at_transports_that_pass(face: int):
    t = table(
        "great_britain",
        "noncombat_move",
        units={
            "sz_024": {"great_britain": "naval_transport"},
            "scotland": {"great_britain": "infantry"},
        },
        possession={"northern_ireland": "germany"},
        facilities={"northern_ireland": ["coastal_artillery sz_025"]},
        wars=[("germany", "great_britain")],
    )
    load = Load("scotland", {"infantry": 1}, "sz_024")
    t.do(Sail(("sz_024", "sz_025"), (load,), "southern_england"))
    assert t.rolling == "guns: 1 coastal_artillery at 3"
    t.dice(face)
    assert t.units("southern_england", "great_britain") == ({} if face == 3 else {"infantry": 1})
    assert t.units("scotland", "great_britain") == {}  # it went aboard before the guns fired
    assert (t.units("sz_025", "great_britain") == {}) is (face == 3)


@pytest.mark.rule("gw36:12.9d", "gw36:10.6a")
def test_guns_fire_at_strategic_naval_moves_too():
    t = table(
        "great_britain",
        "noncombat_move",
        options={"strategic_naval": True},
        units={"sz_024": {"great_britain": {"naval_transport": [{"cargo": ["infantry"]}]}}},
        possession={"northern_ireland": "germany"},
        facilities={
            "northern_ireland": ["coastal_artillery sz_025"],
            "scotland": ["minor_port sz_024"],
            "southern_england": ["minor_port sz_025"],
        },
        wars=[("germany", "great_britain")],
    )
    t.do(StrategicMove(("sz_024", "sz_025")))
    t.dice(1, kind="guns")
    assert t.s.lost["great_britain", "infantry"] == 1


# --- politics -------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:7.9a", "gw36:13.3.1f")
@pytest.mark.parametrize(("faction", "other"), [("kmt", "great_britain"), ("ccp", "ussr")])
def test_a_chinese_faction_lends_once_it_is_a_major_power(faction: str, other: str):
    wars = [(faction, "japan"), (other, "japan")]
    with pytest.raises(IllegalDecision, match="may not send lend-lease"):
        check_receiver(state(faction, "production", wars=wars), faction, other)
    check_receiver(state(faction, "production", wars=wars, evolved=[faction]), faction, other)
    with pytest.raises(IllegalDecision, match="now"):  # at peace
        check_receiver(state(faction, "production", evolved=[faction], wars=[]), faction, other)


@pytest.mark.rule("gw36:14.4.2b", "gw36:14.4.2c", "gw36:14.4.3a", "gw36:14.4.1b")
def test_a_position_with_vichy_has_what_goes_with_it():
    s = state("great_britain", base="setup", vichy="active", possession={"tunisia": "vichy_france"})
    assert (s.possession["southern_france"], s.possession["corsica"]) == ("vichy_france",) * 2
    assert s.possession["paris"] == s.possession["picardy"] == "germany"
    assert (s.possession["tunisia"], s.possession["syria"]) == ("vichy_france", "free_france")
    assert s.control["vichy_france"] == "germany" and "france" in s.surrendered
    army = {Unit("vichy_france", t): n for t, n in counts("3 infantry, fighter, artillery").items()}
    assert s.stack("southern_france") == army
    assert not s.presence.get("france")


@pytest.mark.rule("gw36:9.22b", "gw36:14.4.1c")
def test_paris_alone_brings_france_back_though_the_enemy_stands_all_around():
    s = state("great_britain", vichy="active", wars=[("germany", "great_britain")])
    run(s, lambda g: possess(g, "paris", "great_britain", "captured"))
    assert "france" not in s.surrendered
