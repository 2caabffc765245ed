"""The folder of an app and the ten users who write in it."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.scripted_users import ScriptedUsers
from tests.integration.busy_app import stop_database


@pytest.fixture
def home() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="asof-"))
    yield folder
    stop_database(folder)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def users(home: Path) -> Iterator[ScriptedUsers]:
    users = ScriptedUsers(home)
    yield users
    users.stop()
