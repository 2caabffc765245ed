"""What was done to the graph last, on top of the page, with the button that takes it back."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from components import markup, problems, sign_in, state
from services.agent import get_services
from services.context import OpenWorkspace
from services.core.change_records import UNDO_DAYS
from services.writing import Undone, change_sets, undoing

_LAST, _ASKED, _SAY = "last_change", "undo_asked", "say_done"
_NAMED, _LISTED = 3, 12
type Write[T] = Callable[[OpenWorkspace, str | None], T]
"""What changes a workspace's graph for a user, who is None where there are no accounts."""


@dataclass(frozen=True, slots=True)
class _Last:
    """A change of a workspace by this session, whether it is undone by now, and what that left as it was."""

    workspace: str
    id: str
    words: str
    undone: Undone | None = None


def do(workspace: str, words: str, action: Write[str | None]) -> None:
    """Change the graph for whoever is signed in; for callbacks. `action` returns the change-set's id, None if nothing
    had to be changed.

    `last_change_banner` says so when the page runs again: a callback of a part of a page may draw nothing itself.
    Errors are the caller's to show.
    """
    user = sign_in.current_user()
    if user is None:
        return
    if id := action(get_services().workspace(workspace), user.id or None):
        did(workspace, id, words)
    else:
        say("The graph already contains all of these records.")


def did(workspace: str, change_set_id: str, words: str) -> None:
    """Have `last_change_banner` say what a change did when the page runs again; for callbacks."""
    state.remember(_LAST, _Last(workspace, change_set_id, words))
    _look_at_what_replaced(change_set_id)


def say(words: str) -> None:
    """Have `last_change_banner` say why there was nothing to change when the page runs again; for callbacks."""
    state.remember(_SAY, words)


def _look_at_what_replaced(change_set_id: str) -> None:
    """Look at the record that took the place of the fact that is looked at, if one did."""
    looked_at = state.held().fact
    for line in change_sets.change_set_lines(get_services(), change_set_id) if looked_at else ():
        if line.before and line.after and line.before.uuid == looked_at != line.after.uuid:
            state.update(fact=line.after.uuid)


def last_change_banner(workspace: str) -> None:
    """Draw the last change of this session in the workspace, with Undo, or with Redo once it was undone, until somebody
    writes something else.

    Where an undo would leave something as it is, the question that says so is drawn here, too.
    """
    if asked := state.pop(_ASKED):
        _ask(*asked)
    if words := state.pop(_SAY):
        st.toast(markup.plain(words), icon=":material/info:")
    last: _Last | None = state.remembered(_LAST)
    if last is None or last.workspace != workspace:
        return
    if last.undone is not None and not _can_redo(last):
        state.forget(_LAST)
        return
    change = (last.workspace, last.id, last.words)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="last_done"):
        st.html(_summary(last), width="content")
        st.space("stretch")
        if last.undone is None:
            undo_button(*change, key="undo_last", is_new=True)
        else:
            st.button("Redo", key="redo_last", icon=":material/redo:", on_click=redo, args=change)
        st.button("Close", key="close_last", type="tertiary", on_click=state.forget, args=(_LAST,))


def _can_redo(last: _Last) -> bool:
    sets = get_services().accounts.change_sets
    record = sets.record(last.id)
    return record is not None and record.can_redo and sets.is_last(last.workspace, last.id)


def _summary(last: _Last) -> str:
    words = markup.text(last.words)
    if last.undone is None:
        return f"{markup.chip('a-good', '✓ done')} {words}"
    left = markup.lines_below([f"{one.name}: {one.reason}" for one in last.undone.left], _NAMED)
    return f"{markup.chip('a-off', 'undone')} {words}{left}"


def forget() -> None:
    """Draw the last change no more: something else was done since; for callbacks."""
    state.forget(_LAST)


def undo_button(workspace: str, id: str, words: str, *, key: str, is_new: bool = False) -> bool:
    """Draw the button that undoes a change; one just made says for how long it can be undone."""
    return st.button(
        "Undo",
        key=key,
        icon=":material/undo:",
        type="secondary" if is_new else "tertiary",
        on_click=undo,
        args=(workspace, id, words),
        help=f"You can undo this for {UNDO_DAYS} days." if is_new else None,
    )


def undo(workspace: str, id: str, words: str) -> None:
    """Undo a change; what would stay as it is is said first. For callbacks."""
    _look_first(_Last(workspace, id, words), undoes=True)


def redo(workspace: str, id: str, words: str) -> None:
    """Do an undone change again; what would stay as it is is said first. For callbacks."""
    _look_first(_Last(workspace, id, words), undoes=False)


@problems.in_toast()
def _look_first(last: _Last, *, undoes: bool) -> None:
    preview = undoing.preview_undo if undoes else undoing.preview_redo
    found = preview(get_services().workspace(last.workspace), last.id)
    if found.left:
        state.remember(_ASKED, (last, found, undoes))
    else:
        _turn(last, undoes)


@st.dialog("Asof cannot undo or redo this change completely")
def _ask(last: _Last, found: Undone, undoes: bool) -> None:
    part = "part of this change" if found.works else "this change"
    markup.note(f"<b>{markup.text(last.words)}</b>: you cannot {'undo' if undoes else 'redo'} {part} for now.")
    markup.table(
        [
            [
                (markup.text(one.kind), "a-muted a-nw"),
                (f'{markup.text(one.name)}<div class="a-muted a-sm">{markup.text(one.reason)}</div>', "a-w"),
            ]
            for one in found.left[:_LISTED]
        ],
        label="Unchanged records",
    )
    if len(found.left) > _LISTED:
        st.caption(f"And {len(found.left) - _LISTED:,} more.")
    with st.container(horizontal=True):
        turned = found.works and st.button(
            f"{'Undo' if undoes else 'Redo'} the remaining {markup.counted(found.restored, 'record')}",
            type="primary",
            key="turn_rest",
            on_click=_turn,
            args=(last, undoes),
        )
        if st.button("Cancel", key="turn_nothing") or turned:
            st.rerun()


@problems.in_toast()
def _turn(last: _Last, undoes: bool) -> None:
    if user := sign_in.current_user():
        workspace = get_services().workspace(last.workspace)
        undone = undoing.undo(workspace, last.id, user.id or None) if undoes else None
        if undone is None:
            undoing.redo(workspace, last.id)
        state.remember(_LAST, replace(last, undone=undone))
