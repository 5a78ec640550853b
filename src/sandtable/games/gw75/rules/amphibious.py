"""Amphibious Assault (5.5): land units that Amphibious units carry to an Enemy coast."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from sandtable.games.gw75.facts import AXIS_MINORS
from sandtable.games.gw75.model import March, News, State, Unit
from sandtable.games.gw75.rules import (
    attacks,
    italy,
    naval_combat,
    neutrals,
    politics,
    ports,
    waters,
)
from sandtable.games.gw75.rules.consequences import settle
from sandtable.games.gw75.rules.indochina import beside
from sandtable.games.gw75.rules.mobility import by_nation, check_units, kinds, pick, remaining
from sandtable.games.gw75.rules.naval_movement import passes
from sandtable.games.gw75.rules.stacking import Part
from sandtable.games.gw75.rules.terms import (
    GROUND,
    MOBILE,
    NAVAL,
    OPENED,
    cited,
    commander,
    enters,
    friendly_hex,
    friends,
    nations,
    season,
    side,
    strength_points,
)
from sandtable.games.gw75.rules.zones import controlled
from sandtable.kernel.decisions import Decision
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

BEACH = "beach:"
"""With the hex, the Game-Turn in which it was invaded last, among `State.counts`."""
HARMLESS = frozenset({"ms", "ss", "amph"})
"""Enemy naval units that keep nobody from landing."""


class Invade(Decision, frozen=True, tag="invade"):
    """Carry land units by sea from a port, along a path, to the coast on which they land."""

    path: tuple[str, ...]
    units: tuple[Part, ...]
    """Nation, type and number of Strength Points."""


def embarks(s: State, hex: str, unit: Unit) -> bool:
    """Whether a unit can go by sea from the port in which it is: with a Movement Point left, and
    not stopped there by an Enemy Zone of Control.

    Rules: 5.51b, 5.24, 5.58
    """
    return (
        unit.type in MOBILE
        and not unit.idle
        and not unit.duty
        and remaining(s, hex, unit) >= s.facts.numbers.assault_cost
        and not (unit.left >= 0 and controlled(s, unit.nation, hex))
        and not politics.frozen(s, unit.nation, unit, hex)
    )


def ships(s: State, player: str, hex: str, own: Sequence[str]) -> list[tuple[Unit, int]]:
    """The Amphibious units in a port that a player can use for land units of these nations: their
    own first. They have been there since the Land Movement Phase began.

    Rules: 5.51a, 5.5b
    """
    found = [
        (unit, count)
        for unit, count in s.stack(hex).items()
        if unit.type == "amph"
        and not unit.duty
        and not unit.idle
        and commander(s, unit.nation) == player
        and all(friends(s, unit.nation, nation) for nation in own)
        and not politics.frozen(s, unit.nation, unit, hex)
    ]
    return sorted(found, key=lambda each: (each[0].nation not in own, each[0]))


def check(s: State, player: str, decision: Invade) -> None:
    """IllegalDecision if a player cannot land units so.

    Rules: 5.5a, 5.5b, 5.51a, 5.51b, 5.51c, 19.9c
    """
    name, numbers = s.facts.name, s.facts.numbers
    path, units = decision.path, decision.units
    if len(path) < 2:
        raise IllegalDecision("A landing leads along at least two hexes.", "5.51c")
    for hex in path:
        if hex not in s.facts.hexes:
            raise IllegalDecision(f"There is no hex {name(hex)}.", "5.51c")
    own = sorted({nation for nation, _, _ in units})
    for nation in own:
        if nation in AXIS_MINORS:
            raise IllegalDecision(f"Units of {name(nation)} do not go by sea.", "19.9c")
    if any(type == "sd" for _, type, _ in units):
        raise IllegalDecision("Self-Defense units do not go by sea.", "6.51")
    check_units(s, player, path[0], path[-1], units, embarks, "5.51b")
    for nation in own:
        if not ports.friendly(s, nation, path[0]):
            raise IllegalDecision(f"There is no Friendly port in {name(path[0])}.", "5.51a")
    total = sum(count for _, _, count in units)
    able = ships(s, player, path[0], own)
    room = sum(count for _, count in able)
    if total > room:
        raise IllegalDecision(
            f"The Amphibious units in {name(path[0])} can carry {strength_points(room)}, not "
            f"{total}.",
            "5.5b",
        )
    if f"{OPENED}{path[0]}" in s.done:
        raise IllegalDecision(
            f"No Amphibious unit in {name(path[0])} was in a Friendly port when the phase began.",
            "5.51a",
        )
    if len(path) - 1 > numbers.assault_move:
        raise IllegalDecision(
            f"A landing goes at most {numbers.assault_move} hexes by sea, not {len(path) - 1}.",
            "5.51c",
        )
    waiting = total
    for unit, count in able:
        if waiting > 0:
            check_voyage(s, unit.nation, "amph", path, land_at_end=True)
            waiting -= count
    _check_beach(s, own, path[-1])


def check_voyage(
    s: State, nation: str, type: str, path: Sequence[str], *, land_at_end: bool = False
) -> None:
    """IllegalDecision if ships of a nation and type cannot go along a path; with `land_at_end`
    Enemy land units and ships in its last hex are judged elsewhere.

    Rules: 12.0d, 12.61, 12.12a
    """
    name = s.facts.name
    for step in range(1, len(path)):
        here, there = path[step - 1], path[step]
        lands = land_at_end and step == len(path) - 1
        if there not in s.facts.sea[here]:
            raise IllegalDecision(f"Ships cannot go from {name(here)} to {name(there)}.", "12.61")
        canal = passes(s, nation, here, there, fights=lands)
        if canal:
            raise IllegalDecision(f"The {canal} is closed to ships of {name(nation)}.", "12.61")
        if lands:
            why = waters.barred(s, nation, type, there, here)
            if why:
                raise IllegalDecision(why, cited(why))
        else:
            why, rule = waters.closed(s, nation, type, there, here)
            if why:
                raise IllegalDecision(why, rule)


def _check_beach(s: State, own: Sequence[str], hex: str) -> None:
    """IllegalDecision if units of these nations cannot land in a hex: a coast that is not Friendly
    (but to follow others who have landed there in this Game-Turn), not in the Weather Area in
    Winter, without Enemy ships that would keep them off.

    Rules: 5.5a, 5.52, 5.55, 11.3a, 19.24a
    """
    name, place = s.facts.name, s.facts.hexes[hex]
    if not place.dry or not place.wet:
        raise IllegalDecision(f"{name(hex)} is no coast.", "5.5a")
    for nation in own:
        if friendly_hex(s, nation, hex) and not beachhead(s, nation, hex):
            raise IllegalDecision(f"{name(hex)} is Friendly: nobody has to land there.", "5.5a")
        why = italy.may_not_attack(s, nation) or neutrals.barred(s, nation, hex)
        if why:
            raise IllegalDecision(why, cited(why))
    if place.weather and season(s) == "winter":
        raise IllegalDecision(
            f"Nobody lands in the Weather Area in Winter, as in {name(hex)}.", "5.55"
        )
    for unit in s.stack(hex):
        for nation in own:
            foe = attacks.opposed(s, nation, unit.nation, hex)
            if unit.type in NAVAL - HARMLESS and foe:
                raise IllegalDecision(
                    f"{name(unit.type)} units of {name(unit.nation)} are in {name(hex)}.", "5.52"
                )
            at_ease = friends(s, nation, unit.nation) or beside(s, nation, unit.nation, hex)
            if unit.type in GROUND and not foe and not at_ease:
                raise IllegalDecision(f"{name(unit.nation)} is in {name(hex)}.", "5.57d")


def beachhead(s: State, nation: str, hex: str) -> bool:
    """Whether a hex was invaded in this Land Stage and is Friendly to a nation, be those who landed
    still there or not.

    Rules: 5.54a
    """
    return s.counts.get(f"{BEACH}{hex}") == s.turn and friendly_hex(s, nation, hex)


# --- what can be done -----------------------------------------------------------------------------


_CARRIERS = frozenset({"amph"})


def _harbours(s: State, player: str) -> list[str]:
    """The hexes in which a player has Amphibious units and land units that can go aboard."""
    return sorted(
        {
            hex
            for nation in nations(s, player)
            for hex, unit, _ in s.units_of(nation, _CARRIERS)
            if not unit.duty and kinds(s, player, hex, embarks)
        }
    )


def decisions(s: State, player: str) -> Iterator[Invade]:
    """Landings of one and of as many points of each kind as can be carried, everywhere within
    reach by one way."""
    for port in _harbours(s, player):
        for (nation, type), count in kinds(s, player, port, embarks).items():
            room = sum(number for _, number in ships(s, player, port, (nation,)))
            for total in sorted({1, min(room, count)}) if room else ():
                for path in ways(s, port, nation).values():
                    decision = Invade(path, ((nation, type, total),))
                    if _legal(s, player, decision):
                        yield decision


def ways(s: State, port: str, nation: str) -> dict[str, tuple[str, ...]]:
    """The coasts within reach of Amphibious units of a nation in a port, each with a way there."""
    found: dict[str, tuple[str, ...]] = {port: (port,)}
    edge = [port]
    for _ in range(s.facts.numbers.assault_move):
        further = []
        for here in edge:
            path = found[here]
            if here != port and (
                waters.closed(s, nation, "amph", here, path[-2])[0]
                or passes(s, nation, path[-2], here)
            ):
                continue
            for there in s.facts.sea[here]:
                if there not in found and not passes(s, nation, here, there, fights=True):
                    found[there] = (*path, there)
                    further.append(there)
        edge = further
    return {hex: path for hex, path in found.items() if s.facts.hexes[hex].dry and hex != port}


def at_random(s: State, player: str, rng: random.Random) -> Invade | None:
    """A landing somewhere; None if it leads nowhere."""
    harbours = _harbours(s, player)
    if not harbours:
        return None
    port = rng.choice(harbours)
    (nation, type), count = rng.choice(list(kinds(s, player, port, embarks).items()))
    room = sum(number for _, number in ships(s, player, port, (nation,)))
    around = list(s.facts.within(port, s.facts.numbers.assault_move))
    for _ in range(6 if room else 0):
        target = rng.choice(around)
        place = s.facts.hexes[target]
        if place.dry and place.wet and not friendly_hex(s, nation, target):
            path = straight(s, rng, port, target)
            decision = Invade(path, ((nation, type, rng.randint(1, min(room, count))),))
            if _legal(s, player, decision):
                return decision
    return None


def straight(s: State, rng: random.Random, port: str, target: str) -> tuple[str, ...]:
    """A way by sea that comes nearer with every hex, as far as it goes."""
    distance, path = s.facts.distance, [port]
    while path[-1] != target:
        far = distance(path[-1], target)
        nearer = [hex for hex in s.facts.sea[path[-1]] if distance(hex, target) < far]
        if not nearer:
            break
        path.append(rng.choice(nearer))
    return tuple(path)


def _legal(s: State, player: str, decision: Invade) -> bool:
    try:
        check(s, player, decision)
    except IllegalDecision:
        return False
    return True


# --- carrying it out ------------------------------------------------------------------------------


def embark(s: State, player: str, decision: Invade) -> None:
    """The units go aboard: the sea move costs them a Movement Point in all.

    Rules: 5.51b, 5.5b
    """
    port = decision.path[0]
    own = sorted({nation for nation, _, _ in decision.units})
    needed = sum(count for _, _, count in decision.units)
    for unit, count in list(pick(s, port, decision.units, embarks)):
        left = remaining(s, port, unit) - s.facts.numbers.assault_cost
        s.change(port, unit, count, left=left, duty="march", origin=port)
    for unit, count in ships(s, player, port, own):
        some = min(count, needed)
        if some:
            s.change(port, unit, some, duty="march", origin=port)
            needed -= some
    s.march = March(decision.path, sea=True)


def go_on(g: Table[State], march: March) -> Procedure[None]:
    """A landing that is under way: Transit Attacks first, then a violation, then it lands.

    Rules: 12.52, 6.52
    """
    s = g.state
    port, beach = march.path[0], march.path[-1]
    if not march.begun:
        g.checkpoint(strict=True)
        cargo = [(unit, count) for unit, count in aboard(s, port) if unit.type in MOBILE]
        number = sum(count for _, count in cargo)
        sunk = yield from naval_combat.transit(g, cargo[0][0].nation, march.path, number)
        lost = sum(sunk.values())
        drown(s, port, lost)
        _keep_ships(s, port, number - lost)
        s.march = march._replace(begun=True)
        yield from settle(g)
        return
    group = aboard(s, port)
    own = sorted({unit.nation for unit, _ in group if unit.type in MOBILE})
    for nation in own if not march.free else ():
        whom = neutrals.violates(s, nation, beach)
        if whom:
            s.tell(News("violated", nation, whom, beach))
            s.march = march._replace(free=True)
            yield from settle(g)
            return
    if own:
        _land(g, march.path, group, own)
    else:
        for unit, count in group:
            s.change(port, unit, count, duty="", origin="")
    s.march = None


def aboard(s: State, port: str) -> list[tuple[Unit, int]]:
    """The units in a port whose voyage is under way."""
    return [(unit, count) for unit, count in s.stack(port).items() if unit.duty.endswith("march")]


def drown(s: State, port: str, number: int) -> None:
    """So many of the land Strength Points that are aboard are lost with their ships, infantry
    first.

    Rules: 12.42b, 12.52
    """
    for unit, count in aboard(s, port):
        some = min(count, number) if unit.type in MOBILE else 0
        if some:
            s.destroy(port, unit, some)
            number -= some


def _keep_ships(s: State, port: str, number: int) -> None:
    """Of the Amphibious units that set out only so many go on: the others are sunk, or stand in for
    sunk ones."""
    for unit, count in aboard(s, port):
        if unit.type == "amph":
            some = max(0, count - number)
            number = max(0, number - count)
            if some:
                s.change(port, unit, some, duty="", origin="")


def _land(
    g: Table[State], path: tuple[str, ...], group: list[tuple[Unit, int]], own: Sequence[str]
) -> None:
    """Units land: among Enemies to attack them, elsewhere to hold the hex.

    Rules: 5.56b, 5.57a
    """
    s = g.state
    port, beach = path[0], path[-1]
    held = any(attacks.defenders(s, beach, own[0]))
    s.counts[f"{BEACH}{beach}"] = s.turn
    for unit, count in group:
        s.take(port, unit, count)
        duty, origin = ("assault", port) if held else ("landed", "")
        s.put(beach, unit._replace(duty=duty, origin=origin), count)
    parts = [(unit.nation, unit.type, count) for unit, count in group]
    for nation, units in by_nation(parts).items():
        g.emit("landing", power=nation, path=list(path), units=units, opposed=held)
    if not held:
        for nation in own:
            enters(s, beach, nation)


def relieve(s: State, hex: str) -> None:
    """Enemies in a hex have been overrun: who has landed among them need not attack.

    Rules: 5.57b
    """
    for unit, count in list(s.stack(hex).items()):
        if unit.duty == "assault" and not any(attacks.defenders(s, hex, unit.nation)):
            s.change(hex, unit, count, duty="landed", origin="")


def cast_off(s: State, which: str) -> None:
    """When the Land Stage of a side is over its Amphibious units are free again, and its beachheads
    are none any more: who retakes one on the same Game-Turn has not invaded it.

    Rules: 5.54a
    """
    for name in [name for name in s.counts if name.startswith(BEACH)]:
        del s.counts[name]
    for hex, unit, count in s.with_marks():
        if unit.type == "amph" and unit.duty and side(s, unit.nation) == which:
            s.change(hex, unit, count, duty="", origin="")
