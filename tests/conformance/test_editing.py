"""A position that was changed by hand is a position like any other, and the game says where."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.kernel.display import NoQuestion, Pick, Row
from sandtable.kernel.events import EDITED
from tests.conformance.driver import new, step

GAMES = ("aa1942", "blitz-campaign", "gw36", "gw75")


def patch_of(what: Row | Pick, value: int | str) -> dict[str, Any]:
    """The edit that lets a row or a pick of an editor be another."""
    patch: Any = value
    for key in reversed(what.path):
        patch = {key: patch}
    return dict(patch)


def another(what: Row | Pick, rng: random.Random) -> int | str:
    """Something else than there is."""
    if isinstance(what, Row):
        return rng.choice([n for n in range(min(what.most, what.value + 3) + 1) if n != what.value])
    return rng.choice([value for value in what.choices if value != what.value])


def some_edit(game: sandtable.Game, rng: random.Random) -> dict[str, Any] | None:
    """Something that the editor of a random space offers; None where it offers nothing."""
    spaces = sorted(game.rules.picture(game.state, ()).spaces)
    try:
        editor = game.rules.editor(game.state, rng.choice(spaces), "")
    except NoQuestion:
        return None
    what = rng.choice([*editor.rows, *editor.picks])
    return patch_of(what, another(what, rng))


def seen(game: sandtable.Game) -> tuple[Any, ...]:
    """What tells whether a game has changed."""
    return game.hash, game.version, len(game.events), game.edits


@pytest.mark.parametrize("case", GAMES)
def test_an_edit_is_an_entry_like_others(case: str, tmp_path: Path) -> None:
    """Undone it never was, copied and saved games have it, and the rules go on from it."""
    game, rng = new(case, seed=1), random.Random(7)
    made: list[int] = []
    for number in range(24):
        if number % 2 == 0 and not game.no_edit and (patch := some_edit(game, rng)):
            before = seen(game)
            try:
                game.edit(patch)
            except sandtable.PositionError as refusal:
                assert str(refusal).endswith(".") and seen(game) == before
                continue
            after = seen(game)
            assert after[0] != before[0] and not game.rules.audit(game.state)
            told = game.events.since(before[2])
            assert told[0].kind == EDITED and not any(event.to for event in told)
            copy = game.clone()
            assert seen(copy) == after
            game.undo()
            assert seen(game) == before
            game.edit(patch)
            assert seen(game) == after
            made.append(before[1])
            # The copy goes on as the game does.
            luck = rng.getstate()
            step(copy, rng)
            rng.setstate(luck)
            step(game, rng)
            assert seen(copy) == seen(game)
        else:
            step(game, rng)
    assert len(made) > 3 and game.edits == tuple(made)

    path = tmp_path / "edited.json"
    game.save(path)
    for loaded in (sandtable.load(path), sandtable.replay(path)):
        assert seen(loaded) == seen(game)
    earlier = sandtable.replay(path, until=made[-1])
    assert earlier.edits == tuple(made[:-1]) and earlier.hash == game.at(made[-1]).hash
    found = sandtable.verify(path)
    assert found.ok and len(found.edits) == len(made)
    assert found.edits[0].startswith(f"Entry {made[0] + 1} (")


BAD: list[dict[str, Any]] = [
    {},
    {"nonsense": 1},
    {"units": 3},
    {"units": {"nowhere": {"germany": {"infantry": 1}}}},
    {"units": {"nowhere": {"ger_stukas": 1}}},
    {"treasury": {"germany": -1}},
    {"treasury": {"germany": 10**9}},
    {"oil": {"germany": 100}},
    {"held": {"W9999": "germany"}},
    {"wars": {"germany": {"germany": "war"}}},
    {"control": {"nowhere": "germany"}},
    {"units": {f"space {number}": {} for number in range(3000)}},
]


@pytest.mark.parametrize("case", GAMES)
def test_a_bad_edit_changes_nothing(case: str) -> None:
    game = new(case, seed=1)
    before = seen(game)
    for patch in BAD:
        with pytest.raises(sandtable.PositionError) as refusal:
            game.edit(patch)
        assert str(refusal.value).endswith(".")
        assert seen(game) == before
