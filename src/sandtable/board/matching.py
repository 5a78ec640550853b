"""Assigning things to places with limited room: fighters to decks, new units to complexes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def most_assigned(
    options: Sequence[Sequence[K]], room: Mapping[K, int], numbers: Sequence[int] | None = None
) -> int:
    """How many things can have a place at once; `options[i]` are the places for things of kind i,
    of which there are `numbers[i]` (by default one).

    A maximum flow by shortest augmenting paths: polynomial in kinds and places, whatever the
    numbers.
    """
    free = {place: count for place, count in room.items() if count > 0}
    taken: dict[K, dict[int, int]] = {place: {} for place in free}
    total = 0
    for kind in range(len(options)):
        left = 1 if numbers is None else numbers[kind]
        while left:
            came: dict[K, tuple[int, K | None]] = {}
            end = _free_place(options, kind, free, taken, came)
            if end is None:
                break
            way = [(end, *came[end])]
            while (back := way[-1][2]) is not None:
                way.append((back, *came[back]))
            count = min(left, free[end])
            for _, mover, back in way[:-1]:
                assert back is not None
                count = min(count, taken[back][mover])
            for place, mover, back in way:
                taken[place][mover] = taken[place].get(mover, 0) + count
                if back is not None:
                    taken[back][mover] -= count
                    if not taken[back][mover]:
                        del taken[back][mover]
            free[end] -= count
            left -= count
            total += count
    return total


def _free_place(
    options: Sequence[Sequence[K]],
    kind: int,
    free: Mapping[K, int],
    taken: Mapping[K, Mapping[int, int]],
    came: dict[K, tuple[int, K | None]],
) -> K | None:
    """The nearest place with room for things of a kind if others move over; fills `came` with who
    enters each place, and from where (None: the things themselves)."""
    queue: list[K] = []
    for place in options[kind]:
        if place in free and place not in came:
            came[place] = kind, None
            queue.append(place)
    for place in queue:
        if free[place]:
            return place
        for other in taken[place]:
            for there in options[other]:
                if there in free and there not in came:
                    came[there] = other, place
                    queue.append(there)
    return None
