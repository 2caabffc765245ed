"""The graph at any instant: what is joined to what, what changed between two dates, and where it comes from."""

import streamlit as st

from components import shell
from components.explore.canvas import canvas
from components.explore.changes_panel import changes_of
from components.explore.details import details
from components.explore.path_finder import path_of
from components.explore.records import records
from components.explore.scope import scope_of
from components.explore.toolbar import toolbar

opened = shell.open_page("Explore")
path = path_of(opened.name, opened.view)
scope = scope_of(opened.name, opened.view, path)
changes = changes_of(opened.name, opened.view, scope)
toolbar(opened.name, opened.view, scope)
with st.container(key="explore"):
    left, right = st.columns([8.6, 3.4], gap="small")
    with left:
        canvas(opened.name, opened.workspace.label, opened.view, scope, changes=changes, path=path)
    with right:
        details(opened.name, opened.view, changes, path)
records(opened.view, scope, opened.workspace.label)
