"""The words of the game: spaces, units and powers by whatever people call them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sandtable.cli.errors import Unclear
from sandtable.cli.names import Names, simple
from sandtable.games.aa1942.facts import Facts

_UNITS = {
    "infantry": ["inf", "i", "men", "soldiers"],
    "artillery": ["art", "arty", "guns"],
    "tank": ["arm", "armor", "armour", "tnk"],
    "antiaircraft_artillery": ["aa", "aaa", "aa gun", "aa guns", "flak"],
    "industrial_complex": ["ic", "factory", "complex", "factories", "complexes"],
    "fighter": ["ftr", "fig", "f"],
    "bomber": ["bmb", "bom", "bmr", "strat"],
    "battleship": ["bb"],
    "aircraft_carrier": ["cv", "ac", "carrier", "carriers"],
    "cruiser": ["ca", "cru"],
    "destroyer": ["dd", "des"],
    "submarine": ["ss", "sub", "subs"],
    "transport": ["tr", "trn", "tt", "trans"],
}

_SPACES = {
    "united_kingdom": ["uk", "britain", "england"],
    "eastern_united_states": ["eus", "eastern us", "eastern usa"],
    "central_united_states": ["cus", "central us", "central usa"],
    "western_united_states": ["wus", "western us", "western usa"],
    "french_indo_china_thailand": ["fic", "indochina", "thailand"],
    "anglo_egyptian_sudan": ["sudan", "aes"],
    "french_west_africa": ["fwa"],
    "french_equatorial_africa": ["fea"],
    "italian_east_africa": ["iea"],
    "soviet_far_east": ["sfe"],
    "northwestern_europe": ["nwe", "nw europe"],
    "southern_europe": ["se europe"],
    "hawaiian_islands": ["hawaii"],
    "philippine_islands": ["philippines"],
    "ukraine_ssr": ["ukraine"],
    "caroline_islands": ["carolines"],
    "solomon_islands": ["solomons"],
    "bulgaria_romania": ["romania", "balkans"],
    "union_of_south_africa": ["south africa"],
    "french_madagascar": ["madagascar"],
    "belgian_congo": ["congo"],
}

_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}


class Lexicon:
    """The names in one game's data."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        spaces: dict[str, list[str]] = {}
        for id, space in facts.spaces.items():
            spaces[id] = [space.name, *_SPACES.get(id, ())]
            if space.sea:
                number = id.removeprefix("sz")
                spaces[id] += [f"sz {number}", f"z{number}", f"zone {number}", number]
        for city, land in facts.cities_faq.items():
            spaces[land].append(city)
        self.spaces = Names("space", spaces)
        self.units = Names(
            "unit",
            {
                id: [unit.name, f"{unit.name}s", *_UNITS.get(id, ())]
                for id, unit in facts.units.items()
            },
        )

    def count(self, text: str) -> tuple[int | None, str]:
        """The number at the beginning of a text (None: all; 1 if there is none), and the rest."""
        words = text.split(maxsplit=1)
        if not words:
            raise Unclear("Name a unit, for example 2 infantry.")
        first = words[0].lower()
        glued = re.fullmatch(r"(\d+)x?([a-z]*)", first)
        if glued:
            rest = " ".join([glued[2], *words[1:]]).strip()
            return int(glued[1]), rest
        if first == "all":
            return None, words[1] if len(words) > 1 else ""
        if first in _NUMBERS and len(words) > 1:
            return _NUMBERS[first], words[1]
        return 1, text

    def counted(self, text: str, there: Mapping[str, int]) -> dict[str, int]:
        """`2 infantry, tank` as numbers by type; `all` means what is `there`."""
        units: dict[str, int] = {}
        for part in parts(text):
            count, name = self.count(part)
            if count is None and not name:
                units |= there
                continue
            type_ = self.units.find(name.removeprefix("the "))
            number = there.get(type_, 0) if count is None else count
            units[type_] = units.get(type_, 0) + number
        if not units:
            raise Unclear("Name the units, for example 2 infantry, tank.")
        return units

    def path(self, text: str) -> list[str]:
        """Spaces in order: `sz6, sz3`, `sz6 > sz3` or, of sea zones, `sz6 sz3`."""
        words = [part for part in re.split(r",|>|->|\band\b|\bthen\b", text) if simple(part)]
        if len(words) == 1 and re.fullmatch(r"((sz|z)?\d+\s*)+", simple(words[0])):
            words = words[0].split()
        return [self.spaces.find(word) for word in words]


_COMMA = r",(?![^()]*\))|\band\b|\+|&"
_NUMBER = r"(?<=[a-z)])(?<!\brepair)(?<!\bdamage)\s+(?=\d+\s*x?\s*[a-z])"


def parts(text: str, *, at_numbers: bool = True) -> list[str]:
    """The items of a list, parted by commas, `and`, `+` and, if so wished, before numbers."""
    split = re.split(f"{_COMMA}|{_NUMBER}" if at_numbers else _COMMA, text)
    return [part for part in (part.strip(" .") for part in split) if part]


def units_text(units: Mapping[str, int]) -> str:
    """Numbers by type as they are typed: `2 infantry, tank`."""
    return ", ".join(f"{n} {type_}" if n != 1 else type_ for type_, n in units.items())
