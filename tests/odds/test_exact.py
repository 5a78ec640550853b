"""The exact engine against exact fractions, and what every distribution has to satisfy."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable import odds
from sandtable.games.aa1942.odds.book import AAA, DAMAGE, SEABORNE, loss_order, order_key
from sandtable.odds.result import Result
from tests.odds import reference
from tests.odds.cases import PLAYED, SMALL_LAND, SMALL_SEA, Case
from tests.odds.reference import Ends, Side


def read(text: str) -> dict[str, int]:
    return {
        match[2]: int(match[1]) for match in re.finditer(r"(\d+) (\w+)", text)
    }  # the tests write full names only


def side(text: str, order: object, attacking: bool, keep_land: bool = False) -> Side:
    """A force as the reference has it."""
    force = read(text)
    units: list[str] = []
    for kind in loss_order(order_key(order or "cheapest"), attacking):  # type: ignore[arg-type]
        name = {AAA: "aaa", DAMAGE: "damage"}.get(kind, kind)
        source = "battleship" if kind == DAMAGE else name
        units += [name] * (0 if SEABORNE in kind else force.get(source, 0))
    if keep_land:
        last = max(k for k, unit in enumerate(units) if unit in reference.LAND)
        units.append(units.pop(last))
    return tuple(units)


def tally(units: Side, types: tuple[str, ...]) -> tuple[int, ...]:
    names = {AAA: ("aaa",), "submarine": ("submarine", "submerged")}
    return tuple(sum(u in names.get(kind, (kind,)) for u in units) for kind in types)


def expect(result: Result, ends: Ends) -> None:
    """The result has exactly these ends."""
    wanted: dict[tuple[tuple[int, ...], tuple[int, ...]], Fraction] = {}
    for (a, d), p in ends.items():
        key = (tally(a, result.attacker_types), tally(d, result.defender_types))
        wanted[key] = wanted.get(key, Fraction(0)) + p
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}
    for p, a, d in zip(result.probability, result.attacker, result.defender, strict=True):
        key = (tuple(map(int, a)), tuple(map(int, d)))
        found[key] = found.get(key, 0.0) + float(p)
    assert set(found) <= set(wanted)
    for key, p in wanted.items():
        assert found.get(key, 0.0) == pytest.approx(float(p), abs=1e-12), key
    assert sum(wanted.values()) == 1


def stop_rule(options: dict[str, object], sea: bool) -> dict[str, object]:
    rule = options.get("retreat")
    if rule == "air":
        return {"stop": lambda a, d: bool(a) and all(u in reference.AIR for u in a)}
    return {}


@pytest.mark.parametrize("case", SMALL_LAND, ids=lambda c: f"{c[0]} - {c[1]}")
def test_land_battles_are_exact(case: Case) -> None:
    attack, defend, options = case
    if str(options.get("retreat", "")).startswith("rounds"):
        pytest.skip("rounds are counted below")
    result = odds.battle("aa1942", attack, defend, **options)
    ours = side(attack, options.get("attack_order"), True, bool(options.get("keep_land")))
    theirs = side(defend, options.get("defend_order"), False)
    expect(result, reference.land_battle(ours, theirs, **stop_rule(options, False)))  # type: ignore[arg-type]


@pytest.mark.parametrize("case", SMALL_SEA, ids=lambda c: f"{c[0]} - {c[1]} {c[2]}")
def test_sea_battles_are_exact(case: Case) -> None:
    attack, defend, options = case
    if str(options.get("retreat", "")).startswith("rounds"):
        pytest.skip("rounds are counted below")
    result = odds.battle("aa1942", attack, defend, sea=True, **options)
    ends = reference.sea_battle(
        side(attack, options.get("attack_order"), True),
        side(defend, options.get("defend_order"), False),
        dive=(options.get("attack_subs", "strike"), options.get("defend_subs", "strike")),
        can_retreat=options.get("can_retreat", True),
        **stop_rule(options, True),
    )
    expect(result, ends)
