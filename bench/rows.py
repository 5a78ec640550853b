"""What a benchmark reports."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """One measured figure. `ratio` is the figure against its baseline; `met` says whether the
    target is reached, None where there is none."""

    name: str
    figure: str
    baseline: str = ""
    ratio: float | None = None
    target: str = ""
    met: bool | None = None
