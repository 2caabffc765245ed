"""Signing in and out over HTTP, and the guards of the whole app."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState

from services.accounts.database import _engine
from services.accounts.page_owners import Shown
from services.accounts.sign_in import COOKIE
from services.agent import app
from services.agent.app import App
from services.api.guard import RUN, check_start, middleware
from services.api.routes import routes
from services.bootstrap import build_services
from services.core.config import Settings
from services.core.errors import BadInput
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore

pytestmark = pytest.mark.usefixtures("quick_passwords")
PASSWORD = "correct horse"
HERE = "http://localhost:8501"
STREAM = "ws://localhost:8501/_stcore/stream"
OWN = {"Origin": HERE}


async def echo(websocket: WebSocket) -> None:
    """What stands for a page: it answers each thing that it is sent."""
    await websocket.accept()
    try:
        while True:
            await websocket.send_text(f"ran {await websocket.receive_text()}")
    except WebSocketDisconnect:
        pass


def served(base_url: str = HERE, client: str = "127.0.0.1") -> TestClient:
    pages = [Route("/", lambda _: PlainTextResponse("a page")), WebSocketRoute("/_stcore/stream", echo)]
    app = Starlette(routes=[*routes, *pages], middleware=middleware)
    return TestClient(app, base_url=base_url, client=(client, 50_000), follow_redirects=False)


def opened(tmp_path: Path, auth: str, monkeypatch: pytest.MonkeyPatch) -> App:
    chosen = Settings(home=with_tables(tmp_path), auth=auth, _env_file=None)  # type: ignore[arg-type,call-arg]
    services = build_services(chosen, graph=MemoryGraphStore())
    monkeypatch.setattr(app, "get_services", lambda: services)
    return services


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """With passwords; Ada has one."""
    services = opened(tmp_path, "local", monkeypatch)
    services.accounts.users.add("ada", PASSWORD)
    yield services
    services.close()


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """Without sign-in."""
    services = opened(tmp_path, "none", monkeypatch)
    yield services
    services.close()


@pytest.fixture
def client(services: App) -> Iterator[TestClient]:
    with served() as client:
        yield client


def form(**more: str) -> dict[str, str]:
    return {"username": "ada", "password": PASSWORD, "next": "/Timeline?w=team&e=ada"} | more


def test_the_right_password_sets_a_cookie_and_leads_back(client: TestClient, services: App) -> None:
    answer = client.post("/api/login", data=form(), headers=OWN)
    assert (answer.status_code, answer.headers["location"]) == (303, "/Timeline?w=team&e=ada")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert "secure" not in cookie.lower()
    rights = services.accounts.sign_in.rights_of(client.cookies[COOKIE])
    assert rights is not None
    assert rights.user.name == "ada"


def test_over_https_the_cookie_travels_over_https_only(services: App) -> None:
    client = served("https://asof.example", client="192.0.2.7")
    answer = client.post("/api/login", data=form(), headers={"Origin": "https://asof.example"})
    assert "secure" in answer.headers["set-cookie"].lower()


@pytest.mark.parametrize(
    "changed", [{"password": "wrong password"}, {"username": "bob"}, {"username": ""}, {"password": ""}], ids=str
)
def test_a_wrong_password_leads_back_with_the_reason_and_sets_nothing(
    client: TestClient, changed: dict[str, str]
) -> None:
    answer = client.post("/api/login", data=form(**changed), headers=OWN)
    assert answer.headers["location"] == "/Timeline?w=team&e=ada&sign_in=wrong"
    assert "set-cookie" not in answer.headers


def test_after_too_many_tries_even_the_right_password_has_to_wait(client: TestClient) -> None:
    answers = [client.post("/api/login", data=form(password="wrong"), headers=OWN) for _ in range(6)]
    assert answers[-1].headers["location"].endswith("sign_in=wait")
    right = client.post("/api/login", data=form(), headers=OWN)
    assert right.headers["location"].endswith("sign_in=wait")


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "evil",
        "",
        "/a\r\nX: y",
        "//[",
    ],
)
def test_signing_in_never_leads_to_another_site(client: TestClient, elsewhere: str) -> None:
    assert client.post("/api/login", data=form(next=elsewhere), headers=OWN).headers["location"] == "/"


@pytest.mark.parametrize("path", ["/api/login", "/api/logout"])
@pytest.mark.parametrize(
    "headers",
    [{}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {**OWN, "Sec-Fetch-Site": "cross-site"}],
    ids=str,
)
def test_only_a_form_of_our_own_page_signs_in_or_out(client: TestClient, path: str, headers: dict[str, str]) -> None:
    answer = client.post(path, data=form(), headers=headers)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("body", [b"x" * 30_000, b"username=ada&" * 50, b"\xff\xfe", b""])
def test_a_form_that_is_none_is_refused(client: TestClient, body: bytes) -> None:
    answer = client.post("/api/login", content=body, headers=OWN)
    assert answer.headers["location"] == "/?sign_in=wrong"


def test_signing_out_ends_the_session_and_forgets_the_cookie(client: TestClient, services: App) -> None:
    client.post("/api/login", data=form(), headers=OWN)
    token = client.cookies[COOKIE]
    answer = client.post("/api/logout", headers=OWN)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert COOKIE not in client.cookies
    assert services.accounts.sign_in.rights_of(token) is None
    assert client.post("/api/logout", headers=OWN).status_code == 303


def test_without_passwords_nobody_signs_in_by_one(alone: App) -> None:
    assert served().post("/api/login", data=form(), headers=OWN).status_code == 404


# -- the connection of an open page


def test_an_open_page_is_cut_off_at_the_first_thing_it_asks_after_its_session_ended(
    client: TestClient, services: App
) -> None:
    client.post("/api/login", data=form(), headers=OWN)
    with client.websocket_connect(STREAM) as page:
        page.send_text("a rerun")
        assert page.receive_text() == "ran a rerun"
        services.accounts.users.disable("ada")
        page.send_text("a button that deletes everything")
        with pytest.raises(WebSocketDisconnect):
            page.receive_text()


@pytest.mark.parametrize("cookies", [{}, {COOKIE: "guessed"}], ids=str)
def test_whoever_is_not_signed_in_reaches_the_page_that_asks(client: TestClient, cookies: dict[str, str]) -> None:
    client.cookies = cookies  # type: ignore[assignment]
    with client.websocket_connect(STREAM) as page:
        for number in range(2):
            page.send_text(str(number))
            assert page.receive_text() == f"ran {number}"


# -- without sign-in


@pytest.mark.parametrize(
    ("address", "host", "status"),
    [
        ("http://127.0.0.1:8501", {}, 200),
        ("http://[::1]:8501", {}, 200),
        ("http://localhost:8501", {}, 200),
        ("http://192.0.2.2:8501", {}, 400),
        ("http://[2001:db8::1]:8501", {}, 400),
        ("http://127.0.0.1:8501", {"Host": "evil.example:8501"}, 400),
        ("http://127.0.0.1:8501", {"Host": "asof.example", "X-Forwarded-For": "192.0.2.7"}, 403),
        ("http://127.0.0.1:8501", {"X-Forwarded-For": "127.0.0.1"}, 403),
        ("http://127.0.0.1:8501", {"Forwarded": "for=127.0.0.1"}, 403),
        ("http://127.0.0.1:8501", {"X-Real-IP": "192.0.2.7"}, 403),
    ],
    ids=str,
)
def test_without_sign_in_only_this_machine_is_answered(
    alone: App, address: str, host: dict[str, str], status: int
) -> None:
    client, stream = served(address), f"{address.replace('http', 'ws')}/_stcore/stream"
    assert client.get("/", headers=host).status_code == status
    if status == 200:
        with client.websocket_connect(stream, headers=host) as page:
            page.send_text("x")
            assert page.receive_text() == "ran x"
    else:
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(stream, headers=host):
            pass


def test_with_sign_in_other_machines_are_answered(services: App) -> None:
    assert served("http://asof.example", client="192.0.2.7").get("/").status_code == 200


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "localhost"])
def test_an_app_without_sign_in_may_listen_on_loopback(address: str) -> None:
    check_start(Settings(_env_file=None), address)  # type: ignore[call-arg]


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.2", "asof.example", "", None])
def test_an_app_without_sign_in_does_not_listen_beyond_this_machine(address: str | None) -> None:
    with pytest.raises(BadInput, match="only on this computer") as refused:
        check_start(Settings(_env_file=None), address)  # type: ignore[call-arg]
    assert "ASOF_AUTH=local" in refused.value.hint
    check_start(Settings(auth="local", _env_file=None), address)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("graph_password", "change-this-password"),
        ("graph_url", "bolt://neo4j:change-this-password@graph:7687"),
        ("database_password", "change-this-password"),
        ("database_url", "postgresql://asof:change-this-password@accounts/asof"),
    ],
)
def test_the_password_of_an_example_is_refused_by_the_setting_that_has_it(name: str, value: str) -> None:
    with pytest.raises(BadInput, match=f"ASOF_{name.upper()} still uses the public example password"):
        check_start(Settings(auth="local", _env_file=None).model_copy(update={name: value}), "0.0.0.0")  # type: ignore[call-arg]


def test_a_browser_that_comes_back_signed_out_is_given_a_new_page_which_runs_at_once(services: App) -> None:
    seen: list[str] = []

    async def page(websocket: WebSocket) -> None:
        seen.append(websocket.headers["sec-websocket-protocol"])
        await websocket.accept(subprotocol="streamlit")
        seen.append(repr(await websocket.receive_bytes()))
        await websocket.close()

    app = Starlette(routes=[WebSocketRoute("/_stcore/stream", page)], middleware=middleware)
    with TestClient(app).websocket_connect(STREAM, subprotocols=["streamlit", "xsrf", "the-old-page"]):
        pass
    assert seen == ["streamlit, xsrf", repr(RUN)]


def test_what_has_a_page_run_is_what_streamlit_takes_for_it() -> None:
    message = BackMsg.FromString(RUN)
    assert message.WhichOneof("type") == "rerun_script"
    assert message.rerun_script == ClientState()


def drawn(services: App, token: str) -> None:
    """What a page does at each run of the whole of it."""
    rights = services.accounts.sign_in.rights_of(token)
    assert rights is not None
    services.accounts.sign_in.pages.put("its-page", Shown(token, rights))


def comes_back(token: str) -> str:
    """What a browser with an open page gets when it connects again: its page, or one that begins anew."""
    asked: list[object] = []

    async def page(websocket: WebSocket) -> None:
        asked.append(websocket.headers["sec-websocket-protocol"])
        await websocket.accept(subprotocol="streamlit")
        asked.append(await websocket.receive_bytes())
        await websocket.close()

    app = Starlette(routes=[WebSocketRoute("/_stcore/stream", page)], middleware=middleware)
    connecting = TestClient(app, cookies={COOKIE: token})
    with connecting.websocket_connect(STREAM, subprotocols=["streamlit", "xsrf", "its-page"]) as socket:
        socket.send_bytes(b"a click")
        assert socket.receive()["code"] == 1000, "the page itself ended it"
    told = {("streamlit, xsrf, its-page", b"a click"): "its page", ("streamlit, xsrf", RUN): "anew"}
    return told[tuple(asked)]  # type: ignore[index]


def test_a_browser_that_comes_back_signed_in_keeps_its_page(services: App) -> None:
    token = services.accounts.sign_in.begin("ada", PASSWORD, "127.0.0.1")
    drawn(services, token)
    assert comes_back(token) == "its page"


def test_nobody_comes_back_to_a_page_of_somebody_elses(services: App) -> None:
    services.accounts.users.add("bob", PASSWORD)
    hers, his = (services.accounts.sign_in.begin(name, PASSWORD, "127.0.0.1") for name in ("ada", "bob"))
    assert comes_back(hers) == "anew", "nobody knows whose page it is"
    drawn(services, hers)
    assert comes_back(his) == "anew"
    assert comes_back(hers) == "its page"


def test_a_page_that_showed_what_was_taken_back_begins_anew(services: App) -> None:
    users = services.accounts.users
    token = services.accounts.sign_in.begin("ada", PASSWORD, "127.0.0.1")
    users.grant("ada", "team")
    drawn(services, token)
    users.grant("ada", "another")
    assert comes_back(token) == "its page"
    users.revoke("ada", "team")
    assert comes_back(token) == "anew"
    users.disable("ada")
    assert comes_back(token) == "anew"


def test_an_open_page_is_cut_off_once_its_workspace_is_taken_back(client: TestClient, services: App) -> None:
    users = services.accounts.users
    users.grant("ada", "team")
    client.post("/api/login", data=form(), headers=OWN)
    with client.websocket_connect(STREAM) as page:
        for workspace in ("another", "one more"):
            page.send_text("a rerun")
            assert page.receive_text() == "ran a rerun"
            users.grant("ada", workspace)
        page.send_text("a rerun")
        assert page.receive_text() == "ran a rerun"
        users.revoke("ada", "one more")
        page.send_text("a button that asks a model")
        with pytest.raises(WebSocketDisconnect):
            page.receive_text()


def test_accounts_that_cannot_be_asked_close_no_page(
    client: TestClient, services: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.post("/api/login", data=form(), headers=OWN)
    token = client.cookies[COOKIE]
    drawn(services, token)
    with client.websocket_connect(STREAM) as page:
        page.send_text("1")
        assert page.receive_text() == "ran 1"
        with monkeypatch.context() as out_of_reach:
            out_of_reach.setattr(services.accounts._database, "_engine", _engine("postgresql://asof@127.0.0.1:1/asof"))
            page.send_text("2")
            assert page.receive_text() == "ran 2"
            assert comes_back(token) == "its page"
            assert comes_back("another") == "anew"
        services.accounts.users.disable("ada")
        page.send_text("3")
        with pytest.raises(WebSocketDisconnect):
            page.receive_text()


@pytest.mark.parametrize("headers", [{"Host": "["}, {**OWN, "Host": "[x]"}, {"Origin": "http://["}], ids=str)
@pytest.mark.parametrize("path", ["/", "/api/login"])
@pytest.mark.parametrize("auth", ["none", "local"])
def test_a_host_or_an_origin_that_cannot_be_read_is_a_bad_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, auth: str, path: str, headers: dict[str, str]
) -> None:
    services = opened(tmp_path, auth, monkeypatch)
    assert served().post(path, headers=headers).status_code == 400
    with pytest.raises(WebSocketDisconnect), served().websocket_connect(STREAM, headers=headers):
        pass
    services.close()


@pytest.mark.parametrize(
    ("asked", "told"), [("/a#b", "/a?sign_in=wrong"), ("/a?x=1#b", "/a?x=1&sign_in=wrong"), ("#b", "/?sign_in=wrong")]
)
def test_the_reason_of_a_refusal_stands_in_the_address_and_not_in_its_fragment(
    client: TestClient, asked: str, told: str
) -> None:
    answer = client.post("/api/login", data=form(next=asked, password="wrong"), headers=OWN)
    assert answer.headers["location"] == told


@pytest.mark.parametrize("allowed", ["", " , "])
def test_a_provider_whose_users_are_not_named_does_not_start(allowed: str) -> None:
    with pytest.raises(BadInput, match="ASOF_ALLOWED"):
        check_start(Settings(auth="oidc", allowed=allowed, _env_file=None), "127.0.0.1")  # type: ignore[call-arg]
    check_start(Settings(auth="oidc", allowed="@example.org", _env_file=None), "0.0.0.0")  # type: ignore[call-arg]
