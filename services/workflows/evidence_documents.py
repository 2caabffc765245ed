"""What a step found, as JSON that is kept with the run, and back."""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import date, datetime
from typing import Any

from services.core import clock
from services.core.answer_records import Evidence
from services.core.json_documents import Json, fact_document, read_fact, spelled
from services.core.models import Chunk, Document, Instants

_TIMES = tuple(part.name for part in fields(Document) if part.name.endswith(("_at", "_time")))
_MOST_ROWS = 200


def evidence_text(one: Evidence) -> str:
    """Return what was found as a line of JSON."""
    document: Json = {
        "kind": one.kind,
        "id": one.id,
        "at": [[spelled(at.as_of), spelled(at.known_at)] for at in one.at],
        "text": one.text,
        "fact": fact_document(one.fact) if one.fact else None,
        "chunk": asdict(one.chunk) if one.chunk else None,
        "document": asdict(one.document) if one.document else None,
        "rows": [dict(row) for row in one.rows[:_MOST_ROWS]],
        "total": one.total,
        "is_whole": one.is_whole,
        "asked": dict(one.asked),
    }
    return json.dumps(document, default=_plain)


def read_evidence(document: Mapping[str, Any]) -> Evidence:
    """Return what was found from its document."""
    chunk, whole = document["chunk"], document["document"]
    at = tuple(Instants(clock.parse_instant(a), clock.parse_instant(k)) for a, k in document["at"])
    return Evidence(
        0,
        document["kind"],
        document["id"],
        at,
        document["text"],
        read_fact(document["fact"]) if document["fact"] else None,
        Chunk(**{**chunk, "keywords": tuple(chunk["keywords"])}) if chunk else None,
        _read_document(whole) if whole else None,
        tuple(document["rows"]),
        document["total"],
        document["is_whole"],
        document["asked"],
    )


def _read_document(document: Mapping[str, Any]) -> Document:
    times = {name: clock.parse_instant(document[name]) if document[name] else None for name in _TIMES}
    return Document(**{**document, **times, "tags": tuple(document["tags"])})


def _plain(value: Any) -> Any:
    """What rows may hold beside what JSON knows."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, datetime):
        return clock.spell(clock.instant(value))
    return value.isoformat() if isinstance(value, date) else str(value)
