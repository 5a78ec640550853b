"""Sabotage (9.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from sandtable.games.blitz.model import Book, State
from sandtable.games.blitz.rules import spend
from sandtable.games.blitz.rules.counters import current_group, small_name
from sandtable.games.blitz.rules.damage import chart_result
from sandtable.games.blitz.rules.partisans import PartisanRequest, add_partisan
from sandtable.games.blitz.rules.sides import areas_of, out_of_game
from sandtable.kernel.decisions import Decision, Request, RollLine
from sandtable.kernel.errors import IllegalDecision, passes
from sandtable.kernel.kits import ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

SPEND, GAR, DEVELOP = "spend", "gar", "develop"

_NEXT_TURN = {1: SPEND, 2: GAR, 3: DEVELOP}
"""Die rolled to what the saboteur does next turn."""


class PickCounter(Decision, frozen=True, tag="pick_counter"):
    """The counter that a sabotaged power adds first."""

    counter: str


class SabotageDevelopment(ChooseOne, frozen=True, tag="sabotage_development"):
    """Choose the first counter that another power adds to its Force Pool."""

    victim: str

    answers: ClassVar[tuple[type[Decision], ...]] = (PickCounter,)
    rule: ClassVar[str] = "9.6d"
    refusal: ClassVar[str] = "{asked} is not in the current Group of {victim}."

    def allowed(self, state: State) -> tuple[str, ...]:
        return current_group(state, self.victim)


class PickGar(Decision, frozen=True, tag="pick_gar"):
    """The GAR that a sabotaged power may build free."""

    unit: str


class SabotageGar(ChooseOne, frozen=True, tag="sabotage_gar"):
    """Choose the GAR that another power may build free."""

    victim: str

    answers: ClassVar[tuple[type[Decision], ...]] = (PickGar,)
    rule: ClassVar[str] = "9.6c"
    refusal: ClassVar[str] = "{victim} has no GAR {asked} in its Force Pool."

    def allowed(self, state: State) -> list[str]:
        return _gars(state, self.victim)


class SabotageSpending(Request, frozen=True, tag="sabotage_spending"):
    """Spend another power's first Resource on one of its units."""

    victim: str

    answers: ClassVar[tuple[type[Decision], ...]] = (spend.Build,)

    def check(self, state: State, decision: spend.Build) -> None:
        """One Size more, for one Resource.

        Rules: 9.6b
        """
        book = state.books[self.victim]
        if spend.build(state, self.victim, book, decision).resources != book.resources - 1:
            raise IllegalDecision("It is the first Resource that is spent, and no more.", "9.6b")

    def decisions(self, state: State) -> Iterator[Decision]:
        book = state.books[self.victim]
        for decision in spend.builds(state, self.victim, book):
            if passes(self.check, state, decision):
                yield decision


def _gars(s: State, power: str) -> list[str]:
    return [id for id in s.pool[power] if s.facts.kinds[small_name(id)].type == "GAR"]


def _plots(s: State, what: str) -> list[tuple[str, str]]:
    """Victims and saboteurs still in the game; against a victim, the first of them."""
    found: dict[str, str] = {}
    for saboteur, victim, kind in s.sabotage:
        if kind == what and not out_of_game(s, saboteur) and not out_of_game(s, victim):
            found.setdefault(victim, saboteur)
    return list(found.items())


def choose_developments(g: Table[State]) -> Procedure[dict[str, str]]:
    """Victim to the counter that a saboteur wants it to add first.

    Rules: 9.6d
    """
    s = g.state
    first = {}
    for victim, saboteur in _plots(s, DEVELOP):
        group = current_group(s, victim)
        if len(group) > 1:
            pick: PickCounter = yield from g.ask(SabotageDevelopment(saboteur, victim))
            group = (pick.counter,)
        if group:
            first[victim] = group[0]
            g.emit("development_sabotaged", against=victim, power=saboteur, unit=group[0])
    return first


def meddle(g: Table[State]) -> Procedure[None]:
    """Saboteurs choose free GARs, and spend a first Resource.

    Rules: 9.6b, 9.6c
    """
    s = g.state
    for victim, saboteur in _plots(s, GAR):
        gars = _gars(s, victim)
        if not gars:
            continue
        unit = gars[0]
        if len(gars) > 1:
            pick: PickGar = yield from g.ask(SabotageGar(saboteur, victim))
            unit = pick.unit
        s.books[victim] = replace(s.books[victim], free_unit=unit)
        g.emit("gar_sabotaged", against=victim, power=saboteur, unit=unit)
    for victim, saboteur in _plots(s, SPEND):
        request = SabotageSpending(saboteur, victim)
        if next(request.decisions(s), None) is None:
            continue
        order: spend.Build = yield from g.ask(request)
        s.books[victim] = spend.build(s, victim, s.books[victim], order)
        g.emit("spending_sabotaged", against=victim, power=saboteur, unit=order.unit)


def sabotage(g: Table[State], power: str, victim: str, book: Book) -> Procedure[Book]:
    """Roll for an act of sabotage; its effect comes when all have finished.

    Rules: 9.6a
    """
    lines = (RollLine(power, victim, 1, 0),)
    (die,) = yield from g.roll("sabotage", lines)
    g.emit("sabotage_rolled", to=(power,), power=power, against=victim, lines=lines, dice=(die,))
    return replace(book, sabotaged=(*book.sabotaged, (victim, die)))


def take_effect(g: Table[State], books: dict[str, Book]) -> Procedure[None]:
    """What the turn's sabotage does, once everything has been built and saved.

    Rules: 9.6b, 9.6c, 9.6d, 9.6e, 9.6f, 9.6g
    """
    s = g.state
    s.sabotage = ()
    for power, book in books.items():
        for victim, die in book.sabotaged:
            lines = (RollLine(power, victim, 1, 0),)
            g.emit("sabotaged", power=power, against=victim, lines=lines, dice=(die,))
            if die in _NEXT_TURN:
                s.sabotage = (*s.sabotage, (power, victim, _NEXT_TURN[die]))
            elif die == 4:
                yield from _raise_partisan(g, power, victim)
            else:
                yield from _burn(g, victim, die)


def _raise_partisan(g: Table[State], power: str, victim: str) -> Procedure[None]:
    """A Partisan, for next turn, in a country that the victim's side has conquered.

    Rules: 9.6e
    """
    s = g.state
    (die,) = yield from g.roll("partisans", (RollLine(power, "partisans", 1, 0),))
    country = s.facts.partisans[die].country
    if country not in s.allied or s.conquered.get(country) != s.facts.side[victim]:
        return
    areas = tuple(
        area
        for area in areas_of(s, country)
        if s.control[area] == victim
        and s.facts.lands[area].oil + s.facts.lands[area].resource > s.partisans.count(area)
    )
    if not areas:
        return
    answers = yield from g.offer([PartisanRequest(power, areas, True)])
    for answer in answers.values():
        add_partisan(g, answer.area, power)


def _burn(g: Table[State], victim: str, die: int) -> Procedure[None]:
    """Saved Oil, or saved Resources, burn.

    Rules: 9.6f, 9.6g
    """
    s = g.state
    numbers = s.facts.numbers
    store, factors = (
        (s.oil, numbers.sabotage_oil_factors)
        if die == 5
        else (s.resources, numbers.sabotage_resource_factors)
    )
    if store[victim] == 0:
        return
    (die,) = yield from g.roll("sabotage_damage", (RollLine("", victim, 1, 0),))
    points = min(chart_result(s, factors, die)[0], store[victim])
    store[victim] -= points
    g.emit("stores_burnt", power=victim, oil=store is s.oil, points=points)
