"""Data files: YAML in, typed and checked records out, every complaint with file, line and field."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, cast

import msgspec
import yaml

from sandtable.kernel.errors import SandtableError

T = TypeVar("T")

Key = str | int | float | bool | None
"""One step into a document: a mapping's key or a list's index."""

Provenance = Literal["rules", "public", "reconstructed"]
"""Where facts come from: the rulebook, common publications, or our own stand-in."""

_LOADER: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAPPING, _LIST = "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"


class DataError(SandtableError):
    """A data file that cannot be used; the text is one sentence that says where and why."""

    def __init__(
        self, file: str, problem: str, *, line: int | None = None, field: str | None = None
    ) -> None:
        self.file = file
        self.line = line
        self.field = field
        self.problem = problem
        where = [file, f"line {line}" if line else None, field]
        super().__init__(f"{', '.join(part for part in where if part)}: {problem}")


@dataclass(frozen=True)
class Document(Generic[T]):
    """A data file that has the right shape, and the line on which each of its fields stands."""

    file: str
    value: T
    lines: dict[tuple[Key, ...], int]

    def line_of(self, *path: Key) -> int:
        """The line of a field, or of the nearest thing around it that is in the file."""
        return _line_of(self.lines, path)

    def error(self, problem: str, *path: Key) -> DataError:
        """An error about the field at `path`, for checks that a shape cannot express."""
        return DataError(self.file, problem, line=self.line_of(*path), field=_dotted(path))

    def check_known(self, id: str, known: Collection[str], what: str, *path: Key) -> None:
        """DataError if there is no such thing, with the one that was perhaps meant."""
        if id not in known:
            close = get_close_matches(id, list(known), n=1)
            perhaps = f" (perhaps {close[0]}?)" if close else ""
            raise self.error(f'unknown {what} "{id}"{perhaps}', *path)

    def check_all_known(
        self, ids: Sequence[str], known: Collection[str], what: str, *path: Key
    ) -> None:
        """Every item of the list at `path` is known and stands there once."""
        for index, id in enumerate(ids):
            self.check_known(id, known, what, *path, index)
        self.check_distinct(ids, *path)

    def check_distinct(self, ids: Sequence[str], *path: Key) -> None:
        """DataError if an item of the list at `path` stands there twice."""
        for index, id in enumerate(ids):
            if id in ids[:index]:
                raise self.error(f"{id} stands twice", *path, index)

    def check_complete(self, ids: Collection[Key], expected: Collection[Key], *path: Key) -> None:
        """The mapping at `path` has exactly the expected keys."""
        for id in ids:
            if id not in expected:
                raise self.error("the rules know nothing of it", *path, id)
        for id in expected:
            if id not in ids:
                raise self.error("missing", *path, id)

    def check_provenance(self) -> None:
        """The document says of each of its tables, under `provenance`, where it comes from."""
        value: Any = self.value
        for table in value.__struct_fields__:
            if table != "provenance" and table not in value.provenance:
                raise self.error(f"does not say where {table} comes from", "provenance")


def read(path: Path, shape: type[T]) -> Document[T]:
    """Read a YAML file as `shape`, with its line numbers; raise DataError if it does not fit.

    Keys that stand twice, unknown fields (for Structs that forbid them), missing fields and wrong
    types are all errors. Numbers are not made from strings, nor strings from numbers.
    """
    lines: dict[tuple[Key, ...], int] = {}
    raw = _parse(path, lines)
    try:
        return Document(path.name, msgspec.convert(raw, shape), lines)
    except msgspec.ValidationError as error:
        where, problem = _explain(raw, shape, str(error))
        raise DataError(
            path.name, problem, line=_line_of(lines, where), field=_dotted(where) or None
        ) from None


def load(path: Path, shape: type[T]) -> T:
    """Read a YAML file as `shape`; raise DataError that names file, line and field if it fails."""
    return read(path, shape).value


class DataFolder:
    """A game's own data files, any of which a user's folder may replace by name."""

    def __init__(self, own: Path, override: Path | None = None) -> None:
        """Hidden files in `override` are passed over; any other stranger there is a DataError."""
        self._paths = {path.name: path for path in sorted(own.glob("*.yaml"))}
        if override is None:
            return
        if not override.is_dir():
            raise DataError(str(override), "no such folder")
        for path in sorted(override.iterdir()):
            if path.name.startswith("."):
                continue
            if path.name not in self._paths:
                known = ", ".join(self._paths)
                raise DataError(str(path), f"not a data file of this game, which has {known}")
            self._paths[path.name] = path

    def read(self, name: str, shape: type[T]) -> Document[T]:
        """Read one of the game's files, the user's if there is one.

        Cached: a file that has not changed is read once.
        """
        path, wanted = self._paths[name], cast(Any, shape)
        about = path.stat()
        document: Document[T] = _read_once(path, wanted, about.st_mtime_ns, about.st_size)
        return document


@lru_cache(maxsize=64)
def _read_once(path: Path, shape: type[Any], modified: int, size: int) -> Document[Any]:
    return read(path, shape)


def _parse(path: Path, lines: dict[tuple[Key, ...], int]) -> object:
    """The plain content of a YAML file; fills `lines` with the line of every key and item."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        raise DataError(str(path), "no such file") from None
    except OSError as error:
        raise DataError(str(path), f"cannot be read ({error.strerror})") from None
    try:
        loader = _LOADER(text)
        try:
            node = loader.get_single_node()
            if node is None:
                raise DataError(path.name, "the file is empty")
            return _Builder(path.name, loader, lines).build(node, ())
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or " ".join(str(error).split())
        line = mark.line + 1 if mark else None
        raise DataError(path.name, f"not valid YAML, {problem}", line=line) from None
    except RecursionError:
        raise DataError(path.name, "nested too deeply") from None


class _Builder:
    """Turns YAML nodes into plain values. PyYAML would keep silent about keys that stand twice."""

    def __init__(self, file: str, loader: Any, lines: dict[tuple[Key, ...], int]) -> None:
        self._file = file
        self._loader = loader
        self._lines = lines

    def build(self, node: yaml.Node, at: tuple[Key, ...]) -> object:
        if isinstance(node, yaml.MappingNode) and node.tag == _MAPPING:
            return self._mapping(node, at)
        if isinstance(node, yaml.SequenceNode) and node.tag == _LIST:
            for index, item in enumerate(node.value):
                self._lines[*at, index] = item.start_mark.line + 1
            return [self.build(item, (*at, index)) for index, item in enumerate(node.value)]
        try:
            return self._loader.construct_object(node, deep=True)
        except ValueError as error:
            line = node.start_mark.line + 1
            raise DataError(self._file, str(error), line=line, field=_dotted(at)) from None

    def _mapping(self, node: yaml.MappingNode, at: tuple[Key, ...]) -> dict[Key, object]:
        result: dict[Key, object] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                problem = "a key has to be a single word or number"
                raise DataError(self._file, problem, line=line, field=_dotted(at))
            key: Any = self.build(key_node, at)
            here = (*at, key)
            if key in result:
                problem = f"stands twice, first on line {self._lines[here]}"
                raise DataError(self._file, problem, line=line, field=_dotted(here))
            self._lines[here] = line
            result[key] = self.build(value_node, here)
        return result


# What msgspec says about a misfit: the problem, perhaps "`key` in", and the path to the place.
_MISFIT = re.compile(r"(?P<what>.*?)(?: - at (?P<key>`key` in )?`\$(?P<path>.*)`)?", re.DOTALL)
_STEP = re.compile(r"\.(?P<name>[^.\[]+)|\[(?P<index>\d+)\]|(?P<any>\[\.\.\.\])")
_NAMED_FIELD = re.compile(r"Object (?P<what>missing required|contains unknown) field `(.*)`")
_TYPES = {"object": "a mapping", "array": "a list", "null": "nothing"}


def _explain(raw: Any, shape: Any, message: str) -> tuple[tuple[Key, ...], str]:
    """Where in `raw` msgspec's complaint belongs, and the complaint in plain words."""
    match = _MISFIT.fullmatch(message)
    assert match is not None
    where: tuple[Key, ...] = ()
    for step in _STEP.finditer(match["path"] or ""):
        if step["name"]:
            where = (*where, step["name"])
        elif step["index"]:
            where = (*where, int(step["index"]))
        else:
            raw, key = _narrow(raw, shape, message, where)
            where = (*where, key)
    if match["key"]:
        if match["what"].startswith("Expected `str`"):
            key = next(key for key in _at(raw, where) if not isinstance(key, str))
        else:
            key = _narrow(raw, shape, message, where)[1]
        return (*where, key), f"wrong kind of key, {_in_words(match['what'], key)}"
    if named := _NAMED_FIELD.fullmatch(match["what"]):
        problem = "missing" if named["what"].startswith("missing") else "unknown field"
        return (*where, named[2]), problem
    return where, _in_words(match["what"], _at(raw, where))


def _narrow(raw: Any, shape: Any, message: str, where: tuple[Key, ...]) -> tuple[Any, Key]:
    """Find the entry of the mapping at `where` that raises `message`, which does not name it.

    The mapping is cut down to one entry after the other until the same complaint comes back;
    returned are the document with only that entry in it, and its key.
    """
    for key, value in _at(raw, where).items():
        alone = _replaced(raw, where, {key: value})
        try:
            msgspec.convert(alone, shape)
        except msgspec.ValidationError as error:
            if str(error) == message:
                return alone, key
    raise AssertionError(f"no entry of {where} raises {message}")


def _at(raw: Any, where: tuple[Key, ...]) -> Any:
    for key in where:
        raw = raw[key]
    return raw


def _replaced(raw: Any, where: tuple[Key, ...], value: object) -> Any:
    """A copy of `raw` with `value` at `where`."""
    if not where:
        return value
    copy = raw.copy()
    copy[where[0]] = _replaced(raw[where[0]], where[1:], value)
    return copy


def _in_words(problem: str, value: object) -> str:
    """msgspec's problem with our words for the types and with the value that was found."""
    if problem.startswith("Invalid enum value"):
        return f"{_shown(value)} is not one of the values allowed here"
    problem = re.sub(r", got .*", "", problem.replace("Expected", "expected"))
    problem = re.sub(r"`(.*?)`", lambda m: _type_names(m[1]), problem)
    got = f"a list of {len(value)}" if isinstance(value, list) else _shown(value)
    return f"{problem}, got {got}"


def _type_names(types: str) -> str:
    return " or ".join(_TYPES.get(name, name) for name in types.split(" | "))


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping"
    return json.dumps(value, ensure_ascii=False, default=str)


def _line_of(lines: dict[tuple[Key, ...], int], path: tuple[Key, ...]) -> int:
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


def _dotted(path: tuple[Key, ...]) -> str:
    """A path as a reader writes it: `territories.alaska.land[2]`."""
    text = ""
    for key in path:
        is_index = isinstance(key, int) and not isinstance(key, bool)
        text += f"[{key}]" if is_index else f".{key}" if text else f"{key}"
    return text
