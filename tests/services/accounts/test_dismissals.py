"""What was dismissed is kept for its workspace and graph, and can be taken back."""

import uuid

from services.accounts.store import Accounts


def test_what_is_dismissed_is_kept_by_workspace_and_kind(accounts: Accounts) -> None:
    accounts.dismissals.add("team", "orphan", ["a", "b"], "me")
    accounts.dismissals.add("team", "orphan", ["a"])
    accounts.dismissals.add("other", "orphan", ["c"])
    kept = accounts.dismissals.of("team")
    assert {(one.kind, one.key, one.user_id) for one in kept} == {("orphan", "a", "me"), ("orphan", "b", "me")}


def test_what_was_dismissed_can_be_taken_back(accounts: Accounts) -> None:
    accounts.dismissals.add("team", "orphan", ["a", "b"])
    accounts.dismissals.add("team", "undated", ["a"])
    accounts.dismissals.take_back("team", "orphan", ["a"])
    assert {(one.kind, one.key) for one in accounts.dismissals.of("team")} == {("orphan", "b"), ("undated", "a")}


def test_a_key_of_any_length_is_kept_and_taken_back(accounts: Accounts) -> None:
    doubles = " ".join(str(uuid.uuid4()) for _ in range(500))
    accounts.dismissals.add("team", "same fact", [doubles, "half a character \ud800"])
    accounts.dismissals.add("team", "same fact", [doubles])
    kept = [one.key for one in accounts.dismissals.of("team")]
    assert sorted(kept) == sorted([doubles, "half a character ?"])
    accounts.dismissals.take_back("team", "same fact", kept)
    assert accounts.dismissals.of("team") == ()


def test_nothing_dismissed_is_nothing(accounts: Accounts) -> None:
    accounts.dismissals.add("team", "orphan", [])
    assert accounts.dismissals.of("team") == ()


def test_a_workspace_that_goes_takes_its_dismissals_along(accounts: Accounts) -> None:
    accounts.add("team", "Team")
    accounts.dismissals.add("team", "orphan", ["a"])
    accounts.remove("team")
    assert accounts.dismissals.of("team") == ()
