"""The first game: the guide beside what it speaks of; and the end, from which another begins."""

from __future__ import annotations

import pytest
from playwright.sync_api import FloatRect, Page, expect

from tests.browser.conftest import SIZES, Open
from tests.browser.playing import SCENARIO_A, load, start
from tests.browser.test_aa1942_turn import german_turn
from tests.browser.test_screens import violations


def covered(page: Page, space: str) -> bool:
    """Whether the guide lies over a space, or the space cannot be seen."""
    place = page.evaluate("id => window.__sandtable_board?.(id)", space)
    board = page.get_by_role("main").bounding_box()
    card = page.get_by_role("complementary", name="Guide").bounding_box()
    assert board and card
    if not place:
        return True

    def within(box: FloatRect) -> bool:
        across: bool = box["x"] <= place["x"] <= box["x"] + box["width"]
        return across and box["y"] <= place["y"] <= box["y"] + box["height"]

    return within(card) or not within(board)


@pytest.mark.parametrize("size", SIZES)
def test_the_guide_lies_over_nothing_that_it_speaks_of(open_page: Open, size: str) -> None:
    page = open_page(size=size)
    german = load(page, german_turn())
    german.asked("purchase")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("menuitem", name="Guide me").click()
    guide = page.get_by_role("complementary", name="Guide")
    guide.get_by_role("button", name="Next").click()
    expect(guide).to_contain_text("What you want")
    german.wait(lambda: not any(covered(page, at) for at in ("germany", "karelia_ssr", "russia")))

    if size != "laptop":
        return
    # All that can be bought is seen without scrolling; the log unfolds with eight lines at least.
    scrolls = "at => { const box = at.parentElement; return box.scrollHeight > box.clientHeight }"
    german.wait(lambda: not german.panel.evaluate(scrolls))
    page.get_by_role("tab", name="Log").click()

    def lines() -> float:
        box = german.log.bounding_box()
        return box["height"] / 18 if box else 0

    german.wait(lambda: lines() >= 8)


def test_the_guide_says_again_what_is_taken_back(open_page: Open) -> None:
    page = open_page()
    german = start(page, SCENARIO_A)
    german.asked("rebase_units")
    guide = page.get_by_role("complementary", name="Guide")
    guide.get_by_role("button", name="Next").click()
    guide.get_by_role("button", name="Next").click()
    expect(guide).to_contain_text("The way round")
    war = german.panel.locator('[data-choice^="Declare war on Belgium"]')
    war.click()
    expect(war).to_contain_text("Really?")
    german.act(war)
    expect(guide).to_contain_text("Air units")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(guide).to_contain_text("The way round")
    page.reload()
    expect(guide).to_contain_text("The way round")


def test_who_resigns_is_told_the_end_and_plays_again_on_the_same_page(open_page: Open) -> None:
    page = open_page()
    german = start(page, SCENARIO_A)
    german.asked("rebase_units")
    expect(page).to_have_title("Your turn · Blitz! A World in Conflict · Sandtable")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("menuitem", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    over = page.get_by_role("dialog", name="The game is over")
    expect(over).to_contain_text("resigned")
    assert violations(page) == []
    expect(page).to_have_title("Blitz! A World in Conflict · Sandtable")

    # The map is at hand already, sooner than the board has its size.
    over.get_by_role("button", name="Play again").click()
    page.get_by_role("button", name="Start the game").click()
    german.asked("rebase_units")
    german.wait(lambda: page.evaluate("() => !!window.__sandtable_board?.('berlin')"))
