"""Reading what a person types as an answer to a form: numbers, choices, rows and moves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.cli import form as plain_answers
from sandtable.cli.errors import Unclear
from sandtable.cli.names import Lexicon, Names, either, initials, simple
from sandtable.kernel.decisions import ChanceRequest, Request, Roll
from sandtable.kernel.display import Choice, Form, Limit, Mover, NoQuestion, Reach, Row, filled
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.game import Game

Wants = Mapping[str, Any]
"""Fields that a decision has to have."""

NUMBERS = {
    word: number
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], start=1
    )
} | {"a": 1, "an": 1}  # fmt: skip

_DONE = {"done", "end", "finish", "finished", "no more"}
_NOTHING = {"nothing", "none", "pass", "no", "n", "nobody"}
_SMALL = {"the", "to", "in", "on", "of", "at", "a", "an", "into", "for", "from", "and"}
_ORDINAL = r"(?!\d|(?:st|nd|rd|th)\b)"
_PARTS = rf",(?![^()]*\))|;|\band\b|\+|&|(?<=[a-z)])\s+(?=\d+{_ORDINAL}\s*x?\s*[a-z])"
_CLAUSES = re.compile(r"\s*(?:\b(from|to|into|via|through|carrying)\b|-?(>))\s*")
_MOST_SPLIT = 12
"""So many units are sent in several lots if they cannot go together."""


class NoMatch(Unclear):
    """The line is no answer of the kind that was tried."""


class Several(Unclear):
    """The line could stand for several choices."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        super().__init__("That could be:")
        self.choices = tuple(choices)


class _Order(NamedTuple):
    """What is to move, from where, by what way, where to."""

    units: str
    start: str = ""
    goal: str = ""
    via: tuple[str, ...] = ()
    cargo: str = ""
    chained: bool = False
    """The way was written with `>`."""


class Reader:
    """What can be typed in answer to a request. It looks at the game as it is when it reads."""

    def __init__(self, game: Game, request: Request, lexicon: Lexicon) -> None:
        self.game = game
        self.request = request
        self.lexicon = lexicon
        self.verbs = game.rules.verbs()
        self.legal = game.legal(request)
        form = game.rules.form(self.legal)
        offered = self.legal.request is not self.legal.asked
        self.form: Form = replace(form, optional=True) if offered else form

    # --- what there is -----------------------------------------------------------------------

    @property
    def proposal(self) -> dict[str, Any] | None:
        """What Enter answers: what the form proposes, if anything."""
        form = self.form
        if form.auto is not None:
            return form.auto
        values = {row.key: row.value for row in form.rows}
        return filled(form.base, form.rows, values) if any(values.values()) else None

    @property
    def nothing(self) -> dict[str, Any] | None:
        """The answer that takes nothing of what is offered, if that may be."""
        form = self.form
        if form.optional:
            return {"kind": "pass"}
        if form.component in ("buy", "assign") and form.base in self.legal:
            return form.base
        return None

    def label(self, decision: Mapping[str, Any]) -> str:
        """A decision in the form's words; "" if it is none of those that it lists."""
        form = self.form
        plain = dict(decision)
        if plain == form.done:
            return form.done_label or "Done"
        if plain == self.nothing:
            return form.pass_label or ("Pass" if form.optional else "Nothing")
        for choice in form.choices:
            if not choice.rows and choice.decision == plain:
                return choice.label
        if plain.get("kind") == form.base.get("kind"):
            chosen = [(row, _number_at(plain, row)) for row in form.rows]
            return rows_in_words((row, n) for row, n in chosen if n)
        return ""

    def reach(self, space: str, chosen: Mapping[str, int]) -> Reach:
        """Where chosen units can go; Unclear if they cannot be chosen so."""
        try:
            return self.game.rules.reach(self.legal, space, chosen)
        except NoQuestion as none:
            raise Unclear(str(none)) from None

    @cached_property
    def movers(self) -> list[tuple[Mover, list[str]]]:
        """The movers that can go somewhere, each with its goals."""
        found = []
        for mover in self.form.movers:
            goals: dict[str, None] = {}
            for row in mover.rows:
                ways = {} if row.cargo else self.reach(mover.space, {row.key: row.most}).ways
                goals |= dict.fromkeys(goal for goal, way in ways.items() if not way.aside)
            if goals:
                found.append((mover, list(goals)))
        return found

    def examples(self) -> list[str]:
        """Some lines that are legal now."""
        form, found = self.form, []
        if form.component == "schema":
            first = next(iter(self.legal))
            if isinstance(first, Roll):
                return [" ".join(map(str, first.faces))]
            return [plain_answers.phrase(first)]
        for mover, _ in self.movers:
            row = mover.rows[0]
            if goals := self.reach(mover.space, {row.key: row.most}).ways:
                start = "" if mover.single else f" from {self.lexicon.space(mover.space)}"
                goal = self.lexicon.space(next(iter(goals)))
                found.append(f"{rows_in_words([(row, row.most)])}{start} to {goal}")
                break
        for choice in form.choices[:1]:
            tail = rows_in_words((row, row.value) for row in choice.rows if row.value)
            found.append(f"{choice.label} with {tail}" if tail else choice.label)
        some = {row.key: min(row.most, 3 if row.most > 3 else 1) for row in form.rows if row.most}
        for number in (2, 1):
            picked = dict(list(some.items())[:number])
            if picked and not found and filled(form.base, form.rows, picked) in self.legal:
                found.append(rows_in_words((row, picked.get(row.key, 0)) for row in form.rows))
        if self.nothing is not None:
            found.append("pass" if form.optional else "nothing")
        if form.done is not None and form.done in self.legal:
            found.append("done")
        return found

    # --- reading -----------------------------------------------------------------------------

    def read(self, line: str, opened: Choice | None = None) -> Iterator[object]:
        """The decisions that a line stands for, each found when those before have been made; a
        choice that is `opened` takes numbers for its rows. Unclear, or IllegalDecision."""
        text = " ".join(line.lower().strip(" .").split())
        form = self.form
        if line.startswith("{") or re.search(r"^\w+ .*\w=", line) or form.component == "schema":
            return iter([self._plainly(line)])
        if text in _DONE and (form.done is not None or form.done_problem):
            if form.done is None:
                raise Unclear(form.done_problem)
            return iter([form.done])
        if text in _DONE | _NOTHING and self.nothing is not None:
            return iter([self.nothing])
        for pattern, instead in self.verbs.phrases:
            text = re.sub(pattern, instead, text).strip(" ,")
        problem: Unclear | IllegalDecision | None = None
        for wants, rest in self._readings(text):
            for attempt in (self._opened, self._choice, self._rows, self._move):
                try:
                    return attempt(rest, wants, opened)
                except (Unclear, IllegalDecision) as error:
                    if problem is None or isinstance(problem, NoMatch):
                        problem = error
        assert problem is not None
        raise problem

    def _plainly(self, line: str) -> object:
        """By the schema: a number of the list, a kind and its fields, JSON; dice by their faces."""
        faces = re.fullmatch(r"\s*\d+([\s,]+\d+)*\s*", line)
        if isinstance(self.legal.asked, ChanceRequest) and faces:
            line = f"dice {','.join(re.findall(r'[0-9]+', line))}"
        return plain_answers.read(line, self.legal)

    def _readings(self, text: str) -> Iterator[tuple[Wants, str]]:
        """A line without its verb, with what the verb asks for; at last as it stands."""
        kinds = {str(choice.decision["kind"]) for choice in self.form.choices}
        kinds |= {str(each.get("kind", "")) for each in (self.form.base, self.form.done or {})}
        own = [(simple(kind), {"kind": kind}) for kind in sorted(kinds) if kind]
        for verb, wants in (*self.verbs.verbs, *own):
            if text == verb or text.startswith(f"{verb} "):
                yield wants, text.removeprefix(verb).strip()
        yield {}, text

    # --- one of the choices ------------------------------------------------------------------

    def _choice(self, text: str, wants: Wants, _: object) -> Iterator[object]:
        pool = [each for each in self.form.choices if _has(each.decision, wants)]
        if not pool:
            raise NoMatch(self._no_answer(text))
        if text in ("yes", "y", "no", "n"):
            said = text.startswith("y")
            answers = [c for c in pool if any(v is said for v in c.decision.values())]
            if len(answers) == 1:
                return iter([proposed(answers[0])])
        if found := self.matching(pool, text):
            return iter([proposed(_narrowed(found, text))])
        attempts = [text.partition(" with ")[::2]]
        for small in (" in ", " to ", " at "):
            what, _, place = text.rpartition(small)
            attempts.append((place, what))
        problem: Unclear | None = None
        for head, tail in attempts:
            if not tail:
                continue
            for choice in self.matching(pool, head):
                try:
                    numbers = self._numbers(choice.rows, tail, choice.limits, choice.label)
                except Unclear as error:
                    problem = problem or error
                else:
                    return iter([filled(choice.decision, choice.rows, numbers)])
        raise problem or NoMatch(self._no_answer(text))

    def matching(self, choices: Iterable[Choice], text: str) -> list[Choice]:
        """The choices that have all the words of a text, or are about the space that it names."""
        listed = list(choices)
        words = [word for word in simple(text).split() if word not in _SMALL]
        found = [each for each in listed if _fits(words, self._hay(each))]
        if not found and words and text in self.lexicon.spaces:
            space = self.lexicon.spaces.find(text)
            found = [choice for choice in listed if space in choice.spaces]
        return found

    def _hay(self, choice: Choice) -> list[str]:
        places = [self.lexicon.space(space) for space in choice.spaces[:3]]
        return simple(" ".join((choice.label, choice.group, *places))).split()

    def _no_answer(self, text: str) -> str:
        how = "a number of the list, its first words" if self.form.choices else "what is asked for"
        return f"{text!r} is no answer here: type {how}, or help."

    # --- numbers in rows ---------------------------------------------------------------------

    def _opened(self, text: str, wants: Wants, opened: Choice | None) -> Iterator[object]:
        if opened is None:
            raise NoMatch(self._no_answer(text))
        numbers = self._numbers(opened.rows, text, opened.limits)
        return iter([filled(opened.decision, opened.rows, numbers)])

    def _rows(self, text: str, wants: Wants, _: object) -> Iterator[object]:
        form = self.form
        if not form.rows or not text or not _has(form.base, {**form.base, **wants}):
            raise NoMatch(self._no_answer(text))
        numbers: dict[str, int] = {}
        for part in text.split(";"):
            rows: Sequence[Row] = form.rows
            head, found, tail = part.partition(" with ")
            groups = dict.fromkeys(row.group for row in rows if row.group)
            words = [word for word in simple(head).split() if word not in _SMALL]
            fitting = [group for group in groups if _fits(words, simple(group).split())]
            if found and len(fitting) == 1:
                rows, part = [row for row in rows if row.group == fitting[0]], tail
            for key, number in self._numbers(rows, part, form.limits).items():
                numbers[key] = numbers.get(key, 0) + number
        return iter([filled(form.base, form.rows, numbers)])

    def _numbers(
        self, rows: Sequence[Row], text: str, limits: Sequence[Limit] = (), known: str = ""
    ) -> dict[str, int]:
        """`2 infantry, tank` as numbers by row. What `known` says already need not be a row."""
        numbers: dict[str, int] = {}
        for part in filter(None, (part.strip(" .") for part in re.split(_PARTS, text))):
            count, name = counted(part)
            if count is None and not name:
                numbers |= _most(rows, limits)
                continue
            try:
                found = self._named(rows, name)
            except Unclear:
                if known and _fits(simple(name).split(), simple(known).split()):
                    continue
                raise
            for row, number in self._spread(found, count, name):
                numbers[row.key] = numbers.get(row.key, 0) + number
        if not numbers and not known:
            raise Unclear("Say how many of what, for example "
                          f"{rows_in_words([(rows[0], rows[0].most)])}.")  # fmt: skip
        return numbers

    def _named(self, rows: Sequence[Row], name: str) -> list[Row]:
        """The rows that a name stands for: a label, with its owner before it or its place after."""
        name = simple(name).removeprefix("the ")
        for unit, short in self.verbs.units.items():
            for each in short:
                if name == each or name.startswith(f"{each} "):
                    name = f"{unit}{name.removeprefix(each)}"
        own = [row for row in rows if not row.cargo] or list(rows)
        problem: Unclear | None = None
        for among in (own, rows):
            labels = initials(dict.fromkeys(row.label for row in among))
            names = {label: [*each, f"{label}s", f"{label}es"] for label, each in labels.items()}
            try:
                label = Names("unit", names).find(name)
            except Unclear as error:
                same = [row for row in among if simple(_base(row.label)) in (name, name[:-1])]
                if same:
                    return same
                problem = problem or error
            else:
                return [row for row in among if row.label == label]
        words = name.split()
        for at in range(len(words) - 1, 0, -1):
            first, rest = " ".join(words[:at]), " ".join(words[at:])
            if first in self.lexicon.powers:
                power = self.lexicon.powers.find(first)
                if some := [row for row in rows if row.power == power]:
                    return self._named(some, rest)
        found = re.fullmatch(r"(.*?) ?\b(?:in|from|over|at|on|of) (.+)", name)
        if found and found[2] in self.lexicon.spaces:
            space = self.lexicon.spaces.find(found[2])
            if some := [row for row in rows if row.space == space]:
                return self._named(some, found[1]) if found[1] else some
        assert problem is not None
        raise problem

    def _spread(
        self, rows: Sequence[Row], count: int | None, name: str
    ) -> Iterator[tuple[Row, int]]:
        """A number over rows of one name: those that are proposed first."""
        if len({row.power for row in rows}) > 1:
            whose = [f"{simple(self.lexicon.power(row.power))} {name}" for row in rows]
            raise Unclear(f"Whose {name}? Type {either(dict.fromkeys(whose))}.")
        if count == 0:
            raise Unclear(f"0 is no number of {name}.")
        ordered = sorted(rows, key=lambda row: -row.value)
        left = sum(row.most for row in rows) if count is None else count
        for row in ordered:
            taken = min(left, row.most)
            left -= taken
            if row is ordered[-1]:
                taken += left  # Too many: the rules say why.
            if taken:
                yield row, taken

    # --- moves -------------------------------------------------------------------------------

    def _move(self, text: str, wants: Wants, _: object) -> Iterator[object]:
        if not self.form.movers:
            raise NoMatch(self._no_answer(text))
        order = _clauses(text)
        if text in self.lexicon.spaces:
            raise Several(self.from_space(self.lexicon.spaces.find(text)))
        try:
            mover, numbers = self._who(order)
        except Unclear:
            if order.start or order.goal:
                raise
            example = next(iter(self.examples()), "done")
            raise NoMatch(f"Say what moves from where to where, for example {example}.") from None
        if not order.goal:
            raise Several(self.goals(mover, numbers) or self._nowhere(mover, numbers))
        head, _, port = order.goal.partition(" in ")
        whole = not port or order.goal in self.lexicon.spaces
        goal = self.lexicon.spaces.find(order.goal if whole else head)
        via = [self.lexicon.spaces.find(stop) for stop in order.via]
        return self._send(mover, numbers, goal, via, wants, "" if whole else port)

    def goals(self, mover: Mover, lot: Mapping[str, int], to: str = "") -> list[Choice]:
        """Where chosen units of a mover can go, each way as a choice that says who goes."""
        units = rows_in_words((row, lot.get(row.key, 0)) for row in mover.rows)
        return [
            replace(each, label=f"{units}: {_lower(each.label)}")
            for goal, way in self.reach(mover.space, lot).ways.items()
            for each in way.decisions
            if to in ("", goal) and not way.aside
        ]

    def from_space(self, space: str) -> list[Choice]:
        """Where each type of unit in a space can go; Unclear if nothing there can move."""
        for mover in self.form.movers:
            if mover.space == space:
                own = [row for row in mover.rows if not row.cargo]
                if found := [w for row in own for w in self.goals(mover, {row.key: row.most})]:
                    return found
        raise Unclear(f"Nothing of yours in {self.lexicon.space(space)} can move now.")

    def _nowhere(self, mover: Mover, lot: Mapping[str, int]) -> list[Choice]:
        raise Unclear(self.reach(mover.space, lot).elsewhere or "They can go nowhere now.")

    def _who(self, order: _Order) -> tuple[Mover, dict[str, int]]:
        """The mover that an order is about, and the numbers of its rows."""
        movers = {mover.space: mover for mover in self.form.movers}
        if order.start:
            space = self.lexicon.spaces.find(order.start)
            if space not in movers:
                raise Unclear(f"Nothing of yours in {self.lexicon.space(space)} can move now.")
            mover = movers[space]
            try:
                return mover, self._chosen(mover, order)
            except Unclear as error:
                there = rows_in_words((row, row.most) for row in mover.rows if not row.cargo)
                name = self.lexicon.space(space)
                raise Unclear(f"{error} From {name} can move: {there}.") from None
        words = order.units.split()
        if order.chained:
            # The start stands behind the units: `2 tank germany > poland`.
            for at in range(1, len(words)):
                place = " ".join(words[at:])
                if place in self.lexicon.spaces and self.lexicon.spaces.find(place) in movers:
                    mover = movers[self.lexicon.spaces.find(place)]
                    units = order._replace(units=" ".join(words[:at]))
                    return mover, self._chosen(mover, units)
        found: list[tuple[Mover, dict[str, int]]] = []
        problem: Unclear | None = None
        for mover in self.form.movers:
            try:
                found.append((mover, self._chosen(mover, order)))
            except Unclear as error:
                problem = error if problem is None or "could be" in str(error) else problem
        if len(found) > 1:
            places = either(f"from {self.lexicon.space(mover.space)}" for mover, _ in found[:6])
            raise Unclear(f"Say which of them: {places}.")
        if not found:
            raise problem or Unclear("Nothing of yours can move now.")
        return found[0]

    def _chosen(self, mover: Mover, order: _Order) -> dict[str, int]:
        own = [row for row in mover.rows if not row.cargo]
        if order.cargo:
            laden = f"{order.units} with {order.cargo}"
            try:
                numbers = self._numbers(own, laden)
            except Unclear:
                cargo = [row for row in mover.rows if row.cargo]
                numbers = self._numbers(own, order.units) | self._numbers(cargo, order.cargo)
        else:
            numbers = self._numbers(mover.rows, order.units)
        for row in mover.rows:
            if numbers.get(row.key, 0) > row.most:
                raise Unclear(f"So many cannot: {numbers[row.key]} {_lower(row.label)}.")
        return numbers

    def _send(
        self,
        mover: Mover,
        numbers: Mapping[str, int],
        goal: str,
        via: Sequence[str],
        wants: Wants,
        port: str,
    ) -> Iterator[object]:
        """Send units to a goal: those of a group together or, if they cannot, in lots."""
        cargo = {
            row.key: numbers[row.key] for row in mover.rows if row.cargo and row.key in numbers
        }
        groups: dict[str, dict[str, int]] = {}
        for row in mover.rows:
            if not row.cargo and row.key in numbers:
                group = row.key if mover.single else row.group
                groups.setdefault(group, {})[row.key] = numbers[row.key]

        def decide(chosen: Mapping[str, int]) -> dict[str, Any]:
            # The request is the same in all of a movement phase, the position is not.
            self.legal = self.game.legal(self._now())
            reach = self.reach(mover.space, {**chosen, **cargo})
            return self._way(reach, mover.space, goal, via, wants, port)

        for chosen in groups.values():
            left = dict(chosen)
            while any(left.values()):
                try:
                    decision, lot = decide(left), dict(left)
                except IllegalDecision:
                    if not 1 < sum(left.values()) <= _MOST_SPLIT:
                        raise
                    lot = {}
                    for key in reversed(left):
                        for _ in range(left[key]):
                            try:
                                decision = decide({**lot, key: lot.get(key, 0) + 1})
                            except IllegalDecision:
                                break
                            lot[key] = lot.get(key, 0) + 1
                    if not lot:
                        raise
                yield decision
                left = {key: n - lot.get(key, 0) for key, n in left.items() if n > lot.get(key, 0)}

    def _now(self) -> Request:
        for request in self.game.pending:
            if (request.power, request.kind) == (self.request.power, self.request.kind):
                return request
        raise Unclear("The step has ended in the middle of the line.")

    def _way(
        self, reach: Reach, start: str, goal: str, via: Sequence[str], wants: Wants, port: str
    ) -> dict[str, Any]:
        """The first decision that brings the units to the goal, as it is wished."""
        name = self.lexicon.space(goal)
        if goal not in reach.ways:
            if goal == start and goal not in reach.refused:
                raise IllegalDecision(f"The units are in {name} already.")
            why = reach.refused.get(goal)
            if why is None:
                raise IllegalDecision(reach.elsewhere or f"They cannot go to {name} now.")
            raise IllegalDecision(why.reason, why.rule)
        way = reach.ways[goal]
        fitting = [
            each
            for each in way.decisions
            if _has(each.decision, wants)
            and _passes((*each.decision.get("path", way.path), goal), via)
            and _fits(simple(port).split(), simple(each.label).split())
        ]
        if not fitting:
            known = either(
                dict.fromkeys(f"{each.label} {each.detail}".strip() for each in way.decisions)
            )
            raise IllegalDecision(f"They cannot go to {name} like that, but: {known}.")
        return fitting[0].decision


def _clauses(text: str) -> _Order:
    """A line by its small words: `2 infantry from libya to egypt`, `tank ukraine > caucasus`."""
    first, *rest = _CLAUSES.split(text)
    steps = [(word or sign, what) for word, sign, what in zip(*[iter(rest)] * 3, strict=True)]
    order = _Order(first)
    for word, what in steps:
        what = what.strip(" ,")
        if word == "from" and order.start and order.cargo:
            order = order._replace(cargo=f"{order.cargo} from {what}")
        elif word == "from":
            order = order._replace(start=what)
        elif word == "carrying":
            order = order._replace(cargo=what)
        elif word in ("via", "through"):
            stops = re.split(r",|\band\b|\bthen\b|(?<=\d)\s+(?=\S)", what)
            order = order._replace(via=(*order.via, *filter(simple, stops)))
        elif word == ">":
            via = (*order.via, order.goal) if order.goal else order.via
            order = order._replace(goal=what, via=via, chained=True)
        else:
            order = order._replace(goal=what)
    return order


def counted(text: str) -> tuple[int | None, str]:
    """The number before or behind a name (None: all; 1 if there is none), and the name."""
    text = text.strip()
    glued = re.fullmatch(rf"(\d+){_ORDINAL}\s*x?\s*(.*)", text)
    if glued:
        return int(glued[1]), glued[2]
    first, _, rest = text.partition(" ")
    if first == "all":
        return None, rest
    if first in NUMBERS and rest:
        return NUMBERS[first], rest
    behind = re.fullmatch(r"(.*[a-z).])\s+(\d+)", text)
    return (int(behind[2]), behind[1]) if behind else (1, text)


def proposed(choice: Choice) -> dict[str, Any]:
    """The decision of a choice with the numbers that it proposes."""
    return filled(choice.decision, choice.rows, {row.key: row.value for row in choice.rows})


def rows_in_words(rows: Iterable[tuple[Row, int]]) -> str:
    """`3 infantry, tank`; units that are unique are told by their names."""
    return ", ".join(
        row.label if row.item is not None else f"{n if n != 1 else ''} {_lower(row.label)}".strip()
        for row, n in rows
        if n
    )


def _lower(label: str) -> str:
    return label[:1].lower() + label[1:]


def _number_at(decision: Mapping[str, Any], row: Row) -> int:
    """The number that a decision has in a row's place."""
    at: Any = decision
    for step in row.path:
        at = at.get(step, {}) if isinstance(at, Mapping) else {}
    if row.item is not None:
        return list(at).count(row.item) if isinstance(at, list | tuple) else 0
    return at if isinstance(at, int) else 0


def _has(decision: Mapping[str, Any], wants: Wants) -> bool:
    return all(decision.get(field) == value for field, value in wants.items())


def _fits(words: Iterable[str], hay: Sequence[str]) -> bool:
    """Whether each word begins one of the hay; a number has to be there as it is."""
    return all(
        any(each == word if word.isdigit() else each.startswith(word) for each in hay)
        for word in words
    )


def _passes(way: Sequence[str], stops: Sequence[str]) -> bool:
    """Whether a way touches all the stops, in order."""
    rest = iter(way)
    return all(stop in rest for stop in stops)


def _narrowed(found: Sequence[Choice], text: str) -> Choice:
    """The one that is meant: by its whole label, as the plain one of several, or as the first of
    those that differ by a number only; Several if that does not tell."""
    exact = [choice for choice in found if simple(choice.label) == simple(text)]
    pool = exact or list(found)
    shortest = min(pool, key=lambda choice: len(choice.label))
    if len(pool) == 1 or all(
        choice is shortest or choice.label.startswith(f"{shortest.label},") for choice in pool
    ):
        return shortest
    if len({str(_without_numbers(choice.decision)) for choice in pool}) == 1:
        return pool[0]
    raise Several(pool)


def _without_numbers(decision: Mapping[str, Any]) -> dict[str, Any]:
    return {field: value for field, value in decision.items() if type(value) is not int}


def _base(label: str) -> str:
    """`Fighter, can fly 2 more` and `Transport with tank` are a fighter and a transport."""
    return re.split(r",| with |\(", label)[0].strip()


def _most(rows: Iterable[Row], limits: Sequence[Limit]) -> dict[str, int]:
    """As much of every row as the limits leave room for."""
    numbers: dict[str, int] = {}
    for row in rows:
        if row.cargo:
            continue
        room = row.most
        for limit in limits:
            weights = {r: _weight(limit, r, row.cost) for r in (row.key, *numbers)}
            if (each := weights[row.key]) > 0:
                used = sum(weights[key] * n for key, n in numbers.items())
                room = min(room, (limit.most - used) // each)
        if room > 0:
            numbers[row.key] = room
    return numbers


def _weight(limit: Limit, key: str, cost: int) -> int:
    if limit.by_cost:
        return cost
    return 1 if limit.weights is None else limit.weights.get(key, 0)
