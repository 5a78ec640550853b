"""The committed maps are sound, and the check finds what is not."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable.kernel.vocabulary import UnknownWord
from sandtable.maps.board import Board, MapError, board_of, folder_of, pair
from sandtable.maps.check import Report, check, inside
from sandtable.maps.draw import draw
from sandtable.maps.plan import digest, plan_of
from sandtable.maps.sheet import LIMIT, Sheet, read_sheet, sheet_of

GAMES = ["aa1942", "blitz", "gw36"]
COUNTS = {"aa1942": (96, 65), "blitz": (112, 36), "gw36": (343, 146)}
# A space in the middle of Europe, and one far away.
PLACES = {
    "aa1942": ("poland", "brazil"),
    "blitz": ("poland", "perth"),
    "gw36": ("bohemia", "kenya"),
}
# A border that is no adjacency has to be wanted: more than these, and the map has a new mistake.
SURPLUS = {"aa1942": 7, "blitz": 22, "gw36": 32}


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def board(game: str) -> Board:
    return board_of(game)


@pytest.fixture(scope="module")
def file(game: str) -> dict[str, Any]:
    text = (folder_of(game) / "map.topojson").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


@pytest.fixture(scope="module")
def sheet(game: str) -> Sheet:
    return sheet_of(game)


def test_the_committed_map_is_sound(board: Board, sheet: Sheet) -> None:
    report = check(board, sheet, digest(plan_of(board)))
    assert report.faults == []
    joined = board.borders | {link.pair for link in board.links}
    assert {*report.by_border, *report.by_connector} == joined
    assert len(report.surplus) <= SURPLUS[board.game]


def test_the_file_tells_clients_what_is_closed_and_what_connectors_are(
    board: Board, sheet: Sheet, file: dict[str, Any]
) -> None:
    closed = {pair(*both) for both in file["sheet"]["closed"]}
    assert closed == set(check(board, sheet).surplus)
    kinds = {link.pair: link.kind for link in board.links}
    for connector in file["sheet"]["connectors"]:
        assert connector["kind"] == kinds.get(pair(*connector["pair"]), "border")


def test_all_spaces_are_there(board: Board, sheet: Sheet) -> None:
    seas = [space for space in sheet.spaces.values() if space.sea]
    assert (len(sheet.spaces) - len(seas), len(seas)) == COUNTS[board.game]


def test_the_file_is_small(sheet: Sheet) -> None:
    assert 50_000 < sheet.size <= LIMIT


def test_labels_and_units_stand_inside(sheet: Sheet) -> None:
    for space in sheet.spaces.values():
        assert inside(sheet, space, space.label), space.id
        assert inside(sheet, space, space.units), space.id


def test_every_space_is_whole_though_the_map_goes_round(sheet: Sheet) -> None:
    for space in sheet.spaces.values():
        xs = [x * sheet.scale for rings in space.polygons for x, _ in rings[0]]
        assert max(xs) - min(xs) < sheet.width / 2, space.id
        assert 0 <= space.label[0] % sheet.width < sheet.width


def test_a_border_across_the_seam_is_found() -> None:
    sheet = sheet_of("aa1942")
    across = pair("western_united_states", "central_united_states")
    west, centre = (sheet.spaces[id].label[0] for id in across[::-1])
    assert abs(west - centre) > sheet.width / 2, "they stand on different sides"
    assert sheet.borders[across] > 100


def test_the_middle_of_a_place_is_where_the_data_says(sheet: Sheet) -> None:
    """Tokyo is east of Peking and Berlin east of Paris on any map."""
    x = {id: space.label[0] for id, space in sheet.spaces.items()}
    if sheet.game == "aa1942":
        assert x["france"] < x["germany"] < x["russia"] < x["anhwei"] < x["japan"] < x["midway"]
    else:
        hawaii = x["hawaii" if sheet.game == "blitz" else "hawaiian_islands"]
        assert x["paris"] < x["berlin"] < x["moscow"] < x["peking"] < x["tokyo"] < hawaii


Fault = Callable[[dict[str, Any], str, str], None]


def _geometry(file: dict[str, Any], id: str) -> dict[str, Any]:
    (found,) = (g for g in file["objects"]["spaces"]["geometries"] if g["id"] == id)
    assert isinstance(found, dict)
    return found


def _drop(file: dict[str, Any], a: str, b: str) -> None:
    file["objects"]["spaces"]["geometries"].remove(_geometry(file, a))


def _swap(file: dict[str, Any], a: str, b: str) -> None:
    """Two spaces in each other's place: borders go wrong, and so do label points."""
    one, other = _geometry(file, a), _geometry(file, b)
    one["arcs"], other["arcs"] = other["arcs"], one["arcs"]


def _move_label(file: dict[str, Any], a: str, b: str) -> None:
    _geometry(file, a)["properties"]["label"] = _geometry(file, b)["properties"]["label"]


def _move_text(file: dict[str, Any], a: str, b: str) -> None:
    _geometry(file, a)["properties"]["text"]["at"] = _geometry(file, b)["properties"]["text"]["at"]


def _double(file: dict[str, Any], a: str, b: str) -> None:
    _geometry(file, a)["arcs"] += _geometry(file, b)["arcs"]


def _rename(file: dict[str, Any], a: str, b: str) -> None:
    _geometry(file, a)["properties"]["name"] = "Atlantis"


def _disconnect(file: dict[str, Any], a: str, b: str) -> None:
    file["sheet"]["connectors"] = file["sheet"]["connectors"][1:]


def _connect(file: dict[str, Any], a: str, b: str) -> None:
    file["sheet"]["connectors"].append({"pair": sorted((a, b)), "by": [[0, 0], [1, 1]]})


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (_drop, "{place} is missing"),
        (_swap, "share no border"),
        (_swap, "the label point of {place} is not inside it"),
        (_move_label, "the label point of {place} is not inside it"),
        (_move_text, "names of"),
        (_double, "overlap"),
        (_rename, "{place} is called Atlantis"),
        (_disconnect, "is not drawn"),
        (_connect, "a connector joins"),
    ],
)
def test_a_planted_fault_is_found(
    board: Board, file: dict[str, Any], fault: Fault, words: str
) -> None:
    spoilt = copy.deepcopy(file)
    place, far = PLACES[board.game]
    fault(spoilt, place, far)
    report = _checked(board, spoilt)
    assert any(words.format(place=place) in line for line in report.faults), report.faults


def test_a_missing_border_is_found(board: Board, sheet: Sheet) -> None:
    """The rules say that two spaces are adjacent, and the map does not."""
    a, b = PLACES[board.game]
    more = replace(board, borders=board.borders | {pair(a, b)})
    assert any(f"{pair(a, b)[0]} and" in fault for fault in check(more, sheet).faults)
    assert check(board, sheet).faults == []


def test_a_false_border_is_listed(board: Board, sheet: Sheet) -> None:
    """The map shows a border that the rules do not know: it is drawn as impassable."""
    place, _ = PLACES[board.game]
    of_it = sorted(p for p in board.borders if place in p and sheet.borders.get(p, 0) > 20)
    fewer = replace(board, borders=board.borders - {of_it[0]})
    assert of_it[0] in check(fewer, sheet).surplus
    assert of_it[0] not in check(board, sheet).surplus


def test_a_map_of_an_older_declaration_is_found(board: Board, sheet: Sheet) -> None:
    plan = plan_of(board)
    newer = msgspec.structs.replace(plan, sheet=msgspec.structs.replace(plan.sheet, seam=-100))
    assert any("build it again" in fault for fault in check(board, sheet, digest(newer)).faults)


def test_a_file_that_is_too_large_is_found(board: Board, sheet: Sheet) -> None:
    assert any("bytes" in fault for fault in check(board, replace(sheet, size=LIMIT + 1)).faults)


def test_a_broken_file_is_named() -> None:
    with pytest.raises(MapError, match=r"map\.topojson is no map of ours"):
        read_sheet(Path("map.topojson"), "{}")


def test_a_picture_has_every_space(board: Board, sheet: Sheet) -> None:
    svg = draw(board, sheet)
    for id in board.spaces:
        assert f'id="{id}"' in svg
    for (x, y), *_ in sheet.connectors.values():
        assert f"M{x:g},{y:g}L" in svg
    assert draw(board, sheet, "europe") != svg
    with pytest.raises(MapError, match="no view"):
        draw(board, sheet, "atlantis")


def test_an_unknown_terrain_is_named(board: Board, sheet: Sheet) -> None:
    place, _ = PLACES[board.game]
    spoilt = replace(board.spaces[place], terrain="moutain")
    spoilt_board = replace(board, spaces={**board.spaces, place: spoilt})
    with pytest.raises(UnknownWord, match='no "moutain" among its terrain; perhaps mountain'):
        draw(spoilt_board, sheet)


def _checked(board: Board, file: dict[str, Any]) -> Report:
    return check(board, read_sheet(Path("map.topojson"), json.dumps(file)))
