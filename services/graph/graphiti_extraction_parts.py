"""What Graphiti is made of where it only reads: a model that is asked through us, and no database."""

import asyncio
import hashlib
import os
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

os.environ.setdefault("GRAPHITI_TELEMETRY_ENABLED", "false")

from graphiti_core.cross_encoder.client import CrossEncoderClient
from graphiti_core.driver.driver import GraphDriver, GraphProvider
from graphiti_core.driver.graph_operations.graph_operations import GraphOperationsInterface
from graphiti_core.driver.search_interface.search_interface import SearchInterface
from graphiti_core.embedder.client import EmbedderClient
from graphiti_core.llm_client.client import LLMClient, get_extraction_language_instruction
from graphiti_core.llm_client.config import LLMConfig
from graphiti_core.nodes import EntityNode
from graphiti_core.prompts.extract_nodes import SummarizedEntities
from graphiti_core.prompts.models import Message
from pydantic import BaseModel, ConfigDict

from services.core import clock
from services.core.errors import AsofError, BadInput, WriteFailed
from services.core.models import Entity, Precision
from services.core.precision import coarser

GROUP = "text"
"""The group of everything that Graphiti makes of a text; none of it goes into a database."""
_LONGEST_ANSWER = 16_384
_DATES = ("valid_at", "invalid_at")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TAG = re.compile(r"<(?=[^\w<>]*(?:/|[A-Z][^a-z<>]*>))")
"""Where a tag is closed, or one as Graphiti writes them begins; what nobody sees in between is left out of prompts."""
_ODD = re.compile(r"^[^A-Za-z]+|[^A-Za-z0-9]+")


def label(name: str) -> str:
    """The name of a type as Graphiti takes it: English letters, digits and underscores, no digit first.

    One that is not so already gets a few letters that keep it apart from others.
    """
    if _PLAIN.fullmatch(name):
        return name
    return f"{_ODD.sub('_', name).strip('_') or 'Type'}_{hashlib.blake2b(name.encode(), digest_size=2).hexdigest()}"


def as_data(text: str) -> str:
    """A text that cannot close the tags which Graphiti's prompts put around it; no character is added or lost."""
    return _TAG.sub("‹", text)


class AskingClient(LLMClient):
    """Graphiti's requests, handed to `ask` on other threads, `at_once` at a time.

    Graphiti's own client for Anthropic does not work with the SDK's present version, sends what the SDK has sent again
    already another three times, a wrong key included, and loses the tokens of answers that it cannot use. `problem` is
    the first failure: Graphiti hides those of dates, and nothing is asked after one. `precisions` say by the instant
    how the model gave dates, where it gave no time.
    """

    def __init__(self, ask: Callable[[str, str, type[BaseModel], int | None], dict[str, Any]], at_once: int) -> None:
        super().__init__(LLMConfig(model="ours", small_model="ours", max_tokens=_LONGEST_ANSWER))
        self._ask = ask
        self._slots = asyncio.Semaphore(at_once)
        self.problem: AsofError | None = None
        self.precisions: dict[datetime, Precision] = {}

    async def generate_response(
        self,
        messages: list[Message],
        response_model: type[BaseModel] | None = None,
        max_tokens: int | None = None,
        *_: Any,
        **__: Any,
    ) -> dict[str, Any]:
        """The answer to a prompt. Summaries of entities are not asked for: nobody would read them."""
        assert response_model is not None, "each of Graphiti's prompts has one"
        if response_model is SummarizedEntities:
            return {"summaries": []}
        system, *others = (self._clean_input(message.content) for message in messages)
        system += get_extraction_language_instruction()
        async with self._slots:
            if self.problem is not None:
                raise self.problem
            try:
                answer = await asyncio.to_thread(self._ask, system, "\n\n".join(others), response_model, max_tokens)
            except AsofError as error:
                self.problem = self.problem or error
                raise
        return {name: self._with_instants(name, value) for name, value in answer.items()}

    def _with_instants(self, name: str, value: Any) -> Any:
        """The value with whole instants for dates: Graphiti drops a year or a month."""
        if isinstance(value, list):
            return [self._with_instants(name, one) for one in value]
        if isinstance(value, dict):
            return {key: self._with_instants(key, one) for key, one in value.items()}
        return self._instant(value) if name in _DATES and isinstance(value, str) else value

    def _instant(self, text: str) -> str:
        try:
            at, precision = clock.parse_instant(text), clock.precision(text)
        except (BadInput, ValueError, OverflowError):
            return text
        if precision != "instant":
            self.precisions[at] = coarser(precision, self.precisions.get(at, precision))
        return clock.spell(at)

    async def _generate_response(self, *given: Any, **options: Any) -> dict[str, Any]:
        raise NotImplementedError  # Graphiti's own `generate_response` calls it, which is not used


class _Name(list[float]):
    """What stands for the vector of a name, for our search goes by the name itself."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


class NameVectors(EmbedderClient):
    """Vectors that are made for nobody but `NoDatabase`, which looks names up by what they are of."""

    async def create(self, input_data: Any) -> list[float]:
        """The vector of a text, or of the first of a list of texts."""
        return _Name(input_data if isinstance(input_data, str) else str(next(iter(input_data), "")))

    async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
        """A vector for each text."""
        return [_Name(text) for text in input_data_list]


class NoRanking(CrossEncoderClient):
    """Leaves passages in the order in which they came. Graphiti takes OpenAI's ranking where none is given."""

    async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:  # noqa: ARG002
        """Each passage with the same score."""
        return [(passage, 1.0) for passage in passages]


class NoDatabase(GraphDriver):
    """A driver without a database. Entities are looked up by `entities_like`; everything else is refused.

    `known` are the stored entities that were looked up so far, by uuid; `problem` is the first failure in doing so.
    """

    provider = GraphProvider.FALKORDB

    def __init__(self, entities_like: Callable[[str], Sequence[Entity]]) -> None:
        self._database = GROUP
        self.known: dict[str, Entity] = {}
        self.problem: AsofError | None = None
        self._entities_like = entities_like
        self.search_interface = _Lookup(database=self)
        self.graph_operations_interface = _NoNames()

    def look_up(self, name: str) -> list[EntityNode]:
        """The stored entities that a name may stand for."""
        try:
            entities = self._entities_like(name)
        except AsofError as error:
            self.problem = self.problem or error
            raise
        self.known |= {entity.uuid: entity for entity in entities}
        return [_node(entity) for entity in entities]

    async def execute_query(self, *_: Any, **__: Any) -> Any:
        """Refuse a query. Raises `WriteFailed`, as everything below does."""
        raise self._refused()

    def session(self, *_: Any, **__: Any) -> Any:
        """Refuse a session, which Graphiti writes through."""
        raise self._refused()

    async def close(self) -> None:
        """There is nothing to close."""

    async def delete_all_indexes(self) -> None:
        """Refuse it."""
        raise self._refused()

    async def build_indices_and_constraints(self, *_: Any, **__: Any) -> None:
        """Refuse it."""
        raise self._refused()

    def _refused(self) -> AsofError:
        self.problem = self.problem or WriteFailed(
            "Graphiti tried to use the database during extraction.",
            "Try another model, or use rule-based extraction.",
        )
        return self.problem


class _Lookup(SearchInterface):
    """Graphiti's search for entities that a name may stand for."""

    model_config = ConfigDict(arbitrary_types_allowed=True)
    database: NoDatabase

    async def node_similarity_search(self, driver: Any, search_vector: list[float], *_: Any, **__: Any) -> list[Any]:
        assert isinstance(search_vector, _Name), f"{driver} is asked for the names that `NameVectors` made"
        return await asyncio.to_thread(self.database.look_up, search_vector.name)


class _NoNames(GraphOperationsInterface):
    """Graphiti's look-up by exact names, which finds nothing: they come with the similar ones."""

    async def node_get_by_names(self, *_: Any, **__: Any) -> list[Any]:
        return []


def _node(entity: Entity) -> EntityNode:
    """A stored entity as Graphiti has it, of the group that it looks in."""
    return EntityNode(
        uuid=entity.uuid,
        name=as_data(entity.name),
        group_id=GROUP,
        labels=["Entity", *map(label, entity.types)],
        summary=as_data(entity.summary),
        created_at=entity.created_at or clock.now(),
    )
