"""The browser derives dice by itself; what its tests compare with is what the kernel gives."""

from __future__ import annotations

import json
from pathlib import Path

from sandtable import VerifiedDice

VECTORS = Path(__file__).parents[2] / "web/src/lib/dice.vectors.json"


def test_the_vectors_of_the_browser_are_what_the_kernel_gives() -> None:
    cases = json.loads(VECTORS.read_text(encoding="utf-8"))
    assert cases
    for case in cases:
        header = case["dice"]
        dice = VerifiedDice(header["secret"], tuple(header["entropy"]), header["game"])
        assert dice.header() == header
        for roll in case["rolls"]:
            faces = list(dice.roll(roll["number"], len(roll["faces"]), roll["sides"]))
            assert faces == roll["faces"]
