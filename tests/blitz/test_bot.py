"""The greedy bot: legal everywhere, the same each time, and better than chance."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sandtable
from sandtable.bots import make_bot
from sandtable.games.blitz import RULES
from sandtable.games.blitz.rules.rounds import AssignDamage, Damage
from sandtable.kernel.game import Decided
from tests.blitz.table import Play, position

SCENARIOS = ("A", "B", "C", "D", "E", "F", "campaign")


def played(scenario: str, seed: int, most: int = 400, **bots: str) -> sandtable.Game:
    """A game between bots, by side, of so many decisions at most."""
    game = sandtable.new("blitz", seed=seed, options={"scenario": scenario})
    side = game.state.facts.side
    for _ in range(most):
        if not game.pending:
            break
        request = game.pending[0]
        bot = make_bot(bots.get(side[request.power], "greedy"), seed)
        game.submit(request.power, bot.decide(game, request))
    return game


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_scenario_is_played(scenario: str) -> None:
    game = played(scenario, 1)
    assert game.rules.audit(game.state) == []
    kinds = {entry.decision.kind for entry in game.journal if isinstance(entry, Decided)}
    assert len(kinds) > 3


def test_the_same_position_gets_the_same_answer() -> None:
    one, two = played("D", 3, 150), played("D", 3, 150)
    assert one.hash == two.hash


@pytest.mark.parametrize("greedy", ["axis", "allies"])
def test_it_beats_chance_in_scenario_a(greedy: str) -> None:
    other = {"axis": "allies", "allies": "axis"}[greedy]
    won = 0
    for seed in range(10):
        result = played("A", seed, **{other: "random"}).result
        assert result is not None
        won += {"germany": "axis", "afa": "allies"}[result.winners[0]] == greedy
    assert won >= 8


def test_it_walks_into_empty_land() -> None:
    play = Play(
        "D",
        phase="axis_activities",
        step="E",
        turn=5,
        units={"ger_army_group_center": {"at": "poland", "size": 2}, "sov_cavalry": "urals"},
    )
    decision = make_bot("greedy").decide(play.game, play.request_of("germany"))
    assert decision.kind == "march"
    assert play.state.control[decision.path[-1]] == "ussr"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("defenders", "attacked"),
    [
        ({"sov_moscow_militia": "byelorussia"}, True),
        (
            {
                "sov_western_front": {"at": "byelorussia", "size": 4},
                "sov_southwestern_front": {"at": "byelorussia", "size": 4},
                "sov_stalin_line": {"at": "byelorussia", "size": 2},
            },
            False,
        ),
    ],
)
def test_it_attacks_what_it_can_take(defenders: dict[str, Any], attacked: bool) -> None:
    forces = {"ger_army_group_center": {"at": "poland", "size": 4}, "ger_luftwaffe": "poland"}
    held = {"ukraine": "germany", "leningrad": "germany"}
    units = {**forces, **defenders}
    play = Play("D", phase="axis_activities", step="F", turn=5, units=units, control=held)
    bot = make_bot("greedy")
    targets = set()
    while (decision := bot.decide(play.game, play.request_of("germany"))).kind == "attack":
        targets.add(decision.target)  # type: ignore[attr-defined]
        play.do("germany", decision)
    assert ("byelorussia" in targets) == attacked


def test_it_loses_what_is_cheap_and_hits_what_is_dear() -> None:
    s = position(
        "D",
        units={
            "ger_army_group_center": {"at": "poland", "size": 4},
            "ger_18th_army": {"at": "poland", "size": 2},
        },
    )
    units = ("ger_18th_army", "ger_army_group_center")
    own = AssignDamage("germany", "poland", units)
    enemy = AssignDamage("ussr", "poland", units)
    luck = random.Random(1)
    assert RULES.greedy(s, own, luck) == Damage("ger_18th_army")
    assert RULES.greedy(s, enemy, luck) == Damage("ger_army_group_center")
