"""What the picture shows: the entities it has grown from, what is near them, and where everything stands."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product

import streamlit as st

from components.address import View
from components.explore.explore_view import ExploreView
from components.graph_view.folding import Fold, folded_uuids, folds_of
from components.graph_view.layout import Places, place
from services import cached
from services.core.models import Entity, Fact, Path, Subgraph
from services.mirror import Mirror

OVERVIEW = "*"
"""The root of a picture that started from the whole graph's best-connected part."""

_SHOWN = 300
_SHOWN_OF_AN_EXPANSION = 60
_MOST = 2000


@dataclass(frozen=True, slots=True)
class ShownGraph:
    """The entities and facts of a picture.

    `facts` are as known at the view's (second) record instant, `earlier` as known at the first where the two differ.
    `total` counts the entities that the picture was cut from. `layout` names the arrangement, `digest` the content.
    Entities in `folds` are drawn as letters on what hangs on them.
    """

    roots: tuple[str, ...]
    entities: tuple[Entity, ...]
    facts: tuple[Fact, ...]
    earlier: tuple[Fact, ...] | None
    total: int
    places: Places
    layout: str
    digest: str
    folds: tuple[Fold, ...] = ()


def roots_of(view: View) -> tuple[str, ...]:
    """Return what the picture grows from: as the address says, else the selected entity, else the whole graph."""
    return view.of(ExploreView).roots or ((view.entity,) if view.entity else (OVERVIEW,))


def shown_graph(workspace: str, view: View, path: Path | None = None) -> ShownGraph:
    """The picture of a view. What is selected is always in it, as a further root if need be, and so is `path`."""
    roots = roots_of(view)
    if not view.of(ExploreView).roots and view.entity and not cached.entity(workspace, view.entity):
        roots = (OVERVIEW,)
    graph = _grown(workspace, view, roots, path)
    fact = cached.fact(workspace, view.fact)
    wanted = fact.source_uuid if fact else view.entity
    if wanted and wanted not in graph.places and cached.entity(workspace, wanted):
        graph = _grown(workspace, view, (*roots_of(view), wanted), path)
    return graph


def _grown(workspace: str, view: View, roots: tuple[str, ...], path: Path | None) -> ShownGraph:
    """Take root after root: each brings its neighbours, which settle around what stands already."""
    entities: dict[str, Entity] = {}
    places: Places = {}
    folds: tuple[Fold, ...] = ()
    digest, total = "", 0
    # A comparison of two record dates also shows what was withdrawn in between.
    record_dates = (view.then.known_at, view.at.known_at) if view.to_known else (view.then.known_at,)
    for root, known_at in product(roots, record_dates):
        part = _part(workspace, view, root, known_at, first=root == roots[0])
        entities |= {e.uuid: e for e in part.entities if len(entities) < _MOST or e.uuid in entities}
        total = max(total, part.total_entities)
        joined, folds = _with_values(workspace, view, entities, known_at, (*roots, *(path.uuids if path else ())))
        entities |= joined
        digest, places = _placed(digest, entities, part.facts, places, folded_uuids(folds))
    if path and (new := [e for e in path.entities if e.uuid not in entities]):
        entities |= {e.uuid: e for e in new}
        digest, places = _placed(digest, entities, path.facts, places, frozenset())
    uuids = tuple(entities)
    facts = cached.ask(Mirror.between, workspace, uuids, view.then.known_at)
    earlier = cached.ask(Mirror.between, workspace, uuids, view.at.known_at) if view.to_known else None
    everything = _digest(digest, (*(f.uuid for f in (*facts, *(earlier or ()))), *folded_uuids(folds)))
    shown = tuple(entities.values())
    layout = _layout(workspace, view, roots[0])
    return ShownGraph(roots, shown, facts, earlier, max(total, len(entities)), places, layout, everything, folds)


def _layout(workspace: str, view: View, root: str) -> str:
    """Return the name of the arrangement: while it stays, what is drawn keeps its places."""
    reach = view.of(ExploreView)
    return f"{workspace}|{root}" if root == OVERVIEW else f"{workspace}|{root}|{reach.hops}|{reach.unfolded}"


def _with_values(
    workspace: str, view: View, entities: Mapping[str, Entity], known_at: datetime, kept: Collection[str]
) -> tuple[dict[str, Entity], tuple[Fold, ...]]:
    """Return the common values that are folded in a picture, also those that the walk did not reach, and the folds."""
    common = cached.ask(Mirror.common_values, workspace)
    if not common:
        return {}, ()
    values = {e.uuid: e for e in cached.ask(Mirror.entities, workspace, tuple(value.uuid for value in common))}
    all_of_them = {**entities, **values}
    facts = cached.ask(Mirror.between, workspace, tuple(all_of_them), known_at)
    selected = cached.fact(workspace, view.fact)
    seen = (view.entity, *((selected.target_uuid,) if selected else ()), *kept)
    folds = folds_of(common, tuple(all_of_them.values()), facts, seen)
    touched = {uuid for fact in facts if fact.source_uuid in entities for uuid in (fact.source_uuid, fact.target_uuid)}
    return {uuid: values[uuid] for uuid in folded_uuids(folds) & touched}, folds


def _part(workspace: str, view: View, root: str, known_at: datetime, *, first: bool) -> Subgraph:
    if root == OVERVIEW:
        return cached.ask(Mirror.overview, workspace, known_at, _SHOWN)
    asked = view.of(ExploreView)
    hops, limit = (asked.hops, _SHOWN) if first else (1, _SHOWN_OF_AN_EXPANSION)
    closed = () if asked.unfolded else tuple(value.uuid for value in cached.ask(Mirror.common_values, workspace))
    return cached.ask(Mirror.neighbourhood, workspace, root, known_at, hops=hops, limit=limit, closed=closed)


def _placed(
    before: str, entities: Mapping[str, Entity], facts: Sequence[Fact], fixed: Places, folded: frozenset[str]
) -> tuple[str, Places]:
    """Place what is new: first what is drawn, as though the folded values were not there, then these."""
    digest = _digest(before, (*entities, *(fact.uuid for fact in facts), *folded))
    drawn = tuple(entity for uuid, entity in entities.items() if uuid not in folded or uuid in fixed)
    places = _places(digest, drawn, facts, fixed)
    return digest, _places(f"{digest}+", tuple(entities.values()), facts, places) if folded else places


@st.cache_resource(ttl=timedelta(hours=1), max_entries=128, show_spinner=False)
def _places(digest: str, _entities: Sequence[Entity], _facts: Sequence[Fact], _fixed: Places) -> Places:  # noqa: ARG001
    return place(_entities, _facts, _fixed)


def _digest(before: str, uuids: Iterable[str]) -> str:
    found = hashlib.sha256(before.encode())
    for uuid in uuids:
        found.update(uuid.encode())
    return found.hexdigest()[:24]
