"""Blitz: armor that has won goes on into the next zone (Table 9-3)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.gw36.model import Stack, State, Unit
from sandtable.games.gw36.rules.air import landing_places, range_left
from sandtable.games.gw36.rules.battle import forces, labelled, type_of
from sandtable.games.gw36.rules.relations import attack_allowed, go_to_war
from sandtable.games.gw36.rules.zones import barred, no_blitz, side, slows
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

LONGEST = 2
"""A blitz follows a combat of fewer than three rounds."""


class Blitz(Decision, frozen=True, tag="blitz"):
    """These units go on into that zone, to attack it."""

    units: dict[str, int]
    to: str


class Halt(Decision, frozen=True, tag="halt"):
    """Nobody blitzes."""


class MayBlitz(Request, frozen=True, tag="may_blitz"):
    """Which of the victors go on, and where to."""

    space: str
    units: dict[str, int]
    """Unit, named as casualties are, to number."""
    zones: tuple[str, ...]

    answers: ClassVar[tuple[type[Decision], ...]] = (Blitz, Halt)

    def check(self, state: State, decision: Blitz | Halt) -> None:
        """Rules: table-9-3a, table-9-3b, table-9-3c, 7.8.advanced-mech-b, table-9-3f"""
        if isinstance(decision, Halt):
            return
        if decision.to not in self.zones:
            raise IllegalDecision(
                f"There is no blitz into {state.facts.name(decision.to)}.", "table-9-3d"
            )
        if not decision.units:
            raise IllegalDecision("A blitz names at least one unit.", "table-9-3b")
        room: float = 0
        followers: float = 0
        for name, count in decision.units.items():
            if not 1 <= count <= self.units.get(name, 0):
                raise IllegalDecision("There are no such units to blitz with.", "table-9-3a")
            kind = state.facts.units[type_of(name)]
            if kind.blitz == "alone":
                room += count
            else:
                followers += count / 2 if kind.blitz == "pair2" else count
        if followers > room:
            raise IllegalDecision(
                "Each unit that follows a blitz is paired with armor, one to one.", "table-9-3c"
            )
        for unit in _units(state, self.space, decision.units):
            goes = unit._replace(used=unit.used + 1)
            if state.facts.units[unit.type].air and not landing_places(
                state, goes, decision.to, range_left(state, goes, decision.to)
            ):
                raise IllegalDecision(
                    "An aircraft that follows needs movement left to reach a Friendly landing "
                    "place.",
                    "table-9-3f",
                )

    def decisions(self, state: State) -> Iterator[Decision]:
        yield Halt()
        leaders = [n for n in sorted(self.units) if state.facts.units[type_of(n)].blitz == "alone"]
        for zone in self.zones:
            for name in leaders:
                for count in range(1, self.units[name] + 1):
                    yield Blitz({name: count}, zone)

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        if rng.random() < 0.5:
            yield Halt()
        units: dict[str, int] = {}
        room = 0
        for name in sorted(self.units, key=lambda n: state.facts.units[type_of(n)].blitz):
            kind = state.facts.units[type_of(name)]
            most = self.units[name]
            if kind.blitz != "alone":
                most = min(most, room)
            count = rng.randint(0, most)
            room += count if kind.blitz == "alone" else -count
            if count:
                units[name] = count
        if units:
            yield Blitz(units, rng.choice(self.zones))
        yield Halt()


def _units(s: State, zone: str, names: dict[str, int]) -> Iterator[Unit]:
    for name, rows in labelled(s, s.stack(zone)).items():
        if name in names:
            yield rows[0][0]


def eligible(s: State, zone: str, units: Stack) -> Stack:
    """The victors that can go on: armor and what may be paired with it, with movement left; none is
    left to whom terrain on the way in left one point only.

    Rules: 1.8c, 1.9d, 1.10d, 1.11c, table-9-3a, table-9-3b, 12.2.light-armor-b,
        12.2.fighter-d, 12.2.tactical-bomber-c
    """
    found = {}
    for unit, count in units.items():
        kind = s.facts.units[unit.type]
        if kind.land and slows(s, kind, unit.origin, zone):
            continue
        if kind.blitz and unit.duty != "assault" and unit.used < kind.move:
            found[unit] = count
    if not any(s.facts.units[unit.type].blitz == "alone" for unit in found):
        return {}
    return found


def blitz_zones(s: State, nation: str, zone: str) -> tuple[str, ...]:
    """Zones that may be attacked, into which a blitz out of `zone` may lead: those of Enemies, and
    of whom war may be declared on, which the blitz then does.

    Rules: table-9-3d, table-9-3e, 1.8d, 1.9e, 1.10e, 1.11d, 1.16g, 1.23d, 12.7f, 8.1a
    """
    return tuple(
        there
        for there in s.facts.land_next[zone]
        if there in s.possession
        and not barred(s, there)
        and not no_blitz(s, zone, there)
        and attackable(s, nation, there)
    )


def attackable(s: State, nation: str, zone: str) -> bool:
    """Whether units of a nation may go on to attack a zone: it is an Enemy's, or the nation may
    declare war on its owner, and nobody else is in the way.

    Rules: 8.1a, 0.5a
    """
    owner = s.possession[zone]
    friends, foes = side(s, nation)
    if any(u.nation != owner and u.nation not in friends | foes for u in s.stack(zone)):
        return False
    if owner in foes:
        return True
    return owner not in friends and attack_allowed(s, nation, owner, zone).how == "declare"


def may_blitz(
    g: Table[State], power: str, nation: str, zone: str, units: Stack
) -> Procedure[tuple[str, Stack] | None]:
    """Ask whether the victors of a battle blitz; where to and with what."""
    s = g.state
    able = eligible(s, zone, units)
    zones = blitz_zones(s, nation, zone) if able else ()
    if not zones:
        return None
    rows = labelled(s, able)
    names = {name: sum(n for _, n in some) for name, some in rows.items()}
    answer = yield from g.ask(MayBlitz(power, zone, names, zones))
    if isinstance(answer, Halt):
        return None
    moved: Stack = {}
    for name, number in answer.units.items():
        left = number
        for unit, count in rows[name]:
            some = min(left, count)
            left -= some
            if some:
                s.take(zone, unit, some)
                goes = unit._replace(origin=zone, duty="attack", target="", used=unit.used + 1)
                s.put(answer.to, goes, some)
                moved[goes] = moved.get(goes, 0) + some
    g.emit("blitzed", power=nation, path=[zone, answer.to], units=forces(moved.items())[nation])
    owner = s.possession[answer.to]
    if owner not in side(s, nation).foes:
        go_to_war(g, nation, owner, declared=True)
    return answer.to, moved
