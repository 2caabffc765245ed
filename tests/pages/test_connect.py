"""The Connect page: what is chosen is granted, a token is shown once, and who may make and revoke which."""

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

import cli
from services.accounts.account_records import User
from services.agent.app import App
from services.core import clock
from tests.pages.conftest import day, displayed, opened, words
from tests.pages.test_sign_in import cookies, sign_in, team

__all__ = ["cookies", "team"]

SHOWN = "asof_"
NO_TOKEN, PLACEHOLDER = "No token needed.", "ASOF_TOKEN"


@pytest.fixture(autouse=True)
def browser(monkeypatch: pytest.MonkeyPatch) -> dict[str, str | None]:
    """Where the browser of the test is: on this machine."""
    found: dict[str, str | None] = {"ip_address": None, "url": "http://localhost:8501/Connect"}
    for name in found:
        monkeypatch.setattr(ContextProxy, name, property(lambda _, name=name: found[name]))
    return found


def lines(app: AppTest, title: str) -> str:
    """The lines of that title, on one line."""
    return displayed(app).labelled(title).text


def server(app: AppTest, title: str) -> dict[str, Any]:
    """What a file of settings says of the server."""
    (servers,) = json.loads(lines(app, title)).values()
    return dict(servers["asof"])


def make(app: AppTest) -> AppTest:
    app = app.button(key="connect_make").click().run()
    assert not app.exception
    return app


def token_in(app: AppTest) -> str:
    """The token in the lines of Cursor."""
    return str(server(app, "Over HTTP")["headers"]["Authorization"]).removeprefix("Bearer ")


def copied_by(app: AppTest) -> list[str]:
    """The titles of the lines that have a button which copies them."""
    payloads = [json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.json]
    copied = ["".join(payload.get("text", "").split()) for payload in payloads]
    shown = [title for title in ("Over HTTP", "On this computer") if title in displayed(app).labels]
    return [title for title in shown if "".join(lines(app, title).split()) in copied]


def rows(app: AppTest) -> list[str]:
    """What the list of tokens says, token by token."""
    return [row.text for row in displayed(app).all("*[@role='group']")]


def test_without_sign_in_the_lines_need_no_token_and_carry_what_is_chosen(filled: App) -> None:
    app = opened("Connect", w="team", client="cursor", toolsets="analyst|omnii", as_of="2021-06-01")
    assert not app.exception
    assert NO_TOKEN in words(app)
    address = "http://localhost:8501/mcp?workspace=team&toolsets=analyst,omnii&as_of=2021-06-01"
    assert server(app, "Over HTTP") == {"url": address}


@pytest.mark.parametrize("client", ["claude-code", "claude-desktop", "cursor", "vs-code", "rest"])
def test_a_token_is_filled_into_the_lines_of_each_program(filled: App, client: str) -> None:
    app = make(opened("Connect", w="team", client=client))
    (granted,) = filled.accounts.tokens.listed()
    text = lines(app, "REST" if client == "rest" else "Over HTTP")
    secret = SHOWN + text.partition(SHOWN)[2][:43]
    assert filled.accounts.tokens.granted(secret) == granted
    assert "you cannot see it again" in words(app)
    copied = [json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.json]
    assert any(secret in payload.get("text", "") for payload in copied), "the button copies the token too"


def test_what_is_chosen_is_what_the_token_grants(filled: App) -> None:
    app = opened("Connect", w="team", known_at="2023-01-01")
    app.pills(key="connect_toolsets").set_value(["analyst", "knowledge"]).run()
    app.segmented_control(key="connect_writing").set_value("Read and propose").run()
    app.selectbox(key="connect_days").set_value(30).run()
    app.multiselect(key="connect_workspaces").set_value(["_", "team"]).run()
    app.text_input(key="connect_name").set_value("Nightly report").run()
    make(app)
    (granted,) = filled.accounts.tokens.listed()
    assert (granted.name, granted.workspaces) == ("Nightly report", ("_", "team"))
    assert (granted.toolsets, granted.may_write) == (("analyst", "knowledge"), True)
    assert (granted.as_of, granted.known_at) == (None, day("2023-01-01"))
    assert granted.expires_at is not None
    assert timedelta(days=29) < granted.expires_at - clock.now() < timedelta(days=30)


def test_a_link_brings_the_choices_and_grants_nothing(filled: App) -> None:
    chosen = {"toolsets": "analyst|omnii", "write": "1", "days": "0", "of": "_|team", "free": "1"}
    app = opened("Connect", w="team", as_of="2021-06-01", **chosen)
    assert app.pills(key="connect_toolsets").value == ["analyst", "omnii"]
    assert app.multiselect(key="connect_workspaces").value == ["_", "team"]
    assert filled.accounts.tokens.listed() == ()
    make(app)
    (granted,) = filled.accounts.tokens.listed()
    assert (granted.as_of, granted.expires_at, granted.may_write) == (None, None, True)
    assert {name: app.query_params[name] for name in chosen} == chosen


def test_to_propose_over_http_takes_a_token_without_sign_in_too(filled: App) -> None:
    app = opened("Connect", w="team", client="cursor", write="1")
    assert token_in(app) == PLACEHOLDER
    assert "Create a token first: without one, a program can only read." in words(app)
    assert "To propose changes, add the toolset knowledge." in words(app)
    assert "--write" in server(app, "On this computer")["args"]


def test_lines_that_lack_their_token_are_copied_only_once_it_is_made(filled: App) -> None:
    app = opened("Connect", w="team", client="cursor", write="1")
    assert copied_by(app) == ["On this computer"]
    assert "1. Create a token" in words(app)
    assert "2. Copy the setup" in words(app)
    assert copied_by(make(app)) == ["Over HTTP"]


def test_a_token_that_is_not_needed_is_optional_and_all_lines_can_be_copied(filled: App) -> None:
    app = opened("Connect", w="team", client="cursor")
    assert "optional" in words(app)
    assert copied_by(app) == ["Over HTTP", "On this computer"]


def test_a_token_is_gone_once_the_page_was_left(filled: App) -> None:
    app = make(opened("Connect", w="team", client="cursor"))
    secret = token_in(app)
    app.switch_page("Settings.py").run()
    app.switch_page("Connect.py").run()
    assert not app.exception
    assert secret not in words(app)
    assert NO_TOKEN in words(app)


def test_a_program_without_a_name_is_called_what_it_is(filled: App) -> None:
    app = make(make(opened("Connect", w="team", client="vs-code")))
    assert [one.name for one in filled.accounts.tokens.listed()] == ["VS Code 2", "VS Code"]
    app.text_input(key="connect_name").set_value("VS Code").run()
    assert "a token named “VS Code” already exists" in words(make(app))


def test_no_toolset_is_refused_in_words(filled: App) -> None:
    app = opened("Connect", w="team")
    app.pills(key="connect_toolsets").set_value([]).run()
    assert "toolsets: choose at least one toolset." in words(make(app))
    assert filled.accounts.tokens.listed() == ()


def test_a_token_is_revoked_after_a_question_and_stays_listed(filled: App) -> None:
    app = make(opened("Connect", w="team", client="cursor"))
    secret, (granted,) = token_in(app), filled.accounts.tokens.listed()
    app.button(key=f"revoke_{granted.id}").click().run()
    assert filled.accounts.tokens.granted(secret) is not None, "it was asked, and not answered yet"
    app.button(key="confirmed").click().run()
    assert not app.exception
    assert filled.accounts.tokens.granted(secret) is None
    assert secret not in words(app)
    assert "0 active · 1 inactive" in words(app)
    assert f"revoke_{granted.id}" not in {button.key for button in app.button}


def test_each_token_says_what_it_grants_when_it_was_used_and_how_it_ended(filled: App, tmp_path: Path) -> None:
    tokens, local = filled.accounts.tokens, filled.accounts.users.local()
    _, secret = tokens.add(local, "<b>Used</b>", workspaces=["team"], toolsets=["omnii"], as_of=day("2021-06-01"))
    tokens.add(local, "Fresh", workspaces=["team"], may_write=True)
    _expired(filled, local)
    tokens.granted(secret)
    fresh, used, expired = rows(opened("Connect", w="team"))
    assert ("read and propose" in fresh, fresh.count("never")) == (True, 2), "never used, and it never expires"
    assert "<b>Used</b>" in used
    assert "omnii" in used
    assert "● 2021-06-01" in used
    assert f"{clock.now():%Y}-" in used.partition("Last used")[2] + used
    assert used.count("never") == 1, "it never expires"
    assert "Old" in expired
    assert "expired" in words(opened("Connect", w="team"))


def _expired(services: App, user: User) -> None:
    from sqlalchemy import update

    from services.accounts.client_tables import tokens

    granted, _ = services.accounts.tokens.add(user, "Old", workspaces=["team"])
    past = update(tokens).where(tokens.c.id == granted.id).values(expires_at=day("2020-01-01"))
    services.accounts._database.run(past)


def test_the_command_starts_from_any_folder(filled: App) -> None:
    found = server(opened("Connect", w="team", client="cursor"), "On this computer")
    assert (found["command"], found["args"][0]) == (sys.executable, str(Path(cli.__file__).resolve()))
    assert found["args"][1:] == ["mcp", "--workspace", "team", "--toolsets", "analyst"]
    assert found["env"] == {"ASOF_HOME": str(filled.settings.folder)}


@pytest.mark.parametrize(
    "place", [{"ip_address": "10.0.0.7"}, {"url": "https://asof.example/Connect?w=team"}], ids=["address", "name"]
)
def test_a_browser_elsewhere_is_offered_http_at_the_address_it_came_by(
    filled: App, browser: dict[str, str | None], place: dict[str, str]
) -> None:
    browser.update(place)
    app = opened("Connect", w="team", client="cursor")
    assert "On this computer" not in displayed(app).labels
    origin = "https://asof.example" if "url" in place else "http://localhost:8501"
    assert server(app, "Over HTTP")["url"].startswith(f"{origin}/mcp?")


def test_the_command_names_the_graph_and_no_password(filled: App) -> None:
    places = {
        "graph_url": "bolt://ada:hush@graph.example:7687",
        "graph_password": "hush",
        "database_url": "sqlite:////srv/accounts.db",
    }
    object.__setattr__(filled, "settings", filled.settings.model_copy(update=places))
    app = opened("Connect", w="team", client="cursor")
    environment = server(app, "On this computer")["env"]
    assert environment["ASOF_GRAPH_URL"] == "bolt://graph.example:7687"
    assert environment["ASOF_DATABASE_URL"] == "sqlite:////srv/accounts.db"
    assert "hush" not in words(app)
    assert "ASOF_GRAPH_PASSWORD and ASOF_GRAPH_URL" in words(app)


def test_settings_leads_to_the_one_place_for_tokens(filled: App) -> None:
    links = [one.proto.page for one in opened("Settings", w="team").get("page_link")]
    assert "Connect" in links


@pytest.fixture
def ada(quick_passwords: None, team: App, cookies: dict[str, str]) -> App:
    """Signed in without administrator's rights; the administrator has a token of his own."""
    root = team.accounts.users.named("root")
    assert root is not None
    team.accounts.tokens.add(root, "Of root", workspaces=["secret"])
    sign_in(team, cookies, "ada")
    return team


def test_an_analyst_makes_a_token_within_own_workspaces_whatever_the_link_says(ada: App) -> None:
    app = make(opened("Connect", w="team", of="secret|team", client="cursor"))
    granted = ada.accounts.tokens.granted(token_in(app))
    assert granted is not None
    assert granted.workspaces == ("team",)
    assert "Secret plans" not in words(app)
    assert app.multiselect(key="connect_workspaces").options == ["Team memory"]


def test_an_analyst_sees_and_revokes_own_tokens_alone(ada: App) -> None:
    app = make(opened("Connect", w="team"))
    assert "Of root" not in words(app)
    assert len(rows(app)) == 1
    (mine,) = [one for one in ada.accounts.tokens.listed() if one.name != "Of root"]
    app.button(key=f"revoke_{mine.id}").click().run()
    app.button(key="confirmed").click().run()
    assert {one.name: bool(one.revoked_at) for one in ada.accounts.tokens.listed()} == {
        "Of root": False,
        "Claude Code": True,
    }


def test_an_analyst_is_offered_no_command_that_sees_everything(ada: App) -> None:
    app = opened("Connect", w="team", client="cursor")
    assert "On this computer" not in displayed(app).labels
    assert token_in(app) == PLACEHOLDER


def test_an_administrator_sees_and_revokes_everybodys(ada: App, cookies: dict[str, str]) -> None:
    make(opened("Connect", w="team"))
    sign_in(ada, cookies, "root")
    app = opened("Connect", w="team")
    assert rows(app)[0].startswith("Claude Code ada")
    mine = next(one for one in ada.accounts.tokens.listed() if one.name == "Claude Code")
    app.button(key=f"revoke_{mine.id}").click().run()
    app.button(key="confirmed").click().run()
    assert ada.accounts.tokens.listed(mine.user_id)[0].revoked_at is not None


def test_a_page_whose_user_was_signed_out_makes_and_revokes_nothing(ada: App, cookies: dict[str, str]) -> None:
    app = make(opened("Connect", w="team"))
    (mine,) = [one for one in ada.accounts.tokens.listed() if one.name == "Claude Code"]
    app.button(key=f"revoke_{mine.id}").click().run()
    ada.accounts.sign_in.end(cookies.popitem()[1])
    app.button(key="confirmed").click().run()
    assert [one.revoked_at for one in ada.accounts.tokens.listed()] == [None, None]


def test_every_toolset_says_how_many_tools_it_has(filled: App) -> None:
    shown = opened("Connect", w="team").pills(key="connect_toolsets").options
    assert "compute · 1" in shown
    assert not any(toolset.endswith("· 0") for toolset in shown)
