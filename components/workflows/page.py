"""The Workflows page: the lists beside a workflow, a run, two runs, or the editor."""

import streamlit as st

from components import problems
from components.shell import Opened
from components.workflows.compare_runs import compare_runs
from components.workflows.definition_editor import definition_editor
from components.workflows.run_page import run_page
from components.workflows.side_lists import side_lists
from components.workflows.workflow_page import workflow_page
from components.workflows.workflows_view import WorkflowsView


def workflows_page(opened: Opened) -> None:
    """Draw the page."""
    view = opened.view.of(WorkflowsView)
    side, main = st.columns([1, 3.6], gap="medium")
    with side, st.container(key="workflow_side"), problems.guarded():
        side_lists(opened)
    with main, problems.guarded():
        if view.is_edited:
            definition_editor(opened, view.workflow)
        elif view.run and view.before:
            compare_runs(opened, view.before, view.run)
        elif view.run:
            run_page(opened, view.run)
        else:
            workflow_page(opened, view.workflow)
