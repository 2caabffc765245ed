"""Runs of workflows: each with the steps that it took, the texts that these wrote, and what they found."""

import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, delete, func, insert, select, update

from services.accounts.database import Store, row_of
from services.accounts.workflow_tables import workflow_evidence, workflow_runs, workflow_steps, workflow_texts

RunState = Literal["queued", "running", "paused", "done", "failed", "cancelled"]
StepState = Literal["running", "done", "failed", "copied"]
ExecutorName = Literal["graph", "sequential"]


@dataclass(frozen=True, slots=True)
class WorkflowRun:
    """A run of a workflow, whose `definition` is a copy. Instants that nobody gave are None.

    `outcome` is the state at its end; what it holds in `{"$text": id}` is kept apart. `notes` are what happened on the
    way that a reader should know. `parent_id` is the run that this one begins from, after some of its steps.
    """

    id: str
    workspace: str
    name: str
    definition: Mapping[str, Any]
    goal: str
    created_at: datetime
    user_id: str | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    options: Mapping[str, Any] | None = None
    state: RunState = "queued"
    executor: ExecutorName = "graph"
    parent_id: str | None = None
    outcome: Mapping[str, Any] | None = None
    problem: str = ""
    hint: str = ""
    notes: Sequence[str] = ()
    started_at: datetime | None = None
    finished_at: datetime | None = None
    ms: float = 0.0

    @property
    def is_over(self) -> bool:
        """True where nothing more comes."""
        return self.state in ("done", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class WorkflowStep:
    """One time that a node of a run ran: what it took, what it gave, and what that cost.

    `branch` names the branches that it ran in, `iteration` the pass of its loop. `outcome` says where it went on. A
    step that is `copied` ran in the run that this one begins from, and cost nothing here.
    """

    key: str
    position: int
    node: str
    type: str
    started_at: datetime
    branch: str = ""
    iteration: int = 0
    executor: ExecutorName = "graph"
    state: StepState = "running"
    inputs: Mapping[str, Any] | None = None
    outputs: Mapping[str, Any] | None = None
    outcome: Mapping[str, Any] | None = None
    problem: str = ""
    hint: str = ""
    calls: Sequence[Mapping[str, Any]] = ()
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    finished_at: datetime | None = None
    ms: float = 0.0

    @property
    def is_finished(self) -> bool:
        """True where it need not run again."""
        return self.state in ("done", "copied") or (self.state == "failed" and self.outcome is not None)


_RUN = tuple(workflow_runs.c[part.name] for part in fields(WorkflowRun))
_STEP = tuple(workflow_steps.c[part.name] for part in fields(WorkflowStep))
_OPEN: tuple[RunState, ...] = ("queued", "running", "paused")


class WorkflowRunStore(Store):
    """The runs of one graph's workspaces. What a step wrote is on the disk once `finish_step` has returned."""

    def add(self, run: WorkflowRun) -> None:
        """Add a run."""
        row = row_of(run) | {"graph": self._database.graph, "options": run.options or {}}
        self._database.run(insert(workflow_runs).values(row))

    def get(self, run_id: str) -> WorkflowRun | None:
        """Return a run by id; None where there is none."""
        return self._database.first(select(*_RUN).where(*self._one(run_id)), WorkflowRun)

    def of(self, workspace: str, *, name: str | None = None, limit: int = 100) -> tuple[WorkflowRun, ...]:
        """Return the runs of a workspace, or of one of its workflows, the newest first."""
        asked = select(*_RUN).where(*self._of(workflow_runs, workspace))
        asked = asked if name is None else asked.where(workflow_runs.c.name == name)
        return self._database.all(asked.order_by(workflow_runs.c.created_at.desc()).limit(limit), WorkflowRun)

    def open_runs(self) -> tuple[str, ...]:
        """Return the ids of the runs that are not over, the oldest first."""
        is_open = workflow_runs.c.state.in_(_OPEN)
        asked = select(workflow_runs.c.id).where(*self._of(workflow_runs), is_open)
        return tuple(self._database.scalars(asked.order_by(workflow_runs.c.created_at)))

    def ids(self, workspace: str) -> tuple[str, ...]:
        """Return the ids of all runs of a workspace."""
        return tuple(self._database.scalars(select(workflow_runs.c.id).where(*self._of(workflow_runs, workspace))))

    def change(self, run_id: str, *, unless: Sequence[RunState] = (), **changes: Any) -> bool:
        """Change fields of a run, unless it is in one of these states; False where it is, or is not there."""
        free = workflow_runs.c.state.not_in(list(unless))
        statement = update(workflow_runs).where(*self._one(run_id), free).values(**changes)
        return bool(self._database.run(statement))

    def delete(self, run_id: str) -> bool:
        """Forget a run with its steps, texts and evidence; False where there was none."""
        return bool(self._database.run(delete(workflow_runs).where(*self._one(run_id))))

    def keep_report(self, run_id: str, document: Mapping[str, Any]) -> None:
        """Keep the report of a run."""
        self.change(run_id, report=_packed(json.dumps(document)))

    def report(self, run_id: str) -> Any:
        """Return the document of a run's report; None where there is none."""
        found = self._database.scalar(select(workflow_runs.c.report).where(*self._one(run_id)))
        return None if found is None else json.loads(_unpacked(found))

    @contextmanager
    def run_lock(self, run_id: str) -> Iterator[Callable[[], bool]]:
        """The right to make a run, as a function that tries once to take it; it dies with its process."""
        with closing(self._database.lock(f"workflow run {run_id}")) as lock:
            yield lock.take

    def _one(self, run_id: str) -> tuple[ColumnElement[bool], ...]:
        return (*self._of(workflow_runs), workflow_runs.c.id == run_id)

    # -- steps

    def steps(self, run_id: str) -> tuple[WorkflowStep, ...]:
        """Return the steps of a run in the order in which they began."""
        asked = select(*_STEP).where(workflow_steps.c.run_id == run_id)
        return self._database.all(asked.order_by(workflow_steps.c.position, workflow_steps.c.key), WorkflowStep)

    def step(self, run_id: str, key: str) -> WorkflowStep | None:
        """Return a step by its key; None where it has not begun."""
        return self._database.first(select(*_STEP).where(*_step(run_id, key)), WorkflowStep)

    def begin_step(self, run_id: str, step: WorkflowStep) -> None:
        """Write down that a step begins, in the place of one that began before and did not finish."""
        row = {"run_id": run_id, **_step_row(step)}
        self._database.put(workflow_steps, row, ["run_id", "key"])

    def finish_step(self, run_id: str, step: WorkflowStep) -> WorkflowStep:
        """Write down what came of a step; what somebody has finished before stays, and is returned."""
        unfinished = workflow_steps.c.outcome.is_(None)
        statement = update(workflow_steps).where(*_step(run_id, step.key), unfinished).values(**_step_row(step))
        if self._database.run(statement, durable=True):
            return step
        return self.step(run_id, step.key) or step

    def add_steps(self, run_id: str, steps: Iterable[WorkflowStep]) -> None:
        """Add steps that another run has taken."""
        if rows := [{"run_id": run_id, **_step_row(step)} for step in steps]:
            self._database.run(insert(workflow_steps), rows)

    # -- texts

    def put_text(self, run_id: str, content: str) -> str:
        """Keep a text of a run, once; returns its id."""
        id = hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:16]
        statement = self._database.insert(workflow_texts).values(run_id=run_id, id=id, content=_packed(content))
        self._database.run(statement.on_conflict_do_nothing())
        return id

    def texts(self, run_id: str) -> dict[str, str]:
        """Return the texts of a run by id."""
        asked = select(workflow_texts.c.id, workflow_texts.c.content).where(workflow_texts.c.run_id == run_id)
        return dict(self._database.all(asked, lambda id, content: (id, _unpacked(content))))

    # -- evidence

    def number(self, run_id: str, found: Sequence[tuple[str, str, str]]) -> list[int]:
        """Return the numbers of records (kind, id, content) in a run; new ones get those that follow, at once."""
        table = workflow_evidence
        with self._database.transaction() as connection:
            # The row of the run is what two steps wait for each other at.
            connection.execute(update(workflow_runs).where(workflow_runs.c.id == run_id).values(id=run_id))
            known = {
                (row.kind, row.id): row.n
                for row in connection.execute(
                    select(table.c.kind, table.c.id, table.c.n).where(table.c.run_id == run_id)
                )
            }
            rows = []
            for kind, id, content in found:
                if (kind, id) not in known:
                    known[kind, id] = len(known) + 1
                    row = {"run_id": run_id, "kind": kind, "id": id, "n": known[kind, id]}
                    rows.append(row | {"content": _packed(content)})
            if rows:
                connection.execute(insert(table), rows)
        return [known[kind, id] for kind, id, _ in found]

    def evidence(self, run_id: str) -> tuple[tuple[int, str], ...]:
        """Return what a run found, by number, each as the text that was kept."""
        asked = select(workflow_evidence.c.n, workflow_evidence.c.content)
        asked = asked.where(workflow_evidence.c.run_id == run_id).order_by(workflow_evidence.c.n)
        return self._database.all(asked, lambda n, content: (n, _unpacked(content)))

    def copy_contents(self, run_id: str, other_id: str) -> None:
        """Give a run the texts and the evidence of another one."""
        for table in (workflow_texts, workflow_evidence):
            columns = [column for column in table.c if column.name != "run_id"]
            with self._database.transaction() as connection:
                found = connection.execute(select(*columns).where(table.c.run_id == run_id)).mappings().all()
                if found:
                    connection.execute(insert(table), [{"run_id": other_id, **row} for row in found])

    def size(self, workspace: str) -> int:
        """Return how many bytes the runs of a workspace take, about."""
        ours = select(workflow_runs.c.id).where(*self._of(workflow_runs, workspace))
        lengths = {
            workflow_runs: ("definition", "outcome", "report", "goal"),
            workflow_steps: ("inputs", "outputs", "outcome", "calls"),
            workflow_texts: ("content",),
            workflow_evidence: ("content",),
        }
        total = 0
        for table, names in lengths.items():
            summed = [func.coalesce(func.sum(func.length(table.c[name])), 0) for name in names]
            owner = table.c.id if table is workflow_runs else table.c.run_id
            total += sum(self._sums(select(*summed).where(owner.in_(ours))))
        return total

    def _sums(self, asked: Any) -> list[int]:
        with self._database.transaction() as connection:
            return [int(value) for value in connection.execute(asked).one()]


def _step(run_id: str, key: str) -> tuple[ColumnElement[bool], ...]:
    return (workflow_steps.c.run_id == run_id, workflow_steps.c.key == key)


def _step_row(step: WorkflowStep) -> dict[str, Any]:
    return row_of(step) | {"inputs": step.inputs or {}, "outputs": step.outputs or {}}


def _packed(content: str) -> bytes:
    return zlib.compress(content.encode("utf-8", "replace"), 6)


def _unpacked(content: bytes) -> str:
    return zlib.decompress(content).decode()
