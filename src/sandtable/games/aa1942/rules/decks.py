"""How many fighters find a deck, when each carrier may go to one of several places.

A place is the set of fighters that can reach it, so sea zones that the same fighters reach are one
place. To choose the best places is hard in principle (a carrier takes two fighters at once, which
makes it a matching in three dimensions), so the answer is bounded from both sides:

- from above by prices on the fighters: a fighter is worth 1 less its price to the carrier that
  takes it, each carrier goes where that is most, and no plan is better than all this together with
  the prices. Fighters that several carriers want become dearer, the others cheaper.
- from below by plans: carriers choose their places by the same prices, and fighters are assigned.

Nearly always the bounds meet at once. Where they do not, a carrier is tried in each of its places,
as often as `TRIES` allows: the work is at most a polynomial in fighters, carriers and zones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sandtable.board.matching import most_assigned

Place = frozenset[int]
"""The kinds of fighters that can reach it."""

Way = tuple[int, tuple[Place, ...]]
"""Places, and how many carriers of a fleet can go to one of these."""

TRIES = 24
_ROUNDS = 40
_ONE = 1 << 12
"""What a seated fighter counts; prices are whole parts of it, so that all machines agree."""


class Fleet(NamedTuple):
    """Carriers that can go to the same places."""

    number: int
    decks: int
    """Free ones of each carrier."""
    ways: tuple[Way, ...]


class Seats(NamedTuple):
    """Bounds for the greatest number of fighters that decks can take."""

    least: int
    """A plan for so many is known."""
    most: int
    """No plan is better."""


class _Problem(NamedTuple):
    numbers: dict[int, int]
    """Kind of fighter to number."""
    room: dict[Place, int]
    fleets: list[Fleet]


def most_seated(
    numbers: Sequence[int], room: Mapping[Place, int], fleets: Iterable[Fleet]
) -> Seats:
    """How many fighters, so many of each kind, can be on decks at once: on `room` where it is, and
    on `fleets`, of which each carrier goes to one place.

    Rules: unit.carrier.capacity, noncombat.air.same-zone
    """
    least = most = 0
    for kinds, part in _parts(room, fleets):
        part.numbers.update((kind, numbers[kind]) for kind in sorted(kinds))
        search = _Search()
        most += search.run(part)
        least += search.least
    return Seats(least, most)


def _parts(
    room: Mapping[Place, int], fleets: Iterable[Fleet]
) -> list[tuple[frozenset[int], _Problem]]:
    """The problem, cut into those that have no fighter in common."""
    pieces = [(place, _Problem({}, {place: n}, [])) for place, n in room.items()]
    for fleet in fleets:
        places = [place for _, places in fleet.ways for place in places]
        pieces.append((frozenset().union(*places), _Problem({}, {}, [fleet])))
    found: list[tuple[frozenset[int], _Problem]] = []
    for kinds, part in pieces:
        apart = []
        for others, other in found:
            if kinds.isdisjoint(others):
                apart.append((others, other))
            else:
                kinds |= others
                part = _Problem({}, other.room | part.room, other.fleets + part.fleets)
        found = [*apart, (kinds, part)]
    return found


class _Search:
    """The search for the best plan."""

    def __init__(self) -> None:
        self.least = 0
        """What the best plan so far seats."""
        self.tries = 0

    def run(self, whole: _Problem) -> int:
        """The upper bound; `least` is the lower."""
        most = sum(whole.numbers.values())
        for price in (0, _ONE):
            prices = dict.fromkeys(whole.numbers, price)
            most = min(most, _bound(whole, prices)[0] // _ONE)
        return self._within(whole, dict.fromkeys(whole.numbers, _ONE // 2), most)

    def _within(self, part: _Problem, prices: dict[int, int], most: int) -> int:
        """An upper bound for this branch, given one; it matters only where it is above `least`."""
        self.tries += 1
        numbers = part.numbers
        tried: set[frozenset[tuple[Place, int]]] = set()
        lowest, best, pace, idle = _ONE * (most + 1), prices, 8, 0
        for _ in range(_ROUNDS):
            plan = _plan(part, prices)
            if (key := frozenset(plan.items())) not in tried:
                tried.add(key)
                self.least = max(self.least, _assigned(numbers, plan))
            bound, wanted = _bound(part, prices)
            most = min(most, bound // _ONE)
            if most <= self.least:
                return most
            if bound < lowest:
                lowest, best, idle = bound, prices, 0
            elif idle < 3:
                idle += 1
            else:
                pace, idle = max(1, pace // 2), 0
            surplus = {kind: n - wanted.get(kind, 0) for kind, n in numbers.items()}
            norm = 4 * sum(n * n for n in surplus.values())
            if not norm:
                break
            step = pace * max(bound - _ONE * self.least, _ONE // 8)
            prices = {
                kind: min(_ONE, max(0, price - step * surplus[kind] // norm))
                for kind, price in prices.items()
            }
        branches = list(_branches(part))
        if not branches:
            return _assigned(numbers, _plan(part, prices))
        highest = 0
        for branch in branches:
            if self.tries >= TRIES:
                return most
            highest = max(highest, self._within(branch, best, most))
            if self.least >= most:
                break
        return min(most, highest)


def _bound(part: _Problem, prices: dict[int, int]) -> tuple[int, dict[int, int]]:
    """What no plan can be better than, by these prices, and how often each kind is wanted."""
    bound = sum(prices[kind] * n for kind, n in part.numbers.items())
    wanted: dict[int, int] = {}

    def take(place: Place, decks: int, carriers: int = 1) -> None:
        for kind, n in _cheapest(part.numbers, place, decks, prices):
            wanted[kind] = wanted.get(kind, 0) + n * carriers

    def worth(place: Place, decks: int) -> int:
        takes = _cheapest(part.numbers, place, decks, prices)
        return sum((_ONE - prices[kind]) * n for kind, n in takes)

    for place, decks in part.room.items():
        bound += worth(place, decks)
        take(place, decks)
    for fleet in part.fleets:
        left = fleet.number
        ways: list[tuple[int, int, int, Place]] = []
        for limit, places in fleet.ways:
            value, _, place = max((worth(p, fleet.decks), -i, p) for i, p in enumerate(places))
            ways.append((-value, len(ways), limit, place))
        for value, _, limit, place in sorted(ways):
            used = min(left, limit)
            bound -= value * used
            take(place, fleet.decks, used)
            left -= used
    return bound, wanted


def _cheapest(
    numbers: Mapping[int, int], place: Place, decks: int, prices: Mapping[int, int]
) -> list[tuple[int, int]]:
    """The kinds that so many decks in a place take, the cheapest first, each with its number."""
    taken = []
    for _, kind in sorted((prices[kind], kind) for kind in place if numbers[kind]):
        if not decks:
            break
        n = min(decks, numbers[kind])
        decks -= n
        taken.append((kind, n))
    return taken


def _plan(part: _Problem, prices: dict[int, int]) -> dict[Place, int]:
    """Decks by place if the carriers choose one after the other, those with the least choice
    first, each where fighters are left that are worth most."""
    left = part.numbers.copy()
    plan = part.room.copy()

    def seat(place: Place, decks: int) -> None:
        for kind, n in _cheapest(left, place, decks, prices):
            left[kind] -= n

    for place, decks in part.room.items():
        seat(place, decks)
    for fleet in sorted(part.fleets, key=lambda fleet: sum(len(way[1]) for way in fleet.ways)):
        limits = [limit for limit, _ in fleet.ways]
        carriers = fleet.number
        while carriers:
            best: tuple[int, int, Place, int] | None = None
            for i, (_, places) in enumerate(fleet.ways):
                for place in places if limits[i] else ():
                    takes = _cheapest(left, place, fleet.decks, prices)
                    value = sum((2 * _ONE - prices[kind]) * n for kind, n in takes)
                    if best is None or value > best[0]:
                        # As many carriers at once as one kind of fighters fills.
                        alike = left[takes[0][0]] // fleet.decks if takes else carriers
                        best = value, i, place, max(1, alike)
            if best is None:
                break
            _, i, place, alike = best
            count = min(carriers, limits[i], alike)
            limits[i] -= count
            carriers -= count
            plan[place] = plan.get(place, 0) + fleet.decks * count
            seat(place, fleet.decks * count)
    return plan


def _assigned(numbers: Mapping[int, int], plan: Mapping[Place, int]) -> int:
    """How many fighters have a deck at once when the carriers are placed so."""
    reach = [[place for place in plan if kind in place] for kind in numbers]
    return most_assigned(reach, plan, list(numbers.values()))


def _branches(part: _Problem) -> Iterator[_Problem]:
    """One carrier of the fleet with the least choice in each of its places; none without choice."""
    fleets = [fleet for fleet in part.fleets if sum(len(places) for _, places in fleet.ways) > 1]
    if not fleets:
        return
    fleet = min(fleets, key=lambda fleet: sum(len(places) for _, places in fleet.ways))
    others = [other for other in part.fleets if other is not fleet]
    for i, (limit, places) in enumerate(fleet.ways):
        ways = (
            *fleet.ways[:i],
            *([(limit - 1, places)] if limit > 1 else []),
            *fleet.ways[i + 1 :],
        )
        rest = [Fleet(fleet.number - 1, fleet.decks, ways)] if fleet.number > 1 and ways else []
        for place in places:
            room = {**part.room, place: part.room.get(place, 0) + fleet.decks}
            yield _Problem(part.numbers, room, others + rest)
