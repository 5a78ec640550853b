"""What the terminal asks and lists in any game can be answered as it says."""

from __future__ import annotations

import random
from typing import Any

import pytest
from rich.text import Text

import sandtable
from sandtable.cli.reading import Several, proposed
from sandtable.cli.screen import Screen
from tests.cli.typist import Typist

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("aa1942", {"interceptors": True}),
    *(("blitz", {"scenario": s, "commanders": True, "sabotage": True}) for s in "ABCDEF"),
    ("blitz", {"scenario": "campaign", "road_to_war": True, "looting": True}),
]


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_what_is_listed_can_be_typed(game_id: str, options: dict[str, Any]) -> None:
    game = sandtable.new(game_id, seed=11, options=options)
    typist, rng = Typist(game), random.Random(11)
    screen = Screen(game.rules.about(game.state), typist.lexicon)
    asked: dict[str, int] = {}
    for number in range(400):
        if not game.pending:
            break
        request = rng.choice(game.pending)
        asked[request.kind] = asked.get(request.kind, 0) + 1
        if asked[request.kind] <= 4:
            reader = typist.reader(request)
            picture = game.rules.picture(game.state, (request.power,))
            lines = [*screen.question(reader, picture), *screen.board(picture)]
            assert all(Text.from_markup(line).plain.strip() or not line for line in lines)
            for example in reader.examples():
                typist.read(example, request)
            if reader.proposal is not None:
                assert reader.proposal[0] in reader.legal
                assert reader.proposal[1]
            for choice in reader.form.choices[:20]:
                twins = [each for each in reader.form.choices if each.label == choice.label]
                try:
                    (found,) = reader.read(choice.label)
                except Several as several:
                    assert choice.label in {each.label for each in several.choices}
                else:
                    assert found in [proposed(each) for each in twins], choice.label
        decide = game.legal(request).sample if number % 2 else None
        game.submit(
            request.power, decide(rng) if decide else game.rules.greedy(game.state, request, rng)
        )
    assert len(asked) > 4
