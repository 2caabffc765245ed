"""Change-sets that can be undone and redone, jobs with their items, and what else feeding a graph keeps."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables; change-sets of earlier versions can be taken back after a crash, but not undone."""
    for column in (
        sa.Column("user_id", sa.Text),
        sa.Column("origin", sa.Text),
        sa.Column("counts", sa.Text),
        sa.Column("changes", sa.Text),
        sa.Column("digests", sa.LargeBinary),
        sa.Column("redo", sa.LargeBinary),
        sa.Column("finished_at", _INSTANT),
        sa.Column("undone_at", _INSTANT),
        sa.Column("undone_by", sa.Text),
    ):
        op.add_column("change_sets", column)
    _make_jobs()
    _make_papers()
    _make_decisions()


def _numbered() -> sa.Column[int]:
    return sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True)


def _of_graph(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, primary_key=True) for name in ("graph", *names)]


def _make_jobs() -> None:
    op.create_table(
        "jobs",
        _numbered(),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("graph", sa.Text, nullable=False),
        sa.Column("workspace", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.Column("started_at", _INSTANT),
        sa.Column("finished_at", _INSTANT),
        sa.Index("jobs_of_a_workspace", "graph", "workspace", "state"),
    )
    op.create_table(
        "items",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("job_id", sa.Text, sa.ForeignKey("jobs.id", ondelete="CASCADE"), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("result", sa.Text),
        sa.Column("problem", sa.Text, nullable=False),
        sa.Column("hint", sa.Text, nullable=False),
        sa.Column("change_set_id", sa.Text),
        sa.Column("input_tokens", sa.BigInteger, nullable=False),
        sa.Column("output_tokens", sa.BigInteger, nullable=False),
        sa.Column("cost", sa.Float),
        sa.Column("ms", sa.Float, nullable=False),
        sa.Column("started_at", _INSTANT),
        sa.Column("finished_at", _INSTANT),
        sa.Index("items_in_order", "job_id", "state", "position"),
    )


def _make_papers() -> None:
    op.create_table(
        "uploads",
        *_of_graph("digest"),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table("schemas", *_of_graph("workspace"), sa.Column("document", sa.Text, nullable=False))


def _make_decisions() -> None:
    op.create_table(
        "pending",
        _numbered(),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("graph", sa.Text, nullable=False),
        sa.Column("workspace", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        sa.Column(
            "conversation_id",
            sa.Text,
            sa.ForeignKey("conversations.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("message_id", sa.Text, nullable=False),
        sa.Column("tool", sa.Text, nullable=False),
        sa.Column("input", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("output", sa.Text),
        sa.Column("problem", sa.Text, nullable=False),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.Column("decided_at", _INSTANT),
    )
    op.create_table(
        "dismissals",
        *_of_graph("workspace", "kind", "key"),
        sa.Column("user_id", sa.Text),
        sa.Column("created_at", _INSTANT, nullable=False),
    )
