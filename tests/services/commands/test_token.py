"""The command `token`."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import cli
from services import bootstrap
from services.agent.app import App
from services.bootstrap import build_services
from services.core import config
from services.core.config import Settings
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    chosen = Settings(home=with_tables(tmp_path), _env_file=None)  # type: ignore[call-arg]
    build = bootstrap.build_services
    monkeypatch.setattr(config, "settings", lambda: chosen)
    monkeypatch.setattr(bootstrap, "build_services", lambda chosen: build(chosen, graph=MemoryGraphStore()))
    services = build_services(chosen, graph=MemoryGraphStore())
    yield services
    services.close()


def test_a_token_is_made_shown_once_and_revoked(services: App, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--toolsets", "analyst,omnii", "--as-of", "2015", "--write", "--json")
    assert cli.main(["token", "create", "Claude", *words]) == cli.DONE
    (made,) = json.loads(capsys.readouterr().out)["tokens"]
    granted = services.accounts.tokens.granted(made["token"])
    assert granted is not None
    assert (granted.workspaces, granted.toolsets) == ((services.graph.default_workspace,), ("analyst", "omnii"))
    assert (made["as_of"], made["known_at"], made["write"]) == ("2015-01-01T00:00:00+00:00", None, True)
    assert made["expires_at"] > made["created_at"]
    assert cli.main(["token", "list"]) == cli.DONE
    listed = capsys.readouterr().out
    assert "Claude" in listed
    assert made["token"] not in listed
    assert cli.main(["token", "revoke", "Claude"]) == cli.DONE
    assert services.accounts.tokens.granted(made["token"]) is None


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["create", "x", "--toolsets", "magic"], "toolsets: there is no toolset “magic”."),
        (["create", "x", "--user", "nobody"], "--user: name the user"),
        (["create", "x", "--days", "-1"], "days: "),
        (["revoke", "x"], "There is no token “x”."),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_said(
    services: App, words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["token", *words]) == cli.FAILED
    assert capsys.readouterr().err.startswith(problem)
    assert services.accounts.tokens.listed() == ()
