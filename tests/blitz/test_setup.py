"""The position at the start (1.11), custom positions, and the invariants of every position."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.games.blitz import RULES, audit
from sandtable.games.blitz.facts import BIG, load_facts
from sandtable.games.blitz.model import NEUTRAL, State, Unit
from sandtable.games.blitz.rules import stacking
from sandtable.games.blitz.rules.choose_blitz import AnnounceBlitz
from sandtable.games.blitz.rules.move_land import March
from sandtable.games.blitz.rules.scenarios import open_area
from sandtable.games.blitz.rules.sides import introduced, powers_of
from sandtable.games.blitz.rules.spend import Build
from sandtable.games.blitz.rules.steps import Done
from sandtable.games.blitz.setup import Piece, Position
from tests.blitz.table import Play, position

FACTS = load_facts()
SCENARIOS = ("A", "B", "C", "D", "E", "F", "campaign")


def opening(scenario: str, **options: Any) -> State:
    return RULES.start(RULES.read_options({"scenario": scenario, **options}), None, None)


def refused(scenario: str = "campaign", **given: Any) -> str:
    with pytest.raises(sandtable.PositionError) as error:
        position(scenario, **given)
    return str(error.value)


# --- the start ----------------------------------------------------------------------------------


BOOK: dict[str, dict[str, Any]] = {
    # "Turns 1 and 2", Poland is with the AFA; the example of A.6 has these units in the West.
    "A": {
        "turns": (1, 2),
        "powers": ("germany", "afa"),
        "control": {"poland": "afa", "paris": "afa", "london": "afa", "berlin": "germany"},
        "units": {
            "ger_luftwaffe": ("germany", 2),
            "ger_stukas": ("germany", 2),
            "afa_royal_air_force": ("afa", 2),
            "afa_polish_army": ("afa", 2),
            "ger_army_group_center": ("germany", 2),
            "ger_army_group_north": ("germany", 1),
            "ger_1st_para": ("germany", 1),
        },
        "at": {"afa_polish_army": "poland", "afa_royal_air_force": "london"},
    },
    # "Turn 9 ... possibly through Turn 11"; Germany holds the continent.
    "B": {
        "turns": (9, 11),
        "powers": ("germany", "western_allies"),
        "control": {
            "paris": "germany",
            "belgium_netherlands": "germany",
            "london": "western_allies",
        },
    },
    # "Turns 3 through 9"; "Germany also controls Belgium-Netherlands, Norway, and Paris".
    "C": {
        "turns": (3, 9),
        "powers": ("germany", "western_allies"),
        "control": {"belgium_netherlands": "germany", "norway": "germany", "paris": "germany"},
        "no land": ("vichy_france",),
    },
    # "Turn 3 ... Turn 12"; conquered and allied countries as in Politics.
    "D": {
        "turns": (3, 12),
        "powers": ("germany", "ussr", "western_allies"),
        "control": {"poland": "germany", "belgium_netherlands": "germany"},
        "allied": {"finland": "germany", "central_europe": "germany", "balkans": "western_allies"},
        "no land": ("rome",),
        "at": {"ger_alpini_army": ""},
    },
    # "The Japanese Southern Army sets up in Peking. Japan starts with 2 saved Oil (not 3), and the
    # Western Allies start with 2 saved Oil (not 1)."
    "E": {
        "turns": (4, 15),
        "powers": ("japan", "western_allies"),
        "oil": {"japan": 2, "western_allies": 2},
        "at": {"jap_southern_army": "peking"},
        "allied": {"south_east_asia": "japan", "netherlands_east_indies": "western_allies"},
        "no land": ("near_east", "egypt"),
    },
    # "Turn 1 until someone wins"; India and the West Coast are not in play.
    "F": {
        "turns": (1, 15),
        "powers": ("germany", "afa", "usa", "ussr"),
        "no land": ("west_coast", "panama", "mexico", "western_canada", "calcutta"),
    },
}
"""What the book says of the set-up of the short scenarios."""


@pytest.mark.rule("blitz:data.setup-charts")
@pytest.mark.parametrize("scenario", BOOK)
def test_a_short_scenario_begins_as_the_book_says(scenario: str) -> None:
    book, s = BOOK[scenario], opening(scenario)
    assert s.turn == book["turns"][0]
    assert (s.scenario.turns, s.scenario.powers) == (book["turns"], book["powers"])
    assert {area: s.control[area] for area in book.get("control", {})} == book.get("control", {})
    assert {c: s.allied[c] for c in book.get("allied", {})} == book.get("allied", {})
    assert {power: s.oil[power] for power in book.get("oil", {})} == book.get("oil", {})
    for id, (power, size) in book.get("units", {}).items():
        assert (s.units[id].power, s.units[id].size) == (power, size), id
    for id, area in book.get("at", {}).items():
        assert s.units[id].at == area or not area, id
    for area in book.get("no land", ()):
        assert area in FACTS.lands or area in FACTS.countries
        assert not {area, *getattr(FACTS.countries.get(area), "areas", ())} & set(s.control), area


@pytest.mark.rule("blitz:data.setup-charts")
@pytest.mark.parametrize("scenario", ["A", "B", "C", "D", "E", "F"])
def test_a_chart_is_set_up_unit_by_unit(scenario: str) -> None:
    """Every unit of the scenario's chart stands where it says, of its Size, and nothing else does
    but what comes from a power's standard chart."""
    s, chart = opening(scenario), FACTS.scenarios[scenario]
    expected = {}
    for power in chart.powers:
        placements = list(chart.setup.get(power, ()))
        standard = chart.charts.get(power)
        if standard is not None and standard.setup and power not in chart.setup:
            less = set(standard.less)
            placements += [p for p in FACTS.weapons[power].setup if p.unit not in less]
        for placement in placements:
            unit = Unit(power, placement.size, placement.at, placement.port)
            assert expected.setdefault(placement.unit, unit) is unit
    assert len(expected) > 10
    assert s.units == expected
    pooled = {counter for power in chart.powers for counter in s.pool[power]}
    grouped = {c for power in chart.powers for group in s.groups[power] for c in group}
    assert not pooled & grouped
    for power, counters in chart.pool.items():
        on_map = {id for id in counters if id in expected}
        assert set(s.pool[power]) == set(counters) - on_map


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_scenario_begins_in_a_sound_position(scenario: str) -> None:
    s = opening(scenario)
    assert audit.broken_invariants(s) == []
    for id, unit in s.units.items():
        if unit.at in s.control:
            assert FACTS.side[s.control[unit.at]] == FACTS.side[unit.power], id


@pytest.mark.rule("blitz:1.11a")
@pytest.mark.rule("blitz:data.wd-charts")
def test_the_campaign_sets_up_from_the_five_charts() -> None:
    s = opening("campaign")
    expected = {
        placement.unit: (power, placement.size, placement.at, placement.port)
        for power in ("germany", "japan", "afa", "usa", "ussr")
        for placement in FACTS.weapons[power].setup
    }
    assert {id: (u.power, u.size, u.at, u.port) for id, u in s.units.items()} == expected
    for power, chart in FACTS.weapons.items():
        assert s.pool[power] == tuple(sorted(chart.pool))
        assert s.groups[power] == chart.groups
    neutral = {minor.unit for minor in FACTS.minors}
    assert not neutral & s.units.keys()


@pytest.mark.rule("blitz:1.11b")
@pytest.mark.parametrize(
    ("players", "groups"),
    [
        (2, (("germany", "japan"), ("afa", "usa", "ussr"))),
        (3, (("germany", "japan"), ("afa", "usa"), ("ussr",))),
        (4, (("germany",), ("japan",), ("afa", "usa"), ("ussr",))),
        (5, (("germany",), ("japan",), ("afa",), ("usa",), ("ussr",))),
    ],
)
def test_powers_are_divided_among_the_players(players: int, groups: Any) -> None:
    assert opening("campaign", players=players).players == groups


def test_a_scenario_has_no_more_seats_than_it_says() -> None:
    with pytest.raises(sandtable.OptionError, match="2 players, not 3"):
        opening("A", players=3)


@pytest.mark.rule("blitz:1.11c")
def test_markers_begin_at_0_but_for_one_german_oil() -> None:
    s = opening("campaign")
    assert s.turn == 1
    assert s.entry == {"usa": 0, "ussr": 0}
    assert s.oil == {"germany": 1, "japan": 0, "afa": 0, "usa": 0, "ussr": 0}
    assert set(s.resources.values()) == set(s.vp.values()) == {0}


@pytest.mark.rule("blitz:1.11d")
def test_options_and_seats_are_settled_before_anything_is_played() -> None:
    game = sandtable.new(
        "blitz", options={"scenario": "campaign", "players": 3, "bidding": True}, seed=1
    )
    assert game.state.players == (("germany", "japan"), ("afa", "usa"), ("ussr",))
    assert [request.kind for request in game.pending] == ["auction"]
    assert game.state.phase == ""
    assert game.state.units


@pytest.mark.rule("blitz:1.1a")
@pytest.mark.rule("blitz:1.1b")
def test_sides_and_home_countries_of_the_powers() -> None:
    s = opening("campaign")
    assert powers_of(s, "axis") == ("germany", "japan")
    assert powers_of(s, "allies") == ("afa", "usa", "ussr")
    assert set(FACTS.homes["germany"]) == {"germany", "italy"}
    assert set(FACTS.homes["japan"]) == {"japan"}
    assert set(FACTS.homes["afa"]) == {
        "australia",
        "canada",
        "france",
        "great_britain",
        "india",
        "south_africa",
    }
    assert set(FACTS.homes["usa"]) == {"usa"}
    assert set(FACTS.homes["ussr"]) == {"ussr"}


@pytest.mark.rule("blitz:errata.malta")
def test_malta_is_the_afas_from_the_start() -> None:
    assert opening("campaign").control["malta"] == "afa"


@pytest.mark.rule("blitz:errata.west-coast-factory")
def test_the_west_coast_has_a_factory_of_2() -> None:
    assert FACTS.lands["west_coast"].factory == 2


@pytest.mark.rule("blitz:errata.usa-war-marker")
def test_the_usa_has_an_entry_marker_like_the_ussr() -> None:
    s = opening("campaign")
    assert sorted(s.entry) == ["usa", "ussr"]


@pytest.mark.rule("blitz:errata.polish-army")
def test_the_polish_army_has_2_factors_at_size_1() -> None:
    assert FACTS.profiles["afa_polish_army", 1].land == 2


# --- counters (1.2) -----------------------------------------------------------------------------


@pytest.mark.rule("blitz:1.2a")
def test_every_unit_has_a_home_country() -> None:
    for id, kind in FACTS.kinds.items():
        assert kind.home in FACTS.countries, id


@pytest.mark.rule("blitz:1.2b")
def test_a_unit_is_land_air_or_naval_and_some_paras_also_fly() -> None:
    assert FACTS.domain["ger_army_group_center"] == "land"
    assert FACTS.domain["ger_luftwaffe"] == "air"
    assert FACTS.domain["ger_high_seas_fleet"] == "naval"
    para = FACTS.kinds["ger_1st_para"]
    assert FACTS.domain["ger_1st_para"] == "land"
    assert para.move > 0
    assert para.air_move > 0
    # A naval unit needs a port, and a land unit a transport.
    assert "has no port" in refused(units={"ger_high_seas_fleet": "moscow"})
    assert "without a transport" in refused(units={"ger_18th_army": "north_sea"})


@pytest.mark.rule("blitz:1.2c")
def test_sizes_go_from_1_to_4_and_no_further_than_the_counter() -> None:
    assert {len(kind.sizes) for kind in FACTS.kinds.values()} == {1, 2, 4}
    assert "it has no Size 3" in refused(
        control={"poland": "germany"}, units={"ger_18th_army": {"at": "berlin", "size": 3}}
    )
    s = position(units={"ger_18th_army": {"at": "berlin", "size": 2}})
    assert s.units["ger_18th_army"].size == 2


@pytest.mark.rule("blitz:1.2d")
def test_a_garrisons_triangle_counts_as_a_dot() -> None:
    """It fills an island like any other Size 1, and one point of damage destroys it."""
    room = {"usa_hawaiian_department": "midway_islands", "usa_marines": "midway_islands"}
    assert FACTS.kinds["usa_hawaiian_department"].type == "GAR"
    s = position(units=room)
    assert s.units["usa_hawaiian_department"].size == 1
    assert "of Size 3" in refused(units={**room, "usa_pacific_command": "midway_islands"})


@pytest.mark.rule("blitz:1.2e")
def test_a_big_unit_takes_its_big_counter_and_a_small_one_leaves_it() -> None:
    big = {"at": "berlin", "size": 3}
    s = position(units={"ger_army_group_center": big})
    assert "ger_army_group_center.big" not in s.pool["germany"]
    s = position(units={"ger_army_group_center": {"at": "berlin", "size": 2}})
    assert "ger_army_group_center.big" in s.pool["germany"]
    s.change("ger_army_group_center", size=3)
    assert any("two places" in told for told in audit.broken_invariants(s))


@pytest.mark.rule("blitz:1.2g")
def test_the_maginot_line_has_five_red_triangles() -> None:
    for profile in FACTS.kinds["afa_maginot_line"].sizes:
        assert profile.land_r == 5


@pytest.mark.rule("blitz:1.2h")
def test_type_and_factors_are_those_of_the_present_size() -> None:
    changing = [
        (id, size)
        for id, kind in FACTS.kinds.items()
        for size in range(2, len(kind.sizes) + 1)
        if FACTS.type_at[id, size] != FACTS.type_at[id, size - 1]
    ]
    assert changing, "some CV becomes a BB"
    id, size = changing[0]
    port = {"at": "tokyo", "port": "japanese_coast"}
    home = FACTS.kinds[id].power
    where = port if home == "japan" else {"at": "atlantic_seaboard", "port": "usa_east_coast"}
    s = position(units={id: {**where, "size": size}})
    before = s.type(id)
    s.change(id, size=size - 1)
    assert s.type(id) != before
    assert s.profile(id) == FACTS.kinds[id].sizes[size - 2]


@pytest.mark.rule("blitz:1.2i")
def test_home_country_codes() -> None:
    codes = {country.code: id for id, country in FACTS.countries.items() if country.code}
    for code, country in {
        "Ger": "germany",
        "It": "italy",
        "Be Ne": "belgium_netherlands",
        "Cz Au": "austria_czechoslovakia",
        "Fr Eq Afr": "french_equatorial_africa",
        "Man-Kor": "manchuria_korea",
        "S E Asia": "south_east_asia",
        "Ukr": "ukraine",
        "Vi Fr": "vichy_france",
    }.items():
        assert codes[code] == country
    homes = {kind.home for kind in FACTS.kinds.values()}
    assert all(FACTS.countries[FACTS.countries[home].follows or home].code for home in homes)


# --- custom positions -----------------------------------------------------------------------------


def test_what_a_position_does_not_name_stays() -> None:
    s = position("A", base="setup", units={"afa_bef": {"at": "paris", "size": 2}})
    assert s.units["afa_bef"] == Unit("afa", 2, "paris")
    assert s.units["afa_polish_army"].at == "poland"
    s = position("A", base="setup", units={"afa_bef": None})
    assert "afa_bef" not in s.units
    assert "afa_bef" in s.pool["afa"]


def test_a_counter_that_is_named_leaves_its_pool_or_group() -> None:
    s = position(pool={"usa": ["usa_5th_army"]})
    assert s.pool["usa"] == ("usa_5th_army",)
    assert not any("usa_5th_army" in group for group in s.groups["usa"])
    s = position(units={"usa_5th_army": "atlantic_seaboard"})
    assert not any("usa_5th_army" in group for group in s.groups["usa"])


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"units": {"ger_18th_army": "paris"}}, "ger_18th_army is germany's, but paris is afa's"),
        ({"units": {"ger_18th_army": "sweden"}}, "but sweden is neutral"),
        ({"units": {"ger_18th_army": "atlantis"}}, "there is no 'atlantis'"),
        ({"units": {"ger_19th_army": "berlin"}}, "there is no 'ger_19th_army'"),
        ({"units": {"ger_high_seas_fleet": "moscow"}}, "has no port"),
        (
            {"units": {"ger_high_seas_fleet": {"at": "berlin", "port": "black_sea"}}},
            "there is no 'black_sea'",
        ),
        ({"units": {"ger_18th_army": {"at": "berlin", "port": "baltic_sea"}}}, "cannot be in a"),
        ({"units": {"ger_18th_army": "baltic_sea"}}, "without a transport"),
        (
            {
                "units": {
                    "ger_18th_army": {"at": "baltic_sea", "aboard": "ger_baltic_trs", "size": 2},
                    "ger_1st_para": {"at": "baltic_sea", "aboard": "ger_baltic_trs"},
                    "ger_baltic_trs": {"at": "baltic_sea", "size": 1},
                }
            },
            "carries Size 3, but has room for 2",
        ),
        (
            {
                "units": {
                    "ger_18th_army": {"at": "baltic_sea", "aboard": "ger_baltic_trs"},
                    "ger_baltic_trs": {"at": "north_sea"},
                }
            },
            "which is not there",
        ),
        (
            {
                "units": {
                    "ger_18th_army": {"at": "baltic_sea", "aboard": "ger_high_seas_fleet"},
                    "ger_high_seas_fleet": {"at": "baltic_sea"},
                }
            },
            "which cannot carry it",
        ),
        (
            {"units": {"usa_marines": {"at": "midway_islands", "size": 3}}},
            "The island midway_islands holds land units of Size 3",
        ),
        (
            {"units": {"usa_pacific_fleet": {"at": "midway_islands", "size": 3}}},
            "The small port of midway_islands holds ships of Size 3",
        ),
        ({"pool": {"usa": ["usa_5th_army", "usa_5th_army"]}}, "in two places"),
        ({"pool": {"usa": ["usa_5th_army"], "ussr": ["usa_5th_army"]}}, "in two places"),
        ({"pool": {"usa": ["nobody"]}}, "There is no counter 'nobody'"),
        ({"pool": {"germany": ["ger_18th_army.big"]}}, "no Big version"),
        ({"pool": {"italy": []}}, "pool: there is no 'italy'"),
        ({"control": {"paris": "italy"}}, "there is no 'italy'"),
        ({"control": {"north_sea": "afa"}}, "there is no 'north_sea'"),
        ({"wars": [["germany", "japan"]]}, "cannot be at war"),
        ({"vp": {"germany": 16}}, "16 victory points"),
        ({"entry": {"usa": 16}}, "box 16"),
        ({"factory_damage": {"berlin": 3}}, "cannot have 3 damage"),
        ({"convoy_damage": {"north_atlantic": 3}}, "cannot have 3 damage"),
        ({"turn": 16}, "malformed"),
        ({"phase": "teatime"}, "there is no 'teatime'"),
        ({"phase": "axis_activities", "step": "Z"}, "there is no 'Z'"),
        ({"step": "A"}, "say in which phase"),
        ({"base": "half"}, "base is"),
        ({"blitz": {"germany": "snail"}}, "malformed"),
        ({"commanders": {"manstein": ("berlin", "ger_luftwaffe")}}, "not on the map"),
    ],
)
def test_a_position_that_cannot_be_is_refused(given: dict[str, Any], sentence: str) -> None:
    assert sentence in refused(**given)


def test_turns_outside_a_scenario_are_refused() -> None:
    assert "Turns 1 to 2" in refused("A", turn=3)


def test_powers_in_a_war_have_no_entry_marker() -> None:
    s = position(wars=[["germany", "afa"], ["germany", "ussr"]])
    assert s.entry == {"usa": 0}


# --- invariants -----------------------------------------------------------------------------------


def broken(change: Any) -> list[str]:
    s = opening("campaign")
    change(s)
    return audit.broken_invariants(s)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda s: s.pool.update(usa=(*s.pool["usa"], "ger_luftwaffe")), "two places"),
        (lambda s: s.aside.update(ger_luftwaffe="germany"), "two places"),
        (lambda s: s.at.update(berlin=()), "index"),
        (lambda s: s.units.update(x=Unit("germany", 1, "berlin")), "index"),
        (lambda s: s.change("ger_luftwaffe", size=5), "cannot have Size 5"),
        (lambda s: s.change("ger_luftwaffe", power="western_allies"), "not in play"),
        (lambda s: s.change("ger_luftwaffe", at="atlantis"), "not in play"),
        (lambda s: s.change("afa_bef", at="berlin"), "both sides"),
        (lambda s: s.control.pop("berlin"), "Control is not of"),
        (lambda s: s.control.update(berlin="italy"), "no power"),
        (lambda s: setattr(s, "wars", frozenset({("germany", "afa")})), "at war"),
        (lambda s: s.oil.update(germany=-1), "-1 saved Oil"),
        (lambda s: s.bombs.update(usa=6), "A-Bomb"),
    ],
)
def test_broken_invariants_are_told(change: Any, sentence: str) -> None:
    told = broken(change)
    assert any(sentence in each for each in told), told


def counters(s: State) -> set[str]:
    found = set(s.units) | {id + BIG for id, unit in s.units.items() if unit.size > 2}
    for power in s.scenario.powers:
        found |= {*s.pool[power], *(c for group in s.groups[power] for c in group)}
    return found | set(s.aside) | s.removed


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_counter_is_lost_in_play(scenario: str) -> None:
    game = sandtable.new("blitz", options={"scenario": scenario}, seed=3)
    rng = random.Random(3)
    before = counters(game.state)
    for _ in range(150):
        if game.result is not None:
            break
        request = game.pending[0]
        game.submit(request.power, game.legal(request).sample(rng))
        now = counters(game.state)
        assert before <= now, sorted(before - now)
        before = now


# --- scenarios in general ---------------------------------------------------------------------


@pytest.mark.rule("blitz:S.a")
@pytest.mark.rule("blitz:S.c")
def test_a_scenario_has_what_earlier_ones_introduced_and_no_more() -> None:
    assert introduced(opening("D"), "A")
    assert introduced(opening("D"), "D")
    assert not introduced(opening("D"), "E")
    assert all(introduced(opening("campaign"), letter) for letter in "ABCDEF")


@pytest.mark.rule("blitz:S.b")
def test_a_scenarios_own_rules_are_not_passed_on() -> None:
    """The Overseas Move, the second front and the garrison of Harbin are one scenario's each."""
    for key in ("overseas_move", "second_front", "soviets", "double_pick"):
        assert sum(key in FACTS.scenarios[each].own for each in SCENARIOS) == 1
    assert not FACTS.scenarios["campaign"].own


def _told(scenario: str, step: str, turn: int, **given: Any) -> set[str]:
    """What happens by itself in a step of a turn."""
    phase = "turn_end" if step == "spend" else "axis_activities"
    play = Play(scenario, base="setup", phase=phase, step=step, turn=turn, **given)
    return {event.kind for event in play.game.events}


@pytest.mark.rule("blitz:S.b")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_only_one_scenario_has_happens_in_no_other(scenario: str) -> None:
    """On the turns on which C loses Italy, D its second front opens, and F asks about Japan."""
    first, last = FACTS.scenarios[scenario].turns
    for turn in range(first, last + 1):
        told = _told(scenario, "begin", turn)
        assert ("control_taken" in told) == ((scenario, turn) == ("D", 9))
        if scenario not in ("A", "B"):
            asked = Play(scenario, base="setup", phase="turn_end", step="income", turn=turn)
            kinds = {event.kind for event in asked.game.events}
            assert ("italy_fell" in kinds) == (scenario == "C" and turn >= 7)


@pytest.mark.rule("blitz:S.b")
def test_land_that_is_in_play_in_other_scenarios_only_is_closed() -> None:
    s = opening("A")
    assert "rome" not in s.control
    refusal = stacking.refused(s, "ger_army_group_center", "rome")
    assert refusal is not None and refusal.rule == "S.b"


@pytest.mark.rule("blitz:1.10a")
def test_what_one_power_has_is_not_its_players_others() -> None:
    """One player runs both Allies. Oil of the one buys no Blitz for the other, a unit moves by its
    own power's decision, and each has a free GAR."""
    play = Play(
        "D",
        {"players": 2},
        base="setup",
        phase="allied_blitzes",
        step="blitz",
        oil={"ussr": 1, "western_allies": 0},
    )
    assert [request.power for request in play.game.pending] == ["ussr"]
    assert play.refused("ussr", AnnounceBlitz("total")) == "2.2b"
    play.do("ussr", AnnounceBlitz("land"))
    assert play.state.blitz == {"ussr": "land", "western_allies": "free"}
    play = Play(
        "D",
        {"players": 2},
        phase="allied_activities",
        step="E",
        units={"sov_western_front": "moscow", "afa_2nd_army": "london"},
    )
    with pytest.raises(sandtable.IllegalDecision, match="no such unit"):
        play.do("ussr", March("afa_2nd_army", ("scotland",)))
    play.do("ussr", Done()).do("western_allies", March("afa_2nd_army", ("scotland",)))
    books = Play("D", {"players": 2}, base="setup", phase="turn_end", step="income").state.books
    assert books["ussr"].free_gar and books["western_allies"].free_gar


@pytest.mark.rule("blitz:1.10a")
def test_rules_bind_a_power_and_not_its_player() -> None:
    """One player runs all Allies; each power is asked for itself all the same."""
    play = Play(
        "D",
        {"players": 2},
        phase="allied_activities",
        step="E",
        units={"sov_western_front": "moscow", "afa_2nd_army": "london"},
    )
    assert [request.power for request in play.game.pending] == ["ussr"]
    assert play.state.queue == ("ussr", "western_allies")
    assert NEUTRAL not in play.state.queue


@pytest.mark.rule("blitz:9.0a")
@pytest.mark.parametrize("scenario", ["A", "B", "C", "D", "E", "F"])
def test_the_road_to_war_is_refused_outside_the_campaign(scenario: str) -> None:
    with pytest.raises(sandtable.OptionError, match="campaign"):
        opening(scenario, road_to_war=True)


@pytest.mark.rule("blitz:9.1b")
@pytest.mark.parametrize("scenario", ["A", "B", "C", "D"])
def test_bidding_is_refused_where_players_are_not_ranked_by_points(scenario: str) -> None:
    with pytest.raises(sandtable.OptionError, match="no bidding"):
        opening(scenario, bidding=True)
    for later in ("E", "F"):
        opening(later, bidding=True)


# --- wherever a game can rest ---------------------------------------------------------------


@pytest.mark.parametrize("flag", ["italy_gone", "paris_fell", "a_bombed:mars", "double_pick:3", ""])
def test_a_flag_that_no_rule_sets_is_refused(flag: str) -> None:
    assert refused("C", flags=[flag]) == f"There is no flag {flag!r}."


def test_a_game_can_begin_at_spending() -> None:
    play = Play(
        phase="turn_end",
        step="spend",
        turn=3,
        units={"ger_18th_army": "berlin"},
        oil={"germany": 2},
        resources={"germany": 1},
    )
    assert play.request_of("germany").kind == "spend"
    book = play.state.books["germany"]
    assert (book.oil, book.resources, book.free_gar) == (2, 1, True), "without an income"
    play.do("germany", Build("ger_18th_army", 2, oil=0))
    for request in play.game.pending:
        play.do(request.power, Done())
    assert play.state.units["ger_18th_army"].size == 2
    assert play.state.turn == 4 and not play.state.books


def test_a_power_out_of_the_game_spends_nothing() -> None:
    gone = {country: "axis" for country, ally in opening("D").allied.items() if ally == "ussr"}
    s = position("D", phase="turn_end", step="spend", turn=4, conquered=gone)
    assert "ussr" not in s.books and "germany" in s.books


def test_a_neutral_country_can_hold_a_powers_counter() -> None:
    army = {"afa_armee_des_alpes": {"at": "algeria", "power": "neutral"}}
    s = position(units=army, control={"algeria": NEUTRAL})
    assert s.units["afa_armee_des_alpes"].power == NEUTRAL
    assert not audit.broken_invariants(s)
    assert "is neutral, but algeria is afa's" in refused(units=army)


def test_the_page_of_the_game_names_every_field_of_a_position() -> None:
    page = Path("docs/games/blitz.md").read_text()
    table = page.partition("## Custom positions")[2].partition("\n## ")[0]
    for field in (*Position.__struct_fields__, *Piece.__struct_fields__):
        assert f"`{field}`" in table or f"{field}," in table or f"{field}}}" in table, field


def test_an_area_that_came_into_play_is_in_play_when_the_position_is_made_again() -> None:
    s = opening("F")
    area = s.scenario.own["harbin"]["area"]
    assert area not in s.in_play
    open_area(s, area, "ussr")
    again = State.from_plain(s.plain(), s.facts, s.options)
    assert area in again.in_play
    assert again.in_play == s.in_play
    assert audit.broken_invariants(again) == []
