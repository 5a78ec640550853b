"""What all tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sandtable.kernel import registry
from tests.kernel.toy import ToyRules


@pytest.fixture
def toy() -> Iterator[ToyRules]:
    """The toy game, known to `sandtable.new` for the length of one test."""
    rules = ToyRules()
    registry.add(rules)
    yield rules
    registry._added.pop("toy")
