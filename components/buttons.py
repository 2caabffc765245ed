"""Buttons that several pages draw alike."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from components import state


def icon_button(
    key: str, label: str, icon: str, on_click: Callable[..., None], *args: Any, disabled: bool = False, **kwargs: Any
) -> None:
    """A button that shows its icon alone; the stylesheet keeps the label for screen readers."""
    with st.container(key=f"icon_{key}", width="content"):
        st.button(
            label,
            icon=icon,
            help=label,
            key=key,
            type="tertiary",
            disabled=disabled,
            on_click=on_click,
            args=args,
            kwargs=kwargs,
        )


def pencil(label: str, key: str) -> bool:
    """A button that shows a pencil, in a list once the row has the mouse or the focus; its name is for readers."""
    with st.container(key=f"pencil_{key}", width="content"):
        return st.button(label, icon=":material/edit:", help=label, key=key, type="tertiary")


def show_more(key: str, kept: str, value: Any, *, label: str = "Show more") -> None:
    """A button below a list that keeps in the session, as `kept`, how much of it to show from then on."""
    st.button(
        label, key=key, type="tertiary", icon=":material/expand_more:", on_click=state.remember, args=(kept, value)
    )
