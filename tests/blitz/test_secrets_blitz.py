"""The secret parts of a turn (1.9, 2.2): nobody sees what another power has answered."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitz.rules.choose_blitz import AnnounceBlitz
from sandtable.games.blitz.rules.commanders import Command
from sandtable.games.blitz.rules.income import Keep
from sandtable.games.blitz.rules.lend_lease import Lend
from sandtable.games.blitz.rules.partisans import PlacePartisan
from sandtable.games.blitz.rules.spend import (
    Build,
    DevelopBomb,
    Research,
    Sabotage,
    Scrap,
    TestBomb,
)
from sandtable.games.blitz.rules.steps import Done
from sandtable.games.blitz.rules.weapons import Develop
from sandtable.kernel.decisions import Decision, Pass
from tests.blitz.table import Play

LL = {"usa_western_approaches_ll": "western_approaches", "afa_arctic_ocean_ll": "arctic_ocean"}
OPEN = {"usa": 15, "ussr": 15}


def seen(play: Play, by: str) -> dict[str, Any]:
    """What a power sees, but for how many decisions and rolls there have been."""
    return {key: value for key, value in play.game.observe(by).items() if key != "version"}


def assert_hidden(one: Play, two: Play, power: str, first: Decision, second: Decision) -> None:
    """Answer differently in two games that are the same: nobody else can tell them apart."""
    others = [other for other in one.game.rules.powers if other != power]
    assert {request.power for request in one.game.pending} - {power}, "others are asked as well"
    one.do(power, first)
    two.do(power, second)
    for other in others:
        assert one.game.observe(other) == two.game.observe(other)


def test_a_blitz_is_seen_when_all_of_the_side_have_announced_theirs() -> None:
    given: dict[str, Any] = {"phase": "axis_blitzes", "step": "blitz", "oil": {"germany": 2}}
    given["oil"] |= {"japan": 2}
    one, two = Play(**given), Play(**given)
    assert_hidden(one, two, "germany", AnnounceBlitz("total"), AnnounceBlitz("free"))
    one.do("japan", AnnounceBlitz("free"))
    two.do("japan", AnnounceBlitz("free"))
    assert one.state.oil["germany"] != two.state.oil["germany"]


@pytest.mark.rule("blitz:1.9a")
def test_developments_are_seen_when_all_have_chosen() -> None:
    given = {"base": "setup", "phase": "turn_end", "step": "weapons", "turn": 3}
    one, two = Play(**given), Play(**given)
    group = one.state.groups["usa"][0]
    assert_hidden(one, two, "usa", Develop(group[:2]), Develop(group[2:3]))


@pytest.mark.rule("blitz:1.9a")
def test_lend_lease_is_seen_when_all_have_chosen() -> None:
    given = {"phase": "turn_end", "step": "lend_lease", "turn": 3, "units": LL, "entry": OPEN}
    one, two = Play(**given), Play(**given)
    assert_hidden(one, two, "usa", Lend({"afa": 1}), Lend())


@pytest.mark.rule("blitz:1.9a")
def test_what_neutrals_keep_is_seen_when_all_have_chosen() -> None:
    given = {"phase": "turn_end", "step": "income", "turn": 3, "entry": {"usa": 4, "ussr": 3}}
    one, two = Play(**given), Play(**given)
    assert_hidden(one, two, "usa", Keep(4, 0), Keep(0, 4))


def test_partisans_of_both_sides_in_china_are_placed_in_secret() -> None:
    given = {"phase": "turn_end", "step": "partisans", "control": {"lan_chow": "japan"}}
    one, two = Play(**given).dice(1), Play(**given).dice(1)
    request: Any = one.request_of("japan")
    assert_hidden(one, two, "japan", Pass(), PlacePartisan(request.areas[0]))


ACTS: dict[str, tuple[Decision, tuple[int, ...]]] = {
    "build": (Build("ger_6th_army", 2), ()),
    "place": (Build("ger_wehrkreis_iii", 1, "berlin"), ()),
    "research": (Research(), (1, 1)),
    "failed research": (Research(), (6,)),
    "bomb": (DevelopBomb(), ()),
    "test": (TestBomb(), (6,)),
    "sabotage": (Sabotage("afa", 0), (3,)),
    "commander": (Command("manstein", "berlin", "ger_6th_army"), ()),
    "scrap": (Scrap("ger_6th_army"), ()),
}


@pytest.mark.rule("blitz:1.9a")
@pytest.mark.parametrize("act", ACTS)
def test_spending_is_seen_when_all_are_done(act: str) -> None:
    """Whatever Germany does, others see the same as if it built something else."""
    given: dict[str, Any] = {
        "options": {"commanders": True, "sabotage": True},
        "phase": "turn_end",
        "step": "income",
        "turn": 3,
        "entry": OPEN,
        "units": {
            "ger_6th_army": "berlin",
            "ger_18th_army": "berlin",
            "jap_25th_army": "tokyo",
            "afa_bef": "london",
            "usa_5th_army": "central_plains",
            "sov_caucasus_front": "moscow",
        },
        "bombs": {"germany": 2},
        "pool": {"germany": ["ger_wehrkreis_iii"]},
    }
    one, two = Play(**given), Play(**given)
    decision, faces = ACTS[act]
    one.do("germany", decision)
    for face in faces:
        one.dice(face)
    two.do("germany", Build("ger_18th_army", 2))
    others = {"japan": Done(), "afa": Build("afa_bef", 2), "usa": Done()}
    others["ussr"] = Build("sov_caucasus_front", 2)
    for power, more in (("", None), *others.items()):
        for play in (one, two):
            if more is not None:
                play.do(power, more)
        assert "germany" in {request.power for request in one.game.pending}
        for other in others:
            assert seen(one, other) == seen(two, other)
    assert one.game.observe("germany")["state"] != two.game.observe("germany")["state"]


@pytest.mark.rule("blitz:1.9a")
def test_each_spends_at_its_own_pace() -> None:
    play = Play(
        phase="turn_end", step="income", turn=3, entry=OPEN, units={"ger_6th_army": "berlin"}
    )
    asked = {request.power for request in play.game.pending}
    assert {"germany", "japan"} < asked
    play.do("germany", Build("ger_6th_army", 2))
    play.do("germany", Done())
    assert {request.power for request in play.game.pending} == asked - {"germany"}
    assert play.state.units["ger_6th_army"].size == 1, "carried out when all are done"
    for power in sorted(asked - {"germany"}):
        play.do(power, Done())
    assert play.state.units["ger_6th_army"].size == 2
