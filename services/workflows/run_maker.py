"""Makes one run: by LangGraph, else one node after another, and keeps what came of it."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from services.accounts.workflow_runs import ExecutorName, RunState, WorkflowRun, WorkflowStep
from services.context import Services
from services.core import clock
from services.core.errors import AccountsUnavailable, AsofError, BadInput, Cancelled
from services.core.json_documents import Json
from services.core.log import logger
from services.workflows.checkpoints import open_saver, prune
from services.workflows.executors import run_graph, run_in_sequence
from services.workflows.langgraph_library import graph_parts
from services.workflows.merging import merged
from services.workflows.reports import make_report
from services.workflows.run_stop import RunControl, RunPaused, TookTooLong
from services.workflows.run_texts import RunTexts
from services.workflows.step_context import StepContext
from services.workflows.step_runner import StepRunner
from services.workflows.validation import read_definition
from services.workflows.walk import Walk, begin

_log = logger(__name__)


class RunMaker:
    """Makes a run on the thread that asks. Nobody else makes it meanwhile."""

    def __init__(self, services: Services, run: WorkflowRun, control: RunControl) -> None:
        self._services, self._run, self._control = services, run, control
        self._store = services.accounts.workflow_runs
        self._definition = read_definition(run.definition)
        self._texts = RunTexts(self._store, run.id)
        self._seconds = self._definition.limits.timeout_ms / 1000
        self._latest = begin(self._definition, start_values(run))
        self._notes = list(run.notes)

    def make(self) -> None:
        """Make the run. Raises `RunPaused`, and `AccountsUnavailable` where nothing can be kept."""
        begun = self._run.started_at or clock.now()
        self._change(state="running", started_at=begun)
        started = time.perf_counter()
        try:
            walk = self._walked()
            state: RunState = "failed" if walk.problem else "done"
            problem, hint = self._reason(walk)
        except Cancelled as stopped:
            state, problem, hint = "cancelled", stopped.message, stopped.hint
        except RunPaused:
            if not self._control.closing.is_set():
                self._change(state="paused", ms=self._run.ms + (time.perf_counter() - started) * 1000)
            raise
        except (AsofError, TookTooLong) as error:
            state, problem, hint = "failed", error.message, error.hint
        ms = self._run.ms + (time.perf_counter() - started) * 1000
        self._finish(state, problem, hint, ms)

    def _walked(self) -> Walk:
        """How the run ended. A fault of LangGraph, or its time, has the rest run one node after another."""
        try:
            graph_parts()  # the first run of a process waits for the import, which is no part of its time
            return self._control.within(self._seconds, self._by_graph)
        except (Cancelled, RunPaused, AccountsUnavailable):
            raise
        except Exception as fault:  # noqa: BLE001 - whatever is wrong with LangGraph, the run can do without
            reason = fault.message if isinstance(fault, AsofError) else "The workflow engine failed unexpectedly."
            _log.warning("workflow falls back", run=self._run.id, reason=reason, fault=repr(fault)[:500])
        self._notes.append(
            f"{reason} Asof ran the remaining steps one after another; it did not run finished steps again."
        )
        self._change(executor="sequential", notes=self._notes)
        return self._control.within(self._seconds, self._in_sequence)

    def _by_graph(self, stop: threading.Event) -> Walk:
        walk = begin(self._definition, start_values(self._run))
        with open_saver(self._services.settings) as saver:
            step = self._runner(stop, "graph").run
            return run_graph(self._definition, walk, step, self._seen(stop), saver, self._run.id)

    def _in_sequence(self, stop: threading.Event) -> Walk:
        walk = begin(self._definition, start_values(self._run))
        return run_in_sequence(self._definition, walk, self._runner(stop, "sequential").run, self._seen(stop))

    def _runner(self, stop: threading.Event, executor: ExecutorName) -> StepRunner:
        workspace = self._services.workspace(self._run.workspace)
        within = StepContext(workspace, self._run, self._store, self._run.id, stop)
        most = float((self._run.options or {}).get("max_cost") or 0.0)
        return StepRunner(self._definition, within, self._texts, executor, most)

    def _seen(self, stop: threading.Event) -> Callable[[Walk], None]:
        """What hears of each step, and raises what stops the run."""

        def seen(walk: Walk) -> None:
            if not stop.is_set():
                self._latest = walk
            self._control.check()
            if stop.is_set():
                raise Cancelled("Stopped.")

        return seen

    # -- the end

    def _reason(self, walk: Walk) -> tuple[str, str]:
        """Why the run has failed, and what to do; empty where it has not."""
        failed = [step for step in self._store.steps(self._run.id) if step.state == "failed"]
        hint = next((step.hint for step in failed if step.hint and step.problem in walk.problem), "")
        if walk.problem and failed and failed[0].problem not in walk.problem:
            return f"{walk.problem} Earlier, {failed[0].node} failed: {failed[0].problem}", failed[0].hint
        return walk.problem, hint

    def _finish(self, state: RunState, problem: str, hint: str, ms: float) -> None:
        """Keep the state, the report and the figures; the checkpoints are not needed any more."""
        values = self._latest.state()
        steps = self._store.steps(self._run.id)
        for step in steps:
            if step.state == "running":
                self._store.begin_step(self._run.id, replace(step, state="failed", problem="The run stopped early."))
        self._report(values, steps)
        self._count(steps)
        self._change(
            state=state, problem=problem, hint=hint, outcome=values, notes=self._notes, finished_at=clock.now(), ms=ms
        )
        prune(self._services.settings, self._run.id)

    def _report(self, values: Json, steps: tuple[WorkflowStep, ...]) -> None:
        """Make the report of what there is; where that fails the run's own texts are still there."""
        text = _text(self._texts.resolved(values))
        if not text.strip():
            return
        workspace = self._services.workspace(self._run.workspace)
        context = StepContext(workspace, self._run, self._store, self._run.id)
        try:
            made = make_report(context, text, [step.model for step in steps if step.model])
            self._store.keep_report(self._run.id, made.document())
        except AccountsUnavailable:
            raise
        except AsofError as error:
            self._notes.append(f"Asof could not check the report: {error.message}")

    def _count(self, steps: tuple[WorkflowStep, ...]) -> None:
        """Write down what models took, by which the day's limit is held."""
        user_id = self._run.user_id
        if user_id is None and self._services.settings.auth == "none":
            user_id = self._services.accounts.users.local().id
        of_model: dict[str, list[WorkflowStep]] = defaultdict(list)
        for step in steps:
            if step.model and step.state != "copied":
                of_model[step.model].append(step)
        for model, own in of_model.items():
            costs = [step.cost for step in own if step.cost is not None]
            self._services.accounts.traces.count(
                user_id,
                self._run.workspace,
                model=model,
                input_tokens=sum(step.input_tokens for step in own),
                output_tokens=sum(step.output_tokens for step in own),
                cost=sum(costs) if costs else None,
            )

    def _change(self, **changes: Any) -> None:
        self._store.change(self._run.id, **changes)


def _text(values: Json) -> str:
    """What a run has to say: its report, or the texts that were finished, or what was found last."""
    if isinstance(values.get("report"), str) and values["report"]:
        return str(values["report"])
    final = values.get("final")
    if isinstance(final, Mapping) and any(final.values()):
        try:
            return str(merged("stitch", {name: text for name, text in final.items() if text}, tuple(final)))
        except BadInput:
            return ""
    latest = values.get("latest")
    return latest if isinstance(latest, str) else ""


def start_values(run: WorkflowRun) -> Json:
    """Return the state that a run begins with."""
    options: Mapping[str, Any] = run.options or {}
    return {
        "goal": run.goal,
        "settings": {name: options.get(name) for name in ("reporters", "multi_route_always")},
        "triage": {},
        "selected_search": "",
        "database_id": None,
        "latest": "",
        "drafts": {},
        "final": {},
        "verdicts": {},
        "report": "",
        "logs": [],
        "execution_trace": [],
    }
