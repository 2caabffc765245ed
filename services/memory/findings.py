"""What a query says under its lens: sentences made of the returned records alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from services.core.memory_records import Properties, RecordType
from services.memory.query_result import MemoryResult
from services.memory.questions import LENSES, Lens
from services.memory.related_code import MARK

_LINES: Mapping[RecordType, Mapping[str, str]] = {
    "Partnership": {
        "Partner": "partner_name",
        "Role": "partner_role",
        "Trust": "trust_level",
        "Style": "communication_style",
        "History": "shared_history",
    },
    "Conversation_Memory": {
        "Topic": "topic",
        "When": "timestamp",
        "Tone": "emotional_tone",
        "Messages": "message_count",
        "Key points": "key_points",
    },
    "Technical_Context": {
        "Component": "component",
        "Issue": "issue_type",
        "Description": "description",
        "Recurred": "recurrence_count",
        "Status": "status",
        "Code": "related_code",
    },
    "Emotional_State": {
        "Emotion": "emotion",
        "Intensity": "intensity",
        "Context": "context",
        "Counterbalance": "counterbalance",
        "Trigger": "trigger_pattern",
    },
    "Strategy_Pattern": {
        "Approach": "approach",
        "Success rate": "success_rate",
        "Steps": "steps",
        "Applies to": "applicability",
    },
    "Code_Reference": {
        "File": "file_path",
        "Description": "description",
        "Complexity": "complexity",
        "Depends on": "dependencies",
    },
    "Failed_Attempt": {
        "Tried": "approach",
        "When": "timestamp",
        "Failed because": "why_failed",
        "Lesson": "lesson_learned",
    },
    "Constraint": {
        "Constraint": "description",
        "Type": "constraint_type",
        "Severity": "severity",
        "Deadline": "deadline",
        "Impact": "impact",
    },
}

_NOUNS: Mapping[RecordType, str] = {
    "Partnership": "partnership",
    "Conversation_Memory": "conversation",
    "Technical_Context": "technical",
    "Emotional_State": "emotional",
    "Strategy_Pattern": "strategy",
    "Code_Reference": "code",
    "Failed_Attempt": "failure",
    "Constraint": "constraint",
}


@dataclass(frozen=True, slots=True)
class LensFinding:
    """What a query found under its lens: its data, and the same in words."""

    lens: Lens
    data: Any
    synthesis: str


def finding_of(type: RecordType, about: str, result: MemoryResult) -> LensFinding:
    """Return the finding of a result; `about` is what was asked for."""
    if not result:
        return LensFinding(LENSES[type], None, f"No {_NOUNS[type]} information found for {about}")
    return LensFinding(LENSES[type], result.data, "\n\n".join(synthesis(type, row) for row in result.rows))


def synthesis(type: RecordType, row: Properties) -> str:
    """Return one record in words, a line a field that it has; of related code the pair of it."""
    record = row["primary"] if row.keys() == {"primary", "related"} else row
    lines = [f"{label}: {in_words(record[name])}" for label, name in _LINES[type].items() if name in record]
    if record is not row:
        lines += [f"Related: {other.get('file_path')} ({other[MARK]})" for other in row["related"]]
    return "\n".join(lines)


def in_words(value: Any) -> str:
    """Return the value of a property as people read it."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
