"""Possession of land zones: capture, recapture, annexation, and units that change sides (9.19 to
9.23)."""

from __future__ import annotations

from sandtable.games.gw36.facts import pair
from sandtable.games.gw36.model import Facility, News, State, Unit
from sandtable.games.gw36.rules.terms import alliance, enemies, friendly, on, power_of
from sandtable.games.gw36.rules.zones import barred
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

CONQUEST = ("captured", "recaptured")


def earner(s: State, nation: str) -> str:
    """The player nation that has the income of a nation's zones: itself, Germany for Vichy France,
    nobody for other Minor Powers.

    Rules: 14.4.2e, table-4-2h
    """
    if nation == "vichy_france":
        return s.control.get(nation, "")
    return nation if s.facts.nations[nation].player else ""


def capital(s: State, nation: str) -> str:
    """A nation's present capital; empty if it has none."""
    return s.capital.get(nation, s.facts.nations[nation].capital)


def heir(s: State, nation: str) -> str:
    """Who has a nation's rights to its zones: the Major Power that a Minor Power is part of, Free
    France after France has surrendered, or itself.

    Rules: 4.4c, 14.4.1b, 14.4.1c
    """
    nation = s.aligned.get(nation, nation)
    return "free_france" if nation == "france" and "france" in s.surrendered else nation


def possess(g: Table[State], zone: str, nation: str, how: str) -> None:
    """Put a nation's roundel on a land zone, move its value from one income to the other, and see
    to the facilities. `how`: captured, recaptured (for its rightful owner), aligned, annexed,
    returned, surrendered. What follows is drawn elsewhere.

    Rules: 0.9.possession-a, 9.19a, 5.3a
    """
    s = g.state
    old = s.possession[zone]
    if old == nation:
        return
    s.possession[zone] = nation
    value = s.facts.zones[zone].ipp
    if earner(s, old) != earner(s, nation):
        for who, change in ((earner(s, old), -value), (earner(s, nation), value)):
            if who:
                s.income[who] = max(0, s.income.get(who, 0) + change)
    _facilities(s, zone, nation, how)
    _construction(s, zone, nation, how)
    if how in CONQUEST:
        s.captured |= {zone}
    g.emit("possessed", power=nation, space=zone, against=old, how=how)
    s.tell(News("possession", nation, old, zone, how))


def _facilities(s: State, zone: str, nation: str, how: str) -> None:
    """Fortifications and coastal artillery are removed by a conquest; a captured factory is a minor
    one until the zone's rightful owner has it again.

    Rules: 12.4c, 12.7g, 12.9b
    """
    before = s.facilities.get(zone, ())
    rightful = heir(s, s.facts.zones[zone].owner) == nation
    after: list[Facility] = []
    for facility in before:
        kind = s.facts.facilities[facility.type]
        if how in CONQUEST and kind.group == "border":
            continue
        if kind.group == "factory":
            if rightful and facility.was:
                facility = facility._replace(type=facility.was, was="")
            elif how in CONQUEST and not rightful and facility.type != "minor_factory":
                facility = facility._replace(type="minor_factory", was=facility.type)
        after.append(facility)
    if after:
        s.facilities[zone] = tuple(sorted(after))
    elif before:
        del s.facilities[zone]


def _construction(s: State, zone: str, nation: str, how: str) -> None:
    """What is being built in a zone goes on for who has it now: facilities, and, where ships lie at
    their yards (15.8), capital ships after a conquest.

    Rules: 7.3g, 15.8b
    """
    owner = earner(s, nation)
    if not owner:
        return
    ships = how in CONQUEST and on(s, "ships_under_construction")
    track = []
    for job in s.track:
        if job.at == zone and job.nation != owner:
            unit = s.facts.units.get(job.what)
            if job.what in s.facts.facilities or (ships and unit and unit.capital):
                job = job._replace(nation=owner)
        track.append(job)
    s.track = tuple(sorted(track))


def lose_treasury(g: Table[State], loser: str, conqueror: str) -> None:
    """Who loses its capital loses its cash to the bank; France loses it to the conqueror.

    Rules: 9.23a, 14.4.1a
    """
    s = g.state
    cash = s.treasury.get(loser, 0)
    if not cash:
        return
    s.treasury[loser] = 0
    to = earner(s, conqueror) if loser == "france" else ""
    if to:
        s.treasury[to] = s.treasury.get(to, 0) + cash
    g.emit("treasury_lost", power=loser, ipp=cash, taker=to)


def taker(s: State, zone: str, captor: str) -> tuple[str, str]:
    """Who possesses a land zone that a nation conquers, and how: a member of the captor's Alliance
    whose roundel is printed there gets it back. In a truce a Chinese faction keeps what it takes
    of the Chinese Home Country.

    Rules: 9.20a, 9.22e, 13.3f, table-4-2a
    """
    rightful = heir(s, s.facts.zones[zone].owner)
    if rightful == captor:
        return captor, "recaptured"
    truce = "chinese_truce" in s.pacts and captor in ("kmt", "ccp")
    if truce and zone in s.facts.nations[captor].home:
        return captor, "captured"
    side = alliance(s, captor)
    if side and side == alliance(s, rightful) and s.facts.nations[rightful].player:
        return rightful, "recaptured"
    return captor, "captured"


def capture_zone(g: Table[State], zone: str) -> None:
    """After a battle: the attackers whose land units stand in the zone take it; of several nations
    the one with most land units, or the first in the order of play. Nothing happens without a land
    unit. Who moves into a zone of a nation that has surrendered, and is not at war with it, claims
    it.

    Rules: 9.19a, 9.19b, 9.20a, 9.22d
    """
    s = g.state
    holder = s.possession[zone]
    claimed = holder in s.surrendered
    counts: dict[str, int] = {}
    for unit, count in s.stack(zone).items():
        if not s.facts.units[unit.type].land or unit.nation == holder:
            continue
        if claimed or hostile(s, unit.nation, holder):
            counts[unit.nation] = counts.get(unit.nation, 0) + count
    if not counts:
        return
    order = [*s.facts.powers, *sorted(set(counts) - set(s.facts.powers))]
    captor = min(counts, key=lambda nation: (-counts[nation], order.index(nation)))
    if hostile(s, captor, holder):
        possess(g, zone, *taker(s, zone, captor))
    else:
        possess(g, zone, captor, "surrendered")


def hostile(s: State, one: str, other: str) -> bool:
    """Whether two nations fight each other: at war, or one has attacked the other without war this
    turn."""
    return enemies(s, one, other) or pair(power_of(s, one), power_of(s, other)) in s.attacked


def annex(g: Table[State], who: str, zone: str) -> None:
    """A land unit has moved in to take a zone peacefully. Where Slovakia may resist (15.4), that
    is decided after the movement.

    Rules: 0.9.annexation-a, 15.4a
    """
    s = g.state
    s.done[f"annex:{who}"] = s.done.get(f"annex:{who}", 0) + 1
    if zone == "slovakia" and on(s, "slovakian_resistance"):
        s.marks |= {"slovakia"}
        g.emit("annexation_begun", power=who, space=zone)
    else:
        take_peacefully(g, who, zone)


def take_peacefully(g: Table[State], who: str, zone: str) -> None:
    """Complete an annexation: the garrison joins or leaves, as the sheet or the pact says.

    Rules: 0.9.annexation-a, 14.2c
    """
    s = g.state
    owner = s.possession[zone]
    joins = any(
        annexation.garrison == "joins"
        for annexation in s.facts.politics.annexations
        if annexation.nation == who and zone in annexation.zones
    )
    for unit, count in sorted(s.stack(zone).items()):
        if unit.nation == owner:
            if joins:
                change_flag(s, zone, unit, count, who)
            else:
                s.destroy(zone, unit, count)
    s.annexed |= {zone}
    g.emit("annexed", power=who, space=zone)
    possess(g, zone, who, "annexed")
    s.tell(News("annexed", who, owner, zone))


def change_flag(s: State, zone: str, unit: Unit, count: int, nation: str) -> Unit:
    """Units become another nation's, with what they carry of the same nation; the changed unit."""

    def flagged(piece: Unit) -> Unit:
        if piece.nation != unit.nation:
            return piece
        for tally, who in ((s.lost, piece.nation), (s.built, nation)):
            tally[who, piece.type] = tally.get((who, piece.type), 0) + count
        return piece._replace(nation=nation, cargo=tuple(sorted(map(flagged, piece.cargo))))

    changed = flagged(unit)
    s.take(zone, unit, count)
    s.put(zone, changed, count)
    return changed


def come_over(s: State, old: str, new: str) -> None:
    """All units of a nation become another's, aboard other nations' ships too."""
    for zone, unit, count in list(s.units_of(old)):
        change_flag(s, zone, unit, count, new)
    for zone, unit, count in list(s.units()):
        if unit.cargo and any(piece.nation == old for piece in unit.cargo):
            cargo = []
            for piece in unit.cargo:
                if piece.nation == old:
                    for tally, who in ((s.lost, old), (s.built, new)):
                        tally[who, piece.type] = tally.get((who, piece.type), 0) + count
                    piece = piece._replace(nation=new)
                cargo.append(piece)
            s.change(zone, unit, count, cargo=tuple(sorted(cargo)))


def remove_units(g: Table[State], nation: str) -> None:
    """Take all of a nation's units off the board, as cargo too."""
    s = g.state
    for zone, unit, count in list(s.units_of(nation)):
        s.destroy(zone, unit, count)
    for zone, unit, count in list(s.units()):
        rest = tuple(piece for piece in unit.cargo if piece.nation != nation)
        for piece in unit.cargo:
            if piece.nation == nation:
                key = (nation, piece.type)
                s.lost[key] = s.lost.get(key, 0) + count
        s.change(zone, unit, count, cargo=rest)
    g.emit("units_removed", power=nation)


def withdraw(s: State, zone: str, unit: Unit, count: int) -> None:
    """Units that may not stay go to the nearest Friendly land zone, however far; the first by name
    of several. They are lost if there is none."""
    to = nearest_friendly(s, zone, unit.nation)
    if to:
        s.take(zone, unit, count)
        s.put(to, unit._replace(duty="", target="", origin=""), count)
    else:
        s.destroy(zone, unit, count)


def nearest_friendly(s: State, start: str, nation: str) -> str:
    """The nearest land zone that is Friendly to a nation, counted over land and sea."""
    reached, edge = {start}, [start]
    while edge:
        edge = sorted({n for zone in edge for n in s.facts.neighbours[zone]} - reached)
        reached.update(edge)
        for zone in edge:
            if zone in s.possession and friendly(s, nation, zone) and not barred(s, zone):
                return zone
    return ""


def follow(g: Table[State], news: News) -> Procedure[None]:
    """Whose capital is conquered loses its cash."""
    if (
        news.kind == "possession"
        and news.how in CONQUEST
        and news.where == capital(g.state, news.whom)
    ):
        lose_treasury(g, news.whom, news.who)
    return
    yield
