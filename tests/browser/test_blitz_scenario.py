"""Scenario A of Blitz! in a browser, from the first click to its end, and what can be done then."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

import sandtable
from sandtable.kernel.savefile import save_text
from tests.browser.conftest import Open
from tests.browser.playing import SCENARIO_A, Person, load, start


def attack_everything(german: Person) -> None:
    """Announce an attack with all that can take part on each land area that is offered."""
    for target in ("Poland", "Belgium-Netherlands", "Paris"):
        choice = german.panel.locator(f'[data-choice*="{target}"]').first
        if german.kind != "land_area_combat" or not choice.is_visible():
            continue
        if "ttack" not in (choice.get_attribute("data-choice") or ""):
            continue
        choice.click()
        everybody = german.panel.get_by_role("button", name="All", exact=True)
        if everybody.is_visible():
            everybody.click()
        if german.button("main").is_enabled():
            german.act(german.button("main"))


def test_scenario_a_is_played_to_its_end_exported_and_verified(
    open_page: Open, tmp_path: Path
) -> None:
    page = open_page()
    german = start(page, SCENARIO_A)
    german.asked("rebase_units")
    page.get_by_role("button", name="Leave the guide").click()
    met = set()
    attacked = 0
    for _ in range(300):
        if not german.turn(over=True):
            break
        met.add(german.kind)
        if german.kind == "land_area_combat":
            before = german.steps
            attack_everything(german)
            attacked += german.steps - before
            if german.kind == "land_area_combat":
                german.act(german.button("done"))
        elif german.kind in ("rebase_units", "move_land"):
            german.act(german.button("done"))
        else:
            german.decide()
    else:
        raise AssertionError("The scenario does not end.")
    assert attacked >= 2, "no attack was announced"
    assert {"rebase_units", "move_land", "land_area_combat"} <= met

    # The end is told, and the game can be saved.
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text(re.compile("wins|won|win"))
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").click()
    with page.expect_download() as saving:
        page.get_by_role("menuitem", name=re.compile("Save|Export")).first.click()
    file = tmp_path / "game.json"
    saving.value.save_as(file)

    # The timeline goes back to the start and returns.
    timeline = page.get_by_role("region", name="Timeline")
    timeline.get_by_role("button", name="To the start").click()
    expect(timeline).to_contain_text("start of the game")
    timeline.get_by_role("button", name="A step forward").click()
    expect(timeline).to_contain_text(re.compile(r"1/\d+"))
    timeline.get_by_role("button", name="Back to now").click()
    expect(timeline).to_contain_text("Now")

    # Charts have their numbers as a table, too.
    page.get_by_role("tab", name="Charts").click()
    expect(page.get_by_role("img", name=re.compile("over time"))).to_be_visible()

    # Anybody can verify it.
    page.goto("/verify")
    page.locator('input[type="file"]').set_input_files(file)
    expect(page.get_by_text("The dice are what they had to be.")).to_be_visible()
    expect(
        page.get_by_text(re.compile("decisions? .*played again|plays? again|by the rules"))
    ).to_be_visible()

    # And nobody can change it unnoticed.
    text = file.read_text()
    die = re.search(r'"roll": \[(\d)', text)
    assert die
    other = "6" if die.group(1) != "6" else "1"
    forged = text[: die.start(1)] + other + text[die.end(1) :]
    page.locator('input[type="file"]').set_input_files(
        [{"name": "forged.json", "mimeType": "application/json", "buffer": forged.encode()}]
    )
    expect(page.get_by_text(re.compile(r"Roll \d+ is wrong"))).to_be_visible()
    # Nothing is green beside that.
    expect(page.get_by_role("alert")).to_contain_text("checksum")
    expect(page.locator(".note.good, .checks .good")).to_have_count(0)


def test_an_offer_that_is_always_passed_is_passed_once_and_can_be_asked_for_again(
    open_page: Open,
) -> None:
    page = open_page()
    # In scenario F Germany is asked every turn whether Japan goes to war, first of all.
    german = load(page, save_text(sandtable.new("blitz", options={"scenario": "F"}, seed=1)))
    german.asked("japans_entry")
    expect(german.button("pass")).to_have_text("Not this turn")
    page.get_by_role("button", name="Always pass this").click()
    german.asked("return_to_base", "move_to_sea", "rebase_units", "move_land")
    expect(german.panel.get_by_role("alert")).to_have_count(0)
    assert german.steps == 1, "nothing else was passed"
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("menuitem", name="Standing orders").click()
    orders = page.get_by_role("dialog", name="Standing orders")
    orders.get_by_role("button", name="Ask me again").click()
    expect(orders.get_by_text("you are asked every time")).to_be_visible()
