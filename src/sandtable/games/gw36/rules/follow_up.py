"""What the force behind a screen does when the screen has fought (9.7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.gw36.model import Stack, State
from sandtable.games.gw36.rules.battle import lead
from sandtable.games.gw36.rules.retreat import hostile_ships
from sandtable.games.gw36.rules.terms import enemy_zone
from sandtable.games.gw36.rules.zones import enemies_in
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

WAITING = frozenset({"follow", "landing", "bombard"})


class Land(Decision, frozen=True, tag="land"):
    """The force that has come through assaults that land zone; or none."""

    space: str = ""


class MayLand(Request, frozen=True, tag="may_land"):
    """Whether the force that has come through the screen's battle makes an assault."""

    space: str
    zones: tuple[str, ...]

    answers: ClassVar[tuple[type[Decision], ...]] = (Land,)

    def check(self, state: State, decision: Land) -> None:
        """Rules: 9.7b"""
        if decision.space and decision.space not in self.zones:
            raise IllegalDecision(
                f"The force cannot assault {state.facts.name(decision.space)}.", "9.7b"
            )

    def decisions(self, state: State) -> Iterator[Decision]:
        yield Land()
        yield from (Land(zone) for zone in self.zones)


def waiting(s: State, zone: str, nations: tuple[str, ...]) -> Stack:
    """The units behind the screen in a sea zone."""
    return {
        unit: count
        for unit, count in s.stack(zone).items()
        if unit.duty in WAITING and unit.nation in nations
    }


def go_on(g: Table[State], zone: str, nations: tuple[str, ...]) -> Procedure[None]:
    """The screen has won: who waited to move enters the next zone with all the movement it has
    left, and may fight one naval battle or make one assault there; who waited to land, lands.

    Rules: 9.7a, 9.7b, 9.7c, 9.7e
    """
    s = g.state
    entered: dict[str, Stack] = {}
    for unit, count in waiting(s, zone, nations).items():
        if unit.duty != "follow":
            continue
        there = unit.target
        move = s.facts.units[unit.type].move
        s.take(zone, unit, count)
        goes = unit._replace(duty="moved", target="", origin=zone, used=max(unit.used, move))
        s.put(there, goes, count)
        entered.setdefault(there, {})[goes] = count
    for there, units in entered.items():
        nation = next(iter(units)).nation
        g.emit("passed_screen", power=nation, path=[zone, there])
        if hostile_ships(s, nation, there):
            for unit, count in units.items():
                s.change(there, unit, count, duty="attack")
            if (there, "naval") not in s.planned:
                s.planned = (*s.planned, (there, "naval"))
            continue
        yield from _may_land(g, there, units)


def _may_land(g: Table[State], sea: str, units: Stack) -> Procedure[None]:
    s = g.state
    loaded = {u: n for u, n in units.items() if s.facts.units[u.type].transport and u.cargo}
    if not loaded:
        return
    nation = next(iter(loaded)).nation
    zones = tuple(
        zone for zone in s.facts.coast[sea] if zone in s.possession and enemy_zone(s, nation, zone)
    )
    if not zones:
        return
    power = lead(s, [nation])
    answer: Land = yield from g.ask(MayLand(power, sea, zones))
    if not answer.space:
        return
    troops = 0
    for ship, count in loaded.items():
        cargo = tuple(
            sorted(
                piece._replace(duty="assault", target="")
                if s.facts.units[piece.type].land
                else piece
                for piece in ship.cargo
            )
        )
        troops += count * sum(piece.duty == "assault" for piece in cargo)
        s.change(sea, ship, count, duty="landing", target=answer.space, cargo=cargo)
    for ship, count in sorted(units.items()):
        guns = min(count, troops) if s.facts.units[ship.type].bombard else 0
        troops -= guns
        if guns:
            s.change(sea, ship, guns, duty="bombard", target=answer.space)
    if (answer.space, "land") not in s.planned:
        s.planned = (*s.planned, (answer.space, "land"))


def turn_back(g: Table[State], zone: str, nations: tuple[str, ...]) -> None:
    """The screen is gone or has left: who waited behind it retreats to an unoccupied sea zone that
    one of its ships came from, and fights no more this turn.

    Rules: 9.7d
    """
    s = g.state
    units = waiting(s, zone, nations)
    origins = sorted({unit.origin for unit in units if unit.origin})
    free = [place for place in origins if not _occupied(s, nations, place)]
    for unit, count in units.items():
        if unit.origin in free:
            there = unit.origin
        elif free:
            there = free[0]
        else:
            there = zone
        cargo = tuple(sorted(piece._replace(duty="", target="") for piece in unit.cargo))
        s.take(zone, unit, count)
        s.put(there, unit._replace(duty="retreated", target="", origin="", cargo=cargo), count)
    targets = {unit.target for unit in units if unit.duty == "landing"}
    for land in sorted(targets):
        attacked = any(
            unit.duty in ("attack", "assault") and unit.nation in nations for unit in s.stack(land)
        )
        still = any(
            unit.duty == "landing" and unit.target == land
            for sea in s.facts.coast[land]
            for unit in s.stack(sea)
        )
        if not attacked and not still:
            s.planned = tuple(each for each in s.planned if each != (land, "land"))
    if units:
        g.emit("turned_back", space=zone, power=nations[0] if nations else "")


def _occupied(s: State, nations: tuple[str, ...], zone: str) -> bool:
    return any(
        s.facts.units[unit.type].naval for nation in nations for unit in enemies_in(s, nation, zone)
    )
