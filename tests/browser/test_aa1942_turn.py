"""A full turn of Axis & Allies 1942 against bots, in a browser: from the first click to income."""

from __future__ import annotations

import re
from contextlib import suppress

from playwright.sync_api import TimeoutError, expect

import sandtable
from sandtable.kernel.saves import save_text
from tests.browser.conftest import Open
from tests.browser.playing import AXIS, load, start


def german_turn() -> str:
    """A save in which the Soviet Union has bought and done nothing, and Germany begins."""
    game = sandtable.new("aa1942", seed=11)
    decisions = ({"kind": "buy"}, {"kind": "done"}, {"kind": "done"})
    for decision in decisions:
        game.submit("soviet_union", decision)
    assert game.pending[0].power == "germany"
    return save_text(game)


def test_a_newcomer_is_asked_what_to_buy_and_is_guided(open_page: Open) -> None:
    page = open_page()
    german = start(page, AXIS)
    german.asked("purchase")
    guide = page.get_by_role("complementary", name="Guide")
    expect(guide).to_be_visible()
    before = guide.inner_text()
    guide.get_by_role("button", name="Next").click()
    expect(guide).not_to_have_text(before)
    page.get_by_role("button", name="Leave the guide").click()
    expect(guide).to_have_count(0)


def test_a_german_turn_with_a_battle_and_casualties(open_page: Open) -> None:
    page = open_page()
    german = load(page, german_turn())
    german.asked("purchase")

    # Purchase: the running cost, and what is left.
    german.put("infantry", 7)
    german.put("tank", 3)
    expect(german.panel).to_contain_text("39 of 41")
    german.act(german.button("main"))
    german.asked("combat_move")
    expect(german.log).to_contain_text("7 infantry and 3 tanks")

    # A move is made, taken back, and made again: no die has fallen.
    force = {"infantry": 3, "artillery": 1, "tank": 1}
    german.move("ukraine_ssr", force, "caucasus")
    expect(german.log).to_contain_text("from Ukraine S.S.R. to Caucasus")
    steps = german.steps
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(german.log).not_to_contain_text("from Ukraine S.S.R. to Caucasus")
    german.wait_beyond(steps)
    german.move("ukraine_ssr", force, "caucasus")

    # What cannot be reached says why.
    german.space("germany")
    german.put("fighter", 1)
    expect(german.panel.locator('[data-way="sz5"]')).to_have_count(0)
    expect(german.panel.locator("[data-way]").first).to_be_visible()
    german.space("japan")
    expect(german.panel.get_by_role("alert")).to_contain_text("Too far: they can fly 4 spaces.")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")

    german.act(german.button("done"))

    # The battle, with its odds, dice and casualties. The dice decide what is asked: if everybody
    # falls at once, nothing is.
    german.asked("choose_battle", "choose_casualties", "press_or_retreat", "noncombat_move")
    board = page.get_by_role("region", name=re.compile("Caucasus"))
    for _ in range(40):
        german.turn()
        if german.kind == "noncombat_move":
            break
        if german.kind != "choose_battle":
            expect(board).to_be_visible()
        if german.kind == "press_or_retreat":
            expect(german.panel).to_contain_text("%")
        german.decide()
    german.asked("noncombat_move")
    expect(german.log).to_contain_text("rolled")
    expect(german.log).to_contain_text("The battle in Caucasus is over")
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()

    german.move("germany", {"infantry": 1}, "poland")
    german.act(german.button("done"))
    german.asked("mobilize")
    while german.kind == "mobilize":
        german.decide()
    # The bots play their turns, and Germany is asked again.
    expect(german.log).to_contain_text("Round 2: it is the turn of Germany", timeout=90_000)
    german.asked("purchase")


def test_clear_battles_are_fought_by_themselves(open_page: Open) -> None:
    german = load(open_page(), german_turn())
    german.asked("purchase")
    german.act(german.button("main"))
    german.asked("combat_move")
    german.move("ukraine_ssr", {"infantry": 3, "artillery": 1, "tank": 1}, "caucasus")
    german.act(german.button("done"))
    german.asked("choose_battle", "press_or_retreat", "choose_casualties", "noncombat_move")
    stop = german.page.get_by_role("button", name="Stop fighting by itself")
    for _ in range(300):
        if german.kind == "noncombat_move":
            expect(german.log).to_contain_text("The battle in Caucasus is over")
            return
        if german.kind == "" or stop.is_visible():
            german.page.wait_for_timeout(200)
        elif german.button("auto").is_visible():
            # It may go while we reach for it: the last answer was just given.
            with suppress(TimeoutError):
                german.button("auto").click(timeout=1000)
        else:
            german.decide()
    raise AssertionError("The battles do not end.")
