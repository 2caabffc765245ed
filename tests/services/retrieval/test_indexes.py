"""Indexes follow their mirrors, are found again on disk, and never mix the vectors of two models."""

import threading

import pytest

from services.errors import BadInput
from services.ingestion.documents import NewDocument, ingest_documents
from services.models import Entity, Fact
from services.retrieval import indexes, stored
from tests.fakes.word_embedder import WordEmbedder
from tests.services.retrieval.conftest import W, ingest, open_services, write

TEXTS = ("The canteen serves soup.", "The library lends books.", "The garage mends bicycles.")


def documents(texts=TEXTS):
    return [NewDocument(f"d{number}", text) for number, text in enumerate(texts)]


def found(services, text: str) -> list[str]:
    from services.retrieval.search import Query

    return [hit.id for hit in services.search.find(W, services.mirrors.of(W), Query(text)).hits]


@pytest.fixture
def town(services):
    ingest(services, *documents())
    return services


def test_what_was_added_is_found_at_once_by_words_and_by_its_vector(town):
    ingest_documents(town, W, [NewDocument("d9", "The harbour repairs ships.")])
    ready = town.indexes.of(W)
    assert ready.waiting == 0
    assert list(ready.index.later["chunk"].ids) == ["d9:chunk:0"]
    assert found(town, "ships")[0] == "d9:chunk:0"


def test_what_was_changed_or_deleted_is_not_found_any_more(town):
    ingest_documents(town, W, [NewDocument("d0", "The canteen serves salad.")])
    assert found(town, "soup canteen")[0] == "d0:chunk:0"
    (chunk,) = town.mirrors.of(W).chunks(["d0:chunk:0"]).values()
    assert "salad" in chunk.text
    town.mirrors.of(W).put_documents((), gone=["d0"])
    assert "d0:chunk:0" not in found(town, "salad canteen")


def test_a_fact_that_was_ended_stays_where_it_is_in_the_index(services):
    ann, acme = Entity("e1", "Ann"), Entity("e2", "Acme")
    fact = Fact("f1", "e1", "e2", "Ann", "WORKS_AT", "Acme", "Ann works at Acme.")
    write(services, ann, acme, fact)
    built = services.indexes.prepare(W).index
    write(services, Fact("f1", "e1", "e2", "Ann", "WORKS_AT", "Acme", "Ann works at Acme.", episodes=("p1",)))
    after = services.indexes.of(W)
    assert after.index.main is built.main
    assert list(after.index.later["fact"].ids) == []


def test_facts_wait_for_their_vectors_and_are_found_by_words_meanwhile(services):
    write(services, Entity("e1", "Ann"), Entity("e2", "Acme"),
          Fact("f1", "e1", "e2", "Ann", "WORKS_AT", "Acme", "Ann works at Acme."))  # fmt: skip
    assert services.indexes.of(W).waiting == 3
    assert found(services, "works")[0] == "f1"
    assert services.indexes.prepare(W).waiting == 0


def test_an_index_is_found_again_on_disk_and_caught_up_with_what_came_since(tmp_path, graph, monkeypatch):
    first = open_services(tmp_path, graph)
    ingest(first, *documents())
    first.close()
    second = open_services(tmp_path, graph)
    ingest_documents(second, W, [NewDocument("d9", "The harbour repairs ships.")])
    monkeypatch.setattr(indexes.SearchIndex, "of", None)  # building one would fail
    assert found(second, "soup")[0] == "d0:chunk:0"
    assert found(second, "ships")[0] == "d9:chunk:0"
    second.close()


def test_a_broken_index_file_is_built_anew(tmp_path, graph):
    first = open_services(tmp_path, graph)
    ingest(first, *documents())
    path = stored.file_of(first.mirrors.of(W).path)
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
    ingest_documents(second, W, documents())
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
    with pytest.raises(BadInput, match="are of words"):
        second.indexes.prepare(W)
    assert second.indexes.embed_anew(W).stale_model is None
    assert second.indexes.of(W).index.main["chunk"].vectors.any()
    second.close()


def test_with_very_much_that_is_new_the_index_is_built_anew(town, monkeypatch):
    monkeypatch.setattr(indexes, "MOST_LATER", 2)
    ingest_documents(town, W, [NewDocument(f"n{n}", f"Street number {n}.") for n in range(4)])
    ready = town.indexes.of(W)
    assert len(ready.index.main["chunk"].ids) == 7
    assert list(ready.index.later["chunk"].ids) == []


def test_what_waits_is_embedded_and_built_in_the_background(services):
    write(services, Entity("e1", "Ann"))
    assert services.indexes.of(W).waiting == 1
    services.indexes.follow(0.01)
    kept = stored.file_of(services.mirrors.of(W).path)
    for _ in range(1000):
        if services.indexes.of(W).waiting == 0 and kept.exists():
            return
        threading.Event().wait(0.01)
    pytest.fail("nothing was embedded and kept within 10 s")
