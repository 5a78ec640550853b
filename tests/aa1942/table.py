"""A table for rule tests: set up a position, decide, choose the dice, look at the outcome.

The board holds only what a test names (plus the complexes of the set-up); control is as at the
start of the game unless said. Every roll waits for `dice(...)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sandtable
from sandtable.games.aa1942.decisions import (
    Bombard,
    Buy,
    Casualties,
    Consent,
    Dive,
    Divert,
    Done,
    Engage,
    Fight,
    Intercept,
    Load,
    Move,
    Place,
    Press,
    Retreat,
    Sail,
)
from sandtable.games.aa1942.model import State
from sandtable.testing import Driver, counts

__all__ = [
    "Bombard",
    "Buy",
    "Casualties",
    "Consent",
    "Dive",
    "Divert",
    "Done",
    "Engage",
    "Fight",
    "Intercept",
    "Load",
    "Move",
    "Place",
    "Press",
    "Retreat",
    "Sail",
    "Table",
    "move",
    "sail",
    "table",
]


def move(units: str, path: str, **fields: Any) -> Move:
    """`move("2 infantry, tank", "libya > egypt")`."""
    return Move(counts(units), tuple(path.split(" > ")), **fields)


def sail(path: str, *loads: str, offload: str = "", **fields: Any) -> Sail:
    """`sail("sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway")`."""
    loading = []
    for load in loads:
        units, _, place = load.partition(" from ")
        territory, _, zone = place.partition(" in ")
        loading.append(Load(territory, zone, counts(units)))
    return Sail(tuple(path.split(" > ")), tuple(loading), offload, **fields)


def table(
    turn: str,
    phase: str = "combat_move",
    units: Mapping[str, Mapping[str, str | Mapping[str, Any]]] | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    data: Path | None = None,
    **position: Any,
) -> Table:
    """A game in which `turn` acts in `phase`; `units` is space to power to `"2 infantry, tank"`.

    Units that have already done something are given as a position gives them:
    `{"fighter": [{"used": 3, "duty": "fought"}]}`.
    """
    placed = {
        space: {
            power: counts(given) if isinstance(given, str) else given
            for power, given in powers.items()
        }
        for space, powers in (units or {}).items()
    }
    position = {"base": "empty", "turn": turn, "phase": phase, "units": placed, **position}
    return Table(
        sandtable.new("aa1942", position=position, options=options, data=data, chance="explicit")
    )


class Table(Driver):
    """A game in a test."""

    def __init__(self, game: sandtable.Game) -> None:
        super().__init__(game, ask="always")

    @property
    def s(self) -> State:
        state: State = self.game.state
        return state

    @property
    def rolling(self) -> str:
        """The pending roll: kind, place and who rolls, `attack in sz8: 2 cruiser at 3`."""
        return f"{self.rolled}:{super().rolling.partition(':')[2]}"

    @property
    def rolled(self) -> str:
        """The kind of the pending roll, and its place."""
        assert self.asked == "chance roll", f"no roll is pending, but: {self.asked}"
        assert self.s.combat is not None
        return f"{self.request.roll} in {self.s.combat.at}"

    def units(self, space: str, power: str) -> dict[str, int]:
        """The units of a power in a space, by type; cargo is not counted."""
        found: dict[str, int] = {}
        for unit, count in self.s.stack(space).items():
            if unit.power == power:
                found[unit.type] = found.get(unit.type, 0) + count
        return found

    def cargo(self, zone: str, power: str) -> list[list[str]]:
        """What the ships of a power carry in a zone: a sorted list of `power type` per ship."""
        return sorted(
            sorted(f"{piece.power} {piece.type}" for piece in unit.cargo)
            for unit, count in self.s.stack(zone).items()
            for _ in range(count)
            if unit.power == power and unit.type in ("transport", "aircraft_carrier")
        )
