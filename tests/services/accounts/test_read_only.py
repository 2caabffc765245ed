"""Accounts on a disk that takes nothing: they are read, people sign in, and nothing else is taken."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from services.accounts.sign_in import TooManyTries, WrongPassword
from services.accounts.store import Accounts
from services.core.errors import AccountsUnavailable
from tests.services.accounts.conftest import GRAPH
from tests.small_disk import (
    FULL_DISK,
    READ_ONLY_DISK,
    allow_writing,
    fill_up,
    nothing_opened_for_writing,
    small_disk,
    write_protect,
    write_protected,
)

pytestmark = pytest.mark.usefixtures("quick_passwords")
PASSWORD = "correct horse"

type Opening = Callable[[], Accounts]


@pytest.fixture
def disk() -> Iterator[Path]:
    with small_disk(megabytes=3) as folder:
        home = folder / "a folder #1"
        home.mkdir()
        yield folder


@pytest.fixture
def opening(disk: Path) -> Iterator[Opening]:
    """Opens the accounts anew; those before are closed."""
    opened: list[Accounts] = []

    def open_anew() -> Accounts:
        for accounts in opened:
            accounts.close()
        accounts = Accounts(f"sqlite:///{next(disk.glob('a folder*'))}/accounts.db", GRAPH)
        opened.append(accounts)
        return accounts

    yield open_anew
    for accounts in opened:
        accounts.close()


@pytest.fixture
def session(opening: Opening) -> str:
    """Ada's session, who has a password; everything is closed."""
    accounts = opening()
    accounts.users.add("ada", PASSWORD)
    accounts.users.grant("ada", "peps")
    token = accounts.sign_in.begin("ada", PASSWORD, "10.0.0.1")
    accounts.close()
    return token


@pytest.mark.parametrize(("happens", "problem"), [(fill_up, FULL_DISK), (write_protect, READ_ONLY_DISK)])
def test_people_sign_in_where_nothing_can_be_written(
    disk: Path, opening: Opening, session: str, happens: Callable[[Path], object], problem: str
) -> None:
    happens(disk)
    accounts = opening()
    assert [user.name for user in accounts.users.listed()] == ["ada"]
    new = accounts.sign_in.begin("ada", PASSWORD, "10.0.0.1")
    for token in (session, new):
        rights = accounts.sign_in.rights_of(token)
        assert rights is not None
        assert (rights.user.name, rights.workspaces) == ("ada", {"peps"})
    accounts.sign_in.end(session)
    assert accounts.sign_in.rights_of(session) is None
    with pytest.raises(AccountsUnavailable, match=problem):
        accounts.users.add("bob")


def test_people_sign_in_where_the_file_alone_cannot_be_written(disk: Path, opening: Opening, session: str) -> None:
    (file,) = disk.glob("a folder*/accounts.db")
    with write_protected(file):
        accounts = opening()
        new = accounts.sign_in.begin("ada", PASSWORD, "10.0.0.1")
        assert accounts.sign_in.rights_of(session)
        assert accounts.sign_in.rights_of(new)
        with pytest.raises(AccountsUnavailable, match=r"The file .*accounts\.db is not writable\."):
            accounts.users.add("bob")
        accounts.close()
    accounts = opening()
    accounts.users.add("bob")
    assert [user.name for user in accounts.users.listed()] == ["ada", "bob"]


def test_wrong_passwords_are_counted_where_nothing_can_be_written(disk: Path, opening: Opening, session: str) -> None:
    write_protect(disk)
    sign_in = opening().sign_in
    for _ in range(5):
        with pytest.raises(WrongPassword):
            sign_in.begin("ada", "wrong", "10.0.0.1")
    with pytest.raises(TooManyTries):
        sign_in.begin("ada", PASSWORD, "10.0.0.1")


def test_people_sign_in_once_the_disk_has_filled_up(disk: Path, opening: Opening, session: str) -> None:
    accounts = opening()
    assert accounts.sign_in.rights_of(session)
    filler = fill_up(disk)
    new = accounts.sign_in.begin("ada", PASSWORD, "10.0.0.1")
    assert accounts.sign_in.rights_of(new)
    filler.unlink()
    accounts.users.add("bob")
    assert [user.name for user in opening().users.listed()] == ["ada", "bob"]


def test_accounts_are_written_again_once_the_folder_can_be(disk: Path, opening: Opening, session: str) -> None:
    write_protect(disk)
    accounts = opening()
    accounts.sign_in.begin("ada", PASSWORD, "10.0.0.1")
    allow_writing(disk)
    accounts.users.add("bob")
    assert accounts.sign_in.rights_of(session)
    assert [user.name for user in opening().users.listed()] == ["ada", "bob"]


def test_a_connection_opened_while_nothing_could_be_written_is_not_written_on(
    disk: Path, opening: Opening, session: str
) -> None:
    accounts = opening()
    assert accounts.sign_in.rights_of(session)
    with nothing_opened_for_writing(disk), accounts._database.transaction():  # the connection from before is in use
        assert accounts.sign_in.rights_of(session)
    for number in range(10):
        accounts.users.add(f"user {number}")
    assert len(opening().users.listed()) == 11


def test_accounts_are_written_again_after_a_write_to_a_folder_that_takes_nothing(
    disk: Path, opening: Opening, session: str
) -> None:
    accounts = opening()
    assert accounts.sign_in.rights_of(session)
    with nothing_opened_for_writing(disk):
        with accounts._database.transaction(), pytest.raises(AccountsUnavailable, match=READ_ONLY_DISK):
            accounts.users.add("bob")
        assert accounts.sign_in.rights_of(session)
    for number in range(10):
        accounts.users.add(f"user {number}")
    assert len(opening().users.listed()) == 11


@pytest.mark.slow
def test_what_was_saved_before_a_kill_is_read_where_nothing_can_be_written(
    disk: Path, opening: Opening, session: str
) -> None:
    add_and_die = (
        "import os, sys\n"
        "from services.accounts.store import Accounts\n"
        "Accounts(sys.argv[1], sys.argv[2]).users.add('bob')\n"
        "os._exit(9)"
    )
    address = opening().address
    assert subprocess.run([sys.executable, "-c", add_and_die, address, GRAPH], check=False).returncode == 9
    write_protect(disk)
    assert [user.name for user in opening().users.listed()] == ["ada", "bob"]


def test_a_database_without_tables_is_not_made_where_nothing_can_be_written(disk: Path, opening: Opening) -> None:
    write_protect(disk)
    with pytest.raises(AccountsUnavailable, match=READ_ONLY_DISK):
        opening().users.listed()
    assert not any(name.endswith(".db") for _, _, names in os.walk(disk) for name in names)
