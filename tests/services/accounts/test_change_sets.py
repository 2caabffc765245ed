"""Change-sets as they are kept, on SQLite and on PostgreSQL."""

import uuid
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, event, update

from services.accounts.schema import change_sets
from services.accounts.store import Accounts
from services.core import clock
from services.core.change_records import UNDO_DAYS, Origin
from services.core.errors import WriteFailed
from services.core.job_records import ItemEnd, NewItem
from tests.services.accounts.conftest import GRAPH

PAYLOAD = bytes(range(256)) * 1000


def begin(accounts: Accounts, workspace: str = "peps", title: str = "import") -> str:
    return accounts.change_sets.begin(workspace, title, Origin("import", note="why"), PAYLOAD)


def finish(accounts: Accounts, id: str, **more) -> bool:
    return accounts.change_sets.finish(id, digests=b"digests", counts={"added": 2}, changes=[{"kind": "added"}], **more)


def state(accounts: Accounts, id: str) -> str:
    kept = accounts.change_sets.kept(id)
    assert kept is not None
    return kept.state


def test_a_change_set_is_unfinished_until_it_is_done_or_dropped(accounts: Accounts) -> None:
    first, second, third = (begin(accounts, title=title) for title in "abc")
    assert finish(accounts, first)
    assert [kept.id for kept in accounts.change_sets.unfinished()] == [third, second]
    accounts.change_sets.drop(second)
    accounts.change_sets.drop(third)
    assert accounts.change_sets.unfinished() == ()
    assert [record.id for record in accounts.change_sets.listed("peps", 10)] == [first]


def test_a_change_set_that_was_dropped_cannot_be_finished(accounts: Accounts) -> None:
    id = begin(accounts)
    accounts.change_sets.drop(id)
    assert not finish(accounts, id)


def test_the_imports_of_tables_are_listed_newest_first_and_nothing_else_is(accounts: Accounts) -> None:
    tables = [begin(accounts, title=title) for title in "ab"]
    text = accounts.change_sets.begin("peps", "c", Origin("text"), PAYLOAD)
    for id in (*tables, text, begin(accounts, "other")):
        finish(accounts, id)
    begin(accounts, title="unfinished")
    assert [record.title for record in accounts.change_sets.of_tables("peps", 10)] == ["b", "a"]
    assert [record.title for record in accounts.change_sets.of_tables("peps", 1)] == ["b"]


def test_a_change_set_is_the_last_until_another_is_written_or_undone(accounts: Accounts) -> None:
    sets = accounts.change_sets
    first, second = begin(accounts), begin(accounts)
    for id in (first, second):
        finish(accounts, id)
    assert (sets.is_last("peps", first), sets.is_last("peps", second)) == (False, True)
    sets.begin_undo(first, b"redo", b"digests", None)
    sets.finish_undo(first)
    assert (sets.is_last("peps", first), sets.is_last("peps", second)) == (True, False)


def test_a_change_set_comes_back_as_it_was_given(accounts: Accounts, url: str) -> None:
    id = begin(accounts)
    finish(accounts, id)
    again = Accounts(url, GRAPH)
    kept = again.change_sets.kept(id)
    assert kept is not None
    assert (kept.payload, kept.workspace, kept.state, kept.digests) == (PAYLOAD, "peps", "done", b"digests")
    (record,) = again.change_sets.listed("peps", 10)
    assert (record.title, record.origin, dict(record.counts)) == ("import", Origin("import", note="why"), {"added": 2})
    assert (record.can_undo, record.can_redo) == (True, False)
    assert again.change_sets.changes(id) == [{"kind": "added"}]
    again.close()


def test_the_order_of_change_sets_is_strict_within_a_workspace(accounts: Accounts) -> None:
    ids = [begin(accounts) for _ in range(20)]
    for id in ids:
        finish(accounts, id)
    listed = accounts.change_sets.listed("peps", 100)
    assert [record.id for record in listed] == ids[::-1]
    assert len({record.created_at for record in listed}) == 20
    middle = listed[9]
    assert [r.id for r in accounts.change_sets.listed("peps", 3, middle.created_at)] == [r.id for r in listed[10:13]]


def test_a_change_set_goes_from_state_to_state_in_order_alone(accounts: Accounts) -> None:
    sets, id = accounts.change_sets, begin(accounts)
    assert not sets.begin_undo(id, b"redo", b"digests", None)
    finish(accounts, id)
    assert sets.begin_undo(id, b"redo", b"digests", "ada")
    assert not sets.begin_undo(id, b"other", b"others", "bob")
    assert not sets.begin_redo(id, b"again", b"all")
    assert [kept.state for kept in sets.unfinished("peps")] == ["undoing"]
    assert sets.finish_undo(id)
    (record,) = sets.listed("peps", 1)
    assert (record.state, record.undone_by, record.can_undo, record.can_redo) == ("undone", "ada", False, True)
    assert record.undone_at is not None
    assert sets.begin_redo(id, b"again", b"all")
    assert state(accounts, id) == "redoing"
    assert sets.finish_redo(id)
    (record,) = sets.listed("peps", 1)
    assert (record.state, record.undone_at, record.undone_by, record.can_undo) == ("done", None, None, True)
    assert not record.can_redo


def test_a_change_set_of_which_an_undo_left_something_can_be_undone_and_redone(accounts: Accounts) -> None:
    sets, id = accounts.change_sets, begin(accounts)
    finish(accounts, id)
    sets.begin_undo(id, b"redo", b"digests", "ada")
    assert sets.finish_undo(id, b"left")
    (record,), kept = sets.listed("peps", 1), sets.kept(id)
    assert (record.state, record.undone_at, record.can_undo, record.can_redo) == ("done", None, True, True)
    assert kept is not None
    assert (kept.digests, kept.redo) == (b"left", b"redo")
    assert sets.begin_redo(id, b"redo", b"all")
    assert sets.finish_redo(id, b"not redone")
    (record,) = sets.listed("peps", 1)
    assert (record.state, record.can_undo, record.can_redo) == ("done", True, True)


def test_what_was_written_since_is_what_is_done_and_of_the_same_workspace(accounts: Accounts) -> None:
    sets = accounts.change_sets
    _, asked, later, undone, elsewhere = ids = [begin(accounts, name) for name in ("peps",) * 4 + ("other",)]
    begin(accounts)
    for number, id in enumerate(ids):
        sets.finish(id, digests=b"%d" % number, counts={}, changes=[])
    sets.begin_undo(undone, b"redo", b"digests", None)
    sets.finish_undo(undone)
    assert [(kept.id, kept.digests) for kept in sets.standing_since(asked)] == [(later, b"2")]
    assert sets.standing_since(later) == sets.standing_since(elsewhere) == ()


def test_what_undoing_takes_is_forgotten_after_thirty_days_and_the_list_stays(accounts: Accounts) -> None:
    old, new, under_way = begin(accounts), begin(accounts), begin(accounts)
    finish(accounts, old)
    finish(accounts, new)
    long_ago = clock.now() - timedelta(days=UNDO_DAYS, minutes=1)
    with accounts._database.transaction() as connection:
        connection.execute(update(change_sets).where(change_sets.c.id == old).values(finished_at=long_ago))
    accounts.change_sets.forget_images()
    assert [record.can_undo for record in accounts.change_sets.listed("peps", 10)] == [True, False]
    kept = accounts.change_sets.kept(under_way)
    assert kept is not None
    assert kept.payload == PAYLOAD
    assert accounts.change_sets.changes(old) == []


def test_an_emptied_workspace_has_nothing_left_to_undo(accounts: Accounts) -> None:
    done, undone, _, elsewhere = begin(accounts), begin(accounts), begin(accounts), begin(accounts, "other")
    finish(accounts, done)
    finish(accounts, undone)
    accounts.change_sets.begin_undo(undone, b"redo", b"digests", None)
    accounts.change_sets.settle("peps")
    assert [kept.id for kept in accounts.change_sets.unfinished()] == [elsewhere]
    listed = accounts.change_sets.listed("peps", 10)
    assert [(r.state, r.can_undo, r.can_redo) for r in listed] == [("undone", False, False), ("done", False, False)]


def test_the_items_of_a_job_end_with_their_change_set_or_neither_does(accounts: Accounts) -> None:
    job, new = str(uuid.uuid4()), [NewItem("a", "a", {}), NewItem("b", "b", {})]
    accounts.jobs.add("peps", "import", "files", new, options={}, job_id=job)
    first, second = accounts.jobs.take(job, 2)
    id = begin(accounts)
    assert finish(accounts, id, ends=[ItemEnd(first.id, "done")])
    item = accounts.jobs.item(first.id)
    assert item is not None
    assert (item.state, item.change_set_id) == ("done", id)
    again = begin(accounts)
    with pytest.raises(WriteFailed):
        finish(accounts, again, ends=[ItemEnd(second.id, "done"), ItemEnd(first.id, "done")])
    assert state(accounts, again) == "writing"
    untouched = accounts.jobs.item(second.id)
    assert untouched is not None
    assert untouched.state == "running"


def test_the_disk_is_waited_for_where_a_change_set_begins_or_ends_and_nowhere_else(tmp_path: Path) -> None:
    accounts = Accounts(f"sqlite:///{tmp_path / 'accounts.db'}", GRAPH)
    waited = list[bool]()

    def note(connection: Connection) -> None:
        waited.append(connection.connection.execute("PRAGMA synchronous").fetchone() == (2,))

    accounts.add("before", "the tables are made")
    event.listen(Engine, "commit", note)
    try:
        sets, id = accounts.change_sets, begin(accounts)
        finish(accounts, id)
        sets.begin_undo(id, b"redo", b"digests", None)
        sets.finish_undo(id)
        sets.begin_redo(id, b"redo", b"digests")
        sets.finish_redo(id)
        assert waited == [True] * 6
        accounts.add("team", "Team")
        sets.listed("peps", 10)
        assert waited[6:] == [False] * len(waited[6:])
        assert len(waited) > 6
    finally:
        event.remove(Engine, "commit", note)
        accounts.close()
