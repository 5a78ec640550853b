"""Points that go to other powers and countries (18.76, 18.77, 18.8)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75.rules.lend_lease import Send
from sandtable.games.gw75.rules.production import Build
from sandtable.kernel.display import filled
from tests.gw75.table import Done, Table, table

WAR = [("commonwealth", "germany"), ("france", "germany")]
ATLANTIC = {"W2910": {"usa": "4 ms"}, "W3014": {"usa": "2 ms"}}
UK = "united_kingdom"


def orders(turn: int = 5, units: dict[str, Any] | None = None, **fields: Any) -> Table:
    """The Production Preparation Phase."""
    return table("production", turn, units=units or {}, **{"wars": WAR, **fields})


@pytest.mark.rule("gw75:18.81", "gw75:18.83a", "gw75:18.0b")
def test_lend_lease_by_sea_is_limited_by_the_smallest_holding_area() -> None:
    """lend_lease_two: holding areas of four and two ships carry two points."""
    t = orders(units=ATLANTIC)
    three = Send("usa", "commonwealth", 3, to_country=UK)
    assert "carries 2" in t.refused(three, "18.81", by="commonwealth")
    before = t.s.points["commonwealth", UK]
    t.do(Send("usa", "commonwealth", 2, to_country=UK), by="commonwealth")
    assert t.s.points["commonwealth", UK] == before + 2
    assert t.s.points["usa", ""] == 8 * t.s.facts.turns[5].modes[1] - 2
    again = Send("usa", "commonwealth", 1, to_country=UK)
    assert "carries 0" in t.refused(again, "18.81", by="commonwealth")


@pytest.mark.rule("gw75:18.64b", "gw75:18.61")
def test_ships_that_carry_lend_lease_still_transfer_points() -> None:
    t = orders(units={"W2910": {"commonwealth": "2 ms"}, "W3014": {"commonwealth": "2 ms"}})
    t.do(Send("usa", "commonwealth", 2, to_country=UK), by="commonwealth")
    t.do(Send("commonwealth", "commonwealth", 2, "canada", UK), by="commonwealth")
    more = Send("commonwealth", "commonwealth", 1, "canada", UK)
    assert "carries 0" in t.refused(more, "18.76a", by="commonwealth")


@pytest.mark.rule("gw75:18.82", "gw75:18.81")
def test_the_axis_lends_freely_and_overland_without_a_limit() -> None:
    """Germany to Italy, though Italy is at peace."""
    t = orders()
    t.do(Send("germany", "italy", 9), by="germany")
    assert t.s.points["italy", ""] == 3 + 9
    assert "carries 0" in t.refused(Send("germany", "japan", 1, to_country="japan"), by="germany")


@pytest.mark.rule("gw75:18.83b")
def test_the_soviet_union_takes_part_once_it_is_at_war_with_an_axis_power() -> None:
    line = {hex: {"usa": "2 ms"} for hex in ("W2810", "W3014", "W3618", "W3724")}
    peace = orders(units=line)
    assert "before it is at war" in peace.refused(Send("usa", "ussr", 1), by="commonwealth")
    war = orders(units=line, wars=[*WAR, ("germany", "ussr")])
    war.do(Send("usa", "ussr", 2), by="commonwealth")
    assert "before" not in war.refused(Send("ussr", "usa", 3), by="commonwealth")


@pytest.mark.rule("gw75:18.83a")
def test_nobody_lends_to_an_enemy_or_what_he_has_not() -> None:
    t = orders(units=ATLANTIC)
    assert "no ally" in t.refused(Send("usa", "germany", 1), by="commonwealth")
    assert "no Production Points" in t.refused(Send("usa", "france", 1), by="germany")
    assert "not 99" in t.refused(Send("usa", "commonwealth", 99, "", UK), by="commonwealth")
    assert t.refused(Send("usa", "commonwealth", 1, "", "egypt"), "18.76a", by="commonwealth")
    assert t.refused(Send("usa", "usa", 1), "18.76a", by="commonwealth")


@pytest.mark.rule("gw75:18.76a", "gw75:18.76d")
def test_canadas_points_go_to_britain_by_four_ships_in_each_holding_area() -> None:
    """canada_gt5: four points need four ships everywhere."""
    send = Send("commonwealth", "commonwealth", 4, "canada", UK)
    three = {"W2910": {"commonwealth": "4 ms"}, "W3014": {"commonwealth": "3 ms"}}
    assert "carries 3" in orders(units=three).refused(send, "18.76a", by="commonwealth")
    four = {hex: {"commonwealth": "4 ms"} for hex in three}
    t = orders(units=four).do(send, by="commonwealth")
    assert t.s.points["commonwealth", UK] == 8 + 4
    assert t.s.points["commonwealth", "canada"] == 0
    back = orders(units=four).do(
        Send("commonwealth", "commonwealth", 4, UK, "canada"), by="commonwealth"
    )
    assert back.s.points["commonwealth", "canada"] == 8, "in either direction"


@pytest.mark.rule("gw75:18.76a")
def test_points_that_a_position_gives_to_one_country_go_to_the_others() -> None:
    line = {hex: {"commonwealth": "4 ms"} for hex in ATLANTIC}
    t = orders(units=line, points={"commonwealth": {"canada": 5}})
    assert t.s.points["commonwealth", UK] == 0
    t.do(Send("commonwealth", "commonwealth", 4, "canada", UK), by="commonwealth")
    assert t.s.points["commonwealth", UK] == 4 and t.s.capacity["commonwealth"] == 5


@pytest.mark.rule("gw75:18.76b", "gw75:18.76c")
def test_without_a_pipeline_each_country_builds_by_itself() -> None:
    t = orders()
    send = Send("commonwealth", "commonwealth", 1, "canada", UK)
    assert "carries 0" in t.refused(send, "18.76a", by="commonwealth")
    lrb = Build("commonwealth", "lrb", 1, "canada")
    t.do(lrb, by="commonwealth")
    (job,) = [job for job in t.s.track if job.nation == "commonwealth" and job.type == "lrb"]
    assert job.country == "canada"
    assert t.refused(Build("commonwealth", "inf", 1, "canada"), "18.22a", by="commonwealth")
    t.do(Build("commonwealth", "inf", 1, "india"), by="commonwealth")
    assert t.refused(Build("commonwealth", "inf", 1, "egypt"), "18.76c", by="commonwealth")


@pytest.mark.rule("gw75:18.77")
def test_manchukuo_is_joined_to_japan_in_the_same_way() -> None:
    send = Send("japan", "japan", 3, "manchukuo", "japan")
    t = orders(wars=[("china", "japan")])
    assert "carries 0" in t.refused(send, "18.76a", by="germany")
    t = orders(units={"E2709": {"japan": "3 ms"}}, wars=[("china", "japan")])
    t.do(send, by="germany")
    assert t.s.points["japan", "manchukuo"] == 0


@pytest.mark.rule("gw75:18.64b", "gw75:18.78", "gw75:18.77")
def test_ships_that_bring_captured_points_transfer_so_many_less() -> None:
    """The line from Hamburg and that from Canada share the ships north of Scotland."""
    line: dict[str, Any] = {"W2910": {"commonwealth": "2 ms"}, "W3416": {"commonwealth": "2 ms"}}
    send = Send("commonwealth", "commonwealth", 2, "canada", UK)
    t = orders(units=line, wars=WAR[:1])
    assert not t.s.done
    t.do(send, by="commonwealth")
    t = orders(
        units={**line, "W3120": {"commonwealth": "inf"}},
        captured={"W3120": 4},
        wars=WAR[:1],
    )
    assert t.s.done == {"transfer:W3416": 1}
    assert "carries 1" in t.refused(send, "18.76a", by="commonwealth")
    t.do(Send("commonwealth", "commonwealth", 1, "canada", UK), by="commonwealth")


@pytest.mark.rule("gw75:18.81", "gw75:18.83b")
def test_refusals_to_lend_name_their_rule() -> None:
    t = orders(units=ATLANTIC)
    t.refused(Send("germany", "commonwealth", 1, to_country=UK), "18.81", by="germany")
    t.refused(Send("germany", "hungary", 1), "18.81", by="germany")
    t.refused(Send("commonwealth", "china", 1, UK), "18.81", by="commonwealth")
    t.refused(Send("usa", "ussr", 1), "18.83b", by="commonwealth")
    t.refused(Send("usa", "commonwealth", 1, to_country="india"), "18.81", by="commonwealth")
    t.refused(Send("usa", "usa", 1), "18.76a", by="commonwealth")
    t.refused(Send("usa", "commonwealth", 99, to_country=UK), "18.81", by="commonwealth")
    t.refused(Send("usa", "commonwealth", -1, to_country=UK), "18.81", by="commonwealth")
    t.refused(Send("france", "commonwealth", 1, "canada", UK), "18.81", by="commonwealth")


@pytest.mark.rule("gw75:18.81", "gw75:18.10a", "gw75:21.11c")
def test_players_lend_openly_before_they_order_and_borrowed_points_maintain_nothing() -> None:
    units: dict[str, Any] = {hex: {"usa": "2 ms", "commonwealth": "2 ms"} for hex in ATLANTIC}
    t = orders(units=units, options={"players": 5})
    assert t.asked == "commonwealth lend", "points could go to the USA as well"
    t.do(Done())
    assert t.asked == "usa lend"
    capacity = dict(t.s.capacity)
    have = t.s.points["commonwealth", UK]
    t.do(Send("usa", "commonwealth", 2, to_country=UK), Done())
    assert t.s.points["commonwealth", UK] == have + 2
    assert t.s.capacity == capacity
    for power in ("germany", "japan", "ussr"):
        seen = t.game.observe(power)["events"]
        assert any(event["kind"] == "points_sent" for event in seen)
    late = Send("usa", "commonwealth", 1, to_country=UK)
    assert "before anybody" in t.refused(late, "18.81", by="usa")
    t.do(Send("commonwealth", "commonwealth", 1, "canada", UK), by="commonwealth")
    for power in ("germany", "japan", "usa", "ussr"):
        sent = [e for e in t.game.observe(power)["events"] if e["kind"] == "points_sent"]
        assert len(sent) == 1, "what goes between one's own countries is an order"


@pytest.mark.rule("gw75:18.82", "gw75:18.81")
def test_germany_and_japan_have_other_players_and_no_line() -> None:
    t = orders(options={"players": 3})
    assert "lend" not in t.asked
    wrong = Send("germany", "japan", 1, to_country="japan")
    t.refused(wrong, "18.81", by="germany")
    t.do(Send("germany", "italy", 1), by="germany")


@pytest.mark.rule("gw75:18.81")
def test_the_form_offers_any_number_of_points_up_to_what_the_pipeline_carries() -> None:
    t = orders(units=ATLANTIC)
    legal = next(t.game.legal(each) for each in t.game.pending if each.power == "commonwealth")
    label = "Send points from United States to United Kingdom"
    line = next(each for each in t.game.rules.form(legal).choices if each.label == label)
    (row,) = line.rows
    assert row.most == 2 and "2 Production Points" in line.detail
    for points in (1, 2, 3):
        assert (filled(line.decision, line.rows, {"points": points}) in legal) == (points < 3)


@pytest.mark.rule("gw75:18.81")
def test_minor_allies_take_no_part() -> None:
    t = table(
        "production",
        5,
        wars=[("commonwealth", "germany")],
        points={"commonwealth": {"united_kingdom": 2}},
    )
    told = t.refused(Send("commonwealth", "china", 1, "united_kingdom"), "18.81", by="commonwealth")
    assert "China has no Production Points" in told
