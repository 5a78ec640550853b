"""The land in hexes that lie on the globe: Natural Earth's shapes, cut along the hexsides."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import floor

import shapely
from shapely.affinity import affine_transform
from shapely.geometry import Point as Spot
from shapely.geometry import Polygon as Shape
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

from sandtable.maps.topology import Point, Polygon, Ring
from sandtable.maps.world import FILE, World, around

SIMPLIFY = 5.0
"""How far a coast may be off, in units of the file."""
SMALLEST = 150.0
"""Islands and lakes that are smaller, in square units of the file, are left out."""
ISLET = 55.0
"""The radius of the land that stands for islands too small to be seen."""
ALL = 0.997
"""A hex of which more is land is land altogether."""
BAND = 1000
"""The height of the bands in which the land is cut first."""


def shores(
    corners: Mapping[str, list[Point]],
    coasts: Collection[str],
    west: float,
    north: float,
    per_x: float,
    per_y: float,
) -> dict[str, list[Polygon]]:
    """Hex to the land in it, for those that are neither all land nor all sea. The place of a point
    is `west` and `north` of the sheet's corner and degrees for each unit of the file. Each of the
    `coasts` has some land, if only a spot."""
    right = max(x for ring in corners.values() for x, _ in ring)
    land = _land(west, north, per_x, per_y, right)
    bands: dict[int, BaseGeometry] = {}
    found = {}
    for id, ring in corners.items():
        hex = Shape(ring)
        band = floor(min(y for _, y in ring) / BAND)
        if band not in bands:
            strip = box(-BAND, band * BAND, right + BAND, (band + 2) * BAND)
            bands[band] = land.intersection(strip)
        part = bands[band].intersection(hex)
        if id in coasts and part.area < 3 * ISLET * ISLET:
            part = part.union(_islet(part, hex))
        if part.area > ALL * hex.area:
            continue
        polygons = _polygons(part)
        if polygons:
            found[id] = polygons
    return found


def _land(west: float, north: float, per_x: float, per_y: float, right: int) -> BaseGeometry:
    """All land on the sheet, and a little beyond its right edge, in units of the file."""
    world = World(FILE)
    lakes = shapely.union_all(list(world.lakes.values()))
    whole = shapely.union_all(list(world.provinces.values())).difference(lakes)
    strip = around(whole, west - 10, west + right * per_x + 10)
    placed = affine_transform(strip, [1 / per_x, 0, 0, -1 / per_y, -west / per_x, north / per_y])
    parts = []
    for part in shapely.get_parts(shapely.make_valid(placed, method="structure")):
        if part.area < SMALLEST:
            continue
        holes = [hole for hole in part.interiors if Shape(hole).area >= SMALLEST]
        parts.append(Shape(part.exterior, holes))
    return shapely.simplify(shapely.union_all(parts), SIMPLIFY)


def _islet(part: BaseGeometry, hex: Shape) -> BaseGeometry:
    """A spot where the largest island of a hex is, or else in its middle."""
    at = hex.centroid
    if not part.is_empty:
        at = max(shapely.get_parts(part), key=lambda piece: piece.area).centroid
    inner = hex.buffer(-1.3 * ISLET)
    if not inner.contains(at):
        at = shapely.shortest_line(inner, at).interpolate(0)
    return Spot(at.x, at.y).buffer(ISLET, quad_segs=3)


def _polygons(shape: BaseGeometry) -> list[Polygon]:
    found = []
    for part in shapely.get_parts(shape):
        if not isinstance(part, Shape) or part.area < SMALLEST:
            continue
        rings = [_ring(ring.coords) for ring in (part.exterior, *part.interiors)]
        if len(rings[0]) >= 3:
            found.append([ring for ring in rings if len(ring) >= 3])
    return found


def _ring(points: object) -> Ring:
    whole = [(round(x), round(y)) for x, y in points]  # type: ignore[attr-defined]
    return [point for i, point in enumerate(whole[1:]) if point != whole[i]]
