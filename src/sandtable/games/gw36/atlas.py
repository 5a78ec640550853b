"""The zones as a map shows them, made of the data that the rules use."""

from __future__ import annotations

from sandtable.games.gw36.facts import Facts, Zone, load_facts
from sandtable.maps.board import Board, Link, Pair, Space, pair

TERRAIN = {"normal": "", "marsh": "swamp", "tundra": "arctic"}
"""The vocabulary's words for terrain that the book calls otherwise."""


def board() -> Board:
    """Land and sea zones, all their borders, canals, straits and narrow crossings."""
    facts = load_facts()
    links = [
        Link(passage.between, "canal" if passage.canal else "strait", passage.name)
        for passage in facts.passages.values()
    ]
    links += [
        Link(crossing.between, "land", crossing.name) for crossing in facts.crossings.values()
    ]
    return Board(
        game="gw36",
        spaces={id: _space(zone) for id, zone in facts.zones.items()},
        borders=frozenset(
            pair(id, other) for id, others in facts.neighbours.items() for other in others
        ),
        links=tuple(links),
        sides=_sides(facts),
        colours={id: nation.colour for id, nation in facts.nations.items() if nation.colour},
    )


def _space(zone: Zone) -> Space:
    return Space(
        id=zone.id,
        name=str(zone.number) if zone.sea else zone.name,
        sea=zone.sea,
        at=zone.at,
        owner=zone.owner or None,
        terrain=TERRAIN.get(zone.terrain, zone.terrain),
        label=str(zone.ipp) if zone.ipp else "",
        marks=("city",) if zone.city else (),
    )


def _sides(facts: Facts) -> dict[Pair, str]:
    """Rivers, and borders that only aircraft cross."""
    sides = dict.fromkeys(facts.rivers, "river")
    for id in facts.land:
        for other in facts.neighbours[id]:
            if not facts.zones[other].sea and other not in facts.land_next[id]:
                sides[pair(id, other)] = "blocked"
    return sides
