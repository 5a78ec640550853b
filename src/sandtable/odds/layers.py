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
       most rounds (0 no limit), 3 whether to count the rounds, 4 whether the attacker can retreat
       (a train left alone then survives), 5 and 6 when attacking and defending units below leave
       (0 never, 1 at once, 2 as the last of their side), 7-10 attacking units above, below,
       entries of the main layer, train; 11-14 the same of the defender; 15 whether `final` holds
       the chances of all states at the end of a round (else both are whole); from 16 for each
       side: value, place in the order and cost of units above, of those below and of the main
       layer, which of these are finders, and the cost of the train; then scratch.
reals: 0-8 and from 16 as for `line`; from HEAD: final (states of the attacker by states of the
       defender), and under stop rules 2 and 3 the worth of every end (-1e300: fight on); then
       scratch.
"""

from __future__ import annotations

from sandtable.odds.compiled import Ints, Reals
from sandtable.odds.hits import TIE, TINY, add_die, copy, inline

HEAD = 128
ROUNDS = 100

# The tables of a side, as indices into its tuple of int arrays …
DIM, ANY, NOT_ABOVE, NOT_BELOW, ABOVE, BELOW, ACTIVE, FINDS, KIND, BARE, GONE, DICE, COST = range(
    13
)
# … whose first has the dimensions: units above + 1, places below, places in main and train, width
# of a row of the chains (the enemy's dice + 1) and of the hit tables (own dice + 1), states.
D_ABOVE, D_BELOW, D_MAIN, D_CHAIN, D_HITS, D_STATES = range(6)
# Kinds of state: nobody who fights, a mixed force, only above, only below.
NOBODY, MIXED, ONLY_ABOVE, ONLY_BELOW = range(4)
# The tables in the tuple of real arrays: hits of main layer and above, of all, of each alone.
MAIN_ABOVE, ALL, FROM_BELOW, FROM_ABOVE, FROM_MAIN = range(5)


@inline
def int_tables(ints: Ints, at: int, dim: Ints) -> tuple[Ints, ...]:
    """A side's tuple of int arrays, which stand in ints[at:]."""
    n = dim[D_STATES]
    c = n * dim[D_CHAIN]
    flags = at + 3 * c
    return (
        dim,
        ints[at : at + c],
        ints[at + c : at + 2 * c],
        ints[at + 2 * c : flags],
        ints[flags : flags + n],
        ints[flags + n : flags + 2 * n],
        ints[flags + 2 * n : flags + 3 * n],
        ints[flags + 3 * n : flags + 4 * n],
        ints[flags + 4 * n : flags + 5 * n],
        ints[flags + 5 * n : flags + 6 * n],
        ints[flags + 6 * n : flags + 7 * n],
        ints[flags + 7 * n : flags + 10 * n],
        ints[flags + 10 * n : flags + 11 * n],
    )


@inline
def real_tables(reals: Reals, at: int, dim: Ints) -> tuple[Reals, ...]:
    """A side's tuple of real arrays, which stand in reals[at:]."""
    c = dim[D_STATES] * dim[D_HITS]
    return (
        reals[at : at + c],
        reals[at + c : at + 2 * c],
        reals[at + 2 * c : at + 3 * c],
        reals[at + 3 * c : at + 4 * c],
        reals[at + 4 * c : at + 5 * c],
    )


@inline
def build(
    sides: int,
    leaves: int,
    start: int,
    ints: Ints,
    t: tuple[Ints, ...],
    r: tuple[Reals, ...],
    n_above: int,
    n_below: int,
    n_main: int,
    n_train: int,
) -> None:
    """Fill the tables of a side whose queues stand in ints[start:]."""
    wide_above, wide_below = t[DIM][D_ABOVE], t[DIM][D_BELOW]
    chain, row, states = t[DIM][D_CHAIN], t[DIM][D_HITS], t[DIM][D_STATES]
    at = start
    above_value, above_place = ints[at : at + n_above], ints[at + n_above : at + 2 * n_above]
    above_cost = ints[at + 2 * n_above : at + 3 * n_above]
    at += 3 * n_above
    below_value, below_place = ints[at : at + n_below], ints[at + n_below : at + 2 * n_below]
    below_cost = ints[at + 2 * n_below : at + 3 * n_below]
    at += 3 * n_below
    main_value, main_place = ints[at : at + n_main], ints[at + n_main : at + 2 * n_main]
    main_cost = ints[at + 2 * n_main : at + 3 * n_main]
    main_finds = ints[at + 3 * n_main : at + 4 * n_main]
    train_cost = ints[at + 4 * n_main : at + 4 * n_main + n_train]
    far = 1 << 40
    step_below, step_main = wide_above, wide_above * wide_below
    for state in range(states - 1, -1, -1):
        a = state % wide_above
        s = state // wide_above % wide_below
        h = state // step_main
        active = max(n_below - s, 0)
        fighting = 0
        finds = 0
        dice = 0
        cost = 0
        for k in range(a, n_above):
            cost += above_cost[k]
        for k in range(h, n_main):
            fighting += 1
            cost += main_cost[k]
            if main_finds[k] == 1:
                finds = 1
        for k in range(max(h - n_main, 0), n_train):
            cost += train_cost[k]
        if n_below > 0:  # those that left are safe; they are all of one type
            cost += below_cost[0] * (n_below - s if s <= n_below else s - n_below)
        t[ABOVE][state], t[BELOW][state], t[ACTIVE][state] = a, s, active
        t[FINDS][state], t[COST][state] = finds, cost
        if fighting > 0 or (a < n_above and active > 0):
            t[KIND][state] = MIXED
        elif a < n_above:
            t[KIND][state] = ONLY_ABOVE
        else:
            t[KIND][state] = ONLY_BELOW if active > 0 else NOBODY
        t[BARE][state] = state + (n_main + n_train - h) * step_main if h >= n_main else state
        alone = fighting == 0 and a == n_above
        if active > 0 and (leaves == 1 or (leaves == 2 and alone)):
            t[GONE][state] = state + (n_below + active - s) * step_below
        else:
            t[GONE][state] = state

        # The next unit to go, by what may be hit. The train comes after all others.
        next_above = above_place[a] if a < n_above else far
        next_below = below_place[s] if active > 0 else far
        next_main = main_place[h] if h < n_main else far
        train = h >= n_main and h < n_main + n_train
        any_next = not_above = not_below = state
        first = min(next_above, next_below, next_main)
        if first < far:
            if first == next_above:
                any_next = state + 1
            elif first == next_below:
                any_next = state + step_below
            else:
                any_next = state + step_main
        elif train:
            any_next = state + step_main
        if min(next_below, next_main) < far:
            not_above = state + (step_below if next_below < next_main else step_main)
        elif train:
            not_above = state + step_main
        if min(next_above, next_main) < far:
            not_below = state + (1 if next_above < next_main else step_main)
        elif train:
            not_below = state + step_main
        here = state * chain
        t[ANY][here] = t[NOT_ABOVE][here] = t[NOT_BELOW][here] = state
        for x in range(1, chain):
            t[ANY][here + x] = t[ANY][any_next * chain + x - 1]
            t[NOT_ABOVE][here + x] = (
                t[NOT_ABOVE][not_above * chain + x - 1] if not_above > state else state
            )
            t[NOT_BELOW][here + x] = (
                t[NOT_BELOW][not_below * chain + x - 1] if not_below > state else state
            )
            if any_next == state:
                t[ANY][here + x] = state

        # Hits: one more unit than a state that is already done.
        base = state * row
        for table in r:
            for x in range(row):
                table[base + x] = 0.0
            table[base] = 1.0
        for k in range(h, n_main):
            if main_value[k] > 0:
                add_die(r[FROM_MAIN][base : base + row], dice, main_value[k] / sides)
                dice += 1
        copy(r[MAIN_ABOVE][base : base + row], r[FROM_MAIN][base : base + row], row)
        t[DICE][3 * state] = dice
        for k in range(a, n_above):
            chance = above_value[k] / sides
            add_die(r[MAIN_ABOVE][base : base + row], dice, chance)
            add_die(r[FROM_ABOVE][base : base + row], k - a, chance)
            dice += 1
        copy(r[ALL][base : base + row], r[MAIN_ABOVE][base : base + row], row)
        t[DICE][3 * state + 1] = dice
        for k in range(active):
            chance = below_value[0] / sides
            add_die(r[ALL][base : base + row], dice, chance)
            add_die(r[FROM_BELOW][base : base + row], k, chance)
            dice += 1
        t[DICE][3 * state + 2] = dice


@inline
def along(hits: Reals, dice: int, chain: Ints, to: Ints, chance: Reals) -> int:
    """Hits that are all taken along one chain: the states reached and their chances."""
    to[0] = chain[0]
    chance[0] = hits[0]
    n = 1
    for x in range(1, dice + 1):
        if chain[x] == to[n - 1]:  # nobody is left to hit
            chance[n - 1] += hits[x]
        elif hits[x] > TINY:
            to[n] = chain[x]
            chance[n] = hits[x]
            n += 1
    return n


@inline
def volley(
    f: tuple[Ints, ...],
    fr: tuple[Reals, ...],
    shooter: int,
    with_below: bool,
    t: tuple[Ints, ...],
    target: int,
    to: Ints,
    chance: Reals,
    sums: Reals,
) -> int:
    """What the general fire of a state does to a target: states and chances, the target first.

    With s hits from below, a from above without a finder and o others, a set of losses can be
    matched to hits if and only if it has at most a + o units above, at most s + o below and at
    most s + a + o in all. Going down the order of loss, at most one of the first two bounds
    binds; then that kind is hit to its bound and the other hits go down the rest of the order.
    """
    row, chain, wide_above = f[DIM][D_HITS], t[DIM][D_CHAIN], t[DIM][D_ABOVE]
    base, spot = shooter * row, target * chain
    below = f[ACTIVE][shooter] if with_below else 0
    found = f[FINDS][shooter] == 1 or t[ACTIVE][target] == 0
    dice = f[DICE][3 * shooter + 1] + below
    path = t[ANY][spot : spot + chain]
    above_0, below_0 = t[ABOVE][target], t[BELOW][target]
    end = path[dice]
    if (below == 0 or t[ABOVE][end] == above_0) and (found or t[BELOW][end] == below_0):
        table = fr[ALL] if below > 0 else fr[MAIN_ABOVE]
        reached: int = along(table[base : base + row], dice, path, to, chance)
        return reached

    from_below = fr[FROM_BELOW][base : base + row]
    from_above = fr[FROM_ABOVE][base : base + row]
    others = (fr[MAIN_ABOVE] if found else fr[FROM_MAIN])[base : base + row]
    n_others = f[DICE][3 * shooter + (1 if found else 0)]
    n_above = 0 if found else dice - below - n_others
    to[0] = target
    n = 1
    for s in range(below + 1):
        p_s = from_below[s] if below > 0 else 1.0
        for a in range(n_above + 1):
            p_a = p_s * (from_above[a] if n_above > 0 else 1.0)
            for o in range(n_others + 1):
                p = p_a * others[o]
                if p < TINY:
                    continue
                state = path[s + a + o]
                if t[ABOVE][state] - above_0 > a + o:
                    state = t[NOT_ABOVE][spot + s] + a + o
                elif t[BELOW][state] - below_0 > s + o:
                    state = t[NOT_BELOW][spot + a] + (s + o) * wide_above
                if sums[state] == 0.0 and state != target:
                    to[n] = state
                    n += 1
                sums[state] += p
    for k in range(n):
        chance[k] = sums[to[k]]
        sums[to[k]] = 0.0
    return n


@inline
def first_strike(
    f: tuple[Ints, ...],
    fr: tuple[Reals, ...],
    shooter: int,
    t: tuple[Ints, ...],
    target: int,
    to: Ints,
    chance: Reals,
) -> int:
    """The same for a first strike; without one the target stays as it is."""
    if f[ACTIVE][shooter] == 0 or t[FINDS][target] == 1:
        to[0] = target
        chance[0] = 1.0
        return 1
    row, chain = f[DIM][D_HITS], t[DIM][D_CHAIN]
    reached: int = along(
        fr[FROM_BELOW][shooter * row : (shooter + 1) * row],
        f[ACTIVE][shooter],
        t[NOT_ABOVE][target * chain : (target + 1) * chain],
        to,
        chance,
    )
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
def concluded(
    a: tuple[Ints, ...], d: tuple[Ints, ...], i: int, j: int, flees: int, states_d: int
) -> int:
    """The pair as it is left behind: a train that nobody defends any more is lost."""
    kind_a, kind_d = a[KIND][i], d[KIND][j]
    if is_over(kind_a, kind_d):
        if kind_a != NOBODY:
            j = d[BARE][j]
        if kind_d != NOBODY and flees == 0:
            i = a[BARE][i]
    return i * states_d + j


@inline
def push(
    into: Reals,
    weight: float,
    states_d: int,
    to_a: Ints,
    p_a: Reals,
    n_a: int,
    to_d: Ints,
    p_d: Reals,
    n_d: int,
    skip: int,
) -> None:
    """Add the product of two lists of outcomes, without the very first pair if skip is 1."""
    for k in range(n_a):
        c = weight * p_a[k]
        if c < TINY:
            continue
        row = into[to_a[k] * states_d : (to_a[k] + 1) * states_d]
        for q in range(skip if k == 0 else 0, n_d):
            row[to_d[q]] += c * p_d[q]


@inline
def pull(
    worth: Reals,
    states_d: int,
    to_a: Ints,
    p_a: Reals,
    n_a: int,
    to_d: Ints,
    p_d: Reals,
    n_d: int,
    skip: int,
) -> float:
    """The mean of `worth` over the product of two lists, likewise."""
    total = 0.0
    for k in range(n_a):
        row = worth[to_a[k] * states_d : (to_a[k] + 1) * states_d]
        part = 0.0
        for q in range(skip if k == 0 else 0, n_d):
            part += row[to_d[q]] * p_d[q]
        total += p_a[k] * part
    return total


@inline
def run(ints: Ints, reals: Reals) -> int:
    """Fight the battle that the module's docstring lays out."""
    sides, rule, limit, layered, flees = ints[0], ints[1], ints[2], ints[3], ints[4]
    leave_a, leave_d = ints[5], ints[6]
    above_a, below_a, main_a, train_a = ints[7], ints[8], ints[9], ints[10]
    above_d, below_d, main_d, train_d = ints[11], ints[12], ints[13], ints[14]
    start_a = 16
    start_d = start_a + 3 * above_a + 3 * below_a + 4 * main_a + train_a
    at = start_d + 3 * above_d + 3 * below_d + 4 * main_d + train_d
    dim_a, dim_d = ints[at : at + 8], ints[at + 8 : at + 16]
    at += 16
    dice_a, dice_d = above_a + below_a + main_a, above_d + below_d + main_d
    dim_a[D_ABOVE], dim_d[D_ABOVE] = above_a + 1, above_d + 1
    dim_a[D_BELOW] = (2 * below_a if leave_a > 0 else below_a) + 1
    dim_d[D_BELOW] = (2 * below_d if leave_d > 0 else below_d) + 1
    dim_a[D_MAIN], dim_d[D_MAIN] = main_a + train_a + 1, main_d + train_d + 1
    dim_a[D_CHAIN], dim_d[D_CHAIN] = dice_d + 1, dice_a + 1
    dim_a[D_HITS], dim_d[D_HITS] = dice_a + 1, dice_d + 1
    n_a = dim_a[D_ABOVE] * dim_a[D_BELOW] * dim_a[D_MAIN]
    n_d = dim_d[D_ABOVE] * dim_d[D_BELOW] * dim_d[D_MAIN]
    dim_a[D_STATES], dim_d[D_STATES] = n_a, n_d

    a = int_tables(ints, at, dim_a)
    at += n_a * (3 * dim_a[D_CHAIN] + 11)
    d = int_tables(ints, at, dim_d)
    at += n_d * (3 * dim_d[D_CHAIN] + 11)
    to_a, to_d = ints[at : at + n_a], ints[at + n_a : at + n_a + n_d]
    at += n_a + n_d
    first_to_a, first_to_d = ints[at : at + n_a], ints[at + n_a : at + n_a + n_d]

    spot = HEAD
    pairs = n_a * n_d
    final = reals[spot : spot + pairs]
    spot += pairs
    worth = reals[spot : spot + (pairs if rule >= 2 else 0)]
    if rule >= 2:
        spot += pairs
    now, mid = reals[spot : spot + pairs], reals[spot + pairs : spot + 2 * pairs]
    spot += 2 * pairs
    ra = real_tables(reals, spot, dim_a)
    spot += 5 * n_a * dim_a[D_HITS]
    rd = real_tables(reals, spot, dim_d)
    spot += 5 * n_d * dim_d[D_HITS]
    p_a, p_d = reals[spot : spot + n_a], reals[spot + n_a : spot + n_a + n_d]
    spot += n_a + n_d
    first_p_a, first_p_d = reals[spot : spot + n_a], reals[spot + n_a : spot + n_a + n_d]
    spot += n_a + n_d
    sums_a, sums_d = reals[spot : spot + n_a], reals[spot + n_a : spot + n_a + n_d]
    sums_a[:] = 0.0
    sums_d[:] = 0.0
    reals[: 16 + ROUNDS] = 0.0
    build(sides, leave_a, start_a, ints, a, ra, above_a, below_a, main_a, train_a)
    build(sides, leave_d, start_d, ints, d, rd, above_d, below_d, main_d, train_d)

    if rule == 2:
        # From the end back: `now` gets the value at the start of a round, `mid` after first
        # strikes; `worth` becomes -1e300 where the attacker had better fight on.
        for i in range(n_a - 1, -1, -1):
            for j in range(n_d - 1, -1, -1):
                here = i * n_d + j
                over = is_over(a[KIND][i], d[KIND][j])
                c_d = volley(a, ra, i, d[FINDS][j] == 1, d, j, to_d, p_d, sums_d)
                c_a = volley(d, rd, j, a[FINDS][i] == 1, a, i, to_a, p_a, sums_a)
                still = p_a[0] * p_d[0]
                later = pull(now, n_d, to_a, p_a, c_a, to_d, p_d, c_d, 1)
                if over:
                    now[here] = worth[concluded(a, d, i, j, flees, n_d)]
                else:
                    after_a, after_d = i, j
                    if d[FINDS][j] == 0:
                        after_a = a[GONE][i]
                    if a[FINDS][i] == 0:
                        after_d = d[GONE][j]
                    s_d = first_strike(a, ra, after_a, d, after_d, first_to_d, first_p_d)
                    s_a = first_strike(d, rd, after_d, a, after_a, first_to_a, first_p_a)
                    if after_a != i or after_d != j:
                        on = pull(
                            mid, n_d, first_to_a, first_p_a, s_a, first_to_d, first_p_d, s_d, 0
                        )
                    else:
                        on = pull(
                            mid, n_d, first_to_a, first_p_a, s_a, first_to_d, first_p_d, s_d, 1
                        )
                        same = first_p_a[0] * first_p_d[0]
                        on = (on + same * later) / (1.0 - same * still)
                    if i == 0 and j == 0:
                        reals[1] = on
                    if on >= worth[here] - TIE:
                        now[here] = on
                        worth[here] = -1e300
                    else:
                        now[here] = worth[here]
                mid[here] = still * now[here] + later

    now[:] = 0.0
    mid[:] = 0.0
    done = ints[15]
    if done == 1:
        copy(now, final, pairs)
    else:
        now[0] = 1.0
    final[:] = 0.0
    rounds = float(done)
    # The attacker may not retreat before the first round, nor may its train flee: where neither
    # side's fighting units can hit the other's, they stand that round's fire.
    caught = train_a > 0 and flees == 1 and d[KIND][0] != NOBODY and is_over(a[KIND][0], d[KIND][0])
    first = rule != 0 or caught
    while True:
        # Round by round where somebody counts (`by_one`); otherwise all of them in one sweep.
        by_one = layered == 1 or limit > 0 or (first and done == 0)
        left = 0.0
        for i in range(n_a):
            kind_a = a[KIND][i]
            for j in range(n_d):
                here = i * n_d + j
                begin, middle = now[here], mid[here]
                if by_one:
                    middle = 0.0
                if begin < TINY and middle < TINY:
                    continue
                over = is_over(kind_a, d[KIND][j])
                if caught and done == 0:
                    over = False
                stop = over
                if not over and done > 0:
                    stop = (
                        (limit > 0 and done >= limit)
                        or (rule == 1 and kind_a == ONLY_ABOVE)
                        or (rule >= 2 and worth[here] > -1e299)
                    )
                if stop and middle < TINY:
                    final[concluded(a, d, i, j, flees, n_d)] += begin
                    reals[16 + min(done, ROUNDS - 1)] += begin
                    now[here] = 0.0
                    continue
                if by_one:
                    left += begin
                c_a = c_d = 0
                still = 0.0
                if not by_one:
                    c_d = volley(a, ra, i, d[FINDS][j] == 1, d, j, to_d, p_d, sums_d)
                    c_a = volley(d, rd, j, a[FINDS][i] == 1, a, i, to_a, p_a, sums_a)
                    still = p_a[0] * p_d[0]
                if stop:
                    final[concluded(a, d, i, j, flees, n_d)] += begin + middle * still
                else:
                    after_a, after_d = i, j
                    if d[FINDS][j] == 0:
                        after_a = a[GONE][i]
                    if a[FINDS][i] == 0:
                        after_d = d[GONE][j]
                    s_d = first_strike(a, ra, after_a, d, after_d, first_to_d, first_p_d)
                    s_a = first_strike(d, rd, after_d, a, after_a, first_to_a, first_p_a)
                    if by_one:
                        push(
                            mid,
                            begin,
                            n_d,
                            first_to_a,
                            first_p_a,
                            s_a,
                            first_to_d,
                            first_p_d,
                            s_d,
                            0,
                        )
                        rounds += begin
                    elif after_a != i or after_d != j:
                        weight = begin + middle * still
                        push(
                            mid,
                            weight,
                            n_d,
                            first_to_a,
                            first_p_a,
                            s_a,
                            first_to_d,
                            first_p_d,
                            s_d,
                            0,
                        )
                        rounds += weight
                    else:
                        same = first_p_a[0] * first_p_d[0]
                        weight = (begin + middle * still) / (1.0 - same * still)
                        push(
                            mid,
                            weight,
                            n_d,
                            first_to_a,
                            first_p_a,
                            s_a,
                            first_to_d,
                            first_p_d,
                            s_d,
                            1,
                        )
                        rounds += weight
                        middle += weight * same
                now[here] = 0.0
                if not by_one:
                    push(now, middle, n_d, to_a, p_a, c_a, to_d, p_d, c_d, 1)
                    mid[here] = 0.0
        if not by_one:
            break
        if left < TINY:
            break
        for i in range(n_a):
            for j in range(n_d):
                here = i * n_d + j
                middle = mid[here]
                if middle > 0.0:
                    c_d = volley(a, ra, i, d[FINDS][j] == 1, d, j, to_d, p_d, sums_d)
                    c_a = volley(d, rd, j, a[FINDS][i] == 1, a, i, to_a, p_a, sums_a)
                    push(now, middle, n_d, to_a, p_a, c_a, to_d, p_d, c_d, 0)
                    mid[here] = 0.0
        done += 1
        if done >= ROUNDS - 1:
            layered = 0
            limit = 0

    reals[0] = rounds
    attacker_cost, defender_cost = a[COST][0], d[COST][0]
    for i in range(n_a):
        for j in range(n_d):
            p = final[i * n_d + j]
            if p == 0.0:
                continue
            kind_a, kind_d = a[KIND][i], d[KIND][j]
            if kind_a != NOBODY and kind_d == NOBODY:
                reals[2] += p
            elif kind_a == NOBODY and kind_d != NOBODY:
                reals[3] += p
            elif is_over(kind_a, kind_d):
                reals[4] += p
            else:
                reals[6] += p
            reals[7] += p * (attacker_cost - a[COST][i])
            reals[8] += p * (defender_cost - d[COST][j])
    return 0
