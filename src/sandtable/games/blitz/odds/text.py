"""An answer as text for the terminal (Rich)."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sandtable.games.blitz.odds.result import ATTACKER, DEFENDER, Result
from sandtable.odds.text import ATTACK, DEFEND, EVEN, RARE, bar, percent

_MOST_ROWS = 8

_HEADS = {
    "ground": ("The attacker takes the area", "The defender holds it"),
    "factory": ("The Factory is damaged", "It comes to no harm"),
    "port": ("Ships in port are damaged", "They come to no harm"),
    "sea": ("Only the attacker is left there", "Only the defender is left there"),
}


def show(result: Result, console: Console) -> None:
    """Print the answer: chances, losses, and what is likely to be left."""
    names = result.names
    console.print(f"[bold]{_force(names, result.attacker_start)}[/]")
    console.print(
        f"against [bold]{_force(names, result.defender_start)}[/] in {names[result.target]}\n"
    )
    wins, holds = _HEADS[result.kind]
    width = max(10, min(40, console.width - 52))
    table = Table(box=None, padding=(0, 2), show_header=False)
    table.add_column("")
    table.add_column("", justify="right")
    table.add_column("")
    rows = [
        (wins, result.attacker_wins, ATTACK),
        (holds, result.defender_wins, DEFEND),
        ("Both are left, or nobody", result.draw, EVEN),
        ("A defender has to retreat", result.retreats, EVEN),
        ("An attacker may not advance", result.blocked, EVEN),
        ("The game is over with it", result.ends_game, EVEN),
    ]
    for label, chance, colour in rows:
        if chance or label in (wins, holds):
            table.add_row(label, percent(chance), Text(bar(chance, width), style=colour))
    console.print(table)
    console.print()
    console.print(_figures(result))
    for side, head in ((ATTACKER, "Left of the attackers"), (DEFENDER, "Left of the defenders")):
        if result.attacker_start if side == ATTACKER else result.defender_start:
            console.print(f"\n[bold]{head}[/] (with their Sizes)")
            console.print(_left(result, side))
    fates = _fates(result)
    if fates.row_count:
        console.print("\n[bold]What becomes of units[/]")
        console.print(fates)
    for note in result.notes:
        console.print(f"\n{note}", highlight=False)
    how = "exact" if result.exact else f"from {result.samples:,} combats at random"
    console.print(f"\n[dim]{how}, {result.elapsed_ms:.1f} ms[/]", highlight=False)


def _figures(result: Result) -> Table:
    figures = Table(box=None, padding=(0, 2), show_header=False)
    figures.add_column("")
    figures.add_column("", justify="right")
    for round_, sides in result.factors.items():
        spans = [_span(sides.get(side)) for side in (ATTACKER, DEFENDER)]
        figures.add_row(f"{round_.capitalize()} Round, Factors", " against ".join(spans))
    figures.add_row("The attacker loses Size", f"{result.attacker_loss:.2f}")
    figures.add_row("The defender loses Size", f"{result.defender_loss:.2f}")
    for what, points in (("Factory", "factory"), ("convoy", "convoy")):
        mean = result.mean(lambda end, points=points: getattr(end, points))  # type: ignore[misc]
        if mean:
            figures.add_row(f"Damage to the {what}", f"{mean:.2f}")
    figures.add_row("Expected swing for the attacker", f"{result.swing:+.2f}")
    return figures


def _span(span: tuple[int, int] | None) -> str:
    if span is None:
        return "none"
    return str(span[0]) if span[0] == span[1] else f"{span[0]}-{span[1]}"


def _left(result: Result, side: str) -> Table:
    rows = [row for row in result.likeliest(side) if row[0] >= RARE][:_MOST_ROWS]
    colour = ATTACK if side == ATTACKER else DEFEND
    table = Table(box=None, padding=(0, 1), show_header=False)
    table.add_column("", justify="right")
    table.add_column("", width=24, no_wrap=True)
    table.add_column("", overflow="fold")
    for chance, units in rows:
        shown = Text(bar(chance / rows[0][0], 24), style=colour)
        table.add_row(percent(chance), shown, _force(result.names, units))
    return table


def _fates(result: Result) -> Table:
    """Who is driven out, sent home or stopped, the likeliest first."""
    names = result.names
    rows = [
        *(
            (p, f"{names[id]} retreats to {names[to]}")
            for (id, to), p in result.driven_out().items()
        ),
        *((p, f"{names[id]} may not advance") for id, p in result.stopped().items()),
        *((p, f"{names[id]} is sent home") for id, p in result.sent_home().items()),
    ]
    table = Table(box=None, padding=(0, 1), show_header=False)
    table.add_column("", justify="right")
    table.add_column("")
    for p, fate in sorted(rows, key=lambda row: -row[0])[:_MOST_ROWS]:
        table.add_row(percent(p), fate)
    return table


def _force(names: Mapping[str, str], units: Mapping[str, int]) -> str:
    return ", ".join(f"{names[id]} {size}" for id, size in units.items()) or "nobody"
