"""The Production Phase (section 7): buy, build, upgrade, repair, research, influence, lend."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.gw36.model import Job, State
from sandtable.games.gw36.rules import alignment, income, lend_lease, research
from sandtable.games.gw36.rules.alignment import Influence
from sandtable.games.gw36.rules.chart import (
    UPGRADES,
    add,
    build_table,
    check_fast,
    check_money,
    check_unit,
    due,
    instalment,
    instalments,
    pay,
    swap,
)
from sandtable.games.gw36.rules.civil_wars import aid_refusal, note_aid
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.consequences import settle
from sandtable.games.gw36.rules.control import controlled_by
from sandtable.games.gw36.rules.early_fighters import (
    Convert,
    check_convert,
    convert_fighters,
    early_fighters,
)
from sandtable.games.gw36.rules.facilities import check_site, equipped, factories, sites, upgrade_of
from sandtable.games.gw36.rules.relations import SPANISH
from sandtable.games.gw36.rules.repairs import (
    Dock,
    Repair,
    check_dock,
    check_repair,
    damaged,
    dock_ship,
    docks,
    repair_facility,
)
from sandtable.games.gw36.rules.research import Research
from sandtable.games.gw36.rules.terms import has_tech, on
from sandtable.games.gw36.rules.yards import berths, yards
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Buy(Decision, frozen=True, tag="buy"):
    """Begin units: all of a type, perhaps for another nation (lend-lease). `at` is the zone of the
    yard where the rules want it named; `fast` pays the first two instalments at once."""

    unit: str
    number: int = 1
    to: str = ""
    at: str = ""
    fast: bool = False


class Build(Decision, frozen=True, tag="build"):
    """Begin a facility in a land zone, at a sea zone or on a border where it needs one."""

    facility: str
    at: str
    border: str = ""
    fast: bool = False


class Advance(Decision, frozen=True, tag="advance"):
    """Pay the next instalment of something on the Production Chart."""

    what: str
    left: int
    at: str = ""
    border: str = ""
    to: str = ""


class Upgrade(Decision, frozen=True, tag="upgrade"):
    """Upgrade a facility to the next size."""

    facility: str
    at: str
    border: str = ""


class Outfit(Decision, frozen=True, tag="outfit"):
    """Pay for upgrades of units: militia_upgrade or motorized_upgrade; for a Spanish faction if
    `to` names one."""

    upgrade: str
    number: int = 1
    to: str = ""


class Lend(Decision, frozen=True, tag="lend"):
    """Declare lend-lease of money."""

    to: str
    ipp: int


class Deny(Decision, frozen=True, tag="deny"):
    """Deny the Soviet Union the bonus of the Arctic convoys, or allow it again."""

    denied: bool


Production = (
    Buy
    | Build
    | Advance
    | Upgrade
    | Outfit
    | Repair
    | Dock
    | Research
    | Influence
    | Lend
    | Convert
    | Deny
    | Done
)


class Produce(Request, frozen=True, tag="produce"):
    """Spend IPPs: one thing at a time, until done."""

    treasury: int

    answers: ClassVar[tuple[type[Decision], ...]] = (
        Buy,
        Build,
        Advance,
        Upgrade,
        Outfit,
        Repair,
        Dock,
        Research,
        Influence,
        Lend,
        Convert,
        Deny,
        Done,
    )

    def check(self, state: State, decision: Production) -> None:
        """Rules: 7.0a"""
        check(state, self.power, decision)

    def decisions(self, state: State) -> Iterator[Decision]:
        """Everything that can be paid for now, one by one, and done."""
        yield Done()
        for decision in candidates(state, self.power):
            try:
                check(state, self.power, decision)
            except IllegalDecision:
                continue
            yield decision

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        """Mostly something to buy; the less money is left, the sooner it is enough."""
        yield from _wishes(state, self.power, rng)
        yield Done()


# --- what may be bought ---------------------------------------------------------------------------


def _check_number(number: int) -> None:
    if number < 1:
        raise IllegalDecision(f"{number} is no number to buy.", "7.0a")


# --- checks ---------------------------------------------------------------------------------------


def check(s: State, nation: str, decision: Production) -> None:
    """Refuse what the rules do not let a nation do in its Production Phase.

    Rules: 7.0a
    """
    if isinstance(decision, Buy):
        _check_buy(s, nation, decision)
    elif isinstance(decision, Build):
        _check_build(s, nation, decision)
    elif isinstance(decision, Advance):
        job = _job(s, nation, decision)
        check_money(s, job.nation, instalment(s, nation, job))
    elif isinstance(decision, Upgrade):
        _check_upgrade(s, nation, decision)
    elif isinstance(decision, Outfit):
        _check_outfit(s, nation, decision)
    elif isinstance(decision, Repair):
        check_repair(s, nation, decision)
    elif isinstance(decision, Dock):
        check_dock(s, nation, decision)
    elif isinstance(decision, Research):
        research.check_research(s, nation, decision)
    elif isinstance(decision, Influence):
        alignment.check_influence(s, nation, decision)
    elif isinstance(decision, Lend):
        _check_lend(s, nation, decision)
    elif isinstance(decision, Convert):
        check_convert(s, nation, decision)
    elif isinstance(decision, Deny) and nation != "usa":
        raise IllegalDecision("Only the USA can deny the Arctic bonus.", "nrs-usa-f")


def _check_buy(s: State, nation: str, buy: Buy) -> None:
    """Rules: 7.1a, 7.3b, 7.9c, 7.9d, 7.9e, 7.9g, 15.8a"""
    facts = s.facts
    _check_number(buy.number)
    check_unit(s, nation, buy.unit)
    kind = facts.units[buy.unit]
    job = _ordered(buy, nation)
    check_fast(s, nation, job)
    check_money(s, nation, due(s, nation, job) * buy.number)
    if kind.per_turn and s.done.get(f"bought:{nation}:{kind.id}", 0) + buy.number > kind.per_turn:
        raise IllegalDecision(
            f"{facts.name(nation)} may buy {kind.per_turn} {kind.name} a turn.", "7.1a"
        )
    if buy.to:
        lend_lease.check_shipment(s, nation, buy.to)
        if buy.number > 1:
            raise IllegalDecision("One unit at a time is lent to a nation.", "7.9c")
        if not next(factories(s, nation, home=True), ""):
            raise IllegalDecision(
                f"{facts.name(nation)} has no factory in its Home Country.", "7.9d"
            )
    tied = kind.capital and on(s, "ships_under_construction")
    if bool(buy.at) != tied:
        raise IllegalDecision(
            f"{kind.name} is {'' if tied else 'not '}tied to a shipyard.", "15.8a"
        )
    if kind.naval and (tied or len(kind.cost) > 1) and not _yard_for(s, nation, buy.unit, buy.at):
        raise IllegalDecision(
            f"{facts.name(nation)} has no shipyard where {kind.name} could be placed.", "7.3b"
        )


def _yard_for(s: State, nation: str, type_: str, at: str) -> bool:
    """Whether a nation has a yard (in that zone) where a ship of a type could be placed.

    Rules: 7.3b, 15.8a
    """
    kind = s.facts.units[type_]
    return any(
        berths(s, nation, zone, sea, kind) for zone, sea in yards(s, nation) if at in ("", zone)
    )


def _ordered(buy: Buy, nation: str) -> Job:
    return Job(nation, buy.unit, 0, at=buy.at, for_=buy.to, fast=buy.fast)


def _check_build(s: State, nation: str, build: Build) -> None:
    """Rules: 7.1a, 7.3b, 7.3f"""
    if build.facility not in build_table(s, nation)[1]:
        raise IllegalDecision(
            f"{s.facts.name(nation)} cannot build {s.facts.name(build.facility)}.", "7.1a"
        )
    check_site(s, nation, build.facility, build.at, build.border)
    job = _begun(build, nation)
    check_fast(s, nation, job)
    check_money(s, nation, due(s, nation, job))


def _begun(build: Build, nation: str) -> Job:
    return Job(nation, build.facility, 0, at=build.at, border=build.border, fast=build.fast)


def _job(s: State, nation: str, advance: Advance) -> Job:
    """The job on the Production Chart that is meant; refused if there is none to be paid for.

    Rules: 7.3c
    """
    wanted = (advance.what, advance.left, advance.at, advance.border, advance.to)
    for job in _under_way(s, nation):
        if (job.what, job.left, job.at, job.border, job.for_) == wanted:
            return job
    raise IllegalDecision(f"No {s.facts.name(advance.what)} waits for its next instalment.", "7.3c")


def _under_way(s: State, nation: str) -> list[Job]:
    """What waits for its next instalment: a nation's own orders, then those of the Minor Powers
    that it Controls, which pay with what was lent to them (ships that stayed with Vichy France).

    Rules: 7.3c, 14.4.2u
    """
    owners = (nation, *controlled_by(s, nation))
    jobs = [job for job in dict.fromkeys(s.track) if job.left and not job.paid]
    return [job for owner in owners for job in jobs if job.nation == owner]


def _check_upgrade(s: State, nation: str, upgrade: Upgrade) -> None:
    """Rules: 7.3h"""
    facts = s.facts
    if s.possession.get(upgrade.at) != nation:
        raise IllegalDecision(
            f"{facts.name(nation)} does not possess {facts.name(upgrade.at)}.", "7.3h"
        )
    standing = [
        f
        for f in s.facilities.get(upgrade.at, ())
        if (f.type, f.at) == (upgrade.facility, upgrade.border)
    ]
    if not standing:
        raise IllegalDecision(
            f"{facts.name(upgrade.at)} has no {facts.name(upgrade.facility)}.", "7.3h"
        )
    larger, price = upgrade_of(s, nation, upgrade.at, standing[0])
    under_way = sum(
        job.upgrade and (job.what, job.at, job.border) == (larger, upgrade.at, upgrade.border)
        for job in s.track
    )
    if under_way >= len(standing):
        raise IllegalDecision(
            f"{facts.name(upgrade.facility)} in {facts.name(upgrade.at)} is being upgraded.", "7.3h"
        )
    check_money(s, nation, price)


def _check_outfit(s: State, nation: str, outfit: Outfit) -> None:
    """Rules: 11.2a, 11.2b, 13.1e"""
    facts = s.facts
    if outfit.upgrade not in UPGRADES:
        raise IllegalDecision(f"There is no upgrade {facts.name(outfit.upgrade)}.", "11.2a")
    _check_number(outfit.number)
    old, new, price = UPGRADES[outfit.upgrade]
    if outfit.to:
        if outfit.number > 1 or outfit.to not in SPANISH or old != "militia" or s.spain != "war":
            raise IllegalDecision(
                f"{facts.name(nation)} cannot outfit units of {facts.name(outfit.to)}.", "13.1e"
            )
        why, rule = aid_refusal(s, nation, outfit.to, "upgrade")
        if why:
            raise IllegalDecision(why, rule)
    elif old == "militia":
        if s.done.get(f"militia_upgrade:{nation}", 0) + outfit.number > 1:
            raise IllegalDecision("One Militia a turn can be upgraded.", "11.2a")
    elif not on(s, "motorized_upgrade") or new not in build_table(s, nation)[0]:
        raise IllegalDecision(
            f"{facts.name(nation)} cannot upgrade Infantry to Motorized Infantry.", "11.2b"
        )
    check_money(s, nation, price * outfit.number)


def _check_lend(s: State, nation: str, lend: Lend) -> None:
    """Rules: 7.9c"""
    lend_lease.check_shipment(s, nation, lend.to, "repair")
    most = lend_lease.most(s, lend.to)
    if not 1 <= lend.ipp <= most:
        raise IllegalDecision(
            f"Up to {most} IPP may be lent to {s.facts.name(lend.to)} now.", "7.9c"
        )
    check_money(s, nation, lend.ipp)


# --- what can be done -----------------------------------------------------------------------------


def candidates(s: State, nation: str, most: int | None = None) -> Iterator[Production]:
    """Everything that could be legal, once each; units up to `most` at a time, by default as many
    as there is money for."""
    money = s.treasury.get(nation, 0)
    units, buildings = build_table(s, nation)
    lendable = list(lend_lease.receivers(s, nation))
    hurry = (False, True) if has_tech(s, nation, "improved_construction") else (False,)
    for type_ in units:
        cost = s.facts.units[type_].cost
        if cost and cost[0] - 1 <= money:
            for fast in hurry:
                for at in _yard_zones(s, nation, type_):
                    for number in range(1, (most or money // max(1, cost[0] - 1)) + 1):
                        yield Buy(type_, number, at=at, fast=fast)
                    for to in lendable:
                        yield Buy(type_, to=to, at=at, fast=fast)
    for type_ in buildings:
        if type_ == "railroad" or s.facts.facilities[type_].cost[0] - 1 <= money:
            for zone, border in sites(s, nation, type_):
                for fast in hurry:
                    yield Build(type_, zone, border, fast)
    yield from _advances(s, nation)
    for zone in equipped(s, nation):
        for f in dict.fromkeys(s.facilities[zone]):
            if s.facts.facilities[f.type].upgrade:
                yield Upgrade(f.type, zone, f.at)
    for upgrade in UPGRADES:
        for number in range(1, 2 if upgrade == "militia_upgrade" else (most or money) + 1):
            yield Outfit(upgrade, number)
    for faction in SPANISH:
        yield Outfit("militia_upgrade", to=faction)
    for type_, at, border, damage in damaged(s, nation):
        for points in range(1, damage + 1):
            yield Repair(type_, points, at, border)
    yield from docks(s, nation)
    for technology in s.facts.technologies if research.dice(s, nation) else ():
        yield Research(technology)
    yield from alignment.influence_options(s, nation)
    for to in lendable:
        for ipp in range(1, lend_lease.most(s, to) + 1):
            yield Lend(to, ipp)
    if on(s, "early_fighters"):
        for zone in s.presence.get(nation, ()):
            for number in range(1, early_fighters(s, nation, zone) + 1):
                yield Convert(zone, number)
                yield Convert(zone, number, scrap=True)
    if nation == "usa":
        yield Deny(denied=not _denied(s))


def _denied(s: State) -> bool:
    return ("soviet_arctic", "usa", "ussr") in s.refused


def _yard_zones(s: State, nation: str, type_: str) -> tuple[str, ...]:
    if s.facts.units[type_].capital and on(s, "ships_under_construction"):
        return tuple(dict.fromkeys(zone for zone, _ in yards(s, nation)))
    return ("",)


def _advances(s: State, nation: str) -> Iterator[Advance]:
    for job in _under_way(s, nation):
        yield Advance(job.what, job.left, job.at, job.border, job.for_)


def _wishes(s: State, nation: str, rng: random.Random) -> Iterator[Production]:
    """A few things at random that a nation might want."""
    money = s.treasury.get(nation, 0)
    units, buildings = build_table(s, nation)
    jobs = list(_advances(s, nation))
    if jobs and rng.random() < 0.7:
        yield jobs[int(rng.random() * len(jobs))]
    if rng.random() < 0.3:
        yield from alignment.influence_options(s, nation)
    if rng.random() < 0.3 and research.dice(s, nation):
        names = list(s.facts.technologies)
        yield Research(names[int(rng.random() * len(names))])
    for type_, at, border, damage in damaged(s, nation) if money and rng.random() < 0.5 else ():
        yield Repair(type_, min(damage, money), at, border)
    for dock in docks(s, nation):
        if rng.random() < 0.5:
            yield dock
    if rng.random() < 0.03:
        others = list(candidates(s, nation))
        for _ in range(5 if others else 0):
            yield others[int(rng.random() * len(others))]
    for _ in range(4):
        if money < 2 or rng.random() < 0.15:
            return
        if buildings and rng.random() < 0.1:
            type_ = buildings[int(rng.random() * len(buildings))]
            places = list(sites(s, nation, type_))
            if places:
                yield Build(type_, *places[int(rng.random() * len(places))])
            continue
        type_ = units[int(rng.random() * len(units))]
        cost = s.facts.units[type_].cost
        if cost and cost[0] <= money:
            zones = _yard_zones(s, nation, type_)
            if zones:
                number = 1 + int(rng.random() * min(3, money // cost[0]))
                yield Buy(type_, number, at=zones[int(rng.random() * len(zones))])


# --- the phase ------------------------------------------------------------------------------------


def takes_part(s: State, nation: str) -> bool:
    """Whether a player nation is in the game: it has zones or units, and has not surrendered."""
    return nation not in s.surrendered and (
        bool(s.presence.get(nation)) or nation in s.possession.values()
    )


def phase(g: Table[State]) -> Procedure[None]:
    """The Production Phase of all nations of this turn, one after the other: first the rolls that
    raise peacetime incomes, then whatever they like, in any order.

    Rules: 6.2a, 7.0a, 7.5a, 5.2c
    """
    s = g.state
    for nation in s.facts.order[s.slot]:
        if nation in s.finished or not takes_part(s, nation):
            continue
        if s.mover != nation:
            g.checkpoint(strict=True)
            s.mover = nation
            s.track = tuple(
                job._replace(paid=False)
                if nation in (job.nation, s.control.get(job.nation))
                else job
                for job in s.track
            )
            yield from income.rolls(g, nation)
        while nation not in s.finished:
            yield from settle(g)
            g.checkpoint()
            decision: Production = yield from g.ask(Produce(nation, s.treasury.get(nation, 0)))
            if isinstance(decision, Done):
                s.finished |= {nation}
            else:
                yield from apply(g, nation, decision)


def apply(g: Table[State], nation: str, decision: Production) -> Procedure[None]:
    """Carry out one decision of the phase."""
    s = g.state
    if isinstance(decision, Buy):
        _start(g, nation, _ordered(decision, nation), decision.number)
        key = f"bought:{nation}:{decision.unit}"
        s.done[key] = s.done.get(key, 0) + decision.number
        if decision.to:
            lend_lease.note(s, nation, decision.to)
    elif isinstance(decision, Build):
        _start(g, nation, _begun(decision, nation), 1)
    elif isinstance(decision, Advance):
        job = _job(s, nation, decision)
        pay(s, job.nation, instalment(s, nation, job))
        swap(s, job, job._replace(left=job.left - 1, paid=True))
        g.emit("advanced", power=nation, unit=job.what, left=job.left - 1)
    elif isinstance(decision, Upgrade):
        _upgrade(g, nation, decision)
    elif isinstance(decision, Outfit):
        _outfit(g, nation, decision)
    elif isinstance(decision, Repair):
        repair_facility(g, nation, decision)
    elif isinstance(decision, Dock):
        yield from dock_ship(g, nation, decision)
    elif isinstance(decision, Research):
        yield from research.roll(g, nation, decision)
    elif isinstance(decision, Influence):
        yield from alignment.influence(g, nation, decision)
    elif isinstance(decision, Lend):
        pay(s, nation, decision.ipp)
        lend_lease.note(s, nation, decision.to)
        add(s, Job(nation, lend_lease.MONEY, 0, for_=decision.to, paid=True, ipp=decision.ipp))
        g.emit("lent", power=nation, recipient=decision.to, ipp=decision.ipp)
    elif isinstance(decision, Convert):
        convert_fighters(g, nation, decision)
    elif isinstance(decision, Deny):
        what = frozenset({("soviet_arctic", "usa", "ussr")})
        s.refused = s.refused | what if decision.denied else s.refused - what
        g.emit("arctic_denied", power=nation, denied=decision.denied)


def _start(g: Table[State], nation: str, order: Job, number: int) -> None:
    """Pay the first instalment and put the order on the Production Chart, where it stands as many
    stages from the Place Units Box as it has instalments left.

    Rules: 7.1b, 7.3a, 7.3d, 7.3f, table-7-1a, 7.9e
    """
    s = g.state
    pay(s, nation, due(s, nation, order) * number)
    stages = len(instalments(s, nation, order)) - (2 if order.fast else 1)
    add(s, *[order._replace(left=stages, paid=True)] * number)
    g.emit("bought", power=nation, units={order.what: number}, space=order.at, recipient=order.for_)


def _upgrade(g: Table[State], nation: str, upgrade: Upgrade) -> None:
    """Rules: 7.3h"""
    s = g.state
    here = next(
        f for f in s.facilities[upgrade.at] if (f.type, f.at) == (upgrade.facility, upgrade.border)
    )
    larger, price = upgrade_of(s, nation, upgrade.at, here)
    pay(s, nation, price)
    add(s, Job(nation, larger, 0, upgrade.at, upgrade.border, paid=True, upgrade=True))
    g.emit("bought", power=nation, units={larger: 1}, space=upgrade.at, recipient="")


def _outfit(g: Table[State], nation: str, outfit: Outfit) -> None:
    """Rules: 11.2a, 11.2b, 13.1e"""
    s = g.state
    pay(s, nation, UPGRADES[outfit.upgrade].ipp * outfit.number)
    if outfit.to:
        note_aid(s, nation)
    else:
        key = f"{outfit.upgrade}:{nation}"
        s.done[key] = s.done.get(key, 0) + outfit.number
    add(s, *[Job(nation, outfit.upgrade, 0, for_=outfit.to, paid=True)] * outfit.number)
    g.emit(
        "bought", power=nation, units={outfit.upgrade: outfit.number}, space="", recipient=outfit.to
    )
