"""A position, declared once: `copy`, `plain` and `from_plain` follow from its fields.

    @declared
    class Position(State):
        round: int = 1
        fought: frozenset[str] = frozenset()
        at: dict[str, dict[Unit, int]] = own()
        control_before: dict[str, str] = shared({})
        presence: dict[str, tuple[str, ...]] = own(plain=False)

A field holds a string, a whole number, a truth or None, or a tuple, frozenset, dict or record (a
NamedTuple or a frozen `msgspec.Struct`) of such. Values are replaced, never changed in place, but
for the dicts that a state has for its `own`. The order of a dict is no part of the position: no
rule may depend on it.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cache
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    Self,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from sandtable.kernel.decisions import shown
from sandtable.kernel.errors import SandtableError

_LEAVES = (str, int, bool, NoneType)

_NONE = object()
"""No default."""


class BadPlain(SandtableError):
    """Plain data that is no position of the game."""


@dataclass(slots=True, eq=False, repr=False)
class State:
    """What every position has: the facts and the options of its game, which never change."""

    facts: Any
    options: Mapping[str, Any]

    def __post_init__(self) -> None:
        self.derive()

    def derive(self) -> None:
        """Set the fields that follow from others, and are therefore no part of the plain data."""

    def copy(self) -> Self:
        """An independent copy: a dict of the state's own is copied, all else is shared."""
        raise NotImplementedError

    def plain(self) -> dict[str, Any]:
        """The whole position as JSON data; two equal positions give equal data.

        A record is an object without what has its default, a set a sorted list, and a dict whose
        keys are no strings a list of pairs, sorted.
        """
        raise NotImplementedError

    @classmethod
    def from_plain(cls, plain: Any, facts: Any, options: Mapping[str, Any]) -> Self:
        """The position with this plain data, which may have been JSON in between; BadPlain if it
        has not the form. Whether play can come to it is another matter."""
        hints: dict[str, Any] = _plain_fields(cls)  # type: ignore[arg-type]
        if type(plain) is not dict or plain.keys() != hints.keys():
            raise BadPlain(f"A position has the fields {', '.join(hints)}, and no others.")
        try:
            read = {name: _read(hint, plain[name]) for name, hint in hints.items()}
        except (TypeError, ValueError) as error:
            raise BadPlain(f"The position is malformed: {error}.") from None
        return cls(facts, options, **read)

    def packed(self) -> bytes:
        """The whole position in little memory; any state of the same game unpacks it."""
        return zlib.compress(msgspec.json.encode(self.plain()))

    def unpacked(self, packed: bytes) -> Self:
        """A position of this game that was packed in this process."""
        plain = msgspec.json.decode(zlib.decompress(packed))
        return self.from_plain(plain, self.facts, self.options)


C = TypeVar("C", bound=State)


def own(*, plain: bool = True) -> Any:
    """A field: a dict, empty at first, that may be changed in place, so that a copy gets its own.
    With `plain=False` it is no part of the position: an index of other fields, or a cache."""
    return field(default_factory=dict, metadata={"own": True, "plain": plain})


def shared(default: Any = None, *, plain: bool = True) -> Any:
    """A field that copies share, a dict too: it is replaced, never changed in place. With
    `plain=False` it is no part of the position."""
    metadata = {"own": False, "plain": plain}
    if isinstance(default, dict):
        return field(default_factory=default.copy, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass_transform(eq_default=False)
def declared(cls: type[C]) -> type[C]:
    """Make a state of a class that lists its fields with types and defaults."""
    made: Any = dataclass(slots=True, eq=False, repr=False)(cls)
    hints = get_type_hints(made)
    code = _Code({"made": made, "bare": made.__new__})
    copied, written = [], []
    for each in fields(made):
        hint, value = hints[each.name], f"self.{each.name}"
        if get_origin(hint) is dict and "own" not in each.metadata:
            raise TypeError(f"{each.name} is a dict: say whether it is own() or shared().")
        # What the state may change in place is not handed out.
        taken = f"{value}.copy()" if each.metadata.get("own") else value
        copied.append(f"new.{each.name} = {taken}")
        if each.name in _plain_fields(made):
            plain = code.plain(hint, value)
            written.append(f"{each.name!r}: {taken if plain == value else plain}")
    made.copy = code.function("copy(self)", "new = bare(made)", *copied, "return new")
    made.plain = code.function("plain(self)", f"return {{{', '.join(written)}}}")
    return made  # type: ignore[no-any-return]


@cache
def _plain_fields(cls: Any) -> dict[str, Any]:
    """The fields of a state that are part of the plain position, with their types."""
    hints = get_type_hints(cls)
    given = [each.name for each in fields(State)]
    return {
        each.name: hints[each.name]
        for each in fields(cls)
        if each.metadata.get("plain", each.name not in given)
    }


# --- records -------------------------------------------------------------------------------------


@cache
def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and (
        issubclass(hint, msgspec.Struct) or (issubclass(hint, tuple) and hasattr(hint, "_fields"))
    )


@cache
def _fields(record: Any) -> dict[str, tuple[Any, Any]]:
    """The fields of a kind of record, with their types and defaults."""
    hints = get_type_hints(record)
    if issubclass(record, tuple):
        defaults = record._field_defaults
        return {name: (hints[name], defaults.get(name, _NONE)) for name in record._fields}
    return {
        each.name: (hints[each.name], _NONE if each.required else each.default)
        for each in msgspec.structs.fields(record)
    }


# --- writing -------------------------------------------------------------------------------------


class _Code:
    """Writes functions that turn values of the declared types into plain data."""

    def __init__(self, names: dict[str, Any]) -> None:
        self._names = names
        self._writers: dict[Any, str] = {}
        self._depth = 0

    def function(self, head: str, *lines: str) -> Any:
        """The function with this head and body."""
        # Made of the declaration alone, of nothing that anybody sends.
        exec("\n    ".join((f"def {head}:", *lines)), self._names)
        return self._names[head.partition("(")[0]]

    def plain(self, hint: Any, value: str) -> str:
        """An expression for the plain form of `value`: the same if it is plain already."""
        origin, parts = get_origin(hint), get_args(hint)
        if hint in _LEAVES or origin is Literal:
            return value
        if _is_record(hint):
            return f"{self._writer(hint)}({value})"
        if origin in (Union, UnionType):
            ways = {self.plain(part, value) for part in parts} - {value}
            if ways and (len(parts) > 2 or NoneType not in parts):
                raise TypeError(f"A state cannot hold {hint}: plain data does not say which it is.")
            return f"(None if {value} is None else {ways.pop()})" if ways else value
        if origin is tuple and parts[1:] != (...,):
            items = [f"{value}[{number}]" for number in range(len(parts))]
            each = [self.plain(*pair) for pair in zip(parts, items, strict=True)]
            return value if each == items else f"[{', '.join(each)}]"
        if origin not in (tuple, frozenset, dict):
            raise TypeError(f"A state cannot hold {hint}.")
        self._depth += 1
        key, item = f"key_{self._depth}", f"item_{self._depth}"
        of_key, of_item = (
            self.plain(parts[0], key),
            self.plain(parts[-1 if origin is dict else 0], item),
        )
        self._depth -= 1
        if origin is dict and parts[0] is str:
            return (
                value
                if of_item == item
                else f"{{{key}: {of_item} for {key}, {item} in {value}.items()}}"
            )
        if origin is dict:
            return f"[[{of_key}, {of_item}] for {key}, {item} in sorted({value}.items())]"
        listed = f"sorted({value})" if origin is frozenset else value
        return listed if of_item == item else f"[{of_item} for {item} in {listed}]"

    def _writer(self, record: Any) -> str:
        """The name of the function that writes a kind of record."""
        if record in self._writers:
            return self._writers[record]
        name = self._writers[record] = f"write_{len(self._writers)}"
        always, unless_default = [], []
        for each, (hint, default) in _fields(record).items():
            plain = self.plain(hint, each)
            if default is _NONE:
                always.append(f"{each!r}: {plain}")
                continue
            known = f"{name}_{each}"
            self._names[known] = default
            if type(default) in _LEAVES:
                known = repr(default)
            unless_default.append(f"if {each} != {known}: plain_[{each!r}] = {plain}")
        names = list(_fields(record))
        if issubclass(record, tuple):
            opened = f"{', '.join(names)}, = record_"
        else:
            opened = "; ".join(f"{each} = record_.{each}" for each in names)
        begun = f"plain_ = {{{', '.join(always)}}}"
        self.function(f"{name}(record_)", opened, begun, *unless_default, "return plain_")
        return name


# --- reading -------------------------------------------------------------------------------------


@cache
def _shape(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(hint), get_args(hint)


def _read(hint: Any, plain: Any) -> Any:
    """The value of a declared type that has this plain form; ValueError if there is none."""
    origin, parts = _shape(hint)
    if hint in _LEAVES:
        fits = type(plain) is hint
    elif origin is Literal:
        fits = plain in parts
    elif origin in (Union, UnionType):
        for part in parts:
            with suppress(ValueError):
                return _read(part, plain)
        fits = False
    elif _is_record(hint):
        return _read_record(hint, plain)
    elif origin is dict and parts[0] is str:
        if type(plain) is dict:
            return {_read(str, key): _read(parts[1], value) for key, value in plain.items()}
        fits = False
    elif type(plain) not in (list, tuple):
        fits = False
    elif origin is dict:
        return {_read(parts[0], key): _read(parts[1], value) for key, value in plain}
    elif origin is frozenset or parts[1:] == (...,):
        return origin(_read(parts[0], value) for value in plain)
    else:
        return tuple(_read(*pair) for pair in zip(parts, plain, strict=True))
    if not fits:
        raise ValueError(f"{shown(plain)} is not {hint}")
    return plain


def _read_record(record: Any, plain: Any) -> Any:
    known = _fields(record)
    needed = {name for name, (_, default) in known.items() if default is _NONE}
    if type(plain) is not dict or not needed <= plain.keys() <= known.keys():
        raise ValueError(f"{shown(plain)} is not a {record.__name__}")
    return record(**{name: _read(known[name][0], value) for name, value in plain.items()})
