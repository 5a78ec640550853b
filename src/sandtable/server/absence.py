"""Players who leave, stay away or come back, and playing again. Every change is one transaction;
whoever calls lets the room look again."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from sandtable.kernel import registry
from sandtable.kernel.dice import VerifiedDice
from sandtable.server import lobby, notices
from sandtable.server.accounts import Person, new_id
from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.live import Live, News
from sandtable.server.room import Room, Stale, nothing_there
from sandtable.server.tables import GameRow, Remark, Seat

AWAY = timedelta(minutes=10)
"""Who has not been connected for so long while the game waits for it is away, where no clock says
for how long it may be."""


STAND_IN = "greedy"
"""The bot that plays for whoever is away, late or has resigned."""


class Consequence(Struct):
    """What comes of resigning."""

    powers: list[str]
    """Which are given up: a place at the table is given up as a whole."""
    ends: bool
    """Whether the game is over with it."""
    winners: list[str]


def consequence(room: Room, who: Person, power: str, *, whole: bool) -> Consequence:
    """What comes of it if somebody resigns for `power`, or (`whole`) for all powers of its seat: a
    bot plays on while persons still play against each other, or on the same side; otherwise the
    game is over, and the others have won."""
    return _consequence(room, room.seats, _mine(room.seats, who, power), power, whole=whole)


def resign(live: Live, who: Person, room: Room, power: str, *, whole: bool = True) -> int | None:
    """Give up a power, or the whole seat that it belongs to; the number of the remark that says so.
    The person's name stays at the table."""
    seat = _mine(room.seats, who, power)
    after = _consequence(room, room.seats, seat, power, whole=whole)
    names = {each.id: each.name for each in room.rules.about(room.game.state).powers}
    ran = ", ".join(names.get(each, each) for each in after.powers)
    said: list[int] = []

    def change(session: Session, room: Room) -> None:
        head, seats = _running(session, room.id)
        seat = _mine(seats, who, power)
        if after != _consequence(room, seats, seat, power, whole=whole):
            raise Stale
        if len(after.powers) < len(seat.powers):
            seat.powers = [each for each in seat.powers if each not in after.powers]
            number = max(each.number for each in seats) + 1
            seat.since = seat.since if {*seat.powers} & {*head.waiting} else None
            seat = Seat(
                game=head.id,
                number=number,
                powers=after.powers,
                account=seat.account,
                player=seat.player,
                registered=seat.registered,
                since=datetime.now(UTC) if {*after.powers} & {*head.waiting} else None,
            )
            session.add(seat)
        seat.kind, seat.bot, seat.votes, seat.standing = "bot", STAND_IN, [], []
        words = f"{seat.player} resigned for {ran}: a bot plays on."
        if after.ends:
            words = f"{seat.player} resigned for {ran}: the game is over."
            head.status = "over"
            # Not by the person's name: that would stay when its account is deleted.
            head.result = {"winners": after.winners, "reason": f"{ran} resigned."}
            head.waiting = []
            for each in seats:
                each.since = None
        head.updated = datetime.now(UTC)
        session.flush()
        said.append(remark(session, live, head, words))
        _told(session, live, room)

    room.record("player_gave_up" if after.ends else "player_resigned", after.powers, change)
    return said[0]


def _consequence(
    room: Room, seats: Sequence[Seat], seat: Seat, power: str, *, whole: bool
) -> Consequence:
    sides = room.rules.sides(room.game.state)
    places = room.rules.seats(room.game.options)
    place = next((each for each in places if power in each), (power,))
    powers = [each for each in seat.powers if whole or each in place]
    lost = {sides[each] for each in powers}
    left = {
        sides[each]
        for other in seats
        if other.kind == "person"
        for each in other.powers
        if each not in powers
    }
    playing = [each for other in seats for each in other.powers]
    ends = not left & lost and len(left) < 2
    winners = [each for each in playing if sides[each] not in lost] if ends else []
    return Consequence(powers, ends, winners)


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
        seat.votes = sorted(votes)
        live.tell(session, News("info", head.id))
    if not friends <= votes:
        return None
    return stand_in(live, room, number, seat.since, "player_away")


def stand_in(live: Live, room: Room, number: int, since: datetime | None, why: str) -> int:
    """Let a bot play for a person until it returns; the number of the remark that says so. Stale if
    the person has decided meanwhile, or somebody else has seen to it."""
    seat = next(each for each in room.seats if each.number == number)
    said: list[int] = []

    def change(session: Session, room: Room) -> None:
        head, seats = _running(session, room.id)
        seat = next(each for each in seats if each.number == number)
        if seat.bot or seat.kind != "person" or seat.since != since:
            raise Stale
        seat.bot, seat.votes = STAND_IN, []
        if seat.account is not None:
            notices.add(session, head.id, seat.account, head.version, "takeover")
        how = "is away" if why == "player_away" else "has not decided in time"
        words = f"{seat.player} {how}: a bot plays on meanwhile."
        said.append(remark(session, live, head, words))
        _told(session, live, room)

    room.record(why, seat.powers, change)
    return said[0]


def come_back(live: Live, who: Person, room: Room) -> None:
    """Take one's seats back from the bots that stand in."""
    now = datetime.now(UTC)
    mine = [seat for seat in room.seats if seat.account == who.id]
    back = [seat.number for seat in mine if seat.kind == "person" and seat.bot]
    if not mine:
        raise Problem(403, "You have no seat at this table.")
    if any(seat.kind == "bot" for seat in mine) and not back:
        raise Problem(409, "You have resigned; the bot plays on.")
    if not back:
        return

    def change(session: Session, room: Room) -> None:
        head, seats = _running(session, room.id)
        for seat in seats:
            if seat.number in back:
                seat.bot, seat.votes, seat.seen = "", [], now
                # The clock starts anew.
                seat.since = now if set(seat.powers) & set(head.waiting) else None
        _told(session, live, room)

    powers = [power for seat in mine if seat.number in back for power in seat.powers]
    room.record("player_back", powers, change)


def remark(session: Session, live: Live, game: GameRow, text: str) -> int:
    """Say in a game's chat what has become of a seat; the remark's number."""
    said = Remark(game=game.id, account=game.creator, name="", text=text, at=datetime.now(UTC))
    session.add(said)
    session.flush()
    live.tell(session, News("chat", game.id, number=said.id))
    return said.id


def _told(session: Session, live: Live, room: Room) -> None:
    live.tell(session, News("moved", room.id, version=room.version))
    live.tell(session, News("info", room.id))


def order(
    database: Database, live: Live, who: Person, id: str, power: str, windows: Sequence[str]
) -> None:
    """Let offers of these kinds always be passed for a seat; none: ask again."""
    with database.transaction() as session:
        _, seats = _running(session, id)
        _mine(seats, who, power).standing = list(dict.fromkeys(windows))
        live.tell(session, News("info", id))


def rematch(database: Database, live: Live, who: Person, id: str) -> tuple[str, int | None]:
    """The table of the same game again, in the lobby: its id, and the number of the remark that
    tells of it. Who asks first makes it; the other persons are invited to the seats they had."""
    now = datetime.now(UTC)
    with database.transaction() as session:
        head, seats = _table(session, id)
        if not any(seat.account == who.id for seat in seats):
            raise Problem(403, "Only those who played in this game can play it again.")
        if head.status != "over":
            raise Problem(409, "This game is not over yet.")
        if head.rematch is not None:
            return head.rematch, None
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
        name = next((s.player for s in seats if s.account == who.id and s.player), who.name)
        said = remark(session, live, head, f"{name} has set the same table up once more.")
        live.tell(session, News("info", id))
    return again, said


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
