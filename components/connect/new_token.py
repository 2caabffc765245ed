"""A token that was just made: it is shown until its page is left, and kept nowhere."""

from dataclasses import dataclass
from itertools import count

from components import problems, sign_in, state
from components.connect.connect_view import CLIENTS, ConnectView
from components.connect.grant import grant_of
from services import cached
from services.accounts import ClientToken, User
from services.agent import get_services

NAME = "connect_name"
"""The field with a name for the program."""
_MADE, _PROBLEM = "connect_made", "connect_problem"


@dataclass(frozen=True, slots=True)
class MadeToken:
    """A token with what it grants."""

    granted: ClientToken
    secret: str


def made() -> MadeToken | None:
    """Return the token that was made on this page; None once it was left."""
    found: MadeToken | None = state.remembered(_MADE)
    return found


def forget() -> None:
    """Show the token no more."""
    state.forget(_MADE, _PROBLEM)


def make() -> None:
    """Make a token of what the page grants; for a callback."""
    problems.attempt(_PROBLEM, _make)


def show_problem() -> None:
    """Draw why no token was made."""
    problems.show_kept(_PROBLEM)


def revoke(token_id: str) -> None:
    """End a token: of the user's own, or of anybody's for an administrator. Raises `BadInput` where there is none."""
    user = sign_in.current_user()
    if user is None:
        return
    get_services().accounts.tokens.revoke(token_id, None if user.is_admin else user.id)
    shown = made()
    if shown is not None and shown.granted.id == token_id:
        forget()


def tokens_of(user: User) -> tuple[ClientToken, ...]:
    """Return the tokens that a user may see and revoke, the newest first."""
    return get_services().accounts.tokens.listed(None if user.is_admin else user.id)


def _make() -> None:
    user = sign_in.current_user()
    if user is None:
        return
    view = state.held()
    grant = grant_of(view, cached.workspaces_of(user))
    granted, secret = get_services().accounts.tokens.add(
        user,
        str(state.remembered(NAME) or "").strip() or _free_name(user, CLIENTS[view.of(ConnectView).client]),
        workspaces=grant.workspaces,
        toolsets=grant.toolsets,
        may_write=grant.may_write,
        as_of=grant.as_of,
        known_at=grant.known_at,
        expires_at=grant.expires_at,
    )
    state.remember(_MADE, MadeToken(granted, secret))
    state.remember(NAME, "")


def _free_name(user: User, client: str) -> str:
    """Return a name for a program that nobody named: `Cursor`, `Cursor 2`, …"""
    taken = {one.name for one in tokens_of(user) if one.revoked_at is None}
    names = (client if number == 1 else f"{client} {number}" for number in count(1))
    return next(name for name in names if name not in taken)
