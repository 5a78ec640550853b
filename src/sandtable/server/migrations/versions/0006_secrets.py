"""How many versions of a game are known to some powers only."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("games", sa.Column("secrets", sa.JSON(), nullable=False, server_default="{}"))
