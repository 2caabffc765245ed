"""Workflows: their graphs, runs from a goal to a reviewed report, reports, comparisons, and the editor."""

from components import link_clicks, shell, state
from components.workflows.page import workflows_page
from components.workflows.workflows_view import WorkflowsView

opened = shell.open_page("Workflows", needs_facts=False, dim_bar=state.view().of(WorkflowsView).run is not None)
shell.needs_anything(opened)
link_clicks.follow()
workflows_page(opened)
