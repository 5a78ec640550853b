"""The position at the start of a game: a scenario, or any position a user can think of (1.11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from sandtable.games.blitz import audit
from sandtable.games.blitz.facts import BIG, Facts, load_facts
from sandtable.games.blitz.model import NEUTRAL, PHASES, Book, State, Unit
from sandtable.games.blitz.rules import road_to_war
from sandtable.games.blitz.rules.income import open_book
from sandtable.games.blitz.rules.opening import opening_control, power_in_play
from sandtable.games.blitz.rules.order import begin_step, steps_of
from sandtable.games.blitz.rules.scenarios import open_area
from sandtable.games.blitz.rules.sides import friendly, introduced, out_of_game
from sandtable.games.blitz.tables import BlitzKind, Placement
from sandtable.kernel.errors import OptionError, PositionError
from sandtable.kernel.package import read_position

_Count = Annotated[int, Meta(ge=0, le=99)]


class Piece(msgspec.Struct, forbid_unknown_fields=True):
    """A unit of a custom position. Its power is `neutral` where nobody holds a power's counter."""

    at: str
    size: Annotated[int, Meta(ge=1, le=4)] = 1
    power: str = ""
    port: str = ""
    aboard: str = ""


class Position(msgspec.Struct, forbid_unknown_fields=True):
    """A custom position; what is not named stays as in the base.

    `base: empty` has no units on the map; those that are not placed are in their Force Pools. A
    unit set to null goes there, too. A counter that is named leaves the pool or the Group that it
    is in.
    """

    base: str = "setup"
    turn: Annotated[int, Meta(ge=1, le=15)] | None = None
    phase: str = ""
    step: str = ""
    units: dict[str, Piece | None] = {}
    control: dict[str, str] = {}
    allied: dict[str, str] = {}
    conquered: dict[str, str] = {}
    new_home: dict[str, str] = {}
    wars: list[tuple[str, str]] | None = None
    minor_wars: list[tuple[str, str]] | None = None
    entry: dict[str, _Count] = {}
    trades: list[str] | None = None
    oil: dict[str, _Count] = {}
    resources: dict[str, _Count] = {}
    vp: dict[str, int] = {}
    pool: dict[str, list[str]] = {}
    groups: dict[str, list[list[str]]] = {}
    factory_damage: dict[str, _Count] = {}
    convoy_damage: dict[str, _Count] = {}
    partisans: list[str] | None = None
    blitz: dict[str, BlitzKind | Literal["foot"]] = {}
    bombs: dict[str, _Count] = {}
    atomic: list[tuple[str, int]] = []
    aside: dict[str, str] = {}
    removed: list[str] = []
    commanders: dict[str, tuple[str, str]] = {}
    bids: dict[str, int] = {}
    taken: dict[str, tuple[str, bool]] = {}
    deeds: dict[str, int] = {}
    flags: list[str] = []


def start(
    options: Mapping[str, Any], position: Mapping[str, Any] | None, data: Path | None
) -> State:
    """The first position of a scenario, with whatever `position` changes.

    Rules: 1.11a, 1.11b, 1.11c, 1.11d, 1.5b, 1.5e, 3.1a, 3.1b
    """
    facts = load_facts(data)
    s = State(facts, options)
    s.turn = s.scenario.turns[0]
    _check_options(s)
    s.players = seats(options, facts)
    _give_control(s)
    _stock(s)
    if options["road_to_war"]:
        road_to_war.prepare(s)
    if position is not None:
        _arrange(s, position)
    return s


def _check_options(s: State) -> None:
    """OptionError for an option that means nothing in the scenario.

    Rules: 9.0a
    """
    if s.options["road_to_war"] and s.scenario_id != "campaign":
        raise OptionError("The Road to War leads to the campaign only, not to a short scenario.")
    if s.options["bidding"] and not introduced(s, "E"):
        raise OptionError(
            f"There is no bidding in scenario {s.scenario_id}: its players are not ranked by the "
            "points of their powers."
        )


def seats(options: Mapping[str, Any], facts: Facts | None = None) -> tuple[tuple[str, ...], ...]:
    """Who runs which powers: the most players that the scenario has seats for, or as many as said.

    The rules bind the powers, each for itself, whoever runs them.

    Rules: 1.10a, 1.11b, A.sides, B.sides, C.sides, D.sides, E.sides, F.sides
    """
    scenario, players = options["scenario"], options["players"]
    places = (facts or load_facts()).scenarios[scenario].seats
    number = max(places) if players is None else players
    if number not in places:
        known = ", ".join(str(each) for each in sorted(places))
        raise OptionError(f"Scenario {scenario} has seats for {known} players, not {number}.")
    return places[number]


def _give_control(s: State) -> None:
    """Land areas, countries, wars, trade and entry markers as map and scenario have them.

    Rules: 3.1a, 3.1b, 1.5e, D.pol-a, D.pol-b, E.setup-c, F.setup-b, errata.usa-war-marker
    """
    facts, scenario = s.facts, s.scenario
    s.control = opening_control(facts, s.scenario_id)
    for id, country in facts.countries.items():
        if not s.control.keys().isdisjoint(country.areas):
            s.allied[id] = power_in_play(facts, scenario, country.owner)
    s.allied |= scenario.allied
    s.original = {name: power for name, power in s.allied.items() if power}
    for name, power in scenario.conquered.items():
        s.conquered[name] = facts.side[power]
    pairs = [pair for one, two in scenario.wars for pair in ((one, two), (two, one))]
    s.wars = frozenset(pairs)
    s.minor_wars = frozenset(scenario.minor_wars)
    s.entry = dict.fromkeys(scenario.neutral, 0)
    s.trades = scenario.trades


def _stock(s: State) -> None:
    """Units on the map, Force Pools, Groups, and what has been saved.

    Rules: 1.11a, 1.11c, data.wd-charts, data.setup-charts, E.setup-a, F.setup-a
    """
    facts, scenario = s.facts, s.scenario
    for power in scenario.powers:
        s.oil[power] = s.resources[power] = s.vp[power] = 0
        s.pool[power], s.groups[power] = (), ()
        saved = scenario.saved.get(power)
        if power in scenario.charts:
            chart, standard = facts.weapons[power], scenario.charts[power]
            less = frozenset(standard.less)
            if standard.setup and power not in scenario.setup:
                for placement in chart.setup:
                    if placement.unit not in less:
                        _place(s, power, placement)
            s.pool[power] = tuple(sorted(c for c in chart.pool if c not in less))
            s.groups[power] = tuple(
                tuple(c for c in group if c not in less) for group in chart.groups
            )
            saved = saved or chart.saved
        if saved is not None:
            s.oil[power], s.resources[power] = saved.oil, saved.resources
        for placement in scenario.setup.get(power, ()):
            _place(s, power, placement)
        if power in scenario.pool:
            s.pool[power] = tuple(sorted(scenario.pool[power]))
        if power in scenario.groups:
            s.groups[power] = scenario.groups[power]
    for power in scenario.powers:
        # What a scenario sets up (or has in another place) is neither in a pool nor in a Group.
        s.pool[power] = tuple(c for c in s.pool[power] if not _on_map(s, c))
        s.groups[power] = tuple(
            tuple(c for c in group if not _on_map(s, c)) for group in s.groups[power]
        )


def _on_map(s: State, counter: str) -> bool:
    """Whether the counter itself is on the map: a Small unit's Big counter is not."""
    unit = s.units.get(counter.removesuffix(BIG))
    return unit is not None and (unit.size > 2 or not counter.endswith(BIG))


def _place(s: State, power: str, placement: Placement) -> None:
    s.put(placement.unit, Unit(power, placement.size, placement.at, placement.port))


def _arrange(s: State, position: Mapping[str, Any]) -> None:
    """Change the base as the position says; PositionError if it cannot be."""
    given = read_position(position, Position)
    facts = s.facts
    if given.turn is not None:
        first, last = s.scenario.turns
        if not first <= given.turn <= last:
            raise PositionError(f"turn: scenario {s.scenario_id} has Turns {first} to {last}.")
        s.turn = given.turn
    for area, power in given.control.items():
        _known(power, (*facts.powers, NEUTRAL), f"control.{area}")
        if area == s.scenario.own.get("harbin", {}).get("area") and power:
            open_area(s, area, power)
        s.control[_known(area, s.control, "control")] = power
    for country, power in given.allied.items():
        s.allied[_known(country, facts.countries, "allied")] = _known(
            power, (*facts.powers, NEUTRAL), f"allied.{country}"
        )
        if power:
            s.original.setdefault(country, power)
    for country, side in given.conquered.items():
        s.conquered[_known(country, facts.countries, "conquered")] = _known(
            side, ("axis", "allies"), f"conquered.{country}"
        )
    for country, home in given.new_home.items():
        s.new_home[_known(country, facts.countries, "new_home")] = _known(
            home, facts.countries, f"new_home.{country}"
        )
    if given.wars is not None:
        for pair in given.wars:
            for power in pair:
                _known(power, s.scenario.powers, "wars")
        s.wars = frozenset(pair for one, two in given.wars for pair in ((one, two), (two, one)))
        for power in s.scenario.neutral:
            if any(one == power for one, _ in s.wars):
                s.entry.pop(power, None)
    if given.minor_wars is not None:
        for country, power in given.minor_wars:
            _known(country, facts.countries, "minor_wars")
            _known(power, facts.powers, "minor_wars")
        s.minor_wars = frozenset(given.minor_wars)
    if given.trades is not None:
        s.trades = tuple(_known(trade, facts.trade, "trades") for trade in given.trades)
    for name in ("entry", "oil", "resources", "vp", "bombs", "blitz", "bids"):
        for power, value in getattr(given, name).items():
            getattr(s, name)[_known(power, s.scenario.powers, name)] = value
    for area, points in given.factory_damage.items():
        s.factory_damage[_known(area, s.control, "factory_damage")] = points
    for sea, points in given.convoy_damage.items():
        s.convoy_damage[_known(sea, facts.convoys, "convoy_damage")] = points
    if given.partisans is not None:
        s.partisans = tuple(_known(area, s.control, "partisans") for area in given.partisans)
    for power, _turn in given.atomic:
        _known(power, s.scenario.powers, "atomic")
    s.atomic = tuple(given.atomic)
    for id, (area, unit) in given.commanders.items():
        _known(id, facts.commanders, "commanders")
        _known(area, s.in_play, f"commanders.{id}")
        s.commanders[id] = (area, unit)
    for area in given.taken:
        _known(area, s.control, "taken")
    s.taken = dict(given.taken)
    s.deeds = dict(given.deeds)
    s.flags |= frozenset(given.flags)
    _arrange_counters(s, given)
    phases = ("", *PHASES)
    s.phase = _known(given.phase, phases, "phase")
    if s.phase:
        step = given.step or steps_of(s)[0]
        begin_step(s, _known(step, steps_of(s), "step"))
        if step == "spend":
            # Those who are in the game spend what they have saved.
            s.books = {
                power: open_book(s, power, Book())
                for power in s.scenario.powers
                if not out_of_game(s, power)
            }
    elif given.step:
        raise PositionError("step: say in which phase.")
    s.forget()
    for wrong in faults(s):
        raise PositionError(wrong)


def faults(s: State) -> Iterator[str]:
    """Why a position cannot be, in sentences."""
    yield from _misplaced(s)
    yield from audit.broken_invariants(s)


def _arrange_counters(s: State, given: Position) -> None:
    """Empty the map if the base is empty; then Groups, pools and units as they are given."""
    facts = s.facts
    if given.base == "empty":
        for id in list(s.units):
            _lift(s, id)
    for counter in (
        *(counter for groups in given.groups.values() for group in groups for counter in group),
        *(counter for pool in given.pool.values() for counter in pool),
        *given.aside,
        *given.removed,
    ):
        _leave(s, counter)
    for power, groups in given.groups.items():
        s.groups[_known(power, s.scenario.powers, "groups")] = tuple(map(tuple, groups))
    for power, pool in given.pool.items():
        s.pool[_known(power, s.scenario.powers, "pool")] = tuple(sorted(pool))
    for counter, country in given.aside.items():
        s.aside[counter] = _known(country, facts.countries, f"aside.{counter}")
    s.removed = frozenset(given.removed)
    for id, piece in given.units.items():
        place(s, _known(id, facts.kinds, "units"), piece)


def place(s: State, id: str, piece: Piece | None) -> None:
    """Put a unit, from wherever it is, where a position has it; without a piece, in its pool."""
    if id in s.units:
        _lift(s, id)
    if piece is not None:
        _put_piece(s, id, piece)


def _lift(s: State, id: str) -> None:
    """Take a unit off the map and put its counters into its Force Pool."""
    unit = s.take(id)
    counters = (id, id + BIG) if unit.size > 2 else (id,)
    s.pool[unit.power] = tuple(sorted((*s.pool[unit.power], *counters)))


def _leave(s: State, counter: str) -> None:
    """Take a counter out of whatever pool or Group it is in."""
    for power in s.scenario.powers:
        s.pool[power] = tuple(c for c in s.pool[power] if c != counter)
        s.groups[power] = tuple(
            tuple(c for c in group if c != counter) for group in s.groups[power]
        )


def _put_piece(s: State, id: str, piece: Piece) -> None:
    facts = s.facts
    kind = facts.kinds[id]
    _known(piece.at, s.in_play, f"units.{id}.at")
    if piece.size > len(kind.sizes):
        raise PositionError(f"units.{id}: it has no Size {piece.size}.")
    power = (
        piece.power or s.allied.get(kind.home, "") or power_in_play(facts, s.scenario, kind.power)
    )
    if power == "neutral":
        power = NEUTRAL
    _known(power, (*s.scenario.powers, NEUTRAL), f"units.{id}.power")
    port = piece.port
    if facts.domain[id] == "naval" and piece.at in facts.lands:
        ports = facts.ports[piece.at]
        if not ports:
            raise PositionError(f"units.{id}: {piece.at} has no port.")
        port = _known(port or next(iter(ports)), ports, f"units.{id}.port")
    s.put(id, Unit(power, piece.size, piece.at, port, piece.aboard))
    _leave(s, id)
    if piece.size > 2:
        _leave(s, id + BIG)


def _misplaced(s: State) -> Iterator[str]:
    """Units in land areas that are not their side's (a neutral's in one that is not neutral), and
    transports that carry too much."""
    for id, unit in s.units.items():
        load = sum(s.units[other].size for other in s.cargo(id) if s.domain(other) == "land")
        room = s.facts.numbers.transport_size_factor * unit.size
        if load > room:
            yield f"{id} carries Size {load}, but has room for {room} only."
        if unit.at in s.control:
            holder = s.control[unit.at]
            if unit.power == NEUTRAL and holder != NEUTRAL:
                yield f"{id} is neutral, but {unit.at} is {holder}'s."
            elif unit.power != NEUTRAL and not friendly(s, unit.at, unit.power):
                whose = f"{holder}'s" if holder else "neutral"
                yield f"{id} is {unit.power}'s, but {unit.at} is {whose}."


def _known(id: str, known: Any, field: str) -> str:
    if id not in known:
        raise PositionError(f"{field}: there is no {id!r} here.")
    return id
