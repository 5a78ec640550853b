"""Every decision of the game, from one place."""

from __future__ import annotations

from sandtable.games.gw36.rules.alignment import Influence
from sandtable.games.gw36.rules.blitz import Blitz, Halt
from sandtable.games.gw36.rules.bombing import Intercept
from sandtable.games.gw36.rules.casualties import Casualties
from sandtable.games.gw36.rules.civil_wars import Redeploy
from sandtable.games.gw36.rules.combat import Fight
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.control import Recruit
from sandtable.games.gw36.rules.early_fighters import Convert
from sandtable.games.gw36.rules.follow_up import Land
from sandtable.games.gw36.rules.income import Divide
from sandtable.games.gw36.rules.lend_lease import Deliver
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.placement import Place, Reassign, Refit
from sandtable.games.gw36.rules.production import Advance, Build, Buy, Deny, Lend, Outfit, Upgrade
from sandtable.games.gw36.rules.rail import Rail
from sandtable.games.gw36.rules.repairs import Dock, Repair
from sandtable.games.gw36.rules.research import Research
from sandtable.games.gw36.rules.retreat import Dive, Press, Retreat
from sandtable.games.gw36.rules.rights import (
    AgreeToPact,
    AskReturn,
    ClosePassage,
    DeclareWar,
    EndPact,
    MoveCapitalBack,
    OpenPassage,
    Permit,
    ReturnZone,
    Withdraw,
    WithdrawOffer,
)
from sandtable.games.gw36.rules.rounds import Fire, FireAll
from sandtable.games.gw36.rules.scramble import Scramble
from sandtable.games.gw36.rules.strategic_naval import StrategicMove
from sandtable.games.gw36.rules.submarines import Engage
from sandtable.games.gw36.rules.transports import Airlift, Sail
from sandtable.kernel.decisions import Pass

__all__ = [
    "Advance",
    "AgreeToPact",
    "Airlift",
    "AskReturn",
    "Blitz",
    "Build",
    "Buy",
    "Casualties",
    "ClosePassage",
    "Convert",
    "DeclareWar",
    "Deliver",
    "Deny",
    "Dive",
    "Divide",
    "Dock",
    "Done",
    "EndPact",
    "Engage",
    "Fight",
    "Fire",
    "FireAll",
    "Halt",
    "Influence",
    "Intercept",
    "Land",
    "Lend",
    "Move",
    "MoveCapitalBack",
    "OpenPassage",
    "Outfit",
    "Pass",
    "Permit",
    "Place",
    "Press",
    "Rail",
    "Reassign",
    "Recruit",
    "Redeploy",
    "Refit",
    "Repair",
    "Research",
    "Retreat",
    "ReturnZone",
    "Sail",
    "Scramble",
    "StrategicMove",
    "Upgrade",
    "Withdraw",
    "WithdrawOffer",
]
