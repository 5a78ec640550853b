"""Chinese regeneration (19.5)."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.gw75.model import News, State, Unit
from sandtable.games.gw75.rules import stacking
from sandtable.games.gw75.rules.terms import GROUND, commander, enemy_ground, holder, side
from sandtable.kernel.kits import ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

DEAD = "china:destroyed"
"""Count: Chinese land Strength Points destroyed in this Game-Turn."""


class Regenerate(ChooseOne, frozen=True, tag="regenerate"):
    """The Supply Center in which a destroyed Chinese Strength Point reappears."""

    options: tuple[str, ...]

    rule: ClassVar[str] = "19.51b"
    refusal: ClassVar[str] = "No Chinese unit can reappear in {asked}."


def follow(g: Table[State], news: News) -> Procedure[None]:
    """What was destroyed in a Game-Turn reappears in its Reinforcement Phase, or never; those who
    stood fast never.

    Rules: 19.51a, 19.51b, 8.8g
    """
    s = g.state
    if news.kind == "lost":
        if news.who == "china" and news.how in GROUND and news.where not in s.stand_fast:
            s.counts[DEAD] = s.counts.get(DEAD, 0) + news.number
        return
    if news.how != "start of reinforcement" or DEAD not in s.counts:
        return
    options = centers(s)
    while s.counts[DEAD] and options:
        hex = options[0]
        if s.counts[DEAD] < len(options):
            answer = yield from g.ask(Regenerate(commander(s, "china"), tuple(options)))
            hex = answer.option
        options.remove(hex)
        s.build(hex, Unit("china", "inf"))
        s.counts[DEAD] -= 1
        g.emit("regenerated", power="china", space=hex, units={"inf": 1})
    del s.counts[DEAD]
    for key in [key for key in s.dead if key[0] == "china"]:
        del s.dead[key]


def centers(s: State) -> list[str]:
    """The Supply Centers in China in which a Strength Point can reappear: under Allied control and
    with room. One that an atomic bomb has destroyed is none.

    Rules: 17.62, 19.51a
    """
    return [
        hex
        for hex in s.facts.country_hexes["china"]
        if s.facts.hexes[hex].center
        and hex not in s.destroyed
        and side(s, holder(s, hex)) == "allies"
        and not enemy_ground(s, "china", hex)
        and stacking.room(s, hex, "allies") > 0
    ]
