"""Where entities stand."""

import itertools

from components.graph_view.layout import place
from tests.components.graph_view.graphs import entity, fact, star


def test_every_entity_has_a_place_and_the_same_graph_the_same_places() -> None:
    entities, facts = star(30)
    places = place(entities, facts)
    assert places.keys() == {e.uuid for e in entities}
    assert place(entities, facts) == places


def test_placed_entities_stay_and_newcomers_settle_near_what_they_are_joined_to() -> None:
    entities, facts = star(12)
    old = place(entities, facts)
    more = [*entities, *(entity(f"new {n}") for n in range(4))]
    joined = [*facts, *(fact(f"n{n}", "entity 3", f"new {n}") for n in range(4))]
    places = place(more, joined, old)
    assert {uuid: places[uuid] for uuid in old} == old
    x, y = old["entity 3"]
    assert all(abs(places[f"new {n}"][0] - x) < 320 and abs(places[f"new {n}"][1] - y) < 320 for n in range(4))


def test_no_two_entities_stand_on_each_other() -> None:
    places = place(*star(60))
    for (ax, ay), (bx, by) in itertools.combinations(places.values(), 2):
        assert abs(ax - bx) > 20 or abs(ay - by) > 12


def test_an_empty_graph_and_one_without_facts_have_a_layout() -> None:
    assert place([], []) == {}
    assert place([entity("alone")], []).keys() == {"alone"}
    assert place([entity("a"), entity("b")], []).keys() == {"a", "b"}


def test_a_fact_to_itself_or_to_an_entity_that_is_not_shown_does_no_harm() -> None:
    assert place([entity("a")], [fact("f", "a", "a"), fact("g", "a", "elsewhere")]).keys() == {"a"}
