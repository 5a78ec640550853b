"""Who may be in a zone with whom, and who defends it together (0.5)."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.zones import OFFSTAGE, foes_at, side


def may_share(s: State, one: str, other: str) -> bool:
    """Whether units of two nations may be in one land zone: the nations are Aligned, or both of the
    Commonwealth.

    Rules: 0.5a, 0.5b
    """
    return other in side(s, one).friends


def may_stay(s: State, nation: str, zone: str) -> bool:
    """Whether a nation's units may be in a land zone otherwise than to attack it.

    Rules: 0.5a
    """
    return may_share(s, nation, s.possession[zone])


def hostile_sea(s: State, nation: str, zone: str) -> bool:
    """Whether Enemy units in a sea zone stop ships: not those on escort duty, nor those that have
    submerged or declined.

    Rules: 0.5c, 0.5d, 0.5e, 9.11o
    """
    stack = s.at.get(zone)
    if not stack:
        return False
    foes = foes_at(s, nation, zone)
    return any(unit.nation in foes and unit.duty not in OFFSTAGE for unit in stack)


def defenders(s: State, zone: str, attackers: Iterable[str]) -> tuple[str, ...]:
    """The nations that defend a zone together: all that have units there and are at war with one of
    the attackers, of whatever Alliance.

    Rules: 0.5g, 0.5i
    """
    foes = frozenset().union(*(side(s, attacker).foes for attacker in attackers))
    return tuple(sorted({unit.nation for unit in s.stack(zone)} & foes))
