"""The order of a saga's episodes."""

from datetime import UTC, datetime

import pytest

from services.graph.groups import in_order

DAYS = {name: datetime(2024, 1, day, tzinfo=UTC) for day, name in enumerate("abcd", 1)}


@pytest.mark.parametrize(
    ("following", "order"),
    [
        ([], "abcd"),
        ([("d", "c"), ("c", "b"), ("b", "a")], "dcba"),
        ([("c", "a")], "bcad"),
        ([("a", "b"), ("a", "b"), ("x", "a")], "abcd"),
        ([("a", "a")], "abcd"),
        ([("a", "b"), ("b", "a")], "cdab"),
    ],
    ids=["by date", "a chain", "a part of a chain", "told twice, and of a stranger", "itself", "a round"],
)
def test_an_episode_comes_after_those_it_follows_else_by_date(following: list[tuple[str, str]], order: str) -> None:
    assert "".join(in_order(DAYS, following)) == order
