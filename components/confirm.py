"""Questions before what cannot be taken back: the dialog, and its buttons."""

from collections.abc import Callable
from functools import wraps
from typing import Literal

import streamlit as st

from components import change_preview, problems, state, undo_banner
from services import cached
from services.core.errors import AlreadyDone
from services.writing import corrections

_PROBLEM = "confirm_problem"


def dialog[**P](
    title: str, *, width: Literal["small", "medium", "large"] = "small"
) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """`st.dialog` for a question: it opens without the problem of the last one, and has the guard that pages have."""

    def decorate(draw: Callable[P, None]) -> Callable[P, None]:
        guarded = st.dialog(title, width=width)(problems.guarded()(draw))

        @wraps(draw)
        def opened(*args: P.args, **kwargs: P.kwargs) -> None:
            fresh()
            guarded(*args, **kwargs)

        return opened

    return decorate


def fresh() -> None:
    """Begin a new question: the last one's problem is not its own."""
    state.forget(_PROBLEM)


def answers(label: str, action: Callable[..., object], *args: object) -> None:
    """Draw the buttons of a question: one does it, in a callback, one leaves it. A problem keeps the question open."""
    with st.container(horizontal=True):
        done = st.button(label, type="primary", key="confirmed", on_click=_do, args=(action, *args))
        kept = st.button("Cancel", key="kept")
    if kept or (done and not state.remembered(_PROBLEM)):
        st.rerun()
    problems.show_kept(_PROBLEM)


def change(label: str, workspace: str, words: str, write: undo_banner.Write[str | None]) -> None:
    """`answers` to whether the graph is to be changed: `write` changes it, and `words` say so afterwards."""
    answers(label, undo_banner.do, workspace, words, write)


def correction(
    label: str,
    workspace: str,
    note: str,
    preview: Callable[[], corrections.Correction],
    write: undo_banner.Write[str | None],
) -> None:
    """`change` under what it would do; where that is done by now, the question is answered and closes."""
    try:
        with change_preview.being_made():
            made = preview()
    except AlreadyDone:
        st.rerun()
    st.caption(note)
    change_preview.lines(made.lines)
    change(label, workspace, made.title, write)


def _do(action: Callable[..., object], *args: object) -> None:
    problems.attempt(_PROBLEM, action, *args)
    cached.forget_workspaces()
