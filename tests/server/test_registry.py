"""One unfinished or broken game never stops the others, and says what is wrong with it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import sandtable.games
from sandtable.kernel import registry
from sandtable.kernel.errors import BrokenGame
from sandtable.server import records
from sandtable.server.routes import catalogue
from tests.cli.runner import run
from tests.server.conftest import TestClient

Install = Callable[[str, str], None]

SOUND = """
from sandtable.games.aa1942 import AxisAndAllies1942

class Rules(AxisAndAllies1942):
    id = "{id}"

    def start(self, options, position, data):
        raise ValueError("no map yet")

RULES = Rules()
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a game's package beside the true ones, for the time of a test."""
    monkeypatch.setattr(sandtable.games, "__path__", [*sandtable.games.__path__, str(tmp_path)])
    for known in ("_loaded", "_broken"):
        monkeypatch.setattr(registry, known, dict(getattr(registry, known)))
    monkeypatch.setattr(records, "_ready", set(records._ready))

    def put(id: str, text: str) -> None:
        (tmp_path / id).mkdir()
        (tmp_path / id / "__init__.py").write_text(text)

    yield put
    catalogue._catalogue.cache_clear()
    for name in [name for name in sys.modules if name.startswith("sandtable.games.half")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("RULES = ", "its package fails .*SyntaxError"),
        ("import sandtable.games.half_done.view", "its package fails .*ModuleNotFoundError"),
        ("", "its package fails .*RULES"),
        ("RULES = 3", "is not a rule set"),
        ("from sandtable.games.aa1942 import RULES", "calls itself 'aa1942'"),
    ],
)
def test_a_package_that_fails_is_named_with_its_fault(
    install: Install, text: str, reason: str
) -> None:
    install("half_done", text)
    for _ in range(2):
        with pytest.raises(BrokenGame, match=f"half_done cannot be played: .*{reason}"):
            sandtable.new("half_done")
    games, broken = registry.playable()
    assert {"aa1942", "blitz"} <= {rules.id for rules in games}
    assert list(broken) == ["half_done"]
    listed = run("games")
    assert listed.exit_code == 0
    assert "aa1942: " in listed.stdout
    assert "half_done cannot be played" in listed.stderr


def test_a_server_starts_without_a_game_that_cannot_begin(
    install: Install, request: pytest.FixtureRequest
) -> None:
    install("half_begun", SOUND.format(id="half_begun"))
    assert "half_begun" in {rules.id for rules in registry.playable()[0]}
    catalogue._catalogue.cache_clear()
    web: TestClient = request.getfixturevalue("web")
    found = [game["id"] for game in web.get("/api/catalogue").json()["games"]]
    assert "aa1942" in found and "half_begun" not in found
    answer = web.post("/api/catalogue/half_begun/seats", json={"options": {}})
    assert answer.status_code == 404
    assert "no map yet" in answer.json()["error"]
