"""Who sends a request: the client whose token it carries, or whoever is on this machine where nobody signs in."""

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from services.agent.app import App
from services.core.config import listed
from services.core.errors import AccountsUnavailable
from services.core.toolsets import read_toolsets
from services.mcp.access import Access, of_token

METADATA = "/.well-known/oauth-protected-resource"
"""Where clients learn how to ask (RFC 9728)."""


async def access_of(request: Request, services: App) -> Access | Response:
    """Return what a request's token grants, or the answer that refuses it.

    Without sign-in the guard lets in this machine alone, which needs no token; one that is sent has to be good.
    """
    header = request.headers.get("authorization")
    if header is None and services.settings.auth == "none":
        return Access(toolsets=read_toolsets("ASOF_TOOLSETS", listed(services.settings.toolsets)))
    scheme, _, token = (header or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        return unauthorized(
            request, "Create a token with `cli.py token create` and send it in the header “Authorization: Bearer …”."
        )
    try:
        granted = await asyncio.to_thread(services.accounts.tokens.granted, token.strip())
    except AccountsUnavailable as error:
        return JSONResponse({"error": str(error)}, 503)
    if granted is None:
        return unauthorized(request, "This token is unknown, revoked or expired.", "invalid_token")
    return of_token(granted)


def unauthorized(request: Request, message: str, problem: str = "") -> Response:
    """Return the 401 that says where clients learn how to ask."""
    challenge = [f'error="{problem}"'] if problem else []
    challenge.append(f'resource_metadata="{base(request)}{METADATA}{request.url.path}"')
    return JSONResponse({"error": message}, 401, {"WWW-Authenticate": f"Bearer {', '.join(challenge)}"})


async def metadata(request: Request) -> Response:
    """`GET /.well-known/oauth-protected-resource/mcp`: how clients ask, as RFC 9728 has it."""
    return JSONResponse(
        {
            "resource": f"{base(request)}/mcp",
            "resource_name": "Asof",
            "bearer_methods_supported": ["header"],
            "scopes_supported": [],
        }
    )


def base(request: Request) -> str:
    """The address of the app as the client named it."""
    return f"{request.url.scheme}://{request.url.netloc}"
