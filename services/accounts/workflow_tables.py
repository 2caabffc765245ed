"""The tables of workflows: those that were saved, their runs, and what each step of a run took and gave."""

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
)

from services.accounts.column_types import Instant, Json, SafeText
from services.accounts.schema import metadata

workflow_definitions = Table(
    "workflow_definitions",
    metadata,
    Column("graph", Text, primary_key=True),
    Column("workspace", Text, primary_key=True),
    Column("name", SafeText, primary_key=True),
    Column("document", Json, nullable=False),
    Column("user_id", Text),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
)

workflow_runs = Table(
    "workflow_runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("graph", Text, nullable=False),
    Column("workspace", Text, nullable=False),
    Column("user_id", Text),
    Column("name", SafeText, nullable=False),
    Column("definition", Json, nullable=False),
    Column("goal", SafeText, nullable=False),
    Column("as_of", Instant),
    Column("known_at", Instant),
    Column("options", Json, nullable=False),
    Column("state", Text, nullable=False),
    Column("executor", Text, nullable=False),
    Column("parent_id", Text),
    Column("outcome", Json),
    Column("report", LargeBinary),
    Column("problem", SafeText, nullable=False),
    Column("hint", SafeText, nullable=False),
    Column("notes", Json, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("started_at", Instant),
    Column("finished_at", Instant),
    Column("ms", Float, nullable=False),
    Index("workflow_runs_by_time", "graph", "workspace", "created_at"),
)
"""`definition` is a copy, so that a run can be read and resumed whatever became of its workflow. `outcome` is the state
at its end."""


def _of_run() -> Column[str]:
    return Column("run_id", Text, ForeignKey("workflow_runs.id", ondelete="CASCADE"), primary_key=True)


workflow_steps = Table(
    "workflow_steps",
    metadata,
    _of_run(),
    Column("key", SafeText, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("node", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("branch", SafeText, nullable=False),
    Column("iteration", Integer, nullable=False),
    Column("executor", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("inputs", Json, nullable=False),
    Column("outputs", Json, nullable=False),
    Column("outcome", Json),
    Column("problem", SafeText, nullable=False),
    Column("hint", SafeText, nullable=False),
    Column("calls", Json, nullable=False),
    Column("model", SafeText, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("cost", Float),
    Column("started_at", Instant, nullable=False),
    Column("finished_at", Instant),
    Column("ms", Float, nullable=False),
)
"""One time that a node of a run ran; `key` says which, so that no finished one runs again."""

workflow_texts = Table(
    "workflow_texts",
    metadata,
    _of_run(),
    Column("id", Text, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)
"""Long values of a run's state, packed; the state itself holds their ids."""

workflow_evidence = Table(
    "workflow_evidence",
    metadata,
    _of_run(),
    Column("kind", Text, primary_key=True),
    Column("id", SafeText, primary_key=True),
    Column("n", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
)
"""What the steps of a run found, under the number that its texts cite it by."""
