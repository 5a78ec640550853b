"""What nations are after: whom they go to war with and when, whom they sign with, what they build.

Dates are those of the calendar (`1939-07`). The tables are the bot's opinion of good play, along
the lines of history; whether something is legal the rules say.
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.games.gw36.dates import half_year


class Aim(NamedTuple):
    """A nation that is to be attacked."""

    whom: str
    since: int
    zones: tuple[str, ...] = ()
    """Only these zones of it; empty: all."""
    declare: bool = False
    """Whether war is declared before an attack; otherwise an attack declares it."""
    after: str = ""
    """A nation with which one has to be at war first, or that has to have fallen."""


def _aim(
    whom: str, since: str, *, zones: tuple[str, ...] = (), declare: bool = False, after: str = ""
) -> Aim:
    return Aim(whom, half_year(since), zones, declare, after)


AIMS: dict[str, tuple[Aim, ...]] = {
    "germany": (
        _aim("poland", "1939-01"),
        _aim("denmark", "1939-07"),
        _aim("belgium", "1939-07"),
        _aim("netherlands", "1939-07"),
        _aim("france", "1939-07", declare=True),
        _aim("norway", "1940-01", after="france"),
        _aim("yugoslavia", "1940-07", after="france"),
        _aim("greece", "1940-07", after="france"),
        _aim("great_britain", "1940-01", declare=True, after="france"),
        _aim("ussr", "1941-01", declare=True, after="france"),
        _aim("vichy_france", "1943-01"),
    ),
    "italy": (
        _aim("abyssinia", "1936-07"),
        _aim("greece", "1939-07"),
        _aim("yugoslavia", "1939-07"),
        _aim("france", "1939-07", declare=True),
        _aim("great_britain", "1940-01", declare=True),
        _aim("turkey", "1942-01"),
        _aim("ussr", "1941-07", declare=True, after="great_britain"),
    ),
    "japan": (
        _aim("kmt", "1937-01", declare=True),
        _aim("siam", "1939-07"),
        _aim("france", "1940-01"),
        _aim("netherlands", "1940-07"),
        _aim("great_britain", "1941-01", declare=True),
        _aim("usa", "1941-07", declare=True),
    ),
    "ussr": (
        _aim("poland", "1939-01", zones=("east_poland", "lubelskie")),
        _aim("finland", "1939-01"),
        _aim("estonia", "1939-01"),
        _aim("latvia", "1939-01"),
        _aim("lithuania", "1939-01"),
        _aim("romania", "1939-07"),
        _aim("iran", "1939-07"),
        _aim("turkey", "1939-07"),
        _aim("hungary", "1940-01"),
        _aim("bulgaria", "1940-01"),
        _aim("afghanistan", "1940-01"),
        _aim("norway", "1941-01"),
        _aim("sweden", "1941-01"),
        _aim("iraq", "1941-01"),
        _aim("yugoslavia", "1941-01"),
        _aim("poland", "1941-01"),
        _aim("germany", "1942-01", declare=True),
        _aim("italy", "1942-07", declare=True),
        _aim("japan", "1943-01", declare=True),
    ),
    "great_britain": (
        _aim("germany", "1939-01", declare=True),
        _aim("italy", "1939-07", declare=True),
        _aim("japan", "1941-01", declare=True, after="germany"),
    ),
    "france": (
        _aim("germany", "1939-01", declare=True),
        _aim("italy", "1939-07", declare=True),
    ),
    "free_france": (
        _aim("germany", "1940-01", declare=True),
        _aim("italy", "1940-01", declare=True),
    ),
    "usa": (
        _aim("germany", "1940-01", declare=True),
        _aim("japan", "1940-01", declare=True),
        _aim("italy", "1940-01", declare=True),
    ),
    "kmt": (_aim("japan", "1936-07", declare=True),),
    "ccp": (_aim("japan", "1937-01", declare=True),),
}
"""In the order of preference."""

PACTS: dict[tuple[str, str], int] = {
    ("germany", "molotov_ribbentrop"): half_year("1941-01"),
    ("ussr", "molotov_ribbentrop"): half_year("1941-07"),
    ("japan", "japanese_soviet"): half_year("1944-07"),
    ("ussr", "japanese_soviet"): half_year("1943-01"),
    ("kmt", "chinese_truce"): half_year("1946-01"),
    ("ccp", "chinese_truce"): half_year("1946-01"),
}
"""Partner and pact to the date until which it agrees to it."""

UNITS: dict[str, dict[str, int]] = {
    "germany": {
        "infantry": 5,
        "artillery": 3,
        "medium_armor": 4,
        "light_armor": 1,
        "mechanized_infantry": 3,
        "panzergrenadier": 2,
        "fighter": 1,
        "tactical_bomber": 2,
        "submarine": 1,
    },
    "ussr": {
        "infantry": 7,
        "artillery": 3,
        "t34": 4,
        "light_armor": 1,
        "katyusha": 1,
        "mechanized_infantry": 2,
        "fighter": 1,
    },
    "japan": {
        "infantry": 4,
        "artillery": 2,
        "marine": 2,
        "naval_transport": 3,
        "destroyer": 1,
        "fighter": 1,
        "tactical_bomber": 1,
    },
    "italy": {
        "infantry": 4,
        "artillery": 2,
        "light_armor": 1,
        "medium_armor": 1,
        "naval_transport": 1,
        "fighter": 1,
    },
    "great_britain": {
        "infantry": 4,
        "artillery": 2,
        "naval_transport": 2,
        "destroyer": 2,
        "fighter": 2,
        "medium_armor": 1,
    },
    "usa": {
        "infantry": 4,
        "marine": 2,
        "artillery": 2,
        "medium_armor": 2,
        "naval_transport": 4,
        "destroyer": 2,
        "fighter": 1,
        "fleet_carrier": 1,
    },
    "france": {"infantry": 5, "artillery": 2, "fighter": 1, "medium_armor": 1},
    "fec": {"infantry": 4, "artillery": 1, "gurkha": 1, "fighter": 1},
    "anzac": {"infantry": 3, "artillery": 1, "naval_transport": 1, "fighter": 1},
    "free_france": {"infantry": 3, "artillery": 1},
    "kmt": {"infantry": 5, "artillery": 2, "militia": 1},
    "ccp": {"infantry": 4, "cavalry": 1, "militia": 1},
}
"""What each nation builds, and in what proportion."""

RESEARCH: dict[str, tuple[str, ...]] = {
    "germany": ("advanced_mechanized_infantry", "heavy_armor", "advanced_artillery"),
    "ussr": (
        "advanced_artillery",
        "heavy_armor",
        "long_range_aircraft",
        "heavy_strategic_bomber",
        "strategic_rockets",
    ),
    "japan": ("long_range_aircraft", "wartime_economy", "advanced_artillery"),
    "great_britain": ("advanced_asw", "radar", "wartime_economy"),
    "usa": (
        "long_range_aircraft",
        "heavy_strategic_bomber",
        "jet_fighter",
        "strategic_rockets",
    ),
    "italy": ("advanced_artillery", "wartime_economy"),
    "france": ("advanced_artillery", "radar"),
}
"""What is developed, the first first; then all else."""
