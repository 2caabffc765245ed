"""Jobs as they are kept, on both back ends: added once, taken in order, ended once."""

import uuid
from datetime import timedelta

import pytest
from sqlalchemy import update

from services.accounts.jobs import MOST_DEATHS, end_items, item_id
from services.accounts.schema import jobs as job_table
from services.accounts.store import Accounts
from services.core import clock
from services.core.errors import BadInput, WriteFailed
from services.core.job_records import ItemEnd, ItemSummary, JobKind, NewItem

WORKSPACE = "team"


def added(accounts: Accounts, *keys: str, job_id: str | None = None, kind: JobKind = "documents") -> str:
    job = job_id or str(uuid.uuid4())
    new = [NewItem(key, f"Text {key}", {"text": key}) for key in keys]
    accounts.jobs.add(WORKSPACE, kind, "Texts", new, options={"tags": ["a"]}, job_id=job)
    return job


def states(accounts: Accounts, job_id: str) -> dict[str, str]:
    return {item.key: item.state for item in accounts.jobs.items(job_id)}


def test_a_job_that_is_added_twice_is_there_once_with_all_its_items(accounts: Accounts) -> None:
    job_id = added(accounts, "a", "b")
    added(accounts, "b", "c", job_id=job_id)
    (job,) = accounts.jobs.of(WORKSPACE, 10)
    assert (job.id, job.state, job.options, job.counts) == (job_id, "running", {"tags": ["a"]}, {"queued": 3})
    assert [item.key for item in accounts.jobs.items(job_id)] == ["a", "b", "c"]
    assert accounts.jobs.items(job_id)[2].id == item_id(job_id, "c")


def test_a_job_that_is_done_goes_on_with_what_is_added_to_it_by_its_id(accounts: Accounts) -> None:
    job = added(accounts, "a")
    (first,) = accounts.jobs.take(job, 1)
    accounts.jobs.end([ItemEnd(first.id, "done")])
    accounts.jobs.finish(WORKSPACE)
    added(accounts, "a", "b", job_id=job)
    waits = accounts.jobs.next_job(WORKSPACE)
    assert waits is not None
    assert (waits.id, states(accounts, job)) == (job, {"a": "done", "b": "queued"})


def test_how_items_of_a_crawl_stand_is_told_without_what_waits_for_review(accounts: Accounts) -> None:
    job_id = str(uuid.uuid4())
    new = [NewItem(key, key, {"part": "page", "url": key}) for key in "abc"]
    accounts.jobs.add(WORKSPACE, "crawl", "Pages", new, options={}, job_id=job_id)
    first, second, _ = accounts.jobs.take(job_id, 3)
    moved = ItemEnd(first.id, "done", {"moved_to": "b", "title": "a NUL \0 and half a character \ud800"})
    accounts.jobs.end([moved, ItemEnd(second.id, "review", {"document_id": "b", "drafts": 2})])
    assert accounts.jobs.outcomes(job_id) == (
        ItemSummary("a", "done", "page", moved_to="b"),
        ItemSummary("b", "review", "page"),
        ItemSummary("c", "running", "page"),
    )


def test_the_first_items_of_the_newest_jobs_of_a_kind_are_found_at_once(accounts: Accounts) -> None:
    for keys, kind in ((("a", "b"), "import"), (("c",), "documents"), (("d",), "import"), (("e", "f"), "import")):
        added(accounts, *keys, kind=kind)
    assert [item.key for item in accounts.jobs.first_items(WORKSPACE, "import", 2)] == ["e", "d"]
    assert [item.key for item in accounts.jobs.first_items(WORKSPACE, "import", 9)] == ["e", "d", "a"]
    assert accounts.jobs.first_items("another", "import", 9) == ()


def test_items_are_taken_in_order_and_only_once(accounts: Accounts) -> None:
    job_id = added(accounts, *"abcde")
    assert [item.key for item in accounts.jobs.take(job_id, 2)] == ["a", "b"]
    assert [item.key for item in accounts.jobs.take(job_id, 9)] == ["c", "d", "e"]
    assert accounts.jobs.take(job_id, 9) == ()
    job = accounts.jobs.get(job_id)
    assert job is not None
    assert job.started_at is not None
    assert all(item.attempts == 1 for item in accounts.jobs.items(job_id))


def test_jobs_are_taken_in_order_of_creation_and_paused_ones_passed_over(accounts: Accounts) -> None:
    first, second = added(accounts, "a"), added(accounts, "b")
    assert accounts.jobs.set_state(first, "paused", was=["running"])
    job = accounts.jobs.next_job(WORKSPACE)
    assert job is not None
    assert job.id == second
    assert not accounts.jobs.set_state(first, "paused", was=["running"])
    assert accounts.jobs.set_state(first, "running", was=["paused"])
    job = accounts.jobs.next_job(WORKSPACE)
    assert job is not None
    assert job.id == first


def test_an_item_that_is_done_cannot_end_again_and_takes_the_transaction_with_it(accounts: Accounts) -> None:
    job_id = added(accounts, "a", "b")
    one, other = accounts.jobs.take(job_id, 2)
    accounts.jobs.end([ItemEnd(one.id, "done", {"facts": 3})])
    with pytest.raises(WriteFailed, match="already complete"), accounts._database.transaction() as connection:
        end_items(connection, [ItemEnd(other.id, "done"), ItemEnd(one.id, "done")], "a change-set")
    assert states(accounts, job_id) == {"a": "done", "b": "running"}
    assert accounts.jobs.items(job_id)[0].result == {"facts": 3}


def test_an_ended_item_names_its_change_set_and_sums_the_usage_of_its_attempts(
    accounts: Accounts,
) -> None:
    job_id = added(accounts, "a", "b")
    item, other = accounts.jobs.take(job_id, 2)
    taken = {"input_tokens": 100, "output_tokens": 10, "cost": 0.5, "ms": 7.0}
    accounts.jobs.end([ItemEnd(item.id, "failed", problem="No.", hint="Wait.", **taken), ItemEnd(other.id, "done")])
    assert accounts.jobs.retry(item.id)
    accounts.jobs.take(job_id, 1)
    with accounts._database.transaction() as connection:
        end_items(connection, [ItemEnd(item.id, "done", **taken)], "set 1")
    kept = accounts.jobs.item(item.id)
    assert kept is not None
    assert (kept.change_set_id, kept.attempts, kept.problem, kept.input_tokens) == ("set 1", 2, "", 200)
    job = accounts.jobs.get(job_id)
    assert job is not None
    assert (job.input_tokens, job.output_tokens, job.cost, job.counts) == (200, 20, 1.0, {"done": 2})


def test_what_a_dead_process_left_running_is_queued_again(accounts: Accounts) -> None:
    job_id = added(accounts, "a", "b")
    accounts.jobs.take(job_id, 2)
    assert accounts.jobs.next_job(WORKSPACE) is None
    assert accounts.jobs.waiting() == {WORKSPACE}
    assert len(accounts.jobs.queue_again(WORKSPACE)) == 2
    assert states(accounts, job_id) == {"a": "queued", "b": "queued"}


def test_cancelling_a_job_cancels_what_is_left_of_it_and_nothing_that_is_done(accounts: Accounts) -> None:
    job_id = added(accounts, "a", "b", "c")
    one, _ = accounts.jobs.take(job_id, 2)
    accounts.jobs.end([ItemEnd(one.id, "done")])
    accounts.jobs.set_state(job_id, "cancelled", was=["running", "paused"])
    assert states(accounts, job_id) == {"a": "done", "b": "running", "c": "cancelled"}
    accounts.jobs.queue_again(WORKSPACE)
    assert states(accounts, job_id) == {"a": "done", "b": "cancelled", "c": "cancelled"}
    assert accounts.jobs.waiting() == frozenset()


def test_a_job_ends_with_its_last_item_and_goes_on_after_a_retry_or_an_addition(accounts: Accounts) -> None:
    job_id = added(accounts, "a")
    (item,) = accounts.jobs.take(job_id, 1)
    accounts.jobs.finish(WORKSPACE)
    assert accounts.jobs.state(job_id) == "running"
    accounts.jobs.end([ItemEnd(item.id, "failed", problem="No.")])
    accounts.jobs.finish(WORKSPACE)
    assert accounts.jobs.state(job_id) == "done"
    assert accounts.jobs.retry(item.id)
    assert not accounts.jobs.retry(item.id)
    assert accounts.jobs.state(job_id) == "running"
    accounts.jobs.take(job_id, 1)
    accounts.jobs.end([ItemEnd(item.id, "done")])
    accounts.jobs.finish(WORKSPACE)
    accounts.jobs.extend(job_id, [NewItem("a", "", {})])
    assert accounts.jobs.state(job_id) == "done"
    accounts.jobs.extend(job_id, [NewItem("b", "", {})])
    assert accounts.jobs.state(job_id) == "running"


def test_an_item_waiting_for_review_can_change_until_it_is_decided(accounts: Accounts) -> None:
    job = added(accounts, "a")
    (item,) = accounts.jobs.take(job, 1)
    assert not accounts.jobs.revise(item.id, {"proposal": "early"}, was={})
    as_read = {"proposal": "as read", "share": 0.1, "name": "é"}
    accounts.jobs.end([ItemEnd(item.id, "review", as_read)])
    assert accounts.jobs.revise(item.id, {"proposal": "as ticked"}, was=as_read)
    assert not accounts.jobs.revise(item.id, {"proposal": "as somebody else ticked"}, was=as_read)
    (waiting,) = accounts.jobs.items(job)
    assert (waiting.state, waiting.result) == ("review", {"proposal": "as ticked"})
    accounts.jobs.end([ItemEnd(item.id, "done", {"added": 1})])
    assert not accounts.jobs.revise(item.id, {"proposal": "too late"}, was={"added": 1})
    assert accounts.jobs.items(job)[0].result == {"added": 1}


def test_what_is_running_in_review_or_done_cannot_be_cancelled_by_itself(accounts: Accounts) -> None:
    job_id = added(accounts, *"abcde")
    review, failed, done, running = accounts.jobs.take(job_id, 4)
    accounts.jobs.end([ItemEnd(review.id, "review"), ItemEnd(failed.id, "failed"), ItemEnd(done.id, "done")])
    assert all(accounts.jobs.cancel_item(id) for id in (failed.id, item_id(job_id, "e")))
    assert not any(accounts.jobs.cancel_item(one.id) for one in (review, done, running))
    assert states(accounts, job_id) == {"a": "review", "b": "cancelled", "c": "done", "d": "running", "e": "cancelled"}


def test_the_items_of_a_job_are_listed_by_state_and_from_one_on(accounts: Accounts) -> None:
    job_id = added(accounts, *"abcdef")
    first, _ = accounts.jobs.take(job_id, 2)
    (third,) = accounts.jobs.items(job_id, ["queued"], limit=1)
    assert [i.key for i in accounts.jobs.items(job_id, ["queued"], after=first, limit=2)] == ["c", "d"]
    assert [i.key for i in accounts.jobs.items(job_id, ["queued"], after=third, limit=2)] == ["d", "e"]


def test_items_cannot_be_added_to_a_job_that_is_no_more(accounts: Accounts) -> None:
    with pytest.raises(BadInput, match="This job does not exist"):
        accounts.jobs.extend(str(uuid.uuid4()), [NewItem("a", "", {})])


def test_the_queue_of_a_workspace_has_one_taker_beside_its_writer(accounts: Accounts) -> None:
    queue = accounts.jobs.queue
    with queue(WORKSPACE) as first, queue(WORKSPACE) as second, accounts.writer_lock(WORKSPACE) as take:
        assert take()
        assert first.take()
        assert not second.take()
    with accounts.jobs.queue(WORKSPACE) as third:
        assert third.take()


def test_a_file_is_kept_until_no_item_needs_it(accounts: Accounts) -> None:
    digest, job_id, later = accounts.uploads.put(b"\0a file"), str(uuid.uuid4()), clock.now() + timedelta(hours=1)
    new = [NewItem("file", "A file", {"upload": digest, "name": "a.pdf"})]
    accounts.jobs.add(WORKSPACE, "documents", "Files", new, options={}, job_id=job_id)
    assert accounts.uploads.put(b"\0a file") == digest
    assert accounts.uploads.forget(later) == 0
    (item,) = accounts.jobs.take(job_id, 1)
    accounts.jobs.end([ItemEnd(item.id, "failed")])
    assert accounts.uploads.forget(later) == 0
    assert accounts.uploads.get(digest) == b"\0a file"
    accounts.jobs.retry(item.id)
    accounts.jobs.end([ItemEnd(item.id, "done")])
    assert accounts.uploads.forget(clock.now() - timedelta(hours=1)) == 0
    assert accounts.uploads.forget(later) == 1
    with pytest.raises(BadInput, match="This file no longer exists in Asof"):
        accounts.uploads.get(digest)


def test_the_oldest_ended_jobs_are_forgotten_but_none_with_something_to_decide(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.accounts.jobs.KEPT", 1)
    made = [added(accounts, "a") for _ in range(5)]
    for job, state in zip(made, ("review", "failed"), strict=False):
        (item,) = accounts.jobs.take(job, 1)
        accounts.jobs.end([ItemEnd(item.id, state)])
    with accounts._database.transaction() as connection:
        connection.execute(update(job_table).values(state="done").where(job_table.c.id != made[4]))
    accounts.jobs.forget_old(WORKSPACE)
    assert [job.id for job in accounts.jobs.of(WORKSPACE, 10)] == [made[4], made[3], made[1], made[0]]


def test_another_graph_in_the_same_database_has_jobs_of_its_own(accounts: Accounts, url: str) -> None:
    job_id, digest = added(accounts, "a"), accounts.uploads.put(b"file")
    other = Accounts(url, "another graph")
    assert other.jobs.get(job_id) is None
    assert other.jobs.waiting() == frozenset()
    assert other.jobs.queue_again(WORKSPACE) == ()
    with pytest.raises(BadInput):
        other.uploads.get(digest)
    other.close()


def test_removing_a_workspace_removes_its_jobs(accounts: Accounts) -> None:
    job_id = added(accounts, "a")
    accounts.remove(WORKSPACE)
    assert accounts.jobs.get(job_id) is None
    assert accounts.jobs.items(job_id) == ()


def test_an_item_that_killed_several_processes_fails_but_not_one_put_back(
    accounts: Accounts,
) -> None:
    job_id = added(accounts, "deadly")
    for _ in range(3 * MOST_DEATHS):
        (item,) = accounts.jobs.take(job_id, 1)
        assert accounts.jobs.queue_again(WORKSPACE, [item.id]) == (item.id,)
    for _ in range(MOST_DEATHS):
        accounts.jobs.take(job_id, 1)
        assert accounts.jobs.queue_again(WORKSPACE)
    accounts.jobs.take(job_id, 1)
    assert accounts.jobs.queue_again(WORKSPACE) == ()
    (item,) = accounts.jobs.items(job_id)
    assert item.state == "failed"
    assert "crashed 6 times" in item.problem
