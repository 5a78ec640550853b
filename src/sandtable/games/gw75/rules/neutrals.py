"""Neutral countries: who may enter them, what violates them, what follows (chapter 11)."""

from __future__ import annotations

from collections.abc import Collection

from sandtable.games.gw75.facts import AXIS_MINORS, pair
from sandtable.games.gw75.model import News, State
from sandtable.games.gw75.rules import indochina, italy, penalties, ussr, vichy
from sandtable.games.gw75.rules.politics import may_violate
from sandtable.games.gw75.rules.terms import GROUND, OTHER, at_war, friends, holder, side
from sandtable.games.gw75.rules.wars import declare
from sandtable.games.gw75.rules.zones import army
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def led(nations: Collection[str]) -> frozenset[str]:
    """The Axis minor allies among nations that move or attack together with Germany or Italy: these
    violate a neutral, and not they themselves.

    Rules: 19.94
    """
    if "germany" in nations or "italy" in nations:
        return frozenset(nations).intersection(AXIS_MINORS)
    return frozenset()


def barred(s: State, nation: str, hex: str, *, led: bool = False) -> str:
    """Why land units of a nation may not enter a hex; empty if they may, even if it violates, or
    others who lead them do.

    Rules: 11.0b, 11.0c, 19.22, 19.24a, 19.35, 19.71b, 19.76a, 19.92a
    """
    if nation == "finland" and s.facts.hexes[hex].country != "finland":
        return "Finnish units never leave Finland (19.92a)."
    return italy.bound(s, nation, hex) or closed(s, nation, hex, led=led)


def closed(s: State, nation: str, hex: str, *, led: bool = False) -> str:
    """Why land units of a nation may neither enter nor attack into a hex because of whose it is;
    empty if they may, even if it violates, or others who lead them do.

    Rules: 11.0b, 11.0c, 19.22, 19.35, 19.71b, 19.76a
    """
    whom = holder(s, hex)
    if not whom or whom == nation:
        return ""
    if s.facts.hexes[hex].country == "poland":
        reason = ussr.partition_bars(s, nation, hex)
        if reason:
            return reason
    victim = violates(s, nation, hex)
    if not victim:
        return ""
    if at_war(s, nation, victim):
        return penalties.lacking(s, nation)
    return "" if led else may_violate(s, nation, victim)


def violates(s: State, nation: str, hex: str) -> str:
    """The nation whose neutrality or peace land units of a nation violate if they enter or attack
    into a hex; empty if none. Also a country that the Allies have violated and left again; and, in
    a hex of an Enemy, whoever stands there with land units and is at peace.

    Rules: 11.0d, 11.3a, 11.3c, 20.2a
    """
    whom = holder(s, hex)
    if not whom or whom == nation:
        return ""
    if at_war(s, nation, whom):
        if side(s, nation) == "allies" and forsaken(s, whom):
            return whom
        return _bystander(s, nation, hex) if hex in s.at else ""
    if friends(s, nation, whom) or indochina.open_to(s, nation, hex) or vichy.grace(s, nation, hex):
        return ""
    return whom


def _bystander(s: State, nation: str, hex: str) -> str:
    """A nation with land units in a hex that is neither at war with another nor its friend; empty
    if there is none."""
    for unit in s.at[hex]:
        other = unit.nation
        if unit.type in GROUND and not at_war(s, nation, other) and not friends(s, nation, other):
            return other
    return ""


def shot_through(s: State, nation: str, one: str, other: str) -> str:
    """The nation whose neutrality Surf-A units violate that attack through the hexside between two
    hexes: a contra-naval one of it. Empty if none.

    Rules: 11.3d
    """
    if pair(one, other) not in s.facts.contra_naval:
        return ""
    return violates(s, nation, other) or violates(s, nation, one)


def forsaken(s: State, nation: str) -> bool:
    """Whether the Allies have violated a nation in an earlier Game-Turn and have no land unit in it
    now: it is pro-Axis, and to enter it is to violate it again.

    Rules: 11.0d
    """
    if not _unpaid(s, nation):
        return False
    key = f"occupied:{nation}"
    found = s.paths.get(key)
    if found is None:
        lands = s.facts.set_of(s.facts.lands[nation])
        found = s.paths[key] = any(
            side(s, each) == "allies" and army(s, each).at & lands for each in s.presence
        )
    return not found


def _unpaid(s: State, nation: str) -> bool:
    """Whether the Allies have violated a nation, and have not paid for it in this Game-Turn."""
    return s.joined.get(nation) == "axis" and s.violated.get(nation, s.turn) != s.turn


def follow(g: Table[State], news: News) -> Procedure[None]:
    """A violated neutral joins the other side, whole; the Allies pay for it. A country that they
    leave again becomes pro-Axis.

    Rules: 11.0a, 11.0b, 11.0c, 11.0d
    """
    s = g.state
    if news.kind == "phase":
        if s.violated and news.how == f"end of {s.phase}":
            _forsake(g)
        return
    who, whom = news.who, news.whom
    if (at_war(s, who, whom) and not _unpaid(s, whom)) or whom == "vichy":
        return  # those who come back to a forsaken country are in it already
    g.emit("violated", power=who, against=whom, space=news.where)
    neutral = side(s, whom) == "neutral" or whom in s.joined or whom == "italy"
    if side(s, whom) == "neutral":
        s.join(whom, OTHER[side(s, who)])
    if side(s, who) == side(s, whom):
        italy.enter(g)
        return
    if neutral:
        s.violated[whom] = s.turn
    declare(g, who, whom)
    if whom == "italy":
        italy.enter(g)
    if neutral and side(s, who) == "allies":
        yield from penalties.pay(g, who, whom)


def _forsake(g: Table[State]) -> None:
    """Countries in which the Allies have no land unit left are pro-Axis: their hexes are their own
    again.

    Rules: 11.0d
    """
    s = g.state
    if "forsaken" in s.paths:  # nothing has changed since
        return
    s.paths["forsaken"] = True
    for nation in sorted(s.violated):
        if not forsaken(s, nation):
            continue
        lost = [
            hex
            for hex in s.facts.lands[nation]
            if hex in s.held and side(s, s.held[hex]) == "allies"  # itself it is pro-Axis
        ]
        for hex in lost:
            s.hold(hex, nation)
        if lost:
            g.emit("forsaken", country=nation)
