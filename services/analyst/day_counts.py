"""The days between two dates of a row, as a column that a question can name: "average days to close"."""

from collections.abc import Iterator, Sequence

from services.analyst.question_words import QuestionWord, stem
from services.analyst.sql_words import words_named
from services.analyst.table_words import TURNAROUND, NamedColumn, NamedTable
from services.analyst.word_likeness import NEARLY
from services.sql.catalog import DatabaseColumn

_SPANS, _JOINED = ("day", "time"), {"from": ("to", "until", "till"), "between": ("and",)}
WORDS_OF_SPAN = 5
_NO_ENDS = frozenset(map(stem, words_named("no_ends")))
"""Words of dates with which nothing ends."""
_BETWEEN_DATES = {
    "duckdb": "date_diff('day', CAST({0} AS DATE), CAST({1} AS DATE))",
    "postgres": "(CAST({1} AS DATE) - CAST({0} AS DATE))",
    "sqlite": "CAST(julianday(date({1})) - julianday(date({0})) AS INTEGER)",
}


def days_between(table: NamedTable) -> Iterator[NamedColumn]:
    """Yield the "days to close" of a table with a date of opening and one of closing: from the first date on."""
    dates = [one for one in table.dates() if one.kind == "date"]
    for end in dates[1:]:
        yield _days(dates[0], end)
    yield from turnaround(table)


def turnaround(table: NamedTable) -> Iterator[NamedColumn]:
    """Yield the days that a row took, where it has two dates and nothing else says how long it took."""
    dates = start_and_end(table)
    if dates and not any(one.measures == "time" for one in table.columns):
        named = DatabaseColumn(name="turnaround_days", type="INTEGER")
        yield NamedColumn(table.table, named, TURNAROUND, _formula(*dates))


def start_and_end(table: NamedTable) -> tuple[NamedColumn, NamedColumn] | None:
    """Return the dates that a row begins and ends with, where it has these two alone."""
    dates = [one for one in table.dates() if one.kind == "date"]
    is_whole = len(dates) == len(table.dates()) == 2 and not _NO_ENDS & {*dates[0].words, *dates[1].words}
    return (dates[0], dates[1]) if is_whole else None


def _days(start: NamedColumn, end: NamedColumn) -> NamedColumn:
    named = DatabaseColumn(name=f"days_to_{'_'.join(end.core)}", type="INTEGER")
    return NamedColumn(start.table, named, ("day", stem("to"), *end.core), _formula(start, end))


def _formula(start: NamedColumn, end: NamedColumn) -> str:
    return _BETWEEN_DATES[start.table.dialect].format(f"{{0}}{start.sql}", f"{{0}}{end.sql}")


def days_named(table: NamedTable, words: Sequence[QuestionWord]) -> NamedColumn | None:
    """Return the days of a phrase such as "days from loss to report" and "time between posting and filling"."""
    if len(words) < WORDS_OF_SPAN or words[0].stem not in _SPANS or words[3].low not in _JOINED.get(words[1].low, ()):
        return None
    dates = [one for one in table.dates() if one.kind == "date"]
    ends = [[one for one in dates if one.fit([word.stem]) >= NEARLY] for word in (words[2], words[4])]
    if any(len(found) != 1 for found in ends) or ends[0] == ends[1]:
        return None
    return _days(ends[0][0], ends[1][0])
