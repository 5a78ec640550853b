"""Ways through a graph of areas: distances, routes with costs, and what is connected."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence


def distances(neighbours: Mapping[str, Sequence[str]], origin: str) -> dict[str, int]:
    """The number of borders between `origin` and every area that can be reached from it."""
    distance = {origin: 0}
    queue = deque([origin])
    while queue:
        here = queue.popleft()
        for there in neighbours[here]:
            if there not in distance:
                distance[there] = distance[here] + 1
                queue.append(there)
    return distance


def numbered(neighbours: Mapping[str, Iterable[str]], starts: Iterable[str]) -> dict[str, int]:
    """Every area that can be reached from one of `starts`, numbered: the same number for all that
    are connected."""
    found: dict[str, int] = {}
    for number, start in enumerate(starts):
        todo = [start]
        while todo:
            here = todo.pop()
            if here not in found:
                found[here] = number
                todo.extend(neighbours[here])
    return found


class Distances(dict[str, dict[str, int]]):
    """Origin to `distances` from there, each worked out when it is first asked for."""

    def __init__(self, neighbours: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        self._neighbours = neighbours

    def __missing__(self, origin: str) -> dict[str, int]:
        found = self[origin] = distances(self._neighbours, origin)
        return found


def reach(
    origin: str, steps: Callable[[str], Iterable[tuple[str, int]]], limit: int
) -> dict[str, int]:
    """Every area within `limit` of `origin`, with the least cost of getting there.

    `steps` gives the areas next to one with the cost (1 or more) of entering them.
    """
    return _search(origin, steps, limit, {})


def route(
    origin: str, goal: str, steps: Callable[[str], Iterable[tuple[str, int]]], limit: int
) -> tuple[str, ...] | None:
    """A cheapest way to `goal` within `limit`, without `origin`; None if there is none."""
    came: dict[str, str] = {}
    if goal not in _search(origin, steps, limit, came):
        return None
    way: list[str] = []
    while goal != origin:
        way.append(goal)
        goal = came[goal]
    return tuple(reversed(way))


def _search(
    origin: str,
    steps: Callable[[str], Iterable[tuple[str, int]]],
    limit: int,
    came: dict[str, str],
) -> dict[str, int]:
    """Areas to least costs; fills `came` with the area from which each is entered."""
    best = {origin: 0}
    rings: list[list[str]] = [[] for _ in range(limit + 1)]
    rings[0].append(origin)
    for cost, ring in enumerate(rings):
        for here in ring:
            if best[here] < cost:
                continue
            for there, price in steps(here):
                total = cost + price
                if total <= limit and total < best.get(there, limit + 1):
                    best[there] = total
                    came[there] = here
                    rings[total].append(there)
    return best


class Net:
    """A graph of areas in which what is connected is found fast: sets of areas are bits."""

    __slots__ = ("_bit", "_names", "_near")

    def __init__(self, neighbours: Mapping[str, Iterable[str]]) -> None:
        self._names = tuple(neighbours)
        self._bit = {area: 1 << number for number, area in enumerate(self._names)}
        self._near = tuple(self.set_of(near) for near in neighbours.values())

    def set_of(self, areas: Iterable[str]) -> int:
        """Areas as bits."""
        bit = self._bit
        found = 0
        for area in areas:
            found |= bit[area]
        return found

    def connected(self, origins: Iterable[str], passable: int) -> frozenset[str]:
        """Everything that can be reached from any of `origins`, these included, through passable
        areas (as `set_of` gives them)."""
        near = self._near
        found = front = self.set_of(origins)
        while front:
            after = 0
            while front:
                lowest = front & -front
                after |= near[lowest.bit_length() - 1]
                front ^= lowest
            front = after & passable & ~found
            found |= front
        names = []
        while found:
            lowest = found & -found
            names.append(self._names[lowest.bit_length() - 1])
            found ^= lowest
        return frozenset(names)
