"""What goes into the graph: the ways in on the left, what will change on the right, jobs and changes below."""

import streamlit as st

from components import job_list, link_clicks, shell, state
from components.ingest import (
    changes,
    fact_form,
    files_form,
    followed_job,
    open_review,
    review,
    table_form,
    text_form,
    web_form,
)
from components.ingest.ingest_view import WAYS, IngestView

FACT, TEXT, MESSAGES, FILES, WEB, TABLE = WAYS
FIRST_FACT = "Fill in the form and press “Preview changes”. The graph changes only when you press “Save”."
FIRST_TEXT = "Facts found in your text appear here for review."
FORMS = {
    FACT: fact_form.form,
    TEXT: text_form.one_text,
    MESSAGES: text_form.conversation,
    FILES: files_form.form,
    WEB: web_form.form,
}


def choose_way() -> None:
    """Go another way in, which a reload keeps, and say no more what was wrong with the one before."""
    followed_job.forget_problem()
    state.update(IngestView, way=state.remembered("how"))


opened = shell.open_page("Ingest", needs_facts=False, dim_bar=True)
link_clicks.follow()
left, right = st.columns([5, 7], gap="medium")
if state.remembered("how") is None:
    state.remember("how", state.held().of(IngestView).way or FACT)
with left:
    how: str = (
        st.segmented_control(
            "Input",
            [*FORMS, TABLE],
            required=True,
            key="how",
            persist_state="session",
            label_visibility="collapsed",
            on_change=choose_way,
        )
        or FACT
    )
    chosen = table_form.choose_file(opened.name) if how == TABLE else FORMS[how](opened)
    review.way_there(opened)
with right:
    is_reviewing = open_review.is_open(opened.workspace)
    if how == TABLE and not is_reviewing and not followed_job.follows(opened, "import"):
        table_form.preview(opened, chosen)
    elif not review.pane(opened) and not followed_job.pane(opened):
        followed_job.nothing_yet(opened, FIRST_FACT if how == FACT else FIRST_TEXT)
    elif how == TABLE and followed_job.follows(opened, "import"):
        table_form.bad_rows()
job_list.jobs(opened.name)
changes.changes(opened)
