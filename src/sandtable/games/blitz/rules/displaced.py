"""Air and naval units that have to leave their land area (6.6), and who is sent home (3.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.counters import destroy
from sandtable.games.blitz.rules.movement import air_range, air_reach, port_seas, sea_reach
from sandtable.games.blitz.rules.sides import friendly, home_of, introduced, powers_of, side_of
from sandtable.games.blitz.rules.stacking import needs_consent, no_room, refused
from sandtable.games.blitz.rules.supply import network
from sandtable.kernel.decisions import Decision
from sandtable.kernel.kits import ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Place(Decision, frozen=True, tag="place"):
    """Where a unit goes; a naval unit into a port."""

    to: str
    port: str = ""


class PlaceUnit(ChooseOne, frozen=True, tag="place_unit"):
    """Where a unit that has to leave its area is placed.

    Rules: 3.4.france-e, 6.6.overrun-a
    """

    unit: str
    places: tuple[tuple[str, str], ...]
    """Land areas with a port, or with none."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Place,)
    among: ClassVar[str] = "places"
    rule: ClassVar[str] = "6.6.overrun-a"
    refusal: ClassVar[str] = "{unit} cannot go to {asked}."


def displace(g: Table[State], id: str, chooser: str) -> Procedure[None]:
    """Move an air or naval unit out of its land area to the closest one with room and supply.

    `chooser` decides between equally close ones. If none is within three times its movement the
    unit is destroyed.

    Rules: 6.6.overrun-a, 6.6.overrun-b, 1.3.stack-f
    """
    s = g.state
    cost: dict[tuple[str, str], int] = {}
    supplied = network(s, s.units[id].power, home_of(s, id)) if introduced(s, "D") else None
    for area, distance, seas in _ways(s, id):
        if area == s.units[id].at or not friendly(s, area, s.units[id].power):
            continue
        if supplied is not None and area not in supplied:
            continue
        for port in berths(s, id, area):
            if not seas or seas in s.facts.ports[area][port].seas:
                cost[area, port] = min(distance, cost.get((area, port), distance))
    if chooser not in s.scenario.powers:
        chooser = powers_of(s, side_of(s, chooser))[0]
    least = min(cost.values(), default=0)
    places = sorted(place for place, distance in cost.items() if distance == least)
    yield from put_out(g, id, chooser, places)


def _ways(s: State, id: str) -> Iterator[tuple[str, int, str]]:
    """Land areas within three times a unit's movement: each with the moves that it takes, and for
    a ship the last sea on the way."""
    unit, factor = s.units[id], s.facts.numbers.rebase_factor
    if s.domain(id) == "air":
        for area, moves in air_reach(s, unit.at, factor * air_range(s, id)).items():
            if area in s.control:
                yield area, moves, ""
        return
    limit = factor * s.facts.kinds[id].move
    for first in port_seas(s, id):
        for sea, moves in sea_reach(s, id, first, limit - 2).items():
            for area in s.facts.coast[sea]:
                if area in s.control:
                    yield area, moves + 2, sea


def berths(s: State, id: str, area: str) -> list[str]:
    """The ports of a land area in which a naval unit finds room; for others `""` if it does.

    It finds none where an ally's air and naval units would have to leave for it.

    Rules: 6.6.overrun-a, 1.3.stack-f
    """
    if refused(s, id, area) is not None:
        return []
    ally = needs_consent(s, id, area)
    if ally and any(
        s.units[other].power == ally and s.domain(other) != "land" for other in s.units_at(area)
    ):
        return []
    ports = list(s.facts.ports[area]) if s.domain(id) == "naval" else [""]
    return [port for port in ports if no_room(s, id, area, port) is None]


def put_out(
    g: Table[State], id: str, chooser: str, places: list[tuple[str, str]]
) -> Procedure[None]:
    """Move a unit to one of the places, as `chooser` likes; without any it is destroyed.

    Rules: 6.6.overrun-a, 6.6.overrun-b, 3.4.france-e
    """
    s = g.state
    if not places:
        destroy(g, id, chooser if side_of(s, chooser) != side_of(s, s.units[id].power) else "")
        return
    at, port = places[0]
    if len(places) > 1:
        answer = yield from g.ask(PlaceUnit(chooser, id, tuple(places)))
        at, port = answer.to, answer.port
    origin = s.units[id].at
    for aboard in s.cargo(id):
        s.change(aboard, at=at)
    s.change(id, at=at, port=port)
    g.emit("displaced", unit=id, path=(origin, at), port=port)
