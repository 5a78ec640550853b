"""How `provinces.topojson` was made out of Natural Earth's public-domain files.

    python -m sandtable.maps.natural_earth provinces.gpkg ne_50m_lakes.json

The first is a GeoPackage with a layer `states_provinces`, generalised from the 1:10m files: QGIS
comes with one (`resources/data/world_map.gpkg`). The second are the lakes at 1:50m as GeoJSON.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Iterator
from math import copysign
from pathlib import Path

import numpy as np
import shapely
from shapely.geometry import shape
from shapely.geometry.base import BaseGeometry

from sandtable.maps import topology
from sandtable.maps.world import FILE, Shapes

UNITS = 100
"""Whole units of the file per degree."""
TOLERANCE = 0.02
"""How far a line may be off, in degrees."""
SMALLEST = 0.0004
"""Islands that are smaller, in square degrees, are left out, but for the largest of a province."""
EDGE = 179.89

CODES = {"ALD": "ALA", "SDS": "SSD", "PSX": "PSE", "SAH": "ESH"}
"""ISO's codes of countries that Natural Earth calls otherwise."""
PARTS = {"KAB": "KAZ", "USG": "CUB", "ESB": "CYP", "WSB": "CYP"}
"""Bases that are countries of their own in Natural Earth, and the country around each."""
LAKES = {
    "L. Erie": "Erie",
    "L. Ontario": "Ontario",
    "Lake Huron": "Huron",
    "Lake Michigan": "Michigan",
    "Lake Superior": "Superior",
    "L. St. Clair": "St Clair",
}


def make(provinces: Path, lakes: Path) -> None:
    """Write the simplified shapes beside this module."""
    named: dict[str, list[BaseGeometry]] = defaultdict(list)
    for id, geometry in _provinces(provinces):
        named[id].append(geometry)
    # Namesakes of one country are a town and the land around it: they are one province.
    whole = {id: shapely.coverage_union_all(parts) for id, parts in sorted(named.items())}
    water = {
        LAKES[feature["properties"]["name"]]: shape(feature["geometry"])
        for feature in json.loads(lakes.read_text(encoding="utf-8"))["features"]
        if feature["properties"]["name"] in LAKES
    }
    layers: topology.Layers = {
        layer: [(id, {}, _polygons(geometry)) for id, geometry in _simplified(shapes).items()]
        for layer, shapes in (("provinces", whole), ("lakes", water))
    }
    text = json.dumps(topology.encode(layers, 1 / UNITS), ensure_ascii=False, separators=(",", ":"))
    FILE.write_text(text + "\n", encoding="utf-8")


def _provinces(path: Path) -> Iterator[tuple[str, BaseGeometry]]:
    """Every province of a GeoPackage: country and name, and its shape."""
    with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as file:
        rows = file.execute("select adm0_a3, admin, name, geom from states_provinces")
        for code, country, name, blob in rows:
            # The geometry stands behind a header, whose flags tell how long it is.
            header = 8 + (0, 32, 48, 48, 64)[(blob[3] >> 1) & 7]
            code = CODES.get(code, code)
            called = country if code in PARTS or not name else name
            yield f"{PARTS.get(code, code)}/{called}", shapely.from_wkb(blob[header:])


def _simplified(shapes: Shapes) -> Shapes:
    simple = shapely.coverage_simplify(np.array(list(shapes.values())), TOLERANCE)
    return dict(zip(shapes, simple, strict=True))


def _polygons(geometry: BaseGeometry) -> list[topology.Polygon]:
    parts = sorted(shapely.get_parts(geometry), key=lambda part: -part.area)
    found = []
    for i, part in enumerate(parts):
        if i and part.area < SMALLEST:
            break
        rings = [_ring(list(ring.coords)) for ring in (part.exterior, *part.interiors)]
        if len(rings[0]) < 3:
            x, y = rings[0][0]
            rings = [[(x, y), (x + 1, y), (x, y + 1)]]
        found.append([ring for ring in rings if len(ring) >= 3])
    return found


def _ring(points: list[tuple[float, ...]]) -> topology.Ring:
    # The package's shapes stop short of the date line, and would not meet there.
    degrees = [(copysign(180, x) if abs(x) > EDGE else x, y) for x, y in points]
    whole = [(round(x * UNITS), round(y * UNITS)) for x, y in degrees]
    return [point for i, point in enumerate(whole[1:]) if point != whole[i]]


if __name__ == "__main__":
    make(Path(sys.argv[1]), Path(sys.argv[2]))
