"""The year that a text speaks of where it names a day or a month without one."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from services.language.calendar import Closed, add, days, months, unit_at
from services.language.date_readers import Reader
from services.language.numbers import ordinal

_OPENING = r"(?:^|(?<=[.!?:;]\s)|(?<=\n))[^\w\n]*"
_YEAR = r"(?P<year>1\d{3}|20\d\d)(?![\w/]|[-.,]\d)"
_TOPIC = re.compile(
    rf"{_OPENING}(?i:(?:the|in\s+the)\s+year\s+{_YEAR}|back\s+in\s+{_YEAR.replace('year', 'back')}"
    rf"|(?:[^\W\d]+\s+){{0,2}}{_YEAR.replace('year', 'heading')}\s*[.:](?=\s)"
    rf"|{_YEAR.replace('year', 'subject')}\s+(?:was|saw|brought|had|began|started|proved|turned)\b)"
)
"""What makes a year the topic of what follows: "The year 2014 was ...", "Back in 2008", "Chronicle 1977."."""

_SCENE = re.compile(rf"{_OPENING}(?i:(?:early\s+|late\s+)?(?:in|during)\s+{_YEAR})")
"""What sets one sentence and the next in a year: "In 1942 the fleet sailed."."""

_SENTENCE_END = re.compile(r"(?<=[^\W\d_]{3})[.!?]\s|\n")
_REACH = 1_000
"""So many characters before a date its year may be told."""


@dataclass(frozen=True, slots=True)
class SpokenYear:
    """The year or the date that a day without a year is near to. `is_sure` where the text plainly goes on with it."""

    near: Closed
    is_sure: bool


@dataclass(frozen=True, slots=True)
class SpokenYears:
    """The years that a text speaks of: those that it makes its topic, and its dates with a year, each at its place.

    `is_dated` says that the text has a time of its own, from which a date without a year counts as well.
    """

    text: str
    topics: Sequence[tuple[int, int, bool]]
    dates: Sequence[tuple[int, Closed]]
    is_dated: bool

    def before(self, match: re.Match[str]) -> SpokenYear | None:
        """Return what tells the year of a date without one, or the month of "the 17th"."""
        position = match.start("date")
        if match.groupdict().get("of_month"):
            day = self._day_before(position)
            return SpokenYear(day, is_sure=True) if day else None
        given = [(end, closed) for end, closed in self.dates if position - _REACH < end <= position]
        if topic := self._topic(position, given):
            return topic
        if self.is_dated or not given:
            return None
        end, closed = given[-1]
        is_sure = closed.precision in ("day", "month", "instant") and self._breaks(end, position) <= 1
        return SpokenYear(closed, is_sure)

    def _day_before(self, position: int) -> Closed | None:
        """Return the day that "the 17th" follows in its sentence or the next."""
        given = [closed for end, closed in self.dates if end <= position and self._breaks(end, position) <= 1]
        return given[-1] if given and given[-1].precision == "day" else None

    def _topic(self, position: int, given: Sequence[tuple[int, Closed]]) -> SpokenYear | None:
        """Return the year of a topic or a scene; in a dated text the sentence behind a scene may be of now."""
        for end, year, is_topic in reversed(self.topics):
            if end <= position and "\n\n" not in self.text[end:position]:
                others = any(at > end and closed.first.year != year for at, closed in given)
                breaks = self._breaks(end, position)
                if others or not (is_topic or breaks <= 1):
                    return None
                return SpokenYear(months(year, 1, "year"), is_sure=is_topic or not breaks or not self.is_dated)
        return None

    def _breaks(self, start: int, end: int) -> int:
        return len(_SENTENCE_END.findall(self.text, start, end))


def left_out_years(text: str, dates: Iterable[tuple[int, Closed]], *, is_dated: bool) -> SpokenYears:
    """Return the years that a text speaks of; `dates` are where those with a year end, and when they are."""
    single = [(end, one) for end, one in dates if one.last <= add(one.first, 1, "year")]
    return SpokenYears(text, sorted(_topics(text)), sorted(single, key=lambda date: date[0]), is_dated)


def _topics(text: str) -> Iterator[tuple[int, int, bool]]:
    for pattern, is_topic in ((_TOPIC, True), (_SCENE, False)):
        for match in pattern.finditer(text):
            year = next(number for number in match.groups() if number)
            yield match.end(), int(year), is_topic


def near(match: re.Match[str], reader: Reader, closed: Closed) -> Closed | None:
    """Read a date without a year as of the year of another; one of "December 1960" and "March" is in the year after."""
    given = match.groupdict()
    if given.get("of_month"):
        return _day_after(ordinal(match["of_month"]), closed)
    if given.get("weekday") or given.get("weekend"):
        return None
    readings = reader(match, closed.first)
    fitting = [one for one in readings if one.first.year == closed.first.year] if isinstance(readings, tuple) else []
    if not fitting:
        return None
    one = fitting[-1]
    is_next = closed.precision != "year" and closed.first.month - one.first.month >= 7
    return Closed(add(one.first, 1, "year"), add(one.last, 1, "year"), one.precision) if is_next else one


def _day_after(number: int, closed: Closed) -> Closed | None:
    """Return the next day of that number after a day."""
    if closed.precision != "day":
        return None
    month = unit_at(closed.first, "month").first
    if number <= closed.first.day:
        month = add(month, 1, "month")
    found = days(add(month, number - 1, "day"), 1)
    return found if found.first.month == month.month else None
