"""The graph view on the Explore page: what it shows of a view, and what the viewer's actions do to the view."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import streamlit as st

from components import link_clicks, state
from components.address import View
from components.explore import path_finder
from components.explore.explore_view import ExploreView
from components.explore.group_panel import show_group
from components.explore.shown_graph import ShownGraph, roots_of
from components.graph_view import Control, Picture, PictureCommunity, Selection, graph_view
from components.graph_view.network import network_of
from components.palette import COLOURS, OTHER, looks_of
from services import cached
from services.core import clock
from services.core.models import Change, Path
from services.mirror import Mirror

KEY, PANEL = "graph", "explore_panel"
_COMMUNITIES = 12
_PINNED = "explore_pinned"


def canvas(
    workspace: str,
    label: str,
    view: View,
    graph: ShownGraph,
    *,
    changes: Sequence[Change] = (),
    path: Path | None = None,
) -> None:
    """Draw the picture of a view; `changes` are those between the two sides of a comparison."""
    first, last = cached.ask(Mirror.bounds, workspace) or (clock.now(), clock.now())
    earlier = (view.at.known_at, graph.earlier) if graph.earlier is not None else None
    instants = (view.known_at, view.to_known, graph.digest)
    picture = Picture(
        network=_network(workspace, str(instants), graph, view.then.known_at, earlier),
        looks=looks_of(workspace),
        layout=graph.layout,
        first=first,
        last=max(last, clock.now().replace(hour=0, minute=0, second=0, microsecond=0)),
        total=graph.total,
        caption=label,
        communities=_communities(workspace, graph),
        parameters=tuple(sorted(View.names() | ExploreView.names())),
        copied=link_clicks.copied_words(),
        panel=f".st-key-{PANEL}",
    )
    left_out = view.of(ExploreView)
    control = Control(
        as_of=view.at.as_of,
        to=view.then.as_of if view.comparing else None,
        selected=_selection(view),
        marks=_marks(changes),
        path=tuple(fact.uuid for fact in path.facts) if path else (),
        pinned=tuple(state.remembered(_PINNED, ())),
        hidden=left_out.hidden,
        hidden_types=left_out.hidden_types,
        hidden_relations=left_out.hidden_relations,
        roots=graph.roots,
        unfolded=left_out.unfolded,
        grouped=left_out.by_community,
    )
    graph_view(picture, control, key=KEY, on_event=take)


@st.cache_resource(ttl=timedelta(hours=1), max_entries=64, show_spinner=False)
def _network(workspace: str, content: str, _graph: ShownGraph, _known_at: datetime, _earlier: Any) -> str:
    """The network as JSON, kept under the content's digest, so that a click does not build it again."""
    del content
    uuids = tuple(entity.uuid for entity in _graph.entities)
    return json.dumps(
        network_of(
            _graph.entities,
            _graph.facts,
            _graph.places,
            looks_of(workspace),
            known_at=_known_at,
            begun=cached.ask(Mirror.first_begun, workspace, uuids, _known_at),
            earlier=_earlier,
            folds=_graph.folds,
        )
    )


def _communities(workspace: str, graph: ShownGraph) -> tuple[PictureCommunity, ...]:
    """Return the communities in a picture, those with the most members in it first; the first few have a colour."""
    shown = set(graph.places)
    parts = [
        (community, tuple(uuid for uuid in community.member_uuids if uuid in shown))
        for community in cached.ask(Mirror.communities, workspace)
    ]
    parts = sorted((part for part in parts if part[1]), key=lambda part: (-len(part[1]), part[0].name))[:_COMMUNITIES]
    colours = (*COLOURS, *((OTHER.light, OTHER.dark),) * len(parts))
    return tuple(
        PictureCommunity(community.uuid, community.name, members, light, dark)
        for (community, members), (light, dark) in zip(parts, colours, strict=False)
    )


def _selection(view: View) -> Selection | None:
    if view.fact:
        return Selection("fact", view.fact)
    return Selection("entity", view.entity) if view.entity else None


def _marks(changes: Sequence[Change]) -> dict[str, str]:
    """Return the corrections by uuid: dates alone do not tell them. A record that was replaced is not drawn."""
    marks: dict[str, str] = {}
    for change in changes:
        if change.kind not in {"corrected", "re-dated"}:
            continue
        marks[change.fact.uuid] = change.kind
        if change.before and change.after and change.before.uuid != change.after.uuid:
            marks[change.before.uuid] = "not yet"
    return marks


# -- what the viewer does


def take(kind: str, value: Any) -> None:
    """Change the view as one action of the viewer asks."""
    if action := _ACTIONS.get(kind):
        action(value)


def _select(value: Mapping[str, str] | None) -> None:
    state.update(ExploreView, roots=roots_of(state.held()), **_selected(value))


def _move_time(value: Mapping[str, float | None]) -> None:
    comparing = state.held().comparing
    state.update(as_of=_instant(value["as_of"]), **({"to": _instant(value["to"])} if comparing else {}))


def _filter(value: Mapping[str, Sequence[str]]) -> None:
    types, relations = tuple(sorted(value["types"])), tuple(sorted(value["relations"]))
    state.update(ExploreView, hidden_types=types, hidden_relations=relations)


def _pin(value: Sequence[str]) -> None:
    state.remember(_PINNED, tuple(value))


def _hide(value: Sequence[str]) -> None:
    state.update(ExploreView, roots=roots_of(state.held()), hidden=tuple(sorted(value)))


def _fold(value: bool) -> None:
    state.update(ExploreView, unfolded=not value)


def _group(value: bool) -> None:
    state.update(ExploreView, by_community=value)


def _go_to_step(step: Mapping[str, Sequence[str]]) -> None:
    """Show the picture as it was before an action, or after it."""
    state.remember(_PINNED, tuple(step["pinned"]))
    state.update(
        ExploreView,
        roots=tuple(step["roots"]),
        hidden=tuple(sorted(step["hidden"])),
        hidden_types=tuple(sorted(step["types"])),
        hidden_relations=tuple(sorted(step["relations"])),
    )


def expand(entity_uuid: str) -> None:
    """Add an entity's neighbours to the picture."""
    roots = roots_of(state.held())
    state.update(
        ExploreView,
        roots=(*roots, entity_uuid) if entity_uuid not in roots[1:] else roots,
        entity=entity_uuid,
        fact=None,
        group=None,
    )


def _show_only(entity_uuid: str) -> None:
    """Begin the picture anew from one entity."""
    state.update(ExploreView, roots=(entity_uuid,), entity=entity_uuid, fact=None, group=None, hidden=())


def _open_timeline(entity_uuid: str) -> None:
    state.update(ExploreView, entity=entity_uuid, fact=None, group=None, roots=())
    link_clicks.go_to("Timeline")


def _find_path(ends: Mapping[str, str | None]) -> None:
    if start := ends["from"]:
        path_finder.find(start, ends["to"])


def _selected(value: Mapping[str, str] | None) -> dict[str, str | None]:
    if value is None:
        return {"entity": None, "fact": None, "group": None}
    if value["kind"] == "fact":
        return {"fact": value["uuid"]}
    return {"entity": value["uuid"], "fact": None, "group": None}


def _instant(milliseconds: float | None) -> datetime | None:
    return None if milliseconds is None else datetime.fromtimestamp(round(milliseconds / 1000), UTC)


_ACTIONS: Mapping[str, Callable[[Any], None]] = {
    "select": _select,
    "expand": expand,
    "only": _show_only,
    "timeline": _open_timeline,
    "path": _find_path,
    "time": _move_time,
    "filters": _filter,
    "pin": _pin,
    "hide": _hide,
    "fold": _fold,
    "group": _group,
    "community": show_group,
    "step": _go_to_step,
}
