"""The battle calculator: whatever is asked of it has an answer or a sentence."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import sandtable
from sandtable.odds.shown import HARMLESS, shown
from sandtable.server.questions import what_if
from sandtable.server.schemas import WhatIfAnswer, WhatIfQuestion


def ask(game: str, power: str, space: str = "", options: Any = None, **asked: Any) -> WhatIfAnswer:
    table = sandtable.new(game, seed=7, options=options or {})
    before = table.hash
    found = what_if(table, WhatIfQuestion(power, space, **asked))
    assert table.hash == before
    return found


CASES: list[tuple[str, str, str, Any, dict[str, int], dict[str, int]]] = [
    ("aa1942", "germany", "", {}, {"infantry": 3, "tank": 2}, {"infantry": 3}),
    ("aa1942", "germany", "ukraine_ssr", {}, {"infantry": 3, "tank": 2}, {"infantry": 3}),
    ("aa1942", "germany", "sz7", {}, {"submarine": 3}, {"battleship": 1}),
    ("gw36", "germany", "", {}, {"infantry": 4, "fighter": 1}, {"infantry": 3}),
    ("gw36", "germany", "", {}, {"submarine": 2, "destroyer": 1}, {"destroyer": 2}),
    ("gw75", "germany", "", {}, {"inf": 12, "mech": 3}, {"inf": 5}),
    ("gw75", "germany", "", {}, {"surf_a": 3}, {"surf_b": 2}),
    (
        "blitz",
        "germany",
        "poland",
        {"scenario": "A"},
        {"ger_army_group_north": 2, "ger_luftwaffe": 1},
        {},
    ),
]


@pytest.mark.parametrize(("game", "power", "space", "options", "attack", "defend"), CASES)
def test_both_sides_can_be_changed(
    game: str,
    power: str,
    space: str,
    options: Any,
    attack: dict[str, int],
    defend: dict[str, int],
) -> None:
    first = ask(game, power, space, options)
    assert first.calculator is not None
    rows = {row.key: row.value for row in first.calculator.defend}
    found = ask(game, power, space, options, attack=attack, defend=defend or rows)
    assert found.odds is not None, found.reason
    assert found.odds.win + found.odds.lose + found.odds.draw == pytest.approx(1)
    assert found.odds.given


def test_the_map_is_proposed_and_settings_count() -> None:
    found = ask("aa1942", "germany", "sz7")
    assert found.calculator is not None
    assert {row.key: row.value for row in found.calculator.defend if row.value}
    forces = {"attack": {"cruiser": 2}, "defend": {"submarine": 2}}
    stay = ask("aa1942", "germany", "", **forces)
    dive = ask("aa1942", "germany", "", **forces, settings={"defend_subs": "submerge"})
    assert stay.odds and dive.odds and stay.odds.win != dive.odds.win


@pytest.mark.parametrize("game", ["aa1942", "blitz", "gw36", "gw75"])
def test_nonsense_gets_a_sentence(game: str) -> None:
    options = {"scenario": "A"} if game == "blitz" else {}
    space = "poland" if game == "blitz" else ""
    for asked in (
        {"space": "moon"},
        {"space": space, "attack": {"death star": 1}},
        {"space": space, "settings": {"attack_order": "__import__"}},
    ):
        found = ask(game, "germany", options=options, **asked)
        assert found.odds is None and found.reason.endswith("."), asked
    first = ask(game, "germany", space, options).calculator
    assert first is not None
    row = first.attack[0]
    found = ask(game, "germany", space, options, attack={row.key: row.most + 1})
    assert found.odds is None and str(row.most) in found.reason


@pytest.mark.parametrize("game", ["aa1942", "gw36", "gw75"])
def test_as_many_as_can_be_asked_for_are_answered_or_refused(game: str) -> None:
    first = ask(game, "germany").calculator
    assert first is not None
    found = ask(
        game,
        "germany",
        attack={row.key: row.most for row in first.attack},
        defend={row.key: row.most for row in first.defend},
    )
    assert found.odds is not None or found.reason


@pytest.mark.parametrize(
    ("game", "attack", "defend", "why"),
    [
        ("aa1942", {"fighter": 2}, {"submarine": 1}, "Aircraft cannot hit submarines"),
        ("aa1942", {"submarine": 2}, {"fighter": 1}, "Submarines cannot hit aircraft."),
        ("gw36", {"submarine": 2}, {"fighter": 1}, "Submarines cannot hit aircraft."),
    ],
)
def test_it_is_said_why_nobody_can_win(
    game: str, attack: dict[str, int], defend: dict[str, int], why: str
) -> None:
    found = ask(game, "germany", attack=attack, defend=defend)
    assert found.odds is not None, found.reason
    assert found.odds.win == 0
    assert why in found.odds.lines[0]


def test_attackers_that_hurt_nobody_are_told_so() -> None:
    result = SimpleNamespace(
        takes_territory=0.0,
        attacker_wins=0.0,
        defender_wins=1.0,
        draw=0.0,
        attacker_loss=3.0,
        defender_loss=0.0,
        rounds=1.0,
        exact=True,
        notes=(),
    )
    assert shown(result, "IPP", land=False).lines[0] == HARMLESS
    result.defender_loss = 1.0
    assert HARMLESS not in shown(result, "IPP", land=False).lines
