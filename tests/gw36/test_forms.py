"""The questions of Global War as people see them: each has a form in names, and what is filled in
is allowed."""

from __future__ import annotations

from typing import Any

import pytest

import sandtable
from sandtable.games.gw36.forms import FORMS, form, reach
from sandtable.games.gw36.rules.alignment import AlignBalkans, AlignIraq, AlignPoland, AssignMinor
from sandtable.games.gw36.rules.civil_wars import ArrangeSpain
from sandtable.games.gw36.rules.follow_up import MayLand
from sandtable.games.gw36.rules.income import DivideIncome
from sandtable.games.gw36.rules.raiding import SpreadRaid
from sandtable.games.gw36.rules.rights import AnswerReturn, Diplomacy
from sandtable.games.gw36.rules.scramble import MayScramble
from sandtable.games.gw36.rules.slovakia import ContestSlovakia
from sandtable.games.gw36.rules.submarines import Intercept
from sandtable.games.gw36.rules.surrender import PassMinors, RelocateCapital
from sandtable.games.gw36.rules.vichy import CreateVichy, Evacuate, SailHome
from sandtable.kernel.decisions import Legal, Request
from sandtable.kernel.display import Choice, Form, filled
from tests.gw36.table import table

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
