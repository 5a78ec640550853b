"""Best play: the casualties and retreats that are worth most to one side."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from sandtable.games.aa1942.facts import Numbers
from sandtable.games.aa1942.odds import land, landing, sea
from sandtable.games.aa1942.odds.best import Best, Values
from sandtable.games.aa1942.odds.book import (
    AAA,
    DAMAGE,
    Book,
    fleet,
    line,
    loss_order,
    order_key,
)
from sandtable.games.aa1942.odds.ends import named
from sandtable.games.aa1942.odds.questions import Question, question
from sandtable.odds.compiled import HEAD, RECORD, kernel
from sandtable.odds.errors import OddsError
from sandtable.odds.exact import Counts, Layers, Line
from sandtable.odds.result import Reals, Result

Goal = str | Callable[[dict[str, int], dict[str, int]], float]
GOALS = ("win", "take", "swing")

MOST_WORK = 1.5e9
"""Choices x states x dice that are worth the wait: some seconds."""
MOST_TRIALS = 40
DAMAGED = "battleship (damaged)"


def best(
    *args: Any,
    side: str = "attacker",
    goal: Goal = "swing",
    most_work: float = MOST_WORK,
    **kwargs: Any,
) -> Best:
    """The best play of a side in a battle; the other arguments are those of `question`.

    `goal` is "win" (the chance that only the attacker is left), "take" (to take the territory),
    "swing", or a function of what is left of attacker and defender; the attacker makes it large,
    the defender small. The attacker also chooses when to retreat, if it can. Beyond `most_work`
    the answer is that of a bounded search.
    """
    began = time.perf_counter()
    q = question(*args, **kwargs)
    if side not in ("attacker", "defender"):
        raise OddsError(f"The side that plays best is 'attacker' or 'defender', not {side!r}.")
    if not callable(goal) and goal not in GOALS:
        raise OddsError(f"A goal is {', '.join(GOALS)} or a function; not {goal!r}.")
    default = measure(_answer(q), goal)
    try:
        value, table = _by_choice(q, side, goal, most_work)
        found = Best(side, _name(goal), value, default, True, "", None, False, "", 0.0, table)
    except OddsError as reason:
        value, order, keep, retreat = _by_search(q, side, goal)
        note = f"{reason} This is the best of the orders of loss that were tried."
        found = Best(side, _name(goal), value, default, False, note, order, keep, retreat, 0.0)
    return replace(found, elapsed_ms=1000 * (time.perf_counter() - began))


def _name(goal: Goal) -> str:
    return goal if isinstance(goal, str) else getattr(goal, "__name__", "function")


def _answer(q: Question) -> Result:
    if q.landing:
        return landing.answer_landing(q)
    return sea.answer_sea(q) if q.sea else land.answer_land(q, {})


def measure(result: Result, goal: Goal) -> float:
    """What a result is worth to the attacker."""
    if callable(goal):
        return result.expectation(goal)
    return {
        "win": result.attacker_wins,
        "take": result.takes_territory,
        "swing": result.swing,
    }[goal]


# --- the bounded search ---------------------------------------------------------------------------


def _by_search(q: Question, side: str, goal: Goal) -> tuple[float, tuple[str, ...], bool, str]:
    """The best order of loss that swapping neighbours leads to, with or without keeping a unit
    that can take the territory, and with the given retreat rule or by the swing."""
    attacking = side == "attacker"
    sign = 1.0 if attacking else -1.0
    present = set(q.attack if attacking else q.defend)
    if q.landing:
        present |= (
            set(q.seaborne()) | set(q.fleet or {}) if attacking else set(q.fleet_defend or {})
        )
    large = {kind for kind in present if q.book.unit(kind).hits > 1}
    if large:
        present.add(DAMAGE)
    field = "attack_order" if attacking else "defend_order"
    retreats = {q.policy.retreat}
    keeps = {q.policy.keep_land}
    if attacking and not q.sea:
        keeps.add(True)
    if attacking and goal == "swing" and q.policy.can_retreat:
        retreats.add("loss")
    tried: dict[Any, float] = {}

    def trial(order: tuple[str, ...], keep: bool, retreat: Any) -> float:
        key = (order, keep, retreat)
        if key not in tried:
            play = replace(q.policy, **{field: order, "keep_land": keep, "retreat": retreat})
            tried[key] = sign * measure(_answer(replace(q, policy=play)), goal)
        return tried[key]

    def orders(name: Any) -> tuple[str, ...]:
        return tuple(k for k in loss_order(q.book, order_key(name), attacking) if k in present)

    starts = {orders(getattr(q.policy, field)), orders("cheapest"), orders("weakest")}
    top, order, keep, retreat = max(
        (
            (trial(o, k, r), o, k, r)
            for o in sorted(starts)
            for k in sorted(keeps)
            for r in sorted(retreats, key=str)
        ),
        key=lambda found: found[0],
    )
    better = True
    while better and len(tried) < MOST_TRIALS:
        better = False
        for k in range(len(order) - 1):
            other = (*order[:k], order[k + 1], order[k], *order[k + 2 :])
            if large and other.index(DAMAGE) > min(map(other.index, large)):
                continue
            value = trial(other, keep, retreat)
            if value > top + 1e-12:
                top, order, better = value, other, True
    return sign * top, order, keep, str(retreat)


# --- the dynamic programme ------------------------------------------------------------------------


def _by_choice(q: Question, side: str, goal: Goal, most_work: float) -> tuple[float, Values]:
    if q.landing:
        raise OddsError("A landing is out of reach of the dynamic programme.")
    attacking = side == "attacker"
    play, b = q.policy, q.book
    if (play.attack_subs, play.defend_subs) != ("strike", "strike"):
        raise OddsError("Submarines that submerge are out of reach of the dynamic programme.")
    if not attacking and play.retreat != "never":
        raise OddsError("An attacker that retreats is out of reach of the dynamic programme.")
    if q.sea and any(
        b.units[kind].hits != (2 if kind == "battleship" else 1) for kind in (*q.attack, *q.defend)
    ):
        raise OddsError("Such hard ships are out of reach of the dynamic programme.")
    numbers = b.numbers
    mine = q.attack if attacking else q.defend
    theirs = q.defend if attacking else q.attack
    order = loss_order(
        b, order_key(play.defend_order if attacking else play.attack_order), not attacking
    )
    planes = sum(n for kind, n in q.attack.items() if b.units[kind].domain == "air")
    flak = 0
    if not q.sea and any(b.units[kind].defense for kind in q.defend):
        flak = min(numbers.aaa_dice_per_gun * q.defend.get(AAA, 0), planes)
    shot = np.ones(1)
    for _ in range(flak):
        chance = numbers.aaa_hits_on / numbers.die
        shot = np.convolve(shot, [1 - chance, chance])

    total = 0.0
    first: Values | None = None
    for down, weight in enumerate(shot):
        if down and attacking:
            break
        if q.sea:
            queue = fleet(b, tuple(theirs.items()), order, not attacking, q.damaged[attacking])
        else:
            whole = line(b, tuple(theirs.items()), order, not attacking, play.keep_land)
            queue = _as_fleet(whole, down)
        if not queue.dice + len(queue.train):
            total += float(weight) * (-1.0 if not attacking else 1.0) * _end(q, goal, {}, mine)
            continue
        values = _solve(q, mine, queue, attacking, goal, most_work)
        first = first or values
        if attacking:
            total = sum(float(p) * _shot_down(b, values, mine, k) for k, p in enumerate(shot))
        else:
            top = values.chooser[tuple(_intact(mine, q, attacking)[k] for k in values.kinds)]
            total += float(weight) * float(values.fight[top, 0])
    assert first is not None
    return (total if attacking else -total), first


def _end(q: Question, goal: Goal, ours: Mapping[str, int], theirs: Mapping[str, int]) -> float:
    """What an end is worth to the attacker when all its aircraft were shot down."""
    if callable(goal):
        return goal(dict(ours), dict(theirs))
    cost = q.book.cost
    return -float(sum(cost[k] * n for k, n in q.attack.items())) if goal == "swing" else 0.0


def _shot_down(b: Book, values: Values, mine: Mapping[str, int], down: int) -> float:
    """The attacker's value if it has to give up so many aircraft before the first round."""
    air = [kind for kind in values.kinds if kind in b.units and b.units[kind].domain == "air"]
    top = -np.inf
    for lost in product(*(range(min(down, mine[kind]) + 1) for kind in air)):
        if sum(lost) == down:
            left = {**mine, **{kind: mine[kind] - n for kind, n in zip(air, lost, strict=True)}}
            key = tuple(left.get(kind, 0) for kind in values.kinds)
            top = max(top, float(values.fight[values.chooser[key], 0]))
    return top


def _as_fleet(whole: Line, down: int) -> Layers:
    """A line as a queue of ships; support is put into its hits afterwards."""
    kinds = whole.without(down)
    columns = zip(kinds.tolist(), whole.table[0, kinds], whole.table[4, kinds], strict=True)
    return Layers((), (), tuple((k, int(v), n, int(c), 1) for n, (k, v, c) in enumerate(columns)))


def _intact(mine: Mapping[str, int], q: Question, attacking: bool) -> dict[str, int]:
    """The chooser's force with damaged battleships apart."""
    hurt = q.damaged[0 if attacking else 1]
    force = dict(mine)
    if q.sea and "battleship" in force:
        force["battleship"] -= hurt
        force[DAMAGED] = hurt
    return force


def _solve(
    q: Question,
    mine: Mapping[str, int],
    queue: Layers,
    attacking: bool,
    goal: Goal,
    most_work: float,
) -> Values:
    """Run the kernel for a chooser against a queue."""
    b = q.book
    die = b.numbers.die
    force = _intact(mine, q, attacking)
    kinds = tuple(k for k in (("battleship", DAMAGED) if "battleship" in force else ())) + tuple(
        k for k in force if k not in ("battleship", DAMAGED)
    )
    ships = force.get("battleship", 0) + force.get(DAMAGED, 0)
    ranges = [
        range(
            (force["battleship"] if k == "battleship" else ships if k == DAMAGED else force[k]) + 1
        )
        for k in kinds
    ]
    size = int(np.prod([len(r) for r in ranges]))
    shape = queue.shape(False)
    n_o = int(np.prod(shape))
    dice_m, dice_o = sum(mine.values()), queue.dice
    # Half of every number is lost on the mean: so many choices there are.
    choices = size * float(np.prod([(len(r) + 1) / 2 for r in ranges]))
    if choices * n_o * min(dice_m, 12) > most_work or size * n_o > 8_000_000:
        raise OddsError(f"{size:,} by {n_o:,} states are out of reach of the dynamic programme.")
    states = [s for s in product(*ranges) if "battleship" not in kinds or s[0] + s[1] <= ships]
    index = {s: k for k, s in enumerate(states)}
    table = np.array(states, np.int64)
    n_m = len(states)

    def is_kind(test: Callable[[str], bool]) -> Counts:
        return np.array([int(test(k)) for k in kinds], np.int64)

    at_sea = q.sea
    domain = {k: ("sea" if k == DAMAGED else b.units[k].domain) for k in kinds}
    air = is_kind(lambda k: at_sea and domain[k] == "air")
    sub = is_kind(lambda k: at_sea and k == "submarine")
    cargo = is_kind(lambda k: k == "transport")
    points = np.array(
        [
            2 if k == "battleship" else int(not (air[n] or sub[n] or cargo[n]))
            for n, k in enumerate(kinds)
        ]
    )
    value = [
        (b.units[k.split(" (")[0]].attack if attacking else b.units[k.split(" (")[0]].defense)
        for k in kinds
    ]
    left_air, left_sub, left_cargo, left_other = (table @ v for v in (air, sub, cargo, points))
    fires = np.array(value) > 0
    ground = table @ (fires & (air == 0) & (sub == 0)).astype(np.int64)
    kind_m = _force_kind(ground, left_air, left_sub)
    help_m = np.ones(n_m, np.int64)
    if q.sea:
        help_m = (table @ is_kind(lambda k: k == "destroyer") > 0).astype(np.int64)
    # What cannot hold out alone: transports at sea, guns on land.
    alone = cargo > 0 if q.sea else ~fires
    sunk = np.array(
        [
            index[tuple(np.where(alone, 0, s).tolist())] if kind_m[i] == 0 or q.sea else i
            for i, s in enumerate(states)
        ],
        np.int64,
    )
    hits_m, dice_table_m = _hit_tables(
        states, kinds, value, air, sub, attacking and not q.sea, b.numbers, dice_m
    )

    # Choices, by the number of hits that fighting units take.
    begin = np.zeros(n_m * (dice_o + 2) + 1, np.int64)
    begin[0] = dice_o + 2
    picks: list[Counts] = []
    count = 0
    for i, s in enumerate(states):
        options = _options(s, kinds)
        lost = np.array(s) - options
        n_air, n_sub, n_cargo = lost @ air, lost @ sub, lost @ cargo
        other = left_other[i] - options @ points
        hits = n_air + n_sub + other
        keep = np.flatnonzero(hits <= dice_o)
        keep = keep[np.argsort(hits[keep], kind="stable")]
        to = np.array([index[tuple(o)] for o in options[keep].tolist()], np.int64)
        picks.append(np.stack((to, n_air[keep], n_sub[keep], other[keep], n_cargo[keep])))
        row = 1 + i * (dice_o + 2)
        begin[row : row + dice_o + 2] = count + np.searchsorted(
            hits[keep], np.arange(dice_o + 2), side="left"
        )
        count += len(keep)
    pick = np.concatenate(picks, axis=1)

    other_ints, other_reals, left_o, kind_o = _queue_tables(queue, die, dice_m, q, attacking)
    worth = _worth(q, goal, attacking, states, kinds, left_o, kind_m, kind_o)
    pairs = n_m * n_o
    unused = [0] * (RECORD - 6)
    lists = (dice_m + 1) * (dice_m + 3)
    ints = np.concatenate(
        (
            (n_m, n_o, attacking, q.policy.can_retreat, attacking and q.policy.can_retreat),
            (count, dice_o, *([0] * 9)),
            (0, 0, 0, 0, dice_m + 1, n_m, *unused),
            (shape[2], shape[1], shape[0], dice_m + 1, dice_o + 1, n_o, *unused),
            left_air,
            left_sub,
            left_sub,
            help_m,
            kind_m,
            sunk,
            dice_table_m.ravel(),
            left_other,
            left_cargo,
            other_ints,
            begin,
            pick.ravel(),
            np.zeros(3 * n_o + lists),
        )
    ).astype(np.int64)
    reals = np.concatenate(
        (
            np.zeros(HEAD),
            worth.ravel(),
            np.zeros(2 * pairs),
            hits_m.ravel(),
            other_reals.ravel(),
            np.zeros(3 * n_m * (dice_m + 1) + 3 * n_o * (dice_o + 1) + lists + pairs),
        )
    )
    kernel("sandtable.odds.choice")(ints, reals)
    found = reals[HEAD + pairs : HEAD + 3 * pairs].reshape(2, n_m, n_o)
    lookup = {
        tuple(sorted((b.kinds[k], int(n)) for k, n in enumerate(row) if n)): j
        for j, row in reversed(list(enumerate(left_o)))
    }
    return Values(index, kinds, lookup, found[0], found[1])


def _force_kind(ground: Counts, air: Counts, sub: Counts) -> Counts:
    """As in `fleet`: 0 nobody who fights, 1 mixed, 2 only aircraft, 3 only submarines."""
    kind = np.where((ground > 0) | ((air > 0) & (sub > 0)), 1, 0)
    kind[(ground == 0) & (air > 0) & (sub == 0)] = 2
    kind[(ground == 0) & (air == 0) & (sub > 0)] = 3
    return kind


def _options(state: tuple[int, ...], kinds: tuple[str, ...]) -> Counts:
    """All that can be left of a composition."""
    if "battleship" in kinds:
        whole, hurt = state[:2]
        pairs = [(w, g) for w in range(whole + 1) for g in range(hurt + whole - w + 1)]
        rest = [range(n + 1) for n in state[2:]]
        return np.array([(*p, *r) for p in pairs for r in product(*rest)], np.int64)
    grid = np.indices([n + 1 for n in state])
    return np.asarray(grid.reshape(len(state), -1).T, np.int64)


def _dice(row: Reals, n: int, chance: float) -> int:
    """One more die in a row of chances; the new number of dice."""
    row[1 : n + 2] = row[1 : n + 2] * (1 - chance) + row[: n + 1] * chance
    row[0] *= 1 - chance
    return n + 1


def _hit_tables(
    states: list[tuple[int, ...]],
    kinds: tuple[str, ...],
    value: list[int],
    air: Counts,
    sub: Counts,
    support: bool,
    numbers: Numbers,
    most: int,
) -> tuple[Reals, Counts]:
    """The five hit tables of `fleet` and the numbers of dice, for compositions."""
    tables = np.zeros((5, len(states), most + 1))
    tables[:, :, 0] = 1.0
    dice = np.zeros((len(states), 3), np.int64)
    boosted, raised = numbers.supported_attack, numbers.infantry_per_artillery
    die = numbers.die
    both, every, subs, planes, ground = range(5)
    for i, state in enumerate(states):
        force = dict(zip(kinds, state, strict=True))
        helped = min(force.get("infantry", 0), raised * force.get("artillery", 0)) if support else 0
        n_ground = n_air = n_sub = 0
        for k, kind in enumerate(kinds):
            for unit in range(state[k] if value[k] else 0):
                chance = value[k] / die
                if kind == "infantry" and unit < helped:
                    chance = boosted / die
                if air[k]:
                    n_air = _dice(tables[planes, i], n_air, chance)
                elif sub[k]:
                    n_sub = _dice(tables[subs, i], n_sub, chance)
                else:
                    n_ground = _dice(tables[ground, i], n_ground, chance)
        wide = most + 1
        tables[both, i] = np.convolve(tables[ground, i], tables[planes, i])[:wide]
        tables[every, i] = np.convolve(tables[both, i], tables[subs, i])[:wide]
        dice[i] = n_ground, n_ground + n_air, n_ground + n_air + n_sub
    return tables, dice


def _queue_tables(
    queue: Layers, die: int, enemy_dice: int, q: Question, attacking: bool
) -> tuple[Counts, Reals, Counts, Counts]:
    """The tables of `fleet` for a queue, as the kernel wants them; units left; kinds."""
    b = q.book
    n_air, n_sub, n_ship, n_cargo = queue.sizes
    shape = queue.shape(False)
    h, s, a = np.indices(shape).reshape(3, -1)
    n = len(h)
    here = np.arange(n)
    step_sub, step_ship = shape[2], shape[2] * shape[1]
    far = 1 << 40
    place = [
        np.array([*(unit[2] for unit in group), far])
        for group in (queue.above, queue.below, queue.main)
    ]
    next_air, next_sub = place[0][np.minimum(a, n_air)], place[1][np.minimum(s, n_sub)]
    next_ship = place[2][np.minimum(h, n_ship)]
    cargo = np.where((h >= n_ship) & (h < n_ship + n_cargo), here + step_ship, here)
    first = np.minimum(np.minimum(next_air, next_sub), next_ship)
    move = {"air": here + 1, "sub": here + step_sub, "ship": here + step_ship}
    any_next = np.select(
        [first == far, first == next_air, first == next_sub],
        [cargo, move["air"], move["sub"]],
        move["ship"],
    )
    not_air = np.select(
        [np.minimum(next_sub, next_ship) == far, next_sub < next_ship],
        [cargo, move["sub"]],
        move["ship"],
    )
    not_sub = np.select(
        [np.minimum(next_air, next_ship) == far, next_air < next_ship],
        [cargo, move["air"]],
        move["ship"],
    )
    chains = np.zeros((3, n, enemy_dice + 1), np.int64)
    for k, succ in enumerate((any_next, not_air, not_sub)):
        chains[k, :, 0] = here
        for x in range(1, enemy_dice + 1):
            chains[k, :, x] = succ[chains[k, :, x - 1]]
    helps = np.array([*(ship[4] for ship in queue.main), 0], np.int64)
    help_ = np.flip(np.maximum.accumulate(np.flip(helps)))[np.minimum(h, n_ship)]
    fires = np.array([*(int(ship[1] > 0 or ship[0] < 0) for ship in queue.main), 0], np.int64)
    ground = np.flip(np.cumsum(np.flip(fires)))[np.minimum(h, n_ship)]
    kind = _force_kind(ground, n_air - a, n_sub - s)
    sunk = np.where(h >= n_ship, here + (n_ship + n_cargo - h) * step_ship, here)
    if not q.sea:
        help_ = np.ones(n, np.int64)
        sunk = np.where(ground == 0, n - 1, here)  # guns do not hold out alone

    most = queue.dice
    tables = np.zeros((5, n, most + 1))
    dice = np.zeros((n, 3), np.int64)
    boosted, raised = b.numbers.supported_attack, b.numbers.infantry_per_artillery
    both, every, subs, planes, surface = range(5)
    for k in range(n):
        rows = np.zeros((3, most + 1))
        rows[:, 0] = 1.0
        number = [0, 0, 0]
        ships = queue.main[h[k] :]
        helped = 0
        if not q.sea and not attacking:
            names = [b.kinds[ship[0]] for ship in ships]
            helped = min(names.count("infantry"), raised * names.count("artillery"))
        for ship in ships:
            chance = ship[1] / die
            if helped and ship[0] >= 0 and b.kinds[ship[0]] == "infantry":
                helped -= 1
                chance = boosted / die
            if chance:
                number[0] = _dice(rows[0], number[0], chance)
        for unit in queue.above[a[k] :]:
            number[1] = _dice(rows[1], number[1], unit[1] / die)
        for unit in queue.below[s[k] :]:
            number[2] = _dice(rows[2], number[2], unit[1] / die)
        tables[surface, k], tables[planes, k], tables[subs, k] = rows
        tables[both, k] = np.convolve(rows[0], rows[1])[: most + 1]
        tables[every, k] = np.convolve(tables[both, k], rows[2])[: most + 1]
        dice[k] = number[0], number[0] + number[1], sum(number)
    ints = np.concatenate(
        (chains.ravel(), a, s, n_sub - s, help_, kind, sunk, dice.ravel())
    ).astype(np.int64)
    return ints, tables, queue.left(len(b.kinds), False), kind


def _worth(
    q: Question,
    goal: Goal,
    attacking: bool,
    states: list[tuple[int, ...]],
    kinds: tuple[str, ...],
    left_o: Counts,
    kind_m: Counts,
    kind_o: Counts,
) -> Reals:
    """What every pair is worth to the chooser as an end, or if the attacker retreats there."""
    b = q.book
    names = [k.split(" (")[0] for k in kinds]
    mine = np.zeros((len(states), len(b.kinds)), np.int64)
    for k, name in enumerate(names):
        mine[:, b.place[name]] += np.array([s[k] for s in states], np.int64)
    ours, theirs = (mine, left_o) if attacking else (left_o, mine)
    kind_a, kind_d = (kind_m, kind_o) if attacking else (kind_o, kind_m)
    wins = (kind_a > 0)[:, None] & (kind_d == 0)[None, :]
    captures = np.array([int(b.unit(k).captures and not q.sea) for k in b.kinds], np.int64)
    takes = wins & (ours @ captures > 0)[:, None]
    if callable(goal):
        worth = np.array(
            [[goal(named(b.kinds, x), named(b.kinds, y)) for y in theirs] for x in ours], np.float64
        )
    elif goal == "swing":
        cost = np.array([b.cost[k] for k in b.kinds], np.float64)
        before = [sum(b.cost[k] * n for k, n in side.items()) for side in (q.attack, q.defend)]
        worth = (before[1] - theirs @ cost)[None, :] - (before[0] - ours @ cost)[:, None]
        worth = worth + q.territory * takes
    else:
        worth = (wins if goal == "win" else takes).astype(np.float64)
    return worth if attacking else -worth.T
