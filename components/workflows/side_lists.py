"""The workflows of the workspace and its runs, as lists of links."""

from collections.abc import Sequence

import streamlit as st

from components import state
from components.ask.trace import took
from components.buttons import show_more
from components.markup import clipped, counted, dotted, heading, link, text
from components.shell import Opened
from components.workflows.run_words import state_sign, when
from components.workflows.workflows_view import WorkflowsView, look_at, there
from services.workflows import DEFAULT_NAME, WorkflowEntry, WorkflowRun, list_workflows, workflow_runs

_SHOWN, _FIRST, _MOST = "workflow_runs_shown", 12, 500
_UNITS = ("B", "KB", "MB", "GB")


def side_lists(opened: Opened) -> None:
    """Draw both lists."""
    runs = workflow_runs(opened.services)
    with st.container(horizontal=True, vertical_alignment="center", key="workflows_head"):
        with st.container(width="stretch"):
            heading("Workflows")
        st.button("Create", icon=":material/add:", key="workflow_new", on_click=look_at, kwargs={"is_edited": True})
    st.html(f'<ul class="a-nav" aria-label="Workflows">{_workflows(opened, list_workflows(opened.workspace))}</ul>')
    most = state.remembered(_SHOWN, _FIRST)
    found = runs.of(opened.workspace, limit=most + 1)
    if not found:
        heading("Runs")
        st.html('<div class="a-muted a-sm">No runs yet. Enter a goal and press Run.</div>')
        return
    heading("Runs", dotted(counted_runs(found, most), size_in_words(runs.size(opened.workspace))))
    st.html(f'<ul class="a-nav" aria-label="Runs">{_runs(opened, found[:most])}</ul>')
    if len(found) > most:
        show_more("workflow_runs_more", _SHOWN, _MOST)


def counted_runs(found: Sequence[WorkflowRun], most: int) -> str:
    """How many runs there are, as far as they were looked at."""
    return f"more than {most}" if len(found) > most else f"{len(found)}"


def size_in_words(size: int) -> str:
    """A size as one says it: `640 KB`."""
    value = float(size)
    for unit in _UNITS[:-1]:
        if value < 1000:
            return f"{value:.0f} {unit}"
        value /= 1000
    return f"{value:.1f} {_UNITS[-1]}"


def _workflows(opened: Opened, entries: Sequence[WorkflowEntry]) -> str:
    view = opened.view.of(WorkflowsView)
    return "".join(
        _item(
            link("Workflows", f"<b>{text(one.name)}</b>", there(opened.view, "" if one.is_builtin else one.name)),
            dotted("built in" if one.is_builtin else "saved", counted(len(one.definition.nodes), "step")),
            is_open=view.run is None
            and (view.workflow or DEFAULT_NAME) == one.name
            and not (view.is_edited and not view.workflow),
        )
        for one in entries
    )


def _runs(opened: Opened, runs: Sequence[WorkflowRun]) -> str:
    view = opened.view.of(WorkflowsView)
    return "".join(
        _item(
            link(
                "Workflows", f"<b>{text(clipped(' '.join(run.goal.split()), 60))}</b>", there(opened.view, run=run.id)
            ),
            dotted(when(run.created_at), took(run.ms) if run.is_over else run.state),
            sign=state_sign(run.state),
            is_open=run.id == view.run,
        )
        for run in runs
    )


def _item(name: str, about: str, *, is_open: bool, sign: str = "") -> str:
    current = ' aria-current="true"' if is_open else ""
    return f'<li{current}>{sign}<div>{name}<div class="a-muted a-sm">{text(about)}</div></div></li>'
