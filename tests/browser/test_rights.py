"""What a player may do while something else is asked: offered beside it, used, and left again."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.playing import Person


def toy_table(page: Page) -> Person:
    """The toy game, all powers at one screen."""
    page.goto("/new/toy")
    for power in ("Red", "Green", "Blue", "White"):
        page.get_by_label(f"Who plays {power}").select_option("me")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")
    return Person(page)


def test_a_right_is_offered_beside_the_question_left_and_used(open_page: Open) -> None:
    page = open_page()
    player = toy_table(page)
    player.asked("place_stones")
    may = page.get_by_role("group", name="You may")
    expect(may.get_by_role("button")).to_have_count(4)

    # Left without being used, it leaves no trace.
    may.get_by_role("button", name="Green").click()
    player.asked("make_gift")
    expect(may).to_have_count(0)
    player.panel.get_by_role("button", name="Not now").click()
    player.asked("place_stones")
    assert player.steps == 0

    # Used, it comes before the question, which is asked again afterwards.
    may.get_by_role("button", name="White").click()
    player.asked("make_gift")
    gift = player.panel.locator("[data-choice]", has_text="red").first
    player.act(gift)
    player.asked("accept_gift")
    expect(player.log).to_contain_text("Offered coins: power white")
    player.decide()
    player.asked("place_stones")
    expect(may.get_by_role("button", name="White")).to_be_visible()
