"""Changes as rows of a table and as files."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from components import dates
from components.markup import relation
from services.core.formulas import harmless
from services.core.json_documents import change_document, fact_document
from services.core.models import Change, Fact

_DATES = ("valid_at", "invalid_at")
_COLUMNS = (
    *("change", "changed_at", "source", "relation", "target", "fact", *_DATES),
    *("target_before", *(f"{name}_before" for name in _DATES), "cause", "fact_uuid"),
)


def rows(changes: Sequence[Change]) -> list[Mapping[str, Any]]:
    """The changes as rows for the eye; their dates sort by time."""
    return [
        {
            "When": dates.day(change.at),
            "Change": change.kind,
            "Entity": change.fact.source,
            "Relation": relation(change.fact.relation),
            "Value": change.fact.target,
            "Holds": dates.fact_span(change.dated_by),
            "Cause": change.cause.text,
        }
        for change in changes
    ]


def as_csv(changes: Sequence[Change]) -> str:
    """One row for each change; what a spreadsheet would run as a formula is preceded by an apostrophe."""
    out = io.StringIO()
    writer = csv.DictWriter(out, _COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for change in changes:
        writer.writerow({name: harmless(str(value or "")) for name, value in _columns(change).items()})
    return out.getvalue()


def as_json(changes: Sequence[Change]) -> str:
    """The changes in their order, each with its fact before and after."""
    listed = [{"change": change.kind, **change_document(change)} for change in changes]
    return json.dumps({"changes": listed}, ensure_ascii=False, indent=1, default=str)


def _columns(change: Change) -> Mapping[str, Any]:
    replaced = change.before if change.kind in {"corrected", "re-dated"} else None
    before = {"target_before": replaced.target, **_dates(replaced, "_before")} if replaced else {}
    return {
        "change": change.kind,
        "changed_at": change_document(change)["at"],
        "source": change.fact.source,
        "relation": change.fact.relation,
        "target": change.fact.target,
        "fact": change.fact.text,
        **_dates(change.dated_by),
        **before,
        "cause": change.cause.text,
        "fact_uuid": change.fact.uuid,
    }


def _dates(fact: Fact, suffix: str = "") -> Mapping[str, Any]:
    document = fact_document(fact)
    return {f"{name}{suffix}": document[name] for name in _DATES}
