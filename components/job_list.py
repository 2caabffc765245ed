"""Background jobs on a page: how far each is, a button that stops it, and what came of it."""

from collections.abc import Callable

import streamlit as st

from components import dates, markup
from components.markup import plain, text
from services import cached, clock
from services.bootstrap import get_services
from services.jobs import Handle, Job

_CHIPS = {
    "running": ("", "● running"),
    "done": ("a-good", "✓ done"),
    "failed": ("a-bad", "✕ failed"),
    "stopped": ("a-off", "stopped"),
}
Outcome = Callable[[Job], str]


def start_demo(workspace: str, *, reset: bool) -> None:
    """Begin to load the demo, unless it is being loaded already."""
    from services.ingestion.demo import LABEL, label_workspace, load_demo

    def work(handle: Handle) -> object:
        return load_demo(get_services(), handle.report, reset, cancel=handle.cancelled)

    if any(job.state == "running" for job in cached.jobs().of(workspace)):
        return
    label_workspace(get_services())
    cached.jobs().start(workspace, LABEL, work)


def progress(workspace: str, outcome: Outcome | None = None) -> None:
    """The jobs of a workspace; while one runs this part of the page follows it, then the page runs again."""
    if any(job.state == "running" for job in cached.jobs().of(workspace)):
        _followed(workspace, outcome)
    else:
        _drawn(workspace, outcome)


@st.fragment(run_every="0.7s")
def _followed(workspace: str, outcome: Outcome | None) -> None:
    _drawn(workspace, outcome)
    if not any(job.state == "running" for job in cached.jobs().of(workspace)):
        cached.forget_workspaces()
        st.rerun()


def _drawn(workspace: str, outcome: Outcome | None) -> None:
    jobs = cached.jobs().of(workspace)
    if not jobs:
        return
    head = [("Job", ""), ("State", ""), ("Progress", "a-w"), ("Started", "a-d")]
    markup.table([_row(job, outcome) for job in jobs], head, label="Jobs")
    for job in jobs:
        if job.state == "running":
            st.button(
                f"Stop {plain(job.title)}", key=f"stop_{job.id}", icon=":material/stop:", on_click=_stop, args=(job.id,)
            )


def _stop(job_id: str) -> None:
    cached.jobs().stop(job_id)


def _row(job: Job, outcome: Outcome | None) -> list[markup.Cell]:
    css, word = _CHIPS[job.state]
    chip = f'<span class="a-chip {css}">{word}</span>'
    return [
        (f"<b>{text(job.title)}</b>", "a-nw"),
        (chip, "a-nw"),
        (_how_far(job, outcome), "a-w"),
        (dates.in_utc(job.started_at), "a-d"),
    ]


def _how_far(job: Job, outcome: Outcome | None) -> str:
    if job.problem:
        return f"{text(job.problem.message)} <span class='a-muted'>{text(job.problem.hint)}</span>"
    if job.state == "done":
        return outcome(job) if outcome else ""
    left = job.seconds_left(clock.now())
    words = f"{job.done:,} of {job.total:,}" if job.total else "starting"
    pace = f" · about {max(1, round(left)):,} s left" if left is not None else ""
    percent = round(job.share * 100)
    return (
        f"{text(job.step)} {words}{pace}"
        f'<div class="a-bar" role="progressbar" aria-label="{text(job.title)}" aria-valuenow="{percent}" '
        f'aria-valuemin="0" aria-valuemax="100"><i style="width:{percent}%"></i></div>'
    )
