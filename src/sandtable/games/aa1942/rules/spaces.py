"""Spaces on the game board: who holds them, when they are hostile, canals and straits (p.8-9)."""

from __future__ import annotations

from sandtable.games.aa1942.model import State, Unit


def friendly_territory(s: State, territory: str, power: str) -> bool:
    """Whether the power's side controls the territory.

    Rules: def.territory.friendly, def.territory.neutral
    """
    return s.control.get(territory) in s.facts.allies[power]


def hostile_territory(s: State, territory: str, power: str) -> bool:
    """Whether the other side controls the territory, occupied or not.

    Rules: def.territory.hostile
    """
    return s.control.get(territory) in s.facts.enemies[power]


def aim_of_attack(s: State, territory: str) -> bool:
    """Whether the acting power may attack the territory: it was hostile when the turn began.

    All combat moves count as made at once, so a territory that a tank has blitzed on the way stays
    an aim for others, and an obstacle.

    Rules: combat-move.simultaneous, combat-move.hostile-territory
    """
    return s.start_control.get(territory) in s.facts.enemies[s.turn]


def hostile_zone(s: State, zone: str, power: str) -> bool:
    """Whether enemy surface warships are in the sea zone; submarines and transports do not count.

    Rules: def.sea-zone.hostile, def.sea-zone.friendly, def.surface-warship
    """
    stack = s.at.get(zone)
    if not stack:
        return False
    enemies, surface = s.facts.enemies[power], s.facts.surface
    for unit in stack:  # noqa: SIM110 (asked for every step of every ship: no generator)
        if unit.power in enemies and unit.type in surface:
            return True
    return False


def enemy_destroyer(s: State, zone: str, power: str) -> bool:
    """Whether an enemy destroyer is in the sea zone."""
    enemies = s.facts.enemies[power]
    for unit in s.stack(zone):  # noqa: SIM110 (as above)
        if unit.type == "destroyer" and unit.power in enemies:
            return True
    return False


def enemies_in(s: State, space: str, power: str) -> list[Unit]:
    """The enemy units in a space (one of each kind)."""
    enemies = s.facts.enemies[power]
    return [unit for unit in s.stack(space) if unit.power in enemies]


def canal_open(s: State, here: str, there: str, power: str) -> bool:
    """Whether sea units of the power may pass between two neighbouring zones.

    A canal is open to the side that held all its shores when the turn began.

    Rules: canal.panama, canal.suez, canal.suez.split, canal.timing
    """
    shores = s.facts.canals.get((here, there))
    if shores is None:
        return True
    allies = s.facts.allies[power]
    return all(s.start_control[shore] in allies for shore in shores)


def strait_closed(s: State, here: str, there: str) -> bool:
    """Whether the optional rule bars sea units from this step.

    Rules: option.straits-closed
    """
    return bool(s.options["dardanelles"]) and (here in s.facts.straits or there in s.facts.straits)


def capital_lost(s: State, power: str) -> bool:
    """Whether the power's capital is in enemy hands."""
    return s.control[s.facts.capital[power]] in s.facts.enemies[power]


def production(s: State, power: str) -> int:
    """The national production level: the IPC values of all territories the power controls.

    Rules: map.income-value, combat.conclude.production, multi.income
    """
    spaces = s.facts.spaces
    return sum(spaces[land].ipc for land, holder in s.control.items() if holder == power)
