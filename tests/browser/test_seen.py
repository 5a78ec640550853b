"""Seeing what happened: the report, its replay, and a timeline without what was taken back."""

from __future__ import annotations

import re

from playwright.sync_api import expect

import sandtable
from sandtable.kernel.savefile import save_text
from tests.browser.conftest import Open
from tests.browser.playing import load


def attacked_by_a_bot() -> str:
    """A save in which the Soviet Union can walk into what Germany has left: no die falls."""
    forces = {
        "caucasus": {"soviet_union": {"tank": 9, "infantry": 9}},
        "germany": {"germany": {"infantry": 20}},
        "japan": {"japan": {"infantry": 9}},
    }
    position = {
        "base": "empty",
        "turn": "soviet_union",
        "phase": "combat_move",
        "units": forces,
    }
    return save_text(sandtable.new("aa1942", seed=5, position=position))


def test_what_bots_did_is_reported_and_replayed_and_an_undone_step_is_none(
    open_page: Open,
) -> None:
    page = open_page()
    german = load(page, attacked_by_a_bot())
    german.asked("purchase")
    report = page.get_by_role("region", name="Since your last turn")
    lost = report.get_by_role("button", name=re.compile(", to Soviet Union$")).first
    expect(lost).to_be_visible()
    expect(report).to_contain_text("Income")
    # What concerned us is shown again, and then it is now.
    timeline = page.get_by_role("region", name="Timeline")
    expect(timeline).to_contain_text(re.compile(r"Now · \d+ steps"))
    timeline.get_by_title("1 times as fast").click()
    report.get_by_role("button", name="Replay").click()
    past = page.get_by_text("You are looking at the past.")
    expect(past).to_be_visible()
    expect(past).to_be_hidden()
    expect(timeline).to_contain_text("Now")

    # A step more, and none when it is taken back; one back from there moves.
    before = int(re.findall(r"(\d+) step", timeline.inner_text())[0])
    german.act(german.button("main"))
    german.asked("combat_move")
    expect(timeline).to_contain_text(f"{before + 1} steps")
    expect(german.log).to_contain_text("Germany bought")
    page.get_by_role("button", name="Undo", exact=True).click()
    german.asked("purchase")
    expect(timeline).to_contain_text(f"{before} steps")
    for step in (before - 1, before - 2):
        timeline.get_by_role("button", name="A step back").click()
        expect(timeline).to_contain_text(f"{step}/{before}")
    timeline.get_by_role("button", name="Back to now").click()

    # The speed is remembered.
    faster = timeline.get_by_title("4 times as fast")
    faster.click()
    page.reload()
    expect(faster).to_have_attribute("aria-pressed", "true")
