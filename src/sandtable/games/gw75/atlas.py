"""The hexes as a map shows them, made of the data that the rules use."""

from __future__ import annotations

from sandtable.games.gw75.facts import Facts, Hex, load_facts
from sandtable.maps.board import Board, Globe, Link, Pair, Space, pair
from sandtable.maps.hexes import hex_board

GLOBE = Globe(west=-99.0, north=84.0, per_column=360 / 66, per_row=3.6)
"""The fit that puts every hex which the rules name on its place."""
VIEWS: dict[str, Pair] = {
    "europe": ("W3616", "W2429"),
    "mediterranean": ("W2916", "W2227"),
    "atlantic": ("W3402", "W1420"),
    "asia": ("E3201", "E1411"),
    "pacific": ("E3007", "E1028"),
}


def board() -> Board:
    """All hexes, with their coasts, countries and hexsides."""
    facts = load_facts()
    return hex_board(
        "gw75",
        facts.grid,
        {id: _space(facts, hex) for id, hex in facts.hexes.items()},
        sides=_sides(facts),
        links=_links(facts),
        colours={id: nation.colour for id, nation in facts.nations.items()},
        globe=GLOBE,
        regions={id: country.name for id, country in facts.countries.items()},
        views=VIEWS,
    )


def _space(facts: Facts, hex: Hex) -> Space:
    marks = [
        symbol
        for symbol, there in (
            ("factory", hex.industry),
            ("supply_center", hex.center),
            ("port_big", hex.port),
            ("holding_area", hex.id in facts.holding_areas),
        )
        if there
    ]
    name = facts.holding_areas.get(hex.id, hex.id) if hex.kind == "sea" else hex.name or hex.id
    return Space(
        hex.id,
        name,
        sea=not hex.dry,
        hex=hex.at,
        owner=hex.nation or None,
        terrain=hex.area,
        weather="snowflake" if hex.weather else "",
        label=hex.id,
        marks=tuple(marks),
        coast=hex.dry and hex.wet,
        region=hex.country,
    )


def _sides(facts: Facts) -> dict[Pair, str]:
    """Mountains, and hexsides that are closed to some."""
    sides = dict.fromkeys(facts.mountains, "mountain")
    for both in facts.contra_land | facts.contra_naval:
        if both in facts.contra_land and both in facts.contra_naval:
            sides[both] = "contra_duplex"
        else:
            # A mountain hexside that ships cannot pass is drawn as a mountain.
            kind = "contra_land" if both in facts.contra_land else "contra_naval"
            sides.setdefault(both, kind)
    return sides


def _links(facts: Facts) -> tuple[Link, ...]:
    """A canal that is a hexside from hex to hex, one that is a hex from end to end."""
    links = []
    for canal in facts.canals.values():
        links += [Link(side, "canal", canal.name) for side in sorted(canal.sides)]
        links += [
            Link(pair(canal.control, min(end)), "canal", canal.name) for end in canal.ends if end
        ]
    return tuple(links)
