"""Columns that a question compares with each other: "tests above the limit", "bills paid less than charged"."""

import re
from collections.abc import Sequence

from services.analyst import sql_cues
from services.analyst.question_words import stem
from services.analyst.sql_conditions import ConditionReader
from services.analyst.sql_plan import RowCondition
from services.analyst.sql_tags import DETERMINERS, TableReading, Tag
from services.analyst.sql_words import words_named
from services.analyst.table_words import NamedColumn, NamedTable
from services.analyst.word_likeness import PARTLY

_SMALL = words_named("links") | DETERMINERS
_EXPLAINED = re.compile(r"\b(\w+) \((\w+) (?:and|to|/|->) (\w+)\)")
_LIKE_COLUMN = 0.8


def without_heads(text: str, tables: Sequence[NamedTable]) -> str:
    """Put "origin and destination" for "routes (origin and destination)", where nothing is called a route."""

    def plain(found: re.Match[str]) -> str:
        columns = [column for table in tables for column in table.columns]
        head, *pair = map(stem, found.groups())
        is_known = any(one.fit([head]) >= PARTLY for one in tables) or any(one.fit([head]) >= PARTLY for one in columns)
        is_pair = all(any(column.fit([one]) >= _LIKE_COLUMN for column in columns) for one in pair)
        return found[0] if is_known or not is_pair else f"{found[2]} and {found[3]}"

    return _EXPLAINED.sub(plain, text)


def compare_columns(reading: TableReading, chosen: ConditionReader, tags: list[Tag]) -> None:
    """Take a comparison with a column of numbers for rows whose own figure is beyond it.

    The figure is the column before the comparison, or between "more" and "than"; else the only one that holds values.
    """
    for start, end, sign in [*sql_cues.compared_in(reading.low), *_exceeding(reading)]:
        own, limit = _sides(reading, tags, start, end)
        figure, other = _own_figure(reading, own), _figure(reading, limit) if limit else None
        if limit is None or figure is None or other is None or figure == other:
            continue
        for tag in (*own, limit):
            tags.remove(tag)
            chosen.used |= tag.places
        chosen.used |= set(reading.places(start, end))
        reading.compared = [one for one in reading.compared if one[0] != start]
        chosen.conditions.append(RowCondition(figure, sign, other=other))  # type: ignore[arg-type]


def _sides(reading: TableReading, tags: list[Tag], start: int, end: int) -> tuple[list[Tag], Tag | None]:
    """Return the name of the figure, if it has one, and that of what it is compared with."""
    first = next((tag for tag in tags if _stands_behind(reading, tag, end, _SMALL)), None)
    if first is None or _figure(reading, first) is None:
        return [], None
    behind = _end(reading, first)
    last = next((tag for tag in tags if _stands_behind(reading, tag, behind, _SMALL | {"than"})), None)
    if last is not None and "than" in _between(reading, behind, last):
        return [first], last
    return [tag for tag in tags if _stands_before(reading, tag, start)], first


def _exceeding(reading: TableReading) -> list[tuple[int, int, str]]:
    return [(start, end, ">") for start, end in sql_cues.spans("exceed", reading.low)]


def _own_figure(reading: TableReading, named: list[Tag]) -> NamedColumn | None:
    """Return the column of the name before a comparison; without one the only one that says only what it measures."""
    if named:
        return _figure(reading, named[0])
    values = [one for one in reading.table.columns if one.only_value]
    return values[0] if len(values) == 1 else None


def _figure(reading: TableReading, tag: Tag) -> NamedColumn | None:
    column = tag.column("number")
    is_own = column is not None and column.table == reading.table.table and tag.columns[0][1] == column
    return column if is_own and not tag.values and tag.of_table < tag.of_column else None


def _end(reading: TableReading, tag: Tag) -> int:
    return reading.words[tag.last - 1].end


def _between(reading: TableReading, end: int, tag: Tag) -> list[str]:
    """Return the words from a character on to a tag."""
    return [word.low for word in reading.words if end <= word.start < reading.words[tag.first].start]


def _stands_behind(reading: TableReading, tag: Tag, end: int, small: frozenset[str]) -> bool:
    return reading.words[tag.first].start >= end and set(_between(reading, end, tag)) <= small


def _stands_before(reading: TableReading, tag: Tag, start: int) -> bool:
    """True for the name of a figure before a comparison, with only small words in between."""
    end = _end(reading, tag)
    between = {word.low for word in reading.words if end <= word.start < start}
    return end < start and between <= _SMALL and _figure(reading, tag) is not None
