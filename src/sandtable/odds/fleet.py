"""The kernel for battles at sea, where not every hit may fall on every unit. Imports Numba.

Each side has three queues, in its order of loss: aircraft, submarines, and ships (a battleship's
first hit is an entry of its own; transports stand at the end). A side's state is how far each
queue is used up, numbered so that losses only raise the number. A submarine's hit cannot fall on
aircraft, an aircraft's only on submarines if a destroyer helps it; within these bounds as many
hits as possible are taken, in the order of loss. That is a greedy choice in a transversal
matroid, and with three kinds of hit it has a closed form (see `volley`).

A pair of states is met twice in a round: at its start, and after surprise strikes. A destroyer
never dies in a surprise strike (it forbids them), so what the units may do depends on the pair
alone. One sweep over the pairs in ascending order pushes all probability to the end; rounds that
change nothing are divided out.

ints:  0 sides of a die, 1 stop rule (0 never, 1 only aircraft left, 2 by value, 3 given), 2 most
       rounds (0 no limit), 3 whether to count the rounds, 4 whether the attacker can retreat
       (transports left alone then survive), 5 and 6 when attacking and defending submarines
       submerge (0 never, 1 at once, 2 as the last of their side), 7-10 attacking aircraft,
       submarines, entries of warships, transports; 11-14 the same of the defender; 15 whether
       `final` holds the chances of all states at the end of a round (else both are whole); from
       16 for each side: aircraft's value, place in the order and cost, submarines' and ships'
       the same, which ship entries are destroyers, and the cost of the transports; then scratch.
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
DIM, ANY, NOT_AIR, NOT_SUB, AIR, SUB, SUBS, HELP, KIND, SUNK, DIVED, DICE, COST = range(13)
# … whose first has the dimensions: aircraft + 1, submarine places, ship places, width of a row of
# the chains (the enemy's dice + 1), width of a row of the hit tables (own dice + 1), states.
D_AIR, D_SUB, D_SHIP, D_CHAIN, D_HITS, D_STATES = range(6)
# Kinds of state: nobody who fights, a mixed force, only aircraft, only submarines.
NOBODY, MIXED, ONLY_AIR, ONLY_SUBS = range(4)
# The tables in the tuple of real arrays: hits of ships and aircraft, of all, of each alone.
SURFACE_AIR, ALL, SUBMARINES, AIRCRAFT, SURFACE = range(5)


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
    dives: int,
    start: int,
    ints: Ints,
    t: tuple[Ints, ...],
    r: tuple[Reals, ...],
    n_air: int,
    n_sub: int,
    n_ship: int,
    n_cargo: int,
) -> None:
    """Fill the tables of a side whose queues stand in ints[start:]."""
    wide_air, wide_sub = t[DIM][D_AIR], t[DIM][D_SUB]
    chain, row, states = t[DIM][D_CHAIN], t[DIM][D_HITS], t[DIM][D_STATES]
    at = start
    air_value, air_place = ints[at : at + n_air], ints[at + n_air : at + 2 * n_air]
    air_cost = ints[at + 2 * n_air : at + 3 * n_air]
    at += 3 * n_air
    sub_value, sub_place = ints[at : at + n_sub], ints[at + n_sub : at + 2 * n_sub]
    sub_cost = ints[at + 2 * n_sub : at + 3 * n_sub]
    at += 3 * n_sub
    ship_value, ship_place = ints[at : at + n_ship], ints[at + n_ship : at + 2 * n_ship]
    ship_cost = ints[at + 2 * n_ship : at + 3 * n_ship]
    ship_help = ints[at + 3 * n_ship : at + 4 * n_ship]
    cargo_cost = ints[at + 4 * n_ship : at + 4 * n_ship + n_cargo]
    far = 1 << 40
    step_sub, step_ship = wide_air, wide_air * wide_sub
    for state in range(states - 1, -1, -1):
        a = state % wide_air
        s = state // wide_air % wide_sub
        h = state // step_ship
        active = max(n_sub - s, 0)
        fighting = 0
        helps = 0
        dice = 0
        cost = 0
        for k in range(a, n_air):
            cost += air_cost[k]
        for k in range(h, n_ship):
            fighting += 1
            cost += ship_cost[k]
            if ship_help[k] == 1:
                helps = 1
        for k in range(max(h - n_ship, 0), n_cargo):
            cost += cargo_cost[k]
        if n_sub > 0:  # submerged ones are safe; they are all of one type
            cost += sub_cost[0] * (n_sub - s if s <= n_sub else s - n_sub)
        t[AIR][state], t[SUB][state], t[SUBS][state] = a, s, active
        t[HELP][state], t[COST][state] = helps, cost
        if fighting > 0 or (a < n_air and active > 0):
            t[KIND][state] = MIXED
        elif a < n_air:
            t[KIND][state] = ONLY_AIR
        else:
            t[KIND][state] = ONLY_SUBS if active > 0 else NOBODY
        t[SUNK][state] = state + (n_ship + n_cargo - h) * step_ship if h >= n_ship else state
        alone = fighting == 0 and a == n_air
        if active > 0 and (dives == 1 or (dives == 2 and alone)):
            t[DIVED][state] = state + (n_sub + active - s) * step_sub
        else:
            t[DIVED][state] = state

        # The next unit to go, by what may be hit. Transports come after all others.
        next_air = air_place[a] if a < n_air else far
        next_sub = sub_place[s] if active > 0 else far
        next_ship = ship_place[h] if h < n_ship else far
        cargo = h >= n_ship and h < n_ship + n_cargo
        any_next = not_air = not_sub = state
        first = min(next_air, next_sub, next_ship)
        if first < far:
            if first == next_air:
                any_next = state + 1
            elif first == next_sub:
                any_next = state + step_sub
            else:
                any_next = state + step_ship
        elif cargo:
            any_next = state + step_ship
        if min(next_sub, next_ship) < far:
            not_air = state + (step_sub if next_sub < next_ship else step_ship)
        elif cargo:
            not_air = state + step_ship
        if min(next_air, next_ship) < far:
            not_sub = state + (1 if next_air < next_ship else step_ship)
        elif cargo:
            not_sub = state + step_ship
        here = state * chain
        t[ANY][here] = t[NOT_AIR][here] = t[NOT_SUB][here] = state
        for x in range(1, chain):
            t[ANY][here + x] = t[ANY][any_next * chain + x - 1]
            t[NOT_AIR][here + x] = t[NOT_AIR][not_air * chain + x - 1] if not_air > state else state
            t[NOT_SUB][here + x] = t[NOT_SUB][not_sub * chain + x - 1] if not_sub > state else state
            if any_next == state:
                t[ANY][here + x] = state

        # Hits: one more unit than a state that is already done.
        base = state * row
        for table in r:
            for x in range(row):
                table[base + x] = 0.0
            table[base] = 1.0
        for k in range(h, n_ship):
            if ship_value[k] > 0:
                add_die(r[SURFACE][base : base + row], dice, ship_value[k] / sides)
                dice += 1
        copy(r[SURFACE_AIR][base : base + row], r[SURFACE][base : base + row], row)
        t[DICE][3 * state] = dice
        for k in range(a, n_air):
            chance = air_value[k] / sides
            add_die(r[SURFACE_AIR][base : base + row], dice, chance)
            add_die(r[AIRCRAFT][base : base + row], k - a, chance)
            dice += 1
        copy(r[ALL][base : base + row], r[SURFACE_AIR][base : base + row], row)
        t[DICE][3 * state + 1] = dice
        for k in range(active):
            chance = sub_value[0] / sides
            add_die(r[ALL][base : base + row], dice, chance)
            add_die(r[SUBMARINES][base : base + row], k, chance)
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
    with_subs: bool,
    t: tuple[Ints, ...],
    target: int,
    to: Ints,
    chance: Reals,
    sums: Reals,
) -> int:
    """What the general fire of a state does to a target: states and chances, the target first.

    With s hits of submarines, a of unaided aircraft and o others, a set of losses can be matched
    to hits if and only if it has at most a + o aircraft, at most s + o submarines and at most
    s + a + o units in all. Going down the order of loss, at most one of the first two bounds
    binds; then that kind is hit to its bound and the other hits go down the rest of the order.
    """
    row, chain, wide_air = f[DIM][D_HITS], t[DIM][D_CHAIN], t[DIM][D_AIR]
    base, spot = shooter * row, target * chain
    subs = f[SUBS][shooter] if with_subs else 0
    aided = f[HELP][shooter] == 1 or t[SUBS][target] == 0
    dice = f[DICE][3 * shooter + 1] + subs
    path = t[ANY][spot : spot + chain]
    air_0, sub_0 = t[AIR][target], t[SUB][target]
    end = path[dice]
    if (subs == 0 or t[AIR][end] == air_0) and (aided or t[SUB][end] == sub_0):
        table = fr[ALL] if subs > 0 else fr[SURFACE_AIR]
        reached: int = along(table[base : base + row], dice, path, to, chance)
        return reached

    from_subs = fr[SUBMARINES][base : base + row]
    from_air = fr[AIRCRAFT][base : base + row]
    others = (fr[SURFACE_AIR] if aided else fr[SURFACE])[base : base + row]
    n_others = f[DICE][3 * shooter + (1 if aided else 0)]
    n_air = 0 if aided else dice - subs - n_others
    to[0] = target
    n = 1
    for s in range(subs + 1):
        p_s = from_subs[s] if subs > 0 else 1.0
        for a in range(n_air + 1):
            p_a = p_s * (from_air[a] if n_air > 0 else 1.0)
            for o in range(n_others + 1):
                p = p_a * others[o]
                if p < TINY:
                    continue
                state = path[s + a + o]
                if t[AIR][state] - air_0 > a + o:
                    state = t[NOT_AIR][spot + s] + a + o
                elif t[SUB][state] - sub_0 > s + o:
                    state = t[NOT_SUB][spot + a] + (s + o) * wide_air
                if sums[state] == 0.0 and state != target:
                    to[n] = state
                    n += 1
                sums[state] += p
    for k in range(n):
        chance[k] = sums[to[k]]
        sums[to[k]] = 0.0
    return n


@inline
def surprise(
    f: tuple[Ints, ...],
    fr: tuple[Reals, ...],
    shooter: int,
    t: tuple[Ints, ...],
    target: int,
    to: Ints,
    chance: Reals,
) -> int:
    """The same for a surprise strike; without one the target stays as it is."""
    if f[SUBS][shooter] == 0 or t[HELP][target] == 1:
        to[0] = target
        chance[0] = 1.0
        return 1
    row, chain = f[DIM][D_HITS], t[DIM][D_CHAIN]
    reached: int = along(
        fr[SUBMARINES][shooter * row : (shooter + 1) * row],
        f[SUBS][shooter],
        t[NOT_AIR][target * chain : (target + 1) * chain],
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
        or (kind_a == ONLY_AIR and kind_d == ONLY_SUBS)
        or (kind_a == ONLY_SUBS and kind_d == ONLY_AIR)
    )


@inline
def concluded(
    a: tuple[Ints, ...], d: tuple[Ints, ...], i: int, j: int, flees: int, states_d: int
) -> int:
    """The pair as it is left behind: transports that nobody defends any more are lost."""
    kind_a, kind_d = a[KIND][i], d[KIND][j]
    if is_over(kind_a, kind_d):
        if kind_a != NOBODY:
            j = d[SUNK][j]
        if kind_d != NOBODY and flees == 0:
            i = a[SUNK][i]
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
    dive_a, dive_d = ints[5], ints[6]
    air_a, sub_a, ship_a, cargo_a = ints[7], ints[8], ints[9], ints[10]
    air_d, sub_d, ship_d, cargo_d = ints[11], ints[12], ints[13], ints[14]
    start_a = 16
    start_d = start_a + 3 * air_a + 3 * sub_a + 4 * ship_a + cargo_a
    at = start_d + 3 * air_d + 3 * sub_d + 4 * ship_d + cargo_d
    dim_a, dim_d = ints[at : at + 8], ints[at + 8 : at + 16]
    at += 16
    dice_a, dice_d = air_a + sub_a + ship_a, air_d + sub_d + ship_d
    dim_a[D_AIR], dim_d[D_AIR] = air_a + 1, air_d + 1
    dim_a[D_SUB] = (2 * sub_a if dive_a > 0 else sub_a) + 1
    dim_d[D_SUB] = (2 * sub_d if dive_d > 0 else sub_d) + 1
    dim_a[D_SHIP], dim_d[D_SHIP] = ship_a + cargo_a + 1, ship_d + cargo_d + 1
    dim_a[D_CHAIN], dim_d[D_CHAIN] = dice_d + 1, dice_a + 1
    dim_a[D_HITS], dim_d[D_HITS] = dice_a + 1, dice_d + 1
    n_a = dim_a[D_AIR] * dim_a[D_SUB] * dim_a[D_SHIP]
    n_d = dim_d[D_AIR] * dim_d[D_SUB] * dim_d[D_SHIP]
    dim_a[D_STATES], dim_d[D_STATES] = n_a, n_d

    a = int_tables(ints, at, dim_a)
    at += n_a * (3 * dim_a[D_CHAIN] + 11)
    d = int_tables(ints, at, dim_d)
    at += n_d * (3 * dim_d[D_CHAIN] + 11)
    to_a, to_d = ints[at : at + n_a], ints[at + n_a : at + n_a + n_d]
    at += n_a + n_d
    sub_to_a, sub_to_d = ints[at : at + n_a], ints[at + n_a : at + n_a + n_d]

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
    sub_p_a, sub_p_d = reals[spot : spot + n_a], reals[spot + n_a : spot + n_a + n_d]
    spot += n_a + n_d
    sums_a, sums_d = reals[spot : spot + n_a], reals[spot + n_a : spot + n_a + n_d]
    sums_a[:] = 0.0
    sums_d[:] = 0.0
    reals[: 16 + ROUNDS] = 0.0
    build(sides, dive_a, start_a, ints, a, ra, air_a, sub_a, ship_a, cargo_a)
    build(sides, dive_d, start_d, ints, d, rd, air_d, sub_d, ship_d, cargo_d)

    if rule == 2:
        # From the end back: `now` gets the value at the start of a round, `mid` after surprise
        # strikes; `worth` becomes -1e300 where the attacker had better fight on.
        for i in range(n_a - 1, -1, -1):
            for j in range(n_d - 1, -1, -1):
                here = i * n_d + j
                over = is_over(a[KIND][i], d[KIND][j])
                c_d = volley(a, ra, i, d[HELP][j] == 1, d, j, to_d, p_d, sums_d)
                c_a = volley(d, rd, j, a[HELP][i] == 1, a, i, to_a, p_a, sums_a)
                still = p_a[0] * p_d[0]
                later = pull(now, n_d, to_a, p_a, c_a, to_d, p_d, c_d, 1)
                if over:
                    now[here] = worth[concluded(a, d, i, j, flees, n_d)]
                else:
                    down_a, down_d = i, j
                    if d[HELP][j] == 0:
                        down_a = a[DIVED][i]
                    if a[HELP][i] == 0:
                        down_d = d[DIVED][j]
                    s_d = surprise(a, ra, down_a, d, down_d, sub_to_d, sub_p_d)
                    s_a = surprise(d, rd, down_d, a, down_a, sub_to_a, sub_p_a)
                    if down_a != i or down_d != j:
                        on = pull(mid, n_d, sub_to_a, sub_p_a, s_a, sub_to_d, sub_p_d, s_d, 0)
                    else:
                        on = pull(mid, n_d, sub_to_a, sub_p_a, s_a, sub_to_d, sub_p_d, s_d, 1)
                        same = sub_p_a[0] * sub_p_d[0]
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
    # The attacker may not retreat before the first round, nor may transports flee: where neither
    # side's fighting units can hit the other's, they stand that round's fire.
    caught = cargo_a > 0 and flees == 1 and d[KIND][0] != NOBODY and is_over(a[KIND][0], d[KIND][0])
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
                        or (rule == 1 and kind_a == ONLY_AIR)
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
                    c_d = volley(a, ra, i, d[HELP][j] == 1, d, j, to_d, p_d, sums_d)
                    c_a = volley(d, rd, j, a[HELP][i] == 1, a, i, to_a, p_a, sums_a)
                    still = p_a[0] * p_d[0]
                if stop:
                    final[concluded(a, d, i, j, flees, n_d)] += begin + middle * still
                else:
                    down_a, down_d = i, j
                    if d[HELP][j] == 0:
                        down_a = a[DIVED][i]
                    if a[HELP][i] == 0:
                        down_d = d[DIVED][j]
                    s_d = surprise(a, ra, down_a, d, down_d, sub_to_d, sub_p_d)
                    s_a = surprise(d, rd, down_d, a, down_a, sub_to_a, sub_p_a)
                    if by_one:
                        push(mid, begin, n_d, sub_to_a, sub_p_a, s_a, sub_to_d, sub_p_d, s_d, 0)
                        rounds += begin
                    elif down_a != i or down_d != j:
                        weight = begin + middle * still
                        push(mid, weight, n_d, sub_to_a, sub_p_a, s_a, sub_to_d, sub_p_d, s_d, 0)
                        rounds += weight
                    else:
                        same = sub_p_a[0] * sub_p_d[0]
                        weight = (begin + middle * still) / (1.0 - same * still)
                        push(mid, weight, n_d, sub_to_a, sub_p_a, s_a, sub_to_d, sub_p_d, s_d, 1)
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
                    c_d = volley(a, ra, i, d[HELP][j] == 1, d, j, to_d, p_d, sums_d)
                    c_a = volley(d, rd, j, a[HELP][i] == 1, a, i, to_a, p_a, sums_a)
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
