"""Every decision of the game, from one place."""

from __future__ import annotations

from sandtable.games.blitz.rules.bases import Return
from sandtable.games.blitz.rules.before import Bid
from sandtable.games.blitz.rules.choose_blitz import AnnounceBlitz
from sandtable.games.blitz.rules.commanders import Command
from sandtable.games.blitz.rules.conquest import GiveBack, Liberate, NameHome
from sandtable.games.blitz.rules.control import Loot, TakePoints
from sandtable.games.blitz.rules.damage import LoseCargo
from sandtable.games.blitz.rules.displaced import Place
from sandtable.games.blitz.rules.income import Keep
from sandtable.games.blitz.rules.land_combat import AnnounceAttack, Defend, GiveWay, ResolveAttack
from sandtable.games.blitz.rules.land_round import Pick
from sandtable.games.blitz.rules.leave import Admit
from sandtable.games.blitz.rules.lend_lease import Lend
from sandtable.games.blitz.rules.move_land import Claim, Land, March
from sandtable.games.blitz.rules.move_to_sea import Embark, Fly, Sail
from sandtable.games.blitz.rules.partisans import PlacePartisan
from sandtable.games.blitz.rules.rebase import Rebase
from sandtable.games.blitz.rules.retreat import Retreat
from sandtable.games.blitz.rules.road_to_war import ChooseOption
from sandtable.games.blitz.rules.rounds import Damage, Withdraw
from sandtable.games.blitz.rules.sabotage import PickCounter, PickGar
from sandtable.games.blitz.rules.scenarios import AnnounceJapan, GiveUp, SovietTarget, TakeExtra
from sandtable.games.blitz.rules.sea_combat import Engage, Evade, FightAt, FlyIn
from sandtable.games.blitz.rules.set_aside import CallUp
from sandtable.games.blitz.rules.spend import (
    Build,
    DevelopBomb,
    Research,
    Sabotage,
    Scrap,
    TestBomb,
)
from sandtable.games.blitz.rules.steps import DeclareWar, Done, Wait
from sandtable.games.blitz.rules.weapons import Develop
from sandtable.kernel.decisions import Pass

__all__ = [
    "Admit",
    "AnnounceAttack",
    "AnnounceBlitz",
    "AnnounceJapan",
    "Bid",
    "Build",
    "CallUp",
    "ChooseOption",
    "Claim",
    "Command",
    "Damage",
    "DeclareWar",
    "Defend",
    "Develop",
    "DevelopBomb",
    "Done",
    "Embark",
    "Engage",
    "Evade",
    "FightAt",
    "Fly",
    "FlyIn",
    "GiveBack",
    "GiveUp",
    "GiveWay",
    "Keep",
    "Land",
    "Lend",
    "Liberate",
    "Loot",
    "LoseCargo",
    "March",
    "NameHome",
    "Pass",
    "Pick",
    "PickCounter",
    "PickGar",
    "Place",
    "PlacePartisan",
    "Rebase",
    "Research",
    "ResolveAttack",
    "Retreat",
    "Return",
    "Sabotage",
    "Sail",
    "Scrap",
    "SovietTarget",
    "TakeExtra",
    "TakePoints",
    "TestBomb",
    "Wait",
    "Withdraw",
]
