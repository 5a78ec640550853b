"""What the political state of a nation forbids its units: to move, to leave a place, to attack.

Each answer is the reason in a sentence, with the rule at its end (`cited`); empty if nothing
forbids it.
"""

from __future__ import annotations

from sandtable.games.gw75.facts import AXIS_MINORS
from sandtable.games.gw75.model import State, Unit
from sandtable.games.gw75.rules import axis_minors, italy, penalties, united_states, ussr
from sandtable.games.gw75.rules.terms import GROUND, NAVAL, SHIPS, at_war, side
from sandtable.games.gw75.rules.wars import at_peace


def frozen(s: State, nation: str, unit: Unit, hex: str) -> str:
    """Why a unit in a hex may not move at all.

    Rules: 11.11a, 19.23, 19.32a, 19.32b, 19.37a, 19.71a, 20.12
    """
    if nation in UNBOUND:
        return ""
    if side(s, nation) == "neutral":
        return f"{s.facts.name(nation)} is neutral, and its units do not move (11.11a)."
    if nation == "italy" and unit.type in NAVAL and at_peace(s, nation):
        return "While Italy is neutral its naval units do not move (19.23)."
    if nation == "italy" and unit.type in SHIPS and italy.confined(s):
        return "Since the Axis was driven out of Africa Italian ships stay in port (19.24a)."
    if nation == "usa":
        return united_states.frozen(s, unit, hex)
    if nation == "ussr" and unit.type in GROUND:
        return ussr.frozen(s)
    return ""


UNBOUND = frozenset({"germany", "japan", "commonwealth"})
"""Nations that are never neutral, and that nothing below holds back."""


def may_leave(s: State, nation: str, hex: str, number: int, to: str = "") -> str:
    """Why so many land Strength Points may not leave a hex (for another): garrisons that have to
    stay.

    Rules: 19.31, 19.73
    """
    if nation == "usa":
        return united_states.keeps(s, hex, number)
    if nation == "ussr":
        return ussr.keeps(s, hex, number, to)
    return ""


def may_attack(s: State, nation: str, against: str, hex: str, *, led: bool = False) -> str:
    """Why units of a nation may not attack units of another in a hex. If they are at peace and it
    is allowed, the attack is a violation, by them or by others who lead them: tell `violated`
    before it is resolved.

    Rules: 11.3c, 19.24a, 19.33a, 19.61b, 19.75b, 19.92b, 19.94
    """
    why = italy.may_not_attack(s, nation)
    if why:
        return why
    if nation in AXIS_MINORS and not axis_minors.reaches(s, nation, hex):
        return "Finnish units do not attack across their border yet (19.92b)."
    if led or at_war(s, nation, against):
        return ""
    return may_violate(s, nation, against)


def may_violate(s: State, nation: str, whom: str) -> str:
    """Why a nation may not break the peace with another.

    Rules: 11.0b, 11.0c, 11.11a, 11.3e, 19.22, 19.35, 19.61a, 19.61b, 19.71a, 19.75b, 19.94, 20.15a
    """
    name = s.facts.name
    if side(s, nation) == "neutral":
        return f"{name(nation)} is neutral (11.11a)."
    if nation in AXIS_MINORS:
        return f"{name(nation)} does not violate a country by itself (19.94)."
    if nation == "ussr":
        return ussr.may_violate(s, whom)
    if at_peace(s, nation):
        rule = {"italy": "19.22", "usa": "19.35"}.get(nation, "11.0a")
        return f"{name(nation)} is at peace ({rule})."
    if whom == "italy" and nation in ("germany", "japan"):
        return italy.may_be_drawn_in(s)
    if side(s, nation) == side(s, whom):
        rule = {"usa": "19.35", "italy": "19.22"}.get(whom, "11.0a")
        return f"{name(whom)} does not fight the same war as {name(nation)} ({rule})."
    if side(s, nation) == "axis" or whom == "vichy":
        return ""
    if s.facts.nations[whom].side == "axis" and whom != "italy":
        return f"{name(nation)} does not open a war with {name(whom)} (19.33a)."
    return penalties.lacking(s, nation)


def production_mode(s: State, nation: str) -> int:
    """The Production Mode line of the USA or the USSR.

    Rules: 19.34, 19.37b, 19.37d, 19.61a, 19.72a, 19.77
    """
    return united_states.mode(s) if nation == "usa" else ussr.mode(s)
