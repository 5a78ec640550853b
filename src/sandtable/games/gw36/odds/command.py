"""The command `sandtable odds gw36`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sandtable.odds import OddsError, battle


def odds(
    attack: Annotated[
        str, typer.Option(help='The attacker\'s units: "6 infantry, 2 artillery, 1 fighter".')
    ] = "",
    defend: Annotated[str, typer.Option(help="The defender's units.")] = "",
    landing: Annotated[str, typer.Option(help="Land units that come from transports.")] = "",
    bombard: Annotated[str, typer.Option(help="Ships that support the landing.")] = "",
    drop: Annotated[str, typer.Option(help="Airborne infantry that is dropped.")] = "",
    transport: Annotated[
        str, typer.Option(help="What carries the landing: naval_transport, attack_transport.")
    ] = "naval_transport",
    kind: Annotated[str, typer.Option(help="land or naval, if that is not plain.")] = "",
    zone: Annotated[str, typer.Option(help="The zone of the battle.")] = "",
    origin: Annotated[str, typer.Option(help="The zone that the attackers come from.")] = "",
    terrain: Annotated[
        str,
        typer.Option(help="Instead of a zone: normal, mountain, desert, jungle, marsh or city."),
    ] = "",
    fort: Annotated[
        str, typer.Option(help="What stands on the border: fortification or maginot.")
    ] = "",
    guns: Annotated[int, typer.Option(help="Coastal artilleries.")] = 0,
    surrounded: Annotated[
        bool, typer.Option("--surrounded", help="The attacker has all zones around.")
    ] = False,
    surprise: Annotated[
        bool, typer.Option("--surprise", help="It is Japan's surprise attack.")
    ] = False,
    attacker: Annotated[str, typer.Option(help="The nation that attacks.")] = "germany",
    defender: Annotated[str, typer.Option(help="The nation that defends.")] = "",
    rules: Annotated[
        str, typer.Option(help="The optional rules: basic, recommended or everything.")
    ] = "recommended",
    on: Annotated[str, typer.Option(help="Optional rules in use besides, with commas.")] = "",
    off: Annotated[str, typer.Option(help="Optional rules not in use, with commas.")] = "",
    retreat: Annotated[
        str, typer.Option(help="When the attacker retreats: never, air, weaker or rounds:N.")
    ] = "never",
    attack_order: Annotated[
        str, typer.Option(help="The attacker's order of loss: cheapest, weakest or a list.")
    ] = "cheapest",
    defend_order: Annotated[str, typer.Option(help="The defender's order of loss.")] = "cheapest",
    attack_targets: Annotated[
        str, typer.Option(help="What the attacker's target selection takes: dearest or a list.")
    ] = "dearest",
    defend_targets: Annotated[str, typer.Option(help="The same for the defender.")] = "dearest",
    attack_subs: Annotated[
        str, typer.Option(help="Attacking submarines strike, submerge, submerge:N, or last.")
    ] = "strike",
    defend_subs: Annotated[str, typer.Option(help="Defending submarines likewise.")] = "strike",
    keep_land: Annotated[
        bool, typer.Option("--keep-land", help="Lose the last land unit after the aircraft.")
    ] = False,
    territory: Annotated[float, typer.Option(help="What the zone is worth.")] = 0.0,
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
    """The exact odds of a battle on land or at sea, and what is left of both sides."""
    from sandtable.odds.text import show

    switches: dict[str, Any] = {}
    for names, value in ((on, True), (off, False)):
        for name in filter(None, (each.strip() for each in names.split(","))):
            switches[name.replace(" ", "_")] = value
    if not attack and not landing and not drop:
        raise OddsError("Say who attacks, for instance --attack '3 infantry, 1 artillery'.")
    result = battle(
        "gw36",
        attack,
        defend,
        landing=landing,
        bombard=bombard,
        drop=drop,
        transport=transport,
        kind=kind,
        zone=zone,
        origin=origin,
        terrain=terrain,
        fort=fort,
        guns=guns,
        surrounded=surrounded,
        surprise=surprise,
        attacker=attacker,
        defender=defender,
        rules=rules,
        retreat=retreat,
        attack_order=attack_order,
        defend_order=defend_order,
        attack_targets=attack_targets,
        defend_targets=defend_targets,
        attack_subs=attack_subs,
        defend_subs=defend_subs,
        keep_land=keep_land,
        territory=territory,
        sample=sample,
        data=data,
        **switches,
    )
    if plot is not None:
        from sandtable.odds.chart import plot as draw

        draw(result, Path(plot))
    show(result, (), json)
