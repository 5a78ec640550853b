"""The United States: peace, entry into the war, limited war (19.3)."""

from __future__ import annotations

from sandtable.games.gw75.facts import pair
from sandtable.games.gw75.model import News, State, Unit
from sandtable.games.gw75.rules.terms import FLEET, GROUND, at_war, foes, holder, side
from sandtable.games.gw75.rules.wars import at_peace, declare
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

LIMITED = "usa:may_enter"
"""Mark: the USA may enter the war on a limited basis."""
LOST = "lost:usa"
"""Count: American combat units destroyed."""
SURPRISE = "us_surprise"
"""Count: the Game-Turn in which the Axis first attacks the USA."""
WARDS = ("commonwealth", "low_countries", "france")
"""Whom Japan may not attack without the USA entering the war (19.33)."""
COMBAT = GROUND | FLEET | {"ad", "lrb"}


def pacific(hex: str) -> bool:
    """Whether a hex is in the Pacific portion of the map: the East section."""
    return hex.startswith("E")


def fully_at_war(s: State) -> bool:
    """Whether the USA has entered the war, not only on a limited basis.

    Rules: 19.33a, 19.37a
    """
    return any(
        at_war(s, "usa", power) and pair("usa", power) not in s.limited
        for power in ("germany", "japan")
    )


def frozen(s: State, unit: Unit, hex: str) -> str:
    """Why an American unit may not move.

    Rules: 19.32a, 19.32b, 19.37a
    """
    if at_peace(s, "usa"):
        if unit.type in FLEET and unit.duty != "new":
            return "American naval units do not move until the USA is at war (19.32a)."
        return ""
    return INACTIVE if inactive(s, "usa", hex) else ""


INACTIVE = "In a limited war with Germany American units in the Pacific are inactive (19.37a)."


def inactive(s: State, nation: str, hex: str) -> bool:
    """Whether units of a nation in a hex neither move nor attack, as they are Americans in the
    Pacific and the USA is at war, but not with Japan.

    Rules: 19.37a
    """
    if nation != "usa" or not pacific(hex) or at_war(s, "usa", "japan"):
        return False
    return not at_peace(s, "usa")


def keeps(s: State, hex: str, number: int) -> str:
    """Why so many land Strength Points may not leave a hex.

    Rules: 19.31
    """
    if hex not in s.facts.places["manila"] or not at_peace(s, "usa"):
        return ""
    there = sum(
        count
        for unit, count in s.stack(hex).items()
        if unit.nation == "usa" and unit.type in GROUND
    )
    if there - number >= s.facts.numbers.manila_garrison:
        return ""
    return f"In peace-time the USA keeps a Strength Point in {s.facts.name(hex)} (19.31)."


def mode(s: State) -> int:
    """The Production Mode line of the USA: that of war from the Game-Turn of its entry, or once ten
    of its units were destroyed in a limited war.

    Rules: 19.34, 19.37b, 19.37d
    """
    numbers = s.facts.numbers
    war = fully_at_war(s) or s.counts.get(LOST, 0) >= numbers.usa_losses
    return numbers.mode_usa if war else numbers.mode_peace


def surprised(s: State) -> bool:
    """Whether American naval units may not retreat before combat: in the Game-Turn in which the
    Axis first attacks the USA.

    Rules: 19.36
    """
    return s.counts.get(SURPRISE) == s.turn


def enter(g: Table[State], *, attacked: bool) -> None:
    """The USA is at war with Germany, Japan, and Italy if that is at war.

    Rules: 19.33a, 19.33b, 19.33c, 19.36
    """
    s = g.state
    if attacked and s.options["scenario"] == "standard":
        s.counts.setdefault(SURPRISE, s.turn)
    g.emit("entered_war", power="usa")
    for power in ("germany", "italy", "japan"):
        if power not in s.fallen and (power != "italy" or not at_peace(s, "italy")):
            declare(g, "usa", power)


def may_enter(s: State) -> bool:
    """Whether the USA has the right to a limited war with Germany and Italy: the Axis is or was in
    Gibraltar or Suez, or has violated Turkey.

    Rules: 19.37a
    """
    places = s.facts.places["gibraltar"] + s.facts.places["suez"]
    return (
        LIMITED in s.marks
        or any(side(s, holder(s, hex)) == "axis" for hex in places)
        or any(side(s, foe) == "axis" for foe in foes(s, "turkey"))
    )


def enter_limited(g: Table[State]) -> None:
    """The USA is at war with Germany and Italy, on a limited basis.

    Rules: 19.37a
    """
    s = g.state
    g.emit("entered_war", power="usa", limited=True)
    for power in ("germany", "italy"):
        if power not in s.fallen and not at_peace(s, power):
            declare(g, "usa", power, limited=True)


def follow(g: Table[State], news: News) -> Procedure[None]:
    """What brings the USA into the war, or gives it the right to a limited one.

    Rules: 19.33a, 19.33b, 19.33c, 19.37a, 19.37c, 19.37d
    """
    s = g.state
    yield from ()
    match news.kind:
        case "turn":
            if news.number >= s.facts.numbers.usa_enters and not fully_at_war(s):
                enter(g, attacked=False)
        case "violated":
            if news.whom == "usa" and not _all_in(s):
                enter(g, attacked=True)
            if news.whom == "turkey" and side(s, news.who) == "axis":
                s.marks |= {LIMITED}
        case "war":
            japan = "japan" in (news.who, news.whom)
            if japan and any(ward in (news.who, news.whom) for ward in WARDS) and not _all_in(s):
                enter(g, attacked=True)
        case "entered":
            places = s.facts.places
            if news.where in places["gibraltar"] + places["suez"] and side(s, news.who) == "axis":
                s.marks |= {LIMITED}
            if news.who == "japan" and s.facts.hexes[news.where].country == "ussr":
                _siberia(g)
        case "attacked":
            if news.who == "japan" and s.facts.hexes[news.where].country == "ussr":
                _siberia(g)
        case "lost":
            if news.who == "usa" and news.how in COMBAT and not at_peace(s, "usa"):
                _count_loss(g, news.number)


def _all_in(s: State) -> bool:
    """Whether the USA is fully at war with Germany and Japan, or cannot be."""
    return all(
        power in s.fallen or (at_war(s, "usa", power) and pair("usa", power) not in s.limited)
        for power in ("germany", "japan")
    )


def _siberia(g: Table[State]) -> None:
    """Japan has invaded the USSR: the USA is at war with it, on a limited basis.

    Rules: 19.37c
    """
    s = g.state
    if not at_war(s, "usa", "japan"):
        g.emit("entered_war", power="usa", limited=True)
        declare(g, "usa", "japan", limited=True)


def _count_loss(g: Table[State], number: int) -> None:
    """Rules: 19.37d"""
    s = g.state
    before = mode(s)
    s.counts[LOST] = s.counts.get(LOST, 0) + number
    if mode(s) != before:
        s.changed()
        g.emit("war_production", power="usa")
