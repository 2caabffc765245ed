"""A model that reads texts on loopback, the schema that it is given, and what the graph holds already."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.core.config import Settings
from services.core.draft_records import EntityKind, Extraction, RelationKind, Schema, SourceText, Watch
from services.core.models import Entity, Fact, GraphWrite
from services.extraction.model import ModelExtractor
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.reading_model import ReadingModel
from tests.fakes.word_embedder import WordEmbedder

W = "_"


Y = {year: datetime(year, 1, 1, tzinfo=UTC) for year in range(2000, 2030)}


SCHEMA = Schema(
    (EntityKind("Person", "a human being"), EntityKind("Organization"), EntityKind("Place")),
    (RelationKind("WORKS_FOR", "is employed by", ("Person",), ("Organization",)), RelationKind("LIVES_IN")),
)


ADA = Entity("u-ada", "Ada Lovelace", ("Person",), created_at=Y[2020])


ACME = Entity("u-acme", "ACME", ("Organization",), created_at=Y[2020])


JOB = Fact(
    "f-job",
    "u-ada",
    "u-acme",
    "Ada Lovelace",
    "WORKS_FOR",
    "ACME",
    "Ada Lovelace works for ACME.",
    Y[2015],
    None,
    Y[2020],
)


@pytest.fixture
def services(tmp_path: Path, model: ReadingModel) -> Iterator[App]:
    settings = Settings(
        home=with_tables(tmp_path), anthropic_api_key="sk-none", anthropic_base_url=model.url, model="reader"
    )
    services = build_services(settings, graph=MemoryGraphStore(), embedder=WordEmbedder())
    yield services
    services.close()


def write(services: App, *records: Entity | Fact) -> None:
    entities = tuple(r for r in records if isinstance(r, Entity))
    facts = tuple(r for r in records if isinstance(r, Fact))
    services.bridge.run(services.graph.write(W, GraphWrite(entities, facts)))


def read(services: App, *texts: str, schema: Schema = SCHEMA) -> list[Extraction]:
    sources = [SourceText(f"t{n}", text, reference_time=Y[2024]) for n, text in enumerate(texts)]
    return list(ModelExtractor(services.workspace(W), "reader").extract(sources, schema, Watch()))
