"""The guides lead from their first card to their last, whatever the dice show; and order sheets."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

import sandtable
from sandtable.kernel.savefile import save_text
from tests.browser.conftest import Open
from tests.browser.playing import AXIS, SCENARIO_A, Person, load, start


def read(person: Person, card: Locator, last: str) -> None:
    """Go on from card to card until the last one: read what can be read, do what is waited for."""
    titles: list[str] = []
    for _ in range(400):
        person.wait(lambda: card.count() > 0 or bool(person.kind))
        title = card.locator("h2").all_inner_texts()
        if not title:
            person.decide()
            continue
        if title[0] not in titles:
            titles.append(title[0])
            show = card.get_by_role("button", name="Show me")
            if show.count():
                show.click(timeout=5000)
        if title[0] == last:
            return
        on = card.get_by_role("button", name="Next")
        if on.count():
            on.click()
            expect(card.get_by_role("heading", name=title[0])).to_have_count(0)
            continue
        person.wait(lambda: bool(person.kind) and person.idle)
        person.decide()
    raise AssertionError(f"The guide does not end: {titles}")


@pytest.mark.parametrize(
    ("button", "last"),
    [
        (AXIS, "That was a turn"),
        ("Play Germany from 1936", "That was half a year"),
        ("Play the Axis from 1939", "That was a quarter of a year"),
    ],
)
def test_the_guide_leads_to_its_last_card(open_page: Open, button: str, last: str) -> None:
    page = open_page()
    person = start(page, button)
    card = page.get_by_role("complementary", name="Guide")
    expect(card).to_be_visible()
    read(person, card, last)
    card.get_by_role("button", name="Finish").click()
    expect(card).to_have_count(0)


def test_the_guide_of_scenario_a_shows_all_puts_back_and_offers_scenario_b(
    open_page: Open,
) -> None:
    page = open_page()
    german = start(page, SCENARIO_A)
    german.asked("rebase_units")
    card = page.get_by_role("complementary", name="Guide")
    on = card.get_by_role("button", name="Next")
    on.click()
    # Berlin has the air unit that can move now, and those that cannot.
    german.space("berlin")
    units = german.panel.get_by_role("region", name="Units in Berlin")
    expect(units).to_contain_text("Luftwaffe")
    expect(units).to_contain_text("Also here")
    on.click()
    expect(units).to_have_count(0)
    # War is declared from the country itself, with what follows.
    german.space("belgium_netherlands")
    war = german.panel.locator('[data-choice="Declare war on Belgium-Netherlands"]')
    expect(war).to_contain_text("Really?")
    expect(war).to_contain_text("joins the AFA")
    german.act(war)
    expect(card).to_contain_text("Air units")
    read(german, card, "Turn 2")
    here = page.url
    card.get_by_role("button", name="Play scenario B").click()
    page.wait_for_url(lambda url: url != here and "/game/" in url)
    expect(page.get_by_role("complementary", name="What wins")).to_contain_text(
        "Germany is conquered"
    )


def test_orders_wait_on_their_sheet_until_the_step_ends(open_page: Open) -> None:
    page = open_page()
    position = {"base": "setup", "phase": "turn_end", "step": "income"}
    game = sandtable.new("blitz", seed=3, options={"scenario": "B"}, position=position)
    book = game.state.books["germany"]
    german = load(page, save_text(game))
    german.asked("spend")
    panel = german.panel
    left = panel.locator(".purse").first
    orders = panel.get_by_role("list", name="Orders")
    expect(left).to_contain_text(f"{book.resources} Resources")

    def line(name: str) -> Locator:
        return panel.locator("[data-item]", has_text=name)

    # A unit on the map is one plus; one of the Force Pool is asked where it appears.
    line("Army Group A").get_by_role("button", name=re.compile("^One more")).click()
    expect(left).to_contain_text(f"{book.resources - 1} Resources")
    line("Ostwall").get_by_role("button", name=re.compile("^One more")).click()
    panel.get_by_role("group", name="Where?").get_by_role("button", name="Paris").click()
    expect(line("Ostwall")).to_contain_text("new in Paris")
    expect(orders.get_by_role("listitem")).to_have_count(2)
    expect(left).to_contain_text(f"{book.resources - 2} Resources")
    # Nothing has been given yet: all of it can be taken back.
    expect(german.log).not_to_contain_text("built")
    line("Army Group A").get_by_role("button", name=re.compile("^One less")).click()
    expect(orders.get_by_role("listitem")).to_have_count(1)
    orders.get_by_role("button", name=re.compile("^Take back")).click()
    expect(orders).to_have_count(0)
    expect(left).to_contain_text(f"{book.resources} Resources")
    expect(panel).to_contain_text("would be lost")
    line("Army Group A").get_by_role("button", name=re.compile("^One more")).click()
    expect(orders.get_by_role("listitem")).to_have_count(1)
    german.button("done").click()
    # Much is left: that is asked once more.
    expect(german.button("done")).to_contain_text("all the same")
    german.button("done").click()
    expect(german.log).to_contain_text("Germany built Army Group A")
