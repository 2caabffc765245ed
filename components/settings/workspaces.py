"""The workspaces: open, rename, empty, delete, make one; and the demo."""

import streamlit as st

from components import background_tasks, confirm, problems, shell, state
from components.markup import counted, heading, plain, text
from services import cached
from services.agent import App
from services.context import OpenWorkspace
from services.core.errors import AsofError, BadInput
from services.writing import workspaces

_PROBLEM = "workspace_problem"


def partitions(opened: shell.Opened) -> None:
    """The workspaces: open, rename, empty, delete, make one; and the demo."""
    heading("Workspaces", "Labels can be renamed; the internal name is fixed.")
    services = opened.services
    for workspace, counts in workspaces.with_counts(services):
        held = f"{counted(counts.facts, 'fact')}, {counted(counts.entities, 'entity', 'entities')}" if counts else "—"
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"ws_{workspace.name}"):
            named = f'<span class="a-code a-muted">{text(workspace.name) or "(empty name)"}</span>'
            st.html(
                f'<b>{text(workspace.label)}</b> {named}<br><span class="a-muted a-sm">{held}</span>', width="content"
            )
            st.space("stretch")
            _buttons(services.workspace(workspace.name), workspace.label, is_open=workspace.name == opened.name)
    with (
        st.form("new_workspace", border=False),  # Enter in a field creates it
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        st.text_input("New workspace label", key="new_label", placeholder="Team memory", width=220)
        st.text_input(
            "Internal name",
            key="new_name",
            placeholder="team-memory",
            width=200,
            help="The name in the graph database (Graphiti's group_id). You cannot change it later.",
        )
        st.form_submit_button(
            "Create", key="create_workspace", on_click=problems.attempt, args=(_PROBLEM, _create, services)
        )
    problems.show_kept(_PROBLEM)
    _demo()


def _buttons(workspace: OpenWorkspace, label: str, *, is_open: bool) -> None:
    name = workspace.name
    st.button(
        "Open",
        key=f"open_{name}",
        disabled=is_open,
        on_click=state.open_workspace,
        args=(name,),
    )
    if st.button("Rename", key=f"rename_{name}", type="tertiary"):
        _rename(workspace, label)
    if st.button("Empty", key=f"empty_{name}", type="tertiary"):
        _destroy(workspace, label, "Empty")
    default = name == workspace.graph.default_workspace
    if st.button(
        "Delete",
        key=f"delete_{name}",
        type="tertiary",
        disabled=default,
        help="You can empty the default workspace, but not delete it." if default else None,
    ):
        _destroy(workspace, label, "Delete")


def _create(services: App) -> None:
    # Read here: arguments of a button are those of the run that drew it, which may be older than what was typed.
    label, name = state.remembered("new_label", ""), state.remembered("new_name", "")
    name = (name or label.strip().lower().replace(" ", "-")).strip()
    workspaces.create(services, name, label)
    cached.forget_workspaces()
    state.remember("new_label", "")
    state.remember("new_name", "")
    state.open_workspace(name)


@confirm.dialog("Rename workspace")
def _rename(workspace: OpenWorkspace, label: str) -> None:
    st.text_input("Label", label, key="new_label_of", help="The internal name stays the same.")
    confirm.answers("Rename", lambda: workspaces.rename(workspace, state.remembered("new_label_of", "")))


@confirm.dialog("Delete everything in this workspace?")
def _destroy(workspace: OpenWorkspace, label: str, action: str) -> None:
    """The second question: what goes, in counts, and the name typed out."""
    counts = workspaces.counts(workspace)
    if counts is None:
        problems.show(AsofError("The graph is not responding.", "Try again once the graph responds."))
        return
    st.markdown(
        f"This deletes {counted(counts.facts, 'fact')}, {counted(counts.entities, 'entity', 'entities')} and "
        f"{counted(counts.episodes, 'source')} of **{plain(label)}** from the graph. You cannot undo this."
    )
    st.text_input(f"Type “{plain(workspace.name)}” to continue", key="typed_name")
    confirm.answers(action, _gone, workspace, action)


def _gone(workspace: OpenWorkspace, action: str) -> None:
    if state.remembered("typed_name") != workspace.name:
        raise BadInput("Asof deleted nothing.", f"Type “{workspace.name}” first.")
    if action == "Empty":
        workspaces.empty(workspace)
    else:
        workspaces.delete(workspace)
        if state.held().workspace == workspace.name:
            state.open_workspace(None)


def _demo() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html('<span class="a-muted">Restore the demo to its original state.</span>', width="content")
        st.button(
            "Reset the demo",
            key="reset_demo",
            on_click=shell.load_demo,
            kwargs={"reset": True},
            help="Deletes everything in the workspace peps and reloads the demo.",
        )
    background_tasks.progress(shell.DEMO)
