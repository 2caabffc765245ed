"""The query: the editor, the line that runs it, and what came of it."""

from collections.abc import Sequence

import streamlit as st

from components import dates, link_clicks, markup, state
from components.address import page_query
from components.ask.copy_button import copy_button
from components.refreshing import draw_until_done
from components.shell import Opened
from components.sql import problem, query, running, saved
from components.sql.catalog import completions
from components.sql.editor import Act, EditorContent, WrongPlace, editor
from components.sql.model_help import explain_button, mend_button
from components.sql.result import result, took
from components.sql.running import QueryRun
from components.sql.sql_view import SqlView
from components.sql.starters import starters
from components.sql.words_box import words_box
from services.sql import PastQuery, QueryEnd, QueryLimits, SqlDatabase, keep_past_query

_LIMITS = QueryLimits()
_GRAPH_AND_FILES = "Graph and files"


def query_tab(opened: Opened, databases: Sequence[SqlDatabase]) -> None:
    """Draw the query, and follow it while it runs."""
    if query.take_from_address(opened):
        query.run(opened)
        st.rerun()
    words_box(opened)
    last = running.finished(opened.name)
    wrong = _wrong(last)
    shown = EditorContent(
        query.text(), query.version(), running.running(opened.name) is not None, wrong, state.remembered(problem.GO)
    )
    editor(shown, completions(opened, databases, query.database()), query.typed, lambda act: _act(opened, act))
    draw_until_done(lambda: _run_line(opened), lambda: running.running(opened.name) is not None, every="0.3s")
    if running.has_finished_since_settle():
        st.rerun()  # it finished while the page was drawn, after its place for the rows was filled
    _parameters(opened, databases)
    _changed_files(opened)
    _ask_for_values(opened)
    if last is None:
        starters(opened, databases)
    elif last.problem is not None:
        problem.show(last.problem, wrong)
        mend_button(opened, last.problem)
    else:
        result(opened, last, is_older=last.question.sql != query.text())


def settle(opened: Opened) -> None:
    """Take over what a query gave that finished since the last run of the page."""
    if done := running.settle():
        _keep(opened, done)


def tools(opened: Opened) -> None:
    """Draw what can be done with the query as a whole into the current row."""
    name = state.remembered(query.NAME)
    if name:
        st.html(f'<span class="a-sm a-muted">{markup.text(name)}</span>', width="content")
    explain_button(opened)
    asked = st.button("Save", icon=":material/save:", key="sql_save_query", disabled=not query.text().strip())
    if asked or state.pop(saved.ASKED):
        saved.save(opened)
    address = f"{st.context.url or ''}?{page_query(opened.view, SqlView)}"
    copy_button("Copy link", address, key="sql_copy_link", done=link_clicks.copied_words())


def _act(opened: Opened, act: Act) -> None:
    if act == "run":
        query.run(opened)
    elif act == "cancel":
        running.stop()
    elif act == "save" and query.text().strip():
        state.remember(saved.ASKED, True)


def _keep(opened: Opened, run: QueryRun) -> None:
    """Add a query that finished to the history."""
    found = run.answer.result if run.answer else None
    end: QueryEnd = (
        "stopped" if run.is_stopped else "refused" if found is None else "cut" if found.truncated else "rows"
    )
    past = PastQuery(
        sql=run.question.sql,
        database=run.question.database,
        begun_at=run.begun_at,
        seconds=run.seconds,
        end=end,
        rows=len(found.rows) if found else 0,
    )
    keep_past_query(opened.workspace, opened.user.id, past)


def _wrong(last: QueryRun | None) -> WrongPlace | None:
    """Return the line to mark: that of the last problem, while the SQL is what it was."""
    if last is None or last.problem is None or last.question.sql != query.text():
        return None
    return problem.place_of(last.problem, last.question.sql)


def _changed_files(opened: Opened) -> None:
    changed = state.remembered(query.CHANGED_FILES)
    if not changed:
        return
    what = f"{', '.join(changed)} {'is' if len(changed) == 1 else 'are'} newer than this link."
    markup.note(f"<b>{markup.text(what)}</b> The rows may differ.", "a-warn")
    st.button(
        "Run on the new file" if len(changed) == 1 else "Run on the new files",
        key="sql_run_anyway",
        on_click=query.run,
        args=(opened,),
    )


def _ask_for_values(opened: Opened) -> None:
    empty = query.empty_fields(opened) if state.remembered(query.NOT_RUN) == query.text() else []
    if empty:
        names = " and ".join(f":{markup.text(name)}" for name in empty)
        markup.note(f"<b>The query did not run.</b> Enter {names} first.", "a-warn")


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
        st.button(
            "Cancel",
            icon=":material/stop:",
            key="sql_cancel",
            shortcut="Esc" if current else None,
            disabled=current is None,
            on_click=running.stop,
        )
        st.space("stretch")
        _limits(current)


def _parameters(opened: Opened, databases: Sequence[SqlDatabase]) -> None:
    """Draw where the query runs and what its names stand for; not in the line that follows it, which drops them."""
    elsewhere = [one.name for one in databases if one.kind != "files" or one.name == query.database()]
    names = query.field_names(opened)
    if not (elsewhere or names or query.uses(opened)):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sql_parameters"):
        _database(elsewhere)
        _clocks(opened)
        for name in names:
            st.html(f'<label class="a-code">:{markup.text(name)}</label>', width="content")
            query.restore_value(name)
            st.text_input(f":{name}", key=query.value_key(name), width=140, label_visibility="collapsed")


def _database(elsewhere: Sequence[str]) -> None:
    """Offer the databases that stay elsewhere, each of which answers by itself."""
    if not elsewhere:
        return
    chosen = query.database()
    state.remember(query.DATABASE, chosen if chosen in elsewhere else "")
    st.selectbox(
        "Run on",
        ["", *elsewhere],
        key=query.DATABASE,
        format_func=lambda name: name or _GRAPH_AND_FILES,
        width=170,
        label_visibility="collapsed",
    )


def _clocks(opened: Opened) -> None:
    """Repeat the dates of the bar where the SQL names them."""
    view = opened.view
    chips = {
        "as_of": markup.chip("", f"● {markup.text(dates.named(view.as_of, view.at.as_of))}"),
        "known_at": markup.chip("a-dashed", f"○ {markup.text(dates.named(view.known_at, view.at.known_at))}"),
    }
    for name in query.uses(opened):
        st.html(f'<span class="a-code">:{name}</span> {chips[name]}', width="content")


def _limits(current: QueryRun | None) -> None:
    if current:
        words = f"{took(current.elapsed)} of {_LIMITS.seconds:.0f} s · dates are fixed for this run"
    else:
        words = (
            f"Read-only · stops at {_LIMITS.seconds:.0f} s, {_LIMITS.rows:,} rows or {_LIMITS.memory_mb // 1024} GiB"
        )
    st.html(f'<span class="a-sm a-muted"{" role=status" if current else ""}>{words}</span>', width="content")
