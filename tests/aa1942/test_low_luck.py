"""The option of low luck: sure hits for each full 6, and one die for the rest."""

from __future__ import annotations

import pytest

from sandtable.kernel.game import Rolled
from tests.aa1942.table import Casualties, Done, Table, move, table

LOW = {"luck": "low"}


def attack(units: str, defenders: str) -> Table:
    """Germany attacks Russia."""
    there = {"west_russia": {"germany": units}, "russia": {"soviet_union": defenders}}
    t = table("germany", units=there, options=LOW)
    return t.do(move(units, "west_russia > russia"), Done())


def test_each_full_six_is_a_sure_hit_and_one_die_decides_about_the_rest() -> None:
    # 3 + 3 + 1 + 1: a sure hit and 2 of 6; two infantry defend with 4 of 6.
    t = attack("2 tank, 2 infantry", "2 infantry")
    assert t.rolling == "attack in russia: 1 infantry at 2"
    t.dice(3)
    assert t.rolling == "defence in russia: 1 infantry at 4"
    t.dice(5)
    assert t.units("russia", "soviet_union") == {"infantry": 1}
    fired = [event for event in t.game.events if event.kind == "fired"]
    assert [(event.data["sure"], event.data["hits"]) for event in fired] == [(1, 1), (0, 0)]
    sentence = t.game.rules.sentence(t.s, fired[0])
    assert sentence.endswith("1 sure hit; for 2 of 6 rolled 3: 1 hit.")
    (throw,) = t.game.rules.line(t.s, fired[0]).throws
    assert (throw.label, throw.faces, throw.sure) == ("1 sure, a die for the rest", (3,), 1)


def test_where_nothing_is_left_no_die_is_rolled() -> None:
    t = attack("2 tank", "3 infantry, tank")
    # 3 + 3 are a sure hit; 2 + 2 + 2 + 3 another one and 3 of 6.
    assert t.asked == "soviet_union choose_casualties"
    t.do(Casualties({"soviet_union": {"infantry": 1}}))
    assert t.rolling == "defence in russia: 1 infantry at 3"
    assert not any(isinstance(entry, Rolled) for entry in t.game.journal)


def test_those_that_can_strike_other_units_are_added_up_apart() -> None:
    # Without a destroyer of their own the fighters (6) see no submarines; the ships (4) do.
    there = {
        "germany": "2 fighter, cruiser, aircraft_carrier",
        "united_kingdom": "2 cruiser, submarine",
    }
    t = table("germany", units={"sz8": there}, options=LOW).do(Done())
    while t.asked != "chance roll":
        t.do(next(iter(t.game.legal(t.request))))
    while t.request.roll != "attack":
        t.dice(*(6 for _ in range(t.request.dice)))
        while t.asked != "chance roll":
            t.do(next(iter(t.game.legal(t.request))))
    assert [(line.count, line.value) for line in t.request.lines] == [(1, 4)]


def test_odds_say_that_they_are_those_of_the_usual_dice() -> None:
    t = attack("2 tank, 2 infantry", "2 infantry")
    odds = t.game.rules.odds(t.game, "russia", None, "germany")
    assert not odds.exact and odds.note.startswith("With the usual dice")


@pytest.mark.parametrize("luck", ["usual", "low"])
def test_the_option_leaves_older_saves_as_they_are(luck: str) -> None:
    units = {"russia": {"soviet_union": "infantry"}}
    plain = table("germany", units=units)
    assert (plain.game.hash == table("germany", units=units, options={"luck": luck}).game.hash) == (
        luck == "usual"
    )
