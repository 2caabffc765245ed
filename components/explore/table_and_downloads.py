"""The picture's facts as rows: the same without a canvas, and as files."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

import streamlit as st

from components import state
from components.explore.explore_view import ExploreView
from components.explore.shown_graph import ShownGraph, roots_of
from components.fact_table import rows, standing
from components.graph_view import exports
from components.lazy_containers import draw_when_open
from services import cached
from services.core import clock
from services.core.errors import AsofError
from services.core.models import Fact
from services.mirror import Mirror

_KEY = "explore_rows"
_STANDING_ORDER = ("holds", "undated", "may have ended", "ended", "not yet", "withdrawn", "not recorded")


def records(workspace: str, view: state.View, graph: ShownGraph, name: str) -> None:
    """An expander with a table whose selection selects in the picture, and the downloads."""
    box = st.expander("Table and downloads", key="explore_records", on_change="rerun", icon=":material/table:")
    draw_when_open(box, _table, workspace, view, graph, name)


def _table(workspace: str, view: state.View, graph: ShownGraph, name: str) -> None:
    facts = _shown(view, graph)
    st.dataframe(
        rows(facts, view.at),
        hide_index=True,
        height=320,
        key=_KEY,
        on_select=lambda: _select(facts),
        selection_mode="single-row",
        alt="The facts on screen with their dates and status",
    )
    _downloads(workspace, view, graph, facts, name)


def _shown(view: state.View, graph: ShownGraph) -> list[Fact]:
    """The facts that the legend leaves in, what holds first."""
    left_out = view.of(ExploreView)
    hidden = {entity.uuid for entity in graph.entities if entity.type in left_out.hidden_types}
    kept = [
        fact
        for fact in graph.facts
        if fact.relation not in left_out.hidden_relations and not {fact.source_uuid, fact.target_uuid} & hidden
    ]
    return sorted(
        kept,
        key=lambda f: (_STANDING_ORDER.index(standing(f, view.at)), f.source, f.relation, f.valid_at or clock.EARLIEST),
    )


def _select(facts: Sequence[Fact]) -> None:
    chosen = state.remembered(_KEY, {}).get("selection", {}).get("rows", [])
    state.update(ExploreView, roots=roots_of(state.held()), fact=facts[chosen[0]].uuid if chosen else None)


def _downloads(workspace: str, view: state.View, graph: ShownGraph, facts: Sequence[Fact], name: str) -> None:
    file = f"{name}-{view.at.as_of:%Y-%m-%d}"
    entities = [e for e in graph.entities if e.type not in view.of(ExploreView).hidden_types]
    files = {
        "JSON": ("json", "application/json", lambda: exports.as_json(entities, facts, view.at)),
        "GraphML": ("graphml", "application/xml", lambda: exports.as_graphml(entities, facts, view.at)),
        "CSV": ("csv", "text/csv", lambda: as_csv(workspace, view, graph, facts)),
    }
    with st.container(horizontal=True, vertical_alignment="center"):
        for label, (suffix, mime, make) in files.items():
            st.download_button(
                label,
                make,
                f"{file}.{suffix}",
                mime,
                key=f"download_{suffix}",
                on_click="ignore",
                icon=":material/download:",
            )
        st.caption("The arrow on the graph saves it as PNG.")


def as_csv(workspace: str, view: state.View, graph: ShownGraph, facts: Sequence[Fact]) -> str:
    """The facts with the types of their ends and the names of their sources, whose uuids stand where none is had."""
    episodes = tuple(dict.fromkeys(uuid for fact in facts for uuid in fact.episodes))
    names: Mapping[str, str] = {}
    with suppress(AsofError):  # made when the file is asked for, where a problem is told in no words of ours
        names = cached.ask(Mirror.episode_names, workspace, episodes)
    return exports.as_csv(graph.entities, facts, view.at, names)
