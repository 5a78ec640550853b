"""How a combat stands is in the state: who is condemned, round, step, origins, what is lost."""

from __future__ import annotations

import pytest

from sandtable.games.aa1942.model import Combat, Unit
from sandtable.games.aa1942.rules.combat import Battle
from sandtable.kernel.decisions import Roll
from tests.aa1942.table import Casualties, Dive, Done, Press, Retreat, Table, move, sail, table


def land(attack: str, defend: str) -> Table:
    """A battle in Ukraine, attacked from the Caucasus."""
    t = table(
        "soviet_union",
        units={"caucasus": {"soviet_union": attack}, "ukraine_ssr": {"germany": defend}},
    )
    return t.do(move(attack, "caucasus > ukraine_ssr"), Done())


def combat(t: Table) -> Combat:
    assert t.s.combat is not None
    return t.s.combat


@pytest.mark.rule("aa1942:unit.carrier.fighter-defense")
def test_guests_are_on_the_strip_before_they_take_off_and_looking_changes_nothing() -> None:
    load = {"ship": "aircraft_carrier", "load": {"united_kingdom": {"fighter": 2}}}
    t = table(
        "japan",
        units={
            "sz60": {"japan": "destroyer"},
            "sz59": {"united_states": "aircraft_carrier, submarine"},
        },
        cargo={"sz59": {"united_states": [load]}},
    )
    t.do(move("destroyer", "sz60 > sz59"))
    before, stack = t.game.hash, dict(t.s.stack("sz59"))
    battle = Battle(t.s, "sz59")
    expected = {
        Unit("united_states", "aircraft_carrier"): 1,
        Unit("united_states", "submarine"): 1,
        Unit("united_kingdom", "fighter"): 2,
    }
    assert battle.defenders == expected
    assert battle.attackers == {Unit("japan", "destroyer", 1, "sz60"): 1}
    assert battle.record == Combat("sz59", origins=("sz60",))
    assert (t.game.hash, t.s.stack("sz59"), t.s.combat) == (before, stack, None)
    t.do(Done())
    assert {u: n for u, n in t.s.stack("sz59").items() if u.power != "japan"} == expected


def test_two_choices_of_casualties_never_share_a_hash() -> None:
    """What is behind the casualty strip is still on the board, and in the record."""
    t = land("tank", "infantry, tank").dice(1)
    assert t.asked == "germany choose_casualties"
    hashes = set()
    for lost in ("infantry", "tank"):
        branch = t.game.clone()
        branch.submit("germany", Casualties({"germany": {lost: 1}}))
        assert branch.state.combat.condemned == ((Unit("germany", lost), 1),)
        assert branch.state.stack("ukraine_ssr") == t.s.stack("ukraine_ssr")
        hashes.add(branch.hash)
    assert len(hashes) == 2
    assert t.game.hash not in hashes


def test_the_record_of_a_battle_on_land() -> None:
    t = land("tank", "3 infantry, artillery")
    assert combat(t) == Combat("ukraine_ssr", "attack", 1, ("caucasus",))
    t.dice(3)
    assert combat(t).condemned == ()
    t.do(Casualties({"germany": {"artillery": 1}}))
    gun = Unit("germany", "artillery")
    assert combat(t) == Combat("ukraine_ssr", "defence", 1, ("caucasus",), ((gun, 1),))
    t.dice(6, 6, 6, 6)
    assert combat(t) == Combat("ukraine_ssr", "retreat", 1, ("caucasus",), lost=((gun, 1),))
    t.do(Press()).dice(3)  # the others are alike: nobody is asked
    assert combat(t).step == "defence" and combat(t).round == 2
    t.dice(6, 6, 6).do(Press()).dice(6).dice(2, 6)
    assert t.s.combat is None  # the tank is lost, and with it the battle


@pytest.mark.rule("aa1942:combat.retreat.destination")
def test_where_attackers_came_from_outlasts_them() -> None:
    """The tank from the Caucasus is lost; the infantry from elsewhere may go there."""
    t = table(
        "soviet_union",
        units={
            "west_russia": {"soviet_union": "2 infantry"},
            "caucasus": {"soviet_union": "tank"},
            "ukraine_ssr": {"germany": "3 infantry"},
        },
        control={"west_russia": "soviet_union"},
    )
    t.do(move("2 infantry", "west_russia > ukraine_ssr"), move("tank", "caucasus > ukraine_ssr"))
    t.do(Done()).dice(6, 6, 6).dice(1, 6, 6).do(Casualties({"soviet_union": {"tank": 1}}))
    assert combat(t).origins == ("caucasus", "west_russia")
    assert t.request.to == ("caucasus", "west_russia")
    copy = Table(t.game.clone())
    copy.do(Press()).dice(6, 6).dice(6, 6, 6).do(Retreat("caucasus"))
    assert copy.units("caucasus", "soviet_union") == {"infantry": 2}


def test_the_record_of_a_round_at_sea() -> None:
    """Who had a destroyer when the round began, and who strikes by surprise in it."""
    t = table(
        "germany",
        units={
            "sz5": {"germany": "2 submarine, cruiser"},
            "sz6": {"united_kingdom": "submarine, cruiser, battleship"},
        },
    )
    t.do(move("2 submarine, cruiser", "sz5 > sz6"), Done())
    assert t.asked == "germany submerge_or_strike"
    assert (combat(t).step, combat(t).aided) == ("submarines", (False, False))
    t.do(Dive(1)).do(Dive(0))
    assert combat(t).struck == (True, True)
    t.dice(1).do(Casualties({}, {"united_kingdom": 1}))
    assert combat(t).step == "strike_back"
    t.dice(1).do(Casualties({"germany": {"submarine": 1}}))
    assert (combat(t).step, combat(t).struck) == ("attack", (True, True))
    assert t.rolling == "attack in sz6: 1 cruiser at 3"  # the submarine is gone, it has fired
    t.dice(6)
    assert t.rolling == "defence in sz6: 1 battleship at 4, 1 cruiser at 3"
    t.dice(6, 6).do(Press())
    assert combat(t).round == 2
    t.do(Dive(1))
    assert combat(t).struck == (False, False)


def test_a_battle_is_taken_up_again_between_its_rounds() -> None:
    """Every round begins with a checkpoint: a copy runs one round again at most."""
    t = land("tank", "4 infantry")
    for number in range(3):
        t.dice(6)
        state, since, _ = t.game.since_checkpoint()
        assert len(since) == (2 if number else 1)  # to press on, and the dice
        assert state.combat is None or state.combat.round == number
        t.dice(6, 6, 6, 6)
        assert not t.game.since_checkpoint()[1]
        copy = Table(t.game.clone())
        copy.do(Retreat("caucasus"))
        assert copy.units("caucasus", "soviet_union") == {"tank": 1}
        t.do(Press())


def test_a_landing_is_taken_up_again_in_the_middle_of_its_battles() -> None:
    """Two rounds at sea, then two on land; a clone of a clone goes on at every point."""
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport, 2 cruiser"},
            "united_kingdom": {"united_kingdom": "2 infantry"},
            "sz6": {"germany": "submarine, destroyer"},
            "norway": {"germany": "2 infantry, artillery"},
        },
    )
    t.do(move("2 cruiser", "sz7 > sz6"))
    t.do(sail("sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"), Done())
    copies = [Table(t.game.clone())]
    for decision in (
        *(Dive(0), Roll((6,)), Roll((6, 6)), Roll((6,)), Press()),
        *(Dive(1), Roll((3, 6)), Roll((6,))),
        *(Roll((1, 6)), Casualties({"germany": {"infantry": 1}}), Roll((6, 6, 6))),
        *(Roll((6, 6)), Roll((6, 6))),
    ):
        for copy in (t, *copies):
            copy.do(decision)
            assert copy.game.hash == t.game.hash
            assert list(copy.game.events) == list(t.game.events)
        copies = [Table(t.game.clone()), *(Table(copy.game.clone()) for copy in copies[:2])]
    assert combat(t) == Combat("norway", "attack", 3, lost=((Unit("germany", "infantry"), 1),))
