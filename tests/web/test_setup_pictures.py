"""The set-ups that the client's tests lay out on the maps are those of the games.

    SANDTABLE_GOLDEN=write pytest tests/web/test_setup_pictures.py

writes them anew.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.kernel.display import Space

PICTURES = Path(__file__).parents[2] / "web/src/board/setup.pictures.json"
GAMES: dict[str, dict[str, Any]] = {"aa1942": {}, "blitz": {"scenario": "campaign"}}


def _laid_out(space: Space) -> dict[str, Any]:
    """What takes room on the map."""
    return {
        "marks": [{"symbol": mark.symbol, "text": mark.text} for mark in space.marks],
        "stacks": [
            {
                "power": stack.power,
                "pieces": [
                    {"symbol": piece.symbol, "count": piece.count, "size": piece.size}
                    for piece in stack.pieces
                ],
            }
            for stack in space.stacks
        ],
    }


def _pictures() -> dict[str, Any]:
    found = {}
    for game, options in GAMES.items():
        state = sandtable.new(game, seed=1, options=options)
        spaces = state.rules.picture(state.state, ()).spaces
        found[game] = {id: _laid_out(space) for id, space in spaces.items()}
    return found


def test_the_set_ups_that_the_client_lays_out_are_those_of_the_games() -> None:
    pictures = _pictures()
    if os.environ.get("SANDTABLE_GOLDEN") == "write":
        PICTURES.write_text(json.dumps(pictures, separators=(",", ":")) + "\n", encoding="utf-8")
    if json.loads(PICTURES.read_text(encoding="utf-8")) != pictures:
        pytest.fail(
            "The set-ups have changed: write them with SANDTABLE_GOLDEN=write, and see that "
            "the client's tests pass with them."
        )
