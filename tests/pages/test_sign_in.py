"""The guard of the pages: who is asked to sign in, what each user sees, and when an open page stops."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.context import ContextProxy

from services import cached
from services.accounts.sign_in import COOKIE
from services.agent.app import App, get_services
from services.core.config import Settings
from services.jobs import documents_job as feed
from services.jobs.texts import text_item
from tests.fakes.line_extractor import LineExtractor
from tests.fakes.memory_graph import MemoryGraphStore
from tests.pages.conftest import AppTest, displayed, opened, popovers, serving, small_graph, words
from tests.services.accounts.talks import exchange

PAGES = sorted(path.stem for path in (Path(__file__).parents[2] / "pages").glob("[A-Z]*.py"))
pytestmark = pytest.mark.usefixtures("quick_passwords")
RUN_OF_A_TEST = "test session id"
"""What `AppTest` calls its pages."""

ONE_PAGE = "Timeline"
EVERY_PAGE = [pytest.param(page, marks=() if page == ONE_PAGE else pytest.mark.slow) for page in PAGES]
PASSWORD = "correct horse"
LONG = 20.0


@pytest.fixture
def cookies(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What the browser of the test sends."""
    held: dict[str, str] = {}
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: held))
    return held


def local(tmp_path: Path, **more: Any) -> Settings:
    return Settings(home=tmp_path, auth="local", _env_file=None, **more)  # type: ignore[call-arg]


@pytest.fixture
def team(tmp_path: Path, cookies: dict[str, str]) -> Iterator[App]:
    """Two workspaces, an administrator, and Ada, who was granted one of them."""
    with serving(local(tmp_path), MemoryGraphStore()) as services:
        for name, label in (("team", "Team memory"), ("secret", "Secret plans")):
            services.bridge.run(services.graph.write(name, small_graph()))
            services.accounts.add(name, label)
        services.accounts.users.add("root", PASSWORD, is_admin=True)
        services.accounts.users.add("ada", PASSWORD)
        services.accounts.users.grant("ada", "team")
        yield services


def sign_in(services: App, cookies: dict[str, str], name: str) -> None:
    cookies[COOKIE] = services.accounts.sign_in.begin(name, PASSWORD, "127.0.0.1")


def asks(app: AppTest) -> bool:
    """True where the page asks to sign in, and shows nothing else."""
    return words(app).startswith("Sign in to Asof") and not popovers(app) and not app.button


@pytest.mark.parametrize("page", EVERY_PAGE)
def test_a_cold_deep_link_asks_to_sign_in_and_shows_nothing(team: App, page: str) -> None:
    app = opened(page, w="team", e="ada")
    assert asks(app)
    assert "Team memory" not in words(app)
    assert not app.exception


@pytest.mark.parametrize("page", EVERY_PAGE)
def test_whoever_is_signed_in_sees_the_page_and_comes_back_to_the_same_address(
    team: App, cookies: dict[str, str], page: str
) -> None:
    sign_in(team, cookies, "ada")
    app = opened(page, w="team")
    assert not app.exception
    assert not asks(app)
    assert any("Team memory" in label for label in popovers(app))


def test_the_mirror_is_rebuilt_and_dropped_by_administrators_alone(team: App, cookies: dict[str, str]) -> None:
    labels = {"Sync now", "Rebuild", "Drop"}
    sign_in(team, cookies, "ada")
    assert labels & {button.label for button in opened("Settings", w="team").button} == set()
    sign_in(team, cookies, "root")
    assert labels <= {button.label for button in opened("Settings", w="team").button}


@pytest.mark.parametrize("cookie", ["", "guessed", "\0", "é" * 5000])
def test_a_cookie_of_nobody_is_no_sign_in(team: App, cookies: dict[str, str], cookie: str) -> None:
    cookies[COOKIE] = cookie
    assert asks(opened("Overview", w="team"))


@pytest.mark.parametrize(
    "change", ["disable", *(pytest.param(change, marks=pytest.mark.slow) for change in ("passwd", "sign out"))]
)
def test_an_open_page_stops_at_its_next_rerun(team: App, cookies: dict[str, str], change: str) -> None:
    sign_in(team, cookies, "ada")
    app = opened("Overview", w="team")
    assert not asks(app)
    if change == "disable":
        team.accounts.users.disable("ada")
    elif change == "passwd":
        team.accounts.users.set_password("ada", "another password")
    else:
        team.accounts.sign_in.end(cookies[COOKIE])
    assert asks(app.run())


def test_a_user_who_is_enabled_again_signs_in_again(team: App, cookies: dict[str, str]) -> None:
    sign_in(team, cookies, "ada")
    team.accounts.users.disable("ada")
    team.accounts.users.enable("ada")
    assert asks(opened("Overview")), "the session ended with the user"
    sign_in(team, cookies, "ada")
    assert not asks(opened("Overview"))


@pytest.mark.parametrize("page", EVERY_PAGE)
def test_a_workspace_that_was_not_granted_is_no_workspace(team: App, cookies: dict[str, str], page: str) -> None:
    sign_in(team, cookies, "ada")
    app = opened(page, w="secret")
    assert "There is no workspace “secret”" in words(app)
    assert "Secret plans" not in words(app) + "".join(popovers(app))
    app.button[0].click().run()
    assert app.query_params["w"] == "team"


def test_without_a_workspace_in_the_address_a_user_begins_in_one_of_his(team: App, cookies: dict[str, str]) -> None:
    sign_in(team, cookies, "ada")
    team.accounts.users.grant("ada", "secret")
    team.accounts.users.revoke("ada", "team")
    app = opened("Overview")
    assert app.query_params["w"] == "secret"
    labels = [button.label for button in app.button]
    assert "Secret plans" in labels
    assert "Team memory" not in labels


def test_the_guard_of_a_page_learns_whom_it_was_drawn_for(team: App, cookies: dict[str, str]) -> None:
    sign_in(team, cookies, "ada")
    opened("Overview", w="team")
    shown = team.accounts.sign_in.pages.get(RUN_OF_A_TEST)
    assert shown is not None
    assert shown.token == cookies[COOKIE]
    assert (shown.rights.user.name, shown.rights.workspaces) == ("ada", {"team"})


def test_a_grant_that_is_taken_back_is_gone_at_the_next_rerun(team: App, cookies: dict[str, str]) -> None:
    sign_in(team, cookies, "ada")
    app = opened("Overview", w="team")
    team.accounts.users.revoke("ada", "team")
    app.run()
    assert "You do not have access to a workspace yet" in words(app)
    assert "Team memory" not in words(app) + "".join(popovers(app))


@pytest.mark.parametrize("button", ["review_discard", "confirmed"])
def test_what_waits_for_review_is_not_let_go_by_a_page_whose_user_was_signed_out(
    team: App, cookies: dict[str, str], monkeypatch: pytest.MonkeyPatch, button: str
) -> None:
    monkeypatch.setattr(feed, "extractor_of", lambda services, name: LineExtractor())
    team.jobs.start()
    items = [text_item(f"Ada | OWNS | {thing}", id=thing) for thing in ("Boat", "Car")]
    job_id = team.accounts.jobs.add("team", "documents", "Things", items, options={"extract": "rules"})
    assert team.jobs.wait(job_id, LONG).counts == {"review": 2}
    sign_in(team, cookies, "ada")
    app = opened("Ingest", w="team")
    app.button(key=f"show_{job_id}").click().run()
    app.button(key=f"review_{team.accounts.jobs.items(job_id)[0].id}").click().run()
    app.button(key=f"discard_all_{job_id}").click().run()
    team.accounts.sign_in.end(cookies[COOKIE])
    app.button(key=button).click().run()
    assert asks(app)
    assert cached.background().of("jobs of team") == ()
    assert team.jobs.get(job_id).counts == {"review": 2}  # type: ignore[union-attr]


def test_a_page_whose_user_was_signed_out_changes_no_review(
    team: App, cookies: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "extractor_of", lambda services, name: LineExtractor())
    team.jobs.start()
    job_id = team.accounts.jobs.add(
        "team", "documents", "Boat", [text_item("Ada | OWNS | Boat")], options={"extract": "rules"}
    )
    assert team.jobs.wait(job_id, LONG).counts == {"review": 1}
    (item,) = team.accounts.jobs.items(job_id)
    sign_in(team, cookies, "ada")
    app = opened("Ingest", w="team")
    app.button(key=f"show_{job_id}").click().run()
    app.button(key=f"review_{item.id}").click().run()
    team.accounts.sign_in.end(cookies[COOKIE])
    app.checkbox(key=f"tick_{item.id}_0").uncheck().run()
    assert asks(app)
    assert team.accounts.jobs.item(item.id) == item


def test_two_users_see_their_own_conversations_and_those_that_were_shared(team: App, cookies: dict[str, str]) -> None:
    team.accounts.users.add("bob", PASSWORD)
    team.accounts.users.grant("bob", "team")
    ada = team.accounts.users.named("ada")
    assert ada is not None
    conversation, _ = exchange(team.accounts, ada, "What does Ada want to know?", content="What Ada was told.")
    team.accounts.conversations.rename(conversation.id, "Of Ada alone")

    def seen(name: str) -> str:
        sign_in(team, cookies, name)
        app = opened("Ask", w="team", c=conversation.id)
        assert not app.exception
        return words(app) + "".join(button.label for button in app.button)

    assert "What Ada was told." in seen("ada")
    assert not any(text in seen("bob") for text in ("Of Ada alone", "What does Ada want", "What Ada was told."))
    team.accounts.conversations.share(conversation.id, True)
    assert "What Ada was told." in seen("bob")
    team.accounts.users.revoke("bob", "team")
    assert "What Ada was told." not in seen("bob")


def test_an_administrator_sees_every_workspace_and_alone_may_make_and_delete_them(
    team: App, cookies: dict[str, str]
) -> None:
    sign_in(team, cookies, "root")
    root = {button.key for button in opened("Settings", w="secret").button}
    sign_in(team, cookies, "ada")
    ada = {button.key for button in opened("Settings", w="team").button}
    for key in ("create_workspace", "delete_secret", "empty_team", "reset_demo"):
        assert key in root
        assert key not in ada


def test_a_refused_sign_in_says_why_and_keeps_where_one_wanted_to_go(team: App) -> None:
    app = opened("Timeline", w="team", e="ada", sign_in="wrong")
    assert "Wrong name or password." in words(app)
    back = {field.element.get("value") for field in displayed(app).all("input")}
    assert back & {"/?w=team&e=ada", "/Timeline?w=team&e=ada"}
    strange = opened("Overview", sign_in="<script>", w='"><script>')
    assert displayed(strange).all("script") == []


def test_the_first_start_says_how_a_user_is_added(tmp_path: Path, cookies: dict[str, str]) -> None:
    with serving(local(tmp_path), MemoryGraphStore()):
        assert "There are no users yet" in words(opened("Overview"))


def test_with_the_accounts_database_out_of_reach_nobody_sees_a_page(
    team: App, cookies: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(team, cookies, "ada")
    app = opened("Overview", w="team")
    team.accounts.close()
    monkeypatch.setattr(team.accounts._database, "_engine", _unreachable())
    app.run()
    assert "Asof cannot use the accounts database" in words(app)
    assert "Team memory" not in words(app) + "".join(popovers(app))


def _unreachable() -> Any:
    from services.accounts.database import _engine

    return _engine("postgresql://asof@127.0.0.1:1/asof")


def test_without_sign_in_the_one_user_sees_everything_and_no_way_out(filled: App) -> None:
    app = opened("Settings", w="team")
    assert "create_workspace" in {button.key for button in app.button}
    assert "/api/logout" not in words(app)
    (user,) = filled.accounts.users.listed()
    assert (user.name, user.is_admin) == ("local", True)


@pytest.mark.parametrize("page", [page for page in EVERY_PAGE if page.values[0] not in ("Ask", "Traces")])
def test_without_sign_in_pages_are_seen_while_the_accounts_database_is_out_of_reach(
    filled: App, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    filled.accounts.close()
    monkeypatch.setattr(filled.accounts._database, "_engine", _unreachable())
    app = opened(page, w="team")
    assert not app.exception
    assert any("team" in label for label in popovers(app))
    assert ("Asof cannot use the accounts database" in words(app)) == (
        page in ("Settings", "Ingest", "Connect", "Workflows")
    )


def test_without_the_accounts_database_a_question_is_not_asked_and_the_page_says_why(
    filled: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled.accounts.close()
    monkeypatch.setattr(filled.accounts._database, "_engine", _unreachable())
    assert "Asof cannot use the accounts database" in words(opened("Traces", w="team"))
    app = opened("Ask", w="team")
    app.chat_input[0].set_value("Who works for Labs?").run()
    assert not app.exception
    assert "Asof cannot use the accounts database" in words(app)


# -- a provider


class Provided(dict[str, Any]):
    """What `st.user` is: what the provider said of whoever looks."""


@pytest.fixture
def provided(tmp_path: Path, cookies: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Provided]:
    user = Provided(is_logged_in=True, email="Ada@Example.org", email_verified=True, name="Ada")
    monkeypatch.setattr(st, "user", user)
    chosen = Settings(home=tmp_path, auth="oidc", allowed="@example.org, bob@other.org", _env_file=None)  # type: ignore[call-arg]
    with serving(chosen, MemoryGraphStore()) as services:
        services.bridge.run(services.graph.write("team", small_graph()))
        cookies["_streamlit_user"] = "signed"
        yield user


def test_an_allowed_e_mail_comes_in_and_sees_what_it_was_granted(provided: Provided) -> None:
    app = opened("Overview")
    assert "You do not have access to a workspace yet" in words(app)
    users = get_services().accounts.users
    (user,) = users.listed()
    assert (user.name, user.display_name, user.is_admin) == ("ada@example.org", "Ada", False)
    shown = get_services().accounts.sign_in.pages.get(RUN_OF_A_TEST)
    assert shown is not None, "the guard knows whose page it is from its first run on"
    assert shown.rights.user == user
    users.grant("ada@example.org", "team")
    app.run()
    assert "You do not have access to a workspace yet" not in words(app)
    assert any("team" in label for label in popovers(app))


@pytest.mark.parametrize(
    ("claims", "problem"),
    [
        ({"email": "eve@elsewhere.org"}, "is not allowed to sign in"),
        ({"email": "eve@example.org.evil.org"}, "is not allowed to sign in"),
        ({"email": "carol@other.org"}, "is not allowed to sign in"),
        ({"email": "eve@evil.org@example.org"}, "is not allowed to sign in"),
        ({"email_verified": False}, "verified"),
        ({"email_verified": None}, "verified"),
        ({"email_verified": "true"}, "verified"),
        ({"email": ""}, "verified"),
    ],
    ids=str,
)
def test_anybody_else_is_refused_in_words(provided: Provided, claims: dict[str, Any], problem: str) -> None:
    provided |= claims
    app = opened("Overview")
    assert not popovers(app)
    assert problem in words(app)


def test_whoever_is_not_signed_in_at_the_provider_is_sent_there(provided: Provided) -> None:
    provided.clear()
    app = opened("Explore", w="team")
    assert [button.label for button in app.button] == ["Sign in with your provider"]


def test_a_user_of_a_provider_who_is_disabled_stops(provided: Provided) -> None:
    app = opened("Overview")
    get_services().accounts.users.disable("ada@example.org")
    assert "is disabled" in words(app.run())
    assert [button.label for button in app.button] == ["Sign out"]


def test_a_provider_without_a_list_of_who_may_come_in_lets_nobody_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cookies: dict[str, str]
) -> None:
    monkeypatch.setattr(st, "user", Provided(is_logged_in=True, email="ada@example.org", email_verified=True))
    chosen = Settings(home=tmp_path, auth="oidc", allowed=" , ", _env_file=None)  # type: ignore[call-arg]
    with serving(chosen, MemoryGraphStore()):
        app = opened("Overview")
        assert "ASOF_ALLOWED" in words(app)
        assert not popovers(app)
