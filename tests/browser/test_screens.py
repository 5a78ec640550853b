"""Every screen at both sizes and in all themes: it can be seen whole, and axe-core finds no serious
violation; and playing with the keyboard alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, SIZES, Open
from tests.browser.playing import AXIS, SCENARIO_A, Person, load, start
from tests.browser.test_aa1942_turn import german_turn

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = ["/", "/new/aa1942", "/new/blitz", "/games", "/verify", "/account", "/help", "/nowhere"]


def violations(page: Page) -> list[str]:
    """What axe-core finds serious or critical in what is on the screen."""
    # Not as a script element: the page's own policy forbids that.
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run()).violations")
    return [
        f"{each['id']} ({each['impact']}): {node['html'][:160]} {node['failureSummary'][:200]}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"][:3]
    ]


def fits(page: Page) -> None:
    """Nothing sticks out sideways."""
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0, f"{wide} px stick out"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pages_are_accessible_and_fit(open_page: Open, size: str, theme: str) -> None:
    page = open_page(size=size, theme=theme)
    for path in PAGES:
        page.goto(path)
        expect(page.get_by_role("main")).to_be_visible()
        page.wait_for_load_state("networkidle")
        fits(page)
        assert violations(page) == [], path


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("button", "kind"), [(AXIS, "purchase"), (SCENARIO_A, "rebase_units")])
def test_the_game_is_accessible_and_fits(
    open_page: Open, size: str, theme: str, button: str, kind: str
) -> None:
    page = open_page(size=size, theme=theme)
    person = start(page, button)
    person.asked(kind)
    expect(page.locator("canvas").first).to_be_visible()
    fits(page)
    assert violations(page) == []
    for tab in ("Powers", "Chat", "Charts"):
        page.get_by_role("tab", name=tab).click()
        assert violations(page) == [], tab


def tab_to(page: Page, selector: str, most: int = 120) -> None:
    """Press Tab until something has the focus."""
    for _ in range(most):
        if page.evaluate("s => document.activeElement?.matches(s) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}.")


FOCUSED = "document.activeElement?.dataset?.space ?? ''"


def go_to(page: Page, space: str) -> None:
    """Find a space by its name, and put the focus there."""
    page.keyboard.press("/")
    expect(page.get_by_role("combobox", name="Go to a place")).to_be_focused()
    page.keyboard.type(space)
    page.keyboard.press("Enter")
    expect(page.locator(f'button[data-space="{space}"]')).to_be_focused()


def test_the_keyboard_alone_starts_a_game_and_plays(open_page: Open, tmp_path: Path) -> None:
    page = open_page()
    page.wait_for_load_state("networkidle")
    quick = page.get_by_role("button", name=SCENARIO_A)
    page.keyboard.press("Tab")
    for _ in range(40):
        if quick.evaluate("button => button === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(quick).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/game/*")
    german = Person(page)
    german.asked("rebase_units")

    # An air unit is picked up on the map and flown to another base.
    tab_to(page, "button[data-space]")
    there = page.evaluate(FOCUSED)
    page.keyboard.press("ArrowUp")
    assert page.evaluate(FOCUSED) not in ("", there), "the arrow keys go from space to space"
    go_to(page, "berlin")
    page.keyboard.press("Enter")
    expect(german.panel.locator("[data-way]").first).to_be_visible()
    before = german.steps
    tab_to(page, "[data-way]")
    page.keyboard.press("Enter")
    german.wait_beyond(before)
    expect(german.log).to_contain_text("Luftwaffe rebased")

    # And taken back.
    before = german.steps
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    german.wait_beyond(before)
    expect(german.log).not_to_contain_text("Luftwaffe rebased")

    # The step is ended.
    before = german.steps
    tab_to(page, '[data-answer="done"]')
    page.keyboard.press("Enter")
    german.wait_beyond(before)
    german.asked("move_land")

    # A place is found by its name.
    go_to(page, "poland")


IN_PANEL = "!!document.activeElement?.closest('[data-kind]')"


def test_the_keyboard_keeps_its_place_through_a_purchase_and_a_move(open_page: Open) -> None:
    page = open_page()
    german = load(page, german_turn())
    german.asked("purchase")
    tab_to(page, '[data-row="infantry"]')
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(german.panel).to_contain_text("6 of 41")
    before = german.steps
    tab_to(page, '[data-answer="main"]')
    page.keyboard.press("Enter")
    expect(german.panel.locator("[data-sure]").first).to_be_focused()
    page.keyboard.press("Enter")
    german.wait_beyond(before)
    german.asked("combat_move")
    page.wait_for_function(IN_PANEL)

    # Units are picked, counted and sent off; the next comes at once.
    tab_to(page, '[data-mover="ukraine_ssr"]')
    page.keyboard.press("Enter")
    tab_to(page, '[data-row="infantry"]')
    page.keyboard.press("ArrowUp")
    expect(german.row("infantry")).to_be_focused()
    before = german.steps
    tab_to(page, '[data-way="caucasus"]')
    page.keyboard.press("Enter")
    german.wait_beyond(before)
    expect(german.log).to_contain_text("from Ukraine S.S.R. to Caucasus")
    page.wait_for_function(IN_PANEL)
