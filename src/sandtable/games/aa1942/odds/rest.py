"""The rest of a round that is being fought: the chances of all states at its end.

States count losses in the order of loss, as in the kernels. Units behind the casualty strip come
first in their side's order; they still fire, so that the defender always fires as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sandtable.games.aa1942.facts import Numbers
from sandtable.games.aa1942.model import Combat
from sandtable.games.aa1942.rules.casualties import Hits
from sandtable.odds.exact import Layers, Line, afford
from sandtable.odds.result import Reals

ANTIAIRCRAFT, ATTACK, DEFENCE = "antiaircraft", "attack", "defence"
STRIKE, STRIKE_BACK = "strike", "strike_back"

Lost = tuple[int, int, int]
"""Ship entries, submarines and aircraft that a side at sea has lost."""
Chances = dict[Lost, float]


def _dice(values: Iterable[int], die: int) -> Reals:
    """The chances of each number of hits."""
    chances = np.ones(1)
    for value in values:
        chance = value / die
        chances = np.convolve(chances, [1 - chance, chance])
    return chances


# --- on land --------------------------------------------------------------------------------


def land_start(
    ours: Line, theirs: Line, gone: tuple[int, int], step: str, hits: int, numbers: Numbers
) -> Reals:
    """Losses of both at the end of the round, when the hits of a step have to be taken; `gone`
    are the numbers of units that are lost before them."""
    n, m = len(ours), len(theirs)
    start = np.zeros((n + 1, m + 1))
    if step == DEFENCE:
        start[min(n, gone[0] + hits), gone[1]] = 1.0
        return start
    on_us = _capped(_dice(theirs.values.tolist(), numbers.die), gone[0], n)
    if step == ATTACK:
        start[:, min(m, gone[1] + hits)] = on_us
        return start
    on_them = _capped(_dice(_attack_values(ours, gone[0], numbers), numbers.die), gone[1], m)
    return np.outer(on_us, on_them)


def _capped(hits: Reals, before: int, most: int) -> Reals:
    """The chances to have lost 0, 1, … units, of which some were lost before."""
    lost = np.zeros(most + 1)
    np.add.at(lost, np.minimum(before + np.arange(len(hits)), most), hits)
    return lost


def _attack_values(ours: Line, lost: int, numbers: Numbers) -> list[int]:
    """What the attackers hit on that are left, with artillery's support."""
    values, roles = ours.table[:2, ours.kinds[lost:]].tolist()
    support = numbers.infantry_per_artillery * roles.count(2)
    for k, role in enumerate(roles):
        if role == 1 and support:
            values[k] = numbers.supported_attack
            support -= 1
    return [int(value) for value in values]


# --- at sea ---------------------------------------------------------------------------------


def _after(fleet: Layers, lost: Lost, hits: Hits) -> Lost:
    """The losses when these hits are taken too: down the order of loss, each by a unit that it
    can strike; transports last."""
    h, s, a = lost
    queue = [(unit[2], 0) for unit in fleet.main[h:]]
    queue += [(unit[2], 1) for unit in fleet.below[s:]]
    queue += [(unit[2], 2) for unit in fleet.above[a:]]
    total = left = hits.total
    most = [total, hits.any + hits.sub, hits.any + hits.air]
    taken = [0, 0, 0]
    for _, group in sorted(queue):
        if left and taken[group] < most[group]:
            taken[group] += 1
            left -= 1
    afloat = len(fleet.main) + len(fleet.train) - h - taken[0]
    return h + taken[0] + min(left, afloat), s + taken[1], a + taken[2]


def _volley(
    by: Layers,
    lost: Lost,
    on: Layers,
    state: Lost,
    subs: bool,
    others: bool,
    aided: bool,
    die: int,
) -> Chances:
    """What is lost of `on` when a fleet fires: its submarines, or all others, or both."""
    h, s, a = lost
    from_subs = _dice((unit[1] for unit in by.below[s:] if subs), die)
    from_air = _dice((unit[1] for unit in by.above[a:] if others), die)
    rest = _dice((unit[1] for unit in by.main[h:] if others), die)
    if aided:
        rest, from_air = np.convolve(rest, from_air), np.ones(1)
    chances: Chances = {}
    for (any_, air, sub), p in np.ndenumerate(
        rest[:, None, None] * from_air[None, :, None] * from_subs[None, None, :]
    ):
        if p:
            end = _after(on, state, Hits(any_, air, sub))
            chances[end] = chances.get(end, 0.0) + float(p)
    return chances


def sea_start(
    ours: Layers,
    theirs: Layers,
    dives: tuple[bool, bool],
    gone: tuple[Lost, Lost],
    hits: Hits,
    now: Combat,
    die: int,
) -> Reals:
    """The same at sea; `gone` are the losses of both before those of this step."""
    whole, left = gone

    def defence(lost: Lost, state: Lost) -> Chances:
        return _volley(theirs, lost, ours, state, not now.struck[1], True, now.aided[1], die)

    afford(0.0, 4 * ours.states(dives[0]) * theirs.states(dives[1]))
    # The attacker's losses when surprise strikes are over, and the defender's.
    middle: Chances = {whole: 1.0}
    if now.step in (DEFENCE, STRIKE_BACK):
        middle = {_after(ours, whole, hits): 1.0}
    else:
        left = _after(theirs, left, hits)
        if now.step == STRIKE and now.struck[1]:
            middle = _volley(theirs, whole, ours, whole, True, False, now.aided[1], die)
    shape_a, shape_d = ours.shape(dives[0]), theirs.shape(dives[1])
    if now.step == DEFENCE:
        return np.outer(_dense(middle, shape_a), _dense({left: 1.0}, shape_d))
    if now.step == ATTACK:
        return np.outer(_dense(defence(whole, whole), shape_a), _dense({left: 1.0}, shape_d))
    start = np.zeros((ours.states(dives[0]), theirs.states(dives[1])))
    for state, p in middle.items():
        on_them = _volley(ours, state, theirs, left, not now.struck[0], True, now.aided[0], die)
        on_us = defence(left, state)
        start += np.outer(p * _dense(on_us, shape_a), _dense(on_them, shape_d))
    return start


def _dense(chances: Chances, shape: tuple[int, int, int]) -> Reals:
    """The chances of all states, as the kernel numbers them."""
    out = np.zeros(shape)
    for lost, p in chances.items():
        out[lost] = p
    return out.ravel()
