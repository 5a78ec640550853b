"""The greedy bot's choices of Blitz, weapons, builds and trade."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.blitz.bot.attack import LEAST, ground_attacks
from sandtable.games.blitz.bot.march import station
from sandtable.games.blitz.bot.sea import closeness
from sandtable.games.blitz.bot.worth import area_worth, land_units, threat
from sandtable.games.blitz.facts import BIG
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.choose_blitz import AnnounceBlitz, ChooseBlitz
from sandtable.games.blitz.rules.convoys import convoy_left
from sandtable.games.blitz.rules.counters import current_group, small_name
from sandtable.games.blitz.rules.income import Keep, KeepRequest
from sandtable.games.blitz.rules.lend_lease import Lend, LendRequest
from sandtable.games.blitz.rules.partisans import PartisanRequest, PlacePartisan
from sandtable.games.blitz.rules.sides import enemy_held
from sandtable.games.blitz.rules.spend import Build, DevelopBomb, SpendRequest, TestBomb, builds
from sandtable.games.blitz.rules.steps import Done
from sandtable.games.blitz.rules.weapons import Develop, DevelopRequest
from sandtable.kernel.decisions import Decision, Pass

SAVED_OIL = 2
"""So much Oil is kept for Blitzes."""


def choose_blitz(s: State, request: ChooseBlitz) -> Iterator[Decision]:
    """A Land Blitz if there is a good attack, a Naval one if there are convoys to sink."""
    power = request.power
    best = max(
        (
            gain
            for area, holder in s.control.items()
            if holder and enemy_held(s, area, power)
            for gain, _ in ground_attacks(s, power, area)
        ),
        default=0.0,
    )
    walk = any(
        holder and enemy_held(s, area, power) and not land_units(s, area)
        for area, holder in s.control.items()
        if any(
            s.units[id].power == power
            for near in s.facts.land_next[area]
            for id in land_units(s, near)
        )
    )
    hunt = sum(
        convoy_left(s, sea)
        for sea, convoy in s.facts.convoys.items()
        if sea in s.in_play and s.facts.side[convoy.power] != s.facts.side[power]
    )
    if best > 2.0 or (walk and best > LEAST):
        if s.oil[power] > SAVED_OIL:
            yield AnnounceBlitz("total")
        yield AnnounceBlitz("land")
    if hunt and s.oil[power] > 1 and _has_fleet(s, power):
        yield AnnounceBlitz("naval")
    yield AnnounceBlitz("free")


def _has_fleet(s: State, power: str) -> bool:
    return any(s.type(id) in ("SUB", "BB", "CV") for id, _ in s.of(power))


def develop(s: State, request: DevelopRequest) -> Iterator[Decision]:
    """The most useful counters of the Group."""
    group = list(current_group(s, request.power))
    group.sort(key=lambda counter: (-_use(s, request.power, counter), counter))
    if request.first in group:
        group.remove(request.first)
        group.insert(0, request.first)
    for most in range(request.most, 0, -1):
        yield Develop(tuple(group[:most]))
    yield Pass()


_WANTED = {
    "ARM": 3.0,
    "INF": 2.0,
    "AIR": 2.0,
    "MAR": 1.6,
    "CV": 1.6,
    "SUB": 1.4,
    "TRS": 1.4,
    "LL": 2.2,
    "BB": 1.0,
    "PARA": 1.0,
    "FORT": 1.0,
    "GAR": 1.2,
    "AA": 0.5,
    "VWEAPON": 0.8,
    "ABOMB": 1.2,
}


def _use(s: State, power: str, counter: str) -> float:
    """How useful a counter would be to have."""
    id = small_name(counter)
    use = _WANTED[s.facts.kinds[id].type]
    if counter.endswith(BIG):
        return use * (1.0 if id in s.units else 0.4)
    return use


def keep(s: State, request: KeepRequest) -> Iterator[Decision]:
    """Some Oil, then Resources, then what is left."""
    oil = min(request.oil, SAVED_OIL, request.limit)
    resources = min(request.resources, request.limit - oil)
    left = request.limit - oil - resources
    minors = []
    for account in request.minors:
        kept = min(account, left)
        minors.append(kept)
        left -= kept
    yield Keep(oil + left, resources, tuple(minors))


def lend(s: State, request: LendRequest) -> Iterator[Decision]:
    """Resources rather than Oil."""
    yield Lend()
    yield from request.decisions(s)


def place_partisan(s: State, request: PartisanRequest) -> Iterator[Decision]:
    """Where it hurts most."""
    if request.areas:
        yield PlacePartisan(max(request.areas, key=lambda area: (area_worth(s, area), area)))
    yield Pass()


def spend(s: State, request: SpendRequest) -> Iterator[Decision]:
    """The build with the most for its price, one at a time; some Oil is saved."""
    power = request.power
    book = s.books[power]
    if book.bomb and book.resources > 3:
        yield TestBomb() if book.bomb <= 2 else DevelopBomb()
    found: list[tuple[float, Build]] = []
    saving = book.oil <= SAVED_OIL and not book.resources
    for order in builds(s, power, book):
        worth = _build_worth(s, power, order)
        if saving and s.facts.kinds[order.unit].type != "GAR":
            continue
        found.append((worth, order))
    found.sort(key=lambda each: (-each[0], each[1].unit, each[1].at))
    for worth, order in found:
        if worth > 0.4:
            yield order
    yield Done()
    yield from request.decisions(s)


def _build_worth(s: State, power: str, order: Build) -> float:
    """What a point of Size brings where it is built."""
    id = order.unit
    kind = s.facts.kinds[id]
    before = s.facts.profiles.get((id, order.size - 1))
    after = s.facts.profiles.get((id, order.size))
    if after is None:
        return 0.0
    gain = after.land + 0.8 * after.air + 0.6 * after.naval + 0.7 * after.bomb
    gain += 0.5 * (after.land_r + after.air_r + after.naval_r)
    if before is not None:
        gain -= before.land + 0.8 * before.air + 0.6 * before.naval + 0.7 * before.bomb
    if order.size == 1:
        gain += 0.3
    unit = s.units.get(id)
    at = unit.at if unit is not None else order.at
    if kind.type == "LL":
        return 2.5
    if kind.super_weapon and unit is None:
        gain += 3.0
    if s.facts.domain[id] == "naval":
        seas = s.facts.coast.get(at, ()) if at in s.facts.lands else (at,)
        near = min((closeness(s, power).get(sea, 9) for sea in seas), default=9)
        if kind.type == "TRS":
            gain += 1.0 if near < 3 else 0.0
        return gain * (0.7 if near < 4 else 0.3)
    if s.facts.domain[id] == "land" and at in s.control:
        menace = threat(s, at, power)
        gain += 0.15 * menace + (2.0 if menace and not land_units(s, at) else 0.0)
        gain += 0.1 * station(s, power, id, at)
        if kind.type == "FORT":
            gain += 1.0 if menace else -2.0
    return gain
