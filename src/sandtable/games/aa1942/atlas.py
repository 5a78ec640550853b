"""The board as a map shows it, made of the data file that the rules use."""

from __future__ import annotations

from typing import Any

from sandtable.games.aa1942.facts import DATA, load_facts
from sandtable.kernel.data import load
from sandtable.maps.board import Board, Link, Space, pair


def board() -> Board:
    """Territories, sea zones, all their borders and the two canals."""
    facts = load_facts()
    file = load(DATA / "map.yaml", dict[str, Any])
    # The facts leave out the borders of neutral territories, which no unit can cross.
    borders = {
        pair(id, other)
        for id, row in (file["territories"] | file["sea_zones"]).items()
        for other in (*row.get("land", ()), *row.get("sea", ()))
    }
    cities = {space: city for city, space in facts.cities.items()}
    spaces = {
        id: Space(
            id=id,
            name=id.removeprefix("sz") if space.sea else space.name,
            sea=space.sea,
            at=space.at,
            owner=space.owner,
            neutral=space.neutral,
            label=str(space.ipc) if space.ipc else "",
            marks=(cities[id],) if id in cities else (),
        )
        for id, space in facts.spaces.items()
    }
    return Board(
        game="aa1942",
        spaces=spaces,
        borders=frozenset(borders),
        links=tuple(
            Link(pair(*canal["zones"]), "canal", name.capitalize() + " Canal")
            for name, canal in file["canals"].items()
        ),
        colours=dict(facts.colours),
    )
