"""Calls of writing tools that clients propose, and since when each client has seen what changed."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

_INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "proposed_calls",
        sa.Column("id", sa.Text, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("graph", "workspace", "client", "tool", "input")),
        sa.Column("user_id", sa.Text, sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("state", "problem")),
        sa.Column("output", sa.Text),
        *(sa.Column(name, _INSTANT, nullable=False) for name in ("created_at", "expires_at")),
        sa.Column("decided_at", _INSTANT),
    )
    op.create_table(
        "changes_seen",
        *(sa.Column(name, sa.Text, primary_key=True) for name in ("graph", "workspace", "client")),
        sa.Column("until", _INSTANT, nullable=False),
    )
