"""The Place Units and Collect Income Phase (section 11)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import ClassVar

from sandtable.games.gw36.model import Job, News, State, Unit
from sandtable.games.gw36.rules import facilities, lend_lease
from sandtable.games.gw36.rules.chart import UPGRADES, add, drop
from sandtable.games.gw36.rules.civil_wars import volunteers
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.consequences import settle
from sandtable.games.gw36.rules.control import controlled_by, recruit
from sandtable.games.gw36.rules.facilities import factories, output
from sandtable.games.gw36.rules.income import collect
from sandtable.games.gw36.rules.lend_lease import MONEY, Deliver
from sandtable.games.gw36.rules.placing import (
    check_room,
    needs_factory,
    places,
    room,
    yard_at,
)
from sandtable.games.gw36.rules.production import takes_part
from sandtable.games.gw36.rules.supply import rail_reach, reachable
from sandtable.games.gw36.rules.terms import on
from sandtable.games.gw36.rules.yards import most_hits, use
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

COLLECT = "collect"
"""The step in which nothing more is placed."""


class Place(Decision, frozen=True, tag="place"):
    """Place units of the Place Units Box in a zone, type to number. Aircraft that go aboard a new
    carrier are named with it; `fetch` brings them from a land zone beside it instead (15.3)."""

    space: str
    units: dict[str, int]
    fetch: str = ""


class Refit(Decision, frozen=True, tag="refit"):
    """Carry out upgrades of units in a zone; of a Spanish faction's if `to` names it."""

    upgrade: str
    space: str
    number: int = 1
    to: str = ""


class Reassign(Decision, frozen=True, tag="reassign"):
    """Keep lend-lease that could not be delivered."""

    what: str
    to: str


Placing = Place | Refit | Deliver | Reassign | Done


class PlaceUnits(Request, frozen=True, tag="place_units"):
    """Place what is ready, carry out upgrades, deliver lend-lease; whatever is left waits."""

    ready: dict[str, int]

    answers: ClassVar[tuple[type[Decision], ...]] = (Place, Refit, Deliver, Reassign, Done)

    def check(self, state: State, decision: Placing) -> None:
        """Rules: 7.3e"""
        check(state, self.power, decision)

    def decisions(self, state: State) -> Iterator[Decision]:
        """Every placement of one type in one zone, every upgrade and delivery, and done."""
        yield Done()
        for decision in _candidates(state, self.power):
            try:
                check(state, self.power, decision)
            except IllegalDecision:
                continue
            yield decision

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        yield from _wishes(state, self.power, rng)
        yield Done()


# --- what is ready --------------------------------------------------------------------------------


def ready(s: State, nation: str) -> Iterator[Job]:
    """What stands in a nation's Place Units Box.

    Rules: 7.3d
    """
    return (job for job in s.track if job.nation == nation and not job.left)


def units_ready(s: State, nation: str) -> dict[str, int]:
    """The units that can be placed, type to number."""
    kinds = s.facts.units
    jobs = Counter(job.what for job in ready(s, nation) if job.what in kinds and not job.for_)
    return dict(sorted(jobs.items()))


def _upgrades(s: State, nation: str, upgrade: str, to: str) -> list[Job]:
    return [job for job in ready(s, nation) if (job.what, job.for_) == (upgrade, to)]


def _shipment(s: State, nation: str, what: str, to: str) -> Job:
    for job in ready(s, nation):
        if (job.what, job.for_) == (what, to) and to and what not in UPGRADES:
            return job
    raise IllegalDecision(
        f"No {s.facts.name(what)} for {s.facts.name(to)} is ready to be delivered.", "7.9f"
    )


# --- checks ---------------------------------------------------------------------------------------


def check(s: State, nation: str, decision: Placing) -> None:
    """Refuse what the rules do not let a nation do as it places units.

    Rules: 7.3e, 11.4k
    """
    if isinstance(decision, Place):
        _check_place(s, nation, decision)
    elif isinstance(decision, Refit):
        _check_refit(s, nation, decision)
    elif isinstance(decision, Deliver):
        job = _shipment(s, nation, decision.what, decision.to)
        lend_lease.check_path(s, nation, job, decision.path)
        _check_made(s, nation, job)
    elif isinstance(decision, Reassign):
        job = _shipment(s, nation, decision.what, decision.to)
        if job.paid:
            raise IllegalDecision(
                "Lend-lease that waits since an earlier turn can be reassigned.", "11.4k"
            )


def _check_place(s: State, nation: str, place: Place) -> None:
    """Rules: 7.1b, 7.3d, 11.1a, 11.1d, 11.1f, 11.1g, 11.1h, 15.3a"""
    facts = s.facts
    if place.space not in facts.zones:
        raise IllegalDecision(f"There is no zone {facts.name(place.space)}.", "11.1a")
    if not place.units:
        raise IllegalDecision("A placement names at least one unit.", "11.1a")
    box = units_ready(s, nation)
    aircraft = _aboard(s, place)
    for type_, count in place.units.items():
        fetched = bool(place.fetch) and type_ in aircraft
        if not 1 <= count <= (count if fetched else box.get(type_, 0)):
            raise IllegalDecision(
                f"{facts.name(nation)} has {box.get(type_, 0)} {facts.name(type_)} to place.",
                "7.3d",
            )
    if facts.zones[place.space].sea:
        _check_ships(s, nation, place, aircraft)
    else:
        if place.fetch:
            raise IllegalDecision("Aircraft are fetched for new carriers only.", "15.3a")
        through = 0
        for type_, count in place.units.items():
            check_room(s, nation, type_, place.space, count)
            through += count * needs_factory(s, nation, facts.units[type_])
        if through > max(0, output(s, nation, place.space)):
            raise IllegalDecision(
                f"The factories of {facts.name(place.space)} can bring in "
                f"{max(0, output(s, nation, place.space))} more units.",
                "11.1a",
            )


def _aboard(s: State, place: Place) -> dict[str, int]:
    """The aircraft of a placement at sea: they go aboard the carriers of the same placement."""
    kinds = s.facts.units
    if not s.facts.zones[place.space].sea:
        return {}
    return {type_: n for type_, n in place.units.items() if type_ in kinds and kinds[type_].on_deck}


def _check_ships(s: State, nation: str, place: Place, aircraft: dict[str, int]) -> None:
    """Rules: 11.1f, 11.1g, 11.1h, 15.3a, 15.8a"""
    facts = s.facts
    trial = s.copy()
    carriers = decks = 0
    for type_, count in place.units.items():
        kind = facts.units[type_]
        if type_ in aircraft:
            continue
        if not kind.naval:
            raise IllegalDecision(f"{kind.name} is placed on land.", "11.1a")
        carriers += count * bool(kind.decks)
        decks += count * kind.decks
        for job in _jobs(s, nation, type_, count):
            yard = yard_at(trial, nation, kind, place.space, job.at)
            if not yard:
                raise IllegalDecision(
                    f"No yard can place {kind.name} in {facts.name(place.space)}.",
                    "11.1f" if kind.capital else "11.1g",
                )
            use(trial, yard, place.space, kind)
    planes = sum(aircraft.values())
    if planes > decks or (planes and not on(s, "advanced_carriers")):
        raise IllegalDecision("Aircraft are placed on land.", "11.1a")
    if on(s, "advanced_carriers") and planes < carriers:
        raise IllegalDecision("A new carrier needs at least one aircraft aboard.", "15.3a")
    if place.fetch:
        _check_fetch(s, nation, place, aircraft)
    elif planes and not _wing_factories(s, nation, place.space, planes):
        raise IllegalDecision("No factory behind the yard can build the aircraft.", "11.1a")


def _check_fetch(s: State, nation: str, place: Place, aircraft: dict[str, int]) -> None:
    """Rules: 15.3a"""
    here: Counter[str] = Counter()
    for unit, count in s.stack(place.fetch).items():
        if unit.nation == nation and not unit.cargo:
            here[unit.type] += count
    if place.fetch not in s.facts.coast.get(place.space, ()) or not aircraft:
        raise IllegalDecision("Aircraft come aboard from a land zone beside the carrier.", "15.3a")
    for type_, count in aircraft.items():
        if count > here[type_]:
            raise IllegalDecision(
                f"{s.facts.name(place.fetch)} has {here[type_]} {s.facts.name(type_)}.", "15.3a"
            )


def _wing_factories(s: State, nation: str, sea: str, planes: int) -> list[str]:
    """Zones, one for each aircraft of a new carrier, whose factories still have output: the yard's
    or connected with it by rail; empty if there are not enough."""
    found: list[str] = []
    for land in s.facts.coast[sea]:
        if s.possession[land] == nation:
            for zone in sorted(rail_reach(s, nation, land)):
                if zone not in found:
                    found += [zone] * max(0, output(s, nation, zone))
    return found[:planes] if len(found) >= planes else []


def _jobs(s: State, nation: str, type_: str, count: int) -> list[Job]:
    """So many jobs of a type in the Place Units Box, those tied to a yard first."""
    jobs = [job for job in ready(s, nation) if job.what == type_ and not job.for_]
    return sorted(jobs, key=lambda job: not job.at)[:count]


def _check_refit(s: State, nation: str, refit: Refit) -> None:
    """Rules: 11.2a, 11.2b, 11.2c, 11.2d, 11.2e, 13.1e"""
    facts = s.facts
    if refit.upgrade not in UPGRADES:
        raise IllegalDecision(f"There is no upgrade {facts.name(refit.upgrade)}.", "11.2a")
    jobs = _upgrades(s, nation, refit.upgrade, refit.to)
    if not 1 <= refit.number <= len(jobs):
        raise IllegalDecision(
            f"{facts.name(nation)} has {len(jobs)} such upgrades to carry out.", "11.2a"
        )
    if refit.space not in refit_zones(s, nation, jobs[0]):
        raise IllegalDecision(
            f"No supply path leads from a factory in the Home Country to such a unit in "
            f"{facts.name(refit.space)}.",
            "11.2c",
        )
    old = UPGRADES[refit.upgrade].old
    there = sum(
        count
        for unit, count in s.stack(refit.space).items()
        if (unit.nation, unit.type) == (refit.to or nation, old)
    )
    if there < refit.number:
        raise IllegalDecision(
            f"{facts.name(refit.space)} has {there} {facts.name(old)} to upgrade.", "11.2a"
        )


def refit_zones(s: State, nation: str, job: Job) -> list[str]:
    """The zones with a unit that an upgrade can reach.

    Rules: 11.2c, 11.2d, 11.2e, 13.1e
    """
    owner, old = job.for_ or nation, UPGRADES[job.what].old
    zones = [
        zone
        for zone in s.presence.get(owner, ())
        if zone in s.possession and any((u.nation, u.type) == (owner, old) for u in s.at[zone])
    ]
    if not zones:
        return []
    if job.for_:
        open_ = {way[-1] for way in lend_lease.routes(s, nation, owner, 0)}
        return [zone for zone in zones if any(zone in reachable(s, owner, at) for at in open_)]
    supplied: set[str] = set()
    for factory in factories(s, nation, home=True):
        if factory not in supplied:
            supplied |= reachable(s, nation, factory)
    return [zone for zone in zones if zone in supplied]


def _check_made(s: State, nation: str, job: Job) -> None:
    """A unit that is lent is made at a factory in the Home Country, a ship at a yard.

    Rules: 7.9d
    """
    if job.what != MONEY and not _maker(s, nation, job):
        raise IllegalDecision(
            f"No factory or yard in the Home Country can make {s.facts.name(job.what)} this turn.",
            "7.9d",
        )


def _maker(s: State, nation: str, job: Job) -> str:
    """Where a unit that is lent is made: the zone of the factory, or the sea zone of the yard."""
    kind = s.facts.units[job.what]
    if kind.naval:
        return next(places(s, nation, job.what), "")
    if not needs_factory(s, nation, kind):
        return s.facts.nations[nation].capital
    home = s.facts.nations[nation].home
    return next((zone for zone in sorted(home) if output(s, nation, zone) > 0), "")


# --- what can be done -----------------------------------------------------------------------------


def _candidates(s: State, nation: str) -> Iterator[Placing]:
    """Everything that could be legal, one type at a time."""
    for type_, most in units_ready(s, nation).items():
        kind = s.facts.units[type_]
        for space in places(s, nation, type_):
            if kind.decks and on(s, "advanced_carriers"):
                yield from _with_aircraft(s, nation, type_, space)
                continue
            for count in range(1, most + 1):
                yield Place(space, {type_: count})
    for job, most in Counter(ready(s, nation)).items():
        if job.what in UPGRADES or job.for_:
            yield from _uses(s, nation, job, most)


def _uses(s: State, nation: str, job: Job, most: int) -> Iterator[Refit | Reassign | Deliver]:
    """What can be done with upgrades or with lend-lease."""
    if job.what in UPGRADES:
        for zone in refit_zones(s, nation, job):
            for number in range(1, most + 1):
                yield Refit(job.what, zone, number, job.for_)
        return
    yield Reassign(job.what, job.for_)
    for path in lend_lease.routes(s, nation, job.for_, lend_lease.worth(s, job)):
        yield Deliver(job.what, job.for_, path)


def _with_aircraft(s: State, nation: str, type_: str, space: str) -> Iterator[Place]:
    """A new carrier with one aircraft, new or from beside it."""
    for plane in units_ready(s, nation):
        if s.facts.units[plane].on_deck:
            yield Place(space, {type_: 1, plane: 1})
    for land in s.facts.coast[space]:
        for unit in s.stack(land):
            if unit.nation == nation and s.facts.units[unit.type].on_deck:
                yield Place(space, {type_: 1, unit.type: 1}, land)


def _wishes(s: State, nation: str, rng: random.Random) -> Iterator[Placing]:
    """One thing after the other until nothing is ready: units where there is room for them."""
    box = list(units_ready(s, nation).items())
    rng.shuffle(box)
    for type_, most in box:
        space = next(places(s, nation, type_, rng), "")
        if not space:
            continue
        kind = s.facts.units[type_]
        if kind.decks and on(s, "advanced_carriers"):
            yield from _with_aircraft(s, nation, type_, space)
        elif kind.naval:
            yield Place(space, {type_: 1})
        else:
            yield Place(space, {type_: min(most, room(s, nation, kind, space))})
    jobs = [job for job in ready(s, nation) if job.for_ or job.what in UPGRADES]
    if jobs:
        job = jobs[int(rng.random() * len(jobs))]
        some = list(islice(_uses(s, nation, job, 1), 1 + int(rng.random() * 6)))
        yield from reversed(some)


# --- the phase ------------------------------------------------------------------------------------


def phase(g: Table[State]) -> Procedure[None]:
    """The Place Units and Collect Income Phase of all nations of this turn, one after the other:
    repairs and facilities are finished, free units and recruits come, then the nation places what
    it likes; last of all it collects its income.

    Rules: 6.2a, 11.1a, 11.3a, 11.5a, 11.6a, 7.4d, 13.1l, 13.1p
    """
    s = g.state
    for nation in s.facts.order[s.slot]:
        if nation in s.finished or not takes_part(s, nation):
            continue
        if s.mover != nation:
            g.checkpoint(strict=True)
            s.mover = nation
            finish_repairs(g, nation)
            finish_facilities(g, nation)
            _volunteers(g, nation)
            yield from _recruits(g, nation)
        while s.step != COLLECT and any(True for _ in ready(s, nation)):
            yield from settle(g)
            g.checkpoint()
            decision: Placing = yield from g.ask(PlaceUnits(nation, units_ready(s, nation)))
            if isinstance(decision, Done):
                s.step = COLLECT
            else:
                yield from apply(g, nation, decision)
        yield from settle(g)
        g.checkpoint(strict=True)
        yield from collect(g, nation)
        s.step = ""
        s.finished |= {nation}


def finish_repairs(g: Table[State], nation: str) -> None:
    """Ships that stayed in their yard are repaired.

    Rules: 7.4d
    """
    s = g.state
    for zone, unit, count in s.worn_units():
        if unit.duty == "repair" and unit.nation == nation:
            hits = max(0, unit.hits - most_hits(s, unit.target, zone))
            s.change(zone, unit, count, hits=hits, duty="", target="")
            g.emit("ship_repaired", power=nation, space=zone, units={unit.type: count})


def finish_facilities(g: Table[State], nation: str) -> None:
    """Put up what is finished where it was begun, if the zone is still the nation's.

    Rules: 11.3a, 11.3b, 7.3g, 7.3h
    """
    s = g.state
    for job in list(ready(s, nation)):
        if job.what not in s.facts.facilities or s.possession[job.at] != nation:
            continue
        if job.upgrade and facilities.replaced(s, job) is None:
            continue
        drop(s, job)
        facilities.place(s, job)
        g.emit("facility_placed", power=nation, space=job.at, unit=job.what, port=job.border)


def _volunteers(g: Table[State], nation: str) -> None:
    """Rules: 13.1l, 13.1p"""
    s = g.state
    zone = volunteers(s, nation)
    if zone:
        s.build(zone, Unit(nation, "infantry"))
        g.emit("volunteers", power=nation, space=zone, units={"infantry": 1})


def _recruits(g: Table[State], nation: str) -> Procedure[None]:
    """The recruitment rolls of the Minor Powers that a nation Controls, and of the CCP until it has
    evolved.

    Rules: 11.5a, 11.5b
    """
    s = g.state
    if nation == "ccp" and nation not in s.evolved:
        yield from recruit(g, nation)
    for minor in controlled_by(s, nation):
        yield from recruit(g, minor)


def apply(g: Table[State], nation: str, decision: Placing) -> Procedure[None]:
    """Carry out one decision of the phase."""
    s = g.state
    if isinstance(decision, Place):
        _place(g, nation, decision)
    elif isinstance(decision, Refit):
        _refit(g, nation, decision)
    elif isinstance(decision, Reassign):
        job = _shipment(s, nation, decision.what, decision.to)
        drop(s, job)
        if job.what == MONEY:
            s.treasury[nation] += job.ipp
        else:
            add(s, job._replace(for_=""))
        g.emit("reassigned", power=nation, unit=job.what)
    elif isinstance(decision, Deliver):
        yield from _deliver(g, nation, decision)


def _place(g: Table[State], nation: str, place: Place) -> None:
    """Rules: 11.1a, 11.1f, 11.1g, 11.1h, 11.1i, 15.3a, 15.8a"""
    s = g.state
    kinds, aircraft = s.facts.units, _aboard(s, place)
    wing: list[Unit] = []
    for type_, count in aircraft.items():
        wing += [Unit(nation, type_)] * count
        if place.fetch:
            _fetch(s, nation, place.fetch, type_, count)
        else:
            for job in _jobs(s, nation, type_, count):
                drop(s, job)
    if wing and not place.fetch:
        for zone in _wing_factories(s, nation, place.space, len(wing)):
            _count(s, f"placed:{zone}", 1)
    for type_, count in place.units.items():
        kind = kinds[type_]
        if type_ in aircraft:
            continue
        for job in _jobs(s, nation, type_, count):
            drop(s, job)
            if kind.naval:
                use(s, yard_at(s, nation, kind, place.space, job.at), place.space, kind)
                cargo = _board(wing, kind.decks)
                s.build(place.space, Unit(nation, type_, cargo=cargo))
                if place.fetch:
                    for piece in cargo:
                        s.built[nation, piece.type] -= 1
            else:
                s.build(place.space, Unit(nation, type_))
        if kind.capital:
            for _ in range(count):
                s.tell(News("capital_ship", nation))
        if type_ == "militia":
            _count(s, f"militia:{place.space}", count)
        elif not kind.naval and needs_factory(s, nation, kind):
            _count(s, f"placed:{place.space}", count)
    g.emit("placed", power=nation, space=place.space, units=place.units)


def _count(s: State, key: str, count: int) -> None:
    s.done[key] = s.done.get(key, 0) + count


def _board(wing: list[Unit], decks: int) -> tuple[Unit, ...]:
    """The aircraft that go aboard the next carrier."""
    aboard = tuple(sorted(wing[:decks]))
    del wing[:decks]
    return aboard


def _fetch(s: State, nation: str, zone: str, type_: str, count: int) -> None:
    """Take aircraft from a land zone.

    Rules: 15.3a
    """
    for unit, here in list(s.stack(zone).items()):
        if count and (unit.nation, unit.type) == (nation, type_):
            s.take(zone, unit, min(count, here))
            count -= min(count, here)


def _refit(g: Table[State], nation: str, refit: Refit) -> None:
    """Rules: 11.2a, 11.2b, 11.2d, 13.1e"""
    s = g.state
    old, new = UPGRADES[refit.upgrade].old, UPGRADES[refit.upgrade].new
    left = refit.number
    owner = refit.to or nation
    for job in _upgrades(s, nation, refit.upgrade, refit.to)[:left]:
        drop(s, job)
    for unit, count in list(s.stack(refit.space).items()):
        if left and (unit.nation, unit.type) == (owner, old):
            number = min(left, count)
            s.take(refit.space, unit, number)
            s.put(refit.space, unit._replace(type=new), number)
            left -= number
    for tally, type_ in ((s.lost, old), (s.built, new)):
        tally[owner, type_] = tally.get((owner, type_), 0) + refit.number
    g.emit("refitted", power=nation, space=refit.space, unit=refit.upgrade, number=refit.number)


def _deliver(g: Table[State], nation: str, deliver: Deliver) -> Procedure[None]:
    """Rules: 7.9f, 11.4a, 11.4i, 11.4l"""
    s = g.state
    job = _shipment(s, nation, deliver.what, deliver.to)
    if job.what != MONEY:
        kind, maker = s.facts.units[job.what], _maker(s, nation, job)
        if kind.naval:
            use(s, yard_at(s, nation, kind, maker), maker, kind)
        elif needs_factory(s, nation, kind):
            _count(s, f"placed:{maker}", 1)
    drop(s, job)
    if (yield from lend_lease.run(g, nation, job, deliver.path)):
        lend_lease.arrive(s, job, deliver.path)
        g.emit(
            "delivered",
            power=nation,
            recipient=job.for_,
            unit=job.what,
            ipp=job.ipp,
            path=deliver.path,
        )
