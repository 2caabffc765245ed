"""Addresses of pages as people type them: in lower case, and the first page by its name."""

from collections.abc import Awaitable, Callable, Iterable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route


def page_addresses(names: Iterable[str], first: str, base: str = "") -> list[BaseRoute]:
    """Return routes that send `/explore` and `/explore/` on to `/Explore`, and the `first` page's name to the address
    without one.

    `base` is the path at which the dashboard is served.
    """
    root = f"/{base.strip('/')}".rstrip("/")
    spelled = [(name.lower(), name) for name in names if name != first]
    # with a slash at the end too, which Starlette would send on to an address that a proxy's path is missing from
    return [
        Route(f"{root}/{typed}{slash}", _sending_on_to(f"{up}{page}"), methods=["GET"])
        for typed, page in (*spelled, (first, ""), (first.lower(), ""))
        for slash, up in (("", "./"), ("/", "../"))
    ]


def _sending_on_to(page: str) -> Callable[[Request], Awaitable[Response]]:
    """Answer with the page's own address, from here, so that a proxy may put any path before it."""

    async def send_on(request: Request) -> Response:
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"{page}{query}")

    return send_on
