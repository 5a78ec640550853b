"""The kernel for best play: one side chooses its casualties freely. Imports Numba.

The chooser's state is its composition, the other side's its place in its queues (see `layers`;
a line is a queue in the main layer). From the end back, every pair of states gets its value to
the chooser: the mean over the dice of the best choice that the rules allow. An attacker chooses
when both sides have rolled, a defender before it fires back. The attacker may also retreat.

ints:  0 chooser's states, 1 other's states, 2 whether the chooser attacks, 3 whether the attacker
       can retreat (then a train left alone survives), 4 whether a retreat may be chosen, 5
       number of choices, 6 most hits; from 16 the records of both sides, with their dimensions;
       then their tables (see `place`; the other's chains come first, the chooser has none); the
       length of a row in the next table and, for each state of the chooser and each number of
       hits on fighting units, where its choices begin (the last is the end); for each choice:
       state, hits above, below and other, train; then scratch.
reals: 0 value of the first pair; from HEAD: worth of every pair, value at the start of a round,
       value of fighting a round (all as chooser by other), then the hit tables of both sides;
       then scratch.
"""

from __future__ import annotations

from sandtable.odds.compiled import HEAD, RECORD, START, Ints, Reals
from sandtable.odds.hits import TINY, inline
from sandtable.odds.layers import (
    ABOVE,
    ACTIVE,
    ANY,
    BARE,
    BELOW,
    CHANCES,
    COST,
    D_CHAIN,
    D_HITS,
    D_STATES,
    DEPTH,
    DICE,
    FINDS,
    FIRST_TO,
    FROM_ABOVE,
    FROM_BELOW,
    FROM_MAIN,
    FULL,
    GONE,
    KIND,
    MAIN_ABOVE,
    NOBODY,
    NOT_ABOVE,
    NOT_BELOW,
    RANK,
    ROOM,
    TAILS,
    TO,
    first_strike,
    is_over,
    measure,
    volley,
)

# Of a chooser these places stand for what is left above, below, of other hit points and of the
# train.
LEFT_ABOVE, LEFT_BELOW, LEFT_MAIN, LEFT_TRAIN = ABOVE, BELOW, COST, GONE


@inline
def place(ints: Ints, t: int, at: int, spot: int) -> int:
    """Say where the tables of a side begin that are given from ints[at] and reals[spot] on: as in
    `layers`, but nobody leaves here, costs are not asked for, and all states are in use. Returns
    where they end."""
    n = ints[t + D_STATES]
    ints[t + ANY] = at
    ints[t + NOT_ABOVE] = at + n * ints[t + D_CHAIN]
    ints[t + NOT_BELOW] = ints[t + NOT_ABOVE] + n * ints[t + D_CHAIN]
    ints[t + ABOVE] = ints[t + NOT_BELOW] + n * ints[t + D_CHAIN]
    for k in range(BELOW, BARE + 1):
        ints[t + k] = ints[t + k - 1] + n
    ints[t + DICE] = ints[t + BARE] + n
    for k in range(5):
        ints[t + MAIN_ABOVE + k] = spot + k * n * ints[t + D_HITS]
    end: int = ints[t + DICE] + 3 * n
    return end


@inline
def due(ints: Ints, t: int, state: int, s: int, a: int, o: int) -> tuple[int, int]:
    """How many hits fighting units have to take, and how much of the train (the smallest cut)."""
    above, below = ints[ints[t + LEFT_ABOVE] + state], ints[ints[t + LEFT_BELOW] + state]
    other = ints[ints[t + LEFT_MAIN] + state]
    fighting = min(s + a + o, above + below + other, o + s + above + other, o + a + below + other)
    return fighting, min(ints[ints[t + LEFT_TRAIN] + state], s + a + o - fighting)


@inline
def best(
    worth: Reals,
    wide: int,
    begin: Ints,
    pick: Ints,
    spot: int,
    train: int,
    most_above: int,
    most_below: int,
    to: Ints,
    p: Reals,
    first: int,
    last: int,
) -> float:
    """The best of the choices at begin[spot]: the mean of `worth` over to[first:last] is
    maximised, within the bounds on units above and below."""
    n = len(pick) // 5
    top = -1e300
    for k in range(begin[spot], begin[spot + 1]):
        if pick[n + k] > most_above or pick[2 * n + k] > most_below or pick[4 * n + k] != train:
            continue
        row = worth[pick[k] * wide :]
        value = 0.0
        for q in range(first, last):
            value += p[q] * row[to[q]]
        top = max(top, value)
    return top


@inline
def step(
    ints: Ints,
    reals: Reals,
    worth: Reals,
    mine: int,
    state: int,
    begin: Ints,
    pick: Ints,
    other: int,
    base: int,
    n_below: int,
    n_above: int,
    shots: int,
    table: int,
    lists: int,
    count: int,
) -> tuple[float, float]:
    """The mean of `worth` over all dice of a step without the case that nothing changes, and the
    chance of that case. The other fires so many dice from below, from above and others, whose
    hits stand in `table`; `base` is its row."""
    wide, attacks = ints[1], ints[2]
    to, p = ints[ints[other + lists] :], reals[ints[other + lists + 1] :]
    from_below = reals[ints[other + FROM_BELOW] + base :]
    from_above = reals[ints[other + FROM_ABOVE] + base :]
    others = reals[ints[other + table] + base :]
    total = still = 0.0
    for s in range(n_below + 1):
        p_s = from_below[s] if n_below > 0 else 1.0
        for a in range(n_above + 1):
            p_a = p_s * (from_above[a] if n_above > 0 else 1.0)
            for o in range(shots + 1):
                chance = p_a * (others[o] if shots > 0 else 1.0)
                if chance < TINY:
                    continue
                fighting, train = due(ints, mine, state, s, a, o)
                spot = state * begin[0] + fighting + 1
                first = 0
                if fighting + train == 0:
                    still += chance * p[0]
                    first = 1
                # An attacker chooses when it knows what it has hit.
                each = 1 if attacks == 1 else max(1, count - first)
                for q in range(first, count, each):
                    total += chance * best(
                        worth, wide, begin, pick, spot, train, a + o, s + o, to, p, q, q + each
                    )
    return total, still


@inline
def run(ints: Ints, reals: Reals) -> int:
    """Find the value of every pair, as the module's docstring says."""
    n_m, n_o, attacks, flees, may_stop, n = ints[0], ints[1], ints[2], ints[3], ints[4], ints[5]
    mine, other = START, START + RECORD
    pairs = n_m * n_o
    spot = HEAD + 3 * pairs
    at = place(ints, mine, START + 2 * RECORD, spot)
    ints[mine + LEFT_MAIN], ints[mine + LEFT_TRAIN] = at, at + n_m
    spot += 5 * n_m * ints[mine + D_HITS]
    at = place(ints, other, at + 2 * n_m, spot)
    row = ints[other + D_HITS]
    spot += 5 * n_o * row
    begin = ints[at : at + 1 + n_m * (ints[6] + 2)]
    at += len(begin)
    pick = ints[at : at + 5 * n]
    at += 5 * n
    for k in range(n_o):
        ints[at + k] = k
    ints[other + FULL] = ints[other + RANK] = at
    ints[other + DEPTH], ints[other + ROOM] = at + n_o, at + 3 * n_o
    ints[mine + TAILS] = spot
    spot += 3 * n_m * ints[mine + D_HITS]
    ints[other + TAILS] = spot
    spot += 3 * n_o * row
    ints[other + CHANCES] = spot
    spot += ints[other + D_CHAIN] * (ints[other + D_CHAIN] + 2)
    measure(ints, reals, mine)
    measure(ints, reals, other)
    mid = reals[spot : spot + pairs]
    worth = reals[HEAD : HEAD + pairs]
    value = reals[HEAD + pairs : HEAD + 2 * pairs]
    fight = reals[HEAD + 2 * pairs : HEAD + 3 * pairs]

    for i in range(n_m):
        kind_m, finds_m = ints[ints[mine + KIND] + i], ints[ints[mine + FINDS] + i]
        for j in range(n_o - 1, -1, -1):
            here, base = i * n_o + j, j * row
            kind_o, finds_o = ints[ints[other + KIND] + j], ints[ints[other + FINDS] + j]
            active = ints[ints[other + ACTIVE] + j]
            # General fire, from the state after first strikes.
            count = volley(ints, reals, mine, i, finds_o == 1, other, j)
            found = finds_o == 1 or ints[ints[mine + ACTIVE] + i] == 0
            below = active if finds_m == 1 else 0
            shots = ints[ints[other + DICE] + 3 * j + (1 if found else 0)]
            above = 0 if found else ints[ints[other + DICE] + 3 * j + 1] - shots
            table = MAIN_ABOVE if found else FROM_MAIN
            later, still = step(
                ints, reals, value, mine, i, begin, pick, other, base, below, above, shots, table,
                TO, count,
            )  # fmt: skip
            if is_over(kind_m, kind_o):
                end_m, end_o = i, j
                if kind_o != NOBODY and (attacks == 0 or flees == 0):
                    end_m = ints[ints[mine + BARE] + i]
                if kind_m != NOBODY and (attacks == 1 or flees == 0):
                    end_o = ints[ints[other + BARE] + j]
                value[here] = fight[here] = worth[end_m * n_o + end_o]
            else:
                count = first_strike(ints, reals, mine, i, other, j)
                strikes = active if finds_m == 0 else 0
                mean, same = step(
                    ints, reals, mid, mine, i, begin, pick, other, base, strikes, 0, 0, FROM_MAIN,
                    FIRST_TO, count,
                )  # fmt: skip
                fight[here] = (mean + same * later) / (1.0 - same * still)
                value[here] = max(fight[here], worth[here]) if may_stop == 1 else fight[here]
            mid[here] = still * value[here] + later
    reals[0] = fight[(n_m - 1) * n_o]
    return 0
