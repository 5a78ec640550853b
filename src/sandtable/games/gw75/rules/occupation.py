"""What happens to whatever is based in a hex that Enemy land units enter, and to its industry."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.gw75.facts import pair
from sandtable.games.gw75.model import Job, News, State, Unit
from sandtable.games.gw75.rules import waters
from sandtable.games.gw75.rules.terms import SHIPS, at_war, commander, enemy_ground, holder
from sandtable.kernel.kits import ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

BASED = frozenset({"asw", "ad", "lrb"})
"""What is destroyed when Enemy land units enter its base."""


class PutToSea(ChooseOne, frozen=True, tag="put_to_sea"):
    """The hex to which the ships of a nation put out from a port that the Enemy has entered."""

    nation: str
    space: str
    options: tuple[str, ...]

    rule: ClassVar[str] = "8.64"
    refusal: ClassVar[str] = "{nation} cannot put out to {asked} from {space}."


def follow(g: Table[State], news: News) -> Procedure[None]:
    """Enemy air and ASW units in a hex that land units have entered are destroyed, as are atomic
    bombs and what is being restored there; ships put out to sea, and industry changes hands.

    Rules: 8.64, 8.65, 18.32b, 18.33, 18.41a, 18.42
    """
    s, hex = g.state, news.where
    if (hex in s.at or hex in s.bombs) and not enemy_ground(s, news.who, hex):
        _destroy_based(g, news.who, news.whom, hex)
        yield from _put_to_sea(g, news.who, hex)
    for job in s.track:
        if job.hex == hex and at_war(s, news.who, job.nation):
            s.track = tuple(each for each in s.track if each != job)
            lose_job(g, job)
    note_industry(s, hex, news.whom)


def lose_job(g: Table[State], job: Job) -> None:
    """Units that are not on the map yet are lost, and can be rebuilt as others that were destroyed.

    Rules: 18.14, 18.21, 18.32b
    """
    s = g.state
    key = (job.nation, job.type)
    if s.facts.types[job.type].rebuilt is not None and job.nation not in s.fallen:
        s.dead[key] = s.dead.get(key, 0) + job.number
    g.emit("not_placed", power=job.nation, units={job.type: job.number})


def _destroy_based(g: Table[State], nation: str, before: str, hex: str) -> None:
    """Enemy air and ASW units in a hex that a nation has entered are destroyed, and atomic bombs
    that wait there if it was held by an Enemy (`before`).

    Rules: 8.65, 17.52, 17.63a
    """
    s = g.state
    losses: dict[str, dict[str, int]] = {}
    for unit, count in list(s.stack(hex).items()):
        if unit.type in BASED and at_war(s, nation, unit.nation):
            s.destroy(hex, unit, count)
            of = losses.setdefault(unit.nation, {})
            of[unit.type] = of.get(unit.type, 0) + count
    if hex in s.bombs and at_war(s, nation, before):
        losses.setdefault(before, {})["abomb"] = s.bombs.pop(hex)
    if losses:
        g.emit("base_overrun", power=nation, space=hex, losses=losses)


def _put_to_sea(g: Table[State], nation: str, hex: str) -> Procedure[None]:
    """Ships of a nation that can go to the same hexes go together.

    Rules: 8.64
    """
    s = g.state
    while True:
        ships = [
            (unit, count)
            for unit, count in s.stack(hex).items()
            if unit.type in SHIPS and at_war(s, nation, unit.nation)
        ]
        if not ships:
            return
        owner = ships[0][0].nation
        options = ways_out(s, owner, hex, ships[0][0].type)
        own = [
            (unit, count)
            for unit, count in ships
            if unit.nation == owner and ways_out(s, owner, hex, unit.type) == options
        ]
        number = _numbers(own)
        if not options:
            for unit, count in own:
                s.destroy(hex, unit, count)
            g.emit("ships_trapped", power=nation, space=hex, losses={owner: number})
            continue
        to = options[0]
        if len(options) > 1:
            answer = yield from g.ask(PutToSea(commander(s, owner), owner, hex, options))
            to = answer.option
        for unit, count in own:
            s.take(hex, unit, count)
            s.put(to, unit, count)
        g.emit("put_to_sea", power=owner, path=(hex, to), units=number)


def _numbers(units: list[tuple[Unit, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for unit, count in units:
        found[unit.type] = found.get(unit.type, 0) + count
    return found


def ways_out(s: State, nation: str, hex: str, type: str) -> tuple[str, ...]:
    """The hexes to which ships of a nation and type can put out from a hex: next to it, open to
    them as for any of their moves, with no Enemy land unit; not through a canal.

    Rules: 8.64, 12.12a, 14.11
    """
    canals = frozenset().union(*(canal.sides for canal in s.facts.canals.values()))
    return tuple(
        to
        for to in s.facts.sea[hex]
        if pair(hex, to) not in canals
        and not enemy_ground(s, nation, to)
        and not waters.closed(s, nation, type, to, hex)[0]
    )


def note_industry(s: State, hex: str, before: str) -> None:
    """Note when an Industrial Hex that was held by `before` falls into other hands, and when its
    own power has it back.

    Rules: 18.41a, 18.42
    """
    found = s.facts.hexes[hex]
    if not found.industry:
        return
    own = holder(s, hex) in (found.industry, found.nation) and found.industry not in s.fallen
    if own and hex in s.captured:
        del s.captured[hex]
        s.recaptured |= {hex}
        s.counts[f"recaptured:{hex}"] = s.turn
        s.changed()
    elif not own and (hex not in s.captured or holder(s, hex) != before):
        s.captured[hex] = s.turn
        s.recaptured -= {hex}
        s.changed()
