"""Which answers a browser may keep."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from services.api.kept_scripts import KeptScripts

SCRIPTS = "/_stcore/bidi-components/asof.graph_view-77c929cdf8"


@pytest.fixture
def client() -> TestClient:
    async def answer(request: Request) -> Response:
        path = request.url.path
        return PlainTextResponse(
            headers={"Cache-Control": "public"},
            status_code=404 if "missing" in path else 200,
            media_type="text/html" if "made-up" in path else "text/javascript",
        )

    return TestClient(Starlette(routes=[Route("/{path:path}", answer)], middleware=[Middleware(KeptScripts)]))


@pytest.mark.parametrize("base", ["", "/tools/asof"])
def test_a_script_of_a_component_is_kept_as_its_address_has_its_version(client: TestClient, base: str) -> None:
    answer = client.get(f"{base}{SCRIPTS}/main.js")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize(
    "path",
    ["/Explore", f"{SCRIPTS}/missing.js", f"/made-up{SCRIPTS}/main.js", "/_stcore/bidi-components/other/main.js"],
)
def test_nothing_else_is_kept_for_longer_than_its_own_answer_says(client: TestClient, path: str) -> None:
    assert client.get(path).headers["cache-control"] == "public"
