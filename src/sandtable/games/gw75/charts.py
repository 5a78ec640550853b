"""The combat results tables as clients draw them, and what is read off them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.games.gw75 import words
from sandtable.games.gw75.facts import Facts
from sandtable.games.gw75.model import Attack, State
from sandtable.games.gw75.rules import attacks
from sandtable.games.gw75.rules.tables import listed
from sandtable.kernel.display import Chart, Reading, Term
from sandtable.kernel.events import Event

_BETWEEN = "Between two rows the one above is read, and beyond the last one the last."

_TABLES = {
    "land": (
        "Land Combat Results",
        "Differential",
        "The differential is the attackers' Strength Points less those of the defenders, which are "
        "doubled in Spring in the Weather Area, and behind mountains if all attackers come across "
        "them.",
        "A cell is how many Strength Points the defender loses; in a Counter-Attack the attacker.",
    ),
    "naval": (
        "Naval Combat Results",
        "Differential",
        "The differential is the attack strength less the defense strength of the fleets.",
        "A cell is how many fleets are lost; with D one attacking Surf-A or ASW unit is depleted.",
    ),
    "air_defense": (
        "Air Defense Results",
        "Differential",
        "The differential is the Air Defense of the hex less the bombers.",
        "A cell has the Air Defense units destroyed, the bombers destroyed, and those aborted.",
    ),
    "bombing": (
        "Bombing Results",
        "Bombers",
        "A cell is how many Production Points the hex loses in this Game-Turn.",
    ),
}
"""Table to its title, what its rows are, and what is to be said about it."""

_READ = {
    "land_attack": "land",
    "counter_attack": "land",
    "naval_attack": "naval",
    "naval_counter_attack": "naval",
    "transit_attack": "naval",
    "air_defense": "air_defense",
    "bombed": "bombing",
}
"""Kind of event to the table that it was read off."""


def charts(facts: Facts) -> tuple[Chart, ...]:
    """The combat results tables."""
    faces = tuple(map(str, range(1, 7)))
    return tuple(
        Chart(
            id,
            title,
            down,
            "Die",
            faces,
            {
                _row(id, number): tuple(map(_cell, cells))
                for number, cells in getattr(facts.tables, id).items()
            },
            (*notes, _BETWEEN),
        )
        for id, (title, down, *notes) in _TABLES.items()
    )


def _row(table: str, number: int) -> str:
    return str(number) if table == "bombing" else words.difference(number)


def _cell(result: Any) -> str:
    return " ".join(map(str, result)) if isinstance(result, list | tuple) else str(result)


def reading(facts: Facts, event: Event, face: int) -> Reading | None:
    """Where the result of an event stands in a table."""
    table, data = _READ.get(event.kind, ""), event.data
    if not table:
        return None
    number = data["units"]["lrb"] if table == "bombing" else data["differential"]
    less = data.get("subtracted", 0)
    return Reading(
        chart=table,
        label=f"{number} bomber{'' if number == 1 else 's'}"
        if table == "bombing"
        else f"at {words.difference(number)}",
        row=_row(table, listed(getattr(facts.tables, table), number)),
        column=str(max(1, face - less)),
        terms=_terms(data),
        note=f"{less} is subtracted from the die." if less else "",
    )


def _terms(data: Mapping[str, Any]) -> tuple[Term, ...]:
    said = {"attack": "Attackers", "defense": "Defense", "survivors": "Defenders that are left"}
    return tuple(
        Term(said[word], f"{value:+d}".replace("-", "\N{MINUS SIGN}"))
        for _, word, value in data.get("sum", ())
    )


def planned(s: State, attack: Attack) -> Reading:
    """Where a land attack is read off that is being thought about."""
    differential = attacks.differential(s, attack)
    return Reading(
        chart="land",
        label=f"Differential {words.difference(differential)}",
        row=_row("land", listed(s.facts.tables.land, differential)),
        terms=_terms({"sum": attacks.terms(s, attack, differential)}),
    )
