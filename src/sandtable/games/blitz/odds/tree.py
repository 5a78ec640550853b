"""Every course that a combat can take: the rules played through for all that the dice can show.

The rules of combat are written once, in `rules`. Here they are run from a position over and over,
each time with other dice, until all of them have been seen. A stated policy answers what the powers
are asked, so that only chance branches, and the probabilities, which are fractions, add up to one.

Two things keep the number of runs low. Faces that the Combat Chart treats alike are one case. And
what is left to play when a Round begins depends on the position and on what became of the units
before, not on the dice that brought it about: courses that meet there go on as one.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from sandtable.games.blitz.model import PHASES, Combat, State
from sandtable.games.blitz.rules.before import before_the_game
from sandtable.games.blitz.rules.order import STEPS, advance, begin_step
from sandtable.games.blitz.rules.over import GameOver
from sandtable.games.blitz.rules.rounds import chart_result
from sandtable.kernel.decisions import Decision, Request, RollLine
from sandtable.kernel.game import Decided, Entry, Game, Rolled
from sandtable.kernel.ruleset import Event, Procedure
from sandtable.kernel.table import Table
from sandtable.odds.errors import OddsError

Faces = tuple[int, ...]
Path = tuple[Faces, ...]
"""What the dice of one roll show, and those of a course."""
Decide = Callable[[State, Request], Decision]

COMBATS = ("attack_began", "sea_combat")
"""The events with which combats begin."""

_ROUND = "_round"
"""How the kinds of the rolls in a Round end."""

MOST = 60_000
"""More courses than this are refused: some minutes, where commanders and fleets roll as well."""


class Course(NamedTuple):
    """One course of a combat."""

    probability: Fraction
    combat: Combat | None
    """The combat as it began, or as the odds were asked for; None if none was fought."""
    state: State
    events: list[Event]
    """From the event with which the combat began."""
    over: bool
    """The game ended with it."""


class _Branch(NamedTuple):
    """A roll that was made for the first time: its other cases, with their shares."""

    share: Fraction
    others: tuple[tuple[Faces, Fraction], ...]


class _Stop(Exception):
    """The combat is over and play would go on."""


class TooMany(OddsError):
    """A combat can take more courses than are allowed."""


class _NextRound(Exception):
    """Another Round begins, where courses can meet."""


class Tree:
    """A combat from a position: `given` is what has been decided and rolled since then, `told`
    what happened in it before."""

    def __init__(
        self,
        start: State,
        decide: Decide,
        given: Iterable[Entry] = (),
        most: int = MOST,
        told: Iterable[Event] = (),
    ) -> None:
        self.start = start
        self.decide = decide
        self.given = tuple(given)
        self.told = tuple(told)
        self.most = most
        """So many runs are made at most."""
        self.now: State | None = None
        """The position in which the first question or roll comes that is not among the given."""

    def courses(self) -> Iterator[Course]:
        """Every course that the combat can take, those that meet as one; TooMany if they take more
        runs than allowed."""
        starts: list[tuple[Path, Fraction]] = [((), Fraction(1))]
        runs = 0
        while starts:
            met: dict[Any, tuple[Path, Fraction]] = {}
            for start, chance in starts:
                waiting = [(start, chance)]
                while waiting:
                    runs += 1
                    if runs > self.most:
                        raise TooMany(
                            f"The combat can take more than {self.most:,} courses; that is refused."
                        )
                    path, probability = waiting.pop()
                    run = _Run(self, path, len(start))
                    meeting = run.play()
                    for at, branch in enumerate(run.branches, len(path)):
                        for faces, share in branch.others:
                            waiting.append(((*run.rolled[:at], faces), probability * share))
                        probability *= branch.share
                    if meeting is None:
                        yield Course(probability, run.combat, run.state, run.events, run.over)
                    else:
                        first, sum_ = met.get(meeting, (tuple(run.rolled), Fraction(0)))
                        met[meeting] = first, sum_ + probability
            starts = list(met.values())

    def sampled(self, number: int) -> Iterator[Course]:
        """So many courses at random, always the same ones."""
        rng = random.Random(number)
        for _ in range(number):
            run = _Sample(self, rng)
            run.play()
            yield Course(Fraction(1, number), run.combat, run.state, run.events, run.over)


def in_combat(game: Game, decide: Decide, most: int = MOST) -> Tree:
    """The combat in which a game rests, from here on."""
    start, given, events = game.since_checkpoint()
    told: list[Event] = []
    if start.combat is not None:
        for number in range(len(events) - 1, -1, -1):
            told.append(events[number])
            if told[-1].kind in COMBATS:
                break
    return Tree(start, decide, given, most, reversed(told))


class _Run:
    """The rules run once, with these faces for the first rolls and the first case for the others.

    It goes to the Round after the one that begins with roll number `since`, or to the end.
    """

    def __init__(self, tree: Tree, prefix: Path, since: int) -> None:
        self.tree = tree
        self.prefix = prefix
        self.since = since
        self.state = tree.start.copy()
        self.given = deque(tree.given)
        self.rolled: list[Faces] = []
        self.branches: list[_Branch] = []
        self.combat = self.state.combat
        self.events: list[Event] = list(tree.told)
        self.over = False
        self._fresh = False
        self._round = self.combat.round if self.combat is not None else ""

    def play(self) -> Any:
        """Run to the end of the combat: None; or to its next Round: where courses meet."""
        playing = self._steps(Table(self.state, self._draw, self._emit, self._keep))
        try:
            asked = next(playing)
            while True:
                asked = playing.send({r.power: self._answer(r) for r in self._in_order(asked)})
        except (StopIteration, _Stop):
            return None
        except GameOver:
            self.over = True
            return None
        except _NextRound:
            return self._meeting()

    def _meeting(self) -> Any:
        """All that the rest of the combat can depend on.

        Units that went home for good may stand where they came from: what happened tells.
        """
        s = self.state
        last = self.events[-1]
        told = sorted(
            repr(event) for event in self.events if event.kind != "fired" or event is last
        )
        kept = (s.units, s.deeds, s.commanders, s.convoy_damage)
        return (*told, *(frozenset(each.items()) for each in kept))

    def _steps(self, g: Table[State]) -> Procedure[None]:
        """The present step, and those that have been played since the start."""
        s = g.state
        if not s.phase:
            yield from before_the_game(g)
            s.phase = PHASES[0]
            begin_step(s, "begin")
        while True:
            yield from STEPS[s.step](g)
            if self._fresh:
                return
            advance(g)

    def _in_order(self, asked: Any) -> list[Request]:
        """The requests as they were answered, as far as they have been."""
        waiting = {request.power: request for request in asked.requests}
        done = []
        for entry in self.given:
            if not isinstance(entry, Decided) or entry.power not in waiting:
                break
            done.append(waiting.pop(entry.power))
        return [*done, *waiting.values()]

    def _answer(self, request: Request) -> Decision:
        if self.given:
            entry = self.given.popleft()
            assert isinstance(entry, Decided) and entry.power == request.power
            return entry.decision
        self._begin()
        return self.tree.decide(self.state, request)

    def _begin(self) -> None:
        """Whatever was given is used up."""
        self._fresh = True
        if self.tree.now is None:
            self.tree.now = self.state.copy()

    def _draw(self, kind: str, lines: tuple[RollLine, ...], dice: int, sides: int) -> Faces:
        of_round = kind.endswith(_ROUND)
        first = of_round and kind != self._round
        if of_round:
            self._round = kind
        if self.given:
            entry = self.given.popleft()
            assert isinstance(entry, Rolled)
            return entry.faces
        self._begin()
        number = len(self.rolled)
        if first and number > self.since and number >= len(self.prefix):
            raise _NextRound
        if number < len(self.prefix):
            faces = self.prefix[number]
        else:
            faces, *others = product(range(1, sides + 1), repeat=dice)
            share = Fraction(1, 1 + len(others))
            self.branches.append(_Branch(share, tuple((other, share) for other in others)))
        self.rolled.append(faces)
        return faces

    def _emit(self, event: Event) -> None:
        if event.kind in COMBATS:
            self.combat, self.events = self.state.combat, []
            if not self.given:
                self._begin()
        elif event.kind == "fired" and len(self.rolled) > len(self.prefix):
            self._unite(event.data["factors"])
        self.events.append(event)

    def _unite(self, factors: int) -> None:
        """Of the die just rolled, make one case of all faces with the same result."""
        sides = 1 + len(self.branches[-1].others)
        faces: dict[tuple[int, str], list[int]] = {}
        for face in range(1, sides + 1):
            faces.setdefault(chart_result(self.state, factors, face), []).append(face)
        first, *others = faces.values()
        self.branches[-1] = _Branch(
            Fraction(len(first), sides),
            tuple(((each[0],), Fraction(len(each), sides)) for each in others),
        )

    def _keep(self, strict: bool) -> None:
        """Where play can be taken up again outside of a combat, one has ended or has not begun."""
        if self.state.combat is not None:
            return
        if self._fresh:
            raise _Stop
        self.events = []


class _Sample(_Run):
    """The rules run once, with dice at random."""

    def __init__(self, tree: Tree, rng: random.Random) -> None:
        super().__init__(tree, (), 0)
        self.rng = rng

    def _draw(self, kind: str, lines: tuple[RollLine, ...], dice: int, sides: int) -> Faces:
        if self.given:
            entry = self.given.popleft()
            assert isinstance(entry, Rolled)
            return entry.faces
        self._begin()
        return tuple(self.rng.randint(1, sides) for _ in range(dice))
