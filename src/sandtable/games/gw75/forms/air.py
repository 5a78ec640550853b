"""The form of the Air Movement Phase, and where chosen air units can fly."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from sandtable.games.gw75.forms.parts import in_order, read, rows, why_not
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import air, bombing
from sandtable.games.gw75.rules.air import FlyTo, Raid
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.terms import at_war, holder, nations
from sandtable.games.gw75.words import bombs, counted
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import Choice, Form, Help, Mover, NoQuestion, Reach, Refusal, Way


def movement(legal: Legal) -> Form:
    """Air units that can fly."""
    s: State = legal.state
    movers = []
    for hex in sorted({h for nation in nations(s, legal.asked.power) for h in s.presence[nation]}):
        free = _free(s, legal.asked.power, hex)
        if free:
            movers.append(Mover(hex, rows(s, free), single=True))
    return Form(
        kind=legal.asked.kind,
        power=legal.asked.power,
        component="move",
        title="Air movement",
        prompt="Send bombers to Enemy industry, fly them to other bases, or move Air Defense units "
        "between your Industrial Hexes.",
        movers=in_order(movers),
        done=plain(Done()),
        done_label="End air movement",
        notes=tuple(
            f"{counted(s.facts, 'lrb', mission.number)} from {s.facts.name(mission.base)} to "
            f"{s.facts.name(mission.target)}{f', with {bombs(1)}' if mission.bomb else ''}."
            for mission in s.missions
        ),
        help=(Help("17.13", "Range"), Help("17.31a", "Bombing"), Help("17.12", "Air Defense")),
    )


def _free(s: State, player: str, hex: str) -> dict[tuple[str, str], int]:
    found = {}
    for nation in nations(s, player):
        for type in ("ad", "lrb"):
            number = air.ready(s, nation, type, hex)
            if number:
                found[nation, type] = number
    return found


def _with_bombs(legal: Legal, flight: FlyTo) -> list[Choice]:
    """The flight that takes the atomic bombs of the base along, if it may."""
    if why_not(legal, flight) is not None:
        return []
    to = legal.state.facts.name(flight.to)
    return [Choice(f"Fly to {to} with {bombs(flight.bombs)}", plain(flight))]


def reach(legal: Legal, space: str, chosen: Mapping[str, int]) -> Reach:
    """Where air units can fly, and what bombers can reach."""
    s: State = legal.state
    units = read(chosen, _free(s, legal.asked.power, space))
    if len(units) != 1:
        raise NoQuestion("Air units fly one type at a time.")
    ((nation, type, number),) = units
    ways: dict[str, Way] = {}
    refused: dict[str, Refusal] = {}
    far = 3 * air.reach_of(s, nation) if type == "lrb" else 99
    load = bombing.loadable(s, space)
    for hex in s.facts.hexes:
        there = s.facts.hexes[hex]
        if hex == space or not there.dry or (type == "ad" and not there.industry):
            continue
        if far < 99 and s.facts.distance(space, hex) > far:
            continue
        options: list[Choice] = []
        spared = None
        if type == "lrb":
            raid = Raid(nation, space, hex, number)
            spared = why_not(legal, raid)
            if spared is None:
                options.append(Choice(f"Bomb {s.facts.name(hex)}", plain(raid), tone="danger"))
            bomb = Raid(nation, space, hex, number, True)
            if load and why_not(legal, bomb) is None:
                options.append(
                    Choice(f"Atomic bomb on {s.facts.name(hex)}", plain(bomb), tone="danger")
                )
        flight = FlyTo(nation, type, space, hex, number)
        error = why_not(legal, flight)
        if error is None:
            options.append(Choice(f"Fly to {s.facts.name(hex)}", plain(flight)))
            if type == "lrb" and load:
                options += _with_bombs(legal, replace(flight, bombs=load))
        if options:
            raids = any(choice.tone == "danger" for choice in options)
            ways[hex] = Way(tuple(options), (space, hex), battle=raids)
        elif error is not None and s.facts.distance(space, hex) <= air.reach_of(s, nation):
            # To Enemy industry bombers fly to bomb it.
            target = there.industry and at_war(s, nation, holder(s, hex))
            why = spared if target and spared is not None else error
            refused[hex] = Refusal(why.reason, why.rule or "")
    return Reach(ways, refused, elsewhere="It is out of range, or no base.")
