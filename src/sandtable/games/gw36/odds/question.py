"""From a question as it is asked to a battle that is about to begin."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sandtable.games.gw36 import RULES
from sandtable.games.gw36.facts import Facts, load_facts, pair
from sandtable.games.gw36.model import Facility, State, Unit
from sandtable.games.gw36.odds.policy import Policy, read_policy
from sandtable.games.gw36.rules import combat
from sandtable.games.gw36.rules.terms import power_of
from sandtable.games.gw36.rules.transports import fits
from sandtable.games.gw36.rules.zones import ROUGH
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table
from sandtable.odds.errors import OddsError
from sandtable.odds.force import read_force

MOST = 400_000
"""A battle in which more pairs of sides can stand at a time is not fought exactly."""

Given = str | Mapping[str, int]

ABBREVIATIONS = {
    "inf": "infantry",
    "mil": "militia",
    "cav": "cavalry",
    "art": "artillery",
    "mot": "motorized_infantry",
    "mech": "mechanized_infantry",
    "armor": "medium_armor",
    "tank": "medium_armor",
    "aa": "anti_aircraft_artillery",
    "aaa": "anti_aircraft_artillery",
    "ftr": "fighter",
    "tac": "tactical_bomber",
    "bomber": "medium_bomber",
    "bb": "battleship",
    "cv": "fleet_carrier",
    "carrier": "fleet_carrier",
    "bc": "battlecruiser",
    "ca": "heavy_cruiser",
    "cl": "light_cruiser",
    "dd": "destroyer",
    "sub": "submarine",
    "transport": "naval_transport",
}


@dataclass(frozen=True)
class Question:
    """A battle that is about to begin, or that has begun."""

    state: State
    zone: str
    policy: Policy
    territory: float = 0.0
    most: int = MOST
    sample: int = 0
    """Battles at random that are fought where exact odds are out of reach."""
    procedure: Callable[[Table[State]], Procedure[Any]] = combat.phase
    """What is played from the state on: the next combat, or the game."""


def question(
    attack: Given = "",
    defend: Given = "",
    *,
    landing: Given = "",
    drop: Given = "",
    bombard: Given = "",
    transport: str = "naval_transport",
    kind: str = "",
    zone: str = "",
    origin: str = "",
    terrain: str = "",
    fort: str = "",
    guns: int = 0,
    surrounded: bool = False,
    surprise: bool = False,
    attacker: str = "germany",
    defender: str = "",
    rules: str = "recommended",
    territory: float = 0.0,
    most: int = MOST,
    sample: int = 0,
    data: str | Path | None = None,
    **options: Any,
) -> Question:
    """Read a question; OddsError with one sentence if there is anything wrong with it.

    Forces are text ("6 infantry, 2 artillery, 1 fighter") or mappings from types to numbers.
    `attack` comes overland (at sea: from the next zone), `landing` from the sea on `transport`s
    with the guns of `bombard`, `drop` from the air. `kind` is land or naval; without it, what the
    units suggest. The battle is for `zone`, entered from `origin`; without a zone for one with that
    `terrain` (normal, mountain, desert, jungle, marsh, or city) and no river before it. `fort` is
    what stands on the border (fortification, maginot), `guns` the coastal artillery. `rules` is the
    set of optional rules, which are options by their names, too (`mountains=False`). `most` and
    `sample` as in `Question`. `data` is a folder whose data files take the place of the game's own;
    the other options are those of `Policy`.
    """
    facts = load_facts(Path(data) if data is not None else None)
    names = _names(facts)
    sides = {
        what: read_force(given, names, of)
        for what, given, of in (
            ("attack", attack, "attacker"),
            ("landing", landing, "attacker"),
            ("drop", drop, "attacker"),
            ("bombard", bombard, "attacker"),
            ("defend", defend, "defender"),
        )
    }
    kind = kind or _kind(facts, sides)
    _check(facts, kind, sides)
    switches = {name: options.pop(name) for name in list(options) if name in _switches()}
    play = read_policy(facts, options)
    ours = _nation(facts, attacker)
    theirs = _nation(facts, defender or ("great_britain" if kind == "naval" else "france"))
    s = _board(facts, ours, theirs, rules, switches)
    at, start = _place(s, kind, zone, origin, terrain)
    if kind == "land":
        s.possession[at], s.possession[start] = theirs, ours
        if surrounded:
            for near in facts.land_next[at]:
                s.possession[near] = ours
    if surprise:
        s.done[f"surprise:{ours}:{power_of(s, theirs)}"] = 1
    for type_, count in sides["attack"].items():
        s.put(at, Unit(ours, type_, duty="attack", origin=start), count)
    for type_, count in sides["defend"].items():
        s.put(at, Unit(theirs, type_), count)
    _build(s, at, start, fort, guns)
    if sides["landing"] or sides["bombard"]:
        _embark(s, at, ours, transport, sides["landing"], sides["bombard"])
    for type_, count in sides["drop"].items():
        s.put(at, Unit(ours, type_, 0, 1, start, "assault", "airborne"), count)
        s.put(at, Unit(ours, "air_transport", 0, 1, start, "assault", "airborne"), count)
    s.planned, s.step = ((at, kind),), f"{kind} {at}"
    return Question(s, at, play, territory, most, sample)


@cache
def _switches() -> frozenset[str]:
    return frozenset(name for name, option in RULES.options.items() if option.default is None)


def _names(facts: Facts) -> dict[str, str]:
    names = {short: type_ for short, type_ in ABBREVIATIONS.items() if type_ in facts.units}
    for type_, unit in facts.units.items():
        names[type_.replace("_", " ")] = names[unit.name.lower().replace("-", " ")] = type_
    return names


def _kind(facts: Facts, sides: Mapping[str, Mapping[str, int]]) -> str:
    ships = (*sides["attack"], *sides["defend"])
    return "naval" if any(facts.units[type_].naval for type_ in ships) else "land"


def _check(facts: Facts, kind: str, sides: Mapping[str, Mapping[str, int]]) -> None:
    if kind not in ("land", "naval"):
        raise OddsError(f"A battle is land or naval, not {kind!r}.")
    if not sides["attack"] and not sides["landing"] and not sides["drop"]:
        raise OddsError("The attacker has no units.")
    if not sides["defend"]:
        raise OddsError("The defender has no units.")
    for what, units in sides.items():
        for type_ in units:
            unit = facts.units[type_]
            if kind == "naval" and (unit.land or what in ("landing", "drop", "bombard")):
                raise OddsError(f"{unit.name} has no part in a naval battle.")
            if kind == "land" and unit.naval != (what == "bombard"):
                raise OddsError(f"{unit.name} cannot do that in a land battle.")
            if what == "bombard" and not unit.bombard:
                raise OddsError(f"{unit.name} cannot bombard a shore.")
            if what == "landing" and not unit.land:
                raise OddsError(f"{unit.name} does not come from a transport.")
            if what == "drop" and type_ != "airborne":
                raise OddsError(f"{unit.name} cannot be dropped.")


def _nation(facts: Facts, name: str) -> str:
    key = name.lower().replace(" ", "_")
    for id, nation in facts.nations.items():
        if key in (id, nation.name.lower().replace(" ", "_")):
            return id
    raise OddsError(f"There is no nation {name!r}.")


def _board(facts: Facts, ours: str, theirs: str, rules: str, switches: Mapping[str, Any]) -> State:
    """A board without units on which the two are at war."""
    if rules not in facts.sets:
        raise OddsError(f"There is no set of rules {rules!r}; there are: {', '.join(facts.sets)}.")
    if ours == theirs:
        raise OddsError("A nation does not attack itself.")
    options = {name: option.default for name, option in RULES.options.items()}
    options |= {"rules": rules, **switches}
    scenario = facts.scenarios[options["scenario"]]
    slots = [k for k, group in enumerate(facts.order) if ours in group]
    if not slots:
        raise OddsError(f"{facts.name(ours)} has no turn of its own to attack in.")
    s = State(facts, options, date=scenario.first, slot=slots[0], phase="combat", mover=ours)
    s.possession.update(scenario.owners)
    s.wars = frozenset({pair(_power(facts, ours), _power(facts, theirs))})
    return s


def _power(facts: Facts, nation: str) -> str:
    return facts.nations[nation].major or nation


def _place(s: State, kind: str, zone: str, origin: str, terrain: str) -> tuple[str, str]:
    """The zone of the battle, and the one that the attackers come from."""
    facts = s.facts
    at = _zone(facts, zone) if zone else ""
    start = _zone(facts, origin) if origin else ""
    near = facts.sea_next if kind == "naval" else facts.land_next
    if at and facts.zones[at].sea != (kind == "naval"):
        raise OddsError(f"There is no {kind} battle in {facts.name(at)}.")
    if terrain and (at or kind == "naval"):
        raise OddsError("A terrain is for a land battle for which no zone is named.")
    if terrain and terrain != "city" and terrain not in ROUGH and terrain != "normal":
        raise OddsError(f"There is no terrain {terrain!r}.")
    for one in [at] if at else sorted(near):
        if not at and not _fits(facts, one, kind, terrain or "normal"):
            continue
        for other in [start] if start else near[one]:
            if start and other not in near[one]:
                raise OddsError(f"{facts.name(other)} is not next to {facts.name(one)}.")
            way = (other, one)
            plain = way not in facts.river and way not in facts.border_terrain
            if at or plain or kind == "naval":
                return one, other
    if at:
        return at, ""
    raise OddsError("There is no such zone.")


def _fits(facts: Facts, zone: str, kind: str, terrain: str) -> bool:
    if kind == "naval":
        return True
    known = facts.zones[zone]
    city = terrain == "city"
    return (
        known.city == city
        and known.terrain == ("normal" if city else terrain)
        and not known.impassable
        and bool(facts.coast[zone])
        and len(facts.land_next[zone]) > 1
        and (city or zone not in facts.special_fortification)
    )


def _zone(facts: Facts, name: str) -> str:
    key = name.lower().replace(" ", "_")
    for id, zone in facts.zones.items():
        if key in (id, zone.name.lower().replace(" ", "_")):
            return id
    raise OddsError(f"There is no zone {name!r}.")


def _build(s: State, zone: str, origin: str, fort: str, guns: int) -> None:
    works = []
    if fort:
        if fort not in ("fortification", "maginot") or s.facts.zones[zone].sea:
            raise OddsError("A fort is a fortification or the maginot line, on land.")
        works.append(Facility(fort, origin))
    if guns:
        if not s.facts.coast.get(zone):
            raise OddsError("Coastal artillery stands on a coast.")
        works += [Facility("coastal_artillery", s.facts.coast[zone][0])] * guns
    if works:
        s.facilities[zone] = tuple(sorted(works))


def _embark(
    s: State,
    zone: str,
    nation: str,
    transport: str,
    landing: Mapping[str, int],
    bombard: Mapping[str, int],
) -> None:
    """Load the landing force on as few transports as will carry it."""
    coast = s.facts.coast.get(zone)
    if not coast:
        raise OddsError(f"{s.facts.name(zone)} has no coast.")
    sea = coast[0]
    if transport not in s.facts.units or not s.facts.units[transport].transport:
        raise OddsError(f"{transport!r} is no transport.")
    ship = Unit(nation, transport, duty="landing", target=zone)
    waiting = [
        Unit(nation, type_, duty="assault", target=zone)
        for type_, count in landing.items()
        for _ in range(count)
    ]
    # What takes a whole ship's place comes first; infantry fills the other half.
    waiting.sort(key=lambda unit: s.facts.units[unit.type].class_ == "infantry")
    while waiting:
        cargo: list[Unit] = []
        for unit in list(waiting):
            if fits(s, ship, [*cargo, unit]):
                cargo.append(unit)
                waiting.remove(unit)
        s.put(sea, ship._replace(cargo=tuple(sorted(cargo))))
    for type_, count in bombard.items():
        s.put(sea, Unit(nation, type_, duty="bombard", target=zone), count)
