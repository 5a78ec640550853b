"""The command `sandtable odds`."""

from __future__ import annotations

import gc
import json as json_module
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from sandtable.odds.errors import OddsError


def odds(
    game: Annotated[str, typer.Argument(help="The game, aa1942 or blitz.")],
    attack: Annotated[
        str,
        typer.Option(
            help='The attacker\'s units: "3 infantry, 1 art, 2 ftr"; blitz: "18th army 2, stukas".'
        ),
    ] = "",
    defend: Annotated[str, typer.Option(help="The defender's units.")] = "",
    sea: Annotated[bool, typer.Option("--sea", help="The battle is at sea.")] = False,
    landing: Annotated[str, typer.Option(help="Land units that come from transports.")] = "",
    fleet: Annotated[
        str, typer.Option(help="The attacker's ships and aircraft at sea before a landing.")
    ] = "",
    fleet_defend: Annotated[str, typer.Option(help="The defender's ships there.")] = "",
    retreat: Annotated[
        str, typer.Option(help="When the attacker retreats: never, air, loss or rounds:N.")
    ] = "never",
    attack_order: Annotated[
        str, typer.Option(help="The attacker's order of loss: cheapest, weakest or a list.")
    ] = "cheapest",
    defend_order: Annotated[str, typer.Option(help="The defender's order of loss.")] = "cheapest",
    attack_subs: Annotated[
        str, typer.Option(help="Attacking submarines strike, submerge, or do so last.")
    ] = "strike",
    defend_subs: Annotated[
        str, typer.Option(help="Defending submarines likewise; in blitz they strike or evade.")
    ] = "strike",
    keep_land: Annotated[
        bool, typer.Option("--keep-land", help="Lose the last land unit after the aircraft.")
    ] = False,
    territory: Annotated[float, typer.Option(help="What the territory is worth.")] = 0.0,
    best: Annotated[
        bool, typer.Option("--best", help="Find the best play, even if that takes seconds.")
    ] = False,
    sample: Annotated[
        int, typer.Option(help="Battles to be fought at random where exact is out of reach.")
    ] = 0,
    scenario: Annotated[
        str, typer.Option(help="blitz: the scenario whose set-up it is, A to F or campaign.")
    ] = "",
    load: Annotated[
        Path | None,
        typer.Option("--load", metavar="FILE", help="blitz: a saved game, or a position instead."),
    ] = None,
    target: Annotated[str, typer.Option(help="blitz: the land or sea area of the combat.")] = "",
    combat: Annotated[
        str, typer.Option(help="blitz: ground, factory, port or sea, if that is not plain.")
    ] = "",
    port: Annotated[str, typer.Option(help="blitz: the sea of the port that is attacked.")] = "",
    flying: Annotated[str, typer.Option(help="blitz: PARAs that fly in.")] = "",
    turn: Annotated[int, typer.Option(help="blitz: the turn, if not the first.")] = 0,
    plot: Annotated[Path | None, typer.Option(help="Write a picture (.png, .svg).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """The exact odds of a battle, what is left of both sides, and the best play."""
    options: dict[str, Any] = {
        "retreat": retreat,
        "attack_order": attack_order,
        "defend_order": defend_order,
        "attack_subs": attack_subs,
        "defend_subs": defend_subs,
        "keep_land": keep_land,
        "territory": territory,
        "sample": sample,
    }
    placed = {
        "scenario": scenario,
        "load": load,
        "target": target,
        "combat": combat,
        "port": port,
        "flying": flying,
        "turn": turn,
    }
    if sea:
        options["sea"] = True
    if landing or fleet:
        options.update(landing=landing, fleet=fleet, fleet_defend=fleet_defend or None)
    with _no_garbage():
        try:
            if (own := _own_answer(game)) is not None:
                given = _given(options | placed, best=best, plot=plot)
                own(attack, defend, given, json)
            else:
                for name in _given(placed):
                    raise OddsError(f"The odds of {game} have no --{name}.")
                _answer(game, attack, defend, options, best, plot, json)
        except OddsError as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(2) from None


_DEFAULTS = {
    "retreat": "never",
    "attack_order": "cheapest",
    "defend_order": "cheapest",
    "attack_subs": "strike",
    "defend_subs": "strike",
}
"""Of the options whose default is not empty."""


def _given(options: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The options that differ from their defaults."""
    every = options | more
    return {name: value for name, value in every.items() if value and value != _DEFAULTS.get(name)}


def _own_answer(game: str) -> Callable[[str, str, dict[str, Any], bool], None] | None:
    """How a game answers whose units have names and places, and whose results are its own."""
    from sandtable.odds import adapter

    game_odds = adapter(game)
    if not hasattr(game_odds, "from_command"):
        return None

    def answer(attack: str, defend: str, options: dict[str, Any], json: bool) -> None:
        result = game_odds.from_command(attack, defend, options)
        if json:
            typer.echo(json_module.dumps(result.to_dict(), indent=2))
            return
        from rich.console import Console

        game_odds.show(result, Console())

    return answer


@contextmanager
def _no_garbage() -> Iterator[None]:
    """Do not look for garbage while a second's worth of modules is imported."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def _answer(
    game: str,
    attack: str,
    defend: str,
    options: dict[str, Any],
    best: bool,
    plot: Path | None,
    json: bool,
) -> None:
    announce_compiling()
    from sandtable.odds import battle

    result = battle(game, attack, defend, **options)
    advice = _advice(game, attack, defend, options, best, result.takes_territory > 0)
    if plot is not None:
        from sandtable.odds.chart import plot as draw

        draw(result, plot)
    if json:
        typer.echo(json_module.dumps({**result.to_dict(), "advice": advice}, indent=2))
        return
    from rich.console import Console

    from sandtable.odds.text import show

    show(result, advice, Console())


def announce_compiling() -> None:
    """From now on, say why the very first answer takes long."""
    from sandtable.odds.compiled import on_compile

    def announce() -> None:
        on_compile.clear()
        typer.echo("Compiling the battle odds for this machine, once …", err=True)

    on_compile[:] = [announce]


def _advice(
    game: str, attack: str, defend: str, options: dict[str, Any], full: bool, land: bool
) -> list[str]:
    """What the attacker could do better, in sentences."""
    from sandtable.odds import best

    asked = {**options, "most_work": 1.5e9 if full else 0.0}
    found = best(game, attack, defend, goal="swing", **asked)
    verdict = "worth it" if found.value > 0 else "not worth it"
    lines = [f"By the value of the units, the attack is {verdict}."]
    if found.gain >= 0.05:
        lines.append(
            f"For the best swing ({found.value:+.1f} instead of {found.default:+.1f}), "
            f"{_how(found)}."
        )
    goal, what = ("take", "take the territory") if land else ("win", "win")
    found = best(game, attack, defend, goal=goal, **asked)
    if found.gain >= 0.0005:
        lines.append(
            f"To {what} most often ({found.value:.1%} instead of {found.default:.1%}), "
            f"{_how(found)}."
        )
    return lines


def _how(found: Any) -> str:
    """The bounded search knows its order of loss; the dynamic programme chooses anew each time."""
    if found.order is None:
        return "choose losses and retreat anew in every round"
    order = ", ".join(kind.replace("_", " ") for kind in found.order)
    parts = [f"lose {order} in this order"]
    if found.keep_land:
        parts.append("but the last land unit at the very end")
    if found.retreat == "loss":
        parts.append("and retreat as soon as fighting on costs more than it gains")
    return ", ".join(parts)
