"""Production Points that go from one power to another, and from one country to another (18.76,
18.77, 18.8)."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw75.facts import MAJORS
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import industry
from sandtable.games.gw75.rules.common import refuse
from sandtable.games.gw75.rules.pipelines import Line
from sandtable.games.gw75.rules.terms import at_war, cited, commander, side
from sandtable.kernel.decisions import Decision
from sandtable.kernel.table import Table

LENDING = "lending"
"""The step in which points go to powers of other players, before the secret orders: who gets them
would otherwise see a part of those."""


class Send(Decision, frozen=True, tag="send"):
    """Production Points of a power go to another (Lend-Lease), or from one of its countries to
    another; countries are empty for powers that are one Economic Unit."""

    nation: str
    to: str
    points: int
    country: str = ""
    to_country: str = ""


def check(s: State, player: str, decision: Send) -> None:
    """Points go to another pot, of the same power or an ally, as far as pipelines carry them.

    Rules: 18.76a, 18.76b, 18.77, 18.81, 18.82, 18.83a, 18.83b
    """
    name = s.facts.name
    nation, to = decision.nation, decision.to
    if nation not in MAJORS or commander(s, nation) != player:
        raise refuse(f"{name(player)} has no Production Points of {name(nation)}.", "18.0a")
    why = barred(s, nation, to)
    if why:
        raise refuse(why, cited(why))
    have = s.points.get((nation, decision.country), 0)
    if not 0 < decision.points <= have:
        raise refuse(
            f"{name(nation)} has {have} Production Points there, not {decision.points}.", "18.81"
        )
    if (to, decision.to_country) not in s.points:
        raise refuse(f"{name(to)} cannot use Production Points there.", "18.76a")
    if (nation, decision.country) == (to, decision.to_country):
        raise refuse("The points are there already.", "18.76a")
    if across(s, decision) != (s.step == LENDING):
        raise refuse(
            "Points go to powers of other players before anybody gives orders, and to one's own "
            "with the orders.",
            "18.81",
        )
    most = line(s, decision).capacity
    if decision.points > most:
        raise refuse(
            f"The pipeline carries {most} Production Points, not {decision.points}.",
            "18.81" if nation != to else "18.76a",
        )


def across(s: State, decision: Send) -> bool:
    """Whether points go to a power that another player decides for."""
    return commander(s, decision.nation) != commander(s, decision.to)


def barred(s: State, nation: str, to: str) -> str:
    """Why a power may not lend to another; empty if it may. The Axis powers always may, and so the
    Commonwealth, France and the USA; the USSR only once at war with an Axis power.

    Rules: 18.82, 18.83a, 18.83b
    """
    name = s.facts.name
    if to in s.facts.nations and side(s, nation) != side(s, to):
        return f"{name(to)} is no ally of {name(nation)} (18.81)."
    if to not in MAJORS:
        return f"{name(to)} has no Production Points: it is no Major Power (18.81)."
    for each in (nation, to):
        if each in s.fallen:
            return f"{name(each)} has fallen (18.81)."
    fighting = any(at_war(s, "ussr", power) for power in ("germany", "italy", "japan"))
    if nation != to and "ussr" in (nation, to) and not fighting:
        return "The USSR takes no part in Lend-Lease before it is at war (18.83b)."
    return ""


def purpose(decision: Send) -> str:
    """What a pipeline is used for."""
    return "transfer" if decision.nation == decision.to else "lend"


def line(s: State, decision: Send) -> Line:
    """The pipeline on which points go, with what it can still carry for this purpose.

    Rules: 18.64b, 18.76a, 18.81
    """
    prefix = f"{purpose(decision)}:"
    used = {key.removeprefix(prefix): n for key, n in s.done.items() if key.startswith(prefix)}
    return industry.link(
        s,
        tuple(sorted({decision.nation, decision.to})),
        industry.home(s, decision.nation, decision.country),
        industry.home(s, decision.to, decision.to_country),
        used,
    )


def send(g: Table[State], decision: Send) -> None:
    """Carry it out.

    Rules: 18.76a, 18.77, 18.81
    """
    s = g.state
    for area in line(s, decision).areas:
        key = f"{purpose(decision)}:{area}"
        s.done[key] = s.done.get(key, 0) + decision.points
    s.points[decision.nation, decision.country] -= decision.points
    s.points[decision.to, decision.to_country] += decision.points
    g.emit(
        "points_sent",
        to=None if s.step == LENDING else (commander(s, decision.nation),),
        power=decision.nation,
        recipient=decision.to,
        points=decision.points,
    )


def options(s: State, player: str) -> Iterator[Send]:
    """From every pot to every other: one point, and as many as can go."""
    for (nation, country), have in sorted(s.points.items()):
        if not have or commander(s, nation) != player:
            continue
        for to, to_country in sorted(s.points):
            if (commander(s, to) != player) != (s.step == LENDING):
                continue
            if (nation, country) == (to, to_country) or barred(s, nation, to):
                continue
            first = Send(nation, to, 1, country, to_country)
            most = min(have, line(s, first).capacity)
            if most:
                yield first
            if most > 1:
                yield Send(nation, to, most, country, to_country)
