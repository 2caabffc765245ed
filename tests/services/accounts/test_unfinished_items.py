"""What failed or waits for review: listed once for each document, and counted whatever the list holds."""

import uuid
from collections.abc import Mapping

from services.accounts.store import Accounts
from services.core.job_records import ItemEnd, ItemState, NewItem

W = "team"


def done(accounts: Accounts, ends: Mapping[str, ItemState], workspace: str = W) -> str:
    """A job whose items ended so, by key."""
    job_id = str(uuid.uuid4())
    new = [NewItem(key, f"Text {key}", {}) for key in ends]
    accounts.jobs.add(workspace, "documents", "Texts", new, options={}, job_id=job_id)
    accounts.jobs.end([ItemEnd(item.id, ends[item.key]) for item in accounts.jobs.take(job_id, len(new))])  # type: ignore[arg-type]
    return job_id


def listed(accounts: Accounts, limit: int = 100) -> list[tuple[str, str]]:
    return [(one.document_id, one.state) for one in accounts.unfinished.listed(W, limit)]


def test_a_document_is_listed_once_as_its_newest_job_left_it(accounts: Accounts) -> None:
    done(accounts, {"a": "review", "b": "failed"})
    done(accounts, {"b": "review", "c": "failed"})
    done(accounts, {"d": "failed"}, workspace="other")
    assert listed(accounts) == [("b", "in review"), ("c", "failed"), ("a", "in review")]


def test_what_a_later_job_took_in_takes_no_place_of_what_failed(accounts: Accounts) -> None:
    done(accounts, {"lost": "failed"})
    done(accounts, {"a": "failed", "b": "failed"})
    done(accounts, {"a": "done", "b": "done"})
    assert listed(accounts, limit=1) == [("lost", "failed")]


def test_the_count_is_of_all_and_not_of_those_listed(accounts: Accounts) -> None:
    done(accounts, {"a": "review", "b": "failed", "c": "review", "d": "failed"})
    done(accounts, {"a": "failed", "d": "done"})
    assert len(listed(accounts, limit=2)) == 2
    assert accounts.unfinished.count(W) == 3


def test_what_waits_for_review_is_not_hidden_by_what_failed(accounts: Accounts) -> None:
    done(accounts, {"a": "review", "b": "review"})
    done(accounts, {"a": "failed", "c": "failed"})
    waiting = accounts.unfinished.listed(W, 2, "in review")
    assert [one.document_id for one in waiting] == ["a", "b"]
    assert accounts.unfinished.count(W, "in review") == 2
