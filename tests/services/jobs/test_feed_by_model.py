"""Texts through a model into the graph: what fails is listed, is tried again, and every token is counted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.core.config import Settings
from services.jobs.documents_job import confirm, reviewed, text_item
from tests.data_folder import with_tables
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.messages_server import status
from tests.fakes.reading_model import ReadingModel
from tests.fakes.word_embedder import WordEmbedder

W = "_"
LONG = 120.0


@pytest.fixture
def services(tmp_path: Path, model: ReadingModel) -> Iterator[App]:
    settings = Settings(
        home=with_tables(tmp_path),
        anthropic_api_key="sk-none",
        anthropic_base_url=model.url,
        model="reader",
        prices="reader=3/15",
    )
    services = build_services(settings, graph=MemoryGraphStore(), embedder=WordEmbedder())
    services.jobs.start()
    yield services
    services.close()


def facts(services: App) -> int:
    return services.bridge.run(services.graph.watermark(W)).counts.facts


def test_a_models_proposal_is_reviewed_and_its_cost_is_told(services: App, model: ReadingModel) -> None:
    item = text_item("Ada Lovelace works for ACME since 2015 until 2018. Bob lives in Bern since 2019.", id="a")
    id = services.accounts.jobs.add(W, "documents", "texts", [item], options={"extract": "reader"})
    job = services.jobs.wait(id, LONG)
    (held,) = services.accounts.jobs.items(id)
    assert (held.state, [job.input_tokens, job.output_tokens]) == ("review", model.spent)
    assert job.cost == pytest.approx((model.spent[0] * 3 + model.spent[1] * 15) / 1_000_000)
    _, _, proposal = reviewed(services, held.id)
    assert (proposal.extractor, [fact.ticked for fact in proposal.facts]) == ("reader", [True, True])
    confirm(services, held.id, proposal)
    assert facts(services) == 2


@pytest.mark.slow
def test_of_fifty_texts_the_one_that_fails_is_listed_and_its_retry_brings_it_in(
    services: App, model: ReadingModel
) -> None:
    texts = [f"Person{chr(65 + n % 26)}{n} works for ACME since {2000 + n % 25}." for n in range(50)]
    model.trouble["Q16 "] = status(500, "It burns.", retry_after=0)
    items = [text_item(text, id=f"t{n}") for n, text in enumerate(texts)]
    id = services.accounts.jobs.add(
        W, "documents", "texts", items, options={"extract": "reader", "write_at_once": True}
    )
    job = services.jobs.wait(id, LONG)
    (failed,) = services.accounts.jobs.items(id, ["failed"])
    assert (job.counts["done"], failed.key, facts(services)) == (49, "t16", 49)
    assert failed.problem == "The model's endpoint failed (500): It burns."
    model.trouble.clear()
    services.jobs.retry(failed.id)
    job = services.jobs.wait(id, LONG)
    assert (dict(job.counts), facts(services)) == ({"done": 50}, 50)
    assert [job.input_tokens, job.output_tokens] == model.spent
