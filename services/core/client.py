"""Asks the running app to run a command, over loopback."""

import contextlib
import http.client
import json
from collections.abc import Callable
from typing import Any

from services.core import errors
from services.core.announcement import Announcement
from services.core.errors import AsofError
from services.core.progress import Progress, nobody

_BY_JOBS = ("ingest",)
"""Commands whose work is jobs, which outlive the app."""
_KEPT = "Jobs continue when Asof restarts."
_LOST = "See Asof's log, then try again."


class AppGone(Exception):
    """The announced app does not take requests, so the caller has to do the work itself."""


def ask(
    app: Announcement, name: str, body: bytes, progress: Progress = nobody, say: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Have the app run a command on arguments in JSON, pass its progress on, and `say` what it has to say before.

    Raises what the command raised there, and `AppGone` when nobody took the request.
    """
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", app.port)) as connection:
        response = _response(connection, app, name, body)
        return _result(response, progress, say, _KEPT if name in _BY_JOBS else _LOST)


def _response(
    connection: http.client.HTTPConnection, app: Announcement, name: str, body: bytes
) -> http.client.HTTPResponse:
    headers = {"Authorization": f"Bearer {app.token}", "Content-Type": "application/json"}
    try:
        connection.request("POST", f"/api/commands/{name}", body, headers)
        response = connection.getresponse()
        if response.status == http.client.OK:
            return response
        response.close()
    except (OSError, http.client.HTTPException) as error:
        raise AppGone(str(error)) from error
    raise AppGone(f"status {response.status}")


def _result(
    response: http.client.HTTPResponse, progress: Progress, say: Callable[[str], None], hint: str
) -> dict[str, Any]:
    """Return the result of a command; `hint` goes with the error where the app ends without one."""
    try:
        for text in response:
            line = json.loads(text)
            if "progress" in line:
                progress(*line["progress"])
            elif "notice" in line:
                say(line["notice"])
            elif "error" in line:
                problem = line["error"]
                raise getattr(errors, problem["kind"], AsofError)(problem["message"], problem["hint"])
            else:
                result: dict[str, Any] = line["result"]
                return result
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise AsofError("Asof stopped during the command.", hint) from error
    raise AsofError("Asof closed the connection without a response.", hint)
