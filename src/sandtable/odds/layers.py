"""The kernel for battles in layers, where not every hit may fall on every unit. Imports Numba.

Each side has three queues, in its order of loss: units above, units below, and the main layer (a
further hit that a unit takes is an entry of its own; the train, which does not fight, stands at
the end). A side's state is how far each queue is used up, numbered so that losses only raise the
number. A hit from below cannot fall on units above; one from above can fall on units below only
if a finder is on its side; within these bounds as many hits as possible are taken, in the order
of loss. That is a greedy choice in a transversal matroid, and with three kinds of hit it has a
closed form (see `volley`).

Units below strike first, and may leave the battle, as long as the enemy has no finder. A pair of
states is met twice in a round: at its start, and after first strikes. A finder never dies in a
first strike (it forbids them), so what the units may do depends on the pair alone. One sweep over
the pairs in ascending order pushes all probability to the end; rounds that change nothing are
divided out.

ints:  0 sides of a die, 1 stop rule (0 never, 1 only units above left, 2 by value, 3 given), 2
       most rounds (0 no limit), 3 whether to count the rounds (2: count the states only), 4
       whether the attacker can retreat (a train left alone then survives), 5 and 6 when attacking
       and defending units below leave (0 never, 1 where they can, 2 as the last of their side;
       and 4 for each round in which they do not yet), 7-10 attacking units above, below, entries
       of the main layer, train; 11-14 the same of the defender; 15 whether `start` is given (else
       both are whole); from 16 for each
       side: value, place in the order and cost of units above, of those below and of the main
       layer, which of these are finders, and the cost of the train.
       From then on: the records of both sides, the numbers that their states have where they are
       in use (else -1), and their tables, which begin with the states in use.
reals: 0-8 and from 16 as for `line`, 9 and 10 the states in use of both sides; from HEAD: `start`,
       the chances of all pairs of states at the end of a round, if it is given; under stop rules
       2 and 3 the worth of every pair as an end (-1e300: fight on); `final`, the chances of the
       ends, states in use by states in use; then scratch.
"""

from __future__ import annotations

import numpy as np

from sandtable.odds.compiled import HEAD, RECORD, ROUNDS, START, Ints, Reals
from sandtable.odds.hits import TIE, TINY, add_die, copy, inline

# What is known of a side stands in a record in `ints`; where it begins stands for the side. It has
# the dimensions of its states (units above + 1, places below, places in main and train), the width
# of a row of the chains (the enemy's dice + 1) and of the hit tables (own dice + 1), the number of
# states in use; how many are above, below, in main and train; and where each of its queues begins:
# values, then places in the order of loss, then costs (in main also who finds; of the train only
# costs).
(
    D_ABOVE, D_BELOW, D_MAIN, D_CHAIN, D_HITS, D_STATES,
    N_ABOVE, N_BELOW, N_MAIN, N_TRAIN, Q_ABOVE, Q_BELOW, Q_MAIN, Q_TRAIN,
) = range(14)  # fmt: skip
# Then where its tables begin in `ints`: the states that are left after each number of hits, if all
# units can be hit, or all but one layer; of each state in use the losses above and below, who is
# still active below, whether a finder is left, the kind of force, the states without the train and
# after leaving, dice (main, with above, with below), cost, full number; the state in use with a
# full number; and how many hits each state can take, by all and by all but those above.
(
    ANY, NOT_ABOVE, NOT_BELOW, ABOVE, BELOW, ACTIVE, FINDS, KIND, BARE, GONE, DICE, COST,
    FULL, RANK, DEPTH,
) = range(14, 29)  # fmt: skip
# Where they begin in `reals`: hits of main layer and above, of all, of each alone; and the chances
# of at least so many, for the first three.
MAIN_ABOVE, ALL, FROM_BELOW, FROM_ABOVE, FROM_MAIN, TAILS = range(29, 35)
# Where the outcomes of the last fire on this side stand, states in `ints` and chances in `reals`,
# of a volley and of a first strike; and where there is room for such lists.
TO, CHANCE, FIRST_TO, FIRST_CHANCE, ROOM, CHANCES = range(35, 41)
# Kinds of force: nobody who fights, a mixed one, only above, only below.
NOBODY, MIXED, ONLY_ABOVE, ONLY_BELOW = range(4)


@inline
def next_layer(ints: Ints, t: int, a: int, s: int, h: int, spared: int) -> int:
    """The layer of the next unit to be lost (0 above, 1 below, 2 main and, after all others, the
    train; 3 nobody), which is not the one that is `spared`."""
    n_above, n_below, n_main = ints[t + N_ABOVE], ints[t + N_BELOW], ints[t + N_MAIN]
    first = 1 << 40
    layer = 3
    if spared != 0 and a < n_above:
        first = ints[ints[t + Q_ABOVE] + n_above + a]
        layer = 0
    if spared != 1 and s < n_below:
        place = ints[ints[t + Q_BELOW] + n_below + s]
        if place < first:
            first = place
            layer = 1
    if h < n_main:
        if ints[ints[t + Q_MAIN] + n_main + h] < first:
            layer = 2
    elif layer == 3 and h < n_main + ints[t + N_TRAIN]:
        layer = 2
    return layer


@inline
def without_train(ints: Ints, t: int, state: int) -> int:
    """The state in which a train that nobody defends is lost."""
    step = ints[t + D_ABOVE] * ints[t + D_BELOW]
    h = state // step
    return state + (ints[t + D_MAIN] - 1 - h) * step if h >= ints[t + N_MAIN] else state


@inline
def after_leaving(ints: Ints, t: int, state: int, leaves: int) -> int:
    """The state in which the units below have left, if they do where they can."""
    wide_above, wide_below, n = ints[t + D_ABOVE], ints[t + D_BELOW], ints[t + N_BELOW]
    s = state // wide_above % wide_below
    alone = state % wide_above == wide_above - 1
    alone = alone and state // (wide_above * wide_below) >= ints[t + N_MAIN]
    if s < n and (leaves == 1 or (leaves == 2 and alone)):
        state += 2 * (n - s) * wide_above
    return state


@inline
def discover(ints: Ints, t: int, enemy: int, leaves: int, states: int, lost: int) -> int:
    """Number the states in use: those that are marked with 0 (the others are -1), and all that the
    enemy's dice could ever make of them. They keep their order. Returns how many there are; `lost`
    is where scratch begins."""
    wide, wide_below = ints[t + D_ABOVE], ints[t + D_BELOW]
    rank = ints[ints[t + RANK] : ints[t + RANK] + states]
    aloft, deep, others = ints[enemy + N_ABOVE], ints[enemy + N_BELOW], 0
    for k in range(ints[enemy + N_MAIN]):
        others += ints[ints[enemy + Q_MAIN] + k] > 0
    most = aloft + deep + others
    lost_above, lost_below = ints[lost : lost + most + 1], ints[lost + most + 1 :]
    count = 0
    for state in range(states):
        if rank[state] < 0:
            continue
        rank[state] = count
        count += 1
        bare, gone = without_train(ints, t, state), after_leaving(ints, t, state, leaves)
        if bare > state:
            rank[bare] = 0
        if gone > state:
            rank[gone] = 0
        # As in `volley`: down the order of loss, unless that strikes too many above or below.
        a, s, h = state % wide, state // wide % wide_below, state // (wide * wide_below)
        x_a, x_s, x_h = a, s, h
        for x in range(1, most + 1):
            layer = next_layer(ints, t, x_a, x_s, x_h, 3)
            x_a += layer == 0
            x_s += layer == 1
            x_h += layer == 2
            if layer < 3:
                rank[(x_h * wide_below + x_s) * wide + x_a] = 0
            lost_above[x] = x_a - a
            lost_below[x] = x_s - s
        x_s, x_h = s, h
        for x in range(1, deep + 1):
            layer = next_layer(ints, t, a, x_s, x_h, 0)
            x_s += layer == 1
            x_h += layer == 2
            to = (x_h * wide_below + x_s) * wide + a
            for k in range(most - deep + 1):
                if lost_above[x + k] <= k:
                    break
                if to + k > state:
                    rank[to + k] = 0
        x_a, x_h = a, h
        for x in range(1, aloft + 1):
            layer = next_layer(ints, t, x_a, s, x_h, 1)
            x_a += layer == 0
            x_h += layer == 2
            to = (x_h * wide_below + s) * wide + x_a
            for k in range(most - aloft + 1):
                if lost_below[x + k] <= k:
                    break
                if to + k * wide > state:
                    rank[to + k * wide] = 0
    return count


@inline
def lay_out(ints: Ints, t: int, at: int, spot: int) -> None:
    """Say where a side's tables begin: from ints[at] and reals[spot] on."""
    n = ints[t + D_STATES]
    ints[t + FULL] = at
    ints[t + ANY] = at + n
    ints[t + NOT_ABOVE] = ints[t + ANY] + n * ints[t + D_CHAIN]
    ints[t + NOT_BELOW] = ints[t + NOT_ABOVE] + n * ints[t + D_CHAIN]
    ints[t + ABOVE] = ints[t + NOT_BELOW] + n * ints[t + D_CHAIN]
    for k in range(BELOW, DICE + 1):
        ints[t + k] = ints[t + k - 1] + n
    ints[t + COST] = ints[t + DICE] + 3 * n
    ints[t + DEPTH] = ints[t + COST] + n
    ints[t + ROOM] = ints[t + DEPTH] + 2 * n
    for k in range(6):
        ints[t + MAIN_ABOVE + k] = spot + k * n * ints[t + D_HITS]
    ints[t + CHANCES] = spot + 8 * n * ints[t + D_HITS]


@inline
def build(ints: Ints, reals: Reals, t: int, sides: int, leaves: int, full: int) -> None:
    """Fill the tables of a side for its states in use, of so many in full."""
    chain, row, states = ints[t + D_CHAIN], ints[t + D_HITS], ints[t + D_STATES]
    n_above, n_below, n_main = ints[t + N_ABOVE], ints[t + N_BELOW], ints[t + N_MAIN]
    n_train = ints[t + N_TRAIN]
    above, below, main = (
        ints[ints[t + Q_ABOVE] :],
        ints[ints[t + Q_BELOW] :],
        ints[ints[t + Q_MAIN] :],
    )
    train = ints[ints[t + Q_TRAIN] :]
    rank = ints[ints[t + RANK] : ints[t + RANK] + full]
    for state in range(full):
        if rank[state] >= 0:
            ints[ints[t + FULL] + rank[state]] = state
    for i in range(states - 1, -1, -1):
        state = ints[ints[t + FULL] + i]
        a = state % ints[t + D_ABOVE]
        s = state // ints[t + D_ABOVE] % ints[t + D_BELOW]
        h = state // (ints[t + D_ABOVE] * ints[t + D_BELOW])
        active = max(n_below - s, 0)
        finds = dice = cost = 0
        for k in range(a, n_above):
            cost += above[2 * n_above + k]
        for k in range(h, n_main):
            cost += main[2 * n_main + k]
            finds |= main[3 * n_main + k]
        for k in range(max(h - n_main, 0), n_train):
            cost += train[k]
        if n_below > 0:  # those that left are safe; they are all of one type
            cost += below[2 * n_below] * (n_below - s if s <= n_below else s - n_below)
        kind = NOBODY
        if h < n_main or (a < n_above and active > 0):
            kind = MIXED
        elif a < n_above:
            kind = ONLY_ABOVE
        elif active > 0:
            kind = ONLY_BELOW
        ints[ints[t + ABOVE] + i], ints[ints[t + BELOW] + i] = a, s
        ints[ints[t + ACTIVE] + i], ints[ints[t + FINDS] + i] = active, finds
        ints[ints[t + KIND] + i], ints[ints[t + COST] + i] = kind, cost
        ints[ints[t + BARE] + i] = rank[without_train(ints, t, state)]
        ints[ints[t + GONE] + i] = rank[after_leaving(ints, t, state, leaves)]

        # The states after each number of hits; those that no enemy can bring about are not asked.
        for spared in range(3):
            chains = ints[ints[t + (ANY if spared == 2 else NOT_ABOVE + spared)] :]
            layer = next_layer(ints, t, a, s, h, spared)
            step = 1 if layer == 0 else ints[t + D_ABOVE]
            if layer == 2:
                step *= ints[t + D_BELOW]
            after = rank[state + step] if layer < 3 else i
            chains[i * chain] = i
            for x in range(1, chain):
                chains[i * chain + x] = chains[after * chain + x - 1] if after > i else i

        for k in range(5):
            hits = reals[ints[t + MAIN_ABOVE + k] + i * row :]
            for x in range(row):
                hits[x] = 0.0
            hits[0] = 1.0
        main_above, every = (
            reals[ints[t + MAIN_ABOVE] + i * row :],
            reals[ints[t + ALL] + i * row :],
        )
        from_main = reals[ints[t + FROM_MAIN] + i * row :]
        for k in range(h, n_main):
            if main[k] > 0:
                add_die(from_main, dice, main[k] / sides)
                dice += 1
        copy(main_above, from_main, row)
        ints[ints[t + DICE] + 3 * i] = dice
        for k in range(a, n_above):
            add_die(main_above, dice, above[k] / sides)
            add_die(reals[ints[t + FROM_ABOVE] + i * row :], k - a, above[k] / sides)
            dice += 1
        copy(every, main_above, row)
        ints[ints[t + DICE] + 3 * i + 1] = dice
        for k in range(active):
            add_die(every, dice, below[0] / sides)
            add_die(reals[ints[t + FROM_BELOW] + i * row :], k, below[0] / sides)
            dice += 1
        ints[ints[t + DICE] + 3 * i + 2] = dice


@inline
def measure(ints: Ints, reals: Reals, t: int) -> None:
    """Find how many hits each state can take, and the chances of at least so many hits."""
    chain, row, states = ints[t + D_CHAIN], ints[t + D_HITS], ints[t + D_STATES]
    for k in range(2 * states if chain > 0 else 0):
        path = ints[ints[t + (ANY if k < states else NOT_ABOVE)] + k % states * chain :]
        depth = 0
        while depth < chain - 1 and path[depth + 1] != path[depth]:
            depth += 1
        ints[ints[t + DEPTH] + k] = depth
    for k in range(3 * states):
        hits = reals[ints[t + MAIN_ABOVE] + k * row :]
        tail = reals[ints[t + TAILS] + k * row :]
        total = 0.0
        for x in range(row - 1, -1, -1):
            total += hits[x]
            tail[x] = total


@inline
def along(
    ints: Ints, reals: Reals, hits: int, dice: int, depth: int, tail: int, chain: int, t: int,
    lists: int, room: int,
) -> int:  # fmt: skip
    """Hits, whose chances begin at reals[hits], that are all taken along the chain at ints[chain],
    of which there are `depth` to hit: the outcomes become the side's `lists`. The chances of at
    least so many hits stand `tail` further on; there is room for a list from `room` on."""
    ints[t + lists], ints[t + lists + 1] = chain, hits
    if dice <= depth:
        return dice + 1
    chance = ints[t + CHANCES] + room
    ints[t + lists + 1] = chance
    for x in range(depth):
        reals[chance + x] = reals[hits + x]
    reals[chance + depth] = reals[hits + tail + depth]
    return depth + 1


@inline
def volley(
    ints: Ints, reals: Reals, f: int, shooter: int, with_below: bool, t: int, target: int
) -> int:
    """What the general fire of a state does to a target: the outcomes, as TO and CHANCE of the
    target's side, itself first, and how many there are. A state may be there twice.

    With s hits from below, a from above without a finder and o others, a set of losses can be
    matched to hits if and only if it has at most a + o units above, at most s + o below and at
    most s + a + o in all. Going down the order of loss, at most one of the first two bounds
    binds; then that kind is hit to its bound and the other hits go down the rest of the order.
    A bound that does not bind for some number of other hits does not for any larger one; so
    neither does if the hits from below, or those from above, go down the order by themselves.
    """
    row, chain = ints[f + D_HITS], ints[t + D_CHAIN]
    below = ints[ints[f + ACTIVE] + shooter] if with_below else 0
    found = ints[ints[f + FINDS] + shooter] == 1 or ints[ints[t + ACTIVE] + target] == 0
    n_main, aloft = ints[ints[f + DICE] + 3 * shooter], ints[ints[f + DICE] + 3 * shooter + 1]
    dice = aloft + below
    begin = ints[t + ANY] + target * chain
    every = ints[f + (ALL if below > 0 else MAIN_ABOVE)] + shooter * row
    above_0, below_0 = ints[ints[t + ABOVE] + target], ints[ints[t + BELOW] + target]
    aside = below > 0 and ints[ints[t + ABOVE] + ints[begin + below]] > above_0
    if not found and not aside:
        aside = ints[ints[t + BELOW] + ints[begin + aloft - n_main]] > below_0
    if not aside:
        depth = ints[ints[t + DEPTH] + target]
        tail = ints[f + TAILS] - ints[f + MAIN_ABOVE]
        reached: int = along(ints, reals, every, dice, depth, tail, begin, t, TO, 0)
        return reached

    path = ints[begin:]
    lost_above, lost_below = ints[ints[t + ABOVE] :], ints[ints[t + BELOW] :]
    room = ints[t + ROOM], ints[t + CHANCES]
    ints[t + TO], ints[t + CHANCE] = room
    to, chance = ints[room[0] :], reals[room[1] :]
    rest = reals[room[1] + chain * chain + chain :]  # of all hits, those that no bound turns aside
    copy(rest, reals[every:], dice + 1)
    full, rank = ints[ints[t + FULL] :], ints[ints[t + RANK] :]
    from_below = reals[ints[f + FROM_BELOW] + shooter * row :]
    from_above = reals[ints[f + FROM_ABOVE] + shooter * row :]
    from_main = reals[ints[f + FROM_MAIN] + shooter * row :]
    others = reals[ints[f + MAIN_ABOVE] + shooter * row :]
    to[0] = target
    chance[0] = 0.0
    n = 1
    for s in range(1, below + 1):
        first = full[ints[ints[t + NOT_ABOVE] + target * chain + s]]
        for k in range(aloft + 1):
            if lost_above[path[s + k]] - above_0 <= k:
                break
            p = from_below[s] * others[k]
            rest[s + k] -= p
            to[n] = rank[first + k]
            chance[n] = p
            n += 1
    for a in range(1, 1 if found else aloft - n_main + 1):
        first = full[ints[ints[t + NOT_BELOW] + target * chain + a]]
        for k in range(below + n_main + 1):
            if lost_below[path[a + k]] - below_0 <= k:
                break
            p = 0.0
            for s in range(max(0, k - n_main), min(below, k) + 1):
                p += (from_below[s] if below > 0 else 1.0) * from_main[k - s]
            p *= from_above[a]
            rest[a + k] -= p
            to[n] = rank[first + k * ints[t + D_ABOVE]]
            chance[n] = p
            n += 1
    turned = n
    n = 1
    for k in range(1, turned):
        if to[k] == target:
            chance[0] += chance[k]
        elif chance[k] > TINY:
            to[n], chance[n] = to[k], chance[k]
            n += 1
    for x in range(dice + 1):
        if path[x] == target:
            chance[0] += rest[x]
        elif rest[x] > TINY:
            to[n], chance[n] = path[x], rest[x]
            n += 1
    return n


@inline
def first_strike(ints: Ints, reals: Reals, f: int, shooter: int, t: int, target: int) -> int:
    """The same for a first strike, as FIRST_TO and FIRST_CHANCE; without one the target stays as
    it is."""
    room = ints[t + D_CHAIN] * ints[t + D_CHAIN]
    chain = ints[t + NOT_ABOVE] + target * ints[t + D_CHAIN]
    active = ints[ints[f + ACTIVE] + shooter]
    if active == 0 or ints[ints[t + FINDS] + target] == 1:
        ints[t + FIRST_TO], ints[t + FIRST_CHANCE] = chain, ints[t + CHANCES] + room
        reals[ints[t + FIRST_CHANCE]] = 1.0
        return 1
    hits = ints[f + FROM_BELOW] + shooter * ints[f + D_HITS]
    depth = ints[ints[t + DEPTH] + ints[t + D_STATES] + target]
    tail = ints[f + TAILS] - ints[f + MAIN_ABOVE]
    reached: int = along(ints, reals, hits, active, depth, tail, chain, t, FIRST_TO, room)
    return reached


@inline
def is_over(kind_a: int, kind_d: int) -> bool:
    """Nobody to fight on one side, or forces that cannot hit each other."""
    return (
        kind_a == NOBODY
        or kind_d == NOBODY
        or (kind_a == ONLY_ABOVE and kind_d == ONLY_BELOW)
        or (kind_a == ONLY_BELOW and kind_d == ONLY_ABOVE)
    )


@inline
def concluded(ints: Ints, a: int, d: int, i: int, j: int, flees: int) -> tuple[int, int]:
    """The pair as it is left behind: a train that nobody defends any more is lost."""
    kind_a, kind_d = ints[ints[a + KIND] + i], ints[ints[d + KIND] + j]
    if is_over(kind_a, kind_d):
        if kind_a != NOBODY:
            j = ints[ints[d + BARE] + j]
        if kind_d != NOBODY and flees == 0:
            i = ints[ints[a + BARE] + i]
    return i, j


@inline
def push(
    ints: Ints,
    reals: Reals,
    into: int,
    weight: float,
    a: int,
    n_a: int,
    d: int,
    n_d: int,
    lists: int,
    skip: int,
) -> None:
    """Add the product of both sides' outcomes to the pairs that begin at reals[into], without the
    very first pair if skip is 1. `lists` is TO or FIRST_TO."""
    to_a, p_a = ints[ints[a + lists] :], reals[ints[a + lists + 1] :]
    to_d, p_d = ints[ints[d + lists] :], reals[ints[d + lists + 1] :]
    wide = ints[d + D_STATES]
    for k in range(n_a):
        c = weight * p_a[k]
        if c < TINY:
            continue
        pairs = reals[into + to_a[k] * wide :]
        for q in range(skip if k == 0 else 0, n_d):
            # An unsigned index need not be looked at for its sign.
            pairs[np.uint64(to_d[q])] += c * p_d[q]


@inline
def pull(
    ints: Ints, reals: Reals, worth: int, a: int, n_a: int, d: int, n_d: int, lists: int, skip: int
) -> float:
    """The mean of the pairs that begin at reals[worth] over the product of both, likewise."""
    to_a, p_a = ints[ints[a + lists] :], reals[ints[a + lists + 1] :]
    to_d, p_d = ints[ints[d + lists] :], reals[ints[d + lists + 1] :]
    wide = ints[d + D_STATES]
    total = 0.0
    for k in range(n_a):
        pairs = reals[worth + to_a[k] * wide :]
        part = 0.0
        for q in range(skip if k == 0 else 0, n_d):
            part += pairs[np.uint64(to_d[q])] * p_d[q]
        total += p_a[k] * part
    return total


@inline
def describe(ints: Ints, t: int, sizes: int, queue: int, leaves: int, shots: int) -> int:
    """Fill in the head of a side's record; returns where its queues end."""
    n_above, n_below = ints[sizes], ints[sizes + 1]
    n_main, n_train = ints[sizes + 2], ints[sizes + 3]
    ints[t + N_ABOVE], ints[t + N_BELOW] = n_above, n_below
    ints[t + N_MAIN], ints[t + N_TRAIN] = n_main, n_train
    ints[t + Q_ABOVE] = queue
    ints[t + Q_BELOW] = queue + 3 * n_above
    ints[t + Q_MAIN] = ints[t + Q_BELOW] + 3 * n_below
    ints[t + Q_TRAIN] = ints[t + Q_MAIN] + 4 * n_main
    ints[t + D_ABOVE] = n_above + 1
    ints[t + D_BELOW] = (2 * n_below if leaves > 0 else n_below) + 1
    ints[t + D_MAIN] = n_main + n_train + 1
    ints[t + D_HITS] = n_above + n_below + n_main + 1
    ints[t + D_CHAIN] = shots + 1
    end: int = ints[t + Q_TRAIN] + n_train
    return end


@inline
def run(ints: Ints, reals: Reals) -> int:
    """Fight the battle that the module's docstring lays out."""
    sides, rule, limit, layered, flees = ints[0], ints[1], ints[2], ints[3], ints[4]
    leave_a, leave_d = ints[5] % 4, ints[6] % 4
    since_a, since_d = ints[5] // 4, ints[6] // 4
    shots_a, shots_d = ints[7] + ints[8] + ints[9], ints[11] + ints[12] + ints[13]
    at = START
    for k in (7, 11):
        at += 3 * ints[k] + 3 * ints[k + 1] + 4 * ints[k + 2] + ints[k + 3]
    a, d = at, at + RECORD
    at += 2 * RECORD
    queue_d = describe(ints, a, 7, START, leave_a, shots_d)
    describe(ints, d, 11, queue_d, leave_d, shots_a)
    full_a = ints[a + D_ABOVE] * ints[a + D_BELOW] * ints[a + D_MAIN]
    full_d = ints[d + D_ABOVE] * ints[d + D_BELOW] * ints[d + D_MAIN]

    spot = HEAD
    start = reals[spot : spot + (full_a * full_d if ints[15] == 1 else 0)]
    spot += len(start)
    worth = reals[spot : spot + (full_a * full_d if rule >= 2 else 0)]
    spot += len(worth)
    ints[a + RANK], ints[d + RANK] = at, at + full_a
    for k in range(full_a + full_d):
        ints[at + k] = -1
    ints[ints[a + RANK]] = ints[ints[d + RANK]] = 0
    for k in range(len(start)):
        if start[k] > 0.0:
            ints[ints[a + RANK] + k // full_d] = ints[ints[d + RANK] + k % full_d] = 0
    at += full_a + full_d
    n_a = discover(ints, a, d, leave_a, full_a, at)
    n_d = discover(ints, d, a, leave_d, full_d, at)
    ints[a + D_STATES], ints[d + D_STATES] = n_a, n_d
    reals[: 16 + ROUNDS] = 0.0
    reals[9], reals[10] = n_a, n_d
    if layered == 2:
        return 0

    pairs = n_a * n_d
    final = reals[spot : spot + pairs]
    now_at, mid_at = spot + pairs, spot + 2 * pairs
    now, mid = reals[now_at : now_at + pairs], reals[mid_at : mid_at + pairs]
    spot += 3 * pairs
    lay_out(ints, a, at, spot)
    room = ints[a + D_CHAIN] * (ints[a + D_CHAIN] + 2)
    lay_out(ints, d, ints[a + ROOM] + room, ints[a + CHANCES] + room)
    build(ints, reals, a, sides, leave_a, full_a)
    build(ints, reals, d, sides, leave_d, full_d)
    measure(ints, reals, a)
    measure(ints, reals, d)
    kinds_a, kinds_d = ints[ints[a + KIND] :], ints[ints[d + KIND] :]
    finds_a, finds_d = ints[ints[a + FINDS] :], ints[ints[d + FINDS] :]
    gone_a, gone_d = ints[ints[a + GONE] :], ints[ints[d + GONE] :]
    all_a, all_d = ints[ints[a + FULL] :], ints[ints[d + FULL] :]

    if rule == 2:
        # From the end back: `now` gets the value at the start of a round, `mid` after first
        # strikes; `worth` becomes -1e300 where the attacker had better fight on.
        for i in range(n_a - 1, -1, -1):
            for j in range(n_d - 1, -1, -1):
                here = i * n_d + j
                there = all_a[i] * full_d + all_d[j]
                c_d = volley(ints, reals, a, i, finds_d[j] == 1, d, j)
                c_a = volley(ints, reals, d, j, finds_a[i] == 1, a, i)
                still = reals[ints[a + CHANCE]] * reals[ints[d + CHANCE]]
                later = pull(ints, reals, now_at, a, c_a, d, c_d, TO, 1)
                if is_over(kinds_a[i], kinds_d[j]):
                    x, y = concluded(ints, a, d, i, j, flees)
                    now[here] = worth[all_a[x] * full_d + all_d[y]]
                else:
                    after_a = gone_a[i] if finds_d[j] == 0 else i
                    after_d = gone_d[j] if finds_a[i] == 0 else j
                    s_d = first_strike(ints, reals, a, after_a, d, after_d)
                    s_a = first_strike(ints, reals, d, after_d, a, after_a)
                    if after_a != i or after_d != j:
                        on = pull(ints, reals, mid_at, a, s_a, d, s_d, FIRST_TO, 0)
                    else:
                        on = pull(ints, reals, mid_at, a, s_a, d, s_d, FIRST_TO, 1)
                        same = reals[ints[a + FIRST_CHANCE]] * reals[ints[d + FIRST_CHANCE]]
                        on = (on + same * later) / (1.0 - same * still)
                    if here == 0:
                        reals[1] = on
                    if on >= worth[there] - TIE:
                        now[here] = on
                        worth[there] = -1e300
                    else:
                        now[here] = worth[there]
                mid[here] = still * now[here] + later

    now[:] = 0.0
    mid[:] = 0.0
    done = ints[15]
    if done == 1:
        for i in range(n_a):
            for j in range(n_d):
                now[i * n_d + j] = start[all_a[i] * full_d + all_d[j]]
    else:
        now[0] = 1.0
    final[:] = 0.0
    rounds = float(done)
    # The attacker may not retreat before the first round, nor may its train flee: where neither
    # side's fighting units can hit the other's, they stand that round's fire.
    caught = ints[a + N_TRAIN] > 0 and flees == 1 and kinds_d[0] != NOBODY
    caught = caught and is_over(kinds_a[0], kinds_d[0])
    first = rule != 0 or caught
    while True:
        # Round by round where somebody counts (`by_one`); otherwise all of them in one sweep.
        by_one = layered == 1 or limit > 0 or (first and done == 0)
        by_one = by_one or done < max(since_a, since_d)
        left = 0.0
        for i in range(n_a):
            kind_a = kinds_a[i]
            for j in range(n_d):
                here = i * n_d + j
                begin, middle = now[here], mid[here]
                if by_one:
                    middle = 0.0
                if begin < TINY and middle < TINY:
                    continue
                over = is_over(kind_a, kinds_d[j])
                if caught and done == 0:
                    over = False
                stop = over
                if not over and done > 0:
                    stop = (
                        (limit > 0 and done >= limit)
                        or (rule == 1 and kind_a == ONLY_ABOVE)
                        or (rule >= 2 and worth[all_a[i] * full_d + all_d[j]] > -1e299)
                    )
                if stop and middle < TINY:
                    x, y = concluded(ints, a, d, i, j, flees)
                    final[x * n_d + y] += begin
                    reals[16 + min(done, ROUNDS - 1)] += begin
                    now[here] = 0.0
                    continue
                if by_one:
                    left += begin
                c_a = c_d = 0
                still = 0.0
                if not by_one:
                    c_d = volley(ints, reals, a, i, finds_d[j] == 1, d, j)
                    c_a = volley(ints, reals, d, j, finds_a[i] == 1, a, i)
                    still = reals[ints[a + CHANCE]] * reals[ints[d + CHANCE]]
                if stop:
                    x, y = concluded(ints, a, d, i, j, flees)
                    final[x * n_d + y] += begin + middle * still
                else:
                    after_a, after_d = i, j
                    if finds_d[j] == 0 and done >= since_a:
                        after_a = gone_a[i]
                    if finds_a[i] == 0 and done >= since_d:
                        after_d = gone_d[j]
                    s_d = first_strike(ints, reals, a, after_a, d, after_d)
                    s_a = first_strike(ints, reals, d, after_d, a, after_a)
                    weight, skip = begin, 0
                    if not by_one:
                        weight += middle * still
                        if after_a == i and after_d == j:
                            same = reals[ints[a + FIRST_CHANCE]] * reals[ints[d + FIRST_CHANCE]]
                            weight /= 1.0 - same * still
                            middle += weight * same
                            skip = 1
                    if skip == 0 or s_a + s_d > 2:
                        push(ints, reals, mid_at, weight, a, s_a, d, s_d, FIRST_TO, skip)
                    rounds += weight
                now[here] = 0.0
                if not by_one:
                    push(ints, reals, now_at, middle, a, c_a, d, c_d, TO, 1)
                    mid[here] = 0.0
        if not by_one or left < TINY:
            break
        for i in range(n_a):
            for j in range(n_d):
                middle = mid[i * n_d + j]
                if middle > 0.0:
                    c_d = volley(ints, reals, a, i, finds_d[j] == 1, d, j)
                    c_a = volley(ints, reals, d, j, finds_a[i] == 1, a, i)
                    push(ints, reals, now_at, middle, a, c_a, d, c_d, TO, 0)
                    mid[i * n_d + j] = 0.0
        done += 1
        if done >= ROUNDS - 1:
            layered = 0
            limit = 0

    reals[0] = rounds
    cost_a, cost_d = ints[ints[a + COST] :], ints[ints[d + COST] :]
    for i in range(n_a):
        for j in range(n_d):
            p = final[i * n_d + j]
            if p == 0.0:
                continue
            kind_a, kind_d = kinds_a[i], kinds_d[j]
            if kind_a != NOBODY and kind_d == NOBODY:
                reals[2] += p
            elif kind_a == NOBODY and kind_d != NOBODY:
                reals[3] += p
            elif is_over(kind_a, kind_d):
                reals[4] += p
            else:
                reals[6] += p
            reals[7] += p * (cost_a[0] - cost_a[i])
            reals[8] += p * (cost_d[0] - cost_d[j])
    return 0
