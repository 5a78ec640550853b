"""Playing: decisions, what can be asked about a position, the past, chat and saves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from sandtable.kernel.decisions import Request as Question
from sandtable.kernel.display import Form, Plan, Reach
from sandtable.kernel.game import Game
from sandtable.kernel.savefile import save_text
from sandtable.server import absence, lobby, questions, verifying
from sandtable.server.accounts import Anybody, Person, Who, one_of
from sandtable.server.errors import Problem
from sandtable.server.limits import EDITS, REMARKS, SAVES
from sandtable.server.past import Moment, Powers, Scenes, Since, Story, told_of
from sandtable.server.past import history as steps
from sandtable.server.past import replay as played_again
from sandtable.server.past import view as position
from sandtable.server.patience import PAST_SECONDS
from sandtable.server.room import Room
from sandtable.server.rooms import Rooms
from sandtable.server.schemas import (
    JSON,
    Branch,
    Doubt,
    Draft,
    DraftQuestion,
    Editing,
    EditorAnswer,
    GameInfo,
    History,
    LegalDecisions,
    NewGame,
    NewSeat,
    OddsAnswer,
    OddsQuestion,
    PlanQuestion,
    ReachQuestion,
    Remarked,
    RemarkInfo,
    Replay,
    Reported,
    Submission,
    TakeBack,
    TakenBack,
    Verdict,
    Versioned,
    View,
    WhatIfAnswer,
    WhatIfQuestion,
    answers,
    body,
    reply,
    takes,
)
from sandtable.server.security import address_of
from sandtable.server.tables import Seat
from sandtable.server.verifying import Loaded

MOST_STEPS = 40
"""Of a replay, at a time."""

router = APIRouter(prefix="/api/games/{id}", tags=["play"])

T = TypeVar("T")
A = TypeVar("A")

_ANY: dict[int | str, Any] = {
    200: {"description": "An object", "content": {JSON: {"schema": {"type": "object"}}}}
}

Kind = Annotated[str, Query(description="Of the request, where it is a right")]
Player = Annotated[str | None, Query(alias="as", description="Which of my players looks")]


# --- deciding ------------------------------------------------------------------------------------


@router.post(
    "/decisions",
    summary="Decide",
    responses=answers(Versioned, "It is stored; the game is at this version"),
    openapi_extra=takes(Submission),
)
async def decide(request: Request, id: str, who: Who) -> Response:
    given = await body(request, Submission)
    version = await _rooms(request).decide(id, who.id, given.power, given.decision, given.version)
    return reply(Versioned(version))


@router.get(
    "/editor",
    summary="What I could change by hand in a game that I play alone",
    responses=answers(EditorAnswer, "It, or why nothing can be changed just now"),
)
async def editor(
    request: Request,
    id: str,
    who: Who,
    power: str,
    space: Annotated[str, Query(max_length=80)] = "",
    of: Annotated[str, Query(max_length=80, description="Whose units; of whoever is there")] = "",
) -> Response:
    def look(room: Room) -> Game:
        room.must_edit(who.id, power)
        return room.look()

    return reply(await _ask(request, id, who, look, lambda game: questions.editor(game, space, of)))


@router.post(
    "/edit",
    summary="Change the position by hand in a game that I play alone",
    responses=answers(Versioned, "It is stored; the game is at this version"),
    openapi_extra=takes(Editing),
)
async def edit(request: Request, id: str, who: Who) -> Response:
    """An entry of the journal like a decision: the log, the save and the table say so. 403 where
    others play, or a clock runs; 422 for what cannot be."""
    given = await body(request, Editing)
    request.app.state.limits.take(EDITS, who.id)
    version = await _rooms(request).edit(id, who.id, given.power, given.patch, given.version)
    return reply(Versioned(version))


@router.post(
    "/undo",
    summary="Take a decision of mine back",
    responses=answers(TakenBack, "It is taken back; the game is at this version"),
    openapi_extra=takes(TakeBack),
)
async def undo(request: Request, id: str, who: Who) -> Response:
    given = await body(request, TakeBack)
    version, lost = await _rooms(request).undo(id, who.id, given.power, given.version, given.of)
    return reply(TakenBack(version, lost))


# --- asking about my request ---------------------------------------------------------------------


@router.get("/form", summary="The question as a client shows it", responses=answers(Form, "It"))
async def form(request: Request, id: str, who: Who, power: str, kind: Kind = "") -> Response:
    return reply(
        await _ask(request, id, who, _asked(who.id, power, kind), lambda it: questions.form(*it))
    )


@router.post(
    "/draft",
    summary="The question as it would be after some orders",
    responses=answers(Draft, "It, and the orders that are refused"),
    openapi_extra=takes(DraftQuestion),
)
async def draft(request: Request, id: str, who: Who) -> Response:
    given = await body(request, DraftQuestion)
    return reply(
        await _ask(
            request,
            id,
            who,
            _asked(who.id, given.power, ""),
            lambda it: questions.draft(*it, given.first),
        )
    )


@router.get(
    "/legal",
    summary="Some or all legal decisions",
    responses=answers(LegalDecisions, "All of them if `complete`, otherwise some at random"),
)
async def legal(
    request: Request,
    id: str,
    who: Who,
    power: str,
    kind: Kind = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    return reply(
        await _ask(
            request,
            id,
            who,
            _asked(who.id, power, kind),
            lambda it: questions.legal_decisions(*it, limit),
            slow=True,
        )
    )


@router.get("/observe", summary="All that a power of mine may see, as data", responses=_ANY)
async def observe(
    request: Request,
    id: str,
    who: Who,
    power: str,
    since: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    def look(room: Room) -> tuple[Game, int]:
        room.must_run(who.id, power)
        return room.look(), room.number(frozenset((power,)))

    def seen(taken: tuple[Game, int]) -> dict[str, Any]:
        # The game's own version counts rolls, some of which are secret.
        game, version = taken
        return {**game.observe(power, since), "version": version}

    return reply(await _ask(request, id, who, look, seen))


@router.post(
    "/check",
    summary="Whether a decision would be legal",
    responses=answers(Verdict, "Whether, and if not, why"),
    openapi_extra=takes(Doubt),
)
async def check(request: Request, id: str, who: Who) -> Response:
    given = await body(request, Doubt)
    return reply(
        await _ask(
            request,
            id,
            who,
            _doubted(who.id, given),
            lambda it: questions.check(*it, given.decision),
        )
    )


@router.post(
    "/reach",
    summary="Where chosen units can go",
    responses=answers(Reach, "Where, and why not elsewhere"),
    openapi_extra=takes(ReachQuestion),
)
async def reach(request: Request, id: str, who: Who) -> Response:
    given = await body(request, ReachQuestion)
    return reply(
        await _ask(
            request,
            id,
            who,
            _asked(who.id, given.power, given.kind),
            lambda it: questions.reach(*it, given.space, given.chosen, some=given.some),
        )
    )


@router.post(
    "/plan",
    summary="What it takes to lay courses, or to give them another capacity",
    responses=answers(Plan, "The decisions that do it, or why it cannot be done"),
    openapi_extra=takes(PlanQuestion),
)
async def plan(request: Request, id: str, who: Who) -> Response:
    given = await body(request, PlanQuestion)
    return reply(
        await _ask(
            request,
            id,
            who,
            _asked(who.id, given.power, ""),
            lambda it: questions.plan(*it, given),
            slow=True,
        )
    )


@router.post(
    "/odds",
    summary="The odds of a battle, as it stands or after a decision",
    responses=answers(OddsAnswer, "The odds, or why there are none"),
    openapi_extra=takes(OddsQuestion),
)
async def odds(request: Request, id: str, who: Who) -> Response:
    given = await body(request, OddsQuestion)
    return reply(
        await _ask(
            request,
            id,
            who,
            _looked(who.id, given.power, given.at),
            lambda seen: questions.odds(
                seen.then, given.power, given.space, given.decision, given.first, seen.powers
            ),
            slow=True,
        )
    )


@router.post(
    "/what-if",
    summary="A battle that somebody thinks of: both sides, and how they play",
    responses=answers(WhatIfAnswer, "The calculator with its odds, or why there are none"),
    openapi_extra=takes(WhatIfQuestion),
)
async def what_if(request: Request, id: str, who: Who) -> Response:
    given = await body(request, WhatIfQuestion)
    return reply(
        await _ask(
            request,
            id,
            who,
            _looked(who.id, given.power, None),
            lambda seen: questions.what_if(seen.then, given),
            slow=True,
        )
    )


# --- looking -------------------------------------------------------------------------------------


@router.get("/view", summary="The position, now or earlier", responses=answers(View, "It"))
async def view(
    request: Request,
    id: str,
    who: Anybody,
    player: Player = None,
    at: Annotated[int | None, Query(ge=0, le=2**31 - 1)] = None,
) -> Response:
    account = who.id if who else None

    def look(room: Room) -> Moment:
        return room.moment(_powers(room, account, player), at)

    return reply(await _ask(request, id, who, look, position, past=at is not None))


@router.get(
    "/history",
    summary="The steps of the game so far, and figures for charts",
    responses=answers(History, "Both, oldest first"),
)
async def history(request: Request, id: str, who: Anybody, player: Player = None) -> Response:
    account = who.id if who else None

    def look(room: Room) -> Story:
        return room.past(_powers(room, account, player))

    return reply(await _ask(request, id, who, look, steps, past=True))


@router.get(
    "/replay",
    summary="Some steps of the game once more, with the position before each",
    responses=answers(Replay, "The first position, and what each step changes"),
)
async def replay(
    request: Request,
    id: str,
    who: Anybody,
    after: Annotated[int, Query(ge=0, le=2**31 - 1)],
    player: Player = None,
    most: Annotated[int, Query(ge=1, le=MOST_STEPS)] = MOST_STEPS,
) -> Response:
    account = who.id if who else None

    def look(room: Room) -> Scenes:
        return room.scenes(_powers(room, account, player), after, most)

    return reply(await _ask(request, id, who, look, played_again, past=True))


@router.get(
    "/report",
    summary="What happened to me since my last turn",
    responses=answers(Reported, "The report; null unless my turn begins"),
)
async def report(request: Request, id: str, who: Anybody, player: Player = None) -> Response:
    account = who.id if who else None

    def look(room: Room) -> Since | None:
        return room.since(_powers(room, account, player))

    return reply(await _ask(request, id, who, look, told_of))


@router.get("/save", summary="The save", responses=_ANY)
async def save(request: Request, id: str, who: Anybody) -> Response:
    account = who.id if who else None

    def work(room: Room) -> tuple[Game, str]:
        _must_be_savable(room, account)
        return room.look(), f"{room.head.game}-{room.head.updated:%Y-%m-%d}.json"

    name = ""

    def text(taken: tuple[Game, str]) -> str:
        nonlocal name
        game, name = taken
        return save_text(game)

    content = await _ask(request, id, who, work, text, past=True)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, headers=headers, media_type="application/json")


def _must_be_savable(room: Room, account: str | None) -> None:
    """A save holds the secret of the dice, and what everybody has decided in secret."""
    room.must_see(account)
    if room.head.status == "lobby":
        raise Problem(409, "The game has not been started yet.")
    if room.head.status == "running":
        mine = account is not None and any(s.account == account for s in room.seats)
        if not mine or lobby.people_besides(room.seats, account):
            raise Problem(
                403,
                "A game with other people can be saved when it is over: "
                "before, the save would give away the dice.",
            )


@router.post(
    "/branch",
    summary="Another game from a past moment of this one",
    status_code=201,
    responses=answers(GameInfo, "The new table, in the lobby", 201),
    openapi_extra=takes(Branch),
)
async def branch(request: Request, id: str, who: Who) -> Response:
    """A table of its own with the same seats, which may be changed: this game stays as it is. What
    others played is for a bot. Possible wherever the game could be saved, with dice of its own from
    there on."""
    given = await body(request, Branch)
    state, address = request.app.state, address_of(request.scope)
    await run_in_threadpool(state.limits.take_everywhere, state.database, SAVES, address)

    def look(room: Room) -> tuple[Moment, list[NewSeat], str]:
        _must_be_savable(room, who.id)
        seats = [_seat_again(seat, who) for seat in room.seats]
        return room.moment(room.powers_of(who.id), given.at), seats, room.head.title

    def apart(taken: tuple[Moment, list[NewSeat], str]) -> tuple[Loaded, list[NewSeat], str]:
        moment, seats, title = taken
        return verifying.apart(moment.game.at(moment.length)), seats, title

    saved, seats, title = await _ask(request, id, who, look, apart, past=True)
    new = NewGame(seats, title=f"{title[:70]} (branch)", access="private")
    made = await run_in_threadpool(lobby.create, state.database, who, new, saved)
    return reply(await _rooms(request).info(made, who.id), 201)


def _seat_again(seat: Seat, who: Person) -> NewSeat:
    """A seat as it was, for whoever begins anew."""
    if seat.account == who.id:
        return NewSeat(seat.powers, "here", seat.player)
    return NewSeat(seat.powers, "bot", bot=seat.bot or absence.STAND_IN)


@router.post(
    "/chat",
    summary="Say something",
    status_code=201,
    responses=answers(RemarkInfo, "The remark", 201),
    openapi_extra=takes(Remarked),
)
async def chat(request: Request, id: str, who: Who) -> Response:
    given = await body(request, Remarked)
    text = lobby.clean_text(given.text)
    if not text:
        raise Problem(422, "A remark needs some words.", field="text")
    request.app.state.limits.take(REMARKS, who.id)
    return reply(await _rooms(request).say(id, who, text), 201)


# --- inside --------------------------------------------------------------------------------------


def _rooms(request: Request) -> Rooms:
    rooms: Rooms = request.app.state.rooms
    return rooms


async def _ask(
    request: Request,
    id: str,
    who: Person | None,
    look: Callable[[Room], A],
    answer: Callable[[A], T],
    *,
    slow: bool = False,
    past: bool = False,
) -> T:
    address = address_of(request.scope)
    return await _rooms(request).ask(
        id,
        one_of(who, address),
        look,
        answer,
        where=address,
        slow=slow or past,
        seconds=PAST_SECONDS if past else None,
    )


def _powers(room: Room, account: str | None, player: str | None) -> Powers:
    room.must_see(account)
    return room.powers_of(account, player)


def _asked(account: str, power: str, kind: str) -> Callable[[Room], tuple[Game, Question]]:
    """A copy of the game and the request, or the right of a kind, of a power that the account
    runs."""

    def look(room: Room) -> tuple[Game, Question]:
        room.must_run(account, power)
        return room.look(), room.request_of(power, kind)

    return look


def _doubted(account: str, doubt: Doubt) -> Callable[[Room], tuple[Game, Question]]:
    """A copy of the game and what a decision is for, of a power that the account runs."""

    def look(room: Room) -> tuple[Game, Question]:
        room.must_run(account, doubt.power)
        return room.look(), room.request_for(doubt.power, doubt.decision)

    return look


def _looked(account: str, power: str, at: int | None) -> Callable[[Room], Moment]:
    """The game for an account that runs a power, now or at a version."""

    def look(room: Room) -> Moment:
        room.must_run(account, power)
        return room.moment(room.powers_of(account), at)

    return look
