"""Forms of the Land Movement and the Strategic Movement Phase, and where chosen units can go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sandtable.board.words import listed
from sandtable.games.gw75 import words
from sandtable.games.gw75.forms import pipelines
from sandtable.games.gw75.forms.parts import Part, in_order, read, rows, several, why_not
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import amphibious, indochina, land_movement, ports, strategic
from sandtable.games.gw75.rules.amphibious import Invade, embarks
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.land_movement import Move
from sandtable.games.gw75.rules.mobility import Able, allowance, fresh, kinds
from sandtable.games.gw75.rules.pipelines import capacity
from sandtable.games.gw75.rules.stacking import room
from sandtable.games.gw75.rules.strategic import Redeploy, rested
from sandtable.games.gw75.rules.terms import commander, holder, nations, season, side
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import Choice, Form, Help, Mover, Reach, Refusal, Way

Units = dict[tuple[str, str], int]


def land_movement_form(legal: Legal) -> Form:
    """Moves on land, overruns, landings."""
    s: State = legal.state
    return Form(
        kind=legal.asked.kind,
        power=legal.asked.power,
        component="move",
        title="Land movement",
        prompt="Choose units and a hex. They stop beside Enemies; combat comes afterwards. From a "
        "port with Amphibious units they can land on an Enemy coast.",
        movers=_movers(s, legal.asked.power, _walks_or_sails),
        done=plain(Done()),
        done_label="End land movement",
        done_warning=_too_many(s, legal.asked.power),
        notes=(_allowances(s),),
        help=(
            Help("5.12", "Movement"),
            Help("6.0a", "Zones of Control"),
            Help("5.61a", "Overruns"),
            Help("5.5a", "Amphibious Assault"),
        ),
    )


def _allowances(s: State) -> str:
    """How far units go in this season."""
    weather, fair = s.facts.numbers.seasons[season(s)], s.facts.numbers.fair_allowance
    where = "everywhere" if weather == fair else f"in the Weather Area, {fair} elsewhere"
    return f"It is {season(s)}: {weather} Movement Points {where}."


def strategic_form(legal: Legal) -> Form:
    """Strategic movement by land and by sea."""
    s: State = legal.state
    left = [
        f"{s.facts.nations[nation].name} {strategic.points_left(s, nation)}"
        for nation in strategic.CAPABLE
        if commander(s, nation) == legal.asked.power
    ]
    return Form(
        kind=legal.asked.kind,
        power=legal.asked.power,
        component="move",
        title="Strategic movement",
        prompt="Send Strength Points far behind the lines: overland within Communications Areas, "
        "or from port to port over a Merchant Ship Pipeline.",
        movers=_movers(s, legal.asked.power, rested(1)),
        network=pipelines.network(s, legal.asked.power),
        choices=tuple(_bombs(legal)),
        done=plain(Done()),
        done_label="End strategic movement",
        notes=(f"Strength Points left overland: {', '.join(left)}.",) if left else (),
        help=(Help("5.4a", "By land"), Help("5.44a", "By sea"), Help("5.45", "Capacity")),
    )


def _bombs(legal: Legal) -> Iterator[Choice]:
    """Where atomic bombs can be shipped."""
    s: State = legal.state
    player = legal.asked.power
    for start in sorted(s.bombs):
        nation = holder(s, start)
        if commander(s, nation) != player:
            continue
        seen = set()
        for by in strategic.carriers(s, player, nation):
            for path in strategic.sea_ways(s, by, start).values():
                journey = Redeploy(((nation, "abomb", 1),), sea=path, using=by)
                if path[-1] in seen or why_not(legal, journey) is not None:
                    continue
                seen.add(path[-1])
                yield Choice(
                    f"Ship an atomic bomb to {s.facts.name(path[-1])}",
                    plain(journey),
                    spaces=(path[-1],),
                    group=f"Atomic bombs in {s.facts.name(start)}",
                    power=nation,
                )


def _too_many(s: State, player: str) -> str:
    """The hexes in which a player has land units of which some will have to go."""
    which = side(s, player)
    hexes = sorted({hex for nation in nations(s, player) for hex in s.presence[nation]})
    much = [(name, -room(s, hex, which)) for hex in hexes for name in (s.facts.name(hex),)]
    told = listed(f"{number} in {name}" for name, number in much if number > 0)
    return f"Strength Points above the stacking limit will be lost: {told}." if told else ""


def _walks_or_sails(s: State, hex: str, unit: object) -> bool:
    return fresh(s, hex, unit) or embarks(s, hex, unit)  # type: ignore[arg-type]


def _movers(s: State, player: str, able: Able) -> tuple[Mover, ...]:
    found = []
    for hex in sorted({hex for nation in nations(s, player) for hex in s.presence[nation]}):
        units = kinds(s, player, hex, able)
        if units:
            found.append(Mover(hex, rows(s, units)))
    return in_order(found)


def reach_by_land(legal: Legal, space: str, chosen: Mapping[str, int]) -> Reach:
    """Where land units can march, and on which coasts they can land."""
    s: State = legal.state
    player = legal.asked.power
    units = read(chosen, kinds(s, player, space, _walks_or_sails))
    ways: dict[str, Way] = {}
    refused: dict[str, Refusal] = {}
    points = allowance(s, space)
    marching = read_or_none(chosen, kinds(s, player, space, fresh))
    if marching:
        for hex, (cost, path) in land_movement.reach(s, space, marching).items():
            move = Move(path, marching)
            error = why_not(legal, move)
            if error is not None:
                refused[hex] = Refusal(error.reason, error.rule or "")
                continue
            own = sorted({nation for nation, _, _ in marching})
            over = any(land_movement.strangers(s, own, each) for each in path[1:])
            breach = _breach(s, own, path[1:])
            note = f"{cost} of {points} Movement Points"
            if over:
                note += ", with an Overrun"
            note += breach
            label = f"Move {several(s, marching)} to {s.facts.name(hex)}"
            ways[hex] = Way(
                (Choice(label, plain(move), detail=note, tone="danger" if breach else ""),),
                path,
                battle=over,
                note=note,
                cost=cost,
            )
        for hex in s.facts.within(space, points):
            if hex != space and hex not in ways and s.facts.hexes[hex].dry:
                why, rule = land_movement.why_not(s, space, marching, hex)
                refused.setdefault(hex, Refusal(why or "It is too far.", rule or "5.12"))
    for path in (
        amphibious.ways(s, space, units[0][0]).values() if _sea(s, player, space, units) else ()
    ):
        _add_landing(legal, ways, refused, Invade(path, units))
    return Reach(
        ways, refused, elsewhere=f"It is farther than {points} Movement Points, or not on land."
    )


def _breach(s: State, own: Sequence[str], entered: Sequence[str]) -> str:
    """What a move says that breaks somebody's peace, or after which trade is broken off."""
    found = ""
    victims = dict.fromkeys(
        whom for hex in entered for _, whom in land_movement.violated(s, own, hex)
    )
    if victims:
        found += f"; violates the peace of {words.nations(s.facts, victims)}"
    opened = "japan" in own and any(indochina.open_to(s, "japan", hex) for hex in entered)
    if opened and not indochina.embargo(s):
        found += "; brings the embargo of the United States on Japan"
    return found


def _sea(s: State, player: str, space: str, units: tuple[Part, ...]) -> bool:
    """Whether Amphibious units wait for them in a port."""
    own = sorted({nation for nation, _, _ in units})
    return ports.friendly(s, own[0], space) and bool(amphibious.ships(s, player, space, own))


def _add_landing(
    legal: Legal, ways: dict[str, Way], refused: dict[str, Refusal], invade: Invade
) -> None:
    s: State = legal.state
    hex = invade.path[-1]
    error = why_not(legal, invade)
    if error is not None:
        if hex not in ways:
            refused[hex] = Refusal(error.reason, error.rule or "")
        return
    refused.pop(hex, None)
    own = sorted({nation for nation, _, _ in invade.units})
    assault = land_movement.strangers(s, own, hex)
    breach = _breach(s, own, (hex,))
    note = f"Amphibious Assault{breach}"
    label = f"Land {several(s, invade.units)} in {s.facts.name(hex)}"
    choice = Choice(label, plain(invade), detail=note, tone="danger" if breach else "")
    before = ways.get(hex)
    if before is None:
        ways[hex] = Way((choice,), invade.path, battle=assault, note=note)
    else:
        ways[hex] = Way((*before.decisions, choice), before.path, before.battle, before.note)


def read_or_none(chosen: Mapping[str, int], free: Units) -> tuple[tuple[str, str, int], ...]:
    """The chosen units if all of them are there; nothing otherwise."""
    for key, number in chosen.items():
        nation, _, type = key.partition(":")
        if number > free.get((nation, type), 0):
            return ()
    return read(chosen, free)


def reach_strategically(legal: Legal, space: str, chosen: Mapping[str, int]) -> Reach:
    """Where Strength Points can be sent, overland and by sea."""
    s: State = legal.state
    player = legal.asked.power
    units = read(chosen, kinds(s, player, space, rested(1)))
    nation = units[0][0]
    ways: dict[str, Way] = {}
    refused: dict[str, Refusal] = {}
    for by in strategic.carriers(s, player, nation):
        journeys = [
            (f"by land, {s.facts.name(by)}'s capacity", Redeploy(units, land=path, using=by))
            for path in strategic.roads(s, nation, space).values()
        ]
        if ports.friendly(s, nation, space):
            for path in strategic.sea_ways(s, by, space).values():
                left = capacity(s, by, path[0], path[-1], strategic.shipped(s))
                how = f"by sea, {s.facts.name(by)}'s ships, {left} left"
                journeys.append((how, Redeploy(units, sea=path, using=by)))
        for how, journey in journeys:
            hex = journey.end
            error = why_not(legal, journey)
            if error is not None:
                refused.setdefault(hex, Refusal(error.reason, error.rule or ""))
                continue
            label = f"Send {several(s, units)} to {s.facts.name(hex)}"
            choice = Choice(label, plain(journey), detail=how)
            before = ways.get(hex)
            if before is None:
                ways[hex] = Way((choice,), journey.legs[0], note=how)
            elif len(before.decisions) < 3:
                ways[hex] = Way((*before.decisions, choice), before.path, note=before.note)
    for hex in ways:
        refused.pop(hex, None)
    return Reach(
        ways,
        refused,
        elsewhere="No Communications Area and no Merchant Ship Pipeline leads there.",
    )
