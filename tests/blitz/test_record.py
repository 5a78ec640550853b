"""The combat that is being fought is a record of the state: nothing about it is known elsewhere."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

import sandtable
from sandtable.games.blitz.model import Combat, State
from sandtable.games.blitz.rules.rounds import Damage
from sandtable.kernel.decisions import CHANCE, Roll
from sandtable.kernel.game import Game
from tests.blitz.battles import BATTLES, DON
from tests.conformance.driver import picture

SCENARIOS = ("A", "B", "C", "D", "E", "F", "campaign")


def combat_of(game: Game) -> Combat:
    state: State = game.state
    assert state.combat is not None
    return state.combat


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_combat_is_taken_up_again_from_the_state(scenario: str) -> None:
    """At each point of damage, and at each unit that is sent back, nothing has to be run again."""
    game = sandtable.new("blitz", seed=5, options={"scenario": scenario})
    rng = random.Random(5)
    found = 0
    while game.result is None and found < 12:
        request = game.pending[0]
        decision = game.legal(request).sample(rng)
        if request.kind in ("assign_damage", "choose_returning") and game.state.combat is not None:
            found += 1
            state, since, _ = game.since_checkpoint()
            assert not since
            again = Game(game.rules, game.options, state, None)
            assert again.pending == game.pending
            assert again.state.plain() == game.state.plain()
            copy = game.clone()
            copy.submit(request.power, decision)
            game.submit(request.power, decision)
            assert picture(copy) == picture(game)
        else:
            game.submit(request.power, decision)
    assert found >= 3


def test_two_choices_of_who_suffers_lead_to_two_positions() -> None:
    game = DON.begin()
    game.submit(CHANCE, Roll((6,)))
    game.submit(CHANCE, Roll((6,)))
    request = game.pending[0]
    assert request.kind == "assign_damage"
    strike = combat_of(game).strikes[0]
    assert (strike.number, strike.given) == (combat_of(game).results[0][0], 0)
    hashes = set()
    for unit in strike.units:
        copy = game.clone()
        copy.submit(request.power, Damage(unit))
        hashes.add(copy.hash)
        assert combat_of(copy).strikes[0] == replace(strike, number=strike.number - 1, given=1)
    assert len(hashes) == len(strike.units) > 1


def test_a_die_that_has_fallen_is_in_the_state_before_the_next_one() -> None:
    plain = []
    for face in (1, 6):
        game = DON.begin()
        game.submit(CHANCE, Roll((face,)))
        assert game.pending[0].power == CHANCE
        plain.append(game.state.plain()["combat"])
    one, other = plain
    assert one["results"] != other["results"]
    assert one["results"][1] == other["results"][1] == (0, "")
    assert {**one, "results": ()} == {**other, "results": ()}


def test_rounds_that_are_to_come_and_who_has_left_are_in_the_state() -> None:
    game = BATTLES["a port with fighters"].begin()
    assert combat_of(game).steps == ("naval", "home")
    game.submit(CHANCE, Roll((1,)))
    game.submit(CHANCE, Roll((3,)))
    # Nothing against an L: the bombers have to go home, and nobody is left to attack the ships.
    combat = combat_of(game)
    assert combat.results == ((0, ""), (0, "L"))
    assert (combat.round, combat.left) == ("air", ("afa_bomber_command",))
    request = game.pending[0]
    assert request.kind == "choose_base"
    copy = game.clone()
    for each in (game, copy):
        each.submit(request.power, next(iter(game.legal(request))))
    assert picture(copy) == picture(game)
    assert game.state.combat is None or "ger_me_109s" in combat_of(game).home
