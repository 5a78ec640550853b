"""`sandtable data check`: whether a folder of data files can be played with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from sandtable.cli.errors import Unclear
from sandtable.kernel import registry
from sandtable.kernel.data import DataError, load
from sandtable.kernel.errors import OptionError
from sandtable.kernel.ruleset import RuleSet


def check_data(target: str, game: str | None) -> None:
    """Print what the data files of a game hold, those of a folder instead of its own; DataError
    if they are unsound."""
    folder: Path | None = Path(target)
    if target in registry.game_ids() and not Path(target).is_dir():
        game, folder = target, None
    elif not Path(target).is_dir():
        raise Unclear(f"{target} is neither a game nor a folder.")
    rules = registry.find(game or _game_of(Path(target)))
    positions = _start_all(rules, folder)
    own = rules.folder / "data"
    typer.echo(f"{rules.id}: {rules.title}, data files in {own}")
    for path in sorted(own.glob("*.yaml")):
        replaced = folder is not None and (folder / path.name).is_file()
        file = folder / path.name if folder is not None and replaced else path
        typer.echo(f"  {path.name}{f', from {file}' if replaced else ''}")
        for line in _tables(file):
            typer.echo(f"    {line}")
    typer.echo(f"All is well: {positions} set-ups can be played.")


def _game_of(folder: Path) -> str:
    """The only game that has data files of the names in a folder."""
    names = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    if not names:
        raise Unclear(f"{folder} has no files.")
    files = {
        rules.id: {path.name for path in (rules.folder / "data").glob("*.yaml")}
        for rules in registry.playable()[0]
    }
    fitting = [id for id, known in files.items() if names <= known]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        known = " or ".join(fitting)
        raise Unclear(f"The files in {folder} could be those of {known}: add --game {fitting[0]}.")
    stranger = min(names - set().union(*files.values()), default="")
    why = f"{stranger} is no data file" if stranger else "The files belong to several games"
    raise Unclear(f"{why} of {', '.join(files)}.")


def _start_all(rules: RuleSet[Any], folder: Path | None) -> int:
    """Set up each scenario and option of a game once; how many set-ups differ."""
    seen: list[dict[str, Any]] = []
    for name, option in {"": None, **rules.options}.items():
        for choice in (option.choices or ()) if option else (None,):
            try:
                options = rules.read_options({name: choice} if name else {})
                state = rules.start(options, None, folder)
            except OptionError:
                continue  # It needs another option beside it.
            for problem in rules.audit(state):
                chosen = f"with {name}={choice}" if name else "at the start"
                raise DataError(str(folder or rules.folder / "data"), f"{chosen}: {problem}")
            plain = state.plain()
            if plain not in seen:
                seen.append(plain)
    return len(seen)


def _tables(file: Path) -> list[str]:
    """The tables of a data file: how many rows each has, and where they come from."""
    content = load(file, dict[str, Any])
    provenance = content.get("provenance", {})
    lines = []
    for table, rows in content.items():
        if table != "provenance":
            held = f"{rows}"
            if isinstance(rows, dict | list):
                held = f"{len(rows):>4} {'row' if len(rows) == 1 else 'rows'}"
            lines.append(f"{table:<20}{held:<12}{provenance.get(table, '')}".rstrip())
    return lines
