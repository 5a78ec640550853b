"""Golden playthroughs: a game as text, whose diff shows a reviewer what a rule change did.

The decisions are read from the file and played again, so that a change of the rules shows where
it makes a difference, and a change in how decisions are sampled shows nowhere. To accept a
change, or to write the file of a new game:

    SANDTABLE_GOLDEN=write pytest tests/conformance/test_golden.py

Decisions that are still legal stay; from the first that is not, random ones take their place.
"""

from __future__ import annotations

import difflib
import json
import os
import random
import re
from pathlib import Path

import pytest

import sandtable
from sandtable.kernel import registry
from sandtable.kernel.decisions import plain
from sandtable.kernel.events import Event
from sandtable.kernel.game import Rolled
from tests.conformance.driver import cases, new, step
from tests.kernel.toy import ToyRules, ToyState

GOLDEN = Path(__file__).parent / "golden"
SEED = 1942
DECISIONS = 150
WRITE = "SANDTABLE_GOLDEN"

DECIDED = re.compile(r"^\d+ (\S+) (\{.*\})$")


def playthrough(game_id: str, recorded: list[tuple[str, object]], *, sampled: bool) -> str:
    """The game as text: the recorded decisions, and (`sampled`) random ones after them."""
    game = new(game_id, seed=SEED)
    rng = random.Random(SEED)
    lines = [
        f"game: {game.rules.id} {game.rules.version}",
        f"seed: {SEED}",
        f"options: {json.dumps(game.options)}",
        "",
    ]
    events = tell(game, lines, 0)
    decisions = iter(recorded)
    for number in range(1, DECISIONS + 1):
        if not game.pending:
            break
        version = game.version
        given = next(decisions, None)
        try:
            if given is not None:
                game.submit(*given)
            elif not sampled:
                break
            else:
                step(game, rng)
        except sandtable.IllegalDecision as error:
            if not sampled:
                lines += [f"{number} {given}", f"    refused: {error}"]
                break
            decisions = iter(())
            step(game, rng)
        for entry in game.journal.since(version):
            if isinstance(entry, Rolled):
                faces = " ".join(map(str, entry.faces))
                lines.append(f"    {len(entry.faces)}d{entry.sides} for {entry.kind}: {faces}")
            else:
                text = json.dumps(plain(entry.decision), ensure_ascii=False)
                lines.append(f"{number} {entry.power} {text}")
        events = tell(game, lines, events)
    waiting = ", ".join(f"{request.power} {request.kind}" for request in game.pending)
    lines += ["", f"result: {game.result.reason}" if game.result else f"pending: {waiting}"]
    lines += [f"hash: {game.hash}", ""]
    return "\n".join(lines)


def tell(game: sandtable.Game, lines: list[str], told: int) -> int:
    for event in game.events.since(told):
        for_whom = f" (to {', '.join(event.to)})" if event.to is not None else ""
        lines.append(f"    {game.rules.sentence(game.state, event)}{for_whom}")
    return len(game.events)


def decisions_in(text: str) -> list[tuple[str, object]]:
    found = (DECIDED.match(line) for line in text.splitlines())
    return [(match[1], json.loads(match[2])) for match in found if match]


def check(game_id: str, folder: Path) -> None:
    """Compare the playthrough in the folder with the game as it is now, or write it."""
    path = folder / f"{game_id}.txt"
    if os.environ.get(WRITE) == "write":
        known = decisions_in(path.read_text(encoding="utf-8")) if path.exists() else []
        path.write_text(playthrough(game_id, known, sampled=True), encoding="utf-8")
        return
    if not path.exists():
        pytest.fail(f"There is no {path.name}; write it with {WRITE}=write.")
    golden = path.read_text(encoding="utf-8")
    now = playthrough(game_id, decisions_in(golden), sampled=False)
    if now != golden:
        diff = difflib.unified_diff(
            golden.splitlines(), now.splitlines(), "golden", "now", lineterm="", n=4
        )
        pytest.fail("\n".join(diff) + f"\n\nIf this is meant, write it with {WRITE}=write.")


def test_the_golden_playthrough_is_as_it_was(game_id: str) -> None:
    check(game_id, GOLDEN)


def test_there_is_no_playthrough_of_a_game_that_is_gone() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} <= set(cases())


# --- the test above can fail ---------------------------------------------------------------


class Generous(ToyRules):
    """Starts with another number of coins."""

    def start(self, *arguments: object) -> ToyState:
        state = super().start(*arguments)
        state.coins["blue"] += 1
        return state


class Stingy(ToyRules):
    """Has not the coins for the recorded bids."""

    def start(self, *arguments: object) -> ToyState:
        state = super().start(*arguments)
        state.coins = dict.fromkeys(state.coins, 0)
        return state


class Wordy(ToyRules):
    """Tells the same in other words."""

    def sentence(self, state: ToyState, event: Event) -> str:
        return "Indeed: " + super().sentence(state, event)


@pytest.mark.parametrize(
    ("rules", "shown"),
    [(Generous(), "+hash:"), (Stingy(), "refused:"), (Wordy(), "+    Indeed: Placed")],
)
def test_a_changed_game_shows_its_difference(
    rules: ToyRules, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(WRITE, "write")
    check("toy", tmp_path)
    first = (tmp_path / "toy.txt").read_text()
    monkeypatch.delenv(WRITE)
    check("toy", tmp_path)
    registry.add(rules)
    with pytest.raises(pytest.fail.Exception, match=re.escape(shown)):
        check("toy", tmp_path)
    monkeypatch.setenv(WRITE, "write")
    check("toy", tmp_path)
    second = (tmp_path / "toy.txt").read_text()
    assert second != first
    monkeypatch.delenv(WRITE)
    check("toy", tmp_path)


def test_a_missing_playthrough_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(WRITE, raising=False)
    with pytest.raises(pytest.fail.Exception, match="write it with SANDTABLE_GOLDEN=write"):
        check("toy", tmp_path)
