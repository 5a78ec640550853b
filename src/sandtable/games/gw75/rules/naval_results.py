"""The Naval Combat Results Table: what an attack at sea does (15.0, 15.2, 15.5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, NamedTuple

from sandtable.games.gw75.facts import MAJORS
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.naval_movement import from_port
from sandtable.games.gw75.rules.naval_zones import Part
from sandtable.games.gw75.rules.tables import Die, column
from sandtable.games.gw75.rules.terms import DEPLETABLE, commander
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.kits import Assign
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

SERIOUS = frozenset({"surf_a", "surf_b", "asw"})
"""Who attacks these may be Depleted (15.52)."""


class NavalLosses(Assign, frozen=True, tag="naval_losses"):
    """Choose the fleets that are lost: hex, nation and type to number; `depleted` units apart, and
    ASW units that are Depleted in place of a loss as `deplete`."""

    space: str
    most: dict[str, int]
    total: int
    die: Die | None = None
    rule: ClassVar[str] = "15.15"


class DepleteOne(Assign, frozen=True, tag="deplete"):
    """Choose the attacking Surf-A or ASW unit that is Depleted."""

    space: str
    most: dict[str, int]
    total: int = 1
    die: Die | None = None
    rule: ClassVar[str] = "15.52a"


class Outcome(NamedTuple):
    """What an attack did: who is left of both, and how many fleets the target has lost, with the
    ASW units that were Depleted instead."""

    attackers: list[Part]
    defenders: list[Part]
    lost: int
    fought: bool = True


def attack_of(s: State, parts: Iterable[Part]) -> int:
    """Attack Strength."""
    return sum(s.facts.types[unit.type].attack * count for _, unit, count in parts)


def defense_of(s: State, parts: Iterable[Part], *, transit: bool = False) -> int:
    """Defense Strength; submarines in the Snort Mode defend with a multiple of it in transit.

    Rules: 15.0j, 12.21b, 15.31
    """
    total = 0
    for _, unit, count in parts:
        each = s.facts.types[unit.type].defense
        if transit and unit.duty == "snort":
            each *= s.facts.numbers.snort_defense
        total += each * count
    return total


def spokesman(s: State, parts: Iterable[Part]) -> str:
    """The player who decides for units of several nations: that of most of them."""
    fleets: dict[str, int] = {}
    for _, unit, count in parts:
        player = commander(s, unit.nation)
        fleets[player] = fleets.get(player, 0) + count
    return max(sorted(fleets, key=MAJORS.index), key=lambda player: fleets[player])


def modifier(s: State, attackers: Iterable[Part]) -> int:
    """What is subtracted from the die: by the distance of the farthest attacking submarine from
    the nearest Friendly port.

    Rules: 15.23
    """
    steps = s.facts.numbers.submarine_die
    worst = 0
    for hex, unit, _ in attackers:
        if unit.type == "ss":
            far = from_port(s, unit.nation, hex)
            worst = max(worst, next((less for until, less in steps if far <= until), steps[-1][1]))
    return worst


def key(part: Part) -> str:
    """How a choice names units that are alike in everything that matters for it."""
    hex, unit, _ = part
    return f"{hex} {unit.nation} {unit.type}{' depleted' if unit.depleted else ''}"


def attack(
    g: Table[State],
    kind: str,
    attackers: list[Part],
    defenders: list[Part],
    support: list[Part] | None = None,
    *,
    space: str,
    grace: bool = False,
    depletes: bool = True,
) -> Procedure[Outcome]:
    """Roll an attack on the table: the defenders lose fleets, and with a D one attacking Surf-A or
    ASW unit is Depleted if Surf-A, Surf-B or ASW units were attacked. An attack needs at least as
    much strength as it meets, but for one with `grace`, which is rolled in column +0 then.
    `support` are ASW units that add their Defense Strength from their bases; each that is not can
    be Depleted for one of the losses if `depletes`.

    Rules: 13.0e, 15.0j, 15.15, 15.34, 15.35a, 15.45, 15.51, 15.52a, 15.52c, 15.53, 15.72
    """
    s = g.state
    support = support or []
    transit = kind == "transit_attack"
    differential = attack_of(s, attackers) - defense_of(s, [*defenders, *support], transit=transit)
    if differential < 0 and not grace:
        return Outcome(attackers, defenders, 0, fought=False)
    who = spokesman(s, attackers) if attackers else ""
    nation = attackers[0].unit.nation if attackers else ""
    line = RollLine(nation, "", 1, 0)
    (face,) = yield from g.roll(kind, (line,))
    less = modifier(s, attackers)
    die = Die(face, max(0, differential), less)
    result = column(s.facts.tables.naval, die.differential)[max(1, face - less) - 1]
    before_attackers, before_defenders = forces(attackers), forces([*defenders, *support])
    fresh = [part for part in support if depletes and not part.unit.depleted]
    lost, worn, left = yield from _lose(g, space, int(result.rstrip("D")), defenders, fresh, die)
    depleted: list[Part] = []
    if result.endswith("D") and any(p.unit.type in SERIOUS for p in [*defenders, *support]):
        attackers, depleted = yield from _deplete(g, space, who, attackers, die)
    g.emit(
        kind,
        power=nation,
        against=defenders[0].unit.nation if defenders else "",
        space=space,
        attackers=before_attackers,
        defenders=before_defenders,
        lines=(line,),
        dice=(face,),
        differential=die.differential,
        subtracted=less,
        losses=forces(lost),
        depleted=sum(part.count for part in depleted),
        instead=worn,
    )
    fleets = worn + sum(part.count for part in lost)
    return Outcome(attackers, left, fleets)


def forces(parts: Iterable[Part]) -> dict[str, dict[str, int]]:
    """Nation to type to number, for events."""
    found: dict[str, dict[str, int]] = {}
    for _, unit, count in parts:
        types = found.setdefault(unit.nation, {})
        types[unit.type] = types.get(unit.type, 0) + count
    return found


def _lose(
    g: Table[State], space: str, loss: int, defenders: list[Part], support: list[Part], die: Die
) -> Procedure[tuple[list[Part], int, list[Part]]]:
    """The defenders lose so many fleets, of their player's choice; what is lost, how many ASW units
    were Depleted instead, and who is left.

    Rules: 15.15, 15.45, 15.53
    """
    s = g.state
    most: dict[str, int] = {}
    for part in defenders:
        most[key(part)] = most.get(key(part), 0) + part.count
    for part in support:
        name = f"{key(part)} deplete"
        most[name] = most.get(name, 0) + part.count
    total = min(loss, sum(most.values()))
    if not total:
        return [], 0, defenders
    if total == sum(most.values()) or len(most) == 1:
        chosen = most if total == sum(most.values()) else {next(iter(most)): total}
    else:
        asked = NavalLosses(spokesman(s, defenders or support), space, most, total, die)
        chosen = (yield from g.ask(asked)).numbers
    lost: list[Part] = []
    left: list[Part] = []
    wanted = dict(chosen)
    for part in defenders:
        gone = min(wanted.get(key(part), 0), part.count)
        if gone:
            wanted[key(part)] -= gone
            s.destroy(part.hex, part.unit, gone)
            lost.append(Part(part.hex, part.unit, gone))
        if gone < part.count:
            left.append(Part(part.hex, part.unit, part.count - gone))
    worn = 0
    for part in support:
        name = f"{key(part)} deplete"
        gone = min(wanted.get(name, 0), part.count)
        if gone:
            wanted[name] -= gone
            s.change(part.hex, part.unit, gone, depleted=True)
            worn += gone
    return lost, worn, left


def _deplete(
    g: Table[State], space: str, player: str, attackers: list[Part], die: Die
) -> Procedure[tuple[list[Part], list[Part]]]:
    """One attacking Surf-A or ASW unit is Depleted, of its player's choice.

    Rules: 15.51, 15.52a
    """
    s = g.state
    most: dict[str, int] = {}
    for part in attackers:
        if part.unit.type in DEPLETABLE and part.count:
            most[key(part)] = most.get(key(part), 0) + part.count
    if not most:
        return attackers, []
    if len(most) == 1:
        chosen = next(iter(most))
    else:
        (chosen,) = (yield from g.ask(DepleteOne(player, space, most, die=die))).numbers
    at = next(i for i, part in enumerate(attackers) if key(part) == chosen)
    hex, unit, count = attackers[at]
    worn = s.change(hex, unit, 1, depleted=True)
    rest = [Part(hex, unit, count - 1)] if count > 1 else []
    return (
        [*attackers[:at], *rest, Part(hex, worn, 1), *attackers[at + 1 :]],
        [Part(hex, unit, 1)],
    )
