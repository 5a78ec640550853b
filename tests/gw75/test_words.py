"""Every event that the rules tell of has a sentence of its own, and every roll a caption."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from sandtable.games.gw75 import words
from sandtable.games.gw75.facts import load_facts
from sandtable.games.gw75.model import LandBattle
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.events import Event
from tests.gw75.table import state

RULES = Path(words.__file__).parent / "rules"


def named(verb: str, *, with_dice: bool = False) -> set[str]:
    """The kinds in calls of `g.emit` or `g.roll`, and of what hands them on; of events `with_dice`
    only those that show some."""
    found = set()
    for path in RULES.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            at = {verb: 0, "attack": 1, "die": 1}.get(name)
            if at is None or (name == "die" and verb == "emit") or len(node.args) <= at:
                continue
            if with_dice and not any(each.arg == "dice" for each in node.keywords):
                continue
            kind = node.args[at]
            if isinstance(kind, ast.Constant) and isinstance(kind.value, str):
                found.add(kind.value)
    return found


def test_every_kind_of_event_has_a_sentence() -> None:
    kinds = named("emit")
    assert {"land_attack", "transit_attack", "turn_began"} <= kinds
    assert sorted(kinds - {*words.SENTENCES}) == []
    assert sorted({*words.SENTENCES} - kinds) == []


def test_every_kind_of_roll_has_a_caption() -> None:
    kinds = named("roll")
    assert {"land_attack", "naval_attack", "french_navy"} <= kinds
    assert sorted(kinds - {*words.ROLLS}) == []


def test_every_event_that_shows_dice_says_what_they_are_for() -> None:
    kinds = named("emit", with_dice=True)
    assert {"land_attack", "counter_attack", "bombed"} <= kinds
    assert sorted(kinds - {*words.ROLLS}) == []


@pytest.mark.parametrize(
    ("kind", "data", "sentence"),
    [
        (
            "land_move",
            {"power": "germany", "path": ["W3121", "W3122"], "units": {"mech": 3, "inf": 1}},
            "Germany moved 3 Mechanized and 1 Infantry from Berlin (W3121) to Danzig (W3122).",
        ),
        (
            "land_attack",
            {
                "power": "germany",
                "space": "W3122",
                "about": ["W3122"],
                "attackers": {"germany": {"inf": 7}},
                "defenders": {"poland": {"inf": 4}},
                "differential": 3,
                "loss": 0,
            },
            "Germany attacked Danzig (W3122) with 7 Infantry against 4 Infantry of Poland at "
            "+3: no loss is called for.",
        ),
        (
            "transit_attack",
            {
                "power": "commonwealth",
                "against": "germany",
                "space": "W3217",
                "differential": 2,
                "subtracted": 0,
                "losses": {"germany": {"ss": 1}},
                "depleted": 0,
            },
            "The Commonwealth made a Transit Attack on Germany in Scotland-Tyne (W3217) at +2. "
            "Lost: 1 Submarine of Germany.",
        ),
        (
            "naval_attack",
            {
                "power": "germany",
                "against": "commonwealth",
                "space": "W3014",
                "differential": 1,
                "subtracted": 2,
                "losses": {},
                "depleted": 0,
            },
            "Germany made a naval attack on the Commonwealth in North Atlantic east (W3014) at +1. "
            "2 was subtracted from the die, as Submarines are far from their ports. Nothing was "
            "lost.",
        ),
        ("turn_began", {"turn": 3}, "Turn 3, Spring 1940."),
        (
            "war",
            {"powers": ("germany", "ussr"), "limited": True},
            "Germany and the Soviet Union are at war in a limited way.",
        ),
        (
            "game_ended",
            {"side": "allies", "scores": {"axis": 12, "allies": 90}, "level": "decisive"},
            "A decisive victory of the Allies, with 90 Victory Points to 12.",
        ),
        ("landed", {"power": "usa", "space": "W2517"}, "The United States is ashore in Casablanca"),
    ],
)
def test_sentences(kind: str, data: dict[str, object], sentence: str) -> None:
    assert words.sentence(load_facts(), Event(kind, data)).startswith(sentence)


def test_captions_say_who_rolls_for_what() -> None:
    s = state()
    roll = (RollLine("germany", "", 1, 0),)
    assert words.caption(s, "bombing", roll) == "Germany rolls for the bombs."
    s.land = LandBattle(("W3222",), (("W3123", "germany", "inf", 5),), differential=3)
    attack = "Germany rolls for the attack on Riga (W3222) at +3."
    assert words.caption(s, "land_attack", roll) == attack
    defenders = (RollLine("ussr", "", 1, 0),)
    counter = "The Soviet Union rolls for the Counter-Attack from Riga (W3222)."
    assert words.caption(s, "land_counter_attack", defenders) == counter


def test_a_fortification_is_counted_by_its_points() -> None:
    assert (
        words.units(state().facts, {"fort": 2, "inf": 3}) == "2 Fortification points and 3 Infantry"
    )


def test_several_of_what_is_counted_singly_are_many() -> None:
    facts = state().facts
    told = words.units(facts, {"ss": 2, "ms": 1, "inf": 3, "surf_b": 2, "lrb": 4})
    assert told == "2 Submarines, 1 Merchant Ship, 3 Infantry, 2 Surface-B and 4 Long Range Bombers"
