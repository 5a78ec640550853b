"""Whatever a question or a decision costs, it ends with a sentence, and others do not wait."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI

from sandtable.kernel.game import Game
from sandtable.server import patience, questions
from tests.server.conftest import Player
from tests.server.hostile.test_bots import endless
from tests.server.playing import places, table

WORDS = "This takes too long to work out here"


@pytest.fixture
def game(anna: Player, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(patience, "QUESTION_SECONDS", 0.2)
    powers = [power for place in places(anna, "aa1942") for power in place]
    return table(anna, "aa1942", [(anna, powers)])


def asked(anna: Player, game: str) -> dict[str, Any]:
    """Everything that can be asked, by the function that answers it."""
    power = anna.get(f"/api/games/{game}")["waiting"][0]
    path = f"/api/games/{game}"
    return {
        "form": lambda: anna.http.get(f"{path}/form", params={"power": power}),
        "legal_decisions": lambda: anna.http.get(f"{path}/legal", params={"power": power}),
        "check": lambda: anna.http.post(
            f"{path}/check", json={"power": power, "decision": {"kind": "buy", "units": {}}}
        ),
        "reach": lambda: anna.http.post(
            f"{path}/reach", json={"power": power, "space": "germany", "chosen": {}}
        ),
        "odds": lambda: anna.http.post(f"{path}/odds", json={"power": power, "space": "germany"}),
    }


@pytest.mark.parametrize("name", ["form", "legal_decisions", "check", "reach", "odds"])
def test_an_endless_question_is_answered_with_a_sentence(
    anna: Player, game: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = asked(anna, game)[name]
    with monkeypatch.context() as patch:
        patch.setattr(questions, name, endless)
        answer = ask()
    assert answer.status_code == 503
    assert answer.json()["error"].startswith(WORDS)
    monkeypatch.setattr(patience, "QUESTION_SECONDS", 60.0)
    assert asked(anna, game)["form"]().status_code == 200, "the game goes on"


def test_an_endless_decision_changes_nothing(
    anna: Player, app: FastAPI, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "QUICK_SECONDS", 0.1)
    monkeypatch.setattr(patience, "DECISION_SECONDS", 0.2)
    monkeypatch.setattr(patience, "QUESTION_SECONDS", 60.0)
    # Opened anew: a game that is in memory has the patience of when it was opened.
    app.state.rooms._tables.clear()
    power = anna.get(f"/api/games/{game}")["waiting"][0]
    legal = anna.get(f"/api/games/{game}/legal", power=power, limit=5)["decisions"][0]
    body = {"power": power, "decision": legal, "version": 0}
    tried = []

    def submit(self: Game, *arguments: Any) -> None:
        tried.append(arguments)
        endless()

    with monkeypatch.context() as patch:
        patch.setattr(Game, "submit", submit)
        answer = anna.post(f"/api/games/{game}/decisions", body, 503)
    assert answer["error"].startswith(WORDS)
    assert len(tried) == 2, "once quickly, and once more where it holds up nobody"
    assert anna.get(f"/api/games/{game}")["version"] == 0
    monkeypatch.setattr(patience, "QUICK_SECONDS", 60.0)
    app.state.rooms._tables.clear()
    assert anna.post(f"/api/games/{game}/decisions", body)["version"] == 1
