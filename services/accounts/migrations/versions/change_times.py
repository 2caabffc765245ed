"""Change-sets are found by the instant that they were written at."""

from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the index."""
    op.create_index("change_sets_by_time", "change_sets", ["graph", "workspace", "created_at"])
