"""SQL for a question in words, without a model: counts, sums and ranks over one table and those that it leads to."""

from collections.abc import Iterable, Sequence, Set
from itertools import groupby
from typing import TYPE_CHECKING

from services.analyst.question_words import FUNCTION_WORDS, QuestionWord, stem, words_of
from services.analyst.sql_conditions import DIRECTIONS, NEGATIONS
from services.analyst.sql_outcome import read_plan
from services.analyst.sql_phrases import in_plain_words
from services.analyst.sql_plan import SqlPlan, TableJoin, sql_of, tables_of
from services.analyst.sql_tags import DETERMINERS, TableReading
from services.analyst.table_words import NamedColumn, NamedTable
from services.analyst.time_frame import time_frame
from services.analyst.value_lookup import FoundValue, RunSql, values_in
from services.core import clock
from services.core.errors import AsofError
from services.language.inflection import plural
from services.sql.ask_sql import SqlQuestion, ask_sql
from services.sql.query_tables import QueryTable, query_tables

if TYPE_CHECKING:
    from services.context import OpenWorkspace

_MOST_TRIED = 8
_STRESSED = NEGATIONS | DETERMINERS | {"how", "many", "much"}
"""Small words that are written in capitals to stress them."""
_LONGEST_SHORT_NAME = 3


def write_sql(workspace: "OpenWorkspace", question: str, database: str | None = None) -> str | None:
    """Return SQL that answers a question over a database, or over all files; None where it is not surely read."""

    def run(sql: str) -> Iterable[Sequence[object]]:
        return ask_sql(workspace, SqlQuestion(sql, database)).result.rows

    plan = read_question(question, query_tables(workspace, database), run)
    return None if plan is None else sql_of(plan)


def read_question(question: str, tables: Sequence[QueryTable], run: RunSql) -> SqlPlan | None:
    """Return what a question asks of one of these tables; `run` looks up values in them."""
    text = in_plain_words(question.lower() if question.isupper() else question)
    named = [NamedTable(table) for table in tables]
    words = words_of(text)
    likely = sorted(named, key=lambda one: -_likelihood(one, [w.stem for w in words]))[:_MOST_TRIED]
    best: tuple[float, SqlPlan] | None = None
    for table in likely:
        joins = tuple(_joins(table, named, frozenset(word.stem for word in words), run))
        values = _not_dates(text, words, _values(text, table, joins, run))
        masked = _masked(text, values)
        if not set(_names_in_capitals(words)) <= {value.first for value in values}:
            continue
        reading = TableReading(text, words, time_frame(text, masked, clock.now()), table, joins, values)
        reading.others = frozenset(word for one in named if one is not table for word in one.words)
        plan = read_plan(reading)
        if plan is None:
            continue
        worth = _worth(reading, plan)
        if best is None or worth > best[0]:
            best = worth, plan
    return best[1] if best and not _has_twin(best[1].table, named) else None


def _has_twin(table: NamedTable, named: Sequence[NamedTable]) -> bool:
    """True where another database has a table of the same name: nothing says which is meant."""
    return sum(one.table.table.name == table.table.table.name for one in named) > 1


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
        0.5 * own
        + 0.5 * sum(tag.score for tag in reading.tags)
        - 0.4 * len(tables_of(plan))
        - 0.5 * reading.passed_over
    )


def _joins(table: NamedTable, named: Sequence[NamedTable], asked: Set[str], run: RunSql) -> Iterable[TableJoin]:
    """Find the tables of the same database that a column of each row leads to."""
    for other in named:
        if other is not table and other.table.database == table.table.database:
            join = _by_key(table, other, asked) or _by_name(table, other) or _by_same_name(table, other, run)
            yield from [join] if join else []


def _by_key(table: NamedTable, other: NamedTable, asked: Set[str]) -> TableJoin | None:
    """Return the join that a foreign key says; of several the one that the question names."""
    found = []
    for key in table.table.foreign_keys:
        column, target = table.column(key.column), other.column(key.other_column)
        if key.other_table == other.table.table.name and column and target:
            found.append(TableJoin(other, column, target))
    ways = [set(map(stem, meant.split())) for cues, meant in DIRECTIONS if set(map(stem, cues.split())) & asked]
    asked = asked | ways[0] if len(ways) == 1 else asked
    named = [one for one in found if (set(one.column.words) - set(other.words)) & asked] if len(found) > 1 else found
    return named[0] if len(named) == 1 else None


def _by_name(table: NamedTable, other: NamedTable) -> TableJoin | None:
    key = other.key
    if key is None:
        return None
    column = next((one for one in table.columns if one != table.key and _leads_to(one, other)), None)
    return TableJoin(other, column, key) if column else None


def _by_same_name(table: NamedTable, other: NamedTable, run: RunSql) -> TableJoin | None:
    """Return the join by what both tables call the same, and by which the other's rows can be told apart."""
    target = other.key or other.columns[0]
    column = next((one for one in table.columns[1:] if one.column.name == target.column.name), None)
    if column is None or column.kind not in ("text", "key", "number") or not _tells_apart(target, run):
        return None
    return TableJoin(other, column, target)


def _tells_apart(column: NamedColumn, run: RunSql) -> bool:
    try:
        return not any(run(f"SELECT 1 FROM {column.table.sql_name} GROUP BY {column.sql} HAVING count(*) > 1 LIMIT 1"))
    except AsofError:
        return False


def _leads_to(column: NamedColumn, other: NamedTable) -> bool:
    key = other.key
    if key is None or (column.words[-1:] not in (("id",), ("code",), ("number",)) and column.kind != "key"):
        return False
    is_same = len(key.words) > 1 and column.words == key.words
    return is_same or (column.core != column.words and _several(column.core) == _several(other.words))


def _several(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a name for several of them: "person" leads to a table of "people"."""
    return *words[:-1], stem(plural(words[-1]))


def _values(text: str, table: NamedTable, joins: Sequence[TableJoin], run: RunSql) -> tuple[FoundValue, ...]:
    columns = [*table.columns, *(column for join in joins for column in join.table.columns)]
    words = words_of(text)
    try:
        return (*values_in(words, columns, run), *_in_capitals(words, columns, run))
    except AsofError:  # the question may be read without them
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
                run(f"SELECT 1 FROM {column.table.sql_name} WHERE {column.sql} = '{value}' LIMIT 1")
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
    """Blot out the values that a question names, so that no date is read in them."""
    words = words_of(text)
    for value in values:
        start, end = words[value.first].start, words[value.last - 1].end
        if not text[start:end].isdigit():
            text = text[:start] + "X" * (end - start) + text[end:]
    return text
