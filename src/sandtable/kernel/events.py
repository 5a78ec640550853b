"""What events tell, in words that all games share, and the one way from there to a line of the log.

An event (`g.emit`) is a kind of the game's own with fields. A field that says who, where, with what
or which dice has one of the names below, in every game, and is of the shape that stands there; so
whoever reads events (logs, clients, statistics) finds the place of any of them without knowing the
game. "" stands for nobody and nowhere.

    power       who does it; where nobody does, whom it happens to
    powers      several that do it together, or that it is about
    against     the power or country that it is done to, or taken from
    recipient   the power that gets what is taken, freed or given
    owner       the power to which belongs what it is about: a convoy, a pool of counters
    side        one of the sides
    winners     the powers that have won
    country     a country that is more than a space
    space       where it happens, or where it ends
    path        the way that something took, from its first space to its last
    port        the sea on which the port lies where it ends
    unit        a unit that has an id
    units       several: their ids, or the number of each type
    cargo       what they carry, in the same way
    flying      those of the units that come by air
    attackers, defenders, losses    units, as above, by the powers that have them
    lines       what was rolled for: the lines of the roll
    dice        the faces that came up, in the order of the lines
    hits        how many of them hit
    damage      points of damage
    about       ids of any kind, if that is what a choice was about
    sum         what a number is made up of: of which unit (or ""), in a word why, and how much

Everything else is the game's own: a number, a truth, a word, several words, or numbers by space or
by power (`repairs`). No such field names a power, a space or a unit: `faults` finds those that do,
and the conformance suite asks it about every event.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from sandtable.kernel.decisions import RollLine
from sandtable.kernel.display import Deed, Line, Piece, Stack, Throw

Data = Mapping[str, Any]


class Event(msgspec.Struct, frozen=True, gc=False):
    """Something that happened. `to` limits who may see it (None: everybody)."""

    kind: str
    data: dict[str, Any]
    to: tuple[str, ...] | None = None


NOTES: Mapping[str, str] = {
    "player_resigned": "{powers} resigned: a bot plays on.",
    "player_gave_up": "{powers} resigned: the game is over.",
    "player_away": "{powers}: the player is away. A bot plays on meanwhile.",
    "player_late": "{powers}: the time is up. A bot plays on meanwhile.",
    "player_back": "{powers}: the player is back.",
}
"""What is told of those who play, beside the rules and in every game: kinds of events, which the
journal has as well. By power, not by name: a save outlives accounts."""


EDITED = "edited"
"""The kind of event that tells of a change of the position by hand: a `display.Change`."""


def edited(event: Event) -> Line:
    """A change by hand as a line of the log."""
    change: str = event.data["change"]
    stop = "" if change.endswith(".") else "."
    return Line(EDITED, f"Edited: {change}{stop}", spaces=places(event.data), power=who(event.data))


def noted(event: Event, names: Mapping[str, str]) -> Line:
    """A note as a line of the log; `names` are those of the powers."""
    powers: tuple[str, ...] = event.data["powers"]
    ran = " and ".join(", ".join(names.get(p, p) for p in powers).rsplit(", ", 1))
    return Line(event.kind, NOTES[event.kind].format(powers=ran), power=powers[0])


# --- the words ---------------------------------------------------------------------------------


class Known(NamedTuple):
    """The ids of a game. Of sides and spaces none are known if there are none."""

    powers: Collection[str]
    sides: Collection[str] = ()
    spaces: Collection[str] = ()
    units: Collection[str] = ()
    """Types, or units that have an id, as many as are known."""


def _one(of: str) -> Callable[[Any, Known], bool]:
    def fits(value: Any, known: Known) -> bool:
        ids: Collection[str] = getattr(known, of)
        return isinstance(value, str) and (not value or not ids or value in ids)

    return fits


def _several(of: str) -> Callable[[Any, Known], bool]:
    one = _one(of)

    def fits(value: Any, known: Known) -> bool:
        return _is_list(value) and all(each and one(each, known) for each in value)

    return fits


def _word(value: Any, known: Known) -> bool:
    return isinstance(value, str)


def _number(value: Any, known: Known) -> bool:
    return type(value) is int


def _words(value: Any, known: Known) -> bool:
    return _is_list(value) and all(isinstance(word, str) for word in value)


def _units(value: Any, known: Known) -> bool:
    return _by_word(value) if isinstance(value, Mapping) else _words(value, known)


def _forces(value: Any, known: Known) -> bool:
    return (
        isinstance(value, Mapping)
        and all(_one("powers")(power, known) for power in value)
        and all(_units(units, known) for units in value.values())
    )


def _lines(value: Any, known: Known) -> bool:
    return _is_list(value) and all(isinstance(line, RollLine) for line in value)


def _dice(value: Any, known: Known) -> bool:
    return _is_list(value) and _all_numbers(value)


def _sum(value: Any, known: Known) -> bool:
    return _is_list(value) and all(
        len(term) == 3 and _words(term[:2], known) and isinstance(term[2], int | float)
        for term in value
    )


FIELDS: Mapping[str, Callable[[Any, Known], bool]] = {
    "power": _one("powers"),
    "powers": _several("powers"),
    "against": _word,
    "recipient": _one("powers"),
    "owner": _one("powers"),
    "side": _one("sides"),
    "winners": _several("powers"),
    "country": _word,
    "space": _one("spaces"),
    "path": lambda value, known: bool(value) and _several("spaces")(value, known),
    "port": _one("spaces"),
    "unit": _word,
    "units": _units,
    "cargo": _units,
    "flying": _units,
    "attackers": _forces,
    "defenders": _forces,
    "losses": _forces,
    "lines": _lines,
    "dice": _dice,
    "hits": _number,
    "damage": _number,
    "about": _words,
    "sum": _sum,
}
"""The words, each with whether a value has its shape."""


def faults(event: Event, known: Known) -> Iterator[str]:
    """A sentence for each field of an event that is not as the words above say."""
    data = event.data
    for name, value in data.items():
        shape = FIELDS.get(name)
        if shape is not None:
            if not shape(value, known):
                yield f"{event.kind}: {name} cannot be {value!r}."
        elif not _own(value, known):
            yield f"{event.kind}: {name} is no word for {value!r}."
    if ("lines" in data) != ("dice" in data):
        yield f"{event.kind}: lines and dice come together."
    elif "lines" in data and sum(line[2] for line in data["lines"]) != len(data["dice"]):
        yield f"{event.kind}: the dice are not those of the lines."


def _own(value: Any, known: Known) -> bool:
    """Whether a value may stand in a field that is the game's own."""
    if isinstance(value, Mapping):
        return _by_word(value)
    return all(_own_word(each, known) for each in (value if _is_list(value) else (value,)))


def _own_word(value: Any, known: Known) -> bool:
    if isinstance(value, str):
        return not any(value in ids for ids in (known.powers, known.spaces, known.units))
    return isinstance(value, int)


def _is_list(value: Any) -> bool:
    return isinstance(value, tuple | list)


def _by_word(value: Mapping[Any, Any]) -> bool:
    return _words(tuple(value), Known(())) and _all_numbers(value.values())


def _all_numbers(values: Collection[Any]) -> bool:
    return all(type(value) is int for value in values)


# --- the way to a line -------------------------------------------------------------------------


def line(
    event: Event,
    text: str,
    throws: tuple[Throw, ...] = (),
    *,
    level: int = 2,
    deed: Deed = "",
    quiet: bool = False,
    power: str = "",
    spaces: Collection[str] = (),
    lost: Callable[[str, int], Piece] | None = None,
) -> Line:
    """An event as a line of the log: its sentence and its dice, with who, where and which way read
    from its fields. `quiet` leaves the way off the map; `power` stands where no field says who, and
    `spaces` follow those of the event; `lost` draws a unit (or so many of a type) of its losses,
    where these are not told by another event as well."""
    data = event.data
    return Line(
        event.kind,
        text,
        spaces=tuple(dict.fromkeys((*places(data), *spaces))),
        power=who(data) or power,
        throws=throws,
        level=level,
        path=() if quiet or deed in ("decided", "politics") else way(data, deed),
        deed=deed,
        lost=_fallen(data, lost) if lost and "losses" in data else (),
        harmed=data.get("against", "") if data.get("damage") else "",
    )


def _fallen(data: Data, draw: Callable[[str, int], Piece]) -> tuple[Stack, ...]:
    """The losses of an event as pieces."""
    return tuple(
        Stack(
            power,
            tuple(
                draw(unit, count)
                for unit, count in (
                    units.items() if isinstance(units, Mapping) else ((id, 1) for id in units)
                )
            ),
        )
        for power, units in data["losses"].items()
        if units
    )


def who(data: Data) -> str:
    """The power that an event is told of."""
    power: str = data.get("power", "")
    if power:
        return power
    for name in ("powers", "attackers", "losses"):
        for power in data.get(name, ()):
            return power
    return ""


def places(data: Data) -> tuple[str, ...]:
    """The spaces of an event: its way in order, then where it ends."""
    found = (*data.get("path", ()), data.get("space", ""))
    return tuple(dict.fromkeys(space for space in found if space))


def way(data: Data, deed: str = "") -> tuple[str, ...]:
    """What a map shows of an event: the way from one space to another, or the space of a deed."""
    route: tuple[str, ...] = tuple(data.get("path", ()))
    end: str = data.get("space", "")
    if end and (deed or route) and route[-1:] != (end,):
        route = (*route, end)
    return route if deed or len(route) > 1 else ()


def thrown(data: Data) -> Iterator[tuple[RollLine, tuple[int, ...]]]:
    """The lines of the roll that an event tells of, each with its faces."""
    at = 0
    for line in data.get("lines", ()):
        each = RollLine(*line)
        yield each, tuple(data["dice"][at : at + each.count])
        at += each.count
