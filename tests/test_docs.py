"""The documentation says what is so: its examples run as they are printed, its counts are right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import sandtable
from sandtable.kernel import registry
from sandtable.kernel.rules import report

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def blocks(page: str, language: str) -> list[str]:
    """The fenced code blocks of a page in one language."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_researchers_page_runs_from_top_to_bottom() -> None:
    names: dict[str, object] = {}
    code = blocks("researchers.md", "python")
    assert len(code) >= 6
    for block in code:
        exec(compile(block, "docs/researchers.md", "exec"), names)


def test_the_position_on_the_game_page_can_be_played() -> None:
    (block,) = blocks("games/aa1942.md", "yaml")
    game = sandtable.new("aa1942", seed=1, position=yaml.safe_load(block))
    game.submit(
        "united_kingdom", {"kind": "move", "units": {"battleship": 1}, "path": ["sz7", "sz6"]}
    )
    game.submit("united_kingdom", {"kind": "sail", "path": ["sz7", "sz6"], "offload": "norway"})


def test_the_position_of_blitz_can_be_played() -> None:
    (block,) = blocks("games/blitz.md", "yaml")
    game = sandtable.new("blitz", seed=1, position=yaml.safe_load(block))
    game.submit(
        "germany",
        {
            "kind": "attack",
            "combat": "ground",
            "target": "paris",
            "units": ["ger_army_group_b"],
        },
    )


def test_the_position_of_gw36_can_be_played() -> None:
    (block,) = blocks("games/gw36.md", "yaml")
    game = sandtable.new("gw36", seed=1, position=yaml.safe_load(block))
    path = ["bavaria", "alsace_lorraine"]
    game.submit("germany", {"kind": "move", "units": {"infantry": 2}, "path": path})


def test_the_position_of_gw75_can_be_played() -> None:
    (block,) = blocks("games/gw75.md", "yaml")
    game = sandtable.new("gw75", seed=1, position=yaml.safe_load(block))
    force = [["W3123", "germany", "inf", 6], ["W3123", "germany", "mech", 4]]
    game.submit("germany", {"kind": "attack", "targets": ["W3124"], "force": force})


@pytest.mark.parametrize("game", sandtable.game_ids())
def test_every_option_is_documented(game: str) -> None:
    page = (DOCS / "games" / f"{game}.md").read_text(encoding="utf-8")
    rules = sandtable.new(game, seed=1).rules
    for option in rules.options:
        assert f"| `{option}` |" in page


@pytest.mark.parametrize("game", sandtable.game_ids())
def test_rules_are_named_that_there_are_and_counted_as_they_are(game: str) -> None:
    """Code and tests name no rule that the index does not have, and the README counts right."""
    folder = registry.find(game).folder
    found = report(game, folder, folder / "rules.yaml", ROOT / "tests")
    assert not found.errors
    total = len(found.rules)
    counts = (f"all {total}", f"{found.under_test} of {total}")
    assert counts[found.under_test < total] in (ROOT / "README.md").read_text(encoding="utf-8")
