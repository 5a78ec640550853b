"""Units as clients draw them: pieces with symbols, Sizes and states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from sandtable.games.blitz.facts import BIG, Facts
from sandtable.games.blitz.model import State, Unit
from sandtable.games.blitz.rules.counters import small_name
from sandtable.kernel.display import Piece, Space

SYMBOLS = {
    "GAR": "garrison",
    "INF": "infantry",
    "ARM": "armour",
    "MAR": "marines",
    "PARA": "paratroops",
    "FORT": "fortress",
    "AA": "antiaircraft",
    "BB": "battleship",
    "CV": "carrier",
    "SUB": "submarine",
    "TRS": "transport",
    "LL": "lend_lease",
    "AIR": "air_force",
    "VWEAPON": "v_weapon",
    "ABOMB": "atomic_bomb",
}
"""Type of unit to its symbol."""

_DEEDS = ("returned", "sailed", "rebased", "moved", "landed", "carried", "fought", "repelled")
"""What a unit did in this phase and is shown with it."""

_MOVES = {"sailed", "rebased", "landed"}
"""Deeds that are moves."""

_MOST_KEPT = 20_000
"""So many pieces and spaces are kept for the next picture."""


def symbol_of(s: State, id: str) -> str:
    """The symbol of a unit on the map, or of a counter."""
    small = small_name(id)
    size = 3 if id.endswith(BIG) else s.units[id].size if id in s.units else 1
    return SYMBOLS[s.facts.type_at[small, size]]


def factors_text(facts: Facts, id: str, size: int) -> str:
    """What a unit is worth at a Size, triangles by their colours: `4 land (1 red); moves 2`."""
    kind, profile = facts.kinds[id], facts.profiles[id, size]
    boxes = []
    for box in ("land", "air", "naval", "bomb"):
        white, red = (getattr(profile, f"{box}_{c}", 0) for c in "wr")
        number = getattr(profile, box)
        if number or white or red:
            name = f"{kind.bombing} bombing" if box == "bomb" else box
            signs = [f"{count} {c}" for count, c in ((white, "white"), (red, "red")) if count]
            boxes.append(f"{number} {name}" + (f" ({', '.join(signs)})" if signs else ""))
    text = ", ".join(boxes) or "no factors"
    moves = f"moves {kind.move}" if kind.move else "does not move"
    flies = f", flies {kind.air_move}" if kind.air_move else ""
    return f"{text}; {moves}{flies}"


class Sheet:
    """Pieces and spaces that were drawn before; games with the same data share them."""

    __slots__ = ("facts", "pieces", "spaces")

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.pieces: dict[Any, Piece] = {}
        self.spaces: dict[Any, Space] = {}


_SHEETS: dict[int, Sheet] = {}
"""By the identity of the facts, which they hold and so keep."""


def sheet_of(facts: Facts) -> Sheet:
    """What was drawn of games with these facts."""
    sheet = _SHEETS.get(id(facts))
    if sheet is None:
        sheet = _SHEETS[id(facts)] = Sheet(facts)
    for kept in (sheet.pieces, sheet.spaces):
        if len(kept) > _MOST_KEPT:
            kept.clear()
    return sheet


def leaders_of(s: State) -> dict[str, str]:
    """Unit to the name of the commander who leads it."""
    return {unit: s.facts.commanders[id].name for id, (_, unit) in s.commanders.items() if unit}


def draw_piece(
    s: State,
    sheet: Sheet,
    id: str,
    there: tuple[str, ...],
    leaders: Mapping[str, str],
    supplied: bool,
) -> Piece:
    """A unit on the map with what is aboard of those `there`."""
    units = s.units
    unit = units[id]
    cargo = tuple(
        (units[each].power, draw_piece(s, sheet, each, (), leaders, True))
        for each in there
        if units[each].aboard == id
    )
    leader = leaders.get(id, "")
    key = (id, unit, cargo, leader, supplied)
    found = sheet.pieces.get(key)
    if found is None:
        found = sheet.pieces[key] = _draw(s, id, unit, cargo, leader, supplied)
    return found


def _draw(
    s: State,
    id: str,
    unit: Unit,
    cargo: tuple[tuple[str, Piece], ...],
    leader: str,
    supplied: bool,
) -> Piece:
    facts = s.facts
    type_ = facts.type_at[id, unit.size]
    states = [deed for deed in _DEEDS if deed in unit.done]
    if _MOVES & set(states) and "moved" not in states:
        states.insert(0, "moved")
    if cargo:
        states.append("loaded")
    if not supplied:
        states.append("unsupplied")
    notes = [f"{facts.types[type_].name}: {factors_text(facts, id, unit.size)}"]
    if leader:
        notes.append(f"led by {leader}")
    if unit.port:
        notes.append(f"in the port on {facts.names[unit.port]}")
    home = facts.kinds[id].home
    notes.append(f"home {facts.names[home]}{_ordered_by(facts, unit.power, home)}")
    return Piece(
        symbol=SYMBOLS[type_],
        name=facts.names[id],
        id=id,
        size=unit.size,
        states=tuple(states),
        cargo=tuple(
            each if power == unit.power else structs.replace(each, power=power)
            for power, each in cargo
        ),
        note=f"{'; '.join(notes)}.",
    )


def _ordered_by(facts: Facts, power: str, home: str) -> str:
    """Why a power orders units of a country that is not its own."""
    if power not in facts.homes or home in facts.homes[power]:
        return ""
    return f", which is on the side of {facts.name(power)}, who orders its units"


def counter_piece(s: State, counter: str) -> Piece:
    """A counter that is not on the map."""
    sheet = sheet_of(s.facts)
    found = sheet.pieces.get(counter)
    if found is None:
        found = sheet.pieces[counter] = _draw_counter(s.facts, counter)
    return found


def lost_piece(facts: Facts, id: str) -> Piece:
    """A unit that is not on the map any more."""
    return Piece(SYMBOLS[facts.type_at[small_name(id), 1]], facts.name(id), id=id)


def _draw_counter(facts: Facts, counter: str) -> Piece:
    small, big = small_name(counter), counter.endswith(BIG)
    sizes = facts.kinds[small].sizes
    first, last = (3, len(sizes)) if big else (1, min(2, len(sizes)))
    span = f"Size {first}" if first == last else f"Sizes {first} to {last}"
    return Piece(
        symbol=SYMBOLS[facts.type_at[small, first]],
        name=facts.name(counter),
        id=counter,
        note=f"{span}. At Size {first}: {factors_text(facts, small, first)}.",
    )
