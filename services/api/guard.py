"""Keeps other sites' pages away from the routes under /api: a browser on this machine reaches them as we do."""

import ipaddress
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_PROTECTED = "/api/"
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host")


class SameOrigin:
    """Refuses requests that another site's page sends, by their Origin or by a Host that is not this machine's.

    A name that somebody points at the loopback address makes his page "same origin"; so a request that comes over
    loopback, and through no proxy, must name the machine itself.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 400 or 403."""
        refusal = _refusal(scope) if scope["type"] == "http" and scope["path"].startswith(_PROTECTED) else None
        await (refusal or self._app)(scope, receive, send)


middleware = [Middleware(SameOrigin)]


def is_loopback(host: str | None) -> bool:
    """True for a name or address of this machine itself."""
    if host is None:
        return False
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _refusal(scope: Scope) -> JSONResponse | None:
    headers = Headers(scope=scope)
    host = headers.get("host", "")
    direct = is_loopback((scope.get("client") or (None,))[0]) and not any(name in headers for name in _FORWARDED)
    if direct and not is_loopback(urlsplit(f"//{host}").hostname):
        return JSONResponse({"error": "This host name is not the app's."}, 400)
    origin = headers.get("origin")
    if (origin is not None and urlsplit(origin).netloc != host) or headers.get("sec-fetch-site") == "cross-site":
        return JSONResponse({"error": "Requests from other sites are refused."}, 403)
    return None
