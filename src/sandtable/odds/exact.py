"""The exact kernels as Python functions: sides in, distributions out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sandtable.odds.compiled import Ints, Reals, kernel, workspace
from sandtable.odds.errors import OddsError

NEVER, ALONE, VALUE, GIVEN = range(4)
"""When the attacker retreats: never; when it cannot take ground or has only units above left;
where that is worth more than to fight on; where it is told to."""

FIGHT_ON = -1e300
"""The worth that stands for "do not retreat here" under GIVEN."""

HEAD = 128
ROUNDS = 100
# Beyond these an answer would take more than a second or two, or some 200 MB.
MOST_LINE_STATES = 4_000_000
MOST_LAYER_STATES = 4_000_000
MOST_LAYER_WORK = 50_000_000_000  # states times dice of both sides

Counts = npt.NDArray[np.int64]


class Line:
    """A side that loses its units in this order. `kinds` are columns of `table`, whose rows are
    what a unit hits on, its role (1 is raised to the boosted value by one of role 2), whether the
    fire that opens a battle can strike it, whether it takes ground, and its cost."""

    def __init__(self, kinds: Counts, table: Counts) -> None:
        self.kinds = kinds
        self.table = table
        columns: Counts = table[:, kinds]
        self.values: Counts = columns[0]
        self.exposed: Counts = columns[2]
        self.costs: Counts = columns[4]
        self.attacking: Ints = columns.ravel()
        self.defending: Ints = columns[::4].ravel()

    def __len__(self) -> int:
        return len(self.kinds)

    def part(self, chosen: npt.NDArray[np.bool_] | slice) -> Line:
        """Some of the units, in the same order."""
        return Line(self.kinds[chosen], self.table)

    def behind(self, first: Line) -> Line:
        """The same units, but these are lost before them."""
        return Line(np.concatenate((first.kinds, self.kinds)), self.table)

    def without(self, struck: int) -> Counts:
        """The kinds in order when the first so many exposed units are gone."""
        gone = np.flatnonzero(self.exposed)[:struck]
        return np.delete(self.kinds, gone)

    def left(self, types: int, struck: int = 0) -> Counts:
        """Units left by type after 0, 1, 2 … losses, when some exposed ones were lost before."""
        kinds = self.without(struck)
        table = np.zeros((len(kinds) + 1, types), np.int64)
        table[np.arange(len(kinds)), kinds] = 1
        return np.cumsum(table[::-1], axis=0)[::-1]


@dataclass(frozen=True)
class Layers:
    """A side whose units fight above, below and between, so that not every hit may fall on every
    unit (see `layers`). Each layer is a list of (kind, value, place in the order of loss, cost);
    those of the main layer have a fifth number, 1 for a finder. A further hit that a unit takes
    is an entry of the main layer of kind -1. The train, which does not fight, is (kind, cost)."""

    above: tuple[tuple[int, int, int, int], ...]
    below: tuple[tuple[int, int, int, int], ...]
    main: tuple[tuple[int, int, int, int, int], ...]
    train: tuple[tuple[int, int], ...] = ()

    def behind(self, first: Layers) -> Layers:
        """The same units, but these are lost before them."""
        shift = first.dice
        return Layers(
            first.above + tuple((k, v, p + shift, c) for k, v, p, c in self.above),
            first.below + tuple((k, v, p + shift, c) for k, v, p, c in self.below),
            first.main + tuple((k, v, p + shift, c, f) for k, v, p, c, f in self.main),
            first.train + self.train,
        )

    @cached_property
    def sizes(self) -> tuple[int, int, int, int]:
        return len(self.above), len(self.below), len(self.main), len(self.train)

    @cached_property
    def dice(self) -> int:
        return len(self.above) + len(self.below) + len(self.main)

    @cached_property
    def packed(self) -> Ints:
        out: list[int] = []
        for layer in (self.above, self.below):
            for column in (1, 2, 3):
                out += [unit[column] for unit in layer]
        for column in (1, 2, 3, 4):
            out += [unit[column] for unit in self.main]
        out += [cost for _, cost in self.train]
        return np.array(out, np.int64)

    def shape(self, leaves: bool) -> tuple[int, int, int]:
        """Places of main and train, below and above: a state is a number in this mixed radix."""
        above, below, main, train = self.sizes
        return main + train + 1, (2 * below if leaves else below) + 1, above + 1

    def states(self, leaves: bool) -> int:
        h, s, a = self.shape(leaves)
        return h * s * a

    def left(self, types: int, leaves: bool) -> Counts:
        """Units left by type, for every state."""
        shape = self.shape(leaves)
        main = np.zeros((shape[0], types), np.int64)
        queue = [unit[0] for unit in self.main] + [kind for kind, _ in self.train]
        for h in range(len(queue) - 1, -1, -1):
            main[h] = main[h + 1]
            if queue[h] >= 0:
                main[h, queue[h]] += 1
        below = np.zeros((shape[1], types), np.int64)
        n = len(self.below)
        for s in range(shape[1]):
            if n:
                below[s, self.below[0][0]] = n - s if s <= n else s - n
        above = np.zeros((shape[2], types), np.int64)
        for a in range(len(self.above) - 1, -1, -1):
            above[a] = above[a + 1]
            above[a, self.above[a][0]] += 1
        table = main[:, None, None, :] + below[None, :, None, :] + above[None, None, :, :]
        return table.reshape(-1, types)

    def kinds(self, leaves: bool) -> Counts:
        """For every state 0 nobody who fights, 1 a mixed force, 2 only above, 3 only below."""
        h, s, a = np.indices(self.shape(leaves)).reshape(3, -1)
        above, below, main, _ = self.sizes
        has_main, has_below, has_above = h < main, s < below, a < above
        kind = np.where(has_main | (has_below & has_above), 1, 0)
        kind[~has_main & has_above & ~has_below] = 2
        kind[~has_main & ~has_above & has_below] = 3
        return kind


@dataclass
class Answer:
    """What a kernel found. `head` is its list of results (see `line`); `final` has the chance of
    every pair of states to be the end."""

    head: Reals
    final: Reals
    worth: Reals | None = None
    rounds: Reals = field(default_factory=lambda: np.zeros(0))


def line_rows(n: int, opening: int) -> int:
    """The attacker's states: a block for each number of exposed units struck."""
    return (opening + 1) * (n + 1) - opening * (opening + 1) // 2


def check_line(n: int, m: int, opening: int) -> None:
    """OddsError if the exact answer would take too long or too much memory."""
    states = line_rows(n, opening) * (m + 1)
    if states > MOST_LINE_STATES:
        raise OddsError(
            f"An exact answer for {n} against {m} units needs {states:,} states, more than "
            f"{MOST_LINE_STATES:,}; allow sampling for an estimate."
        )


def line_room(n: int, m: int, opening: int, sides: int) -> tuple[int, int]:
    """How long the kernel's two arrays have to be."""
    wide = m + 1
    states = line_rows(n, opening) * wide
    return (
        32 + 12 * n + 6 * m + sides,
        HEAD
        + wide
        + 2 * states
        + 2 * (n + 1) ** 2
        + 2 * wide**2
        + opening
        + 1
        + 2 * (n + 1) * wide,
    )


def fight_line(
    attacker: Line,
    defender: Line,
    *,
    sides: int,
    boosted: int,
    opening: int = 0,
    opening_value: int = 0,
    start: Reals | None = None,
    fresh: bool = True,
    rule: int = NEVER,
    worth: Reals | None = None,
    limit: int = 0,
    count_rounds: bool = False,
) -> Answer:
    """A battle of two lines; O(states x hits), see `line`. `start` spreads the beginning over
    losses of the defender (which still fire in the first round of a fresh battle); or, with a row
    for each state of the attacker, over all states at the end of a round."""
    n, m = len(attacker), len(defender)
    check_line(n, m, opening)
    rows, wide = line_rows(n, opening), m + 1
    states = rows * wide
    used = 16 + 5 * n + 2 * m
    ints, reals = workspace.room(*line_room(n, m, opening, sides))
    begin = 1 if start is None else 2 * (start.ndim - 1)
    ints[:11] = (
        n,
        m,
        sides,
        boosted,
        opening,
        opening_value,
        rule,
        limit,
        fresh,
        count_rounds,
        begin,
    )
    ints[16 : 16 + 5 * n] = attacker.attacking
    ints[16 + 5 * n : used] = defender.defending
    first = HEAD + wide
    if start is not None:
        at = HEAD if start.ndim == 1 else first
        reals[at : at + start.size] = start.ravel()
    if worth is not None:
        reals[first + states : first + 2 * states] = worth.ravel()
    kernel("sandtable.odds.line")(ints, reals)
    return Answer(
        reals[:16].copy(),
        reals[first : first + states].reshape(rows, wide).copy(),
        reals[first + states : first + 2 * states].reshape(rows, wide).copy()
        if rule >= VALUE
        else None,
        reals[16 : 16 + ROUNDS].copy() if count_rounds else np.zeros(0),
    )


def check_layers(attacker: Layers, defender: Layers, leaves: tuple[bool, bool]) -> None:
    """OddsError if the exact answer would take too long or too much memory."""
    n_a, n_d = attacker.states(leaves[0]), defender.states(leaves[1])
    work = n_a * n_d * attacker.dice * defender.dice
    if n_a * n_d > MOST_LAYER_STATES or work > MOST_LAYER_WORK:
        raise OddsError(
            f"An exact answer needs {n_a:,} by {n_d:,} states, which is too many; "
            "allow sampling for an estimate."
        )


def layers_room(attacker: Layers, defender: Layers, leaves: tuple[bool, bool]) -> tuple[int, int]:
    """How long the kernel's two arrays have to be."""
    n_a, n_d = attacker.states(leaves[0]), defender.states(leaves[1])
    wide_a, wide_d = attacker.dice + 1, defender.dice + 1
    used = 16 + attacker.packed.size + defender.packed.size
    return (
        used + 16 + n_a * (3 * wide_d + 13) + n_d * (3 * wide_a + 13),
        HEAD + 4 * n_a * n_d + n_a * (5 * wide_a + 3) + n_d * (5 * wide_d + 3),
    )


def fight_layers(
    attacker: Layers,
    defender: Layers,
    *,
    sides: int,
    leave: tuple[int, int] = (0, 0),
    flees: bool = True,
    start: Reals | None = None,
    rule: int = NEVER,
    worth: Reals | None = None,
    limit: int = 0,
    count_rounds: bool = False,
) -> Answer:
    """A battle of two sides in layers; see `layers`. `start` has the chances of all pairs
    of states at the end of a round."""
    leaves = (leave[0] > 0, leave[1] > 0)
    check_layers(attacker, defender, leaves)
    n_a, n_d = attacker.states(leaves[0]), defender.states(leaves[1])
    pairs = n_a * n_d
    packed_a, packed_d = attacker.packed, defender.packed
    used = 16 + packed_a.size + packed_d.size
    ints, reals = workspace.room(*layers_room(attacker, defender, leaves))
    ints[:7] = (sides, rule, limit, count_rounds, flees, *leave)
    ints[7:11] = attacker.sizes
    ints[11:15] = defender.sizes
    ints[15] = start is not None
    ints[16 : 16 + packed_a.size] = packed_a
    ints[16 + packed_a.size : used] = packed_d
    if start is not None:
        reals[HEAD : HEAD + pairs] = start.ravel()
    if worth is not None:
        reals[HEAD + pairs : HEAD + 2 * pairs] = worth.ravel()
    kernel("sandtable.odds.layers")(ints, reals)
    return Answer(
        reals[:16].copy(),
        reals[HEAD : HEAD + pairs].reshape(n_a, n_d).copy(),
        reals[HEAD + pairs : HEAD + 2 * pairs].reshape(n_a, n_d).copy() if rule >= VALUE else None,
        reals[16 : 16 + ROUNDS].copy() if count_rounds else np.zeros(0),
    )


def sample_line(
    attacker: Line,
    defender: Line,
    runs: int,
    seed: int,
    *,
    sides: int,
    boosted: int,
    opening: int = 0,
    opening_value: int = 0,
    start: Reals | None = None,
    rule: int = NEVER,
    limit: int = 0,
) -> tuple[Counts, Counts, float]:
    """Final states of so many battles, attacker and defender, and the mean number of rounds."""
    n, m = len(attacker), len(defender)
    used = 16 + 5 * n + 2 * m
    ints = np.zeros(used + 4 * n + 64, np.int64)
    reals = np.zeros(HEAD + m + 1 + 2 * runs)
    ints[:10] = (n, m, sides, boosted, opening, opening_value, rule, limit, 1, 0)
    ints[16 : 16 + 5 * n] = attacker.attacking
    ints[16 + 5 * n : used] = defender.defending
    reals[:3] = (0, runs, seed)
    reals[HEAD] = 1.0
    if start is not None:
        reals[HEAD : HEAD + m + 1] = start
    kernel("sandtable.odds.sample")(ints, reals)
    ends = reals[HEAD + m + 1 :].astype(np.int64).reshape(runs, 2)
    return ends[:, 0], ends[:, 1], float(reals[0])


def sample_layers(
    attacker: Layers,
    defender: Layers,
    runs: int,
    seed: int,
    *,
    sides: int,
    leave: tuple[int, int] = (0, 0),
    flees: bool = True,
    rule: int = NEVER,
    limit: int = 0,
) -> tuple[Counts, Counts, float]:
    """The same in layers."""
    packed = (attacker.packed, defender.packed)
    used = 16 + packed[0].size + packed[1].size
    ints = np.zeros(used + 128, np.int64)
    reals = np.zeros(HEAD + 2 * runs)
    ints[:7] = (sides, rule, limit, 0, flees, *leave)
    ints[7:11] = attacker.sizes
    ints[11:15] = defender.sizes
    ints[16:used] = np.concatenate(packed)
    reals[:3] = (1, runs, seed)
    kernel("sandtable.odds.sample")(ints, reals)
    ends = reals[HEAD:].astype(np.int64).reshape(runs, 2)
    return ends[:, 0], ends[:, 1], float(reals[0])


class Job(NamedTuple):
    """A battle for `fight_many`: kind (0 line, 1 layers), the head of its ints, both sides' data,
    and the room that it needs."""

    kind: int
    head: tuple[int, ...]
    attacker: Ints
    defender: Ints
    ints: int
    reals: int


def line_job(
    attacker: Line,
    defender: Line,
    sides: int,
    boosted: int,
    opening: int,
    opening_value: int,
    rule: int,
    limit: int,
) -> Job:
    """A battle of two lines, without losses before it and without a worth."""
    n, m = len(attacker), len(defender)
    check_line(n, m, opening)
    head = (n, m, sides, boosted, opening, opening_value, rule, limit, 1, 0, 1)
    return Job(0, head, attacker.attacking, defender.defending, *line_room(n, m, opening, sides))


def layers_job(
    attacker: Layers,
    defender: Layers,
    sides: int,
    leave: tuple[int, int],
    flees: bool,
    rule: int,
    limit: int,
) -> Job:
    """A battle of two sides in layers, likewise."""
    leaves = (leave[0] > 0, leave[1] > 0)
    check_layers(attacker, defender, leaves)
    head = (sides, rule, limit, 0, flees, *leave, *attacker.sizes, *defender.sizes, 0)
    return Job(1, head, attacker.packed, defender.packed, *layers_room(attacker, defender, leaves))


def fight_many(jobs: Sequence[Job]) -> Reals:
    """The heads of many battles (see `line`), one per row; runs without the interpreter's lock."""
    table = 1 + 5 * len(jobs)
    ints, reals = workspace.room(
        table + sum(job.ints for job in jobs), max(job.reals for job in jobs) + 16 * len(jobs)
    )
    ints[0] = len(jobs)
    at = table
    spot = 0
    rows: list[int] = []
    for job in jobs:
        rows += (job.kind, at, at + job.ints, spot, spot + job.reals)
        ints[at : at + len(job.head)] = job.head
        first = at + 16
        middle = first + len(job.attacker)
        ints[first:middle] = job.attacker
        ints[middle : middle + len(job.defender)] = job.defender
        at += job.ints
        # The next battle overwrites all but the head of this one's room.
        spot += 16
    ints[1:table] = rows
    kernel("sandtable.odds.many")(ints, reals)
    return reals[: 16 * len(jobs)].reshape(len(jobs), 16).copy()
