"""Amphibious assaults: the guns, and who lands in which round (9.8, 9.9, 12.9)."""

from __future__ import annotations

from sandtable.games.gw36.model import Stack, State, Unit
from sandtable.games.gw36.rules.battle import attackers, forces, running
from sandtable.games.gw36.rules.casualties import Hits, lose, suffer
from sandtable.games.gw36.rules.rounds import roll
from sandtable.games.gw36.rules.values import Shots
from sandtable.games.gw36.rules.zones import coastal_artillery
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

GUN_SHOTS, GUN_VALUE = 3, 3


def landing(s: State, zone: str) -> dict[str, Stack]:
    """Sea zone to the transports that land units in `zone`."""
    return _offshore(s, zone, "landing")


def bombarding(s: State, zone: str) -> dict[str, Stack]:
    """Sea zone to the ships that support the landing with their guns."""
    return _offshore(s, zone, "bombard")


def _offshore(s: State, zone: str, duty: str) -> dict[str, Stack]:
    found: dict[str, Stack] = {}
    for sea in s.facts.coast[zone]:
        some = {
            u: n
            for u, n in s.stack(sea).items()
            if u.duty == duty and (u.target == zone or any(_bound_for(p, zone) for p in u.cargo))
        }
        if some:
            found[sea] = some
    return found


def _bound_for(piece: Unit, zone: str) -> bool:
    """Whether cargo is to be landed in a zone: a transport may land in several.

    Rules: 8.4c
    """
    return piece.duty == "assault" and piece.target in ("", zone)


def shell(g: Table[State]) -> Procedure[None]:
    """Shore bombardment and coastal artillery fire at the same time; both are first strike. Damage
    lowers the Attack and the Defense of a ship, not its value in Table 9-6.

    Rules: 9.8a, 9.9a, 9.9b, 9.9c, 9.9d, 12.9c, table-9-6a, table-9-6b, table-9-6c, table-9-6d,
        table-9-6e, table-9-6f
    """
    s = g.state
    zone = running(s).at
    transports, ships = landing(s, zone), bombarding(s, zone)
    scored: list[Hits] = []
    rows: dict[str, list[Shots]] = {}
    for some in ships.values():
        for unit, count in some.items():
            value = s.facts.units[unit.type].bombard
            rows.setdefault(unit.type, []).append(Shots(unit.nation, count, value, 0))
    for type_, shots in rows.items():
        for hits in (yield from roll(g, zone, "attack", type_, shots)):
            scored.append(hits._replace(by="bombardment"))
    sunk: dict[str, int] = {}
    for sea in {**transports, **ships}:
        guns = coastal_artillery(s, sea, zone)
        targets = sum(transports.get(sea, {}).values()) + sum(ships.get(sea, {}).values())
        if guns and targets:
            shots = [Shots(s.possession[zone], guns * min(targets, GUN_SHOTS), GUN_VALUE, 0)]
            for hits in (yield from roll(g, zone, "defense", "coastal_artillery", shots)):
                sunk[sea] = sunk.get(sea, 0) + hits.plain
    for hits in scored:
        yield from suffer(g, hits, at_once=True)
    for sea, number in sunk.items():
        some = {**landing(s, zone).get(sea, {}), **bombarding(s, zone).get(sea, {})}
        yield from lose(g, sea, some, number, "coastal_artillery")
    for sea, some in bombarding(s, zone).items():
        for unit, count in some.items():
            s.change(sea, unit, count, duty="fought", target="")


def go_ashore(g: Table[State], *, unopposed: bool = False) -> None:
    """Land the units that fight in this round: in the first round infantry-class units, and
    whatever comes from an Attack Transport; from the second on all others, if an infantry-class
    unit of the landing is still there. Where nobody fights (`unopposed`) all land.

    Rules: 9.8c, 9.8e, 9.8g, 7.8.attack-transport-c, 8.4c
    """
    s = g.state
    zone = running(s).at
    first = running(s).round == 0 and not unopposed
    if (
        not first
        and not unopposed
        and not any(
            unit.duty == "assault"
            and unit.target != "airborne"
            and s.facts.units[unit.type].class_ == "infantry"
            for unit in attackers(s)
        )
    ):
        return
    for sea, some in landing(s, zone).items():
        for ship, count in some.items():
            carrier = s.facts.units[ship.type]
            able = tuple(
                piece
                for piece in ship.cargo
                if _bound_for(piece, zone)
                and (
                    not first
                    or s.facts.units[piece.type].class_ == "infantry"
                    or carrier.id == "attack_transport"
                )
            )
            if not able:
                continue
            left = list(ship.cargo)
            for piece in able:
                left.remove(piece)
            s.change(sea, ship, count, cargo=tuple(left))
            target = "attack_transport" if carrier.id == "attack_transport" else ""
            for piece in able:
                s.put(zone, piece._replace(duty="assault", origin=sea, target=target), count)
            g.emit(
                "landed",
                space=zone,
                power=ship.nation,
                attackers=forces((piece, count) for piece in able),
            )


def stand_down(s: State, zone: str) -> None:
    """The landing is over: transports have unloaded, whoever could not land stays aboard.

    Rules: 8.4d, 9.8e
    """
    for sea, some in landing(s, zone).items():
        for ship, count in some.items():
            cargo = tuple(
                sorted(
                    piece
                    if piece.duty == "assault" and piece.target not in ("", zone)
                    else piece._replace(duty="fought", target="")
                    for piece in ship.cargo
                )
            )
            on = [piece.target for piece in cargo if piece.duty == "assault"]
            duty, target = ("landing", on[0]) if on else ("fought", "")
            s.change(sea, ship, count, duty=duty, target=target, cargo=cargo)


def assault_force(s: State, zone: str) -> tuple[Unit, ...]:
    """All units aboard transports that are to be landed in a zone."""
    return tuple(
        piece
        for some in landing(s, zone).values()
        for ship in some
        for piece in ship.cargo
        if _bound_for(piece, zone)
    )
