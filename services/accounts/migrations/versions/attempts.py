"""Tries to sign in are counted in the database, for every replica of the app."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the table."""
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "attempts",
        sa.Column("number", number, primary_key=True, autoincrement=True),
        sa.Column("graph", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("attempts_by_key", "attempts", ["graph", "key"])
