"""Whatever a client sends: never outside its pin, never anything but an answer."""

import json
import os
from datetime import UTC, datetime
from itertools import product
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.agent.app import App
from services.core.toolsets import TOOLSETS
from services.mcp.access import Access, of_token
from services.mcp.calls import call, granted_tools
from services.mcp.replies import BESIDE
from services.tools.registry import TOOLS
from services.tools.tool import Context
from services.writing.workspaces import create
from tests.services.retrieval.conftest import W

FULL = os.environ.get("ASOF_FULL") == "1"
CASES = settings(max_examples=1000, deadline=None) if FULL else settings(deadline=None)
MANY_CASES = settings(max_examples=2000, deadline=None) if FULL else settings(deadline=None)

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
@CASES
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
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = sorted({field for tool in TOOLS.values() for field in tool.inputs.model_fields})
MALFORMED = st.dictionaries(
    st.sampled_from([*FIELDS, "as_of", "known_at", "workspace", "detail", "cursor"]) | st.text(max_size=8),
    ANYTHING,
    max_size=5,
)


@given(name=st.sampled_from([*TOOLS, "", "x"]), arguments=MALFORMED)
@MANY_CASES
def test_malformed_inputs_are_answered_without_a_crash(app: App, name: str, arguments: dict[str, Any]) -> None:
    found = call(app, Access(toolsets=TOOLSETS), name, arguments)
    assert "The app's log has the details." not in found.text, found.text
    json.dumps(found.document())


@pytest.mark.slow
@given(body=st.binary(max_size=200) | ANYTHING.map(lambda one: json.dumps(one).encode()))
@CASES
def test_malformed_requests_are_answered_below_500(address: str, body: bytes) -> None:
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    assert httpx.post(address, content=body, headers=headers).status_code < 500


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
