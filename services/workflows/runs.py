"""Runs of workflows: begun, watched, paused, resumed after a crash, cancelled, run again, and deleted.

A run is made on a thread of the services. LangGraph makes it; where that fails or takes too long, one node after
another is run, and what has finished by then is not run again.
"""

import threading
import time
import uuid
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from services.accounts.workflow_runs import RunState, WorkflowRun
from services.agent.turns import check_day
from services.context import OpenWorkspace, Services
from services.core import clock
from services.core.errors import AsofError, BadInput
from services.core.log import logger
from services.llm.endpoint import models
from services.workflows.checkpoints import checkpoint_bytes, prune
from services.workflows.definition import WorkflowDefinition, definition_document
from services.workflows.library import find_workflow
from services.workflows.reporter_agent import reporters
from services.workflows.run_maker import RunMaker, start_values
from services.workflows.run_records import RunComparison, RunTrace, compare, read_trace
from services.workflows.run_stop import RunControl, RunPaused
from services.workflows.triage_agent import databases_of
from services.workflows.validation import read_definition
from services.workflows.walk import advance, begin, read_outcome

_PATIENCE = 10.0
"""Seconds that closing waits for runs to stop."""
_LONGEST_GOAL = 4_000
_OVER: tuple[RunState, ...] = ("done", "failed", "cancelled")
_NAME = "workflows"
_opening = threading.Lock()
_log = logger(__name__)


def workflow_runs(services: Services) -> "WorkflowRuns":
    """Return the runs of these services, which are closed with them."""
    with _opening:
        found = services.attached.get(_NAME)
        if not isinstance(found, WorkflowRuns):
            found = services.attached[_NAME] = WorkflowRuns(services)
        return found


class WorkflowRuns:
    """The runs of this process. Any thread may call any method."""

    def __init__(self, services: Services) -> None:
        self._services, self._store = services, services.accounts.workflow_runs
        self._lock = threading.Lock()
        self._controls: dict[str, RunControl] = {}

    # -- beginning

    def start(
        self,
        workspace: OpenWorkspace,
        workflow: WorkflowDefinition | str,
        goal: str,
        *,
        user_id: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        model: str = "",
        max_cost: float | None = None,
        database: str = "",
    ) -> WorkflowRun:
        """Begin a run, which goes on by itself. `workflow` may be the name of one; triage takes a `database` as meant.

        Raises `BadInput` for a goal that is none, a workflow or database that there is not, a model that is not
        configured, and where the day's money is spent.
        """
        found = find_workflow(workspace, workflow) if isinstance(workflow, str) else workflow
        goal = self._checked_goal(goal, model)
        if user_id is not None and model:
            self._check_day(user_id, model)
        settings = self._services.settings
        if database and database not in databases_of(workspace):
            raise BadInput(
                f"database: there is no database “{database}”.", "See the SQL page for the available databases."
            )
        options = {
            "model": model,
            "database": database,
            "max_cost": settings.max_workflow_cost if max_cost is None else max_cost,
            "reporters": list(reporters(settings)),
            "multi_route_always": settings.multi_route_always,
        }
        document = definition_document(found)
        run = WorkflowRun(
            str(uuid.uuid4()),
            workspace.name,
            found.name,
            document,
            goal,
            clock.now(),
            user_id,
            as_of,
            known_at,
            options,
        )
        self._store.add(run)
        self._begin(run.id)
        return run

    def _checked_goal(self, goal: str, model: str) -> str:
        goal = goal.strip().encode("utf-8", "replace").decode()
        if not goal:
            raise BadInput("The goal is empty.", "Enter what the workflow should find out.")
        if len(goal) > _LONGEST_GOAL:
            raise BadInput(f"The goal has {len(goal):,} characters; the limit is {_LONGEST_GOAL:,}.")
        if model and model not in models(self._services.settings):
            raise BadInput(f"model: there is no model “{model}”.", "Choose a model from ASOF_MODEL.")
        return goal

    def _check_day(self, user_id: str, model: str) -> None:
        user = self._services.accounts.users.get(user_id)
        if user is not None:
            check_day(self._services, user, model)

    def _begin(self, run_id: str) -> RunControl:
        """Have a run made on a thread of its own; nothing happens where that is under way here."""
        with self._lock:
            known = self._controls.get(run_id)
            if known is not None and not known.over.is_set():
                return known
            control = self._controls[run_id] = RunControl()
        thread = threading.Thread(target=self._make, args=(run_id, control), name="asof-workflow-run", daemon=True)
        thread.start()
        return control

    def _make(self, run_id: str, control: RunControl) -> None:
        """Make a run, and keep what came of it, whatever that is."""
        try:
            with self._store.run_lock(run_id) as take:
                run = self._store.get(run_id)
                if run is None or run.is_over or not take():
                    return
                RunMaker(self._services, run, control).make()
        except RunPaused:
            pass
        except Exception as fault:  # noqa: BLE001 - whatever it is, the run must not look as if it went on
            _log.exception("A workflow run failed.", run=run_id)
            hint = fault.hint if isinstance(fault, AsofError) else "See Asof's log for details."
            problem = fault.message if isinstance(fault, AsofError) else "The run failed unexpectedly."
            with suppress(AsofError):
                self._store.change(run_id, state="failed", problem=problem, hint=hint, finished_at=clock.now())
        finally:
            with self._lock:
                self._controls.pop(run_id, None)
            control.over.set()

    # -- watching

    def get(self, run_id: str) -> WorkflowRun:
        """Return a run. Raises `BadInput` where there is none."""
        found = self._store.get(run_id)
        if found is None:
            raise BadInput("This run does not exist.", "Someone may have deleted it.")
        return found

    def of(self, workspace: OpenWorkspace, *, name: str | None = None, limit: int = 100) -> tuple[WorkflowRun, ...]:
        """Return the runs of a workspace, or of one workflow, the newest first."""
        return self._store.of(workspace.name, name=name, limit=limit)

    def trace(self, run_id: str) -> RunTrace:
        """Return what is known of a run by now: how each node stands, its steps, figures and report."""
        return read_trace(self._store, self.get(run_id))

    def wait(self, run_id: str, seconds: float | None = None) -> WorkflowRun:
        """Return the run once nobody makes it any more, or as it is after so many seconds."""
        with self._lock:
            control = self._controls.get(run_id)
        if control is not None:
            control.over.wait(seconds)
        return self.get(run_id)

    def is_here(self, run_id: str) -> bool:
        """True while this process makes the run."""
        with self._lock:
            return run_id in self._controls

    def compare(self, first_id: str, second_id: str) -> RunComparison:
        """Return how the reports and figures of two runs differ."""
        return compare(self.trace(first_id), self.trace(second_id))

    def size(self, workspace: OpenWorkspace) -> int:
        """Return how many bytes the runs of a workspace take, with the checkpoints of all that are under way."""
        return self._store.size(workspace.name) + checkpoint_bytes(self._services.settings)

    # -- steering

    def cancel(self, run_id: str) -> None:
        """End a run; what was finished is kept."""
        with self._lock:
            control = self._controls.get(run_id)
        if control is not None:
            control.cancel()
        elif self._store.change(run_id, unless=_OVER, state="cancelled", finished_at=clock.now()):
            prune(self._services.settings, run_id)

    def pause(self, run_id: str) -> None:
        """Have a run stop behind the nodes that are running."""
        with self._lock:
            control = self._controls.get(run_id)
        if control is not None:
            control.paused.set()

    def resume(self, run_id: str) -> WorkflowRun:
        """Go on with a run that was paused, or whose process died. Raises `BadInput` for one that is over."""
        run = self.get(run_id)
        if run.is_over:
            raise BadInput("This run has finished.", "Rerun the workflow, from the start or from one of its steps.")
        self._begin(run_id)
        return run

    def resume_interrupted(self) -> tuple[str, ...]:
        """Go on with every run that was under way when its process died; returns their ids."""
        found = [id for id in self._store.open_runs() if self.get(id).state != "paused" and not self.is_here(id)]
        for id in found:
            self._begin(id)
        return tuple(found)

    def rerun(self, run_id: str, *, as_of: datetime | None = None, known_at: datetime | None = None) -> WorkflowRun:
        """Run the same workflow for the same goal again, at today's date or another."""
        return self._again(self.get(run_id), as_of, known_at, ())

    def rerun_from(self, run_id: str, key: str) -> WorkflowRun:
        """Begin a new run with the state that a step found, which is run again with all that follows it.

        Raises `BadInput` for a step that the run has not taken.
        """
        run = self.get(run_id)
        return self._again(run, run.as_of, run.known_at, self._before(run, key))

    def _again(
        self, run: WorkflowRun, as_of: datetime | None, known_at: datetime | None, keys: tuple[str, ...]
    ) -> WorkflowRun:
        fresh = WorkflowRun(
            str(uuid.uuid4()),
            run.workspace,
            run.name,
            run.definition,
            run.goal,
            clock.now(),
            run.user_id,
            as_of,
            known_at,
            run.options,
            parent_id=run.id,
        )
        self._store.add(fresh)
        if keys:
            self._store.copy_contents(run.id, fresh.id)
            kept = (step for step in self._store.steps(run.id) if step.key in keys)
            self._store.add_steps(fresh.id, (replace(step, state="copied", calls=()) for step in kept))
        self._begin(fresh.id)
        return fresh

    def _before(self, run: WorkflowRun, key: str) -> tuple[str, ...]:
        """The steps that a run had taken when it came to one, those beside it included."""
        definition = read_definition(run.definition)
        known = {step.key: step for step in self._store.steps(run.id) if step.is_finished}
        walk, kept = begin(definition, start_values(run)), list[str]()
        while walk.ready:
            keys = [one.key for one in walk.ready]
            if key in keys:
                return (*kept, *(other for other in keys if other != key and other in known))
            if not all(other in known for other in keys):
                break
            kept += keys
            advance(definition, walk, {other: read_outcome(known[other].outcome or {}) for other in keys})
        raise BadInput(f"The run has no step “{key}”.", "Choose a step from the run's trace.")

    def delete(self, run_id: str) -> None:
        """Forget a run with everything that it kept. Raises `BadInput` while it is under way."""
        if self.is_here(run_id):
            raise BadInput("The run is still in progress.", "Cancel the run first.")
        self._store.delete(run_id)
        prune(self._services.settings, run_id)

    def forget(self, workspace: str) -> None:
        """Stop the runs of a workspace, and forget what checkpoints hold of them."""
        ids = self._store.ids(workspace)
        for id in ids:
            if self.is_here(id):
                self.cancel(id)
                self.wait(id, _PATIENCE)
        prune(self._services.settings, *ids)

    def close(self) -> None:
        """Have every run stop behind the nodes that are running; they go on when the app does."""
        with self._lock:
            controls = list(self._controls.values())
        for control in controls:
            control.close()
        deadline = time.monotonic() + _PATIENCE
        for control in controls:
            control.over.wait(max(0.0, deadline - time.monotonic()))
