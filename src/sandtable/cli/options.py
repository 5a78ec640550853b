"""Game options as they are typed: `--option victory=total`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sandtable.kernel.errors import OptionError
from sandtable.kernel.ruleset import RuleSet

_SWITCH = {"on": True, "yes": True, "off": False, "no": False}


def read_options(rules: RuleSet[Any], given: Iterable[str]) -> dict[str, Any]:
    """The options in lines of `name=value`, checked; OptionError says what is wrong."""
    options: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"An option is written name=value, not {text!r}.")
        if name in options:
            raise OptionError(f"Option {name} is given twice.")
        options[name] = _value(rules, name, value)
    rules.read_options(options)
    return options


def _value(rules: RuleSet[Any], name: str, text: str) -> Any:
    """A value: one of the option's choices by its spelling, else JSON, else the text itself."""
    choices = rules.options[name].choices if name in rules.options else None
    for choice in choices or ():
        if str(choice).lower() == text.lower() or _SWITCH.get(text.lower(), text) is choice:
            return choice
    try:
        return json.loads(text)
    except ValueError:
        return text
