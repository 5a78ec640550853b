"""The odds of battles for a player: as they stand, or after a move that is being thought about.

Imported when odds are asked for, because it brings NumPy along.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from msgspec.structs import replace

from sandtable.games.gw36 import words
from sandtable.games.gw36.facts import Facts
from sandtable.games.gw36.model import State
from sandtable.games.gw36.odds import Question, answer, in_progress
from sandtable.games.gw36.odds.policy import Policy
from sandtable.games.gw36.rules import scramble
from sandtable.games.gw36.rules.amphibious import landing
from sandtable.games.gw36.rules.battle import ATTACKING
from sandtable.games.gw36.rules.casualties import Casualties
from sandtable.games.gw36.rules.combat import GO_ON, Fight
from sandtable.games.gw36.rules.land_combat import in_order
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.retreat import Press
from sandtable.games.gw36.rules.terms import acting, enemies
from sandtable.games.gw36.rules.transports import Airlift, Sail
from sandtable.games.gw36.view import zone_name
from sandtable.kernel.decisions import Decision
from sandtable.kernel.display import NoQuestion, Odds
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.game import Game
from sandtable.odds.errors import OddsError
from sandtable.odds.result import ATTACKER, Result
from sandtable.odds.shown import RARE
from sandtable.odds.text import percent

MOST, SAMPLE = 60_000, 300
"""A battle in which more pairs of sides can stand at a time is estimated by so many at random."""

QUICK = 4_000
"""As many are counted where a clear battle is looked for."""
LARGE = 400
"""Units of the one side times those of the other, from which on that is not even tried."""

GIVEN = "both sides lose their cheapest units first and the attacker does not retreat"
UNDEFENDED = "Nobody defends it: it is taken without a fight."


def odds(game: Game, space: str, decision: Decision | None, power: str) -> Odds:
    """The odds of the battle in `space` as it stands, or after `decision` of `power`."""
    s: State = game.state
    if space not in s.facts.zones:
        raise NoQuestion("There is no battle here.")
    kind = "naval" if s.facts.zones[space].sea else "land"
    try:
        if isinstance(decision, Fight):
            space, kind = decision.space, decision.combat
            if kind not in GO_ON:
                raise NoQuestion("There are no odds for this combat.")
        elif isinstance(decision, Casualties) and s.battle is not None and s.battle.at == space:
            read = _read(game, decision, power)
            if len(game.pending) > 1:
                raise NoQuestion("Others have to decide as well.")
            result = in_progress(game, (power, read), most=MOST, sample=SAMPLE)
            return _told(s, space, result, s.battle.attackers, ())
        elif decision is not None and not isinstance(decision, Press):
            s, space = _after(game, space, decision, power)
            kind = "naval" if s.facts.zones[space].sea else "land"
        elif s.battle is not None and s.battle.at == space and s.battle.kind == kind:
            attackers = s.battle.attackers
            result = in_progress(game, most=MOST, sample=SAMPLE)
            return _told(s, space, result, attackers, ())
        return _planned(s, space, kind)
    except OddsError as error:
        raise NoQuestion(str(error)) from None


def quick_chance(s: State, zone: str, kind: str) -> float | None:
    """The attacker's chance to win a battle that is to be fought, or that goes on after a round;
    None if that is not to be had, or not quickly."""
    nations = acting(s)
    theirs = sum(count for unit, count in s.stack(zone).items() if unit.nation not in nations)
    ours = sum(s.stack(zone).values()) - theirs
    if not theirs:
        return 1.0
    if ours * theirs > LARGE:
        return None
    copy = s.copy()
    if s.battle is None:
        copy.planned, copy.step = ((zone, kind),), f"{kind} {zone}"
    try:
        return answer(Question(copy, zone, Policy(), most=QUICK)).attacker_wins
    except OddsError:
        return None


def _read(game: Game, decision: Decision, power: str) -> Decision:
    """The decision as the rules take it."""
    request = next((request for request in game.pending if request.power == power), None)
    if request is None:
        raise NoQuestion("Nothing waits for you just now.")
    try:
        return game.legal(request).read(decision)
    except IllegalDecision as error:
        raise NoQuestion(error.reason) from None


def _after(game: Game, space: str, decision: Decision, power: str) -> tuple[State, str]:
    """The position after a combat move, and the zone of its battle; other decisions let dice
    fall, and the position stays as it is."""
    if not any(each.power == power and each.kind == "combat_move" for each in game.pending):
        raise NoQuestion("Only combat moves can be thought through.")
    read = _read(game, decision, power)
    if not isinstance(read, Move | Sail | Airlift):
        return game.state, space
    copy = game.clone()
    copy.submit(power, read)
    if isinstance(read, Sail) and read.offload:
        space = read.offload
    return copy.state, space


def _planned(s: State, zone: str, kind: str) -> Odds:
    """A battle that has not begun, with the units that are there."""
    nations = acting(s)
    ours = {u.nation for u in s.stack(zone) if u.duty in ATTACKING and u.nation in nations}
    notes = []
    if kind == "land":
        for sea, ships in landing(s, zone).items():
            ours |= {ship.nation for ship in ships}
            if _hostile(s, sea, ours):
                notes.append(f"If the landing force gets through {zone_name(s.facts, sea)}.")
    if not ours:
        raise NoQuestion("Nobody attacks here.")
    attackers = tuple(sorted(ours, key=in_order(s)))
    if kind == "naval" and not _hostile(s, zone, ours):
        raise NoQuestion("There is no enemy here.")
    if not any(unit.nation not in ours for unit in s.stack(zone)):
        return Odds(_title(s, zone, attackers), 1.0, 0.0, lines=(UNDEFENDED,))
    copy = s.copy()
    copy.battle = None
    copy.planned, copy.step = ((zone, kind),), f"{kind} {zone}"
    territory = float(s.facts.zones[zone].ipp)
    helped = None
    if s.phase == "combat_move":
        notes.append("With the units that are there now.")
        more = _scrambled(copy, attackers)
        if more is not None:
            helped = answer(Question(more, zone, Policy(), territory, MOST, SAMPLE)).attacker_wins
    q = Question(copy, zone, Policy(), territory, MOST, SAMPLE)
    told = _told(s, zone, answer(q), attackers, tuple(notes))
    if helped is None:
        return told
    return replace(told, given=f"{told.given}, and nobody scrambles", helped=helped)


def _scrambled(s: State, attackers: tuple[str, ...]) -> State | None:
    """The position with all aircraft in the battle that may scramble to it; None if none may."""
    asked = scramble.requests(s, attackers)
    if not asked:
        return None
    copy = s.copy()
    for base, zones in (row for request in asked for row in request.bases):
        free = scramble.ready(copy, base)
        left = scramble.limit(copy, base)
        for type_ in scramble.able(copy, base, zones[0]):
            count = min(free.get(type_, 0), left)
            if count:
                flight = scramble.Flight(base, zones[0], {type_: count})
                scramble.send(copy, flight, copy.possession[base], type_, count)
                left -= count
    return copy


def _hostile(s: State, zone: str, ours: set[str]) -> bool:
    return any(enemies(s, one, unit.nation) for unit in s.stack(zone) for one in ours)


def _title(s: State, zone: str, attackers: tuple[str, ...]) -> str:
    verb = "attacks" if len(attackers) == 1 else "attack"
    who = " and ".join(s.facts.name(nation) for nation in attackers)
    return f"{who} {verb} in {zone_name(s.facts, zone)}"


def hopeless(facts: Facts, ours: Collection[str], theirs: Collection[str]) -> str:
    """Why these types of units cannot beat those at sea, whatever the dice show; or empty."""
    kinds = facts.units
    if all(kinds[type_].submarine for type_ in ours) and any(kinds[type_].air for type_ in theirs):
        return "Submarines cannot hit aircraft."
    return ""


def _told(
    s: State, zone: str, result: Result, attackers: tuple[str, ...], notes: tuple[str, ...]
) -> Odds:
    """A result in words."""
    lines = []
    if s.facts.zones[zone].sea and result.attacker_wins < RARE:
        why = hopeless(s.facts, result.attacker_start, result.defender_start)
        lines += [why] if why else []
    if not s.facts.zones[zone].sea:
        lines.append(f"Takes the zone: {percent(result.takes_territory)}.")
    lines.append(
        f"The attacker loses units worth {result.attacker_loss:.1f} IPP on average, the defender "
        f"{result.defender_loss:.1f}."
    )
    left = _likely_left(result)
    if left:
        lines.append(f"After a victory most likely left: {words.units(s.facts, left)}.")
    lines.append(f"It lasts {result.rounds:.1f} rounds on average.")
    note = [*notes]
    given = GIVEN
    if s.facts.zones[zone].sea and any(
        s.facts.units[type_].submarine for type_ in result.defender_start
    ):
        given = f"{GIVEN}, and submarines stay and fight"
    if not result.exact:
        note.append(f"Estimated from {result.runs:,} battles, ±{100 * result.error:.1f} %.")
    return Odds(
        _title(s, zone, attackers),
        result.attacker_wins,
        result.defender_wins,
        result.draw,
        tuple(lines),
        f"loses {result.attacker_loss:.1f}, destroys {result.defender_loss:.1f} IPP",
        exact=result.exact,
        given=given,
        note=" ".join(note),
    )


def _likely_left(result: Result) -> dict[str, int]:
    """The likeliest survivors of an attacker that wins."""
    ends = result.distribution
    wins = np.flatnonzero(ends.ending == ATTACKER)
    if not len(wins):
        return {}
    counts = zip(result.attacker_types, ends.attacker[wins[0]].tolist(), strict=True)
    return {type_: n for type_, n in counts if n}
