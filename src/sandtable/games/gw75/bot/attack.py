"""Attacks on land, by what the table promises."""

from __future__ import annotations

from functools import lru_cache

from sandtable.games.gw75.bot.plans import hostile, provokes, willing, worth
from sandtable.games.gw75.model import Attack, State
from sandtable.games.gw75.rules import attacks, neutrals, retreat, weather
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.declaring import Declare, DeclareAttacks
from sandtable.games.gw75.rules.tables import column
from sandtable.games.gw75.rules.terms import MOBILE
from sandtable.kernel.decisions import Decision
from sandtable.kernel.errors import IllegalDecision

COUNTER = 0.8
"""What an own point is worth, of which the Counter-Attack may take some, against an Enemy's."""
GAIN = 0.15
"""What an attack has to promise."""


def declare(s: State, request: DeclareAttacks) -> Decision:
    """The best attack that is left, or done."""
    best: tuple[float, Attack] | None = None
    for attack in _chances(s, request.power):
        gain = _gain(s, attack)
        if (gain > GAIN or _landing(s, attack)) and (best is None or (gain, attack) > best):
            best = (gain, attack)
    if best is not None:
        return Declare(best[1].targets, best[1].force)
    return Done()


def _landing(s: State, attack: Attack) -> bool:
    return any(unit.duty == "assault" for unit in s.stack(attack.targets[0]))


def _chances(s: State, player: str) -> list[Attack]:
    """An attack on each hex with all that is free next to it."""
    reach: dict[str, list[tuple[str, str, str, int]]] = {}
    for (hex, nation, type), number in attacks.ready(s, player).items():
        near = [hex] if attacks.assaulting(s, hex, nation) else s.facts.land[hex]
        for target in near:
            if any(
                unit.type in MOBILE | {"sd", "fort"} and hostile(s, nation, unit.nation)
                for unit in s.stack(target)
            ):
                reach.setdefault(target, []).append((hex, nation, type, number))
    found = []
    for target, force in sorted(reach.items()):
        if any(
            provokes(s, nation, target)
            or ((victim := neutrals.violates(s, nation, target)) and not willing(s, nation, victim))
            for _, nation, _, _ in force
        ):
            continue
        attack = Attack((target,), tuple(sorted(force)))
        for chosen in (attack, *_single(attack)):
            try:
                attacks.check(s, player, chosen)
            except IllegalDecision:
                continue
            found.append(_enough(s, chosen))
            found += _without(s, player, found[-1])
            break
    return found


def _without(s: State, player: str, attack: Attack) -> list[Attack]:
    """The same without the smallest stack, which would be counter-attacked."""
    size = _stacks(attack)
    if len(size) < 2 or _landing(s, attack):
        return []
    weakest = min(size, key=lambda hex: (size[hex], hex))
    rest = Attack(attack.targets, tuple(part for part in attack.force if part[0] != weakest))
    try:
        attacks.check(s, player, rest)
    except IllegalDecision:
        return []
    return [rest]


def _single(attack: Attack) -> list[Attack]:
    """The same by one nation alone, where others may not take part."""
    nations = dict.fromkeys(part[1] for part in attack.force)
    return [
        Attack(attack.targets, tuple(part for part in attack.force if part[1] == nation))
        for nation in nations
    ]


def _enough(s: State, attack: Attack) -> Attack:
    """Without what the table would not thank for; who has landed attacks as a whole."""
    if _landing(s, attack):
        return attack
    (target,) = attack.targets
    face = sum(count for _, count in attacks.defenders(s, target, attack.force[0][1]))
    table = s.facts.tables.land
    enough = min((each for each in table if table[each][0] >= face), default=max(table))
    size, foot, mobile = _stacks(attack), _stacks(attack, "inf"), _stacks(attack, "mech")
    order = sorted(size, key=lambda hex: (-min(foot.get(hex, 0), 2), -mobile.get(hex, 0), hex))
    force: list[tuple[str, str, str, int]] = []
    for hex in order:
        force += [part for part in attack.force if part[0] == hex]
        chosen = Attack(attack.targets, tuple(sorted(force)))
        spare = attacks.differential(s, chosen) - enough
        if spare >= 0 and any(part[2] == "mech" for part in force):
            return _trimmed(s, chosen, hex, spare)
    return attack


def _trimmed(s: State, attack: Attack, hex: str, spare: int) -> Attack:
    """Without the infantry in a hex that is not needed."""
    force = []
    for at, nation, type, number in attack.force:
        if at == hex and type == "inf":
            each = weather.strength(s, nation, 1)
            going = min(number - 1, spare // each)
            number -= going
            spare -= going * each
        force.append((at, nation, type, number))
    return Attack(attack.targets, tuple(force))


def _gain(s: State, attack: Attack) -> float:
    """What an attack promises: points lost by the Enemy and the hex, less what is risked."""
    (target,) = attack.targets
    attacker = attack.force[0][1]
    face = sum(count for _, count in attacks.defenders(s, target, attacker))
    forts = sum(
        count for unit, count in attacks.defenders(s, target, attacker) if unit.type == "fort"
    )
    differential = attacks.differential(s, attack)
    row = column(s.facts.tables.land, differential)
    trapped = _trapped(s, target, attacker)
    lost = sum(min(max(each, trapped if each else 0), face) for each in row) / 6
    moved = sum(each >= max(forts, 1) for each in row) / 6
    mobile = any(type == "mech" for _, _, type, _ in attack.force)
    prize = worth(s, target) * (0.5 if mobile or _landing(s, attack) else 0.2)
    smallest = min(_stacks(attack).values())
    left = max(0, round(face - lost) - smallest)
    risk = min(smallest, _mean(tuple(column(s.facts.tables.land, left))))
    return lost + moved * prize - COUNTER * risk


def _stacks(attack: Attack, only: str = "") -> dict[str, int]:
    """The stacks of the attackers, with their points, or those of one type."""
    stacks: dict[str, int] = {}
    for hex, _, type, number in attack.force:
        if not only or type == only:
            stacks[hex] = stacks.get(hex, 0) + number
    return stacks


def _trapped(s: State, target: str, attacker: str) -> int:
    """Points that have nowhere to retreat to: all of them go with the first that is lost."""
    return sum(
        count
        for unit, count in attacks.defenders(s, target, attacker)
        if unit.type != "fort" and not retreat.options(s, unit, target)
    )


@lru_cache(maxsize=256)
def _mean(row: tuple[int, ...]) -> float:
    return sum(row) / len(row)
