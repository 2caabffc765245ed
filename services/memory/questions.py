"""What each of the eight queries asks: its inputs checked, the records that fit, and their order."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from services.core.errors import BadInput
from services.core.memory_records import Properties, RecordType
from services.graph.memory_store import RecordFilter
from services.memory.record_fields import SEVERITIES, instant_of

Order = Callable[[Any], float | None]


@dataclass(frozen=True, slots=True)
class MemoryQuestion:
    """A query with its inputs. `noun` is what it looks for, `about` its first input.

    Records are ordered by what `order` makes of the properties `by`, the least first, those without a value last.
    """

    type: RecordType
    noun: str
    about: str
    wanted: RecordFilter
    citizen: str | None
    by: tuple[tuple[str, Order], ...] = ()
    limit: int | None = None
    keywords: tuple[str, ...] = ()
    related: bool = False

    def sort_key(self, properties: Properties) -> tuple[Any, ...]:
        """Return what orders a record among others: nulls last, ties by id."""
        values = [order(properties.get(name)) for name, order in self.by]
        keys = [(value is None, value or 0.0) for value in values]
        return (*keys, str(properties.get("id") or ""))


def partnerships(partner_id: str, citizen: str | None) -> MemoryQuestion:
    """Return the question for partnerships with a partner."""
    name = _text("partner_id", partner_id)
    return MemoryQuestion("Partnership", "partnership", name, RecordFilter({"partner_name": (name,)}), citizen)


def conversations(partner_id: str, keywords: Sequence[str] | None, citizen: str | None, limit: int) -> MemoryQuestion:
    """Return the question for conversations with a partner whose topic has one of the keywords, newest first."""
    if isinstance(keywords, str):
        raise BadInput(f"Invalid keywords: {keywords} (must be a list)")
    name, words = _text("partner_id", partner_id), tuple(_text("keywords", word) for word in keywords or ())
    wanted = RecordFilter({"partner": (name,)}, ("topic",), texts=words)
    by = (("timestamp", _latest),)
    return MemoryQuestion("Conversation_Memory", "conversations", name, wanted, citizen, by, _limit(limit), words)


def technical_context(term: str, issue_type: str | None, citizen: str | None, limit: int) -> MemoryQuestion:
    """Return the question for what is known of a component, latest first."""
    wanted = RecordFilter(_given(issue_type=issue_type), ("component", "description"), texts=(_text("term", term),))
    by = (("updated_at", _latest),)
    return MemoryQuestion("Technical_Context", "technical context", term, wanted, citizen, by, _limit(limit))


def emotional_state(
    context_similar_to: str, emotion_type: str | None, citizen: str | None, limit: int
) -> MemoryQuestion:
    """Return the question for emotions in a context, the most intense first."""
    context = _text("context_similar_to", context_similar_to)
    wanted = RecordFilter(_given("emotion_type", emotion=emotion_type), ("context",), texts=(context,))
    by = (("intensity", _greatest),)
    return MemoryQuestion("Emotional_State", "emotional state", context, wanted, citizen, by, _limit(limit))


def strategy_patterns(situation_type: str, min_success_rate: float, citizen: str | None, limit: int) -> MemoryQuestion:
    """Return the question for approaches to a situation, the most successful first."""
    situation = _text("situation_type", situation_type)
    if not _is_number(min_success_rate) or not 0.0 <= min_success_rate <= 1.0:
        raise BadInput(f"Invalid success_rate: {min_success_rate} (must be 0.0-1.0)")
    least = {"success_rate": float(min_success_rate)}
    wanted = RecordFilter({}, ("applicability",), texts=(situation,), at_least=least)
    by = (("success_rate", _greatest),)
    return MemoryQuestion("Strategy_Pattern", "strategy patterns", situation, wanted, citizen, by, _limit(limit))


def related_code(filename: str, citizen: str | None, limit: int, *, include_dependencies: bool) -> MemoryQuestion:
    """Return the question for files, with those that they depend on and that depend on them."""
    wanted = RecordFilter({}, ("file_path",), texts=(_text("filename", filename),))
    return MemoryQuestion(
        "Code_Reference", "related code", filename, wanted, citizen, (), _limit(limit), related=include_dependencies
    )


def failed_attempts(context: str, citizen: str | None, limit: int) -> MemoryQuestion:
    """Return the question for what failed in a context, the latest first."""
    wanted = RecordFilter({}, ("context",), texts=(_text("context", context),))
    by = (("timestamp", _latest),)
    return MemoryQuestion("Failed_Attempt", "failed attempts", context, wanted, citizen, by, _limit(limit))


def active_constraints(constraint_type: str | None, min_severity: str, citizen: str | None) -> MemoryQuestion:
    """Return the question for what presses now: the most severe first, then what is due first."""
    severity = _text("min_severity", min_severity).casefold()
    if severity not in SEVERITIES:
        raise BadInput(f"Invalid min_severity: {min_severity} (must be {', '.join(SEVERITIES[:-1])} or critical)")
    equal = {
        "status": ("active",),
        **_given(constraint_type=constraint_type),
        "severity": SEVERITIES[SEVERITIES.index(severity) :],
    }
    by = (("severity", _severest), ("deadline", _earliest))
    about = constraint_type or "any type"
    return MemoryQuestion("Constraint", "constraints", about, RecordFilter(equal), citizen, by)


# -- inputs


def checked_citizen(citizen: str | None) -> str | None:
    """Return whose records are asked for. Raises `BadInput` for an empty name."""
    return None if citizen is None else _text("citizen", citizen)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise BadInput(f"Invalid {name}: {value} (must be text)")
    if not value.strip():
        raise BadInput(f"Invalid {name}: the text is empty")
    if "\0" in value:
        raise BadInput(f"Invalid {name}: the text contains the character NUL")
    return value


def _limit(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise BadInput(f"Invalid limit: {value} (must be at least 1)")
    return value


def _given(named: str = "", **filters: str | None) -> dict[str, tuple[str, ...]]:
    """The filters that are given; `named` is how the input is called, where that is not the property."""
    return {name: (_text(named or name, value),) for name, value in filters.items() if value is not None}


# -- orders


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _greatest(value: Any) -> float | None:
    return -float(value) if _is_number(value) else None


def _earliest(value: Any) -> float | None:
    at = instant_of(value)
    return None if at is None else at.timestamp()


def _latest(value: Any) -> float | None:
    at = _earliest(value)
    return None if at is None else -at


def _severest(value: Any) -> float | None:
    folded = value.casefold() if isinstance(value, str) else None
    return -float(SEVERITIES.index(folded)) if folded in SEVERITIES else None


Lens = Literal["relational", "conversational", "technical", "emotional", "strategic", "code", "failure", "constraint"]

LENSES: Mapping[RecordType, Lens] = {
    "Partnership": "relational",
    "Conversation_Memory": "conversational",
    "Technical_Context": "technical",
    "Emotional_State": "emotional",
    "Strategy_Pattern": "strategic",
    "Code_Reference": "code",
    "Failed_Attempt": "failure",
    "Constraint": "constraint",
}
