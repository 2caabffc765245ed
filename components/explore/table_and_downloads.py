"""The picture's facts, or what changed among them, as rows: the same without a canvas, and as files."""

from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from typing import Any

import streamlit as st

from components import change_files, state
from components.address import View
from components.explore.explore_view import ExploreView
from components.explore.shown_graph import ShownGraph, roots_of
from components.fact_table import rows, standing
from components.graph_view import exports
from components.lazy_containers import draw_when_open
from services import cached
from services.core import clock
from services.core.errors import AsofError
from services.core.models import Change, Fact, Path
from services.mirror import Mirror

_KEY = "explore_rows"
_STANDING_ORDER = ("holds", "undated", "may have ended", "ended", "not yet", "withdrawn", "not recorded")


def records(
    workspace: str,
    view: View,
    graph: ShownGraph,
    name: str,
    *,
    changes: Sequence[Change] = (),
    path: Path | None = None,
) -> None:
    """An expander with a table whose selection selects in the picture, and the downloads.

    A comparison lists its `changes`, any other picture its facts, those of a `path` first and numbered.
    """
    box = st.expander("Table and downloads", key="explore_records", on_change="rerun", icon=":material/table:")
    if view.comparing:
        draw_when_open(box, _changes, view, graph, name, changes)
    else:
        draw_when_open(box, _facts, workspace, view, graph, name, path)


def _facts(workspace: str, view: View, graph: ShownGraph, name: str, path: Path | None) -> None:
    steps = {fact.uuid: number for number, fact in enumerate(path.facts, 1)} if path else {}
    facts = sorted(_shown(view, graph), key=lambda fact: steps.get(fact.uuid, len(steps) + 1))
    listed = rows(facts, view.at)
    if steps:
        listed = [{"Path": steps.get(fact.uuid), **row} for fact, row in zip(facts, listed, strict=True)]
    _table(listed, facts, "The facts on screen with their dates and status")
    entities = [e for e in graph.entities if e.type not in view.of(ExploreView).hidden_types]
    _downloads(
        f"{name}-{view.at.as_of:%Y-%m-%d}",
        {
            "JSON": ("json", "application/json", lambda: exports.as_json(entities, facts, view.at)),
            "GraphML": ("graphml", "application/xml", lambda: exports.as_graphml(entities, facts, view.at)),
            "CSV": ("csv", "text/csv", lambda: as_csv(workspace, view, graph, facts)),
        },
    )


def _changes(view: View, graph: ShownGraph, name: str, changes: Sequence[Change]) -> None:
    """The changes that the legend leaves in."""
    hidden = _hidden(view, graph)
    shown = [change for change in changes if _is_left_in(change.fact, view, hidden)]
    if not shown:
        st.caption("Nothing in this view changed between the two dates.")
        return
    _table(change_files.rows(shown), [change.fact for change in shown], "The changes on screen with their causes")
    _downloads(
        f"{name}-changes-{view.at.as_of:%Y-%m-%d}-{view.then.as_of:%Y-%m-%d}",
        {
            "JSON": ("json", "application/json", lambda: change_files.as_json(shown)),
            "CSV": ("csv", "text/csv", lambda: change_files.as_csv(shown)),
        },
    )


def _table(listed: Sequence[Mapping[str, Any]], facts: Sequence[Fact], alt: str) -> None:
    st.dataframe(
        listed,
        hide_index=True,
        height=320,
        key=_KEY,
        on_select=lambda: _select(facts),
        selection_mode="single-row",
        alt=alt,
    )


def _hidden(view: View, graph: ShownGraph) -> set[str]:
    return {entity.uuid for entity in graph.entities if entity.type in view.of(ExploreView).hidden_types}


def _is_left_in(fact: Fact, view: View, hidden: Set[str]) -> bool:
    """True for a fact that the legend shows; `hidden` are the entities that it does not."""
    return fact.relation not in view.of(ExploreView).hidden_relations and hidden.isdisjoint(
        (fact.source_uuid, fact.target_uuid)
    )


def _shown(view: View, graph: ShownGraph) -> list[Fact]:
    """The facts that the legend leaves in, what holds first."""
    hidden = _hidden(view, graph)
    return sorted(
        (fact for fact in graph.facts if _is_left_in(fact, view, hidden)),
        key=lambda f: (_STANDING_ORDER.index(standing(f, view.at)), f.source, f.relation, f.valid_at or clock.EARLIEST),
    )


def _select(facts: Sequence[Fact]) -> None:
    chosen = state.remembered(_KEY, {}).get("selection", {}).get("rows", [])
    state.update(ExploreView, roots=roots_of(state.held()), fact=facts[chosen[0]].uuid if chosen else None)


def _downloads(file: str, files: Mapping[str, tuple[str, str, Callable[[], str]]]) -> None:
    """Buttons for files, by their labels: ending, kind and what makes it."""
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
        st.caption("Use the arrow on the graph to save it as PNG.")


def as_csv(workspace: str, view: View, graph: ShownGraph, facts: Sequence[Fact]) -> str:
    """The facts with the types of their ends and the names of their sources, whose uuids stand where none is had."""
    episodes = tuple(dict.fromkeys(uuid for fact in facts for uuid in fact.episodes))
    names: Mapping[str, str] = {}
    with suppress(AsofError):  # made when the file is asked for, where a problem is told in no words of ours
        names = cached.ask(Mirror.episode_names, workspace, episodes)
    return exports.as_csv(graph.entities, facts, view.at, names)
