"""The set-up of both scenarios, custom positions, and who sits where (chapter 2)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw36 import RULES
from sandtable.games.gw36.audit import broken_invariants
from sandtable.games.gw36.facts import half_year
from sandtable.games.gw36.model import Facility, Job, Unit
from sandtable.games.gw36.rules.terms import on
from sandtable.kernel.errors import OptionError, PositionError
from tests.gw36.table import position, state

START: dict[str, Any] = {"turn": "germany", "phase": "production", "base": "setup"}


def total(options: dict[str, Any], type: str) -> int:
    s = state(**START, options=options)
    return sum(count for (_, each), count in s.opening.items() if each == type)


# The scenarios.


@pytest.mark.rule("gw36:2.5a")
@pytest.mark.parametrize("scenario", ["1936", "1939"])
@pytest.mark.parametrize("rules", ["basic", "recommended", "everything"])
def test_set_ups_are_sound(scenario: str, rules: str) -> None:
    s = state(**START, options={"scenario": scenario, "rules": rules})
    assert broken_invariants(s) == []
    # Aircraft at sea are on their carriers.
    carriers = [unit for unit in s.stack("sz_056") if unit.type == "light_carrier"]
    assert [len(unit.cargo) for unit in carriers] == [1]
    assert not any(s.facts.units[u.type].air for zone in s.facts.sea for u in s.stack(zone))


@pytest.mark.rule("gw36:2.5a")
def test_ships_under_construction_are_on_the_chart() -> None:
    s = state(**START)
    assert Job("germany", "battlecruiser", 1) in s.track
    assert Job("germany", "submarine", 0) in s.track
    s = state(**START, options={"ships_under_construction": True})
    assert Job("japan", "fleet_carrier", 2, at="tokyo") in s.track
    assert Job("germany", "battlecruiser", 1) in s.track


@pytest.mark.rule("gw36:2.5b")
def test_neutrals_have_their_forces() -> None:
    s = state(**START)
    assert s.stack("belgium") == {Unit("belgium", "infantry"): 4}
    assert s.stack("sz_013")[Unit("denmark", "coastal_defense_ship")] == 1
    # Reinforcements that have come before the scenario begins are there.
    s = state(**START, options={"scenario": "1939"})
    assert s.stack("belgium") == {Unit("belgium", "infantry"): 5}


@pytest.mark.rule("gw36:2.5c")
@pytest.mark.rule("gw36:1.4a")
@pytest.mark.rule("gw36:1.22a")
def test_facilities_stand_at_the_start() -> None:
    s = state(**START)
    assert Facility("minor_port", "sz_026") in s.facilities["picardy"]
    assert Facility("major_factory") in s.facilities["berlin"]
    assert Facility("maginot", "bavaria") in s.facilities["alsace_lorraine"]
    assert Facility("fortification", "leningrad") in s.facilities["karjala"]


@pytest.mark.rule("gw36:2.5e")
@pytest.mark.rule("gw36:nrs-usa-a")
@pytest.mark.rule("gw36:nrs-usa-b")
def test_cash_and_income_are_those_of_the_sheets() -> None:
    s = state(**START)
    assert (s.treasury["usa"], s.income["usa"]) == (6, 6)
    assert (s.treasury["great_britain"], s.income["germany"]) == (11, 20)
    s = state(**START, options={"scenario": "1939"})
    assert (s.treasury["usa"], s.income["usa"]) == (16, 16)
    # The sheet gives ANZAC less in hand than it earns.
    assert (s.treasury["anzac"], s.income["anzac"]) == (4, 7)


@pytest.mark.rule("gw36:2.4a")
def test_every_nation_has_a_sheet_with_rules_of_its_own() -> None:
    sheets = state(**START).facts.sheets
    assert {*sheets} == {*RULES.powers}
    assert "tiger" in sheets["germany"].units
    assert "tiger" not in sheets["italy"].units
    # China builds no armor and no facilities, whatever the rulebook prices.
    assert not {"light_armor", "fighter"} & {*sheets["kmt"].units}
    assert not sheets["ccp"].facilities
    # Germany has medium armor earlier than the others.
    dates = [sheets[nation].available["medium_armor"] for nation in ("germany", "ussr")]
    assert dates == [half_year("1938-07"), half_year("1940-01")]


@pytest.mark.rule("gw36:2.5f")
def test_the_calendar() -> None:
    assert state(**START).date == half_year("1936-07")
    assert half_year("1936-07") + 1 == half_year("1937-01")
    assert half_year("1937-01") + 1 == half_year("1937-07")
    assert RULES.rounds(state(**START, date="1937-01")) == 2


@pytest.mark.rule("gw36:12.2.mountain-d")
def test_mountain_infantry_is_infantry_where_mountains_are_none() -> None:
    with_, without = {"mountains": True}, {"mountains": False}
    assert total(without, "mountain_infantry") == 0
    assert total(with_, "mountain_infantry") > 0
    both = total(with_, "mountain_infantry") + total(with_, "infantry")
    assert total(without, "infantry") == both


@pytest.mark.rule("gw36:15.9a")
def test_early_fighters() -> None:
    assert total({}, "early_fighter") == 0
    assert total({"early_fighters": True}, "fighter") == 0
    assert total({"early_fighters": True}, "early_fighter") == total({}, "fighter")


# Options and seats.


@pytest.mark.rule("gw36:0.6a")
@pytest.mark.rule("gw36:2.2a")
def test_optional_rules_are_off_unless_chosen() -> None:
    s = state(**START, options={"rules": "basic"})
    assert not any(on(s, switch) for switch in s.facts.sets["everything"])
    s = state(**START, options={"rules": "basic", "rivers": True})
    assert [x for x in sorted(s.facts.sets["everything"]) if on(s, x)] == ["rivers"]
    s = state(**START, options={"rules": "everything", "rivers": False})
    assert not on(s, "rivers")
    assert on(s, "mines")
    with pytest.raises(OptionError, match="takes None, True, False"):
        state(**START, options={"rivers": "yes"})


def test_every_switch_is_an_option() -> None:
    s = state(**START)
    others = {"scenario", "rules", "players"}
    assert {*RULES.options} - others == s.facts.sets["everything"]
    assert RULES.powers == s.facts.powers


AXIS = {"germany", "italy", "japan"}
COMMONWEALTH = {"great_britain", "fec", "anzac"}
WEST = {"usa", "kmt"}
FRANCE = {"france", "free_france"}
TABLE_2_1 = [
    pytest.param(2, [AXIS], marks=pytest.mark.rule("gw36:table-2-1a")),
    pytest.param(
        *(3, [AXIS, {"ussr", "ccp"}, COMMONWEALTH | WEST | FRANCE]),
        marks=pytest.mark.rule("gw36:table-2-1b"),
    ),
    pytest.param(
        *(4, [{"germany", "italy"}, {"japan"}, COMMONWEALTH | WEST | FRANCE]),
        marks=pytest.mark.rule("gw36:table-2-1c"),
    ),
    pytest.param(
        *(5, [{"germany", "italy"}, COMMONWEALTH, WEST | FRANCE]),
        marks=pytest.mark.rule("gw36:table-2-1d"),
    ),
    pytest.param(
        *(6, [{"germany"}, {"italy"}, COMMONWEALTH, WEST | FRANCE]),
        marks=pytest.mark.rule("gw36:table-2-1e"),
    ),
    pytest.param(
        *(7, [{"great_britain"}, {"fec", "anzac"}, WEST | FRANCE]),
        marks=pytest.mark.rule("gw36:table-2-1f"),
    ),
    pytest.param(8, [{"fec", "anzac"}, WEST, FRANCE]),
]


@pytest.mark.rule("gw36:2.3a")
@pytest.mark.parametrize(("players", "some"), TABLE_2_1)
def test_seats(players: int, some: list[set[str]]) -> None:
    seats = [{*seat} for seat in RULES.seats({"players": players})]
    assert len(seats) == players
    assert sorted(nation for seat in seats for nation in seat) == sorted(RULES.powers)
    assert all(seat in seats for seat in some)


def test_without_a_number_every_nation_is_a_seat() -> None:
    assert RULES.seats({"players": None}) == tuple((power,) for power in RULES.powers)


# Custom positions.


def test_an_empty_base_has_no_units_and_all_else() -> None:
    s = state(units={"berlin": {"germany": "3 infantry, fighter"}})
    assert dict(s.at) == {
        "berlin": {Unit("germany", "infantry"): 3, Unit("germany", "fighter"): 1},
    }
    assert (s.possession["paris"], s.income["germany"]) == ("france", 20)
    assert s.facilities["berlin"]
    assert s.opening == {("germany", "fighter"): 1, ("germany", "infantry"): 3}


def test_named_units_take_the_place_of_those_of_the_set_up() -> None:
    s = state(base="setup", units={"berlin": {"germany": {"infantry": 1}}})
    assert s.stack("berlin")[Unit("germany", "infantry")] == 1
    assert s.stack("berlin")[Unit("germany", "fighter")] == 1


def test_the_clock() -> None:
    s = state("fec", "noncombat_move", "1942-07")
    assert (s.date, s.phase) == (half_year("1942-07"), "noncombat_move")
    assert s.facts.order[s.slot] == ("great_britain", "fec", "anzac")
    assert (s.mover, s.finished) == ("fec", frozenset({"great_britain"}))
    s = state("great_britain")
    assert (s.mover, s.finished) == ("", frozenset())


def test_units_with_cargo_damage_and_duty() -> None:
    s = state(
        units={
            "sz_027": {
                "germany": {
                    "battleship": [{"hits": 1}, {"count": 2}],
                    "naval_transport": [
                        {
                            "duty": "landing",
                            "target": "netherlands",
                            "cargo": [{"type": "infantry", "duty": "assault"}, "italy artillery"],
                        }
                    ],
                    "fleet_carrier": 1,
                    "fighter": 2,
                    "submarine": [{"duty": "submerged"}],
                }
            }
        }
    )
    stack = s.stack("sz_027")
    assert stack[Unit("germany", "battleship", hits=1)] == 1
    assert stack[Unit("germany", "battleship")] == 2
    assert stack[Unit("germany", "submarine", duty="submerged")] == 1
    fighter = Unit("germany", "fighter")
    assert stack[Unit("germany", "fleet_carrier", cargo=(fighter, fighter))] == 1
    cargo = (Unit("germany", "infantry", duty="assault"), Unit("italy", "artillery"))
    ship = Unit("germany", "naval_transport", duty="landing", target="netherlands", cargo=cargo)
    assert stack[ship] == 1


def test_alignment_makes_a_minor_power_part_of_its_major() -> None:
    s = state(base="setup", aligned={"poland": "great_britain"})
    assert s.possession["warsaw"] == "great_britain"
    assert not s.presence.get("poland")
    assert Unit("great_britain", "infantry") in s.stack("warsaw")


def test_politics_and_money() -> None:
    s = state(
        wars=[("fec", "japan"), ("usa", "japan")],
        control={"yugoslavia": "germany", "abyssinia": ""},
        possession={"warsaw": "germany"},
        pacts=["molotov_ribbentrop"],
        income={"usa": 63},
        treasury={"usa": 5},
        tech={"fec": {"radar": 3}},
        production=[{"nation": "usa", "what": "battleship", "left": 2, "for": "ussr"}],
        facilities={"warsaw": [{"type": "minor_factory", "damage": 2}, "air_base"], "paris": []},
        railways=[{"between": ["warsaw", "lubelskie"], "gauge": "broad", "damage": 1}],
        raided={"mediterranean": {"great_britain": 4}},
        vichy="active",
        marks=["argentina", "increase:usa:3:warsaw"],
        counts={"balkans": 2, "raider:mediterranean:great_britain": 1},
    )
    assert s.wars == {("great_britain", "japan"), ("japan", "usa")}
    assert s.control == {
        "spain_nationalist": "germany",
        "spain_republican": "ussr",
        "vichy_france": "germany",
        "yugoslavia": "germany",
    }
    assert (s.possession["warsaw"], s.pacts) == ("germany", {"molotov_ribbentrop"})
    assert (s.income["usa"], s.treasury["usa"], s.tech["great_britain", "radar"]) == (63, 5, 3)
    assert s.track == (Job("usa", "battleship", 2, for_="ussr"),)
    assert s.facilities["warsaw"] == (Facility("air_base"), Facility("minor_factory", damage=2))
    assert "paris" not in s.facilities
    assert s.railways["lubelskie", "warsaw"] == "broad"
    assert s.rail_damage == {("lubelskie", "warsaw"): 1}
    assert s.raided == {("mediterranean", "great_britain"): 4}
    assert (s.vichy, s.marks) == ("active", {"argentina", "increase:usa:3:warsaw"})
    assert s.counts == {"balkans": 2, "raider:mediterranean:great_britain": 1}


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"unit": {}}, "The position is malformed: Object contains unknown field `unit`."),
        ({"base": "full"}, "base is 'setup' or 'empty', not 'full'."),
        ({"turn": "poland"}, "turn: there is no 'poland' here."),
        ({"phase": "lunch"}, "phase: there is no 'lunch' here."),
        ({"marks": ["brazil"]}, "marks: there is no 'brazil' here."),
        ({"counts": {"raider:x:usa": 1}}, "counts: there is no 'raider:x:usa' here."),
        ({"date": "1940-03"}, "The position is malformed"),
        ({"units": {"berlim": {}}}, "units: there is no 'berlim' here."),
        ({"units": {"berlin": {"prussia": {}}}}, "units.berlin: there is no 'prussia' here."),
        (
            {"units": {"berlin": {"germany": {"knight": 1}}}},
            "units.berlin.germany: there is no 'knight' here.",
        ),
        (
            {"units": {"berlin": {"germany": {"destroyer": 1}}}},
            "Germany Destroyer in Berlin: ships are at sea.",
        ),
        (
            {"units": {"sz_027": {"germany": {"infantry": 1}}}},
            "land units are at sea only aboard ships.",
        ),
        (
            {"units": {"sz_027": {"germany": {"fighter": 1}}}, "phase": "production"},
            "aircraft at sea are on carriers or on patrol.",
        ),
        (
            {"units": {"sz_027": {"germany": {"battleship": [{"hits": 2}]}}}},
            "units.sz_027.germany.battleship.hits: a Battleship sinks with 2 hits.",
        ),
        (
            {"units": {"berlin": {"germany": {"infantry": [{"duty": "convoy"}]}}}},
            "units.berlin.germany.infantry.duty: convoy is no duty of Infantry.",
        ),
        (
            {
                "units": {
                    "sz_027": {
                        "germany": {"naval_transport": [{"cargo": ["artillery", "light_armor"]}]}
                    }
                }
            },
            "cannot carry Germany Artillery, Germany Light Armor.",
        ),
        (
            {"units": {"paris": {"germany": {"infantry": 1}}}, "wars": [["germany", "france"]]},
            "Germany Infantry is in Paris, which is France's.",
        ),
        ({"possession": {"sz_001": "usa"}}, "possession: there is no 'sz_001' here."),
        ({"control": {"france": "germany"}}, "control: France is no Minor Power."),
        ({"wars": [["fec", "anzac"]]}, "wars: Great Britain cannot be at war with itself."),
        ({"pacts": ["steel"]}, "pacts: there is no 'steel' here."),
        ({"tech": {"usa": {"radar": 4}}}, "tech.usa.radar: it has only 3 stages."),
        ({"income": {"usa": -1}}, "The position is malformed"),
        (
            {"facilities": {"berlin": ["minor_port sz_001"]}},
            "facilities.berlin: there is no 'sz_001' here.",
        ),
        (
            {"facilities": {"berlin": [{"type": "minor_factory", "damage": 6}]}},
            "facilities.berlin: a Minor Factory has at most 5 damage.",
        ),
        (
            {"railways": [{"between": ["berlin", "paris"]}]},
            "railways: berlin and paris are not neighbours by land.",
        ),
        (
            {"raided": {"mediterranean": {"great_britain": 7}}},
            "raided.mediterranean: Great Britain can lose 6 there.",
        ),
        (
            {"production": [{"nation": "usa", "what": "castle", "left": 1}]},
            "production: there is no 'castle' here.",
        ),
        (
            {"canal_damage": {"strait_of_gibraltar": 1}},
            "canal_damage.strait_of_gibraltar: only canals are damaged.",
        ),
    ],
)
def test_bad_positions_are_refused(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(PositionError) as caught:
        RULES.start(RULES.read_options({}), {**position(), **fields}, None)
    assert reason in str(caught.value)


def test_in_war_with_a_major_power_an_income_is_what_the_zones_are_worth() -> None:
    s = state(wars=[("germany", "ussr")], possession={"warsaw": "germany"})
    worth = sum(s.facts.zones[z].ipp for z, owner in s.possession.items() if owner == "ussr")
    assert s.income["ussr"] == worth == 46
    assert s.income["germany"] == 20 + s.facts.zones["warsaw"].ipp
    assert s.income["usa"] == 6  # at peace
    assert state(wars=[("germany", "ussr")], income={"ussr": 30}).income["ussr"] == 30
    assert state(wars=[("kmt", "great_britain")]).income["great_britain"] == 11  # a Minor Power


def test_passages_are_closed_to_enemies_unless_the_position_says_otherwise() -> None:
    fields: dict[str, Any] = {
        "wars": [("germany", "great_britain")],
        "possession": {"denmark": "germany"},
    }
    s = state(**fields)
    assert ("danish_straits", "great_britain") in s.closed
    assert ("suez_canal", "germany") in s.closed
    assert ("suez_canal", "italy") not in s.closed
    assert state(**fields, closed=[]).closed == frozenset()


def test_a_civil_war_that_is_won_leaves_nothing_of_the_loser() -> None:
    s = state(**START, spain="republican", abyssinia="italy")
    assert not {"spain_nationalist", "abyssinia"} & {*s.possession.values()}
    assert not s.presence.get("spain_nationalist") and not s.presence.get("abyssinia")
    assert not {"spain_nationalist", "spain_republican", "abyssinia"} & {*s.control}
    assert s.presence["spain_republican"] and s.possession["abyssinia"] == "italy"
    assert not any("spain_republican" in war or "abyssinia" in war for war in s.wars)
    s = state(**START, spain="nationalist", control={"spain_nationalist": "germany"})
    assert s.control["spain_nationalist"] == "germany"
    assert "spain_republican" not in s.possession.values()
    assert state(**START).control["abyssinia"] == "france"
