"""What came into the graph later is in no message, no count and no prompt of an answer from what was known then."""

import pytest

from services.agent.app import App
from services.core.models import Entity
from services.tools.prompt import system_prompt
from services.tools.registry import TOOLS
from services.tools.tool import Context
from tests.services.retrieval.conftest import W, write
from tests.services.tools.conftest import Ask, day, fact

THEN = "2022-08-01"


@pytest.fixture
def grown(filled: App) -> App:
    """A life into which a ship came later, with a relation of its own."""
    write(
        filled,
        Entity("adalina", "Adalina", ("Ship",), created_at=day("2023-01-01")),
        fact("s1", "Ada", "SAILS", "Adalina", "2031-01-01", created_at=day("2023-01-01")),
    )
    return filled


@pytest.mark.parametrize(
    ("tool", "given", "later"),
    [
        ("facts_at", {"entity": "Adalin"}, "Adalina"),
        ("facts_at", {"entity": "Adalina"}, "Similar names"),
        ("facts_at", {"relation": "OWNS"}, "SAILS"),
        ("facts_at", {"relation": "SAILS"}, "No fact"),
        ("search_knowledge_graph", {"query": "sea", "relationship_type": "OWNS"}, "SAILS"),
        ("find_path", {"source": "Ada", "target": "Adalin"}, "Adalina"),
        ("graph_inspect", {"entityName": "Adalin"}, "Adalina"),
        ("search_entities", {"query": "sea", "entity_type": "Boat"}, "Ship"),
        ("search_entities", {"query": "sea", "entity_type": "Ship"}, "Adalina"),
        ("graph_search", {"query": "sea", "entityType": "Boat"}, "Ship"),
    ],
)
def test_messages_name_nothing_that_was_not_known(
    ask_own: Ask, grown: App, tool: str, given: dict[str, str], later: str
) -> None:
    then = ask_own(tool, known_at=THEN, **given).message
    assert later not in then
    assert then != ask_own(tool, **given).message


def test_the_prompt_tells_what_was_known(grown: App) -> None:
    now, then = (
        system_prompt(TOOLS.values(), Context(grown.workspace(W), known_at=known_at)).text
        for known_at in (None, day(THEN))
    )
    for later in ("SAILS", "Ship", "2031-01-01", "7 entities, 7 facts"):
        assert later in now
        assert later not in then
    assert "6 entities, 5 facts" in then
    assert "Dates from 2019-03-01 to 2022-07-01" in then


def test_a_graph_searchs_numbers_are_of_what_was_known(ask_own: Ask, grown: App) -> None:
    grown.indexes.prepare(W)
    then = ask_own("graph_search", known_at=THEN, query="Ada", maxResults=1).document["stats"]
    assert then == {"totalEntities": 6, "totalRelationships": 5}
    now = ask_own("graph_search", query="Ada", maxResults=1).document["stats"]
    assert now == {"totalEntities": 7, "totalRelationships": 6}
