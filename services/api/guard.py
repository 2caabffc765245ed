"""Who may talk to the app at all: no other site's page, nobody from another machine where there is no sign-in, and
nobody whose session is over."""

import asyncio
import ipaddress
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.accounts.account_records import Rights
from services.accounts.sign_in import SignIn, allowed_emails, token_of
from services.agent import app
from services.api.cross_origin import CrossOrigin, is_let_in
from services.api.kept_scripts import KeptScripts
from services.api.request_body import SlowBodies
from services.api.security_headers import SecurityHeaders, is_https
from services.core.config import Settings, variable
from services.core.errors import AsofError, BadInput

_PROTECTED = "/api/"
_SAMPLE_PASSWORD = "change-this-password"
_MEASUREMENTS = "/_stcore/metrics"  # behind Streamlit's `server.baseUrlPath`, where there is one
_PROTOCOLS = b"sec-websocket-protocol"
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
_REFUSED = 1008  # the code with which a WebSocket is closed for a reason of policy
RUN = b"\x5a\x00"
"""What a browser sends to have a page run (Streamlit's BackMsg with an empty `rerun_script`)."""

ALONE = "Without sign-in, Asof is available only on this computer."
_OTHER_SITE = (
    "Asof refuses requests from other sites. To let a site call the REST API, add its origin to ASOF_CORS_ORIGINS."
)
SIGN_IN = "Set ASOF_AUTH=local and add a user (cli.py user add NAME --admin), or set ASOF_AUTH=oidc."


class SameOrigin:
    """Refuses requests that another site's page sends, by their Origin or by a Host that is not this machine's.

    A name that somebody points at the loopback address makes his page "same origin"; so a request that comes over
    loopback, and through no proxy, must name the machine itself.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 400 or 403."""
        refusal = _refusal(scope) if scope["type"] in ("http", "websocket") else None
        await _answer(refusal or self._app, scope, receive, send)


class OnThisMachine:
    """Without sign-in, refuses what does not come over loopback, however the server was told to listen."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 403."""
        refused = scope["type"] in ("http", "websocket") and _alone() and not _over_loopback(scope)
        refusal = JSONResponse({"error": f"{ALONE} {SIGN_IN}"}, 403) if refused else None
        await _answer(refusal or self._app, scope, receive, send)


class ForAdministrators:
    """Keeps the server's measurements, which name everybody's sessions and caches, to administrators."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 403."""
        asked = scope["type"] == "http" and scope["path"].rstrip("/").endswith(_MEASUREMENTS)
        refused = asked and not _alone() and not await _is_administrator(scope)
        refusal = (
            JSONResponse({"error": "Only administrators can read metrics. Sign in as an administrator."}, 403)
            if refused
            else None
        )
        await _answer(refusal or self._app, scope, receive, send)


class StillSignedIn:
    """Closes a page's connection at the first thing that it asks for once its session has ended, or a workspace was
    taken back from its user.

    A page runs callbacks before its script, and parts of itself without the rest of it, so asking in the page alone
    would be too late. The browser connects again at once, and is given a page that knows nothing of the old one.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what the browser sends as long as whoever sent it may still have what the page shows."""
        if scope["type"] != "websocket" or _alone():
            await self._app(scope, receive, send)
            return
        services = app.get_services()
        token = token_of(HTTPConnection(scope).cookies, services.settings.auth)
        connection = _Connection(services.accounts.sign_in, token, receive, send)
        if not await connection.may_have(_page(scope)):
            scope, begins_anew = _without_page(scope)
            connection.begin(anew=begins_anew)
        await self._app(scope, connection.receive, connection.send)


class _Connection:
    """What a browser and the app say to each other over one WebSocket, until its user may not have the page."""

    def __init__(self, sign_in: SignIn, token: str | None, receive: Receive, send: Send) -> None:
        self._sign_in, self._token, self._receive, self._send = sign_in, token, receive, send
        self._had: Rights | None = None
        self._begins_anew = self._is_over = False

    async def may_have(self, page: str) -> bool:
        """Whether the page that a browser comes back to was drawn for its session, and for what that still may see."""
        shown = self._sign_in.pages.get(page)
        if shown is None or shown.token != self._token:
            return False
        self._had = shown.rights
        return await self._lasts()

    def begin(self, *, anew: bool) -> None:
        """Begin with a new page. Where the browser shows one that is gone, the first thing said is to run the new."""
        self._had, self._begins_anew = None, anew

    async def receive(self) -> Message:
        """The next thing that the browser says."""
        if self._begins_anew:
            self._begins_anew = False
            connected = await self._receive()
            self._receive = _first({"type": "websocket.receive", "bytes": RUN}, self._receive)
            return connected
        message = await self._receive()
        if message["type"] != "websocket.receive" or await self._lasts():
            return message
        self._is_over = True
        await self._send({"type": "websocket.close", "code": _REFUSED})
        return {"type": "websocket.disconnect", "code": _REFUSED}

    async def send(self, message: Message) -> None:
        """What the app says, as long as somebody may hear it."""
        if not self._is_over:
            await self._send(message)

    async def _lasts(self) -> bool:
        """False once the accounts say that the user may no longer have what he had. Where they cannot be asked the
        page goes on with what was typed in it, and says so at its next run."""
        if self._token is None:
            return True
        try:
            has = await asyncio.to_thread(self._sign_in.rights_of, self._token)
        except AsofError:
            return True
        if self._had is not None and (has is None or not has.covers(self._had)):
            return False
        self._had = has
        return True


async def _answer(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Have an app answer; a WebSocket that a response refuses is closed."""
    if scope["type"] == "websocket" and isinstance(app, JSONResponse):
        await receive()
        await send({"type": "websocket.close", "code": _REFUSED})
    else:
        await app(scope, receive, send)


def _first(message: Message, then: Receive) -> Receive:
    """What gives one message, then what comes anyway."""
    left = [message]

    async def receive() -> Message:
        return left.pop() if left else await then()

    return receive


def _page(scope: Scope) -> str:
    """The id of the page that a browser comes back to: Streamlit has it as the third of the subprotocols."""
    named = (value.split(b",")[2:] for name, value in scope["headers"] if name == _PROTOCOLS)
    return next((part.strip().decode("latin-1") for parts in named for part in parts if part.strip()), "")


def _without_page(scope: Scope) -> tuple[Scope, bool]:
    """A browser's wish to connect, without the page that it had before; True where it had one."""
    headers = [
        (name, b",".join(value.split(b",")[:2]) if name == _PROTOCOLS else value) for name, value in scope["headers"]
    ]
    return {**scope, "headers": headers}, bool(_page(scope))


middleware = [
    Middleware(each)
    for each in (
        SecurityHeaders,
        KeptScripts,
        CrossOrigin,
        SameOrigin,
        OnThisMachine,
        SlowBodies,
        ForAdministrators,
        StillSignedIn,
    )
]


def check_start(settings: Settings, address: str | None, *, has_agent_api: bool = False) -> None:
    """Raise `BadInput` where the app would let in more than it should.

    That is where the server would listen beyond this machine without sign-in, where anybody with an account at
    the provider could come in, where Streamlit's agent API would drive the pages past the sign-in, and where a
    database has the password that an example of ours once had.
    """
    if has_agent_api:
        raise BadInput("Asof does not run while Streamlit's agent API is on.", "Turn off server.enableAgentApi.")
    if settings.auth == "none" and not is_loopback(address):
        where = f"on {address}" if address else "on all addresses"
        raise BadInput(f"{ALONE} The settings make Asof listen {where}.", SIGN_IN)
    if settings.auth == "oidc":
        allowed_emails(settings.allowed)
    for name in ("graph_password", "graph_url", "database_password", "database_url"):
        if _SAMPLE_PASSWORD in getattr(settings, name):
            raise BadInput(f"{variable(name)} still uses the public example password.", "Change that password.")


def is_loopback(host: str | None) -> bool:
    """True for a name or address of this machine itself."""
    if host is None:
        return False
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _alone() -> bool:
    return app.get_services().settings.auth == "none"


async def _is_administrator(scope: Scope) -> bool:
    services = app.get_services()
    token = token_of(HTTPConnection(scope).cookies, services.settings.auth)
    if token is None:
        return False
    try:
        rights = await asyncio.to_thread(services.accounts.sign_in.rights_of, token)
    except AsofError:
        return False
    return rights is not None and rights.user.is_admin


def _over_loopback(scope: Scope) -> bool:
    """True where the request was taken at an address of loopback, or at a socket in the file system, from no proxy.

    A page that came by another name is not ours, whatever address that name was made to stand for. A proxy would let
    in whoever reaches it.
    """
    headers = Headers(scope=scope)
    host, port = scope.get("server") or (None, 0)
    here = port is None or (is_loopback(host) and is_loopback(urlsplit(f"//{headers.get('host', '')}").hostname))
    return here and not _is_forwarded(headers)


def _is_forwarded(headers: Headers) -> bool:
    return any(name in headers for name in _FORWARDED)


def _refusal(scope: Scope) -> JSONResponse | None:
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    try:
        named = urlsplit(f"//{headers.get('host', '')}").hostname
        is_ours = origin is None or _is_own_origin(origin, scope, headers)
    except ValueError:
        return JSONResponse({"error": "The Host or Origin header is not valid."}, 400)
    direct = is_loopback((scope.get("client") or (None,))[0]) and not _is_forwarded(headers)
    if direct and not is_loopback(named):
        return JSONResponse({"error": "Asof does not accept this host name. Use localhost."}, 400)
    is_foreign = (not is_ours or headers.get("sec-fetch-site") == "cross-site") and not is_let_in(scope)
    if is_foreign and (_changes_something(scope) or scope["path"].startswith(_PROTECTED)):
        return JSONResponse({"error": _OTHER_SITE}, 403)
    return None


def _changes_something(scope: Scope) -> bool:
    """True for sockets and for what is not only read: a link on another site may lead to a page, and no further."""
    return scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")


def _is_own_origin(origin: str, scope: Scope, headers: Headers) -> bool:
    """True for the host that the browser asked, which a proxy may hand on in X-Forwarded-Host.

    No page of another site can set that header on what its visitor's browser sends. Raises `ValueError`.
    """
    scheme = "https" if is_https(scope) else "http"
    hosts = (headers.get("host", ""), headers.get("x-forwarded-host", "").split(",")[0].strip())
    return _host_and_port(origin) in {_host_and_port(f"{scheme}://{host}") for host in hosts if host}


def _host_and_port(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
