"""A box that completes the names of entities as one types."""

from collections.abc import Callable

import streamlit as st

from components import state
from components.markup import plain
from components.palette import OTHER, looks_of
from services import cached
from services.mirror import Mirror

_OFFERED = 2000


def entity_box(workspace: str, placeholder: str, on_pick: Callable[[str], None], *, key: str, width: int = 270) -> None:
    """Completes in the browser, the busiest entities first; `on_pick` gets the uuid, and the box is empty again.

    A larger workspace offers its busiest entities only, and any other name may be typed out.
    """
    offered = {e.uuid: e for e in cached.ask(Mirror.find_entities, workspace, "", _OFFERED)}
    looks = looks_of(workspace)

    def name(uuid: str) -> str:
        if uuid not in offered:
            return uuid
        return f"{looks.get(offered[uuid].type, OTHER).mark} {offered[uuid].name}"

    st.selectbox(
        placeholder,
        list(offered),
        index=None,
        format_func=name,
        key=key,
        placeholder=placeholder,
        label_visibility="collapsed",
        icon=":material/search:",
        accept_new_options=len(offered) >= _OFFERED,
        width=width,
        on_change=_picked,
        args=(workspace, key, on_pick),
    )


def _picked(workspace: str, key: str, on_pick: Callable[[str], None]) -> None:
    """A uuid was picked, or a name typed out."""
    picked = state.remembered(key)
    state.remember(key, None)
    if not picked:
        return
    found = cached.entity(workspace, picked) or next(iter(cached.ask(Mirror.find_entities, workspace, picked, 1)), None)
    if found:
        on_pick(found.uuid)
    else:
        st.toast(f"No entity matches “{plain(picked)}”.")
