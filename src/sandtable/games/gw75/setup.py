"""The position at the start of a game: a scenario, or any position a user can think of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from sandtable.games.gw75 import audit
from sandtable.games.gw75.facts import load_facts, pair
from sandtable.games.gw75.model import PHASES, Job, News, State, Unit
from sandtable.kernel.errors import PositionError
from sandtable.kernel.package import read_position

_Count = Annotated[int, Meta(ge=0, le=999)]


class Piece(msgspec.Struct, forbid_unknown_fields=True):
    """Units of one type that are marked with something."""

    count: _Count = 1
    depleted: bool = False
    idle: bool = False
    left: Annotated[int, Meta(ge=-1, le=99)] = -1
    duty: str = ""
    origin: str = ""
    supply: str = ""
    cut: _Count = 0
    shot: tuple[str, ...] = ()


class Position(msgspec.Struct, forbid_unknown_fields=True):
    """A custom position; what is not named stays as in the scenario, without its units if the base
    is `empty`."""

    base: str = "setup"
    turn: int | None = None
    phase: str = PHASES[0]
    units: dict[str, dict[str, dict[str, _Count | list[Piece]]]] = {}
    held: dict[str, str] = {}
    wars: list[tuple[str, str]] | None = None
    joined: dict[str, str] = {}
    marks: list[str] = []
    counts: dict[str, int] = {}


def start(
    options: Mapping[str, Any], position: Mapping[str, Any] | None, data: Path | None
) -> State:
    """The first position of a scenario, with whatever `position` changes."""
    facts = load_facts(data)
    s = State(facts, options)
    given = Position() if position is None else read_position(position, Position)
    _lay_out(s, with_units=given.base == "setup")
    if position is not None:
        _arrange(s, given)
    opening: Counter[tuple[str, str]] = Counter()
    for _, unit, count in s.units():
        opening[unit.nation, unit.type] += count
    s.opening = dict(sorted(opening.items()))
    for fault in audit.broken_invariants(s):
        raise PositionError(fault)
    s.tell(News("phase", how=f"start of {s.phase}"))
    return s


def _lay_out(s: State, with_units: bool) -> None:
    """The scenario as it is set up."""
    scenario = s.facts.scenarios[s.options["scenario"]]
    s.turn = scenario.first
    s.wars = frozenset(pair(one, other) for one, others in scenario.wars for other in others)
    s.joined = dict(scenario.joined)
    s.vichy = "open" if s.options["vichy"] else ""
    for nation, hexes in scenario.held.items():
        for hex in hexes:
            s.hold(hex, nation)
    s.track = tuple(
        sorted(
            Job(each.nation, type, each.due, count)
            for each in scenario.track
            for type, count in each.units.items()
        )
    )
    if with_units:
        for nation, places in scenario.units.items():
            for hex, units in places.items():
                for type, count in units.items():
                    s.put(hex, Unit(nation, type), count)


def _arrange(s: State, given: Position) -> None:
    """Change the base as the position says; PositionError if it cannot be."""
    if given.turn is not None:
        if given.turn not in s.facts.turns:
            raise PositionError(f"turn: there is no Game-Turn {given.turn}.")
        s.turn = given.turn
    s.phase = _known(given.phase, PHASES, "phase")
    if given.wars is not None:
        s.wars = frozenset(
            pair(_known(one, s.facts.nations, "wars"), _known(other, s.facts.nations, "wars"))
            for one, other in given.wars
        )
    for nation, which in given.joined.items():
        _known(nation, s.facts.nations, "joined")
        s.joined[nation] = _known(which, ("axis", "allies"), f"joined.{nation}")
    for hex, nation in given.held.items():
        _known(hex, s.facts.hexes, "held")
        s.hold(hex, _known(nation, s.facts.nations, f"held.{hex}"))
    s.marks = frozenset(given.marks)
    s.counts = dict(given.counts)
    for hex, nations in given.units.items():
        _known(hex, s.facts.hexes, "units")
        for nation, types in nations.items():
            _known(nation, s.facts.nations, f"units.{hex}")
            for type, pieces in types.items():
                _known(type, s.facts.types, f"units.{hex}.{nation}")
                _place(s, hex, nation, type, pieces)


def _place(s: State, hex: str, nation: str, type: str, pieces: int | list[Piece]) -> None:
    """The units of a type that a nation has in a hex are these."""
    for unit, count in list(s.stack(hex).items()):
        if unit.nation == nation and unit.type == type:
            s.take(hex, unit, count)
    for piece in [Piece(pieces)] if isinstance(pieces, int) else pieces:
        fields = msgspec.structs.asdict(piece)
        count = fields.pop("count")
        if count:
            s.put(hex, Unit(nation, type, **fields), count)


def _known(id: str, known: Iterable[str], field: str) -> str:
    known = list(known)
    if id not in known:
        raise PositionError(f"{field}: there is no {id!r}.")
    return id
