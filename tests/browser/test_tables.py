"""Life at the table: seats before the start, two people at one screen, resigning, saves."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open

SAVES = Path(__file__).parent.parent / "saves"
HEADINGS = "() => [...document.querySelectorAll('h1, h2, h3, h4')].map((h) => +h.tagName[1])"


def levels(page: Page) -> list[int]:
    """The levels of the headings of a page, in their order."""
    found: list[int] = page.evaluate(HEADINGS)
    return found


def skips(page: Page) -> bool:
    """Whether a heading is more than one level below the one before it."""
    found = [0, *levels(page)]
    return any(after > before + 1 for before, after in pairwise(found))


def test_two_at_one_screen_from_the_lobby_to_resigning(open_page: Open) -> None:
    page = open_page("/new/aa1942")
    expect(page.locator(".seats li")).to_have_count(5)
    page.get_by_role("button", name="Me and a friend online").click()
    page.get_by_label("Name of the game").fill("Sunday")
    page.get_by_label("Time for a decision").select_option(label="Another time…")
    page.get_by_label("Hours", exact=True).fill("1")
    page.get_by_label("Minutes", exact=True).fill("30")
    page.get_by_role("button", name="Make the table and invite").click()

    # The lobby says what is played; the friend comes in person instead.
    expect(page.get_by_role("heading", name="Sunday")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Axis & Allies 1942, 2nd Edition")
    expect(page.locator("main")).to_contain_text("1 hour 30 minutes for a decision")
    change = page.get_by_label("Change who plays Soviet Union, United Kingdom, United States")
    change.select_option(label="Another person here…")
    page.get_by_placeholder("Their name").fill("Ben")
    page.get_by_role("button", name="Seat them").click()
    expect(page.locator(".seats")).to_contain_text("Ben")
    assert not skips(page)
    page.get_by_role("button", name="Start the game").click()

    # The power is named, and the panel says how much time it has.
    expect(page).to_have_title("Soviet Union\u2019s turn · Sunday · Sandtable")
    expect(page.locator(".patience")).to_contain_text("left, then a bot plays on")
    expect(page.get_by_role("button", name="Buy nothing")).to_be_enabled()
    assert not skips(page)
    sound = page.get_by_role("button", name="Sound")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "false")

    # Resigning says what it does: for one power a bot plays on, for the whole seat the game ends.
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("menuitem", name="Resign").click()
    dialog = page.get_by_role("dialog", name="Resign")
    dialog.get_by_label("United States", exact=True).check()
    expect(dialog).to_contain_text("A bot plays on for United States.")
    dialog.get_by_role("button", name="Resign").click()
    expect(dialog).to_have_count(0)
    expect(page.locator("#panel")).to_contain_text("United States resigned: a bot plays on.")


def test_a_save_is_checked_when_it_is_chosen_and_a_finished_one_opens(
    open_page: Open, tmp_path: Path
) -> None:
    page = open_page()
    finished = SAVES / "blitz-0.1.0-finished-verified.json"
    broken = tmp_path / "broken.json"
    broken.write_text(finished.read_text().replace('"hash": "', '"hash": "0'))
    expect(page.get_by_text("Load a save…")).to_be_visible()
    page.locator("input[type=file]").set_input_files(broken)
    expect(page.locator(".toasts")).to_contain_text("was changed after it was written")
    page.locator("input[type=file]").set_input_files(finished)
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
    # What went wrong before is told no longer.
    expect(page.locator(".toasts")).not_to_contain_text("was changed")
