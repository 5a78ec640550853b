"""Commands that start at once: Typer would import pydantic, which costs 0.1 s."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from typer.core import TyperCommand

NO_HELP = {"help_option_names": ["-h", "--help"], "default_map": {"help": False}}
"""The settings of a command: a help option without a value makes Typer import pydantic."""


class Quick(TyperCommand):
    """A command whose values Typer leaves alone where they have their type already, as text
    has."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        for param in self.params:
            if param.callback is None and param.nargs == 1 and not getattr(param, "multiple", 0):
                vars(param)["process_value"] = partial(_process, param, param.process_value)
        return super().parse_args(ctx, args)


def _process(param: Any, convert: Callable[[Any, Any], Any], ctx: Any, value: Any) -> Any:
    wanted = getattr(param, "type_descriptor", None)
    if value is None and not param.required:
        return None
    if wanted is not None and type(value) is wanted.annotation:
        return value
    return convert(ctx, value)
