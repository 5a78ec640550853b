"""The position as clients draw it."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75 import RULES, view
from sandtable.games.gw75.facts import MAJORS
from sandtable.games.gw75.model import SeaBattle
from sandtable.games.gw75.rules.advance import ChooseAdvance
from sandtable.games.gw75.rules.air import AirMovement, Raid
from sandtable.games.gw75.rules.bombing import BomberLosses
from sandtable.games.gw75.rules.merchant_shipping import Shipping
from sandtable.games.gw75.rules.naval import NavalPhase
from sandtable.games.gw75.rules.naval_combat import (
    CloseIn,
    Engage,
    FallBack,
    HoldingArea,
    Pursue,
    Respond,
)
from sandtable.games.gw75.rules.naval_movement import Sail
from sandtable.games.gw75.rules.naval_results import NavalLosses
from sandtable.games.gw75.rules.penalties import PayViolation
from sandtable.games.gw75.rules.ports import Harbours
from sandtable.games.gw75.rules.retreat import ChooseRetreat, Retreat
from sandtable.games.gw75.rules.rights import Politics
from sandtable.games.gw75.rules.stacking import RemoveOverstack
from sandtable.games.gw75.rules.tables import Die
from sandtable.games.gw75.rules.ussr import PlaceMilitia
from sandtable.games.gw75.rules.vichy import ChooseFreeFrench
from sandtable.kernel.decisions import Legal, Request, plain, read_decision
from sandtable.kernel.display import Piece, Space
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.staging import Staging
from sandtable.kernel.vocabulary import WORDS
from tests.gw75.moves import move
from tests.gw75.table import Done, state, table


def pieces(space: Space) -> dict[str, dict[str, Piece]]:
    return {stack.power: {piece.symbol: piece for piece in stack.pieces} for stack in space.stacks}


def test_counters_have_type_strength_and_what_is_to_be_known_of_them() -> None:
    s = state(
        units={
            "W3121": {"germany": {"inf": 3, "mech": [{"left": 2}, {"count": 2}]}},
            "E2222": {"usa": {"surf_a": [{"depleted": True, "supply": "defense"}], "fort": 2}},
            "W2421": {"italy": {"inf": 1}},
        },
        wars=[("germany", "france"), ("italy", "france"), ("usa", "japan")],
    )
    spaces = view.picture(s, ()).spaces
    german = pieces(spaces["W3121"])["germany"]
    assert german["nato_infantry"].count == 3
    assert german["nato_infantry"].printed
    moved = [p for p in spaces["W3121"].stacks[0].pieces if p.symbol == "nato_mechanized"]
    assert {(p.count, p.states) for p in moved} == {(1, ("moved",)), (2, ())}
    carrier = pieces(spaces["E2222"])["usa"]["carrier"]
    assert carrier.states == ("depleted", "defense_supply")


def test_out_of_supply_is_on_the_counter_and_on_a_layer() -> None:
    s = state(
        units={"W2019": {"germany": {"inf": 1}}, "W3020": {"germany": {"inf": 1}}},
        held={"W2019": "germany"},
        wars=[("germany", "france")],
    )
    spaces = view.picture(s, ()).spaces
    assert pieces(spaces["W2019"])["germany"]["nato_infantry"].states == ("unsupplied",)
    assert pieces(spaces["W3020"])["germany"]["nato_infantry"].states == ()
    marks = {id: [m for m in spaces[id].marks if m.layer == "supply"] for id in ("W2019", "W3020")}
    told = {id: [(m.symbol, m.title, m.tone) for m in marks[id]] for id in marks}
    assert told["W2019"] == [("no_supply", "Unsupplied", "bad")]
    assert told["W3020"] == [("attack_supply", "In Attack Supply", "good")]
    assert all(WORDS.symbols[m.symbol].badge for id in marks for m in marks[id])


def test_zones_of_control_are_a_layer() -> None:
    s = state(
        units={"W3020": {"germany": {"inf": 1}}, "W3225": {"ussr": {"inf": 1}}},
        wars=[("germany", "france")],
    )
    shown = view.picture(s, ()).borders
    assert {border.owner for border in shown} == {"germany"}
    assert {border.layer for border in shown} == {"zones"}
    # Across the Alps there is none: that hexside is an edge.
    inside = {"W3020", *(n for n, mountain in s.facts.land["W3020"].items() if not mountain)}
    assert "W2921" not in inside
    assert all(len(inside & {*border.pair}) == 1 for border in shown)


def test_pipelines_are_a_layer() -> None:
    s = state(
        units={"W2910": {"commonwealth": {"ms": 3}}, "W3014": {"commonwealth": {"ms": 2}}},
    )
    routes = view.picture(s, ()).routes
    assert {route.layer for route in routes} == {"pipelines"}
    assert [(r.path, r.label) for r in routes if r.kind == "pipeline"] == [
        (("W2910", "W3014"), "2")
    ]
    assert any(r.kind == "convoy" and r.path[0] == "W3014" for r in routes)


def test_the_card_of_a_hex_says_what_is_there() -> None:
    s = state(
        turn=5,
        held={"W3019": "germany"},
        destroyed=["E2611"],
        ports=["W2522"],
        bombed={"W3120": 2},
    )
    spaces = view.picture(s, ()).spaces
    assert spaces["W3019"].holder == "germany"
    assert "Industrial Hex of France." in spaces["W3019"].lines
    assert any(line.startswith("Captured in Turn 4") for line in spaces["W3019"].lines)
    assert any("atomic bomb" in line for line in spaces["E2611"].lines)
    assert "A port was built here." in spaces["W2522"].lines
    assert [mark.text for mark in spaces["W3120"].marks] == ["2"]
    assert spaces["W2410"] == Space()


def test_the_phase_track_and_the_tables() -> None:
    s = state("allies_naval_2", 3)
    shown = view.picture(s, ("germany",))
    assert shown.moment.title == "Turn 3, Spring 1940"
    assert shown.moment.phase == "Second Allied Naval Phase"
    assert [step.short for step in shown.moment.steps if step.now] == ["Nav 2"]
    powers, victory = shown.tracks
    assert tuple(powers.rows) == MAJORS
    assert {*victory.rows} == {"axis", "allies"}
    assert {sheet.power for sheet in shown.sheets} == {*MAJORS}
    figures: dict[str, Any] = view.figures(s)
    assert {*figures} == {*view.about(s).figures}


def test_production_is_secret_while_it_is_ordered() -> None:
    assert view.picture(state("production"), ()).moment.secret
    assert not view.picture(state("reinforcement"), ()).moment.secret


def test_losses_of_several_nations_name_them() -> None:
    s = state("axis_naval_1", base="setup")
    fleets = {"W2812 commonwealth surf_b": 2, "W2812 france surf_b": 1}
    form = RULES.form(Legal(NavalLosses("commonwealth", "W2812", fleets, 1), s))
    assert [row.label for row in form.rows] == [
        "Surface-B, Commonwealth",
        "Surface-B, France",
    ]
    alone = RULES.form(
        Legal(NavalLosses("commonwealth", "W2812", {"W2812 france surf_b": 2}, 1), s)
    )
    assert [row.label for row in alone.rows] == ["Surface-B"]


def test_what_is_too_much_is_chosen_from_everything_that_is_there() -> None:
    s = state(units={"W3024": {"germany": "3 inf, 6 mech", "hungary": "2 inf", "rumania": "2 inf"}})
    request = RemoveOverstack("germany", "W3024", 3)
    form = RULES.form(Legal(request, s))
    assert [row.label for row in form.rows] == [
        "Infantry, Germany",
        "Mechanized, Germany",
        "Infantry, Hungary",
        "Infantry, Rumania",
    ]
    one_of_each = [form.rows[number].item for number in (1, 2, 3)]
    request.check(s, read_decision({**form.base, "units": one_of_each}, request.answers))
    with pytest.raises(IllegalDecision):
        same = [form.rows[2].item] * 3
        request.check(s, read_decision({**form.base, "units": same}, request.answers))


def test_who_ends_land_movement_is_told_of_what_is_too_much() -> None:
    units = {"W3121": {"germany": "5 inf"}, "W3122": {"germany": "7 mech"}}
    t = table("axis_land_movement", 4, units=units)
    assert RULES.form(Legal(t.request, t.s)).done_warning == ""
    t.do(move("W3121 > W3122", "5 inf"))
    assert RULES.form(Legal(t.request, t.s)).done_warning == (
        "Strength Points above the stacking limit will be lost: 2 in Danzig (W3122)."
    )


def test_survivors_can_be_sent_to_any_of_the_hexes() -> None:
    ways = ("W3123", "W3222")
    parts = (("finland", "inf", 1, ways[:1]), ("poland", "inf", 3, ways))
    request = ChooseRetreat("commonwealth", "W3122", parts, (("W3123", 2), ("W3222", 5)))
    s = state(wars=[("germany", "poland"), ("germany", "ussr")])
    form = RULES.form(Legal(request, s))
    assert [(row.label, row.space, row.most) for row in form.rows] == [
        ("Infantry, Finland", "W3123", 1),
        ("Infantry, Poland", "W3123", 3),
        ("Infantry, Poland", "W3222", 3),
    ]
    finns, here, there = (row.item for row in form.rows)
    answer = {**form.base, "moves": [finns, here, there, there]}
    decision = read_decision(answer, request.answers)
    request.check(s, decision)
    assert isinstance(decision, Retreat)
    assert decision.merged["poland", "inf", "W3222"] == 2
    full = {**form.base, "moves": [finns, here, here, there]}
    with pytest.raises(IllegalDecision, match="room elsewhere"):
        request.check(s, read_decision(full, request.answers))
    assert form.auto is not None
    request.check(s, read_decision(form.auto, request.answers))
    crowded = ChooseRetreat("commonwealth", "W3122", parts[1:], (("W3123", -2), ("W3222", 5)))
    form = RULES.form(Legal(crowded, s))
    assert [limit.most for limit in form.limits if limit.label.startswith("Room")] == [0, 5]
    assert [row.value for row in form.rows] == [0, 3]


def test_what_advances_by_itself_is_what_there_is_room_for() -> None:
    s = state(units={"W3021": {"germany": "8 mech"}, "W3121": {"germany": "8 mech"}})
    mech = (("W3021", "germany", 8), ("W3121", "germany", 8))
    request = ChooseAdvance("germany", mech, ("W3122",))
    form = RULES.form(Legal(request, s))
    assert [row.value for row in form.rows] == [8, 2]
    assert form.auto is not None
    request.check(s, read_decision(form.auto, request.answers))


def test_any_part_of_a_fleet_attacks_or_falls_back() -> None:
    s = state(
        "axis_naval_1",
        units={"W2812": {"germany": "3 surf_b"}, "W2813": {"commonwealth": "surf_b, 2 amph"}},
        wars=[("commonwealth", "germany")],
    )
    attack = next(
        choice
        for choice in RULES.form(Legal(NavalPhase("germany"), s)).choices
        if choice.spaces == ("W2813",)
    )
    assert [(row.label, row.most, row.value) for row in attack.rows] == [
        ("Surface-B from W2812", 3, 3)
    ]
    two = read_decision({**attack.decision, "force": [attack.rows[0].item] * 2}, NavalPhase.answers)
    NavalPhase("germany").check(s, two)
    with pytest.raises(IllegalDecision):
        four = {**attack.decision, "force": [attack.rows[0].item] * 4}
        NavalPhase("germany").check(s, read_decision(four, NavalPhase.answers))

    most = {"commonwealth surf_b": 1, "commonwealth amph": 2}
    respond = Respond("commonwealth", "W2813", most, ("W2814",))
    _, every, some = RULES.form(Legal(respond, s)).choices
    assert (every.label, every.detail) == ("Retreat to W2814", "all that can")
    assert [(row.label, row.most) for row in some.rows] == [("Surface-B", 1), ("Amphibious", 2)]
    one = {**some.decision, "units": {some.rows[1].key: 1}}
    respond.check(s, read_decision(one, respond.answers))


def test_whoever_may_pursue_is_told_who_leaves_and_who_stays() -> None:
    t = table(
        "axis_naval_2",
        units={"W2812": {"germany": "3 surf_a"}, "W2813": {"commonwealth": "2 surf_b, ms"}},
        wars=[("commonwealth", "germany")],
    )
    force = (("W2812", "germany", "surf_a", 3),)
    t.do(Engage("W2813", force))
    assert isinstance(t.request, Respond)
    assert "they may retreat one hex; whoever" in RULES.form(Legal(t.request, t.s)).prompt
    t.do(FallBack("W2814"))
    form = RULES.form(Legal(t.request, t.s))
    assert form.prompt.startswith(
        "2 Surface-B of the Commonwealth retreat before combat from W2813 to W2814."
    )
    assert [(choice.decision["option"], choice.detail) for choice in form.choices] == [
        ("transit", "2 Surface-B of the Commonwealth"),
        ("attack", "1 Merchant Ship of the Commonwealth"),
        ("nothing", ""),
    ]
    gone = {"germany": {"ss": 1}}
    form = RULES.form(Legal(Pursue("commonwealth", "W2812", ("nothing",), gone), t.s))
    assert form.prompt.startswith("1 Submarine of Germany declines combat in W2812.")
    decline = Respond("germany", "W2812", {}, (), decline=True)
    assert "Before combat they may decline it; whoever" in RULES.form(Legal(decline, t.s)).prompt


def test_upkeep_is_reckoned_in_the_form_of_maintenance() -> None:
    t = table("maintenance", base="setup")
    form = RULES.form(Legal(t.request, t.s))
    (limit,) = form.limits
    kept = {row.key: row.most - row.value for row in form.rows}
    assert limit.weights is not None and limit.weights.keys() == kept.keys()
    halves: dict[str, int] = {}
    for row in form.rows:
        halves[row.label] = halves.get(row.label, 0) + limit.weights[row.key] * kept[row.key]
    assert sum(-(-number // limit.rest) for number in halves.values()) == limit.most == 15


@pytest.mark.parametrize(
    ("request_", "labels"),
    [
        (CloseIn("germany", "W2812", ("all", "surf_b", "stay", "stop")), 4),
        (HoldingArea("germany", ("W2812", "W2813")), 2),
        (ChooseFreeFrench("commonwealth", ("W2812", "W2813")), 2),
        (BomberLosses("germany", "W2812", {"germany W3120": 2, "italy W2822": 1}, 1), 2),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_rare_questions_have_a_form_of_their_own(request_: Request, labels: int) -> None:
    form = RULES.form(Legal(request_, state("axis_naval_1", base="setup")))
    assert form.component != "schema" and form.title and "{" not in form.prompt
    shown = [each.label for each in (*form.choices, *form.rows)]
    assert len(shown) == len(set(shown)) == labels, shown


def test_choices_say_what_they_are_worth() -> None:
    s = state("allies_land_movement", base="setup")
    pay = PayViolation("commonwealth", "commonwealth", "norway", ("W3118", "W2524"))
    points = s.facts.victory
    assert [choice.detail for choice in RULES.form(Legal(pay, s)).choices] == [
        f"Industrial Hex, {points.industry} Victory Points",
        f"Supply Center, {points.center} Victory Point{'' if points.center == 1 else 's'}",
    ]


def test_atomic_bombs_fly_with_their_bombers() -> None:
    s = state(
        "allies_air_movement",
        10,
        units={"W3118": {"commonwealth": {"lrb": 2}}},
        wars=[("germany", "commonwealth")],
        bombs={"W3118": 1},
    )
    legal = Legal(AirMovement("commonwealth"), s)
    ways = RULES.reach(legal, "W3118", {"commonwealth:lrb": 1}).ways
    labels = [choice.label for choice in ways["W3217"].decisions]
    assert "Fly to Scotland-Tyne (W3217) with an atomic bomb" in labels


@pytest.mark.parametrize("number", [1, 3, 4])
def test_ships_reach_what_a_move_there_may_lead_to_and_are_refused_as_it_is(number: int) -> None:
    worn = {"left": 9}, {"left": 12}, {"count": 1}
    s = state(
        "allies_naval_1",
        10,
        units={"W3118": {"commonwealth": {"surf_a": list(worn)}}, "W3017": {"germany": "surf_b"}},
        wars=[("germany", "commonwealth")],
    )
    request = NavalPhase("commonwealth")
    reach = RULES.reach(Legal(request, s), "W3118", {"commonwealth:surf_a": number})
    assert len({**reach.ways, **reach.refused}) > 50
    assert max(way.cost for way in reach.ways.values()) == 9 if number < 4 else not reach.ways
    for hex, way in reach.ways.items():
        sail = Sail("commonwealth", way.path, {"surf_a": number})
        assert way.path[-1] == hex and way.decisions[0].decision == plain(sail)
        request.check(s, sail)
    for refusal in reach.refused.values():
        assert refusal.rule == "12.0a"


def test_who_is_left_is_shown_of_combats_that_are_fought_in_one_step() -> None:
    wars = [("commonwealth", "germany"), ("germany", "usa"), ("france", "germany")]
    units = {"W3118": {"commonwealth": "4 lrb"}, "W3120": {"germany": "4 ad"}}
    units["W3219"] = {"germany": "ss"}
    t = table("allies_air_movement", 14, wars=wars, units=units)
    t.do(Raid("commonwealth", "W3118", "W3120", 4), Done())
    t.dice(1, kind="air_defense").dice(4)
    stages = [
        line.battle
        for event in t.game.events
        if (line := view.line(t.s.facts, event)).battle is not None
    ]
    left = [
        [
            [(piece.name, piece.count) for stack in side.stacks for piece in stack.pieces]
            for side in battle.sides
        ]
        for battle in stages
    ]
    # One Air Defense unit is lost, one bomber turns back before the others bomb.
    assert left == [
        [[("Long Range Bomber", 4)], [("Air Defense", 3)]],
        [[("Long Range Bomber", 3)], [("Air Defense", 3)]],
    ]


def test_the_counter_attack_after_an_overrun_belongs_to_it() -> None:
    units = {"W3121": {"germany": "9 inf"}, "W3122": {"poland": "inf"}}
    t = table("axis_land_movement", 4, units=units, wars=[("germany", "poland")])
    staging = Staging(RULES)
    t.game.watch(staging.look)
    before = len(t.game.events)
    t.do(move("W3121 > W3122", "9 inf")).dice(6)
    lines = staging.lines(before, t.game.events.since(before), t.s)
    kinds = ("overrun", "counter_attack", "counter_losses", "land_move")
    fights = [(line.kind, line.fight) for line in lines if line.kind in kinds]
    assert [kind for kind, _ in fights] == list(kinds)
    assert len({fight for _, fight in fights}) == 1 and fights[0][1]


def test_ships_of_neutrals_have_no_part_in_a_battle_beside_them() -> None:
    units = {
        "W3014": {"commonwealth": "5 ms", "usa": "3 ms", "germany": "3 ss"},
    }
    s = state("axis_naval_2", 2, units=units, wars=[("germany", "commonwealth")])
    s.sea = SeaBattle("W3014", (("W3014", "germany", "ss", 3),))
    shown = view.battle(s)
    assert shown is not None
    assert [side.title for side in shown.sides] == ["Germany attacks", "The Commonwealth defends"]


def test_submarines_that_are_not_attacked_are_not_on_the_stage() -> None:
    units = {
        "W2920": {"france": "2 ss, surf_b", "commonwealth": "asw"},
        "W2820": {"germany": "2 surf_a"},
    }
    wars = [("germany", "commonwealth"), ("germany", "france")]
    s = state("axis_naval_2", units=units, wars=wars)
    s.sea = SeaBattle("W2920", (("W2820", "germany", "surf_a", 2),))
    shown = view.battle(s)
    assert shown is not None
    defenders = [piece.name for stack in shown.sides[1].stacks for piece in stack.pieces]
    assert sorted(defenders) == ["ASW", "Surface-B"]


def test_rights_say_what_they_mean() -> None:
    wars = [("commonwealth", "germany"), ("commonwealth", "italy")]
    s = state("allies_land_movement", 5, wars=wars, held={"W2525": "italy"})
    form = RULES.form(Legal(Politics("commonwealth"), s))
    assert [(choice.label, choice.detail) for choice in form.choices[:2]] == [
        ("The United States enters a limited war with Germany", "It produces as in peace-time."),
        ("The Soviet Union enters a limited war with Germany", "It produces as in peace-time."),
    ]


def test_a_port_is_found_by_its_name_and_its_country() -> None:
    s = state("allies_naval_1", 5, base="setup", stock={"commonwealth": 1})
    choices = RULES.form(Legal(Harbours("commonwealth"), s)).choices
    named = [bool(s.facts.hexes[choice.spaces[0]].name) for choice in choices]
    assert len(named) > 100 and any(named) and named == sorted(named, reverse=True)
    assert {"Shetlands-Orkneys", "United Kingdom"} <= {
        word for each in choices for word in (each.label[3:-8], each.detail)
    }


def test_merchant_ships_are_lent_by_number() -> None:
    have = {
        hex: count for hex, unit, count in state(base="setup").units_of("usa") if unit.type == "ms"
    }
    hex = min(have)
    s = state("allies_naval_1", 5, base="setup", units={hex: {"usa": {"ms": have[hex] + 3}}})
    request = Shipping("commonwealth")
    choices = RULES.form(Legal(request, s)).choices
    assert [choice.group for choice in choices] == [
        "To Commonwealth",
        "To France",
        "To Soviet Union",
    ]
    (row,) = choices[0].rows
    assert (row.path, row.most, row.value) == (("number",), 3, 1)
    request.check(s, read_decision({**choices[0].decision, "number": 3}, request.answers))
    with pytest.raises(IllegalDecision, match="can spare 3"):
        request.check(s, read_decision({**choices[0].decision, "number": 4}, request.answers))


def test_an_attack_at_sea_says_whose_peace_it_breaks() -> None:
    units = {
        "E2611": {"japan": "3 surf_a"},
        "E2612": {"usa": "ms"},
        "E2511": {"commonwealth": "ms"},
    }
    wars = [("japan", "commonwealth"), ("germany", "commonwealth")]
    s = state("axis_naval_1", 9, units=units, wars=wars)
    choices = RULES.form(Legal(NavalPhase("germany"), s)).choices
    found = [(choice.spaces, choice.group, choice.tone) for choice in choices]
    assert found == [
        (("E2511",), "Attacks", ""),
        (("E2612",), "Attacks on those who are at peace", "danger"),
    ]
    assert choices[1].detail == (
        "3 Surface-A against 1 Merchant Ship of the United States; violates the peace of the "
        "United States"
    )


def test_who_places_militia_is_told_how_much_is_to_come() -> None:
    s = state("allies_land_movement", 10, counts={"ussr:militia": 3})
    form = RULES.form(Legal(PlaceMilitia("commonwealth", ("W3225", "W3026")), s))
    assert "still to come: 3." in form.prompt
    assert [choice.label for choice in form.choices] == [
        "In Moscow (W3225)",
        "In Stalingrad (W3026)",
    ]


def test_who_chooses_losses_is_told_the_die_first() -> None:
    s = state("axis_naval_1", base="setup")
    fleets = {"W2812 commonwealth surf_b": 2, "W2812 france surf_b": 1}
    request = NavalLosses("commonwealth", "W2812", fleets, 1, Die(5, 3, 1))
    told = RULES.form(Legal(request, s)).prompt
    assert told.startswith("A 5, less 1, was rolled at +3. You lose 1 of your fleets")
    bombers = {"germany W3120": 2, "italy W2822": 1}
    raid = BomberLosses("germany", "W3118", bombers, 2, aborted=True, die=Die(4, 0))
    told = RULES.form(Legal(raid, s)).prompt
    assert told == (
        "A 4 was rolled at +0. Over Southern England-Midlands (W3118) 2 of your Long Range "
        "Bombers are turned back: choose which."
    )
