"""The records that the client reads are those that the kernel writes, field by field."""

from __future__ import annotations

import re
import types
import typing
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from sandtable.kernel import display, welcome

TYPES = (Path(__file__).parents[2] / "web/src/lib/types.ts").read_text(encoding="utf-8")
RECORDS = [
    record
    for record in vars(display).values()
    if isinstance(record, type) and issubclass(record, display._Record)
]
RECORDS.remove(display._Record)
RECORDS.remove(display.Verbs)  # for the terminal only
RECORDS += [welcome.Guide, welcome.Step, welcome.When, welcome.Where]


def _interface(name: str) -> dict[str, str]:
    """The fields of an interface of the client, with what they may be; `name?` if one may lack."""
    found = re.search(rf"^export interface {name} {{\n(.*?)^}}", TYPES, re.S | re.M)
    assert found, f"types.ts has no interface {name}"
    lines = [line.partition("//")[0].strip() for line in found[1].splitlines()]
    return dict(line.split(": ", 1) for line in lines if line)  # type: ignore[misc]


def _written(type_: Any) -> str:
    """A type of the kernel as the client writes it."""
    plain = {str: "string", int: "number", float: "number", bool: "boolean", Any: "unknown"}
    if type_ in plain:
        return plain[type_]
    origin, given = typing.get_origin(type_), typing.get_args(type_)
    if origin is Literal:
        return " | ".join(f"'{word}'" for word in given)
    if origin is types.UnionType:
        return f"{_written(given[0])} | null"
    if origin is tuple:
        if given[-1] is Ellipsis:
            return f"{_written(given[0])}[]"
        return f"[{', '.join(map(_written, given))}]"
    if origin is dict:
        return f"Record<string, {_written(given[1])}>"
    return _name(type_)


def _name(record: Any) -> str:
    """A record as the client calls it: there are two kinds of steps."""
    return "GuideStep" if record is welcome.Step else str(record.__name__)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: _name(record))
def test_a_record_has_the_same_fields_in_the_client(record: type[msgspec.Struct]) -> None:
    hints = typing.get_type_hints(record)
    expected = {}
    for field in msgspec.structs.fields(record):
        name = field.name if field.required else f"{field.name}?"
        expected[name] = _written(hints[field.name])
    # The client knows that decisions have a kind.
    there = {
        name: type_.replace("Decision", "Record<string, unknown>")
        for name, type_ in _interface(_name(record)).items()
    }
    assert there == expected


def test_all_records_are_compared() -> None:
    assert {display.Picture, display.Route, display.Reach} <= set(RECORDS)
    assert len(RECORDS) >= 30
