"""The exact engine against exact fractions, and what every distribution has to satisfy."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable import odds
from sandtable.games.aa1942.odds import sea
from sandtable.games.aa1942.odds.book import AAA, DAMAGE, SEABORNE, book, loss_order, order_key
from sandtable.odds import exact
from sandtable.odds.result import RETREAT, Result
from tests.odds import reference
from tests.odds.cases import LANDINGS, PLAYED, SMALL_LAND, SMALL_SEA, Case
from tests.odds.reference import Ends, Side


def read(text: str) -> dict[str, int]:
    """Full names only."""
    return {match[2]: int(match[1]) for match in re.finditer(r"(\d+) (\w+)", text)}


def side(text: str, order: Any, attacking: bool, keep_land: bool = False) -> Side:
    """A force as the reference has it."""
    force = read(text)
    units: list[str] = []
    for kind in loss_order(book(), order_key(order or "cheapest"), attacking):
        name = {AAA: "aaa", DAMAGE: "damage"}.get(kind, kind)
        source = "battleship" if kind == DAMAGE else name
        units += [name] * (0 if SEABORNE in kind else force.get(source, 0))
    if keep_land:
        last = max(k for k, unit in enumerate(units) if unit in reference.LAND)
        units.append(units.pop(last))
    return tuple(units)


def tally(units: Side, types: tuple[str, ...]) -> tuple[int, ...]:
    names = {AAA: ("aaa",), "submarine": ("submarine", "submerged")}
    for land in reference.LAND:
        names[land + SEABORNE] = (land + "*",)
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
    assert sum(wanted.values()) == 1
    assert set(found) <= set(wanted)
    for key, p in wanted.items():
        assert found.get(key, 0.0) == pytest.approx(float(p), abs=1e-12), key


def rule_of(options: dict[str, Any]) -> dict[str, Any]:
    rule = str(options.get("retreat", "never"))
    if rule == "air":
        return {"stop": lambda a, d: bool(a) and all(u in reference.AIR for u in a)}
    return {"limit": int(rule.split(":")[1])} if rule.startswith("rounds") else {}


@pytest.mark.rule(
    "aa1942:combat.general.sequence", "aa1942:unit.artillery.support", "aa1942:unit.aaa.fire.dice"
)
@pytest.mark.parametrize("case", SMALL_LAND, ids=lambda c: f"{c[0]} - {c[1]} {c[2]}")
def test_land_battles_are_exact(case: Case) -> None:
    attack, defend, options = case
    result = odds.battle("aa1942", attack, defend, **options)
    ours = side(attack, options.get("attack_order"), True, options.get("keep_land", False))
    theirs = side(defend, options.get("defend_order"), False)
    expect(result, reference.land_battle(ours, theirs, **rule_of(options)))


@pytest.mark.rule(
    "aa1942:combat.fire.max-hits",
    "aa1942:unit.destroyer.cancel",
    "aa1942:combat.sub.strike.casualty-removal",
    "aa1942:unit.battleship.two-hits",
    "aa1942:combat.transports.stalemate",
)
@pytest.mark.parametrize("case", SMALL_SEA, ids=lambda c: f"{c[0]} - {c[1]} {c[2]}")
def test_sea_battles_are_exact(case: Case) -> None:
    attack, defend, options = case
    result = odds.battle("aa1942", attack, defend, sea=True, **options)
    ends = reference.sea_battle(
        side(attack, options.get("attack_order"), True),
        side(defend, options.get("defend_order"), False),
        dive=(options.get("attack_subs", "strike"), options.get("defend_subs", "strike")),
        can_retreat=options.get("can_retreat", True),
        **rule_of(options),
    )
    expect(result, ends)


@pytest.mark.rule("aa1942:amphib.bombard.casualties-fire", "aa1942:amphib.bombard.limit")
@pytest.mark.parametrize(
    ("overland", "landing", "fleet", "guns"),
    [
        ("", "1 infantry", "1 battleship, 1 cruiser", (4,)),
        ("1 fighter", "2 infantry", "1 battleship, 1 cruiser", (4, 3)),
        ("1 tank", "1 infantry, 1 tank", "2 cruiser, 1 destroyer", (3, 3)),
    ],
)
def test_bombardment_is_exact(
    overland: str, landing: str, fleet: str, guns: tuple[int, ...]
) -> None:
    result = odds.battle("aa1942", overland, "2 infantry, 1 aaa", landing=landing, fleet=fleet)
    order = loss_order(book(), "cheapest", True)
    force = {**read(overland), **{k + SEABORNE: n for k, n in read(landing).items()}}
    ours = tuple(kind.replace(SEABORNE, "*") for kind in order for _ in range(force.get(kind, 0)))
    ends = reference.land_battle(ours, ("aaa", "infantry", "infantry"), bombard=guns)
    expect(result, ends)


@pytest.mark.rule("aa1942:amphib.land.retreat-together", "aa1942:amphib.land.seaborne-no-retreat")
def test_landed_units_fight_on_after_a_retreat() -> None:
    """One round together; then infantry and fighter leave and the landed infantry stays."""
    result = odds.battle(
        "aa1942", "1 infantry, 1 fighter", "2 infantry", landing="2 infantry", fleet="1 destroyer",
        retreat=1,
    )  # fmt: skip
    ours = ("infantry*", "infantry*", "infantry", "fighter")
    first = reference.land_battle(ours, ("infantry",) * 2, limit=1)
    ends: Ends = {}
    for (a, d), p in first.items():
        stay = tuple(u for u in a if u.endswith("*"))
        away = tuple(u for u in a if not u.endswith("*"))
        if not a or not d or not stay:
            parts: Ends = {(a, d): Fraction(1)}
        else:
            on = reference.land_battle(stay, d)
            parts = {(away + x, y): q for (x, y), q in on.items()}
        for key, q in parts.items():
            ends[key] = ends.get(key, Fraction(0)) + p * q
    expect(result, ends)
    assert result.retreats > 0


@pytest.mark.rule("aa1942:amphib.land.condition", "aa1942:amphib.land.failed-sea")
def test_a_landing_with_a_sea_battle_is_exact() -> None:
    result = odds.battle(
        "aa1942", "1 tank", "1 infantry", landing="1 infantry, 1 artillery",
        fleet="1 cruiser, 1 transport", fleet_defend="1 destroyer, 1 submarine",
    )  # fmt: skip
    at_sea = reference.sea_battle(
        ("cruiser", "transport"), ("submarine", "destroyer"), can_retreat=True
    )
    ends: Ends = {}
    for (a, d), p in at_sea.items():
        landed: tuple[str, ...] = ()
        aboard: tuple[str, ...] = ()
        if "transport" in a:
            cargo = ("infantry*", "artillery*")
            landed, aboard = (cargo, ()) if not d else ((), cargo)
        ours = tuple(u for u in ("infantry*", "artillery*", "tank") if u in (*landed, "tank"))
        for (x, y), q in reference.land_battle(ours, ("infantry",)).items():
            key = (a + x + aboard, d + y)
            ends[key] = ends.get(key, Fraction(0)) + p * q
    expect(result, ends)


@pytest.mark.rule("aa1942:combat.sub.submerge.effect")
@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize(
    ("attack", "defend", "how"),
    [
        ("2 submarine, 1 cruiser", "1 cruiser, 1 battleship, 1 transport", "attack_subs"),
        ("2 cruiser", "2 submarine, 1 cruiser", "defend_subs"),
        ("2 destroyer, 1 fighter", "2 submarine, 1 destroyer", "defend_subs"),
    ],
)
def test_submarines_can_submerge_from_a_round_on(
    attack: str, defend: str, how: str, number: int
) -> None:
    """So many rounds less one are fought with strikes, all further ones as they submerge."""
    result = odds.battle("aa1942", attack, defend, **{how: f"submerge:{number}"})
    now: Ends = {(side(attack, None, True), side(defend, None, False)): Fraction(1)}
    for _ in range(number - 1):
        after: Ends = {}
        for (a, d), p in now.items():
            for key, q in reference.sea_battle(a, d, limit=1).items():
                after[key] = after.get(key, Fraction(0)) + p * q
        now = after
    dive = ("submerge", "strike") if how == "attack_subs" else ("strike", "submerge")
    ends: Ends = {}
    for (a, d), p in now.items():
        for key, q in reference.sea_battle(a, d, dive=dive).items():
            ends[key] = ends.get(key, Fraction(0)) + p * q
    expect(result, ends)
    drawn = odds.adapter("aa1942").question(attack, defend, **{how: f"submerge:{number}"})
    assert sampled(drawn) == pytest.approx(result.attacker_wins, abs=0.02)


def sampled(question: Any) -> float:
    """The attacker's chance in battles fought at random."""
    ours, theirs, leave = sea.fleets(question)
    i, j, _ = exact.sample_layers(ours, theirs, 20_000, 1, sides=6, leave=leave)
    kinds = ours.kinds(leave[0] > 0), theirs.kinds(leave[1] > 0)
    return float(((kinds[0][i] > 0) & (kinds[1][j] == 0)).mean())


def test_who_submerges_when_is_told() -> None:
    for wrong in ("submerge:0", "submerge:91", "sink", "submerge:x"):
        with pytest.raises(odds.OddsError, match="Submarines"):
            odds.battle("aa1942", "1 ss", "1 dd", attack_subs=wrong)
    with pytest.raises(odds.OddsError, match="retreat by value"):
        odds.battle("aa1942", "1 ss", "1 dd", attack_subs="submerge:2", retreat="loss")


@pytest.mark.rule("aa1942:amphib.land.failed-sea")
def test_the_others_can_retreat_when_nobody_lands() -> None:
    """One round has to be fought; if somebody has landed, only aircraft break off."""
    result = odds.battle(
        "aa1942", "1 tank, 1 fighter", "2 infantry", landing="1 infantry", retreat="landing",
        fleet="1 cruiser, 1 transport", fleet_defend="1 destroyer",
    )  # fmt: skip
    ends: Ends = {}
    for (a, d), p in reference.sea_battle(("cruiser", "transport"), ("destroyer",)).items():
        lands = "transport" in a and not d
        ours = ("infantry*", "tank", "fighter") if lands else ("tank", "fighter")
        aboard = () if lands or "transport" not in a else ("infantry*",)
        rule: Any = {"limit": 1} if not lands else {"stop": lambda x, _: set(x) <= reference.AIR}
        for (x, y), q in reference.land_battle(ours, ("infantry",) * 2, **rule).items():
            key = (a + x + aboard, d + y)
            ends[key] = ends.get(key, Fraction(0)) + p * q
    expect(result, ends)
    with pytest.raises(odds.OddsError, match="Nobody lands"):
        odds.battle("aa1942", "1 tank", "1 infantry", retreat="landing")


LAND_UNITS = ("infantry", "artillery", "tank", "fighter", "bomber")
SHIPS = ("submarine", "destroyer", "cruiser", "battleship", "aircraft_carrier", "fighter")


def forces(kinds: tuple[str, ...], most: int) -> st.SearchStrategy[dict[str, int]]:
    return st.lists(st.sampled_from(kinds), min_size=1, max_size=most).map(
        lambda units: {kind: units.count(kind) for kind in dict.fromkeys(units)}
    )


def words(force: dict[str, int]) -> str:
    return ", ".join(f"{n} {kind}" for kind, n in force.items())


@settings(max_examples=40, deadline=None)
@given(forces(LAND_UNITS, 4), forces((*LAND_UNITS, AAA), 4), st.permutations(LAND_UNITS))
def test_any_small_land_battle_is_exact(
    attack: dict[str, int], defend: dict[str, int], order: list[str]
) -> None:
    result = odds.battle("aa1942", attack, defend, attack_order=order, defend_order=order)
    theirs = words(defend).replace(AAA, "aaa")
    ours = side(words(attack), order, True)
    expect(result, reference.land_battle(ours, side(theirs, order, False)))


@settings(max_examples=60, deadline=None)
@given(
    forces((*SHIPS, "bomber", "transport"), 4),
    forces((*SHIPS, "transport"), 4),
    st.permutations(SHIPS),
    st.permutations(SHIPS),
    st.sampled_from(["strike", "submerge", "last"]),
    st.sampled_from(["strike", "submerge", "last"]),
    st.booleans(),
)
def test_any_small_sea_battle_is_exact(
    attack: dict[str, int],
    defend: dict[str, int],
    first: list[str],
    second: list[str],
    dive: str,
    lurk: str,
    can_retreat: bool,
) -> None:
    if set(attack) == {"transport"}:
        attack = {**attack, "cruiser": 1}
    options = {"attack_order": first, "defend_order": second, "can_retreat": can_retreat}
    result = odds.battle(
        "aa1942", attack, defend, sea=True, attack_subs=dive, defend_subs=lurk, **options
    )
    ends = reference.sea_battle(
        side(words(attack), first, True), side(words(defend), second, False),
        dive=(dive, lurk), can_retreat=can_retreat,
    )  # fmt: skip
    expect(result, ends)


@pytest.mark.rule("aa1942:combat.fire.max-hits", "aa1942:combat.casualty.transport-last")
def test_the_reference_assigns_as_the_rules_demand() -> None:
    """The two examples of the rulebook, and every choice of a small fleet tried out."""
    left = reference.suffer(("destroyer", "aircraft_carrier", "fighter"), ["any", "sub", "sub"])
    assert left == ()
    assert reference.suffer(("destroyer", "fighter"), ["any", "sub"]) == ()
    units = ("fighter", "submarine", "destroyer", "fighter", "transport")
    for shots in product(("any", "sub", "air"), repeat=3):
        lost = len(units) - len(reference.suffer(units, list(shots)))
        most = max(
            sum(use)
            for use in product((0, 1), repeat=len(units))
            if reference.matched([u for u, x in zip(units, use, strict=True) if x], list(shots))
        )
        assert lost == most, shots


@pytest.mark.parametrize("case", PLAYED, ids=lambda c: f"{c[0]} - {c[1]} {c[2]}")
def test_probabilities_sum_to_one(case: Case) -> None:
    result = odds.battle("aa1942", case[0], case[1], **case[2])
    assert abs(result.probability.sum() - 1) < 1e-9
    assert (result.probability > 0).all()
    total = result.attacker_wins + result.defender_wins + result.draw
    assert abs(total - 1) < 1e-9
    assert abs(result.rounds_distribution.sum() - 1) < 1e-9
    counted = np.arange(len(result.rounds_distribution)) @ result.rounds_distribution
    assert counted == pytest.approx(result.rounds, abs=1e-7)


@pytest.mark.parametrize("case", LANDINGS, ids=str)
def test_probabilities_of_landings_sum_to_one(case: dict[str, Any]) -> None:
    assert abs(odds.battle("aa1942", **case).probability.sum() - 1) < 1e-9


@pytest.mark.parametrize("case", PLAYED, ids=lambda c: f"{c[0]} - {c[1]} {c[2]}")
def test_figures_follow_from_the_distribution(case: Case) -> None:
    """The kernels add up wins and losses themselves: they must be those of the ends."""
    result = odds.battle("aa1942", case[0], case[1], **case[2])
    again = Result(
        attacker=result.attacker_start, defender=result.defender_start,
        attacker_types=result.attacker_types, defender_types=result.defender_types,
        cost=result.cost, expand=lambda: result.distribution,
    )  # fmt: skip
    for name in ("attacker_wins", "defender_wins", "draw", "retreats", "takes_territory",
                 "attacker_loss", "defender_loss"):  # fmt: skip
        assert getattr(again, name) == pytest.approx(getattr(result, name), abs=1e-9), name


def test_a_function_can_tell_when_to_retreat() -> None:
    """The rule "air", written as a function, is the same."""
    for attack, defend in (
        ("3 infantry, 2 fighter", "4 infantry"),
        ("2 destroyer, 2 fighter", "2 destroyer, 1 cruiser"),
    ):
        by_name = odds.battle("aa1942", attack, defend, retreat="air")
        by_rule = odds.battle(
            "aa1942", attack, defend, retreat=lambda a, d: bool(a) and set(a) <= reference.AIR
        )
        assert by_rule.retreats == pytest.approx(by_name.retreats, abs=1e-12)
        assert by_rule.swing == pytest.approx(by_name.swing, abs=1e-9)
        assert by_rule.retreats > 0


@pytest.mark.parametrize(
    ("attack", "defend"),
    [("4 infantry, 1 tank", "4 infantry, 1 tank"), ("2 destroyer, 1 cruiser", "3 destroyer")],
)
def test_retreat_by_value_is_the_best_retreat(attack: str, defend: str) -> None:
    """No rule of rounds does better, and neither does never."""
    best = odds.battle("aa1942", attack, defend, retreat="loss").swing
    for other in ("never", "air", *range(1, 8)):
        assert odds.battle("aa1942", attack, defend, retreat=other).swing <= best + 1e-9
    assert (
        odds.battle("aa1942", attack, defend, retreat="loss").distribution.ending == RETREAT
    ).any()
