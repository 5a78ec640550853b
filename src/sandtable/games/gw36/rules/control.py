"""Control of Minor Powers that are not Aligned (4.5, Table 4-2), and their recruits (11.5)."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.gw36.model import News, State, Unit
from sandtable.games.gw36.rules.terms import commander
from sandtable.games.gw36.rules.zones import barred
from sandtable.kernel.decisions import Decision, RollLine
from sandtable.kernel.kits import ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def take_control(g: Table[State], minor: str, power: str) -> None:
    """A player nation decides from now on for a Minor Power that is not Aligned. KMT, CCP and Free
    France have sheets of their own and are never Controlled.

    Rules: 0.9.control-a, 4.5a, table-4-2i
    """
    s = g.state
    if s.control.get(minor) == power or s.facts.nations[minor].player:
        return
    s.control[minor] = power
    g.emit("controlled", power=power, country=minor)
    s.tell(News("controlled", power, minor))


def end_control(s: State, minor: str) -> None:
    """Nobody decides for the Minor Power any longer."""
    s.control.pop(minor, None)


def controlled_by(s: State, power: str) -> tuple[str, ...]:
    """The Minor Powers that a player nation Controls.

    Rules: 6.1f, table-4-2e
    """
    return tuple(sorted(minor for minor, by in s.control.items() if by == power))


# --- recruitment ----------------------------------------------------------------------------------


class Recruit(Decision, frozen=True, tag="recruit"):
    """What comes and where: one infantry or two militia."""

    type: str
    zone: str


class Recruits(ChooseOne, frozen=True, tag="recruits"):
    """A recruitment roll has succeeded: one Infantry or two Militia come to one of these zones."""

    nation: str
    zones: tuple[str, ...]

    answers: ClassVar[tuple[type[Decision], ...]] = (Recruit,)
    rule: ClassVar[str] = "11.5b"
    refusal: ClassVar[str] = (
        "{asked} is not offered: one infantry or two militia come to one of the zones named."
    )

    def allowed(self, state: State) -> tuple[tuple[str, str], ...]:
        return tuple((type_, zone) for type_ in ("infantry", "militia") for zone in self.zones)


def zones_of(s: State, nation: str) -> list[str]:
    """The land zones that a nation possesses."""
    return sorted([zone for zone, holder in s.possession.items() if holder == nation])


def recruitment(s: State, nation: str) -> tuple[int, tuple[str, ...]]:
    """The highest face with which a nation's recruitment roll succeeds, and where recruits may
    come: in the Home Country if it holds any of that.

    Rules: 11.5b, 11.5c, 13.1g, 13.1h, 13.1i, 13.2d, 14.4.3b
    """
    facts = s.facts
    zones = zones_of(s, nation)
    open_ = tuple(zone for zone in zones if not barred(s, zone))
    if nation == "vichy_france":
        return len(facts.politics.vichy.zones), open_
    if s.spain == "war" and nation in ("spain_nationalist", "spain_republican"):
        number = sum(zone in facts.politics.spain.continental for zone in zones)
        held = s.start_possession
        return number, tuple(zone for zone in open_ if held.get(zone, nation) == nation)
    home = tuple(zone for zone in open_ if zone in facts.nations[nation].home)
    return len(zones), home or open_


def recruit(g: Table[State], minor: str) -> Procedure[None]:
    """The recruitment roll of a Minor Power in its Place Units Phase, once per turn. Should it be
    Aligned before its recruits are named, they are its new master's.

    Rules: 0.9.control-a, 11.5a, 11.5b, 13.1g, 13.2d, 14.4.3b, table-4-2f
    """
    s = g.state
    power = commander(s, minor)
    number, zones = recruitment(s, minor)
    if not zones or not number or s.done.get(f"recruit:{minor}"):
        return
    s.done[f"recruit:{minor}"] = 1
    lines = (RollLine(power, minor, 1, number, 12),)
    faces = yield from g.roll("recruitment", lines)
    success = faces[0] <= number
    g.emit("recruitment", power=power, country=minor, lines=lines, dice=faces, success=success)
    if not success:
        return
    chosen: Recruit = yield from g.ask(Recruits(power, minor, zones))
    count = 1 if chosen.type == "infantry" else 2
    flag = s.aligned.get(minor, minor)
    if s.possession[chosen.zone] != flag:
        return
    s.build(chosen.zone, Unit(flag, chosen.type), count)
    g.emit("recruited", power=power, country=minor, space=chosen.zone, units={chosen.type: count})


def follow(g: Table[State], news: News) -> Procedure[None]:
    """Control is lost with the Minor Power's last zone and unit."""
    s = g.state
    if news.kind == "possession" and news.whom in s.control:
        minor = news.whom
        if not s.presence.get(minor) and minor not in s.possession.values():
            end_control(s, minor)
    return
    yield
