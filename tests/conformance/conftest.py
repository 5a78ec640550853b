"""Every test here that takes `game_id` runs for every installed game with its variants, and
for the toy."""

from __future__ import annotations

import pytest

from tests.conformance.driver import cases
from tests.kernel.toy import ToyRules


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "game_id" in metafunc.fixturenames:
        # By the names of the packages: one that cannot be imported fails its tests.
        metafunc.parametrize("game_id", sorted({*cases(), ToyRules.id}))


@pytest.fixture(autouse=True)
def with_the_toy(toy: ToyRules) -> None:
    """The toy is installed like any game."""
