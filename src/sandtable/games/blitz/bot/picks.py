"""Choices of the greedy bot in combat: who takes damage, who goes, where to."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.blitz.bot.march import station
from sandtable.games.blitz.bot.sea import air_base_worth, harbour_worth
from sandtable.games.blitz.bot.worth import area_worth, size_worth
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.bases import ChooseBase, Return
from sandtable.games.blitz.rules.damage import LoseCargo, ReduceCargo
from sandtable.games.blitz.rules.land_combat import ChooseNextAttack, ResolveAttack
from sandtable.games.blitz.rules.land_round import Pick, PickBlocked, PickRetreating
from sandtable.games.blitz.rules.retreat import ChooseRetreat, Retreat
from sandtable.games.blitz.rules.rounds import (
    CONVOY,
    AssignDamage,
    ChooseReturning,
    Damage,
    Withdraw,
)
from sandtable.kernel.decisions import Decision


def factors_lost(s: State, id: str) -> float:
    """The Factors that a unit loses with its next point of Size, of all kinds together."""
    if id == CONVOY:
        return 0.0
    now, then = s.profile(id), s.facts.profiles.get((id, s.units[id].size - 1))
    lost = now.land + now.air + now.naval + now.bomb
    return float(lost if then is None else lost - then.land - then.air - then.naval - then.bomb)


def price(s: State, id: str) -> float:
    """What the next point of damage on a unit, or on the convoy, costs its owner."""
    if id == CONVOY:
        return 1.0
    lost = size_worth(s, id) + 0.2 * factors_lost(s, id)
    last = 0.5 if s.units[id].size == 1 else 0.0
    return lost + last + sum(price(s, each) for each in s.cargo(id))


def _is_own(s: State, power: str, area: str, id: str) -> bool:
    side = s.facts.side[power]
    if id == CONVOY:
        return s.facts.side[s.facts.convoys[area].power] == side
    return s.facts.side.get(s.units[id].power) == side


def assign_damage(s: State, request: AssignDamage) -> Iterator[Decision]:
    """The cheapest point if it is one's own, the dearest if it is the enemy's."""
    own = _is_own(s, request.power, request.area, request.units[0])
    sign = 1 if own else -1
    yield Damage(min(request.units, key=lambda id: (sign * price(s, id), id)))


def choose_returning(s: State, request: ChooseReturning) -> Iterator[Decision]:
    """The weakest goes if it is one's own, the strongest if it is the enemy's."""
    own = _is_own(s, request.power, request.area, request.units[0])
    sign = 1 if own else -1
    yield Withdraw(min(request.units, key=lambda id: (sign * _fight(s, id), id)))


def _fight(s: State, id: str) -> float:
    if id == CONVOY:
        return 0.5
    profile = s.profile(id)
    return profile.naval + profile.air + profile.bomb


def reduce_cargo(s: State, request: ReduceCargo) -> Iterator[Decision]:
    """The cheapest of what is aboard."""
    yield LoseCargo(min(request.units, key=lambda id: (price(s, id), id)))


def pick(s: State, request: PickRetreating | PickBlocked) -> Iterator[Decision]:
    """The strongest of the enemy's; of those that retreat, rather others than forts."""
    order = sorted(request.units, key=lambda id: (-s.profile(id).land, id))
    yield Pick(tuple(order[: request.count]))


def choose_retreat(s: State, request: ChooseRetreat) -> Iterator[Decision]:
    """Where the unit is of most use."""
    yield Retreat(
        max(
            request.areas,
            key=lambda area: (
                area_worth(s, area) * 0.2 + station(s, request.power, request.unit, area),
                area,
            ),
        )
    )


def choose_base(s: State, request: ChooseBase) -> Iterator[Decision]:
    """The best of the bases."""
    id = request.unit

    def worth(base: tuple[str, str]) -> float:
        if s.domain(id) == "naval":
            return harbour_worth(s, request.power, id, *base)
        return air_base_worth(s, request.power, id, base[0])

    area, port = max(request.places, key=lambda base: (worth(base), base))
    yield Return(id, area, port)


def choose_attack(s: State, request: ChooseNextAttack) -> Iterator[Decision]:
    """The most valuable target first."""
    yield ResolveAttack(
        max(request.attacks, key=lambda n: (area_worth(s, s.attacks[n].target), -n))
    )
