"""The questions of both movement phases; where units can go is told by `reach`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sandtable.board.words import listed
from sandtable.games.aa1942.facts import Facts
from sandtable.games.aa1942.forms import landings
from sandtable.games.aa1942.forms.battle import forces
from sandtable.games.aa1942.forms.purchase import DOMAINS
from sandtable.games.aa1942.forms.rules import ask
from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.assault import assaulted
from sandtable.games.aa1942.rules.conduct_combat import other_battles
from sandtable.games.aa1942.rules.landing import range_left
from sandtable.games.aa1942.rules.movement import Done, fresh, sea_paths
from sandtable.games.aa1942.rules.noncombat_move import Consent, Divert
from sandtable.games.aa1942.rules.raids import raided
from sandtable.games.aa1942.rules.spaces import hostile_zone
from sandtable.games.aa1942.view import symbol
from sandtable.games.aa1942.words import (
    one_stop,
    power_name,
    units_in_words,
)
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import Choice, Form, Mover, Prospect, Row

AAA = "antiaircraft_artillery"
TRANSPORT = "transport"


class Chosen(NamedTuple):
    """What the key of a row stands for: units of a type with that cargo (types, sorted), of an
    ally if `owner` is given; or land units of a territory that are to be loaded."""

    type: str
    cargo: tuple[str, ...] = ()
    owner: str = ""
    load: str = ""

    @property
    def key(self) -> str:
        """`infantry`, `transport+infantry+tank`, `united_states/transport`, `load/france/tank`."""
        if self.load:
            return f"load/{self.load}/{self.type}"
        name = "+".join((self.type, *self.cargo))
        return f"{self.owner}/{name}" if self.owner else name


def read_key(key: str) -> Chosen:
    """The opposite of `Chosen.key`; any text gives something, which may stand for nothing."""
    first, _, rest = key.rpartition("/")
    if first.startswith("load/"):
        return Chosen(rest, load=first.removeprefix("load/"))
    type_, *cargo = rest.split("+")
    return Chosen(type_, tuple(cargo), owner=first)


def cargo_of(unit: Unit) -> tuple[str, ...]:
    """What a ship carries, as far as a decision can tell ships apart."""
    return tuple(sorted(piece.type for piece in unit.cargo))


def available(s: State, space: str) -> dict[Chosen, int]:
    """What can be chosen in a space to be moved, and how many of it."""
    kinds, found = s.facts.units, dict[Chosen, int]()
    for unit, count in s.stack(space).items():
        if unit.power != s.turn:
            if unit.type != TRANSPORT or unit.power not in s.facts.allies[s.turn]:
                continue
            if not fresh(unit):
                continue
            chosen = Chosen(TRANSPORT, cargo_of(unit), unit.power)
        elif kinds[unit.type].domain == "air" and s.phase == "noncombat_move":
            if range_left(s, unit) < 1:
                continue
            chosen = Chosen(unit.type)
        elif not fresh(unit) or (unit.type == AAA and s.phase == "combat_move"):
            continue
        else:
            chosen = Chosen(unit.type, cargo_of(unit))
        found[chosen] = found.get(chosen, 0) + count
    if any(chosen.type == TRANSPORT for chosen in found):
        # An ally's transport is not moved: it loads here, and only in noncombat movement.
        mine = any(c.type == TRANSPORT and not c.owner for c in found)
        found |= loadable(s, space, stays=not mine)
    # Of allies only what could do something.
    loads = any(chosen.load for chosen in found)
    return {
        chosen: count
        for chosen, count in found.items()
        if not chosen.owner or loads or _own_cargo(s, space, chosen)
    }


def _own_cargo(s: State, zone: str, chosen: Chosen) -> bool:
    return any(
        unit.power == chosen.owner
        and cargo_of(unit) == chosen.cargo
        and any(piece.power == s.turn for piece in unit.cargo)
        for unit in s.stack(zone)
    )


def loadable(s: State, zone: str, *, stays: bool) -> dict[Chosen, int]:
    """The land units that a transport in a zone could take aboard, here or on its way."""
    if stays and s.phase == "combat_move":
        return {}
    zones = {zone: None}
    for path in () if stays else sea_paths(s, zone, (TRANSPORT,)):
        zones.update(dict.fromkeys(path))
    found: dict[Chosen, int] = {}
    for there in zones:
        if hostile_zone(s, there, s.turn):
            continue
        for land in s.facts.coast[there]:
            if land not in s.presence[s.turn]:
                continue
            for unit, count in units_to_load(s, land).items():
                found[Chosen(unit, load=land)] = count
    return found


def units_to_load(s: State, land: str) -> dict[str, int]:
    """The acting power's land units in a territory that may go aboard a transport now."""
    found: dict[str, int] = {}
    for unit, count in s.stack(land).items():
        if (
            unit.power == s.turn
            and s.facts.units[unit.type].domain == "land"
            and fresh(unit)
            and not (unit.type == AAA and s.phase == "combat_move")
        ):
            found[unit.type] = found.get(unit.type, 0) + count
    return found


# --- the forms -----------------------------------------------------------------------------------


def combat_move(legal: Legal, request: Any, s: State) -> Form:
    """Everything that has not moved yet; where to is asked by `reach`."""
    battles = tuple(_prospects(s))
    return ask(
        request,
        "move",
        title="Combat move",
        prompt=(
            "Send units to attack: choose them, then where they go. "
            "Nothing is fought before all attacks have been sent."
        ),
        movers=tuple(_movers(s)),
        done=plain(Done()),
        done_label="End combat moves",
        done_warning="" if battles else "No attack has been sent yet.",
        battles=battles,
    )


def _prospects(s: State) -> Iterator[Prospect]:
    """What the moves so far lead to, space by space."""
    landings, bombed, fought = assaulted(s), raided(s), other_battles(s)[0]
    for space in dict.fromkeys((*fought, *landings, *bombed)):
        parts = []
        if space in landings:
            parts.append(forces(s, space, "assaults"))
        elif space in fought:
            parts.append(forces(s, space, "battles"))
        if space in bombed:
            parts.append(forces(s, space, "raids"))
        yield Prospect(space, "; ".join(parts))


def noncombat_move(legal: Legal, request: Any, s: State) -> Form:
    """What has neither moved nor fought, and aircraft that have to land."""
    problem = legal.why_not(Done())
    groups = landings.waiting(s)
    flying = listed(landings.who(s, group) for group in groups)
    if not groups:
        notes: tuple[str, ...] = ()
    elif problem:
        problem = one_stop(f"Aircraft still have to land: {flying}.")
        # Landings are among the choices; what has to happen before takes a word.
        notes = tuple(filter(None, (landings.obstacle(s, group) for group in groups)))
    else:
        lone = sum(group.number for group in groups) == 1
        fate = "cannot land and is lost" if lone else "cannot land and are lost"
        notes = (f"{flying} {fate} when the phase ends.",)
    return ask(
        request,
        "move",
        title="Noncombat move",
        prompt=(
            "Land your aircraft, and move units that have neither moved nor fought. "
            "They go through friendly spaces only."
        ),
        movers=tuple(_movers(s)),
        choices=tuple(landings.choices(s, groups)) if problem else (),
        done=plain(Done()),
        done_label="End noncombat moves",
        done_problem=problem,
        done_warning=_unguarded(s),
        notes=notes,
    )


def _unguarded(s: State) -> str:
    """Capital, cities and complexes without a unit that could defend them."""
    facts = s.facts
    cities = facts.cities if s.options["cities"] == 12 else facts.cities_faq
    precious = {facts.capital[s.turn], *cities.values(), *s.complexes}
    bare = [
        facts.name(land)
        for land in facts.territories
        if land in precious
        and s.control[land] == s.turn
        and not any(facts.units[unit.type].defense for unit in s.stack(land))
    ]
    return one_stop(f"Nobody defends {listed(bare)}.") if bare else ""


def _movers(s: State) -> Iterator[Mover]:
    facts = s.facts
    order = {type_: at for at, type_ in enumerate(facts.units)}
    spaces = {*s.presence[s.turn]}
    for ally in facts.allies[s.turn]:
        spaces |= {space for space in s.presence[ally] if space in facts.sea_next}
    for space in facts.spaces:
        if space not in spaces:
            continue
        there = available(s, space)
        if not there:
            continue
        # What can be loaded stands last, the nearest first: in the order in which it was found.
        places = list(dict.fromkeys(chosen.load for chosen in there))
        rows = [
            _row(s, space, chosen, there[chosen])
            for chosen in sorted(
                there,
                key=lambda chosen: (
                    bool(chosen.load),
                    bool(chosen.owner),
                    places.index(chosen.load),
                    order[chosen.type],
                    chosen.cargo,
                ),
            )
        ]
        yield Mover(space, tuple(rows))


def _row(s: State, space: str, chosen: Chosen, count: int) -> Row:
    facts = s.facts
    kind = facts.units[chosen.type]
    label, group, note, where = kind.name, DOMAINS[kind.domain], "", space
    most = count
    if chosen.cargo:
        label = f"{label} with {cargo_in_words(facts, chosen.cargo)}"
    if chosen.owner:
        group = "Transports of allies"
        label = f"{facts.names[chosen.owner]}: {label[0].lower()}{label[1:]}"
        most = 1
    if chosen.load:
        group = f"Load in {facts.name(chosen.load)}"
        where = chosen.load
    elif kind.domain == "air" and s.phase == "noncombat_move":
        note = _ranges(s, space, chosen.type)
    return Row(
        key=chosen.key,
        label=label,
        path=("units", chosen.type),
        most=most,
        symbol=symbol(chosen.type),
        power=chosen.owner or s.turn,
        group=group,
        space=where,
        note=note,
        states=("loaded",) if chosen.cargo else (),
        cargo=bool(chosen.load),
        holds=facts.numbers.transport_any + facts.numbers.transport_infantry
        if chosen.type == TRANSPORT
        else 0,
        aboard=len(chosen.cargo) if chosen.type == TRANSPORT else 0,
    )


def cargo_in_words(facts: Facts, cargo: tuple[str, ...]) -> str:
    """`infantry and tank`, `2 infantry`."""
    tally: dict[str, int] = {}
    for type_ in cargo:
        tally[type_] = tally.get(type_, 0) + 1
    return units_in_words(facts, tally).replace("1 ", "")


def _ranges(s: State, space: str, type_: str) -> str:
    """`can fly 4` or, where they differ, `2 can fly 4, 1 can fly 2`."""
    ranges: dict[int, int] = {}
    for unit, count in s.stack(space).items():
        left = range_left(s, unit) if (unit.power, unit.type) == (s.turn, type_) else 0
        if left:
            ranges[left] = ranges.get(left, 0) + count
    rows: Mapping[int, int] = dict(sorted(ranges.items(), reverse=True))
    if len(rows) == 1:
        return f"can still fly {next(iter(rows))}"
    return ", ".join(f"{count} can still fly {left}" for left, count in rows.items())


def land_stranded(legal: Legal, request: Any, s: State) -> Form:
    """Where a fighter goes that has lost its base."""
    facts = s.facts
    return ask(
        request,
        "choose",
        title="A fighter without a base",
        prompt=(
            f"A fighter in {facts.name(request.space)} has lost its carrier or base. "
            "It may land one space away."
        ),
        choices=tuple(
            Choice(
                facts.name(space),
                plain(Divert(space)),
                "On a carrier" if facts.spaces[space].sea else "",
                spaces=(space,),
                symbol="fighter",
                power=request.power,
            )
            for space in request.to
        ),
    )


def share_space(legal: Legal, request: Any, s: State) -> Form:
    """Whether an ally's units may come aboard."""
    facts = s.facts
    units = units_in_words(facts, request.units)
    guest = power_name(facts, request.guest, start=True)
    where = facts.name(request.zone)
    return ask(
        request,
        "choose",
        title="Room on your ships",
        prompt=(
            f"{guest} asks to bring {units} aboard your ships in {where}. "
            "What is aboard is lost with its ship."
        ),
        choices=(
            Choice(
                "Take them aboard", plain(Consent(True)), spaces=(request.zone,), tone="primary"
            ),
            Choice("Refuse", plain(Consent(False)), tone="quiet"),
        ),
    )
