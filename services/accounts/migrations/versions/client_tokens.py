"""What clients of MCP and REST were granted, by a token of each."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "tokens",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("graph", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False, unique=True),
        sa.Column("user_id", sa.Text, sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("name", "workspaces", "toolsets")),
        sa.Column("may_write", sa.Boolean, nullable=False),
        sa.Column("created_at", _INSTANT, nullable=False),
        *(sa.Column(name, _INSTANT) for name in ("as_of", "known_at", "expires_at", "revoked_at")),
    )
