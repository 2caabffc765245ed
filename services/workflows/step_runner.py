"""Runs one node: reads its inputs from the state, has an agent, a tool or a rule work, and says where the run goes on.

A step that has finished is never run again: its outcome was kept under its key before anybody heard of it.
"""

import json
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from services.accounts.workflow_runs import WorkflowStep
from services.agent.message_tree import spent
from services.core import clock
from services.core.answer_documents import call_document
from services.core.errors import AccountsUnavailable, AsofError, BadInput, Cancelled
from services.core.json_documents import Json
from services.core.log import logger
from services.tools.registry import READERS
from services.tools.toolbox import Called, Toolbox
from services.workflows.agents import run_agent
from services.workflows.definition import WorkflowDefinition, WorkflowEdge, WorkflowNode
from services.workflows.expressions import ExpressionError, evaluate, holds, parse_path
from services.workflows.merging import merged
from services.workflows.run_texts import RunTexts
from services.workflows.search_agents import fact_lines
from services.workflows.step_context import AgentResult, StepContext
from services.workflows.walk import (
    MOST_BRANCHES,
    Activation,
    BranchStart,
    StateWrite,
    StepOutcome,
    read_outcome,
    written,
)

_LONGEST_LABEL = 60
_LONGEST_CALL = 2_000
_log = logger(__name__)


@dataclass(frozen=True)
class StepRunner:
    """Runs the nodes of one run, on any thread. `within` is what every step works with but for its id."""

    definition: WorkflowDefinition
    within: StepContext
    texts: RunTexts
    executor: Any = "graph"
    max_cost: float = 0.0

    def run(self, one: Activation, names: Json, label: str, position: int) -> StepOutcome:
        """Return what comes of a node, or what came of it when it ran before.

        Raises `Cancelled` where the run was stopped, and `AccountsUnavailable`.
        """
        store, run_id = self.within.store, self.within.run.id
        known = store.step(run_id, one.key)
        if known is not None and known.is_finished and known.outcome is not None:
            return read_outcome(known.outcome)
        node = self.definition.by_id[one.node]
        begun = WorkflowStep(
            one.key, position, node.id, node.type, clock.now(), label, one.iteration, executor=self.executor
        )
        store.begin_step(run_id, begun)
        started = time.perf_counter()
        done = self._tried(node, one, names, begun)
        ms = (time.perf_counter() - started) * 1000
        kept = store.finish_step(run_id, replace(done, finished_at=clock.now(), ms=ms))
        return read_outcome(kept.outcome or {})

    def _tried(self, node: WorkflowNode, one: Activation, names: Json, begun: WorkflowStep) -> WorkflowStep:
        try:
            if self.within.stop.is_set():
                raise Cancelled("Stopped.")
            return self._ran(node, one, self.texts.resolved(names), begun)
        except (Cancelled, AccountsUnavailable):
            raise
        except AsofError as error:
            return self._failed(node, begun, error)
        except Exception:  # noqa: BLE001 - whatever it is, it is the node's failure and not the run's
            _log.exception("A workflow step failed.", step=one.key)
            unexpected = AsofError("The step failed unexpectedly.", "See Asof's log for details.")
            return self._failed(node, begun, unexpected)

    def _ran(self, node: WorkflowNode, one: Activation, names: Json, begun: WorkflowStep) -> WorkflowStep:
        inputs = {name: _asked(name, value, names) for name, value in node.inputs.items()}
        result = self._result(node, one, inputs, names)
        writes = self._writes(node, result.values, names)
        seen = names
        for write in writes:
            seen = written(seen, StateWrite(write.path, self.texts.resolved(write.value), write.appends))
        outcome = self._outcome(node, one, seen, result.values, inputs)
        return replace(
            begun,
            state="done",
            inputs=self.texts.kept(inputs, "inputs"),
            outputs=self.texts.kept(result.values, "outputs"),
            outcome=replace(outcome, writes=writes).document(),
            calls=[_call(call_document(call)) for call in result.calls],
            model=result.model,
            **spent(result.calls),
        )

    def _result(self, node: WorkflowNode, one: Activation, inputs: Json, names: Json) -> AgentResult:
        """What the node does, beside going on."""
        match node.type:
            case "agent":
                self._check_cost()
                return run_agent(self._context(one), node.agent, inputs)
            case "tool":
                return self._tool(node, one, inputs)
            case "merge":
                return AgentResult(
                    {"result": merged(node.strategy, inputs.get("items"), one.arrived)} if inputs else {}
                )
            case "conditional" if node.condition:
                return AgentResult({"result": _checked("condition", node.condition, names)})
        return AgentResult({})

    def _tool(self, node: WorkflowNode, one: Activation, inputs: Json) -> AgentResult:
        context = self._context(one)
        toolbox = Toolbox(replace(context.tool_context(), model=""), READERS)
        given = {name: value for name, value in inputs.items() if value is not None}
        called = toolbox.call(node.tool, given)
        text = context.cited(_readable(toolbox, called), toolbox.evidence)
        document = json.loads(json.dumps(called.result.document, default=str))
        return AgentResult({"text": text, "document": document, "total": called.result.total}, toolbox.calls)

    def _context(self, one: Activation) -> StepContext:
        return replace(self.within, call_id=str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.within.run.id} {one.key}")))

    def _check_cost(self) -> None:
        """Raise `BadInput` where the run has cost as much as it may."""
        if not self.max_cost or not self.within.model("search"):
            return
        steps = self.within.store.steps(self.within.run.id)
        spent_so_far = sum(step.cost or 0.0 for step in steps if step.state != "copied")
        if spent_so_far >= self.max_cost:
            raise CostReached(
                f"The run stopped because it cost ${spent_so_far:.4f}; the limit is ${self.max_cost:g}.", _COST_HINT
            )

    def _writes(self, node: WorkflowNode, values: Json, names: Json) -> tuple[StateWrite, ...]:
        found = []
        for output, text in node.outputs.items():
            path = parse_path(text)
            try:
                keys = path.resolve(names)
            except ExpressionError as error:
                raise ExpressionError(f"outputs.{output}: {error}") from error
            found.append(StateWrite(keys, self.texts.kept(values.get(output), f"outputs.{output}"), path.appends))
        return tuple(found)

    # -- where to go on

    def _outcome(self, node: WorkflowNode, one: Activation, names: Json, values: Json, inputs: Json) -> StepOutcome:
        if node.type == "fanout":
            return StepOutcome(way="branches", branches=self._branches(node, names, inputs))
        if node.type == "loop":
            over = one.returns_to(node.id) and (
                one.iteration >= self.definition.passes(node) or bool(_checked("condition", node.condition, names))
            )
            if not over:
                return StepOutcome(way="body", target=node.body[0])
        given = names | {"result": values.get("result")}
        return StepOutcome(target=self._next(node, given))

    def _next(self, node: WorkflowNode, names: Json) -> str | None:
        """The target of the first edge that holds; None where nothing follows."""
        return next((edge.target for edge in self._edges(node) if _taken(edge, names)), None)

    def _edges(self, node: WorkflowNode) -> list[WorkflowEdge]:
        """The edges that a node may take: none for errors, and none into its own body."""
        edges = self.definition.edges_from[node.id]
        return [edge for edge in edges if not edge.is_error and edge.target not in node.body]

    def _branches(self, node: WorkflowNode, names: Json, inputs: Json) -> tuple[BranchStart, ...]:
        starts = node.body or tuple(edge.target for edge in self._edges(node) if _taken(edge, names))
        if not inputs:
            return tuple(BranchStart(start, start) for start in starts)
        ((name, items),) = inputs.items()
        if isinstance(items, Mapping):
            items = list(items)
        if not isinstance(items, list):
            raise BadInput(f"inputs.{name}: give a list; a fan-out runs once per item.")
        if len(items) * len(starts) > MOST_BRANCHES:
            branches = len(items) * len(starts)
            raise BadInput(f"inputs.{name}: this list needs {branches:,} branches; the limit is {MOST_BRANCHES:,}.")
        return tuple(
            BranchStart(
                start,
                _label(item) if len(starts) == 1 else f"{_label(item)} {start}",
                {name: self.texts.kept(item, f"inputs.{name}")},
            )
            for item in items
            for start in starts
        )

    def _failed(self, node: WorkflowNode, begun: WorkflowStep, error: AsofError) -> WorkflowStep:
        """A failed node goes down its edge for errors, which finds out why; without one the run ends."""
        way = next((edge.target for edge in self.definition.edges_from[node.id] if edge.is_error), None)
        if isinstance(error, CostReached):
            way = None
        failure = {"node": node.id, "message": error.message, "hint": error.hint}
        message = f"{node.id}: {error.message}"
        logged = StateWrite(("logs",), message[:500], appends=True)
        writes = (StateWrite(("error",), failure), logged) if way else (logged,)
        outcome = StepOutcome(writes, target=way, problem=message, ends_run=way is None)
        return replace(
            begun, state="failed", problem=error.message, hint=error.hint, outcome=outcome.document(), inputs={}
        )


class CostReached(BadInput):
    """A run has cost as much as it may; no edge for errors goes on from there."""


_COST_HINT = "To allow a higher cost, raise ASOF_MAX_WORKFLOW_COST or the cost limit of the run."


def _asked(name: str, value: Any, names: Json) -> Any:
    """The value of an input: a text is an expression, anything else stands for itself."""
    return _checked(f"inputs.{name}", value, names) if isinstance(value, str) else value


def _readable(toolbox: Toolbox, called: Called) -> str:
    """What a tool found, for a report: facts as sentences that can be checked, anything else as a model reads it."""
    result = called.result
    facts = [item.fact for item in result.items if item.fact is not None]
    if not facts or len(facts) < len(result.items):
        return toolbox.for_model(called)
    return "\n".join([*filter(None, [result.heading]), *fact_lines(toolbox, facts)])


def _checked(field: str, text: str, names: Json) -> Any:
    try:
        value = evaluate(text, names)
    except ExpressionError as error:
        raise ExpressionError(f"{field}: {error.message}", error.hint) from error
    return bool(value) if field == "condition" else value


def _taken(edge: WorkflowEdge, names: Json) -> bool:
    if not edge.condition:
        return True
    try:
        return holds(edge.condition, names)
    except ExpressionError as error:
        raise ExpressionError(f"edge to {edge.target}: {error.message}", error.hint) from error


def _label(item: Any) -> str:
    if isinstance(item, Mapping):
        item = next((item[key] for key in ("id", "name", "title") if item.get(key)), "item")
    return " ".join(str(item).split())[:_LONGEST_LABEL] or "item"


def _call(document: Json) -> Json:
    """A call as a step keeps it: what it was asked and found in short, since texts and evidence are kept beside it."""
    output = json.dumps(document["output"], default=str)
    given = json.dumps(document["input"], default=str)
    short = {} if len(output) <= _LONGEST_CALL else {"output": None, "left_out": len(output)}
    return {**document, **short, "input": document["input"] if len(given) <= _LONGEST_CALL else {}}
