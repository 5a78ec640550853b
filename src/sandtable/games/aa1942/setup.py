"""The position at the start of a game: the set-up, or any position a user can think of (p.6-7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from sandtable.games.aa1942.facts import Facts, load_facts
from sandtable.games.aa1942.model import PHASES, State, Unit
from sandtable.games.aa1942.rules.bid import first_step
from sandtable.games.aa1942.rules.combat import Battle, put_in_the_air
from sandtable.games.aa1942.rules.landing import crashing, deck_room
from sandtable.games.aa1942.rules.noncombat_move import free_decks, seat_guests
from sandtable.games.aa1942.rules.order import begin_turn
from sandtable.games.aa1942.rules.spaces import aim_of_attack, capital_lost, hostile_territory
from sandtable.games.aa1942.rules.transports import fits_aboard
from sandtable.kernel.errors import OptionError, PositionError
from sandtable.kernel.package import read_position

_Count = Annotated[int, Meta(ge=0, le=999)]


class Piece(msgspec.Struct, forbid_unknown_fields=True):
    """Units of one type that have already done something this turn."""

    count: _Count = 1
    used: Annotated[int, Meta(ge=0, le=6)] = 0
    duty: str = ""
    origin: str = ""


class Hold(msgspec.Struct, forbid_unknown_fields=True):
    """The cargo of one ship: power to type to number; with `target`, a transport of which the
    acting power's units are to assault that territory."""

    ship: str
    load: dict[str, dict[str, _Count]]
    target: str = ""


class Fight(msgspec.Struct, forbid_unknown_fields=True):
    """A battle of which some rounds have been fought."""

    at: str
    rounds: Annotated[int, Meta(ge=1)] = 1


class Position(msgspec.Struct, forbid_unknown_fields=True):
    """A custom position; what is not named stays as in the base."""

    base: str = "setup"
    round: Annotated[int, Meta(ge=1)] = 1
    turn: str = ""
    phase: str = PHASES[0]
    control: dict[str, str] = {}
    control_at_start: dict[str, str] = {}
    units: dict[str, dict[str, dict[str, _Count | list[Piece]]]] = {}
    cargo: dict[str, dict[str, list[Hold]]] = {}
    treasury: dict[str, Annotated[int, Meta(ge=0)]] = {}
    damage: dict[str, _Count] = {}
    bought: dict[str, _Count] = {}
    placed: dict[str, _Count] = {}
    new_complexes: list[str] = []
    ignored: list[str] = []
    refused: list[str] = []
    battle: Fight | None = None


_BEFORE = ("combat_move", "conduct_combat")
_COMBAT = ("conduct_combat",)
_MOVED = ("noncombat_move", "mobilize", "collect_income")
_SINCE = (*_COMBAT, *_MOVED)
DUTIES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "": (("land", "air", "sea"), PHASES),
    "raid": (("bomber",), _BEFORE),
    "escort": (("fighter",), _BEFORE),
    "bombed": (("bomber",), _SINCE),
    "fought": (("land", "air", "sea"), _SINCE),
    "retreated": (("land", "sea"), _SINCE),
    "submerged": (("submarine",), _SINCE),
    "bombarded": (("battleship", "cruiser"), _SINCE),
    "offloaded": (("transport",), _SINCE),
    "damaged": (("battleship",), _COMBAT),
    "seaborne": (("land",), _COMBAT),
    "moved": (("land", "sea"), _MOVED),
    "landed": (("air",), _MOVED),
    "new": (("fighter",), ("mobilize", "collect_income")),
}
"""What units in a custom position may have done this turn: which units (domains or types), and in
which phases."""


def start(
    options: Mapping[str, Any], position: Mapping[str, Any] | None, data: Path | None
) -> State:
    """The first position: the set-up cards, the treasuries, and whatever `position` changes."""
    facts = load_facts(data)
    check_players(facts, options["players"])
    if position is not None:
        return _set_up(facts, options, position)
    s = _standard(facts, options["setup"], options["treasury"]).copy()
    s.options = options
    s.step = first_step(s)
    return s


@cache
def _standard(facts: Facts, setup: str, treasury: str) -> State:
    """The set-up as it is, to be copied: games are begun by the thousand."""
    return _set_up(facts, {"setup": setup, "treasury": treasury}, None)


def _set_up(facts: Facts, options: Mapping[str, Any], position: Mapping[str, Any] | None) -> State:
    """Rules: setup.units, setup.income, setup.treasury, setup.control.original, game.sides"""
    s = State(facts, options, turn=facts.powers[0])
    s.control = {
        territory: owner
        for territory in facts.territories
        if (owner := facts.spaces[territory].owner) is not None
    }
    s.treasury = dict(facts.treasury[options["treasury"]])
    given = Position() if position is None else read_position(position, Position)
    for space, powers in facts.setups[options["setup"]].items():
        for power, units in powers.items():
            for type_, count in units.items():
                if type_ == "industrial_complex":
                    s.complexes[space] = 0
                elif given.base == "setup":
                    s.put(space, Unit(power, type_), count)
    if position is not None:
        _arrange(s, given)
    flying = s.turn if s.phase not in ("purchase", "combat_move") else ""
    for zone in facts.sea_zones:
        seat_guests(s, zone, [power for power in facts.powers if power != flying], flying)
    begin_turn(s)
    for territory, power in given.control_at_start.items():
        s.start_control[territory] = power
    s.fought = frozenset(
        space
        for space, stack in s.at.items()
        if any(unit.duty == "submerged" for unit in stack)
        or (s.phase == "noncombat_move" and _stranded(s, space))
    )
    for zone, owners in given.cargo.items():
        for owner, holds in owners.items():
            for hold in holds:
                if hold.target:
                    _announce(s, zone, owner, hold.target)
    for fault in faults(s):
        raise PositionError(fault)
    for space, unit, _ in s.units():
        if unit.duty in ("damaged", "seaborne") and (
            given.battle is None or given.battle.at != space
        ):
            raise PositionError(f"units.{space}: nothing is {unit.duty} outside a battle.")
    if given.battle is not None:
        _take_up(s, given.battle)
    opening: Counter[tuple[str, str]] = Counter()
    for _, unit, count in s.units():
        for piece in (unit, *unit.cargo):
            opening[piece.power, piece.type] += count
    s.opening = dict(opening)
    return s


def check_players(facts: Facts, players: Any) -> None:
    """Two to five persons run all powers between them, each on one side only.

    Rules: game.players.count, game.players.same-side, game.players.separate-powers
    """
    if players is None:
        return
    try:
        table = msgspec.convert(players, dict[str, list[str]])
    except msgspec.ValidationError:
        raise OptionError("players maps each person to a list of powers.") from None
    run = sorted(power for powers in table.values() for power in powers)
    if run != sorted(facts.powers):
        raise OptionError("players has to name every power exactly once.")
    if not 2 <= len(table) <= len(facts.powers):
        raise OptionError(f"Two to {len(facts.powers)} persons can play, not {len(table)}.")
    for person, powers in table.items():
        if len({facts.side[power] for power in powers}) != 1:
            raise OptionError(f"All powers of {person} have to be on the same side.")


def _arrange(s: State, given: Position) -> None:
    """Change the base as the position says."""
    facts = s.facts
    s.round = given.round
    s.turn = _known(given.turn or s.turn, facts.powers, "turn")
    s.phase = _known(given.phase, PHASES, "phase")
    for field, table in (("control", given.control), ("control_at_start", given.control_at_start)):
        for territory, power in table.items():
            _known(territory, facts.territories, field)
            _known(power, facts.powers, f"{field}.{territory}")
            if field == "control":
                s.control[territory] = power
    for space, powers in given.units.items():
        _known(space, (*facts.territories, *facts.sea_zones), "units")
        for power, units in powers.items():
            _known(power, facts.powers, f"units.{space}")
            for type_, pieces in units.items():
                _known(type_, facts.units, f"units.{space}.{power}")
                _place(s, space, power, type_, pieces)
    for zone, owners in given.cargo.items():
        _known(zone, facts.sea_zones, "cargo")
        for owner, holds in owners.items():
            _known(owner, facts.powers, f"cargo.{zone}")
            for hold in holds:
                _stow(s, zone, owner, hold)
    for power, money in given.treasury.items():
        s.treasury[_known(power, facts.powers, "treasury")] = money
    for territory, points in given.damage.items():
        if territory not in s.complexes:
            raise PositionError(f"damage.{territory}: there is no industrial complex.")
        cap = facts.numbers.damage_cap_factor * facts.spaces[territory].ipc
        if points > cap:
            raise PositionError(f"damage.{territory}: at most {cap} points, not {points}.")
        s.complexes[territory] = points
    for type_, count in given.bought.items():
        if count:
            s.bought[_known(type_, facts.units, "bought")] = count
    for field, later in (("placed", given.placed), ("new_complexes", given.new_complexes)):
        if later and s.phase not in ("mobilize", "collect_income"):
            raise PositionError(f"{field}: nothing has been placed in the phase {s.phase}.")
    s.placed = {
        _known(space, (*facts.territories, *facts.sea_zones), "placed"): count
        for space, count in given.placed.items()
        if count
    }
    s.new_complexes = frozenset(
        _known(t, s.complexes, "new_complexes") for t in given.new_complexes
    )
    s.ignored = frozenset(_known(zone, facts.sea_zones, "ignored") for zone in given.ignored)
    s.refused = frozenset(_known(zone, facts.sea_zones, "refused") for zone in given.refused)
    if s.bought and s.phase in ("purchase", "collect_income"):
        raise PositionError(f"bought: nothing waits to be placed in the phase {s.phase}.")
    if s.bought and capital_lost(s, s.turn):
        raise PositionError(f"bought: {s.turn} has lost its capital and places nothing.")


def _known(name: str, names: Any, field: str) -> str:
    if name not in names:
        raise PositionError(f"{field}: there is no {name!r}.")
    return name


def _place(s: State, space: str, power: str, type_: str, pieces: int | list[Piece]) -> None:
    where = f"units.{space}.{power}.{type_}"
    if type_ == "industrial_complex":
        if not isinstance(pieces, int) or pieces > 1 or s.facts.spaces[space].sea:
            raise PositionError(f"{where}: a territory has one industrial complex or none.")
        if s.control[space] != power:
            raise PositionError(f"{where}: {space} does not belong to {power}.")
        if s.facts.spaces[space].ipc < s.facts.numbers.complex_min_ipc:
            raise PositionError(f"{where}: {space} has no income value.")
        s.complexes.pop(space, None)
        if pieces:
            s.complexes[space] = 0
        return
    kind = s.facts.units[type_]
    domain = kind.domain
    if (domain == "land" and s.facts.spaces[space].sea) or (
        domain == "sea" and not s.facts.spaces[space].sea
    ):
        raise PositionError(f"{where}: {type_} cannot be in {space}.")
    for unit, count in list(s.stack(space).items()):
        if (unit.power, unit.type) == (power, type_):
            s.take(space, unit, count)
    for piece in [Piece(pieces)] if isinstance(pieces, int) else pieces:
        _known(piece.duty, DUTIES, f"{where}.duty")
        doers, phases = DUTIES[piece.duty]
        if not {type_, domain} & set(doers):
            raise PositionError(f"{where}.duty: {piece.duty} is nothing that a {type_} does.")
        if piece.used > kind.move:
            raise PositionError(f"{where}.used: a {type_} moves {kind.move}, not {piece.used}.")
        if power in s.facts.enemies[s.turn] and (
            piece.used or piece.origin or piece.duty not in ("", "submerged", "damaged")
        ):
            raise PositionError(f"{where}: it is not the turn of {power}.")
        if piece.origin:
            _known(piece.origin, s.facts.neighbours[space], f"{where}.origin")
        if s.phase not in phases:
            raise PositionError(f"{where}.duty: nothing is {piece.duty} in the phase {s.phase}.")
        if s.phase == "purchase" and (piece.used or piece.origin):
            raise PositionError(f"{where}: nothing has moved in the phase purchase.")
        if piece.count:
            unit = Unit(power, type_, piece.used, piece.origin, piece.duty)
            s.put(space, unit, piece.count)


def _stow(s: State, zone: str, owner: str, hold: Hold) -> None:
    where = f"cargo.{zone}.{owner}"
    ship = next(
        (u for u in s.stack(zone) if u.type == hold.ship and u.power == owner and not u.cargo),
        None,
    )
    if ship is None:
        raise PositionError(f"{where}: there is no empty {hold.ship!r} of {owner} in {zone}.")
    cargo: list[Unit] = []
    for power, units in hold.load.items():
        _known(power, s.facts.allies[owner], f"{where}.load")
        for type_, count in units.items():
            _known(type_, s.facts.units, f"{where}.load.{power}")
            cargo.extend([Unit(power, type_)] * count)
    numbers = s.facts.numbers
    if hold.ship == "transport":
        land = all(s.facts.units[piece.type].domain == "land" for piece in cargo)
        fits = land and fits_aboard(s, cargo)
    else:
        fits = hold.ship == "aircraft_carrier" and all(p.type == "fighter" for p in cargo)
        fits = fits and len(cargo) <= numbers.fighters_per_carrier
    if not fits:
        raise PositionError(f"{where}: a {hold.ship} cannot carry that.")
    if hold.ship == "aircraft_carrier":
        # A power's own fighters belong to the zone; only guests are aboard a given carrier.
        for piece in [p for p in cargo if p.power == owner]:
            cargo.remove(piece)
            s.put(zone, piece)
    s.change(zone, ship, 1, cargo=tuple(sorted(cargo)))


def _announce(s: State, zone: str, owner: str, target: str) -> None:
    """A transport with cargo, of those in the zone, is to land the acting power's units.

    Rules: amphib.declare
    """
    where = f"cargo.{zone}.{owner}.target"
    if s.phase not in _BEFORE:
        raise PositionError(f"{where}: no assault is announced in the phase {s.phase}.")
    _known(target, s.facts.coast[zone], where)
    if not aim_of_attack(s, target):
        raise PositionError(f"{where}: {target} is not hostile.")
    for ship, _ in sorted(s.stack(zone).items()):
        lands = [p for p in ship.cargo if p.power == s.turn and s.facts.units[p.type].attack]
        if (ship.power, ship.type, ship.duty) == (owner, "transport", "") and lands:
            left = [piece for piece in ship.cargo if piece not in lands]
            party = [replace(piece, duty="assault") for piece in lands]
            cargo = tuple(sorted([*left, *party]))
            s.change(zone, ship, 1, duty="landing", target=target, cargo=cargo)
            if owner != s.turn:
                s.touched |= {zone}
            return
    raise PositionError(f"{where}: {s.turn} has nothing aboard that can be landed.")


def _take_up(s: State, fight: Fight) -> None:
    """Begin in the middle of a battle, before its next round.

    Rules: combat.general.sequence
    """
    at = _known(fight.at, (*s.facts.territories, *s.facts.sea_zones), "battle.at")
    battle = Battle(s, at)
    if s.phase != "conduct_combat" or not battle.attackers or not battle.defenders:
        raise PositionError(f"battle.at: no battle is fought in {at} in the phase {s.phase}.")
    targets = sorted(unit.target for unit in s.at[at] if unit.duty == "landing")
    seaborne = any(unit.duty == "seaborne" for unit in battle.attackers)
    s.step = "assaults" if targets or seaborne else "battles"
    s.battle = targets[0] if targets else at
    put_in_the_air(s, at)
    battle.note(round=fight.rounds)


def _stranded(s: State, space: str) -> bool:
    """Whether defending fighters in a space have lost their deck or base in the turn's combat.

    Rules: noncombat.stranded
    """
    return any(
        unit.type == "fighter"
        and unit.power in s.facts.enemies[s.turn]
        and (
            free_decks(s, space, unit.power) < 0
            if s.facts.spaces[space].sea
            else hostile_territory(s, space, unit.power)
        )
        for unit in s.at[space]
    )


def faults(s: State) -> Iterator[str]:
    """Why a position cannot arise: both sides on one territory, aircraft left in the air."""
    for territory, power in s.start_control.items():
        if power in s.facts.allies[s.turn] and s.control[territory] in s.facts.enemies[s.turn]:
            yield (
                f"control_at_start.{territory}: nothing is lost to the enemy in a power's own turn."
            )
    if s.phase in ("mobilize", "collect_income"):
        for space, unit, _ in crashing(s):
            yield f"units.{space}: a {unit.type} cannot stay there."
    for space, stack in s.at.items():
        if s.facts.spaces[space].sea:
            yield from _air_at_sea(s, space)
            continue
        for unit in stack:
            stranded = unit.type == "fighter" and space in s.fought
            if (
                s.control[space] in s.facts.enemies[unit.power]
                and not stranded
                and not (unit.power == s.turn and _may_attack(s, unit))
            ):
                yield (
                    f"units.{space}: {unit.power} cannot have units in territory of "
                    f"{s.control[space]}."
                )
            if unit.duty == "raid" and (
                space not in s.complexes or not hostile_territory(s, space, unit.power)
            ):
                yield f"units.{space}: there is no enemy complex to raid."


def _may_attack(s: State, unit: Unit) -> bool:
    """Whether a unit of the acting power may be in hostile territory: it has come to attack, or
    has attacked and still flies."""
    if s.phase == "combat_move":
        return unit.used > 0
    if s.phase == "conduct_combat" and unit.duty in ("", "seaborne"):
        return True
    return unit.type in s.facts.air and s.phase in ("conduct_combat", "noncombat_move")


def _air_at_sea(s: State, zone: str) -> Iterator[str]:
    """All fighters need decks and no bomber is at sea, unless they are the acting power's and in
    flight, or stranded defenders about to land.

    Rules: unit.carrier.capacity
    """
    stack = s.at[zone]
    flying = s.phase not in ("purchase", "combat_move")
    stranded = s.facts.enemies[s.turn] if zone in s.fought else frozenset()
    for side in (s.facts.enemies[s.turn], s.facts.allies[s.turn]):
        room = 0
        for unit, count in stack.items():
            if unit.power not in side or (unit.power == s.turn and flying):
                continue
            if unit.type == "fighter" and unit.power in stranded:
                continue
            if unit.type == "bomber" and not unit.used:
                yield f"units.{zone}: a bomber cannot stay at sea."
            if unit.type == "aircraft_carrier":
                room += count * deck_room(s, unit)
            elif unit.type == "fighter" and not unit.used:
                room -= count
        if room < 0:
            yield f"units.{zone}: there are more fighters than decks."
