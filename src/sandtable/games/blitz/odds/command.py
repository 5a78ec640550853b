"""The command `sandtable odds blitz`."""

from __future__ import annotations

import json as json_module
from typing import Annotated, Any

import typer
from rich.console import Console

from sandtable.games.blitz.odds.question import is_save, load_game
from sandtable.games.blitz.odds.text import show
from sandtable.odds import OddsError, battle, in_progress


def odds(
    attack: Annotated[
        str, typer.Option(help='The units that attack: "18th army 2, stukas @ france".')
    ] = "",
    defend: Annotated[
        str, typer.Option(help="The units that defend; without it, whoever stands there.")
    ] = "",
    target: Annotated[str, typer.Option(help="The land or sea area of the combat.")] = "",
    combat: Annotated[
        str, typer.Option(help="ground, factory, port or sea, if that is not plain.")
    ] = "",
    port: Annotated[str, typer.Option(help="The sea of the port that is attacked.")] = "",
    flying: Annotated[str, typer.Option(help="PARAs that fly in.")] = "",
    scenario: Annotated[
        str, typer.Option(help="The scenario whose set-up it is, A to F or campaign.")
    ] = "",
    turn: Annotated[int, typer.Option(help="The turn, if not the first.")] = 0,
    load: Annotated[
        str, typer.Option(metavar="FILE", help="A saved game, or a position instead.")
    ] = "",
    attack_order: Annotated[
        str, typer.Option(help="How the attacker chooses: cheapest, weakest, units, bot or a list.")
    ] = "cheapest",
    defend_order: Annotated[str, typer.Option(help="How the defender does.")] = "cheapest",
    defend_subs: Annotated[str, typer.Option(help="Defending submarines stay or evade.")] = "stay",
    territory: Annotated[float, typer.Option(help="What the area is worth.")] = 0.0,
    sample: Annotated[
        int, typer.Option(help="Combats at random where there are too many courses.")
    ] = 0,
    data: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="A folder whose data files replace the game's own."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """The exact odds of a combat: every end, who is left, who is driven out."""
    play: dict[str, Any] = {
        "attack_order": attack_order,
        "defend_order": defend_order,
        "defend_subs": defend_subs,
        "territory": territory,
        "sample": sample,
    }
    placed = {"combat": combat, "port": port, "flying": flying, "scenario": scenario, "turn": turn}
    if load and not (attack or defend or target) and is_save(load):
        # A saved game without a question is one that rests in a combat.
        for name, value in placed.items():
            if value:
                raise OddsError(f"A combat in progress has its {name}.")
        result = in_progress(load_game(load), **play)
    else:
        placed |= {"target": target, "turn": turn or None, "load": load or None, "data": data}
        result = battle("blitz", attack, defend, **placed, **play)
    if json:
        typer.echo(json_module.dumps(result.to_dict(), indent=2))
    else:
        show(result, Console())
