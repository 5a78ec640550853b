"""Germany's first turn in Global War 1936-1945, in a browser, and the diplomacy beside it."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.playing import start

GERMANY = "Play Germany from 1936"


def test_a_newcomer_plays_germany_in_1936(open_page: Open) -> None:
    page = open_page()
    german = start(page, GERMANY)
    german.asked("produce")
    guide = page.get_by_role("complementary", name="Guide")
    expect(guide).to_contain_text("July 1936")
    page.get_by_role("button", name="Leave the guide").click()
    expect(german.panel).to_contain_text("Nothing has been paid this turn for: Battlecruiser.")

    # The instalment of a ship, and units for what is left.
    german.act(german.panel.locator('[data-choice="Battlecruiser"]').first)
    page.get_by_placeholder("Find among").fill("infantry")
    german.panel.locator('[data-choice="Infantry"]').click()
    german.put("number", 3)
    expect(german.panel).to_contain_text("9 of 14")
    german.act(german.button("main"))
    expect(german.log).to_contain_text("Germany began 3 Infantry.")
    german.act(german.button("done"))
    german.asked("combat_move")

    # A march into a neutral country is war, and is asked about; Austria is annexed without one.
    german.space("western_germany")
    german.put("germany:infantry", 2)
    german.panel.locator('[data-way="belgium"]').click()
    expect(german.panel).to_contain_text("That is a declaration of war on Belgium.")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    german.move("bavaria", {"germany:infantry": 1}, "austria")
    expect(german.log).to_contain_text("Germany annexed Austria.")
    german.act(german.button("done"))
    german.asked("noncombat_move")
    german.act(german.button("done"))

    # Everything that is ready is placed where it fits, and the others have their turn. Spain's
    # recruits may have come before it.
    german.play(lambda: german.kind == "place_units")
    german.panel.locator('[data-choice="Place in Berlin"]').click()
    german.act(german.button("main"))
    expect(german.log).to_contain_text("Germany placed 3 Infantry in Berlin.")
    german.act(german.button("done"))
    expect(german.log).to_contain_text("July 1936: Soviet Union")


def test_diplomacy_and_sheets_tell_how_nations_stand(open_page: Open) -> None:
    page = open_page()
    german = start(page, GERMANY)
    german.asked("produce")
    page.get_by_role("button", name="Leave the guide").click()
    page.get_by_role("group", name="You may").get_by_role("button").first.click()
    german.asked("diplomacy")
    expect(german.panel).to_contain_text("At war with nobody.")
    expect(german.panel).to_contain_text("cannot be signed before July 1939")
    page.get_by_role("button", name="Not now").click()
    german.asked("produce")
    page.get_by_role("tab", name="Powers").click()
    sheet = page.locator("details", has_text=re.compile("Worth of its land zones")).first
    sheet.locator("summary").click()
    expect(sheet).to_contain_text("Possesses Romania")
    expect(sheet).to_contain_text("Lebensraum")
