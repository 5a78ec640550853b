"""The walk through a game's own rules for all that the dice can show, with Axis & Allies."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from sandtable import odds
from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.odds.book import book, force
from sandtable.games.aa1942.rules.conduct_combat import conduct_combat
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table
from sandtable.odds import walk
from tests.odds import engine


class Battle(walk.Run[State]):
    """Conduct Combat, with stated play; two rounds at most."""

    join = True

    def play(self, g: Table[State]) -> Procedure[Any]:
        return conduct_combat(g)

    def decide(self, request: Request) -> Decision:
        answer: Decision = engine.Player({"retreat": "rounds:2"}).answer(self.state, request)
        return answer

    def meets(self, kind: str) -> bool:
        return self.join and kind == "attack"

    def meeting(self) -> Any:
        """At the beginning of a round only who is left matters, and which round it is."""
        s = self.state
        return repr(s.stack(engine.LAND)), repr(s.battle)


class Apart(Battle):
    join = False


def begin(attack: str, defend: str) -> State:
    return engine.start(force(book(), attack), force(book(), defend), sea=False)


def left(found: Iterator[tuple[Fraction, Battle]]) -> dict[Any, Fraction]:
    ends: dict[Any, Fraction] = {}
    for probability, run in found:
        sides = tuple(tuple(sorted(side.items())) for side in engine.left(run.state))
        ends[sides] = ends.get(sides, Fraction(0)) + probability
    return ends


@pytest.mark.parametrize("run", [Battle, Apart])
def test_all_courses_of_a_battle_are_those_of_the_exact_odds(run: type[Battle]) -> None:
    start = begin("2 infantry, 1 artillery, 1 fighter", "2 infantry, 1 tank, 1 aaa")
    ends = left(walk.courses(lambda: run(start), 10_000))
    assert sum(ends.values()) == 1
    result = odds.battle(
        "aa1942", "2 infantry, 1 artillery, 1 fighter", "2 infantry, 1 tank, 1 aaa", retreat=2
    )
    told: dict[Any, float] = {}
    for p, a, d in zip(result.probability, result.attacker, result.defender, strict=True):
        sides = tuple(
            tuple(sorted((kind, int(n)) for kind, n in zip(types, row, strict=True) if n))
            for types, row in ((result.attacker_types, a), (result.defender_types, d))
        )
        told[sides] = told.get(sides, 0.0) + float(p)
    assert set(told) == set(ends)
    for sides, p in ends.items():
        assert told[sides] == pytest.approx(float(p), abs=1e-12)


def test_courses_that_meet_go_on_as_one() -> None:
    start = begin("2 infantry, 1 tank", "1 infantry, 1 tank")
    apart = sum(1 for _ in walk.courses(lambda: Apart(start), 10_000))
    joined = sum(1 for _ in walk.courses(lambda: Battle(start), 10_000))
    assert joined < apart
    assert left(walk.courses(lambda: Battle(start), 10_000)) == left(
        walk.courses(lambda: Apart(start), 10_000)
    )


def test_too_many_courses_are_refused_and_can_be_drawn() -> None:
    start = begin("3 infantry", "3 infantry")
    with pytest.raises(walk.TooMany, match="more than 5 courses"):
        list(walk.courses(lambda: Battle(start), 5))
    drawn = left(walk.sampled(lambda: Battle(start), 200))
    assert sum(drawn.values()) == 1
    assert drawn == left(walk.sampled(lambda: Battle(start), 200))
    assert set(drawn) <= set(left(walk.courses(lambda: Battle(start), 10_000)))
