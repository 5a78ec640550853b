"""Decisions of the land phases in words, for tests: `move("W3021 > W3122", "3 inf, mech")`."""

from __future__ import annotations

from sandtable.games.gw75.rules.amphibious import Invade
from sandtable.games.gw75.rules.land_movement import Move
from sandtable.games.gw75.rules.stacking import Part, Remove
from sandtable.games.gw75.rules.strategic import Redeploy
from sandtable.testing import counts


def path(words: str) -> tuple[str, ...]:
    """`W3021 > W3122` as a path."""
    return tuple(words.split(" > ")) if words else ()


def parts(units: str, nation: str = "germany", **others: str) -> tuple[Part, ...]:
    """Units of a nation in words, and of others."""
    found = {nation: units, **others}
    return tuple(
        (whose, type, number)
        for whose, words in found.items()
        for type, number in counts(words).items()
    )


def move(way: str, units: str, nation: str = "germany", **others: str) -> Move:
    return Move(path(way), parts(units, nation, **others))


def invade(way: str, units: str, nation: str = "commonwealth", **others: str) -> Invade:
    return Invade(path(way), parts(units, nation, **others))


def remove(units: str, nation: str = "germany", **others: str) -> Remove:
    return Remove(parts(units, nation, **others))


def redeploy(
    units: str, nation: str = "germany", *, land: str = "", sea: str = "", by: str = ""
) -> Redeploy:
    return Redeploy(parts(units, nation), path(land), path(sea), by)
