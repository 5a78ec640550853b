"""Building a map: every line is drawn on one sheet, and every face between lines goes to a space.

The sheet is built wider than the globe, so that the spaces at the seam are there twice and each is
whole once: a space is never cut, and beyond the edge of the sheet the map goes on with itself.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry import MultiPolygon, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient
from shapely.strtree import STRtree

from sandtable.maps import topology
from sandtable.maps.board import Board, MapError, folder_of
from sandtable.maps.cells import cells
from sandtable.maps.check import LIMIT
from sandtable.maps.labels import Labelled, place_labels
from sandtable.maps.plan import Plan
from sandtable.maps.stretch import Stretch
from sandtable.maps.world import around, countries

UNITS = 10
"""Whole units of the file per unit of the sheet."""
MARGIN = 70.0
"""Degrees by which the sheet is wider than the globe while it is built, on either side."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Projection:
    """Degrees to whole units of the sheet, x to the right and y down."""

    x: Stretch
    y: Stretch

    @classmethod
    def of(cls, plan: Plan) -> Projection:
        """The stretch that a plan declares; one turn of the globe is a whole number of units."""
        sheet = plan.sheet
        plain = Stretch(sheet.longitude, 1.0, 360.0)
        scale = sheet.width * UNITS / plain.length
        return cls(
            Stretch(sheet.longitude, scale, 360.0),
            Stretch([(-degree, weight) for degree, weight in reversed(sheet.latitude)], scale),
        )

    @property
    def turn(self) -> int:
        """The width of the globe in whole units."""
        return round(self.x.length)

    def point(self, latitude: float, longitude: float) -> tuple[float, float]:
        """Where a place is, its longitude taken as it is: it may be beyond the seam."""
        return self.x.place(longitude), self.y.place(-latitude)

    def shape(self, degrees: BaseGeometry) -> BaseGeometry:
        """A shape in degrees, longitude first, on the sheet."""

        def project(points: Any) -> Any:
            return np.array([self.point(latitude, longitude) for longitude, latitude in points])

        return shapely.transform(degrees, project)


def build(board: Board, plan: Plan, world: Path | None = None, say: Say = print) -> dict[str, Any]:
    """The topology of a game's map. `world` is a folder with the countries, else npm gets them."""
    on = Projection.of(plan)
    sheet = plan.sheet
    west, east = sheet.seam - MARGIN, sheet.seam + 360 + MARGIN
    say("countries")
    land = _land(plan, on, countries(world), west, east)
    say("cells")
    sea = _Lookup(
        [(space, on.shape(cell)) for space, cell in cells(plan.sea, west, east)], "void"
    )
    splits = {
        country: _Lookup(
            [(space, on.shape(cell)) for space, cell in cells(seeds, west, east)], "void"
        )
        for country, seeds in plan.split.items()
    }
    circles = _circles(plan, on)
    top, bottom = on.y.place(-sheet.north), on.y.place(-sheet.south)
    frame = box(on.x.place(west) + 1, top, on.x.place(east) - 1, bottom)

    say("faces")
    lines: list[BaseGeometry] = [frame.boundary]
    lines += [shape.boundary for _, shape in land]
    lines += [cell.boundary for _, cell in sea.shapes]
    lines += [circle.boundary for _, circle in circles]
    countries_land = defaultdict(list)
    for country, shape in land:
        countries_land[country].append(shape)
    for country, lookup in splits.items():
        whole = shapely.union_all(countries_land[country])
        lines += [cell.boundary.intersection(whole) for _, cell in lookup.shapes]
    for cut in plan.cuts:
        whole = shapely.union_all(countries_land[cut.country])
        for turn in (-1, 0, 1):
            lines.append(_box(on, cut.box, turn).boundary.intersection(whole))
    network = shapely.union_all([line.intersection(frame) for line in lines], grid_size=1)
    faces = [face for face in shapely.polygonize([network]).geoms if isinstance(face, Polygon)]

    say(f"{len(faces)} faces to their spaces")
    who = _Who(plan, on, _Lookup(land, ""), splits, sea, _Lookup(circles, ""))
    home = {id: on.point(*space.at)[0] % on.turn for id, space in board.spaces.items()}
    groups: dict[tuple[str, int], list[Polygon]] = defaultdict(list)
    for face in faces:
        inside = face.representative_point()
        space = who.has(inside)
        at = inside.x - home.get(space, on.turn / 2)
        groups[(space, round(at / on.turn))].append(face)
    _tidy(groups, sheet.smallest * UNITS * UNITS, board)

    say("shapes")
    keys = list(groups)
    shapes = np.array([shapely.coverage_union_all(groups[key]) for key in keys])
    shapes = shapely.coverage_simplify(shapes, sheet.simplify * UNITS)
    drawn = {
        space: shape for (space, turn), shape in zip(keys, shapes, strict=True) if turn == 0
    }
    for id in board.spaces:
        if id not in drawn or drawn[id].is_empty:
            raise MapError(f"{id} has no shape: its seeds or countries give it nothing.")
    others = drawn.pop("land", MultiPolygon())
    drawn.pop("void", None)

    say("labels")
    labels = place_labels(board, plan, on, drawn)
    islets = _islets(plan, on, world, west, east)
    return _topology(board, plan, on, drawn, labels, others, islets)


def write(game: str, built: dict[str, Any]) -> tuple[Path, int]:
    """Write a built map beside its game; the file and its compressed size."""
    text = json.dumps(built, ensure_ascii=False, separators=(",", ":"))
    size = len(gzip.compress(text.encode(), 9, mtime=0))
    if size > LIMIT:
        raise MapError(f"The map has {size} bytes compressed, more than {LIMIT}: simplify more.")
    path = folder_of(game) / "map.topojson"
    path.write_text(text + "\n", encoding="utf-8")
    return path, size


class _Lookup:
    """Which of several shapes a point is in."""

    def __init__(self, shapes: list[tuple[str, BaseGeometry]], default: str) -> None:
        self.shapes = shapes
        self.default = default
        self.tree = STRtree([shape for _, shape in shapes])

    def at(self, point: Point) -> str:
        for i in self.tree.query(point, predicate="intersects"):
            return self.shapes[i][0]
        return self.default


class _Who:
    """To which space a point of the sheet belongs: `void` is water and `land` land of nobody."""

    def __init__(
        self,
        plan: Plan,
        on: Projection,
        land: _Lookup,
        splits: dict[str, _Lookup],
        sea: _Lookup,
        circles: _Lookup,
    ) -> None:
        self.land, self.splits, self.sea, self.circles = land, splits, sea, circles
        self.whole = {country: space for space, all in plan.land.items() for country in all}
        self.cuts: dict[str, list[tuple[BaseGeometry, str]]] = defaultdict(list)
        size = {cut: (cut.box[2] - cut.box[0]) * (cut.box[3] - cut.box[1]) for cut in plan.cuts}
        for cut in sorted(plan.cuts, key=lambda cut: size[cut]):
            for turn in (-1, 0, 1):
                self.cuts[cut.country].append((_box(on, cut.box, turn), cut.space))

    def has(self, point: Point) -> str:
        circle = self.circles.at(point)
        if circle:
            return circle
        country = self.land.at(point)
        if not country:
            return self.sea.at(point)
        for shape, space in self.cuts.get(country, ()):
            if shape.intersects(point):
                return "land" if space == "void" else space
        if country in self.splits:
            space = self.splits[country].at(point)
            return "land" if space == "void" else space
        return self.whole.get(country, "land")


def _land(
    plan: Plan, on: Projection, world: dict[str, BaseGeometry], west: float, east: float
) -> list[tuple[str, BaseGeometry]]:
    """The parts of all countries that are large enough to be seen, on the sheet."""
    known = {country for all in plan.land.values() for country in all}
    known |= {*plan.split, *(cut.country for cut in plan.cuts)}
    for country in sorted(known - set(world)):
        raise MapError(f"{country} is no country of Natural Earth at this scale.")
    found = []
    for country, shape in world.items():
        for part in _polygons(on.shape(around(shape, west, east))):
            if part.area >= plan.sheet.smallest * UNITS * UNITS:
                found.append((country, part.buffer(0)))
    return found


def _islets(
    plan: Plan, on: Projection, world: Path | None, west: float, east: float
) -> list[Polygon]:
    """The real islands inside the circles that stand for them."""
    circles = dict(_circles(plan, on, (0,)))
    found = []
    for shape in countries(world).values():
        projected = on.shape(around(shape, west, east))
        for circle in circles.values():
            found += _polygons(projected.intersection(circle))
    return [part for part in found if part.area >= UNITS * UNITS]


def _circles(
    plan: Plan, on: Projection, turns: Iterable[int] = (-1, 0, 1)
) -> list[tuple[str, BaseGeometry]]:
    found: list[tuple[str, BaseGeometry]] = []
    for id, island in plan.islands.items():
        x, y = on.point(*island.at)
        for turn in turns:
            middle = Point(x % on.turn + turn * on.turn, y)
            found.append((id, middle.buffer(island.radius * UNITS, quad_segs=8)))
    return found


def _box(on: Projection, degrees: tuple[float, float, float, float], turn: int) -> BaseGeometry:
    west, south, east, north = degrees
    left, bottom = on.point(south, west + 360 * turn)
    right, top = on.point(north, east + 360 * turn)
    return box(left, top, right, bottom)


def _polygons(shape: BaseGeometry) -> list[Polygon]:
    if isinstance(shape, Polygon):
        return [] if shape.is_empty else [shape]
    return [part for each in getattr(shape, "geoms", ()) for part in _polygons(each)]


def _tidy(groups: dict[tuple[str, int], list[Polygon]], smallest: float, board: Board) -> None:
    """Give crumbs that lines cut off to the neighbour with which they share most."""
    for _ in range(2):
        parts = [
            (key, part)
            for key, faces in groups.items()
            for part in _polygons(shapely.coverage_union_all(faces))
        ]
        tree = STRtree([part for _, part in parts])
        largest: dict[tuple[str, int], float] = defaultdict(float)
        for key, part in parts:
            largest[key] = max(largest[key], part.area)
        groups.clear()
        for key, part in parts:
            crumb = part.area < 8 * smallest and part.area < largest[key] / 10
            goes = key
            if crumb:
                shared: dict[tuple[str, int], float] = defaultdict(float)
                for i in tree.query(part):
                    other, shape = parts[i]
                    if shape is not part and _same_kind(key[0], other[0], board):
                        shared[other] += part.boundary.intersection(shape.boundary).length
                best = max(shared, key=lambda o: shared[o], default=key)
                if shared.get(best, 0) > 0:
                    goes = best
            groups[goes].append(part)


def _same_kind(a: str, b: str, board: Board) -> bool:
    return _is_sea(a, board) == _is_sea(b, board)


def _is_sea(id: str, board: Board) -> bool:
    return id == "void" or (id in board.spaces and board.spaces[id].sea)


def _topology(
    board: Board,
    plan: Plan,
    on: Projection,
    drawn: dict[str, BaseGeometry],
    labels: dict[str, Labelled],
    others: BaseGeometry,
    islets: list[Polygon],
) -> dict[str, Any]:
    """The finished file."""
    spaces = []
    for id, space in board.spaces.items():
        properties = {
            "name": space.name,
            "sea": space.sea,
            "label": labels[id].label,
            "units": labels[id].units,
            "text": labels[id].text(),
        }
        if id in plan.islands:
            properties["island"] = True
        spaces.append((id, properties, _rings(drawn[id])))
    layers = {
        "spaces": spaces,
        "land": [("land", {}, _rings(others))],
        "islets": [("islets", {}, _rings(MultiPolygon(islets)))],
    }
    built = topology.encode(layers, 1 / UNITS)
    sheet = plan.sheet
    height = on.y.place(-sheet.south) - on.y.place(-sheet.north)
    built["sheet"] = {
        "game": board.game,
        "width": sheet.width,
        "top": round(on.y.place(-sheet.north) / UNITS, 1),
        "height": round(height / UNITS, 1),
        "seam": sheet.seam,
        "source": "Natural Earth (public domain), 1:50m, stretched",
        "views": {name: _view(on, degrees) for name, degrees in plan.views.items()},
        "connectors": [
            {"pair": sorted(each.pair), "by": _path(on, each.by)} for each in plan.connectors
        ],
    }
    return built


def _view(on: Projection, degrees: tuple[float, float, float, float]) -> list[float]:
    """A box of degrees as x, y, width and height of the sheet."""
    shape = _box(on, degrees, 0)
    left, top, right, bottom = shape.bounds
    left %= on.turn
    right %= on.turn
    if right < left:
        right += on.turn
    return [round(v / UNITS, 1) for v in (left, top, right - left, bottom - top)]


def _path(on: Projection, places: Iterable[tuple[float, float]]) -> list[list[float]]:
    """Places on the sheet, each as near to the one before as it can be."""
    path: list[list[float]] = []
    for place in places:
        x, y = on.point(*place)
        x %= on.turn
        if path:
            before = path[-1][0] * UNITS
            x += round((before - x) / on.turn) * on.turn
        path.append([round(x / UNITS, 1), round(y / UNITS, 1)])
    return path


def _rings(shape: BaseGeometry) -> list[topology.Polygon]:
    found = []
    for part in _polygons(shape):
        part = orient(part, 1.0)
        rings = [part.exterior, *part.interiors]
        found.append([[(round(x), round(y)) for x, y in ring.coords[:-1]] for ring in rings])
    return found
