"""Reading forces such as "10 infantry, 5 art, 2 bombers"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches

from sandtable.odds.errors import OddsError

Force = Mapping[str, int]

MOST = 1000
"""More units than this on a side are taken for a slip of the hand."""
LONGEST = 100
"""Digits of a number: Python refuses to read those of thousands."""


def read_force(given: str | Mapping[str, int], names: Mapping[str, str], of: str) -> dict[str, int]:
    """Unit types to numbers, zeros left out; OddsError if there is anything odd about it.

    `names` maps every accepted spelling, in lower case, to a type.
    """
    force: dict[str, int] = {}
    for name, count in _items(given, of) if isinstance(given, str) else list(given.items()):
        kind = _type(name, names)
        if isinstance(count, bool) or not isinstance(count, int):
            raise OddsError(f"{count!r} is no number of units ({name}).")
        if count < 0:
            raise OddsError(f"There cannot be {count} {name} in the {of}'s force.")
        force[kind] = force.get(kind, 0) + count
    if sum(force.values()) > MOST:
        raise OddsError(
            f"The {of} has {sum(force.values())} units; more than {MOST} on a side are refused."
        )
    return {kind: count for kind, count in force.items() if count}


def _items(text: str, of: str) -> list[tuple[str, int]]:
    items = []
    for part in re.split(r"[,;+\n]", text):
        part = part.strip()
        if not part:
            continue
        match = re.fullmatch(r"(-?\d+)?\s*[x*]?\s*([A-Za-z][A-Za-z _\-()]*)", part)
        if match is None:
            raise OddsError(
                f"{part!r} in the {of}'s force is not understood; write for instance '3 infantry'."
            )
        digits = match[1] or "1"
        if len(digits) > LONGEST:
            raise OddsError(f"More than {MOST} units on a side are refused.")
        items.append((match[2].strip(), int(digits)))
    return items


def _type(name: str, names: Mapping[str, str]) -> str:
    key = str(name).strip().lower().replace("_", " ").replace("-", " ")
    for spelling in (key, key.removesuffix("s"), key.removesuffix("es")):
        if spelling in names:
            return names[spelling]
    full = {kind.replace("_", " ") for kind in names.values()}
    close = get_close_matches(key, full, n=1, cutoff=0.7)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise OddsError(f"There is no unit {name!r}.{hint}")


def in_words(force: Mapping[str, int]) -> str:
    """The force as a person would write it."""
    return ", ".join(f"{n} {_noun(kind, n)}" for kind, n in force.items() if n) or "nothing"


def _noun(kind: str, n: int) -> str:
    name, mark, rest = kind.replace("_", " ").partition(" (")
    short = len(name.split()[-1]) <= 3  # nor have inf, aaa, surf a
    if n != 1 and not name.endswith("y") and not short:  # infantry and artillery have no plural
        name += "s"
    return name + mark + rest
