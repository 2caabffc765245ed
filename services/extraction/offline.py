"""The extractor without a language model: texts to drafts by rules over parsed sentences and by a small network."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from services.core.draft_records import Draft, Extraction, Schema, SourceText, Watch
from services.extraction.rules.findings import Finding
from services.extraction.rules.read_texts import read_texts
from services.extraction.rules.texts import TextReading
from services.extraction.weighing import identity, weighed

DOUBTFUL = 0.6
"""At most as sure as this is what is told under a condition, as a plan or as hearsay: it is offered, not ticked."""


class OfflineExtractor:
    """Reads facts from English texts by rules and by a small network of its own: no server, no key."""

    @property
    def name(self) -> str:
        """What proposals say they are from."""
        return "rules"

    def extract(self, sources: Sequence[SourceText], schema: Schema, watch: Watch) -> Iterator[Extraction]:
        """One extraction for each text, in order. Raises `Cancelled` and `ExtractorUnavailable`."""
        for source, reading in read_texts(sources, schema, watch):
            if reading.is_too_long:
                yield Extraction(problem="A paragraph is too long to be read.", hint="Split it, then retry.")
            else:
                yield Extraction(tuple(_drafts(source, reading, schema, watch)))


def _drafts(source: SourceText, reading: TextReading, schema: Schema, watch: Watch) -> Iterator[Draft]:
    kinds = {relation.name: relation for relation in schema.relations}
    types = {kind.name for kind in schema.types}
    shares, given = weighed(reading, watch), reading.given_dates()
    for finding, place in reading.finished():
        kind, share = kinds.get(finding.relation), shares.get(identity(finding))
        if kind is None or share is None:
            continue
        start, end = reading.places[place]
        source_type, target_type = (
            _typed(finding.source.type, kind.sources, types),
            _typed(finding.target.type, kind.targets, types),
        )
        draft = given.added_to(_draft(finding, source.text[start:end], start, end))
        sure = min(share, DOUBTFUL) if finding.is_doubtful else share
        yield replace(draft, source_type=source_type, target_type=target_type, confidence=round(sure, 3))


def _typed(type: str, allowed: Sequence[str], types: set[str]) -> str:
    """The type to record, one that the schema has."""
    if type in types and (not allowed or type in allowed):
        return type
    return allowed[0] if len(allowed) == 1 and allowed[0] in types else ""


def _draft(finding: Finding, sentence: str, start: int, end: int) -> Draft:
    return Draft(
        source=finding.source.name,
        relation=finding.relation,
        target=finding.target.name,
        fact=sentence,
        valid_at=finding.times.valid_at,
        invalid_at=finding.times.invalid_at,
        is_over=finding.times.is_over,
        start=start,
        end=end,
    )


def sample_relations(texts: Sequence[str], schema: Schema) -> tuple[list[Draft], Counter[str]]:
    """The drafts of a sample; and relations that verbs tell between names and no rule knows, with how often."""
    unknown: Counter[str] = Counter()
    drafts: list[Draft] = []
    sources = [SourceText(str(number), text) for number, text in enumerate(texts)]
    for source, reading in read_texts(sources, schema, Watch()):
        drafts += _drafts(source, reading, schema, Watch())
        unknown.update(reading.unknown)
    return drafts, unknown
