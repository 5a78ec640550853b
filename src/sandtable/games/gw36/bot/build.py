"""Production and placement: instalments first, dice for research, then units in proportion."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw36.bot.aims import RESEARCH, UNITS
from sandtable.games.gw36.bot.draw import draw
from sandtable.games.gw36.bot.worth import guard, threat, worth
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules import alignment, research
from sandtable.games.gw36.rules.chart import UPGRADES
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.facilities import equipped, output
from sandtable.games.gw36.rules.lend_lease import Deliver, routes
from sandtable.games.gw36.rules.lend_lease import worth as lent_worth
from sandtable.games.gw36.rules.placement import (
    Place,
    PlaceUnits,
    Reassign,
    Refit,
    ready,
    refit_zones,
    units_ready,
)
from sandtable.games.gw36.rules.placing import needs_factory, places
from sandtable.games.gw36.rules.production import Advance, Buy, Outfit, Produce
from sandtable.games.gw36.rules.repairs import Repair, damaged, docks
from sandtable.games.gw36.rules.research import Research
from sandtable.games.gw36.rules.terms import at_war_with_major, on
from sandtable.games.gw36.rules.yards import yards
from sandtable.kernel.decisions import Decision


def produce(s: State, request: Produce) -> Iterator[Decision]:
    """Pay for what was begun, repair, develop, influence; then buy units."""
    nation = request.power
    for job in sorted(set(s.track), key=lambda job: (job.left, job)):
        if job.nation == nation and job.left and not job.paid:
            yield Advance(job.what, job.left, job.at, job.border, job.for_)
    if research.dice(s, nation) > 0:
        for technology in dict.fromkeys((*RESEARCH.get(nation, ()), *s.facts.technologies)):
            yield Research(technology)
    money = s.treasury.get(nation, 0)
    if not money:
        yield Done()
        return
    for type_, at, border, damage in damaged(s, nation):
        if s.facts.facilities[type_].group == "factory":
            yield Repair(type_, min(damage, money), at, border)
    yield from docks(s, nation)
    yield from _influence(s, nation)
    yield from _units(s, nation, money)
    if any(unit.type == "militia" for _, unit, _ in s.units_of(nation)):
        yield Outfit("militia_upgrade")
    yield Done()


def _influence(s: State, nation: str) -> Iterator[Decision]:
    """Win a Minor Power over at the full price, if that is a small part of the money."""
    if s.treasury.get(nation, 0) >= 20:
        options = list(alignment.influence_options(s, nation))
        if options:
            yield max(options, key=lambda each: (each.ipp, each.nation))


def _units(s: State, nation: str, money: int) -> Iterator[Decision]:
    """Units in the nation's proportion, as many as factories and yards can bring in."""
    kinds = s.facts.units
    owned: dict[str, int] = {}
    ordered: dict[str, int] = {}
    through = ships = 0
    for job in s.track:
        if job.nation == nation and job.what in kinds and not job.for_:
            kind = kinds[job.what]
            ordered[job.what] = ordered.get(job.what, 0) + 1
            if not job.left:
                through += not kind.naval and needs_factory(s, nation, kind)
                ships += kind.naval
    for _, unit, count in s.units_of(nation):
        for piece in (unit, *unit.cargo):
            owned[piece.type] = owned.get(piece.type, 0) + count
    slots = sum(max(0, output(s, nation, zone)) for zone in equipped(s, nation)) - through
    shares = UNITS[nation]
    berths = 2 * len(list(yards(s, nation))) - ships
    order = sorted(
        shares,
        key=lambda type_: (
            (owned.get(type_, 0) + ordered.get(type_, 0) + 1) / shares[type_],
            type_,
        ),
    )
    at_war = at_war_with_major(s, nation)
    for type_ in order:
        kind = kinds[type_]
        cost = kind.cost[0] if kind.cost else 99
        if cost > money:
            continue
        if kind.naval:
            if berths <= 0:
                continue
            if kind.capital and (not at_war or on(s, "ships_under_construction")):
                continue
            yield Buy(type_)
            continue
        if needs_factory(s, nation, kind):
            if slots <= 0:
                continue
            if cost * slots < money * 0.55 and any(
                cost < kinds[other].cost[0] <= money
                for other in order
                if kinds[other].cost and not kinds[other].naval and _available(s, nation, other)
            ):
                continue
        yield Buy(type_)
    if slots > 0 or not needs_factory(s, nation, kinds["infantry"]):
        yield Buy("infantry")
    if _wants_militia(s, nation, ordered):
        yield Buy("militia")


def _available(s: State, nation: str, type_: str) -> bool:
    return s.date >= s.facts.sheets[nation].available.get(type_, 0)


def _wants_militia(s: State, nation: str, ordered: dict[str, int]) -> bool:
    """Militia serves where the Enemy stands at the gates."""
    if ordered.get("militia", 0) >= 4:
        return False
    home = s.facts.nations[nation].home
    return any(
        s.possession[zone] == nation
        and worth(s, zone) >= 6
        and threat(s, nation, zone) > 1.5 * guard(s, nation, zone)
        for zone in home
    )


# --- placement ------------------------------------------------------------------------------------


def place_units(s: State, request: PlaceUnits) -> Iterator[Decision]:
    """Land and air units where they are drawn or in need, ships at the yard nearest to that."""
    nation = request.power
    kinds = s.facts.units
    drawn, wish = draw(s, nation)
    for type_, count in units_ready(s, nation).items():
        kind = kinds[type_]
        if kind.naval:
            zones = sorted(
                places(s, nation, type_),
                key=lambda zone: (_menace(s, nation, zone) > 2, -wish[zone], zone),
            )
        else:
            zones = sorted(
                places(s, nation, type_),
                key=lambda zone: (-_need(s, nation, zone) - drawn.get(zone, 0.0), zone),
            )
        for zone in zones:
            if kind.decks and on(s, "advanced_carriers"):
                for land in s.facts.coast[zone]:
                    for unit in s.stack(land):
                        if unit.nation == nation and kinds[unit.type].on_deck:
                            yield Place(zone, {type_: 1, unit.type: 1}, land)
                continue
            for number in range(min(count, 6), 0, -1):
                yield Place(zone, {type_: number})
    for job in dict.fromkeys(ready(s, nation)):
        if job.what in UPGRADES:
            zones = sorted(
                refit_zones(s, nation, job), key=lambda zone: (-drawn.get(zone, 0.0), zone)
            )
            yield from (Refit(job.what, zone, 1, job.for_) for zone in zones[:3])
        elif job.for_:
            for path in routes(s, nation, job.for_, lent_worth(s, job)):
                yield Deliver(job.what, job.for_, path)
            yield Reassign(job.what, job.for_)
    yield Done()


def _need(s: State, nation: str, zone: str) -> float:
    """How much a zone is in danger, times what it is worth."""
    peril = threat(s, nation, zone)
    return worth(s, zone) if peril > guard(s, nation, zone) else 0.0


def _menace(s: State, nation: str, zone: str) -> int:
    """Enemy ships in a sea zone and beside it."""
    foes = {foe for pair in s.wars if nation in pair for foe in pair} - {nation}
    return sum(
        count
        for near in (zone, *s.facts.sea_next[zone])
        for unit, count in s.stack(near).items()
        if unit.nation in foes
    )
