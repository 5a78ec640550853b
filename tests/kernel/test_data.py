"""Data files: what is read, and how every kind of broken file is reported."""

from pathlib import Path
from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

from sandtable.kernel.data import DataError, DataFolder, load, read


class Place(Struct, forbid_unknown_fields=True):
    ipc: Annotated[int, Meta(ge=0, le=12)]
    name: str = ""
    owner: str | None = None
    at: tuple[float, float] = (0, 0)
    side: Literal["axis", "allies"] = "axis"


class World(Struct, forbid_unknown_fields=True):
    territories: dict[str, Place]
    units: dict[str, dict[str, int]] = {}
    order: list[str] = []
    places: list[Place] = []
    table: dict[int, str] = {}


def write(folder: Path, text: str) -> Path:
    path = folder / "map.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def complaint(folder: Path, text: str) -> DataError:
    with pytest.raises(DataError) as caught:
        load(write(folder, text), World)
    return caught.value


GOOD = """\
territories:
  alaska: {ipc: 2, name: Alaska, at: [64.5, -152]}
  brazil:
    ipc: 3
units:
  germany: {tank: 1}
order: [a, b]
table: {1: one}
"""


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "map.yaml"
    file.write_text("a: 1", encoding="utf-8")
    folder = DataFolder(tmp_path)
    assert folder.read("map.yaml", dict[str, int]).value == {"a": 1}
    file.write_text("a: 23", encoding="utf-8")
    assert folder.read("map.yaml", dict[str, int]).value == {"a": 23}


def test_a_good_file_is_read(tmp_path: Path) -> None:
    world = load(write(tmp_path, GOOD), World)
    assert world.territories["alaska"] == Place(ipc=2, name="Alaska", at=(64.5, -152.0))
    assert world.territories["brazil"].ipc == 3
    assert world.units == {"germany": {"tank": 1}}
    assert (world.order, world.table) == (["a", "b"], {1: "one"})


@pytest.mark.parametrize(
    ("text", "line", "field", "problem"),
    [
        pytest.param(
            "territories:\n  brazil: {ipc: 3}\n  alaska:\n    ipc: two\n",
            4,
            "territories.alaska.ipc",
            'expected int, got "two"',
            id="wrong type in an entry",
        ),
        pytest.param(
            "territories: {}\nunits:\n  a: {x: 1}\n  b:\n    x: 1\n    y: 1.5\n    z: no\n",
            6,
            "units.b.y",
            "expected int, got 1.5",
            id="wrong type two mappings deep",
        ),
        pytest.param(
            "territories:\n  a: {ipc: 1}\n  b:\n    name: B\n  c: {ipc: x}\n",
            3,
            "territories.b.ipc",
            "missing",
            id="missing field",
        ),
        pytest.param(
            "territories:\n  a:\n    ipc: 1\n    colour: red\n",
            4,
            "territories.a.colour",
            "unknown field",
            id="unknown field",
        ),
        pytest.param(
            "territories: {}\nzones: {}\n", 2, "zones", "unknown field", id="unknown table"
        ),
        pytest.param("order: []\n", 1, "territories", "missing", id="missing table"),
        pytest.param(
            "territories:\n  a: {ipc: 1}\n  b: {ipc: 1}\n  a: {ipc: 2}\n",
            4,
            "territories.a",
            "stands twice, first on line 2",
            id="duplicate key",
        ),
        pytest.param(
            "territories:\n  a: {ipc: 1}\n  b: {ipc: 13}\n",
            3,
            "territories.b.ipc",
            "expected int <= 12, got 13",
            id="number too large",
        ),
        pytest.param(
            "territories:\n  a: {ipc: true}\n",
            2,
            "territories.a.ipc",
            "expected int, got true",
            id="yes is no number",
        ),
        pytest.param(
            "territories: {}\nplaces:\n  - {ipc: 1}\n  - ipc: 1\n    at: [1, east]\n",
            5,
            "places[1].at[1]",
            'expected float, got "east"',
            id="wrong type in a list",
        ),
        pytest.param(
            "territories:\n  a:\n    ipc: 1\n    at: [1]\n",
            4,
            "territories.a.at",
            "expected a list of length 2, got a list of 1",
            id="list of the wrong length",
        ),
        pytest.param(
            "territories:\n  a: {ipc: 1}\n  b: {ipc: 1,\n    owner: 7}\n",
            4,
            "territories.b.owner",
            "expected str or nothing, got 7",
            id="entry over two lines",
        ),
        pytest.param(
            "territories:\n  a: {ipc: 1, side: middle}\n",
            2,
            "territories.a.side",
            '"middle" is not one of the values allowed here',
            id="not one of the values",
        ),
        pytest.param(
            "territories:\n  a: {ipc: 1}\n  b:\n",
            3,
            "territories.b",
            "expected a mapping, got nothing",
            id="entry without content",
        ),
        pytest.param(
            "territories:\n  a: {ipc: 1}\n  no: {ipc: 1}\n",
            3,
            "territories.False",
            "wrong kind of key, expected str, got false",
            id="key that YAML reads as a truth value",
        ),
        pytest.param(
            "territories: {}\ntable:\n  1: one\n  two: two\n",
            4,
            "table.two",
            'wrong kind of key, expected int, got "two"',
            id="key that is no number",
        ),
        pytest.param(
            "territories: {}\nunits:\n  a: {[1, 2]: 3}\n",
            3,
            "units.a",
            "a key has to be a single word or number",
            id="key that is a list",
        ),
        pytest.param(
            "territories: {}\norder:\n  - 1999-99-99\n",
            3,
            "order[0]",
            "month must be in 1..12",
            id="value that looks like a date",
        ),
    ],
)
def test_a_misfit_is_reported_with_its_line_and_field(
    tmp_path: Path, text: str, line: int, field: str, problem: str
) -> None:
    error = complaint(tmp_path, text)
    assert (error.file, error.line, error.field, error.problem) == (
        "map.yaml",
        line,
        field,
        problem,
    )
    assert str(error) == f"map.yaml, line {line}, {field}: {problem}"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("territories:\n  a: {ipc: 1\n  b: {ipc: 1}\n", 3),
        ("territories:\n\ta: 1\n", 2),
        ("territories: {}\n---\nterritories: {}\n", 2),
        ("territories: {}\norder: !!python/object:os.system [ls]\n", 2),
        ("territories: {}\norder: *nowhere\n", 2),
    ],
)
def test_a_syntax_error_is_reported_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    error = complaint(tmp_path, text)
    assert (error.file, error.line) == ("map.yaml", line)
    assert error.problem.startswith("not valid YAML, ")


def test_a_self_containing_file_is_reported(tmp_path: Path) -> None:
    assert complaint(tmp_path, "territories: &a {x: *a}\n").problem == "nested too deeply"


def test_bytes_that_are_no_text_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_bytes(b"territories: \xff\xfe\n")
    with pytest.raises(DataError, match=r"^map\.yaml.*: not valid YAML, "):
        load(path, World)


@pytest.mark.parametrize("text", ["", "# only a comment\n"])
def test_an_empty_file_is_reported(tmp_path: Path, text: str) -> None:
    assert str(complaint(tmp_path, text)) == "map.yaml: the file is empty"


def test_a_file_that_is_no_mapping_is_reported(tmp_path: Path) -> None:
    error = complaint(tmp_path, "- a\n- b\n")
    assert str(error) == "map.yaml, line 1: expected a mapping, got a list of 2"


def test_a_missing_file_is_reported_with_its_path(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    with pytest.raises(DataError) as caught:
        load(path, World)
    assert str(caught.value) == f"{path}: no such file"


def test_a_folder_in_place_of_a_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        load(tmp_path, World)


def test_checks_of_meaning_can_name_the_line(tmp_path: Path) -> None:
    document = read(write(tmp_path, GOOD), World)
    assert document.line_of("territories", "brazil", "ipc") == 4
    assert document.line_of("order", 1) == 7
    assert document.line_of("territories", "alaska", "owner") == 2, "nearest thing around it"
    error = document.error('unknown letter "b"', "order", 1)
    assert str(error) == 'map.yaml, line 7, order[1]: unknown letter "b"'
    assert (error.file, error.line, error.field) == ("map.yaml", 7, "order[1]")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "map.yaml").write_text("territories: {a: {ipc: 1}}\n")
    (folder / "more.yaml").write_text("territories: {b: {ipc: 1}}\n")
    return folder


def test_a_folder_reads_its_own_files(own: Path) -> None:
    assert list(DataFolder(own).read("map.yaml", World).value.territories) == ["a"]


def test_an_override_takes_the_place_of_the_file_of_its_name(own: Path, tmp_path: Path) -> None:
    override = tmp_path / "mine"
    override.mkdir()
    (override / "map.yaml").write_text("territories: {z: {ipc: 1}}\n")
    (override / ".hidden").write_text("not ours")
    folder = DataFolder(own, override)
    assert list(folder.read("map.yaml", World).value.territories) == ["z"]
    assert list(folder.read("more.yaml", World).value.territories) == ["b"]


def test_an_override_folder_has_to_exist(own: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="nowhere: no such folder"):
        DataFolder(own, tmp_path / "nowhere")
    with pytest.raises(DataError, match="no such folder"):
        DataFolder(own, own / "map.yaml")


def test_a_stranger_in_the_override_folder_is_an_error(own: Path, tmp_path: Path) -> None:
    override = tmp_path / "mine"
    override.mkdir()
    (override / "mpa.yaml").write_text("")
    with pytest.raises(DataError) as caught:
        DataFolder(own, override)
    assert caught.value.file == str(override / "mpa.yaml")
    assert caught.value.problem == "not a data file of this game, which has map.yaml, more.yaml"
