"""Orders of the Production Preparation Phase (18.0 to 18.3, 18.5, 18.9, 23.1)."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sandtable
from sandtable.games.gw75.audit import broken_invariants
from sandtable.games.gw75.model import Job
from sandtable.games.gw75.rules import production
from sandtable.games.gw75.rules.production import Build, Undeplete
from sandtable.kernel.decisions import Legal
from sandtable.kernel.display import filled
from tests.gw75.table import Done, Table, position, state, table

WAR = [("commonwealth", "germany"), ("france", "germany")]


def orders(turn: int = 2, units: dict[str, Any] | None = None, **fields: Any) -> Table:
    """The Production Preparation Phase."""
    return table("production", turn, units=units or {}, **{"wars": WAR, **fields})


def jobs(t: Table, nation: str, turn: int) -> dict[str, int]:
    """What an empty set-up has on a track for a Game-Turn."""
    return {job.type: job.number for job in t.s.track if (job.nation, job.due) == (nation, turn)}


@pytest.mark.rule("gw75:18.22b", "gw75:18.0d", "gw75:18.22a")
def test_a_german_mechanized_point_costs_three_and_takes_six_turns() -> None:
    """mech_build: ordered on Game-Turn 2, it appears on Game-Turn 8."""
    t = orders()
    have = t.s.points["germany", ""]
    t.do(Build("germany", "mech"), by="germany")
    assert t.s.points["germany", ""] == have - 3
    assert jobs(t, "germany", 8) == {"mech": 1}


@pytest.mark.rule("gw75:18.22a", "gw75:18.0c")
def test_points_are_spent_as_far_as_they_go() -> None:
    t = orders(turn=5, started_before={"germany": {"surf_a": 3}})
    assert t.s.points["germany", ""] == 10
    assert "costs 12" in t.refused(Build("germany", "surf_a"), "18.22a", by="germany")
    t.do(Build("germany", "surf_b"), by="germany")
    assert "there is 1" in t.refused(Build("germany", "ad"), "18.22a", by="germany")


@pytest.mark.rule("gw75:18.0c", "gw75:18.0e")
def test_what_cannot_be_built_and_who_builds_for_whom() -> None:
    t = orders()
    assert t.refused(Build("germany", "sd"), "18.0c", by="germany")
    assert t.refused(Build("germany", "zeppelin"), "18.0c", by="germany")
    assert t.refused(Build("hungary", "inf"), "18.0a", by="germany")
    assert t.refused(Build("france", "inf"), "18.0a", by="germany")
    assert t.refused(Build("germany", "inf", 0), "18.22a", by="germany")
    assert t.refused(Build("germany", "inf", 1, "rumania"), "18.76c", by="germany")


@pytest.mark.rule("gw75:18.91a", "gw75:18.91b")
def test_one_more_of_a_type_than_in_the_turn_before() -> None:
    """build_rate: after two submarines three; build_rate_none: after none one."""
    t = orders(turn=3, started_before={"germany": {"ss": 2}}, units={"W3121": {"germany": "ms"}})
    assert production.limit(t.s, "germany", "ss") == 3
    assert t.refused(Build("germany", "ss", 4), "18.91a", by="germany")
    t.do(Build("germany", "ss", 3), by="germany")
    assert t.refused(Build("germany", "ss"), "18.91a", by="germany")
    assert production.limit(t.s, "germany", "mech") == 1
    assert t.refused(Build("germany", "mech", 2), "18.91a", by="germany")
    t.do(Build("germany", "mech"), by="germany")


@pytest.mark.rule("gw75:18.91a")
def test_what_was_started_counts_for_the_turn_after() -> None:
    """Two submarines in the turn before and one in this are two to start now, and three next."""
    t = orders(
        turn=3,
        started_before={"germany": {"ss": 2}},
        started={"germany": {"ss": 1}},
        points={"germany": {"": 8}},
    )
    assert t.refused(Build("germany", "ss", 3), "18.91a", by="germany")
    t.do(Build("germany", "ss"), Done(), by="germany").do(Done(), by="commonwealth")
    assert (t.s.turn, production.limit(t.s, "germany", "ss")) == (4, 3)


@pytest.mark.rule("gw75:18.22a")
def test_a_position_gives_production_points() -> None:
    """A power that it names has those, with a bomb in reach; the others produce."""
    t = orders(turn=8, points={"germany": {"": 30}})
    assert t.s.points["germany", ""] == 30 and t.s.points["ussr", ""] == 9
    t.do(Build("germany", "abomb"), by="germany")
    _, time = production.price(t.s, "abomb", rebuilt=False)
    assert jobs(t, "germany", 8 + time) == {"abomb": 1}


@pytest.mark.rule("gw75:18.91a")
def test_rebuilt_units_count_as_started() -> None:
    t = orders(turn=3, dead={"germany": {"inf": 5}})
    t.do(Build("germany", "inf", rebuilt=True), by="germany")
    assert t.refused(Build("germany", "inf"), "18.91a", by="germany")


@pytest.mark.rule("gw75:23.1")
def test_one_unit_of_each_type_on_game_turn_one() -> None:
    """build_rate_gt1."""
    t = orders(turn=1, started_before={"germany": {"ss": 4}})
    assert t.refused(Build("germany", "ss", 2), "18.91a", by="germany")
    t.do(Build("germany", "ss"), by="germany")
    t.do(Build("germany", "inf"), by="germany")
    assert t.refused(Build("germany", "inf"), "18.91a", by="germany")


@pytest.mark.rule("gw75:18.92")
def test_the_commonwealth_is_one_nation_for_the_growth_limit() -> None:
    t = orders()
    t.do(Build("commonwealth", "inf", 1, "india"), by="commonwealth")
    canada = Build("commonwealth", "inf", 1, "canada")
    assert t.refused(canada, "18.91a", by="commonwealth")


@pytest.mark.rule("gw75:18.0c")
def test_rebuilding_is_cheaper_and_quicker_and_only_of_what_was_destroyed() -> None:
    t = orders(8, dead={"germany": {"mech": 1}})
    assert t.refused(Build("germany", "ss", rebuilt=True), "18.0c", by="germany")
    have = t.s.points["germany", ""]
    t.do(Build("germany", "mech", rebuilt=True), by="germany")
    assert t.s.points["germany", ""] == have - 2
    assert jobs(t, "germany", 12) == {"mech": 1}
    assert ("germany", "mech") not in t.s.dead
    assert t.refused(Build("germany", "fort", rebuilt=True), "18.0c", by="germany")


@pytest.mark.rule("gw75:18.94")
def test_neutrals_build_no_fortifications() -> None:
    fort = {nation: Build(nation, "fort") for nation in ("usa", "ussr", "italy", "germany")}
    fort["japan"] = Build("japan", "fort", 1, "japan")
    t = orders(turn=6, wars=[*WAR, ("china", "japan"), ("japan", "ussr")])
    for nation in ("usa", "ussr"):
        assert t.refused(fort[nation], "18.94", by="commonwealth")
    for nation in ("italy", "japan"):
        assert t.refused(fort[nation], "18.94", by="germany")
    t.do(fort["germany"], by="germany")
    wars = [*WAR, ("germany", "usa"), ("germany", "ussr"), ("japan", "usa")]
    t = orders(turn=6, wars=wars)
    t.do(fort["usa"], fort["ussr"], by="commonwealth").do(fort["japan"], by="germany")
    assert jobs(t, "japan", 10) == {"fort": 2}, "a unit of two Strength Points"


@pytest.mark.rule("gw75:19.72d", "gw75:18.94")
def test_in_a_limited_war_the_ussr_builds_no_fortifications_and_the_usa_does() -> None:
    wars = [("germany", "usa"), ("germany", "ussr")]
    t = orders(turn=6, wars=wars, limited=wars)
    assert t.refused(Build("ussr", "fort"), "19.72d", by="commonwealth")
    assert Build("ussr", "fort") not in list(t.request_of("commonwealth").decisions(t.s))
    t.do(Build("usa", "fort"), by="commonwealth")


@pytest.mark.rule("gw75:18.51")
def test_what_is_not_spent_is_lost() -> None:
    t = orders()
    t.do(Done(), by="germany").do(Done(), by="commonwealth")
    assert t.s.turn == 3
    assert not t.s.points
    assert t.s.capacity["germany"] == 10
    assert t.s.capacity["commonwealth"] == 9


@pytest.mark.rule("gw75:18.22a", "gw75:4.2h")
def test_both_players_order_at_once_and_see_each_others_totals_only() -> None:
    t = orders()
    assert {request.power for request in t.game.pending} == {"germany", "commonwealth"}
    assert {event["power"]: event["points"] for event in t.events("production_counted")} == {
        "germany": 10,
        "italy": 3,
        "japan": 9,
        "commonwealth": 9,
        "france": 4,
        "usa": 8,
        "ussr": 9,
    }
    t.do(Build("germany", "ss"), by="germany")
    told = [event for event in t.game.events if event.kind == "ordered"]
    assert [event.to for event in told] == [("germany",)]
    t.do(Done(), by="commonwealth")
    assert {request.power for request in t.game.pending} == {"germany"}


CARRIER = {"surf_a": [{"depleted": True, "count": 2}]}


@pytest.mark.rule("gw75:18.32a", "gw75:18.0c")
def test_a_depleted_carrier_is_restored_in_an_industrial_hex_with_a_port() -> None:
    t = orders(
        turn=4, units={"W3118": {"commonwealth": CARRIER}, "W2617": {"commonwealth": CARRIER}}
    )
    refit = Undeplete("commonwealth", "surf_a", "W3118", 1, "united_kingdom")
    wrong = Undeplete("commonwealth", "surf_a", "W2617", 1, "united_kingdom")
    assert "Industrial" in t.refused(wrong, "18.32a", by="commonwealth")
    assert t.refused(
        Undeplete("commonwealth", "surf_a", "W3118", 3, "united_kingdom"),
        "18.32a",
        by="commonwealth",
    )
    assert "own Production Points" in t.refused(
        Undeplete("commonwealth", "surf_a", "W3118", 1, "canada"), "18.76c", by="commonwealth"
    )
    t.do(refit, by="commonwealth")
    assert t.units("W3118", "commonwealth") == {"surf_a": 2}, "it stays until all have ordered"
    assert t.s.points["commonwealth", "united_kingdom"] == 1
    assert Job("commonwealth", "surf_a", 6, 1, hex="W3118") in t.s.track
    assert t.refused(refit, "18.32a", by="commonwealth"), "three points are not left"
    t.do(Done(), by="commonwealth").do(Done(), by="germany")
    assert t.units("W3118", "commonwealth") == {"surf_a": 1}


@pytest.mark.rule("gw75:18.32a")
def test_a_ship_is_ordered_to_be_restored_once() -> None:
    t = orders(units={"E2610": {"japan": CARRIER}}, points={"japan": {"japan": 30}})
    t.do(Undeplete("japan", "surf_a", "E2610", 1, "japan"), by="germany")
    both = Undeplete("japan", "surf_a", "E2610", 2, "japan")
    assert "has 1 of Surface-A to be restored" in t.refused(both, "18.32a", by="germany")
    t.do(Undeplete("japan", "surf_a", "E2610", 1, "japan"), by="germany")
    legal = t.game.legal(t.request_of("germany"))
    assert not [each for each in legal if isinstance(each, Undeplete)]
    t.do(Done(), by="germany").do(Done(), by="commonwealth")
    assert t.s.stack("E2610") == {}
    assert broken_invariants(t.s) == []


@pytest.mark.rule("gw75:18.33")
def test_a_depleted_asw_unit_needs_no_port() -> None:
    worn = {"asw": [{"depleted": True}]}
    t = orders(units={"W3021": {"germany": worn}, "W3020": {"germany": worn}})
    assert not t.s.facts.hexes["W3021"].port
    assert t.refused(Undeplete("germany", "asw", "W3020"), "18.33", by="germany")
    t.do(Undeplete("germany", "asw", "W3021"), by="germany")
    assert Job("germany", "asw", 3, 1, hex="W3021") in t.s.track
    t.do(Done(), by="germany").do(Done(), by="commonwealth")
    assert "W3021" not in t.s.at


def test_the_sheet_of_a_power() -> None:
    t = orders(dead={"germany": {"ss": 2}}, stock={"germany": 1})
    t.do(Build("germany", "mech"), by="germany")
    found = production.sheet(t.s, "germany")
    assert found.points == {"": 7}
    assert found.limits["mech"] == 0
    assert found.dead == {"ss": 2}
    assert found.stock == 1
    assert [job.type for job in found.track if job.due == 8] == ["mech"]
    assert len(found.sources) == 4
    assert production.sheet(state("axis_naval_1", base="setup"), "germany").points == {"": 15}


def test_every_listed_and_every_drawn_order_is_legal() -> None:
    game = sandtable.new("gw75", position=position("production", 6, base="setup"))
    rng = random.Random(1)
    for request in game.pending:
        listed = list(game.legal(request))
        assert Done() in listed
        for decision in listed:
            request.check(game.state, decision)
        for _ in range(20):
            request.check(game.state, request.sample(game.state, rng))


def test_a_draft_of_the_production_sheet_is_what_the_orders_come_to() -> None:
    game = sandtable.new("gw75", position=position("production", 6, base="setup"))
    request = next(each for each in game.pending if each.kind == "production")
    rng = random.Random(6)
    draft = Legal(request, game.state.copy())
    before, given = game.hash, []
    for _ in range(8):
        form = game.rules.form(draft)
        lines = {item.key for item in form.items}
        assert lines >= {choice.item for choice in form.choices if choice.item}
        choice = rng.choice([each for each in form.choices if each.item])
        given.append(filled(choice.decision, choice.rows, {"number": 1}))
        game.rules.draft(draft, draft.read(given[-1]))
    assert game.hash == before, "nothing has been ordered yet"
    left = {purse.label: purse.left for purse in form.purses}
    for decision in given:
        game.submit(request.power, decision)
    after = game.rules.form(game.legal(request))
    assert after == game.rules.form(draft)
    assert sum(purse.left for purse in after.purses) < sum(left.values())


@pytest.mark.rule("gw75:18.33", "gw75:18.76c")
def test_canadian_points_restore_what_lies_in_canada() -> None:
    worn = {"asw": [{"depleted": True}]}
    t = orders(units={"W2905": {"commonwealth": worn}})
    wrong = Undeplete("commonwealth", "asw", "W2905", 1, "united_kingdom")
    t.refused(wrong, "18.76c", by="commonwealth")
    t.do(Undeplete("commonwealth", "asw", "W2905", 1, "canada"), by="commonwealth")
    assert t.s.points["commonwealth", "canada"] == 2


@pytest.mark.rule("gw75:18.91b", "gw75:18.91a")
def test_after_a_turn_without_any_one_may_be_started_again() -> None:
    t = orders(started_before={"germany": {"ss": 4}}, points={"germany": {"": 90}})
    t.refused(Build("germany", "ss", 6), "18.91a", by="germany")
    t.do(Build("germany", "ss", 5), by="germany")
    t.do(Build("germany", "mech"), by="germany")
    t.refused(Build("germany", "mech"), "18.91a", by="germany")


@pytest.mark.rule("gw75:23.1", "gw75:18.91b")
def test_the_later_scenario_begins_with_one_of_each_type_too() -> None:
    options = {"scenario": "watermark"}
    t = table("production", options=options, points={"usa": {"": 90}})
    assert t.s.turn == 12
    t.refused(Build("usa", "mech", 2), "18.91a", by="commonwealth")
    t.do(Build("usa", "mech", 1), by="commonwealth")


@pytest.mark.rule("gw75:18.51", "gw75:18.21")
def test_what_was_due_before_the_phase_is_placed_and_not_due_again() -> None:
    """A position in the Production Preparation Phase comes after the Reinforcement Phase."""
    t = table("production", 3, base="setup")
    assert t.s.track and min(job.due for job in t.s.track) == 4
    assert broken_invariants(t.s) == []
    t = table("reinforcement", 3, base="setup")
    assert ("germany", "inf") in {(job.nation, job.type) for job in (*t.s.due, *t.s.track)}


@pytest.mark.rule("gw75:18.22a", "gw75:4.2i", "gw75:21.11c")
def test_five_players_order_at_once_and_hear_nothing_of_each_other() -> None:
    t = orders(options={"players": 5})
    powers = ("germany", "japan", "commonwealth", "usa", "ussr")
    while "lend" in t.asked:
        t.do(Done())
    assert {request.power for request in t.game.pending} == set(powers)
    before = {power: t.game.observe(power)["state"] for power in powers}
    t.do(Build("ussr", "inf"), by="ussr").do(Build("japan", "ms", country="japan"), by="japan")
    for power in ("germany", "commonwealth", "usa"):
        assert t.game.observe(power)["state"] == before[power]
    assert t.game.observe("ussr")["state"] != before["ussr"]
    t.refused(Build("ussr", "inf"), "18.0a", by="usa")
    t.refused(Build("italy", "inf"), "18.0a", by="japan")
    t.do(Build("italy", "inf"), by="germany")
