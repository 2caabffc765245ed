"""JSON: what people and programs give us to read, and records as documents for them."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from services.core import clock
from services.core.errors import AsofError, BadInput
from services.core.health_records import DatesRead
from services.core.models import STATEMENTS, Change, ChangeKind, Diff, Fact, Instants

Json = dict[str, Any]


def read_json(
    where: str, text: str | bytes, hint: str = "", *, parse_constant: Callable[[str], Any] | None = None
) -> Any:
    """Return the JSON document that somebody gave us, called `where` in what is said of it.

    Raises `BadInput`, also for a key that one object has twice: one of its values would be lost.
    """
    try:
        read = text if isinstance(text, str) else text.decode("utf-8-sig")
        return json.loads(read, object_pairs_hook=_once_each, parse_constant=parse_constant)
    except AsofError as error:
        raise BadInput(f"{where} {error.message}", error.hint or hint) from error
    except RecursionError as error:
        raise BadInput(f"{where} is nested too deeply.", hint) from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{where} is not UTF-8 text.", hint) from error
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in error.doc else ""
        raise BadInput(f"{where} is not valid JSON: the error is at {line}column {error.colno}.", hint) from error
    except ValueError as error:  # the only other one: an integer of more digits than Python reads
        raise BadInput(f"{where} has a number with too many digits.", hint) from error


def _once_each(pairs: list[tuple[str, Any]]) -> Json:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise BadInput(f"has the key “{twice[:80]}” twice in one object.", "Rename or remove one of them.")
    return found


def json_text(document: Any) -> str:
    """A document as one line of JSON that UTF-8 can hold, whatever was sent to us as half a character."""
    text = json.dumps(document, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(document)
    return text


USUAL: Json = {"valid_at_precision": "instant", "invalid_at_precision": "instant", "ended_unknown": False}
"""What a fact's document says only where it is something else."""


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
    return {name: value for name, value in document.items() if name not in USUAL or value != USUAL[name]}


def read_fact(document: Mapping[str, Any]) -> Fact:
    """The fact of such a document."""
    parts = {
        "text" if name == "fact" else name: clock.parse_instant(value) if name.endswith("_at") and value else value
        for name, value in document.items()
    }
    return Fact(**parts | {"episodes": tuple(document["episodes"])})


_READ_INSTANTS = ("valid_at", "invalid_at", "recorded_end")


def dates_document(read: DatesRead) -> Json:
    """The dates that a text is read to say, for JSON."""
    return asdict(read) | {name: spelled(getattr(read, name)) for name in _READ_INSTANTS}


def read_dates(document: Json) -> DatesRead:
    """The dates of such a document."""
    given = {name: document[name] and clock.parse_instant(document[name]) for name in _READ_INSTANTS}
    return DatesRead(**document | given)


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
