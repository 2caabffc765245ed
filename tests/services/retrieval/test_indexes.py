"""Indexes follow their mirrors, are found again on disk, and never mix the vectors of two models."""

import threading
from dataclasses import replace
from datetime import timedelta

import pytest

from services.core.errors import BadInput, Cancelled, EmbedderUnavailable
from services.core.models import Entity, Fact
from services.documents.versions import NewDocument
from services.retrieval import index_file, indexes
from services.retrieval.embedder import embed_texts
from services.retrieval.query import Query
from services.writing.documents import ingest_documents
from services.writing.linking import rebuild_section_types
from tests.fakes.deletion import delete
from tests.fakes.word_embedder import WordEmbedder
from tests.services.mirror.graphs import START
from tests.services.retrieval.conftest import W, ingest, open_services, write

pytestmark = pytest.mark.slow

TEXTS = ("The canteen serves soup.", "The library lends books.", "The garage mends bicycles.")


def documents(texts=TEXTS):
    return [NewDocument(f"d{number}", text) for number, text in enumerate(texts)]


def hits(services, text: str, **asked):
    return services.workspace(W).search(Query(text, **asked)).hits


def found(services, text: str, **asked) -> list[str]:
    return [hit.id for hit in hits(services, text, **asked)]


@pytest.fixture
def town(services):
    ingest(services, *documents())
    return services


def test_stopping_waits_for_a_few_texts_not_for_all_that_lack_a_vector(services):
    ingest(services, *documents())
    mirror, stop, seen = services.mirrors.of(W), threading.Event(), []

    class Stopped(WordEmbedder):
        def embed(self, texts):
            seen.extend(texts)
            stop.set()
            return super().embed(texts)

    with pytest.raises(Cancelled):
        embed_texts(mirror, Stopped(), (f"Text {number}." for number in range(1000)), cancel=stop)
    assert 0 < len(seen) <= 32


def test_what_was_added_is_found_at_once_by_words_and_by_its_vector(town):
    ingest_documents(town.workspace(W), [NewDocument("d9", "The harbour repairs ships.")])
    ready = town.indexes.of(W)
    assert ready.waiting == 0
    assert list(ready.index.later["chunk"].ids) == ["d9:chunk:0"]
    assert found(town, "ships")[0] == "d9:chunk:0"


def test_what_was_changed_or_deleted_is_not_found_any_more(town):
    ingest_documents(town.workspace(W), [NewDocument("d0", "The canteen serves salad.")])
    assert found(town, "soup canteen")[0] == "d0:chunk:0"
    (chunk,) = town.mirrors.of(W).chunks(["d0:chunk:0"]).values()
    assert "salad" in chunk.text
    town.mirrors.of(W).put_documents((), gone=["d0"])
    assert "d0:chunk:0" not in found(town, "salad canteen")


def test_a_fact_that_was_ended_stays_where_it_is_in_the_index(services):
    ann, acme = Entity("e1", "Ann"), Entity("e2", "Acme")
    fact = Fact("f1", "e1", "e2", "Ann", "WORKS_AT", "Acme", "Ann works at Acme.", START)
    write(services, ann, acme, fact)
    built = services.indexes.prepare(W).index
    write(services, replace(fact, invalid_at=START + timedelta(days=9), expired_at=START + timedelta(days=9)))
    after = services.indexes.of(W)
    assert after.index.main is built.main
    assert list(after.index.later["fact"].ids) == []


def test_facts_wait_for_their_vectors_and_are_found_by_words_meanwhile(services):
    write(
        services,
        Entity("e1", "Ann"),
        Entity("e2", "Acme"),
        Fact("f1", "e1", "e2", "Ann", "WORKS_AT", "Acme", "Ann works at Acme."),
    )
    assert services.indexes.of(W).waiting == 3
    assert found(services, "works")[0] == "f1"
    assert services.indexes.prepare(W).waiting == 0


def test_an_index_is_found_again_on_disk_and_caught_up_with_what_came_since(tmp_path, graph, monkeypatch):
    first = open_services(tmp_path, graph)
    ingest(first, *documents())
    first.close()
    second = open_services(tmp_path, graph)
    ingest_documents(second.workspace(W), [NewDocument("d9", "The harbour repairs ships.")])
    monkeypatch.setattr(indexes.SearchIndex, "of", None)  # building one would fail
    assert found(second, "soup")[0] == "d0:chunk:0"
    assert found(second, "ships")[0] == "d9:chunk:0"
    second.close()


def test_a_broken_index_file_is_built_anew(tmp_path, graph):
    first = open_services(tmp_path, graph)
    ingest(first, *documents())
    path = index_file.file_of(first.mirrors.of(W).path)
    first.close()
    path.write_bytes(b"no index" + path.read_bytes()[8:2000])
    second = open_services(tmp_path, graph)
    assert found(second, "soup")[0] == "d0:chunk:0"
    second.close()


def test_nothing_is_embedded_twice(tmp_path, graph):
    first = open_services(tmp_path, graph)
    ingest(first, *documents())
    first.close()
    embedder = WordEmbedder()
    second = open_services(tmp_path, graph, embedder)
    second.indexes.prepare(W)
    ingest_documents(second.workspace(W), documents())
    assert embedder.embedded == 0
    second.close()


@pytest.mark.parametrize("other", [WordEmbedder("other words"), WordEmbedder("words", 32)])
def test_vectors_of_another_model_are_never_compared(tmp_path, graph, other):
    first = open_services(tmp_path, graph)
    ingest(first, *documents())
    first.close()
    second = open_services(tmp_path, graph, other)
    ready = second.indexes.of(W)
    assert ready.stale_model is not None
    assert ready.stale_model.name == "words"
    assert not ready.index.main["chunk"].vectors.any()
    assert found(second, "soup")[0] == "d0:chunk:0"
    with pytest.raises(BadInput, match="are from words"):
        second.indexes.prepare(W)
    assert second.indexes.embed_anew(W).stale_model is None
    assert second.indexes.of(W).index.main["chunk"].vectors.any()
    second.close()


def test_with_very_much_that_is_new_the_index_is_built_anew(town, monkeypatch):
    monkeypatch.setattr(indexes, "MOST_LATER", 2)
    ingest_documents(town.workspace(W), [NewDocument(f"n{n}", f"Street number {n}.") for n in range(4)])
    ready = town.indexes.of(W)
    assert len(ready.index.main["chunk"].ids) == 7
    assert list(ready.index.later["chunk"].ids) == []


def test_what_is_written_while_an_index_is_built_is_found_and_nothing_breaks(services, monkeypatch):
    ingest_documents(services.workspace(W), documents())
    read_items, written = indexes.read_items, []

    def while_written(mirror, kind, ids=None):
        if kind == "chunk" and not written:
            written.append(ingest_documents(services.workspace(W), [NewDocument("d9", "The harbour repairs ships.")]))
        return read_items(mirror, kind, ids)

    monkeypatch.setattr(indexes, "read_items", while_written)
    assert found(services, "soup")[0] == "d0:chunk:0"
    assert found(services, "ships")[0] == "d9:chunk:0"


def test_embedding_anew_with_the_same_model_makes_every_vector_again(tmp_path, graph):
    embedder = WordEmbedder()
    services = open_services(tmp_path, graph, embedder)
    ingest(
        services,
        *documents(),
        NewDocument("a", "# Ann\n\n## Skills\n\nSoup.\n", format="markdown"),
        NewDocument("b", "# Bo\n\n## Skills\n\nBread.\n", format="markdown"),
    )
    before = embedder.embedded
    assert len(rebuild_section_types(services.workspace(W))) == 1
    services.indexes.embed_anew(W)
    assert embedder.embedded >= 2 * before
    assert services.mirrors.of(W).vectors.model() is not None
    assert len(rebuild_section_types(services.workspace(W))) == 1
    services.close()


def test_nothing_is_forgotten_where_no_vectors_can_be_made(town):
    town.indexes.embedder.fails = True
    with pytest.raises(EmbedderUnavailable):
        town.indexes.embed_anew(W)
    assert town.mirrors.of(W).vectors.model() is not None


def test_headings_are_not_compared_with_those_of_another_model(tmp_path, graph):
    first = open_services(tmp_path, graph)
    resume = "# Kevin\n\n## Skills\n\nSoup.\n"
    ingest(first, NewDocument("kevin.md", resume, title="Kevin resume", format="markdown"))
    first.close()
    for other in (WordEmbedder("other words"), WordEmbedder("words", 32)):
        second = open_services(tmp_path, graph, other)
        assert hits(second, "Kevin's skills")[0].routing == "soft"
        second.close()
    third = open_services(tmp_path, graph, WordEmbedder("words", 32))
    third.indexes.embed_anew(W)
    assert hits(third, "Kevin's skills")[0].routing == "hard"
    third.close()


def test_a_dropped_mirror_takes_its_index_with_it(town):
    kept = index_file.file_of(town.mirrors.of(W).path)
    assert kept.exists()
    town.mirrors.drop(W)
    assert not kept.exists()


def test_an_empty_index_file_is_built_anew(tmp_path, graph):
    first = open_services(tmp_path, graph)
    ingest(first, *documents())
    index_file.file_of(first.mirrors.of(W).path).write_bytes(b"")
    first.close()
    second = open_services(tmp_path, graph)
    assert found(second, "soup")[0] == "d0:chunk:0"
    second.close()


def test_what_was_said_around_a_deleted_message_is_forgotten(services):
    talk = ("Ann: hello.", "Bob: the password is swordfish.", "Ann: thanks.")
    ingest(services, *(NewDocument(f"m{n}", text, thread="t") for n, text in enumerate(talk)))
    assert found(services, "swordfish", mode="keyword") == ["m1:chunk:0", "m0:chunk:0", "m2:chunk:0"]
    services.bridge.run(delete(services.graph, W, documents=["m1"]))
    services.mirrors.sync(W, deep=True)
    assert found(services, "swordfish", mode="keyword") == []


def test_words_alone_need_no_embedder_and_hybrid_search_does_without_it(town):
    town.indexes.embedder.fails = True
    assert found(town, "soup", mode="keyword")[0] == "d0:chunk:0"
    answer = town.workspace(W).search(Query("soup"))
    assert answer.hits[0].id == "d0:chunk:0"
    assert "keyword only" in answer.note
    with pytest.raises(EmbedderUnavailable):
        found(town, "soup", mode="vector")


def test_words_that_stand_nowhere_find_nothing(town):
    assert found(town, "zzzqqq xyzzy", mode="keyword") == []


def test_looking_at_an_unchanged_graph_leaves_the_mirrors_version(town):
    texts = {
        "a": "# A\n\n## Skills\n\nx\n\n## Jobs\n\ny\n",
        "b": "# B\n\n## Skills\n\nz\n\n## Jobs\n\nw\n",
        "c": "# C\n\n## Skills\n\nv\n",
    }
    ingest(town, *(NewDocument(id, text, format="markdown") for id, text in texts.items()))
    rebuild_section_types(town.workspace(W))
    version = town.mirrors.of(W).version
    town.mirrors.sync(W, deep=True)
    rebuild_section_types(town.workspace(W))
    assert town.mirrors.of(W).version == version


def test_what_waits_is_embedded_and_built_in_the_background(services):
    write(services, Entity("e1", "Ann"))
    assert services.indexes.of(W).waiting == 1
    services.indexes.follow(0.01)
    kept = index_file.file_of(services.mirrors.of(W).path)
    for _ in range(1000):
        if services.indexes.of(W).waiting == 0 and kept.exists():
            return
        threading.Event().wait(0.01)
    pytest.fail("nothing was embedded and kept within 10 s")
