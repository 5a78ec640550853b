"""Sabotage (9.6)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.partisans import PlacePartisan
from sandtable.games.blitz.rules.sabotage import PickCounter, PickGar
from sandtable.games.blitz.rules.spend import Build, Sabotage
from sandtable.games.blitz.rules.steps import Done
from sandtable.games.blitz.rules.weapons import Develop
from tests.blitz.table import Play

OPTION = {"sabotage": True}


def spending(**given: Any) -> Play:
    play = Play(
        options=OPTION,
        phase="turn_end",
        step="income",
        turn=3,
        entry={"usa": 15, "ussr": 15},
        **given,
    )
    play.state.books["afa"] = replace(play.state.books["afa"], oil=0, resources=2)
    return play


def others_done(play: Play, *but: str) -> None:
    for request in play.game.pending:
        if request.power not in but and request.kind == "spend":
            play.do(request.power, Done())


def sabotage(play: Play, die: int, *more: int) -> State:
    """The AFA sabotages Germany; all are done."""
    others_done(play, "afa")
    play.do("afa", Sabotage("germany")).dice(die)
    play.do("afa", Done())
    for face in more:
        play.dice(face)
    return play.state


@pytest.mark.rule("blitz:9.6a")
def test_sabotage_costs_a_resource_and_comes_once_per_enemy_and_turn() -> None:
    play = spending()
    assert play.refused("afa", Sabotage("usa")) == "9.6a"
    assert play.refused("afa", Sabotage("nobody")) == "9.6a"
    others_done(play, "afa")
    play.do("afa", Sabotage("germany")).dice(1)
    assert play.state.books["afa"].resources == 1
    assert play.refused("afa", Sabotage("germany")) == "9.6a"
    play.do("afa", Sabotage("japan")).dice(2)
    assert play.state.books["afa"].resources == 0
    play.do("afa", Done())
    assert play.state.sabotage == (("afa", "germany", "spend"), ("afa", "japan", "gar"))


@pytest.mark.rule("blitz:9.6a")
def test_without_the_option_there_is_no_sabotage() -> None:
    play = Play(phase="turn_end", step="income", turn=3, entry={"usa": 15, "ussr": 15})
    assert play.refused("afa", Sabotage("germany")) == "9.6a"


@pytest.mark.rule("blitz:9.6b")
def test_a_1_lets_the_saboteur_spend_the_first_resource_next_turn() -> None:
    assert sabotage(spending(), 1).sabotage == (("afa", "germany", "spend"),)
    play = Play(
        options=OPTION,
        phase="turn_end",
        step="lend_lease",
        turn=3,
        entry={"usa": 3, "ussr": 15},
        units={"ger_6th_army": "berlin", "ger_18th_army": {"at": "berlin", "size": 2}},
        pool={"germany": ["ger_stukas"]},
    )
    # The USA's choice of what to keep comes before the spending.
    play.state.sabotage = (("afa", "germany", "spend"),)
    keep = next(iter(play.game.legal(play.request_of("usa"))))
    play.do("usa", keep)
    resources = play.state.books["germany"].resources
    assert play.request_of("afa").kind == "sabotage_spending"
    assert play.refused("afa", Build("ger_stukas", 2, "berlin")) == "9.6b"
    assert play.refused("afa", Build("afa_bef", 1, "london")) == "7.8.build-a"
    play.do("afa", Build("ger_stukas", 1, "berlin"))
    book = play.state.books["germany"]
    assert book.resources == resources - 1
    assert [order.unit for order in book.orders] == ["ger_stukas"]
    assert play.request_of("afa").kind == "spend"


@pytest.mark.rule("blitz:9.6c")
def test_a_2_lets_the_saboteur_pick_the_free_gar() -> None:
    assert sabotage(spending(), 2).sabotage == (("afa", "germany", "gar"),)
    play = Play(
        options=OPTION,
        phase="turn_end",
        step="lend_lease",
        turn=3,
        entry={"usa": 3, "ussr": 15},
        pool={"germany": ["ger_wehrkreis_iii", "ger_ersatz_army", "ger_stukas"]},
    )
    play.state.sabotage = (("afa", "germany", "gar"),)
    play.do("usa", next(iter(play.game.legal(play.request_of("usa")))))
    assert play.refused("afa", PickGar("ger_stukas")) == "9.6c"
    play.do("afa", PickGar("ger_ersatz_army"))
    resources = play.state.books["germany"].resources
    others_done(play, "germany")
    play.do("germany", Build("ger_wehrkreis_iii", 1, "berlin"))
    assert play.state.books["germany"].resources == resources - 1
    play.do("germany", Build("ger_ersatz_army", 1, "berlin"))
    assert play.state.books["germany"].resources == resources - 1


@pytest.mark.rule("blitz:9.6d")
def test_a_3_lets_the_saboteur_pick_the_first_new_counter() -> None:
    assert sabotage(spending(), 3).sabotage == (("afa", "germany", "develop"),)
    play = Play(
        options=OPTION,
        phase="turn_end",
        step="partisans",
        turn=3,
        groups={"germany": [["ger_6th_army", "ger_ju_88s", "ger_condors"], ["ger_v_1"]]},
    )
    play.state.sabotage = (("afa", "germany", "develop"),)
    play.dice(6)
    assert play.refused("afa", PickCounter("ger_v_1")) == "9.6d"
    play.do("afa", PickCounter("ger_condors"))
    assert play.refused("germany", Develop(("ger_6th_army", "ger_ju_88s"))) == "9.6d"
    play.do("germany", Develop(("ger_6th_army", "ger_condors")))


@pytest.mark.rule("blitz:9.6e")
def test_a_4_raises_a_partisan_for_next_turn_in_a_conquered_country() -> None:
    given: dict[str, Any] = {
        "conquered": {"france": "axis"},
        "control": {"paris": "germany", "vichy_france": "japan", "ukraine": "germany"},
    }
    play = spending(**given)
    sabotage(play, 4, 6)
    # Vichy France is another power's.
    assert play.refused("afa", PlacePartisan("vichy_france")) == "7.1d"
    assert play.refused("afa", PlacePartisan("berlin")) == "7.1d"
    play.do("afa", PlacePartisan("paris"))
    assert play.state.partisans == ("paris",)
    # Not if the roll names a country that is not conquered, nor where a side has the choice.
    for roll in (5, 3):
        play = spending(**given)
        assert sabotage(play, 4, roll).partisans == ()
        assert play.state.step != "spend"


@pytest.mark.rule("blitz:9.6f")
@pytest.mark.rule("blitz:9.6g")
@pytest.mark.parametrize(
    ("die", "roll", "oil", "resources"),
    [
        # The 4-Factor column: L at 4, 1 at 5; the 6-Factor column: 1 at 4.
        (5, 4, 2, 2),
        (5, 5, 1, 2),
        (6, 3, 2, 2),
        (6, 4, 2, 1),
    ],
)
def test_5_and_6_burn_what_the_victim_has_saved(
    die: int, roll: int, oil: int, resources: int
) -> None:
    play = spending()
    play.state.books["germany"] = replace(play.state.books["germany"], oil=2, resources=2)
    state = sabotage(play, die, roll)
    assert (state.oil["germany"], state.resources["germany"]) == (oil, resources)


@pytest.mark.rule("blitz:9.6f")
@pytest.mark.rule("blitz:9.6g")
@pytest.mark.parametrize("die", [5, 6])
def test_a_victim_without_stores_loses_nothing(die: int) -> None:
    play = spending()
    play.state.books["germany"] = replace(play.state.books["germany"], oil=0, resources=0)
    state = sabotage(play, die)
    assert (state.oil["germany"], state.resources["germany"]) == (0, 0)
    assert play.events("stores_burnt") == []
