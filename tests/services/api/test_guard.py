"""Who may open a page's socket, change something or read measurements, and what every answer tells the browser."""

import asyncio
import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from services.accounts.sign_in import COOKIE
from services.agent import app
from services.agent.app import App
from services.api.guard import check_start, middleware
from services.api.request_body import SlowBodies
from services.api.security_headers import INDEX_SCRIPT
from services.bootstrap import build_services
from services.core.config import Settings
from services.core.errors import BadInput
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore

pytestmark = pytest.mark.usefixtures("quick_passwords")
PASSWORD = "correct horse"
OTHER_PORT = {"Origin": "http://localhost:9999"}
FOREIGN_HOST = {"Host": "evil.example:8501"}
BEHIND_PROXY = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
MEASUREMENTS = ("/_stcore/metrics", "/tools/asof/_stcore/metrics")


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    chosen = Settings(home=with_tables(tmp_path), auth="local", _env_file=None)  # type: ignore[call-arg]
    services = build_services(chosen, graph=MemoryGraphStore())
    monkeypatch.setattr(app, "get_services", lambda: services)
    yield services
    services.close()


@pytest.fixture
def client(services: App) -> TestClient:
    async def page(websocket: WebSocket) -> None:
        await websocket.accept()
        await websocket.close()

    async def upload(request: Request) -> Response:
        return PlainTextResponse(f"{len(await request.body())} bytes")

    async def metrics(_: Request) -> Response:
        return PlainTextResponse("sessions 3")

    routes = [
        Route("/", lambda _: PlainTextResponse("a page")),
        Route("/_stcore/upload_file/1/2", upload, methods=["PUT"]),
        *(Route(path, metrics) for path in MEASUREMENTS),
        WebSocketRoute("/_stcore/stream", page),
    ]
    return TestClient(
        Starlette(routes=routes, middleware=middleware),
        base_url="http://localhost:8501",
        client=("127.0.0.1", 50_000),
    )


def opens_socket(client: TestClient, headers: dict[str, str]) -> bool:
    try:
        with client.websocket_connect("ws://localhost:8501/_stcore/stream", headers=headers):
            return True
    except WebSocketDisconnect:
        return False


@pytest.mark.parametrize(
    ("headers", "is_let_in"),
    [
        ({"Origin": "http://localhost:8501"}, True),
        ({}, True),
        (OTHER_PORT, False),
        ({"Origin": "https://localhost:8501"}, False),
        ({"Origin": "null"}, False),
        (FOREIGN_HOST | {"Origin": "http://evil.example:8501"}, False),
        (BEHIND_PROXY | {"Host": "asof.example", "Origin": "https://asof.example"}, True),
        (BEHIND_PROXY | {"Host": "asof.example:443", "Origin": "https://asof.example"}, True),
        (BEHIND_PROXY | {"X-Forwarded-Host": "asof.example", "Origin": "https://asof.example"}, True),
        (BEHIND_PROXY | {"Host": "asof.example", "Origin": "http://asof.example"}, False),
        (BEHIND_PROXY | {"X-Forwarded-Host": "asof.example", "Origin": "https://evil.example"}, False),
    ],
    ids=str,
)
def test_a_socket_and_an_upload_come_from_the_apps_own_page(
    client: TestClient, headers: dict[str, str], is_let_in: bool
) -> None:
    assert opens_socket(client, headers) == is_let_in
    uploaded = client.put("/_stcore/upload_file/1/2", content=b"abc", headers=headers)
    assert (uploaded.status_code == 200) == is_let_in


def test_a_link_on_another_site_leads_to_the_page(client: TestClient) -> None:
    assert client.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


def test_a_foreign_host_is_refused_on_the_page_too(client: TestClient) -> None:
    assert client.get("/", headers=FOREIGN_HOST).status_code == 400


def test_every_answer_forbids_framing_and_outside_hosts(client: TestClient) -> None:
    for answer in (client.get("/"), client.get("/", headers=FOREIGN_HOST), client.get("/nothing")):
        policy = answer.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy
        assert "default-src 'self'" in policy
        assert "http" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"


def test_the_policy_names_the_one_inline_script_of_streamlits_page() -> None:
    page = (Path(streamlit.__file__).parent / "static/index.html").read_text()
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}" == INDEX_SCRIPT


def test_https_is_remembered_only_where_the_browser_talks_https(client: TestClient) -> None:
    assert "strict-transport-security" not in client.get("/").headers
    over_https = client.get("/", headers=BEHIND_PROXY | {"Host": "asof.example"})
    assert over_https.headers["strict-transport-security"] == "max-age=31536000"


@pytest.mark.parametrize("path", MEASUREMENTS)
def test_measurements_are_for_administrators(client: TestClient, services: App, path: str) -> None:
    tokens = {}
    for name, is_admin in (("ada", True), ("bob", False)):
        services.accounts.users.add(name, PASSWORD, is_admin=is_admin)
        tokens[name] = services.accounts.sign_in.begin(name, PASSWORD, "127.0.0.1")
    statuses = {}
    for name, token in {**tokens, "nobody": ""}.items():
        client.cookies = {COOKIE: token}  # type: ignore[assignment]
        statuses[name] = client.get(path).status_code
    assert statuses == {"ada": 200, "bob": 403, "nobody": 403}


def test_the_app_does_not_start_with_the_agent_api_of_streamlit() -> None:
    with pytest.raises(BadInput, match="agent API"):
        check_start(Settings(_env_file=None), "127.0.0.1", has_agent_api=True)  # type: ignore[call-arg]


def _answers(parts: list[bytes], *, stalls: bool) -> list[Message]:
    """What a route that reads its body answers to these parts, where the rest never comes or is complete."""
    sent: list[Message] = []
    waiting = list(parts)

    async def receive() -> Message:
        if not waiting:
            await asyncio.Event().wait()
        body = waiting.pop(0)
        return {"type": "http.request", "body": body, "more_body": stalls or bool(waiting)}

    async def send(message: Message) -> None:
        sent.append(message)

    async def route(request: Request) -> Response:
        return PlainTextResponse(f"{len(await request.body())} bytes")

    scope = {"type": "http", "method": "POST", "path": "/", "headers": [], "query_string": b""}
    quick = Middleware(SlowBodies, grace=0.05, bytes_per_second=1000)
    app = Starlette(routes=[Route("/", route, methods=["POST"])], middleware=[quick])
    asyncio.run(app(scope, receive, send))
    return sent


def test_a_body_that_stops_coming_is_answered_408() -> None:
    start, *_ = _answers([b"a", b"b"], stalls=True)
    assert start["status"] == 408


def test_a_body_that_comes_is_read_whole() -> None:
    *_, body = _answers([b"a" * 40, b"b" * 2], stalls=False)
    assert body["body"] == b"42 bytes"
