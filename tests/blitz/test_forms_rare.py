"""Forms of requests that games seldom come to, each in a position of its own."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sandtable.games.blitz import RULES
from sandtable.games.blitz.forms import FORMS
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.before import Auction
from sandtable.games.blitz.rules.commanders import OrderCommander
from sandtable.games.blitz.rules.conquest import ChooseControl, ChooseHome, LiberateFoe
from sandtable.games.blitz.rules.control import LootFactory
from sandtable.games.blitz.rules.damage import ReduceCargo
from sandtable.games.blitz.rules.displaced import PlaceUnit
from sandtable.games.blitz.rules.income import KeepRequest
from sandtable.games.blitz.rules.land_combat import SettleDispute
from sandtable.games.blitz.rules.land_round import PickBlocked, PickRetreating
from sandtable.games.blitz.rules.leave import GiveLeave
from sandtable.games.blitz.rules.lend_lease import LendRequest
from sandtable.games.blitz.rules.move_land import ContestArea
from sandtable.games.blitz.rules.partisans import PartisanRequest
from sandtable.games.blitz.rules.rounds import AssignDamage, ChooseReturning
from sandtable.games.blitz.rules.sabotage import SabotageDevelopment, SabotageGar, SabotageSpending
from sandtable.games.blitz.rules.scenarios import ChooseSovietTarget, OfferExtra, WithdrawArmour
from sandtable.games.blitz.rules.sea_combat import AvoidSeaCombat, CallCombat, JoinSeaCombat
from sandtable.games.blitz.rules.set_aside import ChooseReturn
from sandtable.kernel.decisions import Legal, Request, plain
from sandtable.kernel.display import Form
from tests.blitz.table import Play, position
from tests.blitz.test_forms import check_form, offered, within


def loaded() -> State:
    """Two units aboard a transport, a convoy, and enemies on both sides of a border."""
    state: State = position(
        "campaign",
        units={
            "afa_europe_trs": {"at": "north_sea", "size": 2},
            "afa_bef": {"at": "north_sea", "size": 2, "aboard": "afa_europe_trs"},
            "afa_home_guard": {"at": "north_sea", "size": 1, "aboard": "afa_europe_trs"},
            "afa_1st_army_group": {"at": "paris", "size": 2},
            "afa_maginot_line": {"at": "paris", "size": 2},
            "ger_army_group_a": {"at": "western_germany", "size": 2},
            "ger_army_group_b": {"at": "western_germany", "size": 2},
            "ger_luftwaffe": {"at": "western_germany", "size": 2},
            "ger_u_boat_i": {"at": "north_atlantic", "size": 2},
        },
    )
    return state


def spending() -> State:
    play = Play(base="setup", phase="turn_end", step="income", options={"sabotage": True}, turn=3)
    return play.state


RARE: list[tuple[str, Request]] = [
    ("loaded", ReduceCargo("afa", "north_sea", ("afa_bef", "afa_home_guard"), "afa_europe_trs")),
    ("loaded", AssignDamage("afa", "north_atlantic", ("afa_europe_trs", "convoy"))),
    ("loaded", ChooseReturning("germany", "north_atlantic", ("convoy", "ger_u_boat_i"))),
    ("loaded", CallCombat("germany", "north_atlantic")),
    ("loaded", PickRetreating("germany", "paris", ("afa_1st_army_group", "afa_maginot_line"), 1)),
    (
        "loaded",
        PickBlocked("afa", "paris", ("ger_army_group_a", "ger_army_group_b", "ger_luftwaffe"), 2),
    ),
    ("loaded", GiveLeave("usa", "afa_bef", "manila")),
    ("loaded", SettleDispute("germany", "paris", "japan")),
    ("loaded", LiberateFoe("germany", "poland")),
    ("loaded", ChooseControl("afa", "poland", "usa")),
    ("loaded", ChooseControl("afa", "paris", "usa")),
    ("loaded", ChooseHome("afa", "france", ("great_britain", "canada"))),
    ("loaded", ChooseReturn("afa", "poland", ("afa_polish_army",))),
    ("loaded", PlaceUnit("germany", "ger_luftwaffe", (("berlin", ""), ("milan", "")))),
    ("loaded", PlaceUnit("afa", "afa_europe_trs", (("london", "north_sea"),))),
    ("loaded", LootFactory("germany", "paris", 2)),
    ("loaded", Auction("germany", ("germany", "japan"), 2)),
    ("loaded", PartisanRequest("afa", ("poland",), True)),
    ("loaded", KeepRequest("usa", 4, 3, 4, (), ())),
    ("loaded", KeepRequest("usa", 4, 3, 2, (1,), (("china",),))),
    ("loaded", LendRequest("usa", {"ussr": 2, "afa": 1, "china": 1}, 2, 3)),
    ("loaded", ChooseSovietTarget("usa", ("harbin", "peking"))),
    ("loaded", OfferExtra("usa", 3)),
    (
        "loaded",
        WithdrawArmour("germany", 3, {"ger_army_group_a": 2, "ger_army_group_b": 2}),
    ),
    ("spending", SabotageGar("afa", "germany")),
    ("spending", SabotageDevelopment("afa", "germany")),
    ("spending", SabotageSpending("afa", "germany")),
]


@pytest.mark.parametrize(("where", "request_"), RARE, ids=lambda r: getattr(r, "kind", ""))
def test_a_rare_request_has_a_form_with_all_its_answers(where: str, request_: Request) -> None:
    state = {"loaded": loaded, "spending": spending}[where]()
    legal = Legal(request_, state)
    rng = random.Random(1)
    form = check_form(legal, rng)
    assert form.kind in FORMS
    for _ in range(12):
        decision = plain(legal.sample(rng))
        assert offered(legal, form, decision), decision
    assert not _ids(form, state), "people read names, not ids"


def _ids(form: Form, s: State) -> set[str]:
    """Ids of units and areas in the words of a form."""
    texts = [form.title, form.prompt, *form.notes, *(limit.label for limit in form.limits)]
    for choice in form.choices:
        texts += [choice.label, choice.detail, choice.group]
    texts += [text for row in form.rows for text in (row.label, row.note, row.group)]
    words = {word.strip(".,:;()") for text in texts for word in text.split()}
    return {word for word in words if "_" in word and word in s.facts.names}


def test_an_ally_may_claim_an_area() -> None:
    state = position(
        "campaign",
        phase="allied_activities",
        step="E",
        units={
            "usa_1st_us_army": {"at": "paris", "size": 1},
            "afa_1st_army_group": {"at": "paris", "size": 2},
        },
        wars=[["afa", "germany"], ["usa", "germany"]],
        control={"belgium_netherlands": "germany"},
        allied={"belgium_netherlands": "germany"},
    )
    request = ContestArea("afa", "belgium_netherlands", "usa_1st_us_army")
    legal = Legal(request, state, may_pass=True)
    form = check_form(legal, random.Random(1))
    assert form.title == "Who takes Belgium-Netherlands?"
    assert form.choices[0].label == "1st Army Group takes it"
    assert offered(legal, form, {"kind": "pass"})


def test_the_convoy_can_take_a_point_of_damage() -> None:
    request = AssignDamage("afa", "north_atlantic", ("afa_europe_trs", "convoy"))
    form = RULES.form(Legal(request, loaded()))
    labels = [choice.label for choice in form.choices]
    assert labels[0] == "Europe Trs (TRS 2)" and labels[1].startswith("The convoy (factor ")
    assert "your units" in form.prompt


def test_limits_of_lend_lease_leave_what_there_is() -> None:
    request = LendRequest("usa", {"ussr": 2, "afa": 1, "china": 1}, 2, 3)
    form = RULES.form(Legal(request, loaded()))
    assert [row.key for row in form.rows] == ["ussr", "afa"]
    numbers: dict[str, Any] = {"ussr": 0, "afa": 0}
    assert not within(form.limits, numbers), "four Resources are not there"
    assert within(form.limits, {**numbers, "ussr": 1})


def test_before_a_combat_at_sea_the_buttons_say_what_they_do() -> None:
    state = loaded()
    join = RULES.form(Legal(JoinSeaCombat("germany", "north_atlantic", ("ger_luftwaffe",)), state))
    assert (join.done_label, join.pass_label) == ("Join the combat", "Stay at base")
    assert [battle.space for battle in join.battles] == ["north_atlantic"]
    evade = RULES.form(Legal(AvoidSeaCombat("germany", "north_atlantic", ("ger_u_boat_i",)), state))
    assert (evade.done_label, evade.pass_label) == ("Evade", "Stay and fight")
    assert evade.notes[0] == "Your side: U-Boat I (SUB 2)."
    assert evade.notes[1].startswith("The enemy: a convoy (factor ")


@pytest.mark.parametrize(("where", "request_"), RARE, ids=lambda r: getattr(r, "kind", ""))
def test_no_answer_is_just_confirmed(where: str, request_: Request) -> None:
    state = {"loaded": loaded, "spending": spending}[where]()
    form = RULES.form(Legal(request_, state))
    assert form.component != "assign" or form.done_label


def test_orders_for_a_commander_begin_with_the_units_that_he_could_lead() -> None:
    state = position(
        "campaign",
        options={"commanders": True},
        units={
            "ger_army_group_a": {"at": "western_germany", "size": 2},
            "ger_army_group_b": {"at": "berlin", "size": 2},
        },
    )
    state.commanders["manstein"] = ("berlin", "")
    form = RULES.form(Legal(OrderCommander("germany", "manstein"), state, may_pass=True))
    led = [choice.label for choice in form.choices if "leads" in choice.label]
    assert led[0] == "Manstein leads Army Group B (INF 2)", "he is there already"
    assert [choice.label for choice in form.choices[: len(led)]] == led
    assert {choice.group for choice in form.choices[len(led) :]} == {"Without a unit"}
    assert form.pass_label == "Leave him as he is"
