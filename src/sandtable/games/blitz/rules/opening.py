"""How a scenario begins: which powers play, and who controls what (1.5, 1.11)."""

from __future__ import annotations

from sandtable.games.blitz.facts import Facts
from sandtable.games.blitz.tables import Scenario


def power_in_play(facts: Facts, scenario: Scenario, power: str) -> str:
    """A power of the map as a scenario has it: the combined one for its members."""
    if power in scenario.powers:
        return power
    for each in scenario.powers:
        if power in facts.powers[each].members:
            return each
    return power


def opening_control(facts: Facts, scenario_id: str) -> dict[str, str]:
    """Who controls each land area in play when a scenario begins, NEUTRAL for nobody.

    Rules: 1.5b, errata.malta, C.map-b, D.pol-a, E.setup-c
    """
    scenario, in_play = facts.scenarios[scenario_id], facts.areas_in_play[scenario_id]
    control = {
        id: power_in_play(facts, scenario, land.owner or facts.countries[land.country].owner)
        for id, land in facts.lands.items()
        if id in in_play
    }
    for given in (scenario.allied, scenario.conquered):
        for country, power in given.items():
            for area in facts.countries[country].areas:
                if area in control:
                    control[area] = power
    for power, areas in scenario.control.items():
        for area in areas:
            control[area] = power
    return control
