"""Pages of the web: one, those that a sitemap lists, or those that links lead to; fetched and read as a job."""

import streamlit as st

from components import state
from components.ingest import extraction_options, followed_job
from components.shell import Opened
from services.jobs import start_crawl
from services.web import DEEPEST, MOST_PAGES, Mode

_URL, _MODE, _PAGES, _DEPTH = "web_url", "web_mode", "web_pages", "web_depth"
_MODES: dict[Mode, str] = {"single": "This page", "sitemap": "The sitemap", "recursive": "Follow links"}
_PAGE = 6_000


def form(opened: Opened) -> None:
    """The form of an address."""
    with st.container(border=True, key="web_form"):
        st.text_input("Address", key=_URL, persist_state="session", placeholder="https://example.org/handbook")
        mode: Mode = st.segmented_control(
            "Pages to ingest",
            list(_MODES),
            default="single",
            required=True,
            key=_MODE,
            format_func=_MODES.__getitem__,
            persist_state="session",
        )
        left, right = st.columns(2, gap="small")
        pages = left.number_input(
            "Maximum pages", 1, MOST_PAGES, 20, key=_PAGES, disabled=mode == "single", persist_state="session"
        )
        right.number_input(
            "Maximum link depth", 1, DEEPEST, 3, key=_DEPTH, disabled=mode != "recursive", persist_state="session"
        )
        st.caption(
            "Asof fetches pages of one host only, one at a time, and obeys its robots.txt. "
            "It refuses addresses inside your network unless the settings allow them."
        )
        chosen = extraction_options.choose(opened)
        if chosen.by_model:
            characters = [_PAGE] * (1 if mode == "single" else int(pages))
            extraction_options.will_take(chosen, characters, more=f", assuming {_PAGE:,} characters per page")
        followed_job.start_button(
            "Ingest page" if mode == "single" else "Ingest pages", "web_read", _read, opened, chosen
        )


def _read(opened: Opened, chosen: extraction_options.ExtractionOptions) -> str:
    mode: Mode = state.remembered(_MODE) or "single"
    return start_crawl(
        opened.workspace,
        str(state.remembered(_URL) or "").strip(),
        mode=mode,
        max_pages=int(state.remembered(_PAGES) or 1),
        depth=int(state.remembered(_DEPTH) or 1),
        options=chosen.options(),
        user_id=opened.user.id or None,
    )
