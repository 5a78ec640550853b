"""Forms of the two movement phases, and where chosen units can go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sandtable.games.gw36 import words
from sandtable.games.gw36.forms.fighting import forces
from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules import combat_choices
from sandtable.games.gw36.rules import noncombat_move as noncombat_choices
from sandtable.games.gw36.rules.air import range_left
from sandtable.games.gw36.rules.battle import ATTACKING
from sandtable.games.gw36.rules.combat_choices import bystanders
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.movement import Move, base_points, sea_paths
from sandtable.games.gw36.rules.rail import Rail, journeys
from sandtable.games.gw36.rules.relations import attack_allowed
from sandtable.games.gw36.rules.strategic_naval import FARTHEST, SHIPS, StrategicMove, allowance
from sandtable.games.gw36.rules.terms import at_war_with_major, commander, enemies, power_of
from sandtable.games.gw36.rules.transports import (
    Airlift,
    Load,
    Sail,
    carrier_of_cargo,
    fits,
    shiploads,
)
from sandtable.games.gw36.rules.zones import commanded
from sandtable.games.gw36.view import symbol
from sandtable.kernel.decisions import Decision, Legal, plain
from sandtable.kernel.display import (
    Choice,
    Form,
    Help,
    Mover,
    NoQuestion,
    Prospect,
    Reach,
    Refusal,
    Row,
    Way,
)
from sandtable.kernel.errors import IllegalDecision

_LOAD = "load"
_DECLARES = "declare war on"

_DUTIES = {
    "": "attack",
    "convoy": "escort duty",
    "raid": "raid convoys",
    "mine": "lay mines",
    "blockade": "blockade",
    "screen": "screen those behind",
    "declined": "pass by without a fight",
    "patrol": "Maritime Air Patrol",
    "carpet": "carpet bombing",
    "escort_bombers": "escort bombers",
    "attrition": "attrition attack",
}


_SENT = {*ATTACKING, "landing"}
"""Duties of units that are sent into a battle."""

_WITH = {
    "attack": "attack {}",
    "annex": "annex {}",
    "move": "move to {}",
    "by rail": "by rail to {}",
    "amphibious assault": "amphibious assault on {}",
    "land here": "land in {}",
    "load and sail": "load and sail to {}",
    "strategic naval movement": "strategic naval movement to {}",
    "strategic naval movement, and land": "strategic naval movement, and land in {}",
}
"""How a zone is named with what is done there, if not with "in"."""


# --- the forms -----------------------------------------------------------------------------------


def combat_move(legal: Legal) -> Form:
    """Moves into combat, announcements, and the end of the phase."""
    s: State = legal.state
    ahead = _ahead(s)
    return Form(
        kind=legal.asked.kind,
        power=legal.asked.power,
        component="move",
        title="Combat movement",
        prompt="Move what attacks, annexes, raids, bombs, patrols, escorts or blockades; then end "
        "the phase, and the battles are fought. Everything else moves afterwards.",
        movers=tuple(_movers(s, combat_choices.able)),
        done=plain(Done()),
        done_label="Begin the battles" if ahead else "End combat movement",
        done_warning=""
        if ahead or not at_war_with_major(s, s.mover)
        else "You are at war, and no attack has been sent.",
        battles=tuple(Prospect(zone, forces(s, zone)) for zone in ahead),
        help=(Help("8.2a", "Combat moves"), Help("8.7a", "Patrols"), Help("8.8a", "Raids")),
    )


def _ahead(s: State) -> list[str]:
    """The zones in which units of those whose turn it is attack or are to land."""
    found: dict[str, None] = {}
    group = s.facts.order[s.slot]
    for zone, unit, _ in s.units():
        if unit.duty in _SENT and commander(s, unit.nation) in group:
            found[unit.target if unit.duty == "landing" else zone] = None
    return sorted(found)


def noncombat_move(legal: Legal) -> Form:
    """Moves without combat, by land, sea, air and rail."""
    s: State = legal.state
    problem = ""
    try:
        legal.asked.check(s, Done())
    except IllegalDecision as error:
        problem = error.reason
    return Form(
        kind=legal.asked.kind,
        power=legal.asked.power,
        component="move",
        title="Non-combat movement",
        prompt="Bring aircraft home and move whatever has not moved or fought; trains and "
        "strategic naval movement go far.",
        movers=tuple(_movers(s, noncombat_choices.able)),
        done=plain(Done()),
        done_label="End non-combat movement",
        done_problem=problem,
        help=(Help("10.1a", "Non-combat moves"), Help("10.4a", "Rail"), Help("10.6a", "By sea")),
    )


def _movers(s: State, able: Any) -> Iterator[Mover]:
    """The units that may move, zone by zone; those of one nation and domain go together."""
    found: dict[str, tuple[list[Row], list[Row]]] = {}
    for nation in commanded(s, s.mover):
        for zone in s.presence.get(nation, ()):
            rows = [
                _row(s, nation, type_, known, count, _hurt(s, nation, zone, type_), len(some) == 1)
                for type_, some in _free(s, nation, zone, able).items()
                for known, count in some.items()
            ]
            if rows:
                units, cargo = found.setdefault(zone, ([], []))
                units += rows
                cargo += _cargo(s, nation, zone)
    for zone, (units, cargo) in found.items():
        yield Mover(zone, (*units, *cargo))


class Mark(NamedTuple):
    """What tells units of one type in a zone apart, and a decision can name: the movement that
    aircraft have spent and have left, and what a ship carries."""

    used: int = 0
    left: int = 0
    cargo: tuple[str, ...] = ()


def _free(s: State, nation: str, zone: str, able: Any) -> dict[str, dict[Mark, int]]:
    """The units of a nation in a zone that may move: type to what they are like to number."""
    found: dict[str, dict[Mark, int]] = {}

    def add(unit: Unit, count: int) -> None:
        if unit.nation == nation and able(unit):
            kind, mark = s.facts.units[unit.type], Mark()
            if kind.air and s.phase == "noncombat_move":
                mark = Mark(unit.used, range_left(s, unit, zone))
            elif unit.cargo:
                mark = Mark(cargo=tuple(sorted(piece.type for piece in unit.cargo)))
            some = found.setdefault(unit.type, {})
            some[mark] = some.get(mark, 0) + count

    for unit, count in s.stack(zone).items():
        add(unit, count)
        if s.facts.units[unit.type].decks:
            for piece in unit.cargo:
                add(piece, count)
    return found


def _hurt(s: State, nation: str, zone: str, type_: str) -> int:
    """How many ships of a type in a zone are damaged."""
    stack = s.stack(zone).items()
    return sum(n for unit, n in stack if unit.hits and (unit.nation, unit.type) == (nation, type_))


def _row(s: State, nation: str, type_: str, mark: Mark, count: int, hurt: int, alone: bool) -> Row:
    """A row for units that are alike; one that is `alone` of its type needs no further name."""
    kind = s.facts.units[type_]
    domain = "Aircraft" if kind.air else "Ships" if kind.naval else "Land units"
    owner = "" if nation == s.mover else f" of {s.facts.name(nation)}"
    note = ""
    if mark.cargo:
        counts = {each: mark.cargo.count(each) for each in dict.fromkeys(mark.cargo)}
        note = f"carries {words.units(s.facts, counts)}"
    elif kind.air and s.phase == "noncombat_move" and (mark.used or not alone):
        note = f"{mark.left} zone{'' if mark.left == 1 else 's'} left"
    elif not alone:
        note = "empty"
    if hurt:
        note = f"{note}, {hurt} damaged" if note else f"{hurt} damaged"
    return Row(
        key=f"{nation}:{type_}" + ("" if alone else f":{mark.used}:{'+'.join(mark.cargo)}"),
        label=kind.name,
        path=("units", type_),
        most=count,
        symbol=symbol(kind),
        power=nation,
        group=f"{domain}{owner}",
        note=note,
        holds=(2 if kind.transport else 1) if carrier_of_cargo(kind, nation) else 0,
        aboard=len(mark.cargo) if carrier_of_cargo(kind, nation) else 0,
    )


def _cargo(s: State, nation: str, zone: str) -> Iterator[Row]:
    """What a transport in a sea zone could take aboard from its shores."""
    if not s.facts.zones[zone].sea or not any(
        unit.nation == nation and carrier_of_cargo(s.facts.units[unit.type], nation)
        for unit in s.stack(zone)
    ):
        return
    for shore in s.facts.coast[zone]:
        counts: dict[str, int] = {}
        for units in shiploads(s, nation, shore, Unit(nation, "naval_transport")):
            for type_, number in units.items():
                counts[type_] = max(counts.get(type_, 0), number)
        for type_, count in sorted(counts.items()):
            kind = s.facts.units[type_]
            yield Row(
                key=f"{_LOAD}:{shore}:{nation}:{type_}",
                label=kind.name,
                path=("units", type_),
                most=count,
                symbol=symbol(kind),
                power=nation,
                group=f"Load in {s.facts.name(shore)}",
                space=shore,
                cargo=True,
            )


# --- where they can go ---------------------------------------------------------------------------


def find_ways(legal: Legal, space: str, chosen: Mapping[str, int]) -> Reach:
    """Where the chosen units can go, each with the decisions that do it."""
    s: State = legal.state
    nation, units, cargo, mark = _read(s, space, chosen)
    _check_room(s, nation, space, units, cargo, mark)
    found: dict[str, list[tuple[tuple[str, ...], str, Decision]]] = {}
    refused: dict[str, Refusal] = {}
    first = ""
    for goal, path, label, decision in _options(
        s, legal.asked.kind, nation, space, units, cargo, mark
    ):
        try:
            legal.asked.check(s, decision)
        except IllegalDecision as error:
            refused.setdefault(goal, Refusal(error.reason, error.rule or ""))
            first = first or error.reason
            continue
        found.setdefault(goal, []).append((path, label, decision))
    ways = {}
    for goal, rows in found.items():
        rows.sort(key=lambda row: row[1].startswith(_DECLARES))  # what brings war comes last
        note, fight, war = _meaning(s, legal.asked.kind, nation, goal, rows)
        choices = tuple(
            Choice(
                _told(s, label, goal),
                plain(decision),
                spaces=(goal,),
                tone="danger" if war or label.startswith(_DECLARES) else "",
            )
            for _, label, decision in rows
        )
        ways[goal] = Way(choices, rows[0][0], battle=fight, note=note)
        refused.pop(goal, None)
    ways = dict(sorted(ways.items(), key=lambda item: item[1].decisions[0].tone == "danger"))
    return Reach(ways, refused, "" if ways else first or "These units cannot move.")


def _told(s: State, label: str, goal: str) -> str:
    """What units do, with the zone: `Attack Madrid`, `Escort duty in sea zone 14`."""
    where = words.zone(s.facts, goal)
    if label.startswith("follow"):
        return label.capitalize()
    text = _WITH.get(label) or f"{label} {'from' if label.startswith('bombard') else 'in'} {{}}"
    if label.startswith("take"):
        text = f"{label} to {{}}"
    told = text.format(where)
    return f"{told[:1].upper()}{told[1:]}"


def _meaning(
    s: State,
    phase: str,
    nation: str,
    goal: str,
    rows: list[tuple[tuple[str, ...], str, Decision]],
) -> tuple[str, bool, bool]:
    """What it means to go there: in a sentence, whether there is a battle, whether it is war."""
    if phase != "combat_move" or not any(_attacks(decision) for _, _, decision in rows):
        return "", False, False
    if goal not in s.possession:
        return "", True, False
    owner = s.possession[goal]
    name = s.facts.name(power_of(s, owner))
    how = attack_allowed(s, nation, owner, goal).how
    if how == "declare":
        return f"That is a declaration of war on {name}.", True, True
    if how == "annex":
        return f"{s.facts.name(goal)} is annexed, without a fight and without a war.", False, False
    if how in ("pact", "monroe", "clash"):
        return f"An attack on {name} without a war.", True, False
    defended = any(enemies(s, nation, unit.nation) for unit in s.stack(goal))
    return "" if defended else "Nobody defends it.", defended, False


def _attacks(decision: Decision) -> bool:
    """Whether a combat move leads to a battle for the zone that it goes to."""
    if isinstance(decision, Move):
        return decision.duty in ("", "clash")
    return isinstance(decision, Airlift) or (isinstance(decision, Sail) and bool(decision.offload))


def _read(
    s: State, space: str, chosen: Mapping[str, int]
) -> tuple[str, dict[str, int], dict[tuple[str, str], int], Mark | None]:
    """The nation, its units and the cargo that rows were chosen for; and what the units are like,
    if they are of one type and alike."""
    if space not in s.facts.zones:
        raise NoQuestion("There is no such zone.")
    nation = ""
    units: dict[str, int] = {}
    cargo: dict[tuple[str, str], int] = {}
    marks: list[Mark | None] = []
    for key, count in chosen.items():
        if count < 1:
            continue
        parts = key.split(":")
        if parts[0] == _LOAD and len(parts) == 4:
            cargo[parts[1], parts[3]] = count
        elif (
            len(parts) in (2, 4)
            and parts[1] in s.facts.units
            and parts[0] in s.facts.nations
            and (len(parts) == 2 or parts[2].isdecimal())
        ):
            if nation and parts[0] != nation:
                raise NoQuestion("Units of one nation move together.")
            nation = parts[0]
            units[parts[1]] = units.get(parts[1], 0) + count
            aboard = tuple(parts[3].split("+")) if parts[3:] and parts[3] else ()
            marks.append(Mark(int(parts[2]), cargo=aboard) if len(parts) == 4 else None)
        else:
            raise NoQuestion("There are no such units.")
    if not units or nation not in commanded(s, s.mover):
        raise NoQuestion("Choose units to move first.")
    if len({_domain(s, type_) for type_ in units}) > 1:
        raise NoQuestion("Land units, aircraft and ships move separately.")
    return nation, units, cargo, marks[0] if len(marks) == 1 else None


def _check_room(
    s: State,
    nation: str,
    zone: str,
    units: dict[str, int],
    cargo: dict[tuple[str, str], int],
    mark: Mark | None,
) -> None:
    """NoQuestion if what is to be loaded does not fit aboard one of the chosen ships."""
    if not cargo:
        return
    if sum(units.values()) != 1:
        raise NoQuestion("A ship that loads goes by itself: choose just one.")
    (type_,) = units
    taken = [Unit(nation, what) for (_, what), count in cargo.items() for _ in range(count)]
    ships = [
        unit
        for unit in s.stack(zone)
        if (unit.nation, unit.type) == (nation, type_)
        and (mark is None or sorted(piece.type for piece in unit.cargo) == sorted(mark.cargo))
    ]
    if ships and not any(fits(s, ship, [*ship.cargo, *taken]) for ship in ships):
        room = "two units of the infantry class, or one and any other unit"
        if not s.facts.units[type_].transport:
            room = "one marine"
        raise NoQuestion(f"There is no room for that aboard: the ship carries {room}.")


def _domain(s: State, type_: str) -> str:
    kind = s.facts.units[type_]
    return "air" if kind.air else "sea" if kind.naval else "land"


Option = tuple[str, tuple[str, ...], str, Decision]
"""The zone to click, the path, what to call it, and the decision."""


def _options(
    s: State,
    phase: str,
    nation: str,
    zone: str,
    units: dict[str, int],
    cargo: dict[tuple[str, str], int],
    mark: Mark | None,
) -> Iterator[Option]:
    name = "" if nation == s.mover else nation
    (first, *_) = units
    ship = s.facts.units[first]
    aboard = used = None
    if mark is not None and ship.naval:
        aboard = {each: mark.cargo.count(each) for each in mark.cargo}
    elif mark is not None and ship.air and phase == "noncombat_move":
        used = mark.used
    if len(units) == 1 and units[first] == 1 and carrier_of_cargo(ship, nation):
        yield from _voyages(s, phase, nation, zone, first, cargo, aboard)
        if cargo:
            return
    if len(units) == 1 and units[first] == 1 and (ship.lift or ship.airborne):
        yield from _flights(s, phase, nation, zone, first)
    seen = set()
    for type_ in units:
        kind = s.facts.units[type_]
        if phase == "combat_move":
            ways = combat_choices.ways(s, nation, zone, kind)
        else:
            ways = ((path, "", "") for path in noncombat_choices.ways(s, nation, zone, kind))
        for path, duty, target in ways:
            if (path, duty, target) in seen:
                continue
            seen.add((path, duty, target))
            goal = target.partition("/")[0] if duty in ("rocket", "attrition") else path[-1]
            move = Move(units, path, duty, target, name, aboard, used=used)
            yield goal, path, _label(s, phase, path, duty, target), move
            for whom in () if duty or phase != "combat_move" else bystanders(s, nation, goal):
                other = s.facts.name(whom)
                label = f"{_DECLARES} {other} and attack"
                if attack_allowed(s, nation, whom, goal).how == "monroe":
                    label = f"attack {other} without war"
                war = Move(units, path, nation=name, cargo=aboard, against=whom)
                yield goal, path, label, war
    if phase == "noncombat_move" and not ship.naval:
        for path in journeys(s, nation, zone):
            yield path[-1], path, "by rail", Rail(units, path, name)


def _label(s: State, phase: str, path: tuple[str, ...], duty: str, target: str) -> str:
    if phase == "noncombat_move":
        return "move"
    what = target.partition("/")[2] or target
    if duty in ("bomb", "rocket"):
        kind, _, where = what.partition(":")
        name = "units" if kind == "units" else s.facts.name(kind)
        return f"{'bomb' if duty == 'bomb' else 'fire a rocket at'} {name}" + (
            f" ({words.zone(s.facts, where)})" if where else ""
        )
    if duty == "follow":
        return f"follow a screen to {words.zone(s.facts, target)}"
    if duty == "bombard":
        return f"bombard {s.facts.name(target)}"
    if duty == "" and s.facts.zones[path[-1]].sea:
        return "attack"
    return _DUTIES.get(duty, duty)


def _voyages(
    s: State,
    phase: str,
    nation: str,
    zone: str,
    type_: str,
    cargo: dict[tuple[str, str], int],
    aboard: dict[str, int] | None,
) -> Iterator[Option]:
    """What one transport can do, with what it has aboard and takes aboard where it is."""
    name = "" if nation == s.mover else nation
    kind = s.facts.units[type_]
    by_shore: dict[str, dict[str, int]] = {}
    for (shore, what), count in cargo.items():
        by_shore.setdefault(shore, {})[what] = count
    load = tuple(Load(shore, units, zone, name) for shore, units in sorted(by_shore.items()))
    for path in sea_paths(s, zone, base_points(s, nation, kind) + 1):
        if load and phase == "noncombat_move":
            sail = Sail(path, load, ship=type_, nation=name, cargo=aboard)
            yield path[-1], path, "load and sail", sail
        for shore in s.facts.coast[path[-1]]:
            label = "land here" if phase == "noncombat_move" else "amphibious assault"
            sail = Sail(path, load, shore, ship=type_, nation=name, cargo=aboard)
            yield shore, (*path, shore), label, sail
    if phase == "noncombat_move" and type_ in SHIPS and allowance(s, nation)[1]:
        for path in sea_paths(s, zone, FARTHEST):
            if len(path) > 1:
                far = StrategicMove(path, load, ship=type_, nation=name, cargo=aboard)
                yield path[-1], path, "strategic naval movement", far
                for shore in s.facts.coast[path[-1]]:
                    far = StrategicMove(path, load, shore, ship=type_, nation=name, cargo=aboard)
                    yield shore, (*path, shore), "strategic naval movement, and land", far


def _flights(s: State, phase: str, nation: str, zone: str, type_: str) -> Iterator[Option]:
    """What one aircraft can carry: one of the units where it stands."""
    name = "" if nation == s.mover else nation
    kind = s.facts.units[type_]
    aboard = sorted(
        {
            unit.type
            for unit in s.stack(zone)
            if unit.nation == nation and s.facts.units[unit.type].class_ == "infantry"
        }
    )
    choices = combat_choices if phase == "combat_move" else noncombat_choices
    paths = dict.fromkeys(
        way[0] if phase == "combat_move" else way for way in choices.ways(s, nation, zone, kind)
    )
    for path in paths:
        for passenger in aboard if len(path) > 1 else ():
            label = f"take {s.facts.name(passenger)} along"
            yield path[-1], path, label, Airlift(path, Load(zone, {passenger: 1}), type_, name)
