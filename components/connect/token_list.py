"""The tokens that were made: what each grants, when it was last used and ends, and a button that revokes it."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import streamlit as st

from components import confirm, dates, markup, problems
from components.connect import new_token
from components.markup import chip, plain, text
from components.shell import Opened
from services.accounts import ClientToken
from services.core import clock
from services.core.models import Workspace

_HEAD = ("Name", "Workspaces", "Toolsets", "Access", "Pinned to", "Last used", "Expires")
_MOST = 50


@problems.guarded()
def token_list(opened: Opened, listed: Sequence[Workspace]) -> None:
    """Draw those that the user made; an administrator sees everybody's."""
    tokens = sorted(new_token.tokens_of(opened.user), key=lambda one: bool(_end(one)))
    in_use = sum(not _end(one) for one in tokens)
    ended = f"{len(tokens) - in_use} inactive" if len(tokens) > in_use else ""
    markup.heading("Tokens", markup.dotted(f"{in_use} active", ended) if tokens else "")
    if not tokens:
        st.caption("Tokens you create appear here.")
        return
    labels, owners = {one.name: one.label for one in listed}, _owners(opened)
    uses = opened.services.accounts.tokens.last_uses()
    head = "".join(f"<span>{name}</span>" for name in _HEAD)
    st.html(f'<div class="a-token a-token-head" aria-hidden="true">{head}<i></i></div>')
    for token in tokens[:_MOST]:
        _row(token, uses.get(token.id), labels, owners)
    markup.say_if_cut(_MOST, len(tokens), "token")


def _owners(opened: Opened) -> Mapping[str, str]:
    """Return whose rights bound each token, by the user's id; of nobody where it is always the same one."""
    if opened.services.settings.auth == "none" or not opened.user.is_admin:
        return {}
    return {user.id: user.name for user in opened.services.accounts.users.listed()}


def _row(token: ClientToken, used: datetime | None, labels: Mapping[str, str], owners: Mapping[str, str]) -> None:
    end = _end(token)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"token_{'ended' if end else 'held'}_{token.id}"
    ):
        cells = zip(_HEAD, _cells(token, used, labels, owners), strict=True)
        spans = "".join(f'<span data-name="{name}">{html}</span>' for name, html in cells)
        st.html(f'<div class="a-token" role="group" aria-label="{text(token.name)}">{spans}</div>')
        if end:
            st.html(chip("a-off" if end == "revoked" else "a-warn", end), width=74)
        elif st.button("Revoke", key=f"revoke_{token.id}", width=74):
            _ask_to_revoke(token)


def _cells(
    token: ClientToken, used: datetime | None, labels: Mapping[str, str], owners: Mapping[str, str]
) -> tuple[str, ...]:
    owner = owners.get(token.user_id, "")
    return (
        f"<b>{text(token.name)}</b>" + (f' <span class="a-muted a-sm">{text(owner)}</span>' if owner else ""),
        text(", ".join(labels.get(name, name) for name in token.workspaces)),
        f'<span class="a-code">{", ".join(token.toolsets)}</span>',
        "read and propose" if token.may_write else "read only",
        _pins(token) or '<span class="a-muted">any date</span>',
        dates.moment(used.replace(second=0, microsecond=0)) if used else '<span class="a-muted">never</span>',
        dates.day(token.expires_at, "never"),
    )


def _pins(token: ClientToken) -> str:
    world = chip("", f"● {dates.moment(token.as_of)}") if token.as_of else ""
    graph = chip("a-dashed", f"○ {dates.moment(token.known_at)}") if token.known_at else ""
    return f"{world} {graph}".strip()


def _end(token: ClientToken) -> str:
    """Say why a token is good for nothing any more; nothing where it is good."""
    if token.revoked_at:
        return "revoked"
    return "expired" if token.expires_at and token.expires_at <= clock.now() else ""


@confirm.dialog("Revoke this token?")
def _ask_to_revoke(token: ClientToken) -> None:
    st.markdown(f"**{plain(token.name)}** stops working at once. You cannot restore a revoked token.")
    confirm.answers("Revoke", new_token.revoke, token.id)
