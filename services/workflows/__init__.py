"""Workflows: from a question to a reviewed report, as nodes and edges in JSON, run by LangGraph."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.accounts.workflow_runs import WorkflowRun, WorkflowStep
    from services.workflows.definition import (
        WorkflowDefinition,
        WorkflowEdge,
        WorkflowLimits,
        WorkflowNode,
        definition_document,
    )
    from services.workflows.in_conversation import WORKFLOW_CALL, conversation_goal, workflow_answer
    from services.workflows.library import (
        DEFAULT_NAME,
        WorkflowEntry,
        builtin_workflow,
        delete_workflow,
        duplicate_workflow,
        find_workflow,
        list_workflows,
        save_workflow,
    )
    from services.workflows.report_changes import ReportChanges
    from services.workflows.report_export import report_html, report_markdown
    from services.workflows.reports import ReportSection, WorkflowReport
    from services.workflows.run_records import NodeState, RunComparison, RunMetrics, RunTrace
    from services.workflows.runs import WorkflowRuns, workflow_runs
    from services.workflows.validation import read_definition, workflow_problems
    from services.workflows.workflow_shape import WorkflowProblem
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "DEFAULT_NAME",
    "WORKFLOW_CALL",
    "NodeState",
    "ReportChanges",
    "ReportSection",
    "RunComparison",
    "RunMetrics",
    "RunTrace",
    "WorkflowDefinition",
    "WorkflowEdge",
    "WorkflowEntry",
    "WorkflowLimits",
    "WorkflowNode",
    "WorkflowProblem",
    "WorkflowReport",
    "WorkflowRun",
    "WorkflowRuns",
    "WorkflowStep",
    "builtin_workflow",
    "conversation_goal",
    "definition_document",
    "delete_workflow",
    "duplicate_workflow",
    "find_workflow",
    "list_workflows",
    "read_definition",
    "report_html",
    "report_markdown",
    "save_workflow",
    "workflow_answer",
    "workflow_problems",
    "workflow_runs",
]
