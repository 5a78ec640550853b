"""Every course that a combat can take: its rules walked through for all that the dice can show.

Faces that the Combat Chart treats alike are one case. And what is left to play when a Round begins
depends on the position and on what became of the units before, not on the dice that brought it
about: courses that meet there go on as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from sandtable.games.blitz.model import PHASES, Combat, State
from sandtable.games.blitz.rules.before import before_the_game
from sandtable.games.blitz.rules.damage import chart_result
from sandtable.games.blitz.rules.order import STEPS, advance, begin_step
from sandtable.games.blitz.rules.over import GameOver
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.events import Event
from sandtable.kernel.game import Decided, Entry, Game
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table
from sandtable.odds import walk

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
        for probability, run in walk.courses(lambda: _Run(self), self.most):
            yield Course(probability, run.combat, run.state, run.events, run.over)

    def sampled(self, number: int) -> Iterator[Course]:
        """So many courses at random, always the same ones."""
        for probability, run in walk.sampled(lambda: _Run(self), number):
            yield Course(probability, run.combat, run.state, run.events, run.over)


def in_combat(
    game: Game, decide: Decide, most: int = MOST, then: tuple[str, Decision] | None = None
) -> Tree:
    """The combat in which a game rests, from here on; `then` is what a player would decide next."""
    start, given, events = game.since_checkpoint()
    if then is not None:
        given = (*given, Decided(*then))
    told: list[Event] = []
    if start.combat is not None:
        for number in range(len(events) - 1, -1, -1):
            told.append(events[number])
            if told[-1].kind in COMBATS:
                break
    return Tree(start, decide, given, most, reversed(told))


class _Run(walk.Run[State]):
    """The rules of a combat run once."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree.start, tree.given)
        self.tree = tree
        self.combat = self.state.combat
        self.events: list[Event] = list(tree.told)
        self.over = False
        self._round = self.combat.round if self.combat is not None else ""

    def play(self, g: Table[State]) -> Procedure[None]:
        """The present step, and those that have been played since the start."""
        s = g.state
        try:
            if not s.phase:
                yield from before_the_game(g)
                s.phase = PHASES[0]
                begin_step(s, "begin")
            while True:
                yield from STEPS[s.step](g)
                if self.fresh:
                    return
                advance(g)
        except GameOver:
            self.over = True

    def decide(self, request: Request) -> Decision:
        return self.tree.decide(self.state, request)

    def begin(self) -> None:
        if self.tree.now is None:
            self.tree.now = self.state.copy()

    def meets(self, kind: str) -> bool:
        """Before the first roll of another Round."""
        if not kind.endswith(_ROUND):
            return False
        first, self._round = kind != self._round, kind
        return first

    def meeting(self) -> Any:
        """Units that went home for good may stand where they came from: what happened tells."""
        s = self.state
        last = self.events[-1]
        told = sorted(
            repr(event) for event in self.events if event.kind != "fired" or event is last
        )
        kept = (s.units, s.deeds, s.commanders, s.convoy_damage)
        return (*told, *(frozenset(each.items()) for each in kept))

    def told(self, event: Event) -> None:
        if event.kind in COMBATS:
            self.combat, self.events = self.state.combat, []
            self.freshen()
        elif event.kind == "fired":
            factors = event.data["factors"]
            self.unite(lambda faces: chart_result(self.state, factors, faces[0]))
        self.events.append(event)

    def kept(self, strict: bool) -> None:
        """Where play can be taken up again outside of a combat, one has ended or has not begun."""
        if self.state.combat is not None:
            return
        if self.fresh:
            raise walk.Stop
        self.events = []
