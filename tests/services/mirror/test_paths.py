"""The shortest chains of facts, and which values they go around."""

import pytest

from services.core.models import CommonValue, Entity, Fact
from services.mirror.mirror import Mirror
from tests.services.mirror.small_history import NOW, history, year

__all__ = ["history"]


def test_a_shortest_path_walks_true_facts_in_either_direction(history: Mirror) -> None:
    path = history.shortest_path("final", "p2", NOW)
    assert path is not None
    assert [e.uuid for e in path.entities] == ["final", "p1", "ann", "p2"]
    assert [f.uuid for f in path.facts] == ["is final", "right", "other"]
    assert history.shortest_path("final", "p2", NOW, max_hops=2) is None
    assert history.shortest_path("draft", "p1", NOW) is None
    assert history.shortest_path("p1", "nobody", NOW) is None
    assert history.shortest_path("p1", "p1", NOW) is None


def test_a_path_walks_undated_facts_and_counts_them(history: Mirror) -> None:
    path = history.shortest_path("p2", "bob", NOW)
    assert path is not None
    assert [f.uuid for f in path.facts] == ["undated"]
    assert path.undated == 1


def test_the_surest_of_many_paths_is_found_when_one_is_asked_for(mirror: Mirror) -> None:
    ways = [f"way {number:02}" for number in range(60)]
    sure = ways[37]
    facts = [
        Fact(f"{name} {side}", name, other, name, "NEAR", other, "", valid_at=year(2001) if name == sure else None)
        for name in ways
        for side, other in (("from", "here"), ("to", "there"))
    ]
    mirror.replace_all([[Entity(name, name) for name in ("here", "there", *ways)]], [facts], [])
    path = mirror.shortest_path("here", "there", NOW)
    assert path is not None
    assert path.entities[1].uuid == sure
    assert path.undated == 0
    assert path.as_short == len(ways) - 1


def proposal(number: int, relation: str, target: str) -> Fact:
    name = f"P{number}"
    return Fact(f"{name}{relation}", name, target, name, relation, target, "", valid_at=year(2001))


@pytest.fixture
def statuses(mirror: Mirror) -> Mirror:
    """Thirty proposals, nearly all with one status; people join the first three of them."""
    numbers = range(30)
    names = [f"P{n}" for n in numbers] + ["Done", "Rare", "Ann", "Ben"]
    facts = [proposal(n, "STATUS", "Rare" if n == 29 else "Done") for n in numbers]
    facts += [
        proposal(0, "BY", "Ann"),
        proposal(1, "BY", "Ann"),
        proposal(1, "WITH", "Ben"),
        proposal(2, "WITH", "Ben"),
    ]
    mirror.replace_all([[Entity(name, name) for name in names]], [facts], [])
    return mirror


def test_values_of_a_relation_are_common_where_most_hang_on_one_of_them(statuses: Mirror) -> None:
    assert statuses.common_values() == (CommonValue("Done", "STATUS"), CommonValue("Rare", "STATUS"))


def test_a_path_goes_around_what_most_share_where_that_is_at_most_two_facts_longer(statuses: Mirror) -> None:
    around = statuses.shortest_path("P0", "P2", NOW)
    assert around is not None
    assert [e.uuid for e in around.entities] == ["P0", "Ann", "P1", "Ben", "P2"]
    through = statuses.shortest_path("P0", "P2", NOW, max_hops=3)
    assert through is not None
    assert [e.uuid for e in through.entities] == ["P0", "Done", "P2"]
    ended_there = statuses.shortest_path("P0", "Done", NOW)
    assert ended_there is not None
    assert len(ended_there.facts) == 1


def test_a_neighbourhood_goes_no_further_from_what_is_closed(statuses: Mirror) -> None:
    open_to_all = statuses.neighbourhood("P0", year(2020), hops=2, limit=50)
    around = statuses.neighbourhood("P0", year(2020), hops=2, limit=50, closed=("Done",))
    assert open_to_all.total_entities == 31
    assert {e.uuid for e in around.entities} == {"P0", "Done", "Ann", "P1"}
    itself = statuses.neighbourhood("Done", year(2020), hops=1, limit=50, closed=("Done",))
    assert itself.total_entities == 30
