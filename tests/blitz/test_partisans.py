"""Partisans (7.1, F.4)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitz.facts import load_facts
from sandtable.games.blitz.rules.partisans import PlacePartisan
from sandtable.kernel.decisions import Pass
from tests.blitz.table import Play, position


def partisans(scenario: str = "campaign", **given: Any) -> Play:
    return Play(scenario, phase="turn_end", step="partisans", turn=3, **given)


def asked(play: Play) -> dict[str, tuple[str, ...]]:
    return {
        request.power: request.areas  # type: ignore[attr-defined]
        for request in play.game.pending
        if request.kind == "partisan"
    }


@pytest.mark.rule("blitz:data.partisan-table")
def test_the_partisan_table_has_the_two_lines_that_the_book_tells() -> None:
    table = load_facts().partisans
    assert sorted(table) == [1, 2, 3, 4, 5, 6]
    assert (table[1].country, table[1].both_sides) == ("china", True)
    assert table[3].choice == "axis"


@pytest.mark.rule("blitz:7.1a")
@pytest.mark.rule("blitz:F.4a")
def test_one_die_decides_and_without_enemy_held_goods_nothing_happens() -> None:
    play = partisans()
    assert [request.kind for request in play.game.pending] == ["roll"]
    play.dice(6)
    assert play.events("partisans_rolled") == [
        {
            "lines": (("", "partisans", 1, 0, 6),),
            "dice": (6,),
            "country": "france",
            "side": "",
        }
    ]
    assert play.state.partisans == ()
    assert play.state.step != "partisans"


@pytest.mark.rule("blitz:7.1b")
@pytest.mark.rule("blitz:F.4a")
def test_the_only_enemy_held_area_with_goods_gets_the_partisan() -> None:
    play = partisans(control={"paris": "germany"})
    play.dice(6)
    assert play.events("partisan_placed") == [{"space": "paris", "power": "afa"}]


@pytest.mark.rule("blitz:7.1b")
def test_the_first_owner_of_the_country_chooses_among_areas_with_goods() -> None:
    held = ("ukraine", "don_basin", "byelorussia")
    play = partisans(control=dict.fromkeys(held, "germany"))
    play.dice(5)
    # Byelorussia has neither Oil nor Resource.
    assert asked(play) == {"ussr": ("ukraine", "don_basin")}
    assert play.refused("ussr", PlacePartisan("byelorussia")) == "7.1b"
    assert play.refused("ussr", Pass()) == ""  # it has to appear
    play.do("ussr", PlacePartisan("don_basin"))
    assert play.events("partisan_placed") == [{"space": "don_basin", "power": "ussr"}]


@pytest.mark.rule("blitz:7.1c")
def test_in_china_each_side_may_place_one_against_the_other() -> None:
    play = partisans()
    play.dice(1)
    assert asked(play) == {"japan": ("chungking",), "usa": ("peking",)}
    play.do("japan", PlacePartisan("chungking")).do("usa", Pass())
    assert [event["space"] for event in play.events("partisan_placed")] == ["chungking"]


@pytest.mark.rule("blitz:7.1d")
def test_a_side_with_the_choice_may_have_none() -> None:
    play = partisans(control={"paris": "germany", "poland": "germany"})
    play.dice(4)
    # What the Allies had first and lost, and what the Axis hold in China.
    assert asked(play) == {"afa": ("paris", "poland", "peking")}
    assert play.refused("afa", PlacePartisan("berlin")) == "7.1d"
    play.do("afa", Pass())
    assert play.events("partisan_placed") == []


@pytest.mark.rule("blitz:7.1d")
@pytest.mark.rule("blitz:7.1e")
def test_ex_7_1() -> None:
    play = partisans(
        allied={"norway": "germany"}, conquered={"norway": "allies"}, control={"norway": "afa"}
    )
    play.dice(3)
    assert asked(play) == {"germany": ("norway", "chungking")}
    play.do("germany", PlacePartisan("chungking"))
    # The Allies get no Partisan in China for it.
    assert asked(play) == {}
    assert [event["space"] for event in play.events("partisan_placed")] == ["chungking"]


@pytest.mark.rule("blitz:3.4.conq-c")
def test_an_ally_places_the_partisan_of_a_power_that_is_out_of_the_game() -> None:
    allied = position().allied
    out = {country: "axis" for country, owner in allied.items() if owner == "afa"}
    play = Play(phase="turn_end", step="partisans", conquered=out, control={"poland": "germany"})
    die = next(d for d, row in play.state.facts.partisans.items() if row.choice == "allies")
    play.dice(die)
    assert [request.power for request in play.game.pending] == ["usa"]
