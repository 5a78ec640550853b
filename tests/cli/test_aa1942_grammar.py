"""What is typed in aa1942: every decision has a line that gives it back; ways are found."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sandtable
from sandtable.cli.aa1942.grammar import Aa1942
from sandtable.cli.aa1942.report import digest
from sandtable.cli.errors import Unclear
from sandtable.games.aa1942.rules.casualties import Casualties, ChooseCasualties, Hits
from sandtable.kernel.decisions import Decision
from sandtable.kernel.ruleset import Event
from tests.aa1942.table import (
    Bombard,
    Consent,
    Dive,
    Divert,
    Done,
    Engage,
    Fight,
    Intercept,
    Move,
    Place,
    Press,
    Retreat,
    move,
    sail,
    table,
)


@pytest.mark.parametrize("seed", range(3))
def test_every_decision_has_a_line_that_gives_it_back(seed: int) -> None:
    game = sandtable.new("aa1942", seed=seed, options={"interceptors": True})
    grammar = Aa1942(game)
    rng = random.Random(seed)
    for _ in range(1500):
        if not game.pending:
            break
        request = rng.choice(game.pending)
        decision = game.legal(request).sample(rng)
        line = grammar.phrase(request, decision)
        again = grammar.read(request, line)
        assert _essence(again) == _essence(decision), line
        assert grammar.orders(request, line), line
        game.submit(request.power, decision)


def _essence(decision: Decision) -> object:
    """Air units may fly by another way of the same length."""
    if isinstance(decision, Move) and {"fighter", "bomber"} & set(decision.units):
        path = decision.path
        return (decision.units, path[0], path[-1], len(path), decision.raid)
    return decision


def test_every_request_has_a_question_and_help() -> None:
    game = sandtable.new("aa1942", seed=8, options={"interceptors": True})
    grammar = Aa1942(game)
    rng = random.Random(8)
    kinds = set()
    for _ in range(1200):
        request = rng.choice(game.pending)
        if request.kind not in kinds:
            kinds.add(request.kind)
            assert len(grammar.prompt(request)) > 1, request.kind
            assert len(grammar.help(request)) > 1, request.kind
            assert grammar.title(request)[0].startswith("Round")
        game.submit(request.power, game.legal(request).sample(rng))
    assert {"purchase", "combat_move", "choose_casualties", "press_or_retreat"} <= kinds


def read(position: Any, line: str) -> list[Decision]:
    """The decisions of a line, each submitted."""
    game = position.game
    grammar = Aa1942(game)
    found = []
    for order in grammar.orders(game.pending[0], line):
        request = game.pending[0]
        found.append(grammar.read(request, order))
        game.submit(request.power, found[-1])
    return found


FRONT = {
    "ukraine_ssr": {"germany": "3 infantry, 2 tank, fighter"},
    "caucasus": {"soviet_union": "infantry"},
}


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("2 inf, tank from ukr to cauc", move("2 infantry, tank", "ukraine_ssr > caucasus")),
        ("move tank to caucasus from ukraine", move("tank", "ukraine_ssr > caucasus")),
        ("tank from ukr > cauc", move("tank", "ukraine_ssr > caucasus")),
        ("all infantry from ukr into cauc", move("3 infantry", "ukraine_ssr > caucasus")),
        ("tank from ukr via cauc to ukr", None),
        ("2 arm from ukr to west russia", None),
    ],
)  # fmt: skip
def test_moves_on_land(line: str, decision: Decision | None) -> None:
    t = table("germany", units=FRONT)
    if decision is None:
        with pytest.raises(sandtable.IllegalDecision):
            read(t, line)
    else:
        assert read(t, line) == [decision]


def test_a_way_through_friends_goes_before_a_blitz() -> None:
    units = {"poland": {"germany": "2 tank"}, "west_russia": {"soviet_union": "infantry"}}
    soviet = {"belorussia": "soviet_union", "west_russia": "soviet_union"}
    t = table("germany", units=units, control=soviet)
    friendly = move("tank", "poland > ukraine_ssr > west_russia")
    blitz = move("tank", "poland > belorussia > west_russia")
    assert read(t, "tank from poland to west russia") == [friendly]
    assert read(t, "tank from poland via belorussia to west russia") == [blitz]
    assert t.s.control["belorussia"] == "germany"


def test_a_tank_may_blitz_and_come_back() -> None:
    t = table(
        "germany", units={"poland": {"germany": "tank"}}, control={"belorussia": "soviet_union"}
    )
    there_and_back = move("tank", "poland > belorussia > poland")
    assert read(t, "tank from poland via belorussia to poland") == [there_and_back]


def test_ships_and_aircraft_find_their_way() -> None:
    t = table(
        "germany",
        units={
            "sz5": {"germany": "submarine, cruiser"},
            "sz7": {"united_kingdom": "transport"},
            "germany": {"germany": "bomber"},
            "united_kingdom": {"united_kingdom": "infantry"},
        },
    )
    assert read(t, "submarine, cruiser from sz5 to sz7") == [
        move("submarine, cruiser", "sz5 > sz6 > sz7")
    ]
    (raid,) = read(t, "raid uk with bomber from germany")
    assert isinstance(raid, Move)
    assert (raid.raid, raid.path[0], raid.path[-1]) == (True, "germany", "united_kingdom")


NORTH = {
    "united_kingdom": {"united_kingdom": "4 infantry, 2 tank"},
    "sz7": {"united_kingdom": "2 transport, battleship"},
    "norway": {"germany": "infantry"},
}


@pytest.mark.parametrize(
    "line",
    [
        "load 2 infantry from united_kingdom in sz7, sail sz6, land norway",
        "load 2 inf from uk, sail sz6, land norway",
        "Load 2 infantry from UK and sail to sz7 sz6 and land in Norway.",
        "ship 2 infantry from uk to norway via sz6",
    ],
)
def test_a_landing_in_many_words(line: str) -> None:
    t = table("united_kingdom", units=NORTH)
    (voyage,) = read(t, line)
    assert voyage.path == ("sz7", "sz6")
    assert voyage.offload == "norway"
    assert voyage.load[0].units == {"infantry": 2}


def test_the_shortest_voyage_is_found() -> None:
    t = table("united_kingdom", units=NORTH)
    (voyage,) = read(t, "ship infantry, tank from uk to norway")
    assert len(voyage.path) == 2
    assert voyage.path[-1] in ("sz3", "sz6")


def test_what_fills_two_transports_takes_two() -> None:
    t = table("united_kingdom", units=NORTH)
    voyages = read(t, "ship 2 infantry, 2 tank from uk to norway via sz6")
    assert [v.load[0].units for v in voyages] == [{"tank": 1, "infantry": 1}] * 2
    t = table("united_kingdom", units=NORTH)
    with pytest.raises((Unclear, sandtable.IllegalDecision)):
        read(t, "ship 4 infantry, 2 tank from uk to norway via sz6")


def test_an_allys_transport_and_cargo_aboard() -> None:
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "eastern_canada": {"united_kingdom": "infantry"},
            "sz10": {"united_states": "transport"},
            "sz2": {"united_kingdom": "transport"},
        },
        cargo={"sz2": {"united_kingdom": [{"ship": "transport",
                                           "load": {"united_kingdom": {"tank": 1}}}]}},
    )  # fmt: skip
    assert read(t, "on united_states, load infantry from eastern canada in sz10") == [
        sail("sz10", "infantry from eastern_canada in sz10", owner="united_states")
    ]
    (voyage,) = read(t, "sail sz7, carrying tank, land uk")
    assert (voyage.path, voyage.offload) == (("sz2", "sz7"), "united_kingdom")


def casualties(line: str, units: dict[str, dict[str, int]], hits: int) -> Decision:
    game = sandtable.new("aa1942", seed=1)
    request = ChooseCasualties(next(iter(units)), "egypt", Hits(any=hits), units, "defender")
    return Aa1942(game).read(request, line)


def test_casualties() -> None:
    uk = {"united_kingdom": {"infantry": 2, "tank": 1, "fighter": 1}}
    assert casualties("2 inf, tank", uk, 3) == Casualties(
        {"united_kingdom": {"infantry": 2, "tank": 1}}
    )
    assert casualties("lose all infantry", uk, 2) == Casualties({"united_kingdom": {"infantry": 2}})
    both = {**uk, "united_states": {"fighter": 2}}
    chosen = Casualties({"united_kingdom": {"infantry": 1}, "united_states": {"fighter": 1}})
    assert casualties("infantry, us fighter", both, 2) == chosen
    assert casualties("uk infantry, 1 united_states fighter", both, 2) == chosen
    with pytest.raises(Unclear, match="Whose fighter"):
        casualties("fighter", both, 1)
    with pytest.raises(Unclear, match="no bomber in this battle"):
        casualties("bomber", both, 1)
    ships = {"japan": {"battleship": 2, "transport (infantry, tank)": 1, "fighter (range 2)": 1}}
    assert casualties("damage battleship", ships, 1) == Casualties({}, {"japan": 1})
    assert casualties("transport (infantry, tank), fighter (range 2)", ships, 2) == Casualties(
        {"japan": {"transport (infantry, tank)": 1, "fighter (range 2)": 1}}
    )


class _Asked:
    """A request that has just the fields of its kind."""

    def __init__(self, kind: str, **fields: Any) -> None:
        self.kind = kind
        self.__dict__.update(fields)


@pytest.mark.parametrize(
    ("request_", "line", "decision"),
    [
        (_Asked("press_or_retreat", to=("libya",)), "p", Press()),
        (_Asked("press_or_retreat", to=("libya",)), "retreat", Retreat("libya")),
        (_Asked("press_or_retreat", to=("libya", "algeria")), "r to alg", Retreat("algeria")),
        (_Asked("press_or_retreat", to=()), "retreat", Retreat("")),
        (_Asked("submerge_or_strike", submarines=3), "strike", Dive(0)),
        (_Asked("submerge_or_strike", submarines=3), "submerge", Dive(3)),
        (_Asked("submerge_or_strike", submarines=3), "submerge 2", Dive(2)),
        (_Asked("engage_or_ignore"), "attack", Engage(True)),
        (_Asked("engage_or_ignore"), "ignore", Engage(False)),
        (_Asked("choose_battle", battles=("egypt", "india"), optional=()), "2", Fight("india")),
        (_Asked("choose_battle", battles=("egypt",), optional=("sz5",)), "fight 5", Fight("sz5")),
        (_Asked("choose_battle", battles=(), optional=("sz5",)), "done", Done()),
        (_Asked("mobilize", units={"tank": 2}), "all in ger", Place("germany", {"tank": 2})),
        (_Asked("mobilize", units={"tank": 2}), "place tank in italy", Place("italy", {"tank": 1})),
        (_Asked("land_stranded"), "egypt", Divert("egypt")),
        (_Asked("share_space"), "y", Consent(True)),
        (_Asked("share_space"), "no", Consent(False)),
        (_Asked("commit_interceptors", fighters={"germany": 2}), "pass", sandtable.Pass()),
        (_Asked("commit_interceptors", fighters={"germany": 2}), "all", Intercept({"germany": 2})),
        (
            _Asked("commit_interceptors", fighters={"germany": 2, "france": 1}),
            "1 in germany, france",
            Intercept({"germany": 1, "france": 1}),
        ),
        (
            _Asked("choose_bombardment", ships={"sz6": {"battleship": 1, "cruiser": 2}}, limit=2),
            "all",
            Bombard({"sz6": {"battleship": 1, "cruiser": 1}}),
        ),
        (
            _Asked("choose_bombardment", ships={"sz6": {"battleship": 1}}, limit=2),
            "bb in sz6",
            Bombard({"sz6": {"battleship": 1}}),
        ),
        (_Asked("choose_bombardment", ships={"sz6": {"cruiser": 1}}, limit=2), "none", Bombard()),
    ],
)
def test_short_answers(request_: Any, line: str, decision: Decision) -> None:
    assert Aa1942(sandtable.new("aa1942", seed=1)).read(request_, line) == decision


@pytest.mark.parametrize(
    ("request_", "line", "said"),
    [
        (_Asked("press_or_retreat", to=("libya", "algeria")), "retreat", "Retreat to Libya or Alg"),
        (_Asked("press_or_retreat", to=()), "maybe", "Type press, or retreat."),
        (_Asked("submerge_or_strike", submarines=1), "maybe", "Type strike, submerge, or how many"),
        (_Asked("engage_or_ignore"), "maybe", "Type attack, or ignore."),
        (_Asked("share_space"), "maybe", "Type yes, or no."),
        (_Asked("mobilize", units={}), "tank", "Say what goes where"),
        (_Asked("choose_bombardment", ships={}, limit=1), "bb", "So many cannot bombard: bb."),
    ],
)
def test_unclear_answers(request_: Any, line: str, said: str) -> None:
    with pytest.raises(Unclear) as error:
        Aa1942(sandtable.new("aa1942", seed=1)).read(request_, line)
    assert str(error.value).startswith(said)


def battle(*kinds: str) -> list[Event]:
    """A battle of the Soviet Union against Germany."""
    losses = {"germany": {"infantry": 1}}
    data: dict[str, dict[str, Any]] = {
        "battle_began": {"space": "ukraine_ssr", "attacker": "soviet_union"},
        "lost": {"space": "ukraine_ssr", "of": "defender", "units": losses},
        "retreated": {"space": "ukraine_ssr", "power": "soviet_union", "goal": "caucasus"},
        "battle_ended": {"space": "ukraine_ssr", "attackers": {}, "defenders": losses},
    }
    return [Event(kind, data[kind]) for kind in kinds]


def test_own_battles_are_told_fully_and_others_in_a_line() -> None:
    facts = sandtable.new("aa1942", seed=1).state.facts
    whole = battle("battle_began", "lost", "retreated", "battle_ended")
    assert len(digest(facts, whole, {"germany"})) == 4
    assert digest(facts, whole, {"japan"}) == [
        "  The Soviet Union attacked Ukraine S.S.R. and withdrew. [dim]Lost: Germany 1 infantry.[/]"
    ]
    assert len(digest(facts, battle("battle_began", "lost"), {"germany"})) == 2
    assert len(digest(facts, battle("retreated", "battle_ended"), {"germany"})) == 2


def test_moves_of_others_are_left_to_the_log() -> None:
    facts = sandtable.new("aa1942", seed=1).state.facts
    moved = Event("moved", {"power": "japan", "units": {"tank": 1}, "path": ["kiangsu", "anhwei"]})
    assert digest(facts, [moved], {"germany"}) == []
    assert len(digest(facts, [moved], {"japan"})) == 1
