"""Reading units and areas as a person writes them: "army group center 3, luftwaffe"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from sandtable.games.blitz.facts import Facts
from sandtable.games.blitz.odds.policy import spelling
from sandtable.odds.errors import OddsError

Given = str | Mapping[str, int] | Sequence[str]
"""A force: text, ids or names to Sizes, or a list of names."""


class Named(NamedTuple):
    """A unit that is named, perhaps with a Size and a place."""

    id: str
    size: int | None = None
    at: str = ""


@lru_cache(maxsize=8)
def _spellings(names: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return {spelling(each): id for id, name in names for each in (id, name)}


def unit_names(facts: Facts) -> dict[str, str]:
    """Every spelling of a unit to its id."""
    return _spellings(tuple((id, facts.names[id]) for id in facts.kinds))


def area_names(facts: Facts) -> dict[str, str]:
    """Every spelling of an area to its id."""
    return _spellings(tuple((id, facts.names[id]) for id in (*facts.lands, *facts.seas)))


def read_area(facts: Facts, text: str) -> str:
    """The id of an area; OddsError if there is none of that name."""
    return _find(text, area_names(facts), "area")


def read_units(facts: Facts, given: Given, of: str) -> list[Named]:
    """The units of a force, each once: names with or without a Size, and a place after an @."""
    if isinstance(given, Mapping):
        units = [_sized(facts, name, size) for name, size in given.items()]
    else:
        parts: Iterable[str] = re.split(r"[,;\n]", given) if isinstance(given, str) else given
        units = [_read(facts, part) for part in parts if part.strip()]
    for k, unit in enumerate(units):
        if any(other.id == unit.id for other in units[:k]):
            raise OddsError(f"{facts.names[unit.id]} is named twice in the {of}'s force.")
    return units


def clause(sentence: str) -> str:
    """A sentence as it stands after a colon; a name at its beginning keeps its capital."""
    first = sentence.split()[0]
    plain = first in ("A", "An", "In", "It", "Its", "Land", "Of", "Only", "The", "There")
    return first.lower() + sentence[len(first) :] if plain else sentence


def _read(facts: Facts, part: str) -> Named:
    text, _, place = part.partition("@")
    at = read_area(facts, place) if place.strip() else ""
    known = unit_names(facts)
    match = re.fullmatch(r"(.*\S)\s+(\d+)", text.strip())
    if match is None or spelling(text) in known:
        return Named(_find(text, known, "unit"), None, at)
    return _sized(facts, match[1], int(match[2]), at)


def _sized(facts: Facts, name: str, size: object, at: str = "") -> Named:
    id = _find(str(name), unit_names(facts), "unit")
    most = len(facts.kinds[id].sizes)
    if not isinstance(size, int) or not 1 <= size <= most:
        raise OddsError(f"{facts.names[id]} has Sizes from 1 to {most}, not {size}.")
    return Named(id, size, at)


def _find(text: str, known: Mapping[str, str], what: str) -> str:
    key = spelling(text)
    for each in (key, key.removeprefix("the ")):
        if each in known:
            return known[each]
    # However a name goes on: "belgum" is meant for the beginning of one.
    begins = {each[: len(key)]: each for each in known} | {each: each for each in known}
    close = get_close_matches(key, begins, n=1, cutoff=0.7)
    hint = f" Did you mean {begins[close[0]]}?" if close else ""
    raise OddsError(f"There is no {what} {text.strip()!r}.{hint}")
