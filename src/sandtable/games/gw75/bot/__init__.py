"""The greedy bot: what is worth most now, by what the tables promise."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from sandtable.games.gw75.bot import (
    air,
    attack,
    battle,
    build,
    choices,
    march,
    politics,
    sea,
    transfer,
)
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.advance import ChooseAdvance
from sandtable.games.gw75.rules.air import AirMovement
from sandtable.games.gw75.rules.counter_attack import ChooseStack
from sandtable.games.gw75.rules.declaring import DeclareAttacks
from sandtable.games.gw75.rules.land_combat import ChooseAttack
from sandtable.games.gw75.rules.land_movement import LandMovement
from sandtable.games.gw75.rules.losses import TakeLosses
from sandtable.games.gw75.rules.maintenance import Maintain
from sandtable.games.gw75.rules.naval import NavalPhase
from sandtable.games.gw75.rules.naval_combat import CloseIn, CounterAttack, Pursue, Respond
from sandtable.games.gw75.rules.production import Lend, Production
from sandtable.games.gw75.rules.reinforcement import Reinforce
from sandtable.games.gw75.rules.retreat import ChooseRetreat
from sandtable.games.gw75.rules.stand_fast import OrderStandFast
from sandtable.games.gw75.rules.strategic import StrategicMovement
from sandtable.games.gw75.rules.transit import TransitAttack
from sandtable.games.gw75.rules.vichy import DeclareVichy
from sandtable.kernel.decisions import Decision, Request

ANSWERS: dict[type[Request], Callable[[State, Any], Decision]] = {
    Maintain: build.maintain,
    LandMovement: march.march,
    StrategicMovement: transfer.redeploy,
    Reinforce: build.place,
    Lend: build.lend,
    Production: build.order,
    DeclareAttacks: attack.declare,
    OrderStandFast: choices.stand_fast,
    ChooseAttack: choices.fight,
    TakeLosses: choices.lose,
    ChooseStack: choices.stack,
    ChooseRetreat: choices.retreat,
    ChooseAdvance: choices.advance,
    NavalPhase: sea.phase,
    AirMovement: air.phase,
    Respond: battle.respond,
    TransitAttack: battle.transit,
    Pursue: battle.pursue,
    CloseIn: battle.close_in,
    CounterAttack: battle.counter,
    DeclareVichy: politics.declare_vichy,
}


def decide(state: State, request: Request, rng: random.Random) -> Decision:
    """The bot's answer to a request."""
    answer = ANSWERS.get(type(request))
    return answer(state, request) if answer else request.sample(state, rng)


def use(state: State, right: Request, rng: random.Random) -> Decision | None:
    """What a nation does unasked now; None if nothing."""
    return politics.use(state, right)
