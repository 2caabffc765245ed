"""The tool that runs a workflow to its end and gives its report."""

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from services.core.wording import counted
from services.queries.facts_at import Name
from services.tools.tool import Context, ResultItem, Tool, ToolResult

if TYPE_CHECKING:
    from services.core.answer_records import Evidence
    from services.workflows.reports import WorkflowReport


def run_workflow(
    context: Context,
    name: Annotated[Name, Field(description="The workflow's name; “default” turns a goal into a reviewed report.")],
    goal: Annotated[Name, Field(description="What to find out or write, in plain words.")],
) -> ToolResult:
    """Run a workflow to its end: it searches, writes a report, reviews it, and checks each sentence.

    Use this when a whole report is requested. It takes longer than any other tool. NOT for a single question: use the
    lookup tools for that.
    """
    from services.workflows.run_records import step_document
    from services.workflows.runs import workflow_runs
    from services.workflows.step_context import read_found

    workspace = context.workspace
    runs = workflow_runs(workspace.services)
    begun = runs.start(
        workspace,
        name,
        goal,
        user_id=context.user_id,
        as_of=context.as_of,
        known_at=context.known_at,
        model=context.model,
    )
    runs.wait(begun.id)
    trace = runs.trace(begun.id)
    report, run = trace.report, trace.run
    found = read_found(workspace.accounts.workflow_runs, run.id)
    document = {
        "report": report.answer.text if report else None,
        "title": report.title if report else None,
        "state": run.state,
        "run": run.id,
        "problem": run.problem,
        "made_by": report.made_by if report else "",
        "trace": [step_document(step) for step in trace.steps],
    }
    items = _items(report, found) if report else ()
    return ToolResult(
        document,
        items,
        len(items),
        heading=f"Report of the workflow “{run.name}” ({run.state}, {report.made_by}): {report.title}"
        if report
        else "",
        message=f"The workflow wrote no report ({run.state}). {run.problem} {run.hint}".strip(),
        truncation="The report has {total} sentences; open the run to read them all.",
        summary=f"{counted(len(trace.steps), 'step')}, {run.state}",
    )


def _items(report: "WorkflowReport", found: "tuple[Evidence, ...]") -> tuple[ResultItem, ...]:
    """The sentences that state something, each with the record that bears it out."""
    by_number = {one.n: one for one in found}
    items = []
    for sentence in report.answer.sentences:
        if sentence.mark is None:
            continue
        cited = [by_number[n] for n in sentence.citations if n in by_number]
        fact = next((one.fact for one in cited if one.fact is not None), None)
        passage = next((one for one in cited if one.chunk is not None), None) if fact is None else None
        doubt = "" if sentence.mark == "supported" else f" ({sentence.mark})"
        items.append(
            ResultItem(
                f"- {sentence.text}{doubt}",
                fact,
                passage.chunk if passage else None,
                passage.document if passage else None,
                (fact.source, fact.target) if fact else (),
            )
        )
    return tuple(items)


RUN_WORKFLOW = Tool("compute", run_workflow)
"""Registered by `bootstrap`, since the registry is below this package."""
