"""REST, imported when it is first asked, and what is said of paths and methods of ours that there are not."""

import asyncio
from collections.abc import Sequence
from functools import cache
from importlib import import_module

from starlette.convertors import PathConvertor, register_url_convertor
from starlette.responses import JSONResponse
from starlette.routing import Match, Route
from starlette.types import Receive, Scope, Send

_OURS = ("/api", "/mcp", "/healthz")


class _AnyPath(PathConvertor):
    regex = "(?s:.*)"  # the usual one ends at a line feed


register_url_convertor("any_path", _AnyPath())


class RestEndpoint:
    """Answers for every path of ours that is none of `others`."""

    def __init__(self, others: Sequence[Route]) -> None:
        self._others = others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have REST answer. What it does not know is 404, and 405 for another method of what somebody knows.

        In JSON: what follows the routes would answer with a page.
        """
        methods: set[str] = set()
        for one in [*self._others, *await asyncio.to_thread(_rest_routes)]:
            match, more = one.matches(scope)
            if match is Match.FULL:
                scope.update(more)
                await one.handle(scope, receive, send)
                return
            methods |= (one.methods or set()) if match is Match.PARTIAL else set()
        detail, status = ("Method not allowed", 405) if methods else ("Not found", 404)
        headers = {"Allow": ", ".join(sorted(methods))} if methods else None
        await JSONResponse({"detail": detail}, status, headers)(scope, receive, send)


def with_rest(others: Sequence[Route]) -> list[Route]:
    """Return routes, with REST behind them."""
    rest = RestEndpoint(others)
    return [*others, *(Route(path, rest) for place in _OURS for path in (place, f"{place}/{{rest:any_path}}"))]


@cache
def _rest_routes() -> Sequence[Route]:
    """What REST stands on takes long to import."""
    routes: Sequence[Route] = import_module("services.api.rest.rest_routes").REST_ROUTES
    return routes
