"""Where units may be: whose land they may stand on, and how many fit there (1.3)."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from sandtable.games.blitz.model import NEUTRAL, State
from sandtable.games.blitz.rules.sides import (
    areas_of,
    country_of,
    home_of,
    is_neutral,
    partners,
)
from sandtable.games.blitz.tables import Domain


class Refusal(NamedTuple):
    """Why something is not allowed, in a sentence, and the rule."""

    reason: str
    rule: str


def refused(s: State, id: str, area: str) -> Refusal | None:
    """Why a unit may not stand in a land area, whatever its size; None if it may.

    Where an ally's leave is needed (see `needs_consent`) it is taken as given, unless the ally has
    refused it to this unit already in this phase.

    Rules: 1.3.stack-b, 1.3.stack-c, 1.3.stack-d, 1.3.stack-e, 1.5a, 1.6a, 1.3.named-a
    """
    unit, name = s.units[id], s.facts.names[area]
    if area in open_to(s, unit.power, s.facts.kinds[id].home):
        return None
    holder = s.control.get(area)
    if holder is None:
        return Refusal(f"{name} is not in play.", "S.b")
    if holder == NEUTRAL:
        return Refusal(f"{name} is neutral.", "1.6a")
    if s.facts.side[holder] != s.facts.side[unit.power]:
        return Refusal(f"{name} is the enemy's.", "1.3.stack-b")
    if (closed := closed_to(s, id, area)) is not None:
        return closed
    if s.facts.countries[country_of(s, area)].major:
        return Refusal(
            f"{name} is in a major power's home country; {s.facts.names[holder]}'s allies may not "
            "be there.",
            "1.3.stack-d",
        )
    if not common_enemy(s, unit.power, holder):
        return Refusal(
            f"{s.facts.names[unit.power]} and {s.facts.names[holder]} have no common enemy.",
            "1.3.stack-e",
        )
    if f"denied:{area}" in unit.done:
        return Refusal(f"{s.facts.names[holder]} does not let it in.", "1.3.stack-e")
    if any(
        s.units[other].power == holder and s.domain(other) == "land" for other in s.units_at(area)
    ):
        return Refusal(
            f"{s.facts.names[holder]} has land units in {name}, so no other power may be there.",
            "1.3.stack-e",
        )
    return None


def open_to(s: State, power: str, home: str) -> frozenset[str]:
    """The land areas of a power and its partner in which its units from a home country may stand.

    Rules: 1.3.stack-c, 1.3.stack-d, 1.3.stack-f
    """
    key = ("open_to", power, home)
    found: frozenset[str] | None = s.cached(key)
    if found is None:
        holders = (power, *partners(s, power))
        # Only these can be closed to anybody.
        suspect = {"china", *(minor for minor, _ in s.minor_wars)}
        found = frozenset(
            area
            for area, holder in s.control.items()
            if holder in holders
            and (country_of(s, area) not in suspect or closed_for(s, power, home, area) is None)
        )
        s.keep(key, found, lasting=True)
    return found


def closed_to(s: State, id: str, area: str) -> Refusal | None:
    """Why the country of a land area is closed to a unit, whoever holds it; None if it is not."""
    return closed_for(s, s.units[id].power, s.facts.kinds[id].home, area)


def closed_for(s: State, power: str, home: str, area: str) -> Refusal | None:
    """The same of a power's units from a home country, on the map or not.

    Rules: 3.2.align-e, 5.2.china-a, E.1a
    """
    country = country_of(s, area)
    if home == country:
        return None
    if country == "china" and not may_enter_china(s, power):
        return Refusal(f"Only Chinese units may be in {s.facts.names[area]} as yet.", "5.2.china-a")
    if s.allied.get(country) == power:
        for minor, enemy in sorted(s.minor_wars):
            if minor == country and (power, enemy) not in s.wars:
                return Refusal(
                    f"{s.facts.names[power]} is not at war with {s.facts.names[enemy]}, so only "
                    f"units of {s.facts.names[country]} may be in {s.facts.names[area]}.",
                    "3.2.align-e",
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
    """Whether two powers are at war with the same enemy.

    Rules: 1.3.stack-e
    """
    return any((other, enemy) in s.wars for one, enemy in s.wars if one == power)


def may_enter_china(s: State, power: str) -> bool:
    """Whether units of a power from outside China may be in China.

    Rules: 5.2.china-a, E.1a
    """
    if s.facts.side[power] == "axis" or "china" in s.conquered:
        return True
    if power == "ussr":
        return all(s.control.get(area) == "ussr" for area in ("harbin", "port_arthur"))
    western = ("afa", "usa", "western_allies")
    held = sum(s.control.get(area) in western for area in ("formosa", "manila", "south_east_asia"))
    return held >= 2 and not is_neutral(s, "usa")


def confined(s: State, id: str, area: str) -> Refusal | None:
    """Why a neutral power's land unit may not end a move in a land area; None if it may.

    While its power is at war with no country at all, only a GAR leaves its home country.

    Rules: 5.2.neutral-a, 1.3.stack-c
    """
    power = s.units[id].power
    if not is_neutral(s, power) or s.type(id) == "GAR" or area in areas_of(s, home_of(s, id)):
        return None
    if any(enemy == power for _, enemy in s.minor_wars):
        return None
    return Refusal(
        f"{s.facts.names[power]} is at war with nobody: only its garrisons leave home.",
        "5.2.neutral-a",
    )


def must_stay(s: State, id: str) -> Refusal | None:
    """Why a land unit may not leave its area: the garrison that a scenario asks for.

    Rules: A.5b
    """
    rule, unit = s.scenario.own.get("overseas_move"), s.units[id]
    if rule is None or unit.power != rule["power"] or unit.at != rule["from"]:
        return None
    there = [
        other
        for other in s.units_at(unit.at)
        if s.domain(other) == "land" and s.units[other].power == unit.power
    ]
    if id not in there or len(there) > rule["keep"]:
        return None
    return Refusal(f"A land unit has to stay in {s.facts.names[unit.at]}.", "A.5b")


def full(
    s: State, area: str, domain: Domain, size: int, port: str = "", without: Container[str] = ()
) -> Refusal | None:
    """Why so much more Size does not fit into a land area, of ships into `port`; None if it does.

    Units in `without` do not count, nor do those that others carry.

    Rules: 1.3.island-a, 1.3.island-b, 1.3.port-a, 1.3.port-b, 1.3.stack-g, D.1b, B.1b
    """
    facts, name = s.facts, s.facts.names[area]
    if domain == "naval":
        place = facts.ports[area].get(port)
        if place is None:
            return Refusal(f"{name} has no such port.", "1.3.port-a")
        if place.size == "big":
            return None
        limit, rule = facts.numbers.small_port_size, "1.3.port-b"
    elif facts.lands[area].island:
        limit = facts.numbers.island_size
        rule = "1.3.island-a" if domain == "land" else "1.3.island-b"
    else:
        return None
    used = sum(
        s.units[other].size
        for other in s.units_at(area)
        if facts.domain[other] == domain
        and s.units[other].port == port
        and not s.units[other].aboard
        and other not in without
    )
    if used + size <= limit:
        return None
    kind = "small port of" if domain == "naval" else "island"
    return Refusal(f"The {kind} {name} has no room for it.", rule)


def no_room(s: State, id: str, area: str, port: str = "") -> Refusal | None:
    """Why there is no room for a unit in a land area, a naval unit in `port`; None if there is.

    What an ally's units that have to leave for it take up is free.

    Rules: 1.3.island-a, 1.3.island-b, 1.3.port-a, 1.3.port-b, 1.3.stack-f
    """
    domain, without = s.facts.domain[id], [id]
    if domain != "land" and (ally := needs_consent(s, id, area)):
        without += [other for other in s.units_at(area) if s.units[other].power == ally]
    return full(s, area, domain, s.units[id].size, port, without)
