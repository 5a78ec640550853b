"""The odds of battles, exact where that is quick."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sandtable.games.aa1942.bot.weights import (
    AAA,
    MOST_ROUNDS,
    MOST_STATES,
    MOST_WORK,
    RARE,
    SPREAD,
)
from sandtable.games.aa1942.facts import Numbers, UnitType

if TYPE_CHECKING:
    from sandtable.odds.exact import Layers, Line


Force = tuple[tuple[UnitType, int], ...]
"""Units in a battle, in the order in which they are lost. Ships beside land units bombard."""


class Outlook(NamedTuple):
    """What to expect of a battle that is fought to the end."""

    chance: float
    """That the attackers win; on land, if they have units that can take it, that they take it."""
    lost: float
    """The price of the attackers' losses."""
    killed: float
    """The price of the defenders' losses."""
    toll: float
    """The price of the attackers' losses in battles that they win, without those to guns."""


def win_chance(numbers: Numbers, attackers: Force, defenders: Force) -> float:
    """The chance that the attackers win, as in `Outlook`."""
    return outlook(numbers, attackers, defenders).chance


@lru_cache(maxsize=1 << 12)
def outlook(numbers: Numbers, attackers: Force, defenders: Force, begun: bool = False) -> Outlook:
    """The exact odds; of battles that would take long, an estimate. In a battle that has `begun`
    antiaircraft guns have fired."""
    if any(kind.domain == "land" for kind, _ in (*attackers, *defenders)):
        landed = sum(n for kind, n in attackers if kind.domain == "land")
        ships = [
            kind.bombard
            for kind, n in attackers
            if kind.domain == "sea"
            for _ in range(min(n, landed))
        ]
        shells = tuple(sorted(filter(None, ships))[-landed:]) if landed else ()
        attackers = tuple(item for item in attackers if item[0].domain != "sea")
    else:
        shells = ()
        if all(kind.domain == "air" for kind, _ in attackers):
            # Aircraft alone and submarines cannot hit each other.
            defenders = tuple(item for item in defenders if item[0].id != "submarine")
    price = float(sum(kind.cost * n for kind, n in defenders))
    whole = float(sum(kind.cost * n for kind, n in attackers if kind.id != "transport"))
    strikes = any(kind.attack for kind, _ in attackers)
    if not any(kind.defense for kind, _ in defenders):
        return Outlook(1.0, 0.0, price, 0.0) if strikes else Outlook(0.0, 0.0, 0.0, 0.0)
    if not strikes:
        return Outlook(0.0, whole, 0.0, whole)
    if any(kind.domain == "sea" for kind, _ in (*attackers, *defenders)):
        return _at_sea(numbers.die, attackers, defenders) or _estimate(
            numbers, attackers, defenders
        )
    dice = 0 if begun else numbers.aaa_dice_per_gun * _number(defenders, AAA)
    flak = min(dice, sum(n for kind, n in attackers if kind.domain == "air"))
    return _on_land(numbers, attackers, defenders, flak, shells) or _estimate(
        numbers, attackers, defenders, flak, shells
    )


def _units(force: Force) -> int:
    return sum(count for _, count in force)


def _number(force: Force, type_: str) -> int:
    return sum(count for kind, count in force if kind.id == type_)


# The exact odds.


def _on_land(
    numbers: Numbers, attackers: Force, defenders: Force, flak: int, shells: tuple[int, ...]
) -> Outlook | None:
    """The exact odds on land; None if they would take long. The last unit that can take the
    territory is lost after the aircraft."""
    # Here, so that who never asks for odds need not wait for NumPy.
    from sandtable.odds import exact

    if _units(attackers) * _units(defenders) > MOST_STATES:
        return None
    ours, theirs = _line(attackers, True), _line(defenders, False)
    if exact.line_rows(len(ours), flak) * (len(theirs) + 1) > MOST_STATES:
        return None
    head = exact.fight_line(
        ours,
        theirs,
        sides=numbers.die,
        boosted=numbers.supported_attack,
        raised=numbers.infantry_per_artillery,
        opening=flak,
        opening_value=numbers.aaa_hits_on,
        start=_shelled(numbers.die, shells, len(theirs)) if shells else None,
    ).head.tolist()
    wins, takes, lost, killed = head[2], head[5], head[7], head[8]
    captures = any(kind.captures for kind, _ in attackers)
    whole = sum([kind.cost * n for kind, n in attackers])
    toll = float(whole)
    if wins > RARE:
        # Whoever does not win has lost everything.
        toll = max(0.0, (lost - (1 - wins) * whole) / wins)
        if flak:
            plane = next(kind for kind, _ in attackers if kind.domain == "air")
            toll = max(0.0, toll - flak * numbers.aaa_hits_on / numbers.die * plane.cost)
    return Outlook(takes if captures else wins, lost, killed, toll)


def _at_sea(die: int, attackers: Force, defenders: Force) -> Outlook | None:
    """The exact odds at sea; None if they would take long."""
    from sandtable.odds import exact

    if _units(attackers) * _units(defenders) > MOST_WORK:
        return None
    ours, theirs = _fleet(attackers, True), _fleet(defenders, False)
    pairs = ours.states(False) * theirs.states(False)
    if pairs * ours.dice * theirs.dice > MOST_WORK:
        return None
    head = exact.fight_layers(ours, theirs, sides=die).head.tolist()
    return Outlook(head[2], head[7], head[8], head[7])


@lru_cache(maxsize=1 << 9)
def _line(force: Force, attacking: bool) -> Line:
    """A side on land as the exact odds want it."""
    import numpy as np

    from sandtable.odds.exact import Line

    role = {"infantry": 1, "artillery": 2} if attacking else {}
    table = [
        (
            kind.attack if attacking else kind.defense,
            role.get(kind.id, 0),
            kind.domain == "air",
            kind.captures,
            kind.cost,
        )
        for kind, _ in force
    ]
    queue = [place for place, (_, n) in enumerate(force) for _ in range(n)]
    if attacking:
        able = [place for place in queue if force[place][0].captures]
        if able:
            queue.remove(able[-1])
            queue.append(able[-1])
    return Line(np.array(queue, np.int64), np.array(table, np.int64).T.copy())


@lru_cache(maxsize=1 << 9)
def _fleet(force: Force, attacking: bool) -> Layers:
    """A side at sea, likewise; battleships are damaged before anything is lost."""
    from sandtable.odds.exact import Layers

    air, subs, ships, transports = [], [], [], []
    place = 0
    for kind, n in force:
        for _ in range(n * (kind.hits - 1)):
            place += 1
            ships.append((-1, 0, place, 0, 0))
    for number, (kind, n) in enumerate(force):
        value = kind.attack if attacking else kind.defense
        for _ in range(n):
            place += 1
            unit = (number, value, place, kind.cost)
            if kind.domain == "air":
                air.append(unit)
            elif kind.id == "submarine":
                subs.append(unit)
            elif kind.id == "transport":
                transports.append((number, kind.cost))
            else:
                ships.append((*unit, int(kind.id == "destroyer")))
    return Layers(tuple(air), tuple(subs), tuple(ships), tuple(transports))


def _shelled(die: int, shells: tuple[int, ...], most: int) -> Any:
    """The chances that 0, 1, … defenders are hit from the sea."""
    import numpy as np

    chances = [1.0]
    for value in shells:
        hit = value / die
        chances = [
            (1 - hit) * miss + hit * score
            for miss, score in zip([*chances, 0.0], [0.0, *chances], strict=True)
        ]
    start = np.zeros(max(most + 1, len(chances)))
    start[: len(chances)] = chances
    start[most] += start[most + 1 :].sum()
    return start[: most + 1]


# The estimate.


class _Part(NamedTuple):
    """Hit points that are lost together: how many, the chance that each hits, their price."""

    points: float
    hit: float
    price: float


def _estimate(
    numbers: Numbers,
    attackers: Force,
    defenders: Force,
    flak: int = 0,
    shells: tuple[int, ...] = (),
) -> Outlook:
    """A quick estimate: both sides score what they can expect until one is gone, and what the
    winner has left, measured by how much the dice scatter, gives the chance."""
    ours = _parts(numbers, attackers, attacking=True, flak=flak)
    theirs = _parts(numbers, defenders, attacking=False)
    a_all, d_all = sum(part.points for part in ours), sum(part.points for part in theirs)
    a_lost = silent = scatter = 0.0
    d_lost = min(sum(shells) / numbers.die, d_all)
    for _ in range(MOST_ROUNDS):
        a_hits, a_scatter = _fire(ours, a_lost)
        # What the bombardment hit still fires in the first round.
        d_hits, d_scatter = _fire(theirs, silent)
        share = min(1.0, (a_all - a_lost) / max(d_hits, 1e-9), (d_all - d_lost) / max(a_hits, 1e-9))
        a_lost += share * d_hits
        d_lost += share * a_hits
        silent = d_lost
        scatter += share * (a_scatter + d_scatter)
        if share < 1.0:
            break
    margin = (a_all - a_lost) - (d_all - d_lost)
    chance = 0.5 * (1 + math.erf(margin / SPREAD / math.sqrt(2 * scatter + 0.4)))
    lost = _price(ours, a_lost)
    return Outlook(chance, lost, _price(theirs, d_lost), lost)


def _parts(numbers: Numbers, force: Force, *, attacking: bool, flak: int = 0) -> list[_Part]:
    """A side's hit points in the order of loss; antiaircraft fire has thinned the aircraft."""
    planes = sum(count for kind, count in force if kind.domain == "air")
    die = numbers.die
    thinned = 1 - flak * numbers.aaa_hits_on / die / planes if planes else 1.0
    guns = _number(force, "artillery") if attacking else 0
    supported = guns * numbers.infantry_per_artillery
    parts: list[_Part] = []
    spare_hits = sum(count * (kind.hits - 1) for kind, count in force if kind.hits > 1)
    if spare_hits:
        parts.append(_Part(spare_hits, 0.0, 0.0))
    for kind, count in force:
        if kind.id == "transport":
            continue
        value = kind.attack if attacking else kind.defense
        points = count * thinned if kind.domain == "air" else float(count)
        if kind.id == "infantry" and supported:
            helped = min(supported, count)
            if count > helped:
                parts.append(_Part(count - helped, value / die, kind.cost))
            parts.append(_Part(helped, numbers.supported_attack / die, kind.cost))
        else:
            parts.append(_Part(points, value / die, kind.cost))
    return parts


def _fire(parts: list[_Part], lost: float) -> tuple[float, float]:
    """Expected hits of what is left, and their variance."""
    hits = scatter = 0.0
    for points, hit, _ in parts:
        if lost >= points:
            lost -= points
            continue
        left = points - lost
        lost = 0.0
        hits += left * hit
        scatter += left * hit * (1 - hit)
    return hits, scatter


def _price(parts: list[_Part], lost: float) -> float:
    """The price of the first `lost` hit points."""
    total = 0.0
    for points, _, price in parts:
        taken = min(lost, points)
        total += taken * price
        lost -= taken
        if lost <= 0:
            break
    return total
