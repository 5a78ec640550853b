"""The position at the start of a game: a scenario, or any position a user can think of (1.11)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from sandtable.games.blitz.facts import Placement, load_facts
from sandtable.games.blitz.model import BIG, NEUTRAL, PHASES, State, Unit
from sandtable.games.blitz.rules.order import begin_step, steps_of
from sandtable.kernel.errors import OptionError, PositionError

_Count = Annotated[int, Meta(ge=0, le=99)]


class Piece(msgspec.Struct, forbid_unknown_fields=True):
    """A unit of a custom position."""

    at: str
    size: Annotated[int, Meta(ge=1, le=4)] = 1
    power: str = ""
    port: str = ""
    aboard: str = ""


class Position(msgspec.Struct, forbid_unknown_fields=True):
    """A custom position; what is not named stays as in the base.

    `base: empty` has no units on the map; those that are not placed are in their Force Pools.
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
    blitz: dict[str, str] = {}
    bombs: dict[str, _Count] = {}
    flags: list[str] = []


def start(
    options: Mapping[str, Any], position: Mapping[str, Any] | None, data: Path | None
) -> State:
    """The first position of a scenario, with whatever `position` changes.

    Rules: 1.11a, 1.11b, 1.11c, 1.11d, 1.5b, 1.5e, 3.1a, 3.1b
    """
    facts = load_facts(data)
    s = State(facts, options, options["scenario"])
    _seat(s, options["players"])
    _give_control(s)
    _stock(s)
    if position is not None:
        _arrange(s, position)
    return s


def _seat(s: State, players: int | None) -> None:
    """Who runs which powers: the most players that the scenario has seats for, or as many as said.

    Rules: 1.11b, A.sides, B.sides, C.sides, D.sides, E.sides, F.sides
    """
    seats = s.scenario.seats
    number = max(seats) if players is None else players
    if number not in seats:
        known = ", ".join(str(each) for each in sorted(seats))
        raise OptionError(f"Scenario {s.scenario_id} has seats for {known} players, not {number}.")
    s.players = seats[number]


def _power_in_play(s: State, power: str) -> str:
    """A power of the map as the scenario has it: the combined one for its members."""
    for each in s.scenario.powers:
        if power in s.facts.powers[each].members:
            return each
    return power


def _give_control(s: State) -> None:
    """Land areas, countries and wars as the map and the scenario have them."""
    facts, scenario = s.facts, s.scenario
    for id, land in facts.lands.items():
        if id in s.in_play:
            owner = land.owner or facts.countries[land.country].owner
            s.control[id] = _power_in_play(s, owner) if owner else NEUTRAL
    for id, country in facts.countries.items():
        if any(area in s.control for area in country.areas):
            s.allied[id] = _power_in_play(s, country.owner) if country.owner else NEUTRAL
    for name, power in scenario.allied.items():
        s.allied[name] = power
        for area in facts.countries[name].areas:
            if area in s.control:
                s.control[area] = power
    s.original = {name: power for name, power in s.allied.items() if power}
    for name, power in scenario.conquered.items():
        s.conquered[name] = facts.side[power]
        for area in facts.countries[name].areas:
            if area in s.control:
                s.control[area] = power
    for power, areas in scenario.control.items():
        for area in areas:
            s.control[area] = power
    pairs = [pair for one, two in scenario.wars for pair in ((one, two), (two, one))]
    s.wars = frozenset(pairs)
    s.minor_wars = frozenset(scenario.minor_wars)
    s.entry = dict.fromkeys(scenario.neutral, 0)
    s.trades = scenario.trades


def _stock(s: State) -> None:
    """Units on the map, Force Pools, Groups, and what has been saved."""
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
    try:
        given = msgspec.convert(position, Position)
    except msgspec.ValidationError as error:
        raise PositionError(f"The position is malformed: {error}.") from None
    if given.base not in ("setup", "empty"):
        raise PositionError(f"base is 'setup' or 'empty', not {given.base!r}.")
    facts = s.facts
    if given.turn is not None:
        s.turn = given.turn
    for area, power in given.control.items():
        _known(area, s.control, "control")
        s.control[area] = _known(power, (*facts.powers, NEUTRAL), f"control.{area}")
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
    if given.minor_wars is not None:
        for country, power in given.minor_wars:
            _known(country, facts.countries, "minor_wars")
            _known(power, facts.powers, "minor_wars")
        s.minor_wars = frozenset(given.minor_wars)
    if given.trades is not None:
        s.trades = tuple(_known(trade, facts.trade, "trades") for trade in given.trades)
    for name in ("entry", "oil", "resources", "vp", "bombs", "blitz"):
        for power, value in getattr(given, name).items():
            getattr(s, name)[_known(power, s.scenario.powers, name)] = value
    for area, points in given.factory_damage.items():
        s.factory_damage[_known(area, s.control, "factory_damage")] = points
    for sea, points in given.convoy_damage.items():
        s.convoy_damage[_known(sea, facts.convoys, "convoy_damage")] = points
    s.flags |= frozenset(given.flags)
    if given.base == "empty":
        for id in list(s.units):
            unit = s.take(id)
            s.pool[unit.power] = tuple(sorted((*s.pool[unit.power], id)))
            if unit.size > 2:
                s.pool[unit.power] = tuple(sorted((*s.pool[unit.power], id + BIG)))
    for power, pool in given.pool.items():
        _known(power, s.scenario.powers, "pool")
        for counter in pool:
            _known(counter.removesuffix(BIG), facts.kinds, f"pool.{power}")
        s.pool[power] = tuple(sorted(pool))
    for power, groups in given.groups.items():
        _known(power, s.scenario.powers, "groups")
        for group in groups:
            for counter in group:
                _known(counter.removesuffix(BIG), facts.kinds, f"groups.{power}")
        s.groups[power] = tuple(tuple(group) for group in groups)
    for id, piece in given.units.items():
        _known(id, facts.kinds, "units")
        if piece is None:
            if id in s.units:
                s.take(id)
            continue
        _put_piece(s, id, piece)
    phases = ("", *PHASES)
    s.phase = _known(given.phase, phases, "phase")
    if s.phase:
        step = given.step or steps_of(s)[0]
        begin_step(s, _known(step, steps_of(s), "step"))
    s.forget()


def _put_piece(s: State, id: str, piece: Piece) -> None:
    facts = s.facts
    kind = facts.kinds[id]
    _known(piece.at, s.in_play, f"units.{id}.at")
    if piece.size > len(kind.sizes):
        raise PositionError(f"units.{id}: it has no Size {piece.size}.")
    power = piece.power or s.allied.get(kind.home, "") or _power_in_play(s, kind.power)
    _known(power, (*s.scenario.powers, NEUTRAL), f"units.{id}.power")
    port = piece.port
    if facts.domain[id] == "naval" and piece.at in facts.lands:
        ports = facts.ports[piece.at]
        port = _known(port or next(iter(ports), ""), ports, f"units.{id}.port")
    elif port:
        raise PositionError(f"units.{id}: only a naval unit in a land area is in a port.")
    if piece.at in facts.seas and facts.domain[id] == "land" and not piece.aboard:
        raise PositionError(f"units.{id}: a land unit at sea is aboard a transport.")
    if piece.aboard:
        _known(piece.aboard, facts.kinds, f"units.{id}.aboard")
    s.put(id, Unit(power, piece.size, piece.at, port, piece.aboard))
    gone = {id} | ({id + BIG} if piece.size > 2 else set())
    for each in s.scenario.powers:
        s.pool[each] = tuple(c for c in s.pool[each] if c not in gone)
        s.groups[each] = tuple(tuple(c for c in group if c not in gone) for group in s.groups[each])


def _known(id: str, known: Any, field: str) -> str:
    if id not in known:
        raise PositionError(f"{field}: there is no {id!r} here.")
    return id
