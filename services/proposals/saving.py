"""Proposals on their way from review into the graph."""

import threading
import uuid
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from services.context import OpenWorkspace, Services
from services.core import clock
from services.core.change_records import Origin
from services.core.errors import BadInput
from services.core.job_records import ItemEnd, Job, JobItem
from services.documents.versions import NewDocument
from services.proposals.graph_diff import diff
from services.proposals.graph_snapshot import snapshot_for
from services.proposals.proposal_edit import check_as_shown, edit_of_proposal, left_of
from services.proposals.proposal_records import Proposal, document_of, proposal_of
from services.writing.change_sets import writing
from services.writing.documents import PreparedDocuments, prepare_documents, title_for
from services.writing.edits import Edit

_NO_REVIEW = BadInput("This item is not waiting for review.", "Check the job list.")
_MOVED = BadInput("Someone else changed this review.", "Reload the review and continue from there.")


def review_of(document: NewDocument, proposal: Proposal, result: Mapping[str, Any]) -> dict[str, Any]:
    """What an item keeps for review: all that writing it takes. `result` is what else its result says."""
    return {
        **result,
        "document_id": document.id,
        "held": _held(proposal),
        "text": {
            "title": document.title,
            "format": document.format,
            "path": document.path,
            "thread": document.thread,
            "reference_time": clock.spell(document.reference_time) if document.reference_time else "",
            "tags": list(document.tags),
        },
        "proposal": document_of(_revised(proposal, is_touched=False)),
    }


def _revised(proposal: Proposal, *, is_touched: bool) -> Proposal:
    return replace(proposal, revision=uuid.uuid4().hex, is_touched=is_touched)


def _held(proposal: Proposal) -> int:
    return len(proposal.facts) + sum(ending.by is None for ending in proposal.endings)


def reviewed(services: Services, item_id: str) -> tuple[Job, JobItem, Proposal]:
    """What of an item waits for review, with its job. Raises `BadInput` where nothing does."""
    job, item = _waiting(services, item_id)
    return job, item, proposal_of((item.result or {})["proposal"])


def _waiting(services: Services, item_id: str) -> tuple[Job, JobItem]:
    item = services.accounts.jobs.item(item_id)
    job = services.accounts.jobs.get(item.job_id) if item else None
    if item is None or job is None or item.state != "review" or not (item.result or {}).get("proposal"):
        raise _NO_REVIEW
    return job, item


def keep(services: Services, item_id: str, proposal: Proposal) -> Proposal:
    """Keep a proposal with its item as the analyst left it, for whoever looks at it next; nothing is decided yet.

    Returns it with its new revision. Raises `BadInput` where nothing of the item waits for review, or what waits is not
    what the analyst began with.
    """
    _, item = _waiting(services, item_id)
    was = dict(item.result or {})
    if was["proposal"].get("revision", "") != proposal.revision:
        raise _MOVED
    kept = _revised(proposal, is_touched=True)
    result = {**was, "held": _held(kept), "proposal": document_of(kept)}
    if not services.accounts.jobs.revise(item.id, result, was=was):
        raise _MOVED
    return kept


def confirm(services: Services, item_id: str, proposal: Proposal, user_id: str | None = None) -> str | None:
    """Write what is ticked of a reviewed proposal, with its document; what is not ticked is let go.

    Returns the change-set's id, None where the graph had it all. Raises `BadInput` where the item no longer waits for
    review, somebody else changed what waits, or the graph has changed, so that it would do otherwise than the proposal
    says, and `WriteFailed`.
    """
    job, item, kept = reviewed(services, item_id)
    if kept.revision != proposal.revision:
        raise _MOVED
    result = dict(item.result or {})
    change_set_id, _ = write(
        services.workspace(job.workspace),
        replace(job, user_id=user_id or job.user_id),
        _document_again(result, proposal),
        proposal,
        ItemEnd(item.id, "done", result, was=result),
        read_at=item.finished_at or clock.now(),
    )
    return change_set_id


def discard(services: Services, item_id: str) -> None:
    """Let go of what waits for review, readable or not; what was written of the text before stays.

    Raises `BadInput` where nothing waits, or somebody else changed what does.
    """
    _, item = _waiting(services, item_id)
    state: Literal["done", "cancelled"] = "done" if item.change_set_id else "cancelled"
    services.accounts.jobs.end([ItemEnd(item.id, state, {**_without_review(item.result), "held": 0}, was=item.result)])


def _without_review(result: Mapping[str, Any] | None) -> dict[str, Any]:
    return {key: value for key, value in (result or {}).items() if key not in ("proposal", "text")}


def _document_again(result: Mapping[str, Any], proposal: Proposal) -> NewDocument:
    text = result["text"]
    dated = clock.parse_instant(text["reference_time"]) if text["reference_time"] else None
    return NewDocument(
        result["document_id"],
        proposal.source.text,
        text["title"],
        text["format"],
        text["path"],
        dated,
        text["thread"],
        tuple(text["tags"]),
    )


def write(
    workspace: OpenWorkspace,
    job: Job,
    document: NewDocument,
    proposal: Proposal,
    end: ItemEnd,
    cancel: threading.Event | None = None,
    *,
    read_at: datetime | None = None,
) -> tuple[str | None, ItemEnd]:
    """Write what is ticked with the document by one change-set, which ends the item.

    `read_at` is when a text was read that was reviewed since: then what is not ticked is let go, and of a document that
    has a later version by now only the facts and their episode go in. Without it what is not ticked is kept with the
    item for review. Raises `BadInput` for a text that cannot be taken in and for a review of what changed since,
    `Cancelled`, and `WriteFailed`.
    """
    with writing(workspace, cancel) as writer:
        workspace.sync()
        snapshot = snapshot_for(workspace, proposal)
        shown, proposal = proposal, diff(proposal, snapshot)
        if read_at is not None:
            check_as_shown(shown, proposal, snapshot.stored.facts)
        ready = prepare_documents(workspace, [document], cancel)
        if ready.problems:
            raise BadInput(ready.problems[0][1])
        episode_uuid = ready.episode_uuids[document.id]
        if read_at is not None and _has_later_version(workspace, document.id, read_at):
            ready = replace(ready, documents=(), embeddings={})
        edit, counts = edit_of_proposal(workspace, proposal, ready.edit, episode_uuid)
        end = _ended(end, document, proposal, ready, edit, counts, is_reviewed=read_at is not None)
        if edit == Edit(embeddings=ready.embeddings):
            workspace.accounts.jobs.end([end])
            return None, end
        title = title_for(ready.documents) if ready.documents else document.title or document.id
        origin = Origin("text", job.user_id, job.id, end.item_id, (document.id,))
        return writer.apply(edit, title=title, origin=origin, ends=[end]), end


def _has_later_version(workspace: OpenWorkspace, id: str, read_at: datetime) -> bool:
    held = workspace.mirror.documents_by_id([id]).get(id)
    return held is not None and held.updated_at is not None and held.updated_at > read_at


def _ended(
    end: ItemEnd,
    document: NewDocument,
    proposal: Proposal,
    ready: PreparedDocuments,
    edit: Edit,
    counts: Mapping[str, int],
    *,
    is_reviewed: bool,
) -> ItemEnd:
    """The item's end, with what it did and what of it waits."""
    result = _without_review(end.result) | document_summary(document, ready)
    result |= {"drafts": max(result.get("drafts", 0), len(proposal.facts)), "held": 0}
    for name in ("added", "ended", "corrected", "source"):
        result[name] = result.get(name, 0) + counts.get(name, 0)
    left = left_of(proposal, edit)
    if not is_reviewed and _held(left):
        return replace(end, state="review", result=review_of(document, left, result))
    return replace(end, state="done", result=result)


def document_summary(document: NewDocument, ready: PreparedDocuments) -> dict[str, Any]:
    """What an item tells of its document: whether it is new, and in how many chunks it went in."""
    whole = next((one for one in ready.documents if one.document.id == document.id), None)
    if whole is None:
        return {"document": "unchanged", "document_id": document.id, "chunks": 0}
    new = whole.document.created_at == whole.document.updated_at
    return {"document": "new" if new else "changed", "document_id": document.id, "chunks": len(whole.chunks)}
