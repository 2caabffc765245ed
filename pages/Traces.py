"""What was called for answers: across conversations, by day, and the answers that were thumbed."""

import streamlit as st

from components import link_clicks, shell
from components.lazy_containers import draw_when_open
from components.traces.calls import calls
from components.traces.cases import cases
from components.traces.usage import usage

opened = shell.open_page("Traces", needs_facts=False, dim_bar=True)
link_clicks.follow()
parts = {"Calls": calls, "Usage": usage, "Cases": cases}
for tab, draw in zip(st.tabs(list(parts), key="traces_tabs", on_change="rerun"), parts.values(), strict=True):
    draw_when_open(tab, draw, opened)
