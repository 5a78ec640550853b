"""Choices in battle: which first, who fires, who is lost, whether to go on."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw36.bot.odds import Outlook, outlook
from sandtable.games.gw36.bot.worth import defence, foes_in, guard, price, threat, worth
from sandtable.games.gw36.model import Stack, State
from sandtable.games.gw36.rules import bombing, submarines
from sandtable.games.gw36.rules.battle import attackers, running, standing, type_of
from sandtable.games.gw36.rules.blitz import Blitz, Halt, MayBlitz
from sandtable.games.gw36.rules.casualties import Casualties, ChooseCasualties, choose
from sandtable.games.gw36.rules.combat import ChooseCombat, Fight
from sandtable.games.gw36.rules.follow_up import Land, MayLand
from sandtable.games.gw36.rules.retreat import Dive, MayDive, Press, Retreat, RetreatOrPress
from sandtable.games.gw36.rules.rounds import ChooseFire, FireAll
from sandtable.games.gw36.rules.scramble import Flight, MayScramble, Scramble, able, limit, ready
from sandtable.games.gw36.rules.terms import enemy_zone
from sandtable.games.gw36.rules.values import attack_shots, defense_shots
from sandtable.kernel.decisions import Decision, Pass

RETREAT = 0.7
"""The ratio of strengths under which an attack is broken off."""
WEAK = 2.5
"""The ratio with which armor goes on into the next zone."""


def _lives(s: State, units: Stack) -> float:
    kinds = s.facts.units
    return sum(count * (kinds[unit.type].hits - unit.hits) for unit, count in units.items())


def _sum(shots: dict[str, list[tuple[str, int, int, int]]]) -> float:
    return float(sum(row[1] * row[2] for rows in shots.values() for row in rows))


def standing_of(s: State) -> Outlook:
    """How the battle that is being fought stands for the attackers."""
    ours, theirs = attackers(s), standing(s)
    return outlook(
        _sum(attack_shots(s, ours)),  # type: ignore[arg-type]
        _lives(s, ours),
        _sum(defense_shots(s, theirs)),  # type: ignore[arg-type]
        _lives(s, theirs),
    )


def choose_combat(s: State, request: ChooseCombat) -> Iterator[Decision]:
    """Battles at sea first, then the most valuable zones."""
    order = sorted(
        request.combats,
        key=lambda each: (
            each[1] == "land",
            -worth(s, each[0]) if each[0] in s.possession else 0.0,
            each,
        ),
    )
    yield from (Fight(zone, kind) for zone, kind in order)


def fire(s: State, request: ChooseFire) -> Iterator[Decision]:
    """All in their usual order."""
    yield FireAll()


def choose_casualties(s: State, request: ChooseCasualties) -> Iterator[Decision]:
    """First hits on ships that survive them, then the cheapest; the dearest of the Enemy's."""
    kinds = s.facts.units
    taken: dict[str, int] = {}

    def cost(key: str) -> tuple[float, str]:
        kind = kinds[type_of(key)]
        value = price(kind)
        if kind.land:
            fights = kind.attack if running(s).kind == "land" and _attacks(s, key) else kind.defense
            value += 0.1 * (fights or 0)
        if kind.hits > 1 and not request.chosen_by_enemy:
            room = next(tier[key] for tier in request.tiers if key in tier)
            if taken.get(key, 0) < room - room // kind.hits:
                value = 0.5
        return value, key

    def prefer(keys: list[str]) -> str:
        key = (max if request.chosen_by_enemy else min)(keys, key=cost)
        taken[key] = taken.get(key, 0) + 1
        return key

    yield Casualties(choose(request, prefer))


def _attacks(s: State, key: str) -> bool:
    return key.partition(":")[0] in running(s).attackers


def retreat_or_press(s: State, request: RetreatOrPress) -> Iterator[Decision]:
    """Go on as long as the odds are fair; else back to where most friends are."""
    stand = standing_of(s)
    prize = worth(s, request.space) if request.space in s.possession else 0.0
    bar = RETREAT if prize < 10 else 0.55
    if stand.ratio >= bar:
        yield Press()
    if not request.units:
        yield Retreat()
    for zone in sorted(request.zones, key=lambda each: (-sum(s.stack(each).values()), each)):
        yield Retreat(zone)
    yield Press()


def may_blitz(s: State, request: MayBlitz) -> Iterator[Decision]:
    """Armor goes on into an empty or weak zone, if somebody stays behind where he is needed."""
    kinds = s.facts.units
    leaders = {n: c for n, c in request.units.items() if kinds[type_of(n)].blitz == "alone"}
    force = dict(leaders)
    room = sum(leaders.values())
    for name, count in sorted(request.units.items()):
        kind = kinds[type_of(name)]
        if kind.blitz != "alone" and kind.land and room:
            force[name] = min(count, room)
            room -= force[name]
    stay = sum(
        count
        for unit, count in s.stack(request.space).items()
        if kinds[unit.type].land and unit.nation == request.power
    )
    hits = sum((kinds[type_of(n)].attack or 0) * c for n, c in force.items())
    zones = [zone for zone in request.zones if enemy_zone(s, request.power, zone)]
    for zone in sorted(zones, key=lambda each: (-worth(s, each), each)):
        against, number, _ = defence(s, zone, foes_in(s, request.power, zone))
        if not number and stay > 1 and leaders:
            yield Blitz({min(leaders): 1}, zone)
        elif (
            stay > sum(force.values())
            and outlook(hits, sum(force.values()), against, number).ratio >= WEAK
        ):
            yield Blitz(force, zone)
    yield Halt()


def may_dive(s: State, request: MayDive) -> Iterator[Decision]:
    """Submarines leave a battle that is being lost."""
    stand = standing_of(s)
    ours = any(unit.nation == request.power for unit in attackers(s))
    losing = stand.ratio < 0.9 if ours else stand.ratio > 1.2
    yield Dive(dict(request.units)) if losing else Dive()


def engage(s: State, request: submarines.Intercept) -> Iterator[Decision]:
    """Fight what cannot fight back, or is clearly weaker."""
    kinds = s.facts.units
    own = sum((kinds[t].defense or 0) * n for t, n in request.most.items())
    number = sum(request.most.values())
    other = sum((kinds[t].attack or 0) * n for t, n in request.against.items())
    enemies = sum(kinds[t].hits * n for t, n in request.against.items())
    if outlook(own, number, other, enemies).ratio > 1.2:
        yield submarines.Engage(dict(request.most))
    yield Pass()


def may_scramble(s: State, request: MayScramble) -> Iterator[Decision]:
    """Fighters join the battle beside their base that they can turn; else they stay down."""
    flights: list[Flight] = []
    for base, zones in request.bases:
        free = ready(s, base)
        for zone in zones:
            types = [t for t in able(s, base, zone) if free.get(t) and t != "seaplane"]
            if not types or zone in s.facts.sea_next or zone == base:
                continue
            foes = {u: n for u, n in s.stack(zone).items() if u.duty in ("attack", "assault")}
            kinds = s.facts.units
            hits = sum((kinds[u.type].attack or 0) * n for u, n in foes.items())
            if hits and hits <= 3 * guard(s, request.power, zone) + 18:
                count = min(free[types[0]], limit(s, base))
                if count:
                    flights.append(Flight(base, zone, {types[0]: count}))
                    break
    if flights:
        yield Scramble(tuple(flights))
        yield from (Scramble((flight,)) for flight in flights)
    yield Pass()


def may_intercept(s: State, request: bombing.MayIntercept) -> Iterator[Decision]:
    """All fighters rise."""
    yield bombing.Intercept(dict(request.units))


def may_land(s: State, request: MayLand) -> Iterator[Decision]:
    """The most valuable of the zones that are not too strong."""
    for zone in sorted(request.zones, key=lambda each: (-worth(s, each), each)):
        if threat(s, request.power, zone) < 30:
            yield Land(zone)
    yield Land()
