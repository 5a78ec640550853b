"""Phase 3: whom to lose."""

from __future__ import annotations

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
    pool, scars = list(pool), list(scars)
    lost: dict[str, Counts] = {}
    damaged: Counts = {}
    for hits, shy, own in (
        (request.hits.air, "sub", "air"),
        (request.hits.sub, "air", "sub"),
        (request.hits.any, "", ""),
    ):
        for _ in range(hits):
            targets = [item for item in pool if target_class(s, _type_of(item[1])) != shy]
            fighting = [item for item in targets if _type_of(item[1]) != "transport"]
            mine = [item for item in fighting if target_class(s, _type_of(item[1])) == own]
            if not eager and mine:
                fighting = mine
            elif scars:
                power, _ = scars.pop()
                damaged[power] = damaged.get(power, 0) + 1
                continue
            choice = next(iter(fighting or targets), None)
            if choice is None:
                continue
            power, name = choice
            if name == "battleship" and damaged.get(power):
                damaged[power] -= 1
            pool.remove(choice)
            row = lost.setdefault(power, {})
            row[name] = row.get(name, 0) + 1
    return Casualties(lost, {power: n for power, n in damaged.items() if n})
