"""The query: the editor, the line that runs it, and what came of it."""

import streamlit as st

from components import dates, markup
from components.refreshing import draw_until_done
from components.shell import Opened
from components.sql import query, running
from components.sql.result import result, took
from services.core.errors import AsofError
from services.sql import QueryLimits

_ALLOWED = (
    "Allowed: one statement that starts with SELECT, WITH, FROM, PIVOT, DESCRIBE or SUMMARIZE, over the tables listed "
    "under Data."
)
_LIMITS = QueryLimits()


def query_tab(opened: Opened) -> None:
    """Draw the query, and follow it while it runs."""
    running.settle()
    if query.take_from_address(opened.view):
        query.run(opened)
        st.rerun()
    _editor(opened)
    draw_until_done(lambda: _run_line(opened), lambda: running.running(opened.name) is not None, every="0.3s")
    last = running.finished(opened.name)
    if last is not None and last.problem is not None:
        _problem(last.problem)
    elif last is not None:
        result(opened, last, is_older=last.question.sql != query.text())
    else:
        st.caption("Write a query, then run it.")


def _editor(opened: Opened) -> None:
    st.text_area(
        "SQL", key=query.TEXT, height=220, label_visibility="collapsed", placeholder="SELECT … FROM facts_as_of(:as_of)"
    )
    for name in query.field_names(opened):
        st.text_input(f":{name}", key=query.value_key(name), width=200)


def _run_line(opened: Opened) -> None:
    current = running.running(opened.name)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sql_run_line"):
        st.button(
            "Run",
            type="primary",
            icon=":material/play_arrow:",
            key="sql_run",
            shortcut="Ctrl+Enter",
            disabled=current is not None,
            on_click=query.run,
            args=(opened,),
        )
        st.button("Cancel", icon=":material/stop:", key="sql_cancel", disabled=current is None, on_click=running.stop)
        _clocks(opened)
        st.space("stretch")
        st.caption(
            f"{took(current.elapsed)} of {_LIMITS.seconds:.0f} s"
            if current
            else f"Read-only · stops at {_LIMITS.seconds:.0f} s, {_LIMITS.rows:,} rows or 1 GiB",
            width="content",
        )


def _clocks(opened: Opened) -> None:
    """Repeat the dates of the bar, which fill `:as_of` and `:known_at`."""
    view = opened.view
    st.html(
        f'<span class="a-code">:as_of</span> {markup.chip("", f"● {dates.named(view.as_of, view.at.as_of)}")} '
        f'<span class="a-code">:known_at</span> '
        f"{markup.chip('a-dashed', f'○ {dates.named(view.known_at, view.at.known_at)}')}",
        width="content",
    )


def _problem(problem: AsofError) -> None:
    hint = f" {markup.text(problem.hint)}" if problem.hint else ""
    st.html(
        f'<div class="a-note" role="alert"><b>{markup.text(problem.message)}</b>{hint} '
        "Nothing was changed, and your query is kept.</div>"
    )
    st.caption(_ALLOWED)
