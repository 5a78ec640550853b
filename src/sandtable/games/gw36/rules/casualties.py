"""Choosing casualties: which hits may fall on which units, and who chooses (9.1-9.3, 9.6, 9.8)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import ClassVar, NamedTuple

from sandtable.games.gw36.model import Force, Stack, State, Unit
from sandtable.games.gw36.rules.battle import (
    attackers,
    choosers,
    forces,
    label,
    labelled,
    lead,
    running,
    standing,
    suffers_double,
    type_of,
    update,
)
from sandtable.games.gw36.rules.terms import on
from sandtable.kernel.decisions import Decision, Request, RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Casualties(Decision, frozen=True, tag="casualties"):
    """What is hit: unit, as the request names it, to number of hits."""

    units: dict[str, int]


class ChooseCasualties(Request, frozen=True, tag="choose_casualties"):
    """Take so many hits, from the first tier as long as it lasts, then from the next."""

    space: str
    hits: int
    by: str
    """What scored them: a type of unit, `fortification`, `coastal_artillery`, …"""
    tiers: tuple[dict[str, int], ...]
    """Unit to the hits that it and its like can take."""
    double: tuple[str, ...] = ()
    """Units of which a hit costs two (9.2)."""
    chosen_by_enemy: bool = False
    """Whether the power selects a target among the Enemy's units."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Casualties,)

    def check(self, state: State, decision: Casualties) -> None:
        """Rules: 9.2a, table-9-1c, table-9-1f, 9.6a, 9.8d, 9.8j, 12.2.air-transport-c"""
        known = {key for tier in self.tiers for key in tier}
        for key, count in decision.units.items():
            if key not in known:
                raise IllegalDecision(f"{_named(state, key)} cannot be hit here.", "9.1c")
            if count < 1:
                raise IllegalDecision(f"{count} is no number of hits.", "9.1c")
        rest = self.hits
        for tier in self.tiers:
            chosen = {key: decision.units.get(key, 0) for key in tier}
            for key, count in chosen.items():
                if count > tier[key]:
                    raise IllegalDecision(
                        f"{_named(state, key)} can take {tier[key]} hits, not {count}.", "9.1c"
                    )
            singles = sum(count for key, count in chosen.items() if key not in self.double)
            twice = sum(count for key, count in chosen.items() if key in self.double)
            most_twice = sum(count for key, count in tier.items() if key in self.double)
            room = sum(tier.values()) - most_twice + (most_twice + 1) // 2
            if room <= rest:
                fits = chosen == tier
                rest -= room
            else:
                fits = singles + (twice + 1) // 2 == rest
                fits = fits and (twice % 2 == 0 or twice == most_twice)
                rest = 0
            if not fits:
                raise IllegalDecision(_how_many(state, self), "9.2a" if self.double else "9.1c")

    def decisions(self, state: State) -> Iterator[Decision]:
        """Every legal choice, lazily."""
        yield from (Casualties(units) for units in _choices(self.tiers, self.double, self.hits))

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        yield Casualties(choose(self, lambda keys: rng.choice(keys)))

    def forced(self) -> dict[str, int] | None:
        """The only choice there is; None if there are several."""
        found = None
        for units in _choices(self.tiers, self.double, self.hits):
            if found is not None:
                return None
            found = units
        return found


def choose(request: ChooseCasualties, prefer: Callable[[list[str]], str]) -> dict[str, int]:
    """A legal choice, made hit by hit by `prefer` among the units that the hit may fall on."""
    units: dict[str, int] = {}
    rest = request.hits
    for tier in request.tiers:
        left = dict(tier)
        while rest and left:
            key = prefer(sorted(left))
            rest -= 1
            for _ in range(2 if key in request.double else 1):
                if key not in left or not left[key]:
                    others = [
                        each for each in sorted(left) if each in request.double and left[each]
                    ]
                    if not others:
                        break
                    key = prefer(others)
                units[key] = units.get(key, 0) + 1
                left[key] -= 1
                if not left[key]:
                    del left[key]
        if not rest:
            break
    return units


def _choices(
    tiers: tuple[dict[str, int], ...], double: tuple[str, ...], hits: int
) -> Iterator[dict[str, int]]:
    if not tiers:
        yield {}
        return
    tier, later = tiers[0], tiers[1:]
    singles = {key: most for key, most in sorted(tier.items()) if key not in double}
    doubles = {key: most for key, most in sorted(tier.items()) if key in double}
    most_singles, most_doubles = sum(singles.values()), sum(doubles.values())
    if most_singles + (most_doubles + 1) // 2 <= hits:
        rest = hits - most_singles - (most_doubles + 1) // 2
        for others in _choices(later, double, rest):
            yield {**tier, **others}
        return
    for number in range(min(hits, most_singles), -1, -1):
        twice = min(2 * (hits - number), most_doubles)
        if number + (twice + 1) // 2 != hits:
            continue
        for some in _parts(list(singles.items()), number):
            for more in _parts(list(doubles.items()), twice):
                yield {**some, **more}


def _parts(limits: list[tuple[str, int]], number: int) -> Iterator[dict[str, int]]:
    """Every way to take a number from keys with limits; no branch is a dead end."""
    if not limits:
        if not number:
            yield {}
        return
    (key, most), rest = limits[0], limits[1:]
    room = sum(count for _, count in rest)
    for count in range(min(most, number), max(number - room, 0) - 1, -1):
        for others in _parts(rest, number - count):
            yield {key: count, **others} if count else others


def _named(s: State, key: str) -> str:
    nation, type_ = key.partition(":")[0], type_of(key)
    if type_ not in s.facts.units or nation not in s.facts.nations:
        return "That unit"
    return f"{s.facts.name(type_)} of {s.facts.name(nation)}"


def _how_many(s: State, request: ChooseCasualties) -> str:
    first = ", ".join(sorted({_named(s, key) for key in request.tiers[0]}))
    more = " (a hit costs two of those that suffer double casualties)" if request.double else ""
    if len(request.tiers) > 1:
        return f"{request.hits} hits are to be taken{more}, first from: {first}."
    return f"{request.hits} hits are to be taken{more}, among: {first}."


class Hits(NamedTuple):
    """What one type of unit scored: ordinary hits, and those whose target the roller selects."""

    by: str
    side: str
    """The side that scored them: attack or defense."""
    plain: int = 0
    selected: int = 0
    power: str = ""
    """The nation that rolled."""


def candidates(s: State, hits: Hits, *, selected: bool) -> Stack:
    """The units that such a hit can fall on. Where aircraft attack Advanced Submarines, these are
    theirs alone.

    Rules: 9.6d, 9.10d, 12.2.seaplane-c, 12.2.aa-c, 7.8.asw-c, 7.8.advanced-sub-c, table-9-1e,
        12.2.tactical-bomber-b
    """
    units = standing(s) if hits.side == "attack" else attackers(s)
    kind = s.facts.units.get(hits.by)
    if hits.by == "bombardment":
        return {u: n for u, n in units.items() if s.facts.units[u.type].land}
    if kind is None:
        return units
    found = {}
    only_transports = all(s.facts.units[u.type].transport for u in units)
    submarines = any(s.facts.units[u.type].submarine for u in units)
    hunted = hits.side == "attack" and any(s.facts.units[u.type].air for u in attackers(s))
    for unit, count in units.items():
        target = s.facts.units[unit.type]
        if kind.anti_air and not target.air:
            continue
        if kind.submarine and target.air:
            continue
        if hunted and unit.type == "advanced_submarine" and not kind.air:
            continue
        if kind.transport and not target.submarine:
            continue
        if "submarine" in kind.hits_only and not (
            target.submarine or (target.transport and (only_transports or submarines))
        ):
            continue
        if selected and not any(_is(target.class_, each) for each in _targets(hits)(s)):
            continue
        found[unit] = count
    return found


def _targets(hits: Hits) -> Callable[[State], tuple[str, ...]]:
    """What a hit with target selection may select; defenders of a city select vehicles."""

    def of(s: State) -> tuple[str, ...]:
        return s.facts.units[hits.by].targets or ("vehicle",)

    return of


def _is(class_: str, group: str) -> bool:
    if group == "land":
        return class_ in ("infantry", "vehicle", "artillery")
    return class_ == group


def tiers(s: State, hits: Hits, units: Stack) -> tuple[dict[str, int], ...]:
    """The units in the order in which they have to be taken, by label, with the hits they can take.
    Air Superiority reaches Air Transports after all other aircraft, and before what is no aircraft.

    Rules: table-9-1c, 9.6a, 9.8j, 12.2.air-transport-c, 12.2.naval-transport-c
    """
    battle = running(s)
    kind = s.facts.units.get(hits.by)
    air_first = bool(kind and kind.air_superiority and battle.round == 1)
    mixed = hits.side == "defense" and any(
        u.duty != "assault" and s.facts.units[u.type].land for u in attackers(s)
    )
    ranks: dict[int, dict[str, int]] = {}
    for name, groups in labelled(s, units).items():
        unit = groups[0][0]
        type_ = s.facts.units[unit.type]
        rank = 3
        if air_first and type_.air:
            rank = 0
        elif mixed and unit.duty == "assault" and type_.land and unit.target != "airborne":
            rank = 2
        if type_.last and not (type_.air and unit.target == "airborne"):
            rank = 1 if air_first and type_.air else 4
        life = type_.hits - unit.hits
        count = sum(number for _, number in groups)
        ranks.setdefault(rank, {})[name] = count * life
    return tuple(ranks[rank] for rank in sorted(ranks))


def doubled(s: State, side: str, units: Stack) -> tuple[str, ...]:
    """The attackers of whom a hit costs two: in the first round those that land from the sea, but
    for Marines and who comes from an Attack Transport, and those that cross the Maginot Line.

    Rules: 9.2a, 9.8d, 1.23a, 12.2.marine-b, 7.8.attack-transport-b
    """
    battle = running(s)
    if side == "attack" or battle.round != 1 or battle.kind != "land":
        return ()
    return tuple(sorted({label(s, unit) for unit in units if suffers_double(s, unit)}))


def suffer(g: Table[State], hits: Hits, *, at_once: bool) -> Procedure[None]:
    """Take the hits of one type: first those whose target the roller selects, then the others.

    Attackers, and whoever is hit by a first strike (`at_once`), are removed immediately; other
    defenders are set aside and still fire.

    Rules: 9.1c, 9.1d, 9.1e, 9.1f, table-9-1d, table-9-1e, table-9-1f
    """
    s = g.state
    plain = hits.plain
    if hits.selected:
        found = candidates(s, hits, selected=True)
        room = sum(n * (s.facts.units[u.type].hits - u.hits) for u, n in found.items())
        number = min(hits.selected, room)
        plain += hits.selected - number
        if number:
            power = lead(s, [hits.power])
            double = doubled(s, hits.side, found)
            request = ChooseCasualties(
                power,
                running(s).at,
                number,
                hits.by,
                (dict(sorted((k, v) for tier in tiers(s, hits, found) for k, v in tier.items())),),
                chosen_by_enemy=True,
            )
            units = request.forced()
            if units is None and not power:
                units = choose(request, dearest(s))
            if units is None:
                answer: Casualties = yield from g.ask(request)
                units = answer.units
            yield from _take(g, hits, units, at_once=at_once)
            # Of a double casualty only one is selected; the owner chooses the other.
            plain_second = sum(n for key, n in units.items() if key in double)
            if plain_second:
                yield from _owner(g, hits, plain_second, at_once=at_once, second=True)
    if plain:
        yield from _owner(g, hits, plain, at_once=at_once)


def _owner(
    g: Table[State], hits: Hits, number: int, *, at_once: bool, second: bool = False
) -> Procedure[None]:
    """The owner of the units chooses; several owners together.

    Rules: 0.5g, 0.5h
    """
    s = g.state
    found = candidates(s, hits, selected=False)
    if not found:
        return
    double = () if second else doubled(s, hits.side, found)
    if second:
        double_names = doubled(s, hits.side, found)
        found = {u: n for u, n in found.items() if label(s, u) in double_names} or found
    order = tiers(s, hits, found)
    powers = choosers(s, found)
    if hits.side == "defense":
        powers = powers[:1]
    asked = [
        ChooseCasualties(power, running(s).at, number, hits.by, order, double) for power in powers
    ]
    plain = ChooseCasualties("", running(s).at, number, hits.by, order, double)
    units = plain.forced()
    if units is None:
        if not asked:
            units = choose(plain, cheapest(s))
        elif len(asked) == 1:
            answer: Casualties = yield from g.ask(asked[0])
            units = answer.units
        else:
            units = yield from _together(g, asked)
    yield from _take(g, hits, units, at_once=at_once)


def cheapest(s: State) -> Callable[[list[str]], str]:
    """For Minor Powers for which nobody decides: what costs least."""
    return lambda keys: min(keys, key=lambda key: (_cost(s, key), key))


def dearest(s: State) -> Callable[[list[str]], str]:
    """Whom such Minor Powers select among their attackers: what costs most."""
    return lambda keys: max(keys, key=lambda key: (_cost(s, key), key))


def _cost(s: State, key: str) -> int:
    return sum(s.facts.units[type_of(key)].cost)


def _together(g: Table[State], asked: list[ChooseCasualties]) -> Procedure[dict[str, int]]:
    """Joint defenders agree, or the highest roll decides.

    Rules: 0.5g, 0.5h
    """
    answers = yield from g.ask_all(asked)
    powers = [request.power for request in asked]
    first: dict[str, int] = answers[powers[0]].units
    if all(answers[power].units == first for power in powers):
        return first
    while len(powers) > 1:
        lines = tuple(RollLine(power, "dispute", 1, 0, 12) for power in powers)
        faces = yield from g.roll("dispute", lines)
        g.emit("casualties_disputed", space=asked[0].space, lines=lines, dice=faces)
        powers = [p for p, face in zip(powers, faces, strict=True) if face == max(faces)]
    chosen: dict[str, int] = answers[powers[0]].units
    return chosen


def _take(g: Table[State], hits: Hits, units: dict[str, int], *, at_once: bool) -> Procedure[None]:
    """Mark damage, remove what is destroyed or set it aside. Hits on several ships alike are
    spread.

    Rules: 0.9.capital-b, 9.1d, 9.1e, 9.6b, 15.5a, 15.5b
    """
    s = g.state
    battle = running(s)
    side = standing(s) if hits.side == "attack" else attackers(s)
    by_label = labelled(s, side)
    gone: dict[Unit, int] = {}
    for key, number in sorted(units.items()):
        left = number
        for unit, count in by_label[key]:
            kind = s.facts.units[unit.type]
            if kind.hits > 1:
                left = yield from _damage(g, hits, unit, count, left)
                continue
            some = min(count, left)
            left -= some
            if some:
                gone[unit] = gone.get(unit, 0) + some
    set_aside = hits.side == "attack" and not at_once
    for unit, count in gone.items():
        if set_aside:
            condemn(s, unit, count)
        else:
            remove(s, unit, count)
    if gone:
        g.emit(
            "units_hit",
            space=battle.at,
            unit=hits.by,
            losses=forces(sorted(gone.items())),
        )


def _damage(g: Table[State], hits: Hits, unit: Unit, count: int, number: int) -> Procedure[int]:
    """Give hits to capital ships of one kind, one to each as long as there are unharmed ones; the
    hits that are left over.

    Rules: 0.9.capital-b, 7.8.heavy-battleship-b, 15.5a, 15.5b
    """
    s = g.state
    zone = running(s).at
    kind = s.facts.units[unit.type]
    ships = [unit] * count
    rest = number
    set_aside = hits.side == "attack"
    while rest and ships:
        ship = min(ships)
        markers = 1
        if on(s, "alternate_damage"):
            line = RollLine(ship.nation, ship.type, 1, 0, 12)
            faces = yield from g.roll("capital_ship_damage", (line,))
            g.emit("damage_rolled", space=zone, power=ship.nation, lines=(line,), dice=faces)
            markers = 1 if faces[0] <= 8 else 2 if faces[0] <= 11 else 3
        life = kind.hits
        if on(s, "alternate_damage") and kind.id in ("heavy_carrier", "heavy_battleship"):
            life = 3
        rest -= 1
        ships.remove(ship)
        if ship.hits + markers >= life:
            if set_aside:
                condemn(s, ship, 1)
            else:
                remove(s, ship, 1)
            g.emit(
                "units_hit",
                space=zone,
                unit=hits.by,
                losses=forces([(ship, 1)]),
            )
        else:
            hurt = s.change(zone, ship, 1, hits=ship.hits + markers)
            g.emit(
                "ship_damaged",
                space=zone,
                power=ship.nation,
                units={ship.type: 1},
                markers=hurt.hits,
            )
            ships.append(hurt)
    return rest


def condemn(s: State, unit: Unit, count: int) -> None:
    """Set defenders aside: they fire once more, then they are gone."""
    force = dict(running(s).condemned)
    force[unit] = force.get(unit, 0) + count
    update(s, condemned=tuple(sorted(force.items())))


def remove(s: State, unit: Unit, count: int) -> None:
    """Destroy units of the battle. In the first round the Airborne Infantry of a transporting
    aircraft goes with it.

    Rules: 9.6b, 9.15c
    """
    zone = running(s).at
    s.destroy(zone, unit, count)
    update(s, lost=_more(running(s).lost, unit, count))
    if not s.facts.units[unit.type].air or unit.target != "airborne" or running(s).round > 1:
        return
    for troops, number in sorted(attackers(s).items()):
        if troops.target == "airborne" and troops.nation == unit.nation:
            some = min(count, number) if s.facts.units[troops.type].land else 0
            count -= some
            if some:
                s.destroy(zone, troops, some)
                update(s, lost=_more(running(s).lost, troops, some))


def bury(s: State) -> None:
    """Remove the defenders that were set aside and have fired.

    Rules: 9.1d, table-9-2e
    """
    for unit, count in running(s).condemned:
        remove(s, unit, count)
    update(s, condemned=())


def _more(force: Force, unit: Unit, count: int) -> Force:
    pieces = dict(force)
    for piece in (unit, *unit.cargo):
        plain = Unit(piece.nation, piece.type)
        pieces[plain] = pieces.get(plain, 0) + count
    return tuple(sorted(pieces.items()))


def lose(g: Table[State], zone: str, units: Stack, number: int, by: str) -> Procedure[None]:
    """So many hits fall on these units outside of a battle's rounds (raids, bombs, guns); their
    owner chooses, and they are gone at once. A capital ship is damaged before it sinks."""
    s = g.state
    rows = labelled(s, units)
    limits = {
        name: sum(n * (s.facts.units[u.type].hits - u.hits) for u, n in some)
        for name, some in rows.items()
    }
    room = sum(limits.values())
    if not number or not room:
        return
    powers = choosers(s, units)
    request = ChooseCasualties(powers[0] if powers else "", zone, min(number, room), by, (limits,))
    chosen = request.forced()
    if chosen is None:
        if powers:
            answer: Casualties = yield from g.ask(request)
            chosen = answer.units
        else:
            chosen = choose(request, cheapest(s))
    gone: dict[Unit, int] = {}
    for name, hits in sorted(chosen.items()):
        left = hits
        for unit, count in rows[name]:
            life = s.facts.units[unit.type].hits - unit.hits
            hurt = min(count, left) if life > 1 else 0
            sunk = max(left - hurt, 0) // (life - 1) if life > 1 else min(count, left)
            sunk = min(sunk, count)
            left -= min(left, count * life)
            if sunk:
                s.destroy(zone, unit, sunk)
                gone[unit] = sunk
            if hurt - sunk > 0:
                s.change(zone, unit, hurt - sunk, hits=unit.hits + 1)
    if gone:
        g.emit(
            "units_hit",
            space=zone,
            unit=by,
            losses=forces(sorted(gone.items())),
        )
