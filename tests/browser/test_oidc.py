"""Signing in with a provider: the real app, a provider on loopback, and a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from oidc_provider_mock import User, run_server_in_thread
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import CORRECTIONS
from tests.browser.filled import FilledFolders
from tests.browser.gestures import opened
from tests.browser.server import free_port, run_command, running
from tests.conftest import few

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SETTINGS = {"ASOF_AUTH": "oidc", "ASOF_ALLOWED": "@example.org"}
SECRETS = """[auth]
redirect_uri = "http://127.0.0.1:{port}/oauth2callback"
cookie_secret = "only for this test, only for this test"
client_id = "asof"
client_secret = "only for this test"
server_metadata_url = "http://localhost:{provider}/.well-known/openid-configuration"
"""


def person(email: str, *, verified: bool = True) -> User:
    return User(sub=email, claims={"email": email, "email_verified": verified, "name": email.partition("@")[0].title()})


PEOPLE = (person("ada@example.org"), person("eve@elsewhere.org"), person("bob@example.org", verified=False))


@pytest.fixture(scope="module")
def home(filled: FilledFolders) -> Iterator[Path]:
    with filled.copy(CORRECTIONS) as home:
        yield home


@pytest.fixture(scope="module")
def asof(home: Path) -> Iterator[str]:
    """The address of the app; Ada was granted the workspace `team`."""
    port = free_port()
    run_command(home, ["user", "add", "ada@example.org", "--grant", "team"], SETTINGS)
    with run_server_in_thread(user_claims=PEOPLE) as provider:
        secrets = home / "secrets.toml"
        secrets.write_text(SECRETS.format(port=port, provider=provider.server_port))
        with running(home, port, SETTINGS, ["--secrets.files", str(secrets)]) as url:
            yield url


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def sign_in(page: Page, url: str, email: str) -> None:
    page.goto(url)
    page.get_by_role("button", name="Sign in with your provider").click()
    page.get_by_role("button", name=f"Authorize as {email}").click()


def sign_out(page: Page) -> None:
    """Out of the app, and at the provider."""
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="End session").click()
    expect(page.get_by_role("button", name="Sign in with your provider")).to_be_visible()


def test_an_allowed_e_mail_signs_in_and_out_and_stops_once_it_is_disabled(asof: str, home: Path, page: Page) -> None:
    sign_in(page, f"{asof}/Timeline?w=team", "ada@example.org")
    bar = page.get_by_text("Facts valid on")
    expect(bar).to_be_visible()
    opened(page.get_by_role("button", name="Ada"), page.get_by_role("button", name="Sign out"))
    sign_out(page)
    sign_in(page, asof, "ada@example.org")
    expect(bar).to_be_visible()
    run_command(home, ["user", "disable", "ada@example.org"], SETTINGS)
    page.get_by_role("button", name="Latest", exact=True).click()
    expect(page.get_by_text("The account ada@example.org is disabled.")).to_be_visible()
    expect(bar).to_have_count(0)


@pytest.mark.parametrize(
    ("email", "reason"),
    few([("eve@elsewhere.org", "is not allowed to sign in"), ("bob@example.org", "verified your e-mail")]),
)
def test_whoever_is_not_allowed_or_not_verified_reads_why_and_can_be_somebody_else(
    asof: str, page: Page, email: str, reason: str
) -> None:
    sign_in(page, asof, email)
    expect(page.get_by_text(reason)).to_be_visible()
    expect(page.get_by_text("Facts valid on")).to_have_count(0)
    sign_out(page)
