"""Tables before and around the game: making one, taking seats, starting, and what is told about
them. Every change is one transaction; whoever calls tells the room."""

from __future__ import annotations

import json
import secrets
import unicodedata
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.orm import Session, defer

from sandtable.bots import BOT_NAMES, LEVELS
from sandtable.kernel import registry
from sandtable.kernel.decisions import plain
from sandtable.kernel.dice import VerifiedDice, commitment_to
from sandtable.kernel.errors import OptionError, PositionError, UnknownGame
from sandtable.kernel.game import Game
from sandtable.server.accounts import Person, clean_name, login_of, new_id
from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.live import Live, News
from sandtable.server.room import dice_of, may_see, nothing_there
from sandtable.server.schemas import (
    Clock,
    GameInfo,
    Join,
    NewGame,
    NewSeat,
    Outcome,
    SeatChange,
    SeatInfo,
)
from sandtable.server.tables import Account, GameRow, Notice, Remark, Row, Seat, SnapshotRow
from sandtable.server.verifying import MOST_OPTIONS, Loaded

MOST_LISTED = 50
MOST_TABLES = 1000
MOST_OF_A_GUEST = 100
"""How many tables an account may have in the lobby or running."""
_SUBTITLES = 500
"""Options of games whose subtitle is remembered."""

# --- making and changing a table -----------------------------------------------------------------


def create(database: Database, who: Person, new: NewGame, saved: Loaded | None = None) -> str:
    """Make a table in the lobby; its id. `saved` is the save that it goes on from. Problem 422 for
    what does not fit."""
    id = new_id()
    if len(json.dumps(new.options)) > MOST_OPTIONS:
        raise Problem(422, "The options are too long.", field="options")
    if saved is None:
        game, options = _chosen(new)
    else:
        if new.game not in (None, saved.game) or new.options:
            raise Problem(422, "A save brings its own game and options.", field="save")
        game, options = saved.game, saved.options
    position = saved.position if saved else None
    rules = registry.find(game)
    secret = secrets.token_hex(32)
    now = datetime.now(UTC)
    title = " ".join(clean_text(new.title).split())[:80]
    rows = _rows_of(id, saved, now) if saved else []
    head = GameRow(
        id=id,
        game=game,
        rules_version=rules.version,
        title=title or rules.title,
        options=options,
        position=position,
        secret=secret,
        commitment=VerifiedDice(secret, (), id).commitment,
        entropy=[],
        dice={"rolls": saved.rolls, "dice": saved.dice} if saved else None,
        creator=who.id,
        access=new.access,
        status="lobby",
        version=len(rows),
        waiting=saved.waiting if saved else [],
        result=saved.result if saved else None,
        edited=saved.edited if saved else False,
        clock=msgspec.to_builtins(new.clock),
        rematch=None,
        created=now,
        updated=now,
    )
    seats = [_seat(id, number, seat, who) for number, seat in enumerate(new.seats)]
    _check_places(rules.seats(options), new.seats)
    with database.transaction() as session:
        for seat in seats:
            if seat.kind == "person":
                _must_not_pass_as(session, seat.player, who)
        tables = session.scalars(
            select(GameRow.id).where(GameRow.creator == who.id, GameRow.status != "over")
        ).all()
        if len(tables) >= (MOST_OF_A_GUEST if who.guest else MOST_TABLES):
            raise Problem(409, "You have many tables already. Finish or give up some of them.")
        session.add(head)
        session.flush()
        session.add_all(seats)
        if rows:
            session.execute(insert(Row), rows)
    return id


def join(database: Database, live: Live, who: Person, id: str, wish: Join) -> None:
    """Take the seat of an invitation, or an open one."""
    if (wish.invite is None) == (wish.seat is None):
        raise Problem(422, "Name either an invitation or an open seat.")
    with database.transaction() as session:
        head, seats = _lobby(session, id, who, wish.invite)
        if wish.invite is not None:
            seat = next((s for s in seats if s.invite == wish.invite), None)
            if seat is None:
                raise Problem(404, "This invitation is not valid. Ask for a new link.")
        else:
            seat = next((s for s in seats if s.number == wish.seat), None)
            if seat is None or (seat.kind == "invited" and seat.account != who.id):
                raise Problem(403, "That seat is not open to everybody.", field="seat")
        if seat.account == who.id and seat.kind == "person":
            return
        if seat.kind not in ("open", "invited"):
            raise Problem(409, "Somebody has taken that seat already.")
        if head.status != "lobby":
            raise Problem(409, "The game has been started already.")
        _must_not_start(head)
        seat.kind = "person"
        seat.account = who.id
        seat.player = _player(session, wish.player or who.name, who, seats)
        seat.registered = is_registered(who, seat.player)
        seat.commitment = wish.commitment
        head.updated = datetime.now(UTC)
        live.tell(session, News("info", id))


def change_seat(
    database: Database, live: Live, who: Person, id: str, number: int, change: SeatChange
) -> None:
    """Let somebody else sit in a seat: its creator may do that before the game starts. Whoever sat
    there is out; an invitation is a new one, and the old link does not work any more."""
    with database.transaction() as session:
        head, seats = _lobby(session, id, who)
        if head.creator != who.id:
            raise Problem(403, "Only who made the table can change its seats.")
        if head.status != "lobby":
            raise Problem(409, "The game has been started already.")
        _must_not_start(head)
        seat = next((seat for seat in seats if seat.number == number), None)
        if seat is None:
            raise Problem(404, "The table has no such seat.")
        wanted = NewSeat(seat.powers, change.kind, change.player, change.bot)
        made = _seat(id, number, wanted, who)
        if made.kind == "person":
            _must_not_pass_as(session, made.player, who)
            others = [s for s in seats if s is not seat and s.account != who.id]
            made.player = _numbered(made.player, others)
        for name in ("kind", "account", "player", "registered", "bot", "invite"):
            setattr(seat, name, getattr(made, name))
        seat.registered = bool(seat.registered)
        seat.commitment, seat.entropy = "", ""
        head.updated = datetime.now(UTC)
        live.tell(session, News("info", id))


def leave(database: Database, live: Live, who: Person, id: str) -> None:
    """Give all seats back that an account has at a table in the lobby."""
    with database.transaction() as session:
        head, seats = _lobby(session, id, who)
        mine = [seat for seat in seats if seat.account == who.id]
        if head.creator == who.id:
            raise Problem(409, "You have made this table. You can give it up as a whole.")
        if not mine:
            raise Problem(403, "You have no seat at this table.")
        if head.status != "lobby":
            raise Problem(409, "The game has been started. You can resign.")
        _must_not_start(head)
        for seat in mine:
            vacate(seat)
        live.tell(session, News("info", id))


def vacate(seat: Seat) -> None:
    """Let a seat in the lobby be free again."""
    seat.kind = "invited" if seat.invite else "open"
    seat.account, seat.player, seat.registered = None, "", False
    seat.commitment, seat.entropy = "", ""


STARTING = timedelta(minutes=10)
"""For so long a game that starts waits for those who have not shown their share in the dice."""


def start(database: Database, live: Live, who: Person, id: str, commitment: str) -> None:
    """Start the game: the table is full. Everybody who wants to has committed to a share in the
    dice; the game begins when all have shown theirs, or when the creator starts it once more after
    a while, without those who do not come."""
    with database.transaction() as session:
        head, seats = _lobby(session, id, who)
        if head.creator != who.id:
            raise Problem(403, "Only who made the table can start the game.")
        if head.status != "lobby":
            raise Problem(409, "The game has been started already.")
        if any(seat.kind in ("open", "invited") for seat in seats):
            raise Problem(409, "Not all seats are taken yet.")
        if head.commitments is None:
            mine = next((seat for seat in seats if seat.account == who.id), None)
            if mine is not None:
                mine.commitment = commitment
            head.commitments = [seat.commitment for seat in seats if seat.commitment]
            head.updated = datetime.now(UTC)
        elif datetime.now(UTC) < head.updated + STARTING:
            raise Problem(409, "The game is starting. It waits for everybody's share in the dice.")
        else:
            _run(head, seats)
        if not any(is_sealed(head, seat) for seat in seats):
            _run(head, seats)
        live.tell(session, News("info", id))


def reveal(database: Database, live: Live, who: Person, id: str, entropy: str) -> None:
    """Show the share in the dice that somebody has committed to. With the last one the game
    begins."""
    with database.transaction() as session:
        head, seats = _lobby(session, id, who)
        mine = [seat for seat in seats if seat.account == who.id and is_sealed(head, seat)]
        if not mine:
            raise Problem(409, "No share in the dice is waited for from you.")
        shown = [seat for seat in mine if seat.commitment == commitment_to(entropy)]
        if not shown:
            raise Problem(422, "That is not the share that you committed to.", field="entropy")
        for seat in shown:
            seat.entropy = entropy
        if not any(is_sealed(head, seat) for seat in seats):
            _run(head, seats)
        live.tell(session, News("info", id))


def is_sealed(head: GameRow, seat: Seat) -> bool:
    """Whether a game that is starting waits for the share of a seat."""
    return (
        head.status == "lobby"
        and head.commitments is not None
        and (bool(seat.commitment) and not seat.entropy)
    )


def stop_starting(head: GameRow, seats: Sequence[Seat]) -> None:
    """Somebody has gone for good while the game was starting: it is in the lobby again. What was
    shown already is worth nothing any more, and the host has a new secret."""
    if head.commitments is None:
        return
    head.commitments = None
    head.secret = secrets.token_hex(32)
    head.commitment = VerifiedDice(head.secret, (), head.id).commitment
    for seat in seats:
        seat.commitment, seat.entropy = "", ""


def _must_not_start(head: GameRow) -> None:
    if head.commitments is not None:
        raise Problem(409, "The game is starting: nobody can take or leave a seat now.")


def _run(head: GameRow, seats: Sequence[Seat]) -> None:
    """The dice are fixed, in the order of the seats, and the game begins."""
    if head.status != "lobby":
        return
    head.entropy = [seat.entropy for seat in seats if seat.commitment]
    if head.dice is None:
        _begin(head, seats)
    head.status = "running" if head.result is None else "over"
    head.updated = now = datetime.now(UTC)
    for seat in seats:
        seat.since = now if any(power in head.waiting for power in seat.powers) else None


def give_up(database: Database, live: Live, who: Person, id: str) -> None:
    """Remove a table from the lobby."""
    with database.transaction() as session:
        head, _ = _lobby(session, id, who)
        if head.creator != who.id:
            raise Problem(403, "Only who made the table can give it up.")
        if head.status != "lobby":
            raise Problem(409, "The game has been started. You can resign.")
        remove(session, id)
        live.tell(session, News("info", id))


def remove(session: Session, id: str) -> None:
    """Delete a game with everything that belongs to it."""
    for table in (Seat, Row, SnapshotRow, Remark, Notice):
        session.execute(delete(table).where(table.game == id))
    session.execute(update(GameRow).where(GameRow.rematch == id).values(rematch=None))
    session.execute(delete(GameRow).where(GameRow.id == id))


# --- telling about tables ------------------------------------------------------------------------


def listed(
    database: Database, who: Person | None, which: str
) -> list[tuple[GameRow, list[Seat], str]]:
    """The newest games of a list, each with its seats and its subtitle: `mine`, `open` (public
    tables with a free seat) or `public`. What is large of them is not read."""
    chosen = (
        select(GameRow)
        .options(defer(GameRow.position), defer(GameRow.dice))
        .order_by(GameRow.updated.desc(), GameRow.id)
        .limit(MOST_LISTED)
    )
    if which == "mine":
        if who is None:
            return []
        seated = select(Seat.game).where(Seat.account == who.id)
        chosen = chosen.where(or_(GameRow.creator == who.id, GameRow.id.in_(seated)))
    elif which == "open":
        free = select(Seat.game).where(Seat.kind == "open")
        chosen = chosen.where(
            GameRow.access == "public", GameRow.status == "lobby", GameRow.id.in_(free)
        )
    else:
        chosen = chosen.where(GameRow.access == "public", GameRow.status != "lobby")
    with database.reading() as session:
        heads = session.scalars(chosen).all()
        ids = [head.id for head in heads]
        seats = session.scalars(select(Seat).where(Seat.game.in_(ids)).order_by(Seat.number)).all()
        titles = [subtitle(head) for head in heads]
        session.expunge_all()
    return [
        (head, [seat for seat in seats if seat.game == head.id], title)
        for head, title in zip(heads, titles, strict=True)
    ]


def names_of(database: Database, accounts: Collection[str]) -> dict[str, str]:
    """The names of accounts."""
    with database.reading() as session:
        found = session.execute(
            select(Account.id, Account.name).where(Account.id.in_(list(accounts)))
        )
        return {id: name for id, name in found}


def info(
    head: GameRow,
    seats: Sequence[Seat],
    creator: str,
    account: str | None,
    online: Collection[int] = (),
    spectators: int = 0,
    invite: str | None = None,
    title: str | None = None,
    version: int | None = None,
) -> GameInfo:
    """What `account` is told about a table; `creator` is the name of who made it, `invite` the
    invitation that it came with, `title` its subtitle and `version` its version as the account
    counts, if they are known."""
    mine = account is not None and account == head.creator
    return GameInfo(
        id=head.id,
        game=head.game,
        name=registry.find(head.game).title,
        title=head.title,
        subtitle=subtitle(head) if title is None else title,
        options=unusual(head),
        status=head.status,  # type: ignore[arg-type]
        version=_version(head, seats, account) if version is None else version,
        access=head.access,  # type: ignore[arg-type]
        clock=msgspec.convert(head.clock, Clock | None),
        created=head.created,
        updated=head.updated,
        creator=creator,
        mine=mine,
        seats=[_seat_info(head, seat, account, seat.number in online, invite) for seat in seats],
        you=list(
            dict.fromkeys(
                s.player
                for s in seats
                # Who is invited to a rematch has not come yet.
                if account is not None and s.account == account and s.kind != "invited"
            )
        ),
        waiting=head.waiting if head.status == "running" else [],
        result=msgspec.convert(head.result, Outcome | None),
        edited=head.edited,
        commitment=head.commitment,
        commitments=head.commitments or [],
        entropy=head.entropy,
        secret=head.secret if head.status == "over" else None,
        spectators=spectators,
        rematch=head.rematch,
    )


def _version(head: GameRow, seats: Sequence[Seat], account: str | None) -> int:
    """How many changes of the game an account may know of."""
    mine = [seat for seat in seats if account is not None and seat.account == account]
    powers = {power for seat in mine for power in seat.powers}
    hidden = (n for known, n in head.secrets.items() if powers.isdisjoint(known.split()))
    return head.version - sum(hidden)


def deadline(game: GameRow, seat: Seat) -> datetime | None:
    """Until when the person in a seat should decide; None if nobody waits or there is no clock."""
    if game.clock is None or game.status != "running" or seat.since is None:
        return None
    if seat.kind != "person" or seat.bot:
        return None
    return seat.since + timedelta(hours=game.clock["hours"])


def _seat_info(
    head: GameRow, seat: Seat, account: str | None, online: bool, invite: str | None
) -> SeatInfo:
    mine = account is not None and seat.account == account
    # Whoever has an invitation sees which seat it is for.
    free = seat.kind == "invited" and (account == head.creator or seat.invite == invite)
    return SeatInfo(
        number=seat.number,
        powers=seat.powers,
        kind=seat.kind,  # type: ignore[arg-type]
        player=seat.player,
        registered=seat.registered,
        mine=mine,
        sealed=is_sealed(head, seat),
        online=online,
        bot=seat.bot,
        level=LEVELS[seat.bot][0] if seat.bot in LEVELS else "",
        standing=seat.standing if mine else [],
        invite=seat.invite if free else None,
        since=seat.since if head.status == "running" else None,
        deadline=deadline(head, seat),
        votes=len(seat.votes),
        away=None if online or seat.kind != "person" else seat.seen,
    )


def subtitle(head: GameRow) -> str:
    """The scenario, or the options that matter. It is remembered; a position that the game goes on
    from says no more, and may be one that takes long to make."""
    key = head.game, json.dumps(head.options, sort_keys=True)
    found = _subtitles.get(key)
    if found is None:
        rules = registry.find(head.game)
        found = rules.about(rules.start(rules.read_options(head.options), None, None)).subtitle
        if len(_subtitles) >= _SUBTITLES:
            _subtitles.clear()
        _subtitles[key] = found
    return found


_subtitles: dict[tuple[str, str], str] = {}


def unusual(head: GameRow) -> list[tuple[str, str]]:
    """The options of a game that were chosen and are not the usual ones, in words. The scenario is
    in the subtitle, and what follows from who sits where is no choice."""
    known = registry.find(head.game).options
    chosen = []
    for name, value in head.options.items():
        option = known.get(name)
        if option is None or option.choices is None or name == "scenario":
            continue
        if value != option.default:
            said = ("Yes" if value else "No") if isinstance(value, bool) else str(value)
            words = option.words.get(value, (said.replace("_", " "), ""))[0]
            chosen.append((name.replace("_", " ").capitalize(), words))
    return chosen


# --- inside --------------------------------------------------------------------------------------


def clean_text(text: str) -> str:
    """A text without invisible characters other than line ends."""
    kept = "".join(
        c
        for c in unicodedata.normalize("NFC", text)
        if c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
    )
    return kept.strip()


def _chosen(new: NewGame) -> tuple[str, dict[str, Any]]:
    try:
        rules = registry.find(new.game or "")
        options = rules.read_options(new.options)
        rules.start(options, None, None)
    except UnknownGame as error:
        raise Problem(422, str(error), field="game") from None
    except (OptionError, PositionError) as error:
        raise Problem(422, str(error), field="options") from None
    return rules.id, options


def _rows_of(id: str, saved: Loaded, now: datetime) -> list[dict[str, Any]]:
    """The journal of a save as rows."""
    return [
        {
            "game": id,
            "version": version,
            "kind": "decide",
            "power": power,
            "account": None,
            "entries": bytes(part),
            "at": now,
        }
        for version, (power, part) in enumerate(zip(saved.powers, saved.parts, strict=True), 1)
    ]


def _begin(head: GameRow, seats: Sequence[Seat]) -> None:
    """Fill in how a new game stands before its first decision, now that it is known who plays."""
    rules = registry.find(head.game)
    people: dict[str, tuple[str, ...]] = {}
    first: dict[str, str] = {}
    for seat in seats:
        # By place: a name would stay in the saves of the game when its account is deleted.
        place = f"place {seat.number + 1}"
        person = first.setdefault(seat.player, place) if seat.player else place
        people[person] = (*people.get(person, ()), *seat.powers)
    try:
        head.options = rules.seated(head.options, people)
        state = rules.start(rules.read_options(head.options), head.position, None)
    except OptionError as error:
        raise Problem(422, str(error), field="seats") from None
    game = Game(rules, head.options, state, dice_of(head), setup=head.position)
    head.result = plain(game.result)
    head.waiting = [request.power for request in game.pending]


def _seat(id: str, number: int, seat: NewSeat, who: Person) -> Seat:
    made = Seat(game=id, number=number, powers=list(seat.powers), kind="person", player="", bot="")
    if seat.kind == "me":
        made.account, made.player = who.id, clean_name(seat.player or who.name, "player")
        made.registered = is_registered(who, made.player)
    elif seat.kind == "here":
        made.account, made.player = who.id, clean_name(seat.player, "player")
    elif seat.kind == "bot":
        if seat.bot not in BOT_NAMES:
            raise Problem(422, f"There are these bots: {', '.join(BOT_NAMES)}.", field="bot")
        made.kind, made.bot = "bot", seat.bot
    else:
        made.kind = seat.kind
        if seat.kind == "invited":
            made.invite = secrets.token_urlsafe(24)
            made.player = clean_name(seat.player, "player") if seat.player else ""
    return made


def _check_places(places: Sequence[Sequence[str]], seats: Sequence[NewSeat]) -> None:
    """Every place is in exactly one seat, as a whole."""
    given = [power for seat in seats for power in seat.powers]
    wanted = [power for place in places for power in place]
    if sorted(given) != sorted(wanted):
        raise Problem(422, "The seats have to hold every power exactly once.", field="seats")
    for place in places:
        if not any(set(place) <= set(seat.powers) for seat in seats):
            together = " and ".join(place)
            raise Problem(422, f"One seat has to hold {together} together.", field="seats")


def is_registered(who: Person, name: str) -> bool:
    """Whether a name at a table is the registered one of whoever sits there."""
    return not who.guest and login_of(name) == login_of(who.name)


def _must_not_pass_as(session: Session, name: str, who: Person) -> None:
    """Problem 409 if a name is that of somebody else who is registered."""
    owner = session.scalar(select(Account.id).where(Account.login == login_of(name)))
    if owner not in (None, who.id):
        raise Problem(409, f"{name} is a registered player. Choose another name.", field="player")


def _player(session: Session, wanted: str, who: Person, seats: Sequence[Seat]) -> str:
    """A person's name at the table. If somebody has it already, whoever comes later gets a number;
    but nobody takes the place of a registered player, who comes under its own name."""
    name = clean_name(wanted, "player")
    _must_not_pass_as(session, name, who)
    others = [seat for seat in seats if seat.account not in (None, who.id)]
    if is_registered(who, name):
        for seat in others:
            if login_of(seat.player) == login_of(name):
                seat.player = _numbered(name, [*others, Seat(player=name)])
        return name
    return _numbered(name, others)


def _numbered(name: str, others: Sequence[Seat]) -> str:
    """A name, with a number if others have it."""
    taken = {login_of(seat.player) for seat in others}
    number, free = 1, name
    while login_of(free) in taken:
        number += 1
        free = f"{name[:34]} ({number})"
    return free


def _lobby(
    session: Session, id: str, who: Person, invite: str | None = None
) -> tuple[GameRow, list[Seat]]:
    """A table for change: nobody else changes it until the transaction ends."""
    head = session.get(GameRow, id, with_for_update=True)
    if head is None:
        raise nothing_there()
    seats = session.scalars(select(Seat).where(Seat.game == id).order_by(Seat.number)).all()
    if not may_see(head, seats, who.id, invite):
        raise nothing_there()
    return head, list(seats)


def people_besides(seats: Sequence[Seat], account: str | None) -> bool:
    """Whether anybody else than this account has a seat."""
    return any(seat.account not in (None, account) for seat in seats)
