"""The words for what is drawn: one file, and a sentence for whatever is not in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sandtable.cli.screen import coloured
from sandtable.kernel.display import Form, Mark, Moment, Picture, Piece, Power, Row, Space, Stack
from sandtable.kernel.vocabulary import WORDS, UnknownWord, find, unknown_words

WEB = Path(__file__).parents[2] / "web/src"


def test_a_word_that_there_is_not_is_named_with_what_was_perhaps_meant() -> None:
    with pytest.raises(UnknownWord, match='no "moutain" among its terrain; perhaps mountain'):
        find("terrain", WORDS.terrain, "moutain")
    with pytest.raises(UnknownWord, match='no "xyzzy" among its links; there are: canal, strait'):
        find("links", WORDS.links, "xyzzy")
    with pytest.raises(UnknownWord, match="colours"):
        coloured("puce", "Ruritania")
    assert coloured("", "Ruritania") == "Ruritania"
    assert coloured("red", "Japan") == f"[{WORDS.colours['red'].terminal}]Japan[/]"


def test_unknown_words_are_found_wherever_they_stand() -> None:
    cargo = Piece("moose", "moose")
    piece = Piece("tank", "tank", states=("moved", "tired"), cargo=(cargo,))
    space = Space(marks=(Mark("castle", ""),), stacks=(Stack("red", (piece,)),), tags=("haunted",))
    picture = Picture(Moment("", ""), {"here": space})
    assert {text.split('"')[1] for text in unknown_words(picture)} == {
        "moose",
        "tired",
        "castle",
        "haunted",
    }
    row = Row("k", "", (), 1, symbol="moose")
    assert len(list(unknown_words(Form("symbol", "red", "buy", "", "", rows=(row, row))))) == 1
    assert list(unknown_words(Power("red", "Red", "Red", "red", "", ""))) == []
    assert list(unknown_words(Power("red", "Red", "Red", "", "", ""))) == []
    assert len(list(unknown_words(Power("red", "Red", "Red", "puce", "", "")))) == 1


def test_symbols_that_the_client_names_itself_are_there() -> None:
    named = set(re.findall(r"(?:PieceIcon\s+symbol=\"|symbol: ')(\w+)", _client()))
    named |= set(re.findall(r"\['(\w+)', (?:map|fill)", _client()))
    assert {"damage", "flag", "fighter"} <= named
    assert named <= set(WORDS.symbols)


def test_words_of_terrain_have_symbols_that_there_are() -> None:
    for terrain in (*WORDS.terrain.values(), *WORDS.weather.values()):
        assert not terrain.symbol or terrain.symbol in WORDS.symbols


def _client() -> str:
    files = [*WEB.rglob("*.svelte"), *(f for f in WEB.rglob("*.ts") if ".test." not in f.name)]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
