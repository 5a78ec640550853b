"""Battles at sea."""

from __future__ import annotations

from typing import Any

import numpy as np

from sandtable.games.aa1942.odds.book import book, fleet, loss_order, order_key, types_of
from sandtable.games.aa1942.odds.ends import counted, named, sea_ends, sparse
from sandtable.games.aa1942.odds.question import Question
from sandtable.odds import exact
from sandtable.odds.errors import OddsError
from sandtable.odds.policy import SUBS
from sandtable.odds.result import Reals, Result


def answer_sea(q: Question) -> Result:
    b, play = book(), q.policy
    ours = fleet(
        tuple(q.attack.items()), loss_order(order_key(play.attack_order), True), True, q.damaged[0]
    )
    theirs = fleet(
        tuple(q.defend.items()),
        loss_order(order_key(play.defend_order), False),
        False,
        q.damaged[1],
    )
    dive = SUBS.index(play.attack_subs), SUBS.index(play.defend_subs)
    dives = dive[0] > 0, dive[1] > 0
    common: dict[str, Any] = {
        "attacker": q.attack,
        "defender": q.defend,
        "attacker_types": types_of(q.attack),
        "defender_types": types_of(q.defend),
        "cost": b.cost,
        "territory": 0.0,
    }
    notes: tuple[str, ...] = ()
    rule, limit, worth = exact.NEVER, 0, None
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
        "sides": b.facts.numbers.die,
        "dive": dive,
        "flees": play.can_retreat,
        "limit": limit,
    }
    try:
        found = exact.fight_fleet(ours, theirs, rule=rule, worth=worth, **fixed)
    except OddsError:
        if not q.sample or rule >= exact.VALUE:
            raise
        i, j, mean = exact.sample_fleet(ours, theirs, q.sample, q.seed, rule=rule, **fixed)
        ends = counted(i, j)
        return Result(
            expand=lambda: sea_ends(ours, theirs, ends, dives, common),
            rounds=mean,
            runs=q.sample,
            notes=notes,
            **common,
        )

    def count_rounds() -> Reals:
        mask = found.worth if rule == exact.VALUE else worth
        how = exact.GIVEN if rule == exact.VALUE else rule
        return exact.fight_fleet(
            ours, theirs, rule=how, worth=mask, count_rounds=True, **fixed
        ).rounds

    return Result(
        head=found.head,
        expand=lambda: sea_ends(ours, theirs, sparse(found.final), dives, common),
        count_rounds=count_rounds,
        notes=notes,
        **common,
    )
