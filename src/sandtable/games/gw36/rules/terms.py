"""The words of the rules (0.9): Alliance, Aligned, Control, Possession, Friendly, Enemy, war.

They are different things, and each rule uses the one that the book names.
"""

from __future__ import annotations

from functools import lru_cache

from sandtable.games.gw36.facts import Pair, pair
from sandtable.games.gw36.model import State, Unit


def on(s: State, switch: str) -> bool:
    """Whether an optional rule is in use (Appendix C): by its own option, or by the chosen set."""
    value = s.options[switch]
    return switch in s.facts.sets[s.options["rules"]] if value is None else bool(value)


def power_of(s: State, nation: str) -> str:
    """The nation whose wars these are: the Commonwealth is one Major Power, Great Britain's; a
    Minor Power that was Aligned is part of its Major Power; Free France has the wars of its own.

    Rules: 2.3b, 2.3f, 4.4d
    """
    nation = s.aligned.get(nation, nation)
    return s.facts.nations[nation].major or nation


def is_major(s: State, nation: str) -> bool:
    """Whether it is a Major Power, or part of one; KMT and CCP are once they have evolved.

    Rules: 4.1a, 4.2a, 13.3.1f
    """
    return s.facts.nations[nation].kind in ("major", "part") or nation in s.evolved


def alliance(s: State, nation: str) -> str:
    """The Alliance that a nation is a member of; empty for Minor Powers that are in none. A Minor
    Power that Aligned belongs to the Alliance of its Major Power.

    Rules: 0.9.alliance-a
    """
    return s.facts.nations[s.aligned.get(nation, nation)].alliance


def commander(s: State, nation: str) -> str:
    """The player nation that decides for a nation's units: itself, what it Aligned with, or whoever
    Controls it; empty for a Minor Power for which nobody decides."""
    nation = s.aligned.get(nation, nation)
    return nation if s.facts.nations[nation].player else s.control.get(nation, "")


def at_war(s: State, one: str, other: str) -> bool:
    """Whether two nations are at war with each other.

    Rules: 0.9.enemy-a
    """
    return pair(power_of(s, one), power_of(s, other)) in s.wars


enemies = at_war
"""Enemies are nations at war with each other; being of different Alliances is not enough (0.9)."""


def foes(s: State, nation: str) -> frozenset[str]:
    """The powers that a nation is at war with."""
    return _foes(power_of(s, nation), s.wars)


@lru_cache(maxsize=4096)
def _foes(power: str, wars: frozenset[Pair]) -> frozenset[str]:
    return frozenset(
        one if other == power else other for one, other in wars if power in (one, other)
    )


def at_war_with_major(s: State, nation: str) -> bool:
    """Whether a nation is at war with a Major Power: if not, it is neutral and at peace.

    Rules: 4.6a, 5.1a
    """
    return any(is_major(s, foe) for foe in foes(s, nation))


def aligned(s: State, one: str, other: str) -> bool:
    """Whether two nations are Aligned: parts of one power, or members of the same Alliance that are
    at war with the same Major Power. The two Chinese factions are, in a truce, "as if Aligned".

    Rules: 0.9.aligned-a, 4.4a
    """
    one, other = power_of(s, one), power_of(s, other)
    if one == other:
        return True
    if {one, other} == {"kmt", "ccp"}:
        return "chinese_truce" in s.pacts
    ours = alliance(s, one)
    if not ours or ours != alliance(s, other):
        return False
    return any(is_major(s, foe) for foe in foes(s, one) & foes(s, other))


def friendly(s: State, nation: str, zone: str) -> bool:
    """Whether a land zone is Friendly: the nation Possesses it, or is Aligned with who does.

    Rules: 0.9.friendly-a
    """
    return aligned(s, nation, s.possession[zone])


def friendly_unit(s: State, nation: str, unit: Unit) -> bool:
    """Whether a unit is one's own or of a nation one is Aligned with.

    Rules: 0.9.friendly-a
    """
    return aligned(s, nation, unit.nation)


def enemy_zone(s: State, nation: str, zone: str) -> bool:
    """Whether a land zone is Enemy-possessed."""
    return enemies(s, nation, s.possession[zone])


def has_tech(s: State, nation: str, technology: str) -> bool:
    """Whether a nation has completed a technology; the Commonwealth shares what it has.

    Rules: 2.3c, table-7-2a
    """
    shared = s.facts.nations[nation].major or nation
    needed = len(s.facts.technologies[technology].stages)
    return s.tech.get((shared, technology), 0) >= needed


def half(number: int) -> int:
    """Half of it; fractions are rounded up.

    Rules: 0.2a
    """
    return -(-number // 2)


def acting(s: State) -> tuple[str, ...]:
    """The nations whose turn it is, with the Minor Powers that act with them.

    Rules: 6.1b, 6.1f
    """
    group = s.facts.order[s.slot]
    return (*group, *sorted(minor for minor, by in s.control.items() if by in group))
