"""E-mail addresses are confirmed, passwords can be renewed by mail, and some limits hold for all
processes."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    # Nobody has shown so far that an address is theirs.
    op.add_column(
        "accounts",
        sa.Column("confirmed", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "letters",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("account", sa.String(length=22), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("expires", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"]),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index("ix_letters_account", "letters", ["account"])
    op.create_table(
        "buckets",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("tokens", sa.Float(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
