"""Combats run to their ends, and the answer made of these."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

import numpy as np

from sandtable.games.gw75.model import State
from sandtable.games.gw75.odds.policy import Policy, read_policy, worth
from sandtable.games.gw75.odds.question import MOST, Numbers, Question, label, sides_of
from sandtable.games.gw75.rules import attacks, bombing, land_combat, naval_combat, order
from sandtable.games.gw75.rules.naval_zones import CARRIERS
from sandtable.games.gw75.rules.tables import column
from sandtable.games.gw75.rules.terms import FLEET, MOBILE, at_war, friends
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.events import Event
from sandtable.kernel.game import Decided, Entry, Game
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table
from sandtable.odds import walk
from sandtable.odds.errors import OddsError
from sandtable.odds.result import (
    ATTACKER,
    DEFENDER,
    DRAW,
    RETREAT,
    Counts,
    Distribution,
    Reals,
    Result,
    likeliest_first,
)
from sandtable.odds.text import percent

T = TypeVar("T")

HAPPENINGS = (
    "retreated",
    "no_retreat",
    "advanced",
    "landed",
    "naval_retreat",
    "called_off",
    "attack_called_off",
    "atomic_bomb",
    "bomb_lost",
)
"""Events whose chances an answer tells."""
ATTACKS = ("naval_attack", "naval_counter_attack", "transit_attack")


class End(NamedTuple):
    """How a combat can end."""

    ours: tuple[int, ...]
    """What is left of the attacker, in the order of the labels."""
    theirs: tuple[int, ...]
    how: int
    takes: bool
    damage: int
    """Production Points."""
    segments: int
    happened: frozenset[str]


class Course(walk.Run[State]):
    """A combat run through the rules."""

    def __init__(self, q: Question, given: Iterable[Entry], asked: set[tuple[str, str]]) -> None:
        super().__init__(q.state, given)
        self.q = q
        self.asked = asked
        """Players and kinds of what they were asked, in all courses: the policy answered."""
        self.resumed = bool(self._given)
        self.fell_back = False
        """Whether ships that attacked had to retreat."""
        self.happened: set[str] = set()
        self.segments = 0
        self.began = totals(self.state)

    def play(self, g: Table[State]) -> Procedure[Any]:
        return self.q.procedure(g)

    def begin(self) -> None:
        """What is lost is counted from here."""
        if self.resumed:
            self.began = totals(self.state)

    def meets(self, kind: str) -> bool:
        """Before the attack of the second segment."""
        sea = self.state.sea
        return kind == "naval_attack" and sea is not None and sea.step == "second"

    def meeting(self) -> Any:
        """The position is all that the rest depends on; what happened is told in the end."""
        s = self.state
        units = frozenset((hex, *unit, count) for hex, unit, count in s.units())
        return units, s.sea, frozenset(self.happened), self.segments

    def decide(self, request: Request) -> Decision:
        self.asked.add((request.power, request.kind))
        return self.q.policy.decide(self.state, request, self.q.attackers)

    def kept(self, strict: bool) -> None:
        """Of several targets of bombers one is asked about."""
        target = self.q.targets[0]
        if self.q.kind == "air" and all(each.target != target for each in self.state.missions):
            raise walk.Stop

    def told(self, event: Event) -> None:
        """Faces with the same result on a table are one case."""
        tables, data = self.state.facts.tables, event.data
        if event.kind in ("land_attack", "counter_attack"):
            self.unite(lambda faces: column(tables.land, data["differential"])[faces[0] - 1])
        elif event.kind in ATTACKS:
            self.segments += event.kind == "naval_attack"
            results = column(tables.naval, data["differential"])
            self.unite(lambda faces: results[max(1, faces[0] - data["subtracted"]) - 1])
        elif event.kind == "air_defense":
            shot = column(tables.air_defense, data["differential"])
            self.unite(lambda faces: tuple(shot[faces[0] - 1]))
        elif event.kind == "bombed":
            number = data["units"]["lrb"]
            self.unite(lambda faces: column(tables.bombing, number)[faces[0] - 1])
        if event.kind in HAPPENINGS:
            self.happened.add(event.kind)
        if event.kind == "naval_retreat" and event.data.get("power") in self.q.attackers:
            self.fell_back = True


def totals(s: State) -> Counter[tuple[str, str]]:
    """Nation and label to number, on the whole map."""
    found: Counter[tuple[str, str]] = Counter()
    for _, unit, count in s.units():
        found[unit.nation, label(unit)] += count
    return found


class Outcome(Result):
    """The answer to a question about a combat. On land the attacker wins if the hexes that he
    attacks are vacated, and takes the territory if he is in one of them at the end; at sea he wins
    if none of those whom he attacked is left in the hex; from the air if he does damage."""

    kind: str
    happenings: dict[str, float]
    """The chances of what can happen on the way: retreated, no_retreat, advanced …"""
    damage: dict[int, float]
    """Of a bombing: Production Points to the chance that so many are lost."""
    asked: frozenset[tuple[str, str]]
    """Players and kinds of the choices that the policy made for them."""

    def to_dict(self, most: int = 12) -> dict[str, Any]:
        found = {**super().to_dict(most), "chances": self.happenings}
        if self.kind == "air":
            found["damage"] = {str(points): p for points, p in self.damage.items()}
        return found


def answer(q: Question) -> Outcome:
    """The outcome of a question that has been read; OddsError if it can take too many courses."""
    return _answer(q, ())


def _answer(q: Question, given: tuple[Entry, ...]) -> Outcome:
    start = totals(q.state)
    ends: dict[End, Fraction] = {}
    asked: set[tuple[str, str]] = set()
    before: tuple[Numbers, Numbers] | None = None
    for share, run in walk.courses(lambda: Course(q, given, asked), q.most):
        if before is None:
            before = _change(q, start, run.began)
        end = _end(q, run, start)
        ends[end] = ends.get(end, Fraction(0)) + share
    assert before is not None
    return _result(q, ends, before, frozenset(asked))


def _change(
    q: Question, start: Counter[tuple[str, str]], now: Counter[tuple[str, str]]
) -> tuple[Numbers, Numbers]:
    """Both sides as they are now."""
    found = (Counter(q.sides[0]), Counter(q.sides[1]))
    for key in {*start, *now}:
        nation, name = key
        if start[key] != now[key]:
            found[not _with(q, nation)][name] += now[key] - start[key]
    return dict(found[0]), dict(found[1])


def _with(q: Question, nation: str) -> bool:
    """Whether losses of a nation are the attacker's."""
    return nation in q.attackers or any(friends(q.state, nation, each) for each in q.attackers)


def _labels(q: Question, side: int) -> tuple[str, ...]:
    """The types that can be left of a side, Depleted ones apart."""
    types = [
        each
        for type, kind in q.state.facts.types.items()
        for each in ((type, f"{type} (depleted)") if kind.undepletion else (type,))
    ]
    have = q.sides[side]
    return tuple(
        each for each in types if have.get(each) or have.get(each.removesuffix(" (depleted)"))
    )


def _end(q: Question, run: Course, start: Counter[tuple[str, str]]) -> End:
    s = run.state
    left = _change(q, start, totals(s))
    ours, theirs = (
        tuple(max(0, left[side].get(each, 0)) for each in _labels(q, side)) for side in (0, 1)
    )
    damage = s.bombed.get(q.targets[0], 0) - q.state.bombed.get(q.targets[0], 0)
    how, takes = _ending(q, run, damage, any(ours), any(theirs))
    return End(ours, theirs, how, takes, damage, run.segments, frozenset(run.happened))


def _ending(q: Question, run: Course, damage: int, ours: bool, theirs: bool) -> tuple[int, bool]:
    s, nation = run.state, min(q.attackers)
    if q.kind == "air":
        done = damage > 0 or "atomic_bomb" in run.happened
        return ATTACKER if done else DEFENDER, False
    if q.kind == "transit":
        return (ATTACKER if not theirs else DRAW), False
    if q.kind == "naval":
        return _ending_at_sea(q, run, ours), False
    held = any(any(True for _ in attacks.defenders(s, hex, nation)) for hex in q.targets)
    if held:
        return DEFENDER, False
    inside = (q.kind == "overrun" and ours) or any(
        unit.nation in q.attackers and unit.type in MOBILE
        for hex in q.targets
        for unit in s.stack(hex)
    )
    return ATTACKER, inside


def _ending_at_sea(q: Question, run: Course, ours: bool) -> int:
    """Whether the defenders are gone from their hex; or the attackers who had closed in. Others may
    be there with whom they are not at war."""
    s, types = run.state, FLEET - {"ss"} | CARRIERS
    held = any(
        unit.type in types
        and unit.duty != "retreated"
        and any(at_war(s, nation, unit.nation) for nation in q.attackers)
        for unit in s.stack(q.targets[0])
    )
    if not held:
        return ATTACKER if ours else DRAW
    if not ours:
        return DEFENDER
    return RETREAT if run.fell_back else DRAW


def _result(
    q: Question,
    ends: dict[End, Fraction],
    before: tuple[Numbers, Numbers],
    asked: frozenset[tuple[str, str]],
) -> Outcome:
    rows = [(end, float(share)) for end, share in ends.items()]
    ours, theirs = _labels(q, 0), _labels(q, 1)
    facts = q.state.facts

    def counts(left: list[tuple[int, ...]], types: tuple[str, ...]) -> Counts:
        return np.array(left, np.int64).reshape(len(left), len(types))

    def expand() -> Distribution:
        return likeliest_first(
            np.array([share for _, share in rows]),
            counts([end.ours for end, _ in rows], ours),
            counts([end.theirs for end, _ in rows], theirs),
            np.array([end.how for end, _ in rows], np.int64),
            np.array([end.takes for end, _ in rows], np.bool_),
        )

    segments: dict[int, Fraction] = {}
    lost: dict[int, Fraction] = {}
    seen: dict[str, Fraction] = {}
    for end, share in sorted(ends.items(), key=lambda row: row[0].damage):
        _add(segments, end.segments if q.kind == "naval" else 1, share)
        _add(lost, end.damage, share)
        for what in sorted(end.happened):
            _add(seen, what, share)
    lasted = [float(segments.get(k, 0)) for k in range(max(segments) + 1)]
    damage = {points: float(share) for points, share in lost.items()}
    happenings = {what: float(seen[what]) for what in HAPPENINGS if what in seen}
    result = Outcome(
        attacker={each: before[0][each] for each in ours if before[0].get(each)},
        defender={each: before[1][each] for each in theirs if before[1].get(each)},
        attacker_types=ours,
        defender_types=theirs,
        cost={each: worth(facts, each) for each in (*ours, *theirs)},
        head=_head(q, ends, before),
        expand=expand,
        territory=q.territory,
        count_rounds=lambda: np.array(lasted),
        notes=(*_notes(q, happenings, damage), *q.notes),
    )
    result.kind, result.happenings, result.asked = q.kind, happenings, asked
    result.damage = damage if q.kind == "air" else {}
    return result


def _add(table: dict[T, Fraction], key: T, share: Fraction) -> None:
    table[key] = table.get(key, Fraction(0)) + share


def _head(q: Question, ends: dict[End, Fraction], before: tuple[Numbers, Numbers]) -> Reals:
    """The plain figures, added up as fractions: what is certain is 1."""
    found = [Fraction(0)] * 9
    values = [
        [Fraction(worth(q.state.facts, each)) for each in _labels(q, side)] for side in (0, 1)
    ]
    worths = [
        sum(
            (Fraction(worth(q.state.facts, each)) * n for each, n in before[side].items()),
            start=Fraction(0),
        )
        for side in (0, 1)
    ]
    places = {ATTACKER: 2, DEFENDER: 3, DRAW: 4, RETREAT: 6}
    for end, share in ends.items():
        found[0] += share * (end.segments if q.kind == "naval" else 1)
        found[places[end.how]] += share
        found[5] += share * end.takes
        for side, left in enumerate((end.ours, end.theirs)):
            kept = sum((a * b for a, b in zip(values[side], left, strict=True)), Fraction(0))
            found[7 + side] += share * (worths[side] - kept)
    return np.array([float(each) for each in found])


SAID = {
    "retreated": "The defender retreats",
    "no_retreat": "Somebody is lost for want of a way to retreat",
    "advanced": "The attacker advances",
    "landed": "The landing succeeds",
    "naval_retreat": "Ships retreat",
    "called_off": "A segment is called off for want of strength",
    "attack_called_off": "The attack is called off",
    "atomic_bomb": "The atomic bomb destroys the hex",
    "bomb_lost": "The atomic bomb is lost",
}


def _notes(q: Question, happenings: dict[str, float], damage: dict[int, float]) -> list[str]:
    notes = []
    if q.kind == "air":
        mean = sum(points * share for points, share in damage.items())
        each = ", ".join(f"{points} in {percent(share)}" for points, share in damage.items())
        notes.append(f"Production Points lost: {mean:.2f} on average ({each}).")
    said = [f"{SAID[what]}: {percent(share)}." for what, share in happenings.items()]
    return [*notes, " ".join(said)] if said else notes


# --- a combat in progress -------------------------------------------------------------------------


def in_progress(game: Game, **options: Any) -> Outcome:
    """The odds of the combat in which a game rests, from here on: the die that has been rolled and
    the choices that have been made in it count. The options are those of `Policy`, `territory` and
    `most`."""
    began = time.perf_counter()
    if next(iter(game.pending), None) is None:
        raise OddsError("The game is over; it does not rest in a combat.")
    territory, most = options.pop("territory", 0.0), options.pop("most", MOST)
    policy = read_policy(game.state.facts, options)
    result, _ = resumed(game, policy, None, most, territory)
    result.elapsed_ms = 1000 * (time.perf_counter() - began)
    return result


def resumed(
    game: Game,
    policy: Policy,
    then: tuple[str, Decision] | None,
    most: int,
    territory: float = 0.0,
) -> tuple[Outcome, Question]:
    """The combat in which a game rests, from here on, and what was asked; `then` is what a player
    would decide next."""
    found = fighting(game.state)
    if found is None:
        what = next(iter(game.pending)).kind.replace("_", " ")
        raise OddsError(f"The game waits for {what}; it does not rest in a combat.")
    start, given, _ = game.since_checkpoint()
    kind, targets, attackers, procedure = found
    before = fighting(start)
    if before is None or before[:2] != found[:2]:
        opening = Opening(start, given, targets)
        opening._go()
        start, given = opening.state, tuple(opening._given)
    if then is not None:
        given = (*given, Decided(*then))
    sides = sides_of(start, targets, attackers)
    notes = (policy.words(kind, several=True),)
    q = Question(start, kind, targets, attackers, sides, policy, procedure, territory, most, notes)
    return _answer(q, given), q


class Opening(walk.Run[State]):
    """Play from a position to where a combat begins that it comes to."""

    def __init__(self, start: State, given: Iterable[Entry], targets: tuple[str, ...]) -> None:
        super().__init__(start, given)
        self.targets = targets

    def play(self, g: Table[State]) -> Procedure[Any]:
        return order.play(g)

    def kept(self, strict: bool) -> None:
        found = fighting(self.state)
        if found is not None and found[1] == self.targets:
            raise walk.Stop


def fighting(s: State) -> tuple[str, tuple[str, ...], frozenset[str], Any] | None:
    """The combat that a position is in: its kind, its hexes, who attacks, and what is played."""
    if s.land is not None:
        whose = frozenset(part[1] for part in s.land.force)
        return "land", s.land.targets, whose, land_combat.battle
    if s.sea is not None:
        whose = frozenset(part[1] for part in s.sea.force)
        return "naval", (s.sea.target,), whose, naval_combat.fight
    if s.missions and s.phase.endswith("air_combat"):
        target = min(each.target for each in s.missions)
        whose = frozenset(each.nation for each in s.missions if each.target == target)
        return "air", (target,), whose, bombing.fly
    return None
