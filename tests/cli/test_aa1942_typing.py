"""What can be typed in aa1942: short names, ways, voyages, and the answers of a battle."""

from __future__ import annotations

from typing import Any

import pytest

import sandtable
from sandtable.cli.errors import Unclear
from sandtable.cli.reading import Several, fits
from sandtable.games.aa1942.rules.purchase import Buy
from sandtable.kernel.decisions import CHANCE, Decision
from sandtable.kernel.display import Row
from sandtable.kernel.game import Decided
from tests.aa1942.table import Bombard, Casualties, Dive, Engage, Move, Place, Retreat, move, table
from tests.cli.typist import Typist


def typed(position: Any, line: str) -> list[Decision]:
    """The decisions of a line, each submitted."""
    game = position.game
    before = game.version
    Typist(game).say(line)
    return [entry.decision for entry in game.journal.since(before) if isinstance(entry, Decided)]


@pytest.mark.parametrize(
    ("line", "units"),
    [
        ("5 infantry, 2 tank", {"infantry": 5, "tank": 2}),
        ("buy 5 inf 2 arm", {"infantry": 5, "tank": 2}),
        ("tank and a fighter", {"tank": 1, "fighter": 1}),
        ("3x art + 2 Tanks", {"artillery": 3, "tank": 2}),
        ("aa, ftr, bmb", {"antiaircraft_artillery": 1, "fighter": 1, "bomber": 1}),
        ("cv, dd, ss", {"aircraft_carrier": 1, "destroyer": 1, "submarine": 1}),
        ("inf, 2 inf", {"infantry": 3}),
        ("two ic", {"industrial_complex": 2}),
        ("nothing", {}),
    ],
)
def test_purchases(line: str, units: dict[str, int]) -> None:
    t = table("germany", "purchase", treasury={"germany": 40})
    assert typed(t, line)[0] == Buy(units)


def test_repairs() -> None:
    for line in ("inf, repair germany 3", "infantry repair 3 in germany", "inf and repair ger"):
        t = table("germany", "purchase", treasury={"germany": 40}, damage={"germany": 3})
        assert typed(t, line) == [Buy({"infantry": 1}, {"germany": 3})], line


FRONT = {
    "ukraine_ssr": {"germany": "3 infantry, 2 tank, fighter"},
    "caucasus": {"soviet_union": "infantry"},
}


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("2 inf, tank from ukr to cauc", move("2 infantry, tank", "ukraine_ssr > caucasus")),
        ("move tank to caucasus from ukraine", move("tank", "ukraine_ssr > caucasus")),
        ("tank from ukr > cauc", move("tank", "ukraine_ssr > caucasus")),
        ("move 2 tank ukraine > caucasus", move("2 tank", "ukraine_ssr > caucasus")),
        ("2 tank to caucasus", move("2 tank", "ukraine_ssr > caucasus")),
        ("attack caucasus with 2 arm from ukr", move("2 tank", "ukraine_ssr > caucasus")),
        ("all infantry from ukr into cauc", move("3 infantry", "ukraine_ssr > caucasus")),
    ],
)  # fmt: skip
def test_moves_on_land(line: str, decision: Decision) -> None:
    assert typed(table("germany", units=FRONT), line) == [decision]


def test_units_of_several_kinds_part_ways() -> None:
    land, air = typed(table("germany", units=FRONT), "3 infantry, tank, fighter from ukr to cauc")
    assert land == move("3 infantry, tank", "ukraine_ssr > caucasus")
    assert air == move("fighter", "ukraine_ssr > caucasus")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2 arm from ukr to west russia", "friendly"),
        ("9 infantry from ukr to cauc", "So many cannot: 9 infantry. From Ukraine S.S.R. can mov"),
        ("bomber from ukr to cauc", "There is no unit 'bomber'. From Ukraine S.S.R. can move: 3 i"),
        ("infantry from poland to cauc", "Nothing of yours in Poland can move now."),
        ("infantry from ukr to atlantis", "There is no space 'atlantis'."),
        ("infantry from ukr to sz5", "Too far: infantry move 1 space."),
        ("infantry from ukr to turkey", "Turkey is neutral"),
        ("tank from ukr to ukr", "The units are in Ukraine S.S.R. already."),
        ("tank from ukr via poland to cauc", "They cannot go to Caucasus like that, but: Attack"),
        ("conquer", "Say what moves from where to where, for example 3 infantry from Ukr"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told(line: str, said: str) -> None:
    t = table("germany", units=FRONT)
    before = t.game.hash
    with pytest.raises((Unclear, sandtable.IllegalDecision)) as error:
        typed(t, line)
    assert said in str(error.value)
    assert t.game.hash == before


def test_a_way_through_friends_goes_before_a_blitz() -> None:
    units = {"poland": {"germany": "2 tank"}, "west_russia": {"soviet_union": "infantry"}}
    soviet = {"belorussia": "soviet_union", "west_russia": "soviet_union"}
    t = table("germany", units=units, control=soviet)
    friendly = move("tank", "poland > ukraine_ssr > west_russia")
    blitz = move("tank", "poland > belorussia > west_russia")
    assert typed(t, "tank from poland to west russia") == [friendly]
    assert typed(t, "tank from poland via belorussia to west russia") == [blitz]


def test_a_tank_may_blitz_and_come_back() -> None:
    t = table(
        "germany", units={"poland": {"germany": "tank"}}, control={"belorussia": "soviet_union"}
    )
    there_and_back = move("tank", "poland > belorussia > poland")
    assert typed(t, "tank from poland via belorussia to poland") == [there_and_back]


def test_ships_and_raids() -> None:
    t = table(
        "germany",
        units={
            "sz5": {"germany": "submarine, cruiser"},
            "sz7": {"united_kingdom": "transport"},
            "germany": {"germany": "bomber"},
            "united_kingdom": {"united_kingdom": "infantry"},
        },
    )
    assert typed(t, "submarine, cruiser from sz5 to sz7") == [
        move("submarine, cruiser", "sz5 > sz6 > sz7")
    ]
    (raid,) = typed(t, "raid uk with bomber from germany")
    assert isinstance(raid, Move)
    assert (raid.raid, raid.path[0], raid.path[-1]) == (True, "germany", "united_kingdom")


NORTH = {
    "united_kingdom": {"united_kingdom": "4 infantry, 2 tank"},
    "sz7": {"united_kingdom": "2 transport, battleship"},
    "norway": {"germany": "infantry"},
}


@pytest.mark.parametrize(
    "line",
    [
        "load 2 infantry from united_kingdom in sz7, sail sz6, land norway",
        "load 2 inf from uk, sail sz6, land norway",
        "Load 2 infantry from UK and sail to sz7 sz6 and land in Norway.",
        "ship 2 infantry from uk to norway via sz6",
        "2 infantry from uk via sz6 to norway",
        "transport from sz7 via sz6 to norway carrying 2 infantry from uk",
    ],
)
def test_a_landing_in_many_words(line: str) -> None:
    t = table("united_kingdom", units=NORTH)
    (voyage,) = typed(t, line)
    assert voyage.path == ("sz7", "sz6")
    assert voyage.offload == "norway"
    assert voyage.load[0].units == {"infantry": 2}


def test_what_fills_two_transports_takes_two() -> None:
    t = table("united_kingdom", units=NORTH)
    voyages = typed(t, "ship 2 infantry, 2 tank from uk to norway via sz6")
    assert [v.load[0].units for v in voyages] == [{"tank": 1, "infantry": 1}] * 2
    t = table("united_kingdom", units=NORTH)
    with pytest.raises((Unclear, sandtable.IllegalDecision)):
        typed(t, "ship 4 infantry, 2 tank from uk to norway via sz6")


def test_an_allys_transport_and_cargo_aboard() -> None:
    units = {
        "eastern_canada": {"united_kingdom": "infantry"},
        "sz10": {"united_states": "transport"},
        "sz2": {"united_kingdom": "transport"},
    }
    aboard = [{"ship": "transport", "load": {"united_kingdom": {"tank": 1}}}]
    t = table("united_kingdom", "noncombat_move", units, cargo={"sz2": {"united_kingdom": aboard}})
    (loaded,) = typed(t, "us transport, infantry from sz10 to sz10")
    assert (loaded.owner, loaded.load[0].territory) == ("united_states", "eastern_canada")
    (voyage,) = typed(t, "transport carrying tank from sz2 via sz7 to uk")
    assert (voyage.path, voyage.offload) == (("sz2", "sz7"), "united_kingdom")


def test_the_answers_of_a_battle() -> None:
    position = {"libya": {"germany": "2 infantry, tank"}, "egypt": {"united_kingdom": "2 infantry"}}
    t = table("germany", units=position)
    typist = Typist(t.game)
    typist.say("all from libya to egypt", "done")
    t.game.submit(CHANCE, {"kind": "dice", "faces": [6, 6, 6]})
    t.game.submit(CHANCE, {"kind": "dice", "faces": [1, 6]})
    lost = Casualties({"germany": {"infantry": 1}})
    for line in ("inf", "lose infantry", "1 infantry"):
        assert typist.read(line) == lost
    decision, words = typist.reader().proposal or ({}, "")
    assert (decision in typist.reader().legal, words) == (True, "infantry")
    with pytest.raises(Unclear, match="There is no unit 'bomber'"):
        typist.read("bomber")
    typist.say("infantry")
    assert typist.read("r") == typist.read("retreat to lib") == Retreat("libya")
    assert typist.read("p").kind == typist.read("press").kind == typist.read("fight").kind


def test_a_retreat_to_one_of_several_places_is_asked_for() -> None:
    position = {
        "libya": {"germany": "infantry"},
        "anglo_egyptian_sudan": {"germany": "infantry"},
        "egypt": {"united_kingdom": "2 infantry"},
    }
    t = table("germany", units=position, control={"anglo_egyptian_sudan": "germany"})
    typist = Typist(t.game)
    typist.say("inf from libya to egypt", "inf from sudan to egypt", "done")
    t.game.submit(CHANCE, {"kind": "dice", "faces": [6, 6]})
    t.game.submit(CHANCE, {"kind": "dice", "faces": [6, 6]})
    with pytest.raises(Several) as several:
        typist.read("retreat")
    assert len(several.value.choices) == 2
    assert typist.read("retreat to sudan") == Retreat("anglo_egyptian_sudan")


def test_the_owner_is_named_where_several_defend() -> None:
    there = {"united_kingdom": "infantry, fighter", "united_states": "2 fighter"}
    t = table("germany", units={"libya": {"germany": "2 tank"}, "egypt": there})
    typist = Typist(t.game)
    typist.say("2 tank from libya to egypt", "done")
    t.game.submit(CHANCE, {"kind": "dice", "faces": [1, 6]})
    request = t.game.pending[0]
    assert request.kind == "choose_casualties"
    with pytest.raises(Unclear, match="Whose fighter"):
        typist.read("fighter")
    assert typist.read("us ftr") == Casualties({"united_states": {"fighter": 1}})
    assert typist.read("infantry") == Casualties({"united_kingdom": {"infantry": 1}})


def test_of_rows_with_one_name_the_proposed_goes_first() -> None:
    rows = [Row("far", "Fighter", (), 2), Row("near", "Fighter", (), 2, value=1)]
    reader = Typist(table("germany", units=FRONT).game).reader()
    assert [(row.key, n) for row, n in reader._spread(rows, 3, "fighter")] == [
        ("near", 2),
        ("far", 1),
    ]


def test_a_number_in_a_name_is_no_beginning() -> None:
    assert fits("size 2", "5th Army to Size 2")
    assert not fits("size 2", "2nd Army to Size 3")


def test_the_answers_at_sea() -> None:
    fleet = {"sz5": {"germany": "3 submarine"}, "sz6": {"united_kingdom": "cruiser, battleship"}}
    t = table("germany", units=fleet)
    typist = Typist(t.game)
    typist.say("3 ss from sz5 to sz6", "done")
    assert typist.read("strike") == Dive(0)
    assert typist.read("submerge") == typist.read("dive") == Dive(3)
    assert typist.read("submerge 2") == Dive(2)
    typist.say("strike")
    t.game.submit(CHANCE, {"kind": "dice", "faces": [1, 6, 6]})
    assert typist.read("damage battleship") == Casualties({}, {"united_kingdom": 1})
    assert typist.read("ca") == Casualties({"united_kingdom": {"cruiser": 1}})


LANDING = {
    "united_kingdom": {"united_kingdom": "2 infantry"},
    "sz7": {"united_kingdom": "transport"},
    "sz6": {"united_kingdom": "battleship, cruiser"},
    "norway": {"germany": "infantry"},
}


def test_a_bombardment() -> None:
    typist = Typist(table("united_kingdom", units=LANDING).game)
    typist.say("ship inf from uk via sz6 to norway", "done")
    assert typist.read("bb in sz6") == Bombard({"sz6": {"battleship": 1}})
    assert typist.read("all") == typist.read("bb")
    assert typist.read("bombard with cruiser") == Bombard({"sz6": {"cruiser": 1}})
    assert typist.read("none") == Bombard()


def test_submarines_beside_a_landing() -> None:
    there = LANDING | {"sz6": {"united_kingdom": "battleship", "germany": "submarine"}}
    typist = Typist(table("united_kingdom", units=there).game)
    typist.say("ship inf from uk via sz6 to norway", "done")
    assert typist.read("attack") == typist.read("yes") == Engage(True)
    assert typist.read("ignore") == typist.read("no") == Engage(False)


def test_battles_are_chosen_by_name() -> None:
    position = {
        "libya": {"germany": "tank"},
        "egypt": {"united_kingdom": "infantry"},
        "ukraine_ssr": {"germany": "tank"},
        "caucasus": {"soviet_union": "infantry"},
    }
    t = table("germany", units=position)
    typist = Typist(t.game)
    typist.say("tank from libya to egypt", "tank from ukraine to caucasus", "done")
    for line in ("egypt", "fight egypt", "attack egy"):
        assert typist.read(line).space == "egypt", line


def test_new_units_are_placed() -> None:
    t = table("germany", "mobilize", bought={"tank": 2, "submarine": 1})
    typist = Typist(t.game)
    assert typist.read("place tank in italy") == Place("italy", {"tank": 1})
    assert typist.read("ss in sz5") == Place("sz5", {"submarine": 1})
    assert typist.read("all in ger") == typist.read("germany") == Place("germany", {"tank": 2})
    with pytest.raises(Unclear, match="You can still place units"):
        typist.read("done")
