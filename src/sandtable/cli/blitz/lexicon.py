"""The words of the game: areas, units, countries and powers by whatever people call them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from sandtable.cli.errors import Unclear
from sandtable.cli.names import Names, simple
from sandtable.games.blitz.facts import Facts
from sandtable.games.blitz.model import BIG

_NICKNAMES = {
    "belgium_netherlands": ["belgium", "netherlands", "holland", "low countries", "benelux"],
    "austria_czechoslovakia": ["austria", "czechoslovakia"],
    "great_britain": ["britain", "uk", "england"],
    "netherlands_east_indies": ["nei", "dutch east indies"],
    "afa": ["allied", "anglo french"],
    "usa": ["us", "america"],
    "ussr": ["russia", "soviets", "soviet union"],
    "afa_royal_air_force": ["raf"],
    "afa_bef": ["british expeditionary force"],
    "ger_army_group_center": ["army group centre"],
}


class Lexicon:
    """The names in one game's data."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._areas = _spellings(facts, {**facts.lands, **facts.seas})
        self.areas = Names("area", self._areas)
        self.states = Names("country", _spellings(facts, {**facts.powers, **facts.countries}))
        self._units = _spellings(facts, facts.kinds)
        self.every_unit = Names("unit", self._units)
        self.anything = Names(
            "name",
            {
                **_spellings(facts, {**facts.powers, **facts.countries, **facts.lands}),
                **_spellings(facts, facts.seas),
                **self._units,
                **{id: [c.name] for id, c in facts.commanders.items()},
            },
        )

    def unit(self, text: str, among: Collection[str] = ()) -> str:
        """A unit by name, first of all one `among` those that matter; `(Big)` is a Big counter."""
        name = re.sub(r"^the\s+|\s*\([^)]*\d\)$", "", text.strip(), flags=re.IGNORECASE)
        big = re.search(r"\s*(\(big\)|\.big)$|^big\s+", name, flags=re.IGNORECASE)
        if big:
            name = name.replace(big.group(), "").strip()
        id = _find(self.every_unit, self._units, name, among)
        return id + BIG if big else id

    def area(self, text: str, among: Collection[str] = ()) -> str:
        """An area by name, first of all one `among` those that matter."""
        return _find(self.areas, self._areas, text, among)

    def units(self, text: str, among: Collection[str] = ()) -> tuple[str, ...]:
        """`army group center, north and luftwaffe` as ids."""
        return tuple(dict.fromkeys(self.unit(part, among) for part in parts(text)))


def _find(
    every: Names, spellings: Mapping[str, list[str]], text: str, among: Collection[str]
) -> str:
    """What a text names among some things; if it is none of them, among all."""
    near = {id: spellings[id] for id in among if id in spellings}
    if near:
        try:
            return Names(every.what, near).find(text)
        except Unclear as unclear:
            if "could be" in str(unclear):
                raise
    return every.find(text)


def parts(text: str) -> list[str]:
    """The items of a list, parted by commas, `and`, `+` and `&`."""
    split = re.split(r",|\band\b|\+|&", text)
    return [part for part in (part.strip(" .") for part in split) if simple(part)]


def _spellings(facts: Facts, things: Mapping[str, object]) -> dict[str, list[str]]:
    """Names, nicknames and, where they are nobody else's, initials."""
    named = {id: facts.names[id] for id in things}
    initials = {id: _initials(name) for id, name in named.items()}
    count = Counter(initials.values())
    spellings: dict[str, list[str]] = {}
    for id, name in named.items():
        short: Iterable[str] = [initials[id]] if count[initials[id]] == 1 else []
        spellings[id] = [name, *_NICKNAMES.get(id, ()), *(each for each in short if len(each) > 1)]
    return spellings


def _initials(name: str) -> str:
    return "".join(word if word.isdigit() else word[0] for word in simple(name).split())
