"""Ground Attacks: the Land Round (6.2), and what becomes of the land area (6.6)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import ClassVar

from sandtable.games.blitz.facts import TerrainEffect
from sandtable.games.blitz.model import Attack, State
from sandtable.games.blitz.rules.control import claimant, take_control
from sandtable.games.blitz.rules.factors import land_factors, printed, snow_at, triangles
from sandtable.games.blitz.rules.leave import ask_leave, make_room
from sandtable.games.blitz.rules.rounds import (
    air_round,
    assign_damage,
    expend,
    fire,
    fires_with,
    hurt,
    leader,
    part,
)
from sandtable.games.blitz.rules.stacking import no_room, refused
from sandtable.games.blitz.rules.supply import in_supply
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

MAGINOT_LINE = "afa_maginot_line"
MAGINOT_FRONT = "western_germany"
"""The red triangles of the Maginot Line count only against those who attack from here."""


# --- what the sides fire with ---------------------------------------------------------------------


def terrain_of(s: State, area: str) -> TerrainEffect:
    """What the terrain of a land area does.

    Rules: data.terrain-chart, 1.4a, D.2a, errata.austria-cz-mountain
    """
    return s.facts.terrain[s.facts.lands[area].terrain]


def over_route(s: State, id: str, target: str) -> bool:
    """Whether only a Land Route leads from a unit on land to a land area."""
    at = s.units[id].at
    return target not in s.facts.land_next[at] and target in s.facts.land_routes[at]


def _attacking_factors(s: State, id: str, target: str, flying: tuple[str, ...]) -> float:
    """The Land Factors of an attacking land unit after all modifications.

    Rules: 6.2b, 6.2c, 9.4a, A.6j, B.5b, D.2a, data.snow-chart
    """
    factors = land_factors(s, id)
    if s.units[id].aboard:
        if s.type(id) != "MAR":
            factors /= 2
    elif id not in flying and over_route(s, id, target):
        factors /= 2
    if terrain_of(s, target).halves == "attackers":
        factors /= 2
    if snow_at(s, target) == "snow" and s.facts.kinds[id].home not in s.facts.snow_exempt:
        factors /= 2
    return factors


def _support(s: State, units: Iterable[str], target: str, *, attacking: bool) -> float:
    """The Land Factors of supporting air and naval units after all modifications.

    Rules: 6.2a, 6.2c, 5.3.snow-b, A.6j, B.5d, D.2a, data.snow-chart
    """
    halves = terrain_of(s, target).halves
    hampered = halves == "support" or (attacking and halves == "attackers")
    snowed = attacking and snow_at(s, target) == "snowflake"
    total = 0.0
    for id in units:
        factors = land_factors(s, id)
        if hampered:
            factors /= 2
        if snowed and (s.domain(id) == "air" or s.type(id) == "CV"):
            factors /= 2
        total += factors
    return total


def _fronts(s: State) -> tuple[str, ...]:
    """The land areas against attacks from which the Maginot Line's red triangles count."""
    if "maginot_extended" in s.flags:
        return (MAGINOT_FRONT, "belgium_netherlands")
    return (MAGINOT_FRONT,)


def attack_strength(
    s: State,
    target: str,
    attackers: list[str],
    support: list[str],
    defenders: list[str],
    flying: tuple[str, ...] = (),
) -> int | None:
    """What the attackers fire with in a Land Round.

    Rules: 1.7h, 6.2a, 6.2d, 6.2e, 6.2h, 5.3.limit-d, 5.3.maginot-a, A.6h, A.6i, D.3d
    """
    land = sum((_attacking_factors(s, id, target, flying) for id in attackers), 0.0)
    total = land + min(land, _support(s, support, target, attacking=True))
    for id in defenders:
        white, red = triangles(s, id, "land")
        if id == MAGINOT_LINE and any(s.units[a].at not in _fronts(s) for a in attackers):
            red = 0
        if not s.options["no_triangles"] and not in_supply(s, id):
            white += s.facts.numbers.unsupplied_white
        total += white - red
    return fires_with(total, _has_printed(s, (*attackers, *support)))


def defence_strength(
    s: State, target: str, attackers: list[str], defenders: list[str], support: list[str]
) -> int | None:
    """What the defenders fire with in a Land Round.

    Rules: 6.2a, 6.2d, 6.2f, 6.2g, 5.3.limit-d, A.6h, A.6i, A.6j
    """
    land = sum((land_factors(s, id) for id in defenders), 0.0)
    total = land + min(land, _support(s, support, target, attacking=False))
    extra = 0 if s.options["no_triangles"] else terrain_of(s, target).white
    for id in attackers:
        white, _ = triangles(s, id, "land", attacking=True)
        total += white + extra
    return fires_with(total, _has_printed(s, (*defenders, *support)))


def _has_printed(s: State, units: Iterable[str]) -> bool:
    """Whether a unit has Land Factors printed on it; other Bombing Factors are not, nor a ship's.

    Rules: 6.0b
    """
    return any(printed(s, id, "land") for id in units)


def more_armour(s: State, target: str, attackers: list[str], defenders: list[str]) -> bool:
    """Whether the attackers have more ARM than the defenders with their FORTs and the terrain.

    Rules: 6.6.arm-a, 6.6.arm-b, A.6m, B.5b
    """
    attack = sum(
        (
            s.units[id].size / (2 if s.units[id].aboard else 1)
            for id in attackers
            if s.type(id) == "ARM"
        ),
        0.0,
    )
    defence = sum(s.units[id].size for id in defenders if s.type(id) in ("ARM", "FORT"))
    return attack > defence + terrain_of(s, target).armour


# --- questions ------------------------------------------------------------------------------------


class Pick(Decision, frozen=True, tag="pick"):
    """The enemy's land units that a letter strikes."""

    units: tuple[str, ...]


class _PickUnits(Request, frozen=True):
    area: str
    units: tuple[str, ...]
    count: int

    answers: ClassVar[tuple[type[Decision], ...]] = (Pick,)

    def check(self, state: State, decision: Pick) -> None:
        """Rules: 6.6.adv-c"""
        if len(decision.units) != self.count or len(set(decision.units)) != self.count:
            raise IllegalDecision(f"Pick {self.count} units.", "6.6.adv-c")
        for id in decision.units:
            if id not in self.units:
                raise IllegalDecision("Only the enemy's units here can be picked.", "6.6.adv-c")

    def decisions(self, state: State) -> Iterator[Decision]:
        return (Pick(units) for units in combinations(self.units, self.count))

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        yield Pick(tuple(rng.sample(self.units, self.count)))


class PickRetreating(_PickUnits, frozen=True, tag="pick_retreating"):
    """Which of the defending land units have to retreat."""

    @property
    def prompt(self) -> str:
        return f"Pick the {self.count} enemy land units that have to retreat."


class PickBlocked(_PickUnits, frozen=True, tag="pick_blocked"):
    """Which of the attacking land units may not advance."""

    @property
    def prompt(self) -> str:
        return f"Pick the {self.count} enemy land units that may not advance."


class Retreat(Decision, frozen=True, tag="retreat"):
    """Where a unit retreats to."""

    to: str


class ChooseRetreat(Request, frozen=True, tag="choose_retreat"):
    """A land unit has to retreat: to which land area."""

    unit: str
    areas: tuple[str, ...]

    answers: ClassVar[tuple[type[Decision], ...]] = (Retreat,)

    @property
    def prompt(self) -> str:
        return "The unit has to retreat: choose where it goes."

    def check(self, state: State, decision: Retreat) -> None:
        """Rules: 6.6.retreat-c"""
        if decision.to not in self.areas:
            raise IllegalDecision("The unit cannot retreat there.", "6.6.retreat-c")

    def decisions(self, state: State) -> Iterator[Decision]:
        return (Retreat(area) for area in self.areas)


def _pick(g: Table[State], request: _PickUnits) -> Procedure[tuple[str, ...]]:
    """The units that a letter strikes; asked only if there is a choice."""
    if request.count == 0:
        return ()
    if request.count == len(request.units):
        return request.units
    answer: Pick = yield from g.ask(request)
    return answer.units


# --- the Land Round -------------------------------------------------------------------------------


def land_round(
    g: Table[State],
    target: str,
    attackers: list[str],
    attack_support: list[str],
    defenders: list[str],
    defence_support: list[str],
    flying: tuple[str, ...],
    *,
    armour: bool,
) -> Procedure[tuple[str, ...]]:
    """Both sides' land units fight; the attackers who may not advance.

    Land units that are destroyed or retreat leave the lists, and so do one-use air units. `armour`
    tells whether the attackers had more ARM when the combat began.

    Rules: 6.2a, 6.5.elig-b, 6.5.letter-c, 6.6.retreat-a, 6.6.retreat-b, 6.6.adv-b, 6.6.adv-c,
        A.6k, A.6l, A.6m, A.6n
    """
    s = g.state
    attack_power = leader(s, [*attackers, *attack_support], land_factors)
    defence_power = leader(s, [*defenders, *defence_support], land_factors)
    (hits, letter), (hits_back, letter_back) = yield from fire(
        g,
        target,
        "land",
        attack_strength(s, target, attackers, attack_support, defenders, flying),
        defence_strength(s, target, attackers, defenders, defence_support),
    )
    expend(g, attack_support)
    expend(g, defence_support)
    yield from assign_damage(g, target, defenders, hits, attack_power)
    yield from assign_damage(g, target, attackers, hits_back, defence_power)
    if s.facts.lands[target].island:
        return ()
    if armour:
        yield from _retreats(g, target, defenders, letter, attack_power)
    if defenders:
        return ()
    blocked = yield from _pick(
        g,
        PickBlocked(defence_power, target, tuple(attackers), part(letter_back, len(attackers))),
    )
    if blocked:
        g.emit("blocked", at=target, units=blocked, by=defence_power)
    return blocked


def _retreats(
    g: Table[State], target: str, defenders: list[str], letter: str, enemy: str
) -> Procedure[None]:
    """The enemy picks the defenders that a letter drives out, their owners where they go.

    Rules: 6.6.retreat-a, 6.6.retreat-c, 6.6.retreat-d, 6.6.adv-c, A.6n, A.6o
    """
    s = g.state
    struck = yield from _pick(
        g, PickRetreating(enemy, target, tuple(defenders), part(letter, len(defenders)))
    )
    for id in struck:
        gone = False
        if s.type(id) != "FORT":
            gone = yield from _retreat(g, target, id)
        if not gone:
            yield from hurt(g, target, id, enemy)
            gone = id not in s.units
        if gone:
            defenders.remove(id)


def _retreat(g: Table[State], target: str, id: str) -> Procedure[bool]:
    """Move a unit out of a land area that is attacked; False if it can go nowhere.

    Rules: 6.6.retreat-c
    """
    s = g.state
    areas = retreat_areas(s, target, id)
    while areas:
        to = areas[0]
        if len(areas) > 1:
            answer: Retreat = yield from g.ask(ChooseRetreat(s.units[id].power, id, tuple(areas)))
            to = answer.to
        if (yield from ask_leave(g, id, to)):
            s.change(id, at=to)
            g.emit("retreated", unit=id, origin=target, at=to)
            yield from make_room(g, id, to)
            return True
        areas.remove(to)
    return False


def retreat_areas(s: State, target: str, id: str) -> list[str]:
    """The land areas that a unit can retreat to; over a Land Route, too.

    Rules: 6.6.retreat-c
    """
    attacked = {each.target for each in s.attacks if each.kind == "ground" and not each.resolved}
    return [
        area
        for area in dict.fromkeys((*s.facts.land_next[target], *s.facts.land_routes[target]))
        if area not in attacked and refused(s, id, area) is None and no_room(s, id, area) is None
    ]


# --- the whole attack -----------------------------------------------------------------------------


def ground_attack(
    g: Table[State], attack: Attack, units: list[str], guards: list[str]
) -> Procedure[None]:
    """An Air Round if both sides fly, a Land Round if anybody defends, and control.

    `units` attack; `guards` are the air and naval units committed to the defence. All lists are
    left with those who are still there. Nobody moves before the end, so after a failure everybody
    is where he came from.

    Rules: 5.3.resolve-b, 5.3.def-b, 5.3.type-b, 6.6.take-a, 6.6.take-b, 6.6.adv-a, 6.6.fail-a,
        A.6c, A.6d, A.6l, B.5c, B.5d
    """
    s, target = g.state, attack.target
    defenders = [id for id in s.units_at(target) if s.domain(id) == "land"]
    first, sizes = tuple(units), _total_size(s, units)
    armour = more_armour(s, target, [id for id in units if s.domain(id) == "land"], defenders)
    yield from air_round(
        g, target, units, guards, attack.flying, last=not defenders, aa_alone=False
    )
    attackers = [id for id in units if s.domain(id) == "land"]
    blocked: tuple[str, ...] = ()
    if attackers and defenders:
        support = [id for id in units if s.domain(id) != "land"]
        blocked = yield from land_round(
            g, target, attackers, support, defenders, guards, attack.flying, armour=armour
        )
        units[:] = [id for id in units if id in s.units]
    advancing = [id for id in attackers if id not in blocked]
    if defenders or not advancing:
        g.emit("attack_repelled", at=target, powers=attack.powers)
        return
    yield from _advance(g, target, advancing, without_loss=_total_size(s, first) == sizes)


def _total_size(s: State, units: Iterable[str]) -> int:
    return sum(s.units[id].size for id in units if id in s.units)


def _advance(
    g: Table[State], target: str, units: list[str], *, without_loss: bool
) -> Procedure[None]:
    """Move the attackers into the land area, which one of their powers takes.

    Rules: 6.6.take-a, 6.6.adv-a
    """
    s = g.state
    claims: dict[str, list[str]] = {}
    for id in units:
        claims.setdefault(s.units[id].power, []).append(id)
    power = yield from claimant(g, target, claims)
    if s.facts.side[s.control[target]] == "axis":
        s.taken[target] = (power, without_loss)
    for id in units:
        s.change(id, at=target, aboard="")
    g.emit("advanced", units=tuple(units), at=target)
    yield from take_control(g, target, power)
