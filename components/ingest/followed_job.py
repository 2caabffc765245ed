"""A job that was started here: queued from the form, then followed on the right until it is read."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from components import problems, state, undo_banner
from components.address import View
from components.ingest import open_review, review
from components.markup import chip, dotted, heading, link, progress_bar, sign, text
from components.shell import Opened
from services import cached
from services.core.change_records import ChangeSetRecord
from services.core.job_records import Job, JobItem, JobKind

_FOLLOWED, _OPENED, _PROBLEM, _REFUSED = "ingest_followed", "ingest_opened", "ingest_problem", "followed_problem"
_FAILED, _ITEMS = 10, 200
_UNSAVED = "nothing is saved yet"


def start_button(
    label: str,
    key: str,
    queue: Callable[..., str],
    *args: object,
    icon: str = ":material/menu_book:",
    disabled: bool = False,
) -> None:
    """The button that queues a job and follows it, and below it why that failed, with all that was typed still there.

    `queue` returns the job's id.
    """
    st.button(
        label,
        type="primary",
        key=key,
        icon=icon,
        disabled=disabled,
        on_click=problems.attempt,
        args=(_PROBLEM, _start, queue, *args),
    )
    problems.show_kept(_PROBLEM)


def _start(queue: Callable[..., str], *args: object) -> None:
    state.remember(_FOLLOWED, queue(*args))
    open_review.close_any()


def forget_problem() -> None:
    """Say no more why nothing was queued: another way in was chosen; for callbacks."""
    state.forget(_PROBLEM)


def forget() -> None:
    """Follow nothing any more; for callbacks."""
    state.forget(_FOLLOWED, _PROBLEM, _REFUSED)


def follows(opened: Opened, kind: JobKind) -> bool:
    """True while a job of that kind is followed."""
    job = _followed(opened)
    return job is not None and job.kind == kind


def pane(opened: Opened) -> bool:
    """Draw how far the followed job is, then its outcome; false where none is followed."""
    job = _followed(opened)
    if job is None:
        return False
    if _open_first(opened, job):
        st.rerun()
    over = job.state != "running"
    is_saved = over or job.options.get("write_at_once")
    heading("Result" if over else "What will change", "" if is_saved else _UNSAVED)
    with st.container(border=True, key="followed"):
        if over:
            _came_of_it(opened, job)
        else:
            _running(opened)
    return True


def _followed(opened: Opened) -> Job | None:
    id = state.remembered(_FOLLOWED)
    job = opened.services.jobs.get(id) if id else None
    return job if job is not None and job.workspace == opened.name else None


@st.fragment(run_every="0.5s")
def _running(opened: Opened) -> None:
    job = _followed(opened)
    if job is None or job.state != "running" or _open_first(opened, job):
        cached.forget_workspaces()
        st.rerun()
    step = text(job.step) or ("queued" if job.started_at is None else "reading")
    words = dotted(f"{job.done:,} of {job.total:,}" if job.total > 1 else "", step)
    st.html(f'<div class="a-busy" role="status">{words}</div>{progress_bar(job.title, job.share)}')
    if job.options.get("extract") == "rules":
        st.caption("Loading the parser; the first text takes a few seconds longer. You can keep working meanwhile.")
    else:
        st.caption("You can keep working meanwhile. The job runs in the background and survives a restart.")


def _open_first(opened: Opened, job: Job) -> bool:
    """Open the job's first item as soon as it waits for review, once; true where that was done."""
    if not job.counts.get("review", 0) or state.remembered(_OPENED) == job.id:
        return False
    first = opened.services.accounts.jobs.items(job.id, ["review"], limit=1)
    if first:
        state.remember(_OPENED, job.id)
        open_review.open_item(first[0].id)
    return bool(first)


def _came_of_it(opened: Opened, job: Job) -> None:
    items = opened.services.accounts.jobs.items(job.id, limit=_ITEMS)
    failed = [item for item in items if item.state == "failed"]
    changed = opened.services.accounts.jobs.changes([job.id]).get(job.id, {})
    there = View(workspace=job.workspace)
    explore = f"<br>{link('Explore', 'Open in Explore', there)}" if any(changed.values()) else ""
    records = opened.services.accounts.change_sets.of_job(opened.name, job.id)
    undone = f" {chip('a-off', '↶ undone')}" if records and all(one.state == "undone" for one in records) else ""
    st.html(
        f'<div class="a-find">{sign("same")}<div><b>{text(job.title)}</b>{undone}<br>'
        f"{text(_summary(job, items, changed))}{explore}</div></div>"
    )
    for item in failed[:_FAILED]:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"failed_{item.id}"):
            st.html(
                f'<div class="a-find">{chip("a-bad", "✕ failed")}<div><b>{text(item.title)}</b> '
                f'{text(item.problem)} <span class="a-muted">{text(item.hint)}</span></div></div>',
                width="stretch",
            )
            st.button(
                "Try again",
                key=f"again_{item.id}",
                type="tertiary",
                icon=":material/replay:",
                on_click=problems.attempt,
                args=(_REFUSED, opened.services.jobs.retry, item.id),
            )
    if len(failed) > _FAILED:
        st.caption(f"And {len(failed) - _FAILED:,} more; see the job list below.")
    problems.show_kept(_REFUSED)
    review.to_review(opened)
    with st.container(horizontal=True, gap="small"):
        if job.state == "paused":
            st.button(
                "Resume",
                key="followed_resume",
                icon=":material/play_arrow:",
                on_click=problems.attempt,
                args=(_REFUSED, opened.services.jobs.resume, job.id),
            )
        _undo(opened, records)
        st.button("Close", key="followed_close", type="tertiary", on_click=forget)


def _undo(opened: Opened, records: Sequence[ChangeSetRecord]) -> None:
    """Draw the button that takes the job's change back; of several, say where each has its own."""
    found = [one for one in records if one.can_undo]
    if len(found) == 1:
        undo_banner.undo_button(opened.name, found[0].id, found[0].title, key="followed_undo", is_new=True)
    elif found:
        st.caption(f"To undo one of these {len(found):,} changes, use its Undo under Changes.")


def _summary(job: Job, items: Sequence[JobItem], changed: Mapping[str, int]) -> str:
    """Say what came of a job."""
    results = [item.result or {} for item in items]
    added, ended = changed.get("added", 0), changed.get("ended", 0)
    cancelled = job.counts.get("cancelled", 0) + (job.left if job.state == "cancelled" else 0)
    waiting = job.left if job.state == "paused" else 0
    same = sum(result.get("document") == "unchanged" for result in results)
    parts = [
        (job.counts.get("done", 0) - same, "done"),
        (same, "already in the graph"),
        (added, "fact added" if added == 1 else "facts added"),
        (ended, "fact ended" if ended == 1 else "facts ended"),
        (job.counts.get("review", 0), "to review"),
        (job.counts.get("failed", 0), "failed"),
        (cancelled, "discarded"),
        (waiting, "waiting: the job is paused"),
    ]
    return " · ".join(f"{number:,} {words}" for number, words in parts if number > 0) or f"The job is {job.state}."


def nothing_yet(opened: Opened, words: str) -> None:
    """The right side before anything was given: what will stand there, and what waits for review."""
    heading("What will change", _UNSAVED)
    st.caption(words)
    review.to_review(opened)
