"""What is looked at in positions of a size that nobody meets: calls are counted, not seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from sandtable.games.gw75 import RULES
from sandtable.games.gw75.bot import sea
from sandtable.games.gw75.facts import load_facts
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import declaring, naval_combat, pipelines
from sandtable.games.gw75.rules.naval_zones import Part
from tests.gw75.table import state

FACTS = load_facts()
WARS = [("japan", "usa")]
OCEAN = [hex for hex in FACTS.hexes if FACTS.hexes[hex].kind == "sea" and hex[0] == "E"]
"""Sea hexes of the eastern section, row by row."""


def growth(prepare: Callable[[int], State], action: Callable[[State], Any], number: int) -> float:
    """How many times the calls of Python functions it takes for twice the number."""
    small, large = (_calls(prepare(each), action) for each in (number, 2 * number))
    return large / small


def _calls(s: State, action: Callable[[State], Any]) -> int:
    action(s)  # what is kept is there from now on
    number = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal number
        number += event == "call"

    sys.setprofile(count)
    try:
        action(s)
    finally:
        sys.setprofile(None)
    return number


def convoys(number: int) -> State:
    units = {hex: {"usa": "3 ms"} for hex in OCEAN[200 : 200 + number]}
    return state("allies_strategic_movement", 16, units=units, wars=WARS)


def fleets(number: int) -> State:
    """Weak fleets of Japan between strong ones of the United States: nothing is hunted."""
    units = {
        hex: {"japan": "surf_b"} if place % 2 else {"usa": "2 surf_a, 2 surf_b"}
        for place, hex in enumerate(OCEAN[200 : 200 + number])
    }
    return state("axis_naval_2", 16, units=units, wars=WARS)


def test_the_picture_looks_at_each_holding_area_with_those_near_it() -> None:
    """Links are between two of them, and each is looked at once."""
    assert growth(convoys, lambda s: RULES.picture(s, ("usa",)), 80) < 4


def test_the_bot_adds_up_once_what_is_near_a_hex_that_it_might_strike() -> None:
    """Each fleet is set against each, and no third time against all."""
    assert growth(fleets, lambda s: list(sea._hunts(s, ["japan"])), 60) < 5


def test_whose_peace_an_attack_breaks_is_seen_at_once_for_all_attackers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    s = fleets(20)
    force = [Part(hex, unit, n) for hex, unit, n in s.units() if unit.nation == "japan"]
    target = next(hex for hex, unit, _ in s.units() if unit.nation == "usa")
    seen, look = [], naval_combat.targets
    monkeypatch.setattr(naval_combat, "targets", lambda *asked: seen.append(1) or look(*asked))
    assert naval_combat.wronged(s, force, target) == []
    assert len(force) == 10 and len(seen) == 1


def test_the_best_line_is_found_without_going_every_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty Holding Areas that are all near each other: each is reached once, as the way past
    another is longer."""
    names = [f"area {number}" for number in range(60)]
    links = {one: {other: 5 for other in names if other != one} for one in names}
    net = pipelines.net(convoys(0), "usa")._replace(ships=dict.fromkeys(names, 3), links=links)
    pushed, push = [], pipelines.heappush
    monkeypatch.setattr(
        pipelines, "heappush", lambda heap, entry: pushed.append(1) or push(heap, entry)
    )
    found = pipelines.widest(net, {names[0]: 1}, {names[-1]: 2})
    assert found == (("area 0", "area 59"), 3, 8)
    assert len(pushed) <= len(names) + 1
    del pushed[:]
    assert pipelines.widest(net, {names[0]: 1}, {}).capacity == 0
    assert not pushed


def test_few_forces_are_tried_where_many_nations_stand_beside_a_hex() -> None:
    """All, those that may attack, and each alone: not every choice of twenty nations."""
    s = state(base="setup")
    force = [("W3123", nation, "inf", 1) for nation in list(FACTS.nations)[:20]]
    found = list(declaring._by_nation(s, "W3124", force))
    assert found[0] == tuple(force)
    assert len(found) == 22
