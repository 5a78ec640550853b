"""The bots' interface: what they are called, what they answer, and on what that depends."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

import sandtable
from sandtable.bots import BOT_NAMES, Bot, UnknownBot, make_bot, play_out, seat
from sandtable.kernel import registry
from sandtable.kernel.game import Decided
from tests.kernel.toy import Gift, MakeGift, ToyRules, ToyState

MIXED = {"axis": "greedy", "allies": "random"}


def started(seed: int, bots: str | Mapping[str, str], rounds: int) -> sandtable.Game:
    game = sandtable.new("aa1942", seed=seed)
    play_out(game, seat(game, bots, seed), max_rounds=rounds)
    return game


@pytest.mark.parametrize("name", BOT_NAMES)
def test_a_bot_is_known_by_its_name(name: str) -> None:
    bot: Bot = make_bot(name, seed=3)
    assert bot.name == name


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        UnknownBot, match=r"no bot 'greed'; there are: random, casual, greedy\. .*greedy\?"
    ):
        make_bot("greed")


@pytest.mark.parametrize("name", BOT_NAMES)
def test_a_decision_is_legal_and_changes_nothing(name: str) -> None:
    game = sandtable.new("aa1942", seed=1)
    before = game.hash
    request = game.pending[0]
    decision = make_bot(name, seed=1).decide(game, request, 0.1)
    assert game.hash == before
    assert decision in game.legal(request)


@pytest.mark.parametrize("name", BOT_NAMES)
def test_a_decision_depends_only_on_position_and_seed(name: str) -> None:
    """Neither on the bot object, nor on what it was asked before, nor on a copy of the game."""
    used, unused = make_bot(name, seed=5), make_bot(name, seed=5)
    game = sandtable.new("aa1942", seed=2)
    bots = dict.fromkeys(game.rules.powers, used)
    play_out(game, bots, max_rounds=1)
    copy = game.clone()
    request = game.pending[0]
    random.seed(99)
    assert used.decide(game, request) == unused.decide(copy, copy.pending[0])


def test_random_decisions_depend_on_the_seed() -> None:
    game = sandtable.new("aa1942", seed=1)
    answers = {repr(make_bot("random", seed).decide(game, game.pending[0])) for seed in range(8)}
    assert len(answers) > 4


def test_the_same_seed_plays_the_same_game() -> None:
    first, second = started(7, MIXED, 2), started(7, MIXED, 2)
    assert first.hash == second.hash
    assert first.version == second.version
    assert started(8, MIXED, 2).hash != first.hash


def test_greedy_answers_a_reloaded_game_alike(tmp_path: object) -> None:
    """Whatever the order in which a position's records came about, the decision is the same."""
    game = started(3, "greedy", 1)
    game.save(f"{tmp_path}/game.json")
    again = sandtable.load(f"{tmp_path}/game.json")
    bot = make_bot("greedy", 1)
    assert bot.decide(game, game.pending[0]) == bot.decide(again, again.pending[0])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"interceptors": True, "cities": 13, "setup": "tournament"},
        {
            "dardanelles": True,
            "players": {
                "a": ["soviet_union"],
                "b": ["united_kingdom"],
                "c": ["united_states"],
                "d": ["germany"],
                "e": ["japan"],
            },
        },
    ],
    ids=["plain", "air battles", "five players"],
)
def test_greedy_decides_legally_in_every_position(seed: int, options: dict[str, object]) -> None:
    """Submitting refuses what is not; that the bot does not lean on chance is checked as well."""
    game = sandtable.new("aa1942", seed=seed, options=options)
    helpless = 0

    class NoIdea(random.Random):
        def random(self) -> float:
            nonlocal helpless
            helpless += 1
            return super().random()

    names = {
        power: ("greedy", "random")[(i + seed) % 3 == 0]
        for i, power in enumerate(game.rules.powers)
    }
    bots = seat(game, names, seed)
    decisions = 0
    while game.pending and game.rules.rounds(game.state) <= 2:
        request = game.pending[0]
        if names[request.power] == "greedy":
            decision = game.rules.greedy(game.state, request, NoIdea(decisions))
        else:
            decision = bots[request.power].decide(game, request)
        game.submit(request.power, decision)
        decisions += 1
        assert decisions < 2000, "the phase does not end"
    assert not game.rules.audit(game.state)
    assert helpless <= decisions // 50


def test_play_out_stops_after_the_rounds_allowed() -> None:
    game = started(1, "random", 2)
    assert game.result is None
    assert game.rules.rounds(game.state) == 3


def test_play_out_reports_each_decision_before_it_is_made() -> None:
    game = sandtable.new("aa1942", seed=1)
    seen: list[str] = []
    versions: list[int] = []

    def note(at: sandtable.Game, request: sandtable.Request, decision: sandtable.Decision) -> None:
        seen.append(f"{request.power} {decision.kind}")
        versions.append(at.version)

    play_out(game, seat(game, "random", 1), max_rounds=1, on_decision=note)
    assert seen[0] == "soviet_union buy"
    assert versions[0] == 0
    assert versions == sorted(set(versions))


def test_play_out_needs_a_bot_for_whoever_decides() -> None:
    game = sandtable.new("aa1942", seed=1)
    with pytest.raises(UnknownBot, match="soviet_union has to decide"):
        play_out(game, {"germany": make_bot("random")})


def test_explicit_chance_is_played_as_well() -> None:
    game = sandtable.new("aa1942", chance="explicit")
    play_out(game, seat(game, "random", 4), max_rounds=1)
    assert game.rules.rounds(game.state) == 2


def test_bots_of_any_game(toy: ToyRules) -> None:
    game = sandtable.new("toy", seed=1)
    play_out(game, seat(game, {toy.powers[0]: "greedy", "*": "random"}, 1), max_rounds=50)


def test_seats_by_power_by_side_and_for_the_rest() -> None:
    game = sandtable.new("aa1942", seed=1)
    seated = seat(game, {"axis": "greedy", "japan": "random", "*": "random"}, 1)
    assert {power: bot.name for power, bot in seated.items()} == {
        "soviet_union": "random",
        "germany": "greedy",
        "united_kingdom": "random",
        "japan": "random",
        "united_states": "random",
    }


@pytest.mark.parametrize(
    ("bots", "message"),
    [
        ({"axis": "greedy"}, "No bot is named for soviet_union"),
        ({"italy": "greedy", "*": "random"}, "no power or side 'italy'; there are: .*germany"),
        ({"axis": "clever", "allies": "random"}, "no bot 'clever'"),
    ],
)
def test_seats_that_cannot_be_filled(bots: dict[str, str], message: str) -> None:
    with pytest.raises(UnknownBot, match=message):
        seat(sandtable.new("aa1942", seed=1), bots, 1)


# --- rights ----------------------------------------------------------------------------------


def used_rights(game: sandtable.Game) -> list[Decided]:
    return [e for e in game.journal if isinstance(e, Decided) and isinstance(e.decision, Gift)]


def test_a_random_bot_uses_rights_now_and_then(toy: ToyRules) -> None:
    games = []
    for _ in range(2):
        game = sandtable.new("toy", seed=4, options={"rounds": 5})
        play_out(game, seat(game, "random", 4))
        games.append(game)
    decisions = sum(isinstance(entry, Decided) for entry in games[0].journal)
    assert 1 <= len(used_rights(games[0])) < decisions / 5
    assert games[0].hash == games[1].hash


class Generous(ToyRules):
    """Greed: who has the most coins and has to decide gives one away first."""

    def greedy_right(
        self, state: ToyState, right: sandtable.Request, rng: random.Random
    ) -> Gift | None:
        assert isinstance(right, MakeGift)
        poorest = min(state.coins, key=lambda power: state.coins[power])
        rich = state.coins[right.power] > state.coins[poorest] + 1
        return Gift(poorest, 1) if rich else None


def test_a_greedy_bot_asks_the_game_whether_to_use_a_right(toy: ToyRules) -> None:
    coins = {"red": 7, "green": 3, "blue": 3, "white": 3}
    registry.add(Generous())
    game = sandtable.new("toy", seed=1, position={"coins": coins})
    bots = seat(game, "greedy", 1)
    assert bots["red"].decide(game, game.pending[0]) == Gift("green", 1)
    play_out(game, bots)
    assert used_rights(game)[0] == Decided("red", Gift("green", 1))
    registry.add(toy)
    plain = sandtable.new("toy", seed=1, position={"coins": coins})
    play_out(plain, seat(plain, "greedy", 1))
    assert used_rights(plain) == []
