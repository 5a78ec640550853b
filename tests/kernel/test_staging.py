"""Battles in the log: which lines belong to which, and how each stood when it was told."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sandtable
from sandtable.kernel.display import Combatant, Line
from sandtable.kernel.staging import Staging


def told(game: sandtable.Game, decisions: int) -> list[Line]:
    """The log of a game that greedy players play on. Whatever fails to be drawn fails here."""
    rules, rng = game.rules, random.Random(1)
    staging = Staging(rules)

    def look(number: int, state: Any) -> None:
        rules.battle(state)
        staging.look(number, state)

    game.watch(look)
    lines: list[Line] = []
    for _ in range(decisions):
        request = game.pending[0]
        before = len(game.events)
        game.submit(request.power, rules.greedy(game.state, request, rng))
        lines += staging.lines(before, game.events.since(before), game.state)
    return lines


def pieces(side: Combatant) -> dict[str, int]:
    found: dict[str, int] = {}
    for stack in side.stacks:
        for piece in stack.pieces:
            found[piece.name] = found.get(piece.name, 0) + piece.count
    return found


@pytest.mark.parametrize(
    ("game", "options", "decisions"),
    [
        ("aa1942", {}, 130),
        ("blitz", {"scenario": "C"}, 90),
        ("gw36", {}, 220),
        ("gw75", {}, 150),
    ],
)
def test_every_battle_has_its_own_lines_a_beginning_and_an_end(
    game: str, options: dict[str, Any], decisions: int
) -> None:
    lines = told(sandtable.new(game, seed=7, options=options), decisions)
    fights = list(dict.fromkeys(line.fight for line in lines if line.fight))
    assert len(fights) > 2
    for fight in fights:
        own = [number for number, line in enumerate(lines) if line.fight == fight]
        assert own == list(range(own[0], own[-1] + 1)), "two battles share a place"
        first = lines[own[0]].battle
        assert first is not None and len(first.sides) == 2
        assert not any(lines[number].over for number in own[:-1])
        if fight != fights[-1]:
            assert lines[own[-1]].over


def test_a_battle_in_which_nobody_is_asked_anything_is_told_whole() -> None:
    game = sandtable.new("aa1942", seed=7)
    lines = told(game, 60)
    fight = next(line.fight for line in lines if line.fight)
    own = [line for line in lines if line.fight == fight]
    first, *_, last = (line.battle for line in own if line.battle is not None)
    assert pieces(first.sides[1]) == {"Cruiser": 1} and not first.sides[1].lost
    assert pieces(last.sides[1]) == {}
    assert [piece.name for piece in last.sides[1].lost[0].pieces] == ["Cruiser"]
    assert own[-1].kind == "battle_ended" and own[-1].over


def test_what_cannot_be_drawn_does_not_stop_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(state: Any) -> None:
        raise ValueError

    game = sandtable.new("aa1942", seed=7)
    monkeypatch.setattr(type(game.rules), "battle", lambda self, state: broken(state))
    staging = Staging(game.rules)
    game.watch(staging.look)
    request = game.pending[0]
    game.submit(request.power, game.rules.greedy(game.state, request, random.Random(1)))
    assert game.version > 0
