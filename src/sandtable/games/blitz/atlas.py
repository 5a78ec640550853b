"""The map areas as a map shows them, made of the data that the rules use."""

from __future__ import annotations

from sandtable.games.blitz.facts import Facts, load_facts
from sandtable.maps.board import Board, Link, LinkKind, Space, pair


def board() -> Board:
    """Land and sea areas, their borders, routes and passages."""
    facts = load_facts()
    spaces = {
        id: Space(
            id=id,
            name=land.name,
            sea=False,
            at=land.at,
            owner=land.owner or facts.countries[land.country].owner or None,
            terrain=land.terrain if land.terrain != "clear" else "",
            weather="snow" if facts.countries[land.country].snow else land.snow,
            marks=_marks(facts, id),
        )
        for id, land in facts.lands.items()
    }
    spaces |= {
        id: Space(id=id, name=sea.name, sea=True, at=sea.at, weather="snow" if sea.snow else "")
        for id, sea in facts.seas.items()
    }
    borders = {pair(a, b) for a, others in facts.land_next.items() for b in others}
    borders |= {pair(a, b) for a, sea in facts.seas.items() for b in sea.adjacent}
    borders |= {pair(a, b) for a, others in facts.coast.items() for b in others}
    links = [
        Link(pair(a, b), kind)
        for kind, routes in _routes(facts)
        for a, others in routes.items()
        for b in others
        if a < b
    ]
    links += [
        Link(seas, "canal" if _canal(facts, seas) else "strait")
        for seas in facts.passages
        if seas == pair(*seas)
    ]
    return Board(
        game="blitz",
        spaces=spaces,
        borders=frozenset(borders),
        links=tuple(sorted(links, key=lambda link: (link.kind, link.pair))),
        colours={id: power.colour for id, power in facts.powers.items() if not power.members},
    )


def _routes(facts: Facts) -> tuple[tuple[LinkKind, dict[str, tuple[str, ...]]], ...]:
    return ("land", facts.land_routes), ("air", facts.air_routes)


def _canal(facts: Facts, seas: tuple[str, str]) -> bool:
    """Whether the two seas touch nowhere: only a canal, or a strait like one, joins them."""
    return seas[1] not in facts.seas[seas[0]].adjacent


def _marks(facts: Facts, id: str) -> tuple[str, ...]:
    land = facts.lands[id]
    marks = ["factory"] * land.factory + ["oil"] * land.oil + ["resource"] * land.resource
    return (*marks, *(f"{port.size} port" for port in land.ports))
