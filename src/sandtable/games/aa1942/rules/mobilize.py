"""Phase 5: Mobilize New Units (p.22)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import ClassVar, NoReturn

from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.landing import crash, deck_room, decks_in, unlanded
from sandtable.games.aa1942.rules.movement import Done
from sandtable.games.aa1942.rules.production import can_place, complexes, zones_served
from sandtable.games.aa1942.words import counted
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision, passes
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Place(Decision, frozen=True, tag="place"):
    """Place bought units in a space, type to number."""

    space: str
    units: dict[str, int]


class Mobilize(Request, frozen=True, tag="mobilize"):
    """Place the units of the mobilization zone; done when nothing more can be placed."""

    units: dict[str, int]

    answers: ClassVar[tuple[type[Decision], ...]] = (Place, Done)

    def check(self, state: State, decision: Place | Done) -> None:
        if isinstance(decision, Done):
            _check_done(state)
        else:
            check_place(state, decision, complexes(state))

    def decisions(self, state: State) -> Iterator[Decision]:
        """Every placement of one type of unit in one space, and done where that is allowed."""
        stuck = True
        served = complexes(state)
        for type_, most in sorted(state.bought.items()):
            for space in _spaces_for(state, type_, served):
                for count in range(1, most + 1):
                    choice = Place(space, {type_: count})
                    if passes(check_place, state, choice, served):
                        stuck = False
                        yield choice
        if stuck:
            yield Done()

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        """Some placements at random, those that are legal; else all."""
        served = complexes(state)
        facts, types, lands = state.facts, list(state.bought), list(served)
        for _ in range(2 * len(types) if lands else 0):
            type_ = types[int(rng.random() * len(types))]
            places: Sequence[str] = lands
            if type_ == "industrial_complex":
                places = facts.territories
            elif facts.units[type_].domain == "sea" or (type_ == "fighter" and rng.random() < 0.3):
                places = facts.coast[lands[int(rng.random() * len(lands))]]
            if places:
                space = places[int(rng.random() * len(places))]
                place = Place(space, {type_: 1 + int(rng.random() * state.bought[type_])})
                if passes(check_place, state, place, served):
                    yield place
        yield from super().propose(state, rng)

    def sample(self, state: State, rng: random.Random) -> Decision:
        """The first that is proposed: all of them have passed the check."""
        return next(self.propose(state, rng))


def own_decks(s: State, zone: str) -> int:
    """Free places on the acting power's own carriers in a zone."""
    room = 0
    for unit, count in s.stack(zone).items():
        if unit.power == s.turn:
            if unit.type == "aircraft_carrier":
                room += count * deck_room(s, unit)
            elif unit.type == "fighter":
                room -= count
    return room


def check_place(s: State, place: Place, served: dict[str, int]) -> None:
    """Whether these bought units may be placed in this space; `served` is what `complexes` gives.

    Rules: mobilize.where, mobilize.land-bomber, mobilize.sea, mobilize.fighter,
        mobilize.fighter.no-ally-carrier, mobilize.ic.place, mobilize.ic.one,
        mobilize.limit.value, unit.air.landing-proof.commit-new
    """
    space = place.space
    known = s.facts.spaces.get(space)
    if known is None:
        raise IllegalDecision(
            f"There is no space {s.facts.name(space)} on the board.", "map.spaces"
        )
    if not place.units:
        raise IllegalDecision("A placement names at least one unit.", "mobilize.where")
    through = 0
    for type_, count in place.units.items():
        bought = s.bought.get(type_, 0)
        if not 1 <= count <= bought:
            raise IllegalDecision(
                f"{s.facts.power_name(s.turn)} has {counted(s.facts, type_, bought)} to place, "
                f"not {count}.",
                "purchase.hold",
            )
        if type_ == "industrial_complex":
            _check_new_complex(s, space, count)
            continue
        through += count
        domain = s.facts.units[type_].domain
        if known.sea:
            if type_ == "fighter":
                _check_decks(s, space, count, place.units.get("aircraft_carrier", 0))
            elif domain != "sea":
                raise IllegalDecision(
                    f"{s.facts.name(type_)} is placed in a territory with a complex, not at sea.",
                    "mobilize.land-bomber",
                )
            if not any(land in served for land in s.facts.coast[space]):
                raise IllegalDecision(
                    f"No industrial complex that {s.facts.power_name(s.turn)} may use borders "
                    f"{s.facts.name(space)}.",
                    "mobilize.sea",
                )
        elif domain == "sea":
            raise IllegalDecision(
                f"Ships are placed in sea zones, not in {s.facts.name(space)}.", "mobilize.sea"
            )
        elif space not in served:
            _refuse_complex(s, space)
    if through and not can_place(s, {space: through}, served):
        whole = s.copy()
        whole.complexes = dict.fromkeys(s.complexes, 0)
        raise IllegalDecision(
            f"The industrial complexes cannot bring {through} more units to {s.facts.name(space)} "
            "this turn.",
            "mobilize.limit.damage"
            if can_place(whole, {space: through})
            else "mobilize.limit.value",
        )
    if "aircraft_carrier" in s.bought and through and _fighters_wait(s):
        after = s.copy()
        _put(after, place)
        if _crashing(after) > _crashing(s):
            raise IllegalDecision(
                "A new carrier is needed for fighters that wait for it elsewhere.",
                "unit.air.landing-proof.commit-new",
            )


def _refuse_complex(s: State, territory: str) -> NoReturn:
    """Say why the acting power may not bring in units in a territory.

    Rules: mobilize.where, mobilize.ic.not-new, mobilize.ic.not-ally
    """
    holder = s.control.get(territory, "")
    if territory not in s.complexes or holder in s.facts.enemies[s.turn]:
        raise IllegalDecision(
            f"{s.facts.power_name(s.turn)} has no industrial complex in {s.facts.name(territory)}.",
            "mobilize.where",
        )
    if holder != s.turn:
        raise IllegalDecision(
            f"The industrial complex in {s.facts.name(territory)} is "
            f"{s.facts.power_name(holder)}'s.",
            "mobilize.ic.not-ally",
        )
    raise IllegalDecision(
        f"The industrial complex in {s.facts.name(territory)} is new or was taken this turn.",
        "mobilize.ic.not-new",
    )


def decks_for_new(s: State, zone: str) -> int:
    """Places on the acting power's own carriers in a zone that new fighters may take; less than
    none where fighters wait there for a new carrier.

    Fighters that were there before may be on carriers of allies; new ones may not.
    """
    decks = new = old = 0
    for unit, count in s.stack(zone).items():
        if unit.power == s.turn and unit.type == "aircraft_carrier":
            decks += count * deck_room(s, unit)
        elif unit.power == s.turn and unit.type == "fighter":
            new += count if unit.duty == "new" else 0
            old += count if unit.duty != "new" else 0
    shared = decks_in(s, zone) - decks
    return decks - new - max(0, old - shared)


def _check_decks(s: State, zone: str, fighters: int, carriers: int) -> None:
    """Whether so many new fighters find room on own carriers in a zone, with so many new ones.

    Rules: mobilize.fighter, mobilize.fighter.no-ally-carrier
    """
    added = carriers * s.facts.numbers.fighters_per_carrier
    room = max(0, decks_for_new(s, zone) + added)
    if fighters > room:
        here = sum(n for u, n in s.stack(zone).items() if (u.power, u.type) == (s.turn, "fighter"))
        fits = fighters <= added + decks_in(s, zone) - here
        raise IllegalDecision(
            f"{s.facts.power_name(s.turn)} has {room} free places on its own carriers in "
            f"{s.facts.name(zone)}.",
            "mobilize.fighter.no-ally-carrier" if fits else "mobilize.fighter",
        )


def _fighters_wait(s: State) -> bool:
    """Whether fighters of the acting power are at sea where no deck is free for them yet."""
    for zone in zones_served(s):
        stack = s.at.get(zone)
        if stack and any(u.type == "fighter" and u.power == s.turn for u in stack):
            waiting = sum(n for u, n in stack.items() if u.type == "fighter" and u.power == s.turn)
            if waiting > decks_in(s, zone):
                return True
    return False


def _crashing(s: State) -> int:
    return sum(count for _, _, count in unlanded(s))


def _check_new_complex(s: State, space: str, count: int) -> None:
    """Rules: mobilize.ic.place, mobilize.ic.one"""
    known = s.facts.spaces[space]
    if s.control.get(space) != s.turn or s.start_control.get(space) != s.turn:
        raise IllegalDecision(
            f"{s.facts.power_name(s.turn)} has not controlled {s.facts.name(space)} since the "
            "start of the turn.",
            "mobilize.ic.place",
        )
    if known.ipc < s.facts.numbers.complex_min_ipc:
        raise IllegalDecision(f"{s.facts.name(space)} has no income value.", "mobilize.ic.place")
    if space in s.complexes or count > 1:
        raise IllegalDecision(
            f"A territory holds one industrial complex; {s.facts.name(space)} would have more.",
            "mobilize.ic.one",
        )


def _spaces_for(s: State, type_: str, served: dict[str, int]) -> Iterator[str]:
    """Where units of a type might be placed."""
    if type_ == "industrial_complex":
        yield from (t for t in s.facts.territories if s.control[t] == s.turn)
        return
    if s.facts.units[type_].domain != "sea":
        yield from served
    if s.facts.units[type_].domain == "sea" or type_ == "fighter":
        yield from sorted({zone for land in served for zone in s.facts.coast[land]})


def _check_done(s: State) -> None:
    """What can be placed has to be; only what cannot is given back.

    Rules: mobilize.overproduction
    """
    served = complexes(s)
    for type_ in sorted(s.bought):
        for space in _spaces_for(s, type_, served):
            if passes(check_place, s, Place(space, {type_: 1}), served):
                raise IllegalDecision(
                    f"{s.facts.name(type_)} can still be placed, for example in "
                    f"{s.facts.name(space)}.",
                    "mobilize.overproduction",
                )


def _put(s: State, place: Place) -> None:
    for type_, count in place.units.items():
        left = s.bought[type_] - count
        if left:
            s.bought[type_] = left
        else:
            del s.bought[type_]
        if type_ == "industrial_complex":
            s.complexes[place.space] = 0
            s.new_complexes |= {place.space}
            continue
        duty = "new" if type_ == "fighter" else ""
        s.put(place.space, Unit(s.turn, type_, duty=duty), count)
        s.placed[place.space] = s.placed.get(place.space, 0) + count
        key = (s.turn, type_)
        s.built[key] = s.built.get(key, 0) + count


def mobilize_units(g: Table[State]) -> Procedure[None]:
    """Place what was bought; what production limits keep out is given back for its price.

    Fighters that waited for a carrier which was placed elsewhere are lost.

    Rules: noncombat.air.crash, mobilize.overproduction, mobilize.sea, unit.ic.entry-point
    """
    s = g.state
    if not s.bought:
        return  # what nothing could save was lost when noncombat movement ended
    while s.bought:
        g.checkpoint()
        decision: Place | Done = yield from g.ask(Mobilize(s.turn, dict(s.bought)))
        if isinstance(decision, Done):
            refund = sum(s.facts.units[type_].cost * count for type_, count in s.bought.items())
            s.treasury[s.turn] += refund
            g.emit("refunded", power=s.turn, units=dict(s.bought), ipcs=refund)
            s.bought = {}
        else:
            _put(s, decision)
            g.emit("placed", power=s.turn, space=decision.space, units=decision.units)
    crash(g)
