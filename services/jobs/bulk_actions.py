"""What a job did, or left for review, in one go: taken back, saved as it is ticked, or let go. For the background."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from services.context import OpenWorkspace, Services
from services.core.background import Handle
from services.core.change_records import ChangeSetRecord
from services.core.errors import BadInput, Cancelled
from services.core.job_records import JobItem
from services.core.wording import counted
from services.jobs.documents_job import confirm, discard, reviewed
from services.proposals.graph_diff import diff_against_graph
from services.proposals.proposal_records import Proposal
from services.writing.undoing import undo


@dataclass(frozen=True, slots=True)
class BulkResult:
    """How many changes or items were dealt with, and in words what was left as it is."""

    done: int
    left: tuple[str, ...] = ()


def undoable(workspace: OpenWorkspace, job_id: str) -> tuple[ChangeSetRecord, ...]:
    """The changes of a job that can be undone, newest first."""
    made = workspace.accounts.change_sets.of_job(workspace.name, job_id)
    return tuple(record for record in made if record.can_undo)


def undo_job(workspace: OpenWorkspace, job_id: str, user_id: str | None, handle: Handle) -> BulkResult:
    """Undo all that a job did, newest first, but for what somebody changed since.

    Raises `Cancelled` between two changes, and `WriteFailed` where the graph did not take one; those before it are
    undone then.
    """
    found, done, left = undoable(workspace, job_id), 0, list[str]()
    for number, record in enumerate(found):
        _report(handle, number, len(found))
        try:
            undone = undo(workspace, record.id, user_id)
        except BadInput as problem:  # somebody undid it meanwhile
            left.append(f"{record.title}: {problem}")
        else:
            done += 1
            left += [f"{one.name}: {one.reason}" for one in undone.left]
    return BulkResult(done, tuple(left))


def save_ticked(
    services: Services, job_id: str, edited: Mapping[str, Proposal], user_id: str | None, handle: Handle
) -> BulkResult:
    """Save of each item of a job that waits for review what is ticked, and let the rest of it go.

    `edited` are proposals as this visit was shown them, by the item's id; of the others those that an analyst changed
    count as shown as they were left. What of these somebody else changed since, or the graph would take otherwise by
    now, stays in review. What nobody changed is matched with the graph as the items before left it, and stays in review
    where it would end what is stored. Raises `Cancelled` between two items, and `WriteFailed`.
    """

    def save(item: JobItem) -> None:
        confirm(services, item.id, edited.get(item.id) or _as_left(services, item), user_id)

    return _each_in_review(services, job_id, save, handle)


def discard_all(services: Services, job_id: str, handle: Handle) -> BulkResult:
    """Let go of all that a job left for review; what somebody else decides meanwhile is left as that.

    Raises `Cancelled` between two items.
    """
    return _each_in_review(services, job_id, lambda item: discard(services, item.id), handle)


def _each_in_review(services: Services, job_id: str, act: Callable[[JobItem], object], handle: Handle) -> BulkResult:
    """Act on each item that waits, once, whatever becomes of the others meanwhile; one that is refused is left."""
    job, jobs = services.accounts.jobs.get(job_id), services.accounts.jobs
    total, done, left, last = (job.counts.get("review", 0) if job else 0), 0, list[str](), None
    while found := jobs.items(job_id, ["review"], after=last, limit=1):
        (last,) = found
        _report(handle, done + len(left), total)
        try:
            act(last)
            done += 1
        except BadInput as problem:
            left.append(f"{last.title}: {problem}")
    return BulkResult(done, tuple(left))


def _as_left(services: Services, item: JobItem) -> Proposal:
    """The proposal of an item as an analyst left it; where none changed it, as it stands against the graph by now.

    Raises `BadInput` where what nobody changed would end what is stored.
    """
    job, _, kept = reviewed(services, item.id)
    if kept.is_touched:
        return kept
    proposal = diff_against_graph(services.workspace(job.workspace), kept)
    ended = sum(ending.ticked for ending in proposal.endings)
    if ended:
        raise BadInput(
            f"Saving this item would end {counted(ended, 'stored fact')}.", "Review the item before you save it."
        )
    return proposal


def _report(handle: Handle, done: int, total: int) -> None:
    try:
        handle.report(done, max(done, total))
    except Cancelled as stopped:
        raise Cancelled("Stopped.", f"{done:,} of {counted(total, 'item')} complete.") from stopped
