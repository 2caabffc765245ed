"""What a model says of the query: what it does, and how to mend it. Drawn where a model is configured."""

from collections.abc import Callable
from typing import Concatenate

import streamlit as st

from components import markup, state
from components.confirm import dialog
from components.shell import Opened
from components.sql import query
from services.context import OpenWorkspace
from services.core.errors import AsofError
from services.llm import models
from services.sql import MendedSql, SqlExplanation, explain_sql, mend_sql

_ANSWER = "sql_model_answer"


def explain_button(opened: Opened) -> None:
    """Draw the button that asks what the query does."""
    if not models(opened.services.settings):
        return
    if st.button("Explain", icon=":material/lightbulb:", key="sql_explain", disabled=not query.text().strip()):
        state.forget(_ANSWER)
        _explain(opened)


def mend_button(opened: Opened, problem: AsofError) -> None:
    """Draw the button that asks how to mend the query."""
    if not models(opened.services.settings):
        return
    if st.button("Fix with the model", icon=":material/build:", key="sql_mend"):
        state.forget(_ANSWER)
        _mend(opened, str(problem))


@dialog("What this query does", width="medium")
def _explain(opened: Opened) -> None:
    answer: SqlExplanation = state.remembered(_ANSWER) or _kept(
        explain_sql, opened, query.text(), query.database() or None
    )
    st.html(f'<p class="a-lead">{markup.text(answer.explanation)}</p>')
    st.caption(
        f"Written by {markup.plain(_model(opened))}. The explanation may be wrong, so check it against the query."
    )


@dialog("Corrected query", width="medium")
def _mend(opened: Opened, error: str) -> None:
    answer: MendedSql = state.remembered(_ANSWER) or _kept(
        mend_sql, opened, query.text(), error, query.database() or None
    )
    if answer.what_was_wrong:
        st.html(f"<p>{markup.text(answer.what_was_wrong)}</p>")
    st.code(answer.sql, language="sql", wrap_lines=True)
    st.caption(f"Written by {markup.plain(_model(opened))}. Press Run to run it.")
    if st.button("Use this query", type="primary", key="sql_use_mended", on_click=query.write, args=(answer.sql,)):
        st.rerun()


def _kept[**P, T](
    ask: Callable[Concatenate[OpenWorkspace, str, P], T], opened: Opened, *args: P.args, **more: P.kwargs
) -> T:
    """Ask the model, and keep its answer while the dialog is open."""
    with st.spinner("Asking the model…"):
        answer = ask(opened.workspace, _model(opened), *args, **more)
    state.remember(_ANSWER, answer)
    return answer


def _model(opened: Opened) -> str:
    return models(opened.services.settings)[0]
