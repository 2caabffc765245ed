"""What can be done with a run: stop it, go on with it, run it again, compare it, delete it."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from components import confirm, problems, state
from components.markup import clipped, plain
from components.shell import Opened
from components.workflows.run_words import AGAIN_TODAY, when
from components.workflows.workflows_view import look_at
from services.core.errors import BadInput
from services.workflows import WorkflowRun, workflow_runs

PROBLEM = "workflow_run_problem"
_DELETING = "workflow_run_deleting"
_CANCEL = "Ends the run but keeps its finished steps."


def run_of(opened: Opened, run_id: str) -> WorkflowRun:
    """Return a run of the open workspace. Raises `BadInput` where there is none."""
    run = workflow_runs(opened.services).get(run_id)
    if run.workspace != opened.name:
        raise BadInput("This workspace has no such run.", "Choose a run from the list.")
    return run


def may_steer(opened: Opened, run: WorkflowRun) -> bool:
    """True where the reader may stop, repeat and delete a run: of his own, of nobody, or as an administrator."""
    return opened.user.is_admin or run.user_id in (None, opened.user.id)


def run_actions(opened: Opened, run: WorkflowRun) -> None:
    """Draw the buttons of a run as it stands."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="workflow_run_actions"):
        if may_steer(opened, run):
            _steering(opened, run)
        if run.is_over:
            _compare_menu(opened, run)
            if may_steer(opened, run):
                _button("Delete", "delete", "run_delete", state.remember, _DELETING, run.id)
    problems.show_kept(PROBLEM)


def ask_to_delete(opened: Opened, run: WorkflowRun) -> None:
    """Open the question whether to delete a run where somebody pressed the button."""
    if state.pop(_DELETING) == run.id:
        _delete(opened, run)


def _button(label: str, icon: str, key: str, action: Callable[..., object], *args: Any, about: str = "") -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        key=f"workflow_{key}",
        help=about or None,
        on_click=problems.attempt,
        args=(PROBLEM, action, *args),
    )


def _steering(opened: Opened, run: WorkflowRun) -> None:
    runs = workflow_runs(opened.services)
    if run.is_over:
        _button("Run again today", "event_repeat", "again_today", _again_today, opened, run, about=AGAIN_TODAY)
        _button("Run again", "refresh", "again", _again, opened, run, about="Runs the same goal on the same dates.")
        return
    if runs.is_here(run.id):
        _button("Pause", "pause", "pause", runs.pause, run.id, about="Pauses once the current steps finish.")
    else:
        _button("Resume", "play_arrow", "resume", runs.resume, run.id, about="Continues with the remaining steps.")
    _button("Cancel", "stop", "cancel", runs.cancel, run.id, about=_CANCEL)


def _again_today(opened: Opened, run: WorkflowRun) -> None:
    look_at(run=workflow_runs(opened.services).rerun(run.id).id, before=run.id)


def _again(opened: Opened, run: WorkflowRun) -> None:
    again = workflow_runs(opened.services).rerun(run.id, as_of=run.as_of, known_at=run.known_at)
    look_at(run=again.id)


def _compare_menu(opened: Opened, run: WorkflowRun) -> None:
    """Draw the choice of a run to compare with."""
    others = [one for one in workflow_runs(opened.services).of(opened.workspace) if one.id != run.id and one.is_over]
    if not others:
        return
    labels = {one.id: f"{when(one.created_at)} · {clipped(' '.join(one.goal.split()), 40)}" for one in others}
    st.selectbox(
        "Compare with",
        list(labels),
        index=None,
        format_func=lambda id: labels.get(id, id),
        key=f"workflow_compare_{run.id}",
        placeholder="Compare with…",
        label_visibility="collapsed",
        width=240,
        on_change=_compare,
        args=(run.id,),
    )


def _compare(run_id: str) -> None:
    if other := state.remembered(f"workflow_compare_{run_id}"):
        look_at(run=run_id, before=str(other))


@confirm.dialog("Delete this run?")
def _delete(opened: Opened, run: WorkflowRun) -> None:
    st.markdown(f"This deletes the run for “{plain(clipped(run.goal, 80))}”, including its steps, text and report.")
    confirm.answers("Delete run", _deleted, opened, run.id)


def _deleted(opened: Opened, run_id: str) -> None:
    workflow_runs(opened.services).delete(run_id)
    look_at()
