"""What did not go in, and what waits to be reviewed."""

import streamlit as st

from components import problems, state
from components.address import View, parameters_of
from components.health.findings import Findings
from components.health.rows import listed, row
from components.ingest import open_review
from components.markup import dotted, text
from services.agent import get_services


def failed(found: Findings) -> None:
    """Items of jobs that did not go in, with why they failed."""
    for item in listed("failed", "Failed", found.failed, "items from this workspace's jobs"):
        problem = text(dotted(item.problem, item.hint))
        with row(f"item_{item.item_id}", "ended", f"<b>{text(item.title)}</b>", problem):
            st.button(
                "Try again",
                key=f"retry_{item.item_id}",
                icon=":material/refresh:",
                on_click=retry,
                args=(item.item_id,),
            )
            st.button("Discard", key=f"let_go_{item.item_id}", type="tertiary", on_click=_cancel, args=(item.item_id,))


def waiting(found: Findings) -> None:
    """Items of jobs whose facts wait for review, which is no fault of theirs."""
    for item in listed("waiting", "To review", found.waiting, "items with unsaved facts"):
        with row(f"item_{item.item_id}", "review", f"<b>{text(item.title)}</b>", "waits for your review on Ingest"):
            if st.button("Review", key=f"review_{item.item_id}", on_click=open_review.open_item, args=(item.item_id,)):
                st.switch_page("Ingest.py", query_params=parameters_of(View(workspace=state.held().workspace)))


@problems.in_toast()
def retry(item_id: str) -> None:
    """Try an item again; for callbacks."""
    jobs = get_services().jobs
    jobs.retry(item_id)
    item = jobs.store.item(item_id)
    job = jobs.get(item.job_id) if item else None
    is_paused = job is not None and job.state == "paused"
    paused = "The job is paused. Resume it on Ingest to try this again."
    st.toast(paused if is_paused else "Asof is trying this item again.", icon=":material/check:")


@problems.in_toast()
def _cancel(item_id: str) -> None:
    get_services().jobs.cancel_item(item_id)
    st.toast("Item discarded. The job list on Ingest still shows it.", icon=":material/check:")
