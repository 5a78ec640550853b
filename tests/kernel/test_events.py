"""The words of events: what fits them, and how a line of the log comes of them."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.decisions import RollLine
from sandtable.kernel.events import FIELDS, Event, Known, faults, line, thrown

KNOWN = Known({"red", "green"}, {"axis"}, {"north", "south", "sea"}, {"tank", "fleet_1"})

ROLL = (RollLine("red", "tank", 2, 3), RollLine("green", "tank", 1, 2))

GOOD: list[dict[str, Any]] = [
    {},
    {"power": "red", "against": "poland", "recipient": "", "owner": "green", "side": "axis"},
    {"powers": ("red", "green"), "winners": []},
    {"space": "north", "port": "", "path": ("north", "south")},
    {"unit": "fleet_1", "units": {"tank": 2}, "cargo": ("fleet_1",), "flying": ()},
    {"losses": {"red": {"tank": 1}}, "attackers": {"": ("fleet_1",)}, "defenders": {}},
    {"lines": ROLL, "dice": (1, 6, 2), "hits": 2, "damage": 0},
    {"about": ("red", "north", "whatever"), "country": "poland"},
    {"sum": (("fleet_1", "halved", 1.5), ("", "terrain", -1)), "factors": 1},
    {"round": 2, "raid": True, "step": "attack", "words": ("one", "two")},
    {"repairs": {"north": 2}, "bids": {"red": 1}},
]

BAD: list[dict[str, Any]] = [
    {"power": "blue"},
    {"power": None},
    {"powers": "red"},
    {"powers": ("",)},
    {"side": "red"},
    {"space": "moon"},
    {"space": ("north",)},
    {"path": ()},
    {"path": ("north", "moon")},
    {"units": 3},
    {"units": {"tank": "2"}},
    {"units": {"red": {"tank": 2}}},
    {"losses": {"blue": {"tank": 1}}},
    {"losses": {"tank": 1}},
    {"losses": ("tank",)},
    {"hits": (1, 2)},
    {"damage": True},
    {"about": "red"},
    {"sum": (("fleet_1", 1.5),)},
    {"sum": {"fleet_1": 2}},
    {"lines": (("red", "tank", 1, 3),), "dice": (1,)},
    {"lines": ROLL, "dice": (1, 6)},
    {"lines": ROLL},
    {"dice": (1,)},
    # In words of its own a game names no power, space or unit, and nests nothing.
    {"by": "red"},
    {"at": "north"},
    {"carrier": "fleet_1"},
    {"enemies": ("red",)},
    {"minors": [{"oil": 1}]},
    {"when": 1.5},
    {"what": None},
    {"each": {"red": {"oil": 1}}},
]


@pytest.mark.parametrize("data", GOOD)
def test_an_event_in_the_shared_words(data: dict[str, Any]) -> None:
    assert list(faults(Event("it", data), KNOWN)) == []


@pytest.mark.parametrize("data", BAD)
def test_an_event_in_other_words_or_shapes(data: dict[str, Any]) -> None:
    (fault,) = faults(Event("it", data), KNOWN)
    assert fault.startswith("it: ")


def test_every_word_is_tried() -> None:
    assert {name for data in GOOD for name in data if name in FIELDS} == set(FIELDS)


def test_every_word_is_explained() -> None:
    from sandtable.kernel import events

    explained = (events.__doc__ or "").replace(",", " ").split()
    assert set(FIELDS) <= set(explained)


def told(**data: Any) -> Event:
    return Event("it", data)


def test_a_line_says_who_and_where() -> None:
    event = told(power="red", path=("north", "sea", "north"), space="south")
    found = line(event, "Told.", level=1, power="green", spaces=("sea", "south", "moon"))
    assert (found.kind, found.text, found.level, found.power) == ("it", "Told.", 1, "red")
    assert found.spaces == ("north", "sea", "south", "moon")
    assert found.path == ("north", "sea", "north", "south")
    assert line(event, "", quiet=True).path == ()


@pytest.mark.parametrize(
    ("data", "power"),
    [
        ({"power": "", "powers": ("green", "red")}, "green"),
        ({"attackers": {"red": ()}}, "red"),
        ({"losses": {"green": ()}}, "green"),
        ({"against": "red"}, "white"),
    ],
)
def test_who_it_is_told_of(data: dict[str, Any], power: str) -> None:
    assert line(Event("it", data), "", power="white").power == power


def test_only_a_way_or_a_deed_is_drawn() -> None:
    assert line(told(space="north"), "").path == ()
    assert line(told(path=("north",)), "").path == ()
    assert line(told(path=("north",), space="north"), "").path == ()
    assert line(told(path=("north",), space="south"), "").path == ("north", "south")
    battle = line(told(space="north"), "", deed="battle")
    assert (battle.path, battle.deed) == (("north",), "battle")


def test_dice_are_dealt_out_to_their_lines() -> None:
    event = told(lines=[list(row) for row in ROLL], dice=[1, 6, 2])  # as they come from JSON
    assert list(thrown(event.data)) == [(ROLL[0], (1, 6)), (ROLL[1], (2,))]
    assert list(thrown({})) == []
