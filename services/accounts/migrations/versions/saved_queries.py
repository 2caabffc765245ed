"""Queries that were saved under a name."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "saved_queries",
        *(sa.Column(name, sa.Text, primary_key=True) for name in ("graph", "workspace", "name")),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("sql", "question", "description")),
        sa.Column("database", sa.Text),
        sa.Column("is_verified", sa.Boolean, nullable=False),
        sa.Column("user_id", sa.Text),
        *(sa.Column(name, _INSTANT, nullable=False) for name in ("created_at", "updated_at")),
    )
