"""Land units that have to leave their land area (6.6)."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.counters import destroy
from sandtable.games.blitz.rules.leave import ask_leave, make_room
from sandtable.games.blitz.rules.stacking import no_room, refused
from sandtable.kernel.decisions import Decision
from sandtable.kernel.kits import ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Retreat(Decision, frozen=True, tag="retreat"):
    """Where a unit retreats to."""

    to: str


class ChooseRetreat(ChooseOne, frozen=True, tag="choose_retreat"):
    """A land unit has to retreat: to which land area.

    Rules: 6.6.retreat-c
    """

    unit: str
    areas: tuple[str, ...]

    answers: ClassVar[tuple[type[Decision], ...]] = (Retreat,)
    among: ClassVar[str] = "areas"
    rule: ClassVar[str] = "6.6.retreat-c"
    refusal: ClassVar[str] = "{unit} cannot retreat to {asked}."


def retreat_areas(s: State, target: str, id: str) -> list[str]:
    """The land areas that a unit can retreat to; over a Land Route, too.

    Rules: 6.6.retreat-c
    """
    attacked = {each.target for each in s.attacks if each.kind == "ground" and not each.resolved}
    return [
        area
        for area in dict.fromkeys((*s.facts.land_next[target], *s.facts.land_routes[target]))
        if area not in attacked and refused(s, id, area) is None and no_room(s, id, area) is None
    ]


def retreat(g: Table[State], target: str, id: str) -> Procedure[bool]:
    """Move a unit out of a land area that is attacked; False if it can go nowhere.

    Rules: 6.6.retreat-c
    """
    s = g.state
    areas = retreat_areas(s, target, id)
    while areas:
        to = areas[0]
        if len(areas) > 1:
            answer: Retreat = yield from g.ask(ChooseRetreat(s.units[id].power, id, tuple(areas)))
            to = answer.to
        if (yield from ask_leave(g, id, to)):
            s.change(id, at=to)
            g.emit("retreated", unit=id, path=(target, to))
            yield from make_room(g, id, to)
            return True
        areas.remove(to)
    return False


def evacuate(g: Table[State], area: str, enemy: str) -> Procedure[None]:
    """The land units in an area that is lost retreat; those that cannot are destroyed.

    Rules: D.front-b, E.ussr-e
    """
    s = g.state
    for id in s.units_at(area):
        if s.domain(id) != "land":
            continue
        refuges = tuple(retreat_areas(s, area, id))
        if not refuges or s.type(id) == "FORT":
            destroy(g, id, enemy)
            continue
        refuge = refuges[0]
        if len(refuges) > 1:
            refuge = (yield from g.ask(ChooseRetreat(s.units[id].power, id, refuges))).to
        s.change(id, at=refuge)
        g.emit("retreated", unit=id, path=(area, refuge))
