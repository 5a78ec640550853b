"""Phase 3: whom to lose."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from sandtable.games.aa1942.bot.board import Board
from sandtable.games.aa1942.bot.weights import Counts, loss_rank
from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.casualties import Casualties, ChooseCasualties, target_class
from sandtable.kernel.decisions import Decision


def choose_casualties(s: State, request: ChooseCasualties) -> Iterator[Decision]:
    """First hits on battleships, then the cheapest; a unit that can take the place is kept."""
    kinds = s.facts.units
    b = Board(s, request.power)
    pool: list[tuple[str, str]] = []
    for power, named in sorted(request.units.items()):
        for name, number in named.items():
            pool.extend([(power, name)] * number)
    pool.sort(key=lambda item: (loss_rank(_type_of(item[1])), len(item[1]), item))
    on_land = request.space in s.control
    if request.of == "attacker" and on_land and b.worth(request.space) >= kinds["fighter"].cost:
        captors = [item for item in pool if kinds[_type_of(item[1])].captures]
        if captors:
            pool.remove(captors[-1])
            pool.append(captors[-1])
    scars = [
        (power, "battleship")
        for power, named in sorted(request.units.items())
        for _ in range(named.get("battleship", 0))
    ]
    for eager in (True, False):
        yield _assign(s, request, pool, scars, eager=eager)


def _type_of(name: str) -> str:
    return name.split(" (", 1)[0]


def _assign(
    s: State,
    request: ChooseCasualties,
    pool: list[tuple[str, str]],
    scars: list[tuple[str, str]],
    *,
    eager: bool,
) -> Casualties:
    """Give the hits to the units in `pool` in order; those of `scars` take a first hit before.

    Hits that cannot strike everything are given first. If not `eager`, they go to what the other
    kinds of hits cannot strike, so that as many as possible find a target.
    """
    scars = list(scars)
    lost: dict[str, Counts] = {}
    damaged: Counts = {}
    # Those that are left, by what they are, each in the order of the pool.
    left: dict[str, deque[tuple[int, tuple[str, str]]]] = {}
    for place, item in enumerate(pool):
        kind = target_class(s, _type_of(item[1]))
        left.setdefault(kind, deque()).append((place, item))
    for hits, shy, own in (
        (request.hits.air, "sub", "air"),
        (request.hits.sub, "air", "sub"),
        (request.hits.any, "", ""),
    ):
        for _ in range(hits):
            able = [kind for kind, items in left.items() if items and kind != shy]
            fighting = [kind for kind in able if kind != "transport"]
            if not eager and own in fighting:
                fighting = [own]
            elif scars:
                power, _ = scars.pop()
                damaged[power] = damaged.get(power, 0) + 1
                continue
            first = min(fighting or able, key=lambda kind: left[kind][0], default=None)
            if first is None:
                break
            power, name = left[first].popleft()[1]
            if name == "battleship" and damaged.get(power):
                damaged[power] -= 1
            row = lost.setdefault(power, {})
            row[name] = row.get(name, 0) + 1
    return Casualties(lost, {power: n for power, n in damaged.items() if n})
