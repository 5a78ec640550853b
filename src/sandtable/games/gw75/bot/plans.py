"""What a player of the program is after: whom it is willing to attack, what hexes are worth."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.naval_zones import strong
from sandtable.games.gw75.rules.terms import SURFACE, at_war, friends, holder, points, side
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision

SOFT = ("low_countries", "denmark", "norway", "yugoslavia", "greece")
"""Neutrals that Germany takes once France has fallen, or on the way."""
WEST = 3
"""The Game-Turn from which Germany turns against the West."""
BARBAROSSA = 8
"""The Game-Turn from which Germany is willing to attack the Soviet Union, in summer."""
SOUTH = ("usa", "commonwealth", "low_countries")
"""Whom Japan attacks."""
LATECOMERS = ("italy", "japan")
VICTIMS = ("commonwealth", "france", "usa")
"""Who is on guard against those before they are at war."""
BRITAIN = "united_kingdom"
PACIFIC = 9
"""The Game-Turn from which Japan is willing to attack the western powers."""


OIL = 3.0
"""What the oil is worth on which an Industrial Hex of Japan depends."""


def willing(s: State, nation: str, victim: str) -> bool:
    """Whether a nation of the program would violate the peace of another."""
    if nation == "germany":
        if victim == "ussr":
            summer = s.facts.turns[s.turn].season == "summer"
            return s.turn >= BARBAROSSA and (summer or s.turn > BARBAROSSA + 1) and west_is_won(s)
        if victim == "low_countries":
            return s.turn >= WEST
        return victim in SOFT and west_is_won(s)
    if nation == "japan":
        return s.turn >= PACIFIC and victim in SOUTH
    if nation == "ussr":
        return victim == "poland"
    return False


def provokes(s: State, nation: str, hex: str) -> bool:
    """Whether it would bring the Soviet Union or the United States closer to war to enter a hex."""
    if side(s, nation) != "axis":
        return False
    if at_war(s, "germany", "ussr") and at_war(s, "germany", "usa"):
        return False
    places = s.facts.places
    return (
        s.facts.hexes[hex].country == BRITAIN or hex in places["suez"] or hex in places["gibraltar"]
    )


def eager(s: State, nation: str, hex: str) -> float:
    """How much of its worth a prize has for a nation now: Germany deals with Poland first."""
    if s.turn < WEST and nation == "germany" and s.facts.hexes[hex].nation != "poland":
        return 0.3
    return 1.0


def west_is_won(s: State) -> bool:
    """Whether the industry of France is in Axis hands."""
    return all(
        side(s, holder(s, hex)) == "axis"
        for hex, whose in s.facts.industry.items()
        if whose == "france"
    )


def hostile(s: State, nation: str, other: str) -> bool:
    """Whether a nation fights another, or would begin to."""
    key = f"hostile:{nation}:{other}"
    found: bool | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = at_war(s, nation, other) or (
            side(s, other) != side(s, nation)
            and willing(s, nation, other)
            and not friends(s, nation, other)
        )
    return found


def covets(s: State, nation: str, other: str) -> bool:
    """Whether a nation fights another, would begin to, or gathers against it."""
    if nation == "germany" and other == "ussr" and s.turn >= BARBAROSSA - 2 and west_is_won(s):
        return True
    if nation == "japan" and s.turn >= PACIFIC - 2 and other in SOUTH:
        return True
    return hostile(s, nation, other)


def worth(s: State, hex: str, nation: str = "") -> float:
    """What a hex is worth to who holds it; to Japan the oil more than to others."""
    found = s.facts.hexes[hex]
    if hex in s.destroyed:
        return 0.5
    value = 0.3
    if found.industry:
        value += 2.0 * s.facts.victory.industry
    if found.center:
        value += 2.0 * s.facts.victory.center
    if found.port:
        value += 0.7
    if nation == "japan" and hex in s.facts.places["batavia"]:
        value += OIL
    return value


def prizes(s: State) -> Iterator[str]:
    """The hexes that matter."""
    yield from {**s.facts.industry, **s.facts.centers, **dict.fromkeys(s.facts.ports)}


def threat(s: State, nation: str, hex: str, far: int = 2) -> int:
    """Points of hostile nations within so many hexes of a hex."""
    places = _hostile_points(s, nation)
    if not far:
        return places.get(hex, 0)
    if len(places) < 20:
        return sum(n for at, n in places.items() if s.facts.distance(at, hex) <= far)
    return sum(places[near] for near in s.facts.within(hex, far) if near in places)


def strength(s: State, nation: str, hex: str, far: int = 1) -> int:
    """Points of a nation's side within so many hexes of a hex."""
    key = f"points:{side(s, nation)}"
    places: dict[str, int] | None = s.memo.get(key)
    if places is None:
        which = side(s, nation)
        places = {at: points(s, at, which) for at in s.at if s.facts.hexes[at].dry}
        s.memo[key] = places
    return sum(places.get(near, 0) for near in s.facts.within(hex, far))


def superior(s: State, nation: str, other: str) -> bool:
    """Whether a nation at war with another has the stronger Surface units."""
    key = f"superior:{nation}:{other}"
    found: bool | None = s.memo.get(key)
    if found is None:
        found = at_war(s, nation, other) and _fleets(s, nation) > _fleets(s, other)
        s.memo[key] = found
    return found


def _fleets(s: State, nation: str) -> int:
    """The Attack Strength of a nation's Surface units."""
    return sum(
        s.facts.types[unit.type].attack * count
        for _, unit, count in s.units_of(nation)
        if unit.type in SURFACE and strong(unit)
    )


def _hostile_points(s: State, nation: str) -> dict[str, int]:
    """Hex to the mobile points in it that are hostile to a nation."""
    key = f"threats:{nation}"
    found: dict[str, int] | None = s.memo.get(key)
    if found is None:
        found = {}
        for other in s.presence:
            if hostile(s, nation, other) or (other in LATECOMERS and nation in VICTIMS):
                for hex, unit, count in s.units_of(other):
                    if unit.type in ("inf", "mech"):
                        found[hex] = found.get(hex, 0) + count
        s.memo[key] = found
    return found


def legal(request: Request, s: State, decision: Decision) -> bool:
    """Whether a decision is allowed."""
    try:
        request.check(s, decision)
    except IllegalDecision:
        return False
    return True
