"""What clients draw of Global War (1975): the position, what happened, and figures."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from sandtable.games.gw75.facts import MAJORS, Facts, Hex
from sandtable.games.gw75.model import State, Unit
from sandtable.kernel.display import About, Moment, Picture, Piece, Power, Space, Stack

SYMBOLS = {
    "inf": "nato_infantry",
    "mech": "nato_mechanized",
    "sd": "nato_self_defense",
    "fort": "nato_fortification",
    "ad": "nato_air_defense",
    "lrb": "bomber",
    "asw": "asw",
    "ss": "submarine",
    "surf_a": "carrier",
    "surf_b": "battleship",
    "ms": "convoy",
    "amph": "transport",
    "abomb": "atomic_bomb",
    "port": "port_big",
}


def about(s: State) -> About:
    facts = s.facts
    return About(
        game="gw75",
        title="Global War (1975)",
        subtitle=facts.scenarios[s.options["scenario"]].name,
        powers=tuple(_power(facts, id) for id in MAJORS),
        others=tuple(_power(facts, id) for id in facts.nations if id not in MAJORS),
        map="gw75",
        focus=("W3217", "W2523", "W3226"),
    )


def _power(facts: Facts, id: str) -> Power:
    nation = facts.nations[id]
    return Power(id=id, name=nation.name, short=nation.name, colour=nation.colour, side=nation.side)


def picture(s: State, powers: Collection[str]) -> Picture:
    return Picture(
        moment=Moment(title="t", phase=s.phase),
        spaces={id: _space(s, hex) for id, hex in s.facts.hexes.items()},
    )


def _space(s: State, hex: Hex) -> Space:
    stacks: dict[str, list[Piece]] = {}
    for unit, count in s.stack(hex.id).items():
        stacks.setdefault(unit.nation, []).append(_piece(s.facts, unit, count))
    return Space(
        owner=hex.nation,
        holder=s.held.get(hex.id, ""),
        stacks=tuple(Stack(n, tuple(p)) for n, p in stacks.items()),
    )


@lru_cache(maxsize=20_000)
def _piece(facts: Facts, unit: Unit, count: int) -> Piece:
    return Piece(SYMBOLS[unit.type], facts.types[unit.type].name, count, printed=True)
