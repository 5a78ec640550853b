"""The command `sandtable odds aa1942`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sandtable.odds import battle
from sandtable.odds import best as best_play


def odds(
    attack: Annotated[
        str, typer.Option(help='The attacker\'s units: "3 infantry, 1 art, 2 ftr".')
    ] = "",
    defend: Annotated[str, typer.Option(help="The defender's units.")] = "",
    sea: Annotated[bool, typer.Option("--sea", help="The battle is at sea.")] = False,
    landing: Annotated[str, typer.Option(help="Land units that come from transports.")] = "",
    fleet: Annotated[
        str, typer.Option(help="The attacker's ships and aircraft at sea before a landing.")
    ] = "",
    fleet_defend: Annotated[str, typer.Option(help="The defender's ships there.")] = "",
    retreat: Annotated[
        str, typer.Option(help="When the attacker retreats: never, air, landing, loss or rounds:N.")
    ] = "never",
    attack_order: Annotated[
        str, typer.Option(help="The attacker's order of loss: cheapest, weakest or a list.")
    ] = "cheapest",
    defend_order: Annotated[str, typer.Option(help="The defender's order of loss.")] = "cheapest",
    attack_subs: Annotated[
        str, typer.Option(help="Attacking submarines strike, submerge, submerge:N, or last.")
    ] = "strike",
    defend_subs: Annotated[str, typer.Option(help="Defending submarines likewise.")] = "strike",
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
    data: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="A folder whose data files replace the game's own."),
    ] = None,
    plot: Annotated[str | None, typer.Option(help="Write a picture (.png, .svg).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """The exact odds of a battle, what is left of both sides, and the best play."""
    from sandtable.odds.text import show

    options: dict[str, Any] = {
        "retreat": retreat,
        "attack_order": attack_order,
        "defend_order": defend_order,
        "attack_subs": attack_subs,
        "defend_subs": defend_subs,
        "keep_land": keep_land,
        "territory": territory,
        "sample": sample,
        "data": data,
    }
    if sea:
        options["sea"] = True
    if landing or fleet:
        options.update(landing=landing, fleet=fleet, fleet_defend=fleet_defend or None)
    result = battle("aa1942", attack, defend, **options)
    advice = _advice(attack, defend, options, best, result.takes_territory > 0)
    if plot is not None:
        from sandtable.odds.chart import plot as draw

        draw(result, Path(plot))
    show(result, advice, json)


def _advice(attack: str, defend: str, options: dict[str, Any], full: bool, land: bool) -> list[str]:
    """What the attacker could do better, in sentences."""
    asked = {**options, "most_work": 1.5e9 if full else 0.0}
    found = best_play("aa1942", attack, defend, goal="swing", **asked)
    verdict = "worth it" if found.value > 0 else "not worth it"
    lines = [f"By the value of the units, the attack is {verdict}."]
    if found.gain >= 0.05:
        lines.append(
            f"For the best swing ({found.value:+.1f} instead of {found.default:+.1f}), "
            f"{_how(found)}."
        )
    goal, what = ("take", "take the territory") if land else ("win", "win")
    found = best_play("aa1942", attack, defend, goal=goal, **asked)
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
