"""Lend-lease (7.9, 11.4): who may send what to whom, by which route, and what may become of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from sandtable.games.gw36.model import Job, State, Unit
from sandtable.games.gw36.rules.civil_wars import aid_refusal, note_aid
from sandtable.games.gw36.rules.control import zones_of
from sandtable.games.gw36.rules.facilities import at_sea, factories
from sandtable.games.gw36.rules.income import may
from sandtable.games.gw36.rules.pacts import lend_lease_barred
from sandtable.games.gw36.rules.relations import SPANISH
from sandtable.games.gw36.rules.supply import harbours, land_ways, permitted, sea_ways
from sandtable.games.gw36.rules.terms import at_war_with_major, enemies, half, is_major, power_of
from sandtable.games.gw36.rules.zones import on_patrol
from sandtable.kernel.decisions import Decision, RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

MONEY = "ipp"
FLEET = 3
"""Surface warships that together interdict lend-lease."""


class Deliver(Decision, frozen=True, tag="deliver"):
    """Send what is lent on its way: from a factory zone over land, or from a naval facility across
    the sea; all zones of the path, to the first one in the receiver's Home Country."""

    what: str
    to: str
    path: tuple[str, ...]


# --- conditions -----------------------------------------------------------------------------------


def check_receiver(s: State, sender: str, receiver: str) -> None:
    """Refuse a receiver to whom a nation may not send lend-lease.

    Rules: 7.9a, 7.9b, 13.1c, 13.1d, 13.2c, 14.3b, nrs-usa-e
    """
    facts = s.facts
    name = facts.name
    sheet = facts.sheets[sender].lend_lease
    if sheet is None or not is_major(s, sender):
        raise IllegalDecision(f"{name(sender)} may not send lend-lease.", "7.9a")
    if not may(s, sender, "lend_lease"):
        raise IllegalDecision(
            f"{name(sender)} may send lend-lease from an income of "
            f"{facts.sheets[sender].actions['lend_lease']} IPP on.",
            "nrs-usa-e",
        )
    if receiver not in facts.nations or receiver not in s.possession.values():
        raise IllegalDecision(f"There is no nation {name(receiver)} to lend to.", "7.9a")
    if receiver == sender or s.aligned.get(receiver) == sender:
        raise IllegalDecision(f"{name(sender)} cannot lend to itself.", "7.9b")
    if enemies(s, sender, receiver):
        raise IllegalDecision(f"{name(receiver)} is an Enemy.", "7.9a")
    if lend_lease_barred(s, sender, receiver):
        raise IllegalDecision(
            f"Its pact keeps {name(sender)} from lending to {name(receiver)}.", "14.3b"
        )
    war = at_war_with_major(s, receiver)
    minor = not facts.nations[receiver].player or not is_major(s, receiver)
    if receiver in sheet.not_to or not (
        receiver in sheet.to
        or ("at_war" in sheet.to and war)
        or ("minors_at_war" in sheet.to and war and minor)
    ):
        raise IllegalDecision(f"{name(sender)} may not lend to {name(receiver)} now.", "7.9a")


def most(s: State, receiver: str) -> int:
    """The most IPPs that may be lent to a nation: half its income, without bonuses; to a Minor
    Power that has none half of what its zones are worth, and to a Spanish faction in the civil war
    what its facilities need.

    Rules: 7.9c, 0.2a, 13.1c, 13.1d, 14.4.2u
    """
    if receiver in s.income:
        return half(s.income[receiver])
    zones = zones_of(s, receiver)
    if s.spain == "war" and receiver in SPANISH:
        return sum(f.damage for zone in zones for f in s.facilities.get(zone, ()))
    return half(sum(s.facts.zones[zone].ipp for zone in zones))


def check_shipment(s: State, sender: str, receiver: str, what: str = "unit") -> None:
    """Refuse a second shipment: in a turn a nation sends another either money (`what` is repair: to
    Spain it is for repairs) or one unit; the Commonwealth sends it once.

    Rules: 2.3d, 7.9c, 13.1c, 13.1d
    """
    check_receiver(s, sender, receiver)
    if s.spain == "war" and receiver in SPANISH:
        why, rule = aid_refusal(s, sender, receiver, what)
        if why:
            raise IllegalDecision(why, rule)
    if s.done.get(f"lent:{power_of(s, sender)}:{receiver}"):
        raise IllegalDecision(
            f"{s.facts.name(sender)} has lent to {s.facts.name(receiver)} this turn.", "7.9c"
        )


def note(s: State, sender: str, receiver: str) -> None:
    """Remember that a shipment has been declared this turn."""
    s.done[f"lent:{power_of(s, sender)}:{receiver}"] = 1
    if s.spain == "war" and receiver in SPANISH:
        note_aid(s, sender)


def receivers(s: State, sender: str) -> Iterator[str]:
    """The nations to whom a nation may send something now."""
    sheet = s.facts.sheets[sender].lend_lease
    if sheet is None:
        return
    for nation in sorted(set(s.possession.values())):
        try:
            check_shipment(s, sender, nation)
        except IllegalDecision:
            continue
        yield nation


def worth(s: State, job: Job) -> int:
    """What a shipment counts for at a Minor naval facility.

    Rules: 11.4e
    """
    return job.ipp if job.what == MONEY else sum(s.facts.units[job.what].cost)


# --- routes ---------------------------------------------------------------------------------------


def arrival(s: State, receiver: str) -> Callable[[str], bool]:
    """Whether a zone is one in which lend-lease for a nation arrives: in its Home Country (for a
    nation that has none anywhere) and its own.

    Rules: 11.4a
    """
    home = s.facts.nations[receiver].home
    return lambda zone: s.possession.get(zone) == receiver and (not home or zone in home)


def big_enough(s: State, zone: str, sea: str, ipp: int) -> bool:
    """Whether a naval facility at a sea zone can send or receive so much: a Minor one no more than
    3, a blockaded or damaged one nothing.

    Rules: 11.4d, 11.4e, 11.4j
    """
    if sea not in harbours(s, zone):
        return False
    for f in s.facilities[zone]:
        kind = s.facts.facilities[f.type]
        if kind.naval and not f.damage and sea in at_sea(s, zone, f):
            limit = kind.supply_limit
            if limit is None or ipp <= limit:
                return True
    return False


def _open(s: State, sender: str, receiver: str, zone: str) -> bool:
    """Whether lend-lease may pass a land zone: the sender's, the receiver's, or by permission.

    Rules: 11.4c
    """
    owner = s.possession[zone]
    return owner == receiver or permitted(s, sender, owner)


def _land(
    s: State, sender: str, receiver: str, start: str, *, stop: Callable[[str], bool]
) -> dict[str, tuple[str, ...]]:
    """The ways over land from a zone, each to its end; they go no further than where they stop.

    Rules: 11.4c
    """
    ways: dict[str, tuple[str, ...]] = {start: (start,)}
    queue = [start]
    for zone in queue:
        if stop(zone):
            continue
        for near in land_ways(s, zone):
            if near not in ways and _open(s, sender, receiver, near):
                ways[near] = (*ways[zone], near)
                queue.append(near)
    return ways


def ports(s: State, sender: str, receiver: str, ipp: int) -> Iterator[tuple[str, str]]:
    """The zones of the sender's Home Country with a naval facility that can send so much, connected
    with a factory there, each with its sea zone.

    Rules: 11.4a, 11.4d, 11.4f
    """
    home = s.facts.nations[sender].home
    seen: set[str] = set()
    for factory in factories(s, sender, home=True):
        seen.update(_land(s, sender, receiver, factory, stop=arrival(s, receiver)))
    for zone in sorted(seen & home):
        if s.possession[zone] == sender:
            for sea in dict.fromkeys(harbours(s, zone)):
                if big_enough(s, zone, sea, ipp):
                    yield zone, sea


def sea_distances(s: State, sender: str, sea: str) -> dict[str, int]:
    """How far it is from a sea zone to all others that lend-lease can reach.

    Rules: 11.4g, 1.5e
    """
    far = {sea: 0}
    queue = [sea]
    for zone in queue:
        for near in sea_ways(s, sender, zone):
            if near not in far:
                far[near] = far[zone] + 1
                queue.append(near)
    return far


def routes(s: State, sender: str, receiver: str, ipp: int) -> Iterator[tuple[str, ...]]:
    """A route for each way in which lend-lease can go: over land, and between each sending and each
    receiving naval facility the shortest that meets the fewest Enemies.

    Rules: 11.4a, 11.4c, 11.4d, 11.4f, 11.4g
    """
    arrives = arrival(s, receiver)
    for factory in factories(s, sender, home=True):
        for end, way in _land(s, sender, receiver, factory, stop=arrives).items():
            if arrives(end):
                yield way
    landings = _landings(s, sender, receiver, ipp)
    for port, sea in ports(s, sender, receiver, ipp):
        back = sea_distances(s, sender, sea)
        for landing, there, inland in landings:
            if there in back and landing != port:
                yield (port, *_safest(s, sender, sea, there, back), *inland)


def _landings(
    s: State, sender: str, receiver: str, ipp: int
) -> list[tuple[str, str, tuple[str, ...]]]:
    """Naval facilities where lend-lease can come ashore: zone, sea zone, and the way on over land
    to the first zone of the receiver's Home Country."""
    arrives = arrival(s, receiver)
    found = []
    for zone in sorted(s.facilities):
        if _open(s, sender, receiver, zone):
            inland = None
            for sea in dict.fromkeys(harbours(s, zone)):
                if not big_enough(s, zone, sea, ipp):
                    continue
                if inland is None:
                    ways = _land(s, sender, receiver, zone, stop=arrives)
                    inland = min(
                        (w for end, w in ways.items() if arrives(end)), key=len, default=()
                    )
                if inland:
                    found.append((zone, sea, inland))
    return found


def _safest(s: State, sender: str, start: str, end: str, far: dict[str, int]) -> tuple[str, ...]:
    """Of the shortest routes between two sea zones one with the fewest interdicted zones."""
    best: dict[str, tuple[int, tuple[str, ...]]] = {
        end: (bool(interdictors(s, sender, end)), (end,))
    }
    layer = [end]
    for distance in range(far[end] - 1, -1, -1):
        following: dict[str, tuple[int, tuple[str, ...]]] = {}
        for zone in layer:
            risk, way = best[zone]
            for near in sea_ways(s, sender, zone):
                if far.get(near) == distance:
                    step = (risk + bool(interdictors(s, sender, near)), (near, *way))
                    if near not in following or step < following[near]:
                        following[near] = step
        best.update(following)
        layer = sorted(following)
    return best[start][1]


def check_path(s: State, sender: str, job: Job, path: tuple[str, ...]) -> None:
    """Refuse a path that lend-lease cannot take.

    Rules: 1.5g, appB-6a, 11.4a, 11.4c, 11.4d, 11.4e, 11.4f, 11.4g, 11.4j, appB-10a
    """
    facts = s.facts
    name, receiver = facts.name, job.for_
    if not path or any(zone not in facts.zones for zone in path):
        raise IllegalDecision("The path of lend-lease names zones of the board.", "11.4a")
    arrives = arrival(s, receiver)
    seas = [zone for zone in path if facts.zones[zone].sea]
    lands = [zone for zone in path if not facts.zones[zone].sea]
    if (
        not lands
        or not arrives(path[-1])
        or any(arrives(zone) for zone in path[:-1] if zone in lands)
    ):
        raise IllegalDecision(
            f"Lend-lease ends in the first zone of {name(receiver)}'s Home Country.", "11.4c"
        )
    if seas:
        at = path.index(seas[0])
        if at != 1 or list(path[1 : 1 + len(seas)]) != seas or len(path) < len(seas) + 2:
            raise IllegalDecision(
                "Lend-lease leaves from a naval facility and crosses the sea once.", "11.4d"
            )
        _check_crossing(s, sender, job, path[0], tuple(seas), path[1 + len(seas)])
        inland = path[1 + len(seas) :]
    else:
        inland = path
        if job.what in facts.units and facts.units[job.what].naval:
            raise IllegalDecision("A ship is delivered across the sea.", "11.4d")
        if path[0] not in factories(s, sender, home=True):
            raise IllegalDecision(
                f"{name(path[0])} has no factory in {name(sender)}'s Home Country.", "11.4a"
            )
    for here, there in pairwise(inland):
        if there not in land_ways(s, here):
            raise IllegalDecision(
                f"Neither railroad nor river leads from {name(here)} to {name(there)}.", "11.4c"
            )
    for zone in inland:
        if not _open(s, sender, receiver, zone):
            raise IllegalDecision(f"{name(zone)} is not open to this lend-lease.", "11.4c")


def _check_crossing(
    s: State, sender: str, job: Job, port: str, seas: tuple[str, ...], landing: str
) -> None:
    """Rules: 11.4d, 11.4e, 11.4f, 11.4g, 11.4j"""
    name, ipp = s.facts.name, worth(s, job)
    if (port, seas[0]) not in ports(s, sender, job.for_, ipp):
        raise IllegalDecision(
            f"No naval facility in {name(port)} can send this from {name(seas[0])}.", "11.4e"
        )
    if not big_enough(s, landing, seas[-1], ipp):
        raise IllegalDecision(
            f"No naval facility in {name(landing)} can receive this from {name(seas[-1])}.", "11.4e"
        )
    far = sea_distances(s, sender, seas[0])
    if far.get(seas[-1], -1) != len(seas) - 1 or any(
        there not in sea_ways(s, sender, here) for here, there in pairwise(seas)
    ):
        raise IllegalDecision("Lend-lease takes the shortest route across the sea.", "11.4g")


# --- interdiction and delivery --------------------------------------------------------------------


def interdictors(s: State, sender: str, sea: str) -> tuple[str, ...]:
    """The powers at war with the sender that threaten lend-lease in a sea zone: with a submarine,
    an aircraft on Maritime Air Patrol, or three surface warships.

    Rules: 11.4h
    """
    stack = s.at.get(sea)
    if not stack:
        return ()
    found: set[str] = set()
    ships: dict[str, int] = {}
    for unit, count in stack.items():
        if not enemies(s, sender, unit.nation):
            continue
        kind, power = s.facts.units[unit.type], power_of(s, unit.nation)
        if kind.submarine or on_patrol(s, unit):
            found.add(power)
        elif kind.warship:
            ships[power] = ships.get(power, 0) + count
    found.update(power for power, count in ships.items() if count >= FLEET)
    return tuple(sorted(found))


def run(g: Table[State], sender: str, job: Job, path: tuple[str, ...]) -> Procedure[bool]:
    """Take lend-lease along its path: in each sea zone with interdictors both sides roll a die, and
    a higher one of the Enemy's ends it. Whether it got through.

    Rules: 11.4b, 11.4h, 11.4i
    """
    s = g.state
    for zone in path:
        if not s.facts.zones[zone].sea:
            continue
        threats = interdictors(s, sender, zone)
        if threats:
            lines = (
                RollLine(sender, "lend_lease", 1, 0, 6),
                RollLine(threats[0], "interdiction", 1, 0, 6),
            )
            ours, theirs = yield from g.roll("interdiction", lines)
            lost = theirs > ours
            g.emit(
                "interdicted",
                power=sender,
                against=threats[0],
                space=zone,
                lines=lines,
                dice=[ours, theirs],
                lost=lost,
            )
            if lost:
                return False
    return True


def arrive(s: State, job: Job, path: tuple[str, ...]) -> None:
    """What is lent becomes the receiver's: money in its treasury, a unit in the zone of arrival, a
    ship in the sea zone of the naval facility.

    Rules: 7.9f, 11.4l, 7.9g
    """
    if job.what == MONEY:
        s.treasury[job.for_] = s.treasury.get(job.for_, 0) + job.ipp
        return
    zone = path[-1]
    if s.facts.units[job.what].naval:
        seas = [at for at in path if s.facts.zones[at].sea]
        zone = seas[-1]
    s.build(zone, Unit(job.for_, job.what))
