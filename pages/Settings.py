"""Where things are, whether they answer, and what can be changed about it."""

import streamlit as st

from components import search_panel, settings_panels, shell, synonyms_panel, workspace_panel

opened = shell.open_page("Settings", needs_facts=False, dim_bar=True)
left, right = st.columns([7, 5], gap="medium")
with left:
    if opened.user.is_admin:
        workspace_panel.partitions(opened)
    synonyms_panel.words_for(opened)
with right:
    settings_panels.asking(opened.services)
    settings_panels.programs()
    search = st.container()
    if opened.user.is_admin:
        settings_panels.mirror(opened)
        settings_panels.connection(opened.services)
settings_panels.places(opened.services, opened.status)
with search:  # last, since opening the index takes seconds
    search_panel.search_index(opened)
