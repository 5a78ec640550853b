"""Spending Resources (7.8, B.7, C.7, D.10, E.4, E.5, 9.3)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.games.blitz import secrets
from sandtable.games.blitz.model import Account, Book, State, Unit
from sandtable.games.blitz.rules import order, victory
from sandtable.games.blitz.rules.counters import retire
from sandtable.games.blitz.rules.income import Keep
from sandtable.games.blitz.rules.lend_lease import Lend
from sandtable.games.blitz.rules.spend import (
    Build,
    DevelopBomb,
    Research,
    Scrap,
    TestBomb,
)
from sandtable.games.blitz.rules.steps import Done
from tests.blitz.table import Play

OPEN = {"usa": 15, "ussr": 15}
"""Markers so far on that production is not limited."""


def spending(
    scenario: str = "campaign",
    turn: int = 3,
    options: dict[str, Any] | None = None,
    goods: dict[str, tuple[int, int]] | None = None,
    **given: Any,
) -> Play:
    """The beginning of the spending; `goods` are the Oil and Resources of some powers."""
    turn = max(turn, 4) if scenario == "E" else turn
    if scenario in ("F", "campaign"):
        given.setdefault("entry", OPEN)
    play = Play(scenario, options, phase="turn_end", step="income", turn=turn, **given)
    for power, (oil, resources) in (goods or {}).items():
        play.state.books[power] = replace(play.state.books[power], oil=oil, resources=resources)
    return play


def book(play: Play, power: str) -> Book:
    return play.state.books[power]


def finish(play: Play, power: str, *decisions: Any) -> State:
    """One power spends, the others nothing; the state when all is carried out."""
    for decision in (*decisions, Done()):
        for request in play.game.pending:
            if request.power != power and request.kind == "spend":
                play.do(request.power, Done())
        if play.state.step == "spend":
            play.do(power, decision)
    return play.state


# --- building ------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:7.8a")
@pytest.mark.rule("blitz:B.7a")
def test_oil_is_spent_as_if_it_were_a_resource() -> None:
    play = spending(units={"ger_6th_army": "berlin"}, goods={"germany": (1, 1)}, pool={})
    play.state.pool["germany"] = ("ger_6th_army.big",)
    assert play.refused("germany", Build("ger_6th_army", 4)) == "7.8.build-a"
    state = finish(play, "germany", Build("ger_6th_army", 3))
    assert state.units["ger_6th_army"].size == 3
    assert (state.oil["germany"], state.resources["germany"]) == (0, 0)


@pytest.mark.rule("blitz:7.8a")
def test_resources_go_first_unless_oil_is_asked_for() -> None:
    units = {"ger_6th_army": "berlin", "ger_18th_army": "berlin"}
    play = spending(units=units, goods={"germany": (2, 2)})
    state = finish(play, "germany", Build("ger_6th_army", 2))
    assert (state.oil["germany"], state.resources["germany"]) == (2, 1)
    play = spending(units=units, goods={"germany": (2, 2)})
    assert play.refused("germany", Build("ger_6th_army", 2, oil=2)) == "7.8a"
    state = finish(play, "germany", Build("ger_6th_army", 2, oil=1))
    assert (state.oil["germany"], state.resources["germany"]) == (1, 2)


@pytest.mark.rule("blitz:7.8.build-a")
@pytest.mark.rule("blitz:D.10a")
def test_each_resource_is_one_size_on_the_map_or_in_the_pool() -> None:
    play = spending(
        units={"ger_18th_army": "berlin"},
        pool={"germany": ["ger_6th_army"]},
        goods={"germany": (0, 4)},
    )
    assert play.refused("germany", Build("ger_18th_army", 1)) == "7.8.build-a"
    assert play.refused("germany", Build("afa_bef", 1, "london")) == "7.8.build-a"
    assert play.refused("germany", Build("nonsense", 1)) == "7.8.build-a"
    state = finish(
        play,
        "germany",
        Build("ger_18th_army", 2),
        Build("ger_6th_army", 1, "berlin"),
        Build("ger_6th_army", 2),
    )
    assert state.units["ger_18th_army"].size == state.units["ger_6th_army"].size == 2
    assert state.resources["germany"] == 1
    assert state.pool["germany"] == ()


@pytest.mark.rule("blitz:7.8.build-b")
def test_a_unit_out_of_supply_cannot_be_built() -> None:
    units = {"ger_6th_army": "libya", "afa_mediterranean_fleet": "mediterranean_sea"}
    play = spending(units=units, goods={"germany": (0, 3)})
    # Libya's own units would be in supply there, but the 6th Army's home is Germany.
    assert play.refused("germany", Build("ger_6th_army", 2)) == "7.8.build-b"
    del units["afa_mediterranean_fleet"]
    play = spending(units=units, goods={"germany": (0, 3)})
    play.do("germany", Build("ger_6th_army", 2))


@pytest.mark.rule("blitz:7.8.build-b")
def test_afa_and_usa_do_not_build_over_each_others_home_countries() -> None:
    around = {
        "ger_u_boat_i": "north_sea",
        "ger_u_boat_ii": "western_approaches",
        "ger_high_seas_fleet": "north_atlantic",
        "ger_condors": "arctic_ocean",
    }
    wars = [("germany", "afa"), ("germany", "usa")]
    play = spending(
        units={"usa_1st_us_army": "london", **around},
        wars=wars,
        convoy_damage={"north_atlantic": 2, "western_approaches": 1},
        goods={"usa": (0, 3)},
    )
    play.state.convoy_damage = {"north_atlantic": 2, "western_approaches": 1}
    play.state.forget()
    assert play.refused("usa", Build("usa_1st_us_army", 2)) == "7.8.build-b"


@pytest.mark.rule("blitz:7.8.build-c")
@pytest.mark.rule("blitz:7.8.build-d")
def test_the_step_to_size_3_takes_the_big_counter_from_the_pool() -> None:
    units = {"ger_6th_army": {"at": "berlin", "size": 2}}
    play = spending(units=units, goods={"germany": (0, 3)}, pool={"germany": []})
    assert play.refused("germany", Build("ger_6th_army", 3)) == "7.8.build-d"
    play = spending(units=units, goods={"germany": (0, 3)}, pool={"germany": ["ger_6th_army.big"]})
    state = finish(play, "germany", Build("ger_6th_army", 3), Build("ger_6th_army", 4))
    assert state.units["ger_6th_army"].size == 4
    assert state.pool["germany"] == ()
    # A unit without a Big version ends at Size 2.
    play = spending(units={"ger_stukas": {"at": "berlin", "size": 2}}, goods={"germany": (0, 3)})
    assert play.refused("germany", Build("ger_stukas", 3)) == "7.8.build-d"


@pytest.mark.rule("blitz:7.8.build-d")
@pytest.mark.rule("blitz:3.4.conq-h")
def test_a_conquered_countrys_unit_does_not_become_big() -> None:
    play = spending(
        units={"afa_1st_army_group": {"at": "london", "size": 1}},
        pool={"afa": ["afa_1st_army_group.big"]},
        conquered={"france": "axis"},
        new_home={"france": "great_britain"},
        goods={"afa": (0, 5)},
    )
    assert play.refused("afa", Build("afa_1st_army_group", 3)) == "7.8.build-d"
    assert finish(play, "afa", Build("afa_1st_army_group", 2)).units["afa_1st_army_group"].size == 2


@pytest.mark.rule("blitz:7.8.build-a")
def test_new_super_weapons_are_counted_for_the_victory_card() -> None:
    play = spending(
        units={"ger_me_262s": "berlin"},
        pool={"germany": ["ger_v_1", "ger_stukas"]},
        goods={"germany": (0, 5)},
    )
    decisions = (
        Build("ger_v_1", 1, "berlin"),
        Build("ger_stukas", 1, "berlin"),
        Build("ger_me_262s", 2),
    )
    for decision in decisions:
        for request in play.game.pending:
            if request.power != "germany":
                play.do(request.power, Done())
        play.do("germany", decision)
    counted: list[dict[str, int]] = []
    score = victory.count_victory

    def look(g: Any) -> Any:
        counted.append(dict(g.state.deeds))
        return score(g)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(order.STEPS, "victory", look)
        play.do("germany", Done())
    assert counted[0]["super_weapon:germany"] == 1


@pytest.mark.rule("blitz:7.8.build-e")
@pytest.mark.rule("blitz:D.10b")
def test_new_units_appear_in_their_home_country_ships_in_a_port() -> None:
    pool = ["ger_6th_army", "ger_baltic_trs", "ger_po_army"]
    play = spending(pool={"germany": pool}, goods={"germany": (0, 5)})
    assert play.refused("germany", Build("ger_6th_army", 1, "milan")) == "7.8.build-e"
    assert play.refused("germany", Build("ger_6th_army", 1)) == "7.8.build-e"
    assert play.refused("germany", Build("ger_baltic_trs", 1, "berlin")) == "7.8.build-e"
    assert play.refused("germany", Build("ger_baltic_trs", 1, "berlin", "north_sea")) == (
        "7.8.build-e"
    )
    assert play.refused("germany", Build("ger_6th_army", 1, "berlin", "baltic_sea")) == (
        "7.8.build-e"
    )
    state = finish(
        play,
        "germany",
        Build("ger_6th_army", 1, "western_germany"),
        Build("ger_baltic_trs", 1, "berlin", "baltic_sea"),
        Build("ger_po_army", 1, "rome"),
    )
    assert state.units["ger_6th_army"].at == "western_germany"
    assert (state.units["ger_baltic_trs"].at, state.units["ger_baltic_trs"].port) == (
        "berlin",
        "baltic_sea",
    )
    assert state.units["ger_po_army"].at == "rome"
    built = [(event["unit"], event["space"]) for event in play.events("built")]
    assert ("ger_po_army", "rome") in built


@pytest.mark.rule("blitz:7.8.build-e")
def test_new_units_need_a_friendly_area_and_room() -> None:
    play = spending(
        pool={"usa": ["usa_philippine_army", "usa_corregidor"]},
        control={"west_coast": "japan"},
        units={"usa_marines": {"at": "manila", "size": 2}},
        goods={"usa": (0, 5)},
    )
    # An island takes land units of Size 2.
    assert play.refused("usa", Build("usa_philippine_army", 1, "manila")) == "1.3.island-a"
    play = spending(pool={"usa": ["usa_5th_army"]}, control={"west_coast": "japan"})
    assert play.refused("usa", Build("usa_5th_army", 1, "west_coast")) == "7.8.build-e"


@pytest.mark.rule("blitz:7.8.build-e")
def test_orders_of_one_turn_share_the_room() -> None:
    play = spending(
        pool={"usa": ["usa_corregidor", "usa_philippine_army"]},
        units={"usa_marines": {"at": "manila", "size": 1}},
        goods={"usa": (0, 5)},
    )
    for request in play.game.pending:
        if request.power != "usa":
            play.do(request.power, Done())
    play.do("usa", Build("usa_corregidor", 1, "manila"))
    assert play.refused("usa", Build("usa_philippine_army", 1, "manila")) == "1.3.island-a"
    assert play.refused("usa", Build("usa_marines", 2)) == "1.3.island-a"
    play = spending(
        pool={"usa": ["usa_philippine_army"]},
        units={"usa_corregidor": "manila"},
        goods={"usa": (0, 5)},
    )
    for request in play.game.pending:
        if request.power != "usa":
            play.do(request.power, Done())
    play.do("usa", Build("usa_corregidor", 2))
    assert play.refused("usa", Build("usa_philippine_army", 1, "manila")) == "1.3.island-a"


@pytest.mark.rule("blitz:7.8.build-e")
def test_an_order_for_which_an_ally_left_no_room_is_paid_back() -> None:
    aboard = {"at": "north_sea", "aboard": "afa_europe_trs"}
    play = spending(
        units={
            "afa_europe_trs": {"at": "north_sea", "size": 2},
            "afa_8th_army": aboard,
            "usa_3rd_army": aboard,
        },
        pool={"afa": ["afa_8th_army.big"], "usa": ["usa_3rd_army.big"]},
        wars=[("germany", "afa"), ("germany", "usa")],
        goods={"afa": (0, 2), "usa": (0, 3)},
    )
    # A transport of Size 2 carries 4, so one of the two can grow to Size 3.
    assert play.refused("usa", Build("usa_3rd_army", 4)) == "4.2.trs-a"
    for request in play.game.pending:
        unit = {"afa": "afa_8th_army", "usa": "usa_3rd_army"}.get(request.power)
        play.do(request.power, Build(unit, 3) if unit else Done())
    state = finish(play, "afa")
    assert (state.units["afa_8th_army"].size, state.units["usa_3rd_army"].size) == (3, 1)
    assert (state.resources["afa"], state.resources["usa"]) == (0, 3)
    assert play.events("build_dropped") == [{"power": "usa", "unit": "usa_3rd_army"}]


@pytest.mark.rule("blitz:7.8.build-f")
@pytest.mark.rule("blitz:B.7d")
def test_a_fort_appears_in_any_land_area_of_ones_own_with_supply() -> None:
    play = spending(
        pool={"germany": ["ger_atlantic_wall"]}, control={"poland": "germany"}, trades=[]
    )
    assert play.refused("germany", Build("ger_atlantic_wall", 1, "paris")) == "7.8.build-f"
    assert play.refused("germany", Build("ger_atlantic_wall", 1, "sweden")) == "7.8.build-f"
    state = finish(play, "germany", Build("ger_atlantic_wall", 1, "poland"))
    assert state.units["ger_atlantic_wall"].at == "poland"
    cut_off = spending(
        pool={"germany": ["ger_atlantic_wall"]},
        units={"afa_mediterranean_fleet": "mediterranean_sea"},
    )
    assert cut_off.refused("germany", Build("ger_atlantic_wall", 1, "libya")) == "7.8.build-f"


@pytest.mark.rule("blitz:7.8.build-f")
def test_no_fort_of_the_usa_in_china() -> None:
    play = spending(pool={"usa": ["usa_corregidor"]}, goods={"usa": (0, 5)})
    assert play.refused("usa", Build("usa_corregidor", 1, "chungking")) == "5.2.china-a"


@pytest.mark.rule("blitz:7.8.build-g")
def test_the_maginot_line_is_repaired_while_it_stands_and_never_rebuilt() -> None:
    play = spending(units={"afa_maginot_line": {"at": "paris", "size": 1}}, goods={"afa": (0, 1)})
    state = finish(play, "afa", Build("afa_maginot_line", 2))
    assert state.units["afa_maginot_line"].size == 2
    play = spending(units={"afa_maginot_line": {"at": "paris", "size": 1}}, goods={"afa": (0, 9)})
    state = finish(play, "afa", Scrap("afa_maginot_line"))
    assert "afa_maginot_line" in state.removed
    assert "afa_maginot_line" not in state.pool["afa"]


@pytest.mark.rule("blitz:7.8.gar-a")
@pytest.mark.rule("blitz:D.10b")
def test_one_gar_a_turn_is_free() -> None:
    play = spending(
        pool={"germany": ["ger_wehrkreis_iii", "ger_ersatz_army", "ger_volkssturm"]},
        goods={"germany": (0, 1)},
    )
    state = finish(
        play,
        "germany",
        Build("ger_wehrkreis_iii", 1, "berlin"),
        Build("ger_ersatz_army", 1, "berlin"),
    )
    assert state.resources["germany"] == 0
    assert {"ger_wehrkreis_iii", "ger_ersatz_army"} <= set(state.units)
    play = spending(pool={"germany": ["ger_wehrkreis_iii"]}, goods={"germany": (0, 0)})
    assert (
        "ger_wehrkreis_iii"
        in finish(play, "germany", Build("ger_wehrkreis_iii", 1, "berlin")).units
    )


def cut_off_manila(**given: Any) -> Play:
    ships = {
        "jap_combined_fleet": "south_china_sea",
        "jap_i_boats": "leyte_gulf",
        "jap_1st_strike_fleet": "east_china_sea",
    }
    return spending(
        units={**ships, **given.pop("units", {})},
        wars=[("germany", "afa"), ("usa", "japan")],
        **given,
    )


@pytest.mark.rule("blitz:7.8.gar-a")
def test_the_free_gar_needs_no_supply_and_others_do() -> None:
    pool = {"usa": ["usa_philippine_army", "usa_national_guard"]}
    play = cut_off_manila(pool=pool, goods={"usa": (0, 5)}, control={"manila": "usa"})
    play.state.books["usa"] = replace(book(play, "usa"), minors=())
    state = finish(play, "usa", Build("usa_philippine_army", 1, "manila"))
    assert state.units["usa_philippine_army"].at == "manila"
    play = cut_off_manila(pool=pool, goods={"usa": (0, 5)})
    play.state.books["usa"] = replace(book(play, "usa"), minors=())
    for request in play.game.pending:
        if request.power != "usa":
            play.do(request.power, Done())
    play.do("usa", Build("usa_national_guard", 1, "west_coast"))
    assert play.refused("usa", Build("usa_philippine_army", 1, "manila")) == "7.6.iso-b"


@pytest.mark.rule("blitz:7.6.iso-b")
@pytest.mark.rule("blitz:E.4b")
@pytest.mark.rule("blitz:D.9b")
def test_an_isolated_ally_is_built_with_its_own_goods_only_and_saves_none() -> None:
    units = {"usa_corregidor": "manila", "usa_marines": "manila"}
    play = cut_off_manila(units=units, goods={"usa": (2, 5)})
    assert book(play, "usa").minors == (Account(("philippines",), 0, 1),)
    # The Marines are of the USA, so neither account builds them there.
    assert play.refused("usa", Build("usa_marines", 2)) == "7.8.build-b"
    play.state.take("usa_marines")
    state = finish(play, "usa", Build("usa_corregidor", 2))
    assert state.units["usa_corregidor"].size == 2
    assert (state.oil["usa"], state.resources["usa"]) == (2, 5)
    saved = cut_off_manila(units={"usa_corregidor": "manila"}, goods={"usa": (0, 0)})
    assert finish(saved, "usa").resources["usa"] == 0


@pytest.mark.rule("blitz:7.6.iso-b")
@pytest.mark.rule("blitz:E.4b")
def test_an_isolated_allys_goods_pay_for_nothing_but_its_own_units() -> None:
    units = {"usa_corregidor": "manila", "usa_5th_army": "atlantic_seaboard"}
    play = cut_off_manila(units=units, goods={"usa": (0, 0)}, bombs={"usa": 5})
    assert book(play, "usa").minors == (Account(("philippines",), 0, 1),)
    for wanted in (Build("usa_5th_army", 2), Research(), DevelopBomb(), TestBomb()):
        assert play.refused("usa", wanted) == "7.8.build-a", wanted
    # One point is there; a second one would have to come from the USA, and cannot.
    rich = cut_off_manila(units={"usa_corregidor": "manila"}, goods={"usa": (5, 5)})
    for request in rich.game.pending:
        if request.power != "usa":
            rich.do(request.power, Done())
    rich.state.books["usa"] = replace(book(rich, "usa"), minors=())
    assert rich.refused("usa", Build("usa_corregidor", 2)) == "7.6.iso-b"


@pytest.mark.rule("blitz:7.8.end-a")
def test_what_is_not_spent_is_saved() -> None:
    state = finish(spending(goods={"germany": (2, 3)}), "germany")
    assert (state.oil["germany"], state.resources["germany"]) == (2, 3)
    assert not state.books


@pytest.mark.rule("blitz:7.8.end-b")
def test_own_units_may_be_reduced_or_destroyed_at_the_end() -> None:
    units = {"ger_6th_army": {"at": "berlin", "size": 2}, "ger_18th_army": "libya"}
    play = spending(
        units={**units, "afa_mediterranean_fleet": "mediterranean_sea"},
        pool={"germany": []},
    )
    assert play.refused("germany", Scrap("afa_mediterranean_fleet")) == "7.8.end-b"
    assert play.refused("germany", Scrap("ger_6th_army", 2)) == "7.8.end-b"
    assert play.refused("germany", Scrap("nonsense")) == "7.8.end-b"
    # The 18th Army is out of supply; that does not matter.
    state = finish(play, "germany", Scrap("ger_6th_army", 1), Scrap("ger_18th_army"))
    assert state.units["ger_6th_army"].size == 1
    assert "ger_18th_army" in state.pool["germany"]


@pytest.mark.rule("blitz:1.9a")
def test_nothing_shows_before_all_are_done() -> None:
    play = spending(
        units={"ger_6th_army": "berlin"},
        pool={"germany": ["ger_wehrkreis_iii"]},
        goods={"germany": (0, 5)},
    )
    before = secrets.observe(play.state, "afa")
    others = [request.power for request in play.game.pending if request.power != "germany"]
    play.do("germany", Build("ger_6th_army", 2))
    for power in others:
        play.do(power, Done())
    play.do("germany", Build("ger_wehrkreis_iii", 1, "berlin"), Research())
    play.dice(1)
    if play.game.pending[0].kind == "roll":
        play.dice(1)
    after = secrets.observe(play.state, "afa")
    del before["books"], after["books"]
    assert before == after
    assert all(event.to == ("germany",) for event in play.game.events if event.kind == "researched")
    play.do("germany", Done())
    assert play.state.units["ger_6th_army"].size == 2


# --- research ------------------------------------------------------------------------------------


GROUPS = [["ger_6th_army", "ger_ju_88s", "ger_condors"], ["ger_fw_190s"]]


def research(play: Play, power: str, *rolls: int) -> Play:
    for request in play.game.pending:
        if request.power != power and request.kind == "spend":
            play.do(request.power, Done())
    play.do(power, Research())
    for face in rolls:
        play.dice(face)
    return play


@pytest.mark.rule("blitz:7.8.res-a")
@pytest.mark.rule("blitz:7.8.res-b")
@pytest.mark.rule("blitz:7.3d")
@pytest.mark.rule("blitz:E.5a")
def test_research_finds_a_random_counter_that_can_be_built_at_once() -> None:
    play = spending(groups={"germany": GROUPS}, goods={"germany": (0, 3)})
    research(play, "germany", 4, 2)
    assert book(play, "germany").drawn == ("ger_ju_88s",)
    state = finish(play, "germany", Build("ger_ju_88s", 1, "berlin"))
    assert state.units["ger_ju_88s"].at == "berlin"
    assert state.groups["germany"][0] == ("ger_6th_army", "ger_condors")
    assert state.resources["germany"] == 1


@pytest.mark.rule("blitz:7.8.res-b")
def test_an_italian_counter_found_after_italys_liberation_can_be_built_at_once() -> None:
    play = spending(
        groups={"germany": [["ger_regia_marina"]]},
        goods={"germany": (0, 3)},
        flags=["italy_fell", "italy_freed"],
    )
    research(play, "germany", 1)
    state = finish(play, "germany", Build("ger_regia_marina", 1, "rome", "mediterranean_sea"))
    assert state.units["ger_regia_marina"].at == "rome"


@pytest.mark.rule("blitz:7.8.res-a")
@pytest.mark.rule("blitz:E.5a")
def test_research_fails_on_5_and_costs_a_resource_all_the_same() -> None:
    play = spending(groups={"germany": GROUPS}, goods={"germany": (0, 2)})
    research(play, "germany", 5)
    assert book(play, "germany").drawn == ()
    research(play, "germany", 6)
    assert book(play, "germany").resources == 0
    assert play.refused("germany", Research()) == "7.8.build-a"


@pytest.mark.rule("blitz:7.8.res-a")
@pytest.mark.rule("blitz:E.5a")
def test_a_power_at_war_with_nobody_adds_one_to_its_roll() -> None:
    groups = {"japan": [["jap_bettys"]], "usa": [["usa_alaska_scouts"]]}
    play = spending(groups=groups, goods={"japan": (0, 2), "usa": (0, 2)})
    research(play, "usa", 4)
    assert book(play, "usa").drawn == ()
    research(play, "usa", 3)
    assert book(play, "usa").drawn == ("usa_alaska_scouts",)


@pytest.mark.rule("blitz:7.8.res-b")
def test_an_empty_group_passes_research_on_and_attempts_are_unlimited() -> None:
    play = spending(
        groups={"germany": [["ger_6th_army"], ["ger_fw_190s"]]}, goods={"germany": (0, 3)}
    )
    research(play, "germany", 1)
    research(play, "germany", 1)
    assert book(play, "germany").drawn == ("ger_6th_army", "ger_fw_190s")
    assert play.refused("germany", Research()) == "7.8.res-b"


@pytest.mark.rule("blitz:7.8.res-b")
def test_a_researched_big_counter_lets_its_unit_grow() -> None:
    play = spending(
        groups={"germany": [["ger_6th_army.big"]]},
        units={"ger_6th_army": {"at": "berlin", "size": 2}},
        goods={"germany": (0, 3)},
    )
    assert play.refused("germany", Build("ger_6th_army", 3)) == "7.8.build-d"
    research(play, "germany", 1)
    assert finish(play, "germany", Build("ger_6th_army", 3)).units["ger_6th_army"].size == 3


# --- the A-Bomb ----------------------------------------------------------------------------------


def bomb(box: int, **given: Any) -> Play:
    return spending("E", bombs={"western_allies": box}, goods={"western_allies": (0, 6)}, **given)


@pytest.mark.rule("blitz:7.8.abomb-b")
@pytest.mark.rule("blitz:7.8.abomb-c")
@pytest.mark.rule("blitz:7.8.abomb-d")
@pytest.mark.rule("blitz:E.5b")
def test_a_bomb_found_by_research_is_developed_and_tested_the_same_turn() -> None:
    play = spending(
        "E", groups={"western_allies": [["usa_a_bomb_usa"]]}, goods={"western_allies": (0, 6)}
    )
    research(play, "western_allies", 1)
    assert book(play, "western_allies").bomb == 5
    play.do("western_allies", DevelopBomb())
    assert book(play, "western_allies").bomb == 4
    assert play.refused("western_allies", DevelopBomb()) == "7.8.abomb-c"
    play.do("western_allies", TestBomb()).dice(4)
    assert play.refused("western_allies", TestBomb()) == "7.8.abomb-d"
    assert play.state.bombs == {}
    state = finish(play, "western_allies")
    assert state.bombs == {"western_allies": 4}
    assert state.atomic == ()
    assert play.events("bomb_developed") == [{"power": "western_allies", "box": 4}]


@pytest.mark.rule("blitz:7.8.abomb-a")
def test_an_untested_bomb_cannot_be_built() -> None:
    play = bomb(1)
    build = Build("usa_a_bomb_usa", 1, "west_coast")
    assert play.refused("western_allies", build) == "7.8.build-a"


@pytest.mark.rule("blitz:7.8.abomb-c")
def test_development_ends_at_box_1() -> None:
    assert bomb(1).refused("western_allies", DevelopBomb()) == "7.8.abomb-c"
    play = spending("E", goods={"western_allies": (0, 3)})
    assert play.refused("western_allies", DevelopBomb()) == "7.8.abomb-c"
    assert play.refused("western_allies", TestBomb()) == "7.8.abomb-d"


@pytest.mark.rule("blitz:7.8.abomb-d")
@pytest.mark.rule("blitz:7.8.abomb-e")
@pytest.mark.rule("blitz:E.5b")
def test_a_test_above_the_box_lets_the_bomb_be_built_at_once() -> None:
    play = bomb(3)
    play.do("japan", Done()).do("western_allies", TestBomb()).dice(4)
    assert play.refused("western_allies", Build("usa_a_bomb_usa", 1, "canberra")) == "7.8.build-e"
    state = finish(play, "western_allies", Build("usa_a_bomb_usa", 1, "west_coast"))
    assert state.units["usa_a_bomb_usa"].at == "west_coast"
    assert state.bombs == {"western_allies": 0}
    assert state.atomic == (("western_allies", 4),)
    assert state.resources["western_allies"] == 4


@pytest.mark.rule("blitz:7.8.abomb-d")
def test_an_equal_roll_fails_unless_the_tester_was_bombed() -> None:
    play = bomb(3)
    play.do("japan", Done()).do("western_allies", TestBomb()).dice(3)
    assert book(play, "western_allies").bomb == 3
    play = bomb(3, flags=["a_bombed:western_allies"])
    play.do("japan", Done()).do("western_allies", TestBomb()).dice(3)
    assert book(play, "western_allies").bomb == 0


@pytest.mark.rule("blitz:7.8.abomb-e")
def test_a_tested_bomb_is_built_again_without_another_test() -> None:
    play = bomb(0, pool={"western_allies": ["usa_a_bomb_usa"]})
    state = finish(play, "western_allies", Build("usa_a_bomb_usa", 1, "west_coast"))
    assert "usa_a_bomb_usa" in state.units
    assert state.atomic == ()


@pytest.mark.rule("blitz:7.8.abomb-f")
def test_only_a_bomber_of_4_strategic_factors_picks_the_bomb_up() -> None:
    from sandtable.games.blitz.rules.rebase import Rebase, Stop

    given: dict[str, Any] = {"phase": "allied_activities", "step": "D", "turn": 12}
    load = Rebase("usa_15th_air_force", "scotland", load=("usa_a_bomb_usa",))

    def with_bomber(size: int, at: str) -> Play:
        bomber = {"usa_15th_air_force": {"at": at, "size": size}}
        units = {**bomber, "usa_a_bomb_usa": "london"}
        return Play(units=units, wars=[("germany", "afa"), ("germany", "usa")], **given)

    with_bomber(1, "london").refused("usa", load)
    play = with_bomber(2, "london").do("usa", load)
    assert play.state.units["usa_a_bomb_usa"].at == "scotland"
    # Even in the middle of a rebase.
    stop = Stop("london", embark=("usa_a_bomb_usa",))
    play = with_bomber(2, "scotland")
    play.do("usa", Rebase("usa_15th_air_force", "paris", stops=(stop,)))
    assert play.state.units["usa_a_bomb_usa"].at == "paris"


# --- China ---------------------------------------------------------------------------------------


def chinese(**given: Any) -> Play:
    return spending(
        units={
            "usa_1st_war_area": "chungking",
            "usa_5th_war_area": "canton",
            "usa_5th_army": "atlantic_seaboard",
        },
        goods={"usa": (5, 5)},
        **given,
    )


@pytest.mark.rule("blitz:7.8.china-a")
@pytest.mark.rule("blitz:7.8.china-b")
@pytest.mark.rule("blitz:E.econ-b")
@pytest.mark.rule("blitz:E.4c")
def test_chinese_units_are_built_with_chinas_resources_alone() -> None:
    play = chinese()
    assert book(play, "usa").minors == (Account(("china",), 0, 1),)
    for request in play.game.pending:
        if request.power != "usa":
            play.do(request.power, Done())
    play.do("usa", Build("usa_5th_war_area", 2))
    assert (book(play, "usa").oil, book(play, "usa").resources) == (5, 5)
    assert play.refused("usa", Build("usa_1st_war_area", 2)) == "7.8.china-b"


@pytest.mark.rule("blitz:7.8.china-b")
@pytest.mark.rule("blitz:7.4f")
def test_besides_its_own_china_builds_with_the_resource_that_was_lent_and_no_more() -> None:
    play = chinese(deeds={"lent_resources:usa:china": 1})
    assert book(play, "usa").minors == (Account(("china",), 0, 2),)
    for request in play.game.pending:
        if request.power != "usa":
            play.do(request.power, Done())
    before = book(play, "usa")
    assert before.resources > 2 and before.oil > 2
    play.do("usa", Build("usa_1st_war_area", 2), Build("usa_5th_war_area", 2))
    assert book(play, "usa").minors == (Account(("china",), 0, 0),)
    assert (book(play, "usa").oil, book(play, "usa").resources) == (before.oil, before.resources)
    play.state.put("usa_communist_army", Unit("usa", 1, "chungking"))
    for oil in (0, 1):
        wanted = Build("usa_communist_army", 2, oil=oil)
        assert play.refused("usa", wanted) == "7.8.china-b"


@pytest.mark.rule("blitz:7.4f")
@pytest.mark.rule("blitz:7.8.china-a")
def test_chinas_resources_build_nothing_else_and_research_nothing() -> None:
    play = chinese()
    play.state.books["usa"] = replace(book(play, "usa"), oil=0, resources=0)
    assert play.refused("usa", Build("usa_5th_army", 2)) == "7.8.build-a"
    assert play.refused("usa", Research()) == "7.8.build-a"
    assert finish(play, "usa").resources["usa"] == 0


@pytest.mark.rule("blitz:7.8.china-d")
def test_a_damaged_chungking_builds_nothing() -> None:
    play = chinese(factory_damage={"chungking": 1})
    assert book(play, "usa").minors == ()
    assert play.refused("usa", Build("usa_5th_war_area", 2)) == "7.8.china-b"


@pytest.mark.rule("blitz:7.8.china-c")
@pytest.mark.rule("blitz:7.8.end-a")
def test_ex_7_8() -> None:
    # The example lends an Oil to the AFA and forgets that this uses up the limit of 7; with a
    # marker one box on, its numbers come out.
    play = Play(
        phase="turn_end",
        step="lend_lease",
        turn=2,
        entry={"usa": 8, "ussr": 15},
        units={
            "usa_western_approaches_ll": "western_approaches",
            "usa_bay_of_bengal_ll": "bay_of_bengal",
            "usa_warlords": "chungking",
            "usa_1st_war_area": "lan_chow",
            "usa_5th_war_area": "canton",
            "usa_5th_army": "atlantic_seaboard",
            "usa_1st_us_army": "atlantic_seaboard",
        },
    )
    play.do("usa", Lend({"afa": 1}), Keep(2, 3, (1,)))
    state = finish(
        play,
        "usa",
        Build("usa_1st_war_area", 2),
        Build("usa_5th_war_area", 2),
        Build("usa_5th_army", 2),
        Build("usa_1st_us_army", 2),
    )
    assert (state.oil["usa"], state.resources["usa"]) == (2, 1)


# --- the scenarios -------------------------------------------------------------------------------


@pytest.mark.rule("blitz:B.7a")
@pytest.mark.rule("blitz:B.7d")
def test_scenario_b_builds_at_home_and_usa_units_in_great_britain() -> None:
    play = spending(
        "B",
        turn=9,
        pool={"western_allies": ["usa_9th_army", "afa_bef"], "germany": ["ger_6th_army"]},
        units={"usa_3rd_army": "paris", "afa_2nd_army": "london"},
        control={"paris": "western_allies"},
        goods={"germany": (1, 1), "western_allies": (0, 7)},
    )
    assert play.refused("western_allies", Build("usa_9th_army", 1, "paris")) == "7.8.build-e"
    assert play.refused("germany", Build("ger_6th_army", 1, "belgium_netherlands")) == "7.8.build-e"
    play.do("western_allies", Build("usa_9th_army", 1, "london"))
    play.do("germany", Build("ger_6th_army", 2, "berlin"))
    play.do("western_allies", Build("usa_3rd_army", 2))
    state = finish(play, "western_allies", Build("afa_2nd_army", 2))
    assert state.units["usa_9th_army"].at == "london"
    assert state.units["ger_6th_army"].size == 2
    assert state.units["usa_3rd_army"].size == 2


@pytest.mark.rule("blitz:B.7d")
def test_scenario_b_forts_go_anywhere_and_ships_need_a_port() -> None:
    play = spending("B", turn=9, pool={"germany": ["ger_ostwall", "ger_baltic_trs"]})
    assert play.refused("germany", Build("ger_baltic_trs", 1, "berlin")) == "7.8.build-e"
    play.do("germany", Build("ger_ostwall", 1, "paris"))


@pytest.mark.rule("blitz:B.7e")
def test_scenario_b_knows_no_voluntary_destruction_and_no_free_gar() -> None:
    play = spending(
        "B", turn=9, units={"ger_6th_army": "paris"}, pool={"germany": ["ger_volkssturm"]}
    )
    assert play.refused("germany", Scrap("ger_6th_army")) == "B.7e"
    before = book(play, "germany").resources
    play.do("western_allies", Done())
    play.do("germany", Build("ger_volkssturm", 1, "berlin"))
    assert book(play, "germany").resources == before - 1


@pytest.mark.rule("blitz:B.7f")
@pytest.mark.parametrize(("turn", "there"), [(9, False), (10, True)])
def test_some_units_of_scenario_b_come_on_turn_10(turn: int, there: bool) -> None:
    play = Play("B", base="setup", phase="axis_activities", step="begin", turn=turn)
    assert ("usa_9th_army" in play.state.pool["western_allies"]) is there
    assert ("ger_me_262s" in play.state.pool["germany"]) is there


@pytest.mark.rule("blitz:C.7a")
def test_scenario_c_saves_oil_and_no_resources() -> None:
    play = spending("C", turn=4, units={"afa_home_fleet": {"at": "scotland", "port": "north_sea"}})
    state = finish(play, "western_allies", Build("afa_home_fleet", 2))
    assert state.units["afa_home_fleet"].size == 2
    assert (state.oil["western_allies"], state.resources["western_allies"]) == (1, 0)
    spent = spending("C", turn=4, units={"afa_home_fleet": {"at": "scotland", "port": "north_sea"}})
    state = finish(spent, "western_allies", Build("afa_home_fleet", 2, oil=1))
    assert state.oil["western_allies"] == 0


@pytest.mark.rule("blitz:C.8b")
def test_on_turn_7_the_italians_in_the_german_pool_leave_the_game() -> None:
    given: dict[str, Any] = {
        "pool": {"germany": ["ger_roma", "ger_baltic_trs"]},
        "units": {"ger_regia_marina": {"at": "rome", "port": "mediterranean_sea"}},
    }
    assert spending("C", turn=6, **given).state.pool["germany"] == ("ger_baltic_trs", "ger_roma")
    play = spending("C", turn=7, **given)
    assert play.state.pool["germany"] == ("ger_baltic_trs",)
    assert "ger_roma" in play.state.removed
    # Those on the map stay, and can be repaired.
    state = finish(play, "germany", Build("ger_regia_marina", 2))
    assert state.units["ger_regia_marina"].size == 2
    retire(state, "germany", "ger_regia_marina")
    assert "ger_regia_marina" in state.removed, "once destroyed"


@pytest.mark.rule("blitz:D.wa-c")
def test_all_reinforcements_of_scenario_d_arrive_in_great_britain() -> None:
    pool = {"western_allies": ["usa_8th_air_force", "afa_spitfires", "afa_egyptian_army"]}
    play = spending("D", pool=pool)
    usa = Build("usa_8th_air_force", 1, "atlantic_seaboard")
    assert play.refused("western_allies", usa) == "7.8.build-e"
    assert play.refused("western_allies", Build("afa_egyptian_army", 1, "egypt")) == "7.8.build-e"
    state = finish(
        play,
        "western_allies",
        Build("usa_8th_air_force", 1, "london"),
        Build("afa_spitfires", 1, "scotland"),
        Build("afa_egyptian_army", 1, "london"),
    )
    assert state.units["usa_8th_air_force"].at == "london"


@pytest.mark.rule("blitz:D.wa-b")
def test_only_the_balkans_unit_is_built_with_the_balkans_resource() -> None:
    units = {"min_greco_yugoslav_army": "balkans", "afa_2nd_army": "london"}
    play = spending("D", units=units, goods={"western_allies": (0, 0)})
    assert play.refused("western_allies", Build("afa_2nd_army", 2)) == "7.8.build-a"
    state = finish(play, "western_allies", Build("min_greco_yugoslav_army", 2))
    assert state.units["min_greco_yugoslav_army"].size == 2


@pytest.mark.rule("blitz:D.9b")
def test_central_europe_surrounded_builds_its_own_army_with_its_oil() -> None:
    army = "min_bulgarian_hungarian_rumanian_army"
    around = ("poland", "balkans", "ukraine")
    play = spending(
        "D",
        units={army: "central_europe", "ger_6th_army": "central_europe", "ger_18th_army": "berlin"},
        control=dict.fromkeys(around, "ussr"),
        goods={"germany": (0, 5)},
    )
    assert book(play, "germany").minors == (Account(("central_europe",), 1, 0),)
    assert play.refused("germany", Build("ger_6th_army", 2)) == "7.8.build-b"
    state = finish(play, "germany", Build(army, 2))
    assert state.units[army].size == 2
    assert state.resources["germany"] == 5


@pytest.mark.rule("blitz:E.5a")
def test_before_scenario_e_nothing_is_researched() -> None:
    assert spending("D").refused("germany", Research()) == "E.5a"


@pytest.mark.rule("blitz:E.econ-c")
@pytest.mark.parametrize(("points", "after"), [(1, (0, 0)), (0, (0, 1))])
def test_three_extra_resources_cost_a_point_and_cannot_be_saved(
    points: int, after: tuple[int, int]
) -> None:
    play = Play("E", phase="turn_end", step="income", turn=5, vp={"western_allies": points})
    before = book(play, "western_allies").resources
    play.do("western_allies", {"kind": "take_extra"})  # type: ignore[arg-type]
    assert book(play, "western_allies").resources == before + 3
    assert (play.state.vp["western_allies"], play.state.vp["japan"]) == after
    assert finish(play, "western_allies").resources["western_allies"] == before


@pytest.mark.rule("blitz:E.econ-c")
@pytest.mark.parametrize("turn", [4, 9])
def test_extra_resources_are_offered_on_turns_5_to_8_only(turn: int) -> None:
    play = Play("E", phase="turn_end", step="income", turn=turn)
    assert {request.kind for request in play.game.pending} == {"spend"}


# --- minor ally builds ---------------------------------------------------------------------------


DUTY = {"minor_ally_builds": True}


@pytest.mark.rule("blitz:9.3a")
def test_ex_9_3() -> None:
    play = spending(turn=1, options=DUTY, control={"poland": "germany"})
    assert sorted(book(play, "afa").duties) == [
        "australia",
        "canada",
        "france",
        "french_north_africa",
        "great_britain",
        "india",
        "south_africa",
    ]


@pytest.mark.rule("blitz:9.3a")
def test_each_countrys_resource_goes_to_its_own_units_first() -> None:
    units = {"ger_6th_army": "berlin", "ger_po_army": "milan"}
    play = spending(options=DUTY, units=units, pool={"germany": []}, goods={"germany": (1, 2)})
    assert set(book(play, "germany").duties) >= {"germany", "italy"}
    assert play.refused("germany", Done()) == "9.3a"
    # One Resource is due to Italy: Germany's unit gets one Resource, then the Oil.
    for request in play.game.pending:
        if request.power != "germany":
            play.state.books[request.power] = Book()
            play.do(request.power, Done())
    play.do("germany", Build("ger_6th_army", 2))
    assert (book(play, "germany").oil, book(play, "germany").resources) == (1, 1)


@pytest.mark.rule("blitz:9.3a")
def test_a_resource_that_is_due_elsewhere_is_not_to_be_had() -> None:
    play = spending(
        options=DUTY,
        units={"ger_6th_army": "berlin", "ger_po_army": "milan"},
        pool={"germany": ["ger_6th_army.big"]},
        goods={"germany": (0, 2)},
    )
    assert play.refused("germany", Build("ger_6th_army", 3)) == "9.3a"
    assert play.refused("germany", Research()) == "9.3a"
    # With fewer Resources than countries, each Resource does one duty.
    play.state.books["germany"] = replace(book(play, "germany"), resources=1)
    play.do("germany", Build("ger_po_army", 2))


@pytest.mark.rule("blitz:9.3a")
def test_oil_does_not_do_the_duty() -> None:
    play = spending(
        options=DUTY,
        units={"ger_6th_army": "berlin", "ger_18th_army": "berlin"},
        pool={"germany": []},
        goods={"germany": (1, 1)},
    )
    play.state.books["germany"] = replace(book(play, "germany"), duties=("germany",))
    for request in play.game.pending:
        if request.power != "germany":
            play.state.books[request.power] = Book()
            play.do(request.power, Done())
    play.do("germany", Build("ger_6th_army", 2, oil=1))
    assert book(play, "germany").duties == ("germany",)
    assert play.refused("germany", Done()) == "9.3a"
    play.do("germany", Build("ger_18th_army", 2))
    assert book(play, "germany").duties == ()


@pytest.mark.rule("blitz:9.3b")
def test_a_country_with_all_units_at_full_size_has_no_duty() -> None:
    play = spending(
        options=DUTY,
        units={"ger_stukas": {"at": "berlin", "size": 2}},
        pool={"germany": []},
        goods={"germany": (0, 2)},
    )
    assert "germany" in book(play, "germany").duties
    play.do("germany", Done())
    assert book(play, "germany").duties


@pytest.mark.rule("blitz:9.3a")
def test_without_the_option_there_is_no_duty() -> None:
    assert book(spending(), "afa").duties == ()
