"""A table for rule tests: set up a position, decide, choose the dice, look at the outcome.

The map holds only the units that a test names (`base="setup"`: those of the scenario, too);
everything else is as at the start of the scenario unless said. Every roll waits for `dice(...)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sandtable
from sandtable.games.gw75 import RULES, setup
from sandtable.games.gw75.model import State, Unit
from sandtable.games.gw75.rules.common import Done
from sandtable.testing import Driver, counts

__all__ = ["Done", "Table", "Unit", "counts", "position", "state", "table"]

Given = str | Mapping[str, Any]
"""Units in words, `"2 inf, mech"`, or as a position has them: `{"inf": 2, "ss": [{"cut": 1}]}`."""


def position(
    phase: str = "axis_land_movement",
    turn: int | None = None,
    *,
    base: str = "empty",
    units: Mapping[str, Mapping[str, Given]] | None = None,
    wars: Sequence[tuple[str, str]] | None = None,
    **fields: Any,
) -> dict[str, Any]:
    """A position: `units` is hex to nation to units, `wars` all wars there are; the other fields
    are those of `setup.Position`."""
    placed = {
        hex: {
            nation: counts(given) if isinstance(given, str) else given
            for nation, given in nations.items()
        }
        for hex, nations in (units or {}).items()
    }
    return {"base": base, "phase": phase, "turn": turn, "units": placed, "wars": wars, **fields}


def table(
    phase: str = "axis_land_movement",
    turn: int | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Table:
    """A game that stands at the beginning of a phase; see `position`."""
    return Table(
        sandtable.new(
            "gw75",
            position=position(phase, turn, **fields),
            options=dict(options or {}),
            chance="explicit",
        )
    )


def state(
    phase: str = "axis_land_movement",
    turn: int | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    **fields: Any,
) -> State:
    """The same position without a game, for functions that only look at it. Its news is told."""
    chosen = RULES.read_options(dict(options or {}))
    s = setup.start(chosen, position(phase, turn, **fields), None)
    s.news = ()
    return s


class Table(Driver):
    """A game in a test."""

    def __init__(self, game: sandtable.Game) -> None:
        super().__init__(game, ask="always")

    @property
    def s(self) -> State:
        s: State = self.game.state
        return s

    def each(self, *faces: int) -> None:
        """Let the pending rolls, one after the other, show a face each."""
        for face in faces:
            self.dice(face)

    def units(self, hex: str, nation: str) -> dict[str, int]:
        """The units of a nation in a hex, by type."""
        found: dict[str, int] = {}
        for unit, count in self.s.stack(hex).items():
            if unit.nation == nation:
                found[unit.type] = found.get(unit.type, 0) + count
        return found
