"""Maps of hexes: from a grid, the terrain of each hex and the kinds of hexsides to board and sheet.

A game says in its `atlas` what stands where, and `hex_board` finds the neighbours. `build` draws
the sheet, which needs no shapes of the globe and nothing but Python.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from sandtable.board.hexes import Grid, Hex
from sandtable.kernel.vocabulary import WORDS, find
from sandtable.maps import topology
from sandtable.maps.board import Board, Link, MapError, Pair, Space, pair
from sandtable.maps.text import broken, extent
from sandtable.maps.topology import UNITS, Layers, Point

BLOCKED = "blocked"
"""The kind of hexside that makes two hexes no neighbours."""

LONG, SHORT = 300, 173
"""Half of a hex across its flat sides, and a quarter across its corners, in units of the file."""
MARGIN = 120
"""Round a sheet that does not go round."""
NAME, SMALLEST = 9.0, 5.0
"""The sizes of names, in units of the sheet."""


def hex_board(
    game: str,
    grid: Grid,
    spaces: Mapping[str, Space],
    *,
    sides: Mapping[Pair, str] | None = None,
    links: tuple[Link, ...] = (),
    colours: Mapping[str, str] | None = None,
) -> Board:
    """The board of a game on hexes: whatever is next to each other on the grid is adjacent, but for
    hexsides that are `blocked`. MapError or UnknownWord, with a sentence, if something is wrong."""
    kinds = {pair(*both): kind for both, kind in (sides or {}).items()}
    for kind in kinds.values():
        find("borders", WORDS.borders, kind)
    at: dict[Hex, str] = {}
    for id, space in spaces.items():
        if space.hex is None or space.hex not in grid:
            raise MapError(f"{id} is not on the grid of {grid.columns} columns, {grid.rows} rows.")
        if space.hex in at:
            raise MapError(f"{at[space.hex]} and {id} are the same hex.")
        if space.terrain:
            find("terrain", WORDS.terrain, space.terrain)
        at[space.hex] = id
    joined = _adjacent(grid, spaces)
    for a, b in sorted(kinds.keys() - joined):
        raise MapError(f"{a} and {b} are not next to each other: they have no hexside.")
    return Board(
        game=game,
        spaces=dict(spaces),
        borders=frozenset(both for both in joined if kinds.get(both) != BLOCKED),
        links=links,
        sides={both: kind for both, kind in kinds.items() if kind != BLOCKED},
        colours=dict(colours or {}),
        grid=grid,
    )


def digest(board: Board) -> str:
    """A short fingerprint of what a sheet shows: a map tells from what it was built."""
    told = [
        repr(board.grid),
        [repr(space) for space in board.spaces.values()],
        sorted(board.borders),
        sorted(board.sides.items()),
        [repr(link) for link in board.links],
    ]
    return sha256(json.dumps(told).encode()).hexdigest()[:16]


def build(board: Board) -> dict[str, Any]:
    """The topology of a map of hexes."""
    grid = board.grid
    if grid is None:
        raise MapError(f"{board.game} has no grid of hexes.")
    middles = {id: _middle(grid, space) for id, space in board.spaces.items()}
    shapes = [
        (id, _properties(space, middles[id]), [[_corners(grid, middles[id])]])
        for id, space in board.spaces.items()
    ]
    layers: Layers = {"spaces": shapes, "land": [("land", {}, [])], "islets": [("islets", {}, [])]}
    built = topology.encode(layers, 1 / UNITS)
    across, down = _size(grid)
    built["sheet"] = {
        "game": board.game,
        "width": across / UNITS,
        "top": 0.0,
        "height": down / UNITS,
        "wrap": grid.wrap,
        "hexes": True,
        "plan": digest(board),
        "source": "hexes",
        "views": {},
        "connectors": [
            {"pair": link.pair, "kind": link.kind, "by": _line(across, grid, middles, link.pair)}
            for link in board.links
        ],
        "closed": sorted(_adjacent(grid, board.spaces) - board.borders),
        "borders": [[*both, kind] for both, kind in sorted(board.sides.items())],
    }
    return built


def _adjacent(grid: Grid, spaces: Mapping[str, Space]) -> set[Pair]:
    at = {space.hex: id for id, space in spaces.items() if space.hex is not None}
    return {
        pair(id, at[near]) for hex, id in at.items() for near in grid.neighbours(hex) if near in at
    }


def _middle(grid: Grid, space: Space) -> Point:
    assert space.hex is not None
    column, row = space.hex
    shift = grid.shift(space.hex)
    side = 0 if grid.wrap else MARGIN
    if grid.flat:
        return SHORT * (3 * column + 2) + side, LONG * (2 * row + 1 + shift) + MARGIN
    return LONG * (2 * column + 1 + shift) + side, SHORT * (3 * row + 2) + MARGIN


def _corners(grid: Grid, middle: Point) -> list[Point]:
    x, y = middle
    round_ = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
    if grid.flat:
        return [(x + SHORT * b, y + LONG * a) for a, b in reversed(round_)]
    return [(x + LONG * a, y + SHORT * b) for a, b in round_]


def _size(grid: Grid) -> Point:
    """The width of the sheet, of one turn if it goes round, and its height."""
    if grid.flat:
        across = 3 * SHORT * grid.columns + (0 if grid.wrap else SHORT)
        down = 2 * LONG * grid.rows + LONG
    else:
        across = 2 * LONG * grid.columns + (0 if grid.wrap else LONG)
        down = SHORT * (3 * grid.rows + 1)
    return across + (0 if grid.wrap else 2 * MARGIN), down + 2 * MARGIN


def _properties(space: Space, middle: Point) -> dict[str, Any]:
    x, y = middle[0] / UNITS, middle[1] / UNITS
    number = space.label or space.id
    lines, size = _fitted(space.name) if space.name != number else ([], NAME)
    at = [x, round(y + SHORT / UNITS - extent(lines or [""], size)[1] / 2, 1)]
    properties = {
        "name": space.name,
        "sea": space.sea,
        "number": number,
        "label": at,
        "units": [x, y],
        "text": {"lines": lines, "at": at, "size": size},
    }
    return properties | ({"terrain": space.terrain} if space.terrain else {})


def _fitted(name: str) -> tuple[list[str], float]:
    """A name on one or two lines, as large as it fits into a hex."""
    room = 1.9 * LONG / UNITS
    options = [lines for lines in broken(name) if len(lines) < 3]
    sized = [(min(NAME, room / extent(lines, 1)[0]), -len(lines), lines) for lines in options]
    size, _, lines = max(sized)
    return lines, round(max(SMALLEST, size), 1)


def _line(across: int, grid: Grid, middles: Mapping[str, Point], both: Pair) -> list[list[float]]:
    (ax, ay), (bx, by) = (middles[id] for id in both)
    if grid.wrap:
        bx -= round((bx - ax) / across) * across
    return [[ax / UNITS, ay / UNITS], [bx / UNITS, by / UNITS]]
