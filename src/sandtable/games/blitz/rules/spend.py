"""Spending Resources: what a power can order, and what it pays (7.8)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from sandtable.games.blitz.facts import BIG
from sandtable.games.blitz.model import Book, Order, State
from sandtable.games.blitz.rules.commanders import Command, check_placement, placements
from sandtable.games.blitz.rules.counters import (
    biggest,
    current_group,
    destination,
    nation_of,
    small_name,
)
from sandtable.games.blitz.rules.income import CHINAS_FRIENDS, isolated
from sandtable.games.blitz.rules.sides import areas_of, country_of, introduced, partners, side_of
from sandtable.games.blitz.rules.stacking import closed_for, full
from sandtable.games.blitz.rules.steps import Done
from sandtable.games.blitz.rules.supply import in_supply, reaches
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision, passes


class Build(Decision, frozen=True, tag="build"):
    """Build a unit to a Size; one from the Force Pool is placed in an area, a ship in a port.

    Resources are spent before Oil; `oil` is how many Oil are spent all the same.
    """

    unit: str
    size: int
    at: str = ""
    port: str = ""
    oil: int = 0


class Research(Decision, frozen=True, tag="research"):
    """Research weapons."""

    oil: int = 0


class DevelopBomb(Decision, frozen=True, tag="develop_bomb"):
    """Advance the development of the A-Bomb."""

    oil: int = 0


class TestBomb(Decision, frozen=True, tag="test_bomb"):
    """Test the A-Bomb."""

    oil: int = 0


class Sabotage(Decision, frozen=True, tag="sabotage"):
    """Sabotage an enemy power (9.6)."""

    victim: str
    oil: int = 0


class Scrap(Decision, frozen=True, tag="scrap"):
    """Reduce an own unit on the map to a Size; to 0, destroy it."""

    unit: str
    size: int = 0


class SpendRequest(Request, frozen=True, tag="spend"):
    """Spend Oil and Resources, one thing at a time, in secret; then done."""

    answers: ClassVar[tuple[type[Decision], ...]] = (
        Build,
        Research,
        DevelopBomb,
        TestBomb,
        Sabotage,
        Command,
        Scrap,
        Done,
    )

    def check(self, state: State, decision: Decision) -> None:
        ordered(state, self.power, state.books[self.power], decision)

    def decisions(self, state: State) -> Iterator[Decision]:
        return (each for each in self._possible(state) if passes(self.check, state, each))

    def _possible(self, state: State) -> Iterator[Decision]:
        power, book = self.power, state.books[self.power]
        yield Done()
        yield Research()
        yield DevelopBomb()
        yield TestBomb()
        if state.options["sabotage"]:
            for victim in _rivals(state, power):
                yield Sabotage(victim)
        if book.commander is None:
            yield from placements(state, power)
        yield from builds(state, power, book)
        if introduced(state, "D"):
            for id, unit in sorted(state.of(power)):
                for size in range(unit.size):
                    yield Scrap(id, size)

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        power, book = self.power, state.books[self.power]
        luck = rng.random()
        if luck < 0.04:
            yield from (Research(), DevelopBomb(), TestBomb())
        elif luck < 0.06:
            rivals = _rivals(state, power)
            if rivals:
                yield Sabotage(rivals[int(rng.random() * len(rivals))])
        elif luck < 0.08:
            commanders = list(placements(state, power)) if state.options["commanders"] else []
            if commanders:
                yield commanders[int(rng.random() * len(commanders))]
        elif luck < 0.085:
            units = sorted(id for id, _ in state.of(power))
            if units:
                yield Scrap(units[int(rng.random() * len(units))])
        if luck < 0.9:
            units = list(state.owned.get(power, ()))
            units += [id for id in _pool(state, power, book) if not id.endswith(BIG)]
            for _ in range(4 if units else 0):
                id = units[int(rng.random() * len(units))]
                size = _size(state, book, id) + 1
                if size > len(state.facts.kinds[id].sizes):
                    continue
                if id in state.units or _order(book, id) is not None:
                    yield Build(id, size)
                    continue
                places = _places(state, power, id)
                if places:
                    at = places[int(rng.random() * len(places))]
                    ports = [""]
                    if state.facts.domain[id] == "naval":
                        ports = list(state.facts.ports[at])
                    if ports:
                        yield Build(id, size, at, ports[int(rng.random() * len(ports))])
        yield Done()
        yield from self._possible(state)


# --- what a decision makes of a book -------------------------------------------------------------


def ordered(s: State, power: str, book: Book, decision: Decision) -> Book:
    """The book after a decision, dice left out; IllegalDecision if it is not allowed.

    Rules: 7.8a, E.5a, E.5b, 9.6a
    """
    if isinstance(decision, Build):
        return build(s, power, book, decision)
    if isinstance(decision, Research):
        if not introduced(s, "E"):
            raise IllegalDecision("Weapons are not researched in this scenario.", "E.5a")
        if not current_group(s, power, book.drawn):
            raise IllegalDecision("There is nothing left to research.", "7.8.res-b")
        return _spend_one(s, power, book, decision.oil)
    if isinstance(decision, DevelopBomb):
        if book.bomb < 1 or book.bomb_developed:
            raise IllegalDecision("There is no A-Bomb to develop now.", "7.8.abomb-c")
        if book.bomb <= s.facts.numbers.bomb_lowest_box:
            raise IllegalDecision("The A-Bomb is in the lowest box.", "7.8.abomb-c")
        book = _spend_one(s, power, book, decision.oil)
        return replace(book, bomb=book.bomb - 1, bomb_developed=True)
    if isinstance(decision, TestBomb):
        if book.bomb < 1 or book.bomb_tested:
            raise IllegalDecision("There is no A-Bomb to test now.", "7.8.abomb-d")
        return replace(_spend_one(s, power, book, decision.oil), bomb_tested=True)
    if isinstance(decision, Sabotage):
        if not s.options["sabotage"]:
            raise IllegalDecision("Sabotage is an option that is not in use.", "9.6a")
        if decision.victim not in _rivals(s, power):
            raise IllegalDecision("That is no enemy power.", "9.6a")
        if any(victim == decision.victim for victim, _ in book.sabotaged):
            raise IllegalDecision("Each enemy is sabotaged once a turn.", "9.6a")
        return _spend_one(s, power, book, decision.oil)
    if isinstance(decision, Command):
        if book.commander is not None:
            raise IllegalDecision("One commander is placed each turn.", "9.5b")
        check_placement(s, power, decision.commander, decision.at, decision.unit)
        return replace(book, commander=(decision.commander, decision.at, decision.unit))
    if isinstance(decision, Scrap):
        return _scrap(s, power, book, decision)
    due = [c for c in book.duties if _duty(s, power, book, c) is not None]
    if due:
        raise IllegalDecision(
            "Every country with Resources spends one of them on its own units first. Not yet done: "
            f"{', '.join(s.facts.names[country] for country in due)}.",
            "9.3a",
        )
    return replace(book, done=True)


def _rivals(s: State, power: str) -> list[str]:
    side = side_of(s, power)
    return [other for other in s.scenario.powers if other in s.books and side_of(s, other) != side]


def _order(book: Book, id: str) -> Order | None:
    return next((order for order in book.orders if order.unit == id), None)


def _size(s: State, book: Book, id: str) -> int:
    """The Size that a unit has with what is ordered; 0 in the Force Pool."""
    order = _order(book, id)
    if order is not None:
        return order.size
    return s.units[id].size if id in s.units else 0


def _pool(s: State, power: str, book: Book) -> tuple[str, ...]:
    """The Force Pool with what research and a test have brought this turn.

    Rules: 7.8.res-b, 7.8.abomb-a, 7.8.abomb-e
    """
    found = (*s.pool[power], *_usable(s, power, book))
    if book.bomb == 0 and s.bombs.get(power) != 0:
        found = (*found, bomb_of(s, power))
    return found


def _usable(s: State, power: str, book: Book) -> tuple[str, ...]:
    return tuple(
        counter
        for counter in book.drawn
        if destination(s, power, counter) == power and not is_bomb(s, counter)
    )


def is_bomb(s: State, counter: str) -> bool:
    return s.facts.kinds[small_name(counter)].type == "ABOMB"


def bomb_of(s: State, power: str) -> str:
    """A power's A-Bomb."""
    members = (power, *s.facts.powers[power].members)
    groups = s.scenario.groups.get(power) or s.facts.weapons[power].groups
    return next(
        counter
        for group in groups
        for counter in group
        if is_bomb(s, counter) and s.facts.kinds[counter].power in members
    )


def build(s: State, power: str, book: Book, wanted: Build) -> Book:
    """The book with a unit's order, paid for; IllegalDecision if it cannot be built.

    Rules: 7.8.build-a, 7.8.build-b, 7.8.build-c, 7.8.build-d, 7.8.build-e, 7.8.build-g, B.7a,
        C.7a, D.10a, D.10b
    """
    id = wanted.unit
    if id not in s.facts.kinds:
        raise IllegalDecision(f"There is no unit {s.facts.name(id)!r}.", "7.8.build-a")
    name = s.facts.names[id]
    unit, order = s.units.get(id), _order(book, id)
    now = _size(s, book, id)
    at, port = wanted.at, wanted.port
    if unit is not None:
        if unit.power != power:
            raise IllegalDecision(f"{name} is not yours.", "7.8.build-a")
        if order is not None and order.size < unit.size:
            raise IllegalDecision(f"{name} is to be reduced.", "7.8.end-b")
        if not in_supply(s, id, building=True):
            raise IllegalDecision(f"{name} is out of supply.", "7.8.build-b")
        if at or port:
            raise IllegalDecision(f"{name} is on the map already.", "7.8.build-e")
        at, port = unit.at, unit.port
    elif order is not None:
        if (at, port) not in (("", ""), (order.at, order.port)):
            raise IllegalDecision(f"{name} has its place already.", "7.8.build-e")
        at, port = order.at, order.port
    else:
        if id not in _pool(s, power, book):
            raise IllegalDecision(f"{name} is not in your Force Pool.", "7.8.build-a")
        check_place(s, power, id, at, port)
    if wanted.size <= now:
        raise IllegalDecision(f"{name} is of Size {now} already.", "7.8.build-a")
    if wanted.size > biggest(s, power, id, _usable(s, power, book)):
        raise IllegalDecision(f"{name} cannot become that big now.", "7.8.build-d")
    check_room(s, book, id, wanted.size, at, port)
    orders = tuple(sorted((*(o for o in book.orders if o.unit != id), _to(wanted, at, port, unit))))
    free = (
        s.facts.kinds[id].type == "GAR"
        and unit is None
        and order is None
        and book.free_gar
        and book.free_unit in ("", id)
    )
    if free:
        return replace(book, orders=orders, free_gar=False)
    return replace(_pay_for(s, power, book, id, at, wanted.size - now, wanted.oil), orders=orders)


def _to(wanted: Build, at: str, port: str, unit: object) -> Order:
    return Order(wanted.unit, wanted.size) if unit else Order(wanted.unit, wanted.size, at, port)


def home_areas(s: State, id: str) -> tuple[str, ...]:
    """The land areas of the country in which a unit appears, in some scenarios not its own.

    Rules: 1.2a, 7.8.build-e, B.7d, D.wa-c
    """
    kind, arrival = s.facts.kinds[id], s.scenario.own.get("arrival", {})
    return areas_of(s, arrival.get(kind.power) or arrival.get(kind.home) or kind.home)


def _places(s: State, power: str, id: str) -> tuple[str, ...]:
    """Where a unit from the Force Pool may perhaps be placed."""
    if s.facts.kinds[id].type == "FORT":
        return tuple(area for area, holder in s.control.items() if holder == power)
    return home_areas(s, id)


def check_place(s: State, power: str, id: str, at: str, port: str) -> None:
    """Raise IllegalDecision if a unit from the Force Pool cannot be placed there, room apart.

    Rules: 7.8.build-e, 7.8.build-f, 7.8.abomb-e, B.7d, D.10b, 9.2r
    """
    kind, name = s.facts.kinds[id], s.facts.names[id]
    if at not in s.control:
        raise IllegalDecision(f"{s.facts.name(at)!r} is no land area in play.", "7.8.build-e")
    if nation_of(s, id) in s.conquered:
        raise IllegalDecision(f"The home country of {name} is conquered.", "3.4.conq-e")
    if kind.type == "FORT":
        if s.control[at] != power or not reaches(s, power, at, building=True):
            raise IllegalDecision(
                f"{name} appears in a land area of yours with a supply line.", "7.8.build-f"
            )
        closed = closed_for(s, power, kind.home, at)
        if closed is not None:
            raise IllegalDecision(*closed)
        if id == "usa_corregidor" and "road_to_war" in s.flags and at != "manila":
            raise IllegalDecision("Corregidor is built in Manila only.", "9.2r")
    elif at not in home_areas(s, id) or s.control[at] not in partners(s, power):
        raise IllegalDecision(
            f"{name} appears in a land area of its home country that you control.", "7.8.build-e"
        )
    if (s.facts.domain[id] == "naval") != bool(port) or (port and port not in s.facts.ports[at]):
        raise IllegalDecision("Ships, and only ships, appear in a port.", "7.8.build-e")


def check_room(s: State, book: Book, id: str, size: int, at: str, port: str) -> None:
    """Raise IllegalDecision if a unit of this Size has no room where it is, or is to be.

    Rules: 7.8.build-e, 1.3.island-a, 1.3.port-b
    """
    domain = s.facts.domain[id]
    if at in s.facts.seas:
        carrier = s.units[id].aboard
        if domain != "land" or not carrier:
            return
        room = s.facts.numbers.transport_size_factor * max(
            _size(s, book, carrier), s.units[carrier].size
        )
        load = sum(
            max(_size(s, book, other), s.units[other].size)
            for other in s.cargo(carrier)
            if other != id
        )
        if load + size > room:
            raise IllegalDecision("The transport cannot carry it so big.", "4.2.trs-a")
        return
    more = 0
    for order in book.orders:
        if order.unit == id or s.facts.domain[order.unit] != domain:
            continue
        unit = s.units.get(order.unit)
        if unit is None:
            more += order.size if (order.at, order.port) == (at, port) else 0
        elif (unit.at, unit.port) == (at, port):
            more += max(0, order.size - unit.size)
    refusal = full(s, at, domain, size + more, port, (id,))
    if refusal is not None:
        raise IllegalDecision(*refusal)


def _pay(book: Book, cost: int, oil: int, reserve: int) -> Book:
    """The book after spending so much, at least `oil` of it in Oil, Resources before more Oil.

    So many Resources as are in reserve for countries' own units are not touched.

    Rules: 7.8a, 9.3a
    """
    if not 0 <= oil <= cost:
        raise IllegalDecision(f"It costs {cost}: {oil} Oil cannot be spent on it.", "7.8a")
    resources = min(cost - oil, max(0, book.resources - reserve))
    if cost - resources > book.oil:
        raise IllegalDecision(
            f"It costs {cost}; you have {book.resources} Resources and {book.oil} Oil.",
            "9.3a" if reserve and cost <= book.resources + book.oil else "7.8.build-a",
        )
    left = book.resources - resources
    return replace(
        book,
        resources=left,
        oil=book.oil - cost + resources,
        passing=max(0, book.passing - resources),
    )


def _spend_one(s: State, power: str, book: Book, oil: int) -> Book:
    """The book after spending one Resource, or an Oil, on something else than a unit."""
    return _pay(book, 1, oil, _reserve(s, power, book))


def _pay_for(s: State, power: str, book: Book, id: str, at: str, cost: int, oil: int) -> Book:
    """The book after a unit has been paid for: from its country's own account first.

    Units in an isolated ally's country, and Chinese units, are paid from that alone.

    Rules: 7.6.iso-b, 7.8.china-a, 7.8.china-b, 7.4f, D.9b, D.wa-b, E.4b, E.4c, 7.8.gar-a, 9.3a
    """
    nation = nation_of(s, id)
    islands = isolated(s, power)
    spent_resource = False
    for index, account in enumerate(book.minors):
        if nation not in account.countries:
            continue
        island = next((i for i in islands if i.countries == account.countries), None)
        if island is not None and at not in island.lines and at not in s.facts.seas:
            continue
        resources = min(cost, account.resources)
        from_oil = min(cost - resources, account.oil)
        cost -= resources + from_oil
        spent_resource = resources > 0
        changed = replace(
            account, oil=account.oil - from_oil, resources=account.resources - resources
        )
        book = replace(book, minors=(*book.minors[:index], changed, *book.minors[index + 1 :]))
    if cost:
        if nation == "china" and power in CHINAS_FRIENDS:
            raise IllegalDecision(
                "Chinese units are built with China's own Resources and with what was lent to it.",
                "7.8.china-b",
            )
        if at in s.control and any(country_of(s, at) in island.countries for island in islands):
            raise IllegalDecision(
                f"{s.facts.names[at]} is isolated: no Oil or Resources get there.", "7.6.iso-b"
            )
        before = book.resources
        due = nation in book.duties and not spent_resource
        reserve = _reserve(s, power, book, nation if due else "")
        if due:
            # One Resource is its country's own, however many others are due.
            reserve = min(reserve, max(0, before - 1))
        book = _pay(book, cost, oil, reserve)
        spent_resource = spent_resource or book.resources < before
    if spent_resource and nation in book.duties:
        book = replace(book, duties=tuple(c for c in book.duties if c != nation))
    return book


def _duty(s: State, power: str, book: Book, country: str) -> Book | None:
    """The book if a Resource were spent on a unit of a country now; None if none can be.

    Rules: 9.3a, 9.3b
    """
    key = ("duty", s.turn, power, s.pool[power], book, country)
    found: tuple[Book | None] | None = s.cached(key)
    if found is None:
        found = s.keep(key, (_first_duty(s, power, book, country),))
    return found[0]


def _first_duty(s: State, power: str, book: Book, country: str) -> Book | None:
    open_ = replace(book, duties=(country,), oil=0)
    for decision in builds(s, power, open_, country):
        try:
            built = build(s, power, open_, decision)
        except IllegalDecision:
            continue
        if not built.duties:
            return built
    return None


def _reserve(s: State, power: str, book: Book, but: str = "") -> int:
    """How many Resources are due to units of countries, `but` for one, and not from accounts."""
    due = (_duty(s, power, book, country) for country in book.duties if country != but)
    return sum(built is not None and built.resources < book.resources for built in due)


def builds(s: State, power: str, book: Book, country: str = "") -> Iterator[Build]:
    """What can perhaps be built, by one Size: every unit, from the pool in every place.

    With `country`, only units of that country.
    """
    new = [id for id in _pool(s, power, book) if not id.endswith(BIG)]
    for id in sorted((*(id for id, _ in s.of(power)), *new)):
        if country and nation_of(s, id) != country:
            continue
        size = _size(s, book, id) + 1
        if id in s.units or _order(book, id) is not None:
            yield Build(id, size)
            continue
        for at in _places(s, power, id):
            ports = tuple(s.facts.ports[at]) if s.facts.domain[id] == "naval" else ("",)
            for port in ports:
                yield Build(id, size, at, port)


def _scrap(s: State, power: str, book: Book, wanted: Scrap) -> Book:
    """The book with the order to reduce or destroy an own unit.

    Rules: 7.8.end-b, D.10c, B.7e
    """
    unit = s.units.get(wanted.unit)
    if not introduced(s, "D"):
        raise IllegalDecision("Nobody destroys own units in this scenario.", "B.7e")
    if unit is None or unit.power != power:
        raise IllegalDecision("That is no unit of yours on the map.", "7.8.end-b")
    if not 0 <= wanted.size < unit.size:
        raise IllegalDecision(f"It is of Size {unit.size}.", "7.8.end-b")
    order = _order(book, wanted.unit)
    if order is not None:
        raise IllegalDecision("There is an order for that unit already.", "7.8.end-b")
    if wanted.size and s.type(wanted.unit) == "TRS":
        room = s.facts.numbers.transport_size_factor * wanted.size
        load = sum(max(_size(s, book, c), s.units[c].size) for c in s.cargo(wanted.unit))
        if load > room:
            raise IllegalDecision("It carries too much for that.", "4.2.trs-a")
    return replace(book, orders=tuple(sorted((*book.orders, Order(wanted.unit, wanted.size)))))
