"""The graph as such: its best-connected part, and neighbourhoods."""

from services.mirror.mirror import Mirror
from tests.services.mirror.small_history import OTHER, UNDATED, history, year

__all__ = ["history"]


def test_an_overview_is_the_best_connected_part_and_says_of_how_many(history: Mirror) -> None:
    part = history.overview(year(2020), limit=3)
    assert [e.uuid for e in part.entities] == ["p1", "bob", "p2"]
    assert [f.uuid for f in part.facts] == ["undated"]
    assert (part.total_entities, part.total_facts) == (7, 5)


def test_a_neighbourhood_is_nearest_first_then_busiest(history: Mirror) -> None:
    near = history.neighbourhood("p1", year(2020), hops=1, limit=10)
    assert [e.uuid for e in near.entities] == ["p1", "ann", "draft", "final"]
    assert {f.uuid for f in near.facts} == {"was draft", "is final", "right"}
    far = history.neighbourhood("p1", year(2020), hops=3, limit=2)
    assert [e.uuid for e in far.entities] == ["p1", "ann"]
    assert (far.total_entities, far.total_facts) == (6, 5)
    then = history.neighbourhood("p1", year(2004), hops=1, limit=10)
    assert {e.uuid for e in then.entities} == {"p1", "draft", "bob"}
    assert history.between(["p2", "ann", "bob"], year(2020)) == (UNDATED, OTHER)
