"""Texts in which somebody found no facts."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table."""
    names = ("graph", "workspace", "episode_uuid", "reader")
    op.create_table("readings", *(sa.Column(name, sa.Text, primary_key=True) for name in names))
