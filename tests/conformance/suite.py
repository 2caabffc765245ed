"""The protocol's own conformance suite, asked of our server."""

import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import anyio
import yaml
from mcp import Client

HERE, ROOT = Path(__file__).parent, Path(__file__).resolve().parents[2]
NODE, INSTALLED = ROOT / ".venv/bin/node", ROOT / ".venv/conformance/node_modules/@modelcontextprotocol"
AS_IT_IS = {
    "2025-11-25": (
        "server-initialize",
        "ping",
        "tools-list",
        "resources-list",
        "prompts-list",
        "dns-rebinding-protection",
    ),
    "2026-07-28": (
        "tools-list",
        "resources-list",
        "prompts-list",
        "sep-2164-resource-not-found",
        "dns-rebinding-protection",
        "caching",
        "http-header-validation",
        "input-required-result-unsupported-methods",
    ),
}
"""The scenarios that need nothing of the suite's toolset, for our server as it runs: without sessions, in JSON."""
SAYS = {
    "test_simple_text": ("This is a simple text response for testing.", False),
    "test_error_handling": ("This tool intentionally returns an error for testing", True),
}
"""What the tools say, and whether as an error, whose scenarios pass without them too: an answer that there is no such
tool is a text and an error."""

_SUMMARY = re.compile(r"^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed", re.MULTILINE)
_UNEXPECTED = re.compile(r"^ {2}✗ ([\w-]+)$", re.MULTILINE)


@dataclass(frozen=True)
class Outcome:
    """What a run gave: how many checks passed of each scenario, and which scenarios had a failure or a warning."""

    checks: dict[str, int]
    failed: frozenset[str]
    printed: str

    def passed(self, scenarios: tuple[str, ...]) -> list[str]:
        return [name for name in scenarios if self.checks.get(name, 0) > 0 and name not in self.failed]


def required(revision: str) -> tuple[str, ...]:
    """The scenarios of a server that a revision requires."""
    return tuple(yaml.safe_load((INSTALLED / f"conformance/requirements/{revision}.yaml").read_text())["server"])


def run(url: str, revision: str) -> Outcome:
    """Run every scenario that a revision requires, and some that it does not."""
    with tempfile.TemporaryDirectory(prefix="asof-") as folder:
        command = [NODE, INSTALLED / "conformance/dist/index.js", "server", "--url", url, "--output-dir", folder]
        command += ["--requirements", revision, "--expected-failures", HERE / "expected-failures.yaml"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    checks = {name: int(passed) for name, passed, _ in _SUMMARY.findall(done.stdout)}
    failed = {name for name, _, count in _SUMMARY.findall(done.stdout) if count != "0"}
    return Outcome(checks, frozenset(failed | set(_UNEXPECTED.findall(done.stdout))), done.stdout + done.stderr)


async def _missing(url: str, tools: set[str]) -> list[str]:
    async with Client(url) as client:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        missing = sorted((tools | SAYS.keys()) - listed)
        for name, says in SAYS.items():
            found = await client.call_tool(name, {})
            is_so = found.content[0].text.endswith(says[0]) and found.is_error == says[1]
            missing += [] if is_so else [f"{name} that says what it should: {found}"]
        return missing


def missing(url: str, tools: set[str]) -> list[str]:
    """The tools of the suite that the server does not list, or that do not say what they should."""
    return anyio.run(_missing, url, tools)
