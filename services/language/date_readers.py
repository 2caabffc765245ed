"""How each phrase that names a date is read."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from services.language.calendar import (
    MONTHS_OF,
    Closed,
    Precision,
    add,
    day,
    days,
    easter,
    months,
    nth_weekday,
    unit_at,
)
from services.language.clock_times import with_time
from services.language.date_words import (
    DECADES,
    FEASTS,
    SEASONS,
    SHORT_WEEKDAY,
    amount,
    month_number,
    unit_of,
    weekday_number,
    words_before,
    year,
)
from services.language.numbers import number, ordinal

Reader = Callable[[re.Match[str], datetime], Closed | tuple[Closed, Closed] | None]
"""Reads a phrase; of what comes again without a year, the last one and the coming one."""

_FUTURE = re.compile(
    r"\b(?:will|shall|going to|is due|are due|must|upcoming|next|won['’]t|please|deadline|scheduled|planned|plans? to"
    r"|due to (?:be|begin|close|end|meet|open|play|start|take|vote)|expected|let['’]s|see you"
    r"|(?:can|could|shall|should|(?-i:may)) we)\b|['’]ll\b",
    re.I,
)
_PRESENT = re.compile(
    r"\b(?:due|again|is|are|am|do|does|(?:re)?opens?|starts?|begins?|leaves?|arrives?|closes?|ends?|expires?|returns?|resumes?"
    r"|takes?|goes|go|comes?|meets?|holds?|runs?|plays?|votes?|launches)\b|['’](?:m|re)\b",
    re.I,
)
_PAST = re.compile(
    r"\b(?:had|was|were|did|been|has|have|said|told|met|won|lost|went|came|left|began|fell|rose|took|made|held|broke|ran"
    r"|sat|stood|sold|bought|led|got|gave|sent|paid|spoke|wrote|died|grew|saw|found|built|hit"
    r"|(?<!is )(?<!are )\w{2,}ed)\b",
    re.I,
)
_DEADLINE = r"(?:(?:cob|eod|noon|midnight|[\d:.]+\s?(?:[ap]m)?|(?:the\s+)?(?:end|close)\s+of\s+\w+)\s+(?:on\s+)?)?"
_MEASURED = re.compile(
    r"\b(?:temperatures?|speeds?|scores?(?!\s+of)|highs?|lows?|percentages?|humidity)\b[^.;!?]*(?<!\bof)\s+the\s+$"
    r"|\b(?:his|her|their|my|our|your)\s+(?:early|mid|late)?[\s-]*$",
    re.I,
)
"""What makes a later "the 80s" a range of figures or an age."""

_NAME_BEFORE = re.compile(
    rf"\b(?!(?i:{SHORT_WEEKDAY}))[A-Z][a-z]+\s+(?!(?i:{SHORT_WEEKDAY}))[A-Z][a-z]+\s+$|\b(?:each|every)\s+$"
)
"""What stands right before a day without a year that is part of a title, or of every year."""


class Ambiguous(Exception):
    """A numeric date that names two days."""


def _sentence(text: str, position: int) -> tuple[str, str]:
    """Return what of a sentence stands before and after a position."""
    before = re.split(r"[.!?]\s+|\n", text[max(position - 400, 0) : position])[-1]
    return before, re.split(r"[.!?]\s|\n", text[position : position + 400])[0]


def speaks_of_future(text: str, position: int) -> bool:
    """Say whether the sentence around a day speaks of what is to come, as the present tense before a day does too."""
    before, after = _sentence(text, position)
    if re.search(r"\bsince\s+(?:the\s+)?(?:early|mid|late)?[\s-]*$", before, re.I):
        return False
    is_present = _PRESENT.search(before) or re.search(rf"\b(?:by|until|till)\s+{_DEADLINE}(?:the\s+)?$", before, re.I)
    return bool(_FUTURE.search(before + after) or (is_present and not _PAST.search(before + after)))


def _feast(name: str, number: int) -> Closed:
    plain = re.sub(r"[\W_]", "", re.sub(r"\bsaint\b", "st", name.lower()))
    on = next(on for feast, on in FEASTS.items() if re.sub(r"\W", "", feast) == plain)
    if len(on) == 3:
        return nth_weekday(months(number, on[0], "month"), on[1], on[2])
    return day(number, *on) if len(on) == 2 else days(easter(number) + timedelta(days=on[0]), 1)


def in_year(match: re.Match[str], number: int) -> Closed:
    """Return the feast, season, day or month of a year that a phrase names."""
    given = match.groupdict()
    if given.get("feast"):
        return _feast(match["feast"], number)
    if given.get("season"):
        return months(number, SEASONS[match["season"].lower()], "season")
    month = month_number(match["month"])
    return day(number, month, ordinal(match["d"])) if given.get("d") else months(number, month, "month")


def dated(match: re.Match[str], _: datetime) -> Closed:
    """Read a feast, season, day or month with its year."""
    return in_year(match, year(match["y"]))


def days_of_month(match: re.Match[str], now: datetime) -> Closed | None:
    """Read "May 3-5, 2019"."""
    first, last = dated(match, now), day(year(match["y"]), month_number(match["month"]), ordinal(match["d2"]))
    return Closed(first.first, last.last, "day") if first.first < last.first else None


def numeric(match: re.Match[str], _: datetime) -> Closed | None:
    """Read "25/03/2019"; of two readings, that which another date beside it has too."""
    one, two, of_year, sep = int(match["one"]), int(match["two"]), year(match["y"]), match["sep"]
    beside = match.string[max(match.start() - 80, 0) : match.end() + 80]
    for first, second in [(one, two), *re.findall(rf"\b(\d\d?)[{sep}](\d\d?)[{sep}]\d\d", beside)]:
        if int(first) > 12 or one == two or sep == ".":
            return day(of_year, two, one)
        if int(second) > 12:
            return day(of_year, one, two)
    if len(match["y"]) == 2:
        return None
    ways = f"{of_year}-{one:02}-{two:02} or {of_year}-{two:02}-{one:02}"
    raise Ambiguous(f"“{match['date']}” is ambiguous. Write {ways} instead.")


def instant(match: re.Match[str], _: datetime) -> Closed:
    """Read "2019-05-01T12:00+02:00"; without a zone it is in UTC."""
    at = datetime.fromisoformat(match["date"].upper().replace(" ", ""))
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return Closed(at, at, "instant")


def with_clock(match: re.Match[str], now: datetime) -> Closed | None:
    """Read "Thu Jun 6 14:05:10 UTC 2019"."""
    timed = with_time(f"on {match['clock']}", 0, 2, dated(match, now).first)
    return Closed(timed[2], timed[3], "instant") if timed else None


def iso_week(match: re.Match[str], _: datetime) -> Closed:
    """Read "2019-W23" or "week 23 of 2019"."""
    return days(datetime.fromisocalendar(int(match["y"]), int(match["week"]), 1).replace(tzinfo=UTC), 7, "week")


def part_of_year(unit: Precision) -> Reader:
    """Return what reads a quarter or half of a year by its number."""
    return lambda match, _: months(year(match["y"]), (int(match["part"]) - 1) * MONTHS_OF[unit] + 1, unit)


def whole_year(match: re.Match[str], _: datetime) -> Closed:
    """Read a year, or a few of fewer than four digits."""
    given = match.groupdict()
    first = int(given.get("any") or year(match["y"]))
    return Closed(months(first, 1, "year").first, months(int(given.get("any2") or first), 1, "year").last, "year")


def range_of_years(match: re.Match[str], _: datetime) -> Closed | None:
    """Read "1914-18"; with a slash only of two years in a row, else the month of "2019/05"."""
    first, second = int(match["y"]), match["y2"]
    last = int(match["y"][: 4 - len(second)] + second)
    if match["sep"] == "/" and last - first != 1:
        return months(first, int(second), "month") if re.fullmatch(r"0[1-9]|1[0-2]", second) else None
    return Closed(months(first, 1, "year").first, months(last, 1, "year").last, "year") if last > first else None


def decade(match: re.Match[str], _: datetime) -> Closed:
    """Read "the 1980s", and "the 1800s" as a century."""
    first = int(match["y"])
    return months(first, 1, "century" if first % 100 == 0 and first < 2000 else "decade")


def short_decade(match: re.Match[str], _: datetime) -> Closed | None:
    """Read "the '80s" or "the eighties"."""
    word = match["tens"].lower()
    if match["date"][0] not in "'’" and _MEASURED.search(words_before(match.string, match.start("date"))):
        return None
    tens = DECADES[word] if word in DECADES else int(word[0])
    return months((1900 if tens >= 2 else 2000) + tens * 10, 1, "decade")


def century(match: re.Match[str], _: datetime) -> Closed:
    """Read "the 19th century"."""
    return months(ordinal(match["nth"]) * 100 - 99, 1, "century")


def today(match: re.Match[str], now: datetime) -> Closed | None:
    """Read "yesterday", "tonight" or "the day after tomorrow", unless its capitals make it a title."""
    words, before = match["date"], words_before(match.string, match.start("date"))
    is_title = words[1:] != words[1:].lower() or (words[0].isupper() and re.search(r"[^\W\d]\s+$", before))
    sign = 1 if "tomorrow" in words.lower() else -1 if re.search("yesterday|last", words, re.I) else 0
    size = 2 if re.search(r"\bbefore|\bafter\b", words) else 1
    return None if is_title else days(add(unit_at(now, "day").first, sign * size, "day"), 1)


def _way(match: re.Match[str]) -> int:
    words = match["way"].lower()
    return -1 if re.search("last|past|previous", words) else 1 if re.search("next|coming", words) else 0


def calendar_unit(match: re.Match[str], now: datetime) -> Closed | None:
    """Read "last month" or "the week after next", unless its capitals make it a title: "The Last Week"."""
    unit = unit_of(match)
    if match["unit"].istitle():
        return None
    return unit_at(add(unit_at(now, unit).first, _way(match) * (2 if match["far"] else 1), unit), unit)


def rolling(match: re.Match[str], now: datetime) -> Closed:
    """Return the time from today on, or to today, of so many units: "the last three months"."""
    count, unit = amount(match)
    today = unit_at(now, unit if unit in ("hour", "minute") else "day")
    precision = unit_at(now, unit).precision
    if _way(match) < 0:
        return Closed(add(today.first, -count, unit), today.last, precision)
    return Closed(today.first, add(today.last, count, unit), precision)


def counted(match: re.Match[str], now: datetime) -> Closed:
    """Return what lies so many units from now: "two weeks ago", "a year ago today", "a week tomorrow"."""
    (count, unit), words = amount(match), match["date"].lower()
    is_time = unit in ("hour", "minute")
    start = now if is_time else add(unit_at(now, "day").first, "tomorrow" in words, "day")
    at = add(start, -count if re.search(r"\b(?:ago|back)\b", words) else count, unit)
    return unit_at(at, unit if is_time or (unit in MONTHS_OF and not re.search("today|tomorrow", words)) else "day")


def in_time(match: re.Match[str], now: datetime) -> Closed | None:
    """Read "in three days" only of what is to come: of what was done it says how long it took."""
    before, after = _sentence(match.string, match.start("date"))
    alone = not re.search(r"\w", before + after.removeprefix(match["date"]))
    ahead = match["date"].lower().endswith("time") or _FUTURE.search(before + after)
    return counted(match, now) if alone or ahead or re.search(rf"{_PRESENT.pattern}\s*$", before, re.I) else None


def _around(match: re.Match[str], now: datetime) -> list[Closed]:
    """Return what a phrase without a year names, again and again: weekdays, weekends, days, months, seasons, feasts."""
    given, found = match.groupdict(), []
    if given.get("weekday"):
        monday = unit_at(now, "week").first + timedelta(days=weekday_number(match["weekday"]))
        return [days(add(monday, n, "week"), 1) for n in range(-14, 5)]
    if given.get("weekend"):
        return [days(add(unit_at(now, "weekend").first, n, "week"), 2) for n in range(-14, 5)]
    if given.get("of_month"):
        starts = [add(unit_at(now, "month").first, n, "month") for n in range(-3, 4)]
        ends = [add(start, ordinal(match["of_month"]) - 1, "day") for start in starts]
        return [days(end, 1) for start, end in zip(starts, ends, strict=True) if end.month == start.month]
    for of_year in range(now.year - 8, now.year + 9):
        with suppress(ValueError):
            found.append(in_year(match, of_year))
    return found


def implied(match: re.Match[str], now: datetime) -> tuple[Closed, Closed] | None:
    """Return the last one and the coming one of what comes again, or twice the nearest that has the weekday named."""
    around, short = _around(match, now), match.groupdict().get("short")
    if short and (fitting := [one for one in around if one.first.weekday() == weekday_number(short)]):
        nearest = min(fitting, key=lambda one: abs(one.first - now))
        return nearest, nearest
    before, after = [one for one in around if one.first <= now], [one for one in around if one.last > now]
    return (before[-1], after[0]) if before and after else None


def implied_day(match: re.Match[str], now: datetime) -> tuple[Closed, Closed] | None:
    """Read a day without a year, unless it ends a title."""
    return None if _NAME_BEFORE.search(words_before(match.string, match.start("date"))) else implied(match, now)


def implied_range(match: re.Match[str], now: datetime) -> tuple[Closed, Closed] | None:
    """Read "May 3-5" or "March to May" without a year."""
    if "d2" in match.groupdict():
        unit, length = "day", ordinal(match["d2"]) - ordinal(match["d"])
    else:
        unit, length = "month", (month_number(match["month2"]) - month_number(match["month"])) % 12
    if (both := implied(match, now)) and length > 0:
        last, coming = (replace(one, last=add(one.last, length, unit)) for one in both)
        return last, coming
    return None


YEARLESS: tuple[Reader, ...] = (implied, implied_day, implied_range)
"""What reads dates that come again each year, month or week."""


def of_letter(match: re.Match[str], now: datetime) -> Closed:
    """Read "the 7th inst.", "the 28th ult.", "the 3rd prox."."""
    month = add(unit_at(now, "month").first, {"u": -1, "i": 0, "p": 1}[match["way"][0].lower()], "month")
    return days(add(month, ordinal(match["of_month"]) - 1, "day"), 1)


def chosen(match: re.Match[str], now: datetime) -> Closed:
    """Return the last, next or present one of what comes again: the last is over, and the next has not begun."""
    around, way = _around(match, now), _way(match)
    if way < 0:
        return [one for one in around if one.last <= now][-2 if match["far"] else -1]
    after = unit_at(now, "week").last if match["weekday"] and match["way"].lower() == "next" else now
    coming = [one for one in around if one.first > now and one.first >= after]
    if way > 0:
        return coming[1 if match["far"] else 0]
    if match["weekday"] or match["weekend"]:
        return next(one for one in around if one.last > now)
    return next(one for one in around if one.first <= now < one.last or one.first.year == now.year)


def times_ago(match: re.Match[str], now: datetime) -> Closed:
    """Read "two Fridays ago"."""
    return [one for one in _around(match, now) if one.last <= now][-int(number(match["n"]))]


def from_weekday(match: re.Match[str], now: datetime) -> Closed:
    """Read "Friday week" or "two weeks from Friday"."""
    count, unit = amount(match) if "unit" in match.groupdict() else (1, "week")
    coming = next(one.first for one in _around(match, now) if one.last > now)
    return days(add(coming, count, unit), 1)
