"""How wars begin, and to whom they spread.

The Axis powers of Europe fight one war, and Japan another; they become one when both have an Enemy
in common. The wars of the USSR, with Mongolia, and of China never spread by themselves (19.74,
19.75).
"""

from __future__ import annotations

from itertools import combinations

from sandtable.games.gw75.facts import Pair, pair
from sandtable.games.gw75.model import News, State
from sandtable.games.gw75.rules.terms import foes, side, warring
from sandtable.kernel.table import Table

APART = frozenset({"ussr", "mongolia", "china"})
"""Allies whose wars are theirs alone."""
AXIS_POWERS = ("germany", "italy", "japan")


def at_peace(s: State, nation: str) -> bool:
    """Whether a nation is at war with nobody. The Soviet share in the partition of Poland is no
    war."""
    found = foes(s, nation)
    return not found or (nation == "ussr" and found == {"poland"})


def declare(g: Table[State], one: str, other: str, *, limited: bool = False) -> None:
    """Two nations are at war from now on, and whoever has to share that war."""
    s = g.state
    before = s.wars
    new = pair(warring(one), warring(other))
    s.wars |= {new}
    s.limited = s.limited | {new} if limited else s.limited - {new}
    s.wars |= _spread(s)
    s.changed()
    for a, b in sorted(s.wars - before):
        g.emit("war", powers=(a, b), limited=(a, b) in s.limited)
        s.tell(News("war", a, b))


def _spread(s: State) -> frozenset[Pair]:
    """The wars that follow from those there are: Axis powers with an Enemy in common (other than
    the USSR and China) share all Enemies but those two; a nation that was drawn in is at war with
    the friends of its Enemies."""
    wars = set(s.wars)
    while True:
        new = {each for each in _shared(s, wars) if each not in wars}
        if not new:
            return frozenset(wars)
        wars |= new


def _shared(s: State, wars: set[Pair]) -> set[Pair]:
    found: set[Pair] = set()
    foes_of: dict[str, set[str]] = {nation: set() for nation in s.facts.nations}
    for one, other in wars:
        foes_of[one].add(other)
        foes_of[other].add(one)
    enemies = {power: foes_of[power] for power in AXIS_POWERS if power not in s.fallen}
    whole = {
        power: {foe for foe in their if pair(power, foe) not in s.limited and foe not in APART}
        for power, their in enemies.items()
    }
    for one, other in combinations(whole, 2):
        if whole[one] & whole[other]:
            for foe in whole[one] | whole[other]:
                found |= {pair(one, foe), pair(other, foe)}
    allies = [nation for nation in s.facts.nations if side(s, nation) == "allies"]
    together: dict[str, list[str]] = {}
    for nation, which in s.joined.items():
        if which == "axis":
            for foe in foes_of[nation]:
                if foe not in together:
                    together[foe] = [ally for ally in allies if _together(foes_of, foe, ally)]
                found.update(pair(nation, ally) for ally in together[foe])
    return found


def _together(foes_of: dict[str, set[str]], one: str, other: str) -> bool:
    """Whether two Allies fight the same war: the USSR's and China's count only for themselves,
    unless the USSR fights Germany."""
    if one == other:
        return True
    common = foes_of[one] & foes_of[other]
    if one in APART or other in APART:
        return "germany" in common
    return bool(common)
