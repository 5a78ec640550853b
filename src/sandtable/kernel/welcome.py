"""How a game introduces itself: its cover on the start page, and the guide through a first turn.

Both are data in the folder `welcome` of the game's package: `cover.yaml` with `cover.svg`, and
`guide.yaml`. A game without them is listed by its title, and has no guide.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from sandtable.kernel.data import read


class _Record(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    pass


class QuickStart(_Record, frozen=True):
    """The game that one button starts: a person plays `power`, bots play the others."""

    label: str
    detail: str
    power: str
    options: dict[str, Any] = {}


class Cover(_Record, frozen=True):
    """What the start page says about a game."""

    blurb: str
    facts: tuple[str, ...]
    """In a few words each: how many play, how long it takes."""
    quick: QuickStart


class Where(_Record, frozen=True):
    """What is looked for in a space. Without `space` it is asked of each space that is named
    beside it."""

    space: str = ""
    holder: str | None = None
    """Who owns it; "" is nobody."""
    power: str = ""
    symbol: str = ""
    piece: str = ""
    """Pieces of this power, with this symbol, of this name; any of the three may be left out."""
    tag: str = ""


class When(_Record, frozen=True):
    """A condition: everything that it names has to hold."""

    rounds: tuple[int, int] | None = None
    """From this round to that."""
    asked: tuple[str, ...] = ()
    """One of these kinds of request waits for the player."""
    idle: bool | None = None
    """Nothing waits for the player."""
    turn: tuple[str, ...] = ()
    """It is the turn of one of these powers."""
    phase: str = ""
    """A part of the phase's name."""
    clear: bool = False
    """The request can be answered by itself, with all that follow while the battle is clear."""
    battle: bool = False
    """A battle is being fought."""
    at: tuple[Where, ...] = ()
    unless: tuple[When, ...] = ()
    """None of these holds."""


class Step(_Record, frozen=True):
    """A card: it is shown when it has something to say and those before it are done."""

    id: str
    title: str
    text: tuple[str, ...]
    """Paragraphs."""
    when: tuple[When, ...]
    """One of these holds."""
    until: When | None = None
    """What it asks the player for has been done; without it the player clicks on."""
    stays: bool = False
    """It asks for something that ends its own condition."""
    spaces: tuple[str, ...] = ()
    """Places on the map that it points at."""
    only: Where | None = None
    """Of these places (without any: of all on the map) those where this is so."""
    offer: QuickStart | None = None
    """A game that can be started from the card: what to play next."""
    point: str = ""
    """The part of the panel that it points at: `main`, `done` or `auto` (the buttons), `row NAME`
    or `choice WORDS` (the one that begins so)."""


class Guide(_Record, frozen=True):
    """A walk through a first turn, for whoever plays `power` with these options."""

    power: str
    steps: tuple[Step, ...]
    options: dict[str, Any] = {}


class _Guides(Struct, frozen=True, forbid_unknown_fields=True):
    guides: tuple[Guide, ...]


@cache
def cover_of(folder: Path) -> Cover | None:
    """The cover of the game in `folder`, if it has one; DataError if it is malformed."""
    path = folder / "welcome" / "cover.yaml"
    return read(path, Cover).value if path.is_file() else None


@cache
def _guides_of(folder: Path) -> tuple[Guide, ...]:
    path = folder / "welcome" / "guide.yaml"
    return read(path, _Guides).value.guides if path.is_file() else ()


def guide_of(folder: Path, options: Mapping[str, Any]) -> Guide | None:
    """The guide for a game with these options, if there is one."""
    for guide in _guides_of(folder):
        if all(options.get(name) == value for name, value in guide.options.items()):
            return guide
    return None
