"""Other programs: the lines with which they connect, what a token grants them, and the tokens that were made."""

import streamlit as st

from components import shell
from components.connect.grant import grant_of
from components.connect.grant_form import grant_form
from components.connect.lines_panel import lines_panel
from components.connect.token_list import token_list
from services import cached

opened = shell.open_page("Connect", needs_facts=False)
workspaces = cached.workspaces_of(opened.user)
grant = grant_of(opened.view, workspaces)
left, right = st.columns([5, 7], gap="medium")
with left:
    grant_form(opened, workspaces, grant)
with right:
    lines_panel(opened, workspaces, grant)
token_list(opened, workspaces)
