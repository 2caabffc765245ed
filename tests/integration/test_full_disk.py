"""A disk that is full or cannot be written, and a data folder that is none: what can be read is read, and why nothing
can be saved is said in words."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.core.data_folder import write_problem
from services.core.errors import AccountsUnavailable, WriteFailed
from services.writing.importer import import_rows
from tests.integration.embedded_files import FIRST, SECOND, Starts
from tests.services.writing.test_importer import content
from tests.small_disk import FULL_DISK, READ_ONLY_DISK, fill_up, small_disk, write_protect


@pytest.fixture
def home() -> Iterator[Path]:
    with small_disk(megabytes=12) as folder:
        yield folder


@pytest.fixture
def start(home: Path) -> Iterator[Starts]:
    start = Starts(home)
    yield start
    start.stop()


@pytest.mark.parametrize(("happens", "problem"), [(fill_up, FULL_DISK), (write_protect, READ_ONLY_DISK)])
def test_where_nothing_can_be_written_the_mirror_is_read_and_writes_are_refused(home, start, happens, problem):
    services = start()
    services.mirrors.of("w")
    import_rows(services.workspace("w"), FIRST, title="a file")
    start.stop()
    files = set(home.glob("mirror/*/*.duckdb"))
    happens(home)
    services = start(recovering=False)
    assert problem in write_problem(home)
    assert services.mirrors.of("w").counts().facts == 40
    with pytest.raises(WriteFailed, match=problem):
        import_rows(services.workspace("w"), SECOND, title="another file")
    assert len(services.accounts.change_sets.listed("w", 10)) == 1
    with pytest.raises(AccountsUnavailable, match=problem):
        services.accounts.add("x", "Another workspace")
    assert set(home.glob("mirror/*/*.duckdb")) == files


def test_a_disk_that_fills_up_loses_nothing_and_is_used_again_once_there_is_room(home, start):
    services = start()
    services.mirrors.of("w")
    import_rows(services.workspace("w"), FIRST, title="a file")
    saved = content(services)
    filler = fill_up(home)
    services.mirrors.sync("w", deep=True)
    with pytest.raises(WriteFailed, match=FULL_DISK):
        import_rows(services.workspace("w"), SECOND, title="another file")
    assert content(services) == saved
    assert services.mirrors.of("w").counts().facts == 40
    filler.unlink()
    import_rows(services.workspace("w"), SECOND, title="another file")
    assert services.mirrors.of("w").counts().facts == 80
    assert len(content(start())[1]) == 80


def run_cli(home: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "cli.py", *words],
        env={**os.environ, "ASOF_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_data_folder_that_is_a_file_is_called_so_by_the_terminal(tmp_path):
    (tmp_path / "home").write_text("no folder")
    done = run_cli(tmp_path / "home", "facts", "--entity", "Ann")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"The data folder {tmp_path / 'home'} is not a folder." in done.stderr
    assert "Traceback" not in done.stderr


def test_a_corrupt_accounts_database_is_called_corrupt_by_the_terminal(tmp_path):
    (tmp_path / "accounts.db").write_bytes(b"no database" * 1000)
    done = run_cli(tmp_path, "user", "list")
    assert done.returncode == 1
    assert "accounts.db is corrupt. Restore a backup" in done.stderr
    assert "Traceback" not in done.stderr
