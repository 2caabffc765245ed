"""Documents with their sections and chunks: what goes in comes out, and nothing else is touched."""

import dataclasses
from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from services.core.errors import BadInput, GraphUnavailable
from services.core.models import Chunk, Document, Entity, Section, SectionType, SimilarChunks, StructuredDocument
from services.graph.graphiti_documents import GraphDocuments
from services.graph.graphiti_store import GraphitiStore
from tests.contract.conftest import Graph
from tests.fakes.memory_graph import MemoryGraphStore

THEN = datetime(2024, 2, 3, 4, 5, 6, 789000, tzinfo=UTC)
LATER = datetime(2024, 3, 1, tzinfo=UTC)
LABELS = ("Document", "Section", "Chunk")
ODD = (
    "it's",
    '"q"',
    "back\\slash",
    "back\\",
    "two\nlines",
    " a",
    "a ",
    "a",
    "A",
    "a\x01b",
    "a\tb",
    "日本 é 🙂",
    "$group {x} `y` -- //",
    "x" * 5_000,
)


def heading(document: str, number: int, level: int, path: str, parent: str = "", line: int = 1) -> Section:
    name = path.rpartition(": ")[2]
    return Section(
        f"{document}#s{number}",
        document,
        level,
        name,
        name.lower(),
        path,
        parent,
        name.lower().replace(" ", "-"),
        chunk_count=1,
        start_chunk=number,
        end_chunk=number,
        start_line=line,
        end_line=line + 9,
    )


def passage(document: str, index: int, section: str = "", text: str = "Some words.") -> Chunk:
    return Chunk(
        f"{document}#{index}", document, section, index, text, index * 10 + 1, index * 10 + 9, ("some", "words")
    )


def plain(document: str, text: str = "Some words.") -> StructuredDocument:
    """A document of one chunk without headings."""
    head = Document(document, document, f"hash of {text}", f"episode of {document}", chunk_count=1, updated_at=THEN)
    return StructuredDocument(head, (), (passage(document, 0, text=text),))


def structured(document: str) -> StructuredDocument:
    """A document of three sections, one of them below another, and four chunks, one of them above all headings."""
    head = Document(
        document,
        "A title",
        "hash",
        "episode",
        "notes/work/a.md",
        "notes/work",
        "markdown",
        "thread",
        3,
        4,
        THEN,
        THEN,
        LATER,
    )
    profile, skills = "Level 1: Profile", "Level 1: Profile > Level 2: Skills"
    sections = (
        heading(document, 1, 1, profile, line=10),
        heading(document, 2, 2, skills, profile, line=20),
        heading(document, 3, 1, "Level 1: End", line=30),
    )
    chunks = (passage(document, 0), *(passage(document, i, f"{document}#s{i}") for i in (1, 2, 3)))
    return StructuredDocument(head, sections, chunks)


def ask(graph: Graph, method: str, *args: Any) -> Any:
    return graph.run(getattr(graph.store.documents, method)(graph.workspace, *args))


def write(graph: Graph, *documents: StructuredDocument, embeddings: dict[str, list[float]] | None = None) -> None:
    ask(graph, "write", documents, embeddings or {})


def scan(graph: Graph, ids: Iterable[str]) -> list[StructuredDocument]:
    async def gathered() -> list[StructuredDocument]:
        pages: AsyncIterator[tuple[StructuredDocument, ...]] = graph.store.documents.scan(graph.workspace, ids)
        return [document async for page in pages for document in page]

    return graph.run(gathered())


def count(graph: Graph, pattern: str) -> int:
    """How many of a pattern a real database holds in the workspace."""
    inside = pattern.replace("$group", f"'{graph.workspace}'")
    return int(graph.cypher(f"MATCH {inside} RETURN count(*)")[0][0])


def section_type(name: str, *sections: str) -> SectionType:
    return SectionType(
        f"section_type:{name}", name.title(), name, (name.title(), name), sections, (0.5, 0.25), THEN, LATER
    )


# -- what goes in comes out


def test_documents_come_back_as_they_went_in(graph: Graph) -> None:
    first, second = structured("b"), plain("a")
    write(graph, first, second)
    assert ask(graph, "all_documents") == (second.document, first.document)
    assert scan(graph, ["b", "a"]) == [first, second]


def test_parts_come_back_in_reading_order_whatever_order_they_came_in(graph: Graph) -> None:
    whole = structured("a")
    write(graph, replace(whole, sections=whole.sections[::-1], chunks=whole.chunks[::-1]))
    assert scan(graph, ["a"]) == [whole]


def test_a_document_without_parts_or_dates_is_one_all_the_same(graph: Graph) -> None:
    empty = StructuredDocument(Document("a", "", "hash", ""), (), ())
    write(graph, empty)
    assert scan(graph, ["a"]) == [empty]


def test_ids_and_texts_may_hold_any_characters(graph: Graph) -> None:
    documents = [structured(odd) for odd in ODD]
    documents += [
        replace(plain(f"text {i}", text=odd), document=replace(plain(f"text {i}").document, title=odd, path=odd))
        for i, odd in enumerate(ODD)
    ]
    write(graph, *documents)
    ids = [d.document.id for d in documents]
    assert scan(graph, ids) == documents
    assert scan(graph, ["a"]) == [documents[ODD.index("a")]]
    ask(graph, "write_similar", [SimilarChunks(*sorted((f"{odd}#0", "text 0#0")), 0.5) for odd in ODD])
    assert len(ask(graph, "similar")) == len(ODD)
    ask(graph, "replace_section_types", [section_type("profile", *sorted(f"{odd}#s1" for odd in ODD))])
    assert ask(graph, "section_types")[0].section_ids == tuple(sorted(f"{odd}#s1" for odd in ODD))
    graph.delete(documents=["a"])
    assert scan(graph, ids) == [d for d in documents if d.document.id != "a"]
    graph.delete(documents=ids)
    assert ask(graph, "all_documents") == ()


@pytest.mark.slow
def test_more_documents_than_fit_in_one_query_come_back(graph: Graph) -> None:
    documents = [plain(f"{i:04}") for i in range(2_300)]
    write(graph, *documents)
    assert [d.id for d in ask(graph, "all_documents")] == [d.document.id for d in documents]
    assert scan(graph, [d.document.id for d in documents]) == documents


@pytest.mark.slow
def test_a_document_with_more_parts_than_fit_in_one_query_is_whole(graph: Graph) -> None:
    whole = structured("a")
    many = replace(whole, chunks=tuple(passage("a", i, "a#s2") for i in range(2_100)))
    write(graph, many, plain("b"))
    assert scan(graph, ["a", "b"]) == [many, plain("b")]


def test_nothing_to_write_read_or_delete_is_no_fault(graph: Graph) -> None:
    write(graph)
    graph.delete(documents=[])
    ask(graph, "write_similar", [])
    ask(graph, "replace_section_types", [])
    assert (scan(graph, []), ask(graph, "all_documents")) == ([], ())
    assert (ask(graph, "similar"), ask(graph, "section_types")) == ((), ())


def test_unknown_ids_are_left_out(graph: Graph) -> None:
    write(graph, plain("a"))
    graph.delete(documents=["nobody"])
    ask(graph, "write_similar", [SimilarChunks("a#0", "nobody", 0.5)])
    ask(graph, "replace_section_types", [section_type("skills", "nobody")])
    assert scan(graph, ["nobody", "a", "a"]) == [plain("a")]
    assert ask(graph, "similar") == ()
    assert ask(graph, "section_types") == (section_type("skills"),)


# -- replacing and deleting


def test_a_document_that_is_written_again_is_replaced_whole(graph: Graph) -> None:
    write(graph, structured("a"), structured("b"))
    ask(graph, "write_similar", [SimilarChunks("a#0", "b#0", 0.5), SimilarChunks("b#0", "b#1", 0.5)])
    ask(graph, "replace_section_types", [section_type("profile", "a#s1", "b#s1")])
    write(graph, plain("a", text="New words."))
    assert scan(graph, ["a", "b"]) == [plain("a", text="New words."), structured("b")]
    assert ask(graph, "similar") == (SimilarChunks("b#0", "b#1", 0.5),)
    assert ask(graph, "section_types")[0].section_ids == ("b#s1",)


def test_of_two_documents_of_one_id_in_a_batch_the_last_counts(graph: Graph) -> None:
    write(graph, structured("a"), plain("a"))
    assert scan(graph, ["a"]) == [plain("a")]


def test_deleting_leaves_nothing_behind_and_nothing_else_out(database: Graph) -> None:
    write(database, structured("a"), structured("b"))
    before = [count(database, f"(n:{label})" + " WHERE n.group_id = $group") for label in LABELS]
    assert before == [2, 6, 8]
    database.delete(documents=["a"])
    assert [count(database, f"(n:{label})" + " WHERE n.group_id = $group") for label in LABELS] == [1, 3, 4]
    database.delete(documents=["b"])
    assert [count(database, f"(n:{label})" + " WHERE n.group_id = $group") for label in LABELS] == [0, 0, 0]


def test_deleting_documents_leaves_entities_and_clearing_takes_everything(graph: Graph) -> None:
    graph.write(Entity("e", "Ada"))
    write(graph, structured("a"))
    graph.delete(documents=["a"])
    assert graph.ask("watermark").counts.entities == 1
    write(graph, structured("a"))
    graph.ask("clear")
    assert ask(graph, "all_documents") == ()


def test_workspaces_do_not_see_each_other_s_documents(graph: Graph) -> None:
    other = replace(graph, workspace=graph.workspace + "-other")
    try:
        write(graph, structured("a"))
        write(other, plain("a"))
        other.delete(documents=["a"])
        write(other, plain("a"))
        ask(other, "write_similar", [SimilarChunks("a#0", "a#1", 0.5)])
        ask(other, "replace_section_types", [])
        assert scan(graph, ["a"]) == [structured("a")]
        assert scan(other, ["a"]) == [plain("a")]
        assert ask(graph, "similar") == ()
    finally:
        other.ask("clear")


def test_the_database_s_own_default_workspace_holds_documents_too(database: Graph) -> None:
    default = replace(database, workspace=database.store.default_workspace)
    write(default, structured("only here"))
    try:
        assert scan(default, ["only here"]) == [structured("only here")]
        assert structured("only here").document in ask(default, "all_documents")
        assert ask(database, "all_documents") == ()
    finally:
        default.delete(documents=["only here"])
    assert scan(default, ["only here"]) == []


# -- what other programs see


def test_the_structure_is_joined_as_other_programs_expect(database: Graph) -> None:
    write(database, structured("a"), plain("b"))
    group = "{group_id: $group}"
    assert count(database, f"(:Document {group})-[:HAS_SECTION]->(:Section)") == 3
    assert count(database, f"(:Section {group})-[:IN_SECTION]->(:Chunk)") == 3
    rows = database.cypher(
        f"MATCH (p:Section {{group_id: '{database.workspace}'}})-[:PARENT_SECTION]->(c:Section) RETURN p.name, c.name"
    )
    assert [list(row) for row in rows] == [["Profile", "Skills"]]
    ((file_name, file_path, directory),) = database.cypher(
        f"MATCH (d:Document {{id: 'a', group_id: '{database.workspace}'}})"
        " RETURN d.file_name, d.file_path, d.directory_name"
    )
    assert (file_name, file_path, directory) == ("a.md", "notes/work/a.md", "notes/work")


def test_vectors_are_stored_where_they_were_given(database: Graph) -> None:
    write(database, structured("a"), embeddings={"a#s1": [0.5, -0.25], "a#0": [0.125, 1e-7]})
    asked = f"MATCH (n {{group_id: '{database.workspace}'}}) WHERE n.embedding IS NOT NULL RETURN n.id ORDER BY n.id"
    assert [row[0] for row in database.cypher(asked)] == ["a#0", "a#s1"]
    distance = "vec.euclideanDistance(n.embedding, vecf32([0.5, 0.75]))"
    if database.store.default_workspace == "":
        distance = "vector.similarity.euclidean(n.embedding, [0.5, 0.75])"
    ((found,),) = database.cypher(f"MATCH (n:Section {{id: 'a#s1'}}) WHERE n.embedding IS NOT NULL RETURN {distance}")
    assert found == pytest.approx(1.0 if database.store.default_workspace else 0.5)


def test_nodes_of_other_programs_with_the_same_labels_are_left_alone(database: Graph) -> None:
    group = f"group_id: '{database.workspace}'"
    write(database, structured("a"))
    database.cypher(
        f"CREATE (d:Document {{id: 'a', name: 'theirs', {group}}})-[:HAS_SECTION]->(s:Section {{id: 'a#s1', {group}}}),"
        f" (s)-[:IN_SECTION]->(c:Chunk {{id: 'a#0', {group}}})-[:SEMANTICALLY_SIMILAR {{similarity: 1.0}}]->"
        f"(:Chunk {{id: 'theirs', {group}}}), (s)-[:INSTANCE_OF]->(:SectionType {{id: 'theirs', {group}}}),"
        f" (:Document {{name: 'no id', {group}}})"
    )
    assert ask(database, "all_documents") == (structured("a").document,)
    assert scan(database, ["a"]) == [structured("a")]
    assert (ask(database, "similar"), ask(database, "section_types")) == ((), ())
    ask(database, "write_similar", [SimilarChunks("a#0", "a#1", 0.5), SimilarChunks("a#0", "theirs", 0.5)])
    assert ask(database, "similar") == (SimilarChunks("a#0", "a#1", 0.5),)
    ask(database, "replace_section_types", [section_type("profile", "a#s1")])
    assert ask(database, "section_types") == (section_type("profile", "a#s1"),)
    ask(database, "replace_section_types", [])
    write(database, plain("a"))
    database.delete(documents=["a"])
    left = [count(database, f"(n:{label} {{{group}}})") for label in (*LABELS, "SectionType")]
    assert left == [2, 1, 2, 1]
    assert count(database, f"({{{group}}})-[]->()") == 4


def test_of_a_write_that_broke_off_nothing_is_seen_and_the_next_makes_it_good(database: Graph) -> None:
    class BrokenOff(GraphDocuments):
        async def _create_documents(self, *args: Any) -> None:
            raise GraphUnavailable("Gone.", "")

    assert isinstance(database.store, GraphitiStore)
    write(database, structured("a"), plain("b"))
    version = replace(structured("a").document, content_hash="changed")
    changed = replace(structured("a"), document=version, sections=structured("a").sections[:1])
    with pytest.raises(GraphUnavailable):
        database.run(BrokenOff(database.store._db).write(database.workspace, [changed], {}))
    assert scan(database, ["a", "b"]) == [structured("a"), plain("b")]
    write(database, changed)
    assert scan(database, ["a", "b"]) == [changed, plain("b")]
    assert count(database, "(n:Section) WHERE n.group_id = $group") == 1


# -- links between chunks, section types


def test_a_link_between_chunks_is_updated_and_not_doubled_in_either_direction(graph: Graph) -> None:
    write(graph, plain("a"), plain("b"), plain("c"))
    ask(graph, "write_similar", [SimilarChunks("a#0", "b#0", 0.75), SimilarChunks("b#0", "c#0", 0.5)])
    ask(graph, "write_similar", [SimilarChunks("b#0", "a#0", 0.25), SimilarChunks("c#0", "c#0", 1.0)])
    assert ask(graph, "similar") == (SimilarChunks("a#0", "b#0", 0.25), SimilarChunks("b#0", "c#0", 0.5))


def test_section_types_are_replaced_all_together(graph: Graph) -> None:
    write(graph, structured("a"), structured("b"))
    first = (section_type("profile", "a#s1", "b#s1"), section_type("skills", "a#s2", "b#s2"))
    ask(graph, "replace_section_types", first[::-1])
    assert ask(graph, "section_types") == first
    second = (section_type("end", "a#s3", "b#s3"),)
    ask(graph, "replace_section_types", second)
    assert ask(graph, "section_types") == second
    ask(graph, "replace_section_types", [])
    assert ask(graph, "section_types") == ()


def test_a_workspace_that_cannot_be_named_so_is_refused(database: Graph) -> None:
    with pytest.raises(BadInput):
        write(dataclasses.replace(database, workspace="no such name"), plain("a"))


def test_the_store_in_memory_can_be_down() -> None:
    store = MemoryGraphStore()
    store.down = True
    with pytest.raises(GraphUnavailable):
        store.documents.all_documents("_").send(None)
