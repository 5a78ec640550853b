"""How answers are typed and things are told in Blitz!"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace
from rich.markup import escape

from sandtable.cli import form
from sandtable.cli.blitz import scenery
from sandtable.cli.blitz.lexicon import Lexicon, parts
from sandtable.cli.errors import Unclear
from sandtable.cli.grammar import LISTED, Grammar
from sandtable.cli.names import simple
from sandtable.games.blitz import words
from sandtable.games.blitz.model import BIG, State
from sandtable.games.blitz.rules.land_combat import AnnounceAttack, Defend, ResolveAttack
from sandtable.games.blitz.rules.move_land import Claim, March
from sandtable.games.blitz.rules.move_to_sea import Sail
from sandtable.games.blitz.rules.movement import air_range
from sandtable.games.blitz.rules.spend import Build, DoneSpending
from sandtable.games.blitz.rules.steps import Done, StepRequest, Wait
from sandtable.kernel.decisions import Decision, Pass, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Event

_DONE = {"done", "end", "nothing", "finish", "finished", "none", "no more"}
_PASS = {"pass", "no", "n", "nothing", "none", "done"}
_WORDS = {"yes": True, "y": True, "no": False, "n": False, "true": True, "false": False}


class Verb(NamedTuple):
    """How a kind of decision is typed: a verb, what stands behind it, and small words."""

    words: tuple[str, ...]
    main: str = ""
    clauses: dict[str, str] = {}
    """Small word to field."""


VERBS = {
    "declare_war": Verb(("declare war on", "declare on", "declare war", "declare"), "on"),
    "rebase": Verb(
        ("rebase", "move", "fly"), "unit", {"to": "to", "in": "port", "carrying": "load"}
    ),
    "march": Verb(("move", "march"), "unit"),
    "claim": Verb(("claim", "move"), "unit"),
    "land": Verb(("land", "move"), "unit", {"in": "to", "to": "to"}),
    "return": Verb(("return", "move"), "unit", {"to": "to", "in": "port"}),
    "sail": Verb(("sail", "move"), "unit"),
    "attack": Verb(("attack",), "target"),
    "defend": Verb(("defend",), "joins"),
    "resolve": Verb(("fight", "resolve"), "attack"),
    "fly": Verb(("fly", "move"), "unit", {"to": "to"}),
    "damage": Verb(("damage", "hit"), "unit"),
    "withdraw": Verb(("withdraw", "return"), "unit"),
    "pick": Verb(("pick",), "units"),
    "retreat": Verb(("retreat to", "retreat"), "to"),
    "fight_at": Verb(("fight in", "fight at", "fight"), "sea"),
    "announce_blitz": Verb(("announce", "blitz"), "blitz"),
    "develop": Verb(("develop", "add"), "add", {"removing": "remove"}),
    "build": Verb(("build", "repair"), "unit"),
    "done_spending": Verb(("done",)),
    "place": Verb(("place in", "place"), "at", {"port": "port"}),
    "command": Verb(("command", "send"), "commander", {"at": "at", "to": "at", "leading": "unit"}),
    "give_up": Verb(("give up",), "sizes"),
    "place_partisan": Verb(("place partisan in", "place"), "area"),
    "fly_in": Verb(("fly in", "send", "fly"), "units"),
}
"""Kinds that are typed otherwise than by their own name and the names of their fields."""

_AREAS = {"to", "at", "area", "sea", "port", "path"}
_UNITS = {"unit", "units", "sizes", "load", "flying", "counter", "add", "remove"}
_STATES = {"on", "country", "victim"}
_RAW = {"blitz", "option"}


class Blitz(Grammar):
    """The conversation of Blitz!"""

    @property
    def newcomer(self) -> str:
        return self.s.scenario.powers[0]

    def seats(self, powers: tuple[str, ...]) -> tuple[str, ...]:
        """The powers in play; one that is played as a part of another stands for that."""
        s = self.s
        chosen = tuple(
            power
            for power in s.scenario.powers
            if power in powers or set(s.facts.powers[power].members) & set(powers)
        )
        if powers and not chosen:
            known = ", ".join(s.scenario.powers)
            raise Unclear(f"Scenario {s.scenario_id} is played by {known}.")
        return chosen

    @property
    def s(self) -> State:
        state: State = self.game.state
        return state

    @cached_property
    def lexicon(self) -> Lexicon:
        return Lexicon(self.s.facts)

    # --- telling ---------------------------------------------------------------------------

    def power(self, power: str) -> str:
        facts = self.s.facts
        return words.short_name(facts, power) if power in facts.powers else power.title()

    def plainly(self, text: str) -> str:
        return words.in_words(self.s.facts, text)

    def turn(self, request: Request) -> str:
        s = self.s
        return request.power if s.phase in ("", "turn_end") else (s.queue or (request.power,))[0]

    def heading(self, power: str) -> str:
        return f"\n[bold]{self.power(power)}[/] [dim]· {words.moment(self.s, step=False)}[/]"

    def title(self, request: Request) -> tuple[str, str]:
        return f"{self.power(request.power)} · {words.moment(self.s)}", scenery.purse(
            self.s, request.power
        )

    def opening(self) -> str:
        return words.position(self.s)

    def prompt(self, request: Request) -> list[str]:
        return scenery.prompt(self, request)

    def help(self, request: Request) -> list[str]:
        return scenery.help_lines(self, request)

    def show(self, what: str) -> list[str]:
        return scenery.show(self.s, self.lexicon, what)

    def tell(self, events: Iterable[Event], seats: Collection[str]) -> list[str]:
        return [f"  {escape(self.sentence(event))}" for event in events if event.kind not in _MUTE]

    def words(self) -> list[str]:
        facts = self.s.facts
        names = [facts.names[id] for id in (*facts.lands, *facts.seas, *facts.kinds)]
        return sorted({word.lower() for name in names for word in name.split()})

    # --- answering -------------------------------------------------------------------------

    def default(self, request: Request) -> Decision | None:
        """A step is done; of other questions the bot's answer."""
        if isinstance(request, StepRequest):
            return Done()
        return self.game.rules.greedy(self.s, request, random.Random(0))

    def orders(self, request: Request, line: str) -> list[str]:
        return [line] if request.kind == "commit_defence" else super().orders(request, line)

    def read(self, request: Request, line: str) -> Decision:
        text = line.strip(" .").lower()
        if text.startswith("{") or text.isdigit() or re.search(r"\w=", text):
            return super().read(request, line)
        for done in (Done, DoneSpending):
            if text in _DONE and done in request.answers:
                return done()
        if text == "wait" and Wait in request.answers:
            return Wait()
        if text in _PASS and Pass() in self.game.legal(request):
            return Pass()
        answers = {form.tag(answer): answer for answer in request.answers}
        problems: dict[str, Unclear | IllegalDecision] = {}
        for kind, rest in _readings(answers, text):
            try:
                return self._decision(request, answers[kind], rest)
            except (Unclear, IllegalDecision) as error:
                problems.setdefault(kind, error)
        if problems:
            raise problems.get(self._likely(request, text)) or next(iter(problems.values()))
        if len(answers) == 1:
            ((kind, answer),) = answers.items()
            return self._decision(request, answer, text)
        return super().read(request, line)

    def _likely(self, request: Request, text: str) -> str:
        """The kind of decision that `move` stands for with the unit in a text."""
        name = re.sub(r"^\w+ | (to|in|via)\b.*", "", text)
        try:
            unit = self._name(request, "unit", name)
        except Unclear:
            return ""
        return {"naval": "sail", "air": "fly"}.get(self.s.facts.domain[unit], "march")

    def _decision(self, request: Request, answer: type[Decision], text: str) -> Decision:
        """The decision of a kind that the text behind its verb describes, if it is allowed."""
        readers: dict[type[Decision], Callable[[Any, str], Iterator[Decision]]] = {
            AnnounceAttack: self._attack,
            Defend: self._defend,
            ResolveAttack: self._resolve,
            Sail: partial(self._way, Sail),
            March: partial(self._way, March),
            Claim: partial(self._way, Claim),
            Build: self._build,
        }
        if answer in readers:
            return self._first_legal(request, readers[answer](request, text))
        return self._first_legal(
            request, self._variants(answer, self._fields(request, answer, text))
        )

    def _first_legal(self, request: Request, variants: Iterator[Decision]) -> Decision:
        """The first that is allowed; if none is, the reason why the first is not."""
        problem: IllegalDecision | None = None
        for decision in variants:
            try:
                request.check(self.s, decision)
            except IllegalDecision as error:
                problem = problem or error
            else:
                return decision
        raise problem or Unclear("There is nothing like that now; moves lists what there is.")

    def _fields(self, request: Request, answer: type[Decision], text: str) -> dict[str, Any]:
        """The fields of a decision in a text such as `home fleet to scotland in north sea`."""
        verb, hints = verb_of(answer), get_type_hints(answer)
        clauses = "|".join(map(re.escape, verb.clauses))
        first, *rest = re.split(rf"\b({clauses})\b", text) if clauses else [text]
        given = {verb.main: first} if verb.main else {}
        given |= {
            verb.clauses[word]: what for word, what in zip(rest[::2], rest[1::2], strict=True)
        }
        return {
            field: self._value(request, field, hints[field], what.strip(" ,"))
            for field, what in given.items()
            if what.strip(" ,") or field == verb.main
        }

    def _value(self, request: Request, field: str, hint: Any, text: str) -> Any:
        if hint is bool:
            if text not in _WORDS:
                raise Unclear("Answer yes or no.")
            return _WORDS[text]
        if hint is int:
            return _whole(text)
        if get_origin(hint) is tuple and get_args(hint)[:1] == (int,):
            return tuple(_whole(part) for part in parts(text))
        if get_origin(hint) is dict and get_args(hint) == (str, int):
            pairs = [re.fullmatch(r"(.*?)[\s:=]+(\d+)", part) for part in parts(text)]
            if not all(pairs):
                raise Unclear("Give names and numbers, for example 1st panzer army 2.")
            return {self._name(request, field, p[1]): int(p[2]) for p in pairs if p}
        if get_origin(hint) is tuple and get_args(hint)[:1] == (str,):
            if field in _AREAS:
                return tuple(self._area(part) for part in parts(text))
            return tuple(self._name(request, field, part) for part in parts(text))
        if hint is str or get_origin(hint) is Literal:
            return self._name(request, field, text)
        raise Unclear(f"Type {field} in the plain form; help shows how.")

    def _name(self, request: Request, field: str, text: str) -> str:
        """The id that a text stands for in a field, those that the request offers first."""
        offered = sorted(_strings(request))
        text = text.removeprefix("the ")
        if field in _RAW:
            return simple(text).replace(" ", "_")
        if not text or (field == "area" and text in _DONE):
            return ""
        if field in _UNITS:
            near = [id for id in offered if id.removesuffix(BIG) in self.s.facts.kinds]
            if text in offered:
                return text
            return self.lexicon.unit(text, near or self._own(request.power))
        if field in _AREAS:
            return self._area(text)
        if field in _STATES:
            return self.lexicon.states.find(text)
        word = simple(text).replace(" ", "_")
        if word in offered:
            return word
        return self.lexicon.anything.find(text) if text in self.lexicon.anything else word

    def _area(self, text: str) -> str:
        return self.lexicon.area(text, sorted(self.s.in_play))

    def _own(self, power: str) -> list[str]:
        """The units of a power: on the map, in its Force Pool and in its Groups."""
        s = self.s
        counters = [
            *s.pool.get(power, ()),
            *(c for group in s.groups.get(power, ()) for c in group),
        ]
        placed = [id for id, unit in s.units.items() if unit.power == power]
        return sorted({*placed, *(counter.removesuffix(BIG) for counter in counters)})

    def _variants(self, answer: type[Decision], fields: dict[str, Any]) -> Iterator[Decision]:
        """The decision as it was typed, and with each port of the area that it goes to."""
        try:
            yield answer(**fields)
        except TypeError:
            missing = [f for f in answer.__struct_fields__ if f not in fields]
            raise Unclear(f"Say also: {', '.join(missing)}.") from None
        if "port" in answer.__struct_fields__ and not fields.get("port"):
            for port in self.s.facts.ports.get(fields.get("to") or fields.get("at", ""), ()):
                yield answer(**fields, port=port)

    # --- attacks ---------------------------------------------------------------------------

    def _attack(self, request: Any, text: str) -> Iterator[Decision]:
        """`poland with army group center, stukas`, `berlin factory with …`, `… flying 1st para`."""
        place, _, rest = text.partition(" with ")
        what, _, flyers = rest.partition(" flying ")
        combat, target = self._target(place)
        own = self._own(request.power)
        units = self.lexicon.units(what, own) if simple(what) not in ("", "all") else ()
        if not units:
            units = self._able(request, combat, target)
        flying = self.lexicon.units(flyers, own)
        units = tuple(dict.fromkeys((*units, *flying)))
        ports = list(self.s.facts.ports.get(target, ())) if combat == "port" else [""]
        # A PARA that cannot walk there is meant to fly.
        paras = tuple(id for id in units if self.s.domain(id) == "land" and air_range(self.s, id))
        for flight in dict.fromkeys((flying, self._airborne(paras, target), paras)):
            for port in ports:
                yield AnnounceAttack(combat, target, units, port, flight)  # type: ignore[arg-type]

    def _target(self, text: str) -> tuple[str, str]:
        """`poland`, `berlin factory` or `port of tokyo` as a kind of combat and a land area."""
        text = text.strip()
        if any(simple(text) == simple(self.s.facts.names[area]) for area in self.s.control):
            return "ground", self._area(text)  # Port Arthur is a name.
        parts = re.split(r"\s+", text)
        for kind in ("factory", "port"):
            if parts[-1] == kind:
                return kind, self._area(text.removesuffix(kind))
        for kind in ("factory", "port"):
            if parts[0] == kind:
                return kind, self._area(re.sub(rf"^{kind} (of |in )?", "", text))
        return "ground", self._area(text)

    def _airborne(self, paras: Iterable[str], target: str) -> tuple[str, ...]:
        near = self.s.facts.land_next.get(target, ())
        return tuple(id for id in paras if self.s.units[id].at not in near)

    def _able(self, request: Any, combat: str, target: str) -> tuple[str, ...]:
        """Every unit that could take part in an attack."""
        found: dict[str, None] = {}
        for decision in self.game.legal(request):
            if isinstance(decision, AnnounceAttack) and (decision.combat, decision.target) == (
                combat,
                target,
            ):
                found |= dict.fromkeys(decision.units)
        if not found:
            raise Unclear(f"Nothing of yours can attack {self.s.facts.names[target]} now.")
        return tuple(found)

    def _defend(self, request: Any, text: str) -> Iterator[Decision]:
        """`poland with royal air force; paris with armee de l air`, or none."""
        if text in _DONE | _PASS:
            yield Defend()
            return
        joins: dict[str, tuple[str, ...]] = {}
        for part in text.split(";"):
            place, found, what = part.strip().removeprefix("defend ").partition(" with ")
            if not found:
                raise Unclear("Say where and with what: defend poland with stukas; or none.")
            number = self._number(place, request.choices)
            able = request.choices[number]
            units = able if simple(what) == "all" else self.lexicon.units(what, able)
            joins[number] = (*joins.get(number, ()), *units)
        yield Defend(joins)

    def _resolve(self, request: Any, text: str) -> Iterator[Decision]:
        numbers = [str(number) for number in request.attacks]
        yield ResolveAttack(int(self._number(text, numbers)))

    def _number(self, text: str, numbers: Iterable[str]) -> str:
        """The number of the attack that a text names."""
        kind, target = self._target(text)
        found = [n for n in numbers if self.s.attacks[int(n)].target == target]
        for number in found:
            if self.s.attacks[int(number)].kind == kind:
                return number
        if len(found) == 1:
            return found[0]
        raise Unclear(f"No attack on {self.s.facts.names[target]} is waiting for that.")

    # --- ships -----------------------------------------------------------------------------

    def _way(self, answer: Any, request: Any, text: str) -> Iterator[Decision]:
        """`europe trs to north sea via western approaches carrying 2nd army`: the shortest way."""
        first, *rest = re.split(r"\b(to|via|carrying)\b", text)
        clauses = dict(zip(rest[::2], rest[1::2], strict=True))
        if not simple(first) or not simple(clauses.get("to", "")):
            example = verb_of(answer).words[0]
            raise Unclear(f"Say what goes where: {example} (unit) to (area).")
        unit = self._name(request, "unit", first)
        goal = self._area(clauses["to"])
        via = tuple(self._area(part) for part in parts(clauses.get("via", "")))
        load = self.lexicon.units(clauses.get("carrying", ""), self._own(request.power))
        more = {"load": load} if load else {}
        ways = [
            decision
            for decision in self.game.legal(request)
            if isinstance(decision, answer)
            and (decision.unit, decision.path[-1]) == (unit, goal)
            and set(via) <= set(decision.path)
        ]
        for way in sorted(ways, key=lambda way: len(way.path)):
            yield replace(way, **more)
        if not ways:
            yield answer(unit=unit, path=(*via, goal), **more)

    def _build(self, request: Any, text: str) -> Iterator[Decision]:
        """`18th army`, `army group a to size 2 in berlin`, `roma in milan with 1 oil`."""
        first, *rest = re.split(r"\b(to size|size|in|at|with)\b", text)
        clauses = dict(zip(rest[::2], rest[1::2], strict=True))
        unit = self._name(request, "unit", first)
        size = clauses.get("to size") or clauses.get("size")
        place = clauses.get("in") or clauses.get("at")
        oil = _whole(clauses["with"].replace("oil", "")) if "with" in clauses else 0
        at = self._area(place) if place else ""
        listed = [d for d in self.game.legal(request) if isinstance(d, Build) and d.unit == unit]
        for build in listed:
            if (not size or build.size == _whole(size)) and at in ("", build.at):
                yield replace(build, oil=oil)
        now = self.s.units[unit].size if unit in self.s.units else 0
        wanted = _whole(size) if size else now + 1
        for build in dict.fromkeys(replace(b, size=wanted, oil=oil) for b in listed):
            if at in ("", build.at):
                yield build
        yield Build(unit, wanted, at, oil=oil)

    # --- telling what could be answered ------------------------------------------------------

    def phrase(self, request: Request, decision: Decision) -> str:
        facts = self.s.facts

        def names(ids: Iterable[str]) -> str:
            return ", ".join(words.name_of(facts, id) for id in ids)

        def aim(combat: str, target: str) -> str:
            return names([target]) + ("" if combat == "ground" else f" {combat}")

        match decision:
            case AnnounceAttack(combat, target, units, _, flying):
                fly = f" flying {names(flying)}" if flying else ""
                return f"attack {aim(combat, target)} with {names(units)}{fly}"
            case Defend(joins):
                attacks = self.s.attacks
                some = [
                    f"{aim(attacks[int(n)].kind, attacks[int(n)].target)} with {names(units)}"
                    for n, units in joins.items()
                ]
                return f"defend {'; '.join(some)}" if some else "none"
            case ResolveAttack(number):
                attack = self.s.attacks[number]
                return f"fight {aim(attack.kind, attack.target)}"
            case Build(unit, size, at, _, oil):
                where = f" in {names([at])}" if at else ""
                fuel = f" with {oil} oil" if oil else ""
                return f"build {names([unit])} to size {size}{where}{fuel}"
            case Sail(unit, path) | March(unit, path) | Claim(unit, path) if path:
                via = f" via {names(path[:-1])}" if len(path) > 1 else ""
                cargo = names(getattr(decision, "load", ()))
                verb = verb_of(type(decision)).words[0]
                carrying = f" carrying {cargo}" if cargo else ""
                return f"{verb} {names([unit])} to {names(path[-1:])}{via}{carrying}"
        return self._plain_phrase(decision)

    def _plain_phrase(self, decision: Decision) -> str:
        verb, hints = verb_of(type(decision)), get_type_hints(type(decision))
        clauses = {field: word for word, field in verb.clauses.items()}
        said = [verb.words[0]]
        for field in decision.__struct_fields__:
            value = getattr(decision, field)
            if value in ("", (), {}) and field != verb.main:
                continue
            if field not in clauses and field != verb.main:
                return form.phrase(decision)
            if isinstance(value, bool):
                text = "yes" if value else "no"
            elif isinstance(value, str | int):
                text = words.name_of(self.s.facts, str(value))
            elif get_args(hints[field]) == (str, int):
                text = ", ".join(
                    f"{words.name_of(self.s.facts, id)} {n}" for id, n in value.items()
                )
            elif get_origin(hints[field]) is tuple and all(isinstance(id, str) for id in value):
                text = ", ".join(words.name_of(self.s.facts, id) for id in value)
            else:
                return form.phrase(decision)
            said.append(f"{clauses[field]} {text}" if field in clauses else text)
        return " ".join(said).strip()

    def moves(self, request: Request, where: str) -> list[str]:
        wanted = self.lexicon.anything.find(where) if where else ""
        lines: list[str] = []
        for decision in self.game.legal(request):
            if wanted and wanted not in _strings(decision):
                continue
            if len(lines) == LISTED:
                return [*lines, "[dim]  … and more; name a unit or an area: moves luftwaffe[/]"]
            lines.append(f"  {escape(self.phrase(request, decision))}")
        return lines


def verb_of(answer: type[Decision]) -> Verb:
    """How a kind of decision is typed; by default its name, and the names of its fields."""
    kind = form.tag(answer)
    if kind in VERBS:
        return VERBS[kind]
    main, *others = (*answer.__struct_fields__, "")
    return Verb((kind.replace("_", " "),), main, {name: name for name in others if name})


def _readings(answers: Mapping[str, type[Decision]], text: str) -> Iterator[tuple[str, str]]:
    """The kinds of decision that a text may stand for, with what stands behind the verb."""
    verbs = [(word, kind) for kind, answer in answers.items() for word in verb_of(answer).words]
    for word, kind in sorted(verbs, key=lambda pair: -len(pair[0])):
        if text == word or text.startswith(f"{word} "):
            yield kind, text.removeprefix(word).strip()


def _strings(thing: object) -> set[str]:
    """Every string in a request or decision: the ids that it names."""
    if isinstance(thing, str):
        return {thing}
    if isinstance(thing, Mapping):
        return {id for pair in thing.items() for part in pair for id in _strings(part)}
    if isinstance(thing, list | tuple):
        return {id for part in thing for id in _strings(part)}
    if isinstance(thing, Struct):
        return {id for f in thing.__struct_fields__ for id in _strings(getattr(thing, f))}
    return set()


def _whole(text: str) -> int:
    if not re.fullmatch(r"\s*[+-]?\d+\s*", text):
        raise Unclear(f"Expected a number, not {text.strip()!r}.")
    return int(text)


_MUTE = {"turn_began", "phase_began"}
"""What the headings say already."""
