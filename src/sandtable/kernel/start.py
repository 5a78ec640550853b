"""Opening a game."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml

from sandtable.kernel import registry
from sandtable.kernel.dice import Dice, SeededDice, VerifiedDice
from sandtable.kernel.errors import OptionError, PositionError
from sandtable.kernel.game import Game


def new(
    game: str,
    *,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    position: Mapping[str, Any] | str | Path | None = None,
    data: str | Path | None = None,
    chance: Literal["drawn", "explicit"] = "drawn",
    entropy: tuple[str, ...] = (),
) -> Game:
    """A new game.

    With `seed` the dice are a fast repeatable stream; without, they are verified dice with a fresh
    secret (`game.dice.commitment` is public, `entropy` is what the players add). With
    `chance="explicit"` every roll is a pending request of the power "chance". `position` (a
    mapping, or a YAML or JSON file) starts from any position; `data` is a folder whose files
    replace the game's own.
    """
    if seed is not None and (
        isinstance(seed, bool) or not hasattr(seed, "__index__") or not 0 <= index(seed) < 1 << 64
    ):
        raise OptionError(f"A seed is a whole number from 0 to 2**64 - 1, not {seed!r}.")
    if isinstance(entropy, str) or not all(isinstance(part, str) for part in entropy):
        raise OptionError(f"The players' entropy is a sequence of strings, not {entropy!r}.")
    if chance not in ("drawn", "explicit"):
        raise OptionError(f"chance is 'drawn' or 'explicit', not {chance!r}.")
    rules = registry.find(game)
    folder = None if data is None else Path(data)
    chosen = rules.read_options(options or {})
    setup = read_position(position)
    state = rules.start(chosen, setup, folder)
    dice: Dice | None
    if chance == "explicit":
        dice = None
    elif seed is None:
        dice = VerifiedDice.fresh(tuple(entropy))
    else:
        dice = SeededDice(index(seed))
    return Game(rules, chosen, state, dice, setup=setup, data=folder)


def read_position(position: Mapping[str, Any] | str | Path | None) -> dict[str, Any] | None:
    """A custom position as plain JSON data; PositionError if the file or its form is bad."""
    if position is None:
        return None
    if isinstance(position, str | Path):
        try:
            content = yaml.safe_load(Path(position).read_text(encoding="utf-8"))
        except OSError as error:
            reason = error.strerror
            raise PositionError(f"The position {position} cannot be read: {reason}.") from None
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            place = getattr(error, "problem_mark", None)
            where = f", line {place.line + 1}" if place else ""
            raise PositionError(f"{position}{where} is neither YAML nor JSON.") from None
    else:
        content = position
    if not isinstance(content, Mapping):
        raise PositionError("A position is a mapping with fields such as base, turn and units.")
    try:
        # What a save will hold: later changes by the caller, and what JSON does to numbers as
        # keys or to dates, cannot make the saved game another one.
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(dict(content)))
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        raise PositionError(f"A position holds only what JSON can: {error}.") from None
    return plain
