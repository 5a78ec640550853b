"""Wrong decisions: legal ones with something changed, and plain garbage."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

Place = tuple[Any, Any]
"""A container and the key or index of a value in it."""


def places(value: Any) -> Iterator[Place]:
    """Every place inside `value` at which something stands."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield value, key
            yield from places(inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield value, index
            yield from places(inner)


def names_in(value: Any) -> set[str]:
    """Every string in `value`, keys included."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return set(value).union(*(names_in(inner) for inner in value.values()))
    if isinstance(value, list | tuple):
        return set().union(*(names_in(inner) for inner in value))
    return set()


def mutated(decision: dict[str, Any], names: list[str], rng: random.Random) -> dict[str, Any]:
    """A copy of a plain decision in which one to three things are different.

    `names` are words of the game (spaces, units, powers, kinds) to put in place of others.
    """
    changed = copy.deepcopy(decision)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        found = list(places(changed))
        if not found:
            break
        container, key = rng.choice(found)
        value = container[key]
        roll = rng.random()
        if roll < 0.05:
            container[key] = garbage(rng, 2)
        elif roll < 0.1:
            del container[key]
        elif isinstance(value, bool):
            container[key] = not value
        elif isinstance(value, int):
            container[key] = rng.choice(
                (value + 1, value - 1, 0, -value, value * 2, -1, 10**9, 2**64, str(value))
            )
        elif isinstance(value, str):
            container[key] = rng.choice(names)
        elif isinstance(value, list):
            mutate_list(value, rng)
        elif isinstance(value, dict):
            mutate_dict(value, names, rng)
        else:
            container[key] = garbage(rng, 1)
    return changed


def mutate_list(value: list[Any], rng: random.Random) -> None:
    how = rng.randrange(5)
    if how == 0:
        value.clear()
    elif how == 1 and value:
        value.pop(rng.randrange(len(value)))
    elif how == 2 and value:
        value.append(copy.deepcopy(rng.choice(value)))
    elif how == 3:
        rng.shuffle(value)
    elif value:
        value[:] = value * 50


def mutate_dict(value: dict[str, Any], names: list[str], rng: random.Random) -> None:
    if value and rng.random() < 0.5:
        key = rng.choice(list(value))
        value[rng.choice(names)] = value.pop(key)
    else:
        value[rng.choice(names)] = rng.choice((0, 1, -1, "x", None, []))


def garbage(rng: random.Random, depth: int = 3) -> Any:
    """Any JSON value at all."""
    kind = rng.randrange(8 if depth else 6)
    if kind == 0:
        return None
    if kind == 1:
        return rng.random() < 0.5
    if kind == 2:
        return rng.choice((0, 1, -1, 7, 10**12, -(2**70)))
    if kind == 3:
        return rng.choice((0.5, -1e300, 1.0))
    if kind in (4, 5):
        return rng.choice(("", "kind", "pass", "done", "ünïcödé", "x" * 300, "\0", "None", "0"))
    if kind == 6:
        return [garbage(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {str(garbage(rng, 0)): garbage(rng, depth - 1) for _ in range(rng.randrange(4))}
