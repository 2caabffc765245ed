"""REST over HTTP, on Ada's working life and two documents, with a model that says what a test wrote down."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from httpx import Client
from starlette.applications import Starlette

from services.accounts.account_records import User
from services.agent import app as process
from services.agent.app import App
from services.api.guard import middleware
from services.api.routes import routes
from services.bootstrap import build_services
from services.core.config import Settings
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.messages_server import MessagesServer
from tests.fakes.word_embedder import WordEmbedder
from tests.services.tools.conftest import _fill

MODEL = "claude-test"
PASSWORD = "correct horse"
Open = Callable[..., App]


@pytest.fixture
def model(server: MessagesServer) -> MessagesServer:
    return server


@pytest.fixture
def graph() -> MemoryGraphStore:
    return MemoryGraphStore()


@pytest.fixture
def open_app(tmp_path: Path, graph: MemoryGraphStore, model: MessagesServer, quick_passwords: None) -> Iterator[Open]:
    """Opens the services of this process with some settings: `open_app(auth="local")`."""
    before, opened = process.pinned(), []

    def opening(**chosen: Any) -> App:
        usual = {"home": tmp_path, "model": MODEL, "anthropic_api_key": "sk-test", "anthropic_base_url": model.url}
        settings = Settings(**{**usual, **chosen, "_env_file": None})
        with_tables(settings.folder)
        services = build_services(settings, graph=graph, embedder=WordEmbedder())
        opened.append(services)
        process.pin(services)
        return services

    yield opening
    graph.down = False
    process.pin(before)
    for services in opened:
        services.close()


@pytest.fixture
def services(open_app: Open) -> App:
    """With passwords; Ada has one, and the default workspace."""
    services = _fill(open_app(auth="local"))
    services.accounts.users.add("ada", PASSWORD)
    services.accounts.users.grant("ada", "_")
    return services


@pytest.fixture
def ada(services: App) -> User:
    found = services.accounts.users.named("ada")
    assert found is not None
    return found


@contextmanager
def served() -> Iterator[Client]:
    """A client of the routes behind the app's own guard, on a server of this process that it asks over a socket."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as app.py does: or each answer waits 40 ms
        app = Starlette(routes=routes, middleware=middleware)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
        serving = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        serving.start()
        try:
            port = listening.getsockname()[1]
            with Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False) as client:
                yield client
        finally:
            server.should_exit = True
            serving.join()


@pytest.fixture
def nobody(services: App) -> Iterator[Client]:
    """A client without a token."""
    with served() as client:
        yield client


@pytest.fixture
def client(nobody: Client) -> Client:
    """A client that signed in as Ada."""
    nobody.headers["Authorization"] = f"Bearer {sign_in(nobody)}"
    return nobody


def sign_in(client: Client, name: str = "ada", password: str = PASSWORD) -> str:
    answer = client.post("/api/auth/login", json={"username": name, "password": password})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["access_token"])


def session(client: Client, **given: Any) -> str:
    """The id of a new session."""
    answer = client.post("/api/chat/sessions", json=given)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["_id"])
