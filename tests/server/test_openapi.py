"""Schemathesis over the OpenAPI file: whatever is sent to whichever path, the server does not
break, and answers as the file says. In process, against games in every state."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.python.asgi import get_client
from schemathesis.specs.openapi.checks import positive_data_acceptance

from sandtable.server.app import create_app
from sandtable.server.config import Config

EXAMPLES = 14
"""Requests for each path and method."""
FEW = {"POST /api/verify": 4}
"""Fewer where each takes long."""

NOTHING_THERE = {"DELETE /api/tokens/{id}"}
"""Where only a thing can be named that is not there."""

OPERATIONS = sorted(
    f"{method.upper()} {path}"
    for path, methods in create_app(Config("sqlite://")).openapi()["paths"].items()
    for method in methods
)


class World:
    """A server with somebody's table in each state; its calls are made with a program's token."""

    def __init__(self, url: str) -> None:
        app = create_app(Config(url, rate=0))
        self.schema = schemathesis.openapi.from_asgi("/openapi.json", app)
        self._http = get_client(app)
        me = self._post("/api/guests", {"name": "Anna"})
        self._http.headers["X-CSRF-Token"] = me["csrf"]
        token = self._post("/api/tokens", {"label": "schemathesis"})["token"]
        self.headers = {"Authorization": f"Bearer {token}"}
        self.ids: list[str] = []
        self.renew()

    def renew(self) -> None:
        """Tables in the lobby and running: the calls may have ended the old ones."""
        for id in self.ids:
            self._http.post(f"/api/games/{id}/resign", json={"power": "germany"})
            self._http.delete(f"/api/games/{id}")
        self.ids = [self._table("aa1942"), self._table("aa1942"), self._table("blitz")]
        for id in self.ids[1:]:
            self._post(f"/api/games/{id}/start", {})

    def _table(self, game: str) -> str:
        found = self._post(f"/api/catalogue/{game}/seats", {})
        side = {power["id"]: power["side"] for power in found["about"]["powers"]}
        sides: dict[str, list[str]] = {}
        for place in found["seats"]:
            sides.setdefault(side[place["powers"][0]], []).extend(place["powers"])
        seats = [
            {"powers": powers, "kind": "me" if number == 0 else "here", "player": f"P{number}"}
            for number, powers in enumerate(sides.values())
        ]
        return str(self._post("/api/games", {"game": game, "seats": seats})["id"])

    def _post(self, path: str, body: object) -> Any:
        answer = self._http.post(path, json=body)
        assert answer.status_code < 300, answer.text
        return answer.json()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(f"sqlite:///{tmp_path_factory.mktemp('openapi') / 'sandtable.db'}")


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_server_keeps_to_its_openapi_file(world: World, name: str) -> None:
    method, path = name.split(" ")
    operation = world.schema[path][method]
    if method != "GET" and "{id}" in path:
        world.renew()
    statuses: Counter[int] = Counter()
    known = {"id": world.ids, "game": ["aa1942", "blitz"]}
    fixed = [part for part in known if f"{{{part}}}" in path]

    def cases(mode: GenerationMode) -> st.SearchStrategy[Case]:
        # Mostly of things there are, so that requests get further than "not there".
        real = [
            operation.as_strategy(mode, path_parameters={part: value})
            for part in fixed
            for value in known[part]
        ]
        return st.one_of(*real, operation.as_strategy(mode))

    @settings(
        max_examples=FEW.get(name, EXAMPLES),
        phases=[Phase.generate],
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=st.one_of(cases(GenerationMode.POSITIVE), cases(GenerationMode.NEGATIVE)),
        rng=st.randoms(use_true_random=False),
    )
    def check(case: Case, rng: random.Random) -> None:
        _make_sense(case, rng)
        response = case.call_and_validate(
            headers=world.headers,
            # What the rules forbid is refused, and no schema can say it.
            excluded_checks=[positive_data_acceptance],
        )
        statuses[response.status_code] += 1

    check()
    reached = set(statuses) - {401, 404, 405}
    assert reached or name in NOTHING_THERE, f"no request got anywhere: {statuses}"


def _make_sense(case: Case, rng: random.Random) -> None:
    """Let a well-formed request be about a power and a version that there are."""
    if case.meta is not None and case.meta.generation.mode.is_negative:
        return
    for part in (case.body, case.query):
        if isinstance(part, dict) and "power" in part:
            part["power"] = rng.choice(["germany", "soviet_union", ""])
        if isinstance(part, dict) and "version" in part:
            part["version"] = rng.choice([0, 1, 2])
