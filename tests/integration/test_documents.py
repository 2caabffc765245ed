"""Documents on a real database: what was ingested is there again after the mirror is dropped, and can be found."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.core.config import Settings
from services.documents.versions import NewDocument
from services.retrieval.query import Query
from services.writing.documents import ingest_documents
from services.writing.linking import link_chunks, rebuild_section_types
from tests.fakes.word_embedder import WordEmbedder

W = "documents"
TEXTS = {
    "a.md": "# Ann\n\n## Skills\n\nLeek soup and bread.\n\n## Jobs\n\nCook in the canteen.\n",
    "b.md": "# Bo\n\n## The skills\n\nLeek soups and breads.\n",
    "c.txt": "The canteen opens at noon. “Quotes”, \\ and 'more'.",
}


def opened(settings: Settings) -> App:
    return build_services(settings, embedder=WordEmbedder())


@pytest.fixture(params=["embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    given: Settings = request.getfixturevalue(f"{request.param}_settings")
    chosen = given if request.param == "embedded" else given.model_copy(update={"home": tmp_path})
    yield chosen
    services = build_services(chosen)
    services.bridge.run(services.graph.clear(W))
    services.mirrors.drop(W)
    services.close()


def test_documents_outlive_their_mirror(settings):
    services = opened(settings)
    ingest_documents(services.workspace(W), [NewDocument(id, text, path=id) for id, text in TEXTS.items()])
    services.indexes.prepare(W)
    assert link_chunks(services.workspace(W), [f"{id}:chunk:0" for id in TEXTS]) == 1
    (skills,) = rebuild_section_types(services.workspace(W))
    mirror = services.mirrors.of(W)
    before = {id: mirror.document(id) for id in TEXTS}
    services.mirrors.drop(W)
    again = services.mirrors.of(W)
    assert {id: again.document(id) for id in TEXTS} == before
    assert [one.section_ids for one in again.section_types()] == [skills.section_ids]
    assert len(again.similar_chunks()) == 1
    assert services.workspace(W).search(Query("canteen noon")).hits[0].id == "c.txt:chunk:0"
    services.close()


def test_the_same_documents_again_change_nothing(settings):
    services = opened(settings)
    documents = [NewDocument(id, text, path=id) for id, text in TEXTS.items()]
    ingest_documents(services.workspace(W), documents)
    services.mirrors.drop(W)
    assert ingest_documents(services.workspace(W), documents).unchanged == 3
    services.close()
