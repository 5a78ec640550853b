"""Which lines of the log belong to which battle, and how it stood when each was told.

A battle may begin and end between two decisions: whoever looks only where the game rests never
sees it. So the position is looked at as each event is told (`Game.watch`), and the lines carry what
was seen there.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.display import Battle, Combatant, Line, Piece, Stack, UnitType
from sandtable.kernel.events import Event
from sandtable.kernel.ruleset import RuleSet

_log = logging.getLogger(__name__)


class Staging:
    """The battles of a game, as its events are told one after the other."""

    def __init__(self, rules: RuleSet[Any]) -> None:
        self._rules = rules
        self._seen: dict[int, Battle | None] = {}
        """Event to the battle that was fought as it was told, until it is a line."""
        self._fight = ""
        self._last: Battle | None = None
        """How the running battle was told last."""
        self._lost: dict[str, dict[str, int]] = {}
        self._types: dict[str, UnitType] = {}

    def look(self, number: int, state: Any) -> None:
        """An event is told in this position."""
        try:
            self._seen[number] = self._rules.battle(state)
        except Exception:
            # Whatever is drawn must not keep the game from going on.
            _log.exception("the battle cannot be drawn")
            self._seen[number] = None

    def resume(self, line: Line | None) -> None:
        """What comes next follows this line: the rest has been taken back, or was told by another
        process."""
        self._fight = line.fight if line is not None and not line.over else ""
        self._last = None
        self._lost = {}
        self._seen = {}

    def lines(self, start: int, events: Sequence[Event], state: Any) -> list[Line]:
        """The lines of the events from number `start` on, after which the game rests in `state`."""
        found: list[Line] = []
        for number, event in enumerate(events, start):
            line = self._rules.line(state, event)
            if event.to is None:
                line = self._staged(number, event, line, state, found)
            found.append(line)
        self._seen = {}
        if self._fight and not _same(self._rules.battle(state), self._last):
            self._end(found)
        return found

    def _staged(
        self, number: int, event: Event, line: Line, state: Any, before: list[Line]
    ) -> Line:
        battle = self._seen.get(number) or line.battle
        if battle is None:
            # What follows from a battle is told when it is over: who has taken the space.
            if not self._fight or self._last is None:
                return line
            if line.level < 2 or self._last.space not in line.spaces:
                self._end(before)
                return line
            return replace(line, fight=self._fight)
        if self._fight and self._last is not None and not _same(battle, self._last):
            self._end(before)
        if not self._fight:
            self._fight, self._last, self._lost = str(number), None, {}
        self._count(event)
        battle = self._with_losses(battle, state)
        told = self._last is not None and replace(battle, step="") == replace(self._last, step="")
        self._last = battle
        return replace(line, fight=self._fight, battle=None if told else battle)

    def _end(self, lines: list[Line]) -> None:
        for at in range(len(lines) - 1, -1, -1):
            if lines[at].fight == self._fight:
                lines[at] = replace(lines[at], over=True)
                break
        self._fight, self._last, self._lost = "", None, {}

    # --- losses of which the game keeps no record ----------------------------------------------

    def _count(self, event: Event) -> None:
        losses: Mapping[str, Any] = event.data.get("losses", {})
        for power, units in losses.items():
            if isinstance(units, Mapping):
                row = self._lost.setdefault(power, {})
                for type_, number in units.items():
                    row[type_] = row.get(type_, 0) + number

    def _with_losses(self, battle: Battle, state: Any) -> Battle:
        """The battle with what the events have told of losses, if the game says nothing of them."""
        if not self._lost or any(side.lost for side in battle.sides):
            return battle
        if not self._types:
            self._types = {kind.id: kind for kind in self._rules.about(state).types}
        before = self._last.sides if self._last is not None else battle.sides
        sides = zip(battle.sides, before, strict=True)
        return replace(battle, sides=tuple(replace(s, lost=self._of(s, b)) for s, b in sides))

    def _of(self, *side: Combatant) -> tuple[Stack, ...]:
        """What those have lost who are, or have been, on a side."""
        powers = {each.power for each in side}
        powers |= {stack.power for each in side for stack in (*each.stacks, *each.lost)}
        return tuple(
            Stack(power, tuple(self._pieces(units)))
            for power, units in self._lost.items()
            if power in powers
        )

    def _pieces(self, units: Mapping[str, int]) -> Iterator[Piece]:
        for type_, number in units.items():
            kind = self._types.get(type_)
            if kind is not None and number:
                yield Piece(kind.symbol, kind.name, number)


def _same(one: Battle | None, other: Battle | None) -> bool:
    return (
        one is not None
        and other is not None
        and (one.space, one.title) == (other.space, other.title)
    )
