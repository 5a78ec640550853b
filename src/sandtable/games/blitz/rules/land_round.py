"""Ground Attacks: the Land Round (6.2), and what becomes of the land area (6.6)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import ClassVar

from msgspec.structs import replace

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.consequences import take_control
from sandtable.games.blitz.rules.control import claimant
from sandtable.games.blitz.rules.damage import hurt
from sandtable.games.blitz.rules.factors import (
    Fire,
    Term,
    land_factors,
    printed,
    snow_at,
    triangles,
)
from sandtable.games.blitz.rules.retreat import retreat
from sandtable.games.blitz.rules.rounds import (
    SILENT,
    attackers_of,
    exchange,
    expend,
    fighting,
    fire,
    fire_with,
    leader,
    part,
)
from sandtable.games.blitz.rules.supply import in_supply
from sandtable.games.blitz.tables import TerrainEffect
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


def _attacking_term(s: State, id: str, target: str, flying: tuple[str, ...]) -> Term:
    """The Land Factors of an attacking land unit after all modifications.

    Rules: 6.2b, 6.2c, 9.4a, A.6j, B.5b, D.2a, data.snow-chart
    """
    full = factors = land_factors(s, id)
    if s.units[id].aboard:
        if s.type(id) != "MAR":
            factors /= 2
    elif id not in flying and over_route(s, id, target):
        factors /= 2
    if terrain_of(s, target).halves == "attackers":
        factors /= 2
    if snow_at(s, target) == "snow" and s.facts.kinds[id].home not in s.facts.snow_exempt:
        factors /= 2
    return (id, "" if factors == full else "halved", factors)


def _support(
    s: State, units: Iterable[str], target: str, land: float, *, attacking: bool
) -> Iterator[Term]:
    """The Land Factors of supporting air and naval units after all modifications: as many as those
    of the land units count.

    Rules: 6.2a, 6.2c, 5.3.snow-b, A.6j, B.5d, D.2a, data.snow-chart
    """
    halves = terrain_of(s, target).halves
    hampered = halves == "support" or (attacking and halves == "attackers")
    snowed = attacking and snow_at(s, target) == "snowflake"
    total = 0.0
    for id in units:
        full = factors = land_factors(s, id)
        if hampered:
            factors /= 2
        if snowed and (s.domain(id) == "air" or s.type(id) == "CV"):
            factors /= 2
        total += factors
        yield (id, "support" if factors == full else "support_halved", factors)
    if total > land:
        yield ("", "limit", land - total)


def _fronts(s: State) -> tuple[str, ...]:
    """The land areas against attacks from which the Maginot Line's red triangles count."""
    if "maginot_extended" in s.flags:
        return (MAGINOT_FRONT, "belgium_netherlands")
    return (MAGINOT_FRONT,)


def attack_fire(
    s: State,
    target: str,
    attackers: list[str],
    support: list[str],
    defenders: list[str],
    flying: tuple[str, ...] = (),
) -> Fire:
    """What the attackers fire with in a Land Round.

    Rules: 1.7h, 6.2a, 6.2d, 6.2e, 6.2h, 5.3.limit-d, 5.3.maginot-a, A.6h, A.6i, D.3d
    """
    terms = [_attacking_term(s, id, target, flying) for id in attackers]
    land = sum((value for _, _, value in terms), 0.0)
    terms += _support(s, support, target, land, attacking=True)
    for id in defenders:
        white, red = triangles(s, id, "land")
        if id == MAGINOT_LINE and any(s.units[a].at not in _fronts(s) for a in attackers):
            red = 0
        if not s.options["no_triangles"] and not in_supply(s, id):
            terms.append((id, "supply", s.facts.numbers.unsupplied_white))
        terms += ((id, "white", white), (id, "red", -red))
    return fire_with(terms, _has_printed(s, (*attackers, *support)))


def attack_strength(
    s: State,
    target: str,
    attackers: list[str],
    support: list[str],
    defenders: list[str],
    flying: tuple[str, ...] = (),
) -> int | None:
    """The Factors of the attackers in a Land Round; None if they do not roll."""
    return attack_fire(s, target, attackers, support, defenders, flying)[0]


def defence_fire(
    s: State, target: str, attackers: list[str], defenders: list[str], support: list[str]
) -> Fire:
    """What the defenders fire with in a Land Round.

    Rules: 6.2a, 6.2d, 6.2f, 6.2g, 5.3.limit-d, A.6h, A.6i, A.6j
    """
    terms: list[Term] = [(id, "", land_factors(s, id)) for id in defenders]
    land = sum((value for _, _, value in terms), 0.0)
    terms += _support(s, support, target, land, attacking=False)
    extra = 0 if s.options["no_triangles"] else terrain_of(s, target).white
    for id in attackers:
        white, _ = triangles(s, id, "land", attacking=True)
        terms += ((id, "white", white), (id, "terrain", extra))
    return fire_with(terms, _has_printed(s, (*defenders, *support)))


def defence_strength(
    s: State, target: str, attackers: list[str], defenders: list[str], support: list[str]
) -> int | None:
    """The Factors of the defenders in a Land Round; None if they do not roll."""
    return defence_fire(s, target, attackers, defenders, support)[0]


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


class PickBlocked(_PickUnits, frozen=True, tag="pick_blocked"):
    """Which of the attacking land units may not advance."""


def _pick(g: Table[State], request: _PickUnits) -> Procedure[tuple[str, ...]]:
    """The units that a letter strikes; asked only if there is a choice."""
    if request.count == 0:
        return ()
    if request.count == len(request.units):
        return request.units
    answer: Pick = yield from g.ask(request)
    return answer.units


# --- the Land Round -------------------------------------------------------------------------------


def land_units(s: State, units: Iterable[str]) -> list[str]:
    """The land units among those who are still in the combat."""
    return [id for id in fighting(s, units) if s.domain(id) == "land"]


def defenders_of(s: State) -> list[str]:
    """The land units that still defend in a Ground Attack."""
    assert s.combat is not None
    return land_units(s, (id for id, _, _ in s.combat.defenders))


def land_fires(s: State) -> tuple[Fire, Fire]:
    """What both sides fire with in the Land Round of the combat; nobody if there is none.

    Rules: 6.2a, 5.3.resolve-b
    """
    assert s.combat is not None
    c, target = s.combat, s.combat.at
    units, guards = attackers_of(s), fighting(s, c.guards)
    attackers, defenders = land_units(s, units), defenders_of(s)
    if not attackers or not defenders:
        return SILENT, SILENT
    support = [id for id in units if s.domain(id) != "land"]
    return (
        attack_fire(s, target, attackers, support, defenders, c.flying),
        defence_fire(s, target, attackers, defenders, guards),
    )


def land_round(g: Table[State]) -> Procedure[None]:
    """Both sides' land units fight, if both have any.

    Rules: 6.2a, 6.5.elig-b, 5.3.resolve-b, 5.3.def-b, A.6k, A.6l
    """
    s = g.state
    assert s.combat is not None
    units, guards = attackers_of(s), fighting(s, s.combat.guards)
    attackers, defenders = land_units(s, units), defenders_of(s)
    if not attackers or not defenders:
        return
    support = [id for id in units if s.domain(id) != "land"]
    yield from fire(
        g,
        "land",
        land_fires(s),
        (leader(s, units, land_factors), leader(s, [*defenders, *guards], land_factors)),
    )
    expend(g, (*support, *guards))
    exchange(g, attackers, defenders, letters=False)


def after_land_round(g: Table[State]) -> Procedure[None]:
    """The letters of a Land Round: defenders retreat before more ARM than theirs, and if none is
    left, attackers may not advance. On an Island they count for nothing.

    Rules: 6.5.letter-c, 6.6.retreat-a, 6.6.retreat-b, 6.6.adv-b, 6.6.adv-c, A.6m, A.6n
    """
    s = g.state
    assert s.combat is not None
    c, target = s.combat, s.combat.at
    if c.round != "land" or s.facts.lands[target].island:
        return
    (_, letter), (_, letter_back) = c.results
    if c.armour:
        yield from _retreats(g, letter)
    if defenders_of(s):
        return
    attackers = land_units(s, attackers_of(s))
    number = part(letter_back, len(attackers))
    blocked = yield from _pick(g, PickBlocked(c.leaders[1], target, tuple(attackers), number))
    if blocked:
        s.combat = replace(s.combat, blocked=blocked)
        g.emit("blocked", space=target, units=blocked, power=c.leaders[1])


def _retreats(g: Table[State], letter: str) -> Procedure[None]:
    """The enemy picks the defenders that a letter drives out, their owners where they go.

    Rules: 6.6.retreat-a, 6.6.retreat-c, 6.6.retreat-d, 6.6.adv-c, A.6n, A.6o
    """
    s = g.state
    assert s.combat is not None
    target, enemy, defenders = s.combat.at, s.combat.leaders[0], defenders_of(s)
    struck = yield from _pick(
        g, PickRetreating(enemy, target, tuple(defenders), part(letter, len(defenders)))
    )
    for id in struck:
        if s.type(id) != "FORT" and (yield from retreat(g, target, id)):
            s.combat = replace(s.combat, left=(*s.combat.left, id))
        else:
            yield from hurt(g, target, id, enemy)


# --- what becomes of the land area ----------------------------------------------------------------


def decide_control(g: Table[State]) -> Procedure[None]:
    """The attackers who may advance take the land area, if nobody defends it any more.

    Nobody moves before that, so after a failure everybody is where he came from.

    Rules: 5.3.type-b, 6.6.take-a, 6.6.take-b, 6.6.adv-a, 6.6.fail-a, A.6c, A.6d, A.6l, B.5c, B.5d
    """
    s = g.state
    assert s.combat is not None
    c = s.combat
    advancing = [id for id in land_units(s, attackers_of(s)) if id not in c.blocked]
    if defenders_of(s) or not advancing:
        g.emit("attack_repelled", space=c.at, powers=c.powers)
        return
    sizes = sum(size for _, _, size in c.attackers)
    without_loss = _total_size(s, (id for id, _, _ in c.attackers)) == sizes
    yield from _advance(g, c.at, advancing, without_loss=without_loss)


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
    g.emit("advanced", units=tuple(units), space=target)
    yield from take_control(g, target, power)
