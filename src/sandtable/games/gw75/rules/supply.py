"""Land supply (chapter 9): Attack Supply, Defense Supply, or none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sandtable.games.gw75.facts import AXIS_MINORS
from sandtable.games.gw75.model import News, Stack, State, Unit
from sandtable.games.gw75.rules import pipelines, ports, tracing, vichy, zones
from sandtable.games.gw75.rules.terms import (
    LANDED,
    MOBILE,
    OTHER,
    friendly_ground,
    relations,
    side,
)
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

ORDER = {"mech": 0, "inf": 1, "sd": 2}
"""Who in a hex is supplied first where a pipeline does not carry enough for all."""


class Sources(NamedTuple):
    """Where units of a nation can trace to."""

    attack: tuple[str, ...]
    defense: tuple[str, ...]


class Fed(NamedTuple):
    """Land Strength Points of a nation in a hex that are in Attack Supply and in Defense Supply."""

    attack: int
    defense: int


def industrial(s: State, nation: str) -> tuple[str, ...]:
    """The Friendly Industrial Hexes of a nation. One that was captured is Friendly from the
    Game-Turn after its capture, while it is garrisoned. One that was destroyed supplies nothing;
    one that does not produce for want of its pipeline still does.

    Rules: 9.0b, 17.62, 18.41a, 18.75
    """
    key = f"industrial:{tracing.camp(s, nation)}"
    found: tuple[str, ...] | None = s.paths.get(key)
    if found is None:
        found = s.paths[key] = tuple(
            hex
            for hex in ports.sources(s, nation, "attack")
            if hex not in s.captured
            or (s.captured[hex] < s.turn and friendly_ground(s, nation, hex))
        )
    return found


def centers(s: State, nation: str, home: bool = False) -> tuple[str, ...]:
    """The Friendly Supply Centers of a nation, or only those of its Home Country."""
    found = ports.sources(s, nation, "defense")
    return tuple(hex for hex in found if s.facts.centers[hex] == nation) if home else found


def sources(s: State, nation: str) -> Sources:
    """Where units of a nation can trace to. A Major Power uses all Friendly Industrial Hexes and
    Supply Centers, its allies' as well (the Commonwealth is one nation); so does a minor Ally with
    a Supply Center once the Axis has invaded it, and Vichy France with its patron. Axis minor
    allies need a German or Italian Industrial Hex for Attack Supply. All others have only the
    Supply Centers of their own.

    Rules: 9.0b, 9.0c, 9.12a, 9.14, 11.22, 19.42, 19.9b, 20.15b, 20.15c
    """
    key = f"sources:{nation}"
    found: Sources | None = s.paths.get(key)
    if found is None:
        found = s.paths[key] = _sources(s, nation)
    return found


def _sources(s: State, nation: str) -> Sources:
    if s.facts.nations[nation].kind == "major" or vichy.patron(s, nation):
        return Sources(industrial(s, nation), centers(s, nation))
    if nation in AXIS_MINORS:
        theirs = (
            hex for hex in industrial(s, nation) if s.facts.industry[hex] in ("germany", "italy")
        )
        return Sources(tuple(theirs), centers(s, nation, home=True))
    if side(s, nation) == "allies" and nation in s.facts.centers.values():
        return Sources(industrial(s, nation), centers(s, nation))
    return Sources((), centers(s, nation, home=True))


def sourceless(s: State, nation: str) -> bool:
    """Whether a nation has neither Industrial Hexes nor Supply Centers, and no patron's: Axis minor
    allies have Germany's.

    Rules: 9.11, 19.9b
    """
    if nation in AXIS_MINORS or vichy.patron(s, nation):
        return False
    return nation not in s.facts.centers.values() and nation not in s.facts.industry.values()


def at_home(s: State, nation: str, hex: str) -> bool:
    """Whether units of a nation are in Defense Supply in a hex without tracing anything: those of
    a nation without any source in its Home Country, and Axis minor allies in theirs.

    Rules: 9.11, 19.9b
    """
    return s.facts.hexes[hex].nation == nation and (nation in AXIS_MINORS or sourceless(s, nation))


class Supplied(NamedTuple):
    """Where units of a nation are supplied overland."""

    ways: tracing.Ways
    sources: tracing.Goals
    """Of Attack Supply."""
    centers: tracing.Goals
    """Of Defense Supply."""
    every: tracing.Goals
    """Of either."""

    def attack(self, hex: str) -> bool:
        """Whether a path leads from a hex to a source of Attack Supply."""
        return self.ways.joins(hex, self.sources)

    def defense(self, hex: str) -> bool:
        """Whether a path leads from a hex to a source of Defense Supply."""
        return self.ways.joins(hex, self.centers)

    def short(self, hexes: Iterable[str]) -> list[str]:
        """Those of some hexes from which no path leads to a source of Attack Supply."""
        part, parts = self.ways.part, self.sources.parts
        return [hex for hex in hexes if part.get(hex) not in parts and not self.attack(hex)]

    def lacking(self, hexes: Iterable[str]) -> list[str]:
        """Those of some hexes from which no path leads to any source."""
        part, parts, joins = self.ways.part, self.every.parts, self.ways.joins
        return [hex for hex in hexes if part.get(hex) not in parts and not joins(hex, self.every)]


def overland(s: State, nation: str) -> Supplied:
    """Where units of a nation are supplied overland."""
    key = f"overland:{nation}"
    found: Supplied | None = s.paths.get(key)
    if found is None:
        known, ways = sources(s, nation), tracing.ways(s, nation)
        goals = ways.memo.get(known)
        if goals is None:
            every = (*known, known.attack + known.defense)
            goals = ways.memo[known] = tuple(ways.seek(each) for each in every)
        found = s.paths[key] = Supplied(ways, *goals)
    return found


def state(s: State, nation: str, hex: str) -> str:
    """How a land Strength Point of a nation in a hex is supplied: attack, defense, none. Where not
    all can be supplied, it is the one that is supplied first.

    Rules: 9.0a, 9.0b, 9.0c, 9.0d, 9.2b, 9.23
    """
    supplied = overland(s, nation)
    if supplied.attack(hex):
        return "attack"
    if _thirsty(s, nation, hex):
        fed = rations(s, side(s, nation)).get((hex, nation), _HUNGRY)
        if fed.attack:
            return "attack"
        if fed.defense:
            return "defense"
    else:
        known, moored = sources(s, nation), ports.of(s, nation)
        key = f"linked:{nation}"
        goals = tracing.remembered(s, key, tracing.linked, nation, known.attack, moored)
        if goals.joins(hex):
            return "attack"
        key = f"linked_centers:{nation}"
        goals = tracing.remembered(s, key, tracing.linked, nation, known.defense, moored)
        if goals.joins(hex):
            return "defense"
    return "defense" if supplied.defense(hex) or at_home(s, nation, hex) else "none"


def _thirsty(s: State, nation: str, hex: str) -> bool:
    """Whether there are units of a nation in a hex that would have to be supplied."""
    return any(unit.nation == nation and _traces(unit) for unit in s.stack(hex))


def _traces(unit: Unit) -> bool:
    """Whether a land unit has to trace supply: forts and those that have just landed have not."""
    return unit.type in ORDER and unit.duty not in LANDED


def fed(s: State, nation: str, hex: str) -> Fed:
    """How many Strength Points of a nation in a hex are in Attack Supply and in Defense Supply,
    of those that have to trace it. Only pipelines have a limit.

    Rules: 9.14, 9.24
    """
    points = sum(
        count for unit, count in s.stack(hex).items() if unit.nation == nation and _traces(unit)
    )
    supplied = overland(s, nation)
    if supplied.lacking((hex,)) and not at_home(s, nation, hex):
        return urgent(s, side(s, nation)).fed.get((hex, nation), _HUNGRY)
    if supplied.attack(hex):
        return Fed(points, 0)
    found = _HUNGRY
    if _ends(s, nation, hex, sources(s, nation).attack):
        found = rations(s, side(s, nation)).get((hex, nation), _HUNGRY)
    return Fed(found.attack, points - found.attack)


def split(s: State, hex: str, unit: Unit) -> dict[str, int]:
    """How many of these units are in which state of supply. Self-Defense units are never in Attack
    Supply; fortifications are always supplied, though no source for others; units that have come
    by Amphibious Assault are supplied for that Game-Turn.

    Rules: 9.12b, 9.15, 9.24, 5.53a
    """
    stack = s.at[hex]
    kept: dict[str, tuple[Stack, dict[Unit, dict[str, int]]]]
    kept = s.lines.setdefault("fed", {}).setdefault("split", {})
    known = kept.get(hex)
    if known is None or known[0] is not stack:  # stacks are replaced, never changed
        known = kept[hex] = stack, {}
    found = known[1].get(unit)
    if found is None:
        found = known[1][unit] = _split(s, hex, unit)
    return found


def _split(s: State, hex: str, unit: Unit) -> dict[str, int]:
    count = s.stack(hex)[unit]
    if unit.type == "fort":
        return {"defense": count}
    if unit.duty in LANDED:
        return {"attack": count}
    if unit.type == "sd" and _rooted(s, unit, hex):
        return {"defense": count}
    supplied = overland(s, unit.nation)
    if not supplied.lacking((hex,)) and supplied.attack(hex):  # as nearly always
        return {"attack" if unit.type in MOBILE else "defense": count}
    attack, defense = fed(s, unit.nation, hex)
    for other, number in sorted(s.stack(hex).items(), key=_order):
        if other.nation == unit.nation and _traces(other):
            full, half = min(number, attack), min(number - min(number, attack), defense)
            attack, defense = attack - full, defense - half
            if other == unit:
                found = {"attack": full, "defense": half, "none": number - full - half}
                if unit.type not in MOBILE:
                    found["defense"] += found.pop("attack")
                return {grade: points for grade, points in found.items() if points}
    raise KeyError(unit)


def _rooted(s: State, unit: Unit, hex: str) -> bool:
    """Whether Self-Defense units are at home in a country that has no source of its own.

    Rules: 9.11
    """
    here = s.facts.hexes[hex]
    return here.nation == unit.nation and not any(
        s.facts.hexes[each].industry or s.facts.hexes[each].center
        for each in s.facts.country_hexes[here.country]
    )


def _order(entry: tuple[Unit, int]) -> tuple[int, int, Unit]:
    unit, _ = entry
    # Those who have been supplied so far go on to be.
    return ORDER.get(unit.type, len(ORDER)), unit.cut, unit


def of(s: State, hex: str, unit: Unit) -> str:
    """How these units are supplied; if not all are alike, how the worst of them are.

    Rules: 9.0a, 9.12b, 9.15, 9.31, 9.32, 9.33a
    """
    found = split(s, hex, unit)
    return next(grade for grade in ("none", "defense", "attack") if grade in found)


def attackers(s: State, nation: str, hex: str, type: str) -> int:
    """How many Strength Points of a nation and type in a hex are in Attack Supply.

    Rules: 9.31, 9.32, 9.33a
    """
    if type not in MOBILE:
        return 0
    return sum(
        split(s, hex, unit).get("attack", 0)
        for unit in s.stack(hex)
        if unit.nation == nation and unit.type == type
    )


_HUNGRY = Fed(0, 0)


def rations(s: State, which: str) -> dict[tuple[str, str], Fed]:
    """Hex and nation to the Strength Points of a side that are supplied along Merchant Ship
    Pipelines: of those that cannot trace overland to an Industrial Hex. A Holding Area supplies as
    many as it has ships. First come those who would be Unsupplied, then those who would be in
    Defense Supply; of either those that are nearest to a port. Each takes the line that has most
    room left, to an Industrial Hex if there is any.

    Rules: 9.23, 9.24, 9.25a
    """
    if which not in OTHER:
        return {}
    known = s.lines.setdefault("fed", {})
    key = f"rations:{which}"
    if key not in known:
        known[key] = _rations(s, which)
    found: dict[tuple[str, str], Fed] = known[key]
    return found


class Urgent(NamedTuple):
    """What is shipped to those who would be Unsupplied."""

    fed: dict[tuple[str, str], Fed]
    used: dict[str, int]
    """Holding Area to the points that it carries for them."""


def urgent(s: State, which: str) -> Urgent:
    """The part of `rations` that comes first."""
    if which not in OTHER:
        return Urgent({}, {})
    known = s.lines.setdefault("fed", {})
    key = f"urgent:{which}"
    if key not in known:
        known[key] = _urgent(s, which)
    found: Urgent = known[key]
    return found


def _urgent(s: State, which: str) -> Urgent:
    used: dict[str, int] = {}
    found = {}
    for hex, nation, points in _queue(s, which, safe=False):
        known = sources(s, nation)
        full = _ship(s, nation, hex, points, used, known.attack)
        half = 0
        if full < points:
            half = _ship(s, nation, hex, points - full, used, known.defense)
        found[hex, nation] = Fed(full, half)
    return Urgent(found, used)


def _rations(s: State, which: str) -> dict[tuple[str, str], Fed]:
    first = urgent(s, which)
    found, used = dict(first.fed), dict(first.used)
    for hex, nation, points in _queue(s, which, safe=True):
        full = _ship(s, nation, hex, points, used, sources(s, nation).attack)
        found[hex, nation] = Fed(full, 0)
    return found


def _queue(s: State, which: str, *, safe: bool) -> list[tuple[str, str, int]]:
    """Hex, nation and Strength Points of a side that wait for what is shipped: those that are in
    Defense Supply without it, or those that are Unsupplied; who is nearest to a port first."""
    queue = []
    sides = relations(s).side
    for nation in s.presence:
        if sides[nation] != which:
            continue
        supplied, hexes = overland(s, nation), zones.army(s, nation).hexes
        for hex in supplied.short(hexes) if safe else supplied.lacking(hexes):
            if safe != (at_home(s, nation, hex) or (safe and supplied.defense(hex))):
                continue
            points = sum(
                count
                for unit, count in s.at[hex].items()
                if unit.nation == nation and _traces(unit) and (unit.type in MOBILE or not safe)
            )
            ashore = _harbours(s, nation, hex) if points else {}
            if ashore:
                queue.append((min(ashore.values()), hex, nation, points))
    return [(hex, nation, points) for _, hex, nation, points in sorted(queue)]


def _harbours(s: State, nation: str, hex: str) -> dict[str, int]:
    """The Friendly ports that a path leads to overland from a hex, with their distances."""
    known = tracing.ways(s, nation)
    key = ("harbours", hex, s.ports)

    def work() -> dict[str, int]:
        reached = known.paths(hex)
        return {port: reached[port] for port in ports.of(s, nation) if port in reached}

    found: dict[str, int] = known.remembered(key, work)
    return found


def _ship(
    s: State, nation: str, hex: str, points: int, used: dict[str, int], to: tuple[str, ...]
) -> int:
    """Supply points in a hex along pipelines to one of these sources; how many got it."""
    ends = _ends(s, nation, hex, to)
    left = points
    while ends and left:
        line = pipelines.widest(*ends, used)
        amount = min(left, line.capacity)
        if not amount:
            break
        for area in line.areas:
            used[area] = used.get(area, 0) + amount
        left -= amount
    return points - left


def _ends(
    s: State, nation: str, hex: str, to: tuple[str, ...]
) -> tuple[pipelines.Net, dict[str, int], dict[str, int]] | None:
    """The Holding Areas between which pipelines can lead from a hex to one of these sources; None
    if none can. Where no line leads there without going ashore on the way, one that does is taken.
    A port from which a path leads overland to both is no line by itself.
    """
    nation = tracing.camp(s, nation)
    net = pipelines.net(s, nation)
    harbours = _harbours(s, nation, hex)
    starts = {area: 0 for port in harbours for area in net.areas(port)}
    goals = _docks(s, nation, to) if starts else starts
    if not goals:
        return None
    groups = net.shape.groups
    apart = {groups[area] for area in starts}.isdisjoint(groups[area] for area in goals)
    known = tracing.ways(s, nation)
    sought = known.seek(to)
    doubtful = apart or any(known.joins(port, sought) for port in harbours)
    if doubtful and not tracing.linked(s, nation, to, ports.of(s, nation)).joins(hex):
        return None
    if apart:
        net = net._replace(links=_leaping(s, nation))
    return net, starts, goals


def _docks(s: State, nation: str, to: tuple[str, ...]) -> dict[str, int]:
    """The Holding Areas near ports from which a path leads overland to one of the sources."""
    net = pipelines.net(s, nation)
    known = tracing.ways(s, nation)
    key = ("docks", to, s.ports, net.shape.number)

    def work() -> dict[str, int]:
        found: dict[str, int] = {}
        part, goals = known.part, known.seek(to)
        for port in ports.of(s, nation):
            areas = net.areas(port)
            if not areas.keys() <= found.keys() and (
                part.get(port) in goals.parts or known.joins(port, goals)
            ):
                found.update(dict.fromkeys(areas, 0))
        return found

    found: dict[str, int] = known.remembered(key, work)
    return found


def _leaping(s: State, nation: str) -> dict[str, dict[str, int]]:
    """How pipelines of a nation hang together, from one to another overland between their ports
    too."""
    known = tracing.ways(s, nation)
    key = ("leaping", s.ports, pipelines.net(s, nation).shape.number)
    found: dict[str, dict[str, int]] = known.remembered(key, _leaps, s, nation)
    return found


def _leaps(s: State, nation: str) -> dict[str, dict[str, int]]:
    net = pipelines.net(s, nation)
    known = tracing.ways(s, nation)
    links = {area: others.copy() for area, others in net.links.items()}
    moored = {port: areas for port in ports.of(s, nation) if (areas := net.areas(port))}
    for port, here in moored.items():
        reached = known.paths(port)
        for other, areas in moored.items():
            if other in reached:
                for there in areas:
                    for area in here:
                        if area != there:
                            links[area].setdefault(there, 0)
    return links


def clock(g: Table[State], news: News) -> Procedure[None]:
    """Units that are Unsupplied when a Land Combat Phase begins have it and the next one, of
    either side, to re-open a supply path; those that are still Unsupplied then are eliminated.
    A path that is open when a Land Movement Phase begins is re-opened, even if it is cut in it.
    Units of nations without any source are eliminated outside their Home Country.

    Rules: 9.2a, 9.33b, 9.11
    """
    s, start = g.state, news.how.startswith("start of")
    if start and news.how.endswith("_land_movement"):
        for hex, unit, count in s.with_marks():
            if unit.cut:
                fine = count - split(s, hex, unit).get("none", 0)
                if fine:
                    s.change(hex, unit, fine, cut=0)
    elif news.how.endswith("_land_combat"):
        for hex, unit, cut, fine in list(_judged(s)):
            _tick(g, hex, unit, cut, fine, start)
    yield from ()


def _judged(s: State) -> Iterator[tuple[str, Unit, int, int]]:
    """The units of both sides that may be cut off, or were, with how many of them are Unsupplied
    now and how many are not, in a fixed order."""
    sides = relations(s).side
    cut_off = {
        (hex, nation)
        for nation in s.presence
        if sides[nation] in OTHER
        for hex in overland(s, nation).lacking(zones.army(s, nation).hexes)
    }
    found = {(hex, unit) for hex in s.marked for unit in s.stack(hex) if unit.cut}
    found |= {(hex, unit) for hex, nation in cut_off for unit in s.at[hex] if unit.nation == nation}
    for hex, unit in sorted(found):
        if unit.type not in ORDER or sides[unit.nation] not in OTHER:
            continue
        cut = 0
        if (hex, unit.nation) in cut_off and not at_home(s, unit.nation, hex):
            cut = split(s, hex, unit).get("none", 0)
        yield hex, unit, cut, s.at[hex][unit] - cut


def _tick(g: Table[State], hex: str, unit: Unit, cut: int, fine: int, start: bool) -> None:
    """Set the clock of units forward, or back if they are supplied; eliminate what is lost."""
    s = g.state
    if cut and sourceless(s, unit.nation) and s.facts.hexes[hex].nation != unit.nation:
        _eliminate(g, hex, unit, cut)
    elif cut and start:
        s.change(hex, unit, cut, cut=max(unit.cut, 1))
    elif cut and unit.cut >= s.facts.numbers.unsupplied_phases:
        _eliminate(g, hex, unit, cut)
    elif cut and unit.cut:
        s.change(hex, unit, cut, cut=unit.cut + 1)
    if fine and unit.cut:
        s.change(hex, unit, fine, cut=0)


def _eliminate(g: Table[State], hex: str, unit: Unit, count: int) -> None:
    g.state.destroy(hex, unit, count)
    g.emit(
        "unsupplied_lost", power=unit.nation, space=hex, losses={unit.nation: {unit.type: count}}
    )
