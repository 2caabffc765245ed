"""Facts into the graph: from a file, or one by one; always with a preview first."""

import streamlit as st

from components import ingest_fact, ingest_file, links, shell

FILE, FACT = "From a file", "One fact"

opened = shell.open_page("Ingest", needs_facts=False, dim_bar=True)
links.follow()
how = st.segmented_control("How", [FILE, FACT], default=FILE, required=True, key="how", label_visibility="collapsed")
left, right = st.columns([5, 7], gap="medium")
if how == FILE:
    with left:
        table = ingest_file.choose_file()
    with right:
        ingest_file.preview(opened.name, table)
else:
    with left:
        ingest_fact.form(opened.name)
    with right:
        ingest_fact.preview(opened.name)
ingest_file.jobs(opened.name)
