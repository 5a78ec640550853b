"""Play at sea: attacks that pay, raids on merchant ships, full pipelines, and home in time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from sandtable.games.gw75.bot import landing, lines
from sandtable.games.gw75.bot.plans import legal, superior, willing
from sandtable.games.gw75.model import State, Unit
from sandtable.games.gw75.rules import pipelines, ports
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.merchant_shipping import surplus
from sandtable.games.gw75.rules.naval import NavalPhase
from sandtable.games.gw75.rules.naval_combat import Engage
from sandtable.games.gw75.rules.naval_movement import (
    Sail,
    Snort,
    Transfer,
    homeless,
    left,
    number_of,
    reach,
    way,
    way_home,
)
from sandtable.games.gw75.rules.naval_supply import escorting
from sandtable.games.gw75.rules.naval_zones import Part, radius, strong
from sandtable.games.gw75.rules.tables import column
from sandtable.games.gw75.rules.terms import FLEET, NAVAL, SURFACE, foes, friends, nations, side
from sandtable.kernel.decisions import Decision

WORTH = {"surf_a": 12.0, "surf_b": 9.0, "ss": 3.0, "asw": 3.0, "ms": 2.5, "amph": 3.0}
"""What ships are worth, about their cost."""
PROFIT = 0.8
"""What an attack has to promise."""
ABROAD = 14
"""How far Surface units go to strike: they have to come home again."""
CONVOY = 1
"""Merchant Ships that are worth an escort."""
PREY = frozenset({"ms", "amph"})


def phase(s: State, request: NavalPhase) -> Decision:
    """The first that comes to mind and is allowed."""
    for decision in _ideas(s, request.power):
        if legal(request, s, decision):
            return decision
    return Done()


def _ideas(s: State, player: str) -> Iterator[Decision]:
    mine = nations(s, player)
    fighting = [nation for nation in mine if foes(s, nation)]
    yield from _attacks(s, fighting)
    yield from _snorts(s, fighting)
    last = number_of(s) == 3
    if not last:
        yield from _hunts(s, fighting)
    if number_of(s) == 1:
        yield from _bases(s, fighting)
    for nation in fighting:
        yield from _escorts(s, nation)
        yield from _gather(s, nation)
    if last:
        for nation in mine:
            yield from _assemble(s, nation)
            yield from _fill(s, nation)
    for stage in (False, True) if last else (False,):
        for part, _ in homeless(s, mine, stage=stage):
            path = way_home(s, part, stage=stage)
            if path:
                yield _sail(part.unit, part.count, path)


def _sail(unit: Unit, count: int, path: tuple[str, ...]) -> Sail:
    units = {unit.type: count}
    if unit.depleted:
        return Sail(unit.nation, path, depleted=units)
    return Sail(unit.nation, path, units)


# --- attacks --------------------------------------------------------------------------------------


def _prey(s: State, whose: list[str]) -> dict[str, list[tuple[Unit, int]]]:
    """Hexes with Enemy naval units that can be attacked."""
    found: dict[str, list[tuple[Unit, int]]] = {}
    hostile = {foe for nation in whose for foe in _foes(s, nation)}
    for foe in sorted(hostile):
        for hex, unit, count in s.units_of(foe):
            if unit.type in NAVAL and unit.type != "ss" and unit.duty != "retreated":
                found.setdefault(hex, []).append((unit, count))
    return {hex: units for hex, units in found.items() if not _neutrals(s, hex, hostile)}


def _foes(s: State, nation: str) -> frozenset[str]:
    """Those whose ships a nation attacks; Japan begins its war at sea."""
    found = foes(s, nation)
    if nation == "japan":
        found |= {other for other in ("usa", "commonwealth") if willing(s, nation, other)}
    return found


def _neutrals(s: State, hex: str, hostile: set[str]) -> bool:
    """Whether ships of powers are in a hex that an attack would bring into the war."""
    return any(
        unit.type in NAVAL
        and unit.nation not in hostile
        and side(s, unit.nation) == _other(s, hostile)
        for unit in s.stack(hex)
    )


def _other(s: State, hostile: set[str]) -> str:
    return side(s, min(hostile))


def _attacks(s: State, whose: list[str]) -> Iterator[Engage]:
    """Attacks from where units are, the best first."""
    prey = _prey(s, whose)
    force: dict[str, list[tuple[str, str, str, int]]] = {}
    for nation in whose:
        theirs = _of(prey, _foes(s, nation))
        for hex, unit, count in s.units_of(nation):
            if unit.type not in FLEET or not strong(unit) or escorting(s, hex, unit):
                continue
            for at in _in_sight(s, hex, unit):
                if at not in theirs or at in unit.met:
                    continue
                if s.facts.distance(hex, at) <= _range(s, unit, theirs[at]):
                    force.setdefault(at, []).append((hex, nation, unit.type, count))
    found = []
    for at, parts in force.items():
        merged: Counter[tuple[str, str, str]] = Counter()
        for hex, nation, type, count in parts:
            merged[hex, nation, type] += count
        every = tuple(sorted((*part, count) for part, count in merged.items()))
        choices = [every]
        raiders = tuple(part for part in every if part[2] == "ss")
        if raiders and raiders != every:
            choices.append(raiders)
        for chosen in choices:
            gain = _profit(s, chosen, prey[at])
            if gain > PROFIT:
                found.append((gain, at, chosen))
    for _, at, chosen in sorted(found, reverse=True):
        yield Engage(at, chosen)


def _of(
    prey: dict[str, list[tuple[Unit, int]]], foes: frozenset[str]
) -> dict[str, list[tuple[Unit, int]]]:
    """The prey that is of these nations alone."""
    return {
        hex: units
        for hex, units in prey.items()
        if foes.issuperset(each.nation for each, _ in units)
    }


def _in_sight(s: State, hex: str, unit: Unit) -> Iterable[str]:
    """The hexes in which a unit could find somebody to attack."""
    asw = unit.type == "asw"
    return s.facts.within(hex, radius(s, unit.nation) if asw else s.facts.numbers.merchant_range)


def _range(s: State, unit: Unit, units: list[tuple[Unit, int]]) -> int:
    if unit.type == "asw":
        return radius(s, unit.nation)
    return s.facts.numbers.merchant_range if any(each.type in PREY for each, _ in units) else 1


def _profit(
    s: State, force: tuple[tuple[str, str, str, int], ...], units: list[tuple[Unit, int]]
) -> float:
    """What an attack promises: fleets that the Enemy loses, less what his answer may cost."""
    types = s.facts.types
    attack = sum(types[type].attack * number for _, _, type, number in force)
    only = all(type == "ss" for _, _, type, _ in force)
    defenders = [each for each in units if not (only and each[0].type == "asw")]
    defense = sum(types[unit.type].defense * count for unit, count in defenders)
    fleets = sum(count for _, count in defenders)
    if not fleets or attack < defense:
        return -1.0
    table = s.facts.tables.naval
    cheapest = min(WORTH[unit.type] for unit, _ in defenders)
    gain = _mean(column(table, attack - defense), fleets) * cheapest
    answer = sum(
        types[unit.type].attack * count
        for unit, count in defenders
        if unit.type in ("surf_a", "surf_b", "asw") and not unit.depleted
    )
    if answer:
        guard = sum(types[type].defense * number for _, _, type, number in force)
        mine = sum(number for *_, number in force)
        lost = _mean(column(table, max(answer - guard, 0)), mine) if answer >= guard else 0.3
        gain -= lost * min(WORTH[type] for _, _, type, _ in force)
    return gain


def _mean(row: object, most: int) -> float:
    faces = [str(each) for each in row]  # type: ignore[attr-defined]
    return sum(min(int(each.rstrip("D") or 0), most) for each in faces) / len(faces)


def _snorts(s: State, whose: list[str]) -> Iterator[Snort]:
    """German submarines travel in the Snort Mode if what they hunt is near enough, or a port to
    which they come home."""
    numbers = s.facts.numbers
    if "germany" not in whose or s.turn < numbers.snort_from:
        return
    far = numbers.snort_move + numbers.merchant_range
    prey = [
        hex
        for hex, units in _prey(s, ["germany"]).items()
        if any(unit.type in PREY for unit, _ in units)
    ]
    for hex, unit, count in sorted(s.units_of("germany")):
        if unit.type != "ss" or not strong(unit) or unit.duty:
            continue
        if number_of(s) < 3:
            near = any(s.facts.distance(hex, at) <= far for at in prey)
        else:
            snorting = Part(hex, unit._replace(duty="snort"), count)
            near = len(way_home(s, snorting, stage=True)) > 1
        if near:
            yield Snort(hex, count)


def _hunts(s: State, whose: list[str]) -> Iterator[Sail]:
    """Ships that go to where they can attack: submarines after Merchant Ships, Surface units after
    whatever is weaker and near."""
    prey = _prey(s, whose)
    for nation in whose:
        foes = _foes(s, nation)
        theirs, company, risks = _of(prey, foes), _squadrons(s, (nation,)), _risks(s, foes)
        for hex, unit, count in sorted(s.units_of(nation)):
            if unit.left >= 0 or not strong(unit) or unit.type not in SURFACE | {"ss"}:
                continue
            if escorting(s, hex, unit) or not left(s, hex, unit):
                continue
            yield from _hunt(s, hex, unit, count, theirs, company, risks)


Squadrons = dict[str, list[tuple[Unit, int]]]
"""Hex to the Surface units in it that can strike."""


def _squadrons(s: State, whose: Iterable[str]) -> Squadrons:
    found: Squadrons = {}
    for nation in whose:
        for hex, unit, count in s.units_of(nation):
            if unit.type in SURFACE and strong(unit) and not escorting(s, hex, unit):
                found.setdefault(hex, []).append((unit, count))
    return found


def _hunt(
    s: State,
    hex: str,
    unit: Unit,
    count: int,
    prey: dict[str, list[tuple[Unit, int]]],
    company: Squadrons,
    risks: Callable[[str], int],
) -> Iterator[Sail]:
    force = ((hex, unit.nation, unit.type, count),)
    far = left(s, hex, unit) if unit.type == "ss" else ABROAD
    found = []
    for at, units in prey.items():
        away = s.facts.distance(hex, at)
        near = _range(s, unit, units)
        if away <= near or away > far + near:
            continue
        if unit.type == "ss" and not any(each.type in PREY for each, _ in units):
            continue
        if at in unit.met:
            continue
        every = (*force, *_company(s, hex, unit, at, near, company))
        gain = _profit(s, every, units)
        if unit.type in SURFACE:
            gain -= _risk(s, every, risks(at))
        if gain > PROFIT:
            found.append((gain - 0.1 * away, at, near))
    if not found:
        return
    _, at, near = max(found)
    ends = {each for each in s.facts.within(at, near) if each in s.facts.sea}
    ways = reach(s, hex, (unit,), ends=ends)
    for to in ways:
        if to in ends and to != hex and len(way(ways, to)) <= far + 1:
            yield _sail(unit, count, way(ways, to))
            return


def _risks(s: State, foes: Iterable[str]) -> Callable[[str], int]:
    """Of a hex the Attack Strength of Surface units of these nations that are near enough to strike
    there; each hex is looked at once."""
    types, squadrons = s.facts.types, _squadrons(s, foes)
    strengths = {
        hex: sum(types[unit.type].attack * count for unit, count in units)
        for hex, units in squadrons.items()
    }

    @cache
    def risk(at: str) -> int:
        return sum(
            attack
            for hex, attack in strengths.items()
            if hex != at and s.facts.distance(hex, at) <= ABROAD
        )

    return risk


def _risk(s: State, force: tuple[tuple[str, str, str, int], ...], answer: int) -> float:
    """What Enemies of a strength could cost Surface units."""
    types = s.facts.types
    guard = sum(types[type].defense * number for _, _, type, number in force)
    if answer < guard:
        return 0.0
    lost = _mean(column(s.facts.tables.naval, answer - guard), sum(each[3] for each in force))
    return lost * min(WORTH[type] for _, _, type, _ in force)


def _company(
    s: State, hex: str, unit: Unit, at: str, near: int, company: Squadrons
) -> Iterator[tuple[str, str, str, int]]:
    """Surface units that go with others, or wait for them where they strike."""
    if unit.type not in SURFACE:
        return
    waiting = s.facts.within(at, near)
    for there in {hex: 0, **waiting}:
        for other, count in company.get(there, ()):
            if there == hex and other == unit:
                continue
            if there in waiting or other.left < 0:
                yield there, other.nation, other.type, count


# --- ASW units, Amphibious units, Merchant Ships --------------------------------------------------


def _bases(s: State, whose: list[str]) -> Iterator[Transfer]:
    """ASW units fly to where they cover most Merchant Ships."""
    for nation in whose:
        stacks = [each for each in sorted(s.units_of(nation)) if each[1].type == "asw"]
        taken = Counter(hex for hex, _, _ in stacks)
        far = radius(s, nation)
        for hex, unit, count in stacks:
            if unit.left >= 0 or unit.depleted or unit.idle:
                continue
            here = _covered(s, nation, hex, far) / (count + taken[hex] - 1)
            best = (here + 1.0, "")
            for port in ports.of(s, nation):
                if port != hex and s.facts.distance(hex, port) <= left(s, hex, unit):
                    best = max(best, (_covered(s, nation, port, far) / (1 + taken[port]), port))
            if best[1]:
                yield Transfer(nation, hex, best[1])


def _covered(s: State, nation: str, hex: str, far: int) -> float:
    return sum(
        count
        for near in s.facts.within(hex, far)
        for unit, count in s.stack(near).items()
        if unit.type == "ms" and friends(s, nation, unit.nation)
    )


def _escorts(s: State, nation: str) -> Iterator[Sail]:
    """Surface-B units that are in port go to the largest convoys that have no escort."""
    convoys = [
        (count, hex)
        for hex, unit, count in s.units_of(nation)
        if unit.type == "ms" and count >= CONVOY and not _escorted(s, nation, hex)
    ]
    fleet = [
        (hex, unit)
        for hex, unit, _ in sorted(s.units_of(nation))
        if unit.type == "surf_b" and strong(unit) and unit.left < 0 and left(s, hex, unit)
    ]
    ready = [(hex, unit) for hex, unit in fleet if not escorting(s, hex, unit)]
    for _, area in sorted(convoys, reverse=True) if ready else ():
        hex, unit = min(ready, key=lambda each: (s.facts.distance(each[0], area), each))
        if s.facts.distance(hex, area) <= left(s, hex, unit):
            ways = reach(s, hex, (unit,), ends={area})
            if area in ways:
                yield _sail(unit, 1, way(ways, area))


def _escorted(s: State, nation: str, hex: str) -> bool:
    return any(unit.type in SURFACE and friends(s, nation, unit.nation) for unit in s.stack(hex))


def station(s: State, nation: str) -> str:
    """The port in which the fleets of the United States gather against Japan: the foremost that a
    pipeline joins to home if they are the stronger, else one at home; empty for others."""
    if nation != "usa" or "japan" not in foes(s, nation):
        return ""
    found: str | None = s.memo.get("station")
    if found is None:
        found = s.memo["station"] = _station(s, nation)
    return found


def _station(s: State, nation: str) -> str:
    industry = s.facts.industry
    ready = [port for port in ports.of(s, nation) if landing.theatre(s, nation, port) == "japan"]
    if superior(s, nation, "japan"):
        forward = landing.base(s, nation, "japan")
        if forward:
            return forward
        net = pipelines.net(s, nation)
        ready = [port for port in ready if net.areas(port)]
    else:
        ready = [port for port in ready if industry.get(port) == nation]
    away = [hex for hex, whose in industry.items() if whose == "japan"]
    return min(
        ready,
        key=lambda port: (min(s.facts.distance(port, hex) for hex in away), port),
        default="",
    )


def _assemble(s: State, nation: str) -> Iterator[Sail]:
    """Surface units that have no other work go to where the fleets gather."""
    goal = station(s, nation)
    for hex, unit, count in sorted(s.units_of(nation)) if goal else ():
        if unit.type not in SURFACE or hex == goal or escorting(s, hex, unit):
            continue
        if not left(s, hex, unit):
            continue
        ways = reach(s, hex, (unit,), ends={goal})
        if goal in ways:
            yield _sail(unit, count, way(ways, goal))


def _gather(s: State, nation: str) -> Iterator[Sail]:
    """Amphibious units go to the port from which landings are worth most."""
    stacks = [
        (hex, unit, count)
        for hex, unit, count in sorted(s.units_of(nation))
        if unit.type == "amph" and unit.left < 0 and left(s, hex, unit)
    ]
    if not stacks:
        return
    for hex, unit, count in stacks:
        goal = landing.base(s, nation, landing.theatre(s, nation, hex))
        if not goal or hex == goal:
            continue
        ends = {goal}
        ways = reach(s, hex, (unit,), ends=ends)
        if goal in ways:
            yield _sail(unit, count, way(ways, goal))
            continue
        near = min(
            (each for each in ways if ports.friendly(s, nation, each)),
            key=lambda each: s.facts.distance(each, goal),
            default=hex,
        )
        if s.facts.distance(near, goal) < s.facts.distance(hex, goal):
            yield _sail(unit, count, way(ways, near))


def _fill(s: State, nation: str) -> Iterator[Sail]:
    """Merchant Ships go where the lines that are wanted lack them."""
    level = lines.wanted(s, nation)
    if not level:
        return
    have: Counter[str] = Counter()
    for hex, unit, count in s.units_of(nation):
        if unit.type == "ms":
            have[hex] += count
    first = [hex for hex in level if hex in lines.LIFELINES and have[hex] < level[hex]]
    poor = sorted(level, key=lambda hex: (hex not in first, have[hex] / level[hex], hex))
    for hex, unit, count in sorted(s.units_of(nation)):
        if unit.type != "ms" or unit.left >= 0 or not left(s, hex, unit):
            continue
        for goal in poor[:3]:
            spare = count
            if hex in level and goal in first and hex not in lines.LIFELINES:
                spare = have[hex] - 1
            elif hex in level:
                even = have[hex] * level[goal] - have[goal] * level[hex]
                spare = even // (level[hex] + level[goal])
            number = min(spare, count, surplus(s, nation, hex), level[goal] - have[goal])
            if number < 1 or goal == hex:
                continue
            ways = reach(s, hex, (unit,), ends={goal})
            if goal in ways:
                yield _sail(unit, number, way(ways, goal))
                break
