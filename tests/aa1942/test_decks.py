"""Fighters and decks: the bounds of the landing proof against a search through all plans."""

from __future__ import annotations

import random

import pytest

from sandtable.board.matching import most_assigned
from sandtable.games.aa1942.rules import decks
from sandtable.games.aa1942.rules.decks import Fleet, Place, most_seated

Plan = frozenset[tuple[Place, int]]


def every_plan(room: dict[Place, int], fleets: list[Fleet]) -> set[Plan]:
    """All ways to send the carriers to their places: decks by place."""
    plans = {frozenset(room.items())}
    for fleet in fleets:
        plans = {after for plan in plans for after in _sent(plan, fleet, fleet.number, ())}
    return plans


def _sent(plan: Plan, fleet: Fleet, count: int, gone: tuple[int, ...]) -> set[Plan]:
    """The ways to send so many carriers of a fleet; `gone` are the ways that others took."""
    after = {plan} if not count else set()
    for i, (limit, places) in enumerate(fleet.ways):
        if not count or gone.count(i) == limit:
            continue
        for place in places:
            decks = dict(plan)
            decks[place] = decks.get(place, 0) + fleet.decks
            after |= _sent(frozenset(decks.items()), fleet, count - 1, (*gone, i))
    return after or {plan}


def by_search(numbers: list[int], room: dict[Place, int], fleets: list[Fleet]) -> int:
    """The best of all plans: what the proof was before it was bounded."""
    kinds = [kind for kind, n in enumerate(numbers) for _ in range(n)]
    most = 0
    for plan in every_plan(room, fleets):
        decks = dict(plan)
        reach = [[place for place in decks if kind in place] for kind in kinds]
        most = max(most, most_assigned(reach, decks))
    return most


def random_problem(rng: random.Random) -> tuple[list[int], dict[Place, int], list[Fleet]]:
    """A few kinds of fighters, decks in place, carriers that move, and some that were bought."""
    numbers = [rng.randint(1, 3) for _ in range(rng.randint(1, 6))]

    def place() -> Place:
        size = rng.randint(1, min(4, len(numbers)))
        return frozenset(rng.sample(range(len(numbers)), size))

    room = {place(): rng.randint(1, 3) for _ in range(rng.randint(0, 2))}
    fleets = []
    for _ in range(rng.randint(0, 4)):
        count = rng.choice((1, 1, 2))
        places = tuple(sorted({place() for _ in range(rng.randint(1, 3))}, key=sorted))
        fleets.append(Fleet(count, rng.choice((1, 2, 2)), ((count, places),)))
    if rng.random() < 0.4:
        ways = [(rng.randint(1, 2), (place(), place())) for _ in range(rng.randint(1, 2))]
        fleets.append(Fleet(rng.randint(1, 3), 2, tuple(ways)))
    return numbers, room, fleets


@pytest.mark.rule("aa1942:unit.air.landing-proof", "aa1942:unit.carrier.capacity")
@pytest.mark.parametrize("seed", range(4))
def test_the_bounds_meet_at_what_a_search_through_all_plans_finds(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(1000):
        numbers, room, fleets = random_problem(rng)
        best = by_search(numbers, room, fleets)
        assert most_seated(numbers, room, fleets) == (best, best), (numbers, room, fleets)


@pytest.mark.parametrize("seed", range(2))
def test_without_tries_the_bounds_still_hold_the_truth_between_them(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(decks, "TRIES", 1)
    monkeypatch.setattr(decks, "_ROUNDS", 1)
    rng = random.Random(seed)
    apart = 0
    for _ in range(150):
        numbers, room, fleets = random_problem(rng)
        least, most = most_seated(numbers, room, fleets)
        assert least <= by_search(numbers, room, fleets) <= most
        apart += least < most
    assert apart
