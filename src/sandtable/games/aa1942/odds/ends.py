"""From the kernels' states to units left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sandtable.games.aa1942.odds.book import Book
from sandtable.odds.exact import Counts, Ends, Layers, Line
from sandtable.odds.result import (
    ATTACKER,
    DEADLOCK,
    DEFENDER,
    DRAW,
    RETREAT,
    Distribution,
    Reals,
    likeliest_first,
)


def line_table(
    b: Book, ours: Line, flak: int
) -> tuple[Counts, Reals, npt.NDArray[np.bool_], Counts]:
    """For each row of the states: units left by kind, cost lost, can capture, units left."""
    tables = [ours.left(len(b.kinds), k) for k in range(flak + 1)]
    left: Counts = np.concatenate(tables)
    costs = np.array([b.cost[kind] for kind in b.kinds], np.float64)
    captures = np.array([int(b.unit(kind).captures) for kind in b.kinds])
    lost: Reals = ours.costs.sum() - left @ costs
    return left, lost, left @ captures > 0, left.sum(axis=1)


def named(kinds: Sequence[str], counts: Counts) -> dict[str, int]:
    return {kind: int(n) for kind, n in zip(kinds, counts, strict=True) if n}


def counted(i: Counts, j: Counts) -> Ends:
    """Sampled ends, with their shares."""
    pairs, number = np.unique(np.stack((i, j), axis=1), axis=0, return_counts=True)
    return pairs[:, 0], pairs[:, 1], number / len(i)


def line_ends(
    b: Book, ours: Line, theirs: Line, ends: Ends, flak: int, common: dict[str, Any]
) -> Distribution:
    """The ends of a land battle, by units."""
    i, j, p = ends
    left, _, able, number = line_table(b, ours, flak)
    theirs_left = theirs.left(len(b.kinds))
    fires = np.array([int(b.unit(kind).defense > 0) for kind in b.kinds])
    holds = theirs_left @ fires > 0
    ending: Counts = np.select(
        [(number[i] > 0) & ~holds[j], (number[i] == 0) & holds[j], number[i] == 0],
        [ATTACKER, DEFENDER, DRAW],
        RETREAT,
    )
    columns_a = [b.place[kind] for kind in common["attacker_types"]]
    columns_d = [b.place[kind] for kind in common["defender_types"]]
    return likeliest_first(
        p,
        left[:, columns_a][i],
        theirs_left[:, columns_d][j],
        ending,
        (ending == ATTACKER) & able[i],
    )


def sea_ends(
    b: Book,
    ours: Layers,
    theirs: Layers,
    ends: Ends,
    dives: tuple[bool, bool],
    common: dict[str, Any],
) -> Distribution:
    i, j, p = ends
    columns_a = [b.place[kind] for kind in common["attacker_types"]]
    columns_d = [b.place[kind] for kind in common["defender_types"]]
    left_a = ours.left(len(b.kinds), dives[0])[:, columns_a]
    left_d = theirs.left(len(b.kinds), dives[1])[:, columns_d]
    kind_a, kind_d = ours.kinds(dives[0]), theirs.kinds(dives[1])
    a, d = kind_a[i], kind_d[j]
    stuck = ((a == 2) & (d == 3)) | ((a == 3) & (d == 2))
    ending: Counts = np.select(
        [(a > 0) & (d == 0), (a == 0) & (d > 0), a == 0, stuck],
        [ATTACKER, DEFENDER, DRAW, DEADLOCK],
        RETREAT,
    )
    return likeliest_first(p, left_a[i], left_d[j], ending, np.zeros(len(i), bool))
