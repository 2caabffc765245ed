"""What the fields of an agent's records are: their kinds, and which a record needs to be complete."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from services.core import clock
from services.core.errors import BadInput
from services.core.memory_records import Properties, RecordType

Kind = Literal["text", "texts", "number", "rate", "count", "time", "severity"]

SEVERITIES = ("low", "medium", "high", "critical")
"""From the least to the greatest."""

_OF_ALL: Mapping[str, Kind] = {
    "id": "text",
    "citizen": "text",
    **dict.fromkeys(("timestamp", "created_at", "updated_at", "recorded_at"), "time"),
}

_OF_TYPE: Mapping[RecordType, Mapping[str, Kind]] = {
    "Partnership": {
        "partner_name": "text",
        "partner_role": "text",
        "trust_level": "number",
        "communication_style": "text",
        "shared_history": "texts",
        "relationship_type": "text",
    },
    "Conversation_Memory": {
        "partner": "text",
        "topic": "text",
        "message_count": "count",
        "key_points": "texts",
        "emotional_tone": "text",
    },
    "Technical_Context": {
        "component": "text",
        "issue_type": "text",
        "description": "text",
        "recurrence_count": "count",
        "status": "text",
        "related_code": "texts",
    },
    "Emotional_State": {
        "emotion": "text",
        "intensity": "number",
        "context": "text",
        "counterbalance": "text",
        "trigger_pattern": "text",
    },
    "Strategy_Pattern": {"approach": "text", "success_rate": "rate", "steps": "texts", "applicability": "text"},
    "Code_Reference": {"file_path": "text", "description": "text", "complexity": "text", "dependencies": "texts"},
    "Failed_Attempt": {"context": "text", "approach": "text", "why_failed": "text", "lesson_learned": "text"},
    "Constraint": {
        "constraint_type": "text",
        "description": "text",
        "severity": "severity",
        "deadline": "time",
        "impact": "text",
        "status": "text",
    },
}

REQUIRED: Mapping[RecordType, tuple[str, ...]] = {
    "Partnership": ("partner_name", "partner_role", "trust_level", "communication_style", "shared_history"),
    "Conversation_Memory": ("topic", "key_points", "emotional_tone"),
    "Technical_Context": ("component", "issue_type", "description", "status"),
    "Emotional_State": ("emotion", "intensity", "context", "counterbalance", "trigger_pattern"),
    "Strategy_Pattern": ("approach", "success_rate", "steps", "applicability"),
    "Code_Reference": ("file_path", "description", "complexity"),
    "Failed_Attempt": ("approach", "why_failed", "lesson_learned"),
    "Constraint": ("constraint_type", "description", "severity", "deadline", "impact"),
}
"""A record that lacks one of these is incomplete. A file may need no other, so `dependencies` is none of them."""

NAMES: Mapping[RecordType, tuple[str, ...]] = {
    "Partnership": ("partner_name",),
    "Conversation_Memory": ("partner", "topic"),
    "Technical_Context": ("component", "related_code"),
    "Emotional_State": (),
    "Strategy_Pattern": ("applicability",),
    "Code_Reference": ("file_path", "dependencies"),
    "Failed_Attempt": ("context",),
    "Constraint": (),
}
"""The fields of a record that may name an entity of the graph, beside the citizen."""

TITLES: Mapping[RecordType, str] = {
    "Partnership": "partner_name",
    "Conversation_Memory": "topic",
    "Technical_Context": "component",
    "Emotional_State": "emotion",
    "Strategy_Pattern": "approach",
    "Code_Reference": "file_path",
    "Failed_Attempt": "approach",
    "Constraint": "description",
}
"""The field that people know a record by."""

_OWN_TIME: Mapping[str, str] = {
    "Conversation_Memory": "timestamp",
    "Technical_Context": "updated_at",
    "Failed_Attempt": "timestamp",
}
RECORDED = ("recorded_at", "created_at", "updated_at", "timestamp")


def kind_of(type: RecordType, name: str) -> Kind | None:
    """Return what a field of a type holds; None for one that the type does not know."""
    return _OF_TYPE[type].get(name) or _OF_ALL.get(name)


def in_field_order(type: RecordType, properties: Properties) -> dict[str, Any]:
    """Return properties as people read them: the type's own first, its id and whose it is last."""
    known = [*_OF_TYPE[type], *properties]
    names = [name for name in dict.fromkeys(known) if name in properties and name not in ("citizen", "id")]
    return {name: properties[name] for name in (*names, *(n for n in ("citizen", "id") if n in properties))}


def texts_of(type: RecordType) -> tuple[str, ...]:
    """Return the fields of a type that hold text."""
    return ("id", "citizen", *(name for name, kind in _OF_TYPE[type].items() if kind in ("text", "severity")))


def lists_of(type: RecordType) -> tuple[str, ...]:
    """Return the fields of a type that hold lists of texts."""
    return tuple(name for name, kind in _OF_TYPE[type].items() if kind == "texts")


def title_of(type: RecordType, properties: Properties) -> str:
    """Return what people know a record by."""
    return str(properties.get(TITLES[type]) or properties.get("id") or type)


def instant_of(value: Any) -> datetime | None:
    """Return the instant that a property tells; None where it tells none."""
    try:
        return clock.parse_instant(value) if isinstance(value, str) else None
    except BadInput:
        return None


def recorded_at(properties: Properties) -> datetime | None:
    """Return when a record got the form that it has: the latest of its times. None where it has none."""
    times = (instant_of(properties.get(name)) for name in RECORDED)
    return max((time for time in times if time is not None), default=None)


def time_of(type: RecordType, properties: Properties) -> datetime | None:
    """Return the time by which a record of this type is new or old; None where it has none."""
    own = _OWN_TIME.get(type)
    return (instant_of(properties.get(own)) if own else None) or recorded_at(properties)
