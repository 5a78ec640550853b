"""The sheet of each power: its industry and what it depends on, its politics; of one's own nations
also what can be rebuilt and what is ready."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sandtable.games.gw75 import words
from sandtable.games.gw75.facts import MAJORS
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import industry
from sandtable.games.gw75.rules.terms import foes
from sandtable.kernel.display import Sheet, SheetRow


def sheets(s: State, own: Collection[str]) -> tuple[Sheet, ...]:
    """A sheet for each Major Power that is in the game.

    Rules: 4.2i, 18.22a
    """
    return tuple(
        Sheet(nation, tuple(_rows(s, nation, nation in own)))
        for nation in MAJORS
        if nation not in s.fallen
    )


def _rows(s: State, nation: str, mine: bool) -> Iterator[SheetRow]:
    facts = s.facts
    sources = industry.sources(s, nation)
    for source in sources:
        name = facts.name(source.hex)
        if source.why:
            yield SheetRow("Industry", name, f"{source.points}, {source.why}", "dim")
        else:
            yield SheetRow("Industry", name, str(source.points))
    for country, points in industry.totals(s, nation, sources).items():
        label = facts.name(country) if country else "Production Points"
        yield SheetRow("Points", label, str(points))
    for need in industry.needs(s, nation):
        if need.met:
            yield SheetRow("Depends on", need.what, "there", "good")
        else:
            yield SheetRow("Depends on", need.what, "not there", "dim")
    if nation in s.capacity:
        yield SheetRow("Maintenance", "Capacity", str(s.capacity[nation]))
    enemies = sorted(foes(s, nation))
    at_war = words.nations(facts, enemies) if enemies else "nobody"
    yield SheetRow("Politics", "At war with", at_war)
    if mine:
        for (who, type), number in sorted(s.dead.items()):
            if who == nation and number:
                yield SheetRow("Can be rebuilt", facts.name(type), str(number))
        if s.stock.get(nation):
            yield SheetRow("Ready", "Ports", str(s.stock[nation]))
        for (who, country), points in sorted(s.points.items()):
            if who == nation:
                label = facts.name(country) if country else "Production Points"
                yield SheetRow("Left to spend", label, str(points))
