"""What is asked in the course of land combat."""

from __future__ import annotations

from sandtable.games.gw75.bot.field import pull
from sandtable.games.gw75.bot.plans import threat, worth
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import stacking
from sandtable.games.gw75.rules.advance import Advance, ChooseAdvance
from sandtable.games.gw75.rules.counter_attack import ChooseStack, Stack
from sandtable.games.gw75.rules.land_combat import ChooseAttack, Fight
from sandtable.games.gw75.rules.losses import Lose, TakeLosses
from sandtable.games.gw75.rules.retreat import ChooseRetreat, Retreat
from sandtable.games.gw75.rules.stand_fast import OrderStandFast, StandFast
from sandtable.games.gw75.rules.terms import ground, side

RISK = 3
"""How many times as many Enemies may stand round a hex that is advanced into."""
PRIZE = 2.0
"""What a hex has to be worth for which more is risked."""
CHEAPEST = ("sd", "fort", "inf", "mech")


def lose(s: State, request: TakeLosses) -> Lose:
    """The cheapest points first."""
    return request.by(s, CHEAPEST)


def retreat(s: State, request: ChooseRetreat) -> Retreat:
    """To where it is best to be."""
    nation = request.parts[0][0]
    draw = pull(s, nation)
    return max(
        request.decisions(s),
        key=lambda move: sum(draw.get(hex, 0.0) * number for _, _, number, hex in move.moves),
    )


def stack(s: State, request: ChooseStack) -> Stack:
    """The smallest stack: the difference is greatest there; of equal ones that with Mechanized."""
    assert s.land is not None
    size: dict[str, tuple[int, int]] = {}
    for hex, _, type, number in s.land.force:
        total, mech = size.get(hex, (0, 0))
        size[hex] = total + number, mech - (number if type == "mech" else 0)
    return Stack(min(request.options, key=lambda hex: size[hex]))


def fight(s: State, request: ChooseAttack) -> Fight:
    """What is worth most first: an advance may cut off others."""
    return Fight(max(request.options, key=lambda hex: (worth(s, hex), hex)))


def stand_fast(s: State, request: OrderStandFast) -> StandFast:
    """Only for what is worth it: industry that a few points hold."""
    return StandFast(
        tuple(
            hex
            for hex in request.hexes
            if s.facts.hexes[hex].industry and sum(count for _, count in ground(s, hex)) >= 4
        )
    )


def advance(s: State, request: ChooseAdvance) -> Advance:
    """With all that fits, to where it is worth most; not where they would be lost for nothing."""
    which = side(s, request.mech[0][1])
    room = {hex: stacking.room(s, hex, which) for hex in request.hexes}
    total = sum(number for _, _, number in request.mech)
    moves = []
    for hex, nation, number in request.mech:
        for to in sorted(request.hexes, key=lambda each: -worth(s, each)):
            going = min(number, room[to])
            lost = threat(s, nation, to, 1) > RISK * total and worth(s, to) < PRIZE
            if going and to in s.facts.land[hex] and not lost:
                moves.append((hex, nation, going, to))
                room[to] -= going
                number -= going
    return Advance(tuple(moves))
