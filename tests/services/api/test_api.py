"""The app's own routes: health, commands over loopback, and who is kept out."""

import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.testclient import TestClient

from services.agent import app
from services.agent.app import App
from services.api.graph_health import Health
from services.api.guard import middleware
from services.api.routes import routes
from services.bootstrap import build_services
from services.commands.registry import requests
from services.core import announcement
from services.core.client import AppGone, ask
from services.core.config import Settings
from services.core.errors import AsofError, BadInput
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore

CSV = b"source,relation,target,valid_at\nAnn,WORKS_AT,Acme,2010-01-01\n"


@pytest.fixture
def graph() -> MemoryGraphStore:
    return MemoryGraphStore()


@pytest.fixture
def services(tmp_path: Path, graph: MemoryGraphStore, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    services = build_services(Settings(home=with_tables(tmp_path)), graph=graph)
    monkeypatch.setattr(app, "get_services", lambda: services)
    yield services
    services.close()


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


@pytest.fixture
def client(services: App) -> Iterator[TestClient]:
    app = Starlette(routes=routes, middleware=middleware)
    with TestClient(app, base_url="http://localhost:8501", client=("127.0.0.1", 50_000)) as client:
        yield client


@pytest.fixture
def running(services: App, listening: socket.socket) -> Iterator[announcement.Announcement]:
    """The routes on a real server in this process, announced."""
    app = Starlette(routes=routes, middleware=middleware)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    announced = announcement.announce(services.settings.folder, [listening])
    assert announced is not None
    yield announced
    server.should_exit = True
    thread.join()


def token(services: App, listening: socket.socket) -> dict[str, str]:
    announced = announcement.announce(services.settings.folder, [listening])
    assert announced is not None
    return {"Authorization": f"Bearer {announced.token}"}


# -- health


def test_health_answers_at_once_and_then_knows_the_graph(client, monkeypatch):
    monkeypatch.setattr("services.api.routes._health", Health())
    assert client.get("/api/health").json()["status"] == "ok"
    deadline = time.monotonic() + 10
    while client.get("/api/health").json()["graph"] != {"state": "up"}:
        assert time.monotonic() < deadline


def test_health_says_what_is_down(client, services, graph, monkeypatch):
    monkeypatch.setattr("services.api.routes._health", Health())
    graph.down = True
    deadline = time.monotonic() + 10
    while (known := client.get("/api/health").json())["graph"]["state"] == "unknown":
        assert time.monotonic() < deadline
    assert known["status"] == "ok"
    assert known["graph"] == {
        "state": "down",
        "problem": "The graph database at memory is not responding.",
        "hint": "Start it again.",
    }


# -- commands


def test_a_command_answers_progress_and_then_its_result(client, services, listening):
    body = requests()["import"].read({"name": "a.csv", "content": CSV}).body()
    response = client.post("/api/commands/import", content=body, headers=token(services, listening))
    *progress, last = map(json.loads, response.text.splitlines())
    assert progress[0] == {"progress": [0, 3]}
    assert progress[-1] == {"progress": [3, 3]}
    assert last["result"]["rows"]["new"] == 1


def test_a_command_that_fails_answers_its_error(client, services, listening):
    response = client.post("/api/commands/facts", content=b"{}", headers=token(services, listening))
    (line,) = map(json.loads, response.text.splitlines())
    assert line["error"] == {"kind": "BadInput", "message": "entity: field required.", "hint": ""}


def test_a_command_needs_the_token_and_a_client_on_this_machine(client, services, listening):
    good = token(services, listening)
    asked = {"content": b'{"entity": "Ann"}'}
    assert client.post("/api/commands/facts", **asked).status_code == 403
    assert client.post("/api/commands/facts", headers={"Authorization": "Bearer guess"}, **asked).status_code == 403
    assert client.post("/api/commands/facts", headers=good, **asked).status_code == 200
    assert client.post("/api/commands/fly", headers=good, **asked).status_code == 404
    remote = TestClient(Starlette(routes=routes), client=("192.0.2.7", 50_000))
    assert remote.post("/api/commands/facts", headers=good, **asked).status_code == 403


def test_nobody_may_command_an_app_that_has_announced_nothing(client):
    response = client.post("/api/commands/facts", content=b"{}", headers={"Authorization": "Bearer "})
    assert response.status_code == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Host": "evil.example:8501"}, 400),
        ({"Host": "evil.example:8501", "Origin": "http://evil.example:8501"}, 400),
        ({"Origin": "http://localhost:8501"}, 200),
        ({"Host": "127.0.0.1:8501"}, 200),
        ({"Host": "[::1]:8501"}, 200),
        ({"Host": "asof.example", "X-Forwarded-For": "192.0.2.7"}, 403),
    ],
    ids=str,
)
def test_other_sites_are_kept_out(client, headers, status):
    assert client.get("/api/health", headers=headers).status_code == status


# -- the way from the CLI to the app


def test_the_cli_asks_the_running_app(running):
    seen = []
    document = ask(
        running,
        "import",
        requests()["import"].read({"name": "a.csv", "content": CSV}).body(),
        lambda done, total: seen.append((done, total)),
    )
    assert document["rows"]["new"] == 1
    assert seen[-1] == (3, 3)
    document = ask(running, "facts", requests()["facts"].read({"entity": "Ann"}).body())
    assert [fact["target"] for fact in document["facts"]] == ["Acme"]


@pytest.mark.parametrize("name", ["Łukasz Langa", "“quoted” 日本語", "Jürgen"])
def test_names_in_any_script_reach_the_app(running, name):
    document = ask(running, "facts", requests()["facts"].read({"entity": name}).body())
    assert document["entity"] == name


def test_a_command_that_nobody_waits_for_any_more_is_taken_back(running, services):
    headers = {"Authorization": f"Bearer {running.token}"}
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", running.port)) as connection:
        connection.request("POST", "/api/commands/demo", b"{}", headers)
        assert connection.getresponse().status == 200
    deadline = time.monotonic() + 30
    while any(thread.name == "asof-command-demo" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
    assert services.bridge.run(services.graph.watermark("peps")).counts.facts == 0


def test_half_a_character_is_answered_in_utf_8(client, services, listening):
    body = requests()["facts-batch"].read({"lines": [b'{"id": "\\ud800", "entity": "Ann"}']}).body()
    response = client.post("/api/commands/facts-batch", content=body, headers=token(services, listening))
    *_, last = map(json.loads, response.content.decode().splitlines())
    assert last["result"]["answers"] == [{"id": "\ud800", "facts": [], "undated": 0}]


def test_what_a_command_raises_in_the_app_is_raised_here(running):
    asked = requests()["import"].read({"name": "a.csv", "content": b"nothing"})
    with pytest.raises(BadInput, match=r"a\.csv contains no facts") as failure:
        ask(running, "import", asked.body())
    assert failure.value.hint


def test_an_app_that_does_not_answer_is_gone(listening):
    port = listening.getsockname()[1]
    listening.close()
    with pytest.raises(AppGone):
        ask(announcement.Announcement(1, port, "x"), "facts", requests()["facts"].read({"entity": "Ann"}).body())


@pytest.mark.parametrize(
    ("name", "given", "hint"),
    [("ingest", {}, "continue when Asof restarts"), ("facts", {"entity": "Ann"}, "try again")],
)
def test_an_app_that_ends_under_a_command_leaves_its_jobs_to_the_next_start(listening, name, given, hint):
    def answer_half() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(65_536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")

    app = threading.Thread(target=answer_half)
    app.start()
    with pytest.raises(AsofError) as failure:
        ask(announcement.Announcement(1, listening.getsockname()[1], "x"), name, requests()[name].read(given).body())
    app.join()
    assert hint in failure.value.hint


def test_somebody_else_on_the_port_is_not_the_app(running):
    stranger = announcement.Announcement(running.pid, running.port, "another token")
    with pytest.raises(AppGone):
        ask(stranger, "facts", requests()["facts"].read({"entity": "Ann"}).body())


# -- the announcement


def test_an_announcement_is_for_its_owner_only_and_can_be_withdrawn(tmp_path, listening):
    announcement.announce(tmp_path, [listening])
    assert (tmp_path / "app.json").stat().st_mode & 0o777 == 0o600
    assert announcement.own_token(tmp_path)
    announcement.withdraw(tmp_path)
    assert not (tmp_path / "app.json").exists()


def test_an_app_that_listens_on_no_port_announces_nothing(tmp_path):
    assert announcement.announce(tmp_path, []) is None
    assert list(tmp_path.iterdir()) == []


def test_this_process_and_a_dead_one_are_no_running_app(tmp_path, listening):
    announcement.announce(tmp_path, [listening])
    assert announcement.running_app(tmp_path) is None
    (tmp_path / "app.json").write_text('{"pid": 4194304, "port": 1, "token": "x"}')
    assert announcement.running_app(tmp_path) is None
    (tmp_path / "app.json").write_text('{"pid": 1, "port": 1, "token": "x"}')
    assert announcement.running_app(tmp_path) == announcement.Announcement(1, 1, "x")
    announcement.withdraw(tmp_path)
    assert (tmp_path / "app.json").exists(), "another process's announcement stays"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"pid": 1}'])
def test_an_announcement_that_cannot_be_read_is_none(tmp_path, content):
    (tmp_path / "app.json").write_text(content)
    assert announcement.running_app(tmp_path) is None


def test_health_says_whether_the_data_folder_can_be_written(client, monkeypatch):
    def folder() -> dict[str, str]:
        monkeypatch.setattr("services.api.routes._health", Health())
        deadline = time.monotonic() + 10
        while (known := client.get("/api/health").json()["data_folder"])["state"] == "unknown":
            assert time.monotonic() < deadline
        return known

    assert folder() == {"state": "writable"}
    monkeypatch.setattr("services.core.data_folder.free_bytes", lambda _: 0)
    assert folder()["state"] == "not writable"
    assert "is full" in folder()["problem"]
