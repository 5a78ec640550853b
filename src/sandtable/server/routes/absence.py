"""Players who leave, stay away or come back, and playing again."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from msgspec import Meta, Struct
from starlette.concurrency import run_in_threadpool

from sandtable.server import absence
from sandtable.server.accounts import Person, Who
from sandtable.server.live import News
from sandtable.server.room import Room
from sandtable.server.rooms import Rooms
from sandtable.server.schemas import GameInfo, SeatNumber, answers, body, reply, takes

router = APIRouter(prefix="/api/games/{id}", tags=["absence"])

Name = Annotated[str, Meta(min_length=1, max_length=40)]


class Resignation(Struct, forbid_unknown_fields=True):
    """What is given up: the power, and with `whole` all those of the same seat."""

    power: Name
    whole: bool = True


class Takeover(Struct, forbid_unknown_fields=True):
    """The seat of the absent person."""

    seat: SeatNumber


class StandingOrders(Struct, forbid_unknown_fields=True):
    """The kinds of offers that are always passed for a power, and for its seat."""

    power: Name
    windows: Annotated[list[Name], Meta(max_length=50)]


_TABLE = answers(GameInfo, "The table as it is now")


@router.post(
    "/resign",
    summary="Give up",
    responses=_TABLE,
    openapi_extra=takes(Resignation),
)
async def resign(id: str, request: Request, who: Who) -> Response:
    """A bot plays on while persons still play against each other, or on the same side; otherwise
    the game is over, and the others have won. It stands in the log, and the name stays."""
    wish = await body(request, Resignation)
    state = request.app.state

    def work(room: Room) -> int | None:
        return absence.resign(state.live, who, room, wish.power, whole=wish.whole)

    await state.rooms.info(id, who.id)  # 404 unless it may be seen
    said = await state.rooms.run(id, work)
    answer = await _refreshed(request, id, who)
    await state.rooms.heard(News("chat", id, number=said))
    return answer


@router.post(
    "/resign/consequence",
    summary="What would come of giving up",
    responses=answers(absence.Consequence, "What is given up, and whether the game ends"),
    openapi_extra=takes(Resignation),
)
async def consequence(id: str, request: Request, who: Who) -> Response:
    """Nothing is changed."""
    wish = await body(request, Resignation)
    rooms: Rooms = request.app.state.rooms

    def look(room: Room) -> absence.Consequence:
        return absence.consequence(room, who, wish.power, whole=wish.whole)

    await rooms.info(id, who.id)  # 404 unless it may be seen
    return reply(await rooms.run(id, look))


@router.post(
    "/takeover",
    summary="Agree that a bot plays for an absent player",
    responses=_TABLE,
    openapi_extra=takes(Takeover),
)
async def take_over(id: str, request: Request, who: Who) -> Response:
    """The bot plays as soon as all persons on the same side agree, until the absent one returns.
    Somebody is absent who has let the deadline pass, or, where there is no clock, has not been
    connected for ten minutes while the game waits for it."""
    wish = await body(request, Takeover)
    state = request.app.state

    def work(room: Room) -> int | None:
        online = _online(request, id)
        return absence.agree(state.database, state.live, who, room, wish.seat, online)

    await state.rooms.info(id, who.id)  # 404 unless it may be seen
    said = await state.rooms.run(id, work)
    answer = await _refreshed(request, id, who)
    if said is not None:
        await state.rooms.heard(News("chat", id, number=said))
    return answer


@router.post("/return", summary="Take my seat back", responses=_TABLE)
async def come_back(id: str, request: Request, who: Who) -> Response:
    """The bot that has played for me stops."""
    state = request.app.state
    await state.rooms.info(id, who.id)  # 404 unless it may be seen
    await state.rooms.run(id, lambda room: absence.come_back(state.live, who, room))
    return await _refreshed(request, id, who)


@router.post(
    "/standing",
    summary="Always pass some offers",
    responses=_TABLE,
    openapi_extra=takes(StandingOrders),
)
async def standing(id: str, request: Request, who: Who) -> Response:
    """Offers of these kinds are passed for my seat from now on; an empty list ends that."""
    wish = await body(request, StandingOrders)
    await _change(request, id, who, absence.order, wish.power, wish.windows)
    return await _refreshed(request, id, who)


@router.post(
    "/rematch", summary="The same table again", responses=answers(GameInfo, "The new table")
)
async def rematch(id: str, request: Request, who: Who) -> Response:
    """A new table in the lobby with the same options and seats, or the one that somebody has made
    already; the others are invited to their seats."""
    again, said = await _change(request, id, who, absence.rematch)
    rooms: Rooms = request.app.state.rooms
    await rooms.refresh(id)
    if said is not None:
        await rooms.heard(News("chat", id, number=said))
    return reply(await rooms.info(again, who.id))


async def _change(request: Request, id: str, who: Person, change: Any, *arguments: Any) -> Any:
    """One of the changes of `absence`, in a thread."""
    state = request.app.state
    await state.rooms.info(id, who.id)  # 404 unless it may be seen
    return await run_in_threadpool(change, state.database, state.live, who, id, *arguments)


async def _refreshed(request: Request, id: str, who: Person) -> Response:
    rooms: Rooms = request.app.state.rooms
    await rooms.refresh(id)
    return reply(await rooms.info(id, who.id))


def _online(request: Request, id: str) -> tuple[int, ...]:
    rooms: Rooms = request.app.state.rooms
    return rooms.present(id)[0]
