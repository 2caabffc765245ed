"""What changed between the two sides of a comparison, beside the picture."""

from collections import Counter
from collections.abc import Sequence
from typing import get_args

import streamlit as st

from components import dates, state
from components.address import View
from components.change_list import short_change_list
from components.explore.shown_graph import ShownGraph
from components.markup import counted, link, plain, sign
from services import cached
from services.core.models import Change, ChangeKind
from services.mirror import Mirror

_SHOWN = 12
_ORDER = {"corrected": 0, "re-dated": 0, "ended": 1, "added": 1}
_ALL = "explore_all_changes"


def changes_of(workspace: str, view: View, graph: ShownGraph) -> tuple[Change, ...]:
    """The changes among the facts of the picture; none where the view does not compare."""
    if not view.comparing:
        return ()
    shown = {fact.uuid for fact in (*graph.facts, *(graph.earlier or ()))}
    found = cached.ask(Mirror.diff, workspace, view.at, view.then)
    return tuple(c for c in found.changes if c.fact.uuid in shown or (c.before and c.before.uuid in shown))


def changes_panel(workspace: str, view: View, changes: Sequence[Change]) -> None:
    """Draw the list of the picture's changes; only those of the selected entity where there is one."""
    st.html(
        f'<span class="a-muted a-sm">Changes in this view</span>'
        f'<div class="a-big" role="heading" aria-level="2">{dates.span(view.at.as_of, view.then.as_of)}</div>'
        f"{_clocks(view)}{_counts(workspace, view, changes)}"
    )
    if not changes:
        st.markdown("Nothing in this view changed between the two dates.")
        return
    about = _about(workspace, view, changes) if view.entity else changes
    ordered = sorted(about, key=lambda c: (_ORDER[c.kind], c.at is None, c.at))
    everything = state.remembered(_ALL, False)
    if ordered:
        short_change_list(ordered, view, limit=len(ordered) if everything else _SHOWN, page="Explore")
    if len(ordered) > _SHOWN:
        label = "Show fewer" if everything else f"Show all {len(ordered):,}"
        st.button(label, key="more_changes", type="tertiary", on_click=state.remember, args=(_ALL, not everything))


def _about(workspace: str, view: View, changes: Sequence[Change]) -> list[Change]:
    """Return the changes of the selected entity; say how many there are, and offer those of the whole picture."""
    about = [change for change in changes if view.entity in {change.fact.source_uuid, change.fact.target_uuid}]
    entity = cached.entity(workspace, view.entity)
    name = plain(entity.name) if entity else "the selected entity"
    of = f"Showing only changes that involve {name}: {len(about):,} of {counted(len(changes), 'change')} in this view."
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(of if about else f"Nothing about {name} changed between the two dates.")
        label = f"Show all {len(changes):,} in this view"
        st.button(label, key="all_changes", type="tertiary", on_click=state.go, kwargs={"entity": None})
    return about


def _counts(workspace: str, view: View, changes: Sequence[Change]) -> str:
    """Return how many changes of each kind the picture has, as its legend counts, and how many the whole graph has."""
    kinds = Counter(change.kind for change in changes)
    signs = " ".join(f"{sign(kind)} {kinds[kind]:,} {kind}" for kind in get_args(ChangeKind) if kinds[kind]) or "none"
    total = sum(cached.ask(Mirror.diff, workspace, view.at, view.then).totals.values())
    if total <= len(changes):
        return f'<div class="a-sm">{signs}</div>'
    whole = link("Overview", f"{counted(total, 'change')} in the whole graph", view, css="a-link")
    return f'<div class="a-sm">{signs} <span class="a-muted">of</span> {whole}</div>'


def _clocks(view: View) -> str:
    if view.to_known is None:
        return ""
    return f'<div class="a-muted a-sm">as known on {dates.span(view.at.known_at, view.then.known_at)}</div>'
