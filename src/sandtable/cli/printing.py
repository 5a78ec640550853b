"""Printing lines of Rich markup so that tables stay legible where a line is too long."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text


def print_lines(console: Console, lines: Iterable[str]) -> None:
    """Print markup; what is too long for its line goes on under the beginning of its column."""
    for line in [row for text in lines for row in text.split("\n")]:
        text = Text.from_markup(line)
        columns = [match.end() for match in re.finditer(r"(^ *|  +)(?=\S)", text.plain)]
        column = max((at for at in columns if at < console.width // 2), default=0)
        first, *rest = text.divide([column]) if column else [Text(), text]
        rows = Text().join(rest).wrap(console, max(20, console.width - column))
        for number, row in enumerate(rows):
            row.rstrip()
            console.print((first if number == 0 else Text(" " * column)) + row)
