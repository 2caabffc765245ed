"""Facts whose texts are read to say other dates by now: looked for on a button, corrected all at once or some."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from components import confirm, dates, problems, state
from components.health.findings import dismissals, keys_of, limit_of
from components.health.rows import fact_words, it_is_right, more_of, row, section, source_words
from components.markup import counted, dotted, progress_bar, text
from components.refreshing import draw_until_done
from components.shell import Opened
from services import cached
from services.agent import get_services
from services.core.health_records import DatesRead
from services.core.job_records import Job
from services.core.models import Fact
from services.jobs import latest_reading, read_dates_again
from services.mirror import Mirror
from services.writing import corrections

_NAME, _NOTE = "dates", "facts whose dates differ from those in their sources"


def dates_again(opened: Opened) -> None:
    """Draw the button that has the dates read again, how far that is, and what it found."""
    draw_until_done(lambda: _draw(opened), lambda: _runs(latest_reading(opened.workspace)), every="1s")


def _runs(job: Job | None) -> bool:
    return job is not None and job.state == "running"


def _draw(opened: Opened) -> None:
    job = latest_reading(opened.workspace)
    found = _left(opened, job) if job else ()
    section(_NAME, "Dates to correct", len(found), _NOTE)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="dates_again"):
        st.html(f'<div class="a-muted a-sm">{_outcome(job, found)}</div>', width="stretch")
        if job is not None and _runs(job):
            now = get_services().jobs.get(job.id) or job
            step = text(now.step or "queued")
            st.html(f'<div class="a-busy a-sm" role="status">{step}</div>{progress_bar(now.title, now.share)}')
            st.button("Cancel", key="stop_reading_dates", on_click=_cancel, args=(job.id,))
        else:
            st.button(
                "Check dates",
                key="read_dates_again",
                icon=":material/event_repeat:",
                on_click=_read,
                args=(opened,),
            )
    if found:
        _list(opened, found)


def _outcome(job: Job | None, found: Sequence[DatesRead]) -> str:
    if job is None:
        return (
            "Compares each fact's dates with those in its sources. Nothing changes until you choose dates to correct."
        )
    failed = job.counts.get("failed", 0)
    agree = "" if found or _runs(job) else "all dates match"
    return dotted(
        f"{job.done:,} of {counted(job.total, 'document')} checked", f"{failed:,} failed" if failed else "", agree
    )


def _left(opened: Opened, job: Job) -> tuple[DatesRead, ...]:
    """What the last reading found, without what was corrected or seen as right since."""
    dismissed = set(keys_of(dismissals(opened.workspace), "dates"))
    return tuple(read for read in cached.dates_found(opened.name, job) if read.key not in dismissed)


def _list(opened: Opened, found: Sequence[DatesRead]) -> None:
    shown = found[: limit_of(_NAME)]
    facts = {f.uuid: f for f in cached.ask(Mirror.facts, opened.name, tuple(read.fact_uuid for read in shown))}
    for read in shown:
        if fact := facts.get(read.fact_uuid):
            _finding(opened.name, fact, read)
    more_of(_NAME, len(found))
    chosen = [read for read in found if state.remembered(_box(read), True)]
    if st.button(f"Correct {counted(len(chosen), 'fact')}…", key="redate", type="primary", disabled=not chosen):
        _redate(opened.name, chosen)


def _finding(workspace: str, fact: Fact, read: DatesRead) -> None:
    after = replace(
        fact,
        valid_at=read.valid_at,
        invalid_at=read.invalid_at,
        expired_at=fact.expired_at if read.ended_unknown else None,
        valid_at_precision=read.valid_at_precision,
        invalid_at_precision=read.invalid_at_precision,
        ended_unknown=read.ended_unknown,
    )
    span = f'<span class="a-old">{dates.fact_span(fact)}</span> {dates.fact_span(after)}'
    about = dotted(span, source_words(workspace, fact.episodes))
    with row(f"dates_{read.fact_uuid}", "review", fact_words(workspace, fact), about):
        state.remember(_box(read), state.remembered(_box(read), True))
        st.checkbox("Correct", key=_box(read))
        it_is_right(workspace, "dates", read.key)


def _box(read: DatesRead) -> str:
    return f"redate_{read.fact_uuid}"


@problems.in_toast()
def _read(opened: Opened) -> None:
    read_dates_again(opened.workspace, user_id=opened.user.id or None)


@problems.in_toast()
def _cancel(job_id: str) -> None:
    get_services().jobs.cancel(job_id)


@confirm.dialog("Correct dates", width="medium")
def _redate(workspace: str, chosen: Sequence[DatesRead]) -> None:
    confirm.correction(
        "Correct",
        workspace,
        "History is kept: set “as known on” to an earlier date to see the old dates. You can undo this.",
        lambda: corrections.preview_redating(get_services().workspace(workspace), chosen),
        lambda opened, user: corrections.redate(opened, chosen, user_id=user),
    )
