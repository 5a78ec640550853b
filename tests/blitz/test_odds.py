"""The odds of combats: exact, by the rules, and the same as in games that are played."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

import sandtable
from sandtable import odds
from sandtable.cli.app import app
from sandtable.games.blitz.odds import Result, answer, in_progress, tree
from sandtable.games.blitz.odds.result import End
from sandtable.games.blitz.rules.land_combat import AnnounceAttack, ResolveAttack
from sandtable.games.blitz.rules.steps import Done
from sandtable.kernel.decisions import CHANCE, Pass, Roll
from sandtable.odds import OddsError
from tests.blitz.battles import BATTLES, DON, POLAND, WARS, Battle, expected, play_out
from tests.blitz.table import Play

GAMES = 300
"""Games played of each combat."""

run = CliRunner()

LANDING: dict[str, Any] = {
    "attack": "2nd army, 21st army group, royal air force",
    "scenario": "B",
    "target": "belgium_netherlands",
}


def chance(result: Result, of: Any) -> Fraction:
    """A chance as a fraction."""
    return sum((end.probability for end in result.ends if of(end)), Fraction(0))


# --- exactness ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BATTLES)
def test_probabilities_add_up_to_one(name: str) -> None:
    result = BATTLES[name].odds()
    assert chance(result, lambda end: True) == 1
    total = result.attacker_wins + result.defender_wins + result.draw
    assert total == pytest.approx(1, abs=1e-9)
    for id in (*result.attacker_start, *result.defender_start):
        assert sum(result.sizes(id).values()) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("name", BATTLES)
def test_games_come_out_as_often(name: str) -> None:
    """Combats fought in real games, by the same policy: within four standard errors each."""
    battle = BATTLES[name]
    q = battle.ask()
    result = answer(q)
    game = battle.begin()
    chances = expected(result)
    rng = random.Random(name)
    seen = Counter(play_out(game, q, result, rng) for _ in range(GAMES))
    assert seen.keys() <= chances.keys()
    for key, p in chances.items():
        slack = 4 * math.sqrt(p * (1 - p) * GAMES) + 4 * (p * GAMES < 5)
        assert abs(seen[key] - p * GAMES) <= slack, (key, seen[key], p * GAMES)


@pytest.mark.parametrize("name", ["commanders", "a para flies in", "carriers and a convoy", "don"])
def test_courses_are_united_only_where_they_are_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every face of every die by itself gives the same ends, to the last fraction."""
    united = BATTLES[name].odds()
    monkeypatch.setattr(tree, "_ROUND", " no such Round ")
    if name != "commanders":  # that would be some ten thousand courses
        monkeypatch.setattr(tree._Run, "unite", lambda *_: None)
    single = BATTLES[name].odds()
    for each in (united, single):
        assert chance(each, lambda end: True) == 1
    assert {repr(end) for end in united.ends} == {repr(end) for end in single.ends}


def test_poland_by_hand() -> None:
    """10 Factors against 4, 3 ARM against 2, and nowhere to retreat to (A.6)."""
    result = POLAND.odds()
    assert result.factors == {"land": {"attacker": (10, 10), "defender": (4, 4)}}
    # L - 1 - 1S - 1L - 1L - 2: an L on the one army is a point of damage instead of a retreat, an
    # S is nothing. So the dice 4, 5 and 6 destroy its Size of 2, the others take a point.
    assert chance(result, lambda end: end.taken) == Fraction(1, 2)
    assert chance(result, lambda end: end.defender == {}) == Fraction(1, 2)
    assert chance(result, lambda end: end.defender == {"afa_polish_army": 1}) == Fraction(1, 2)
    assert result.retreats == 0
    # - S S L 1 1S: never more than two of three units are blocked, and only if the area is won.
    assert chance(result, lambda end: sum(end.attacker.values()) == 6) == Fraction(4, 6)
    assert chance(result, lambda end: len(end.blocked) == 1) == Fraction(1, 2) * Fraction(3, 6)
    assert chance(result, lambda end: len(end.blocked) == 2) == Fraction(1, 2) * Fraction(1, 6)
    assert chance(result, lambda end: len(end.advanced) == 3) == Fraction(1, 2) * Fraction(2, 6)
    assert result.attacker_loss == pytest.approx(2 / 6)
    assert result.defender_loss == pytest.approx(9 / 6)


def test_don_basin_by_hand() -> None:
    """19 Factors against 13, 5 ARM against 4 (6.2, 6.6)."""
    result = DON.odds()
    assert result.factors == {"land": {"attacker": (19, 19), "defender": (13, 13)}}
    # 1S 1L 2S 2L 2L 2B on two units of Size 2. The owner's point goes to Army Group B, which is
    # cheaper, the enemy's then, too: its last point is the dearest. S and L drive out one of two;
    # of one, S is nobody and L is it.
    assert chance(result, lambda end: end.taken) == Fraction(3, 6)
    assert chance(result, lambda end: end.retreated) == Fraction(5, 6)
    left = Fraction(4, 6)
    assert chance(result, lambda end: "ger_army_group_b" not in end.defender) == left
    assert chance(result, lambda end: "ger_waffen_ss_army" not in end.defender) == 0
    assert result.defender_loss == pytest.approx(10 / 6)
    # 1 1S 1L 1L 2 2S
    assert result.attacker_loss == pytest.approx(8 / 6)
    assert set(area for _, area in result.driven_out()) == {"ukraine"}


def test_poland_cell_by_cell() -> None:
    """All 36 pairs of dice, read off the Combat Chart."""
    attack = {1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 2}
    defence = {1: 0, 2: 0, 3: 0, 4: 0, 5: 1, 6: 1}
    cells: Counter[tuple[int, int]] = Counter()
    for mine in range(1, 7):
        for theirs in range(1, 7):
            cells[attack[mine], defence[theirs]] += 1
    result = POLAND.odds()
    for (hits, hits_back), number in cells.items():
        assert chance(
            result,
            lambda end, a=hits_back, d=hits: (
                (sum(end.attacker.values()), sum(end.defender.values())) == (6 - a, 2 - d)
            ),
        ) == Fraction(number, 36)


def test_a_factory_takes_no_more_than_it_has() -> None:
    result = BATTLES["a factory"].odds()
    # 1 1S 1L 1L 2 2S, and one point is left of the Factory.
    assert [end.factory for end in result.ends] == [1]
    assert result.attacker_wins == 1
    assert result.to_dict()["damage"]["factory"] == {"1": 1.0}


def test_a_convoy_is_counted() -> None:
    result = BATTLES["carriers and a convoy"].odds()
    damage = result.to_dict()["damage"]["convoy"]
    assert sum(damage.values()) == pytest.approx(1)
    assert damage["1"] > 0


# --- policies -------------------------------------------------------------------------------------


def test_orders_of_loss_matter() -> None:
    # All of 1 1S 1L 1L 2 2S do damage; the biggest unit takes the first point.
    assert (
        "4"
        not in DON.odds(attack_order="units").to_dict()["attacker_left"]["sizes"][
            "sov_western_front"
        ]
    )
    assert DON.odds().sizes("sov_western_front")[4] > 0.5
    given = DON.odds(defend_order=["waffen ss army"])
    assert given.sizes("ger_waffen_ss_army").get(2, 0) == 0
    weakest = DON.odds(attack_order="weakest", defend_order="weakest")
    assert chance(weakest, lambda end: True) == 1


def test_the_bot_can_choose() -> None:
    result = BATTLES["paris with an air round"].odds(attack_order="bot", defend_order="bot")
    assert chance(result, lambda end: True) == 1


def test_submarines_evade() -> None:
    subs = Battle(
        "allies",
        {"afa_home_fleet": (2, "north_sea"), "ger_u_boat_i": (2, "north_sea")},
        ("afa_home_fleet",),
        "north_sea",
        "sea",
        scenario="C",
    )
    assert subs.odds().defender_start == {"ger_u_boat_i": 2}
    with pytest.raises(OddsError, match=r"^There is no combat"):
        subs.odds(defend_subs="evade")


# --- combats in progress --------------------------------------------------------------------------


def value(result: Result) -> tuple[Fraction, Fraction, Fraction]:
    """Some figures that have to be the mean of what comes after each face."""

    def mean(of: Any) -> Fraction:
        return sum((end.probability * of(end) for end in result.ends), Fraction(0))

    def left(units: str) -> Fraction:
        return mean(lambda end: sum(getattr(end, units).values()))

    return chance(result, lambda end: end.winner == "attacker"), left("attacker"), left("defender")


@pytest.mark.parametrize(
    "name", ["poland", "a port with fighters", "aircraft fly out to the fleet"]
)
def test_a_combat_in_progress_is_the_mean_of_what_comes(name: str) -> None:
    battle = BATTLES[name]
    q = battle.ask()
    game = battle.begin()
    _check_mean(game, q, depth=3, when=(game.state.phase, game.state.step))


def _check_mean(game: sandtable.Game, q: Any, depth: int, when: tuple[str, str]) -> Any:
    """The odds of a game in a combat; those of its successors give the same. None afterwards."""
    if game.result is not None or (game.state.phase, game.state.step) != when:
        return None
    request: Any = game.pending[0]
    tree = _in_progress(game, q)
    if depth == 0:
        return tree
    if request.power != CHANCE:
        copy = game.clone()
        copy.submit(request.power, q.policy.decide(copy.state, request))
        after = _check_mean(copy, q, depth, when)
        assert after is None or value(after)[0] == value(tree)[0]
        return tree
    faces = []
    for face in range(1, 7):
        copy = game.clone()
        copy.submit(CHANCE, Roll((face,)))
        after = _check_mean(copy, q, depth - 1, when)
        if after is None:
            return tree
        faces.append(value(after)[0])
    assert sum(faces, Fraction(0)) / 6 == value(tree)[0]
    return tree


def _in_progress(game: sandtable.Game, q: Any) -> Result:
    """As `in_progress`, with the air units that join the defence."""
    from sandtable.games.blitz.odds.result import collect
    from sandtable.games.blitz.odds.tree import in_combat

    return collect(in_combat(game, q.policy.decide))


def test_a_game_at_its_first_die_has_the_odds_of_the_question() -> None:
    for name in ("poland", "don", "a factory", "carriers and a convoy"):
        assert value(in_progress(BATTLES[name].begin())) == value(BATTLES[name].odds()), name


def test_dice_that_have_fallen_count() -> None:
    game = DON.begin()
    game.submit(CHANCE, Roll((4,)))
    game.submit(CHANCE, Roll((2,)))
    assert game.pending[0].kind == "assign_damage"
    before = game.hash
    result = in_progress(game)
    # 2L against 1S: only what is left to choose is open, and that is stated.
    (end,) = result.ends
    assert isinstance(end, End)
    assert end.taken
    assert len(end.blocked) == 2  # a third of five
    assert game.hash == before


@pytest.mark.parametrize("scenario", ["B", "C", "E", "campaign"])
def test_wherever_a_game_rests_in_a_combat_it_has_odds(scenario: str) -> None:
    game = sandtable.new("blitz", seed=3, options={"scenario": scenario})
    rng = random.Random(3)
    kinds = ("assign_damage", "choose_returning", "choose_base", "pick_blocked", "join_sea_combat")
    found = 0
    while game.result is None and found < 12:
        request = game.pending[0]
        if game.state.step in ("C", "F") and request.kind in kinds:
            before = game.hash
            try:
                result: Any = odds.in_progress(game)
            except OddsError as error:
                assert str(error).startswith("There is no combat")  # submarines left
            else:
                assert chance(result, lambda end: True) == 1
                found += 1
            assert game.hash == before
        decision = game.rules.greedy(game.state, request, rng)
        game.submit(request.power, decision)
    assert found == 12


def test_of_several_attacks_only_the_one_that_is_fought_counts() -> None:
    asked = BATTLES["don with an air round"]
    units = {**asked.units, "sov_baltic_front": (2, "moscow"), "ger_18th_army": (1, "byelorussia")}
    play = Play(
        units={id: {"size": unit[0], "at": unit[1]} for id, unit in units.items()},
        turn=5,
        phase="allied_activities",
        step="F",
        wars=WARS,
        control={**asked.more["control"], "byelorussia": "germany"},
    )
    while play.state.queue[0] != "ussr":
        play.do(play.state.queue[0], Done())
    play.do("ussr", AnnounceAttack("ground", "don_basin", ("sov_western_front",)))
    play.do("ussr", AnnounceAttack("ground", "byelorussia", ("sov_baltic_front",)))
    while play.state.queue:
        play.do(play.state.queue[0], Done())
    if play.game.pending[0].kind == "commit_defence":
        play.do("germany", Pass())
    with pytest.raises(OddsError, match="choose next attack"):
        in_progress(play.game)
    play.do("ussr", ResolveAttack(1))
    result = in_progress(play.game)
    assert (result.target, set(result.attacker_start)) == ("byelorussia", {"sov_baltic_front"})
    play.dice(3)
    assert in_progress(play.game).target == "byelorussia"


@pytest.mark.parametrize("scenario", ["A", "C"])
def test_a_game_outside_of_combat_is_refused(scenario: str) -> None:
    game = sandtable.new("blitz", seed=1, options={"scenario": scenario})
    with pytest.raises(OddsError, match=r"^The game waits for .*; it does not rest in a combat\.$"):
        in_progress(game)


def test_a_game_that_announces_attacks_is_refused() -> None:
    game = sandtable.new(
        "blitz",
        seed=1,
        options={"scenario": "A"},
        position={"phase": "axis_activities", "step": "F"},
    )
    with pytest.raises(OddsError, match="land area combat"):
        in_progress(game)


# --- questions ------------------------------------------------------------------------------------


def test_land_units_embark_for_a_landing() -> None:
    result: Any = odds.battle("blitz", **LANDING)
    assert [note.split(" comes")[0] for note in result.notes] == ["2nd Army", "21st Army Group"]
    assert result.factors["land"]["attacker"] == (4, 4)  # halved
    assert set(result.defender_start) == {"ger_18th_army", "ger_waffen_ss_army", "ger_fw_190s"}


def test_named_defenders_take_the_place_of_those_there_and_air_units_join() -> None:
    alone: Any = odds.battle("blitz", defend="18th army 1", **LANDING)
    assert alone.defender_start == {"ger_18th_army": 1, "ger_fw_190s": 2}
    assert "air" not in alone.factors
    joined: Any = odds.battle("blitz", defend={"me-109s": 1}, **LANDING)
    assert joined.defender_start["ger_me_109s"] == 1
    assert "ger_18th_army" in joined.defender_start
    assert "air" in joined.factors
    assert joined.takes_territory <= alone.takes_territory
    # The FW-190s are based in the area, whether they join in its defence or not.
    assert "ger_fw_190s" in joined.defender_start


def test_ships_named_in_port_take_the_place_of_those_there() -> None:
    port = BATTLES["a port"]
    assert set(port.odds().defender_start) == {"ger_high_seas_fleet", "ger_graf_zeppelin"}
    asked = Battle(**{**vars(port), "defend": ("ger_high_seas_fleet",)})
    assert asked.odds().defender_start == {"ger_high_seas_fleet": 2}


def test_units_may_be_put_elsewhere() -> None:
    asked = {**LANDING, "attack": "2nd army 2 @ north_sea, royal marines @ north sea"}
    result: Any = odds.battle("blitz", **asked)
    assert result.attacker_start == {"afa_2nd_army": 2, "afa_royal_marines": 1}


def test_paras_fly_and_ships_put_to_sea_of_themselves() -> None:
    asked = {**LANDING, "attack": "2nd army, 1st airborne, home fleet"}
    result: Any = odds.battle("blitz", **asked)
    assert result.notes == (
        "2nd Army comes from North Sea aboard Europe Trs.",
        "1st Airborne flies in.",
        "Home Fleet puts to sea: North Sea.",
    )


def test_partners_attack_together() -> None:
    units = {
        "usa_1st_us_army": (2, "paris"),
        "afa_2nd_army": (2, "paris"),
        "ger_18th_army": (1, "western_germany"),
    }
    joint = Battle(
        "usa",
        units,
        ("afa_2nd_army", "usa_1st_us_army"),
        "western_germany",
        more={"control": {"paris": "usa"}},
    )
    result = joint.odds()
    assert set(result.attacker_start) == {"afa_2nd_army", "usa_1st_us_army"}
    assert result.takes_territory > 0


def test_nobody_defends() -> None:
    empty = Battle("germany", {"ger_18th_army": (2, "berlin")}, ("ger_18th_army",), "poland")
    result = empty.odds()
    assert result.takes_territory == 1
    assert result.rounds == 0
    assert result.notes == ("No land unit defends Poland.",)


def test_a_save_and_a_position_are_read(tmp_path: Path) -> None:
    save = tmp_path / "game.json"
    game = sandtable.new("blitz", seed=1, options={"scenario": "B"})
    game.save(save)
    asked = {key: value for key, value in LANDING.items() if key != "scenario"}
    loaded: Any = odds.battle("blitz", load=save, **asked)
    fresh: Any = odds.battle("blitz", **LANDING)
    assert value(loaded) == value(fresh)
    file = tmp_path / "position.yaml"
    file.write_text(yaml.safe_dump({"units": {"ger_waffen_ss_army": None}}))
    weaker: Any = odds.battle("blitz", load=file, **LANDING)
    assert weaker.defender_start == {"ger_18th_army": 2, "ger_fw_190s": 2}


def test_several_battles_make_a_plan() -> None:
    one = {**LANDING, "defend": "18th army 1"}
    both = odds.plan("blitz", [one, {**one, "defend": "18th army 2"}])
    single: Any = odds.battle("blitz", **one)
    assert both.chances[0] == pytest.approx(single.attacker_wins)
    assert 0 < both.all < both.chances[0]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"attack": ""}, "The attacker has no units: name them, for instance '18th army 2'."),
        ({"attack": "2nd armee"}, "There is no unit '2nd armee'. Did you mean 2nd army?"),
        ({"attack": "2nd army, 2nd army"}, "2nd Army is named twice in the attacker's force."),
        ({"attack": "2nd army 7"}, "2nd Army has Sizes from 1 to 4, not 7."),
        ({"attack": "2nd army, 18th army"}, "2nd Army and 18th Army are not on the same side."),
        ({"attack": "royal air force", "combat": "ground"}, "A Ground Attack needs a land unit."),
        ({"attack": "5th army"}, "5th Army is not on the map: say where, '5th Army @ area'."),
        ({"target": ""}, "Say which area is attacked."),
        ({"target": "belgum"}, "There is no area 'belgum'. Did you mean "),
        ({"target": "tokyo"}, "Tokyo is not in play in scenario B."),
        ({"target": "berlin"}, "2nd Army is not next to the target."),
        ({"target": "scotland"}, "Only land areas of the enemy can be attacked."),
        ({"target": "north_sea"}, "There are no combats at sea in scenario B."),
        ({"port": "north sea"}, "Only a Port Attack names a port."),
        ({"flying": "1st airborne"}, "1st Airborne is to fly in, but does not attack."),
        (
            {"attack": "2nd army @ berlin", "target": "western germany"},
            "afa_2nd_army is western_allies's, but berlin is germany's.",
        ),
        ({"combat": "duel"}, "A combat is one of ground, factory, port, sea, not 'duel'."),
        ({"combat": "sea"}, "Belgium-Netherlands is a land area: there is no sea combat."),
        ({"combat": "factory"}, "There are no Factory Attacks in this scenario."),
        ({"defend": "spitfires"}, "Spitfires is not on the defender's side."),
        ({"defend": "elves"}, "There is no unit 'elves'."),
        (
            {"defend": "luftwaffe @ berlin"},
            "Luftwaffe cannot join in the defence of Belgium-Netherlands: ",
        ),
        ({"attack_order": "best"}, "An order of loss is one of cheapest, weakest, units, bot, or"),
        ({"defend_subs": "dive"}, "Defending submarines stay or evade, not 'dive'."),
        ({"turn": 3}, "Scenario B has Turns 9 to 11, not 3."),
        ({"load": "nothing.json"}, "nothing.json cannot be read: "),
        ({"scenario": "Z"}, "Option scenario takes "),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(OddsError) as error:
        odds.battle("blitz", **{**LANDING, **changed})
    assert str(error.value).startswith(sentence), str(error.value)
    assert "\n" not in str(error.value)


SEA: dict[str, Any] = {"scenario": "C", "attack": "u-boat i", "target": "north atlantic"}


def test_ships_and_aircraft_go_to_sea_for_a_combat() -> None:
    result: Any = odds.battle("blitz", **SEA)
    assert result.attacker_start == {"ger_u_boat_i": 2}
    assert result.defender_start == {}
    assert result.to_dict()["damage"]["convoy"]["0"] < 1


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"attack": "regia marina"}, "Regia Marina cannot get to North Atlantic: "),
        ({"attack": "army group b @ paris"}, "Army Group B is a land unit and cannot fight at sea"),
        ({"defend": "coastal command @ rome"}, "coastal"),
        ({"target": "baltic sea"}, "Baltic Sea is not in play in scenario C."),
        ({"target": "western approaches"}, "No combat is due in Western Approaches"),
    ],
)
def test_what_is_wrong_at_sea_is_told(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(OddsError) as error:
        odds.battle("blitz", **{**SEA, **changed})
    assert sentence.lower() in str(error.value).lower()


@pytest.mark.parametrize("verb", ["best", "raid", "smallest"])
def test_what_there_is_not_for_this_game(verb: str) -> None:
    with pytest.raises(OddsError, match="The odds of blitz have no"):
        if verb == "smallest":
            odds.smallest("blitz", "18th army", "", chance=0.5)
        else:
            getattr(odds, verb)("blitz", 1)


# --- the command line -----------------------------------------------------------------------------


def test_the_numbers_on_the_page_are_right() -> None:
    page = (Path(__file__).parents[2] / "docs" / "odds.md").read_text(encoding="utf-8")
    asked = {**LANDING, "defend": "18th army, fw-190s"}
    with_fighters: Any = odds.battle("blitz", **asked)
    without: Any = odds.battle("blitz", **{**asked, "defend": "18th army"})
    fleet = {**asked, "attack": f"{asked['attack']}, home fleet"}
    with_fleet: Any = odds.battle("blitz", **fleet)
    for result in (with_fighters, without, with_fleet):
        assert f"{100 * result.takes_territory:.1f} %" in page


LINE = [
    "odds",
    "blitz",
    "--scenario",
    "B",
    "--attack",
    LANDING["attack"],
    "--target",
    LANDING["target"],
]


def test_the_command_shows_a_table() -> None:
    shown = run.invoke(app, [*LINE, "--defend", "18th army, fw-190s"], env={"COLUMNS": "100"})
    assert shown.exit_code == 0, shown.output
    for part in ("The attacker takes the area", "The defender holds it", "Air Round, Factors",
                 "Land Round", "Left of the attackers", "21st Army Group 2", "█", "comes from",
                 "18th Army retreats to", "may not advance", "exact"):  # fmt: skip
        assert part in shown.output, part


def test_json_has_the_keys_of_the_other_game_and_its_own() -> None:
    shown = run.invoke(app, [*LINE, "--json"])
    data = json.loads(shown.stdout)
    for key in ("attacker_wins", "defender_wins", "draw", "takes_territory", "rounds",
                "attacker_left", "defender_left", "swing", "exact", "elapsed_ms", "retreats",
                "blocked", "advances", "control", "damage", "factors"):  # fmt: skip
        assert key in data, key
    assert data["exact"] is True
    assert data["attacker_left"]["likeliest"][0]["probability"] > 0


def test_a_saved_combat_is_gone_on_with(tmp_path: Path) -> None:
    game = DON.begin()
    game.submit(CHANCE, Roll((4,)))
    save = tmp_path / "don.json"
    game.save(save)
    shown = run.invoke(app, ["odds", "blitz", "--load", str(save), "--json"])
    assert shown.exit_code == 0, shown.output
    assert json.loads(shown.stdout)["takes_territory"] == pytest.approx(
        in_progress(game).takes_territory
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([*LINE, "--retreat", "air"], "No such option: --retreat"),
        (["odds", "blitz", "--scenario", "B", "--target", "paris"], "The attacker has no units"),
        (["odds", "aa1942", "--attack", "1 inf", "--defend", "1 inf", "--target", "paris"],
         "No such option: --target"),
    ],
)  # fmt: skip
def test_errors_are_one_sentence(arguments: list[str], sentence: str) -> None:
    shown = run.invoke(app, arguments)
    assert shown.exit_code == 2
    assert sentence in shown.stderr
    assert len(shown.stderr.strip().splitlines()) == 1
