"""Best play against every choice tried out, in fractions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from sandtable import odds
from sandtable.games.aa1942.odds.book import book
from sandtable.odds import OddsError
from tests.odds import reference
from tests.odds.reference import Side
from tests.odds.test_exact import side

Worth = Callable[[Side, Side], Fraction]


def price(units: Side) -> int:
    prices = {**book().cost, "damage": 0, "aaa": 5}
    return sum(prices[u] for u in units)


def swing(attack: Side, defend: Side) -> Worth:
    def worth(a: Side, d: Side) -> Fraction:
        return Fraction(price(defend) - price(d) - price(attack) + price(a))

    return worth


def win(a: Side, d: Side) -> Fraction:
    return Fraction(int(reference.fighting(a) and not reference.fighting(d)))


def take(a: Side, d: Side) -> Fraction:
    return Fraction(int(bool(set(a) & reference.LAND) and not reference.fighting(d)))


def choices(units: Side, shots: list[str]) -> set[Side]:
    """What may be left: every largest set of losses that the rules allow."""
    fighting = [k for k, u in enumerate(units) if u != "transport"]
    best: set[Side] = set()
    most = -1
    for n in range(min(len(shots), len(fighting)), -1, -1):
        for lost in combinations(fighting, n):
            left = [u for k, u in enumerate(units) if k not in lost]
            if left.count("damage") > left.count("battleship"):
                continue  # a battleship sinks at its second hit
            if reference.matched([units[k] for k in lost], shots):
                most = n
                spare = len(shots) - n
                kept = [u for u in left if u != "transport"]
                cargo = ["transport"] * max(0, left.count("transport") - spare)
                best.add(tuple(sorted(kept + cargo)))
        if most >= 0:
            break
    return best


def best_land(attack: Side, defend: Side, worth: Worth, attacker: bool) -> Fraction:
    """The value to the attacker if one side chooses well and the other goes by its order."""

    def conclude(a: Side, d: Side) -> Fraction:
        return worth(a, d if reference.fighting(d) or not a else ())

    @cache
    def value(a: Side, d: Side) -> Fraction:
        if not a or not reference.fighting(d):
            return conclude(a, d)
        on = fight(a, d)
        return max(on, worth(a, d)) if attacker else on

    @cache
    def fight(a: Side, d: Side) -> Fraction:
        if not a:
            return conclude(a, d)
        total = same = Fraction(0)
        for x, p in reference.hits(reference.attack_values(a)).items():
            shots_d = ["any"] * x
            back = reference.hits(reference.defense_values(d))
            if attacker:
                hit = reference.suffer(d, shots_d)
                for y, q in back.items():
                    if (x, y) == (0, 0):
                        same = p * q
                        continue
                    options = choices(a, ["any"] * y)
                    total += p * q * max(value(left, hit) for left in options)
            else:
                # The defender chooses before it rolls.
                options = choices(d, shots_d)
                results = []
                for left in options:
                    mean = Fraction(0)
                    for y, q in back.items():
                        if (x, y) == (0, 0):
                            same = p * q
                            continue
                        mean += q * value(reference.suffer(a, ["any"] * y), left)
                    results.append(mean)
                total += p * min(results)
        on = total / (1 - same)
        return on

    planes = [u for u in attack if u in reference.AIR]
    dice = min(3 * defend.count("aaa"), len(planes))
    total = Fraction(0)
    for shot, p in reference.hits((1,) * dice).items():
        options = set()
        for lost in combinations([k for k, u in enumerate(attack) if u in reference.AIR], shot):
            options.add(tuple(u for k, u in enumerate(attack) if k not in lost))
            if not attacker:
                break  # by its order of loss
        total += p * max(fight(tuple(sorted(o)) if attacker else o, defend) for o in options)
    return total


LAND = [
    ("2 infantry, 1 tank", "2 infantry"),
    ("1 infantry, 1 artillery, 1 fighter", "2 infantry"),
    ("2 infantry, 1 fighter, 1 bomber", "1 infantry, 1 tank, 1 aaa"),
    ("1 tank, 2 fighter", "1 infantry, 1 artillery, 1 fighter"),
]


@pytest.mark.parametrize(("attack", "defend"), LAND)
@pytest.mark.parametrize("goal", ["win", "take", "swing"])
def test_the_attackers_best_play_on_land(attack: str, defend: str, goal: str) -> None:
    ours, theirs = side(attack, None, True), side(defend, None, False)
    worth = {"win": win, "take": take, "swing": swing(ours, theirs)}[goal]
    found = odds.best("aa1942", attack, defend, goal=goal)
    assert found.optimal
    wanted = best_land(tuple(sorted(ours)), theirs, worth, True)
    assert found.value == pytest.approx(float(wanted), abs=1e-10)
    assert found.gain >= -1e-12


@pytest.mark.parametrize(("attack", "defend"), LAND)
@pytest.mark.parametrize("goal", ["win", "take", "swing"])
def test_the_defenders_best_play_on_land(attack: str, defend: str, goal: str) -> None:
    ours, theirs = side(attack, None, True), side(defend, None, False)
    worth = {"win": win, "take": take, "swing": swing(ours, theirs)}[goal]
    found = odds.best("aa1942", attack, defend, goal=goal, side="defender")
    wanted = best_land(ours, tuple(sorted(theirs)), worth, False)
    assert found.value == pytest.approx(float(wanted), abs=1e-10)
    assert found.gain >= -1e-12


def best_sea(attack: Side, defend: Side, worth: Worth) -> Fraction:
    """The attacker chooses its losses and its retreat; nobody submerges."""

    def conclude(a: Side, d: Side) -> Fraction:
        if reference.fighting(a):
            d = tuple(u for u in d if u != "transport")
        return worth(a, d)

    def volleys(units: list[str], values: dict[str, int], helped: bool):  # type: ignore[no-untyped-def]
        groups: dict[str, list[int]] = {"sub": [], "air": [], "any": []}
        for unit in units:
            if unit in values:
                group = "sub" if unit == "submarine" else "any"
                groups["air" if unit in reference.AIR and not helped else group].append(
                    values[unit]
                )
        result = {(): Fraction(1)}
        for group, dice in groups.items():
            result = {
                had + (group,) * n: p * q
                for had, p in result.items()
                for n, q in reference.hits(tuple(dice)).items()
            }
        return result.items()

    @cache
    def start(a: Side, d: Side) -> Fraction:
        if reference.deadlocked(a, d):
            return conclude(a, d)
        return max(fight(a, d), worth(a, d))

    @cache
    def fight(a: Side, d: Side) -> Fraction:
        ours, theirs = "destroyer" in a, "destroyer" in d
        strike = [u for u in a if u == "submarine" and not theirs]
        lurk = [u for u in d if u == "submarine" and not ours]
        rest = same = Fraction(0)
        for x, p in volleys(strike, reference.ATTACK, False):
            d2 = reference.suffer(d, list(x))
            for y, q in volleys(lurk, reference.DEFENSE, False):
                options = choices(a, list(y))
                if options == {a} and d2 == d:
                    part, loop = mid(a, d, ours, theirs)
                    rest += p * q * part
                    same += p * q * loop
                else:
                    rest += p * q * max(whole(b, d2, ours, theirs) for b in options)
        return rest / (1 - same)

    @cache
    def whole(a: Side, d: Side, ours: bool, theirs: bool) -> Fraction:
        part, loop = mid(a, d, ours, theirs)
        return part + loop * start(a, d)

    @cache
    def mid(a: Side, d: Side, ours: bool, theirs: bool) -> tuple[Fraction, Fraction]:
        rest = same = Fraction(0)
        firing_a = [u for u in a if theirs or u != "submarine"]
        firing_d = [u for u in d if ours or u != "submarine"]
        for x, p in volleys(firing_a, reference.ATTACK, ours):
            d2 = reference.suffer(d, list(x))
            for y, q in volleys(firing_d, reference.DEFENSE, theirs):
                options = choices(a, list(y))
                if options == {a} and d2 == d:
                    same += p * q
                else:
                    rest += p * q * max(start(b, d2) for b in options)
        return rest, same

    return fight(attack, defend)


@pytest.mark.parametrize(
    ("attack", "defend"),
    [
        ("1 submarine, 1 destroyer, 1 fighter", "1 destroyer, 1 transport"),
        ("1 submarine, 1 cruiser, 1 fighter", "1 submarine, 1 cruiser"),
        ("1 battleship, 1 fighter", "1 battleship, 1 submarine"),
        ("2 fighter, 1 destroyer", "2 submarine, 1 transport"),
    ],
)
@pytest.mark.parametrize("goal", ["win", "swing"])
def test_the_attackers_best_play_at_sea(attack: str, defend: str, goal: str) -> None:
    ours, theirs = side(attack, None, True), side(defend, None, False)
    worth = {"win": win, "swing": swing(ours, theirs)}[goal]
    found = odds.best("aa1942", attack, defend, goal=goal)
    assert found.optimal
    wanted = best_sea(tuple(sorted(ours)), theirs, worth)
    assert found.value == pytest.approx(float(wanted), abs=1e-10)


def test_a_function_of_the_survivors_can_be_the_goal() -> None:
    def tanks(ours: dict[str, int], theirs: dict[str, int]) -> float:
        return float(ours.get("tank", 0))

    found = odds.best("aa1942", "3 infantry, 2 tank", "3 infantry", goal=tanks)
    result = odds.battle("aa1942", "3 infantry, 2 tank", "3 infantry")
    assert found.default == pytest.approx(result.expected_left()["tank"], abs=1e-9)
    assert found.value >= found.default - 1e-12
    assert found.table is not None
    # With the infantry gone and many enemies left, tanks are best saved by a retreat.
    assert found.table.retreat({"tank": 2}, {"infantry": 3})
    left = found.table.choose(
        [{"infantry": 2, "tank": 2}, {"infantry": 3, "tank": 1}], {"infantry": 3}
    )
    assert left == {"infantry": 2, "tank": 2}
    with pytest.raises(OddsError, match="does not occur"):
        found.table.worth({"tank": 5}, {"infantry": 3})


def test_what_is_out_of_reach_says_so_and_still_helps() -> None:
    found = odds.best(
        "aa1942", "40 infantry, 20 artillery, 20 tank, 10 fighter, 5 bomber",
        "50 infantry, 10 artillery, 10 tank, 8 fighter", goal="take",
    )  # fmt: skip
    assert not found.optimal
    assert "out of reach" in found.note
    assert found.order is not None
    assert found.gain >= 0


def test_landings_are_searched() -> None:
    found = odds.best(
        "aa1942", "2 infantry, 1 fighter", "3 infantry", landing="2 infantry", fleet="1 cruiser",
        goal="take",
    )  # fmt: skip
    assert not found.optimal
    assert found.gain >= 0


@pytest.mark.parametrize(
    ("options", "part"), [({"goal": "fun"}, "A goal is"), ({"side": "neutral"}, "side that plays")]
)
def test_bad_goals_are_refused(options: dict[str, str], part: str) -> None:
    with pytest.raises(OddsError, match=part):
        odds.best("aa1942", "1 infantry", "1 infantry", **options)
