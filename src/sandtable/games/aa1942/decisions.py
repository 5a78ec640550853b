"""Every decision of the game, from one place."""

from __future__ import annotations

from sandtable.games.aa1942.rules.assault import Bombard, Engage
from sandtable.games.aa1942.rules.bid import PlaceUnit
from sandtable.games.aa1942.rules.casualties import Casualties
from sandtable.games.aa1942.rules.combat import Dive, Press, Retreat
from sandtable.games.aa1942.rules.conduct_combat import Fight
from sandtable.games.aa1942.rules.mobilize import Place
from sandtable.games.aa1942.rules.movement import Done, Move
from sandtable.games.aa1942.rules.noncombat_move import Consent, Divert
from sandtable.games.aa1942.rules.purchase import Buy
from sandtable.games.aa1942.rules.raids import Intercept
from sandtable.games.aa1942.rules.transports import Load, Sail
from sandtable.kernel.decisions import Pass

__all__ = [
    "Bombard",
    "Buy",
    "Casualties",
    "Consent",
    "Dive",
    "Divert",
    "Done",
    "Engage",
    "Fight",
    "Intercept",
    "Load",
    "Move",
    "Pass",
    "Place",
    "PlaceUnit",
    "Press",
    "Retreat",
    "Sail",
]
