"""What a person sees: every event has its own sentence."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import sandtable
from sandtable.games.aa1942 import words
from sandtable.games.aa1942.model import Combat
from sandtable.kernel.decisions import RollLine, plain
from sandtable.kernel.events import Event


def emitted() -> set[str]:
    """The kinds of event that the rules emit, read from their source."""
    folder = sandtable.new("aa1942", seed=1).rules.folder / "rules"
    sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    return set(re.findall(r"g\.emit\(\s*\"(\w+)\"", sources))


def test_every_kind_of_event_has_a_sentence() -> None:
    assert len(emitted()) > 25
    assert emitted() == set(words._SENTENCES)


@pytest.mark.parametrize("seed", range(4))
def test_random_games_are_told_in_sentences(seed: int) -> None:
    game = sandtable.new("aa1942", seed=seed, options={"interceptors": bool(seed % 2)})
    rng = random.Random(seed)
    for _ in range(2500):
        if not game.pending:
            break
        request = rng.choice(game.pending)
        game.submit(request.power, game.legal(request).sample(rng))
    ids = {id for id in (*game.state.facts.spaces, *game.state.facts.units) if "_" in id}
    for event in game.events:
        text = game.rules.sentence(game.state, event)
        assert text.endswith("."), text
        assert not text.endswith(".."), text
        assert not text.startswith(event.kind), text
        assert not {*re.findall(r"\w+", text)} & ids, text
        assert not re.search(r"[{}]|  |None", text), text
        assert text[0].isupper() or text[0].isdigit(), text
        again = Event(**plain(event))
        assert game.rules.sentence(game.state, again) == text, "other after JSON"
    assert len({event.kind for event in game.events}) > 15


def say(kind: str, **data: object) -> str:
    state = sandtable.new("aa1942", seed=1).state
    return words.sentence(state.facts, Event(kind, data))


@pytest.mark.parametrize(
    ("kind", "data", "said"),
    [
        ("bought", {"power": "germany", "units": {}, "repairs": {}}, "Germany bought nothing."),
        (
            "bought",
            {"power": "soviet_union", "units": {"tank": 2, "infantry": 5},
             "repairs": {"russia": 3}},
            "The Soviet Union bought 5 infantry and 2 tanks and repaired 3 damage in Russia.",
        ),
        (
            "bought",
            {"power": "japan", "units": {}, "repairs": {"japan": 1}},
            "Japan repaired 1 damage in Japan.",
        ),
        (
            "attack_move",
            {"power": "germany", "units": {"tank": 1}, "raid": False,
             "path": ["poland", "belorussia", "west_russia"]},
            "Germany sent 1 tank from Poland to West Russia by way of Belorussia.",
        ),
        (
            "attack_move",
            {"power": "united_kingdom", "units": {"bomber": 2}, "raid": True,
             "path": ["united_kingdom", "germany"]},
            "The United Kingdom sent 2 bombers from United Kingdom to Germany to bomb the "
            "industrial complex.",
        ),
        (
            "attack_move",
            {"power": "united_kingdom", "units": {"fighter": 1}, "raid": True,
             "path": ["france", "germany"]},
            "The United Kingdom sent 1 fighter from France to Germany to escort the bombers.",
        ),
        (
            "fired",
            {"space": "egypt", "step": "attack", "round": 1, "dice": [1, 6, 3], "hits": 2,
             "lines": [["germany", "infantry", 2, 1, 6], ["germany", "tank", 1, 3, 6]]},
            "Attack in Egypt, round 1: 2 infantry at 1 rolled 1 6; 1 tank at 3 rolled 3: 2 hits.",
        ),
        (
            "fired",
            {"space": "sz5", "step": "defence", "round": 2, "dice": [4, 2], "hits": 1,
             "lines": [["germany", "cruiser", 1, 3, 6], ["japan", "submarine", 1, 1, 6]]},
            "Defence in Sea Zone 5, round 2: Germany 1 cruiser at 3 rolled 4; "
            "Japan 1 submarine at 1 rolled 2: 1 hit.",
        ),
        (
            "captured",
            {"space": "egypt", "power": "germany", "recipient": "germany",
             "against": "united_kingdom"},
            "Germany took Egypt from the United Kingdom.",
        ),
        (
            "captured",
            {"space": "egypt", "power": "united_states", "recipient": "united_kingdom",
             "against": "germany"},
            "The United States freed Egypt from Germany for the United Kingdom.",
        ),
        (
            "captured",
            {"space": "yakut_ssr", "power": "japan", "recipient": "japan",
             "against": "soviet_union"},
            "Japan took Yakut S.S.R. from the Soviet Union.",
        ),
        (
            "battle_began",
            {"space": "yakut_ssr", "power": "japan"},
            "Japan attacked in Yakut S.S.R.",
        ),
        (
            "battle_ended",
            {"space": "egypt", "attackers": {}, "defenders": {}},
            "The battle in Egypt is over: nobody is left.",
        ),
        (
            "battle_ended",
            {"space": "egypt", "attackers": {"germany": {"tank": 1}}, "defenders": {}},
            "The battle in Egypt is over: 1 tank of Germany is left.",
        ),
        (
            "raid_fire",
            {"space": "italy", "step": "complex", "dice": [1], "hits": 1},
            "The industrial complex in Italy rolled 1: 1 hit.",
        ),
        (
            "lost",
            {"space": "egypt", "of": "defender",
             "losses": {"united_kingdom": {"infantry": 1}, "united_states": {"fighter": 2}}},
            "Lost in Egypt: 1 infantry of the United Kingdom and 2 fighters of the United States.",
        ),
        (
            "bombed",
            {"space": "germany", "dice": [4, 2], "damage": 6},
            "Bombs on Germany rolled 4 2: 6 damage to its complex.",
        ),
        (
            "bombed",
            {"space": "germany", "dice": [], "damage": 0},
            "No bomber is left to bomb Germany.",
        ),
        ("refunded", {"power": "japan", "units": {"industrial_complex": 2}, "ipcs": 30},
         "Japan gave back 2 industrial complexes for 30 IPCs: there was no room."),
        ("disagreed", {"space": "egypt", "powers": ["united_kingdom", "united_states"]},
         "The United Kingdom and the United States did not agree on the casualties in Egypt."),
        ("plundered", {"against": "united_kingdom", "power": "germany", "ipcs": 1},
         "Germany seized the treasury of the United Kingdom: 1 IPC."),
        ("reverted", {"space": "india", "power": "united_kingdom", "against": "united_states"},
         "India went back from the United States to the United Kingdom."),
        ("no_income", {"power": "germany"},
         "Germany collected nothing: its capital is in enemy hands."),
        ("refused", {"power": "united_states", "against": "united_kingdom", "space": "sz10"},
         "The United States did not take units of the United Kingdom aboard in Sea Zone 10."),
        ("won", {"winners": ["germany", "japan"], "reason": "The Axis hold 9 victory cities."},
         "The Axis hold 9 victory cities. The war is won by Germany and Japan."),
        (
            "sailed",
            {"power": "germany", "path": ["sz5"], "loaded": 2, "space": "norway",
             "units": {"infantry": 2}},
            "Germany: a transport in Sea Zone 5 took 2 units aboard and landed 2 infantry in "
            "Norway.",
        ),
    ],
)  # fmt: skip
def test_sentences(kind: str, data: dict[str, object], said: str) -> None:
    assert say(kind, **data) == said


def test_names_within_a_sentence() -> None:
    facts = sandtable.new("aa1942", seed=1).state.facts
    assert facts.name("sz17") == "Sea Zone 17"
    assert facts.name("aircraft_carrier") == "aircraft carrier"
    assert facts.name("soviet_union") == "the Soviet Union"
    # A territory and a power have the same id.
    assert facts.name("united_kingdom") == "United Kingdom"
    assert facts.power_name("united_kingdom") == "the United Kingdom"
    assert facts.power_name("germany") == "Germany"
    # What was typed wrongly is said as it was typed.
    assert facts.name("moon_base") == facts.power_name("moon_base") == "'moon_base'"
    assert facts.power_name("west_russia") == "West Russia"


@pytest.mark.parametrize(
    ("kind", "lines", "caption"),
    [
        (
            "attack",
            [("germany", "infantry", 2, 1), ("germany", "tank", 1, 3)],
            "attack in Egypt: 2 infantry at 1, 1 tank at 3",
        ),
        (
            "strike_back",
            [("germany", "submarine", 1, 1), ("japan", "submarine", 2, 1)],
            "surprise strike of the defender in Egypt: "
            "Germany 1 submarine at 1, Japan 2 submarines at 1",
        ),
        ("bombs", [("germany", "bomber", 2, 0)], "bombing of Egypt"),
        (
            "antiaircraft",
            [("germany", "antiaircraft_artillery", 3, 1)],
            "antiaircraft fire in Egypt",
        ),
    ],
)
def test_a_roll_in_words(kind: str, lines: list[Any], caption: str) -> None:
    state = sandtable.new("aa1942", seed=1).state.copy()
    state.combat = Combat("egypt", kind)
    assert words.caption(state, kind, [RollLine(*line) for line in lines]) == caption
