"""The kernel for best play: one side chooses its casualties freely. Imports Numba.

The chooser's state is its composition, the other side's its place in its queues (see `layers`;
a line is a queue in the main layer). From the end back, every pair of states gets its value to
the chooser: the mean over the dice of the best choice that the rules allow. An attacker chooses
when both sides have rolled, a defender before it fires back. The attacker may also retreat.

ints:  0 chooser's states, 1 other's states, 2 whether the chooser attacks, 3 whether the attacker
       can retreat (then a train left alone survives), 4 whether a retreat may be chosen, 5
       number of choices, 6 most hits; from 16 the dimensions and then the tables of both sides;
       the length of a row in the next table and, for each state of the chooser and each number
       of hits on fighting units, where its choices begin (the last is the end); for each choice:
       state, hits above, below and other, train; then scratch.
reals: 0 value of the first pair; from HEAD: worth of every pair, value at the start of a round,
       value of fighting a round (all as chooser by other), then the hit tables of both sides;
       then scratch.
"""

from __future__ import annotations

from sandtable.odds.compiled import Ints, Reals
from sandtable.odds.hits import TINY, inline
from sandtable.odds.layers import (
    ABOVE,
    ACTIVE,
    BARE,
    BELOW,
    D_CHAIN,
    D_HITS,
    DICE,
    FINDS,
    FROM_ABOVE,
    FROM_BELOW,
    FROM_MAIN,
    KIND,
    MAIN_ABOVE,
    NOBODY,
    NOT_ABOVE,
    NOT_BELOW,
    first_strike,
    is_over,
    volley,
)

HEAD = 128
# In the chooser's tables these have another meaning: what is left above, below, of other hit
# points and of the train.
LEFT_ABOVE, LEFT_BELOW, LEFT_MAIN, LEFT_TRAIN = ABOVE, BELOW, NOT_ABOVE, NOT_BELOW


@inline
def due(t: tuple[Ints, ...], state: int, s: int, a: int, o: int) -> tuple[int, int]:
    """How many hits fighting units have to take, and how much of the train (the smallest cut)."""
    above, below, other = t[LEFT_ABOVE][state], t[LEFT_BELOW][state], t[LEFT_MAIN][state]
    fighting = min(s + a + o, above + below + other, o + s + above + other, o + a + below + other)
    return fighting, min(t[LEFT_TRAIN][state], s + a + o - fighting)


@inline
def best(
    worth: Reals,
    wide: int,
    mine: tuple[Ints, ...],
    state: int,
    begin: Ints,
    pick: Ints,
    n: int,
    s: int,
    a: int,
    o: int,
    to: Ints,
    p: Reals,
    first: int,
    last: int,
) -> float:
    """The best choice for these hits: the mean of `worth` over to[first:last] is maximised."""
    fighting, train = due(mine, state, s, a, o)
    top = -1e300
    spot = state * begin[0] + fighting + 1
    for k in range(begin[spot], begin[spot + 1]):
        if pick[n + k] > a + o or pick[2 * n + k] > s + o or pick[4 * n + k] != train:
            continue
        row = worth[pick[k] * wide : (pick[k] + 1) * wide]
        value = 0.0
        for q in range(first, last):
            value += p[q] * row[to[q]]
        top = max(top, value)
    return top


@inline
def step(
    worth: Reals,
    wide: int,
    mine: tuple[Ints, ...],
    state: int,
    other: int,
    begin: Ints,
    pick: Ints,
    n: int,
    attacks: int,
    from_below: Reals,
    n_s: int,
    from_above: Reals,
    n_a: int,
    others: Reals,
    n_o: int,
    to: Ints,
    p: Reals,
    count: int,
    out: Reals,
) -> None:
    """The mean of `worth` over all dice of a step: out[0] without the case that nothing changes,
    out[1] the chance of that case."""
    total = still = 0.0
    for s in range(n_s + 1):
        p_s = from_below[s] if n_s > 0 else 1.0
        for a in range(n_a + 1):
            p_a = p_s * (from_above[a] if n_a > 0 else 1.0)
            for o in range(n_o + 1):
                chance = p_a * (others[o] if n_o > 0 else 1.0)
                if chance < TINY:
                    continue
                fighting, train = due(mine, state, s, a, o)
                first = 0
                if fighting + train == 0:
                    still += chance * p[0]
                    first = 1
                if attacks == 1:
                    for q in range(first, count):
                        total += chance * best(
                            worth, wide, mine, state, begin, pick, n, s, a, o, to, p, q, q + 1
                        )
                elif first < count:
                    total += chance * best(
                        worth, wide, mine, state, begin, pick, n, s, a, o, to, p, first, count
                    )
    out[0], out[1] = total, still


@inline
def tables(ints: Ints, at: int, n: int, dim: Ints, chains: tuple[Ints, ...]) -> tuple[Ints, ...]:
    """The tuple of a side of `layers`, whose flags stand in ints[at:]; nobody leaves here, and
    costs are not asked for."""
    return (
        dim,
        chains[0],
        chains[1],
        chains[2],
        ints[at : at + n],
        ints[at + n : at + 2 * n],
        ints[at + 2 * n : at + 3 * n],
        ints[at + 3 * n : at + 4 * n],
        ints[at + 4 * n : at + 5 * n],
        ints[at + 5 * n : at + 6 * n],
        ints[at : at + 1],
        ints[at + 6 * n : at + 9 * n],
        ints[at : at + 1],
    )


@inline
def run(ints: Ints, reals: Reals) -> int:
    """Find the value of every pair, as the module's docstring says."""
    n_m, n_o, attacks, flees, may_stop, n = ints[0], ints[1], ints[2], ints[3], ints[4], ints[5]
    dim_m, dim_o = ints[16:24], ints[24:32]
    at = 32
    chains = (ints[at : at + 1], ints[at : at + n_m], ints[at + n_m : at + 2 * n_m])
    mine = tables(ints, at + 2 * n_m, n_m, dim_m, chains)
    at += 11 * n_m
    c = n_o * dim_o[D_CHAIN]
    flags = at + 3 * c
    chains = (ints[at : at + c], ints[at + c : at + 2 * c], ints[at + 2 * c : flags])
    other = tables(ints, flags, n_o, dim_o, chains)
    at = flags + 9 * n_o
    # Its first number is the length of a row.
    begin = ints[at : at + 1 + n_m * (ints[6] + 2)]
    at += 1 + n_m * (ints[6] + 2)
    pick = ints[at : at + 5 * n]
    at += 5 * n
    to = ints[at : at + n_o]

    pairs = n_m * n_o
    spot = HEAD
    worth = reals[spot : spot + pairs]
    value = reals[spot + pairs : spot + 2 * pairs]
    fight = reals[spot + 2 * pairs : spot + 3 * pairs]
    spot += 3 * pairs
    c = n_m * dim_m[D_HITS]
    mine_r = (
        reals[spot : spot + c],
        reals[spot + c : spot + 2 * c],
        reals[spot + 2 * c : spot + 3 * c],
        reals[spot + 3 * c : spot + 4 * c],
        reals[spot + 4 * c : spot + 5 * c],
    )
    spot += 5 * c
    row = dim_o[D_HITS]
    c = n_o * row
    other_r = (
        reals[spot : spot + c],
        reals[spot + c : spot + 2 * c],
        reals[spot + 2 * c : spot + 3 * c],
        reals[spot + 3 * c : spot + 4 * c],
        reals[spot + 4 * c : spot + 5 * c],
    )
    spot += 5 * c
    p, sums = reals[spot : spot + n_o], reals[spot + n_o : spot + 2 * n_o]
    spot += 2 * n_o
    out = reals[spot : spot + 2]
    spot += 2
    mid = reals[spot : spot + pairs]
    sums[:] = 0.0

    for i in range(n_m):
        for j in range(n_o - 1, -1, -1):
            here = i * n_o + j
            kind_m, kind_o = mine[KIND][i], other[KIND][j]
            over = is_over(kind_m, kind_o)
            base = j * row
            # General fire, from the state after first strikes.
            count = volley(mine, mine_r, i, other[FINDS][j] == 1, other, j, to, p, sums)
            found = other[FINDS][j] == 1 or mine[ACTIVE][i] == 0
            below = other[ACTIVE][j] if mine[FINDS][i] == 1 else 0
            shots = other[DICE][3 * j + (1 if found else 0)]
            aloft = 0 if found else other[DICE][3 * j + 1] - shots
            table = other_r[MAIN_ABOVE] if found else other_r[FROM_MAIN]
            step(
                value,
                n_o,
                mine,
                i,
                j,
                begin,
                pick,
                n,
                attacks,
                other_r[FROM_BELOW][base : base + row],
                below,
                other_r[FROM_ABOVE][base : base + row],
                aloft,
                table[base : base + row],
                shots,
                to,
                p,
                count,
                out,
            )
            later, still = out[0], out[1]
            if over:
                end_m, end_o = i, j
                lost_m = kind_o != NOBODY and (attacks == 0 or flees == 0)
                lost_o = kind_m != NOBODY and (attacks == 1 or flees == 0)
                if lost_m:
                    end_m = mine[BARE][i]
                if lost_o:
                    end_o = other[BARE][j]
                value[here] = fight[here] = worth[end_m * n_o + end_o]
            else:
                count = first_strike(mine, mine_r, i, other, j, to, p)
                strikes = other[ACTIVE][j] if mine[FINDS][i] == 0 else 0
                step(
                    mid,
                    n_o,
                    mine,
                    i,
                    j,
                    begin,
                    pick,
                    n,
                    attacks,
                    other_r[FROM_BELOW][base : base + row],
                    strikes,
                    other_r[FROM_ABOVE][base : base + row],
                    0,
                    other_r[FROM_MAIN][base : base + row],
                    0,
                    to,
                    p,
                    count,
                    out,
                )
                on = (out[0] + out[1] * later) / (1.0 - out[1] * still)
                fight[here] = on
                value[here] = max(on, worth[here]) if may_stop == 1 else on
            mid[here] = still * value[here] + later
    reals[0] = fight[(n_m - 1) * n_o]
    return 0
