"""What of a source did not go in: why it failed, or that it waits for review; and the buttons for either."""

import streamlit as st

from components.address import View, parameters_of
from components.health.unfinished_items import retry
from components.ingest import open_review
from components.markup import chip, counted, link, note, text
from components.search.document import reader
from components.shell import Opened
from components.sources.source_table import CHIPS
from components.sources.source_text import MOST, part
from services.core.job_records import JobItem
from services.core.source_records import Unfinished
from services.documents import pieces


def banner(opened: Opened, item: Unfinished) -> None:
    """Draw what is to be said of an item, with its buttons."""
    if item.state == "failed":
        note(f"<b>{text(item.problem or 'It failed.')}</b> {text(item.hint)}", "")
    else:
        held = (getattr(opened.services.accounts.jobs.item(item.item_id), "result", None) or {}).get("held", 0)
        lines = f"{counted(held, 'proposed fact')} {'waits' if held == 1 else 'wait'}"
        found = f"{lines} for your review." if held else "Waiting for your review. Asof proposed no facts."
        note(f"<b>{found}</b> Nothing is saved yet.", "a-warn")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="source_item"):
        if item.state == "failed":
            st.button("Try again", key="item_retry", icon=":material/refresh:", on_click=retry, args=(item.item_id,))
        elif st.button(
            "Review", key="item_review", type="primary", on_click=open_review.open_item, args=(item.item_id,)
        ):
            st.switch_page("Ingest.py", query_params=parameters_of(View(workspace=opened.name)))
        st.html(link("Ingest", "See the job on Ingest", View(workspace=opened.name), css="a-jobs"), width="content")


def item_of(opened: Opened, id: str) -> JobItem | None:
    """Return the item of a job of this workspace, if there is one of that id."""
    item = opened.services.accounts.jobs.item(id)
    job = opened.services.jobs.get(item.job_id) if item else None
    return item if job is not None and job.workspace == opened.name else None


def alone(opened: Opened, key: str, item: Unfinished | None) -> bool:
    """Draw an item whose text is not in the graph; false where there is none of that id."""
    kept = item_of(opened, item.item_id if item else key)
    if kept is None:
        return False
    stands = CHIPS[item.state] if item else ("a-off", {"queued": "waiting"}.get(kept.state, kept.state))
    st.html(
        f'<div class="a-title"><span class="a-big" role="heading" aria-level="2">{text(kept.title)}</span>'
        f'{chip(*stands)}</div><div class="a-muted a-sm">not in the graph yet</div>'
    )
    if item is not None:
        banner(opened, item)
    proposal = (kept.result or {}).get("proposal") or {}
    content = str(kept.payload.get("text") or (proposal.get("source") or {}).get("text") or "")
    if content.strip():
        with st.container(key="source_text"):
            reader(key="source_reader", data=part(kept.id, content, pieces(content, MOST)[0]))
    return True
