"""The dashboard's frame: look, logo, navigation. Every address goes through here, so its guard holds on each page."""

from pathlib import Path

import streamlit as st

from components import shell, state, theme

STATIC = Path(__file__).parent / "static"
PAGES = [
    st.Page("Overview.py", title="Overview", icon=":material/space_dashboard:", default=True),
    st.Page("Explore.py", title="Explore", icon=":material/hub:"),
    st.Page("Timeline.py", title="Timeline", icon=":material/view_timeline:"),
    st.Page("Search.py", title="Search", icon=":material/search:"),
    st.Page("Ingest.py", title="Ingest", icon=":material/input:"),
    st.Page("Settings.py", title="Settings", icon=":material/settings:"),
]

# Before the navigation: without an icon of ours the browser would fetch the page's as its favicon from another host.
st.set_page_config(page_title="Asof", page_icon=STATIC / "icon.svg", layout="wide")
page = st.navigation(PAGES, position="top")
st.set_page_config(page_title=f"{page.title} · Asof")
st.logo(STATIC / ("logo-dark.svg" if state.theme() == "dark" else "logo.svg"), size="medium")
theme.apply()
shell.guarded(page.run)
