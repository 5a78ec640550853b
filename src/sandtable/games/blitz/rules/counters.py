"""Units growing, shrinking and leaving the map; Force Pools (1.2, 6.5, 7.8)."""

from __future__ import annotations

from sandtable.games.blitz.facts import BIG
from sandtable.games.blitz.model import State, Unit
from sandtable.games.blitz.rules.sides import country_of
from sandtable.kernel.table import Table

MAGINOT = "afa_maginot_line"
"""What never comes back."""

ITALY_OUT = "italy_out"
"""The flag of scenario C that Italy is out of the game for good; no conquest sets it."""


def is_big(size: int) -> bool:
    """Whether a unit of this Size is a Big counter.

    Rules: 1.2e
    """
    return size > 2


def small_name(counter: str) -> str:
    """The unit that a counter, Small or Big, belongs to."""
    return counter.removesuffix(BIG)


def nation_of(s: State, counter: str) -> str:
    """The country to which a counter's home belongs (the Ukraine is home to a Soviet unit)."""
    home = s.facts.kinds[small_name(counter)].home
    return country_of(s, s.facts.countries[home].areas[0])


def destination(s: State, power: str, counter: str) -> str:
    """The power into whose Force Pool a counter goes that `power` develops; "" to set it aside.

    It goes to the power of the same side that governs its country. Countries that are not in play
    are `power`'s own.

    Rules: 7.3f, 7.3g, 3.4.conq-f, 3.4.lib-d
    """
    nation = nation_of(s, counter)
    if nation in s.conquered or _is_out(s, nation):
        return ""
    ally = s.allied.get(nation, power)
    return ally if ally and s.facts.side[ally] == s.facts.side[power] else ""


def _is_out(s: State, nation: str) -> bool:
    """Whether the counters of a country that are not on the map are out of the game for good.

    Rules: C.8b
    """
    return nation == "italy" and ITALY_OUT in s.flags


def put_aside(s: State, counter: str) -> None:
    """Set a counter aside until its country is free and on its side, or for good.

    Rules: 3.4.conq-e, 3.4.conq-f, 3.4.conq-g, C.8b
    """
    nation = nation_of(s, counter)
    if _is_out(s, nation):
        s.removed |= {counter}
    else:
        s.aside[counter] = nation


def to_pool(s: State, power: str, counter: str) -> None:
    """Put a counter into a Force Pool."""
    s.pool[power] = tuple(sorted((*s.pool.get(power, ()), counter)))


def from_pool(s: State, power: str, counter: str) -> None:
    """Take a counter out of a Force Pool; ValueError if it is not there."""
    left = list(s.pool[power])
    left.remove(counter)
    s.pool[power] = tuple(left)


def retire(s: State, power: str, counter: str) -> None:
    """A counter that leaves the map: to the Force Pool, set aside, or out of the game.

    Set aside is what belongs to a conquered country, or to one that is not on its side any more.

    Rules: 6.5.dmg-c, 3.4.conq-g, 7.8.build-g, D.italy-a
    """
    id = small_name(counter)
    if id == MAGINOT or id in s.scenario.own.get("gone_when_destroyed", ()):
        s.removed |= {counter}
    elif owner := destination(s, power, counter):
        to_pool(s, owner, counter)
    else:
        put_aside(s, counter)


def damage(g: Table[State], id: str, points: int = 1, by: str = "") -> None:
    """Take Size from a unit; one without any left is destroyed. `by` is the enemy who did it.

    Rules: 6.5.dmg-a, 6.5.dmg-c, 1.2c, 1.2d, 1.2e, 1.2h
    """
    s = g.state
    unit = s.units[id]
    size = unit.size - points
    if size <= 0:
        destroy(g, id, by)
        return
    s.count(f"lost:{s.type(id)}:{unit.power}:{by}", points)
    if is_big(unit.size) and not is_big(size):
        retire(s, unit.power, id + BIG)
    s.change(id, size=size)
    g.emit("damaged", unit=id, size=size, space=unit.at)


def destroy(g: Table[State], id: str, by: str = "") -> None:
    """Remove a unit from the map, with whatever it carries. `by` is the enemy who did it.

    Rules: 6.5.dmg-c, 6.5.trs-a, 6.5.dmg-d, 9.5i
    """
    s = g.state
    for aboard in s.cargo(id):
        destroy(g, aboard, by)
    type_ = s.type(id)
    unit = lift(g, id)
    if is_big(unit.size):
        retire(s, unit.power, id + BIG)
    retire(s, unit.power, id)
    s.count(f"lost:{type_}:{unit.power}:{by}", unit.size)
    s.count(f"destroyed:{type_}:{unit.power}:{by}")
    g.emit("destroyed", losses={unit.power: (id,)}, space=unit.at, power=by)


def lift(g: Table[State], id: str) -> Unit:
    """Take a unit off the map, and its commander; its counters go nowhere yet.

    Rules: 9.5i
    """
    dismiss(g, id)
    return g.state.take(id)


def hand_over(g: Table[State], id: str, power: str) -> None:
    """Give a unit on the map to another power; its commander returns to his Force Pool."""
    s = g.state
    if s.units[id].power != power:
        dismiss(g, id)
        s.change(id, power=power)


def dismiss(g: Table[State], id: str) -> None:
    """Return the commander of a unit, if it has one, to his Force Pool."""
    s = g.state
    for commander, (area, commanded) in list(s.commanders.items()):
        if commanded == id:
            del s.commanders[commander]
            g.emit("commander_returned", commander=commander, space=area)


def grow(s: State, id: str, size: int) -> None:
    """Make a unit on the map bigger; its Big counter comes out of the Force Pool if needed.

    Rules: 7.8.build-a, 7.8.build-c, 7.8.build-d
    """
    unit = s.units[id]
    if is_big(size) and not is_big(unit.size):
        from_pool(s, unit.power, id + BIG)
    s.change(id, size=size)


def deploy(s: State, power: str, id: str, size: int, at: str, port: str = "") -> None:
    """Place a unit from the Force Pool on the map.

    Rules: 7.8.build-e
    """
    from_pool(s, power, id)
    if is_big(size):
        from_pool(s, power, id + BIG)
    s.put(id, Unit(power, size, at, port))


def biggest(s: State, power: str, id: str, also: tuple[str, ...] = ()) -> int:
    """The Size to which a unit may be built now: a Small one only to 2 without its Big counter.

    `also` are counters to be had besides those in the Force Pool.

    Rules: 7.8.build-d, 3.4.conq-h
    """
    most = len(s.facts.kinds[id].sizes)
    unit = s.units.get(id)
    if most <= 2 or (unit is not None and is_big(unit.size)):
        return most
    big = id + BIG
    if nation_of(s, id) in s.conquered or (big not in s.pool.get(power, ()) and big not in also):
        return 2
    return most


def current_group(s: State, power: str, without: tuple[str, ...] = ()) -> tuple[str, ...]:
    """What is left of the first Group of a power that has anything left.

    Rules: 7.3b
    """
    for group in s.groups[power]:
        left = tuple(counter for counter in group if counter not in without)
        if left:
            return left
    return ()
