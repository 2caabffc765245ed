"""The SDK's client on standard input and output: by way of the running app, and without one."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

import cli
from services.agent.app import App
from services.mcp.tool_results import BESIDE
from tests.services.mcp.test_transports import (
    ALL,
    GOOD,
    NEEDS_AN_ID,
    REVISIONS,
    WRITES,
    answers_bad_input_with_errors,
    proposes_what_it_wants_to_write,
)


def asking(home: Path, work: Callable[[Client], Any], *words: str, mode: str = "auto") -> Any:
    """What some work gives with a client whose server is `cli.py mcp` on a data folder."""
    command = StdioServerParameters(
        command=sys.executable, args=[cli.__file__, "mcp", *words], env={**os.environ, "ASOF_HOME": str(home)}
    )

    async def run() -> Any:
        async with Client(stdio_client(command), mode=mode) as client:
            return await work(client)

    return anyio.run(run)


@pytest.mark.parametrize("mode", REVISIONS)
@pytest.mark.usefixtures("address")
def test_the_running_app_answers_every_tool_with_good_and_bad_input(app: App, mode: str) -> None:
    async def work(client: Client) -> None:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        assert listed == GOOD.keys() | WRITES.keys() | NEEDS_AN_ID.keys()
        for name, given in GOOD.items():
            found = await client.call_tool(name, given)
            assert not found.is_error, (name, found.content)
            assert found.structured_content[BESIDE]["synced_at"], name
        await proposes_what_it_wants_to_write(client)
        await answers_bad_input_with_errors(client, GOOD | WRITES | NEEDS_AN_ID)

    asking(app.settings.folder, work, "--toolsets", ",".join(ALL), "--write", mode=mode)


@pytest.mark.slow
@pytest.mark.usefixtures("address")
def test_options_pin_what_the_program_sees(app: App) -> None:
    async def work(client: Client) -> Any:
        assert (await client.call_tool("facts_at", {"entity": "Ada", "as_of": "2024"})).is_error
        return await client.call_tool("facts_at", {"entity": "Ada"})

    found = asking(app.settings.folder, work, "--as-of", "2020-06-01", "--known-at", "2021")
    assert {one["uuid"] for one in found.structured_content["facts"]} == {"f1", "f3"}


def test_without_an_app_it_opens_the_services_itself(short_folder: Path) -> None:
    async def work(client: Client) -> Any:
        await client.call_tool("facts_at", {"entity": "Ada"})
        return await client.call_tool("facts_at", {"entity": "Ada"})

    found = asking(short_folder / "mcp alone", work)
    assert not found.is_error
    assert found.structured_content[BESIDE]["total"] == 0


def test_every_request_of_a_file_is_answered_before_it_ends(short_folder: Path) -> None:
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "file", "version": "1"}}
    asked = {"name": "facts_at", "arguments": {"entity": "Ada"}}
    requests = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        *({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": asked} for id in (1, 2, 3)),
    ]
    done = subprocess.run(
        [sys.executable, cli.__file__, "mcp"],
        input="\n".join(map(json.dumps, requests)) + "\n",
        env={**os.environ, "ASOF_HOME": str(short_folder / "mcp file")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted(json.loads(line)["id"] for line in done.stdout.splitlines()) == [0, 1, 2, 3]
