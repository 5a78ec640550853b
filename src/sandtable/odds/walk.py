"""Every course that play can take: a game's rules run for all that the dice can show.

The rules are written once, in the game. Here they are run from a position over and over, each time
with other dice, until all of them have been seen. A stated policy answers what the powers are
asked, so that only chance branches, and the probabilities, which are fractions, add up to one.

Two things keep the number of runs low. Outcomes of a roll that are the same to the rules are one
case: of a line of dice only the hits count, and where a game can tell more, it does so
(`Run.unite`). And where what is left to play does not depend on how it came about, courses that
meet go on as one (`Run.meeting`).
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar

from sandtable.kernel.decisions import CHANCE, ChanceRequest, Decision, Request, RollLine
from sandtable.kernel.events import Event
from sandtable.kernel.game import Decided, Entry, Rolled
from sandtable.kernel.ruleset import Procedure, S
from sandtable.kernel.table import Table
from sandtable.odds.errors import OddsError

Faces = tuple[int, ...]
Case = tuple[Faces, Fraction]
"""What the dice of a roll show, for all that is the same to the rules, and its probability."""


class TooMany(OddsError):
    """Play can take more courses than are allowed."""


class Stop(Exception):
    """The course ends here, though play would go on."""


class _Meet(Exception):
    """Courses can meet here."""


class _Start(NamedTuple):
    rolled: tuple[Faces, ...]
    probability: Fraction
    since: int
    """How many rolls there were where courses met last."""


class Run(Generic[S]):
    """The rules run once from a position. A game says in a subclass what is played (`play`), who
    decides how (`decide`), and what becomes of the rest.

    `given` is what has been decided and rolled since the position; from then on the run is `fresh`.
    """

    def __init__(self, start: S, given: Iterable[Entry] = ()) -> None:
        self.state: S = start.copy()
        self.fresh = False
        self._given = deque(given)
        self._start = _Start((), Fraction(1), 0)
        self._rolled: list[Faces] = []
        self._branches: list[list[Case]] = []
        self._chance: random.Random | None = None

    def play(self, g: Table[S]) -> Procedure[Any]:
        """What is played; it ends by itself, or where `Stop` is raised."""
        raise NotImplementedError

    def decide(self, request: Request) -> Decision:
        """The answer to a request."""
        raise NotImplementedError

    def begin(self) -> None:
        """All that was given has been used: `fresh` is about to become true."""

    def told(self, event: Event) -> None:
        """Something happened."""

    def kept(self, strict: bool) -> None:
        """Play can be taken up again from here."""

    def meeting(self) -> Any:
        """All that the rest depends on, if courses that are alike in it may go on as one: a key.
        Asked before a roll for which `meets` is true."""
        raise NotImplementedError

    def meets(self, kind: str) -> bool:
        """Whether courses meet before this roll."""
        return False

    def unite(self, result: Callable[[Faces], Any]) -> None:
        """Of the roll just made, make one case of all faces with the same result."""
        if self._chance is None and len(self._rolled) > len(self._start.rolled):
            alike: dict[Any, list[Case]] = {}
            for case in self._branches[-1]:
                alike.setdefault(result(case[0]), []).append(case)
            self._branches[-1] = [
                (cases[0][0], sum((share for _, share in cases), Fraction(0)))
                for cases in alike.values()
            ]

    # --- running ----------------------------------------------------------------------------

    def _go(self) -> Any:
        """Run to the end: None; or to where courses meet: the key."""
        playing = self.play(Table(self.state, self._draw, self.told, self.kept))
        try:
            asked = next(playing)
            while True:
                asked = playing.send({r.power: self._answer(r) for r in self._in_order(asked)})
        except (StopIteration, Stop):
            return None
        except _Meet:
            return self.meeting()

    def _in_order(self, asked: Any) -> list[Request]:
        """The requests as they were answered, as far as they have been."""
        waiting = {request.power: request for request in asked.requests}
        done = []
        for entry in self._given:
            if not isinstance(entry, Decided) or entry.power not in waiting:
                break
            done.append(waiting.pop(entry.power))
        return [*done, *waiting.values()]

    def _answer(self, request: Request) -> Decision:
        if self._given:
            entry = self._given.popleft()
            assert isinstance(entry, Decided) and entry.power == request.power
            return entry.decision
        self.freshen()
        return self.decide(request)

    def freshen(self) -> None:
        """From here on nothing is given, if that is so."""
        if not self._given and not self.fresh:
            self.begin()
            self.fresh = True

    def _draw(self, kind: str, lines: tuple[RollLine, ...], dice: int, sides: int) -> Faces:
        meets = self.meets(kind)
        if self._given:
            entry = self._given.popleft()
            assert isinstance(entry, Rolled)
            return entry.faces
        self.freshen()
        if self._chance is not None:
            return tuple(self._chance.randint(1, sides) for _ in range(dice))
        number, before = len(self._rolled), self._start.rolled
        if number < len(before):
            faces = before[number]
        else:
            if meets and number > self._start.since:
                raise _Meet
            ways = ChanceRequest(CHANCE, kind, lines).merged_ways()
            cases = [(roll.faces, Fraction(n, sides**dice)) for roll, n in ways]
            faces = cases[0][0]
            self._branches.append(cases)
        self._rolled.append(faces)
        return faces


R = TypeVar("R", bound=Run[Any])


def courses(run: Callable[[], R], most: int) -> Iterator[tuple[Fraction, R]]:
    """Every course that play can take, with its probability, those that meet as one: the run that
    took it. TooMany if that takes more than `most` runs."""
    starts = [_Start((), Fraction(1), 0)]
    runs = 0
    while starts:
        met: dict[Any, _Start] = {}
        for start in starts:
            waiting = [start]
            while waiting:
                runs += 1
                if runs > most:
                    raise TooMany(f"This can take more than {most:,} courses; that is refused.")
                this = run()
                this._start = waiting.pop()
                rolled, probability, since = this._start
                key = this._go()
                for at, ((_, first), *others) in enumerate(this._branches, len(rolled)):
                    for faces, share in others:
                        waiting.append(
                            _Start((*this._rolled[:at], faces), probability * share, since)
                        )
                    probability *= first
                if key is None:
                    yield probability, this
                else:
                    path = tuple(this._rolled)
                    before = met.get(key, _Start(path, Fraction(0), len(path)))
                    met[key] = before._replace(probability=before.probability + probability)
        starts = list(met.values())


def sampled(run: Callable[[], R], number: int) -> Iterator[tuple[Fraction, R]]:
    """So many courses at random, always the same ones."""
    chance = random.Random(number)
    for _ in range(number):
        this = run()
        this._chance = chance
        this._go()
        yield Fraction(1, number), this
