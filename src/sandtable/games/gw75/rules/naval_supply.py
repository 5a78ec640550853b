"""Naval supply (chapter 16) and that of air units (17.4): judged as a stage begins."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw75.model import News, State, Unit
from sandtable.games.gw75.rules import ports
from sandtable.games.gw75.rules.naval_zones import fleet
from sandtable.games.gw75.rules.terms import FLEET, friendly_hex, friends, relations
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

MARK = {"attack": "", "defense": "defense", "none": "none"}
"""State of supply to its mark on a unit."""


def grade(s: State, hex: str, unit: Unit) -> str:
    """How a naval combat or air unit is supplied in a hex: attack, defense, none. Ships are so in
    a port that is supplied from their Home Country; ASW and LRB units in any Friendly hex with a
    path. Who escorts Merchant Ships and Air Defense units always are.

    Rules: 16.0a, 16.0b, 16.22, 17.41, 17.42a
    """
    if unit.type == "ad" or escorting(s, hex, unit):
        return "attack"
    if unit.type in ("asw", "lrb"):
        home = friendly_hex(s, unit.nation, hex)
        return ports.home(s, unit.nation, hex) if home else "none"
    return ports.supply(s, unit.nation, hex)


def escorting(s: State, hex: str, unit: Unit) -> bool:
    """Whether a naval combat unit is stacked with Merchant Ships of its own or a friend, and so
    escorts them; submarines never do.

    Rules: 16.0b, 15.33a
    """
    if unit.type not in _ESCORTS:
        return False
    for other in s.stack(hex):
        if other.type == "ms" and friends(s, unit.nation, other.nation):
            return True
    return False


_ESCORTS = frozenset({"surf_a", "surf_b", "asw"})


def follow(g: Table[State], news: News) -> Procedure[None]:
    """Supply of naval units is judged as the Naval Stage begins, that of LRB units as the Air
    Movement Phase of their side does, and holds for the stage. Naval units that were Unsupplied
    then and are so still after the first Naval Phase of their side are eliminated, and all that
    are as the stage ends; LRB units after the Air Combat Phase of their side.

    Rules: 16.0a, 16.11, 16.12a, 16.12b, 17.42a, 17.42b, 17.43
    """
    when, _, phase = news.how.partition(" of ")
    which, _, kind = phase.partition("_")
    if when == "start" and phase == "axis_naval_1":
        _judge(g.state, FLEET, "")
    elif when == "start" and kind == "air_movement":
        _judge(g.state, _BOMBERS, which)
    elif when == "end" and kind == "naval_1":
        _cull(g, FLEET, which, marked=True)
    elif when == "end" and phase == "allies_naval_3":
        _cull(g, FLEET, "", marked=False)
    elif when == "end" and kind == "air_combat":
        _cull(g, _BOMBERS, which, marked=True)
    yield from ()


_BOMBERS = frozenset({"lrb"})


def _of(s: State, types: frozenset[str], which: str) -> Iterator[tuple[str, Unit, int]]:
    """The units of these types of a side, or of all, with their hexes and numbers."""
    sides = relations(s).side
    for nation in s.presence:
        if which in ("", sides[nation]):
            for each in fleet(s, nation).units if types is FLEET else s.units_of(nation, types):
                if each[1].type in types:
                    yield each


def _judge(s: State, types: frozenset[str], which: str) -> None:
    """Mark the units of these types (of a side, or all) with how they are supplied."""
    found = [
        (hex, unit, count, MARK[grade(s, hex, unit)]) for hex, unit, count in _of(s, types, which)
    ]
    for hex, unit, count, mark in found:
        if unit.supply != mark:
            s.change(hex, unit, count, supply=mark)


def _cull(g: Table[State], types: frozenset[str], which: str, *, marked: bool) -> None:
    """Eliminate units of these types that have no supply now; `marked`: only those that had none
    as the stage began."""
    s = g.state
    lost = [
        (hex, unit, count)
        for hex, unit, count in _of(s, types, which)
        if (unit.supply == "none" or not marked) and grade(s, hex, unit) == "none"
    ]
    for hex, unit, count in sorted(lost):
        s.destroy(hex, unit, count)
        losses = {unit.nation: {unit.type: count}}
        g.emit("unsupplied_lost", power=unit.nation, space=hex, losses=losses)
