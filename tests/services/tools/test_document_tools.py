"""What the tools for documents and entities find."""

import json
from dataclasses import replace

import pytest

from services.core.errors import BadInput
from services.core.models import GraphWrite
from services.documents.versions import NewDocument
from services.tools.tool import ToolResult
from tests.services.retrieval.conftest import ingest
from tests.services.tools.conftest import MANUAL, Ask


def test_a_search_gives_passages_with_document_section_lines_and_score(ask: Ask) -> None:
    result = ask("search_knowledge", query="brake test in the morning", limit=1)
    (row,) = result.document["results"]
    assert (row["document_id"], row["title"], row["start_line"]) == ("manual", "Safety manual", 7)
    assert row["section"].endswith("Brakes")
    assert 0 < row["score"] <= 1
    (item,) = result.items
    assert item.chunk is not None
    assert item.document is not None
    assert "The brake test is done every morning" in item.text


def test_a_search_can_keep_to_one_document_by_id_or_title(ask: Ask) -> None:
    for name in ("fleet", "the FLEET"):
        result = ask("search_knowledge", query="brake test", document=name)
        assert {row["document_id"] for row in result.document["results"]} == {"fleet"}
    missing = ask("search_knowledge", query="brake test", document="man")
    assert missing.message == "There is no document “man”. Available: Safety manual."


def test_a_search_keeps_to_its_bounds_and_to_what_was_known(ask: Ask) -> None:
    with pytest.raises(BadInput, match=r"^limit: "):
        ask("search_knowledge", query="brakes", limit=21)
    assert ask("search_knowledge", known_at="2020-01-01", query="brakes").items == ()


def test_a_document_is_given_with_its_text_sections_and_versions(ask: Ask) -> None:
    result = ask("get_document_context", document="Safety manual")
    assert result.document["text"].startswith("# Safety manual")
    assert [one["name"] for one in result.document["sections"]] == ["Safety manual", "Brakes", "Doors"]
    assert [one["shown"] for one in result.document["versions"]] == [True]
    assert all(item.chunk for item in result.items)
    assert result.heading == "Safety manual (manual): 11 lines, 1 version. Sections: Safety manual, Brakes, Doors."


def test_a_document_can_be_read_by_section_or_by_lines(ask: Ask) -> None:
    by_section = ask("get_document_context", document="manual", section="brakes").document
    assert "The brake test is done" in by_section["text"]
    assert "Doors close" not in by_section["text"]
    by_lines = ask("get_document_context", document="manual", start_line=11, end_line=11)
    assert by_lines.document["text"] == "Doors close by themselves when the brake test has failed."
    assert len(by_lines.items) == 1


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"section": "Wings"}, r"^section: the document has no section “Wings”"),
        ({"start_line": 9, "end_line": 3}, r"^end_line: 3 is before start_line 9"),
        ({"start_line": 0}, r"^start_line: "),
    ],
)
def test_what_a_document_does_not_have_is_refused_by_the_name_of_the_field(ask: Ask, given, named: str) -> None:
    with pytest.raises(BadInput, match=named):
        ask("get_document_context", document="manual", **given)


def test_an_older_version_is_told_and_is_the_text_for_whoever_knows_no_newer(ask_own: Ask, filled) -> None:
    known = filled.mirrors.of("_").document("manual").document.updated_at
    ingest(filled, NewDocument("manual", MANUAL + "\nNew line.\n", "Safety manual", "markdown", "docs/manual.md"))
    now = ask_own("get_document_context", document="manual").document
    assert [one["shown"] for one in now["versions"]] == [True, False]
    assert "New line." in now["text"]
    then = ask_own("get_document_context", document="manual", known_at=known.isoformat().removesuffix("+00:00"))
    assert "The brake test" in then.document["text"]
    assert "New line." not in then.document["text"]
    assert ask_own("get_document_context", document="manual", known_at="2020-01-01").document["document"] is None


def test_entities_are_found_with_type_summary_mentions_and_score(ask: Ask) -> None:
    first = ask("search_entities", query="Ada").document["entities"][0]
    assert (first["name"], first["type"], first["summary"], first["mentionCount"]) == (
        "Ada",
        "Person",
        "Ada is a Person.",
        2,
    )
    assert ask("search_entities", query="Ada", known_at="2020-01-01").document["entities"][0]["mentionCount"] == 1


def test_entities_can_be_narrowed_by_type_before_the_limit(ask: Ask) -> None:
    result = ask("search_entities", query="Ada", entity_type="company", limit=1)
    assert [one["type"] for one in result.document["entities"]] == ["Company"]
    assert ask("search_entities", query="Ada", entity_type="Ship").message.startswith("No entity has the type “Ship”")


def lines(result: ToolResult) -> list[dict[str, object]]:
    return [json.loads(item.text) for item in result.items]


def test_graph_search_gives_entities_with_their_relationships(ask: Ask) -> None:
    result = ask("graph_search", query="Ada", maxResults=1)
    assert result.document == {
        "entities": [
            {
                "name": "Ada",
                "type": "Person",
                "description": "Ada is a Person.",
                "mentionCount": 2,
                "relationships": [
                    {"target": "Labs", "type": "WORKS_FOR", "weight": 2},
                    {"target": "Fly", "type": "WANTS_TO", "weight": 1},
                    {"target": "Bob", "type": "KNOWS", "weight": 1},
                ],
            }
        ],
        "stats": {"totalEntities": 6, "totalRelationships": 5},
    }
    assert lines(result)[0]["name"] == "Ada"
    assert [item.fact.uuid for item in result.items if item.fact] == ["f2", "f5", "f3"]


def test_graph_search_looks_further_around_and_names_whose_a_relationship_is(ask: Ask) -> None:
    (ada,) = ask("graph_search", query="Ada", maxResults=1, maxHops=2).document["entities"]
    assert {"source": "Cy", "target": "Labs", "type": "WORKS_FOR", "weight": 1} in ada["relationships"]
    then = ask("graph_search", as_of="2021-06-01", query="Ada", maxResults=1).document["entities"][0]
    assert [one["target"] for one in then["relationships"]] == ["Fly", "Engines", "Bob"]


def test_graph_inspect_tells_one_entity_with_files_and_dates(ask_own: Ask, filled) -> None:
    episode = filled.mirrors.of("_").document("fleet").document.episode_uuid
    (told,) = filled.mirrors.of("_").episodes([episode])
    mentioning = GraphWrite(episodes=(replace(told, entity_uuids=("ada",)),))
    filled.bridge.run(filled.graph.write("_", mentioning))
    filled.mirrors.written("_", mentioning)
    document = ask_own("graph_inspect", entityName="ada").document
    assert document["entity"] | {"lastSeen": ""} == {
        "name": "Ada",
        "type": "Person",
        "description": "Ada is a Person.",
        "mentionCount": 3,
        "firstSeen": "2019-02-01T00:00:00+00:00",
        "lastSeen": "",
        "sourceFiles": ["fleet"],
    }
    assert document["sourceChunks"] == [{"path": "fleet", "startLine": 1, "endLine": 1}]
    assert document["relationships"][0] == {
        "target": "Labs",
        "type": "WORKS_FOR",
        "weight": 2,
        "description": "Ada works for Labs",
        "keywords": ["works", "labs", "ada"],
    }


def test_graph_inspect_can_leave_the_neighbourhood_out_and_knows_nobody_else(ask: Ask) -> None:
    assert ask("graph_inspect", entityName="Ada", includeNeighborhood=False).document["relationships"] == []
    nobody = ask("graph_inspect", entityName="Nobody")
    assert nobody.document == {"entity": None, "relationships": [], "sourceChunks": []}
    assert "No entity in the graph matches “Nobody”" in nobody.message


def test_memory_search_gives_text_path_lines_score_and_source(ask: Ask) -> None:
    (best,) = ask("memory_search", query="brake test in the morning", maxResults=1).document["results"]
    assert set(best) == {"text", "path", "startLine", "endLine", "score", "source"}
    assert (best["path"], best["startLine"]) == ("docs/manual.md", 7)
    assert ask("memory_search", query="brake test", minScore=1e9).document == {"results": []}
    plain = ask("memory_search", query="brake test", useGraph=False, maxResults=1)
    assert lines(plain) == plain.document["results"]
