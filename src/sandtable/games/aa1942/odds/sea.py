"""Battles at sea."""

from __future__ import annotations

from typing import Any

import numpy as np

from sandtable.games.aa1942.odds.book import apart, fleet, loss_order, order_key
from sandtable.games.aa1942.odds.ends import counted, named, sea_ends
from sandtable.games.aa1942.odds.questions import Question
from sandtable.odds import exact
from sandtable.odds.errors import OddsError
from sandtable.odds.exact import Job, Layers
from sandtable.odds.result import Reals, Result


def fleets(q: Question) -> tuple[Layers, Layers, tuple[int, int]]:
    """Both fleets, and when their submarines submerge."""
    play = q.policy
    first = loss_order(q.book, order_key(play.attack_order), True)
    second = loss_order(q.book, order_key(play.defend_order), False)
    sides = []
    for units, gone, order, attacking, damaged in (
        (q.attack, q.gone[0], first, True, q.damaged[0]),
        (q.defend, q.gone[1], second, False, q.damaged[1]),
    ):
        side = fleet(q.book, apart(units, gone), order, attacking, damaged)
        if gone:
            sunk = fleet(q.book, tuple(gone.items()), order, attacking, q.book.spare(gone))
            side = side.behind(sunk)
        sides.append(side)
    return sides[0], sides[1], play.submerging()


def sea_job(q: Question) -> Job:
    """A plain sea battle, to be fought together with others."""
    play = q.policy
    rule = exact.ALONE if play.retreat == "air" else exact.NEVER
    limit = play.round_limit() if play.can_retreat else 0
    ours, theirs, dive = fleets(q)
    die = q.book.numbers.die
    return exact.layers_job(
        ours, theirs, sides=die, leave=dive, flees=play.can_retreat, rule=rule, limit=limit
    )


def answer_sea(q: Question, start: Reals | None = None) -> Result:
    """A battle at sea; `start` has the chances of all pairs of states at the end of the round that
    is being fought."""
    b, play = q.book, q.policy
    ours, theirs, dive = fleets(q)
    dives = dive[0] > 0, dive[1] > 0
    common: dict[str, Any] = {
        "attacker": q.attack,
        "defender": q.defend,
        "attacker_types": tuple(q.attack),
        "defender_types": tuple(q.defend),
        "cost": b.cost,
        "territory": 0.0,
    }
    notes: tuple[str, ...] = ()
    rule, limit, worth = exact.NEVER, 0, None
    if callable(play.retreat) or play.retreat == "loss":  # which need tables of all pairs of states
        exact.afford(0.0, 4 * ours.states(dives[0]) * theirs.states(dives[1]))
    if not play.can_retreat and play.retreat not in ("never", "air"):
        notes = ("The attacker has nowhere to retreat to.",)
    elif play.retreat == "air":
        rule = exact.ALONE
    elif callable(play.retreat):
        rule = exact.GIVEN
        lefts = ours.left(len(b.kinds), dives[0]), theirs.left(len(b.kinds), dives[1])
        worth = np.full((len(lefts[0]), len(lefts[1])), exact.FIGHT_ON)
        for x, row in enumerate(lefts[0]):
            for y, column in enumerate(lefts[1]):
                if play.retreat(named(b.kinds, row), named(b.kinds, column)):
                    worth[x, y] = 0.0
    elif play.retreat == "loss":
        if max(dive) > 3:
            raise OddsError("Who submerges from a round on cannot be met with a retreat by value.")
        rule = exact.VALUE
        costs = np.array([b.cost[kind] for kind in b.kinds], np.float64)
        values = [
            side.left(len(b.kinds), d) @ costs
            for side, d in zip((ours, theirs), dives, strict=True)
        ]
        worth = (values[0] - values[0][0])[:, None] + (values[1][0] - values[1])[None, :]
    else:
        limit = play.round_limit()
    fixed: dict[str, Any] = {
        "sides": b.numbers.die,
        "leave": dive,
        "flees": play.can_retreat,
        "limit": limit,
    }
    try:
        found = exact.fight_layers(ours, theirs, start=start, rule=rule, worth=worth, **fixed)
    except OddsError:
        if not q.sample or rule >= exact.VALUE:
            raise
        i, j, mean = exact.sample_layers(ours, theirs, q.sample, q.seed, rule=rule, **fixed)
        ends = counted(i, j)
        return Result(
            expand=lambda: sea_ends(b, ours, theirs, ends, dives, common),
            rounds=mean,
            runs=q.sample,
            notes=notes,
            **common,
        )

    def count_rounds() -> Reals:
        mask = found.worth if rule == exact.VALUE else worth
        how = exact.GIVEN if rule == exact.VALUE else rule
        return exact.fight_layers(
            ours, theirs, start=start, rule=how, worth=mask, count_rounds=True, **fixed
        ).rounds

    return Result(
        head=found.head,
        expand=lambda: sea_ends(b, ours, theirs, found.ends, dives, common),
        count_rounds=count_rounds,
        notes=notes,
        **common,
    )
