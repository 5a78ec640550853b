"""A finished map, read from its TopoJSON file."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from pathlib import Path
from typing import Any

from sandtable.maps import topology
from sandtable.maps.board import MapError, Pair, folder_of, pair
from sandtable.maps.topology import Point, Polygon

Edge = tuple[Point, Point]

LIMIT = 250_000
"""The largest size of a map, compressed, in bytes."""


@dataclass(frozen=True)
class Drawn:
    """A space as it is drawn. Polygons are in whole units, points in units of the sheet."""

    id: str
    name: str
    sea: bool
    polygons: list[Polygon]
    label: tuple[float, float]
    units: tuple[float, float]
    text: dict[str, Any]
    island: bool = False
    number: str = ""
    """Printed in a hex."""
    coast: bool = False
    """A hex with land and sea in it."""


@dataclass(frozen=True)
class Sheet:
    """A map. With `wrap` it goes round: what leaves it on the right is there again `width` to the
    left."""

    game: str
    wrap: bool
    width: float
    top: float
    height: float
    scale: float
    spaces: dict[str, Drawn]
    land: list[Polygon]
    """Land that belongs to no space."""
    islets: list[Polygon]
    shores: dict[str, list[Polygon]]
    """The land in hexes that are not all land or all sea."""
    connectors: dict[Pair, list[tuple[float, float]]]
    sides: dict[Pair, str]
    """The kinds of borders that are more than a line."""
    views: dict[str, tuple[float, float, float, float]]
    plan: str
    """The fingerprint of the declaration that it was built from."""
    size: int
    """Of the file, compressed, in bytes."""

    @cached_property
    def turn(self) -> int:
        """The width in whole units."""
        return round(self.width / self.scale)

    @cached_property
    def edges(self) -> dict[Edge, list[str]]:
        """Every piece of a border with the spaces that have it, in whichever copy of the globe."""
        found: dict[Edge, list[str]] = defaultdict(list)
        for id, space in self.spaces.items():
            for rings in space.polygons:
                for ring in rings:
                    for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
                        found[self.edge(a, b)].append(id)
        return dict(found)

    def edge(self, a: Point, b: Point) -> Edge:
        """A piece of a border, in either direction and at either side of the seam the same."""
        if (b[0] % self.turn, b[1]) < (a[0] % self.turn, a[1]):
            a, b = b, a
        x = a[0] % self.turn
        return (x, a[1]), (x + b[0] - a[0], b[1])

    @cached_property
    def borders(self) -> dict[Pair, float]:
        """Pairs of spaces that share a border, and its length in units of the sheet."""
        found: dict[Pair, float] = defaultdict(float)
        for (a, b), owners in self.edges.items():
            if len(set(owners)) == 2:
                length = hypot(b[0] - a[0], b[1] - a[1]) * self.scale
                found[pair(owners[0], owners[1])] += length
        return dict(found)


def read_sheet(path: Path, text: str | None = None) -> Sheet:
    """The map in a file; `text` is its content if it has been read."""
    if text is None:
        text = path.read_text(encoding="utf-8")
    try:
        return _sheet(json.loads(text), len(gzip.compress(text.encode(), 9, mtime=0)))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise MapError(f"{path.name} is no map of ours: {error!r}. Build it again.") from None


def write(game: str, built: dict[str, Any]) -> tuple[Path, int]:
    """Write a built map beside its game; the file and its compressed size."""
    text = json.dumps(built, ensure_ascii=False, separators=(",", ":")) + "\n"
    size = len(gzip.compress(text.encode(), 9, mtime=0))
    if size > LIMIT:
        raise MapError(f"The map has {size} bytes compressed, more than {LIMIT}: simplify more.")
    path = folder_of(game) / "map.topojson"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path, size


def sheet_of(game: str) -> Sheet:
    """The map of a game; MapError if it has none."""
    path = folder_of(game) / "map.topojson"
    if not path.is_file():
        raise MapError(f"{game} has no map yet. Try: sandtable map build {game}")
    return read_sheet(path)


def _sheet(file: dict[str, Any], size: int) -> Sheet:
    about = file["sheet"]
    shapes = topology.decode(file, "spaces")
    spaces = {}
    for geometry in file["objects"]["spaces"]["geometries"]:
        id, told = geometry["id"], geometry["properties"]
        units = _point(told["units"])
        spaces[id] = Drawn(
            id=id,
            name=told.get("name", id),
            sea=told["sea"],
            polygons=shapes[id],
            label=_point(told["label"]) if "label" in told else units,
            units=units,
            text=told.get("text", {"lines": [], "at": units, "size": 0}),
            island=told.get("island", False),
            number=told.get("number", id if about.get("hexes") else ""),
            coast=told.get("coast", False),
        )
    return Sheet(
        game=about["game"],
        wrap=about["wrap"],
        width=about["width"],
        top=about["top"],
        height=about["height"],
        scale=file["transform"]["scale"][0],
        spaces=spaces,
        land=topology.decode(file, "land")["land"],
        islets=topology.decode(file, "islets")["islets"],
        shores=topology.decode(file, "shores") if "shores" in file["objects"] else {},
        connectors={
            pair(*each["pair"]): [_point(p) for p in each["by"]] for each in about["connectors"]
        },
        sides={pair(a, b): kind for a, b, kind in about["borders"]},
        views={name: tuple(view) for name, view in about["views"].items()},
        plan=about["plan"],
        size=size,
    )


def _point(values: list[float]) -> tuple[float, float]:
    x, y = values
    return float(x), float(y)
