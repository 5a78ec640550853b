"""The position at the start of a game: a scenario, or any position a user can think of (2.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from sandtable.games.gw36 import audit
from sandtable.games.gw36.facts import Pair, half_year, load_facts, pair
from sandtable.games.gw36.files import Date, Gauge
from sandtable.games.gw36.model import PHASES, Facility, Job, News, State, Unit
from sandtable.games.gw36.rules import passages
from sandtable.games.gw36.rules.income import value
from sandtable.games.gw36.rules.objectives import HOME_LOST
from sandtable.games.gw36.rules.sea_duties import RAIDER
from sandtable.games.gw36.rules.terms import at_war_with_major, foes, on, power_of
from sandtable.kernel.errors import PositionError
from sandtable.kernel.package import read_position

_Count = Annotated[int, Meta(ge=0, le=999)]


class Cargo(msgspec.Struct, forbid_unknown_fields=True):
    """A unit aboard; without a nation it is of the ship's."""

    type: str
    nation: str = ""
    used: _Count = 0
    origin: str = ""
    duty: str = ""
    target: str = ""


class Piece(msgspec.Struct, forbid_unknown_fields=True):
    """Units of one type that are damaged, carry something or have done something."""

    count: _Count = 1
    hits: _Count = 0
    used: _Count = 0
    origin: str = ""
    duty: str = ""
    target: str = ""
    cargo: list[str | Cargo] = []


class Building(msgspec.Struct, forbid_unknown_fields=True):
    """A facility."""

    type: str
    at: str = ""
    damage: _Count = 0
    since: Date | None = None
    was: str = ""


class Rail(msgspec.Struct, forbid_unknown_fields=True):
    """A railway across a border."""

    between: tuple[str, str]
    gauge: Gauge = "regular"
    damage: _Count = 0


class Order(msgspec.Struct, forbid_unknown_fields=True, rename={"for_": "for"}):
    """Something on the Production Chart."""

    nation: str
    what: str
    left: _Count
    at: str = ""
    border: str = ""
    for_: str = ""
    paid: bool = False
    damage: _Count = 0
    upgrade: bool = False
    fast: bool = False
    ipp: _Count = 0


class Position(msgspec.Struct, forbid_unknown_fields=True):
    """A custom position; what is not named stays as in the scenario, without its units if the base
    is `empty`."""

    base: str = "setup"
    date: Date | None = None
    turn: str = ""
    phase: str = PHASES[0]
    units: dict[str, dict[str, dict[str, _Count | list[Piece]]]] = {}
    possession: dict[str, str] = {}
    start_possession: dict[str, str] = {}
    control: dict[str, str] = {}
    aligned: dict[str, str] = {}
    defeated: list[str] | None = None
    surrendered: list[str] | None = None
    wars: list[tuple[str, str]] | None = None
    attacked: list[tuple[str, str]] = []
    pacts: list[str] | None = None
    pacts_ended: list[str] = []
    offers: list[tuple[str, str]] = []
    closed: list[tuple[str, str]] | None = None
    permits: list[tuple[str, str, str]] = []
    refused: list[tuple[str, str, str]] = []
    evolved: list[str] = []
    capital: dict[str, str] = {}
    spain: Literal["", "war", "nationalist", "republican"] | None = None
    abyssinia: Literal["war", "italy", "abyssinia"] | None = None
    china: Literal["war", "kmt", "ccp"] | None = None
    vichy: Literal["none", "active", "aligned", "gone", "refused"] | None = None
    annexed: list[str] | None = None
    marks: list[str] = []
    counts: dict[str, int] = {}
    income: dict[str, _Count] = {}
    treasury: dict[str, _Count] = {}
    tech: dict[str, dict[str, _Count]] = {}
    production: list[Order] | None = None
    facilities: dict[str, list[str | Building]] = {}
    railways: list[Rail] = []
    canal_damage: dict[str, _Count] = {}
    raided: dict[str, dict[str, _Count]] = {}
    burma_road: bool | None = None
    done: dict[str, int] = {}
    fought: list[str] = []
    captured: list[str] = []
    planned: list[tuple[str, str]] = []


PACTS = ("molotov_ribbentrop", "japanese_soviet", "chinese_truce")

DUTIES: dict[str, tuple[str, ...]] = {
    "": ("land", "air", "naval"),
    "attack": ("land", "air", "naval"),
    "assault": ("land",),
    "landing": ("naval",),
    "bombard": ("naval",),
    "bomb": ("air",),
    "carpet": ("air", "strategic_rocket"),
    "escort_bombers": ("air",),
    "rocket": ("strategic_rocket",),
    "attrition": ("land",),
    "raid": ("air", "naval"),
    "mine": ("air", "naval"),
    "screen": ("naval",),
    "follow": ("naval",),
    "fought": ("land", "air", "naval"),
    "retreated": ("land", "air", "naval"),
    "moved": ("land", "air", "naval"),
    "repair": ("naval",),
    "patrol": ("air",),
    "convoy": ("naval",),
    "blockade": ("naval",),
    "submerged": ("naval",),
    "scrambled": ("air",),
    "declined": ("naval",),
}
"""What units of a custom position may be doing, and which can: classes, or types."""


MARKS = (
    "surprise_attack",
    "argentina",
    "sweden",
    "foreign_in_china",
    "slovakia",
    "slovakia_contested",
    HOME_LOST,
    "increase:",
)
COUNTS = ("balkans", "oil", "spanish_supplies", RAIDER)
"""What rules remember by name; after a colon at the end ids follow, with colons between them."""


def start(
    options: Mapping[str, Any], position: Mapping[str, Any] | None, data: Path | None
) -> State:
    """The first position of a scenario, with whatever `position` changes.

    Rules: 2.2a, 2.5a, 2.5b, 2.5c, 2.5e, 2.5f, 0.6a
    """
    facts = load_facts(data)
    s = State(facts, options)
    given = Position() if position is None else read_position(position, Position)
    _lay_out(s, with_units=given.base == "setup")
    if position is not None:
        _arrange(s, given)
    load_decks(s)
    s.start_possession = {**s.possession, **s.start_possession}
    opening: Counter[tuple[str, str]] = Counter()
    for _, unit, count in s.units():
        for piece in (unit, *unit.cargo):
            opening[piece.nation, piece.type] += count
    s.opening = dict(sorted(opening.items()))
    for fault in audit.broken_invariants(s):
        raise PositionError(fault)
    s.tell(News("phase", facts.order[s.slot][0], how=f"start of {s.phase}"))
    return s


def _lay_out(s: State, with_units: bool) -> None:
    """The scenario as it is set up.

    Rules: 1.4a, 1.22a, 2.5a, 2.5b, 2.5c, 2.5e, 4.9a, 6.1g, 13.1a, 13.2a, 13.3a, nrs-usa-a,
        nrs-usa-b, 7.7b, table-8-1d
    """
    facts, scenario = s.facts, s.facts.scenarios[s.options["scenario"]]
    s.date = scenario.first
    s.possession = dict(scenario.owners)
    s.control, s.aligned = dict(scenario.control), dict(scenario.aligned)
    s.wars = frozenset(scenario.wars)
    s.pacts = frozenset(scenario.pacts)
    s.annexed, s.defeated = frozenset(scenario.annexed), frozenset(scenario.defeated)
    s.spain, s.abyssinia = scenario.spain, scenario.abyssinia
    s.china, s.vichy = scenario.china, scenario.vichy
    s.tech = dict(scenario.head_starts)
    s.railways = dict(facts.railways)
    for nation, sheet in facts.sheets.items():
        began = sheet.income[scenario.id]
        s.income[nation], s.treasury[nation] = began.income, began.ipp
    for one, other in scenario.wars:
        passages.close_to_enemies(s, one, other)
    standing: dict[str, list[Facility]] = {}
    for zone, type, at in scenario.facilities:
        standing.setdefault(zone, []).append(Facility(type, at))
    s.facilities = {zone: tuple(sorted(some)) for zone, some in standing.items()}
    s.track = tuple(
        sorted(
            Job(nation, unit, left, at=_yard(s, nation, unit))
            for nation, unit, left in scenario.production
        )
    )
    if with_units:
        for placement in scenario.units:
            for type, count in placement.units:
                unit = Unit(placement.nation, _in_use(s, type))
                s.put(placement.zone, unit, count)
        for arrival in facts.reinforcements:
            if arrival.date <= scenario.first and arrival.nation not in scenario.gone:
                for type, count in arrival.units:
                    s.put(arrival.zone, Unit(arrival.nation, _in_use(s, type)), count)


def _in_use(s: State, type: str) -> str:
    """What stands for a unit of the set-up chart under the optional rules in use.

    Rules: 12.2.mountain-d, 15.9a
    """
    if type == "mountain_infantry" and not on(s, "mountains"):
        return "infantry"
    if type == "fighter" and on(s, "early_fighters"):
        return "early_fighter"
    return type


def _yard(s: State, nation: str, unit: str) -> str:
    """Where a capital ship of the set-up is under construction, if that matters.

    Rules: 15.8a
    """
    if not on(s, "ships_under_construction") or not s.facts.units[unit].capital:
        return ""
    return next(
        zone
        for zone in s.facts.nations[nation].zones
        if any(facility.type == "major_shipyard" for facility in s.facilities.get(zone, ()))
    )


def load_decks(s: State) -> None:
    """Aircraft at sea that are doing nothing are on the carriers of their nation."""
    for zone in s.facts.sea:
        loose = [
            unit._replace(used=0)
            for unit, count in s.stack(zone).items()
            if s.facts.units[unit.type].air and not unit.duty and not unit.used
            for _ in range(count)
        ]
        for nation, own in groupby(loose, key=lambda unit: unit.nation):
            waiting = list(own)
            for ship, count in sorted(s.stack(zone).items()):
                for _ in range(count):
                    room = s.facts.units[ship.type].decks - len(ship.cargo)
                    if ship.nation != nation or room <= 0 or not waiting:
                        continue
                    aboard, waiting = waiting[:room], waiting[room:]
                    for aircraft in aboard:
                        s.take(zone, aircraft)
                    s.change(zone, ship, 1, cargo=tuple(sorted((*ship.cargo, *aboard))))


# Custom positions.


def _arrange(s: State, given: Position) -> None:
    """Change the base as the position says; PositionError if it cannot be."""
    facts = s.facts
    _set_the_clock(s, given)
    _end_civil_wars(s, given)
    if given.vichy == "active":
        _found_vichy(s, given)
    for table in ("control", "aligned"):
        for minor, power in getattr(given, table).items():
            if facts.nations[_known(minor, facts.nations, table)].player:
                raise PositionError(f"{table}: {facts.name(minor)} is no Minor Power.")
            if power:
                getattr(s, table)[minor] = _known(power, facts.powers, f"{table}.{minor}")
            else:
                getattr(s, table).pop(minor, None)
    for minor, power in given.aligned.items():
        if power:
            _merge(s, minor, power)
    for zone, nation in given.possession.items():
        _known(zone, facts.land, "possession")
        s.possession[zone] = _known(nation, facts.nations, f"possession.{zone}")
    for zone, nation in given.start_possession.items():
        _known(zone, facts.land, "start_possession")
        s.start_possession = {
            **s.start_possession,
            zone: _known(nation, facts.nations, f"start_possession.{zone}"),
        }
    _arrange_politics(s, given)
    _arrange_money(s, given)
    for zone, nations in given.units.items():
        _known(zone, facts.zones, "units")
        for nation, types in nations.items():
            _known(nation, facts.nations, f"units.{zone}")
            for type, pieces in types.items():
                _known(type, facts.units, f"units.{zone}.{nation}")
                _place(s, zone, nation, type, pieces)
    for zone, buildings in given.facilities.items():
        _known(zone, facts.land, "facilities")
        built = [_facility(s, zone, each) for each in buildings]
        s.facilities.pop(zone, None)
        if built:
            s.facilities[zone] = tuple(sorted(built))
    for rail in given.railways:
        border = _border(s, rail.between, "railways")
        s.railways[border] = rail.gauge
        s.rail_damage.pop(border, None)
        if rail.damage:
            s.rail_damage[border] = rail.damage
    _close_passages(s, given)
    s.done = dict(given.done)
    s.fought = frozenset(_known(zone, facts.zones, "fought") for zone in given.fought)
    s.captured = frozenset(_known(zone, facts.land, "captured") for zone in given.captured)
    s.planned = tuple((_known(zone, facts.zones, "planned"), kind) for zone, kind in given.planned)


def _set_the_clock(s: State, given: Position) -> None:
    """The date, whose national turn it is, and its phase. Of nations that share a turn, those
    before the one that is named are done with the phase."""
    if given.date is not None:
        s.date = half_year(given.date)
    turn = _known(given.turn or s.facts.powers[0], s.facts.powers, "turn")
    s.slot = next(slot for slot, group in enumerate(s.facts.order) if turn in group)
    s.phase = _known(given.phase, PHASES, "phase")
    group = s.facts.order[s.slot]
    if turn != group[0]:
        s.mover = turn
        s.finished = frozenset(group[: group.index(turn)])


def _end_civil_wars(s: State, given: Position) -> None:
    """After a war in Spain or Abyssinia that the position calls won nothing is left of the loser,
    and Spain is nobody's to Control."""
    spain = s.facts.politics.spain
    factions = spain.nationalist.faction, spain.republican.faction
    ends = []
    if s.spain and given.spain in ("nationalist", "republican"):
        winner, loser = factions if given.spain == "nationalist" else factions[::-1]
        s.control.pop(winner, None)
        ends.append((winner, loser))
    if s.abyssinia and given.abyssinia == "italy":
        ends.append(("italy", "abyssinia"))
    for winner, loser in ends:
        s.control.pop(loser, None)
        s.wars -= {pair(winner, loser)}
        for zone, nation in s.possession.items():
            if nation == loser:
                s.possession[zone] = winner
        for zone, unit, count in list(s.units_of(loser)):
            s.take(zone, unit, count)


def _found_vichy(s: State, given: Position) -> None:
    """Vichy France exists: France has surrendered, Vichy has its roundels and its army, Germany the
    rest of the French Home Country and Control of Vichy, Free France all else that was French.
    Which colonies are Vichy's the position says, since no dice are rolled for them."""
    rule = s.facts.politics.vichy
    home = s.facts.nations["france"].home
    s.surrendered |= {"france"}
    s.control["vichy_france"] = "germany"
    for zone, nation in s.possession.items():
        if zone in rule.zones:
            s.possession[zone] = "vichy_france"
        elif zone in home:
            s.possession[zone] = "germany"
        elif nation == "france":
            s.possession[zone] = "free_france"
    for zone, unit, count in list(s.units_of("france")):
        s.take(zone, unit, count)
        if zone not in home and zone not in rule.zones:
            s.put(zone, unit._replace(nation="free_france"), count)
    if given.base == "setup":
        for type_, count in rule.army.items():
            s.put(rule.seat, Unit("vichy_france", type_), count)
    s.wars |= {pair("free_france", foe) for foe in foes(s, "france")}
    s.income["france"] = 0


def _merge(s: State, minor: str, power: str) -> None:
    """An Aligned Minor Power's zones and units are its Major Power's."""
    s.control.pop(minor, None)
    for zone, nation in s.possession.items():
        if nation == minor:
            s.possession[zone] = power
    for zone, unit, count in list(s.units_of(minor)):
        s.change(zone, unit, count, nation=power)


def _arrange_politics(s: State, given: Position) -> None:
    facts = s.facts
    if given.wars is not None:
        s.wars = frozenset(_war(s, one, other) for one, other in given.wars)
    s.attacked = frozenset(
        pair(
            _known(one, facts.nations, "attacked"),
            _known(other, facts.nations, "attacked"),
        )
        for one, other in given.attacked
    )
    if given.pacts is not None:
        s.pacts = frozenset(_known(name, PACTS, "pacts") for name in given.pacts)
    s.pacts_ended = frozenset(_known(name, PACTS, "pacts_ended") for name in given.pacts_ended)
    s.offers = frozenset(
        (_known(name, PACTS, "offers"), _known(power, facts.powers, "offers"))
        for name, power in given.offers
    )
    for field in ("permits", "refused"):
        for _, giver, receiver in getattr(given, field):
            _known(giver, facts.nations, field)
            _known(receiver, facts.nations, field)
        setattr(s, field, frozenset(getattr(given, field)))
    for field in ("defeated", "surrendered", "evolved"):
        named = getattr(given, field)
        if named is not None:
            known = frozenset(_known(nation, facts.nations, field) for nation in named)
            setattr(s, field, known)
    for nation, zone in given.capital.items():
        _known(nation, facts.nations, "capital")
        s.capital[nation] = _known(zone, facts.land, f"capital.{nation}")
    for field in ("spain", "abyssinia", "china", "vichy", "burma_road"):
        value = getattr(given, field)
        if value is not None:
            setattr(s, field, value)
    if given.annexed is not None:
        s.annexed = frozenset(_known(zone, facts.land, "annexed") for zone in given.annexed)
    s.marks = frozenset(_remembered(s, mark, MARKS, "marks") for mark in given.marks)
    s.counts = {_remembered(s, name, COUNTS, "counts"): n for name, n in given.counts.items()}


def _remembered(s: State, name: str, known: tuple[str, ...], field: str) -> str:
    """What a rule remembers by this name; PositionError if none does."""
    kind, *parts = name.split(":")
    if f"{kind}:" in known and len(parts) > 1:
        ids = (s.facts.nations, s.facts.lines, s.facts.land)
        if all(part.isdigit() or any(part in each for each in ids) for part in parts):
            return name
    return _known(name, [each for each in known if not each.endswith(":")], field)


def _war(s: State, one: str, other: str) -> Pair:
    for nation in (one, other):
        _known(nation, s.facts.nations, "wars")
    sides = power_of(s, one), power_of(s, other)
    if sides[0] == sides[1]:
        raise PositionError(f"wars: {s.facts.name(sides[0])} cannot be at war with itself.")
    return pair(*sides)


def _arrange_money(s: State, given: Position) -> None:
    """Incomes, cash, technology and the Production Chart. An income that the position does not name
    is, in war with a Major Power, what the nation's zones are worth."""
    facts = s.facts
    for power in facts.powers:
        if at_war_with_major(s, power) and power not in s.surrendered:
            s.income[power] = value(s, power)
    for field in ("income", "treasury"):
        for power, ipp in getattr(given, field).items():
            getattr(s, field)[_known(power, facts.powers, field)] = ipp
    for nation, stages in given.tech.items():
        _known(nation, facts.powers, "tech")
        shared = facts.nations[nation].major or nation
        for technology, reached in stages.items():
            _known(technology, facts.technologies, f"tech.{nation}")
            most = len(facts.technologies[technology].stages)
            if reached > most:
                raise PositionError(f"tech.{nation}.{technology}: it has only {most} stages.")
            s.tech[shared, technology] = reached
    if given.production is not None:
        s.track = tuple(sorted(_job(s, order) for order in given.production))
    for id, points in given.canal_damage.items():
        if not facts.passages[_known(id, facts.passages, "canal_damage")].canal:
            raise PositionError(f"canal_damage.{id}: only canals are damaged.")
        s.canal_damage[id] = points
    for line, losses in given.raided.items():
        values = dict(facts.lines[_known(line, facts.lines, "raided")].values)
        for nation, lost in losses.items():
            if lost > values.get(nation, 0):
                name = facts.name(_known(nation, facts.powers, f"raided.{line}"))
                most = values.get(nation, 0)
                raise PositionError(f"raided.{line}: {name} can lose {most} there.")
            s.raided[line, nation] = lost


def _close_passages(s: State, given: Position) -> None:
    """To whom straits and canals are closed: as the position says, or to the Enemies of their
    owners."""
    s.closed = frozenset(
        (
            _known(passage, s.facts.passages, "closed"),
            _known(nation, s.facts.nations, "closed"),
        )
        for passage, nation in given.closed or ()
    )
    if given.closed is None:
        for one, other in sorted(s.wars):
            passages.close_to_enemies(s, one, other)


def _job(s: State, order: Order) -> Job:
    facts = s.facts
    _known(order.nation, facts.nations, "production")
    what = (
        *facts.units,
        *facts.facilities,
        *("railroad", "militia_upgrade", "motorized_upgrade", "ipp"),
    )
    _known(order.what, what, "production")
    for zone in (order.at, order.border):
        _known(zone, ("", *facts.zones), "production")
    _known(order.for_, ("", *facts.nations), "production")
    return Job(**msgspec.structs.asdict(order))


def _facility(s: State, zone: str, given: str | Building) -> Facility:
    if isinstance(given, str):
        type, _, at = given.partition(" ")
        given = Building(type, at)
    where = f"facilities.{zone}"
    facts = s.facts
    kind = facts.facilities[_known(given.type, facts.facilities, where)]
    if kind.naval:
        _known(given.at, facts.coast[zone], where)
    elif given.at:
        _known(given.at, facts.neighbours[zone], where)
    if given.damage > kind.max_damage:
        raise PositionError(f"{where}: a {kind.name} has at most {kind.max_damage} damage.")
    since = 0 if given.since is None else half_year(given.since)
    return Facility(given.type, given.at, given.damage, since, given.was)


def _border(s: State, between: Iterable[str], field: str) -> Pair:
    one, other = between
    _known(one, s.facts.land, field)
    if other not in s.facts.land_next[one]:
        raise PositionError(f"{field}: {one} and {other} are not neighbours by land.")
    return pair(one, other)


def _place(s: State, zone: str, nation: str, type: str, pieces: int | list[Piece]) -> None:
    """Units of one type and nation in a zone, in place of those that are there."""
    where = f"units.{zone}.{nation}.{type}"
    kind = s.facts.units[type]
    for unit, count in list(s.stack(zone).items()):
        if (unit.nation, unit.type) == (nation, type):
            s.take(zone, unit, count)
    for piece in [Piece(pieces)] if isinstance(pieces, int) else pieces:
        _check_duty(s, where, kind.id, piece.duty)
        if piece.hits >= kind.hits:
            raise PositionError(f"{where}.hits: a {kind.name} sinks with {kind.hits} hits.")
        if piece.origin:
            _known(piece.origin, s.facts.zones, f"{where}.origin")
        cargo = tuple(sorted(_stowed(s, where, nation, each) for each in piece.cargo))
        if piece.count:
            unit = Unit(
                *(nation, type, piece.hits, piece.used, piece.origin, piece.duty, piece.target),
                cargo,
            )
            s.put(zone, unit, piece.count)


def _stowed(s: State, where: str, nation: str, given: str | Cargo) -> Unit:
    """A unit aboard: `"infantry"`, or `"france infantry"` of another nation."""
    if isinstance(given, str):
        owner, _, type = given.rpartition(" ")
        given = Cargo(type, owner)
    where = f"{where}.cargo"
    _known(given.type, s.facts.units, where)
    if given.nation:
        _known(given.nation, s.facts.nations, where)
    _check_duty(s, where, given.type, given.duty)
    return Unit(
        given.nation or nation,
        given.type,
        used=given.used,
        origin=given.origin,
        duty=given.duty,
        target=given.target,
    )


def _check_duty(s: State, where: str, type: str, duty: str) -> None:
    doers = DUTIES[_known(duty, DUTIES, f"{where}.duty")]
    kind = s.facts.units[type]
    domain = "land" if kind.land else kind.class_
    if not {type, domain} & {*doers}:
        raise PositionError(f"{where}.duty: {duty} is no duty of {kind.name}.")


def _known(id: str, known: Any, field: str) -> str:
    """The id; PositionError if there is no such thing."""
    if id not in known:
        raise PositionError(f"{field}: there is no {id!r} here.")
    return id
