"""The lines with which programs connect, as their own documentation has them in November 2026."""

import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from components.connect.connect_view import Client
from services.api import is_loopback

NAME = "asof"
"""What the server is called in a program's list."""


@dataclass(frozen=True, slots=True)
class LocalCommand:
    """What a program on this machine starts to speak on standard input and output, and its environment."""

    words: Sequence[str]
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Connection:
    """How this app is reached.

    `token` is None where none is needed. `narrowed` are parameters of the address that leave less than there is.
    `command` is None where programs run on another machine. `sample` is a body that REST answers.
    """

    origin: str
    token: str | None
    narrowed: Sequence[tuple[str, str]]
    command: LocalCommand | None
    sample: Mapping[str, str]

    @property
    def address(self) -> str:
        """Where MCP is asked over HTTP."""
        return f"{self.origin}/mcp" + (f"?{urlencode(self.narrowed, safe=':,')}" if self.narrowed else "")

    @property
    def headers(self) -> dict[str, str]:
        """What HTTP sends beside the request."""
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}


@dataclass(frozen=True, slots=True)
class ClientLines:
    """Lines to paste: what they do, where they go, and the text."""

    title: str
    place: str
    text: str


def lines_for(client: Client, connection: Connection) -> list[ClientLines]:
    """Return the lines of a program, the way that suits it best first."""
    return _CLIENTS[client](connection)


def _claude_code(connection: Connection) -> list[ClientLines]:
    header = [f'--header "{name}: {value}"' for name, value in connection.headers.items()]
    http = ["claude mcp add --transport http --scope user", NAME, _quoted(connection.address), *header]
    lines = [ClientLines("Over HTTP", "run once in a terminal", " ".join(http))]
    if command := connection.command:
        # An option stands between --env and the name, since --env takes all words that follow it.
        settings = [f"--env {shlex.quote(f'{name}={value}')}" for name, value in command.environment.items()]
        added = ["claude mcp add --scope user", *settings, "--transport stdio", NAME, "--", shlex.join(command.words)]
        lines.append(ClientLines("On this computer", "run once in a terminal", " ".join(added)))
    return lines


def _claude_desktop(connection: Connection) -> list[ClientLines]:
    """Its file names programs alone: mcp-remote is one that passes everything on over HTTP."""
    place = "claude_desktop_config.json (Settings › Developer › Edit Config)"
    lines = []
    if command := connection.command:
        lines.append(ClientLines("On this computer", place, _servers("mcpServers", _program(command))))
    words = ["-y", "mcp-remote", connection.address]
    parts = urlsplit(connection.origin)
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        words.append("--allow-http")
    settings = {}
    if connection.token is not None:  # no space in the argument, which some versions cut there
        words += ["--header", "Authorization:${AUTH_HEADER}"]
        settings = {"AUTH_HEADER": connection.headers["Authorization"]}
    passing_on = _servers("mcpServers", _program(LocalCommand(["npx", *words], settings)))
    return [*lines, ClientLines("Over HTTP", f"{place}; needs Node.js", passing_on)]


def _cursor(connection: Connection) -> list[ClientLines]:
    place = "~/.cursor/mcp.json, or .cursor/mcp.json in a project"
    lines = [ClientLines("Over HTTP", place, _servers("mcpServers", _at_address(connection)))]
    if command := connection.command:
        lines.append(
            ClientLines("On this computer", place, _servers("mcpServers", {"type": "stdio"} | _program(command)))
        )
    return lines


def _vs_code(connection: Connection) -> list[ClientLines]:
    place = "mcp.json (run “MCP: Open User Configuration”), or .vscode/mcp.json in a project"
    lines = [ClientLines("Over HTTP", place, _servers("servers", {"type": "http"} | _at_address(connection)))]
    if command := connection.command:
        lines.append(ClientLines("On this computer", place, _servers("servers", {"type": "stdio"} | _program(command))))
    return lines


def _rest(connection: Connection) -> list[ClientLines]:
    header = [f'-H "{name}: {value}"' for name, value in connection.headers.items()]
    body = shlex.quote(json.dumps(connection.sample, ensure_ascii=False))
    words = ["curl -s", f"{connection.origin}/api/v1/entities", *header, f"--json {body}"]
    return [ClientLines("REST", "curl 7.82 or newer", " ".join(words))]


def _at_address(connection: Connection) -> dict[str, Any]:
    headers = {"headers": connection.headers} if connection.headers else {}
    return {"url": connection.address, **headers}


def _program(command: LocalCommand) -> dict[str, Any]:
    program, *arguments = command.words
    settings = {"env": dict(command.environment)} if command.environment else {}
    return {"command": program, "args": arguments, **settings}


def _servers(key: str, server: Mapping[str, Any]) -> str:
    """A file of settings, its lists on one line: a text in JSON has no line breaks of its own."""
    whole = json.dumps({key: {NAME: server}}, indent=2, ensure_ascii=False)
    return re.sub(r"\[\n\s*(.*?)\n\s*\]", lambda found: f"[{re.sub(r'\n\s*', ' ', found[1])}]", whole, flags=re.DOTALL)


def _quoted(address: str) -> str:
    """An address as one word of a shell, of Windows too."""
    return f'"{address}"' if "?" in address else address


_CLIENTS: Mapping[Client, Callable[[Connection], list[ClientLines]]] = {
    "claude-code": _claude_code,
    "claude-desktop": _claude_desktop,
    "cursor": _cursor,
    "vs-code": _vs_code,
    "rest": _rest,
}
