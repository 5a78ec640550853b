"""From a question as it is asked to a combat that is about to begin."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandtable.games.gw75.facts import Facts, load_facts
from sandtable.games.gw75.model import Force, LandBattle, Mission, SeaBattle, State, Unit
from sandtable.games.gw75.odds import board
from sandtable.games.gw75.odds.policy import Policy, read_policy
from sandtable.games.gw75.rules import (
    attacks,
    bombing,
    land_combat,
    naval_combat,
    overrun,
    retreat,
    supply,
    transit,
)
from sandtable.games.gw75.rules.naval_results import attack_of, defense_of
from sandtable.games.gw75.rules.naval_zones import Part, strikers
from sandtable.games.gw75.rules.terms import commander, tally
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table
from sandtable.odds.errors import OddsError
from sandtable.odds.force import read_force

MOST = 20_000
"""A combat that can take more courses is not fought exactly."""
KINDS = ("land", "overrun", "naval", "transit", "air")
Given = str | Mapping[str, int] | Sequence[str | Mapping[str, int]]
"""Units, in one stack or several."""
Numbers = dict[str, int]

ABBREVIATIONS = {
    "mechanised": "mech",
    "armor": "mech",
    "tank": "mech",
    "self defence": "sd",
    "militia": "sd",
    "fortification": "fort",
    "bomber": "lrb",
    "air defence": "ad",
    "sub": "ss",
    "u boat": "ss",
    "merchant": "ms",
    "merchant ship": "ms",
    "surfa": "surf_a",
    "surfb": "surf_b",
    "carrier": "surf_a",
}


@dataclass(frozen=True)
class Question:
    """A combat that is about to begin, or that has begun."""

    state: State
    kind: str
    """land, overrun, naval, transit or air."""
    targets: tuple[str, ...]
    attackers: frozenset[str]
    """The nations that attack, and whose losses are the attacker's."""
    sides: tuple[Numbers, Numbers]
    """Type to number of those who take part, in the state."""
    policy: Policy
    procedure: Callable[[Table[State]], Procedure[Any]]
    territory: float = 0.0
    most: int = MOST
    notes: tuple[str, ...] = ()


def question(
    attack: Given = "",
    defend: Given = "",
    *,
    kind: str = "",
    hex: str = "",
    origin: str = "",
    terrain: str = "",
    season: str = "",
    turn: int = 0,
    landing: bool = False,
    stand_fast: bool = False,
    surrounded: bool = False,
    port: int = 0,
    snort: bool = False,
    bomb: bool = False,
    attacker: str = "germany",
    defender: str = "",
    territory: float = 0.0,
    most: int = MOST,
    data: str | Path | None = None,
    **options: Any,
) -> Question:
    """Read a question; OddsError with one sentence if there is anything wrong with it.

    Forces are text ("8 inf, 2 mech", Strength Points or fleets) or mappings from types to numbers;
    with "/" or "+" between them, or as a list, they are stacks in several hexes. `kind` is land,
    overrun, naval, transit or air; without it, what the units suggest. The combat is for `hex` (a
    number or a place, several with "/"), which the attackers of a land attack come into from
    `origin`; without one for a hex with that `terrain`. `season` is that of the Weather Area,
    first_winter the one after the invasion of the USSR; `turn` says more, such as how far ASW units
    reach. `landing`: the attackers come by Amphibious Assault. `stand_fast`: the defenders are so
    ordered. `surrounded`: they have no way to retreat. `port`: hexes from the attackers' ships to
    their nearest port. `snort`: submarines in transit are in the Snort Mode. `bomb`: the bombers
    carry an atomic bomb. `data` is a folder whose data files take the place of the game's own; the
    other options are those of `Policy`.
    """
    facts = load_facts(Path(data) if data is not None else None)
    ours = _stacks(facts, attack, "attacker")
    theirs = _stacks(facts, defend, "defender")
    kind = kind or _kind(facts, [*ours, *theirs])
    _check(facts, kind, ours, theirs)
    policy = read_policy(facts, options)
    us = board.read_nation(facts, attacker)
    them = board.read_nation(facts, defender or _other(facts, us, kind))
    at = board.read_hexes(facts, hex)
    if terrain and (at or kind not in ("land", "overrun")):
        raise OddsError("A terrain is for a land attack for which no hex is named.")
    for given, name, of in (
        (landing, "landing", ("land",)),
        (stand_fast, "Stand Fast order", ("land",)),
        (surrounded, "surrounded stack", ("land",)),
        (origin, "origin", ("land", "overrun")),
        (snort, "Snort Mode", ("transit",)),
        (bomb, "atomic bomb", ("air",)),
        (port, "distance from port", ("naval", "transit")),
    ):
        if given and kind not in of:
            raise OddsError(f"There is no {name} in a question about {kind} combat.")
    when = board.season_turn(facts, season, turn)
    if kind in ("land", "overrun"):
        found = _land(
            facts, us, them, ours, theirs, when, kind, at, board.read_hexes(facts, origin),
            terrain or ("coast" if landing else "inland"),
            landing=landing, stand_fast=stand_fast, surrounded=surrounded,
            first=season == "first_winter",
        )  # fmt: skip
    elif kind == "air":
        found = _air(facts, us, them, ours, theirs, when, at, bomb)
    else:
        found = _naval(facts, us, them, ours, theirs, when, kind, at, port, snort)
    s, targets, procedure, notes = found
    sides = sides_of(s, targets, frozenset({us}))
    several = len({part[0] for part in s.land.force}) > 1 if s.land else False
    notes = (*notes, policy.words(kind, several))
    return Question(
        s, kind, targets, frozenset({us}), sides, policy, procedure, territory, most, notes
    )


Found = tuple[State, tuple[str, ...], Callable[[Table[State]], Procedure[Any]], tuple[str, ...]]


# --- reading --------------------------------------------------------------------------------------


def _stacks(facts: Facts, given: Given, of: str) -> list[Numbers]:
    names = {short: type for short, type in ABBREVIATIONS.items() if type in facts.types}
    for id, type in facts.types.items():
        names[id.replace("_", " ")] = names[type.name.lower().replace("-", " ")] = id
    if isinstance(given, str):
        given = re.split(r"[/+]", given)
    elif isinstance(given, Mapping):
        given = [given]
    return [found for each in given if (found := read_force(each, names, of))]


def _kind(facts: Facts, stacks: list[Numbers]) -> str:
    domains = {facts.types[type].domain for stack in stacks for type in stack}
    return "air" if "air" in domains else "naval" if "naval" in domains else "land"


def _check(facts: Facts, kind: str, ours: list[Numbers], theirs: list[Numbers]) -> None:
    if kind not in KINDS:
        raise OddsError(f"A question is about {', '.join(KINDS)}; not {kind!r}.")
    if not ours:
        raise OddsError("The attacker has no units.")
    if not theirs and kind != "air":
        raise OddsError("The defender has no units.")
    domain = {"overrun": "land", "transit": "naval"}.get(kind, kind)
    for whose, stacks in (("attacker", ours), ("defender", theirs)):
        for type in (type for stack in stacks for type in stack):
            unit = facts.types[type]
            if unit.domain != domain:
                raise OddsError(f"{unit.name} units have no part in {kind} combat.")
            if whose == "attacker" and (not unit.attack or type == "ad"):
                raise OddsError(f"{unit.name} units do not attack.")
            if whose == "defender" and type == "lrb":
                raise OddsError("Long Range Bombers do not defend.")
    if kind == "overrun" and len(ours) > 1:
        raise OddsError("An overrun is made by one stack (5.61).")
    if kind != "land" and len(theirs) > 1:
        raise OddsError(f"In {kind} combat one hex is attacked.")
    if domain != "land":
        return
    numbers = facts.numbers
    for stack in (*ours, *theirs):
        if sum(stack.values()) > numbers.stack:
            raise OddsError(
                f"A hex holds {numbers.stack} Strength Points, not {sum(stack.values())} (7.0)."
            )
        if stack.get("fort", 0) > numbers.fort_stack:
            raise OddsError(f"A hex holds {numbers.fort_stack} points of Fortifications (7.36).")


def _other(facts: Facts, us: str, kind: str) -> str:
    if facts.nations[us].side != "axis":
        return "germany"
    return "france" if kind in ("land", "overrun") else "commonwealth"


# --- on land --------------------------------------------------------------------------------------


def _land(
    facts: Facts,
    us: str,
    them: str,
    ours: list[Numbers],
    theirs: list[Numbers],
    turn: int,
    kind: str,
    at: tuple[str, ...],
    start: tuple[str, ...],
    terrain: str,
    *,
    landing: bool,
    stand_fast: bool,
    surrounded: bool,
    first: bool,
) -> Found:
    """The attackers next to the defenders, or among them if they have landed."""
    if terrain not in board.TERRAINS:
        raise OddsError(f"A terrain is one of {', '.join(board.TERRAINS)}; not {terrain!r}.")
    for stacks, hexes, whose in ((theirs, at, "defenders"), (ours, start, "attackers")):
        if hexes and len(hexes) != len(stacks):
            raise OddsError(
                f"Each stack of {whose} is in a hex of its own: {len(hexes)} for {len(stacks)}."
            )
    if landing and (len(ours) > 1 or len(theirs) > 1 or start):
        raise OddsError("A landing is one stack in one hex, and comes from the sea (5.57).")
    for hex in at:
        if not facts.hexes[hex].dry:
            raise OddsError(f"There is no land in {facts.name(hex)}.")
        if landing and not facts.hexes[hex].wet:
            raise OddsError(f"{facts.name(hex)} has no coast to land on.")
        if stand_fast and facts.hexes[hex].kind == "island":
            raise OddsError(f"Nobody stands fast on {facts.name(hex)}: it is an island (8.8).")
    if landing and terrain != "coast":
        raise OddsError("A landing is made on a coast.")
    targets, origins = at, start
    if not (landing and at):
        targets, origins = board.land_place(facts, len(theirs), len(ours), terrain, at, start)
    if landing:
        origins = ()
        if facts.hexes[targets[0]].weather and facts.turns[turn].season == "winter":
            raise OddsError("Nobody lands in the Weather Area in Winter (5.55).")
    sources = [(hex, us) for hex in origins]
    if not surrounded:
        sources += [(hex, them) for hex in targets]
    s = board.board(facts, us, them, "land_combat", turn, sources)
    if first:
        s.counts["invaded_ussr"] = s.turn - 1
    for target in targets:
        for near in (target, *facts.land[target]):
            if near not in origins:
                s.hold(near, them)
    for hex in origins:
        s.hold(hex, us)
    base = board.harbour(facts, targets[0]) if landing else ""
    for hex, stack in zip(origins or targets, ours, strict=True):
        for type, number in stack.items():
            s.put(hex, Unit(us, type, duty="assault" if landing else "", origin=base), number)
    if base:
        s.hold(base, us)
    for hex, stack in zip(targets, theirs, strict=True):
        for type, number in stack.items():
            s.put(hex, Unit(them, type), number)
    if surrounded:
        for target in targets:
            for near in facts.land[target]:
                if near not in s.at:
                    s.hold(near, us)
                    s.put(near, Unit(us, "inf"))
    if stand_fast:
        s.stand_fast = frozenset(targets)
    force: Force = tuple(
        sorted(
            (hex, us, type, number)
            for hex, stack in zip(origins or targets, ours, strict=True)
            for type, number in stack.items()
        )
    )
    _check_land(s, force, targets, kind)
    if kind == "overrun":
        return s, targets, lambda g: land_combat.overrun(g, targets[0], force), ()
    s.land = LandBattle(targets, force)
    return s, targets, land_combat.battle, tuple(_about_land(s, force, targets, them))


def _check_land(s: State, force: Force, targets: tuple[str, ...], kind: str) -> None:
    for hex, nation, type, number in force:
        have = sum(
            supply.split(s, hex, unit).get("attack", 0)
            for unit in s.stack(hex)
            if (unit.nation, unit.type) == (nation, type) and attacks.can_attack(s, hex, unit)
        )
        if have < number:
            raise OddsError(f"Units of {s.facts.name(nation)} have no source of Attack Supply.")
    strength = attacks.strength(s, force)
    defense = attacks.defense(s, targets, sorted({part[0] for part in force}), force[0][1])
    if strength < defense:
        raise OddsError(f"{strength} Strength Points are too few: the defense is {defense} (8.0).")
    if kind == "overrun":
        units = [(nation, type, number) for _, nation, type, number in force]
        why, rule = overrun.why_not(s, units, force[0][0], targets[0])
        if why:
            raise OddsError(f"{why.rstrip('.')} ({rule}).")


def _about_land(s: State, force: Force, targets: tuple[str, ...], them: str) -> list[str]:
    """What the question means on the map."""
    facts = s.facts
    origins = sorted({part[0] for part in force})
    strength = attacks.strength(s, force)
    defense = attacks.defense(s, targets, origins, force[0][1])
    notes = [f"{strength} Strength Points against {defense}: {strength - defense:+d}."]
    for target in targets:
        if target in s.stand_fast:
            notes.append(f"{facts.name(target)} stands fast.")
        elif not retreat.options(s, Unit(them, "inf"), target):
            notes.append(f"There is no way to retreat from {facts.name(target)}.")
        fort = sum(n for unit, n in s.stack(target).items() if unit.type == "fort")
        if 0 < fort < facts.numbers.fort_points:
            notes.append(f"A whole Fortification has {facts.numbers.fort_points} Strength Points.")
    return notes


# --- at sea ---------------------------------------------------------------------------------------


def _naval(
    facts: Facts,
    us: str,
    them: str,
    ours: list[Numbers],
    theirs: list[Numbers],
    turn: int,
    kind: str,
    at: tuple[str, ...],
    port: int,
    snort: bool,
) -> Found:
    """The attackers' ships next to the defenders' (in transit: among them), ASW units at bases."""
    (defenders,) = theirs
    if len(at) > 1:
        raise OddsError(f"In {kind} combat one hex is attacked.")
    if kind == "naval" and set(defenders) == {"ss"}:
        raise OddsError("Submarines are attacked in transit only (15.61): ask for kind transit.")
    if kind == "transit" and "asw" in defenders:
        raise OddsError("ASW units suffer no Transit Attack (13.13).")
    if kind == "transit" and "ms" in defenders:
        raise OddsError(
            "Merchant Ships are attacked in their Holding Areas (15.32): ask for kind naval."
        )
    if kind == "transit" and "ss" in defenders and len(defenders) > 1:
        raise OddsError("Submarines move by themselves.")
    if snort and "ss" not in defenders:
        raise OddsError("Only submarines travel in the Snort Mode (12.21).")
    if port and not any("ss" in stack for stack in ours):
        raise OddsError("The distance from port matters to submarines that attack (15.23).")
    if not 0 <= port <= facts.numbers.submarine_range:
        raise OddsError(
            f"Submarines are at most {facts.numbers.submarine_range} hexes from a port (12.24)."
        )
    based = ["asw" in defenders, any("asw" in stack for stack in ours)]
    alone = set(defenders) == {"asw"}
    target, near, coasts = board.sea_place(facts, len(ours), sum(based), at[0] if at else "")
    free = list(coasts)
    theirs_at = free.pop(0) if based[0] else ""
    ours_at = free.pop(0) if based[1] else ""
    ships = target
    if alone:
        target = theirs_at
        near = tuple(hex for hex in (ships, *near) if facts.distance(hex, target) <= 1)
        if len(near) < len(ours):
            raise OddsError(f"There are not hexes enough round {facts.name(target)}.")
    s = board.board(facts, us, them, "naval_1", turn)
    if kind == "transit":
        s.phase = f"{'allies' if s.phase.startswith('axis') else 'axis'}_naval_1"
    for hex, nation in ((theirs_at, them), (ours_at, us)):
        if hex:
            s.hold(hex, nation)
    force: Counter[tuple[str, str, str]] = Counter()
    for stack, hex in zip(ours, near, strict=False):
        for type, number in stack.items():
            where = ours_at if type == "asw" else ships if kind == "transit" else hex
            s.put(where, Unit(us, type), number)
            force[where, us, type] += number
    for type, number in defenders.items():
        duty = "snort" if snort else ""
        s.put(theirs_at if type == "asw" else ships, Unit(them, type, duty=duty), number)
    haven = ""
    if any("ss" in stack for stack in ours):
        away = ships if kind == "transit" else near[0]
        haven = board.port_at(facts, away, port, (theirs_at, ours_at))
    if haven:
        s.hold(haven, us)
        s.ports = frozenset({haven})
        s.changed()
    named: Force = tuple(sorted((*key, number) for key, number in force.items()))
    if kind == "transit":
        return _transit(s, us, them, ships)
    s.sea = SeaBattle(target, named)
    try:
        naval_combat.check_engage(s, commander(s, us), naval_combat.Engage(target, named))
    except IllegalDecision as error:
        raise OddsError(f"{error.reason} ({error.rule})") from None
    return s, (target,), naval_combat.fight, ()


def _transit(s: State, us: str, them: str, hex: str) -> Found:
    group = [(unit, n) for unit, n in sorted(s.stack(hex).items()) if unit.nation == them]
    able = strikers(s, them, hex, group[0][0].type)
    strength = attack_of(s, able)
    defense = defense_of(s, (Part(hex, unit, n) for unit, n in group), transit=True)
    if strength < defense or not able:
        raise OddsError(
            f"An Attack Strength of {strength} cannot attack a Defense Strength of {defense} "
            "in transit (13.0)."
        )
    notes = (f"Attack Strength {strength} against {defense} in transit.",)
    return s, (hex,), lambda g: transit.leave(g, hex, list(group), {}), notes


# --- in the air -----------------------------------------------------------------------------------


def _air(
    facts: Facts,
    us: str,
    them: str,
    ours: list[Numbers],
    theirs: list[Numbers],
    turn: int,
    at: tuple[str, ...],
    bomb: bool,
) -> Found:
    if len(at) > 1:
        raise OddsError("In air combat one hex is attacked.")
    target = at[0] if at else next(iter(facts.industry))
    if not facts.hexes[target].industry and not (bomb and facts.hexes[target].center):
        raise OddsError(f"{facts.name(target)} is no Industrial Hex (17.3).")
    number = sum(stack.get("ad", 0) for stack in theirs)
    if number > facts.numbers.air_defense_stack:
        most = facts.numbers.air_defense_stack
        raise OddsError(f"A hex holds {most} Air Defense units, not {number} (17.22).")
    s = board.board(facts, us, them, "air_combat", turn)
    s.hold(target, them)
    if number:
        s.put(target, Unit(them, "ad"), number)
    bases = [hex for hex in facts.hexes if facts.hexes[hex].kind == "land" and hex != target]
    missions: list[Mission] = []
    for base, stack in zip(bases, ours, strict=False):
        s.hold(base, us)
        s.put(base, Unit(us, "lrb", duty="flown"), stack["lrb"])
        missions.append(Mission(us, base, target, stack["lrb"], bomb and not missions))
    s.missions = tuple(missions)
    return s, (target,), bombing.fly, ()


# --- who takes part -------------------------------------------------------------------------------


def label(unit: Unit) -> str:
    """How a result names units: by type, Depleted ones apart."""
    return f"{unit.type} (depleted)" if unit.depleted else unit.type


def sides_of(
    s: State, targets: tuple[str, ...], attackers: frozenset[str]
) -> tuple[Numbers, Numbers]:
    """Both sides of the combat that a position stands before, attackers first: the one that the
    state names with the ASW units that can help, else all units on the board."""
    ours: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    if s.land is not None:
        for _, _, type, number in s.land.force:
            ours[type] += number
        for hex in targets:
            for unit, number in attacks.defenders(s, hex, s.land.force[0][1]):
                theirs[label(unit)] += number
    elif s.sea is not None:
        force = [
            Part(hex, unit, n)
            for hex, nation, type, n in s.sea.force
            for unit in s.stack(hex)
            if (unit.nation, unit.type) == (nation, type)
        ]
        for _, _, type, number in s.sea.force:
            ours[type] += number
        defending = naval_combat.targets(s, force, s.sea.target)
        helping = naval_combat.supporters(s, s.sea.target, force, defending)
        for part in (*defending, *helping):
            theirs[label(part.unit)] += part.count
        if any(part.unit.type == "surf_b" for part in defending):
            ours["asw"] += _covering(s, s.sea, force, defending)
    elif s.missions:
        for each in s.missions:
            if each.target == targets[0]:
                ours["lrb"] += each.number
        theirs["ad"] += bombing.defense(s, s.missions[0].nation, targets[0])
    else:
        for _, unit, number in s.units():
            (ours if unit.nation in attackers else theirs)[label(unit)] += number
    return dict(+ours), dict(+theirs)


def _covering(s: State, sea: SeaBattle, force: list[Part], defending: list[Part]) -> int:
    """ASW units of the attackers and their friends that do not attack, but defend ships that do
    when these are Counter-Attacked, from where they are or where they close in."""
    ships = [part for part in force if part.unit.type != "asw"]
    near = {
        part
        for hex in {sea.target, *(part.hex for part in ships)}
        for part in naval_combat.cover(s, ships, hex, defending)
        if not part.unit.depleted
    }
    left = tally(((part.hex, part.unit.nation), part.count) for part in near)
    for hex, nation, type, number in sea.force:
        if type == "asw":
            left[hex, nation] -= number
    return (+left).total()
