"""Acting on the map with the mouse: how many clicks a turn takes, dragging, loading.

Clicks are counted as the browser sees them, a drag as one."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.playing import AXIS, KNOWN_DICE, SCENARIO_A, Person, load, start
from tests.browser.test_aa1942_turn import german_turn

COUNT = "window.clicks = 0; addEventListener('pointerdown', () => window.clicks++, true)"


def clicks(page: Page) -> int:
    count = page.evaluate("() => window.clicks")
    assert isinstance(count, int)
    return count


ORDERS: tuple[tuple[str, str, str, bool, int], ...] = (
    ("ukraine_ssr", "infantry", "caucasus", True, 2),
    ("poland", "infantry", "caucasus", True, 2),
    ("west_russia", "infantry", "archangel", True, 1),
    ("finland", "infantry", "karelia_ssr", False, 1),
    ("belorussia", "infantry", "karelia_ssr", False, 1),
    ("baltic_states", "infantry", "karelia_ssr", True, 1),
    ("germany", "tank", "karelia_ssr", True, 2),
    ("norway", "fighter", "karelia_ssr", False, 1),
    ("sz15", "battleship", "sz14", False, 1),
    ("sz5", "cruiser", "sz7", True, 1),
)
"""What is dragged where, with Shift or without, and how many orders that gives: land units and
aircraft are ordered apart."""


def fight(german: Person) -> None:
    """Let clear battles be fought, decide the others."""
    while german.turn() and german.kind != "noncombat_move":
        if german.button("auto").is_visible():
            steps = german.steps
            german.button("auto").click()
            german.wait_beyond(steps)
            german.wait(lambda: not german.panel.get_by_text("fought out for you").is_visible())
        else:
            german.decide()


def test_a_whole_opening_turn_of_germany_within_60_clicks(open_page: Open) -> None:
    page = open_page()
    page.add_init_script(COUNT)
    german = load(page, german_turn(KNOWN_DICE))
    german.asked("purchase")
    before = clicks(page)
    german.act(german.button("main"))
    german.asked("combat_move")
    for origin, symbol, goal, stack, orders in ORDERS:
        steps = german.steps
        german.drag(origin, symbol, goal, stack=stack)
        german.wait_until_steps(steps + orders)
    assert sum(orders for *_, orders in ORDERS) == 13
    battles = german.panel.get_by_role("region", name="Battles to come")
    expect(battles.get_by_role("button", name="Call off")).to_have_count(5)
    german.act(german.button("done"))
    fight(german)
    german.play(until=lambda: german.kind not in ("", "noncombat_move", "mobilize"))
    assert clicks(page) - before <= 60


def test_counters_are_dragged_and_ships_loaded_on_the_map(open_page: Open) -> None:
    page = open_page()
    german = load(page, german_turn())
    german.asked("purchase")
    # Money that is left is asked about once, in the button.
    nothing = german.panel.get_by_role("button", name="Buy nothing")
    nothing.click()
    expect(nothing).to_have_text("41 IPCs are not spent. Buy nothing all the same?")
    german.act(nothing)
    german.asked("combat_move")

    # A click on a counter adds one of it, another one more; Escape puts all back at once.
    for number in ("1", "2"):
        page.mouse.click(*german.place("ukraine_ssr", "infantry"))
        expect(german.row("infantry")).to_have_value(number)
    page.mouse.click(*german.place("ukraine_ssr", "tank"))
    expect(german.row("tank")).to_be_checked()
    page.keyboard.press("Escape")
    expect(german.panel.get_by_role("heading", name="From")).to_have_count(0)

    # While it is dragged, the odds are shown; a drop that is not allowed says why.
    page.mouse.move(*german.place("ukraine_ssr", "tank"))
    page.mouse.down()
    page.mouse.move(*german.place("caucasus"), steps=4)
    expect(german.panel.locator('[data-way="caucasus"]')).to_contain_text("% to win")
    page.mouse.move(*german.place("norway"), steps=4)
    page.mouse.up()
    expect(german.panel.get_by_role("alert")).to_contain_text("Too far: tanks move 2 spaces.")
    page.keyboard.press("Escape")
    steps = german.steps
    german.drag("ukraine_ssr", "tank", "caucasus")
    german.wait_until_steps(steps + 1)
    expect(german.log).to_contain_text("Germany sent 1 tank from Ukraine S.S.R. to Caucasus")
    page.keyboard.press("Control+z")
    expect(german.log).not_to_contain_text("to Caucasus")
    german.wait(lambda: german.idle)

    # A ship takes what is clicked on the coast, and no more than it has room for.
    page.mouse.click(*german.place("sz5", "transport"))
    aboard = german.panel.get_by_role("img", name="aboard")
    for place, symbol, number in (("germany", "tank", 1), ("finland", "infantry", 2)):
        page.mouse.click(*german.place(place, symbol))
        expect(aboard).to_have_accessible_name(f"{number} of 2 aboard")
    page.mouse.click(*german.place("germany", "infantry"))
    expect(german.panel.get_by_role("alert")).to_contain_text("The transport is full: it carries")
    expect(aboard).to_have_accessible_name("2 of 2 aboard")
    expect(german.panel.locator('[data-way="karelia_ssr"]')).to_be_visible()
    page.mouse.click(*german.place("karelia_ssr"))
    expect(german.log).to_contain_text("to land 1 infantry and 1 tank in Karelia")


FIRST = {
    AXIS: '[data-answer="main"]',
    SCENARIO_A: '[data-answer="done"]',
    "Play Germany from 1936": '[data-choice="Battlecruiser"]',
    "Play the Axis from 1939": '[data-answer="main"]',
}
"""The quick starts, and what decides something in the first question of each."""


def test_a_newcomer_decides_with_the_second_click(open_page: Open) -> None:
    page = open_page()
    page.add_init_script(COUNT)
    for quick, answer in FIRST.items():
        newcomer = start(page, quick)
        newcomer.turn()
        steps, before = newcomer.steps, clicks(page)
        newcomer.panel.locator(answer).first.click()
        newcomer.wait_beyond(steps)
        assert clicks(page) - before == 1
