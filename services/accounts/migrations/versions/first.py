"""Labels of workspaces, and change-sets."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "workspaces",
        sa.Column("graph", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("label", sa.Text, nullable=False),
    )
    op.create_table(
        "change_sets",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("graph", sa.Text, nullable=False),
        sa.Column("workspace", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False, index=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
    )
