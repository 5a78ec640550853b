"""What a map has to show of a game: its spaces, and which of them the rules call neighbours.

A game tells it in its module `atlas`: `board()` makes a `Board` of the game's own data, so that the
map is proven against what the rules use. A board with a grid is a map of hexes, any other one is
made of the shapes of the globe.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sandtable.board.hexes import Grid, Hex
from sandtable.kernel import registry
from sandtable.kernel.errors import SandtableError

Pair = tuple[str, str]
"""Two spaces, the smaller id first."""

LinkKind = Literal["canal", "strait", "land", "air"]


class MapError(SandtableError):
    """A map that is not there, or cannot be made."""


@dataclass(frozen=True, slots=True)
class Space:
    """A land or sea space. `label` is drawn beside the name: in a hex its number, else its id."""

    id: str
    name: str
    sea: bool
    at: tuple[float, float] | None = None
    """Latitude and longitude; only a map of the globe needs them."""
    hex: Hex | None = None
    """Its place on the grid of a map of hexes."""
    owner: str | None = None
    neutral: bool = False
    """No unit may ever enter it."""
    terrain: str = ""
    weather: str = ""
    label: str = ""
    marks: tuple[str, ...] = ()
    """Short words for what is printed in it: a city, a factory. In a hex they are symbols."""
    coast: bool = False
    """A hex with land and sea in it."""
    region: str = ""
    """The country that a hex belongs to: where two regions meet there is a frontier."""


@dataclass(frozen=True, slots=True)
class Link:
    """Two spaces that are joined by more, or by other, than a border."""

    pair: Pair
    kind: LinkKind
    name: str = ""


@dataclass(frozen=True, slots=True)
class Globe:
    """Where a grid of hexes lies on the globe, so that coasts are drawn in them: longitude runs
    with the columns, latitude with the rows."""

    west: float
    """The longitude of the left edge of the sheet."""
    north: float
    """The latitude of the upper corners of the first row."""
    per_column: float
    per_row: float
    """Degrees."""


@dataclass(frozen=True, slots=True)
class Board:
    """The spaces of a game and what joins them."""

    game: str
    spaces: dict[str, Space]
    borders: frozenset[Pair]
    """Pairs that the rules call adjacent: each has to share a drawn border, or have a connector."""
    links: tuple[Link, ...] = ()
    """What is drawn as a connector in any case: canals, straits and routes. A pair that only a link
    joins is passed in no other way."""
    sides: dict[Pair, str] = field(default_factory=dict)
    """Borders that are more than a line: a river, a mountain pass. Words of the vocabulary."""
    colours: dict[str, str] = field(default_factory=dict)
    """Power to the colour word of its data."""
    grid: Grid | None = None
    globe: Globe | None = None
    """Of a map of hexes that shows coasts."""
    regions: dict[str, str] = field(default_factory=dict)
    """Region to the name that is written across its hexes."""
    views: dict[str, Pair] = field(default_factory=dict)
    """Of a map of hexes: parts of it by name, each from a hex at its upper left corner to one at
    its lower right."""


def pair(a: str, b: str) -> Pair:
    """Two spaces in the order in which pairs are kept."""
    return (a, b) if a < b else (b, a)


def board_of(game: str) -> Board:
    """The board of a game; MapError if it tells nothing about its map."""
    registry.find(game)
    try:
        module = importlib.import_module(f"sandtable.games.{game}.atlas")
    except ModuleNotFoundError:
        raise MapError(f"{game} has no map: it would need a module atlas.") from None
    board: Board = module.board()
    return board


def folder_of(game: str) -> Path:
    """Where a game keeps the declaration of its map and the map itself."""
    return registry.find(game).folder / "map"
