"""Games there are: their options, seats, maps and rules; and verifying a save."""

from __future__ import annotations

import gzip
import hashlib
import threading
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import msgspec
from fastapi import APIRouter, Request
from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from sandtable.bots import BOT_NAMES, LEVELS
from sandtable.kernel import registry
from sandtable.kernel.display import About
from sandtable.kernel.rules import load_index
from sandtable.kernel.welcome import Cover, cover_of
from sandtable.server.accounts import Anybody
from sandtable.server.errors import Problem
from sandtable.server.limits import UPLOAD
from sandtable.server.patience import QUESTION_SECONDS, limited
from sandtable.server.schemas import TAKES_SAVE, Free, answers, body, takes
from sandtable.server.security import address_of
from sandtable.server.uploads import received
from sandtable.server.verifying import Verified

router = APIRouter(prefix="/api", tags=["catalogue"])


class OptionInfo(Struct, frozen=True):
    """A switch of a game; `choices` is null where the game checks the value itself. `words` has a
    name and more about a value, by the value as text."""

    name: str
    help: str
    default: Any
    choices: tuple[Any, ...] | None
    words: dict[str, tuple[str, str]]


class GameKind(Struct, frozen=True):
    """A game that can be played."""

    id: str
    title: str
    rules_version: str
    options: tuple[OptionInfo, ...]
    cover: Cover | None


class BotKind(Struct, frozen=True):
    """A bot that can play."""

    name: str
    level: str
    help: str


class Catalogue(Struct, frozen=True):
    """The games and bots of this server."""

    games: tuple[GameKind, ...]
    bots: tuple[BotKind, ...]


class Place(Struct, frozen=True):
    """Powers that one person has to run together."""

    powers: tuple[str, ...]


class Places(Struct, frozen=True):
    """A game with its options: all of them, what clients draw, and the places at the table."""

    options: dict[str, Any]
    about: About
    seats: tuple[Place, ...]


class RuleText(Struct, frozen=True):
    """A rule in our words; `ruling` is a decision of ours, `left_out` why it is not played."""

    ref: str
    rule: str
    ruling: str | None
    optional: bool
    left_out: str | None


class Chosen(Struct, forbid_unknown_fields=True):
    options: Free = {}


@router.get("/catalogue", summary="The games and bots", responses=answers(Catalogue, "All of them"))
def catalogue() -> Response:
    return _json(_catalogue())


@router.post(
    "/catalogue/{game}/seats",
    summary="The places at the table with these options",
    responses=answers(Places, "The places"),
    openapi_extra=takes(Chosen),
)
async def seats(request: Request, game: str) -> Response:
    chosen = await body(request, Chosen)

    def found() -> bytes:
        rules = registry.find(game)
        options = rules.read_options(chosen.options)
        about = rules.about(rules.start(options, None, None))
        places = tuple(Place(powers) for powers in rules.seats(options))
        return msgspec.json.encode(Places(options, about, places))

    return _json(await run_in_threadpool(limited, QUESTION_SECONDS, found))


@router.get(
    "/covers/{game}",
    summary="The cover of a game, as SVG",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
def cover(game: str) -> Response:
    path = registry.find(game).folder / "welcome" / "cover.svg"
    if not path.is_file():
        raise Problem(404, f"{game} has no cover.")
    headers = {"Cache-Control": "max-age=3600"}
    return Response(path.read_bytes(), headers=headers, media_type="image/svg+xml")


@router.get("/maps/{game}", summary="The map of a game, as TopoJSON")
def map_of(request: Request, game: str) -> Response:
    return _cached(request, _kept(_map, game))


@router.get(
    "/rules/{game}",
    summary="The rules of a game: id to text",
    responses=answers(RuleText, "All of them", by_id=True),
)
def rules_of(request: Request, game: str) -> Response:
    return _cached(request, _kept(_rules, game))


@router.post(
    "/verify",
    summary="Derive every roll of a save again, and check every decision",
    responses=answers(Verified, "What was found"),
    openapi_extra=TAKES_SAVE,
)
async def verify_save(request: Request, who: Anybody) -> Response:
    """A save of more than 100 kB is taken from guests and registered players only."""
    state, address = request.app.state, address_of(request.scope)
    state.limits.take(UPLOAD, address)
    async with received(request, who) as upload:
        found = await state.checker.verify(upload.file, address)
    return _json(msgspec.json.encode(found))


@cache
def _catalogue() -> bytes:
    games = tuple(
        GameKind(
            rules.id,
            rules.title,
            rules.version,
            tuple(
                OptionInfo(
                    name,
                    option.help,
                    option.default,
                    option.choices,
                    {_as_text(value): words for value, words in option.words.items()},
                )
                for name, option in rules.options.items()
            ),
            cover_of(rules.folder),
        )
        for rules in registry.playable()[0]
    )
    bots = tuple(BotKind(name, *LEVELS[name]) for name in BOT_NAMES)
    return msgspec.json.encode(Catalogue(games, bots))


def _as_text(value: Any) -> str:
    """A value as a client's language writes it."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


class _Content(NamedTuple):
    """What is the same for everybody: as it is, compressed, and what names it."""

    plain: bytes
    packed: bytes
    etag: str


_making = threading.Lock()


def _kept(make: Callable[[str], _Content], game: str) -> _Content:
    """Made by whoever asks first, while the others wait: to compress a map takes a while."""
    with _making:
        return make(game)


@cache
def _map(game: str) -> _Content:
    path = registry.find(game).folder / "map" / "map.topojson"
    if not path.is_file():
        raise Problem(404, f"{game} has no map.")
    return _content(path.read_bytes())


@cache
def _rules(game: str) -> _Content:
    path = registry.find(game).folder / "rules.yaml"
    rules = load_index(path) if path.is_file() else {}
    texts = {
        id: RuleText(rule.ref, rule.rule, rule.ruling, rule.optional, rule.left_out)
        for id, rule in rules.items()
    }
    return _content(msgspec.json.encode(texts))


def _content(plain: bytes) -> _Content:
    etag = hashlib.sha256(plain).hexdigest()[:32]
    return _Content(plain, gzip.compress(plain, 9, mtime=0), f'"{etag}"')


def _cached(request: Request, content: _Content) -> Response:
    headers = {"ETag": content.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    known = [tag.strip() for tag in request.headers.get("if-none-match", "").split(",")]
    if content.etag in (tag.removeprefix("W/") for tag in known):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(content.packed, headers=headers, media_type="application/json")
    return Response(content.plain, headers=headers, media_type="application/json")


def _json(content: bytes) -> Response:
    return Response(content, media_type="application/json")
