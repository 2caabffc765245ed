"""What is in the workspace, how much of it is true on the date, and what changed last."""

import streamlit as st

from components import overview, shell

opened = shell.open_page("Overview")
overview.figures(opened.name, opened.at)
main, side = st.columns([8, 4], gap="medium")
with main:
    overview.true_over_time(opened.name, opened.view)
    left, right = st.columns(2, gap="medium")
    with left:
        overview.to_review(opened.name, opened.view)
    with right:
        overview.busiest(opened.name, opened.view)
with side:
    overview.latest_changes(opened.name, opened.view)
    overview.doors()
