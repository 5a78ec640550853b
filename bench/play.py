"""Random and greedy play, cloning, saving and loading, against python-chess and each other."""

from __future__ import annotations

import contextlib
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chess

import sandtable
from bench.rows import Row
from sandtable.bots.simulation import play_one, spare_the_collector
from sandtable.games.aa1942.facts import load_facts
from sandtable.games.aa1942.rules.movement import Done

ROUNDS = 10
SLICE = 0.4
SLICES = 14
BATTLE_DECISIONS = 1400
GREEDY_ROUNDS = 4
GREEDY_GAMES = 6
LONG = 10_000
SCENARIOS = ("A", "B", "C", "D", "E", "F", "campaign")


class RandomPlay:
    """Random legal play of one of our games, endlessly."""

    def __init__(self, game_id: str, **options: str) -> None:
        self.rng = random.Random(1)
        self.seed = 0
        self.game_id = game_id
        self.options = options
        self.game = self._new()

    def _new(self) -> sandtable.Game:
        return sandtable.new(self.game_id, seed=self.seed, options=self.options)

    def step(self) -> None:
        """Sample a legal decision and submit it."""
        game = self.game
        if game.result is not None or game.rules.rounds(game.state) > ROUNDS:
            self.seed += 1
            game = self.game = self._new()
        request = game.pending[0]
        game.submit(request.power, game.legal(request).sample(self.rng))


class RandomChess:
    """Random legal chess, endlessly."""

    def __init__(self) -> None:
        self.rng = random.Random(1)
        self.board = chess.Board()

    def step(self) -> None:
        """Choose a legal move and push it."""
        if self.board.is_game_over():
            self.board = chess.Board()
        self.board.push(self.rng.choice(list(self.board.legal_moves)))


def _slice(play: RandomPlay | RandomChess) -> tuple[int, float]:
    steps, begun = 0, time.process_time()
    while True:
        for _ in range(20):
            play.step()
        steps += 20
        spent = time.process_time() - begun
        if spent > SLICE:
            return steps, spent


def _best(action: object, number: int) -> float:
    """The least time of one call, in seconds, over five rounds of `number` calls."""
    assert callable(action)
    best = float("inf")
    for _ in range(5):
        begun = time.perf_counter()
        for _ in range(number):
            action()
        best = min(best, (time.perf_counter() - begun) / number)
    return best


def _battle_row(name: str, plays: list[RandomPlay]) -> Row:
    """The same decisions inside strict procedures (battles above all), submitted to a clone, which
    has to be woken for it, and to the game itself."""
    cloned = plain = 0.0
    for play in plays:
        number = 0
        while number < BATTLE_DECISIONS // len(plays):
            game = play.game
            if game.result is not None or game._table.at_rest:
                play.step()
                continue
            request = game.pending[0]
            decision = game.legal(request).sample(play.rng)
            begun = time.perf_counter()
            game.clone().submit(request.power, decision)
            middle = time.perf_counter()
            game.submit(request.power, decision)
            cloned += middle - begun
            plain += time.perf_counter() - middle
            number += 1
    each = 1e6 / BATTLE_DECISIONS
    return Row(
        f"clone and submit inside a battle, {name}",
        f"{cloned * each:.0f} µs",
        f"{plain * each:.0f} µs (submit)",
        cloned / plain,
        "≤ 8",
        cloned / plain <= 8,
    )


def _greedy_row(play: RandomChess) -> Row:
    """The time of a greedy turn, and the plies of random chess that are made in as much; the two
    take turns. Chess is a measure that our own changes leave alone: random decisions of aa1942,
    which this row counted before, get faster themselves. A turn once took as long as 504 of them
    (499 plies, at 1.01 decisions a ply); the target is a third of that."""
    turns = GREEDY_GAMES * GREEDY_ROUNDS * len(load_facts(None).powers)
    play_one("aa1942", 0, "greedy", max_rounds=1)  # loads what it needs
    greedy = spent = 0.0
    steps = 0
    for seed in range(GREEDY_GAMES):
        begun = time.process_time()
        play_one("aa1942", seed, "greedy", max_rounds=GREEDY_ROUNDS)
        greedy += time.process_time() - begun
        more, length = _slice(play)
        steps, spent = steps + more, spent + length
    each = greedy / turns
    ratio = each * steps / spent
    return Row(
        f"a greedy turn of aa1942, {GREEDY_ROUNDS} rounds",
        f"{each * 1e3:.1f} ms",
        f"{spent / steps * 1e6:.0f} µs (chess ply)",
        ratio,
        "≤ 166",
        ratio <= 166,
    )


def _memory_row() -> Row:
    """What a process needs that plays one greedy game."""
    code = (
        "from sandtable.bots import play_one;"
        f"play_one('aa1942', 1, 'greedy', max_rounds={ROUNDS});"
        # Not ru_maxrss, which begins with what the parent had.
        "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    megabytes = int(done.stdout) / 1024
    return Row(
        f"memory of a greedy game of aa1942, {ROUNDS} rounds",
        f"{megabytes:.0f} MB",
        target="< 100 MB",
        met=megabytes < 100,
    )


def _landing_row(carriers: int, fighters: int) -> Row:
    """The longest of some refusals to end a phase in which fighters and carriers are all over the
    Pacific, and nearly all land is hostile: the work of the landing proof."""
    rng = random.Random(carriers)
    longest = 0.0
    for _ in range(20):
        game = _scattered(rng, carriers, fighters)
        begun = time.perf_counter()
        with contextlib.suppress(sandtable.IllegalDecision):
            game.pending[0].check(game.state, Done())
        longest = max(longest, time.perf_counter() - begun)
    return Row(
        f"landing proof, {carriers} scattered carriers, {fighters} fighters, longest of 20",
        f"{longest * 1e3:,.0f} ms",
        target="≤ 2 s",
        met=longest <= 2,
    )


def _scattered(rng: random.Random, carriers: int, fighters: int) -> sandtable.Game:
    zones = [f"sz{number}" for number in range(30, 66)]
    units: dict[str, dict[str, dict[str, list[dict[str, int]]]]] = {}
    ranges = {"aircraft_carrier": (0,), "fighter": (2, 3, 3, 4)}
    for type_, count in (("aircraft_carrier", carriers), ("fighter", fighters)):
        for _ in range(count):
            own = units.setdefault(rng.choice(zones), {}).setdefault("japan", {})
            own.setdefault(type_, []).append({"used": rng.choice(ranges[type_])})
    lands = load_facts(None).territories
    return sandtable.new(
        "aa1942",
        position={
            "base": "empty",
            "turn": "japan",
            "phase": "noncombat_move",
            "control": {land: "united_states" for land in lands if land != "japan"},
            "units": units,
        },
    )


def _world_row() -> Row:
    """Opening a game of Global War that has been played to its end, at random."""
    game, rng = sandtable.new("gw36", seed=5), random.Random(5)
    while game.pending and game.version < LONG:
        request = game.pending[0]
        game.submit(request.power, game.legal(request).sample(rng))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        game.save(path)
        opened = _best(lambda: sandtable.load(path), 1)
    return Row(
        f"opening a game of gw36, {game.version:,} entries",
        f"{opened * 1e3:.0f} ms",
        target="≤ 1 s",
        met=opened <= 1,
    )


def run() -> list[Row]:
    """The figures. The two kinds of play take turns, so that a busy machine slows both alike."""
    spare_the_collector()
    ours, theirs = RandomPlay("aa1942"), RandomChess()
    blitz = [RandomPlay("blitz", scenario=each) for each in SCENARIOS]
    world = [RandomPlay("gw36", scenario=each) for each in ("1936", "1939")]
    globe = [RandomPlay("gw75", scenario=each) for each in ("standard", "watermark")]
    spent: dict[object, list[tuple[int, float]]] = {
        "aa1942": [],
        "chess": [],
        "blitz": [],
        "gw36": [],
        "gw75": [],
    }
    for number in range(SLICES):
        spent["aa1942"].append(_slice(ours))
        spent["chess"].append(_slice(theirs))
        spent["blitz"].append(_slice(blitz[number % len(blitz)]))
        spent["gw36"].append(_slice(world[number % len(world)]))
        spent["gw75"].append(_slice(globe[number % len(globe)]))
    rates = {
        name: sum(steps for steps, _ in slices) / sum(time for _, time in slices)
        for name, slices in spent.items()
    }
    slowest = min(steps / time for steps, time in spent["blitz"])
    play_ratio = rates["aa1942"] / rates["chess"]
    blitz_ratio = rates["blitz"] / rates["aa1942"]
    world_ratio = rates["gw36"] / rates["aa1942"]
    globe_ratio = rates["gw75"] / rates["aa1942"]
    middle = sandtable.new("aa1942", seed=3)
    rng = random.Random(3)
    while middle.state.round < 6:
        request = middle.pending[0]
        middle.submit(request.power, middle.legal(request).sample(rng))
    board = chess.Board()
    for _ in range(40):
        board.push(rng.choice(list(board.legal_moves)))
    clone, copy = _best(middle.clone, 2000), _best(lambda: board.copy(stack=False), 2000)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        save, load = _best(lambda: middle.save(path), 3), _best(lambda: sandtable.load(path), 1)
        long, rng = sandtable.new("aa1942", seed=5), random.Random(5)
        while long.pending and long.version < LONG:
            request = long.pending[0]
            long.submit(request.power, long.legal(request).sample(rng))
        long.save(path)
        opened, replayed = (
            _best(lambda: sandtable.load(path), 3),
            _best(lambda: sandtable.replay(path), 1),
        )
    return [
        Row(
            "random play of aa1942",
            f"{rates['aa1942']:,.0f} decisions/s",
            f"{rates['chess']:,.0f} plies/s (chess)",
            play_ratio,
            "≥ 1.3",
            play_ratio >= 1.3,
        ),
        Row(
            f"random play of blitz, its scenarios in turn (slowest {slowest:,.0f}/s)",
            f"{rates['blitz']:,.0f} decisions/s",
            f"{rates['aa1942']:,.0f} decisions/s (aa1942)",
            blitz_ratio,
            "≥ 0.6",
            blitz_ratio >= 0.6,
        ),
        Row(
            "random play of gw36, its scenarios in turn",
            f"{rates['gw36']:,.0f} decisions/s",
            f"{rates['aa1942']:,.0f} decisions/s (aa1942)",
            world_ratio,
            "≥ 0.33",
            world_ratio >= 0.33,
        ),
        Row(
            "random play of gw75, its scenarios in turn",
            f"{rates['gw75']:,.0f} decisions/s",
            f"{rates['aa1942']:,.0f} decisions/s (aa1942)",
            globe_ratio,
            "≥ 0.33",
            globe_ratio >= 0.33,
        ),
        Row(
            "clone of a mid-game position",
            f"{clone * 1e6:.1f} µs",
            f"{copy * 1e6:.1f} µs (chess copy)",
            clone / copy,
            "≤ 20",
            clone / copy <= 20,
        ),
        _greedy_row(theirs),
        _memory_row(),
        _battle_row("aa1942", [ours]),
        _battle_row("blitz, its scenarios in turn", blitz),
        *(_landing_row(*size) for size in ((8, 18), (12, 28), (16, 32), (16, 40))),
        Row(f"save after {middle.version:,} entries", f"{save * 1e3:.0f} ms"),
        Row(f"load after {middle.version:,} entries", f"{load * 1e3:.0f} ms"),
        Row(
            f"opening a game of {long.version:,} entries",
            f"{opened * 1e3:.0f} ms",
            f"{replayed * 1e3:,.0f} ms (replay)",
            opened / replayed,
            "≤ 0.05",
            opened / replayed <= 0.05,
        ),
        _world_row(),
    ]
