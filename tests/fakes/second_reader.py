"""An extractor that reads what `LineExtractor` reads, and takes the starts of some facts for ends in a month."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from services.core.draft_records import Draft, Extraction, Schema, SourceText, Watch
from tests.fakes.line_extractor import LineExtractor


class SecondReader(LineExtractor):
    """Reads an end in every start of a relation that is called LEFT, and a year in every other one."""

    def extract(self, sources: Sequence[SourceText], schema: Schema, watch: Watch) -> Iterator[Extraction]:
        """The drafts of each text's lines, dated otherwise."""
        for extraction in super().extract(sources, schema, watch):
            yield replace(extraction, drafts=tuple(map(_otherwise, extraction.drafts)))


def _otherwise(draft: Draft) -> Draft:
    if draft.relation == "LEFT":
        return replace(draft, valid_at=None, invalid_at=draft.valid_at, invalid_at_precision="month")
    return replace(draft, valid_at_precision="year" if draft.valid_at else "instant")
