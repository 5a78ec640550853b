"""Players who leave, stay away or come back, and playing again. Every change is one transaction;
whoever calls lets the room look again."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from sandtable.kernel import registry
from sandtable.kernel.dice import VerifiedDice
from sandtable.server import clocks, lobby, notices
from sandtable.server.accounts import Person, new_id
from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.live import Live, News
from sandtable.server.room import Room, nothing_there
from sandtable.server.tables import GameRow, Seat

AWAY = timedelta(minutes=10)
"""Who has not been connected for so long while the game waits for it is away, where no clock says
for how long it may be."""


def resign(database: Database, live: Live, who: Person, room: Room, power: str) -> None:
    """Give a seat up. A bot plays on for it while persons still play against each other, or on the
    same side; otherwise the game is over, and the others have won."""
    with database.transaction() as session:
        head, seats = _running(session, room.id)
        seat = _mine(seats, who, power)
        sides = room.rules.sides(room.game.state)
        lost = {sides[each] for each in seat.powers}
        left = {
            sides[each]
            for other in seats
            if other.kind == "person" and other is not seat
            for each in other.powers
        }
        seat.kind, seat.bot, seat.votes, seat.standing = "bot", clocks.STAND_IN, [], []
        if not left & lost and len(left) < 2:
            names = {each.id: each.name for each in room.rules.about(room.game.state).powers}
            ran = ", ".join(names.get(each, each) for each in seat.powers)
            playing = [each for other in seats for each in other.powers]
            head.status = "over"
            head.result = {
                "winners": [each for each in playing if sides[each] not in lost],
                # Not by the person's name: that would stay when its account is deleted.
                "reason": f"{ran} resigned.",
            }
            head.waiting = []
            for each in seats:
                each.since = None
        head.updated = datetime.now(UTC)
        live.tell(session, News("info", head.id))


def agree(
    database: Database, live: Live, who: Person, room: Room, number: int, online: Sequence[int]
) -> int | None:
    """Somebody agrees that a bot plays for an absent person. It does as soon as all persons on the
    same side agree; the number of the remark that says so, or None. Never before the deadline,
    never by opponents."""
    with database.transaction() as session:
        head, seats = _running(session, room.id)
        persons = [seat for seat in seats if seat.kind == "person" and not seat.bot]
        mine = [seat for seat in persons if seat.account == who.id]
        if not mine:
            raise Problem(403, "Only those who play in this game can agree to that.")
        seat = next((seat for seat in seats if seat.number == number), None)
        if seat is None or seat.kind != "person" or seat.account == who.id:
            raise Problem(422, "No other person has that seat.", field="seat")
        if seat.bot:
            raise Problem(409, "A bot plays for this person already.")
        sides = room.rules.sides(room.game.state)
        side = {sides[power] for power in seat.powers}
        friends = {
            each.account
            for each in persons
            if each.account != seat.account and side & {sides[power] for power in each.powers}
        }
        if who.id not in friends:
            raise Problem(403, f"Only those on the side of {seat.player} can agree to that.")
        _must_be_overdue(head, seat, online)
        votes = {*seat.votes, who.id}
        live.tell(session, News("info", head.id))
        if not friends <= votes:
            seat.votes = sorted(votes)
            return None
        return stand_in(session, live, head, seat, "is away")


def stand_in(session: Session, live: Live, head: GameRow, seat: Seat, why: str) -> int:
    """Let a bot play for a person until it returns; the number of the remark that says so."""
    seat.bot, seat.votes = clocks.STAND_IN, []
    if seat.account is not None:
        notices.add(session, head.id, seat.account, head.version, "takeover")
    return clocks.remark(session, live, head, f"{seat.player} {why}: a bot plays on meanwhile.")


def come_back(database: Database, live: Live, who: Person, id: str) -> None:
    """Take one's seats back from the bots that stand in."""
    now = datetime.now(UTC)
    with database.transaction() as session:
        head, seats = _running(session, id)
        mine = [seat for seat in seats if seat.account == who.id]
        back = [seat for seat in mine if seat.kind == "person" and seat.bot]
        if not mine:
            raise Problem(403, "You have no seat at this table.")
        if any(seat.kind == "bot" for seat in mine) and not back:
            raise Problem(409, "You have resigned; the bot plays on.")
        for seat in back:
            seat.bot, seat.votes, seat.seen = "", [], now
            # The clock starts anew.
            seat.since = now if set(seat.powers) & set(head.waiting) else None
        live.tell(session, News("info", id))


def order(
    database: Database, live: Live, who: Person, id: str, power: str, windows: Sequence[str]
) -> None:
    """Let offers of these kinds always be passed for a seat; none: ask again."""
    with database.transaction() as session:
        _, seats = _running(session, id)
        _mine(seats, who, power).standing = list(dict.fromkeys(windows))
        live.tell(session, News("info", id))


def rematch(database: Database, live: Live, who: Person, id: str) -> str:
    """The table of the same game again, in the lobby; its id. Who asks first makes it; the other
    persons are invited to the seats they had."""
    now = datetime.now(UTC)
    with database.transaction() as session:
        head, seats = _table(session, id)
        if not any(seat.account == who.id for seat in seats):
            raise Problem(403, "Only those who played in this game can play it again.")
        if head.status != "over":
            raise Problem(409, "This game is not over yet.")
        if head.rematch is not None:
            return head.rematch
        rules = registry.find(head.game)
        again = new_id()
        secret = secrets.token_hex(32)
        session.add(
            GameRow(
                id=again,
                game=head.game,
                rules_version=rules.version,
                title=head.title,
                options=rules.unseated(head.options),
                position=head.position,
                secret=secret,
                commitment=VerifiedDice(secret, (), again).commitment,
                entropy=[],
                dice=None,
                creator=who.id,
                access=head.access,
                status="lobby",
                version=0,
                waiting=[],
                result=None,
                clock=head.clock,
                rematch=None,
                created=now,
                updated=now,
            )
        )
        session.flush()
        session.add_all(_same_seat(again, seat, who) for seat in seats)
        head.rematch = again
        live.tell(session, News("info", id))
    return again


def _same_seat(game: str, seat: Seat, who: Person) -> Seat:
    made = Seat(
        game=game,
        number=seat.number,
        powers=seat.powers,
        kind="person",
        account=seat.account,
        player=seat.player,
        bot="",
    )
    if seat.account is None:
        made.kind, made.bot = "bot", seat.bot
    elif seat.account != who.id:
        made.kind, made.invite = "invited", secrets.token_urlsafe(24)
    return made


def _must_be_overdue(head: GameRow, seat: Seat, online: Sequence[int]) -> None:
    """Problem 409 unless a person has let the deadline pass; without a clock, unless the game has
    waited for it for ten minutes, and it was not there."""
    now = datetime.now(UTC)
    if head.clock is not None:
        due = lobby.deadline(head, seat)
        if due is None or due > now:
            raise Problem(409, f"{seat.player} still has time to decide.")
        return
    if seat.since is None:
        raise Problem(409, f"The game does not wait for {seat.player}.")
    if seat.number in online or max(seat.since, seat.seen or seat.since) > now - AWAY:
        raise Problem(409, f"{seat.player} has not been away for {AWAY.seconds // 60} minutes yet.")


def _mine(seats: Sequence[Seat], who: Person, power: str) -> Seat:
    for seat in seats:
        if power in seat.powers and seat.account == who.id and seat.kind == "person":
            return seat
    raise Problem(403, "You do not run that power.", field="power")


def _running(session: Session, id: str) -> tuple[GameRow, list[Seat]]:
    """A running game for change; Problem 409 if it is not."""
    head, seats = _table(session, id)
    if head.status == "lobby":
        raise Problem(409, "The game has not been started yet.")
    if head.status == "over":
        raise Problem(409, "The game is over.")
    return head, seats


def _table(session: Session, id: str) -> tuple[GameRow, list[Seat]]:
    """A game and its seats for change: nobody else changes them until the transaction ends."""
    head = session.get(GameRow, id, with_for_update=True)
    if head is None:
        raise nothing_there()
    seats = session.scalars(select(Seat).where(Seat.game == id).order_by(Seat.number)).all()
    return head, list(seats)
