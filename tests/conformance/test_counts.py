"""How many decisions are legal at fixed positions.

`counts.yaml` lists the positions of each game: the arguments of `sandtable.new`, and the plain
decisions that lead there (or none). At each pending request the legal decisions are counted, up
to `CAP`; a count that reaches it is written with a plus. `SANDTABLE_GOLDEN=write` counts again,
and gives a game that is not in the file its first positions, by random play.
"""

from __future__ import annotations

import json
import os
import random
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import yaml

import sandtable
from sandtable.kernel import registry
from sandtable.kernel.decisions import plain
from tests.conformance.driver import cases, new, step
from tests.kernel.toy import ToyRules, ToyState

FILE = Path(__file__).parent / "counts.yaml"
CAP = 2000
FIRST_POSITIONS = (0, 2, 7, 15, 30, 60, 120)
WRITE = "SANDTABLE_GOLDEN"

HEAD = """\
# The numbers of legal decisions at fixed positions; see test_counts.py.
# "+" marks a count that was cut off. Add positions by hand, with decisions of your choice.
"""


def reach(game_id: str, position: dict[str, Any]) -> sandtable.Game:
    """The game at a listed position."""
    game = new(game_id, **position["start"])
    for power, decision in position["decisions"]:
        game.submit(power, decision)
    return game


def count(game: sandtable.Game, cap: int = CAP) -> dict[str, int | str]:
    """The number of legal decisions for each pending request."""
    counts: dict[str, int | str] = {}
    for request in game.pending:
        seen = {
            json.dumps(plain(decision), sort_keys=True)
            for decision in islice(game.legal(request), cap)
        }
        counts[f"{request.power} {request.kind}"] = f"{cap}+" if len(seen) == cap else len(seen)
    return counts


def first_positions(game_id: str) -> list[dict[str, Any]]:
    """Positions from random play, for a game that has none yet."""
    game = new(game_id, seed=1)
    rng = random.Random(3)
    decisions: list[list[Any]] = []
    positions = []
    for steps in FIRST_POSITIONS:
        while len(decisions) < steps and game.pending:
            power, decision = step(game, rng)
            decisions.append([power, json.loads(json.dumps(plain(decision)))])
        if len(decisions) == steps:
            positions.append({"start": {"seed": 1}, "decisions": list(decisions), "legal": {}})
    return positions


def dump(content: dict[str, list[dict[str, Any]]]) -> str:
    """YAML with a decision a line."""
    lines = [HEAD]
    for game_id, positions in sorted(content.items()):
        lines.append(f"{game_id}:")
        for position in positions:
            lines.append(f"  - start: {json.dumps(position['start'])}")
            lines.append("    decisions:" + ("" if position["decisions"] else " []"))
            lines += [
                f"      - {json.dumps(decision, ensure_ascii=False)}"
                for decision in position["decisions"]
            ]
            lines.append("    legal:" + ("" if position["legal"] else " {}"))
            lines += [
                f"      {name}: {json.dumps(number)}" for name, number in position["legal"].items()
            ]
    return "\n".join(lines) + "\n"


def check(game_id: str, file: Path) -> None:
    """Compare the counts of a game with those in the file, or write them."""
    content = (yaml.safe_load(file.read_text(encoding="utf-8")) or {}) if file.exists() else {}
    writing = os.environ.get(WRITE) == "write"
    if game_id not in content:
        if not writing:
            pytest.fail(f"{file.name} has no positions of {game_id}; write it with {WRITE}=write.")
        content[game_id] = first_positions(game_id)
    for number, position in enumerate(content[game_id]):
        counted = count(reach(game_id, position))
        if writing:
            position["legal"] = counted
        else:
            assert counted == position["legal"], f"position {number} of {game_id}"
    if writing:
        file.write_text(dump(content), encoding="utf-8")


def test_the_counts_of_legal_decisions_are_as_they_were(game_id: str) -> None:
    check(game_id, FILE)


def test_there_are_no_counts_of_a_game_that_is_gone() -> None:
    assert set(yaml.safe_load(FILE.read_text(encoding="utf-8"))) <= set(cases())


# --- the test above can fail ---------------------------------------------------------------


class Generous(ToyRules):
    def start(self, *arguments: object) -> ToyState:
        state = super().start(*arguments)
        state.coins["blue"] += 1
        return state


def test_a_changed_count_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "counts.yaml"
    monkeypatch.delenv(WRITE, raising=False)
    with pytest.raises(pytest.fail.Exception, match="write it with"):
        check("toy", file)
    monkeypatch.setenv(WRITE, "write")
    check("toy", file)
    written = file.read_text()
    check("toy", file)
    assert file.read_text() == written
    monkeypatch.delenv(WRITE)
    check("toy", file)
    registry.add(Generous())
    with pytest.raises(AssertionError, match="position"):
        check("toy", file)


def test_a_count_is_cut_off() -> None:
    game = sandtable.new("toy", seed=1)
    assert count(game, cap=3) == {"red place_stones": "3+"}
    assert count(game, cap=5) == {"red place_stones": 4}
