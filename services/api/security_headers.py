"""The headers that tell a browser what a page of the app may load, and who may show it."""

from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

INDEX_SCRIPT = "sha256-THxz9J9+wf7rhwR2YkXJoSZ13UCmYyC+3lNDv2+8ugA="
"""The digest of the one inline script in Streamlit's index.html."""

POLICY = "; ".join(
    [
        "default-src 'self'",
        f"script-src 'self' blob: '{INDEX_SCRIPT}'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self'",
        "frame-src 'none'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
"""No outside host serves anything to a page, none may frame it, and text in a page never runs as a script.

Streamlit loads the scripts of components as blobs, which only a script that runs already can make.
"""

ALWAYS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
OVER_HTTPS = {"Strict-Transport-Security": "max-age=31536000"}


class SecurityHeaders:
    """Adds the headers to every HTTP response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and add the headers to its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        added = ALWAYS | OVER_HTTPS if is_https(scope) else ALWAYS

        async def send_with_headers(message: Message) -> None:
            await send(_with(message, added))

        await self._app(scope, receive, send_with_headers)


def is_https(scope: Scope) -> bool:
    """True where the browser talks https, to the app or to the proxy before it."""
    forwarded = Headers(scope=scope).get("x-forwarded-proto", "").split(",")[0].strip().lower()
    return (forwarded or scope.get("scheme", "http")) in ("https", "wss")


def _with(message: Message, added: Mapping[str, str]) -> Message:
    if message["type"] == "http.response.start":
        message.setdefault("headers", [])
        MutableHeaders(scope=message).update(added)
    return message
