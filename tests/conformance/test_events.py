"""Events in the words that all games share (`kernel/events.py`)."""

from __future__ import annotations

import random

import sandtable
from sandtable.kernel.events import Known, faults
from sandtable.maps.sheet import sheet_of
from tests.conformance.driver import new, seeds_of, steps_of, walk


def known(game: sandtable.Game) -> Known:
    """The ids of a game, as it tells clients."""
    about = game.rules.about(game.state)
    stacks = [
        stack
        for space in game.rules.picture(game.state, ()).spaces.values()
        for stack in space.stacks
    ]
    return Known(
        powers={power.id for power in (*about.powers, *about.others)} | {*game.rules.powers},
        sides={power.side for power in about.powers if power.side},
        spaces=set(sheet_of(about.map).spaces) if about.map else set(),
        units={type_.id for type_ in about.types}
        | {piece.id for stack in stacks for piece in stack.pieces if piece.id},
    )


def test_events_are_told_in_the_shared_words(game_id: str) -> None:
    for seed in seeds_of(game_id):
        game = new(game_id, seed=seed)
        ids = known(game)
        for _ in walk(game, random.Random(seed), steps_of(game_id)):
            pass
        assert not {fault for event in game.events for fault in faults(event, ids)}
        for event in game.events:
            data, told = event.data, game.rules.line(game.state, event)
            ends = {data.get("space", "")} - {""}
            assert set(told.spaces) >= {*data.get("path", ())} | ends, event
            assert told.power == data.get("power") or not data.get("power"), event
            faces = [face for throw in told.throws for face in throw.faces]
            assert not told.throws or faces == [*data["dice"]], event
