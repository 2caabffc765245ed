"""The query that stands in the editor, and what running it does to the address."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime, timedelta
from typing import Any

from components import state
from components.shell import Opened
from components.sql import running
from components.sql.editor import typed_text
from components.sql.sql_view import LONGEST_IN_ADDRESS, SqlView
from services.core import clock
from services.sql import SqlQuestion, file_states, parameter_names

TEXT, VERSION, DATABASE, NAME = "sql_text", "sql_version", "sql_database", "sql_name"
CHANGED_FILES, NOT_RUN = "sql_changed_files", "sql_not_run"
_TAKEN, _PINNED, _LEFT, _UNWRITTEN = "sql_taken", "sql_pinned", "sql_left", "sql_unwritten"
_CLOCKS = ("as_of", "known_at")


def text() -> str:
    """The SQL in the editor."""
    if (written := typed_text()) is not None:
        state.remember(TEXT, written)
    return state.remembered(TEXT) or ""


def database() -> str:
    """The database that answers, "" for the graph and the tables from files."""
    chosen: str | None = state.remembered(DATABASE)  # dropped with its field, when another page opens
    return state.held().of(SqlView).database if chosen is None else chosen


def version() -> int:
    """How often SQL was put into the editor by something else than typing."""
    return int(state.remembered(VERSION, 0))


def write(sql: str, in_database: str | None = None) -> None:
    """Put SQL into the editor, in the place of what stands there."""
    typed_text()
    state.remember(TEXT, sql)
    state.remember(VERSION, version() + 1)
    state.forget(NAME)
    if in_database is not None:
        state.remember(DATABASE, in_database)


def typed(sql: str) -> None:
    """Keep what the viewer typed."""
    state.remember(TEXT, sql)


def field_names(opened: Opened) -> tuple[str, ...]:
    """Return the `:names` of the SQL in the editor that a form asks for."""
    return fields_of(opened, text(), database() or None)


def fields_of(opened: Opened, sql: str, in_database: str | None) -> tuple[str, ...]:
    """Return the `:names` of some SQL that a form asks for."""
    return tuple(name for name in parameter_names(opened.workspace, sql, in_database) if name not in _CLOCKS)


def uses(opened: Opened) -> tuple[str, ...]:
    """Return which of the two clocks the SQL names."""
    return tuple(name for name in parameter_names(opened.workspace, text(), database() or None) if name in _CLOCKS)


def empty_fields(opened: Opened) -> list[str]:
    """Return the `:names` of the SQL in the editor that have no value yet."""
    return [name for name in field_names(opened) if not state.remembered(value_key(name))]


def run(opened: Opened) -> None:
    """Run what stands in the editor on the dates of the view, now where it says none; as a widget's callback.

    A field that is empty is asked for instead.
    """
    sql = text()
    if not sql.strip():
        return
    if empty_fields(opened):
        state.remember(NOT_RUN, sql)
        return
    state.forget(NOT_RUN)
    as_of, known_at = _pinned(opened)
    values = {name: state.remembered(value_key(name)) for name in field_names(opened)}
    kept = sql if len(sql) <= LONGEST_IN_ADDRESS else ""
    before, files = state.held().of(SqlView), tuple(file_states(opened.workspace, sql).items())
    asked = SqlView(kept, database(), tuple(values.items()), files, before.chart if before.sql == kept else ())
    state.remember(_TAKEN, _asked_for(asked))
    state.remember(_UNWRITTEN, (asked, as_of, known_at))
    state.forget(CHANGED_FILES)
    running.start(opened.workspace, SqlQuestion(sql, database() or None, as_of, known_at, values))
    write_address()


def write_address() -> None:
    """Put the query that was run last and its dates into the address.

    A run of the page can be interrupted there, by a change of theme for one; then the next one does it.
    """
    unwritten: tuple[SqlView, datetime, datetime] | None = state.remembered(_UNWRITTEN)
    if unwritten is not None:
        asked, as_of, known_at = unwritten
        state.update(SqlView, **_fields(asked), as_of=as_of, known_at=known_at)
        state.forget(_UNWRITTEN)


def _fields(asked: SqlView) -> dict[str, Any]:
    return {one.name: getattr(asked, one.name) for one in fields(SqlView)}


def write_and_run(opened: Opened, sql: str) -> None:
    """Put SQL over the graph and the tables from files into the editor, and run it; as a widget's callback."""
    write(sql, "")
    run(opened)


def value_key(name: str) -> str:
    """The key of the field for a `:name`."""
    return f"sql_value_{name}"


def restore_value(name: str) -> None:
    """Put the value of the last run into the field for a `:name` where it has none yet."""
    if state.remembered(value_key(name)) is None:
        state.remember(value_key(name), dict(state.held().of(SqlView).values).get(name, ""))


def take_from_address(opened: Opened) -> bool:
    """Put the query of a link into the editor; True where it is to be run.

    It is not where a file that it read has changed since the link was made: that gives other rows.
    """
    asked = opened.view.of(SqlView)
    if not asked.sql or state.remembered(_TAKEN) == _asked_for(asked):
        return False
    write(asked.sql, asked.database)
    for name, value in asked.values:
        state.remember(value_key(name), value)
    now = file_states(opened.workspace, asked.sql)
    changed = [name for name, before in asked.files if now.get(name) != before]
    state.remember(_TAKEN, _asked_for(asked))
    if changed:
        state.remember(CHANGED_FILES, changed)
    return not changed


def leave() -> None:
    """Take the query, and the dates that only it fixed, out of the view: other pages speak of now, and their links are
    short. `come_back` puts both in again.
    """
    view = state.held()
    asked, pinned = view.of(SqlView), state.remembered(_PINNED, {})
    fixed = {slot: when for slot, when in pinned.items() if getattr(view, slot) == when}
    if fixed or asked != SqlView():
        state.remember(_LEFT, (asked, fixed))
        state.update(SqlView, **_fields(SqlView()), **dict.fromkeys(fixed))


def come_back() -> None:
    """Put the query that the page was left with into the view again, unless the address has another."""
    write_address()
    left: tuple[SqlView, Mapping[str, datetime]] | None = state.pop(_LEFT)
    view = state.view()
    if left is None or view.of(SqlView) != SqlView():
        return
    asked, fixed = left
    free = {slot: when for slot, when in fixed.items() if getattr(view, slot) is None}
    state.update(SqlView, **_fields(asked), **free)


def _asked_for(asked: SqlView) -> tuple[object, ...]:
    read = SqlView.read(asked.written())  # as an address has it, whose line ends may differ
    return read.sql, read.database, read.values


def _pinned(opened: Opened) -> tuple[datetime, datetime]:
    """Return both clocks of a run. One left at now is set to the end of this second, anew with each run.

    What was recorded a moment ago is known then, and the field of a time knows no less than seconds.
    """
    now = clock.now().replace(microsecond=0) + timedelta(seconds=1)
    view, before = opened.view, state.remembered(_PINNED, {})
    free = [slot for slot in _CLOCKS if getattr(view, slot) in (None, before.get(slot))]
    state.remember(_PINNED, dict.fromkeys(free, now))
    as_of, known_at = (now if slot in free else getattr(view, slot) for slot in _CLOCKS)
    return as_of, known_at
