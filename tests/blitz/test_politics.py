"""Declarations of war and whom they ally (3.0-3.2, A.1, F.1)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import astuple

from sandtable.games.blitz.rules.consequences import declare_war, open_phase
from sandtable.games.blitz.rules.neutral_entry import go_to_war
from sandtable.games.blitz.rules.politics import check_declaration, declarations
from sandtable.games.blitz.rules.sides import at_war, enemies, is_neutral, may_attack
from sandtable.games.blitz.rules.stacking import refused
from sandtable.games.blitz.rules.steps import DeclareWar, Wait
from sandtable.kernel.errors import IllegalDecision
from tests.blitz.table import Play, position, run

ALLIED = "allied_activities"


def at(phase: str = "axis_activities", scenario: str = "campaign", **given: Any) -> Any:
    return position(scenario, phase=phase, step="E", **given)


def declare(s: Any, power: str, on: str) -> None:
    check_declaration(s, power, on)
    assert on in declarations(s, power)
    run(s, lambda g: declare_war(g, power, on))


def refusal(s: Any, power: str, on: str) -> str:
    assert on not in declarations(s, power)
    with pytest.raises(IllegalDecision) as raised:
        check_declaration(s, power, on)
    return raised.value.rule


# --- scenario A -------------------------------------------------------------------------------


@pytest.mark.rule("blitz:A.1a")
@pytest.mark.rule("blitz:A.1b")
def test_in_scenario_a_germany_may_declare_war_on_the_low_countries() -> None:
    play = Play("A", base="setup", phase="axis_activities", step="E")
    play.do("germany", DeclareWar("belgium_netherlands"))
    s = play.state
    assert s.control["belgium_netherlands"] == "afa"
    army = s.units["min_belg_neth_army"]
    assert (army.power, army.at) == ("afa", "belgium_netherlands")


@pytest.mark.rule("blitz:A.1a")
@pytest.mark.rule("blitz:A.1b")
def test_in_scenario_a_the_afa_may_do_so_too() -> None:
    s = at(ALLIED, "A")
    declare(s, "afa", "belgium_netherlands")
    assert s.control["belgium_netherlands"] == "germany"
    assert s.units["min_belg_neth_army"].power == "germany"


@pytest.mark.rule("blitz:A.1c")
def test_in_scenario_a_there_is_no_other_declaration() -> None:
    s = at(scenario="A")
    assert declarations(s, "germany") == ["belgium_netherlands"]
    for on in ("poland", "afa", "france", "nowhere"):
        assert refusal(s, "germany", on) == "A.1c"
    assert declarations(at(scenario="D"), "germany") == []


# --- who is at war ----------------------------------------------------------------------------


@pytest.mark.rule("blitz:3.1a")
def test_at_the_start_the_afa_with_poland_is_at_war_with_germany() -> None:
    s = at(units={"afa_polish_army": "poland", "ger_18th_army": "berlin"})
    assert at_war(s, "afa", "germany") and s.allied["poland"] == "afa"
    assert enemies(s, "afa_polish_army", "ger_18th_army")
    assert refusal(s, "germany", "afa") == "3.2a"


@pytest.mark.rule("blitz:3.1b")
def test_at_the_start_japan_fights_china_but_not_the_usa() -> None:
    s = at(units={"usa_warlords": "chungking", "usa_marines": "west_coast", "jap_snlf": "peking"})
    assert s.allied["china"] == "usa" and not at_war(s, "japan", "usa")
    assert enemies(s, "usa_warlords", "jap_snlf")
    assert not enemies(s, "usa_marines", "jap_snlf")
    assert may_attack(s, "jap_snlf", "chungking") and not may_attack(s, "jap_snlf", "hawaii")


# --- what may be declared ---------------------------------------------------------------------


@pytest.mark.rule("blitz:3.2a")
@pytest.mark.rule("blitz:F.1a")
def test_neutrals_and_enemy_powers_not_yet_at_war_are_open() -> None:
    s = at(turn=5)
    assert set(declarations(s, "japan")) >= {"afa", "usa", "ussr", "sweden", "belgium_netherlands"}
    assert {"usa", "ussr", "norway", "brazil"} <= set(declarations(s, "germany"))
    assert "afa" not in declarations(s, "germany")
    for nothing in ("ukraine", "vichy_france", "atlantis", "paris", ""):
        assert refusal(s, "germany", nothing) == "3.2a"


@pytest.mark.rule("blitz:3.2b")
def test_ones_own_side_is_closed() -> None:
    s = at(conquered={"norway": "axis"}, control={"norway": "germany"})
    for on in ("japan", "germany", "libya", "manchuria_korea", "norway"):
        assert refusal(s, "germany", on) == "3.2b"


@pytest.mark.rule("blitz:3.2c")
def test_a_country_that_an_enemy_has_is_closed() -> None:
    s = at()
    for on in ("china", "philippines", "egypt", "great_britain"):
        assert refusal(s, "japan", on) == "3.2c"


@pytest.mark.rule("blitz:3.2d")
@pytest.mark.rule("blitz:F.1a")
@pytest.mark.parametrize("scenario", ["F", "campaign"])
def test_germany_and_the_ussr(scenario: str) -> None:
    assert refusal(at(scenario=scenario, turn=4), "germany", "ussr") == "3.2d"
    declare(at(scenario=scenario, turn=5), "germany", "ussr")
    declare(at(scenario=scenario, turn=2, control={"paris": "germany"}), "germany", "ussr")


def test_japanese_paris_does_not_open_the_ussr_to_germany() -> None:
    assert refusal(at(turn=4, control={"paris": "japan"}), "germany", "ussr") == "3.2d"


@pytest.mark.rule("blitz:3.2e")
@pytest.mark.rule("blitz:F.1a")
def test_the_usa_declares_on_nobody_until_it_is_at_war() -> None:
    s = at(ALLIED, entry={"usa": 14})
    assert declarations(s, "usa") == []
    for on in ("japan", "germany", "sweden"):
        assert refusal(s, "usa", on) == "3.2e"
    run(s, lambda g: go_to_war(g, "japan", "usa"))
    assert {"germany", "sweden"} <= set(declarations(s, "usa"))


@pytest.mark.rule("blitz:3.2f")
@pytest.mark.rule("blitz:F.1a")
def test_the_ussr_has_four_closed_targets_and_no_others() -> None:
    s = at(ALLIED, entry={"ussr": 14})
    for on in ("germany", "sweden", "finland", "central_europe"):
        assert refusal(s, "ussr", on) == "3.2f"
    assert {"japan", "turkey", "norway", "near_east", "balkans"} <= set(declarations(s, "ussr"))
    run(s, lambda g: go_to_war(g, "ussr", "germany"))
    assert "sweden" in declarations(s, "ussr")


@pytest.mark.rule("blitz:3.2g")
def test_war_with_japan_makes_the_ussr_active_but_lifts_no_restriction() -> None:
    s = at(ALLIED)
    declare(s, "ussr", "japan")
    assert not is_neutral(s, "ussr")
    assert refusal(s, "ussr", "germany") == "3.2f"


@pytest.mark.rule("blitz:3.2h")
@pytest.mark.rule("blitz:F.1a")
def test_no_ally_declares_on_four_american_countries() -> None:
    s = at(ALLIED, wars=[("germany", "usa"), ("germany", "afa"), ("germany", "ussr")])
    for power in ("afa", "usa", "ussr"):
        for on in ("brazil", "chile", "mexico", "venezuela"):
            assert refusal(s, power, on) == "3.2h"
        assert "argentina" in declarations(s, power)
    assert {"brazil", "chile", "mexico", "venezuela"} <= set(declarations(at(), "japan"))


@pytest.mark.rule("blitz:3.2i")
def test_only_the_usa_and_the_ussr_are_ever_neutral_powers() -> None:
    s = at()
    assert [power for power in s.scenario.powers if is_neutral(s, power)] == ["usa", "ussr"]
    run(s, lambda g: go_to_war(g, "germany", "ussr"))
    assert [power for power in s.scenario.powers if is_neutral(s, power)] == ["usa"]


def test_garbage_is_refused_in_play() -> None:
    play = Play("campaign", base="setup", phase="axis_activities", step="E")
    for on in ("", "germany", "netherlands_east_indies", "ger_18th_army", "north_sea"):
        assert play.refused("germany", DeclareWar(on))


# --- who allies -------------------------------------------------------------------------------


@pytest.mark.rule("blitz:3.2.align-a")
@pytest.mark.rule("blitz:F.1b")
@pytest.mark.parametrize("scenario", ["F", "campaign"])
def test_by_default_the_afa_or_germany_allies_and_sets_up(scenario: str) -> None:
    s = at(scenario=scenario)
    declare(s, "germany", "sweden")
    assert s.allied["sweden"] == s.control["sweden"] == "afa"
    assert astuple(s.units["min_swedish_army"])[:3] == ("afa", 2, "sweden")
    assert s.units["min_swedish_fleet"].port == "baltic_sea"
    assert "sweden" not in s.trades
    s = at(ALLIED, scenario=scenario)
    declare(s, "afa", "norway")
    assert s.allied["norway"] == s.control["norway"] == "germany"
    assert s.units["min_norwegian_army"].power == "germany"


@pytest.mark.rule("blitz:3.2.align-b")
def test_japan_gets_south_east_asia() -> None:
    s = at(ALLIED)
    declare(s, "afa", "south_east_asia")
    assert s.allied["south_east_asia"] == "japan"


@pytest.mark.rule("blitz:3.2.align-c")
@pytest.mark.parametrize(
    ("country", "power"),
    [
        *(
            (country, "usa")
            for country in (
                "mexico",
                "central_america",
                "brazil",
                "latin_america",
                "chile",
                "paraguay_uruguay",
            )
        ),
        ("venezuela", "afa"),
        ("argentina", "afa"),
    ],
)
def test_who_gets_american_countries(country: str, power: str) -> None:
    s = at()
    declare(s, "germany", country)
    assert s.allied[country] == power
    assert {unit.power for unit in s.units.values()} == {power}


@pytest.mark.rule("blitz:3.2.align-d")
def test_an_ally_on_the_low_countries_splits_them() -> None:
    s = at(ALLIED)
    declare(s, "afa", "belgium_netherlands")
    assert s.control["belgium_netherlands"] == "germany"
    assert {s.control[area] for area in ("borneo", "hollandia", "java")} == {"japan"}
    assert s.units["min_belg_neth_army"].power == "germany"
    assert s.units["min_knil"].power == s.units["min_dutch_fleet"].power == "japan"


@pytest.mark.rule("blitz:3.2.align-d")
def test_the_axis_on_the_low_countries_gives_the_afa_all() -> None:
    s = at()
    assert refusal(s, "japan", "netherlands_east_indies") == "3.2.align-d"
    declare(s, "germany", "belgium_netherlands")
    for area in ("belgium_netherlands", "borneo", "hollandia", "java"):
        assert s.control[area] == "afa"


@pytest.mark.rule("blitz:F.1c")
def test_a_new_allys_enemy_bars_the_country_until_one_is_at_war_with_him() -> None:
    s = at(units={"afa_bef": {"at": "london"}})
    declare(s, "japan", "ireland")
    assert s.minor_wars == {("china", "japan"), ("ireland", "japan")}
    found = refused(s, "afa_bef", "ireland")
    assert found is not None and found.rule == "3.2.align-e"
    run(s, lambda g: go_to_war(g, "japan", "afa"))
    assert s.minor_wars == {("china", "japan")}
    assert refused(s, "afa_bef", "ireland") is None


@pytest.mark.rule("blitz:3.2.align-e")
def test_ex_3_2_turkey() -> None:
    s = at(ALLIED, units={"ger_18th_army": "balkans"}, control={"balkans": "germany"})
    declare(s, "ussr", "turkey")
    assert s.allied["turkey"] == "germany" and not at_war(s, "germany", "ussr")
    for area in ("istanbul", "ankara"):
        found = refused(s, "ger_18th_army", area)
        assert found is not None and found.rule == "3.2.align-e"
        assert refused(s, "min_1st_army", area) is None
    assert not may_attack(s, "ger_18th_army", "caucasus_mountains")
    assert may_attack(s, "min_1st_army", "caucasus_mountains")


def test_ex_3_3_benelux() -> None:
    play = Play(
        turn=2,
        phase="axis_activities",
        step="E",
        units={"jap_snlf": "caroline_islands", "ger_18th_army": "berlin"},
    )
    play.do("germany", DeclareWar("belgium_netherlands"), Wait())
    assert play.state.allied["south_east_asia"] == ""
    play.do("japan", DeclareWar("afa"))
    s = play.state
    assert s.allied["belgium_netherlands"] == s.control["borneo"] == "afa"
    assert s.control["south_east_asia"] == "japan"
    assert may_attack(s, "min_thai_army", "burma")
    assert may_attack(s, "jap_snlf", "borneo"), "without a further declaration"


# --- when -------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:3.0a")
def test_war_can_be_declared_in_any_step_of_ones_own_side() -> None:
    for phase, step, power in (
        ("axis_activities", "A", "germany"),
        ("axis_activities", "D", "germany"),
        ("axis_activities", "F", "germany"),
        ("allied_activities", "B", "afa"),
    ):
        play = Play("campaign", base="setup", phase=phase, step=step)
        play.do(power, DeclareWar("norway"))
        assert play.events("war_declared") == [{"power": power, "against": "norway"}]
        assert play.state.allied["norway"], "resolved at once"


@pytest.mark.rule("blitz:3.0b")
def test_alliances_of_the_other_side_wait_for_its_own_phase() -> None:
    s = at(ALLIED, entry={"ussr": 4})
    run(s, lambda g: go_to_war(g, "ussr", "germany"))
    assert s.allied["finland"] == s.allied["central_europe"] == ""
    s.phase = "axis_blitzes"
    run(s, open_phase)
    assert s.allied["finland"] == s.allied["central_europe"] == "germany"


@pytest.mark.rule("blitz:3.0b")
def test_a_declaration_allies_during_the_other_sides_phase() -> None:
    s = at("axis_blitzes")
    run(s, lambda g: declare_war(g, "germany", "norway"))
    assert s.allied["norway"] == "afa"


# --- after the Road to War --------------------------------------------------------------------


def test_the_road_to_war_lifts_restrictions_unless_its_options_were_played() -> None:
    s = at(flags=["road_to_war"])
    check_declaration(s, "germany", "ussr")
    s = at(flags=["road_to_war", "secret_german_pact"])
    assert refusal(s, "germany", "ussr") == "3.2d"
    s = at(ALLIED, flags=["road_to_war"])
    for on in ("germany", "sweden", "finland"):
        check_declaration(s, "ussr", on)
    check_declaration(s, "afa", "brazil")
    s = at(
        ALLIED, flags=["road_to_war", "secret_soviet_pact", "monroe_doctrine"], trades=["sweden"]
    )
    for on in ("germany", "sweden"):
        assert refusal(s, "ussr", on) == "3.2f"
    check_declaration(s, "ussr", "finland")
    assert refusal(s, "afa", "brazil") == "3.2h"


def test_a_neutral_china_joins_the_usa_or_japan() -> None:
    china = {"chungking": "", "lan_chow": "", "canton": "", "peking": ""}
    given: dict[str, Any] = {
        "allied": {"china": ""},
        "control": china,
        "minor_wars": [],
        "flags": ["road_to_war", "china_neutral"],
    }
    s = at(**given)
    declare(s, "japan", "china")
    assert s.allied["china"] == "usa" and s.minor_wars == {("china", "japan")}
    s = at(ALLIED, **given)
    declare(s, "ussr", "china")
    assert s.allied["china"] == "japan"
