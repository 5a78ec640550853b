"""Shares in the dice are committed before any is shown; registered names are marked; browsers that
have logged in are known."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("games", sa.Column("commitments", sa.JSON(), nullable=True))
    op.add_column(
        "seats", sa.Column("commitment", sa.String(length=64), nullable=False, server_default="")
    )
    for table in ("seats", "remarks"):
        op.add_column(
            table, sa.Column("registered", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    op.create_table(
        "devices",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("account", sa.String(length=22), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"]),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index(op.f("ix_devices_account"), "devices", ["account"], unique=False)
