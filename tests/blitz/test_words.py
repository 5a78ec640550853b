"""What a person sees: every event has its own sentence."""

from __future__ import annotations

import ast
import random
import re
from string import Formatter
from typing import Any

import pytest

import sandtable
from sandtable.games.blitz import RULES, words
from sandtable.games.blitz.facts import load_facts
from sandtable.kernel.decisions import RollLine, plain
from sandtable.kernel.events import Event
from tests.blitz.table import Play


def emitted() -> dict[str, list[set[str]]]:
    """The kinds of event that the rules emit, with the fields of each place that does."""
    found: dict[str, list[set[str]]] = {}
    for path in sorted((RULES.folder / "rules").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "emit"
            ):
                (kind,) = node.args
                assert isinstance(kind, ast.Constant), f"{path.name}:{node.lineno}"
                fields = {keyword.arg or "" for keyword in node.keywords} - {"to"}
                found.setdefault(str(kind.value), []).append(fields)
    return found


def test_every_kind_of_event_has_a_sentence() -> None:
    assert len(emitted()) > 60
    assert sorted(emitted()) == sorted(words._SENTENCES)


def test_every_kind_of_roll_has_words() -> None:
    """The kinds that stand in the rules, and those of the Rounds."""
    kinds = {f"{round_}_round" for round_ in ("air", "naval", "land", "strategic")}
    for file in (RULES.folder / "rules").glob("*.py"):
        kinds |= set(re.findall(r'g\.roll\(\s*"(\w+)"', file.read_text(encoding="utf-8")))
    assert set(words._ROLLS) == kinds
    state = Play().state
    line = RollLine("axis", "poland", 1, 0)
    assert words.caption(state, "land_round", [line]) == "the Land Round in Poland, Axis"
    line = RollLine("germany", "ger_bb_fleet", 1, 2)
    assert words.caption(state, "blockade", [line]) == "the blockade of BB Fleet"


def test_sentences_use_only_fields_that_events_have() -> None:
    for kind, places in emitted().items():
        template = words._SENTENCES[kind]
        if isinstance(template, str):
            used = {
                field.partition("[")[0] for _, field, _, _ in Formatter().parse(template) if field
            }
            for fields in places:
                assert used <= fields, kind


@pytest.mark.parametrize("scenario", ["A", "B", "C", "D", "E", "F", "campaign"])
def test_random_games_are_told_in_sentences(scenario: str) -> None:
    game = sandtable.new("blitz", seed=5, options={"scenario": scenario})
    rng = random.Random(5)
    for _ in range(700):
        if not game.pending:
            break
        request = rng.choice(game.pending)
        game.submit(request.power, game.legal(request).sample(rng))
    facts = game.state.facts
    ids = {id for id in (*facts.names, *facts.commanders) if "_" in id}
    for event in game.events:
        text = game.rules.sentence(game.state, event)
        assert text.endswith(".") and not text.endswith(".."), text
        assert not {*re.findall(r"\w+", text)} & ids, text
        assert not re.search(r"[{}\[\]]|  |None|nobody", text), text
        assert text[0].isupper() or text[0].isdigit(), text
        again = Event(**plain(event))
        assert game.rules.sentence(game.state, again) == text, "other after JSON"
    assert len({event.kind for event in game.events}) > 5


def say(kind: str, **data: Any) -> str:
    return words.sentence(load_facts(), Event(kind, data))


@pytest.mark.parametrize(
    ("kind", "data", "said"),
    [
        (
            "war_declared",
            {"power": "germany", "against": "poland"},
            "Germany declared war on Poland.",
        ),
        (
            "marched",
            {"unit": "ger_army_group_b", "path": ("paris", "western_germany", "berlin")},
            "Army Group B moved from Paris to Berlin by way of Western Germany.",
        ),
        (
            "attack_announced",
            {
                "power": "afa",
                "combat": "ground",
                "space": "paris",
                "units": ("afa_bef", "afa_1st_airborne"),
                "port": "",
                "flying": ("afa_1st_airborne",),
            },
            "The AFA announced a Ground Attack on Paris with BEF and 1st Airborne, "
            "1st Airborne flying.",
        ),
        (
            "fired",
            {
                "space": "poland",
                "round": "land",
                "side": "axis",
                "factors": 10,
                "lines": (("axis", "poland", 1, 0),),
                "dice": (4,),
                "damage": 1,
                "letter": "L",
            },
            "Land Round in Poland: the Axis with 10 factors rolled 4: "
            "1 point of damage and letter L.",
        ),
        (
            "destroyed",
            {"losses": {"afa": ("afa_polish_army",)}, "space": "poland", "power": "germany"},
            "Polish Army was destroyed in Poland by Germany.",
        ),
        (
            "destroyed",
            {"losses": {"afa": ("afa_polish_army",)}, "space": "poland", "power": ""},
            "Polish Army was destroyed in Poland.",
        ),
        (
            "blitz_announced",
            {"power": "ussr", "blitz": "total", "oil": 2, "resources": 0},
            "The USSR announced a Total Blitz for 2 Oil.",
        ),
        (
            "scored",
            {"power": "germany", "points": 1, "award": "long_war", "total": 7},
            "Germany gained 1 Victory Point for Long War: 7 in all.",
        ),
        (
            "developed",
            {"power": "ussr", "unit": "sov_vvs.big", "owner": "ussr"},
            "The USSR developed VVS (Big) into its Force Pool.",
        ),
        (
            "entry_moved",
            {"power": "usa", "box": 4, "event": "axis_takes_goods"},
            "The It's War! marker of the USA is in box 4: the Axis took Oil or Resources.",
        ),
        (
            "liberated",
            {"power": "ussr", "recipient": "afa", "country": "poland"},
            "The USSR liberated Poland for the AFA.",
        ),
        (
            "liberated",
            {"power": "germany", "recipient": "germany", "country": "germany"},
            "Germany liberated Germany.",
        ),
        (
            "never_heard_of",
            {"unit": "ger_stukas", "at": "paris"},
            "Never heard of: unit Stukas, at Paris.",
        ),
        ("nothing_at_all", {}, "Nothing at all."),
    ],
)
def test_sentences(kind: str, data: dict[str, Any], said: str) -> None:
    assert say(kind, **data) == said


def test_everything_that_moves_an_entry_marker_is_told_in_words() -> None:
    for event in load_facts(None).neutral_entry:
        said = say("entry_moved", power="usa", box=1, event=event)
        assert event.replace("_", " ") not in said


@pytest.mark.rule("blitz:1.9a")
def test_books_are_secret_while_builds_are_made() -> None:
    play = Play("B", phase="turn_end", step="income", base="setup")
    assert set(play.state.books) == {"germany", "western_allies"}
    for power in play.state.books:
        assert set(play.game.observe(power)["state"]["books"]) == {power}
    one, two = play.game.clone(), play.game.clone()
    one.submit("germany", {"kind": "build", "unit": "ger_luftwaffe", "size": 2})
    two.submit("germany", {"kind": "build", "unit": "ger_6th_army", "size": 1, "at": "berlin"})
    for game in (one, two):
        game.submit("western_allies", {"kind": "build", "unit": "afa_spitfires", "size": 3})
    assert one.observe("germany") != two.observe("germany")
    assert one.observe("western_allies") == two.observe("western_allies")
