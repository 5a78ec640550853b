"""The tables of the first release."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

MOMENT = sa.DateTime(timezone=True)
COUNTER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(length=22), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("login", sa.String(length=40), nullable=True),
        sa.Column("password", sa.String(length=200), nullable=True),
        sa.Column("email", sa.String(length=254), nullable=True),
        sa.Column("webhook", sa.String(length=500), nullable=True),
        sa.Column("created", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("login"),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(length=22), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("rules_version", sa.String(length=20), nullable=False),
        sa.Column("title", sa.String(length=80), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("position", sa.JSON(), nullable=True),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("entropy", sa.JSON(), nullable=False),
        sa.Column("dice", sa.JSON(), nullable=True),
        sa.Column("creator", sa.String(length=22), nullable=False),
        sa.Column("access", sa.String(length=10), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("waiting", sa.JSON(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("clock", sa.JSON(), nullable=True),
        sa.Column("rematch", sa.String(length=22), nullable=True),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("updated", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["creator"], ["accounts.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_games_creator", "games", ["creator"])
    op.create_index("ix_games_status", "games", ["status"])
    op.create_index("ix_games_updated", "games", ["updated"])
    op.create_table(
        "sessions",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("account", sa.String(length=22), nullable=False),
        sa.Column("csrf", sa.String(length=64), nullable=False),
        sa.Column("label", sa.String(length=40), nullable=False),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("expires", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"]),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index("ix_sessions_account", "sessions", ["account"])
    op.create_table(
        "notices",
        sa.Column("id", COUNTER, autoincrement=True, nullable=False),
        sa.Column("game", sa.String(length=22), nullable=False),
        sa.Column("account", sa.String(length=22), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("due", MOMENT, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"]),
        sa.ForeignKeyConstraint(["game"], ["games.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game", "account", "version", "kind"),
    )
    op.create_index("ix_notices_due", "notices", ["due"])
    op.create_table(
        "remarks",
        sa.Column("id", COUNTER, autoincrement=True, nullable=False),
        sa.Column("game", sa.String(length=22), nullable=False),
        sa.Column("account", sa.String(length=22), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"]),
        sa.ForeignKeyConstraint(["game"], ["games.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("remarks_of_game", "remarks", ["game", "id"])
    op.create_table(
        "rows",
        sa.Column("game", sa.String(length=22), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("power", sa.String(length=40), nullable=False),
        sa.Column("account", sa.String(length=22), nullable=True),
        sa.Column("entries", sa.LargeBinary(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"]),
        sa.ForeignKeyConstraint(["game"], ["games.id"]),
        sa.PrimaryKeyConstraint("game", "version"),
    )
    op.create_table(
        "seats",
        sa.Column("game", sa.String(length=22), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("powers", sa.JSON(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("account", sa.String(length=22), nullable=True),
        sa.Column("player", sa.String(length=40), nullable=False),
        sa.Column("bot", sa.String(length=20), nullable=False),
        sa.Column("invite", sa.String(length=43), nullable=True),
        sa.Column("entropy", sa.String(length=128), nullable=False),
        sa.Column("standing", sa.JSON(), nullable=False),
        sa.Column("votes", sa.JSON(), nullable=False),
        sa.Column("since", MOMENT, nullable=True),
        sa.Column("warned", sa.Integer(), nullable=False),
        sa.Column("seen", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"]),
        sa.ForeignKeyConstraint(["game"], ["games.id"]),
        sa.PrimaryKeyConstraint("game", "number"),
        sa.UniqueConstraint("invite"),
    )
    op.create_index("ix_seats_account", "seats", ["account"])
