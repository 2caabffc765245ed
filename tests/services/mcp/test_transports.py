"""The SDK's client, over HTTP in both revisions of the protocol, and on standard input and output."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.shared.exceptions import MCPError

from services.agent.app import App
from services.api.bearer import METADATA
from services.core.toolsets import Toolset
from services.mcp.tool_results import BESIDE

REVISIONS = ["legacy", "2026-07-28"]


def asking(address: str, work: Callable[[Client], Any], mode: str = "auto") -> Any:
    """What some work with a connected client gives."""

    async def run() -> Any:
        async with Client(address, mode=mode) as client:
            return await work(client)

    return anyio.run(run)


GOOD: dict[str, dict[str, Any]] = {
    "search_knowledge": {"query": "brake test"},
    "get_document_context": {"document": "Safety manual"},
    "get_change_history": {"limit": 5},
    "query_database": {"sql": "SELECT count(*) AS n FROM facts"},
    "search_entities": {"query": "Ada"},
    "search_knowledge_graph": {"query": "works for"},
    "get_entity_history": {"entity_name": "Ada"},
    "facts_at": {"entity": "Ada", "as_of": "2021-01-01"},
    "compare_times": {"first": "2020", "second": "2023"},
    "find_path": {"source": "Ada", "target": "Cy"},
    "get_changes": {"since": "2020"},
    "graph_search": {"query": "Ada"},
    "graph_inspect": {"entityName": "Ada"},
    "memory_search": {"query": "ships"},
    "query_partnerships": {"partner_id": "Ada"},
    "query_conversations": {"partner_id": "Ada"},
    "query_technical_context": {"term": "brake"},
    "query_emotional_state": {"context_similar_to": "brake"},
    "query_strategy_patterns": {"situation_type": "brake"},
    "query_related_code": {"filename": "brake.py"},
    "query_failed_attempts": {"context": "brake"},
    "query_active_constraints": {},
    "omnii_graph_search_nodes": {"query": "Ada"},
    "omnii_graph_get_context": {"nodeId": "ada"},
    "omnii_graph_list_entities": {"nodeType": "Person"},
}
WRITES: dict[str, dict[str, Any]] = {
    "knowledge_ingest": {"text": "Ada sails."},
    "knowledge_crawl": {"url": "https://example.org/"},
}
NEEDS_AN_ID = {"knowledge_crawl_status": {"crawlId": "none"}, "get_job": {"id": "none"}}
ALL: tuple[Toolset, ...] = ("analyst", "knowledge", "memory", "omnii")
"""Whose tools answer by themselves; a workflow has to be made first."""


@pytest.mark.parametrize("mode", REVISIONS)
def test_every_tool_answers_good_input_with_data_of_its_declared_type(address: str, mode: str) -> None:
    async def work(client: Client) -> None:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        assert listed == GOOD.keys() | NEEDS_AN_ID.keys()
        for name, given in GOOD.items():
            found = await client.call_tool(name, given)
            assert not found.is_error, (name, found.content)
            assert found.structured_content[BESIDE]["workspace"], name

    asking(f"{address}?toolsets={','.join(ALL)}", work, mode)


async def answers_bad_input_with_errors(client: Client, tools: Mapping[str, dict[str, Any]]) -> None:
    """Each tool is asked without what it requires, with what is no text, and at a time that is none."""
    for tool in [one for one in (await client.list_tools()).tools if one.name in tools]:
        good = tools[tool.name]
        required = tool.input_schema.get("required", [])
        for given, field in [
            *(({name: value for name, value in good.items() if name != left}, left) for left in required),
            *(({**good, name: {"no": "text"}}, name) for name in [*required, "workspace", "detail"]),
            ({**good, "as_of": "yesterdayish"}, "as_of"),
        ]:
            found = await client.call_tool(tool.name, given)
            assert found.is_error, (tool.name, given)
            assert field in found.content[0].text, (tool.name, given, found.content)


@pytest.mark.parametrize("mode", REVISIONS)
def test_every_tool_answers_bad_input_with_an_error_that_names_the_field(address: str, mode: str) -> None:
    async def work(client: Client) -> None:
        await answers_bad_input_with_errors(client, GOOD | NEEDS_AN_ID)
        for name, given in NEEDS_AN_ID.items():
            assert (await client.call_tool(name, given)).is_error

    asking(f"{address}?toolsets={','.join(ALL)}", work, mode)


async def proposes_what_it_wants_to_write(client: Client) -> None:
    for name, given in WRITES.items():
        found = await client.call_tool(name, given)
        assert not found.is_error, (name, found.content)
        assert found.structured_content["state"] == "awaiting_approval"
        assert re.fullmatch(r"http://[\w.]+:\d+/Sources\?w=_", found.structured_content["link"])
        asked = await client.call_tool("get_job", {"id": found.structured_content["proposalId"]})
        assert asked.structured_content["state"] == "awaiting_approval"


@pytest.mark.parametrize("mode", REVISIONS)
def test_every_writing_tool_proposes_for_a_client_that_may_write(app: App, address: str, mode: str) -> None:
    _, token = app.accounts.tokens.add(
        app.accounts.users.local(), f"writer {mode}", workspaces=["_"], toolsets=ALL, may_write=True
    )
    headers = {"Authorization": f"Bearer {token}"}

    async def run() -> None:
        async with (
            create_mcp_http_client(headers=headers) as http,
            Client(streamable_http_client(address, http_client=http), mode=mode) as client,
        ):
            await proposes_what_it_wants_to_write(client)
            await answers_bad_input_with_errors(client, WRITES)

    anyio.run(run)


@pytest.mark.parametrize("mode", REVISIONS)
def test_resources_and_prompts_are_listed_and_read(address: str, mode: str) -> None:
    async def work(client: Client) -> None:
        templates = (await client.list_resource_templates()).resource_templates
        assert [one.name for one in templates] == ["entity", "fact", "document", "query"]
        documents = (await client.list_resources()).resources
        assert {one.name for one in documents} == {"manual", "fleet"}
        text = (await client.read_resource(str(documents[0].uri))).contents[0].text
        assert "lines" in text
        fact = json.loads((await client.read_resource("asof://_/fact/f1?as_of=2020")).contents[0].text)
        assert (fact["holds"], fact["source"]) == (True, "Ada")
        entity = (await client.read_resource("asof://_/entity/Ada?known_at=2020-01-02")).contents[0].text
        assert "Labs" not in entity
        with pytest.raises(MCPError, match="no fact") as refused:
            await client.read_resource("asof://_/fact/f1?known_at=2001")
        assert refused.value.error.data == {"uri": "asof://_/fact/f1?known_at=2001"}
        names = [one.name for one in (await client.list_prompts()).prompts]
        assert "catch_up" in names
        asked = await client.get_prompt("what_held", {"entity": "Ada", "date": "2020"})
        assert "as_of 2020" in asked.messages[0].content.text
        with pytest.raises(MCPError, match=r"^date: is required"):
            await client.get_prompt("what_held", {"entity": "Ada"})

    asking(address, work, mode)


def test_an_address_pins_a_connection(address: str) -> None:
    async def work(client: Client) -> Any:
        assert (await client.call_tool("facts_at", {"entity": "Ada", "as_of": "2024"})).is_error
        return await client.call_tool("facts_at", {"entity": "Ada"})

    found = asking(address + "?as_of=2020-06-01&known_at=2021", work)
    assert found.structured_content[BESIDE]["as_of"] == "2020-06-01T00:00:00+00:00"
    assert {one["uuid"] for one in found.structured_content["facts"]} == {"f1", "f3"}


PING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


def test_what_is_wrong_with_an_address_or_a_token_is_said_with_its_status(app: App, address: str) -> None:
    def status(query: str = "", **headers: str) -> int:
        return httpx.post(address + query, json=PING, headers=ACCEPT | headers).status_code

    granted, token = app.accounts.tokens.add(app.accounts.users.local(), "one", workspaces=["_"])
    bearer = {"Authorization": f"Bearer {token}"}
    assert status() == 200
    assert status(**bearer) == 200
    assert status("?as_of=yesterdayish") == status("?asof=2015") == 400
    assert status("?workspace=other", **bearer) == status("?toolsets=omnii", **bearer) == 403
    assert status(Authorization="Bearer asof_forged") == status(Authorization="Basic x") == 401
    assert status(Origin="http://evil.example") == 403
    assert status(Host="evil.example") == 400
    app.accounts.tokens.revoke(granted.id)
    assert status(**bearer) == 401
    assert httpx.get(address).status_code == 405


def test_a_refused_client_learns_where_to_ask(address: str) -> None:
    refused = httpx.post(address, json=PING, headers=ACCEPT | {"Authorization": "Bearer asof_forged"})
    said = refused.headers["www-authenticate"]
    assert said.startswith('Bearer error="invalid_token", resource_metadata="')
    url = said.partition('resource_metadata="')[2].rstrip('"')
    assert url == address.removesuffix("/mcp") + METADATA + "/mcp"
    assert httpx.get(url).json()["resource"] == address
