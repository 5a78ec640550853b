"""Listing the games and their rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from sandtable.cli.errors import Unclear
from sandtable.kernel import registry
from sandtable.kernel.rules import report
from sandtable.kernel.ruleset import Option, RuleSet


def list_games() -> None:
    """Print every game with its powers and options."""
    games, broken = registry.playable()
    for rules in games:
        typer.echo(f"{rules.id}: {rules.title} (rules {rules.version})")
        typer.echo(f"  powers: {', '.join(rules.powers)}")
        if rules.options:
            typer.echo("  options (--option name=value):")
        for name, option in rules.options.items():
            typer.echo(f"    {name} = {_values(option)}")
            typer.echo(f"        {option.help}")
    for problem in broken.values():
        typer.echo(problem, err=True)


def _values(option: Option) -> str:
    """The values of an option, the default first and so marked."""
    if option.choices is None:
        return "…" if option.default is None else f"{option.default} (default)"
    others = [_value(choice) for choice in option.choices if choice != option.default]
    return " | ".join([f"{_value(option.default)} (default)", *others])


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def list_rules(game: str) -> int:
    """Print the rule index of a game; 1 if code or tests name rules that it does not have."""
    rules = registry.find(game)
    index = rules.folder / "rules.yaml"
    if not index.is_file():
        raise Unclear(f"{game} has no rule index.")
    tests = _tests_of(rules)
    found = report(game, rules.folder, index, tests)
    if tests is None:
        typer.echo("No tests are beside this installation: a source checkout has them.", err=True)
    typer.echo(found.text)
    return 1 if found.errors else 0


def _tests_of(rules: RuleSet[Any]) -> Path | None:
    """The tests of a source checkout: `tests` beside the `src` that holds the package."""
    for folder in rules.folder.parents:
        if folder.name == "src":
            tests = folder.parent / "tests"
            return tests if tests.is_dir() else None
    return None
