"""Positions made by hand, for tests of single rules: no set-up, only what a test names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import pytest

from sandtable.games.gw36.dates import half_year
from sandtable.games.gw36.facts import Facts, load_facts, pair
from sandtable.games.gw36.model import Facility, State, Unit
from sandtable.games.gw36.rules.combat_move import CombatMove
from sandtable.games.gw36.rules.noncombat_move import NoncombatMove
from sandtable.kernel.decisions import Decision, Pass, RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Event, Procedure
from sandtable.kernel.table import Table

SWITCHES = sorted({switch for some in load_facts().sets.values() for switch in some})


@cache
def facts() -> Facts:
    return load_facts()


def state(
    mover: str = "germany",
    phase: str = "combat_move",
    *,
    units: Mapping[str, Iterable[Unit | tuple[Unit, int]]] | None = None,
    owners: Mapping[str, str] | None = None,
    wars: Iterable[tuple[str, str]] = (),
    facilities: Mapping[str, Iterable[Facility]] | None = None,
    rules: str = "basic",
    date: str = "1940-01",
    switches: Mapping[str, bool] | None = None,
    **fields: Any,
) -> State:
    """A position of 1939's map with these units and no others, at peace but for `wars`."""
    known = facts()
    options: dict[str, Any] = {"rules": rules, "scenario": "1939", "players": None}
    options |= dict.fromkeys(SWITCHES)
    options |= switches or {}
    possession = known.scenarios["1939"].owners | dict(owners or {})
    slot = next(i for i, group in enumerate(known.order) if mover in group)
    s = State(
        known,
        options,
        date=half_year(date),
        slot=slot,
        phase=phase,
        mover=mover,
        possession=possession,
        start_possession=dict(possession),
        wars=frozenset(pair(one, other) for one, other in wars),
        facilities={zone: tuple(some) for zone, some in (facilities or {}).items()},
        railways=dict(known.railways),
        income={power: 63 for power in known.powers},
        **fields,
    )
    for zone, pieces in (units or {}).items():
        for piece in pieces:
            unit, count = piece if isinstance(piece[1], int) else (piece, 1)
            s.put(zone, unit, count)  # type: ignore[arg-type]
    return s


def of(nation: str, type_: str, count: int = 1, **fields: Any) -> tuple[Unit, int]:
    """So many units of a nation."""
    return Unit(nation, type_, **fields), count


class Hand:
    """Runs a procedure with answers and faces that a test gives."""

    def __init__(self, s: State, faces: Iterable[int] = ()) -> None:
        self.faces = iter(faces)
        self.events: list[Event] = []
        self.asked: list[Any] = []
        self.table = Table(s, self._draw, self.events.append, lambda strict: None)

    def _draw(
        self, kind: str, lines: tuple[RollLine, ...], dice: int, sides: int
    ) -> tuple[int, ...]:
        return tuple(next(self.faces) for _ in range(dice))

    def run(
        self, procedure: Callable[[Table[State]], Procedure[Any]], *answers: Decision | None
    ) -> Any:
        """Play the procedure; the answers are for the requests in their order, None passes."""
        waiting = iter(answers)
        play = procedure(self.table)
        reply: dict[str, Decision] | None = None
        while True:
            try:
                asked = play.send(reply) if reply is not None else next(play)  # type: ignore[arg-type]
            except StopIteration as end:
                assert next(waiting, self) is self, "An answer was not asked for."
                return end.value
            reply = {}
            for request in asked.requests:
                self.asked.append(request)
                answer = next(waiting)
                if answer is not None:
                    request.check(self.table.state, answer)
                reply[request.power] = Pass() if answer is None else answer


def allowed(s: State, decision: Decision) -> None:
    """The decision is legal in the phase that the position is in."""
    request_of(s).check(s, decision)


def refused(s: State, decision: Decision, rule: str = "") -> str:
    """The decision is refused, by that rule if one is named; the sentence."""
    with pytest.raises(IllegalDecision) as caught:
        request_of(s).check(s, decision)
    assert not rule or caught.value.rule == rule, (caught.value.rule, str(caught.value))
    return str(caught.value)


def request_of(s: State) -> Any:
    """What the acting nation is asked in a movement phase."""
    kinds = {"combat_move": CombatMove, "noncombat_move": NoncombatMove}
    return kinds[s.phase](s.mover)


def way(text: str) -> tuple[str, ...]:
    """A path in words: "berlin > bavaria"."""
    return tuple(part.strip() for part in text.split(">"))
