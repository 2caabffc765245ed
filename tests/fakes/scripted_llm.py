"""A model for Graphiti that says what a test wrote down, an embedder that needs no model, and no ranking."""

import hashlib
import os
from collections import defaultdict, deque
from typing import Any

os.environ.setdefault("GRAPHITI_TELEMETRY_ENABLED", "false")

from graphiti_core.cross_encoder.client import CrossEncoderClient
from graphiti_core.embedder.client import EMBEDDING_DIM, EmbedderClient
from graphiti_core.llm_client.client import LLMClient
from graphiti_core.llm_client.config import LLMConfig

NOTHING: dict[str, dict[str, Any]] = {
    "ExtractedEntities": {"extracted_entities": []},
    "ExtractedEdges": {"edges": []},
    "NodeResolutions": {"entity_resolutions": []},
    "EdgeDuplicate": {"duplicate_facts": [], "contradicted_facts": []},
    "EdgeTimestamps": {"valid_at": None, "invalid_at": None},
    "SummarizedEntities": {"summaries": []},
}


class ScriptedLLM(LLMClient):
    """Answers by the kind of answer that is asked for: what was put in the script for it, in turn, else nothing."""

    def __init__(self) -> None:
        super().__init__(LLMConfig(model="scripted", small_model="scripted"))
        self.script: dict[str, deque[dict[str, Any]]] = defaultdict(deque)

    def will_find(
        self, *facts: tuple[str, str, str, str], valid_at: str | None, contradicts: tuple[int, ...] = ()
    ) -> None:
        """The next episode says these facts (source, relation, target, text), which contradict these of the candidates.

        Graphiti asks for contradictions only where the graph holds facts already.
        """
        names = dict.fromkeys(name for source, _, target, _ in facts for name in (source, target))
        entities = [{"name": name, "entity_type_id": 0} for name in names]
        edges = [
            {"source_entity_name": s, "target_entity_name": t, "relation_type": r, "fact": text}
            for s, r, t, text in facts
        ]
        self.script["ExtractedEntities"].append({"extracted_entities": entities})
        self.script["ExtractedEdges"].append({"edges": edges})
        for _ in facts:
            self.script["EdgeTimestamps"].append({"valid_at": valid_at, "invalid_at": None})
            if contradicts:
                self.script["EdgeDuplicate"].append({"duplicate_facts": [], "contradicted_facts": list(contradicts)})

    async def _generate_response(self, messages: Any, response_model: Any = None, *args: Any, **options: Any) -> Any:
        kind = response_model.__name__
        waiting = self.script[kind]
        return waiting.popleft() if waiting else NOTHING[kind]


class HashEmbedder(EmbedderClient):
    """The same vector for the same text, and another for another."""

    async def create(self, input_data: Any) -> list[float]:
        text = input_data if isinstance(input_data, str) else " ".join(map(str, input_data))
        digest = hashlib.sha256(text.encode()).digest()
        return [digest[i % len(digest)] / 255 for i in range(EMBEDDING_DIM)]

    async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
        return [await self.create(text) for text in input_data_list]


class NoRanking(CrossEncoderClient):
    """Leaves passages in the order in which they came."""

    async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
        return [(passage, 1.0) for passage in passages]
