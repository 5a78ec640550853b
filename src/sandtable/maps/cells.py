"""Cells around seeds: each place goes to the space of the nearest seed, with smooth borders.

Nearness is measured on Mercator's plane, which keeps angles: cells look the same at any latitude.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import asinh, atan, degrees, hypot, inf, radians, sinh, tan

import shapely
from shapely.geometry import LineString, MultiPoint, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize, unary_union
from shapely.strtree import STRtree

Cell = tuple[str, Polygon]

POLE = 85.0
ROUNDS = 3
EPSILON = 1e-9


def mercator(latitude: float) -> float:
    """The height of a latitude on Mercator's plane, in degrees of the equator."""
    return degrees(asinh(tan(radians(min(max(latitude, -POLE), POLE)))))


def latitude_of(height: float) -> float:
    """The inverse of `mercator`."""
    return degrees(atan(sinh(radians(height))))


def cells(
    seeds: Mapping[str, Sequence[tuple[float, float]]],
    west: float,
    east: float,
    corner: float = inf,
) -> list[Cell]:
    """The cells of spaces between two longitudes, in degrees, longitude first.

    `seeds` are latitude and longitude. They repeat every 360 degrees, so that `east - west` may be
    more than that. `corner` is the most that is cut off of an edge, in degrees, where corners are
    rounded.
    """
    owner: dict[tuple[float, float], str] = {}
    for space, places in seeds.items():
        for latitude, longitude in places:
            for turn in range(-2, 3):
                x = longitude + 360.0 * turn
                if west - 90 <= x <= east + 90:
                    owner[(x, mercator(latitude))] = space
    frame = box(west - 90, mercator(-POLE), east + 90, mercator(POLE))
    if len(set(owner.values())) == 1:
        return [(next(iter(seeds)), _to_degrees(box(west, frame.bounds[1], east, frame.bounds[3])))]
    points = MultiPoint(list(owner))
    raw = list(shapely.voronoi_polygons(points, extend_to=frame).geoms)
    tree = STRtree([shapely.Point(at) for at in owner])
    names = list(owner.values())
    merged: dict[str, list[BaseGeometry]] = {}
    for cell in raw:
        inside = [i for i in tree.query(cell) if cell.covers(tree.geometries[i])]
        merged.setdefault(names[inside[0]], []).append(cell)
    zones = {space: unary_union(parts) for space, parts in merged.items()}
    window = box(west, frame.bounds[1], east, frame.bounds[3])
    return [
        (space, _to_degrees(part))
        for space, whole in _smooth(zones, corner)
        for part in getattr(whole.intersection(window), "geoms", [whole.intersection(window)])
        if isinstance(part, Polygon) and not part.is_empty
    ]


def _smooth(zones: Mapping[str, BaseGeometry], corner: float) -> list[tuple[str, BaseGeometry]]:
    """The same zones with rounded borders; where three meet, they still meet."""
    edges = unary_union([zone.boundary for zone in zones.values()])
    merged = shapely.line_merge(edges)
    lines = [_rounded(line, corner) for line in getattr(merged, "geoms", [merged])]
    names, shapes = list(zones), list(zones.values())
    tree = STRtree(shapes)
    found: list[tuple[str, BaseGeometry]] = []
    for face in polygonize(unary_union(lines)):
        shares = {i: shapes[i].intersection(face).area for i in tree.query(face)}
        found.append((names[max(shares, key=lambda i: shares[i])], face))
    return found


def _rounded(line: LineString, corner: float) -> LineString:
    """Corners cut again and again (Chaikin's way); the ends stay where they are."""
    points = list(line.coords)
    closed = points[0] == points[-1]
    for _ in range(ROUNDS):
        cut = [] if closed else [points[0]]
        for (ax, ay), (bx, by) in pairwise(points):
            near = min(0.25, corner / max(hypot(bx - ax, by - ay), EPSILON))
            far = 1 - near
            cut.append((far * ax + near * bx, far * ay + near * by))
            cut.append((near * ax + far * bx, near * ay + far * by))
        points = [*cut, cut[0]] if closed else [*cut, points[-1]]
    return LineString(points)


def _to_degrees(shape: Polygon) -> Polygon:
    dense = shape.segmentize(1.0)
    return Polygon(
        [(x, latitude_of(y)) for x, y in dense.exterior.coords],
        [[(x, latitude_of(y)) for x, y in ring.coords] for ring in dense.interiors],
    )
