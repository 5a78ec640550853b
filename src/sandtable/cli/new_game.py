"""`sandtable game new`: the skeleton of a game that can be played, tested and changed at once."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import typer

from sandtable.cli.errors import Unclear

_SKELETON = Path(__file__).parent / "skeleton"
_TEXT = ".txt"
"""What the templates of files that tools would read as they are end in."""


def new_game(id: str, title: str, folder: Path) -> None:
    """Write package, tests and page of a new game into a source checkout, and its map and golden
    playthrough."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,30}", id):
        raise Unclear(f"{id!r} is no id: small letters, digits and _, a letter first.")
    games = folder / "src" / "sandtable" / "games"
    if not games.is_dir():
        raise Unclear(f"{folder} is no source checkout: it has no src/sandtable/games.")
    places = {
        "game": games / id,
        "tests": folder / "tests" / id,
        "docs": folder / "docs" / "games",
    }
    title = title or id.replace("_", " ").capitalize()
    files: dict[Path, str] = {}
    for part, place in places.items():
        for source in sorted((_SKELETON / part).rglob("*.*")):
            name = source.relative_to(_SKELETON / part).as_posix().removesuffix(_TEXT)
            target = place / (f"{id}.md" if part == "docs" else name)
            files[target] = _filled(source.read_text(encoding="utf-8"), id, title)
    there = next(
        (path for path in (places["game"], places["tests"], *files) if path.exists()), None
    )
    if there is not None:
        raise Unclear(f"{there} is there already.")
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    _finish(id, folder)
    typer.echo(f"{title} is there, in src/sandtable/games/{id}, tests/{id} and docs/games/{id}.md.")
    typer.echo(f"Next: sandtable play {id}, make test, and docs/contributors.md.")


def _filled(text: str, id: str, title: str) -> str:
    return text.replace("@id@", id).replace("@title@", title)


def _finish(id: str, folder: Path) -> None:
    """In processes of their own, which know the new package: draw the map, and let the suite that
    every game passes write down what it compares with from now on."""
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "SANDTABLE_GOLDEN": "write"}
    written = [f"src/sandtable/games/{id}", f"tests/{id}"]
    commands = [["-m", "sandtable", "map", "build", id]]
    if find_spec("ruff") is not None:
        # How lines break depends on how long the id is.
        commands.append(["-m", "ruff", "format", "-q", *written])
    if (folder / "tests" / "conformance").is_dir():
        suite = ["test_golden.py", "test_counts.py"]
        tests = [f"tests/conformance/{name}" for name in suite]
        commands.append(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", id, *tests])
    for command in commands:
        done = subprocess.run(
            [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True
        )
        if done.returncode:
            said = (done.stderr or done.stdout)[-500:]
            raise Unclear(f"The game is written, but {command[1]} failed: {said}")
