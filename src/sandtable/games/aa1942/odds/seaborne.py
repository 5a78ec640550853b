"""Landed units fight on when the overland and air units of an attack retreat."""

from __future__ import annotations

from typing import Any

import numpy as np

from sandtable.games.aa1942.odds.book import SEABORNE, Book
from sandtable.games.aa1942.odds.ends import line_ends
from sandtable.games.aa1942.odds.questions import Question
from sandtable.odds import exact
from sandtable.odds.exact import Answer, Counts, Line
from sandtable.odds.result import RETREAT, Distribution, Reals, Result, likeliest_first


def _landed(b: Book, line: Line, shot_down: int) -> tuple[Line, list[int]]:
    """The part of a line that came from the sea, and how many of it are lost at each state."""
    from_sea = np.array([kind.endswith(SEABORNE) for kind in b.kinds])
    gone = np.cumsum(from_sea[line.without(shot_down)])
    return line.part(from_sea[line.kinds]), [0, *gone.tolist()]


def worth_fighting_on(q: Question, ours: Line, theirs: Line, flak: int, left: Counts) -> Reals:
    """What seaborne units gain, on the mean, if all others retreat at each state."""
    b, numbers = q.book, q.book.numbers
    wide = len(theirs) + 1
    worth = np.zeros((len(left), wide))
    row = 0
    known: dict[tuple[int, int], float] = {}
    for k in range(flak + 1):
        part, gone = _landed(b, ours, k)
        for lost in gone:
            rest = part.part(slice(lost, None))
            for j in range(wide - 1):
                if len(rest) and theirs.values[j:].any():
                    if (lost, j) not in known:
                        start = np.zeros(wide)
                        start[j] = 1.0
                        head = exact.fight_line(
                            rest,
                            theirs,
                            sides=numbers.die,
                            boosted=numbers.supported_attack,
                            raised=numbers.infantry_per_artillery,
                            start=start,
                            fresh=False,
                        ).head
                        before = theirs.costs[:j].sum()
                        known[lost, j] = float(head[8] - before - head[7] + q.territory * head[5])
                    worth[row, j] = known[lost, j]
            row += 1
    return worth


def fight_on(
    b: Book,
    found: Answer,
    ours: Line,
    theirs: Line,
    flak: int,
    common: dict[str, Any],
    notes: tuple[str, ...],
) -> Result:
    """The ends where the overland and air units have retreated and the landed ones fight on."""
    numbers = b.numbers
    first = line_ends(b, ours, theirs, found.ends, flak, common)
    stay = first.ending != RETREAT
    parts = [Distribution(*(column[stay] for column in first))]
    rounds = float(found.head[0])
    types = common["attacker_types"]
    from_sea = np.array([kind.endswith(SEABORNE) for kind in types])
    columns = [b.place[kind] for kind in types]
    theirs_left = theirs.left(len(b.kinds))[:, [b.place[k] for k in common["defender_types"]]]
    open_end = int(np.flatnonzero(theirs.values)[-1]) + 1
    row = 0
    for k in range(flak + 1):
        part, gone = _landed(b, ours, k)
        table = ours.left(len(b.kinds), k)[:, columns]
        for i, lost in enumerate(gone):
            start = np.array(found.final[row + i])
            start[open_end:] = 0.0
            if i == len(gone) - 1 or start.sum() == 0.0:
                continue
            away = np.where(from_sea, 0, table[i])
            rest = part.part(slice(lost, None))
            if not len(rest):
                j = np.flatnonzero(start)
                parts.append(
                    Distribution(
                        start[j],
                        np.broadcast_to(away, (len(j), len(types))),
                        theirs_left[j],
                        np.full(len(j), RETREAT),
                        np.zeros(len(j), bool),
                    )
                )
                continue
            on = exact.fight_line(
                rest,
                theirs,
                sides=numbers.die,
                boosted=numbers.supported_attack,
                raised=numbers.infantry_per_artillery,
                start=start,
                fresh=False,
            )
            rounds += float(on.head[0])
            ends = line_ends(b, rest, theirs, on.ends, 0, common)
            parts.append(ends._replace(attacker=ends.attacker + away))
        row += len(gone)
    joined = Distribution(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    return Result(expand=lambda: likeliest_first(*joined), rounds=rounds, notes=notes, **common)
