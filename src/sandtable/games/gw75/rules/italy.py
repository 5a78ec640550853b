"""Italy: its entry into the war, its retreat from Africa, its surrender (19.2)."""

from __future__ import annotations

from sandtable.games.gw75.facts import pair
from sandtable.games.gw75.model import News, State
from sandtable.games.gw75.rules.occupation import note_industry
from sandtable.games.gw75.rules.terms import (
    GROUND,
    at_war,
    enemy_ground,
    enters,
    foes,
    ground,
    holder,
    side,
)
from sandtable.games.gw75.rules.wars import at_peace, declare
from sandtable.games.gw75.rules.zones import army
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

AFRICA = (
    "belgian_congo",
    "british_africa",
    "british_somaliland",
    "egypt",
    "french_africa",
    "french_north_africa",
    "italian_east_africa",
    "liberia",
    "libya",
    "nigeria",
    "portuguese_africa",
    "south_africa",
    "spanish_africa",
)
IN_AFRICA = "italy:africa"
"""Mark: Italy was at war and the Axis had land units in Africa."""
DRIVEN_OUT = "italy:driven_out"
"""Count: the Game-Turn in which the last of them was driven out."""


def only_defends(s: State) -> bool:
    """Whether Italian units may no longer attack.

    Rules: 19.24a
    """
    return DRIVEN_OUT in s.counts


def may_not_attack(s: State, nation: str) -> str:
    """Why units of a nation may not attack anybody, by an Overrun or a landing either.

    Rules: 19.24a
    """
    if nation == "italy" and only_defends(s):
        return "Since the Axis was driven out of Africa Italian units only defend (19.24a)."
    return ""


def confined(s: State) -> bool:
    """Whether Italian units have to be at home: after the Game-Turn that follows the loss of
    Africa.

    Rules: 19.24a
    """
    return s.counts.get(DRIVEN_OUT, s.turn) + 1 < s.turn


def bound(s: State, nation: str, hex: str) -> str:
    """Why land, air and ASW units of a nation may not go to a hex: Italian ones have to be at home.

    Rules: 19.24a
    """
    if nation == "italy" and s.facts.hexes[hex].country != "italy" and confined(s):
        return "Since the Axis was driven out of Africa Italian units stay in Italy (19.24a)."
    return ""


def may_be_drawn_in(s: State) -> str:
    """Why Germany or Japan may not bring Italy into the war now; empty if they may.

    Rules: 11.3e, 19.21a, 19.21b
    """
    if not at_peace(s, "italy") or "italy" in s.fallen:
        return "Italy is not neutral any more (19.21a)."
    if s.turn < s.facts.numbers.italy_from:
        return "Italy may not enter the war before the second quarter of 1940 (19.21a)."
    if s.turn > s.facts.numbers.italy_until:
        return "After the first quarter of 1942 Italy may not enter the war at all (19.21b)."
    return ""


def comes_in(s: State, nation: str, whom: str) -> bool:
    """Whether it is Italy that a nation would violate, and would bring in as its friend by that.

    Rules: 11.3e
    """
    return whom == "italy" and nation in ("germany", "japan") and not may_be_drawn_in(s)


def enter(g: Table[State]) -> None:
    """Italy enters the war: Germany's Enemies are its own.

    Rules: 11.3e, 19.21a
    """
    s = g.state
    g.emit("entered_war", power="italy")
    for foe in sorted(foes(s, "germany")):
        declare(g, "italy", foe, limited=pair("germany", foe) in s.limited)


def follow(g: Table[State], news: News) -> Procedure[None]:
    """What happens to Italy when the Axis has lost Africa, when Italy is invaded, and when Germany
    has lost its industry.

    Rules: 19.24a, 19.24b, 19.24c
    """
    s = g.state
    yield from ()
    if "italy" in s.fallen or at_peace(s, "italy"):
        return
    if news.kind == "phase":
        if news.how.startswith("end of "):
            _watch_africa(g)
        if news.how == "end of turn_record" and s.turn > s.counts.get(DRIVEN_OUT, s.turn):
            _come_home(g)
        if news.how.endswith("of allies_land_combat") and _invaded(s):
            surrender(g)
    elif not s.phase.endswith("_land_combat"):
        hex = s.facts.hexes[news.where]
        if (hex.country == "italy" and _invaded(s)) or (hex.industry and _germany_is_lost(s)):
            surrender(g)
    if news.kind == "phase" and "italy" not in s.fallen and _germany_is_lost(s):
        surrender(g)


def _watch_africa(g: Table[State]) -> None:
    """Note that the Axis is in Africa, or that it has been driven out.

    Rules: 19.24a
    """
    s = g.state
    if only_defends(s):
        return
    kept = s.facts.kept("africa", 1)
    if not kept:
        hexes = (hex for country in AFRICA for hex in s.facts.country_hexes[country])
        kept["hexes"] = s.facts.set_of(hexes)
    there = any(
        side(s, nation) == "axis" and nation != "vichy" and army(s, nation).at & kept["hexes"]
        for nation in s.presence
    )
    if there:
        s.marks |= {IN_AFRICA}
    elif IN_AFRICA in s.marks:
        s.counts[DRIVEN_OUT] = s.turn
        s.changed()
        g.emit("driven_out", power="italy")


def _come_home(g: Table[State]) -> None:
    """Italian units that are not in Italy by the end of the next Game-Turn are lost. Merchant Ships
    may stay.

    Rules: 19.24a
    """
    s = g.state
    for hex, unit, count in list(s.units_of("italy")):
        if s.facts.hexes[hex].country != "italy" and unit.type != "ms":
            s.destroy(hex, unit, count)
            g.emit("not_at_home", power="italy", space=hex, losses={"italy": {unit.type: count}})


def _invaded(s: State) -> bool:
    """Whether, with Africa lost, Allied land units are in Italy.

    Rules: 19.24b
    """
    return only_defends(s) and any(
        at_war(s, unit.nation, "italy")
        for hex in s.facts.country_hexes["italy"]
        for unit, _ in ground(s, hex)
    )


def _germany_is_lost(s: State) -> bool:
    """Whether the Allies hold all German and Rumanian Industrial Hexes.

    Rules: 19.24c
    """
    return all(
        side(s, holder(s, id)) == "allies"
        for id, whose in s.facts.industry.items()
        if whose == "germany"
    )


def surrender(g: Table[State]) -> None:
    """All Italian units are removed. What Italy held goes to the Allies who stand in it, the rest
    to Germany.

    Rules: 19.24b, 19.24c, 19.24d
    """
    s = g.state
    g.emit("surrendered", power="italy")
    s.fallen |= {"italy"}
    for hex, unit, count in list(s.units_of("italy")):
        s.destroy(hex, unit, count, forever=True)
    s.track = tuple(job for job in s.track if job.nation != "italy")
    s.due = tuple(job for job in s.due if job.nation != "italy")
    s.missions = tuple(mission for mission in s.missions if mission.nation != "italy")
    for table in (s.dead, s.points):
        for key in [key for key in table if key[0] == "italy"]:
            del table[key]
    for id in s.facts.hexes:
        if holder(s, id) == "italy":
            s.bombs.pop(id, None)
            _pass_on(g, id)
    s.wars = frozenset(war for war in s.wars if "italy" not in war)
    s.limited = frozenset(war for war in s.limited if "italy" not in war)
    s.changed()
    s.tell(News("fallen", "italy"))


def _pass_on(g: Table[State], hex: str) -> None:
    """A hex that Italy held gets its new holder; landing parties with no Enemy left have landed.

    Rules: 19.24d
    """
    s = g.state
    allies = [unit for unit, _ in ground(s, hex) if side(s, unit.nation) == "allies"]
    if allies and not enemy_ground(s, allies[0].nation, hex):
        for unit, count in list(s.stack(hex).items()):
            if unit.duty == "assault":
                done = "landed" if unit.type in GROUND else ""
                s.change(hex, unit, count, duty=done)
        enters(s, hex, allies[0].nation)
    else:
        s.hold(hex, "germany")
    note_industry(s, hex, "italy")
