"""What follows from a change of control, a war, an action: one queue, in one order (3.0).

Changes wait in the queue. Each is carried out with everything that follows from it, in the order
of `FOLLOWERS`, before the next one. What comes about on the way is carried out at once, always
downwards: taken goods, conquests and declarations of war move the markers of neutral entry; a
marker takes its power into the war; a war brings alliances, and an alliance units.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from sandtable.games.blitz.model import NEUTRAL, State
from sandtable.games.blitz.rules import after_action as scenario
from sandtable.games.blitz.rules import alignment, conquest, control, politics
from sandtable.games.blitz.rules.sides import acting_side
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Phase(NamedTuple):
    """A side's phase has begun, or one of its steps is over."""


Change: TypeAlias = control.Taken | politics.Declared | Phase


def take_control(g: Table[State], area: str, power: str) -> Procedure[None]:
    """Give a land area to a power that took it, and carry out everything that follows."""
    if g.state.control[area] != power:
        yield from _carry_out(g, _taken(g.state, area, power))


def declare_war(g: Table[State], power: str, on: str) -> Procedure[None]:
    """Declare war on a power or on a neutral country, and carry out what follows."""
    yield from _carry_out(g, politics.Declared(power, on))


def open_phase(g: Table[State]) -> Procedure[None]:
    """Carry out the conquests and alliances whose condition came about meanwhile."""
    yield from _carry_out(g, Phase())


def after_action(g: Table[State]) -> Procedure[None]:
    """Carry out what follows from whatever has been done."""
    area = yield from scenario.look(g)
    if area:
        yield from _carry_out(g, _taken(g.state, area, "ussr"))


def _taken(s: State, area: str, power: str) -> control.Taken:
    old, side = s.control[area], s.facts.side[power]
    return control.Taken(area, power, side, old, old != NEUTRAL and s.facts.side[old] != side)


def _conquests(g: Table[State], change: control.Taken | Phase) -> Procedure[None]:
    """Every conquest and liberation that the side is due now.

    Rules: 3.0a
    """
    side = change.side if isinstance(change, control.Taken) else acting_side(g.state)
    yield from conquest.settle(g, side)


def _alliances(g: Table[State], change: Change) -> Procedure[None]:
    """Every alliance that the acting side is due now.

    Rules: 3.0a, 3.0b
    """
    yield from alignment.settle(g)


def _scenario(g: Table[State], change: Change) -> Procedure[Change | None]:
    """What the scenario looks at; a land area that the USSR takes by it is the next change."""
    area = yield from scenario.look(g)
    return _taken(g.state, area, "ussr") if area else None


FOLLOWERS: dict[type, tuple[Callable[[Table[State], Any], Procedure[Change | None]], ...]] = {
    control.Taken: (
        control.change_hands,
        control.alarm,
        control.decide_country,
        control.roll_for_fleets,
        control.overrun,
        control.score_factory,
        _conquests,
        _alliances,
        _scenario,
    ),
    politics.Declared: (politics.begin_war, politics.alarm, _alliances),
    Phase: (_conquests, _alliances),
}
"""What is carried out for a change, in order."""


def _carry_out(g: Table[State], change: Change) -> Procedure[None]:
    queue = deque([change])
    while queue:
        change = queue.popleft()
        for follower in FOLLOWERS[type(change)]:
            further = yield from follower(g, change)
            if further is not None:
                queue.append(further)
