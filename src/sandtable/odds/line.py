"""The kernel for battles in a line: each side loses its units in a fixed order. Imports Numba.

A state is (i, j): the attacker has lost the first i units of its line, the defender the first j.
A round moves i and j up by what the other side hits, so that one sweep over the states in
ascending order pushes all probability to the end; rounds without a hit, which lead back to the
same state, are divided out. Fire that opens the battle, at the attacker's exposed units alone,
leaves a shorter line for each number of them struck: a block of states of its own.

ints:  0 n attackers, 1 m defenders, 2 sides of a die, 3 boosted value, 4 opening dice, 5 their
       value, 6 stop rule (0 never, 1 without a unit that takes ground, 2 by value, 3 given), 7
       most rounds (0 no limit), 8 fresh battle (1) or continued (0), 9 whether to count the
       rounds, 10 whether both sides are whole (1), `start` is given (0), or `final` holds the
       chances of all states at the end of a round (2: continued, without opening fire), 11 how
       many each unit of role 2 raises; from 16: attackers' value, role, exposed, takes ground,
       cost (n each), defenders' value and cost (m each); then scratch.
reals: 0 mean number of rounds, 1 the value under stop rule 2, 2 attacker wins, 3 defender wins,
       4 draw, 5 territory taken, 6 attacker retreats, 7 and 8 mean cost of what attacker and
       defender lose; from 16 the chances that the battle ends after 0, 1, 2 … rounds; from HEAD:
       start (m + 1 chances that the defender has lost so many before the first round), final
       (rows of m + 1, the blocks one below the other), and under stop rules 2 and 3 the worth of
       every state (-1e300: fight on), in the same shape; then scratch.
"""

from __future__ import annotations

from sandtable.odds.compiled import HEAD, ROUNDS, START, Ints, Reals
from sandtable.odds.hits import TIE, TINY, add_dice, copy, inline, line_table


@inline
def spread(
    to: Reals,
    wide: int,
    i: int,
    j: int,
    by: int,
    n: int,
    m: int,
    weight: float,
    chances: tuple[Reals, ...],
    ends: tuple[Ints, ...],
) -> None:
    """Add one round from (i, j) to `to`: x ~ p hits on the defender, y ~ q on the attacker. The
    defender fires as if it had lost `by` units."""
    p, p_tail = chances[0][i * (n + 1) :], chances[1][i * (n + 1) :]
    q, q_tail = chances[2][by * wide :], chances[3][by * wide :]
    p_low, p_high, q_low, q_high = ends[0][i], ends[1][i], ends[2][by], ends[3][by]
    while p_low < p_high and weight * p[p_low] < TINY:
        p_low += 1
    while p_high > p_low and weight * p[p_high] < TINY:
        p_high -= 1
    # From m - j hits on, nobody is left to take more.
    kept = p[p_low : max(p_low, min(p_high + 1, m - j))]
    over = 0.0
    if p_high >= m - j:
        over = p_tail[max(m - j, p_low)]
    for y in range(min(q_low, n - i), min(q_high, n - i) + 1):
        chance = weight * (q[y] if y < n - i else q_tail[y])
        if chance < TINY:
            continue
        first = (i + y) * wide
        row = to[first + j + p_low : first + wide]
        for x in range(len(kept)):
            row[x] += chance * kept[x]
        to[first + m] += chance * over


@inline
def gather(
    worth: Reals,
    wide: int,
    i: int,
    j: int,
    by: int,
    n: int,
    m: int,
    chances: tuple[Reals, ...],
    ends: tuple[Ints, ...],
) -> float:
    """The mean of `worth` after one round from (i, j), which counts as 0 itself; see `spread`."""
    p, p_tail = chances[0][i * (n + 1) :], chances[1][i * (n + 1) :]
    q, q_tail = chances[2][by * wide :], chances[3][by * wide :]
    p_low, p_high, q_low, q_high = ends[0][i], ends[1][i], ends[2][by], ends[3][by]
    total = 0.0
    kept = p[p_low : max(p_low, min(p_high + 1, m - j))]
    over = 0.0
    if p_high >= m - j:
        over = p_tail[max(m - j, p_low)]
    for y in range(min(q_low, n - i), min(q_high, n - i) + 1):
        chance = q[y] if y < n - i else q_tail[y]
        first = (i + y) * wide
        row = worth[first + j + p_low : first + wide]
        part = worth[first + m] * over
        for x in range(len(kept)):
            part += row[x] * kept[x]
        total += chance * part
    return total


@inline
def summary(
    w: Reals,
    wide: int,
    n: int,
    m: int,
    open_end: int,
    lost: float,
    takes: Ints,
    cost: Ints,
    def_cost: Ints,
    reals: Reals,
) -> float:
    """Add a block's ends to the head of `reals`; returns the attacker's mean loss."""
    able = n  # the first i at which no unit that takes ground is left
    while able > 0 and takes[able - 1] == 0:
        able -= 1
    attacker = 0.0
    for i in range(n + 1):
        row = w[i * wide : (i + 1) * wide]
        mass = 0.0
        fallen = 0.0
        standing = 0.0
        for j in range(wide):
            mass += row[j]
            reals[8] += row[j] * fallen
            if j < open_end:
                standing += row[j]
            if j < m:
                fallen += def_cost[j]
        if i == n:
            reals[3] += standing
            reals[4] += mass - standing
        else:
            reals[2] += row[m]
            reals[6] += standing
            if i < able:
                reals[5] += row[m]
        attacker += mass * lost
        if i < n:
            lost += cost[i]
    return attacker


@inline
def run(ints: Ints, reals: Reals) -> int:
    """Fight the battle that the module's docstring lays out."""
    n_all, m, sides, boosted = ints[0], ints[1], ints[2], ints[3]
    opening, opening_value, rule, limit = ints[4], ints[5], ints[6], ints[7]
    fresh, layered = ints[8], ints[9]
    at = START
    value_all = ints[at : at + n_all]
    role_all = ints[at + n_all : at + 2 * n_all]
    exposed_all = ints[at + 2 * n_all : at + 3 * n_all]
    takes_all = ints[at + 3 * n_all : at + 4 * n_all]
    cost_all = ints[at + 4 * n_all : at + 5 * n_all]
    at += 5 * n_all
    def_value, def_cost = ints[at : at + m], ints[at + m : at + 2 * m]
    at += 2 * m
    value = ints[at : at + n_all]
    role = ints[at + n_all : at + 2 * n_all]
    takes = ints[at + 2 * n_all : at + 3 * n_all]
    cost = ints[at + 3 * n_all : at + 4 * n_all]
    at += 4 * n_all
    none = ints[at : at + m]
    at += m
    p_low, p_high = ints[at : at + n_all + 1], ints[at + n_all + 1 : at + 2 * n_all + 2]
    at += 2 * n_all + 2
    q_low, q_high = ints[at : at + m + 1], ints[at + m + 1 : at + 2 * m + 2]
    at += 2 * m + 2
    count = ints[at : at + sides + 1]
    ends = (p_low, p_high, q_low, q_high)

    wide = m + 1
    rows = 0
    for k in range(opening + 1):
        rows += n_all - k + 1
    spot = HEAD
    start = reals[spot : spot + wide]
    spot += wide
    final = reals[spot : spot + rows * wide]
    spot += rows * wide
    worth = reals[spot : spot + (rows * wide if rule >= 2 else 0)]
    if rule >= 2:
        spot += rows * wide
    size_p, size_q = (n_all + 1) * (n_all + 1), wide * wide
    p, p_tail = reals[spot : spot + size_p], reals[spot + size_p : spot + 2 * size_p]
    spot += 2 * size_p
    q, q_tail = reals[spot : spot + size_q], reals[spot + size_q : spot + 2 * size_q]
    spot += 2 * size_q
    chances = (p, p_tail, q, q_tail)
    shot = reals[spot : spot + opening + 1]
    spot += opening + 1
    now = reals[spot : spot + (n_all + 1) * wide]
    spot += (n_all + 1) * wide
    then = reals[spot : spot + (n_all + 1) * wide]

    reals[: 16 + ROUNDS] = 0.0
    within = ints[10] == 2
    if not within:
        final[:] = 0.0
    for j in range(m):
        none[j] = 0
    if ints[10] > 0:
        start[:] = 0.0
        start[0] = 1.0
    line_table(def_value, none, m, sides, 0, 0, q, q_tail, q_low, q_high, count)
    open_end = m  # the first j at which nobody is left who fires
    while open_end > 0 and def_value[open_end - 1] == 0:
        open_end -= 1
    shot[0] = 1.0
    add_dice(shot, 0, opening_value / sides, opening)

    block = 0
    for k in range(opening + 1):
        n = n_all - k
        gone = 0
        lost = 0.0
        for i in range(n_all):
            if gone < k and exposed_all[i] == 1:
                gone += 1
                lost += cost_all[i]
            else:
                value[i - gone], role[i - gone] = value_all[i], role_all[i]
                takes[i - gone], cost[i - gone] = takes_all[i], cost_all[i]
        w = final[block : block + (n + 1) * wide]
        if n == 0:  # all shot down: no round is fought
            w[0] = shot[k]
            reals[16] += shot[k]
            reals[3] += shot[k]
            reals[7] += shot[k] * lost
            block += wide
            continue
        line_table(value, role, n, sides, boosted, ints[11], p, p_tail, p_low, p_high, count)
        high = n + 1  # row length of p
        stop_from = n  # rule 1: the first i at which no unit that takes ground is left
        if rule == 1:
            while stop_from > 0 and takes[stop_from - 1] == 0:
                stop_from -= 1
        if rule == 2:
            u = worth[block : block + (n + 1) * wide]
            # Afterwards `then` holds the value of every state, and `u` is -inf where to fight on.
            copy(then, u, (n + 1) * wide)
            for i in range(n):
                for j in range(open_end, m):
                    then[i * wide + j] = u[i * wide + m]
            for i in range(n - 1, -1, -1):
                for j in range(open_end - 1, -1, -1):
                    here = i * wide + j
                    then[here] = 0.0
                    a, b = i * high, j * wide
                    on = gather(then, wide, i, j, j, n, m, chances, ends)
                    on /= 1.0 - p[a] * q[b]
                    if on >= u[here] - TIE:
                        then[here] = on
                        u[here] = -1e300
                    else:
                        then[here] = u[here]
            for b in range(wide):
                if start[b] > 0.0:
                    worth_here = gather(then, wide, 0, b, 0, n, m, chances, ends)
                    reals[1] += shot[k] * start[b] * worth_here

        # The first round: what was hit before it still fires.
        if within:
            reals[0] += 1.0
        elif fresh == 1:
            for b in range(wide):
                if start[b] > 0.0:
                    spread(w, wide, 0, b, 0, n, m, shot[k] * start[b], chances, ends)
            reals[0] += shot[k]
        else:
            for j in range(wide):
                w[j] = shot[k] * start[j]

        # All further rounds, one by one only where somebody counts them.
        done = 1 if within else fresh
        if layered == 1 or limit > 0:
            copy(now, w, (n + 1) * wide)
            w[:] = 0.0
            while True:
                left = 0.0
                for i in range(n + 1):
                    for j in range(wide):
                        here = i * wide + j
                        mass = now[here]
                        if mass == 0.0:
                            continue
                        over = i == n or j >= open_end
                        if not over and done > 0:
                            over = (
                                done == limit
                                or (rule == 1 and i >= stop_from)
                                or (rule >= 2 and worth[block + here] > -1e299)
                            )
                        if over:
                            w[here] += mass
                            reals[16 + min(done, ROUNDS - 1)] += mass
                            now[here] = 0.0
                        else:
                            left += mass
                if left < TINY or done >= ROUNDS - 1:
                    break
                then[: (n + 1) * wide] = 0.0
                for i in range(n):
                    for j in range(open_end):
                        mass = now[i * wide + j]
                        if mass > TINY:
                            spread(then, wide, i, j, j, n, m, mass, chances, ends)
                reals[0] += left
                done += 1
                copy(now, then, (n + 1) * wide)
            if left >= TINY:
                reals[16 + ROUNDS - 1] += left
                for here in range((n + 1) * wide):
                    w[here] += now[here]

        for i in range(n):
            for j in range(open_end):
                here = i * wide + j
                mass = w[here]
                if mass < TINY or limit > 0:
                    continue
                if (rule == 1 and i >= stop_from) or (rule >= 2 and worth[block + here] > -1e299):
                    continue
                a, b = i * high, j * wide
                weight = mass / (1.0 - p[a] * q[b])
                spread(w, wide, i, j, j, n, m, weight, chances, ends)
                w[here] = 0.0
                reals[0] += weight
        # Units that never fire do not hold out alone.
        for i in range(n):
            for j in range(open_end, m):
                w[i * wide + m] += w[i * wide + j]
                w[i * wide + j] = 0.0
        reals[7] += summary(w, wide, n, m, open_end, lost, takes, cost, def_cost, reals)
        block += (n + 1) * wide
    return 0
