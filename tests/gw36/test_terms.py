"""The words of the rules (0.9): Alliance, Aligned, Control, Possession, Friendly, Enemy."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw36.audit import broken_invariants
from sandtable.games.gw36.model import Unit
from sandtable.games.gw36.rules.terms import (
    acting,
    aligned,
    alliance,
    at_war_with_major,
    commander,
    enemies,
    foes,
    friendly,
    friendly_unit,
    half,
    has_tech,
    is_major,
    power_of,
)
from tests.gw36.table import state

WAR = [("germany", "france"), ("germany", "great_britain")]


@pytest.mark.rule("gw36:0.2a")
def test_fractions_are_rounded_up() -> None:
    assert [half(number) for number in range(6)] == [0, 1, 1, 2, 2, 3]


@pytest.mark.rule("gw36:0.9.alliance-a")
def test_three_alliances() -> None:
    s = state(wars=[])
    assert {alliance(s, power) for power in s.facts.powers} == {"axis", "allies", "comintern"}
    assert alliance(s, "poland") == ""
    # A Minor Power can be added to one; Control is not enough.
    assert alliance(state(aligned={"poland": "great_britain"}), "poland") == "allies"
    assert alliance(state(control={"poland": "great_britain"}), "poland") == ""


@pytest.mark.rule("gw36:0.9.aligned-a")
@pytest.mark.rule("gw36:4.4a")
@pytest.mark.parametrize(
    ("one", "other", "wars", "are"),
    [
        ("great_britain", "france", WAR, True),
        # One Alliance, but no common enemy.
        ("great_britain", "usa", WAR, False),
        ("germany", "italy", [], False),
        ("germany", "italy", [("germany", "france"), ("italy", "great_britain")], False),
        ("germany", "italy", [("germany", "france"), ("italy", "france")], True),
        # The common enemy has to be a Major Power.
        ("germany", "japan", [("germany", "poland"), ("japan", "poland")], False),
        ("germany", "japan", [("germany", "kmt"), ("japan", "kmt")], False),
        # A common enemy does not join two Alliances.
        ("ussr", "great_britain", [("ussr", "germany"), ("great_britain", "germany")], False),
        # A player's Minor Power is Aligned by the same rule.
        ("usa", "kmt", [("usa", "japan"), ("kmt", "japan")], True),
        ("usa", "kmt", [("kmt", "japan")], False),
    ],
)
def test_aligned(one: str, other: str, wars: list[tuple[str, str]], are: bool) -> None:
    s = state(wars=wars)
    assert aligned(s, one, other) == aligned(s, other, one) == are


@pytest.mark.rule("gw36:2.3b")
@pytest.mark.rule("gw36:2.3f")
def test_the_commonwealth_is_one_major_power() -> None:
    s = state(wars=[("anzac", "japan")])
    assert power_of(s, "fec") == power_of(s, "anzac") == "great_britain"
    assert enemies(s, "fec", "japan")
    assert aligned(s, "fec", "anzac")
    assert aligned(state(wars=[]), "fec", "great_britain")
    # Treasuries are their own.
    assert s.treasury["fec"] != s.treasury["great_britain"]


@pytest.mark.rule("gw36:2.3c")
def test_the_commonwealth_shares_its_technologies() -> None:
    s = state(tech={"great_britain": {"radar": 3}})
    assert has_tech(s, "anzac", "radar")
    assert not has_tech(s, "france", "radar")
    assert not has_tech(state(tech={"great_britain": {"radar": 2}}), "anzac", "radar")


@pytest.mark.rule("gw36:0.9.enemy-a")
def test_enemies_are_at_war_with_each_other() -> None:
    s = state(wars=WAR, aligned={"belgium": "france"})
    assert enemies(s, "germany", "france")
    assert enemies(s, "belgium", "germany")
    assert not enemies(s, "italy", "france")
    assert not enemies(s, "germany", "ussr")
    assert foes(s, "germany") == {"france", "great_britain"}
    assert foes(s, "anzac") == {"germany"}


@pytest.mark.rule("gw36:0.9.friendly-a")
def test_friendly_is_ones_own_or_of_an_aligned_nation() -> None:
    s = state(wars=WAR)
    assert friendly(s, "france", "paris")
    assert friendly(s, "france", "london")
    assert friendly(s, "france", "sydney")
    assert not friendly(s, "france", "washington_dc")
    assert not friendly(s, "italy", "berlin")
    assert friendly_unit(s, "france", Unit("fec", "infantry"))
    assert not friendly_unit(s, "france", Unit("usa", "infantry"))


@pytest.mark.rule("gw36:0.1a")
def test_control_possession_and_alignment_are_three_things() -> None:
    fields: dict[str, Any] = {"wars": WAR, "control": {"belgium": "france"}}
    s = state(**fields)
    # Whoever Controls it decides for it, and neither owns it nor has it for a friend.
    assert commander(s, "belgium") == "france"
    assert s.possession["belgium"] == "belgium"
    assert not friendly(s, "france", "belgium")
    assert not aligned(s, "france", "belgium")
    # Who Possesses a zone of it does not Control it.
    s = state(wars=WAR, possession={"belgian_congo": "france"})
    assert commander(s, "belgium") == ""
    assert friendly(s, "france", "belgian_congo")
    assert not friendly(s, "france", "belgium")


@pytest.mark.rule("gw36:4.1a")
@pytest.mark.rule("gw36:4.2a")
def test_major_and_minor_powers() -> None:
    s = state(wars=[])
    majors = {power_of(s, nation) for nation in s.facts.nations if is_major(s, nation)}
    assert majors == {
        *("germany", "italy", "japan", "usa", "great_britain", "france", "ussr"),
    }
    assert not any(is_major(s, nation) for nation in ("kmt", "ccp", "free_france", "poland"))
    assert is_major(state(evolved=["kmt"]), "kmt")


@pytest.mark.rule("gw36:4.4d")
def test_players_minor_powers_are_never_absorbed() -> None:
    s = state(wars=[("usa", "japan"), ("kmt", "japan")])
    assert power_of(s, "kmt") == commander(s, "kmt") == "kmt"
    assert power_of(s, "free_france") == "free_france"


@pytest.mark.rule("gw36:4.6a")
@pytest.mark.rule("gw36:4.6b")
def test_war_with_minor_powers_leaves_a_nation_neutral() -> None:
    s = state(wars=[("japan", "kmt"), ("japan", "ccp"), ("germany", "poland")])
    assert not at_war_with_major(s, "japan")
    assert not at_war_with_major(s, "germany")
    s = state(wars=[("japan", "fec")])
    assert at_war_with_major(s, "japan")
    assert at_war_with_major(s, "anzac")
    assert not at_war_with_major(s, "usa")


@pytest.mark.rule("gw36:6.1f")
def test_controlled_minors_act_with_their_controller() -> None:
    assert acting(state("germany")) == ("germany", "spain_nationalist")
    assert acting(state("usa")) == ("usa", "kmt")
    s = state("anzac", control={"yugoslavia": "fec", "belgium": "france"})
    assert acting(s) == ("great_britain", "fec", "anzac", "yugoslavia")


@pytest.mark.rule("gw36:0.9.possession-b")
def test_sea_zones_are_never_possessed() -> None:
    s = state(wars=[])
    assert {*s.possession} == {*s.facts.land}
    s.possession["sz_001"] = "usa"
    assert broken_invariants(s) == ["Something else than land zones is possessed."]
