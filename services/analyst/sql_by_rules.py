"""SQL for a question in words, without a model: counts, sums and ranks over one table and those that it leads to."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import partial
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from services.analyst.graph_relations import graph_readings
from services.analyst.question_words import FUNCTION_WORDS, QuestionWord, words_of
from services.analyst.row_names import kept_apart
from services.analyst.sql_column_pairs import without_heads
from services.analyst.sql_conditions import NEGATIONS
from services.analyst.sql_joins import Joins
from services.analyst.sql_outcome import read_plan
from services.analyst.sql_phrases import in_plain_words
from services.analyst.sql_plan import SqlPlan, TableJoin, joined, sql_of
from services.analyst.sql_rates import without_rates
from services.analyst.sql_tags import DETERMINERS, TableReading
from services.analyst.sql_unexplained_words import unexplained_words
from services.analyst.table_words import NamedColumn, NamedTable
from services.analyst.time_frame import time_frame
from services.analyst.unit_names import UNITS
from services.analyst.value_lookup import FoundValue, RunSql, partly_named, values_in
from services.analyst.word_likeness import NEARLY
from services.core import clock
from services.core.errors import AsofError
from services.core.sql_draft import SqlDraft
from services.sql.ask_sql import SqlQuestion, ask_sql
from services.sql.catalog import GRAPH
from services.sql.query_tables import QueryTable, query_tables

if TYPE_CHECKING:
    from services.context import OpenWorkspace

_MOST_TRIED = 8
_MOST_UNKNOWN = 2
"""So many words of a question are looked for in values."""
_NO_YEAR = re.compile(r"(?<![\w.-])(?:1[0-4]|2[2-9]|[3-9]\d)\d\d(?![\w-])")
"""Four digits that are a year of no table."""
_RANGE = re.compile(r"\b(\d+)( (?:and|to) X+\b)")
_STRESSED = NEGATIONS | DETERMINERS | {"how", "many", "much"}
"""Small words that are written in capitals to stress them."""
_LONGEST_SHORT_NAME = 3


def write_sql(workspace: "OpenWorkspace", question: str, database: str | None = None) -> SqlDraft:
    """Return SQL that answers a question over a database, or over all files; none where it is not surely read."""

    def run(sql: str) -> Iterable[Sequence[object]]:
        return ask_sql(workspace, SqlQuestion(sql, database)).result.rows

    draft = draft_sql(question, query_tables(workspace, database), run)
    if draft.sql is not None or database is not None:
        return draft
    asked, tables = graph_readings(question, run)
    sql = draft_sql(asked, tables, run).sql
    return SqlDraft(sql) if sql else draft


def draft_sql(question: str, tables: Sequence[QueryTable], run: RunSql) -> SqlDraft:
    """Return SQL over these tables, or the words of a question that none of them knows; `run` looks up values."""
    readings, plan = _read(question, tables, run)
    if plan is not None:
        return SqlDraft(sql_of(kept_apart(plan, run)))
    is_whole = len(readings) == len(tables)  # what else a table holds was not looked up
    asked = {word.low for word in words_of(question)}
    unknown = unexplained_words(readings) if is_whole else ()
    return SqlDraft(None, tuple(dict.fromkeys(word.text for word in unknown if word.low in asked)))


def read_question(question: str, tables: Sequence[QueryTable], run: RunSql) -> SqlPlan | None:
    """Return what a question asks of one of these tables; `run` looks up values in them."""
    _, plan = _read(question, tables, run)
    return None if plan is None else kept_apart(plan, run)


def _read(question: str, tables: Sequence[QueryTable], run: RunSql) -> tuple[list[TableReading], SqlPlan | None]:
    """Return a question's readings and the plan of the best; words that nothing else knows may be parts of values."""
    readings = list(_readings(question, tables, run))
    plan = _best_plan(readings)
    unknown = frozenset(word.start for word in unexplained_words(readings))
    if plan is None and 0 < len(unknown) <= _MOST_UNKNOWN:
        plan = _best_plan(_readings(question, tables, run, unknown))
    return readings, plan


def _readings(
    question: str, tables: Sequence[QueryTable], run: RunSql, unknown: Set[int] = frozenset()
) -> Iterator[TableReading]:
    """Yield a question as one about each table that is likely meant; `unknown` words begin at these characters."""
    text = in_plain_words(question.lower() if question.isupper() else question)
    named = [NamedTable(table) for table in tables]
    text = without_rates(without_heads(text, named), named)
    words = words_of(text)
    likely = sorted(named, key=lambda one: -_likelihood(one, [w.stem for w in words]))[:_MOST_TRIED]
    finder = Joins(named, frozenset(word.stem for word in words), run)
    for table in likely:
        joins = finder.of(table)
        values = _not_dates(text, words, _values(text, table, joins, run))
        values += _partly_named(text, table, joins, run, unknown)
        masked = _masked(text, values)
        if not set(_names_in_capitals(words)) <= {value.first for value in values}:
            continue
        reading = TableReading(text, words, time_frame(text, masked, clock.now()), table, joins, values)
        reading.leading = partial(finder.into, table)
        reading.values_in = partial(_values, text, joins=(), run=run)
        same = (one for one in named if one.table.database == table.table.database)
        led_to = [one.table.table for one in reading.tables]
        reading.rivals = tuple(one for one in same if one.table.table not in led_to)
        reading.others = frozenset(word for one in named if one is not table for word in one.words)
        yield reading


def _best_plan(readings: Iterable[TableReading]) -> SqlPlan | None:
    """Return the plan of the table that fits best; None where no table fits, or two alike."""
    read: list[tuple[float, SqlPlan]] = []
    known = list(readings)
    has_files = any(one.table.table.database != GRAPH for one in known)
    for reading in known:
        plan = None if has_files and _is_unnamed_of_graph(reading) else read_plan(reading)
        if plan is not None:
            read.append((_worth(reading, plan), plan))
    best = max(read, key=lambda one: one[0], default=None)
    return best[1] if best and not _has_twin(best[1].table, [plan.table for _, plan in read]) else None


def _is_unnamed_of_graph(reading: TableReading) -> bool:
    """True for a table of the graph that a question does not name: beside others it is not about its documents."""
    is_named = any(tag.fit(reading.table) >= NEARLY for tag in reading.tags)
    return reading.table.table.database == GRAPH and not is_named


def _has_twin(table: NamedTable, read: Sequence[NamedTable]) -> bool:
    """True where the question is read of a table of this name in another database, too: nothing says which."""
    return sum(one.table.table.name == table.table.table.name for one in read) > 1


def _likelihood(table: NamedTable, stems: Sequence[str]) -> float:
    """Return how much of a question a table could be about."""
    of_table = max((table.fit([stem]) for stem in stems), default=0.0)
    return 2 * of_table + sum(
        max((column.fit([stem]) for stem in stems), default=0.0) >= 0.6 for column in table.columns
    )


def _worth(reading: TableReading, plan: SqlPlan) -> float:
    """Return how well a table fits: by the names of it in the question, less for each other table that it takes."""
    own = sum(tag.score for tag in reading.tags if any(one is reading.table for _, one in tag.tables[:1]))
    return (
        0.5 * own + 0.5 * sum(tag.score for tag in reading.tags) - 0.4 * len(joined(plan)) - 0.5 * reading.passed_over
    )


def _values(text: str, table: NamedTable, joins: Sequence[TableJoin], run: RunSql) -> tuple[FoundValue, ...]:
    columns = [*table.columns, *(column for join in joins for column in join.table.columns)]
    words = words_of(text)
    try:
        return (*values_in(words, columns, run), *_in_capitals(words, columns, run))
    except AsofError:  # the question may be read without them
        return ()


def _partly_named(
    text: str, table: NamedTable, joins: Sequence[TableJoin], run: RunSql, unknown: Set[int]
) -> tuple[FoundValue, ...]:
    columns = [*table.columns, *(column for join in joins for column in join.table.columns)]
    words = words_of(text)
    places = [place for place, word in enumerate(words) if word.start in unknown]
    try:
        return tuple(partly_named(words, places, columns, run)) if places else ()
    except AsofError:
        return ()


def _not_dates(text: str, words: Sequence[QuestionWord], values: Sequence[FoundValue]) -> tuple[FoundValue, ...]:
    """Leave out what a question says in small letters within a date: the "Second Half" of "the second half of 2022"."""
    spans = time_frame(text, text, clock.now()).spans
    spoken = [text[words[one.first].start : words[one.last - 1].end] for one in values]
    return tuple(
        one
        for one, written in zip(values, spoken, strict=True)
        if not written.islower()
        or one.value == written
        or not any(start <= words[one.first].start and words[one.last - 1].end <= end for start, end in spans)
    )


def _in_capitals(words: Sequence[QuestionWord], columns: Sequence[NamedColumn], run: RunSql) -> Iterable[FoundValue]:
    """Find the "IT" of "employees in IT", which is no small word."""
    for place in _places_in_capitals(words):
        for column in columns:
            value = words[place].text
            if column.kind == "text" and any(
                run(f"SELECT 1 FROM {column.table.read_from} WHERE {column.sql} = '{value}' LIMIT 1")
            ):
                yield FoundValue(column, value, place, place + 1)


def _places_in_capitals(words: Sequence[QuestionWord]) -> list[int]:
    """Return where small words stand in capitals."""
    return [place for place, word in enumerate(words) if word.low in FUNCTION_WORDS and _is_loud(word)]


def _names_in_capitals(words: Sequence[QuestionWord]) -> Iterable[int]:
    """Yield where small words in capitals can only be names: short, outside of a stressed "HOW MANY PEOPLE ARE"."""
    for is_loud, places in groupby(range(len(words)), lambda place: _is_loud(words[place])):
        run = list(places)
        if is_loud and not any(words[place].low in _STRESSED for place in run):
            yield from (p for p in run if words[p].low in FUNCTION_WORDS and len(words[p].text) <= _LONGEST_SHORT_NAME)


def _is_loud(word: QuestionWord) -> bool:
    return len(word.text) > 1 and word.text.isalpha() and word.text.isupper()


def _masked(text: str, values: Iterable[FoundValue]) -> str:
    """Blot out the values that a question names and what it measures, so that no date is read in them."""
    words = words_of(text)
    for number, unit in pairwise(words):
        if number.is_number and unit.low in UNITS:
            text = text[: number.start] + "X" * len(number.text) + text[number.end :]
    text = _NO_YEAR.sub(lambda found: "X" * len(found[0]), text)
    text = _RANGE.sub(lambda found: "X" * len(found[1]) + found[2], text)
    for value in values:
        start, end = words[value.first].start, words[value.last - 1].end
        if not text[start:end].isdigit():
            text = text[:start] + "X" * (end - start) + text[end:]
    return text
