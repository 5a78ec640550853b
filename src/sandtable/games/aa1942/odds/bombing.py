"""Strategic bombing raids, with the optional escorts and interceptors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from sandtable.games.aa1942.odds.book import Data, book
from sandtable.odds.errors import OddsError
from sandtable.odds.result import Counts, Reals

MOST = 60


@dataclass(frozen=True)
class Raid:
    """Every possible end of a raid, one per row: aircraft left, and damage done."""

    probability: Reals
    bombers: Counts
    escorts: Counts
    interceptors: Counts
    damage: Counts
    swing: float
    """Damage at what its repair costs, and interceptors shot down, less bombers and escorts."""

    @property
    def expected_damage(self) -> float:
        return float(self.probability @ self.damage)

    @property
    def expected_bombers(self) -> float:
        """The mean number of bombers that come back."""
        return float(self.probability @ self.bombers)

    def __repr__(self) -> str:
        return (
            f"<Raid damage {self.expected_damage:.1f}, bombers left {self.expected_bombers:.1f}, "
            f"swing {self.swing:+.1f}>"
        )


def raid(
    bombers: int,
    *,
    escorts: int = 0,
    interceptors: int = 0,
    ipc: int,
    damage: int = 0,
    lose_first: str = "fighter",
    data: Data = None,
) -> Raid:
    """The exact outcome of a raid on a complex in a territory worth `ipc` that already has some
    `damage`. `lose_first` is the type that the attacker gives up first in the air battle."""
    b = book(data)
    numbers = b.numbers
    for name, n in (("bombers", bombers), ("escorts", escorts), ("interceptors", interceptors)):
        if isinstance(n, bool) or not isinstance(n, int):
            raise OddsError(f"{n!r} is no number of {name}.")
        if not 0 <= n <= MOST:
            raise OddsError(f"A raid has 0 to {MOST} {name}, not {n}.")
    if not bombers:
        raise OddsError("A raid needs bombers.")
    if not isinstance(ipc, int) or not isinstance(damage, int):
        raise OddsError("What a territory is worth and its damage are whole numbers.")
    cap = numbers.damage_cap_factor * ipc
    if not 0 <= damage <= cap:
        raise OddsError(f"A complex worth {ipc} has 0 to {cap} points of damage, not {damage}.")
    if lose_first not in ("fighter", "bomber"):
        raise OddsError(f"The attacker loses fighters or bombers first, not {lose_first!r}.")

    @cache
    def hits(dice: int, value: int) -> Reals:
        chances = np.ones(1)
        for _ in range(dice):
            chances = np.convolve(chances, [1 - value / numbers.die, value / numbers.die])
        return chances

    @cache
    def bombs(dice: int) -> Reals:
        """Chances of each number of points that count."""
        face = np.concatenate(([0.0], np.full(numbers.die, 1 / numbers.die)))
        chances = np.ones(1)
        for _ in range(dice * numbers.raid_dice_per_bomber):
            chances = np.convolve(chances, face)
        room = cap - damage
        if len(chances) > room + 1:
            chances = np.append(chances[:room], chances[room:].sum())
        return chances

    ends: dict[tuple[int, int, int, int], float] = {}
    first = bombers + escorts if interceptors else 0
    for shot, p in enumerate(hits(first, numbers.air_battle_attack)):
        left = max(0, interceptors - shot)
        for lost, q in enumerate(hits(left, numbers.air_battle_defense)):
            if lose_first == "fighter":
                escort = max(0, escorts - lost)
                raiding = max(0, bombers - max(0, lost - escorts))
            else:
                raiding = max(0, bombers - lost)
                escort = max(0, escorts - max(0, lost - bombers))
            for down, r in enumerate(hits(raiding, numbers.raid_defense_hits_on)):
                for points, s in enumerate(bombs(raiding - down)):
                    key = (raiding - down, escort, left, points)
                    ends[key] = ends.get(key, 0.0) + float(p * q * r * s)
    table = np.array(list(ends), np.int64)
    chance = np.array(list(ends.values()))
    mean = chance @ table
    cost = b.cost
    swing = (
        numbers.repair_cost * mean[3]
        + cost["fighter"] * (interceptors - mean[2])
        - cost["fighter"] * (escorts - mean[1])
        - cost["bomber"] * (bombers - mean[0])
    )
    return Raid(chance, table[:, 0], table[:, 1], table[:, 2], table[:, 3], float(swing))
