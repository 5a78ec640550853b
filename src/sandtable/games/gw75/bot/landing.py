"""Landings: where Amphibious units wait for them, and which are made."""

from __future__ import annotations

from sandtable.games.gw75.bot.plans import hostile, legal, prizes, threat, worth
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import amphibious, ports, weather
from sandtable.games.gw75.rules.amphibious import Invade
from sandtable.games.gw75.rules.land_movement import LandMovement
from sandtable.games.gw75.rules.mobility import kinds
from sandtable.games.gw75.rules.terms import GROUND, commander, foes, holder, nations

BEACH = 0.6
"""What a landing has to promise."""


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
                if legal(request, s, decision):
                    best = (value, decision)
                    break
    return best[1] if best else None


def _coast(s: State, nation: str, hex: str) -> bool:
    return hostile(s, nation, holder(s, hex))


def _units(nation: str, troops: dict[str, int], number: int) -> tuple[tuple[str, str, int], ...]:
    found = []
    for type in ("inf", "mech"):
        some = min(troops.get(type, 0), number)
        if some:
            found.append((nation, type, some))
            number -= some
    return tuple(found)


def garrison(s: State, nation: str, hex: str) -> int:
    """The defense of a coast against a nation."""
    face = sum(
        count
        for unit, count in s.stack(hex).items()
        if unit.type in GROUND and hostile(s, nation, unit.nation)
    )
    return weather.defense(s, hex, face)


def needed(s: State, nation: str, hex: str, most: int) -> int:
    """Points that a landing takes: enough to win, and to hold what was won."""
    guard = garrison(s, nation, hex)
    near = threat(s, nation, hex, 1)
    return min(most, max(1, guard + 4 if guard else 1, min(near, 6)))


def beach(s: State, nation: str, hex: str, force: int) -> float:
    """What a landing of so many points in a hex is worth."""
    found = s.facts.hexes[hex]
    value = worth(s, hex)
    if not ports.there(s, hex):
        value -= 1.0
    guard = garrison(s, nation, hex)
    if guard > force:
        return -9.0
    if guard:
        value *= min(1.0, (force - guard + 2) / 6)
    near = threat(s, nation, hex, 1) - guard
    if near > force:
        value -= 0.5 * (near - force)
    if not found.industry and not found.center and not ports.there(s, hex):
        value -= 1.0
    return value


def base(s: State, nation: str) -> str:
    """The port from which landings of a nation are worth most; empty if there is none."""
    key = f"base:{nation}"
    found: str | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = _base(s, nation)
    return found


def _base(s: State, nation: str) -> str:
    if not foes(s, nation) and commander(s, nation) == "":
        return ""
    far = s.facts.numbers.assault_move
    coasts = [
        (hex, beach(s, nation, hex, 8))
        for hex in prizes(s)
        if s.facts.hexes[hex].wet and _coast(s, nation, hex)
    ]
    coasts = [(hex, value) for hex, value in coasts if value > BEACH]
    best = (0.0, "")
    for port in ports.of(s, nation):
        reached = sorted(
            (
                value * (1.2 - s.facts.distance(port, hex) / 20)
                for hex, value in coasts
                if s.facts.distance(port, hex) <= far - 1
            ),
            reverse=True,
        )
        troops = sum(
            count
            for unit, count in s.stack(port).items()
            if unit.nation == nation and unit.type in ("inf", "mech")
        )
        value = sum(reached[:3]) * (1.0 + 0.1 * min(troops, 8))
        if threat(s, nation, port, 1):
            value *= 0.5
        best = max(best, (value, port))
    return best[1]
