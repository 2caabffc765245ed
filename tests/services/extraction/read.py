"""Reading a text without a language model, told in short."""

from collections.abc import Sequence
from datetime import datetime

from services.core import clock
from services.core.draft_records import Draft, Schema, SourceText, Watch
from services.extraction.offline import OfflineExtractor
from services.extraction.rules.calibration import measured
from services.extraction.rules.findings import Finding
from services.extraction.rules.read_texts import read_texts
from services.extraction.schemas import DEFAULT_SCHEMA
from services.proposals.preselection import SHOWN

TODAY = "2026-03-10"


def drafts(text: str, title: str = "", before: Sequence[str] = (), schema: Schema = DEFAULT_SCHEMA) -> list[Draft]:
    """By rules and network."""
    (extraction,) = OfflineExtractor().extract([_source(text, title, before)], schema, Watch())
    return list(extraction.drafts)


def facts(text: str, title: str = "", before: Sequence[str] = (), schema: Schema = DEFAULT_SCHEMA) -> set[str]:
    """ "Ada Brandt WORKS_FOR Acme 2019-03-01..2022-01-01", by the rules alone, those that would be shown."""
    return {
        as_line(finding) for finding in findings(text, title, before, schema) if measured(finding.confidence()) >= SHOWN
    }


def shown(text: str) -> set[str]:
    """Return the drafts by rules and network that would be shown, as `facts` writes them, with the dates they offer."""
    return {
        _with_dates(
            draft.source,
            draft.relation,
            draft.target,
            draft.valid_at or draft.unsure_valid_at,
            draft.invalid_at or draft.unsure_invalid_at,
        )
        for draft in drafts(text)
        if draft.confidence >= SHOWN
    }


def findings(text: str, title: str = "", before: Sequence[str] = (), schema: Schema = DEFAULT_SCHEMA) -> list[Finding]:
    """By the rules alone."""
    ((_, reading),) = read_texts([_source(text, title, before)], schema, Watch())
    return [finding for finding, _ in reading.finished() if finding.relation in reading.relations]


def _source(text: str, title: str, before: Sequence[str]) -> SourceText:
    return SourceText("1", text, title, clock.parse_instant(TODAY), tuple(before))


def as_line(found: Finding) -> str:
    """Return a finding as `facts` writes it."""
    return _with_dates(
        found.source.name, found.relation, found.target.name, found.times.valid_at, found.times.invalid_at
    )


def _with_dates(source: str, relation: str, target: str, start: datetime | None, end: datetime | None) -> str:
    first, last = (day.date().isoformat() if day else "" for day in (start, end))
    return f"{source} {relation} {target}" + (f" {first}..{last}" if start or end else "")
