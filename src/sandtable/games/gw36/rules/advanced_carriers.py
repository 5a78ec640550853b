"""Advanced carrier aircraft rules, as far as they are about movement (15.3)."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.air import deck_room, flying
from sandtable.games.gw36.rules.movement import Group, Move, free
from sandtable.games.gw36.rules.terms import on
from sandtable.games.gw36.rules.zones import side
from sandtable.kernel.errors import IllegalDecision


def wing(s: State, nation: str) -> int:
    """How many aircraft of a nation are aboard carriers."""
    kinds = s.facts.units
    return sum(
        count * sum(piece.nation == nation and kinds[piece.type].on_deck for piece in unit.cargo)
        for ally in side(s, nation).friends
        for _, unit, count in s.units_of(ally)
        if kinds[unit.type].decks
    )


def note_wings(s: State, nations: tuple[str, ...]) -> None:
    """Remember how many aircraft began the turn aboard.

    Rules: 15.3b
    """
    if on(s, "advanced_carriers"):
        for nation in nations:
            s.done.setdefault(f"decked:{nation}", wing(s, nation))


def check_ashore(s: State, nation: str, groups: list[Group]) -> None:
    """Aircraft that began the turn on carriers end it on carriers, as far as there is room: they go
    ashore only if others take their place, in this phase or from the Place Units Box.

    Rules: 15.3b, 15.3c
    """
    if not on(s, "advanced_carriers"):
        return
    kinds = s.facts.units
    began = s.done.get(f"decked:{nation}", 0)
    aboard = wing(s, nation)
    aloft = sum(n for _, unit, n in flying(s, nation) if kinds[unit.type].on_deck)
    new = sum(job.nation == nation and not job.left and _carried(s, job.what) for job in s.track)
    decks = sum(
        count * deck_room(s, unit)
        for ally in side(s, nation).friends
        for _, unit, count in s.units_of(ally)
        if kinds[unit.type].decks
    )
    leaving = sum(group.count for group in groups if group.aboard)
    landing = sum(
        group.count
        for group in groups
        if not group.aboard and kinds[group.unit.type].on_deck and group.unit.duty
    )
    if not leaving and not landing:
        return
    others = min(aloft - landing + new, decks + leaving)
    if aboard - leaving + others < min(began, aboard + min(aloft + new, decks)):
        raise IllegalDecision(
            "Aircraft that began the turn on a carrier return to one, unless others take their "
            "place.",
            "15.3b",
        )


def _carried(s: State, what: str) -> bool:
    kind = s.facts.units.get(what)
    return kind is not None and kind.on_deck


def headings(s: State, nation: str) -> Iterator[Move]:
    """Moves that carriers without aircraft have to make: a step towards the nearest factory of
    their nation.

    Rules: 15.3d
    """
    if not on(s, "advanced_carriers"):
        return
    kinds = s.facts.units
    waiting = [
        (zone, unit)
        for zone, unit, _ in s.units_of(nation)
        if kinds[unit.type].decks and not unit.cargo and free(unit)
    ]
    if not waiting:
        return
    home = _to_factories(s, nation)
    name = "" if nation == s.mover else nation
    for zone, unit in waiting:
        for near in s.facts.sea_next[zone]:
            if home.get(near, 99) < home.get(zone, 99):
                yield Move({unit.type: 1}, (zone, near), nation=name, cargo={})


def _to_factories(s: State, nation: str) -> dict[str, int]:
    """Sea zone to the number of zones to the nearest that lies at a factory of the nation."""
    kinds = s.facts.facilities
    edge = sorted(
        {
            sea
            for land, built in s.facilities.items()
            if s.possession[land] == nation and any(kinds[f.type].group == "factory" for f in built)
            for sea in s.facts.coast.get(land, ())
        }
    )
    found = dict.fromkeys(edge, 0)
    while edge:
        after = []
        for zone in edge:
            for near in s.facts.sea_next[zone]:
                if near not in found:
                    found[near] = found[zone] + 1
                    after.append(near)
        edge = after
    return found
