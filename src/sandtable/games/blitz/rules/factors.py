"""What units bring into a Round: factors, triangles, weather (1.2, 1.4, 1.8, 6, 9.5)."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.counters import is_big
from sandtable.games.blitz.rules.sides import country_of, introduced
from sandtable.games.blitz.tables import Commander

BOMBING = ("land", "naval", "strategic")
"""The kinds of Bombing Factors."""

Term = tuple[str, str, float]
"""A part of what a side fires with: of which unit (or ""), in a word why, and how much."""

Fire = tuple[int | None, tuple[Term, ...]]
"""The Factors that a side fires with, None if it does not roll, and their sum."""

_ONE_KIND = ("VWEAPON", "ABOMB")
"""Air units without secondary Bombing Factors."""


def commanders_of(s: State, id: str) -> Iterator[Commander]:
    """Whoever commands a unit."""
    for name, (_, commanded) in s.commanders.items():
        if commanded == id:
            yield s.facts.commanders[name]


def printed(s: State, id: str, box: str) -> int:
    """The Factors in a box (land, air, naval or strategic) of a unit, with its commander's.

    An air unit has those of its Primary Bombing Factor; others only a commander can give it. A
    land unit without Land Factors has one under a Land Commander.

    Rules: data.unit-types, 9.5e, 9.5g
    """
    profile, kind = s.profile(id), s.facts.kinds[id]
    if box == "air":
        factors = profile.air
    elif kind.bombing is not None:
        factors = profile.bomb if kind.bombing == box else 0
    elif box == "strategic":
        factors = 0
    else:
        factors = profile.land if box == "land" else profile.naval
    if s.commanders:
        for commander in commanders_of(s, id):
            added: int = getattr(commander, box)
            factors += added
            if box == "land" and commander.commands == "land":
                factors = max(factors, 1)
    return factors


def _bombing(s: State, id: str, use: str) -> float:
    """The Bombing Factors of an air unit for one use: those of its kind, and half of the others.

    Rules: 1.2f, 6.0d, 9.5e
    """
    own = float(printed(s, id, use))
    if s.type(id) in _ONE_KIND:
        return own
    return own + sum(printed(s, id, box) for box in BOMBING if box != use) / 2


def air_factors(s: State, id: str) -> float:
    """The Air Factors of an air unit, CV or AA."""
    return float(printed(s, id, "air"))


def naval_factors(s: State, id: str) -> float:
    """The Naval Factors of a ship, or of an air unit: halved if Naval is not its primary kind.

    Rules: 6.0d, 6.3a
    """
    if s.domain(id) == "air":
        return _bombing(s, id, "naval")
    return float(printed(s, id, "naval"))


def strategic_factors(s: State, id: str) -> float:
    """The Strategic Factors of an air unit, halved if that is not its primary kind; else none.

    Rules: 6.0d
    """
    return _bombing(s, id, "strategic") if s.domain(id) == "air" else 0.0


def land_factors(s: State, id: str) -> float:
    """The Land Factors of a land unit; what an air unit, BB or CV can support with.

    Rules: 6.0d, 9.5e, 9.5g
    """
    domain = s.domain(id)
    if domain == "air":
        return _bombing(s, id, "land")
    factors = printed(s, id, "land")
    if s.type(id) in ("BB", "CV"):
        numbers = s.facts.numbers
        big = is_big(s.units[id].size)
        factors += numbers.big_naval_support if big else numbers.small_naval_support
    return float(factors)


def triangles(s: State, id: str, box: str, *, attacking: bool = False) -> tuple[int, int]:
    """The white and red triangles in a box (land, air or naval) of a unit and its commander.

    One red cancels one white. `attacking` is for a land unit in a Ground Attack: red triangles
    are ignored then, and cancel nothing.

    Rules: 9.5f, A.6p
    """
    if s.options["no_triangles"]:
        return 0, 0
    profile = s.profile(id)
    white: int = getattr(profile, f"{box}_w")
    red: int = getattr(profile, f"{box}_r")
    if s.commanders:
        red += sum(each.red for each in commanders_of(s, id) if each.commands == box)
    if attacking:
        return white, 0
    both = min(white, red)
    return white - both, red - both


def snow_at(s: State, area: str) -> str:
    """What lies on an area this turn: `snow`, `snowflake` (land areas only), or nothing.

    Rules: errata.iceland-snow, 1.4b, data.snow-chart
    """
    if not s.facts.turns[s.turn].snow or not introduced(s, "D"):
        return ""
    sea = s.facts.seas.get(area)
    if sea is not None:
        return "snow" if sea.snow else ""
    if s.facts.countries[country_of(s, area)].snow:
        return "snow"
    return s.facts.lands[area].snow
