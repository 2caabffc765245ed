"""The jobs of a workspace on a page: how far each is, what it changed, and the buttons that steer it."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from components import bulk_job_actions, dates, problems, state
from components.buttons import show_more
from components.ingest import open_review
from components.markup import (
    Cell,
    chip,
    clipped,
    counted,
    dotted,
    heading,
    plain,
    progress_bar,
    table,
    text,
    with_numbers,
)
from components.refreshing import draw_until_done
from services.agent import App, get_services
from services.core import clock
from services.core.job_records import ItemState, Job, JobItem
from services.jobs import Jobs
from services.web import left_out, left_out_in_words

_OPEN, _PROBLEM, _ROOM = "open_job", "job_problem", "jobs_shown"
_LISTED, _ITEMS = 10, 20
_HEAD: tuple[Cell, ...] = (
    ("Job", ""),
    ("State", ""),
    ("Progress", "a-w"),
    ("Added", "a-n"),
    ("Ended", "a-n"),
    ("Corrected", "a-n"),
    ("Started", "a-d"),
)
_NOUNS = {
    "import": ("table", "tables"),
    "documents": ("document", "documents"),
    "crawl": ("page", "pages"),
    "dates": ("document", "documents"),
}
_ITEM_CHIPS = {
    "queued": ("a-off", "waits"),
    "running": ("", "● running"),
    "review": ("a-warn", "? to review"),
    "done": ("a-good", "✓ done"),
    "failed": ("a-bad", "✕ failed"),
    "cancelled": ("a-off", "cancelled"),
}
_TELLING: tuple[ItemState, ...] = ("failed", "review", "running", "cancelled")
"""The states of items that are listed: what is done or waits says nothing by itself."""


def jobs(workspace: str) -> None:
    """The latest jobs of a workspace; while one runs this part of the page follows it, then the page runs again."""
    draw_until_done(
        lambda: _draw(workspace), lambda: any(job.state == "running" for job in _listed(workspace)), every="1s"
    )
    bulk_job_actions.progress(workspace)


def _listed(workspace: str) -> tuple[Job, ...]:
    return get_services().jobs.of(workspace, state.remembered(_ROOM, _LISTED))


def _draw(workspace: str) -> bool:
    """Draw the list; true where a click changed what stands elsewhere on the page."""
    services = get_services()
    found = _listed(workspace)
    if not found:
        return False
    running = sum(job.state == "running" for job in found)
    heading("Jobs", f"{running} running" if running else "")
    changes = services.accounts.jobs.changes([job.id for job in found])
    table([_row(job, changes.get(job.id, {})) for job in found], _HEAD, label="Jobs")
    with st.container(horizontal=True, gap="small", key="job_actions"):
        for job, name in zip(found, with_numbers([job.title for job in found]), strict=True):
            _buttons(job, plain(name), is_telling=bool(changes.get(job.id)))
        if len(found) == state.remembered(_ROOM, _LISTED):
            show_more("jobs_more", _ROOM, len(found) + _LISTED, label="Show more jobs")
    problems.show_kept(_PROBLEM)
    opened = next((job for job in found if job.id == state.remembered(_OPEN)), None)
    return opened is not None and _items(services, opened)


def _row(job: Job, changes: Mapping[str, int]) -> list[Cell]:
    number = "" if job.title.startswith(f"{job.total:,} ") else counted(job.total, *_NOUNS[job.kind])
    number += f" · {left_out_in_words(kept_out)} blocked by robots.txt" if (kept_out := left_out(job.options)) else ""
    numbers: list[Cell] = [(f"{changes.get(kind, 0):,}", "a-n") for kind in ("added", "ended", "corrected")]
    return [
        (
            f'<b>{text(clipped(job.title))}</b> <span class="a-muted">{number}</span>',
            "a-c",
        ),
        (chip(*_stands(job)), "a-nw"),
        (_how_far(job), "a-w"),
        *numbers,
        (dates.seconds_in_utc(job.started_at or job.created_at), "a-d"),
    ]


def _stands(job: Job) -> tuple[str, str]:
    if job.state == "done":
        if failed := job.counts.get("failed", 0):
            return "a-bad", f"✕ {failed:,} failed"
        if waiting := job.counts.get("review", 0):
            return "a-warn", f"? {waiting:,} to review"
        return "a-good", "✓ done"
    if job.state == "running":
        return "", "● running" if job.started_at else "waiting"
    return "a-off", job.state


def _how_far(job: Job) -> str:
    is_running, is_done = job.state == "running", job.state == "done"
    cancelled, failed, waiting = (job.counts.get(kind, 0) for kind in ("cancelled", "failed", "review"))
    left, tokens = job.seconds_left(clock.now()), job.input_tokens + job.output_tokens
    cost = f", ${job.cost:.2f}" if job.cost is not None else ""
    words = dotted(
        f"{job.done:,} of {job.total:,}" if job.total > 1 or not is_running else "",
        f"{cancelled:,} discarded" if cancelled else "",
        f"{waiting:,} to review" if waiting and (failed or not is_done) else "",  # else its chip says so
        text(job.step),
        f"about {_span(left)} left" if is_running and left is not None else "",
        f"{tokens:,} tokens{cost}" if tokens else "",
    )
    progress = words or "starting"
    if job.state not in ("running", "paused"):
        return progress
    return progress + progress_bar(job.title, job.share)


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60):,} min" if seconds < 5400 else f"{seconds / 3600:,.1f} h"


def _buttons(job: Job, title: str, *, is_telling: bool) -> None:
    """The buttons of a job; what they are about stands in their words, since they stand below the table."""
    jobs = get_services().jobs
    if job.state == "running":
        _button(f"Pause {title}", f"pause_{job.id}", ":material/pause:", jobs.pause, job.id)
    if job.state == "paused":
        _button(f"Resume {title}", f"resume_{job.id}", ":material/play_arrow:", jobs.resume, job.id)
    if job.state in ("running", "paused"):
        _button(f"Cancel {title}", f"cancel_{job.id}", ":material/stop:", jobs.cancel, job.id)
    if is_telling or any(job.counts.get(kind, 0) for kind in ("failed", "review", "cancelled")):
        is_open = state.remembered(_OPEN) == job.id
        st.button(
            f"{'Hide' if is_open else 'Show'} {title}",
            key=f"show_{job.id}",
            type="tertiary",
            icon=":material/list:",
            on_click=state.toggle,
            args=(_OPEN, job.id),
        )


def _button(label: str, key: str, icon: str, action: Callable[[str], object], id: str) -> None:
    st.button(label, key=key, icon=icon, type="tertiary", on_click=problems.attempt, args=(_PROBLEM, action, id))


def _items(services: App, job: Job) -> bool:
    """A job as a whole, then its items that say something: which failed and why, and which wait for somebody."""
    found = services.accounts.jobs.items(job.id, _TELLING, limit=_ITEMS)
    total = sum(job.counts.get(kind, 0) for kind in _TELLING)
    heading(job.title, f"showing {len(found):,} of {total:,}" if total > len(found) else "", level=3)
    if found:
        table([_item_row(item) for item in found], [("Item", ""), ("State", ""), ("", "a-w")], label="Items")
    with st.container(horizontal=True, gap="small", key="item_actions"):
        is_whole, is_review = bulk_job_actions.buttons(job), _reviews(found)
        _retries(services.jobs, found)
    return is_whole or is_review


def _item_row(item: JobItem) -> list[Cell]:
    why = f'{text(item.problem)} <span class="a-muted">{text(item.hint)}</span>' if item.problem else ""
    return [(text(clipped(item.title, 60)), "a-c"), (chip(*_ITEM_CHIPS[item.state]), "a-nw"), (why, "a-w")]


def _reviews(found: Sequence[JobItem]) -> bool:
    """The buttons that open what waits for review on top of the page; true where one was clicked."""
    waiting = [item for item in found if item.state == "review"]
    clicked = [
        st.button(
            f"Review {plain(name)}",
            key=f"review_{item.id}",
            type="tertiary",
            icon=":material/checklist:",
            on_click=open_review.open_item,
            args=(item.id,),
        )
        for item, name in zip(waiting, with_numbers([item.title for item in waiting]), strict=True)
    ]
    return any(clicked)


def _retries(jobs: Jobs, found: Sequence[JobItem]) -> None:
    failed = [item for item in found if item.state in ("failed", "cancelled")]
    if len(failed) > 1:
        st.button(
            f"Retry all {len(failed)} items",
            key="retry_all",
            icon=":material/replay:",
            type="tertiary",
            on_click=_retry_all,
            args=(jobs, [item.id for item in failed]),
        )
    for item, name in zip(failed, with_numbers([item.title for item in failed]), strict=True):
        _button(f"Retry {plain(name)}", f"retry_{item.id}", ":material/replay:", jobs.retry, item.id)


def _retry_all(jobs: Jobs, ids: Sequence[str]) -> None:
    for id in ids:
        problems.attempt(_PROBLEM, jobs.retry, id)
