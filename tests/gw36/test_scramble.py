"""Scramble (8.6)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw36.model import Facility, State, Unit
from sandtable.games.gw36.rules import noncombat_move
from sandtable.games.gw36.rules.combat_move import phase
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.land_combat import home
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.scramble import Flight, MayScramble, Scramble
from sandtable.kernel.decisions import Decision
from sandtable.kernel.errors import IllegalDecision
from tests.gw36.hand import Hand, of, state, way

WAR = [("germany", "great_britain")]
ATTACK = Move({"destroyer": 2}, way("sz_027 > sz_026"))


def channel(**fields: Any) -> State:
    """A German attack in the Channel; fighters and seaplanes at bases in Southern England."""
    others = fields.pop("others", {})
    units: dict[str, list[Any]] = {
        "sz_027": [of("germany", "destroyer", 2)],
        "sz_026": [of("great_britain", "destroyer")],
        "southern_england": [
            of("great_britain", "fighter", 5),
            of("great_britain", "seaplane", 4),
            of("great_britain", "tactical_bomber", 2),
        ],
    }
    for where, pieces in others.items():
        units[where] = [*units.get(where, []), *pieces]
    fields.setdefault(
        "facilities",
        {"southern_england": [Facility("air_base"), Facility("seaplane_base", "sz_026")]},
    )
    return state("germany", units=units, wars=WAR, **fields)


def flight(**units: int) -> Scramble:
    return Scramble((Flight("southern_england", "sz_026", units),))


def play(s: State, *answers: Decision | None) -> Hand:
    hand = Hand(s)
    hand.run(phase, *answers)
    return hand


def offered(hand: Hand) -> list[MayScramble]:
    return [r for r in hand.asked if isinstance(r, MayScramble)]


@pytest.mark.rule("gw36:8.6a")
@pytest.mark.rule("gw36:8.6b")
@pytest.mark.rule("gw36:8.10d")
@pytest.mark.rule("gw36:12.5.air-base-d")
def test_fighters_scramble_into_a_neighbouring_battle_when_all_moves_are_made() -> None:
    s = channel()
    hand = play(s, ATTACK, Done(), flight(fighter=3))
    assert len(offered(hand)) == 1
    sent = Unit("great_britain", "fighter", duty="scrambled", target="southern_england")
    assert s.stack("sz_026")[sent] == 3
    assert s.stack("southern_england")[Unit("great_britain", "fighter")] == 2


@pytest.mark.rule("gw36:8.6a")
@pytest.mark.rule("gw36:7.8.radar-b")
def test_three_at_most_or_any_number_with_radar() -> None:
    with pytest.raises(IllegalDecision):
        play(channel(), ATTACK, Done(), flight(fighter=4))
    with pytest.raises(IllegalDecision):
        play(channel(), ATTACK, Done(), flight(tactical_bomber=1))
    twice = Scramble((Flight("southern_england", "sz_026", {"fighter": 2}),) * 2)
    with pytest.raises(IllegalDecision):
        play(channel(), ATTACK, Done(), twice)
    radar = {("great_britain", "radar"): len(channel().facts.technologies["radar"].stages)}
    s = channel(tech=radar)
    play(s, ATTACK, Done(), flight(fighter=5))
    assert sum(n for u, n in s.stack("sz_026").items() if u.duty == "scrambled") == 5


@pytest.mark.rule("gw36:12.5.seaplane-base-c")
def test_three_seaplanes_scramble_from_a_seaplane_base_to_naval_battles() -> None:
    s = channel()
    play(s, ATTACK, Done(), flight(seaplane=3))
    with pytest.raises(IllegalDecision):
        play(channel(), ATTACK, Done(), flight(seaplane=4))
    only = channel(facilities={"southern_england": [Facility("seaplane_base", "sz_026")]})
    with pytest.raises(IllegalDecision):
        play(only, ATTACK, Done(), flight(fighter=1))


@pytest.mark.rule("gw36:8.6a")
def test_a_damaged_base_or_no_defender_and_nobody_scrambles() -> None:
    damaged = channel(facilities={"southern_england": [Facility("air_base", damage=1)]})
    assert offered(play(damaged, ATTACK, Done())) == []
    others = channel(owners={"southern_england": "france"})
    assert offered(play(others, ATTACK, Done())) == []
    passed = channel()
    assert len(offered(play(passed, ATTACK, Done(), None))) == 1
    assert not any(u.duty == "scrambled" for u in passed.stack("sz_026"))


@pytest.mark.rule("gw36:8.6c")
def test_nobody_scrambles_against_a_submarine_that_declines() -> None:
    s = channel(others={"sz_027": [of("germany", "submarine")]})
    hand = play(s, Move({"submarine": 1}, way("sz_027 > sz_026"), "declined"), Done())
    assert offered(hand) == []


@pytest.mark.rule("gw36:8.6a")
def test_fighters_scramble_to_land_battles_and_against_bombers_of_a_facility() -> None:
    bases = {"southern_england": [Facility("air_base")], "london": [Facility("major_factory")]}
    bomber = {"western_germany": [of("germany", "strategic_bomber")]}
    s = channel(facilities=bases, others=bomber)
    raid = Move(
        {"strategic_bomber": 1}, way("western_germany > sz_027 > london"), "bomb", "major_factory"
    )
    hand = play(s, raid, Done(), Scramble((Flight("southern_england", "london", {"fighter": 1}),)))
    assert offered(hand)[0].bases == (("southern_england", ("london",)),)


@pytest.mark.rule("gw36:8.6d")
def test_scrambled_aircraft_return_to_their_base_or_land_beside_the_battle() -> None:
    def back(**owners: str) -> State:
        sent = of("great_britain", "fighter", duty="scrambled", target="southern_england")
        s = state("germany", units={"sz_026": [sent]}, wars=WAR, owners=owners)
        home(Hand(s).table, "sz_026")
        assert "sz_026" not in s.at
        return s

    fighter = Unit("great_britain", "fighter")
    assert back().stack("southern_england") == {fighter: 1}
    assert back(southern_england="germany").stack("london") == {fighter: 1}
    lost = back(southern_england="germany", london="germany")
    assert lost.lost == {("great_britain", "fighter"): 1}


@pytest.mark.rule("gw36:8.6d")
def test_who_scrambled_against_bombers_returns_as_well() -> None:
    sent = of("great_britain", "fighter", duty="scrambled", target="southern_england")
    s = state("germany", "noncombat_move", units={"london": [sent]}, wars=WAR)
    Hand(s).run(noncombat_move.phase)
    assert s.stack("southern_england") == {Unit("great_britain", "fighter"): 1}
