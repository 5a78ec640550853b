"""The command `sandtable odds gw75`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sandtable.odds import OddsError, battle
from sandtable.odds.chart import plot as draw
from sandtable.odds.text import show


def odds(
    attack: Annotated[
        str,
        typer.Option(help='The attackers, stacks with "/" between: "8 inf, 2 mech / 6 inf".'),
    ] = "",
    defend: Annotated[str, typer.Option(help='The defenders: "4 inf, 2 fort".')] = "",
    kind: Annotated[
        str,
        typer.Option(help="land, overrun, naval, transit or air, if that is not plain."),
    ] = "",
    hex: Annotated[
        str, typer.Option(help="The hex that is attacked: a number (W2821) or a place.")
    ] = "",
    origin: Annotated[
        str, typer.Option(help='The hexes that the attackers come from, with "/" between.')
    ] = "",
    terrain: Annotated[str, typer.Option(help="Instead of a hex: inland, coast or mountain.")] = "",
    season: Annotated[
        str, typer.Option(help="winter, spring, summer, fall, or first_winter in the USSR.")
    ] = "",
    turn: Annotated[int, typer.Option(help="The Game-Turn: how far ASW units reach.")] = 0,
    landing: Annotated[
        bool, typer.Option("--landing", help="The attackers come from the sea.")
    ] = False,
    stand_fast: Annotated[
        bool, typer.Option("--stand-fast", help="The defenders are ordered to stand fast.")
    ] = False,
    surrounded: Annotated[
        bool, typer.Option("--surrounded", help="The defenders have no way to retreat.")
    ] = False,
    port: Annotated[
        int, typer.Option(help="Hexes from attacking submarines to their nearest port.")
    ] = 0,
    snort: Annotated[
        bool, typer.Option("--snort", help="Submarines in transit are in the Snort Mode.")
    ] = False,
    bomb: Annotated[bool, typer.Option("--bomb", help="The bombers carry an atomic bomb.")] = False,
    attacker: Annotated[str, typer.Option(help="The nation that attacks.")] = "germany",
    defender: Annotated[str, typer.Option(help="The nation that defends.")] = "",
    attack_order: Annotated[
        str, typer.Option(help="The attacker's order of loss: cheapest, weakest or a list.")
    ] = "cheapest",
    defend_order: Annotated[str, typer.Option(help="The defender's order of loss.")] = "cheapest",
    counter: Annotated[
        str, typer.Option(help="The stack that is Counter-Attacked: weakest, strongest, none.")
    ] = "weakest",
    advance: Annotated[
        str, typer.Option(help="Mechanized points that advance: all, one or none.")
    ] = "all",
    respond: Annotated[
        str, typer.Option(help="Attacked ships stand, retreat or decline.")
    ] = "stand",
    pursue: Annotated[
        str, typer.Option(help="When some retreat: attack the others, transit or nothing.")
    ] = "attack",
    close: Annotated[
        str, typer.Option(help="Who closes in for the second segment: all, surf_b, or stop.")
    ] = "all",
    support: Annotated[
        str, typer.Option(help="ASW units that support a defense: all or none.")
    ] = "all",
    transit: Annotated[
        str, typer.Option(help="Who can make a Transit Attack does: strike; or spare.")
    ] = "strike",
    territory: Annotated[float, typer.Option(help="What the hex is worth.")] = 0.0,
    data: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="A folder whose data files replace the game's own."),
    ] = None,
    plot: Annotated[str | None, typer.Option(help="Write a picture (.png, .svg).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """The exact odds of a land attack, a naval engagement or a bombing mission."""
    if not attack:
        raise OddsError("Say who attacks, for instance --attack '8 inf, 2 mech'.")
    result = battle(
        "gw75",
        attack,
        defend,
        kind=kind,
        hex=hex,
        origin=origin,
        terrain=terrain,
        season=season,
        turn=turn,
        landing=landing,
        stand_fast=stand_fast,
        surrounded=surrounded,
        port=port,
        snort=snort,
        bomb=bomb,
        attacker=attacker,
        defender=defender,
        attack_order=attack_order,
        defend_order=defend_order,
        counter=counter,
        advance=advance,
        respond=respond,
        pursue=pursue,
        close=close,
        support=support,
        transit=transit,
        territory=territory,
        data=data,
    )
    if plot is not None:
        draw(result, Path(plot))
    show(result, (), json)
