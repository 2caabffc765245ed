"""A workflow: what it does, its graph, what can be done with it, and the form that runs it."""

import json

import streamlit as st

from components import confirm, dates, problems, state
from components.ask import actions as ask_actions
from components.markup import heading, note, plain, text
from components.shell import Opened
from components.workflows.graph_panel import definition_graph
from components.workflows.run_words import KINDS, RULES, limits_line
from components.workflows.workflows_view import WorkflowsView, look_at
from services.sql import warehouse
from services.workflows import (
    DEFAULT_NAME,
    WorkflowDefinition,
    WorkflowEdge,
    WorkflowNode,
    definition_document,
    delete_workflow,
    duplicate_workflow,
    find_workflow,
    workflow_runs,
)

PROBLEM = "workflow_problem"
_GOAL, _DATABASE, _MODEL, _DELETING = "workflow_goal", "workflow_database", "workflow_model", "workflow_deleting"
_EXAMPLE = "Write a report on PEP 563 and what replaced it"


def workflow_page(opened: Opened, name: str) -> None:
    """Draw it."""
    definition = find_workflow(opened.workspace, name or DEFAULT_NAME)
    _head(opened, name, definition)
    problems.show_kept(PROBLEM)
    form, graph = st.columns([4, 5], gap="medium")
    with form:
        _run_form(opened, name)
        st.html(f'<div class="a-muted a-sm">Run limits: {limits_line(definition, _most_cost(opened))}.</div>')
        chosen = opened.view.of(WorkflowsView).step or ""
        if chosen in definition.by_id:
            _node(definition, definition.by_id[chosen])
    with graph:
        definition_graph(definition, chosen, lambda id: state.go(WorkflowsView, step=id), place="definition")


def _most_cost(opened: Opened) -> float:
    return opened.services.settings.max_workflow_cost


def _head(opened: Opened, name: str, definition: WorkflowDefinition) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="workflow_head"):
        with st.container(width="stretch"):
            st.html(
                f'<div class="a-big" role="heading" aria-level="2">{text(definition.name)}</div>'
                f'<div class="a-muted">{text(definition.description)}</div>'
            )
        if name:
            st.button(
                "Edit",
                icon=":material/edit:",
                key="workflow_edit",
                on_click=look_at,
                args=(name,),
                kwargs={"is_edited": True},
            )
        st.button(
            "Duplicate",
            icon=":material/content_copy:",
            key="workflow_duplicate",
            help=None if name else "You cannot edit the built-in workflow. Duplicate it, then edit the copy.",
            on_click=problems.attempt,
            args=(PROBLEM, _duplicate, opened, definition.name),
        )
        st.download_button(
            "JSON",
            json.dumps(definition_document(definition), ensure_ascii=False, indent=2),
            f"{definition.name}.json",
            "application/json",
            icon=":material/download:",
            on_click="ignore",
            key="workflow_json",
        )
        if name:
            st.button(
                "Delete",
                icon=":material/delete:",
                key="workflow_delete",
                on_click=state.remember,
                args=(_DELETING, name),
            )
    if name and state.pop(_DELETING) == name:
        _delete(opened, name)


def _duplicate(opened: Opened, name: str) -> None:
    look_at(duplicate_workflow(opened.workspace, name, opened.user.id).name)


@confirm.dialog("Delete this workflow?")
def _delete(opened: Opened, name: str) -> None:
    st.markdown(f"This deletes “{plain(name)}” but keeps its runs and reports.")
    confirm.answers("Delete workflow", _deleted, opened, name)


def _deleted(opened: Opened, name: str) -> None:
    delete_workflow(opened.workspace, name)
    look_at()


def _run_form(opened: Opened, name: str) -> None:
    databases = [one.name for one in warehouse.warehouse(opened.workspace).databases(opened.name)]
    models = ask_actions.model_choices()
    view = opened.view
    with st.form("workflow_form", border=True):
        st.text_area("Goal", key=_GOAL, height=96, placeholder=_EXAMPLE, persist_state="session")
        st.html(
            f'<div class="a-sum"><span class="a-chip">● valid on {dates.named(view.as_of, view.at.as_of)}</span>'
            f'<span class="a-chip a-dashed">○ known on {dates.named(view.known_at, view.at.known_at)}</span>'
            '<span class="a-muted a-sm">Change the dates in the bar above.</span></div>'
        )
        if databases:
            st.selectbox(
                "Database", ["", *databases], key=_DATABASE, format_func=lambda one: one or "Let the workflow choose"
            )
        if len(models) > 1:
            st.selectbox("Model", models, key=_MODEL, format_func=lambda one: one or RULES, persist_state="session")
        else:
            st.html('<div class="a-muted a-sm">No model is set up, so the run is rule-based.</div>')
        st.form_submit_button(
            "Run",
            type="primary",
            icon=":material/play_arrow:",
            key="workflow_run",
            on_click=problems.attempt,
            args=(PROBLEM, _run, opened, name or DEFAULT_NAME),
        )


def _run(opened: Opened, name: str) -> None:
    view, models = state.held(), ask_actions.model_choices()
    chosen = state.remembered(_MODEL)
    begun = workflow_runs(opened.services).start(
        opened.workspace,
        name,
        state.remembered(_GOAL) or "",
        user_id=opened.user.id,
        as_of=view.as_of,
        known_at=view.known_at,
        model=chosen if chosen in models else models[0],
        database=state.remembered(_DATABASE) or "",
    )
    look_at(run=begun.id)


def _node(definition: WorkflowDefinition, node: WorkflowNode) -> None:
    """What a node says in the file."""
    heading(node.title, " ".join(filter(None, [node.id, "·", KINDS[node.type] or node.type])))
    document = next(one for one in definition_document(definition)["nodes"] if one["id"] == node.id)
    st.json(document)
    ways = definition.edges_from[node.id]
    if not ways:
        note("No step follows this one.")
        return
    rows = "".join(
        f"<li>→ <b>{text(definition.by_id[edge.target].title)}</b> "
        f'<span class="a-muted a-code">{text(_condition(edge, len(ways)))}</span></li>'
        for edge in ways
    )
    st.html(f'<ul class="a-ways" aria-label="Ways on">{rows}</ul>')


def _condition(edge: WorkflowEdge, ways: int) -> str:
    if edge.is_error:
        return "on error"
    return f"if {edge.condition}" if edge.condition else "else" if ways > 1 else ""
