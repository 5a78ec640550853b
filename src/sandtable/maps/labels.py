"""Where names and units stand: inside their space where they fit, else beside it.

A name inside its own shape collides with no other. For the rest, free water near by is sought.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import Any

import shapely
from shapely.geometry import MultiPolygon, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.strtree import STRtree

from sandtable.maps.board import Board, Space
from sandtable.maps.plan import Label, Plan
from sandtable.maps.projection import Projection
from sandtable.maps.text import LINE, broken, extent
from sandtable.maps.topology import UNITS

LARGEST = {"land": 20.0, "sea": 20.0}
SMALLEST = 8.5
"""Where a name would be smaller, it is put beside its space."""
BESIDE = 10.0


@dataclass
class Labelled:
    """The label point and the unit point of a space, both inside it, and its name as drawn."""

    label: list[float]
    units: list[float]
    lines: list[str]
    at: list[float]
    size: float

    def text(self) -> dict[str, Any]:
        """The name as it goes into the file."""
        return {"lines": self.lines, "at": self.at, "size": self.size}

    def box(self) -> Polygon:
        """The room that the name takes, in units of the file."""
        return _text_box(self.lines, self.at[0] * UNITS, self.at[1] * UNITS, self.size * UNITS)


def place_labels(
    board: Board, plan: Plan, on: Projection, shapes: dict[str, BaseGeometry]
) -> dict[str, Labelled]:
    """Names and unit points of all spaces."""
    found: dict[str, Labelled] = {}
    outside: list[str] = []
    for id, space in board.spaces.items():
        wish = plan.labels.get(id, Label())
        placed = None if id in plan.islands else _inside(space, wish, on, shapes[id])
        if placed is None:
            outside.append(id)
        else:
            found[id] = placed
    # The smallest first: they have the least choice.
    for id in sorted(outside, key=lambda id: shapes[id].area):
        wish = plan.labels.get(id, Label())
        found[id] = _beside(board, board.spaces[id], wish, on, shapes, found)
    return found


def _inside(space: Space, wish: Label, on: Projection, shape: BaseGeometry) -> Labelled | None:
    """The name inside the shape, as large as it can be; None if it would be too small."""
    part = _main(shape)
    shapely.prepare(part)
    largest = (wish.size or LARGEST["sea" if space.sea else "land"]) * UNITS
    pole = _pole(part)
    options = [list(wish.lines)] if wish.lines else list(broken(space.name))
    if wish.at is not None:
        x, y = on.point(*wish.at)
        x += round((pole[0] - x) / on.turn) * on.turn
        places = [(x, y)]
    else:
        places = [pole, *_grid(part)]
    best: tuple[float, float, list[str], tuple[float, float]] | None = None
    fits = []
    for lines in options:
        for place in places:
            size = _fit(part, lines, place, largest)
            if size:
                fits.append((size, lines, place))
    if not fits:
        return None
    top = max(size for size, _, _ in fits)
    if top < SMALLEST * UNITS:
        return None
    for size, lines, place in fits:
        if size < 0.88 * top:
            continue
        # A little above the middle, so that units have room below.
        height = len(lines) * size * LINE
        away = hypot(place[0] - pole[0], 1.5 * (place[1] - (pole[1] - 0.8 * height)))
        score = size / top - 0.25 * away / (top * 4) - 0.03 * len(lines)
        if best is None or score > best[0]:
            best = (score, size, lines, place)
    assert best is not None
    _, size, lines, (x, y) = best
    label = _text_box(lines, x, y, size)
    units = _unit_point(part, wish, on, label)
    return Labelled(
        _rounded(_label_point(part, x, y)),
        _rounded(units),
        lines,
        _rounded((x, y)),
        round(size / UNITS, 1),
    )


def _beside(
    board: Board,
    space: Space,
    wish: Label,
    on: Projection,
    shapes: dict[str, BaseGeometry],
    found: dict[str, Labelled],
) -> Labelled:
    """The name near the shape, where it hides as little as possible."""
    part = _main(shapes[space.id])
    middle = _pole(part)
    size = (wish.size or BESIDE) * UNITS
    tree = STRtree([labelled.box() for labelled in found.values()])
    ids = list(shapes)
    spaces = STRtree(list(shapes.values()))
    options = [list(wish.lines)] if wish.lines else list(broken(space.name))
    best: tuple[float, list[str], tuple[float, float]] | None = None
    left, top, right, bottom = part.bounds
    for lines in options:
        width, height = extent(lines, size)
        places = []
        if wish.at is not None:
            x, y = on.point(*wish.at)
            places.append((x + round((middle[0] - x) / on.turn) * on.turn, y))
        else:
            for gap in (3, 8, 14, 22, 32):
                for turn in range(16):
                    angle = turn * pi / 8 - pi / 2
                    dx = (right - left) / 2 + width / 2 + gap * UNITS / 2
                    dy = (bottom - top) / 2 + height / 2 + gap * UNITS / 2
                    places.append(
                        ((left + right) / 2 + dx * cos(angle), (top + bottom) / 2 + dy * sin(angle))
                    )
        for place in places:
            room = _text_box(lines, *place, size).buffer(UNITS)
            cost = 0.0
            for i in tree.query(room):
                cost += 40 * tree.geometries[i].intersection(room).area / room.area
                cost += 5 if tree.geometries[i].intersects(room) else 0
            for i in spaces.query(room, predicate="intersects"):
                id = ids[i]
                inside = shapes[id].intersection(room).area / room.area
                if inside > 0:
                    cost += 0.3 + (6 * inside if not board.spaces[id].sea else 0)
            cost += hypot(place[0] - middle[0], place[1] - middle[1]) / (60 * UNITS)
            cost += 0.15 * len(lines)
            if best is None or cost < best[0]:
                best = (cost, lines, place)
    assert best is not None
    _, lines, place = best
    return Labelled(
        _rounded(middle),
        _rounded(_unit_point(part, wish, on, _text_box(lines, *place, size))),
        lines,
        _rounded(place),
        round(size / UNITS, 1),
    )


def _main(shape: BaseGeometry) -> Polygon:
    if isinstance(shape, MultiPolygon):
        return max(shape.geoms, key=lambda part: part.area)
    assert isinstance(shape, Polygon)
    return shape


def _grid(part: Polygon) -> Iterator[tuple[float, float]]:
    left, top, right, bottom = part.bounds
    columns, rows = 22, 18
    for i in range(1, columns):
        for j in range(1, rows):
            x, y = left + (right - left) * i / columns, top + (bottom - top) * j / rows
            if part.contains(Point(x, y)):
                yield x, y


def _text_box(lines: list[str], x: float, y: float, size: float) -> Polygon:
    width, height = extent(lines, size)
    return box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _fit(part: Polygon, lines: list[str], place: tuple[float, float], largest: float) -> float:
    """The largest size at which the text fits at a place."""
    if part.contains(_text_box(lines, *place, largest)):
        return largest
    low, high = 0.0, largest
    for _ in range(6):
        size = (low + high) / 2
        if part.contains(_text_box(lines, *place, size)):
            low = size
        else:
            high = size
    return low


def _label_point(part: Polygon, x: float, y: float) -> tuple[float, float]:
    if part.contains(Point(x, y)):
        return x, y
    inside = part.representative_point()
    return inside.x, inside.y


def _unit_point(part: Polygon, wish: Label, on: Projection, label: Polygon) -> tuple[float, float]:
    """The point with most room around it, the name left out."""
    pole = _pole(part)
    if wish.units is not None:
        x, y = on.point(*wish.units)
        return x + round((pole[0] - x) / on.turn) * on.turn, y
    return _pole(_main_or_none(part.difference(label)) or part)


def _pole(part: Polygon) -> tuple[float, float]:
    """The point that is farthest from the border."""
    point = shapely.maximum_inscribed_circle(part, tolerance=10).coords[0]
    return point[0], point[1]


def _main_or_none(shape: BaseGeometry) -> Polygon | None:
    parts = [p for p in getattr(shape, "geoms", [shape]) if isinstance(p, Polygon)]
    return max(parts, key=lambda part: part.area, default=None)


def _rounded(point: tuple[float, float]) -> list[float]:
    return [round(point[0] / UNITS, 1), round(point[1] / UNITS, 1)]
