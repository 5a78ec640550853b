"""Sea area combat (4.4)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from sandtable.games.blitz.model import Combat, State
from sandtable.games.blitz.rules.bases import send_home
from sandtable.games.blitz.rules.blitz import blitz_of, in_blitz, takes_part
from sandtable.games.blitz.rules.combat import fight
from sandtable.games.blitz.rules.factors import naval_factors
from sandtable.games.blitz.rules.movement import air_range, air_reach
from sandtable.games.blitz.rules.rounds import IDLE, convoy_owner, flies
from sandtable.games.blitz.rules.sides import (
    OTHER,
    acting_side,
    enemies,
    fights,
    is_neutral,
    out_of_game,
    powers_of,
)
from sandtable.games.blitz.rules.supply import in_supply
from sandtable.games.blitz.words import names
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.kits import ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class FightAt(Decision, frozen=True, tag="fight_at"):
    """Resolve the combat of this sea area next."""

    sea: str


class Engage(Decision, frozen=True, tag="engage"):
    """Have a combat with the units that came by a Free Blitz."""


class FlyIn(Decision, frozen=True, tag="fly_in"):
    """Fly air units to a sea area, to join the combat there."""

    units: tuple[str, ...]


class Evade(Decision, frozen=True, tag="evade"):
    """Return submarines to base before the combat."""

    units: tuple[str, ...]


class ChooseSea(ChooseOne, frozen=True, tag="choose_sea"):
    """Which sea area has its combat next."""

    seas: tuple[str, ...]

    answers: ClassVar[tuple[type[Decision], ...]] = (FightAt,)
    among: ClassVar[str] = "seas"
    rule: ClassVar[str] = "4.4a"
    refusal: ClassVar[str] = "No combat is due in {asked}."


class CallCombat(Request, frozen=True, tag="call_combat"):
    """Whether to have a combat where the enemy entered by a Free Blitz; or pass."""

    sea: str

    answers: ClassVar[tuple[type[Decision], ...]] = (Engage,)

    def decisions(self, state: State) -> Iterator[Decision]:
        yield Engage()


class _Some(Request, frozen=True):
    """Some of these units act before the combat in a sea area; or pass."""

    sea: str
    units: tuple[str, ...]

    rule: ClassVar[str]

    def check(self, state: State, decision: FlyIn | Evade) -> None:
        chosen = decision.units
        if not chosen:
            raise IllegalDecision("Name the units, or pass.", self.rule)
        if len(set(chosen)) < len(chosen):
            raise IllegalDecision("Name each unit once.", self.rule)
        for id in chosen:
            if id not in self.units:
                raise IllegalDecision(
                    f"One of these may be named: {names(state.facts, self.units)}.", self.rule
                )

    def decisions(self, state: State) -> Iterator[Decision]:
        """Single units, and all of them."""
        (answer,) = self.answers
        for id in self.units:
            yield answer((id,))
        if len(self.units) > 1:
            yield answer(self.units)

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        (answer,) = self.answers
        yield answer(tuple(rng.sample(self.units, rng.randint(1, len(self.units)))))


class JoinSeaCombat(_Some, frozen=True, tag="join_sea_combat"):
    """Which land-based air units fly to the sea area before its combat; or pass."""

    answers: ClassVar[tuple[type[Decision], ...]] = (FlyIn,)
    rule: ClassVar[str] = "4.4b"


class AvoidSeaCombat(_Some, frozen=True, tag="avoid_sea_combat"):
    """Which submarines return to base before the combat; or pass."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Evade,)
    rule: ClassVar[str] = "4.4c"


class Forces(NamedTuple):
    """Who takes part in the combat of a sea area."""

    attackers: tuple[str, ...]
    """Those of the acting side."""
    defenders: tuple[str, ...]
    convoy: str = ""
    """The power whose convoy takes part."""


# --- who fights where -----------------------------------------------------------------------------


def _present(s: State, sea: str, side: str) -> list[str]:
    """A side's air and naval units in a sea area, without those of neutral powers."""
    units, domains, sides = s.units, s.facts.domain, s.facts.side
    return [
        id
        for id in s.at.get(sea, ())
        if domains[id] != "land"
        and not (unit := units[id]).aboard
        and sides[unit.power] == side
        and not is_neutral(s, unit.power)
    ]


def _convoy(s: State, sea: str, side: str) -> str:
    """The power of a side whose convoy stands in a sea area, unless it is neutral."""
    owner = convoy_owner(s, sea)
    return owner if owner and s.facts.side[owner] == side and not is_neutral(s, owner) else ""


def forces(s: State, sea: str) -> Forces:
    """Those at war with an enemy unit or convoy in a sea area.

    Rules: 4.4d, 2.2e, C.4a, E.3a
    """
    side = acting_side(s)
    own, others = _present(s, sea, side), _present(s, sea, OTHER[side])
    own_convoy, their_convoy = _convoy(s, sea, side), _convoy(s, sea, OTHER[side])

    convoy = ""
    if any(fights(s, id, their_convoy) for id in own):
        convoy = their_convoy
    elif any(fights(s, id, own_convoy) for id in others):
        convoy = own_convoy
    return Forces(
        _at_war(s, own, others, their_convoy),
        _at_war(s, others, own, own_convoy),
        convoy,
    )


def _at_war(s: State, units: list[str], enemy: list[str], convoy: str) -> tuple[str, ...]:
    """Those of a side's units that are at war with an enemy unit, or with who has the convoy."""
    if not units:
        return ()
    powers = {s.units[id].power for id in enemy}
    if convoy:
        powers.add(convoy)
    homes = {s.facts.kinds[id].home for id in enemy} if s.minor_wars else set()
    return tuple(
        [
            id
            for id in units
            if any([fights(s, id, power) for power in powers])
            or any([(home, s.units[id].power) in s.minor_wars for home in homes])
        ]
    )


def _sides(s: State, who: Forces) -> tuple[bool, bool]:
    """Whether the acting side and the other one have anything in the combat."""
    acting = bool(who.convoy) and s.facts.side[who.convoy] == acting_side(s)
    return bool(who.attackers) or acting, bool(who.defenders) or (bool(who.convoy) and not acting)


def _air_round_due(s: State, who: Forces) -> bool:
    """Whether both sides have an air unit or CV.

    Rules: 4.4e
    """
    return any(flies(s, id) for id in who.attackers) and any(flies(s, id) for id in who.defenders)


def _naval_round_due(s: State, who: Forces) -> bool:
    """Whether a side has Naval Factors, and the other a ship or a convoy.

    Rules: 4.4f, C.4c
    """
    acting = bool(who.convoy) and s.facts.side[who.convoy] == acting_side(s)

    def armed(units: tuple[str, ...]) -> bool:
        return any(s.type(id) not in IDLE and naval_factors(s, id) > 0 for id in units)

    def afloat(units: tuple[str, ...]) -> bool:
        return any(s.domain(id) == "naval" for id in units)

    return (
        armed(who.attackers) and (afloat(who.defenders) or (bool(who.convoy) and not acting))
    ) or (armed(who.defenders) and (afloat(who.attackers) or acting))


def flyers(s: State, sea: str) -> dict[str, list[str]]:
    """The air units that each power of the side that does not act may fly to a sea area.

    Rules: 4.4b, C.4b, 1.7g
    """
    side = acting_side(s)
    enemy, convoy = _present(s, sea, side), _convoy(s, sea, side)
    found: dict[str, list[str]] = {}
    for power in powers_of(s, OTHER[side]):
        if is_neutral(s, power):
            continue
        for id, unit in s.of(power):
            if (
                s.facts.kinds[id].bombing == "naval"
                and s.type(id) == "AIR"
                and unit.at in s.facts.lands
                and sea in air_reach(s, unit.at, air_range(s, id))
                and (any(enemies(s, id, e) for e in enemy) or (convoy and fights(s, id, convoy)))
                and in_supply(s, id)
            ):
                found.setdefault(power, []).append(id)
    return {power: sorted(units) for power, units in found.items()}


def _compulsory(s: State, who: Forces) -> bool:
    """Whether the acting side's units cause the combat.

    Rules: 2.2e, 2.2f, 4.4a
    """
    if not in_blitz(s):
        return True
    return any(takes_part(s, s.units[id].power, "C") for id in who.attackers)


def _by_free_blitz(s: State, who: Forces) -> bool:
    """Whether units came to the sea area by a Free Blitz.

    Rules: 2.2.free-c
    """
    return any(
        "sailed" in s.units[id].done and blitz_of(s, s.units[id].power) == "free"
        for id in who.attackers
    )


def combats(s: State) -> list[str]:
    """The sea areas that have, or may have, a combat yet in this step, sorted.

    Left out are those where neither a Round nor a reinforcement is possible.

    Rules: 4.4a, C.4a, 2.2f, 2.2.free-c
    """
    found = []
    for sea in sorted(area for area in s.at if area in s.facts.seas and area not in s.fought):
        sides = {s.facts.side.get(s.units[id].power) for id in s.at[sea]}
        if len(sides) < 2 and sea not in s.facts.convoys:
            continue
        who = forces(s, sea)
        if not all(_sides(s, who)) or not (_compulsory(s, who) or _by_free_blitz(s, who)):
            continue
        if _air_round_due(s, who) or _naval_round_due(s, who) or flyers(s, sea):
            found.append(sea)
    return found


# --- step C ---------------------------------------------------------------------------------------


def sea_area_combat(g: Table[State]) -> Procedure[None]:
    """Step C: the acting side chooses one sea area after the other, and fights there.

    Rules: 4.4a, C.4a
    """
    s = g.state
    while True:
        if s.combat is not None:
            sea = s.combat.at
        elif seas := combats(s):
            g.checkpoint(strict=True)
            sea = seas[0]
            if len(seas) > 1:
                g.checkpoint()
                answer: FightAt = yield from g.ask(ChooseSea(_chooser(s, seas), tuple(seas)))
                sea = answer.sea
            yield from _begin(g, sea)
        else:
            return
        yield from fight(g)
        s.fought |= {sea}


def _chooser(s: State, seas: list[str]) -> str:
    """The first power of the acting side that has something in one of the sea areas.

    Of a power that is out of the game there are convoys at most.
    """
    there = set()
    for sea in seas:
        who = forces(s, sea)
        there |= {s.units[id].power for id in who.attackers} | {who.convoy}
    powers = [power for power in powers_of(s, acting_side(s)) if power in there]
    return next((power for power in powers if not out_of_game(s, power)), powers[0])


def _begin(g: Table[State], sea: str) -> Procedure[None]:
    """Begin the combat of a sea area, with the other side's reactions, if it comes to one.

    Rules: 4.4b, 4.4c, 4.4d, 4.4e, 4.4f, C.4b, C.4c
    """
    s = g.state
    who = forces(s, sea)
    if not _compulsory(s, who) and not (yield from _called(g, sea, who)):
        return
    yield from _fly_in(g, sea)
    yield from _evade(g, sea)
    who = forces(s, sea)
    due = {"air": _air_round_due(s, who), "naval": _naval_round_due(s, who)}
    if not any(due.values()):
        return
    s.combat = Combat(
        "sea",
        sea,
        s.sized(who.attackers),
        s.sized(who.defenders),
        (*(round_ for round_, is_due in due.items() if is_due), "sunk"),
        who.defenders,
        convoy=who.convoy,
    )
    g.emit(
        "sea_combat",
        space=sea,
        attackers=s.by_power(who.attackers),
        defenders=s.by_power(who.defenders),
        owner=who.convoy,
    )
    for id in (*who.attackers, *who.defenders):
        s.mark(id, "fought")


def _called(g: Table[State], sea: str, who: Forces) -> Procedure[bool]:
    """Whether a power of the other side wants a combat with units that came by a Free Blitz.

    Rules: 2.2.free-c
    """
    s = g.state
    there = {s.units[id].power for id in who.defenders} | {who.convoy}
    powers = [power for power in powers_of(s, OTHER[acting_side(s)]) if power in there]
    answers = yield from g.offer([CallCombat(power, sea) for power in powers])
    return bool(answers)


def _fly_in(g: Table[State], sea: str) -> Procedure[None]:
    """Air units of the other side join the combat.

    Rules: 4.4b, C.4b
    """
    s = g.state
    answers = yield from g.offer(
        [JoinSeaCombat(power, sea, tuple(units)) for power, units in flyers(s, sea).items()]
    )
    for power in answers:
        for id in answers[power].units:
            cargo, origin = s.cargo(id), s.units[id].at
            for each in (id, *cargo):
                s.change(each, at=sea)
            g.emit("flew_in", unit=id, path=(origin, sea))


def _evade(g: Table[State], sea: str) -> Procedure[None]:
    """Submarines of the other side leave before the combat.

    Rules: 4.4c, C.4b
    """
    s = g.state
    subs: dict[str, list[str]] = {}
    for id in forces(s, sea).defenders:
        if s.type(id) == "SUB":
            subs.setdefault(s.units[id].power, []).append(id)
    answers = yield from g.offer(
        [AvoidSeaCombat(power, sea, tuple(units)) for power, units in sorted(subs.items())]
    )
    for power in answers:
        for id in answers[power].units:
            g.emit("evaded", unit=id, space=sea)
            yield from send_home(g, id, sea)
