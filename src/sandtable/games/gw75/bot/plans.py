"""What a player of the program is after: whom it is willing to attack, what hexes are worth."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.terms import at_war, friends, holder, points, side
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision

SOFT = ("low_countries", "denmark", "norway", "yugoslavia", "greece")
"""Neutrals that Germany takes once France has fallen, or on the way."""
BARBAROSSA = 8
"""The Game-Turn from which Germany is willing to attack the Soviet Union, in summer."""
PACIFIC = 9
"""The Game-Turn from which Japan is willing to attack the western powers."""


def willing(s: State, nation: str, victim: str) -> bool:
    """Whether a nation of the program would violate the peace of another."""
    if nation == "germany":
        if victim == "ussr":
            summer = s.facts.turns[s.turn].season == "summer"
            return s.turn >= BARBAROSSA and (summer or s.turn > BARBAROSSA + 1) and _west_is_won(s)
        return victim in SOFT and (victim == "low_countries" or _west_is_won(s))
    if nation == "japan":
        return s.turn >= PACIFIC and victim in ("usa", "commonwealth", "low_countries")
    if nation == "ussr":
        return victim == "poland"
    return False


def _west_is_won(s: State) -> bool:
    """Whether the industry of France is in Axis hands."""
    return all(
        side(s, holder(s, id)) == "axis"
        for id, hex in s.facts.hexes.items()
        if hex.industry == "france"
    )


def hostile(s: State, nation: str, other: str) -> bool:
    """Whether a nation fights another, or would begin to."""
    return at_war(s, nation, other) or (
        not friends(s, nation, other)
        and side(s, other) != side(s, nation)
        and willing(s, nation, other)
    )


def worth(s: State, hex: str) -> float:
    """What a hex is worth to who holds it."""
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
    return value


def prizes(s: State) -> Iterator[str]:
    """The hexes that matter."""
    for id, hex in s.facts.hexes.items():
        if hex.industry or hex.center or hex.port:
            yield id


def threat(s: State, nation: str, hex: str, far: int = 2) -> int:
    """Points of hostile nations within so many hexes of a hex."""
    total = 0
    for near in s.facts.within(hex, far):
        for unit, count in s.stack(near).items():
            if unit.type in ("inf", "mech") and hostile(s, nation, unit.nation):
                total += count
    return total


def strength(s: State, nation: str, hex: str, far: int = 1) -> int:
    """Points of a nation's side within so many hexes of a hex."""
    which = side(s, nation)
    return sum(points(s, near, which) for near in s.facts.within(hex, far))


def legal(request: Request, s: State, decision: Decision) -> bool:
    """Whether a decision is allowed."""
    try:
        request.check(s, decision)
    except IllegalDecision:
        return False
    return True
