"""What is read of a run: where it is, its trace, its figures, and how two runs differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from services.accounts.workflow_runs import WorkflowRun, WorkflowRunStore, WorkflowStep
from services.core.json_documents import Json, spelled
from services.workflows.report_changes import ReportChanges, report_changes
from services.workflows.reports import WorkflowReport, report_of
from services.workflows.run_texts import resolved
from services.workflows.step_context import RULES
from services.workflows.validation import read_definition

_FIGURES = ("steps", "ms", "input_tokens", "output_tokens", "cost")


@dataclass(frozen=True, slots=True)
class NodeState:
    """How a node of a workflow stands in a run: `waiting`, or as its last step. `steps` are those that it took."""

    node: str
    state: str
    steps: int = 0
    ms: float = 0.0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class RunMetrics:
    """What a run took. `by_node` has milliseconds; `cost` is in dollars, None where no price is known."""

    steps: int
    ms: float
    input_tokens: int
    output_tokens: int
    cost: float | None
    copied: int
    failed: int
    by_node: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RunTrace:
    """A run with its steps, whose long values are put back, and its report where it has one."""

    run: WorkflowRun
    steps: tuple[WorkflowStep, ...]
    nodes: tuple[NodeState, ...]
    metrics: RunMetrics
    report: WorkflowReport | None = None

    @property
    def state(self) -> Json:
        """The state of the run at its end."""
        return dict(self.run.outcome or {})

    @property
    def ways(self) -> frozenset[tuple[str, str]]:
        """The ways that were taken, as pairs of nodes."""
        return frozenset((step.node, target) for step in self.steps for target in _targets(step.outcome or {}))


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two runs side by side: how the second report differs from the first, and the figures of both."""

    first: WorkflowRun
    second: WorkflowRun
    changes: ReportChanges
    figures: Mapping[str, tuple[Any, Any]]


def _targets(outcome: Mapping[str, Any]) -> tuple[str, ...]:
    target = (outcome["target"],) if outcome.get("target") else ()
    return (*target, *(one["start"] for one in outcome.get("branches", ())))


def read_trace(store: WorkflowRunStore, run: WorkflowRun) -> RunTrace:
    """Return what is known of a run by now."""
    texts, steps = store.texts(run.id), store.steps(run.id)
    whole = tuple(
        replace(step, inputs=resolved(step.inputs, texts), outputs=resolved(step.outputs, texts)) for step in steps
    )
    run = replace(run, outcome=resolved(run.outcome, texts))
    return RunTrace(run, whole, node_states(run, steps), metrics(run, steps), report_of(store, run.id))


def node_states(run: WorkflowRun, steps: Sequence[WorkflowStep]) -> tuple[NodeState, ...]:
    """Return how each node stands, in the order of the workflow."""
    found = []
    for node in read_definition(run.definition).nodes:
        own = [step for step in steps if step.node == node.id]
        state = "running" if any(step.state == "running" for step in own) else own[-1].state if own else "waiting"
        problem = next((step.problem for step in reversed(own) if step.problem), "")
        found.append(NodeState(node.id, state, len(own), sum(step.ms for step in own), problem))
    return tuple(found)


def metrics(run: WorkflowRun, steps: Sequence[WorkflowStep]) -> RunMetrics:
    """Return what a run took; steps that were copied from another one took nothing here."""
    own = [step for step in steps if step.state != "copied"]
    costs = [step.cost for step in own if step.cost is not None]
    by_node: dict[str, float] = {}
    for step in own:
        by_node[step.node] = by_node.get(step.node, 0.0) + step.ms
    return RunMetrics(
        len(steps),
        run.ms,
        sum(step.input_tokens for step in own),
        sum(step.output_tokens for step in own),
        sum(costs) if costs else None,
        len(steps) - len(own),
        sum(step.state == "failed" for step in own),
        by_node,
    )


def compare(first: RunTrace, second: RunTrace) -> RunComparison:
    """Return what the second report says otherwise than the first, and the figures of both."""
    figures = {name: (getattr(first.metrics, name), getattr(second.metrics, name)) for name in _FIGURES}
    return RunComparison(first.run, second.run, report_changes(first.report, second.report), figures)


def run_document(run: WorkflowRun) -> Json:
    """Return a run for JSON, without its workflow."""
    return {
        "id": run.id,
        "workflow": run.name,
        "goal": run.goal,
        "state": run.state,
        "executor": run.executor,
        "as_of": spelled(run.as_of),
        "known_at": spelled(run.known_at),
        "parent_id": run.parent_id,
        "problem": run.problem,
        "hint": run.hint,
        "notes": list(run.notes),
        "created_at": spelled(run.created_at),
        "started_at": spelled(run.started_at),
        "finished_at": spelled(run.finished_at),
        "ms": round(run.ms, 3),
        "model": (run.options or {}).get("model", "") or RULES,
    }


def trace_document(trace: RunTrace) -> Json:
    """Return a run for JSON with its state, report, trace and metrics."""
    report, figures = trace.report, trace.metrics
    return {
        "run": run_document(trace.run),
        "report": report.document() if report else None,
        "state": trace.state,
        "trace": [step_document(step) for step in trace.steps],
        "metrics": {
            **{name: getattr(figures, name) for name in (*_FIGURES, "copied", "failed")},
            "by_node": dict(figures.by_node),
        },
    }


def step_document(step: WorkflowStep) -> Json:
    """Return a step for JSON."""
    return {
        "id": step.key,
        "node": step.node,
        "type": step.type,
        "branch": step.branch,
        "iteration": step.iteration,
        "state": step.state,
        "executor": step.executor,
        "input": dict(step.inputs or {}),
        "output": dict(step.outputs or {}),
        "error": " ".join(part for part in (step.problem, step.hint) if part) or None,
        "calls": [dict(call) for call in step.calls],
        "model": step.model,
        "started_at": spelled(step.started_at),
        "ms": round(step.ms, 3),
        "input_tokens": step.input_tokens,
        "output_tokens": step.output_tokens,
        "cost": step.cost,
    }
