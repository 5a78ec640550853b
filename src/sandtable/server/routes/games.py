"""Tables: making, joining, leaving and starting them, and what they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from sandtable.kernel.errors import SaveError
from sandtable.server import lobby
from sandtable.server.accounts import Anybody, Person, Who
from sandtable.server.errors import Problem
from sandtable.server.limits import SAVES, UPLOAD
from sandtable.server.rooms import Rooms
from sandtable.server.schemas import (
    TAKES_SAVE,
    GameInfo,
    GameList,
    Join,
    NewGame,
    Reveal,
    SeatChange,
    Start,
    answers,
    body,
    read,
    reply,
    takes,
)
from sandtable.server.security import address_of
from sandtable.server.uploads import received
from sandtable.server.verifying import Looked

router = APIRouter(prefix="/api/games", tags=["tables"])

_INFO = answers(GameInfo, "The table")


@router.post(
    "",
    summary="Make a table",
    status_code=201,
    responses=answers(GameInfo, "The table, in the lobby", 201),
    openapi_extra=takes(NewGame),
)
async def create(request: Request, who: Who) -> Response:
    state, address = request.app.state, address_of(request.scope)
    saved = None
    async with received(request, who) as upload:
        new = None if upload.small is None else read(upload.small, NewGame)
        if new is None or new.save is not None:
            state.limits.take(UPLOAD, address)
            await run_in_threadpool(state.limits.take_everywhere, state.database, SAVES, address)
            try:
                wanted = await state.checker.load(upload.file, address)
            except SaveError as error:
                raise Problem(422, str(error), field="save") from None
            new, saved = wanted.new, wanted.saved
    id = await run_in_threadpool(lobby.create, state.database, who, new, saved)
    return reply(await state.rooms.info(id, who.id), 201)


@router.post(
    "/saves",
    summary="Look at a save: can a game go on from it?",
    responses=answers(Looked, "What it is"),
    openapi_extra=TAKES_SAVE,
)
async def look(request: Request, who: Who) -> Response:
    """All of it is run, as when a table is made with it; nothing is kept."""
    state, address = request.app.state, address_of(request.scope)
    state.limits.take(UPLOAD, address)
    async with received(request, who) as upload:
        found = await state.checker.look(upload.file, address)
    return reply(found)


@router.get(
    "", summary="Games: mine, with open seats, or public", responses=answers(GameList, "At most 50")
)
async def games(
    request: Request,
    who: Anybody,
    which: Annotated[Literal["mine", "open", "public"], Query(alias="list")] = "mine",
) -> Response:
    state = request.app.state
    rooms: Rooms = state.rooms

    def found() -> GameList:
        listed = lobby.listed(state.database, who, which)
        names = lobby.names_of(state.database, {head.creator for head, _, _ in listed})
        account = who.id if who else None
        return GameList(
            [
                lobby.info(
                    head,
                    seats,
                    names[head.creator],
                    account,
                    *rooms.present(head.id),
                    title=title,
                )
                for head, seats, title in listed
            ]
        )

    return reply(await run_in_threadpool(found))


@router.get("/{id}", summary="A table", responses=_INFO)
async def game(request: Request, id: str, who: Anybody, invite: str | None = None) -> Response:
    return await _info(request, id, who, invite)


@router.post("/{id}/join", summary="Take a seat", responses=_INFO, openapi_extra=takes(Join))
async def join(request: Request, id: str, who: Who) -> Response:
    wish = await body(request, Join)
    await _change(request, lobby.join, who, id, wish)
    return await _changed(request, id, who)


@router.post(
    "/{id}/seats/{number}",
    summary="Let somebody else sit there",
    responses=_INFO,
    openapi_extra=takes(SeatChange),
)
async def change_seat(
    request: Request, id: str, number: Annotated[int, Path(ge=0, le=1000)], who: Who
) -> Response:
    """Before the start, by who made the table. An invitation gets a new link."""
    change = await body(request, SeatChange)
    await _change(request, lobby.change_seat, who, id, number, change)
    return await _changed(request, id, who)


@router.post("/{id}/leave", summary="Give the seat back", responses=_INFO)
async def leave(request: Request, id: str, who: Who) -> Response:
    await _change(request, lobby.leave, who, id)
    rooms: Rooms = request.app.state.rooms
    await rooms.refresh(id)
    return reply(await rooms.info(id, who.id, left=True))


@router.post("/{id}/start", summary="Start the game", responses=_INFO, openapi_extra=takes(Start))
async def start(request: Request, id: str, who: Who) -> Response:
    given = await body(request, Start)
    await _change(request, lobby.start, who, id, given.commitment)
    return await _changed(request, id, who)


@router.post(
    "/{id}/reveal",
    summary="Show my share in the dice",
    responses=_INFO,
    openapi_extra=takes(Reveal),
)
async def reveal(request: Request, id: str, who: Who) -> Response:
    """When the game is starting and all commitments are there. With the last share it begins."""
    given = await body(request, Reveal)
    await _change(request, lobby.reveal, who, id, given.entropy)
    return await _changed(request, id, who)


@router.delete("/{id}", summary="Give the table up", status_code=204)
async def give_up(request: Request, id: str, who: Who) -> None:
    await _change(request, lobby.give_up, who, id)
    request.app.state.rooms.removed(id)


async def _change(request: Request, change: Callable[..., None], *arguments: Any) -> None:
    """One of the changes of the lobby, in a thread."""
    state = request.app.state
    await run_in_threadpool(change, state.database, state.live, *arguments)


async def _changed(request: Request, id: str, who: Person) -> Response:
    await request.app.state.rooms.refresh(id)
    return await _info(request, id, who)


async def _info(
    request: Request, id: str, who: Person | None, invite: str | None = None
) -> Response:
    account = who.id if who else None
    return reply(await request.app.state.rooms.info(id, account, invite))
