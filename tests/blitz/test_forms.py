"""Every request has a form whose answers are legal, and whose answers are all there are."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from sandtable.games.blitz import RULES
from sandtable.games.blitz.forms import FORMS
from sandtable.games.blitz.forms.parts import HELP
from sandtable.games.blitz.forms.steps import LOAD
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.spend import ordered
from sandtable.games.blitz.rules.steps import DeclareWar, Done
from sandtable.kernel.decisions import Legal, Request, plain
from sandtable.kernel.display import Choice, Form, Limit, NoQuestion, Reach, Row, filled
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.rules import load_index
from tests.blitz.table import Play
from tests.blitz.walks import OPTIONS, SCENARIOS, walk

Numbers = Mapping[str, int]


def within(limits: tuple[Limit, ...], numbers: Numbers) -> bool:
    return all(
        limit.least
        <= sum(
            number * (1 if limit.weights is None else limit.weights.get(key, 0))
            for key, number in numbers.items()
        )
        <= limit.most
        for limit in limits
    )


def proposal(rows: tuple[Row, ...]) -> dict[str, int]:
    return {row.key: row.value for row in rows}


def why_not(legal: Legal, decision: object) -> str:
    try:
        legal.read(decision)
    except IllegalDecision as error:
        return f"{decision}: {error.reason}"
    return ""


def check_form(legal: Legal, rng: random.Random) -> Form:
    """Assert that what a form offers is legal, as far as samples show."""
    form = RULES.form(legal)
    assert msgspec.json.decode(msgspec.json.encode(form), type=Form) is not None
    assert form.component != "schema"
    assert (form.kind, form.power) == (legal.asked.kind, legal.asked.power)
    assert form.title and form.prompt.endswith((".", "?")) and form.help
    if form.auto is not None:
        assert not why_not(legal, form.auto)
    if form.done is not None:
        assert bool(why_not(legal, form.done)) == bool(form.done_problem)
    for choice in rng.sample(form.choices, min(5, len(form.choices))):
        chosen = proposal(choice.rows)
        assert within(choice.limits, chosen)
        assert not why_not(legal, filled(choice.decision, choice.rows, chosen))
    if form.component == "assign":
        chosen = proposal(form.rows)
        # Offers may be passed: then nothing is proposed, and the limits say so.
        assert within(form.limits, chosen) == (
            not why_not(legal, filled(form.base, form.rows, chosen))
        )
    for mover in rng.sample(form.movers, min(2, len(form.movers))):
        check_mover(legal, mover.space, mover.rows, rng)
    return form


def check_mover(legal: Legal, space: str, rows: tuple[Row, ...], rng: random.Random) -> None:
    s: State = legal.state
    row = rng.choice([row for row in rows if not row.cargo])
    chosen = {row.key: 1}
    room = s.units[row.key].size
    loads = [load for load in rows if load.cargo and s.units[load.item].size <= room]
    if loads and s.type(row.key) == "TRS":
        chosen[rng.choice(loads).key] = 1
    reach = RULES.reach(legal, space, chosen)
    assert msgspec.json.decode(msgspec.json.encode(reach), type=Reach) is not None
    assert reach.ways or len(chosen) > 1
    assert not reach.ways.keys() & reach.refused.keys()
    for end, way in reach.ways.items():
        assert (way.path[0], way.path[-1]) == (space, end)
        for choice in way.decisions:
            assert not why_not(legal, choice.decision)
    for why in reach.refused.values():
        assert why.reason


# --- completeness --------------------------------------------------------------------------------


def offered(legal: Legal, form: Form, decision: dict[str, Any]) -> bool:
    """Whether there is a way through the form that gives a decision."""
    if decision in (form.done, {"kind": "pass"}):
        return True
    if any(choice.decision == decision for choice in form.choices if not choice.rows):
        return True
    if decision["kind"] == "attack":
        return any(_same_attack(choice, decision) for choice in form.choices if choice.rows)
    if form.component == "assign":
        return _assigned(legal, form, decision)
    if form.component == "move":
        return _moved(legal, form, decision)
    return False


def _same_attack(choice: Choice, decision: dict[str, Any]) -> bool:
    fixed = ("combat", "target", "port")
    if choice.decision["kind"] != "attack" or any(
        choice.decision.get(field, "") != decision.get(field, "") for field in fixed
    ):
        return False
    if set(choice.decision.get("flying", ())) != set(decision.get("flying", ())):
        return False
    numbers = {row.key: int(row.item in decision["units"]) for row in choice.rows}
    made = filled(choice.decision, choice.rows, numbers)
    return set(made["units"]) == set(decision["units"]) and within(choice.limits, numbers)


def _assigned(legal: Legal, form: Form, decision: dict[str, Any]) -> bool:
    numbers: dict[str, int] = {}
    for row in form.rows:
        value: Any = decision
        for step in row.path:
            value = value.get(step, {}) if isinstance(value, dict) else {}
        numbers[row.key] = int(row.item in value) if row.item is not None else value or 0
    if not within(form.limits, numbers):
        return False
    made = plain(legal.read(filled(form.base, form.rows, numbers)))
    return _sorted(made) == _sorted(decision)


def _sorted(value: Any) -> Any:
    """Lists of names in any order are the same, and empty ones are none."""
    if isinstance(value, dict):
        return {key: _sorted(each) for key, each in value.items() if each not in ((), [], {})}
    return sorted(value) if isinstance(value, list | tuple) else value


def _moved(legal: Legal, form: Form, decision: dict[str, Any]) -> bool:
    s: State = legal.state
    unit = decision["unit"]
    chosen = {unit: 1, **{f"{LOAD}{each}": 1 for each in decision.get("load", ())}}
    space = s.units[unit].at
    rows = {row.key for mover in form.movers if mover.space == space for row in mover.rows}
    if not rows.issuperset(chosen):
        return False
    reach = RULES.reach(legal, space, chosen)
    kind = decision["kind"]
    if kind in ("march", "sail"):
        # By another way perhaps: those that take the same areas, or run fewer blockades.
        return decision["path"][-1] in reach.ways
    stops = decision.get("stops", ())
    end = stops[0]["at"] if stops else decision["to"]
    if end not in reach.ways:
        return False
    # Transports that end elsewhere than they began after a call are left to typed decisions.
    return bool(stops) or any(each.decision == decision for each in reach.ways[end].decisions)


def pointless(s: State, decision: dict[str, Any]) -> bool:
    """A walk back to where it began."""
    return decision["kind"] == "march" and decision["path"][-1] == s.units[decision["unit"]].at


def cases() -> list[Any]:
    return [*({"scenario": scenario} for scenario in SCENARIOS), OPTIONS]


@pytest.mark.parametrize("options", cases(), ids=lambda o: f"{o['scenario']}{len(o)}")
@pytest.mark.parametrize("seed", [1, 2])
def test_forms_offer_what_is_legal_and_nothing_else(options: dict[str, Any], seed: int) -> None:
    rng = random.Random(seed)
    for game, request in walk(options, seed, 200, every=3):
        legal = game.legal(request)
        form = check_form(legal, rng)
        decision = plain(legal.sample(rng))
        if not pointless(game.state, decision):
            assert offered(legal, form, decision), decision


def test_every_kind_of_request_has_a_form_and_rules_that_exist() -> None:
    kinds = {str(kind.__struct_config__.tag) for kind in _requests(Request)}
    blitz = {kind for kind in kinds if kind in HELP or kind in FORMS}
    assert set(FORMS) == set(HELP) == blitz
    assert len(FORMS) == 44
    known = load_index(RULES.folder / "rules.yaml")
    for rows in HELP.values():
        assert all(id in known for id, _ in rows)


def _requests(base: type[Request]) -> list[type[Request]]:
    found = [each for kind in base.__subclasses__() for each in (kind, *_requests(kind))]
    rules = "sandtable.games.blitz.rules"
    return [each for each in found if each.answers and each.__module__.startswith(rules)]


# --- single forms --------------------------------------------------------------------------------


def form_of(play: Play, power: str) -> Form:
    return RULES.form(play.game.legal(play.request_of(power)))


def test_scenario_a_opens_with_a_war_to_declare() -> None:
    form = form_of(Play("A", base="setup"), "germany")
    assert (form.kind, form.component) == ("rebase_units", "move")
    assert [mover.space for mover in form.movers] == ["berlin", "western_germany"]
    assert all(mover.single for mover in form.movers)
    (war,) = form.choices
    assert war.follows == (
        "Belgium-Netherlands joins the AFA (Allies).",
        "The AFA gets Belg.-Neth. Army of Size 1 in Belgium-Netherlands.",
    )
    assert war.label == "Declare war on Belgium-Netherlands"
    assert (war.spaces, war.tone) == (("belgium_netherlands",), "danger")
    assert form.done == {"kind": "done"}


def test_an_attack_lists_who_can_take_part_and_proposes_as_much_as_counts() -> None:
    form = form_of(Play("A", base="setup", phase="axis_activities", step="F"), "germany")
    poland = next(choice for choice in form.choices if choice.spaces == ("poland",))
    assert (poland.label, poland.battle) == ("Ground Attack on Poland", "poland")
    assert {row.key for row in poland.rows} == {
        "ger_army_group_center",
        "ger_army_group_north",
        "ger_1st_para",
        "ger_luftwaffe",
    }
    assert "Against Polish Army (INF 2)." in poland.detail
    assert "11 factors against 4" in poland.detail or "10 factors against 4" in poland.detail
    (needs,) = poland.limits
    assert needs.least == 1 and "ger_luftwaffe" not in (needs.weights or {})


def test_a_para_drops_by_a_choice_of_its_own() -> None:
    play = Play(
        "B",
        phase="allied_activities",
        step="F",
        units={
            "usa_82nd_airborne": {"at": "london", "size": 1},
            "usa_1st_us_army": {"at": "paris", "size": 2},
            "ger_18th_army": {"at": "belgium_netherlands", "size": 1},
            "ger_westwall": {"at": "western_germany", "size": 1},
        },
        control={"paris": "western_allies", "london": "western_allies"},
    )
    form = form_of(play, "western_allies")
    on_belgium = [c for c in form.choices if c.spaces == ("belgium_netherlands",)]
    walking, dropping = on_belgium
    assert walking.decision.get("flying", ()) == ()
    assert dropping.label.endswith("82nd Airborne drops")
    assert list(dropping.decision["flying"]) == ["usa_82nd_airborne"]
    decision = filled(dropping.decision, dropping.rows, {"usa_1st_us_army": 1})
    play.game.submit("western_allies", decision)
    (attack,) = play.state.attacks
    assert attack.flying == ("usa_82nd_airborne",)
    assert set(attack.units) == {"usa_82nd_airborne", "usa_1st_us_army"}


def test_the_size_that_may_attack_from_an_area_is_limited() -> None:
    armies = ("ger_army_group_center", "ger_army_group_north", "ger_army_group_b", "ger_18th_army")
    units: dict[str, Any] = {id: {"at": "berlin", "size": 2} for id in armies}
    units["ger_army_group_center"]["size"] = units["ger_army_group_north"]["size"] = 4
    units["afa_polish_army"] = {"at": "poland", "size": 2}
    play = Play("campaign", phase="axis_activities", step="F", units=units)
    poland = next(c for c in form_of(play, "germany").choices if c.spaces == ("poland",))
    most = play.state.facts.numbers.attack_size_per_area
    limit = next(limit for limit in poland.limits if limit.label == "Size from Berlin")
    assert (limit.most, limit.weights) == (most, {id: units[id]["size"] for id in armies})
    everybody = {row.key: 1 for row in poland.rows}
    assert not within(poland.limits, everybody)
    refused = why_not(
        play.game.legal(play.request_of("germany")), filled(poland.decision, poland.rows, everybody)
    )
    assert str(most) in refused


@pytest.mark.parametrize("manila", ["usa", "japan"])
def test_only_who_may_enter_china_is_offered_attacks_there(manila: str) -> None:
    play = Play(
        "campaign",
        phase="allied_activities",
        step="F",
        units={
            "usa_philippine_army": {"at": "south_east_asia", "size": 1},
            "usa_1st_war_area": {"at": "chungking", "size": 1},
            "jap_southern_army": {"at": "canton", "size": 1},
        },
        control={"south_east_asia": "usa", "canton": "japan", "manila": manila},
        allied={"south_east_asia": "usa"},
        wars=[["afa", "japan"], ["usa", "japan"]],
    )
    play.do("afa", Done())
    canton = next(c for c in form_of(play, "usa").choices if c.battle == "canton")
    able = {row.key for row in canton.rows}
    assert able - {"usa_philippine_army"} == {"usa_1st_war_area"}
    assert ("usa_philippine_army" in able) == (manila == "usa")


def test_spending_says_what_is_left_and_what_it_costs() -> None:
    play = Play("D", base="setup", phase="turn_end", step="income")
    form = form_of(play, "germany")
    book = play.state.books["germany"]
    assert f"{book.oil} Oil" in form.notes[0] and f"{book.resources} Resource" in form.notes[0]
    groups = list(dict.fromkeys(choice.group for choice in form.choices))
    assert groups[0] == "Enlarge units on the map" and groups[-1] == "Give units up"
    assert any(group.startswith("New in ") for group in groups)
    build = next(choice for choice in form.choices if choice.group == groups[0])
    assert build.detail.startswith("Costs 1.")
    assert form.done_label == "Done, save the rest"


def test_a_unit_that_has_to_return_is_named_before_the_step_can_end() -> None:
    play = Play(
        "campaign",
        phase="axis_activities",
        step="A",
        units={"ger_bb_fleet": {"at": "cape_basin", "size": 1}},
    )
    form = form_of(play, "germany")
    assert form.done_problem == "BB Fleet has to return to base first."
    assert form.notes[0].startswith("BB Fleet (BB 1) has to return now")
    assert why_not(play.game.legal(play.request_of("germany")), form.done)


# --- reach ---------------------------------------------------------------------------------------


def test_an_army_takes_an_empty_area_on_its_way_or_goes_round() -> None:
    play = Play(
        "campaign",
        phase="axis_activities",
        step="E",
        units={
            "ger_army_group_center": {"at": "western_germany", "size": 2},
            "afa_2nd_army_group": {"at": "vichy_france", "size": 1},
        },
        control={"belgium_netherlands": "afa"},
        allied={"belgium_netherlands": "afa"},
    )
    legal = play.game.legal(play.request_of("germany"))
    reach = RULES.reach(legal, "western_germany", {"ger_army_group_center": 1})
    assert reach.ways["belgium_netherlands"].note == "Takes Belgium-Netherlands."
    paths = {tuple(each.decision["path"]) for each in reach.ways["paris"].decisions}
    assert paths == {("paris",), ("belgium_netherlands", "paris")}
    assert reach.ways["paris"].path == ("western_germany", "paris")
    assert reach.elsewhere


def test_neighbours_that_are_closed_say_why() -> None:
    play = Play("A", base="setup", phase="axis_activities", step="E")
    legal = play.game.legal(play.request_of("germany"))
    reach = RULES.reach(legal, "berlin", {"ger_army_group_center": 1})
    assert list(reach.ways) == ["western_germany"]
    assert reach.refused["poland"].rule == "5.2d"
    assert set(reach.refused) <= set(play.state.in_play)


def test_a_ship_goes_where_no_blockade_is_and_may_take_the_short_way() -> None:
    play = Play(
        "campaign",
        phase="axis_activities",
        step="B",
        units={
            "ger_bb_fleet": {"at": "western_germany", "size": 1, "port": "north_sea"},
            "afa_home_fleet": {"at": "north_sea", "size": 3},
        },
    )
    legal = play.game.legal(play.request_of("germany"))
    reach = RULES.reach(legal, "western_germany", {"ger_bb_fleet": 1})
    assert reach.ways["north_sea"].battle
    beyond = [way for end, way in reach.ways.items() if "north_sea" in way.path[1:-1]]
    assert all("Blockade in North Sea" in way.note for way in beyond) and beyond


def test_a_transport_takes_along_what_is_chosen_and_no_more_than_fits() -> None:
    play = Play(
        "campaign",
        phase="allied_activities",
        step="B",
        units={
            "afa_europe_trs": {"at": "london", "size": 1, "port": "north_sea"},
            "afa_bef": {"at": "london", "size": 2},
            "afa_home_guard": {"at": "london", "size": 1},
        },
    )
    legal = play.game.legal(play.request_of("afa"))
    (mover,) = RULES.form(legal).movers
    assert {row.key: row.cargo for row in mover.rows} == {
        "afa_europe_trs": False,
        f"{LOAD}afa_bef": True,
        f"{LOAD}afa_home_guard": True,
    }
    reach = RULES.reach(legal, "london", {"afa_europe_trs": 1, f"{LOAD}afa_bef": 1})
    way = reach.ways["north_sea"].decisions[0].decision
    assert list(way["load"]) == ["afa_bef"]
    full = {"afa_europe_trs": 1, f"{LOAD}afa_bef": 1, f"{LOAD}afa_home_guard": 1}
    too_much = RULES.reach(legal, "london", full)
    assert not too_much.ways and too_much.refused["north_sea"].rule == "4.2.trs-a"


def test_a_transport_can_bring_units_and_come_back() -> None:
    play = Play(
        "campaign",
        phase="allied_activities",
        step="D",
        units={
            "afa_europe_trs": {"at": "london", "size": 1, "port": "north_sea"},
            "afa_bef": {"at": "london", "size": 1},
        },
    )
    legal = play.game.legal(play.request_of("afa"))
    reach = RULES.reach(legal, "london", {"afa_europe_trs": 1, f"{LOAD}afa_bef": 1})
    labels = [choice.label for choice in reach.ways["scotland"].decisions]
    assert labels[0].startswith("Rebase to Scotland") and labels[0].endswith("with BEF")
    assert any(label.startswith("Bring BEF to Scotland") for label in labels)


def convoy_duty(**more: Any) -> Play:
    """A transport in London, an army to be carried, and another one in Scotland."""
    return Play(
        "campaign",
        phase="allied_activities",
        step="D",
        units={
            "afa_europe_trs": {"at": "london", "size": 1, "port": "north_sea"},
            "afa_bef": {"at": "london", "size": 2},
            "afa_home_guard": {"at": "london", "size": 1},
            "afa_8th_army": {"at": "scotland", "size": 1},
            **more,
        },
    )


def trips(play: Play, goal: str, *load: str) -> dict[str, list[Choice]]:
    """Heading to the ways of the transport to a goal."""
    legal = play.game.legal(play.request_of("afa"))
    chosen = {"afa_europe_trs": 1, **{f"{LOAD}{id}": 1 for id in load}}
    found: dict[str, list[Choice]] = {}
    for choice in RULES.reach(legal, "london", chosen).ways[goal].decisions:
        found.setdefault(choice.group, []).append(choice)
    return found


def carried_out(choice: Choice) -> dict[str, str]:
    """Where everybody is after a rebase of `convoy_duty`."""
    play = convoy_duty()
    play.game.submit("afa", choice.decision)
    return {id: unit.at for id, unit in play.state.units.items() if id.startswith("afa_")}


def test_a_transport_may_bring_units_and_go_on_to_another_port() -> None:
    ways = trips(convoy_duty(), "scotland", "afa_bef")
    onward = next(c for c in ways["And then go on"] if c.label.endswith("go on to Paris"))
    assert onward.label == "Bring BEF to Scotland, then go on to Paris"
    there = carried_out(onward)
    assert there["afa_bef"] == "scotland" and there["afa_europe_trs"] == "paris"


def test_a_transport_may_come_back_for_more_in_the_same_rebase() -> None:
    (second,) = trips(convoy_duty(), "scotland", "afa_bef")["In two trips"]
    assert second.label == "Bring BEF to Scotland, then Home Guard"
    there = carried_out(second)
    assert {there[id] for id in ("afa_bef", "afa_home_guard", "afa_europe_trs")} == {"scotland"}


def test_a_transport_may_fetch_units_and_bring_them_elsewhere() -> None:
    ways = trips(convoy_duty(), "scotland")
    assert [choice.label for choice in ways[""]] == [
        "Rebase to Scotland",
        "Fetch 8th Army from Scotland",
    ]
    elsewhere = next(c for c in ways["And then go on"] if c.label.endswith("to Paris"))
    there = carried_out(elsewhere)
    assert there["afa_8th_army"] == there["afa_europe_trs"] == "paris"


def test_oil_can_be_spent_before_resources_at_the_end_of_the_list() -> None:
    play = Play("D", base="setup", phase="turn_end", step="income", oil={"germany": 2})
    form, before = form_of(play, "germany"), play.state.books["germany"]
    assert before.oil and before.resources
    paid = [choice for choice in form.choices if choice.group == "Pay with Oil, keep Resources"]
    assert paid and all(choice.detail.startswith("Costs 1 Oil.") for choice in paid)
    order = play.game.legal(play.request_of("germany")).read(paid[0].decision)
    after = ordered(play.state, "germany", before, order)
    assert (after.oil, after.resources) == (before.oil - 1, before.resources)


def test_where_resources_cannot_be_saved_nobody_is_offered_to_keep_them() -> None:
    play = Play("B", base="setup", phase="turn_end", step="income")
    book = play.state.books["germany"]
    assert book.oil and book.resources
    assert not any("Oil" in choice.group for choice in form_of(play, "germany").choices)


@pytest.mark.parametrize(
    ("space", "chosen", "said"),
    [
        ("berlin", {}, "Choose the unit"),
        ("berlin", {"ger_army_group_center": 1, "ger_army_group_north": 1}, "one at a time"),
        ("paris", {"ger_army_group_center": 1}, "not there"),
        ("paris", {"afa_1st_army_group": 1}, "not yours"),
        ("berlin", {"nobody": 1}, "not there"),
        ("berlin", {"ger_army_group_center": 1, "load:ger_1st_para": 1}, "carries nothing"),
    ],
)
def test_what_cannot_be_chosen_is_no_question(
    space: str, chosen: dict[str, int], said: str
) -> None:
    play = Play("A", base="setup", phase="axis_activities", step="E")
    with pytest.raises(NoQuestion, match=said):
        RULES.reach(play.game.legal(play.request_of("germany")), space, chosen)


def test_nothing_moves_when_something_else_is_asked() -> None:
    play = Play("A", base="setup", phase="axis_activities", step="F")
    with pytest.raises(NoQuestion):
        RULES.reach(play.game.legal(play.request_of("germany")), "berlin", {"ger_18th_army": 1})


@pytest.mark.parametrize("scenario", ["B", "C", "D", "E", "campaign"])
def test_a_draft_of_orders_is_what_they_come_to_when_they_are_given(scenario: str) -> None:
    play = Play(scenario, base="setup", phase="turn_end", step="income")
    power = next(each.power for each in play.game.pending if each.kind == "spend")
    rng = random.Random(scenario)
    legal = play.game.legal(play.request_of(power))
    draft = Legal(legal.asked, legal.state.copy())
    before, orders = play.game.hash, []
    for _ in range(6):
        form = RULES.form(draft)
        open_ = [c for c in form.choices if c.item and not c.final]
        assert {choice.item for choice in open_} <= {item.key for item in form.items}
        if len(open_) < 2:
            break
        orders.append(rng.choice(open_).decision)
        RULES.draft(draft, draft.read(orders[-1]))
    assert orders and play.game.hash == before, "nothing has been given yet"
    drafted = RULES.form(draft)
    for order in orders:
        play.game.submit(power, order)
    if any(each.power == power and each.kind == "spend" for each in play.game.pending):
        assert RULES.form(play.game.legal(play.request_of(power))) == drafted


def test_the_order_sheet_has_areas_the_force_pool_and_what_is_left() -> None:
    play = Play("B", base="setup", phase="turn_end", step="income")
    legal = play.game.legal(play.request_of("germany"))
    draft = Legal(legal.asked, legal.state.copy())
    form, book = RULES.form(draft), play.state.books["germany"]
    assert [(purse.label, purse.left) for purse in form.purses] == [
        ("Resources", book.resources),
        ("Oil", book.oil),
    ]
    assert form.items[-1].group == "Force Pool" and form.items[0].group != "Force Pool"
    lost = f"{book.oil} Oil and {book.resources} Resources would be lost."
    assert form.done_warning == lost
    fort = next(item for item in form.items if item.label.startswith("Ostwall"))
    places = [choice for choice in form.choices if choice.item == fort.key]
    assert len(places) > 1 and len({choice.spaces for choice in places}) == len(places)
    RULES.draft(draft, draft.read(places[0].decision))
    line = next(item for item in RULES.form(draft).items if item.key == fort.key)
    assert line.size == 1 and line.space == places[0].spaces[0]
    assert RULES.form(draft).purses[0].left == book.resources - 1


def test_what_dice_decide_waits_in_no_sheet() -> None:
    play = Play("E", base="setup", phase="turn_end", step="income")
    power = next(each.power for each in play.game.pending if each.kind == "spend")
    legal = play.game.legal(play.request_of(power))
    research = next(c for c in RULES.form(legal).choices if c.decision["kind"] == "research")
    assert research.final
    draft = Legal(legal.asked, legal.state.copy())
    with pytest.raises(NoQuestion):
        RULES.draft(draft, draft.read(research.decision))


def test_a_declaration_of_war_says_what_comes_of_it_and_changes_nothing() -> None:
    play = Play("campaign", base="setup", phase="axis_activities", step="D")
    before = play.game.hash
    wars = {c.decision["on"]: c for c in form_of(play, "germany").choices if c.follows}
    assert play.game.hash == before
    said = wars["belgium_netherlands"].follows
    assert "Netherlands East Indies joins the AFA (Allies)." in said
    assert any("marker of the USA goes from box 0 to 1" in each for each in said)
    assert wars["belgium_netherlands"].spaces == ("belgium_netherlands",)
    assert "paris" not in wars["belgium_netherlands"].spaces
    play.do("germany", DeclareWar("belgium_netherlands"))
    assert play.state.entry["usa"] == 1
    assert play.state.control["java"] == "afa"


def test_units_of_an_ally_say_why_they_are_under_orders() -> None:
    play = Play("D", base="setup", phase="axis_activities", step="E")
    rows = [row for mover in form_of(play, "germany").movers for row in mover.rows]
    (army,) = [row for row in rows if "you order its units" in row.note]
    assert "of Central Europe, which is on your side" in army.note
