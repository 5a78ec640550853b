"""An answer as text for the terminal (Rich)."""

from __future__ import annotations

import json as json_module
from collections.abc import Sequence

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sandtable.odds.force import in_words
from sandtable.odds.result import ATTACKER, Result

EIGHTHS = " ▏▎▍▌▋▊▉█"
MOST_BARS = 18
RARE = 0.0005
"""What is less likely is not drawn."""
ATTACK, DEFEND, EVEN = "dodger_blue1", "dark_orange", "grey62"


def bar(share: float, width: int) -> str:
    """A bar of that share of the width, to an eighth of a character."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    full, rest = divmod(eighths, 8)
    return "█" * full + (EIGHTHS[rest] if rest else "")


def percent(p: float) -> str:
    """A chance as a person reads it: never 100.0 % or 0.0 % unless it is."""
    if 0 < p < 0.0005:
        return "<0.1 %"
    if 0.9995 < p < 1 - 1e-12:
        return ">99.9 %"
    return f"{100 * p:.1f} %"


def survivors(result: Result) -> list[tuple[int, float, str]]:
    """How many units are left, with the chance and the likeliest composition: positive numbers
    for the attacker where it wins, negative for the defender otherwise, 0 where nobody is left."""
    ours, theirs = result.attacker.sum(axis=1), result.defender.sum(axis=1)
    wins = result.distribution.ending == ATTACKER
    score = np.where(wins, ours, np.where(theirs > 0, -theirs, 0))
    rows = []
    for number in sorted(set(score.tolist()), reverse=True):
        chosen = np.flatnonzero(score == number)
        types, counts = (
            (result.attacker_types, result.attacker)
            if number > 0
            else (result.defender_types, result.defender)
        )
        shown = counts[chosen[0]]  # ends stand likeliest first
        units = dict(zip(types, map(int, shown), strict=True))
        rows.append((int(number), float(result.probability[chosen].sum()), in_words(units)))
    return rows


def binned(rows: Sequence[tuple[int, float, str]], most: int) -> list[tuple[str, float, str, int]]:
    """At most so many bars, of neighbouring numbers of a side: label, chance, units, sign."""
    width = 1
    while True:
        bins: dict[tuple[int, int], list[tuple[int, float, str]]] = {}
        for row in rows:
            sign = (row[0] > 0) - (row[0] < 0)
            bins.setdefault((-sign, -sign * ((abs(row[0]) - 1) // width)), []).append(row)
        if len(bins) <= most:
            break
        width += 1
    out = []
    for (sign, _), group in sorted(bins.items()):
        numbers = sorted(abs(n) for n, _, _ in group)
        label = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
        top = max(group, key=lambda row: row[1])
        out.append((label, sum(p for _, p, _ in group), top[2], -sign))
    return out


def show(result: Result, advice: Sequence[str], json: bool) -> None:
    """Print the answer, or the same as data."""
    if json:
        print(json_module.dumps({**result.to_dict(), "advice": list(advice)}, indent=2))
    else:
        draw(result, advice, Console())


def draw(result: Result, advice: Sequence[str], console: Console) -> None:
    """The answer as a table, the survivors, the advice."""
    table = Table(title=None, box=None, padding=(0, 2), show_header=True)
    table.add_column("")
    table.add_column("chance", justify="right")
    table.add_column("")
    width = max(10, min(40, console.width - 45))
    lines = [
        ("The attacker wins", result.attacker_wins, ATTACK),
        ("  and takes the territory", result.takes_territory, ATTACK),
        ("The defender holds out", result.defender_wins, DEFEND),
        ("  as the attacker retreats", result.retreats, DEFEND),
        ("Nobody wins", result.draw, EVEN),
    ]
    for label, chance, colour in lines:
        if label.startswith("  ") and chance == 0:
            continue
        table.add_row(label, percent(chance), Text(bar(chance, width), style=colour))
    console.print(f"[bold]{in_words(result.attacker_start)}[/]")
    console.print(f"against [bold]{in_words(result.defender_start)}[/]\n")
    console.print(table)
    console.print()
    figures = Table(box=None, padding=(0, 2), show_header=False)
    figures.add_column("")
    figures.add_column("", justify="right")
    figures.add_row("Combat rounds, on average", f"{result.rounds:.1f}")
    figures.add_row("The attacker loses units worth", f"{result.attacker_loss:.1f}")
    figures.add_row("The defender loses units worth", f"{result.defender_loss:.1f}")
    figures.add_row("Expected swing for the attacker", f"{result.swing:+.1f}")
    console.print(figures)

    console.print("\n[bold]Units left[/] (the likeliest of each number)")
    rows = survivors(result)
    bars = binned([row for row in rows if row[1] >= RARE] or rows, MOST_BARS)
    peak = max(p for _, p, _, _ in bars)
    chart = Table(box=None, padding=(0, 1), show_header=False)
    chart.add_column("", justify="right")
    chart.add_column("", justify="right")
    chart.add_column("", justify="right")
    chart.add_column("", width=24, no_wrap=True)
    chart.add_column("", overflow="fold")
    for label, chance, units, sign in bars:
        colour = (EVEN, ATTACK, DEFEND)[sign]
        who = ("nobody", "attacker", "defender")[sign]
        chart.add_row(
            who,
            label if sign else "",
            percent(chance),
            Text(bar(chance / peak, 24), style=colour),
            Text(units if sign else "", style="dim"),
        )
    console.print(chart)
    for note in (*result.notes, *advice):
        console.print(f"\n{note}", highlight=False)
    kind = "exact" if result.exact else f"{result.runs:,} battles, ±{100 * result.error:.2f} %"
    console.print(f"\n[dim]{kind}, {result.elapsed_ms:.1f} ms[/]", highlight=False)
