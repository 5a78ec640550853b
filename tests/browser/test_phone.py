"""A turn of each game on a phone, with a finger."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Open
from tests.browser.playing import AXIS, SCENARIO_A, Person
from tests.browser.test_screens import fits


class Turn(NamedTuple):
    """A first turn: how it is begun, a move in it, and what the log says when it is over."""

    button: str
    kind: str
    origin: str
    row: str
    goal: str
    over: str


TURNS = {
    "aa1942": Turn(
        AXIS,
        "combat_move",
        "ukraine_ssr",
        "infantry",
        "caucasus",
        "it is the turn of the United Kingdom",
    ),
    "blitz": Turn(SCENARIO_A, "rebase_units", "berlin", "", "", "Turn 2"),
    "gw36": Turn(
        "Play Germany from 1936",
        "combat_move",
        "bavaria",
        "germany:infantry",
        "austria",
        "July 1936: Soviet Union",
    ),
    "gw75": Turn(
        "Play the Axis from 1939", "land_movement", "W3021", "germany:mech", "W3022", "Turn 2"
    ),
}


def tap_space(page: Page, space: str) -> None:
    """Bring a space into view and tap the map there."""
    page.locator(f'button[data-space="{space}"]').focus()
    place = page.evaluate("id => window.__sandtable_board(id)", space)
    board = page.get_by_role("main").bounding_box()
    assert board
    assert board["x"] <= place["x"] <= board["x"] + board["width"]
    assert board["y"] <= place["y"] <= board["y"] + board["height"]
    page.touchscreen.tap(place["x"], place["y"])


@pytest.mark.parametrize("game", TURNS)
def test_a_turn_on_a_phone(open_page: Open, game: str) -> None:
    turn = TURNS[game]
    page = open_page(size=PHONE)
    page.get_by_role("button", name=turn.button).tap()
    page.wait_for_url("**/game/*")
    person = Person(page, touch=True)
    person.wait(lambda: bool(person.kind))
    page.get_by_role("button", name="Leave the guide").tap()
    fits(page)
    person.wait(lambda: bool(page.evaluate("() => !!window.__sandtable_board")))

    # Units are picked on the map and sent on.
    person.play(lambda: person.kind == turn.kind)
    tap_space(page, turn.origin)
    origin = person.name_of(turn.origin)
    expect(person.panel.get_by_role("heading", name=f"From {origin}")).to_be_visible()
    rows = person.panel.locator(f'[data-row="{turn.row}"]' if turn.row else "[data-row]")
    # A unit that stands alone is picked already.
    if rows.first.get_attribute("type") != "checkbox":
        rows.first.locator("xpath=following-sibling::button[1]").tap()
    ways = person.panel.locator(f'[data-way="{turn.goal}"]' if turn.goal else "[data-way]")
    person.act(ways.first)

    # Everything else is answered as it is proposed, until others have their turn.
    over = re.compile(turn.over)
    person.play(lambda: bool(over.search(person.log.text_content() or "")))
    fits(page)
