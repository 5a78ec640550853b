"""Land combat (9.5, Table 9-2), with assaults from the sea (9.8) and from the air (9.15)."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.games.gw36.model import Battle, Stack, State, Unit
from sandtable.games.gw36.rules.air import land_on_deck, landing_places
from sandtable.games.gw36.rules.amphibious import (
    assault_force,
    bombarding,
    go_ashore,
    landing,
    shell,
    stand_down,
)
from sandtable.games.gw36.rules.battle import (
    ATTACKING,
    attackers,
    conclude,
    defenders,
    forces,
    lead,
    running,
    update,
)
from sandtable.games.gw36.rules.blitz import LONGEST, may_blitz
from sandtable.games.gw36.rules.capture import capture_zone
from sandtable.games.gw36.rules.consequences import settle
from sandtable.games.gw36.rules.retreat import fly_off, leave, may_retreat, retreat_zones
from sandtable.games.gw36.rules.rounds import fight_round
from sandtable.games.gw36.rules.terms import acting, power_of
from sandtable.games.gw36.rules.values import fort
from sandtable.games.gw36.rules.zones import border, ground, side
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def begin(g: Table[State], zone: str) -> Procedure[None]:
    """Open the battle: who attacks whom; bombardment; the first wave goes ashore.

    Rules: 9.5a, 9.8a, 6.1c, 6.1d, 6.1e
    """
    s = g.state
    force = [u for u in s.stack(zone) if u.duty in ATTACKING and u.nation in acting(s)]
    force += assault_force(s, zone)
    nations = tuple(sorted({unit.nation for unit in force}, key=in_order(s)))
    owner = s.possession[zone]
    s.battle = Battle(
        at=zone,
        kind="land",
        attackers=nations,
        defenders=(owner,) if owner not in nations else (),
        origins=tuple(sorted({unit.origin for unit in force if unit.origin})),
        surprise=any(surprise(s, nation, owner) for nation in nations),
    )
    g.emit(
        "battle_began",
        space=zone,
        attackers=forces((*attackers(s).items(), *((unit, 1) for unit in assault_force(s, zone)))),
        defenders=forces(defenders(s).items()),
    )
    if landing(s, zone) or bombarding(s, zone):
        yield from shell(g)
        go_ashore(g)
    yield from fight(g)


def in_order(s: State) -> Callable[[str], tuple[int, str]]:
    def key(nation: str) -> tuple[int, str]:
        powers = s.facts.powers
        return (powers.index(nation) if nation in powers else len(powers), nation)

    return key


def surprise(s: State, nation: str, owner: str) -> bool:
    """Whether this is a surprise attack (Japan's sheet): in the turn of the first declaration of
    war on an Allied Major Power, on the one that it was made on."""
    return bool(s.done.get(f"surprise:{nation}:{power_of(s, owner)}"))


def fight(g: Table[State]) -> Procedure[None]:
    """Fight the battle that is open, from the round it has come to, to its end."""
    s = g.state
    while True:
        g.checkpoint(strict=True)
        doomed_rockets(g)
        if not contested(s):
            if not running(s).round and not defenders(s):
                go_ashore(g, unopposed=True)
            break
        works = fort(s)
        yield from fight_round(g)
        if works.bonus:
            update(s, fortified=True)
        break_down(g)
        if clash(s):
            break
        if running(s).round == 1 and landing(s, running(s).at):
            go_ashore(g)
        if not contested(s):
            break
        if (yield from may_retreat(g)) and not attackers(s):
            break
    yield from _end(g)


def contested(s: State) -> bool:
    """Whether both sides have units left that matter: a battle in which nobody can hit is over."""
    ours, theirs = attackers(s), defenders(s)
    return bool(ours) and bool(theirs) and (_armed(s, ours, "a") or _armed(s, theirs, "d"))


def _armed(s: State, units: Stack, side: str) -> bool:
    for unit in units:
        kind = s.facts.units[unit.type]
        value = kind.attack if side == "a" else kind.defense
        if value and not kind.anti_air:
            return True
    return False


def doomed_rockets(g: Table[State]) -> None:
    """Rockets that are alone with an Enemy land unit are destroyed.

    Rules: 7.8.rockets-b
    """
    s = g.state
    for ours, theirs in ((attackers(s), defenders(s)), (defenders(s), attackers(s))):
        alone = [u for u in ours if s.facts.units[u.type].land]
        if (
            alone
            and all(u.type == "strategic_rocket" for u in alone)
            and any(s.facts.units[u.type].land for u in theirs)
        ):
            for unit in alone:
                s.destroy(running(s).at, unit, ours[unit])
                g.emit(
                    "units_hit",
                    space=running(s).at,
                    unit="",
                    losses=forces([(unit, ours[unit])]),
                )


def break_down(g: Table[State]) -> None:
    """In the desert an attacking vehicle that rolled a 12 leaves the battle, if it has a way out.

    Rules: 1.9c
    """
    s = g.state
    battle = running(s)
    for type_, number in battle.broken_down:
        if s.facts.units[type_].class_ != "vehicle":
            continue
        zones = retreat_zones(s)
        left = number
        for unit, count in sorted(attackers(s).items()):
            if unit.type != type_ or not left or not zones or not _in_desert(s, unit):
                continue
            some = min(count, left)
            left -= some
            zone = unit.origin if unit.origin in zones else zones[0]
            leave(s, unit, some, zone)
            g.emit("broke_down", power=unit.nation, path=[battle.at, zone], units={type_: some})


def _in_desert(s: State, unit: Unit) -> bool:
    battle = running(s)
    if ground(s, battle.at) == "desert":
        return True
    return battle.round == 1 and border(s, unit.origin, battle.at) == "desert"


def clash(s: State) -> bool:
    """Whether this is a border clash (sheets of the USSR and Japan): one round, and nothing is
    captured."""
    return any(unit.target == "clash" for unit in attackers(s))


def fall_back(g: Table[State]) -> None:
    """Attackers that can hit nobody, and whom nobody can hit, go back where they came from, or are
    lost: Enemies share no land zone when the battle is over. After a border clash all go back.

    Rules: 0.5a
    """
    s = g.state
    zone = running(s).at
    if not defenders(s) and not clash(s):
        return
    for unit, count in sorted(attackers(s).items()):
        if s.facts.units[unit.type].land:
            zones = retreat_zones(s)
            if zones:
                there = unit.origin if unit.origin in zones else zones[0]
                leave(s, unit, count, there)
                g.emit("retreated", power=unit.nation, path=[zone, there])
            else:
                s.destroy(zone, unit, count)
                g.emit("units_hit", space=zone, unit="", losses=forces([(unit, count)]))


def _end(g: Table[State]) -> Procedure[None]:
    """The battle is over: the zone is captured if a land unit of the Attacker's is left in it and
    no defender; aircraft are free to fly home; armor may blitz on.

    Rules: 9.19b, table-9-3a, table-9-3e, 9.8i, 9.15b
    """
    s = g.state
    battle = running(s)
    zone = battle.at
    fall_back(g)
    victors = attackers(s)
    troops = {u: n for u, n in victors.items() if s.facts.units[u.type].land}
    won = bool(troops)
    assaulted = bool(landing(s, zone)) or any(
        u.duty == "assault" and u.target != "airborne" for u in troops
    )
    rounds, fortified = battle.round, battle.fortified
    stand_down(s, zone)
    g.emit(
        "battle_ended",
        space=zone,
        won=won,
        losses=forces(battle.lost),
    )
    went_on = None
    nation = battle.attackers[0] if battle.attackers else ""
    if won:
        capture_zone(g, zone)
        if rounds <= LONGEST and not fortified and not assaulted:
            power = lead(s, battle.attackers)
            went_on = yield from may_blitz(g, power, nation, zone, attackers(s))
    for unit, count in attackers(s).items():
        if s.facts.units[unit.type].air:
            fly_off(s, unit, count)
        else:
            s.change(zone, unit, count, duty="fought", target="")
    home(g, zone)
    conclude(s, zone, "land")
    if went_on:
        there, _ = went_on
        if (there, "land") not in s.planned:
            s.planned = (*s.planned, (there, "land"))
    yield from settle(g)


def home(g: Table[State], zone: str) -> None:
    """Scrambled aircraft return to their base; if that is lost, they land within one zone or are
    lost, too.

    Rules: 8.6d
    """
    s = g.state
    for unit, count in list(s.stack(zone).items()):
        if unit.duty != "scrambled":
            continue
        rested = unit._replace(duty="", target="")
        if s.possession[unit.target] in side(s, unit.nation).friends:
            s.take(zone, unit, count)
            s.put(unit.target, rested, count)
            continue
        for _ in range(count):
            places = landing_places(s, rested, zone, 1)
            if not places:
                s.destroy(zone, unit)
                g.emit("crashed", power=unit.nation, space=zone, units={unit.type: 1})
                continue
            s.take(zone, unit)
            goal = min(places, key=lambda each: (each not in s.possession, each))
            if goal in s.possession:
                s.put(goal, rested)
            else:
                land_on_deck(s, goal, rested, 1)
