"""Why a query gave nothing: the line that it is about, and that nothing was changed."""

import re

import streamlit as st

from components import markup, state
from components.sql.editor import WrongPlace
from services.core.errors import AsofError

GO = "sql_go"
ALLOWED = (
    "Allowed: one statement that starts with SELECT, WITH, FROM, PIVOT, DESCRIBE or SUMMARIZE, over the tables listed "
    "under Data."
)
_AT_LINE = re.compile(r"line (\d+)(?:, near “(.+?)”)?")
_NAMED = re.compile(r"[“\"`]([\w.]+)[”\"`]|^([A-Z]{3,})\b")


def place_of(problem: AsofError, sql: str) -> WrongPlace | None:
    """Return the line that a problem is about: the one it says, or the first with the word that it names."""
    lines = [line.partition("--")[0] for line in sql.splitlines()]
    if found := _AT_LINE.search(problem.message):
        return WrongPlace(min(int(found[1]), len(lines)), found[2] or "")
    for quoted, keyword in _NAMED.findall(problem.message):
        word = (quoted or keyword).rpartition(".")[2]
        for number, line in enumerate(lines, 1):
            if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", line, re.IGNORECASE):
                return WrongPlace(number, word)
    return None


def show(problem: AsofError, place: WrongPlace | None) -> None:
    """Draw a problem, with a button that goes to its line."""
    where = f"Line {place.line}: " if place and "(line" not in problem.message else ""
    hint = f" {markup.text(problem.hint)}" if problem.hint else ""
    with st.container(key="sql_problem", gap="small"):
        st.html(
            f'<div class="a-note" role="alert"><b>{where}{markup.text(problem.message)}</b>{hint} '
            "Nothing has changed, and your query is still here.</div>"
        )
        if place:
            st.button(f"Go to line {place.line}", key="sql_go_to_line", on_click=_go, args=(place.line,))
        st.caption(ALLOWED)


def _go(line: int) -> None:
    number, _ = state.remembered(GO, (0, 0))
    state.remember(GO, (number + 1, line))
