"""What the tools for facts find, and at which instants."""

from dataclasses import replace

import pytest

from services.agent.app import App
from services.core.errors import BadInput
from services.tools.tool import ToolResult
from tests.services.retrieval.conftest import W, write
from tests.services.tools.conftest import Ask, fact


def uuids(result: ToolResult) -> list[str]:
    return [item.fact.uuid for item in result.items if item.fact]


def test_facts_at_lists_what_holds_now_newest_first_and_the_undated_apart(ask: Ask) -> None:
    result = ask("facts_at", entity="Ada")
    assert [one["uuid"] for one in result.document["facts"]] == ["f2", "f3"]
    assert [one["uuid"] for one in result.document["undated"]] == ["f5"]
    assert (result.total, result.summary, uuids(result)) == (2, "2 facts, 1 undated", ["f2", "f3", "f5"])
    assert "undated" in result.items[-1].text


def test_facts_at_finds_an_entity_on_either_side_and_by_target_only_as_target(ask: Ask) -> None:
    assert uuids(ask("facts_at", entity="Labs")) == ["f2", "f4"]
    assert uuids(ask("facts_at", target="Labs", relation="WORKS_FOR")) == ["f2", "f4"]
    assert uuids(ask("facts_at", target="Ada")) == []


def test_a_relation_alone_is_asked_of_the_whole_graph_with_its_undated_facts(ask: Ask) -> None:
    assert uuids(ask("facts_at", relation="works_for")) == ["f2", "f4"]
    wishes = ask("facts_at", relation="WANTS_TO")
    assert (wishes.total, uuids(wishes)) == (0, ["f5"])


def test_facts_at_keeps_to_the_clocks_of_the_answer(ask: Ask) -> None:
    assert uuids(ask("facts_at", as_of="2021-06-01", entity="Ada", relation="WORKS_FOR")) == ["f1"]
    assert uuids(ask("facts_at", as_of="2019-06-01", known_at="2020-01-01", entity="Ada")) == ["f6", "f1", "f5"]
    before_the_end_was_known = ask("facts_at", as_of="2023-01-01", known_at="2022-01-01", entity="Ada")
    assert [one["uuid"] for one in before_the_end_was_known.document["facts"]] == ["f3", "f1"]
    known = next(item.fact for item in before_the_end_was_known.items if item.fact and item.fact.uuid == "f1")
    assert (known.invalid_at, known.expired_at, known.ended_by) == (None, None, None)


def test_names_match_in_any_case_where_none_is_written_exactly_so(ask: Ask) -> None:
    assert uuids(ask("facts_at", entity="ada", relation="works_for", target="LABS")) == ["f2"]


def test_facts_at_without_any_input_is_refused_by_the_name_of_the_field(ask: Ask) -> None:
    with pytest.raises(BadInput, match=r"^entity: give an entity, a relation or a target"):
        ask("facts_at")
    with pytest.raises(BadInput, match=r"^entity: "):
        ask("facts_at", entity="")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"entity": "Adam"}, "No entity in the graph matches “Adam”"),
        ({"entity": "Ad"}, "Similar names: Ada"),
        ({"entity": "Ada", "relation": "OWNS"}, "no fact OWNS. Its relations are: "),
        ({"relation": "OWNS"}, "no relation “OWNS”. Available: "),
    ],
)
def test_what_is_not_known_is_an_empty_answer_that_helps(ask: Ask, given: dict[str, str], said: str) -> None:
    result = ask("facts_at", **given)
    assert (result.items, result.total, result.document["facts"]) == ((), 0, [])
    assert said in result.message


def test_a_history_is_every_record_with_its_status_latest_record_first(ask: Ask) -> None:
    result = ask("get_entity_history", entity_name="Ada")
    assert uuids(result) == ["f2", "f3", "f5", "f1"]
    assert result.items[0].text == "- [2022-07-01] Ada works for Labs (current)"
    assert result.items[3].text == "- [2019-03-01] Ada works for Engines (superseded 2022-07-01)"
    assert [one["status"] for one in result.document["facts"]][-1] == "superseded 2022-07-01"


def test_a_history_as_of_a_date_ends_there_and_keeps_the_undated(ask: Ask) -> None:
    result = ask("get_entity_history", as_of="2021-01-01", entity_name="Ada")
    assert uuids(result) == ["f3", "f5", "f1"]
    assert result.items[2].text.endswith("(current)")


def test_a_history_can_begin_at_a_record_date_or_be_a_snapshot(ask: Ask) -> None:
    assert uuids(ask("get_entity_history", entity_name="Ada", since="2020-01-01")) == ["f2", "f3", "f5"]
    assert uuids(ask("get_entity_history", entity_name="Ada", reference_time="2019-06-01")) == ["f1"]
    with pytest.raises(BadInput, match=r"^since: “soon” is not a valid date"):
        ask("get_entity_history", entity_name="Ada", since="soon")


def test_a_history_of_nobody_says_so_in_the_agreed_words(ask: Ask) -> None:
    assert ask("get_entity_history", entity_name="Nobody").message == "No history found for entity 'Nobody'."


def test_a_search_of_the_graph_gives_lines_with_relation_and_span(ask: Ask) -> None:
    result = ask("search_knowledge_graph", query="Ada works for Labs")
    line = "- Ada works for Labs (relationship: WORKS_FOR, valid: 2022-07-01, invalidated: current)"
    assert result.items[0].text == line
    assert "f6" not in uuids(result), "a withdrawn record is no answer"
    labels = {one["uuid"]: one["label"] for one in result.document["facts"]}
    assert labels == labels | {"f1": "ended", "f2": "holds", "f5": "undated"}


def test_a_search_as_of_a_date_gives_only_what_holds_then(ask: Ask) -> None:
    assert set(uuids(ask("search_knowledge_graph", as_of="2021-06-01", query="works for"))) == {"f1", "f3", "f4"}


def test_filters_of_a_search_come_before_its_limit(ask_own: Ask, filled) -> None:
    write(filled, *(fact(f"many{n}", "Bob", "KNOWS", "Cy", "2020-01-01") for n in range(40)))
    write(filled, fact("other", "Bob", "LIKES", "Fly", "2020-01-01"))
    filled.indexes.prepare(W)
    assert uuids(ask_own("search_knowledge_graph", query="Bob knows Cy", relationship_type="likes")) == ["other"]
    of_ada = ask_own("search_knowledge_graph", query="Bob knows Cy", entity_name="ada")
    assert (set(uuids(of_ada)), of_ada.total) == ({"f1", "f2", "f3", "f5"}, 4)
    assert len(ask_own("search_knowledge_graph", query="Bob knows Cy").items) == 20


def test_a_search_that_finds_nothing_says_so_in_the_agreed_words(ask: Ask) -> None:
    message = "No relationships found for 'Nobody' in the knowledge graph. Searching documents may help."
    assert ask("search_knowledge_graph", query="work", entity_name="Nobody").message == message


def test_what_ended_some_time_in_the_year_of_the_answer_is_listed_apart(ask_own: Ask, filled: App) -> None:
    over = fact("f9", "Ada", "LED", "Labs", "1974-01-01", "1979-01-01", expired_at=None)
    write(filled, replace(over, valid_at_precision="year", invalid_at_precision="year"))
    for given in ({"entity": "Ada"}, {"relation": "LED"}):
        within = ask_own("facts_at", as_of="1979-05-01", **given)
        assert within.total == 0
        assert [one["uuid"] for one in within.document["may_have_ended"]] == ["f9"]
        assert "valid: 1974, invalidated: 1979) (ended sometime in 1979)" in within.items[-1].text
        assert "may_have_ended" not in ask_own("facts_at", as_of="1980-05-01", **given).document
    begun = ask_own("facts_at", as_of="1974-05-01", entity="Ada", relation="LED")
    assert begun.items[0].text.endswith("(sometime in 1974)")
