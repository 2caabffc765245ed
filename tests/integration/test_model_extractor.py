"""Facts from texts by a model, on the real databases: what is there is found, and nothing is written."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from pydantic import SecretStr

from services.agent.app import App
from services.bootstrap import build_services
from services.core.draft_records import Extraction, SourceText, Watch
from services.core.models import Entity, Episode, Fact, GraphWrite
from services.extraction.model import ModelExtractor
from services.graph.graphiti_store import GraphitiStore
from tests.fakes.messages_server import status
from tests.fakes.reading_model import ReadingModel
from tests.fakes.word_embedder import WordEmbedder
from tests.services.extraction.model_reading import ACME, ADA, JOB, SCHEMA, Y

PAGE = Episode("p-1", "Page 1", "Ada Lovelace works for ACME.", "text", "a page", Y[2015], Y[2020], ("u-ada", "u-acme"))
_DUMP = (
    "MATCH (n) RETURN id(n), labels(n), properties(n)",
    "MATCH (n)-[r]->(m) RETURN id(n), id(r), id(m), type(r), properties(r)",
)


@dataclass
class ReaderSetup:
    """Services on a database and a workspace in it, with a model on loopback."""

    services: App
    workspace: str
    model: ReadingModel

    def read(self, *texts: str) -> list[Extraction]:
        sources = [SourceText(f"t{n}", text, reference_time=Y[2024]) for n, text in enumerate(texts)]
        extractor = ModelExtractor(self.services.workspace(self.workspace), "reader")
        return list(extractor.extract(sources, SCHEMA, Watch()))

    def write(self, *records: Entity | Fact | Episode) -> None:
        kinds = (tuple(r for r in records if isinstance(r, kind)) for kind in (Entity, Fact, Episode))
        self.services.bridge.run(self.services.graph.write(self.workspace, GraphWrite(*kinds)))

    def dump(self) -> list[Any]:
        """Every node and edge of the database with all that it has, and all indexes."""
        graph, is_neo4j = self.services.graph, self.services.settings.graph_url.startswith("bolt")
        indexes = "SHOW INDEXES YIELD name" if is_neo4j else "CALL db.indexes() YIELD label, properties"
        assert isinstance(graph, GraphitiStore)
        return [
            sorted(map(repr, self.services.bridge.run(graph._db.read(self.workspace, query))))
            for query in (*_DUMP, indexes)
        ]


@pytest.fixture(params=["embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def setup(request: pytest.FixtureRequest, tmp_path: Any) -> Iterator[ReaderSetup]:
    with ReadingModel() as model:
        settings = request.getfixturevalue(f"{request.param}_settings").model_copy(
            update={"anthropic_base_url": model.url, "model": "reader", "anthropic_api_key": SecretStr("sk-none")}
        )
        services = build_services(settings, embedder=WordEmbedder())
        setup = ReaderSetup(services, f"model-{uuid4().hex[:8]}", model)
        yield setup
        services.bridge.run(services.graph.clear(setup.workspace))
        services.close()


def test_the_database_is_the_same_after_as_before(setup: ReaderSetup) -> None:
    setup.write(ADA, ACME, JOB, PAGE)
    before = setup.dump()
    known, new, moved = setup.read(
        "Ada Lovelace works for ACME.", "Bob lives in Bern since 2019.", "Ada works for Initech since 2018."
    )
    assert setup.dump() == before
    assert [sum(setup.workspace in row for row in part) for part in before[:2]] == [3, 3]
    assert any("'Ada Lovelace'" in node for node in before[0])
    assert (known.drafts[0].same_source, known.drafts[0].same_target, known.drafts[0].valid_at) == (
        "u-ada",
        "u-acme",
        Y[2015],
    )
    assert (new.drafts[0].same_source, new.drafts[0].same_target) == (None, None)
    assert moved.drafts[0].same_source == "u-ada"
    assert [(ending.fact_uuid, ending.invalid_at) for ending in moved.endings] == [("f-job", Y[2018])]


def test_of_50_texts_one_fails_and_the_next_try_brings_it_in(setup: ReaderSetup) -> None:
    setup.write(ADA, ACME, JOB)
    setup.model.trouble["Number7 "] = status(500, "It burns.", retry_after=0)
    texts = [f"Number{n} works for ACME since {2000 + n % 25}." for n in range(50)]
    found = setup.read(*texts)
    assert [place for place, one in enumerate(found) if one.problem] == [7]
    assert {draft.same_target for one in found for draft in one.drafts} == {"u-acme"}
    assert [sum(one.input_tokens for one in found), sum(one.output_tokens for one in found)] == setup.model.spent
    setup.model.trouble.clear()
    assert len(setup.read(texts[7])[0].drafts) == 1


def test_a_text_is_compared_with_what_was_written_a_moment_ago(setup: ReaderSetup) -> None:
    sources = [SourceText("a", "Ada Lovelace works for ACME since 2015."), SourceText("b", "Ada lives in Bern.")]
    found = ModelExtractor(setup.services.workspace(setup.workspace), "reader").extract(sources, SCHEMA, Watch())
    assert next(found).drafts[0].same_source is None
    setup.write(ADA, ACME, JOB)
    assert next(found).drafts[0].same_source == "u-ada"
