"""Where things are, whether they answer, and what can be changed about it."""

import streamlit as st

from components import shell
from components.settings import installation, search_index, synonyms, workspaces

opened = shell.open_page("Settings", needs_facts=False, dim_bar=True)
left, right = st.columns([7, 5], gap="medium")
with left:
    if opened.user.is_admin:
        workspaces.partitions(opened)
    synonyms.words_for(opened)
with right:
    installation.asking(opened.services)
    installation.programs()
    search = st.container()
    if opened.user.is_admin:
        installation.mirror(opened)
        installation.connection(opened.services)
installation.places(opened.services, opened.status)
with search:  # last, since opening the index takes seconds
    search_index.search_index(opened)
