"""The dice: repeatable, fair, and (the verified ones) bound by what was published before."""

from __future__ import annotations

import hashlib
from collections import Counter

import msgspec
import pytest

from sandtable import SaveError, SeededDice, VerifiedDice
from sandtable.kernel.dice import MOST_SIDES, ContinuedDice, Dice, dice_from_header


def chi_square(dice: Dice, sides: int, rolls: int, count: int) -> float:
    """The statistic over all faces, divided by its expectation: about 1 for fair dice."""
    seen = Counter[int]()
    for number in range(rolls):
        seen.update(dice.roll(number, count, sides))
    expected = rolls * count / sides
    return sum((seen[face] - expected) ** 2 / expected for face in range(1, sides + 1)) / (
        sides - 1
    )


ALL = [SeededDice(7), SeededDice(0), VerifiedDice("secret", ("a", "b"), "game")]


@pytest.mark.parametrize("dice", ALL)
@pytest.mark.parametrize(("sides", "bound"), [(6, 4.5), (12, 3.0), (20, 2.5), (100, 1.6)])
@pytest.mark.parametrize("count", [1, 30])
def test_every_face_is_equally_likely(dice: Dice, sides: int, bound: float, count: int) -> None:
    # The bounds leave about one seed in a thousand outside; these seeds are fixed.
    assert chi_square(dice, sides, 24_000 // count, count) < bound


@pytest.mark.parametrize("dice", ALL)
@pytest.mark.parametrize("sides", [2, 3, 6, 12, 20, 100, 255, 256])
def test_all_faces_come_up_and_no_others(dice: Dice, sides: int) -> None:
    assert set(dice.roll(0, 40 * sides, sides)) == set(range(1, sides + 1))


def test_the_incomplete_block_of_bytes_is_rejected() -> None:
    """Without rejection the faces 1 to 56 of 200 would come up twice as often."""
    faces = Counter(VerifiedDice("secret").roll(0, 20_000, 200))
    low = sum(faces[face] for face in range(1, 57)) / 20_000
    assert abs(low - 56 / 200) < 0.02
    assert MOST_SIDES == 256


@pytest.mark.parametrize("dice", ALL)
def test_two_dice_of_a_roll_are_independent(dice: Dice) -> None:
    pairs = Counter(dice.roll(number, 2, 6) for number in range(18_000))
    assert sum((pairs[i, j] - 500) ** 2 / 500 for i in range(1, 7) for j in range(1, 7)) < 80


@pytest.mark.parametrize("dice", ALL)
def test_the_same_roll_again_is_the_same(dice: Dice) -> None:
    assert dice.roll(5, 10, 6) == dice.roll(5, 10, 6)
    assert dice.roll(5, 3, 6) == dice.roll(5, 10, 6)[:3]
    assert dice.roll(5, 50, 6) != dice.roll(6, 50, 6)
    assert len(dice.roll(0, 500, 6)) == 500
    assert dice.roll(0, 0, 6) == ()


def test_seeds_differ() -> None:
    assert len({SeededDice(seed).roll(0, 20, 6) for seed in range(1000)}) == 1000


def test_neighbouring_seeds_share_no_dice() -> None:
    """Long rolls use several words: none of them may be a word of the next seed."""
    words = [SeededDice(seed).roll(0, 96, 6) for seed in range(50)]
    parts = [faces[at : at + 24] for faces in words for at in range(0, 96, 24)]
    assert len(set(parts)) == len(parts)


@pytest.mark.parametrize(("sides", "last"), [(6, 23), (12, 16), (20, 13)])
def test_the_last_die_of_a_word_is_fair_too(sides: int, last: int) -> None:
    """It would favour low faces if the incomplete block of words were not rejected."""
    faces = Counter(SeededDice(7).roll(number, last + 1, sides)[last] for number in range(6000))
    expected = 6000 / sides
    squares = sum((faces[face] - expected) ** 2 / expected for face in range(1, sides + 1))
    assert squares / (sides - 1) < 3.5


def test_neighbouring_rolls_share_no_dice() -> None:
    parts = [SeededDice(3).roll(n, 96, 6)[at : at + 24] for n in range(50) for at in (0, 24, 48)]
    assert len(set(parts)) == len(parts)


# --- verified dice -------------------------------------------------------------------------


def test_fresh_secrets_differ() -> None:
    one, two = VerifiedDice.fresh(("x",)), VerifiedDice.fresh(("x",))
    assert one.secret != two.secret
    assert one.game != two.game
    assert one.entropy == ("x",)
    assert len(bytes.fromhex(one.secret)) == 32


def test_the_commitment_can_be_checked_with_any_tool() -> None:
    dice = VerifiedDice("secret", ("a",), "game")
    assert dice.commitment == hashlib.sha256(b'["secret","game"]').hexdigest()


def test_the_commitment_covers_secret_and_game_but_not_what_players_add() -> None:
    dice = VerifiedDice("secret", ("a",), "game")
    replace = msgspec.structs.replace
    assert replace(dice, secret="other").commitment != dice.commitment
    assert replace(dice, game="other").commitment != dice.commitment
    assert replace(dice, entropy=("b",)).commitment == dice.commitment


@pytest.mark.parametrize(
    "other",
    [
        VerifiedDice("other", ("a", "b"), "game"),
        VerifiedDice("secret", ("a", "c"), "game"),
        VerifiedDice("secret", ("b", "a"), "game"),
        VerifiedDice("secret", ("a",), "game"),
        VerifiedDice("secret", ("a", "b", ""), "game"),
        VerifiedDice("secret", ("a|b",), "game"),
        VerifiedDice("secret", ("ab",), "game"),
        VerifiedDice("secret", ('a","b',), "game"),
        VerifiedDice("secret", ("a", "b"), "games"),
        VerifiedDice("secret", ("a",), "b|game"),
    ],
)
def test_everything_that_goes_in_changes_the_dice(other: VerifiedDice) -> None:
    assert other.roll(0, 40, 6) != VerifiedDice("secret", ("a", "b"), "game").roll(0, 40, 6)


# --- headers -------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", ALL)
def test_dice_come_back_from_their_header(dice: Dice) -> None:
    assert dice_from_header(msgspec.json.decode(msgspec.json.encode(dice.header()))) == dice


@pytest.mark.parametrize(
    "header",
    [
        None,
        [],
        {},
        {"kind": "loaded"},
        {"kind": "seeded"},
        {"kind": "seeded", "seed": "7"},
        {"kind": "verified"},
        {**VerifiedDice("s").header(), "secret": "t"},
        {**VerifiedDice("s").header(), "game": "t"},
        {**VerifiedDice("s").header(), "commitment": None},
        {**VerifiedDice("s").header(), "entropy": [1]},
        {**VerifiedDice("s").header(), "before": 3},
        {**VerifiedDice("s").header(), "before": [{"rolls": 3}]},
        {**VerifiedDice("s").header(), "before": [{"rolls": "3", "dice": SeededDice(1).header()}]},
        {**VerifiedDice("s").header(), "before": [{"rolls": 3, "dice": {"kind": "verified"}}]},
        {**SeededDice(1).header(), "before": [{"rolls": 3, "dice": SeededDice(1).header()}]},
    ],
)
def test_a_damaged_header_is_a_save_error(header: object) -> None:
    with pytest.raises(SaveError):
        dice_from_header(header)


# --- going on with other dice --------------------------------------------------------------


def test_a_game_that_goes_on_has_the_old_dice_before_and_the_new_ones_after() -> None:
    old, second, third = SeededDice(1), VerifiedDice("two"), VerifiedDice("three")
    once = ContinuedDice.after(old, 3, second)
    twice = ContinuedDice.after(once, 5, third)
    assert [once.roll(n, 9, 6) for n in range(9)] == [
        (old if n < 3 else second).roll(n, 9, 6) for n in range(9)
    ]
    assert [twice.roll(n, 9, 6) for n in range(9)] == [
        (once if n < 5 else third).roll(n, 9, 6) for n in range(9)
    ]
    assert dice_from_header(msgspec.json.decode(msgspec.json.encode(twice.header()))) == twice
    assert twice.header()["commitment"] == third.commitment
