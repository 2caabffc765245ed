"""What keeps a model from reading texts is said, and costs no more than it must."""

import threading
from pathlib import Path

import pytest

from services.agent.app import App
from services.bootstrap import build_services
from services.core.config import Settings
from services.core.draft_records import SourceText, Watch
from services.core.errors import Cancelled, ExtractorUnavailable, GraphUnavailable
from services.extraction.model import ModelExtractor
from services.llm.faults import INSTEAD
from tests.fakes.memory_graph import MemoryGraphStore
from tests.fakes.messages_server import call, reply, say, status
from tests.fakes.reading_model import ReadingModel
from tests.services.extraction.model_reading import SCHEMA, W, read, services

__all__ = ["services"]


def test_of_50_texts_one_that_fails_says_why_and_comes_in_when_it_is_tried_again(
    services: App, model: ReadingModel
) -> None:
    texts = [f"Person{chr(65 + n % 26)}{n} works for ACME since {2000 + n % 25}." for n in range(50)]
    model.trouble["Q16 "] = status(500, "It burns.", retry_after=0)
    found = read(services, *texts)
    failed = [(place, one.problem, one.hint) for place, one in enumerate(found) if one.problem]
    assert failed == [(16, "The model's endpoint failed (500): It burns.", "Try this text again later.")]
    assert [one.drafts[0].source for one in found if one.drafts] == [
        text.split()[0] for text in texts if text != texts[16]
    ]
    assert sum(one.input_tokens for one in found) == model.spent[0]
    assert sum(one.output_tokens for one in found) == model.spent[1]
    model.trouble.clear()
    (again,) = read(services, texts[16])
    assert (again.problem, len(again.drafts)) == ("", 1)


def test_nothing_is_asked_again_for_dates_that_could_not_be_had(services: App, model: ReadingModel) -> None:
    """Graphiti goes on without the dates that it could not get, and would store an undated fact."""
    undated = {"source_entity_name": "Bob", "target_entity_name": "Bern", "relation_type": "LIVES_IN", "fact": "So."}
    model.add(reply(call("ExtractedEntities", extracted_entities=[{"name": "Bob", "entity_type_id": 0}])))
    model.add(reply(call("ExtractedEdges", edges=[undated])), *[status(529, retry_after=0)] * 6)
    (found,) = read(services, "Bob lives in Bern.")
    assert (found.drafts, found.problem) == ((), "The model is overloaded.")


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (reply(call("ExtractedEntities", extracted_entities=[]), cut="eof"), "closed before"),
        (reply(call("ExtractedEntities", extracted_entities=[]), stop="refusal"), "declined"),
        (
            reply(call("ExtractedEntities", extracted_entities=[]), stop="max_tokens"),
            "reached the limit of 8,192 tokens",
        ),
        (say("I would rather not."), "not in the requested format"),
        (status(529, retry_after=0), "overloaded"),
        (status(429, retry_after=500), "accepts no more requests"),
        (status(413, "Too long."), "rejected the request (413): Too long."),
    ],
    ids=["eof", "refusal", "max_tokens", "words", "overloaded", "too long a wait", "too large"],
)
def test_a_text_that_the_model_gives_no_whole_answer_to_says_why(
    services: App, model: ReadingModel, step: dict, told: str
) -> None:
    model.trouble["Trouble"] = step
    bad, good = read(services, "Trouble works for ACME since 2015.", "Bob works for ACME since 2015.")
    assert told in bad.problem
    assert bad.hint
    assert INSTEAD not in bad.hint
    assert [bad.input_tokens + good.input_tokens, bad.output_tokens + good.output_tokens] == model.spent
    assert len(good.drafts) == 1


@pytest.mark.parametrize(("code", "requests"), [(400, 1), (401, 1), (403, 1), (404, 1)])
def test_a_fault_that_every_text_would_meet_makes_the_extractor_unavailable(
    services: App, model: ReadingModel, code: int, requests: int
) -> None:
    model.trouble["works"] = status(code, "No.")
    with pytest.raises(ExtractorUnavailable) as caught:
        read(services, "Bob works for ACME.", "Ada works for ACME.")
    assert caught.value.hint
    assert len(model.requests) == requests


def test_without_a_key_or_an_endpoint_the_extractor_is_unavailable(tmp_path: Path) -> None:
    for settings in (
        Settings(home=tmp_path, anthropic_api_key="", anthropic_base_url="http://127.0.0.1:9"),
        Settings(home=tmp_path, anthropic_api_key="sk-none", anthropic_base_url="http://127.0.0.1:9"),
    ):
        services = build_services(settings, graph=MemoryGraphStore())
        with pytest.raises(ExtractorUnavailable):
            read(services, "Bob works for ACME.")
        services.close()


def test_it_stops_between_requests_once_it_is_cancelled(services: App, model: ReadingModel) -> None:
    cancel = threading.Event()
    sources = [SourceText("a", "Bob works for ACME since 2015."), SourceText("b", "Eve works for ACME since 2015.")]
    found = ModelExtractor(services.workspace(W), "reader").extract(sources, SCHEMA, Watch(cancel))
    assert len(next(found).drafts) == 1
    so_far = len(model.requests)
    cancel.set()
    with pytest.raises(Cancelled):
        next(found)
    assert len(model.requests) == so_far


def test_it_stops_while_the_model_keeps_it_waiting(services: App, model: ReadingModel) -> None:
    cancel = threading.Event()
    model.add({"hang": True})
    threading.Thread(target=lambda: (model.waits.acquire(), cancel.set()), daemon=True).start()
    with pytest.raises(Cancelled):
        list(
            ModelExtractor(services.workspace(W), "reader").extract(
                [SourceText("a", "Bob works for ACME.")], SCHEMA, Watch(cancel)
            )
        )


def test_a_graph_out_of_reach_is_said_before_a_model_is_paid(services: App, model: ReadingModel) -> None:
    services.graph.down = True
    with pytest.raises(GraphUnavailable):
        read(services, "Bob works for ACME.")
    assert model.requests == []


def test_a_text_without_words_costs_nothing(services: App, model: ReadingModel) -> None:
    (found,) = read(services, " \n ")
    assert (found.drafts, found.problem, model.requests) == ((), "", [])


def test_no_summaries_are_paid_for(services: App, model: ReadingModel) -> None:
    """Graphiti has a summary written for each entity without a fact; drafts have none."""
    model.add(
        reply(call("ExtractedEntities", extracted_entities=[{"name": "Bob", "entity_type_id": 0}])),
        reply(call("ExtractedEdges", edges=[])),
    )
    (found,) = read(services, "Bob came.")
    assert (found.drafts, found.problem, len(model.requests)) == ((), "", 2)
