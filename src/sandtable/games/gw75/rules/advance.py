"""Advance after combat (8.6)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from sandtable.games.gw75.model import Force, State
from sandtable.games.gw75.rules import attacks, neutrals, stacking
from sandtable.games.gw75.rules.terms import commander, enters, side, tally
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Advance(Decision, frozen=True, tag="advance"):
    """Mechanized points advance: from, nation, number, to."""

    moves: tuple[tuple[str, str, int, str], ...]


class ChooseAdvance(Request, frozen=True, tag="advance"):
    """The attacker may advance with Mechanized units into vacated hexes; no moves are none.

    Rules: 8.61a, 8.61b, 8.62
    """

    mech: tuple[tuple[str, str, int], ...]
    """Hex, nation and number of those that attacked."""
    hexes: tuple[str, ...]
    answers = (Advance,)

    def check(self, state: State, decision: Advance) -> None:
        name = state.facts.name
        have = {(hex, nation): number for hex, nation, number in self.mech}
        sent: Counter[tuple[str, str]] = Counter()
        into: Counter[str] = Counter()
        for hex, nation, number, to in decision.moves:
            sent[hex, nation] += number
            into[to] += number
            if number < 1 or sent[hex, nation] > have.get((hex, nation), 0):
                raise IllegalDecision(
                    f"{name(nation)} has {have.get((hex, nation), 0)} Mechanized points in "
                    f"{name(hex)} that attacked.",
                    "8.61a",
                )
            if to not in self.hexes or not _open(state, hex, nation, to):
                raise IllegalDecision(f"{name(to)} was not vacated next to {name(hex)}.", "8.61b")
        for to, number in into.items():
            room = stacking.room(state, to, side(state, self.mech[0][1]))
            if number > room:
                raise IllegalDecision(f"{name(to)} has room for {room}, not {number}.", "7.0a")

    def decisions(self, state: State) -> Iterator[Advance]:
        """None; and into each hex all that fit, or one."""
        yield Advance(())
        for to in self.hexes:
            room = stacking.room(state, to, side(state, self.mech[0][1]))
            most = []
            for hex, nation, number in self.mech:
                if _open(state, hex, nation, to) and room > 0:
                    most.append((hex, nation, min(number, room), to))
                    room -= min(number, room)
            if most:
                yield Advance(tuple(most))
                if most[0][2] > 1 or len(most) > 1:
                    yield Advance(((most[0][0], most[0][1], 1, to),))

    def sample(self, state: State, rng: random.Random) -> Advance:
        return rng.choice(list(self.decisions(state)))


def _open(s: State, hex: str, nation: str, to: str) -> bool:
    """Whether units of a nation may advance from a hex to another: Finns stay in Finland.

    Rules: 19.92a
    """
    return to in s.facts.land[hex] and not neutrals.barred(s, nation, to)


def advance(
    g: Table[State], targets: tuple[str, ...], force: Force, attacker: str
) -> Procedure[None]:
    """Mechanized units of what is left of an attacking force may enter the vacated hexes.

    Rules: 8.61a, 8.61b, 8.62, 8.63, 8.8c, 8.45
    """
    s = g.state
    hexes = tuple(
        hex
        for hex in targets
        if hex not in s.stand_fast and not any(True for _ in attacks.defenders(s, hex, attacker))
    )
    mech = tuple(
        (hex, nation, number)
        for hex, nation, type, number in force
        if type == "mech" and any(_open(s, hex, nation, to) for to in hexes)
    )
    if not mech:
        return
    request = ChooseAdvance(commander(s, attacker), mech, hexes)
    if sum(1 for _ in request.decisions(s)) == 1:
        return
    decision = yield from g.ask(request)
    moves = tally(((hex, nation, to), number) for hex, nation, number, to in decision.moves)
    for (hex, nation, to), number in moves.items():
        g.emit("advanced", power=nation, units={"mech": number}, path=[hex, to])
        for unit, count in list(s.stack(hex).items()):
            if unit[:2] == (nation, "mech") and unit.duty in ("attacked", "landed"):
                some = min(count, number)
                if some:
                    s.take(hex, unit, some)
                    s.put(to, unit, some)
                    number -= some
        enters(s, to, nation)
