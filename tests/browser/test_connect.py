"""The Connect page in a real browser: a program connects with the lines as they stand there, until it is revoked."""

import json
import re
import shlex
import tempfile
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import anyio
import httpx
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.exceptions import MCPError
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.gestures import pick

pytestmark = pytest.mark.browser

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def server(page: Page, title: str) -> dict[str, Any]:
    """What a file of settings on the page says of the server."""
    (servers,) = json.loads(page.get_by_role("region", name=title).inner_text()).values()
    return dict(servers["asof"])


def apart(work: Callable[[], Coroutine[Any, Any, set[str]]]) -> set[str]:
    """Do something on a loop of its own; the browser has one in this thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, work).result()


async def tools_over_http(found: dict[str, Any]) -> set[str]:
    http = create_mcp_http_client(headers=found.get("headers"))
    async with http, Client(streamable_http_client(found["url"], http_client=http)) as client:
        return {tool.name for tool in (await client.list_tools()).tools}


async def tools_of_command(found: dict[str, Any]) -> set[str]:
    with tempfile.TemporaryDirectory() as elsewhere:
        started = StdioServerParameters(command=found["command"], args=found["args"], env=found["env"], cwd=elsewhere)
        async with Client(stdio_client(started)) as client:
            return {tool.name for tool in (await client.list_tools()).tools}


def opened(page: Page, app_url: str, address: str) -> None:
    page.goto(f"{app_url}/Connect?w=peps&{address}")
    expect(page.get_by_role("button", name="Create token")).to_be_visible()


def test_a_program_connects_with_the_lines_as_they_stand_until_its_token_is_revoked(
    page: Page, context: BrowserContext, app_url: str
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened(page, app_url, "client=cursor&toolsets=omnii")
    name = f"Cursor {uuid4().hex[:6]}"  # a second try of this test meets the token of the first one
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Create token").click()
    expect(page.get_by_text(f"Asof created the token “{name}”")).to_be_visible()
    found = server(page, "Over HTTP")
    assert found["url"] == f"{app_url}/mcp"
    names = apart(lambda: tools_over_http(found))
    assert names == {"omnii_graph_search_nodes", "omnii_graph_get_context", "omnii_graph_list_entities"}
    page.get_by_role("button", name="Copy", exact=True).first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = json.loads(page.evaluate("navigator.clipboard.readText()"))
    assert copied["mcpServers"]["asof"] == found

    page.reload()
    row = page.get_by_role("group", name=name)
    expect(row).to_contain_text(re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"))  # it was used just now
    expect(page.get_by_text(found["headers"]["Authorization"].split()[1])).to_have_count(0)

    end = row.locator("xpath=ancestor::*[contains(@class, 'st-key-token_')][1]").get_by_role("button")
    pick(end, page.get_by_role("dialog").get_by_role("button", name="Revoke"))
    expect(page.locator("[class*='st-key-token_ended_']", has=row)).to_contain_text("revoked")
    assert httpx.post(found["url"], json=LIST, headers=found["headers"], timeout=60).status_code == 401
    with pytest.RaisesGroup(MCPError, flatten_subgroups=True):
        apart(lambda: tools_over_http(found))


def test_the_command_starts_from_another_folder_and_asks_the_running_app(page: Page, app_url: str) -> None:
    opened(page, app_url, "client=claude-desktop&as_of=2018-06-27")
    found = server(page, "On this computer")
    names = apart(lambda: tools_of_command(found))
    assert {"facts_at", "search_entities"} <= names
    without_token = server(page, "Over HTTP")["args"][2]
    assert apart(lambda: tools_over_http({"url": without_token})) == names


def test_the_line_for_rest_finds_the_entity_that_it_names(page: Page, app_url: str) -> None:
    opened(page, app_url, "client=rest")
    page.get_by_role("button", name="Create token").click()
    expect(page.get_by_text("Asof created the token “REST”")).to_be_visible()
    _, _, address, _, header, _, body = shlex.split(page.get_by_role("region", name="REST").inner_text())
    headers = dict([header.split(": ", 1)])
    found = httpx.post(address, headers=headers, json=json.loads(body), timeout=60).json()
    assert json.loads(body)["query"] in {entity["name"] for entity in found["entities"]}
    reference = page.get_by_role("link", name="API reference").evaluate("link => link.href")
    assert httpx.get(reference, timeout=60).status_code == 200
