"""A report as an answer of a conversation: a turn that runs a workflow in the place of a model or the analyst."""

import threading
from collections.abc import Sequence
from dataclasses import replace

from services.accounts.workflow_runs import WorkflowStep
from services.agent.answerer import AnswerOutcome, AskRequest
from services.agent.turns import AnswerMaker
from services.context import OpenWorkspace
from services.core import clock
from services.core.answer_records import Answer, ToolCall
from services.core.models import Instants
from services.tools.toolbox import CallListener
from services.workflows.library import find_workflow
from services.workflows.run_records import RunTrace
from services.workflows.runs import WorkflowRuns, workflow_runs
from services.workflows.step_context import read_found

WORKFLOW_CALL = "run_workflow"
"""What the call is named that ran a workflow; its output has the id of the run."""
_LOOK = 0.2
"""Seconds between two looks at a run."""


def workflow_answer(workspace: OpenWorkspace, name: str, user_id: str | None) -> AnswerMaker:
    """Return what answers by a workflow. Raises `BadInput` where there is none of this name."""
    find_workflow(workspace, name)

    def answer(question: AskRequest, on_call: CallListener, cancel: threading.Event) -> AnswerOutcome:
        runs, asked = workflow_runs(workspace.services), question.asked
        run = runs.start(
            workspace,
            name,
            asked.question,
            user_id=user_id,
            as_of=asked.as_of,
            known_at=asked.known_at,
            model=question.model,
        )
        call = ToolCall(
            run.id, WORKFLOW_CALL, {"name": run.name, "goal": run.goal}, clock.now(), output={"run": run.id}
        )
        on_call(call)
        try:
            trace = _followed(runs, run.id, on_call, cancel)
        except BaseException:  # nobody waits for the report any more
            runs.cancel(run.id)
            raise
        done = _ended(call, trace)
        on_call(done)
        return _outcome(workspace, question, trace, done)

    return answer


def conversation_goal(questions: Sequence[str]) -> str:
    """Return the goal of a report on what a conversation asked."""
    return "Write a report on: " + " ".join(dict.fromkeys(" ".join(one.split()) for one in questions))


def _followed(runs: WorkflowRuns, run_id: str, on_call: CallListener, cancel: threading.Event) -> RunTrace:
    """Wait for a run, telling of its steps as they finish; it is cancelled when nobody waits any more."""
    known = set[str]()
    while runs.is_here(run_id):
        if cancel.is_set():
            runs.cancel(run_id)
        runs.wait(run_id, _LOOK)
        _tell(runs.trace(run_id), known, on_call)
    return runs.trace(run_id)


def _tell(trace: RunTrace, known: set[str], on_call: CallListener) -> None:
    """Pass on the steps that have finished and are not among the `known` keys, and add them there."""
    for step in trace.steps:
        if step.state != "running" and step.key not in known:
            known.add(step.key)
            on_call(_step_call(trace.run.id, step))


def _step_call(run_id: str, step: WorkflowStep) -> ToolCall:
    """A step as a line below the run; what models took is counted with the run."""
    return ToolCall(
        f"{run_id} {step.key}",
        step.node,
        dict(step.inputs or {}),
        step.started_at,
        parent_id=run_id,
        output=dict(step.outputs or {}),
        summary=step.state,
        error=step.problem or None,
        ms=step.ms,
    )


def _ended(call: ToolCall, trace: RunTrace) -> ToolCall:
    run = trace.run
    return replace(call, summary=f"{len(trace.steps)} steps, {run.state}", error=run.problem or None, ms=run.ms)


def _outcome(workspace: OpenWorkspace, question: AskRequest, trace: RunTrace, call: ToolCall) -> AnswerOutcome:
    run, report = trace.run, trace.report
    at = Instants(run.as_of or run.created_at, run.known_at or run.created_at)
    answer = report.answer if report else Answer("", (), (), at, declined=True)
    calls = (call, *(_step_call(run.id, step) for step in trace.steps))
    return AnswerOutcome(
        replace(answer, calls=calls, topic=question.topic or answer.topic),
        read_found(workspace.accounts.workflow_runs, run.id),
        problem="" if run.state == "done" else run.problem or f"The run is {run.state}.",
        hint=run.hint,
        stopped=run.state == "cancelled",
    )
