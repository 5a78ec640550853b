"""Phase 3: Conduct Combat (p.14): raids, then assaults, then all other battles."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.assault import amphibious_assault, assaulted
from sandtable.games.aa1942.rules.combat import OUT_OF_BATTLE, general_combat
from sandtable.games.aa1942.rules.landing import keeps_promises
from sandtable.games.aa1942.rules.movement import Done
from sandtable.games.aa1942.rules.raids import (
    commit_interceptors,
    raided,
    strategic_bombing_raid,
)
from sandtable.games.aa1942.rules.spaces import enemies_in, hostile_zone
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

STEPS = ("interceptors", "raids", "assaults", "battles")


class Fight(Decision, frozen=True, tag="fight"):
    """Resolve the raid, assault or battle in that space now."""

    space: str


class ChooseBattle(Request, frozen=True, tag="choose_battle"):
    """Which of the step's combats comes next; optional ones may be left alone in the end."""

    step: str
    battles: tuple[str, ...]
    optional: tuple[str, ...] = ()
    """Sea zones whose submarines and transports need not be attacked."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Fight, Done)

    def check(self, state: State, decision: Fight | Done) -> None:
        """Rules: combat.general.order, combat-move.sub-transport.attack-option,
        unit.air.landing-proof.commit-move
        """
        if isinstance(decision, Done):
            if self.battles:
                raise IllegalDecision(
                    f"Combat in {state.facts.name(self.battles[0])} has to be fought.",
                    "combat.general.where",
                )
        elif decision.space not in self.battles and decision.space not in self.optional:
            raise IllegalDecision(
                f"There is no combat to resolve in {state.facts.name(decision.space)} in this "
                "step.",
                "combat.sequence",
            )
        elif decision.space in self.optional and not keeps_promises(state, decision.space):
            raise IllegalDecision(
                f"A carrier in {state.facts.name(decision.space)} is needed elsewhere for fighters "
                "to land on.",
                "unit.air.landing-proof.commit-move",
            )

    def decisions(self, state: State) -> Iterator[Decision]:
        if not self.battles:
            yield Done()
        yield from (Fight(space) for space in self.battles)
        yield from (Fight(space) for space in self.optional if keeps_promises(state, space))

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        choices: list[Decision] = [Fight(space) for space in (*self.battles, *self.optional)]
        if not self.battles:
            choices.append(Done())
        rng.shuffle(choices)
        return iter(choices)


def conduct_combat(g: Table[State]) -> Procedure[None]:
    """All steps in order; in each the attacker chooses what is resolved next.

    Rules: combat.sequence, combat.general.order, combat.general.where
    """
    s = g.state
    if not s.step:
        s.step = STEPS[0]
    if s.step == "interceptors":
        yield from commit_interceptors(g)
        s.step = "raids"
    while s.step:
        if not s.battle:
            s.battle = yield from _next_battle(g)
        if not s.battle:
            at = STEPS.index(s.step) + 1
            s.step = STEPS[at] if at < len(STEPS) else ""
            continue
        g.checkpoint(strict=True)
        if s.step == "raids":
            yield from strategic_bombing_raid(g, s.battle)
        elif s.step == "assaults":
            yield from amphibious_assault(g, s.battle)
        else:
            yield from general_combat(g, s.battle)
        s.battle, s.combat = "", None


def _next_battle(g: Table[State]) -> Procedure[str]:
    """The space of the step's next combat; "" if the step is over."""
    s = g.state
    optional: list[str] = []
    if s.step == "raids":
        battles = raided(s)
    elif s.step == "assaults":
        battles = assaulted(s)
    else:
        battles, optional = other_battles(s)
    if not battles and not optional:
        return ""
    if len(battles) == 1 and not optional:
        return battles[0]
    g.checkpoint()
    answer: Fight | Done = yield from g.ask(
        ChooseBattle(s.turn, s.step, tuple(battles), tuple(optional))
    )
    if isinstance(answer, Done):
        s.ignored |= frozenset(optional)
        return ""
    return answer.space


def other_battles(s: State) -> tuple[list[str], list[str]]:
    """The spaces where general combat has to be fought, and those where it may be.

    It may be left out where only submarines or transports are; but units that moved into a zone
    with nothing but transports, and support no assault there, destroy them.

    Rules: combat.general.where, combat-move.sub-transport.attack-option,
        unit.transport.auto-destroy, unit.sub.no-block, combat-move.start-hostile.options
    """
    kinds = s.facts.units
    battles: list[str] = []
    optional: list[str] = []
    foes = s.facts.enemies[s.turn]
    theirs = set().union(*[s.presence[foe] for foe in foes])
    control = s.control
    for space in s.presence[s.turn]:
        if space not in theirs and control.get(space) not in foes:
            continue
        if space in s.ignored or (space in s.fought and s.facts.spaces[space].sea):
            continue
        mine = [u for u in s.at[space] if u.power == s.turn and u.duty not in OUT_OF_BATTLE]
        if not mine:
            continue
        if not s.facts.spaces[space].sea:
            battles.append(space)
            continue
        enemies = enemies_in(s, space, s.turn)
        if hostile_zone(s, space, s.turn):
            battles.append(space)
        elif any(kinds[u.type].attack for u in mine):
            only_transports = all(u.type == "transport" for u in enemies)
            entered = any(u.used and kinds[u.type].attack for u in mine)
            launching = any(u.duty in ("landing", "offloaded") for u in s.at[space])
            if only_transports and entered and not launching:
                battles.append(space)
            else:
                optional.append(space)
    return battles, optional
