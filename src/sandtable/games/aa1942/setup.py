"""The position at the start of a game: the set-up, or any position a user can think of (p.6-7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from sandtable.games.aa1942.facts import Facts, load_facts
from sandtable.games.aa1942.model import PHASES, State, Unit
from sandtable.games.aa1942.rules.landing import crashing, deck_room
from sandtable.games.aa1942.rules.noncombat_move import free_decks, seat_guests
from sandtable.games.aa1942.rules.order import begin_turn
from sandtable.games.aa1942.rules.spaces import capital_lost, hostile_territory
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
    """The cargo of one ship: power to type to number."""

    ship: str
    load: dict[str, dict[str, _Count]]


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


DUTIES = {
    "": ("land", "air", "sea"),
    "fought": ("land", "air", "sea"),
    "moved": ("land", "sea"),
    "retreated": ("land", "sea"),
    "landed": ("air",),
    "raid": ("bomber",),
    "bombed": ("bomber",),
    "escort": ("fighter",),
    "offloaded": ("transport",),
}
"""What units in a custom position may have done this turn, and which units: domains or types."""


def start(
    options: Mapping[str, Any], position: Mapping[str, Any] | None, data: Path | None
) -> State:
    """The first position: the set-up cards, the treasuries, and whatever `position` changes.

    Rules: setup.units, setup.income, setup.treasury, setup.control.original, game.sides
    """
    facts = load_facts(data)
    check_players(facts, options["players"])
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
    for zone in facts.sea_zones:
        seat_guests(s, zone, facts.powers)
    begin_turn(s)
    for territory, power in given.control_at_start.items():
        s.start_control[territory] = power
    if s.phase == "noncombat_move":
        s.fought = frozenset(space for space in s.at if _stranded(s, space))
    _check(s)
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
        if not {type_, domain} & set(DUTIES[piece.duty]):
            raise PositionError(f"{where}.duty: {piece.duty} is nothing that a {type_} does.")
        if piece.used > kind.move:
            raise PositionError(f"{where}.used: a {type_} moves {kind.move}, not {piece.used}.")
        if power in s.facts.enemies[s.turn] and (piece.used or piece.duty or piece.origin):
            raise PositionError(f"{where}: it is not the turn of {power}.")
        if piece.origin:
            _known(piece.origin, s.facts.neighbours[space], f"{where}.origin")
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


def _check(s: State) -> None:
    """Refuse positions that cannot arise: both sides on one territory, aircraft left in the air."""
    if s.phase in ("mobilize", "collect_income"):
        for space, unit, _ in crashing(s):
            raise PositionError(f"units.{space}: a {unit.type} cannot stay there.")
    for space, stack in s.at.items():
        if s.facts.spaces[space].sea:
            _check_air_at_sea(s, space)
            continue
        for unit in stack:
            acting = unit.power == s.turn and s.phase in ("conduct_combat", "noncombat_move")
            acting |= unit.type == "fighter" and space in s.fought
            if s.control[space] in s.facts.enemies[unit.power] and not acting:
                raise PositionError(
                    f"units.{space}: {unit.power} cannot have units in territory of "
                    f"{s.control[space]}."
                )
            if unit.duty == "raid" and (
                space not in s.complexes or not hostile_territory(s, space, unit.power)
            ):
                raise PositionError(f"units.{space}: there is no enemy complex to raid.")


def _check_air_at_sea(s: State, zone: str) -> None:
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
                raise PositionError(f"units.{zone}: a bomber cannot stay at sea.")
            if unit.type == "aircraft_carrier":
                room += count * deck_room(s, unit)
            elif unit.type == "fighter" and not unit.used:
                room -= count
        if room < 0:
            raise PositionError(f"units.{zone}: there are more fighters than decks.")
