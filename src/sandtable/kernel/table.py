"""The table that rules play on: the state, and the verbs of the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, cast

from sandtable.kernel.decisions import CHANCE, ChanceRequest, Pass, Request, Roll, RollLine
from sandtable.kernel.dice import MOST_SIDES
from sandtable.kernel.events import Event
from sandtable.kernel.ruleset import Asked, Procedure, S

Draw = Callable[[str, tuple[RollLine, ...], int, int], tuple[int, ...] | None]
"""What gives a roll its faces: its kind and lines, how many dice those are, of how many sides."""


class Table(Generic[S]):
    """What a procedure gets as `g`. Nothing else may influence a rule: state, decisions, rolls."""

    __slots__ = ("_draw", "_keep", "at_rest", "state", "tell", "unheard")

    def __init__(
        self,
        state: S,
        draw: Draw,
        emit: Callable[[Event], None],
        keep: Callable[[bool], None],
    ) -> None:
        self.state = state
        self.at_rest = False
        self.unheard = 0
        """Verbs that were called and not yielded: without `yield from` nobody is asked."""
        self._draw = draw
        self.tell = emit
        self._keep = keep

    # A verb counts its call, and the generator that it gives counts it off as it begins.

    def ask(self, request: Request) -> Procedure[Any]:
        """One power decides."""
        self.unheard += 1
        return self._ask(request)

    def _ask(self, request: Request) -> Procedure[Any]:
        self.unheard -= 1
        answers = yield Asked((request,))
        return answers[request.power]

    def ask_all(self, requests: Iterable[Request]) -> Procedure[dict[str, Any]]:
        """Several powers decide at once; nobody sees an answer until all are in."""
        self.unheard += 1
        return self._ask_all(requests)

    def _ask_all(self, requests: Iterable[Request]) -> Procedure[dict[str, Any]]:
        self.unheard -= 1
        asked = _one_each(requests)
        if not asked:
            self.at_rest = False
            return {}
        answers = yield Asked(asked)
        return dict(answers)

    def ask_any(self, requests: Iterable[Request]) -> Procedure[tuple[str, Any]]:
        """Several powers decide, each at its own pace: whoever answers first, and the answer. The
        others are still to be asked. Nobody may see what comes of an answer before all are done:
        until then tell of it only to the power itself."""
        self.unheard += 1
        return self._ask_any(requests)

    def _ask_any(self, requests: Iterable[Request]) -> Procedure[tuple[str, Any]]:
        self.unheard -= 1
        answers = yield Asked(_one_each(requests), any=True)
        ((power, decision),) = answers.items()
        return power, decision

    def offer(self, requests: Iterable[Request]) -> Procedure[dict[str, Any]]:
        """An opportunity that each of them may use or pass; the answers of those who use it."""
        self.unheard += 1
        return self._offer(requests)

    def _offer(self, requests: Iterable[Request]) -> Procedure[dict[str, Any]]:
        self.unheard -= 1
        asked = _one_each(requests)
        if not asked:
            self.at_rest = False
            return {}
        answers = yield Asked(asked, offer=True)
        return {
            power: decision for power, decision in answers.items() if not isinstance(decision, Pass)
        }

    def roll(self, kind: str, lines: tuple[RollLine, ...]) -> Procedure[tuple[int, ...]]:
        """Chance: the faces of the dice of these lines, in their order. No dice are no roll.

        `kind` says what the roll is in the game's procedure ("attack"), by a name that stays: a
        journal is held to it, to the number of dice and to their sides.
        """
        self.unheard += 1
        return self._roll(kind, lines)

    def _roll(self, kind: str, lines: tuple[RollLine, ...]) -> Procedure[tuple[int, ...]]:
        self.unheard -= 1
        dice, sides = 0, lines[0].sides if lines else 6
        for line in lines:
            if line.count < 0 or line.sides != sides or not 2 <= sides <= MOST_SIDES:
                raise ValueError(f"There is no roll of {line.count} dice with {line.sides} sides.")
            dice += line.count
        if dice == 0:
            return ()
        faces = self._draw(kind, lines, dice, sides)
        if faces is None:
            answers = yield Asked((ChanceRequest(CHANCE, kind, lines),))
            faces = cast(Roll, answers[CHANCE]).faces
        return faces

    def emit(self, kind: str, to: tuple[str, ...] | None = None, **data: Any) -> None:
        """Tell what happened; `to` limits who may see it."""
        self.tell(Event(kind, data, to))

    def checkpoint(self, *, strict: bool = False) -> None:
        """Everything that matters is in the state now: play can be taken up again from it.

        In a free loop say so directly before each `ask`, with no change and no event in between
        (if nobody is asked after all, the rest is over);
        before a strict procedure (a battle) say so with `strict=True`, which keeps a copy from
        which the procedure can be run again.
        """
        self.at_rest = not strict
        self._keep(strict)


def _one_each(requests: Iterable[Request]) -> tuple[Request, ...]:
    asked = tuple(requests)
    if len({request.power for request in asked}) < len(asked):
        raise ValueError("A power can be asked only one thing at a time.")
    return asked
