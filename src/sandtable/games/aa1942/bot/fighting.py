"""Phase 3: battles, bombardment, retreats, interceptors."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.aa1942.bot.board import Board, can_capture
from sandtable.games.aa1942.bot.odds import Outlook, outlook
from sandtable.games.aa1942.bot.weights import ENOUGH, RETREAT_BELOW, Counts
from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.assault import Bombard, ChooseBombardment, Engage, EngageOrIgnore
from sandtable.games.aa1942.rules.combat import (
    Dive,
    Press,
    PressOrRetreat,
    Retreat,
    SubmergeOrStrike,
)
from sandtable.games.aa1942.rules.conduct_combat import ChooseBattle, Fight
from sandtable.games.aa1942.rules.movement import Done
from sandtable.games.aa1942.rules.raids import CommitInterceptors, Intercept
from sandtable.kernel.decisions import Decision, Pass
from sandtable.kernel.errors import passes


def _standing(b: Board, space: str, attacker: str) -> tuple[Counts, Counts]:
    """The attackers and defenders that are in a battle now."""
    foes = b.facts.enemies[attacker]
    idle = ("raid", "bombed", "escort", "submerged", "fought")
    attackers = b.count(space, lambda u: u.power == attacker and u.duty not in idle)
    defenders = b.count(
        space, lambda u: u.power in foes and u.duty not in ("intercept", "submerged")
    )
    return attackers, defenders


def _battle_outlook(b: Board, space: str, attacker: str) -> Outlook:
    """What to expect if a battle goes on."""
    attackers, defenders = _standing(b, space, attacker)
    return outlook(b.facts.numbers, b.force(attackers), b.force(defenders), begun=True)


def choose_battle(s: State, request: ChooseBattle) -> Iterator[Decision]:
    """Battles at sea first, they open the way; optional ones only if they are as good as won."""
    b = Board(s, request.power)
    yield from (
        Fight(space) for space in sorted(request.battles, key=b.facts.land_next.__contains__)
    )
    for zone in request.optional:
        if _battle_outlook(b, zone, request.power).chance >= ENOUGH:
            yield Fight(zone)
    yield Done()


def engage(s: State, request: EngageOrIgnore) -> Iterator[Decision]:
    """Attack what one may sail past only if the battle is as good as won."""
    b = Board(s, request.power)
    yield Engage(_battle_outlook(b, request.zone, request.power).chance >= ENOUGH)


def bombard(s: State, request: ChooseBombardment) -> Iterator[Decision]:
    """As many ships as may, the heaviest first."""
    kinds = s.facts.units
    ships = [
        (-kinds[type_].bombard, zone, type_)
        for zone, row in request.ships.items()
        for type_, number in row.items()
        for _ in range(number)
    ]
    chosen: dict[str, Counts] = {}
    for _, zone, type_ in sorted(ships)[: request.limit]:
        row = chosen.setdefault(zone, {})
        row[type_] = row.get(type_, 0) + 1
    yield Bombard(chosen)


def press_or_retreat(s: State, request: PressOrRetreat) -> Iterator[Decision]:
    """Retreat if the battle is as good as lost, or costs more than it brings."""
    b = Board(s, request.power)
    attackers, _ = _standing(b, request.space, request.power)
    chance, lost, killed, _ = _battle_outlook(b, request.space, request.power)
    prize = 0.0
    if not b.facts.spaces[request.space].sea and can_capture(b, attackers):
        prize = b.worth(request.space)
    if chance >= 1 - RETREAT_BELOW or (chance >= RETREAT_BELOW and chance * prize + killed >= lost):
        yield Press()
    refuges = sorted(request.to, key=lambda space: (-b.price(b.defenders(space)), space))
    yield from (Retreat(space) for space in refuges or ("",))


def submerge_or_strike(s: State, request: SubmergeOrStrike) -> Iterator[Decision]:
    """Dive out of a battle that is being lost."""
    b = Board(s, request.power)
    attacker = s.turn
    chance = _battle_outlook(b, request.space, attacker).chance
    losing = chance < 0.5 if request.power == attacker else chance > 0.5
    yield Dive(request.submarines if losing else 0)


def intercept(s: State, request: CommitInterceptors) -> Decision:
    """Rise against bombers wherever the fighters are no fewer than what comes; else pass."""
    chosen: Counts = {}
    for territory, fighters in sorted(request.fighters.items()):
        coming = sum(n for u, n in s.stack(territory).items() if u.duty in ("raid", "escort"))
        if 0 < coming <= fighters:
            chosen[territory] = fighters
    decision = Intercept(chosen)
    return decision if chosen and passes(request.check, s, decision) else Pass()
