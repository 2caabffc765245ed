"""The lines that programs connect with: each in the form that its program reads."""

import json
import re
import shlex
from pathlib import Path

import pytest

from components.connect.client_lines import Connection, LocalCommand, lines_for
from components.connect.connect_view import CLIENTS, Client

COMMAND = LocalCommand(["/opt/as of/python", "/opt/as of/cli.py", "mcp"], {"ASOF_HOME": "/home/ada/it's"})
SAMPLE = {"workspace": "team", "query": "O'Neil"}
BEARER = {"Authorization": "Bearer asof_x"}


def connection(
    token: str | None = "asof_x", origin: str = "http://localhost:8501", command: LocalCommand | None = COMMAND
) -> Connection:
    return Connection(origin, token, [] if token else [("workspace", "a,b"), ("as_of", "2018-06-15")], command, SAMPLE)


def text(client: Client, title: str, asked: Connection) -> str:
    return next(lines.text for lines in lines_for(client, asked) if lines.title == title)


def server(client: Client, title: str, asked: Connection) -> dict:
    (servers,) = json.loads(text(client, title, asked)).values()
    return dict(servers["asof"])


def test_the_guide_shows_the_settings_that_the_page_gives() -> None:
    guide = Path(__file__).parents[2] / "docs" / "guide" / "connect.md"
    shown = [json.loads(block) for block in re.findall(r"```json\n(.+?)```", guide.read_text(), flags=re.DOTALL)]
    program = LocalCommand(["/home/you/asof/.venv/bin/python", "/home/you/asof/cli.py", "mcp"], {})
    there = connection("TOKEN", "http://127.0.0.1:8501", program)
    given: tuple[tuple[Client, str], ...] = (
        ("claude-desktop", "On this computer"),
        ("cursor", "Over HTTP"),
        ("vs-code", "Over HTTP"),
    )
    assert shown == [json.loads(text(client, title, there)) for client, title in given]


def test_each_program_sends_the_token_to_the_address() -> None:
    asked = connection()
    words = shlex.split(text("claude-code", "Over HTTP", asked))
    assert words[-4:] == ["asof", "http://localhost:8501/mcp", "--header", "Authorization: Bearer asof_x"]
    assert server("cursor", "Over HTTP", asked) == {"url": asked.address, "headers": BEARER}
    assert server("vs-code", "Over HTTP", asked) == {"type": "http", "url": asked.address, "headers": BEARER}
    passing_on = server("claude-desktop", "Over HTTP", asked)
    assert passing_on["args"] == ["-y", "mcp-remote", asked.address, "--header", "Authorization:${AUTH_HEADER}"]
    assert passing_on["env"] == {"AUTH_HEADER": "Bearer asof_x"}
    assert shlex.split(text("rest", "REST", asked))[2:5] == [
        "http://localhost:8501/api/v1/entities",
        "-H",
        "Authorization: Bearer asof_x",
    ]


@pytest.mark.parametrize("client", CLIENTS)
def test_where_no_token_is_needed_the_lines_name_none(client: Client) -> None:
    for lines in lines_for(client, connection(token=None)):
        assert "Authorization" not in lines.text
        assert "AUTH_HEADER" not in lines.text


def test_without_a_token_the_address_carries_what_was_chosen() -> None:
    address = "http://localhost:8501/mcp?workspace=a,b&as_of=2018-06-15"
    assert shlex.split(text("claude-code", "Over HTTP", connection(token=None)))[-1] == address
    assert server("cursor", "Over HTTP", connection(token=None)) == {"url": address}


def test_the_command_is_whole_whatever_its_paths_hold() -> None:
    words = shlex.split(text("claude-code", "On this computer", connection()))
    assert words[words.index("--") + 1 :] == COMMAND.words
    assert "ASOF_HOME=/home/ada/it's" in words
    for client in ("claude-desktop", "cursor", "vs-code"):
        found = server(client, "On this computer", connection())
        assert [found["command"], *found["args"]] == COMMAND.words
        assert found["env"] == COMMAND.environment


@pytest.mark.parametrize("client", CLIENTS)
def test_a_program_elsewhere_is_offered_http_alone(client: Client) -> None:
    titles = [lines.title for lines in lines_for(client, connection(command=None))]
    assert titles == ["REST" if client == "rest" else "Over HTTP"]


@pytest.mark.parametrize(
    ("origin", "is_allowed"),
    [("http://localhost:8501", False), ("https://asof.example", False), ("http://asof.example", True)],
)
def test_claude_desktop_is_told_of_an_address_without_encryption(origin: str, is_allowed: bool) -> None:
    found = server("claude-desktop", "Over HTTP", connection(origin=origin))
    assert ("--allow-http" in found["args"]) == is_allowed


def test_the_sample_of_rest_is_one_word_of_json() -> None:
    assert json.loads(shlex.split(text("rest", "REST", connection()))[-1]) == SAMPLE
