"""Surrender of player nations and its reversal, capitals, defeat of Minor Powers (9.22 to 9.24)."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.gw36.model import News, State
from sandtable.games.gw36.rules.capture import (
    CONQUEST,
    capital,
    earner,
    possess,
    remove_units,
)
from sandtable.games.gw36.rules.control import controlled_by, take_control, zones_of
from sandtable.games.gw36.rules.terms import alliance, enemies, foes, power_of
from sandtable.kernel.kits import ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class PassMinors(ChooseOne, frozen=True, tag="pass_minors"):
    """To which member of its Alliance a surrendering nation's Minor Powers go."""

    options: tuple[str, ...]

    rule: ClassVar[str] = "9.22c"


class RelocateCapital(ChooseOne, frozen=True, tag="relocate_capital"):
    """Where the seat of government goes after the capital has fallen."""

    options: tuple[str, ...]

    rule: ClassVar[str] = "9.23b"


def follow(g: Table[State], news: News) -> Procedure[None]:
    """Surrenders, reversals, moves of capitals and defeats that news bring about.

    Rules: 9.22a, 9.22b, 9.23b, 9.24a
    """
    s = g.state
    if news.kind == "possession":
        for nation in sorted(s.surrendered & s.facts.politics.surrender.keys()):
            if not beaten(s, nation):
                reverse(g, nation)
        for nation, end in s.facts.politics.surrender.items():
            if not end.turn_end and nation not in s.surrendered and beaten(s, nation):
                yield from surrender(g, nation, news.who)
        yield from _capital_falls(g, news)
        _defeat(g, news)
    elif news.kind == "phase" and news.how == "end of place_units":
        group = next(group for group in s.facts.order if news.who in group)
        for nation in group:
            end_ = s.facts.politics.surrender.get(nation)
            if end_ and end_.turn_end and nation not in s.surrendered and beaten(s, nation):
                yield from surrender(g, nation, s.possession[end_.zones[0]])


def beaten(s: State, nation: str) -> bool:
    """Whether the conditions hold under which a nation surrenders: its zones are in Enemy hands, or
    (France) surrounded. Of one that has surrendered they hold on until its own Alliance has them,
    and they are surrounded no longer.

    Rules: 9.22a, 9.22b, nrs-usa-g
    """
    end = s.facts.politics.surrender[nation]
    if end.landless:
        return nation not in s.possession.values()

    def lost(zone: str) -> bool:
        if nation in s.surrendered:
            return alliance(s, s.possession[zone]) != alliance(s, nation)
        return enemies(s, nation, s.possession[zone])

    if all(lost(zone) for zone in end.zones):
        return True
    around = {near for zone in end.zones for near in s.facts.land_next[zone]}
    return end.around and all(enemies(s, nation, s.possession[near]) for near in around)


def surrender(g: Table[State], nation: str, conqueror: str) -> Procedure[None]:
    """A nation is out of the war: its Minor Powers pass to a member of its Alliance, its units are
    removed, ships in production go to the conqueror. Its zones stay its own until somebody moves a
    land unit in. What becomes of the French is told in 14.4.

    Rules: 7.3i, 9.22a, 9.22c, 9.22d
    """
    s = g.state
    s.surrendered |= {nation}
    if nation == "great_britain":
        s.surrendered |= {"fec"}
    g.emit("surrendered", power=nation, conqueror=conqueror)
    if nation != "france":
        for part in [nation, "fec"] if nation == "great_britain" else [nation]:
            yield from _pass_minors(g, part)
            remove_units(g, part)
            _take_production(s, part, earner(s, conqueror))
            s.income[part] = 0
    s.tell(News("surrendered", conqueror, nation))


def _pass_minors(g: Table[State], nation: str) -> Procedure[None]:
    """Controlled Minor Powers, and zones of those that had Aligned, go to another member of the
    Alliance, which the surrendering player chooses.

    Rules: 9.22c
    """
    s = g.state
    minors = controlled_by(s, nation)
    joined = {minor for minor, major in s.aligned.items() if major == nation}
    zones = [zone for zone in zones_of(s, nation) if s.facts.zones[zone].owner in joined]
    side = alliance(s, nation)
    options = tuple(
        power
        for power in s.facts.powers
        if alliance(s, power) == side
        and power not in s.surrendered
        and s.facts.nations[power].kind in ("major", "part")
    )
    if not options or not (minors or zones):
        return
    chosen = yield from g.ask(PassMinors(nation, options))
    for minor in minors:
        take_control(g, minor, chosen.option)
    for minor in sorted(joined):
        s.aligned[minor] = chosen.option
    for zone in zones:
        possess(g, zone, chosen.option, "returned")


def _take_production(s: State, nation: str, conqueror: str) -> None:
    """Ships on the Production Chart go on for the conqueror; nothing else is completed.

    Rules: 7.3i
    """
    track = []
    for job in s.track:
        if job.nation == nation:
            unit = s.facts.units.get(job.what)
            if not conqueror or unit is None or not unit.naval:
                continue
            job = job._replace(nation=conqueror)
        track.append(job)
    s.track = tuple(sorted(track))


def reverse(g: Table[State], nation: str) -> None:
    """A nation whose conditions of surrender no longer hold is back in its Alliance.

    Rules: 9.22b, 9.22e, 14.4.1c
    """
    s = g.state
    s.surrendered -= {nation}
    parts = [nation]
    if nation == "great_britain" and "fec" in s.surrendered:
        s.surrendered -= {"fec"}
        parts.append("fec")
    for part in parts:
        s.income[part] = sum(s.facts.zones[zone].ipp for zone in zones_of(s, part))
    g.emit("surrender_reversed", power=nation)
    s.tell(News("liberated", whom=nation))


# --- capitals -------------------------------------------------------------------------------------


def _capital_falls(g: Table[State], news: News) -> Procedure[None]:
    """The USA, USSR, Britain and France may move a capital that was conquered.

    Rules: 9.23b
    """
    s = g.state
    nation = news.whom
    if news.how not in CONQUEST or news.where != capital(s, nation):
        return
    options = seats(s, nation)
    if nation in s.surrendered or not options:
        return
    chosen = yield from g.ask(RelocateCapital(nation, options))
    move_capital(g, nation, chosen.option)


def seats(s: State, nation: str) -> tuple[str, ...]:
    """Where a nation that may move its capital can move it now: the places of its sheet, or zones
    of its Home Country with an IPP value, as long as it (or its Major Power) possesses them."""
    facts = s.facts
    places = facts.politics.capitals.get(nation)
    if places is None:
        return ()
    if not places:
        places = tuple(sorted(z for z in facts.nations[nation].home if facts.zones[z].ipp))
    power = power_of(s, nation)
    return tuple(zone for zone in places if power_of(s, s.possession[zone]) == power)


def move_capital(g: Table[State], nation: str, zone: str) -> None:
    """Move a capital, or move it back.

    Rules: 9.23b
    """
    s = g.state
    if zone == s.facts.nations[nation].capital:
        s.capital.pop(nation, None)
    else:
        s.capital[nation] = zone
    g.emit("capital_moved", power=nation, space=zone)


def may_move_back(s: State, nation: str) -> bool:
    """Whether a nation with a relocated capital possesses the original one again.

    Rules: 9.23b
    """
    return nation in s.capital and s.possession[s.facts.nations[nation].capital] == nation


# --- Minor Powers ---------------------------------------------------------------------------------


def _defeat(g: Table[State], news: News) -> None:
    """A Minor Power is defeated when no unit is left in its Home Country. Whoever Controls it keeps
    its colonies, the forces there and its ships.

    Rules: 4.12a, 9.24a, 9.24b, 9.24c
    """
    s = g.state
    minor = news.whom
    record = s.facts.nations.get(minor)
    if (
        news.how not in CONQUEST
        or record is None
        or record.player
        or minor in s.aligned
        or minor in s.defeated
        or news.where not in record.home
        or not foes(s, minor)
    ):
        return
    if any(unit.nation == minor for zone in record.home for unit in s.stack(zone)):
        return
    s.defeated |= {minor}
    g.emit("defeated", country=minor, power=news.who)
    s.tell(News("defeated", news.who, minor))
