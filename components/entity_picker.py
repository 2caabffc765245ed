"""Finding one entity by typing a part of its name."""

import streamlit as st

from components import state
from components.explore.explore_view import ExploreView
from components.markup import plain
from components.palette import OTHER, looks_of
from components.timeline.timeline_view import FEW_LANES, TimelineView
from services import cached
from services.core.models import Entity, Instants
from services.mirror import Mirror

_HITS = 10
_KEY, _FOUND = "find_entity", "find_entity_hits"


def entity_picker(workspace: str, *, width: int = 240) -> None:
    """A search box; under it the best hits as buttons, that make one the entity of the view."""
    typed = st.text_input(
        "Find an entity",
        key=_KEY,
        type="search",
        live=True,
        placeholder="Find an entity",
        label_visibility="collapsed",
        icon=":material/search:",
        width=width,
    )
    state.remember(_FOUND, cached.ask(Mirror.find_entities, workspace, typed, _HITS) if typed.strip() else ())


def by_name(workspace: str, view: state.View) -> state.View:
    """The view, with an entity that the address calls by its name under its uuid."""
    if not view.entity or cached.entity(workspace, view.entity):
        return view
    named = cached.ask(Mirror.entities_named, workspace, view.entity)
    return state.update(entity=named[0].uuid) if named else view


def hits(workspace: str) -> None:
    """Draw what the search box found, as a row of buttons."""
    typed, found = state.remembered(_KEY, ""), state.remembered(_FOUND, ())
    if not typed.strip():
        return
    if not found:
        st.caption(f"Nothing is called “{plain(typed)}”.")
        return
    entity_buttons(workspace, found, key=_KEY)


def busiest(workspace: str, at: Instants) -> None:
    """The busiest entities, for those who do not know yet what to look for."""
    if found := cached.ask(Mirror.busiest, workspace, at, _HITS):
        entity_buttons(workspace, [item.entity for item in found], key="busiest")


def entity_buttons(workspace: str, found: tuple[Entity, ...] | list[Entity], *, key: str) -> None:
    """Entities as a row of buttons, each with the mark of its type."""
    looks = looks_of(workspace)
    with st.container(horizontal=True, gap="small", key=f"{key}_row"):
        for entity in found:
            st.button(
                f"{looks.get(entity.type, OTHER).mark} {plain(entity.name)}",
                key=f"{key}_{entity.uuid}",
                help=plain(entity.type) or None,
                on_click=_open,
                args=(entity.uuid, key),
            )


def _open(entity_uuid: str, key: str) -> None:
    state.update(TimelineView, entity=entity_uuid, fact=None, lanes=FEW_LANES)
    state.remember(key, "")


def look_anew(view: state.View, entity_uuid: str, fact_uuid: str | None = None) -> state.View:
    """Return the view of another entity: the picture begins with it, and its timeline is short again."""
    return view.changed(ExploreView, entity=entity_uuid, fact=fact_uuid, roots=()).changed(
        TimelineView, lanes=FEW_LANES
    )
