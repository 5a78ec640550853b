"""Battles on land."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sandtable.games.aa1942.odds.book import AAA, Book, apart, line, loss_order, order_key
from sandtable.games.aa1942.odds.ends import counted, line_ends, line_table, named
from sandtable.games.aa1942.odds.questions import Question
from sandtable.games.aa1942.odds.seaborne import fight_on, worth_fighting_on
from sandtable.odds import exact
from sandtable.odds.errors import OddsError
from sandtable.odds.exact import Job, Line
from sandtable.odds.result import ATTACKER, Distribution, Reals, Result


def land_lines(q: Question, attack: Mapping[str, int]) -> tuple[Line, Line, int]:
    """Both lines, and the number of antiaircraft dice."""
    play = q.policy
    first = loss_order(q.book, order_key(play.attack_order), True)
    second = loss_order(q.book, order_key(play.defend_order), False)
    ours = line(q.book, apart(attack, q.gone[0]), first, True, play.keep_land)
    theirs = line(q.book, apart(q.defend, q.gone[1]), second, False, False)
    if q.gone[0]:
        ours = ours.behind(line(q.book, tuple(q.gone[0].items()), first, True, False))
    if q.gone[1]:
        theirs = theirs.behind(line(q.book, tuple(q.gone[1].items()), second, False, False))
    numbers = q.book.numbers
    flak = 0
    if AAA in q.defend and not q.begun:
        flak = min(numbers.aaa_dice_per_gun * q.defend[AAA], int(ours.exposed.sum()))
    return ours, theirs, flak


def answer_land(
    q: Question,
    seaborne: Mapping[str, int],
    bombard: tuple[int, ...] = (),
    start: Reals | None = None,
) -> Result:
    """A land battle, in which some attackers may come from the sea and not retreat; `start` has
    the chances of all pairs of states at the end of the round that is being fought."""
    b = q.book
    attack = {**q.attack, **seaborne}
    common: dict[str, Any] = {
        "attacker": attack,
        "defender": q.defend,
        "attacker_types": tuple(attack),
        "defender_types": tuple(q.defend),
        "cost": b.cost,
        "territory": q.territory,
    }
    ours, theirs, flak = land_lines(q, attack)
    if start is None and len(q.defend) == 1 and AAA in q.defend:
        return walkover(b, attack, q.defend, common)
    numbers = b.numbers
    rule, limit, worth, notes = _retreat_rule(q, ours, theirs, flak, bool(seaborne))
    fixed: dict[str, Any] = {
        "sides": numbers.die,
        "boosted": numbers.supported_attack,
        "raised": numbers.infantry_per_artillery,
        "opening": flak,
        "opening_value": numbers.aaa_hits_on,
        "start": _bombarded(b.numbers.die, bombard, len(theirs)) if bombard else start,
        "rule": rule,
        "limit": limit,
    }
    try:
        found = exact.fight_line(ours, theirs, worth=worth, **fixed)
    except OddsError:
        if not q.sample or seaborne or rule >= exact.VALUE:
            raise
        i, j, mean = exact.sample_line(ours, theirs, q.sample, q.seed, **fixed)
        ends = counted(i, j)
        return Result(
            expand=lambda: line_ends(b, ours, theirs, ends, flak, common),
            rounds=mean,
            runs=q.sample,
            notes=notes,
            **common,
        )

    def count_rounds() -> Reals:
        mask = found.worth if rule == exact.VALUE else worth
        again = {**fixed, "rule": exact.GIVEN if rule == exact.VALUE else rule}
        return exact.fight_line(ours, theirs, worth=mask, count_rounds=True, **again).rounds

    if seaborne and rule + limit and found.head[6] > 0:
        return fight_on(b, found, ours, theirs, flak, common, notes)
    return Result(
        head=found.head,
        expand=lambda: line_ends(b, ours, theirs, found.ends, flak, common),
        count_rounds=count_rounds,
        notes=notes,
        **common,
    )


def land_job(q: Question) -> Job | None:
    """A plain land battle, to be fought together with others; None if nobody resists."""
    ours, theirs, flak = land_lines(q, q.attack)
    if len(q.defend) == 1 and AAA in q.defend:
        return None
    numbers, play = q.book.numbers, q.policy
    rule = exact.ALONE if play.retreat == "air" else exact.NEVER
    limit = play.round_limit() if play.can_retreat else 0
    return exact.line_job(
        ours,
        theirs,
        sides=numbers.die,
        boosted=numbers.supported_attack,
        raised=numbers.infantry_per_artillery,
        opening=flak,
        opening_value=numbers.aaa_hits_on,
        rule=rule,
        limit=limit,
    )


def walkover(
    b: Book, attack: Mapping[str, int], defend: Mapping[str, int], common: dict[str, Any]
) -> Result:
    """Nobody who fights: guns are removed, and the territory is taken by whoever can."""
    takes = any(b.unit(kind).captures for kind in attack)
    lost = float(sum(b.cost[kind] * n for kind, n in defend.items()))
    head = np.zeros(16)
    head[2], head[5], head[8] = 1.0, float(takes), lost

    def expand() -> Distribution:
        return Distribution(
            np.ones(1),
            np.array([[attack.get(kind, 0) for kind in common["attacker_types"]]], np.int64),
            np.zeros((1, len(common["defender_types"])), np.int64),
            np.array([ATTACKER]),
            np.array([takes]),
        )

    return Result(head=head, expand=expand, **common)


def _bombarded(die: int, guns: Sequence[int], m: int) -> Reals:
    """The chances that 0, 1, … of m defenders are hit from the sea."""
    hits = np.ones(1)
    for gun in guns:
        chance = gun / die
        hits = np.convolve(hits, [1 - chance, chance])
    start = np.zeros(max(m + 1, len(hits)))
    start[: len(hits)] = hits
    start[m] += start[m + 1 :].sum()
    return start[: m + 1]


def _retreat_rule(
    q: Question, ours: Line, theirs: Line, flak: int, seaborne: bool
) -> tuple[int, int, Reals | None, tuple[str, ...]]:
    """The kernel's stop rule, its limit of rounds, the worth of the states, and a note."""
    play = q.policy
    limit = play.round_limit()
    if play.retreat == "never":
        return exact.NEVER, 0, None, ()
    if play.retreat == "air":
        return exact.ALONE, 0, None, ()
    if not play.can_retreat:
        return exact.NEVER, 0, None, ("The attacker has nowhere to retreat to.",)
    if limit:
        return exact.NEVER, limit, None, ()
    exact.afford(0.0, 4 * exact.line_rows(len(ours), flak) * (len(theirs) + 1))
    left, lost, able, _ = line_table(q.book, ours, flak)
    fallen = np.concatenate(([0.0], np.cumsum(theirs.costs)))
    if callable(play.retreat):
        kinds = q.book.kinds
        theirs_left = theirs.left(len(kinds))
        worth = np.full((len(left), len(fallen)), exact.FIGHT_ON)
        for i, row in enumerate(left):
            for j, column in enumerate(theirs_left):
                if play.retreat(named(kinds, row), named(kinds, column)):
                    worth[i, j] = 0.0
        return exact.GIVEN, 0, worth, ()
    worth = fallen[None, :] - lost[:, None]
    worth[able, -1] += q.territory
    if seaborne:
        worth += worth_fighting_on(q, ours, theirs, flak, left)
    return exact.VALUE, 0, worth, ()
