"""Faults of Graphiti's own that reading with a model works around: where one of these tests fails, the cure can go."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.fakes.messages_server import say, status
from tests.fakes.reading_model import ReadingModel
from tests.fakes.scripted_llm import ScriptedLLM
from tests.loops import alone

# isort: split
from anthropic import AsyncAnthropic
from graphiti_core.edges import EntityEdge
from graphiti_core.llm_client.anthropic_client import AnthropicClient
from graphiti_core.llm_client.config import LLMConfig
from graphiti_core.nodes import EpisodeType, EpisodicNode
from graphiti_core.prompts.extract_nodes import ExtractedEntities
from graphiti_core.prompts.models import Message
from graphiti_core.utils.maintenance.edge_operations import resolve_extracted_edge

Y = {year: datetime(year, 1, 1, tzinfo=UTC) for year in range(2000, 2030)}
PROMPT = [Message(role="system", content="Read."), Message(role="user", content="<TEXT>\nNothing.\n</TEXT>")]


def edge(uuid: str, start: int | None, fact: str = "Ada works for ACME.") -> EntityEdge:
    return EntityEdge(
        uuid=uuid,
        group_id="g",
        source_node_uuid="ada",
        target_node_uuid=f"of-{uuid}",
        name="WORKS_FOR",
        fact=fact,
        created_at=Y[2020],
        valid_at=Y[start] if start else None,
    )


def test_its_client_passes_what_the_sdk_has_removed(model: ReadingModel) -> None:
    async def ask() -> Any:
        async with AsyncAnthropic(api_key="sk-none", base_url=model.url) as sdk:
            client = AnthropicClient(LLMConfig(model="reader"), client=sdk)
            return await client.generate_response(list(PROMPT), ExtractedEntities)

    with pytest.raises(TypeError, match="temperature"):
        alone(ask())
    assert model.requests == []


def test_its_client_without_a_model_names_one_that_the_sdk_does_not_know() -> None:
    from anthropic.types import Model

    client = AnthropicClient(LLMConfig(api_key="sk-none"))
    assert client.model not in str(Model)


class _Cured(AnthropicClient):
    """Its client as it would be with an older SDK."""

    def __init__(self, sdk: AsyncAnthropic) -> None:
        class WithoutTemperature:
            async def create(self, *, temperature: float, **given: Any) -> Any:
                async with sdk.messages.stream(**given) as stream:  # the fake endpoint speaks streams only
                    return await stream.get_final_message()

        class Sdk:
            messages = WithoutTemperature()

        super().__init__(LLMConfig(model="reader"), client=Sdk())  # type: ignore[arg-type]


def ask_cured(model: ReadingModel) -> tuple[_Cured, Any]:
    async def ask() -> tuple[_Cured, Any]:
        async with AsyncAnthropic(api_key="sk-none", base_url=model.url, max_retries=0) as sdk:
            client = _Cured(sdk)
            try:
                return client, await client.generate_response(list(PROMPT), ExtractedEntities)
            except Exception as error:  # noqa: BLE001 - what it raises is looked at
                return client, error

    return alone(ask())


def test_its_client_asks_three_times_with_a_key_that_is_refused(model: ReadingModel) -> None:
    model.trouble["Nothing"] = status(401, "No such key.")
    ask_cured(model)
    assert len(model.requests) + len(model.refused) == 3


def test_its_client_loses_the_tokens_of_what_it_cannot_read(model: ReadingModel) -> None:
    model.trouble["Nothing"] = say("I would rather not.")
    client, _ = ask_cured(model)
    assert model.spent[0] > 0
    assert client.token_tracker.get_total_usage().input_tokens == 0


def test_it_stores_an_undated_fact_where_the_dates_could_not_be_had() -> None:
    class Down(ScriptedLLM):
        async def _generate_response(self, *_: Any, **__: Any) -> Any:
            raise ConnectionError("down")

    new = edge("new", None)
    resolved, _, _ = alone(resolve_extracted_edge(Down(), new, [], [], _episode()))
    assert resolved.valid_at is None


def test_it_ends_a_new_fact_by_a_stored_one_that_starts_later() -> None:
    llm = ScriptedLLM()
    llm.script["EdgeDuplicate"].append({"duplicate_facts": [], "contradicted_facts": [0]})
    stored, new = edge("stored", 2015), edge("new", 2010, "Ada works for Initech.")
    resolved, ended, _ = alone(resolve_extracted_edge(llm, new, [], [stored], _episode()))
    assert (resolved.invalid_at, ended) == (Y[2015], [])


def _episode() -> EpisodicNode:
    text = EpisodeType.text
    return EpisodicNode(name="e", group_id="g", source=text, source_description="", content="", valid_at=Y[2024])
