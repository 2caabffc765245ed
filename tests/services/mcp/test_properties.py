"""Whatever a client sends: never outside its pin, never anything but an answer."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import product
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cli
from services.agent.app import App
from services.core.toolsets import TOOLSETS
from services.mcp.access import Access, of_token
from services.mcp.calls import call, granted_tools
from services.mcp.tool_results import BESIDE
from services.tools.registry import TOOLS
from services.tools.tool import Context
from services.writing.workspaces import create
from tests.services.mcp.test_transports import ALL, GOOD
from tests.services.retrieval.conftest import W

PINS = [datetime(2019, 1, 1, tzinfo=UTC), datetime(2020, 3, 1, tzinfo=UTC), datetime(2022, 6, 30, tzinfo=UTC)]
DATES = st.sampled_from(["2018", "2019-03-01", "2020", "2020-03-01", "2021-06-01", "2022-07-01", "2023", "2040"])
NAMES = st.sampled_from(["Ada", "Bob", "Labs", "Engines", "Cy", "nobody"])
WORDS = st.sampled_from(["Ada", "works for", "brake", "ships"])


def inputs_of(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Inputs of a tool that may fit."""
    by_field: dict[str, st.SearchStrategy[Any]] = {
        "query": WORDS,
        "document": st.sampled_from(["manual", "Safety manual", "none"]),
        "since": DATES,
        "reference_time": DATES,
        "first": DATES,
        "second": DATES,
        "relation": st.sampled_from(["WORKS_FOR", "KNOWS"]),
        "relationship_type": st.sampled_from(["WORKS_FOR", "KNOWS"]),
        "nodeId": st.sampled_from(["ada", "bob", "labs", "x"]),
        "nodeType": st.sampled_from(["Person", "Entity", "Company"]),
        "sql": st.just("SELECT * FROM facts"),
        **dict.fromkeys(["partner_id", "term", "context_similar_to", "situation_type", "filename", "context"], WORDS),
        **dict.fromkeys(["entity", "entity_name", "entityName", "source", "target"], NAMES),
    }
    schema = TOOLS[name].schema()
    required = {field: by_field[field] for field in schema.get("required", [])}
    optional = {field: by_field[field] for field in schema["properties"] if field in by_field.keys() - required.keys()}
    clocks = {"as_of": DATES, "known_at": DATES}
    return st.fixed_dictionaries(required, optional={**optional, **clocks})


_ASKED_ELSEWHERE = ("get_job", "knowledge_crawl_status", "run_workflow")
CALLS = st.sampled_from(
    [name for name, tool in TOOLS.items() if not tool.writes and name not in _ASKED_ELSEWHERE]
).flatmap(lambda name: st.tuples(st.just(name), inputs_of(name)))


def instants(document: Any, names: tuple[str, ...]) -> set[str]:
    """Every instant under these names, wherever it stands in a document."""
    if isinstance(document, list):
        return set().union(*(instants(one, names) for one in document), set())
    if not isinstance(document, dict):
        return set()
    here = {value for name, value in document.items() if name in names and isinstance(value, str)}
    return here.union(*(instants(value, names) for name, value in document.items() if name != BESIDE))


@given(pair=CALLS, as_of=st.sampled_from(PINS), known_at=st.sampled_from(PINS))
def test_nothing_leaves_the_pin(
    app: App, pair: tuple[str, dict[str, Any]], as_of: datetime, known_at: datetime
) -> None:
    name, arguments = pair
    access = Access("client", (W,), TOOLSETS, as_of=as_of, known_at=known_at)
    found = call(app, access, name, arguments)
    if found.is_error:
        assert ": " in found.text or "no " in found.text
        return
    assert found.data is not None
    beside = found.data[BESIDE]
    assert beside["known_at"] <= known_at.isoformat()
    assert beside["as_of"] <= as_of.isoformat()
    recorded = instants(found.data, ("created_at", "expired_at", "withdrawn_at", "createdAt", "updated_at"))
    assert all(instant <= beside["known_at"] for instant in recorded)
    own = {field: value for field, value in arguments.items() if field not in ("as_of", "known_at")}
    clocks = [datetime.fromisoformat(beside[clock]) for clock in ("as_of", "known_at")]
    same = TOOLS[name](Context(app.workspace(W), *clocks, client="another"), own)
    if name != "get_changes":
        varying = {BESIDE: None, "query_time_ms": None}
        assert {**found.data, **varying} == {**same.document, **varying}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
FIELDS = sorted({field for tool in TOOLS.values() for field in tool.inputs.model_fields})
MALFORMED = st.dictionaries(
    st.sampled_from([*FIELDS, "as_of", "known_at", "workspace", "detail", "cursor"]) | st.text(max_size=8),
    ANYTHING,
    max_size=5,
)


@given(name=st.sampled_from([*TOOLS, "", "x"]), arguments=MALFORMED)
def test_malformed_inputs_are_answered_without_a_crash(app: App, name: str, arguments: dict[str, Any]) -> None:
    found = call(app, Access(toolsets=TOOLSETS), name, arguments)
    assert "See Asof's log for details." not in found.text, found.text
    json.dumps(found.document())


WRONG = st.dictionaries(st.text(max_size=8), st.integers(), max_size=2) | st.lists(
    st.dictionaries(st.text(), st.none())
)
NO_DATES = st.sampled_from(["", "yesterdayish", "20x5", "2015-13-01", "10:30", "\0"])


def wrong_inputs(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Inputs of a tool of which one cannot be used."""
    good, required = GOOD[name], TOOLS[name].schema().get("required", [])
    wrong = st.tuples(st.sampled_from([*required, "workspace", "detail", "as_of", "known_at"]), WRONG)
    undated = st.tuples(st.sampled_from(["as_of", "known_at"]), NO_DATES)
    return (wrong | undated).map(lambda pair: {**good, pair[0]: pair[1]})


NAMED = st.sampled_from(sorted(GOOD)).flatmap(lambda name: st.tuples(st.just(name), wrong_inputs(name)))
BAD_PARAMETERS = st.one_of(
    st.tuples(st.just("tools/call"), NAMED.map(lambda pair: {"name": pair[0], "arguments": pair[1]})),
    st.tuples(st.just("tools/call"), st.fixed_dictionaries({"name": st.text(max_size=8) | st.none() | WRONG})),
    st.tuples(st.just("tools/call"), st.fixed_dictionaries({"name": st.just("facts_at"), "arguments": st.text()})),
    st.tuples(st.just("resources/read"), st.fixed_dictionaries({"uri": st.text(max_size=20) | WRONG})),
    st.tuples(st.just("prompts/get"), st.fixed_dictionaries({"name": st.text(max_size=8) | WRONG})),
    st.tuples(st.text(max_size=8).map("no/{}".format), ANYTHING.filter(lambda one: isinstance(one, dict))),
)


def is_refused(answer: dict[str, Any]) -> bool:
    """True for an answer that says what is wrong, and not that something broke."""
    assert "See Asof's log for details." not in json.dumps(answer), answer
    return "error" in answer or answer["result"]["isError"] is True


@pytest.mark.slow
@given(asked=BAD_PARAMETERS)
def test_malformed_requests_over_http_are_answered_with_errors(address: str, asked: tuple[str, Any]) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": asked[0], "params": asked[1]}
    answer = httpx.post(f"{address}?toolsets={','.join(ALL)}", json=body, headers=HEADERS)
    assert answer.status_code < 500
    assert is_refused(answer.json()), (asked, answer.text)


@pytest.mark.slow
@given(body=st.binary(max_size=200) | ANYTHING.map(lambda one: json.dumps(one).encode()))
def test_what_is_no_request_is_refused_over_http(address: str, body: bytes) -> None:
    answer = httpx.post(address, content=body, headers=HEADERS)
    assert 400 <= answer.status_code < 500
    assert "error" in answer.json()


@pytest.fixture(scope="module")
def lines(app: App, address: str) -> Iterator[Callable[[bytes], dict[str, Any]]]:
    """Has `cli.py mcp` answer a line on its standard input, by way of the running app."""
    command = [sys.executable, cli.__file__, "mcp", "--toolsets", ",".join(ALL)]
    environment = {**os.environ, "ASOF_HOME": str(app.settings.folder)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as server:
        assert server.stdin is not None
        assert server.stdout is not None

        def answer(line: bytes) -> dict[str, Any]:
            server.stdin.write(line + b"\n")
            server.stdin.flush()
            return json.loads(server.stdout.readline())

        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "lines", "version": "1"}}
        answer(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}).encode())
        server.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        yield answer
        server.stdin.close()


@pytest.mark.slow
@given(asked=BAD_PARAMETERS)
def test_malformed_requests_on_standard_input_are_answered_with_errors(
    lines: Callable[[bytes], dict[str, Any]], asked: tuple[str, Any]
) -> None:
    answer = lines(json.dumps({"jsonrpc": "2.0", "id": 1, "method": asked[0], "params": asked[1]}).encode())
    assert is_refused(answer), (asked, answer)


@pytest.mark.slow
@given(
    line=st.binary(max_size=200).filter(lambda line: not set(line) & set(b"\r\n"))
    | ANYTHING.map(lambda one: json.dumps(one).encode())
)
def test_a_line_that_is_no_message_is_answered_with_an_error(
    lines: Callable[[bytes], dict[str, Any]], line: bytes
) -> None:
    answer = lines(line)
    assert (answer["id"], "error" in answer) == (None, True)


def test_two_hundred_tokens_are_held_to_what_they_grant(app: App) -> None:
    """Each combination of workspaces, toolsets, writing and a pin, asked for what lies within and outside."""
    create(app, "other", "Another workspace")
    owner, seen = app.accounts.users.local(), 0
    choices = product([("_",), ("other",), ("_", "other")], [("analyst",), ("omnii",), ("knowledge",)], (False, True))
    for number, ((workspaces, toolsets, may_write), pin) in enumerate(product(choices, (None, PINS[1]))):
        given = {"workspaces": workspaces, "toolsets": toolsets, "may_write": may_write, "known_at": pin}
        granted, token = app.accounts.tokens.add(owner, f"client {number}", **given)
        assert app.accounts.tokens.granted(token) == granted
        access = of_token(granted)
        names = {tool.name for tool in granted_tools(access)}
        asked = {"analyst": ("facts_at", {"entity": "Ada"}), "omnii": ("omnii_graph_get_context", {"nodeId": "ada"})}
        asked["knowledge"] = ("graph_inspect", {"entityName": "Ada"})
        for toolset, (name, inputs) in asked.items():
            for workspace in ("_", "other"):
                found = call(app, access, name, {**inputs, "workspace": workspace})
                allowed = toolset in toolsets and workspace in workspaces
                is_there = workspace == "_" or toolset != "omnii"
                assert found.is_error != (allowed and is_there), (given, name, workspace, found.text)
                seen += 1
        assert ("knowledge_ingest" in names) == (may_write and "knowledge" in toolsets)
        late = call(app, access, "facts_at", {"entity": "Ada", "known_at": "2024", "workspace": workspaces[0]})
        assert late.is_error == (pin is not None or "analyst" not in toolsets)
    assert seen >= 200
