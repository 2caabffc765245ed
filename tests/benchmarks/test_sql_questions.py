"""SQL without a model over tables with awkward names of columns, as the benchmark asks for it."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import duckdb
import pytest

from benchmarks.sql_questions import is_same, outcome_of
from services.analyst.sql_by_rules import read_question
from services.analyst.sql_plan import sql_of
from services.sql.catalog import DatabaseColumn, DatabaseTable
from services.sql.key_guesses import guessed_keys
from services.sql.query_tables import QueryTable
from tests.services.analyst.sql_tables import samples

if TYPE_CHECKING:
    from services.context import OpenWorkspace

FOLDER = Path(__file__).parents[2] / "benchmarks" / "sql_more_tables"


def outcomes() -> Iterator[str]:
    lines = map(json.loads, (FOLDER / "questions.jsonl").read_text(encoding="utf-8").splitlines())
    asked = [(one["database"], one["question"], one["sql"]) for one in lines]
    for database in sorted({name for name, _, _ in asked}):
        with duckdb.connect() as connection:
            tables = list(loaded(connection, database))
            for _, question, gold in (one for one in asked if one[0] == database):
                plan = read_question(question, tables, lambda sql: connection.execute(sql).fetchall())
                if plan is None:
                    yield "none"
                    continue
                rows, expected = (connection.execute(sql).fetchall() for sql in (sql_of(plan), gold))
                yield "right" if is_same(rows, expected) else "wrong"


def loaded(connection: duckdb.DuckDBPyConnection, database: str) -> Iterator[QueryTable]:
    tables = []
    for file in sorted((FOLDER / database).glob("*.csv")):
        connection.execute(f"CREATE TABLE {file.stem} AS FROM read_csv('{file}')")
        columns = tuple(
            DatabaseColumn(name=name, type=kind, samples=samples(connection, file.stem, name))
            for name, kind, *_ in connection.execute(f"DESCRIBE {file.stem}").fetchall()
        )
        tables.append(DatabaseTable(name=file.stem, columns=columns, rows=1))
    keys = list(guessed_keys(connection, tables))
    for table in tables:
        own = tuple(key for key in keys if key.table == table.name)
        yield QueryTable(table.name, database, "duckdb", table, own)


@pytest.mark.slow  # a run of the whole benchmark
def test_four_of_five_questions_over_awkward_tables_are_answered_right() -> None:
    counted = Counter(outcomes())
    assert counted["right"] >= 64
    assert counted["wrong"] <= 1


def test_a_question_that_no_table_answers_is_right_without_sql() -> None:
    workspace = cast("OpenWorkspace", None)
    assert outcome_of(workspace, None, None) == "right"
    assert outcome_of(workspace, "SELECT 1", None) == "wrong"
    assert outcome_of(workspace, None, [[1]]) == "none"


def test_the_first_day_of_a_quarter_is_its_name() -> None:
    rows, named = [["2023-04-01", 2.0, 5]], [["2023-Q2", 5]]
    assert is_same(rows, named)
    assert not is_same(rows, [["2023-Q3", 5]])
    assert not is_same([["2023-05-01", 5]], named)
