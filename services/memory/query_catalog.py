"""The eight queries by name, with their inputs as a form asks for them, and their answers explained."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal

from services.context import OpenWorkspace
from services.core import clock
from services.core.errors import BadInput
from services.core.memory_records import RecordType
from services.memory.confidence import Confidence, confidence_of
from services.memory.findings import LensFinding, finding_of
from services.memory.memory_queries import MemoryQueries
from services.memory.query_result import MemoryResult

InputKind = Literal["text", "words", "limit", "rate", "flag", "severity", "citizen"]

_KINDS: Mapping[str, InputKind] = {
    "keywords": "words",
    "limit": "limit",
    "min_success_rate": "rate",
    "include_dependencies": "flag",
    "min_severity": "severity",
    "citizen": "citizen",
}


@dataclass(frozen=True, slots=True)
class MemoryInput:
    """An input of a query; `default` is None where it may be left out and has none."""

    name: str
    kind: InputKind
    is_required: bool
    default: Any = None


@dataclass(frozen=True, slots=True)
class MemoryQuery:
    """A query: the records that it finds, what it is called for people, and its inputs."""

    name: str
    type: RecordType
    title: str
    inputs: tuple[MemoryInput, ...]


def _query(name: str, type: RecordType, title: str) -> MemoryQuery:
    parameters = list(inspect.signature(getattr(MemoryQueries, name)).parameters.values())[1:]
    empty = inspect.Parameter.empty
    inputs = (
        MemoryInput(p.name, _KINDS.get(p.name, "text"), p.default is empty, None if p.default is empty else p.default)
        for p in parameters
    )
    return MemoryQuery(name, type, title, tuple(inputs))


_ALL = (
    _query("query_partnerships", "Partnership", "Partnerships"),
    _query("query_conversations", "Conversation_Memory", "Conversations"),
    _query("query_technical_context", "Technical_Context", "Technical context"),
    _query("query_emotional_state", "Emotional_State", "Emotional states"),
    _query("query_strategy_patterns", "Strategy_Pattern", "Strategy patterns"),
    _query("query_related_code", "Code_Reference", "Related code"),
    _query("query_failed_attempts", "Failed_Attempt", "Failed attempts"),
    _query("query_active_constraints", "Constraint", "Active constraints"),
)
MEMORY_QUERIES: Mapping[str, MemoryQuery] = MappingProxyType({query.name: query for query in _ALL})
"""The queries by name."""


@dataclass(frozen=True, slots=True)
class MemoryAnswer:
    """What a query answered: its result, the finding under its lens, and how far each record can be relied on."""

    query: MemoryQuery
    result: MemoryResult
    finding: LensFinding
    confidences: tuple[Confidence, ...]


def ask_memory(
    workspace: OpenWorkspace, name: str, given: Mapping[str, Any], known_at: datetime | None
) -> MemoryAnswer:
    """Ask a query by its name. Raises `BadInput` for one that there is not, and for an input that is missing."""
    query = MEMORY_QUERIES.get(name)
    if query is None:
        raise BadInput(f"There is no query “{name}”.", f"Available: {', '.join(MEMORY_QUERIES)}.")
    inputs = {one.name: given[one.name] for one in query.inputs if given.get(one.name) is not None}
    if missing := [one.name for one in query.inputs if one.is_required and one.name not in inputs]:
        raise BadInput(f"{missing[0]}: is required.")
    result: MemoryResult = getattr(MemoryQueries(workspace, known_at), name)(**inputs)
    about = str(inputs.get(query.inputs[0].name) or "any type")
    keywords = inputs.get("keywords") or ()
    at = known_at or clock.now()
    confidences = tuple(confidence_of(query.type, record, at, keywords) for record in result.records)
    return MemoryAnswer(query, result, finding_of(query.type, about, result), confidences)
