"""A job dealt with as a whole: all that it did undone, or what it left for review saved as it is ticked, or let go."""

import streamlit as st

from components import background_tasks, confirm, problems, sign_in, state, undo_banner
from components.ingest import open_review
from components.markup import counted, lines_below, plain, text
from services import cached
from services.agent import get_services
from services.core.background import Task, Work
from services.core.errors import BadInput
from services.core.job_records import Job
from services.jobs import BulkResult, discard_all, save_ticked, undo_job, undoable

_NAMED = 5
_ASKED = "discard_all_asked"


def buttons(job: Job) -> bool:
    """Draw what can be done about all of a job; true where one was clicked."""
    return any([_save_button(job), _discard_button(job), _undo_button(job)])


def _save_button(job: Job) -> bool:
    waiting = job.counts.get("review", 0)
    return waiting > 1 and st.button(
        f"Save the selected facts of all {waiting:,} reviews",
        key=f"save_all_{job.id}",
        icon=":material/done_all:",
        help="Saves the selected facts of every review and discards the unselected ones. You can undo this.",
        on_click=_save,
        args=(job,),
    )


def _discard_button(job: Job) -> bool:
    waiting = job.counts.get("review", 0)
    return (
        job.state != "running"
        and waiting > 1
        and st.button(
            f"Discard all {waiting:,} reviews",
            key=f"discard_all_{job.id}",
            icon=":material/delete_sweep:",
            type="tertiary",
            on_click=state.remember,
            args=(_ASKED, job),
        )
    )


def _undo_button(job: Job) -> bool:
    if job.state == "running":
        return False
    found = undoable(get_services().workspace(job.workspace), job.id)
    if len(found) == 1:
        return undo_banner.undo_button(job.workspace, found[0].id, found[0].title, key=f"undo_{job.id}")
    return len(found) > 1 and st.button(
        f"Undo all {len(found):,} changes",
        key=f"undo_{job.id}",
        icon=":material/undo:",
        type="tertiary",
        help="Undoes the newest change first. Keeps and lists any records that have changed since then.",
        on_click=_undo,
        args=(job,),
    )


def _save(job: Job) -> None:
    if user := sign_in.current_user():
        services, edited, user_id = get_services(), open_review.edited_of(job.id), user.id or None
        _start(job, f"Saving {job.title}", lambda handle: save_ticked(services, job.id, edited, user_id, handle))


@confirm.dialog("Discard all reviews?")
def _ask(job: Job) -> None:
    """The question before what a job left for review is let go, which nothing brings back but reading it again."""
    st.html(
        f"<div>This discards the facts found in <b>{counted(job.counts.get('review', 0), 'text')}</b> of "
        f"“{text(job.title)}”, including your edits. The graph does not change. "
        "You cannot undo this. To get the facts back, extract them again.</div>"
    )
    confirm.answers("Discard all", _discard, job)


def _discard(job: Job) -> None:
    if sign_in.current_user():
        services = get_services()
        _begin(job, f"Discarding {job.title}", lambda handle: discard_all(services, job.id, handle))
        for item_id in open_review.edited_of(job.id):
            open_review.close(item_id)


def _undo(job: Job) -> None:
    if user := sign_in.current_user():
        workspace, user_id = get_services().workspace(job.workspace), user.id or None
        _start(job, f"Undoing {job.title}", lambda handle: undo_job(workspace, job.id, user_id, handle))


def _start(job: Job, title: str, work: Work) -> None:
    """Begin it; why it cannot begin is said in a toast."""
    if problem := problems.problem_of(lambda: _begin(job, title, work)):
        st.toast(plain(str(problem)), icon=":material/hourglass_top:")


def _begin(job: Job, title: str, work: Work) -> None:
    """Begin it. Raises `BadInput` where something of that kind is under way in the workspace."""
    place = _place(job.workspace)
    if background_tasks.is_running(place):
        raise BadInput("Another change is under way in this workspace.", "Wait until that change is complete.")
    open_review.close_any()
    undo_banner.forget()
    cached.background().start(place, title, work)


def progress(workspace: str) -> None:
    """Draw how far such work is in a workspace and its outcome, and ask before it begins where that was wanted."""
    if asked := state.pop(_ASKED):
        _ask(asked)
    background_tasks.progress(_place(workspace), _outcome)


def _place(workspace: str) -> str:
    return f"jobs of {workspace}"


def _outcome(task: Task) -> str:
    outcome: BulkResult = task.result
    as_it_is = f" · {len(outcome.left):,} left unchanged:" if outcome.left else ""
    return f"{outcome.done:,} done{as_it_is}{lines_below(outcome.left, _NAMED)}"
