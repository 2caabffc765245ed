"""The tools of `omnii`: names, inputs, bounds and answers as their clients know them."""

import json
from typing import Any

import pytest

from services.core.models import Entity
from services.tools.omnii_tools import TOOL_DEFINITIONS, TOOL_HANDLERS, as_text, get_tool_handler, is_valid_tool
from services.tools.tool import Context
from tests.services.retrieval.conftest import W, write
from tests.services.tools.conftest import day, fact


def answered(services, name: str, given: Any, **clocks: Any) -> tuple[dict[str, Any], bool]:
    handler = get_tool_handler(name)
    assert handler is not None
    found = handler(Context(services.workspace(W), **clocks), given)
    (content,) = found["content"]
    assert content["type"] == "text"
    return json.loads(content["text"]), found.get("isError", False)


def test_definitions_and_handlers_are_of_the_same_three_tools() -> None:
    names = [one["name"] for one in TOOL_DEFINITIONS]
    assert names == list(TOOL_HANDLERS)
    assert names == ["omnii_graph_search_nodes", "omnii_graph_get_context", "omnii_graph_list_entities"]
    assert all(map(is_valid_tool, names))
    assert not is_valid_tool("facts_at")
    assert get_tool_handler("facts_at") is None


def test_a_search_gives_ids_names_types_and_scores_of_three_decimals(filled) -> None:
    found, failed = answered(filled, "omnii_graph_search_nodes", {"query": "Ada", "unknown": 1})
    assert not failed
    assert found["resultCount"] == len(found["results"]) > 0
    first = found["results"][0]
    assert (first["id"], first["name"], first["type"]) == ("ada", "Ada", "Person")
    assert len(first["score"].partition(".")[2]) == 3
    assert first["properties"]["summary"] == "Ada is a Person."
    assert as_text({"results": [{"score": 0.7}]}) == {"results": [{"score": "0.700"}]}


def test_types_narrow_a_search_and_entity_stands_for_all(filled) -> None:
    def types(**given: Any) -> set[str]:
        found, _ = answered(filled, "omnii_graph_search_nodes", {"query": "Ada is a Person", "minScore": 0, **given})
        return {one["type"] for one in found["results"]}

    assert types() == types(nodeTypes=["Entity"]) == {"Person", "Company", "Wish"}
    assert types(nodeTypes=["Person"]) == {"Person"}
    assert types(nodeTypes=["Concept"]) == set()


def test_the_context_of_a_node_has_at_most_twenty_related_with_direction(filled) -> None:
    found, _ = answered(filled, "omnii_graph_get_context", {"nodeId": "ada"}, as_of=day("2021-06-01"))
    assert found["node"]["name"] == "Ada"
    related = {(one["name"], one["relation"], one["direction"]) for one in found["related"]}
    assert related >= {("Engines", "WORKS_FOR", "outgoing"), ("Bob", "KNOWS", "outgoing")}
    write(filled, *(Entity(f"n{n}", f"N{n}") for n in range(30)))
    write(filled, *(fact(f"x{n}", f"N{n}", "KNOWS", "Ada", "2021-01-01") for n in range(30)))
    found, _ = answered(filled, "omnii_graph_get_context", {"nodeId": "ada"})
    assert (found["relatedCount"], len(found["related"])) == (20, 20)
    assert found["relatedTotal"] > 30
    assert any(one["direction"] == "incoming" for one in found["related"])
    found, _ = answered(filled, "omnii_graph_get_context", {"nodeId": "ada", "includeRelated": False})
    assert (found["relatedCount"], found["related"]) == (0, [])


def test_depth_reaches_nodes_behind_the_next_ones(filled) -> None:
    def names(depth: int) -> set[str]:
        found, _ = answered(filled, "omnii_graph_get_context", {"nodeId": "ada", "maxDepth": depth})
        return {one["name"] for one in found["related"]}

    assert "Cy" not in names(1)
    assert "Cy" in names(2)


def test_entities_are_listed_newest_first_with_the_real_total(filled) -> None:
    write(filled, *(Entity(f"e{n}", f"E{n}", ("Event",), created_at=day(f"2021-01-{n + 1:02}")) for n in range(9)))
    found, _ = answered(filled, "omnii_graph_list_entities", {"nodeType": "Event", "limit": 4, "offset": 2})
    assert (found["total"], found["returned"], found["offset"]) == (9, 4, 2)
    assert [one["name"] for one in found["nodes"]] == ["E6", "E5", "E4", "E3"]
    found, _ = answered(filled, "omnii_graph_list_entities", {"nodeType": "Event"}, known_at=day("2021-01-03"))
    assert found["total"] == 3
    assert answered(filled, "omnii_graph_list_entities", {"nodeType": "Concept"})[0]["total"] == 0


@pytest.mark.parametrize(
    ("name", "given", "problem"),
    [
        ("omnii_graph_search_nodes", {}, "query: "),
        ("omnii_graph_search_nodes", {"query": ""}, "query: "),
        ("omnii_graph_search_nodes", {"query": "x" * 501}, "query: "),
        ("omnii_graph_search_nodes", {"query": "x", "limit": 51}, "limit: "),
        ("omnii_graph_search_nodes", {"query": "x", "limit": 1.5}, "limit: "),
        ("omnii_graph_search_nodes", {"query": "x", "limit": "5"}, "limit: "),
        ("omnii_graph_search_nodes", {"query": "x", "minScore": 1.1}, "minScore: "),
        ("omnii_graph_search_nodes", {"query": "x", "nodeTypes": ["Magic"]}, "nodeTypes: there is no type “Magic”."),
        ("omnii_graph_get_context", {"nodeId": "nobody"}, "Node not found: nobody"),
        ("omnii_graph_get_context", {"nodeId": "ada", "maxDepth": 4}, "maxDepth: "),
        ("omnii_graph_get_context", {"nodeId": "ada", "includeRelated": "yes"}, "includeRelated: "),
        ("omnii_graph_list_entities", {}, "nodeType: "),
        ("omnii_graph_list_entities", {"nodeType": "Magic"}, "nodeType: there is no type “Magic”. Available: Entity, "),
        ("omnii_graph_list_entities", {"nodeType": "Person", "limit": 101}, "limit: "),
        ("omnii_graph_list_entities", {"nodeType": "Person", "offset": -1}, "offset: "),
        ("omnii_graph_list_entities", "nothing", "arguments: "),
    ],
    ids=str,
)
def test_what_cannot_be_answered_is_an_error_beside_the_flag(filled, name: str, given: Any, problem: str) -> None:
    found, failed = answered(filled, name, given)
    assert failed
    assert found["error"].startswith(problem)
