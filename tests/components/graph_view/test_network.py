"""What the picture knows of entities and facts."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from components.graph_view.network import milliseconds, network_of
from components.palette import palette
from services.core import clock
from services.core.models import Entity, Fact
from tests.components.graph_view.graphs import LATER, START, entity, fact

LOOKS = palette(["PEP", "Status"])
ENTITIES = [entity("PEP 8"), entity("Active", "Status")]


def drawn(facts: list[Fact], entities: list[Entity] = ENTITIES, **more: Any) -> dict[str, Any]:
    places = {e.uuid: (10.0, 20.0) for e in entities}
    return network_of(entities, facts, places, LOOKS, **{"known_at": clock.now(), "begun": {}, **more})


def test_an_entity_has_its_types_mark_its_place_and_when_it_begins() -> None:
    node = drawn([], begun={"Active": START})["nodes"][1]
    assert (node["label"], node["shape"], node["x"], node["y"]) == ("Active", LOOKS["Status"].shape, 10.0, 20.0)
    assert node["since"] == milliseconds(START)


def test_a_fact_carries_its_start_and_its_end_as_known() -> None:
    ended = fact("f", "PEP 8", "Active", invalid_at=LATER, expired_at=LATER, created_at=START)
    edge = drawn([ended])["edges"][0]
    assert (edge["start"], edge["end"]) == (milliseconds(START), milliseconds(LATER))
    assert edge["words"] == "has status"
    assert drawn([ended], known_at=LATER - timedelta(days=1))["edges"][0]["end"] is None


def test_an_undated_fact_has_no_start() -> None:
    assert drawn([fact("f", "PEP 8", "Active", valid_at=None)])["edges"][0]["start"] is None


def test_every_fact_between_two_entities_is_drawn_and_bends_its_own_way() -> None:
    there_and_back = [fact(f"f{n}", "PEP 8", "Active") for n in range(3)] + [fact("back", "Active", "PEP 8")]
    edges = drawn(there_and_back)["edges"]
    assert len(edges) == 4

    def side(edge: dict[str, Any]) -> tuple[bool, float]:
        clockwise = edge["smooth"]["type"] == "curvedCW"
        return clockwise == (edge["from"] < edge["to"]), edge["smooth"]["roundness"]

    assert len({side(edge) for edge in edges}) == 4


def test_a_single_fact_is_a_straight_line() -> None:
    assert "smooth" not in drawn([fact("f", "PEP 8", "Active")])["edges"][0]


def test_a_fact_to_an_entity_that_is_not_shown_is_left_out() -> None:
    assert drawn([fact("f", "PEP 8", "elsewhere")])["edges"] == []


def test_a_size_grows_with_the_degree_up_to_a_limit() -> None:
    few = drawn([fact("f", "PEP 8", "Active")])["nodes"][0]["size"]
    many = drawn([fact(f"f{n}", "PEP 8", "Active") for n in range(90)])["nodes"][0]["size"]
    assert few < many <= 19


def test_a_comparison_of_record_instants_draws_both_and_says_what_was_given_up() -> None:
    wrong = fact("wrong", "PEP 8", "Active", created_at=START, withdrawn_at=LATER)
    right = replace(wrong, uuid="right", created_at=LATER, withdrawn_at=None)
    earlier: tuple[datetime, list[Fact]] = (LATER - timedelta(days=1), [wrong])
    edges = {edge["id"]: edge for edge in drawn([right], earlier=earlier)["edges"]}
    assert edges["wrong"]["gone"] is True
    assert edges["wrong"]["before"] == {"start": milliseconds(START), "end": None}
    assert (edges["right"]["gone"], edges["right"]["before"]) == (False, None)


def test_names_are_data_and_never_markup() -> None:
    odd = Entity("x", '<img src=x onerror="alert(1)"> {} \\ ń', ("PEP",))
    assert drawn([], [odd])["nodes"][0]["label"] == odd.name
    assert "title" not in drawn([], [odd])["nodes"][0]
