"""The data folder cannot be written, or is none: the app starts, shows what it can read, and says what is wrong."""

import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from services.accounts.account_records import Message
from services.accounts.store import Accounts
from services.core import clock
from services.core.config import Settings
from tests.browser.conftest import CORRECTIONS, SEARCHED
from tests.browser.filled import FilledFolders
from tests.browser.server import free_port, run_command, running
from tests.conftest import few

pytestmark = pytest.mark.browser


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="asof-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture
def data(folder: Path) -> Iterator[Path]:
    """A data folder that can be made read-only."""
    data = folder / "data"
    data.mkdir()
    if subprocess.run(["mount", "--bind", str(data), str(data)], capture_output=True, check=False).returncode:
        pytest.skip("Only an administrator can make a folder read-only for himself.")
    yield data
    subprocess.run(["umount", "-l", str(data)], check=True)


@pytest.fixture
def chat(data: Path, filled: FilledFolders) -> str:
    """The id of a conversation about the workspace `team`."""
    filled.copy_to(data, CORRECTIONS)
    run_command(data, SEARCHED, {})  # a mirror belongs to its folder
    settings = Settings(home=data)
    with closing(Accounts(settings.accounts_url, settings.graph_key)) as accounts:
        user, kept, now = accounts.users.local(), accounts.conversations, clock.now()
        chat = kept.create(user.id, "team", "About Ada")
        question = Message(str(uuid.uuid4()), chat.id, "user", "Where was Ada in May?", now)
        kept.add(question)
        kept.add(Message(str(uuid.uuid4()), chat.id, "assistant", "She was at sea.", now, question.id))
        return chat.id


def test_a_read_only_folder_is_shown_and_said_to_take_nothing(
    context: BrowserContext, folder: Path, data: Path, chat: str
) -> None:
    subprocess.run(["mount", "-o", "remount,ro,bind", str(data)], check=True)
    with running(folder, free_port(), {"ASOF_HOME": str(data)}) as url:
        page = context.new_page()
        page.goto(f"{url}/Timeline?w=team&as_of=2021-01-01")
        expect(page.get_by_text("You can read, but not save")).to_be_visible()
        expect(page.get_by_text("facts hold").first).to_be_visible()
        expect(page.get_by_text("Pages show the graph as last synced on")).to_be_visible()
        expect(page.get_by_text("is not writable: Read-only file system")).to_have_count(1)
        page.goto(f"{url}/Ask?w=team&c={chat}")
        expect(page.get_by_text("Where was Ada in May?").first).to_be_visible()
        expect(page.get_by_text("She was at sea.")).to_be_visible()
        box = page.get_by_test_id("stChatInputTextArea")
        box.fill("Where was Ada in June?")
        box.press("Enter")
        expect(page.get_by_text("is not writable: Read-only file system")).to_have_count(2)


def _a_file(home: Path) -> None:
    home.write_text("no folder")


def _a_folder_with_corrupt_accounts(home: Path) -> None:
    home.mkdir()
    (home / "accounts.db").write_bytes(b"no database" * 1000)


@pytest.mark.parametrize(
    ("made", "called"), few([(_a_file, "is not a folder"), (_a_folder_with_corrupt_accounts, "is corrupt")])
)
def test_the_app_starts_on_what_is_no_data_folder_and_says_so(
    context: BrowserContext, folder: Path, made: Callable[[Path], None], called: str
) -> None:
    made(folder / "home")
    with running(folder, free_port(), {"ASOF_HOME": str(folder / "home")}) as url:
        page = context.new_page()
        page.goto(f"{url}/Settings")
        expect(page.get_by_text(called).first).to_be_visible()
