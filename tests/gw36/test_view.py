"""Global War as clients draw it: zones, sheets, the Production Chart, and what is told of it."""

from __future__ import annotations

import sandtable
from sandtable.games.gw36 import view, words
from sandtable.kernel.display import Sheet
from sandtable.kernel.events import Event
from tests.gw36.table import table


def sheet(game: sandtable.Game, power: str) -> Sheet:
    return next(each for each in view.picture(game.state, ()).sheets if each.power == power)


def test_a_sheet_tells_which_bonus_holds() -> None:
    peace = sandtable.new("gw36", seed=1)
    rows = {row.label: row for row in sheet(peace, "japan").rows if row.group == "Bonus income"}
    trade, *_ = (row for label, row in rows.items() if label.startswith("At peace with United"))
    assert (trade.value, trade.tone) == ("+3", "good")
    assert {row.tone for row in rows.values() if row is not trade} == {"dim"}
    t = table(
        "germany",
        wars=[("germany", "ussr")],
        possession={"romania": "germany"},
        units={"romania": {"germany": "infantry"}},
    )
    held = {row.label: row.tone for row in sheet(t.game, "germany").rows}
    assert held["Possesses Romania"] == "good"
    assert held["Possesses Transcaucasia"] == "dim"


def test_who_is_at_war_has_no_peacetime_income() -> None:
    t = table("germany", wars=[("germany", "great_britain")])
    labels = {row.label for row in sheet(t.game, "great_britain").rows}
    assert "Wartime income" not in labels
    peace = {row.label: row for row in sheet(sandtable.new("gw36", seed=1), "usa").rows}
    assert peace["Wartime income"].value == "63"
    assert peace["Lend-lease"].tone == "dim"


def test_a_republican_victory_in_spain_stands_on_the_soviet_sheet() -> None:
    game = sandtable.new("gw36", seed=1)
    game.state.spain = "republican"
    rows = {row.label: row.value for row in sheet(game, "ussr").rows}
    assert rows["Spanish Civil War"] == "1 of 1"


def test_facilities_of_a_kind_share_a_mark() -> None:
    picture = view.picture(sandtable.new("gw36", seed=1).state, ())
    for zone, space in picture.spaces.items():
        symbols = [mark.symbol for mark in space.marks]
        assert len(symbols) == len(set(symbols)), zone
    berlin = {mark.symbol: mark for mark in picture.spaces["berlin"].marks}
    assert (berlin["factory"].title, berlin["factory"].text) == ("Major Factory", "5")


def test_a_controlled_minor_power_shows_who_decides_for_it() -> None:
    picture = view.picture(sandtable.new("gw36", seed=1).state, ())
    madrid = picture.spaces["madrid"]
    assert (madrid.owner, madrid.holder) == ("spain_republican", "ussr")
    assert madrid.lines[0] == "Possessed by Spanish Republicans, which Soviet Union Controls."


def test_the_production_chart_counts_what_is_alike() -> None:
    game = sandtable.new("gw36", seed=1)
    game.submit("germany", {"kind": "buy", "unit": "infantry", "number": 3})
    (pool,) = (each for each in view.picture(game.state, ()).pools if each.power == "germany")
    assert ("Infantry: ready", 3) in [(piece.name, piece.count) for piece in pool.pieces]
    assert pool.note == "Ready: 3 Infantry and 1 Submarine."


def test_research_is_told_with_its_outcome() -> None:
    facts = sandtable.new("gw36", seed=1).state.facts
    lines = [["germany", "radar", 1, 0, 12]]
    told = {
        passed: words.sentence(
            facts,
            Event(
                "researched",
                {
                    "power": "germany",
                    "about": ["radar"],
                    "stage": 2,
                    "passed": passed,
                    "lines": lines,
                    "dice": [9],
                },
            ),
        )
        for passed in (True, False)
    }
    assert told[True] == "Germany researched Radar: stage 2 of 3 reached."
    assert told[False] == "Germany researched Radar: in vain."
