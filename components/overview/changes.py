"""What changed last before the as-of date, or between the two dates of a comparison."""

import streamlit as st

from components import dates
from components.address import View
from components.change_list import short_change_list
from components.markup import heading
from components.overview.all_changes import changes_of_kind, kinds, more_of
from services import cached
from services.agent import get_services
from services.mirror import Mirror
from services.writing import with_origins

_SHOWN = 11


def latest_changes(workspace: str, view: View) -> None:
    """Draw what changed last before the as-of date, or between two dates when comparing, with causes."""
    if view.comparing:
        _compared(workspace, view)
        return
    heading("Latest changes", f"up to {dates.named(view.as_of, view.at.as_of)}")
    if changes := cached.ask(Mirror.latest_changes, workspace, view.at, limit=18):
        short_change_list(with_origins(get_services().workspace(workspace), changes), view, limit=10, page="Overview")
    else:
        _before_everything(workspace, view)


def _compared(workspace: str, view: View) -> None:
    found = cached.ask(Mirror.diff, workspace, view.at, view.then, limit=2 * _SHOWN)
    heading("What changed", f"{dates.moment(view.at.as_of)} → {dates.moment(view.then.as_of)}")
    total = sum(found.totals.values())
    if not total:
        st.html('<div class="a-sum">Nothing changed.</div>')
        return
    kind = kinds(found)
    changes = changes_of_kind(workspace, view, kind) if kind else found.changes
    first = with_origins(get_services().workspace(workspace), changes[: 2 * _SHOWN])
    short_change_list(first, view, limit=_SHOWN, page="Overview")
    more_of(workspace, view, total)


def _before_everything(workspace: str, view: View) -> None:
    first = cached.ask(Mirror.bounds, workspace)
    start = f" The first fact in this graph starts on {dates.day(first[0])}." if first else ""
    st.markdown(f"No changes before {dates.day(view.at.as_of)}.{start}")
