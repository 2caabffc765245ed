"""What can be done about a source: its facts read again, and the whole of it deleted."""

from functools import partial

import streamlit as st

from components import change_preview, confirm, problems, state
from components.fact_actions import deleted, why
from components.ingest.extraction_options import WRITTEN_AT_ONCE, ExtractionOptions, will_take
from components.lazy_containers import draw_when_open
from components.markup import plain, sign, table, text
from components.refreshing import follow_job
from components.shell import Opened
from components.sources.sources_view import SourcesView
from services.agent import get_services
from services.core.job_records import Job
from services.extraction import RULES
from services.jobs import SourceTexts, read_again
from services.llm import models
from services.writing import Scope, corrections

_WHO, _AT_ONCE, _FOLLOWED, _BOX = "again_reader", "again_at_once", "again_job", "again_box"


def buttons(opened: Opened, found: SourceTexts) -> None:
    """Draw them into the current row."""
    if found.document is not None:
        box = st.popover("Extract again", icon=":material/auto_stories:", key=_BOX, on_change="rerun")
        draw_when_open(box, _again, opened, found)
    if st.button("Delete", key="delete_source", icon=":material/delete:", help="Delete the source with its facts"):
        _delete(opened.name, found)


def _again(opened: Opened, found: SourceTexts) -> None:
    readers = (RULES, *models(opened.services.settings))
    who = st.selectbox(
        "Extract with",
        readers,
        key=_WHO,
        width=300,
        format_func=lambda name: "Rule-based (no model)" if name == RULES else plain(name),
    )
    if who != RULES:
        st.toggle("Save without review", key=_AT_ONCE, help=WRITTEN_AT_ONCE)
    will_take(ExtractionOptions(who if who in readers else RULES), [len(found.episode.content)])
    st.caption("Facts already in the graph stay there.")
    st.button("Extract facts", key="read_again", type="primary", on_click=_read, args=(opened, found))


@problems.in_toast()
def _read(opened: Opened, found: SourceTexts) -> None:
    state.remember(_BOX, False)
    who = state.remembered(_WHO) or RULES
    at_once = who != RULES and bool(state.remembered(_AT_ONCE))
    job = read_again(opened.workspace, found, who, write_at_once=at_once, user_id=opened.user.id or None)
    state.remember(_FOLLOWED, (found.key, job))


def followed(opened: Opened, found: SourceTexts) -> None:
    """Draw how far a reading is that was asked for here, then its outcome."""
    key, job_id = state.remembered(_FOLLOWED, ("", ""))
    if key == found.key:
        follow_job(job_id, partial(_reading, opened), every="0.5s")


def _reading(opened: Opened, job: Job | None) -> None:
    if job is not None and job.state == "running":
        step = text(job.step) if job.step else "queued"
        st.html(f'<div class="a-note a-info" role="status"><span class="a-busy">Extracting facts: {step}</span></div>')
    elif job is not None:
        _came_of_it(opened, job.id)


def _came_of_it(opened: Opened, job_id: str) -> None:
    (item, *_) = opened.services.accounts.jobs.items(job_id) or (None,)
    if item is None or item.state in ("review", "failed"):  # the banner below says these
        return
    result = item.result or {}
    parts = [(result.get("added", 0), "facts added"), (result.get("ended", 0), "facts ended")]
    outcome = " · ".join(f"{number:,} {words}" for number, words in parts if number) or "no new facts found"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="again_done"):
        words = (
            f"Done: {outcome}."
            if item.state == "done"
            else "Someone cancelled the job on Ingest before it finished. To retry, use “Extract again”."
        )
        st.html(f'<div class="a-find">{sign("same")}<div>{words}</div></div>', width="stretch")
        st.button("Close", key="again_close", type="tertiary", on_click=state.forget, args=(_FOLLOWED,))


@confirm.dialog("Delete this source and its facts?", width="medium")
def _delete(workspace: str, found: SourceTexts) -> None:
    """Draw what would be deleted and what would stay."""
    asked = (
        Scope(documents=frozenset({found.document.id}))
        if found.document
        else Scope(episodes=frozenset({found.episode.uuid}))
    )
    with change_preview.being_made():
        going = corrections.preview_delete(get_services().workspace(workspace), asked)
    st.html(f"<div><b>{text(found.title)}</b></div>")
    change_preview.going(going)
    if going.facts_kept:
        st.caption("Facts kept because another source supports them:")
        table(
            [[(text(" ".join(change_preview.words_of(fact))), "a-w")] for fact in going.facts_kept[:6]],
            label="Kept facts",
        )
    why(found.episode.uuid)
    confirm.answers("Delete", _deleted, workspace, found, asked, going)


def _deleted(workspace: str, found: SourceTexts, asked: Scope, going: corrections.DeletionScope) -> None:
    deleted(workspace, found.title, asked, going, found.episode.uuid)
    state.update(SourcesView, source=None, fact=None)
