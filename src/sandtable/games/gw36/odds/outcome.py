"""Battles fought to their ends, and the answer made of these."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.odds.field import ATTACK, DEFENSE, Field
from sandtable.games.gw36.odds.fight import Fight, TooLarge
from sandtable.games.gw36.odds.policy import read_policy
from sandtable.games.gw36.odds.question import Question
from sandtable.games.gw36.rules import combat
from sandtable.games.gw36.rules.amphibious import bombarding, landing
from sandtable.games.gw36.rules.battle import ATTACKING, attackers, defenders, running
from sandtable.games.gw36.rules.terms import acting
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.events import Event
from sandtable.kernel.game import Entry, Game
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table
from sandtable.odds import walk
from sandtable.odds.errors import OddsError
from sandtable.odds.result import (
    ATTACKER,
    DEADLOCK,
    DEFENDER,
    DRAW,
    RETREAT,
    Counts,
    Distribution,
    Result,
    likeliest_first,
)

COURSES = 4000
"""So many runs of the rules are made at most to come from the middle of a round to its end."""

Numbers = dict[str, int]


class Row(NamedTuple):
    """An end."""

    chance: float
    ours: Numbers
    """What the attacker has lost, by type."""
    theirs: Numbers
    how: int
    takes: bool
    """Whether the zone is taken."""
    rounds: int = 0


class Course(walk.Run[State]):
    """A battle run through the rules: to the next round, or `whole`, to its end."""

    def __init__(self, q: Question, given: Iterable[Entry] = (), whole: bool = False) -> None:
        super().__init__(q.state, given)
        self.q = q
        self.whole = whole
        self.ended = False
        self.retreated = False
        """Whether the attacker has broken off."""
        self.clash = any(unit.target == "clash" for unit in self.state.stack(q.zone))
        self.began = -1 if self.state.battle is None else self.state.battle.round

    def play(self, g: Table[State]) -> Procedure[None]:
        return combat.phase(g)

    def decide(self, request: Request) -> Decision:
        return self.q.policy.decide(self.state, request)

    def kept(self, strict: bool) -> None:
        """Stop where the next round is about to begin."""
        battle = self.state.battle
        if not self.whole and battle is not None and battle.round > self.began:
            raise walk.Stop

    def told(self, event: Event) -> None:
        if event.kind == "retreated":
            self.retreated = self.clash or not attackers(self.state)
        elif event.kind == "battle_ended":
            self.ended = True
            raise walk.Stop

    def meets(self, kind: str) -> bool:
        """Courses meet before each roll within a round."""
        return not self.whole

    def meeting(self) -> Any:
        s = self.state
        return (*(tuple(stack.items()) for stack in s.at.values()), s.battle, tuple(s.lost.items()))

    def ending(self) -> int:
        """How it ended."""
        ours, theirs = bool(attackers(self.state)), bool(defenders(self.state))
        if self.retreated or (ours and self.clash):
            return RETREAT
        if ours == theirs:
            return DEADLOCK if ours else DRAW
        return ATTACKER if ours else DEFENDER


def answer(q: Question) -> Result:
    """The outcome of a question that has been read. A battle in which more than `q.most` pairs of
    sides can stand at a time is refused or, with `q.sample`, estimated by so many at random."""
    return _answer(q, ())


def _answer(q: Question, given: tuple[Entry, ...]) -> Result:
    q.state.lost = {}
    try:
        return _exact(q, given)
    except (TooLarge, walk.TooMany):
        if not q.sample:
            raise
    found = []
    for share, run in walk.sampled(lambda: Course(q, given, whole=True), q.sample):
        found.append(ended(float(share), run))
    return _result(q, found, _lasted(found), _sides(q), q.sample)


def _exact(q: Question, given: tuple[Entry, ...]) -> Result:
    rows: list[Row] = []
    starts: list[tuple[float, State]] = []
    for share, run in walk.courses(lambda: Course(q, given), COURSES):
        if run.ended:
            rows.append(ended(float(share), run))
        else:
            starts.append((float(share), run.state))
    lasted = _lasted(rows)
    if starts:
        field = Field(starts[0][1], q.policy)
        fight = Fight(field, q.most)
        round_ = running(starts[0][1]).round
        fight.run(((p, *field.number(s)) for p, s in starts), round_)
        rows += [_end(field, p, *end) for end, p in fight.ends.items()]
        before = round_ - (q.state.battle.round if q.state.battle is not None else 0)
        lasted += [0.0] * (before + len(fight.lasted) - len(lasted))
        for k, p in enumerate(fight.lasted):
            lasted[before + k] += p
    return _result(q, rows, lasted, _sides(q), 0)


def _lasted(rows: list[Row]) -> list[float]:
    lasted = [0.0] * (1 + max((row.rounds for row in rows), default=0))
    for row in rows:
        lasted[row.rounds] += row.chance
    return lasted


def _end(field: Field, p: float, a: int, d: int, how: int) -> Row:
    gone = [_by_type(dict(field.sides[side][n].gone)) for side, n in ((ATTACK, a), (DEFENSE, d))]
    kinds = field.base.facts.units
    troops = any(kinds[u.type].land for u in field.units(ATTACK, a))
    return Row(p, gone[0], gone[1], how, how == ATTACKER and field.land and troops)


def ended(p: float, run: Course) -> Row:
    s = run.state
    battle = running(s)
    ours = {key: n for key, n in s.lost.items() if key[0] in battle.attackers}
    theirs = {key: n for key, n in s.lost.items() if key[0] not in battle.attackers}
    kinds = s.facts.units
    how = run.ending()
    takes = how == ATTACKER and battle.kind == "land"
    takes = takes and any(kinds[u.type].land for u in attackers(s))
    rounds = battle.round - max(run.began, 0)
    return Row(p, _by_type(ours), _by_type(theirs), how, takes, rounds)


def _by_type(units: Mapping[tuple[str, str], int]) -> Numbers:
    found: Numbers = {}
    for (_, type_), count in units.items():
        found[type_] = found.get(type_, 0) + count
    return found


def _sides(q: Question) -> tuple[Numbers, Numbers]:
    """Both sides as they are when the battle begins, with what they have aboard."""
    s = q.state
    fleet: list[tuple[Unit, int]] = []
    if q.kind == "land":
        for some in (*landing(s, q.zone).values(), *bombarding(s, q.zone).values()):
            fleet += some.items()
    if s.battle is not None:
        ours, theirs = attackers(s), defenders(s)
    else:
        ours = {
            u: n
            for u, n in s.stack(q.zone).items()
            if u.duty in ATTACKING and u.nation in acting(s)
        }
        (_, opened), *_ = walk.sampled(lambda: Course(q), 1)
        theirs = defenders(opened.state)
        for (nation, type_), count in opened.state.lost.items():
            if nation not in running(opened.state).attackers:
                unit = Unit(nation, type_)
                theirs[unit] = theirs.get(unit, 0) + count
    return _pieces((*ours.items(), *fleet)), _pieces(theirs.items())


def _pieces(units: Iterable[tuple[Unit, int]]) -> Numbers:
    found: Numbers = {}
    for unit, count in units:
        for piece in (unit, *unit.cargo):
            found[piece.type] = found.get(piece.type, 0) + count
    return found


def _result(
    q: Question,
    rows: list[Row],
    lasted: list[float],
    start: tuple[Numbers, Numbers],
    runs: int,
) -> Result:
    kinds = list(q.state.facts.units)
    ours, theirs = ({t: side[t] for t in kinds if side.get(t)} for side in start)
    total = sum(row.chance for row in rows)

    def left(side: Numbers, gone: list[Numbers]) -> Counts:
        return np.array(
            [[max(n - lost.get(t, 0), 0) for t, n in side.items()] for lost in gone], np.int64
        ).reshape(len(gone), len(side))

    def expand() -> Distribution:
        return likeliest_first(
            np.array([row.chance / total for row in rows]),
            left(ours, [row.ours for row in rows]),
            left(theirs, [row.theirs for row in rows]),
            np.array([row.how for row in rows], np.int64),
            np.array([row.takes for row in rows], np.bool_),
        )

    return Result(
        attacker=ours,
        defender=theirs,
        attacker_types=tuple(ours),
        defender_types=tuple(theirs),
        cost={t: sum(q.state.facts.units[t].cost) for t in (*ours, *theirs)},
        expand=expand,
        territory=q.territory,
        count_rounds=lambda: np.array(lasted),
        rounds=sum(k * p for k, p in enumerate(lasted)),
        runs=runs,
        notes=q.notes,
    )


def in_progress(game: Game, **options: Any) -> Result:
    """The odds of the battle in which a game rests, from here on: the dice that have fallen and
    the choices that have been made since the round began count. The options are those of `Policy`,
    and `territory`, `most` and `sample`."""
    began = time.perf_counter()
    request = next(iter(game.pending), None)
    if request is None:
        raise OddsError("The game is over; it does not rest in a battle.")
    battle = game.state.battle
    if battle is None or battle.kind not in combat.GO_ON:
        what = request.kind.replace("_", " ")
        raise OddsError(f"The game waits for {what}; it does not rest in a battle.")
    about = {name: options.pop(name) for name in ("territory", "most", "sample") if name in options}
    start, given, _ = game.since_checkpoint()
    policy = read_policy(game.state.facts, options)
    q = Question(start, battle.at, battle.kind, policy, **about)
    result = _answer(q, given)
    result.elapsed_ms = 1000 * (time.perf_counter() - began)
    return result
