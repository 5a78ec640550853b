"""Maps of hexes: the board that they make, the sheet that is drawn, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sandtable.board.hexes import Grid, Hex
from sandtable.games.gw75.facts import load_facts
from sandtable.kernel.vocabulary import UnknownWord
from sandtable.maps.board import Board, Globe, Link, MapError, Space, board_of, pair
from sandtable.maps.check import Report, check
from sandtable.maps.draw import draw
from sandtable.maps.hexes import build, digest, hex_board
from sandtable.maps.sheet import LIMIT, Sheet, read_sheet, sheet_of

ROWS = ["~cfc", "cmc~", "~cc~"]
TERRAIN = {"~": "", "c": "clear", "f": "forest", "m": "mountain"}
SIDES = {("0102", "0202"): "river", ("0302", "0303"): "blocked"}
GRIDS = {
    "pointed": Grid(4, 3),
    "flat": Grid(4, 3, "even", flat=True),
    "round": Grid(4, 3, wrap=True),
    "flat round": Grid(4, 3, flat=True, wrap=True),
}


def spaces() -> dict[str, Space]:
    found = {}
    for row, line in enumerate(ROWS):
        for column, letter in enumerate(line):
            id = f"{column + 1:02}{row + 1:02}"
            name = "High Pass" if letter == "m" else id
            hex: Hex = (column, row)
            found[id] = Space(id, name, letter == "~", hex=hex, terrain=TERRAIN[letter])
    return found


def board_on(grid: Grid) -> Board:
    return hex_board("made", grid, spaces(), sides=SIDES)


def sheet(board: Board) -> Sheet:
    return read_sheet(Path("map.topojson"), json.dumps(build(board)))


def checked(board: Board, on: Board | None = None) -> Report:
    return check(board, sheet(on or board), digest(board))


@pytest.mark.parametrize("grid", GRIDS.values(), ids=GRIDS)
def test_the_sheet_shows_the_board(grid: Grid) -> None:
    board = board_on(grid)
    report = checked(board)
    assert report.faults == []
    assert set(report.by_border) == board.borders
    assert pair("0302", "0303") in report.surplus
    assert ("0101", "0401") in board.borders or not grid.wrap
    assert sheet(board).wrap == grid.wrap


def test_hexsides_have_kinds_and_a_blocked_one_parts_neighbours() -> None:
    board = board_on(GRIDS["pointed"])
    assert board.sides == {("0102", "0202"): "river"}
    assert ("0102", "0202") in board.borders
    assert ("0302", "0303") not in board.borders
    other = hex_board("made", GRIDS["pointed"], spaces())
    assert ("0302", "0303") in other.borders
    faults = checked(board, other).faults
    assert "the border of 0102 and 0202 is none on the map, not river" in faults
    assert any("build it again" in fault for fault in faults)


def test_a_sheet_that_does_not_go_round_has_no_copies() -> None:
    flat, round_ = board_on(GRIDS["pointed"]), board_on(GRIDS["round"])
    assert "<use" not in draw(flat, sheet(flat))
    assert draw(round_, sheet(round_)).count("<use") == 2
    xs = [x for space in sheet(flat).spaces.values() for x, _ in space.polygons[0][0]]
    assert 0 < min(xs) < max(xs) < sheet(flat).turn


def test_a_picture_has_numbers_names_terrain_and_rivers() -> None:
    board = board_on(GRIDS["pointed"])
    svg = draw(board, sheet(board))
    assert all(f">{id}</text>" in svg for id in board.spaces)
    assert "High" in svg
    plain = hex_board(
        "made", GRIDS["pointed"], {id: replace(s, terrain="") for id, s in spaces().items()}
    )
    assert svg.count("<g transform") > draw(plain, sheet(plain)).count("<g transform") == 0
    assert "#2f78a8" in svg
    assert "#2f78a8" not in draw(plain, sheet(plain))


def test_a_link_between_far_hexes_is_drawn() -> None:
    link = Link(("0101", "0403"), "air")
    board = hex_board("made", GRIDS["pointed"], spaces(), links=(link,))
    assert checked(board).faults == []
    assert checked(board).by_connector == [("0101", "0403")]


def test_what_is_wrong_is_told_in_a_sentence() -> None:
    grid = GRIDS["pointed"]
    some = spaces()
    with pytest.raises(UnknownWord, match='no "moutain" among its terrain; perhaps mountain'):
        hex_board("made", grid, some | {"0202": replace(some["0202"], terrain="moutain")})
    with pytest.raises(UnknownWord, match='no "brook" among its borders'):
        hex_board("made", grid, some, sides={("0102", "0202"): "brook"})
    with pytest.raises(MapError, match="0101 and 0403 are not next to each other"):
        hex_board("made", grid, some, sides={("0101", "0403"): "river"})
    with pytest.raises(MapError, match="0202 is not on the grid of 4 columns, 3 rows"):
        hex_board("made", grid, some | {"0202": replace(some["0202"], hex=(4, 1))})
    with pytest.raises(MapError, match="0202 is not on the grid"):
        hex_board("made", grid, some | {"0202": replace(some["0202"], hex=None)})
    with pytest.raises(MapError, match="0101 and 0202 are the same hex"):
        hex_board("made", grid, some | {"0202": replace(some["0202"], hex=(0, 0))})


def test_a_map_of_the_size_of_the_globe_is_small_enough() -> None:
    grid = Grid(66, 39, wrap=True)
    many = {
        f"{column:02}{row:02}": Space(
            f"{column:02}{row:02}", "Name", row % 3 == 0, hex=(column, row)
        )
        for column in range(66)
        for row in range(39)
    }
    board = hex_board("made", grid, many)
    assert len(board.borders) == 66 * 39 * 3 - 66 * 2
    assert sheet(board).size < LIMIT


def on_the_globe() -> Board:
    """Six by four hexes from the Bay of Biscay to the Alps and beyond, ten degrees north to south;
    the one in the far west is a small island, and the land belongs to two countries."""
    found = {}
    for row in range(4):
        for column in range(6):
            id = f"{column + 1:02}{row + 1:02}"
            sea = column < 2
            found[id] = Space(
                id,
                id,
                sea and id != "0102",
                hex=(column, row),
                coast=id == "0102" or column == 2,
                region="" if sea else "france" if column < 4 else "italy",
                weather="" if row else "snowflake",
                marks=("factory",) if id == "0402" else (),
            )
    return hex_board(
        "made",
        Grid(6, 4),
        found,
        globe=Globe(west=-14.0, north=52.0, per_column=4.0, per_row=2.6),
        regions={"france": "France", "italy": "Italy"},
        views={"west": ("0101", "0304")},
    )


def test_coasts_are_drawn_in_hexes_that_lie_on_the_globe() -> None:
    board = on_the_globe()
    built = build(board)
    drawn = read_sheet(Path("map.topojson"), json.dumps(built))
    assert check(board, drawn, digest(board)).faults == []
    # The ocean has none, the island a spot, the inner land nothing but itself.
    assert "0101" not in drawn.shores
    assert "0402" not in drawn.shores
    (spot,) = drawn.shores["0102"]
    assert 0 < area(spot[0]) < area(drawn.spaces["0102"].polygons[0][0]) / 10
    assert "0302" in drawn.shores
    hexes = {geometry["id"]: geometry for geometry in built["objects"]["spaces"]["geometries"]}
    assert hexes["0402"]["properties"]["marks"] == ("factory",)
    assert hexes["0102"]["properties"]["coast"] is True
    assert "name" not in hexes["0402"]["properties"]
    assert drawn.spaces["0402"].number == drawn.spaces["0402"].name == "0402"
    assert 'fill-opacity="0.3"' in draw(board, drawn)


def area(ring: list[tuple[int, int]]) -> float:
    sides = zip(ring, [*ring[1:], ring[0]], strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in sides)) / 2


def test_regions_are_written_across_their_hexes_and_views_lead_to_parts() -> None:
    sheet_ = build(on_the_globe())["sheet"]
    assert [region["name"] for region in sheet_["regions"]] == ["France", "Italy"]
    france, italy = sheet_["regions"]
    assert 130 < france["at"][0] < 270 < italy["at"][0]
    left, top, width, height = sheet_["views"]["west"]
    assert (left, top) == (42.0, 46.6)
    assert width > 100
    assert height > 100


def test_flat_hexes_have_no_coasts() -> None:
    board = hex_board("made", GRIDS["flat"], spaces(), globe=Globe(0.0, 50.0, 4.0, 2.6))
    with pytest.raises(MapError, match="pointed tops only"):
        build(board)


def test_the_map_of_global_war_of_1975_is_sound() -> None:
    board, drawn = board_of("gw75"), sheet_of("gw75")
    report = check(board, drawn, digest(board))
    assert report.faults == []
    assert (len(drawn.spaces), len(report.by_border)) == (66 * 39, len(board.borders))
    # London and Tokyo have land and sea in their hexes, Moscow land only, the ocean nothing.
    assert {"W3118", "E2611"} <= {*drawn.shores}
    assert not {"W3225", "W2410"} & {*drawn.shores}
    # Every island can be seen.
    islands = [id for id, hex in load_facts().hexes.items() if hex.kind == "island"]
    assert {*islands} <= {*drawn.shores}
