"""Two people in two browsers: one invites, the other joins, drops and returns."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.playing import Person


def invited_table(page: Page) -> str:
    """Make a table of scenario A for me and a friend; the friend's link."""
    page.goto("/")
    card = page.locator("article, section, li", has_text="Blitz! A World in Conflict").last
    card.get_by_role("link", name="New game").or_(
        card.get_by_role("button", name="New game")
    ).click()
    page.get_by_label("Your name").fill("Anna")
    page.get_by_label("Who plays Germany").select_option("me")
    page.get_by_label("Who plays Anglo-French Alliance").select_option("invited")
    page.get_by_role("button", name="Make the table and invite").click()
    link = page.get_by_label("Link for", exact=False).first
    expect(link).to_be_visible()
    return link.input_value()


def test_two_browsers_play_one_drops_and_catches_up(open_page: Open) -> None:
    anna_page = open_page()
    link = invited_table(anna_page)
    expect(anna_page.get_by_role("main")).to_contain_text("free")

    ben_page = open_page(link)
    ben_page.get_by_label("Your name").fill("Ben")
    ben_page.get_by_role("button", name="Take the seat").click()
    expect(anna_page.get_by_role("main")).to_contain_text("Ben")
    anna_page.get_by_role("button", name="Start the game").click()

    anna, ben = Person(anna_page), Person(ben_page)
    anna.asked("rebase_units")
    expect(ben.panel).to_contain_text("Anna")

    # What Anna does, Ben sees; he cannot decide for her.
    anna.act(anna.button("done"))
    anna.asked("move_land")
    ben.wait(lambda: ben.steps == anna.steps)
    assert ben.kind == ""
    expect(ben_page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()

    # They talk.
    ben_page.get_by_role("tab", name="Chat").click()
    ben_page.get_by_label("Your remark").fill("Good luck!")
    ben_page.keyboard.press("Enter")
    anna_page.get_by_role("tab", name="Chat").click()
    expect(anna_page.get_by_text("Good luck!")).to_be_visible()
    ben_page.get_by_role("tab", name="Log").click()

    # Ben's connection breaks; meanwhile Anna goes on, and he is not told.
    ben_page.context.set_offline(True)
    lost = ben_page.get_by_text("The connection is lost")
    expect(lost).to_be_visible()
    before = ben.steps
    anna.act(anna.button("done"))
    anna.asked("land_area_combat")
    assert ben.steps == before
    ben_page.context.set_offline(False)
    ben.wait(lambda: ben.steps == anna.steps)
    expect(lost).to_have_count(0)

    # He closes the page and comes back later: everything is there.
    address = ben_page.url
    ben_page.goto("about:blank")
    anna.act(anna.button("done"))
    ben_page.goto(address)
    ben = Person(ben_page)
    ben.turn()
    ben.wait(lambda: ben.steps == anna.steps)
