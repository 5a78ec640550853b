"""A board for a question that names no position: hexes of the map that suit it, nothing on them but
the two forces, and supply for the attackers where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache
from itertools import combinations

from sandtable.games.gw75 import RULES
from sandtable.games.gw75.facts import AXIS_MINORS, Facts, pair
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.terms import OTHER, warring
from sandtable.odds.errors import OddsError

TERRAINS = ("inland", "coast", "mountain")
SEASONS = ("winter", "spring", "summer", "fall", "first_winter")
Hexes = tuple[str, ...]


# --- names ----------------------------------------------------------------------------------------


def read_nation(facts: Facts, name: str) -> str:
    """The id of a nation; OddsError if there is none."""
    key = str(name).strip().lower().replace(" ", "_")
    for id, nation in facts.nations.items():
        if key in (id, nation.name.lower().replace(" ", "_")):
            return id
    raise OddsError(f"There is no nation {name!r}.")


def read_hexes(facts: Facts, names: str) -> Hexes:
    """The hexes that a text names, by number or place, with "/" between; OddsError if there is
    none."""
    found = []
    for name in filter(None, (each.strip() for each in str(names).split("/"))):
        key = name.lower()
        hits = (
            [id for id, hex in facts.hexes.items() if key in (id.lower(), hex.name.lower() or None)]
            or [id for id, port in facts.ports.items() if port.lower() == key]
        )[:1] or _partly(facts, key)
        if len(hits) > 1:
            could = " or ".join(facts.name(hit) for hit in hits)
            raise OddsError(f"{name!r} could be {could}.")
        if not hits:
            places = [hex.name for hex in facts.hexes.values() if hex.name]
            close = get_close_matches(name.title(), places, n=1, cutoff=0.7)
            hint = f" Did you mean {close[0]}?" if close else ""
            raise OddsError(
                f"There is no hex {name!r}; a hex is a number (W2821) or a place.{hint}"
            )
        found.append(hits[0])
    if len(set(found)) < len(found):
        raise OddsError("Each hex is named once.")
    return tuple(found)


def _partly(facts: Facts, key: str) -> list[str]:
    """The hexes with a name or a port of which something is a part: Paris of Paris-Lorraine."""
    return [
        id
        for id, hex in facts.hexes.items()
        if any(
            key == part.strip()
            for name in (hex.name, facts.ports.get(id, ""))
            for part in re.split(r"[-()]", name.lower())
        )
    ]


# --- where ----------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def land_place(
    facts: Facts, targets: int, origins: int, terrain: str, at: Hexes, start: Hexes
) -> tuple[Hexes, Hexes]:
    """Hexes that are attacked and hexes that the attackers come from, each next to all targets: as
    they are named, or such that the targets have that terrain, and a way to retreat if possible.
    Nobody comes across mountains who need not."""
    second: tuple[Hexes, Hexes] | None = None
    for chosen in [at] if at else _targets(facts, targets, terrain):
        common = [
            hex
            for hex in (start or _level_first(facts, chosen[0]))
            if hex not in chosen
            and all(hex in facts.land[target] for target in chosen)
            and (at or all(facts.land[target][hex] == (terrain == "mountain") for target in chosen))
        ]
        for around in combinations(common, origins):
            if all(any(_open(facts, target, chosen, around)) for target in chosen):
                return chosen, around
            second = second or (chosen, around)
    if second is None:
        what = "stack" if origins == 1 else "stacks"
        of = f"{facts.name(at[0])}" if len(at) == 1 else "the hexes that are attacked"
        raise OddsError(f"There are not hexes enough next to {of} for {origins} {what}.")
    return second


def _level_first(facts: Facts, hex: str) -> list[str]:
    """The hexes next to one, those behind mountains last."""
    return sorted(facts.land[hex], key=facts.land[hex].__getitem__)


def _targets(facts: Facts, number: int, terrain: str) -> Iterator[Hexes]:
    kind = "coast" if terrain == "coast" else "land"
    for id, hex in facts.hexes.items():
        if not hex.weather or not hex.dry:
            continue
        near = [other for other in facts.land[id] if facts.hexes[other].kind == kind]
        yield from combinations(near, number)


def _open(facts: Facts, target: str, targets: Hexes, origins: Hexes) -> Iterator[str]:
    """Hexes to which the defenders of a hex can retreat."""
    country = facts.hexes[target].country
    for near, mountain in facts.land[target].items():
        if mountain or near in origins or near in targets or facts.hexes[near].country != country:
            continue
        if not any(facts.land[near].get(origin, True) is False for origin in origins):
            yield near


@lru_cache(maxsize=64)
def sea_place(facts: Facts, stacks: int, bases: int, at: str) -> tuple[str, Hexes, Hexes]:
    """A hex of the sea, next to it others for so many stacks and for a retreat, and coasts for so
    many bases of ASW units."""
    for id, hex in facts.hexes.items() if not at else [(at, facts.hexes[at])]:
        if not at and (hex.kind != "sea" or hex.water or id in facts.locks or hex.weather):
            continue
        open_ = tuple(
            near
            for near in facts.sea[id]
            if facts.hexes[near].kind == "sea" and not facts.hexes[near].water
        )
        coasts = tuple(near for near in facts.near[id] if facts.hexes[near].kind == "coast")
        if len(open_) >= stacks + (0 if at else 1) and len(coasts) >= bases:
            return id, open_, coasts
    where = facts.name(at) if at else "any hex"
    raise OddsError(f"There are not hexes enough round {where} for these stacks and bases.")


def port_at(facts: Facts, hex: str, distance: int, taken: Iterable[str]) -> str:
    """A coast at a distance from a hex; without one the nearest of those that submarines are
    near enough to."""
    near = facts.numbers.submarine_die[0][0]
    for each, far in facts.within(hex, distance or near).items():
        suits = facts.hexes[each].kind == "coast" and each not in taken
        if suits and (far == distance or not distance):
            return each
    raise OddsError(f"No coast is {distance or near} hexes from {facts.name(hex)}.")


def harbour(facts: Facts, beach: str) -> str:
    """The nearest coast or island from which units can land in a hex that is not next to it."""
    for hex, far in facts.within(beach, facts.numbers.assault_move).items():
        if far > 1 and facts.hexes[hex].kind in ("coast", "island"):
            return hex
    raise OddsError(f"Nobody can come by sea to {facts.name(beach)} (5.51).")


# --- the board ------------------------------------------------------------------------------------


def season_turn(facts: Facts, season: str, turn: int) -> int:
    """A Game-Turn of a season, or the one that is named."""
    if turn:
        if turn not in facts.turns:
            raise OddsError(f"Game-Turns are {min(facts.turns)} to {max(facts.turns)}, not {turn}.")
        if season and facts.turns[turn].season != season.removeprefix("first_"):
            raise OddsError(f"Game-Turn {turn} is in {facts.turns[turn].season}, not in {season}.")
        return turn
    if season and season not in SEASONS:
        raise OddsError(f"A season is one of {', '.join(SEASONS)}; not {season!r}.")
    wanted = season.removeprefix("first_") or "summer"
    return next(number for number, each in facts.turns.items() if each.season == wanted)


def _bare(facts: Facts, sources: tuple[tuple[str, str], ...]) -> Facts:
    """Facts without ports, and with these hexes as industry of these nations."""
    kept = facts.kept("boards", 20)
    found: Facts | None = kept.get(sources)
    if found is None:
        industry = {**facts.industry, **dict(sources)}
        found = kept[sources] = replace(facts, industry=industry, ports={}, _kept={})
    return found


def board(
    facts: Facts,
    ours: str,
    theirs: str,
    phase: str,
    turn: int,
    sources: Iterable[tuple[str, str]] = (),
) -> State:
    """A map without units on which two nations are at war. `sources` are hexes with a nation each
    whose industry they are, so that its units there are in Attack Supply."""
    if ours == theirs:
        raise OddsError("A nation does not attack itself.")
    known = _bare(
        facts,
        tuple(
            (hex, "germany" if nation in AXIS_MINORS else nation) for hex, nation in sorted(sources)
        ),
    )
    s = State(known, RULES.read_options({}), turn=turn)
    sides: dict[str, str] = {each: facts.nations[each].side for each in (ours, theirs)}
    if sides[ours] == sides[theirs] != "neutral":
        raise OddsError(f"{facts.name(ours)} and {facts.name(theirs)} are of one side.")
    for one, other in ((ours, theirs), (theirs, ours)):
        if sides[one] == "neutral":
            sides[one] = s.joined[one] = OTHER.get(sides[other], "axis")
    s.phase = f"{sides[ours]}_{phase}"
    s.wars = frozenset({pair(warring(ours), warring(theirs))})
    s.changed()
    return s
