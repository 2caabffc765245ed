"""Queries are saved by name in their workspace; what was verified stays so only while it is the same."""

import pytest

from services.accounts.store import Accounts
from services.core.errors import BadInput


def test_a_query_is_kept_under_its_name_in_its_workspace(accounts: Accounts) -> None:
    saved = accounts.saved_queries.save("team", " Daily  sales ", "SELECT 1", question="How many?", user_id="me")
    accounts.saved_queries.save("other", "Daily sales", "SELECT 2", database="shop")
    assert accounts.saved_queries.of("team") == (saved,)
    assert (saved.name, saved.user_id, saved.is_verified) == ("Daily sales", "me", False)
    assert [(one.sql, one.database) for one in accounts.saved_queries.of("other")] == [("SELECT 2", "shop")]


def test_a_verified_query_that_is_changed_has_to_be_verified_again(accounts: Accounts) -> None:
    accounts.saved_queries.save("team", "sales", "SELECT 1", question="How many?", user_id="me")
    accounts.saved_queries.verify("team", "sales")
    assert [one.name for one in accounts.saved_queries.of("team", only_verified=True)] == ["sales"]
    described = accounts.saved_queries.save("team", "sales", "SELECT 1", question="How many?", description="All.")
    assert (described.is_verified, described.user_id) == (True, "me")
    assert not accounts.saved_queries.save("team", "sales", "SELECT 2", question="How many?").is_verified
    assert accounts.saved_queries.of("team", only_verified=True) == ()


def test_a_query_that_is_not_there_cannot_be_verified(accounts: Accounts) -> None:
    with pytest.raises(BadInput, match="no saved query “sales”"):
        accounts.saved_queries.verify("team", "sales")


@pytest.mark.parametrize(("name", "sql"), [(" ", "SELECT 1"), ("x" * 201, "SELECT 1"), ("sales", " \n")])
def test_a_query_needs_a_name_and_sql(accounts: Accounts, name: str, sql: str) -> None:
    with pytest.raises(BadInput):
        accounts.saved_queries.save("team", name, sql)


def test_queries_are_deleted_by_name_and_with_their_workspace(accounts: Accounts) -> None:
    for name in ("a", "b", "c"):
        accounts.saved_queries.save("team", name, "SELECT 1")
    accounts.saved_queries.delete("team", ["a", "b"])
    assert [one.name for one in accounts.saved_queries.of("team")] == ["c"]
    accounts.remove("team")
    assert accounts.saved_queries.of("team") == ()
