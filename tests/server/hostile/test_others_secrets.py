"""Questions that are asked to find out what others have decided in secret."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI

from sandtable.kernel.display import Odds
from sandtable.kernel.game import Game
from sandtable.server.questions import SECRET
from tests.kernel.toy import ToyRules
from tests.server.conftest import Player, guest
from tests.server.playing import table

POWERS = ("red", "green", "blue", "white")


@pytest.fixture(autouse=True)
def telling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Odds that go by all that was decided, as those of battles in which both sides choose."""

    def odds(self: Any, game: Game, *_: Any) -> Odds:
        return Odds("All bids", len(game.journal) / 100, 0.0)

    monkeypatch.setattr(ToyRules, "odds", odds)


def bidding(players: dict[str, Player], id: str, first: list[str]) -> None:
    """All place their stones, and these bid."""
    while True:
        info = players["red"].get(f"/api/games/{id}")
        version = info["version"]
        if len(info["waiting"]) == len(POWERS):
            break
        power = info["waiting"][0]
        legal = players[power].get(f"/api/games/{id}/legal", power=power)["decisions"][0]
        body = {"power": power, "decision": legal, "version": version}
        players[power].post(f"/api/games/{id}/decisions", body)
    for power in first:
        body = {"power": power, "decision": {"kind": "bid", "coins": 1}, "version": version}
        players[power].post(f"/api/games/{id}/decisions", body)


def test_odds_do_not_tell_what_others_have_decided_in_secret(
    toy: ToyRules, anna: Player, app: FastAPI
) -> None:
    """Whoever decides last could ask for odds before: they were those with the decisions of all
    others, and with the own one as well."""
    players = {power: guest(app, power.title()) for power in POWERS[1:]}
    players["red"] = anna
    id = table(anna, "toy", [(players[power], [power]) for power in POWERS])
    bidding(players, id, [])
    ask = {"power": "red", "space": "x"}
    mine = {"first": [{"kind": "bid", "coins": 2}]}
    assert anna.post(f"/api/games/{id}/odds", ask)["odds"]
    bidding(players, id, ["green", "blue", "white"])
    for question in (ask, {**ask, **mine}, {**ask, "at": anna.get(f"/api/games/{id}")["version"]}):
        found = anna.post(f"/api/games/{id}/odds", question)
        assert (found["odds"], found["reason"]) == (None, SECRET)


def test_who_plays_for_all_knows_anyway(toy: ToyRules, anna: Player) -> None:
    id = table(anna, "toy", [(anna, list(POWERS))])
    bidding(dict.fromkeys(POWERS, anna), id, ["green", "blue", "white"])
    assert anna.post(f"/api/games/{id}/odds", {"power": "red", "space": "x"})["odds"]
