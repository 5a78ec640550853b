"""Words and colours that the games' boards share."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.kernel.vocabulary import WORDS, find

REGIONS = ("Europe", "Africa and Middle East", "Asia", "Pacific", "Americas")


def listed(parts: Iterable[str]) -> str:
    """`a, b and c`."""
    items = list(parts)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def coloured(colour: str, text: str) -> str:
    """Text in a power's colour, in Rich markup; plain without one."""
    return f"[{find('colours', WORDS.colours, colour).terminal}]{text}[/]" if colour else text


def region_of(at: tuple[float, float], *, island: bool) -> str:
    """The part of the world that a land area lies in, by its place on the globe."""
    latitude, longitude = at
    if longitude < -30:
        return "Pacific" if island and longitude < -120 else "Americas"
    if longitude > 95 and (island or latitude < 0):
        return "Pacific"
    if longitude > 60:
        return "Asia"
    return "Africa and Middle East" if latitude < 36 else "Europe"
