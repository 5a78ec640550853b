"""Landings: where Amphibious units wait for them, and which are made."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw75.bot.plans import (
    covets,
    hostile,
    legal,
    prizes,
    provokes,
    threat,
    worth,
)
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import amphibious, pipelines, ports, stacking, waters, weather
from sandtable.games.gw75.rules.amphibious import Invade
from sandtable.games.gw75.rules.land_movement import LandMovement
from sandtable.games.gw75.rules.mobility import kinds
from sandtable.games.gw75.rules.terms import GROUND, foes, holder, nations, points, side

PLAIN = 0.5
"""What a hex is worth at most that is no prize."""
BEACH = 0.6
"""What a landing has to promise."""
FORCE = 10
"""The force with which ports are compared."""
LEAD = 0.5
"""What a landing is worth beside, as a part of what is worth most two hexes from it."""
MASS = 5
"""Points that land at least where more of the Enemy than that are near."""
EDGE = 3
"""How many more than the defenders have to land for a success that is all but certain."""
OPEN: frozenset[str] = frozenset()
CANDIDATES = 4
CONVOY = 2
"""Points a turn that have to come to a port over a pipeline."""
HOME = 10
"""At so many hexes from home industry a port is worth half."""
SETTLED = 1.4
"""How much more a port is worth in which Amphibious units are already."""


def theatre(s: State, nation: str, hex: str) -> str:
    """Against which Enemy a hex is used, where a power fights on both sides of the globe: the one
    whose industry is nearer."""
    return _nearest(s, hex) if nation == "usa" else ""


def _nearest(s: State, hex: str) -> str:
    kept = s.facts.kept("theatres", 5000)
    found: str | None = kept.get(hex)
    if found is None:
        _, found = min(
            (s.facts.distance(hex, at), whose)
            for at, whose in s.facts.industry.items()
            if whose in ("germany", "japan")
        )
        kept[hex] = found
    return found


def landing(s: State, request: LandMovement) -> Invade | None:
    """The landing that is worth most; None if none is worth it."""
    best: tuple[float, Invade] | None = None
    for nation in nations(s, request.power):
        for port in [*s.presence[nation]]:
            if not any(unit.type == "amph" and not unit.duty for unit in s.stack(port)):
                continue
            ships = amphibious.ships(s, request.power, port, (nation,))
            room = sum(number for _, number in ships)
            troops = {
                type: number
                for (owner, type), number in kinds(
                    s, request.power, port, amphibious.embarks
                ).items()
                if owner == nation
            }
            force = min(room, sum(troops.values()))
            if not force or not ports.friendly(s, nation, port):
                continue
            ways = amphibious.ways(s, port, ships[0][0].nation)
            chances = sorted(
                ((beach(s, nation, to, force), to) for to in ways if _coast(s, nation, to)),
                reverse=True,
            )
            for value, to in chances[:5]:
                if value < BEACH or (best is not None and value <= best[0]):
                    break
                going = needed(s, nation, to, force)
                units = _units(nation, troops, going)
                decision = Invade(ways[to], units)
                if units and legal(request, s, decision):
                    best = (value, decision)
                    break
    return best[1] if best else None


def _coast(s: State, nation: str, hex: str) -> bool:
    return hostile(s, nation, holder(s, hex)) and not provokes(s, nation, hex)


def _units(nation: str, troops: dict[str, int], number: int) -> tuple[tuple[str, str, int], ...]:
    """So many of the troops, some Mechanized points among them: they go on from the beach."""
    mech = min(troops.get("mech", 0), number // 3)
    inf = min(troops.get("inf", 0), number - mech)
    mech = min(troops.get("mech", 0), number - inf)
    return tuple((nation, type, n) for type, n in (("inf", inf), ("mech", mech)) if n)


def garrison(s: State, nation: str, hex: str) -> int:
    """The defense of a coast against a nation."""
    face = sum(
        count
        for unit, count in s.stack(hex).items()
        if unit.type in GROUND and hostile(s, nation, unit.nation)
    )
    return weather.defense(s, hex, face)


def needed(s: State, nation: str, hex: str, most: int) -> int:
    """Points that a landing takes: enough to win, and to hold what was won; where more of the Enemy
    are near, all."""
    most = min(most, stacking.room(s, hex, side(s, nation)))
    guard = garrison(s, nation, hex)
    if threat(s, nation, hex, 3) > guard:
        return most
    return min(most, guard + EDGE if guard else 1)


def beach(s: State, nation: str, hex: str, force: int) -> float:
    """What a landing of so many points in a hex is worth."""
    which = side(s, nation)
    force = min(force, stacking.room(s, hex, which))
    ashore = points(s, hex, which)
    guard = garrison(s, nation, hex)
    if guard >= force + ashore or (ashore and ashore >= guard + EDGE):
        return -9.0
    near = threat(s, nation, hex, 2) - guard
    if near > 0 and force + ashore < min(MASS, near + 1):
        return -9.0
    value = worth(s, hex, nation) + LEAD * _beyond(s, nation, hex)
    if guard:
        value *= min(1.0, (force + ashore - guard) / EDGE)
    if near > force:
        value -= 0.5 * (near - force)
    if not s.facts.hexes[hex].industry:
        if not linked(s, nation, hex):
            value -= 2.5
        elif not ports.there(s, hex):
            value -= 1.5
    return value


def _beyond(s: State, nation: str, hex: str) -> float:
    """What is worth most of what a nation could go on to from a hex."""
    kept = s.facts.kept("beyond", 5000)
    prizes: list[str] | None = kept.get(hex)
    if prizes is None:
        land = s.facts.land
        near = {hex for one in land[hex] for hex in (one, *land[one])} - {hex}
        order = sorted(near, key=lambda each: (-worth(s, each), each))
        prizes = kept[hex] = [each for each in order if worth(s, each) > PLAIN]
    for each in prizes:
        if hostile(s, nation, holder(s, each)):
            return worth(s, each, nation)
    return 0.0


def linked(s: State, nation: str, hex: str) -> bool:
    """Whether a pipeline could end in a hex."""
    key = f"ends of lines:{nation}"
    found: set[str] | None = s.lines.get(key)
    if found is None:
        end = s.facts.numbers.pipeline_end
        found = set().union(*(s.facts.within(area, end) for area in pipelines.net(s, nation).ships))
        s.lines[key] = found
    return hex in found


def base(s: State, nation: str, where: str = "") -> str:
    """The port from which landings of a nation in a theatre are worth most; empty if there is
    none."""
    key = f"base:{nation}:{where}"
    found: str | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = _base(s, nation, where)
    return found


def _coasts(s: State, nation: str) -> dict[str, float]:
    """The coasts that are worth a landing of a nation, now or soon."""
    key = f"coasts:{nation}"
    found: dict[str, float] | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = {
            hex: value
            for hex in prizes(s)
            if s.facts.hexes[hex].wet
            and covets(s, nation, holder(s, hex))
            and (value := beach(s, nation, hex, FORCE)) > BEACH
        }
    return found


def _base(s: State, nation: str, where: str) -> str:
    if not foes(s, nation):
        return ""
    far = s.facts.numbers.assault_move
    coasts = _coasts(s, nation)
    if not coasts:
        return ""
    net = pipelines.net(s, nation)
    found: list[tuple[float, str]] = []
    taken = _taken(s, nation, where)
    for port in ports.of(s, nation):
        if theatre(s, nation, port) != where or port == taken:
            continue
        if s.facts.hexes[port].industry != nation and not net.areas(port):
            continue
        ways = s.facts.voyages(port, far, OPEN)
        reached = sorted(
            (value * (1.2 - ways[hex] / 20) for hex, value in coasts.items() if hex in ways),
            reverse=True,
        )
        if not reached:
            continue
        value = reached[0] + 0.3 * sum(reached[1:4])
        here = s.stack(port)
        troops = sum(
            n for unit, n in here.items() if unit.nation == nation and unit.type in ("inf", "mech")
        )
        value *= 1.0 + 0.05 * min(troops, 8)
        if any(unit.type == "amph" and unit.nation == nation for unit in here):
            value *= SETTLED
        if any(garrison(s, nation, near) for near in s.facts.land[port]):
            value *= 0.5
        value *= HOME / (HOME + _from_home(s, nation, port))
        found.append((value, port))
    found.sort(reverse=True)
    for _, port in found[:CANDIDATES]:
        if _reinforced(s, nation, port):
            return port
    return ""


def _reinforced(s: State, nation: str, port: str) -> bool:
    """Whether an army can come to a port from home."""
    industry = s.facts.industry
    if any(whose == nation and s.facts.distance(port, hex) <= 3 for hex, whose in industry.items()):
        return True
    home = [hex for hex in ports.of(s, nation) if industry.get(hex) == nation]
    return pipelines.between(s, nation, home, (port,)).capacity >= CONVOY


def _from_home(s: State, nation: str, hex: str) -> int:
    """How far a hex is from where units of a nation appear."""
    return min(
        (s.facts.distance(hex, at) for at, whose in s.facts.industry.items() if whose == nation),
        default=0,
    )


def _taken(s: State, nation: str, where: str) -> str:
    """The port of an ally, which has no room for two armies: the United States leave it alone."""
    if nation != "usa" or where != "germany":
        return ""
    found = base(s, "commonwealth")
    ships = any(unit.type == "amph" for _, unit, _ in s.units_of("commonwealth"))
    return found if ships else ""


def raiders(s: State, nation: str) -> tuple[tuple[str, str, int], ...]:
    """The Enemies of a nation, with their ports and those who could land from there."""
    key = f"raiders:{nation}"
    found: tuple[tuple[str, str, int], ...] | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = tuple(_raiders(s, nation))
    return found


def _raiders(s: State, nation: str) -> Iterator[tuple[str, str, int]]:
    for other in sorted(foes(s, nation)):
        ships = {hex: count for hex, unit, count in s.units_of(other) if unit.type == "amph"}
        for hex, count in ships.items():
            troops = sum(n for unit, n in s.stack(hex).items() if unit.type in ("inf", "mech"))
            if troops:
                yield other, hex, min(count, troops)


def danger(s: State, nation: str, hex: str) -> int:
    """The most points that Enemies could land in a hex."""
    place, far = s.facts.hexes[hex], s.facts.numbers.assault_move
    return max(
        (
            count
            for other, port, count in (raiders(s, nation) if place.wet else ())
            if hex in s.facts.voyages(port, far, OPEN)
            and not (place.water and waters.barred(s, other, "amph", hex))
        ),
        default=0,
    )
