"""Oil and Resources of the turn (7.5-7.7)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import ClassVar, NamedTuple

from msgspec.structs import replace

from sandtable.games.blitz.model import Account, Book, State
from sandtable.games.blitz.rules.convoys import convoy_destroyed
from sandtable.games.blitz.rules.sides import (
    areas_of,
    country_of,
    friendly,
    introduced,
    out_of_game,
)
from sandtable.games.blitz.rules.supply import lines
from sandtable.games.blitz.rules.trade import delivered, end_by_war
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

_DOMINIONS = ("australia", "canada", "india", "south_africa")

CHINAS_FRIENDS = ("usa", "western_allies")
"""The powers whose Resources in China are China's own."""


class Goods(NamedTuple):
    """Oil and Resources."""

    oil: int = 0
    resources: int = 0

    def plus(self, other: Goods) -> Goods:
        """Both together."""
        return Goods(self.oil + other.oil, self.resources + other.resources)

    def less(self, points: int) -> Goods:
        """What damage leaves: it takes Resources first, then Oil."""
        resources = max(0, self.resources - points)
        return Goods(max(0, self.oil - max(0, points - self.resources)), resources)


class Island(NamedTuple):
    """Allied countries that are cut off from their power but not from each other."""

    countries: tuple[str, ...]
    lines: frozenset[str]
    """The areas that they can reach."""


class Keep(Decision, frozen=True, tag="keep"):
    """How much of the turn's goods to keep; of the accounts in their order."""

    oil: int
    resources: int
    minors: tuple[int, ...] = ()


class KeepRequest(Request, frozen=True, tag="keep_goods"):
    """A power that is kept from the war can use only so much: choose what."""

    limit: int
    oil: int
    resources: int
    minors: tuple[int, ...]
    """The goods of each account."""
    countries: tuple[tuple[str, ...], ...]
    """Whose accounts they are."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Keep,)

    def check(self, state: State, decision: Keep) -> None:
        """Exactly as much as the limit, and no more of anything than there is.

        Rules: 7.7a, 7.7c, 7.8.china-c
        """
        kept = (decision.oil, decision.resources, *decision.minors)
        there = (self.oil, self.resources, *self.minors)
        if len(kept) != len(there) or any(
            not 0 <= n <= most for n, most in zip(kept, there, strict=True)
        ):
            raise IllegalDecision("Nobody can keep what is not there.", "7.7a")
        if sum(kept) != self.limit:
            raise IllegalDecision(f"{self.limit} are kept, not {sum(kept)}.", "7.7a")

    def decisions(self, state: State) -> Iterator[Keep]:
        def split(there: tuple[int, ...], left: int) -> Iterator[tuple[int, ...]]:
            if not there:
                if left == 0:
                    yield ()
                return
            for first in range(min(there[0], left), -1, -1):
                for rest in split(there[1:], left - first):
                    yield (first, *rest)

        for oil, resources, *minors in split((self.oil, self.resources, *self.minors), self.limit):
            yield Keep(oil, resources, tuple(minors))

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        kept = [0] * (2 + len(self.minors))
        there = [
            i for i, n in enumerate((self.oil, self.resources, *self.minors)) for _ in range(n)
        ]
        for index in rng.sample(there, self.limit):
            kept[index] += 1
        yield Keep(kept[0], kept[1], tuple(kept[2:]))


# --- where goods are and whom they reach ---------------------------------------------------------


def core_homes(s: State, power: str) -> tuple[str, ...]:
    """The home countries to which a power's goods have to come.

    The AFA's are France and Great Britain, or whatever is home to British units instead.

    Rules: 7.6a, 7.6d
    """
    homes = [home for home in s.facts.homes[power] if home not in _DOMINIONS]
    if "great_britain" in homes and "great_britain" in s.conquered:
        homes.append(s.new_home.get("great_britain", ""))
    return tuple(home for home in homes if home and home not in s.conquered)


def main_lines(s: State, power: str) -> frozenset[str]:
    """The areas from which goods come to a power's core home countries.

    Rules: 1.7b, 7.6a, E.4a
    """
    found: frozenset[str] | None = s.cached(("income", power))
    if found is None:
        areas = [
            area
            for home in core_homes(s, power)
            for area in areas_of(s, home)
            if friendly(s, area, power)
        ]
        if s.facts.side[power] == "allies":
            for home in s.scenario.own.get("supply_from", ()):
                areas += [a for a in s.facts.countries[home].areas if a not in s.control]
        found = s.keep(("income", power), lines(s, power, areas, across_neutrals=True))
    return found


def isolated(s: State, power: str) -> tuple[Island, ...]:
    """The allied countries that a power's supply does not reach, those connected together.

    China is a case of its own.

    Rules: 7.6.iso-a, 7.6.iso-b, D.9b, E.4b
    """
    found: tuple[Island, ...] | None = s.cached(("isolated", power))
    if found is not None:
        return found
    if not introduced(s, "D"):
        return s.keep(("isolated", power), ())  # type: ignore[no-any-return]
    reached, core = main_lines(s, power), core_homes(s, power)
    islands: list[Island] = []
    for country, ally in s.allied.items():
        if ally != power or country in s.conquered or country in core:
            continue
        areas = [area for area in areas_of(s, country) if friendly(s, area, power)]
        if not areas or not reached.isdisjoint(areas) or _is_china(power, country):
            continue
        for index, island in enumerate(islands):
            if not island.lines.isdisjoint(areas):
                islands[index] = island._replace(countries=(*island.countries, country))
                break
        else:
            islands.append(Island((country,), lines(s, power, areas, across_neutrals=True)))
    return s.keep(("isolated", power), tuple(islands))  # type: ignore[no-any-return]


def _is_china(power: str, country: str) -> bool:
    return country == "china" and power in CHINAS_FRIENDS


def goods_in(s: State, area: str) -> Goods:
    """The Oil and Resources of an area that Partisans leave; they take a Resource first.

    Rules: 7.1f, 7.6b, F.4a, errata.afa-poland-resource, errata.ger-france-resources,
        errata.ussr-near-east-oil
    """
    land = s.facts.lands[area]
    return Goods(land.oil, land.resource).less(s.partisans.count(area))


def _sum(s: State, areas: Iterable[str]) -> Goods:
    total = Goods()
    lands = s.facts.lands
    for area in areas:
        if lands[area].oil or lands[area].resource:
            total = total.plus(goods_in(s, area))
    return total


def _held(s: State, power: str) -> list[str]:
    """The areas of a power, but for those in a friendly China."""
    return [
        area
        for area, holder in s.control.items()
        if holder == power and not _is_china(power, country_of(s, area))
    ]


def own_goods(s: State, power: str) -> Goods:
    """What a power has of its own: from outside, less damage of convoys, and from home.

    Rules: 7.6a, 7.6b, 7.6c, 7.6d, B.7b, B.7c, C.7a, C.8a, D.wa-a, D.9a, E.econ-a, E.4a, F.econ-a
    """
    own = s.scenario.own
    fixed = own.get("income", {}).get(power)
    if fixed is not None:
        less = own.get("less_after_italy", {})
        lost = less["resources"] if _italy_lost(s) and less.get("power") == power else 0
        return Goods(fixed["oil"], fixed["resources"] - lost)
    if not introduced(s, "D"):
        extra = own.get("extra_resources", {}).get(power, 0)
        return _sum(s, _held(s, power)).plus(Goods(0, extra))
    core, reached, held = core_homes(s, power), main_lines(s, power), _held(s, power)
    abroad = [area for area in held if country_of(s, area) not in core and area in reached]
    at_home = [area for area in held if country_of(s, area) in core]
    return _sum(s, abroad).less(_convoy_losses(s, power)).plus(_sum(s, at_home))


def _italy_lost(s: State) -> bool:
    turn = s.scenario.own.get("italy_falls_on")
    return turn is not None and s.turn >= turn


def _convoy_losses(s: State, power: str) -> int:
    """The damage of a power's convoys that are not Destroyed.

    Rules: 7.6c, E.4a
    """
    if not introduced(s, "E"):
        return 0
    members = (power, *s.facts.powers[power].members)
    return sum(
        damage
        for sea, damage in s.convoy_damage.items()
        if s.facts.convoys[sea].power in members and not convoy_destroyed(s, sea)
    )


def traded(s: State, power: str) -> Goods:
    """What trade agreements bring a power, and what they take from it.

    A power without Oil of its own gives none.

    Rules: 7.5a, 7.5b, 7.6e, F.6a
    """
    oil = resources = 0
    for name in s.trades:
        trade = s.facts.trade[name]
        if power not in (trade.to, trade.power) or not delivered(s, name):
            continue
        if trade.power and own_goods(s, trade.power).oil == 0:
            continue
        sign = 1 if trade.to == power else -1
        if trade.gives == "oil":
            oil += sign
        else:
            resources += sign
    return Goods(oil, resources)


def extras(s: State, power: str) -> Goods:
    """What a scenario gives a power from areas that are not in play, or takes for a second front.

    Rules: E.econ-d, F.japan-b, D.front-a
    """
    own = s.scenario.own
    oil = resources = 0
    growing = own.get("growing_resources")
    if growing is not None and growing["power"] == power:
        resources += growing["more"] * max(0, s.turn - growing["from_turn"] + 1)
    until = own.get("extra_until_japan")
    if until is not None and until["power"] == power and "japan_at_war" not in s.flags:
        oil, resources = oil + until["oil"], resources + until["resources"]
    front = own.get("second_front")
    if front is not None and power == "germany":
        turns = max(0, s.turn - front["from_turn"] + 1)
        resources -= min(front["most"], front["per_turn"] * turns)
    return Goods(oil, resources)


def before_lend_lease(s: State, power: str) -> Goods:
    """What a power has before it gives or gets lend lease: at most this can be lent.

    Rules: 7.6e
    """
    total = own_goods(s, power).plus(traded(s, power)).plus(extras(s, power))
    return Goods(max(0, total.oil), max(0, total.resources))


def lent(s: State, giver: str, recipient: str) -> Goods:
    """What one power lent another, or China, this turn."""
    return Goods(
        s.deeds.get(f"lent_oil:{giver}:{recipient}", 0),
        s.deeds.get(f"lent_resources:{giver}:{recipient}", 0),
    )


def income_of(s: State, power: str) -> Goods:
    """What a power gets this turn, but for the accounts of isolated allies and of China.

    Rules: 7.6e, 7.6f, 7.6g, D.9a
    """
    total = before_lend_lease(s, power)
    for other in s.scenario.powers:
        given, got = lent(s, power, other), lent(s, other, power)
        total = Goods(
            total.oil - given.oil + got.oil, total.resources - given.resources + got.resources
        )
    total = total._replace(resources=total.resources - lent(s, power, "china").resources)
    reached, islands = main_lines(s, power), isolated(s, power)
    cut_off = frozenset(area for island in islands for area in island.lines) - reached
    factories = [area for area in _held(s, power) if area not in cut_off]
    return total.less(_factory_losses(s, factories))


def _factory_losses(s: State, areas: Iterable[str]) -> int:
    return sum(s.factory_damage.get(area, 0) for area in areas)


def accounts(s: State, power: str) -> tuple[Account, ...]:
    """The goods that only isolated allies, or China, can use.

    Rules: 7.6.iso-a, 7.6.iso-b, D.9b, D.wa-b, E.4b
    """
    found = []
    reached, held = main_lines(s, power), _held(s, power)
    fixed = power in s.scenario.own.get("income", {})
    only = s.scenario.own.get("own_account", "")
    for island in isolated(s, power):
        areas = [area for area in held if area in island.lines and area not in reached]
        if fixed:
            areas = [area for area in areas if country_of(s, area) == only]
        goods = _sum(s, areas).less(_factory_losses(s, areas))
        found.append(Account(island.countries, *goods))
    if fixed and only and not any(only in account.countries for account in found):
        areas = [area for area in held if country_of(s, area) == only]
        found.append(Account((only,), *_sum(s, areas)))
    return tuple(account for account in found if account.oil + account.resources)


def chinese_goods(s: State, power: str) -> int:
    """The Resources in China that can be used: where a Chinese land unit is, less Factory damage.

    Rules: 7.8.china-a, 7.8.china-d, E.econ-b, E.4c
    """
    return max(0, _chinese_resources(s, power) - _chinese_damage(s, power))


def _chinese_areas(s: State, power: str) -> list[str]:
    if power not in CHINAS_FRIENDS or "china" not in s.allied:
        return []
    return [area for area in areas_of(s, "china") if s.control[area] == power]


def _chinese_resources(s: State, power: str) -> int:
    return _sum(
        s,
        (
            area
            for area in _chinese_areas(s, power)
            if any(
                s.facts.kinds[id].home == "china" and s.domain(id) == "land"
                for id in s.units_at(area)
            )
        ),
    ).resources


def _chinese_damage(s: State, power: str) -> int:
    return min(_factory_losses(s, _chinese_areas(s, power)), _chinese_resources(s, power))


# --- the step ------------------------------------------------------------------------------------


def determine_income(g: Table[State]) -> Procedure[None]:
    """Open the books of all powers with what they saved and what they get this turn.

    Rules: 1.9a, 7.6a, 7.6b, 7.6c, 7.6d, 7.6e, 7.6f, 7.6g, 7.7a, 7.7b, 7.7c
    """
    s = g.state
    g.checkpoint(strict=True)
    end_by_war(s)
    powers = [power for power in s.scenario.powers if not out_of_game(s, power)]
    books: dict[str, Book] = {}
    keeps: dict[str, Keep] = {}
    requests = []
    for power in powers:
        goods = income_of(s, power)
        s.count(f"goods:{power}", sum(goods))
        minors = accounts(s, power)
        china = chinese_goods(s, power)
        if china:
            minors = (*minors, Account(("china",), 0, china))
        g.emit("income", power=power, oil=goods.oil, resources=goods.resources)
        books[power] = Book(*goods, minors=minors)
        request = _limited(s, power, books[power])
        if request is not None:
            first, *others = islice(request.decisions(s), 2)
            if others:
                requests.append(request)
            else:
                keeps[power] = first
    keeps |= yield from g.ask_all(requests)
    for power, keep in keeps.items():
        books[power] = _keep(books[power], keep)
        g.emit("goods_lost", power=power, kept=sum((keep.oil, keep.resources, *keep.minors)))
    for power in powers:
        s.books[power] = open_book(s, power, books[power])
    _tidy(s)


def limit(s: State, power: str) -> int | None:
    """How much a power may use of this turn's goods; None if there is no limit.

    What it lent is used already, and so is what makes good the damage of Factories in China.

    Rules: 7.7a, 7.7b, 7.8.china-d, F.7a
    """
    if power not in s.entry:
        return None
    used = sum(sum(lent(s, power, other)) for other in (*s.scenario.powers, "china"))
    return max(0, s.entry[power] - used - _chinese_damage(s, power))


def _limited(s: State, power: str, book: Book) -> KeepRequest | None:
    """The question what to keep, if there is more than may be used."""
    most = limit(s, power)
    minors = tuple(account.oil + account.resources for account in book.minors)
    if most is None or book.oil + book.resources + sum(minors) <= most:
        return None
    countries = tuple(account.countries for account in book.minors)
    return KeepRequest(power, most, book.oil, book.resources, minors, countries)


def _keep(book: Book, keep: Keep) -> Book:
    """The book with what is kept; of an account, Oil is lost first."""
    minors = []
    for account, kept in zip(book.minors, keep.minors, strict=True):
        resources = min(kept, account.resources)
        minors.append(replace(account, oil=kept - resources, resources=resources))
    return replace(book, oil=keep.oil, resources=keep.resources, minors=tuple(minors))


def open_book(s: State, power: str, book: Book) -> Book:
    """The book with what was saved, what China was lent, and what has to be built first.

    Rules: 7.6g, 7.4f, 9.3a
    """
    minors = book.minors
    to_china = lent(s, power, "china").resources
    if to_china:
        here = next((a.resources for a in minors if a.countries == ("china",)), 0)
        others = tuple(a for a in minors if a.countries != ("china",))
        minors = (*others, Account(("china",), 0, here + to_china))
    return replace(
        book,
        oil=book.oil + s.oil[power],
        resources=book.resources + s.resources[power],
        minors=minors,
        free_gar=introduced(s, "D"),
        bomb=s.bombs.get(power, -1),
        duties=_duties(s, power) if s.options["minor_ally_builds"] else (),
    )


def _duties(s: State, power: str) -> tuple[str, ...]:
    """The countries of a power with Resources that it controls in their territory.

    Rules: 9.3a
    """
    return tuple(
        country
        for country, ally in s.allied.items()
        if ally == power
        and country not in s.conquered
        and any(s.control[a] == power and goods_in(s, a).resources for a in areas_of(s, country))
    )


def _tidy(s: State) -> None:
    """Remove the Partisans and the damage that have had their effect.

    Rules: 7.1f, 7.6b, 7.6c, 7.6f
    """
    s.partisans = ()
    s.factory_damage = {}
    if introduced(s, "D"):
        for sea, damage in s.convoy_damage.items():
            s.count(f"convoy_damage:{sea}", damage)
        s.set_convoy_damage({})
    s.forget()
