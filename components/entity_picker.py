"""The entity of the view: by its name in the address, and by buttons for those that one may start from."""

import streamlit as st

from components import state
from components.address import View
from components.explore.explore_view import ExploreView
from components.markup import plain
from components.palette import OTHER, looks_of
from components.timeline.timeline_view import FEW_LANES, TimelineView
from services import cached
from services.core.models import Entity, Instants
from services.mirror import Mirror

_HITS = 10


def by_name(workspace: str, view: View) -> View:
    """The view, with an entity that the address calls by its name under its uuid."""
    if not view.entity or cached.entity(workspace, view.entity):
        return view
    named = cached.ask(Mirror.entities_named, workspace, view.entity)
    return state.update(entity=named[0].uuid) if named else view


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
                on_click=open_entity,
                args=(entity.uuid,),
            )


def open_entity(entity_uuid: str) -> None:
    """Make an entity that of the view: the picture begins with it, and its timeline is short; for callbacks."""
    state.update(ExploreView, entity=entity_uuid, fact=None, roots=())
    state.update(TimelineView, lanes=FEW_LANES)


def look_anew(view: View, entity_uuid: str, fact_uuid: str | None = None) -> View:
    """Return the view of another entity: the picture begins with it, and its timeline is short again."""
    return view.changed(ExploreView, entity=entity_uuid, fact=fact_uuid, roots=()).changed(
        TimelineView, lanes=FEW_LANES
    )
