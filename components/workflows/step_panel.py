"""One step of a run: what it took and gave, whom it asked, and running again from it."""

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from components import problems, state
from components.ask.trace import took
from components.markup import clipped, counted, dotted, heading, note, text
from components.shell import Opened
from components.workflows.run_words import dollars, state_chip, step_title, when
from components.workflows.workflows_view import WorkflowsView, look_at
from services.workflows import WorkflowDefinition, WorkflowRun, WorkflowStep, workflow_runs

PROBLEM = "workflow_step_problem"
_MOST_CALLS = 20


def step_panel(
    opened: Opened, run: WorkflowRun, definition: WorkflowDefinition, step: WorkflowStep, *, can_rerun: bool
) -> None:
    """Draw it."""
    with st.container(border=True, key="workflow_step"):
        heading(step_title(definition, step), step.key)
        used = (counted(step.input_tokens, "input token"), counted(step.output_tokens, "output token"))
        tokens = ", ".join(used) if step.model else ""
        fallback = "steps run one after another" if step.executor == "sequential" else ""
        about = dotted(when(step.started_at), took(step.ms), step.model, tokens, dollars(step.cost), fallback)
        st.html(f'<div class="a-sum">{state_chip(step.state)}<span class="a-muted a-sm">{text(about)}</span></div>')
        if step.problem:
            note(f"<b>{text(step.problem)}</b> {text(step.hint)}", "")
        _values("Inputs", step.inputs or {})
        _values("Outputs", step.outputs or {})
        _calls(step)
        problems.show_kept(PROBLEM)
        with st.container(horizontal=True):
            if can_rerun:
                st.button(
                    "Rerun from here",
                    icon=":material/restart_alt:",
                    key="workflow_rerun_from",
                    help="Starts a new run with the inputs of this step. This run stays as it is.",
                    on_click=problems.attempt,
                    args=(PROBLEM, _rerun, opened, run.id, step.key),
                )
            st.button(
                "Close", key="workflow_step_close", on_click=state.go, args=(WorkflowsView,), kwargs={"step": None}
            )


def _rerun(opened: Opened, run_id: str, key: str) -> None:
    look_at(run=workflow_runs(opened.services).rerun_from(run_id, key).id)


def _values(title: str, values: Any) -> None:
    if not values:
        return
    rows = "".join(f"<dt>{text(name)}</dt><dd>{_value(value)}</dd>" for name, value in values.items())
    st.html(f'<div class="a-sm"><b>{title}</b></div><dl class="a-exact">{rows}</dl>')


def _value(value: Any) -> str:
    shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2, default=str)
    return (
        f"<pre>{text(shown)}</pre>"
        if "\n" in shown or len(shown) > 80
        else f'<span class="a-code">{text(shown or "empty")}</span>'
    )


def _calls(step: WorkflowStep) -> None:
    if step.calls:
        rows = "".join(f"<li>{_call(call)}</li>" for call in step.calls[:_MOST_CALLS])
        st.html(f'<div class="a-sm"><b>Calls</b></div><ul class="a-ways" aria-label="Calls">{rows}</ul>')


def _call(call: Mapping[str, Any]) -> str:
    found = clipped(str(call.get("error") or call.get("summary") or ""), 80)
    about = dotted(found, took(float(call.get("ms") or 0)))
    return f'<span class="a-code">{text(str(call.get("tool", "")))}</span> <span class="a-muted">{text(about)}</span>'
