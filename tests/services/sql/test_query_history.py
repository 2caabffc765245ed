"""The queries that a user ran are kept for him, as many as are useful, and go with their workspace."""

from datetime import UTC, datetime

from services.context import OpenWorkspace
from services.sql.query_history import PastQuery, keep_past_query, past_queries
from services.sql.warehouse import warehouse


def ran(number: int) -> PastQuery:
    return PastQuery(
        sql=f"SELECT {number}",
        database=None,
        begun_at=datetime(2026, 1, 1, tzinfo=UTC),
        seconds=0.1,
        end="rows",
        rows=1,
    )


def test_the_last_ones_are_kept_newest_first_for_each_user(workspace: OpenWorkspace) -> None:
    for number in range(203):
        keep_past_query(workspace, "ada", ran(number))
    kept = [one.sql for one in past_queries(workspace, "ada")]
    assert (len(kept), kept[0], kept[-1]) == (200, "SELECT 202", "SELECT 3")
    assert past_queries(workspace, "bob") == ()


def test_they_go_with_their_workspace_and_no_other(workspace: OpenWorkspace) -> None:
    other = workspace.services.workspace("other")
    keep_past_query(workspace, "ada", ran(1))
    keep_past_query(other, "ada", ran(2))
    warehouse(workspace).remove_all(workspace.name)
    assert past_queries(workspace, "ada") == ()
    assert len(past_queries(other, "ada")) == 1
