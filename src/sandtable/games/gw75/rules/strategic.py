"""The Strategic Movement Phase (5.4): far overland, over a Merchant Ship Pipeline, or both."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import ClassVar

from sandtable.games.gw75.facts import AXIS_MINORS, MAJORS
from sandtable.games.gw75.model import March, State, Unit
from sandtable.games.gw75.rules import italy, naval_combat, pipelines, politics, ports, waters
from sandtable.games.gw75.rules.amphibious import (
    aboard,
    beachhead,
    cast_off,
    check_voyage,
    drown,
    straight,
)
from sandtable.games.gw75.rules.common import Done, in_turn
from sandtable.games.gw75.rules.consequences import settle
from sandtable.games.gw75.rules.mobility import (
    MOVERS,
    Able,
    by_nation,
    check_units,
    kinds,
    pick,
    remaining,
    somewhere,
)
from sandtable.games.gw75.rules.naval_movement import passes
from sandtable.games.gw75.rules.stacking import Part, room
from sandtable.games.gw75.rules.terms import (
    GROUND,
    MOBILE,
    OPENED,
    cited,
    commander,
    enters,
    friendly_hex,
    friends,
    holder,
    nations,
    phase_side,
    side,
    strength_points,
)
from sandtable.games.gw75.rules.zones import at_home, controlled
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

CAPABLE = tuple(nation for nation in MAJORS if nation != "france")
"""The countries that have Strategic Movement (5.48)."""
BOMB = "abomb"


class Redeploy(Decision, frozen=True, tag="redeploy"):
    """Move Strength Points overland along one path, by sea along another, or both: the second leg
    begins where the first ends."""

    units: tuple[Part, ...]
    """Nation, type and number; atomic bombs are of the type abomb."""
    land: tuple[str, ...] = ()
    sea: tuple[str, ...] = ()
    using: str = ""
    """The country whose capacity it takes; empty: that of the units."""

    @property
    def start(self) -> str:
        return self.legs[0][0]

    @property
    def end(self) -> str:
        return self.legs[-1][-1]

    @property
    def legs(self) -> tuple[tuple[str, ...], ...]:
        """The legs in their order."""
        if not self.land or not self.sea:
            return (self.land or self.sea,)
        if self.land[-1] == self.sea[0]:
            return self.land, self.sea
        return self.sea, self.land

    @property
    def carrier(self) -> str:
        return self.using or self.units[0][0]


class StrategicMovement(Request, frozen=True, tag="strategic_movement"):
    """Move Strength Points strategically, or be done."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Redeploy, Done)

    def check(self, state: State, decision: Decision) -> None:
        if isinstance(decision, Redeploy):
            check_redeploy(state, self.power, decision)

    def decisions(self, state: State) -> Iterator[Decision]:
        """To be done; one Strength Point of each kind to each hex within reach overland, and to
        each port within reach by sea, by one way; and an atomic bomb by sea."""
        yield Done()
        for hex in sorted(
            {hex for own in nations(state, self.power) for hex in state.presence[own]}
        ):
            for nation, type in kinds(state, self.power, hex, rested(1)):
                units = ((nation, type, 1),)
                for by in carriers(state, self.power, nation):
                    if points_left(state, by):
                        for path in roads(state, nation, hex).values():
                            yield from _if_legal(
                                state, self.power, Redeploy(units, land=path, using=by)
                            )
                if ports.friendly(state, nation, hex):
                    for by in carriers(state, self.power, nation)[:1]:
                        for path in sea_ways(state, by, hex).values():
                            yield from _if_legal(
                                state, self.power, Redeploy(units, sea=path, using=by)
                            )
        for hex in sorted(state.bombs):
            nation = holder(state, hex)
            if commander(state, nation) == self.power and ports.friendly(state, nation, hex):
                for path in sea_ways(state, nation, hex).values():
                    units = ((nation, BOMB, 1),)
                    yield from _if_legal(state, self.power, Redeploy(units, sea=path))

    def sample(self, state: State, rng: random.Random) -> Decision:
        """A Strength Point somewhere, on a random way; or to be done."""
        for _ in range(3):
            if rng.random() < 0.2:
                break
            found = self._draw(state, rng)
            if found is not None:
                return found
        return Done()

    def _draw(self, s: State, rng: random.Random) -> Redeploy | None:
        hex, found = somewhere(s, self.power, rng, rested(1))
        if not found:
            return None
        nation, type = rng.choice(list(found))
        able = carriers(s, self.power, nation)
        if not able:
            return None
        by, units = rng.choice(able), ((nation, type, 1),)
        if rng.random() < 0.5 and ports.friendly(s, nation, hex):
            most = s.facts.numbers.sea_transport
            others = [
                port
                for port in ports.of(s, nation)
                if port != hex and s.facts.distance(hex, port) <= most
            ]
            if not others:
                return None
            path = straight(s, rng, hex, rng.choice(others))
            return next(_if_legal(s, self.power, Redeploy(units, sea=path, using=by)), None)
        if not points_left(s, by):
            return None
        path = (hex,)
        for _ in range(rng.randint(1, s.facts.numbers.strategic_move)):
            there = rng.choice([*s.facts.land[path[-1]], ""])
            if not there or there in path or road_closed(s, nation, there)[0]:
                break
            path = (*path, there)
        if len(path) < 2:
            return None
        return next(_if_legal(s, self.power, Redeploy(units, land=path, using=by)), None)


def _if_legal(s: State, player: str, decision: Redeploy) -> Iterator[Redeploy]:
    try:
        check_redeploy(s, player, decision)
    except IllegalDecision:
        return
    yield decision


# --- who can move, and how ------------------------------------------------------------------------


def rested(need: int) -> Able:
    """Whether a unit can move strategically: with so many Movement Points left over.

    Rules: 5.41a, 5.0b, 19.9c, 18.10d
    """

    def able(s: State, hex: str, unit: Unit) -> bool:
        return (
            unit.type in MOVERS
            and not unit.idle
            and unit.nation not in AXIS_MINORS
            and remaining(s, hex, unit) >= need
            and not politics.frozen(s, unit.nation, unit, hex)
        )

    return able


def carriers(s: State, player: str, nation: str) -> list[str]:
    """The countries whose Strategic Movement a player can use for units of a nation, its own first.

    Rules: 5.48a, 5.48b
    """
    return sorted(
        (
            by
            for by in CAPABLE
            if commander(s, by) == player and by not in s.fallen and friends(s, by, nation)
        ),
        key=lambda by: (by != nation, by),
    )


def points_left(s: State, by: str) -> int:
    """Strength Points that a country can still move overland in this phase.

    Rules: 5.4a, 5.48b
    """
    return s.facts.numbers.strategic_points - s.done.get(f"strategic:{by}", 0)


def shipped(s: State) -> dict[str, int]:
    """Holding Area to the Strength Points that it has carried in this phase."""
    return {
        key.removeprefix("shipped:"): count
        for key, count in s.done.items()
        if key.startswith("shipped:")
    }


def check_redeploy(s: State, player: str, decision: Redeploy) -> None:
    """IllegalDecision if a player cannot move units so.

    Rules: 5.4a, 5.4b, 5.41a, 5.44a, 5.44c, 5.48a, 5.48b, 19.9c, 17.63a, 19.24a
    """
    name, numbers = s.facts.name, s.facts.numbers
    _check_shape(s, decision)
    total = sum(count for _, _, count in decision.units)
    own = sorted({nation for nation, _, _ in decision.units})
    for nation in own:
        if nation in AXIS_MINORS:
            raise IllegalDecision(f"{name(nation)} has no Strategic Movement.", "19.9c")
        why = italy.bound(s, nation, decision.end)
        if why:
            raise IllegalDecision(why, cited(why))
    both = bool(decision.land and decision.sea)
    need = numbers.strategic_left_with_sea if both else numbers.strategic_left
    parts = [part for part in decision.units if part[1] != BOMB]
    bombs = [part for part in decision.units if part[1] == BOMB]
    if parts:
        check_units(s, player, decision.start, decision.end, parts, rested(need), "5.41a")
    if bombs:
        _check_bombs(s, player, decision, bombs)
    by = decision.carrier
    for nation in own:
        if by not in carriers(s, player, nation):
            raise IllegalDecision(
                f"{name(by)} has no Strategic Movement that units of {name(nation)} can use.",
                "5.48a",
            )
    if decision.land:
        most = numbers.strategic_move_with_sea if both else numbers.strategic_move
        _check_land(s, decision.land, parts, most, "5.4b" if both else "5.4a")
        if total > points_left(s, by):
            raise IllegalDecision(
                f"{name(by)} can move {strength_points(points_left(s, by))} more overland in this "
                f"phase, not {total}.",
                "5.48b",
            )
    if decision.sea:
        _check_sea(s, decision, own, by, total)
    size = sum(count for _, _, count in parts)
    left = room(s, decision.end, side(s, own[0]))
    if size > left:
        raise IllegalDecision(
            f"There is room for {strength_points(max(left, 0))} in {name(decision.end)}, not "
            f"{size}.",
            "7.0a",
        )


def _check_shape(s: State, decision: Redeploy) -> None:
    """The paths are paths, and one begins where the other ends.

    Rules: 5.44c
    """
    land, sea = decision.land, decision.sea
    if not decision.units:
        raise IllegalDecision("A move needs units.", "5.4a")
    if not land and not sea:
        raise IllegalDecision("A move leads overland, by sea, or both.", "5.4a")
    for path in (land, sea):
        if len(path) == 1:
            raise IllegalDecision("A path has at least two hexes.", "5.4a")
        for hex in path:
            if hex not in s.facts.hexes:
                raise IllegalDecision(f"There is no hex {s.facts.name(hex)}.", "5.4a")
    if land and sea and land[-1] != sea[0] and sea[-1] != land[0]:
        raise IllegalDecision("One leg begins where the other ends.", "5.44c")


def _check_bombs(s: State, player: str, decision: Redeploy, bombs: Sequence[Part]) -> None:
    """Atomic bombs go by sea, as land units do.

    Rules: 17.63a
    """
    name, start = s.facts.name, decision.start
    if decision.land:
        raise IllegalDecision("Atomic bombs go over a Merchant Ship Pipeline only.", "17.63a")
    if len(bombs) > 1:
        raise IllegalDecision("Each kind of units is named once.", "17.63a")
    ((nation, _, count),) = bombs
    have = s.bombs.get(start, 0)
    mine = nation in s.facts.nations and commander(s, nation) == player
    if not mine or not 0 < count <= have:
        raise IllegalDecision(f"You have {have} atomic bombs in {name(start)}.", "17.63a")


def road_closed(s: State, nation: str, hex: str) -> tuple[str, str]:
    """Why Strategic Movement overland cannot lead through a hex, and the rule; empty if it can.

    Rules: 5.41b, 5.42, 5.43
    """
    name = s.facts.name
    if s.facts.hexes[hex].area != "communications":
        return f"{name(hex)} is outside the Communications Areas.", "5.41b"
    if not friendly_hex(s, nation, hex):
        return f"{name(hex)} is not Friendly.", "5.41b"
    if controlled(s, nation, hex):
        return f"{name(hex)} is in an Enemy Zone of Control.", "5.43"
    return "", ""


def _check_land(s: State, path: Sequence[str], parts: Sequence[Part], most: int, rule: str) -> None:
    name = s.facts.name
    if len(path) - 1 > most:
        raise IllegalDecision(f"That is {len(path) - 1} hexes, not at most {most}.", rule)
    for step, hex in enumerate(path):
        if step and hex not in s.facts.land[path[step - 1]]:
            raise IllegalDecision(
                f"Land units cannot go from {name(path[step - 1])} to {name(hex)}.", "3.1b"
            )
        for nation, type, _ in parts:
            why, broken = road_closed(s, nation, hex)
            if why:
                raise IllegalDecision(why, broken)
            if type == "sd" and not at_home(s, path[0], hex):
                raise IllegalDecision("Self-Defense units never leave their Home Country.", "6.51")


def _check_sea(s: State, decision: Redeploy, own: Sequence[str], by: str, total: int) -> None:
    """From one Friendly port to another, over a pipeline that can carry so many more. A hex in
    which friends have landed in this Game-Turn needs no port.

    Rules: 5.44a, 5.44b, 5.45a, 5.45b, 5.46, 5.47, 5.54a, 5.54b
    """
    name, numbers, path = s.facts.name, s.facts.numbers, decision.sea
    port, other = path[0], path[-1]
    for nation, type, _ in decision.units:
        if type not in MOBILE and type != BOMB:
            raise IllegalDecision(f"{name(type)} units do not go by sea.", "6.51")
        if not ports.friendly(s, nation, port):
            raise IllegalDecision(f"There is no Friendly port in {name(port)}.", "5.44a")
        if f"{OPENED}{port}" in s.done and decision.start == port:
            raise IllegalDecision(
                f"There was no port in {name(port)} when the phase began.", "5.44a"
            )
        if not ports.friendly(s, nation, other) and not beachhead(s, nation, other):
            raise IllegalDecision(f"There is no Friendly port in {name(other)}.", "5.46")
    if len(path) - 1 > numbers.sea_transport:
        raise IllegalDecision(
            f"Sea movement leads at most {numbers.sea_transport} hexes, not {len(path) - 1}.",
            "5.44b",
        )
    check_voyage(s, by, "ms", path)
    free = pipelines.capacity(s, by, port, other, shipped(s))
    if total > free:
        raise IllegalDecision(
            f"The Merchant Ship Pipelines from {name(port)} to {name(other)} can carry "
            f"{strength_points(free)} more in this phase, not {total}.",
            "5.45a",
        )


def roads(s: State, nation: str, hex: str) -> dict[str, tuple[str, ...]]:
    """The hexes within reach of Strategic Movement overland, each with a shortest way.

    Rules: 5.4a
    """
    if road_closed(s, nation, hex)[0]:
        return {}
    found: dict[str, tuple[str, ...]] = {hex: (hex,)}
    edge = [hex]
    for _ in range(s.facts.numbers.strategic_move):
        further = []
        for here in edge:
            for there in s.facts.land[here]:
                if there not in found and not road_closed(s, nation, there)[0]:
                    found[there] = (*found[here], there)
                    further.append(there)
        edge = further
    del found[hex]
    return found


def sea_ways(s: State, nation: str, port: str) -> dict[str, tuple[str, ...]]:
    """The coasts within reach of sea movement, each with a shortest way there for Merchant Ships.

    Rules: 5.44b
    """
    found: dict[str, tuple[str, ...]] = {port: (port,)}
    edge = [port]
    for _ in range(s.facts.numbers.sea_transport):
        further = []
        for here in edge:
            path = found[here]
            for there in s.facts.sea[here]:
                if (
                    there in found
                    or passes(s, nation, here, there)
                    or waters.closed(s, nation, "ms", there, here)[0]
                ):
                    continue
                found[there] = (*path, there)
                further.append(there)
        edge = further
    return {hex: path for hex, path in found.items() if s.facts.hexes[hex].dry and hex != port}


# --- carrying it out ------------------------------------------------------------------------------


def phase(g: Table[State]) -> Procedure[None]:
    """The Strategic Movement Phase of a side. At its end its land units have all Movement Points
    for their next turn, and ASW units that have escorted may do so again.

    Rules: 4.2g, 5.0b, 15.35b
    """
    s = g.state
    which = phase_side(s.phase)
    if s.march is not None:
        yield from _voyage(g, s.march)
        yield from settle(g)
    yield from in_turn(g, which, asked, act)
    cast_off(s, which)
    for hex, unit, count in s.with_marks():
        if unit.left >= 0 and unit.type in GROUND and side(s, unit.nation) == which:
            s.change(hex, unit, count, left=-1)
    for hex, unit, count in s.on_duty("support"):
        s.change(hex, unit, count, duty="", origin="")


def asked(s: State, player: str) -> StrategicMovement | None:
    """What a player is asked; nothing if it has nobody to move."""
    able = rested(s.facts.numbers.strategic_left)
    if any(commander(s, holder(s, hex)) == player for hex in s.bombs):
        return StrategicMovement(player)
    for nation in nations(s, player):
        if carriers(s, player, nation):
            for hex, unit, _ in s.units_of(nation):
                if able(s, hex, unit):
                    return StrategicMovement(player)
    return None


def act(g: Table[State], player: str, decision: Redeploy) -> Procedure[None]:
    """Carry it out: what is used up is noted, then the legs are moved in their order.

    Rules: 5.4b, 5.44c, 5.45a, 5.45b, 5.48b
    """
    s = g.state
    both = bool(decision.land and decision.sea)
    numbers = s.facts.numbers
    need = numbers.strategic_left_with_sea if both else numbers.strategic_left
    parts = [part for part in decision.units if part[1] != BOMB]
    bombs = sum(count for _, type, count in decision.units if type == BOMB)
    total = sum(count for _, _, count in decision.units)
    start, by = decision.start, decision.carrier
    for unit, count in list(pick(s, start, parts, rested(need))):
        s.change(start, unit, count, left=0, duty=f"{unit.duty} march".strip())
    if decision.land:
        key = f"strategic:{by}"
        s.done[key] = s.done.get(key, 0) + total
    if not decision.sea:
        _arrive(g, decision.land)
        return
    port, other = decision.sea[0], decision.sea[-1]
    areas = pipelines.route(s, by, port, other, shipped(s))
    for area in areas:
        key = f"shipped:{area}"
        s.done[key] = s.done.get(key, 0) + total
    then: tuple[str, ...] = ()
    if both and decision.legs[0] == decision.land:
        _carry(g, decision.land)
    elif both:
        then = decision.land
    s.march = March(decision.sea, sea=True, then=then, bombs=bombs, areas=areas)
    yield from _voyage(g, s.march)


def _voyage(g: Table[State], march: March) -> Procedure[None]:
    """Transit Attacks on the Merchant Ships, then the rest arrives. Sunk ships do not count any
    more against what the others of their Holding Area can carry.

    Rules: 5.45a, 5.47, 12.42a, 12.42b
    """
    s = g.state
    port = march.path[0]
    g.checkpoint(strict=True)
    number = sum(count for _, count in aboard(s, port)) + march.bombs
    nation = next((unit.nation for unit, _ in aboard(s, port)), holder(s, port))
    losses = yield from naval_combat.transit(g, nation, march.path, number, march.areas)
    for area, gone in losses.items():
        s.done[f"shipped:{area}"] -= gone
    lost = sum(losses.values())
    cargo = sum(count for _, count in aboard(s, port))
    drown(s, port, min(lost, cargo))
    sunk = max(0, lost - cargo)
    s.march = None
    if march.bombs:
        _ship_bombs(g, nation, march, sunk)
    if march.then:
        _carry(g, march.path)
        _arrive(g, march.then)
    else:
        _arrive(g, march.path)


def _ship_bombs(g: Table[State], nation: str, march: March, sunk: int) -> None:
    s = g.state
    port, other = march.path[0], march.path[-1]
    left = s.bombs[port] - march.bombs
    if left:
        s.bombs[port] = left
    else:
        del s.bombs[port]
    if march.bombs > sunk:
        s.bombs[other] = s.bombs.get(other, 0) + march.bombs - sunk
        g.emit("bombs_shipped", power=nation, path=list(march.path), bombs=march.bombs - sunk)


def _carry(g: Table[State], path: tuple[str, ...]) -> None:
    """The units under way go to the end of a leg.

    Rules: 19.93
    """
    s = g.state
    group = aboard(s, path[0])
    for unit, count in group:
        s.take(path[0], unit, count)
        s.put(path[-1], unit, count)
    parts = [(unit.nation, unit.type, count) for unit, count in group]
    for nation, units in by_nation(parts).items():
        g.emit("strategic_move", power=nation, path=list(path), units=units)
        enters(s, path[-1], nation)


def _arrive(g: Table[State], path: tuple[str, ...]) -> None:
    """The units under way go to the end of their last leg, and are there."""
    _carry(g, path)
    for unit, count in aboard(g.state, path[-1]):
        duty = unit.duty.removesuffix("march").strip()
        g.state.change(path[-1], unit, count, duty=duty)
