"""A table for rule tests: set up a position, decide, choose the dice, look at the outcome.

The board holds only the units that a test names (`base="setup"`: those of the scenario, too);
everything else is as at the start of the scenario unless said. Every roll waits for `dice(...)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import sandtable
from sandtable.games.gw36 import RULES, setup
from sandtable.games.gw36.facts import load_facts
from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.common import Done
from sandtable.testing import Driver, counts

__all__ = ["Done", "Table", "Unit", "counts", "position", "state", "table"]

NONE: dict[str, Any] = {
    "rules": "basic",
    **dict.fromkeys(sorted(load_facts().sets["basic"]), False),
}
"""None of the rules that can be switched."""

Given = str | Mapping[str, Any]
"""Units in words, `"2 infantry, artillery"`, or as a position has them:
`{"infantry": 2, "fighter": [{"used": 3, "duty": "fought"}]}`."""


def position(
    turn: str = "germany",
    phase: str = "combat_move",
    date: str | None = None,
    *,
    base: str = "empty",
    units: Mapping[str, Mapping[str, Given]] | None = None,
    wars: Sequence[tuple[str, str]] | None = None,
    **fields: Any,
) -> dict[str, Any]:
    """A position: `units` is zone to nation to units, `wars` all wars there are; the other fields
    are those of `setup.Position`."""
    placed = {
        zone: {
            nation: counts(given) if isinstance(given, str) else given
            for nation, given in nations.items()
        }
        for zone, nations in (units or {}).items()
    }
    return {"base": base, "turn": turn, "phase": phase, "date": date, "units": placed} | {
        "wars": wars,
        **fields,
    }


def table(
    turn: str = "germany",
    phase: str = "combat_move",
    date: str | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    data: Path | None = None,
    **fields: Any,
) -> Table:
    """A game in which `turn` acts in `phase`; see `position`. None of the optional rules is in use
    unless `options` says so."""
    return Table(
        sandtable.new(
            "gw36",
            position=position(turn, phase, date, **fields),
            options={**NONE, **(options or {})},
            data=data,
            chance="explicit",
        )
    )


def state(
    turn: str = "germany",
    phase: str = "combat_move",
    date: str | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    **fields: Any,
) -> State:
    """The same position without a game, for functions that only look at it. Its news is told."""
    chosen = RULES.read_options({**NONE, **(options or {})})
    s = setup.start(chosen, position(turn, phase, date, **fields), None)
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

    def units(self, zone: str, nation: str) -> dict[str, int]:
        """The units of a nation in a zone, by type; cargo is not counted."""
        found: dict[str, int] = {}
        for unit, count in self.s.stack(zone).items():
            if unit.nation == nation:
                found[unit.type] = found.get(unit.type, 0) + count
        return found

    def cargo(self, zone: str, nation: str) -> list[list[str]]:
        """What the units of a nation carry in a zone: a sorted list of `nation type` for each that
        can carry something."""
        return sorted(
            sorted(f"{piece.nation} {piece.type}" for piece in unit.cargo)
            for unit, count in self.s.stack(zone).items()
            for _ in range(count)
            if unit.nation == nation
            and ((kind := self.s.facts.units[unit.type]).transport or kind.decks or unit.cargo)
        )

    def damage(self, zone: str, type: str) -> int:
        """The damage of a facility."""
        (found,) = (each for each in self.s.facilities[zone] if each.type == type)
        return found.damage
