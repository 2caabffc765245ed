"""The dates that a text states, as the check holds them against when facts began and ended."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from services.language.calendar import Closed, part_of
from services.language.date_words import words_before
from services.language.dates import DateMention, dates_in

Role = Literal["at", "since", "until", "before", "after", "by", "from", "to", "between"]

_LEADS: dict[str, Role] = {"by": "by", "no later than": "by", "from": "from", "to": "to", "between": "between"}
_LEAD = re.compile(rf"\b(?P<lead>{'|'.join(_LEADS)})\s+(?:the\s+)?$", re.IGNORECASE)
_NAMED = re.compile(r"\d|ies\b|cent", re.IGNORECASE)
"""What every date has that needs no other one to count from: a figure, or the word of a decade or a century."""

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class StatedDate:
    """A date in a text: from `first` to before `last`, at `start` to `end` of the text, with what leads to it.

    `bare` is true for four digits that may be a number as well. `to` ends a range that this one begins.
    """

    start: int
    end: int
    first: datetime
    last: datetime
    role: Role = "at"
    bare: bool = False
    to: "StatedDate | None" = None

    def holds(self, instant: datetime | None, *, slack: timedelta = timedelta()) -> bool:
        """True when an instant is within it, or so little before."""
        return instant is not None and self.first - slack <= instant < self.last

    @property
    def is_day(self) -> bool:
        """True when it is named to the day, or finer."""
        return self.last - self.first <= _DAY


def stated_dates(text: str) -> list[StatedDate]:
    """Return the dates of a text in order; those that count from an unknown day are left out."""
    mentions = dates_in(text, None) if _NAMED.search(text) else ()
    return [_stated(text, mention) for mention in mentions if not mention.problem]


def _stated(text: str, mention: DateMention) -> StatedDate:
    start, end = mention.start, mention.end
    lead = _LEAD.search(words_before(text, start))
    role = _LEADS[lead["lead"].lower()] if lead else mention.bound or "at"
    first, *last = map(_loosely, mention.named)
    to = StatedDate(start, end, *last[0], "to") if last else None
    return StatedDate(start, end, *first, role, text[start:end].isdigit(), to)


def _loosely(period: Closed) -> tuple[datetime, datetime]:
    """Return the bounds of what a date may mean: "the end of 2015" its last third, a time of day its minute."""
    if period.edge_of and period.edge_of.precision not in ("instant", "day", "week"):
        place = 0 if period.first == period.edge_of.first else 2
        period = part_of(period.edge_of, 3, place, place)
    if period.last > period.first:
        return period.first, period.last
    return period.first, period.last + timedelta(seconds=1 if period.last.second else 60)
