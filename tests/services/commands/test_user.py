"""The command `user`: on a terminal, in a process of its own, and by way of the running app."""

import io
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette

import cli
from services import bootstrap
from services.agent import app as process
from services.agent.app import App
from services.api.guard import middleware
from services.api.routes import routes
from services.bootstrap import build_services
from services.commands.registry import requests
from services.core import announcement, config
from services.core.client import ask
from services.core.config import Settings
from services.core.errors import BadInput
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore

pytestmark = pytest.mark.usefixtures("quick_passwords")
PASSWORD = "correct horse 日本語"


@pytest.fixture
def chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    chosen = Settings(home=with_tables(tmp_path), auth="local", _env_file=None)  # type: ignore[call-arg]
    build = bootstrap.build_services
    monkeypatch.setattr(config, "settings", lambda: chosen)
    monkeypatch.setattr(bootstrap, "build_services", lambda chosen: build(chosen, graph=MemoryGraphStore()))
    return chosen


@pytest.fixture
def services(chosen: Settings) -> Iterator[App]:
    """The accounts as the commands leave them."""
    services = build_services(chosen, graph=MemoryGraphStore())
    services.accounts.add("team", "Team memory")
    yield services
    services.close()


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def asked(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    """Somebody at a terminal who types these at the prompts."""
    typed(monkeypatch, "")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    left = iter(answers)
    monkeypatch.setattr("getpass.getpass", lambda _: next(left))


def signs_in(services: App, name: str, password: str = PASSWORD) -> bool:
    try:
        services.accounts.sign_in.begin(name, password, "127.0.0.1")
    except BadInput:
        return False
    return True


def test_a_user_is_added_with_a_password_from_standard_input(
    services: App, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, f"{PASSWORD}\nwhat else there is\n")
    assert cli.main(["user", "add", "Ada", "--password-stdin", "--grant", "team", "--json"]) == cli.DONE
    (told,) = json.loads(capsys.readouterr().out)["users"]
    assert (told["name"], told["admin"], told["workspaces"]) == ("ada", False, ["team"])
    assert signs_in(services, "ada")


def test_a_password_is_typed_twice(
    services: App, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked(monkeypatch, PASSWORD, PASSWORD + "!")
    assert cli.main(["user", "add", "ada", "--admin"]) == cli.FAILED
    assert services.accounts.users.listed() == ()
    asked(monkeypatch, PASSWORD, PASSWORD)
    assert cli.main(["user", "add", "ada", "--admin"]) == cli.DONE
    asked(monkeypatch, "another password", "another password")
    assert cli.main(["user", "passwd", "ada"]) == cli.DONE
    assert signs_in(services, "ada", "another password")
    assert PASSWORD not in capsys.readouterr().out


def test_without_a_terminal_nobody_is_asked(
    services: App, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, PASSWORD)
    assert cli.main(["user", "add", "ada"]) == cli.FAILED
    assert "--password-stdin" in capsys.readouterr().err
    assert services.accounts.users.listed() == ()


def test_a_password_cannot_stand_among_the_arguments() -> None:
    with pytest.raises(SystemExit):
        cli.main(["user", "add", "ada", "--password", PASSWORD])


def test_with_a_provider_a_user_needs_no_password(
    services: App, chosen: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "settings", lambda: chosen.model_copy(update={"auth": "oidc"}))
    assert cli.main(["user", "add", "ada@example.org", "--admin"]) == cli.DONE
    assert not signs_in(services, "ada@example.org", "")


def test_users_are_disabled_enabled_and_granted_workspaces(services: App, capsys: pytest.CaptureFixture[str]) -> None:
    ada = services.accounts.users.add("ada", PASSWORD)
    for words, granted, may_enter in (
        (("grant", "ada", "team"), {"team"}, True),
        (("disable", "ada"), {"team"}, False),
        (("enable", "ada"), {"team"}, True),
        (("revoke", "ada", "team"), set(), True),
    ):
        assert cli.main(["user", *words]) == cli.DONE
        assert services.accounts.users.granted(ada.id) == granted
        assert signs_in(services, "ada") == may_enter
    capsys.readouterr()
    services.accounts.users.disable("ada")
    services.accounts.users.add("root", is_admin=True)
    assert cli.main(["user", "list"]) == cli.DONE
    _, first, second = capsys.readouterr().out.splitlines()
    assert first.split() == ["ada", "user", "disabled", "none"]
    assert second.split() == ["root", "admin", "all"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("grant", "ada", "nowhere"), "There is "),
        (("disable", "bob"), "There is "),
        (("grant", "bob", "team"), "There is "),
        (("add", "ada"), "A user named “ada” already exists."),
    ],
    ids=str,
)
def test_what_there_is_not_is_said_and_nothing_changes(
    services: App,
    words: tuple[str, ...],
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ada = services.accounts.users.add("ada", PASSWORD)
    asked(monkeypatch, PASSWORD, PASSWORD)
    assert cli.main(["user", *words]) == cli.FAILED
    assert capsys.readouterr().err.startswith(reason)
    assert services.accounts.users.listed() == (ada,)
    assert services.accounts.users.granted(ada.id) == frozenset()


def test_the_running_app_gets_the_password_that_was_typed(services: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "get_services", lambda: services)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        app = Starlette(routes=routes, middleware=middleware)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            announced = announcement.announce(services.settings.folder, [listening])
            assert announced is not None
            given = requests()["user"].read({"action": "add", "name": "ada", "password": PASSWORD})
            ask(announced, "user", given.body())
        finally:
            server.should_exit = True
            thread.join()
    assert signs_in(services, "ada")
    assert PASSWORD not in repr(given)
