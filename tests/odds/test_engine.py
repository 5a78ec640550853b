"""The exact odds against the game itself: every battle is played through its rules.

The usual run plays few games of each; SANDTABLE_FULL=1 plays 20,000.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sandtable import odds
from sandtable.games.aa1942.model import Unit
from sandtable.games.aa1942.odds import land, sea
from sandtable.games.aa1942.odds.book import AAA, SEABORNE, book
from sandtable.games.aa1942.odds.questions import Question, question
from sandtable.odds import compiled, exact
from sandtable.odds.result import Result
from tests.odds import engine
from tests.odds.cases import LANDINGS, PLAYED, Case
from tests.odds.engine import Player, Stop
from tests.odds.test_exact import read

GAMES = 20_000 if os.environ.get("SANDTABLE_FULL") else 250


def retreat_by_value(q: Question) -> Stop:
    """Where the rule "loss" retreats, looked up in the engine's own table."""
    kinds = book().kinds
    if q.sea:
        ours, theirs, _ = sea.fleets(q)
        left = ours.left(len(kinds), False), theirs.left(len(kinds), False)
        costs = np.array([book().cost[k] for k in kinds], float)
        values = [table @ costs for table in left]
        worth = (values[0] - values[0][0])[:, None] + (values[1][0] - values[1])[None, :]
        found = exact.fight_layers(ours, theirs, sides=6, rule=exact.VALUE, worth=worth)
        # A damaged battleship would make two states of the same units.
        assert "battleship" not in {**q.attack, **q.defend}
    else:
        line_a, line_d, flak = land.land_lines(q, q.attack)
        rule, _, worth_land, _ = land._retreat_rule(q, line_a, line_d, flak, False)
        found = exact.fight_line(
            line_a,
            line_d,
            sides=6,
            boosted=2,
            opening=flak,
            opening_value=1,
            rule=rule,
            worth=worth_land,
        )
        left = (
            np.concatenate([line_a.left(len(kinds), k) for k in range(flak + 1)]),
            line_d.left(len(kinds)),
        )
    assert found.worth is not None
    stops = found.worth > -1e299
    row = [{tuple(r): k for k, r in enumerate(table.tolist())} for table in left]

    def stop(a: Any, d: Any) -> bool:
        i, j = (row[n][tuple(side.get(kind, 0) for kind in kinds)] for n, side in enumerate((a, d)))
        return bool(stops[i, j])

    return stop


def agree(result: Result, games: list[engine.Left]) -> None:
    """All figures of the result within four standard errors of what was played."""
    n = len(games)
    types = [
        tuple(dict.fromkeys(kind.removesuffix(SEABORNE) for kind in names))
        for names in (result.attacker_types, result.defender_types)
    ]

    def merged(names: tuple[str, ...], counts: Any, wanted: tuple[str, ...]) -> Any:
        columns = [
            sum(counts[:, k] for k, name in enumerate(names) if name.removesuffix(SEABORNE) == kind)
            for kind in wanted
        ]
        return np.stack(columns, axis=1)

    exact_left = (
        merged(result.attacker_types, result.attacker, types[0]),
        merged(result.defender_types, result.defender, types[1]),
    )
    for side in (0, 1):
        played = np.array([[game[side][kind] for kind in types[side]] for game in games])
        for k, kind in enumerate(types[side]):
            mean = result.probability @ exact_left[side][:, k]
            spread = result.probability @ (exact_left[side][:, k] - mean) ** 2
            most = exact_left[side][:, k].max()
            if 0 < n * spread < 10 * most**2:
                continue  # too rare for a normal distribution of the mean
            error = np.sqrt(spread / n)
            assert abs(played[:, k].mean() - mean) <= 4 * error + 1e-9, (side, kind)
    # The joint distribution, end by end, where there is enough of it.
    chance: Counter[tuple[int, ...]] = Counter()
    for p, a, d in zip(result.probability, *exact_left, strict=True):
        chance[(*map(int, a), *map(int, d))] += float(p)
    seen = Counter((*(g[0][k] for k in types[0]), *(g[1][k] for k in types[1])) for g in games)
    assert set(seen) <= set(chance)
    for end, p in chance.items():
        if p * n >= 10:
            assert abs(seen[end] / n - p) <= 4 * np.sqrt(p * (1 - p) / n), end
    assert sum(chance.values()) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("case", PLAYED, ids=lambda c: f"{c[0]} - {c[1]} {c[2]}")
def test_battles_agree_with_the_rules(case: Case) -> None:
    attack, defend, options = case
    defend = defend.replace("aaa", AAA)
    q = question(read(attack), read(defend), **options)
    result = odds.battle("aa1942", read(attack), read(defend), **options)
    stop = retreat_by_value(q) if options.get("retreat") == "loss" else None
    player = Player(options, stop)
    begin = engine.start(q.attack, q.defend, sea=q.sea)
    agree(result, [engine.left(engine.play(begin, player, seed)) for seed in range(GAMES)])


@pytest.mark.parametrize("case", LANDINGS, ids=str)
def test_landings_agree_with_the_rules(case: dict[str, Any]) -> None:
    q = question(**case)
    result = odds.battle("aa1942", **case)
    loads = tuple(tuple(k for k, n in load.items() for _ in range(n)) for load in q.landing)
    player = Player({**case, "loads": loads})
    begin = engine.start(
        q.attack,
        q.defend,
        sea=False,
        landing=q.landing,
        fleet=q.fleet,
        fleet_defend=q.fleet_defend,
    )
    games = [engine.left(engine.play(begin, player, seed)) for seed in range(GAMES)]
    if q.fleet_defend is None:  # ships that only bombard are not part of the answer
        for game in games:
            for kind in ("transport", *(q.fleet or {})):
                if book().units[kind].domain == "sea":
                    del game[0][kind]
    agree(result, games)


@pytest.mark.parametrize(
    ("bombers", "escorts", "interceptors", "damage"),
    [(1, 0, 0, 0), (3, 0, 0, 5), (2, 1, 1, 0), (2, 2, 3, 9)],
)
def test_raids_agree_with_the_rules(
    bombers: int, escorts: int, interceptors: int, damage: int
) -> None:
    begin = engine.start({}, {}, sea=False)
    begin.complexes["russia"] = damage
    for kind, n, power, duty in (
        ("bomber", bombers, engine.ATTACKER, "raid"),
        ("fighter", escorts, engine.ATTACKER, "escort"),
        ("fighter", interceptors, engine.DEFENDER, "intercept"),
    ):
        if n:
            begin.put("russia", Unit(power, kind, used=3 * (duty != "intercept"), duty=duty), n)
    ipc = begin.facts.spaces["russia"].ipc
    raid = odds.raid(
        "aa1942", bombers, escorts=escorts, interceptors=interceptors, ipc=ipc, damage=damage
    )
    seen: Counter[tuple[int, ...]] = Counter()
    for seed in range(GAMES):
        s = engine.play(begin, Player({}), seed)
        ours, theirs = engine.left(s)
        done = s.complexes["russia"] - damage
        seen[ours["bomber"], ours["fighter"], theirs["fighter"], done] += 1
    table = np.stack((raid.bombers, raid.escorts, raid.interceptors, raid.damage), axis=1)
    chance = dict(zip(map(tuple, table.tolist()), raid.probability.tolist(), strict=True))
    assert set(seen) <= set(chance)
    for end, p in chance.items():
        if p * GAMES >= 10:
            assert abs(seen[end] / GAMES - p) <= 4 * np.sqrt(p * (1 - p) / GAMES), end
    mean = raid.probability @ raid.damage
    spread = raid.probability @ (raid.damage - mean) ** 2
    played = sum(end[3] * n for end, n in seen.items()) / GAMES
    assert abs(played - mean) <= 4 * np.sqrt(spread / GAMES)


def test_a_server_compiles_in_another_process_and_whoever_asks_meanwhile_waits(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun, done = threading.Event(), threading.Event()

    def elsewhere(module: str) -> bytes:
        begun.set()
        assert done.wait(60)
        return module.encode()

    monkeypatch.setenv("SANDTABLE_CACHE", str(tmp_path))
    monkeypatch.setattr(compiled, "_aside", threading.Event())
    monkeypatch.setattr(compiled, "_loaded", {})
    monkeypatch.setattr(compiled, "_compiled_aside", elsewhere)
    monkeypatch.setattr(compiled, "_load", lambda code: code)
    compiled.behind(["sandtable.odds.line"])
    assert begun.wait(60), "nobody has waited for it"
    threading.Timer(0.1, done.set).start()
    assert compiled.kernel("sandtable.odds.line") == b"sandtable.odds.line"
    (kept,) = tmp_path.glob("line-*.o")
    assert kept.read_bytes() == b"sandtable.odds.line"
