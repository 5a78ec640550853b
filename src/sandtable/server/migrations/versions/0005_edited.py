"""Whether the position of a game was changed by hand."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column(
        "games", sa.Column("edited", sa.Boolean(), nullable=False, server_default=sa.false())
    )
