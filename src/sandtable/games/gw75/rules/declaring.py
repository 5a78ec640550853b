"""Attacks on land are declared, all before any is resolved (8.1, 8.8)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sandtable.games.gw75.facts import AXIS_MINORS
from sandtable.games.gw75.model import Attack, Force, News, State
from sandtable.games.gw75.rules import attacks, neutrals, ussr, weather
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.consequences import settle
from sandtable.games.gw75.rules.losses import by_owner, merged
from sandtable.games.gw75.rules.terms import MOBILE, commander, nations, relations
from sandtable.games.gw75.rules.tracing import camp
from sandtable.games.gw75.rules.zones import army
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision, passes
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Declare(Decision, frozen=True, tag="attack"):
    """An attack on one or several hexes with so much from each hex: hex, nation, type, number."""

    targets: tuple[str, ...]
    force: Force


class Withdraw(Decision, frozen=True, tag="withdraw"):
    """A declared attack is not made after all; it is named by its first target."""

    target: str


class DeclareAttacks(Request, frozen=True, tag="land_attacks"):
    """The phasing player declares attacks, until done.

    Rules: 8.0a, 8.8a
    """

    answers = (Declare, Withdraw, Done)

    def check(self, state: State, decision: Decision) -> None:
        match decision:
            case Declare(targets, force):
                attacks.check(state, self.power, Attack(targets, force))
            case Withdraw(target):
                if not any(attack.targets[0] == target for attack in _own(state, self.power)):
                    raise IllegalDecision(
                        f"You have declared no attack on {state.facts.name(target)}.", "8.8a"
                    )
                if _must(state, target):
                    raise IllegalDecision(
                        f"The landing in {state.facts.name(target)} has to be fought.", "5.57b"
                    )
            case Done():
                for hex in _landings(state, self.power):
                    raise IllegalDecision(
                        f"The units that landed in {state.facts.name(hex)} have to attack.",
                        "5.57b",
                    )
                for hex in _partition(state, self.power):
                    raise IllegalDecision(
                        f"The Soviet army has to attack {state.facts.name(hex)}.", "19.71b"
                    )

    def decisions(self, state: State) -> Iterator[Decision]:
        """For each hex that can be attacked alone, the attack with all that is there and free; the
        attacks that can be withdrawn; done."""
        for attack in chances(state, self.power):
            yield Declare(attack.targets, attack.force)
        for attack in _own(state, self.power):
            if not _must(state, attack.targets[0]):
                yield Withdraw(attack.targets[0])
        if not any(_owed(state, self.power)):
            yield Done()

    def sample(self, state: State, rng: random.Random) -> Decision:
        for hex in _owed(state, self.power):
            return next(
                Declare(each.targets, each.force)
                for each in chances(state, self.power)
                if each.targets == (hex,)
            )
        if rng.random() < 0.7:
            targets = _targets(state, self.power)
            for target in rng.sample(targets, len(targets)):
                chosen = _chance(state, self.power, target)
                if chosen is not None:
                    return Declare(chosen.targets, _some(state, chosen, rng))
        return Done()


def _own(s: State, player: str) -> list[Attack]:
    """The attacks that a player has declared: others of its side have theirs."""
    return [attack for attack in s.attacks if commander(s, attack.force[0][1]) == player]


def _some(s: State, attack: Attack, rng: random.Random) -> Force:
    """A part of a force that can still attack, or all of it; who has landed there is in it, and who
    leads Axis minor allies."""
    spare = attacks.differential(s, attack)
    force = []
    for hex, nation, type, number in attack.force:
        each = max(weather.strength(s, nation, 1), 1)
        most = 0 if hex in attack.targets else min(number, spare // each)
        kept = rng.randint(0, most) if rng.random() < 0.3 else 0
        spare -= kept * each
        if number > kept:
            force.append((hex, nation, type, number - kept))
    found = tuple(force)
    led = neutrals.led({part[1] for part in attack.force})
    if not found or led != neutrals.led({part[1] for part in found}):
        return attack.force
    return found if attacks.differential(s, Attack(attack.targets, found)) >= 0 else attack.force


def chances(s: State, player: str) -> Iterator[Attack]:
    """The attacks on single hexes with everything that can take part."""
    for target in _targets(s, player):
        attack = _chance(s, player, target)
        if attack is not None:
            yield attack


def _targets(s: State, player: str) -> list[str]:
    """Hexes in which somebody would defend against land units of a player that are there or next to
    it, sorted."""
    key = f"targets:{player}"
    found: list[str] | None = s.paths.get(key)
    if found is None:
        near = 0
        for nation in nations(s, player):
            own = army(s, nation)
            around = own.at
            for hex in own.hexes:
                around |= s.facts.shoulders[hex]
            near |= around & _others(s, nation)
        found = s.paths[key] = sorted(s.facts.members(near))
    return found


def _chance(s: State, player: str, target: str) -> Attack | None:
    """The attack on a hex with everything that can take part, if it can be declared."""
    key = f"chances:{player}"
    now = (s.attacks, s.fought)
    known: tuple[object, dict[str, Attack | None]] | None = s.memo.get(key)
    if known is None or known[0] != now:
        known = s.memo[key] = now, {}
    if target not in known[1]:
        known[1][target] = _weigh(s, player, target)
    return known[1][target]


def _near(s: State, player: str, target: str) -> list[tuple[str, str, str, int]]:
    """What of a player can take part in an attack on a hex."""
    commanders, there = relations(s).commander, s.facts.bits[target]
    found: dict[tuple[str, str, str], int] = {}
    for hex in (target, *s.facts.land[target]):
        for unit, count in s.stack(hex).items():
            nation = unit.nation
            if (
                unit.type in MOBILE
                and commanders[nation] == player
                and there & _others(s, nation)
                and attacks.assaulting(s, hex, nation) == (hex == target)
            ):
                key = (hex, nation, unit.type)
                found[key] = found.get(key, 0) + count
    if _hopeless(s, target, found):
        return []
    able = ((*key, attacks.free(s, player, key)) for key in found)
    return sorted(part for part in able if part[3])


def _hopeless(s: State, target: str, near: dict[tuple[str, str, str], int]) -> bool:
    """Whether an attack on a hex with all that is near, whatever its state, would be too weak."""
    origins = [hex for hex, _, _ in near]
    strength = sum(weather.strength(s, nation, count) for (_, nation, _), count in near.items())
    return all(
        strength < attacks.defense(s, (target,), origins, nation)
        for nation in {nation for _, nation, _ in near}
    )


def _others(s: State, nation: str) -> int:
    """The hexes with land units that would defend against a nation, as bits."""
    key = f"others:{camp(s, nation)}"
    found: int | None = s.paths.get(key)
    if found is None:
        found, known = 0, relations(s)
        enemies, sides = known.enemies[nation], known.side
        for each in s.presence:
            if each in enemies or sides[each] != sides[nation]:
                found |= army(s, each).at
        s.paths[key] = found
    return found


def _weigh(s: State, player: str, target: str) -> Attack | None:
    if target in s.fought or any(target in attack.targets for attack in s.attacks):
        return None
    force = _near(s, player, target)
    for chosen in dict.fromkeys(_by_nation(s, target, force)) if force else ():
        attack = Attack((target,), chosen)
        if not chosen or attacks.differential(s, attack) < 0:
            continue
        try:
            attacks.check(s, player, attack)
        except IllegalDecision:
            continue
        return attack
    return None


def _by_nation(s: State, target: str, force: list[tuple[str, str, str, int]]) -> Iterator[Force]:
    """All of a force; those of its nations that may attack there, as some may where others may not
    (Axis minor allies with who leads them); and each of them alone."""
    yield tuple(force)
    every = dict.fromkeys(part[1] for part in force)
    able: set[str] = set()
    for nation in sorted(every, key=lambda each: each in AXIS_MINORS):
        some = {part[:3] for part in force if part[1] in able or part[1] == nation}
        if passes(attacks.check_target, s, target, some):
            able.add(nation)
    yield tuple(part for part in force if part[1] in able)
    for nation in every:
        yield tuple(part for part in force if part[1] == nation)


def _landings(s: State, player: str) -> Iterator[str]:
    """Hexes in which a player's landed units have to attack, can, and are in no attack.

    Rules: 5.57b
    """
    if not any(army(s, nation).landing for nation in nations(s, player)):
        return
    declared = {hex for attack in s.attacks for hex in attack.targets}
    found = (hex for hex, unit, _ in s.on_duty("assault") if commander(s, unit.nation) == player)
    for hex in dict.fromkeys(found):
        if hex not in declared and any(_assaults(s, player, hex)):
            yield hex


def _partition(s: State, player: str) -> Iterator[str]:
    """Hexes of Eastern Poland that the Soviet army has to attack, can, and does not yet.

    Rules: 19.71b
    """
    if player != commander(s, "ussr"):
        return
    declared = {hex for attack in s.attacks for hex in attack.targets}
    for hex in ussr.to_attack(s):
        if hex not in declared and _chance(s, player, hex) is not None:
            yield hex


def _owed(s: State, player: str) -> Iterator[str]:
    """Hexes that a player still has to attack."""
    yield from _landings(s, player)
    yield from _partition(s, player)


def _assaults(s: State, player: str, hex: str) -> Iterator[Attack]:
    force = tuple(
        (at, nation, type, number)
        for (at, nation, type), number in attacks.ready(s, player).items()
        if at == hex and attacks.assaulting(s, hex, nation)
    )
    attack = Attack((hex,), force)
    if force and attacks.attackable(s, force[0][1], hex) and attacks.differential(s, attack) >= 0:
        yield attack


def _must(s: State, target: str) -> bool:
    """Whether an attack is one that a landing has to make."""
    return any(unit.duty == "assault" for unit in s.stack(target))


def declaring(s: State, player: str) -> Request | None:
    request = DeclareAttacks(player)
    if not _own(s, player) and next(chances(s, player), None) is None:
        return None
    return request


def declare(g: Table[State], player: str, decision: Decision) -> Procedure[None]:
    s = g.state
    match decision:
        case Declare(targets, force):
            force = merged(force)
            s.attacks = tuple(sorted((*s.attacks, Attack(targets, force))))
            g.emit(
                "attack_declared",
                power=force[0][1],
                about=list(targets),
                space=targets[0],
                attackers=by_owner(force),
            )
            yield from violate(g)
        case Withdraw(target):
            s.attacks = tuple(each for each in s.attacks if each.targets[0] != target)
            g.emit("attack_withdrawn", power=player, space=target)


def violate(g: Table[State]) -> Procedure[None]:
    """A declared attack on a nation at peace violates it at once.

    Rules: 6.52, 19.94
    """
    s = g.state
    for targets, force in s.attacks:
        attackers = {part[1] for part in force}
        for target in targets:
            for nation in sorted(attackers - neutrals.led(attackers)):
                victim = neutrals.violates(s, nation, target)
                if victim:
                    s.tell(News("violated", nation, victim, target))
                    yield from settle(g)
