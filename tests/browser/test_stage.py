"""The battle stage and the battle calculator."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from playwright.sync_api import expect

import sandtable
from tests.browser.conftest import Open
from tests.browser.playing import load


@pytest.fixture
def battle(tmp_path: Path) -> str:
    """A save in which Germany has to say which battle comes first."""
    game, rng = sandtable.new("aa1942", seed=7), random.Random(3)
    while game.pending[0].kind != "choose_battle":
        request = game.pending[0]
        game.submit(request.power, game.rules.greedy(game.state, request, rng))
    game.save(tmp_path / "battle.json")
    return json.dumps(json.loads((tmp_path / "battle.json").read_text()))


def test_a_battle_is_fought_on_its_stage_and_stays_until_it_has_been_seen(
    open_page: Open, battle: str
) -> None:
    page = open_page()
    person = load(page, battle)
    person.asked("choose_battle")

    page.get_by_role("button", name="Menu").click()
    page.get_by_text("Battle calculator…").click()
    dialog = page.get_by_role("dialog")
    for unit in ("attack infantry", "attack tank", "defend infantry"):
        dialog.locator(f'[data-add="{unit}"]').click()
    expect(dialog.locator(".bar")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    # The second: whatever the dice show, both sides have several units and can lose them.
    before = person.steps
    page.locator("[data-choice]", has_text="Karelia").first.click()
    person.wait_beyond(before)
    stage = page.locator("section.stage")
    expect(stage).to_be_visible()
    expect(stage).to_contain_text("Germany attacks")
    done = stage.locator('[data-stage="continue"]')
    while not done.is_visible():
        if person.kind and person.kind != "choose_battle":
            assert stage.locator("[data-kind]").count() == 1, "the question stands elsewhere"
            person.decide()
        page.wait_for_timeout(50)
    expect(stage).to_contain_text("The battle is over")
    expect(stage).to_contain_text("Lost")
    # Where more battles wait, the next one is chosen here as well.
    done.click()
    expect(stage).to_have_count(0)
