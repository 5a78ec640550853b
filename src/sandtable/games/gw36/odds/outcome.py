"""Battles fought to their ends, and the answer made of these."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.odds.field import ATTACK, DEFENSE, Field
from sandtable.games.gw36.odds.fight import Fight, Resume, TooLarge, gather
from sandtable.games.gw36.odds.policy import read_policy
from sandtable.games.gw36.odds.question import Question
from sandtable.games.gw36.rules import combat, order
from sandtable.games.gw36.rules.amphibious import bombarding, landing
from sandtable.games.gw36.rules.battle import attackers, defenders, running
from sandtable.games.gw36.rules.values import strikes_first
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.events import Event
from sandtable.kernel.game import Decided, Entry, Game
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
"""So many runs of the rules are made at most to come to the next round or type that fires."""

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
    """A battle run through the rules: to where the next round begins or the next type fires, or
    `whole`, to its end."""

    def __init__(self, q: Question, given: Iterable[Entry] = (), whole: bool = False) -> None:
        super().__init__(q.state, given)
        self.q = q
        self.whole = whole
        self.ended = False
        self.retreated = False
        """Whether the attacker has broken off."""
        self.clash = any(unit.target == "clash" for unit in self.state.stack(q.zone))
        self.began = 0 if self.state.battle is None else self.state.battle.round
        self.resume: Resume | None = None
        self.sides: tuple[Numbers, ...] = ()
        """Both as they were when the battle began, or was taken up."""

    def play(self, g: Table[State]) -> Procedure[Any]:
        return self.q.procedure(g)

    def decide(self, request: Request) -> Decision:
        return self.q.policy.decide(self.state, request)

    def kept(self, strict: bool) -> None:
        """Stop where a round is about to begin that has not been fought."""
        s = self.state
        if s.battle is None:
            return
        if not self.sides:
            self.sides = _sides(s)
        if self.whole:
            return
        if not self._given:
            raise walk.Stop
        self._strikers = {
            side: frozenset(unit for unit in units if strikes_first(s, unit, side))
            for side, units in ((ATTACK, attackers(s)), (DEFENSE, defenders(s)))
        }

    def meets(self, kind: str) -> bool:
        """Stop where a type is about to fire that has not; courses meet nowhere."""
        battle = self.state.battle
        if (
            battle is not None
            and battle.step in (ATTACK, DEFENSE)
            and not self.whole
            and not self._given
            and kind == battle.step
        ):
            nobody: frozenset[Unit] = frozenset()
            struck = self._strikers if battle.round == 1 else {ATTACK: nobody, DEFENSE: nobody}
            self.resume = Resume(battle.step, frozenset(battle.fired[:-1]), struck)
            raise walk.Stop
        return False

    def told(self, event: Event) -> None:
        if event.kind == "battle_began":
            self.sides = _sides(self.state)
            self.began = 0
        elif event.kind == "retreated":
            self.retreated = self.clash or not attackers(self.state)
        elif event.kind == "battle_ended":
            self.ended = True
            raise walk.Stop

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
        sides = run.sides
    return _result(q, found, _lasted(found), sides, q.sample)


def _exact(q: Question, given: tuple[Entry, ...]) -> Result:
    rows: list[Row] = []
    starts: list[tuple[float, State]] = []
    resume: Resume | None = None
    for share, run in walk.courses(lambda: Course(q, given), COURSES):
        sides, began = run.sides, run.began
        if run.ended:
            rows.append(ended(float(share), run))
        else:
            starts.append((float(share), run.state))
            resume = run.resume
    lasted = _lasted(rows)
    if starts:
        field = Field(starts[0][1], q.policy)
        fight = Fight(field, q.most)
        round_ = running(starts[0][1]).round
        cloud = gather((p, *field.number(s)) for p, s in starts)
        if resume is not None:
            cloud = fight.finish(cloud, round_, resume)
        fight.run(cloud, round_)
        rows += [_end(field, p, *end) for end, p in fight.ends.items()]
        before = round_ - began
        lasted += [0.0] * (before + len(fight.lasted) - len(lasted))
        for k, p in enumerate(fight.lasted):
            lasted[before + k] += p
    return _result(q, rows, lasted, sides, 0)


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
    rounds = battle.round - run.began
    return Row(p, _by_type(ours), _by_type(theirs), how, takes, rounds)


def _by_type(units: Mapping[tuple[str, str], int]) -> Numbers:
    found: Numbers = {}
    for (_, type_), count in units.items():
        found[type_] = found.get(type_, 0) + count
    return found


def _sides(s: State) -> tuple[Numbers, Numbers]:
    """Both sides as they are, with what they have aboard."""
    zone = running(s).at
    fleet: list[tuple[Unit, int]] = []
    if running(s).kind == "land":
        for some in (*landing(s, zone).values(), *bombarding(s, zone).values()):
            fleet += some.items()
    return _pieces((*attackers(s).items(), *fleet)), _pieces(defenders(s).items())


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
    start: tuple[Numbers, ...],
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
    )


def in_progress(game: Game, then: tuple[str, Decision] | None = None, **options: Any) -> Result:
    """The odds of the battle in which a game rests, from here on: the dice that have fallen and
    the choices that have been made since the round began count; `then` is what a player would
    decide next. The options are those of `Policy`,
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
    if then is not None:
        given = (*given, Decided(*then))
    policy = read_policy(game.state.facts, options)
    q = Question(start, battle.at, policy, procedure=order.play, **about)
    result = _answer(q, given)
    result.elapsed_ms = 1000 * (time.perf_counter() - began)
    return result
