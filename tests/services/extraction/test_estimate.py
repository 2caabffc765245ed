"""What reading texts will take, said before."""

from pathlib import Path

import pytest

from services.bootstrap import build_services
from services.core.config import Settings
from services.core.draft_records import SourceText, Watch
from services.core.errors import BadInput
from services.core.models import Entity, Fact, GraphWrite
from services.extraction import estimate as guessed
from services.extraction.estimate import Estimate, estimate_reading
from services.extraction.model import ModelExtractor
from services.extraction.schemas import DEFAULT_SCHEMA
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.reading_model import ReadingModel
from tests.fakes.word_embedder import WordEmbedder

PRICED = Settings(prices="reader=3/15")
PROMPTS = {
    "ExtractedEntities": guessed.ENTITIES_PROMPT,
    "NodeResolutions": guessed.RESOLUTIONS_PROMPT,
    "ExtractedEdges": guessed.FACTS_PROMPT,
    "EdgeDuplicate": guessed.COMPARISON_PROMPT,
    "EdgeTimestamps": guessed.DATES_PROMPT,
}


def test_rules_cost_nothing_but_time() -> None:
    found = estimate_reading([90_000, 0], "rules", PRICED)
    assert (found.requests, found.input_tokens, found.output_tokens, found.cost) == (0, 0, 0, None)
    assert found.seconds > estimate_reading([900], "rules", PRICED).seconds


def test_a_model_costs_its_price_and_nothing_is_said_of_one_without() -> None:
    found = estimate_reading([1000, 2000], "reader", PRICED)
    assert found.cost == pytest.approx((found.input_tokens * 3 + found.output_tokens * 15) / 1_000_000)
    assert estimate_reading([1000, 2000], "another", PRICED).cost is None
    assert estimate_reading([1000, 2000], "another", PRICED).input_tokens == found.input_tokens


def test_the_same_words_in_more_texts_cost_more() -> None:
    assert (
        estimate_reading([100] * 50, "reader", PRICED).input_tokens
        > 5 * estimate_reading([5000], "reader", PRICED).input_tokens
    )


def test_texts_without_words_take_nothing() -> None:
    assert estimate_reading([0, 0], "reader", PRICED) == Estimate(0.0, 0, 0, 0, 0.0)


def test_a_price_that_cannot_be_read_is_named() -> None:
    with pytest.raises(BadInput, match="ASOF_PRICES"):
        estimate_reading([1000], "reader", Settings(prices="reader=much"))


def test_the_prompts_are_as_long_as_is_assumed(tmp_path: Path) -> None:
    text = "Ada works for Initech. Bob lives in Bern since 2019. Ada Lovelace works for ACME."
    stored = GraphWrite(
        (Entity("a", "Ada Lovelace", ("Person",)), Entity("b", "ACME"), Entity("c", "Bobby Brown", ("Person",))),
        (Fact("f", "a", "b", "Ada Lovelace", "WORKS_FOR", "ACME", "Ada Lovelace works for ACME."),),
    )
    with ReadingModel() as model:
        settings = Settings(home=tmp_path, anthropic_api_key="sk-none", anthropic_base_url=model.url)
        services = build_services(settings, graph=MemoryGraphStore(), embedder=WordEmbedder())
        services.bridge.run(services.graph.write("_", stored))
        extractor = ModelExtractor(services.workspace("_"), "reader")
        list(extractor.extract([SourceText("t", text)], DEFAULT_SCHEMA, Watch()))
        services.close()
    sent = {}
    for request in model.requests:
        tool, prompt = request["tools"][0], request["messages"][0]["content"]
        characters = len(request["system"]) + len(prompt) + len(str(tool))
        sent[tool["name"]] = characters / guessed.CHARACTERS_PER_TOKEN
    assert set(sent) == set(PROMPTS)
    for name, tokens in sent.items():
        assert tokens == pytest.approx(PROMPTS[name], rel=0.1), name
