"""The questions of Global War as people see them: each has a form in names, and what is filled in
is allowed."""

from __future__ import annotations

from typing import Any

import pytest

import sandtable
from sandtable.games.gw36 import forms
from sandtable.games.gw36.forms import FORMS, form, reach
from sandtable.games.gw36.model import Unit
from sandtable.games.gw36.rules.alignment import AlignBalkans, AlignIraq, AlignPoland, AssignMinor
from sandtable.games.gw36.rules.civil_wars import ArrangeSpain
from sandtable.games.gw36.rules.follow_up import MayLand
from sandtable.games.gw36.rules.income import DivideIncome
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.raiding import SpreadRaid
from sandtable.games.gw36.rules.rights import AnswerReturn, Diplomacy
from sandtable.games.gw36.rules.scramble import MayScramble
from sandtable.games.gw36.rules.slovakia import ContestSlovakia
from sandtable.games.gw36.rules.submarines import Intercept
from sandtable.games.gw36.rules.surrender import PassMinors, RelocateCapital
from sandtable.games.gw36.rules.vichy import CreateVichy, Evacuate, SailHome
from sandtable.kernel.decisions import Legal, Request
from sandtable.kernel.display import Choice, Form, NoQuestion, filled
from tests.gw36.table import Done, Table, counts, table

ASKED = (
    AlignPoland("great_britain"),
    AlignBalkans("germany", ("", "romania", "hungary")),
    AlignIraq("germany", ("germany", "italy")),
    AssignMinor("great_britain", "siam", ("fec", "anzac")),
    ArrangeSpain("germany", "spain_nationalist"),
    MayLand("germany", "sz27", ("london",)),
    DivideIncome("great_britain", 7, ("fec", "anzac")),
    AnswerReturn("germany", "paris", "france"),
    ContestSlovakia("france"),
    PassMinors("france", ("great_britain",)),
    RelocateCapital("kmt", ("szechwan",)),
    CreateVichy("germany"),
    Evacuate("great_britain", "paris", ("normandy",)),
    SailHome("france", "sz26", ("sz49", "")),
)


def asked(request: Request) -> Form:
    state = sandtable.new("gw36", seed=1).state
    return form(Legal(request, state))


@pytest.mark.parametrize("request_", ASKED, ids=lambda request: request.kind)
def test_rare_questions_have_forms_in_names(request_: Request) -> None:
    shown = asked(request_)
    assert request_.kind in FORMS
    assert shown.title
    assert shown.prompt.endswith(("?", "."))
    for text in (shown.prompt, *(choice.label for choice in shown.choices)):
        assert text
        assert "_" not in text
        assert '"' not in text


def test_every_kind_of_question_has_a_form() -> None:
    kinds = {request.__struct_config__.tag for request in _requests(Request)}
    ours = {kind for kind in kinds if kind in FORMS}
    assert ours == set(FORMS)
    assert {
        request.__struct_config__.tag
        for request in _requests(Request)
        if request.__module__.startswith("sandtable.games.gw36.")
    } == set(FORMS)


def _requests(base: type[Request]) -> list[type[Request]]:
    return [each for sub in base.__subclasses__() for each in (sub, *_requests(sub))]


def choice(shown: Form, label: str) -> Choice:
    (found,) = (each for each in shown.choices if each.label == label)
    return found


def decided(each: Choice) -> dict[str, Any]:
    """The decision with the numbers that are filled in."""
    return filled(each.decision, each.rows, {row.key: row.value for row in each.rows})


# --- production and placing -------------------------------------------------------------------


def test_units_are_offered_once_with_their_price_and_as_many_as_there_is_money_for() -> None:
    game = sandtable.new("gw36", seed=1)
    shown = form(game.legal(game.pending[0]))
    infantry = choice(shown, "Infantry")
    assert infantry.detail == "3 IPP · attack 2 · defense 4 · moves 1"
    assert (infantry.rows[0].most, infantry.rows[0].cost) == (6, 3)
    (begun,) = (each for each in shown.choices if each.group == "Go on building")
    assert begun.label == "Battlecruiser"
    assert "Battlecruiser" in shown.done_warning
    for each in shown.choices:
        assert decided(each) in game.legal(game.pending[0])


def test_a_zone_is_filled_with_what_can_be_placed_there() -> None:
    game = sandtable.new("gw36", seed=1)
    for unit, number in (("infantry", 3), ("artillery", 1)):
        game.submit("germany", {"kind": "buy", "unit": unit, "number": number})
    while game.pending[0].kind != "place_units":
        game.submit("germany", {"kind": "done"})
    legal = game.legal(game.pending[0])
    berlin = choice(form(legal), "Place in Berlin")
    assert decided(berlin)["units"] == {"artillery": 1, "infantry": 3}
    assert decided(berlin) in legal


# --- diplomacy -------------------------------------------------------------------------------


def test_diplomacy_says_what_could_be_done_and_why_not_more() -> None:
    soviet = asked(Diplomacy("ussr"))
    assert any("cannot declare war before" in note for note in soviet.notes)
    assert any("cannot be signed before July 1939" in note for note in soviet.notes)
    german = asked(Diplomacy("germany"))
    assert {each.group for each in german.choices} >= {"Declare war", "Let use your railways"}
    poland = choice(german, "Declare war on Poland")
    assert (poland.tone, poland.detail) == ("danger", "Minor Power, turns to the Allies")
    assert not [each for each in german.choices if "ANZAC" in each.label and each.tone]


def test_an_offer_is_accepted_by_the_other_partner() -> None:
    game = sandtable.new("gw36", seed=1, options={"scenario": "1939"})
    pact = {"kind": "agree_to_pact", "pact": "molotov_ribbentrop"}
    labels = [each.label for each in form(Legal(Diplomacy("ussr"), game.state)).choices]
    assert "Offer the Molotov-Ribbentrop Pact" in labels
    game.submit("ussr", pact)
    german = form(Legal(Diplomacy("germany"), game.state))
    assert "Soviet Union offers the Molotov-Ribbentrop Pact." in german.notes
    assert choice(german, "Accept the Molotov-Ribbentrop Pact").decision == pact


# --- moves -----------------------------------------------------------------------------------


def test_a_march_says_what_it_means() -> None:
    game = sandtable.new("gw36", seed=1)
    while game.pending[0].kind != "combat_move":
        game.submit("germany", {"kind": "done"})
    legal = game.legal(game.pending[0])
    ways = reach(legal, "bavaria", {"germany:infantry": 1}).ways
    assert ways["austria"].note == "Austria is annexed, without a fight and without a war."
    assert not ways["austria"].battle
    assert ways["alsace_lorraine"].note == "That is a declaration of war on France."
    (attack,) = ways["alsace_lorraine"].decisions
    assert (attack.label, attack.tone) == ("Attack Alsace-Lorraine", "danger")
    assert next(iter(ways)) == "austria"
    spain = reach(legal, "galicia_and_leon", {"spain_nationalist:infantry": 1}).ways
    assert (spain["madrid"].note, spain["madrid"].battle) == ("", True)
    assert spain["madrid"].decisions[0].tone == ""
    game.submit("germany", spain["madrid"].decisions[0].decision)
    (ahead,) = form(game.legal(game.pending[0])).battles
    assert (ahead.space, ahead.detail.partition(" against ")[0]) == ("madrid", "1 Infantry")


# --- fighting --------------------------------------------------------------------------------


def test_a_raid_is_spread_over_the_richest_lines_first() -> None:
    state = sandtable.new("gw36", seed=1).state
    lines = list(state.facts.lines)[:2]
    request = SpreadRaid("great_britain", "sz26", 4, {lines[0]: 3, lines[1]: 2})
    legal = Legal(request, state)
    shown = form(legal)
    assert [row.value for row in shown.rows] == [3, 1]
    assert shown.auto in legal


def test_whoever_lies_in_wait_may_let_ships_pass() -> None:
    request = Intercept("italy", "sz67", {"submarine": 2}, {"destroyer": 1})
    shown = asked(request)
    assert shown.pass_label == "Let them pass"
    assert shown.base in Legal(request, sandtable.new("gw36", seed=1).state)


def test_aircraft_scramble_from_base_to_battle() -> None:
    t = table(
        "germany",
        wars=[("france", "germany")],
        units={
            "western_germany": {"germany": "2 infantry"},
            "alsace_lorraine": {"france": "infantry"},
            "paris": {"france": "2 fighter"},
        },
    )
    request = MayScramble("france", (("paris", ("alsace_lorraine",)),))
    legal = Legal(request, t.s)
    shown = form(legal)
    assert shown.choices
    assert all(each.decision in legal for each in shown.choices)
    assert shown.choices[0].group == "To Alsace-Lorraine"


# --- comforts -------------------------------------------------------------------------------------


def attack_on_belgium(force: str, garrison: str) -> Table:
    """Germany attacks Belgium, and has missed in the first round."""
    t = table(
        units={"western_germany": {"germany": force}, "belgium": {"belgium": garrison}},
        wars=[("belgium", "germany")],
    )
    t.do(Move(counts(force), ("western_germany", "belgium")), Done())
    while t.asked != "germany retreat_or_press":
        if t.asked.endswith("choose_fire"):
            t.do({"kind": "fire_all"})
        else:
            t.dice(*[12] * t.request.dice)
    return t


@pytest.mark.parametrize(
    ("force", "garrison", "clear"),
    [("6 infantry, 2 artillery", "infantry", True), ("2 infantry", "3 infantry", False)],
)
def test_a_clear_battle_is_fought_on_and_shows_its_odds(force: str, garrison: str, clear: bool):
    t = attack_on_belgium(force, garrison)
    asked = forms.form(t.game.legal(t.request))
    assert asked.choices[0].battle == "belgium"
    assert asked.auto == ({"kind": "press"} if clear else None)
    press = t.game.legal(t.request).read({"kind": "press"})
    win = forms.odds(t.game, "belgium", press, "germany").win
    assert (win >= 0.9) is clear


def test_of_several_combats_a_clear_one_is_proposed():
    t = table(
        units={
            "western_germany": {"germany": "9 infantry"},
            "belgium": {"belgium": "6 infantry"},
            "netherlands": {"netherlands": "infantry"},
        },
        wars=[("belgium", "germany"), ("germany", "netherlands")],
    )
    for goal, count in (("belgium", 3), ("netherlands", 6)):
        t.do(Move({"infantry": count}, ("western_germany", goal)))
    t.do(Done())
    asked = forms.form(t.game.legal(t.request))
    assert asked.auto == {"kind": "fight", "space": "netherlands", "combat": "land"}


def test_units_of_a_type_are_told_apart_by_what_differs():
    flown = [{"used": 3, "duty": "fought"}, {"used": 1, "duty": "fought", "count": 2}]
    ships = [{"cargo": ["infantry", "artillery"]}, {}]
    t = table(
        phase="noncombat_move",
        units={
            "belgium": {"germany": {"fighter": flown}},
            "sz_027": {
                "germany": {"naval_transport": ships, "battleship": [{"hits": 1}, {"count": 2}]}
            },
        },
        possession={"belgium": "germany"},
        wars=[("germany", "great_britain")],
    )
    movers = {mover.space: mover.rows for mover in forms.form(t.game.legal(t.request)).movers}
    told = {(row.label, row.most, row.note): row.key for row in movers["belgium"]}
    far = told["Fighter", 2, "3 zones left"]
    near = told["Fighter", 1, "1 zone left"]
    assert {(row.label, row.most, row.note) for row in movers["sz_027"]} == {
        ("Naval Transport", 1, "empty"),
        ("Naval Transport", 1, "carries 1 Artillery and 1 Infantry"),
        ("Battleship", 3, "1 damaged"),
    }
    # Each is moved as it was chosen, and reaches what it can reach.
    legal = t.game.legal(t.request)
    assert "eastern_germany" not in forms.reach(legal, "belgium", {near: 1}).ways
    (go, *_) = forms.reach(legal, "belgium", {far: 1}).ways["western_germany"].decisions
    t.do(go.decision)
    assert Unit("germany", "fighter", used=3, duty="fought") in t.s.stack("belgium")
    assert t.units("belgium", "germany") == {"fighter": 2}
    loaded = next(row.key for row in movers["sz_027"] if row.note.startswith("carries"))
    legal = t.game.legal(t.request)
    ways = forms.reach(legal, "sz_027", {loaded: 1}).ways["sz_013"].decisions
    t.do(next(way.decision for way in ways if way.decision["kind"] == "move"))
    assert t.cargo("sz_013", "germany") == [["germany artillery", "germany infantry"]]


def test_a_ship_says_how_many_it_holds_and_why_it_takes_no_more():
    t = table(
        phase="noncombat_move",
        units={
            "sz_014": {"germany": {"naval_transport": [{"cargo": ["infantry"]}]}},
            "eastern_germany": {"germany": "2 infantry, artillery"},
        },
    )
    legal = t.game.legal(t.request)
    (mover,) = (mover for mover in forms.form(legal).movers if mover.space == "sz_014")
    ship, *cargo = mover.rows
    assert (ship.holds, ship.aboard) == (2, 1)
    assert {row.label for row in cargo if row.space == "eastern_germany"} >= {"Infantry"}
    load = "load:eastern_germany:germany:"
    assert forms.reach(legal, "sz_014", {ship.key: 1, f"{load}artillery": 1}).ways
    for more in ({f"{load}infantry": 2}, {f"{load}infantry": 1, f"{load}artillery": 1}):
        with pytest.raises(NoQuestion) as refused:
            forms.reach(legal, "sz_014", {ship.key: 1, **more})
        assert str(refused.value).startswith("There is no room for that aboard: the ship carries")


def test_only_aircraft_are_picked_by_what_they_have_flown():
    t = table(phase="noncombat_move", units={"bavaria": {"germany": "infantry"}})
    t.refused(Move({"infantry": 1}, ("bavaria", "western_germany"), used=1), "10.1a")
    t = table(units={"bavaria": {"germany": "infantry"}})
    t.refused(Move({"infantry": 1}, ("bavaria", "austria"), used=1), "8.2a")


def test_lend_lease_stands_under_who_receives_it_and_asks_how_much():
    wars = [("germany", "ussr"), ("germany", "usa"), ("germany", "great_britain")]
    t = table("usa", "production", "1942-01", wars=wars, treasury={"usa": 20})
    choices = forms.form(t.game.legal(t.request)).choices
    groups = {c.group for c in choices if c.group.startswith("Lend-lease")}
    assert {"Lend-lease to Soviet Union", "Lend-lease to Great Britain"} <= groups
    money = [c for c in choices if c.decision.get("kind") == "lend" and "Soviet" in c.group]
    assert [(c.label, c.rows[0].path) for c in money] == [("IPP to Soviet Union", ("ipp",))]
    t.do({**money[0].decision, "ipp": money[0].rows[0].most})
    order = [c.group for c in choices]
    assert order == sorted(order, key=order.index)  # what stands under a heading is together
