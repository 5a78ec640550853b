"""The French surrender, Vichy France and Free France (14.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.gw36.facts import pair
from sandtable.games.gw36.model import Job, News, State, Unit
from sandtable.games.gw36.rules.alignment import align
from sandtable.games.gw36.rules.capture import (
    CONQUEST,
    change_flag,
    come_over,
    earner,
    lose_treasury,
    nearest_friendly,
    possess,
)
from sandtable.games.gw36.rules.control import controlled_by, end_control, take_control, zones_of
from sandtable.games.gw36.rules.terms import aligned, alliance, enemies, foes
from sandtable.games.gw36.rules.transports import carrier_of_cargo, fits
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.kits import ChooseOne, YesOrNo
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

VICHY = "vichy_france"
FREE = "free_france"


class CreateVichy(YesOrNo, frozen=True, tag="create_vichy"):
    """Whether Germany sets up Vichy France."""

    rule: ClassVar[str] = "14.4.2a"


class Evacuate(ChooseOne, frozen=True, tag="evacuate"):
    """Where units go that may not stay in what was France: a neighbouring zone."""

    space: str
    options: tuple[str, ...]

    rule: ClassVar[str] = "14.4.2g"


class SailHome(ChooseOne, frozen=True, tag="sail_home"):
    """To which port at home ships sail that came over, under the French flag; or they stay."""

    space: str
    options: tuple[str, ...]

    rule: ClassVar[str] = "14.4.2s"


def follow(g: Table[State], news: News) -> Procedure[None]:
    """The fall of France, its liberation, and the end of Vichy France.

    Rules: 14.4.1b, 14.4.1c, 14.4.2a, 14.4.4a
    """
    s = g.state
    if news.kind == "surrendered" and news.whom == "france":
        yield from _fall(g, news.who)
    elif news.kind == "liberated" and news.whom == "france":
        _liberation(g)
    elif news.kind == "aligned" and news.whom == VICHY:
        s.vichy = "aligned"
    elif (
        news.kind == "possession"
        and news.whom == VICHY
        and news.where == s.facts.politics.vichy.seat
        and news.how in CONQUEST
        and s.vichy == "active"
    ):
        _vichy_surrenders(g)


# --- the fall of France ---------------------------------------------------------------------------


def _fall(g: Table[State], conqueror: str) -> Procedure[None]:
    """The French player takes command of Free France; Germany may set up Vichy France if France
    has fallen in its turn.

    Rules: 13.2h, 14.4.1a, 14.4.1b, 14.4.2a, 14.4.2d, 14.4.2h, 14.4.2o
    """
    s = g.state
    facts = s.facts
    lose_treasury(g, "france", conqueror)
    for foe in foes(s, "france"):
        s.wars |= {pair(FREE, foe)}
    create = False
    if "germany" in facts.order[s.slot] and "germany" not in s.surrendered:
        answer = yield from g.ask(CreateVichy("germany"))
        create = answer.yes
    s.vichy = "active" if create else "refused"
    home = facts.nations["france"].home
    encircled = all(enemies(s, "france", s.possession[n]) for n in facts.land_next["paris"])
    for zone in sorted(home | set(facts.politics.vichy.zones if create else ())):
        for unit, count in list(s.stack(zone).items()):
            captive = zone == "paris" and encircled and alliance(s, unit.nation) == "allies"
            if unit.nation == "france" or captive:
                s.destroy(zone, unit, count)
    colonies = [z for z in zones_of(s, "france") if z not in home]
    s.income[FREE] = s.income.get(FREE, 0)
    s.treasury[FREE] = s.treasury.get(FREE, 0)
    if create:
        g.emit("vichy_created", power="germany")
        yield from _vichy(g, colonies, home)
    else:
        _chart(g, {}, conqueror)
    for zone in zones_of(s, "france"):
        if zone not in home:
            possess(g, zone, FREE, "surrendered")
    come_over(s, "france", FREE)
    for minor, major in sorted(s.aligned.items()):
        if major == "france":
            s.aligned[minor] = FREE
    for minor in controlled_by(s, "france"):
        align(g, minor, FREE)
    s.income["france"] = 0
    yield from _leave_france(g)


def _vichy(g: Table[State], colonies: list[str], home: frozenset[str]) -> Procedure[None]:
    """Set up Vichy France: its zones, its army, the rolls for colonies, navy and shipyards.

    Rules: 14.4.2b, 14.4.2c, 14.4.2e, 14.4.2i, 14.4.3a
    """
    s = g.state
    rule = s.facts.politics.vichy
    take_control(g, VICHY, "germany")
    for zone in rule.zones:
        possess(g, zone, VICHY, "surrendered")
    for zone in sorted(home - set(rule.zones)):
        possess(g, zone, "germany", "surrendered")
    for type_, count in rule.army.items():
        s.build(rule.seat, Unit(VICHY, type_), count)
    yield from _colonies(g, [zone for zone in colonies if zone not in rule.zones])
    yield from _navy(g)
    ships = [job for job in s.track if _is_ship(s, job, "france")]
    lines = tuple(RollLine("france", job.what, 1, 0, 12) for job in ships)
    faces = yield from g.roll("vichy_shipyards", lines)
    if ships:
        g.emit("vichy_shipyards", lines=lines, dice=faces)
    _chart(g, dict(enumerate(faces)), "")


def _is_ship(s: State, job: Job, nation: str) -> bool:
    unit = s.facts.units.get(job.what)
    return job.nation == nation and unit is not None and unit.naval


def _chart(g: Table[State], faces: dict[int, int], conqueror: str) -> None:
    """The French Production Chart: ships are scuttled, stay Vichy's or become German, as rolled;
    without Vichy they go to the conqueror. Nothing else is completed.

    Rules: 7.3g, 14.4.2t, 14.4.2u, 14.4.2v
    """
    s = g.state
    track: list[Job] = []
    ship = 0
    for job in s.track:
        if job.nation != "france":
            track.append(job)
        elif _is_ship(s, job, "france"):
            owner = earner(s, conqueror) if conqueror else ""
            if ship in faces:
                owner = "" if faces[ship] <= 7 else VICHY if faces[ship] <= 10 else "germany"
            ship += 1
            if owner:
                track.append(job._replace(nation=owner))
    s.track = tuple(sorted(track))


def _colonies(g: Table[State], colonies: list[str]) -> Procedure[None]:
    """Roll for each French colony, groups of them together, whether it is Vichy or Free French. The
    group of Indochina turns Japanese instead of Vichy, with the French units there.

    Rules: 14.4.2j, 14.4.2k, 14.4.2l, 14.4.2m, 14.4.2n
    """
    s = g.state
    rule = s.facts.politics.vichy
    groups = [tuple(z for z in group if z in colonies) for group in rule.groups]
    grouped = {zone for group in groups for zone in group}
    printed = [z for z in colonies if s.facts.zones[z].owner == "france"]
    groups += [(zone,) for zone in printed if zone not in grouped]
    groups = [group for group in groups if group]
    lines = tuple(RollLine("germany", group[0], 1, 6, 12) for group in groups)
    faces = yield from g.roll("vichy_colonies", lines)
    if groups:
        g.emit("vichy_colonies", lines=lines, dice=faces)
    for group, face in zip(groups, faces, strict=True):
        for zone in group:
            to = FREE if face > 6 else "japan" if zone in rule.japanese else VICHY
            possess(g, zone, to, "surrendered")
            for unit, count in list(s.stack(zone).items()):
                if unit.nation == "france":
                    change_flag(s, zone, unit, count, to)


def _navy(g: Table[State]) -> Procedure[None]:
    """Roll for each French naval unit: 1-3 Free French, 4-6 scuttled, 7-10 Vichy, to sea zone 49,
    11-12 German, or Japanese in the Indian and Pacific Oceans.

    Rules: 14.4.2p, 14.4.2q, 14.4.2r
    """
    s = g.state
    ships = [
        (zone, unit, count)
        for zone, unit, count in s.units_of("france")
        if s.facts.units[unit.type].naval
    ]
    lines = tuple(RollLine("france", unit.type, count, 0, 12) for _, unit, count in ships)
    faces = yield from g.roll("vichy_navy", lines)
    if ships:
        g.emit("vichy_navy", lines=lines, dice=faces)
    at = 0
    gained: set[tuple[str, str]] = set()
    for zone, unit, count in ships:
        for face in faces[at : at + count]:
            if face <= 3:
                change_flag(s, zone, unit, 1, FREE)
            elif face <= 6:
                s.destroy(zone, unit)
            elif face <= 10:
                ship = change_flag(s, zone, unit, 1, VICHY)
                s.take(zone, ship)
                s.put(s.facts.politics.vichy.port, ship)
            else:
                far = s.facts.zones[zone].ocean in ("indian", "pacific")
                owner = "japan" if far else "germany"
                change_flag(s, zone, unit, 1, owner)
                gained.add((zone, owner))
        at += count
    for zone, owner in sorted(gained):
        yield from _sail_home(g, zone, owner, [(u, n) for z, u, n in ships if z == zone])


def _sail_home(
    g: Table[State], zone: str, owner: str, ships: list[tuple[Unit, int]]
) -> Procedure[None]:
    """The ships of the former French navy that are now an Axis power's may sail to a port at home,
    past all Enemies.

    Rules: 14.4.2s
    """
    s = g.state
    ports = sorted(set(_home_ports(s, owner)) & _reach(s, owner, zone) - {zone})
    if not ports:
        return
    chosen = yield from g.ask(SailHome(owner, zone, (zone, *ports)))
    if chosen.option == zone:
        return
    kinds = {unit._replace(nation=owner)._replace(cargo=()) for unit, _ in ships}
    for unit, count in list(s.stack(zone).items()):
        if unit.nation == owner and unit._replace(cargo=()) in kinds:
            s.take(zone, unit, count)
            s.put(chosen.option, unit, count)
    g.emit("sailed_home", power=owner, path=[zone, chosen.option])


def _home_ports(s: State, nation: str) -> Iterator[str]:
    for zone in s.facts.nations[nation].home:
        for facility in s.facilities.get(zone, ()):
            if s.facts.facilities[facility.type].naval and s.possession[zone] == nation:
                yield facility.at


def _reach(s: State, nation: str, start: str) -> set[str]:
    """The sea zones that a nation's ships can come to without passing what is closed to them."""
    reached, edge = {start}, [start]
    while edge:
        zone = edge.pop()
        for next_ in s.facts.sea_next[zone]:
            passage = s.facts.passage.get(pair(zone, next_), "")
            if next_ not in reached and (passage, nation) not in s.closed:
                reached.add(next_)
                edge.append(next_)
    return reached


# --- who has to leave -----------------------------------------------------------------------------


def _leave_france(g: Table[State]) -> Procedure[None]:
    """Axis units leave Vichy zones; Allied units leave what is no longer Friendly, or are
    eliminated.

    Rules: 14.4.2f, 14.4.2g, 14.4.2h
    """
    s = g.state
    facts = s.facts
    zones = set(facts.nations["france"].home)
    zones |= set(zones_of(s, VICHY))
    if s.vichy == "active":
        zones |= {zone for zone in facts.politics.vichy.japanese if s.possession[zone] == "japan"}
    for zone in sorted(zones):
        holder = s.possession[zone]
        for nation in sorted({unit.nation for unit in s.stack(zone)}):
            if aligned(s, nation, holder) or (holder == "france" and alliance(s, nation) == "axis"):
                continue
            yield from _evacuate(g, zone, nation)


def _evacuate(g: Table[State], zone: str, nation: str) -> Procedure[None]:
    """A nation's units leave a zone: for a neighbouring Friendly one, or for ships off the coast,
    as far as those have room. Axis units that have no Friendly neighbour go farther.

    Rules: 14.4.2f, 14.4.2g
    """
    s = g.state
    lands = [n for n in s.facts.land_next[zone] if aligned(s, nation, s.possession[n])]
    seas = [sea for sea in s.facts.coast.get(zone, ()) if _ships_with_room(s, sea, nation)]
    options = tuple(sorted(lands) + sorted(seas))
    if not lands and alliance(s, nation) == "axis":
        options = tuple(filter(None, (nearest_friendly(s, zone, nation),)))
    to = options[0] if options else ""
    if len(options) > 1:
        chosen = yield from g.ask(Evacuate(s.control.get(nation, nation), zone, options))
        to = chosen.option
    left = dict[str, int]()
    for unit, count in sorted(s.stack(zone).items()):
        if unit.nation != nation:
            continue
        free = unit._replace(duty="", target="", origin="")
        for _ in range(count):
            if to and (to in s.possession or _board(s, to, free)):
                s.take(zone, unit)
                if to in s.possession:
                    s.put(to, free)
                left[unit.type] = left.get(unit.type, 0) + 1
            else:
                s.destroy(zone, unit)
    if left:
        g.emit("evacuated", power=nation, path=[zone, to], units=left)
    else:
        g.emit("units_removed", power=nation, space=zone)


def _ships_with_room(s: State, sea: str, nation: str) -> list[Unit]:
    """The ships in a sea zone that could take at least one more infantry of a nation aboard."""
    one = Unit(nation, "infantry")
    return [
        ship
        for ship in s.stack(sea)
        if carrier_of_cargo(s.facts.units[ship.type], ship.nation)
        and aligned(s, nation, ship.nation)
        and fits(s, ship, (*ship.cargo, one))
    ]


def _board(s: State, sea: str, unit: Unit) -> bool:
    """Take a unit aboard one of the ships in a sea zone; whether one had room."""
    for ship in _ships_with_room(s, sea, unit.nation):
        if fits(s, ship, (*ship.cargo, unit)):
            s.change(sea, ship, 1, cargo=tuple(sorted((*ship.cargo, unit))))
            return True
    return False


# --- what becomes of it ---------------------------------------------------------------------------


def _vichy_surrenders(g: Table[State]) -> None:
    """Southern France has been conquered: all that is left of Vichy France joins Free France.

    Rules: 14.4.4a
    """
    s = g.state
    s.vichy = "gone"
    s.surrendered |= {VICHY}
    g.emit("vichy_surrendered", power=FREE)
    for zone in zones_of(s, VICHY):
        possess(g, zone, FREE, "surrendered")
    come_over(s, VICHY, FREE)
    s.track = tuple(
        sorted(job._replace(nation=FREE) if job.nation == VICHY else job for job in s.track)
    )
    for foe in foes(s, VICHY):
        s.wars -= {pair(VICHY, foe)}
    end_control(s, VICHY)


def _liberation(g: Table[State]) -> None:
    """Paris is free: Free France becomes France again.

    Rules: 14.4.1c
    """
    s = g.state
    for foe in foes(s, FREE):
        s.wars = s.wars - {pair(FREE, foe)} | {pair("france", foe)}
    for zone in zones_of(s, FREE):
        possess(g, zone, "france", "returned")
    come_over(s, FREE, "france")
    for minor, major in sorted(s.aligned.items()):
        if major == FREE:
            s.aligned[minor] = "france"
    s.track = tuple(
        sorted(job._replace(nation="france") if job.nation == FREE else job for job in s.track)
    )
    s.treasury["france"] = s.treasury.get("france", 0) + s.treasury.get(FREE, 0)
    s.treasury[FREE] = 0
    g.emit("france_liberated", power="france")
