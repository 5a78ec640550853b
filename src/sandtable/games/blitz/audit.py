"""The invariants of a position."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.blitz.facts import BIG
from sandtable.games.blitz.model import NEUTRAL, State
from sandtable.games.blitz.rules.conquest import CAPITALS
from sandtable.games.blitz.rules.counters import ITALY_OUT
from sandtable.games.blitz.rules.neutral_entry import JAPAN_STRUCK
from sandtable.games.blitz.rules.stacking import needs_consent

_BOOKS_OPEN = ("income", "spend")
"""The steps in which secret accounts may be open."""


def broken_invariants(s: State) -> list[str]:
    """A sentence for each invariant that does not hold.

    Rules: 1.2a, 1.2b, 1.2c, 1.2e, 1.3.island-a, 1.3.island-b, 1.3.port-b
    """
    return [
        *_counters(s),
        *_indexes(s),
        *_places(s),
        *_rooms(s),
        *_control(s),
        *_markers(s),
        *(f"There is no flag {flag!r}." for flag in sorted(s.flags - _known_flags(s))),
        *_commanders(s),
    ]


def _counters(s: State) -> Iterator[str]:
    """Every counter is in one place at most: on the map, in a pool, a Group, aside or removed."""
    where: dict[str, str] = {}

    def seen(counter: str, place: str) -> Iterator[str]:
        if counter in where:
            yield f"{counter} is in two places: {where[counter]} and {place}."
        where[counter] = place
        if counter.removesuffix(BIG) not in s.facts.kinds:
            yield f"There is no counter {counter!r} ({place})."
        elif counter.endswith(BIG) and len(s.facts.kinds[counter.removesuffix(BIG)].sizes) < 3:
            yield f"There is no Big version of {counter.removesuffix(BIG)} ({place})."

    for id, unit in s.units.items():
        yield from seen(id, "on the map")
        if unit.size > 2:
            yield from seen(id + BIG, "on the map")
    for power, pool in s.pool.items():
        for counter in pool:
            yield from seen(counter, f"the Force Pool of {power}")
        if list(pool) != sorted(pool):
            yield f"The Force Pool of {power} is not sorted."
    for power, groups in s.groups.items():
        for group in groups:
            for counter in group:
                yield from seen(counter, f"a Group of {power}")
    for counter in s.aside:
        yield from seen(counter, "set aside")
    for counter in sorted(s.removed):
        yield from seen(counter, "out of the game")


def _indexes(s: State) -> Iterator[str]:
    listed = [(area, id) for area, ids in s.at.items() for id in ids]
    if len(listed) != len(s.units) or any(
        id not in s.units or s.units[id].at != area for area, id in listed
    ):
        yield "The index of units by area does not fit the units."
    for area, ids in s.at.items():
        if list(ids) != sorted(set(ids)):
            yield f"The index of units in {area} is not sorted."


def _places(s: State) -> Iterator[str]:
    """Sizes, areas, ports and transports of the units."""
    facts = s.facts
    for id, unit in s.units.items():
        if id not in facts.kinds:
            continue
        domain = facts.domain[id]
        if not 1 <= unit.size <= len(facts.kinds[id].sizes):
            yield f"{id} cannot have Size {unit.size}."
            continue
        if unit.power != NEUTRAL and unit.power not in s.scenario.powers:
            yield f"{id} belongs to {unit.power}, which is not in play."
        if unit.at not in s.in_play:
            yield f"{id} is in {unit.at}, which is not in play."
            continue
        if unit.at in facts.lands:
            if domain == "naval" and unit.port not in facts.ports[unit.at]:
                yield f"{id} is in {unit.at}, but in none of its ports."
        elif domain == "land" and not unit.aboard:
            yield f"{id} is at sea in {unit.at} without a transport."
        if unit.port and (domain != "naval" or unit.at not in facts.lands):
            yield f"{id} cannot be in a port of {unit.at}."
        if unit.aboard:
            yield from _aboard(s, id)


def _aboard(s: State, id: str) -> Iterator[str]:
    """What carries a unit is in its area, and can carry it.

    The load is not looked at: a transport that has just been hit carries too much until its owner
    has said what is lost.
    """
    facts, unit = s.facts, s.units[id]
    carrier = s.units.get(unit.aboard)
    if carrier is None or carrier.at != unit.at:
        yield f"{id} is aboard {unit.aboard}, which is not there."
        return
    if s.type(id) == "ABOMB":
        if facts.domain[unit.aboard] != "air":
            yield f"{id} is aboard {unit.aboard}, which is no air unit."
        return
    if facts.domain[id] != "land" or s.type(unit.aboard) != "TRS":
        yield f"{id} is aboard {unit.aboard}, which cannot carry it."
        return
    if unit.at in facts.lands:
        yield f"{id} is aboard {unit.aboard} in a port."


def _rooms(s: State) -> Iterator[str]:
    """What stands in each land area: one side only, within the limits of islands and ports."""
    facts = s.facts
    for area, ids in s.at.items():
        land = facts.lands.get(area)
        if land is None:
            continue
        used: dict[str, int] = {}
        sides: dict[str, str] = {}
        # Where an ally's guest has just come in, its host's ships and aircraft are leaving.
        known = [id for id in ids if s.units[id].power in facts.side]
        host = ""
        if s.control.get(area) in facts.side:
            host = next((ally for id in known if (ally := needs_consent(s, id, area))), "")
        for id in ids:
            unit = s.units[id]
            domain = facts.domain.get(id, "land")
            if unit.aboard or (host and unit.power == host and domain != "land"):
                continue
            key = unit.port if domain == "naval" else domain
            used[key] = used.get(key, 0) + unit.size
            if domain == "land":
                sides.setdefault(facts.side.get(unit.power, NEUTRAL), id)
        if len(sides) > 1:
            yield f"{area} holds land units of both sides: {' and '.join(sides.values())}."
        limit = facts.numbers.island_size
        if land.island:
            for domain in ("land", "air"):
                if used.get(domain, 0) > limit:
                    yield f"The island {area} holds {domain} units of Size {used[domain]}."
        for port in land.ports:
            if port.size == "small" and used.get(port.id, 0) > facts.numbers.small_port_size:
                yield f"The small port of {area} holds ships of Size {used[port.id]}."


def _control(s: State) -> Iterator[str]:
    """Land areas in play belong to a power or are neutral; their damage is within bounds."""
    facts = s.facts
    lands = facts.lands.keys() & s.in_play
    if s.control.keys() != lands:
        wrong = ", ".join(sorted(s.control.keys() ^ lands))
        yield f"Control is not of the land areas in play: {wrong}."
    for area, power in s.control.items():
        if power != NEUTRAL and power not in facts.powers:
            yield f"{area} is controlled by {power!r}, which is no power."
    for area, points in s.factory_damage.items():
        if not 0 <= points <= facts.lands[area].factory:
            yield f"The Factory of {area} cannot have {points} damage."
    for sea, points in s.convoy_damage.items():
        if not 0 <= points <= facts.convoys[sea].factor:
            yield f"The convoy of {sea} cannot have {points} damage."
    for one, two in s.wars:
        if (two, one) not in s.wars or facts.side[one] == facts.side[two]:
            yield f"{one} cannot be at war with {two}."


def _markers(s: State) -> Iterator[str]:
    """Markers on the Victory Track, and what may be open when."""
    numbers = s.facts.numbers
    for power, points in s.vp.items():
        if s.scenario.ends_at and points > s.scenario.ends_at:
            yield f"{power} has {points} victory points."
    for power, box in s.entry.items():
        if not 0 <= box <= numbers.last_box:
            yield f"The entry marker of {power} is in box {box}."
    for name, saved in (("Oil", s.oil), ("Resources", s.resources)):
        for power, number in saved.items():
            if number < 0:
                yield f"{power} has {number} saved {name}."
    for power, box in s.bombs.items():
        if not 0 <= box <= numbers.bomb_box:
            yield f"The A-Bomb of {power} is in box {box}."
    if s.books and not (s.phase == "turn_end" and s.step in _BOOKS_OPEN):
        yield f"Accounts are open in the step {s.step} of {s.phase}."
    for power, book in s.books.items():
        low = min(book.oil, book.resources, *(min(a.oil, a.resources) for a in book.minors), 0)
        if low < 0:
            yield f"The accounts of {power} are overdrawn."


def _known_flags(s: State) -> frozenset[str]:
    """The flags that the rules set."""
    facts = s.facts
    steps = facts.road.values()
    twice = s.scenario.own.get("double_pick", {}).get("times", 0)
    return frozenset(
        (
            *(ITALY_OUT, JAPAN_STRUCK, "armour_withdrawn", "japan_at_war", "road_to_war", "vichy"),
            *(option.flag for step in steps for option in step.options.values() if option.flag),
            *(f"{country}_{what}" for country in CAPITALS for what in ("fell", "freed")),
            *(f"{what}:{p}" for p in s.scenario.powers for what in ("a_bombed", "stockpiled_oil")),
            *(f"reinforced:{id}" for id in facts.kinds),
            *(f"double_pick:{number + 1}" for number in range(twice)),
        )
    )


def _commanders(s: State) -> Iterator[str]:
    """One face of a counter, at a unit of his kind or alone in a friendly area."""
    facts = s.facts
    faces: dict[tuple[str, int], str] = {}
    led: dict[str, str] = {}
    for id, (_area, unit) in s.commanders.items():
        commander = facts.commanders[id]
        other = faces.setdefault((commander.power, commander.counter), id)
        if other != id:
            yield f"{other} and {id} are the two sides of one counter."
        if not unit:
            continue
        if unit not in s.units:
            yield f"{id} commands {unit}, which is not on the map."
        elif facts.domain[unit] != commander.commands:
            yield f"{id} cannot command {unit}."
        if led.setdefault(unit, id) != id:
            yield f"{unit} has two commanders."
