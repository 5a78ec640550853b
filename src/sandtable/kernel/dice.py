"""Dice: a fast seeded stream for simulations, a committed one for games between people.

Both are functions of the number of the roll, so that they hold no position of their own: a
copied, undone or reloaded game goes on with the same dice.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator
from typing import Protocol

import msgspec

from sandtable.kernel.errors import SaveError

_MASK = (1 << 64) - 1

MOST_SIDES = 256
"""A die has at least 2 and at most so many sides: verified dice draw a byte for each."""


class Dice(Protocol):
    """Where rolls come from."""

    def roll(self, number: int, count: int, sides: int) -> tuple[int, ...]:
        """The faces of roll `number` (0 for the first of the game): `count` dice."""

    def header(self) -> dict[str, object]:
        """What a save needs in order to derive every roll again."""


class SeededDice(msgspec.Struct, frozen=True):
    """Dice from a seed (SplitMix64). Fast and repeatable; not for games for which trust matters."""

    seed: int

    def roll(self, number: int, count: int, sides: int) -> tuple[int, ...]:
        # Each 64-bit word is read as digits to the base `sides`; the incomplete last block of
        # words is rejected, so that every face is equally likely.
        digits, block = _digits_per_word(sides)
        limit = (1 << 64) - (1 << 64) % block
        # Seed, roll and word have each their own odd multiplier: with a common one the words of
        # a seed would be those of its neighbour, one further on.
        state = (self.seed * 0x2545F4914F6CDD1D + number * 0xD1342543DE82EF95) & _MASK
        faces: list[int] = []
        while count > 0:
            state = (state + 0x9E3779B97F4A7C15) & _MASK
            word = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
            word ^= word >> 31
            if word >= limit:
                continue
            for _ in range(min(count, digits)):
                word, digit = divmod(word, sides)
                faces.append(digit + 1)
            count -= digits
        return tuple(faces)

    def header(self) -> dict[str, object]:
        return {"kind": "seeded", "seed": self.seed}


_WORDS: dict[int, tuple[int, int]] = {}


def _digits_per_word(sides: int) -> tuple[int, int]:
    """How many base-`sides` digits fit into 64 bits, and `sides` to that power."""
    found = _WORDS.get(sides)
    if found is None:
        digits = 1
        while sides ** (digits + 1) <= 1 << 64:
            digits += 1
        found = _WORDS[sides] = (digits, sides**digits)
    return found


class VerifiedDice(msgspec.Struct, frozen=True):
    """Dice that nobody has to trust.

    The host publishes `commitment` (the SHA-256 of its secret and the game's id) before it knows
    what `entropy` the players add. The players in turn commit to their shares before any of them is
    shown (`commitments`, in the order of `entropy`): nobody who knows the secret can choose a share
    to go with those of the others. Each roll is derived by HMAC-SHA256 from secret, entropy, game
    and the roll's number. When the secret is revealed, anybody can derive every roll again.
    """

    secret: str
    entropy: tuple[str, ...] = ()
    game: str = ""
    commitments: tuple[str, ...] = ()
    """Where a player has withheld the share, it is "" in `entropy`."""

    @classmethod
    def fresh(cls, entropy: tuple[str, ...] = ()) -> VerifiedDice:
        """Dice with a new secret and a new game id."""
        return cls(secrets.token_hex(32), entropy, secrets.token_hex(8))

    @property
    def commitment(self) -> str:
        """The hash of secret and game, to be shown before the players add their entropy.

        It covers the game's id as well: a host free to choose that could try ids until the dice
        please it.
        """
        return hashlib.sha256(msgspec.json.encode((self.secret, self.game))).hexdigest()

    def roll(self, number: int, count: int, sides: int) -> tuple[int, ...]:
        limit = MOST_SIDES - MOST_SIDES % sides
        fair = (byte % sides + 1 for byte in self._bytes(number) if byte < limit)
        return tuple(next(fair) for _ in range(count))

    def _bytes(self, number: int) -> Iterator[int]:
        block = 0
        while True:
            message = msgspec.json.encode((self.entropy, self.game, number, block))
            yield from hmac.digest(self.secret.encode(), message, "sha256")
            block += 1

    def header(self) -> dict[str, object]:
        header: dict[str, object] = {
            "kind": "verified",
            "commitment": self.commitment,
            "secret": self.secret,
            "entropy": list(self.entropy),
            "game": self.game,
        }
        if self.commitments:
            header["commitments"] = list(self.commitments)
        return header


def commitment_to(entropy: str) -> str:
    """What a player publishes of its share before it shows it."""
    return hashlib.sha256(entropy.encode()).hexdigest()


def _kept(dice: VerifiedDice) -> bool:
    """Whether the players' shares are those that they committed to, or withheld."""
    if not dice.commitments:
        return True
    return len(dice.commitments) == len(dice.entropy) and all(
        not share or commitment_to(share) == commitment
        for share, commitment in zip(dice.entropy, dice.commitments, strict=True)
    )


class ContinuedDice(msgspec.Struct, frozen=True):
    """Dice of a game that has gone on from a save with new ones: whoever had the save knew what
    its own dice would show."""

    before: tuple[tuple[int, SeededDice | VerifiedDice], ...]
    """How many rolls the game had when each of the earlier dice were put away."""
    now: VerifiedDice

    @classmethod
    def after(cls, dice: Dice, rolls: int, now: VerifiedDice) -> ContinuedDice:
        """The dice of a game that has made `rolls` rolls with `dice` and goes on with `now`."""
        if isinstance(dice, ContinuedDice):
            return cls((*dice.before, (rolls, dice.now)), now)
        assert isinstance(dice, SeededDice | VerifiedDice)
        return cls(((rolls, dice),), now)

    def roll(self, number: int, count: int, sides: int) -> tuple[int, ...]:
        for rolls, dice in self.before:
            if number < rolls:
                return dice.roll(number, count, sides)
        return self.now.roll(number, count, sides)

    def header(self) -> dict[str, object]:
        before = [{"rolls": rolls, "dice": dice.header()} for rolls, dice in self.before]
        return {**self.now.header(), "before": before}


def dice_from_header(header: object) -> Dice:
    """The dice that a save's header describes; SaveError if they do not fit their commitment."""
    now = _single_dice(header)
    before = header.get("before") if isinstance(header, dict) else None
    if before is None:
        return now
    try:
        parts = tuple(
            (msgspec.convert(part["rolls"], int), _single_dice(part["dice"])) for part in before
        )
    except (KeyError, TypeError, msgspec.ValidationError) as error:
        raise SaveError(f"The save's dice header is damaged ({error}).") from None
    if not isinstance(now, VerifiedDice):
        raise SaveError("The save's dice header is damaged: only verified dice follow others.")
    return ContinuedDice(parts, now)


def _single_dice(header: object) -> SeededDice | VerifiedDice:
    try:
        if isinstance(header, dict) and header.get("kind") == "verified":
            fields = {key: header[key] for key in ("secret", "entropy", "game")}
            fields["commitments"] = header.get("commitments", ())
            dice = msgspec.convert(fields, VerifiedDice)
            if not _kept(dice):
                raise SaveError("A player's share in the dice is not the one committed to.")
            if dice.commitment != header.get("commitment"):
                raise SaveError("The dice secret does not fit the commitment made at the start.")
            return dice
        if isinstance(header, dict) and header.get("kind") == "seeded":
            return msgspec.convert({"seed": header["seed"]}, SeededDice)
    except (KeyError, msgspec.ValidationError) as error:
        raise SaveError(f"The save's dice header is damaged ({error}).") from None
    raise SaveError("The save does not say what kind of dice it used.")
