"""Through the kernel: phases after each other, positions that no phase meets alone."""

from __future__ import annotations

import random

import pytest

import sandtable
from sandtable.games.gw36.rules.income import value
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.placing import room
from sandtable.games.gw36.rules.terms import at_war_with_major
from tests.gw36.table import state, table


def test_guns_that_can_hit_nothing_do_not_stay_in_an_enemy_zone() -> None:
    """Anti-aircraft artillery against its like: nobody fires, and the attacker goes back."""
    t = table(
        phase="combat",
        wars=[("germany", "france")],
        units={
            "picardy": {
                "germany": {"anti_aircraft_artillery": [{"duty": "attack", "origin": "belgium"}]},
                "france": "anti_aircraft_artillery",
            },
        },
        possession={"belgium": "germany"},
        planned=[("picardy", "land")],
    )
    assert t.units("picardy", "germany") == {}
    assert t.units("belgium", "germany") == {"anti_aircraft_artillery": 1}
    assert t.units("picardy", "france") == {"anti_aircraft_artillery": 1}
    assert t.s.possession["picardy"] == "france"


@pytest.mark.rule("gw36:0.5a")
def test_guests_of_a_third_nation_are_attacked_only_in_war_with_it() -> None:
    wars = [("italy", "great_britain"), ("germany", "great_britain"), ("germany", "france")]
    units = {"tobruk": {"italy": "2 infantry"}, "western_egypt": {"france": "infantry"}}
    attack = Move({"infantry": 1}, ("tobruk", "western_egypt"))
    t = table("italy", units=units, wars=wars)
    reason = t.refused(attack, "0.5a")
    assert reason == ("Units of France, with which Italy is not at war, are in Western Egypt.")
    table("italy", units=units, wars=[*wars, ("italy", "france")]).do(attack)


@pytest.mark.rule("gw36:1.13a")
def test_nothing_is_placed_on_tundra() -> None:
    militia = state().facts.units["militia"]
    free, closed = state(options={"tundra": False}), state(options={"tundra": True})
    assert room(free, "great_britain", militia, "baffin_island") == 1
    assert room(closed, "great_britain", militia, "baffin_island") == 0


def test_early_turns_keep_every_invariant() -> None:
    """A few hundred random decisions of the 1939 scenario, each followed by the audit."""
    game = sandtable.new("gw36", seed=3, options={"scenario": "1939", "rules": "everything"})
    rng = random.Random(3)
    for _ in range(250):
        request = game.pending[0]
        game.submit(request.power, request.sample(game.state, rng))
        s = game.state
        assert game.rules.audit(s) == []
        if not s.news and s.battle is None:
            # Whoever is at war with a Major Power earns what its zones are worth.
            at_war = [power for power in s.facts.powers if at_war_with_major(s, power)]
            assert [s.income[power] for power in at_war] == [value(s, power) for power in at_war]
