"""The provinces of the world, and a few lakes: Natural Earth's public-domain shapes.

They lie beside this module, simplified, and are needed to build a map and at no other time;
`natural_earth` made the file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from shapely import make_valid
from shapely.affinity import translate
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from sandtable.maps import topology
from sandtable.maps.board import MapError

FILE = Path(__file__).parent / "provinces.topojson"

Shapes = dict[str, BaseGeometry]


class World:
    """Every province and lake in degrees, longitude first. A province is called by its country's
    code and its name: `FRA/Somme`."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise MapError(f"{path} is missing: it has the shapes of the world.")
        file = json.loads(path.read_text(encoding="utf-8"))
        self.provinces = _shapes(file, "provinces")
        self.lakes = _shapes(file, "lakes")
        self.countries = {country_of(province) for province in self.provinces}


def country_of(region: str) -> str:
    """The code of the country of a province; that of a country is its own."""
    return region.partition("/")[0]


def around(shape: BaseGeometry, west: float, east: float) -> BaseGeometry:
    """A shape on a strip of the globe's plane from `west` to `east`, which may be wider than 360
    degrees: what lies on both sides of the date line is joined, and what fits twice is there
    twice."""
    window = box(west, -90, east, 90)
    parts = []
    for turn in range(-2, 3):
        part = translate(shape, 360.0 * turn).intersection(window)
        if not part.is_empty:
            parts.append(part)
    return unary_union(parts)


def _shapes(file: dict[str, Any], layer: str) -> Shapes:
    (scale, _), (east, north) = file["transform"]["scale"], file["transform"]["translate"]
    found = {}
    for id, polygons in topology.decode(file, layer).items():
        parts = []
        for rings in polygons:
            outer, *holes = ([(x * scale + east, y * scale + north) for x, y in r] for r in rings)
            parts.append(make_valid(Polygon(outer, holes), method="structure"))
        found[id] = unary_union(parts)
    return found
