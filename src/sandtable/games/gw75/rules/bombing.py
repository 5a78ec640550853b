"""Air combat (17.3) and the atomic bomb (17.6): missions against a hex, one hex after the other."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.gw75.model import Mission, State
from sandtable.games.gw75.rules.tables import Die, column
from sandtable.games.gw75.rules.terms import at_war, commander, holder
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.kits import Assign
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class BomberLosses(Assign, frozen=True, tag="bomber_losses"):
    """Choose the LRB units that are destroyed, or `aborted`: nation and base to number."""

    space: str
    most: dict[str, int]
    total: int
    aborted: bool = False
    die: Die | None = None
    rule: ClassVar[str] = "17.31a"


def take_bombs(s: State, hex: str, number: int) -> None:
    """Atomic bombs leave a hex."""
    s.bombs[hex] -= number
    if not s.bombs[hex]:
        del s.bombs[hex]


ARRIVED = "bombs:"
"""With the hex, the atomic bombs that have come there by air in this phase, in `State.done`."""


def loadable(s: State, hex: str) -> int:
    """The atomic bombs that bombers can take up in a hex: those that were there as the phase began.

    Rules: 17.63b
    """
    return max(0, s.bombs.get(hex, 0) - s.done.get(f"{ARRIVED}{hex}", 0))


def land_bombs(s: State, hex: str, number: int) -> None:
    """Atomic bombs come to a hex by air."""
    s.bombs[hex] = s.bombs.get(hex, 0) + number
    key = f"{ARRIVED}{hex}"
    s.done[key] = s.done.get(key, 0) + number


def fly(g: Table[State]) -> Procedure[None]:
    """Fly all missions that were declared, target by target.

    Rules: 17.31a
    """
    s = g.state
    while s.missions:
        g.checkpoint(strict=True)
        target = s.missions[0].target
        for each in s.missions:
            target = min(target, each.target)
        yield from _raid(g, target, [each for each in s.missions if each.target == target])
        s.missions = tuple(each for each in s.missions if each.target != target)


def _raid(g: Table[State], target: str, missions: list[Mission]) -> Procedure[None]:
    """All bombers that were sent to a hex: its Air Defense attacks them, the rest bombs it.

    Rules: 17.15, 17.31a, 17.31b, 17.33, 17.61a, 17.62
    """
    s = g.state
    bombers: dict[str, int] = {}
    for each in missions:
        key = f"{each.nation} {each.base}"
        bombers[key] = bombers.get(key, 0) + each.number
    bombs = sum(each.bomb for each in missions)
    alive = bombers
    if defense(s, missions[0].nation, target):
        bombers, alive = yield from _defend(g, target, missions[0].nation, bombers)
    if bombs:
        _drop(g, target, missions, bombs, bombers, alive)
        if bombers:
            return
    if bombers and s.facts.hexes[target].industry and target not in s.destroyed:
        yield from _bomb(g, target, missions[0].nation, bombers)


def defense(s: State, nation: str, hex: str) -> int:
    """Air Defense units in a hex that are Enemies of a nation.

    Rules: 17.3, 17.15
    """
    return sum(number["ad"] for number in _guns(s, nation, hex).values())


def _guns(s: State, nation: str, hex: str) -> dict[str, dict[str, int]]:
    """The Air Defense units in a hex that are Enemies of a nation, by their nations."""
    found: dict[str, dict[str, int]] = {}
    for unit, count in s.stack(hex).items():
        if unit.type == "ad" and at_war(s, nation, unit.nation):
            _count(found, unit.nation, "ad", count)
    return found


def _flying(bombers: dict[str, int]) -> dict[str, dict[str, int]]:
    """Bombers by nation and base as units by nation."""
    found: dict[str, dict[str, int]] = {}
    for key, number in bombers.items():
        _count(found, key.split()[0], "lrb", number)
    return found


def _defend(
    g: Table[State], target: str, nation: str, bombers: dict[str, int]
) -> Procedure[tuple[dict[str, int], dict[str, int]]]:
    """Air Defense attacks the bombers: those that go on, and those that are not destroyed.

    Rules: 17.31a
    """
    s = g.state
    held = holder(s, target)
    differential = defense(s, nation, target) - sum(bombers.values())
    line = RollLine(held, "ad", 1, 0)
    attackers = _flying(bombers)
    defenders = _guns(s, nation, target)
    (face,) = yield from g.roll("air_defense", (line,))
    shot, destroyed, aborted = column(s.facts.tables.air_defense, differential)[face - 1]
    losses: dict[str, dict[str, int]] = {}
    for unit, count in sorted(s.stack(target).items()):
        if unit.type == "ad" and shot and at_war(s, nation, unit.nation):
            gone = min(shot, count)
            shot -= gone
            s.destroy(target, unit, gone)
            _count(losses, unit.nation, "ad", gone)
    die = Die(face, differential)
    lost = yield from _choose(g, target, bombers, destroyed, die, aborted=False)
    alive = _minus(bombers, lost)
    for key, number in lost.items():
        whose, base = key.split()
        _destroy(s, whose, base, number)
        _count(losses, whose, "lrb", number)
    back = yield from _choose(g, target, alive, aborted, die, aborted=True)
    g.emit(
        "air_defense",
        power=held,
        against=nation,
        space=target,
        attackers=attackers,
        defenders=defenders,
        lines=(line,),
        dice=(face,),
        differential=differential,
        losses=losses,
        aborted=sum(back.values()),
    )
    return _minus(alive, back), alive


def _count(losses: dict[str, dict[str, int]], nation: str, type: str, number: int) -> None:
    types = losses.setdefault(nation, {})
    types[type] = types.get(type, 0) + number


def _minus(numbers: dict[str, int], less: dict[str, int]) -> dict[str, int]:
    return {key: left for key, number in numbers.items() if (left := number - less.get(key, 0)) > 0}


def _choose(
    g: Table[State], target: str, bombers: dict[str, int], number: int, die: Die, *, aborted: bool
) -> Procedure[dict[str, int]]:
    total = min(number, sum(bombers.values()))
    if not total:
        return {}
    if len(bombers) == 1:
        return {next(iter(bombers)): total}
    if total == sum(bombers.values()):
        return dict(bombers)
    player = commander(g.state, next(iter(bombers)).split()[0])
    answer = yield from g.ask(BomberLosses(player, target, bombers, total, aborted, die))
    chosen: dict[str, int] = answer.numbers
    return chosen


def _destroy(s: State, nation: str, base: str, number: int) -> None:
    for unit, count in sorted(s.stack(base).items()):
        if number and unit.nation == nation and unit.type == "lrb" and unit.duty == "flown":
            gone = min(number, count)
            number -= gone
            s.destroy(base, unit, gone)


def _bomb(g: Table[State], target: str, nation: str, bombers: dict[str, int]) -> Procedure[None]:
    """The bombers attack the Industrial Hex: it loses Production Points in this Game-Turn.

    Rules: 17.31b, 17.32, 17.33
    """
    s = g.state
    number = sum(bombers.values())
    line = RollLine(nation, "lrb", 1, 0)
    (face,) = yield from g.roll("bombing", (line,))
    damage = column(s.facts.tables.bombing, number)[face - 1]
    if damage:
        s.bombed[target] = s.bombed.get(target, 0) + damage
    g.emit(
        "bombed",
        power=nation,
        against=holder(s, target),
        space=target,
        units={"lrb": number},
        attackers=_flying(bombers),
        defenders=_guns(s, nation, target),
        lines=(line,),
        dice=(face,),
        damage=damage,
    )


def _drop(
    g: Table[State],
    target: str,
    missions: list[Mission],
    bombs: int,
    bombers: dict[str, int],
    alive: dict[str, int],
) -> None:
    """The atomic bomb: if a bomber gets through the hex is destroyed for ever, without a die; if
    all were destroyed it is lost; if those that are left were aborted it is back at its base.
    Units in the hex are not affected.

    Rules: 17.61a, 17.62
    """
    s = g.state
    nation = missions[0].nation
    if bombers:
        s.destroyed |= {target}
        s.changed()
        g.emit("atomic_bomb", power=nation, against=holder(s, target), space=target, bombs=bombs)
    elif alive:
        for each in missions:
            if each.bomb:
                s.bombs[each.base] = s.bombs.get(each.base, 0) + 1
    else:
        g.emit("bomb_lost", power=nation, space=target, bombs=bombs)
