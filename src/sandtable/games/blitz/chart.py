"""The Combat Chart as clients draw it, and what is read off it: the sum behind each number."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.blitz import words
from sandtable.games.blitz.facts import Facts
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.combat import fires_to_come
from sandtable.games.blitz.rules.factors import Fire
from sandtable.kernel.display import Chart, Reading, Term

_ID = "combat"

_NOTES = (
    "Each side adds up its factors for the Round, rolls one die, and reads its row.",
    "A number is points of damage: each takes one Size from an enemy unit.",
    "A letter strikes a part of the enemy's units, when the damage is done: S a third of them, L "
    "two thirds, B all. In the air and at sea they go back to base. On land the attacker's letter "
    "drives defenders out if he has more armour, and the defender's keeps attackers from "
    "advancing.",
    "A white triangle makes a unit easier to hit: the enemy who fires at it has 1 factor more. A "
    "red one makes it harder: he has 1 less. Red triangles of attacking land units do not count.",
    "Support by air and naval units counts as far as the factors of the land units themselves. "
    "Halves are rounded up in the end.",
)

_TERMS = {
    "": "{unit}",
    "halved": "{unit}, halved",
    "support": "{unit} in support",
    "support_halved": "{unit} in support, halved",
    "limit": "Support beyond the land units' own factors",
    "white": "White triangles of {unit}",
    "red": "Red triangles of {unit}",
    "supply": "{unit} is out of supply",
    "terrain": "Terrain: white triangles for {unit}",
    "convoy": "The enemy's convoy",
    "factory": "The Factory",
}
"""What a term of a sum is, by its word."""


def charts(facts: Facts) -> tuple[Chart, ...]:
    """The Combat Chart."""
    rows = {_row(facts, factors): row[1:] for factors, row in enumerate(facts.chart) if row}
    return (
        Chart(
            _ID, "Combat Chart", "Factors", "Die", tuple(map(str, range(1, 7))), rows, notes=_NOTES
        ),
    )


def _row(facts: Facts, factors: int) -> str:
    last = len(facts.chart) - 1
    return f"{last} and more" if factors >= last else str(factors)


def reading(facts: Facts, fire: Fire, label: str = "", die: int = 0) -> Reading | None:
    """Where a side reads its result, with the sum of its factors; None if it does not fire."""
    factors, terms = fire
    if factors is None:
        return None
    found = tuple(
        Term(words.upper(_TERMS[word].format(unit=facts.name(unit))), _signed(value))
        for unit, word, value in terms
    )
    total = sum(value for _, _, value in terms)
    note = ""
    if terms and total != factors:
        least = total < factors and factors == 1
        why = "at least 1 is fired with" if least else f"rounded to {factors}"
        note = f"{_signed(total).removeprefix('+')} in all, {why}."
    return Reading(
        chart=_ID,
        label=f"{label}{words.number(factors, 'factor')}",
        row=_row(facts, factors),
        column=str(die) if die else "",
        terms=found,
        note=note,
    )


def _signed(value: float) -> str:
    return f"{value:+g}".replace("-", "\N{MINUS SIGN}")


def upcoming(s: State) -> tuple[Reading | None, Reading | None]:
    """What the attackers and the defenders of the running combat fire with in its next Round, as
    they stand."""
    for round_, fires in fires_to_come(s):
        label = f"{round_.capitalize()} Round: "
        return reading(s.facts, fires[0], label), reading(s.facts, fires[1], label)
    return None, None


def planned(s: State) -> Iterator[Reading]:
    """What both sides of the combat fire with in each of its Rounds, as they stand."""
    for round_, fires in fires_to_come(s):
        for side, fire in zip(("attacker", "defender"), fires, strict=True):
            found = reading(s.facts, fire, f"{round_.capitalize()} Round, {side}: ")
            if found is not None:
                yield found
