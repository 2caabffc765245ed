"""What changed last before the as-of date, or between the two dates of a comparison."""

import streamlit as st

from components import dates
from components.change_list import short_change_list
from components.markup import heading, sign
from components.state import View
from services import cached
from services.agent import get_services
from services.mirror import Mirror
from services.writing import with_origins


def latest_changes(workspace: str, view: View) -> None:
    """Draw what changed last before the as-of date, or between two dates when comparing, with causes."""
    if view.comparing:
        _compared(workspace, view)
        return
    heading("Last changes", f"up to {dates.named(view.as_of, view.at.as_of)}")
    if changes := cached.ask(Mirror.latest_changes, workspace, view.at, limit=18):
        short_change_list(with_origins(get_services().workspace(workspace), changes), view, limit=10, page="Overview")
    else:
        _before_everything(workspace, view)


def _compared(workspace: str, view: View) -> None:
    diff = cached.ask(Mirror.diff, workspace, view.at, view.then, limit=22)
    heading("What changed", f"{dates.moment(view.at.as_of)} → {dates.moment(view.then.as_of)}")
    counts = " ".join(f"{sign(kind)} {number:,} {kind}" for kind, number in diff.totals.items() if number)
    st.html(f'<div class="a-sum">{counts or "Nothing changed."}</div>')
    short_change_list(with_origins(get_services().workspace(workspace), diff.changes), view, limit=11, page="Overview")


def _before_everything(workspace: str, view: View) -> None:
    first = cached.ask(Mirror.bounds, workspace)
    start = f" The first fact in this graph begins on {dates.day(first[0])}." if first else ""
    st.markdown(f"Nothing had changed by {dates.day(view.at.as_of)}.{start}")
