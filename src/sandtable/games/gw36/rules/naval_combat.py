"""Naval combat (9.6, Table 9-4), with screening forces (9.7) and aircraft of carriers."""

from __future__ import annotations

from sandtable.games.gw36.model import Battle, Stack, State, Unit
from sandtable.games.gw36.rules.air import land_on_deck, landing_places
from sandtable.games.gw36.rules.battle import (
    ATTACKING,
    attackers,
    conclude,
    defenders,
    forces,
    running,
)
from sandtable.games.gw36.rules.casualties import remove
from sandtable.games.gw36.rules.consequences import settle
from sandtable.games.gw36.rules.follow_up import go_on, turn_back
from sandtable.games.gw36.rules.land_combat import home, in_order, surprise
from sandtable.games.gw36.rules.patrol import eliminate
from sandtable.games.gw36.rules.retreat import fly_off, hostile_ships, may_dive, may_retreat
from sandtable.games.gw36.rules.rounds import fight_round
from sandtable.games.gw36.rules.terms import acting, has_tech, on
from sandtable.games.gw36.rules.zones import enemies_in
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def begin(g: Table[State], zone: str) -> Procedure[None]:
    """Open the battle: who attacks whom; aircraft take off from undamaged carriers.

    Rules: 9.6a, 8.7k, 12.2.fleet-carrier-c
    """
    s = g.state
    force = [u for u in s.stack(zone) if u.duty in ATTACKING and u.nation in acting(s)]
    nations = tuple(sorted({unit.nation for unit in force}, key=in_order(s)))
    others = {unit.nation for nation in nations for unit in enemies_in(s, nation, zone)}
    s.battle = Battle(
        at=zone,
        kind="naval",
        attackers=nations,
        defenders=tuple(sorted(others)),
        origins=tuple(sorted({unit.origin for unit in force if unit.origin})),
        surprise=any(surprise(s, nation, other) for nation in nations for other in others),
    )
    _launch(s, zone)
    g.emit(
        "battle_began",
        space=zone,
        attackers=forces(attackers(s).items()),
        defenders=forces(defenders(s).items()),
    )
    yield from fight(g)


def fight(g: Table[State]) -> Procedure[None]:
    """Fight the battle that is open, from the round it has come to, to its end.

    Rules: table-9-4a, table-9-4b, 9.4a, 9.6c
    """
    s = g.state
    while True:
        g.checkpoint(strict=True)
        helpless_transports(g)
        if not contested(s):
            break
        yield from fight_round(g)
        helpless_transports(g)
        if not contested(s):
            break
        yield from may_dive(g, "defense")
        yield from may_dive(g, "attack")
        if not contested(s):
            break
        if (yield from may_retreat(g)) and not attackers(s):
            break
    yield from _end(g)


def _launch(s: State, zone: str) -> None:
    """Aircraft aboard carriers take part in the battle, unless the carrier is damaged.

    Rules: 8.7k, 12.2.fleet-carrier-c
    """
    fighting = {**attackers(s), **defenders(s)}
    for ship, count in fighting.items():
        if not s.facts.units[ship.type].decks or not ship.cargo or ship.hits:
            continue
        attacks = ship.duty in ATTACKING
        s.change(zone, ship, count, cargo=())
        for piece in ship.cargo:
            duty = "attack" if attacks else "deck"
            s.put(zone, piece._replace(duty=duty, target="", origin=zone), count)


def _recover(s: State, zone: str) -> None:
    """Defending aircraft return to the decks that are left; the others are on patrol over the zone,
    and lost where they have no landing place within range.

    Rules: 8.7i, 9.4j
    """
    for plane, count in sorted(s.stack(zone).items()):
        if plane.duty != "deck":
            continue
        left = count
        for ship, ships in sorted(s.stack(zone).items()):
            kind = s.facts.units[ship.type]
            if ship.nation != plane.nation or ship.hits or len(ship.cargo) >= kind.decks:
                continue
            while left and ships:
                room = min(kind.decks - len(ship.cargo), left)
                s.take(zone, plane, room)
                fresh = plane._replace(duty="", target="", origin="")
                s.change(zone, ship, 1, cargo=tuple(sorted((*ship.cargo, *[fresh] * room))))
                left -= room
                ships -= 1
        if left and on(s, "carrier_retreat"):
            _retreat_from_deck(s, zone, plane, left)
        elif left:
            s.change(zone, plane, left, duty="patrol", target="", origin="")


def _retreat_from_deck(s: State, zone: str, plane: Unit, count: int) -> None:
    """Aircraft whose carrier was sunk fly one zone to a Friendly landing place, or are lost.

    Rules: 9.4j
    """
    for _ in range(count):
        places = [each for each in landing_places(s, plane, zone, 1) if each != zone]
        if not places:
            s.destroy(zone, plane)
            continue
        goal = min(places, key=lambda each: (s.facts.zones[each].sea, each))
        s.take(zone, plane)
        if s.facts.zones[goal].sea:
            land_on_deck(s, goal, plane, 1)
        else:
            s.put(goal, plane._replace(duty="", target="", origin=""))


def contested(s: State) -> bool:
    """Whether some unit of either side can still hit one of the other.

    Rules: 9.10d, 9.6d
    """
    ours, theirs = attackers(s), defenders(s)
    return bool(ours) and bool(theirs) and (_can_hit(s, ours, theirs) or _can_hit(s, theirs, ours))


def _can_hit(s: State, ones: Stack, others: Stack) -> bool:
    targets = [s.facts.units[unit.type] for unit in others]
    only_transports = all(kind.transport for kind in targets)
    for unit in ones:
        kind = s.facts.units[unit.type]
        if kind.transport or not (kind.attack if unit.duty in ATTACKING else kind.defense):
            continue
        if kind.submarine and all(target.air for target in targets):
            continue
        if kind.hits_only and not (only_transports or any(t.submarine for t in targets)):
            continue
        return True
    return False


def helpless_transports(g: Table[State]) -> None:
    """Naval Transports that are the only units left of their side are eliminated; with Advanced ASW
    they are not as long as only submarines attack them.

    Rules: 9.6c, 7.8.asw-c
    """
    s = g.state
    for ours, theirs in ((attackers(s), defenders(s)), (defenders(s), attackers(s))):
        if not ours or not theirs or not all(s.facts.units[u.type].transport for u in ours):
            continue
        if not _can_hit(s, theirs, ours):
            continue
        only_subs = all(s.facts.units[u.type].submarine for u in theirs)
        for unit, count in ours.items():
            if (
                only_subs
                and has_tech(s, unit.nation, "advanced_asw")
                and unit.duty not in ATTACKING
            ):
                continue
            remove(s, unit, count)
            g.emit(
                "units_hit",
                space=running(s).at,
                unit="",
                losses=forces([(unit, count)]),
            )


def _end(g: Table[State]) -> Procedure[None]:
    """The battle is over: aircraft fly home, those behind the screen go on or turn back.

    Rules: 9.7a, 9.7b, 9.7d, 9.7e, 9.8b
    """
    s = g.state
    battle = running(s)
    zone = battle.at
    barred = any(hostile_ships(s, nation, zone) for nation in battle.attackers)
    won = bool(attackers(s)) and not any(_bars(s, unit) for unit in defenders(s))
    g.emit(
        "battle_ended",
        space=zone,
        won=won,
        losses=forces(battle.lost),
    )
    for unit, count in attackers(s).items():
        if s.facts.units[unit.type].air:
            fly_off(s, unit, count)
        else:
            s.change(zone, unit, count, duty="fought", target="")
    _recover(s, zone)
    home(g, zone)
    conclude(s, zone, "naval")
    eliminate(g)
    if won and not barred:
        yield from go_on(g, zone, battle.attackers)
    else:
        turn_back(g, zone, battle.attackers)
    yield from settle(g)


def _bars(s: State, unit: Unit) -> bool:
    """Whether a defender that is left has beaten off the screen: submarines and transports do not.

    Rules: 9.8b
    """
    kind = s.facts.units[unit.type]
    return kind.warship or kind.air
