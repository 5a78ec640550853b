"""The Combat Movement Phase (chapter 8).

The nations that share a turn move one after the other, each as often as it likes. When all are
done, the other side decides for its submarines and patrols, the combats are listed, and defenders
scramble.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import ClassVar, NoReturn

from sandtable.games.gw36.facts import UnitType, pair
from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.advanced_carriers import note_wings
from sandtable.games.gw36.rules.air import (
    check_flight,
    check_landings,
    check_return,
    flying,
    hump,
    relocate,
    survivors,
)
from sandtable.games.gw36.rules.capture import annex, possess, taker
from sandtable.games.gw36.rules.combat_choices import able, at_random, candidates
from sandtable.games.gw36.rules.common import UNDER_WAY, Done
from sandtable.games.gw36.rules.consequences import settle
from sandtable.games.gw36.rules.movement import (
    Group,
    Move,
    base_points,
    carries,
    check_area,
    check_march,
    check_reach,
    check_single_passage,
    check_voyage,
    check_zones,
    distances,
    free,
    kinds_of,
    mover_of,
    note_crossing,
    pick,
    random_units,
)
from sandtable.games.gw36.rules.narrows import run_the_guns, strike, sunk_at
from sandtable.games.gw36.rules.patrol import check_patrol, eliminate
from sandtable.games.gw36.rules.relations import (
    Verdict,
    attack_allowed,
    attack_without_war,
    go_to_war,
    refusal,
)
from sandtable.games.gw36.rules.scramble import scramble
from sandtable.games.gw36.rules.screening import check_follow, check_left, check_screen
from sandtable.games.gw36.rules.sea_duties import DUTIES, check_duty
from sandtable.games.gw36.rules.sharing import hostile_sea
from sandtable.games.gw36.rules.submarines import (
    ENTERED,
    FORCED,
    STAYED,
    challenge,
    respond,
)
from sandtable.games.gw36.rules.terms import acting, power_of
from sandtable.games.gw36.rules.transports import (
    Airlift,
    Sail,
    Voyage,
    check_covered,
    drown,
    fly_to_assault,
    plan_airlift,
    plan_voyage,
    sail_to_assault,
)
from sandtable.games.gw36.rules.zones import (
    OFFSTAGE,
    bombable,
    commanded,
    enemies_in,
    fight_key,
    foes_at,
    forced_owner,
    no_blitz,
    no_blitz_into,
    side,
    step_closed,
)
from sandtable.kernel.decisions import Decision, Request, RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

COMBAT_OF = {
    "attack": "land",
    "assault": "land",
    "bomb": "bombing",
    "carpet": "carpet",
    "raid": "raid",
    "mine": "raid",
}
"""Duty of a unit to the kind of combat in its zone; at sea an attack is naval."""

FORCING_VALUE = 3


class CombatMove(Request, frozen=True, tag="combat_move"):
    """Move units to combat, announce what they do there, or be done."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Move, Sail, Airlift, Done)

    def check(self, state: State, decision: Decision) -> None:
        if isinstance(decision, Move):
            check_move(state, decision)
        elif isinstance(decision, Sail):
            check_assault(state, decision)
        elif isinstance(decision, Airlift):
            check_drop(state, decision)

    def decisions(self, state: State) -> Iterator[Decision]:
        """Done, the moves of one type of unit by each of their ways, loadings for assaults."""
        yield Done()
        for decision in candidates(state):
            try:
                self.check(state, decision)
            except IllegalDecision:
                continue
            yield decision

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        if rng.random() >= 0.06:
            for zone, unit, count in random_units(state, rng, 6, able):
                decision = at_random(state, zone, unit, count, rng)
                if decision is not None:
                    yield decision
        yield Done()


def phase(g: Table[State]) -> Procedure[None]:
    """Every nation of the turn moves; then the Defenders answer.

    Rules: 8.2a, 8.10b, 8.10c, 8.10d, 6.2d
    """
    s = g.state
    note_wings(s, acting(s))
    for nation in s.facts.order[s.slot]:
        if nation in s.finished:
            continue
        s.mover = nation
        while any(s.presence.get(each) for each in commanded(s, nation)):
            g.checkpoint()
            decision = yield from g.ask(CombatMove(nation))
            if isinstance(decision, Done):
                break
            if isinstance(decision, Move):
                yield from _carry_out(g, decision)
            elif isinstance(decision, Sail):
                yield from _assault(g, decision)
            else:
                yield from _drop(g, decision)
            yield from settle(g)
        s.finished |= {nation}
    g.checkpoint(strict=True)
    yield from _finish(g)


# --- whom a move attacks --------------------------------------------------------------------------


PATRONS = {"ccp": "ussr", "kmt": "usa"}


def check_joint(s: State, nation: str, zone: str) -> None:
    """A Chinese faction and its patron do not attack together before the faction has evolved.

    Rules: 6.1d, 6.1e
    """
    for faction, patron in PATRONS.items():
        if faction in s.evolved or nation not in (faction, patron):
            continue
        other = patron if nation == faction else faction
        if any(
            unit.nation == other and unit.duty in ("attack", "assault") for unit in s.stack(zone)
        ):
            raise IllegalDecision(
                f"{s.facts.name(other)} attacks {s.facts.name(zone)} already; the two do not "
                "attack together.",
                "6.1d" if faction == "ccp" else "6.1e",
            )


def verdict_on(s: State, nation: str, zone: str, *, clash: bool = False) -> Verdict:
    """As what a nation may attack the owner of a land zone; IllegalDecision if it may not.

    Rules: 8.1a, 8.2b
    """
    check_joint(s, nation, zone)
    owner = s.possession[zone]
    _check_guests(s, nation, owner, zone)
    if owner in side(s, nation).foes and nation not in ("kmt", "ccp"):
        return Verdict("war")
    verdict = attack_allowed(s, nation, owner, zone, clash=clash)
    if not verdict.how:
        raise IllegalDecision(verdict.why, verdict.rule)
    return verdict


def _check_guests(s: State, nation: str, owner: str, zone: str) -> None:
    """A zone in which units of a third nation stand is attacked only by who is at war with it:
    they would share the zone.

    Rules: 0.5a
    """
    friends, foes = side(s, nation)
    for unit in s.stack(zone):
        guest = unit.nation
        if guest != owner and guest not in friends and guest not in foes:
            facts = s.facts
            raise IllegalDecision(
                f"Units of {facts.name(guest)}, with which {facts.name(nation)} is not at war, are "
                f"in {facts.name(zone)}.",
                "0.5a",
            )


def _begin_attack(g: Table[State], nation: str, zone: str, verdict: Verdict) -> None:
    """What an attack means between two nations: war, or an attack without one.

    Rules: 8.1a
    """
    _fall_out(g, nation, g.state.possession[zone], zone, verdict)


def _fall_out(g: Table[State], nation: str, whom: str, zone: str, verdict: Verdict) -> None:
    if verdict.how == "declare":
        go_to_war(g, nation, whom, declared=True)
    elif verdict.how in ("monroe", "pact", "clash"):
        attack_without_war(g, nation, whom, zone, verdict.how)


def verdict_at_sea(s: State, nation: str, move: Move) -> Verdict:
    """As what a move at sea attacks the nation that it names; IllegalDecision if it may not. Units
    are attacked where they are, convoys only in war: a raid is no attack under the Monroe Doctrine,
    and nobody declares war by a blockade.

    Rules: 8.1a, 5.7a, 8.11b
    """
    facts, whom = s.facts, move.against
    goal = move.path[-1]
    if whom not in facts.nations:
        raise IllegalDecision(f"There is no nation {facts.name(whom)} to attack.", "8.1a")
    if goal not in facts.sea_next or move.duty not in ("", "attack", "screen", "raid", "mine"):
        raise IllegalDecision(
            "Only ships and aircraft that attack or raid at sea name whom they attack.", "8.1a"
        )
    if whom in foes_at(s, nation, goal):
        return Verdict("war")
    if move.duty in ("raid", "mine"):
        why, rule = refusal(s, power_of(s, nation), whom)
        verdict = Verdict("", why, rule) if why else Verdict("declare")
    elif not any(unit.nation == whom for unit in s.stack(goal)):
        raise IllegalDecision(f"No unit of {facts.name(whom)} is in {facts.name(goal)}.", "8.2a")
    else:
        verdict = attack_allowed(s, nation, whom, goal)
    if not verdict.how:
        raise IllegalDecision(verdict.why, verdict.rule)
    return verdict


def _as_attacked(s: State, nation: str, move: Move) -> State:
    """The position as it is once the nation that a move names has been attacked."""
    verdict = verdict_at_sea(s, nation, move)
    if verdict.how == "war":
        return s
    then = s.copy()
    one, other = power_of(s, nation), power_of(s, move.against)
    if verdict.how == "declare":
        then.wars |= {pair(one, other)}
    else:
        then.attacked |= {pair(one, other)}
        then.done[fight_key(move.path[-1], one, other)] = 1
    return then


# --- moves ----------------------------------------------------------------------------------------


def check_move(s: State, move: Move) -> None:
    """Whether the acting nation may make this combat move.

    Rules: 8.2a, 8.2b
    """
    nation = mover_of(s, move.nation)
    kinds = kinds_of(s, move.units)
    if not move.path:
        raise IllegalDecision("A path names at least the zone in which the units are.", "0.8a")
    check_zones(s, move.path)
    check_area(s, nation, move.path[1:])
    if move.used:
        raise IllegalDecision("Who has moved does not move to combat again.", "8.2a")
    if move.against:
        s = _as_attacked(s, nation, move)
    if kinds[0].land:
        _check_land(s, nation, move, kinds)
    elif kinds[0].air:
        _check_air(s, nation, move, kinds)
    else:
        _check_sea(s, nation, move, kinds)


def _refuse_duty(what: str) -> NoReturn:
    raise IllegalDecision(f"{what} cannot do that.", "8.2b")


def _check_land(s: State, nation: str, move: Move, kinds: list[UnitType]) -> None:
    """Land units attack a zone, rockets and Advanced Artillery fire at one.

    Rules: 8.2a, 8.2b, 7.8.advanced-artillery-c, 7.8.rockets-c, 7.8.rockets-d
    """
    if move.duty in ("rocket", "attrition"):
        _check_fire(s, nation, move, kinds)
        return
    if move.duty not in ("", "attack", "clash"):
        _refuse_duty("Land units")
    path = move.path
    facts = s.facts
    if len(path) < 2:
        raise IllegalDecision("Land units attack by moving into a zone.", "8.2a")
    for kind in kinds:
        if kind.attack is None:
            raise IllegalDecision(f"{kind.name} has no Attack.", "7.8.rockets-a")
    check_march(s, nation, move, kinds)
    sides = side(s, nation)
    blitzed = False
    for here, zone, there in zip(path, path[1:], path[2:], strict=False):
        owner = s.possession[zone]
        if owner in sides.friends:
            continue
        if owner not in sides.foes:
            raise IllegalDecision(
                f"{facts.name(nation)} is not at war with {facts.name(owner)}, so "
                f"{facts.name(zone)} is not passed.",
                "8.2b",
            )
        if s.stack(zone):
            raise IllegalDecision(f"{facts.name(zone)} is occupied: the move ends there.", "8.2b")
        reason = no_blitz_into(s, here, zone) or no_blitz(s, zone, there)
        if reason:
            raise IllegalDecision(reason, "1.8d")
        check_blitzers(s, move.units, kinds)
        blitzed = True
    goal = path[-1]
    if s.possession[goal] in sides.friends:
        if not blitzed:
            raise IllegalDecision(
                f"{facts.name(goal)} is Friendly: a combat move has to lead to combat.", "8.2a"
            )
        return
    verdict_on(s, nation, goal, clash=move.duty == "clash")


def check_blitzers(s: State, units: dict[str, int], kinds: list[UnitType]) -> None:
    """Medium and Heavy Armor lead a blitz; others take part paired with them.

    Rules: 12.2.mechanized-b, 12.2.light-armor-b, 12.2.medium-armor-b, 12.2.sp-artillery-b,
        7.8.advanced-mech-b, 7.8.heavy-armor-a
    """
    leaders = sum(units[kind.id] for kind in kinds if kind.blitz == "alone")
    paired = 0
    for kind in kinds:
        if kind.blitz == "pair":
            paired += 2 * units[kind.id]
        elif kind.blitz == "pair2":
            paired += units[kind.id]
        elif kind.blitz != "alone":
            raise IllegalDecision(f"{kind.name} cannot blitz.", "12.2.light-armor-b")
    if paired > 2 * leaders:
        raise IllegalDecision(
            "Each unit that follows a blitz is paired with an armor.", "12.2.mechanized-b"
        )


def _check_fire(s: State, nation: str, move: Move, kinds: list[UnitType]) -> None:
    """Rockets strike within their range, Advanced Artillery into a neighbouring zone.

    Rules: 7.8.advanced-artillery-c, 7.8.rockets-c, 7.8.rockets-d, 0.8a
    """
    if len(move.path) != 1:
        raise IllegalDecision("Who fires does not move.", "7.8.rockets-c")
    zone, _, what = move.target.partition("/")
    facts = s.facts
    if zone not in s.possession:
        raise IllegalDecision("The target is a land zone.", "7.8.rockets-c")
    for kind in kinds:
        if move.duty == "rocket":
            if not kind.range or distances(facts)[move.path[0]].get(zone, 99) > kind.range:
                raise IllegalDecision(
                    f"{kind.name} does not reach {facts.name(zone)}.", "7.8.rockets-c"
                )
        elif not kind.attrition or zone not in facts.land_next.get(move.path[0], ()):
            raise IllegalDecision(
                f"{kind.name} makes no attrition attack on {facts.name(zone)}.",
                "7.8.advanced-artillery-c",
            )
    if s.possession[zone] not in side(s, nation).foes:
        raise IllegalDecision(f"{facts.name(zone)} is not the Enemy's.", "8.1a")
    if move.duty == "rocket" and what != "units":
        if what not in bombable(s, zone):
            raise IllegalDecision(f"There is no such target in {facts.name(zone)}.", "9.16a")
    elif not any(facts.units[u.type].land for u in enemies_in(s, nation, zone)):
        raise IllegalDecision(f"No Enemy land unit is in {facts.name(zone)}.", "9.17a")
    pick(s, nation, move.path[0], move.units, lambda unit: not unit.used and not unit.duty)


# --- aircraft -------------------------------------------------------------------------------------


def _check_air(s: State, nation: str, move: Move, kinds: list[UnitType]) -> None:
    """Aircraft attack, bomb, or begin or use a patrol; what attacks can land afterwards.

    Rules: 8.2b, 8.3a, 8.3b, 8.3c, 8.5a, 8.7c, 0.8c
    """
    path, duty = move.path, move.duty
    if duty == "patrol":
        check_patrol(s, nation, move.units, path)
        return
    if len(path) == 1 and path[0] in s.facts.sea_next and _patrolling(s, nation, move):
        _check_from_patrol(s, nation, move, kinds)
        return
    if duty in ("bomb", "carpet", "escort_bombers"):
        _check_bombers(s, nation, move, kinds)
    elif duty in ("", "attack"):
        _check_strike(s, nation, path[-1], kinds)
    else:
        _refuse_duty("Aircraft")
    groups = pick(s, nation, path[0], move.units, lambda unit: not unit.used and not unit.duty)
    if len(path) > 1:
        check_flight(s, nation, path)
    check_reach(s, groups, path)
    check_return(s, nation, path, groups)


def _check_strike(s: State, nation: str, goal: str, kinds: list[UnitType]) -> None:
    """Aircraft with an Attack go where Enemy units are; submarines alone are safe from those that
    do not patrol.

    Rules: 8.2a, 8.9d, 9.10a, 12.2.strategic-bomber-a, 12.2.air-transport-a
    """
    facts = s.facts
    for kind in kinds:
        if kind.attack is None:
            raise IllegalDecision(
                f"{kind.name} has no Attack of its own.", "12.2.strategic-bomber-a"
            )
    if goal in facts.sea_next:
        if not any(
            u.duty not in ("submerged", "declined") and not facts.units[u.type].submarine
            for u in enemies_in(s, nation, goal)
        ):
            raise IllegalDecision(
                f"No Enemy that these aircraft could attack is in {facts.name(goal)}.", "8.2a"
            )
        return
    if goal not in s.possession:
        raise IllegalDecision(f"There is no zone {facts.name(goal)} on the map.", "1.1a")
    if s.possession[goal] in side(s, nation).friends:
        raise IllegalDecision(
            f"{facts.name(goal)} is Friendly: a combat move has to lead to combat.", "8.2a"
        )
    verdict_on(s, nation, goal)
    if not s.stack(goal):
        raise IllegalDecision(f"No Enemy unit is in {facts.name(goal)}.", "8.2a")


def _check_bombers(s: State, nation: str, move: Move, kinds: list[UnitType]) -> None:
    """Bombers go for a facility or for land units, with fighters to escort them.

    Rules: 8.5a, 9.16a, 9.17a, 0.9.stratbomb-a, 12.2.medium-bomber-b, 12.2.fighter-c
    """
    facts, goal = s.facts, move.path[-1]
    if goal not in s.possession or s.possession[goal] in side(s, nation).friends:
        raise IllegalDecision(f"{facts.name(goal)} is no target for bombers.", "9.16a")
    verdict_on(s, nation, goal)
    for kind in kinds:
        if move.duty == "escort_bombers":
            if not kind.air_superiority:
                raise IllegalDecision(f"{kind.name} escorts no bombers.", "12.2.fighter-c")
        elif not (kind.strategic_dice if move.duty == "bomb" else kind.carpet_dice):
            raise IllegalDecision(
                f"{kind.name} cannot do that.", "9.16a" if move.duty == "bomb" else "9.17a"
            )
    if move.duty == "bomb" and move.target not in bombable(s, goal):
        raise IllegalDecision(f"There is no such target in {facts.name(goal)}.", "9.16a")
    if move.duty == "carpet" and not any(facts.units[u.type].land for u in s.stack(goal)):
        raise IllegalDecision(f"No land unit is in {facts.name(goal)}.", "9.17a")
    if move.duty == "escort_bombers" and not any(
        u.duty in ("bomb", "carpet") and u.nation in side(s, nation).friends for u in s.stack(goal)
    ):
        raise IllegalDecision("Escorts need bombers to escort.", "8.5a")


def _patrolling(s: State, nation: str, move: Move) -> bool:
    """Whether the units that a move names are on patrol there."""
    return any(
        u.nation == nation and u.duty == "patrol" and u.type in move.units
        for u in s.stack(move.path[0])
    )


def _check_from_patrol(s: State, nation: str, move: Move, kinds: list[UnitType]) -> None:
    """Aircraft on patrol engage Enemy ships in their sea zone, raid convoys or lay mines.

    Rules: 8.7c, 9.10a, 9.13a, 9.14a
    """
    zone = move.path[0]
    if move.duty in ("raid", "mine"):
        check_duty(s, nation, kinds, zone, move.duty)
    elif move.duty not in ("", "attack"):
        _refuse_duty("Aircraft on patrol")
    elif not any(
        s.facts.units[u.type].naval and u.duty not in ("submerged", "declined")
        for u in enemies_in(s, nation, zone)
    ):
        raise IllegalDecision(f"No Enemy ship is in {s.facts.name(zone)}.", "8.7c")
    pick(s, nation, zone, move.units, _on_patrol, rule="8.7c", why_not="patrol there")


def _on_patrol(unit: Unit) -> bool:
    return unit.duty == "patrol"


# --- ships ----------------------------------------------------------------------------------------


def _check_sea(s: State, nation: str, move: Move, kinds: list[UnitType]) -> None:
    """Ships attack, or announce what they do where their move ends.

    Rules: 8.2b, 8.2c, 8.8a, 8.8b, 8.9e, 8.9g, 8.10a, 0.5e, 9.11n
    """
    path, duty = move.path, move.duty or "attack"
    goal = path[-1]
    groups = ships(s, nation, move)
    check_voyage(s, nation, kinds, path, forcing=lambda a, b: may_force(s, nation, a, b))
    check_reach(s, groups, path)
    check_single_passage(s, nation, path, sum(move.units.values()))
    _check_passing(s, nation, kinds, path)
    if duty in DUTIES:
        _check_unhindered(s, nation, kinds, goal)
        check_duty(s, nation, kinds, goal, duty)
        if len(path) == 1 and all(group.unit.duty == duty for group in groups):
            raise IllegalDecision("They do that already.", "8.8b")
    elif duty == "screen":
        check_screen(s, nation, kinds, goal)
    elif duty == "follow":
        check_follow(s, nation, kinds, path, move.target)
        check_left(s, groups, path)
    elif duty == "bombard":
        _check_bombard(s, nation, move, kinds)
    elif duty == "declined":
        _check_slip(s, nation, kinds, path)
    elif duty == "attack":
        _check_battle(s, nation, goal, groups)
    else:
        _refuse_duty("Ships")
    if any(kind.decks for kind in kinds) and any(flying(s, nation)):
        check_landings(s, nation, path, groups, duty)


def ships(s: State, nation: str, move: Move) -> list[Group]:
    """The ships that make a move."""
    return pick(s, nation, move.path[0], move.units, lambda u: free(u) and carries(u, move.cargo))


def may_force(s: State, nation: str, here: str, there: str) -> bool:
    """Whether a closed strait may be forced, which is an attack on its owner.

    Rules: 15.6a, 15.6b
    """
    owner = forced_owner(s, nation, here, there)
    if not owner:
        return False
    return bool(attack_allowed(s, nation, owner, there).how)


def _check_passing(s: State, nation: str, kinds: list[UnitType], path: tuple[str, ...]) -> None:
    """Enemy surface ships stop ships that enter their zone, unless they are on escort duty;
    submarines pass.

    Rules: 8.9e, 8.10a, 9.11o
    """
    if all(kind.submarine for kind in kinds):
        return
    for zone in path[1:-1]:
        if zone in s.at and any(
            s.facts.units[u.type].surface and u.duty not in OFFSTAGE
            for u in enemies_in(s, nation, zone)
        ):
            raise IllegalDecision(
                f"Enemy ships are in {s.facts.name(zone)}: who enters it stops there.", "8.10a"
            )


def _check_unhindered(s: State, nation: str, kinds: list[UnitType], goal: str) -> None:
    """Surface ships take up a duty only where no Enemy ship has to be fought.

    Rules: 8.8a
    """
    if all(kind.submarine for kind in kinds):
        return
    if any(
        s.facts.units[u.type].surface and u.duty not in OFFSTAGE
        for u in enemies_in(s, nation, goal)
    ):
        raise IllegalDecision(
            f"Enemy ships are in {s.facts.name(goal)}: they have to be fought first.", "8.8a"
        )


def _check_battle(s: State, nation: str, goal: str, groups: list[Group]) -> None:
    """Ships that can fight go where Enemies are, or where a landing needs them.

    Rules: 8.2a, 8.9g, 0.5e
    """
    kinds = s.facts.units
    friends = side(s, nation).friends
    if not any(
        u.duty not in ("submerged", "declined") for u in enemies_in(s, nation, goal)
    ) and not any(u.duty in ("landing", "attack") and u.nation in friends for u in s.stack(goal)):
        raise IllegalDecision(
            f"No Enemy is in {s.facts.name(goal)}: a combat move has to lead to combat.", "8.2a"
        )
    if not any(kinds[g.unit.type].attack is not None or g.unit.cargo for g in groups) and not any(
        u.duty in ("attack", "screen") and u.nation in friends for u in s.stack(goal)
    ):
        raise IllegalDecision("Transports do not attack by themselves.", "8.4a")


def _check_slip(s: State, nation: str, kinds: list[UnitType], path: tuple[str, ...]) -> None:
    """Submarines enter a zone of the Enemy without a fight.

    Rules: 8.9a, 8.9e
    """
    if not all(kind.submarine for kind in kinds):
        raise IllegalDecision("Only submarines decline combat.", "8.9a")
    if len(path) < 2 or not hostile_sea(s, nation, path[-1]):
        raise IllegalDecision("There is no combat to decline.", "8.9e")


def _check_bombard(s: State, nation: str, move: Move, kinds: list[UnitType]) -> None:
    """Ships support a landing from their sea zone, one for each unit that lands.

    Rules: 8.2b, 9.8b, 9.9a, 9.9b
    """
    goal, zone = move.path[-1], move.target
    for kind in kinds:
        if not kind.bombard:
            raise IllegalDecision(f"{kind.name} does not bombard.", "9.9a")
    check_covered(s, nation, goal)
    friends = side(s, nation).friends
    landing = guns = 0
    for sea in s.facts.coast.get(zone, ()):
        for unit, count in s.stack(sea).items():
            if unit.nation in friends and unit.target == zone:
                if unit.duty == "landing":
                    landing += count * sum(piece.duty == "assault" for piece in unit.cargo)
                elif unit.duty == "bombard":
                    guns += count
    if goal not in s.facts.coast.get(zone, ()) or not landing:
        raise IllegalDecision(f"No landing is announced in {s.facts.name(zone)}.", "9.9a")
    if guns + sum(move.units.values()) > landing:
        raise IllegalDecision(
            f"{landing} units land in {s.facts.name(zone)}: no more ships bombard.", "9.9b"
        )


# --- carrying out ---------------------------------------------------------------------------------


def _carry_out(g: Table[State], move: Move) -> Procedure[None]:
    s = g.state
    nation = mover_of(s, move.nation)
    kinds = kinds_of(s, move.units)
    if move.against:
        _fall_out(g, nation, move.against, move.path[-1], verdict_at_sea(s, nation, move))
    if kinds[0].land:
        _march(g, nation, move)
    elif kinds[0].air:
        yield from _fly(g, nation, move)
    else:
        yield from _sail(g, nation, move)


def _tell(g: Table[State], nation: str, move: Move, path: tuple[str, ...]) -> None:
    g.emit(
        "attack_move",
        power=nation,
        units=move.units,
        path=path,
        duty=move.duty,
        target=move.target,
    )


def _march(g: Table[State], nation: str, move: Move) -> None:
    """Land units attack; what they blitz through is captured at once, what they annex, too.

    Rules: 8.2b, 0.9.annexation-a
    """
    s = g.state
    path = move.path
    if move.duty in ("rocket", "attrition"):
        for unit, count, _ in pick(s, nation, path[0], move.units, lambda u: not u.duty):
            s.change(path[0], unit, count, duty=move.duty, target=move.target)
        _tell(g, nation, move, path)
        return
    goal = path[-1]
    groups = pick(s, nation, path[0], move.units, free)
    own = s.possession[goal] in side(s, nation).friends
    verdict = Verdict("") if own else verdict_on(s, nation, goal, clash=move.duty == "clash")
    note_crossing(s, nation, path, sum(move.units.values()))
    _tell(g, nation, move, path)
    for zone in path[1:-1]:
        if s.possession[zone] in side(s, nation).foes:
            taken, how = taker(s, zone, nation)
            possess(g, zone, taken, how)
    peaceful = own or verdict.how == "annex"
    relocate(
        s,
        path,
        groups,
        "moved" if peaceful else "attack",
        move.duty if move.duty == "clash" else "",
    )
    if verdict.how == "annex":
        annex(g, nation, goal)
    elif not own:
        _begin_attack(g, nation, goal, verdict)


def _fly(g: Table[State], nation: str, move: Move) -> Procedure[None]:
    """Aircraft go where they attack or patrol.

    Rules: 8.3a, 8.5a, 8.7a, 8.7c, 1.24hump-a
    """
    s = g.state
    path = move.path
    if (
        len(path) == 1
        and path[0] in s.facts.sea_next
        and move.duty != "patrol"
        and _patrolling(s, nation, move)
    ):
        duty = move.duty or "attack"
        for unit, count, _ in pick(s, nation, path[0], move.units, _on_patrol):
            s.change(path[0], unit, count, duty=duty, target="patrol")
        _tell(g, nation, move, path)
        return
    groups = pick(s, nation, path[0], move.units, lambda unit: not unit.used and not unit.duty)
    _tell(g, nation, move, path)
    if path[-1] not in s.facts.sea_next:
        _begin_attack(g, nation, path[-1], verdict_on(s, nation, path[-1]))
    through = yield from hump(g, nation, path, move.units)
    groups = survivors(s, path[0], groups, through)
    relocate(s, path, groups, move.duty or "attack", move.target)


def _sail(g: Table[State], nation: str, move: Move) -> Procedure[None]:
    """Ships go where they fight or do their duty, unless somebody stops them on the way.

    Rules: 8.7f, 8.8a, 8.9e, 8.9f, 15.6a
    """
    s = g.state
    groups = ships(s, nation, move)
    path = move.path
    groups = yield from _force(g, nation, groups, path, path[0])
    groups = yield from run_the_guns(g, nation, groups, path)
    if not groups:
        return
    key = check_single_passage(s, nation, path, sum(move.units.values()))
    if key:
        s.done[key] = 1
    path, stopped = yield from _under_way(g, nation, groups, path)
    _tell(g, nation, move, path)
    duty, target = move.duty or "attack", move.target
    if stopped:
        under = all(s.facts.units[group.unit.type].submarine for group in groups)
        duty, target = "attack", FORCED if under else ""
    relocate(s, path, groups, duty, target)


def _under_way(
    g: Table[State], nation: str, groups: list[Group], path: tuple[str, ...]
) -> Procedure[tuple[tuple[str, ...], bool]]:
    """How far ships come on their path: submarines and patrols may stop them. Meanwhile nobody
    conducts diplomacy: it could give the ships to another nation."""
    s = g.state
    units: dict[str, int] = {}
    for unit, count, _ in groups:
        units[unit.type] = units.get(unit.type, 0) + count
    flies = any(unit.cargo and s.facts.units[unit.type].decks for unit, _, _ in groups)
    for i, zone in enumerate(path[1:-1], 2):
        met = zone in s.at and enemies_in(s, nation, zone)
        if not met:
            continue
        s.step = UNDER_WAY
        stopped = yield from challenge(g, nation, zone, units, flies=flies)
        s.step = ""
        if stopped:
            return path[:i], True
    return path, False


def _force(
    g: Table[State], nation: str, groups: list[Group], path: tuple[str, ...], start: str
) -> Procedure[list[Group]]:
    """Ships from `start` force their way through closed straits: each is attacked once.

    Rules: 15.6a, 15.6b
    """
    s = g.state
    for here, there in pairwise(path):
        closed = [
            group
            for group in groups
            if step_closed(s, nation, s.facts.units[group.unit.type], here, there)
        ]
        if not closed:
            continue
        owner = forced_owner(s, nation, here, there)
        go_to_war(g, nation, owner, declared=True)
        lines = tuple(
            RollLine(owner, group.unit.type, group.count, FORCING_VALUE, 12) for group in closed
        )
        faces = iter((yield from g.roll("forcing", lines)))
        g.emit("strait_forced", power=nation, against=owner, path=(here, there))
        kept: list[Group] = [group for group in groups if group not in closed]
        for group in closed:
            hits = sum(next(faces) <= FORCING_VALUE for _ in range(group.count))
            kept += strike(s, start, group, hits)
        groups = kept
    return groups


# --- cargo ----------------------------------------------------------------------------------------


def _plan_assault(s: State, sail: Sail) -> Voyage:
    """A voyage to an assault, through closed straits if they may be forced.

    Rules: 15.6a, 15.6b
    """
    nation = sail.nation or s.mover
    return plan_voyage(s, sail, lambda here, there: may_force(s, nation, here, there))


def check_assault(s: State, sail: Sail) -> None:
    """Whether a transport may sail to this amphibious assault.

    Rules: 8.2b, 8.4c, 8.4e, 8.10a
    """
    if not sail.offload:
        raise IllegalDecision("In combat movement a transport sails to an assault.", "8.4e")
    voyage = _plan_assault(s, sail)
    kinds = s.facts.units
    for piece in voyage.landed:
        if kinds[piece.type].attack is None:
            raise IllegalDecision(f"{s.facts.name(piece.type)} has no Attack.", "7.8.rockets-a")
        if s.possession[sail.offload] in side(s, piece.nation).friends:
            raise IllegalDecision(
                f"{s.facts.name(sail.offload)} is Friendly: there is nothing to assault.", "8.4e"
            )
        verdict_on(s, piece.nation, sail.offload)
    if sail.follow:
        kind = [kinds[sail.ship]]
        check_follow(s, voyage.nation, kind, sail.path, sail.follow)


def _assault(g: Table[State], sail: Sail) -> Procedure[None]:
    """A transport sails to an assault.

    Rules: 8.4e, 8.1a, 0.9.annexation-a
    """
    s = g.state
    voyage = _plan_assault(s, sail)
    nation = voyage.landed[0].nation
    group = Group(voyage.transport, 1)
    for here, there in pairwise(sail.path):
        if not (yield from _force(g, voyage.nation, [group], (here, there), sail.path[0])):
            drown(s, sail.path, sail.load, voyage.taken, here)
            return
    if sea := (yield from sunk_at(g, voyage.nation, sail.path)):
        s.destroy(sail.path[0], voyage.transport)
        drown(s, sail.path, sail.load, voyage.taken, sea)
        return
    path, stopped = yield from _under_way(g, voyage.nation, [group], sail.path)
    verdict = verdict_on(s, nation, sail.offload)
    sail_to_assault(s, sail, voyage, path, stopped=stopped)
    g.emit(
        "assault_announced",
        power=nation,
        path=(*path, sail.offload),
        units=[piece.type for piece in voyage.landed],
    )
    if not stopped:
        _begin_attack(g, nation, sail.offload, verdict)


def check_drop(s: State, drop: Airlift) -> None:
    """Whether an Airborne Assault may be flown.

    Rules: 8.4f, 9.15a
    """
    nation, _, _ = plan_airlift(s, drop)
    goal = drop.path[-1]
    if goal not in s.possession or s.possession[goal] in side(s, nation).friends:
        raise IllegalDecision(f"{s.facts.name(goal)} is no target for an assault.", "9.15a")
    verdict_on(s, nation, goal)


def _drop(g: Table[State], drop: Airlift) -> Procedure[None]:
    """An aircraft brings Airborne Infantry into battle.

    Rules: 8.4f, 9.15a, 1.24hump-a
    """
    s = g.state
    nation, plane, cargo = plan_airlift(s, drop)
    goal = drop.path[-1]
    _begin_attack(g, nation, goal, verdict_on(s, nation, goal))
    g.emit("airborne_assault", power=nation, path=drop.path, units={cargo.unit.type: 1})
    through = yield from hump(g, nation, drop.path, {drop.aircraft: 1})
    if not through[drop.aircraft]:
        s.destroy(drop.path[0], plane.unit)
        s.destroy(drop.load.zone, cargo.unit)
        return
    fly_to_assault(s, drop, plane, cargo)


# --- when all have moved --------------------------------------------------------------------------


def _finish(g: Table[State]) -> Procedure[None]:
    """The Defenders decide for submarines and patrols; the combats are listed; then they scramble.

    Rules: 8.10c, 8.10d, 8.6b, 8.7h
    """
    s = g.state
    s.step = UNDER_WAY
    nations = acting(s)
    naval: set[str] = set()
    waiting = _entered(s, nations)
    seen: set[str] = set()
    while waiting:
        zone = waiting.pop(0)
        if zone in seen:
            continue
        seen.add(zone)
        if (yield from respond(g, zone, nations)):
            naval.add(zone)
        else:
            waiting += _stand_down(s, zone, nations)
    s.planned = plan(s, nations, naval)
    yield from scramble(g, nations)
    s.step = ""
    eliminate(g)


def _entered(s: State, nations: tuple[str, ...]) -> list[str]:
    """The sea zones in which moves of these nations have ended."""
    return sorted(
        {
            zone
            for zone, unit in s.marked
            if unit.nation in nations
            and (unit.duty in ENTERED or unit.duty in STAYED)
            and zone in s.facts.sea_next
        }
    )


def _stand_down(s: State, zone: str, nations: tuple[str, ...]) -> list[str]:
    """Nobody is there to fight: attackers have moved, and who waited behind a screen goes on. The
    zones that are entered so."""
    entered: list[str] = []
    for unit, count in sorted(s.stack(zone).items()):
        if unit.nation not in nations:
            continue
        if unit.duty in ("attack", "screen") and unit.target != "patrol":
            s.change(zone, unit, count, duty="fought" if s.facts.units[unit.type].air else "moved")
        elif unit.duty == "follow":
            s.take(zone, unit, count)
            entered.append(unit.target)
            s.put(unit.target, _gone_on(s, unit, zone), count)
    return entered


def _gone_on(s: State, unit: Unit, zone: str) -> Unit:
    """A unit that goes on behind its screen: to land, or to fight.

    Rules: 9.7b, 9.7c
    """
    shores = [piece.target for piece in unit.cargo if piece.duty == "assault"]
    used = max(unit.used + 1, base_points(s, unit.nation, s.facts.units[unit.type]))
    return unit._replace(
        used=used,
        origin=zone,
        duty="landing" if shores else "attack",
        target=shores[0] if shores else "",
    )


def plan(s: State, nations: tuple[str, ...], naval: set[str]) -> tuple[tuple[str, str], ...]:
    """The combats to be fought, by what the units of these nations have been sent to do.

    Rules: 8.2a, 8.2b
    """
    found = {(zone, "naval") for zone in naval}
    for zone, unit in s.marked:
        if unit.nation not in nations:
            continue
        if unit.duty in ("rocket", "attrition"):
            found.add((unit.target.partition("/")[0], unit.duty))
        elif unit.duty == "landing":
            found |= {(p.target or unit.target, "land") for p in unit.cargo if p.duty == "assault"}
        elif (kind := COMBAT_OF.get(unit.duty)) is not None and not (
            kind == "land" and zone in s.facts.sea_next
        ):
            found.add((zone, kind))
    return tuple(sorted(found))
