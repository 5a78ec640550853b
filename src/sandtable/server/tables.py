"""What the database holds. The journal (`rows`) is the truth about a game; all else about its
position is derived from it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Moment(TypeDecorator[datetime]):
    """A time in UTC, with its zone on both databases."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value if value is None or value.tzinfo else value.replace(tzinfo=UTC)


class Table(DeclarativeBase):
    """Base of the tables."""


class Account(Table):
    """A person. A guest has no password; its name need not be unique."""

    __tablename__ = "accounts"

    id: Mapped[str] = mapped_column(String(22), primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    login: Mapped[str | None] = mapped_column(String(40), unique=True)
    """The name case-folded; None for a guest."""
    password: Mapped[str | None] = mapped_column(String(200))
    """An Argon2 hash."""
    email: Mapped[str | None] = mapped_column(String(254))
    confirmed: Mapped[bool] = mapped_column(Boolean, default=False)
    """Whether its owner has shown that the e-mail address is theirs: only then it gets mail."""
    webhook: Mapped[str | None] = mapped_column(String(500))
    created: Mapped[datetime] = mapped_column(Moment)


class Session(Table):
    """Proof of being somebody: a browser's cookie or a program's token, known by its hash only."""

    __tablename__ = "sessions"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    account: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    csrf: Mapped[str] = mapped_column(String(64))
    """Empty for a program's token."""
    label: Mapped[str] = mapped_column(String(40), default="")
    created: Mapped[datetime] = mapped_column(Moment)
    expires: Mapped[datetime] = mapped_column(Moment)


class Device(Table):
    """A browser that somebody has logged in with, known by the hash of its cookie only: whoever
    guesses passwords elsewhere does not lock it out."""

    __tablename__ = "devices"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    account: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    expires: Mapped[datetime] = mapped_column(Moment)


class Letter(Table):
    """A link that was sent by mail and can be used once, known by the hash of its token only."""

    __tablename__ = "letters"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    account: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    kind: Mapped[str] = mapped_column(String(10))
    """confirm (the address), password (a new one)."""
    email: Mapped[str] = mapped_column(String(254))
    """Where it went."""
    expires: Mapped[datetime] = mapped_column(Moment)


class Bucket(Table):
    """A rate limit that holds for all server processes together (see `limits`)."""

    __tablename__ = "buckets"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    """A hash: addresses are not kept."""
    tokens: Mapped[float] = mapped_column(Float)
    at: Mapped[float] = mapped_column(Float)
    """When there were so many, in seconds since 1970."""


class GameRow(Table):
    """A game: how it was set up, and where it stands."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(22), primary_key=True)
    game: Mapped[str] = mapped_column(String(40))
    rules_version: Mapped[str] = mapped_column(String(20))
    title: Mapped[str] = mapped_column(String(80))
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    position: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    secret: Mapped[str] = mapped_column(String(64))
    commitment: Mapped[str] = mapped_column(String(64))
    entropy: Mapped[list[str]] = mapped_column(JSON, default=list)
    """The players' shares in the dice, fixed when the game starts, in the order of the seats: one
    for each of `commitments`, "" if its player has withheld it."""
    commitments: Mapped[list[str] | None] = mapped_column(JSON)
    """What the players have committed to, fixed before any of them has shown their share; None
    before. A table in the lobby that has them is starting."""
    dice: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    """Of a game that goes on from a save: how many `rolls` it had, and the header of its `dice`.
    What follows is rolled with our own, which nobody knows; None: they all are."""
    creator: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    access: Mapped[str] = mapped_column(String(10))
    """private (seats and invitations only), link (whoever knows the address may watch), public."""
    status: Mapped[str] = mapped_column(String(10), index=True)
    """lobby, running, over."""
    version: Mapped[int] = mapped_column(Integer, default=0)
    """The number of rows; every change of the journal raises it by one."""
    secrets: Mapped[dict[str, int]] = mapped_column(JSON, default=dict)
    """How many of them not everybody may know of, by the powers that may."""
    waiting: Mapped[list[str]] = mapped_column(JSON, default=list)
    """The powers that have to decide, for lists and sweeps."""
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    edited: Mapped[bool] = mapped_column(Boolean, default=False)
    """Whether its position was changed by hand, in what stands of its journal."""
    clock: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    """hours for a decision, and what then: wait or bot."""
    rematch: Mapped[str | None] = mapped_column(String(22))
    created: Mapped[datetime] = mapped_column(Moment)
    updated: Mapped[datetime] = mapped_column(Moment, index=True)


class Seat(Table):
    """A place at a game's table: the powers that one person or bot runs."""

    __tablename__ = "seats"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    powers: Mapped[list[str]] = mapped_column(JSON)
    kind: Mapped[str] = mapped_column(String(10))
    """person, bot, open (anybody may take it), invited (who has the link may)."""
    account: Mapped[str | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    player: Mapped[str] = mapped_column(String(40), default="")
    """The person's name at this table. One account may sit for several persons at one screen."""
    registered: Mapped[bool] = mapped_column(Boolean, default=False)
    """Whether that is the person's registered name."""
    bot: Mapped[str] = mapped_column(String(20), default="")
    """Which bot plays, if one does: also while it stands in for a person."""
    invite: Mapped[str | None] = mapped_column(String(43), unique=True)
    commitment: Mapped[str] = mapped_column(String(64), default="")
    """The SHA-256 of the person's share in the dice, which they show when all have committed."""
    entropy: Mapped[str] = mapped_column(String(128), default="")
    """That share, once it is shown."""
    standing: Mapped[list[str]] = mapped_column(JSON, default=list)
    """The windows that are always passed."""
    votes: Mapped[list[str]] = mapped_column(JSON, default=list)
    """The accounts that agree to a bot taking over."""
    since: Mapped[datetime | None] = mapped_column(Moment)
    """Since when it has had to decide."""
    warned: Mapped[int] = mapped_column(Integer, default=-1)
    """The version for which its person was last notified."""
    seen: Mapped[datetime | None] = mapped_column(Moment)
    """When its person was last connected."""


class Row(Table):
    """An addition to a game's journal, written in one transaction. An undo is a row as well; when
    it is long past, one row stands for all that came to nothing (see `snapshots.compact`)."""

    __tablename__ = "rows"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    version: Mapped[int] = mapped_column(Integer, primary_key=True)
    """1 for the first; the version of the game once it is there."""
    kind: Mapped[str] = mapped_column(String(10))
    """decide, undo (of the power's last decision that stands), or gone: decisions that were all
    taken back."""
    power: Mapped[str] = mapped_column(String(40))
    account: Mapped[str | None] = mapped_column(ForeignKey("accounts.id"))
    """Who did it; None for a bot."""
    entries: Mapped[bytes] = mapped_column(LargeBinary)
    """JSON: the journal entries as in a save: the decision, what standing orders answered, the
    rolls. Of an undo: []. Of what is gone: the first version that it stands for."""
    at: Mapped[datetime] = mapped_column(Moment)


class SnapshotRow(Table):
    """Where a game stood at one of its last versions: derived from its rows, which stay the truth,
    so that they need not all be run when the game is taken into memory (see `snapshots`)."""

    __tablename__ = "snapshots"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    version: Mapped[int] = mapped_column(Integer)
    content: Mapped[bytes] = mapped_column(LargeBinary)
    """JSON, compressed."""


class Remark(Table):
    """A line of a game's chat."""

    __tablename__ = "remarks"
    __table_args__ = (Index("remarks_of_game", "game", "id"),)

    id: Mapped[int] = mapped_column(
        BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True
    )
    game: Mapped[str] = mapped_column(ForeignKey("games.id"))
    account: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    name: Mapped[str] = mapped_column(String(40))
    """"" where the server tells what has become of a seat."""
    registered: Mapped[bool] = mapped_column(Boolean, default=False)
    """Whether that is a registered name."""
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(Moment)


class Notice(Table):
    """A message to an absent player that is still to be sent."""

    __tablename__ = "notices"
    __table_args__ = (UniqueConstraint("game", "account", "version", "kind"),)

    id: Mapped[int] = mapped_column(
        BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True
    )
    game: Mapped[str] = mapped_column(ForeignKey("games.id"))
    account: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    version: Mapped[int] = mapped_column(Integer)
    kind: Mapped[str] = mapped_column(String(20))
    """turn, over, takeover."""
    due: Mapped[datetime] = mapped_column(Moment, index=True)
    tries: Mapped[int] = mapped_column(Integer, default=0)
