"""The form for a token: who it is for, what it grants, and until when."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from functools import cache

import streamlit as st

from components import dates, markup, state
from components.connect import new_token
from components.connect.connect_view import CLIENTS, LIFETIMES, ConnectView
from components.connect.grant import Grant
from components.shell import Opened
from services.core.models import Workspace
from services.core.toolsets import TOOLSETS, Toolset
from services.tools import TOOLS

_WORKSPACES, _TOOLSETS, _WRITING, _DAYS, _PINNED = (
    "connect_workspaces",
    "connect_toolsets",
    "connect_writing",
    "connect_days",
    "connect_pinned",
)
_READ, _PROPOSE = "Read only", "Read and propose"
_PROPOSALS = "Over MCP, proposals wait for your approval on Sources. Over REST, Asof ingests documents without review."


def grant_form(opened: Opened, listed: Sequence[Workspace], grant: Grant) -> None:
    """Draw it, as the address has it."""
    with st.container(border=True, key="connect_form", gap="small"):
        if grant.needs_token(opened.services.settings):
            markup.heading("1. Create a token", "one for each program")
        else:
            markup.heading("Create a token", "optional; one for each program")
        st.text_input("Name", key=new_token.NAME, placeholder=f"{_client(opened)} on my laptop")
        _workspaces(listed, grant)
        _tools(opened, grant)
        left, right = st.columns(2, gap="small")
        with left:
            _writing(grant)
        with right:
            _lifetime(grant)
        _pin(opened)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button("Create token", type="primary", key="connect_make", on_click=new_token.make)
            st.html(
                '<span class="a-sm a-muted">Asof shows the token once and keeps only its hash.</span>', width="content"
            )
        new_token.show_problem()


def _client(opened: Opened) -> str:
    return CLIENTS[opened.view.of(ConnectView).client]


def _workspaces(listed: Sequence[Workspace], grant: Grant) -> None:
    labels = {one.name: one.label for one in listed}
    state.remember(_WORKSPACES, list(grant.workspaces))
    st.multiselect(
        "Workspaces",
        list(labels),
        key=_WORKSPACES,
        format_func=lambda name: labels.get(name, name),
        on_change=_keep,
    )


def _tools(opened: Opened, grant: Grant) -> None:
    counts = _tools_of_each(opened)
    state.remember(_TOOLSETS, list(grant.toolsets))
    st.pills(
        "Toolsets",
        TOOLSETS,
        selection_mode="multi",
        key=_TOOLSETS,
        format_func=lambda name: f"{name} · {counts[name]}",
        help="Numbers show how many tools each set has. analyst: search, facts, histories, changes, documents and SQL. "
        "knowledge: graph search and ingestion. memory: an agent's own records. "
        "omnii: entity search, context and lists. compute: workflows.",
        on_change=_keep,
    )


def _writing(grant: Grant) -> None:
    state.remember(_WRITING, _PROPOSE if grant.may_write else _READ)
    st.segmented_control("Access", [_READ, _PROPOSE], required=True, key=_WRITING, on_change=_keep)
    if grant.may_write:
        writing = _toolsets_that_write()
        needed = f" To propose changes, add the toolset {' or '.join(sorted(writing))}."
        st.caption(_PROPOSALS if writing & set(grant.toolsets) else f"{_PROPOSALS}{needed}")


def _lifetime(grant: Grant) -> None:
    state.remember(_DAYS, grant.days)
    st.selectbox("Expires after", list(LIFETIMES), key=_DAYS, format_func=_ends, on_change=_keep)


def _ends(days: int) -> str:
    return f"{LIFETIMES[days]} · {dates.today() + timedelta(days=days)}" if days else LIFETIMES[days]


def _pin(opened: Opened) -> None:
    """Offer the dates of the time bar, where it has any."""
    view = opened.view
    bar = [f"● {dates.moment(view.as_of)}"] if view.as_of else []
    bar += [f"○ {dates.moment(view.known_at)}"] if view.known_at else []
    if not bar:
        st.caption("Not pinned: the program may ask about any date. To pin the token, set a date in the time bar.")
        return
    state.remember(_PINNED, not view.of(ConnectView).is_free)
    st.toggle(
        f"Pin the token to {' and '.join(bar)}",
        key=_PINNED,
        help="Limits the program to the dates in the time bar: ● when a fact was valid, ○ when it was known. "
        "Asking about a later date returns an error.",
        on_change=_keep,
    )


def _keep() -> None:
    """Take the choices over into the address."""
    kept = state.held().of(ConnectView)
    state.update(
        ConnectView,
        workspaces=tuple(state.remembered(_WORKSPACES) or ()),
        toolsets=tuple(sorted(state.remembered(_TOOLSETS) or ())),
        may_write=state.remembered(_WRITING) == _PROPOSE,
        is_free=not state.remembered(_PINNED, not kept.is_free),
        days=state.remembered(_DAYS, kept.days),
    )


def _tools_of_each(opened: Opened) -> Counter[Toolset]:
    """Count the tools of each toolset, those among them that other programs alone have asked for so far."""
    opened.services.add_tools()
    return Counter(tool.toolset for tool in TOOLS.values())


@cache
def _toolsets_that_write() -> set[Toolset]:
    return {tool.toolset for tool in TOOLS.values() if tool.writes}
