"""The position is changed by hand in a game that one person plays, and everybody can see that."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

import sandtable
from tests.browser.conftest import Open
from tests.browser.playing import load


@pytest.fixture
def start(tmp_path: Path) -> str:
    """A save in which Germany has to purchase."""
    game = sandtable.new("aa1942", seed=7, position={"turn": "germany"})
    game.save(tmp_path / "start.json")
    return (tmp_path / "start.json").read_text()


def test_units_are_added_and_moved_and_the_game_says_so(open_page: Open, start: str) -> None:
    page = open_page()
    person = load(page, start)
    person.asked("purchase")
    page.get_by_role("button", name="Menu").click()
    page.get_by_text("Edit the position…").click()
    form = page.locator('form[aria-label="Edit the position"]')
    expect(form).to_contain_text("Click a space on the map")
    apply = form.get_by_role("button", name="Apply")
    expect(apply).to_be_disabled()

    # One edit: an infantry goes from one territory to another, and a bomber is new.
    person.space("ukraine_ssr")
    expect(form.locator("h3")).to_have_text("Ukraine S.S.R.")
    form.get_by_role("button", name="One less: Infantry").click()
    page.mouse.click(*person.place("poland"))
    expect(form.locator("h3")).to_have_text("Poland")
    form.get_by_role("button", name="One more: Infantry").click()
    form.locator('[data-add="units:poland:germany:bomber"]').click()
    expect(form.get_by_label("Changes").locator("li")).to_have_text(
        [
            "Ukraine S.S.R.: Germany, Infantry: 3 → 2",
            "Poland: Germany, Infantry: 2 → 3",
            "Poland: Germany, Bomber: 0 → 1",
        ]
    )
    expect(page.locator("header .edited")).to_have_count(0)
    before = person.steps
    apply.click()
    person.wait_until_steps(before + 1)
    expect(form.get_by_label("Changes")).to_have_count(0)
    expect(page.locator("header .edited")).to_have_text("Edited")
    page.get_by_role("tab", name="Log").click()
    expect(person.log.locator("li.edited")).to_have_text(
        [
            "Edited: 1 bomber of Germany added to Poland.",
            "Edited: 1 infantry of Germany moved from Ukraine S.S.R. to Poland.",
        ]
    )
    assert "bomber" in person.content("poland").lower()

    # What cannot be says why, and nothing has happened.
    person.space("sz5")
    form.locator('[data-add="units:sz5:germany:bomber"]').click()
    apply.click()
    expect(form.get_by_role("alert")).to_have_text("Sea Zone 5: a bomber cannot stay at sea.")
    assert person.steps == before + 1
    form.get_by_role("button", name="Discard").click()

    # It is taken back like a decision, and then the game is as if it never was.
    page.get_by_role("button", name="Undo").click()
    person.wait_until_steps(before + 2)
    expect(page.locator("header .edited")).to_have_count(0)
    expect(person.log.locator("li.edited")).to_have_count(0)
    form.get_by_role("button", name="Leave").click()
    person.asked("purchase")


def test_a_verified_save_is_not_plainly_good_if_it_was_edited(
    open_page: Open, tmp_path: Path
) -> None:
    game = sandtable.new("aa1942", seed=7)
    game.edit({"treasury": {"germany": 99}})
    game.save(tmp_path / "edited.json")
    page = open_page("/verify")
    page.locator("input[type=file]").set_input_files(tmp_path / "edited.json")
    expect(page.locator(".note.warn", has_text="changed by hand")).to_contain_text(
        "Entry 1 (Round 1, Purchase units): Germany has 99 IPCs."
    )
    expect(page.locator(".note.good")).to_have_count(0)
