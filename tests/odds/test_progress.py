"""Battles in progress: before a roll, the odds are the mean of the odds after it."""

from __future__ import annotations

from typing import Any

import pytest

import sandtable
from sandtable import odds
from sandtable.games.aa1942.odds.book import SEABORNE, book, force
from sandtable.games.aa1942.odds.land import answer_land
from sandtable.games.aa1942.odds.policy import Policy
from sandtable.games.aa1942.odds.questions import Question
from sandtable.games.aa1942.rules.casualties import Casualties
from sandtable.kernel import registry
from sandtable.kernel.decisions import CHANCE, Roll
from sandtable.kernel.game import Game
from sandtable.odds import OddsError
from tests.odds import engine
from tests.odds.engine import ATTACKER, LAND, SEA, Player

FIGURES = ("attacker_wins", "takes_territory", "draw", "defender_wins", "rounds")

# Battles with the step in which the game is stopped for casualties.
CASES: list[tuple[str, str, str, dict[str, Any]]] = [
    ("attack", "3 inf, 1 art, 1 tank", "3 inf, 1 art, 1 tank", {}),
    ("defence", "3 inf, 1 art, 1 tank", "3 inf, 1 art", {}),
    ("defence", "2 inf, 1 art, 1 ftr", "2 inf, 1 art", {"keep_land": True}),
    ("attack", "2 inf, 1 tank, 1 ftr", "2 inf, 1 tank, 1 aaa", {"retreat": "air"}),
    ("attack", "2 inf, 2 tank", "2 inf, 1 tank", {"retreat": "rounds:1"}),
    ("defence", "2 inf, 2 tank", "2 inf, 1 tank", {"retreat": "rounds:2"}),
    ("attack", "3 inf, 1 tank", "3 inf, 1 tank", {"retreat": "loss", "territory": 2.0}),
    ("defence", "3 inf, 1 tank", "3 inf, 1 tank", {"retreat": "loss"}),
    ("defence", "1 inf, 1 art, 1 tank", "2 inf, 1 art",
     {"attack_order": ["tank", "art"], "defend_order": ["art", "inf"]}),
    ("antiaircraft", "1 inf, 1 art, 2 ftr, 1 bmb", "2 inf, 1 aaa", {}),
    ("antiaircraft", "1 tank, 1 ftr, 1 bmb", "2 inf, 1 aaa", {"attack_order": ["bmb", "ftr"]}),
    ("attack", "1 dd, 1 ca", "1 dd, 1 ca", {}),
    ("defence", "1 dd, 1 ca, 1 tr", "1 dd, 1 ca, 1 tr", {}),
    ("attack", "2 bb", "1 bb, 1 dd", {"defend_order": ["dd", "damage"]}),
    ("defence", "1 bb, 1 dd", "2 bb", {}),
    ("defence", "2 bb, 1 ftr", "1 bb, 1 ca", {"retreat": "loss"}),
    ("strike", "2 ss, 1 ca", "1 ca, 1 bb", {}),
    ("strike", "2 ss, 1 ftr", "1 ss, 1 ca, 1 tr", {}),
    ("strike", "2 ss, 1 dd", "1 ss, 1 ca", {"defend_order": ["ca", "ss"]}),
    ("strike_back", "1 ss, 1 ca, 1 ftr", "2 ss, 1 ca", {}),
    ("strike_back", "1 ca, 1 bb", "2 ss, 1 dd", {}),
    ("attack", "2 ss, 1 dd, 1 ftr", "1 ss, 1 dd, 1 cv, 1 ftr", {"attack_order": ["dd", "ftr"]}),
    ("attack", "2 ss, 1 ftr, 1 ca", "1 ss, 1 ftr, 1 cv", {"defend_order": ["ftr", "cv"]}),
    ("defence", "1 ss, 1 ftr, 1 ca", "1 ss, 1 ftr, 1 dd", {"retreat": "rounds:1"}),
    ("defence", "1 ss, 1 ftr, 1 ca, 1 tr", "1 ss, 1 ftr, 1 cv", {"attack_order": ["ftr"]}),
    ("defence", "1 dd, 2 ftr", "1 ca, 1 dd", {"retreat": "air"}),
    ("attack", "1 ca, 1 ftr", "2 ss, 1 tr, 1 ca", {"defend_subs": "last"}),
]  # fmt: skip


class Tree:
    """Plays a battle through all its rolls up to a step, and adds up the odds from there."""

    at_sea = False

    def __init__(self, begin: Any, step: str, options: dict[str, Any], player: Player) -> None:
        self.step, self.options, self.player = step, options, player
        rules = registry.find("aa1942")
        self.game = Game(rules, rules.read_options({}), begin, None)
        self.whole = self.worth(self.game)
        self.sums = dict.fromkeys((*FIGURES, "swing", "mass"), 0.0)
        self.stops = 0

    def worth(self, game: Game) -> float:
        """The attacker's units less the defender's."""
        left = engine.left(game.state)
        cost = book().cost
        return sum(cost[k] * n for k, n in left[0].items()) - sum(
            cost[k] * n for k, n in left[1].items()
        )

    def add(self, p: float, game: Game, figures: dict[str, float]) -> None:
        figures["swing"] = figures.get("swing", 0.0) + self.worth(game) - self.whole
        for name, value in {**figures, "mass": 1.0}.items():
            self.sums[name] += p * value

    def stopped(self, game: Game, request: Any) -> bool:
        if request.kind != "choose_casualties":
            return False
        last = [e for e in game.events if e.kind in ("fired", "antiaircraft", "bombarded")][-1]
        return bool(last.data.get("step", last.kind) == self.step)

    def explore(self, game: Game, p: float, rounds: int) -> None:
        request: Any = game.pending[0] if game.pending else None
        space = SEA if self.at_sea else LAND
        over = [e for e in game.events if e.kind == "battle_ended" and e.data["space"] == space]
        if over:
            self.finish(p, game, over[0].data, rounds)
        elif rounds and not self.at_sea and getattr(request, "roll", "") == "attack":
            self.ask_engine(p, game, rounds)  # a new round, and nobody could have retreated
        elif request.kind == "roll":
            for roll, chance in request.merged_outcomes():
                if chance:
                    branch = game.clone()
                    branch.submit(CHANCE, roll)
                    fought = [e.data["round"] for e in branch.events if e.kind == "fired"]
                    self.explore(branch, p * chance, max(fought, default=0))
        elif self.stopped(game, request):
            self.stops += 1
            self.choose(game, request)
            self.ask(p, game, self.options, rounds - 1 if rounds else 0)
        elif request.kind == "press_or_retreat":
            answer = self.player.answer(game.state, request)
            if answer.kind == "retreat" and any(u.duty == "seaborne" for u in on_land(game)):
                branch = game.clone()
                branch.submit(request.power, answer)
                self.explore(branch, p, rounds)
                return
            if answer.kind == "retreat":
                ours, theirs = engine.on_strip(game.state, request.space)
                stuck = self.at_sea and _stuck(set(ours), set(theirs))
                name = "draw" if stuck else "defender_wins"
                self.add(p, game, {name: 1.0, "rounds": float(rounds)})
                return
            options = dict(self.options)
            if str(options.get("retreat")).startswith("rounds"):
                options["retreat"] = int(options["retreat"].split(":")[1]) - rounds
            self.ask(p, game, options, rounds)
        else:
            branch = game.clone()
            branch.submit(request.power, self.player.answer(branch.state, request))
            self.explore(branch, p, rounds)

    def choose(self, game: Game, request: Any) -> None:
        """Whoever chooses by the order of loss has the odds of that order."""
        answer = self.player.answer(game.state, request)
        options = {k: v for k, v in self.options.items() if k not in ("retreat", "territory")}
        proposed = odds.in_progress(game, **options)
        chosen = odds.in_progress(game, chosen=answer, **options)
        for name in FIGURES:
            assert getattr(chosen, name) == pytest.approx(getattr(proposed, name)), answer

    def ask_engine(self, p: float, game: Game, rounds: int) -> None:
        """Only landed units are left, which cannot retreat."""
        ours, theirs = engine.on_strip(game.state, LAND)
        assert all(kind.endswith(SEABORNE) for kind in ours)
        q = Question(book(), {}, theirs, Policy(), begun=True)
        result = answer_land(q, ours)
        figures = {name: getattr(result, name) for name in FIGURES}
        figures["rounds"] += rounds
        self.add(p, game, {**figures, "swing": result.swing})

    def ask(self, p: float, game: Game, options: dict[str, Any], rounds: int) -> None:
        result = odds.in_progress(game, **options)
        assert result.probability.sum() == pytest.approx(1, abs=1e-9)
        on_board = engine.on_strip(game.state, SEA if self.at_sea else LAND)
        assert (result.attacker_start, result.defender_start) == on_board
        figures = {name: getattr(result, name) for name in FIGURES}
        layers = result.rounds_distribution
        if len(layers) > 1:  # not counted where landed units fight on
            assert layers @ range(len(layers)) == pytest.approx(figures["rounds"], abs=1e-6)
        figures["rounds"] += rounds
        self.add(p, game, {**figures, "swing": result.swing})

    def finish(self, p: float, game: Game, end: Any, rounds: int) -> None:
        units = book().units
        ours = [k for row in end["attackers"].values() for k in row]
        theirs = [k for row in end["defenders"].values() for k in row if units[k].defense]
        fights = any(units[k].attack for k in ours)
        wins = fights and not theirs
        takes = wins and not self.at_sea and any(units[k].captures for k in ours)
        figures = {
            "attacker_wins": float(wins),
            "takes_territory": float(takes),
            "draw": float(bool(fights) == bool(theirs)),
            "defender_wins": float(bool(theirs) and not fights),
            "rounds": float(rounds),
            "swing": float(takes) * self.options.get("territory", 0.0),
        }
        self.add(p, game, figures)


def on_land(game: Game) -> Any:
    return game.state.stack(LAND)


def _stuck(ours: set[str], theirs: set[str]) -> bool:
    """Whether aircraft and submarines cannot hit each other."""
    fighting, enemies = ours - {"transport"}, theirs - {"transport"}
    air = {"fighter", "bomber"}
    return (bool(fighting) and fighting <= air and enemies == {"submarine"}) or (
        fighting == {"submarine"} and enemies == {"fighter"}
    )


def check(tree: Tree, whole: Any) -> None:
    tree.explore(tree.game, 1.0, 0)
    assert tree.stops
    assert tree.sums.pop("mass") == pytest.approx(1, abs=1e-12)
    for name, value in tree.sums.items():
        assert value == pytest.approx(getattr(whole, name), abs=1e-9), name


@pytest.mark.parametrize(("step", "attack", "defend", "options"), CASES)
def test_odds_before_are_the_mean_of_those_after(
    step: str, attack: str, defend: str, options: dict[str, Any]
) -> None:
    whole = odds.battle("aa1942", attack, defend, **options)
    sea = not whole.takes_territory
    begin = engine.start(force(book(), attack), force(book(), defend), sea=sea)

    player = Player(options)
    if options.get("retreat") == "loss":

        def retreats(s: Any, request: Any) -> bool:
            ours, theirs = engine.on_strip(s, request.space)
            damaged = [0, 0]
            for unit, n in s.stack(request.space).items():
                damaged[unit.power != ATTACKER] += n * (unit.duty == "damaged")
            at = {"sea": sea, "damaged": tuple(damaged)} if sea else {}
            theirs.pop("antiaircraft_artillery", None)
            return odds.battle("aa1942", ours, theirs, **options, **at).swing < -1e-9

        player.retreats = retreats  # type: ignore[method-assign]
    tree = Tree(begin, step, options, player)
    tree.at_sea = sea
    check(tree, whole)


@pytest.mark.parametrize("step", ["bombarded", "antiaircraft", "attack", "defence"])
@pytest.mark.parametrize("retreat", ["never", "rounds:1"])
def test_a_landing_under_way(step: str, retreat: str) -> None:
    """Bombardment, whose victims stay behind the strip while antiaircraft artillery fires."""
    question: dict[str, Any] = {"landing": "1 inf, 1 tank", "fleet": "1 ca"}
    attack, defend = "1 ftr, 1 bmb", "1 inf, 1 art, 1 aaa"
    options = {"retreat": retreat}
    whole = odds.battle("aa1942", attack, defend, **question, **options)
    begin = engine.start(
        force(book(), attack),
        force(book(), defend),
        sea=False,
        landing=({"infantry": 1, "tank": 1},),
        fleet={"cruiser": 1},
    )
    tree = Tree(begin, step, options, Player(options))
    assert tree.game.pending[0].kind == "choose_bombardment"
    before = odds.in_progress(tree.game, **options)
    for name in FIGURES:
        assert getattr(before, name) == pytest.approx(getattr(whole, name), abs=1e-9)
    check(tree, whole)


def test_what_the_owner_has_chosen_stays() -> None:
    """A casualty against the order of loss is behind the strip, and fires from there."""
    tree = Tree(
        engine.start({"infantry": 2, "tank": 1}, {"infantry": 2, "tank": 1}, sea=False),
        "attack",
        {},
        Player({}),
    )
    game = tree.game
    game.submit(CHANCE, Roll((1, 6, 6)))
    assert game.pending[0].kind == "choose_casualties"
    # With the tank gone only infantry is left: from here on the order makes no difference.
    expected = odds.in_progress(game, defend_order=["tank"])
    game.submit(engine.DEFENDER, Casualties({engine.DEFENDER: {"tank": 1}}))
    assert [line[1:4] for line in game.pending[0].lines] == [("infantry", 2, 2), ("tank", 1, 3)]
    tree.step = "defence"
    tree.explore(game, 1.0, 1)
    assert tree.stops
    for name in ("attacker_wins", "takes_territory", "swing", "rounds"):
        assert tree.sums[name] == pytest.approx(getattr(expected, name), abs=1e-9)


def test_a_game_outside_a_battle_is_refused() -> None:
    with pytest.raises(OddsError, match="waits for purchase; it does not rest in a battle"):
        odds.in_progress(sandtable.new("aa1942", seed=1))
