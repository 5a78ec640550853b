"""Naval combat (chapter 15): an attack on the naval units of a hex, in two segments."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

import msgspec

from sandtable.games.gw75.model import Force, News, SeaBattle, State, Unit
from sandtable.games.gw75.rules import neutrals, politics, ports, united_states, waters
from sandtable.games.gw75.rules.common import refuse
from sandtable.games.gw75.rules.consequences import settle
from sandtable.games.gw75.rules.losses import merged
from sandtable.games.gw75.rules.naval_movement import (
    left,
    number_of,
    passes,
    shut_canals,
)
from sandtable.games.gw75.rules.naval_results import (
    SERIOUS,
    Outcome,
    attack,
    attack_of,
    defense_of,
    forces,
    key,
    spokesman,
)
from sandtable.games.gw75.rules.naval_supply import escorting
from sandtable.games.gw75.rules.naval_zones import (
    CARRIERS,
    SWEEPERS,
    Part,
    covers,
    fleet,
    radius,
    strikers,
    strong,
)
from sandtable.games.gw75.rules.terms import (
    FLEET,
    GROUND,
    SURFACE,
    at_war,
    cited,
    friends,
    nations,
    phase_side,
    relations,
    side,
    tally,
)
from sandtable.games.gw75.rules.transit import Standing, choose_strikers, leave
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.kits import Assign, ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Engage(Decision, frozen=True, tag="engage"):
    """Attack the naval units in a hex with these: hex, nation, type and number of each part."""

    target: str
    force: Force


# --- who attacks whom -----------------------------------------------------------------------------


def enemy(s: State, nation: str, other: str, hex: str) -> bool:
    """Whether naval units of a nation may attack those of another in a hex: they are at war, or it
    may break the peace by the attack.

    Rules: 15.0a, 11.0b, 11.3c
    """
    if not at_war(s, nation, other) and side(s, nation) == side(s, other):
        return False
    return not politics.may_attack(s, nation, other, hex)


def targets(s: State, force: Iterable[Part], hex: str) -> list[Part]:
    """The units in a hex that a force attacks: all Enemy naval units but submarines, those that
    have retreated before combat in this phase or were driven off by the same force, and Merchant
    Ships that their waters shelter. Submarines alone do not attack ASW units. Nations at peace are
    attacked only where there is no Enemy to attack.

    Rules: 15.12, 15.21a, 15.21b, 15.34, 15.44a, 15.44b, 15.61, 15.62, 15.0a, 15.0d, 19.83
    """
    force = list(force)
    found = [
        Part(hex, unit, count)
        for unit, count in sorted(s.stack(hex).items())
        if (unit.type in FLEET or unit.type in CARRIERS) and not _spared(s, force, hex, unit)[0]
    ]
    return [part for part in found if _at_war(s, force, part)] or found


def _spared(s: State, force: list[Part], hex: str, unit: Unit) -> tuple[str, str]:
    """Why a force does not attack a naval unit of a hex, and the rule; empty if it does."""
    name = s.facts.name
    for nation in sorted({part.unit.nation for part in force}):
        if not enemy(s, nation, unit.nation, hex):
            why = politics.may_attack(s, nation, unit.nation, hex)
            if why and not friends(s, nation, unit.nation):
                return why, cited(why)
            return f"{name(unit.nation)} is no Enemy of {name(nation)}.", "15.0a"
    if unit.type == "ss":
        return "Submarines are attacked in transit and by Counter-Attack only.", "15.21a"
    if unit.duty == "retreated":
        return f"Those in {name(hex)} have retreated in this phase.", "15.0d"
    if unit.type in _MOVERS and any(unit.origin in part.unit.met for part in force):
        return f"They have driven those in {name(hex)} from {name(unit.origin)}.", "15.12"
    if unit.type == "asw" and {part.unit.type for part in force} == {"ss"}:
        return "Submarines never attack ASW units.", "15.62"
    if unit.type == "ms" and waters.sheltered(s, unit.nation, [hex]):
        return (
            "Axis Merchant Ships in the Baltic or the Adriatic may not be attacked (19.83).",
            "19.83",
        )
    return "", ""


def _nothing(s: State, force: list[Part], hex: str) -> IllegalDecision:
    """Why there is nothing that a force can attack in a hex."""
    for unit in sorted(s.stack(hex)):
        if unit.type in FLEET or unit.type in CARRIERS:
            return refuse(*_spared(s, force, hex, unit))
    return refuse(f"There is no naval unit in {s.facts.name(hex)}.", "15.61")


def wronged(s: State, force: Iterable[Part], hex: str) -> list[tuple[str, str]]:
    """The nations of a force, each with one whose peace it breaks by its attack on a hex.

    Rules: 11.3c, 11.3d
    """
    force = list(force)
    attackers = {part.unit.nation for part in force}
    defenders = {part.unit.nation for part in targets(s, force, hex)}
    found = {(one, other) for one in attackers for other in defenders if not at_war(s, one, other)}
    for part in force:
        if part.unit.type == "surf_a" and part.hex != hex:
            whom = neutrals.shot_through(s, part.unit.nation, part.hex, hex)
            if whom:
                found.add((part.unit.nation, whom))
    return sorted(found)


def convoy(parts: Iterable[Part]) -> bool:
    """Whether Merchant Ships or Amphibious units are among the units of a hex.

    Rules: 12.51a, 12.43a
    """
    return any(part.unit.type in CARRIERS for part in parts)


def in_range(s: State, part: Part, hex: str, *, afar: bool) -> bool:
    """Whether a unit can attack a hex from where it is: an ASW unit inside its zone, others from an
    adjacent hex or the same, through all hexsides, and what is there from five hexes away by sea if
    it is a convoy (`afar`). Surf-B units have to enter the hex, or reach a convoy by sea.

    Rules: 15.0b, 15.32a, 15.41, 12.51a
    """
    if part.unit.type == "asw":
        return covers(s, part.hex, part.unit, hex)
    if s.facts.distance(part.hex, hex) <= 1 and not (afar and part.unit.type == "surf_b"):
        return True
    most = s.facts.numbers.merchant_range
    if not afar or hex not in s.facts.voyages(part.hex, most, frozenset()):
        return False
    shut = shut_canals(s, part.unit.nation) - {part.hex, hex}
    return not shut or hex in s.facts.voyages(part.hex, most, shut)


def can_close(s: State, part: Part, hex: str) -> bool:
    """Whether a Surface unit can enter the hex of the units that it attacks: ASW units there do
    not keep it out, land units do.

    Rules: 15.0f, 12.12b, 14.14, 15.44b
    """
    if part.unit.type not in SURFACE:
        return False
    if part.hex == hex:
        return True
    if hex not in s.facts.sea[part.hex] or not left(s, part.hex, part.unit):
        return False
    nation = part.unit.nation
    if passes(s, nation, part.hex, hex, fights=True):
        return False
    if waters.barred(s, nation, part.unit.type, hex, part.hex):
        return False
    return not any(unit.type in GROUND and at_war(s, nation, unit.nation) for unit in s.stack(hex))


def able(s: State, hex: str, unit: Unit, target: str) -> bool:
    """Whether a unit may make normal attacks, and has not attacked that hex in this phase. Escorts
    may not, nor inactive Americans.

    Rules: 15.12, 15.31, 15.33b, 19.37a
    """
    if not strong(unit) or target in unit.met or escorting(s, hex, unit):
        return False
    return not united_states.inactive(s, unit.nation, hex)


def muster(s: State, force: Force, target: str) -> list[Part]:
    """The units that a force names, those that can still move first; IllegalDecision if there are
    not so many that may attack."""
    found: list[Part] = []
    for hex, nation, type, number in force:
        if hex not in s.facts.hexes or number < 1:
            raise refuse("An attack names hexes of the map and numbers of units.", "15.0a")
        needed = number
        there = [
            (unit, count)
            for unit, count in s.stack(hex).items()
            if unit.nation == nation and unit.type == type
        ]
        for unit, count in sorted(there, key=lambda each: (-left(s, hex, each[0]), each[0])):
            if needed and able(s, hex, unit, target):
                taken = min(needed, count)
                found.append(Part(hex, unit, taken))
                needed -= taken
        if needed:
            raise _why_not(s, hex, nation, type, number, target, [unit for unit, _ in there])
    return found


def _why_not(
    s: State, hex: str, nation: str, type: str, number: int, target: str, there: list[Unit]
) -> Exception:
    name = s.facts.name
    for unit in there:
        if unit.type in CARRIERS:
            return refuse(f"{name(type)} units do not attack.", "15.31")
        if unit.depleted:
            return refuse(f"A Depleted {name(type)} unit does not attack.", "15.52b")
        if unit.supply:
            rule = "16.22" if unit.supply == "defense" else "16.12b"
            return refuse(f"The {name(type)} units in {name(hex)} lack Attack Supply.", rule)
        if unit.idle:
            return refuse("Unactivated units do not attack.", "18.10")
        if escorting(s, hex, unit):
            return refuse("Units that escort Merchant Ships do not attack.", "15.33b")
        if united_states.inactive(s, nation, hex):
            return refuse(united_states.INACTIVE, "19.37a")
        if target in unit.met:
            return refuse(f"They have attacked {name(target)} in this phase.", "15.12")
    return refuse(
        f"{name(nation)} has no {number} {name(type)} in {name(hex)} to attack with.", "15.0a"
    )


def check_engage(s: State, player: str, decision: Engage) -> None:
    """Raise IllegalDecision unless the units may attack the hex.

    Rules: 15.0a, 15.0b, 15.0j, 15.12, 15.14, 15.32a, 15.42, 15.44a, 15.61, 15.62
    """
    facts = s.facts
    target = decision.target
    if target not in facts.hexes:
        raise refuse(f"There is no hex {facts.name(target)}.", "15.0a")
    if not decision.force or any(number < 1 for *_, number in decision.force):
        raise refuse("An attack names its force, at least one unit of each kind.", "15.0a")
    mine = nations(s, player)
    for _, nation, _, _ in decision.force:
        if nation not in mine:
            raise refuse(
                f"{facts.name(player)} does not attack with units of {facts.name(nation)}.", "15.0a"
            )
    force = muster(s, merged(decision.force), target)
    defenders = targets(s, force, target)
    for nation in sorted({part.unit.nation for part in force}):
        why = waters.no_attack(s, nation, target)
        if why:
            raise refuse(why, cited(why))
    if not defenders:
        raise _nothing(s, force, target)
    types = frozenset(part.unit.type for part in defenders)
    if not facts.hexes[target].wet and any(part.unit.type != "asw" for part in force):
        raise refuse("Only ASW units attack those that are based on all-land hexes.", "15.44a")
    if types == {"asw"} and any(part.unit.type == "ss" for part in force):
        raise refuse("Submarines never attack ASW units.", "15.62")
    afar = convoy(defenders)
    for part in force:
        if not in_range(s, part, target, afar=afar):
            asw = part.unit.type == "asw"
            if asw and facts.distance(part.hex, target) <= radius(s, part.unit.nation):
                raise refuse(
                    f"Neutral countries keep the zone of ASW units in {facts.name(part.hex)} from "
                    f"{facts.name(target)}.",
                    "13.43",
                )
            raise refuse(
                f"{facts.name(target)} is too far from {facts.name(part.hex)} for "
                f"{facts.name(part.unit.type)} units.",
                "15.41" if asw else "15.32a" if afar else "15.0b",
            )
        why = waters.not_from_afar(s, part.unit.nation, part.unit.type, part.hex, target)
        if why:
            raise refuse(why, cited(why))
        if part.unit.type == "surf_a" and part.hex != target:
            whom = neutrals.shot_through(s, part.unit.nation, part.hex, target)
            why = politics.may_violate(s, part.unit.nation, whom) if whom else ""
            if why:
                raise refuse(why, cited(why))
        if part.unit.type == "surf_b" and not afar and not can_close(s, part, target):
            raise refuse(
                f"Surface-B units of {facts.name(part.hex)} cannot enter {facts.name(target)}.",
                "15.0b",
            )
    strength, defense = attack_of(s, force), defense_of(s, defenders)
    if strength < defense:
        raise refuse(
            f"An Attack Strength of {strength} cannot attack a Defense Strength of {defense}.",
            "15.0j",
        )


# --- what the players are asked -------------------------------------------------------------------


class Stand(Decision, frozen=True, tag="stand"):
    """Receive the attack."""


class FallBack(Decision, frozen=True, tag="fall_back"):
    """Retreat before combat to an adjacent hex: these units (nation and type, `depleted` ones
    apart, to number), or all that can go there if none is named."""

    to: str
    units: dict[str, int] = {}


class Decline(Decision, frozen=True, tag="decline"):
    """Decline combat without retreating (16.24)."""


class Respond(Request, frozen=True, tag="respond"):
    """Whether the units of a hex stand or retreat before combat."""

    space: str
    most: dict[str, int]
    """Units that may retreat."""
    hexes: tuple[str, ...]
    """Where to."""
    decline: bool = False

    answers: ClassVar[tuple[type[Decision], ...]] = (Stand, FallBack, Decline)

    def check(self, state: State, decision: Any) -> None:
        """Rules: 15.81a, 15.82, 16.24"""
        if isinstance(decision, Decline) and not self.decline:
            raise refuse(
                "Only Axis units in port or on escort decline combat, in the third phase.", "16.24"
            )
        if not isinstance(decision, FallBack):
            return
        if decision.to not in self.hexes:
            raise refuse(f"They cannot retreat to {state.facts.name(decision.to)}.", "15.82")
        able = self.leaving(state, decision.to)
        for name, number in decision.units.items():
            if not 1 <= number <= self.most.get(name, 0):
                raise refuse("There are not so many units that can retreat.", "15.81a")
            if name not in able:
                nation, type, *_ = name.split()
                raise refuse(
                    f"{state.facts.name(type)} units of {state.facts.name(nation)} cannot retreat "
                    f"to {state.facts.name(decision.to)}.",
                    "15.82",
                )

    def leaving(self, state: State, to: str) -> dict[str, int]:
        """Those of the units that can retreat to a hex.

        Rules: 15.82
        """
        return {
            name: number
            for name, number in self.most.items()
            for nation, type, *_ in [name.split()]
            if to in havens(state, nation, type, self.space)
        }

    def decisions(self, state: State) -> Iterator[Decision]:
        yield Stand()
        if self.decline:
            yield Decline()
        for hex in self.hexes:
            yield FallBack(hex)
            for name, number in sorted(self.leaving(state, hex).items()):
                if number < sum(self.most.values()):
                    yield FallBack(hex, {name: number})

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        if self.decline and rng.random() < 0.3:
            yield Decline()
        if self.hexes and rng.random() < 0.4:
            yield FallBack(rng.choice(self.hexes))
        yield Stand()


class Pursue(ChooseOne, frozen=True, tag="pursue"):
    """Units retreat before combat or decline it: make a Transit Attack on them (transit), attack
    those that stay to fight (attack), or neither (nothing)."""

    space: str
    options: tuple[str, ...]
    leaving: dict[str, dict[str, int]] = {}
    """Nation to type to number."""
    staying: dict[str, dict[str, int]] = {}
    to: str = ""
    """Where those retreat to; empty: they decline combat."""
    rule: ClassVar[str] = "15.81b"


class Support(Assign, frozen=True, tag="support"):
    """ASW units that add their Defense Strength to a hex: hex, nation and type to number."""

    space: str
    most: dict[str, int]
    rule: ClassVar[str] = "15.35b"

    def totals(self, state: Any) -> range:
        return range(sum(self.most.values()) + 1)


class CounterAttack(ChooseOne, frozen=True, tag="naval_counter_attack"):
    """Which of the attackers' hexes is Counter-Attacked; empty: none."""

    space: str
    options: tuple[str, ...]
    rule: ClassVar[str] = "15.72"


class CloseIn(ChooseOne, frozen=True, tag="close_in"):
    """The second segment: all Surface units enter the hex (all), only Surf-B units do (surf_b), the
    attack goes on from where the attackers are (stay), or it ends (stop)."""

    space: str
    options: tuple[str, ...]
    rule: ClassVar[str] = "15.0f"


class RetreatTo(ChooseOne, frozen=True, tag="naval_retreat"):
    """The hex to which the side retreats that has lost more."""

    space: str
    options: tuple[str, ...]
    rule: ClassVar[str] = "15.0i"


# --- the engagement -------------------------------------------------------------------------------


def begin(g: Table[State], decision: Engage) -> Procedure[None]:
    """Announce an attack and fight it. An attack on a nation that was at peace brings it into the
    war first.

    Rules: 15.0a, 15.81a
    """
    s = g.state
    named = merged(decision.force)
    for nation, other in wronged(s, muster(s, named, decision.target), decision.target):
        s.tell(News("violated", nation, other, decision.target))
    s.sea = SeaBattle(decision.target, named)
    yield from settle(g)
    if s.sea is not None:
        g.checkpoint(strict=True)
        yield from fight(g)


def fight(g: Table[State]) -> Procedure[None]:
    """Fight the engagement that was announced: the first segment by Surf-A and ASW units, then the
    second by all who can, unless the defender retreats. A convoy is attacked once, by all.

    Rules: 15.0c, 15.0d, 15.0e, 15.0f, 15.0g, 15.0h, 15.0i, 15.12
    """
    s = g.state
    assert s.sea is not None
    target = s.sea.target
    force = [
        Part(
            hex,
            s.change(hex, unit, count, met=tuple(sorted({*unit.met, target}))),
            count,
        )
        for hex, unit, count in muster(s, s.sea.force, target)
    ]
    defenders = _defenders(s, force)
    if defenders:
        g.emit(
            "engagement",
            power=force[0].unit.nation,
            against=defenders[0].unit.nation,
            space=target,
            attackers=forces(force),
            defenders=forces(defenders),
        )
        if convoy(defenders):
            _step(s, "second")
            yield from _segment(g, force, closers=[])
        else:
            yield from _two_segments(g, force)
    s.sea = None


def _two_segments(g: Table[State], force: list[Part]) -> Procedure[None]:
    s = g.state
    assert s.sea is not None
    target = s.sea.target
    ranged = [part for part in force if part.unit.type in SWEEPERS]
    fought = False
    if ranged and attack_of(s, ranged) >= defense_of(s, _defenders(s, force)):
        _step(s, "first")
        others = [part for part in force if part.unit.type not in SWEEPERS]
        ranged, goes_on = yield from _segment(g, ranged, closers=[])
        force = [*ranged, *others]
        fought = True
        if not goes_on or not force or not _defenders(s, force):
            return
    options = _ways_on(s, force, target, fought)
    if not options or not force:
        return
    if fought:
        options = [*options, "stop"]
    how = options[0]
    if len(options) > 1:
        how = (yield from g.ask(CloseIn(spokesman(s, force), target, tuple(options)))).option
    if how == "stop":
        return
    _step(s, "second")
    force, goes_on = yield from _segment(g, force, closers=_closers(s, force, target, how))
    if goes_on:
        yield from _give_way(g, force)


_CLOSING = {"surf_b": frozenset({"surf_b"}), "all": SURFACE}
"""How Surface units close in, and which of them do."""


def _closers(s: State, force: list[Part], target: str, how: str) -> list[Part]:
    """Those of a force who enter the defender's hex."""
    kinds = _CLOSING.get(how, frozenset())
    return [part for part in force if part.unit.type in kinds and can_close(s, part, target)]


def _ways_on(s: State, force: list[Part], target: str, fought: bool) -> list[str]:
    """How the second segment can be fought, with as much strength as is met. Submarines attack from
    where they are if nobody can close in, and so do all who need not, with them, if they were too
    weak for the first segment without them.

    Rules: 15.0b, 15.0c, 15.0f, 15.0g, 15.0j, 15.14
    """
    closing = {part.unit.type for part in force if can_close(s, part, target)}
    ways = []
    if "surf_b" in closing:
        ways.append("surf_b")
    if "surf_a" in closing:
        ways.append("all")
    if not (closing and fought) and any(part.unit.type == "ss" for part in force):
        ways.append("stay")
    defense = defense_of(s, _defenders(s, force))
    found = []
    for how in ways:
        closers = _closers(s, force, target, how)
        able = [
            part
            for part in force
            if not part.unit.depleted and (part.unit.type != "surf_b" or part in closers)
        ]
        if attack_of(s, able) >= defense:
            found.append(how)
    return found


def _step(s: State, step: str) -> None:
    assert s.sea is not None
    s.sea = msgspec.structs.replace(s.sea, step=step)


def _note(s: State, attackers: int = 0, defenders: int = 0) -> None:
    """Count what the sides have lost."""
    assert s.sea is not None
    one, other = s.sea.lost
    s.sea = msgspec.structs.replace(s.sea, lost=(one + attackers, other + defenders))


def _at_war(s: State, force: list[Part], part: Part) -> bool:
    nations = {each.unit.nation for each in force}
    return all(at_war(s, nation, part.unit.nation) for nation in nations)


def _defenders(s: State, force: list[Part]) -> list[Part]:
    assert s.sea is not None
    return [part for part in targets(s, force, s.sea.target) if _at_war(s, force, part)]


def _segment(
    g: Table[State], force: list[Part], closers: list[Part]
) -> Procedure[tuple[list[Part], bool]]:
    """A segment: the defender stands or retreats, the closers enter his hex under Transit Attacks,
    the attack is resolved, and the defender may Counter-Attack. Those who have closed in for an
    attack that is too weak retreat. The attackers that are left, and whether the engagement can go
    on.

    Rules: 15.0e, 15.0f, 15.0g, 15.0h, 15.0i, 15.13, 15.45
    """
    s = g.state
    assert s.sea is not None
    target = s.sea.target
    goes_on = yield from _respond(g, force)
    if not goes_on:
        return force, False
    if closers:
        force = yield from _close(g, force, closers)
    defenders = _defenders(s, force) if force else []
    if not defenders:
        return force, bool(force)
    acting = [part for part in force if _acts(s, part, defenders, target)]
    support = yield from _support(g, target, acting, defenders)
    depletes = not any(part.unit.type == "ms" for part in defenders)
    before = [*defenders, *support]
    outcome: Outcome = yield from attack(
        g, "naval_attack", acting, defenders, support, space=target, depletes=depletes
    )
    if not outcome.fought:
        g.emit("called_off", power=force[0].unit.nation, space=target)
        if closers:
            yield from _withdraw(g, _closed_in(force, target))
        return force, not closers
    _note(s, defenders=outcome.lost)
    idle = [part for part in force if part not in acting]
    acting, lost = yield from _counter(g, outcome, before, support)
    _note(s, attackers=lost)
    return [*acting, *idle], True


def _acts(s: State, part: Part, defenders: list[Part], target: str) -> bool:
    """Whether a unit of the force takes part in the attack of this segment."""
    if part.unit.depleted:
        return False
    if convoy(defenders):
        return in_range(s, part, target, afar=True)
    if part.unit.type == "surf_b":
        return part.hex == target
    return in_range(s, part, target, afar=False)


# --- retreat before combat ------------------------------------------------------------------------


def _respond(g: Table[State], force: list[Part]) -> Procedure[bool]:
    """The defender stands, or retreats some or all of his units one hex; then the attacker chooses
    between a Transit Attack on those, by his Surf-A and ASW units whose zone the hex is in, and an
    attack on those that stay. Whether there is an attack.

    Rules: 15.0c, 15.0d, 15.52b, 15.81a, 15.81b, 15.82, 16.24, 19.36
    """
    s = g.state
    assert s.sea is not None
    target = s.sea.target
    defenders = _defenders(s, force)
    if not defenders:
        return False
    movers = [part for part in defenders if _may_retreat(s, part) and _haven(s, part)]
    hexes = _all_havens(s, movers, target)
    decliners = _decliners(s, target, defenders)
    if not hexes and not decliners:
        return True
    most: dict[str, int] = {}
    for part in movers:
        most[_name(part)] = most.get(_name(part), 0) + part.count
    answer = yield from g.ask(
        Respond(spokesman(s, defenders), target, most, hexes, bool(decliners))
    )
    if isinstance(answer, Stand):
        return True
    leaving = decliners
    if isinstance(answer, FallBack):
        leaving = _named([part for part in movers if answer.to in _haven(s, part)], answer.units)
    staying = _less(defenders, leaving)
    sweepers = [
        part
        for part in force
        if part.unit.type in SWEEPERS
        and strong(part.unit)
        and covers(s, part.hex, part.unit, target)
    ]
    options = []
    if sweepers and attack_of(s, sweepers) >= defense_of(s, leaving, transit=True):
        options.append("transit")
    if staying:
        options.append("attack")
    to = answer.to if isinstance(answer, FallBack) else ""
    choice = "nothing"
    if options:
        asked = Pursue(
            spokesman(s, force),
            target,
            (*options, "nothing"),
            forces(leaving),
            forces(staying),
            to,
        )
        choice = (yield from g.ask(asked)).option
    if choice == "transit":
        outcome = yield from attack(g, "transit_attack", sweepers, leaving, space=target)
        leaving = outcome.defenders
        _note(s, defenders=outcome.lost)
    _move(g, leaving, to or target, duty="retreated")
    return choice == "attack"


def _name(part: Part) -> str:
    return key(part).split(" ", 1)[1]


def _may_retreat(s: State, part: Part) -> bool:
    """Whether a defending unit may retreat before combat: ASW units and Merchant Ships never do,
    nor US ships in the Game-Turn in which the Axis first attacks them.

    Rules: 15.81a, 19.36
    """
    unit = part.unit
    if unit.type not in _MOVERS or (unit.nation == "usa" and united_states.surprised(s)):
        return False
    return not unit.idle


_MOVERS = SURFACE | {"amph"}
"""Ships that are attacked and can retreat."""


def _decliners(s: State, hex: str, defenders: list[Part]) -> list[Part]:
    """The units of a hex that may decline combat: Axis ships in port or on escort, in the third
    Allied phase.

    Rules: 16.24
    """
    if phase_side(s.phase) != "allies" or number_of(s) != 3:
        return []
    return [
        part
        for part in defenders
        if part.unit.type in _MOVERS
        and (ports.friendly(s, part.unit.nation, hex) or escorting(s, hex, part.unit))
    ]


def havens(s: State, nation: str, type: str, hex: str) -> tuple[str, ...]:
    """The adjacent hexes to which ships of a nation and type can retreat: without Enemy Surface or
    ASW units, and such as they may enter.

    Rules: 15.82
    """
    return tuple(
        near
        for near in s.facts.sea[hex]
        if not any(
            unit.type in SERIOUS and at_war(s, nation, unit.nation) for unit in s.stack(near)
        )
        and not waters.closed(s, nation, type, near, hex)[0]
        and not passes(s, nation, hex, near)
    )


def _haven(s: State, part: Part) -> tuple[str, ...]:
    return havens(s, part.unit.nation, part.unit.type, part.hex)


def _all_havens(s: State, parts: list[Part], hex: str) -> tuple[str, ...]:
    """The adjacent hexes to which any of these units can retreat."""
    found = {near for part in parts for near in _haven(s, part)}
    return tuple(near for near in s.facts.sea[hex] if near in found)


def _named(movers: list[Part], units: dict[str, int]) -> list[Part]:
    if not units:
        return movers
    wanted = dict(units)
    found = []
    for part in movers:
        taken = min(part.count, wanted.get(_name(part), 0))
        if taken:
            wanted[_name(part)] -= taken
            found.append(part._replace(count=taken))
    return found


def _less(parts: list[Part], gone: list[Part]) -> list[Part]:
    """Parts without others that are of them. Several may be alike: they have come from different
    hexes."""
    numbers = tally(((part.hex, part.unit), part.count) for part in gone)
    found = []
    for part in parts:
        taken = min(part.count, numbers[part.hex, part.unit])
        numbers[part.hex, part.unit] -= taken
        if taken < part.count:
            found.append(part._replace(count=part.count - taken))
    return found


def _move(g: Table[State], parts: list[Part], to: str, **fields: Any) -> list[Part]:
    """Units go to another hex, and are marked with something."""
    s = g.state
    found = []
    for hex, unit, count in parts:
        s.take(hex, unit, count)
        changed = unit._replace(**fields)
        s.put(to, changed, count)
        found.append(Part(to, changed, count))
    if parts and parts[0].hex != to:
        _follow(s, parts, to)
        g.emit(
            "naval_retreat",
            power=parts[0].unit.nation,
            space=to,
            path=(parts[0].hex, to),
            units=_numbers(parts),
        )
    return found


def _numbers(parts: list[Part]) -> dict[str, int]:
    found: dict[str, int] = {}
    for _, unit, count in parts:
        found[unit.type] = found.get(unit.type, 0) + count
    return found


def _follow(s: State, parts: list[Part], to: str) -> None:
    """Whoever has met these units in this phase has met them where they are now, too.

    Rules: 13.15b
    """
    for before, after in {key(part): key(part._replace(hex=to)) for part in parts}.items():
        for at, unit, count in list(s.units()):
            if before in unit.shot and after not in unit.shot:
                s.change(at, unit, count, shot=tuple(sorted({*unit.shot, after})))


# --- closing in, support, Counter-Attack, the end -------------------------------------------------


def _close(g: Table[State], force: list[Part], closers: list[Part]) -> Procedure[list[Part]]:
    """The closers enter the defender's hex; those who leave a hex in his zone may be attacked.

    Rules: 15.0f, 15.0h
    """
    s = g.state
    assert s.sea is not None
    target = s.sea.target
    rest = _less(force, closers)
    arrived = [part for part in closers if part.hex == target]
    standing: Standing = {}
    for hex in sorted({part.hex for part in closers} - {target}):
        for nation in sorted({part.unit.nation for part in closers if part.hex == hex}):
            group = [
                (unit, count) for at, unit, count in closers if at == hex and unit.nation == nation
            ]
            group, lost = yield from leave(g, hex, group, standing)
            _note(s, attackers=lost)
            for unit, count in group:
                s.take(hex, unit, count)
                moved = unit._replace(left=left(s, hex, unit) - 1)
                s.put(target, moved, count)
                arrived.append(Part(target, moved, count))
    return [*arrived, *rest]


def _support(
    g: Table[State], target: str, force: list[Part], defenders: list[Part]
) -> Procedure[list[Part]]:
    """ASW units of the defender that add their strength to the hex from their bases: to Merchant
    Ships, or to naval units that Surface units attack. Each does so for one hex in a phase, while
    it has its zone; those that are stacked with Merchant Ships for these, unasked and always. All
    are at war with the attackers.

    Rules: 15.33a, 15.35a, 15.35b, 15.45, 12.31a, 15.0a
    """
    s = g.state
    merchant = any(part.unit.type == "ms" for part in defenders)
    found = supporters(s, target, force, defenders)
    wanted: dict[str, int] = {}
    most: dict[str, int] = {}
    for part in found:
        numbers = wanted if part.hex == target and merchant else most
        numbers[key(part)] = numbers.get(key(part), 0) + part.count
    if most:
        wanted |= (yield from g.ask(Support(spokesman(s, found), target, most))).numbers
    chosen = []
    for part in found:
        taken = min(part.count, wanted.get(key(part), 0))
        if taken:
            wanted[key(part)] -= taken
            unit = s.change(part.hex, part.unit, taken, duty="support", origin=target)
            chosen.append(Part(part.hex, unit, taken))
    return chosen


def supporters(s: State, target: str, force: list[Part], defenders: list[Part]) -> list[Part]:
    """ASW units that can add their strength to a hex that a force attacks."""
    merchant = any(part.unit.type == "ms" for part in defenders)
    if not merchant and not any(part.unit.type in SURFACE for part in force):
        return []
    return [
        Part(hex, unit, count)
        for hex, unit, count in _asw_near(s, defenders, force)
        if ((merchant and hex == target) or not (unit.depleted or unit.supply))
        and (unit.duty != "support" or unit.origin == target)
        and (hex == target or not escorting(s, hex, unit))
        and covers(s, hex, unit, target)
        and not any(part.hex == hex and part.unit == unit for part in defenders)
    ]


def cover(s: State, stack: list[Part], hex: str, against: list[Part]) -> list[Part]:
    """ASW units of the owners of ships in a hex, and of their friends, that defend it with them
    against Surface-B units.

    Rules: 15.73
    """
    return [
        Part(at, unit, count)
        for at, unit, count in _asw_near(s, stack, against)
        if at == hex or (not unit.depleted and not unit.supply and covers(s, at, unit, hex))
    ]


def _asw_near(s: State, defenders: list[Part], attackers: list[Part]) -> list[Part]:
    """ASW units of the defenders and their friends that are at war with all attackers."""
    whose = {part.unit.nation for part in defenders}
    against = {part.unit.nation for part in attackers}
    known = relations(s)
    return [
        Part(hex, unit, count)
        for nation in sorted(s.presence)
        if not whose.isdisjoint(known.friends[nation]) and against <= known.enemies[nation]
        for hex, unit, count in fleet(s, nation).units
        if unit.type == "asw"
    ]


def _counter(
    g: Table[State], outcome: Outcome, before: list[Part], support: list[Part]
) -> Procedure[tuple[list[Part], int]]:
    """The defender may Counter-Attack one of the attackers' hexes, with all that is left to him and
    can; in column +0 if he has no superiority, or nobody (then a hex that those who were lost could
    reach). The attackers that are left, and how many fleets they have lost.

    Rules: 15.13, 15.72, 15.73, 15.75, 15.76, 15.77, 15.62
    """
    s = g.state
    assert s.sea is not None
    target = s.sea.target
    attackers = outcome.attackers
    if not attackers or not any(strong(part.unit) for part in before):
        return attackers, 0
    escorts = any(part.unit.type == "ms" for part in before)
    survivors = [
        Part(part.hex, unit, min(part.count, count))
        for part in [*outcome.defenders, *support]
        for unit, count in s.stack(part.hex).items()
        if unit == part.unit and strong(unit)
    ]
    fighters = survivors or [part for part in before if strong(part.unit)]
    options = [
        hex
        for hex in sorted({part.hex for part in attackers})
        if _counters(s, fighters, hex, escorts)
    ]
    if not options:
        return attackers, 0
    player = spokesman(s, before)
    hex = (yield from g.ask(CounterAttack(player, target, ("", *options)))).option
    if not hex:
        return attackers, 0
    force = _counters(s, survivors, hex, escorts)
    stack = [part for part in attackers if part.hex == hex]
    types = {part.unit.type for part in force}
    helping: list[Part] = []
    if "surf_b" in types:
        based = [part for part in stack if part.unit.type == "asw"]
        ships = [part for part in stack if part.unit.type != "asw"]
        if ships:
            helping = cover(s, stack, hex, force)
            stack = ships
        elif based:
            stack = based
    if not force:
        force = [fighters[0]._replace(count=0)]
    rest = [part for part in attackers if part.hex != hex]
    result = yield from attack(
        g, "naval_counter_attack", force, stack, helping, space=hex, grace=True, depletes=True
    )
    kept = _present(s, [part for part in attackers if part.unit.type == "asw"])
    left_over = [part for part in result.defenders if part.unit.type != "asw"]
    others = [part for part in rest if part.unit.type != "asw"]
    return [*left_over, *others, *kept], result.lost


def _counters(s: State, survivors: list[Part], hex: str, escorts: bool) -> list[Part]:
    """Those of the survivors who can Counter-Attack a hex: escorts at any distance, others from an
    adjacent hex or the same, ASW units inside their zone.

    Rules: 15.75, 15.41
    """
    if not s.facts.hexes[hex].wet:
        survivors = [part for part in survivors if part.unit.type == "asw"]
    if escorts:
        return survivors
    return [part for part in survivors if in_range(s, part, hex, afar=False)]


def _present(s: State, parts: list[Part]) -> list[Part]:
    """What of these units is still there as it was."""
    return [
        part._replace(count=min(part.count, s.stack(part.hex)[part.unit]))
        for part in parts
        if part.unit in s.stack(part.hex)
    ]


def _give_way(g: Table[State], force: list[Part]) -> Procedure[None]:
    """After the second segment the side that has lost more retreats one hex, with equal losses the
    defender; submarines, Merchant Ships and ASW units stay. Attackers do not stay with ASW units,
    nor with ships that had retreated there before and were not attacked. Who cannot retreat is
    lost.

    Rules: 15.0i, 15.82, 15.44b, 12.62
    """
    s = g.state
    assert s.sea is not None
    target = s.sea.target
    closed_in = _closed_in(force, target)
    if not closed_in:
        return
    there = _defenders(s, force)
    defenders = [part for part in there if part.unit.type in _MOVERS]
    beaten = s.sea.lost[0] > s.sea.lost[1]
    attacked = {part.unit for part in there}
    refuge = any(
        unit.type in SURFACE
        and unit not in attacked
        and any(at_war(s, part.unit.nation, unit.nation) for part in closed_in)
        for unit in s.stack(target)
    )
    if (defenders and beaten) or refuge or any(part.unit.type == "asw" for part in there):
        yield from _withdraw(g, closed_in)
    if defenders and not beaten:
        yield from _withdraw(g, defenders, pursued=True)


def _closed_in(force: list[Part], target: str) -> list[Part]:
    return [part for part in force if part.hex == target and part.unit.type in SURFACE]


def _withdraw(g: Table[State], parts: list[Part], *, pursued: bool = False) -> Procedure[None]:
    """Units retreat from the hex of the engagement, together as far as they can go to the same hex;
    of defenders (`pursued`) it is noted, as those who have met them there do not attack them again.
    Who can go nowhere is lost.

    Rules: 15.12, 15.82
    """
    s = g.state
    assert s.sea is not None
    target = s.sea.target
    lost = [part for part in parts if not _haven(s, part)]
    for hex, unit, count in lost:
        s.destroy(hex, unit, count)
    if lost:
        g.emit("no_retreat", power=lost[0].unit.nation, space=target, losses=forces(lost))
    parts = _less(parts, lost)
    while parts:
        hexes = _all_havens(s, parts, target)
        to = hexes[0]
        if len(hexes) > 1:
            to = (yield from g.ask(RetreatTo(spokesman(s, parts), target, hexes))).option
        going = [part for part in parts if to in _haven(s, part)]
        parts = _less(parts, going)
        _move(g, going, to, **({"origin": target} if pursued else {}))


# --- ships that carry land units ------------------------------------------------------------------


class HoldingArea(ChooseOne, frozen=True, tag="holding_area"):
    """Which of the Holding Areas that are equally near is attacked."""

    options: tuple[str, ...]
    rule: ClassVar[str] = "15.32b"


def transit(
    g: Table[State], nation: str, path: tuple[str, ...], number: int, areas: tuple[str, ...] = ()
) -> Procedure[dict[str, int]]:
    """Land Strength Points of a nation go by sea along a path, each in a ship: in a Land Movement
    Phase Amphibious units that are in its first hex, else Merchant Ships of a pipeline (`areas`:
    its Holding Areas). Each time they leave a hex in an Enemy naval Zone of Control the Enemy may
    attack them. How many ships were sunk, by their hexes: they are gone, and what they carried has
    to go.

    Rules: 12.42a, 12.42b, 12.52, 13.0c, 15.32b, 19.83
    """
    s = g.state
    type = "ms" if areas else "amph"
    sunk: dict[str, int] = {}
    if areas and waters.sheltered(s, nation, path):
        return sunk
    standing: Standing = {}
    shot: set[str] = set()
    for hex in path[:-1]:
        enemies = [part for part in strikers(s, nation, hex, type) if key(part) not in shot]
        afloat = number - sum(sunk.values())
        if not enemies or not afloat:
            continue
        carriers = yield from _carriers(g, nation, areas or path[:1], afloat, type, enemies)
        target = [(unit, count) for _, unit, count in carriers]
        if not target:
            continue
        enemies = [part for part in enemies if _at_war(s, carriers, part)]
        force = yield from choose_strikers(g, hex, enemies, target, standing)
        if not force:
            continue
        shot |= {*map(key, force)}
        at = carriers[0].hex
        support = (yield from _support(g, at, force, carriers)) if type == "ms" else []
        outcome = yield from attack(
            g, "transit_attack", force, carriers, support, space=hex, depletes=False
        )
        before = sum(part.count for part in carriers if part.unit.type == type)
        after = sum(part.count for part in outcome.defenders if part.unit.type == type)
        sunk[at] = sunk.get(at, 0) + before - after
    return sunk


def _carriers(
    g: Table[State],
    nation: str,
    areas: tuple[str, ...],
    number: int,
    type: str,
    enemies: list[Part],
) -> Procedure[list[Part]]:
    """The ships that are attacked: those of the Holding Area of the pipeline that is nearest to the
    attackers (of several that are equally near, as they choose), with their escorts; Amphibious
    units where they set out. Ships at peace with the attackers are left alone.

    Rules: 15.32b, 15.34, 12.42a, 15.0a
    """
    s = g.state

    def afloat(hex: str, foe: str) -> list[tuple[Unit, int]]:
        return [
            (unit, count)
            for unit, count in s.stack(hex).items()
            if unit.type == type and friends(s, nation, unit.nation) and at_war(s, foe, unit.nation)
        ]

    able = [part for part in enemies if any(afloat(hex, part.unit.nation) for hex in areas)]
    if not able:
        return []
    strongest = max(able, key=lambda part: (attack_of(s, [part]), part.hex))
    first, foe = strongest.hex, strongest.unit.nation
    areas = tuple(hex for hex in areas if afloat(hex, foe))
    nearest = min(s.facts.distance(first, area) for area in areas)
    equal = tuple(area for area in areas if s.facts.distance(first, area) == nearest)
    hex = equal[0]
    if len(equal) > 1:
        hex = (yield from g.ask(HoldingArea(spokesman(s, able), equal))).option
    found: list[Part] = []
    for unit, count in sorted(afloat(hex, foe), key=lambda each: (not each[0].duty, each)):
        if number:
            found.append(Part(hex, unit, min(count, number)))
            number -= min(count, number)
    for unit, count in sorted(s.stack(hex).items()) if type == "ms" else ():
        if (
            unit.type in SURFACE
            and escorting(s, hex, unit)
            and friends(s, nation, unit.nation)
            and at_war(s, foe, unit.nation)
        ):
            found.append(Part(hex, unit, count))
    return found
