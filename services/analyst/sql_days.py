"""Days of dates: which of the week a row is of, and which of two dates is the later."""

import re
from calendar import day_name

from services.analyst import sql_cues
from services.analyst.sql_conditions import ConditionReader
from services.analyst.sql_plan import RowCondition
from services.analyst.sql_tags import DETERMINERS, TableReading, Tag
from services.analyst.table_words import NamedColumn, NamedTable

_DAYS: dict[str, tuple[int, ...]] = {
    f"{name.lower()}{ending}": (place,) for place, name in enumerate(day_name, start=1) for ending in ("", "s")
}
_DAYS |= {"weekend": (6, 7), "weekends": (6, 7)}
_LATER = re.compile(r"\b(?:(after|later than|past)|(before|earlier than|ahead of))\b")


def find_weekdays(reading: TableReading, chosen: ConditionReader) -> None:
    """Take "at weekends" and "on Mondays" for the rows of those days."""
    places = [
        place for place, word in enumerate(reading.words) if word.low in _DAYS and place not in reading.tag_places
    ]
    column = chosen.date_column()
    if not places:
        return
    if column is None or column.kind != "date" or reading.taken & {*places}:
        chosen.failed = True
        return
    before = {place - 1 for place in places if reading.words[place - 1].low in ("at", "on", "the", "a")}
    chosen.used |= {*places, *before}
    days = tuple(sorted({float(day) for place in places for day in _DAYS[reading.words[place].low]}))
    chosen.conditions.append(RowCondition(column, "on days", days))


def compare_dates(reading: TableReading, chosen: ConditionReader, tags: list[Tag]) -> None:
    """Take "arrived after their ETA" for the rows of which one date is later than the other."""
    own = [(tag, column) for tag in tags if (column := _own_date(tag, reading.table)) is not None]
    for cue in _LATER.finditer(reading.low):
        before = [one for one in own if reading.words[one[0].last - 1].end + 1 == cue.start()]
        behind = [one for one in own if _is_next(reading, cue.end(), one[0])]
        if not before or not behind or before[0][1] == behind[0][1]:
            continue
        for tag, _ in (before[0], behind[0]):
            tags.remove(tag)
            chosen.used |= tag.places
        chosen.used |= set(reading.places(*cue.span()))
        chosen.conditions.append(RowCondition(before[0][1], ">" if cue[1] else "<", other=behind[0][1]))


def _own_date(tag: Tag, table: NamedTable) -> NamedColumn | None:
    found = [column for _, column in tag.columns if column.kind == "date" and column.table == table.table]
    return found[0] if found and not tag.values else None


def _is_next(reading: TableReading, end: int, tag: Tag) -> bool:
    between = [word.low for word in reading.words if end <= word.start < reading.words[tag.first].start]
    return reading.words[tag.first].start > end and set(between) <= DETERMINERS


def last_date(reading: TableReading, chosen: ConditionReader) -> tuple[NamedColumn, bool] | None:
    """Return the date that "when did the last one leave" asks for, and whether it is the latest."""
    found = sql_cues.spans("when_last", reading.low)
    column = chosen.date_column() if found else None
    if column is None:
        return None
    is_first = re.search(r"\b(?:first|earliest)\b", reading.low[slice(*found[0])])
    return column, not is_first
