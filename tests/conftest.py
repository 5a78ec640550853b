"""What all tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from sandtable.kernel import registry
from tests.kernel.toy import ToyRules

# The same examples in every run, on however slow a machine: what fails here fails everywhere.
settings.register_profile(
    "sandtable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("sandtable")


@pytest.fixture
def toy() -> Iterator[ToyRules]:
    """The toy game, known to `sandtable.new` for the length of one test."""
    rules = ToyRules()
    registry.add(rules)
    yield rules
    registry._added.pop("toy")
