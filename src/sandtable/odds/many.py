"""The kernel for many battles in one call. Imports Numba.

ints[0] is their number; then for each: kind (0 line, 1 layers), and where its part of ints and of
reals begins and ends.
"""

from __future__ import annotations

from sandtable.odds.compiled import Ints, Reals
from sandtable.odds.hits import inline
from sandtable.odds.layers import run as fight_layers
from sandtable.odds.line import run as fight_line


@inline
def run(ints: Ints, reals: Reals) -> int:
    """Fight them all."""
    for k in range(ints[0]):
        at = 1 + 5 * k
        part = ints[ints[at + 1] : ints[at + 2]]
        room = reals[ints[at + 3] : ints[at + 4]]
        if ints[at] == 0:
            fight_line(part, room)
        else:
            fight_layers(part, room)
    return 0
