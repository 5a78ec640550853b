"""Battles in words: forces, dice and answers, run through the rules of combat alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from unittest import mock

from sandtable.games.gw36.facts import load_facts, pair
from sandtable.games.gw36.model import Facility, State, Unit
from sandtable.games.gw36.rules import combat, consequences
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.ruleset import Event
from sandtable.kernel.table import Table

FACTS = load_facts()

SWITCHES = [
    "mountains",
    "deserts",
    "jungles",
    "marshes",
    "rivers",
    "tundra",
    "canal_combat",
    "himalayan_hump",
    "variable_end",
    "national_objectives",
    "damaging_construction",
    "carrier_retreat",
    "screening",
    "surface_raiders",
    "mines",
    "raiding_aircraft",
    "captured_bases",
    "rail_gauge",
    "motorized_upgrade",
    "chinese_evolution",
    "suez_reroute",
    "advanced_carriers",
    "slovakian_resistance",
    "alternate_damage",
    "forcing_straits",
    "advanced_escort",
    "ships_under_construction",
    "early_fighters",
    "strategic_naval",
    "bombing_canals",
    "minors_to_italy_and_france",
]

Force = Mapping[str, Any]
"""Type to number, or to units."""


def position(
    *,
    turn: str = "germany",
    wars: Iterable[tuple[str, str]] = (("germany", "france"),),
    on: Iterable[str] = (),
    date: int = 3880,
    **fields: Any,
) -> State:
    """An empty board as it is owned in 1936, at war."""
    options: dict[str, Any] = dict.fromkeys(SWITCHES, None)
    options |= {"scenario": "1936", "rules": "basic"} | dict.fromkeys(on, True)
    slot = next(i for i, group in enumerate(FACTS.order) if turn in group)
    s = State(FACTS, options, date=date, slot=slot, phase="combat")
    s.possession.update(FACTS.scenarios["1936"].owners)
    s.possession.update(fields.pop("possession", {}))
    s.start_possession = dict(s.possession)
    s.wars = frozenset(pair(*war) for war in wars)
    s.railways.update(FACTS.railways)
    for name, value in fields.items():
        setattr(s, name, value)
    return s


def place(s: State, zone: str, nation: str, force: Force, **attributes: Any) -> None:
    """Put units on the board."""
    for type_, what in force.items():
        if isinstance(what, int):
            s.put(zone, Unit(nation, type_, **attributes), what)
        else:
            for unit in what if isinstance(what, list) else [what]:
                s.put(zone, unit._replace(**attributes))


def fortify(s: State, zone: str, against: str, type_: str = "fortification") -> None:
    """Build something on a border."""
    s.facilities[zone] = tuple(sorted((*s.facilities.get(zone, ()), Facility(type_, against))))


class Fight:
    """A combat phase with chosen dice and answers; it ends when no combat is left."""

    def __init__(
        self,
        s: State,
        dice: Iterable[int] = (),
        answers: Iterable[Decision | Callable[[Request], Decision]] = (),
        *,
        until: str = "",
    ) -> None:
        self.s = s
        self.dice = list(dice)
        self.answers = list(answers)
        self.asked: list[Request] = []
        self.rolls: list[tuple[str, tuple[Any, ...], tuple[int, ...]]] = []
        self.events: list[Event] = []
        self.until = until
        table: Table[State] = Table(s, self._draw, self.events.append, lambda strict: None)
        with mock.patch.object(
            consequences, "followers", lambda kind: ()
        ):  # only the combat itself
            self._run(combat.phase(table))

    def _draw(self, kind: str, lines: Any, count: int, sides: int) -> tuple[int, ...]:
        assert len(self.dice) >= count, f"no dice left for {kind}: {lines}"
        faces, self.dice = tuple(self.dice[:count]), self.dice[count:]
        self.rolls.append((kind, lines, faces))
        return faces

    def _run(self, procedure: Any) -> None:
        answers = None
        while True:
            try:
                asked = procedure.send(answers)
            except StopIteration:
                assert not self.dice, f"dice left: {self.dice}"
                assert not self.answers, f"answers left: {self.answers}"
                return
            answers = {}
            for request in asked.requests:
                self.asked.append(request)
                if request.kind == self.until and not self.answers:
                    return
                answers[request.power] = self._answer(request)

    def _answer(self, request: Request) -> Decision:
        usual = _usual(request)
        if usual is not None and (
            not self.answers
            or callable(self.answers[0])
            or type(self.answers[0]) not in request.answers
        ):
            return usual
        assert self.answers, f"not answered: {request}"
        answer = self.answers.pop(0)
        decision = answer(request) if callable(answer) else answer
        request.check(self.s, decision)
        return decision

    def values(self, side: str, round_: int = 1) -> dict[str, list[tuple[int, int]]]:
        """Type to count and value of the lines that a side rolled, in order."""
        found: dict[str, list[tuple[int, int]]] = {}
        for kind, lines, _ in self.rolls:
            if kind == side:
                for line in lines:
                    found.setdefault(line.type, []).append((line.count, line.value))
        return found

    def units(self, zone: str, nation: str) -> dict[str, int]:
        """The types and numbers of a nation's units in a zone."""
        found: dict[str, int] = {}
        for unit, count in self.s.stack(zone).items():
            if unit.nation == nation:
                found[unit.type] = found.get(unit.type, 0) + count
        return found


def _usual(request: Request) -> Decision | None:
    """What is answered where a test says nothing: fire with everything, fight on, stay."""
    from sandtable.games.gw36.rules.blitz import Halt, MayBlitz
    from sandtable.games.gw36.rules.bombing import Intercept, MayIntercept
    from sandtable.games.gw36.rules.retreat import Dive, MayDive, Press, RetreatOrPress
    from sandtable.games.gw36.rules.rounds import ChooseFire, FireAll

    usual: dict[type[Request], Decision] = {
        ChooseFire: FireAll(),
        RetreatOrPress: Press(),
        MayDive: Dive(),
        MayBlitz: Halt(),
        MayIntercept: Intercept(),
    }
    return usual.get(type(request))


def attack(
    attackers: Force,
    defenders: Force,
    dice: Iterable[int],
    answers: Iterable[Any] = (),
    *,
    zone: str = "normandy",
    origin: str = "picardy",
    attacker: str = "germany",
    defender: str = "france",
    until: str = "",
    **fields: Any,
) -> Fight:
    """A land battle, for a zone without terrain and across no river unless another is named."""
    fields.setdefault("wars", ((attacker, defender),))
    s = position(turn=attacker, **fields)
    s.possession[zone] = defender
    s.possession[origin] = attacker
    place(s, zone, attacker, attackers, duty="attack", origin=origin)
    place(s, zone, defender, defenders)
    s.planned = ((zone, "land"),)
    return Fight(s, dice, answers, until=until)


def sea_fight(
    attackers: Force,
    defenders: Force,
    dice: Iterable[int],
    answers: Iterable[Any] = (),
    *,
    zone: str = "sz_025",
    origin: str = "sz_026",
    attacker: str = "germany",
    defender: str = "great_britain",
    until: str = "",
    **fields: Any,
) -> Fight:
    """A naval battle."""
    fields.setdefault("wars", ((attacker, defender),))
    s = position(turn=attacker, **fields)
    place(s, zone, attacker, attackers, duty="attack", origin=origin)
    place(s, zone, defender, defenders)
    s.planned = ((zone, "naval"),)
    return Fight(s, dice, answers, until=until)
