"""When each token was last used, and which version of the mirror each client was told of."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the columns. Of what came late, clients that asked before were told nothing."""
    op.add_column("tokens", sa.Column("last_used_at", sa.DateTime(timezone=True)))
    op.add_column("changes_seen", sa.Column("version", sa.BigInteger, nullable=False, server_default="0"))
