"""The tool that tells how a job stands, or a proposal of one."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from services.accounts.client_proposals import ProposedCall
from services.core.errors import BadInput
from services.core.job_records import Job
from services.core.json_documents import Json
from services.queries.facts_at import Name
from services.tools.tool import Context, ResultItem, ToolResult

_STATES = {"awaiting_approval": "awaiting_approval", "allowed": "running", "done": "done"}


def get_job(context: Context, id: Annotated[Name, Field(description="The id of a job or a proposal.")]) -> ToolResult:
    """Show the state of a job or a proposal: awaiting_approval, queued, running, done or failed, its progress, and
    what went wrong.

    Use after knowledge_ingest. NOT for the pages of a crawl: use knowledge_crawl_status.
    """
    proposed = context.workspace.accounts.proposed_calls.get(id)
    if proposed is not None and proposed.workspace == context.workspace.name:
        return _of_proposal(context, proposed)
    job = _job(context, id)
    if job is None:
        raise BadInput(f"id: there is no job or proposal “{id[:80]}”.", "Use the id that knowledge_ingest returned.")
    return _result({"id": id, **_of_job(context, job)})


def _of_proposal(context: Context, proposed: ProposedCall) -> ToolResult:
    """A proposal that was allowed stands as its job does."""
    job = _job(context, proposed.id) if proposed.state in ("allowed", "done") else None
    if job is not None:
        return _result({"id": proposed.id, **_of_job(context, job)})
    errors = [proposed.problem or "The user declined the proposal."] if proposed.state not in _STATES else []
    state = _STATES.get(proposed.state, "failed")
    return _result({"id": proposed.id, "state": state, "jobId": None, "progress": 0.0, "errors": errors})


def _job(context: Context, id: str) -> Job | None:
    job = context.workspace.accounts.jobs.get(id)
    return job if job is not None and job.workspace == context.workspace.name else None


def _of_job(context: Context, job: Job) -> Json:
    failed = context.workspace.accounts.jobs.items(job.id, states=("failed",), limit=None)
    errors = [f"{item.title}: {item.problem}" for item in failed]
    return {"state": _state(job, errors), "jobId": job.id, "progress": round(job.share, 3), "errors": errors}


def _state(job: Job, errors: Sequence[str]) -> str:
    if job.state == "running":
        return "queued" if job.started_at is None else "running"
    if job.state == "done":
        return "failed" if errors and len(errors) == job.total else "done"
    return "failed" if job.state == "cancelled" else "queued"


def _result(document: Json) -> ToolResult:
    share = f", {document['progress']:.0%}" if document["state"] == "running" else ""
    line = "\n- ".join([f"{document['id']} is {document['state']}{share}.", *document["errors"]])
    return ToolResult(document, (ResultItem(line),), 1, summary=document["state"], rows=(document,))
