"""Assigning things to places with limited room: fighters to decks, new units to complexes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def most_assigned(options: Sequence[Sequence[K]], room: Mapping[K, int]) -> int:
    """How many things can have a place at once; `options[i]` are the places that thing i may take.

    A maximum matching by augmenting paths.
    """
    taken: dict[K, list[int]] = {place: [] for place in room}

    def assign(thing: int, tried: set[K]) -> bool:
        for place in options[thing]:
            if place in tried or room.get(place, 0) <= 0:
                continue
            tried.add(place)
            if len(taken[place]) < room[place]:
                taken[place].append(thing)
                return True
            for other in list(taken[place]):
                if assign(other, tried):
                    taken[place].remove(other)
                    taken[place].append(thing)
                    return True
        return False

    return sum(assign(thing, set()) for thing in range(len(options)))
