"""What clients draw of Global War (1975): the position, what happened, and figures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any, Literal

from msgspec.structs import replace

from sandtable.games.gw75 import words
from sandtable.games.gw75.charts import charts, reading
from sandtable.games.gw75.facts import MAJORS, Facts, Pair, UnitType, pair
from sandtable.games.gw75.ledger import sheets
from sandtable.games.gw75.model import Force, Job, State, Unit
from sandtable.games.gw75.rules import attacks, industry, pipelines, supply, zones
from sandtable.games.gw75.rules.terms import (
    DRIVEN,
    GROUND,
    NAVAL,
    OTHER,
    at_war,
    commander,
    foes,
    holder,
    phase_side,
    players,
    side,
)
from sandtable.games.gw75.rules.victory import score
from sandtable.kernel import display, events
from sandtable.kernel.display import (
    About,
    Battle,
    Border,
    Combatant,
    Deed,
    Layer,
    Line,
    Mark,
    Moment,
    Picture,
    Piece,
    Pool,
    Power,
    Route,
    Space,
    Stack,
    Step,
    Throw,
    Track,
)
from sandtable.kernel.events import Event

SYMBOLS = {
    "inf": "nato_infantry",
    "mech": "nato_mechanized",
    "sd": "nato_self_defense",
    "fort": "nato_fortification",
    "ad": "nato_air_defense",
    "lrb": "bomber",
    "asw": "asw",
    "ss": "submarine",
    "surf_a": "carrier",
    "surf_b": "battleship",
    "ms": "convoy",
    "amph": "transport",
    "abomb": "atomic_bomb",
    "port": "port_big",
}

LAYERS = (
    Layer("zones", "Zones of Control", off=True),
    Layer("supply", "Supply", off=True),
    Layer("pipelines", "Pipelines", off=True),
)

LEADERS = {"axis": "germany", "allies": "commonwealth"}
"""In whose colour what belongs to a side is drawn."""

_EUROPE = ("W3217", "W2717", "W2524", "W3225")
_ASIA = ("E2909", "E2304", "E1705", "E2413")
_FOCUSES = {
    "japan": _ASIA,
    "usa": ("W2803", "W2705", "E2629", "E2222"),
    "ussr": ("W3324", "W3024", "W2826", "W3229"),
}

_NOTES = {
    "inf": "Moves and attacks.",
    "mech": "Moves and attacks, and advances after combat.",
    "sd": "Defends its Home Country and never leaves it.",
    "fort": "Two Strength Points that never move and never retreat.",
    "ad": "Shoots at bombers; in Industrial Hexes only.",
    "lrb": "Bombs Industrial Hexes.",
    "asw": "Aircraft against ships, from a base on land.",
    "ss": "Attacks ships; itself attacked only in Transit and Counter-Attacks.",
    "surf_a": "Carriers: strike at ships in the next hex.",
    "surf_b": "Battle fleets: fight in the hex of the Enemy.",
    "ms": "The Holding Areas of pipelines; moves in the third Naval Phases.",
    "amph": "Carries a Strength Point to an Amphibious Assault.",
    "abomb": "Destroys an Industrial Hex or a Supply Center.",
    "port": "Can be kept, and placed on any Friendly coast.",
}


# --- a game as such -------------------------------------------------------------------------------


def about(s: State) -> About:
    """What does not change during a game."""
    return _about(s.facts, s.options["scenario"])


@lru_cache(maxsize=8)
def _about(facts: Facts, scenario: str) -> About:
    return About(
        game="gw75",
        title="Global War (1975)",
        subtitle=facts.scenarios[scenario].name,
        powers=tuple(_power(facts, id) for id in MAJORS),
        others=tuple(_power(facts, id) for id in facts.nations if id not in MAJORS),
        map="gw75",
        names={id: name for id in facts.hexes if (name := facts.name(id)) != id},
        types=tuple(_type(kind) for kind in facts.types.values()),
        focus=_EUROPE,
        figures=("Production", "Land Strength Points", "Fleets", "Victory Points"),
        layers=LAYERS,
        charts=charts(facts),
    )


def _power(facts: Facts, id: str) -> Power:
    nation = facts.nations[id]
    return Power(
        id=id,
        name=nation.name,
        short=words.SHORT.get(id, nation.name),
        colour=nation.colour,
        side=nation.side if nation.side in OTHER else "",
        side_name=words.SIDES[nation.side] if nation.side in OTHER else "",
        focus=_FOCUSES.get(id, ()),
    )


def _type(kind: UnitType) -> display.UnitType:
    shown = {
        "Attack": str(kind.attack or "-"),
        "Defense": str(kind.defense or "-"),
        "Upkeep": "-" if not kind.upkeep else f"{kind.upkeep / 2:g}",
        "New": _price(kind.new),
        "Rebuilt": _price(kind.rebuilt),
        "Restored": _price(kind.undepletion),
    }
    return display.UnitType(kind.id, kind.name, SYMBOLS[kind.id], shown, _NOTES[kind.id])


def _price(price: tuple[int, int] | None) -> str:
    return "-" if price is None else f"{price[0]} in {price[1]} turns"


# --- the position ---------------------------------------------------------------------------------


def picture(s: State, powers: Collection[str]) -> Picture:
    """The position as the person sees it who runs `powers`: others' Production Tracks lie face
    down.

    Rules: 4.2i
    """
    own = tuple(id for id in s.facts.nations if commander(s, id) in powers)
    return Picture(
        moment=_moment(s),
        spaces=_spaces(s),
        borders=tuple(_zones(s)),
        routes=tuple(_pipelines(s)),
        tracks=(_powers(s), _victory(s)),
        sheets=sheets(s, own),
        pools=tuple(_pools(s, own)),
        battle=battle(s),
        notes=tuple(_notes(s)),
    )


def _moment(s: State) -> Moment:
    which = phase_side(s.phase)
    at = next(i for i, (_, _, phases) in enumerate(words.STEPS) if s.phase in phases)
    return Moment(
        title=words.turn(s.facts, s.turn),
        phase=words.PHASES[s.phase],
        power=s.mover or (players(s, which)[0] if which else ""),
        steps=tuple(
            Step(phases[0], name, i == at, i < at, short)
            for i, (name, short, phases) in enumerate(words.STEPS)
        ),
        round=s.turn - s.facts.scenarios[s.options["scenario"]].first + 1,
        secret=s.phase == "production",
    )


def _spaces(s: State) -> dict[str, Space]:
    spaces = dict(_empty(s.facts))
    fights = {hex for attack in s.attacks for hex in attack.targets}
    fights |= {mission.target for mission in s.missions}
    if s.land is not None:
        fights.update(s.land.targets)
    if s.sea is not None:
        fights.add(s.sea.target)
    special = {*s.at, *s.held, *s.ports, *s.destroyed, *s.bombed, *s.bombs, *s.captured, *fights}
    for hex in sorted(special | {*s.stand_fast} | {*s.penalties}):
        spaces[hex] = _space(s, hex, hex in fights)
    return spaces


@lru_cache(maxsize=8)
def _empty(facts: Facts) -> dict[str, Space]:
    """Every hex as it is without anything that the game has put there."""
    return {
        id: Space(owner=hex.nation, lines=_fixed_lines(facts, id))
        for id, hex in facts.hexes.items()
    }


def _space(s: State, id: str, fight: bool) -> Space:
    hex = s.facts.hexes[id]
    stack = s.at.get(id, {})
    judged = _judged(s, id, stack)
    marks = [*_marks(s, id)]
    if judged:
        worst = max(judged.values(), key=list(words.SUPPLY).index)
        tone: Literal["good", "dim", "bad"] = "good" if worst == "attack" else "dim"
        title = words.SUPPLY[worst]
        title = title[0].upper() + title[1:]
        symbol = "no_supply" if worst == "none" else f"{worst}_supply"
        marks.append(Mark(symbol, title, tone="bad" if worst == "none" else tone, layer="supply"))
    return Space(
        owner=hex.nation,
        holder=s.held.get(id, ""),
        marks=tuple(marks),
        stacks=_stacks(s.facts, stack.items(), judged),
        tags=("battle",) if fight else (),
        lines=(*_fixed_lines(s.facts, id), *_lines(s, id)),
    )


def _judged(s: State, hex: str, stack: Mapping[Unit, int]) -> dict[Unit, str]:
    """The supply of land units in a hex that belong to somebody at war, at its worst. What never
    attacks needs no more than Defense Supply."""
    found = {}
    for unit in stack:
        if unit.type in GROUND and unit.type != "fort" and foes(s, unit.nation):
            worst = max(supply.split(s, hex, unit), key=list(words.SUPPLY).index)
            found[unit] = "attack" if unit.type == "sd" and worst == "defense" else worst
    return found


@lru_cache(maxsize=8192)
def _fixed_lines(facts: Facts, id: str) -> tuple[str, ...]:
    """The card of a hex: what is printed there."""
    hex = facts.hexes[id]
    told = []
    if hex.country:
        told.append(f"{words.KINDS[hex.kind]}, {facts.name(hex.country)}.")
        told.append(f"{words.AREAS[hex.area]}{', in the Weather Area' if hex.weather else ''}.")
    if hex.industry:
        told.append(f"Industrial Hex of {words.the(facts, hex.industry)}.")
    if hex.center:
        told.append(f"Supply Center of {words.the(facts, hex.center)}.")
    if hex.port:
        told.append(f"Port: {hex.port}.")
    if hex.water:
        told.append(f"Part of the {hex.water.capitalize()} Sea.")
    if id in facts.holding_areas:
        told.append(f"Holding Area: {facts.holding_areas[id]}.")
    return tuple(told)


def _lines(s: State, id: str) -> Iterator[str]:
    """The card of a hex: what has happened there."""
    if id in s.destroyed:
        yield "Destroyed by an atomic bomb: it gives neither production nor supply."
    elif id in s.captured:
        yield f"Captured in {words.turn(s.facts, s.captured[id])}: it gives one Production Point."
    elif id in s.recaptured:
        yield "Taken back: it produces on Mode One."
    if id in s.bombed:
        yield f"Bombed: Production Points less in this turn: {s.bombed[id]}."
    if id in s.penalties:
        yield "It counts for the Axis, because a neutral was violated."
    if id in s.ports:
        yield "A port was built here."
    if id in s.stand_fast:
        yield "To be held at all costs."


def _marks(s: State, id: str) -> Iterator[Mark]:
    """What the game has put into a hex; what is printed there is on the map."""
    if id in s.ports:
        yield Mark("port_small", "A port that was built")
    if id in s.destroyed:
        yield Mark("atomic_bomb", "Destroyed by an atomic bomb", tone="bad")
    if id in s.bombs:
        waiting = words.bombs(s.bombs[id])
        yield Mark("atomic_bomb", waiting[0].upper() + waiting[1:], str(s.bombs[id]))
    if id in s.bombed:
        lost = s.bombed[id]
        yield Mark("damage", f"Production Points lost to bombs: {lost}", str(lost), "bad")
    if id in s.stand_fast:
        yield Mark("flag", "To be held at all costs")


def _stacks(
    facts: Facts, units: Iterable[tuple[Unit, int]], judged: Mapping[Unit, str]
) -> tuple[Stack, ...]:
    by_nation: dict[str, dict[Piece, int]] = {}
    for unit, count in units:
        piece = _piece(facts, unit, judged.get(unit, "") or unit.supply)
        pieces = by_nation.setdefault(unit.nation, {})
        pieces[piece] = pieces.get(piece, 0) + count
    return tuple(
        Stack(nation, tuple(_counted(piece, count) for piece, count in pieces.items()))
        for nation, pieces in by_nation.items()
    )


_STATES = {
    "attacked": "fought",
    "retreated": "repelled",
    "repelled": "repelled",
    "landed": "landed",
    "snort": "submerged",
    "flown": "moved",
    "new": "new",
}


@lru_cache(maxsize=20_000)
def _piece(facts: Facts, unit: Unit, supplied: str) -> Piece:
    """A counter of strength one."""
    states = [_STATES[unit.duty]] if unit.duty in _STATES else []
    if unit.left >= 0 and "moved" not in states:
        states.append("moved")
    if unit.depleted:
        states.append("depleted")
    if unit.idle:
        states.append("idle")
    if supplied == "none" or unit.cut:
        states.append("unsupplied")
    elif supplied == "defense":
        states.append("defense_supply")
    return Piece(
        SYMBOLS[unit.type],
        facts.types[unit.type].name,
        printed=True,
        states=tuple(states),
        note=words.duty(facts, unit),
    )


@lru_cache(maxsize=20_000)
def _counted(piece: Piece, count: int) -> Piece:
    return Piece(
        piece.symbol, piece.name, count, printed=True, states=piece.states, note=piece.note
    )


# --- layers ---------------------------------------------------------------------------------------


def _zones(s: State) -> Iterator[Border]:
    """The edges of the land Zones of Control of both sides.

    Rules: 6.0a
    """
    for which, leader in LEADERS.items():
        inside: set[str] = set()
        for nation in s.presence:
            if side(s, nation) != which or not foes(s, nation):
                continue
            for hex, unit, _ in s.units_of(nation):
                if unit.type not in zones.ZONED:
                    continue
                inside.add(hex)
                for near, mountain in s.facts.land[hex].items():
                    if not mountain and near not in inside and zones.exerts(s, unit, hex, near):
                        inside.add(near)
        for hex in sorted(inside):
            for near in s.facts.near[hex]:
                if near not in inside:
                    both: Pair = pair(hex, near)
                    yield Border(both, "zone", leader, layer="zones")


def _pipelines(s: State) -> Iterator[Route]:
    """The Merchant Ship Pipelines of both sides: Holding Areas next to each other, and the nearest
    ports at their ends.

    Rules: 18.63a, 18.64b
    """
    for which, leader in LEADERS.items():
        net = pipelines.net(s, which)
        far = net.links
        havens = [port for port in (*s.facts.ports, *s.ports) if side(s, holder(s, port)) == which]
        for one, others in far.items():
            nearest = sorted(others.items(), key=itemgetter(1))
            for other, length in others.items():
                if one < other and not _past(nearest, far[other], length):
                    load = min(net.ships[one], net.ships[other])
                    title = f"Merchant Ship Pipeline of the {words.SIDES[which]}"
                    yield Route(
                        "pipeline", (one, other), leader, "", str(load), title, layer="pipelines"
                    )
            near = [(net.areas(port)[one], port) for port in havens if one in net.areas(port)]
            for around, port in sorted(near)[:2]:
                if around:
                    yield Route("convoy", (one, port), leader, layer="pipelines")


def _past(nearest: list[tuple[str, int]], others: dict[str, int], length: int) -> bool:
    """Whether a link leads past a third Holding Area, nearer to both ends than they to each
    other; those near the one are sorted, so that most are found at once."""
    for third, near in nearest:
        if near >= length:
            return False
        if others.get(third, length) < length:
            return True
    return False


# --- beside the map -------------------------------------------------------------------------------


def _powers(s: State) -> Track:
    """What all may know of the powers.

    Rules: 4.2i
    """
    land, fleets = _strengths(s)
    rows: dict[str, tuple[str, ...]] = {}
    for nation in MAJORS:
        if nation in s.fallen:
            rows[nation] = ("-", "-", "-", "gone")
            continue
        points = sum(industry.production(s, nation).values())
        rows[nation] = (
            str(points),
            str(land[nation]),
            str(fleets[nation]),
            "war" if foes(s, nation) else "peace",
        )
    return Track("Powers", ("Points", "Land", "Fleets", "At"), rows)


def _strengths(s: State) -> tuple[dict[str, int], dict[str, int]]:
    """Land Strength Points and fleets of each Major Power."""
    land, fleets = dict.fromkeys(MAJORS, 0), dict.fromkeys(MAJORS, 0)
    for nation in MAJORS:
        for _, unit, count in s.units_of(nation):
            if unit.type in GROUND:
                land[nation] += count
            elif s.facts.types[unit.type].domain == "naval":
                fleets[nation] += count
    return land, fleets


def _victory(s: State) -> Track:
    found = score(s)
    return Track("Victory Points", ("Points",), {which: (str(found[which]),) for which in OTHER})


def _pools(s: State, own: Collection[str]) -> Iterator[Pool]:
    """One's own Production Tracks, and what is due now."""
    for title, every in (("Production Track", s.track), ("To be placed", s.due)):
        for nation in own:
            jobs = sorted((job for job in every if job.nation == nation), key=lambda job: job.due)
            if jobs:
                yield Pool(title, nation, tuple(_job(s.facts, job) for job in jobs))


def _job(facts: Facts, job: Job) -> Piece:
    where = facts.name(job.hex or job.country) if job.hex or job.country else ""
    place = f" in {where}" if where else ""
    name = f"{facts.types[job.type].name}{place}, {words.turn(facts, job.due)}"
    return Piece(SYMBOLS[job.type], name, job.number, printed=True)


def _notes(s: State) -> Iterator[str]:
    """Season, wars, and what else is in force."""
    facts = s.facts
    season = facts.turns[s.turn].season
    points = facts.numbers.seasons[season]
    yield f"{season.capitalize()}: {points} Movement Points in the Weather Area."
    told: set[Pair] = set()
    for power in (*MAJORS, *(id for id in facts.nations if id not in MAJORS)):
        others = [
            other
            for other in sorted(foes(s, power), key=lambda id: (id not in MAJORS, id))
            if pair(power, other) in s.wars and pair(power, other) not in told
        ]
        told |= {pair(power, other) for other in others}
        if others:
            who = words.sentenced(words.the(facts, power))
            yield f"{who} is at war with {words.nations(facts, others)}."
    for one, other in sorted(s.limited):
        yield f"The war of {words.nations(facts, (one, other))} is limited."
    for nation, which in sorted(s.joined.items()):
        yield f"{facts.name(nation)}: {words.SIDES.get(which, which)}."
    if s.fallen:
        yield f"Fallen: {words.nations(facts, sorted(s.fallen))}."
    if s.penalties:
        hexes = words.nations(facts, s.penalties)
        yield f"Counting for the Axis because neutrals were violated: {hexes}."


# --- the battle that is being fought --------------------------------------------------------------

_LAND_STEPS = {
    "": "Before the die",
    "losses": "Losses",
    "counter_attack": "Counter-Attack",
    "retreat": "Retreat",
    "advance": "Advance",
}
_AT_SEA = NAVAL - {"ss"}
"""Who is attacked in an engagement."""
_SEA_STEPS = {"": "Announced", "first": "First segment", "second": "Second segment"}


def battle(s: State) -> Battle | None:
    """The combat that is being fought."""
    if s.land is not None:
        fight = s.land
        title = f"Battle of {words.nations(s.facts, fight.targets)}"
        step = _LAND_STEPS.get(fight.step, fight.step)
        if fight.step:
            step += f", attacked at {words.difference(fight.differential)}"
        sides = _sides(s, fight.force, fight.targets, GROUND, attacks.opposed)
        if not fight.step:
            notes = _land_notes(s, fight.force, fight.targets)
            sides = tuple(replace(side, note=note) for side, note in zip(sides, notes, strict=True))
        return Battle(fight.targets[0], title, 0, step, sides)
    if s.sea is not None:
        sea = s.sea
        title = f"Naval battle of {s.facts.name(sea.target)}"
        step = _SEA_STEPS.get(sea.step, sea.step)
        return Battle(
            sea.target,
            title,
            0,
            step,
            _sides(s, sea.force, (sea.target,), _AT_SEA, lambda *who: at_war(*who[:3])),
        )
    return None


def _land_notes(s: State, force: Force, targets: tuple[str, ...]) -> tuple[str, str]:
    """Where the strengths of both sides in a land attack come from."""
    attacker = force[0][1]
    points = sum(part[3] for part in force)
    strength = attacks.strength(s, force)
    ours = f"{strength} Strength Points."
    if strength > points:
        ours = f"{strength} Strength Points: {points}, doubled in the first Winter."
    stand = sum(n for hex in targets for _, n in attacks.defenders(s, hex, attacker))
    defense = attacks.defense(s, targets, sorted({part[0] for part in force}), attacker)
    theirs = f"{stand} Strength Points."
    if defense != stand:
        theirs = (
            f"{stand} Strength Points defend with {defense}: Spring, Winter and mountains double "
            "them, those who retreated there add nothing."
        )
    return ours, f"{theirs} The attack is made at {words.difference(strength - defense)}."


def _sides(
    s: State,
    force: Force,
    targets: tuple[str, ...],
    types: Collection[str],
    defends: Callable[[State, str, str, str], bool],
) -> tuple[Combatant, ...]:
    """Attackers and defenders: who is left of them, where they stand or have advanced to. Who
    shares a hex with them and is not attacked has no part in it."""
    announced: dict[tuple[str, str], int] = {}
    for _, nation, type, number in force:
        announced[nation, type] = announced.get((nation, type), 0) + number
    field = {*targets, *(part[0] for part in force)}
    attackers: dict[str, list[Piece]] = {}
    for (nation, type), number in announced.items():
        there = sum(
            count
            for hex in field
            for unit, count in s.stack(hex).items()
            if (unit.nation, unit.type) == (nation, type)
        )
        pieces = attackers.setdefault(nation, [])
        if left := min(there, number):
            pieces.append(_counted(_piece(s.facts, Unit(nation, type), ""), left))
    defenders: dict[str, list[Piece]] = {}
    for hex in targets:
        for unit, count in s.stack(hex).items():
            if (
                unit.type in types
                and unit.duty not in DRIVEN
                and any(defends(s, nation, unit.nation, hex) for nation in attackers)
            ):
                piece = _counted(_piece(s.facts, unit, unit.supply), count)
                defenders.setdefault(unit.nation, []).append(piece)
    return tuple(
        replace(side, player=commander(s, side.power) if side.power else "")
        for side in _camps(s.facts, attackers, defenders)
    )


def _camps(
    facts: Facts, attackers: Mapping[str, list[Piece]], defenders: Mapping[str, list[Piece]]
) -> tuple[Combatant, ...]:
    found = []
    for parts, verb in ((attackers, "attack"), (defenders, "defend")):
        nations = list(parts)
        names = words.nations(facts, nations) or "Nobody"
        shown = {piece.name for pieces in parts.values() for piece in pieces}
        strengths = {
            kind.name: f"{verb}s with {kind.attack if verb == 'attack' else kind.defense}"
            for kind in facts.types.values()
            if kind.name in shown
        }
        found.append(
            Combatant(
                f"{words.sentenced(names)} {verb}{'s' if len(nations) < 2 else ''}",
                nations[0] if nations else "",
                tuple(Stack(nation, tuple(pieces)) for nation, pieces in parts.items() if pieces),
                strengths,
            )
        )
    return tuple(found)


_ALONE = {
    "transit_attack": "Transit Attack in",
    "overrun": "Overrun of",
    "air_defense": "Bombing of",
    "bombed": "Bombing of",
    "atomic_bomb": "Bombing of",
}
"""Combats that are fought in one step."""


def _alone(facts: Facts, event: Event) -> Battle | None:
    """A combat that one event tells all of: who is left of both sides."""
    title, data = _ALONE.get(event.kind, ""), event.data
    if not title:
        return None
    ours = data.get("attackers") or {data["power"]: data.get("units", {})}
    theirs = data["losses"] if event.kind == "overrun" else data.get("defenders", {})
    if title.startswith("Bombing") and not theirs:
        theirs = {data["against"]: {}}
    lost = data.get("losses", {})
    camps = [
        {
            nation: [
                _counted(_piece(facts, Unit(nation, type), ""), left)
                for type, number in types.items()
                if (left := number - lost.get(nation, {}).get(type, 0)) > 0
            ]
            for nation, types in side.items()
        }
        for side in (ours, theirs)
    ]
    step = f"At {words.difference(data['differential'])}" if "differential" in data else "One step"
    space = data["space"]
    return Battle(space, f"{title} {facts.name(space)}", 0, step, _camps(facts, *camps))


# --- numbers for charts ---------------------------------------------------------------------------


def figures(s: State) -> dict[str, dict[str, float]]:
    """Production, strength on land and at sea, and Victory Points of the side, by power."""
    land, fleets = _strengths(s)
    points = score(s)
    return {
        "Production": {
            power: float(sum(industry.production(s, power).values())) for power in MAJORS
        },
        "Land Strength Points": {power: float(land[power]) for power in MAJORS},
        "Fleets": {power: float(fleets[power]) for power in MAJORS},
        "Victory Points": {
            power: float(points.get(s.facts.nations[power].side, 0)) for power in MAJORS
        },
    }


def derived(s: State) -> dict[str, Any]:
    """What the rules derive from the position and all may know."""
    return {
        "season": s.facts.turns[s.turn].season,
        "victory_points": score(s),
        "production": {power: sum(industry.production(s, power).values()) for power in MAJORS},
        "at_war": [power for power in MAJORS if foes(s, power)],
        "supply": _short(s),
    }


def _short(s: State) -> dict[str, dict[str, dict[str, dict[str, int]]]]:
    """Hex to nation to type to the Strength Points in Defense Supply, and to those Unsupplied:
    whoever is in Attack Supply, has no need of it or is neutral is left out."""
    found: dict[str, dict[str, dict[str, dict[str, int]]]] = {}
    for hex, unit, _ in s.units():
        if unit.type in supply.ORDER and side(s, unit.nation) != "neutral":
            for grade, number in supply.split(s, hex, unit).items():
                if grade == "none" or (grade == "defense" and unit.type != "sd"):
                    types = found.setdefault(hex, {}).setdefault(unit.nation, {})
                    grades = types.setdefault(unit.type, {})
                    grades[grade] = grades.get(grade, 0) + number
    return found


# --- what happened --------------------------------------------------------------------------------

_LEVELS = {
    "turn_began": 0,
    "game_ended": 0,
    "war": 1,
    "entered_war": 1,
    "violated": 1,
    "surrendered": 1,
    "vichy_declared": 1,
    "land_attack": 1,
    "engagement": 1,
    "production_counted": 1,
}
_DEEDS: Mapping[str, Deed] = {
    "land_attack": "battle",
    "overrun": "battle",
    "engagement": "battle",
    "transit_attack": "decided",
    "bombed": "battle",
    "landed": "taken",
    "embargo": "politics",
    "entered_war": "politics",
    "forsaken": "politics",
    "partition": "politics",
    "surrendered": "politics",
    "vichy_declared": "politics",
    "vichy_ended": "politics",
    "violated": "politics",
    "war": "politics",
}


def line(facts: Facts, event: Event) -> Line:
    """An event as a line of the log, with its dice."""
    about_ = event.data.get("about", ())
    told = events.line(
        event,
        words.sentence(facts, event),
        tuple(_throws(facts, event)),
        level=_LEVELS.get(event.kind, 2),
        deed=_DEEDS.get(event.kind, ""),
        power=next((row[0] for row in event.data.get("lines", ())), ""),
        spaces=[id for id in about_ if id in facts.hexes],
        lost=lambda type, count: Piece(SYMBOLS[type], facts.types[type].name, count, printed=True),
    )
    return replace(told, battle=_alone(facts, event))


def _throws(facts: Facts, event: Event) -> Iterator[Throw]:
    for row, faces in events.thrown(event.data):
        note = ""
        if "differential" in event.data:
            note = f"at {words.difference(event.data['differential'])}"
        yield Throw(
            words.rolled(facts, row, event.kind),
            faces,
            power=row.power,
            note=note,
            reading=reading(facts, event, faces[0]) if faces else None,
        )
