"""Pages of other sites that an administrator lets call REST, which is asked with a token and never with a cookie."""

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from services.agent import app
from services.core.config import listed

_REST = ("/api/auth/", "/api/chat/", "/api/graphrag/", "/api/databases/", "/api/v1/", "/api/openapi.json")


class CrossOrigin:
    """Tells browsers which other sites' pages may read the answers of REST: those of ASOF_CORS_ORIGINS."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer what a browser asks before it sends one."""
        asked = _with_sharing(self._app) if scope["type"] == "http" and is_let_in(scope) else self._app
        await asked(scope, receive, send)


def is_let_in(scope: Scope) -> bool:
    """True for a request to REST from a page of a site that is let in."""
    origin = Headers(scope=scope).get("origin")
    return origin is not None and scope["path"].startswith(_REST) and origin in _origins()


def _origins() -> list[str]:
    return [origin.rstrip("/") for origin in listed(app.get_services().settings.cors_origins)]


def _with_sharing(asked: ASGIApp) -> ASGIApp:
    return CORSMiddleware(
        asked,
        allow_origins=_origins(),
        allow_methods=["GET", "POST", "PATCH", "DELETE"],
        allow_headers=["Authorization", "Content-Type"],
        expose_headers=["Retry-After"],
    )
