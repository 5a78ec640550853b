"""Rounds of combat (6): firing, damage and letters; Air, Naval and Strategic Rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import floor
from typing import ClassVar

from msgspec.structs import replace

from sandtable.games.blitz.model import State, Strike
from sandtable.games.blitz.rules.bases import send_home
from sandtable.games.blitz.rules.convoys import convoy_left, convoy_stands
from sandtable.games.blitz.rules.counters import destroy
from sandtable.games.blitz.rules.damage import OneOf, chart_result, hurt
from sandtable.games.blitz.rules.factors import (
    Fire,
    Term,
    air_factors,
    naval_factors,
    printed,
    snow_at,
    strategic_factors,
    triangles,
)
from sandtable.games.blitz.rules.sides import OTHER, acting_side
from sandtable.kernel.decisions import Decision, RollLine
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

CONVOY = "convoy"
"""Chosen instead of a unit: the convoy of the sea area."""

IDLE = ("LL", "TRS")
"""Ships that never fire on their own."""


class Damage(Decision, frozen=True, tag="damage"):
    """Give a point of damage to a unit, or to the `convoy`."""

    unit: str


class Withdraw(Decision, frozen=True, tag="withdraw"):
    """Send a unit back to base; the `convoy` takes a point of damage instead."""

    unit: str


class AssignDamage(OneOf, frozen=True, tag="assign_damage"):
    """Which unit takes the next point of damage."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Damage,)
    rule: ClassVar[str] = "6.5.dmg-b"


class ChooseReturning(OneOf, frozen=True, tag="choose_returning"):
    """Which unit is the next that has to return to base."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Withdraw,)
    rule: ClassVar[str] = "6.5.letter-b"


# --- the Combat Chart -----------------------------------------------------------------------------


def final_factors(x: float) -> int:
    """A number after all modifications, rounded: one half upwards.

    Factors are only ever halved, so they are exact as they are.

    Rules: 1.8a, D.2b
    """
    return floor(x + 0.5)


def fires_with(total: float, has_printed: bool) -> int | None:
    """The Factors that a side fires with; None if it does not roll.

    `has_printed`: one of its units has a Factor of the Round's kind printed on it.

    Rules: 6.0b, 6.0c
    """
    factors = final_factors(total)
    if has_printed:
        return max(factors, 1)
    return factors if factors > 0 else None


def fire_with(terms: Iterable[Term], has_printed: bool) -> Fire:
    """What a side fires with, of these terms: those that count for nothing are left out."""
    found = tuple(term for term in terms if term[2])
    return fires_with(sum((value for _, _, value in found), 0.0), has_printed), found


def part(letter: str, number: int) -> int:
    """How many of so many units a letter strikes.

    Rules: A.6g, 6.5.letter-b
    """
    if letter == "B":
        return number
    thirds = {"S": 1, "L": 2}.get(letter, 0)
    return (2 * thirds * number + 3) // 6


def fighting(s: State, units: Iterable[str]) -> list[str]:
    """Those of the units that are still in the combat."""
    assert s.combat is not None
    there, left = s.units, s.combat.left
    return [id for id in units if id in there and id not in left]


def attackers_of(s: State) -> list[str]:
    """The attacking units that are still in the combat."""
    assert s.combat is not None
    return fighting(s, [id for id, _, _ in s.combat.attackers])


def fire(
    g: Table[State],
    round_: str,
    fires: tuple[Fire, Fire],
    leaders: tuple[str, str] = ("", ""),
) -> Procedure[tuple[tuple[int, str], tuple[int, str]]]:
    """Both sides fire at once, the acting side's die first; None does not fire.

    Rules: A.6f, 6.0a, 6.0c, 6.5a
    """
    s, side = g.state, acting_side(g.state)
    assert s.combat is not None
    area = s.combat.at
    s.combat = replace(
        s.combat,
        round=round_,
        factors=(fires[0][0], fires[1][0]),
        leaders=leaders,
        results=((0, ""), (0, "")),
    )
    for firing, (own, terms) in ((side, fires[0]), (OTHER[side], fires[1])):
        if own is None:
            continue
        lines = (RollLine(firing, area, 1, 0),)
        (die,) = yield from g.roll(f"{round_}_round", lines)
        points, letter = result = chart_result(s, own, die)
        attack, defence = s.combat.results
        s.combat = replace(
            s.combat, results=(result, defence) if firing == side else (attack, result)
        )
        g.emit(
            "fired",
            space=area,
            round=round_,
            side=firing,
            factors=own,
            sum=terms,
            lines=lines,
            dice=(die,),
            damage=points,
            letter=letter,
        )
    return s.combat.results


def leader(s: State, units: Iterable[str], factor: Callable[[State, str], float]) -> str:
    """The power with the most Factors among units, the first of the scenario if several have."""
    total: dict[str, float] = {}
    for id in units:
        power = s.units[id].power
        total[power] = total.get(power, 0.0) + factor(s, id)
    order = s.scenario.powers
    return max(sorted(total, key=order.index), key=total.__getitem__, default="")


# --- damage ---------------------------------------------------------------------------------------


def convoy_owner(s: State, sea: str) -> str:
    """The power in play whose convoy a sea area has; nobody if there is none that stands."""
    if not convoy_stands(s, sea):
        return ""
    owner = s.facts.convoys[sea].power
    for power in s.scenario.powers:
        if owner == power or owner in s.facts.powers[power].members:
            return power
    return ""


def _owner(s: State, units: list[str], convoy: str) -> str:
    """Who chooses among a side's units: the power with the most Size there, the convoy's too."""
    size: dict[str, int] = {}
    for id in units:
        power = s.units[id].power
        size[power] = size.get(power, 0) + s.units[id].size
    if convoy:
        power = convoy_owner(s, convoy)
        size[power] = size.get(power, 0) + convoy_left(s, convoy)
    order = s.scenario.powers
    return max(sorted(size, key=order.index), key=size.__getitem__)


def hurt_convoy(g: Table[State], sea: str, enemy: str) -> None:
    """A point of damage on the convoy of a sea area.

    Rules: 6.5.convoy-a
    """
    s = g.state
    s.set_convoy_damage({**s.convoy_damage, sea: s.convoy_damage.get(sea, 0) + 1})
    g.emit("convoy_damaged", space=sea, damage=s.convoy_damage[sea], power=enemy)


def suffer(g: Table[State], strike: Strike) -> Procedure[None]:
    """Let units suffer all of what strikes them."""
    rest: Strike | None = strike
    while rest is not None:
        rest = yield from suffer_next(g, rest)


def suffer_next(g: Table[State], strike: Strike) -> Procedure[Strike | None]:
    """A point of damage on one of the units, and on the convoy among them, or one of them sent
    back to base; what is left then, if anything.

    Their owner gives the first point, the enemy the second, and so on in turn; and in the same way
    they choose who goes. The owner is the power with the most Size there.

    Rules: A.6f, A.6g, 6.5.dmg-a, 6.5.dmg-b, 6.5.letter-b, 6.5.convoy-a, 6.5.convoy-b, E.3a
    """
    s, area, enemy = g.state, strike.at, strike.enemy
    units = [id for id in strike.units if id in s.units]
    convoy = strike.convoy if strike.convoy and convoy_owner(s, strike.convoy) else ""
    targets = (*units, CONVOY) if convoy else tuple(units)
    number = strike.number if strike.number >= 0 else part(strike.letter, len(targets))
    if not number or not targets:
        return None
    target = targets[0]
    if len(targets) > 1:
        power = enemy if strike.given % 2 else _owner(s, units, convoy)
        request = ChooseReturning if strike.letter else AssignDamage
        answer: Damage | Withdraw = yield from g.ask(request(power, area, targets))
        target = answer.unit
    if target == CONVOY:
        hurt_convoy(g, convoy, enemy)
    elif strike.letter:
        yield from _send_back(g, area, target, enemy)
    else:
        yield from hurt(g, area, target, enemy)
    if strike.letter:
        # Who has gone, or has suffered instead, is not struck again.
        units = [id for id in units if id != target]
        convoy = "" if target == CONVOY else convoy
    return replace(
        strike, units=tuple(units), convoy=convoy, number=number - 1, given=strike.given + 1
    )


def _send_back(g: Table[State], area: str, id: str, enemy: str) -> Procedure[None]:
    """A unit leaves the combat: for its base, but a PARA stays where it came from, and a one-use
    unit has had its combat and is destroyed.

    Rules: 6.5.letter-a
    """
    s = g.state
    if s.combat is not None:
        s.combat = replace(s.combat, left=(*s.combat.left, id, *s.cargo(id)))
    if s.facts.kinds[id].one_use:
        destroy(g, id)
    elif s.domain(id) == "land":
        g.emit("turned_back", unit=id, space=area)
    else:
        origin = area if s.domain(id) == "air" else s.units[id].at
        yield from send_home(g, id, origin, enemy)


def expend(g: Table[State], units: Iterable[str]) -> None:
    """Destroy the one-use air units among those that took part.

    Called before the results of the last Round of a combat in which they take part.

    Rules: 6.5b
    """
    s = g.state
    for id in units:
        if s.facts.kinds[id].one_use and id in s.units:
            destroy(g, id)


def exchange(
    g: Table[State],
    attackers: Iterable[str],
    defenders: Iterable[str],
    *,
    letters: bool = True,
    convoys: tuple[str, str] = ("", ""),
) -> None:
    """Have the results of a Round strike these units of both sides, the defenders first; and the
    convoys of sea areas among them. First damage is given, then the letters have their effect.

    Rules: 6.5c, 6.5.letter-a
    """
    s = g.state
    assert s.combat is not None
    c = s.combat
    (hits, letter), (hits_back, letter_back) = c.results
    fired_at = Strike(c.at, tuple(defenders), c.leaders[0], convoy=convoys[1])
    firing = Strike(c.at, tuple(attackers), c.leaders[1], convoy=convoys[0])
    strikes = [replace(fired_at, number=hits), replace(firing, number=hits_back)]
    if letters:
        strikes += [replace(fired_at, letter=letter), replace(firing, letter=letter_back)]
    s.combat = replace(c, strikes=tuple(each for each in strikes if each.number > 0 or each.letter))


# --- the Rounds -----------------------------------------------------------------------------------


def flies(s: State, id: str) -> bool:
    """Whether a unit in a combat fights in its Air Round: air units, and CVs (at sea always).

    Rules: 6.1a, 6.1b, 6.1e, C.4c
    """
    return s.type(id) in ("AIR", "CV")


SILENT: Fire = (None, ())
"""A side that does not fire."""


def _triangle_terms(s: State, units: Iterable[str], box: str) -> Iterator[Term]:
    """What the triangles of units give to the enemy who fires at them, or take from him."""
    for id in units:
        white, red = triangles(s, id, box)
        yield (id, "white", white)
        yield (id, "red", -red)


def air_fire(s: State, own: list[str], enemy: list[str]) -> Fire:
    """What a side fires with in an Air Round: `own` with AA, against `enemy` without.

    Rules: A.6e, 6.0b, 6.1a, 6.1c, 6.1d
    """
    terms = [(id, "", air_factors(s, id)) for id in own]
    return fire_with(
        (*terms, *_triangle_terms(s, enemy, "air")), any(printed(s, id, "air") for id in own)
    )


def air_forces(s: State) -> tuple[list[str], list[str], list[str]]:
    """Who fights in the Air Round of the combat: attackers, defenders, and AA of the defenders;
    nobody if there is none.

    Rules: 6.0a, 6.1a, 6.1b, 6.1c, 6.1e
    """
    assert s.combat is not None
    c, area = s.combat, s.combat.at
    attack = [id for id in attackers_of(s) if flies(s, id) or id in c.flying]
    defence = [id for id in fighting(s, c.guards) if flies(s, id)]
    guns = [id for id in s.units_at(area) if s.type(id) == "AA" and area in s.facts.lands]
    # At sea it has been looked at before (4.4e).
    if c.kind != "sea" and not (attack and (defence or (guns and c.kind != "ground"))):
        return [], [], []
    return attack, defence, guns


def air_fires(s: State) -> tuple[Fire, Fire]:
    """What both sides fire with in the Air Round of the combat."""
    attack, defence, guns = air_forces(s)
    return (
        air_fire(s, attack, defence) if defence else SILENT,
        air_fire(s, [*defence, *guns], attack),
    )


def air_round(g: Table[State]) -> Procedure[None]:
    """An Air Round, if both sides have air units, CVs or (attacking) PARAs that fly.

    On the defenders' side AA is enough, but not in a Ground Attack.

    Rules: 6.0a, 6.1a, 6.1b, 6.1c, 6.1d, 6.1e, 6.5b, 6.5c, 6.5.elig-a, 6.5.letter-f, C.4c
    """
    s = g.state
    assert s.combat is not None
    attack, defence, guns = air_forces(s)
    if s.combat.kind != "sea" and not attack:
        return
    yield from fire(
        g,
        "air",
        air_fires(s),
        (leader(s, attack, air_factors), leader(s, [*defence, *guns], air_factors)),
    )
    if _is_last(s):
        expend(g, (*attack, *defence))
    exchange(g, attack, defence)


def _is_last(s: State) -> bool:
    """Whether no Round follows the Air Round."""
    assert s.combat is not None
    if s.combat.kind == "ground":
        return not any(s.domain(id) == "land" for id, _, _ in s.combat.defenders)
    return s.combat.kind == "sea" and "naval" not in s.combat.steps


def naval_terms(
    s: State, area: str, own: list[str], enemy: list[str], *, port_attack: bool = False
) -> Iterator[Term]:
    """The Naval Factors of a side with all modifications; without any convoy.

    Rules: 6.3a, 6.3b, 6.3c, 6.3d, 4.4g
    """
    snow = bool(snow_at(s, area))
    for id in own:
        full = factors = naval_factors(s, id)
        carrier = s.type(id) == "CV"
        if carrier and port_attack:
            factors /= 2
        if snow and (carrier or s.domain(id) == "air"):
            factors /= 2
        yield (id, "" if factors == full else "halved", factors)
    yield from _triangle_terms(s, (id for id in enemy if s.domain(id) == "naval"), "naval")


def naval_fire(
    s: State,
    area: str,
    own: list[str],
    enemy: list[str],
    *,
    convoy: int = 0,
    port_attack: bool = False,
) -> Fire:
    """What a side fires with in a Naval Round; nothing if it cannot fire, or has nothing to fire
    at.

    `convoy` is what the enemy's convoy adds.

    Rules: 6.0b, 6.0c, 6.3a, 6.3c, 6.3d, 6.3e, C.4d, E.3a
    """
    if all(s.type(id) in IDLE for id in own):
        return SILENT
    if not convoy and not any(s.domain(id) == "naval" for id in enemy):
        return SILENT
    terms = naval_terms(s, area, own, enemy, port_attack=port_attack)
    return fire_with((*terms, ("", "convoy", convoy)), any(printed(s, id, "naval") for id in own))


def naval_forces(s: State) -> tuple[list[str], list[str]]:
    """Who fires and is fired at in the Naval Round of the combat."""
    assert s.combat is not None
    c = s.combat
    if c.kind == "port":
        return attackers_of(s), in_port(s, c.at, c.port)
    return attackers_of(s), fighting(s, c.guards)


def naval_fires(s: State) -> tuple[Fire, Fire]:
    """What both sides fire with in the Naval Round of the combat; in a port only the attackers.

    Rules: 6.3a, 6.3e, E.2c
    """
    assert s.combat is not None
    area, port_attack = s.combat.at, s.combat.kind == "port"
    attackers, defenders = naval_forces(s)
    if port_attack and not (attackers and defenders):
        return SILENT, SILENT
    own_convoy, their_convoy = _convoys(s)
    attack = naval_fire(
        s,
        area,
        attackers,
        defenders,
        convoy=convoy_left(s, area) if their_convoy else 0,
        port_attack=port_attack,
    )
    if port_attack:
        return attack, SILENT
    convoy = convoy_left(s, area) if own_convoy else 0
    return attack, naval_fire(s, area, defenders, attackers, convoy=convoy)


def _convoys(s: State) -> tuple[str, str]:
    """The sea area, if the convoy in the combat is the attackers', or if it is the defenders'."""
    assert s.combat is not None
    c = s.combat
    if not c.convoy:
        return "", ""
    return (c.at, "") if s.facts.side[c.convoy] == acting_side(s) else ("", c.at)


def naval_round(g: Table[State]) -> Procedure[None]:
    """A Naval Round, at sea or in a port.

    In a Port Attack only the attackers fire, and letters count for nothing.

    Rules: 6.0a, 6.3a, 6.3b, 6.3c, 6.3e, 6.5b, 6.5c, 6.5.elig-c, 6.5.letter-d, C.4d, C.4e,
        5.3.resolve-c, 5.3.def-c, E.2c
    """
    s = g.state
    assert s.combat is not None
    port_attack = s.combat.kind == "port"
    if port_attack:
        expend(g, fighting(s, s.combat.guards))
    attackers, defenders = naval_forces(s)
    if port_attack and not (attackers and defenders):
        return
    leaders = leader(s, attackers, naval_factors), leader(s, defenders, naval_factors)
    yield from fire(g, "naval", naval_fires(s), leaders)
    expend(g, (*attackers, *defenders))
    exchange(
        g,
        [id for id in attackers if s.domain(id) == "naval"],
        [id for id in defenders if s.domain(id) == "naval"],
        letters=not port_attack,
        convoys=_convoys(s),
    )


def in_port(s: State, area: str, port: str) -> list[str]:
    """The ships in a port that a Port Attack can hit: all but the SUBs.

    Rules: 5.3.def-c, 5.3.type-c, E.2c
    """
    return [
        id
        for id in s.units_at(area)
        if s.domain(id) == "naval" and s.units[id].port == port and s.type(id) != "SUB"
    ]


def factory_left(s: State, area: str) -> int:
    """The Factory Factor of a land area less the damage of its Factory."""
    return s.facts.lands[area].factory - s.factory_damage.get(area, 0)


def bombers_of(s: State) -> list[str]:
    """The attacking air units with the A-Bombs that they carry."""
    bombers = [id for id in attackers_of(s) if s.domain(id) == "air"]
    return bombers + [bomb for id in bombers for bomb in s.cargo(id) if bomb not in bombers]


def strategic_fire(s: State, area: str, units: Iterable[str]) -> Fire:
    """What attackers fire with at the Factory of a land area.

    Rules: 6.4a
    """
    bombers = list(units)
    snow = bool(snow_at(s, area))
    terms: list[Term] = [
        (id, "halved", strategic_factors(s, id) / 2) if snow else (id, "", strategic_factors(s, id))
        for id in bombers
    ]
    terms.append(("", "factory", factory_left(s, area)))
    return fire_with(terms, any(printed(s, id, "strategic") for id in bombers))


def strategic_fires(s: State) -> tuple[Fire, Fire]:
    """What the attackers of the combat fire with at its Factory; nobody fires back."""
    assert s.combat is not None
    bombers = bombers_of(s)
    return strategic_fire(s, s.combat.at, bombers) if bombers else SILENT, SILENT


def strategic_round(g: Table[State]) -> Procedure[None]:
    """The attacking air units, with the A-Bombs that they carry, fire at a Factory.

    Rules: 6.1b, 6.4a, 6.5b, 6.5.elig-d, 6.5.factory-a, 6.5.letter-d
    """
    s = g.state
    assert s.combat is not None
    area = s.combat.at
    expend(g, fighting(s, s.combat.guards))
    bombers = bombers_of(s)
    if not bombers:
        return
    power = leader(s, bombers, strategic_factors)
    if any(s.type(id) == "ABOMB" for id in bombers):
        s.flag(f"a_bombed:{s.control[area]}")
        g.emit("a_bomb_dropped", space=area, power=power)
    (hits, _), _ = yield from fire(g, "strategic", strategic_fires(s), (power, ""))
    expend(g, bombers)
    points = min(hits, factory_left(s, area))
    if points > 0:
        s.factory_damage[area] = s.factory_damage.get(area, 0) + points
        s.count(f"factory_damage:{power}", points)
        g.emit(
            "factory_damaged",
            space=area,
            damage=s.factory_damage[area],
            power=power,
            against=s.control[area],
        )
