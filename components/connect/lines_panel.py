"""The lines to paste into a program, with the token once it is made, and a button that copies them."""

import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from components import markup, state
from components.ask.copy_button import copy_button
from components.connect import new_token
from components.connect.client_lines import ClientLines, Connection, LocalCommand, lines_for
from components.connect.connect_view import CLIENTS, ConnectView
from components.connect.grant import Grant
from components.connect.new_token import MadeToken
from components.markup import text
from components.shell import Opened
from services import cached
from services.api import is_loopback
from services.core.config import Settings, variable, without_password
from services.core.models import DEFAULT_WORKSPACE, Workspace
from services.mirror import Mirror

_CLI = Path(__file__).resolve().parents[2] / "cli.py"
_CLIENT = "connect_client"
_PLACEHOLDER = "ASOF_TOKEN"
_FILLED_IN = f"Asof then puts it in place of {_PLACEHOLDER} below, and you can copy the setup."
_PLACES = ("graph_url", "graph_user", "database_url", "embedder", "embedding_dimension")
"""Settings without which a command would open another graph, or none, while the app does not run."""


def lines_panel(opened: Opened, listed: Sequence[Workspace], grant: Grant) -> None:
    """Draw them for the program that the address names."""
    made, client = new_token.made(), opened.view.of(ConnectView).client
    connection = _connection(opened, listed, grant, made)
    is_second = grant.needs_token(opened.services.settings)
    markup.heading("2. Copy the setup" if is_second else "Copy the setup", "into your program's settings")
    state.remember(_CLIENT, client)
    st.segmented_control(
        "Program",
        list(CLIENTS),
        required=True,
        key=_CLIENT,
        format_func=CLIENTS.__getitem__,
        label_visibility="collapsed",
        wrap=True,
        on_change=_choose_client,
    )
    _state_of_token(opened, grant, made)
    for lines in lines_for(client, connection):
        _card(lines, connection.token)
    if client == "rest":
        st.html('<a class="a-link" href="api/docs" target="_blank">API reference</a>')
    elif connection.command:
        _about_command(opened, listed, grant)


def _choose_client() -> None:
    state.update(ConnectView, client=state.remembered(_CLIENT))


def _state_of_token(opened: Opened, grant: Grant, made: MadeToken | None) -> None:
    """Say what stands in the lines: a token, a word in its place, or none."""
    if made is not None:
        markup.note(
            f"<b>Asof created the token “{text(made.granted.name)}” and added it to the HTTP setup.</b> Copy it now: "
            "you cannot see it again after you leave this page."
        )
    elif not grant.needs_token(opened.services.settings):
        markup.note(
            "<b>No token needed.</b> Sign-in is off, and only this computer can connect. "
            "The setup includes your choices, but only a token enforces them."
        )
    elif opened.services.settings.auth == "none":
        markup.note(f"<b>Create a token first: without one, a program can only read.</b> {_FILLED_IN}", "a-warn")
    else:
        markup.note(f"<b>Create a token first.</b> {_FILLED_IN}")


def _card(lines: ClientLines, token: str | None) -> None:
    shown = text(lines.text)
    if token:
        shown = shown.replace(text(token), f"<b>{text(token)}</b>")
    key = lines.title.lower().replace(" ", "_")
    with st.container(border=True, key=f"lines_{key}", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"lines_head_{key}"):
            st.html(f'<div class="a-h">{text(lines.title)}<small>{text(lines.place)}</small></div>')
            if _PLACEHOLDER not in lines.text:
                copy_button("Copy", lines.text, key=f"copy_{key}")
        st.html(f'<pre class="a-lines" tabindex="0" role="region" aria-label="{text(lines.title)}">{shown}</pre>')


def _about_command(opened: Opened, listed: Sequence[Workspace], grant: Grant) -> None:
    """Say what the command does that lines over HTTP do not."""
    words = ["The command needs no token and works even while the dashboard is closed."]
    if 1 < len(grant.workspaces) < len(listed):
        words.append("A command covers either one workspace or all of them; this one covers them all.")
    if hidden := _passwords(opened.services.settings):
        words.append(f"While the dashboard is closed, the command also needs {' and '.join(hidden)} (not shown here).")
    st.caption(" ".join(words))


def _connection(opened: Opened, listed: Sequence[Workspace], grant: Grant, made: MadeToken | None) -> Connection:
    token = made.secret if made else _PLACEHOLDER if grant.needs_token(opened.services.settings) else None
    default = opened.services.graph.default_workspace
    names = ",".join(DEFAULT_WORKSPACE if name == default else name for name in grant.workspaces)
    narrowed = [("workspace", names), ("toolsets", ",".join(grant.toolsets)), *grant.pins()]
    sample = {"workspace": _first(grant, made) or DEFAULT_WORKSPACE, "query": _sample_name(opened)}
    if token is None:
        sample |= grant.pins()
    return Connection(
        _origin(opened.services.settings),
        token,
        [] if token else [(name, value) for name, value in narrowed if value],
        # A command needs no token, so beside a token it would grant more than the token does.
        _command(opened.services.settings, listed, grant) if _is_here(opened) and not made else None,
        sample,
    )


def _first(grant: Grant, made: MadeToken | None) -> str:
    return next(iter(made.granted.workspaces if made else grant.workspaces), "")


def _sample_name(opened: Opened) -> str:
    """A name that REST finds: of the selected entity, or of one with many facts."""
    entity = cached.entity(opened.name, opened.view.entity)
    if entity is None:
        entity = next((one.entity for one in cached.ask(Mirror.busiest, opened.name, opened.at, 1)), None)
    return entity.name if entity else opened.label


def _origin(settings: Settings) -> str:
    """Where the browser reaches the app."""
    parts = urlsplit(st.context.url or "")
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"http://localhost:{settings.port}"


def _is_here(opened: Opened) -> bool:
    """True where the browser is on this machine, of somebody who may see all that a command does."""
    host = urlsplit(st.context.url or "").hostname
    is_over_loopback = st.context.ip_address is None  # so does Streamlit say it
    return opened.user.is_admin and is_over_loopback and (host is None or is_loopback(host))


def _command(settings: Settings, listed: Sequence[Workspace], grant: Grant) -> LocalCommand:
    """What starts from any folder: absolute paths, and the settings that say where the graph is."""
    words = [sys.executable, str(_CLI), "mcp"]
    if len(grant.workspaces) == 1 and len(listed) > 1 and grant.workspaces[0]:
        words += ["--workspace", grant.workspaces[0]]
    words += ["--toolsets", ",".join(grant.toolsets)] if grant.toolsets else []
    for name, value in grant.pins():
        words += [f"--{name.replace('_', '-')}", value]
    words += ["--write"] if grant.may_write else []
    return LocalCommand(words, {"ASOF_HOME": str(settings.folder)} | _places(settings))


def _places(settings: Settings) -> dict[str, str]:
    defaults, given = type(settings).model_fields, {name: str(getattr(settings, name)) for name in _PLACES}
    return {
        variable(name): without_password(value) if _has_password(value) else value
        for name, value in given.items()
        if value != str(defaults[name].default)
    }


def _passwords(settings: Settings) -> list[str]:
    """The variables whose passwords are left out of the command."""
    given = [name for name in ("graph_password", "database_password") if getattr(settings, name)]
    in_addresses = [name for name in ("graph_url", "database_url") if _has_password(getattr(settings, name))]
    return [variable(name) for name in given + in_addresses]


def _has_password(value: str) -> bool:
    return urlsplit(value).password is not None
