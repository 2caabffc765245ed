"""Changes that the accounts database lost are told, until they are dismissed or a newer copy is back."""

import os
import shutil
from pathlib import Path

import pytest

from services.writing import workspaces
from services.writing.damage_check import dismiss, losses
from services.writing.importer import import_rows
from services.writing.lost_changes import lost_changes
from services.writing.restore_missing_records import restore
from tests.integration.embedded_files import (
    ENDED,
    FIRST,
    SECOND,
    home,
    saved,
    start,
)
from tests.services.writing.test_importer import content

__all__ = ["home", "saved", "start"]


@pytest.fixture
def older_copy(home, start):
    """A copy of the accounts database from before the last change, which ended some facts; everything is closed."""
    import_rows(start().workspace("w"), FIRST, title="a file")
    start.stop()
    shutil.copy(home / "accounts.db", home / "older.db")
    services = start()
    services.mirrors.of("w")
    import_rows(services.workspace("w"), ENDED, title="ends of its facts")
    start.stop()
    shutil.copy(home / "accounts.db", home / "newer.db")
    return home / "older.db"


def lacking(services):
    return [(lost.workspace, lost.changes) for lost in lost_changes(services)]


def test_an_old_copy_of_the_accounts_makes_nothing_missing(home, start, older_copy):
    everything = content(start())
    start.stop()
    shutil.copy(older_copy, home / "accounts.db")
    services = start()
    assert losses(services) == ()
    assert restore(services.workspace("w")).records == 0
    assert content(services) == everything
    import_rows(services.workspace("w"), SECOND, title="another file")
    assert losses(start()) == ()


def test_changes_that_the_accounts_lost_are_told_until_a_newer_copy_is_put_back(home, start, older_copy):
    shutil.copy(older_copy, home / "accounts.db")
    assert lacking(start()) == [("w", 1)]
    services = start()
    assert lacking(services) == [("w", 1)]
    import_rows(services.workspace("w"), SECOND, title="another file")
    assert lacking(start()) == [("w", 1)]
    start.stop()
    shutil.copy(home / "newer.db", home / "accounts.db")
    assert lacking(start()) == []


def test_changes_that_the_accounts_lost_are_told_before_a_write_hides_that(home, start, older_copy):
    shutil.copy(older_copy, home / "accounts.db")
    services = start(recovering=False)
    import_rows(services.workspace("w"), SECOND, title="another file")
    assert lacking(services) == [("w", 1)]


def test_lost_changes_that_were_dismissed_are_not_told_again(home, start, older_copy):
    shutil.copy(older_copy, home / "accounts.db")
    services = start()
    assert dismiss(services.workspace("w")) == 1
    assert lacking(services) == []
    assert lacking(start()) == []
    start.stop()
    shutil.copy(home / "newer.db", home / "accounts.db")
    services = start()
    assert (lacking(services), losses(services)) == ([], ())


@pytest.mark.parametrize("destroy", [lambda path: os.truncate(path, 0), Path.unlink])
def test_accounts_that_are_empty_lost_the_changes_of_every_workspace(home, start, saved, destroy):
    services = start()
    import_rows(services.workspace("v"), FIRST, title="a file")
    start.stop()
    destroy(home / "accounts.db")
    services = start()
    assert lacking(services) == [("v", 1), ("w", 3)]
    assert content(services) == saved


def test_a_workspace_that_was_deleted_has_lost_no_changes(home, start, saved):
    services = start()
    workspaces.delete(services.workspace("w"))
    services = start()
    assert lacking(services) == []
    import_rows(services.workspace("w"), FIRST, title="a file")
    assert lacking(services) == []
    assert lacking(start()) == []
