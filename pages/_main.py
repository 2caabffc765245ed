"""The dashboard's frame: look, logo, navigation. Every address goes through here, so its guard holds on each page."""

from pathlib import Path

import streamlit as st

from components import problems, sign_in, state, theme
from components.address import register
from components.connect import new_token
from components.header.finder import page_finder
from components.header.menu import MenuPage, menu
from components.page_views import PAGE_VIEWS
from components.sql import query as sql_query
from services.accounts import User

STATIC = Path(__file__).parent / "static"
GROUPS = {
    "Look": (
        MenuPage("Overview", "space_dashboard", "o"),
        MenuPage("Explore", "hub", "e"),
        MenuPage("Timeline", "view_timeline", "t"),
        MenuPage("Search", "search", "s"),
    ),
    "Ask": (
        MenuPage("Ask", "forum", "a"),
        MenuPage("SQL", "database", "q"),
        MenuPage("Workflows", "account_tree", "w"),
        MenuPage("Traces", "route", "r"),
    ),
    "Feed": (
        MenuPage("Ingest", "input", "i"),
        MenuPage("Sources", "library_books", "u"),
        MenuPage("Health", "health_and_safety", "h"),
        MenuPage("Memory", "psychology", "m"),
    ),
    "": (MenuPage("Connect", "power", "c"), MenuPage("Settings", "settings", ",")),
}
PAGES = [
    st.Page(entry.script, title=entry.title, icon=f":material/{entry.icon}:", default=entry.title == "Overview")
    for entries in GROUPS.values()
    for entry in entries
]

register(*PAGE_VIEWS)
# Before the navigation: without an icon of ours the browser would fetch the page's as its favicon from another host.
st.set_page_config(page_title="Asof", page_icon=STATIC / "icon.svg", layout="wide")
visitor = sign_in.visitor()
page = st.navigation(PAGES, position="hidden")
st.set_page_config(page_title=f"{page.title} · Asof")
st.logo(STATIC / ("logo-dark.svg" if state.theme() == "dark" else "logo.svg"), size="medium")
theme.apply()
if isinstance(visitor, User):
    menu(GROUPS, page.title)
    page_finder(GROUPS, page.title, visitor)
if page.title != "SQL":
    sql_query.leave()
if page.title != "Connect":
    new_token.forget()
with problems.guarded():
    sign_in.let_in(visitor, page.run)
