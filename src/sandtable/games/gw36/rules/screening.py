"""Screening forces, as they are announced (8.10)."""

from __future__ import annotations

from sandtable.games.gw36.facts import UnitType
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.movement import Group, check_voyage, points
from sandtable.games.gw36.rules.sharing import hostile_sea
from sandtable.games.gw36.rules.terms import on
from sandtable.games.gw36.rules.zones import side
from sandtable.kernel.errors import IllegalDecision


def check_in_use(s: State) -> None:
    """The rule is used."""
    if not on(s, "screening"):
        raise IllegalDecision("Screening forces are not used in this game.", "8.10a")


def check_screen(s: State, nation: str, kinds: list[UnitType], zone: str) -> None:
    """Ships that can fight are to clear a sea zone of Enemies.

    Rules: 8.10a
    """
    check_in_use(s)
    if not hostile_sea(s, nation, zone):
        raise IllegalDecision(f"No Enemy has to be screened off in {s.facts.name(zone)}.", "8.10a")
    if all(kind.attack is None for kind in kinds):
        raise IllegalDecision("A screening force has to be able to fight.", "8.10a")


def check_follow(
    s: State, nation: str, kinds: list[UnitType], path: tuple[str, ...], target: str
) -> None:
    """Ships wait behind a screen, with movement left for the next sea zone.

    Rules: 8.10a, 9.7b, 9.7c
    """
    check_in_use(s)
    zone = path[-1]
    if not screened(s, nation, zone):
        raise IllegalDecision(f"No screening force fights in {s.facts.name(zone)}.", "8.10a")
    if target not in s.facts.sea_next.get(zone, ()):
        raise IllegalDecision(
            f"{s.facts.name(target)} is not the next sea zone after {s.facts.name(zone)}.", "9.7b"
        )
    check_voyage(s, nation, kinds, (zone, target))


def check_left(s: State, groups: list[Group], path: tuple[str, ...]) -> None:
    """Each ship has movement left for the zone beyond.

    Rules: 9.7c
    """
    for unit, _, _ in groups:
        if points(s, unit, path[0]) < len(path):
            raise IllegalDecision(
                f"{s.facts.name(unit.type)} would have no movement left to go on.", "9.7c"
            )


def screened(s: State, nation: str, zone: str) -> bool:
    """Whether a Friendly screening force has been announced in a sea zone."""
    friends = side(s, nation).friends
    return any(unit.duty == "screen" and unit.nation in friends for unit in s.stack(zone))
