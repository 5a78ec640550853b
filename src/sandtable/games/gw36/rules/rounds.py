"""A round of combat: first strike, attackers by type, defenders by type (9.1-9.3, Tables 9-2,
9-4)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.gw36.model import Stack, State, Unit
from sandtable.games.gw36.rules.battle import attackers, defenders, lead, running, update
from sandtable.games.gw36.rules.casualties import Hits, bury, candidates, suffer
from sandtable.games.gw36.rules.values import (
    SIDES,
    Shots,
    attack_shots,
    defense_shots,
    fort,
    strikes_first,
)
from sandtable.kernel.decisions import Decision, Request, RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Fire(Decision, frozen=True, tag="fire"):
    """Roll for the units of that type next."""

    type: str


class FireAll(Decision, frozen=True, tag="fire_all"):
    """Roll for all that have not fired, one type after the other."""


class ChooseFire(Request, frozen=True, tag="choose_fire"):
    """Which type rolls next, or all the others in their usual order."""

    space: str
    side: str
    types: tuple[str, ...]

    answers: ClassVar[tuple[type[Decision], ...]] = (Fire, FireAll)

    def check(self, state: State, decision: Fire | FireAll) -> None:
        """Rules: 9.1c, 9.1e"""
        if isinstance(decision, Fire) and decision.type not in self.types:
            raise IllegalDecision(
                f"{state.facts.name(decision.type)} is not one of the types that can roll now.",
                "9.1c",
            )

    def decisions(self, state: State) -> Iterator[Decision]:
        yield FireAll()
        yield from (Fire(type_) for type_ in self.types)

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        yield FireAll() if rng.random() < 0.7 else Fire(rng.choice(self.types))


def fight_round(g: Table[State]) -> Procedure[None]:
    """One round: both sides' first strike, the attackers' rolls, the defenders' rolls.

    Rules: table-9-2a, table-9-2b, table-9-2c, table-9-2d, table-9-2e, table-9-2f, table-9-2h,
        table-9-4a, 9.5a
    """
    s = g.state
    update(s, round=running(s).round + 1, fired=(), broken_down=(), step="first_strike")
    struck: dict[str, frozenset[Unit]] = {"attack": frozenset(), "defense": frozenset()}
    if running(s).round == 1:
        struck = yield from first_strike(g)
    update(s, step="attack", fired=())
    yield from volley(g, "attack", struck["attack"])
    update(s, step="defense", fired=())
    yield from volley(g, "defense", struck["defense"])
    bury(s)
    update(s, step="retreat", fired=())


def first_strike(g: Table[State]) -> Procedure[dict[str, frozenset[Unit]]]:
    """Units with first strike on both sides roll at the same time; what they hit is gone before it
    fires. The units that have fired, by side.

    Rules: table-9-1a, table-9-1b, 9.1f, 12.7b, 1.23b
    """
    s = g.state
    fired: dict[str, frozenset[Unit]] = {}
    scored: list[Hits] = []
    for side in ("attack", "defense"):
        units = attackers(s) if side == "attack" else defenders(s)
        strikers = {u: n for u, n in units.items() if strikes_first(s, u, side)}
        fired[side] = frozenset(strikers)
        shots = _shots(s, side, strikers)
        for type_, rows in shots.items():
            if not can_hit(s, side, type_):
                continue
            scored += yield from roll(g, running(s).at, side, type_, rows)
    works = fort(s)
    if works.dice:
        owner = s.possession[running(s).at]
        shots_ = [Shots(owner, works.dice, works.value, 0)]
        scored += yield from roll(g, running(s).at, "defense", "fortification", shots_)
    for hits in scored:
        yield from suffer(g, hits, at_once=True)
    return fired


def volley(g: Table[State], side: str, done: frozenset[Unit]) -> Procedure[None]:
    """The units of a side that have not fired roll, type by type, in an order that it chooses; the
    other side takes each type's hits before the next one rolls. Defenders that were hit fire too.

    Rules: 9.1b, 9.1c, 9.1d, 9.1e, table-9-2c, table-9-2e, 8.10c
    """
    s = g.state
    while True:
        able = _able(s, side, done)
        shots = _shots(s, side, able)
        types = tuple(
            type_ for type_ in shots if type_ not in running(s).fired and can_hit(s, side, type_)
        )
        if not types:
            return
        chosen: tuple[str, ...] = types
        power = lead(s, sorted({unit.nation for unit in able}))
        if len(types) > 1 and power:
            answer = yield from g.ask(ChooseFire(power, running(s).at, side, types))
            if isinstance(answer, Fire):
                chosen = (answer.type,)
        hit = changed = False
        for type_ in chosen:
            if changed:  # what is left after the hits of the one before
                shots = _shots(s, side, _able(s, side, done))
                changed = False
            rows = shots.get(type_)
            update(s, fired=(*running(s).fired, type_))
            if rows and (not hit or can_hit(s, side, type_)):
                for hits in (yield from roll(g, running(s).at, side, type_, rows)):
                    hit = changed = True
                    yield from suffer(g, hits, at_once=False)
        if not hit and chosen == types:  # nobody who could not fire before can now
            return


def _able(s: State, side: str, done: frozenset[Unit]) -> Stack:
    units = attackers(s) if side == "attack" else defenders(s)
    return {u: n for u, n in units.items() if u not in done} if done else units


def _shots(s: State, side: str, units: Stack) -> dict[str, list[Shots]]:
    return attack_shots(s, units) if side == "attack" else defense_shots(s, units)


def can_hit(s: State, side: str, type_: str) -> bool:
    """Whether there is anything left that units of a type can hit; if not, they do not fire.

    Rules: 9.10d, 9.6d
    """
    return bool(candidates(s, Hits(type_, side), selected=False))


def roll(
    g: Table[State], zone: str, side: str, type_: str, rows: list[Shots]
) -> Procedure[list[Hits]]:
    """Roll for one type of unit: a die for each, a hit at its value or less; the hits of each
    nation.

    Rules: 9.1b, table-9-1d
    """
    s = g.state
    lines = tuple(RollLine(row.nation, type_, row.count, row.value, SIDES) for row in rows)
    faces = yield from g.roll(side, lines)
    scored: dict[str, Hits] = {}
    at = 0
    breakdowns = 0
    for row in rows:
        some = faces[at : at + row.count]
        at += row.count
        hit = [face for face in some if face <= row.value]
        selected = sum(face <= row.target for face in hit)
        old = scored.get(row.nation, Hits(type_, side, power=row.nation))
        scored[row.nation] = old._replace(
            plain=old.plain + len(hit) - selected, selected=old.selected + selected
        )
        breakdowns += sum(face == SIDES for face in some)
    g.emit("fired", space=zone, role=side, lines=lines, dice=faces)
    if breakdowns and side == "attack" and s.battle:
        update(s, broken_down=_more(running(s).broken_down, type_, breakdowns))
    return [hits for hits in scored.values() if hits.plain or hits.selected]


def _more(
    broken: tuple[tuple[str, int], ...], type_: str, count: int
) -> tuple[tuple[str, int], ...]:
    counts = dict(broken)
    counts[type_] = counts.get(type_, 0) + count
    return tuple(sorted(counts.items()))
