"""With the graph down the mirror answers, marked with its time; without a mirror a sentence does."""

import pytest

from services.core import clock
from services.tools import ingest_tools, job_tools, memory_tools
from services.tools.registry import TOOLS
from services.tools.tool import Context
from services.tools.toolbox import Toolbox
from tests.services.retrieval.conftest import W
from tests.services.tools.conftest import Ask

EVERY = {
    "search_knowledge": {"query": "brake test"},
    "get_document_context": {"document": "manual"},
    "get_change_history": {},
    "query_database": {"sql": "SELECT source, target FROM facts_as_of(:as_of) ORDER BY ALL"},
    "search_entities": {"query": "Ada"},
    "search_knowledge_graph": {"query": "works for", "entity_name": "Ada"},
    "get_entity_history": {"entity_name": "Ada"},
    "facts_at": {"entity": "Ada"},
    "compare_times": {"first": "2021", "second": "2023"},
    "find_path": {"source": "Ada", "target": "Cy"},
    "graph_search": {"query": "Ada"},
    "graph_inspect": {"entityName": "Ada"},
    "memory_search": {"query": "brake test"},
    "get_changes": {"since": "2021"},
    "omnii_graph_search_nodes": {"query": "Ada"},
    "omnii_graph_get_context": {"nodeId": "ada"},
    "omnii_graph_list_entities": {"nodeType": "Person"},
}


def test_every_tool_that_reads_the_graph_is_tried_here() -> None:
    of_others = (ingest_tools.__name__, job_tools.__name__, memory_tools.__name__)  # an agent's records have no mirror
    own = {name: tool for name, tool in TOOLS.items() if tool.toolset != "compute"}  # which runs others
    assert EVERY.keys() == {name for name, tool in own.items() if tool.run.__module__ not in of_others}


@pytest.mark.parametrize("name", EVERY)
def test_the_mirror_answers_the_same_marked_with_its_time(name: str, ask_own: Ask, filled, graph) -> None:
    whole = ask_own(name, **EVERY[name])
    graph.down = True
    status = filled.mirrors.sync(W)
    result = ask_own(name, **EVERY[name])
    assert result.document["mirror_of"] == clock.spell(status.synced_at)
    assert [item.text for item in result.items] == [item.text for item in whole.items]
    box = Toolbox(Context(filled.workspace(W)), TOOLS.values())
    synced = clock.spell(status.synced_at)
    mark = f"(The graph database is not responding. These results are from its mirror, synced {synced}.)"
    assert box.for_model(box.call(name, EVERY[name])).startswith(mark)


def test_an_empty_answer_of_the_mirror_is_marked_too(ask_own: Ask, graph) -> None:
    graph.down = True
    message = ask_own("get_entity_history", entity_name="Nobody").message
    assert message.startswith("No history found for entity 'Nobody'.\n(The graph database is not responding.")


@pytest.mark.parametrize("name", EVERY)
def test_without_a_mirror_the_fallback_line_is_all_there_is(name: str, services, graph) -> None:
    graph.down = True
    result = TOOLS[name](Context(services.workspace(W)), EVERY[name])
    assert result.document["unavailable"] is True
    assert (result.items, result.total) == ((), 0)
    assert "currently unavailable" in result.message


def test_the_fallback_lines_are_the_agreed_ones(services, graph) -> None:
    graph.down = True
    context = Context(services.workspace(W))
    search = TOOLS["search_knowledge_graph"](context, EVERY["search_knowledge_graph"])
    assert search.message == "Graph database is currently unavailable. Try search_knowledge instead."
    history = TOOLS["get_entity_history"](context, EVERY["get_entity_history"])
    assert history.message == "Graph database is currently unavailable."
