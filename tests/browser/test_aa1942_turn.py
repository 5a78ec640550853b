"""A full turn of Axis & Allies 1942 against bots, in a browser: from the first click to income."""

from __future__ import annotations

import re

from playwright.sync_api import expect

import sandtable
from sandtable.kernel.savefile import save_text
from tests.browser.conftest import Open
from tests.browser.playing import AXIS, load, start


def german_turn(seed: int = 11) -> str:
    """A save in which the Soviet Union has bought and done nothing, and Germany begins."""
    game = sandtable.new("aa1942", seed=seed)
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
    german.asked("choose_casualties", "press_or_retreat", "noncombat_move")
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()
    board = page.get_by_role("region", name=re.compile("Caucasus"))
    for _ in range(40):
        german.turn()
        if german.kind == "noncombat_move":
            break
        expect(board).to_be_visible()
        if german.kind == "press_or_retreat":
            expect(german.panel).to_contain_text("%")
        german.decide()
    german.asked("noncombat_move")
    expect(german.log).to_contain_text("rolled")
    expect(german.log).to_contain_text("The battle in Caucasus is over")

    german.move("germany", {"infantry": 1}, "poland")
    german.act(german.button("done"))
    german.asked("mobilize")
    # What was bought is placed; the bots play their turns, in which Germany may have to choose its
    # losses; and it is asked again what to buy.
    german.play(until=lambda: german.kind == "purchase")
    expect(german.log).to_contain_text("Round 2: it is the turn of Germany")


def test_the_timeline_shows_what_was_and_undo_what_is(open_page: Open) -> None:
    page = open_page()
    german = load(page, german_turn())
    german.asked("purchase")
    german.act(german.button("main"))
    german.asked("combat_move")
    timeline = page.get_by_role("region", name="Timeline")

    def attacked() -> bool:
        """Whether the map shows a German tank in Caucasus."""
        return "Germany 1 tank" in german.content("caucasus").replace("Tank", "tank")

    assert not attacked()
    german.move("ukraine_ssr", {"tank": 1}, "caucasus")
    german.wait(attacked)

    # A step back the tank is not there yet, forward it is.
    timeline.get_by_role("button", name="A step back").click()
    german.wait(lambda: not attacked())
    timeline.get_by_role("button", name="A step forward").click()
    german.wait(attacked)
    timeline.get_by_role("button", name="To the start").click()
    expect(timeline).to_contain_text("start of the game")
    german.wait(lambda: not attacked())
    timeline.get_by_role("button", name="Back to now").click()
    expect(timeline).to_contain_text("Now")
    german.wait(attacked)

    # Undo takes it back for good.
    steps = german.steps
    page.get_by_role("button", name="Undo", exact=True).click()
    german.wait_beyond(steps)
    german.wait(lambda: not attacked())


def clear_attacks() -> str:
    """A save in which Germany has sent tanks to two places that cannot be held."""
    forces = {
        "ukraine_ssr": {"germany": {"tank": 8}},
        "west_russia": {"germany": {"tank": 8}},
        "caucasus": {"soviet_union": {"infantry": 2}},
        "archangel": {"soviet_union": {"infantry": 2}},
    }
    position = {"base": "empty", "turn": "germany", "phase": "combat_move", "units": forces}
    game = sandtable.new("aa1942", seed=11, position=position)
    for path in (["ukraine_ssr", "caucasus"], ["west_russia", "archangel"]):
        game.submit("germany", {"kind": "move", "units": {"tank": 8}, "path": path})
    return save_text(game)


def test_clear_battles_are_fought_by_themselves(open_page: Open) -> None:
    german = load(open_page(), clear_attacks())
    german.asked("combat_move")
    german.act(german.button("done"))
    german.asked("choose_battle")
    german.button("auto").click()
    german.asked("noncombat_move")
    for place in ("Caucasus", "Archangel"):
        expect(german.log).to_contain_text(f"The battle in {place} is over")


def test_moves_show_their_odds_and_one_of_them_can_be_taken_back(open_page: Open) -> None:
    german = load(open_page(), german_turn())
    german.asked("purchase")
    german.act(german.button("main"))
    german.asked("combat_move")
    expect(german.panel).to_contain_text("No attack has been sent yet.")
    german.space("ukraine_ssr")
    german.put("infantry", 3)
    way = german.panel.locator('[data-way="caucasus"]')
    expect(way).to_contain_text("% to win")
    expect(way).to_contain_text("destroys")
    german.act(way)
    german.move("sz9", {"submarine": 2}, "sz10")
    german.page.keyboard.press("Escape")

    # What is sent so far, with its odds; a poor one is named beside the button that ends the step.
    ahead = german.panel.get_by_role("region", name="Battles to come")
    expect(ahead.get_by_role("button", name="Call off")).to_have_count(2)
    expect(ahead.get_by_text("% to win")).to_have_count(2)
    expect(german.panel).to_contain_text("Caucasus: only")
    expect(german.panel).not_to_contain_text("No attack has been sent yet.")

    # Each line takes back what it stands at, the battle all that leads to it: one request, and one
    # picture, however old it is.
    undone: list[str] = []
    told: list[str] = []
    german.page.on("request", lambda one: undone.append(one.url) if "/undo" in one.url else None)
    german.page.on(
        "websocket", lambda one: one.on("framereceived", lambda frame: told.append(str(frame)))
    )
    german.page.reload()
    german.asked("combat_move")
    for unit in ("artillery", "tank"):
        german.move("ukraine_ssr", {unit: 1}, "caucasus")
    german.page.keyboard.press("Escape")
    back = german.panel.get_by_role("button", name="Take back:")
    expect(back).to_have_count(4)
    told.clear()
    german.panel.get_by_role("button", name="Take back: Germany sent 2 submarines").click()
    expect(german.log).not_to_contain_text("to Sea Zone 10")
    expect(back).to_have_count(3)
    assert len(undone) == 1 and sum('"type":"update"' in one for one in told) == 1
    for sent in ("3 infantry", "1 artillery", "1 tank"):
        expect(german.log).to_contain_text(f"Germany sent {sent} from Ukraine S.S.R. to Caucasus")
    expect(ahead.get_by_role("button", name="Call off")).to_have_count(1)
    ahead.get_by_role("button", name="Call off: Caucasus").click()
    expect(german.log).not_to_contain_text("to Caucasus")
    expect(ahead).to_have_count(0)
    assert len(undone) == 2
