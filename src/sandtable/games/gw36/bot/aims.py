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
    declare: bool = False
    """Whether war is declared before an attack; otherwise an attack declares it."""
    after: str = ""
    """A nation with which one has to be at war first, or that has to have fallen."""
    eager: float = 1.0
    """How much more its zones are worth to the attacker than they would be to others; nothing at
    all: it is left alone even in war."""
    wait: int = 0
    """For so many turns it is waited for the fall of that nation; war with it is not enough."""


def _aim(
    whom: str,
    since: str,
    *,
    declare: bool = False,
    after: str = "",
    eager: float = 1.0,
    wait: int = 0,
) -> Aim:
    return Aim(whom, half_year(since), declare, after, eager, wait)


AIMS: dict[str, tuple[Aim, ...]] = {
    "germany": (
        _aim("poland", "1939-07", eager=1.5),
        _aim("belgium", "1940-01"),
        _aim("france", "1940-01", declare=True),
        _aim("denmark", "1940-01", after="france", wait=4),
        _aim("netherlands", "1940-01", after="france", wait=4),
        _aim("norway", "1940-07", after="france", wait=4),
        _aim("yugoslavia", "1941-01", after="france", wait=2),
        _aim("greece", "1941-01", after="france", wait=2),
        _aim("great_britain", "1940-01", declare=True, after="france", eager=0.4),
        _aim("ussr", "1941-01", declare=True, after="france", eager=1.3, wait=2),
        _aim("vichy_france", "1943-01"),
    ),
    "italy": (
        _aim("abyssinia", "1936-07"),
        _aim("france", "1940-01", declare=True),
        _aim("great_britain", "1940-01", declare=True),
        _aim("greece", "1940-07"),
        _aim("yugoslavia", "1941-01"),
        _aim("turkey", "1942-01"),
        _aim("ussr", "1941-07", declare=True, after="great_britain"),
    ),
    "japan": (
        _aim("kmt", "1937-01", declare=True),
        _aim("peking_clique", "1937-01"),
        _aim("siam", "1939-07"),
        _aim("france", "1940-01"),
        _aim("netherlands", "1940-07"),
        _aim("great_britain", "1941-01", declare=True),
        _aim("usa", "1941-07", declare=True),
    ),
    "ussr": (
        _aim("finland", "1939-01"),
        _aim("estonia", "1939-01"),
        _aim("latvia", "1939-01"),
        _aim("lithuania", "1939-01"),
        _aim("iran", "1942-07"),
        _aim("romania", "1942-07"),
        _aim("hungary", "1942-07"),
        _aim("bulgaria", "1942-07"),
        _aim("norway", "1943-07"),
        _aim("turkey", "1943-07"),
        _aim("yugoslavia", "1943-07"),
        _aim("iraq", "1944-01"),
        _aim("afghanistan", "1944-01"),
        _aim("sweden", "1944-01"),
        _aim("germany", "1942-07", declare=True),
        _aim("italy", "1942-07", declare=True),
        _aim("japan", "1944-07", declare=True),
    ),
    "great_britain": (
        _aim("germany", "1939-01", declare=True),
        _aim("italy", "1939-07", declare=True),
        _aim("japan", "1941-01", declare=True, after="germany"),
    ),
    "france": (
        _aim("germany", "1939-01", declare=True, eager=0.2),
        _aim("italy", "1939-07", declare=True, eager=0.5),
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
    "kmt": (_aim("ccp", "1936-07", eager=0.0), _aim("japan", "1943-01")),
    "ccp": (_aim("kmt", "1936-07", eager=0.0), _aim("japan", "1943-01")),
}
"""In the order of preference."""

GOALS: dict[str, dict[str, float]] = {
    "germany": {
        **dict.fromkeys(("warsaw", "west_poland", "dolnoslaske"), 1.5),
        **dict.fromkeys(("denmark", "netherlands", "belgium"), 0.5),
        **dict.fromkeys(("lithuania", "latvia", "estonia"), 0.5),
        **dict.fromkeys(("yugoslavia", "thessaly"), 0.5),
        **dict.fromkeys(("southern_ukraine", "western_ukraine"), 0.5),
        **dict.fromkeys(("northern_belorussia", "southern_belorussia"), 0.5),
    },
    "italy": {"malta": 1.0, "eastern_egypt": 1.0, "gibraltar": 1.0},
    "japan": {
        **dict.fromkeys(("british_malaya", "philippines", "borneo", "java", "sumatra"), 1.5),
        **dict.fromkeys(("cochinchina", "annam_tonkin"), 0.8),
    },
    "ussr": dict.fromkeys(
        ("east_poland", "lubelskie", "karjala", "lithuania", "latvia", "estonia"), 0.5
    ),
}
"""Zones that count for a nation's own objectives, in Victory Points or parts of one."""

PACTS: dict[tuple[str, str], int] = {
    ("germany", "molotov_ribbentrop"): half_year("1941-01"),
    ("ussr", "molotov_ribbentrop"): half_year("1942-07"),
    ("japan", "japanese_soviet"): half_year("1944-07"),
    ("ussr", "japanese_soviet"): half_year("1944-07"),
    ("kmt", "chinese_truce"): half_year("1946-01"),
    ("ccp", "chinese_truce"): half_year("1946-01"),
}
"""Partner and pact to the date until which it agrees to it."""

UNITS: dict[str, dict[str, int]] = {
    "germany": {
        "infantry": 12,
        "artillery": 6,
        "medium_armor": 7,
        "light_armor": 2,
        "mechanized_infantry": 5,
        "panzergrenadier": 3,
        "fighter": 3,
        "tactical_bomber": 3,
        "submarine": 3,
    },
    "ussr": {
        "infantry": 20,
        "artillery": 7,
        "t34": 8,
        "light_armor": 2,
        "katyusha": 3,
        "mechanized_infantry": 4,
        "fighter": 4,
        "tactical_bomber": 1,
    },
    "japan": {
        "infantry": 10,
        "artillery": 5,
        "marine": 4,
        "naval_transport": 6,
        "destroyer": 4,
        "fighter": 3,
        "tactical_bomber": 2,
    },
    "italy": {
        "infantry": 10,
        "artillery": 4,
        "light_armor": 2,
        "medium_armor": 3,
        "naval_transport": 2,
        "fighter": 2,
    },
    "great_britain": {
        "infantry": 10,
        "artillery": 5,
        "medium_armor": 4,
        "naval_transport": 6,
        "destroyer": 4,
        "fighter": 3,
    },
    "usa": {
        "infantry": 8,
        "marine": 4,
        "artillery": 5,
        "medium_armor": 6,
        "naval_transport": 8,
        "destroyer": 4,
        "fighter": 3,
        "tactical_bomber": 2,
        "fleet_carrier": 1,
    },
    "france": {"infantry": 10, "artillery": 5, "fighter": 2, "medium_armor": 2},
    "fec": {"infantry": 8, "artillery": 3, "gurkha": 2, "fighter": 1},
    "anzac": {"infantry": 4, "artillery": 2, "naval_transport": 2, "fighter": 1},
    "free_france": {"infantry": 3, "artillery": 1},
    "kmt": {"infantry": 8, "artillery": 3},
    "ccp": {"infantry": 6, "cavalry": 1},
}
"""What each nation builds: the proportion that its forces should have."""

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
