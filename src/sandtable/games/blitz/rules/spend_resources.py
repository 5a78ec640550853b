"""Step: all powers spend in secret, and what they ordered is carried out (7.8)."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.games.blitz.model import Book, Order, State
from sandtable.games.blitz.rules.commanders import place
from sandtable.games.blitz.rules.counters import (
    current_group,
    damage,
    deploy,
    grow,
    to_pool,
)
from sandtable.games.blitz.rules.sabotage import meddle, sabotage, take_effect
from sandtable.games.blitz.rules.scenarios import before_builds
from sandtable.games.blitz.rules.sides import (
    introduced,
)
from sandtable.games.blitz.rules.spend import (
    Research,
    Sabotage,
    SpendRequest,
    TestBomb,
    bomb_of,
    builds,
    check_room,
    is_bomb,
    ordered,
)
from sandtable.games.blitz.rules.weapons import take_counter
from sandtable.kernel.decisions import Decision, RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def spend_resources(g: Table[State]) -> Procedure[None]:
    """All powers spend in secret, each at its own pace; when all are done, all is carried out.

    Rules: 1.9a, 7.8a
    """
    s = g.state
    if not s.queue:
        yield from before_builds(g)
        yield from meddle(g)
        s.queue = tuple(power for power in s.scenario.powers if power in s.books)
    while True:
        for power in s.queue:
            if not s.books[power].done and _nothing_to_do(s, power, s.books[power]):
                s.books[power] = replace(s.books[power], done=True)
        open_ = [power for power in s.queue if not s.books[power].done]
        if not open_:
            break
        g.checkpoint()
        power, decision = yield from g.ask_any(SpendRequest(power) for power in open_)
        s.books[power] = yield from _act(g, power, s.books[power], decision)
    books = {power: s.books[power] for power in s.queue}
    s.books, s.queue = {}, ()
    _carry_out(g, books)
    yield from take_effect(g, books)


def _nothing_to_do(s: State, power: str, book: Book) -> bool:
    """Whether a power could only be done: no goods, no free GAR, nothing to scrap, no commander."""
    if book.oil or book.resources or any(a.oil or a.resources for a in book.minors):
        return False
    if s.options["commanders"] and book.commander is None:
        return False
    if introduced(s, "D") and next(s.of(power), None) is not None:
        return False
    return not book.free_gar or next(builds(s, power, book), None) is None


def _act(g: Table[State], power: str, book: Book, decision: Decision) -> Procedure[Book]:
    """Enter a decision into a book, with its dice.

    Rules: 7.8.res-a, 7.8.res-b, 7.8.abomb-d, E.5a, E.5b
    """
    s = g.state
    book = ordered(s, power, book, decision)
    if isinstance(decision, Research):
        return (yield from _research(g, power, book))
    if isinstance(decision, TestBomb):
        return (yield from _test(g, power, book))
    if isinstance(decision, Sabotage):
        return (yield from sabotage(g, power, decision.victim, book))
    return book


def _research(g: Table[State], power: str, book: Book) -> Procedure[Book]:
    """Roll for a new weapon; a counter of the current Group, at random, is found.

    Rules: 7.8.res-a, 7.8.res-b, 7.3d, E.5a
    """
    s = g.state
    success = s.facts.numbers.research_success
    if not any(one == power for one, _ in s.wars):
        success -= 1
    (die,) = yield from g.roll("research", (RollLine(power, "research", 1, success),))
    if die > success:
        g.emit("research_failed", to=(power,), power=power)
        return book
    group = current_group(s, power, book.drawn)
    index = 1
    if len(group) > 1:
        line = RollLine(power, "weapon", 1, 0, sides=len(group))
        (index,) = yield from g.roll("which_weapon", (line,))
    counter = group[index - 1]
    g.emit("researched", to=(power,), power=power, unit=counter)
    book = replace(book, drawn=(*book.drawn, counter))
    if is_bomb(s, counter):
        book = replace(book, bomb=s.facts.numbers.bomb_box)
    return book


def _test(g: Table[State], power: str, book: Book) -> Procedure[Book]:
    """Roll for a test of the A-Bomb: it has to exceed the box.

    Rules: 7.8.abomb-d, E.5b
    """
    s = g.state
    failure = book.bomb - (f"a_bombed:{power}" in s.flags)
    (die,) = yield from g.roll("bomb_test", (RollLine(power, "bomb", 1, failure),))
    success = die > failure
    g.emit("bomb_test_rolled", to=(power,), power=power, success=success)
    return replace(book, bomb=0) if success else book


def _carry_out(g: Table[State], books: dict[str, Book]) -> None:
    """Carry out what all have ordered, and save the rest.

    An order for which another power's has left no room is dropped, and paid back in Resources.

    Rules: 1.9a, 7.8.build-a, 7.8.end-a, 7.8.end-b, 7.8.abomb-a, 7.8.abomb-c
    """
    s = g.state
    for power, book in books.items():
        _tell_science(g, power, book)
    back = {
        power: sum(_carry_out_build(g, power, order) for order in book.orders)
        for power, book in books.items()
    }
    for power, book in books.items():
        if book.commander is not None:
            place(g, power, *book.commander)
        for order in book.orders:
            unit = s.units.get(order.unit)
            if unit is not None and order.size < unit.size:
                damage(g, order.unit, unit.size - order.size)
        s.oil[power] = book.oil if introduced(s, "C") else 0
        left = book.resources - book.passing + back[power]
        s.resources[power] = left if introduced(s, "D") else 0
        g.emit("saved", power=power, oil=s.oil[power], resources=s.resources[power])


def _tell_science(g: Table[State], power: str, book: Book) -> None:
    """Take the counters that research found, and move the A-Bomb.

    Rules: 7.8.res-b, 7.8.abomb-b, 7.8.abomb-c, 7.8.abomb-e
    """
    s = g.state
    for counter in book.drawn:
        owner = take_counter(s, power, counter)
        g.emit("developed", power=power, unit=counter, owner=owner)
    before = s.bombs.get(power, -1)
    if book.bomb == before:
        return
    s.bombs[power] = book.bomb
    if book.bomb == 0:
        to_pool(s, power, bomb_of(s, power))
        s.atomic = (*s.atomic, (power, s.turn))
        g.emit("bomb_tested", power=power)
    else:
        g.emit("bomb_developed", power=power, box=book.bomb)


def _carry_out_build(g: Table[State], power: str, order: Order) -> int:
    """Build what was ordered; what it cost if there is no room for it any more.

    Rules: 7.8.build-a, 7.8.build-c, 7.8.build-e
    """
    s = g.state
    unit = s.units.get(order.unit)
    now = unit.size if unit else 0
    if order.size <= now:
        return 0
    at, port = (unit.at, unit.port) if unit else (order.at, order.port)
    try:
        check_room(s, Book(), order.unit, order.size, at, port)
    except IllegalDecision:
        g.emit("build_dropped", power=power, unit=order.unit)
        return order.size - now
    if unit:
        grow(s, order.unit, order.size)
    else:
        deploy(s, power, order.unit, order.size, at, port)
        if s.facts.kinds[order.unit].super_weapon:
            s.count(f"super_weapon:{power}")
    g.emit("built", power=power, unit=order.unit, size=order.size, space=at, port=port)
    return 0
