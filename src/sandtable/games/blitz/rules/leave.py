"""Moving into an ally's land area: the ally's leave, and room made for the guest (1.3)."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.displaced import displace
from sandtable.games.blitz.rules.sides import same_player
from sandtable.games.blitz.rules.stacking import needs_consent
from sandtable.kernel.decisions import Decision
from sandtable.kernel.kits import YesOrNo
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Admit(Decision, frozen=True, tag="admit"):
    """Let an ally's unit in, or not."""

    yes: bool


class GiveLeave(YesOrNo, frozen=True, tag="give_leave"):
    """An ally's unit asks for leave to move into one of your land areas."""

    unit: str
    to: str

    answers: ClassVar[tuple[type[Decision], ...]] = (Admit,)


def ask_leave(g: Table[State], id: str, area: str) -> Procedure[bool]:
    """Whether the ally who holds a land area lets a unit in; asked only if there is one to ask.

    A refusal holds for the rest of the phase.

    Rules: 1.3.stack-e
    """
    s = g.state
    ally = needs_consent(s, id, area)
    if not ally or s.units[id].at == area or same_player(s, ally, s.units[id].power):
        return True
    answer: Admit = yield from g.ask(GiveLeave(ally, id, area))
    if not answer.yes:
        s.mark(id, f"denied:{area}")
        s.forget()
        g.emit("leave_refused", unit=id, space=area, power=ally)
    return answer.yes


def make_room(g: Table[State], id: str, area: str) -> Procedure[None]:
    """The controller's air and naval units leave a land area that an ally's unit has entered.

    Rules: 1.3.stack-f
    """
    s = g.state
    ally = needs_consent(s, id, area)
    if ally:
        for other in s.units_at(area):
            if other in s.units and s.units[other].power == ally and s.domain(other) != "land":
                yield from displace(g, other, ally)
