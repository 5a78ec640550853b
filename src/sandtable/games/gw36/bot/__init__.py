"""The greedy bot: a sensible decision for every request, one at a time.

It keeps nothing between decisions. What it returns has passed the request's own check; where the
first idea does not, the next one is tried, and where none is left a legal decision at random.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from sandtable.games.gw36.bot import fight, politics
from sandtable.games.gw36.bot.attack import combat_move
from sandtable.games.gw36.bot.build import place_units, produce
from sandtable.games.gw36.bot.march import noncombat_move
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules import bombing, submarines
from sandtable.games.gw36.rules.alignment import AlignBalkans, AlignIraq, AlignPoland, AssignMinor
from sandtable.games.gw36.rules.blitz import MayBlitz
from sandtable.games.gw36.rules.casualties import ChooseCasualties
from sandtable.games.gw36.rules.civil_wars import ArrangeSpain
from sandtable.games.gw36.rules.combat import ChooseCombat
from sandtable.games.gw36.rules.combat_move import CombatMove
from sandtable.games.gw36.rules.control import Recruits
from sandtable.games.gw36.rules.follow_up import MayLand
from sandtable.games.gw36.rules.income import DivideIncome
from sandtable.games.gw36.rules.noncombat_move import NoncombatMove
from sandtable.games.gw36.rules.placement import PlaceUnits
from sandtable.games.gw36.rules.production import Produce
from sandtable.games.gw36.rules.raiding import SpreadRaid
from sandtable.games.gw36.rules.retreat import MayDive, RetreatOrPress
from sandtable.games.gw36.rules.rights import AnswerReturn
from sandtable.games.gw36.rules.rounds import ChooseFire
from sandtable.games.gw36.rules.scramble import MayScramble
from sandtable.games.gw36.rules.slovakia import ContestSlovakia
from sandtable.games.gw36.rules.surrender import PassMinors, RelocateCapital
from sandtable.games.gw36.rules.vichy import CreateVichy, Evacuate, SailHome
from sandtable.kernel.decisions import Decision, Pass, Request
from sandtable.kernel.errors import passes

_IDEAS: dict[type[Request], Callable[[State, Any], Iterator[Decision]]] = {
    Produce: produce,
    CombatMove: combat_move,
    NoncombatMove: noncombat_move,
    PlaceUnits: place_units,
    ChooseCombat: fight.choose_combat,
    ChooseFire: fight.fire,
    ChooseCasualties: fight.choose_casualties,
    RetreatOrPress: fight.retreat_or_press,
    MayBlitz: fight.may_blitz,
    MayDive: fight.may_dive,
    MayScramble: fight.may_scramble,
    MayLand: fight.may_land,
    bombing.MayIntercept: fight.may_intercept,
    submarines.Intercept: fight.engage,
    SpreadRaid: politics.spread_raid,
    DivideIncome: politics.divide,
    Recruits: politics.recruits,
    ArrangeSpain: politics.arrange_spain,
    AlignPoland: politics.yes,
    AlignBalkans: politics.align_balkans,
    AlignIraq: politics.first,
    AssignMinor: politics.first,
    PassMinors: politics.first,
    RelocateCapital: politics.first,
    CreateVichy: politics.yes,
    Evacuate: politics.best_zone,
    SailHome: politics.first,
    ContestSlovakia: politics.no,
    AnswerReturn: politics.no,
}
"""For each kind of request what comes to mind, the best first; the first that is legal is taken."""


def decide(state: State, request: Request, rng: random.Random) -> Decision:
    """A legal and sensible answer to `request`; `rng` only serves where no idea is left."""
    ideas = _IDEAS.get(type(request))
    if ideas is not None:
        for decision in ideas(state, request):
            if isinstance(decision, Pass) or passes(request.check, state, decision):
                return decision
    return request.sample(state, rng)


def use(state: State, right: Request, rng: random.Random) -> Decision | None:
    """What a nation does unasked now; None if nothing."""
    return politics.use(state, right)  # type: ignore[arg-type]
