"""How many hits a group of dice makes: tables for the compiled kernels. Imports Numba."""

from __future__ import annotations

from typing import Any

from numba import njit

from sandtable.odds.compiled import OPTIONS, Ints, Reals

# What is rarer than this is left out; a million such leaks stay below the rounding of a sum.
TINY = 1e-18
# The attacker retreats only where that is worth this much more: rounding decides no tie.
TIE = 1e-11

inline: Any = njit(**OPTIONS)


@inline
def copy(to: Reals, source: Reals, n: int) -> None:
    """Copy n numbers (an assignment of slices would need Numba's memory management)."""
    for x in range(n):
        to[x] = source[x]


@inline
def add_die(row: Reals, n: int, chance: float) -> None:
    """Convolve the distribution row[:n + 1] with one more die; it then fills row[:n + 2]."""
    row[n + 1] = row[n] * chance
    for x in range(n, 0, -1):
        row[x] += chance * (row[x - 1] - row[x])
    row[0] *= 1.0 - chance


@inline
def add_dice(row: Reals, n: int, chance: float, dice: int) -> int:
    """Several dice of the same chance; returns the new number of dice."""
    if chance > 0.0:
        for _ in range(dice):
            add_die(row, n, chance)
            n += 1
    return n


@inline
def trim(row: Reals, n: int) -> tuple[int, int]:
    """The first and the last index of row[:n + 1] that matters."""
    low, high = 0, n
    while low < n and row[low] < TINY:
        low += 1
    while high > low and row[high] < TINY:
        high -= 1
    return low, high


@inline
def line_table(
    value: Ints,
    role: Ints,
    n: int,
    sides: int,
    boosted: int,
    raised: int,
    table: Reals,
    tail: Reals,
    low: Ints,
    high: Ints,
    count: Ints,
) -> None:
    """Hits of the last n - i units of a line, for every i.

    `value` is what a unit hits on. A unit of role 1 hits on `boosted` if a unit of role 2 is
    there for it; each of these is there for so many (`raised`). Row i of `table` (n + 1 wide) has
    the chances, row i of `tail` those of at least so many hits; `low` and `high` bound what
    matters. `count` is scratch, one per face. O(n^2), and another O(n^2) for each unit of role 2
    that finds work.
    """
    wide = n + 1
    for face in range(sides + 1):
        count[face] = 0
    helpers = helped = dice = 0
    for x in range(wide):
        table[n * wide + x] = 0.0
    table[n * wide] = 1.0
    for i in range(n - 1, -1, -1):
        row = table[i * wide : (i + 1) * wide]
        copy(row, table[(i + 1) * wide : (i + 2) * wide], wide)
        face = value[i]
        again = False
        if role[i] == 1:
            if helped < helpers:
                face = boosted
            helped += 1
        elif role[i] == 2:
            if helped > helpers:  # those already counted now hit better; they are all of one type
                better = min(raised, helped - helpers)
                for j in range(i + 1, n):
                    if role[j] == 1:
                        count[value[j]] -= better
                        count[boosted] += better
                        break
                again = True
            helpers += raised
        if face > 0:
            count[face] += 1
            if not again:
                add_die(row, dice, face / sides)
            dice += 1
        if again:
            row[:] = 0.0
            row[0] = 1.0
            made = 0
            for each in range(1, sides + 1):
                made = add_dice(row, made, each / sides, count[each])
    for i in range(wide):
        total = 0.0
        for x in range(n, -1, -1):
            total += table[i * wide + x]
            tail[i * wide + x] = total
        low[i], high[i] = trim(table[i * wide : (i + 1) * wide], n)
