"""Maps of hexes: from a grid, the terrain of each hex and the kinds of hexsides to board and sheet.

A game says in its `atlas` what stands where, and `hex_board` finds the neighbours. `build` draws
the sheet. If the board lies on the globe, coasts are drawn in its hexes (`shores`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from sandtable.board.hexes import Grid, Hex
from sandtable.kernel.vocabulary import WORDS, find
from sandtable.maps import topology
from sandtable.maps.board import Board, Globe, Link, MapError, Pair, Space, pair
from sandtable.maps.text import broken, extent
from sandtable.maps.topology import UNITS, Layers, Point, Polygon

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
    globe: Globe | None = None,
    regions: Mapping[str, str] | None = None,
    views: Mapping[str, Pair] | None = None,
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
        globe=globe,
        regions=dict(regions or {}),
        views=dict(views or {}),
    )


def digest(board: Board) -> str:
    """A short fingerprint of what a sheet shows: a map tells from what it was built."""
    told = [
        repr(board.grid),
        [repr(space) for space in board.spaces.values()],
        sorted(board.borders),
        sorted(board.sides.items()),
        [repr(link) for link in board.links],
        repr(board.globe),
        repr(board.regions),
        repr(board.views),
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
    across, down = _size(grid)
    if board.globe is not None:
        layers = {**layers, "shores": _shores(board, grid, board.globe, middles)}
    built = topology.encode(layers, 1 / UNITS)
    built["sheet"] = {
        "game": board.game,
        "width": across / UNITS,
        "top": 0.0,
        "height": down / UNITS,
        "wrap": grid.wrap,
        "hexes": True,
        "plan": digest(board),
        "source": "hexes",
        "views": {name: _view(middles, both) for name, both in board.views.items()},
        "regions": _regions(board, grid, middles),
        "connectors": [
            {"pair": link.pair, "kind": link.kind, "by": _line(across, grid, middles, link.pair)}
            for link in board.links
        ],
        "closed": sorted(_adjacent(grid, board.spaces) - board.borders),
        "borders": [[*both, kind] for both, kind in sorted(board.sides.items())],
    }
    return built


def _shores(
    board: Board, grid: Grid, globe: Globe, middles: Mapping[str, Point]
) -> list[tuple[str, dict[str, Any], list[Polygon]]]:
    """The land in each hex that is not all land or all sea."""
    if grid.flat:
        raise MapError("Coasts are drawn on hexes with pointed tops only.")
    try:
        from sandtable.maps.shores import shores
    except ModuleNotFoundError as error:
        raise MapError(f"Coasts need {error.name}: install sandtable[map].") from None
    corners = {id: _corners(grid, middle) for id, middle in middles.items()}
    islands = {id for id, space in board.spaces.items() if space.coast}
    per_x = globe.per_column / (2 * LONG)
    per_y = globe.per_row / (3 * SHORT)
    west = globe.west - (0 if grid.wrap else MARGIN) * per_x
    found = shores(corners, islands, west, globe.north + MARGIN * per_y, per_x, per_y)
    return [(id, {}, polygons) for id, polygons in found.items()]


def _view(middles: Mapping[str, Point], both: Pair) -> list[float]:
    (left, top), (right, bottom) = (middles[id] for id in both)
    return [left / UNITS, top / UNITS, (right - left) / UNITS, (bottom - top) / UNITS]


def _regions(board: Board, grid: Grid, middles: Mapping[str, Point]) -> list[dict[str, Any]]:
    """The name of each region across the largest part of it that hangs together."""
    hexes: dict[str, set[Hex]] = {id: set() for id in board.regions}
    for space in board.spaces.values():
        if space.region in hexes and space.hex is not None:
            hexes[space.region].add(space.hex)
    found = []
    for id, members in hexes.items():
        part = max(_parts(grid, members), key=len, default=set())
        if len(part) < 2:
            continue
        rows: dict[int, list[Hex]] = {}
        for hex in sorted(part):
            rows.setdefault(hex[1], []).append(hex)
        # The longest row near the middle.
        middle = sum(row for _, row in part) / len(part)
        row = max(rows, key=lambda each: len(rows[each]) - abs(each - middle))
        line = _longest(grid, rows[row])
        name = board.regions[id]
        wide = 2 * LONG * len(line) / UNITS
        size = min(0.85 * wide / extent([name], 1.25)[0], (8 + 5 * len(line)) / 30 * LONG / UNITS)
        x = LONG * (2 * line[0][0] + len(line) + grid.shift(line[0])) / UNITS
        y = (SHORT * (3 * row + 2) + MARGIN) / UNITS
        found.append({"name": name, "at": [x, round(y, 1)], "size": round(size, 1)})
    return found


def _longest(grid: Grid, row: list[Hex]) -> list[Hex]:
    """The longest run of hexes side by side, which may go on beyond the seam."""
    runs: list[list[Hex]] = []
    for hex in row:
        if runs and runs[-1][-1][0] == hex[0] - 1:
            runs[-1].append(hex)
        else:
            runs.append([hex])
    if grid.wrap and len(runs) > 1 and runs[0][0][0] == 0 and runs[-1][-1][0] == grid.columns - 1:
        runs.append(runs.pop() + runs.pop(0))
    return max(runs, key=len)


def _parts(grid: Grid, hexes: set[Hex]) -> list[set[Hex]]:
    """The parts that hang together."""
    left, parts = set(hexes), []
    while left:
        part = {left.pop()}
        todo = list(part)
        while todo:
            for near in grid.neighbours(todo.pop()):
                if near in left:
                    left.remove(near)
                    part.add(near)
                    todo.append(near)
        parts.append(part)
    return parts


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
    """What is told of a hex; what is as it has to be is left out: its name and its number are its
    id, its name has no place but its middle."""
    x, y = middle[0] / UNITS, middle[1] / UNITS
    number = space.label or space.id
    lines, size = _fitted(space.name) if space.name != number else ([], NAME)
    properties: dict[str, Any] = {"sea": space.sea, "units": [x, y]}
    if lines:
        at = [x, round(y + SHORT / UNITS - extent(lines, size)[1] / 2, 1)]
        properties |= {"label": at, "text": {"lines": lines, "at": at, "size": size}}
    more = {
        "name": space.name if space.name != space.id else "",
        "number": number if number != space.id else "",
        "terrain": space.terrain,
        "coast": space.coast,
        "region": space.region,
        "weather": bool(space.weather),
        "marks": space.marks,
    }
    return properties | {key: value for key, value in more.items() if value}


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
