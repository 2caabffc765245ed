"""The official inspector on its command line: it lists our tools and calls each, over HTTP and on standard input."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.conformance.suite import INSTALLED, NODE, ROOT
from tests.services.mcp.test_transports import ALL, GOOD, NEEDS_AN_ID, WRITES

CALLS: dict[str, dict[str, Any]] = {**GOOD, **WRITES, **NEEDS_AN_ID}


def over_http(url: str) -> dict[str, str]:
    """Call each tool at an address, in the newer revision; returns what was wrong with each that did not answer."""
    return _each(["--server-url", f"{url}?toolsets={','.join(ALL)}", "--transport", "http", "--protocol-era", "modern"])


def on_stdio(home: Path) -> dict[str, str]:
    """The same of `cli.py mcp` on a data folder, in the older revision."""
    options = ["--toolsets", ",".join(ALL), "--write"]
    return _each(["-e", f"ASOF_HOME={home}", "--", sys.executable, str(ROOT / "cli.py"), "mcp", *options])


def _each(server: Sequence[str]) -> dict[str, str]:
    listed = _asked(server, "--method", "tools/list", "--strict")
    names = {tool["name"] for tool in listed["result"]["tools"]}
    assert names == CALLS.keys(), names ^ CALLS.keys()
    assert "Warning" not in listed["stderr"], listed["stderr"]
    with ThreadPoolExecutor(2) as pool:
        problems = pool.map(lambda call: _problem(server, *call), CALLS.items())
        return {name: problem for name, problem in zip(CALLS, problems, strict=True) if problem}


def _problem(server: Sequence[str], name: str, given: dict[str, Any]) -> str:
    """What is wrong with how a tool answers; one that is given no id of anything has to say so."""
    call = ("--method", "tools/call", "--tool-name", name, "--tool-args-json")
    found = _asked(server, *call, json.dumps(given))
    if "result" not in found or bool(found["result"].get("isError")) != (name in NEEDS_AN_ID):
        return json.dumps(found)
    return ""


def _asked(server: Sequence[str], *words: str) -> dict[str, Any]:
    command = [NODE, INSTALLED / "inspector/clients/launcher/build/index.js", "--cli", "--format", "json", "--quiet"]
    with tempfile.TemporaryDirectory(prefix="asof-") as home:
        options = [*words, *server]
        environment = {**os.environ, "HOME": home}
        done = subprocess.run(
            [*command, *options], capture_output=True, text=True, check=False, env=environment, timeout=120
        )
    try:
        return {**json.loads(done.stdout), "stderr": done.stderr}
    except ValueError:
        return {"said": done.stdout + done.stderr}
