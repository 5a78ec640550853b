"""Rule cases: multinational forces."""

from __future__ import annotations

import pytest

from tests.aa1942.battles import land, line
from tests.aa1942.table import Done, Fight, move, table


@pytest.mark.rule("aa1942:multi.no-joint-attack", "aa1942:multi.ally-excluded")
def test_multinational_01() -> None:
    """Only British ships attack in the British turn; the American one cannot be lost."""
    t = table(
        "united_kingdom",
        units={
            "sz7": {
                "united_kingdom": "destroyer",
                "united_states": "destroyer",
                "germany": "submarine",
            }
        },
    ).do(Done(), Fight("sz7"))
    assert line(t) == "1 destroyer at 2"
    t.dice(6).dice(1)
    assert t.units("sz7", "united_kingdom") == {}
    assert t.units("sz7", "united_states") == {"destroyer": 1}


@pytest.mark.rule("aa1942:multi.defend-together")
def test_multinational_03() -> None:
    """British and American infantry defend Egypt together."""
    t = land(
        "3 tank",
        {"united_kingdom": "2 infantry", "united_states": "infantry"},
        turn="germany",
        target="egypt",
        origin="libya",
    ).dice(6, 6, 6)
    assert line(t) == "3 infantry at 2"


@pytest.mark.rule("aa1942:multi.defend-together")
def test_multinational_05() -> None:
    """An American destroyer in an attacked zone cannot be left out."""
    t = table(
        "germany",
        units={
            "sz14": {"united_kingdom": "cruiser", "united_states": "destroyer"},
            "sz15": {"germany": "2 cruiser"},
        },
    ).do(move("2 cruiser", "sz15 > sz14"), Done())
    t.dice(1, 1)
    assert line(t) == "1 cruiser at 3, 1 destroyer at 2"
    t.dice(6, 6)
    assert t.units("sz14", "united_states") == {}
