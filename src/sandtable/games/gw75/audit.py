"""What holds in every position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sandtable.games.gw75.facts import AXIS_MINORS
from sandtable.games.gw75.model import State, Unit
from sandtable.games.gw75.rules.terms import GROUND, SHIPS, at_war, phase_side, points, side


def broken_invariants(s: State) -> list[str]:
    """What is wrong with a position, a sentence each; empty for a sound one."""
    return [
        *_conservation(s),
        *_places(s),
        *_stacks(s),
        *_politics(s),
        *_industry(s),
    ]


def _conservation(s: State) -> Iterator[str]:
    """Opening, built and lost units add up to what is on the map."""
    found: Counter[tuple[str, str]] = Counter()
    for hex, unit, count in s.units():
        if count < 1:
            yield f"There are {count} of {_words(s, unit)} in {s.facts.name(hex)}."
        found[unit.nation, unit.type] += count
    for key in sorted({*found, *s.opening, *s.built, *s.lost}):
        due = s.opening.get(key, 0) + s.built.get(key, 0) - s.lost.get(key, 0)
        if due != found[key]:
            name = " ".join(map(s.facts.name, key))
            yield f"{name}: {found[key]} are on the map, and {due} should be."


def _places(s: State) -> Iterator[str]:
    """Units are where they can be, and Enemies on land together only in an assault or in the combat
    that it leads to.

    Rules: 17.12, 12.61, 19.92a
    """
    for hex, unit, _ in s.units():
        place = s.facts.hexes[hex]
        name = f"{_words(s, unit)} in {s.facts.name(hex)}"
        if unit.type in SHIPS:
            if not place.wet:
                yield f"{name}: ships are at sea or in coastal hexes."
        elif not place.dry:
            yield f"{name}: it needs land."
        if unit.type == "ad" and not place.industry:
            yield f"{name}: Air Defense units are in industrial hexes only."
        if unit.nation == "finland" and place.country != "finland":
            yield f"{name}: Finnish units never leave Finland."
        if unit.type == "sd" and place.nation != unit.nation and s.vichy in ("", "open"):
            yield f"{name}: Self-Defense units stay in their Home Country."
        if unit.depleted and s.facts.types[unit.type].undepletion is None:
            yield f"{name}: only Surface-A and ASW units are depleted."
    fighting = s.land.targets if s.land is not None else ()
    for hex, stack in s.at.items():
        if hex in fighting:
            continue
        ground = [unit for unit in stack if unit.type in GROUND]
        if len({unit.nation for unit in ground}) > 1:
            for one in ground:
                for other in ground:
                    if (
                        one < other
                        and at_war(s, one.nation, other.nation)
                        and "assault" not in (one.duty, other.duty)
                    ):
                        both = f"{_words(s, one)} and {_words(s, other)}"
                        yield f"{both} are both in {s.facts.name(hex)}."


def _stacks(s: State) -> Iterator[str]:
    """Stacks are within their limits: land units when the attacks of their side begin (retreats,
    and moves that are not over, may exceed it), forts and Air Defense always.

    Rules: 7.0a, 7.36, 17.22
    """
    numbers = s.facts.numbers
    scenario = s.facts.scenarios[s.options["scenario"]]
    acting = phase_side(s.phase)
    attacking = s.phase.endswith("land_combat") and not s.step and not s.fought
    for hex, stack in s.at.items():
        forts: Counter[str] = Counter()
        guns = 0
        for unit, count in stack.items():
            if unit.type == "fort":
                forts[unit.nation] += count
            elif unit.type == "ad":
                guns += count
        if guns > numbers.air_defense_stack:
            yield f"{guns} Air Defense units are in {s.facts.name(hex)}."
        for nation, count in forts.items():
            at_start = scenario.units.get(nation, {}).get(hex, {}).get("fort", 0)
            if count > max(numbers.fort_stack, at_start):
                yield f"{count} Strength Points of Fortifications are in {s.facts.name(hex)}."
        if attacking and not any(unit.duty == "assault" for unit in stack):
            found = points(s, hex, acting)
            if found > numbers.stack:
                yield f"{found} Strength Points are in {s.facts.name(hex)}."


def _politics(s: State) -> Iterator[str]:
    """Hexes are held by nations that are known, and wars are between such.

    Rules: 5.42
    """
    facts = s.facts
    for hex, nation in s.held.items():
        if not facts.hexes[hex].dry or nation not in facts.nations:
            yield f"{facts.name(hex)} cannot be held by {facts.name(nation)}."
        elif nation == facts.hexes[hex].nation:
            yield f"{facts.name(hex)} is noted as held by the nation whose it is."
    for war in (*sorted(s.wars), *sorted(s.limited)):
        if war[0] >= war[1] or any(nation not in facts.nations for nation in war):
            yield f"{' and '.join(war)} are no pair of nations at war."
        elif any(nation in AXIS_MINORS for nation in war):
            yield f"{' and '.join(map(facts.name, war))}: Axis minor allies have Germany's wars."
        elif any(side(s, nation) == "neutral" for nation in war):
            yield f"{' and '.join(map(facts.name, war))} are at war, and one of them is neutral."
    for war in sorted(s.limited - s.wars):
        yield f"{' and '.join(map(facts.name, war))} have no war that could be limited."
    for nation, which in s.joined.items():
        if nation not in facts.nations or which not in ("axis", "allies", "neutral"):
            yield f"{facts.name(nation)} cannot join {which}."


def _industry(s: State) -> Iterator[str]:
    """Production Tracks, points and numbers are sound.

    Rules: 18.0d, 18.51
    """
    facts = s.facts
    for name, jobs in (("Production Track", s.track), ("list of what is due", s.due)):
        if list(jobs) != sorted(jobs):
            yield f"The {name} is not sorted."
        for job in jobs:
            what = f"{job.number} {facts.name(job.nation)} {facts.name(job.type)}"
            if job.number < 1 or job.nation not in facts.nations or job.type not in facts.types:
                yield f"The {name} has {what}."
            elif job.due < s.turn:
                yield f"The {name} has {what} of Game-Turn {job.due}, which is over."
    for what, table in (("Production Points", s.points), ("dead units", s.dead)):
        for key, number in table.items():
            if number < 0:
                yield f"{facts.name(key[0])} has {number} {what}."
    for hex in (*s.captured, *s.recaptured, *s.bombed):
        if not facts.hexes[hex].industry:
            yield f"{facts.name(hex)} is no industrial hex."
    for hex in s.destroyed:
        if not facts.hexes[hex].industry and not facts.hexes[hex].center:
            yield f"{facts.name(hex)} is no industrial hex and no supply center."
    for hex in s.ports:
        if not (facts.hexes[hex].dry and facts.hexes[hex].wet):
            yield f"{facts.name(hex)} is no place for a port."
    for hex, number in s.bombs.items():
        if number < 1 or not facts.hexes[hex].dry:
            yield f"There are {number} atomic bombs in {facts.name(hex)}."


def _words(s: State, unit: Unit) -> str:
    """A unit in words, `Germany Infantry`."""
    return f"{s.facts.name(unit.nation)} {s.facts.name(unit.type)}"
