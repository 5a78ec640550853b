"""The typed decisions of a game are importable from one place."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

from sandtable.kernel.decisions import Decision, Pass


def _below(kind: type[Decision]) -> Iterator[type[Decision]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


@pytest.mark.parametrize("game", ["aa1942", "blitz", "gw36", "gw75"])
def test_all_decisions_are_in_one_module(game: str) -> None:
    package = f"sandtable.games.{game}"
    rules = importlib.import_module(f"{package}.rules")
    for module in pkgutil.iter_modules(rules.__path__, f"{package}.rules."):
        importlib.import_module(module.name)
    ours = {each for each in _below(Decision) if each.__module__.startswith(f"{package}.")}
    decisions = importlib.import_module(f"{package}.decisions")
    listed = {getattr(decisions, name) for name in decisions.__all__}
    assert len(ours) > 10
    assert {each for each in listed if issubclass(each, Decision)} == ours | {Pass}
