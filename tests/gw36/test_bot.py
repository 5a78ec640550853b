"""The greedy bot: legal everywhere, the same each time, and it does what is obvious."""

from __future__ import annotations

import random

import pytest

import sandtable
from sandtable.bots import make_bot
from sandtable.games.gw36 import bot
from sandtable.games.gw36.bot.worth import fair_game, prize, threat, worth
from sandtable.games.gw36.model import Battle, Job, State, Unit
from sandtable.games.gw36.rules import rights
from sandtable.games.gw36.rules.casualties import Casualties, ChooseCasualties
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.production import Advance
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.game import Decided
from tests.gw36.table import Table, table

DICE = random.Random(1)


def played(seed: int, most: int, **options: object) -> sandtable.Game:
    """A game between greedy bots, of so many decisions at most."""
    game = sandtable.new("gw36", seed=seed, options=options)
    for _ in range(most):
        if not game.pending:
            break
        request = game.pending[0]
        game.submit(request.power, make_bot("greedy", seed).decide(game, request))
    return game


def answer(t: Table) -> Decision:
    """What the bot does about the first request."""
    return bot.decide(t.s, t.game.pending[0], DICE)


@pytest.mark.parametrize("scenario", ["1936", "1939"])
@pytest.mark.parametrize("rules", ["basic", "recommended", "everything"])
def test_it_plays_legally(scenario: str, rules: str) -> None:
    game = played(2, 500, scenario=scenario, rules=rules)
    assert game.rules.audit(game.state) == []
    kinds = {entry.decision.kind for entry in game.journal if isinstance(entry, Decided)}
    assert {"buy", "move", "place", "research", "advance"} <= kinds


def test_every_request_of_the_game_has_an_answer_of_its_own() -> None:
    def leaves(kind: type[Request]) -> set[type[Request]]:
        below = kind.__subclasses__()
        return {kind} if not below else {leaf for each in below for leaf in leaves(each)}

    asked = {
        kind for kind in leaves(Request) if kind.__module__.startswith("sandtable.games.gw36.rules")
    }
    assert asked - {rights.Diplomacy} == set(bot._IDEAS)


def test_the_same_position_gets_the_same_answer() -> None:
    game = played(5, 220, scenario="1939")
    for _ in range(60):
        request = game.pending[0]
        copy = State.from_plain(game.state.plain(), game.state.facts, game.state.options)
        decision = bot.decide(game.state, request, random.Random(1))
        assert bot.decide(copy, request, random.Random(1)) == decision
        game.submit(request.power, decision)


def test_it_walks_into_an_empty_neighbour_that_it_is_at_war_with() -> None:
    t = table(
        "italy",
        date="1937-07",
        units={"northern_italy": {"italy": "4 infantry"}},
        wars=[("france", "italy")],
    )
    decision = answer(t)
    assert isinstance(decision, Move)
    assert t.s.possession[decision.path[-1]] == "france"


def test_it_does_not_attack_what_it_cannot_beat() -> None:
    t = table(
        "italy",
        date="1937-07",
        units={
            "northern_italy": {"italy": "3 infantry"},
            "southern_france": {"france": "4 infantry, artillery"},
        },
        wars=[("france", "italy")],
    )
    assert answer(t) == Done()


def test_aircraft_join_an_attack_that_needs_no_more_land_units() -> None:
    t = table(
        "germany",
        units={
            "picardy": {"germany": {"infantry": [{"count": 6, "used": 1, "duty": "attack"}]}},
            "western_germany": {"germany": "2 tactical_bomber"},
        },
        wars=[("france", "germany")],
    )
    t.s.put("picardy", Unit("france", "infantry"), 4)
    t.s.planned = (("picardy", "land"),)
    decision = answer(t)
    assert isinstance(decision, Move)
    assert decision.units == {"tactical_bomber": 2} and decision.path[-1] == "picardy"


def test_the_chinese_factions_leave_each_other_alone() -> None:
    t = table(
        "ussr",
        units={"shensi": {"ccp": "8 infantry"}, "szechwan": {"kmt": "infantry"}},
        wars=[("ccp", "kmt")],
    )
    assert not fair_game(t.s, "ccp", "szechwan")
    assert not fair_game(t.s, "kmt", "shensi")
    t.s.wars |= {("ccp", "japan")}
    assert fair_game(t.s, "ccp", "rehe")


def test_transports_off_the_coast_are_a_threat() -> None:
    t = table(
        "germany",
        units={"western_germany": {"germany": "infantry"}},
        wars=[("germany", "great_britain")],
    )
    assert threat(t.s, "germany", "western_germany") == 0
    laden = Unit("great_britain", "naval_transport", cargo=(Unit("great_britain", "infantry"),) * 2)
    t.s.put("sz_027", laden)
    assert threat(t.s, "germany", "western_germany") == 4
    assert threat(t.s, "germany", "western_germany", by_sea=False) == 0


def test_partners_of_a_pact_are_no_threat_to_each_other() -> None:
    t = table(
        "germany",
        date="1940-01",
        units={"lubelskie": {"germany": "infantry"}, "western_ukraine": {"ussr": "5 infantry"}},
        possession={"lubelskie": "germany"},
        wars=[],
    )
    assert threat(t.s, "germany", "lubelskie") == 6
    t.s.pacts = frozenset({"molotov_ribbentrop"})
    assert threat(t.s, "germany", "lubelskie") == 0


def test_poland_stays_an_aim_when_britain_fights_on_for_it() -> None:
    t = table("germany", date="1939-07", units={"berlin": {"germany": "infantry"}}, wars=[])
    polish = prize(t.s, "germany", "warsaw")
    t.s.possession["warsaw"] = "great_britain"
    assert prize(t.s, "germany", "warsaw") == polish > worth(t.s, "warsaw")


def test_it_annexes_austria() -> None:
    t = table("germany", units={"bavaria": {"germany": "3 infantry"}})
    decision = answer(t)
    assert isinstance(decision, Move)
    assert decision.path == ("bavaria", "austria")


def test_it_lands_aircraft_before_it_is_done() -> None:
    t = table(
        "germany",
        "noncombat_move",
        units={
            "paris": {"germany": {"fighter": [{"used": 1, "duty": "fought"}]}},
            "bavaria": {"germany": "infantry"},
        },
        wars=[("france", "germany")],
    )
    decision = answer(t)
    assert isinstance(decision, Move)
    assert t.s.possession[decision.path[-1]] == "germany"


def test_it_pays_instalments_first() -> None:
    t = table("germany", "production", units={"berlin": {"germany": "infantry"}})
    t.s.track = (Job("germany", "battleship", 2),)
    assert answer(t) == Advance("battleship", 2)


def test_it_signs_the_pact_and_declares_the_wars_that_it_wants_in_its_own_turn() -> None:
    t = table("germany", date="1940-01", units={"berlin": {"germany": "infantry"}}, wars=[])
    mine = rights.Diplomacy("germany")
    assert bot.use(t.s, mine, DICE) == rights.AgreeToPact("molotov_ribbentrop")
    t.s.offers = frozenset({("molotov_ribbentrop", "germany")})
    assert bot.use(t.s, mine, DICE) == rights.DeclareWar("france")
    assert bot.use(t.s, rights.Diplomacy("usa"), DICE) is None


def test_it_keeps_the_dearest_and_hits_the_dearest() -> None:
    t = table("germany", units={"berlin": {"germany": "infantry"}})
    t.s.battle = Battle("alsace_lorraine", "land", ("germany",), ("france",))
    tiers = ({"germany:infantry": 2, "germany:medium_armor": 2},)
    own = ChooseCasualties("germany", "alsace_lorraine", 1, "infantry", tiers)
    assert bot.decide(t.s, own, DICE) == Casualties({"germany:infantry": 1})
    other = ChooseCasualties(
        "france", "alsace_lorraine", 1, "tactical_bomber", tiers, chosen_by_enemy=True
    )
    assert bot.decide(t.s, other, DICE) == Casualties({"germany:medium_armor": 1})
