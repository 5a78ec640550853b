"""Battles fought die by die, for what is too large to be exact. Imports Numba.

The layout is that of `line` and `layers`; in addition reals[0] tells which (0 line, 1 layers),
reals[1] the number of battles and reals[2] the seed. The final states of battle k come back in
reals[HEAD + start + 2 k] and the place after it, the mean number of rounds in reals[0]. Stop
rules 2 and 3 are not known here. Losses are taken one by one down the order of loss: written
without the closed form of `layers`, it checks that, too.
"""

from __future__ import annotations

import numpy as np

from sandtable.odds.compiled import HEAD, START, Ints, Reals
from sandtable.odds.hits import inline

# The state of the generator lives at the end of `ints`.
SEED = -1


@inline
def roll(ints: Ints, sides: int) -> int:
    """A die, from 1 to `sides` (splitmix64; the bias is below 1e-15)."""
    seed = np.uint64(ints[SEED]) + np.uint64(0x9E3779B97F4A7C15)
    ints[SEED] = np.int64(seed)
    z = seed
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return int(float(z >> np.uint64(11)) * (1.0 / 9007199254740992.0) * sides) + 1


@inline
def throw(ints: Ints, values: Ints, first: int, n: int, sides: int) -> int:
    """Hits of the units from `first` on."""
    hits = 0
    for k in range(first, n):
        if values[k] > 0 and roll(ints, sides) <= values[k]:
            hits += 1
    return hits


@inline
def lines(ints: Ints, reals: Reals, runs: int) -> None:
    n_all, m, sides, boosted = ints[0], ints[1], ints[2], ints[3]
    opening, opening_value, rule, limit = ints[4], ints[5], ints[6], ints[7]
    at = START
    value_all, role_all = ints[at : at + n_all], ints[at + n_all : at + 2 * n_all]
    exposed_all, takes_all = (
        ints[at + 2 * n_all : at + 3 * n_all],
        ints[at + 3 * n_all : at + 4 * n_all],
    )
    at += 5 * n_all
    def_value = ints[at : at + m]
    at += 2 * m
    value, role = ints[at : at + n_all], ints[at + n_all : at + 2 * n_all]
    takes = ints[at + 2 * n_all : at + 3 * n_all]
    start, out = reals[HEAD : HEAD + m + 1], reals[HEAD + m + 1 :]
    open_end = m
    while open_end > 0 and def_value[open_end - 1] == 0:
        open_end -= 1
    total = 0
    for game in range(runs):
        shot = 0
        for _ in range(opening):
            if roll(ints, sides) <= opening_value:
                shot += 1
        n = n_all - shot
        gone = row = 0
        for k in range(shot):
            row += n_all - k + 1
        for k in range(n_all):
            if gone < shot and exposed_all[k] == 1:
                gone += 1
            else:
                value[k - gone], role[k - gone] = value_all[k], role_all[k]
                takes[k - gone] = takes_all[k]
        i = j = done = 0
        if start[0] < 1.0:  # losses before the first round
            u = roll(ints, 1 << 40) / (1 << 40)
            while j < m and u > start[j]:
                u -= start[j]
                j += 1
        fires = 0
        while i < n and (j < open_end or done == 0):
            hits = wanting = helpers = 0
            for k in range(i, n):
                if role[k] == 1:
                    wanting += 1
                elif role[k] == 2:
                    helpers += ints[11]
            helped = min(wanting, helpers)
            for k in range(i, n):
                face = value[k]
                if role[k] == 1 and helped > 0:
                    helped -= 1
                    face = boosted
                if roll(ints, sides) <= face:
                    hits += 1
            back = throw(ints, def_value, fires, m, sides)
            i, j = min(n, i + back), min(m, j + hits)
            fires = j
            done += 1
            if done == limit:
                break
            able = 0
            for k in range(i, n):
                able += takes[k]
            if rule == 1 and able == 0:
                break
        total += done
        if i < n and j >= open_end:
            j = m
        out[2 * game], out[2 * game + 1] = row + i, j
    reals[0] = total / runs


@inline
def suffer(s: Ints, base: int, places: Ints, from_below: int, from_above: int, others: int) -> None:
    """Take hits one by one down the order of loss; s[base:] has what is lost above, below, of main
    and train, s[base + 4:] the numbers there were, s[base + 8:] where the three orders begin in
    `places`."""
    total = from_below + from_above + others
    above = below = used = 0
    while used < total:
        best = 1 << 40
        which = -1
        if s[base] < s[base + 4] and above < from_above + others:
            best = places[s[base + 8] + s[base]]
            which = 0
        if s[base + 1] < s[base + 5] and below < from_below + others:
            place = places[s[base + 9] + s[base + 1]]
            if place < best:
                best = place
                which = 1
        if s[base + 2] < s[base + 6]:
            place = places[s[base + 10] + s[base + 2]]
            if place < best:
                which = 2
        if which == -1:
            break
        s[base + which] += 1
        above += which == 0
        below += which == 1
        used += 1
    # What is left over strikes the train, whatever fired it.
    s[base + 3] = min(s[base + 7], s[base + 3] + total - used)


@inline
def kind_of(s: Ints, base: int) -> int:
    """0 nobody who fights, 1 a mixed force, 2 only above, 3 only below."""
    above, below = s[base] < s[base + 4], s[base + 1] < s[base + 5]
    if s[base + 2] < s[base + 6] or (above and below):
        return 1
    return 2 if above else (3 if below else 0)


@inline
def finished(a: int, d: int) -> bool:
    return a == 0 or d == 0 or (a == 2 and d == 3) or (a == 3 and d == 2)


@inline
def leaves(when: int, done: int, kind: int) -> bool:
    """Whether units below leave in this round, if they can."""
    return done > when // 4 and (when % 4 == 1 or (when % 4 == 2 and kind == 3))


@inline
def layers(ints: Ints, reals: Reals, runs: int) -> None:
    sides, rule, limit, flees = ints[0], ints[1], ints[2], ints[4]
    s = ints[len(ints) - 64 : len(ints)]
    start = START
    radix = 32  # s[32:] has for each side: value orders above, below, of main, flags of finders
    for side in range(2):
        base = 12 * side
        for k in range(4):
            s[base + 4 + k] = ints[7 + 4 * side + k]
        above, below, main = s[base + 4], s[base + 5], s[base + 6]
        s[base + 8] = start + above
        s[base + 9] = start + 3 * above + below
        s[base + 10] = start + 3 * above + 3 * below + main
        s[radix + 4 * side] = start
        s[radix + 4 * side + 1] = start + 3 * above
        s[radix + 4 * side + 2] = start + 3 * above + 3 * below
        s[radix + 4 * side + 3] = start + 3 * above + 3 * below + 3 * main
        start += 3 * above + 3 * below + 4 * main + s[base + 7]
    out = reals[HEAD:]
    total = 0
    for game in range(runs):
        for k in range(4):
            s[k] = s[12 + k] = 0
        down_a = down_d = done = 0
        while True:
            a, d = kind_of(s, 0), kind_of(s, 12)
            if finished(a, d):
                caught = done == 0 and s[7] > 0 and flees == 1 and d != 0
                if not caught:
                    if a != 0:
                        s[15] = s[19]
                    if d != 0 and flees == 0:
                        s[3] = s[7]
                    break
            elif done > 0 and (done == limit or (rule == 1 and a == 2)):
                break
            done += 1
            finds_a = finds_d = 0
            for k in range(s[2], s[6]):
                finds_a |= ints[s[radix + 3] + k]
            for k in range(s[14], s[18]):
                finds_d |= ints[s[radix + 7] + k]
            if finds_d == 0 and leaves(ints[5], done, a):
                down_a += s[5] - s[1]
                s[1] = s[5]
            if finds_a == 0 and leaves(ints[6], done, d):
                down_d += s[17] - s[13]
                s[13] = s[17]
            below_a, below_d = s[radix + 1], s[radix + 5]
            strikes_a = strikes_d = 0
            if finds_d == 0:
                strikes_a = throw(ints, ints[below_a : below_a + s[5]], s[1], s[5], sides)
            if finds_a == 0:
                strikes_d = throw(ints, ints[below_d : below_d + s[17]], s[13], s[17], sides)
            suffer(s, 12, ints, strikes_a, 0, 0)
            suffer(s, 0, ints, strikes_d, 0, 0)
            deep_a = deep_d = 0
            if finds_d == 1:
                deep_a = throw(ints, ints[below_a : below_a + s[5]], s[1], s[5], sides)
            if finds_a == 1:
                deep_d = throw(ints, ints[below_d : below_d + s[17]], s[13], s[17], sides)
            above_a = throw(ints, ints[s[radix] : s[radix] + s[4]], s[0], s[4], sides)
            above_d = throw(ints, ints[s[radix + 4] : s[radix + 4] + s[16]], s[12], s[16], sides)
            other_a = throw(ints, ints[s[radix + 2] : s[radix + 2] + s[6]], s[2], s[6], sides)
            other_d = throw(ints, ints[s[radix + 6] : s[radix + 6] + s[18]], s[14], s[18], sides)
            if finds_a == 1:
                other_a += above_a
                above_a = 0
            if finds_d == 1:
                other_d += above_d
                above_d = 0
            suffer(s, 12, ints, deep_a, above_a, other_a)
            suffer(s, 0, ints, deep_d, above_d, other_d)
        total += done
        state_a = s[1] if down_a == 0 else s[5] + down_a
        state_d = s[13] if down_d == 0 else s[17] + down_d
        places_a = (2 * s[5] if ints[5] > 0 else s[5]) + 1
        places_d = (2 * s[17] if ints[6] > 0 else s[17]) + 1
        out[2 * game] = ((s[2] + s[3]) * places_a + state_a) * (s[4] + 1) + s[0]
        out[2 * game + 1] = ((s[14] + s[15]) * places_d + state_d) * (s[16] + 1) + s[12]
    reals[0] = total / runs


@inline
def run(ints: Ints, reals: Reals) -> int:
    """Fight reals[1] battles, as the module's docstring says."""
    runs = int(reals[1])
    ints[SEED] = int(reals[2]) * 7919 + 1
    if reals[0] == 0.0:
        lines(ints, reals, runs)
    else:
        layers(ints, reals, runs)
    return 0
