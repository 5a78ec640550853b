"""Where units may be: whose land they may stand on, and how many fit there (1.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sandtable.games.blitz.model import NEUTRAL, State
from sandtable.games.blitz.rules.sides import (
    country_of,
    is_neutral,
    partners,
)


class Refusal(NamedTuple):
    """Why something is not allowed, in a sentence, and the rule."""

    reason: str
    rule: str


def refused(s: State, id: str, area: str) -> Refusal | None:
    """Why a unit may not stand in a land area, whatever its size; None if it may.

    Where an ally's leave is needed (see `needs_consent`) it is taken as given.

    Rules: 1.3.stack-b, 1.3.stack-c, 1.3.stack-d, 1.3.stack-e, 1.6a, 3.2.align-e, 5.2.china-a
    """
    unit, name = s.units[id], s.facts.names[area]
    holder = s.control.get(area)
    if holder is None:
        return Refusal(f"{name} is not in play.", "S.b")
    if holder == NEUTRAL:
        return Refusal(f"{name} is neutral.", "1.6a")
    if s.facts.side[holder] != s.facts.side[unit.power]:
        return Refusal(f"{name} is the enemy's.", "1.3.stack-b")
    country = country_of(s, area)
    home = s.facts.kinds[id].home
    if country == "china" and home != "china" and not may_enter_china(s, unit.power):
        return Refusal(f"Only Chinese units may be in {name} as yet.", "5.2.china-a")
    for minor, enemy in s.minor_wars:
        if minor == country and home != country and (unit.power, enemy) not in s.wars:
            return Refusal(
                f"{s.facts.names[unit.power]} is not at war with {s.facts.names[enemy]}, so only "
                f"units of {s.facts.names[country]} may be in {name}.",
                "3.2.align-e",
            )
    if holder == unit.power or holder in partners(s, unit.power):
        return None
    if s.facts.countries[country].major:
        return Refusal(
            f"{name} is home to {s.facts.names[holder]}; other powers' units may not be there.",
            "1.3.stack-d",
        )
    if not common_enemy(s, unit.power, holder):
        return Refusal(
            f"{s.facts.names[unit.power]} and {s.facts.names[holder]} have no common enemy.",
            "1.3.stack-e",
        )
    if any(
        s.units[other].power == holder and s.domain(other) == "land" for other in s.units_at(area)
    ):
        return Refusal(
            f"{s.facts.names[holder]} has land units in {name}, so no other power may be there.",
            "1.3.stack-e",
        )
    return None


def needs_consent(s: State, id: str, area: str) -> str:
    """The ally whose leave a unit needs to stand in a land area, or nobody.

    Rules: 1.3.stack-e
    """
    power, holder = s.units[id].power, s.control.get(area, NEUTRAL)
    if holder in (NEUTRAL, power) or holder in partners(s, power):
        return ""
    return holder if s.facts.side[holder] == s.facts.side[power] else ""


def common_enemy(s: State, power: str, other: str) -> bool:
    """Whether two powers are at war with the same enemy."""
    return any((other, enemy) in s.wars for one, enemy in s.wars if one == power)


def may_enter_china(s: State, power: str) -> bool:
    """Whether units of an Allied power from outside China may be in China.

    Rules: 5.2.china-a, E.1a
    """
    if s.facts.side[power] == "axis" or "china" in s.conquered:
        return True
    if power == "ussr":
        return all(s.control.get(area) == "ussr" for area in ("harbin", "port_arthur"))
    western = ("afa", "usa", "western_allies")
    held = sum(s.control.get(area) in western for area in ("formosa", "manila", "south_east_asia"))
    return held >= 2 and not is_neutral(s, "usa")


def no_room(s: State, id: str, area: str, port: str = "") -> Refusal | None:
    """Why there is no room for a unit in a land area, a naval unit in `port`; None if there is.

    Rules: 1.3.island-a, 1.3.island-b, 1.3.port-a, 1.3.port-b, 1.3.stack-g, D.1b, B.1b
    """
    facts, unit, name = s.facts, s.units[id], s.facts.names[area]
    domain = facts.domain[id]
    if domain == "naval":
        place = facts.ports[area].get(port)
        if place is None:
            return Refusal(f"{name} has no such port.", "1.3.port-a")
        if place.size == "small":
            used = sum(
                s.units[other].size
                for other in s.units_at(area)
                if other != id and s.units[other].port == port and facts.domain[other] == "naval"
            )
            if used + unit.size > facts.numbers.small_port_size:
                return Refusal(f"The small port of {name} has no room for it.", "1.3.port-b")
        return None
    if facts.lands[area].island:
        used = sum(
            s.units[other].size
            for other in s.units_at(area)
            if other != id and facts.domain[other] == domain
        )
        if used + unit.size > facts.numbers.island_size:
            rule = "1.3.island-a" if domain == "land" else "1.3.island-b"
            return Refusal(f"The island {name} has no room for it.", rule)
    return None


def ports_in(s: State, area: str, sea: str) -> Iterator[str]:
    """The ports of a land area that open on a sea."""
    for id, port in s.facts.ports[area].items():
        if sea in port.seas:
            yield id
