"""Retreats from combat (9.4), and submarines that leave it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.gw36.model import Stack, State, Unit
from sandtable.games.gw36.rules.battle import (
    attackers,
    choosers,
    defenders,
    labelled,
    lead,
    running,
)
from sandtable.games.gw36.rules.terms import friendly
from sandtable.games.gw36.rules.zones import enemies_in, step_closed
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Press(Decision, frozen=True, tag="press"):
    """Fight another round."""


class Retreat(Decision, frozen=True, tag="retreat"):
    """All one's units leave the battle: to `to`, but for those that `others` sends elsewhere (zone
    to unit, named as casualties are, to number). Aircraft fly home in non-combat movement."""

    to: str = ""
    others: dict[str, dict[str, int]] = {}


class RetreatOrPress(Request, frozen=True, tag="retreat_or_press"):
    """Whether the Attacker fights on."""

    space: str
    zones: tuple[str, ...]
    """Where land units or ships may go."""
    units: dict[str, int]
    """Those that need a zone to go to, by name."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Press, Retreat)

    def check(self, state: State, decision: Press | Retreat) -> None:
        """Rules: 9.4a, 9.4b, 9.4d, 9.4e"""
        if isinstance(decision, Press):
            return
        rule = "9.4e" if state.facts.zones[self.space].sea else "9.4d"
        if not self.units:
            if decision.to or decision.others:
                raise IllegalDecision("Only aircraft retreat here; they name no zone.", rule)
            return
        for zone in (decision.to, *decision.others):
            if zone not in self.zones:
                raise IllegalDecision(
                    f"Units cannot retreat to {state.facts.name(zone) or 'no zone'}: none of the "
                    "attackers came from there, or it is not open to them.",
                    rule,
                )
        sent: dict[str, int] = {}
        for units in decision.others.values():
            for name, count in units.items():
                if count < 1:
                    raise IllegalDecision(f"{count} is no number of units.", rule)
                sent[name] = sent.get(name, 0) + count
        for name, count in sent.items():
            if count > self.units.get(name, 0):
                raise IllegalDecision("There are not so many units to retreat.", rule)

    def decisions(self, state: State) -> Iterator[Decision]:
        yield Press()
        if self.units:
            yield from (Retreat(zone) for zone in self.zones)
        else:
            yield Retreat()

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        choices = list(self.decisions(state))
        yield choices[0] if rng.random() < 0.7 else rng.choice(choices)


class Dive(Decision, frozen=True, tag="dive"):
    """These submarines leave the battle: they submerge, or retreat to a neighbouring sea zone."""

    units: dict[str, int] = {}
    to: str = ""


class MayDive(Request, frozen=True, tag="may_dive"):
    """Whether submarines leave instead of rolling next."""

    space: str
    units: dict[str, int]
    zones: tuple[str, ...]

    answers: ClassVar[tuple[type[Decision], ...]] = (Dive,)

    def check(self, state: State, decision: Dive) -> None:
        """Rules: 9.4h, 9.10c, table-9-4b"""
        for name, count in decision.units.items():
            if not 1 <= count <= self.units.get(name, 0):
                raise IllegalDecision("There are no such submarines in this battle.", "9.4h")
        if decision.to and (not decision.units or decision.to not in self.zones):
            raise IllegalDecision(
                f"Submarines cannot retreat to {state.facts.name(decision.to)}.", "9.4h"
            )

    def decisions(self, state: State) -> Iterator[Decision]:
        yield Dive()
        yield Dive(dict(self.units))
        yield from (Dive(dict(self.units), zone) for zone in self.zones)
        for name, count in sorted(self.units.items()):
            if len(self.units) > 1 or count > 1:
                yield Dive({name: 1})


def bound(s: State, unit: Unit) -> bool:
    """Whether an attacker cannot retreat: it came from the sea or from the air.

    Rules: 9.8h, 9.8j, 9.15b
    """
    return unit.duty == "assault" and s.facts.units[unit.type].land


def retreaters(s: State) -> Stack:
    """The attackers that would leave. Aircraft stay with those who land and cannot leave, unless
    somebody else retreats.

    Rules: 9.4b, 9.8h, 9.8j, 9.15b
    """
    units = attackers(s)
    free = {u: n for u, n in units.items() if not bound(s, u)}
    if len(free) < len(units) and all(s.facts.units[u.type].air for u in free):
        return {}
    return free


def retreat_zones(s: State) -> tuple[str, ...]:
    """Where the attackers' land units or ships may go: adjacent zones from which one of them came;
    on land Friendly ones that nobody contests, at sea without Enemy warships.

    Rules: 9.4d, 9.4e
    """
    battle = running(s)
    nation = battle.attackers[0]
    near = s.facts.neighbours[battle.at]
    if s.facts.zones[battle.at].sea:
        return tuple(
            zone
            for zone in battle.origins
            if zone in near and s.facts.zones[zone].sea and not hostile_ships(s, nation, zone)
        )
    return tuple(
        zone
        for zone in battle.origins
        if zone in near and not s.facts.zones[zone].sea and friendly(s, nation, zone)
    )


def hostile_ships(s: State, nation: str, zone: str) -> bool:
    """Whether Enemy warships bar a sea zone."""
    return any(s.facts.units[unit.type].warship for unit in enemies_in(s, nation, zone))


def may_retreat(g: Table[State]) -> Procedure[bool]:
    """Ask the Attacker whether he retreats; whether he did.

    Rules: 9.4a, 9.4b, 9.4c, 9.4f, 9.4g, table-9-2g
    """
    s = g.state
    battle = running(s)
    units = retreaters(s)
    if not units:
        return False
    grounded = {u: n for u, n in units.items() if not s.facts.units[u.type].air}
    zones = retreat_zones(s)
    if grounded and not zones:
        return False
    names = {name: sum(n for _, n in rows) for name, rows in labelled(s, grounded).items()}
    power = lead(s, battle.attackers)
    answer = yield from g.ask(RetreatOrPress(power, battle.at, zones, names))
    if isinstance(answer, Press):
        return False
    sent = {(zone, name): n for zone, some in answer.others.items() for name, n in some.items()}
    for name, rows in labelled(s, grounded).items():
        for unit, count in rows:
            left = count
            for zone in (*answer.others, answer.to):
                some = min(left, sent.get((zone, name), 0)) if zone != answer.to else left
                if some:
                    leave(s, unit, some, zone)
                    left -= some
                    if zone != answer.to:
                        sent[zone, name] -= some
    for unit, count in units.items():
        if s.facts.units[unit.type].air:
            fly_off(s, unit, count)
    for zone in (answer.to, *answer.others):
        g.emit("retreated", power=power, path=[battle.at, zone] if zone else [battle.at])
    return True


def leave(s: State, unit: Unit, count: int, zone: str) -> None:
    """Move units out of the battle for the rest of the turn.

    Rules: 9.4c
    """
    s.take(running(s).at, unit, count)
    s.put(zone, unit._replace(duty="retreated", target="", origin=""), count)


def fly_off(s: State, unit: Unit, count: int) -> None:
    """An aircraft is done with its battle; it lands in non-combat movement with what range it has
    left, a patrol stays on patrol.

    Rules: 9.4f, 10.3a, table-9-9g
    """
    duty = "patrol" if unit.target == "patrol" else "fought"
    s.change(running(s).at, unit, count, duty=duty, target="")


def may_dive(g: Table[State], side: str) -> Procedure[None]:
    """The submarines of a side may leave the battle, each power's for itself.

    Rules: 9.4h, 9.4i, 9.10c, table-9-4b
    """
    s = g.state
    battle = running(s)
    units = attackers(s) if side == "attack" else defenders(s)
    subs = {u: n for u, n in units.items() if s.facts.units[u.type].submarine}
    for power in choosers(s, subs):
        mine = {u: n for u, n in subs.items() if choosers(s, [u]) == (power,)}
        rows = labelled(s, mine)
        names = {name: sum(n for _, n in some) for name, some in rows.items()}
        zones = tuple(
            zone
            for zone in s.facts.sea_next[battle.at]
            if not hostile_ships(s, power, zone)
            and not any(
                step_closed(s, unit.nation, s.facts.units[unit.type], battle.at, zone)
                for unit in mine
            )
        )
        answer: Dive = yield from g.ask(MayDive(power, battle.at, names, zones))
        for name, number in answer.units.items():
            left = number
            for unit, count in rows[name]:
                some = min(left, count)
                left -= some
                if not some:
                    continue
                if answer.to:
                    leave(s, unit, some, answer.to)
                else:
                    s.change(battle.at, unit, some, duty="submerged", target="")
        if answer.units:
            kind = "retreated" if answer.to else "submerged"
            g.emit(kind, power=power, path=[battle.at, answer.to] if answer.to else [battle.at])
