"""The first Game-Turn of Global War (1975) for the Axis, in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import sandtable
from sandtable.kernel.savefile import save_text
from tests.browser.conftest import PHONE, Open
from tests.browser.playing import load, start


def test_a_newcomer_plays_the_axis_in_1939(open_page: Open) -> None:
    page = open_page()
    axis = start(page, "Play the Axis from 1939")
    axis.asked("maintain")
    guide = page.get_by_role("complementary", name="Guide")
    expect(guide).to_contain_text("September 1939")
    page.get_by_role("button", name="Leave the guide").click()
    expect(axis.panel).to_contain_text("All units cost 19 to maintain")

    # Ships stay idle as proposed, and nothing sails or flies.
    axis.act(axis.button("main"))
    expect(axis.log).to_contain_text("Not activated in Ruhr-Hamburg (W3120): 2 Surface-B")
    axis.play(lambda: axis.kind == "land_movement")

    # A march with its cost, and the reason where there is none.
    axis.space("W3021")
    axis.put("germany:mech", 4)
    axis.put("germany:inf", 4)
    expect(axis.panel.locator('[data-way="W3022"]')).to_be_visible()
    axis.space("W3122")
    expect(page.locator("body")).to_contain_text("only 1 can be overrun")
    axis.act(axis.panel.locator('[data-way="W3022"]'))
    expect(axis.log).to_contain_text("from Bohemia-Silesia (W3021) to Budapest (W3022).")
    axis.act(axis.button("done"))

    # An attack from two hexes, and whatever the die makes of it.
    axis.asked("land_attacks")
    danzig = axis.panel.locator('[data-choice="Attack Danzig (W3122)"]')
    expect(danzig).to_contain_text("21 against 2: differential +19")
    danzig.click()
    axis.put("W3121:germany:inf", 4)
    axis.act(axis.button("main"))
    expect(axis.log).to_contain_text("Germany is to attack Danzig (W3122)")
    axis.act(axis.button("done"))
    expect(axis.log).to_contain_text("Germany attacked Danzig (W3122)")
    axis.play(lambda: axis.kind == "strategic_movement")
    axis.act(axis.button("done"))

    # The Allies have their turn; then every power of the Axis orders units.
    axis.play(lambda: axis.kind == "production")
    axis.panel.get_by_role("button", name="One more: Infantry", exact=True).first.click()
    expect(axis.panel.get_by_role("list", name="Orders")).to_contain_text("Infantry")
    # A sheet that is being filled in stays when the page is loaded again.
    page.reload()
    axis.asked("production")
    orders = axis.panel.get_by_role("list", name="Orders")
    expect(orders).to_contain_text("Infantry")
    # All of it is given, and nothing twice.
    axis.panel.get_by_role("button", name="One more: Mechanized", exact=True).first.click()
    expect(orders).to_contain_text("Mechanized")
    axis.button("done").click()
    axis.button("done").click()
    expect(axis.log).to_contain_text("Germany builds 1 Infantry")
    expect(axis.log).to_contain_text("Germany builds 1 Mechanized")
    axis.asked("maintain")
    expect(page.locator(".toast")).to_have_count(0)


@pytest.mark.parametrize("size", ["laptop", PHONE])
def test_a_pipeline_is_changed_as_a_whole(open_page: Open, size: str) -> None:
    game = sandtable.new("gw75", seed=1, position={"phase": "axis_naval_3"})
    axis = load(open_page(size=size), save_text(game))
    axis.touch = size == PHONE
    axis.asked("naval")
    axis.press(axis.panel.locator("[data-network]"))
    expect(axis.panel).to_contain_text("4 Merchant Ships to spare")
    usa = axis.panel.locator("[data-course]", has_text="Japan to United States")

    def more(label: str) -> None:
        axis.press(axis.panel.get_by_role("button", name=f"One more: {label}"))

    # It says why not; else what it takes, which is then done by ordinary moves.
    more("Italy to Libya")
    expect(axis.panel.get_by_role("alert")).to_contain_text("Merchant Ship")
    more("Japan to United States")
    expect(axis.panel.get_by_role("list", name="Moves that it takes")).to_contain_text("to E2413")
    expect(usa.get_by_role("status")).to_have_text("2")
    axis.act(axis.button("main"))
    expect(axis.panel).to_contain_text("3 Merchant Ships to spare")
    expect(usa.get_by_role("status")).to_have_text("2")
    expect(axis.log).to_contain_text("Japan")

    # A new one, by its ends.
    axis.press(axis.panel.get_by_role("button", name="Between two other ends"))
    axis.panel.get_by_role("combobox").select_option("E2609")
    axis.space("E2508")
    new = axis.panel.locator('[data-course="E2609 E2508"]')
    expect(new).to_be_visible()
    axis.page.keyboard.press("Escape")
    expect(axis.panel.locator("[data-network]")).to_be_visible()


def test_the_map_is_dragged_round_the_globe(open_page: Open) -> None:
    page = open_page()
    axis = load(page, save_text(sandtable.new("gw75", seed=1)))
    axis.asked("maintain")
    page.get_by_role("button", name="World", exact=True).click()
    board = page.locator(".board canvas").bounding_box()
    assert board
    middle = board["x"] + board["width"] / 2, board["y"] + 120
    westward = ["W3121", "W2705", "E2222", "E2611"]  # Berlin, Norfolk, Pearl Harbor, Tokyo
    seen: list[str] = []
    # More than twice round: what is in the middle is where it seems to be.
    for _ in range(12):
        page.mouse.move(*middle)
        page.mouse.down()
        page.mouse.move(middle[0] + 150, middle[1], steps=3)
        page.mouse.move(middle[0] + 300, middle[1], steps=3)
        page.mouse.up()
        places = {hex: axis.place(hex) for hex in westward}
        for hex in sorted(places, key=lambda hex: -places[hex][0]):
            if abs(places[hex][0] - middle[0]) < 150 and hex not in seen[-1:]:
                seen.append(hex)
                page.mouse.click(*places[hex])
                expect(page.locator(".board .chosen")).to_contain_text(axis.name_of(hex))
    assert seen == (westward * 4)[1 : len(seen) + 1] and len(seen) > 8


@pytest.mark.parametrize("size", ["laptop", PHONE])
def test_rights_and_layers_are_within_reach(open_page: Open, size: str) -> None:
    game = sandtable.new("gw75", seed=1, position={"phase": "axis_land_movement", "turn": 3})
    page = open_page(size=size)
    axis = load(page, save_text(game))
    axis.touch = size == PHONE
    axis.asked("land_movement")
    layer = page.get_by_role("button", name="Pipelines", exact=True)
    axis.press(layer)
    expect(layer).to_have_attribute("aria-pressed", "true")
    may = page.get_by_role("group", name="You may").get_by_role("button", name="Enter a war")
    if size != PHONE:
        expect(may).to_be_in_viewport()  # though the list of units is long
    axis.press(may)
    axis.asked("politics")
    expect(axis.panel).to_contain_text("Germany's Enemies are its own then.")
    axis.decide()
    expect(axis.log).to_contain_text("Italy entered the war")
    axis.asked("land_movement")
