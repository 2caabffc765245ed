"""Search, SQL, the commands of the terminal and jobs over HTTP; what OpenAPI says of all of them; unknown paths."""

import base64
import re
from typing import Any

import anyio
import pytest
from httpx import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from starlette.requests import Request

from services.accounts.account_records import User
from services.agent.app import App
from services.api.rest.docs_page import docs_page
from services.api.rest.rest_routes import OPERATIONS, document
from services.commands.arguments import Run
from services.commands.registry import run_request
from services.core.json_documents import json_text
from tests.fakes.memory_graph import MemoryGraphStore
from tests.services.api.rest.conftest import Open, served

PASSAGE = {"text", "file_name", "file_path", "directory_name", "similarity", "hybrid_score", "metadata"}


def without_clocks(answer: Any) -> Any:
    """An answer without what differs from one moment to the next."""
    text = answer if isinstance(answer, str) else json_text(answer)
    return re.sub(r"20\d\d-\d\d-\d\dT[\d:.]+\+00:00|\"(ms|id)\": [^,}]+", "", text)


# -- commands


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("facts", {"entity": "Ada", "as_of": "2021"}),
        ("history", {"entity": "Ada", "known_at": "2021"}),
        ("diff", {"from": "2020", "to": "2023"}),
        ("search", {"query": "brake test", "k": 3}),
        ("sql", {"sql": "SELECT count(*) AS n FROM facts"}),
        ("ask", {"question": "Where does Ada work?", "model": "none"}),
    ],
)
def test_a_command_has_the_shape_of_the_terminal(client: Client, services: App, name: str, body) -> None:
    answer = client.post(f"/api/v1/{name}", json=body)
    assert answer.status_code == 200, answer.text
    wanted = run_request(services, name, body, Run())
    assert answer.json().keys() == wanted.keys()
    if name != "ask":
        assert without_clocks(answer.json()) == without_clocks(wanted)


def test_a_limit_beyond_every_number_of_changes_lists_them_all(client: Client) -> None:
    asked = {"from": "2019", "to": "2023"}
    every = client.post("/api/v1/diff", json=asked).json()
    assert client.post("/api/v1/diff", json={**asked, "limit": 2**64}).json()["added"] == every["added"] != []


def test_what_cannot_be_used_names_the_field(client: Client) -> None:
    assert client.post("/api/v1/facts", json={}).json() == {"detail": "entity: field required."}
    assert client.post("/api/v1/facts", json={"entity": "Ada", "colour": 1}).json()["detail"].startswith("colour: ")
    assert client.post("/api/v1/facts", json={"entity": "Ada", "as_of": "someday"}).status_code == 400
    assert client.post("/api/v1/sql", json={"sql": "DROP TABLE facts"}).status_code == 400


def test_what_changed_and_what_there_is_comes_as_the_tools_have_it(client: Client) -> None:
    changes = client.post("/api/v1/changes", json={"since": "2020-01-01", "limit": 2}).json()
    assert len(changes["changes"]) == 2
    assert changes["total"] > 2
    rest = client.post("/api/v1/changes", json={"cursor": changes["cursor"]}).json()
    assert rest["changes"] != changes["changes"]
    (found,) = client.post("/api/v1/entities", json={"query": "Labs", "limit": 1}).json()["entities"]
    assert (found["name"], found["type"]) == ("Labs", "Company")
    assert client.post("/api/v1/entities", json={}).status_code == 400


def test_documents_are_taken_in_at_once_and_their_job_is_listed(client: Client) -> None:
    file = {"path": "notes/yard.md", "content": base64.b64encode(b"# Yard\n\nThe yard has a crane.\n").decode()}
    taken = client.post("/api/v1/ingest", json={"files": [file], "documents": [{"text": "A crane stands there."}]})
    assert taken.json()["documents"] == {"new": 2, "changed": 0, "unchanged": 0}
    (job,) = client.get("/api/v1/jobs").json()["jobs"]
    assert (job["state"], job["counts"]["done"], job["workspace"]) == ("done", 2, "_")
    assert client.get(f"/api/v1/jobs/{job['id']}").json() == {**job, "problems": []}
    assert client.get("/api/v1/jobs?worksapce=_").json()["detail"].startswith("worksapce: ")
    for id in ("nonsense", "00000000-0000-4000-8000-000000000000"):
        assert client.get(f"/api/v1/jobs/{id}").status_code == 404


def test_a_graph_that_is_down_is_answered_from_its_mirror_or_503(open_app: Open, graph: MemoryGraphStore) -> None:
    open_app()
    graph.down = True
    with served() as client:
        for name, body in {"search": {"query": "Ada"}, "entities": {"query": "Ada"}, "changes": {}}.items():
            assert client.post(f"/api/v1/{name}", json=body).status_code in (400, 503), name
        assert client.post("/api/v1/facts", json={"entity": "Ada"}).status_code == 503


# -- search and databases


def test_passages_come_in_the_form_of_graphrag(client: Client) -> None:
    body = {"query": "brake test", "top_k_vector": 5, "keywords": ["brake"], "keyword_boost": 0.4, "max_hops": 1}
    first, *_ = client.post("/api/graphrag/query", json=body).json()["results"]
    assert first.keys() == PASSAGE
    assert first["metadata"].keys() >= {"chunk_index", "file_id"}
    assert first["hybrid_score"] == pytest.approx(first["similarity"] + 0.4, abs=0.2)
    none = client.post("/api/graphrag/query", json={**body, "use_keyword_search": False}).json()["results"]
    assert none[0]["hybrid_score"] < first["hybrid_score"]


def test_a_schema_is_searched_and_sql_is_run(client: Client, services: App) -> None:
    from services.sql.warehouse import warehouse

    kept = warehouse(services.workspace("_"), for_administrator=True)
    kept.add_files("fleet", "_", (("trams.csv", b"number,depot\n1,North\n2,South\n"),))
    found = client.post("/api/databases/fleet/schema/search", json={"query": "which depot", "top_k": 3}).json()
    assert found["result_count"] == len(found["results"])
    assert {"element_type", "name", "description", "similarity", "metadata"} == found["results"][0].keys()
    assert found["schema_slice"]["tables"][0]["name"] == "trams"
    rows = client.post("/api/databases/fleet/execute", json={"query": "SELECT depot FROM trams ORDER BY 1"}).json()
    assert rows == {
        "success": True,
        "columns": ["depot"],
        "rows": [["North"], ["South"]],
        "row_count": 2,
        "truncated": False,
    }
    assert client.post("/api/databases/graph/execute", json={"query": "SELECT count(*) FROM facts"}).json()["success"]
    for path in ("schema/search", "execute"):
        assert client.post(f"/api/databases/none/{path}", json={"query": "SELECT 1"}).status_code == 400
    assert client.post("/api/databases/fleet/execute", json={"query": "DELETE FROM trams"}).status_code == 400


# -- what is said of it


def test_the_document_is_openapi_with_valid_schemas_and_no_loose_reference(nobody: Client) -> None:
    found = nobody.get("/api/openapi.json").json()
    assert found["openapi"] == "3.1.0"
    schemas = found["components"]["schemas"]
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', json_text(found)))
    assert named <= schemas.keys()
    operations = [one for methods in found["paths"].values() for one in methods.values()]
    assert len({one["operationId"] for one in operations}) == len(operations) == len(OPERATIONS)
    for path, methods in found["paths"].items():
        for one in methods.values():
            placed = {p["name"] for p in one.get("parameters", ()) if p["in"] == "path"}
            assert placed == set(re.findall(r"{(\w+)}", path))


def test_what_is_answered_is_of_the_declared_type(client: Client) -> None:
    found = document()

    def fits(path: str, method: str, answer: Any) -> None:
        declared = found["paths"][path][method]["responses"][str(answer.status_code)]["content"]["application/json"]
        schema = {**declared["schema"], "components": found["components"]}
        Draft202012Validator(schema).validate(answer.json())

    sessions = "/api/chat/sessions"
    begun = client.post(sessions, json={})
    fits(sessions, "post", begun)
    fits(sessions, "get", client.get(sessions))
    one = f"{sessions}/{{session_id}}"
    path = f"{sessions}/{begun.json()['_id']}"
    fits(f"{one}/messages", "post", client.post(f"{path}/messages", json={"content": "Who is Ada?", "model": "none"}))
    fits(f"{one}/messages", "post", client.post(f"{path}/messages", json={}))
    fits(f"{one}/messages", "get", client.get(f"{path}/messages"))
    fits(one, "patch", client.patch(path, json={"title": "Ada"}))
    fits("/api/graphrag/query", "post", client.post("/api/graphrag/query", json={"query": "brakes"}))
    execute = "/api/databases/{database_id}/execute"
    fits(execute, "post", client.post("/api/databases/graph/execute", json={"query": "SELECT 1"}))
    fits("/api/v1/jobs/{job_id}", "get", client.get("/api/v1/jobs/none"))


def test_the_page_of_the_api_names_every_operation_and_loads_nothing(nobody: Client) -> None:
    page = nobody.get("/api/docs").text
    for one in OPERATIONS:
        assert f"{one.method} {one.path}" in page
    assert "http" not in page.replace("http-equiv", "")
    assert "<script" not in page
    assert "<script" not in docs_page(
        {
            "components": {"schemas": {}},
            "paths": {"/<script>": {"get": {"tags": ["<script>"], "summary": "<script>", "responses": {}}}},
        }
    )


@pytest.mark.parametrize(
    "path", ["/api", "/api/", "/api/none", "/api/v1/none", "/mcp/none", "/healthz", "/healthz/x", "/api/a%0Ab"]
)
def test_an_unknown_path_of_ours_is_a_json_404(nobody: Client, path: str) -> None:
    for method in ("GET", "POST"):
        answer = nobody.request(method, path)
        assert (answer.status_code, answer.json()) == (404, {"detail": "Not found"})


def test_another_method_is_405_and_says_which_there_are(nobody: Client) -> None:
    for path, allowed in {
        "/api/v1/facts": "POST",
        "/api/health": "GET, HEAD",
        "/api/openapi.json": "GET, HEAD",
    }.items():
        answer = nobody.put(path)
        assert (answer.status_code, answer.headers["allow"]) == (405, allowed), path


# -- malformed requests

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    ["query", "entity", "question", "content", "from", "as_of", "workspace", "k", "title", "files"]
)


@settings(
    max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture]
)  # one client for all examples will do
@given(st.data())
def test_no_body_is_a_fault_of_ours(client: Client, data: st.DataObject) -> None:
    """Of every operation but those that write much or take long."""
    one = data.draw(st.sampled_from([o for o in OPERATIONS if o.body and not o.path.endswith(("login", "ingest"))]))
    body = data.draw(st.dictionaries(FIELDS, ANYTHING, max_size=4) | ANYTHING)
    path = re.sub(r"{\w+}", "x", one.path)
    answer = client.request(one.method, path, content=json_text(body).encode())
    assert answer.status_code < 500, (path, body, answer.text)
    assert answer.status_code < 300 or "detail" in answer.json()


def test_a_command_is_stopped_when_its_client_has_gone(services: App, ada: User) -> None:
    """Asked without a server: the client of these tests never leaves early."""
    from services.api.rest import command_routes
    from services.api.rest.callers import Caller
    from services.api.rest.operations import Call
    from services.mcp.access import Access

    async def left_at_once() -> dict[str, str]:
        return {"type": "http.disconnect"}

    stopped: list[bool] = []

    def slow(_: Call, name: str, run: Run) -> dict[str, str]:
        stopped.append(run.cancel.wait(20))
        return {}

    scope = {"type": "http", "method": "POST", "path": "/api/v1/ask", "headers": [], "query_string": b""}
    call = Call(services, Request(scope, left_at_once), None, Caller(ada, Access()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command_routes, "_commanded", slow)
        anyio.run(command_routes.run_command, call)
    assert stopped == [True]


def test_ingest_into_a_workspace_that_there_is_not_is_404_and_says_how_to_make_it(client) -> None:
    found = client.post("/api/v1/ingest", json={"workspace": "nowhere", "documents": [{"text": "A crane."}]})
    assert found.status_code == 404
    assert found.json()["detail"].startswith(
        "There is no workspace “nowhere”, or you have no access to it. Create the workspace on Settings"
    )


def test_the_description_names_no_flag_of_the_terminal(client) -> None:
    assert " --" not in client.get("/api/docs").text
    assert "stdin" not in client.get("/api/openapi.json").text
