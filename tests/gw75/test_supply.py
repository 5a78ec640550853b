"""Land supply (chapter 9): sources, paths, pipelines, effects."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import supply

from .table import state

WAR = [("commonwealth", "germany"), ("germany", "ussr"), ("commonwealth", "italy")]


def looked(units: dict[str, Any], **fields: Any) -> State:
    return state(units=units, **{"wars": WAR, **fields})


@pytest.mark.rule("gw75:9.0a", "gw75:9.0b", "gw75:9.21")
def test_any_length_in_the_communications_area_to_an_industrial_hex():
    s = looked({"W3122": {"germany": "inf"}}, held={"W3122": "germany", "W3123": "germany"})
    assert supply.state(s, "germany", "W3122") == "attack"
    assert supply.state(s, "germany", "W3123") == "attack"
