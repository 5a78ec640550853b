"""Land combat (chapter 8): attacks are declared, the defender may order stacks to stand fast, then
they are resolved one by one: losses, Counter-Attack, retreat, advance."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from sandtable.games.gw75.model import Attack, Force, LandBattle, News, State
from sandtable.games.gw75.rules import attacks, supply
from sandtable.games.gw75.rules.advance import advance
from sandtable.games.gw75.rules.common import in_turn
from sandtable.games.gw75.rules.consequences import settle
from sandtable.games.gw75.rules.counter_attack import answer, counter_attack
from sandtable.games.gw75.rules.declaring import declare, declaring, violate
from sandtable.games.gw75.rules.losses import by_owner, take_losses
from sandtable.games.gw75.rules.retreat import recover, retreat
from sandtable.games.gw75.rules.stand_fast import OrderStandFast, eligible
from sandtable.games.gw75.rules.tables import column, die
from sandtable.games.gw75.rules.terms import (
    DRIVEN,
    MOBILE,
    OTHER,
    commander,
    enters,
    holder,
    phase_side,
    players,
)
from sandtable.kernel.decisions import Decision, RollLine
from sandtable.kernel.kits import ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def phase(g: Table[State]) -> Procedure[None]:
    """The Land Combat Phase of a side.

    Rules: 8.0c, 8.8a, 4.2e, 4.2f
    """
    s = g.state
    which = phase_side(s.phase)
    if s.step == "":
        yield from violate(g)
        yield from in_turn(g, which, declaring, declare)
        s.step, s.finished = "orders", frozenset()
    if s.step == "orders":
        for player in players(s, OTHER[which]):
            hexes = eligible(s, player)
            if hexes and player not in s.finished:
                g.checkpoint()
                order = yield from g.ask(OrderStandFast(player, hexes))
                s.stand_fast |= frozenset(order.hexes)
                s.finished |= {player}
                for hex in order.hexes:
                    g.emit("stand_fast", power=player, space=hex)
        s.step = "fight"
    while s.attacks or s.land is not None:
        if s.land is None:
            attack = yield from _next(g)
            s.attacks = tuple(each for each in s.attacks if each != attack)
            s.land = LandBattle(attack.targets, attack.force)
        g.checkpoint(strict=True)
        yield from battle(g)
        s.land = None
        yield from settle(g)
    _land(g, tuple(dict.fromkeys(hex for hex, _, _ in s.on_duty("assault"))))
    recover(s)
    s.stand_fast, s.fought = frozenset(), frozenset()


class Fight(Decision, frozen=True, tag="fight"):
    """The attack that is resolved next, named by its first target."""

    target: str


class ChooseAttack(ChooseOne, frozen=True, tag="next_attack"):
    """The phasing player chooses which of the declared attacks is resolved next.

    Rules: 8.0c
    """

    options: tuple[str, ...]
    answers = (Fight,)
    rule = "8.0c"
    refusal = "No attack on {asked} is declared."


def _next(g: Table[State]) -> Procedure[Attack]:
    s = g.state
    if len(s.attacks) == 1:
        return s.attacks[0]
    whose = [commander(s, each.force[0][1]) for each in s.attacks]
    player = next(each for each in players(s, phase_side(s.phase)) if each in whose)
    mine = [each for each, other in zip(s.attacks, whose, strict=True) if other == player]
    if len(mine) == 1:
        return mine[0]
    g.checkpoint()
    chosen = yield from g.ask(ChooseAttack(player, tuple(each.targets[0] for each in mine)))
    return next(each for each in mine if each.targets[0] == chosen.target)


def battle(g: Table[State]) -> Procedure[None]:
    """One attack: the table, losses, Counter-Attack, retreat, advance. What follows from it is
    drawn when it is over. Nothing is fought for want of supply or strength, and none of the hexes
    in which nobody is left who defends: a surrender, or an attack on Vichy France, may have changed
    sides.

    Rules: 8.0c, 8.31, 8.41, 8.44, 8.61a, 9.2b, 5.57c
    """
    s = g.state
    fight = s.land
    assert fight is not None
    force, attacker = _supplied(s, fight.force), fight.force[0][1]
    targets = tuple(hex for hex in fight.targets if any(attacks.defenders(s, hex, attacker)))
    attack = Attack(targets, force)
    if not force or not targets or attacks.differential(s, attack) < 0:
        g.emit("attack_called_off", power=attacker, space=fight.targets[0])
        return
    s.land = fight = replace(fight, targets=targets)
    attacker = force[0][1]
    differential = attacks.differential(s, attack)
    decider = attacks.decider(s, fight.targets, attacker)
    _first_battle(s, force, fight.targets, attacker)
    s.fought |= frozenset(fight.targets)
    held = {hex: holder(s, hex) for hex in fight.targets}
    force = _engage(s, force)
    extra = s.facts.numbers.stand_fast_loss
    standing = {hex: extra for hex in fight.targets if hex in s.stand_fast}
    face = yield from die(g, "land_attack", attacker)
    rolled = column(s.facts.tables.land, differential)[face - 1]
    g.emit(
        "land_attack",
        power=attacker,
        space=fight.targets[0],
        about=list(fight.targets),
        attackers=by_owner(force),
        defenders=_standing(s, fight.targets, attacker),
        differential=differential,
        sum=attacks.terms(s, attack, differential),
        lines=(RollLine(attacker, "", 1, 0),),
        dice=[face],
        loss=rolled,
    )
    s.land = replace(fight, step="losses", differential=differential, loss=rolled)
    lost = yield from take_losses(g, fight.targets, attacker, decider, rolled, standing)
    s.land = replace(s.land, step="counter_attack", loss=lost)
    left = yield from answer(g, fight.targets, force, attacker, decider)
    s.land = replace(s.land, step="retreat")
    if rolled:
        leaving = tuple(hex for hex in fight.targets if hex not in s.stand_fast)
        for hex in leaving:
            yield from retreat(g, hex, attacker, decider, leaving)
    s.land = replace(s.land, step="advance")
    _land(g, fight.targets)
    yield from advance(g, fight.targets, left, attacker)
    for nation in sorted({part[1] for part in force}):
        s.tell(*(News("attacked", nation, whom, hex) for hex, whom in held.items()))


def _supplied(s: State, force: Force) -> Force:
    """The part of a force that is in Attack Supply at the moment of combat.

    Rules: 9.2b
    """
    found = []
    for hex, nation, type, number in force:
        have = sum(
            supply.split(s, hex, unit)["attack"]
            for unit in s.stack(hex)
            if unit.nation == nation and unit.type == type and attacks.can_attack(s, hex, unit)
        )
        if min(number, have):
            found.append((hex, nation, type, min(number, have)))
    return tuple(found)


def _engage(s: State, force: Force) -> Force:
    """The attackers are marked: landing parties keep their mark until it is decided."""
    for hex, nation, type, number in force:
        for unit, count in list(s.stack(hex).items()):
            if unit.nation == nation and unit.type == type and not unit.idle and number:
                if unit.duty == "attacked" or unit.duty in DRIVEN:
                    continue
                some = min(count, number)
                number -= some
                if unit.duty not in ("assault", "landed"):
                    s.change(hex, unit, some, duty="attacked")
    return force


def _first_battle(s: State, force: Force, targets: tuple[str, ...], attacker: str) -> None:
    """Remember when each nation was in land combat first (8.8)."""
    nations = {part[1] for part in force}
    for hex in targets:
        nations |= {unit.nation for unit, _ in attacks.defenders(s, hex, attacker)}
    for nation in nations:
        s.counts.setdefault(f"first_battle:{nation}", s.turn)


def _standing(s: State, targets: tuple[str, ...], attacker: str) -> dict[str, dict[str, int]]:
    found: list[tuple[str, str, str, int]] = []
    for hex in targets:
        found += [(hex, u.nation, u.type, n) for u, n in attacks.defenders(s, hex, attacker)]
    return by_owner(tuple(found))


def overrun(g: Table[State], hex: str, force: Force) -> Procedure[None]:
    """Units next to a hex overrun what is in it: it is removed at once, and they undergo the
    Counter-Attack where they stand, at +0. What is left of them may enter.

    Rules: 5.61c, 5.66, 8.8h
    """
    s = g.state
    attacker = force[0][1]
    decider = attacks.decider(s, (hex,), attacker)
    losses: list[tuple[str, str, str, int]] = []
    for unit, count in list(attacks.defenders(s, hex, attacker)):
        s.destroy(hex, unit, count)
        losses.append((hex, unit.nation, unit.type, count))
    g.emit(
        "overrun",
        power=attacker,
        space=hex,
        attackers=by_owner(force),
        losses=by_owner(tuple(losses)),
    )
    yield from counter_attack(g, (hex,), force, 0, [], decider)


def _land(g: Table[State], targets: tuple[str, ...]) -> None:
    """Landing parties in a hex that was cleared are ashore; the others go back.

    Rules: 5.57c
    """
    s = g.state
    for hex in targets:
        ashore = [unit for unit in s.stack(hex) if unit.duty == "assault"]
        if not ashore:
            continue
        if any(attacks.defenders(s, hex, ashore[0].nation)):
            _fail(g, hex)
            continue
        for unit, count in list(s.stack(hex).items()):
            if unit.duty == "assault":
                duty = "landed" if unit.type in MOBILE else ""
                s.change(hex, unit, count, duty=duty, origin="")
        nation = next((unit.nation for unit in ashore if unit.type in MOBILE), "")
        if nation:
            g.emit("landed", power=nation, space=hex)
            enters(s, hex, nation)


def _fail(g: Table[State], hex: str) -> None:
    """A landing that has not cleared its hex goes back to the ports that it came from.

    Rules: 5.57c
    """
    s = g.state
    back: dict[str, Counter[str]] = {}
    for unit, count in list(s.stack(hex).items()):
        if unit.duty == "assault":
            s.take(hex, unit, count)
            s.put(unit.origin, unit._replace(duty="", origin=""), count)
            back.setdefault(unit.nation, Counter())[unit.type] += count
    for nation, types in sorted(back.items()):
        g.emit("landing_failed", power=nation, space=hex, units=dict(types))
