"""The words that games use for what is drawn: colours, symbols, states, tags, terrain, lines.

They stand in `vocabulary.json` beside this file, with all that is needed to draw them. The browser,
the terminal and the pictures of maps read the same file, so that a word means the same everywhere;
a new word is added there and nowhere else. A word that is not there is a mistake of the game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct, field

from sandtable.kernel.errors import SandtableError


class UnknownWord(SandtableError):
    """A game uses a word that cannot be drawn; the sentence names the words that there are."""


class Paint(Struct, frozen=True):
    """A colour in one theme: of counters, of what is written on them, of land."""

    fill: str
    ink: str
    land: str


class Colour(Struct, frozen=True):
    """The colour of a power. In the two safe themes no kind of colour vision confuses two."""

    terminal: str
    """To be read on a dark and on a light ground."""
    light: Paint
    dark: Paint
    light_safe: Paint = field(name="light-safe")
    dark_safe: Paint = field(name="dark-safe")


class Symbol(Struct, frozen=True):
    """Paths in a box of 24 by 24, `fill` filled even-odd, `line` stroked with round ends."""

    fill: str = ""
    line: str = ""
    width: float = 1.8
    important: bool = False
    """A map with little room shows it all the same."""
    badge: bool = False
    """As a mark it stands at the pieces of its space, whatever room there is beside its name."""


class Terrain(Struct, frozen=True):
    """A kind of land, or of weather. `light` and `dark` tint land that belongs to nobody."""

    name: str
    symbol: str = ""
    light: str = ""
    dark: str = ""
    texture: int = 0
    """The number of a pattern that lies over its colour: 9 is few dots, 10 many."""


class Stroke(Struct, frozen=True):
    """How a line is drawn, its measures in pixels."""

    name: str
    light: str
    dark: str
    width: float
    dash: tuple[float, ...] = ()
    ticks: tuple[float, float, float] | None = None
    """Strokes across it: how long, how thick, how far apart."""
    ends: bool = False
    """With a dot at either end."""
    fine: bool = False
    """Left out where the map is small."""


class Vocabulary(Struct, frozen=True):
    """All words by their kinds."""

    colours: dict[str, Colour]
    symbols: dict[str, Symbol]
    states: dict[str, str]
    """Of pieces; in the words of a card, empty if it need not be said."""
    tags: dict[str, str]
    """Of spaces; the same."""
    terrain: dict[str, Terrain]
    weather: dict[str, Terrain]
    links: dict[str, Stroke]
    """What joins spaces on a map."""
    borders: dict[str, Stroke]
    routes: dict[str, Stroke]


WORDS = msgspec.json.decode(
    (Path(__file__).parent / "vocabulary.json").read_bytes(), type=Vocabulary
)

NOBODY = "nobody"
"""The colour of what belongs to no power."""

T = TypeVar("T")


def find(kind: str, words: Mapping[str, T], name: str) -> T:
    """What the words of a kind ("terrain", "colours") have under that name; UnknownWord if there is
    nothing."""
    if name not in words:
        raise UnknownWord(_complaint(kind, words, name))
    return words[name]


def unknown_words(record: object) -> Iterator[str]:
    """A sentence for each word in a record of `display` that the vocabulary does not have."""
    for kind, name in dict.fromkeys(_words_of(record)):
        words: Mapping[str, object] = getattr(WORDS, kind)
        if name and name not in words:
            yield _complaint(kind, words, name)


_FIELDS = {"symbol": "symbols", "colour": "colours", "states": "states", "tags": "tags"}
_KINDS = {"Route": "routes", "Border": "borders"}
"""Records whose `kind` is a word of the vocabulary."""


def _words_of(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            inner = getattr(value, name)
            kind = _KINDS.get(type(value).__name__) if name == "kind" else _FIELDS.get(name)
            if kind is None:
                yield from _words_of(inner)
            else:
                yield from ((kind, each) for each in _listed(inner))
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _words_of(inner)
    elif isinstance(value, Collection) and not isinstance(value, str | bytes):
        for inner in value:
            yield from _words_of(inner)


def _listed(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value


def _complaint(kind: str, words: Mapping[str, object], name: str) -> str:
    close = get_close_matches(name, list(words), n=1)
    hint = f"perhaps {close[0]}?" if close else f"there are: {', '.join(words)}."
    return f'The vocabulary has no "{name}" among its {kind}; {hint}'
