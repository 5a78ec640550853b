"""Wars, pacts, permissions, and the small questions that nations are asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandtable.games.gw36.bot.aims import PACTS
from sandtable.games.gw36.bot.draw import pull
from sandtable.games.gw36.bot.worth import aims
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.alignment import AlignBalkans
from sandtable.games.gw36.rules.civil_wars import ArrangeSpain
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.control import Recruit, Recruits
from sandtable.games.gw36.rules.income import Divide, DivideIncome
from sandtable.games.gw36.rules.raiding import SpreadRaid
from sandtable.games.gw36.rules.rights import (
    AgreeToPact,
    DeclareWar,
    Diplomacy,
    EndPact,
    MoveCapitalBack,
)
from sandtable.games.gw36.rules.terms import at_war
from sandtable.kernel.decisions import Decision
from sandtable.kernel.errors import passes
from sandtable.kernel.kits import Answer, Choose, Numbers


def diplomacy(s: State, right: Diplomacy) -> Iterator[Decision]:
    """In its own turn a nation declares the wars that it wants; pacts are agreed to at any time."""
    power = right.power
    for (partner, pact), until in PACTS.items():
        if partner != power:
            continue
        if s.date < until:
            if (pact, power) not in s.offers and pact not in s.pacts:
                yield AgreeToPact(pact)
        elif pact in s.pacts and pact != "chinese_truce":
            yield EndPact(pact)
    if power not in s.facts.order[s.slot] or s.phase != "combat_move" or s.mover != power:
        return
    for aim in aims(s, power):
        if aim.declare and not at_war(s, power, aim.whom):
            yield DeclareWar(aim.whom)
    if power in s.capital:
        yield MoveCapitalBack()


def use(s: State, right: Diplomacy) -> Decision | None:
    """What a nation does unasked now; None if nothing."""
    return next((each for each in diplomacy(s, right) if passes(right.check, s, each)), None)


# --- questions ------------------------------------------------------------------------------------


def yes(s: State, request: Any) -> Iterator[Decision]:
    yield Answer(yes=True)


def no(s: State, request: Any) -> Iterator[Decision]:
    yield Answer(yes=False)


def first(s: State, request: Any) -> Iterator[Decision]:
    """The first option."""
    yield Choose(request.options[0])


def align_balkans(s: State, request: AlignBalkans) -> Iterator[Decision]:
    """Romania for its oil, then whoever is left."""
    yield from (Choose(nation) for nation in ("romania", "hungary", "bulgaria"))


def best_zone(s: State, request: Any) -> Iterator[Decision]:
    """The zone that draws most."""
    drawn = pull(s, request.power)
    yield Choose(max(request.options, key=lambda zone: (drawn.get(zone, 0.0), zone)))


def recruits(s: State, request: Recruits) -> Iterator[Decision]:
    """Infantry where it is wanted most."""
    drawn = pull(s, request.nation)
    yield Recruit("infantry", max(request.zones, key=lambda zone: (drawn.get(zone, 0.0), zone)))


def divide(s: State, request: DivideIncome) -> Iterator[Decision]:
    """Everything stays at home."""
    yield Divide()


def spread_raid(s: State, request: SpreadRaid) -> Iterator[Decision]:
    """From the first lines as much as they take."""
    left = request.total
    numbers: dict[str, int] = {}
    for line, most in sorted(request.most.items()):
        some = min(left, most)
        if some:
            numbers[line] = some
            left -= some
    yield Numbers(numbers)


def arrange_spain(s: State, request: ArrangeSpain) -> Iterator[Decision]:
    """All stay where they are."""
    yield Done()
