"""The rules that bear on each question, with short names."""

from __future__ import annotations

from typing import Any, Literal

from sandtable.kernel.decisions import Request
from sandtable.kernel.display import Form, Help

HELP: dict[str, dict[str, str]] = {
    "bid": {"setup.units": "Units at the start"},
    "purchase": {
        "purchase.afford": "Paying for units",
        "purchase.repair.cost": "Repairing damage",
        "purchase.carry-over": "Saving IPCs",
        "mobilize.limit.value": "How many units can be placed",
        "mobilize.limit.damage": "What damage costs",
        "mobilize.overproduction": "Buying too many",
    },
    "combat_move": {
        "combat-move.purpose": "What a combat move is",
        "combat-move.stop-hostile": "Where units have to stop",
        "combat-move.blitz.basic": "Blitzing",
        "combat-move.air.reserve": "Keeping range to land",
        "unit.air.landing-proof": "Proof of a landing place",
        "amphib.declare": "Amphibious assaults",
        "transport.load.combat-must-assault": "Loading in combat movement",
        "sbr.target": "Bombing raids",
        "combat-move.start-hostile.options": "Starting beside enemy ships",
    },
    "commit_interceptors": {
        "option.air-battle.intercept": "Interceptors",
        "option.air-battle.defender-fire": "How they fire",
    },
    "choose_battle": {
        "combat.sequence": "Order of combat",
        "combat.general.order": "Who chooses the order",
        "combat-move.sub-transport.attack-option": "Leaving submarines and transports alone",
    },
    "engage_or_ignore": {
        "combat-move.sub-transport.attack-option": "Attacking or ignoring them",
        "transport.assault.ignored-sub": "Landing past submarines",
    },
    "choose_bombardment": {
        "amphib.bombard.limit": "How many ships may bombard",
        "amphib.bombard.roll": "How they roll",
        "amphib.bombard.casualties-fire": "What they hit fires back",
    },
    "submerge_or_strike": {
        "combat.sub.submerge.effect": "Submerging",
        "combat.sub.strike.attacker": "Surprise strikes",
        "combat.sub.strike.casualty-removal": "What a surprise strike hits",
        "unit.destroyer.cancel": "What destroyers do",
    },
    "choose_casualties": {
        "combat.fire.max-hits": "Every hit counts",
        "combat.casualty.transport-last": "Transports last",
        "unit.battleship.two-hits": "Battleships take two hits",
        "unit.sub.air-immune": "Aircraft and submarines",
        "multi.defense.casualties": "Several powers together",
    },
    "press_or_retreat": {
        "combat.retreat.who": "Who can retreat",
        "combat.retreat.destination": "Where to",
        "combat.retreat.together": "All together",
        "combat.retreat.air": "Aircraft",
        "amphib.land.seaborne-no-retreat": "Units from the sea",
    },
    "land_stranded": {"noncombat.stranded": "Fighters without a base"},
    "noncombat_move": {
        "noncombat.eligible": "What can move",
        "noncombat.land": "Land units",
        "noncombat.sea": "Ships",
        "noncombat.air.landing-territory": "Where aircraft land",
        "noncombat.air.carrier": "Landing on carriers",
        "noncombat.carrier.must-move": "Carriers that have to help",
        "unit.transport.noncombat-offload": "Transports",
    },
    "share_space": {"combat-move.share-spaces": "Sharing ships"},
    "mobilize": {
        "mobilize.where": "Where units are placed",
        "mobilize.limit.value": "How many",
        "mobilize.sea": "Ships",
        "mobilize.fighter": "Fighters",
        "mobilize.ic.place": "New industrial complexes",
        "mobilize.overproduction": "What cannot be placed",
    },
}


def ask(
    request: Request,
    component: Literal["buy", "assign", "choose", "move"],
    title: str,
    prompt: str,
    **more: Any,
) -> Form:
    """A request as a form, with the rules to read for it, if the book has any."""
    help = tuple(Help(id, name) for id, name in HELP.get(request.kind, {}).items())
    return Form(request.kind, request.power, component, title, prompt, help=help, **more)
