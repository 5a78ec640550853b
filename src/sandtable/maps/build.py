"""Building a map: every line is drawn on one sheet, and every face between lines goes to a space.

The sheet is built wider than the globe, so that the spaces at the seam are there twice and each is
whole once: a space is never cut, and beyond the edge of the sheet the map goes on with itself.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import shapely
import shapely.ops
from shapely.affinity import translate
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient
from shapely.strtree import STRtree

from sandtable.maps import topology
from sandtable.maps.board import Board, MapError, Pair, Space, pair
from sandtable.maps.cells import cells
from sandtable.maps.check import SHORTEST
from sandtable.maps.labels import Labelled, place_labels
from sandtable.maps.plan import Plan, digest
from sandtable.maps.projection import Projection
from sandtable.maps.sheet import read_sheet
from sandtable.maps.topology import UNITS
from sandtable.maps.world import FILE, World, around, country_of

MARGIN = 70.0
"""Degrees by which the sheet is wider than the globe while it is built, on either side."""

CORNER = 0.5
"""How far from a corner a border between seeds on land is rounded, in degrees: what they part may
be small."""

STRIP = 5.0
"""How wide the water is, in units of the sheet, that a coast keeps for a zone of its own."""

Say = Callable[[str], None]
Groups = dict[tuple[str, int], list[Polygon]]
"""The faces of a space, and of its copies beyond the edges."""


def build(board: Board, plan: Plan, provinces: Path = FILE, say: Say = print) -> dict[str, Any]:
    """The topology of a game's map. `provinces` is the file with the shapes of the world."""
    world = World(provinces)
    on = Projection.of(plan)
    sheet = plan.sheet
    west, east = sheet.seam - MARGIN, sheet.seam + 360 + MARGIN
    say("provinces")

    def placed(shape: BaseGeometry) -> BaseGeometry:
        # Where a shape touches itself in degrees, it may cross itself on the sheet.
        return shapely.make_valid(on.shape(around(shape, west, east)), method="structure")

    wholes = {whose: placed(shape) for whose, shape in _joined(plan, world).items()}
    lakes = [
        (space, placed(world.lakes[name])) for space, names in plan.lakes.items() for name in names
    ]
    land = _land(plan, wholes)
    say("cells")
    sea = _Lookup([(space, on.shape(cell)) for space, cell in cells(plan.sea, west, east)], "void")
    splits = {
        region: _Lookup(
            [(space, on.shape(cell)) for space, cell in cells(seeds, west, east, CORNER)], "void"
        )
        for region, seeds in plan.split.items()
    }
    circles = _circles(plan, on)
    top, bottom = on.y.place(-sheet.north), on.y.place(-sheet.south)
    frame = box(on.x.place(west) + 1, top, on.x.place(east) - 1, bottom)

    say("faces")
    lines: list[BaseGeometry] = [frame.boundary]
    lines += [shape.boundary for _, shape in (*land, *lakes, *circles)]
    lines += [cell.boundary for _, cell in sea.shapes]
    for region, lookup in splits.items():
        whole = wholes[region]
        lines += [cell.boundary.intersection(whole) for _, cell in lookup.shapes]
    for cut in plan.cuts:
        for turn in (-1, 0, 1):
            lines.append(_box(on, cut.box, turn).boundary.intersection(wholes[cut.region]))
    who = _Who(plan, on, _Lookup(land, ""), splits, sea, _Lookup(circles + lakes, ""))
    lines = [line.intersection(frame) for line in lines]
    groups = _spaces(board, on, who, lines, sheet.smallest)
    say("coasts")
    for _ in range(2):
        strips = _strips(board, groups)
        who.strips += strips
        lines += [strip.boundary.intersection(frame) for _, strip, _ in strips]
        groups = _spaces(board, on, who, lines, sheet.smallest)

    say("shapes")
    keys = list(groups)
    shapes = np.array([shapely.coverage_union_all(groups[key]) for key in keys])
    shapes = shapely.coverage_simplify(shapes, sheet.simplify * UNITS)
    drawn = {space: shape for (space, turn), shape in zip(keys, shapes, strict=True) if turn == 0}
    for id in board.spaces:
        if id not in drawn or drawn[id].is_empty:
            raise MapError(f"{id} has no shape: its seeds or countries give it nothing.")
    others = drawn.pop("land", MultiPolygon())
    drawn.pop("void", None)

    say("labels")
    labels = place_labels(board, plan, on, drawn)
    islets = _islets(plan, on, wholes)
    paths = _connectors(board, plan, on, drawn, labels)
    built = _topology(board, plan, on, drawn, labels, others, islets, paths)
    built["sheet"]["closed"] = closed(board, built)
    return built


def closed(board: Board, built: dict[str, Any]) -> list[Pair]:
    """Spaces that share a border in a built map and are not adjacent: drawn as impassable."""
    joined = board.borders | {link.pair for link in board.links}
    borders = read_sheet(Path(board.game), json.dumps(built)).borders
    return sorted(p for p, length in borders.items() if p not in joined and length >= SHORTEST)


def _spaces(
    board: Board, on: Projection, who: _Who, lines: list[BaseGeometry], smallest: float
) -> Groups:
    """The faces between the lines, by the space that they belong to."""
    network = shapely.union_all(lines, grid_size=1)
    home = {id: on.point(*_place(space))[0] % on.turn for id, space in board.spaces.items()}
    groups: Groups = defaultdict(list)
    for face in _polygons(shapely.polygonize([network])):
        inside = face.representative_point()
        space = who.has(inside)
        at = inside.x - home.get(space, on.turn / 2)
        groups[(space, round(at / on.turn))].append(face)
    _tidy(groups, smallest * UNITS * UNITS, board)
    return groups


def _place(space: Space) -> tuple[float, float]:
    if space.at is None:
        raise MapError(f"{space.id} has no latitude and longitude, which a map of the globe needs.")
    return space.at


def _strips(board: Board, groups: Groups) -> list[tuple[str, BaseGeometry, str]]:
    """Water along coasts that a zone touches by accident, near the end of the coast: it goes to a
    zone that has this coast by the rules. From, shape, to."""
    owners: dict[frozenset[topology.Point], set[tuple[str, int]]] = defaultdict(set)
    for key, faces in groups.items():
        for face in faces:
            for ring in (face.exterior, *face.interiors):
                points = [(round(x), round(y)) for x, y in ring.coords]
                for a, b in pairwise(points):
                    owners[frozenset((a, b))].add(key)
    contacts: dict[tuple[tuple[str, int], tuple[str, int]], list[LineString]] = defaultdict(list)
    for edge, keys in owners.items():
        for land in keys:
            for sea in keys:
                if (
                    land[0] in board.spaces
                    and not board.spaces[land[0]].sea
                    and sea[0] in board.spaces
                    and board.spaces[sea[0]].sea
                    and pair(land[0], sea[0]) not in board.borders
                ):
                    contacts[land, sea].append(LineString(list(edge)))
    found: list[tuple[str, BaseGeometry, str]] = []
    for (land, sea), pieces in contacts.items():
        coast = shapely.line_merge(shapely.union_all(pieces))
        strip: BaseGeometry = coast.buffer(STRIP * UNITS, cap_style="flat", quad_segs=2)
        near: dict[str, float] = {}
        for (id, _), faces in groups.items():
            if _is_sea(id, board) and pair(land[0], id) in board.borders:
                away = min(face.distance(coast) for face in faces)
                near[id] = min(near.get(id, away), away)
        best = min(near, key=lambda id: near[id], default="")
        if not best or near[best] >= 2 * STRIP * UNITS:
            continue
        # The strip ends where the coast of another space begins, if the zone has no business there.
        for (id, _), faces in groups.items():
            if id in (land[0], "land") or _is_sea(id, board):
                continue
            if pair(id, best) not in board.borders:
                for face in faces:
                    if face.intersects(strip):
                        strip = strip.difference(face.buffer(UNITS))
        found.append((sea[0], strip, best))
    return found


class _Lookup:
    """Which of several shapes a point is in."""

    def __init__(self, shapes: list[tuple[str, BaseGeometry]], default: str) -> None:
        self.shapes = shapes
        self.default = default
        self.tree = STRtree([shape for _, shape in shapes])

    def at(self, point: Point) -> str:
        """The name of the first shape that has the point, else the default."""
        found = self.tree.query(point, predicate="intersects")
        return self.shapes[int(found[0])][0] if len(found) else self.default


class _Who:
    """To which space a point of the sheet belongs: `void` is water and `land` land of nobody."""

    def __init__(
        self,
        plan: Plan,
        on: Projection,
        land: _Lookup,
        splits: dict[str, _Lookup],
        sea: _Lookup,
        upon: _Lookup,
    ) -> None:
        self.land, self.splits, self.sea, self.upon = land, splits, sea, upon
        self.strips: list[tuple[str, BaseGeometry, str]] = []
        self.rest = {region: _listed(plan, region) for region in _divided(plan)}
        self.cuts: dict[str, list[tuple[BaseGeometry, str]]] = defaultdict(list)
        size = {cut: (cut.box[2] - cut.box[0]) * (cut.box[3] - cut.box[1]) for cut in plan.cuts}
        for cut in sorted(plan.cuts, key=lambda cut: size[cut]):
            for turn in (-1, 0, 1):
                self.cuts[cut.region].append((_box(on, cut.box, turn), cut.space))

    def has(self, point: Point) -> str:
        upon = self.upon.at(point)
        if upon:
            return upon
        whose = self.land.at(point)
        if not whose:
            return self._water(point)
        space = self._part(whose, point) if whose in self.rest else whose
        return "land" if space == "void" else space

    def _part(self, region: str, point: Point) -> str:
        for shape, space in self.cuts.get(region, ()):
            if shape.intersects(point):
                return space
        if region in self.splits:
            return self.splits[region].at(point)
        return self.rest[region]

    def _water(self, point: Point) -> str:
        zone = self.sea.at(point)
        for taken, strip, space in self.strips:
            if taken == zone and strip.intersects(point):
                zone = space
        return zone


def _divided(plan: Plan) -> set[str]:
    """The countries and provinces that are cut, or split by seeds."""
    return {*plan.split, *(cut.region for cut in plan.cuts)}


def _listed(plan: Plan, region: str) -> str:
    """The space that takes a region as a whole, or what is left of it; `land` if none does."""
    country, _, province = region.partition("/")
    for space, names in plan.provinces.get(country, {}).items():
        if province in names:
            return space
    for space, countries in plan.land.items():
        if country in countries:
            return space
    return "land"


def _joined(plan: Plan, world: World) -> dict[str, BaseGeometry]:
    """All land in degrees: by its space, but what is cut or split by its country or province."""
    named = {
        f"{country}/{name}"
        for country, spaces in plan.provinces.items()
        for names in spaces.values()
        for name in names
    }
    countries = {country for all in plan.land.values() for country in all}
    for region in sorted({*named, *countries, *_divided(plan)}):
        known = world.provinces if "/" in region else world.countries
        if region not in known:
            close = get_close_matches(region, sorted(known), n=1)
            hint = f" Did you mean {close[0]}?" if close else ""
            raise MapError(f"Natural Earth has no {region}.{hint}")
    for name in sorted({name for names in plan.lakes.values() for name in names}):
        if name not in world.lakes:
            raise MapError(f"There is no lake {name}; there are: {', '.join(sorted(world.lakes))}.")
    divided = _divided(plan)
    parts: dict[str, list[BaseGeometry]] = defaultdict(list)
    for province, shape in world.provinces.items():
        country = country_of(province)
        if province in divided:
            whose = province
        elif country in divided and province not in named:
            whose = country
        else:
            whose = _listed(plan, province)
        parts[whose].append(shape)
    for region in sorted(divided - set(parts)):
        raise MapError(f"All provinces of {region} are listed: nothing is left to cut or split.")
    return {whose: shapely.union_all(shapes) for whose, shapes in parts.items()}


def _land(plan: Plan, wholes: dict[str, BaseGeometry]) -> list[tuple[str, BaseGeometry]]:
    """The parts of all land, without the islands that are too small to be seen."""
    parts = [(whose, part) for whose, shape in wholes.items() for part in _polygons(shape)]
    tree = STRtree([part for _, part in parts])
    return [
        (whose, part.buffer(0))
        for whose, part in parts
        # A small piece inside a larger one is no island.
        if part.area >= plan.sheet.smallest * UNITS * UNITS
        or len(tree.query(part, predicate="intersects")) > 1
    ]


def _islets(plan: Plan, on: Projection, wholes: dict[str, BaseGeometry]) -> list[Polygon]:
    """The real islands inside the circles that stand for them."""
    circles = [circle for _, circle in _circles(plan, on, (0,))]
    found = []
    for shape in wholes.values():
        for circle in circles:
            found += _polygons(shape.intersection(circle))
    return [part for part in found if part.area >= UNITS * UNITS]


def _connectors(
    board: Board,
    plan: Plan,
    on: Projection,
    drawn: dict[str, BaseGeometry],
    labels: dict[str, Labelled],
) -> dict[Pair, list[list[float]]]:
    """The lines of canals, straits and routes: as declared, else the shortest way."""
    paths = {pair(*each.pair): _path(on, each.by) for each in plan.connectors}
    for link in board.links:
        if link.pair not in paths:
            paths[link.pair] = _shortest(on, *(drawn[id] for id in link.pair))
    return paths


def _shortest(on: Projection, a: BaseGeometry, b: BaseGeometry) -> list[list[float]]:
    """A line from well inside one shape to well inside the other, over where they are nearest."""
    a, b = _large(a), _large(b)
    turns = [translate(b, turn * on.turn) for turn in (-1, 0, 1)]
    b = min(turns, key=a.distance)
    if a.distance(b) > 0:
        start, end = (point.coords[0] for point in shapely.ops.nearest_points(a, b))
    else:
        shared = shapely.line_merge(a.intersection(b))
        lines = [line for line in getattr(shared, "geoms", [shared]) if line.length > 0]
        middle = max(lines, key=lambda line: line.length).interpolate(0.5, normalized=True)
        start = end = middle.coords[0]
    ends = []
    for shape, at in ((a, start), (b, end)):
        near = shape.intersection(Point(at).buffer(22 * UNITS))
        part = max(_polygons(near), key=lambda part: part.area)
        inner = shapely.maximum_inscribed_circle(part, tolerance=UNITS).coords[0]
        ends.append(inner)
    points = [ends[0], start, end, ends[1]] if start != end else [ends[0], start, ends[1]]
    return [[round(x / UNITS, 1), round(y / UNITS, 1)] for x, y in points]


def _large(shape: BaseGeometry) -> BaseGeometry:
    """The parts of a shape that are more than its islets."""
    parts = _polygons(shape)
    least = max(part.area for part in parts) / 8
    return MultiPolygon([part for part in parts if part.area >= least])


def _circles(
    plan: Plan, on: Projection, turns: Iterable[int] = (-1, 0, 1)
) -> list[tuple[str, BaseGeometry]]:
    every = [(id, island.at, island.radius) for id, island in plan.islands.items()]
    every += [(dot.space, dot.at, dot.radius) for dot in plan.dots]
    found: list[tuple[str, BaseGeometry]] = []
    for id, at, radius in every:
        x, y = on.point(*at)
        for turn in turns:
            middle = Point(x % on.turn + turn * on.turn, y)
            found.append((id, middle.buffer(radius * UNITS, quad_segs=8)))
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


def _tidy(groups: Groups, smallest: float, board: Board) -> None:
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
            # Where it is cut off from the rest of its zone, water is a crumb sooner than land is.
            limit = smallest * (200 if _is_sea(key[0], board) else 8)
            crumb = part.area < limit and part.area < largest[key] / 10
            goes = key
            if crumb:
                shared: dict[tuple[str, int], float] = defaultdict(float)
                for i in tree.query(part):
                    other, shape = parts[i]
                    if shape is not part:
                        shared[other] += part.boundary.intersection(shape.boundary).length
                alike = [o for o in shared if shared[o] > 0 and _same_kind(key[0], o[0], board)]
                if not alike and _is_sea(key[0], board) and part.area < 8 * smallest:
                    # A pond, or a gap between provinces.
                    alike = [o for o in shared if shared[o] > 0]
                goes = max(alike, key=lambda o: shared[o], default=key)
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
    paths: dict[Pair, list[list[float]]],
) -> dict[str, Any]:
    """The finished file."""
    spaces: list[tuple[str, dict[str, Any], list[topology.Polygon]]] = []
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
    layers: topology.Layers = {
        "spaces": spaces,
        "land": [("land", {}, _rings(others))],
        "islets": [("islets", {}, _rings(MultiPolygon(islets)))],
    }
    built = topology.encode(layers, 1 / UNITS)
    sheet = plan.sheet
    kinds = {link.pair: link.kind for link in board.links}
    height = on.y.place(-sheet.south) - on.y.place(-sheet.north)
    built["sheet"] = {
        "game": board.game,
        "width": sheet.width,
        "top": round(on.y.place(-sheet.north) / UNITS, 1),
        "height": round(height / UNITS, 1),
        "wrap": True,
        "borders": [[*both, kind] for both, kind in sorted(board.sides.items())],
        "seam": sheet.seam,
        "plan": digest(plan),
        "source": "Natural Earth (public domain), stretched",
        "views": {name: _view(on, degrees) for name, degrees in plan.views.items()},
        "connectors": [
            {"pair": both, "kind": kinds.get(both, "border"), "by": path}
            for both, path in sorted(paths.items())
        ],
    }
    return built


def _view(on: Projection, degrees: tuple[float, float, float, float]) -> list[float]:
    """A box of degrees as x, y, width and height of the sheet."""
    west, south, east, north = degrees
    left, bottom = on.point(south, west)
    right, top = on.point(north, east)
    width = (right - left) % on.turn
    return [round(v / UNITS, 1) for v in (left % on.turn, top, width, bottom - top)]


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
