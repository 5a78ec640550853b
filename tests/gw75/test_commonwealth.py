"""The Commonwealth: 19.4."""

from __future__ import annotations

import pytest

from sandtable.games.gw75.facts import load_facts
from sandtable.games.gw75.rules import supply
from tests.gw75.table import Unit, state


@pytest.mark.rule("gw75:19.41")
def test_its_countries() -> None:
    facts = load_facts()
    named = """united_kingdom australia canada new_zealand india south_africa burma
        british_africa egypt nigeria british_somaliland aden gibraltar caribbean pacific_islands
        ceylon malaya"""
    assert {facts.countries[country].nation for country in named.split()} == {"commonwealth"}


@pytest.mark.rule("gw75:19.42")
def test_its_points_are_one_nationality_wherever_they_were_built() -> None:
    s = state(units={"W2524": {"commonwealth": "inf"}})
    s.build("W2524", Unit("commonwealth", "inf"), 2)
    assert s.stack("W2524") == {Unit("commonwealth", "inf"): 3}


@pytest.mark.rule("gw75:19.42")
def test_it_uses_all_sources_of_its_countries() -> None:
    s = state(base="setup")
    found = supply.sources(s, "commonwealth")
    assert {"W3118", "W2905", "E2302"} <= set(found.attack)
    assert "E0713" in found.defense
