"""The secret that sign-ins of programs are signed with."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "signing_keys",
        sa.Column("graph", sa.Text, primary_key=True),
        sa.Column("secret", sa.Text, nullable=False),
    )
