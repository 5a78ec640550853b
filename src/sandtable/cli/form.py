"""Answering any request by its schema: the kinds of decision that it takes, and their fields."""

from __future__ import annotations

import inspect
import json
import re
import shlex
from itertools import islice
from typing import Any, get_type_hints

import msgspec

from sandtable.cli.errors import Unclear
from sandtable.kernel.decisions import Decision, Legal, plain


def tag(answer: type[Decision]) -> str:
    """The kind of a decision type."""
    return str(answer.__struct_config__.tag)


def phrase(decision: Decision) -> str:
    """A decision as the form takes it: `retreat to=libya`."""
    fields: dict[str, Any] = plain(decision)
    words = [str(fields.pop("kind")).replace("_", " ")]
    for name, value in fields.items():
        text = value if isinstance(value, str) else json.dumps(value)
        words.append(f"{name}={shlex.quote(text)}")
    return " ".join(words)


def read(text: str, legal: Legal) -> Decision:
    """The decision that a line names: `kind field=value …`, or JSON."""
    answers = {tag(answer): answer for answer in legal.request.answers}
    line = text.strip()
    if line.startswith("{"):
        try:
            return legal.read(json.loads(line))
        except ValueError as error:
            raise Unclear(f"This is not JSON: {error}.") from None
    # A kind may be typed with spaces, as it is shown.
    spelled = {each.replace("_", " "): each for each in answers}
    first = max((each for each in (*spelled, *answers) if _starts(line, each)), key=len, default="")
    if not first:
        raise Unclear(
            f"Begin with {' or '.join(sorted(spelled))}, or type help to see what may be answered."
        )
    try:
        words = shlex.split(line[len(first) :])
    except ValueError as error:
        raise Unclear(f"The quotes in this line do not fit together ({error}).") from None
    kind = spelled.get(first, first)
    return legal.read({"kind": kind, **_fields(answers[kind], words)})


def _starts(line: str, word: str) -> bool:
    return f"{line.lower()} ".startswith(f"{word} ")


def _fields(answer: type[Decision], words: list[str]) -> dict[str, Any]:
    """The fields given as `name=value`; without names, in the order of the type."""
    hints = get_type_hints(answer)
    names = list(answer.__struct_fields__)
    given: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            free = [field for field in names if field not in given]
            if not free:
                raise Unclear(f"{tag(answer)} takes no more than {len(names)} fields: {word!r}.")
            name, value = free[0], word
        elif name not in names:
            known = ", ".join(names) or "no fields"
            raise Unclear(f"{tag(answer)} has no field {name!r}; it has {known}.")
        given[name] = _value(value, hints[name])
    return given


def _value(text: str, type_: Any) -> Any:
    """Text as a value of a field: JSON, `a:2,b:1` for tables, `a,b` for lists, else as it is."""
    if type_ is str:
        return text
    if re.match(r"(typing\.)?(list|tuple)\[", str(type_)) and not text.startswith("["):
        return [int(part) if part.isdigit() else part for part in text.split(",")]
    try:
        return json.loads(text)
    except ValueError:
        pass
    if re.fullmatch(r"[^:,]+:\d+(,[^:,]+:\d+)*", text):
        return {key: int(n) for key, _, n in (part.partition(":") for part in text.split(","))}
    if type_ is bool and text.lower() in ("yes", "no"):
        return text.lower() == "yes"
    return text


def help_text(legal: Legal) -> list[str]:
    """What may be answered: each kind with its fields."""
    lines = ["Type a kind of decision and its fields (or the whole decision as JSON):"]
    for answer in legal.request.answers:
        fields = " ".join(
            f"{field.name}=…" if field.required else f"[{field.name}=…]"
            for field in msgspec.structs.fields(answer)
        )
        lines.append(f"  {tag(answer).replace('_', ' ')} {fields}".rstrip())
        lines.append(f"      {' '.join((inspect.getdoc(answer) or '').split())}")
        for field in msgspec.structs.fields(answer):
            shown = getattr(field.type, "__name__", str(field.type))
            lines.append(
                f"      {field.name}: {shown if '[' not in str(field.type) else field.type}"
            )
    lines += ["For example:", *(f"  {phrase(decision)}" for decision in islice(legal, 3))]
    return lines
