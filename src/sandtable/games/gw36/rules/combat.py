"""The Combat Phase: the Attacker decides the order in which combats are resolved (9.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules import bombing, land_combat, naval_combat, raiding
from sandtable.games.gw36.rules.amphibious import landing
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

BEGIN: dict[str, Callable[[Table[State], str], Procedure[None]]] = {
    "naval": naval_combat.begin,
    "raid": raiding.begin,
    "bombing": bombing.bomb,
    "carpet": bombing.carpet,
    "rocket": bombing.rockets,
    "attrition": bombing.attrition,
    "land": land_combat.begin,
}

GO_ON = {"naval": naval_combat.fight, "land": land_combat.fight}


class Fight(Decision, frozen=True, tag="fight"):
    """Resolve that combat next."""

    space: str
    combat: str
    """land, naval, raid, bombing, carpet, rocket, attrition."""


class ChooseCombat(Request, frozen=True, tag="choose_combat"):
    """Which combat comes next."""

    combats: tuple[tuple[str, str], ...]

    answers: ClassVar[tuple[type[Decision], ...]] = (Fight,)

    def check(self, state: State, decision: Fight) -> None:
        """Rules: 9.1a, 9.8a"""
        if (decision.space, decision.combat) not in self.combats:
            raise IllegalDecision(
                f"There is no such combat to resolve now in {state.facts.name(decision.space)}.",
                "9.1a",
            )

    def decisions(self, state: State) -> Iterator[Decision]:
        return (Fight(zone, kind) for zone, kind in self.combats)


def ready(s: State) -> tuple[tuple[str, str], ...]:
    """The combats that can be resolved now: a landing waits for the battle in its waters.

    Rules: 9.1a, 9.8a, 9.8b
    """
    return tuple(
        (zone, kind)
        for zone, kind in sorted(s.planned)
        if kind != "land" or not any((sea, "naval") in s.planned for sea in landing(s, zone))
    )


def phase(g: Table[State]) -> Procedure[None]:
    """Resolve all combats of the nations whose turn it is.

    Rules: 6.2e, 9.1a
    """
    s = g.state
    while True:
        if s.battle is not None:
            yield from GO_ON[s.battle.kind](g)
            continue
        if not s.step:
            combats = ready(s)
            if not combats:
                return
            zone, kind = combats[0]
            if len(combats) > 1:
                g.checkpoint()
                answer = yield from g.ask(ChooseCombat(s.facts.order[s.slot][0], combats))
                zone, kind = answer.space, answer.combat
            s.step = f"{kind} {zone}"
        g.checkpoint(strict=True)
        kind, _, zone = s.step.partition(" ")
        yield from BEGIN[kind](g, zone)
