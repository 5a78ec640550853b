"""TopoJSON: shapes as rings of shared arcs, in whole numbers.

Every border is stored once, however many shapes it parts, so that neighbours fit exactly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

UNITS = 10
"""Whole units of a file per unit of its sheet."""

Point = tuple[int, int]
Ring = list[Point]
"""A closed line without its first point again at the end."""
Polygon = list[Ring]
"""The outer ring, then the holes."""
Layers = Mapping[str, Sequence[tuple[str, Mapping[str, Any], Sequence[Polygon]]]]
"""Shapes by layer: id, properties, polygons."""


def encode(
    objects: Layers,
    scale: float,
) -> dict[str, Any]:
    """A topology; a unit is `scale`."""
    nodes = _nodes(
        ring
        for layer in objects.values()
        for _, _, polygons in layer
        for polygon in polygons
        for ring in polygon
    )
    arcs: list[list[Point]] = []
    known: dict[tuple[Point, ...], int] = {}

    def arc(line: list[Point]) -> int:
        forward, backward = tuple(line), tuple(reversed(line))
        if forward in known:
            return known[forward]
        if backward in known:
            return ~known[backward]
        known[forward] = len(arcs)
        arcs.append(line)
        return known[forward]

    layers: dict[str, Any] = {}
    for name, layer in objects.items():
        geometries = []
        for id, properties, polygons in layer:
            parts = [[[arc(line) for line in _split(ring, nodes)] for ring in p] for p in polygons]
            geometry: dict[str, Any] = {"type": "MultiPolygon", "id": id, "arcs": parts}
            if properties:
                geometry["properties"] = dict(properties)
            geometries.append(geometry)
        layers[name] = {"type": "GeometryCollection", "geometries": geometries}
    return {
        "type": "Topology",
        "transform": {"scale": [scale, scale], "translate": [0, 0]},
        "objects": layers,
        "arcs": [_deltas(line) for line in arcs],
    }


def decode(topology: Mapping[str, Any], layer: str) -> dict[str, list[Polygon]]:
    """The polygons of a layer by id, in whole units."""
    return {
        geometry["id"]: polygons(topology, geometry)
        for geometry in topology["objects"][layer]["geometries"]
    }


def polygons(topology: Mapping[str, Any], geometry: Mapping[str, Any]) -> list[Polygon]:
    """The polygons of one shape of any topology, in its units."""
    parts = geometry.get("arcs", [])
    if geometry["type"] == "Polygon":
        parts = [parts]
    arcs = topology["arcs"]
    return [[_ring(arcs, ring) for ring in polygon] for polygon in parts]


def _ring(arcs: Sequence[Sequence[Sequence[int]]], indices: Iterable[int]) -> Ring:
    ring: Ring = []
    for index in indices:
        x = y = 0
        line: list[Point] = []
        for step in arcs[~index if index < 0 else index]:
            x, y = x + step[0], y + step[1]
            line.append((x, y))
        if index < 0:
            line.reverse()
        ring.extend(line[1:] if ring else line)
    return ring[:-1]


def _nodes(rings: Iterable[Ring]) -> set[Point]:
    """The points at which rings part ways: an arc ends there."""
    around: dict[Point, set[frozenset[Point]]] = defaultdict(set)
    for ring in rings:
        for i, point in enumerate(ring):
            around[point].add(frozenset((ring[i - 1], ring[(i + 1) % len(ring)])))
    return {point for point, ways in around.items() if len(ways) > 1}


def _split(ring: Ring, nodes: set[Point]) -> list[list[Point]]:
    """A ring cut at the nodes; a ring without one begins at its smallest point, so that two shapes
    that share all of it give the same arc."""
    starts = [i for i, point in enumerate(ring) if point in nodes]
    if not starts:
        first = ring.index(min(ring))
        turned = ring[first:] + ring[:first]
        return [[*turned, turned[0]]]
    turned = ring[starts[0] :] + ring[: starts[0]]
    lines: list[list[Point]] = []
    line = [turned[0]]
    for point in [*turned[1:], turned[0]]:
        line.append(point)
        if point in nodes:
            lines.append(line)
            line = [point]
    return lines


def _deltas(line: Sequence[Point]) -> list[list[int]]:
    previous = (0, 0)
    steps = []
    for x, y in line:
        steps.append([x - previous[0], y - previous[1]])
        previous = (x, y)
    return steps
