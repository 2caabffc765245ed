"""An extractor that finds what a text spells out, a line each: `Ann | LIVES_IN | Paris | 2020 | 2024 | 0.95`.

A date with a question mark behind it is not sure.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from services.core import clock
from services.core.draft_records import Draft, Ending, Extraction, Schema, SourceText, Watch
from services.core.models import Precision

_UNSURE = 0.5


@dataclass
class LineExtractor:
    """`endings` go with every text; texts that hold a word of `failing` have a problem; `asked` are those it was given.

    `meanwhile` is called with each text when half of it is read.
    """

    name: str = "rules"
    endings: tuple[Ending, ...] = ()
    failing: set[str] = field(default_factory=set)
    asked: list[SourceText] = field(default_factory=list)
    tokens: tuple[int, int] = (0, 0)
    meanwhile: Callable[[SourceText], None] = lambda source: None

    def extract(self, sources: Sequence[SourceText], schema: Schema, watch: Watch) -> Iterator[Extraction]:
        """The drafts of each text's lines."""
        for source in sources:
            watch.went(source, 0.5)
            self.meanwhile(source)
            self.asked.append(source)
            if any(word in source.text for word in self.failing):
                yield Extraction((), (), *self.tokens, "The model gave no answer.", "Try again.")
            else:
                yield Extraction(tuple(_drafts(source.text)), self.endings, *self.tokens)


def _drafts(text: str) -> Iterator[Draft]:
    at = 0
    for line in text.split("\n"):
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) >= 3:
            start, end, sure = (*cells[3:], "", "", "")[:3]
            (valid_at, unsure_valid_at), (invalid_at, unsure_invalid_at) = _date(start), _date(end)
            yield Draft(
                *cells[:3],
                fact=" ".join(cells[:3]),
                valid_at=valid_at,
                invalid_at=invalid_at,
                unsure_valid_at=unsure_valid_at,
                unsure_invalid_at=unsure_invalid_at,
                valid_at_confidence=_UNSURE if unsure_valid_at else 1.0,
                invalid_at_confidence=_UNSURE if unsure_invalid_at else 1.0,
                valid_at_precision=_precision(start),
                invalid_at_precision=_precision(end),
                confidence=float(sure or 0.95),
                start=at,
                end=at + len(line),
            )
        at += len(line) + 1


def _precision(cell: str) -> Precision:
    """How exactly a date that is not sure is given: "2017?" is a year, "2017-06?" a month."""
    return ("year", "month", "instant")[cell.count("-")] if cell.endswith("?") else "instant"


def _date(cell: str) -> tuple[datetime | None, datetime | None]:
    """A date of a draft, and one that is not sure."""
    if not cell:
        return None, None
    day = clock.parse_instant(cell.removesuffix("?"))
    return (None, day) if cell.endswith("?") else (day, None)
