"""Correcting an entity wherever it is shown: its name, type and summary, a merge with another one, or its deletion."""

from functools import partial

import streamlit as st

from components import change_preview, confirm, link_clicks, state, undo_banner
from components.buttons import pencil
from components.explore.entity_box import entity_box
from components.fact_actions import deleted, reason, why
from components.markup import counted, note, plain, text
from services import cached
from services.agent import get_services
from services.core import clock
from services.core.models import Entity
from services.mirror import Mirror
from services.writing import Scope, corrections

_MEANS = {
    "Edit": "It can still be found under its old name.",
    "Merge": "Facts and mentions move to the entity you keep. You can find it under either name.",
    "Delete": "Removes the entity and its facts completely, from history too.",
}


def entity_menu(workspace: str, entity: Entity, *, key: str = "correct_entity", label: str = "Edit entity") -> None:
    """The pencil that opens the form."""
    if pencil(label, key):
        _open(workspace, entity)


def asked_for(workspace: str) -> None:
    """Open the form for the entity that a link asked for, once; called before `fact_actions.asked_for`."""
    if found := cached.entity(workspace, state.remembered(link_clicks.CORRECT)):
        state.forget(link_clicks.CORRECT)
        _open(workspace, found)


def _open(workspace: str, entity: Entity) -> None:
    state.forget("merge_with")
    correct(workspace, entity)


@confirm.dialog("Edit entity", width="medium")
def correct(workspace: str, entity: Entity) -> None:
    """The form: what to do, with what, and why."""
    types = ", ".join(entity.types) or "no type"
    st.html(f'<div><b>{text(entity.name)}</b> <span class="a-muted">{text(types)}</span></div>')
    action = st.segmented_control(
        "Action",
        list(_MEANS),
        default="Edit",
        required=True,
        key=f"action_{entity.uuid}",
        label_visibility="collapsed",
        on_change=confirm.fresh,
    )
    st.caption(_MEANS[action])
    {"Edit": _edit, "Merge": _merge, "Delete": _delete}[action](workspace, entity)


def _edit(workspace: str, entity: Entity) -> None:
    st.text_input("Name", entity.name, key=f"name_{entity.uuid}")
    known = [t.name for t in cached.ask(Mirror.types, workspace) if t.name]
    options = list(dict.fromkeys([*entity.types, *known]))
    st.multiselect("Types", options, list(entity.types), key=f"types_{entity.uuid}", accept_new_options=True)
    st.text_area("Summary", entity.summary, key=f"summary_{entity.uuid}", height=90)
    why(entity.uuid)
    confirm.change(
        "Save",
        workspace,
        f"{entity.name} corrected",
        lambda opened, user: corrections.edit_entity(
            opened, entity, _typed(entity), note=reason(entity.uuid), user_id=user
        ),
    )


def _typed(entity: Entity) -> corrections.EntityChanges:
    held = corrections.changes_of_entity(entity)
    return corrections.EntityChanges(
        str(state.remembered(f"name_{entity.uuid}", held.name)),
        tuple(state.remembered(f"types_{entity.uuid}", held.types)),
        str(state.remembered(f"summary_{entity.uuid}", held.summary)),
    )


def _merge(workspace: str, entity: Entity) -> None:
    entity_box(workspace, "Merge with", partial(state.remember, "merge_with"), key="merge_find", width=360)
    found = cached.entity(workspace, state.remembered("merge_with"))
    if found and found.uuid != entity.uuid:
        _merge_form(workspace, entity, found)


def _merge_form(workspace: str, kept: Entity, gone: Entity) -> None:
    """Draw which of the two is kept, what moves, and why."""
    both = {kept.uuid: kept, gone.uuid: gone}
    counts = {uuid: len(cached.ask(Mirror.history, workspace, uuid)) for uuid in both}
    key = f"keep_{kept.uuid}_{gone.uuid}"
    chosen = st.radio(
        "Keep",
        list(both),
        key=key,
        format_func=lambda uuid: (
            f"{plain(both[uuid].name)} · {plain(both[uuid].type or 'no type')} · {counted(counts[uuid], 'fact')}"
        ),
    )
    other = next(uuid for uuid in both if uuid != chosen)
    between = sum(
        {f.source_uuid, f.target_uuid} == {kept.uuid, gone.uuid} for f in cached.ask(Mirror.history, workspace, other)
    )
    loops = f" {counted(between, 'fact')} between the two will link the entity to itself." if between else ""
    note(
        f"<b>{counted(counts[other], 'fact')}</b> and all mentions move to <b>{text(both[chosen].name)}</b>. "
        f"Searching for “{text(both[other].name)}” will find it.{loops}"
    )
    why(kept.uuid)
    confirm.answers("Merge", _merged, workspace, kept, gone, key)


merge = confirm.dialog("Merge two entities", width="medium")(_merge_form)


def _merged(workspace: str, kept: Entity, gone: Entity, key: str) -> None:
    if state.remembered(key) == gone.uuid:
        kept, gone = gone, kept
    why_merged = reason(kept.uuid) or reason(gone.uuid)
    undo_banner.do(
        workspace,
        f"{gone.name} merged into {kept.name}",
        lambda opened, user: corrections.merge_entities(opened, gone, kept, note=why_merged, user_id=user),
    )


def _delete(workspace: str, entity: Entity) -> None:
    asked = Scope(entities=frozenset({entity.uuid}))
    opened = get_services().workspace(workspace)
    with change_preview.being_made():
        found = corrections.preview_delete(opened, asked)
    change_preview.going(found)
    if mentioned := opened.mirror.mentions((entity.uuid,), clock.now()).get(entity.uuid):
        st.caption(
            f"{counted(mentioned.count, 'source')} will no longer mention this entity. Source texts do not change."
        )
    why(entity.uuid)
    confirm.answers("Delete", deleted, workspace, entity.name, asked, found, entity.uuid)
