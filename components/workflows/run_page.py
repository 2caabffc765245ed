"""A run: what it is to find out, how each node stands while it goes on, its steps, and its report."""

import streamlit as st

from components import problems, state
from components.ask.trace import took
from components.markup import Cell, clipped, counted, dotted, heading, link, note, progress_bar, table, text
from components.refreshing import draw_until_done
from components.shell import Opened
from components.workflows.graph_panel import run_graph
from components.workflows.report_document import report_document
from components.workflows.run_actions import ask_to_delete, may_steer, run_actions, run_of
from components.workflows.run_words import (
    RULES,
    clock_chips,
    dollars,
    model_of,
    state_chip,
    state_sign,
    step_title,
    took_so_far,
    when,
)
from components.workflows.step_panel import step_panel
from components.workflows.workflows_view import WorkflowsView, there
from services.workflows import (
    DEFAULT_NAME,
    RunTrace,
    WorkflowDefinition,
    WorkflowRun,
    WorkflowStep,
    read_definition,
    workflow_runs,
)

_TAB, _REPORT, _STEPS = "workflow_tab", "Report", "Steps"
_NOBODY = (
    "<b>This run stopped, or another Asof process is working on it.</b> If it stopped, press “Resume” to continue it."
)


def run_page(opened: Opened, run_id: str) -> None:
    """Draw the run, again and again while it is under way."""
    ask_to_delete(opened, run_of(opened, run_id))
    is_here = workflow_runs(opened.services).is_here
    draw_until_done(lambda: _draw(opened, run_id), lambda: is_here(run_id), every="0.5s")


@problems.guarded()
def _draw(opened: Opened, run_id: str) -> None:
    runs = workflow_runs(opened.services)
    may_choose = not runs.is_here(run_id)  # a choice would be lost when the page is drawn anew at the run's end
    trace = runs.trace(run_id)
    _head(opened, trace)
    run_actions(opened, trace.run)
    _outcome(opened, trace.run)
    if trace.report and may_choose and _tab(run_id) == _REPORT:
        report_document(opened, trace.run, trace.report)
    else:
        _steps(opened, trace, read_definition(trace.run.definition))


def _tab(run_id: str) -> str | None:
    return st.segmented_control(
        "View",
        [_REPORT, _STEPS],
        default=_STEPS if state.view().of(WorkflowsView).step else _REPORT,
        required=True,
        key=f"{_TAB}_{run_id}",
        label_visibility="collapsed",
    )


def _head(opened: Opened, trace: RunTrace) -> None:
    run = trace.run
    path = [link("Workflows", text(run.name), there(opened.view, "" if run.name == DEFAULT_NAME else run.name))]
    if run.parent_id:
        path.append(link("Workflows", "an earlier run", there(opened.view, run=run.parent_id)))
    about = dotted(model_of(run), took_so_far(run), dollars(trace.metrics.cost))
    st.html(
        f'<div class="a-muted a-sm a-path">{" / ".join([*path, f"run of {when(run.created_at)}"])}</div>'
        f'<div class="a-big" role="heading" aria-level="2">{text(clipped(" ".join(run.goal.split()), 300))}</div>'
        f'<div class="a-sum">{state_chip(run.state)}{clock_chips(run)}'
        f'<span class="a-muted a-sm">{text(about)}</span></div>'
    )


def _outcome(opened: Opened, run: WorkflowRun) -> None:
    """What went wrong with the run, and what it has to remark."""
    if run.problem:
        note(f"<b>{text(run.problem)}</b> {text(run.hint)}", "a-info" if run.state == "cancelled" else "")
    for remark in run.notes:
        note(text(remark), "a-warn")
    if run.state == "paused":
        note("<b>Paused.</b> Asof keeps the finished steps. Press “Resume” to run the others.", "a-warn")
    elif not run.is_over and not workflow_runs(opened.services).is_here(run.id):
        note(_NOBODY, "a-warn")


def _steps(opened: Opened, trace: RunTrace, definition: WorkflowDefinition) -> None:
    chosen = state.view().of(WorkflowsView).step or ""
    step = next((one for one in reversed(trace.steps) if chosen in (one.key, one.node)), None)
    picture, beside = st.columns([6, 5], gap="medium")
    with picture, st.container(key="workflow_run_graph"):
        run_graph(trace, definition, step.node if step else chosen, lambda node: _choose(trace, node))
    with beside:
        _meters(trace, definition)
        _table(trace, definition)
        if step is not None:
            can_rerun = may_steer(opened, trace.run) and trace.run.is_over
            step_panel(opened, trace.run, definition, step, can_rerun=can_rerun)
        elif chosen in definition.by_id:
            note(f"<b>{text(definition.by_id[chosen].title)}</b> has not run.")


def _choose(trace: RunTrace, node: str) -> None:
    """Open the last step of a node; the node itself where it has none."""
    found = next((one.key for one in reversed(trace.steps) if one.node == node), node)
    state.update(WorkflowsView, step=found)


def _meters(trace: RunTrace, definition: WorkflowDefinition) -> None:
    run, figures, limits = trace.run, trace.metrics, definition.limits
    most = float((run.options or {}).get("max_cost") or 0)
    meters = [
        ("Steps", f"{figures.steps} of {limits.max_steps}", figures.steps / limits.max_steps),
        ("Time", f"{took_so_far(run)} of {limits.timeout_ms / 1000:g} s", run.ms / limits.timeout_ms),
    ]
    if model_of(run) != RULES:
        spent = f"{dollars(figures.cost) or 'no price'}{f' of ${most:g}' if most else ''}"
        tokens = figures.input_tokens + figures.output_tokens
        meters += [("Cost", spent, (figures.cost or 0) / most if most else 0.0), ("Tokens", f"{tokens:,}", 0.0)]
    st.html(f'<div class="a-meters">{"".join(_meter(*one) for one in meters)}</div>')


def _meter(name: str, value: str, share: float) -> str:
    words = f'<div class="a-meter"><b>{name}</b><span>{text(value)}</span></div>'
    return f"<div>{words}{progress_bar(name, min(1.0, share))}</div>"


def _table(trace: RunTrace, definition: WorkflowDefinition) -> None:
    asks = any(step.model for step in trace.steps)
    spent: list[Cell] = [("Tokens", "a-n"), ("Cost", "a-n")] if asks else []
    heading("Steps", counted(len(trace.steps), "step") if trace.steps else "none yet")
    if trace.steps:
        rows = [_row(definition, step, asks=asks) for step in trace.steps]
        table(rows, [("", ""), ("Step", "a-w"), ("Time", "a-n"), *spent], label="Run steps")


def _row(definition: WorkflowDefinition, step: WorkflowStep, *, asks: bool) -> list[Cell]:
    name = link("Workflows", text(step_title(definition, step)), state.view().changed(WorkflowsView, step=step.key))
    problem = f'<div class="a-muted a-sm">{text(clipped(step.problem, 120))}</div>' if step.problem else ""
    time = "…" if step.state == "running" else took(step.ms)
    tokens = step.input_tokens + step.output_tokens
    spent: list[Cell] = [(f"{tokens:,}" if tokens else "", "a-n"), (dollars(step.cost), "a-n")] if asks else []
    return [(state_sign(step.state), "a-nw"), (name + problem, "a-w"), (time, "a-n"), *spent]
