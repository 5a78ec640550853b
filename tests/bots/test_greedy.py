"""The greedy bot of aa1942: it wins, and it does the sensible thing in simple positions."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.bots import simulate
from sandtable.games.aa1942 import bot
from sandtable.games.aa1942.bot import board
from sandtable.games.aa1942.bot.board import Board
from sandtable.games.aa1942.facts import DATA, load_facts
from sandtable.games.aa1942.model import Unit
from sandtable.games.aa1942.rules.casualties import Casualties
from sandtable.games.aa1942.rules.combat import Press, Retreat
from sandtable.games.aa1942.rules.mobilize import Place
from sandtable.games.aa1942.rules.movement import Done, Move
from sandtable.games.aa1942.rules.purchase import Buy
from sandtable.games.aa1942.rules.transports import Sail
from sandtable.kernel.decisions import Decision
from tests.aa1942.table import Table, table

ROUNDS = 20
"""A game that has no winner after so many rounds counts for nobody."""


@pytest.mark.parametrize(("side", "other"), [("axis", "allies"), ("allies", "axis")])
def test_greedy_beats_random_from_either_side(side: str, other: str) -> None:
    summary = simulate("aa1942", 4, {side: "greedy", other: "random"}, 42, max_rounds=ROUNDS)
    assert summary.wins == {side: 4, other: 0}


def answer(t: Table) -> Decision:
    return bot.decide(t.s, t.request, random.Random(1))


NUMBERS = load_facts().numbers


def force(**units: int) -> bot.Force:
    kinds = load_facts().units
    return tuple((kinds[type_], n) for type_, n in units.items())


@pytest.mark.parametrize(
    ("attackers", "defenders", "low", "high"),
    [
        ({"infantry": 1}, {}, 1.0, 1.0),
        ({"infantry": 1}, {"antiaircraft_artillery": 2}, 1.0, 1.0),
        ({"infantry": 1}, {"infantry": 1}, 0.2, 0.45),
        ({"infantry": 2, "artillery": 1}, {"infantry": 1}, 0.9, 1.0),
        ({"infantry": 10, "tank": 5}, {"infantry": 10, "tank": 5}, 0.05, 0.45),
        ({"infantry": 20, "tank": 10}, {"infantry": 10, "tank": 5}, 0.97, 1.0),
        ({"infantry": 2}, {"infantry": 20}, 0.0, 0.01),
        ({"fighter": 3}, {"submarine": 2, "transport": 1}, 1.0, 1.0),
        ({"transport": 2}, {"destroyer": 1}, 0.0, 0.0),
        ({"battleship": 1}, {"destroyer": 1}, 0.85, 1.0),
    ],
)
def test_win_chance(
    attackers: dict[str, int], defenders: dict[str, int], low: float, high: float
) -> None:
    assert low <= bot.win_chance(NUMBERS, force(**attackers), force(**defenders)) <= high


def test_more_attackers_are_better_and_more_defenders_worse() -> None:
    chances = [bot.win_chance(NUMBERS, force(infantry=n), force(infantry=6)) for n in range(1, 20)]
    assert chances == sorted(chances)
    chances = [bot.win_chance(NUMBERS, force(tank=6), force(infantry=n)) for n in range(1, 20)]
    assert chances == sorted(chances, reverse=True)


def test_bombardment_helps() -> None:
    landing = force(infantry=2)
    assert bot.win_chance(
        NUMBERS, landing + force(battleship=1), force(infantry=2)
    ) > bot.win_chance(NUMBERS, landing, force(infantry=2))


def test_it_attacks_where_it_clearly_wins() -> None:
    t = table(
        "germany",
        units={
            "baltic_states": {"germany": "6 infantry, 2 tank"},
            "karelia_ssr": {"soviet_union": "infantry"},
        },
    )
    decision = answer(t)
    assert isinstance(decision, Move)
    assert decision.path == ("baltic_states", "karelia_ssr")


def test_it_does_not_attack_where_it_loses() -> None:
    t = table(
        "germany",
        units={
            "baltic_states": {"germany": "2 infantry"},
            "karelia_ssr": {"soviet_union": "8 infantry"},
            "belorussia": {"germany": "infantry"},
            "russia": {"soviet_union": "2 infantry"},
        },
    )
    assert answer(t) == Done()


def test_it_takes_an_empty_capital() -> None:
    t = table("germany", units={"west_russia": {"germany": "infantry"}})
    assert answer(t) == Move({"infantry": 1}, ("west_russia", "russia"))


def test_it_assaults_from_the_sea() -> None:
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "8 infantry, 2 tank"},
            "sz7": {"united_kingdom": "2 transport, destroyer"},
            "norway": {"germany": "infantry"},
            "germany": {"germany": "8 infantry"},
            "france": {"germany": "8 infantry"},
            "northwestern_europe": {"germany": "8 infantry"},
            "finland": {"germany": "infantry"},
        },
    )
    decision = answer(t)
    assert isinstance(decision, Sail)
    assert decision.offload in ("norway", "finland")
    assert decision.load


def test_it_holds_a_threatened_capital() -> None:
    """The only defenders do not leave for an easy conquest."""
    t = table(
        "soviet_union",
        units={
            "russia": {"soviet_union": "4 infantry"},
            "west_russia": {"germany": "5 infantry, 3 tank"},
            "archangel": {"germany": "infantry"},
        },
        control={"archangel": "germany"},
    )
    assert answer(t) == Done()


def test_it_ends_every_phase() -> None:
    """A crowded board: each phase of a turn ends after a bounded number of decisions."""
    crowd = "9 infantry, 4 artillery, 4 tank, 2 fighter"
    t = table(
        "germany",
        "purchase",
        units={
            **{land: {"germany": crowd} for land in ("germany", "france", "poland", "italy")},
            "sz5": {"germany": "4 transport, 2 submarine, destroyer"},
            "russia": {"soviet_union": crowd},
            "united_kingdom": {"united_kingdom": crowd},
        },
        treasury={"germany": 60},
    )
    decisions = 0
    while t.s.turn == "germany":
        request = t.game.pending[0]
        t.do(
            request.sample(t.s, random.Random(decisions))
            if request.power == "chance"
            else bot.decide(t.s, request, random.Random(1))
        )
        decisions += 1
        assert decisions < 200


def test_it_buys_for_all_its_money() -> None:
    t = table("germany", "purchase", treasury={"germany": 41})
    decision = answer(t)
    assert isinstance(decision, Buy)
    prices = t.s.facts.units
    assert sum(prices[type_].cost * n for type_, n in decision.units.items()) >= 39
    assert decision.units["infantry"] >= 4


def test_it_repairs_what_it_needs() -> None:
    t = table(
        "germany",
        "purchase",
        treasury={"germany": 40},
        damage={"germany": 20, "italy": 6},
    )
    decision = answer(t)
    assert isinstance(decision, Buy)
    assert sum(decision.repairs.values()) >= 5


def test_an_island_power_buys_ships() -> None:
    t = table(
        "united_states",
        "purchase",
        {"eastern_united_states": {"united_states": "6 infantry"}},
        treasury={"united_states": 42},
    )
    decision = answer(t)
    assert isinstance(decision, Buy)
    assert decision.units["transport"] >= 2


def test_reserves_go_to_the_front() -> None:
    t = table("germany", "noncombat_move", {"germany": {"germany": "6 infantry"}})
    decision = answer(t)
    assert isinstance(decision, Move)
    assert decision.path[0] == "germany"
    assert decision.path[-1] in ("poland", "baltic_states", "bulgaria_romania")


def test_new_units_appear_at_the_front_complex() -> None:
    t = table("soviet_union", "mobilize", bought={"infantry": 4})
    decision = answer(t)
    assert isinstance(decision, Place)
    assert decision.space in ("karelia_ssr", "caucasus")


def in_battle(attackers: str, defenders: str, *dice: Any) -> Table:
    """A battle in Karelia after the given rolls of its first round."""
    t = table(
        "germany",
        units={
            "baltic_states": {"germany": attackers},
            "karelia_ssr": {"soviet_union": defenders},
        },
    )
    units = {part.split()[1]: int(part.split()[0]) for part in attackers.split(", ")}
    t.do(Move(units, ("baltic_states", "karelia_ssr")), Done())
    for faces in dice:
        t.dice(*faces)
    return t


def test_it_presses_a_battle_that_it_wins() -> None:
    t = in_battle("6 infantry", "2 infantry", [6] * 6, [6] * 2)
    assert answer(t) == Press()


def test_it_retreats_from_a_hopeless_battle() -> None:
    t = in_battle("2 infantry", "6 infantry", [6] * 2, [6] * 6)
    assert answer(t) == Retreat("baltic_states")


def test_the_cheapest_are_lost_first() -> None:
    t = in_battle("2 infantry, 2 tank", "3 infantry", [6] * 4, [1, 6, 6])
    assert answer(t) == Casualties({"germany": {"infantry": 1}})


def test_a_land_unit_is_kept_to_take_a_city() -> None:
    t = table(
        "germany",
        units={
            "baltic_states": {"germany": "infantry, 2 fighter"},
            "karelia_ssr": {"soviet_union": "2 infantry"},
        },
    )
    path = ("baltic_states", "karelia_ssr")
    t.do(Move({"infantry": 1}, path), Move({"fighter": 2}, path), Done())
    t.dice(6, 6, 6)
    t.dice(1, 6)
    decision = answer(t)
    assert isinstance(decision, Casualties)
    assert "infantry" not in decision.lost["germany"]


def test_a_battleship_takes_the_first_hit() -> None:
    t = table(
        "japan",
        units={
            "sz60": {"japan": "battleship, destroyer"},
            "sz59": {"united_states": "2 destroyer"},
        },
    )
    t.do(Move({"battleship": 1, "destroyer": 1}, ("sz60", "sz59")), Done())
    t.dice(6, 6)
    t.dice(1, 6)
    assert answer(t) == Casualties({}, {"japan": 1})


def _ideas(game: sandtable.Game) -> list[Decision]:
    """All that comes to the bot's mind, not only what it takes."""
    request = game.pending[0]
    return list(bot._IDEAS.get(type(request), lambda *_: iter(()))(game.state, request))


@pytest.mark.parametrize("seed", [3, 11])
def test_what_it_remembers_changes_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every position of some turns the bot thinks of the same, whether or not it remembers the
    positions before, after which others decided, and another game in which much is alike."""
    game = sandtable.new("aa1942", seed=seed)
    other = sandtable.new("aa1942", seed=seed + 1, options={"cities": 13, "interceptors": True})
    rng = random.Random(seed)
    while game.rules.rounds(game.state) < 3:
        remembered = _ideas(game)
        with monkeypatch.context() as patch:
            patch.setattr(board, "_theatres", {})
            assert _ideas(game) == remembered
        for each in (game, other)[: rng.randint(1, 2)]:
            request = each.pending[0]
            bots = rng.random() < 0.6
            decision = each.rules.greedy(each.state, request, rng) if bots else None
            each.submit(request.power, decision or each.legal(request).sample(rng))


@pytest.mark.parametrize(("dice", "bombers"), [(1, 5), (2, 2), (3, 1)])
def test_as_many_bombers_raid_as_the_complex_has_room_for(
    dice: int, bombers: int, tmp_path: Path
) -> None:
    """The complex in Germany takes 20 points; in a data folder a bomber may have more dice."""
    text = (DATA / "units.yaml").read_text(encoding="utf-8")
    text = text.replace("raid_dice_per_bomber: 1 ", f"raid_dice_per_bomber: {dice} ")
    (tmp_path / "units.yaml").write_text(text, encoding="utf-8")
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "5 bomber"},
            "germany": {"germany": "30 infantry"},
        },
        data=tmp_path,
    )
    decision = answer(t)
    assert isinstance(decision, Move)
    assert (decision.raid, decision.units) == (True, {"bomber": bombers})


def changed_by(space: str, power: str, type_: str) -> tuple[Board, Board]:
    """How Germany sees the first position, and the same with a unit more in a space."""
    s = sandtable.new("aa1942", seed=1).state
    before = Board(s, "germany")
    more = s.copy()
    more.put(space, Unit(power, type_))
    return before, Board(more, "germany")


def test_own_units_leave_what_the_bot_knows_of_the_enemy_as_it_is() -> None:
    before, after = changed_by("poland", "germany", "tank")
    assert after.theatre is before.theatre


@pytest.mark.parametrize("space", ["russia", "sz16"])
def test_a_new_enemy_unit_is_seen_where_enemies_were_and_where_none_was(space: str) -> None:
    type_ = "tank" if space == "russia" else "destroyer"
    before, after = changed_by(space, "soviet_union", type_)
    assert after.theatre is not before.theatre
    seen, known = after.enemies(space), before.enemies(space)
    assert seen == {**known, type_: known.get(type_, 0) + 1}
