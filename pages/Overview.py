"""What is in the workspace, how much of it is true on the date, and what changed last."""

import streamlit as st

from components import fact_actions, link_clicks, shell
from components.overview.all_changes import all_changes
from components.overview.changes import latest_changes
from components.overview.facts_over_time import true_over_time
from components.overview.figures import figures
from components.overview.review import busiest, navigation_links, to_review
from components.overview.since import first_visit, since_last_visit

opened = shell.open_page("Overview")
link_clicks.follow()
fact_actions.asked_for(opened.name)
since_last_visit(opened)
first_visit(opened)
figures(opened.name, opened.at)
all_changes(opened.name, opened.view)
main, side = st.columns([8, 4], gap="medium")
with main:
    true_over_time(opened.name, opened.view)
    left, right = st.columns(2, gap="medium")
    with left:
        to_review(opened.name, opened.view)
    with right:
        busiest(opened.name, opened.view)
with side:
    latest_changes(opened.name, opened.view)
    navigation_links()
