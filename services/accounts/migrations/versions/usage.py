"""What answers took, apart from their messages, so that it is not forgotten with them."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_KNOWN = """
INSERT INTO usage (id, graph, workspace, user_id, created_at, model, input_tokens, output_tokens, cost)
SELECT m.id, c.graph, c.workspace, c.user_id, m.created_at, m.model, m.input_tokens, m.output_tokens, m.cost
FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE m.role = 'assistant'
"""


def upgrade() -> None:
    """Make the table, with what the messages that there are took."""
    op.create_table(
        "usage",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("graph", sa.Text, nullable=False),
        sa.Column("workspace", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, sa.ForeignKey("users.id", ondelete="CASCADE")),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("input_tokens", sa.BigInteger, nullable=False),
        sa.Column("output_tokens", sa.BigInteger, nullable=False),
        sa.Column("cost", sa.Float),
        sa.Index("usage_by_user", "user_id", "created_at"),
        sa.Index("usage_by_time", "graph", "created_at"),
    )
    op.execute(_KNOWN)
