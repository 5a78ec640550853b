"""`sandtable simulate`: many games between bots."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import typer

from sandtable.bots import MOST_ROUNDS, GameReport, Summary, UnknownBot, simulate
from sandtable.cli.bots import make_ready
from sandtable.cli.options import read_options
from sandtable.kernel import registry


def simulate_games(
    game: str,
    games: int,
    bots: str,
    seed: int,
    jobs: int,
    max_rounds: int | None,
    options: list[str],
    data: Path | None,
    *,
    as_json: bool,
) -> None:
    """Play the games with a progress bar, and print the summary."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    rules = registry.find(game)
    chosen = read_options(rules, options)
    make_ready(rules, bots)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Remaining())
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not sys.stderr.isatty()
    ) as bar:
        task = bar.add_task("games", total=games)

        def advance(report: GameReport) -> None:
            bar.advance(task)

        summary = simulate(
            game,
            games,
            _bots(bots),
            seed,
            jobs or os.cpu_count() or 1,
            max_rounds or MOST_ROUNDS,
            chosen,
            advance,
            data=data,
        )
    typer.echo(summary.to_json() if as_json else in_words(summary))


def _bots(text: str) -> str | dict[str, str]:
    """One bot for all, or `axis=greedy,allies=random`."""
    if "=" not in text:
        return text
    named: dict[str, str] = {}
    for part in text.split(","):
        place, equals, bot = part.partition("=")
        if not equals or not place or not bot:
            raise UnknownBot(f"Bots are named as axis=greedy,allies=random, not {text!r}.")
        named[place.strip()] = bot.strip()
    return named


def in_words(summary: Summary) -> str:
    """A summary as a few lines."""
    lines = [
        f"{summary.games} games of {summary.game}, seed {summary.seed}",
        f"rounds            {summary.rounds.min} to {summary.rounds.max}, "
        f"{summary.rounds.mean:.1f} on average",
    ]
    for side, won in summary.wins.items():
        lines.append(f"{side.capitalize() + ' won':<18}{won} ({summary.shares[side]:.1%})")
    if summary.draws:
        lines.append(f"draws             {summary.draws}")
    if summary.unfinished:
        lines.append(f"not finished      {summary.unfinished} (after {summary.max_rounds} rounds)")
    lines.append(
        f"speed             {summary.decisions_per_second:,.0f} decisions per second, "
        f"{summary.games_per_minute:,.1f} games per minute"
    )
    return "\n".join(lines)
