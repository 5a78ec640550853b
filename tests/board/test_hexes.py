"""The arithmetic of hexes, held to their geometry and to walks from hex to hex."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import hypot

import pytest

from sandtable.board.graphs import distances
from sandtable.board.hexes import Grid, Hex

GRIDS = [
    Grid(7, 6),
    Grid(7, 6, "even"),
    Grid(6, 7, flat=True),
    Grid(6, 7, "even", flat=True),
    Grid(8, 6, wrap=True),
    Grid(7, 7, "even", wrap=True),
    Grid(8, 6, flat=True, wrap=True),
    Grid(8, 6, "even", flat=True, wrap=True),
]


def every(grid: Grid) -> Iterator[Hex]:
    return ((column, row) for column in range(grid.columns) for row in range(grid.rows))


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_neighbours_are_those_that_touch(grid: Grid) -> None:
    turn = grid.columns * (0.866 if grid.flat else 1)

    def apart(a: Hex, b: Hex) -> float:
        (ax, ay), (bx, by) = (_place(grid, hex) for hex in (a, b))
        across = bx - ax
        return hypot(across - (round(across / turn) * turn if grid.wrap else 0), by - ay)

    for hex in every(grid):
        touching = {other for other in every(grid) if 0.9 < apart(hex, other) < 1.1}
        near = grid.neighbours(hex)
        assert len(near) == len(set(near))
        assert set(near) == touching


def _place(grid: Grid, hex: Hex) -> tuple[float, float]:
    column, row = hex
    if grid.flat:
        return column * 0.866, row + grid.shift(hex) / 2
    return column + grid.shift(hex) / 2, row * 0.866


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_distances_and_lines_are_shortest_walks(grid: Grid) -> None:
    names = {str(hex): hex for hex in every(grid)}
    near = {name: [str(n) for n in grid.neighbours(hex)] for name, hex in names.items()}
    for name, hex in names.items():
        walks = distances(near, name)
        for other, goal in names.items():
            assert grid.distance(hex, goal) == walks[other]
            line = grid.line(hex, goal)
            assert (line[0], line[-1], len(line)) == (hex, goal, walks[other] + 1)
            assert all(b in grid.neighbours(a) for a, b in pairwise(line))


def test_the_globe_of_66_columns_and_39_rows() -> None:
    """Its hexes are numbered in two sections from the south, `W2821` or `E1505`; odd rows stand
    half a hex farther west."""
    grid = Grid(66, 39, wrap=True)

    def at(id: str) -> Hex:
        row, column = int(id[1:3]), int(id[3:])
        return (column if id[0] == "E" else (column + 33) % 66), 39 - row

    assert at("W2801") in grid.neighbours(at("E2833"))
    assert at("E2101") in grid.neighbours(at("W2033"))
    assert at("E2801") in grid.neighbours(at("W2833"))
    # W2424 lies in an even row: its neighbours to the north are in the same column and the next.
    assert {at("W2524"), at("W2525")} <= set(grid.neighbours(at("W2424")))
    assert at("W2523") not in grid.neighbours(at("W2424"))
    assert grid.distance(at("E2833"), at("W2802")) == 2
    assert grid.distance(at("W0101"), at("W3901")) == 38
    assert len(grid.neighbours(at("W0101"))) == 4


def test_a_grid_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="even number of columns"):
        Grid(7, 4, flat=True, wrap=True)
    with pytest.raises(ValueError, match="a column and a row"):
        Grid(0, 4)
    assert (3, 4) not in Grid(3, 5)
    assert "a" not in Grid(3, 5)
