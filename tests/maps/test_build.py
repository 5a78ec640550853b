"""Making a map: a made-up world of a few countries, built from end to end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

pytest.importorskip("shapely")

import shapely
from shapely.geometry import Polygon

from sandtable.maps import topology
from sandtable.maps.board import Board, Link, MapError, Space, pair
from sandtable.maps.build import build
from sandtable.maps.cells import cells, latitude_of, mercator
from sandtable.maps.check import check
from sandtable.maps.plan import Plan
from sandtable.maps.sheet import Sheet, read_sheet
from sandtable.maps.world import FILE, World, around


def square(west: float, south: float, east: float, north: float) -> topology.Ring:
    """A ring in tenths of a degree."""
    corners = [(west, south), (west, north), (east, north), (east, south)]
    return [(round(x * 10), round(y * 10)) for x, y in corners]


def world(folder: Path) -> Path:
    """A country of two provinces with a lake on their border, and one on the date line, cut there
    as Natural Earth cuts it."""
    provinces = {
        "FRA/West": [square(-10, -10, 0, 10)],
        "FRA/East": [square(0, -10, 10, 10)],
        "RUS/Chukchi": [square(150, 0, 180, 20), square(-180, 0, -150, 20)],
    }
    layers: topology.Layers = {
        "provinces": [(id, {}, [[ring] for ring in rings]) for id, rings in provinces.items()],
        "lakes": [("Wide", {}, [[square(-3, -2, 3, 2)]])],
    }
    path = folder / "provinces.topojson"
    path.write_text(json.dumps(topology.encode(layers, 0.1)), encoding="utf-8")
    return path


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
    "cuts": [{"region": "FRA", "box": [5, -20, 11, 20], "space": "cut"}],
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
    plan = msgspec.convert(PLAN | (changes or {}), Plan)
    built = build(board, plan, world(folder), lambda _: None)
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
    joined = around(World(world(tmp_path)).provinces["RUS/Chukchi"], 0, 360)
    assert joined.bounds == pytest.approx((150, 0, 210, 20))
    assert joined.geom_type == "Polygon"


def test_a_box_cuts_a_country_where_it_says(tmp_path: Path) -> None:
    _, sheet = made(tmp_path)
    xs = [x for x, _ in sheet.spaces["cut"].polygons[0][0]]
    whole = [x for x, _ in sheet.spaces["france"].polygons[0][0]]
    assert min(xs) == max(whole)


def test_a_space_without_a_shape_is_named(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="cut has no shape"):
        made(tmp_path, {"cuts": []})


def test_a_country_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="Natural Earth has no XYZ"):
        made(tmp_path, {"land": {"france": ["FRA", "XYZ"]}})


def test_a_province_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MapError, match=r"no FRA/Eats\. Did you mean FRA/East\?"):
        made(tmp_path, {"provinces": {"FRA": {"cut": ["Eats"]}}})


def test_a_province_goes_where_it_is_listed(tmp_path: Path) -> None:
    board, sheet = made(tmp_path, {"cuts": [], "provinces": {"FRA": {"cut": ["East"]}}})
    assert check(board, sheet).faults == []
    xs = [x for x, _ in sheet.spaces["cut"].polygons[0][0]]
    whole = [x for x, _ in sheet.spaces["france"].polygons[0][0]]
    assert min(xs) == max(whole)
    assert (max(xs) - min(xs)) == pytest.approx(max(whole) - min(whole), rel=0.1)


def test_a_province_can_be_cut_and_split(tmp_path: Path) -> None:
    """What is left of a cut province goes to the space that has it, and seeds divide the other."""
    cut = {"region": "FRA/East", "box": [5, -20, 11, 20], "space": "cut"}
    split = PLAN["split"] | {"FRA/West": {"france": [[5, -5]], "cut": [[-5, -5]]}}
    _, sheet = made(tmp_path, {"cuts": [cut], "split": split})
    assert len(sheet.spaces["cut"].polygons) == 2
    assert len(sheet.spaces["france"].polygons) == 1


def test_a_country_of_which_nothing_is_left_cannot_be_cut(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="All provinces of FRA are listed"):
        made(tmp_path, {"provinces": {"FRA": {"cut": ["East"], "france": ["West"]}}})


def test_a_lake_is_water_if_it_is_named(tmp_path: Path) -> None:
    _, dry = made(tmp_path)
    assert len(dry.spaces["france"].polygons[0]) == 1
    board, sheet = made(tmp_path, {"lakes": {"near": ["Wide"]}})
    _, *holes = sheet.spaces["france"].polygons[0]
    assert len(holes) == 1
    assert len(sheet.spaces["near"].polygons) == 2
    assert check(board, sheet).faults == []
    with pytest.raises(MapError, match="no lake Deep; there are: Wide"):
        made(tmp_path, {"lakes": {"near": ["Deep"]}})


def test_the_shapes_of_the_world_are_whole() -> None:
    """They meet on the date line and leave no gap between provinces."""
    shapes = World(FILE).provinces
    assert around(shapes["RUS/Chukchi Autonomous Okrug"], 0, 360).bounds[2] > 190
    japan = shapely.union_all([s for id, s in shapes.items() if id.startswith("JPN/")])
    honshu = max(shapely.get_parts(japan), key=lambda part: part.area)
    assert sum(Polygon(ring).area for ring in honshu.interiors) < 0.01


def test_cells_repeat_round_the_globe() -> None:
    found = cells({"a": [(0, 0)], "b": [(0, 90)], "c": [(0, 180)]}, -180, 540)
    assert {name for name, _ in found} == {"a", "b", "c"}
    spans = {(name, round(cell.bounds[0]), round(cell.bounds[2])) for name, cell in found}
    assert ("a", -90, 45) in spans
    assert ("a", 270, 405) in spans


@pytest.mark.parametrize("latitude", [-70, -1.5, 0, 45, 80])
def test_mercator_and_back(latitude: float) -> None:
    assert latitude_of(mercator(latitude)) == pytest.approx(latitude)
