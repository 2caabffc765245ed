"""What goes into the graph: the ways in on the left, what will change on the right, jobs and changes below."""

import streamlit as st

from components import job_list, links, shell
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

FACT, TEXT, MESSAGES, FILES, WEB, TABLE = "One fact", "Text", "Messages", "Files", "Web", "Table"
FIRST_FACT = "Fill in the form and press “Preview changes”. The graph changes only when you press “Save”."
FIRST_TEXT = "Facts found in your text appear here for review."
FORMS = {
    FACT: fact_form.form,
    TEXT: text_form.one_text,
    MESSAGES: text_form.conversation,
    FILES: files_form.form,
    WEB: web_form.form,
}

opened = shell.open_page("Ingest", needs_facts=False, dim_bar=True)
links.follow()
left, right = st.columns([5, 7], gap="medium")
with left:
    how = st.segmented_control(
        "How",
        [*FORMS, TABLE],
        default=FACT,
        required=True,
        key="how",
        persist_state="session",
        bind="query-params",
        label_visibility="collapsed",
        on_change=followed_job.forget_problem,
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
