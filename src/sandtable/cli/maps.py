"""`sandtable map`: building, checking and drawing maps."""

from __future__ import annotations

from pathlib import Path

import typer

from sandtable.maps import hexes
from sandtable.maps.board import MapError, board_of
from sandtable.maps.check import check
from sandtable.maps.draw import draw
from sandtable.maps.plan import digest, plan_of
from sandtable.maps.sheet import sheet_of, write


def build_map(game: str) -> int:
    """Build a game's map beside the game, and check it; 1 if it is unsound."""
    board = board_of(game)
    if board.grid is not None:
        built = hexes.build(board)
    else:
        try:
            from sandtable.maps import build
        except ModuleNotFoundError as error:
            raise MapError(f"Building a map needs {error.name}: install sandtable[map].") from None
        built = build.build(board, plan_of(board), say=lambda step: typer.echo(f"{step} ..."))
    path, size = write(game, built)
    typer.echo(f"{path}: {size} bytes compressed")
    return check_map(game)


def check_map(game: str) -> int:
    """Print what a check of a game's map finds; 1 if the map is unsound."""
    board, sheet = board_of(game), sheet_of(game)
    plan = digest(plan_of(board)) if board.grid is None else hexes.digest(board)
    report = check(board, sheet, plan)
    seas = sum(space.sea for space in sheet.spaces.values())
    typer.echo(
        f"{game}: {len(sheet.spaces) - seas} land and {seas} sea spaces, "
        f"{sheet.size} bytes compressed"
    )
    for line in report.lines():
        typer.echo(line)
    typer.echo("All is well." if not report.faults else f"{len(report.faults)} faults.")
    return 1 if report.faults else 0


def draw_map(game: str, file: Path, view: str | None) -> None:
    """Write a picture of a game's map."""
    file.write_text(draw(board_of(game), sheet_of(game), view), encoding="utf-8")
    typer.echo(f"{file} written.")
