"""The first Game-Turn of Global War (1975) for the Axis, in a browser."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.playing import start


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
