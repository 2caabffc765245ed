"""The dates of a sentence: from when to when each one is, and what the words before it make of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

Role = Literal["at", "since", "until", "before", "after", "by", "from", "to", "between", "and"]

_MONTHS = {
    name: n
    for n, name in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1)
}
_SEASONS = {"spring": (3, 6), "summer": (6, 9), "autumn": (9, 12), "fall": (9, 12)}
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_YEAR = r"[12]\d{3}"
_DATE = re.compile(
    rf"""(?<![\w.,/$£€#-])
    (?: (?P<part>early|mid|middle|late|(?:the\s+)?(?:turn|(?:very\s+)?(?:end|beginning|start|middle|close))\s+of)
        [\s-]+ (?:in\s+|the\s+)? )?
    (?: (?P<iso>{_YEAR}-\d\d-\d\d (?:[t\ ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:z|utc|[+-]\d\d:?\d\d)?)?)
      | (?P<slash>{_YEAR}/\d\d?/\d\d?) | (?P<dots>\d\d?\.\d\d?\.{_YEAR})
      | (?P<dmy_d>\d\d?)(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<dmy_m>{_MONTH})(?:,?\s+(?P<dmy_y>{_YEAR}))?
      | (?P<mdy_m>{_MONTH})\s+(?P<mdy_d>\d\d?)(?:st|nd|rd|th)?\b(?!\d)(?:,?\s+(?P<mdy_y>{_YEAR}))?
      | (?P<slashed>(?:0?[1-9]|1[0-2])/{_YEAR})
      | (?P<my_m>{_MONTH}),?\s+(?:of\s+)?(?P<my_y>{_YEAR})
      | (?P<ym>{_YEAR}-(?:0[1-9]|1[0-2]))
      | (?P<feast>new\s+year(?:'s(?:\s+(?:day|eve))?)?|christmas(?:\s+(?:day|eve))?),?\s+(?:(?:of|in)\s+)?
        (?P<feast_y>{_YEAR})
      | (?P<season>spring|summer|autumn|fall)(?:\s+of)?\s+(?P<season_y>{_YEAR})
      | (?:q(?P<quarter>[1-4])|(?P<nth>first|second|third|fourth)\s+quarter\s+of)\s+(?P<quarter_y>{_YEAR})
      | (?P<decade>[12]\d\d0)'?s
      | (?P<year>{_YEAR})
      | (?<=\b(?:in|by)\s)(?P<month>{_MONTH}) | (?<=(?:from|till)\s)(?P<month2>{_MONTH})
      | (?<=(?:since|until)\s)(?P<month3>{_MONTH})
    ) (?![\w%]|[.,]\d|\s*(?:%|percent|million|billion|thousand|km|kg|years\b|days\b|months\b|weeks\b))""",
    re.VERBOSE | re.IGNORECASE,
)
_BEFORE = re.compile(
    r"""(?:^|[\s(,;:–—-])(?P<word>since|ever\s+since|starting(?:\s+(?:on|in|from))?|as\s+of|as\s+at|as\s+from|until|till|through|thru
    |up\s+to|before|prior\s+to|earlier\s+than|no\s+later\s+than|not\s+later\s+than|after|later\s+than|by|from|to|between|and
    |on|in|during|at|of|throughout|around|about|circa)?[\s(]*
    (?:(?:about|around|roughly|approximately|circa|sometime|the|year|on|in|at|period|month|or)\s+)*$""",
    re.VERBOSE,
)
_ROLES: dict[str, Role] = {
    "since": "since",
    "ever since": "since",
    "starting": "since",
    "starting on": "since",
    "starting in": "since",
    "starting from": "since",
    "as from": "since",
    "until": "until",
    "till": "until",
    "through": "until",
    "thru": "until",
    "up to": "until",
    "before": "before",
    "prior to": "before",
    "earlier than": "before",
    "no later than": "by",
    "not later than": "by",
    "after": "after",
    "later than": "after",
    "by": "by",
    "from": "from",
    "to": "to",
    "between": "between",
    "and": "and",
}
_DASH = re.compile(r"\s*(?:–|—|-|to|until|till|through)\s*$")
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Dated:
    """A date in a text: from `first` to before `last`, at `start` to `end` of the text.

    `bare` is true for four digits that may be a number as well. `to` ends a range that this one begins.
    """

    start: int
    end: int
    first: datetime
    last: datetime
    role: Role = "at"
    bare: bool = False
    to: "Dated | None" = None

    def holds(self, instant: datetime | None, *, slack: timedelta = timedelta()) -> bool:
        """True when an instant is within it, or so little before."""
        return instant is not None and self.first - slack <= instant < self.last

    @property
    def is_day(self) -> bool:
        """True when it is named to the day, or finer."""
        return self.last - self.first <= _DAY


def dates(text: str) -> list[Dated]:
    """The dates of a text, in order; the two of a range are one."""
    found = list(_single(text))
    ranged: list[Dated] = []
    for one in found:
        before = ranged[-1] if ranged else None
        joined = before is not None and before.to is None and _joins(text[before.end : one.start], before.role)
        if before is not None and joined and one.last > before.first:
            ranged[-1] = replace(before, to=one, end=one.end, bare=before.bare and one.bare)
        else:
            ranged.append(one)
    return ranged


def _joins(between: str, role: Role) -> bool:
    """True for what stands between the two dates of a range."""
    if _DASH.fullmatch(between):
        return True
    between = between.strip()
    return bool(role == "between" and re.fullmatch(r"and(?:\s+(?:the|about|around))*", between)) or bool(
        role in ("from", "since", "at")
        and re.fullmatch(r",?\s*(?:on\s+|up\s+)?(?:to|until|till|through)(?:\s+the)?", between)
    )


def _single(text: str) -> Iterator[Dated]:
    years = re.findall(rf"\b{_YEAR}\b", text)
    for match in _DATE.finditer(text):
        try:
            first, last = _span(match, years)
        except ValueError:
            continue
        part = (match["part"] or "").lower()
        if part:
            first, last = _part(part, first, last)
        role = _role(text[: match.start()])
        yield Dated(match.start(), match.end(), first, last, role, bool(match["year"]) and not part)


def _role(before: str) -> Role:
    found = _BEFORE.search(before.lower())
    word = " ".join((found["word"] or "").split()) if found else ""
    return _ROLES.get(word, "at")


def _span(match: re.Match[str], years: list[str]) -> tuple[datetime, datetime]:
    """From when to when a date is. Raises ValueError where there is no such day, or no year to be found."""
    if text := match["iso"] or match["slash"] or match["dots"] or match["slashed"]:
        return _digits(text)
    for kind in ("dmy", "mdy"):
        if match[f"{kind}_d"]:
            year = match[f"{kind}_y"] or _nearest_year(match, years)
            return _day(int(year), _month(match[f"{kind}_m"]), int(match[f"{kind}_d"]))
    if match["my_m"]:
        return _months(int(match["my_y"]), _month(match["my_m"]), 1)
    if match["ym"]:
        return _months(int(match["ym"][:4]), int(match["ym"][5:]), 1)
    return _other_span(match, years)


def _other_span(match: re.Match[str], years: list[str]) -> tuple[datetime, datetime]:
    """Of a feast, a season, a quarter, a decade, a month alone, or a year."""
    if match["feast"]:
        return _feast(" ".join(match["feast"].lower().split()), int(match["feast_y"]))
    if match["season"]:
        first, last = _SEASONS[match["season"].lower()]
        return _months(int(match["season_y"]), first, last - first)
    if match["quarter_y"]:
        quarter = int(match["quarter"] or ["first", "second", "third", "fourth"].index(match["nth"].lower()) + 1)
        return _months(int(match["quarter_y"]), quarter * 3 - 2, 3)
    if match["decade"]:
        return _months(int(match["decade"]), 1, 120)
    if name := match["month"] or match["month2"] or match["month3"]:
        return _months(int(_nearest_year(match, years)), _month(name), 1)
    return _months(int(match["year"]), 1, 12)


def _feast(name: str, year: int) -> tuple[datetime, datetime]:
    if name.startswith("new"):
        return _day(year, 12, 31) if name.endswith("eve") else _day(year, 1, 1)
    return _day(year, 12, 24 if name.endswith("eve") else 25)


def _nearest_year(match: re.Match[str], years: list[str]) -> str:
    """The year that a date without one takes: the next that is named, else the last."""
    if not years:
        raise ValueError("no year")
    following = re.search(rf"\b{_YEAR}\b", match.string[match.end() :])
    return following[0] if following else years[-1]


def _digits(text: str) -> tuple[datetime, datetime]:
    if "." in text and text.count(".") == 2 and len(text) <= len("22.05.2015"):
        day, month, year = map(int, text.split("."))
        return _day(year, month, day)
    if text.count("/") == 1:
        month, year = map(int, text.split("/"))
        return _months(year, month, 1)
    if "/" in text:
        year, month, day = map(int, text.split("/"))
        return _day(year, month, day)
    if len(text) == len("2015-05-22"):
        return _day(*map(int, text.split("-")))
    spelt = re.sub(r"\s*(?:utc|z)$", "+00:00", text.strip().lower().replace(" ", "t", 1), flags=re.IGNORECASE)
    at = datetime.fromisoformat(spelt.upper())
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return at, at + (timedelta(seconds=1) if text.count(":") > 1 else timedelta(minutes=1))


def _month(name: str) -> int:
    return _MONTHS[name[:3].lower()]


def _day(year: int, month: int, day: int) -> tuple[datetime, datetime]:
    first = datetime(year, month, day, tzinfo=UTC)
    return first, first + _DAY


def _months(year: int, month: int, count: int) -> tuple[datetime, datetime]:
    after = year * 12 + month - 1 + count
    if after // 12 > datetime.max.year:
        raise ValueError("no such year")
    return datetime(year, month, 1, tzinfo=UTC), datetime(after // 12, after % 12 + 1, 1, tzinfo=UTC)


def _part(part: str, first: datetime, last: datetime) -> tuple[datetime, datetime]:
    """The part of a span that "early", "mid" or "the end of" names, generously."""
    length = last - first
    if part.startswith("mid") or "middle" in part:
        return first + length * 0.25, last - length * 0.25
    if "end" in part or "close" in part:
        return last - length * 0.25, last + _DAY
    if "late" in part:
        return last - length * 0.42, last
    return first, first + length * (0.42 if "early" in part else 0.25)
