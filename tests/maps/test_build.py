"""Making a map: a made-up world of a few countries, built from end to end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

pytest.importorskip("shapely")

from sandtable.maps.board import Board, Link, MapError, Space, pair
from sandtable.maps.build import build
from sandtable.maps.cells import cells, latitude_of, mercator
from sandtable.maps.check import check
from sandtable.maps.plan import Plan
from sandtable.maps.sheet import Sheet, read_sheet
from sandtable.maps.world import countries


def square(west: float, south: float, east: float, north: float) -> list[list[float]]:
    """A ring as Natural Earth would have it: longitudes from -180 to 180."""
    corners = [(west, south), (west, north), (east, north), (east, south), (west, south)]
    return [[(x + 180) % 360 - 180, y] for x, y in corners]


def world(folder: Path, shapes: dict[str, list[list[float]]]) -> Path:
    """A folder with countries, each a single arc in tenths of a degree."""
    arcs, geometries = [], []
    for i, (name, ring) in enumerate(shapes.items()):
        points = [[round(x * 10), round(y * 10)] for x, y in ring]
        arcs.append(
            [
                [x - (points[j - 1][0] if j else 0), y - (points[j - 1][1] if j else 0)]
                for j, (x, y) in enumerate(points)
            ]
        )
        geometries.append({"type": "Polygon", "arcs": [[i]], "properties": {"name": name}})
    atlas = {
        "transform": {"scale": [0.1, 0.1], "translate": [0, 0]},
        "arcs": arcs,
        "objects": {"countries": {"geometries": geometries}},
    }
    (folder / "countries-50m.json").write_text(json.dumps(atlas), encoding="utf-8")
    return folder


PLAN: dict[str, Any] = {
    "sheet": {
        "seam": -90,
        "north": 60,
        "south": -60,
        "width": 1800,
        "longitude": [[-90, 1], [0, 2], [270, 1]],
        "latitude": [[-60, 1], [60, 1]],
    },
    "land": {"france": ["FRA"]},
    "split": {"RUS": {"west": [[10, 165]], "east": [[10, -165]]}},
    "cuts": [{"country": "FRA", "box": [5, -20, 11, 20], "space": "cut"}],
    "sea": {
        "near": [[0, 0], [0, 30], [0, -30], [0, -60]],
        "far": [[0, 150], [0, 180], [0, -150], [0, 100], [0, -110]],
        "void": [[-80, 0], [-80, 180]],
    },
    "islands": {"dot": {"at": [-30, 40], "radius": 20}},
}


def made(folder: Path, changes: dict[str, Any] | None = None) -> tuple[Board, Sheet]:
    names = ["france", "cut", "west", "east", "dot", "near", "far"]
    at = {"france": (0, 0), "cut": (0, 8), "west": (10, 165), "east": (10, -165)}
    spaces = {
        id: Space(id, id.title(), id in ("near", "far"), at.get(id, (-30, 40))) for id in names
    }
    spaces["near"] = Space("near", "Near", True, (0, 0))
    spaces["far"] = Space("far", "Far", True, (0, 180))
    joined = ["france cut", "west east", "france near", "cut near", "west far", "east far"]
    joined += ["near far", "dot near"]
    board = Board(
        "made",
        spaces,
        frozenset(pair(*both.split()) for both in joined),
        (Link(pair("france", "dot"), "air"),),
    )
    shapes = {
        "France": square(-10, -10, 10, 10),
        "Russia": square(150, 0, 210, 20),
    }
    plan = msgspec.convert(PLAN | (changes or {}), Plan)
    built = build(board, plan, world(folder, shapes), lambda _: None)
    return board, read_sheet(Path("made"), json.dumps(built))


def test_a_made_up_world_is_sound(tmp_path: Path) -> None:
    board, sheet = made(tmp_path)
    report = check(board, sheet)
    assert report.faults == []
    assert report.by_connector == [("dot", "france")]
    assert not report.surplus


def test_a_country_on_the_date_line_is_joined(tmp_path: Path) -> None:
    _, sheet = made(tmp_path)
    west, east = (sheet.spaces[id] for id in ("west", "east"))
    assert len(west.polygons) == len(east.polygons) == 1
    assert sheet.borders[("east", "west")] > 50
    shapes = countries(tmp_path)
    assert shapes["RUS"].bounds == pytest.approx((150, 0, 210, 20))


def test_a_box_cuts_a_country_where_it_says(tmp_path: Path) -> None:
    _, sheet = made(tmp_path)
    xs = [x for x, _ in sheet.spaces["cut"].polygons[0][0]]
    whole = [x for x, _ in sheet.spaces["france"].polygons[0][0]]
    assert min(xs) == max(whole)


def test_a_space_without_a_shape_is_named(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="cut has no shape"):
        made(tmp_path, {"cuts": []})


def test_a_country_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="XYZ is no country"):
        made(tmp_path, {"land": {"france": ["FRA", "XYZ"]}})


def test_cells_repeat_round_the_globe() -> None:
    found = cells({"a": [(0, 0)], "b": [(0, 90)], "c": [(0, 180)]}, -180, 540)
    assert {name for name, _ in found} == {"a", "b", "c"}
    spans = {(name, round(cell.bounds[0]), round(cell.bounds[2])) for name, cell in found}
    assert ("a", -90, 45) in spans
    assert ("a", 270, 405) in spans


@pytest.mark.parametrize("latitude", [-70, -1.5, 0, 45, 80])
def test_mercator_and_back(latitude: float) -> None:
    assert latitude_of(mercator(latitude)) == pytest.approx(latitude)
