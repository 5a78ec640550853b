"""The order of play (chapter 6), and words of the rules that are about all of it (0.4, 0.9)."""

import pytest

import sandtable
from sandtable.games.gw36.facts import load_facts
from sandtable.games.gw36.model import PHASES, Facility, State, Unit
from sandtable.games.gw36.rules.combat import Fight as Next
from sandtable.games.gw36.rules.combat_move import CombatMove, check_move
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.lend_lease import check_receiver
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.noncombat_move import NoncombatMove
from sandtable.games.gw36.rules.production import Produce
from sandtable.games.gw36.rules.raiding import raider_modifier, value_left
from sandtable.games.gw36.rules.rail import Rail
from sandtable.games.gw36.rules.retreat import Dive, Press, Retreat
from sandtable.games.gw36.rules.strategic_naval import StrategicMove
from sandtable.games.gw36.rules.supply import reachable
from sandtable.games.gw36.rules.terms import at_war_with_major
from sandtable.games.gw36.rules.zones import on_patrol, side
from tests.gw36.fights import Fight, attack, fortify, place, position, sea_fight
from tests.gw36.table import state, table


def passed(scenario: str = "1936", turns: int = 1) -> list[tuple[int, int, str]]:
    """Dates, national turns and phases of a game in which everybody is done at once."""
    game = sandtable.new("gw36", seed=1, options={"scenario": scenario})
    first = game.state.date
    seen: list[tuple[int, int, str]] = []
    while game.state.date < first + turns:
        s = game.state
        now = (s.date, s.slot, s.phase)
        if not seen or seen[-1] != now:
            seen.append(now)
        request = game.pending[0]
        try:
            game.submit(request.power, Done())
        except sandtable.IllegalDecision:
            game.submit(request.power, next(iter(game.legal(request))))
    return seen


@pytest.mark.rule("gw36:6.1a", "gw36:6.1b", "gw36:6.2a", "gw36:11.7a")
def test_seven_national_turns_of_five_phases_are_half_a_year():
    seen = passed(turns=2)
    july, january = 1936 * 2 + 1, 1937 * 2
    assert next(date for date, _, _ in seen if date != july) == january
    for date in (july, january):
        slots = [slot for when, slot, _ in seen if when == date]
        assert slots == sorted(slots)
        assert set(slots) == set(range(7))
        for slot in range(7):
            phases = [phase for when, which, phase in seen if (when, which) == (date, slot)]
            assert phases == sorted(phases, key=PHASES.index)
            assert phases[0] == "production"
    assert load_facts().order[3] == ("great_britain", "fec", "anzac")


@pytest.mark.rule("gw36:6.1c", "gw36:2.3d")
def test_the_commonwealth_attacks_as_one_nation():
    s = position(turn="great_britain", wars=[("great_britain", "italy")])
    s.possession |= {"tobruk": "great_britain", "western_egypt": "great_britain"}
    place(s, "cyrenaica", "great_britain", {"infantry": 1}, duty="attack", origin="tobruk")
    place(s, "cyrenaica", "anzac", {"infantry": 1}, duty="attack", origin="western_egypt")
    place(s, "cyrenaica", "italy", {"infantry": 1})
    s.planned = (("cyrenaica", "land"),)
    fight = Fight(s, [2, 12, 12])
    lines = fight.rolls[0][1]
    assert {line.power for line in lines} == {"great_britain", "anzac"}


@pytest.mark.rule("gw36:6.1d", "gw36:6.1e")
@pytest.mark.parametrize(("major", "minor"), [("ussr", "ccp"), ("usa", "kmt")])
def test_a_chinese_faction_does_not_attack_with_its_patron_until_it_has_evolved(major, minor):
    t = table(
        major,
        "combat_move",
        date="1940-01",
        wars=[(major, "japan"), (minor, "japan")],
        possession={"hopeh": "japan", "shensi": minor, "suiyuan": major},
        units={
            "shensi": {minor: "infantry"},
            "hopeh": {"japan": "infantry"},
            "suiyuan": {major: "infantry"},
        },
    )
    t.do(Move({"infantry": 1}, ("suiyuan", "hopeh")))
    t.do(Done())
    assert t.game.pending[0].power == minor
    with pytest.raises(sandtable.IllegalDecision) as refused:
        t.game.submit(minor, Move({"infantry": 1}, ("shensi", "hopeh")))
    assert refused.value.rule in ("6.1d", "6.1e")


@pytest.mark.rule("gw36:6.2b", "gw36:6.2c", "gw36:6.2f", "gw36:6.2g")
def test_what_can_be_done_in_which_phase():
    produced = {answer.__struct_config__.tag for answer in Produce.answers}
    assert {"research", "buy", "build", "influence", "advance", "lend"} <= produced
    assert {Rail, StrategicMove, Move} <= set(NoncombatMove.answers)
    assert not {Rail, StrategicMove} & set(CombatMove.answers)
    t = table("germany", "production", treasury={"germany": 30}, base="setup")
    # In any order: a purchase, research, another purchase.
    kinds = [decision.kind for decision in t.game.legal(t.game.pending[0])]
    assert {"buy", "build", "research"} <= set(kinds)


@pytest.mark.rule("gw36:6.2h", "gw36:0.9.income-a")
def test_income_comes_last():
    game = sandtable.new("gw36", seed=1)
    before = game.state.treasury["germany"]
    while game.state.slot == 0:
        request = game.pending[0]
        if game.state.phase != "place_units":
            assert game.state.treasury["germany"] == before
        game.submit(request.power, Done())
    told = [event.kind for event in game.events]
    assert game.state.treasury["germany"] > before
    assert told[told.index("collected") + 1 :][0] == "turn_began"


@pytest.mark.rule("gw36:9.11j")
def test_raid_markers_go_as_the_calendar_turn_begins():
    t = table("usa", "production", raided={"north_atlantic": {"great_britain": 4}})
    assert value_left(t.s, t.s.facts.lines["north_atlantic"], "great_britain") == 2
    date = t.s.date
    while t.s.date == date:
        t.do(Done())
    assert value_left(t.s, t.s.facts.lines["north_atlantic"], "great_britain") == 6


@pytest.mark.rule("gw36:0.9.attacker-a")
def test_attack_values_count_for_whose_turn_it_is():
    ours = attack({"medium_armor": 1}, {"medium_armor": 1}, [12, 12], until="retreat_or_press")
    assert ours.values("attack") == {"medium_armor": [(1, 6)]}
    assert ours.values("defense") == {"medium_armor": [(1, 5)]}


@pytest.mark.rule("gw36:0.9.carrier-a")
def test_all_carriers_are_carriers():
    facts = load_facts()
    carriers = {id for id, kind in facts.units.items() if kind.decks}
    assert carriers == {"light_carrier", "fleet_carrier", "heavy_carrier"}
    for type_ in carriers:
        s = state(units={"sz_025": {"great_britain": {type_: [{"cargo": ["fighter"]}]}}})
        (ship,) = s.stack("sz_025")
        assert all(on_patrol(s, piece) or piece in ship.cargo for piece in ship.cargo)


@pytest.mark.rule("gw36:0.9.d6-a", "gw36:0.9.d12-a")
def test_which_die_is_rolled():
    battle = attack({"infantry": 1}, {"infantry": 1}, [12, 12], until="retreat_or_press")
    assert {line.sides for _, lines, _ in battle.rolls for line in lines} == {12}
    s = position(wars=[("germany", "great_britain")])
    s.treasury["great_britain"] = 9
    place(s, "sz_023", "germany", {"submarine": 1}, duty="raid")
    s.planned = (("sz_023", "raid"),)
    raid = Fight(s, [1, 6])
    assert {line.sides for _, lines, _ in raid.rolls for line in lines} == {6}


@pytest.mark.rule("gw36:0.9.submerge-a")
def test_who_submerges_leaves_the_battle_and_stays_in_the_zone():
    fight = sea_fight(
        {"submarine": 1}, {"light_cruiser": 1}, [12, 12], [Dive({"germany:submarine": 1})]
    )
    assert fight.units("sz_025", "germany") == {"submarine": 1}
    assert fight.s.battle is None


@pytest.mark.rule("gw36:12.1a", "gw36:table-12-1e")
def test_each_unit_has_one_class_and_facilities_are_their_own():
    facts = load_facts()
    assert {kind.class_ for kind in facts.units.values()} == {
        "infantry",
        "vehicle",
        "artillery",
        "air",
        "naval",
    }
    assert not set(facts.units) & set(facts.facilities)
    groups = {kind.group for kind in facts.facilities.values()}
    assert groups >= {"factory", "port", "shipyard", "dockyard", "base", "border", "rail"}


@pytest.mark.rule("gw36:appB-28a")
def test_a_submarine_takes_at_most_seven_from_an_unprotected_convoy():
    s = position(wars=[("germany", "great_britain"), ("germany", "usa"), ("germany", "fec")])
    s.treasury |= {"great_britain": 20}
    zone = max(
        s.facts.lines_at,
        key=lambda sea: sum(
            dict(s.facts.lines[line].values).get("great_britain", 0)
            for line in s.facts.lines_at[sea]
        ),
    )
    place(s, zone, "germany", {"submarine": 1}, duty="raid")
    s.planned = ((zone, "raid"),)
    fight = Fight(s, [6, 1], until="spread_raid")
    (raided,) = [event for event in fight.events if event.kind == "convoy_raided"]
    assert raided.data["damage"] == 7


@pytest.mark.rule("gw36:appB-31b")
def test_escorts_fight_in_a_battle_and_in_a_raid_of_the_same_zone():
    s = position(wars=[("germany", "great_britain")])
    s.treasury["great_britain"] = 9
    place(s, "sz_023", "germany", {"light_cruiser": 1}, duty="attack", origin="sz_024")
    place(s, "sz_023", "germany", {"submarine": 1}, duty="raid")
    place(s, "sz_023", "great_britain", {"destroyer": 2}, duty="convoy")
    s.planned = (("sz_023", "naval"), ("sz_023", "raid"))
    fight = Fight(s, [12, 12, 12, 1, 6, 12, 12], [Next("sz_023", "naval"), Retreat("sz_024")])
    assert fight.values("defense")["destroyer"] == [(2, 4), (2, 4)]


@pytest.mark.rule("gw36:qrc-b")
def test_what_is_paired_once_is_not_paired_again():
    fight = attack(
        {"infantry": 1, "militia": 1, "artillery": 1},
        {"infantry": 1},
        [12, 12, 12, 12],
        until="retreat_or_press",
    )
    values = fight.values("attack")
    assert sorted((values["infantry"][0][1], values["militia"][0][1])) in ([1, 3], [2, 2])


@pytest.mark.rule("gw36:qrc-d")
def test_if_all_who_landed_are_gone_the_assault_is_over():
    s = position(turn="japan", wars=[("japan", "kmt")])
    s.possession["peking"] = "kmt"
    cargo = (Unit("japan", "artillery", duty="assault"), Unit("japan", "infantry", duty="assault"))
    s.put("sz_054", Unit("japan", "naval_transport", duty="landing", target="peking", cargo=cargo))
    place(s, "peking", "kmt", {"infantry": 1})
    s.planned = (("peking", "land"),)
    fight = Fight(s, [12, 4])
    assert s.possession["peking"] == "kmt"
    assert [event.kind for event in fight.events][-1] == "battle_ended"
    (ship,) = s.stack("sz_054")
    assert [piece.type for piece in ship.cargo] == ["artillery"]


@pytest.mark.rule("gw36:qrc-e", "gw36:qrc-a")
def test_deserts_count_though_the_card_does_not_list_them():
    fight = attack(
        {"infantry": 1},
        {"infantry": 1},
        [12, 12],
        zone="cyrenaica",
        origin="western_egypt",
        attacker="great_britain",
        defender="italy",
        on=["deserts"],
        until="retreat_or_press",
    )
    assert fight.values("attack") == {"infantry": [(1, 1)]}


@pytest.mark.rule("gw36:0.4a")
def test_damage_is_on_four_kinds_of_things():
    facts = load_facts()
    assert {id for id, kind in facts.units.items() if kind.hits > 1} == {
        id for id, kind in facts.units.items() if kind.capital
    }
    # Facilities, convoy lines and railways have damage of their own; nothing else has.
    damaged = {name for name in State.__dataclass_fields__ if "damage" in name or name == "raided"}
    assert damaged == {"rail_damage", "canal_damage", "raided"}
    assert {name for name in Facility._fields if "damage" in name} == {"damage"}
    assert "hits" in Unit.__annotations__


@pytest.mark.rule("gw36:0.9.lendlease-a")
def test_lend_lease_needs_no_war_of_the_lender():
    s = state(
        "usa",
        "production",
        "1941-01",
        wars=[("germany", "great_britain"), ("france", "germany")],
        income={"usa": 30},
    )
    assert not at_war_with_major(s, "usa")
    check_receiver(s, "usa", "great_britain")


@pytest.mark.rule("gw36:0.9.nrs-a")
def test_all_sheets_are_open_to_all():
    game = sandtable.new("gw36", seed=1)
    assert not game.rules.secrets(game.state) or game.observe("germany") == game.observe("japan")
    assert set(load_facts().sheets) == set(game.rules.powers)


@pytest.mark.rule("gw36:0.9.supplypath-a")
def test_a_supply_path_moves_nothing():
    s = state("usa", "place_units", "1942-01", base="setup", wars=[])
    before = s.plain()
    assert reachable(s, "usa", "washington_dc")
    assert s.plain() == before


@pytest.mark.rule("gw36:1.15o")
def test_the_great_lakes_have_a_convoy_line():
    facts = load_facts()
    lakes = next(sea for sea in facts.passages[facts.seaway].between if "Lakes" in facts.name(sea))
    assert facts.lines_at.get(lakes)


@pytest.mark.rule("gw36:1.14b", "gw36:12.10a")
def test_railroads_can_be_built():
    t = table("germany", "production", base="setup", treasury={"germany": 30})
    built = [each for each in t.game.legal(t.game.pending[0]) if each.kind == "build"]
    rails = [each for each in built if each.facility == "railroad"]
    assert all((min(r.at, r.border), max(r.at, r.border)) not in t.s.railways for r in rails)
    if rails:
        t.do(rails[0])
        assert any(job.what == "railroad" for job in t.s.track)


@pytest.mark.rule("gw36:12.2.militia-c", "gw36:12.2.colonial-b")
def test_who_builds_without_a_factory():
    facts = load_facts()
    assert facts.units["militia"].free
    assert facts.units["colonial_infantry"].free
    assert set(facts.units["colonial_infantry"].builders) == {
        "great_britain",
        "fec",
        "france",
        "italy",
    }
    for nation, sheet in facts.sheets.items():
        assert ("colonial_infantry" in sheet.units) <= (
            nation in facts.units["colonial_infantry"].builders
        )


@pytest.mark.rule("gw36:table-4-2d")
def test_aligned_powers_use_each_others_harbours_and_defend_together():
    s = position(wars=[("germany", "france"), ("germany", "great_britain")])
    s.possession["picardy"] = "germany"
    place(s, "normandy", "germany", {"infantry": 1}, duty="attack", origin="picardy")
    place(s, "normandy", "france", {"infantry": 1})
    place(s, "normandy", "great_britain", {"infantry": 1})
    s.planned = (("normandy", "land"),)
    fight = Fight(s, [12, 12, 12], until="retreat_or_press")
    assert {line.power for _, lines, _ in fight.rolls[1:] for line in lines} == {
        "france",
        "great_britain",
    }
    friends = side(s, "great_britain").friends
    assert "france" in friends
    assert "germany" not in friends


@pytest.mark.rule("gw36:appB-31a")
def test_surface_raiders_roll_without_a_modifier_and_shun_escorts():
    s = position(wars=[("germany", "great_britain")], on=["surface_raiders"])
    place(s, "sz_023", "germany", {"heavy_cruiser": 1}, duty="raid")
    (raider,) = s.stack("sz_023")
    assert raider_modifier(s, raider) == 0
    guarded = state(
        "germany",
        wars=[("germany", "great_britain")],
        options={"surface_raiders": True},
        units={
            "sz_024": {"germany": "heavy_cruiser"},
            "sz_023": {"great_britain": {"destroyer": [{"duty": "convoy"}]}},
        },
    )
    guarded.mover = "germany"
    with pytest.raises(sandtable.IllegalDecision):
        check_move(guarded, Move({"heavy_cruiser": 1}, ("sz_024", "sz_023"), "raid"))


@pytest.mark.rule("gw36:qrc-c")
def test_the_steps_of_an_assault():
    s = position(turn="japan", wars=[("japan", "kmt"), ("japan", "usa")])
    s.possession["peking"] = "kmt"
    cargo = (Unit("japan", "infantry", duty="assault"), Unit("japan", "infantry", duty="assault"))
    s.put("sz_054", Unit("japan", "naval_transport", duty="landing", target="peking", cargo=cargo))
    place(s, "sz_054", "japan", {"heavy_cruiser": 1}, duty="bombard", target="peking")
    place(s, "sz_054", "japan", {"light_cruiser": 1}, duty="screen", origin="sz_055")
    place(s, "sz_054", "usa", {"destroyer": 1})
    place(s, "peking", "kmt", {"infantry": 1})
    fortify(s, "peking", "sz_054", "coastal_artillery")
    s.planned = (("peking", "land"), ("sz_054", "naval"))
    # screen and destroyer; bombardment; two shots of the guns; the landing.
    fight = Fight(s, [5, 12, 12, 12, 12, 2, 12, 12])
    types = [lines[0].type for _, lines, _ in fight.rolls]
    assert types == [
        "light_cruiser",
        "destroyer",
        "heavy_cruiser",
        "coastal_artillery",
        "infantry",
        "infantry",
    ]
    lost = position(turn="japan", wars=[("japan", "kmt"), ("japan", "usa")])
    lost.possession["peking"] = "kmt"
    ship = Unit("japan", "naval_transport", duty="landing", target="peking", cargo=cargo)
    lost.put("sz_054", ship._replace(origin="sz_055"))
    place(lost, "sz_054", "japan", {"light_cruiser": 1}, duty="screen", origin="sz_055")
    place(lost, "sz_054", "usa", {"destroyer": 1})
    lost.planned = (("peking", "land"), ("sz_054", "naval"))
    Fight(lost, [12, 4])
    assert [unit.duty for unit in lost.stack("sz_055")] == ["retreated"]
    assert lost.planned == ()


@pytest.mark.rule("gw36:1.11a", "gw36:1.12d")
def test_marsh_borders_and_rivers_are_of_the_first_round():
    marsh = attack(
        {"cavalry": 1},
        {"infantry": 1},
        [12] * 4,
        [Press()],
        zone="kiev",
        origin="southern_belorussia",
        defender="ussr",
        on=["marshes"],
        until="retreat_or_press",
    )
    assert marsh.values("attack") == {"cavalry": [(1, 1), (1, 3)]}
    river = attack(
        {"infantry": 1},
        {"infantry": 1},
        [12] * 4,
        [Press()],
        zone="netherlands",
        origin="western_germany",
        defender="netherlands",
        on=["rivers"],
        until="retreat_or_press",
    )
    assert river.values("attack") == {"infantry": [(1, 1), (1, 2)]}


@pytest.mark.rule("gw36:6.2e")
def test_all_combats_are_resolved_in_their_phase():
    s = position()
    s.possession["picardy"] = "germany"
    place(s, "normandy", "germany", {"infantry": 1}, duty="attack", origin="picardy")
    place(s, "alsace_lorraine", "germany", {"infantry": 1}, duty="attack", origin="bavaria")
    s.planned = (("alsace_lorraine", "land"), ("normandy", "land"))
    Fight(s, [], [Next("alsace_lorraine", "land")])
    assert s.planned == ()
    assert s.fought == {"alsace_lorraine", "normandy"}
