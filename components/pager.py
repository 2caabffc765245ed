"""What narrows a long list down, where it stands, and the buttons to its other pages."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from components.buttons import icon_button
from components.markup import counted


@dataclass(frozen=True, slots=True)
class PagePosition:
    """A page of a list: it begins after `offset` items, has room for `limit` and shows `shown` of `total`."""

    offset: int
    limit: int
    shown: int
    total: int


def list_filter(label: str, key: str, on_change: Callable[[], None]) -> None:
    """A field for words that what is listed must have; they are kept for the session."""
    st.text_input(
        label,
        key=key,
        type="search",
        live="300ms",
        icon=":material/search:",
        placeholder=label,
        label_visibility="collapsed",
        width=320,
        persist_state="session",
        on_change=on_change,
    )


def pager(key: str, noun: str, page: PagePosition, go_to: Callable[[int], None]) -> None:
    """Say which items are shown of how many; `go_to` is the callback that lists from another place on."""
    first, last = page.offset + 1, page.offset + page.shown
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}_pager"):
        of = f"{first:,}–{last:,} of " if page.total > page.shown else ""
        st.html(f'<span class="a-muted a-sm" role="status">{of}{counted(page.total, noun)}</span>', width="content")
        if page.total > page.shown:
            st.space("stretch")
            icon, before, after = ":material/chevron_", page.offset - page.limit, page.offset + page.limit
            icon_button(f"{key}_before", "Previous page", f"{icon}left:", go_to, before, disabled=page.offset <= 0)
            icon_button(f"{key}_after", "Next page", f"{icon}right:", go_to, after, disabled=last >= page.total)
