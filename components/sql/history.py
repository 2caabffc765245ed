"""The queries that a user ran last; each can be put into the editor again."""

from collections.abc import Sequence

import streamlit as st

from components import dates, markup
from components.markup import counted, plain
from components.shell import Opened
from components.sql import query
from services.sql import PastQuery, QueryEnd, past_queries

_SHOWN = 5
_SIGNS: dict[QueryEnd, tuple[str, str, str]] = {
    "rows": ("added", "✓", "rows"),
    "cut": ("review", "?", "cut"),
    "refused": ("ended", "✕", "refused"),
    "stopped": ("same", "‖", "stopped"),
}


def history_panel(opened: Opened, *, place: str) -> None:
    """Draw the queries that this user ran last; a click puts one into the editor."""
    found = past_queries(opened.workspace, opened.user.id)
    with st.container(horizontal=True, vertical_alignment="center", key=f"sql_history_head_{place}"):
        with st.container(width="stretch"):
            markup.heading("History", counted(len(found), "run") if found else "")
        if len(found) > _SHOWN and st.button("All", type="tertiary", key=f"sql_all_history_{place}"):
            all_history(opened)
    if not found:
        st.caption("Queries you run appear here.")
    _past(found[:_SHOWN], place)


@st.dialog("Your queries", width="large")
def all_history(opened: Opened) -> None:
    """List all queries that are kept."""
    if _past(past_queries(opened.workspace, opened.user.id), "all"):
        st.rerun()


def _past(found: Sequence[PastQuery], place: str) -> bool:
    clicked = False
    for number, one in enumerate(found):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"sql_past_{place}_{number}"):
            css, mark, word = _SIGNS[one.end]
            st.html(
                f'<span class="a-sg a-{css}" role="img" aria-label="{word}" title="{word}">{mark}</span>'
                f'<span class="a-sm a-muted">{dates.moment(one.begun_at)[11:16]}</span>',
                width="content",
            )
            clicked |= st.button(
                plain(markup.clipped(title(one.sql), 60)),
                type="tertiary",
                key=f"sql_again_{place}_{number}",
                help=plain(one.sql[:600]),
                on_click=query.write,
                args=(one.sql, one.database or ""),
            )
            st.html(f'<span class="a-sm a-muted">{_end(one)}</span>', width="content")
    return clicked


def title(sql: str) -> str:
    """Return some SQL in a line, or what its first line says of it as a comment."""
    first = sql.strip().partition("\n")[0]
    return first.lstrip("- ") if first.startswith("--") and first.lstrip("- ") else " ".join(sql.split())


def _end(one: PastQuery) -> str:
    return {"rows": f"{one.rows:,}", "cut": f"{one.rows:,}, cut"}.get(one.end, one.end)
