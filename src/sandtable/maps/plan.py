"""The declaration of a game's map: `map/shapes.yaml` beside the game.

Places are latitude and longitude, as in the games' data; boxes are west, south, east, north.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from sandtable.kernel.data import Document, read
from sandtable.maps.board import Board, MapError, folder_of

Place = tuple[
    Annotated[float, Meta(ge=-90, le=90)],
    Annotated[float, Meta(ge=-180, le=180)],
]
Box = tuple[float, float, float, float]
Knot = tuple[float, Annotated[float, Meta(gt=0)]]


class Sheet(Struct, frozen=True, forbid_unknown_fields=True):
    """The sheet: its left edge (the seam where the map goes round), its span and its stretch."""

    seam: float
    north: float
    south: float
    width: Annotated[int, Meta(ge=500, le=10000)]
    longitude: tuple[Knot, ...]
    latitude: tuple[Knot, ...]
    simplify: float = 0.5
    """How far a line may be off, in sheet units."""
    smallest: float = 6.0
    """Islands with a smaller area, in square units, are left out."""


class Cut(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a country or province that goes to a space: what is inside the box."""

    region: str
    box: Box
    space: str


class Island(Struct, frozen=True, forbid_unknown_fields=True):
    """A space that is drawn as a circle, since its islands are too small to be seen."""

    at: Place
    radius: float = 14.0


class Dot(Struct, frozen=True, forbid_unknown_fields=True):
    """A circle that belongs to a space beside its mainland: islands that the rules need."""

    space: str
    at: Place
    radius: float = 8.0


class Label(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the name stands if the best place is not found by itself; and its units."""

    at: Place | None = None
    lines: tuple[str, ...] = ()
    size: float | None = None
    units: Place | None = None


class Connector(Struct, frozen=True, forbid_unknown_fields=True):
    """How a canal, a strait or a route is drawn. One without a line here takes the shortest way."""

    pair: tuple[str, str]
    by: tuple[Place, ...]


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that is declared about a map."""

    sheet: Sheet
    land: dict[str, tuple[str, ...]]
    """Space to the countries that it covers, whole or what nobody else takes of them."""
    sea: dict[str, tuple[Place, ...]]
    """Space to its seeds: the sea goes to the nearest one. `void` is water outside the game."""
    provinces: dict[str, dict[str, tuple[str, ...]]] = {}
    """Country to space to the names of the provinces that it covers."""
    lakes: dict[str, tuple[str, ...]] = {}
    """Sea space, or `void`, to its lakes. A lake that nobody names is land."""
    cuts: tuple[Cut, ...] = ()
    """Of several boxes the smallest takes a place."""
    split: dict[str, dict[str, tuple[Place, ...]]] = {}
    """Country, or country and province, to space to seeds: the land goes to the nearest one."""
    islands: dict[str, Island] = {}
    dots: tuple[Dot, ...] = ()
    labels: dict[str, Label] = {}
    connectors: tuple[Connector, ...] = ()
    views: dict[str, Box] = {}
    """Parts of the map that deserve a larger picture."""


def digest(plan: Plan) -> str:
    """A short fingerprint of a declaration: a map tells from which one it was built."""
    return sha256(msgspec.json.encode(plan)).hexdigest()[:16]


def plan_of(board: Board) -> Plan:
    """The checked declaration of a game's map."""
    path = folder_of(board.game) / "shapes.yaml"
    if not path.is_file():
        raise MapError(f"{board.game} has no declaration of its map: {path} is missing.")
    document = read(path, Plan)
    _check(document, board)
    return document.value


def _check(document: Document[Plan], board: Board) -> None:
    plan = document.value
    lands = [id for id, space in board.spaces.items() if not space.sea]
    seas = [id for id, space in board.spaces.items() if space.sea]
    for id in plan.land:
        document.check_known(id, lands, "land space", "land", id)
    for id in plan.islands:
        document.check_known(id, lands, "land space", "islands", id)
    for id in plan.sea:
        document.check_known(id, [*seas, "void"], "sea space", "sea", id)
    for id in plan.labels:
        document.check_known(id, board.spaces, "space", "labels", id)
    for i, cut in enumerate(plan.cuts):
        document.check_known(cut.space, [*lands, "void"], "land space", "cuts", i, "space")
    for i, dot in enumerate(plan.dots):
        document.check_known(dot.space, lands, "land space", "dots", i, "space")
    for table, regions in (("split", plan.split), ("provinces", plan.provinces)):
        for region, spaces in regions.items():
            for id in spaces:
                document.check_known(id, [*lands, "void"], "land space", table, region, id)
    for id in plan.lakes:
        document.check_known(id, [*seas, "void"], "sea space", "lakes", id)
    for i, connector in enumerate(plan.connectors):
        for id in connector.pair:
            document.check_known(id, board.spaces, "space", "connectors", i, "pair")
    document.check_complete(sorted({*plan.sea, *plan.lakes}), sorted({*seas, "void"}), "sea")
    drawn = {*plan.land, *plan.islands, *(cut.space for cut in plan.cuts)}
    for regions in (plan.split, plan.provinces):
        drawn.update(id for spaces in regions.values() for id in spaces)
    for id in lands:
        if id not in drawn:
            raise document.error(f"{id} has no shape", "land")
