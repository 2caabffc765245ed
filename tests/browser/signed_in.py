"""An app whose visitors sign in with a password, and how they do."""

from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.server import run_command

PASSWORD = "correct horse 日本語"
LOCAL = {"ASOF_AUTH": "local"}


@dataclass(frozen=True)
class Asof:
    """A running app with sign-in, and its command line."""

    url: str
    home: Path

    def user(self, *words: str) -> None:
        run_command(self.home, ["user", *words], LOCAL, typed=f"{PASSWORD}\n")


def sign_in(page: Page, name: str, password: str = PASSWORD) -> None:
    form = page.locator("form", has_text="Sign in to Asof")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Password").fill(password)
    form.get_by_role("button", name="Sign in").click()
