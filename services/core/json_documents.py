"""What the terminal and other programs are given: records as documents for JSON."""

import json
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from services.core import clock
from services.core.errors import AsofError
from services.core.models import STATEMENTS, Change, ChangeKind, Diff, Fact, Instants

Json = dict[str, Any]


def json_text(document: Any) -> str:
    """A document as one line of JSON that UTF-8 can hold, whatever was sent to us as half a character."""
    text = json.dumps(document, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(document)
    return text


def fact_document(fact: Fact) -> Json:
    """A fact for JSON: instants in ISO 8601 UTC, and the text under `fact`, as Graphiti calls it."""
    document: Json = {}
    for part in fields(fact):
        value = getattr(fact, part.name)
        document["fact" if part.name == "text" else part.name] = (
            spelled(value) if isinstance(value, datetime) else value
        )
    document["attributes"] = {name: value for name, value in fact.attributes.items() if name != STATEMENTS}
    document["episodes"] = list(fact.episodes)
    return document


def error_document(error: AsofError) -> Json:
    """An error for JSON."""
    return {"kind": type(error).__name__, "message": error.message, "hint": error.hint}


_KINDS: dict[ChangeKind, str] = {"added": "added", "ended": "ended", "corrected": "corrected", "re-dated": "re_dated"}


def diff_document(found: Diff) -> Json:
    """Differences by kind, with how many there are of each."""
    totals = {name: found.totals.get(kind, 0) for kind, name in _KINDS.items()}
    lists = {name: [change_document(c) for c in found.changes if c.kind == kind] for kind, name in _KINDS.items()}
    return {"totals": totals, **lists}


def change_document(change: Change) -> Json:
    """A difference for JSON, without its kind."""
    return {
        "at": spelled(change.at),
        "before": change.before and fact_document(change.before),
        "after": change.after and fact_document(change.after),
        "cause": asdict(change.cause),
    }


def instants_document(at: Instants) -> Json:
    """The two clocks of a question."""
    return {"as_of": spelled(at.as_of), "known_at": spelled(at.known_at)}


def spelled(value: datetime | None) -> str | None:
    """An instant in ISO 8601 UTC."""
    return None if value is None else clock.spell(value)
