"""Amphibious assaults (p.12, p.15-16)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.casualties import Hits
from sandtable.games.aa1942.rules.combat import OUT_OF_BATTLE, Battle, condemn, general_combat
from sandtable.games.aa1942.rules.landing import keeps_promises
from sandtable.games.aa1942.rules.spaces import enemies_in, hostile_zone
from sandtable.games.aa1942.rules.transports import may_ignore_submarines
from sandtable.games.aa1942.words import counted
from sandtable.kernel.decisions import Decision, Request, RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Engage(Decision, frozen=True, tag="engage"):
    """Attack the submarines and transports in the zone, or ignore them."""

    attack: bool


class EngageOrIgnore(Request, frozen=True, tag="engage_or_ignore"):
    """Whether to fight enemy submarines and transports in the zone of an assault."""

    zone: str

    answers: ClassVar[tuple[type[Decision], ...]] = (Engage,)

    def check(self, state: State, decision: Engage) -> None:
        """Rules: transport.assault.ignored-sub, unit.air.landing-proof.commit-move"""
        if decision.attack:
            if not keeps_promises(state, self.zone):
                raise IllegalDecision(
                    f"A carrier in {state.facts.name(self.zone)} is needed elsewhere for fighters "
                    "to land on.",
                    "unit.air.landing-proof.commit-move",
                )
        elif not may_ignore_submarines(state, self.zone):
            raise IllegalDecision(
                f"Without a warship in {state.facts.name(self.zone)} its submarines cannot be "
                "ignored.",
                "transport.assault.ignored-sub",
            )

    def decisions(self, state: State) -> Iterator[Decision]:
        if keeps_promises(state, self.zone):
            yield Engage(True)
        if may_ignore_submarines(state, self.zone):
            yield Engage(False)


class Bombard(Decision, frozen=True, tag="bombard"):
    """The ships that bombard, zone to type to number; none is allowed."""

    ships: dict[str, dict[str, int]] = {}


class ChooseBombardment(Request, frozen=True, tag="choose_bombardment"):
    """Which battleships and cruisers support a landing, at most one per unit landed."""

    territory: str
    ships: dict[str, dict[str, int]]
    limit: int

    answers: ClassVar[tuple[type[Decision], ...]] = (Bombard,)

    def check(self, state: State, decision: Bombard) -> None:
        """Rules: amphib.bombard.limit, amphib.bombard.one-target"""
        total = 0
        for zone, ships in decision.ships.items():
            for type_, count in ships.items():
                there = self.ships.get(zone, {}).get(type_, 0)
                if not 1 <= count <= there:
                    raise IllegalDecision(
                        f"{counted(state.facts, type_, there)} in {state.facts.name(zone)} can "
                        f"bombard, not {count}.",
                        "amphib.bombard.one-target",
                    )
                total += count
        if total > self.limit:
            raise IllegalDecision(
                f"{self.limit} land units are landing: {total} ships are too many.",
                "amphib.bombard.limit",
            )

    def decisions(self, state: State) -> Iterator[Decision]:
        names = [(z, t) for z, ships in self.ships.items() for t in ships]
        for numbers in _within([self.ships[z][t] for z, t in names], self.limit):
            chosen: dict[str, dict[str, int]] = {}
            for (zone, type_), count in zip(names, numbers, strict=True):
                if count:
                    chosen.setdefault(zone, {})[type_] = count
            yield Bombard(chosen)

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        ships = [(z, t) for z, row in self.ships.items() for t, n in row.items() for _ in range(n)]
        chosen: dict[str, dict[str, int]] = {}
        for zone, type_ in rng.sample(ships, rng.randint(0, min(self.limit, len(ships)))):
            row = chosen.setdefault(zone, {})
            row[type_] = row.get(type_, 0) + 1
        yield Bombard(chosen)


def _within(most: list[int], total: int) -> Iterator[tuple[int, ...]]:
    """All numbers up to `most` each and up to `total` together."""
    if not most:
        yield ()
        return
    for number in range(min(most[0], total) + 1):
        yield from ((number, *rest) for rest in _within(most[1:], total - number))


def assaulted(s: State) -> list[str]:
    """The territories that are to be assaulted and have not been yet."""
    zones, at = (*s.presence[s.turn], *s.touched), s.at
    targets = {u.target for zone in zones for u in at.get(zone, ()) if u.duty == "landing"}
    return sorted(targets - s.fought)


def launching_zones(s: State, territory: str) -> list[str]:
    """The zones from which transports are to land in a territory."""
    return sorted(
        {zone for zone, u, _ in s.units() if u.duty == "landing" and u.target == territory}
    )


def amphibious_assault(g: Table[State], territory: str) -> Procedure[None]:
    """Sea combat, bombardment, land combat.

    If no seaborne unit comes ashore, whoever else was sent against the territory still fights.

    Rules: amphib.sequence, amphib.land.condition, amphib.land.overland-join,
        amphib.land.failed-sea, amphib.land.over, amphib.air.one-battle,
        combat-move.amphib-exception
    """
    s = g.state
    if s.combat is None or s.combat.at != territory:
        yield from sea_combat(g, territory)
        g.checkpoint(strict=True)
        zones = [zone for zone in launching_zones(s, territory) if not _blocked(s, zone)]
        landed = sum(land_troops(g, zone, territory) for zone in zones)
        if landed:
            yield from bombardment(g, territory, zones, landed)
    if Battle(s, territory).attackers:
        yield from general_combat(g, territory)
    else:
        s.fought |= {territory}


def sea_combat(g: Table[State], territory: str) -> Procedure[None]:
    """Step 1: clear the zones from which is landed, one by one.

    Rules: amphib.sequence
    """
    s = g.state
    if s.combat is not None:  # taken up again between two rounds
        yield from general_combat(g, s.combat.at)
    for zone in launching_zones(s, territory):
        yield from clear_zone(g, zone)


def clear_zone(g: Table[State], zone: str) -> Procedure[None]:
    """Fight enemy surface warships; submarines and transports at the attacker's choice.

    Rules: amphib.sea-combat.required, amphib.sea-zone.clear-first,
        amphib.sea-combat.all-participate, combat-move.sub-transport.attack-option
    """
    s = g.state
    if zone in s.fought or zone in s.ignored or not enemies_in(s, zone, s.turn):
        return
    kinds = s.facts.units
    if not hostile_zone(s, zone, s.turn):
        able = any(
            u.power == s.turn and kinds[u.type].attack and u.duty not in OUT_OF_BATTLE
            for u in s.stack(zone)
        )
        attack = False
        if able:
            g.checkpoint()
            answer: Engage = yield from g.ask(EngageOrIgnore(s.turn, zone))
            attack = answer.attack
        if not attack:
            s.ignored |= {zone}
            return
    yield from general_combat(g, zone)


def _blocked(s: State, zone: str) -> bool:
    """Whether defenders that fought in the zone are still there and keep troops from landing.

    Rules: amphib.land.condition
    """
    return zone in s.fought and any(
        unit.type != "transport" and unit.duty != "submerged"
        for unit in enemies_in(s, zone, s.turn)
    )


def land_troops(g: Table[State], zone: str, territory: str) -> int:
    """Bring the assault's cargo ashore; how many units that is.

    Rules: amphib.land.condition, unit.transport.offload-final, unit.transport.assault-cargo,
        multi.land-ally-transport
    """
    s = g.state
    units: Counter[str] = Counter()
    for unit, count in list(s.stack(zone).items()):
        if unit.duty != "landing" or unit.target != territory:
            continue
        ashore = [piece for piece in unit.cargo if piece.duty == "assault"]
        left = tuple(piece for piece in unit.cargo if piece.duty != "assault")
        s.change(zone, unit, count, duty="offloaded", target="", cargo=left)
        for piece in ashore:
            s.put(territory, Unit(piece.power, piece.type, used=1, duty="seaborne"), count)
            units[piece.type] += count
    g.emit("landed", path=(zone, territory), units=dict(units))
    return units.total()


def bombardment(g: Table[State], territory: str, zones: list[str], landed: int) -> Procedure[None]:
    """Step 2: ships in zones without combat fire once; what they hit goes behind the casualty
    strip and still fires back.

    Rules: amphib.bombard.condition, amphib.bombard.ignored-units, amphib.bombard.limit,
        amphib.bombard.one-target, amphib.bombard.roll, amphib.bombard.casualties-fire
    """
    s, kinds = g.state, g.state.facts.units
    ships: dict[str, dict[str, int]] = {}
    for zone in zones:
        for unit, count in sorted(s.stack(zone).items()):
            if (
                zone not in s.fought
                and unit.power == s.turn
                and kinds[unit.type].bombard
                and unit.duty == ""
            ):
                row = ships.setdefault(zone, {})
                row[unit.type] = row.get(unit.type, 0) + count
    battle = Battle(s, territory)
    if not ships or not battle.combat_units(battle.defenders, attacking=False):
        return
    battle.note(step="bombardment")
    choice: Bombard = yield from g.ask(ChooseBombardment(s.turn, territory, ships, landed))
    rolling: list[RollLine] = []
    for zone, named in sorted(choice.ships.items()):
        for type_, count in sorted(named.items()):
            value = kinds[type_].bombard
            rolling.append(RollLine(s.turn, type_, count, value, s.facts.numbers.die))
            left = count
            for unit, there in sorted(s.stack(zone).items()):
                if unit.power == s.turn and unit.type == type_ and unit.duty == "" and left:
                    s.change(zone, unit, min(left, there), duty="bombarded")
                    left -= min(left, there)
    lines = tuple(rolling)
    faces = yield from g.roll("bombardment", lines)
    needed = [line.value for line in lines for _ in range(line.count)]
    hits = sum(face <= value for face, value in zip(faces, needed, strict=True))
    g.emit("bombarded", space=territory, lines=lines, dice=faces, hits=hits)
    yield from condemn(g, battle, Hits(any=hits))
