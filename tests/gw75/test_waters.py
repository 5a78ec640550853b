"""The Baltic and the Adriatic: 19.8."""

from __future__ import annotations

import pytest

from sandtable.games.gw75.facts import load_facts
from sandtable.games.gw75.rules import waters
from tests.gw75.happenings import enter, violate
from tests.gw75.table import state

ADRIATIC = "W2821"


@pytest.mark.rule("gw75:19.81a", "gw75:19.82a")
def test_the_hexes_of_the_two_seas() -> None:
    """Examples baltic_west and adriatic."""
    facts = load_facts()
    assert facts.hexes["W3220"].water == facts.hexes["W3221"].water == "baltic"
    assert facts.hexes["W3219"].water == ""
    assert facts.waters["adriatic"] == {ADRIATIC}


@pytest.mark.rule("gw75:19.81a")
@pytest.mark.parametrize("type", ["surf_a", "surf_b", "ss", "amph", "ms"])
def test_the_baltic_is_closed_to_allied_ships_while_denmark_is_neutral(type: str) -> None:
    s = state()
    assert "19.81" in waters.barred(s, "commonwealth", type, "W3221", "W3219")
    assert waters.barred(s, "commonwealth", "asw", "W3221", "W3219") == ""
    assert waters.barred(s, "germany", type, "W3221", "W3219") == ""
    assert waters.barred(s, "usa", type, "W3221", "W3219") == ""
    assert waters.barred(s, "commonwealth", type, "W3219", "W3218") == ""


@pytest.mark.rule("gw75:19.81a")
def test_who_holds_denmark_holds_the_entrance() -> None:
    s = state()
    violate(s, "germany", "denmark", "W3220")
    assert waters.barred(s, "commonwealth", "ss", "W3221", "W3219") == ""
    enter(s, "germany", "W3220")
    assert waters.barred(s, "commonwealth", "ss", "W3221", "W3219")
    enter(s, "commonwealth", "W3220")
    assert waters.barred(s, "commonwealth", "ss", "W3221", "W3219") == ""


@pytest.mark.rule("gw75:19.81b")
def test_soviet_ships_pass_in_peace_and_are_shut_in_by_war() -> None:
    s = state()
    assert waters.barred(s, "ussr", "ss", "W3221", "W3219") == ""
    assert waters.barred(s, "ussr", "ss", "W3219", "W3220") == ""
    violate(s, "germany", "ussr", "W3124")
    assert waters.barred(s, "ussr", "ss", "W3322", "W3323") == ""
    assert "may not leave" in waters.barred(s, "ussr", "ss", "W3219", "W3220")
    assert waters.barred(s, "ussr", "ss", "W3220", "W3219")


@pytest.mark.rule("gw75:19.81c")
def test_the_allies_may_attack_into_the_baltic() -> None:
    s = state()
    assert waters.no_attack(s, "commonwealth", "W3220", frozenset({"surf_b"})) == ""


@pytest.mark.rule("gw75:19.82a")
def test_the_adriatic_is_italian() -> None:
    s = state()
    assert waters.barred(s, "italy", "surf_b", ADRIATIC) == ""
    assert waters.barred(s, "germany", "amph", ADRIATIC) == ""
    assert waters.barred(s, "germany", "ms", ADRIATIC) == ""
    assert "19.82" in waters.barred(s, "germany", "ss", ADRIATIC)
    assert "19.82" in waters.barred(s, "commonwealth", "ms", ADRIATIC)
    s.fallen = frozenset({"italy"})
    assert waters.barred(s, "commonwealth", "surf_b", ADRIATIC) == ""
    assert waters.barred(s, "germany", "ss", ADRIATIC) == ""


@pytest.mark.rule("gw75:19.82b")
def test_the_allies_do_not_attack_into_the_adriatic() -> None:
    s = state()
    assert "19.82" in waters.no_attack(s, "commonwealth", ADRIATIC, frozenset({"surf_b"}))
    assert waters.no_attack(s, "italy", "W2721", frozenset({"surf_b"})) == ""
    s.fallen = frozenset({"italy"})
    assert waters.no_attack(s, "commonwealth", ADRIATIC, frozenset({"surf_b"})) == ""


@pytest.mark.rule("gw75:19.83")
def test_merchant_ships_in_these_waters_are_safe() -> None:
    s = state()
    assert "19.83" in waters.no_attack(s, "commonwealth", "W3322", frozenset({"ms"}))
    assert waters.no_attack(s, "commonwealth", "W3322", frozenset({"ms", "surf_b"})) == ""
    assert waters.no_attack(s, "commonwealth", "W3219", frozenset({"ms"})) == ""
    s.fallen = frozenset({"italy"})
    assert waters.no_attack(s, "commonwealth", ADRIATIC, frozenset({"ms"}))
