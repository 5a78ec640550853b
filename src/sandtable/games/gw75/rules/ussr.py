"""The Soviet Union and the garrison of Manchuria (19.6, 19.7)."""

from __future__ import annotations

from sandtable.games.gw75.facts import pair
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import penalties
from sandtable.games.gw75.rules.terms import GROUND, at_war, ground, side
from sandtable.games.gw75.rules.wars import at_peace

PARTITION = ("W3023", "W3223")
"""Eastern Poland."""
POLAND = "ussr:partition"
"""Count: the Game-Turn of the Axis invasion of Poland, in which the USSR takes its share."""
INVADED = "invaded_ussr"
"""Count: the Game-Turn of the German invasion."""
BORDER = 7
GARRISON = 2


def partitioning(s: State) -> bool:
    """Whether this is the Game-Turn in which the USSR takes Eastern Poland.

    Rules: 19.71a
    """
    return s.counts.get(POLAND) == s.turn


def frozen(s: State) -> str:
    """Why Soviet land units may not move.

    Rules: 19.61a, 19.71a
    """
    if at_peace(s, "ussr") and not partitioning(s):
        return "While the USSR is neutral its land units do not move (19.71)."
    return ""


def partition_bars(s: State, nation: str, hex: str) -> str:
    """Why a nation may not enter a hex of Poland: the Axis leaves the eastern ones to the USSR up
    to the Game-Turn of its invasion, and the USSR takes no others.

    Rules: 19.71b
    """
    if nation == "ussr":
        if hex in PARTITION or at_war(s, "ussr", "germany") or not at_war(s, "ussr", "poland"):
            return ""
        return f"Only Eastern Poland is the USSR's share, not {s.facts.name(hex)} (19.71)."
    pact = side(s, nation) == "axis" and not at_war(s, nation, "ussr")
    if pact and s.held.get(hex) != "ussr" and s.counts.get(POLAND, s.turn) == s.turn:
        return f"{s.facts.name(hex)} is left to the USSR (19.71)."
    return ""


def may_violate(s: State, whom: str) -> str:
    """Why the USSR may not break the peace with a nation.

    Rules: 11.0b, 19.61a, 19.61b, 19.71a, 19.75b
    """
    german = at_war(s, "ussr", "germany")
    if whom == "japan":
        if german or manchuria(s) < GARRISON:
            return ""
        return "The USSR may not attack Japan while Manchukuo is garrisoned (19.61)."
    if german:
        if side(s, whom) != "neutral":
            return f"{s.facts.name(whom)} does not fight the same war as the USSR (11.0)."
        return "" if whom == "vichy" else penalties.lacking(s, "ussr")
    if at_peace(s, "ussr"):
        return "The USSR is neutral (19.71)."
    return "In its war with Japan the USSR attacks nobody else (19.61)."


def manchuria(s: State) -> int:
    """Japanese land Strength Points in Manchukuo.

    Rules: 19.61a
    """
    return sum(
        count
        for hex in s.facts.country_hexes["manchukuo"]
        for unit, count in ground(s, hex)
        if unit.nation == "japan"
    )


def border(s: State) -> tuple[str, ...]:
    """The Soviet hexes on the border of Manchukuo."""
    found = s.memo.get("border")
    if found is None:
        found = s.memo["border"] = tuple(
            id
            for id in s.facts.country_hexes["ussr"]
            if any(s.facts.hexes[near].country == "manchukuo" for near in s.facts.near[id])
        )
    hexes: tuple[str, ...] = found
    return hexes


def keeps(s: State, hex: str, number: int) -> str:
    """Why so many land Strength Points may not leave a hex on the border of Manchukuo.

    Rules: 19.73
    """
    if not at_peace(s, "ussr") or hex not in border(s):
        return ""
    there = sum(
        count
        for each in border(s)
        for unit, count in s.stack(each).items()
        if unit.nation == "ussr" and unit.type in GROUND
    )
    if there - number >= BORDER:
        return ""
    return f"While neutral the USSR keeps {BORDER} Strength Points on that border (19.73)."


def fully_at_war(s: State) -> bool:
    """Whether the USSR is on a full war footing: with Japan, or with Germany and not only on a
    limited basis.

    Rules: 19.61a, 19.72b
    """
    return at_war(s, "ussr", "japan") or (
        at_war(s, "ussr", "germany") and pair("germany", "ussr") not in s.limited
    )


def mode(s: State) -> int:
    """The Production Mode line of the USSR.

    Rules: 19.61a, 19.72a, 19.77
    """
    return 2 if fully_at_war(s) else 1
