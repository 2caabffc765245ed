"""Workflows, their runs, and what each step of a run took and gave."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_INSTANT = sa.DateTime(timezone=True)


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]


def _of_run() -> sa.Column[str]:
    return sa.Column("run_id", sa.Text, sa.ForeignKey("workflow_runs.id", ondelete="CASCADE"), primary_key=True)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "workflow_definitions",
        *(sa.Column(name, sa.Text, primary_key=True) for name in ("graph", "workspace", "name")),
        *_texts("document"),
        sa.Column("user_id", sa.Text),
        *(sa.Column(name, _INSTANT, nullable=False) for name in ("created_at", "updated_at")),
    )
    op.create_table(
        "workflow_runs",
        sa.Column("id", sa.Text, primary_key=True),
        *_texts("graph", "workspace"),
        sa.Column("user_id", sa.Text),
        *_texts("name", "definition", "goal"),
        *(sa.Column(name, _INSTANT) for name in ("as_of", "known_at")),
        *_texts("options", "state", "executor"),
        *(sa.Column(name, sa.Text) for name in ("parent_id", "outcome")),
        sa.Column("report", sa.LargeBinary),
        *_texts("problem", "hint", "notes"),
        sa.Column("created_at", _INSTANT, nullable=False),
        *(sa.Column(name, _INSTANT) for name in ("started_at", "finished_at")),
        sa.Column("ms", sa.Float, nullable=False),
        sa.Index("workflow_runs_by_time", "graph", "workspace", "created_at"),
    )
    op.create_table(
        "workflow_steps",
        _of_run(),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("position", sa.Integer, nullable=False),
        *_texts("node", "type", "branch"),
        sa.Column("iteration", sa.Integer, nullable=False),
        *_texts("executor", "state", "inputs", "outputs"),
        sa.Column("outcome", sa.Text),
        *_texts("problem", "hint", "calls", "model"),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("input_tokens", "output_tokens")),
        sa.Column("cost", sa.Float),
        sa.Column("started_at", _INSTANT, nullable=False),
        sa.Column("finished_at", _INSTANT),
        sa.Column("ms", sa.Float, nullable=False),
    )
    op.create_table(
        "workflow_texts",
        _of_run(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "workflow_evidence",
        _of_run(),
        *(sa.Column(name, sa.Text, primary_key=True) for name in ("kind", "id")),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
