"""The app's own routes, beside the dashboard's: health for monitors, commands for the CLI, signing in and out."""

import asyncio
import hmac
import logging
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from services.agent import app
from services.agent.app import App
from services.api import mcp_route, session
from services.api.graph_health import Health
from services.api.guard import is_loopback
from services.api.rest_route import with_rest
from services.commands.arguments import Run
from services.commands.registry import RECOVER, requests, run_request
from services.core.announcement import own_token
from services.core.errors import AsofError
from services.core.json_documents import error_document, json_text
from services.writing.damage_check import notices

_log = logging.getLogger(__name__)
_health = Health()


async def health(_: Request) -> Response:
    """`GET /api/health`: the app answers, and what it last saw of the graph."""
    return JSONResponse(_health.document(app.get_services()))


async def command(request: Request) -> Response:
    """`POST /api/commands/{name}`: run a command for the CLI on this machine.

    Answers JSON lines: `{"notice": …}` for what is missing, `{"progress": [done, total]}` as often as it changes, then
    `{"result": …}` or `{"error": …}`.
    """
    services = app.get_services()
    if refusal := _refusal(request, services):
        return refusal
    lines = _lines(services, request.path_params["name"], await request.body())
    return StreamingResponse(lines, media_type="application/x-ndjson")


routes = with_rest(
    [
        Route("/api/health", health, methods=["GET"]),
        Route("/api/commands/{name}", command, methods=["POST"]),
        *session.routes,
        *mcp_route.routes,
    ]
)


def _refusal(request: Request, services: App) -> Response | None:
    token = own_token(services.settings.folder)
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    local = request.client is not None and is_loopback(request.client.host)
    if token is None or not local or not hmac.compare_digest(given.encode(), token.encode()):
        return JSONResponse({"error": "Send commands from this computer, with the token in app.json."}, 403)
    if request.path_params["name"] not in requests():
        return JSONResponse({"error": "This command does not exist."}, 404)
    return None


async def _lines(services: App, name: str, body: bytes) -> AsyncIterator[str]:
    """The lines of the answer. The command runs on a thread, and is cancelled when nobody reads any more."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    cancel = threading.Event()

    def tell(line: dict[str, Any]) -> None:
        with suppress(RuntimeError):  # the server has stopped, and nobody reads
            loop.call_soon_threadsafe(lines.put_nowait, line)

    def work() -> None:
        for notice in notices(services) if name != RECOVER else ():
            tell({"notice": notice})
        tell(_outcome(services, name, body, Run(lambda done, total: tell({"progress": [done, total]}), cancel)))

    threading.Thread(target=work, name=f"asof-command-{name}", daemon=True).start()
    try:
        while True:
            line = await lines.get()
            yield json_text(line) + "\n"
            if not line.keys() & {"progress", "notice"}:
                return
    finally:
        cancel.set()


def _outcome(services: App, name: str, body: bytes, run: Run) -> dict[str, Any]:
    try:
        return {"result": run_request(services, name, body, run)}
    except AsofError as error:
        return {"error": error_document(error)}
    except Exception:  # noqa: BLE001 - the terminal waits for an answer, whatever happened
        _log.exception("The command %s failed.", name)
        return {"error": {"kind": "AsofError", "message": f"{name} failed.", "hint": "See Asof's log for details."}}
