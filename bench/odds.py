"""Exact odds of five battles, against Monte Carlo and against the game's own rules.

Every figure is the time of a whole call of `odds.battle`, from the forces as mappings to the
chance to win, on one core, with the compiled code loaded. Its baseline are 2,000 runs of the same
battle: fought die by die in Numba, and through the rules (100 of them, times 20).
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from bench.rows import Row
from sandtable import odds
from sandtable.games.aa1942.odds import land, sea
from sandtable.games.aa1942.odds.book import book, force
from sandtable.games.aa1942.odds.questions import question
from sandtable.odds import exact
from tests.odds import engine

BATTLES: dict[str, tuple[str, str, float]] = {
    "small_land": (
        "3 infantry, 1 artillery, 2 tank, 1 fighter",
        "4 infantry, 1 artillery, 1 aaa",
        0.1,
    ),
    "mid_land": (
        "10 infantry, 5 artillery, 5 tank, 3 fighter, 2 bomber",
        "12 infantry, 3 artillery, 3 tank, 2 aaa, 2 fighter",
        1.0,
    ),
    "small_sea": (
        "2 submarine, 1 destroyer, 1 carrier, 2 fighter",
        "1 battleship, 1 cruiser, 2 destroyer, 1 transport",
        1.0,
    ),
    "big_land": (
        "40 infantry, 20 artillery, 20 tank, 10 fighter, 5 bomber",
        "50 infantry, 10 artillery, 10 tank, 8 fighter",
        10.0,
    ),
    "big_sea": (
        "6 submarine, 4 destroyer, 2 cruiser, 2 battleship, 3 carrier, 6 fighter",
        "4 submarine, 5 destroyer, 2 cruiser, 2 battleship, 2 carrier, 4 fighter, 3 transport",
        20.0,
    ),
}
RUNS = 2000
PLAYED = 100
MANY = 10_000


def best_of(work: Callable[[], Any], seconds: float = 0.5) -> float:
    """The shortest time of a call, in milliseconds: what it takes when nothing else runs."""
    best = float("inf")
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        begun = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begun)
    return 1000 * best


def monte_carlo(attack: str, defend: str) -> Callable[[], Any]:
    """2,000 runs in Numba."""
    q = question(attack, defend)
    if q.sea:
        ours, theirs, _ = sea.fleets(q)
        return lambda: exact.sample_layers(ours, theirs, RUNS, 1, sides=6)
    line_a, line_d, flak = land.land_lines(q, q.attack)
    return lambda: exact.sample_line(
        line_a, line_d, RUNS, 1, sides=6, boosted=2, opening=flak, opening_value=1
    )


def through_the_rules(attack: str, defend: str) -> float:
    """2,000 runs through the game's rules, in milliseconds, from fewer."""
    q = question(attack, defend)
    begin = engine.start(q.attack, q.defend, sea=q.sea)
    player = engine.Player({})
    begun = time.process_time()
    for seed in range(PLAYED):
        engine.play(begin, player, seed)
    return 1000 * (time.process_time() - begun) * RUNS / PLAYED


def assorted(number: int) -> list[dict[str, Any]]:
    """Battles as they come up in a game: two on land for each at sea."""
    rng = random.Random(1)

    def some(kinds: dict[str, int], least: int, most: int) -> dict[str, int]:
        drawn = rng.choices(list(kinds), list(kinds.values()), k=rng.randint(least, most))
        return {kind: drawn.count(kind) for kind in sorted(set(drawn))}

    land_a = {"infantry": 4, "artillery": 2, "tank": 2, "fighter": 1, "bomber": 1}
    land_d = {"infantry": 5, "artillery": 1, "tank": 1, "fighter": 1, "antiaircraft_artillery": 1}
    sea_a = dict.fromkeys(
        ("submarine", "destroyer", "cruiser", "fighter", "aircraft_carrier", "battleship"), 1
    )
    sea_d = dict.fromkeys(("submarine", "destroyer", "cruiser", "transport", "battleship"), 1)
    questions: list[dict[str, Any]] = []
    for k in range(number):
        if k % 3:
            questions.append({"attack": some(land_a, 2, 12), "defend": some(land_d, 1, 10)})
        else:
            questions.append(
                {"attack": some(sea_a, 1, 6), "defend": some(sea_d, 1, 5), "sea": True}
            )
    return questions


def second_start() -> float:
    """A whole run of the command in a new process, in milliseconds."""
    command = [
        sys.executable, "-m", "sandtable", "odds",
        "aa1942", "--attack", BATTLES["mid_land"][0], "--defend", BATTLES["mid_land"][1],
    ]  # fmt: skip
    # As on an ordinary machine: Python keeps the bytecode of what it has imported once.
    ordinary = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    times = []
    for _ in range(5):
        begun = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=ordinary)
        times.append(time.perf_counter() - begun)
    return 1000 * min(times)


def first_compilation() -> float:
    """The same with nothing compiled, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        script = "from sandtable import odds; odds.battle('aa1942', '1 infantry', '1 infantry')"
        begun = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", script],
            check=True,
            env={**os.environ, "SANDTABLE_CACHE": folder},
        )
        return 1000 * (time.perf_counter() - begun)


def global_war() -> Row:
    """A battle of Global War, 12 units against 10, through the game's rules of casualties."""
    attack = "5 infantry, 2 artillery, 2 medium_armor, 2 fighter, 1 tactical_bomber"
    defend = "6 infantry, 1 artillery, 1 anti_aircraft_artillery, 1 fighter, 1 medium_armor"
    spent = best_of(lambda: odds.battle("gw36", attack, defend), 3.0)
    return Row("odds: gw36, 12 against 10", f"{spent:.0f} ms", "", None, "1,000 ms", spent <= 1000)


def hexes() -> list[Row]:
    """Attacks of Global War (1975), on land and at sea, through the game's rules of combat."""
    rows = []
    for name, attack, defend, most in (
        ("16 against 10", "8 inf, 2 mech / 6 inf", "8 inf, 2 fort", 50),
        ("fleets in two segments", "2 surf_a, 2 surf_b", "1 surf_a, 2 surf_b", 1000),
    ):
        ask = partial(odds.battle, "gw75", attack, defend)
        spent = best_of(ask, 3.0)
        figure, wanted = f"{spent:.0f} ms", f"{most:,} ms"
        rows.append(Row(f"odds: gw75, {name}", figure, "", None, wanted, spent <= most))
    return rows


def run() -> list[Row]:
    """All figures."""
    rows = []
    for name, (attack, defend, target) in BATTLES.items():
        ours, theirs = force(book(), attack), force(book(), defend, "defender")

        def ask(ours: Any = ours, theirs: Any = theirs) -> float:
            return odds.battle("aa1942", ours, theirs).attacker_wins

        ask()
        spent = best_of(ask)
        chance = best_of(monte_carlo(attack, defend))
        rules = through_the_rules(attack, defend)
        figure, wanted = f"{spent:.3f} ms", f"under {target:g} ms"
        rows.append(
            Row(
                f"odds: {name}",
                figure,
                f"2,000 Monte Carlo {chance:.2f} ms",
                spent / chance,
                wanted,
                spent < target,
            )
        )
        rows.append(
            Row(f"odds: {name}", figure, f"2,000 by the rules {rules:.0f} ms", spent / rules)
        )
    rows += [global_war(), *hexes()]
    questions = assorted(MANY)
    odds.battles("aa1942", questions[:300])
    times = []
    for _ in range(5):
        begun = time.perf_counter()
        odds.battles("aa1942", questions)
        times.append(time.perf_counter() - begun)
    per_second = MANY / min(times)
    rows.append(
        Row(
            "odds: 10,000 assorted battles",
            f"{per_second:,.0f} a second",
            "",
            None,
            "20,000 a second on two cores",
            per_second >= 20_000,
        )
    )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rows.append(Row("odds: memory", f"{memory:.0f} MB", "", None, "under 500 MB", memory < 500))
    start = second_start()
    rows.append(
        Row("odds: command, second start", f"{start:.0f} ms", "", None, "500 ms", start <= 500)
    )
    rows.append(Row("odds: first start, compiling", f"{first_compilation() / 1000:.1f} s"))
    return rows
