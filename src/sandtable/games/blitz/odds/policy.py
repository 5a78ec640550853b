"""How both sides choose in a combat: who takes damage, who has to go, where to.

Nothing is guessed: every choice that the rules offer is answered by a named way of playing. The
owner of the units and the enemy give points of damage in turn; the owner takes what costs least,
the enemy what costs most.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from sandtable.games.blitz import bot
from sandtable.games.blitz.bot.picks import factors_lost
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.bases import ChooseBase, Return
from sandtable.games.blitz.rules.damage import LoseCargo, ReduceCargo
from sandtable.games.blitz.rules.land_round import Pick, PickBlocked, PickRetreating
from sandtable.games.blitz.rules.retreat import ChooseRetreat, Retreat
from sandtable.games.blitz.rules.rounds import (
    CONVOY,
    AssignDamage,
    ChooseReturning,
    Damage,
    Withdraw,
)
from sandtable.games.blitz.rules.sea_combat import (
    AvoidSeaCombat,
    CallCombat,
    Engage,
    Evade,
    FlyIn,
    JoinSeaCombat,
)
from sandtable.games.blitz.rules.sides import acting_side
from sandtable.kernel.decisions import Decision, Pass, Request
from sandtable.odds.errors import OddsError

Cost = Callable[[State, str], float]

_FACTOR = 0.2
_LAST_POINT = 0.5


def price(s: State, id: str) -> float:
    """What a unit's next point of damage costs its owner: a Resource, a fifth of one for each
    Factor, half of one for the last point (the unit has to come from its home again), and what is
    aboard."""
    if id == CONVOY:
        return 1.0
    last = _LAST_POINT if s.units[id].size == 1 else 0.0
    return (
        1.0 + _FACTOR * factors_lost(s, id) + last + sum(price(s, other) for other in s.cargo(id))
    )


def _smallness(s: State, id: str) -> float:
    """Damage falls on big units first, so that as many units as possible are left."""
    return 0.0 if id == CONVOY else -float(s.units[id].size)


ORDERS: dict[str, Cost] = {"cheapest": price, "weakest": factors_lost, "units": _smallness}
"""Orders of loss: by the price of the next point, by the Factors lost with it, or so that as many
of one's own units as possible are left, and as few of the enemy's."""

BOT = "bot"
"""All choices are those of the game's greedy bot."""


@dataclass(frozen=True)
class Play:
    """How one side plays."""

    order: str = "cheapest"
    """One of ORDERS, or BOT."""
    first: tuple[str, ...] = ()
    """Its own units that take damage before all others, in this order."""
    evade: bool = False
    """Whether its submarines return to base before a combat at sea, if they may."""

    def rank(self, s: State, id: str, *, own: bool) -> tuple[float, float, str]:
        """What is least is chosen."""
        cost = ORDERS["cheapest" if self.first else self.order](s, id)
        if not own:
            return 0.0, -cost, id
        place = self.first.index(id) if id in self.first else len(self.first)
        return float(place), cost, id


def read_order(given: str | Sequence[str], units: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """The name of an order of loss, or units as a list; `units` maps spellings to ids."""
    names = given.split(",") if isinstance(given, str) else list(given)
    names = [name.strip() for name in names if name.strip()]
    if len(names) == 1 and names[0] in (*ORDERS, BOT):
        return names[0], ()
    first = []
    for name in names:
        key = spelling(name)
        if key not in units:
            close = get_close_matches(key, (*ORDERS, BOT, *units), n=1, cutoff=0.7)
            hint = f" Did you mean {close[0]}?" if close else ""
            known = ", ".join((*ORDERS, BOT))
            raise OddsError(
                f"An order of loss is one of {known}, or a list of units, not {name!r}.{hint}"
            )
        first.append(units[key])
    return "cheapest", tuple(first)


def spelling(name: str) -> str:
    """A name as it is looked up: however it is written."""
    return " ".join(name.lower().replace("-", " ").replace("_", " ").replace(".", " ").split())


@dataclass(frozen=True)
class Policy:
    """How both sides play, and which air units fly to a combat at sea."""

    attack: Play = Play()
    defend: Play = Play()
    joins: frozenset[str] = frozenset()

    def decide(self, s: State, request: Request) -> Decision:
        """The answer to whatever is asked in a combat."""
        acting = s.facts.side.get(request.power) == acting_side(s)
        play = self.attack if acting else self.defend
        if isinstance(request, JoinSeaCombat):
            flying = tuple(id for id in request.units if id in self.joins)
            return FlyIn(flying) if flying else Pass()
        if isinstance(request, AvoidSeaCombat):
            return Evade(request.units) if play.evade else Pass()
        if isinstance(request, CallCombat):
            return Engage()
        if play.order == BOT:
            return bot.decide(s, request, random.Random(0))
        return _answer(s, request, play)


def _answer(s: State, request: Request, play: Play) -> Decision:
    if isinstance(request, AssignDamage):
        own = _own(s, request)
        return Damage(min(request.units, key=lambda id: play.rank(s, id, own=own)))
    if isinstance(request, ChooseReturning):
        sign = 1 if _own(s, request) else -1
        return Withdraw(min(request.units, key=lambda id: (sign * _fight(s, id), id)))
    if isinstance(request, ReduceCargo):
        return LoseCargo(min(request.units, key=lambda id: play.rank(s, id, own=True)))
    if isinstance(request, PickRetreating | PickBlocked):
        strongest = sorted(request.units, key=lambda id: (-s.profile(id).land, id))
        return Pick(tuple(strongest[: request.count]))
    if isinstance(request, ChooseRetreat):
        return Retreat(min(request.areas, key=lambda area: (-_company(s, request, area), area)))
    if isinstance(request, ChooseBase):
        here = s.units[request.unit]
        came_from = (here.at, here.port)
        base = came_from if came_from in request.places else request.places[0]
        return Return(request.unit, *base)
    # What follows from a combat (whose consent, which home, where to place): the first choice.
    return next(iter(request.decisions(s)))


def _own(s: State, request: AssignDamage | ChooseReturning) -> bool:
    """Whether the units to choose from are on the side of the power that chooses."""
    id = request.units[0]
    owner = s.facts.convoys[request.area].power if id == CONVOY else s.units[id].power
    return s.facts.side.get(owner) == s.facts.side[request.power]


def _fight(s: State, id: str) -> float:
    """What a unit would be missed for in a further Round."""
    if id == CONVOY:
        return 0.5
    profile = s.profile(id)
    return float(profile.air + profile.naval + profile.bomb)


def _company(s: State, request: ChooseRetreat, area: str) -> int:
    """The Size of the land units of its side that a retreating unit would stand with."""
    side = s.facts.side[request.power]
    return sum(
        s.units[id].size
        for id in s.units_at(area)
        if s.domain(id) == "land" and s.facts.side.get(s.units[id].power) == side
    )
