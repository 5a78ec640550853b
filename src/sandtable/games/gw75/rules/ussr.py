"""The Soviet Union and the garrison of Manchuria (19.6, 19.7)."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.gw75.facts import pair
from sandtable.games.gw75.model import News, State, Unit
from sandtable.games.gw75.rules import penalties, stacking, zones
from sandtable.games.gw75.rules.terms import (
    GROUND,
    MOBILE,
    at_war,
    commander,
    foes,
    ground,
    holder,
    side,
)
from sandtable.games.gw75.rules.wars import AXIS_POWERS, at_peace, declare
from sandtable.kernel.kits import ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

POLAND = "ussr:partition"
"""Count: the Game-Turn of the Axis invasion of Poland, in which the USSR takes its share."""
INVADED = "invaded_ussr"
"""Count: the Game-Turn of the German invasion."""
LIMITED = "ussr:may_enter"
"""Mark: the USSR may enter the war on a limited basis."""
LOST = "lost:ussr"
"""Count: Soviet land Strength Points destroyed."""
MILITIA = "ussr:militia"
"""Count: Strength Points of militia still to be placed."""
EUROPEAN_AXIS = ("germany", "italy")
WARDS = ("sweden", "turkey")
"""Whom Germany may not violate without giving the USSR the right to a limited war (19.72)."""


class PlaceMilitia(ChooseOne, frozen=True, tag="place_militia"):
    """The Industrial Hex in which a Strength Point of Soviet militia appears."""

    options: tuple[str, ...]

    rule: ClassVar[str] = "19.78b"
    refusal: ClassVar[str] = "No militia can appear in {asked}."


def partitioning(s: State) -> bool:
    """Whether this is the Game-Turn in which the USSR takes Eastern Poland.

    Rules: 19.71a
    """
    return s.counts.get(POLAND) == s.turn


def frozen(s: State) -> str:
    """Why Soviet land units may not move.

    Rules: 19.61a, 19.71a
    """
    if at_peace(s, "ussr") and not partitioning(s):
        return "While the USSR is neutral its land units do not move (19.71a)."
    return ""


def partition_bars(s: State, nation: str, hex: str) -> str:
    """Why a nation may not enter a hex of Poland: the Axis leaves the eastern ones to the USSR up
    to the Game-Turn of its invasion, and the USSR takes no others.

    Rules: 19.71b
    """
    eastern = hex in s.facts.places["eastern_poland"]
    if nation == "ussr":
        if eastern or at_war(s, "ussr", "germany") or not at_war(s, "ussr", "poland"):
            return ""
        return f"Only Eastern Poland is the USSR's share, not {s.facts.name(hex)} (19.71b)."
    pact = eastern and side(s, nation) == "axis" and not at_war(s, nation, "ussr")
    if pact and s.held.get(hex) != "ussr" and s.counts.get(POLAND, s.turn) == s.turn:
        return f"{s.facts.name(hex)} is left to the USSR (19.71b)."
    return ""


def to_enter(s: State) -> tuple[str, ...]:
    """Hexes of Eastern Poland that the Soviet army has to enter in this Land Movement Phase: no
    land unit is in them, and Soviet units next to them have not moved.

    Rules: 19.71b
    """
    if not partitioning(s) or not at_war(s, "ussr", "poland"):
        return ()
    return tuple(
        hex
        for hex in s.facts.places["eastern_poland"]
        if holder(s, hex) == "poland"
        and not any(True for _ in ground(s, hex))
        and any(unit.left < 0 and not unit.idle for unit in _neighbours(s, hex))
    )


def to_attack(s: State) -> tuple[str, ...]:
    """Hexes of Eastern Poland that the Soviet army has to attack in this Land Combat Phase: Polish
    units are in them, and Soviet ones next to them.

    Rules: 19.71b
    """
    if not partitioning(s) or not at_war(s, "ussr", "poland"):
        return ()
    return tuple(
        hex
        for hex in s.facts.places["eastern_poland"]
        if any(unit.nation == "poland" for unit, _ in ground(s, hex))
        and any(not unit.idle and unit.duty != "attacked" for unit in _neighbours(s, hex))
    )


def _neighbours(s: State, hex: str) -> list[Unit]:
    """Mobile Soviet units that could cross into a hex."""
    return [
        unit
        for near in s.facts.near[hex]
        if hex in s.facts.land[near]
        for unit, _ in ground(s, near)
        if unit.nation == "ussr" and unit.type in MOBILE
    ]


def may_violate(s: State, whom: str) -> str:
    """Why the USSR may not break the peace with a nation.

    Rules: 11.0b, 19.61a, 19.61b, 19.71a, 19.75b, 20.15a
    """
    german = at_war(s, "ussr", "germany")
    if whom == "japan":
        if german or manchuria(s) < s.facts.numbers.manchukuo_garrison:
            return ""
        return "The USSR may not attack Japan while Manchukuo is garrisoned (19.61a)."
    if german:
        if side(s, whom) != "neutral" and whom != "italy":
            return f"{s.facts.name(whom)} does not fight the same war as the USSR (11.0a)."
        return "" if whom == "vichy" else penalties.lacking(s, "ussr")
    if at_peace(s, "ussr"):
        return "The USSR is neutral (19.71a)."
    return "In its war with Japan the USSR attacks nobody else (19.61b)."


def manchuria(s: State) -> int:
    """Japanese land Strength Points in Manchukuo.

    Rules: 19.61a
    """
    return sum(
        count
        for hex in s.facts.country_hexes["manchukuo"]
        for unit, count in ground(s, hex)
        if unit.nation == "japan"
    )


def border(s: State) -> tuple[str, ...]:
    """The Soviet hexes on the border of Manchukuo."""
    found = s.paths.get("border")
    if found is None:
        found = s.paths["border"] = tuple(
            id
            for id in s.facts.country_hexes["ussr"]
            if any(s.facts.hexes[near].country == "manchukuo" for near in s.facts.near[id])
        )
    hexes: tuple[str, ...] = found
    return hexes


def keeps(s: State, hex: str, number: int, to: str = "") -> str:
    """Why so many land Strength Points may not leave a hex on the border of Manchukuo (for another
    hex); along the border they may go.

    Rules: 19.73
    """
    if not at_peace(s, "ussr") or hex not in border(s) or to in border(s):
        return ""
    there = sum(
        count
        for each in border(s)
        for unit, count in s.stack(each).items()
        if unit.nation == "ussr" and unit.type in GROUND
    )
    least = s.facts.numbers.border_garrison
    if there - number >= least:
        return ""
    return f"While neutral the USSR keeps {least} Strength Points on that border (19.73)."


def limited(s: State) -> bool:
    """Whether the USSR is at war with Germany on a limited basis: no fortifications, peace-time
    production.

    Rules: 19.72a, 19.72d
    """
    return pair("germany", "ussr") in s.limited


def fully_at_war(s: State) -> bool:
    """Whether the USSR is on a full war footing: with Japan, or with Germany and not only on a
    limited basis.

    Rules: 19.61a, 19.72b
    """
    return at_war(s, "ussr", "japan") or (at_war(s, "ussr", "germany") and not limited(s))


def mode(s: State) -> int:
    """The Production Mode line of the USSR.

    Rules: 19.61a, 19.72a, 19.77
    """
    numbers = s.facts.numbers
    return numbers.mode_ussr if fully_at_war(s) else numbers.mode_peace


def may_enter(s: State) -> bool:
    """Whether the USSR has the right to a limited war with Germany: the Axis is or was in Suez, or
    Germany in Britain, or Germany itself has violated Sweden or Turkey.

    Rules: 19.72a
    """
    return (
        LIMITED in s.marks
        or any(side(s, holder(s, hex)) == "axis" for hex in s.facts.places["suez"])
        or _lands_in_britain(s)
    )


def enter_limited(g: Table[State]) -> None:
    """The USSR is at war with Germany and Italy, on a limited basis.

    Rules: 19.72a
    """
    g.emit("entered_war", power="ussr", limited=True)
    declare(g, "ussr", "germany", limited=True)


def go_full(g: Table[State]) -> None:
    """The limited war of the USSR is a full one.

    Rules: 19.72b, 19.72c
    """
    s = g.state
    s.limited = frozenset(war for war in s.limited if "ussr" not in war)
    s.changed()
    g.emit("war_production", power="ussr")


def may_go_full(s: State) -> bool:
    """Whether the Allied player may put the USSR on full war status: more than twelve Strength
    Points were lost, and no Axis turn is under way.

    Rules: 19.72c
    """
    lost = s.counts.get(LOST, 0) > s.facts.numbers.ussr_losses
    return limited(s) and lost and not s.phase.startswith("axis_")


def follow(g: Table[State], news: News) -> Procedure[None]:
    """The partition of Poland, what brings the USSR into the war, and its militia.

    Rules: 19.71b, 19.72a, 19.72b, 19.75a, 19.76a, 19.76b, 19.78a, 19.79
    """
    s = g.state
    match news.kind:
        case "entered":
            _entered(g, news)
        case "attacked":
            if news.whom == "ussr" and side(s, news.who) == "axis":
                _invaded(g, news.who)
        case "violated":
            _violated(g, news)
        case "war":
            if "ussr" in (news.who, news.whom):
                _at_war(g, news.whom if news.who == "ussr" else news.who)
        case "lost":
            if news.who == "ussr" and news.how in GROUND:
                s.counts[LOST] = s.counts.get(LOST, 0) + news.number
        case "phase":
            if news.how == "start of axis_land_combat" and _lands_in_britain(s):
                s.marks |= {LIMITED}
            elif news.how == "start of allies_land_movement":
                yield from _place_militia(g)
            elif news.how == "end of allies_strategic_movement" and partitioning(s):
                _partition(g)


def _entered(g: Table[State], news: News) -> None:
    s = g.state
    hex = s.facts.hexes[news.where]
    axis = side(s, news.who) == "axis"
    invaded = axis and hex.country == "poland" and news.whom == "poland"
    if invaded and at_peace(s, "ussr") and POLAND not in s.counts:
        s.counts[POLAND] = s.turn
        s.wars |= {("poland", "ussr")}
        s.changed()
        g.emit("partition", power="ussr", country="poland")
    if axis and news.where in s.facts.places["suez"]:
        s.marks |= {LIMITED}
    if news.who == "germany" and hex.country == "united_kingdom":
        s.marks |= {LIMITED}
    if axis and news.whom == "ussr":
        _invaded(g, news.who)


def _invaded(g: Table[State], who: str) -> None:
    """Axis land units enter a hex that the USSR holds, or attack into it: a limited war is a full
    one from now on, and the first Winter after the European Axis came is still to come.

    Rules: 19.72b, 19.79
    """
    s = g.state
    if who != "japan":
        s.counts.setdefault(INVADED, s.turn)
    if limited(s):
        go_full(g)


def _violated(g: Table[State], news: News) -> None:
    """Rules: 19.72a, 19.75a, 19.76b, 19.78a"""
    s = g.state
    if news.who == "germany" and news.whom in WARDS:
        s.marks |= {LIMITED}
    if news.whom == "ussr" and news.who in EUROPEAN_AXIS:
        s.counts[MILITIA] = s.facts.numbers.militia
    if news.whom == "mongolia" and news.who == "japan" and not at_war(s, "japan", "ussr"):
        declare(g, "japan", "ussr")


def _at_war(g: Table[State], foe: str) -> None:
    """Germany and a belligerent Italy share their war with the USSR, and Mongolia those of the
    USSR.

    Rules: 19.75a, 19.76a
    """
    s = g.state
    if foe == "germany" and not at_peace(s, "italy") and not at_war(s, "italy", "ussr"):
        declare(g, "italy", "ussr", limited=limited(s))
    if foe == "italy" and "germany" not in s.fallen and not at_war(s, "germany", "ussr"):
        declare(g, "germany", "ussr")
    if foe in AXIS_POWERS and side(s, "mongolia") != "axis":
        s.join("mongolia", "allies")
        declare(g, "mongolia", foe)


def bring_mongolia(s: State) -> None:
    """Mongolia has the wars of the USSR with the Axis, and no others, in a position that was made.

    Rules: 19.76a
    """
    if side(s, "mongolia") == "axis":
        return
    shared = {pair("mongolia", foe) for foe in foes(s, "ussr").intersection(AXIS_POWERS)}
    if shared:
        s.join("mongolia", "allies")
    s.wars = frozenset(war for war in s.wars if "mongolia" not in war) | shared
    s.changed()


def _lands_in_britain(s: State) -> bool:
    """Whether German units are landing in Britain.

    Rules: 19.72a
    """
    return any(
        unit.nation == "germany"
        for hex in s.facts.country_hexes["united_kingdom"]
        for unit, _ in ground(s, hex)
    )


def _place_militia(g: Table[State]) -> Procedure[None]:
    """Militia appears in Soviet Industrial Hexes that have room, one Strength Point in each.

    Rules: 18.13, 19.78a, 19.78b
    """
    s = g.state
    if not s.counts.get(MILITIA):
        return
    options = [
        id
        for id in s.facts.country_hexes["ussr"]
        if s.facts.hexes[id].industry == "ussr"
        and holder(s, id) == "ussr"
        and not zones.controlled(s, "ussr", id)
        and stacking.room(s, id, "allies") > 0
    ]
    while s.counts.get(MILITIA) and options:
        hex = options[0]
        if s.counts[MILITIA] < len(options):
            answer = yield from g.ask(PlaceMilitia(commander(s, "ussr"), tuple(options)))
            hex = answer.option
        options.remove(hex)
        s.build(hex, Unit("ussr", "inf"))
        s.counts[MILITIA] -= 1
        g.emit("militia", power="ussr", space=hex, units={"inf": 1})
    s.counts.pop(MILITIA, None)


def _partition(g: Table[State]) -> None:
    """Eastern Poland is the USSR's where no land unit is left to the Poles, and the fighting ends.

    Rules: 19.71b
    """
    s = g.state
    for hex in s.facts.places["eastern_poland"]:
        if holder(s, hex) == "poland" and not any(True for _ in ground(s, hex)):
            s.hold(hex, "ussr")
    s.wars -= {("poland", "ussr")}
    s.changed()
