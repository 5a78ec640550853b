"""Scramble: aircraft at bases fly into neighbouring battles (8.6, 12.5)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar

import msgspec

from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.terms import commander, has_tech
from sandtable.games.gw36.rules.zones import foes_at, has_base
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

BATTLES = frozenset({"land", "naval", "bombing", "carpet"})


class Flight(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many aircraft from a base into a battle."""

    base: str
    zone: str
    units: dict[str, int]


class Scramble(Decision, frozen=True, tag="scramble"):
    """Send aircraft into battles."""

    flights: tuple[Flight, ...]


class MayScramble(Request, frozen=True, tag="may_scramble"):
    """Fighters and seaplanes may take off to join battles next to their bases.

    Rules: 8.6a, 8.6b, 8.6c, 8.10d
    """

    bases: tuple[tuple[str, tuple[str, ...]], ...]
    """Base to the battles that can be reached from it."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Scramble,)

    def check(self, state: State, decision: Scramble) -> None:
        """Rules: 8.6a, 7.8.radar-b, 12.5.seaplane-base-c, 12.5.air-base-d"""
        s = state
        bases = dict(self.bases)
        if not decision.flights:
            raise IllegalDecision("No aircraft takes off.", "8.6a")
        sent: dict[tuple[str, str], int] = {}
        for flight in decision.flights:
            if flight.zone not in bases.get(flight.base, ()):
                raise IllegalDecision(
                    f"Nothing can scramble from {s.facts.name(flight.base)} to "
                    f"{s.facts.name(flight.zone)}.",
                    "8.6a",
                )
            if not flight.units:
                raise IllegalDecision("No aircraft takes off.", "8.6a")
            for type_, count in flight.units.items():
                if count < 1 or type_ not in able(s, flight.base, flight.zone):
                    raise IllegalDecision(f"{s.facts.name(type_)} cannot scramble.", "8.6a")
                sent[flight.base, type_] = sent.get((flight.base, type_), 0) + count
        for base in sorted({base for base, _ in sent}):
            fighters = planes = 0
            for (where, type_), count in sent.items():
                if where != base:
                    continue
                if count > ready(s, base).get(type_, 0):
                    raise IllegalDecision(
                        f"There are not so many {s.facts.name(type_)} in {s.facts.name(base)}.",
                        "8.6a",
                    )
                if type_ == "seaplane":
                    planes += count
                else:
                    fighters += count
            if fighters > limit(s, base) or planes > s.facts.facilities["seaplane_base"].scramble:
                raise IllegalDecision(
                    f"Not so many aircraft can scramble from {s.facts.name(base)}.", "8.6a"
                )

    def decisions(self, state: State) -> Iterator[Decision]:
        """Every flight of aircraft of one type."""
        for base, zones in self.bases:
            free = ready(state, base)
            for zone in zones:
                for type_ in able(state, base, zone):
                    most = state.facts.facilities["seaplane_base"].scramble
                    if type_ != "seaplane":
                        most = limit(state, base)
                    for count in range(1, min(most, free.get(type_, 0)) + 1):
                        yield Scramble((Flight(base, zone, {type_: count}),))

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        every = list(self.decisions(state))
        yield every[int(rng.random() * len(every))]


def limit(s: State, base: str) -> int:
    """How many fighters may scramble from an air base: any number with Radar.

    Rules: 8.6a, 7.8.radar-b, 12.5.air-base-d
    """
    if has_tech(s, s.possession[base], "radar"):
        return 999
    return s.facts.facilities["air_base"].scramble


def ready(s: State, base: str) -> dict[str, int]:
    """The owner's aircraft at a base that can scramble, type to number."""
    owner = s.possession[base]
    found: dict[str, int] = {}
    for unit, count in s.stack(base).items():
        if unit.nation == owner and not unit.duty and s.facts.units[unit.type].air:
            found[unit.type] = found.get(unit.type, 0) + count
    return found


def able(s: State, base: str, zone: str) -> list[str]:
    """The types at a base that can scramble to a zone: Fighters from an Air Base, Seaplanes from a
    Seaplane Base to a naval battle.

    Rules: 8.6a, 12.5.air-base-d, 12.5.seaplane-base-c
    """
    types: list[str] = []
    if has_base(s, base, "air_base"):
        types += [t for t in sorted(ready(s, base)) if s.facts.units[t].air_superiority]
    if (
        zone in s.facts.sea_next
        and (zone, "naval") in s.planned
        and has_base(s, base, "seaplane_base")
        and "seaplane" in ready(s, base)
    ):
        types.append("seaplane")
    return types


def requests(s: State, attackers: tuple[str, ...]) -> list[MayScramble]:
    """Who may scramble where: from bases next to a battle in which the owner has a unit (or, where
    bombers come, a facility) to defend; not out of a land zone that is itself attacked on land.

    Rules: 8.6a, 8.6c
    """
    found: dict[str, dict[str, list[str]]] = {}
    for zone in sorted({zone for zone, kind in s.planned if kind in BATTLES}):
        foes = frozenset().union(*(foes_at(s, nation, zone) for nation in attackers))
        kinds = {kind for where, kind in s.planned if where == zone}
        defended = {
            unit.nation
            for unit in s.stack(zone)
            if unit.nation in foes and unit.duty not in ("submerged", "declined")
        }
        if "bombing" in kinds:
            defended |= {s.possession[zone]} & foes
        for base in s.facts.neighbours[zone]:
            owner = s.possession.get(base)
            if owner not in defended or (base, "land") in s.planned or base not in s.facilities:
                continue
            power = commander(s, owner) if owner else ""
            if power and able(s, base, zone):
                found.setdefault(power, {}).setdefault(base, []).append(zone)
    return [
        MayScramble(power, tuple((base, tuple(zones)) for base, zones in sorted(bases.items())))
        for power, bases in sorted(found.items())
    ]


def scramble(g: Table[State], attackers: tuple[str, ...]) -> Procedure[None]:
    """At the end of combat movement defenders may scramble.

    Rules: 8.6a, 8.6b, 8.6c, 8.6d, 8.10d
    """
    s = g.state
    answers = yield from g.offer(requests(s, attackers))
    for power, decision in sorted(answers.items()):
        for flight in decision.flights:
            owner = s.possession[flight.base]
            for type_, count in flight.units.items():
                send(s, flight, owner, type_, count)
            g.emit(
                "scrambled",
                power=power,
                path=(flight.base, flight.zone),
                units=flight.units,
            )


def send(s: State, flight: Flight, owner: str, type_: str, count: int) -> None:
    """Aircraft take off."""
    left = count
    for unit, there in sorted(s.stack(flight.base).items()):
        if unit.nation == owner and unit.type == type_ and not unit.duty and left:
            taken = min(left, there)
            s.take(flight.base, unit, taken)
            s.put(flight.zone, Unit(owner, type_, duty="scrambled", target=flight.base), taken)
            left -= taken
