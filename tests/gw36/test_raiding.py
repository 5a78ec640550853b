"""Convoy raiding and escorts (9.11-9.14, Tables 9-7 and 9-8)."""

from typing import Any

import pytest

from sandtable.games.gw36.rules.raiding import SpreadRaid
from sandtable.kernel.kits import Numbers
from tests.gw36.fights import FACTS, Fight, place, position

MISS = 12


def raid(
    raiders: dict[str, Any],
    dice: list[int],
    answers: list[Any] | None = None,
    *,
    zone: str = "sz_023",
    duty: str = "raid",
    escorts: dict[str, Any] | None = None,
    patrols: dict[str, Any] | None = None,
    treasury: int = 30,
    **fields: Any,
) -> Fight:
    """German raiders on the North Atlantic Line, worth 6 to Britain."""
    fields.setdefault("wars", [("germany", "great_britain")])
    s = position(turn="germany", **fields)
    s.treasury["great_britain"] = treasury
    place(s, zone, "germany", raiders, duty=duty)
    place(s, zone, "great_britain", escorts or {}, duty="convoy")
    place(s, zone, "great_britain", patrols or {}, duty="patrol")
    s.planned = ((zone, "raid"),)
    return Fight(s, dice, answers or [])


@pytest.mark.rule("gw36:9.11e", "gw36:9.11f", "gw36:table-9-8c", "gw36:9.11b", "gw36:table-9-7a")
def test_the_difference_of_the_rolls_is_lost():
    assert dict(FACTS.lines["north_atlantic"].values) == {"great_britain": 6}
    fight = raid({"submarine": 1}, [4, 3])  # 4 + 2 against 3
    assert fight.s.treasury["great_britain"] == 27
    assert fight.s.raided["north_atlantic", "great_britain"] == 3
    assert raid({"submarine": 1}, [1, 3]).s.treasury["great_britain"] == 30  # equal: nothing


@pytest.mark.rule("gw36:9.11i", "gw36:9.11e")
def test_each_raider_rolls_but_no_more_than_the_line_is_worth_is_lost():
    fight = raid({"submarine": 2}, [6, 1])
    assert fight.s.treasury["great_britain"] == 24
    assert [faces for _, _, faces in fight.rolls] == [(6, 1)]  # nothing is left for the second


@pytest.mark.rule("gw36:9.11f")
def test_who_has_less_pays_what_it_has():
    fight = raid({"submarine": 1}, [5, 2], treasury=2)
    assert fight.s.treasury["great_britain"] == 0
    assert fight.s.raided["north_atlantic", "great_britain"] == 5


@pytest.mark.rule(
    "gw36:table-9-8a", "gw36:table-9-8b", "gw36:table-9-8d", "gw36:7.8.advanced-sub-b", "gw36:9.12c"
)
@pytest.mark.parametrize(
    ("type_", "duty", "modifier"),
    [
        ("coastal_submarine", "raid", 1),
        ("submarine", "raid", 2),
        ("advanced_submarine", "raid", 4),
        ("submarine", "mine", 0),
        ("seaplane", "raid", 1),
        ("heavy_cruiser", "raid", 0),
    ],
)
def test_raider_modifiers(type_: str, duty: str, modifier: int):
    fight = raid({type_: 1}, [3, 1], duty=duty)
    assert 30 - fight.s.treasury["great_britain"] == 2 + modifier


@pytest.mark.rule(
    "gw36:table-9-8e",
    "gw36:table-9-8f",
    "gw36:table-9-8g",
    "gw36:table-9-8h",
    "gw36:table-9-8i",
    "gw36:7.8.radar-a",
    "gw36:7.8.asw-a",
)
def test_convoy_modifiers_add_up():
    tech = {("great_britain", "radar"): 3, ("great_britain", "advanced_asw"): 3}
    # 6 + 2 against 1 + 2 escorts + 2 patrol + 2 radar + 1 ASW = 8: nothing is lost.
    fight = raid(
        {"submarine": 1},
        [6, 1] + [MISS] * 5,
        escorts={"destroyer": 2},
        patrols={"seaplane": 2},
        tech=tech,
    )
    assert fight.s.treasury["great_britain"] == 30
    # Radar without an escort gives nothing.
    lone = raid({"submarine": 1}, [3, 1], tech={("great_britain", "radar"): 3})
    assert lone.s.treasury["great_britain"] == 26


@pytest.mark.rule("gw36:9.11k", "gw36:9.11l", "gw36:9.11m")
def test_escorts_and_patrols_fire_once_and_raiders_not_at_all():
    fight = raid(
        {"submarine": 2},
        [1, 6, 1, 6, 4, MISS, MISS],
        escorts={"destroyer": 2},
        patrols={"tactical_bomber": 1},
    )
    assert fight.values("defense") == {"destroyer": [(2, 4)], "tactical_bomber": [(1, 5)]}
    assert fight.values("attack") == {}
    assert fight.units("sz_023", "germany") == {"submarine": 1}


@pytest.mark.rule("gw36:7.8.asw-b", "gw36:9.11k")
def test_with_advanced_asw_the_convoy_fires_at_each_submarine():
    fight = raid({"submarine": 1}, [1, 6, 2], tech={("great_britain", "advanced_asw"): 3})
    assert fight.values("defense") == {"convoy": [(1, 2)]}
    assert fight.units("sz_023", "germany") == {}


@pytest.mark.rule("gw36:9.13a")
def test_mines_draw_no_fire():
    fight = raid({"submarine": 1}, [6, 1], duty="mine", escorts={"destroyer": 1})
    assert fight.s.treasury["great_britain"] == 26  # 6 against 1 + 1
    assert fight.values("defense") == {}


@pytest.mark.rule("gw36:9.11d")
def test_a_line_whose_end_an_enemy_holds_cannot_be_raided():
    fight = raid({"submarine": 1}, [], possession={"nova_scotia": "germany"})
    assert fight.rolls == []


@pytest.mark.rule("gw36:9.11h")
def test_where_lines_meet_the_raided_nation_spreads_the_loss():
    zone = next(
        zone
        for zone, lines in sorted(FACTS.lines_at.items())
        if sum("great_britain" in dict(FACTS.lines[line].values) for line in lines) > 1
    )
    lines = [
        line for line in FACTS.lines_at[zone] if "great_britain" in dict(FACTS.lines[line].values)
    ]

    def spread(request: SpreadRaid) -> Numbers:
        assert request.power == "great_britain"
        assert set(request.most) == set(lines)
        return Numbers({lines[0]: 1, lines[1]: 2})

    fight = raid({"submarine": 1}, [4, 3], [spread], zone=zone)
    assert fight.s.raided == {(lines[0], "great_britain"): 1, (lines[1], "great_britain"): 2}


@pytest.mark.rule("gw36:9.11g", "gw36:9.11e")
def test_most_to_lose_is_hit_first_and_the_rest_falls_on_the_next():
    line = FACTS.lines["new_york_london"]
    assert dict(line.values) == {"great_britain": 4, "usa": 2}
    s = position(wars=[("germany", "great_britain"), ("germany", "usa")])
    s.treasury |= {"great_britain": 10, "usa": 10}
    place(s, "sz_037", "germany", {"advanced_submarine": 1}, duty="raid")
    s.planned = (("sz_037", "raid"),)
    only = FACTS.lines_at["sz_037"] == ("new_york_london",)
    assert only
    Fight(s, [6, 4])  # 10 against 4: six are lost
    assert s.treasury["great_britain"] == 6
    assert s.treasury["usa"] == 8


@pytest.mark.rule("gw36:15.2a")
def test_the_suez_reroute():
    s = position(wars=[("italy", "great_britain")], turn="italy", on=["suez_reroute"])
    s.possession["gibraltar"] = "italy"
    s.treasury["great_britain"] = 20
    place(s, "sz_067", "italy", {"submarine": 1}, duty="raid")
    s.planned = (("sz_067", "raid"),)
    assert Fight(s, []).rolls == []
    s = position(wars=[("italy", "great_britain")], turn="italy", on=["suez_reroute"])
    s.possession["gibraltar"] = "italy"
    s.treasury["great_britain"] = 20
    place(s, "sz_083", "italy", {"advanced_submarine": 1}, duty="raid")
    s.planned = (("sz_083", "raid"),)
    Fight(s, [6, 1])
    assert s.raided["east_african", "great_britain"] == 6  # 3 + 3


@pytest.mark.rule("gw36:9.14b", "gw36:9.14c")
def test_raiding_aircraft_face_escorts_and_interception():
    fight = raid(
        {"tactical_bomber": 1},
        [1, 6, MISS, 3],
        escorts={"destroyer": 1},
        patrols={"fighter": 1},
    )
    assert fight.values("defense") == {"destroyer": [(1, 4)], "fighter": [(1, 3)]}
    assert fight.units("sz_023", "germany") == {}
