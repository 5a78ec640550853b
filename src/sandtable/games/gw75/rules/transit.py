"""Transit Attacks (13.0, 13.1): on units that leave a hex in an Enemy naval Zone of Control."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, ClassVar

from sandtable.games.gw75.facts import MAJORS
from sandtable.games.gw75.model import State, Unit
from sandtable.games.gw75.rules.common import refuse
from sandtable.games.gw75.rules.naval_results import attack, attack_of, defense_of, key
from sandtable.games.gw75.rules.naval_zones import Part, strikers
from sandtable.games.gw75.rules.terms import commander
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

Group = list[tuple[Unit, int]]
"""Units that move together."""
Standing = dict[str, bool]
"""Player to its answer for the rest of a move: attack whoever can, or spare."""


class Strike(Decision, frozen=True, tag="strike"):
    """Make the Transit Attack, with the units of these hexes (all that can if none is named);
    `always`: wherever they can on this move."""

    hexes: tuple[str, ...] = ()
    always: bool = False


class Spare(Decision, frozen=True, tag="spare"):
    """Make no Transit Attack here, or nowhere on this move."""

    always: bool = False


class TransitAttack(Request, frozen=True, tag="transit_attack"):
    """Whether units attack Enemies that leave a hex."""

    space: str
    nation: str
    units: dict[str, int]
    """Type to number of those who leave."""
    hexes: dict[str, int]
    """Hexes from which the player's units can attack, with their Attack Strength."""
    defense: int
    others: int = 0
    """Attack Strength of friends who attack, or still may."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Strike, Spare)

    def check(self, state: State, decision: Any) -> None:
        """Rules: 13.0d, 13.0e"""
        if isinstance(decision, Spare):
            return
        for hex in decision.hexes:
            if hex not in self.hexes:
                raise refuse(f"Nobody in {state.facts.name(hex)} can attack them.", "13.0d")
        if len(set(decision.hexes)) < len(decision.hexes):
            raise refuse("Each hex is named once.", "13.15b")
        strength = sum(self.hexes[hex] for hex in decision.hexes or self.hexes) + self.others
        if strength < self.defense:
            raise refuse(
                f"An attack needs an Attack Strength of {self.defense}, not {strength}.", "13.0e"
            )

    def decisions(self, state: State) -> Iterator[Decision]:
        yield Spare()
        yield Strike()
        yield Spare(always=True)
        yield Strike(always=True)
        for hex, strength in self.hexes.items():
            if len(self.hexes) > 1 and strength + self.others >= self.defense:
                yield Strike((hex,))

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        yield rng.choice((Spare(), Strike(), Strike(always=True), Spare(always=True)))
        yield Spare()


def leave(
    g: Table[State], hex: str, group: Group, standing: Standing
) -> Procedure[tuple[Group, int]]:
    """Units of a nation that are in a hex are about to leave it: whoever has a zone there may
    attack them, together and once in a phase. Merchant Ships are not attacked. Who is left, and
    how many fleets were lost.

    Rules: 12.23, 12.41b, 13.0c, 13.0d, 13.0e, 13.13, 13.15a, 13.15b, 13.16, 15.63
    """
    s = g.state
    safe = [(unit, count) for unit, count in group if unit.type == "ms"]
    rest = [(unit, count) for unit, count in group if unit.type != "ms"]
    total = 0
    while rest:
        enemies, target = _matched(s, hex, rest)
        force: list[Part] = []
        if enemies:
            force = yield from choose_strikers(g, hex, enemies, target, standing)
        if not force:
            break
        parts = [Part(hex, unit, count) for unit, count in target]
        outcome = yield from attack(g, "transit_attack", force, parts, space=hex)
        others = [each for each in rest if each not in target]
        shot = []
        for _, unit, count in outcome.defenders:
            marked = tuple(sorted({*unit.shot, *map(key, force)}))
            shot.append((s.change(hex, unit, count, shot=marked), count))
        rest = [*others, *shot]
        total += outcome.lost
    return [*safe, *rest], total


def _matched(s: State, hex: str, group: Group) -> tuple[list[Part], Group]:
    """Those Enemies who can still attack some of the units, and these units. If not all who can
    attack any can attack the same, it is what the first of them can, with all who can attack that.

    Rules: 13.15b
    """
    enemies = strikers(s, group[0][0].nation, hex, group[0][0].type)
    if not enemies:
        return [], []
    able = [part for part in enemies if _fresh(group, [part])]
    if not able:
        return [], []
    target = _fresh(group, able) or _fresh(group, able[:1])
    return [part for part in able if _fresh(target, [part]) == target], target


def _fresh(group: Group, enemies: list[Part]) -> Group:
    """The units that none of these Enemies has attacked."""
    names = {*map(key, enemies)}
    return [(unit, count) for unit, count in group if names.isdisjoint(unit.shot)]


def choose_strikers(
    g: Table[State], hex: str, enemies: list[Part], target: Group, standing: Standing
) -> Procedure[list[Part]]:
    """The Enemies who attack, as their players decide; none if they spare them, or are too weak
    together."""
    s = g.state
    defense = defense_of(s, (Part(hex, unit, count) for unit, count in target), transit=True)
    by_player: dict[str, dict[str, int]] = {}
    for part in enemies:
        mine = by_player.setdefault(commander(s, part.unit.nation), {})
        mine[part.hex] = mine.get(part.hex, 0) + attack_of(s, [part])
    able = attack_of(s, enemies)
    if able < defense:
        return []
    force: list[Part] = []
    units: dict[str, int] = {}
    for unit, count in target:
        units[unit.type] = units.get(unit.type, 0) + count
    for player in sorted(by_player, key=MAJORS.index):
        mine = by_player[player]
        most = sum(mine.values())
        answer = standing.get(player)
        if answer is None:
            whose = target[0][0].nation
            asked = TransitAttack(player, hex, whose, units, mine, defense, able - most)
            decision = yield from g.ask(asked)
            answer = isinstance(decision, Strike)
            if decision.always:
                standing[player] = answer
            if answer:
                mine = {each: mine[each] for each in decision.hexes or mine}
        if answer:
            force += [
                part
                for part in enemies
                if part.hex in mine and commander(s, part.unit.nation) == player
            ]
        able -= most - (sum(mine.values()) if answer else 0)
    return force if force and attack_of(s, force) >= defense else []
