"""What changed between the two sides of a comparison, beside the picture."""

from collections.abc import Sequence

import streamlit as st

from components import dates, state
from components.change_list import short_change_list
from components.explore.shown_graph import ShownGraph
from components.markup import counted
from services import cached
from services.core.models import Change
from services.mirror import Mirror

_SHOWN = 12
_ORDER = {"corrected": 0, "re-dated": 0, "ended": 1, "added": 1}
_ALL = "explore_all_changes"


def changes_of(workspace: str, view: state.View, graph: ShownGraph) -> tuple[Change, ...]:
    """The changes among the facts of the picture; none where the view does not compare."""
    if not view.comparing:
        return ()
    shown = {fact.uuid for fact in (*graph.facts, *(graph.earlier or ()))}
    found = cached.ask(Mirror.diff, workspace, view.at, view.then)
    return tuple(c for c in found.changes if c.fact.uuid in shown or (c.before and c.before.uuid in shown))


def changes_panel(view: state.View, changes: Sequence[Change]) -> None:
    """Draw the list; only those of the selected entity where there is one."""
    about = [c for c in changes if view.entity in {c.fact.source_uuid, c.fact.target_uuid}] if view.entity else changes
    st.html(
        f'<span class="a-muted a-sm">What changed</span><div class="a-big" role="heading" aria-level="2">'
        f"{dates.span(view.at.as_of, view.then.as_of)}</div>{_clocks(view)}"
    )
    if view.entity:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{len(about):,} of {counted(len(changes), 'change')} concern the selected entity.")
            st.button("All", key="all_changes", type="tertiary", on_click=state.go, kwargs={"entity": None})
    if not about:
        st.markdown("Nothing changed between the two dates in this picture.")
        return
    ordered = sorted(about, key=lambda c: (_ORDER[c.kind], c.at is None, c.at))
    everything = state.remembered(_ALL, False)
    short_change_list(ordered, view, limit=len(ordered) if everything else _SHOWN, page="Explore")
    if len(ordered) > _SHOWN:
        label = "Show fewer" if everything else f"Show all {len(ordered):,}"
        st.button(label, key="more_changes", type="tertiary", on_click=state.remember, args=(_ALL, not everything))


def _clocks(view: state.View) -> str:
    if view.to_known is None:
        return ""
    return f'<div class="a-muted a-sm">as known on {dates.span(view.at.known_at, view.then.known_at)}</div>'
