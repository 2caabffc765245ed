"""Problems that the reader can act on: caught, kept over a rerun, and shown in words instead of a traceback."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from components import markup, state
from services.core.errors import AsofError


@contextmanager
def guarded() -> Iterator[None]:
    """Show a problem of the block, or of the function that this decorates, in words instead of a traceback."""
    try:
        yield
    except AsofError as problem:
        show(problem)


def show(problem: AsofError) -> None:
    """A problem and its hint, where the page's contents would be."""
    hint = f"<br>{markup.text(problem.hint)}" if problem.hint else ""
    markup.note(f"<b>{markup.text(problem.message)}</b>{hint}", "")


def problem_of(ask: Callable[[], object]) -> AsofError | None:
    """Do something and return what went wrong; None when nothing did."""
    try:
        ask()
    except AsofError as problem:
        return problem
    return None


def attempt(key: str, action: Callable[..., object], *args: object) -> None:
    """Do something in a callback; a problem is kept in the session for `show_kept`."""
    state.forget(key)
    if problem := problem_of(lambda: action(*args)):
        state.remember(key, problem)


def show_kept(key: str) -> None:
    """Draw the problem that `attempt` has kept, if there is one."""
    if problem := state.remembered(key):
        show(problem)


@contextmanager
def in_toast() -> Iterator[None]:
    """Show a problem of the block, or of the function that this decorates, in a toast."""
    try:
        yield
    except AsofError as problem:
        st.toast(markup.plain(str(problem)), icon=":material/error:")
