"""Questions before a deed that cannot be taken back, and deeds whose failure is said in words."""

from collections.abc import Callable

import streamlit as st

from components import shell, state
from services import cached
from services.core.errors import AsofError

_PROBLEM = "deed_problem"


def problem_of(ask: Callable[[], object]) -> AsofError | None:
    """What went wrong with a deed; None when nothing did."""
    try:
        ask()
    except AsofError as problem:
        return problem
    return None


def fresh() -> None:
    """Begin a new question: the last one's problem is not its own."""
    state.forget(_PROBLEM)


def answers(label: str, action: Callable[..., object], *args: object) -> None:
    """The buttons of a question: the deed, done in a callback, and the way out. A problem keeps the question open."""
    with st.container(horizontal=True):
        done = st.button(label, type="primary", key="confirmed", on_click=_do, args=(action, *args))
        kept = st.button("Cancel", key="kept")
    problem = state.remembered(_PROBLEM)
    if kept or (done and not problem):
        st.rerun()
    if problem:
        shell.show_problem(problem)


def _do(action: Callable[..., object], *args: object) -> None:
    state.forget(_PROBLEM)
    problem = problem_of(lambda: action(*args))
    if problem:
        state.remember(_PROBLEM, problem)
    cached.forget_workspaces()
