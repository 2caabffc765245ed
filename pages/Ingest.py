"""What goes into the graph: the ways in on the left, what will change on the right, jobs and changes below."""

import streamlit as st

from components import job_list, links, shell
from components.ingest import changes, fact, files, followed_job, open_review, review, table, texts, web

FACT, TEXT, MESSAGES, FILES, WEB, TABLE = "One fact", "Text", "Messages", "Files", "Web", "Table"
FORMS = {FACT: fact.form, TEXT: texts.one_text, MESSAGES: texts.conversation, FILES: files.form, WEB: web.form}

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
        label_visibility="collapsed",
        on_change=followed_job.forget_problem,
    )
    chosen = table.choose_file(opened.name) if how == TABLE else FORMS[how](opened)
    review.way_there(opened)
with right:
    is_reviewing = open_review.is_open(opened.workspace)
    if how == TABLE and not is_reviewing and not followed_job.follows(opened, "import"):
        table.preview(opened, chosen)
    elif not review.pane(opened) and not followed_job.pane(opened):
        if how == FACT:
            fact.nothing_yet(opened)
        else:
            followed_job.nothing_yet(
                opened, "Give something to read: the facts found in it stand here, for you to decide."
            )
    elif how == TABLE and followed_job.follows(opened, "import"):
        table.bad_rows()
job_list.jobs(opened.name)
changes.changes(opened)
