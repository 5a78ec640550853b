"""The countries of the world: Natural Earth's public-domain shapes, from the package world-atlas.

They are needed to build a map and at no other time; npm fetches them once into a cache folder.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from shapely import make_valid
from shapely.affinity import translate
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from sandtable.kernel.data import load
from sandtable.maps.board import MapError
from sandtable.maps.topology import polygons

PACKAGE = "world-atlas@2.0.2"
FILE = "countries-50m.json"


def countries(folder: Path | None = None) -> dict[str, BaseGeometry]:
    """Every country by its code, in degrees, longitude first. `folder` has the file already."""
    path = (folder or _fetched()) / FILE
    if not path.is_file():
        raise MapError(f"{path} is missing: it comes with npm's {PACKAGE}.")
    atlas = json.loads(path.read_text(encoding="utf-8"))
    codes = load(Path(__file__).parent / "countries.yaml", dict[str, str])
    shapes = {
        geometry["properties"]["name"]: geometry
        for geometry in atlas["objects"]["countries"]["geometries"]
    }
    return {code: _shape(atlas, shapes[name]) for code, name in codes.items() if name in shapes}


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


def _shape(atlas: dict[str, Any], geometry: dict[str, Any]) -> BaseGeometry:
    scale, shift = atlas["transform"]["scale"], atlas["transform"]["translate"]
    found = []
    for rings in polygons(atlas, geometry):
        degrees = [
            _unwrapped([(x * scale[0] + shift[0], y * scale[1] + shift[1]) for x, y in ring])
            for ring in rings
        ]
        # A hole may have been unwrapped to the other side of the date line.
        first = degrees[0][0][0]
        holes = [
            [(x - 360.0 * round((ring[0][0] - first) / 360.0), y) for x, y in ring]
            for ring in degrees[1:]
        ]
        found.append(Polygon(degrees[0], holes))
    return make_valid(unary_union([make_valid(polygon) for polygon in found]))


def _unwrapped(ring: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """A ring that goes on over the date line, instead of jumping to the other side of the map; one
    that goes round the globe is closed along the south pole."""
    line = [ring[0]]
    for x, y in ring[1:]:
        line.append((x - 360.0 * round((x - line[-1][0]) / 360.0), y))
    if abs(line[-1][0] - line[0][0]) > 180:
        line += [(line[-1][0], -90.0), (line[0][0], -90.0)]
    return line


def _fetched() -> Path:
    """The folder of the unpacked package; npm fetches it if it is not there."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = base / "sandtable" / PACKAGE.replace("@", "-")
    if (folder / FILE).is_file():
        return folder
    npm = shutil.which("npm")
    if npm is None:
        raise MapError("Building a map needs npm, to fetch the shapes of the world-atlas package.")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            [npm, "pack", "--silent", PACKAGE], cwd=scratch, capture_output=True, text=True
        )
        archives = list(Path(scratch).glob("*.tgz"))
        if done.returncode or not archives:
            raise MapError(f"npm could not fetch {PACKAGE}: {done.stderr.strip()[:200]}")
        with tarfile.open(archives[0]) as archive:
            member = archive.extractfile(f"package/{FILE}")
            if member is None:
                raise MapError(f"{PACKAGE} has no {FILE}.")
            (folder / FILE).write_bytes(member.read())
    return folder
