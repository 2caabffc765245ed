"""Who calls REST, and what he may ask: a program with a token, a user who signed in, or this machine's own user."""

from dataclasses import dataclass
from datetime import timedelta

from services.accounts.account_records import Rights, User
from services.accounts.client_tokens import TOKEN_PREFIX
from services.accounts.signed_tokens import TokenRefused, UserGone
from services.agent.app import App
from services.api.rest.problems import refuse
from services.core.config import Settings
from services.core.toolsets import TOOLSETS, Toolset
from services.mcp.access import Access, of_token

_NOBODY, _INVALID, _GONE = "Not authenticated", "Could not validate credentials", "User not found"

_INSTEAD = (
    "Use facts, diff, entities or changes under /api/v1, any tool at /mcp except SQL, or a token that is not pinned."
)
"""What to use instead of a request that cannot be limited to an instant."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose conversations a request is about, and what it was granted."""

    user: User
    access: Access

    @property
    def is_pinned(self) -> bool:
        """True for a token that may not leave its instants."""
        return self.access.as_of is not None or self.access.known_at is not None

    def may_see(self, workspace: str) -> bool:
        """True for a workspace, by its name in the graph, that was granted."""
        return self.access.workspaces is None or workspace in self.access.workspaces

    def need(self, toolset: Toolset, *, writing: bool = False) -> None:
        """Refuse with 403 what was not granted."""
        if toolset not in self.access.toolsets:
            refuse(403, f"This token does not grant the toolset “{toolset}”. Use a token that grants it.")
        if writing and not self.access.may_write:
            refuse(403, "This token does not grant write access. Use a token that grants it.")

    def need_all_times(self) -> None:
        """Refuse with 403 a pinned token where the pin cannot be held."""
        if self.is_pinned:
            refuse(403, f"This token is pinned to a date, and Asof cannot limit this request to it. {_INSTEAD}")


def caller_of(services: App, authorization: str | None) -> Caller:
    """Return who sends a request with this header. Without sign-in the guard lets in this machine alone.

    Refuses with 401 where nobody is named, and where the token is not good (any more).
    """
    if authorization is None and services.settings.auth == "none":
        return _caller(Rights(services.accounts.users.local()))
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        refuse(401, _NOBODY, WWW_Authenticate="Bearer")
    if token.strip().startswith(TOKEN_PREFIX):
        return _client(services, token.strip())
    if services.settings.auth != "local":  # one that was made while passwords were kept here
        refuse(401, _INVALID, WWW_Authenticate='Bearer error="invalid_token"')
    return _signed_in(services, token.strip())


def token_lifetime(settings: Settings) -> timedelta:
    """Return how long a user stays signed in."""
    return timedelta(hours=settings.token_hours)


def _client(services: App, token: str) -> Caller:
    granted = services.accounts.tokens.granted(token)
    user = services.accounts.users.get(granted.user_id) if granted else None
    if granted is None or user is None:
        refuse(401, _INVALID, WWW_Authenticate='Bearer error="invalid_token"')
    return Caller(user, of_token(granted))


def _signed_in(services: App, token: str) -> Caller:
    try:
        return _caller(services.accounts.signed_tokens.rights_of(token))
    except UserGone:
        refuse(401, _GONE, WWW_Authenticate='Bearer error="invalid_token"')
    except TokenRefused:
        refuse(401, _INVALID, WWW_Authenticate='Bearer error="invalid_token"')


def _caller(rights: Rights) -> Caller:
    user = rights.user
    workspaces = None if user.is_admin else tuple(sorted(rights.workspaces))
    access = Access(f"user {user.id}", workspaces, TOOLSETS, may_write=True, user_id=user.id)
    return Caller(user, access)
