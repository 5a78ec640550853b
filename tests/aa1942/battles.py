"""Battles for tests: attackers and defenders meet, and the table waits for the first decision.

Sea battles are fought in sz8, which borders France (German) and the United Kingdom: attacking
ships come from sz9, aircraft from the shore of their own side. Land battles are fought in
West Russia, which the Soviets can enter from Russia, Karelia, Archangel and Caucasus.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.aa1942.table import Done, Fight, Move, Table, counts, table

AIR = ("fighter", "bomber")
SHORE = {
    "germany": "france",
    "japan": "france",
    "united_kingdom": "united_kingdom",
    "united_states": "united_kingdom",
}
FOE = {
    "germany": "united_kingdom",
    "japan": "united_kingdom",
    "united_kingdom": "germany",
    "united_states": "germany",
    "soviet_union": "germany",
}

Forces = Mapping[str, str]


def sea_table(
    attackers: str | Forces,
    defenders: str | Forces,
    turn: str = "germany",
    *,
    also: Mapping[str, Mapping[str, str]] | None = None,
    **position: Any,
) -> Table:
    """A table before the combat moves of `sea`; attacking ships can also start in several zones."""
    ships = {"sz9": attackers} if isinstance(attackers, str) else attackers
    units: dict[str, dict[str, str]] = {}
    for zone, text in ships.items():
        for type_, count in counts(text).items():
            place = SHORE[turn] if type_ in AIR else zone
            row = units.setdefault(place, {})
            row[turn] = ", ".join(filter(None, [row.get(turn, ""), f"{count} {type_}"]))
    foes = {FOE[turn]: defenders} if isinstance(defenders, str) else defenders
    units.setdefault("sz8", {}).update(foes)
    for space, powers in (also or {}).items():
        for power, text in powers.items():
            row = units.setdefault(space, {})
            row[power] = ", ".join(filter(None, [row.get(power, ""), text]))
    return table(turn, "combat_move", units, **position)


def sea(
    attackers: str | Forces, defenders: str | Forces, turn: str = "germany", **more: Any
) -> Table:
    """The attackers have sailed and flown into sz8, and the battle there has begun."""
    t = sea_table(attackers, defenders, turn, **more)
    ships = {"sz9": attackers} if isinstance(attackers, str) else attackers
    for zone, text in ships.items():
        # Transports last: they need somebody who can fight beside them.
        for type_, count in sorted(counts(text).items(), key=lambda item: item[0] == "transport"):
            if zone == "sz8" and type_ not in AIR:
                continue
            place = SHORE[turn] if type_ in AIR else zone
            t.do(Move({type_: count}, (place, "sz8")))
    t.do(Done())
    if t.asked == f"{turn} choose_battle":
        t.do(Fight("sz8"))
    return t


def land(
    attackers: str | Forces,
    defenders: str | Forces,
    turn: str = "soviet_union",
    target: str = "west_russia",
    origin: str = "russia",
    **more: Any,
) -> Table:
    """The attackers have moved into the target, and the battle there has begun."""
    groups = {origin: attackers} if isinstance(attackers, str) else attackers
    units: dict[str, dict[str, str]] = {place: {turn: text} for place, text in groups.items()}
    units[target] = (
        {FOE[turn]: defenders}
        if isinstance(defenders, str) and defenders
        else dict(defenders or {})
    )
    if not units[target]:
        del units[target]
    t = table(turn, "combat_move", units, **more)
    for place, text in groups.items():
        for type_, count in counts(text).items():
            t.do(Move({type_: count}, (place, target)))
    return t.do(Done())


def line(t: Table) -> str:
    """Who rolls in the pending roll, without the name of the step: `2 infantry at 1`."""
    return t.rolling.partition(": ")[2]


def step(t: Table) -> str:
    """The step of the pending roll: `attack in sz8`."""
    return t.rolled
