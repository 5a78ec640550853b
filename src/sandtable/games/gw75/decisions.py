"""Every decision of the game, from one place."""

from __future__ import annotations

from sandtable.games.gw75.rules.advance import Advance
from sandtable.games.gw75.rules.air import FlyTo, Raid
from sandtable.games.gw75.rules.amphibious import Invade
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.counter_attack import Stack
from sandtable.games.gw75.rules.declaring import Declare, Withdraw
from sandtable.games.gw75.rules.land_combat import Fight
from sandtable.games.gw75.rules.land_movement import Move
from sandtable.games.gw75.rules.lend_lease import Send
from sandtable.games.gw75.rules.losses import Lose
from sandtable.games.gw75.rules.maintenance import Idle
from sandtable.games.gw75.rules.merchant_shipping import LendShips
from sandtable.games.gw75.rules.naval_combat import Decline, Engage, FallBack, Stand
from sandtable.games.gw75.rules.naval_movement import Sail, Snort, Transfer
from sandtable.games.gw75.rules.ports import PlacePort
from sandtable.games.gw75.rules.production import Build, Undeplete
from sandtable.games.gw75.rules.reinforcement import Place
from sandtable.games.gw75.rules.retreat import Retreat
from sandtable.games.gw75.rules.rights import EnterWar
from sandtable.games.gw75.rules.stacking import Remove
from sandtable.games.gw75.rules.stand_fast import StandFast
from sandtable.games.gw75.rules.strategic import Redeploy
from sandtable.games.gw75.rules.transit import Spare, Strike
from sandtable.kernel.decisions import Pass

__all__ = [
    "Advance",
    "Build",
    "Declare",
    "Decline",
    "Done",
    "Engage",
    "EnterWar",
    "FallBack",
    "Fight",
    "FlyTo",
    "Idle",
    "Invade",
    "LendShips",
    "Lose",
    "Move",
    "Pass",
    "Place",
    "PlacePort",
    "Raid",
    "Redeploy",
    "Remove",
    "Retreat",
    "Sail",
    "Send",
    "Snort",
    "Spare",
    "Stack",
    "Stand",
    "StandFast",
    "Strike",
    "Transfer",
    "Undeplete",
    "Withdraw",
]
