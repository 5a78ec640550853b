"""What a Ground Attack is likely to bring: all 36 pairs of dice, with sensible losses.

The Air Round is left out: air units of both sides are taken to support as they are.
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.games.blitz.bot.worth import land_units, size_worth
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.damage import chart_result
from sandtable.games.blitz.rules.land_round import attack_strength, defence_strength, more_armour
from sandtable.games.blitz.rules.retreat import retreat_areas
from sandtable.games.blitz.rules.rounds import part


class Outcome(NamedTuple):
    """The chance to take the area, and the expected losses of both sides in Resources."""

    taken: float
    own_loss: float
    enemy_loss: float


CERTAIN = Outcome(1.0, 0.0, 0.0)


def ground_outcome(
    s: State, target: str, units: list[str], flying: tuple[str, ...] = ()
) -> Outcome:
    """What becomes of an attack on a land area with these units as they stand."""
    defenders = land_units(s, target)
    attackers = [id for id in units if s.domain(id) == "land"]
    if not attackers:
        return Outcome(0.0, 0.0, 0.0)
    if not defenders:
        return CERTAIN
    support = [id for id in units if s.domain(id) != "land"]
    attack = attack_strength(s, target, attackers, support, defenders, flying) or 0
    defence = defence_strength(s, target, attackers, defenders, []) or 0
    armour = more_armour(s, target, attackers, defenders) and not s.facts.lands[target].island
    room = any(retreat_areas(s, target, id) for id in defenders)
    sizes = sorted(s.units[id].size for id in defenders)
    enemy_price = sum(size_worth(s, id) for id in defenders) / len(defenders)
    own_price = sum(size_worth(s, id) for id in attackers) / len(attackers)
    own_size = sum(s.units[id].size for id in attackers)
    cleared = enemy_lost = own_lost = held = 0.0
    for die in range(1, 7):
        hits, letter = chart_result(s, attack, die) if attack else (0, "")
        left, lost = _remaining(sizes, hits)
        driven = part(letter, len(left)) if armour else 0
        if driven and not room:
            for _ in range(driven):
                if left:
                    left[0] -= 1
                    lost += 1
                    if not left[0]:
                        left.pop(0)
            driven = 0
        enemy_lost += lost * enemy_price / 6
        if len(left) <= driven:
            cleared += 1 / 6
        back, letter = chart_result(s, defence, die) if defence else (0, "")
        own_lost += min(back, own_size) * own_price / 6
        blocked = part(letter, len(attackers)) >= len(attackers)
        if (blocked and not s.facts.lands[target].island) or back >= own_size:
            held += 1 / 6
    return Outcome(cleared * (1 - held), own_lost, enemy_lost)


def _remaining(sizes: list[int], hits: int) -> tuple[list[int], int]:
    """The sizes left, smallest first, and the points lost: the owner takes from the biggest unit,
    the enemy from the smallest, in turns."""
    left = list(sizes)
    lost = 0
    for point in range(hits):
        if not left:
            break
        at = -1 if point % 2 == 0 else 0
        left[at] -= 1
        lost += 1
        left = sorted(size for size in left if size)
    return left, lost
