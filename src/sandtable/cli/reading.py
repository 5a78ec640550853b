"""Reading what a person types as an answer to a form: numbers, choices, rows and moves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

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

_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_DONE = {"done", "end", "finish", "finished", "no more"}
_NOTHING = {"nothing", "none", "pass", "no", "n", "nobody"}
_SURE = "really "
"""Before an order that has consequences beyond itself."""
_SMALL = {"the", "to", "in", "on", "of", "at", "a", "an", "into", "for", "from", "and"}
_ORDINAL = r"(?!\d|(?:st|nd|rd|th)\b)"
_PARTS = rf"(?:,|\band\b)(?![^()]*\))|;|\+|&|(?<=[a-z)])\s+(?=\d+{_ORDINAL}\s*x?\s*[a-z])"
_CLAUSES = re.compile(r"\s*\b(from|to|into|via|through|carrying)\b\s*")
MOVES = "What they can do; a number takes it:"
_MOST_SPLIT = 12
"""So many units are sent in several lots if they cannot go together."""


class NoMatch(Unclear):
    """The line is no answer of the kind that was tried."""


class Several(Unclear):
    """The line could stand for several choices."""

    def __init__(self, choices: Sequence[Choice], head: str = "That could be:") -> None:
        super().__init__(head)
        self.choices = tuple(choices)


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
        self.own = Choice("", form.base, rows=form.rows, limits=form.limits)
        """The rows of the form itself."""
        self.sure = False

    # --- what there is -----------------------------------------------------------------------

    @property
    def proposal(self) -> tuple[dict[str, Any], str] | None:
        """What Enter answers, if anything: the decision, and what it is in words."""
        form = self.form
        words = rows_in_words((row, row.value) for row in form.rows)
        if form.auto is None:
            return (proposed(self.own), words) if words else None
        return form.auto, words or self.label(form.auto) or form.done_label or "the proposal"

    @property
    def nothing(self) -> dict[str, Any] | None:
        """The answer that takes nothing of what is offered, if that may be."""
        form = self.form
        if form.optional:
            return {"kind": "pass"}
        return form.base if form.base and form.base in self.legal else None

    def label(self, decision: Mapping[str, Any]) -> str:
        """A decision in the form's words; "" if it is none of those that it lists."""
        choices = [each for each in self.form.choices if not each.rows]
        choices += [Choice(self.form.done_label, self.form.done)] if self.form.done else []
        return next((each.label for each in choices if each.decision == decision), "")

    def reach(self, space: str, chosen: Mapping[str, int]) -> Reach:
        """Where chosen units can go; Unclear if they cannot be chosen so."""
        try:
            return self.game.rules.reach(self.legal, space, chosen)
        except NoQuestion as none:
            raise Unclear(str(none)) from None

    def ways(self, mover: Mover, lot: Mapping[str, int] | None = None) -> list[tuple[str, Choice]]:
        """Where chosen units of a mover can go, or each type of them: the goal, and a choice that
        says who goes."""
        found = []
        for each in [lot] if lot else [{row.key: row.most} for row in mover.rows if not row.cargo]:
            units = rows_in_words((row, each.get(row.key, 0)) for row in mover.rows)
            for goal, way in self.reach(mover.space, each).ways.items():
                for choice in () if way.aside else way.decisions:
                    label = f"{units}: {_lower(choice.label)}"
                    found.append((goal, replace(choice, label=label)))
        return found

    @cached_property
    def movers(self) -> list[tuple[Mover, list[str]]]:
        """The movers that can go somewhere, each with its goals."""
        found = [(mover, self.ways(mover)) for mover in self.form.movers]
        return [(mover, list(dict.fromkeys(g for g, _ in ways))) for mover, ways in found if ways]

    def examples(self) -> list[str]:
        """Some lines that are legal now."""
        return [line for line in self._candidates() if self._works(line)]

    def _works(self, line: str) -> bool:
        try:
            return next(iter(self.read(line))) in self.legal
        except (Unclear, IllegalDecision):
            return False

    def _candidates(self) -> list[str]:
        form, found = self.form, list[str]()
        if form.component == "schema":
            first = next(iter(self.legal))
            faces = first.faces if isinstance(first, Roll) else ()
            return [" ".join(map(str, faces)) or plain_answers.phrase(first)]
        for mover, _ in self.movers[:1]:
            for row in mover.rows:
                for goal, _ in self.ways(mover, {row.key: row.most})[:1] if not found else ():
                    start = "" if mover.single else f" from {self.lexicon.space(mover.space)}"
                    units = rows_in_words([(row, row.most)])
                    found.append(f"{units}{start} to {self.lexicon.space(goal)}")
        labels = [each.label for each in form.choices]
        plain = [each for each in form.choices if labels.count(each.label) == 1]
        for choice in plain[:1]:
            tail = rows_in_words((row, row.value) for row in choice.rows)
            alone = [row.label for row in choice.rows] == [choice.label]
            units = rows_in_words((row, min(2, row.most)) for row in choice.rows)
            named = f"{choice.label} with {tail}" if tail else choice.label
            found.append(units if alone else named)
        few = [(row, 3 if row.most > 3 else 1) for row in form.rows if row.most]
        found += filter(None, [rows_in_words(few[:2])])
        if self.nothing is not None:
            found.append("pass" if form.optional else "nothing")
        return [*found, "done"] if form.done is not None else found

    # --- reading -----------------------------------------------------------------------------

    def read(self, line: str, opened: Choice | None = None) -> Iterator[object]:
        """The decisions that a line stands for, each found when those before have been made; a
        choice that is `opened` takes numbers for its rows. Unclear, or IllegalDecision."""
        text = " ".join(line.lower().strip(" .").split())
        self.sure = text.startswith(_SURE)
        text = text.removeprefix(_SURE)
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
        exact = [choice for choice in form.choices if simple(choice.label) == simple(text)]
        if len(exact) == 1:
            return iter([proposed(exact[0])])
        problem: Unclear | IllegalDecision = NoMatch("")
        for wants, rest in self._readings(text):
            for attempt in (self._rows, self._choice, self._move):
                try:
                    return attempt(rest, wants, opened or self.own)
                except (Unclear, IllegalDecision) as error:
                    if isinstance(problem, NoMatch):
                        problem = error
        raise problem

    def _plainly(self, line: str) -> object:
        """By the schema: a number of the list, a kind and its fields, JSON; dice by their faces."""
        if isinstance(self.request, ChanceRequest) and not re.search(r"[^\d\s,]", line):
            line = f"dice {','.join(re.findall('[0-9]+', line))}"
        return plain_answers.read(line, self.legal)

    def _readings(self, text: str) -> Iterator[tuple[Wants, str]]:
        """A line without its verb, with what the verb asks for; at last as it stands."""
        kinds = {str(choice.decision["kind"]): None for choice in (*self.form.choices, self.own)
                 if choice.decision}  # fmt: skip
        own = [(simple(kind), {"kind": kind}) for kind in kinds]
        for verb, wants in (*self.verbs.verbs, *own):
            if text == verb or text.startswith(f"{verb} "):
                yield wants, text.removeprefix(verb).strip()
        yield {}, text

    def _no_answer(self, text: str) -> NoMatch:
        how = "a number of the list, its first words" if self.form.choices else "what is asked for"
        return NoMatch(f"{text!r} is no answer here: type {how}, or help.")

    # --- one of the choices ------------------------------------------------------------------

    def _choice(self, text: str, wants: Wants, opened: Choice) -> Iterator[object]:
        pool = [each for each in self.form.choices if _has(each.decision, wants)]
        if text in ("yes", "y", "no", "n"):
            said = [c for c in pool if any(v is (text[0] == "y") for v in c.decision.values())]
            if len(said) == 1:
                return iter([said[0].decision])
        if found := self.matching(pool, text):
            return iter([proposed(_narrowed(found, text))])
        tries = [text.partition(" with ")[::2]]
        tries += [text.rpartition(small)[::-2] for small in (" in ", " to ", " at ")]
        tries.append((counted(text)[1], text))  # so many of a choice that is a row by itself
        problem: Unclear = self._no_answer(text)
        for head, tail in tries:
            for choice in self.matching(pool, head) if head and tail else ():
                try:
                    numbers = self._numbers(choice.rows, tail, choice.limits, choice.label)
                except Unclear as error:
                    problem = error if isinstance(problem, NoMatch) else problem
                else:
                    return iter([filled(choice.decision, choice.rows, numbers)])
        raise problem

    def matching(self, choices: Iterable[Choice], text: str) -> list[Choice]:
        """The choices that have all the words of a text, or are about the space that it names."""
        listed = list(choices)
        found = [
            each
            for each in listed
            if fits(
                text, " ".join((each.label, each.group, *map(self.lexicon.space, each.spaces[:3])))
            )
        ]
        if not found and text in self.lexicon.spaces:
            space = self.lexicon.spaces.find(text)
            found = [choice for choice in listed if space in choice.spaces]
        return found

    # --- numbers in rows ---------------------------------------------------------------------

    def _rows(self, text: str, wants: Wants, choice: Choice) -> Iterator[object]:
        """Numbers for the rows of a choice: `2 infantry, tank`, `poland with stukas; paris with …`
        where rows stand under headings."""
        if not choice.rows or not text or not _has({**wants, **choice.decision}, wants):
            raise self._no_answer(text)
        numbers: dict[str, int] = {}
        for part in text.split(";"):
            rows = choice.rows
            head, found, tail = part.partition(" with ")
            groups = {row.group for row in rows if row.group and fits(head, row.group)}
            if found and len(groups) == 1:
                rows, part = tuple(row for row in rows if row.group in groups), tail
            for key, number in self._numbers(rows, part, choice.limits).items():
                numbers[key] = numbers.get(key, 0) + number
        return iter([filled(choice.decision, choice.rows, numbers)])

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
                if known and fits(name, known):
                    continue
                raise
            for row, number in self._spread(found, count, name):
                numbers[row.key] = numbers.get(row.key, 0) + number
        if not numbers and not known:
            raise Unclear("Say how many of what.")
        return numbers

    def _named(self, rows: Sequence[Row], name: str) -> list[Row]:
        """The rows that a name stands for: a label, with its owner before it or its place after."""
        name = simple(name).removeprefix("the ")
        for unit, short in self.verbs.units.items():
            for each in short:
                if name == each or name.startswith(f"{each} "):
                    name = f"{unit}{name.removeprefix(each)}"
        problem = Unclear("")
        for among in ([row for row in rows if not row.cargo], [row for row in rows if row.cargo]):
            labels = initials(dict.fromkeys(row.label for row in among))
            names = {label: [*each, f"{label}s", f"{label}es"] for label, each in labels.items()}
            same = [row for row in among if simple(_base(row.label)) in (name, name[:-1])]
            try:
                label = Names("unit", names).find(name)
            except Unclear as error:
                if same:
                    return same
                problem = problem if str(problem) else error
            else:
                return [row for row in among if row.label == label]
        words = name.split()
        for at in range(len(words) - 1, 0, -1):
            first, rest = " ".join(words[:at]), " ".join(words[at:])
            power = self.lexicon.powers.find(first) if first in self.lexicon.powers else None
            if some := [row for row in rows if row.power == power]:
                return self._named(some, rest)
        found = re.fullmatch(r"(.*?) ?\b(?:in|from|over|at|on|of) (.+)", name)
        if found and found[2] in self.lexicon.spaces:
            space = self.lexicon.spaces.find(found[2])
            if some := [row for row in rows if row.space == space]:
                return self._named(some, found[1]) if found[1] else some
        raise problem

    def _spread(self, rows: list[Row], count: int | None, name: str) -> Iterator[tuple[Row, int]]:
        """A number over rows of one name: those that are proposed first."""
        if len({row.power for row in rows}) > 1:
            whose = [f"{simple(self.lexicon.power(row.power))} {name}" for row in rows]
            raise Unclear(f"Whose {name}? Type {either(dict.fromkeys(whose))}.")
        if count == 0:
            raise Unclear(f"0 is no number of {name}.")
        *others, last = sorted(rows, key=lambda row: -row.value)
        left = sum(row.most for row in rows) if count is None else count
        for row in others:
            yield row, min(left, row.most)
            left -= min(left, row.most)
        yield last, left  # Perhaps too many: the rules say why.

    # --- moves -------------------------------------------------------------------------------

    def _move(self, text: str, wants: Wants, _: Choice) -> Iterator[object]:
        if not self.form.movers:
            raise self._no_answer(text)
        order = _clauses(text)
        find = self.lexicon.spaces.find
        try:
            mover, numbers = self._who(order)
        except Unclear:
            if "from" in order or "to" in order:
                raise
            if text in self.lexicon.spaces:
                raise Several(self.from_space(find(text)), MOVES) from None
            example = next(iter(self._candidates()), "done")
            raise NoMatch(f"Say what moves from where to where, for example {example}.") from None
        if "to" not in order:
            found = [choice for _, choice in self.ways(mover, numbers)]
            if not found:
                raise Unclear(self.reach(mover.space, numbers).elsewhere)
            raise Several(found, MOVES)
        stops = re.split(r",|\band\b|\bthen\b|(?<=\d)\s+(?=\S)", order.get("via", ""))
        via = [find(stop) for stop in stops if simple(stop)]
        return self._send(mover, numbers, find(order["to"]), via, wants)

    def from_space(self, space: str) -> list[Choice]:
        """Where each type of unit in a space can go; Unclear if nothing there can move."""
        movers = [mover for mover in self.form.movers if mover.space == space]
        if found := [choice for mover in movers for _, choice in self.ways(mover)]:
            return found
        raise Unclear(f"Nothing of yours in {self.lexicon.space(space)} can move now.")

    def _who(self, order: Mapping[str, str]) -> tuple[Mover, dict[str, int]]:
        """The mover that an order is about, and the numbers of its rows. Without `from` the start
        may stand behind the units (`2 tank germany > poland`), or be the only one that fits."""
        units, spaces = order[""], self.lexicon.spaces
        words = units.split()
        tries = [(units, order["from"])] if "from" in order else []
        tries += [] if tries else [
            (" ".join(words[:at]), place)
            for at in range(1, len(words))
            if (place := " ".join(words[at:])) in spaces
        ]  # fmt: skip
        movers = {mover.space: mover for mover in self.form.movers}
        for some, place in tries:
            mover = movers.get(spaces.find(place))
            if mover is not None:
                try:
                    return mover, self._chosen(mover, some, order.get("carrying", ""))
                except Unclear as error:
                    there = rows_in_words((row, row.most) for row in mover.rows if not row.cargo)
                    name = self.lexicon.space(mover.space)
                    raise Unclear(f"{error} From {name} can move: {there}.") from None
            if "from" in order:
                self.from_space(spaces.find(place))
        found: list[tuple[Mover, dict[str, int]]] = []
        problem = Unclear("Nothing of yours can move now.")
        for mover in self.form.movers:
            try:
                found.append((mover, self._chosen(mover, units, order.get("carrying", ""))))
            except Unclear as error:
                problem = problem if "could be" in str(problem) else error
        if len(found) > 1:
            places = either(f"from {self.lexicon.space(mover.space)}" for mover, _ in found[:6])
            raise Unclear(f"Say which of them: {places}.")
        if not found:
            raise problem
        return found[0]

    def _chosen(self, mover: Mover, units: str, cargo: str) -> dict[str, int]:
        own = [row for row in mover.rows if not row.cargo]
        try:
            # A ship may be named by what it carries, or take it aboard.
            numbers = self._numbers(own, f"{units} with {cargo}" if cargo else units)
        except Unclear:
            numbers = self._numbers(mover.rows, f"{units}, {cargo}" if cargo else units)
        for row in mover.rows:
            if numbers.get(row.key, 0) > row.most:
                raise Unclear(f"So many cannot: {numbers[row.key]} {_lower(row.label)}.")
        return numbers

    def _send(
        self, mover: Mover, numbers: Mapping[str, int], goal: str, via: Sequence[str], wants: Wants
    ) -> Iterator[object]:
        """Send units to a goal: those of a group together or, if they cannot, in lots."""
        cargo: dict[str, int] = {}
        groups: dict[str, dict[str, int]] = {}
        for row in mover.rows:
            if row.key in numbers:
                group = row.key if mover.single else row.group
                place = cargo if row.cargo else groups.setdefault(group, {})
                place[row.key] = numbers[row.key]

        def decide(chosen: Mapping[str, int]) -> dict[str, Any]:
            # The request is the same in all of a movement phase, the position is not.
            asked = [r for r in self.game.pending if r.power == self.request.power]
            self.legal = self.game.legal(asked[0])
            reach = self.reach(mover.space, {**chosen, **cargo})
            if goal == mover.space and goal not in {**reach.ways, **reach.refused}:
                raise IllegalDecision(f"The units are in {self.lexicon.space(goal)} already.")
            return self._way(reach, goal, via, wants)

        for left in groups.values():
            while left:
                try:
                    decision, lot = decide(left), dict(left)
                except IllegalDecision:
                    lot = {}
                    for key in reversed(left) if 1 < sum(left.values()) <= _MOST_SPLIT else ():
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

    def _way(self, reach: Reach, goal: str, via: Sequence[str], wants: Wants) -> dict[str, Any]:
        """The first decision that brings the units to the goal, as it is wished."""
        name = self.lexicon.space(goal)
        if goal in reach.refused and goal not in reach.ways:
            raise IllegalDecision(reach.refused[goal].reason, reach.refused[goal].rule)
        if goal not in reach.ways:
            raise IllegalDecision(reach.elsewhere or f"They cannot go to {name} now.")
        way = reach.ways[goal]
        for choice in way.decisions:
            path = iter((*choice.decision.get("path", way.path), goal))
            if _has(choice.decision, wants) and all(stop in path for stop in via):
                if choice.tone == "danger" and not self.sure:
                    raise Unclear(f"{way.note or choice.label} Type {_SURE}before it to do it.")
                return choice.decision
        known = either(dict.fromkeys(f"{c.label} {c.detail}".strip() for c in way.decisions))
        raise IllegalDecision(f"They cannot go to {name} like that, but: {known}.")


def _clauses(text: str) -> dict[str, str]:
    """A line by its small words: `2 infantry from libya to egypt`, `tank ukraine > caucasus`."""
    start, *stops = re.split(r"\s*-?>\s*", text)
    if stops:
        text = f"{start} via {', '.join(stops[:-1])} to {stops[-1]}"
    first, *rest = _CLAUSES.split(text)
    clauses = {"": first}
    for word, what in zip(rest[::2], rest[1::2], strict=True):
        word = {"into": "to", "through": "via"}.get(word, word)
        if word == "from" and "from" in clauses and "carrying" in clauses:
            clauses["carrying"] += f" from {what.strip(' ,')}"
        elif what.strip(" ,"):
            clauses[word] = what.strip(" ,")
    return clauses


def counted(text: str) -> tuple[int | None, str]:
    """The number before or behind a name (None: all; 1 if there is none), and the name."""
    first, _, rest = text.partition(" ")
    if first == "all":
        return None, rest
    if first in _NUMBERS and rest:
        return _NUMBERS[first], rest
    if before := re.fullmatch(rf"(\d+){_ORDINAL}\s*x?\s*(.*)", text):
        return int(before[1]), before[2]
    behind = re.fullmatch(r"(.*[a-z).])\s+(\d+)", text)
    return (int(behind[2]), behind[1]) if behind else (1, text)


def proposed(choice: Choice) -> dict[str, Any]:
    """The decision of a choice with the numbers that it proposes."""
    return filled(choice.decision, choice.rows, {row.key: row.value for row in choice.rows})


def rows_in_words(rows: Iterable[tuple[Row, int]]) -> str:
    """`3 infantry, tank`, as it can be typed; units that are unique are told by their names."""
    return ", ".join(
        row.label if row.item is not None else f"{n if n != 1 else ''} {_listed(row)}".strip()
        for row, n in rows
        if n
    )


def _listed(row: Row) -> str:
    """A label as an item of a list: `fighter (can fly 2 more)`, `transport (with tank)`."""
    base = _base(row.label)
    rest = row.label.removeprefix(base).strip(" ,()")
    name = base.lower() if base.istitle() else _lower(base)
    return f"{name} ({rest})" if rest else name


def _lower(label: str) -> str:
    return label[:1].lower() + label[1:]


def _has(decision: Mapping[str, Any], wants: Wants) -> bool:
    return all(decision.get(field) == value for field, value in wants.items())


def fits(text: str, hay: str) -> bool:
    """Whether each word of a text, but for small ones, begins a word of the hay; a number has to be
    there as it is."""
    there = simple(hay).split()
    return all(
        any(each == word if word.isdigit() else each.startswith(word) for each in there)
        for word in simple(text).split()
        if word not in _SMALL
    )


def _narrowed(found: Sequence[Choice], text: str) -> Choice:
    """The one that is meant: by its whole label, as the plain one of several, or as the first of
    those that differ by a number only; Several if that does not tell."""
    pool = [each for each in found if simple(each.label) == simple(text)] or list(found)
    first = min(pool, key=lambda choice: len(choice.label))
    if all(each is first or each.label.startswith(f"{first.label},") for each in pool):
        return first
    decisions = [{k: v for k, v in c.decision.items() if type(v) is not int} for c in pool]
    if all(each == decisions[0] for each in decisions):
        return pool[0]
    raise Several(pool)


def _base(label: str) -> str:
    """`Fighter, can fly 2 more` and `Transport with tank` are a fighter and a transport."""
    return re.split(r",| with |\(", label)[0].strip()


def _most(rows: Iterable[Row], limits: Sequence[Limit]) -> dict[str, int]:
    """As much of every row as the limits leave room for."""
    numbers: dict[str, int] = {}
    for row in rows:
        room = 0 if row.cargo else row.most
        for limit in limits:
            weights = limit.weights or dict.fromkeys((row.key, *numbers), 1)
            if not (limit.by_cost or limit.rest) and (each := weights.get(row.key, 0)) > 0:
                used = sum(weights.get(key, 0) * n for key, n in numbers.items())
                room = min(room, (limit.most - used) // each)
        if room > 0:
            numbers[row.key] = room
    return numbers
