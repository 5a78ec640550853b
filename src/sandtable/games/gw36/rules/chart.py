"""The Production Chart (7.1-7.3, Table 7-1): what may be ordered, what it costs, where it
stands."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.games.gw36.dates import half_year
from sandtable.games.gw36.model import Job, State
from sandtable.games.gw36.rules.facilities import factories, prices
from sandtable.games.gw36.rules.terms import has_tech, on
from sandtable.games.gw36.rules.zones import burma_road_open
from sandtable.kernel.errors import IllegalDecision

MODERN_FIGHTERS = half_year("1940-01")


class Outfitting(NamedTuple):
    """An upgrade of units (11.2)."""

    old: str
    new: str
    ipp: int


UPGRADES = {
    "militia_upgrade": Outfitting("militia", "infantry", 2),
    "motorized_upgrade": Outfitting("infantry", "motorized_infantry", 1),
}

OUTDATED = {
    "artillery": "advanced_artillery",
    "self_propelled_artillery": "advanced_artillery",
}
"""Units that are not bought any more once a technology is there."""
ROAD_GUNS = ("artillery", "anti_aircraft_artillery")
"""What the KMT gets over the Burma Road only."""


def build_table(s: State, nation: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The units and facilities that a nation may build: those on its sheet; a Chinese faction that
    has evolved builds facilities of its patron's, and with a factory also its units.

    Rules: 7.1a, 13.3.1a, 13.3.1c, 13.3.1d, 13.3.2a, 13.3.2c, 13.3.2d
    """
    sheet = s.facts.sheets[nation]
    if nation not in s.evolved or not sheet.evolved:
        return sheet.units, sheet.facilities
    patron = s.facts.sheets[sheet.evolved]
    if next(factories(s, nation), ""):
        return tuple(dict.fromkeys((*sheet.units, *patron.units))), patron.facilities
    return sheet.units, patron.facilities


def check_unit(s: State, nation: str, type_: str) -> None:
    """Refuse a type of unit that a nation cannot buy now.

    Rules: 7.1a, 7.2a, 7.8a, 7.8.advanced-artillery-d, 1.17f, 15.9a, 15.9b
    """
    facts = s.facts
    kind = facts.units.get(type_)
    if kind is None or type_ not in build_table(s, nation)[0] or not kind.cost:
        raise IllegalDecision(f"{facts.name(nation)} cannot build {facts.name(type_)}.", "7.1a")
    sheet = facts.sheets[nation]
    if s.date < sheet.available.get(type_, 0):
        raise IllegalDecision(f"{kind.name} is not available yet.", "7.2a")
    if kind.tech and not has_tech(s, nation, kind.tech):
        raise IllegalDecision(f"{kind.name} has to be developed first.", "7.8a")
    newer = OUTDATED.get(type_)
    if newer and has_tech(s, nation, newer) and f"advanced_{type_}" in build_table(s, nation)[0]:
        raise IllegalDecision(
            f"All {kind.name} is bought as {facts.name(f'advanced_{type_}')} now.",
            "7.8.advanced-artillery-d",
        )
    if nation == "kmt" and type_ in ROAD_GUNS and not guns(s):
        raise IllegalDecision(
            f"{facts.name(nation)} buys {kind.name} only while the Burma Road is open.", "1.17f"
        )
    early = on(s, "early_fighters") and s.date < MODERN_FIGHTERS
    if (type_ == "early_fighter") > early or (type_ == "fighter" and early):
        raise IllegalDecision(f"{kind.name} is not available now.", "15.9b")


def guns(s: State) -> bool:
    return burma_road_open(s) or "kmt" in s.evolved


def instalments(s: State, nation: str, job: Job) -> tuple[int, ...]:
    """What something on the Production Chart costs, turn by turn. Improved Construction saves 1 on
    each instalment of ships and facilities, unless it was hurried instead.

    Rules: 7.3a, 7.8.improved-construction-a, 7.8.improved-construction-b
    """
    unit = s.facts.units.get(job.what)
    cost = unit.cost if unit else prices(s, nation, job.what, job.at, job.border)
    if job.fast or (unit and not unit.naval) or not has_tech(s, nation, "improved_construction"):
        return cost
    return tuple(max(1, part - 1) for part in cost)


def due(s: State, nation: str, job: Job) -> int:
    """What the first step of a new job costs: an instalment, or two if it is hurried."""
    return sum(instalments(s, nation, job)[: 2 if job.fast else 1])


def instalment(s: State, nation: str, job: Job) -> int:
    cost = instalments(s, nation, job)
    return cost[len(cost) - job.left]


def check_money(s: State, nation: str, ipp: int) -> None:
    """Rules: 7.0a"""
    if ipp > s.treasury.get(nation, 0):
        raise IllegalDecision(
            f"That costs {ipp} IPP, and {s.facts.name(nation)} has {s.treasury.get(nation, 0)}.",
            "7.0a",
        )


def check_fast(s: State, nation: str, job: Job) -> None:
    """Rules: 7.8.improved-construction-b"""
    rule = "7.8.improved-construction-b"
    if job.fast:
        unit = s.facts.units.get(job.what)
        if not has_tech(s, nation, "improved_construction") or (unit and not unit.naval):
            raise IllegalDecision("Two instalments at once need Improved Construction.", rule)
        if len(instalments(s, nation, job)) < 2:
            raise IllegalDecision(f"{s.facts.name(job.what)} is paid for at once anyway.", rule)


def add(s: State, *jobs: Job) -> None:
    """Put jobs on the Production Chart."""
    s.track = tuple(sorted((*s.track, *jobs)))


def drop(s: State, job: Job) -> None:
    """Take a job from the Production Chart."""
    track = list(s.track)
    track.remove(job)
    s.track = tuple(track)


def swap(s: State, old: Job, new: Job) -> None:
    drop(s, old)
    add(s, new)


def pay(s: State, nation: str, ipp: int) -> None:
    s.treasury[nation] -= ipp
