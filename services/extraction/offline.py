"""The extractor without a language model: texts to drafts by rules over parsed sentences and by a small network."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from services.core.draft_records import Draft, Extraction, Schema, SourceText, Watch
from services.extraction.date_choice import settled
from services.extraction.date_confidence import DateEvidence, with_date_confidence
from services.extraction.rules.findings import Finding
from services.extraction.rules.read_texts import LONGEST, read_texts
from services.extraction.rules.texts import TextReading
from services.extraction.weighing import Weight, identity, weighed

DOUBTFUL = 0.6
"""What remains of the confidence of what is told under a condition, as a plan or as hearsay: it is never ticked."""


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
                yield Extraction(
                    problem=f"A paragraph is longer than {LONGEST:,} characters.",
                    hint="Split the paragraph, then retry.",
                )
            else:
                yield Extraction(tuple(_drafts(source, reading, schema, watch)))


def _drafts(source: SourceText, reading: TextReading, schema: Schema, watch: Watch) -> Iterator[Draft]:
    kinds = {relation.name: relation for relation in schema.relations}
    types = {kind.name for kind in schema.types}
    weights, given = weighed(reading, watch), reading.given_dates()
    for finding, place in reading.finished():
        kind, weight = kinds.get(finding.relation), weights.get(identity(finding))
        if kind is None or weight is None:
            continue
        start, end = reading.places[place]
        source_type, target_type = (
            _typed(finding.source.type, kind.sources, types),
            _typed(finding.target.type, kind.targets, types),
        )
        evidence = settled(evidence_of(finding, place, weight, reading))
        draft = _draft(replace(finding, times=evidence.times), source.text[start:end], start, end)
        sure = round(confidence_of(finding, weight), 3)
        draft = replace(draft, source_type=source_type, target_type=target_type, confidence=sure)
        yield given.added_to(with_date_confidence(draft, evidence))


def confidence_of(finding: Finding, weight: Weight) -> float:
    """How often findings like this one were right."""
    return DOUBTFUL * weight.share if finding.is_doubtful else weight.share


def evidence_of(finding: Finding, place: int, weight: Weight, reading: TextReading) -> DateEvidence:
    """What is known of the dates of a finding, which is told at the place of that number."""
    changes = reading.transitions_of(finding)
    return DateEvidence(
        finding.relation,
        finding.times,
        weight.share,
        weight.is_ruled,
        beside=tuple(reading.dates_at.get(place, ())),
        seen=weight.dates,
        begun=tuple(one.times.valid_at for one in changes if not one.ends),
        ended=tuple(one.times.invalid_at for one in changes if one.ends),
    )


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
