"""When users opened a workspace, saw its news or closed an explanation."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "user_marks",
        *(sa.Column(name, sa.Text, primary_key=True) for name in ("graph", "workspace")),
        sa.Column("user_id", sa.Text, sa.ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("mark", sa.Text, primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
