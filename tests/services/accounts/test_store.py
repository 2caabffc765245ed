"""The accounts database, on SQLite and, where a server's binaries are found, on PostgreSQL."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from services.accounts.store import Accounts
from services.errors import AccountsUnavailable, BadInput
from services.models import Workspace
from tests.services.accounts.conftest import GRAPH


def test_labels_are_kept_by_the_next_process(accounts: Accounts, url: str) -> None:
    accounts.add("peps", "Python's proposals")
    accounts.add("_", "Ünïcode “quoted” 'label'")
    again = Accounts(url, GRAPH)
    assert again.workspaces() == (Workspace("peps", "Python's proposals"), Workspace("_", "Ünïcode “quoted” 'label'"))
    again.close()


def test_what_is_kept_about_one_graph_is_not_seen_from_another(accounts: Accounts, url: str) -> None:
    accounts.add("peps", "here")
    accounts.begin_change_set("peps", "a write", b"undo")
    elsewhere = Accounts(url, "bolt://elsewhere:7687")
    elsewhere.add("peps", "there")
    assert elsewhere.unfinished_change_sets() == ()
    elsewhere.remove("peps")
    assert accounts.workspaces() == (Workspace("peps", "here"),)
    assert len(accounts.unfinished_change_sets()) == 1
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
    accounts.begin_change_set("peps", "import", b"before")
    accounts.remove("peps")
    accounts.remove("never there")
    assert accounts.workspaces() == ()
    assert accounts.unfinished_change_sets() == ()


def test_a_change_set_is_unfinished_until_it_is_done_or_undone(accounts: Accounts) -> None:
    payload = bytes(range(256)) * 1000
    first = accounts.begin_change_set("peps", "import a.csv", payload)
    second = accounts.begin_change_set("peps", "import b.csv", b"")
    third = accounts.begin_change_set("peps", "import c.csv", b"c")
    accounts.finish_change_set(first, "done")
    left = accounts.unfinished_change_sets()
    assert [(record.id, record.payload) for record in left] == [(third, b"c"), (second, b"")]
    assert left[0].created_at.utcoffset() is not None
    assert left[0].created_at >= left[1].created_at
    accounts.finish_change_set(second, "undone")
    accounts.finish_change_set(third, "undone")
    assert accounts.unfinished_change_sets() == ()


def test_a_payload_comes_back_as_it_was_given(accounts: Accounts, url: str) -> None:
    payload = bytes(range(256)) * 1000
    accounts.begin_change_set("peps", "import", payload)
    again = Accounts(url, GRAPH)
    (record,) = again.unfinished_change_sets()
    assert (record.payload, record.workspace, record.title, record.state) == (payload, "peps", "import", "writing")
    again.close()


def test_many_threads_write_at_once_and_nothing_is_lost(accounts: Accounts) -> None:
    together = threading.Barrier(8)

    def write(number: int) -> str:
        together.wait(timeout=10)
        accounts.rename("shared", f"label {number}")
        accounts.add(f"own {number}", "own")
        return accounts.begin_change_set("shared", f"write {number}", b"x" * 1000)

    with ThreadPoolExecutor(8) as pool:
        ids = set(pool.map(write, range(8)))
    assert {record.id for record in accounts.unfinished_change_sets()} == ids
    assert {w.name for w in accounts.workspaces()} == {"shared", *(f"own {n}" for n in range(8))}


def test_a_database_that_cannot_be_opened_is_told_at_the_first_question_without_its_password(tmp_path: Path) -> None:
    nowhere = Accounts(f"sqlite:///{tmp_path / 'no such folder' / 'accounts.db'}", GRAPH)
    with pytest.raises(AccountsUnavailable, match="no such folder"):
        nowhere.workspaces()
    server = Accounts("postgresql://asof:secret@127.0.0.1:1/asof", GRAPH)
    with pytest.raises(AccountsUnavailable) as raised:
        server.workspaces()
    assert "secret" not in str(raised.value)


def test_an_address_that_is_no_database_url_says_which_setting_is_wrong() -> None:
    with pytest.raises(BadInput, match="ASOF_DATABASE_URL"):
        Accounts("not a url", GRAPH)
