"""TopoJSON: what is written is read again, and borders are stored once."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from sandtable.maps import topology
from sandtable.maps.topology import Polygon, Ring

LEFT: list[Polygon] = [[[(0, 0), (10, 0), (10, 10), (0, 10)], [(2, 2), (4, 2), (4, 4)]]]
RIGHT: list[Polygon] = [[[(10, 0), (20, 0), (20, 10), (10, 10)]]]
HOLE: list[Polygon] = [[[(4, 4), (4, 2), (2, 2)]]]


def same(a: Ring, b: Ring) -> bool:
    """The same ring, wherever it begins and whichever way it goes."""
    turns = [a[i:] + a[:i] for i in range(len(a))]
    return b in turns or b[::-1] in turns


def test_round_trip() -> None:
    layers = {"spaces": [("a", {"name": "A"}, LEFT), ("b", {}, RIGHT), ("c", {}, HOLE)]}
    file = json.loads(json.dumps(topology.encode(layers, 0.5)))
    read = topology.decode(file, "spaces")
    for id, _, polygons in layers["spaces"]:
        for rings, again in zip(polygons, read[id], strict=True):
            for ring, other in zip(rings, again, strict=True):
                assert same(ring, other)
    assert file["objects"]["spaces"]["geometries"][0]["properties"] == {"name": "A"}
    assert file["transform"]["scale"] == [0.5, 0.5]


def test_a_shared_border_is_stored_once() -> None:
    file = topology.encode({"spaces": [("a", {}, LEFT), ("b", {}, RIGHT), ("c", {}, HOLE)]}, 1)
    # The border, what is left of both, and the ring around the hole.
    assert len(file["arcs"]) == 4
    a, b, c = (g["arcs"] for g in file["objects"]["spaces"]["geometries"])
    used = [abs(i) if i >= 0 else ~i for i in a[0][0]]
    assert set(used) & {i if i >= 0 else ~i for i in b[0][0]}
    assert {i if i >= 0 else ~i for i in a[0][1]} == {i if i >= 0 else ~i for i in c[0][0]}


@given(st.lists(st.integers(1, 6), min_size=1, max_size=6))
def test_a_row_of_boxes_survives(widths: list[int]) -> None:
    shapes = []
    x = 0
    for i, width in enumerate(widths):
        ring = [(x, 0), (x + width, 0), (x + width, 5), (x, 5)]
        shapes.append((str(i), {}, [[ring]]))
        x += width
    read = topology.decode(topology.encode({"row": shapes}, 1), "row")
    assert all(same(polygons[0][0], read[id][0][0]) for id, _, polygons in shapes)
