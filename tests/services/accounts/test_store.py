"""The accounts database, on SQLite and, where a server's binaries are found, on PostgreSQL."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from services.accounts.store import Accounts
from services.core.change_records import Origin
from services.core.errors import AccountsUnavailable, BadInput
from services.core.models import Workspace
from tests.services.accounts.conftest import GRAPH
from tests.services.accounts.test_change_sets import begin


def test_labels_are_kept_by_the_next_process(accounts: Accounts, url: str) -> None:
    accounts.add("peps", "Python's proposals")
    accounts.add("_", "Ünïcode “quoted” 'label'")
    again = Accounts(url, GRAPH)
    assert again.workspaces() == (Workspace("peps", "Python's proposals"), Workspace("_", "Ünïcode “quoted” 'label'"))
    again.close()


def test_what_is_kept_about_one_graph_is_not_seen_from_another(accounts: Accounts, url: str) -> None:
    accounts.add("peps", "here")
    begin(accounts, "peps")
    elsewhere = Accounts(url, "bolt://elsewhere:7687")
    elsewhere.add("peps", "there")
    assert elsewhere.change_sets.unfinished() == ()
    elsewhere.remove("peps")
    assert accounts.workspaces() == (Workspace("peps", "here"),)
    assert len(accounts.change_sets.unfinished()) == 1
    elsewhere.close()


def test_a_workspace_that_is_known_is_not_added_twice(accounts: Accounts) -> None:
    accounts.add("peps", "first")
    with pytest.raises(BadInput, match="peps"):
        accounts.add("peps", "second")
    assert accounts.workspaces() == (Workspace("peps", "first"),)


def test_a_new_label_replaces_the_old_one_and_is_given_where_there_was_none(accounts: Accounts) -> None:
    accounts.add("peps", "old")
    accounts.rename("peps", "new")
    accounts.rename("found in the graph", "labelled")
    assert accounts.workspaces() == (Workspace("found in the graph", "labelled"), Workspace("peps", "new"))


def test_removing_a_workspace_forgets_its_label_and_its_change_sets(accounts: Accounts) -> None:
    accounts.add("peps", "gone")
    begin(accounts, "peps")
    accounts.remove("peps")
    accounts.remove("never there")
    assert accounts.workspaces() == ()
    assert accounts.change_sets.unfinished() == ()


def test_many_threads_write_at_once_and_nothing_is_lost(accounts: Accounts) -> None:
    together = threading.Barrier(8)

    def write(number: int) -> str:
        together.wait(timeout=10)
        accounts.rename("shared", f"label {number}")
        accounts.add(f"own {number}", "own")
        return accounts.change_sets.begin("shared", f"write {number}", Origin("import"), b"x" * 1000)

    with ThreadPoolExecutor(8) as pool:
        ids = set(pool.map(write, range(8)))
    assert {record.id for record in accounts.change_sets.unfinished()} == ids
    assert {w.name for w in accounts.workspaces()} == {"shared", *(f"own {n}" for n in range(8))}


def test_a_database_that_cannot_be_opened_is_reported_without_its_password(tmp_path: Path) -> None:
    nowhere = Accounts(f"sqlite:///{tmp_path / 'no such folder' / 'accounts.db'}", GRAPH)
    with pytest.raises(AccountsUnavailable, match="no such folder"):
        nowhere.workspaces()
    server = Accounts("postgresql://asof:secret@127.0.0.1:1/asof", GRAPH)
    with pytest.raises(AccountsUnavailable) as raised:
        server.workspaces()
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("damaged", ["CAST(x'9e9e' AS TEXT)", "'[1, 2'"])
def test_a_value_that_was_damaged_is_called_so(tmp_path: Path, damaged: str) -> None:
    accounts = Accounts(f"sqlite:///{tmp_path / 'accounts.db'}", GRAPH)
    id = accounts.change_sets.begin("w", "a write", Origin("import"), b"")
    with accounts._database.transaction() as connection:
        connection.exec_driver_sql(f"UPDATE change_sets SET changes = {damaged}")
    with pytest.raises(AccountsUnavailable, match=r"is corrupt\. Restore a backup"):
        accounts.change_sets.changes(id)
    accounts.close()


@pytest.mark.parametrize("url", ["not a url", "postgresql://host:port/asof"])
def test_an_address_that_is_no_database_url_says_which_setting_is_wrong(url: str) -> None:
    with pytest.raises(BadInput, match="ASOF_DATABASE_URL"):
        Accounts(url, GRAPH)
