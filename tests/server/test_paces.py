"""Powers that decide in secret at their own pace: whatever one of them does, the server tells all
others the same."""

from __future__ import annotations

import json
import random
from contextlib import ExitStack
from typing import Any

import pytest
from fastapi import FastAPI

import sandtable
from sandtable.games.blitz.rules.spend import Build, Research, Sabotage
from sandtable.games.blitz.rules.steps import Done
from sandtable.kernel.decisions import Decision, plain
from sandtable.kernel.game import Game, Rolled
from sandtable.kernel.savefile import save_text
from sandtable.server import rooms
from tests.server.conftest import Player, guest
from tests.server.playing import Watcher, table, watching

POWERS = ("germany", "japan", "afa", "usa", "ussr")
POSITION: dict[str, Any] = {
    "base": "empty",
    "phase": "turn_end",
    "step": "income",
    "turn": 3,
    "entry": {"usa": 15, "ussr": 15},
    "units": {
        unit: {"at": at}
        for unit, at in {
            "ger_6th_army": "berlin",
            "ger_18th_army": "berlin",
            "jap_25th_army": "tokyo",
            "afa_bef": "london",
            "usa_5th_army": "central_plains",
            "sov_caucasus_front": "moscow",
        }.items()
    },
}
SECRETS: tuple[Decision, ...] = (Research(), Sabotage("afa", 0))
"""Each with a die."""
DIFFERENT = ("id", "commitment", "entropy", "created", "updated", "away", "since")
"""What differs between any two tables: ids, times, and the dice's commitment."""
OTHERS: tuple[Decision, ...] = (Build("ger_18th_army", 2), Build("ger_6th_army", 2))


def spending() -> Game:
    """All five powers spend."""
    options = {"scenario": "campaign", "sabotage": True}
    return sandtable.new("blitz", seed=1, options=options, position=POSITION)


class Seen:
    """A table at which five people spend; all that anybody but Germany's can find out."""

    def __init__(self, players: list[Player], stack: ExitStack) -> None:
        seats = [(player, [power]) for player, power in zip(players, POWERS, strict=False)]
        self.id = table(players[0], "blitz", seats, save=save_text(spending()))
        self.path = f"/api/games/{self.id}"
        self.players = dict(zip((*POWERS, ""), players, strict=True))
        """By power; the last only looks on."""
        self.sockets: dict[str, Watcher] = {
            power: stack.enter_context(watching(player, self.id))
            for power, player in self.players.items()
        }

    def decide(self, power: str, decision: Decision, version: int | None = None) -> None:
        """By default for the version that the player knows."""
        self.sockets[power].meanwhile()
        known = self.sockets[power].mirror.version
        body = {
            "power": power,
            "decision": plain(decision),
            "version": known if version is None else version,
        }
        self.players[power].post(f"{self.path}/decisions", body)

    def take_back(self, power: str, status: int | None = None) -> None:
        """The last decision of a power."""
        self.sockets[power].meanwhile()
        body = {"power": power, "version": self.sockets[power].mirror.version}
        self.players[power].post(f"{self.path}/undo", body, status)

    def by_others(self) -> dict[str, Any]:
        """Everything that the others have been told, and what they are answered now."""
        seen: dict[str, Any] = {}
        for power, player in self.players.items():
            if power == "germany":
                continue
            socket = self.sockets[power]
            socket.meanwhile()
            version = socket.mirror.version
            asked = ["", "view", "view?at=0", f"view?at={max(0, version - 1)}", "history"]
            asked += [f"view?at={version}", f"view?at={version + 1}", "report", "replay?after=0"]
            asked += [f"replay?after={version}", f"replay?after={version + 1}", "save"]
            asked += [f"{what}?power={power}" for what in ("form", "observe") if power]
            with watching(player, self.id) as anew:
                hello = anew.told[0]
            answers = [player.http.get(f"{self.path}/{path}".rstrip("/")).text for path in asked]
            lists = [player.http.get(f"/api/games?list={which}") for which in ("mine", "public")]
            answers += [
                json.dumps([game for game in found.json()["games"] if game["id"] == self.id])
                for found in lists
            ]
            seen[power] = [*socket.told, hello, *answers]
        return {power: [self._alike(text) for text in told] for power, told in seen.items()}

    def _alike(self, text: str) -> Any:
        """Without what differs between any two tables."""

        def clean(value: Any) -> Any:
            if isinstance(value, dict):
                return {key: clean(each) for key, each in value.items() if key not in DIFFERENT}
            return [clean(each) for each in value] if isinstance(value, list) else value

        return clean(json.loads(text))


@pytest.mark.rule("blitz:1.9a")
def test_whatever_one_does_at_its_own_pace_all_others_are_told_the_same(
    anna: Player, app: FastAPI
) -> None:
    """Two tables that are the same but for what Germany does: research and sabotage, with a die
    each, or builds. Germany goes ahead; others decide for a version that is past, and come back to
    a table that has gone on."""
    players = [anna, *(guest(app, name.title()) for name in (*POWERS[1:], "watcher"))]
    with ExitStack() as stack:
        one, two = (Seen(players, stack) for _ in range(2))
        for seen, decisions in ((one, SECRETS), (two, OTHERS)):
            seen.decide("germany", decisions[0])
            # Made before anything was known of Germany's, and yet taken.
            seen.decide("afa", Build("afa_bef", 2), version=0)
            seen.decide("germany", decisions[1])
        assert one.by_others() == two.by_others()
        for seen in (one, two):
            seen.decide("japan", Done(), version=0)
            seen.decide("germany", Done())
        assert one.by_others() == two.by_others()
        journals = [app.state.rooms._tables[each.id].room.game.journal for each in (one, two)]
        rolls = [sum(isinstance(entry, Rolled) for entry in journal) for journal in journals]
        assert rolls[0] >= len(SECRETS) and rolls[1] == 0


def test_a_bot_does_not_pause_for_a_die_that_fell_in_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rooms, "_PAUSE_AFTER_DICE", 1.0)
    game = spending()
    game.submit("germany", Research())
    assert isinstance(game.journal[-1], Rolled)
    assert rooms._pause(game) == rooms._PAUSE
    battle = sandtable.new("aa1942", seed=1)
    rng = random.Random(1)
    while not battle.version or not isinstance(battle.journal[-1], Rolled):
        battle.submit(battle.pending[0].power, battle.legal(battle.pending[0]).sample(rng))
    assert rooms._pause(battle) == 1.0
