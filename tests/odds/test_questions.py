"""What is asked and how: forces, refusals, plans, raids, sampling, many battles at once."""

from __future__ import annotations

import re
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sandtable
from sandtable import odds
from sandtable.games.aa1942.odds.book import book, force
from sandtable.odds import OddsError
from tests.odds.cases import PLAYED, Case


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("10 infantry, 5 artillery", {"infantry": 10, "artillery": 5}),
        ("2 inf, 1 art, 3 arm, 1 ftr, 1 bmb", None),
        ("1 dd, 2 ss, 1 ca, 1 cv, 1 bb, 2 tr", None),
        ("infantry", {"infantry": 1}),
        ("2x Tanks; 1 Aircraft Carrier", {"tank": 2, "aircraft_carrier": 1}),
        ("3 aaa + 1 submarines", {"antiaircraft_artillery": 3, "submarine": 1}),
        ("1 inf, 2 infantry", {"infantry": 3}),
    ],
)
def test_forces_are_read(text: str, wanted: dict[str, int] | None) -> None:
    read = force(book(), text)
    if wanted is None:
        assert len(read) == text.count(",") + 1
    else:
        assert read == wanted


@pytest.mark.parametrize(
    ("attack", "defend", "options", "reason"),
    [
        ("2 knights", "1 infantry", {}, "There is no unit 'knights'"),
        ("2 infantri", "1 infantry", {}, "Did you mean infantry"),
        ("-2 infantry", "1 infantry", {}, "There cannot be -2"),
        ({"infantry": 1.5}, "1 infantry", {}, "1.5 is no number"),
        ({"infantry": True}, "1 infantry", {}, "True is no number"),
        ("2000 infantry", "1 infantry", {}, "2000 units"),
        ("?", "1 infantry", {}, "not understood"),
        ("", "1 infantry", {}, "The attacker has no units"),
        ("1 infantry", "", {}, "The defender has no units"),
        ("0 infantry", "1 infantry", {}, "The attacker has no units"),
        ("1 infantry", "1 destroyer", {}, "infantry cannot fight at sea"),
        ("1 destroyer", "1 infantry", {"sea": False}, "destroyer cannot fight on land"),
        ("1 fighter", "1 destroyer, 1 tank", {}, "tank cannot fight at sea"),
        ("1 aaa, 1 infantry", "1 infantry", {}, "can never attack"),
        ("2 transport", "1 destroyer", {}, "Transports cannot attack"),
        ("1 fighter", "1 carrier, 1 bomber", {}, "Bombers cannot defend at sea"),
        ("1 infantry", "1 infantry", {"retreat": "soon"}, "Retreat rules are"),
        ("1 infantry", "1 infantry", {"retreat": 0}, "after 1 to 90 rounds"),
        ("1 infantry", "1 infantry", {"attack_order": "random"}, "An order of loss is"),
        ("1 infantry", "1 infantry", {"attack_subs": "hide"}, "Submarines can"),
        ("1 bb", "1 bb", {"attack_order": ["battleship", "damage"]}, "damaged before it sinks"),
        ("1 bb", "1 bb", {"damaged": (2, 0)}, "no 2 ships"),
        ("", "1 infantry", {"landing": ""}, "needs land units"),
        ("", "1 infantry", {"landing": "1 aaa"}, "cannot be landed to attack"),
        ("", "1 infantry", {"landing": "1 fighter"}, "cannot be landed"),
        ("", "1 infantry", {"landing": ["2 tank"]}, "One transport cannot carry"),
        ("", "1 inf", {"landing": "2 inf", "fleet": "1 dd", "fleet_defend": "1 ss, 1 dd"},
         "as many transports"),
        ("", "1 inf", {"landing": "2 inf", "fleet": "1 ca", "fleet_defend": "1 dd",
                       "fight_at_sea": False}, "have to be fought"),
    ],
)  # fmt: skip
def test_bad_questions_get_one_sentence(
    attack: Any, defend: Any, options: dict[str, Any], reason: str
) -> None:
    with pytest.raises(OddsError, match=reason) as refused:
        odds.battle("aa1942", attack, defend, **options)
    assert isinstance(refused.value, ValueError)
    assert str(refused.value).endswith((".", "?"))
    assert "\n" not in str(refused.value)


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(OddsError, match="There is no game 'chess'"):
        odds.battle("chess", "1 infantry", "1 infantry")


@pytest.mark.parametrize(
    ("attack", "defend", "sea"),
    [
        ("1000 infantry", "1000 infantry", False),
        ("500 tank, 500 fighter", "600 infantry, 400 aaa", False),
        ("1000 destroyer", "1000 destroyer", True),
        ("300 submarine, 300 fighter, 400 destroyer", "500 submarine, 500 fighter", True),
    ],
)
def test_a_thousand_units_are_answered_or_refused_soon(attack: str, defend: str, sea: bool) -> None:
    odds.battle("aa1942", "1 infantry", "1 infantry")  # compiled code is loaded once
    odds.battle("aa1942", "1 destroyer", "1 destroyer")
    begun = time.process_time()
    try:
        assert odds.battle("aa1942", attack, defend, sea=sea).probability.sum() == pytest.approx(1)
    except OddsError as refused:
        assert "allow sampling" in str(refused)
    # Two on a machine of its own; beside other programs a second of the processor does less.
    assert time.process_time() - begun < 20


def test_what_is_too_large_can_be_sampled() -> None:
    question = ("300 submarine, 300 fighter, 400 destroyer", "500 submarine, 400 fighter")
    with pytest.raises(OddsError, match="allow sampling"):
        odds.battle("aa1942", *question, sea=True)
    result = odds.battle("aa1942", *question, sea=True, sample=200)
    assert not result.exact
    assert result.runs == 200
    assert result.probability.sum() == pytest.approx(1)


@pytest.mark.parametrize("retreat", ["never", "loss"])
@pytest.mark.parametrize(
    "forces",
    [
        ("300 submarine, 300 fighter, 400 destroyer", "500 submarine, 100 carrier, 200 fighter"),
        ("300 infantry, 700 fighter", "700 infantry, 300 aaa"),
    ],
)
def test_what_is_out_of_reach_is_refused_at_once(forces: tuple[str, str], retreat: str) -> None:
    """Before memory is taken for it, with the estimate."""
    tracemalloc.start()
    try:
        with pytest.raises(OddsError, match=r"some [\d,]+ s and [\d,]+ MB"):
            odds.battle("aa1942", *forces, retreat=retreat)
        assert tracemalloc.get_traced_memory()[1] < 100 << 20
    finally:
        tracemalloc.stop()


def test_large_fleets_are_exact() -> None:
    """42 ships against 46: most of their 13 million pairs of states cannot be reached."""
    result = odds.battle(
        "aa1942",
        "12 submarine, 8 destroyer, 4 cruiser, 4 battleship, 4 carrier, 10 fighter",
        "12 submarine, 8 destroyer, 6 cruiser, 4 battleship, 4 carrier, 8 fighter, 4 transport",
    )
    assert result.exact
    assert result.probability.sum() == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("case", PLAYED, ids=lambda c: f"{c[0]} - {c[1]} {c[2]}")
def test_sampling_agrees_with_the_exact_answer(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sampler takes losses one by one; the exact kernels by a closed form."""
    attack, defend, options = case
    if options.get("retreat") == "loss" or attack == "2 infantry":
        return  # sampling does not know this rule; no dice are rolled against guns alone
    exact = odds.battle("aa1942", attack, defend, **options)
    monkeypatch.setattr("sandtable.odds.exact.MOST_SECONDS", -1.0)
    runs = 4_000
    sampled = odds.battle("aa1942", attack, defend, sample=runs, seed=3, **options)
    assert sampled.runs == runs
    for name in ("attacker_wins", "defender_wins", "draw", "retreats", "takes_territory"):
        p = getattr(exact, name)
        error = np.sqrt(max(0.0, p * (1 - p)) / runs)
        assert abs(getattr(sampled, name) - p) <= 4 * error + 1e-4, name
    for side in ("attacker", "defender"):
        wanted, found = exact.expected_left(side), sampled.expected_left(side)
        for kind, mean in wanted.items():
            assert found[kind] == pytest.approx(mean, abs=0.12), (side, kind)
    assert sampled.rounds == pytest.approx(exact.rounds, rel=0.05)


def test_many_battles_at_once_are_the_same_battles() -> None:
    questions = [{"attack": a, "defend": d, **options} for a, d, options in PLAYED]
    questions.append({"attack": "1 tank", "defend": "1 infantry", "landing": "1 infantry"})
    together = odds.battles("aa1942", questions * 5, workers=2)
    assert len(together) == 5 * len(questions)
    for question, result in zip(questions * 5, together, strict=True):
        alone = odds.battle("aa1942", **question)
        assert result.attacker_wins == pytest.approx(alone.attacker_wins, abs=1e-12)
        assert result.swing == pytest.approx(alone.swing, abs=1e-9)
    some = together[0]
    assert some.probability.sum() == pytest.approx(1)
    assert odds.battles("aa1942", []) == []


def test_a_plan_multiplies_its_battles() -> None:
    questions = [
        {"attack": "3 infantry, 1 tank", "defend": "2 infantry", "territory": 2},
        {"attack": "2 submarine, 1 fighter", "defend": "1 destroyer, 1 transport"},
    ]
    plan = odds.plan("aa1942", questions)
    alone = [odds.battle("aa1942", **q) for q in questions]
    assert plan.all == pytest.approx(alone[0].attacker_wins * alone[1].attacker_wins)
    assert plan.number.sum() == pytest.approx(1)
    assert plan.number[2] == pytest.approx(plan.all)
    assert plan.swing == pytest.approx(alone[0].swing + alone[1].swing)
    swings = []
    for result in alone:
        ours = result.attacker @ np.array([result.cost[k] for k in result.attacker_types])
        theirs = result.defender @ np.array([result.cost[k] for k in result.defender_types])
        swings.append(ours - theirs + result.territory * result.distribution.takes)
    joint = swings[0][:, None] + swings[1][None, :]
    chance = alone[0].probability[:, None] * alone[1].probability[None, :]
    variance = (chance * joint**2).sum() - (chance * joint).sum() ** 2
    assert plan.swing_deviation == pytest.approx(np.sqrt(variance))
    with pytest.raises(OddsError, match="at least one battle"):
        odds.plan("aa1942", [])


@pytest.mark.parametrize("by", ["value", "number"])
def test_the_smallest_force_is_the_smallest(by: str) -> None:
    pool = {"infantry": 3, "artillery": 1, "tank": 2, "fighter": 1}
    found = odds.smallest("aa1942", pool, "2 infantry", chance=0.8, by=by)
    assert found.reached
    assert found.chance >= 0.8
    cost = book().cost
    size = found.cost if by == "value" else sum(found.force.values())
    for i in range(4):
        for a in range(2):
            for t in range(3):
                for f in range(2):
                    force = {"infantry": i, "artillery": a, "tank": t, "fighter": f}
                    if not any(force.values()):
                        continue
                    value = sum(cost[k] * n for k, n in force.items())
                    if (value if by == "value" else i + a + t + f) < size:
                        result = odds.battle("aa1942", force, "2 infantry")
                        assert result.takes_territory < 0.8


def test_a_pool_that_is_not_enough_says_so() -> None:
    found = odds.smallest("aa1942", "2 infantry", "5 infantry", chance=0.9)
    assert not found.reached
    assert found.chance < 0.9
    with pytest.raises(OddsError, match="A chance is"):
        odds.smallest("aa1942", "2 infantry", "5 infantry", chance=1.5)
    with pytest.raises(OddsError, match="more than"):
        odds.smallest("aa1942", "40 inf, 40 art, 40 tank", "5 infantry", chance=0.5)


@pytest.mark.rule("aa1942:sbr.ic-fire", "aa1942:sbr.damage-roll", "aa1942:sbr.cap")
def test_a_raid_is_exact() -> None:
    """One bomber: shot down in 1 of 6, else 1 to 6 points, at most twice the income."""
    alone = odds.raid("aa1942", 1, ipc=10)
    assert alone.probability.sum() == pytest.approx(1)
    assert alone.expected_damage == pytest.approx(5 / 6 * 3.5)
    assert alone.swing == pytest.approx(5 / 6 * 3.5 - 12 / 6)
    capped = odds.raid("aa1942", 1, ipc=2, damage=2)
    assert capped.expected_damage == pytest.approx(5 / 6 * (1 + 5 * 2) / 6)
    full = odds.raid("aa1942", 2, ipc=2, damage=4)
    assert full.expected_damage == 0


@pytest.mark.rule(
    "aa1942:option.air-battle.attacker-fire",
    "aa1942:option.air-battle.defender-fire",
    "aa1942:option.air-battle.escort-retire",
)
def test_an_air_battle_comes_first() -> None:
    """Bomber and escort against one interceptor: it survives 25 of 36, then hits 1 in 3."""
    raid = odds.raid("aa1942", 1, escorts=1, interceptors=1, ipc=10)
    assert raid.probability.sum() == pytest.approx(1)
    assert float(raid.probability @ raid.interceptors) == pytest.approx(25 / 36)
    assert float(raid.probability @ raid.escorts) == pytest.approx(1 - 25 / 36 / 3)
    assert raid.expected_bombers == pytest.approx(5 / 6)
    first = odds.raid("aa1942", 1, escorts=1, interceptors=1, ipc=10, lose_first="bomber")
    assert float(first.probability @ first.escorts) == pytest.approx(1)
    assert first.expected_bombers == pytest.approx(5 / 6 * (1 - 25 / 36 / 3))


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"bombers": 0}, "needs bombers"),
        ({"bombers": -1}, "0 to 60 bombers"),
        ({"bombers": 1, "damage": 30}, "points of damage"),
        ({"bombers": 1, "lose_first": "tank"}, "fighters or bombers"),
    ],
)
def test_bad_raids_are_refused(options: dict[str, Any], reason: str) -> None:
    bombers = options.pop("bombers")
    with pytest.raises(OddsError, match=reason):
        odds.raid("aa1942", bombers, ipc=10, **options)


@pytest.mark.parametrize("sea", [False, True])
def test_a_battle_in_progress_is_taken_over(sea: bool) -> None:
    """The game rests where the attacker may retreat: the odds are those of what is left."""
    land = {
        "units": {
            "karelia_ssr": {
                "germany": {"infantry": [{"count": 6, "used": 1, "origin": "baltic_states"}]},
                "soviet_union": {"infantry": 6, "antiaircraft_artillery": 1},
            }
        },
        "control": {"karelia_ssr": "soviet_union", "baltic_states": "germany"},
    }
    fleet = {
        "units": {
            "sz4": {
                "germany": {"battleship": [{"count": 3, "used": 1, "origin": "sz3"}]},
                "soviet_union": {"battleship": 3},
            }
        }
    }
    for seed in range(40):
        game = sandtable.new(
            "aa1942",
            seed=seed,
            position={"base": "empty", "turn": "germany", "phase": "conduct_combat",
                      **(fleet if sea else land)},
        )  # fmt: skip
        while game.pending and game.pending[0].kind == "choose_casualties":
            request = game.pending[0]
            assert odds.in_progress(game).probability.sum() == pytest.approx(1)
            game.submit(request.power, next(iter(game.legal(request))))
        if game.pending and game.pending[0].kind == "press_or_retreat":
            break
    result = odds.in_progress(game)
    space = "sz4" if sea else "karelia_ssr"
    on_board: dict[str, dict[str, int]] = {"germany": {}, "soviet_union": {}}
    hurt = {"germany": 0, "soviet_union": 0}
    for unit, n in game.state.stack(space).items():
        side = on_board[unit.power]
        side[unit.type] = side.get(unit.type, 0) + n
        hurt[unit.power] += n * (unit.duty == "damaged")
    assert result.attacker_start == on_board["germany"]
    assert result.defender_start == on_board["soviet_union"]
    damaged = (hurt["germany"], hurt["soviet_union"])
    if sea:
        assert any(damaged)
        alone = odds.battle(
            "aa1942", on_board["germany"], on_board["soviet_union"], damaged=damaged
        )
        assert result.attacker_wins == pytest.approx(alone.attacker_wins, abs=1e-12)
    assert result.probability.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: odds.raid("aa1942", 2), "missing a required argument: 'ipc'"),
        (lambda: odds.raid("aa1942", 2, ipc=10, flak=1), "unexpected keyword argument 'flak'"),
        (lambda: odds.raid("aa1942", "two", ipc=10), "'two' is no number of bombers"),
        (lambda: odds.raid("aa1942", 2, ipc="x"), "whole numbers"),
        (lambda: odds.raid("blitz", 2), "The odds of blitz have no raid"),
        (lambda: odds.battle("aa1942", "1 inf", "1 inf", retreats=1), "Did you mean retreat?"),
        (lambda: odds.battle("aa1942", "1 inf", "1 inf", sea_=1), "no option 'sea_'"),
        (lambda: odds.battle("blitz", "18th army", targets="paris"), "argument 'targets'"),
        (lambda: odds.best("aa1942", "1 inf", "1 inf", aim="win"), "no option 'aim'"),
    ],
)
def test_options_that_are_missing_or_unknown_are_told(ask: Any, sentence: str) -> None:
    with pytest.raises(OddsError) as error:
        ask()
    assert sentence in str(error.value)


def test_results_are_shown_in_a_line() -> None:
    for result in (
        odds.battle("aa1942", "3 infantry", "2 infantry"),
        odds.best("aa1942", "3 infantry", "2 infantry"),
        odds.raid("aa1942", 2, ipc=10),
        odds.plan("aa1942", [{"attack": "2 tank", "defend": "1 infantry"}]),
        odds.smallest("aa1942", "3 infantry", "1 infantry", chance=0.5),
    ):
        assert len(repr(result)) < 300
        assert "\n" not in repr(result)


PAGE = Path(__file__).parents[2] / "docs" / "odds.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_what_the_page_shows_runs_by_itself(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "odds.md", "exec"), {})
