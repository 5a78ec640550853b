"""Declarations of war, with what follows from each: the rules are tried on a copy."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.board.words import listed
from sandtable.games.blitz import words
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.consequences import declare_war
from sandtable.games.blitz.rules.politics import declarations
from sandtable.games.blitz.rules.sides import areas_of
from sandtable.games.blitz.rules.steps import DeclareWar
from sandtable.kernel.decisions import plain
from sandtable.kernel.display import Choice
from sandtable.kernel.events import Event
from sandtable.kernel.table import Table


def wars(s: State, power: str) -> Iterator[Choice]:
    """What war can be declared on now."""
    facts = s.facts
    for on in declarations(s, power):
        name = facts.names[on]
        if on in s.scenario.powers:
            areas = tuple(area for area, holder in s.control.items() if holder == on)
            detail = f"{name} and its allies become your enemies."
        else:
            areas = areas_of(s, on)
            detail = "It joins the other side at once, and its army takes up arms."
        yield Choice(
            label=f"Declare war on {name}",
            decision=plain(DeclareWar(on)),
            detail=detail,
            follows=tuple(_follows(s, power, on)),
            spaces=areas,
            group="Declare war",
            tone="danger",
        )


def _follows(s: State, power: str, on: str) -> Iterator[str]:
    """What a declaration would bring about, as far as nobody is asked and no die falls."""
    events: list[Event] = []
    g: Table[State] = Table(s.copy(), lambda *_: None, events.append, lambda strict: None)
    asked = next(declare_war(g, power, on), None)
    armies: dict[tuple[str, str], list[str]] = {}
    for event in events:
        d = event.data
        match event.kind:
            case "war_declared":
                continue
            case "set_up":
                name = f"{s.facts.names[d['unit']]} of Size {d['size']}"
                armies.setdefault((d["power"], d["space"]), []).append(name)
            case "allied":
                country = s.facts.names[d["country"]]
                side = words.side_name(s.facts.side[d["power"]])
                yield f"{country} joins {words.power_name(s.facts, d['power'])} ({side})."
            case "war_began":
                both = [words.power_name(s.facts, d[each]) for each in ("power", "against")]
                yield words.upper(f"{both[0]} and {both[1]} are at war from then on.")
            case "entry_moved":
                last, before = s.facts.numbers.entry_box, s.entry[d["power"]]
                if d["box"] != before:
                    whose = words.power_name(s.facts, d["power"])
                    yield (
                        f"The It's War! marker of {whose} goes from box {before} to {d['box']}; "
                        f"in box {last} it enters the war."
                    )
            case "scored":
                gain = words.number(d["points"], "Victory Point")
                yield words.upper(f"{words.power_name(s.facts, d['power'])} gains {gain}.")
            case "entered_war":
                yield words.upper(f"{words.power_name(s.facts, d['power'])} enters the war.")
            case _:
                yield words.sentence(s.facts, event)
    for (owner, area), units in armies.items():
        yield (
            f"{words.upper(words.power_name(s.facts, owner))} gets {listed(units)} in "
            f"{s.facts.names[area]}."
        )
    if asked is not None:
        yield "More may follow."
