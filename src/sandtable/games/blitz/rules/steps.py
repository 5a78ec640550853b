"""The free loop of a step: the powers of a side act, in any order, until all are done (2.1)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules import politics
from sandtable.games.blitz.rules.consequences import after_action, declare_war
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision, passes
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Done(Decision, frozen=True, tag="done"):
    """Nothing more in this step."""


class Wait(Decision, frozen=True, tag="wait"):
    """Let the other powers of the side go first, and be asked again."""


class DeclareWar(Decision, frozen=True, tag="declare_war"):
    """Declare war on a neutral country or on a power of the other side."""

    on: str


class StepRequest(Request, frozen=True):
    """A step of Activities or Blitzes: any number of actions, then done.

    A subclass sets `answers` to its own decision types and these three, and implements `refuse`
    (raise IllegalDecision for an action of its own), `actions` (list them) and `suggest` (some at
    random).
    """

    answers: ClassVar[tuple[type[Decision], ...]] = (Done, Wait, DeclareWar)

    def refuse(self, state: State, decision: Any) -> None:
        """Raise IllegalDecision if an action of this step's own is not allowed."""

    def unfinished(self, state: State) -> None:
        """Raise IllegalDecision if the power cannot be done yet."""

    def actions(self, state: State) -> Iterator[Decision]:
        """Every legal action of this step's own (of combinatorial ones a complete basis)."""
        return iter(())

    def suggest(self, state: State, rng: random.Random) -> Iterator[Decision]:
        """Some actions at random that may be legal, best few; none is fine."""
        return iter(())

    def check(self, state: State, decision: Decision) -> None:
        if isinstance(decision, Done):
            self.unfinished(state)
        elif isinstance(decision, Wait):
            if state.waited >= len(state.queue) - 1:
                raise IllegalDecision("There is nobody left to wait for.", "2.1e")
        elif isinstance(decision, DeclareWar):
            politics.check_declaration(state, self.power, decision.on)
        else:
            self.refuse(state, decision)

    def decisions(self, state: State) -> Iterator[Decision]:
        if passes(self.unfinished, state):
            yield Done()
        if state.waited < len(state.queue) - 1:
            yield Wait()
        yield from self.actions(state)
        for on in politics.declarations(state, self.power):
            yield DeclareWar(on)

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        luck = rng.random()
        if luck < 0.02:
            targets = politics.declarations(state, self.power)
            if targets:
                yield DeclareWar(targets[int(rng.random() * len(targets))])
        elif luck < 0.03:
            yield Wait()
        if luck < 0.94:
            yield from self.suggest(state, rng)
        yield Done()
        yield from self.actions(state)


def some_units(s: State, power: str, rng: random.Random, tries: int = 15) -> Iterator[str]:
    """A few units of a power on the map, at random."""
    owned = s.owned.get(power, ())
    for _ in range(tries if owned else 0):
        yield owned[int(rng.random() * len(owned))]


def skip_idle(s: State, asked: Callable[[str], bool]) -> None:
    """Leave the powers out of the queue that need not be asked."""
    s.queue = tuple([power for power in s.queue if asked(power)])


def each_in_turn(
    g: Table[State],
    request: Callable[[State, str], StepRequest],
    act: Callable[[Table[State], str, Any], Procedure[None]],
    prepare: Callable[[Table[State]], None] = lambda g: None,
) -> Procedure[None]:
    """Ask the powers in the queue for actions until each is done.

    `prepare` is called before each question, to carry out what needs none and to leave powers out
    of the queue; called again, it must find nothing to change.

    Rules: 2.1e, 3.0a
    """
    s = g.state
    while True:
        prepare(g)
        if not s.queue:
            return
        power = s.queue[0]
        g.checkpoint()
        decision = yield from g.ask(request(s, power))
        if isinstance(decision, Wait):
            s.queue = (*s.queue[1:], power)
            s.waited += 1
            continue
        s.waited = 0
        if isinstance(decision, Done):
            s.queue = s.queue[1:]
        elif isinstance(decision, DeclareWar):
            yield from declare_war(g, power, decision.on)
        else:
            yield from act(g, power, decision)
        yield from after_action(g)
