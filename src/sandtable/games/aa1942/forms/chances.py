"""The odds of battles for a player: as they stand, or after a move that is being thought about.

Imported when odds are asked for, because it brings NumPy along.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec import structs

from sandtable.board.words import listed
from sandtable.games.aa1942.facts import Facts
from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.odds import answer, in_progress, question, raid
from sandtable.games.aa1942.odds.book import SEABORNE, book_of
from sandtable.games.aa1942.odds.land import answer_land
from sandtable.games.aa1942.odds.policy import Policy
from sandtable.games.aa1942.odds.progress import RESTS, counted_side, damaged_ships, on_foot
from sandtable.games.aa1942.odds.questions import Question
from sandtable.games.aa1942.odds.sea import answer_sea
from sandtable.games.aa1942.rules.assault import launching_zones
from sandtable.games.aa1942.rules.casualties import Casualties
from sandtable.games.aa1942.rules.combat import Battle
from sandtable.games.aa1942.rules.conduct_combat import other_battles
from sandtable.games.aa1942.rules.movement import Move
from sandtable.games.aa1942.rules.raids import raided
from sandtable.games.aa1942.rules.spaces import enemies_in, hostile_territory, hostile_zone
from sandtable.games.aa1942.rules.transports import Sail, may_ignore_submarines
from sandtable.games.aa1942.view import battlefield
from sandtable.games.aa1942.words import power_name, units_in_words
from sandtable.kernel.decisions import Decision
from sandtable.kernel.display import NoQuestion, Odds
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.game import Game
from sandtable.odds.errors import OddsError
from sandtable.odds.result import ATTACKER, Result
from sandtable.odds.shown import RARE
from sandtable.odds.text import percent

SAMPLE = 20_000
"""Battles that are fought at random where the exact answer is out of reach."""

UNDEFENDED = "Nobody defends it: it is taken without a fight."
GIVEN = "both sides lose their cheapest units first and the attacker does not retreat"
STAY = "the defender's submarines stay and fight"


LOW_LUCK = "With the usual dice: with low luck, results this far from the average are rarer."


def odds(game: Game, space: str, decision: Decision | None, power: str) -> Odds:
    """The odds of the battle in `space` as it stands, or after `decision` of `power`. They are
    those of the usual dice, and say so where the game is played with low luck."""
    told = _odds(game, space, decision, power)
    if game.state.options["luck"] != "low":
        return told
    return structs.replace(told, exact=False, note=f"{LOW_LUCK} {told.note}".strip())


def _odds(game: Game, space: str, decision: Decision | None, power: str) -> Odds:
    s: State = game.state
    if space not in s.facts.neighbours:
        raise NoQuestion("There is no battle here.")
    # Before the raids are flown, a battle in the same territory is what is asked about.
    bombing = s.step == "raids" or (space in raided(s) and space not in other_battles(s)[0])
    try:
        rests = _resting(game) == space and not bombing
        if decision is not None:
            read = _read(game, decision, power)
            if rests and isinstance(read, Casualties):
                return _told(s, space, *_both(game, s, space, read))
            s, space, bombing = _after(game, space, read, power)
        elif rests:
            return _told(s, space, *_both(game, s, space))
        if bombing:
            return _raid(s, space)
        zones = launching_zones(s, space)
        return _assault(s, space, zones) if zones else _battle(s, space)
    except OddsError as error:
        raise NoQuestion(str(error)) from None


def quick_chance(s: State, space: str) -> float | None:
    """The attacker's chance to win what is fought in a space; None if that is not to be had."""
    try:
        if s.step == "raids":
            return None
        zones = launching_zones(s, space)
        if zones:
            return _assault(s, space, zones).win
        result = _fight(s, space)
        return 1.0 if result is None else result.attacker_wins
    except (NoQuestion, OddsError):
        return None


def _read(game: Game, decision: Decision, power: str) -> Decision:
    """The decision as the rules take it."""
    request = next((request for request in game.pending if request.power == power), None)
    if request is None:
        raise NoQuestion(
            f"{power_name(game.state.facts, power, start=True)} has nothing to decide."
        )
    try:
        return game.legal(request).read(decision)
    except IllegalDecision as error:
        raise NoQuestion(error.reason) from None


def _after(game: Game, space: str, read: Decision, power: str) -> tuple[State, str, bool]:
    """The position after a move, the space of its battle, and whether it is a raid.

    Other decisions than moves let dice fall: for them the position stays as it is.
    """
    s: State = game.state
    if not isinstance(read, Move | Sail):
        return s, space, s.step == "raids"
    copy = game.clone()
    copy.submit(power, read)
    if isinstance(read, Sail):
        return copy.state, read.offload or space, False
    return copy.state, space, read.raid


def _resting(game: Game) -> str:
    """The space of the battle in which the game rests, if it does."""
    request: Any = next(iter(game.pending), None)
    if request is None or request.kind not in RESTS:
        return ""
    return str(request.territory if request.kind == "choose_bombardment" else request.space)


# --- battles -------------------------------------------------------------------------------------


def _battle(s: State, space: str) -> Odds:
    """A battle on land or at sea with the units that are there."""
    result = _fight(s, space)
    if result is None:
        return Odds(_title(s, space), 1.0, 0.0, lines=(UNDEFENDED,), losses="not defended")
    return _told(s, space, result, _fight(s, space, "submerge") if _may_dive(s, space) else None)


def _both(
    game: Game, s: State, space: str, chosen: Casualties | None = None
) -> tuple[Result, Result | None]:
    """The battle in which the game rests; and if the defender's submarines submerge."""
    result = in_progress(game, chosen=chosen)
    if not _may_dive(s, space):
        return result, None
    return result, in_progress(game, chosen=chosen, defend_subs="submerge")


def _may_dive(s: State, space: str) -> bool:
    """Whether submarines of the defender can get away under water."""
    strip = Battle(s, space)
    return (
        strip.sea
        and strip.has(strip.defenders, "submarine")
        and not strip.has(strip.attackers, "destroyer")
    )


def _hopeless(s: State, space: str) -> str:
    """Why the attacker cannot win at all; empty if the dice decide."""
    strip = Battle(s, space)
    ours = {unit.type for unit in strip.combat_units(strip.attackers, attacking=True)}
    theirs = {unit.type for unit in strip.combat_units(strip.defenders, attacking=False)}
    return hopeless(s.facts, ours, theirs) if strip.sea and ours else ""


def hopeless(facts: Facts, ours: set[str], theirs: set[str]) -> str:
    """Why these types of units cannot beat those at sea, whatever the dice show; or empty."""
    kinds = facts.units
    if "submarine" in theirs and all(kinds[type_].domain == "air" for type_ in ours):
        return "Aircraft cannot hit submarines without a destroyer beside them."
    if ours == {"submarine"} and any(kinds[type_].domain == "air" for type_ in theirs):
        return "Submarines cannot hit aircraft."
    return ""


def _fight(s: State, space: str, subs: str = "strike") -> Result | None:
    """The outcome of a battle; None if attackers walk into a territory that nobody defends."""
    strip = Battle(s, space)
    if not strip.attackers:
        raise NoQuestion("Nobody attacks here.")
    if not strip.defenders:
        if not strip.sea and hostile_territory(s, space, s.turn):
            return None
        raise NoQuestion("There is no enemy here.")
    if not strip.combat_units(strip.attackers, attacking=True):
        raise NoQuestion("Nobody here can attack.")
    b = book_of(s.facts)
    attack = counted_side(b, strip.attackers)
    landed = {kind: n for kind, n in attack.items() if kind.endswith(SEABORNE)}
    q = Question(
        b,
        {kind: n for kind, n in attack.items() if kind not in landed},
        counted_side(b, strip.defenders),
        Policy(can_retreat=bool(strip.retreat_spaces()) or not on_foot(strip), defend_subs=subs),
        strip.sea,
        damaged=(damaged_ships(strip.attackers), damaged_ships(strip.defenders)),
        territory=float(s.facts.spaces[space].ipc),
        sample=SAMPLE,
        begun=bool(s.battle) and battlefield(s) == space,
    )
    return answer_sea(q) if strip.sea else answer_land(q, landed)


def _title(s: State, space: str) -> str:
    attacker = power_name(s.facts, s.turn, start=True)
    return f"{attacker} attacks in {s.facts.name(space)}"


def _told(s: State, space: str, result: Result, dived: Result | None = None) -> Odds:
    """A result in words; and what it would be if the defender's submarines submerged."""
    lines = _summary(s, space, result) if result.defender_start else [UNDEFENDED]
    notes = [*result.notes]
    given = GIVEN
    if result.attacker_wins < RARE and (why := _hopeless(s, space)):
        lines.insert(0, why)
    if dived is not None:
        given = f"{GIVEN}, and {STAY}"
        lines.insert(
            0,
            f"If the defender's submarines submerge: {percent(dived.attacker_wins)} to win, "
            f"{percent(dived.draw)} that nobody does.",
        )
    if not result.exact:
        notes.append(f"Estimated from {result.runs:,} battles, ±{100 * result.error:.1f} %.")
    return Odds(
        _title(s, space),
        result.attacker_wins,
        result.defender_wins,
        result.draw,
        tuple(lines),
        f"loses {result.attacker_loss:.1f}, destroys {result.defender_loss:.1f} IPCs",
        exact=result.exact,
        given=given if result.defender_start else "",
        note=" ".join(notes),
    )


def _summary(s: State, space: str, result: Result) -> list[str]:
    facts = s.facts
    lines = []
    if not facts.spaces[space].sea:
        lines.append(f"Takes the territory: {percent(result.takes_territory)}.")
    who = power_name(facts, s.turn, start=True)
    lines.append(
        f"{who} loses units worth {result.attacker_loss:.1f} IPCs on average, "
        f"the defender {result.defender_loss:.1f}."
    )
    left = _likely_left(result)
    if left and result.attacker_wins >= RARE:
        lines.append(f"After a victory most likely left: {units_in_words(facts, left)}.")
    lines.append(f"It lasts {result.rounds:.1f} rounds on average.")
    return lines


def _likely_left(result: Result) -> dict[str, int]:
    """The likeliest survivors of an attacker that wins."""
    ends = result.distribution
    wins = np.flatnonzero(ends.ending == ATTACKER)
    left: dict[str, int] = {}
    if len(wins):
        for kind, count in zip(result.attacker_types, ends.attacker[wins[0]], strict=True):
            if count:
                name = kind.removesuffix(SEABORNE)
                left[name] = left.get(name, 0) + int(count)
    return left


# --- landings ------------------------------------------------------------------------------------


def _assault(s: State, territory: str, zones: list[str]) -> Odds:
    """An amphibious assault: the battles at sea first, or the bombardment, then the land."""
    strip = Battle(s, territory)
    b = book_of(s.facts)
    ashore = counted_side(b, strip.attackers)
    defenders = counted_side(b, strip.defenders)
    landing: list[dict[str, int]] = []
    ships: dict[str, int] = {}
    fought: list[str] = []
    for zone in zones:
        loads = _loads(s, zone, territory)
        landing += loads
        if _fights_at_sea(s, zone):
            fought.append(zone)
        elif zone not in s.fought:
            _add(ships, _bombarding(s, zone))
    value = float(s.facts.spaces[territory].ipc)
    if not fought:
        q = question(ashore, defenders, landing=landing, fleet=ships, territory=value, data=b)
        return _told(s, territory, answer(q))
    if zones == fought and len(zones) == 1:
        try:
            fleet, guard = _fleets(s, zones[0], len(landing))
            q = question(
                ashore,
                defenders,
                landing=landing,
                fleet=fleet,
                fleet_defend=guard,
                fight_at_sea=True,
                territory=value,
                sample=SAMPLE,
                data=b,
            )
            return _at_sea_first(s, territory, zones[0], answer(q))
        except OddsError:
            pass  # too many ends for one answer
    at_sea = [_battle(s, zone) for zone in fought]
    result = answer(question(ashore, defenders, landing=landing, territory=value, data=b))
    through = float(np.prod([each.win for each in at_sea]))
    told = _told(s, territory, result)
    where = listed(s.facts.name(zone) for zone in fought)
    return Odds(
        told.title,
        through * told.win,
        1 - through * (told.win + told.draw),
        through * told.draw,
        (f"First the battle at sea in {where} is won: {percent(through)}.", *told.lines),
        told.losses,
        exact=False,
        given=GIVEN,
        note="Reckoned as if no transport were lost in a battle at sea that is won.",
    )


def _at_sea_first(s: State, territory: str, zone: str, result: Result) -> Odds:
    told = _told(s, territory, result)
    sea = result.stages["sea"]
    won = f"First the battle in {s.facts.name(zone)} is won: {percent(sea.attacker_wins)}."
    return structs.replace(told, lines=(won, *told.lines))


def _loads(s: State, zone: str, territory: str) -> list[dict[str, int]]:
    """What each transport in a zone is to land; the least valuable first, it is lost first."""
    kinds = s.facts.units
    loads: list[dict[str, int]] = []
    for unit, count in s.stack(zone).items():
        if unit.duty == "landing" and unit.target == territory:
            load: dict[str, int] = {}
            for piece in unit.cargo:
                if piece.duty == "assault":
                    load[piece.type] = load.get(piece.type, 0) + 1
            loads += [load] * count
    return sorted(loads, key=lambda load: sum(kinds[type_].cost * n for type_, n in load.items()))


def _fights_at_sea(s: State, zone: str) -> bool:
    """Whether there has to be a battle in the zone of a landing."""
    if zone in s.fought or zone in s.ignored or not enemies_in(s, zone, s.turn):
        return False
    return hostile_zone(s, zone, s.turn) or not may_ignore_submarines(s, zone)


def _bombarding(s: State, zone: str) -> dict[str, int]:
    kinds = s.facts.units
    ships: dict[str, int] = {}
    for unit, count in s.stack(zone).items():
        if unit.power == s.turn and kinds[unit.type].bombard and not unit.duty:
            ships[unit.type] = ships.get(unit.type, 0) + count
    return ships


def _fleets(s: State, zone: str, transports: int) -> tuple[dict[str, int], dict[str, int]]:
    """Both fleets in the zone of a landing; only transports that land are counted."""
    strip = Battle(s, zone)
    b = book_of(s.facts)
    fleet = counted_side(b, strip.attackers)
    if fleet.pop("transport", 0) < transports:
        raise OddsError("Transports of an ally do not fight.")
    return {**fleet, "transport": transports}, counted_side(b, strip.defenders)


def _add(total: dict[str, int], more: Mapping[str, int]) -> None:
    for type_, count in more.items():
        total[type_] = total.get(type_, 0) + count


# --- raids ---------------------------------------------------------------------------------------


def _raid(s: State, space: str) -> Odds:
    """A bombing raid: the chance that bombs fall, and what they do."""
    number = {
        duty: sum(n for u, n in s.stack(space).items() if u.duty == duty)
        for duty in ("escort", "intercept")
    }
    bombers = sum(n for u, n in s.stack(space).items() if u.duty == "raid" and u.type == "bomber")
    if not bombers:
        raise NoQuestion("No bomber raids this territory.")
    found = raid(
        bombers,
        escorts=number["escort"],
        interceptors=number["intercept"],
        ipc=s.facts.spaces[space].ipc,
        damage=s.complexes[space],
        data=book_of(s.facts),
    )
    hit = float(found.probability[found.damage > 0].sum())
    lost = bombers - found.expected_bombers
    cost = s.facts.units["bomber"].cost
    lines = [
        f"{found.expected_damage:.1f} points of damage on average.",
        f"{lost:.2f} of {bombers} bombers are lost on average, {lost * cost:.1f} IPCs.",
    ]
    helped, given = None, ""
    able = sum(
        n
        for u, n in s.stack(space).items()
        if u.type == "fighter" and u.power in s.facts.enemies[s.turn] and not u.duty
    )
    if s.options["interceptors"] and able and s.step in ("", "interceptors"):
        risen = raid(
            bombers,
            escorts=number["escort"],
            interceptors=number["intercept"] + able,
            ipc=s.facts.spaces[space].ipc,
            damage=s.complexes[space],
            data=book_of(s.facts),
        )
        helped = float(risen.probability[risen.damage > 0].sum())
        given = "no fighter rises to intercept"
    return Odds(
        f"Bombing raid on {s.facts.name(space)}",
        hit,
        1 - hit,
        lines=tuple(lines),
        losses=f"loses {lost * cost:.1f} IPCs, does {found.expected_damage:.1f} damage",
        outcome="to do damage",
        given=given,
        helped=helped,
        note="A raid is not won or lost: this is the chance that it does damage.",
    )
