"""The command `sandtable odds`: each game brings its own, with its own options."""

from __future__ import annotations

import gc
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from sandtable.cli.quick import NO_HELP, Quick
from sandtable.odds.asking import adapter
from sandtable.odds.errors import OddsError


class Odds(TyperGroup):
    """A command for each game that has odds; it is found when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        folder = Path(import_module("sandtable.games").__path__[0])
        return sorted(path.parents[1].name for path in folder.glob("*/odds/command.py"))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.list_commands(ctx):
            adapter(cmd_name)
            raise OddsError(f"The odds of {cmd_name} can be asked in Python only.")
        app = typer.Typer(add_completion=False)
        module = import_module(f"sandtable.games.{cmd_name}.odds.command")
        app.command(name=cmd_name, cls=Quick, context_settings=NO_HELP)(module.odds)
        return typer.main.get_command(app)

    def invoke(self, ctx: Any) -> Any:
        announce_compiling()
        # Nobody looks for garbage while a second's worth of modules is imported.
        before = gc.isenabled()
        gc.disable()
        try:
            return super().invoke(ctx)
        finally:
            if before:
                gc.enable()


def announce_compiling() -> None:
    """From now on, say why the very first answer takes long."""
    from sandtable.odds.compiled import on_compile

    def announce() -> None:
        on_compile.clear()
        typer.echo("Compiling the battle odds for this machine, once …", err=True)

    on_compile[:] = [announce]
