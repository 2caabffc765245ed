"""The dashboard's frame: look, logo, navigation. Every address goes through here, so its guard holds on each page."""

from pathlib import Path

import streamlit as st

from components import problems, sign_in, state, theme
from components.ask.ask_view import AskView
from components.connect import new_token
from components.connect.connect_view import ConnectView
from components.explore.explore_view import ExploreView
from components.memory.memory_view import MemoryView
from components.search.search_view import SearchView
from components.sources.sources_view import SourcesView
from components.sql import query as sql_query
from components.sql.sql_view import SqlView
from components.timeline.timeline_view import TimelineView
from services.accounts import User

STATIC = Path(__file__).parent / "static"
PAGES = [
    st.Page("Overview.py", title="Overview", icon=":material/space_dashboard:", default=True),
    st.Page("Ask.py", title="Ask", icon=":material/forum:"),
    st.Page("SQL.py", title="SQL", icon=":material/database:"),
    st.Page("Explore.py", title="Explore", icon=":material/hub:"),
    st.Page("Timeline.py", title="Timeline", icon=":material/view_timeline:"),
    st.Page("Search.py", title="Search", icon=":material/search:"),
    st.Page("Ingest.py", title="Ingest", icon=":material/input:"),
    st.Page("Sources.py", title="Sources", icon=":material/library_books:"),
    st.Page("Memory.py", title="Memory", icon=":material/psychology:"),
    st.Page("Health.py", title="Health", icon=":material/health_and_safety:"),
    st.Page("Traces.py", title="Traces", icon=":material/route:"),
    st.Page("Connect.py", title="Connect", icon=":material/power:"),
    st.Page("Settings.py", title="Settings", icon=":material/settings:"),
]

state.register(AskView, ConnectView, ExploreView, MemoryView, SearchView, SourcesView, SqlView, TimelineView)
# Before the navigation: without an icon of ours the browser would fetch the page's as its favicon from another host.
st.set_page_config(page_title="Asof", page_icon=STATIC / "icon.svg", layout="wide")
visitor = sign_in.visitor()
page = st.navigation(PAGES, position="top" if isinstance(visitor, User) else "hidden")
st.set_page_config(page_title=f"{page.title} · Asof")
st.logo(STATIC / ("logo-dark.svg" if state.theme() == "dark" else "logo.svg"), size="medium")
theme.apply()
if page.title != "SQL":
    sql_query.leave()
if page.title != "Connect":
    new_token.forget()
with problems.guarded():
    sign_in.let_in(visitor, page.run)
