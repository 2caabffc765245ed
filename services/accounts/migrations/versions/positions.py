"""The order in which change-sets were written, undone and redone, by which a graph knows the last one that it holds."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column; what was written before has no position."""
    op.add_column("change_sets", sa.Column("position", sa.BigInteger))
