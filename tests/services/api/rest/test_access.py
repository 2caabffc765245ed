"""Who may ask REST what: signing in, tokens and what they grant, pins, limits, and pages of other sites."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from httpx import Client

from services.accounts.account_records import User
from services.agent.app import App
from services.api.rest import operations
from services.api.rest.request_rates import RequestRates
from tests.fakes.messages_server import MessagesServer, say
from tests.services.api.rest.conftest import PASSWORD, Open, served, session, sign_in
from tests.services.tools.conftest import _fill

SESSIONS = "/api/chat/sessions"
AT = datetime(2020, 6, 1, tzinfo=UTC)


def token(services: App, user: User, **granted: Any) -> dict[str, str]:
    """The header of a new token."""
    number = len(services.accounts.tokens.listed())
    _, made = services.accounts.tokens.add(user, f"t{number}", **{"workspaces": ["_"], **granted})
    return {"Authorization": f"Bearer {made}"}


# -- signing in


def test_a_wrong_password_is_401_and_many_of_them_are_429(nobody: Client) -> None:
    def code() -> int:
        return nobody.post("/api/auth/login", json={"username": "ada", "password": "wrong"}).status_code

    assert [code() for _ in range(6)] == [401] * 5 + [429]


def test_a_request_without_a_token_is_401(nobody: Client) -> None:
    answer = nobody.get(SESSIONS)
    assert (answer.status_code, answer.json()) == (401, {"detail": "Not authenticated"})
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("header", ["Bearer x", "Bearer a.b.c", "Bearer asof_x", "Bearer", "Basic YTpi", "é"])
def test_a_token_that_is_none_is_401(nobody: Client, header: str) -> None:
    answer = nobody.get(SESSIONS, headers={"Authorization": header.encode()})
    assert answer.status_code == 401
    assert answer.json()["detail"] in ("Could not validate credentials", "Not authenticated")


def test_a_disabled_user_is_401_at_once(client: Client, services: App) -> None:
    services.accounts.users.disable("ada")
    answer = client.get(SESSIONS)
    assert (answer.status_code, answer.json()) == (401, {"detail": "User not found"})


def test_a_changed_password_ends_every_sign_in(client: Client, services: App) -> None:
    services.accounts.users.set_password("ada", "another horse")
    answer = client.get(SESSIONS)
    assert (answer.status_code, answer.json()) == (401, {"detail": "Could not validate credentials"})
    client.headers["Authorization"] = f"Bearer {sign_in(client, password='another horse')}"
    assert client.get(SESSIONS).status_code == 200


def test_a_sign_in_lasts_as_long_as_the_setting_says(open_app: Open) -> None:
    services = open_app(auth="local", token_hours=1e-9)
    services.accounts.users.add("ada", PASSWORD)
    with served() as client:
        answer = client.get(SESSIONS, headers={"Authorization": f"Bearer {sign_in(client)}"})
    assert answer.status_code == 401


@pytest.mark.parametrize("auth", ["none", "oidc"])
def test_nobody_signs_in_by_a_password_where_none_are_kept(open_app: Open, auth: str) -> None:
    open_app(auth=auth, allowed="@x.example")
    with served() as client:
        assert client.post("/api/auth/login", json={"username": "a", "password": "b"}).status_code == 404


def test_a_sign_in_ends_where_passwords_are_not_kept_any_more(client: Client, open_app: Open) -> None:
    assert client.get(SESSIONS).status_code == 200
    open_app(auth="oidc", allowed="@x.example")
    assert client.get(SESSIONS).status_code == 401


def test_the_cookie_of_a_page_opens_nothing(nobody: Client) -> None:
    form = {"username": "ada", "password": PASSWORD, "next": "/"}
    signed = nobody.post("/api/login", data=form, headers={"Origin": str(nobody.base_url)}, follow_redirects=False)
    assert "asof_session" in signed.headers["set-cookie"]
    assert nobody.get(SESSIONS).status_code == 401


# -- tokens of programs


def test_a_token_asks_within_what_it_was_granted(nobody: Client, services: App, ada: User) -> None:
    reading = token(services, ada)
    assert nobody.post("/api/v1/facts", json={"entity": "Ada"}, headers=reading).status_code == 200
    assert nobody.post("/api/v1/ingest", json={}, headers=reading).status_code == 403
    assert nobody.get("/api/v1/jobs", headers=reading).status_code == 403
    only_omnii = token(services, ada, toolsets=["omnii"])
    for path in ("/api/v1/facts", "/api/v1/entities", "/api/graphrag/query", "/api/databases/graph/execute"):
        body = {"entity": "Ada", "query": "SELECT 1"}
        allowed = {"facts": ["entity"]}.get(path.rpartition("/")[2], ["query"])
        answer = nobody.post(path, json={name: body[name] for name in allowed}, headers=only_omnii)
        assert answer.status_code == 403, path
    assert nobody.get(SESSIONS, headers=only_omnii).status_code == 403


def test_a_reading_token_begins_sessions_and_deletes_none(nobody: Client, services: App, ada: User) -> None:
    headers = token(services, ada)
    id = nobody.post(SESSIONS, json={}, headers=headers).json()["_id"]
    assert nobody.delete(f"{SESSIONS}/{id}", headers=headers).status_code == 403
    assert nobody.patch(f"{SESSIONS}/{id}", json={"title": "x"}, headers=headers).status_code == 403
    assert nobody.delete(f"{SESSIONS}/{id}", headers=token(services, ada, may_write=True)).status_code == 204


def test_a_revoked_token_and_an_expired_one_are_401(nobody: Client, services: App, ada: User) -> None:
    headers = token(services, ada)
    services.accounts.tokens.revoke("t0")
    assert nobody.get(SESSIONS, headers=headers).status_code == 401
    soon = datetime.now(UTC) + timedelta(milliseconds=50)
    short = token(services, ada, expires_at=soon)
    while datetime.now(UTC) < soon:
        pass
    assert nobody.get(SESSIONS, headers=short).status_code == 401


@pytest.mark.parametrize("workspace", ["secret", "nowhere", "", "../_"])
def test_a_workspace_that_was_not_granted_is_refused_and_not_named(client, services: App, workspace: str) -> None:
    services.accounts.add("secret", "Board papers")
    for path, body in {
        "/api/v1/facts": {"entity": "Ada"},
        "/api/v1/search": {"query": "Ada"},
        "/api/v1/changes": {},
        "/api/graphrag/query": {"query": "brakes"},
        "/api/databases/graph/execute": {"query": "SELECT 1"},
        SESSIONS: {},
    }.items():
        answer = client.post(path, json={**body, "workspace": workspace})
        assert answer.status_code == 400, path
        assert workspace == "secret" or "secret" not in answer.text
        assert "Board papers" not in answer.text


def test_an_empty_workspace_names_no_other_one(nobody: Client, services: App, ada: User) -> None:
    services.accounts.add("secret", "Board papers")
    services.accounts.add("mine", "Mine")
    services.accounts.users.grant("ada", "mine")
    headers = token(services, ada, workspaces=["mine"])
    answer = nobody.post("/api/v1/ask", json={"question": "Where does Ada work?"}, headers=headers)
    assert (answer.status_code, answer.json()) == (400, {"detail": "The workspace “mine” is empty."})


# -- pins


def test_a_pinned_token_leaves_its_instants_nowhere(nobody: Client, services: App, ada: User) -> None:
    headers = token(services, ada, as_of=AT, known_at=AT)

    def ask(path: str, **body: Any) -> Any:
        return nobody.post(path, json=body, headers=headers)

    held = ask("/api/v1/facts", entity="Ada").json()
    assert {one["uuid"] for one in held["facts"]} == {"f1", "f3"}
    assert (held["as_of"], held["known_at"]) == ("2020-06-01T00:00:00+00:00",) * 2
    assert ask("/api/v1/facts", entity="Ada", as_of="2024").status_code == 400
    assert ask("/api/v1/facts", entity="Ada", as_of="2019").status_code == 400
    assert ask("/api/v1/facts", entity="Ada", known_at="2021").status_code == 400
    assert ask("/api/v1/facts", entity="Ada", known_at="2020-03").status_code == 200
    assert ask("/api/v1/diff", **{"from": "2019", "to": "2024"}).status_code == 400
    compared = ask("/api/v1/diff", **{"from": "2019"}).json()
    assert compared["to"] == {"as_of": "2020-06-01T00:00:00+00:00", "known_at": "2020-06-01T00:00:00+00:00"}
    assert "Labs" not in str(compared)
    assert "Labs" not in str(ask("/api/v1/changes").json())
    assert "2022" not in str(ask("/api/v1/entities", query="Ada").json())
    id = ask(SESSIONS).json()["_id"]
    for path, body in {
        "/api/v1/history": {"entity": "Ada"},
        "/api/v1/search": {"query": "Ada"},
        "/api/v1/sql": {"sql": "SELECT 1"},
        "/api/v1/ask": {"question": "Where does Ada work as known in 2024?"},
        "/api/graphrag/query": {"query": "brakes"},
        "/api/databases/graph/schema/search": {"query": "facts"},
        "/api/databases/graph/execute": {"query": "SELECT 1"},
        f"{SESSIONS}/{id}/messages": {"content": "Where does Ada work in 2024?"},
    }.items():
        refused = ask(path, **body)
        assert refused.status_code == 403, path
        assert "Use facts, diff, entities or changes under /api/v1" in refused.json()["detail"], path
    assert nobody.get(f"{SESSIONS}/{id}/messages", headers=headers).status_code == 403


def test_a_history_is_cut_at_what_a_token_may_know(nobody: Client, services: App, ada: User) -> None:
    headers = token(services, ada, known_at=AT)
    found = nobody.post("/api/v1/history", json={"entity": "Ada"}, headers=headers).json()
    assert {one["uuid"] for one in found["facts"]} == {"f1", "f3", "f5", "f6"}
    assert all(one["invalid_at"] is None for one in found["facts"])


# -- limits


def test_a_client_that_asks_too_often_waits_and_others_do_not() -> None:
    rates = RequestRates()
    assert [rates.take("a", 3) > 0 for _ in range(4)] == [False, False, False, True]
    assert rates.take("b", 3) == 0
    assert 0 < rates.take("a", 3) <= 20


def test_too_many_requests_are_429_with_the_time_to_wait(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "_rates", RequestRates())
    open_app(requests_per_minute=2)
    with served() as client:
        codes = [client.get(SESSIONS).status_code for _ in range(3)]
        answer = client.get(SESSIONS)
    assert codes == [200, 200, 429]
    assert 1 <= int(answer.headers["retry-after"]) <= 30


def test_what_was_not_granted_is_refused_before_its_body_is_read(nobody: Client, services: App, ada: User) -> None:
    answer = nobody.post("/api/v1/ingest", content=b"x" * 2_000_000, headers=token(services, ada))
    assert answer.status_code == 403


def test_an_answer_of_a_command_counts_for_the_users_day(open_app: Open, model: MessagesServer) -> None:
    services = _fill(open_app(auth="local", max_daily_cost=0.001, prices="claude-test=3000/15000"))
    user = services.accounts.users.add("ada", PASSWORD)
    services.accounts.users.grant("ada", "_")
    model.add(say("Every morning."))
    body = {"question": "How is the brake test done?"}
    with served() as client:
        codes = [client.post("/api/v1/ask", json=body, headers=token(services, user)).status_code for _ in range(2)]
        free = client.post("/api/v1/ask", json={**body, "model": "none"}, headers=token(services, user))
    assert (codes, free.status_code) == ([200, 429], 200)


def test_a_body_that_is_too_large_is_413(client: Client) -> None:
    path = f"{SESSIONS}/{session(client)}/messages"
    answer = client.post(path, content=b'{"content": "' + b"x" * 1_100_000 + b'"}')
    assert answer.status_code == 413
    assert "1,048,576 bytes" in answer.json()["detail"]


# -- pages of other sites

PORTAL = "https://portal.example"


def test_pages_of_a_listed_site_may_call_rest_and_nothing_else(open_app: Open) -> None:
    open_app(auth="local", cors_origins=f"{PORTAL}, https://two.example")
    preflight = {
        "Origin": PORTAL,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    with served() as client:
        asked = client.options(SESSIONS, headers=preflight)
        assert (asked.status_code, asked.headers["access-control-allow-origin"]) == (200, PORTAL)
        assert "access-control-allow-credentials" not in asked.headers
        answer = client.post(SESSIONS, json={}, headers={"Origin": PORTAL, "Sec-Fetch-Site": "cross-site"})
        assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (401, PORTAL)
        for path in ("/api/login", "/api/commands/facts", "/mcp"):
            assert client.post(path, headers={"Origin": PORTAL}).status_code == 403
        assert client.options(SESSIONS, headers=preflight | {"Origin": "https://evil.example"}).status_code == 403
        assert client.post(SESSIONS, json={}, headers={"Origin": "https://evil.example"}).status_code == 403


def test_no_other_site_may_call_rest_unless_it_is_listed(client: Client) -> None:
    assert client.post(SESSIONS, json={}, headers={"Origin": PORTAL}).status_code == 403
