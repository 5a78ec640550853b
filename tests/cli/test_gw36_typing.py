"""Global War at the terminal: Germany's first turn, typed."""

from __future__ import annotations

import pytest

import sandtable
from sandtable.cli.errors import Unclear
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.placement import Place
from sandtable.games.gw36.rules.production import Advance, Buy
from sandtable.games.gw36.rules.research import Research
from tests.cli.typist import Typist


def test_a_first_turn_is_typed() -> None:
    typist = Typist(sandtable.new("gw36", seed=1))
    assert isinstance(typist.read("pay battlecruiser"), Advance)
    for line in ("buy 3 infantry", "3 infantry", "3 inf", "infantry with 3 infantry"):
        assert typist.read(line) == Buy("infantry", 3), line
    assert typist.read("research radar") == Research("radar")
    assert "2 militia" in typist.reader().examples()
    typist.say("pay battlecruiser", "buy 3 infantry", "done")

    march = typist.read("move 1 infantry from bavaria to austria")
    assert march == Move({"infantry": 1}, ("bavaria", "austria"))
    # What is a declaration of war has to be meant.
    with pytest.raises(Unclear, match="a declaration of war on Belgium"):
        typist.read("2 infantry western germany to belgium")
    war = typist.read("really 2 infantry western germany to belgium")
    assert war == Move({"infantry": 2}, ("western_germany", "belgium"))
    typist.say("1 infantry from bavaria to austria", "done", "done")

    place = typist.read("place 3 infantry in berlin")
    assert place == Place("berlin", {"infantry": 3})
    assert typist.read("place submarine in sz 27") == Place("sz_027", {"submarine": 1})
