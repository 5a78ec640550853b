"""Second clauses, exceptions and mixed groups, each written from the text of the book."""

import pytest

from sandtable.games.gw36.facts import load_facts
from sandtable.games.gw36.model import News, Unit
from sandtable.games.gw36.rules.alignment import _threatened as threatened
from sandtable.games.gw36.rules.blitz import Blitz, Halt
from sandtable.games.gw36.rules.bombing import Intercept
from sandtable.games.gw36.rules.capture import possess, taker
from sandtable.games.gw36.rules.civil_wars import aid_refusal, note_aid
from sandtable.games.gw36.rules.control import recruitment
from sandtable.games.gw36.rules.lend_lease import check_receiver
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.objectives import scored
from sandtable.games.gw36.rules.pacts import end, sign, sign_refusal
from sandtable.games.gw36.rules.placing import militia_room
from sandtable.games.gw36.rules.relations import attack_allowed, attack_without_war, go_to_war
from sandtable.games.gw36.rules.repairs import Repair
from sandtable.games.gw36.rules.research import Research
from sandtable.games.gw36.rules.retreat import Retreat
from sandtable.games.gw36.rules.rounds import FireAll
from sandtable.games.gw36.rules.scramble import Flight, Scramble
from sandtable.games.gw36.rules.strategic_naval import StrategicMove
from sandtable.games.gw36.rules.transports import Load, Sail
from sandtable.games.gw36.rules.victory import losses
from sandtable.games.gw36.rules.zones import surrounded
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.kits import Choose
from tests.gw36.fights import Fight, fortify, place, position
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


# --- placing and recruiting -----------------------------------------------------------------------


@pytest.mark.rule("gw36:11.1i", "gw36:11.1j", "gw36:14.4.1b")
def test_french_roundels_are_free_frances_own_when_it_places_militia():
    s = state("free_france", "place_units", vichy="active", possession={"belgium": "free_france"})
    zone, worth = max((s.facts.zones[z].ipp, z) for z in s.facts.nations["france"].zones)[::-1]
    s.possession[zone] = "free_france"
    s.start_possession = dict(s.possession)
    assert worth > 1 and militia_room(s, "free_france", zone) == worth
    assert militia_room(s, "free_france", "belgium") == 1  # captured


@pytest.mark.rule("gw36:14.4.3b")
def test_vichy_recruits_on_a_two_whatever_its_colonies_and_places_them_there_too():
    zones = {"syria": "vichy_france", "tunisia": "vichy_france"}
    number, places = recruitment(state(vichy="active", possession=zones), "vichy_france")
    assert number == 2 and {"corsica", "southern_france", "syria", "tunisia"} == {*places}


@pytest.mark.rule("gw36:11.5b", "gw36:11.5c")
def test_colonies_count_for_recruits_who_come_at_home_while_there_is_a_home():
    s = state("great_britain", control={"belgium": "great_britain"}, date="1937-07")
    number, places = recruitment(s, "belgium")
    zones = [z for z, owner in s.possession.items() if owner == "belgium"]
    assert number == len(zones) > 1 and {*places} == {"belgium"}
    s.possession["belgium"] = "germany"
    number, places = recruitment(s, "belgium")
    assert number == len(zones) - 1 and "belgium" not in places and places


# --- crossings, straits and routes ----------------------------------------------------------------


@pytest.mark.rule("gw36:1.20b", "gw36:8.7k")
@pytest.mark.parametrize(("cargo", "blocked"), [([], False), (["fighter"], True)])
def test_aircraft_aboard_a_carrier_prevent_a_crossing_as_if_on_patrol(cargo, blocked: bool):
    t = table(
        "great_britain",
        "noncombat_move",
        units={
            "london": {"great_britain": "infantry"},
            "sz_026": {"germany": {"light_carrier": [{"cargo": cargo}]}},
        },
        possession={"picardy": "great_britain"},
        wars=[("germany", "great_britain")],
    )
    cross = move("infantry", "london > picardy")
    if blocked:
        t.refused(cross, "1.20b")
    else:
        t.do(cross)  # a Light Carrier has no Attack: it is no warship


@pytest.mark.rule("gw36:1.19a", "gw36:8.4a")
def test_one_ship_a_turn_on_the_northern_sea_route_be_it_a_transport():
    t = table(
        "ussr",
        "noncombat_move",
        units={
            "sz_006": {"ussr": "naval_transport, destroyer"},
            "northern_russia": {"ussr": "infantry"},
        },
    )
    shore = next(z for z in t.s.facts.coast["sz_006"] if t.units(z, "ussr"))
    t.do(Sail(("sz_006", "sz_007"), (Load(shore, {"infantry": 1}),)))
    assert t.cargo("sz_007", "ussr") == [["ussr infantry"]]
    t.refused(move("destroyer", "sz_006 > sz_007"), "1.19a")


@pytest.mark.rule("gw36:1.15f", "gw36:1.15g")
def test_a_strait_is_open_in_the_turn_of_its_capture_and_a_canal_is_not():
    t = table(
        "great_britain",
        "noncombat_move",
        units={
            "sz_013": {"great_britain": "light_cruiser"},
            "sz_070": {"great_britain": "destroyer"},
        },
        possession={"denmark": "great_britain"},
        captured=["denmark", "eastern_egypt"],
        start_possession={"denmark": "germany", "eastern_egypt": "italy"},
        wars=[("germany", "great_britain"), ("great_britain", "italy")],
    )
    t.do(move("light_cruiser", "sz_013 > sz_014"))
    t.refused(move("destroyer", "sz_070 > sz_079"), "1.15b")


# --- combat ---------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:1.23b", "gw36:1.23c", "gw36:0.3b")
def test_the_maginot_line_helps_all_defenders_if_one_attacker_crosses_it_and_for_one_round():
    s = position()
    fortify(s, "alsace_lorraine", "bavaria", "maginot")
    place(s, "alsace_lorraine", "germany", {"infantry": 1}, duty="attack", origin="bavaria")
    place(s, "alsace_lorraine", "germany", {"infantry": 1}, duty="attack", origin="belgium")
    s.possession["belgium"] = "germany"
    place(s, "alsace_lorraine", "france", {"infantry": 1, "light_armor": 1})
    s.planned = (("alsace_lorraine", "land"),)
    fight = Fight(s, [MISS] * 6, [FireAll()], until="retreat_or_press")
    values = [
        (kind, tuple((line.type, line.count, line.value) for line in lines))
        for kind, lines, _ in fight.rolls
    ]
    assert values == [
        ("defense", (("fortification", 2, 6),)),
        ("attack", (("infantry", 2, 2),)),
        ("defense", (("infantry", 1, 7),)),
        ("defense", (("light_armor", 1, 6),)),
    ]


@pytest.mark.rule("gw36:1.16f")
def test_a_city_that_borders_a_neutral_is_never_surrounded():
    s = state(wars=[("germany", "poland")], facilities={"warsaw": []})
    around = s.facts.land_next["warsaw"]
    for zone in around:
        s.possession[zone] = "germany"
    assert surrounded(s, "warsaw")
    s.possession[around[0]] = "lithuania"
    assert not surrounded(s, "warsaw")


@pytest.mark.rule("gw36:1.12c", "gw36:table-12-1c")
@pytest.mark.parametrize(
    ("type_", "plain", "wet"),
    [
        ("infantry", 2, 1),
        ("marine", 2, 2),
        ("cavalry", 3, 2),
        ("artillery", 3, 3),
        ("self_propelled_artillery", 3, 3),
        ("mountain_infantry", 2, 1),
    ],
)
def test_rivers_weaken_all_but_marines_and_the_artillery_class(type_: str, plain: int, wet: int):
    here, there = min(
        (a, b)
        for a, b in load_facts().river
        if load_facts().zones[b].terrain == "normal" and b in load_facts().land_next.get(a, ())
    )
    for rivers, value in ((False, plain), (True, wet)):
        t = table(
            options={"rivers": rivers},
            units={here: {"germany": type_}, there: {"france": "infantry"}},
            possession={here: "germany", there: "france"},
            facilities={there: []},
            wars=[("germany", "france")],
        )
        t.do(move(type_, f"{here} > {there}"), Done())
        assert t.rolling == f"attack: 1 {type_} at {value}"


@pytest.mark.rule("gw36:9.4c")
def test_who_has_retreated_does_not_move_any_more():
    t = table(
        units={
            "western_germany": {"germany": "infantry, fighter"},
            "belgium": {"belgium": "2 infantry"},
        },
        wars=[("belgium", "germany")],
    )
    t.do(
        move("infantry", "western_germany > belgium"),
        move("fighter", "western_germany > belgium"),
        Done(),
    )
    while t.asked != "germany retreat_or_press":
        t.do(FireAll()) if "choose_fire" in t.asked else t.dice(
            *[MISS] * sum(line.count for line in t.request.lines)
        )
    t.do(Retreat("western_germany"))
    assert t.asked == "germany noncombat_move"
    t.refused(move("infantry", "western_germany > berlin"), "10.1a")
    t.do(move("fighter", "belgium > western_germany"))  # aircraft fly home then


@pytest.mark.rule("gw36:9.11i", "gw36:9.11h")
def test_raids_of_one_calendar_turn_take_no_more_than_the_line_is_worth():
    s = position(wars=[("germany", "great_britain")])
    s.treasury["great_britain"] = 30
    place(s, "sz_023", "germany", {"submarine": 3}, duty="raid")
    s.planned = (("sz_023", "raid"),)
    Fight(s, [6, 1])  # 7 of 6, and nothing is left for the others
    assert s.raided == {("north_atlantic", "great_britain"): 6}
    assert s.treasury["great_britain"] == 24


# --- politics -------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:5.6d")
def test_every_allied_declaration_on_a_neutral_costs_a_usa_at_peace_eight():
    s = state(
        "great_britain",
        treasury={"great_britain": 30},
        income={"usa": 34, "great_britain": 25},
        wars=[("germany", "great_britain")],
    )
    run(s, lambda g: go_to_war(g, "great_britain", "portugal", declared=True))
    assert (s.income["usa"], s.treasury["great_britain"]) == (26, 20)
    run(s, lambda g: go_to_war(g, "great_britain", "norway", declared=True))
    assert (s.income["usa"], s.treasury["great_britain"]) == (18, 10)
    s.wars |= {("germany", "usa")}
    run(s, lambda g: go_to_war(g, "great_britain", "greece", declared=True))
    assert s.treasury["great_britain"] == 0 and s.income["usa"] > 18  # at war: what its zones yield


@pytest.mark.rule("gw36:14.2f", "gw36:14.2g")
def test_under_the_pact_the_ussr_takes_karjala_and_nothing_else_of_finland():
    pacts = ["molotov_ribbentrop"]
    s = state("ussr", date="1939-07", pacts=pacts, wars=[])
    assert attack_allowed(s, "ussr", "finland", "karjala").how == "pact"
    others = [z for z in s.facts.nations["finland"].zones if z != "karjala"]
    assert {attack_allowed(s, "ussr", "finland", z).rule for z in others} == {"14.2f"}
    assert attack_allowed(s, "ussr", "romania", "romania").rule == "14.2g"
    run(s, lambda g: attack_without_war(g, "ussr", "finland", "karjala", "pact"))
    assert "finland" not in s.aligned and "finland" not in s.control
    run(s, lambda g: go_to_war(g, "germany", "ussr", declared=True))
    assert s.aligned["finland"] == "germany" and not s.pacts


@pytest.mark.rule("gw36:14.2j", "gw36:14.2l", "gw36:14.2m")
def test_with_the_pact_basis_nord_and_the_northern_route_are_gone():
    s = state("germany", date="1939-07", wars=[])
    run(s, lambda g: sign(g, "molotov_ribbentrop"))
    assert any(f.type == "submarine_base" for f in s.facilities["murmansk"])
    assert ("northern_route", "ussr", "germany") in s.permits
    run(s, lambda g: end(g, "molotov_ribbentrop", "ussr"))
    assert not any(f.was for f in s.facilities.get("murmansk", ()))
    assert not s.permits
    assert "again" in sign_refusal(s, "germany", "molotov_ribbentrop")[0]


@pytest.mark.rule("gw36:14.3b")
def test_the_japanese_soviet_pact_keeps_both_from_lending_to_the_others_enemies():
    wars = [("japan", "kmt"), ("japan", "usa"), ("germany", "ussr"), ("germany", "usa")]
    s = state("ussr", "production", date="1942-01", wars=wars, pacts=["japanese_soviet"])
    with pytest.raises(IllegalDecision) as refusal:
        check_receiver(s, "ussr", "kmt")
    assert refusal.value.rule == "14.3b"
    s.pacts = frozenset()
    check_receiver(s, "ussr", "kmt")


@pytest.mark.rule("gw36:13.1e")
def test_one_allied_power_a_turn_sends_supplies_to_either_side_in_spain():
    s = state("great_britain", "production", date="1937-01")
    for faction in ("spain_nationalist", "spain_republican"):
        assert aid_refusal(s, "great_britain", faction, "upgrade") == ("", "")
        assert aid_refusal(s, "great_britain", faction, "unit")[1] == "13.1e"
    note_aid(s, "great_britain")
    assert aid_refusal(s, "france", "spain_republican", "upgrade")[1] == "13.1e"
    s.date += 1
    assert aid_refusal(s, "france", "spain_republican", "upgrade") == ("", "")


@pytest.mark.rule("gw36:table-4-5d", "gw36:15.11a")
@pytest.mark.parametrize(
    ("owner", "option", "joins"),
    [
        ("germany", False, "germany"),
        ("italy", False, None),
        ("germany", True, "italy"),
    ],
)
def test_turkey_aligns_when_germany_has_conquered_transcaucasia(owner, option: bool, joins):
    s = state(
        "germany",
        "combat",
        "1942-01",
        options={"minors_to_italy_and_france": option},
        possession={"transcaucasia": owner},
        wars=[("germany", "ussr"), ("italy", "ussr")],
    )
    s.tell(News("phase", "germany", how="end of combat"))
    run(s, lambda g: None)
    assert s.aligned.get("turkey") == joins


@pytest.mark.rule("gw36:12.4c", "gw36:9.20a")
def test_a_factory_that_an_ally_liberates_is_again_what_it_was():
    wars = [("germany", "france"), ("germany", "great_britain")]
    s = state(wars=wars, facilities={"picardy": ["medium_factory"]})
    run(s, lambda g: possess(g, "picardy", "germany", "captured"))
    assert [f.type for f in s.facilities["picardy"]] == ["minor_factory"]
    run(s, lambda g: possess(g, "picardy", *taker(s, "picardy", "great_britain")))
    assert s.possession["picardy"] == "france"
    assert [f.type for f in s.facilities["picardy"]] == ["medium_factory"]


@pytest.mark.rule("gw36:7.3g")
def test_who_captures_a_building_site_goes_on_with_it():
    site = {
        "nation": "france",
        "what": "major_port",
        "left": 1,
        "at": "picardy",
        "border": "sz_026",
    }
    s = state(wars=[("germany", "france")], production=[site])
    run(s, lambda g: possess(g, "picardy", "germany", "captured"))
    assert [(job.nation, job.left) for job in s.track] == [("germany", 1)]


@pytest.mark.rule("gw36:9.23a", "gw36:14.4.1a")
def test_the_cash_of_a_lost_capital_goes_to_the_bank_but_that_of_france_to_the_conqueror():
    wars = [("germany", "france"), ("germany", "ussr")]
    cash = {"germany": 1, "france": 9, "ussr": 8}
    s = state("ussr", wars=wars, treasury=cash)
    run(s, lambda g: possess(g, "moscow", "germany", "captured"), answers=[Choose("leningrad")])
    assert (s.treasury["germany"], s.treasury["ussr"]) == (1, 0)
    assert s.capital["ussr"] == "leningrad"
    run(s, lambda g: possess(g, "paris", "germany", "captured"))
    assert (s.treasury["germany"], s.treasury["france"]) == (10, 0)


@pytest.mark.rule("gw36:7.6a", "gw36:7.6c", "gw36:7.6d")
def test_a_repaired_factory_gives_its_research_roll_in_the_same_turn():
    t = table(
        phase="production",
        wars=[],
        treasury={"germany": 20},
        facilities={
            zone: [
                {"type": f.type, "at": f.at, "damage": 2 if f.type == "major_factory" else 0}
                for f in fs
            ]
            for zone, fs in state().facilities.items()
            if state().possession[zone] == "germany"
        },
        date="1937-01",
    )
    t.refused(Research("radar"), "7.6a")
    zone = next(
        z
        for z, fs in t.s.facilities.items()
        if any(f.type == "major_factory" for f in fs) and t.s.possession[z] == "germany"
    )
    t.do(Repair("major_factory", 1, zone))
    t.refused(Research("radar"), "7.6a")  # still damaged
    t.do(Repair("major_factory", 1, zone), Research("radar"))
    assert t.request.roll == "research"


@pytest.mark.rule("gw36:3.3a", "gw36:3.3b", "gw36:3.2a")
def test_a_nation_that_has_surrendered_scores_nothing_and_still_loses():
    s = state("italy", wars=[("great_britain", "italy")], possession={"rome": "great_britain"})
    s.surrendered |= {"italy"}
    s.possession["northern_italy"] = "great_britain"
    lost = losses(s, "italy")
    assert lost >= 2 and scored(s, "italy") == {}
    s.possession["northern_italy"] = "germany"  # a friend's, no Enemy's
    assert losses(s, "italy") == lost - (s.facts.zones["northern_italy"].ipp >= 1)


@pytest.mark.rule("gw36:7.8.radar-b", "gw36:8.6a")
@pytest.mark.parametrize(("radar", "most"), [(False, 3), (True, 5)])
def test_radar_lets_all_fighters_scramble(radar: bool, most: int):
    t = table(
        units={
            "sz_027": {"germany": "light_cruiser"},
            "sz_026": {"great_britain": "light_cruiser"},
            "london": {"great_britain": "5 fighter"},
        },
        facilities={"london": ["air_base"]},
        tech={"great_britain": {"radar": 3}} if radar else {},
        wars=[("germany", "great_britain")],
    )
    t.do(move("light_cruiser", "sz_027 > sz_026", "attack"), Done())
    assert t.asked == "great_britain may_scramble"
    t.refused(Scramble((Flight("london", "sz_026", {"fighter": most + 1}),)))
    t.do(Scramble((Flight("london", "sz_026", {"fighter": most}),)))
    assert t.units("sz_026", "great_britain")["fighter"] == most
