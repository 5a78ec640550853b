"""What the terminal tells and shows."""

from __future__ import annotations

from rich.text import Text

import sandtable
from sandtable.cli.screen import Screen
from sandtable.kernel.display import Line, Throw
from tests.aa1942.table import table
from tests.cli.typist import Typist


def screen_of(game: sandtable.Game) -> Screen:
    return Screen(game.rules.about(game.state), Typist(game).lexicon)


SCREEN = screen_of(sandtable.new("aa1942", seed=1))

BATTLE = [
    Line("battle_began", "They attacked.", ("india",), "japan", deed="battle", path=("india",)),
    Line("fired", "They rolled.", ("india",), "japan", (Throw("2 tanks", (1, 6), power="japan"),)),
    Line("fired", "We rolled.", ("india",), "united_kingdom",
         (Throw("Infantry", (3,), power="united_kingdom"),)),
    Line("captured", "They took it.", ("india",), "japan", deed="taken", path=("india",)),
    Line("battle_ended", "It is over.", ("india",)),
]  # fmt: skip


def told(lines: list[Line], *seats: str) -> list[str]:
    return [Text.from_markup(line).plain.strip() for line in SCREEN.told(lines, seats)]


def test_battles_of_ones_own_are_told_die_by_die_and_others_by_their_end() -> None:
    whole = [line.text for line in BATTLE]
    assert told(BATTLE, "united_kingdom") == whole
    assert told(BATTLE, "japan", "germany") == whole
    for others in (["germany"], []):
        assert told(BATTLE, *others) == ["They took it.", "It is over."]


def test_many_moves_of_others_are_left_to_the_log() -> None:
    move = Line("moved", "It moved.", ("india", "persia"), "japan", path=("india", "persia"))
    assert told([move] * 3, "germany") == ["It moved."] * 3
    assert told([move] * 40, "germany") == ["… and 40 moves: log tells them"]
    assert told([move] * 40, "japan") == ["It moved."] * 40


def test_the_board_shows_damage_cargo_and_who_holds_what() -> None:
    aboard = [{"ship": "transport", "load": {"united_kingdom": {"tank": 1}}}]
    t = table(
        "germany",
        units={"ukraine_ssr": {"germany": "2 tank"}, "sz2": {"united_kingdom": "transport"}},
        cargo={"sz2": {"united_kingdom": aboard}},
        control={"caucasus": "germany"},
        damage={"germany": 3},
    )
    picture = t.game.rules.picture(t.s, ())
    board = "\n".join(screen_of(t.game).board(picture))
    assert "Ukraine S.S.R.              [" in board
    assert "2 tank [dim]ipc 2[/]" in board
    assert "transport (with tank)" in board
    held = board.split("no units:[/] ")[1:]
    assert any("Caucasus" in line and "Libya" in line for line in held)
    shown = "\n".join(screen_of(t.game).show(picture, "germany"))
    assert "Industrial complex with 3 of at most 20 damage: 7 units can be placed here" in shown
