"""What this session keeps: the view, which its address has too, and values that are no part of it.

The only module that touches `st.session_state` and `st.query_params`. The address wins, so a link opens the same view;
the session carries the view over a change of page, which drops the address's parameters.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import streamlit as st

from components.address import AddressPart, View, end_of_minute, parameters_of, view_of, view_parameters

_VIEW = "view"


def view() -> View:
    """The view of this run, read from the address, else from the session."""
    address = st.query_params.to_dict()
    current = view_of(address) if view_parameters() & address.keys() else _kept() or View()
    _keep(current)
    return current


def held() -> View:
    """The view as the last action left it, which is what a callback goes on from.

    The browser sends the address that it has: of two quick clicks, the second comes with the one from before the first.
    """
    return _kept() or view()


def _kept() -> View | None:
    """The view of the session, looked at now."""
    kept: View | None = st.session_state.get(_VIEW)
    return kept and replace(kept, now=end_of_minute())


def update(page: type[AddressPart] | None = None, /, **changes: Any) -> View:
    """Change parts of the view, as `View.changed` does; for callbacks, before the script runs again."""
    current = held().changed(page, **changes)
    _keep(current)
    return current


def go(page: type[AddressPart] | None = None, /, **changes: Any) -> None:
    """`update` as a widget's callback."""
    update(page, **changes)


def follow(address: Mapping[str, str]) -> None:
    """Take over the view that an address asks for."""
    _keep(view_of(address))


def open_workspace(name: str | None) -> None:
    """Go to another workspace at the same instants, with nothing selected or left out; for callbacks."""
    now = held()
    _keep(View(name, as_of=now.as_of, known_at=now.known_at, to=now.to, to_known=now.to_known))


def _keep(current: View) -> None:
    st.session_state[_VIEW] = current
    ours, address = view_parameters(), st.query_params.to_dict()
    wanted = {k: v for k, v in address.items() if k not in ours} | parameters_of(current)
    if address != wanted:
        st.query_params.from_dict(wanted)


def remembered(key: str, default: Any = None) -> Any:
    """A value of this session that is no part of the view (a pinned entity, an upload under way)."""
    return st.session_state.get(key, default)


def remembered_by(*beginnings: str) -> Mapping[str, Any]:
    """The values of this session by their keys, of those that begin with one of these."""
    return {str(key): value for key, value in st.session_state.items() if str(key).startswith(beginnings)}


def remember(key: str, value: Any) -> None:
    """Keep a value for this session, or preset the widget of that key before it is drawn."""
    st.session_state[key] = value


def forget(*keys: str) -> None:
    """Drop values of this session."""
    for key in keys:
        st.session_state.pop(key, None)


def pop(key: str) -> Any:
    """Return a value of this session, if there is one, and drop it."""
    return st.session_state.pop(key, None)


def toggle(key: str, value: Any = True) -> None:
    """Keep a value for this session, or drop it where it is the one that is kept; for callbacks."""
    if remembered(key) == value:
        forget(key)
    else:
        remember(key, value)


def address() -> dict[str, str]:
    """The parameters of the address as they stand, ours and others."""
    return st.query_params.to_dict()


def take_parameter(name: str) -> str | None:
    """Return a parameter of the address, and shorten the address by it."""
    value = st.query_params.get(name)
    if value is not None:
        del st.query_params[name]
    return value


def theme() -> Literal["light", "dark"]:
    """The theme that the viewer sees."""
    return "dark" if st.context.theme.type == "dark" else "light"
