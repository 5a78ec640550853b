"""Where Merchant Ships are wanted: on the lines of the scenario, later on those of a world war."""

from __future__ import annotations

from sandtable.games.gw75.bot.plans import superior
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.terms import foes

LATER = 8
"""The Game-Turn from which powers at war, and Japan, want the lines of the later scenario."""
SCENARIO = "watermark"

MORE: dict[str, dict[str, int]] = {
    "usa": {"W2810": 4, "W3014": 4, "E2425": 5},
    "commonwealth": {"W3014": 2, "W2720": 2},
    "japan": {"E2410": 2, "E2107": 2},
}
"""What is wanted beside: what carries armies over the oceans."""
ROAD = {"E2316": "E2425"}
"""What carries the United States on from Hawaii, with as many ships as lead there."""
DRIVE = 14
"""The Game-Turn from which they go on, or before it once their fleets are the stronger."""


LIFELINES = frozenset({"W2810", "W2910", "W3014", "E2425", "E2410", "E2107", *ROAD})
"""Where ships are wanted first: to Britain, to Hawaii and on, from Japan to the south."""


def wanted(s: State, nation: str) -> dict[str, int]:
    """Holding Area to the Merchant Ships that a nation would have there."""
    scenario = s.facts.scenarios[s.options["scenario"]]
    late = s.facts.scenarios.get(SCENARIO)
    fighting = nation == "japan" or bool(foes(s, nation))
    later = bool(late) and s.turn >= LATER and fighting
    if later and late is not None:
        scenario = late
    found = {
        hex: units["ms"] for hex, units in scenario.units.get(nation, {}).items() if "ms" in units
    }
    more = MORE.get(nation, {})
    if nation == "usa" and (s.turn >= DRIVE or superior(s, nation, "japan")):
        more = more | {hex: _ships(s, nation, behind) for hex, behind in ROAD.items()}
    for hex, number in more.items() if later and found else ():
        if number and hex in s.facts.sea and s.facts.hexes[hex].wet:
            found[hex] = found.get(hex, 0) + number
    return found


def _ships(s: State, nation: str, hex: str) -> int:
    return sum(n for unit, n in s.stack(hex).items() if unit[:2] == (nation, "ms"))
