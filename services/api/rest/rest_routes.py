"""The routes of REST, and its description."""

import asyncio
from functools import cache

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from services.api.rest.chat import CHAT
from services.api.rest.command_routes import COMMAND_ROUTES
from services.api.rest.docs_page import docs_page
from services.api.rest.openapi import openapi_document
from services.api.rest.search_routes import SEARCH
from services.core.json_documents import Json

_VERSION = "1"
OPERATIONS = (*CHAT, *SEARCH, *COMMAND_ROUTES)


@cache
def document() -> Json:
    """Return the OpenAPI document, made when it is first asked for."""
    return openapi_document(OPERATIONS, _VERSION)


async def openapi(_: Request) -> Response:
    """`GET /api/openapi.json`."""
    return JSONResponse(await asyncio.to_thread(document))


async def docs(_: Request) -> Response:
    """`GET /api/docs`."""
    return HTMLResponse(docs_page(await asyncio.to_thread(document)))


REST_ROUTES = [
    *(one.route() for one in OPERATIONS),
    Route("/api/openapi.json", openapi, methods=["GET"]),
    Route("/api/docs", docs, methods=["GET"]),
]
