"""A question in words above the editor: SQL is written for it, put into the editor, and run."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from components import markup, problems, state
from components.shell import Opened
from components.sql import query
from services.llm import models
from services.sql import NO_SQL, QueryLimits, QueryStart, SqlQuestion, answer_words, query_start

_QUESTION, _OUTCOME = "sql_words", "sql_words_outcome"
_MOST_TABLES, _MOST_COLUMNS, _MOST_WORDS = 5, 12, 3


@dataclass(frozen=True, slots=True)
class WordsOutcome:
    """What came of a question: the SQL that was written by `writer`, or what went wrong and where to begin."""

    question: str
    writer: str
    sql: str = ""
    problem: str = ""
    start: QueryStart | None = None


def words_box(opened: Opened) -> None:
    """Draw the box, and what came of the last question while its SQL is in the editor."""
    with (
        st.form("sql_words_form", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        question = st.text_input(
            "Question",
            key=_QUESTION,
            placeholder="Ask in your own words, such as “How many facts started each year?”",
            max_chars=opened.services.settings.max_question,
            label_visibility="collapsed",
            width="stretch",
        ).strip()
        asked = st.form_submit_button("Write SQL", icon=":material/edit_note:")
    if asked and question:
        with problems.guarded():
            _answer(opened, question)
    _show(opened)


def _answer(opened: Opened, question: str) -> None:
    """Write SQL for a question, and run it as if it had been typed."""
    model = next(iter(models(opened.services.settings)), None)
    database, view = query.database() or None, opened.view
    writer = model or "rules"
    with st.spinner("Writing SQL…"):
        asked = SqlQuestion("", database, view.as_of, view.known_at)
        found, _ = answer_words(opened.workspace, question, asked, model, QueryLimits())
        last = found.tries[-1]
        if found.answer is None:
            start = query_start(opened.workspace, question, database)
            problem = _reason(found.unexplained, model) if last.error == NO_SQL else last.error
            state.remember(_OUTCOME, WordsOutcome(question, writer, problem=problem, start=start))
            return
    state.remember(_OUTCOME, WordsOutcome(question, writer, last.sql))
    query.write(last.sql, last.database or "")
    query.run(opened)
    st.rerun()


def _reason(unexplained: Sequence[str], model: str | None) -> str:
    """Say which words nothing here is called by; without any, what can be read without a model."""
    named = unexplained[:_MOST_WORDS]
    if named:
        what = "is not a table, column or value" if len(named) == 1 else "are not tables, columns or values"
        return f"{markup.quoted(named)} {what} here."
    if model:
        return ""
    return "Without a model, Asof understands questions about counts, totals per period, top lists and groups."


def _show(opened: Opened) -> None:
    outcome: WordsOutcome | None = state.remembered(_OUTCOME)
    if outcome is None:
        return
    if outcome.start is not None:
        _begin(opened, outcome, outcome.start)
    elif outcome.sql == query.text():
        by = "without a model" if outcome.writer == "rules" else f"by {markup.text(outcome.writer)}; it may be wrong"
        st.html(f'<div class="a-sm a-muted">Written for “{markup.text(outcome.question)}” {by}.</div>')


def _begin(opened: Opened, outcome: WordsOutcome, start: QueryStart) -> None:
    """Say that no SQL was written, why, and which tables the question may be about."""
    why = f"<br>{markup.text(outcome.problem)}" if outcome.problem else ""
    markup.note(f"<b>Asof wrote no SQL for “{markup.text(outcome.question)}”.</b>{why}", "a-warn")
    lines = [
        f"<code>{markup.text(name)}</code>: "
        + markup.text(markup.clipped(", ".join(column.name for column in table.columns[:_MOST_COLUMNS]), 120))
        for name, table in start.tables[:_MOST_TABLES]
    ]
    if lines:
        st.html(f'<div class="a-sm">These tables may help:<br>{"<br>".join(lines)}</div>')
    if start.sql:
        label = f"Show rows of {markup.plain(start.tables[0][0])}"
        st.button(label, key="sql_words_start", on_click=_look, args=(opened, start.sql))


def _look(opened: Opened, sql: str) -> None:
    state.forget(_OUTCOME)
    query.write(sql)
    query.run(opened)
