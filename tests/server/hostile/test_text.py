"""Text before limits: every string, list and number of every body is bounded by the schema, and
nothing is done with what is longer."""

from __future__ import annotations

import time
from typing import Any

import pytest
from fastapi import FastAPI

from sandtable.server import accounts, schemas
from tests.server.conftest import Player, guest
from tests.server.hostile.kit import Guest, answering
from tests.server.network import Server

SLOW = "a" + "\u0315\u0301" * 40_000
"""To normalise this takes seconds: all of its marks have to be put in order."""

FREE = {"Submission.decision", "Doubt.decision", "OddsQuestion.decision", "NewGame.options"}
FREE |= {"Chosen.options", "Editing.patch", "DraftQuestion.first[]", "OddsQuestion.first[]"}
"""What the rules of a game read; `schemas.bounded` bounds that."""


def bodies(app: FastAPI) -> dict[str, Any]:
    """The schema of every body that the server takes, by the name of its record."""
    api = app.openapi()
    found = {}
    waiting = [
        body["content"]["application/json"]["schema"]
        for path in api["paths"].values()
        for operation in path.values()
        if (body := operation.get("requestBody"))
    ]
    while waiting:
        schema = waiting.pop()
        if (name := schema.get("$ref", "").rpartition("/")[2]) and name not in found:
            found[name] = api["components"]["schemas"][name]
            waiting.append(found[name])
        for part in ("items", "additionalProperties"):
            if isinstance(schema.get(part), dict):
                waiting.append(schema[part])
        waiting += [*schema.get("anyOf", []), *schema.get("properties", {}).values()]
    return found


def unbounded(schema: dict[str, Any], name: str) -> list[str]:
    """What in a schema has no bound."""
    if name in FREE or "$ref" in schema or "enum" in schema or "const" in schema:
        return []
    if "anyOf" in schema:
        return [bad for each in schema["anyOf"] for bad in unbounded(each, name)]
    if "type" not in schema:
        return [f"{name} may be anything"]
    bounds = {
        "string": ["maxLength"],
        "integer": ["maximum", "minimum"],
        "number": ["maximum"],
        "array": ["maxItems"],
        "object": [],
        "boolean": [],
        "null": [],
    }[schema["type"]]
    bad = [f"{name} has no {bound}" for bound in bounds if bound not in schema]
    if "properties" in schema:
        for field, inner in schema["properties"].items():
            bad += unbounded(inner, f"{name}.{field}")
    elif schema["type"] == "object":
        if "maxProperties" not in schema:
            bad.append(f"{name} has no maxProperties")
        if "additionalProperties" not in schema:
            bad.append(f"{name}{{}} may be anything")
    # Of a tuple each item is told by itself, and no other may come.
    items = schema.get("prefixItems", [])
    for inner in items if schema.get("items") is False else [*items, schema.get("items")]:
        bad += unbounded(inner, f"{name}[]") if inner else []
    if isinstance(schema.get("additionalProperties"), dict):
        bad += unbounded(schema["additionalProperties"], f"{name}{{}}")
    return bad


def test_every_part_of_every_body_has_a_bound(app: FastAPI) -> None:
    found = bodies(app)
    assert {"NewGame", "Join", "Submission", "Guest", "Login", "Takeover", "Chosen"} <= set(found)
    assert [bad for name, schema in found.items() for bad in unbounded(schema, name)] == []


def test_the_check_finds_what_has_no_bound() -> None:
    fields = {
        "a": {"type": "string"},
        "b": {"type": "array", "maxItems": 3, "items": {"type": "integer", "maximum": 3}},
        "c": {"type": "object", "additionalProperties": {}},
    }
    assert unbounded({"type": "object", "properties": fields}, "X") == [
        "X.a has no maxLength",
        "X.b[] has no minimum",
        "X.c has no maxProperties",
        "X.c{} may be anything",
    ]


ABSURD = [
    "x" * (schemas.LONGEST_TEXT + 1),
    [0] * (schemas.LONGEST_LIST + 1),
    {"x" * (schemas.LONGEST_TEXT + 1): 1},
    2**53 + 1,
    -(2**60),
    10**400,
    1e300,
    [[[[[[[[[[[1]]]]]]]]]]],
]


@pytest.mark.parametrize("value", ABSURD)
def test_free_data_is_bounded_as_well(anna: Player, value: Any) -> None:
    seats = [{"powers": ["germany"], "kind": "me"}]
    body = {"game": "aa1942", "options": {"victory": value}, "seats": seats}
    anna.post("/api/games", body, 422)
    anna.post("/api/catalogue/aa1942/seats", {"options": {"victory": value}}, 422)
    body = {"power": "germany", "decision": {"kind": "x", "y": value}, "version": 0}
    answer = anna.post("/api/games/none/decisions", body, 422)
    assert answer["field"] == "decision"
    body = {"power": "germany", "patch": {"units": value}, "version": 0}
    assert anna.post("/api/games/none/edit", body, 422)["field"] == "patch"
    # In lists of decisions nothing was bounded.
    first = [{"kind": "pass"}, {"kind": "x", "y": value}]
    assert anna.post("/api/games/none/draft", {"power": "germany", "first": first}, 422)
    body = {"power": "germany", "space": "germany", "first": first}
    assert anna.post("/api/games/none/odds", body, 422)["field"] == "first"


def test_what_games_need_passes() -> None:
    assert schemas.bounded({"moves": [{"units": {"infantry": 3}, "path": ["a", "b"]}] * 200})
    assert schemas.bounded({"a": 1.5, "b": None, "c": True, "d": ""})


def names(player: Any) -> list[tuple[str, dict[str, Any]]]:
    """Every body with a name in it."""
    seat = {"powers": ["germany"], "kind": "me", "player": SLOW}
    return [
        ("/api/games", {"game": "blitz", "seats": [seat]}),
        ("/api/games", {"game": "blitz", "seats": [{**seat, "kind": "invited"}]}),
        ("/api/games", {"game": "blitz", "seats": [{**seat, "player": ""}], "title": SLOW}),
        ("/api/games/none/join", {"seat": 0, "player": SLOW}),
        ("/api/games/none/chat", {"text": SLOW}),
        ("/api/guests", {"name": SLOW}),
        ("/api/accounts", {"name": SLOW, "password": "12345678"}),
        ("/api/session", {"name": SLOW, "password": "12345678"}),
        ("/api/tokens", {"label": SLOW}),
        ("/api/password", {"name": SLOW}),
    ]


def test_long_names_hold_up_nobody(server: Server) -> None:
    attacker = Guest(server, "Mallory")
    with answering(server):
        for path, body in names(attacker):
            answer = attacker.post(path, body)
            assert 400 <= answer.status_code < 500, (path, answer.text)


def test_a_name_of_a_body_that_passes_is_cheap(app: FastAPI, web: object) -> None:
    """As long as the schema lets one be, of the dearest characters."""
    longest = SLOW[: accounts.LONGEST_NAME]
    began = time.process_time()
    for _ in range(20):
        player = guest(app, "Mallory")
        player.post("/api/guests", {"name": longest}, 422)
    assert time.process_time() - began < 10
    with pytest.raises(Exception, match="at most 40"):
        accounts.clean_name(SLOW)
