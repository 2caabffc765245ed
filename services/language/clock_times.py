"""Times of a day in English text, before or after the date that they belong to."""

import re
from datetime import datetime, timedelta

from services.language.numbers import number

_HOURS_AHEAD = {
    "z utc gmt wet": 0,
    "cet bst west": 1,
    "cest eet": 2,
    "eest msk": 3,
    "ist": 5.5,
    "sgt hkt": 8,
    "jst kst": 9,
    "aest": 10,
    "aedt": 11,
    "edt": -4,
    "est cdt": -5,
    "cst mdt": -6,
    "mst pdt": -7,
    "pst": -8,
}
_ZONES = {zone: int(hours * 60) for zones, hours in _HOURS_AHEAD.items() for zone in zones.split()}
_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_BESIDE = {"half past": 30, "quarter past": 15, "quarter to": -15}
_CLOCK = (
    r"(?:(?P<noon>noon|midday|midnight)\b"
    r"|(?P<hour4>[01]\d|2[0-3])(?P<minute4>[0-5]\d)(?:\s?h(?:ou)?rs\b|\s?h\b|(?=\s?(?:z|utc|gmt)\b))"
    rf"|(?:(?P<beside>{'|'.join(_BESIDE)})\s+)?(?P<hour>\d\d?(?!\d)|{_HOURS})(?![^\W\d_apmh])"
    r"(?:(?P<point>[:.h])(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d(?:[.,]\d+)?))?(?!\d))?(?P<oclock>\s+o['’]clock)?"
    r"(?:\s*(?P<half>[ap])\.?m\b\.?)?(?:\s+(?:in\s+the|at)\s+(?P<part>morning|afternoon|evening|night))?)"
    rf"(?:\s*\(?(?:(?:utc|gmt)\s?(?=[+-]))?(?P<zone>[+-](?:\d\d:?\d\d|\d\d?)|{'|'.join(_ZONES)})\b\)?)?"
)
_FROM = re.sub(r"\?P<(\w+)>", r"?P<from_\1>", _CLOCK)
_TO = r"(?:\s*(?:–|—|\bto\b|\buntil\b|\btill\b|\band\b)\s*|(?<!:\d\d:\d\d)-|\s+-\s+)"
_TIMES = rf"(?P<at>\b(?:at|from|between|around|about|by)\s+)?(?P<times>(?:{_FROM}{_TO})?{_CLOCK})"
_BEFORE = (
    rf"(?<![\w:.,$€£-]){_TIMES}(?:\s*,|\s+on|\s+of)?\s+"
    r"(?:the\s+)?(?:(?:morning|afternoon|evening|night)\s+of\s+)?(?:the\s+)?$"
)
_AFTER = rf"(?:\s*[,(@]?\s*|:(?=\d\d:)){_TIMES}"
_SHARED = ("half", "part", "zone")
"""What the second of two times says of the first too."""

_Clock = dict[str, str | None]


def with_time(text: str, start: int, end: int, midnight: datetime) -> tuple[int, int, datetime, datetime] | None:
    """Return where the day at `start` to `end` and the time of day beside it stand, and when that begins and ends."""
    part = re.search("morning|afternoon|evening|night", text[start:end], re.I)
    before = re.compile(_BEFORE, re.I).search(text, max(start - 80, 0), start)
    for match in (before, re.compile(_AFTER, re.I).match(text, end)):
        if match and (span := _span(match.groupdict(), part[0] if part and match["at"] else None)):
            return min(start, match.start("times")), max(end, match.end()), midnight + span[0], midnight + span[1]
    return None


def _span(given: _Clock, part: str | None) -> tuple[timedelta, timedelta] | None:
    """Return how long after midnight in UTC a time of day, or a range of them, begins and ends."""
    given["part"] = given["part"] or part
    end = _after_midnight(given)
    if end is None or not (given["from_noon"] or given["from_hour4"] or given["from_hour"]):
        return end if end is None else (end, end)
    first = {name.removeprefix("from_"): words for name, words in given.items() if name.startswith("from_")}
    shared = {name: given[name] for name in _SHARED if not first[name]}
    begin = _after_midnight(first | shared | {"oclock": "o'clock"})
    if begin is None:
        return None
    if begin > end and given["half"] and not first["half"]:
        begin -= timedelta(hours=12)
    return begin, end + timedelta(days=begin > end)


def _after_midnight(given: _Clock) -> timedelta | None:
    """Return how long after midnight in UTC a time of day is; None for a number that nothing marks as one."""
    minute, half, part = given["minute4"] or given["minute"] or "0", given["half"], (given["part"] or "").lower()
    hour = int(number(given["hour4"] or given["hour"] or "0"))
    if given["noon"]:
        hour = 0 if given["noon"].lower() == "midnight" else 12
    elif half:
        hour = hour % 12 + 12 * (half.lower() == "p")
    elif hour < 12 and part in ("afternoon", "evening", "night"):
        hour += 12
    is_marked = any(given[name] for name in ("noon", "hour4", "minute", "half", "oclock", "beside", "part"))
    if hour > 23 or not is_marked or (given["point"] == "." and not half):
        return None
    minutes = int(minute) + (_BESIDE[given["beside"].lower()] if given["beside"] else 0) - _zone(given["zone"] or "z")
    return timedelta(hours=hour, minutes=minutes, seconds=float((given["second"] or "0").replace(",", ".")))


def _zone(zone: str) -> int:
    """Return the minutes that a zone is ahead of UTC."""
    if zone[0] not in "+-":
        return _ZONES[zone.lower()]
    return (int(zone[1:3]) * 60 + int(zone[3:].lstrip(":") or 0)) * (1 if zone[0] == "+" else -1)
