"""Escort duty, convoy raiding and blockade, as they are announced (8.8, 8.11, 9.11)."""

from __future__ import annotations

from sandtable.games.gw36.facts import UnitType
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.terms import enemies, on
from sandtable.games.gw36.rules.zones import side
from sandtable.kernel.errors import IllegalDecision

NO_ESCORTS = frozenset(
    {
        "heavy_cruiser",
        "battlecruiser",
        "coastal_defense_ship",
        "battleship",
        "fast_battleship",
        "heavy_battleship",
    }
)
"""Ships that the Advanced Escort rules keep from escort duty (15.7)."""

DUTIES = ("convoy", "raid", "mine", "blockade")


RAIDER = "raider:"
"""How `counts` begin that remember for a calendar turn who has raided a convoy line."""


def raid_key(line: str, power: str) -> str:
    """By what `counts` remembers that a power has raided a line in this calendar turn."""
    return f"{RAIDER}{line}:{power}"


def check_duty(s: State, nation: str, kinds: list[UnitType], zone: str, duty: str) -> None:
    """Whether ships may announce this duty in a sea zone. Each does one at a time.

    Rules: 8.8a, 8.8b, 8.2b
    """
    if duty == "convoy":
        _check_escort(s, kinds, zone)
    elif duty == "blockade":
        _check_blockade(s, nation, kinds, zone)
    elif duty == "mine":
        _check_mines(s, nation, kinds, zone)
    else:
        _check_raid(s, nation, kinds, zone)


def _check_escort(s: State, kinds: list[UnitType], zone: str) -> None:
    """Surface warships escort, in a sea zone that a convoy line crosses.

    Rules: 9.11m, 15.7a
    """
    if not s.facts.lines_at.get(zone):
        raise IllegalDecision(f"No convoy line crosses {s.facts.name(zone)}.", "9.11m")
    for kind in kinds:
        if not kind.warship:
            raise IllegalDecision("Only surface warships are on escort duty.", "9.11m")
        if kind.id in NO_ESCORTS and on(s, "advanced_escort"):
            raise IllegalDecision(f"{kind.name} may not be on escort duty.", "15.7a")


def prey(s: State, nation: str, zone: str) -> bool:
    """Whether a convoy line in a sea zone is open for an Enemy that can still lose IPPs on it.

    Rules: 9.11a, 9.11d, 9.11i
    """
    foes = side(s, nation).foes
    for id in s.facts.lines_at.get(zone, ()):
        line = s.facts.lines[id]
        for owner, value in line.values:
            if owner not in foes or s.raided.get((id, owner), 0) >= value:
                continue
            if not any(
                end in s.possession and enemies(s, owner, s.possession[end]) for end in line.ends
            ):
                return True
    return False


def _check_raid(s: State, nation: str, kinds: list[UnitType], zone: str) -> None:
    """Submarines raid; with the options also fast surface ships and aircraft on patrol.

    Rules: 9.11a, 9.12a, 9.12b, 9.14a, 12.2.seaplane-b
    """
    if not prey(s, nation, zone):
        raise IllegalDecision(
            f"No Enemy can lose IPPs on an open convoy line in {s.facts.name(zone)}.", "9.11a"
        )
    for kind in kinds:
        if kind.submarine:
            continue
        if kind.air:
            if kind.raid is None or not on(s, "raiding_aircraft"):
                raise IllegalDecision(f"{kind.name} does not raid convoys.", "9.14a")
        elif not (on(s, "surface_raiders") and kind.warship and kind.move >= 3):
            raise IllegalDecision(f"{kind.name} does not raid convoys.", "9.12a")
        elif any(
            unit.duty == "convoy" and unit.nation in side(s, nation).foes for unit in s.stack(zone)
        ):
            raise IllegalDecision(
                f"Enemy escorts keep surface raiders out of {s.facts.name(zone)}.", "9.12b"
            )


def _check_mines(s: State, nation: str, kinds: list[UnitType], zone: str) -> None:
    """Submarines, Heavy Cruisers and Seaplanes lay mines, with the option.

    Rules: 9.13a, 12.2.seaplane-b, 12.2.heavy-cruiser-a
    """
    if not on(s, "mines"):
        raise IllegalDecision("Mine warfare is an optional rule that is not used.", "9.13a")
    if not prey(s, nation, zone):
        raise IllegalDecision(
            f"No Enemy can lose IPPs on an open convoy line in {s.facts.name(zone)}.", "9.11a"
        )
    for kind in kinds:
        if not (kind.mines or kind.submarine):
            raise IllegalDecision(f"{kind.name} lays no mines.", "9.13a")


def _check_blockade(s: State, nation: str, kinds: list[UnitType], zone: str) -> None:
    """Surface warships blockade the naval facilities of Enemies.

    Rules: 8.11a, 8.11b, 8.11d
    """
    if any(not kind.warship for kind in kinds):
        raise IllegalDecision("Only surface warships blockade.", "8.11a")
    foes = side(s, nation).foes
    types = s.facts.facilities
    for land in s.facts.coast[zone]:
        if s.possession[land] in foes:
            for f in s.facilities.get(land, ()):
                if types[f.type].naval and f.at in ("", zone):
                    return
    raise IllegalDecision(
        f"No naval facility of an Enemy is at {s.facts.name(zone)}: there is nothing to blockade.",
        "8.11d",
    )
