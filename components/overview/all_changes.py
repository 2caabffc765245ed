"""All that changed between the two dates of a comparison: found by kind and words, page by page, and as a file."""

from collections.abc import Sequence

import streamlit as st

from components import change_files, dates, state
from components.address import View
from components.change_list import every_change
from components.markup import SIGNS, heading, relation
from components.pager import PagePosition, list_filter, pager
from services import cached
from services.agent import get_services
from services.core.models import Change, ChangeKind, Diff
from services.mirror import Mirror
from services.writing import with_origins

_OPEN, _KIND, _TEXT, _OFFSET = "overview_changes_open", "changes_kind", "changes_text", "changes_from"
_PAGE = 50


def kinds(found: Diff) -> ChangeKind | None:
    """Draw how many changes of each kind there are; returns the kind that was clicked."""
    return st.pills(
        "Kind of change",
        [kind for kind, number in found.totals.items() if number],
        format_func=lambda kind: f"{SIGNS[kind][0]} {found.totals[kind]:,} {kind}",
        key=_KIND,
        on_change=_first_page,
        label_visibility="collapsed",
        persist_state="session",
    )


def more_of(workspace: str, view: View, total: int) -> None:
    """The buttons below a short list: for all the changes, and for them as a file."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        label = "Show fewer" if state.remembered(_OPEN) else f"Show all {total:,}"
        st.button(label, key="changes_all", type="tertiary", on_click=_toggle)
        _download(workspace, view)


def all_changes(workspace: str, view: View) -> None:
    """Draw the whole list, where it was asked for; the kind is the one that was clicked beside it."""
    if not view.comparing or not state.remembered(_OPEN):
        return
    heading("All changes", dates.span(view.at.as_of, view.then.as_of))
    list_filter("Search entities, facts and causes", _TEXT, _first_page)
    opened = get_services().workspace(workspace)
    found = changes_of_kind(workspace, view, state.remembered(_KIND))
    words = str(state.remembered(_TEXT) or "").casefold().split()
    if words:
        found = _like(with_origins(opened, found), words)
    offset = state.remembered(_OFFSET, 0)
    offset = offset if offset < len(found) else 0
    shown = found[offset : offset + _PAGE]
    if not shown:
        st.caption("No changes match. Try other words or another kind.")
        return
    pager("changes", "change", PagePosition(offset, _PAGE, len(shown), len(found)), _go_to)
    every_change(shown if words else with_origins(opened, shown), view, page="Overview")


def changes_of_kind(workspace: str, view: View, kind: ChangeKind | None) -> Sequence[Change]:
    """All changes between the two dates of a view; those of one kind, where there are any."""
    changes = cached.ask(Mirror.diff, workspace, view.at, view.then).changes
    return [change for change in changes if change.kind == kind] or changes


def _like(changes: Sequence[Change], words: Sequence[str]) -> Sequence[Change]:
    texts = map(_text_of, changes)
    return [change for change, text in zip(changes, texts, strict=True) if all(word in text for word in words)]


def _text_of(change: Change) -> str:
    fact = change.fact
    return " ".join((fact.source, relation(fact.relation), fact.target, fact.text, change.cause.text)).casefold()


def _download(workspace: str, view: View) -> None:
    st.download_button(
        "CSV",
        lambda: change_files.as_csv(
            with_origins(get_services().workspace(workspace), changes_of_kind(workspace, view, None))
        ),
        f"{workspace}-changes-{view.at.as_of:%Y-%m-%d}-{view.then.as_of:%Y-%m-%d}.csv",
        mime="text/csv",
        key="changes_csv",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
        help="All changes between the two dates",
    )


def _toggle() -> None:
    state.toggle(_OPEN)
    _first_page()


def _go_to(offset: int) -> None:
    state.remember(_OFFSET, max(0, offset))


def _first_page() -> None:
    state.forget(_OFFSET)
