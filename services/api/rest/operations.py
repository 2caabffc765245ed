"""What REST offers is a list of operations: each has its route, its place in OpenAPI, and is checked in one way."""

import asyncio
import math
import uuid
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from services.agent import app
from services.agent.app import App
from services.api.request_body import BodyTooSlow
from services.api.rest.callers import Caller, caller_of
from services.api.rest.problems import RestProblem, problem_of, refuse
from services.api.rest.request_rates import RequestRates
from services.core.errors import AsofError
from services.core.log import logger
from services.core.toolsets import Toolset
from services.core.wording import counted
from services.queries.facts_at import reason

MOST_BYTES = 1_048_576
_BASE64 = 4 / 3
_quick = ThreadPoolExecutor(8, "asof-rest")
_long = ThreadPoolExecutor(16, "asof-rest-long")
_rates = RequestRates()
_log = logger(__name__)

Handle = Callable[["Call"], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that can be asked: `summary` says what in a line.

    `body` and `answer` are models of the JSON that goes in and comes out, made when they are first needed; without
    `answer` it is an object in the words of the terminal's `--json`. `query` names the parameters of the address.
    Who asks was granted `toolset`, and writing where it `writes`; nobody signs in for `is_open` ones. `problems` are
    the statuses that it may answer beside those of every operation.
    """

    method: str
    path: str
    summary: str
    handle: Handle
    body: Callable[[], type[BaseModel]] | None = None
    answer: Any = None
    status: int = 200
    query: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[int, ...] = ()
    toolset: Toolset = "analyst"
    writes: bool = False
    is_open: bool = False
    takes_files: bool = False
    streams: bool = False

    def route(self) -> Route:
        """Return the route that answers it."""
        return Route(self.path, partial(_answered, self), methods=[self.method])


@dataclass(frozen=True, slots=True)
class Call:
    """One request: who sends it, and what was read of it. `caller` is nobody's for an open operation."""

    services: App
    request: Request
    body: Any
    granted: Caller | None

    @property
    def caller(self) -> Caller:
        """Who sends it."""
        assert self.granted is not None, "only open operations have no caller"
        return self.granted

    def part(self, name: str) -> str:
        """Return a part of the path."""
        return str(self.request.path_params[name])

    def id(self, name: str) -> str | None:
        """Return a part of the path that is an id of ours; None where it can be none."""
        text = self.part(name)
        try:
            return text if str(uuid.UUID(text)) == text else None
        except ValueError:
            return None


async def in_thread[T](work: Callable[..., T], *given: Any, is_long: bool = False) -> T:
    """Run what waits for a database or a model on a thread; what may take long has threads of its own."""
    return await asyncio.get_running_loop().run_in_executor(_long if is_long else _quick, partial(work, *given))


async def in_json(work: Callable[..., Any], *given: Any, status: int = 200, is_long: bool = False) -> Response:
    """Answer with what `work` returns, spelled on its thread: a long answer would hold up the server's loop."""
    return await in_thread(lambda: JSONResponse(work(*given), status), is_long=is_long)


async def _answered(operation: Operation, request: Request) -> Response:
    """Judge a request, read it and answer it; whatever goes wrong is an answer too."""
    try:
        return await _answer(operation, request)
    except RestProblem as problem:
        return problem.answer()
    except AsofError as error:
        return problem_of(error).answer()
    except ClientDisconnect:
        return Response(status_code=499)
    except BodyTooSlow:  # the guard answers
        raise
    except Exception:  # noqa: BLE001 - the client waits for an answer, whatever happened
        _log.exception("A request failed.", path=operation.path)
        return RestProblem(500, "The request failed. See Asof's log for details.").answer()


async def _answer(operation: Operation, request: Request) -> Response:
    services = app.get_services()
    granted = None
    if not operation.is_open:
        granted = await in_thread(caller_of, services, request.headers.get("authorization"))
        _check_rate(services, granted)
        granted.need(operation.toolset, writing=operation.writes)
    _check_query(operation, request)
    body = await _body(operation, services, request) if operation.body else None
    return await operation.handle(Call(services, request, body, granted))


def _check_query(operation: Operation, request: Request) -> None:
    """Refuse a parameter that there is not; one that is misspelled would else be left out unnoticed."""
    strange = next((name for name in request.query_params if operation.query and name not in operation.query), None)
    if strange is not None:
        refuse(400, f"{strange[:80]}: unknown parameter. Available: {', '.join(operation.query)}.")


def _check_rate(services: App, caller: Caller) -> None:
    most = services.settings.requests_per_minute
    waits = _rates.take(caller.access.client, most) if most else 0.0
    if waits:
        seconds = math.ceil(waits)
        refuse(
            429,
            f"Too many requests: the limit is {most} per minute. Try again in {counted(seconds, 'second')}.",
            Retry_After=str(seconds),
        )


async def _body(operation: Operation, services: App, request: Request) -> BaseModel:
    assert operation.body is not None
    most = MOST_BYTES
    if operation.takes_files:
        most += int(services.settings.max_file_mb * 1_048_576 * _BASE64)
    return await in_thread(_read, operation.body, await _content(request, most))


def _read(body: Callable[[], type[BaseModel]], content: bytearray) -> BaseModel:
    try:
        return body().model_validate_json(content or b"{}", strict=True)
    except ValidationError as error:
        refuse(400, reason(error))


async def _content(request: Request, most: int) -> bytearray:
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > most:
            refuse(413, f"The request body is too large: the limit is {most:,} bytes.", Connection="close")
    return content
