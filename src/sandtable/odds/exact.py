"""The exact kernels as Python functions: sides in, distributions out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sandtable.odds.compiled import HEAD, RECORD, ROUNDS, START, Ints, Reals, kernel, workspace
from sandtable.odds.errors import OddsError

NEVER, ALONE, VALUE, GIVEN = range(4)
"""When the attacker retreats: never; when it cannot take ground or has only units above left;
where that is worth more than to fight on; where it is told to."""

FIGHT_ON = -1e300
"""The worth that stands for "do not retreat here" under GIVEN."""

MOST_SECONDS, MOST_BYTES = 5.0, 1 << 30
"""What an exact answer may take; beyond that it is refused."""

# Measured: seconds for each pair of states, and if its worth has to be found, too, for each pair of
# likely hits.
LINE_PAIR, LINE_WORTH = 5e-7, 1.5e-10
LAYERS_PAIR, LAYERS_WORTH = 1e-7, 1.5e-9
LAYERS_DIE = 5e-9
"""For each pair and each die."""

FEW_PAIRS = 4_000_000
"""So many pairs of states need not be counted before they are looked at."""

Counts = npt.NDArray[np.int64]
Ends = tuple[Counts, Counts, Reals]
"""States of the attacker, states of the defender, and the chance of each pair."""


NOTHING: Reals = np.zeros(0)


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
    every pair of states to be the end, of those `states` of both sides that are in use (None: of
    all)."""

    head: Reals
    final: Reals
    worth: Reals | None
    rounds: Reals
    states: tuple[Counts, Counts] | None = None

    @property
    def ends(self) -> Ends:
        """The ends that are possible."""
        i, j = np.nonzero(self.final)
        p = self.final[i, j]
        return (i, j, p) if self.states is None else (self.states[0][i], self.states[1][j], p)


class Job(NamedTuple):
    """A battle as a kernel takes it: which (0 `line`, 1 `layers`), the head of its ints, both
    sides' data, and how long its two arrays have to be."""

    kernel: int
    head: tuple[int, ...]
    attacker: Ints
    defender: Ints
    ints: int
    reals: int

    def pack(self, ints: Ints) -> None:
        """Put the question at the beginning of an array."""
        _, head, attacker, defender, _, _ = self
        middle = START + len(attacker)
        ints[: len(head)] = head
        ints[START:middle] = attacker
        ints[middle : middle + len(defender)] = defender


def afford(seconds: float, numbers: int) -> None:
    """OddsError if an exact answer would take too long or too much memory."""
    if seconds > MOST_SECONDS or 8 * numbers > MOST_BYTES:
        raise OddsError(
            f"An exact answer would take some {seconds:,.0f} s and {8e-6 * numbers:,.0f} MB; more "
            f"than {MOST_SECONDS:.0f} s or {MOST_BYTES >> 20} MB is refused, but you may allow "
            "sampling for an estimate."
        )


def _likely(dice: int) -> float:
    """How many different numbers of hits so many dice make, but for the rarest."""
    return min(dice, 9 * math.sqrt(dice))


def line_rows(n: int, opening: int) -> int:
    """The attacker's states: a block for each number of exposed units struck."""
    return (opening + 1) * (n + 1) - opening * (opening + 1) // 2


def line_job(
    attacker: Line,
    defender: Line,
    *,
    sides: int,
    boosted: int,
    raised: int = 1,
    opening: int = 0,
    opening_value: int = 0,
    rule: int = NEVER,
    limit: int = 0,
    fresh: bool = True,
    count_rounds: bool = False,
) -> Job:
    """A battle of two lines; OddsError if it is out of reach."""
    n, m = len(attacker.kinds), len(defender.kinds)
    wide, high = m + 1, n + 1
    states = line_rows(n, opening) * wide
    reals = HEAD + wide + 2 * (states + high * high + wide * wide + high * wide) + opening + 1
    work = LINE_PAIR + (LINE_WORTH * _likely(n) * _likely(m) if rule == VALUE else 0.0)
    afford(states * work, reals)
    head = (
        n, m, sides, boosted, opening, opening_value, rule, limit, fresh, count_rounds, 1, raised,
    )  # fmt: skip
    room = START + 16 + 12 * n + 6 * wide + sides
    return Job(0, head, attacker.attacking, defender.defending, room, reals)


def fight_line(
    attacker: Line,
    defender: Line,
    *,
    start: Reals | None = None,
    worth: Reals | None = None,
    **how: Any,
) -> Answer:
    """A battle of two lines; O(states x hits), see `line`. `start` spreads the beginning over
    losses of the defender (which still fire in the first round of a fresh battle); or, with a row
    for each state of the attacker, over all states at the end of a round. The rest as for
    `line_job`."""
    job = line_job(attacker, defender, **how)
    wide = len(defender.kinds) + 1
    rows = line_rows(len(attacker.kinds), job.head[4])
    states = rows * wide
    ints, reals = workspace.room(job.ints, job.reals)
    job.pack(ints)
    first = HEAD + wide
    if start is not None:
        ints[10] = 2 * (start.ndim - 1)
        at = HEAD if start.ndim == 1 else first
        reals[at : at + start.size] = start.ravel()
    if worth is not None:
        reals[first + states : first + 2 * states] = worth.ravel()
    kernel("sandtable.odds.line")(ints, reals)
    return Answer(
        reals[:16].copy(),
        reals[first : first + states].reshape(rows, wide).copy(),
        None
        if worth is None
        else reals[first + states : first + 2 * states].reshape(rows, wide).copy(),
        reals[16 : 16 + ROUNDS].copy() if how.get("count_rounds") else NOTHING,
    )


def layers_job(
    attacker: Layers,
    defender: Layers,
    *,
    sides: int,
    leave: tuple[int, int] = (0, 0),
    flees: bool = True,
    rule: int = NEVER,
    limit: int = 0,
    count_rounds: bool = False,
    start: Reals | None = None,
) -> Job:
    """A battle of two sides in layers; OddsError if it is out of reach."""
    head = (sides, rule, limit, count_rounds, flees, *leave, *attacker.sizes, *defender.sizes)
    n_a, n_d = attacker.states(leave[0] > 0), defender.states(leave[1] > 0)
    dice_a, dice_d = attacker.dice, defender.dice
    packed_a, packed_d = attacker.packed, defender.packed
    given = n_a * n_d * ((start is not None) + (rule >= VALUE))
    ints = START + packed_a.size + packed_d.size + 2 * RECORD + n_a + n_d
    ints += 2 * (dice_a + dice_d + 2)
    if n_a * n_d > FEW_PAIRS:
        # Most of so many cannot be reached: the kernel is asked how many can.
        afford((n_a * dice_d + n_d * dice_a) * LAYERS_PAIR, ints + given)
        asked = Job(
            1, (*head[:3], 2, *head[4:], start is not None), packed_a, packed_d, ints, HEAD + given
        )
        room = np.zeros(ints, np.int64)
        asked.pack(room)
        found = np.zeros(HEAD + given)
        if start is not None:
            found[HEAD : HEAD + start.size] = start.ravel()
        kernel("sandtable.odds.layers")(room, found)
        n_a, n_d = int(found[9]), int(found[10])
    lists = (dice_a + 1) * (dice_a + 3) + (dice_d + 1) * (dice_d + 3)
    ints += n_a * (3 * dice_d + 17) + n_d * (3 * dice_a + 17) + lists
    reals = HEAD + given + 3 * n_a * n_d + 8 * n_a * (dice_a + 1) + 8 * n_d * (dice_d + 1) + lists
    work = LAYERS_PAIR + LAYERS_DIE * (dice_a + dice_d)
    work += LAYERS_WORTH * _likely(dice_a) * _likely(dice_d) if rule == VALUE else 0.0
    afford(n_a * n_d * work, ints + reals)
    return Job(1, (*head, start is not None), packed_a, packed_d, ints, reals)


def fight_layers(
    attacker: Layers,
    defender: Layers,
    *,
    start: Reals | None = None,
    worth: Reals | None = None,
    **how: Any,
) -> Answer:
    """A battle of two sides in layers; see `layers`. `start` has the chances of all pairs of states
    at the end of a round. The rest as for `layers_job`."""
    job = layers_job(attacker, defender, start=start, **how)
    ints, reals = workspace.room(job.ints, job.reals)
    job.pack(ints)
    at = HEAD
    for given in (start, worth):
        if given is not None:
            reals[at : at + given.size] = given.ravel()
            at += given.size
    kernel("sandtable.odds.layers")(ints, reals)
    n_a, n_d = int(reals[9]), int(reals[10])
    leave = how.get("leave", (0, 0))
    first = START + len(job.attacker) + len(job.defender) + 2 * RECORD
    first += attacker.states(leave[0] > 0) + defender.states(leave[1] > 0)
    second = first + n_a * (3 * defender.dice + 17) + (defender.dice + 1) * (defender.dice + 3)
    return Answer(
        reals[:16].copy(),
        reals[at : at + n_a * n_d].reshape(n_a, n_d).copy(),
        None if worth is None else reals[at - worth.size : at].reshape(worth.shape).copy(),
        reals[16 : 16 + ROUNDS].copy() if how.get("count_rounds") else NOTHING,
        (ints[first : first + n_a].copy(), ints[second : second + n_d].copy()),
    )


def sample_line(
    attacker: Line,
    defender: Line,
    runs: int,
    seed: int,
    *,
    sides: int,
    boosted: int,
    raised: int = 1,
    opening: int = 0,
    opening_value: int = 0,
    start: Reals | None = None,
    rule: int = NEVER,
    limit: int = 0,
) -> tuple[Counts, Counts, float]:
    """Final states of so many battles, attacker and defender, and the mean number of rounds."""
    n, m = len(attacker), len(defender)
    used = START + 5 * n + 2 * m
    ints = np.zeros(used + 4 * n + 64, np.int64)
    reals = np.zeros(HEAD + m + 1 + 2 * runs)
    ints[:12] = (n, m, sides, boosted, opening, opening_value, rule, limit, 1, 0, 0, raised)
    ints[START : START + 5 * n] = attacker.attacking
    ints[START + 5 * n : used] = defender.defending
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
    used = START + packed[0].size + packed[1].size
    ints = np.zeros(used + 128, np.int64)
    reals = np.zeros(HEAD + 2 * runs)
    ints[:7] = (sides, rule, limit, 0, flees, *leave)
    ints[7:11] = attacker.sizes
    ints[11:15] = defender.sizes
    ints[START:used] = np.concatenate(packed)
    reals[:3] = (1, runs, seed)
    kernel("sandtable.odds.sample")(ints, reals)
    ends = reals[HEAD:].astype(np.int64).reshape(runs, 2)
    return ends[:, 0], ends[:, 1], float(reals[0])


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
        rows += (job.kernel, at, at + job.ints, spot, spot + job.reals)
        job.pack(ints[at:])
        at += job.ints
        # The next battle overwrites all but the head of this one's room.
        spot += 16
    ints[1:table] = rows
    kernel("sandtable.odds.many")(ints, reals)
    return reals[: 16 * len(jobs)].reshape(len(jobs), 16).copy()
