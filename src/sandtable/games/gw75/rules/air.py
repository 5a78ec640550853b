"""Air units (chapter 17): Air Defense units and Long Range Bombers, where they are and fly."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, ClassVar

from sandtable.games.gw75.model import Mission, State, Unit
from sandtable.games.gw75.rules import bombing, italy, politics, ports
from sandtable.games.gw75.rules.common import Done, in_turn, refuse
from sandtable.games.gw75.rules.naval_movement import check_nation, no_base
from sandtable.games.gw75.rules.naval_zones import flies
from sandtable.games.gw75.rules.terms import (
    at_war,
    cited,
    friendly_hex,
    holder,
    nations,
    phase_side,
    side,
)
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

AIR = frozenset({"ad", "lrb"})


class FlyTo(Decision, frozen=True, tag="redeploy"):
    """Fly air units of a type to another base, LRB units with atomic bombs of theirs."""

    nation: str
    type: str
    start: str
    to: str
    number: int = 1
    bombs: int = 0


class Raid(Decision, frozen=True, tag="raid"):
    """Send LRB units from their base to bomb a hex; `bomb`: they carry an atomic bomb."""

    nation: str
    base: str
    target: str
    number: int = 1
    bomb: bool = False


def reach_of(s: State, nation: str) -> int:
    """The combat range of a nation's LRB units in this Game-Turn.

    Rules: 17.13
    """
    return s.facts.turns[s.turn].lrb.get(nation, 0)


def industrial(s: State, hex: str) -> bool:
    """Whether a hex is an Industrial Hex that is not destroyed."""
    return bool(s.facts.hexes[hex].industry) and hex not in s.destroyed


def ready(s: State, nation: str, type: str, hex: str, *, attack: bool = False) -> int:
    """Air units of a nation in a hex that have not flown in this phase, and may; to `attack` LRB
    units have to be in Attack Supply.

    Rules: 17.42a
    """
    return sum(
        count
        for unit, count in s.stack(hex).items()
        if unit.nation == nation
        and unit.type == type
        and not unit.idle
        and not unit.duty
        and not (attack and unit.supply)
    )


class AirMovement(Request, frozen=True, tag="air"):
    """Fly air units to other bases and bombers to their targets, or be done."""

    answers: ClassVar[tuple[type[Decision], ...]] = (FlyTo, Raid, Done)

    def check(self, state: State, decision: Any) -> None:
        if isinstance(decision, FlyTo):
            check_redeploy(state, self.power, decision)
        elif isinstance(decision, Raid):
            check_raid(state, self.power, decision)

    def decisions(self, state: State) -> Iterator[Decision]:
        yield Done()
        for nation in nations(state, self.power):
            for hex, unit, count in state.units_of(nation, AIR):
                for decision in _chances(state, hex, unit, count):
                    if _legal(self, state, decision):
                        yield decision

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        mine = [
            (hex, unit, count)
            for nation in nations(state, self.power)
            for hex, unit, count in state.units_of(nation, AIR)
            if not unit.duty and not unit.idle
        ]
        for _ in range(3) if mine else ():
            if rng.random() < 0.2:
                break
            hex, unit, count = rng.choice(mine)
            number = rng.randint(1, count)
            if unit.type == "lrb" and rng.random() < 0.7:
                near = [
                    target
                    for target in _targets(state)
                    if state.facts.distance(hex, target) <= reach_of(state, unit.nation)
                ]
                if near:
                    bomb = bool(state.bombs.get(hex)) and rng.random() < 0.5
                    yield Raid(unit.nation, hex, rng.choice(near), number, bomb)
            elif unit.type == "ad":
                yield FlyTo(unit.nation, "ad", hex, rng.choice(_industry(state)), number)
            else:
                far = list(state.facts.within(hex, 2 * reach_of(state, unit.nation)))
                to = rng.choice(far)
                if state.facts.hexes[to].dry:
                    yield FlyTo(unit.nation, "lrb", hex, to, number)
        yield Done()


def _legal(request: Request, s: State, decision: Decision) -> bool:
    try:
        request.check(s, decision)
    except IllegalDecision:
        return False
    return True


def _industry(s: State) -> tuple[str, ...]:
    return tuple(hex for hex in s.facts.industry if hex not in s.destroyed)


def _targets(s: State) -> tuple[str, ...]:
    """Hexes that may be bombed: Supply Centers only by atomic bombs."""
    return tuple(dict.fromkeys((*s.facts.industry, *(s.facts.centers if s.bombs else ()))))


def _chances(s: State, hex: str, unit: Unit, count: int) -> Iterator[Decision]:
    if unit.type == "ad":
        for to in _industry(s):
            yield FlyTo(unit.nation, "ad", hex, to, count)
        return
    for target in _targets(s):
        yield Raid(unit.nation, hex, target, count)
        if s.bombs.get(hex):
            yield Raid(unit.nation, hex, target, count, bomb=True)
    for to in s.facts.within(hex, s.facts.numbers.lrb_transfer * reach_of(s, unit.nation)):
        if s.facts.hexes[to].dry:
            yield FlyTo(unit.nation, "lrb", hex, to, count)
            if bombing.loadable(s, hex):
                yield FlyTo(unit.nation, "lrb", hex, to, count, bombing.loadable(s, hex))


def _check_start(s: State, player: str, nation: str, type: str, start: str, number: int) -> None:
    check_nation(s, player, nation)
    if start not in s.facts.hexes:
        raise refuse(f"There is no hex {s.facts.name(start)}.", "17.11")
    if number < 1:
        raise refuse(f"{number} is no number of units.", "17.11")
    why = politics.frozen(s, nation, Unit(nation, type), start)
    if why:
        raise refuse(why, cited(why))


def _grounded(
    s: State, nation: str, type: str, hex: str, number: int, *, attack: bool = False
) -> IllegalDecision:
    """Why not so many air units of a hex can fly, or bomb."""
    name = s.facts.name
    there = [unit for unit in s.stack(hex) if (unit.nation, unit.type) == (nation, type)]
    units = f"{name(type)} units of {name(nation)} in {name(hex)}"
    if any(unit.idle for unit in there):
        return refuse(f"{units} are not activated.", "18.10d")
    if attack and any(unit.supply for unit in there):
        return refuse(f"{units} are not in Attack Supply.", "17.42a")
    if any(unit.duty for unit in there):
        return refuse(f"Not {number} {units} can still fly in this phase.", "17.11")
    have = sum(s.stack(hex)[unit] for unit in there)
    return refuse(
        f"{name(nation)} has {have} of {name(type)} in {name(hex)}, not {number}.", "17.11"
    )


def check_redeploy(s: State, player: str, decision: FlyTo) -> None:
    """Air Defense units go to Friendly Industrial Hexes that are linked to one of the home country,
    at most ten to a hex; LRB units up to three times their range to a supplied Friendly base, by a
    way that no neutral country lies on.

    Rules: 17.11, 17.12, 17.13, 17.14, 17.16, 17.17b, 17.21, 17.22, 17.61b, 17.63b, 19.24a, 19.37a
    """
    name = s.facts.name
    _check_start(s, player, decision.nation, decision.type, decision.start, decision.number)
    if decision.type not in AIR:
        raise refuse(f"{name(decision.type)} units do not fly.", "17.0")
    if decision.to not in s.facts.hexes or decision.to == decision.start:
        raise refuse(f"They cannot fly to {name(decision.to)}.", "17.11")
    why = italy.bound(s, decision.nation, decision.to)
    if why:
        raise refuse(why, cited(why))
    if ready(s, decision.nation, decision.type, decision.start) < decision.number:
        raise _grounded(s, decision.nation, decision.type, decision.start, decision.number)
    if decision.type == "ad":
        _check_defense(s, decision)
        return
    why = no_base(s, decision.nation, decision.to)
    if why:
        raise refuse(why, "17.14")
    far = s.facts.numbers.lrb_transfer * reach_of(s, decision.nation)
    if s.facts.distance(decision.start, decision.to) > far:
        raise refuse(f"{name(decision.to)} is more than {far} hexes away.", "17.13")
    if not flies(s, decision.nation, decision.start, decision.to, far):
        raise refuse(f"Neutral countries lie before {name(decision.to)}.", "17.16")
    if not 0 <= decision.bombs <= bombing.loadable(s, decision.start):
        raise refuse(
            f"So many bombs were not in {name(decision.start)} as the phase began.", "17.63b"
        )


def _check_defense(s: State, decision: FlyTo) -> None:
    name = s.facts.name
    to = decision.to
    if decision.bombs:
        raise refuse("Air Defense units carry no atomic bomb.", "17.63b")
    if not industrial(s, to) or not friendly_hex(s, decision.nation, to):
        raise refuse(f"{name(to)} is no Friendly Industrial Hex.", "17.12")
    home = ports.own(s, decision.nation, "attack")
    others = tuple(hex for hex in home if hex != to)
    if not ports.joined(s, decision.nation, others or home, to):
        raise refuse(f"{name(to)} is not linked to industry of the home country.", "17.12")
    which = side(s, decision.nation)
    there = sum(
        count
        for unit, count in s.stack(to).items()
        if unit.type == "ad" and side(s, unit.nation) == which
    )
    if there + decision.number > s.facts.numbers.air_defense_stack:
        raise refuse(
            f"More than {s.facts.numbers.air_defense_stack} Air Defense units would be in "
            f"{name(to)}.",
            "17.22",
        )


def check_raid(s: State, player: str, decision: Raid) -> None:
    """LRB units in Attack Supply bomb Enemy Industrial Hexes within their range, and with an atomic
    bomb Supply Centers, too.

    Rules: 17.13, 17.15, 17.16, 17.3, 17.42a, 17.61b, 17.62, 17.63b, 19.24a
    """
    name = s.facts.name
    _check_start(s, player, decision.nation, "lrb", decision.base, decision.number)
    target = decision.target
    if target not in s.facts.hexes:
        raise refuse(f"There is no hex {name(target)}.", "17.3")
    center = s.facts.hexes[target].center and target not in s.destroyed and decision.bomb
    if not industrial(s, target) and not center:
        raise refuse(f"{name(target)} is no Industrial Hex.", "17.62" if decision.bomb else "17.3")
    held = holder(s, target)
    if not held or not at_war(s, decision.nation, held):
        raise refuse(f"{name(target)} is not held by an Enemy.", "17.3")
    why = politics.may_attack(s, decision.nation, held, target)
    if why:
        raise refuse(why, cited(why))
    if ready(s, decision.nation, "lrb", decision.base, attack=True) < decision.number:
        raise _grounded(s, decision.nation, "lrb", decision.base, decision.number, attack=True)
    far = reach_of(s, decision.nation)
    if s.facts.distance(decision.base, target) > far:
        raise refuse(f"{name(target)} is more than {far} hexes away.", "17.13")
    if not flies(s, decision.nation, decision.base, target, far):
        raise refuse(f"Neutral countries lie before {name(target)}.", "17.16")
    if decision.bomb and not bombing.loadable(s, decision.base):
        raise refuse(
            f"No atomic bomb was in {name(decision.base)} as the phase began that is still there.",
            "17.63b",
        )


# --- the phases -----------------------------------------------------------------------------------


def movement(g: Table[State]) -> Procedure[None]:
    """An Air Movement Phase. Supply was judged as it began (`naval_supply`).

    Rules: 17.11, 17.43
    """
    yield from in_turn(g, phase_side(g.state.phase), _request, _act)


def combat(g: Table[State]) -> Procedure[None]:
    """An Air Combat Phase: the missions of the side are flown, target by target; bombers are back
    at their bases when it ends.

    Rules: 17.17a
    """
    s = g.state
    yield from bombing.fly(g)
    for hex, unit, count in s.on_duty("flown"):
        if unit.type in AIR:
            s.change(hex, unit, count, duty="")


def _request(s: State, player: str) -> Request | None:
    if any(s.units_of(nation, AIR) for nation in nations(s, player)):
        return AirMovement(player)
    return None


def _act(g: Table[State], player: str, decision: Any) -> Procedure[None]:
    s = g.state
    if isinstance(decision, FlyTo):
        _fly(s, decision.nation, decision.type, decision.start, decision.to, decision.number)
        if decision.bombs:
            bombing.take_bombs(s, decision.start, decision.bombs)
            bombing.land_bombs(s, decision.to, decision.bombs)
        g.emit(
            "redeployed",
            power=decision.nation,
            path=(decision.start, decision.to),
            space=decision.to,
            units={decision.type: decision.number},
            bombs=decision.bombs,
        )
    else:
        base = decision.base
        _fly(s, decision.nation, "lrb", base, base, decision.number, attack=True)
        if decision.bomb:
            bombing.take_bombs(s, base, 1)
        mission = Mission(decision.nation, base, decision.target, decision.number, decision.bomb)
        s.missions = tuple(sorted((*s.missions, mission)))
        g.emit(
            "mission",
            power=decision.nation,
            path=(base, decision.target),
            space=decision.target,
            units={"lrb": decision.number},
            bomb=decision.bomb,
        )
    yield from ()


def _fly(
    s: State, nation: str, type: str, start: str, to: str, number: int, *, attack: bool = False
) -> None:
    for unit, count in sorted(s.stack(start).items()):
        if (
            number
            and unit.nation == nation
            and unit.type == type
            and not unit.idle
            and not unit.duty
            and not (attack and unit.supply)
        ):
            taken = min(number, count)
            s.take(start, unit, taken)
            s.put(to, unit._replace(duty="flown"), taken)
            number -= taken
