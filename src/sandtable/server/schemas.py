"""What is sent and received about games, as records; OpenAPI gets its schemas from them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from fastapi import Request, Response
from msgspec import Meta, Struct

from sandtable.kernel.display import About, Calculator, Editor, Form, Odds, Picture, Report
from sandtable.server.errors import Problem

T = TypeVar("T", bound=Struct)

UPLOAD = 8_000_000
"""Bytes of a save that somebody sends."""
LONGEST_TEXT = 400
LONGEST_LIST = 2000
LARGEST = 2**53
DEEPEST = 10
"""Of data that the rules of a game read: more than the decisions of any of them have."""

Word = Annotated[str, Meta(max_length=80)]
"""An id of something, a name of a kind."""
PlayerName = Annotated[str, Meta(max_length=200)]
"""As it was typed; what is kept is shorter."""
Free = Annotated[dict[Word, Any], Meta(max_length=500)]
"""What the rules of a game read: `bounded` is all that holds for it before."""
Entropy = Annotated[str, Meta(min_length=16, max_length=64, pattern="^[0-9a-f]*$")]
"""A share in the dice, in hexadecimal."""
Commitment = Annotated[str, Meta(max_length=64, pattern="^([0-9a-f]{64})?$")]
"""The SHA-256 of a share in the dice, as it is written, in hexadecimal; or none."""
RowKey = Annotated[str, Meta(max_length=200)]
"""What names a row of a form."""
Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]
SeatNumber = Annotated[int, Meta(ge=0, le=1000)]


class _Body(Struct, forbid_unknown_fields=True):
    pass


# --- tables --------------------------------------------------------------------------------------


class Clock(_Body):
    """How long a decision may take, and what happens then."""

    hours: Annotated[float, Meta(ge=1 / 60, le=10_000)]
    """Also parts of an hour, but at least a minute."""
    then: Literal["wait", "bot"] = "wait"


class NewSeat(_Body):
    """A seat of a new table."""

    powers: Annotated[list[Word], Meta(min_length=1, max_length=100)]
    kind: Literal["me", "here", "invited", "open", "bot"]
    player: PlayerName = ""
    bot: Word = ""


class NewGame(_Body):
    """A new table: of `game` with `options`, or of the game in `save`."""

    seats: Annotated[list[NewSeat], Meta(min_length=1, max_length=100)]
    game: Word | None = None
    options: Free = {}
    save: Annotated[str, Meta(max_length=UPLOAD)] | None = None
    title: Word = ""
    access: Literal["private", "link", "public"] = "link"
    clock: Clock | None = None


class SeatChange(_Body):
    """Who is to sit in a seat instead, before the game starts."""

    kind: Literal["me", "here", "invited", "open", "bot"]
    player: PlayerName = ""
    bot: Word = ""


class Branch(_Body):
    """The version of a game from which another one goes on."""

    at: Version


class Join(_Body):
    """Which seat somebody takes: that of an invitation, or an open one."""

    invite: Word | None = None
    seat: SeatNumber | None = None
    player: PlayerName = ""
    commitment: Commitment = ""


class Start(_Body):
    commitment: Commitment = ""


class Reveal(_Body):
    """The share in the dice that somebody has committed to."""

    entropy: Entropy


class SeatInfo(Struct):
    """A seat as an account sees it."""

    number: int
    powers: list[str]
    kind: Literal["person", "bot", "open", "invited"]
    player: str
    registered: bool
    """Whether that is the name of a registered player, and this is that player."""
    mine: bool
    sealed: bool
    """The game is starting, and waits for this person to show its share in the dice."""
    online: bool
    bot: str
    level: str
    """What people call that bot."""
    standing: list[str]
    invite: str | None
    since: datetime | None
    """Since when it has had to decide."""
    deadline: datetime | None
    votes: int
    away: datetime | None


class Outcome(Struct):
    winners: list[str]
    reason: str


class GameInfo(Struct):
    """A game's table as an account sees it."""

    id: str
    game: str
    name: str
    """What that game is called; `title` is what the table is called."""
    title: str
    subtitle: str
    options: list[tuple[str, str]]
    """Those that are not as usual, in words: the option, and its value."""
    status: Literal["lobby", "running", "over"]
    version: int
    access: Literal["private", "link", "public"]
    clock: Clock | None
    created: datetime
    updated: datetime
    creator: str
    mine: bool
    seats: list[SeatInfo]
    you: list[str]
    waiting: list[str]
    result: Outcome | None
    edited: bool
    """Whether the position was changed by hand."""
    commitment: str
    commitments: list[str]
    entropy: list[str]
    secret: str | None
    spectators: int
    rematch: str | None


class GameList(Struct):
    games: list[GameInfo]


# --- playing -------------------------------------------------------------------------------------


class Submission(_Body):
    """A decision of a power, made for a version of the game."""

    power: Word
    decision: Free
    version: Version


class Editing(_Body):
    """How somebody who plays alone changes the position by hand, at a version of the game; by a
    power of theirs, who can take it back like a decision."""

    power: Word
    patch: Free
    version: Version


class EditorAnswer(Struct):
    """What can be changed by hand, or why nothing can."""

    editor: Editor | None
    reason: str = ""


class TakeBack(_Body):
    power: Word
    version: Version
    of: Annotated[list[Version], Meta(max_length=100)] = []
    """The versions of the decisions; without them the last one."""


class TakenBack(Struct):
    version: int
    lost: int
    """Later decisions that could not be made without them, and are taken back as well."""


class Versioned(Struct):
    version: int


class Doubt(_Body):
    """A decision that a power thinks about."""

    power: Word
    decision: Free


class Verdict(Struct):
    """Whether the rules allow a decision, and if not, why."""

    ok: bool
    reason: str
    rule: str


class ReachQuestion(_Body):
    """Units that are chosen in a space: the keys of the form's rows, and how many of each."""

    power: Word
    space: Word
    chosen: Annotated[dict[RowKey, Annotated[int, Meta(ge=0, le=10_000)]], Meta(max_length=1000)]
    kind: Word = ""
    """Of the request, where it is a right."""
    some: bool = False
    """Units that cannot go may stay, and those that do not move together go one after the other."""


class DraftQuestion(_Body):
    """Decisions of an order sheet, in their order."""

    power: Word
    first: Annotated[list[Free], Meta(max_length=200)]


class Draft(Struct):
    """The question as it would be after them, without those that are refused, and why."""

    form: Form
    refused: list[int]
    reason: str


class WantedCourse(_Body):
    """A course by its ends, and the capacity that it should have."""

    ends: tuple[Word, Word]
    capacity: Annotated[int, Meta(ge=0, le=1000)]


class PlanQuestion(_Body):
    """Courses that should be laid, or have another capacity than they have."""

    power: Word
    wanted: Annotated[list[WantedCourse], Meta(max_length=100)]


class OddsQuestion(_Body):
    """The battle in a space, as it stands (or stood at a version) or after a decision."""

    power: Word
    space: Word
    decision: Free | None = None
    at: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None
    first: Annotated[list[Free], Meta(max_length=20)] = []
    """Decisions before that one."""


Numbers = Annotated[dict[RowKey, Annotated[int, Meta(ge=0, le=1000)]], Meta(max_length=300)]


class WhatIfQuestion(_Body):
    """A battle that somebody thinks of; without numbers those of the map."""

    power: Word
    space: Word = ""
    attack: Numbers | None = None
    defend: Numbers | None = None
    settings: Annotated[dict[Word, Word], Meta(max_length=30)] = {}


class WhatIfAnswer(Struct):
    """The calculator, and the odds, or why there are none."""

    calculator: Calculator | None
    odds: Odds | None
    reason: str = ""


class OddsAnswer(Struct):
    """The odds, or why there are none."""

    odds: Odds | None
    reason: str = ""


class LegalDecisions(Struct):
    """Legal decisions: all of them if `complete`."""

    decisions: list[dict[str, Any]]
    complete: bool


class View(Struct):
    version: int
    about: About
    picture: Picture


class HistoryStep(Struct):
    version: int
    text: str
    power: str
    level: int
    lines: tuple[int, int]


class FigureSample(Struct):
    version: int
    title: str
    values: dict[str, dict[str, float]]


class History(Struct):
    steps: list[HistoryStep]
    figures: list[FigureSample]


class ReplayStep(Struct):
    version: int
    changes: dict[str, Any]


class Replay(Struct):
    picture: Picture
    steps: list[ReplayStep]


class Reported(Struct):
    report: Report | None


class Remarked(_Body):
    text: Annotated[str, Meta(min_length=1, max_length=2000)]


class RemarkInfo(Struct):
    """A line of the chat."""

    id: int
    name: str
    registered: bool
    text: str
    at: datetime


# --- OpenAPI and HTTP ----------------------------------------------------------------------------

COMPONENTS: dict[str, Any] = {}
"""The schemas of all records that routes take or answer with, for the OpenAPI file's components."""

JSON = "application/json"
REF = "#/components/schemas/{name}"


def _schema(record: type[Struct]) -> dict[str, Any]:
    (schema,), components = msgspec.json.schema_components((record,), ref_template=REF)
    COMPONENTS.update(components)
    return schema


def answers(
    record: type[Struct], words: str, status: int = 200, *, by_id: bool = False
) -> dict[int | str, dict[str, Any]]:
    """`responses` of a route that answers with a record, or with an object that has one for each
    id."""
    schema = _schema(record)
    if by_id:
        schema = {"type": "object", "additionalProperties": schema}
    return {status: {"description": words, "content": {JSON: {"schema": schema}}}}


def takes(record: type[Struct]) -> dict[str, Any]:
    """`openapi_extra` of a route whose body is a record."""
    content = {JSON: {"schema": _schema(record)}}
    return {"requestBody": {"required": True, "content": content}}


TAKES_SAVE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "A save, as `GET /api/games/{id}/save` gives it.",
        "content": {JSON: {"schema": {"type": "object"}}},
    }
}
"""`openapi_extra` of a route whose body is a save."""


async def body(request: Request, record: type[T]) -> T:
    """The body of a request; Problem 400 or 422 if it is not JSON or has another form."""
    return read(await request.body(), record)


def read(content: bytes, record: type[T]) -> T:
    """A record in JSON. Its form and all its bounds are checked before anything is done with it."""
    try:
        found = msgspec.json.decode(content, type=record)
    except msgspec.ValidationError as error:
        raise Problem(422, f"The request does not fit: {error}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Problem(400, "The body of the request is not valid JSON.") from None
    for name, value in msgspec.structs.asdict(found).items():
        parts = value if isinstance(value, list) else [value]
        if not all(bounded(part) for part in parts if isinstance(part, dict)):
            raise Problem(422, "That has more or larger parts than anything in a game.", field=name)
    return found


def bounded(value: Any, depth: int = DEEPEST) -> bool:
    """Whether free data has no longer text, no longer list and no larger number, and is not deeper,
    than any game needs."""
    if isinstance(value, str):
        return len(value) <= LONGEST_TEXT
    if isinstance(value, int | float):
        return -LARGEST <= value <= LARGEST
    if isinstance(value, list):
        return (
            depth > 0 and len(value) <= LONGEST_LIST and all(bounded(e, depth - 1) for e in value)
        )
    if isinstance(value, dict):
        return (
            depth > 0
            and len(value) <= LONGEST_LIST
            and all(bounded(key) and bounded(each, depth - 1) for key, each in value.items())
        )
    return value is None


def reply(record: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A record, or anything that msgspec encodes, as an answer."""
    return Response(msgspec.json.encode(record), status, headers, JSON)
