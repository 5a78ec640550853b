"""Going to war, and how the USA and the USSR come into it (3.1, 7.2)."""

from __future__ import annotations

from sandtable.games.blitz.model import NEUTRAL, State
from sandtable.games.blitz.rules import alignment
from sandtable.games.blitz.rules.sides import at_war
from sandtable.games.blitz.rules.trade import end_by_war
from sandtable.games.blitz.rules.victory import score
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

ENEMIES = {"usa": ("germany", "japan"), "ussr": ("germany",)}
"""Whom a power goes to war with when it enters by itself."""

JAPAN_STRUCK = "japan_struck"
"""The flag of a Japanese declaration of war on the AFA or on Belgium-Netherlands."""


def only_limits_production(s: State, power: str) -> bool:
    """Whether a marker does nothing but limit production: the USSR's after the Road to War,
    unless Germany has the Secret Soviet Pact.

    Rules: 9.2h, 9.2i
    """
    return power == "ussr" and "road_to_war" in s.flags and "secret_soviet_pact" not in s.flags


def shift(g: Table[State], event: str, times: int = 1) -> Procedure[None]:
    """Move the markers by an event of the chart, so many times.

    A marker at the last box takes its power into the war. One that would go below 0 stays there,
    and each missing box is a point for Germany and one for Japan.

    Rules: 7.2b, 7.2e, 7.2g, 7.2h, data.neutral-entry, F.5a, 9.2i
    """
    s = g.state
    effect = s.facts.neutral_entry[event]
    for power, each in (("usa", effect.usa), ("ussr", effect.ussr)):
        if power not in s.entry or not each * times:
            continue
        box = s.entry[power] + each * times
        s.entry[power] = min(max(box, 0), s.facts.numbers.entry_box)
        s.forget()
        g.emit("entry_moved", power=power, box=s.entry[power], event=event)
        if box < 0:
            for rival in ("germany", "japan"):
                if rival in s.scenario.powers:
                    score(g, rival, -box, "neutral_entry")
        if box >= s.facts.numbers.entry_box and not only_limits_production(s, power):
            yield from enter(g, power)
    end_by_war(s)


def enter(g: Table[State], power: str) -> Procedure[None]:
    """Take a power into the war: the USA against Germany and Japan, the USSR against Germany.

    Rules: 7.2e, 7.2f, 9.2j
    """
    s = g.state
    del s.entry[power]
    s.forget()
    if only_limits_production(s, power):
        return
    g.emit("entered_war", power=power)
    for enemy in ENEMIES[power]:
        if enemy in s.scenario.powers and not at_war(s, power, enemy):
            yield from go_to_war(g, power, enemy)


def progress_to_war(g: Table[State]) -> Procedure[None]:
    """Turn end B: the automatic move of the markers.

    Rules: 7.2a, 7.2b
    """
    yield from shift(g, "each_turn")


def start_of_turn(g: Table[State]) -> Procedure[None]:
    """Moves and entries that come as the first thing in a turn.

    Rules: 7.2c, 7.2e, 9.2j
    """
    s = g.state
    if JAPAN_STRUCK in s.flags:
        yield from shift(g, "after_that_each_turn")
    if s.turn >= s.facts.numbers.entry_turn:
        for power in sorted(s.entry):
            yield from enter(g, power)


def go_to_war(g: Table[State], power: str, enemy: str) -> Procedure[None]:
    """Two powers are at war from now on, because `power` declared it or entered the war.

    The limits of an entry into the war end, and so do trade agreements between the two; what
    their allies fought alone becomes their war.

    Rules: 3.2e, 3.2g, 7.2f, 7.2h, 9.2i, 9.2j
    """
    s = g.state
    s.set_wars(s.wars | {(power, enemy), (enemy, power)})
    s.minor_wars = frozenset(
        (country, foe)
        for country, foe in s.minor_wars
        if (s.allied.get(country, NEUTRAL), foe) not in s.wars
    )
    if "usa" in (power, enemy):
        s.entry.pop("usa", None)
    limited = only_limits_production(s, "ussr") and power == "ussr"
    if {power, enemy} == {"germany", "ussr"} and not limited:
        s.entry.pop("ussr", None)
    end_by_war(s)
    g.emit("war_began", power=power, against=enemy)
    yield from alignment.settle(g)
