"""Facilities (12.3-12.10): who may use them, what they give and cost, where they are built."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw36.facts import UnitType, pair
from sandtable.games.gw36.model import Facility, Job, State
from sandtable.games.gw36.rules.civil_wars import may_use_spanish_ports
from sandtable.games.gw36.rules.pacts import BASIS_NORD, uses_basis_nord
from sandtable.games.gw36.rules.supply import path, permitted, rail_reach
from sandtable.games.gw36.rules.terms import has_tech, on
from sandtable.games.gw36.rules.zones import side, start_bonus
from sandtable.kernel.errors import IllegalDecision

FACTORIES = ("minor_factory", "medium_factory", "major_factory")
ROUGH = frozenset({"desert", "jungle", "marsh", "mountain"})


def usable(s: State, zone: str, facility: Facility) -> bool:
    """Whether a facility works for the owner of its zone: one that is damaged does not, but for
    Major Factories, which lose output step by step; nor does Basis Nord.

    Rules: table-12-2a, table-12-2c, table-12-2e, 12.5.minor-port-a, 12.5.major-port-a,
        12.5.minor-shipyard-a, 12.5.major-shipyard-a, 12.5.minor-dockyard-a, 12.5.major-dockyard-a,
        12.5.seaplane-base-a, 12.5.submarine-base-a, 12.5.air-base-a
    """
    if facility.type == "major_factory":
        return facility.damage < s.facts.facilities[facility.type].production
    return not facility.damage and facility.was != BASIS_NORD


def may_use(s: State, nation: str, zone: str) -> bool:
    """Whether a nation may use the bases and ports of a land zone: its own, those of whom it is
    Aligned with, and the naval facilities of Spain for whoever helped the winner of its civil war.

    Rules: 12.5a, 13.1m, 13.1q, table-4-2d
    """
    owner = s.possession[zone]
    return owner in side(s, nation).friends or may_use_spanish_ports(s, nation, zone)


def movement_bonus(s: State, nation: str, kind: UnitType, zone: str) -> int:
    """The movement that facilities give to a unit that begins its move in a zone; with that of
    Spanish ports and of Basis Nord, for those that may use them.

    Rules: 12.5a, 12.5c, 12.5d, 13.1m, 13.1q, 14.2j
    """
    best = start_bonus(s, nation, kind, zone)
    helped = s.spain in ("nationalist", "republican") or "molotov_ribbentrop" in s.pacts
    if best or not kind.naval or not helped:
        return best
    for land in s.facts.coast[zone]:
        for f in s.facilities.get(land, ()):
            if f.damage or zone not in at_sea(s, land, f):
                continue
            gain = s.facts.facilities[f.type]
            if may_use_spanish_ports(s, nation, land):
                best = max(best, gain.ship_bonus)
            if kind.submarine and uses_basis_nord(s, nation, f):
                best = max(best, gain.submarine_bonus)
    return best


def at_sea(s: State, zone: str, facility: Facility) -> tuple[str, ...]:
    """The sea zones that a facility of a coastal zone serves."""
    return (facility.at,) if facility.at else s.facts.coast.get(zone, ())


# --- factories ------------------------------------------------------------------------------------


def capacity(s: State, nation: str, factory: Facility) -> int:
    """How many units a factory produces in a turn for the nation that possesses it. A captured one
    works as a Minor Factory; Improved Factories have to be the present owner's.

    Rules: table-12-2a, table-12-2c, table-12-2e, table-12-2i, 12.4c, 7.8.improved-factories-a,
        7.8.improved-factories-b
    """
    kind = s.facts.facilities[factory.type]
    units = kind.production
    if has_tech(s, nation, "improved_factories"):
        units += kind.improved
    if factory.type == "major_factory":
        return max(0, units - factory.damage)
    return 0 if factory.damage else units


def output(s: State, nation: str, zone: str) -> int:
    """How many units the factories of a zone can still bring in this turn. The zone has to be the
    nation's since the start of the turn; factories that are new produce nothing, upgraded ones what
    they did before.

    Rules: 11.1a, 11.1b, 11.1c, 12.4a, 12.4b
    """
    if s.possession[zone] != nation or s.start_possession.get(zone, nation) != nation:
        return 0
    units = sum(
        capacity(s, nation, f)
        for f in s.facilities.get(zone, ())
        if f.type in FACTORIES and f.since != s.date
    )
    return units - s.done.get(f"placed:{zone}", 0) if units else 0


def equipped(s: State, nation: str) -> list[str]:
    """The zones of a nation in which it has facilities."""
    possession = s.possession
    return sorted([zone for zone in s.facilities if possession[zone] == nation])


def factories(s: State, nation: str, *, home: bool = False) -> Iterator[str]:
    """The zones in which a nation has a factory that works (in its Home Country)."""
    ours = s.facts.nations[nation].home
    for zone in equipped(s, nation):
        if not home or zone in ours:
            for f in s.facilities[zone]:
                if f.type in FACTORIES and usable(s, zone, f):
                    yield zone
                    break


def has_factory(s: State, zone: str, *types: str) -> bool:
    """Whether a zone has a working factory (of one of these types)."""
    return any(
        f.type in (types or FACTORIES) and usable(s, zone, f) for f in s.facilities.get(zone, ())
    )


# --- yards ----------------------------------------------------------------------------------------


def yard_slots(s: State, nation: str, facility: Facility) -> int:
    """How many ships a shipyard builds (or repairs hits of), or a dockyard repairs hits of, in a
    turn.

    Rules: 7.4c, 11.1h, 12.5.minor-shipyard-a, 12.5.major-shipyard-a, 12.5.minor-dockyard-a,
        12.5.major-dockyard-a, 7.8.improved-construction-c
    """
    if facility.damage:
        return 0
    kind = s.facts.facilities[facility.type]
    slots = kind.ships or kind.repairs
    if kind.ships and has_tech(s, nation, "improved_construction"):
        slots += kind.improved
    return slots


# --- where facilities can be built ----------------------------------------------------------------


def rough(s: State, zone: str, other: str) -> bool:
    """Whether a railway across a border leads through difficult terrain.

    Rules: 12.10d, 12.10f
    """
    facts = s.facts
    return bool(
        ROUGH
        & {
            facts.zones[zone].terrain,
            facts.zones[other].terrain,
            facts.border_terrain.get((zone, other), ""),
            facts.border_terrain.get((other, zone), ""),
        }
    )


def prices(s: State, nation: str, type_: str, zone: str, border: str = "") -> tuple[int, ...]:
    """The instalments of a facility that is built in a zone, before what a technology saves.

    Rules: 12.10d, 1.10f, 1.11e, 7.3a, 12.7a, 12.9a, table-12-2a, table-12-2c, table-12-2e
    """
    if type_ == "railroad":
        return (4,) if rough(s, zone, border) else (2,)
    cost = s.facts.facilities[type_].cost
    switch = {"jungle": "jungles", "marsh": "marshes"}.get(s.facts.zones[zone].terrain)
    if switch and on(s, switch):
        return (cost[0] + 1, *cost[1:])
    return cost


def max_damage(s: State, zone: str, type_: str, border: str = "") -> int:
    """The most damage that a facility can have.

    Rules: 12.10f, table-12-2a, table-12-2c, table-12-2e
    """
    if type_ == "railroad":
        return 2 if rough(s, zone, border) else 1
    return s.facts.facilities[type_].max_damage


def check_site(s: State, nation: str, type_: str, zone: str, border: str = "") -> None:
    """Refuse to build a facility in a zone where it may not stand. It stands in an own zone,
    without a factory there if need be; what serves ships at a sea zone, what protects a border on
    that.

    Rules: 12.3a, table-12-2b, table-12-2d, table-12-2f, 12.5.minor-port-a, 12.5.major-port-a,
        12.5.minor-shipyard-b, 12.5.major-shipyard-b, 12.7a, 12.8a, 12.8b, 12.9a, 12.10a
    """
    facts = s.facts
    if zone not in facts.zones or facts.zones[zone].sea:
        raise IllegalDecision(f"There is no land zone {facts.name(zone)}.", "12.3a")
    if s.possession[zone] != nation:
        raise IllegalDecision(f"{facts.name(nation)} does not possess {facts.name(zone)}.", "12.3a")
    kind = facts.facilities[type_]
    if kind.group == "factory":
        _check_factory(s, nation, type_, zone, border)
    elif type_ == "railroad":
        _check_railroad(s, nation, zone, border)
    elif type_ in ("fortification", "coastal_artillery"):
        _check_border(s, type_, zone, border)
    elif type_ == "air_base":
        _check_no_border(s, type_, border)
    else:
        _check_shore(s, nation, type_, zone, border)


def _check_no_border(s: State, type_: str, border: str) -> None:
    if border:
        raise IllegalDecision(f"{s.facts.name(type_)}: it stands on no border.", "11.3a")


def _check_factory(s: State, nation: str, type_: str, zone: str, border: str) -> None:
    """Rules: table-12-2b, table-12-2d, table-12-2f"""
    facts = s.facts
    _check_no_border(s, type_, border)
    home = facts.nations[nation].home
    if type_ != "minor_factory":
        if zone not in home:
            raise IllegalDecision(
                f"A {facts.name(type_)} can be built in the Home Country only, and "
                f"{facts.name(zone)} is not in it.",
                "table-12-2b" if type_ == "major_factory" else "table-12-2d",
            )
        return
    if not facts.zones[zone].ipp:
        raise IllegalDecision(f"{facts.name(zone)} has no IPP value.", "table-12-2f")
    if path(s, nation, zone, lambda end: end in home and own_major(s, nation, end)) is None:
        raise IllegalDecision(
            f"No supply path leads from {facts.name(zone)} to a Major Factory in the Home Country.",
            "table-12-2f",
        )


def own_major(s: State, nation: str, zone: str) -> bool:
    """Whether a nation has a Major Factory in a zone, damaged or not."""
    return s.possession[zone] == nation and any(
        f.type == "major_factory" for f in s.facilities.get(zone, ())
    )


def _check_railroad(s: State, nation: str, zone: str, border: str) -> None:
    """Rules: 12.10a, 12.10b"""
    facts = s.facts
    if border not in facts.land_next[zone]:
        raise IllegalDecision(
            f"A railroad leads across a land border of {facts.name(zone)}.", "12.10a"
        )
    if s.possession[border] not in side(s, nation).friends and not permitted(
        s, nation, s.possession[border]
    ):
        raise IllegalDecision(
            f"{facts.name(border)} is not Friendly: no railroad can be built there.", "12.10a"
        )
    if pair(zone, border) in s.railways or _under_way(s, "railroad", zone, border):
        raise IllegalDecision(
            f"A railroad between {facts.name(zone)} and {facts.name(border)} is there already.",
            "12.10a",
        )


def _under_way(s: State, type_: str, zone: str, border: str) -> bool:
    places = {(zone, border), (border, zone)} if type_ == "railroad" else {(zone, border)}
    return any(job.what == type_ and (job.at, job.border) in places for job in s.track)


def _check_border(s: State, type_: str, zone: str, border: str) -> None:
    """Rules: 12.7a, 12.8a, 12.8b, 12.9a"""
    facts = s.facts
    name = facts.name(type_)
    if zone in facts.special_fortification:
        _check_no_border(s, type_, border)
    elif type_ == "coastal_artillery":
        if border not in facts.coast.get(zone, ()):
            raise IllegalDecision(
                f"Coastal Artillery stands where {facts.name(zone)} borders a sea zone.", "12.9a"
            )
    elif border not in facts.neighbours[zone]:
        raise IllegalDecision(f"A {name} stands on a border of {facts.name(zone)}.", "12.7a")
    if type_ == "fortification" and (
        any(
            f.type in ("fortification", "maginot") and f.at == border
            for f in s.facilities.get(zone, ())
        )
        or _under_way(s, type_, zone, border)
    ):
        raise IllegalDecision(f"{facts.name(zone)} has a fortification there already.", "12.7a")


def _check_shore(s: State, nation: str, type_: str, zone: str, border: str) -> None:
    """Rules: 12.5.minor-shipyard-b, 12.5.major-shipyard-b, 12.5.minor-port-a, 12.5.major-port-a,
    12.5.minor-dockyard-a, 12.5.major-dockyard-a, 12.5.submarine-base-a, 12.5.seaplane-base-a"""
    facts = s.facts
    name = facts.name(type_)
    coast = facts.coast.get(zone, ())
    if border not in coast and (type_ != "seaplane_base" or border):
        raise IllegalDecision(
            f"A {name} is built at a sea zone that {facts.name(zone)} borders.",
            "12.6a",
        )
    if type_ == "major_shipyard" and zone not in facts.nations[nation].home:
        raise IllegalDecision(
            f"A {name} can be built in the Home Country only, and {facts.name(zone)} is not in it.",
            "12.5.major-shipyard-b",
        )
    if type_ == "minor_shipyard" and not any(
        has_factory(s, end) and s.possession[end] == nation for end in rail_reach(s, nation, zone)
    ):
        raise IllegalDecision(
            f"No railroad connects {facts.name(zone)} with a factory of {facts.name(nation)}.",
            "12.5.minor-shipyard-b",
        )


def sites(s: State, nation: str, type_: str) -> Iterator[tuple[str, str]]:
    """Zones and borders at which a facility could stand; not all of them are allowed."""
    facts = s.facts
    kind = facts.facilities[type_]
    home = facts.nations[nation].home
    for zone in facts.land:
        if s.possession[zone] != nation:
            continue
        if kind.group == "factory":
            if zone in home if type_ != "minor_factory" else facts.zones[zone].ipp:
                yield zone, ""
        elif type_ == "air_base":
            yield zone, ""
        elif type_ == "railroad":
            for near in facts.land_next[zone]:
                if pair(zone, near) not in s.railways:
                    yield zone, near
        elif type_ in ("fortification", "coastal_artillery"):
            if zone in facts.special_fortification:
                yield zone, ""
            else:
                near_by = facts.neighbours[zone] if type_ == "fortification" else ()
                for near in near_by or facts.coast.get(zone, ()):
                    yield zone, near
        elif type_ != "major_shipyard" or zone in home:
            for sea in facts.coast.get(zone, ()):
                yield zone, sea


# --- placing and upgrading ------------------------------------------------------------------------


def upgrade_of(s: State, nation: str, zone: str, facility: Facility) -> tuple[str, int]:
    """What a facility can be upgraded to and for how much; refused where it cannot. Factories and
    shipyards grow in the Home Country only, and not while they count as captured.

    Rules: table-12-2d, table-12-2g, 12.5.minor-port-b, 12.5.minor-shipyard-b, 12.5.minor-dockyard-b
    """
    facts = s.facts
    kind = facts.facilities[facility.type]
    if kind.upgrade is None:
        raise IllegalDecision(f"A {kind.name} cannot be upgraded.", "7.3h")
    if (
        kind.group in ("factory", "shipyard") and zone not in facts.nations[nation].home
    ) or facility.was:
        raise IllegalDecision(
            f"{facts.name(zone)}: a {kind.name} can be upgraded in the Home Country only.",
            "table-12-2g" if kind.group == "factory" else "12.5.minor-shipyard-b",
        )
    return kind.upgrade


def put(s: State, zone: str, facility: Facility) -> None:
    """Add a facility to a zone."""
    s.facilities[zone] = tuple(sorted((*s.facilities.get(zone, ()), facility)))


def remove(s: State, zone: str, facility: Facility) -> None:
    """Take a facility from a zone."""
    here = list(s.facilities[zone])
    here.remove(facility)
    if here:
        s.facilities[zone] = tuple(here)
    else:
        del s.facilities[zone]


def place(s: State, job: Job) -> None:
    """Put up a finished facility where it was begun; one that takes the place of a smaller one
    keeps its damage. A new factory, or what an upgrade adds to one, produces nothing this turn.

    Rules: 11.3a, 11.3b, 11.1b, 11.1c, 12.10a, 12.10b
    """
    facts = s.facts
    if job.what == "railroad":
        s.railways[pair(job.at, job.border)] = _gauge(s, job.at, job.border)
        return
    old = replaced(s, job)
    if old is None:
        at = "" if facts.facilities[job.what].group == "factory" else job.border
        put(s, job.at, Facility(job.what, at, since=s.date))
        return
    remove(s, job.at, old)
    new = old._replace(type=job.what)
    put(s, job.at, new)
    if job.what in FACTORIES:
        gained = capacity(s, job.nation, new) - capacity(s, job.nation, old)
        key = f"placed:{job.at}"
        s.done[key] = s.done.get(key, 0) + gained


def replaced(s: State, job: Job) -> Facility | None:
    """The smaller facility of which a job is the upgrade, if it still stands."""
    if not job.upgrade:
        return None
    for f in s.facilities.get(job.at, ()):
        kind = s.facts.facilities[f.type]
        if kind.upgrade and kind.upgrade[0] == job.what and f.at == job.border:
            return f
    return None


def _gauge(s: State, zone: str, other: str) -> str:
    """The gauge of a new railroad: that of the lines it joins, a change where they differ."""
    ends = set()
    for end in (zone, other):
        for near in s.facts.land_next[end]:
            gauge = s.railways.get(pair(end, near))
            if gauge in ("regular", "broad"):
                ends.add(gauge)
                break
    return "change" if len(ends) == 2 else next(iter(sorted(ends)), "regular")
